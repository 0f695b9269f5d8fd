// Options of bodies → the fields of CREATE_BODY. In: BodyOptions. Out: a draft in which everything is checked and
// computed, so that creating a body cannot fail half-way.

import type { BodyId, ShapeId } from '../base/ids';
import {
  MAX_COEFFICIENT,
  MAX_INERTIA,
  MAX_MASS,
  MAX_SHAPES_PER_BODY,
  MAX_SIZE,
  MAX_VELOCITY,
  MIN_INERTIA,
  MIN_MASS,
} from '../base/limits';
import { IDENTITY, ONE, type Quat, shareQuat, shareVec3, type Vec3, ZERO } from '../base/math';
import {
  COORDINATE,
  checkBoolean,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  quatOf,
  readQuat,
  readVec3,
  SIGNED,
  vec3Of,
} from '../base/validate';
import {
  ACTIVE_TAG,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_NO_RESPONSE,
  BODY_STATIC,
  DISABLE_DEACTIVATION,
  DISABLE_SIMULATION,
  ISLAND_SLEEPING,
  SHAPE_PLANE,
  WANTS_DEACTIVATION,
} from '../core/memory/constants';
import type { ActivationState, BodyOptions, BodyType } from '../types';
import { CreateBody } from '../wasm/core-commands';
import { massProperties } from './massProperties';
import { resolveShapes, SHAPE_TYPES, type ShapeRecord } from './shapes';

/** Names by code. */
export const BODY_TYPES: readonly BodyType[] = (() => {
  const names: BodyType[] = [];
  names[BODY_STATIC] = 'static';
  names[BODY_KINEMATIC] = 'kinematic';
  names[BODY_DYNAMIC] = 'dynamic';
  return names;
})();

/** Bullet's numbers. */
export const ACTIVATION_CODES: Readonly<Record<ActivationState, number>> = {
  active: ACTIVE_TAG,
  sleeping: ISLAND_SLEEPING,
  wantsDeactivation: WANTS_DEACTIVATION,
  disableDeactivation: DISABLE_DEACTIVATION,
  disableSimulation: DISABLE_SIMULATION,
};
export const ACTIVATION_STATES = Object.keys(ACTIVATION_CODES) as ActivationState[];

/** The name of a code. */
export function activationState(code: number): ActivationState {
  return ACTIVATION_STATES.find((name) => ACTIVATION_CODES[name] === code) ?? 'active';
}

/** Mass, principal moments, centre of mass and principal rotation, rounded to f32. All 0 moments: infinite. */
export interface MassRecord {
  mass: number;
  inertia: Vec3;
  centerOfMass: Vec3;
  principalRotation: Quat;
}

/** What every side of a world knows of a body. */
export interface BodyRecord {
  id: BodyId;
  /** BODY_* of the core. */
  type: number;
  massProps: MassRecord;
  /** Of a body that is static or kinematic now: what it had when it was dynamic last, for when it is so again. */
  dynamicMass?: MassRecord | undefined;
  linearFactor: Vec3;
  angularFactor: Vec3;
  /** Replaced as a whole, never changed. */
  knobs: BodyKnobs;
  /** In the order in which they were added. */
  shapes: ShapeId[];
}

/** What a body's user may set and nothing else changes; in f32, as the core has it. */
export interface BodyKnobs {
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly gravityScale: number;
  readonly linearSleepingThreshold: number;
  readonly angularSleepingThreshold: number;
  readonly group: number;
  readonly mask: number;
  readonly userIndex: number;
  readonly ccdMotionThreshold: number;
  readonly ccdSweptSphereRadius: number;
  /** DISABLE_DEACTIVATION or DISABLE_SIMULATION, which last until they are taken back by force; else 0. */
  readonly pinned: number;
}

/** A checked body: the record, its shapes, and the fields of CREATE_BODY (slot and generation still 0). */
export interface BodyDraft {
  record: BodyRecord;
  shapes: ShapeRecord[];
  values: number[];
}

const KNOWN = [
  'type',
  'shape',
  'position',
  'rotation',
  'linearVelocity',
  'angularVelocity',
  'mass',
  'inertia',
  'inertiaOrientation',
  'centerOfMass',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'linearFactor',
  'angularFactor',
  'group',
  'mask',
  'linearSleepingThreshold',
  'angularSleepingThreshold',
  'activationState',
  'ccdMotionThreshold',
  'ccdSweptSphereRadius',
  'contactResponse',
  'userIndex',
] as const satisfies readonly (keyof BodyOptions)[];

