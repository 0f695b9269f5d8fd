// The command table: every operation that changes a world, declared once. From it come the encoder that
// World and the worker client use, the check of buffers that come from elsewhere, and the reader of
// recordings. A command is a word `code | total words << 8` and its fields, 32-bit little-endian words.
// Nothing here knows the engine: the page's bundle of a worker world contains this and no wasm.

import {
  activation,
  anyWord,
  axisFlags,
  axisSpeed,
  bits,
  bodyType,
  coefficient,
  combineRule,
  coordinate,
  type FieldKind,
  factor,
  flag,
  float,
  force,
  generation,
  geometryKind,
  gravity,
  inertia,
  int,
  jointFlags,
  jointType,
  length,
  mass,
  most,
  params,
  place,
  ROUNDING,
  rotation,
  scale,
  setting,
  shapeType,
  share,
  slot,
  softness,
  speed,
  velocity,
} from './commandFields';
import { geometryFault } from './cooking/geometryWords';
import * as codes from './core/memory/constants';
import { PhysicsError } from './errors';
import { MAX_SLOT } from './ids';
import { MAX_TIME_STEP, MIN_TIME_STEP } from './limits';

/** The one command whose length varies: after its fields come the words of a geometry. */
const LONG = codes.CMD_ADD_GEOMETRY;

type Fields = readonly (readonly [name: string, kind: FieldKind])[];

const MASS_PROPS = [
  ['mass', mass],
  ['inertia', inertia],
  ['centerOfMass', coordinate],
  ['principalRotation', rotation],
] as const;
const BODY = ['body', slot] as const;
const JOINT = ['joint', slot] as const;
const FRAMES = [
  ['positionA', coordinate],
  ['rotationA', rotation],
  ['positionB', coordinate],
  ['rotationB', rotation],
] as const;
const BREAKING = [
  ['breakingImpulse', most],
  ['breakingAngularImpulse', most],
] as const;
const SOFTNESS = [
  ['hertz', softness],
  ['dampingRatio', setting],
  ['maxForce', most],
  ['maxTorque', most],
] as const;
const SHAPE = ['shape', slot] as const;
const MATERIAL = [
  ['friction', coefficient],
  ['restitution', share],
  ['rollingFriction', coefficient],
  ['spinningFriction', coefficient],
] as const;

/** One row of the table. */
export interface Command {
  readonly name: CommandName;
  readonly code: number;
  /** Words including the first. */
  readonly totalWords: number;
  /** The first word. */
  readonly head: number;
  /** 1 where the word at that place is an f32; index 0 is the first word after the head. */
  readonly isFloat: Uint8Array;
  readonly fields: Fields;
}

