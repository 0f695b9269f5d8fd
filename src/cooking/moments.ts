// Volume, centre of mass and inertia of a closed surface of triangles, in f64: exact sums over the
// tetrahedra between each triangle and one inner point (Tonon 2004; Eberly, Polyhedral Mass Properties).
import type { Vec3 } from '../base/math';

export interface SolidMoments {
  /** m³; negative where the triangles are turned inside out. */
  volume: number;
  center: Vec3;
  /** About the centre, per unit of mass, m²: xx, yy, zz, xy, xz, yz. */
  unitTensor: [number, number, number, number, number, number];
}

export function solidMoments(
  triangles: readonly (readonly [number, number, number])[],
  p: Float64Array,
): SolidMoments {
  // From the mean of the corners: sums from the origin would cancel for a solid far from it.
  const o: Vec3 = [0, 0, 0];
  for (const t of triangles)
    for (const v of t) for (let k = 0; k < 3; k++) o[k]! += p[3 * v + k]! / (3 * triangles.length);
  let volume = 0;
  const first: Vec3 = [0, 0, 0];
  // ∫ x xᵀ over the solid: xx, yy, zz, xy, xz, yz.
  const second = [0, 0, 0, 0, 0, 0];
  const PAIRS = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const;
  for (const t of triangles) {
    const [a, b, c] = t.map((v) => [p[3 * v]! - o[0], p[3 * v + 1]! - o[1], p[3 * v + 2]! - o[2]]) as [
      Vec3,
      Vec3,
      Vec3,
    ];
    const six =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    const v = six / 6;
    volume += v;
    const sum: Vec3 = [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]];
    for (let k = 0; k < 3; k++) first[k]! += (v * sum[k]!) / 4;
    PAIRS.forEach(([i, j], k) => {
      second[k]! += (v / 20) * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    });
  }
  const m: Vec3 = [first[0] / volume, first[1] / volume, first[2] / volume];
  const [xx, yy, zz, xy, xz, yz] = PAIRS.map(([i, j], k) => second[k]! / volume - m[i] * m[j]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    volume,
    center: [o[0] + m[0], o[1] + m[1], o[2] + m[2]],
    unitTensor: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
  };
}
