// One-way surfaces. In: two shapes with poses and velocities. Out: whether the one-way shape lets the other one pass.
// For a shape that has passed completely, or not yet arrived, the surface is solid and there is a manifold. As long as
// there is a manifold the surface stays solid, however deep a load presses. A shape that is still beside or behind the
// surface passes.
import { conjugate, dot, mulQuat, neg, rotate, sub, vec3 } from '../math/vector';
import { BODY_DYNAMIC, SHAPE_ONE_WAY } from '../memory/constants';
import { Motion, Pair, Shape, Surface } from '../memory/records';
import { bodyAt, SURFACE_SIZE, shapeAt, world } from '../memory/tables';
import { extentAlong } from '../narrowphase/convex';
import { SURFACES, traitOf } from '../shapes/traits';
import { expectedMotion, MOTION_A, MOTION_B } from './speculate';

/** Of two convex shapes, or one and a plane, that are about to touch and have no manifold. */
export function isLetThrough(pair: Pair, dt: f32): bool {
  const a = shapeAt(pair.shapeA);
  const b = shapeAt(pair.shapeB);
  if (!((a.flags | b.flags) & SHAPE_ONE_WAY)) return false;
  const mA = expectedMotion(bodyAt(pair.bodyA), a, dt, MOTION_A);
  return letsThrough(a, mA, b, expectedMotion(bodyAt(pair.bodyB), b, dt, MOTION_B));
}

/** Whether one of the shapes lets the other pass: by where they stand, and where their motions take them. */
export function letsThrough(a: Shape, mA: Motion, b: Shape, mB: Motion): bool {
  return lets(a, mA, b, mB) || lets(b, mB, a, mA);
}

function lets(own: Shape, m: Motion, other: Shape, comes: Motion): bool {
  if (!(own.flags & SHAPE_ONE_WAY) || bodyAt(other.body).type != BODY_DYNAMIC) return false;
  const row = changetype<Surface>(traitOf(SURFACES, SURFACE_SIZE, own.slot));
  const turned = mulQuat(m.rotation, conjugate(own.localRotation));
  const way = rotate(turned, vec3(row.wayX, row.wayY, row.wayZ));
  const low = -extentAlong(other, comes.position, comes.rotation, neg(way));
  const gap = low - extentAlong(own, m.position, m.rotation, way);
  if (gap >= 0) return false;
  // What comes out is not lifted by the last bit of its own.
  return gap < -world().contactBreakingThreshold || dot(sub(comes.delta, m.delta), way) > 0;
}
