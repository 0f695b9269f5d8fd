// Options and inputs of characters in the core → words of commands. In: CharacterSetup, CharacterInput. Out: values in
// the order of the commands, or a PhysicsError that names what is wrong. Angles become cosines here, by deterministic
// functions.
import {
  deterministic,
  PhysicsError,
  type ShapeOptions,
  unknownOption,
  type Vec3Like,
  type WorldBody,
} from 'ricochet';
import * as codes from '../core/memory/constants';
import { SetCharacter, SetCharacterInput } from '../wasm/actor-commands';
import {
  type CharacterOptions,
  DEFAULTS,
  numberIn,
  refused,
  type Settings,
  settingsWith,
  vectorOf,
} from './options';

/** Options of a new character in the core. */
export interface CharacterSetup extends CharacterChanges, Pick<CharacterOptions, 'position' | 'rotation'> {
  /** Convex, or up to 16 convex shapes; a capsule slides best. Its frame is the body's. Not with `body`. */
  shape?: ShapeOptions | readonly ShapeOptions[];
  /**
   * Its shapes while it crouches: it rises again where there is room for `shape`. Its feet stay in place if both have them
   * at the same height. Default none: it cannot crouch. Not with `body`.
   */
  crouchShape?: ShapeOptions | readonly ShapeOptions[];
  /** An existing kinematic body, e.g. that of a character of a restored world. Default: a new one. */
  body?: WorldBody | number;
  /** Number of the existing body's shapes that it has standing; the others are for crouching. Default all; only with `body`. */
  standing?: number;
}

type Placing = 'shape' | 'body' | 'position' | 'rotation';

/** Options that can be changed later. */
export interface CharacterChanges extends Omit<CharacterOptions, Placing | 'filter' | 'gravity'> {
  /** Away from the ground; normalised. Default y. With gravity 'world' only until that has a direction. */
  up?: Vec3Like;
  /**
   * m/s², ≥ 0, against `up`; 0: it floats. 'world': gravity of the world and its areas where it is; then it turns itself so
   * that `up` points against it, and walks around planets. Default 9.81.
   */
  gravity?: number | 'world';
  /** Jumps in the air until it lands again, 0 … 1000. Default 0. */
  airJumps?: number;
  /** Whether dynamic bodies that hit it push it: an inelastic impact with its `mass`. Default true. */
  yields?: boolean;
  /** 1/s, ≥ 0: how fast its own velocity (from falling, jumps and hits) fades while it swims or flies. Default 2. */
  drag?: number;
  /**
   * ≥ 0: share of its weight that a liquid carries while it swims; less at the surface, where it comes to rest from 1 on.
   * Default 1.
   */
  buoyancy?: number;
  /** Filter groups of bodies that are ladders: it climbs where it moves towards them. Default 0, none. */
  ladders?: number;
}

/** What a character wants. It stays so until it is changed; a jump and a launch happen once, in the next step. */
export interface CharacterInput {
  /** m/s: wanted velocity. Walking, its component along `up` is not used. Default 0. */
  move?: Vec3Like;
  /** True: `move` is in the frame of its body, e.g. [0, 0, 3] forward. Default false: in world axes. */
  local?: boolean;
  /** rad/s, −1000 … 1000: turns its body about `up`. Default 0. */
  turn?: number;
  /** True: jumps with its `jumpSpeed`; a number: m/s, > 0. From ground, ladders and in liquids, or as `airJumps` allows. */
  jump?: boolean | number;
  /** m/s: added to its velocity; lifts it off the ground. */
  launch?: Vec3Like;
  /** Whether it crouches; it rises as soon as there is room. */
  crouch?: boolean;
  /** 'swim': in liquids all three components of `move` count; elsewhere it walks. 'fly': everywhere, without gravity. */
  mode?: 'walk' | 'swim' | 'fly';
}

const MODES = ['walk', 'swim', 'fly'];
/** Largest number of shapes at once. */
const MOST_SHAPES = 16;
const PLACING = ['shape', 'crouchShape', 'body', 'position', 'rotation', 'standing'];

/** All options that a command carries. */
export interface Checked extends Settings {
  gravity: number;
  follows: boolean;
  airJumps: number;
  yields: boolean;
  drag: number;
  buoyancy: number;
  ladders: number;
}

export const CHECKED: Checked = {
  ...DEFAULTS,
  follows: false,
  airJumps: 0,
  yields: true,
  drag: 2,
  buoyancy: 1,
  ladders: 0,
};

const OWN = ['airJumps', 'yields', 'drag', 'buoyancy', 'ladders'] as const;
const KNOWN = [...Object.keys(DEFAULTS).filter((name) => name !== 'filter'), ...OWN];

/** Settings with changes. Throws before anything is changed. */
export function checked(settings: Checked, changes: object, placing: boolean): Checked {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    throw refused('options', 'must be an object of options', changes);
  const known = placing ? [...KNOWN, ...PLACING] : KNOWN;
  const common: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  let { follows } = settings;
  for (const [name, value] of Object.entries(changes)) {
    if (!known.includes(name)) throw unknownOption(name, known);
    if (value === undefined || PLACING.includes(name)) continue;
    if (name === 'gravity') {
      follows = value === 'world';
      if (follows) continue;
    }
    if ((OWN as readonly string[]).includes(name)) own[name] = ownOption(name, value);
    else common[name] = value;
  }
  return { ...settings, ...settingsWith(settings, common, false), ...own, follows };
}

