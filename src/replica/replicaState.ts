// A replica encoded for snapshots. In: a replica. Out: 32-bit words; flags omit default values, so that a body with one
// box takes about 50 bytes. Read back completely or not at all.

import { PhysicsError } from '../base/errors';
import { IdAllocator, MAX_SLOT } from '../base/ids';
import { MAX_INERTIA, MAX_MASS, MAX_SIZE, MIN_INERTIA, MIN_MASS } from '../base/limits';
import { IDENTITY, ONE, type Quat, shareQuat, shareVec3, type Vec3, ZERO } from '../base/math';
import { Geometries, Geometry } from '../cooking/geometries';
import { GEOMETRY_KINDS } from '../cooking/geometryWords';
import { BODY_DYNAMIC, JOINT_AXIS_COUNT } from '../core/memory/constants';
import {
  BODY_TYPES,
  type BodyKnobs,
  type BodyRecord,
  KNOB_NAMES,
  KNOBS,
  type MassRecord,
  STATIC_KNOBS,
  sharedKnobs,
} from '../options/bodies';
import { AXIS_FIELDS, type AxisRecord, FREE_AXIS, type JointRecord } from '../options/joints';
import { JOINT_TYPES } from '../options/jointTypes';
import { checkSetting, ruleNames, SETTING_NAMES } from '../options/settings';
import {
  DEFAULT_DENSITY,
  DEFAULT_MATERIAL,
  type Material,
  SHAPE_TYPES,
  type ShapeRecord,
} from '../options/shapes';
import { NO_TRAITS, type ShapeTraits, TRAIT_COMMANDS, TRAIT_NAMES, withTrait } from '../options/traits';
import type { WorldSettings } from '../types';
import type { Registry } from './registry';
import type { SnapshotGeometry } from './snapshot';

/** Increases when the meaning of the words changes. */
const REPLICA_VERSION = 9;

// Flags of a body, above its type (2 bits); the shape count is in the upper half.
const HAS_CENTER = 4;
const HAS_PRINCIPAL = 8;
const HAS_FACTORS = 16;
const WAS_DYNAMIC = 32;
const HAS_KNOBS = 64;
const HAS_STATIC_KNOBS = 128;
// Flags of a shape, above its type (8 bits).
const HAS_POSITION = 256;
const HAS_ROTATION = 512;
const HAS_MATERIAL = 1024;
const HAS_DENSITY = 2048;
const HAS_USER_INDEX = 4096;
const IS_SENSOR = 8192;
const HAS_MARGIN = 16384;
const SENSES_STATIC = 32768;
const BARE_TO_BALLS = 65536;
/** << index in TRAIT_NAMES. */
const FIRST_TRAIT = 131072;
// Flags of a joint, above its type (8 bits): collides, then one per axis that is not free.
const JOINT_COLLIDES = 256;
const FIRST_AXIS = 512;
/** Number of sizes of a type. */
const PARAM_COUNT = 4;

const isZero = (v: Vec3) => v[0] === 0 && v[1] === 0 && v[2] === 0;
const isOne = (v: Vec3) => v[0] === 1 && v[1] === 1 && v[2] === 1;
const isIdentity = (q: Quat) => q[0] === 0 && q[1] === 0 && q[2] === 0 && q[3] === 1;
const isDefault = (m: Material) =>
  m.friction === DEFAULT_MATERIAL.friction &&
  m.restitution === 0 &&
  m.rollingFriction === 0 &&
  m.spinningFriction === 0;

class WordWriter {
  private words = new Int32Array(1024);
  private floats = new Float32Array(this.words.buffer);
  length = 0;

  int(value: number): void {
    if (this.length === this.words.length) this.grow();
    this.words[this.length++] = value;
  }

  float(value: number): void {
    if (this.length === this.words.length) this.grow();
    this.floats[this.length++] = value;
  }

  floatsOf(values: readonly number[]): void {
    for (const value of values) this.float(value);
  }

  double(value: number): void {
    DOUBLE[0] = value;
    this.int(DOUBLE_WORDS[0]!);
    this.int(DOUBLE_WORDS[1]!);
  }

  result(): Int32Array {
    return this.words.slice(0, this.length);
  }

