// The least overlap of two hulls of balls in f64, exactly. In: balls of both, in the world. Out: the depth; negative where
// some direction parts them.
// A − B is a hull of balls, too: centres c = a − b, radii r + s. Along n it reaches as far as the largest c·n + r. Where that is
// least, one ball reaches farthest and n is opposite to its centre, or two reach equally far and n is the lowest such, or
// three do. All ones, twos and threes are tried: what is not of the foremost reaches less far than the hull, which counts.

/** x, y, z, radius of each. */
export type Balls = number[][];

export function leastOverlapOfBalls(a: Balls, b: Balls): number {
  const balls = a.flatMap((p) => b.map((q) => [p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!, p[3]! + q[3]!]));
  const flat = Float64Array.from(balls.flat());
  const n = flat.length / 4;
  let least = Number.POSITIVE_INFINITY;
  const look = (x: number, y: number, z: number) => {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < flat.length; i += 4) {
      const reach = flat[i]! * x + flat[i + 1]! * y + flat[i + 2]! * z + flat[i + 3]!;
      if (reach > most) {
        most = reach;
        if (most >= least) return;
      }
    }
    least = most;
  };
  for (let i = 0; i < n; i++) {
    const [cx, cy, cz] = [flat[4 * i]!, flat[4 * i + 1]!, flat[4 * i + 2]!];
    const l = Math.sqrt(cx * cx + cy * cy + cz * cz);
    if (l > 0) look(-cx / l, -cy / l, -cz / l);
    else look(0, 1, 0);
    for (let j = 0; j < i; j++) {
      const [ux, uy, uz] = [flat[4 * j]! - cx, flat[4 * j + 1]! - cy, flat[4 * j + 2]! - cz];
      const wu = flat[4 * i + 3]! - flat[4 * j + 3]!;
      const u2 = ux * ux + uy * uy + uz * uz;
      if (!(u2 >= wu * wu && u2 > 0)) continue;
      // n·u = wu; of these the one most against what is left of c.
      const s = (cx * ux + cy * uy + cz * uz) / u2;
      let [ox, oy, oz] = [cx - s * ux, cy - s * uy, cz - s * uz];
      // The line through both centres meets the origin: any direction of the circle.
      if (Math.hypot(ox, oy, oz) < 1e-9 * Math.sqrt(u2))
        [ox, oy, oz] = Math.abs(ux) * 2 < Math.sqrt(u2) ? [0, uz, -uy] : [uy, -ux, 0];
      const k = Math.sqrt(Math.max(0, 1 - (wu * wu) / u2)) / Math.hypot(ox, oy, oz);
      const m = wu / u2;
      look(m * ux - k * ox, m * uy - k * oy, m * uz - k * oz);
      for (let h = 0; h < j; h++) {
        const [vx, vy, vz] = [flat[4 * h]! - cx, flat[4 * h + 1]! - cy, flat[4 * h + 2]! - cz];
        const wv = flat[4 * i + 3]! - flat[4 * h + 3]!;
        const [mx, my, mz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        const m2 = mx * mx + my * my + mz * mz;
        if (!(m2 > 1e-20 * u2 * u2)) continue;
        // n·u = wu and n·v = wv.
        const [px, py, pz] = [
          (wu * (vy * mz - vz * my) + wv * (my * uz - mz * uy)) / m2,
          (wu * (vz * mx - vx * mz) + wv * (mz * ux - mx * uz)) / m2,
          (wu * (vx * my - vy * mx) + wv * (mx * uy - my * ux)) / m2,
        ];
        const rest = 1 - px * px - py * py - pz * pz;
        if (rest < 0) continue;
        const t = Math.sqrt(rest / m2);
        look(px + t * mx, py + t * my, pz + t * mz);
        look(px - t * mx, py - t * my, pz - t * mz);
      }
    }
  }
  return least;
}
