// Child process of frameCost.test.ts: what a frame costs the page with 10,000 moving bodies in shared memory.
// Frames are separated by a blocking wait: everything that happens in them is ours, and is measured.
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { createPhysics } from '../../worker/client';

declare const gc: () => void;

const [, , script, framesText, bodiesText] = process.argv as string[];
const frames = Number(framesText);
const count = Number(bodiesText);
const still = new Int32Array(new SharedArrayBuffer(4));
const wait = (ms: number) => Atomics.wait(still, 0, 0, ms);

const physics = await createPhysics({
  gravity: [0, 0, 0],
  transport: 'shared',
  workerFactory: () => new Worker(script as string),
});
const template = {
  shape: { type: 'sphere', radius: 0.5 },
  linearVelocity: [0, 0, 1],
  angularVelocity: [0, 1, 0],
  activationState: 'disableDeactivation',
} as const;
const positions = new Float32Array(3 * count);
for (let i = 0; i < count; i++) positions.set([4 * (i % 100), 4 * (Math.floor(i / 100) % 100), 0], 3 * i);
// A first time, so that what is measured is not the compiler; then all again.
let createMs = Number.POSITIVE_INFINITY;
let ids: Int32Array = new Int32Array(0);
const created = performance.now();
for (let k = 0; k < 6 || (createMs > 0.001 * count && performance.now() - created < 20_000); k++) {
  for (const id of ids) physics.removeBody(id);
  physics.flush();
  await physics.stateHash();
  gc();
  const began = performance.now();
  ids = physics.createBodies(template, { positions });
  createMs = Math.min(createMs, performance.now() - began);
}
await physics.step(1);
const bodies = Array.from(ids, (id) => physics.getBody(id)!);
const matrices = new Float32Array(16 * count);
const place = new Float32Array(3);
await physics.start();
await new Promise((resolve) => setTimeout(resolve, 300));

// Room for the commands of a frame, and their cost: an impulse for every body.
const push = [0, 0, 0.01];
function commands(): void {
  for (const body of bodies) body.applyImpulse(push);
}
const costs: number[] = [];
for (let k = 0; k < 20; k++) {
  const start = performance.now();
  commands();
  costs.push(performance.now() - start);
  physics.flush();
  wait(30);
  physics.update();
}

const times = new Float64Array(frames);
let moving = 0;
function frame(i: number): void {
  const start = performance.now();
  physics.update(start);
  physics.writeMatrices(ids, matrices);
  bodies[i % count]!.getPosition(place);
  const z = matrices[14] as number;
  times[i] = performance.now() - start;
  if (z !== last) moving++;
  last = z;
}
let last = 0;
function run(n: number): void {
  for (let i = 0; i < n; i++) {
    frame(i);
    wait(4);
  }
}
for (let i = 0; i < 3000; i++) frame(i % frames); // until all is compiled
run(Math.min(200, frames));
let garbage = Number.POSITIVE_INFINITY;
for (let attempt = 0; attempt < 3 || (attempt < 10 && garbage > 1024 * frames); attempt++) {
  gc();
  moving = 0;
  const before = getHeapStatistics().used_heap_size;
  run(frames);
  garbage = Math.min(garbage, getHeapStatistics().used_heap_size - before);
}
times.sort();

/** Mixing matrices, as test/browser/support/references.ts: what a main thread computes, and none of it ours. */
function mix(k: number): number {
  const began = performance.now();
  for (let round = 0; round < 10; round++)
    for (let i = 0; i < 160_000; i += 16) {
      const angle = 1e-3 * i + k;
      const c = 1 / (1 + angle * angle);
      const s = angle / (1 + angle * angle);
      for (let j = 0; j < 16; j++) matrices[i + j] = c * (matrices[i + j] as number) + s * (i + j);
    }
  return performance.now() - began;
}
let reference = Number.POSITIVE_INFINITY;
for (let k = 0; k < 30; k++) reference = Math.min(reference, mix(k));
console.log(
  JSON.stringify({
    createMs,
    commandMicroseconds: (1000 * Math.min(...costs)) / count,
    medianMs: times[frames >> 1],
    p95Ms: times[Math.floor(0.95 * frames)],
    bytesPerFrame: garbage / frames,
    moving,
    reference,
    awake: physics.stats.awake,
  }),
);
physics.dispose();
