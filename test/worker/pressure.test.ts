// A page that is blocked, and worlds that come and go: nothing piles up, nothing is lost silently.
// SOAK=1 (npm run test:soak) runs them for as long and as often as the targets say.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createPhysics, type Physics } from '../../worker/client';
import { FRAME, MESSAGE_FRAME } from '../../worker/protocol';
import { FRAMES_OUTSTANDING } from '../../worker/transport';
import { sleep, startPhysics, until, workerBundle, workerScript } from './support';

const soak = process.env['SOAK'] === '1';
const BLOCKED_MS = soak ? 10_000 : 1500;
const CYCLES = soak ? 200 : 40;

/** Stops this thread, as a long task stops a page. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

interface Heap {
  heap: number;
  external: number;
}

async function heapOf(physics: Physics): Promise<Heap> {
  return (await physics.getContacts())[0] as unknown as Heap;
}

test.each(['shared', 'messages'] as const)(
  `a page blocked for ${BLOCKED_MS} ms: two buffers on their way, no growth, no event lost unseen (%s)`,
  async (transport) => {
    const script = await workerBundle('test/worker/meteredWorker.ts');
    const physics = await startPhysics({
      transport,
      workerFactory: () => new Worker(script),
      restart: false,
    });
    physics.onError(() => {});
    physics.createBody({ type: 'static', shape: { type: 'plane', restitution: 1 } });
    // Each bounces for ever: two events per bounce and ball.
    for (let i = 0; i < 200; i++)
      physics.createBody({
        position: [2 * i, 0.6 + 0.01 * i, 0],
        shape: { type: 'sphere', radius: 0.5, restitution: 1 },
        activationState: 'disableDeactivation',
      });
    let begins = 0;
    let ends = 0;
    physics.on('contactBegin', () => void begins++);
    physics.on('contactEnd', () => void ends++);
    await physics.start();
    await sleep(400);
    await until(() => begins > 0);
    const before = await heapOf(physics);
    const stepsBefore = physics.stats.steps;
    const frames = countFrames(physics);
    block(BLOCKED_MS);
    await sleep(50);
    physics.update();
    const after = await heapOf(physics);
    physics.update();
    const arrived = frames();
    console.log(
      `${transport}: ${physics.stats.steps - stepsBefore} steps in ${BLOCKED_MS} ms, ${arrived.burst} frames waiting, ` +
        `heap ${((after.heap - before.heap) / 1024).toFixed(0)} KB, buffers ${((after.external - before.external) / 1024).toFixed(0)} KB, ` +
        `${begins} begins, ${ends} ends, ${physics.stats.eventsDropped} dropped`,
    );
    if (transport === 'messages') expect(arrived.burst).toBeLessThanOrEqual(FRAMES_OUTSTANDING);
    else expect(arrived.burst).toBe(0);
    expect(after.heap - before.heap).toBeLessThan(1024 * 1024);
    expect(after.external - before.external).toBeLessThan(2 * 1024 * 1024);
    // Begins and ends come in turns for each ball: a difference means a loss, which must be told.
    await until(() => begins > 200);
    await physics.pause();
    const unseen = begins - ends < 0 || begins - ends > 200;
    expect(unseen && physics.stats.eventsDropped === 0).toBe(false);
  },
);

/** Frames that arrived by message at once after the block. */
function countFrames(physics: Physics): () => { burst: number } {
  const { data } = (physics as unknown as { link: { connection: { data: MessagePort } } }).link.connection;
  let burst = 0;
  let since = 0;
  data.addEventListener('message', ({ data: message }) => {
    if (!(message instanceof ArrayBuffer) || message.byteLength < 64) return;
    if (new Int32Array(message)[FRAME.KIND] !== MESSAGE_FRAME) return;
    const now = performance.now();
    since ||= now;
    if (now - since < 5) burst++;
  });
  return () => ({ burst });
}

test(`${CYCLES} worlds made and disposed of leave no worker and no memory`, async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const script = await workerScript();
  let running = 0;
  const cycle = async () => {
    const physics = await createPhysics({
      workerFactory: () => {
        running++;
        const thread = new Worker(script);
        thread.once('exit', () => running--);
        return thread;
      },
    });
    physics.createBody({ position: [0, 1, 0], shape: { type: 'sphere', radius: 0.5 } });
    physics.on('contactBegin', () => {});
    await physics.step(2);
    physics.dispose();
  };
  const used = async () => {
    for (let i = 0; i < 300 && running > 0; i++) await sleep(200);
    for (let i = 0; i < 3; i++) {
      collect();
      await sleep(20);
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  for (let i = 0; i < 10; i++) await cycle();
  const before = await used();
  for (let i = 0; i < CYCLES; i++) await cycle();
  // What is kept is there in every reading; what is only not collected yet is not.
  let growth = (await used()) - before;
  for (let i = 0; i < 20 && growth >= 2 * 1024 * 1024; i++)
    growth = Math.min(growth, (await used()) - before);
  console.log(`${CYCLES} worlds: ${(growth / 1024).toFixed(0)} KB growth, ${running} workers left`);
  expect(running).toBe(0);
  expect(growth).toBeLessThan(2 * 1024 * 1024);
});