/** Bullet's btBroadphaseProxy bits as addRigidBody uses them. */
export const DYNAMIC_FILTER = { group: 1, mask: -1 };
const STATIC_FILTER = { group: 2, mask: ~2 };
/** m/s and rad/s; btRigidBody. */
const LINEAR_SLEEPING_THRESHOLD = 0.8;
const ANGULAR_SLEEPING_THRESHOLD = 1.0;

/** Of most bodies: one object for all of them. */
export const KNOBS: BodyKnobs = Object.freeze({
  linearDamping: 0,
  angularDamping: 0,
  gravityScale: 1,
  linearSleepingThreshold: Math.fround(LINEAR_SLEEPING_THRESHOLD),
  angularSleepingThreshold: ANGULAR_SLEEPING_THRESHOLD,
  ...DYNAMIC_FILTER,
  userIndex: 0,
  ccdMotionThreshold: 0,
  ccdSweptSphereRadius: 0,
  pinned: 0,
});
export const STATIC_KNOBS: BodyKnobs = Object.freeze({ ...KNOBS, ...STATIC_FILTER });
export const KNOB_NAMES = Object.keys(KNOBS) as readonly (keyof BodyKnobs)[];

/** Whether a filter is the default of what does not move: it meets nothing else of that kind, not even the ground. */
export function isStaticFilter({ group, mask }: BodyKnobs): boolean {
  return group === STATIC_FILTER.group && mask === STATIC_FILTER.mask;
}

/** Those of the fields of CREATE_BODY. */
export function knobsOf(values: ArrayLike<number>): BodyKnobs {
  return sharedKnobs({
    linearDamping: Math.fround(values[CreateBody.linearDamping]!),
    angularDamping: Math.fround(values[CreateBody.angularDamping]!),
    gravityScale: Math.fround(values[CreateBody.gravityScale]!),
    linearSleepingThreshold: Math.fround(values[CreateBody.linearSleepingThreshold]!),
    angularSleepingThreshold: Math.fround(values[CreateBody.angularSleepingThreshold]!),
    group: values[CreateBody.group]!,
    mask: values[CreateBody.mask]!,
    userIndex: values[CreateBody.userIndex]!,
    ccdMotionThreshold: Math.fround(values[CreateBody.ccdMotionThreshold]!),
    ccdSweptSphereRadius: Math.fround(values[CreateBody.ccdSweptSphereRadius]!),
    pinned: pinnedBy(values[CreateBody.activationState]!),
  });
}

/** What lasts of an activation state. */
export function pinnedBy(state: number): number {
  return state === DISABLE_DEACTIVATION || state === DISABLE_SIMULATION ? state : 0;
}

/** The same, as one object for all bodies that have nothing of their own. */
export function sharedKnobs(knobs: BodyKnobs): BodyKnobs {
  for (const known of [KNOBS, STATIC_KNOBS])
    if (KNOB_NAMES.every((name) => knobs[name] === known[name])) return known;
  return knobs;
}

const MASS = { min: MIN_MASS, max: MAX_MASS };
const SHARE = NON_NEGATIVE(1);
const VELOCITY = SIGNED(MAX_VELOCITY);
const FACTOR = NON_NEGATIVE(MAX_COEFFICIENT);

function round3(v: ArrayLike<number>): Vec3 {
  return shareVec3([Math.fround(v[0]!), Math.fround(v[1]!), Math.fround(v[2]!)]);
}

/** Mass properties that are given instead of those of the shapes. */
export interface MassOptions {
  /** kg, 1e-9 to 1e15. */
  mass?: unknown;
  /** Principal moments along the body's axes, kg·m²; 0 for infinite. A vector. */
  inertia?: unknown;
  /** m, in the body's frame. A vector. */
  centerOfMass?: unknown;
  /** The rotation of the axes of `inertia` in the body's frame; only beside it. A unit quaternion. Default none. */
  inertiaOrientation?: unknown;
}

