// Timing of stages. In: marks from step.ts. Out: World.profile, milliseconds per stage. The host's clock affects only
// these numbers. It is not read if profiling is off.

import { allocate } from './memory/allocator';
import { PROFILE_COUNT, PROFILE_STEP } from './memory/constants';
import { world } from './memory/tables';

/** @external env now */
declare function now(): f64;

const LAST: usize = memory.data(16, 8); // f64: time of the last mark, then of the start

export function startClock(): void {
  const g = world();
  if (!g.profileEnabled) return;
  if (g.profile == 0) g.profile = allocate(PROFILE_COUNT * 4);
  const t = now();
  store<f64>(LAST, t);
  store<f64>(LAST, t, 8);
}

/** Ends a stage and stores its time. */
export function clock(stage: i32): void {
  const g = world();
  if (!g.profileEnabled) return;
  const t = now();
  store<f32>(<usize>g.profile + ((<usize>stage) << 2), <f32>(t - load<f64>(LAST)));
  store<f64>(LAST, t);
}

export function stopClock(): void {
  const g = world();
  if (!g.profileEnabled) return;
  store<f32>(<usize>g.profile + ((<usize>PROFILE_STEP) << 2), <f32>(now() - load<f64>(LAST, 8)));
}
