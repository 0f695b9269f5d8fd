// Whether a surface may be touched at an edge or a corner of one of its triangles: only where nothing around rises above
// the plane of contact. In: the triangle, the point, the direction. Neighbours in the same surface are found by their
// edges (Voronoi regions, Ericson 5.1.2), those of other surfaces by their distance: so a seam inside a mesh, between
// meshes and between heightfields is no bump.

import { add, dot, identityQuat, lengthSquared, rotate, splat, sub } from '../math/vector';
import { PAIR_CONCAVE } from '../memory/constants';
import { bodyAt, pairAt, shapeAt } from '../memory/tables';
import { LEVEL_CORNERS } from '../tolerances';
import { nearestOnTriangle, nearestPoint } from './closestOnTriangle';
import { Facet, facetCorner } from './facet';
import {
  aroundCorner,
  BORDER,
  beyondEdge,
  cornerAt,
  gathered,
  gatherTriangles,
  RISES,
  Surface,
  setSurface,
  tangentPlane,
  triangleRises,
} from './surface';
import { surfaceContact } from './surfacePoints';

const OTHER: usize = memory.data(offsetof<Surface>(), 16);

/** For queries, which have no body: tests for ridges then ignore other contacts of the body. */
export function askForNobody(): void {
  surfaceContact().body = 0;
  surfaceContact().anyway = 0;
}

/** Whether the surface may be touched along d at the point p of a feature: 0–2 edge, 3–5 corner of the triangle. */
export function isRidge(t: Facet, feature: i32, p: v128, d: v128): bool {
  const plane = tangentPlane(p, d, t.size);
  const around =
    feature < 3
      ? beyondEdge(t.surface, t.index, feature, plane)
      : aroundCorner(t.surface, t.index, feature - 3, plane);
  return around == BORDER ? !anotherRises(p, d, t.size) : around != RISES || surfaceContact().anyway != 0;
}

/** Bit per corner of the triangle with the largest extent along d. */
export function touchingCorners(t: Facet, d: v128): i32 {
  const h0 = dot(d, t.v0);
  const h1 = dot(d, t.v1);
  const h2 = dot(d, t.v2);
  const least = max(h0, max(h1, h2)) - LEVEL_CORNERS * t.size;
  return (h0 >= least ? 1 : 0) | (h1 >= least ? 2 : 0) | (h2 >= least ? 4 : 0);
}

/** Whether the farthest feature of the triangle along d may touch along d. */
export function mayTouchAlong(t: Facet, d: v128): bool {
  const touching = touchingCorners(t, d);
  if (touching == 7) return true;
  const first = touching & 1 ? 0 : touching & 2 ? 1 : 2;
  const isEdge = (touching & (touching - 1)) != 0;
  const edge = touching == 3 ? 0 : touching == 6 ? 1 : 2;
  return isRidge(t, isEdge ? edge : 3 + first, facetCorner(t, first), d);
}

/** Whether another surface that reaches the point p without being joined to it rises above the plane through p. */
function anotherRises(p: v128, d: v128, size: f32): bool {
  const c = surfaceContact();
  if (c.body == 0) return false;
  const at = add(c.position, rotate(c.rotation, p));
  const up = rotate(c.rotation, d);
  const other = changetype<Surface>(OTHER);
  let link = bodyAt(c.body).firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const side = link & 1;
    link = side ? pair.nextB : pair.nextA;
    if (!(pair.flags & PAIR_CONCAVE)) continue;
    const shape = shapeAt(side ? pair.shapeA : pair.shapeB);
    if (<u32>changetype<usize>(shape) == c.anyway) continue;
    setSurface(other, shape, at, identityQuat());
    const room = splat(c.seam);
    const end = gatherTriangles(other, sub(other.origin, room), add(other.origin, room), c.end);
    for (let i = c.end; i < end; i++) {
      const t = gathered(i);
      nearestOnTriangle(cornerAt(other, t, 0), cornerAt(other, t, 1), cornerAt(other, t, 2));
      const nearest = nearestPoint();
      if (lengthSquared(nearest) > c.seam * c.seam) continue;
      if (triangleRises(other, t, tangentPlane(nearest, up, size))) return true;
    }
  }
  return false;
}
