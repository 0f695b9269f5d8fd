// Triangles and multi-spheres: points with radii. In: the address of a PointGeometry. Out: single points, and the
// support point in a direction, including its radius. Everything in the shape's own frame.

import { addScaled, dot, length, w } from '../math/vector';
import { PointGeometry } from '../memory/records';

const HEADER: usize = offsetof<PointGeometry>();

/** x, y, z, radius. @inline */
export function pointWithRadius(p: PointGeometry, i: i32): v128 {
  return v128.load(changetype<usize>(p) + HEADER + ((<usize>i) << 4));
}

/** Support point of a triangle, whose radii are 0, along d. The first of equals. */
export function triangleSupport(p: PointGeometry, d: v128): v128 {
  const a = f32x4.mul(pointWithRadius(p, 0), d);
  const b = f32x4.mul(pointWithRadius(p, 1), d);
  const c = f32x4.mul(pointWithRadius(p, 2), d);
  const low = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const along = f32x4.add(
    f32x4.add(v128.shuffle<f32>(low, c, 0, 1, 4, 4), v128.shuffle<f32>(low, c, 2, 3, 5, 5)),
    v128.shuffle<f32>(v128.shuffle<f32>(a, b, 2, 6, 2, 6), c, 0, 1, 6, 6),
  );
  const pairs = f32x4.pmax(along, v128.shuffle<f32>(along, along, 1, 0, 3, 2));
  const most = f32x4.pmax(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
  const first = min(2, ctz<i32>(i32x4.bitmask(f32x4.eq(along, most))));
  return f32x4.replace_lane(pointWithRadius(p, first), 3, 0);
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
