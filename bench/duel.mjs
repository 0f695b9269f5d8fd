#!/usr/bin/env node
// Two checkouts of ricochet, or ricochet and other engines, step the same scene in turns in one process, several times. Engines
// repeat a scene bit for bit, so the least of several times for the same step is what it costs when nothing else disturbs
// the machine: ratios of 1 % can be told from noise on a machine whose speed changes twofold.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH, bundle, compileCore, fail, install, ROOT } from './prepare.mjs';

const HELP = `node bench/duel.mjs [options]
  --against folder  another checkout of ricochet, compiled, with its packages installed
  --engines a,b     other engines instead (default havok); the ratio is to the fastest of them
  --scenes a,b      scenes by name (node bench/run.mjs --list; default pile-mixed)
  --reps n          repetitions after the first, which is not counted (default 3)
  --steps n         instead of each scene's own number`;

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    engines: { type: 'string', default: 'havok' },
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
else await main().catch((error) => fail(error.message));

async function main() {
  const reps = Number(options.reps);
  if (!(reps >= 1)) fail(`--reps must be 1 or more, got ${options.reps}`);
  const steps = options.steps ?? '1';
  if (!(Number(steps) >= 1)) fail(`--steps must be 1 or more, got ${steps}`);
  const other = options.against === undefined ? ROOT : resolve(options.against);
  if (!existsSync(join(other, 'src', 'core'))) fail(`--against must be a checkout of ricochet, got ${other}`);
  await install();
  const ours = { name: 'here', engine: 'ricochet', ...(await load(ROOT, 'here')) };
  const others = options.against
    ? [{ name: 'there', engine: 'ricochet', ...(await load(other, 'there')) }]
    : options.engines.split(',').map((engine) => ({ ...ours, name: engine, engine }));
  console.log(`ms per step: ${[ours, ...others].map(({ name }) => name).join(', ')}; ratio`);
  const measures = { mean, 'worst window': worstWindow, p95 };
  const ratios = Object.keys(measures).map(() => []);
  for (const scene of options.scenes.split(',')) {
    const times = await duel([ours, ...others], scene, reps);
    const cells = Object.entries(measures).map(([name, of], i) => {
      const found = times.map((steps) => steps && of(steps));
      const ratio = found[0] / Math.min(...found.slice(1).filter(Boolean));
      ratios[i].push(ratio);
      return `${name} ${found.map((ms) => ms?.toFixed(2) ?? '–').join(' ')}; ${ratio.toFixed(3)}`;
    });
    console.log(`${scene.padEnd(18)}${cells.join('   ')}`);
  }
  const means = ratios.map((list) => Math.exp(mean(list.map(Math.log))).toFixed(3));
  console.log(`geometric means of the ratios: ${means.join(', ')}`);
  process.exit(0); // threads of some engines never end
}

async function load(root, name) {
  await compileCore(root);
  const folder = join(BENCH, '.cache', name);
  await bundle(root, ['duelist'], folder);
  return import(join(folder, 'duelist.mjs'));
}

/** Least times of each step in ms, of all sides; undefined of those that cannot run the scene. */
async function duel(sides, scene, reps) {
  let least;
  for (let round = 0; round <= reps; round++) {
    const worlds = [];
    for (const { engine, createDuelist } of sides) worlds.push(await createDuelist(engine, scene));
    const count = Number(options.steps ?? worlds[0].steps);
    least ??= worlds.map((world) => world && new Float64Array(count).fill(Infinity));
    for (let i = 0; i < count; i++)
      for (let k = 0; k < worlds.length; k++) {
        const side = (k + i + round) % worlds.length; // nobody is always behind the same one
        if (!worlds[side]) continue;
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
