// Welds vertices at the same place. In: coordinates, a tolerance. Out: for each vertex, the first kept vertex within
// the tolerance. A hash grid of cells four tolerances wide (Teschner et al. 2003): a vertex searches the cells that the
// ball around it touches. Kept vertices are farther apart than the tolerance, so that a welded vertex never moves
// farther than the tolerance, even in a chain of close vertices.

/** Primes of that paper. */
const PRIME_X = 73856093;
const PRIME_Y = 19349663;
const PRIME_Z = 83492791;
const CELL = 4;
/** Cells from the origin to the farthest vertex, at most. */
const FINEST = 16777216; // 2^24

/** `points` holds x, y, z of each. Returns the index of the kept vertex for each; i itself where it was kept. */
export function weld(points: Float64Array, tolerance: number): Int32Array {
  const count = points.length / 3;
  const kept = new Int32Array(count);
  let size = 16;
  while (size < 2 * count) size *= 2;
  const heads = new Int32Array(size).fill(-1);
  const next = new Int32Array(count);
  let far = 0;
  for (let i = 0; i < points.length; i++) far = Math.max(far, Math.abs(points[i]!));
  // No finer than f32 tells apart; without a tolerance any grid does that no cell of which gets crowded.
  const perCell = Math.min(1 / (CELL * tolerance), FINEST / far);
  const limit = tolerance * tolerance;
  for (let i = 0; i < count; i++) {
    const x = points[3 * i]!;
    const y = points[3 * i + 1]!;
    const z = points[3 * i + 2]!;
    const endX = Math.floor((x + tolerance) * perCell);
    const endY = Math.floor((y + tolerance) * perCell);
    const endZ = Math.floor((z + tolerance) * perCell);
    let first = i;
    for (let cx = Math.floor((x - tolerance) * perCell); cx <= endX; cx++)
      for (let cy = Math.floor((y - tolerance) * perCell); cy <= endY; cy++)
        for (let cz = Math.floor((z - tolerance) * perCell); cz <= endZ; cz++)
          for (let j = heads[bucket(cx, cy, cz) & (size - 1)]!; j >= 0; j = next[j]!) {
            const dx = points[3 * j]! - x;
            const dy = points[3 * j + 1]! - y;
            const dz = points[3 * j + 2]! - z;
            if (j < first && dx * dx + dy * dy + dz * dz <= limit) first = j;
          }
    kept[i] = first;
    if (first < i) continue;
    const cell = bucket(Math.floor(x * perCell), Math.floor(y * perCell), Math.floor(z * perCell));
    next[i] = heads[cell & (size - 1)]!;
    heads[cell & (size - 1)] = i;
  }
  return kept;
}

function bucket(x: number, y: number, z: number): number {
  const hash = Math.imul(x, PRIME_X) ^ Math.imul(y, PRIME_Y) ^ Math.imul(z, PRIME_Z);
  return hash ^ (hash >>> 15);
}
