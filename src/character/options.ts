// Options of characters → checked numbers. In: CharacterOptions. Out: Settings, or a PhysicsError that names the
// option. Angles become cosines here, by deterministic functions.
import {
  type BodyId,
  deterministic,
  PhysicsError,
  type QuatLike,
  type QueryShape,
  type RigidBody,
  type ShapeId,
  type ShapeOptions,
  unknownOption,
  type Vec3Like,
} from 'ricochet';
import { length, times, type Vec3 } from './vectors';

/** Returns whether a shape is an obstacle. It must always give the same answer for the same shape, or replays diverge. */
export type CharacterFilter = (body: RigidBody, shape: ShapeId) => boolean;

/** Options of a new character. */
export interface CharacterOptions {
  /** Convex, or a list of convex shapes; a capsule slides best. Its frame is the body's. */
  shape: ShapeOptions | readonly ShapeOptions[] | QueryShape;
  /** An existing static or kinematic body with this shape, e.g. after restore. Default: a new one. */
  body?: RigidBody | BodyId;
  /** m. Default origin; not with `body`. */
  position?: Vec3Like;
  /** Default identity; not with `body`. */
  rotation?: QuatLike;
  /** Away from the ground; normalised. Default y. */
  up?: Vec3Like;
  /** m, 0.001 … 1: the gap that is kept to everything. Default 0.02. */
  offset?: number;
  /** rad, 0 … 1.55: the steepest ground that is climbed. Default 45°. */
  maxSlope?: number;
  /** rad, maxSlope … 1.55: ground up to this is stood on without sliding down. Default maxSlope. */
  slideSlope?: number;
  /** m, ≥ 0: the highest step that is climbed. Default 0.35; 0 for none. */
  stepHeight?: number;
  /** m, ≥ 0: free space that a step must have. Default 0.15. */
  stepWidth?: number;
  /** Whether dynamic bodies are steps, too. Default true. */
  stepOnDynamic?: boolean;
  /** m, ≥ 0: how far down a walking character follows the ground at once. Default 0.35. */
  snapDistance?: number;
  /** m/s², ≥ 0, against `up`. 0: the character flies, and `update` takes all three components. Default 9.81. */
  gravity?: number;
  /** m/s, > 0: fastest fall. Default 55, as in Bullet. */
  fallSpeed?: number;
  /** m/s, > 0: speed of `jump` without an argument. Default 5: 1.27 m high. */
  jumpSpeed?: number;
  /** kg, ≥ 0: its weight on dynamic bodies that it stands on, at most 32 times what they weigh there. Default 70. */
  mass?: number;
  /** N, ≥ 0: maximum force with which it pushes dynamic bodies. Default 300. */
  pushForce?: number;
  /** Filter group of its body and its queries. Default 32, Bullet's CharacterFilter. */
  group?: number;
  /** Default −1, everything. */
  mask?: number;
  /** Called for shapes that pass group and mask. Default none. */
  filter?: CharacterFilter | null;
}

/** The options that can be changed later. */
export interface Settings {
  up: Vec3;
  offset: number;
  maxSlope: number;
  slideSlope: number;
  stepHeight: number;
  stepWidth: number;
  stepOnDynamic: boolean;
  snapDistance: number;
  gravity: number;
  fallSpeed: number;
  jumpSpeed: number;
  mass: number;
  pushForce: number;
  group: number;
  mask: number;
  filter: CharacterFilter | null;
}

const STEEPEST = 1.55;
const FAR = 1e6;

export const DEFAULTS: Settings = {
  up: [0, 1, 0],
  offset: 0.02,
  maxSlope: deterministic.degreesToRadians(45),
  slideSlope: deterministic.degreesToRadians(45),
  stepHeight: 0.35,
  stepWidth: 0.15,
  stepOnDynamic: true,
  snapDistance: 0.35,
  gravity: 9.81,
  fallSpeed: 55,
  jumpSpeed: 5,
  mass: 70,
  pushForce: 300,
  group: 32,
  mask: -1,
  filter: null,
};

/** Least and greatest value of the numbers among them. */
const RANGES: { [name: string]: [min: number, max: number] } = {
  offset: [0.001, 1],
  maxSlope: [0, STEEPEST],
  slideSlope: [0, STEEPEST],
  stepHeight: [0, FAR],
  stepWidth: [0, FAR],
  snapDistance: [0, FAR],
  gravity: [0, FAR],
  fallSpeed: [1e-6, FAR],
  jumpSpeed: [1e-6, FAR],
  mass: [0, FAR],
  pushForce: [0, 1e9],
  group: [-0x80000000, 0xffffffff],
  mask: [-0x80000000, 0xffffffff],
};

export const refused = (argument: string, rule: string, value: unknown): PhysicsError =>
  new PhysicsError('invalid-argument', rule, argument, value);

export function numberIn(value: unknown, argument: string, min: number, max: number): number {
  if (typeof value !== 'number') throw refused(argument, 'must be a number', value);
  if (!Number.isFinite(value)) throw refused(argument, 'must be finite', value);
  if (value < min || value > max) throw refused(argument, `must be from ${min} to ${max}`, value);
  return value;
}

/** Three finite numbers, of an array or of an object with x, y, z. */
export function vectorOf(value: unknown, argument: string): Vec3 {
  const given = value as { readonly [key: string | number]: unknown; length?: number } | null;
  if (typeof given !== 'object' || given === null)
    throw refused(argument, 'must be [x, y, z] or an object with x, y, z', value);
  const indexed = !('x' in given);
  if (indexed && given.length !== 3)
    throw refused(argument, 'must be [x, y, z] or an object with x, y, z', value);
  const part = (i: number) => numberIn(given[indexed ? i : 'xyz'[i]!], `${argument}.${'xyz'[i]}`, -1e9, 1e9);
  return [part(0), part(1), part(2)];
}

const PLACING = ['shape', 'body', 'position', 'rotation'];

/** Checks `changes` and returns `settings` with them; the old ones stay as they are. */
export function settingsWith(settings: Settings, changes: object, placing: boolean): Settings {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    throw refused('options', 'must be an object of options', changes);
  const known = [...Object.keys(DEFAULTS), ...(placing ? PLACING : [])];
  const result: Record<string, unknown> = { ...settings };
  for (const [name, value] of Object.entries(changes)) {
    if (!known.includes(name)) throw unknownOption(name, known);
    if (value === undefined || PLACING.includes(name)) continue;
    const range = RANGES[name];
    if (range !== undefined) {
      result[name] = numberIn(value, name, range[0], range[1]);
      if ((name === 'group' || name === 'mask') && !Number.isInteger(value))
        throw refused(name, 'must be an integer', value);
    } else if (name === 'up') {
      const up = vectorOf(value, name);
      const size = length(up);
      if (!(size > 1e-6)) throw refused(name, 'must not have length 0', value);
      result[name] = times(up, 1 / size);
    } else if (name === 'filter') {
      if (value !== null && typeof value !== 'function') throw refused(name, 'must be a function', value);
      result[name] = value;
    } else {
      if (typeof value !== 'boolean') throw refused(name, 'must be true or false', value);
      result[name] = value;
    }
  }
  const checked = result as unknown as Settings;
  const given = changes as Partial<Settings>;
  if (given.slideSlope === undefined && checked.slideSlope < checked.maxSlope)
    checked.slideSlope = checked.maxSlope;
  if (checked.slideSlope < checked.maxSlope)
    throw refused('slideSlope', 'must be ≥ maxSlope', checked.slideSlope);
  return checked;
}
