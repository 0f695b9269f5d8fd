// Parts of a vehicle: tuning, wheels, and the rays with which they find the ground. In: the program's numbers. Out: for
// btRaycastVehicle (vehicle.ts), the properties of a wheel and the result of its ray.
import { crossed as cross, dot } from './constraints';
import { number } from './errors';
import { attributes, type Class, fields, ref, WrapperObject } from './object';
import { castRay } from './queries';
import { ClosestRayResultCallback } from './results';
import { btRigidBody } from './rigidBody';
import { btTransform } from './transform';
import { btVector3, finiteVector, triple, vector } from './vector';
import { btDynamicsWorld } from './world';

export type Vector = number[];

export const plus = (a: Vector, b: Vector, s = 1): Vector => a.map((part, i) => part + s * b[i]!);
export const times = (v: Vector, s: number): Vector => v.map((part) => part * s);

export const flag = (value: unknown) => Boolean(value);

/** Defines attributes that are vectors or other values: reading returns the object itself, writing copies into it. */
function values(type: Class, names: readonly string[]): void {
  for (const name of names)
    attributes(type, {
      [name]: {
        get(this: Record<string, btVector3>) {
          return this[`_${name}`];
        },
        set(this: Record<string, btVector3>, value: btVector3) {
          this[`_${name}`]!._copy(vector(value, `${type.name}.set_${name}`, 'value'));
        },
      },
    });
}

/** Parameters from which addWheel makes wheels. */
export class btVehicleTuning extends WrapperObject {
  /** @internal */
  override get _hasDestructor(): boolean {
    return false;
  }

  constructor() {
    super();
    Object.assign(this, {
      _m_suspensionStiffness: Math.fround(5.88),
      _m_suspensionCompression: Math.fround(0.83),
      _m_suspensionDamping: Math.fround(0.88),
      _m_maxSuspensionTravelCm: 500,
      _m_frictionSlip: 10.5,
      _m_maxSuspensionForce: 6000,
    });
  }
}
fields(btVehicleTuning, number, [
  'm_suspensionStiffness',
  'm_suspensionCompression',
  'm_suspensionDamping',
  'm_maxSuspensionTravelCm',
  'm_frictionSlip',
  'm_maxSuspensionForce',
]);

export class btVehicleRaycasterResult extends WrapperObject {
  /** @internal */
  readonly _m_hitPointInWorld = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_hitNormalInWorld = new btVector3(0, 0, 0);
  /** @internal */
  _m_distFraction = -1;
}
fields(btVehicleRaycasterResult, number, ['m_distFraction']);
values(btVehicleRaycasterResult, ['m_hitPointInWorld', 'm_hitNormalInWorld']);

export class btVehicleRaycaster extends WrapperObject {
  /** @internal The body that was hit, not `skip`; position, normal and fraction are in the result. */
  _cast(
    _from: Vector,
    _to: Vector,
    _result: btVehicleRaycasterResult,
    _skip: btRigidBody | null = null,
  ): btRigidBody | null {
    return null;
  }

  castRay(from: btVector3, to: btVector3, result: btVehicleRaycasterResult): void {
    const where = `${this.constructor.name}.castRay`;
    const ends = [finiteVector(from, where, 'from'), finiteVector(to, where, 'to')].map(triple);
    this._cast(ends[0]!, ends[1]!, ref(result, btVehicleRaycasterResult, where, 'result'));
  }
}

/** Finds the nearest rigid body with contact response. */
export class btDefaultVehicleRaycaster extends btVehicleRaycaster {
  private readonly _world: btDynamicsWorld;

  constructor(world: btDynamicsWorld) {
    super();
    this._world = ref(world, btDynamicsWorld, 'btDefaultVehicleRaycaster', 'world');
  }

  override _cast(
    from: Vector,
    to: Vector,
    result: btVehicleRaycasterResult,
    skip: btRigidBody | null = null,
  ): btRigidBody | null {
    const [a, b] = [from, to].map((v) => new btVector3(v[0]!, v[1]!, v[2]!)) as [btVector3, btVector3];
    const hit = new ClosestRayResultCallback(a, b);
    castRay(this._world, a, b, hit, skip);
    const body = hit.hasHit() ? hit.get_m_collisionObject() : null;
    if (!(body instanceof btRigidBody) || (body._flags & CF_NO_CONTACT_RESPONSE) !== 0) return null;
    result._m_hitPointInWorld._copy(hit.get_m_hitPointWorld());
    result._m_hitNormalInWorld._copy(hit.get_m_hitNormalWorld());
    result._m_hitNormalInWorld.normalize();
    result._m_distFraction = hit.get_m_closestHitFraction();
    return body;
  }
}

const CF_NO_CONTACT_RESPONSE = 4;

