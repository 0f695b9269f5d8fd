// btRaycastVehicle: a chassis on springs that end where rays meet the ground. In: wheels, tuning, steering, engine
// force, brakes. Out, in each step: suspension forces along the ground's normal, a friction impulse per wheel that
// stops it sideways and drives or brakes it along, both limited by the load; the transforms of the wheels for drawing.
// The formulas are those of btRaycastVehicle.cpp, which also treats the ground as immovable.
import { deterministic } from '../index';
import { engineCall } from './collisionObject';
import { crossed as cross, dot } from './constraints';
import { index, integer, number } from './errors';
import { pointerOf, ref, slot } from './object';
import { btRigidBody } from './rigidBody';
import { btTransform } from './transform';
import { btVector3, finiteVector, square, triple } from './vector';
import {
  btVehicleRaycaster,
  btVehicleRaycasterResult,
  btVehicleTuning,
  btWheelInfo,
  btWheelInfoConstructionInfo,
  centreOf,
  flag,
  plus,
  times,
  type Vector,
  velocityAt,
} from './wheels';
import { btActionInterface } from './world';

function unit(v: Vector): Vector {
  const length = Math.sqrt(dot(v, v));
  return length > 0 ? times(v, 1 / length) : v;
}

/** Rotates about a unit vector. */
function turned(v: Vector, axis: Vector, angle: number): Vector {
  const [c, s] = [deterministic.cos(angle), deterministic.sin(angle)];
  return plus(plus(times(v, c), cross(axis, v), s), axis, dot(axis, v) * (1 - c));
}

/** 1/kg. Speed that a unit impulse along a direction gives to a point. */
function response(body: btRigidBody, point: Vector, direction: Vector): number {
  const arm = cross(plus(point, centreOf(body), -1), direction);
  const m = body._pose._basis._matrix();
  let sum = body._mass > 0 ? 1 / body._mass : 0;
  for (let k = 0; k < 3; k++) {
    const part = m[k]! * arm[0]! + m[3 + k]! * arm[1]! + m[6 + k]! * arm[2]!;
    if (body._inertia[k]! > 0) sum += (part * part) / body._inertia[k]!;
  }
  return sum;
}

function push(body: btRigidBody, impulse: Vector, arm: Vector): void {
  const [j, r] = [impulse, arm].map((v) => new btVector3(v[0]!, v[1]!, v[2]!)) as [btVector3, btVector3];
  body.applyImpulse(j, r);
}

/** Share of its sideways speed that a wheel loses per step, and of its forward impulse that counts as sliding. */
const SIDE_DAMPING = 0.2;
const FORWARD_SHARE = 0.5;
/** Share of its rotation that a wheel in the air keeps per step. */
const SPIN_KEPT = 0.99;

export class btRaycastVehicle extends btActionInterface {
  private readonly _chassis: btRigidBody;
  private readonly _raycaster: btVehicleRaycaster;
  private readonly _wheels: btWheelInfo[] = [];
  private readonly _found = new btVehicleRaycasterResult();
  private _right = 0;
  private _up = 2;
  private _forward = 1;
  private _speed = 0;
  private _constraintType = -1;
  private _constraintId = -1;
  /** s. See `_aheadBy`. */
  private _ahead = 0;

  constructor(tuning: btVehicleTuning, chassis: btRigidBody, raycaster: btVehicleRaycaster) {
    super();
    ref(tuning, btVehicleTuning, 'btRaycastVehicle', 'tuning');
    this._chassis = ref(chassis, btRigidBody, 'btRaycastVehicle', 'chassis');
    this._raycaster = ref(raycaster, btVehicleRaycaster, 'btRaycastVehicle', 'raycaster');
  }

