// Options of joints → the fields of CREATE_JOINT and SET_JOINT_AXIS. In: JointOptions. Out: a draft in which everything
// is checked, so that creating a joint cannot fail half-way.

import type { BodyId, JointId } from '../base/ids';
import { MAX_FORCE, MAX_SETTING, MAX_VELOCITY } from '../base/limits';
import { IDENTITY, type Quat, quatFromTo, quatMultiply, rotate, type Vec3, ZERO } from '../base/math';
import {
  COORDINATE,
  checkBoolean,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  optionsIn,
  quatOf,
  SIGNED,
  vec3Of,
} from '../base/validate';
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  AXIS_SPRING,
  AXIS_STIFFNESS,
  AXIS_STOP,
  JOINT_AT_MIDDLE,
  JOINT_AXIS_COUNT,
  JOINT_COLLIDE,
  JOINT_ENABLED,
  JOINT_PLACE_BY_A,
  JOINT_PLACE_BY_B,
  JOINT_TURN_BY_A,
  JOINT_TURN_BY_B,
  JOINT_WORLD_FRAMES,
} from '../core/memory/constants';
import type { JointAxisName, JointAxisOptions, JointFrame, JointOptions, JointType } from '../types';
import { JOINT_TABLE, JOINT_TYPES } from './jointTypes';