/** Result of the ray of a wheel. */
export class RaycastInfo extends WrapperObject {
  /** @internal */
  readonly _m_contactNormalWS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_contactPointWS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_hardPointWS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_wheelDirectionWS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_wheelAxleWS = new btVector3(0, 0, 0);
  /** @internal */
  _m_suspensionLength = 0;
  /** @internal */
  _m_isInContact = false;
  /** @internal A pointer; 0 in the air. */
  _m_groundObject: unknown = 0;

  /** @internal */
  _assign(from: RaycastInfo): void {
    this._m_contactNormalWS._copy(from._m_contactNormalWS);
    this._m_contactPointWS._copy(from._m_contactPointWS);
    this._m_hardPointWS._copy(from._m_hardPointWS);
    this._m_wheelDirectionWS._copy(from._m_wheelDirectionWS);
    this._m_wheelAxleWS._copy(from._m_wheelAxleWS);
    this._m_suspensionLength = from._m_suspensionLength;
    this._m_isInContact = from._m_isInContact;
    this._m_groundObject = from._m_groundObject;
  }
}
fields(RaycastInfo, number, ['m_suspensionLength']);
fields(RaycastInfo, flag, ['m_isInContact']);
fields(RaycastInfo, (value) => value, ['m_groundObject']);
values(RaycastInfo, [
  'm_contactNormalWS',
  'm_contactPointWS',
  'm_hardPointWS',
  'm_wheelDirectionWS',
  'm_wheelAxleWS',
]);

export class btWheelInfoConstructionInfo extends WrapperObject {
  /** @internal */
  readonly _m_chassisConnectionCS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_wheelDirectionCS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_wheelAxleCS = new btVector3(0, 0, 0);
  /** @internal */
  _m_bIsFrontWheel = false;
  declare _m_suspensionRestLength: number;
  declare _m_maxSuspensionTravelCm: number;
  declare _m_wheelRadius: number;
  declare _m_suspensionStiffness: number;
  declare _m_wheelsDampingCompression: number;
  declare _m_wheelsDampingRelaxation: number;
  declare _m_frictionSlip: number;
  declare _m_maxSuspensionForce: number;

  constructor() {
    super();
    for (const name of CONSTRUCTION) Object.assign(this, { [`_${name}`]: 0 });
  }
}
const CONSTRUCTION = [
  'm_suspensionRestLength',
  'm_maxSuspensionTravelCm',
  'm_wheelRadius',
  'm_suspensionStiffness',
  'm_wheelsDampingCompression',
  'm_wheelsDampingRelaxation',
  'm_frictionSlip',
  'm_maxSuspensionForce',
] as const;
fields(btWheelInfoConstructionInfo, number, CONSTRUCTION);
fields(btWheelInfoConstructionInfo, flag, ['m_bIsFrontWheel']);
values(btWheelInfoConstructionInfo, ['m_chassisConnectionCS', 'm_wheelDirectionCS', 'm_wheelAxleCS']);

export class btWheelInfo extends WrapperObject {
  /** @internal */
  readonly _m_raycastInfo = new RaycastInfo();
  /** @internal */
  readonly _m_worldTransform = new btTransform();
  /** @internal */
  readonly _m_chassisConnectionPointCS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_wheelDirectionCS = new btVector3(0, 0, 0);
  /** @internal */
  readonly _m_wheelAxleCS = new btVector3(0, 0, 0);
  /** @internal m */
  _m_suspensionRestLength1: number;
  /** @internal In both directions. */
  _m_maxSuspensionTravelCm: number;
  /** @internal m */
  _m_wheelsRadius: number;
  /** @internal N/m per kg of the chassis. */
  _m_suspensionStiffness: number;
  /** @internal N·s/m per kg, for compression; the next one for extension. */
  _m_wheelsDampingCompression: number;
  /** @internal */
  _m_wheelsDampingRelaxation: number;
  /** @internal Friction coefficient of the tyre. */
  _m_frictionSlip: number;
  /** @internal N */
  _m_maxSuspensionForce: number;
  /** @internal rad */
  _m_steering = 0;
  /** @internal rad */
  _m_rotation = 0;
  /** @internal rad, rotation in the last step. */
  _m_deltaRotation = 0;
  /** @internal 0: side forces act at the height of the centre of mass; 1: on the ground. */
  _m_rollInfluence = Math.fround(0.1);
  /** @internal N */
  _m_engineForce = 0;
  /** @internal N·s per step. */
  _m_brake = 0;
  /** @internal */
  _m_bIsFrontWheel: boolean;
  /** @internal */
  _m_clippedInvContactDotSuspension = 1;
  /** @internal m/s */
  _m_suspensionRelativeVelocity = 0;
  /** @internal N */
  _m_wheelsSuspensionForce = 0;
  /** @internal Share of the force that friction can transmit: below 1 the wheel slides. */
  _m_skidInfo = 1;