  addWheel(
    connectionPointCS0: btVector3,
    wheelDirectionCS0: btVector3,
    wheelAxleCS: btVector3,
    suspensionRestLength: number,
    wheelRadius: number,
    tuning: btVehicleTuning,
    isFrontWheel: boolean,
  ): btWheelInfo {
    const where = 'btRaycastVehicle.addWheel';
    const ci = new btWheelInfoConstructionInfo();
    ci._m_chassisConnectionCS._copy(finiteVector(connectionPointCS0, where, 'connectionPointCS0'));
    ci._m_wheelDirectionCS._copy(finiteVector(wheelDirectionCS0, where, 'wheelDirectionCS0'));
    ci._m_wheelAxleCS._copy(finiteVector(wheelAxleCS, where, 'wheelAxleCS'));
    ci._m_suspensionRestLength = number(suspensionRestLength, where, 'suspensionRestLength');
    ci._m_wheelRadius = number(wheelRadius, where, 'wheelRadius');
    const given = ref(tuning, btVehicleTuning, where, 'tuning') as unknown as Record<string, number>;
    ci._m_suspensionStiffness = given['_m_suspensionStiffness']!;
    ci._m_wheelsDampingCompression = given['_m_suspensionCompression']!;
    ci._m_wheelsDampingRelaxation = given['_m_suspensionDamping']!;
    ci._m_frictionSlip = given['_m_frictionSlip']!;
    ci._m_maxSuspensionTravelCm = given['_m_maxSuspensionTravelCm']!;
    ci._m_maxSuspensionForce = given['_m_maxSuspensionForce']!;
    ci._m_bIsFrontWheel = flag(isFrontWheel);
    const wheel = new btWheelInfo(ci);
    this._wheels.push(wheel);
    this._place(wheel, false);
    return wheel;
  }

  // --- a step ---

  override updateAction(_collisionWorld: unknown, deltaTimeStep: number): void {
    this.updateVehicle(deltaTimeStep);
  }

  updateVehicle(step: number): void {
    const dt = number(step, 'btRaycastVehicle.updateVehicle', 'step');
    this._ahead = this._aheadBy(dt);
    for (const wheel of this._wheels) this._place(wheel, false);
    const v = this._velocityOf(centreOf(this._chassis));
    const forward = this._column(this._forward);
    this._speed = 3.6 * Math.sqrt(dot(v, v)) * (dot(forward, v) < 0 ? -1 : 1);
    for (const wheel of this._wheels) this._cast(wheel);
    this.updateSuspension(dt);
    // The springs of a sleeping vehicle must not wake it.
    if (this._chassis.isActive()) {
      for (const wheel of this._wheels) {
        const force = Math.min(wheel._m_wheelsSuspensionForce, wheel._m_maxSuspensionForce);
        if (force > 0)
          this._pushAt(wheel, times(triple(wheel._m_raycastInfo._m_contactNormalWS), force * dt));
      }
      this.updateFriction(dt);
    }
    for (const wheel of this._wheels) this._roll(wheel, dt);
  }

  /**
   * m/s of a point of the chassis: the mean over the last step, which is Bullet's velocity after it. With parabolic
   * flight the engine's velocity is that at the end of the step; with it, gravity between two impulses of the springs
   * would act as damping.
   */
  private _aheadBy(dt: number): number {
    const engine = this._chassis._engine;
    if (engine === null) return 0;
    const { parabolicFlight, substeps } = this._chassis._world!._engine.settings;
    return parabolicFlight ? dt / 2 : (dt / 2) * (1 - 1 / substeps);
  }

  private _velocityOf(point: Vector): Vector {
    return plus(velocityAt(this._chassis, point), triple(this._chassis.getGravity()), -this._ahead);
  }

  private _update(wheel: btWheelInfo): void {
    wheel._update((point) => this._velocityOf(point));
  }

  private _pushAt({ _m_raycastInfo: info }: btWheelInfo, impulse: Vector): void {
    push(this._chassis, impulse, plus(triple(info._m_contactPointWS), centreOf(this._chassis), -1));
  }