/** Mass properties of a body of some type: the user's where given, the shapes' otherwise. */
export function resolveMass(type: number, shapes: readonly ShapeRecord[], given: MassOptions): MassRecord {
  const centerGiven =
    given.centerOfMass === undefined
      ? undefined
      : vec3Of(given.centerOfMass as Vec3, 'centerOfMass', SIGNED(MAX_SIZE));
  if (given.inertiaOrientation !== undefined && given.inertia === undefined)
    throw invalid(
      'inertiaOrientation',
      'is the rotation of inertia, and must stand beside it',
      given.inertiaOrientation,
    );
  if (type !== BODY_DYNAMIC) {
    const name = BODY_TYPES[type]!;
    if (given.mass !== undefined && given.mass !== 0)
      throw invalid('mass', `must be 0 or absent for a ${name} body`, given.mass);
    if (given.inertia !== undefined) throw invalid('inertia', 'is for dynamic bodies only', given.inertia);
    return {
      mass: 0,
      inertia: ZERO,
      centerOfMass: round3(centerGiven ?? ZERO),
      principalRotation: IDENTITY,
    };
  }

  const natural = massProperties(shapes, centerGiven);
  let mass = natural.mass;
  if (given.mass !== undefined) mass = checkNumber(given.mass, 'mass', MASS);
  else if (mass === 0)
    throw invalid('mass', 'must be given for a dynamic body whose shapes have no volume', given.mass);
  else if (!(mass >= MIN_MASS && mass <= MAX_MASS))
    throw invalid('mass', `from the shapes' densities must be from ${MIN_MASS} to ${MAX_MASS} kg`, mass);

  let inertia = natural.inertia;
  let principalRotation = natural.principalRotation;
  if (given.inertia !== undefined) {
    inertia = vec3Of(given.inertia as Vec3, 'inertia', NON_NEGATIVE(MAX_INERTIA));
    principalRotation =
      given.inertiaOrientation === undefined
        ? IDENTITY
        : quatOf(given.inertiaOrientation as Quat, 'inertiaOrientation');
  } else if (natural.mass > 0) {
    const scale = mass / natural.mass;
    inertia = [inertia[0] * scale, inertia[1] * scale, inertia[2] * scale];
  }
  checkMoments(inertia);
  return {
    mass: Math.fround(mass),
    inertia: round3(inertia),
    centerOfMass: round3(natural.centerOfMass),
    principalRotation: shareQuat(principalRotation.map(Math.fround) as Quat),
  };
}

/** Mass properties of a body that becomes dynamic and was so before: what it had then, but for what is given. */
export function resumeMass(
  old: MassRecord | undefined,
  shapes: readonly ShapeRecord[],
  given: MassOptions,
): MassRecord {
  if (old === undefined) return resolveMass(BODY_DYNAMIC, shapes, given);
  const mass = given.mass ?? old.mass;
  if (given.centerOfMass !== undefined || given.inertiaOrientation !== undefined)
    return resolveMass(BODY_DYNAMIC, shapes, {
      ...given,
      mass,
      // Moments are about the centre, and new ones need no new centre; those of the shapes are taken about the one given.
      centerOfMass: given.centerOfMass ?? old.centerOfMass,
    });
  if (given.mass === undefined && given.inertia === undefined) return old;
  return scaleMass(old, mass, given.inertia);
}

/** The same body with another mass, and with other moments if given. */
export function scaleMass(old: MassRecord, mass: unknown, inertia: unknown): MassRecord {
  const scale = checkNumber(mass, 'mass', MASS) / old.mass;
  const moments =
    inertia === undefined
      ? ([old.inertia[0] * scale, old.inertia[1] * scale, old.inertia[2] * scale] as Vec3)
      : vec3Of(inertia as Vec3, 'inertia', NON_NEGATIVE(MAX_INERTIA));
  checkMoments(moments);
  return {
    mass: Math.fround(mass as number),
    inertia: round3(moments),
    centerOfMass: old.centerOfMass,
    principalRotation: inertia === undefined ? old.principalRotation : IDENTITY,
  };
}

function checkMoments(inertia: Vec3): void {
  for (const moment of inertia)
    if (moment !== 0 && !(moment >= MIN_INERTIA && moment <= MAX_INERTIA))
      throw invalid(
        'inertia',
        `must be 0 (infinite) or from ${MIN_INERTIA} to ${MAX_INERTIA} kg·m²`,
        inertia,
      );
}

/** Planes bound a half-space: they cannot move. Surfaces have no inside: nothing that is pushed can be one. */
export function checkShapesFit(type: number, shapes: readonly ShapeRecord[], several: boolean): void {
  shapes.forEach((shape, index) => {
    const argument = several ? `shape[${index}].type` : 'shape.type';
    if (shape.type === SHAPE_PLANE && type !== BODY_STATIC)
      throw invalid(argument, 'must not be a plane unless the body is static', 'plane');
    if (shape.type > SHAPE_PLANE && type === BODY_DYNAMIC) {
      const name = SHAPE_TYPES[shape.type]!;
      throw invalid(
        argument,
        `must not be a ${name} on a dynamic body: make it kinematic, or of convex pieces (compound of hulls)${name === 'mesh' ? ", as dynamic: 'decompose' does" : ''}`,
        name,
      );
    }
  });
}

