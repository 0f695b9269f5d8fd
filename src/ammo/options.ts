// What Ammo(options) takes: settings for the worlds that its module makes. In: anything, other options of ammo.js's
// factory among it. Out: options of the engine's World: the native solver with what Bullet 2.82 means by its
// numbers, or, where a profile of Bullet is named, Bullet's solver.
import { PROFILES, type WorldOptions } from '../index';
import { bad, finite } from './errors';

/** Options of Ammo(): settings of the worlds that its module makes. */
export interface AmmoOptions extends WorldOptions {
  /**
   * m, ≥ 0: around cones and hulls that setMargin was not called on. Default 0; Bullet's 0.04 in the Bullet profiles.
   * What getMargin, getAabb and calculateLocalInertia tell is Bullet's in any case.
   */
  outerMargin?: number;
}

const KNOWN: ReadonlySet<string> = new Set([
  'profile',
  'maxBodies',
  'profiling',
  'outerMargin',
  ...Object.keys(PROFILES.native),
]);

/** The options among those of a factory of ammo.js. */
export function known(options: object): AmmoOptions {
  const found: AmmoOptions = Object.fromEntries(
    Object.entries(options ?? {}).filter(([key]) => KNOWN.has(key)),
  );
  const { outerMargin } = found;
  if (outerMargin !== undefined && finite(outerMargin, 'Ammo', 'outerMargin') < 0)
    throw bad('Ammo', 'outerMargin', 'must be ≥ 0', outerMargin);
  return found;
}

/** Set by Ammo(options). */
export const defaults: { options: AmmoOptions } = { options: {} };

/** Bullet's CONVEX_DISTANCE_MARGIN, m. */
const BULLET_MARGIN = 0.04;

/** Bullet's own: its gravity at first, m/s², and the rule of 2.82 by which rolling friction combines. */
const MEANING: WorldOptions = { gravity: [0, -10, 0], rollingFrictionCombine: 'multiply' };

/** For a new world: options of the engine's, whether it is Bullet's solver, and the margin of cones and hulls. */
export function worldOptions(): { options: WorldOptions; isReplica: boolean; outerMargin: number } {
  const { outerMargin, ...options } = defaults.options;
  const isReplica = options.profile !== undefined && options.profile !== 'native';
  const margin = outerMargin ?? (isReplica ? BULLET_MARGIN : 0);
  return {
    options: isReplica ? options : { ...MEANING, ...options },
    isReplica,
    outerMargin: margin,
  };
}