  /** m along the suspension to the ground, or −1. */
  rayCast(wheel: btWheelInfo): number {
    return this._cast(ref(wheel, btWheelInfo, 'btRaycastVehicle.rayCast', 'wheel'));
  }

  private _cast(wheel: btWheelInfo): number {
    this._aim(wheel, false);
    const info = wheel._m_raycastInfo;
    const reach = wheel._m_suspensionRestLength1 + wheel._m_wheelsRadius;
    const from = triple(info._m_hardPointWS);
    const to = plus(from, triple(info._m_wheelDirectionWS), reach);
    info._m_contactPointWS.setValue(to[0]!, to[1]!, to[2]!);
    const found = this._found;
    // Its own chassis is no ground: a wheel at the very side of it would stand on that side.
    const ground = engineCall('btRaycastVehicle.rayCast', () =>
      this._raycaster._cast(from, to, found, this._chassis),
    );
    info._m_isInContact = ground !== null;
    info._m_groundObject = ground === null ? 0 : pointerOf(ground);
    if (ground !== null) {
      const travel = 0.01 * wheel._m_maxSuspensionTravelCm;
      const rest = wheel._m_suspensionRestLength1;
      const length = found._m_distFraction * reach - wheel._m_wheelsRadius;
      info._m_suspensionLength = Math.min(rest + travel, Math.max(rest - travel, length));
      info._m_contactPointWS._copy(found._m_hitPointInWorld);
      info._m_contactNormalWS._copy(found._m_hitNormalInWorld);
    }
    this._update(wheel);
    return ground === null ? -1 : reach * found._m_distFraction;
  }

  /** A spring and a damper per kg of the chassis. Nothing pulls a wheel to the ground. */
  updateSuspension(_deltaTime: number): void {
    for (const wheel of this._wheels) {
      const info = wheel._m_raycastInfo;
      const speed = wheel._m_suspensionRelativeVelocity;
      const damping = speed < 0 ? wheel._m_wheelsDampingCompression : wheel._m_wheelsDampingRelaxation;
      const squeezed = wheel._m_suspensionRestLength1 - info._m_suspensionLength;
      const spring = wheel._m_suspensionStiffness * squeezed * wheel._m_clippedInvContactDotSuspension;
      const force = (spring - damping * speed) * this._chassis._mass;
      wheel._m_wheelsSuspensionForce = info._m_isInContact ? Math.max(0, force) : 0;
    }
  }

  /** Impulses sideways and along, computed for all wheels before any is applied. */
  updateFriction(timeStep: number): void {
    const dt = number(timeStep, 'btRaycastVehicle.updateFriction', 'timeStep');
    const standing = this._wheels.filter(({ _m_raycastInfo: info }) => info._m_isInContact);
    const chassis = this._chassis;
    const gravity = triple(chassis.getGravity());
    for (const wheel of this._wheels) wheel._m_skidInfo = 1;
    const pushes = standing.map((wheel) => {
      const info = wheel._m_raycastInfo;
      const [point, normal] = [triple(info._m_contactPointWS), triple(info._m_contactNormalWS)];
      const m = wheel._m_worldTransform._basis._matrix();
      const right = [m[0]!, m[3]!, m[6]!];
      const axle = unit(plus(right, normal, -dot(right, normal)));
      const forward = unit(cross(normal, axle));
      const velocity = this._velocityOf(point);
      let side = (-SIDE_DAMPING * dot(axle, velocity)) / response(chassis, point, axle);
      let along = wheel._m_engineForce * dt;
      if (wheel._m_engineForce === 0) {
        // Includes the gravity until the next update; otherwise a braked car creeps down a hill three times as fast.
        const next = plus(velocity, gravity, dt);
        const stop = -dot(forward, next) / response(chassis, point, forward) / standing.length;
        along = Math.max(-wheel._m_brake, Math.min(wheel._m_brake, stop));
      }
      const most = wheel._m_wheelsSuspensionForce * dt * wheel._m_frictionSlip;
      const asked = Math.sqrt(square(FORWARD_SHARE * along) + square(side));
      if (asked > most) {
        wheel._m_skidInfo = most / asked;
        // As in Bullet, a wheel without sideways friction may spin freely.
        if (side !== 0) {
          along *= wheel._m_skidInfo;
          side *= wheel._m_skidInfo;
        }
      }
      return { wheel, axle, forward, side, along };
    });
    const up = this._column(this._up);
    for (const { wheel, axle, forward, side, along } of pushes) {
      if (along !== 0) this._pushAt(wheel, times(forward, along));
      if (side === 0) continue;
      const arm = plus(triple(wheel._m_raycastInfo._m_contactPointWS), centreOf(chassis), -1);
      const lifted = plus(arm, up, -dot(up, arm) * (1 - wheel._m_rollInfluence));
      push(chassis, times(axle, side), lifted);
    }
  }

