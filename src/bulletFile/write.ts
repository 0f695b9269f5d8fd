// A world as a .bullet file. In: a World. Out: bytes that readBulletFile and Bullet's importer read. A body of Bullet's stands at its
// centre of mass and along its principal axes; shapes and joints are placed in that frame.
import type { Joint, RigidBody, World } from 'ricochet';
import { ACTIVATION, IS_KINEMATIC, IS_STATIC, NO_CONTACT_RESPONSE, WORLD_NAME } from './numbers';
import { structName } from './schema';
import { type Fields, Sink } from './sink';
import { ORIGIN, type Place, type Quat, rowsOf, seenFrom, type Vec3, within } from './transforms';
import { type JointSide, JointWriter } from './writeJoints';
import { ShapeWriter } from './writeShapes';

/** btCollisionObject::CO_RIGID_BODY. */
const RIGID_BODY = 2;
/** Bullet's defaults of what this engine has no setting for (btContactSolverInfo.h). */
const SOLVER: readonly (readonly [string, number])[] = [
  ['m_tau', 0.6],
  ['m_damping', 1],
  ['m_friction', 0.3],
  ['m_timeStep', 1 / 60],
  ['m_maxErrorReduction', 20],
  ['m_sor', 1],
  ['m_erp', 0.2],
  ['m_splitImpulsePenetrationThreshold', -0.04],
  ['m_splitImpulseTurnErp', 0.1],
  ['m_articulatedWarmstartingFactor', 1],
  ['m_maxGyroscopicForce', 100],
  ['m_singleAxisRollingFrictionThreshold', 1e30],
  ['m_solverMode', 260],
  ['m_restingContactRestitutionThreshold', 2],
  ['m_minimumSolverBatchSize', 128],
  ['m_splitImpulse', 1],
];

/** How a file is written. */
export interface BulletWriteOptions {
  /** Numbers of 64 bits, which keep every bit of a pose, or of 32. Bullet's importer reads both. Default 'double'. */
  precision?: 'double' | 'single';
  /** Names of bodies. Default none. */
  nameOf?: (body: RigidBody) => string;
}

/** A file, and what it does not hold. */
export interface WrittenBulletFile {
  /** Version 3.26, 64 bits, little endian. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What was approximated or left out. */
  readonly warnings: readonly string[];
}

/**
 * Writes the bodies and joints of a world as a .bullet file.
 *
 * @throws PhysicsError as the getters of a world, of one that is disposed
 */
export function writeBulletFile(
  world: World,
  { precision = 'double', nameOf = () => '' }: BulletWriteOptions = {},
): WrittenBulletFile {
  const warnings = new Set<string>();
  const bytes = new Writer(world, precision !== 'single', warnings).write(nameOf);
  return { bytes, warnings: [...warnings] };
}

class Writer {
  private readonly sink: Sink;
  private readonly shapes: ShapeWriter;
  private readonly numbers = new Map<number, number>();
  private anchor = 0;

  constructor(
    private readonly world: World,
    private readonly isDouble: boolean,
    private readonly warnings: Set<string>,
  ) {
    this.sink = new Sink(isDouble);
    this.shapes = new ShapeWriter(this.sink, warnings);
  }

  write(nameOf: (body: RigidBody) => string): Uint8Array<ArrayBuffer> {
    this.settings();
    for (const body of this.world.bodies()) this.numbers.set(body.id, this.body(body, nameOf(body)));
    const joints = new JointWriter(this.sink, this.isDouble, this.warnings);
    for (const joint of this.world.joints()) this.joint(joint, joints);
    return this.sink.finish();
  }

  private struct(kind: string): string {
    return structName(kind, this.isDouble);
  }

