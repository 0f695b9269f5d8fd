// Marks bodies that may touch a seam. In: a manifold just written. Out: a mark on the body if the manifold, with a
// stationary body, is not in the interior of a face. Few manifolds pass these tests; seams.ts examines them later.
import { dot, lengthSquared, rotateInverse, splat, sub } from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_SEAM,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_MULTISPHERE,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../memory/constants';
import { Body, ManifoldResult, Pair, Shape } from '../memory/records';
import { bodyAt, shapeAt, velocityAt, world } from '../memory/tables';
import { boxHalfExtents, quatAxisY } from '../shapes/shape';
import { context, StepContext } from '../solver/context';
import { THREADED } from '../threads/mode';
import { LEAST_RIM, LEVEL_NORMALS, LEVEL_TILT, RIM, SEAM_STANDS, SEAM_STILL } from '../tolerances';
import { RESULT_ADDRESS } from './manifold';

/** Marks the bodies of the manifold just written, which is still in RESULT, if it may belong to a seam. */
export function noteSeam(pair: Pair): void {
  if (world().contactErpMode) return; // Bullet's profiles keep its internal edges
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  if (a.type != BODY_DYNAMIC) {
    if (b.type == BODY_DYNAMIC && mayBeSeam(shapeAt(pair.shapeA))) mark(b);
  } else if (b.type != BODY_DYNAMIC) {
    if (mayBeSeam(shapeAt(pair.shapeB))) mark(a);
  } else if (standsStill(a, b)) {
    if (mayBeSeam(shapeAt(pair.shapeB))) mark(a);
  } else if (standsStill(b, a) && mayBeSeam(shapeAt(pair.shapeA))) {
    mark(b);
  }
}

/** Marks only awake bodies: seams.ts visits no others, so the mark on any other body would stay. */
function mark(b: Body): void {
  if (b.awakeIndex < 0 || b.flags & BODY_SEAM) return;
  if (THREADED) {
    // Two threads may have contacts of the same body. They count it once, and nobody else writes its flags meanwhile.
    const flags = changetype<usize>(b) + offsetof<Body>('flags');
    if (!(atomic.or<i32>(flags, BODY_SEAM) & BODY_SEAM))
      atomic.add<i32>(changetype<usize>(context()) + offsetof<StepContext>('seams'), 1);
    return;
  }
  b.flags |= BODY_SEAM;
  context().seams++;
}

/** Whether the manifold may be one with an edge of the shape. */
function mayBeSeam(shape: Shape): bool {
  if (!hasEdges(shape)) return false;
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  // The end of a capsule, not its side.
  if (shape.type == SHAPE_CAPSULE) return abs(dot(quatAxisY(shape.rotation), result.normal)) > LEVEL_TILT;
  return shape.type != SHAPE_BOX || !isInsideFace(shape, result.normal, result.point0);
}

/** @inline */
export function hasEdges(s: Shape): bool {
  return s.type != SHAPE_SPHERE && s.type != SHAPE_MULTISPHERE && s.type != SHAPE_PLANE;
}

/** Whether a dynamic neighbour is stationary compared with M. */
export function standsStill(m: Body, neighbour: Body): bool {
  const v = velocityAt(neighbour.slot).linear;
  const speed2 = lengthSquared(sub(velocityAt(m.slot).linear, v));
  return speed2 > SEAM_STILL * SEAM_STILL && lengthSquared(v) <= SEAM_STANDS * SEAM_STANDS * speed2;
}

/** Whether the contact is with the interior of a face of the box. */
export function isInsideFace(box: Shape, normal: v128, point: v128): bool {
  const along = f32x4.abs(rotateInverse(box.rotation, normal));
  const facing = f32x4.gt(along, splat(<f32>1 - LEVEL_NORMALS));
  if (!v128.any_true(facing)) return false;
  const half = boxHalfExtents(box);
  const p = f32x4.abs(rotateInverse(box.rotation, sub(point, box.position)));
  const rim = f32x4.pmax(f32x4.mul(half, splat(RIM)), splat(LEAST_RIM));
  const inside = v128.or(facing, f32x4.lt(p, sub(half, rim)));
  return (i32x4.bitmask(inside) & 7) == 7;
}
