// Options of Ammo(options): settings for the worlds of its module. In: anything, including options of ammo.js's
// factory. Out: options of the engine's World: the native solver with Bullet 2.82's meaning of parameters, or Bullet's
// solver if a Bullet profile is given.
import { PROFILES, type WorldOptions } from '../index';
import { bad, finite } from './errors';

const DYNAMIC_MESHES = ['pieces', 'decompose', 'hull', 'error'] as const;
/** What a mesh collides as on a body that moves. */
export type DynamicMeshes = (typeof DYNAMIC_MESHES)[number];

/** Options of Ammo(): settings of the worlds that its module makes. */
export interface AmmoOptions extends WorldOptions {
  /**
   * m, ≥ 0: around cones and hulls that setMargin was not called on. Default 0; Bullet's 0.04 in the Bullet profiles.
   * What getMargin, getAabb and calculateLocalInertia tell is Bullet's in any case.
   */
  outerMargin?: number;
  /**
   * What a triangle mesh collides as on a body that moves: quickly made convex pieces, the default; those of `decompose`, which
   * follow the mesh more closely and take up to seconds for each; its hull; or nothing: an error.
   */
  dynamicMeshes?: DynamicMeshes;
}

const KNOWN: ReadonlySet<string> = new Set([
  'profile',
  'maxBodies',
  'profiling',
  'threads',
  'outerMargin',
  'dynamicMeshes',
  ...Object.keys(PROFILES.native),
]);

/** Selects the options of this module from those of an ammo.js factory. */
export function known(options: object): AmmoOptions {
  const found: AmmoOptions = Object.fromEntries(
    Object.entries(options ?? {}).filter(([key]) => KNOWN.has(key)),
  );
  const { outerMargin, dynamicMeshes = 'pieces' } = found;
  if (outerMargin !== undefined && finite(outerMargin, 'Ammo', 'outerMargin') < 0)
    throw bad('Ammo', 'outerMargin', 'must be ≥ 0', outerMargin);
  if (!DYNAMIC_MESHES.includes(dynamicMeshes))
    throw bad('Ammo', 'dynamicMeshes', `must be one of ${DYNAMIC_MESHES.join(', ')}`, dynamicMeshes);
  return found;
}

/** Set by Ammo(options). */
export const defaults: { options: AmmoOptions } = { options: {} };

/** Bullet's CONVEX_DISTANCE_MARGIN, m. */
const BULLET_MARGIN = 0.04;

/** Bullet's defaults: initial gravity, m/s², and the rule of 2.82 for combining rolling friction. */
const MEANING: WorldOptions = { gravity: [0, -10, 0], rollingFrictionCombine: 'multiply' };

/** For a new world: the engine's options, whether it uses Bullet's solver, the margin of cones and hulls, what meshes are that move. */
export function worldOptions(): {
  options: WorldOptions;
  isReplica: boolean;
  outerMargin: number;
  dynamicMeshes: DynamicMeshes;
} {
  const { outerMargin, dynamicMeshes = 'pieces', ...options } = defaults.options;
  const isReplica = options.profile !== undefined && options.profile !== 'native';
  const margin = outerMargin ?? (isReplica ? BULLET_MARGIN : 0);
  return {
    options: isReplica ? options : { ...MEANING, ...options },
    isReplica,
    outerMargin: margin,
    dynamicMeshes,
  };
}
