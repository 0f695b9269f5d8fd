// The command table: every operation that changes a world, declared once. A row (commandRows.ts: what the encoder of
// World and the worker client needs) gets here its name, and its fields theirs, and what these may hold. From it come the
// check of buffers that come from elsewhere, and the reader of recordings. A command is a word `code | total words << 8`
// and its fields, 32-bit little-endian words.

import { PhysicsError } from '../base/errors';
import { MAX_SLOT } from '../base/ids';
import { MAX_TIME_STEP, MIN_TIME_STEP } from '../base/limits';
import { geometryFault } from '../cooking/geometryWords';
import * as codes from '../core/memory/constants';
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
  rollingRule,
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
import * as rows from './commandRows';
import { type CommandRow, LONGEST_COMMAND } from './commandRows';
import type { CommandWriter } from './commandWriter';

/** The one command whose length varies: after its fields come the words of a geometry. */
const LONG = rows.addGeometry.code;

type Fields = readonly (readonly [name: string, kind: FieldKind])[];
type Row = readonly [CommandRow, ...Fields];

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
export interface Command extends CommandRow {
  readonly name: CommandName;
  readonly fields: Fields;
}

const TABLE = {
  createBody: [
    rows.createBody,
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
    rows.addShape,
    BODY,
    SHAPE,
    ['generation', generation],
    ['type', shapeType],
    ['localPosition', coordinate],
    ['localRotation', rotation],
    ['params', params],
    ...MATERIAL,
    ['margin', length],
    ['flags', bits(codes.SHAPE_NO_RESPONSE | codes.SHAPE_SENSES_STATIC)],
    ['userIndex', anyWord],
    ['geometry', int(0, MAX_SLOT)],
  ],
  addGeometry: [rows.addGeometry, ['geometry', slot], ['kind', geometryKind]],
  removeGeometry: [rows.removeGeometry, ['geometry', slot]],
  removeBody: [rows.removeBody, BODY],
  removeShape: [rows.removeShape, SHAPE],
  setTransform: [rows.setTransform, BODY, ['position', coordinate], ['rotation', rotation]],
  setLinearVelocity: [rows.setLinearVelocity, BODY, ['velocity', velocity]],
  setAngularVelocity: [rows.setAngularVelocity, BODY, ['velocity', velocity]],
  applyForce: [rows.applyForce, BODY, ['force', force], ['relativePosition', coordinate]],
  applyTorque: [rows.applyTorque, BODY, ['torque', force]],
  applyImpulse: [rows.applyImpulse, BODY, ['impulse', force], ['relativePosition', coordinate]],
  applyTorqueImpulse: [rows.applyTorqueImpulse, BODY, ['impulse', force]],
  clearForces: [rows.clearForces],
  setMassProps: [rows.setMassProps, BODY, ...MASS_PROPS],
  setDamping: [rows.setDamping, BODY, ['linear', share], ['angular', share]],
  setGravityScale: [rows.setGravityScale, BODY, ['scale', scale]],
  setFactors: [rows.setFactors, BODY, ['linear', factor], ['angular', factor]],
  setSleepingThresholds: [rows.setSleepingThresholds, BODY, ['linear', speed], ['angular', speed]],
  setActivationState: [rows.setActivationState, BODY, ['state', activation], ['force', flag]],
  activate: [rows.activate, BODY, ['force', flag]],
  setFilter: [rows.setFilter, BODY, ['group', anyWord], ['mask', anyWord]],
  setMaterial: [rows.setMaterial, SHAPE, ...MATERIAL],
  setBodyType: [rows.setBodyType, BODY, ['type', bodyType], ...MASS_PROPS],
  setKinematicTarget: [rows.setKinematicTarget, BODY, ['position', coordinate], ['rotation', rotation]],
  setGravity: [rows.setGravity, ['gravity', gravity]],
  setSettings: [
    rows.setSettings,
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
    ['rollingFrictionCombine', rollingRule],
    ['continuous', flag],
    ['eventMask', anyWord],
    ['profiling', flag],
    ['pairFilter', flag],
  ],
  setBodyUserIndex: [rows.setBodyUserIndex, BODY, ['userIndex', anyWord]],
  setCcd: [rows.setCcd, BODY, ['motionThreshold', length], ['sweptSphereRadius', length]],
  createJoint: [
    rows.createJoint,
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
  removeJoint: [rows.removeJoint, JOINT],
  setJointAxis: [
    rows.setJointAxis,
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
  setJointEnabled: [rows.setJointEnabled, JOINT, ['enabled', flag]],
  setJointFrames: [rows.setJointFrames, JOINT, ...FRAMES],
  setJointBreaking: [rows.setJointBreaking, JOINT, ...BREAKING],
  setJointCollide: [rows.setJointCollide, JOINT, ['collide', flag]],
  setJointSoftness: [rows.setJointSoftness, JOINT, ...SOFTNESS],
  setJointRatio: [rows.setJointRatio, JOINT, ['ratio', place]],
  step: [rows.step, ['dt', float(MIN_TIME_STEP / ROUNDING, MAX_TIME_STEP)]],
} as const satisfies Record<string, Row>;

export type CommandName = keyof typeof TABLE;

/** The table by name. */
export const COMMANDS = Object.fromEntries(
  (Object.entries(TABLE) as [CommandName, Row][]).map(([name, [row, ...fields]]): [CommandName, Command] => [
    name,
    { ...row, name, fields },
  ]),
) as { readonly [name in CommandName]: Command };

/** The table by code; holes where no command has that code. */
export const COMMANDS_BY_CODE: readonly (Command | undefined)[] = (() => {
  const byCode: (Command | undefined)[] = [];
  for (const command of Object.values(COMMANDS)) byCode[command.code] = command;
  return byCode;
})();

/** Commands that move bodies and change nothing that a replica remembers. */
const MOTION = [
  rows.setTransform,
  rows.setLinearVelocity,
  rows.setAngularVelocity,
  rows.applyForce,
  rows.applyTorque,
  rows.applyImpulse,
  rows.applyTorqueImpulse,
  rows.clearForces,
  rows.setActivationState,
  rows.activate,
  rows.setKinematicTarget,
  rows.step,
];
const isMotion = new Uint8Array(256);
for (const { code } of MOTION) isMotion[code] = 1;

/** Whether valid commands leave all that a replica remembers as it is, but for forces. */
export function onlyMove(words: Int32Array): boolean {
  for (let at = 0; at < words.length; at += words[at]! >>> 8)
    if (isMotion[words[at]! & 255] === 0) return false;
  return true;
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
