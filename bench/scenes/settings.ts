// What several scenes have in common.
import type { BenchScene, Vec3 } from '../scene';

export const GRAVITY: Vec3 = [0, -9.81, 0];

/** Of stacks that must stand. */
export const STANDS = {
  gravity: GRAVITY,
  needs: [],
  stands: true,
  warmup: 30,
  steps: 60,
} satisfies Partial<BenchScene>;