const TABLE = {
  createBody: [
    codes.CMD_CREATE_BODY,
    BODY,
    ['generation', generation],
    ['type', bodyType],
    ['flags', bits(codes.BODY_NO_RESPONSE)],
    ['position', coordinate],
    ['rotation', rotation],
    ['linearVelocity', velocity],
    ['angularVelocity', velocity],
    ...MASS_PROPS,
    ['linearDamping', share],
    ['angularDamping', share],
    ['gravityScale', scale],
    ['linearFactor', factor],
    ['angularFactor', factor],
    ['linearSleepingThreshold', speed],
    ['angularSleepingThreshold', speed],
    ['group', anyWord],
    ['mask', anyWord],
    ['userIndex', anyWord],
    ['activationState', activation],
    ['ccdMotionThreshold', length],
    ['ccdSweptSphereRadius', length],
  ],
  addShape: [
    codes.CMD_ADD_SHAPE,
    BODY,
    SHAPE,
    ['generation', generation],
    ['type', shapeType],
    ['localPosition', coordinate],
    ['localRotation', rotation],
    ['params', params],
    ...MATERIAL,
    ['margin', length],
    ['flags', bits(codes.SHAPE_NO_RESPONSE)],
    ['userIndex', anyWord],
    ['geometry', int(0, MAX_SLOT)],
  ],
  addGeometry: [codes.CMD_ADD_GEOMETRY, ['geometry', slot], ['kind', geometryKind]],
  removeGeometry: [codes.CMD_REMOVE_GEOMETRY, ['geometry', slot]],
  removeBody: [codes.CMD_REMOVE_BODY, BODY],
  removeShape: [codes.CMD_REMOVE_SHAPE, SHAPE],
  setTransform: [codes.CMD_SET_TRANSFORM, BODY, ['position', coordinate], ['rotation', rotation]],
  setLinearVelocity: [codes.CMD_SET_LINEAR_VELOCITY, BODY, ['velocity', velocity]],
  setAngularVelocity: [codes.CMD_SET_ANGULAR_VELOCITY, BODY, ['velocity', velocity]],
  applyForce: [codes.CMD_APPLY_FORCE, BODY, ['force', force], ['relativePosition', coordinate]],
  applyTorque: [codes.CMD_APPLY_TORQUE, BODY, ['torque', force]],
  applyImpulse: [codes.CMD_APPLY_IMPULSE, BODY, ['impulse', force], ['relativePosition', coordinate]],
  applyTorqueImpulse: [codes.CMD_APPLY_TORQUE_IMPULSE, BODY, ['impulse', force]],
  clearForces: [codes.CMD_CLEAR_FORCES],
  setMassProps: [codes.CMD_SET_MASS_PROPS, BODY, ...MASS_PROPS],
  setDamping: [codes.CMD_SET_DAMPING, BODY, ['linear', share], ['angular', share]],
  setGravityScale: [codes.CMD_SET_GRAVITY_SCALE, BODY, ['scale', scale]],
  setFactors: [codes.CMD_SET_FACTORS, BODY, ['linear', factor], ['angular', factor]],
  setSleepingThresholds: [codes.CMD_SET_SLEEPING_THRESHOLDS, BODY, ['linear', speed], ['angular', speed]],
  setActivationState: [codes.CMD_SET_ACTIVATION_STATE, BODY, ['state', activation], ['force', flag]],
  activate: [codes.CMD_ACTIVATE, BODY, ['force', flag]],
  setFilter: [codes.CMD_SET_FILTER, BODY, ['group', anyWord], ['mask', anyWord]],
  setMaterial: [codes.CMD_SET_MATERIAL, SHAPE, ...MATERIAL],
  setBodyType: [codes.CMD_SET_BODY_TYPE, BODY, ['type', bodyType], ...MASS_PROPS],
  setKinematicTarget: [
    codes.CMD_SET_KINEMATIC_TARGET,
    BODY,
    ['position', coordinate],
    ['rotation', rotation],
  ],
  setGravity: [codes.CMD_SET_GRAVITY, ['gravity', gravity]],
  setSettings: [
    codes.CMD_SET_SETTINGS,
    ['substeps', int(1, 64)],
    ['iterations', int(0, 1000)],
    ['relaxIterations', int(0, 1000)],
    ['frictionWithBias', flag],
    ['contactErpMode', flag],
    ['contactHertz', setting],
    ['contactDampingRatio', setting],
    ['staticStiffness', setting],
    ['contactErp', share],
    ['contactCfm', setting],
    ['contactPushSpeed', setting],
    ['contactSlop', setting],
    ['warmstartingFactor', share],
    ['restitutionThreshold', setting],
    ['contactBreakingThreshold', setting],
    ['recycleDistance', setting],
    ['recycleAngleCosine', share],
    ['aabbMargin', setting],
    ['sleeping', flag],
    ['deactivationTime', setting],
    ['frictionCombine', combineRule],
    ['restitutionCombine', combineRule],
    ['gyroscopic', flag],
    ['parabolicFlight', flag],
    ['rollingFrictionCombine', combineRule],
    ['continuous', flag],
    ['eventMask', anyWord],
    ['profiling', flag],
    ['pairFilter', flag],
  ],
  setBodyUserIndex: [codes.CMD_SET_BODY_USER_INDEX, BODY, ['userIndex', anyWord]],
  setCcd: [codes.CMD_SET_CCD, BODY, ['motionThreshold', length], ['sweptSphereRadius', length]],
  createJoint: [
    codes.CMD_CREATE_JOINT,
    JOINT,
    ['generation', generation],
    ['type', jointType],
    ['flags', jointFlags],
    ['bodyA', int(0, MAX_SLOT)],
    ['bodyB', int(0, MAX_SLOT)],
    ...FRAMES,
    ...BREAKING,
    ...SOFTNESS,
    ['userIndex', anyWord],
    ['ratio', place],
  ],
  removeJoint: [codes.CMD_REMOVE_JOINT, JOINT],
  setJointAxis: [
    codes.CMD_SET_JOINT_AXIS,
    JOINT,
    ['axis', int(0, codes.JOINT_AXIS_COUNT - 1)],
    ['flags', axisFlags],
    ['low', place],
    ['high', place],
    ['motorVelocity', axisSpeed],
    ['maxMotorForce', most],
    ['servoTarget', place],
    ['springRate', most],
    ['springDamping', most],
    ['springTarget', place],
    ['maxSpringForce', most],
    ['stopErp', share],
    ['stopCfm', most],
    ['bounce', share],
  ],
  setJointEnabled: [codes.CMD_SET_JOINT_ENABLED, JOINT, ['enabled', flag]],
  setJointFrames: [codes.CMD_SET_JOINT_FRAMES, JOINT, ...FRAMES],
  setJointBreaking: [codes.CMD_SET_JOINT_BREAKING, JOINT, ...BREAKING],
  setJointCollide: [codes.CMD_SET_JOINT_COLLIDE, JOINT, ['collide', flag]],
  setJointSoftness: [codes.CMD_SET_JOINT_SOFTNESS, JOINT, ...SOFTNESS],
  setJointRatio: [codes.CMD_SET_JOINT_RATIO, JOINT, ['ratio', place]],
  step: [codes.CMD_STEP, ['dt', float(MIN_TIME_STEP / ROUNDING, MAX_TIME_STEP)]],
} as const satisfies Record<string, readonly [number, ...Fields]>;

