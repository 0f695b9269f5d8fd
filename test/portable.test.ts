// Guards "the same bits everywhere": nothing that feeds a simulation may use a function whose result
// an engine or a processor is free to choose, nor a clock.
import { expect, test } from 'vitest';
import { codeOf, sourcesBelow } from './sources';

/** Exact by IEEE 754 or by integer arithmetic, in every engine. */
const EXACT = 'PI sqrt abs min max floor ceil trunc round sign fround imul clz32'.split(' ');

/** Adapters draw; what they compute never reaches a simulation. Rooms on Colyseus have to read a clock: it says when a tick is made, not what is in it. */
const DRAWING = ['src/three/', 'src/debug/', 'src/colyseus/'];

/** A warm-up runs as long as it may; the world is set back afterwards (test/warmup). */
const WARM_UP_CLOCK = ['src/warmup/index.ts'];

/**
 * Where the core gets its clock for the profile: times are shown, never used. With several threads they also say when to
 * copy the memory, which changes no result.
 */
const PROFILE_CLOCK = ['src/wasm/instance.ts', 'src/threads/helpers.ts', 'src/threads/threadedCore.ts'];

const simulation = [...sourcesBelow('src'), ...sourcesBelow('demo/scenes')].filter(
  (path) => !DRAWING.some((folder) => path.startsWith(folder)),
);

test('only exact functions of Math', () => {
  const found = simulation.flatMap((path) =>
    [...codeOf(path).matchAll(/\b(?:Math|Mathf|NativeMath|NativeMathf)\.(\w+)/g)]
      .filter(([, name]) => !EXACT.includes(name as string))
      .map(([use]) => `${path}: ${use}`),
  );
  expect(found).toEqual([]);
});

test('no power operator: engines compute it differently', () => {
  const found = simulation.filter((path) => /\w\s*\*\*=?\s*[\w(]/.test(codeOf(path)));
  expect(found).toEqual([]);
});

test('no clock', () => {
  const found = simulation
    .filter((path) => ![...PROFILE_CLOCK, ...WARM_UP_CLOCK].includes(path))
    .filter((path) => /\bDate\b|\bperformance\b|\bhrtime\b/.test(codeOf(path)));
  expect(found).toEqual([]);
});

test('no relaxed SIMD in the core', () => {
  const found = sourcesBelow('src/core').filter((path) => /relaxed/i.test(codeOf(path)));
  expect(found).toEqual([]);
});