function ownOption(name: string, value: unknown): unknown {
  if (name === 'yields') return booleanOf(value, name);
  if (name === 'airJumps' || name === 'ladders') {
    const number =
      name === 'airJumps' ? numberIn(value, name, 0, 1000) : numberIn(value, name, -0x80000000, 0xffffffff);
    if (!Number.isInteger(number)) throw refused(name, 'must be an integer', value);
    return number;
  }
  return numberIn(value, name, 0, 1e6);
}

export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw refused(name, 'must be true or false', value);
  return value;
}

/** The command that makes the character of a body or changes its settings. */
export function setupWords(slot: number, s: Checked, standing: number): Float64Array {
  const words = new Float64Array(SetCharacter.standing + 1);
  const { cos } = deterministic;
  words[SetCharacter.body] = slot;
  words[SetCharacter.options] =
    (s.stepOnDynamic ? codes.CHARACTER_STEPS_ON_DYNAMIC : 0) |
    (s.follows ? codes.CHARACTER_FOLLOWS_GRAVITY : 0) |
    (s.yields ? codes.CHARACTER_YIELDS : 0);
  words.set(s.up, SetCharacter.up);
  words[SetCharacter.offset] = s.offset;
  words[SetCharacter.climbCosine] = cos(s.maxSlope);
  words[SetCharacter.standCosine] = cos(s.slideSlope);
  words[SetCharacter.stepHeight] = s.stepHeight;
  words[SetCharacter.stepWidth] = s.stepWidth;
  words[SetCharacter.snapDistance] = s.snapDistance;
  words[SetCharacter.gravity] = s.gravity;
  words[SetCharacter.fallSpeed] = s.fallSpeed;
  words[SetCharacter.jumpSpeed] = s.jumpSpeed;
  words[SetCharacter.airJumps] = s.airJumps;
  words[SetCharacter.mass] = s.mass;
  words[SetCharacter.pushForce] = s.pushForce;
  words[SetCharacter.swimDrag] = s.drag;
  words[SetCharacter.buoyancy] = s.buoyancy;
  words[SetCharacter.group] = s.group | 0;
  words[SetCharacter.mask] = s.mask | 0;
  words[SetCharacter.ladders] = s.ladders | 0;
  words[SetCharacter.standing] = standing;
  return words;
}

/** Parts of an input, and the bit of each that stays until it is changed. */
const INPUTS = {
  move: codes.CHARACTER_GIVES_MOVE,
  local: codes.CHARACTER_GIVES_LOCAL,
  turn: codes.CHARACTER_GIVES_TURN,
  jump: 0,
  launch: 0,
  crouch: codes.CHARACTER_GIVES_CROUCH,
  mode: codes.CHARACTER_GIVES_MODE,
};
const ASKS = { crouch: codes.CHARACTER_ASKS_CROUCH, local: codes.CHARACTER_ASKS_LOCAL };

const jumpOf = (value: unknown): number =>
  typeof value === 'boolean' ? (value ? -1 : 0) : numberIn(value, 'jump', 1e-6, 1e6);

function modeOf(value: unknown): number {
  const mode = MODES.indexOf(value as string);
  if (mode < 0) throw new PhysicsError('invalid-argument', "must be 'walk', 'swim' or 'fly'", 'mode', value);
  return mode;
}

/** The command of an input. What it leaves out the core keeps: in a state that was restored, that of this state. */
export function inputWords(slot: number, input: CharacterInput): Float64Array {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw refused('input', 'must be an object', input);
  const words = new Float64Array(SetCharacterInput.given + 1);
  words[SetCharacterInput.body] = slot;
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(INPUTS, name)) throw unknownOption(name, Object.keys(INPUTS));
    if (value === undefined) continue;
    const part = name as keyof typeof INPUTS;
    words[SetCharacterInput.given]! |= INPUTS[part];
    if (part === 'move' || part === 'launch') words.set(vectorOf(value, part), SetCharacterInput[part]);
    else if (part === 'turn') words[SetCharacterInput.turn] = numberIn(value, part, -1000, 1000);
    else if (part === 'jump') words[SetCharacterInput.jump] = jumpOf(value);
    else if (part === 'mode') words[SetCharacterInput.mode] = modeOf(value);
    else if (booleanOf(value, part)) words[SetCharacterInput.asks]! |= ASKS[part];
  }
  return words;
}

/** Shapes of both postures, standing first; and how many are for standing. */
export function shapesOf(setup: CharacterSetup): { shapes: ShapeOptions[]; standing: number } {
  const list = (given: unknown, name: string): ShapeOptions[] => {
    if (given === undefined) throw refused(name, 'must be a convex shape, or a list of them', given);
    const shapes = Array.isArray(given) ? [...given] : [given as ShapeOptions];
    if (shapes.length === 0 || shapes.length > MOST_SHAPES)
      throw refused(name, `must be 1 to ${MOST_SHAPES} shapes`, shapes.length);
    for (const [i, shape] of shapes.entries()) {
      const type = (shape as { type?: unknown } | null)?.type;
      if (['plane', 'mesh', 'heightfield'].includes(type as string))
        throw refused(`${name}${shapes.length > 1 ? `[${i}]` : ''}.type`, 'must be a convex shape', type);
    }
    return shapes;
  };
  const standing = list(setup.shape, 'shape');
  const crouching = setup.crouchShape === undefined ? [] : list(setup.crouchShape, 'crouchShape');
  // Shapes for another posture meet nothing: the core exchanges them.
  const hidden = crouching.map((shape) => ({ ...shape, group: 0, mask: 0 }));
  return { shapes: [...standing, ...hidden], standing: standing.length };
}