/** An axis as the core has it, in the order of SET_JOINT_AXIS from `flags` on. */
export type AxisRecord = readonly [
  flags: number,
  low: number,
  high: number,
  motorVelocity: number,
  maxMotorForce: number,
  servoTarget: number,
  springRate: number,
  springDamping: number,
  springTarget: number,
  maxSpringForce: number,
  stopErp: number,
  stopCfm: number,
  bounce: number,
];
export const AXIS_FIELDS = 13;
export const FREE_AXIS: AxisRecord = [0, 1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/** The axes of a joint with other targets of the servos about x, y, z. */
export const aimed = (axes: readonly AxisRecord[], targets: ArrayLike<number>): AxisRecord[] =>
  axes.map((axis, k) =>
    k < 3
      ? axis
      : ([...axis.slice(0, 5), Math.fround(targets[k - 3]!), ...axis.slice(6)] as unknown as AxisRecord),
  );
const LOCKED_AXIS: AxisRecord = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** What every side of a world knows of a joint. */
export interface JointRecord {
  id: JointId;
  /** JOINT_* of the core. */
  type: number;
  bodyA: BodyId;
  /** 0: the world; one of the two at most. */
  bodyB: BodyId;
  collide: boolean;
  userIndex: number;
  /** By axis; free ones are FREE_AXIS. */
  axes: AxisRecord[];
  /** Place of the anchor in B's frame; of a mouse joint, which needs it to change its target. */
  positionB: Vec3;
}

export interface JointDraft {
  record: JointRecord;
  /** Fields of CREATE_JOINT; joint and body slots still 0. */
  values: number[];
}

const COMMON = [
  ...['type', 'bodyA', 'bodyB', 'anchor', 'axis', 'frameA', 'frameB', 'collideConnected', 'enabled'],
  ...[
    'breakingImpulse',
    'breakingAngularImpulse',
    'hertz',
    'dampingRatio',
    'erp',
    'cfm',
    'maxForce',
    'maxTorque',
  ],
  'userIndex',
];
const FORCE = NON_NEGATIVE(MAX_FORCE);
const SHARE = { min: 0, max: 1 };
const SETTING = NON_NEGATIVE(MAX_SETTING);
export function checkErp(erp: unknown): number {
  const share = checkNumber(erp, 'erp', SHARE);
  if (share === 0) throw invalid('erp', 'must be > 0', 0);
  return share;
}

/** Checks everything but the bodies. */
export function draftJoint(options: JointOptions): JointDraft {
  const type = checkOneOf((options as { type?: unknown } | null)?.type, 'type', JOINT_TYPES);
  const entry = JOINT_TABLE[type];
  const own = [...Object.keys(entry.axes), ...(entry.own ?? [])];
  const given = checkOptions(options, 'options', [...COMMON, ...own]) as unknown as JointOptions;
  given.type = type; // a getter may have said another one since
  const number = (name: 'breakingImpulse' | 'breakingAngularImpulse' | 'maxForce' | 'maxTorque') =>
    given[name] === undefined ? 0 : checkNumber(given[name], name, FORCE);
  let hertz = given.hertz === undefined ? (entry.hertz ?? 0) : checkNumber(given.hertz, 'hertz', SETTING);
  if (entry.hertz !== undefined && hertz === 0) throw invalid('hertz', `must be > 0 for a ${type} joint`, 0);
  let dampingRatio =
    given.dampingRatio === undefined ? 1 : checkNumber(given.dampingRatio, 'dampingRatio', SETTING);
  if (given.erp !== undefined) {
    if (given.hertz !== undefined) throw invalid('erp', 'must be absent if hertz is given', given.erp);
    hertz = -checkErp(given.erp);
    dampingRatio = checkNumber(given.cfm ?? 0, 'cfm', SETTING);
  } else if (given.cfm !== undefined) throw invalid('erp', 'must be given together with cfm', undefined);
  const option = optionsIn(given);
  const collide = option('collideConnected', false, checkBoolean);
  const enabled = option('enabled', true, checkBoolean);
  const userIndex = option('userIndex', 0, checkWord);
  const frames = resolveFrames(type, given);
  const axes = resolveAxes(type, given as unknown as Record<string, unknown>);
  const flags = (enabled ? JOINT_ENABLED : 0) | (collide ? JOINT_COLLIDE : 0) | frames.placing;
  const code = JOINT_TYPES.indexOf(type);
  const draft: JointDraft = {
    record: {
      id: 0,
      type: code,
      bodyA: 0,
      bodyB: 0,
      collide,
      userIndex,
      axes,
      positionB: frames.positionB.map(Math.fround) as Vec3,
    },
    values: [
      ...[0, 0, code, flags, 0, 0],
      ...frames.positionA,
      ...frames.rotationA,
      ...frames.positionB,
      ...frames.rotationB,
      number('breakingImpulse'),
      number('breakingAngularImpulse'),
      hertz,
      dampingRatio,
      number('maxForce'),
      number('maxTorque'),
      userIndex,
      0,
    ],
  };
  entry.draft?.(given as never, draft);
  return draft;
}

interface Frames {
  positionA: Vec3;
  rotationA: Quat;
  positionB: Vec3;
  rotationB: Quat;
  /** JOINT_WORLD_FRAMES and its like: what the core takes from where the bodies are. */
  placing: number;
}

function resolveFrames(type: JointType, given: JointOptions): Frames {
  if (given.type === 'mouse') {
    const positionB = given.frameB === undefined ? ZERO : resolveFrame(given.frameB, 'frameB').position;
    for (const name of ['anchor', 'axis', 'frameA', 'bodyA'] as const)
      if (given[name] !== undefined) throw invalid(name, 'is not an option of a mouse joint', given[name]);
    const positionA = vec3Of(given.target, 'target', COORDINATE);
    return { positionA, rotationA: IDENTITY, positionB, rotationB: IDENTITY, placing: 0 };
  }
  const ownAnchors = JOINT_TABLE[type].anchors === 'apart';
  if (given.anchor !== undefined) {
    if (ownAnchors)
      throw invalid(
        'anchor',
        `must be absent: a ${type} joint has two anchors, frameA and frameB`,
        given.anchor,
      );
    if (given.frameA !== undefined || given.frameB !== undefined)
      throw invalid('anchor', 'must be absent if frameA or frameB is given', given.anchor);
    const positionA = vec3Of(given.anchor, 'anchor', COORDINATE);
    return { ...inWorldAxes(given), positionA, placing: JOINT_WORLD_FRAMES };
  }
  if (given.frameA === undefined && given.frameB === undefined && !ownAnchors)
    return { ...inWorldAxes(given), placing: JOINT_WORLD_FRAMES | JOINT_AT_MIDDLE };
  for (const name of ['axis', 'axis2'] as const) {
    const value = (given as { axis2?: unknown } & JointOptions)[name];
    if (value !== undefined)
      throw invalid(
        name,
        ownAnchors ? `is not an option of a ${type} joint` : 'must be absent if frameA or frameB is given',
        value,
      );
  }
  const a = resolveFrame(given.frameA ?? {}, 'frameA');
  const b = resolveFrame(given.frameB ?? {}, 'frameB');
  return {
    positionA: a.position,
    rotationA: a.rotation,
    positionB: b.position,
    rotationB: b.rotation,
    placing:
      ownAnchors || JOINT_TABLE[type].placed ? 0 : placingOf(type, given.frameA ?? {}, given.frameB ?? {}),
  };
}

/** The main axes as `axis` and `axis2` say; place and flags are the caller's. */
function inWorldAxes(given: JointOptions): Frames {
  const rotationA =
    given.type === 'universal' || given.type === 'hinge2'
      ? alongTwo(given.axis ?? [1, 0, 0], given.axis2, given.type === 'universal')
      : given.axis === undefined
        ? IDENTITY
        : alongAxis(given.axis, 'axis');
  return { positionA: ZERO, rotationA, positionB: ZERO, rotationB: IDENTITY, placing: 0 };
}

/** What two frames leave out follows from the bodies: one that lacks its place or its axes takes those of the other. */
function placingOf(type: JointType, a: JointFrame, b: JointFrame): number {
  const turned = ({ rotation, axis }: JointFrame) => rotation !== undefined || axis !== undefined;
  let placing = 0;
  if (JOINT_TABLE[type].anchors === 'none') placing = 0;
  else if (a.position === undefined) placing |= b.position === undefined ? JOINT_AT_MIDDLE : JOINT_PLACE_BY_B;
  else if (b.position === undefined) placing |= JOINT_PLACE_BY_A;
  if (!turned(b)) placing |= JOINT_TURN_BY_A;
  else if (!turned(a)) placing |= JOINT_TURN_BY_B;
  return placing;
}

export function resolveFrame(frame: unknown, argument: string): { position: Vec3; rotation: Quat } {
  const { position, rotation, axis } = checkOptions(frame, argument, [
    'position',
    'rotation',
    'axis',
  ]) as JointFrame;
  if (rotation !== undefined && axis !== undefined)
    throw invalid(`${argument}.axis`, 'must be absent if rotation is given', axis);
  return {
    position: position === undefined ? ZERO : vec3Of(position, `${argument}.position`, COORDINATE),
    rotation:
      axis !== undefined
        ? alongAxis(axis, `${argument}.axis`)
        : rotation === undefined
          ? IDENTITY
          : quatOf(rotation, `${argument}.rotation`),
  };
}

/** A rotation that takes x to an axis of any length but 0. */
function alongAxis(axis: unknown, argument: string): Quat {
  const v = vec3Of(axis as Vec3, argument, COORDINATE);
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 1e-9)) throw invalid(argument, 'must not have length 0', axis);
  return quatFromTo([1, 0, 0], [v[0] / length, v[1] / length, v[2] / length]);
}