  private _roll(wheel: btWheelInfo, dt: number): void {
    const info = wheel._m_raycastInfo;
    if (info._m_isInContact) {
      const normal = triple(info._m_contactNormalWS);
      const forward = this._column(this._forward);
      const along = plus(forward, normal, -dot(forward, normal));
      const speed = dot(along, this._velocityOf(triple(info._m_hardPointWS)));
      wheel._m_deltaRotation = (speed * dt) / wheel._m_wheelsRadius;
    }
    wheel._m_rotation += wheel._m_deltaRotation;
    wheel._m_deltaRotation *= SPIN_KEPT;
  }

  resetSuspension(): void {
    for (const wheel of this._wheels) {
      wheel._m_raycastInfo._m_isInContact = false;
      this._update(wheel);
    }
  }

  // --- transforms of wheels ---

  /** Column of the chassis' rotation matrix. */
  private _column(axis: number): Vector {
    const m = this._chassis._pose._fresh()._basis._matrix();
    return [m[axis]!, m[3 + axis]!, m[6 + axis]!];
  }

  updateWheelTransformsWS(wheel: btWheelInfo, interpolatedTransform = true): void {
    this._aim(
      ref(wheel, btWheelInfo, 'btRaycastVehicle.updateWheelTransformsWS', 'wheel'),
      interpolatedTransform,
    );
  }

  private _aim(wheel: btWheelInfo, interpolated: boolean): void {
    const info = wheel._m_raycastInfo;
    info._m_isInContact = false;
    let pose = this._chassis._pose._fresh();
    const state = interpolated ? this._chassis.getMotionState() : null;
    if (state) state.getWorldTransform((pose = new btTransform()));
    const m = pose._basis._matrix();
    const turn = (v: Vector) => [0, 3, 6].map((row) => dot([m[row]!, m[row + 1]!, m[row + 2]!], v));
    const put = (to: btVector3, v: Vector) => to.setValue(v[0]!, v[1]!, v[2]!);
    put(info._m_hardPointWS, plus(turn(triple(wheel._m_chassisConnectionPointCS)), triple(pose._origin)));
    put(info._m_wheelDirectionWS, turn(triple(wheel._m_wheelDirectionCS)));
    put(info._m_wheelAxleWS, turn(triple(wheel._m_wheelAxleCS)));
  }

  updateWheelTransform(wheelIndex: number, interpolatedTransform: boolean): void {
    this._place(this._wheel(wheelIndex, 'updateWheelTransform', 'wheelIndex'), flag(interpolatedTransform));
  }