export type CommandName = keyof typeof TABLE;

function row(name: CommandName): Command {
  const [code, ...fields] = TABLE[name] as readonly [number, ...Fields];
  const isFloat = fields.flatMap(([, kind]) => Array<number>(kind.words).fill(kind.float ? 1 : 0));
  const totalWords = 1 + isFloat.length;
  return {
    name,
    code,
    totalWords,
    head: code | (totalWords << 8),
    isFloat: Uint8Array.from(isFloat),
    fields,
  };
}

/** The table by name. */
export const COMMANDS = Object.fromEntries(
  (Object.keys(TABLE) as CommandName[]).map((name) => [name, row(name)]),
) as { readonly [name in CommandName]: Command };

/** The table by code; holes where no command has that code. */
export const COMMANDS_BY_CODE: readonly (Command | undefined)[] = (() => {
  const byCode: (Command | undefined)[] = [];
  for (const command of Object.values(COMMANDS)) byCode[command.code] = command;
  return byCode;
})();

/** Words of the longest command: room for the values of any. */
export const LONGEST_COMMAND = Math.max(...Object.values(COMMANDS).map((command) => command.totalWords));

/** Commands that move bodies and change nothing that a replica remembers. */
const MOTION: readonly CommandName[] = [
  'setTransform',
  'setLinearVelocity',
  'setAngularVelocity',
  'applyForce',
  'applyTorque',
  'applyImpulse',
  'applyTorqueImpulse',
  'clearForces',
  'setActivationState',
  'activate',
  'setKinematicTarget',
  'step',
];
const isMotion = new Uint8Array(256);
for (const name of MOTION) isMotion[COMMANDS[name].code] = 1;

/** Whether valid commands leave all that a replica remembers as it is, but for forces. */
export function onlyMove(words: Int32Array): boolean {
  for (let at = 0; at < words.length; at += words[at]! >>> 8)
    if (isMotion[words[at]! & 255] === 0) return false;
  return true;
}

/**
 * Writes commands one after the other into a buffer that doubles. Values were checked by the caller;
 * floats are rounded to f32 here.
 */
export class CommandWriter {
  /** Words written. */
  length = 0;
  private words: Int32Array;
  private floats: Float32Array;

  constructor(capacity = 1024) {
    const buffer = new ArrayBuffer(capacity * 4);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
  }

  /**
   * Appends a command; `values` holds its fields word by word, integers as numbers.
   * Returns the word offset of the command.
   */
  write(command: Command, values: ArrayLike<number>): number {
    const { isFloat } = command;
    const at = this.length;
    if (at + command.totalWords > this.words.length) this.grow(at + command.totalWords);
    const { words, floats } = this;
    words[at] = command.head;
    for (let i = 0; i < isFloat.length; i++) {
      if (isFloat[i] === 1) floats[at + 1 + i] = values[i]!;
      else words[at + 1 + i] = values[i]!;
    }
    this.length = at + command.totalWords;
    return at;
  }

  /** Appends ADD_GEOMETRY: a slot, the type of shape that reads the content, and the content. */
  writeGeometry(slot: number, kind: number, content: Int32Array): number {
    const at = this.length;
    const total = COMMANDS.addGeometry.totalWords + content.length;
    if (at + total > this.words.length) this.grow(at + total);
    this.words[at] = LONG | (total << 8);
    this.words[at + 1] = slot;
    this.words[at + 2] = kind;
    this.words.set(content, at + COMMANDS.addGeometry.totalWords);
    this.length = at + total;
    return at;
  }

  /** Appends whole commands that were encoded elsewhere. */
  append(source: Int32Array): void {
    if (this.length + source.length > this.words.length) this.grow(this.length + source.length);
    this.words.set(source, this.length);
    this.length += source.length;
  }