  private grow(): void {
    const words = new Int32Array(2 * this.words.length);
    words.set(this.words);
    this.words = words;
    this.floats = new Float32Array(words.buffer);
  }
}

const DOUBLE = new Float64Array(1);
const DOUBLE_WORDS = new Int32Array(DOUBLE.buffer);

function damaged(what: string): PhysicsError {
  return new PhysicsError('damaged-snapshot', `snapshot refused: ${what}`);
}

class WordReader {
  private readonly floats: Float32Array;
  at = 0;

  constructor(readonly words: Int32Array) {
    this.floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  private advance(): number {
    if (this.at >= this.words.length) throw damaged('it ends too early');
    return this.at++;
  }

  int(): number {
    return this.words[this.advance()]!;
  }

  /** A count of objects that take at least one word each. */
  count(): number {
    const count = this.int();
    if (count < 0 || count > this.words.length - this.at) throw damaged(`a count of ${count}`);
    return count;
  }

  float(): number {
    const value = this.floats[this.advance()]!;
    if (!Number.isFinite(value)) throw damaged('a number is not finite');
    return value;
  }

  vec3(): Vec3 {
    return shareVec3([this.float(), this.float(), this.float()]);
  }

  quat(): Quat {
    return shareQuat([this.float(), this.float(), this.float(), this.float()]);
  }

  double(): number {
    DOUBLE_WORDS[0] = this.int();
    DOUBLE_WORDS[1] = this.int();
    return DOUBLE[0]!;
  }
}

/** The content of all geometry to which the words of a replica refer. */
export function geometriesOf(replica: Registry): SnapshotGeometry[] {
  return Array.from(replica.geometries.slots(), (slot) => ({
    slot,
    words: replica.geometries.at(slot)!.words,
  }));
}

/**
 * Encodes everything that the replica stores, except the content of geometry and the selected outputs. `followed`: only
 * what a follower of its commands has, too, which is in f32 and has neither densities nor the default margin.
 */
export function saveReplica(replica: Registry, followed = false): Int32Array {
  const out = new WordWriter();
  const rounded = followed ? Math.fround : (value: number) => value;
  out.int(REPLICA_VERSION);
  out.int(replica.hasForces ? 1 : 0);
  out.float(followed ? 0 : replica.margin);
  for (const name of SETTING_NAMES) {
    const value = replica.settings[name];
    if (typeof value === 'number') out.double(rounded(value));
    else if (typeof value === 'boolean') out.double(value ? 1 : 0);
    else out.double(ruleNames(name).indexOf(value));
  }
  for (const component of replica.gravity) out.double(rounded(component));
  for (const allocator of [replica.bodies, replica.shapes, replica.joints]) {
    const words: number[] = [];
    allocator.save(words);
    for (const word of words) out.int(word);
  }
  const slots = [...replica.geometries.slots()];
  out.int(slots.length);
  for (const slot of slots) {
    const { kind, words } = replica.geometries.at(slot)!;
    out.int(slot);
    out.int(kind);
    out.int(words.length);
  }
  out.int(replica.bodies.count);
  for (const body of replica.bodyRecords) {
    if (body === undefined) continue;
    saveBody(out, body);
    for (const shape of body.shapes) saveShape(out, replica.shapeRecords[shape & MAX_SLOT]!, followed);
  }
  out.int(replica.joints.count);
  for (const joint of replica.jointRecords) if (joint !== undefined) saveJoint(out, joint);
  // The lists of the bodies are in the order of creation, which ids do not show.
  out.int(replica.jointsOf.size);
  for (const [body, list] of replica.jointsOf) {
    out.int(body);
    out.int(list.length);
    for (const id of list) out.int(id);
  }
  return out.result();
}

function saveJoint(out: WordWriter, joint: JointRecord): void {
  let flags = joint.type;
  if (joint.collide) flags |= JOINT_COLLIDES;
  joint.axes.forEach((axis, i) => {
    if (!isFree(axis)) flags |= FIRST_AXIS << i;
  });
  out.int(joint.id);
  out.int(flags);
  out.int(joint.bodyA);
  out.int(joint.bodyB);
  out.int(joint.userIndex);
  out.floatsOf(joint.positionB);
  for (const axis of joint.axes) if (!isFree(axis)) out.floatsOf(axis);
}

const isFree = (axis: AxisRecord) => axis.every((value, i) => value === FREE_AXIS[i]);

function loadJoint(input: WordReader): JointRecord {
  const id = input.int();
  const flags = input.int();
  const type = flags & 255;
  if (JOINT_TYPES[type] === undefined) throw damaged(`joint type ${type}`);
  const record: JointRecord = {
    id,
    type,
    bodyA: input.int(),
    bodyB: input.int(),
    collide: (flags & JOINT_COLLIDES) !== 0,
    userIndex: input.int(),
    positionB: [input.float(), input.float(), input.float()],
    axes: [],
  };
  for (let i = 0; i < JOINT_AXIS_COUNT; i++)
    record.axes.push(
      flags & (FIRST_AXIS << i)
        ? (Array.from({ length: AXIS_FIELDS }, () => input.float()) as unknown as AxisRecord)
        : FREE_AXIS,
    );
  return record;
}

function saveBody(out: WordWriter, body: BodyRecord): void {
  let flags = body.type | (body.shapes.length << 16) | massFlags(body.massProps);
  if (body.dynamicMass !== undefined) flags |= WAS_DYNAMIC;
  const knobs = sharedKnobs(body.knobs);
  if (knobs === STATIC_KNOBS) flags |= HAS_STATIC_KNOBS;
  else if (knobs !== KNOBS) flags |= HAS_KNOBS;
  if (!isOne(body.linearFactor) || !isOne(body.angularFactor)) flags |= HAS_FACTORS;
  out.int(body.id);
  out.int(flags);
  saveMass(out, body.massProps, flags);
  if (flags & HAS_FACTORS) {
    out.floatsOf(body.linearFactor);
    out.floatsOf(body.angularFactor);
  }
  if (flags & HAS_KNOBS) saveKnobs(out, knobs);
  if (body.dynamicMass !== undefined) {
    const own = massFlags(body.dynamicMass);
    out.int(own);
    saveMass(out, body.dynamicMass, own);
  }
}

const WHOLE_KNOBS: readonly (keyof BodyKnobs)[] = ['group', 'mask', 'userIndex', 'pinned'];

/** Writes the settings that differ from the default, after a bit for each of them. */
function saveKnobs(out: WordWriter, knobs: BodyKnobs): void {
  const own = KNOB_NAMES.filter((name) => knobs[name] !== KNOBS[name]);
  out.int(own.reduce((bits, name) => bits | (1 << KNOB_NAMES.indexOf(name)), 0));
  for (const name of own)
    if (WHOLE_KNOBS.includes(name)) out.int(knobs[name]);
    else out.float(knobs[name]);
}

function loadKnobs(input: WordReader): BodyKnobs {
  const bits = input.int();
  const knobs: Record<string, number> = { ...KNOBS };
  for (const [i, name] of KNOB_NAMES.entries())
    if ((bits >> i) & 1) knobs[name] = WHOLE_KNOBS.includes(name) ? input.int() : input.float();
  return knobs as unknown as BodyKnobs;
}

function massFlags({ centerOfMass, principalRotation }: MassRecord): number {
  return (isZero(centerOfMass) ? 0 : HAS_CENTER) | (isIdentity(principalRotation) ? 0 : HAS_PRINCIPAL);
}

function saveMass(out: WordWriter, record: MassRecord, flags: number): void {
  out.float(record.mass);
  if (record.mass > 0) out.floatsOf(record.inertia);
  if (flags & HAS_CENTER) out.floatsOf(record.centerOfMass);
  if (flags & HAS_PRINCIPAL) out.floatsOf(record.principalRotation);
}

function loadMass(input: WordReader, flags: number): MassRecord {
  const mass = input.float();
  return {
    mass,
    inertia: mass > 0 ? input.vec3() : ZERO,
    centerOfMass: flags & HAS_CENTER ? input.vec3() : ZERO,
    principalRotation: flags & HAS_PRINCIPAL ? input.quat() : IDENTITY,
  };
}

function saveShape(out: WordWriter, shape: ShapeRecord, followed: boolean): void {
  const { friction, restitution, rollingFriction, spinningFriction } = shape.material;
  let flags = shape.type;
  if (!isZero(shape.localPosition)) flags |= HAS_POSITION;
  if (!isIdentity(shape.localRotation)) flags |= HAS_ROTATION;
  if (!isDefault(shape.material)) flags |= HAS_MATERIAL;
  if (shape.density !== DEFAULT_DENSITY && !followed) flags |= HAS_DENSITY;
  if (shape.userIndex !== 0) flags |= HAS_USER_INDEX;
  if (shape.sensor) flags |= IS_SENSOR;
  if (shape.sensesStatic) flags |= SENSES_STATIC;
  if (shape.bareToBalls) flags |= BARE_TO_BALLS;
  if (shape.margin !== 0) flags |= HAS_MARGIN;
  TRAIT_NAMES.forEach((name, i) => {
    if (shape.traits?.[name] !== undefined) flags |= FIRST_TRAIT << i;
  });
  out.int(shape.id);
  out.int(flags);
  out.floatsOf(shape.params);
  if (shape.geometry !== undefined) out.int(shape.geometrySlot);
  if (flags & HAS_POSITION) out.floatsOf(shape.localPosition);
  if (flags & HAS_ROTATION) out.floatsOf(shape.localRotation);
  if (flags & HAS_MATERIAL) out.floatsOf([friction, restitution, rollingFriction, spinningFriction]);
  if (flags & HAS_DENSITY) out.float(shape.density);
  if (flags & HAS_USER_INDEX) out.int(shape.userIndex);
  if (flags & HAS_MARGIN) out.float(shape.margin);
  for (const name of TRAIT_NAMES)
    for (const [i, value] of (shape.traits?.[name] ?? []).entries())
      if (TRAIT_COMMANDS[name].isFloat[i + 1] === 1) out.float(value);
      else out.int(value);
}

/** The fields that `loadReplica` replaces. */
export type ReplicaState = Pick<
  Registry,
  | 'geometries'
  | 'settings'
  | 'gravity'
  | 'hasForces'
  | 'margin'
  | 'bodies'
  | 'shapes'
  | 'joints'
  | 'bodyRecords'
  | 'shapeRecords'
  | 'jointRecords'
  | 'jointsOf'
>;

/**
 * Reads saved words. Throws 'damaged-snapshot' or 'incompatible-snapshot' and changes nothing if they are invalid;
 * otherwise returns a function that cannot fail, sets `replica` to that state, and returns a function that undoes this.
 * Selected outputs and unsent commands are kept.
 */
export function loadReplica(
  replica: Registry,
  words: Int32Array,
  contents: readonly SnapshotGeometry[],
): (() => () => void) & { state: ReplicaState } {
  const input = new WordReader(words);
  const version = input.int();
  if (version !== REPLICA_VERSION)
    throw new PhysicsError(
      'incompatible-snapshot',
      `the snapshot is of version ${version}, not ${REPLICA_VERSION}`,
    );
  const hasForces = input.int() !== 0;
  const margin = input.float();
  if (!(margin >= 0 && margin <= MAX_SIZE)) throw damaged(`a margin of ${margin}`);

  const settings = loadSettings(input, replica.settings);
  const gravity: Vec3 = [input.double(), input.double(), input.double()];

  const readFree = () => {
    const end = input.int();
    const count = input.count();
    const ids = words.subarray(input.at, input.at + count);
    input.at += count;
    return { end, ids };
  };
  const freeBodies = readFree();
  const freeShapes = readFree();
  const freeJoints = readFree();

  const geometries = loadGeometries(input, replica, contents);
  const bodyRecords: (BodyRecord | undefined)[] = [];
  const shapeRecords: (ShapeRecord | undefined)[] = [];
  const bodyIds: number[] = [];
  const shapeIds: number[] = [];
  const count = input.count();
  for (let i = 0; i < count; i++) {
    const { body, shapeCount } = loadBody(input);
    bodyIds.push(body.id);
    bodyRecords[body.id & MAX_SLOT] = body;
    for (let k = 0; k < shapeCount; k++) {
      const shape = loadShape(input, body.id, geometries);
      body.shapes.push(shape.id);
      shapeIds.push(shape.id);
      shapeRecords[shape.id & MAX_SLOT] = shape;
    }
  }
  const jointRecords: (JointRecord | undefined)[] = [];
  const jointIds: number[] = [];
  const bodyById = new Set(bodyIds);
  for (let i = input.count(); i > 0; i--) {
    const joint = loadJoint(input);
    const { bodyA, bodyB } = joint;
    const known = (body: number) => body === 0 || bodyById.has(body);
    if (!known(bodyA) || !known(bodyB) || bodyA === bodyB) throw damaged('a joint of no two bodies');
    jointIds.push(joint.id);
    jointRecords[joint.id & MAX_SLOT] = joint;
  }
  const jointsOf = loadJointLists(input, jointRecords);
  if (input.at !== words.length) throw damaged('words are left over');
  const bodies = IdAllocator.load('body', replica.limit, freeBodies.end, freeBodies.ids, bodyIds);
  const shapes = IdAllocator.load('shape', MAX_SLOT, freeShapes.end, freeShapes.ids, shapeIds);
  const joints = IdAllocator.load('joint', MAX_SLOT, freeJoints.end, freeJoints.ids, jointIds);

  const state: ReplicaState = {
    settings,
    gravity,
    hasForces,
    margin,
    bodies,
    shapes,
    joints,
    bodyRecords,
    shapeRecords,
    jointRecords,
    jointsOf,
    geometries,
  };
  const install = () => {
    replica.writer.written++; // a call that is reading its arguments must not continue with old data
    const before = Object.fromEntries(
      Object.keys(state).map((name) => [name, replica[name as keyof ReplicaState]]),
    );
    Object.assign(replica, state);
    return () => void Object.assign(replica, before);
  };
  return Object.assign(install, { state });
}

function settingOf(name: keyof WorldSettings, value: unknown): unknown {
  try {
    return checkSetting(name, value);
  } catch (error) {
    throw damaged((error as Error).message);
  }
}

/** Reads all settings; each must have the type of the current one. */
function loadSettings(input: WordReader, present: WorldSettings): WorldSettings {
  const settings: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const value = input.double();
    const now: unknown = present[name];
    if (typeof now === 'string') settings[name] = ruleNames(name)[value];
    else settings[name] = settingOf(name, typeof now === 'boolean' ? value !== 0 : value);
    if (settings[name] === undefined || Number.isNaN(value)) throw damaged(`setting ${name}`);
  }
  return settings as unknown as WorldSettings;
}

