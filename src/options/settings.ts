// All settings of the step: default, range, reason, and the three profiles. In: the user's options. Out: checked
// settings, and the 30 words of SET_SETTINGS in the order of the core's World record. docs/step.md has the table of
// Bullet's names and these settings.

import { acos, cos, degreesToRadians } from '../base/math';
import {
  checkBoolean,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkOptions,
  type NumberArray,
} from '../base/validate';
import {
  COMBINE_AVERAGE,
  COMBINE_GEOMETRIC_MEAN,
  COMBINE_MAXIMUM,
  COMBINE_MINIMUM,
  COMBINE_MULTIPLY,
  ROLLING_CROSS_FRICTION,
  ROLLING_FIRST_RULE,
} from '../core/memory/constants';
import type { CombineRule, Profile, RollingCombineRule, WorldSettings } from '../types';

/** Codes of the core, by position. */
export const COMBINE_RULES: readonly CombineRule[] = [];
(COMBINE_RULES as CombineRule[])[COMBINE_MULTIPLY] = 'multiply';
(COMBINE_RULES as CombineRule[])[COMBINE_AVERAGE] = 'average';
(COMBINE_RULES as CombineRule[])[COMBINE_MINIMUM] = 'minimum';
(COMBINE_RULES as CombineRule[])[COMBINE_MAXIMUM] = 'maximum';
(COMBINE_RULES as CombineRule[])[COMBINE_GEOMETRIC_MEAN] = 'geometricMean';
/** Likewise of rolling and spinning friction. */
export const ROLLING_RULES: readonly RollingCombineRule[] = [];
(ROLLING_RULES as RollingCombineRule[])[ROLLING_CROSS_FRICTION] = 'crossFriction';
for (const [code, rule] of COMBINE_RULES.entries())
  (ROLLING_RULES as RollingCombineRule[])[ROLLING_FIRST_RULE + code] = rule;

type Kind =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'number'; min: number; max: number; open?: boolean }
  | { kind: 'boolean' }
  | { kind: 'rule'; names: readonly string[] };

const integer = (min: number, max: number): Kind => ({ kind: 'integer', min, max });
const number = (min: number, max: number): Kind => ({ kind: 'number', min, max });
const positive = (max: number): Kind => ({ kind: 'number', min: 0, max, open: true });

/** What each setting may be. The order is that of the core's record. */
const KINDS: Record<keyof WorldSettings, Kind> = {
  substeps: integer(1, 64),
  iterations: integer(0, 1000),
  relaxIterations: integer(0, 1000),
  frictionWithBias: { kind: 'boolean' },
  contactErpMode: { kind: 'boolean' },
  contactHertz: positive(1e6),
  contactDampingRatio: number(0, 1e6),
  staticStiffness: positive(1e6),
  contactErp: number(0, 1),
  contactCfm: number(0, 1e6),
  contactPushSpeed: number(0, 1e9),
  contactSlop: number(0, 1e3),
  warmstartingFactor: number(0, 1),
  restitutionThreshold: number(0, 1e9),
  contactBreakingThreshold: positive(1e3),
  recycleDistance: number(0, 1e3),
  recycleAngle: number(0, 179),
  aabbMargin: number(0, 1e3),
  sleeping: { kind: 'boolean' },
  deactivationTime: number(0, 1e9),
  sleepDistance: number(0, 1e3),
  frictionCombine: { kind: 'rule', names: COMBINE_RULES },
  restitutionCombine: { kind: 'rule', names: COMBINE_RULES },
  gyroscopic: { kind: 'boolean' },
  parabolicFlight: { kind: 'boolean' },
  rollingFrictionCombine: { kind: 'rule', names: ROLLING_RULES },
  continuous: { kind: 'boolean' },
};

export const SETTING_NAMES = Object.keys(KINDS) as readonly (keyof WorldSettings)[];

/** Of a setting that is a rule: the names, by code. */
export function ruleNames(name: keyof WorldSettings): readonly string[] {
  const kind = KINDS[name];
  return kind.kind === 'rule' ? kind.names : [];
}

/** The default: a soft step of small substeps, one biased and one relaxing iteration each. */
const NATIVE: WorldSettings = {
  substeps: 5, // docs/decisions.md, Solver
  iterations: 1,
  relaxIterations: 1,
  frictionWithBias: false,
  contactErpMode: false,
  contactHertz: 60, // a fifth of the substep rate at 60 Hz: stiffer, and a cold pyramid of 465 spreads
  contactDampingRatio: 2, // overlap is pushed out without bounce; higher lets a pyramid of 465 sink further
  staticStiffness: 2, // nothing gives way on the static side
  contactErp: 0.2,
  contactCfm: 0,
  contactPushSpeed: 1, // m/s; faster and a heap of overlapping boxes bursts apart
  contactSlop: 0, // m of overlap left alone; speculative contacts keep resting contacts from flickering
  warmstartingFactor: 1,
  restitutionThreshold: 0.1, // m/s; slower impacts do not bounce
  contactBreakingThreshold: 0.02, // m, Bullet's gContactBreakingThreshold
  recycleDistance: 0.005, // m
  recycleAngle: 2, // degrees
  aabbMargin: 0.05, // m, Bullet's gDbvtMargin
  sleeping: true,
  deactivationTime: 2, // s, Bullet's gDeactivationTime
  sleepDistance: 0.05, // m in half of that time: 5 cm/s, a little less than what Jolt takes for rest
  frictionCombine: 'multiply',
  restitutionCombine: 'multiply',
  gyroscopic: true,
  parabolicFlight: true,
  rollingFrictionCombine: 'crossFriction', // Bullet 3's: a lever means the same on every ground
  continuous: true, // nothing fast passes through what does not move by itself
};

