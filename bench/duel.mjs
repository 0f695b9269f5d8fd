#!/usr/bin/env node
// Two checkouts of ricochet, or ricochet and one other engine, step the same scene in turns in one process, several times. Engines
// repeat a scene bit for bit, so the least of several times for the same step is what it costs when nothing else disturbs
// the machine: ratios of 1 % can be told from noise on a machine whose speed changes twofold.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH, bundle, compileCore, fail, install, ROOT } from './prepare.mjs';

const HELP = `node bench/duel.mjs [options]
  --against folder  another checkout of ricochet, compiled, with its packages installed
  --engine name     another engine instead (default havok)
  --scenes a,b      scenes by name (node bench/run.mjs --list; default pile-mixed)
  --reps n          repetitions after the first, which is not counted (default 3)
  --steps n         instead of each scene's own number`;

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    engine: { type: 'string', default: 'havok' },
    scenes: { type: 'string', default: 'pile-mixed' },
    reps: { type: 'string', default: '3' },
    steps: { type: 'string' },
    help: { type: 'boolean' },
  },
});
/** Steps of a window, and between windows. */
const WINDOW = 30;
const STRIDE = 10;

if (options.help) console.log(HELP);
else await main();

async function main() {
  const reps = Number(options.reps);
  if (!(reps >= 1)) fail(`--reps must be 1 or more, got ${options.reps}`);
  const other = options.against === undefined ? ROOT : resolve(options.against);
  if (!existsSync(join(other, 'src', 'core'))) fail(`--against must be a checkout of ricochet, got ${other}`);
  await install();
  const sides = [
    { engine: 'ricochet', ...(await load(ROOT, 'ours')) },
    { engine: options.against ? 'ricochet' : options.engine, ...(await load(other, 'other')) },
  ];
  const names = ['here', options.against ? 'there' : options.engine];
  console.log(`ms per step: ${names.join(', ')}, ratio`);
  for (const scene of options.scenes.split(',')) {
    const times = await duel(sides, scene, reps);
    if (!times) console.log(`${scene.padEnd(18)}${options.engine} cannot run it`);
    else {
      const measures = { mean, 'worst window': worstWindow, p95 };
      const cells = Object.entries(measures).map(([name, of]) => `${name} ${compared(times.map(of))}`);
      console.log(scene.padEnd(18) + cells.join('   '));
    }
  }
  process.exit(0); // threads of some engines never end
}

async function load(root, name) {
  await compileCore(root);
  const folder = join(BENCH, '.cache', name);
  await bundle(root, ['duelist'], folder);
  return import(join(folder, 'duelist.mjs'));
}

/** Least times of each step in ms, of both sides; undefined if one cannot run the scene. */
async function duel(sides, scene, reps) {
  let least;
  for (let round = 0; round <= reps; round++) {
    const worlds = [];
    for (const { engine, createDuelist } of sides) worlds.push(await createDuelist(engine, scene));
    if (!worlds.every(Boolean)) return undefined;
    const steps = Number(options.steps ?? worlds[0].steps);
    least ??= worlds.map(() => new Float64Array(steps).fill(Infinity));
    for (let i = 0; i < steps; i++)
      for (const side of (i + round) % 2 === 0 ? [0, 1] : [1, 0]) {
        const start = performance.now();
        worlds[side].step();
        const time = performance.now() - start;
        if (round > 0) least[side][i] = Math.min(least[side][i], time);
      }
  }
  return least;
}

function mean(times) {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function worstWindow(times) {
  let worst = 0;
  for (let i = 0; i === 0 || i + WINDOW <= times.length; i += STRIDE)
    worst = Math.max(worst, mean(times.subarray(i, i + WINDOW)));
  return worst;
}

function p95(times) {
  return times.toSorted()[Math.floor(times.length * 0.95)];
}

function compared([here, there]) {
  return `${here.toFixed(2)} ${there.toFixed(2)} ${(here / there).toFixed(3)}`;
}
