// Constraints of a file. In: a chunk CONS and the bodies. Out: options of joints. Bullet's hinge turns about z of its frames, its
// angles are those of A against B, and the angles of its six-axis constraints are those of the inverse rotation: see docs/joints.md.
import type { BodyOptions, JointAxisOptions, JointOptions } from 'ricochet';
import { type BulletRecord, chunkName } from './chunks';
import { CONSTRAINT, ORDERS } from './numbers';
import { placeOf } from './readShapes';
import { type Place, product, type Quat, seenFrom, type Vec3 } from './transforms';

type Axes = Record<string, JointAxisOptions>;

const FREE: JointAxisOptions = { low: 1, high: -1 };
const LOCKED: JointAxisOptions = { low: 0, high: 0 };
/** Limits beyond it are none: m or rad. */
const FAR = 1e6;
const MOST_FORCE = 1e15;
/** The same axes with Bullet's z as the main axis x. */
export const Z_TO_X: Quat = [-0.5, -0.5, -0.5, 0.5];
const AXIS_NAMES = ['x', 'y', 'z', 'angleX', 'angleY', 'angleZ'] as const;

/** What of a joint the bodies it connects decide. */
export interface JointEnds {
  /** Options of the bodies; undefined: the world. */
  readonly a: BodyOptions | undefined;
  readonly b: BodyOptions | undefined;
  /** s: impulses of a step are forces times this. */
  readonly timeStep: number;
  readonly version: number;
}

/** A range; a low limit above the high one, or limits far beyond everything, leave the axis free. */
export function rangeOf(low: number, high: number): JointAxisOptions {
  if (!(low <= high) || (low <= -FAR && high >= FAR)) return FREE;
  return { low: Math.max(-FAR, Math.min(FAR, low)), high: Math.max(-FAR, Math.min(FAR, high)) };
}

const mirrored = (low: number, high: number) => rangeOf(-high, -low);
const turnRange = (low: number, high: number) => (high - low >= 2 * Math.PI ? FREE : rangeOf(low, high));
const force = (value: number) => Math.min(MOST_FORCE, Math.max(0, value));

const frameOf = ({ position, rotation }: Place) => ({ position, rotation });
/** 2⁴⁸ */
const FINEST = 0x1_0000_0000_0000;
/** Parts near 0 come out of the turn as noise: rounded to 2⁻⁴⁸, they come back from a file as they were. */
const hingeFrame = ({ position, rotation }: Place) => ({
  position,
  rotation: product(rotation, Z_TO_X).map((part) => Math.round(part * FINEST) / FINEST + 0),
});

/** The part that all constraints have. */
export function commonOf(record: BulletRecord): BulletRecord {
  let inner = record;
  for (const name of ['m_6dofData', 'm_typeConstraintData']) if (inner.has(name)) inner = inner.struct(name);
  return inner;
}

/**
 * @returns undefined for a type that is not known; a warning says so
 * @throws PhysicsError 'damaged-file' that names the chunk
 */
export function readJoint(
  record: BulletRecord,
  ends: JointEnds,
  warnings: Set<string>,
): JointOptions | undefined {
  const common = commonOf(record);
  const type = common.number('m_objectType');
  const options = typed(record, type, ends);
  if (options === undefined) {
    warnings.add(`${chunkName(record.chunk)}: a constraint of type ${type} is left out`);
    return undefined;
  }
  const breaking = ends.version >= 280 ? common.number('m_breakingImpulseThreshold', 0) : 0;
  return {
    ...options,
    collideConnected: common.number('m_disableCollisionsBetweenLinkedBodies', 0) === 0,
    enabled: ends.version < 280 || common.number('m_isEnabled', 1) !== 0,
    // To Bullet 0 breaks at a touch, and infinity never.
    ...(breaking >= 0 && breaking < MOST_FORCE && ends.version >= 280
      ? { breakingImpulse: Math.max(breaking, 1e-12) }
      : {}),
  };
}

function typed(record: BulletRecord, type: number, ends: JointEnds): JointOptions | undefined {
  switch (type) {
    case CONSTRAINT.point:
      return {
        type: 'point',
        frameA: { position: record.vector('m_pivotInA') },
        frameB: { position: record.vector('m_pivotInB') },
      };
    case CONSTRAINT.hinge:
      return hinge(record, ends.timeStep);
    case CONSTRAINT.slider:
      return slider(record);
    case CONSTRAINT.coneTwist:
      return coneTwist(record);
    case CONSTRAINT.gear:
      return gear(record);
    case CONSTRAINT.fixed:
      return record.has('m_rbAFrame') ? sixDof2(record) : fixedHere(ends);
    case CONSTRAINT.sixDof:
      return sixDof(record, record, ends);
    case CONSTRAINT.sixDofSpring:
      return sixDof(record.struct('m_6dofData'), record, ends);
    case CONSTRAINT.sixDofSpring2:
      return sixDof2(record);
  }
  return undefined;
}

