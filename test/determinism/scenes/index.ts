// The table of golden scenes: whatever is added here runs in every place that docs/determinism.md names, forwards,
// restored, rolled back and recorded. Then `node scripts/update-golden.mjs`, which prints what changed.
import { actors } from './actors';
import { doings } from './doings';
import { machines } from './machines';
import type { GoldenScene } from './scene';
import { solids } from './solids';
import { stepped } from './systems';
import { vehicles } from './vehicles';

export const goldenScenes: readonly GoldenScene[] = [
  ...solids,
  ...machines,
  ...doings,
  ...actors,
  ...stepped,
  ...vehicles,
];
export type { Frame, GoldenScene, Target } from './scene';
