// A physics worker for tests in Node: the worker's script is bundled once per test file, then run by
// worker_threads, so that tests drive the code that is published.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { afterAll, afterEach } from 'vitest';
import { createPhysics, type Physics, type PhysicsOptions } from '../../worker/client';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/out/worker', `${process.pid}-${process.env.VITEST_WORKER_ID ?? 0}`);

let bundled: Promise<string> | undefined;

/** The path of the bundled worker script. */
export function workerScript(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const build = await rolldown({
    cwd: root,
    input: { 'physics.worker': 'worker/physics.worker.ts' },
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
  });
  await build.write({ dir: folder, format: 'es', entryFileNames: '[name].mjs' });
  await build.close();
  return join(folder, 'physics.worker.mjs');
}

const open: Physics[] = [];

/** As createPhysics, in a Node thread; disposed of after the test. */
export async function startPhysics(options: PhysicsOptions = {}): Promise<Physics> {
  const script = await workerScript();
  const physics = await createPhysics({ workerFactory: () => new Worker(script), ...options });
  open.push(physics);
  return physics;
}

afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