function hinge(record: BulletRecord, timeStep: number): JointOptions {
  const direct = record.number('m_useReferenceFrameA') !== 0;
  const [low, high] = [record.number('m_lowerLimit'), record.number('m_upperLimit')];
  const velocity = record.finite('m_motorTargetVelocity');
  const angle: JointAxisOptions = {
    ...(direct ? rangeOf(low, high) : mirrored(low, high)),
    ...(record.number('m_enableAngularMotor') !== 0 && {
      motor: {
        velocity: direct ? velocity : -velocity,
        maxForce: force(record.number('m_maxMotorImpulse') / timeStep),
      },
    }),
  };
  const frames = {
    frameA: hingeFrame(placeOf(record, 'm_rbAFrame')),
    frameB: hingeFrame(placeOf(record, 'm_rbBFrame')),
  };
  if (record.number('m_angularOnly', 0) === 0) return { type: 'hinge', angle, ...frames };
  return {
    type: 'generic',
    ...{ x: FREE, y: FREE, z: FREE, angleX: angle, angleY: LOCKED, angleZ: LOCKED },
    ...frames,
  };
}

const isDirect = (record: BulletRecord) => record.number('m_useLinearReferenceFrameA') !== 0;

/** Whether Bullet's A is B of the joint: of a slider whose rail is B's. */
export function isSwapped(record: BulletRecord): boolean {
  return commonOf(record).number('m_objectType') === CONSTRAINT.slider && !isDirect(record);
}

function slider(record: BulletRecord): JointOptions {
  const frameA = frameOf(placeOf(record, 'm_rbAFrame'));
  const frameB = frameOf(placeOf(record, 'm_rbBFrame'));
  const position = rangeOf(record.number('m_linearLowerLimit'), record.number('m_linearUpperLimit'));
  const [low, high] = [record.number('m_angularLowerLimit'), record.number('m_angularUpperLimit')];
  if (isDirect(record)) return { type: 'slider', position, angle: turnRange(low, high), frameA, frameB };
  // The rail is Bullet's B, which is A of the joint: see isSwapped. Bullet's angle stays that of B against A.
  return { type: 'slider', position, angle: turnRange(-high, -low), frameA: frameB, frameB: frameA };
}

function coneTwist(record: BulletRecord): JointOptions {
  const span = (name: string) => Math.min(Math.PI, Math.abs(record.number(name)));
  const twist = Math.abs(record.number('m_twistSpan'));
  return {
    type: 'coneTwist',
    twist: twist < Math.PI ? { low: -twist, high: twist } : FREE,
    swingY: span('m_swingSpan2'),
    swingZ: span('m_swingSpan1'),
    frameA: frameOf(placeOf(record, 'm_rbAFrame')),
    frameB: frameOf(placeOf(record, 'm_rbBFrame')),
  };
}

function gear(record: BulletRecord): JointOptions {
  const axis = (name: string): Vec3 => {
    const v = record.vector(name);
    if (!(Math.sqrt(v.reduce((sum, part) => sum + part * part, 0)) > 1e-6))
      throw record.fault(`${name} must not be 0`);
    return v;
  };
  const ratio = record.finite('m_ratio');
  if (Math.abs(ratio) < 1e-12) throw record.fault('m_ratio must not be 0');
  return { type: 'gear', ratio, frameA: { axis: axis('m_axisInA') }, frameB: { axis: axis('m_axisInB') } };
}

/** As Bullet's importer: without frames it holds the bodies as they are, half-way between them. */
function fixedHere({ a, b }: JointEnds): JointOptions {
  const [placeA, placeB] = [a, b].map(
    (body): Place => ({
      position: (body?.position ?? [0, 0, 0]) as Vec3,
      rotation: (body?.rotation ?? [0, 0, 0, 1]) as Quat,
    }),
  ) as [Place, Place];
  const middle = placeA.position.map((part, i) => (part + placeB.position[i]!) / 2) as Vec3;
  const shared: Place = { position: middle, rotation: [0, 0, 0, 1] };
  return {
    type: 'fixed',
    frameA: frameOf(seenFrom(placeA, shared)),
    frameB: frameOf(seenFrom(placeB, shared)),
  };
}

function sixDof(dof: BulletRecord, record: BulletRecord, { a, b, version }: JointEnds): JointOptions {
  const [low, high] = limitsOf(dof);
  const springs = record.has('m_springEnabled') && version > 280;
  const list = (name: string) => (springs ? record.numbers(name, 6) : [0, 0, 0, 0, 0, 0]);
  const [enabled, rest] = [list('m_springEnabled'), list('m_equilibriumPoint')];
  const [stiffness, share] = [list('m_springStiffness'), list('m_springDamping')];
  const axes: Axes = {};
  for (const [i, name] of AXIS_NAMES.entries()) {
    axes[name] = i < 3 ? rangeOf(low[i]!, high[i]!) : turnRange(-high[i]!, -low[i]!);
    const k = Math.min(MOST_FORCE, stiffness[i]!);
    if (enabled[i] === 0 || !(k > 0)) continue;
    // Bullet's damping is the share of the motion that a step leaves: 1 is none. Critical damping is taken for 0.
    const damping = (1 - Math.min(1, Math.max(0, share[i]!))) * 2 * Math.sqrt(k * inertiaOf(i, a, b));
    axes[name] = {
      ...axes[name],
      spring: { stiffness: k, damping, target: clampAngle(i < 3 ? rest[i]! : -rest[i]!) },
    };
  }
  return {
    type: 'generic',
    order: 'zyx',
    ...axes,
    frameA: frameOf(placeOf(dof, 'm_rbAFrame')),
    frameB: frameOf(placeOf(dof, 'm_rbBFrame')),
  };
}

