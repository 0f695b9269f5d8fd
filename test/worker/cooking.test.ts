// Cooking away from the page, in Node threads: the same bytes as in the page, progress, calling it off, errors that
// name the vertex, a world that steps on meanwhile, and no worker left behind.
import { Worker } from 'node:worker_threads';
import {
  cookHeightfield,
  cookHull,
  cookMesh,
  decompose,
  exportCooked,
  exportHulls,
  type PhysicsError,
} from 'ricochet';
import { beforeEach, expect, test } from 'vitest';
import type { Physics, PhysicsOptions } from '../../worker/client';
import { torus } from '../cooking/support/solids';
import { startPhysics, workerBundle } from './support';

let threads: Worker[] = [];
let ended = 0;
beforeEach(() => {
  threads = [];
  ended = 0;
});

async function kitchen(options: PhysicsOptions = {}): Promise<Physics> {
  const script = await workerBundle('worker/cooking.worker.ts');
  const cookingWorker = () => {
    const thread = new Worker(script);
    thread.on('exit', () => ended++);
    threads.push(thread);
    return thread;
  };
  return startPhysics({ cookingWorker, clock: 'manual', ...options });
}

/** Hills of 2n² triangles; `seed` makes them others. */
function hills(n: number, seed = 0) {
  const vertices = new Float32Array(3 * (n + 1) * (n + 1));
  const indices = new Uint32Array(6 * n * n);
  for (let x = 0, at = 0; x <= n; x++)
    for (let z = 0; z <= n; z++, at += 3) vertices.set([x, ((x * 7 + z * 13 + seed) % 11) / 5, z], at);
  for (let x = 0, at = 0; x < n; x++)
    for (let z = 0; z < n; z++, at += 6) {
      const a = x * (n + 1) + z;
      indices.set([a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1], at);
    }
  return { vertices, indices };
}

const CLOUD = Float32Array.from({ length: 900 }, (_, i) => ((i * 7919) % 1009) / 300 - 1.5);

const rejection = (promise: Promise<unknown>): Promise<PhysicsError> =>
  promise.then(
    () => expect.fail('it was not rejected'),
    (error) => error as PhysicsError,
  );

test('the same bytes as in the page, with progress from 0 to 1; the input is free at once', async () => {
  const physics = await kitchen();
  const field = { rows: 40, columns: 30, heights: new Float32Array(1200).fill(2), spacing: 0.5 };
  const given = hills(60);
  const expected = exportCooked(cookMesh(hills(60)));
  const shares: number[] = [];
  const cooking = physics.cookMesh(given, { onProgress: (share) => void shares.push(share) });
  given.vertices.fill(Number.NaN);
  const geometry = await cooking;
  expect(exportCooked(geometry)).toEqual(expected);
  expect(geometry.report).toEqual(cookMesh(hills(60)).report);
  expect(shares.length).toBeGreaterThan(4);
  for (let i = 1; i < shares.length; i++) expect(shares[i]).toBeGreaterThan(shares[i - 1]!);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
  expect(exportCooked(await physics.cookHull(CLOUD, { maxVertices: 20 }))).toEqual(
    exportCooked(cookHull(CLOUD, { maxVertices: 20 })),
  );
  expect(exportCooked(await physics.cookHeightfield(field))).toEqual(exportCooked(cookHeightfield(field)));
  expect(threads).toHaveLength(1);
});

test('in the page itself, where there are no workers, too', async () => {
  const physics = await startPhysics({ transport: 'page', clock: 'manual' });
  const shares: number[] = [];
  const geometry = await physics.cookMesh(hills(50), { onProgress: (share) => void shares.push(share) });
  expect(exportCooked(geometry)).toEqual(exportCooked(cookMesh(hills(50))));
  expect(shares.length).toBeGreaterThan(4);
  const signal = AbortSignal.abort(new Error('not wanted'));
  expect(await rejection(physics.cookMesh(hills(50), { signal }))).toMatchObject({ message: 'not wanted' });
});

test('what comes out is a shape: a body rests on it', async () => {
  const physics = await kitchen();
  const [ground, rock] = await Promise.all([
    physics.cookMesh({ vertices: [-5, 0, -5, 5, 0, -5, 5, 0, 5, -5, 0, 5], indices: [0, 2, 1, 0, 3, 2] }),
    physics.cookHull([
      [1, 1, 1],
      [-1, 1, 1],
      [1, -1, 1],
      [-1, -1, 1],
      [1, 1, -1],
      [-1, 1, -1],
      [1, -1, -1],
      [-1, -1, -1],
    ]),
  ]);
  physics.createBody({ type: 'static', shape: { type: 'mesh', geometry: ground } });
  const body = physics.createBody({ position: [0, 1.2, 0], shape: { type: 'hull', geometry: rock } });
  await physics.step(120);
  expect(body.getPosition()[1]).toBeCloseTo(1, 2);
});