  private settings(): void {
    const { iterations, warmstartingFactor, contactErp, contactCfm, contactSlop, substeps } =
      this.world.settings;
    if (substeps !== 1) this.warnings.add("settings of the step that are not Bullet's are left out");
    this.sink.chunk('DWLD', this.struct('btDynamicsWorld@'), 1, (fields) => {
      const info = fields.inside('m_solverInfo');
      for (const [name, value] of SOLVER) info.set(name, value);
      info.set('m_numIterations', iterations).set('m_warmstartingFactor', warmstartingFactor);
      info.set('m_erp2', contactErp).set('m_globalCfm', contactCfm).set('m_linearSlop', contactSlop);
      fields.vector('m_gravity', this.world.getGravity());
    });
  }

  private body(body: RigidBody, name: string): number {
    const frame = frameOf(body);
    const shape = this.shapes.write(body, frame);
    const place = within({ position: body.getPosition(), rotation: body.getRotation() }, frame);
    const text = this.sink.text(name);
    return this.sink.chunk('RBDY', this.struct('btRigidBody@'), 1, (fields) => {
      const object = fields.inside('m_collisionObjectData');
      object.pointer('m_collisionShape', shape).pointer('m_rootCollisionShape', 0).pointer('m_name', text);
      this.object(object, body, place);
      this.motion(fields, body, place);
    });
  }

  private object(object: Fields, body: RigidBody, place: Place): void {
    const infos = body.shapes.map((id) => body.getShape(id));
    const [first] = infos;
    const { friction, restitution, rollingFriction } = first?.material ?? {
      friction: 0.5,
      restitution: 0,
      rollingFriction: 0,
    };
    for (const { material, sensor, ...traits } of infos) {
      if (
        material.friction !== friction ||
        material.restitution !== restitution ||
        material.rollingFriction !== rollingFriction
      )
        this.warnings.add('all shapes of a body have the surface of its first one');
      if (material.spinningFriction !== 0) this.warnings.add('spinning friction is left out');
      if (sensor !== first!.sensor) this.warnings.add('all shapes of a body are sensors if its first one is');
      if (['group', 'mask', 'surfaceVelocity', 'oneWay', 'area'].some((key) => key in traits))
        this.warnings.add('filters, surface velocities and areas of single shapes are left out');
    }
    const kind = body.type === 'static' ? IS_STATIC : body.type === 'kinematic' ? IS_KINEMATIC : 0;
    const state = body.type === 'static' ? 'sleeping' : body.getActivationState();
    object.transform('m_worldTransform', place).transform('m_interpolationWorldTransform', place);
    object.vector('m_anisotropicFriction', [1, 1, 1]).set('m_contactProcessingThreshold', 1e18);
    object
      .set('m_friction', friction)
      .set('m_restitution', restitution)
      .set('m_rollingFriction', rollingFriction);
    object.set('m_contactDamping', 0.1).set('m_contactStiffness', 1e18).set('m_hitFraction', 1);
    object.set('m_ccdSweptSphereRadius', body.getCcdSweptSphereRadius());
    object.set('m_ccdMotionThreshold', body.getCcdMotionThreshold());
    object.set('m_collisionFlags', kind | (first?.sensor ? NO_CONTACT_RESPONSE : 0));
    object
      .set('m_islandTag1', -1)
      .set('m_companionId', -1)
      .set('m_internalType', RIGID_BODY)
      .set('m_uniqueId', -1);
    object.set('m_activationState1', ACTIVATION.indexOf(state));
    // Both 0 would be an object that was in no world, which meets everything: in any group it meets nothing by its mask.
    const group = body.mask === 0 ? body.group || 1 : body.group;
    object.set('m_collisionFilterGroup', group).set('m_collisionFilterMask', body.mask);
  }

