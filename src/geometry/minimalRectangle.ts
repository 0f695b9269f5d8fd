// The rectangle of least area over points of a plane. In: x, y of each. Out: a direction and extents. The convex hull
// by monotone chain (Andrew, 1979), then rotating calipers: one side of the rectangle lies on an edge of the hull
// (Freeman and Shapira 1975; Toussaint 1983; Ericson 4.4.5).
import type { VectorOut } from './vector';

/** Indices of the hull's corners, counter-clockwise, without those within edges; one or two where there is no area. */
export function planarHull(points: ArrayLike<number>): number[] {
  const count = points.length / 2;
  const order = Array.from({ length: count }, (_, i) => i).sort(
    (i, j) => points[2 * i] - points[2 * j] || points[2 * i + 1] - points[2 * j + 1] || i - j,
  );
  const left = (o: number, a: number, b: number) =>
    (points[2 * a] - points[2 * o]) * (points[2 * b + 1] - points[2 * o + 1]) -
    (points[2 * a + 1] - points[2 * o + 1]) * (points[2 * b] - points[2 * o]);
  const hull: number[] = [];
  for (let pass = 0; pass < 2; pass++) {
    const bottom = hull.length;
    for (const i of order) {
      while (hull.length >= bottom + 2 && left(hull[hull.length - 2], hull[hull.length - 1], i) <= 0)
        hull.pop();
      hull.push(i);
    }
    hull.pop(); // the other pass begins with it
    order.reverse();
  }
  if (hull.length === 2 && same(points, hull[0], hull[1])) hull.pop();
  return hull.length > 0 ? hull : [0];
}

const same = (points: ArrayLike<number>, i: number, j: number) =>
  points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1];

/**
 * The direction x, y of one side of the smallest rectangle over points of a plane, of unit length, into `out`. Returns
 * its area; of points in one line, 0 and the line.
 */
export function minimalRectangleDirection(points: ArrayLike<number>, out: VectorOut): number {
  const hull = planarHull(points);
  const n = hull.length;
  out[0] = 1;
  out[1] = 0;
  if (n === 1) return 0;
  const along = (i: number, x: number, y: number) =>
    points[2 * hull[i % n]] * x + points[2 * hull[i % n] + 1] * y;
  let least = Infinity;
  // The corners farthest along the side, away from it, and back along it; all turn with the side.
  let [far, top, near] = [1, 1, 1];
  for (let i = 0; i < n; i++) {
    const x = points[2 * hull[(i + 1) % n]] - points[2 * hull[i]];
    const y = points[2 * hull[(i + 1) % n] + 1] - points[2 * hull[i] + 1];
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0)) continue;
    const [ux, uy] = [x / length, y / length];
    far = Math.max(far, i + 1);
    while (far < i + n && along(far + 1, ux, uy) > along(far, ux, uy)) far++;
    top = Math.max(top, far);
    while (top < i + n && along(top + 1, -uy, ux) > along(top, -uy, ux)) top++;
    near = Math.max(near, top);
    while (near < i + n && along(near + 1, -ux, -uy) > along(near, -ux, -uy)) near++;
    const area = (along(far, ux, uy) - along(near, ux, uy)) * (along(top, -uy, ux) - along(i, -uy, ux));
    if (area >= least) continue;
    least = area;
    out[0] = ux;
    out[1] = uy;
  }
  return least === Infinity ? 0 : least;
}