/** Reads cooked geometry by slot. Content that is already present is not checked again. */
function loadGeometries(
  input: WordReader,
  { geometries: present, geometryFault }: Pick<Registry, 'geometries' | 'geometryFault'>,
  contents: readonly SnapshotGeometry[],
): Geometries {
  const geometries = new Geometries();
  for (let i = input.count(); i > 0; i--) {
    const slot = input.int();
    const kind = input.int();
    const length = input.int();
    const content = contents.find((other) => other.slot === slot)?.words;
    if (content?.length !== length) throw damaged(`geometry ${slot}: its content is another`);
    // Content that is already present need not be checked again.
    const known = present.at(slot);
    const same = known !== undefined && known.words === content && known.kind === kind;
    const fault = same ? undefined : geometryFault(kind, content);
    if (fault !== undefined || !(slot > 0 && slot <= MAX_SLOT) || geometries.at(slot) !== undefined)
      throw damaged(`geometry ${slot}: ${fault ?? 'twice, or no slot'}`);
    geometries.put(slot, same ? known : new Geometry(kind, content));
  }
  return geometries;
}

/** Reads the joints of each body, newest first: each joint is exactly once in the list of each of its bodies. */
function loadJointLists(
  input: WordReader,
  jointRecords: readonly (JointRecord | undefined)[],
): Map<number, number[]> {
  const jointsOf = new Map<number, number[]>();
  let ends = 0;
  for (let i = input.count(); i > 0; i--) {
    const body = input.int();
    const list = Array.from({ length: input.count() }, () => input.int());
    for (const id of list) {
      const joint = jointRecords[id & MAX_SLOT];
      if (joint?.id !== id || (joint.bodyA !== body && joint.bodyB !== body))
        throw damaged('a list of joints');
      ends++;
    }
    if (list.length === 0 || new Set(list).size !== list.length || jointsOf.has(body))
      throw damaged('a list of joints');
    jointsOf.set(body, list);
  }
  for (const joint of jointRecords)
    if (joint !== undefined) ends -= joint.bodyA === 0 || joint.bodyB === 0 ? 1 : 2;
  if (ends !== 0) throw damaged('lists of joints');
  return jointsOf;
}

