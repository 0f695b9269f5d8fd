// Triangles and multi-spheres: points with radii. In: the address of a PointGeometry. Out: single points, and the
// support point in a direction, including its radius. Everything in the shape's own frame.

import { addScaled, dot, length, w } from '../math/vector';
import { PointGeometry } from '../memory/records';

const HEADER: usize = offsetof<PointGeometry>();

/** x, y, z, radius. @inline */
export function pointWithRadius(p: PointGeometry, i: i32): v128 {
  return v128.load(changetype<usize>(p) + HEADER + ((<usize>i) << 4));
}

/** Support point, along d (not 0), of the hull of the balls, whose radii are reduced by `peeled`. */
export function pointSupport(p: PointGeometry, d: v128, peeled: f32): v128 {
  const size = length(d);
  let best: f32 = -1e38;
  let found = pointWithRadius(p, 0);
  for (let i = 0; i < p.count; i++) {
    const at = pointWithRadius(p, i);
    const along = dot(at, d) + w(at) * size;
    if (along > best) {
      best = along;
      found = at;
    }
  }
  const centre = f32x4.replace_lane(found, 3, 0);
  const r = w(found) - peeled;
  return r > 0 ? addScaled(centre, d, r / size) : centre;
}