/** A rotation that takes x to `axis`, and y or z to `axis2`, which must be square to it. */
function alongTwo(axis: unknown, axis2: unknown, second: boolean): Quat {
  const first = alongAxis(axis, 'axis');
  if (axis2 === undefined) return first;
  const v = vec3Of(axis2 as Vec3, 'axis2', COORDINATE);
  const x = rotate(first, [1, 0, 0]);
  const along = v[0] * x[0] + v[1] * x[1] + v[2] * x[2];
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 1e-9)) throw invalid('axis2', 'must not have length 0', axis2);
  if (Math.abs(along) > 1e-3 * length) throw invalid('axis2', 'must be perpendicular to axis', axis2);
  const square: Vec3 = [v[0] - along * x[0], v[1] - along * x[1], v[2] - along * x[2]];
  const size = Math.sqrt(square[0] * square[0] + square[1] * square[1] + square[2] * square[2]);
  const to: Vec3 = [square[0] / size, square[1] / size, square[2] / size];
  const from = rotate(first, second ? [0, 1, 0] : [0, 0, 1]);
  const opposite = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] < -0.999999;
  return quatMultiply(opposite ? [x[0], x[1], x[2], 0] : quatFromTo(from, to), first);
}

function resolveAxes(type: JointType, given: Record<string, unknown>): AxisRecord[] {
  const axes: AxisRecord[] = Array(JOINT_AXIS_COUNT).fill(FREE_AXIS);
  const { anchors, axes: own, usual, locked = [] } = JOINT_TABLE[type];
  for (const [key, index] of Object.entries(own)) {
    const name = key as JointAxisName;
    const value = given[name] === undefined ? usual?.[name] : given[name];
    if (value !== undefined)
      axes[index] = isSwing(name) ? swingAxis(value, name) : resolveAxis(value as JointAxisOptions, name);
    else if (anchors === 'apart')
      throw invalid(name, 'must be given: { low, high } in m, or a spring', value);
  }
  for (const index of locked) axes[index] = LOCKED_AXIS;
  return axes;
}

