// Small helpers with the names of @react-three/rapier. In: objects with x, y, z. Out: three.js's own; bits of groups.
import { Euler, Quaternion, Vector3 } from 'three';

/** A Vector3 from anything with x, y, z; default the origin. */
export const vec3 = ({ x, y, z } = { x: 0, y: 0, z: 0 }) => new Vector3(x, y, z);
/** A Quaternion; default the identity. */
export const quat = ({ x, y, z, w } = { x: 0, y: 0, z: 0, w: 1 }) => new Quaternion(x, y, z, w);
/** An Euler from angles in rad; default 0. */
export const euler = ({ x, y, z } = { x: 0, y: 0, z: 0 }) => new Euler(x, y, z);

const bitsOf = (groups: number | readonly number[]) =>
  [groups].flat().reduce<number>((bits, group) => bits | (1 << group), 0);

/**
 * Groups for `collisionGroups`: two collide when each is a member of a group that the other collides with.
 *
 * @param memberships  groups that the body is in, 0 … 15
 * @param filters  groups that it collides with, 0 … 15. Default all
 */
export const interactionGroups = (
  memberships: number | readonly number[],
  filters?: number | readonly number[],
): number => (bitsOf(memberships) << 16) + (filters === undefined ? 0xffff : bitsOf(filters));

/** Which kinds of bodies tell events of each other; Rapier's bits. */
export const ActiveCollisionTypes = {
  DYNAMIC_DYNAMIC: 0x0001,
  DYNAMIC_KINEMATIC: 0x000c,
  DYNAMIC_FIXED: 0x0002,
  KINEMATIC_KINEMATIC: 0xcc00,
  KINEMATIC_FIXED: 0x2200,
  FIXED_FIXED: 0x0020,
  /** One of the two is dynamic. */
  DEFAULT: 0x000f,
  ALL: 0xee0f,
} as const;

export const ALL_GROUPS = 0xffff;

/** How the coefficients of two colliders become one; Rapier's numbers. */
export const CoefficientCombineRule = { Average: 0, Min: 1, Multiply: 2, Max: 3 } as const;
export type CoefficientCombineRule = (typeof CoefficientCombineRule)[keyof typeof CoefficientCombineRule];

/** Names of the same rules, indexed by Rapier's numbers. */
export const COMBINE_RULES = ['average', 'minimum', 'multiply', 'maximum'] as const;

/** Converts Rapier's groups to Bullet's bits; all groups if undefined. */
export function filterOf(groups: number | undefined): { group: number; mask: number } {
  const all = groups ?? 0xffffffff;
  return { group: (all >>> 16) & ALL_GROUPS, mask: all & ALL_GROUPS };
}
