// Pseudo-random numbers for scenes: a 32-bit counter scrambled by integer operations only, so that a
// seed gives the same scene in every engine, browser and processor. Not for statistics or secrets.

export type Random = () => number;

/** Numbers in [0, 1), the same sequence for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0; // 2^32 / golden ratio: visits every 32-bit value once
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 4294967296;
  };
}

/** A number in [low, high). */
export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

/** A rotation, uniform over all rotations: a point of the unit 4-ball pushed onto its surface. */
export function rotation(random: Random): [number, number, number, number] {
  for (;;) {
    const x = between(random, -1, 1);
    const y = between(random, -1, 1);
    const z = between(random, -1, 1);
    const w = between(random, -1, 1);
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    if (length > 0.1 && length <= 1) return [x / length, y / length, z / length, w / length];
  }
}