  constructor(ci: btWheelInfoConstructionInfo) {
    super();
    const given = ref(ci, btWheelInfoConstructionInfo, 'btWheelInfo', 'ci');
    this._m_chassisConnectionPointCS._copy(given._m_chassisConnectionCS);
    this._m_wheelDirectionCS._copy(given._m_wheelDirectionCS);
    this._m_wheelAxleCS._copy(given._m_wheelAxleCS);
    this._m_suspensionRestLength1 = given._m_suspensionRestLength;
    this._m_maxSuspensionTravelCm = given._m_maxSuspensionTravelCm;
    this._m_wheelsRadius = given._m_wheelRadius;
    this._m_suspensionStiffness = given._m_suspensionStiffness;
    this._m_wheelsDampingCompression = given._m_wheelsDampingCompression;
    this._m_wheelsDampingRelaxation = given._m_wheelsDampingRelaxation;
    this._m_frictionSlip = given._m_frictionSlip;
    this._m_maxSuspensionForce = given._m_maxSuspensionForce;
    this._m_bIsFrontWheel = given._m_bIsFrontWheel;
  }

  getSuspensionRestLength(): number {
    return this._m_suspensionRestLength1;
  }

  /**
   * Updates the speed of the chassis along the suspension, relative to the ground that the ray hit; resets it in the
   * air.
   */
  updateWheel(chassis: btRigidBody, _raycastInfo: RaycastInfo): void {
    const body = ref(chassis, btRigidBody, 'btWheelInfo.updateWheel', 'chassis');
    this._update((point) => velocityAt(body, point));
  }

  /** @internal `velocityOf`: m/s of a point of the chassis. */
  _update(velocityOf: (point: Vector) => Vector): void {
    const info = this._m_raycastInfo;
    this._m_suspensionRelativeVelocity = 0;
    if (!info._m_isInContact) {
      info._m_suspensionLength = this._m_suspensionRestLength1;
      info._m_contactNormalWS._set(
        ...(times(triple(info._m_wheelDirectionWS), -1) as [number, number, number]),
        0,
      );
      this._m_clippedInvContactDotSuspension = 1;
      return;
    }
    const normal = triple(info._m_contactNormalWS);
    const along = dot(normal, triple(info._m_wheelDirectionWS));
    // Nearly parallel to the ground the factor would be unbounded.
    this._m_clippedInvContactDotSuspension = along >= -0.1 ? 10 : -1 / along;
    if (along < -0.1)
      this._m_suspensionRelativeVelocity =
        dot(normal, velocityOf(triple(info._m_contactPointWS))) * this._m_clippedInvContactDotSuspension;
  }
}
fields(btWheelInfo, number, [
  'm_suspensionStiffness',
  'm_frictionSlip',
  'm_engineForce',
  'm_rollInfluence',
  'm_suspensionRestLength1',
  'm_wheelsRadius',
  'm_wheelsDampingCompression',
  'm_wheelsDampingRelaxation',
  'm_steering',
  'm_maxSuspensionForce',
  'm_maxSuspensionTravelCm',
  'm_wheelsSuspensionForce',
  'm_rotation',
  'm_deltaRotation',
  'm_brake',
  'm_clippedInvContactDotSuspension',
  'm_suspensionRelativeVelocity',
  'm_skidInfo',
]);
fields(btWheelInfo, flag, ['m_bIsFrontWheel']);
values(btWheelInfo, ['m_chassisConnectionPointCS', 'm_wheelDirectionCS', 'm_wheelAxleCS']);
attributes(btWheelInfo, {
  m_raycastInfo: {
    get(this: btWheelInfo) {
      return this._m_raycastInfo;
    },
    set(this: btWheelInfo, value: RaycastInfo) {
      this._m_raycastInfo._assign(ref(value, RaycastInfo, 'btWheelInfo.set_m_raycastInfo', 'value'));
    },
  },
  m_worldTransform: {
    get(this: btWheelInfo) {
      return this._m_worldTransform;
    },
    set(this: btWheelInfo, value: btTransform) {
      this._m_worldTransform._copy(ref(value, btTransform, 'btWheelInfo.set_m_worldTransform', 'value'));
    },
  },
});

export const centreOf = (body: btRigidBody) => triple(body._pose._fresh()._origin);

/** m/s of a point of the body. */
export function velocityAt(body: btRigidBody, point: Vector): Vector {
  const spin = cross(triple(body.getAngularVelocity()), plus(point, centreOf(body), -1));
  return plus(triple(body.getLinearVelocity()), spin);
}
