// A physics worker for tests in Node: the worker's script is bundled once per test file, then run by
// worker_threads, so that tests drive the code that is published.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { afterAll, afterEach } from 'vitest';
import { createPhysics, type Physics, type PhysicsOptions } from '../../worker/client';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/out/worker', `${process.pid}-${process.env.VITEST_WORKER_ID ?? 0}`);

const bundles = new Map<string, Promise<string>>();

export const TRANSPORTS = ['shared', 'messages', 'page'] as const;

/** The path of the bundled worker script. */
export function workerScript(): Promise<string> {
  return workerBundle('worker/physics.worker.ts');
}

/** The path of a bundled script. */
export function workerBundle(input: string): Promise<string> {
  let bundled = bundles.get(input);
  if (bundled === undefined) bundles.set(input, (bundled = bundle(input)));
  return bundled;
}

async function bundle(input: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const name = basename(input, '.ts');
  const build = await rolldown({
    cwd: root,
    input: { [name]: input },
    platform: 'neutral',
    external: [/^node:/],
    resolve: { mainFields: ['module', 'main'] },
  });
  await build.write({ dir: folder, format: 'es', entryFileNames: '[name].mjs' });
  await build.close();
  return join(folder, `${name}.mjs`);
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

/** Waits for what frames or messages tell of; how long at most is the test's affair. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await sleep(2);
    for (const physics of open) if (!physics.isDisposed) physics.update();
  }
}

/** A world whose worker can be killed: the last of `threads`. */
export async function startMortal(
  options: PhysicsOptions = {},
): Promise<{ physics: Physics; threads: Worker[] }> {
  const script = await workerScript();
  const threads: Worker[] = [];
  const workerFactory = () => {
    const thread = new Worker(script);
    threads.push(thread);
    return thread;
  };
  return { physics: await startPhysics({ workerFactory, ...options }), threads };
}