/** Bullet 3.x: one step, ten iterations, error reduction apart from the velocities (split impulse). */
const BULLET3: WorldSettings = {
  ...NATIVE,
  substeps: 1,
  iterations: 10,
  relaxIterations: 1,
  frictionWithBias: true,
  contactErpMode: true,
  contactErp: 0.2,
  contactCfm: 0,
  contactSlop: 0,
  warmstartingFactor: 0.85,
  restitutionThreshold: 0.2,
  parabolicFlight: false,
  continuous: false, // Bullet: only bodies with a motion threshold
  sleepDistance: 0, // Bullet: speeds alone
};

/** Bullet 2.82, as bundled by ammo.js. */
const BULLET282: WorldSettings = {
  ...BULLET3,
  contactErp: 0.8,
  restitutionThreshold: 0,
  gyroscopic: false,
  rollingFrictionCombine: 'multiply',
};

/** The named sets of settings; copies are handed out, the sets themselves are frozen. */
export const PROFILES: Readonly<Record<Profile, Readonly<WorldSettings>>> = Object.freeze({
  native: Object.freeze(NATIVE),
  bullet3: Object.freeze(BULLET3),
  bullet282: Object.freeze(BULLET282),
});

const PROFILE_NAMES = Object.keys(PROFILES) as Profile[];

/** m/s²; Bullet's own default in its profiles. */
export const DEFAULT_GRAVITY: Readonly<Record<Profile, readonly [number, number, number]>> = {
  native: [0, -9.81, 0],
  bullet3: [0, -10, 0],
  bullet282: [0, -10, 0],
};

export function checkProfile(value: unknown): Profile {
  return value === undefined ? 'native' : checkOneOf(value, 'profile', PROFILE_NAMES);
}

/**
 * `base` with every setting that `changes` gives. Throws before anything is changed; keys that are no
 * settings are an error unless listed in `others`.
 */
export function mergeSettings(
  base: Readonly<WorldSettings>,
  changes: unknown,
  others: readonly string[] = [],
): WorldSettings {
  const given = checkOptions(changes, 'options', [...SETTING_NAMES, ...others]);
  const merged: Record<string, unknown> = { ...base };
  for (const name of SETTING_NAMES) {
    const value = given[name];
    if (value === undefined) continue;
    const kind = KINDS[name];
    merged[name] = 'names' in kind ? checkOneOf(value, name, kind.names) : checkSetting(name, value);
  }
  return merged as unknown as WorldSettings;
}

/** A setting that is a number or a boolean: it, if it is in range. */
export function checkSetting(name: keyof WorldSettings, value: unknown): unknown {
  const kind = KINDS[name];
  if (kind.kind === 'integer') return checkInteger(value, name, kind.min, kind.max);
  if (kind.kind === 'number') return checkNumber(value, name, kind);
  return checkBoolean(value, name);
}

/** What the host of a world adds to the settings: which outputs it wants. */
export interface HostSettings {
  /** Bit n: events of type n are recorded. */
  eventMask: number;
  profiling: boolean;
  pairFilter: boolean;
}

export const SETTINGS_WORDS = 30;

/** The words of SET_SETTINGS, as numbers, into `out[at…at + 29]`. */
export function encodeSettings(
  settings: Readonly<WorldSettings>,
  host: Readonly<HostSettings>,
  out: NumberArray,
  at = 0,
): void {
  for (const name of SETTING_NAMES) {
    const value = settings[name];
    if (name === 'recycleAngle') {
      // The core compares cos² of half the angle with the square of a quaternion's dot product.
      const c = cos(degreesToRadians(settings.recycleAngle) / 2);
      out[at++] = c * c;
    } else if (typeof value === 'number') out[at++] = value;
    else if (typeof value === 'boolean') out[at++] = value ? 1 : 0;
    else out[at++] = ruleNames(name).indexOf(value);
  }
  out[at++] = host.eventMask;
  out[at++] = host.profiling ? 1 : 0;
  out[at++] = host.pairFilter ? 1 : 0;
}

/** The inverse of `encodeSettings`; angles come back rounded to f32. */
export function decodeSettings(
  words: ArrayLike<number>,
  at = 0,
): { settings: WorldSettings; host: HostSettings } {
  const settings: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const word = words[at++]!;
    if (name === 'recycleAngle') {
      const halfAngle = acos(Math.sqrt(Math.min(1, Math.max(0, word))));
      settings[name] = (halfAngle / degreesToRadians(1)) * 2;
    } else if (KINDS[name].kind === 'boolean') settings[name] = word !== 0;
    else if (KINDS[name].kind === 'rule') settings[name] = ruleNames(name)[word];
    else settings[name] = word;
  }
  const host = { eventMask: words[at++]!, profiling: words[at++] !== 0, pairFilter: words[at++] !== 0 };
  return { settings: settings as unknown as WorldSettings, host };
}
