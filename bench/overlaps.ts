// How deep shapes sink into each other over a whole scene, in several runs. In: a scene, what builds its world. Out: overlaps in mm.
// The race measures overlaps once, at the end. Where everything moves that number is chance: shifting the bodies by less than a
// millimetre changes it tenfold. So each run shifts them by other amounts, and overlaps are measured every 0.2 s.
import type { EngineWorld } from './adapters/adapter';
import { round } from './checks';
import { measureOverlaps } from './overlap';
import { type BenchScene, resolveScene, type SceneSpec } from './scene';
import { createStepper } from './stepper';

/** Of one run: mean and most of the deepest overlap of each moment, mean of the 95th percentile; mm. */
export type OverlapRun = [meanOfWorst: number, worst: number, meanOf95: number];

/** Steps between two measurements. */
const EVERY = 12;
/** m. By how much a body is shifted at most along x or z in the second run; n times as much in the n-th after it. */
const SHIFT = 6e-5;

export async function overlapRuns(
  scene: BenchScene,
  steps: number,
  runs: number,
  build: (spec: SceneSpec) => Promise<EngineWorld>,
): Promise<OverlapRun[]> {
  const results: OverlapRun[] = [];
  for (let r = 0; r < runs; r++) {
    const spec = resolveScene(scene);
    for (const [i, { mass, position }] of spec.bodies.entries()) {
      if (mass === 0) continue;
      position[0] += r * SHIFT * ((((i * 7919) % 13) - 6) / 6);
      position[2] += r * SHIFT * ((((i * 104_729) % 11) - 5) / 5);
    }
    const world = await build(spec);
    const step = createStepper(spec, world);
    const poses = new Float32Array(spec.bodies.length * 7);
    const worst: number[] = [];
    const percentile: number[] = [];
    for (let i = 1; i <= steps; i++) {
      step();
      if (i % EVERY !== 0) continue;
      world.readPoses(poses);
      const report = measureOverlaps(spec, poses);
      worst.push(1000 * report.worst);
      percentile.push(1000 * report.percentile95);
    }
    results.push([round(mean(worst), 2), round(Math.max(...worst), 2), round(mean(percentile), 2)]);
  }
  return results;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
