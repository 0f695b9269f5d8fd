// The public API of a registry: all calls that change a world, checked here once for World and the worker client. In:
// calls. Out: commands in `writer`, and ids. A call that throws changes nothing. This file is about the world itself;
// bodies, their properties and joints are in the classes below.

import { MAX_SLOT } from '../base/ids';
import { MAX_FORCE, MAX_GRAVITY, MAX_SIZE, MAX_TIME_STEP, MIN_TIME_STEP } from '../base/limits';
import {
  COORDINATE,
  checkBoolean,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  readVec3,
  SIGNED,
  vec3Of,
} from '../base/validate';
import { geometryFault } from '../cooking/geometryWords';
import { eventMask } from '../events/eventTypes';
import {
  checkProfile,
  DEFAULT_GRAVITY,
  encodeSettings,
  mergeSettings,
  PROFILES,
  SETTING_NAMES,
} from '../options/settings';
import { BULLET_MARGIN } from '../options/shapes';
import { FALLOFFS } from '../options/traits';
import type { ExplosionOptions, Vec3Like, WorldOptions, WorldSettings } from '../types';
import * as rows from '../wasm/core-commands';
import { Explode, Step } from '../wasm/core-commands';
import { ReplicaJoints } from './replicaJoints';

const TIME_STEP = { min: MIN_TIME_STEP, max: MAX_TIME_STEP };
/** Options of a world that are not settings. */
export const OTHER_OPTIONS = [
  'gravity',
  'profile',
  'events',
  'maxBodies',
  'profiling',
  'deterministic',
  'threads',
];

/** A whole fixed step in seconds. */
export function checkTimeStep(dt: unknown, argument = 'dt'): number {
  return Math.fround(checkNumber(dt, argument, TIME_STEP));
}

export class Replica extends ReplicaJoints {
  /** Checks the options and writes the first commands of the stream: gravity and settings. */
  constructor(options: WorldOptions = {}) {
    const given = checkOptions(options, 'options', [...SETTING_NAMES, ...OTHER_OPTIONS]) as WorldOptions;
    const profile = checkProfile(given.profile);
    const settings = mergeSettings(PROFILES[profile], given, OTHER_OPTIONS);
    const gravity = given.gravity === undefined ? DEFAULT_GRAVITY[profile] : given.gravity;
    super({
      settings,
      geometryFault,
      gravity: vec3Of(gravity, 'gravity', SIGNED(MAX_GRAVITY)),
      limit:
        given.maxBodies === undefined ? MAX_SLOT : checkInteger(given.maxBodies, 'maxBodies', 1, MAX_SLOT),
      host: {
        eventMask: given.events === undefined ? 0 : eventMask(given.events, 'events'),
        profiling: given.profiling === undefined ? false : checkBoolean(given.profiling, 'profiling'),
        pairFilter: false,
      },
    });
    if (given.threads !== undefined && given.threads !== 'auto') checkInteger(given.threads, 'threads', 1, 8);
    if (given.deterministic !== undefined) checkBoolean(given.deterministic, 'deterministic');
    this.margin = profile === 'native' ? 0 : Math.fround(BULLET_MARGIN);
    this.writeGravity();
    this.writeSettings();
  }

  setGravity(gravity: Vec3Like): void {
    this.gravity = vec3Of(gravity, 'gravity', SIGNED(MAX_GRAVITY));
    this.writeGravity();
  }

  /** See PhysicsWorld. */
  explode(at: Vec3Like, radius: number, impulse: number, options: ExplosionOptions = {}): void {
    const { values } = this;
    const { disturbance } = this;
    const given = checkOptions(options, 'options', ['falloff', 'occlusion', 'group', 'mask']);
    const { falloff = 'linear', occlusion = true, group = 1, mask = -1 } = given as ExplosionOptions;
    values[Explode.radius] = checkNumber(radius, 'radius', { min: 0, max: MAX_SIZE, open: true });
    values[Explode.impulse] = checkNumber(impulse, 'impulse', SIGNED(MAX_FORCE));
    values[Explode.falloff] = FALLOFFS.indexOf(checkOneOf(falloff, 'falloff', FALLOFFS));
    values[Explode.occlusion] = checkBoolean(occlusion, 'occlusion') ? 1 : 0;
    values[Explode.group] = checkWord(group, 'group');
    values[Explode.mask] = checkWord(mask, 'mask');
    readVec3(at, 'at', COORDINATE, values, Explode.position);
    this.checkUndisturbed(disturbance);
    this.writer.write(rows.explode, values);
  }

  /** Changes some settings; the others are kept. */
  updateSettings(changes: Partial<WorldSettings>): void {
    this.settings = mergeSettings(this.settings, changes);
    this.writeSettings();
  }

  private writeGravity(): void {
    this.writer.write(rows.setGravity, this.gravity);
  }

  private writeSettings(): void {
    encodeSettings(this.settings, this.host, this.values);
    this.writer.write(rows.setSettings, this.values);
  }

  /** Ends a step in a stream or a recording: World.step splits the stream there; the core does not get this command. */
  step(dt: number): void {
    this.values[Step.dt] = checkTimeStep(dt);
    this.writer.write(rows.step, this.values);
  }
}
