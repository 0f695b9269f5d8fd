// One-way surfaces. In: two shapes with poses and velocities. Out: whether the one-way shape lets the other one pass.
// The surface is solid for shapes that have passed it completely or have not reached it yet; these get a manifold.
// While there is a manifold the surface stays solid, however deep a load presses. A shape beside or behind the surface
// passes.
import { add, conjugate, dot, mulQuat, neg, rotate, sub, vec3 } from '../math/vector';
import { BODY_DYNAMIC, SHAPE_NO_RESPONSE, SHAPE_ONE_WAY, SHAPE_PLANE } from '../memory/constants';
import { Motion, Pair, Shape, Surface } from '../memory/records';
import { bodyAt, SURFACE_SIZE, shapeAt, world } from '../memory/tables';
import { extentAlong } from '../narrowphase/convex';
import { SURFACES, traitOf } from '../shapes/traits';
import { INFINITE } from '../tolerances';
import { expectedMotion, MOTION_A, MOTION_B } from './speculate';

/** For two convex shapes, or one and a plane, that are about to touch and have no manifold. */
export function isLetThrough(pair: Pair, dt: f32): bool {
  const a = shapeAt(pair.shapeA);
  const b = shapeAt(pair.shapeB);
  if (!((a.flags | b.flags) & SHAPE_ONE_WAY)) return false;
  const mA = expectedMotion(bodyAt(pair.bodyA), a, dt, MOTION_A);
  return letsThrough(a, mA, b, expectedMotion(bodyAt(pair.bodyB), b, dt, MOTION_B));
}

/** Whether one of the shapes lets the other pass, judged by their positions and motions. */
export function letsThrough(a: Shape, mA: Motion, b: Shape, mB: Motion): bool {
  return lets(a, mA, b, mB) || lets(b, mB, a, mA);
}

function lets(own: Shape, m: Motion, other: Shape, comes: Motion): bool {
  if (!(own.flags & SHAPE_ONE_WAY) || bodyAt(other.body).type != BODY_DYNAMIC) return false;
  const row = changetype<Surface>(traitOf(SURFACES, SURFACE_SIZE, own.slot));
  const turned = mulQuat(m.rotation, conjugate(own.localRotation));
  const way = rotate(turned, vec3(row.wayX, row.wayY, row.wayZ));
  const low = lowestOf(own, other, comes, way);
  const gap = low - extentAlong(own, m.position, m.rotation, way);
  if (gap >= 0) return false;
  // A small penetration from rounding must not lift a shape that has just come out.
  return gap < -world().contactBreakingThreshold || dot(sub(comes.delta, m.delta), way) > 0;
}

/**
 * How far back along `way` the shapes reach that come together with `other`: of a body of several parts, none stands on the
 * surface before all are through.
 */
function lowestOf(own: Shape, other: Shape, comes: Motion, way: v128): f32 {
  const turned = mulQuat(comes.rotation, conjugate(other.rotation));
  let low: f32 = INFINITE;
  for (let slot = bodyAt(other.body).firstShape; slot != 0; slot = shapeAt(slot).next) {
    const s = shapeAt(slot);
    if (s.type >= SHAPE_PLANE || s.flags & SHAPE_NO_RESPONSE) continue;
    if (!(s.group & own.mask) || !(own.group & s.mask)) continue; // it passes anyway
    const place = add(comes.position, rotate(turned, sub(s.position, other.position)));
    low = min(low, -extentAlong(s, place, mulQuat(turned, s.rotation), neg(way)));
  }
  return low;
}