  /** The words written so far; a view that the next write may outdate. */
  view(): Int32Array {
    return this.words.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  private grow(needed: number): void {
    let capacity = this.words.length;
    while (capacity < needed) capacity *= 2;
    const buffer = new ArrayBuffer(capacity * 4);
    const words = new Int32Array(buffer);
    words.set(this.view());
    this.words = words;
    this.floats = new Float32Array(buffer);
  }
}

/** A number, or the numbers of a vector or quaternion, by field name. */
export type CommandFields = Record<string, number | readonly number[]>;

/** Appends a command given by field names, for tools and tests; the engine writes words directly. */
export function writeCommand(writer: CommandWriter, name: CommandName, fields: CommandFields): void {
  if (name === 'addGeometry') {
    writer.writeGeometry(
      fields['geometry'] as number,
      fields['kind'] as number,
      Int32Array.from(fields['content'] as number[]),
    );
    return;
  }
  const values: number[] = [];
  for (const [field, kind] of COMMANDS[name].fields) {
    const value = fields[field];
    const list = typeof value === 'number' ? [value] : (value ?? []);
    if (list.length !== kind.words)
      throw new PhysicsError('invalid-argument', `must be ${kind.words} numbers`, `${name}.${field}`, value);
    values.push(...list);
  }
  writer.write(COMMANDS[name], values);
}

/** Reads the fields of the command at `words[at]` into `out`, word by word. Returns its row. */
export function decodeCommand(
  words: Int32Array,
  floats: Float32Array,
  at: number,
  out: Float64Array,
): Command {
  const command = COMMANDS_BY_CODE[words[at]! & 255]!;
  for (let i = 0; i < command.isFloat.length; i++)
    out[i] = command.isFloat[i] === 1 ? floats[at + 1 + i]! : words[at + 1 + i]!;
  return command;
}

/** Words of the command at `words[at]`. */
export function commandLength(words: Int32Array, at: number): number {
  return words[at]! >>> 8;
}

/** The content of the ADD_GEOMETRY at `words[at]`. */
export function geometryContent(words: Int32Array, at: number): Int32Array {
  return words.subarray(at + COMMANDS.addGeometry.totalWords, at + commandLength(words, at));
}

/** The same words as f32. */
export function floatsOf(words: Int32Array): Float32Array {
  return new Float32Array(words.buffer, words.byteOffset, words.length);
}

function damaged(at: number, what: string): PhysicsError {
  return new PhysicsError('damaged-commands', `command buffer refused, word ${at}: ${what}`);
}

/**
 * Checks the structure of a buffer from outside: every command known and of its right length, nothing
 * left over, every number finite and in its range, every slot and generation possible. Throws
 * 'damaged-commands'. Whether a slot is in use only a world knows: see Replica.follow.
 *
 * @returns number of commands
 */
export function validateCommands(words: Int32Array): number {
  const floats = floatsOf(words);
  const values = new Float64Array(LONGEST_COMMAND);
  let count = 0;
  for (let at = 0; at < words.length; count++) {
    const head = words[at]!;
    const command = COMMANDS_BY_CODE[head & 255];
    if (command === undefined) throw damaged(at, `code ${head & 255} is no command`);
    const total = command.code === LONG ? head >>> 8 : command.totalWords;
    if (head >>> 8 !== total || total < command.totalWords)
      throw damaged(at, `${command.name} cannot have ${head >>> 8} words`);
    if (at + total > words.length) throw damaged(at, `${command.name} is cut off`);
    if (command.code === LONG) {
      const fault = geometryFault(words[at + 2]!, geometryContent(words, at));
      if (fault !== undefined) throw damaged(at, `addGeometry: ${fault}`);
    }
    decodeCommand(words, floats, at, values);
    let word = 0;
    for (const [field, kind] of command.fields) {
      if (!kind.allows(values, word)) {
        const shown = Array.from(values.subarray(word, word + kind.words)).join(', ');
        throw damaged(at, `${command.name}.${field} cannot be ${shown}`);
      }
      word += kind.words;
    }
    at += total;
  }
  return count;
}

/** One command of a recording, decoded. */
export interface DecodedCommand {
  name: CommandName;
  /** Word offset in the buffer. */
  at: number;
  fields: Record<string, number | number[]>;
}

/** Iterates over the commands of a buffer that `validateCommands` accepts. */
export function* readCommands(words: Int32Array): Generator<DecodedCommand> {
  const floats = floatsOf(words);
  const values = new Float64Array(LONGEST_COMMAND);
  for (let at = 0; at < words.length; ) {
    const command = decodeCommand(words, floats, at, values);
    const fields: Record<string, number | number[]> = {};
    let word = 0;
    for (const [field, kind] of command.fields) {
      fields[field] = kind.words === 1 ? values[word]! : Array.from(values.subarray(word, word + kind.words));
      word += kind.words;
    }
    if (command.code === LONG) fields['content'] = Array.from(geometryContent(words, at));
    yield { name: command.name, at, fields };
    at += commandLength(words, at);
  }
}