function loadBody(input: WordReader): { body: BodyRecord; shapeCount: number } {
  const id = input.int();
  const flags = input.int();
  const type = flags & 3;
  if (BODY_TYPES[type] === undefined) throw damaged(`body type ${type}`);
  const body: BodyRecord = {
    id,
    type,
    massProps: loadMass(input, flags),
    linearFactor: flags & HAS_FACTORS ? input.vec3() : ONE,
    angularFactor: flags & HAS_FACTORS ? input.vec3() : ONE,
    knobs: flags & HAS_KNOBS ? loadKnobs(input) : flags & HAS_STATIC_KNOBS ? STATIC_KNOBS : KNOBS,
    shapes: [],
  };
  if (flags & WAS_DYNAMIC) {
    const before = loadMass(input, input.int());
    // It becomes the mass of the body later without another check.
    const { mass, inertia } = before;
    const weighs = (moment: number) => moment === 0 || (moment >= MIN_INERTIA && moment <= MAX_INERTIA);
    if (type === BODY_DYNAMIC || !(mass >= MIN_MASS && mass <= MAX_MASS) || !inertia.every(weighs))
      throw damaged('a mass that no body has');
    body.dynamicMass = before;
  }
  return { body, shapeCount: flags >>> 16 };
}

function loadShape(input: WordReader, body: number, geometries: Geometries): ShapeRecord {
  const id = input.int();
  const flags = input.int();
  const type = flags & 255;
  if (SHAPE_TYPES[type] === undefined) throw damaged(`shape type ${type}`);
  const params: ShapeRecord['params'] = [0, 0, 0, 0];
  for (let i = 0; i < PARAM_COUNT; i++) params[i] = input.float();
  const cooked = GEOMETRY_KINDS.includes(type);
  const geometrySlot = cooked ? input.int() : 0;
  const geometry = geometries.at(geometrySlot);
  if (cooked) {
    if (geometry?.kind !== type) throw damaged(`geometry ${geometrySlot}`);
    geometries.count(geometrySlot, 1);
  }
  const record: ShapeRecord = {
    id,
    body,
    type,
    params,
    geometry,
    geometrySlot,
    localPosition: flags & HAS_POSITION ? input.vec3() : ZERO,
    localRotation: flags & HAS_ROTATION ? input.quat() : IDENTITY,
    material:
      flags & HAS_MATERIAL
        ? {
            friction: input.float(),
            restitution: input.float(),
            rollingFriction: input.float(),
            spinningFriction: input.float(),
          }
        : DEFAULT_MATERIAL,
    density: flags & HAS_DENSITY ? input.float() : DEFAULT_DENSITY,
    userIndex: flags & HAS_USER_INDEX ? input.int() : 0,
    margin: flags & HAS_MARGIN ? input.float() : 0,
    sensor: (flags & IS_SENSOR) !== 0,
    sensesStatic: (flags & SENSES_STATIC) !== 0,
    bareToBalls: (flags & BARE_TO_BALLS) !== 0,
  };
  const traits = loadTraits(input, flags);
  if (traits !== undefined) record.traits = traits;
  return record;
}

function loadTraits(input: WordReader, flags: number): ShapeTraits | undefined {
  let traits: ShapeTraits | undefined;
  TRAIT_NAMES.forEach((name, i) => {
    if (!(flags & (FIRST_TRAIT << i))) return;
    const { isFloat } = TRAIT_COMMANDS[name];
    const fields = NO_TRAITS[name].map((_, k) => (isFloat[k + 1] === 1 ? input.float() : input.int()));
    traits = withTrait(traits, name, fields);
  });
  return traits;
}