/** Checks the options of a body and resolves them; changes nothing. */
export function draftBody(options: unknown): BodyDraft {
  const given = checkOptions(options, 'options', KNOWN) as BodyOptions;
  const typeName =
    given.type === undefined
      ? given.mass === 0
        ? 'static' // Bullet's rule
        : 'dynamic'
      : checkOneOf(given.type, 'type', BODY_TYPES);
  const type = BODY_TYPES.indexOf(typeName);
  const meant = resolveShapes(given.shape);
  const shapes = type === BODY_DYNAMIC ? meant.flatMap((shape) => shape.toHulls?.() ?? shape) : meant;
  if (shapes.length > MAX_SHAPES_PER_BODY)
    throw invalid('shape', `must be at most ${MAX_SHAPES_PER_BODY} shapes`, shapes.length);
  checkShapesFit(type, shapes, Array.isArray(given.shape));
  const massProps = resolveMass(type, shapes, given);

  const record: BodyRecord = {
    id: 0,
    type,
    massProps,
    linearFactor: ONE,
    angularFactor: ONE,
    knobs: KNOBS,
    shapes: [],
  };
  const vector = [0, 0, 0, 1];
  const values = [0, 0, type, response(given)];
  const vec3 = (name: keyof BodyOptions, range = COORDINATE, fallback = 0) => {
    vector.fill(fallback);
    if (given[name] !== undefined) readVec3(given[name], name, range, vector);
    values.push(vector[0]!, vector[1]!, vector[2]!);
  };
  const number = (name: keyof BodyOptions, fallback: number, range = SHARE) =>
    void values.push(given[name] === undefined ? fallback : checkNumber(given[name], name, range));
  const word = (name: keyof BodyOptions, fallback: number) =>
    void values.push(given[name] === undefined ? fallback : checkWord(given[name], name));
  const velocity = (name: 'linearVelocity' | 'angularVelocity') => {
    vec3(name, VELOCITY);
    if (type === BODY_STATIC && (vector[0] !== 0 || vector[1] !== 0 || vector[2] !== 0))
      throw invalid(name, 'must be 0 or absent for a static body', given[name]);
  };

  // In the order of CREATE_BODY.
  vec3('position');
  vector[0] = vector[1] = vector[2] = 0;
  vector[3] = 1;
  if (given.rotation !== undefined) readQuat(given.rotation, 'rotation', vector);
  values.push(vector[0]!, vector[1]!, vector[2]!, vector[3]!);
  velocity('linearVelocity');
  velocity('angularVelocity');
  values.push(
    massProps.mass,
    ...massProps.inertia,
    ...massProps.centerOfMass,
    ...massProps.principalRotation,
  );
  number('linearDamping', 0);
  number('angularDamping', 0);
  number('gravityScale', 1, SIGNED(MAX_COEFFICIENT));
  vec3('linearFactor', FACTOR, 1);
  record.linearFactor = round3(vector);
  vec3('angularFactor', FACTOR, 1);
  record.angularFactor = round3(vector);
  number('linearSleepingThreshold', LINEAR_SLEEPING_THRESHOLD, NON_NEGATIVE(MAX_VELOCITY));
  number('angularSleepingThreshold', ANGULAR_SLEEPING_THRESHOLD, NON_NEGATIVE(MAX_VELOCITY));
  // As Bullet's addCollisionObject adds a ghost: it is to see static bodies, too.
  const ghost =
    given.contactResponse === false || (shapes.length > 0 && shapes.every(({ sensor }) => sensor));
  const filter = type === BODY_DYNAMIC || ghost ? DYNAMIC_FILTER : STATIC_FILTER;
  word('group', filter.group);
  word('mask', filter.mask);
  word('userIndex', 0);
  values.push(
    given.activationState === undefined
      ? ACTIVE_TAG
      : ACTIVATION_CODES[checkOneOf(given.activationState, 'activationState', ACTIVATION_STATES)],
  );
  number('ccdMotionThreshold', 0, NON_NEGATIVE(MAX_SIZE));
  number('ccdSweptSphereRadius', 0, NON_NEGATIVE(MAX_SIZE));
  record.knobs = knobsOf(values);
  return { record, shapes, values };
}

function response(given: BodyOptions): number {
  if (given.contactResponse === undefined) return 0;
  return checkBoolean(given.contactResponse, 'contactResponse') ? 0 : BODY_NO_RESPONSE;
}
