#!/usr/bin/env node
// The race: every engine on every scene, each run in its own process, engines interleaved over the
// repetitions. `node bench/run.mjs --help` tells the options.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH, bundle, command, compileCore, fail, install, ROOT } from './prepare.mjs';
import { markdown, summarise } from './report.mjs';
import { plotScaling, scalingMarkdown } from './scaling.mjs';
import { THREAD_PEER, THREAD_PEER_SCENES, THREAD_SCENES, threadsMarkdown } from './threads.mjs';

const CACHE = join(BENCH, '.cache');
const ENGINES = ['ricochet', 'rapier-simd', 'rapier', 'jolt', 'havok', 'physx', 'ammo', 'cannon', 'crashcat'];
const SHORT = {
  scenes: ['pyramid', 'pile-mixed'],
  engines: ['ricochet', 'rapier-simd'],
  warmup: 30,
  steps: 60,
};
/** s. A peer that takes longer is measured once: its place is clear, and the whole must end in 20 minutes. */
const SLOW_RUN = 6;
/** Steps of a rehearsal that has as many as the scene. */
const WHOLE_SCENE = 1e9;
const SCALING_ENGINES = ['ricochet', 'rapier-simd', 'jolt', 'havok', 'physx'];

const HELP = `node bench/run.mjs [options]
  --scenes a,b      scenes by name (default: all; --list names them)
  --engines a,b     ${ENGINES.join(', ')} (default: all)
  --reps n          repetitions of each pair (default 2; runs of more than ${SLOW_RUN} s only once)
  --json file       write the records there
  --markdown file   write the table there (default bench/RESULTS.md)
  --warmup n, --steps n   instead of each scene's own numbers
  --limit s         give up on a run foretold to take longer (default 20; 60 for --scaling)
  --short           two scenes, ours and one peer, few steps, no file: for continuous integration
  --scaling         curves of 1,000 to 20,000 bodies instead; writes docs/scaling.svg and docs/scaling.md
  --threads 1,2,4   scaling over threads and bodies instead: wall time; writes bench/THREADS.md
  --cold            with --threads: without running each scene once before
  --rehearsal n     each engine runs the first n steps of a scene before, in a world of its own, so that its code is
                    compiled; writes bench/REHEARSED.md
  --overlaps n      how deep shapes sink into each other instead: n runs of each scene, with bodies shifted a little
  --list            names of the scenes`;