test('errors name the vertex or triangle, and the next order is cooked', async () => {
  const physics = await kitchen();
  const broken = hills(10);
  broken.vertices[3 * 7 + 1] = Number.NaN;
  const outside = hills(10);
  outside.indices[3 * 5 + 2] = 500;
  const [nan, range, flat, none] = await Promise.all([
    rejection(physics.cookMesh(broken)),
    rejection(physics.cookMesh(outside)),
    rejection(physics.cookHull([0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1])),
    rejection(physics.cookHeightfield({ rows: 3, columns: 3, heights: [1, 2], spacing: 1 })),
  ]);
  expect(nan).toMatchObject({ name: 'PhysicsError', code: 'invalid-argument', argument: 'vertices[7].y' });
  expect(range).toMatchObject({ code: 'invalid-argument', argument: 'indices[17]' });
  expect(range.message).toContain('triangle 5');
  expect(flat).toMatchObject({ code: 'invalid-argument', argument: expect.stringMatching(/^points/) });
  expect(none).toMatchObject({ code: 'invalid-argument', argument: 'heights.length' });
  const unclonable = { ...hills(2), materials: (() => 1) as unknown as number[] };
  expect(await rejection(physics.cookMesh(unclonable))).toMatchObject({ code: 'invalid-argument' });
  expect((await physics.cookMesh(hills(4))).report!.triangles).toBe(32);
});

test('called off at once, waiting or running; the others are cooked', async () => {
  const physics = await kitchen();
  const [first, second] = [new AbortController(), new AbortController()];
  let began!: () => void;
  const running = new Promise<void>((resolve) => {
    began = resolve;
  });
  const large = physics.cookMesh(hills(300), { signal: first.signal, onProgress: () => began() });
  const waiting = physics.cookMesh(hills(300, 1), { signal: second.signal });
  const last = physics.cookMesh(hills(5));
  large.catch(() => {});
  await running;
  second.abort();
  expect(await rejection(waiting)).toMatchObject({ name: 'AbortError' });
  first.abort(new Error('changed my mind'));
  expect(await rejection(large)).toMatchObject({ message: 'changed my mind' });
  expect((await last).report!.triangles).toBe(50);
  expect(threads).toHaveLength(2);
});

test('the world steps on while a large mesh is cooked', async () => {
  const physics = await kitchen();
  physics.createBody({ position: [0, 100, 0], shape: { type: 'sphere', radius: 1 } });
  let done = false;
  const mesh = physics.cookMesh(hills(200)).then(() => {
    done = true;
  });
  let steps = 0;
  while (!done) {
    await physics.step(1);
    steps++;
  }
  await mesh;
  expect(steps).toBeGreaterThan(5);
});

test('a lost cooking worker rejects what it cooked; a disposed world what waits', async () => {
  const physics = await kitchen();
  let began!: () => void;
  const running = new Promise<void>((resolve) => {
    began = resolve;
  });
  const large = rejection(physics.cookMesh(hills(300), { onProgress: () => began() }));
  await running;
  await threads[0]!.terminate();
  expect(await large).toMatchObject({ code: 'worker-lost' });
  expect((await physics.cookMesh(hills(3))).report!.triangles).toBe(18);
  const waiting = [rejection(physics.cookMesh(hills(300, 2))), rejection(physics.cookMesh(hills(300, 3)))];
  await new Promise((resolve) => setTimeout(resolve, 20));
  physics.dispose();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'disposed' });
  expect(await rejection(physics.cookMesh(hills(3)))).toMatchObject({ code: 'disposed' });
  await expect.poll(() => ended).toBe(threads.length);
});

test('a decomposition: the same hulls as in the page, which a body takes at once; called off, it is rejected', async () => {
  const physics = await kitchen();
  const options = { ...torus(1, 0.3, 16, 8), resolution: 32 };
  const shares: number[] = [];
  const made = await physics.decompose(options, { onProgress: (share) => void shares.push(share) });
  expect(exportHulls(made.hulls)).toEqual(exportHulls(decompose(options).hulls));
  expect(made.report).toEqual(decompose(options).report);
  expect(shares.length).toBeGreaterThan(4);
  const body = physics.createBody({ shape: made.hulls.map((geometry) => ({ type: 'hull', geometry })) });
  expect(body.shapes.length).toBe(made.hulls.length);
  const geometry = await physics.cookMesh(torus(1, 0.3, 16, 8));
  const hull = physics.createBody({ shape: { type: 'mesh', geometry, dynamic: 'hull' } });
  expect(hull.shapes.length).toBe(1);
  const leaving = new AbortController();
  const late = rejection(
    physics.decompose({ ...torus(1, 0.3, 64, 32), resolution: 120 }, { signal: leaving.signal }),
  );
  leaving.abort();
  expect((await late).name).toBe('AbortError');
  expect((await rejection(physics.decompose({ ...options, maxHulls: 0 }))).argument).toBe('maxHulls');
  await physics.dispose();
});