  private motion(fields: Fields, body: RigidBody, { rotation }: Place): void {
    const inverse = body.type === 'dynamic' ? 1 / body.mass : 0;
    const moments =
      body.type === 'dynamic' ? body.getLocalInertia().map((m) => (m > 0 ? 1 / m : 0)) : [0, 0, 0];
    const rows = rowsOf(rotation);
    for (let i = 0; i < 3; i++) {
      const row = [0, 1, 2].map((k) =>
        moments.reduce((sum, m, j) => sum + rows[i]![j]! * m * rows[k]![j]!, 0),
      );
      fields
        .inside('m_invInertiaTensorWorld')
        .inside('m_el', i)
        .set('m_floats', ...row);
    }
    const scale = body.getGravityScale();
    const gravity = this.world.getGravity().map((part) => (scale === 1 ? part : scale * part)) as Vec3;
    fields
      .vector('m_linearVelocity', body.getLinearVelocity())
      .vector('m_angularVelocity', body.getAngularVelocity());
    fields
      .vector('m_linearFactor', body.getLinearFactor())
      .vector('m_angularFactor', body.getAngularFactor());
    if (inverse > 0) {
      fields.vector('m_gravity_acceleration', gravity);
      fields.vector(
        'm_gravity',
        gravity.map((part) => part * body.mass),
      );
    }
    fields.vector('m_invInertiaLocal', moments).set('m_inverseMass', inverse);
    fields.set('m_linearDamping', body.getLinearDamping()).set('m_angularDamping', body.getAngularDamping());
    fields.set('m_linearSleepingThreshold', body.getLinearSleepingThreshold());
    fields.set('m_angularSleepingThreshold', body.getAngularSleepingThreshold());
    fields.set('m_additionalDampingFactor', 0.005).set('m_additionalAngularDampingFactor', 0.01);
    fields.set('m_additionalLinearDampingThresholdSqr', 0.01);
    fields.set('m_additionalAngularDampingThresholdSqr', 0.01);
  }

  /** What joints to the world hang on: constraints of Bullet's files need two bodies. */
  private worldBody(): number {
    if (this.anchor !== 0) return this.anchor;
    const shape = this.shapes.nothing();
    const text = this.sink.text(WORLD_NAME);
    this.anchor = this.sink.chunk('RBDY', this.struct('btRigidBody@'), 1, (fields) => {
      const object = fields.inside('m_collisionObjectData');
      object.pointer('m_collisionShape', shape).pointer('m_name', text);
      object.transform('m_worldTransform', ORIGIN).transform('m_interpolationWorldTransform', ORIGIN);
      object.set('m_collisionFlags', IS_STATIC | NO_CONTACT_RESPONSE).set('m_internalType', RIGID_BODY);
      object.set('m_activationState1', ACTIVATION.indexOf('sleeping')).set('m_hitFraction', 1);
      object.vector('m_anisotropicFriction', [1, 1, 1]).set('m_friction', 0.5);
      fields.vector('m_linearFactor', [1, 1, 1]).vector('m_angularFactor', [1, 1, 1]);
    });
    return this.anchor;
  }

  private joint(joint: Joint, writer: JointWriter): void {
    const options = joint.getOptions();
    const bodies = [joint.bodyA, joint.bodyB];
    const [a, b] = bodies.map((body, i): JointSide => {
      const own = (i === 0 ? options.frameA : options.frameB) ?? {};
      const place = {
        position: (own.position ?? [0, 0, 0]) as Vec3,
        rotation: (own.rotation ?? [0, 0, 0, 1]) as Quat,
      };
      return body === null
        ? { number: this.worldBody(), frame: place }
        : { number: this.numbers.get(body.id)!, frame: seenFrom(frameOf(body), place) };
    }) as [JointSide, JointSide];
    const moving = bodies.filter((body) => body?.type === 'dynamic') as RigidBody[];
    writer.write({
      options,
      isEnabled: joint.isEnabled,
      ...{ a, b, name: '' },
      mass: Math.min(...moving.map((body) => body.mass)),
      moment: Math.min(...moving.map((body) => Math.max(...body.getLocalInertia()) || 1)),
    });
  }
}

/** Of a body in the file, in its own frame. */
function frameOf(body: RigidBody): Place {
  return { position: body.getLocalCenterOfMass(), rotation: body.getInertiaOrientation() };
}