const { values: options } = parseArgs({
  options: {
    scenes: { type: 'string' },
    engines: { type: 'string' },
    reps: { type: 'string' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    warmup: { type: 'string' },
    steps: { type: 'string' },
    limit: { type: 'string' },
    short: { type: 'boolean' },
    scaling: { type: 'boolean' },
    threads: { type: 'string' },
    cold: { type: 'boolean' },
    rehearsal: { type: 'string' },
    overlaps: { type: 'string' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (options.help) console.log(HELP);
else await main();

async function main() {
  await install();
  if ((options.engines ?? 'ricochet').includes('ricochet')) await compileCore(ROOT);
  await bundle(ROOT, ['measure', 'catalogue'], CACHE);
  const { scenes: known, SCALING_KINDS, SCALING_COUNTS } = await import(join(CACHE, 'catalogue.mjs'));
  if (options.list) {
    for (const { id, title } of known) console.log(`${id.padEnd(16)}${title}`);
    return;
  }
  if (options.threads !== undefined) return raceThreads();
  const allScenes = known.map(({ id }) => id);
  const engines = choose(
    options.engines,
    options.short ? SHORT.engines : options.scaling ? SCALING_ENGINES : ENGINES,
    ENGINES,
    'engine',
  );
  const scaled = SCALING_KINDS.flatMap((kind) => SCALING_COUNTS.map((count) => `${kind}@${count}`));
  const scenes = options.scaling
    ? scaled
    : choose(options.scenes, options.short ? SHORT.scenes : allScenes, [...allScenes, ...scaled], 'scene');
  if (options.overlaps !== undefined) return compareOverlaps(scenes, engines);
  const reps = number('reps', options.short || options.scaling ? 1 : 2);
  const records = await race(scenes, engines, reps);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(records, null, 1)}\n`);
  if (options.scaling) {
    writeFileSync(join(ROOT, 'docs', 'scaling.svg'), plotScaling(records));
    writeFileSync(join(ROOT, 'docs', 'scaling.md'), scalingMarkdown(records));
    console.log(scalingMarkdown(records));
    return;
  }
  const rehearsal = number('rehearsal', 0);
  const table = markdown(records, known, engines, rehearsal);
  const file = join(BENCH, rehearsal > 0 ? 'REHEARSED.md' : 'RESULTS.md');
  if (!options.short) writeFileSync(options.markdown ?? file, table);
  const whole =
    !options.short && options.markdown === undefined && options.scenes === undefined && rehearsal === 0;
  if (whole) await command('node', ['scripts/update-figures.mjs'], ROOT);
  console.log(table);
}

function number(name, fallback) {
  if (options[name] === undefined) return fallback;
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 1)
    fail(`--${name} must be a whole number of at least 1, got ${options[name]}`);
  return value;
}

function choose(given, fallback, allowed, what) {
  if (given === undefined) return fallback;
  const names = given.split(',').map((name) => name.trim());
  for (const name of names)
    if (!allowed.includes(name)) fail(`unknown ${what} ${name}; known: ${allowed.join(', ')}`);
  return names;
}

/** Scenes on several numbers of threads, in turns; each with the hash of one. */
async function raceThreads() {
  const counts = options.threads.split(',').map(Number);
  if (counts.some((count) => !Number.isInteger(count) || count < 1 || count > 8))
    fail(`--threads must be numbers from 1 to 8, got ${options.threads}`);
  const scenes = options.scenes === undefined ? THREAD_SCENES : options.scenes.split(',');
  const runs = [];
  for (let rep = number('reps', 2); rep > 0; rep--)
    for (const scene of scenes)
      for (const engine of THREAD_PEER_SCENES.includes(scene) ? ['ricochet', THREAD_PEER] : ['ricochet'])
        for (const threads of counts) {
          progress(`${scene} · ${engine} on ${threads}`);
          const rehearsal = options.cold ? 0 : WHOLE_SCENE;
          const job = { engine, scene, threads, rehearsal, limitSeconds: number('limit', 60) };
          if (options.warmup) job.warmup = number('warmup');
          if (options.steps) job.steps = number('steps');
          const [sample] = await measure(job);
          runs.push({ scene, engine, asked: threads, ...sample });
        }
  progress('');
  const text = threadsMarkdown(runs);
  if (options.scenes === undefined) writeFileSync(join(BENCH, 'THREADS.md'), text);
  console.log(text);
}

/** Overlaps over whole scenes: mean and most of the worst of each moment, mean of the 95th percentile, over the runs. */
async function compareOverlaps(scenes, engines) {
  const overlaps = number('overlaps', 1);
  const lines = [
    `Overlaps in mm, ${overlaps} runs with bodies shifted by up to ${(0.06 * (overlaps - 1)).toFixed(2)} mm, measured every 0.2 s.`,
    '',
    '| scene | engine | mean of the worst (of the runs) | worst | mean of the 95th percentile |',
    '|---|---|---:|---:|---:|',
  ];
  for (const scene of scenes)
    for (const engine of engines) {
      progress(`${scene} · ${engine}`);
      const job = { engine, scene, overlaps, limitSeconds: number('limit', 20) * overlaps };
      const [{ skipped, overlaps: runs }] = await measure(job);
      if (skipped) continue;
      const column = (i) => runs.map((run) => run[i]);
      const mean = (values) => (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
      const span = `${Math.min(...column(0)).toFixed(1)} to ${Math.max(...column(0)).toFixed(1)}`;
      lines.push(
        `| ${scene} | ${engine} | ${mean(column(0))} (${span}) | ${Math.max(...column(1)).toFixed(1)} | ${mean(column(2))} |`,
      );
    }
  progress('');
  console.log(lines.join('\n'));
}

/** All processes one after the other; a record per engine and scene. */
async function race(scenes, engines, reps) {
  const limitSeconds = number('limit', options.scaling ? 60 : 20);
  const rays = scenes.includes('rays');
  // Rays are cast in the process of the pile.
  const runs = [...new Set(scenes.map((scene) => (scene === 'rays' ? 'pile-mixed' : scene)))];
  const jobs = [];
  for (let rep = 0; rep < reps; rep++)
    for (const scene of runs)
      for (let i = 0; i < engines.length; i++)
        jobs.push({ rep, scene, engine: engines[(i + rep) % engines.length] });
  const samples = new Map();
  const hopeless = new Map();
  const tooSlow = new Set();
  const started = Date.now();
  let failures = 0;
  for (const [done, { scene, engine }] of jobs.entries()) {
    const key = `${engine} ${scene}`;
    if (tooSlow.has(key)) continue;
    const minutes = ((Date.now() - started) / 60000 / Math.max(done, 1)) * (jobs.length - done);
    const head = `[${done + 1}/${jobs.length}] ${scene} · ${engine}`;
    progress(`${head}${done > 2 ? `, about ${minutes.toFixed(1)} min to go` : ''}`);
    // What was skipped once would be skipped again.
    let found = hopeless.get(key);
    if (!found) {
      const job = { engine, scene, rays, limitSeconds, rehearsal: number('rehearsal', 0) };
      job.warmup = options.warmup ? number('warmup') : options.short ? SHORT.warmup : undefined;
      job.steps = options.steps ? number('steps') : options.short ? SHORT.steps : undefined;
      try {
        found = await measure(job);
      } catch (error) {
        failures++;
        progress('');
        console.error(`bench: ${engine} failed on ${scene}: ${error.message}`);
        found = [{ scene, skipped: 'failed' }];
      }
      if (found[0].skipped) hopeless.set(key, found);
      else if (engine !== 'ricochet' && found[0].runSeconds > SLOW_RUN) tooSlow.add(key);
      if (found[0].skipped && rays && scene === 'pile-mixed')
        found = [...found, { ...found[0], scene: 'rays' }];
    }
    for (const sample of found) {
      if (!scenes.includes(sample.scene)) continue;
      const list = samples.get(`${engine} ${sample.scene}`) ?? [];
      list.push(sample);
      samples.set(`${engine} ${sample.scene}`, list);
    }
  }
  progress('');
  const records = scenes.flatMap((scene) =>
    engines.map((engine) =>
      summarise(engine, version(engine), scene, samples.get(`${engine} ${scene}`) ?? []),
    ),
  );
  for (const { engine, scene, skipped } of records)
    if (skipped && !skipped.startsWith('not yet')) console.log(`${scene} · ${engine}: ${skipped}`);
  for (const line of notYetLines(records)) console.log(line);
  // Timing never fails a run; an engine of ours that cannot run does.
  if (failures > 0) process.exitCode = 1;
  return records;
}

function notYetLines(records) {
  const groups = new Map();
  for (const { engine, scene, skipped } of records) {
    if (!skipped?.startsWith('not yet')) continue;
    const key = `${scene}: ${skipped}`;
    groups.set(key, [...(groups.get(key) ?? []), engine]);
  }
  return [...groups].map(([key, engines]) => `${key} (${engines.join(', ')})`);
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

function measure(job) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', join(CACHE, 'measure.mjs'), JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (err += text));
    const timer = setTimeout(() => child.kill(), job.limitSeconds * 4000 + 30000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const line = out.split('\n').find((text) => text.startsWith('@@'));
      if (line) resolve(JSON.parse(line.slice(2)));
      else reject(new Error(`${signal ?? `exit code ${code}`}: ${(err || out).trim().slice(-1500)}`));
    });
  });
}

function version(engine) {
  const own = engine === 'ricochet';
  const packages = {
    'rapier-simd': '@dimforge/rapier3d-simd-compat',
    rapier: '@dimforge/rapier3d-compat',
    jolt: 'jolt-physics',
    havok: '@babylonjs/havok',
    physx: 'physx-js-webidl',
    ammo: 'ammojs-typed',
    cannon: 'cannon-es',
    crashcat: 'crashcat',
  };
  const folder = own ? ROOT : join(BENCH, 'node_modules', packages[engine]);
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