  /** Steered about the suspension axis, then rotated about the axle. */
  private _place(wheel: btWheelInfo, interpolated: boolean): void {
    this._aim(wheel, interpolated);
    const info = wheel._m_raycastInfo;
    const up = times(triple(info._m_wheelDirectionWS), -1);
    const axle = triple(info._m_wheelAxleWS);
    const axes = [axle, unit(cross(up, axle)), up]; // independent of the axes of the chassis
    const { _basis, _origin } = wheel._m_worldTransform;
    const m = _basis._rows();
    for (let column = 0; column < 3; column++) {
      const v = turned(turned(axes[column]!, axle, -wheel._m_rotation), up, wheel._m_steering);
      for (let row = 0; row < 3; row++) m[3 * row + column] = v[row]!;
    }
    _basis._hasMatrix = true;
    _basis._hasQuaternion = false;
    const at = plus(triple(info._m_hardPointWS), up, -info._m_suspensionLength);
    _origin.setValue(at[0]!, at[1]!, at[2]!);
  }

  getWheelTransformWS(wheelIndex: number): btTransform {
    return this._wheel(wheelIndex, 'getWheelTransformWS', 'wheelIndex')._m_worldTransform;
  }

  getChassisWorldTransform(): btTransform {
    return this._chassis._pose;
  }

  getForwardVector(): btVector3 {
    const [x, y, z] = this._column(this._forward) as [number, number, number];
    return forwardSlot._set(x, y, z, 0);
  }

  // --- driving ---

  private _wheel(at: number, method: string, argument = 'wheel'): btWheelInfo {
    return this._wheels[index(at, this._wheels.length, `btRaycastVehicle.${method}`, argument)]!;
  }

  applyEngineForce(force: number, wheel: number): void {
    this._wheel(wheel, 'applyEngineForce')._m_engineForce = number(
      force,
      'btRaycastVehicle.applyEngineForce',
      'force',
    );
  }

  setSteeringValue(steering: number, wheel: number): void {
    this._wheel(wheel, 'setSteeringValue')._m_steering = number(
      steering,
      'btRaycastVehicle.setSteeringValue',
      'steering',
    );
  }

  getSteeringValue(wheel: number): number {
    return this._wheel(wheel, 'getSteeringValue')._m_steering;
  }

  setBrake(brake: number, wheelIndex: number): void {
    this._wheel(wheelIndex, 'setBrake', 'wheelIndex')._m_brake = number(
      brake,
      'btRaycastVehicle.setBrake',
      'brake',
    );
  }

  getNumWheels(): number {
    return this._wheels.length;
  }

  getWheelInfo(at: number): btWheelInfo {
    return this._wheel(at, 'getWheelInfo', 'index');
  }

  getRigidBody(): btRigidBody {
    return this._chassis;
  }

  /** Negative when driving backwards. */
  getCurrentSpeedKmHour(): number {
    return Math.fround(this._speed);
  }

  /** Indices, 0 to 2, of the chassis' axes that point right, up and forward. */
  setCoordinateSystem(rightIndex: number, upIndex: number, forwardIndex: number): void {
    const where = 'btRaycastVehicle.setCoordinateSystem';
    const axes = [rightIndex, upIndex, forwardIndex].map((axis) => index(axis, 3, where));
    [this._right, this._up, this._forward] = axes as [number, number, number];
  }

  getRightAxis(): number {
    return this._right;
  }

  getUpAxis(): number {
    return this._up;
  }

  getForwardAxis(): number {
    return this._forward;
  }

  /** No effect, as in Bullet. */
  setPitchControl(pitch: number): void {
    number(pitch, 'btRaycastVehicle.setPitchControl', 'pitch');
  }

  getUserConstraintType(): number {
    return this._constraintType;
  }

  setUserConstraintType(userConstraintType: number): void {
    this._constraintType = integer(userConstraintType, 'btRaycastVehicle.setUserConstraintType', 'type');
  }

  getUserConstraintId(): number {
    return this._constraintId;
  }

  setUserConstraintId(uid: number): void {
    this._constraintId = integer(uid, 'btRaycastVehicle.setUserConstraintId', 'uid');
  }
}

const forwardSlot = slot(new btVector3(0, 0, 0));