const clampAngle = (value: number) => Math.max(-FAR, Math.min(FAR, value));

/** kg or kg·m² of the lighter body. */
function inertiaOf(axis: number, a: BodyOptions | undefined, b: BodyOptions | undefined): number {
  const least = [a, b].map((body) => {
    if (body?.type !== 'dynamic') return Infinity;
    return axis < 3 ? (body.mass ?? 1) : Math.max(...((body.inertia as Vec3 | undefined) ?? [1]));
  });
  const smaller = Math.min(...least);
  return Number.isFinite(smaller) && smaller > 0 ? smaller : 1;
}

function limitsOf(dof: BulletRecord): [number[], number[]] {
  const six = (linear: string, angular: string) => [
    ...dof.struct(linear).numbers('m_floats', 3),
    ...dof.struct(angular).numbers('m_floats', 3),
  ];
  return [six('m_linearLowerLimit', 'm_angularLowerLimit'), six('m_linearUpperLimit', 'm_angularUpperLimit')];
}

function sixDof2(record: BulletRecord): JointOptions {
  const [low, high] = limitsOf(record);
  const order = ORDERS[record.number('m_rotateOrder')];
  if (order === undefined)
    throw record.fault(`m_rotateOrder must be 0 to 5, got ${record.number('m_rotateOrder')}`);
  const axes: Axes = {};
  for (const [i, name] of AXIS_NAMES.entries()) {
    const limits = i < 3 ? rangeOf(low[i]!, high[i]!) : turnRange(-high[i]!, -low[i]!);
    axes[name] = { ...limits, ...drive(record, i), ...stop(record, i) };
  }
  const frames = {
    frameA: frameOf(placeOf(record, 'm_rbAFrame')),
    frameB: frameOf(placeOf(record, 'm_rbBFrame')),
  };
  const isFixed = AXIS_NAMES.every((name) => {
    const { low: from, high: to, ...rest } = axes[name]!;
    return from === 0 && to === 0 && Object.keys(rest).length === 0;
  });
  if (isFixed) return { type: 'fixed', ...frames };
  return { type: 'generic', order: [...order].reverse().join('') as typeof order, ...axes, ...frames };
}

/** Motor, servo and spring of an axis: Bullet's velocities are those of A against B, and so are its angles. */
function drive(record: BulletRecord, axis: number): JointAxisOptions {
  const kind = axis < 3 ? 'm_linear' : 'm_angular';
  const i = axis % 3;
  const part = (name: string) => record.struct(`${kind}${name}`).numbers('m_floats', 3)[i]!;
  const flag = (name: string) => record.numbers(`${kind}${name}`, 3)[i] !== 0;
  const place = (value: number) => clampAngle(axis < 3 ? value : -value);
  const out: JointAxisOptions = {};
  const velocity = part('TargetVelocity');
  const maxForce = force(part('MaxMotorForce'));
  if (flag('EnableMotor'))
    if (flag('ServoMotor'))
      out.servo = {
        target: place(part('ServoTarget')),
        maxVelocity: Math.min(FAR, Math.abs(velocity)),
        maxForce,
      };
    else out.motor = { velocity: clampAngle(0 - velocity), maxForce };
  const stiffness = part('SpringStiffness');
  if (flag('EnableSpring') && stiffness > 0)
    out.spring = {
      stiffness: force(stiffness),
      damping: force(part('SpringDamping')),
      target: place(part('EquilibriumPoint')),
    };
  return out;
}

/** Softness of a limit, where it is not what Bullet begins with. */
function stop(record: BulletRecord, axis: number): JointAxisOptions {
  const kind = axis < 3 ? 'm_linear' : 'm_angular';
  const part = (name: string) => record.struct(`${kind}${name}`).numbers('m_floats', 3)[axis % 3]!;
  const share = (value: number) => Math.max(0, Math.min(1, value));
  const [erp, cfm, bounce] = [share(part('StopERP')), force(part('StopCFM')), share(part('Bounce'))];
  if (Math.fround(erp) === Math.fround(0.2) && cfm === 0 && bounce === 0) return {};
  return { stop: { erp: cfm > 0 ? Math.max(1e-3, erp) : erp, cfm, bounce } };
}
