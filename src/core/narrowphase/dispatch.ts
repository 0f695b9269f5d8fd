// Contact between two shapes of any types. In: two shapes with current world poses. Out: a manifold with its normal
// from a to b; if they are out of reach of each other, count is 0 and separation0 is a lower bound of their
// distance.
//
//                sphere   capsule  box     hull, cylinder, cone,    plane     mesh,
//                                          multi-sphere, triangle             heightfield
//   sphere       closed   closed   closed  convex                   closed    surface
//   capsule      (flip)   closed   SAT*    convex                   closed    surface
//   box          (flip)   (flip)   SAT*    convex                   closed    surface
//   hull …       convex   convex   convex  convex                   features  surface
//   plane        (flip)   (flip)   (flip)  (flip)                   –         –
//   mesh …       surface  surface  surface surface                  –         –
//
// * and closest features if the shapes are separate.
// convex: the last face if still valid, otherwise GJK and EPA, then clipped features (convexContact.ts).
// surface: each triangle near the shape, then clusters (concave.ts, called by contacts/concave.ts, not from here).
// –: no contact. A compound is a list of shapes in the world's tree: each of them forms its own pairs.
// A pair below the diagonal calls its mirror image and reverses the normal.

import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_PLANE, SHAPE_SPHERE, SHAPE_TYPE_COUNT } from '../memory/constants';
import { ManifoldResult } from '../memory/records';
import { Reach, Shapes } from '../memory/values';
import { INFINITE } from '../tolerances';
import { collideBoxBox } from './boxBox';
import { collideCapsuleBox } from './capsuleBox';
import { collideConvex, collideConvexPlane } from './convexContact';
import { flip } from './manifold';
import { collideBoxPlane, collideCapsulePlane, collideSpherePlane } from './plane';
import { collideCapsuleCapsule, collideSphereCapsule, collideSphereSphere } from './round';
import { collideSphereBox } from './sphereBox';

/** @inline */
function pairOf(typeA: i32, typeB: i32): i32 {
  return typeA * SHAPE_TYPE_COUNT + typeB;
}

export function collideShapes(shapes: Shapes, reach: Reach, cache: i32, out: ManifoldResult): void {
  const maxSeparation = reach.most;
  const a = shapes.a;
  const b = shapes.b;
  out.count = 0;
  out.cache = 0;
  switch (pairOf(a.type, b.type)) {
    case pairOf(SHAPE_BOX, SHAPE_BOX):
      return collideBoxBox(shapes, reach, cache, out);

    case pairOf(SHAPE_SPHERE, SHAPE_SPHERE):
      return collideSphereSphere(a, b, maxSeparation, out);
    case pairOf(SHAPE_SPHERE, SHAPE_CAPSULE):
      return collideSphereCapsule(a, b, maxSeparation, out);
    case pairOf(SHAPE_SPHERE, SHAPE_BOX):
      return collideSphereBox(a, b, maxSeparation, out);
    case pairOf(SHAPE_SPHERE, SHAPE_PLANE):
      return collideSpherePlane(a, b, maxSeparation, out);

    case pairOf(SHAPE_CAPSULE, SHAPE_CAPSULE):
      return collideCapsuleCapsule(a, b, maxSeparation, out);
    case pairOf(SHAPE_CAPSULE, SHAPE_BOX):
      return collideCapsuleBox(a, b, maxSeparation, out);
    case pairOf(SHAPE_CAPSULE, SHAPE_PLANE):
      return collideCapsulePlane(a, b, maxSeparation, out);

    case pairOf(SHAPE_BOX, SHAPE_PLANE):
      return collideBoxPlane(a, b, maxSeparation, out);

    // Below the diagonal.
    case pairOf(SHAPE_CAPSULE, SHAPE_SPHERE):
      collideSphereCapsule(b, a, maxSeparation, out);
      return flip(out);
    case pairOf(SHAPE_BOX, SHAPE_SPHERE):
      collideSphereBox(b, a, maxSeparation, out);
      return flip(out);
    case pairOf(SHAPE_BOX, SHAPE_CAPSULE):
      collideCapsuleBox(b, a, maxSeparation, out);
      return flip(out);
    case pairOf(SHAPE_PLANE, SHAPE_SPHERE):
      collideSpherePlane(b, a, maxSeparation, out);
      return flip(out);
    case pairOf(SHAPE_PLANE, SHAPE_CAPSULE):
      collideCapsulePlane(b, a, maxSeparation, out);
      return flip(out);
    case pairOf(SHAPE_PLANE, SHAPE_BOX):
      collideBoxPlane(b, a, maxSeparation, out);
      return flip(out);

    default:
      if (a.type < SHAPE_PLANE && b.type < SHAPE_PLANE) return collideConvex(shapes, reach, cache, out);
      if (a.type < SHAPE_PLANE && b.type == SHAPE_PLANE)
        return collideConvexPlane(shapes, maxSeparation, cache, out);
      if (b.type < SHAPE_PLANE && a.type == SHAPE_PLANE) {
        collideConvexPlane(new Shapes(b, a), maxSeparation, cache, out);
        return flip(out);
      }
      out.separation0 = INFINITE;
  }
}

/** The same for shapes that do not move: contacts up to `maxSeparation`. @inline */
export function collideAtRest(shapes: Shapes, maxSeparation: f32, out: ManifoldResult): void {
  collideShapes(shapes, new Reach(maxSeparation, maxSeparation, 0, f32x4.splat(0)), 0, out);
}