const isSwing = (name: string) => name === 'swingY' || name === 'swingZ';

/** Half the angle of a cone, 0 … π. */
export function swingAxis(value: unknown, name: string): AxisRecord {
  const span = checkNumber(value, name, NON_NEGATIVE(Math.PI));
  return [0, -span, span, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

/** Checks the options of one axis. Without low and high it is free to move. */
export function resolveAxis(options: JointAxisOptions, name: string): AxisRecord {
  const { low, high, motor, servo, spring, stop } = checkOptions(options, name, [
    'low',
    'high',
    'motor',
    'servo',
    'spring',
    'stop',
  ]) as JointAxisOptions;
  if ((low === undefined) !== (high === undefined))
    throw invalid(
      low === undefined ? `${name}.low` : `${name}.high`,
      'must be given together with the other limit',
      undefined,
    );
  if (motor !== undefined && servo !== undefined)
    throw invalid(`${name}.servo`, 'must be absent if motor is given', servo);
  const at = (value: unknown, field: string) => checkNumber(value, `${name}.${field}`, COORDINATE);
  const most = (value: unknown, field: string) => checkNumber(value, `${name}.${field}`, FORCE);
  let flags = 0;
  const record = [...FREE_AXIS];
  if (low !== undefined) {
    record[1] = Math.fround(at(low, 'low'));
    record[2] = Math.fround(at(high, 'high'));
  }
  if (motor !== undefined) {
    const { velocity, maxForce } = checkOptions(motor, `${name}.motor`, ['velocity', 'maxForce']);
    flags |= AXIS_MOTOR;
    record[3] = checkNumber(velocity, `${name}.motor.velocity`, SIGNED(MAX_VELOCITY));
    record[4] = most(maxForce, 'motor.maxForce');
  }
  if (servo !== undefined) {
    const given = checkOptions(servo, `${name}.servo`, ['target', 'maxVelocity', 'maxForce']);
    flags |= AXIS_SERVO;
    record[3] = checkNumber(given['maxVelocity'], `${name}.servo.maxVelocity`, NON_NEGATIVE(MAX_VELOCITY));
    record[4] = most(given['maxForce'], 'servo.maxForce');
    record[5] = at(given['target'], 'servo.target');
  }
  if (spring !== undefined) {
    const where = `${name}.spring`;
    const isStiffness = (spring as { stiffness?: unknown } | null)?.stiffness !== undefined;
    const own = isStiffness ? ['stiffness', 'damping'] : ['hertz', 'dampingRatio'];
    const soft = checkOptions(spring, where, [...own, 'target', 'maxForce']);
    flags |= AXIS_SPRING;
    if (!isStiffness) {
      record[6] = checkNumber(soft['hertz'], `${where}.hertz`, SETTING);
      record[7] = checkNumber(soft['dampingRatio'] ?? 0, `${where}.dampingRatio`, SETTING);
    } else {
      flags |= AXIS_STIFFNESS;
      record[6] = most(soft['stiffness'], 'spring.stiffness');
      record[7] = most(soft['damping'] ?? 0, 'spring.damping');
    }
    record[8] = at(soft['target'] ?? 0, 'spring.target');
    record[9] = most(soft['maxForce'] ?? 0, 'spring.maxForce');
  }
  if (stop !== undefined) {
    const given = checkOptions(stop, `${name}.stop`, ['erp', 'cfm', 'bounce']);
    flags |= AXIS_STOP;
    record[10] = checkNumber(given['erp'] ?? 0.2, `${name}.stop.erp`, SHARE);
    record[11] = most(given['cfm'] ?? 0, 'stop.cfm');
    record[12] = checkNumber(given['bounce'] ?? 0, `${name}.stop.bounce`, SHARE);
    if (record[11] > 0 && record[10] === 0) throw invalid(`${name}.stop.erp`, 'must be > 0 if cfm is > 0', 0);
  }
  record[0] = flags;
  return record.map(Math.fround) as unknown as AxisRecord;
}
