// What the browser tests of the runtime need in the page: the client from its sources, the recording of the
// Node tests, and readers of shared memory. Bundled by runtime.test.ts, never part of the demo.

import { exportCooked } from '../../../src/cooking';
import { warmUp } from '../../../src/warmup';
import { FrameReader } from '../../../worker/board';
import { createPhysics, type Physics, type PhysicsOptions } from '../../../worker/client';
import { FRAME, MESSAGE_FRAME, messageKind } from '../../../worker/protocol';
import { play } from '../../worker/recording';

const workers: Worker[] = [];
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const runtime = {
  workers,
  worlds: [] as Physics[],

  async start(options: PhysicsOptions = {}, script = 'physics.worker'): Promise<Physics> {
    const physics = await createPhysics({
      workerFactory: () => {
        const worker = new Worker(`/runtime/${script}.mjs`, { type: 'module' });
        workers.push(worker);
        return worker;
      },
      cookingWorker: () => new Worker('/runtime/cooking.worker.mjs', { type: 'module' }),
      ...options,
    });
    runtime.worlds.push(physics);
    return physics;
  },

  /** Waits for what frames tell of; how long is the test's affair. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await sleep(5);
      for (const physics of runtime.worlds) if (!physics.isDisposed) physics.update();
    }
  },

  play,
  exportCooked,
  rehearse: warmUp,

  /** Reads poses while another thread writes, so often and in so many frames at least; returns how many were torn. */
  async tornReads(reads: number, leastFrames: number): Promise<{ torn: number; frames: number }> {
    const worker = new Worker('/runtime/frameWriter.mjs', { type: 'module' });
    const memory = await new Promise<SharedArrayBuffer>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    const reader = new FrameReader(memory);
    let torn = 0;
    let frames = 0;
    let last = 0;
    let words: Int32Array | undefined;
    for (let done = 0; done < reads || frames < leastFrames; ) {
      const fresh = reader.take();
      if (fresh !== null) {
        words = fresh.words;
        frames++;
        if (words[0]! <= last) torn++;
        last = words[0]!;
      }
      if (words === undefined) continue;
      for (let pose = 0; pose < 1000; pose++, done++)
        for (let i = 0; i < 8; i++) if (words[8 * pose + i] !== last) torn++;
    }
    worker.terminate();
    return { torn, frames };
  },

  /** Ends the worker in the middle of a step of 1,000 bodies. */
  async kill(transport: 'shared' | 'messages') {
    const physics = await runtime.start({ transport, sleeping: false });
    physics.onError(() => {});
    physics.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 1000; i++)
      physics.createBody({
        position: [(i % 10) * 1.02, 0.5 + 1.01 * Math.floor(i / 100), (Math.floor(i / 10) % 10) * 1.02],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      });
    for (let k = 0; k < 6; k++) await physics.step(10);
    const pending = [physics.step(200), physics.stateHash()];
    while (physics.stats.steps < 65) {
      await sleep(1);
      physics.update();
    }
    const killed = performance.now();
    const restored = new Promise<number>((resolve) =>
      physics.onRestart(() => resolve(performance.now() - killed)),
    );
    runtime.workers.at(-1)!.terminate();
    const rejected = await Promise.allSettled(pending);
    const rejectedAfter = performance.now() - killed;
    const codes = rejected.map((r) => (r.status === 'rejected' ? r.reason.code : r.status));
    const restoredAfter = await restored;
    const hash = await physics.stateHash();
    physics.dispose();
    return { codes, rejectedAfter, restoredAfter, hash };
  },

  /** A running world of 200 balls that bounce for ever: two events for each bounce. */
  async bounce(transport: 'shared' | 'messages'): Promise<void> {
    const physics = await runtime.start({ transport });
    const { counts } = runtime;
    physics.onError((error) => {
      counts.told += Number(/^(\d+) events were lost/.exec(error.message)?.[1] ?? 0);
    });
    physics.on('contactBegin', () => void counts.begins++);
    physics.on('contactEnd', () => void counts.ends++);
    physics.createBody({ type: 'static', shape: { type: 'plane', restitution: 1 } });
    for (let i = 0; i < 200; i++)
      physics.createBody({
        position: [2 * i, 0.6 + 0.01 * i, 0],
        shape: { type: 'sphere', radius: 0.5, restitution: 1 },
        activationState: 'disableDeactivation',
      });
    await physics.start();
    const frame = () => {
      if (physics.isDisposed) return;
      physics.update();
      requestAnimationFrame(frame);
    };
    frame();
    await sleep(1500);
    await runtime.until(() => physics.stats.steps > 60);
  },

  /** What receiving and applying the poses of many bodies costs, and what commands for them cost. */
  async crowd(transport: 'shared' | 'messages', count: number) {
    const physics = await runtime.start({ transport, gravity: [0, 0, 0] });
    const ids = runtime.fill(physics, count);
    let createMs = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 5; k++) {
      for (const id of ids) physics.removeBody(id);
      physics.flush();
      await physics.stateHash();
      const began = performance.now();
      ids.set(runtime.fill(physics, count));
      createMs = Math.min(createMs, performance.now() - began);
    }
    await physics.start();
    const matrices = new Float32Array(16 * count);
    const mesh = Array.from(ids, (id) => physics.getBody(id)!);
    const times: number[] = [];
    const commands: number[] = [];
    const push = [0, 0, 0.01];
    let z = 0;
    for (let k = 0; k < 120; k++) {
      await new Promise(requestAnimationFrame);
      const began = performance.now();
      physics.update(began);
      physics.writeMatrices(ids, matrices);
      times.push(performance.now() - began);
      if (k === 60) z = matrices[14]!;
      if (k % 12 !== 0) continue;
      const start = performance.now();
      for (const body of mesh) body.applyImpulse(push);
      commands.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const { awake } = physics.stats;
    physics.dispose();
    return {
      awake,
      moving: matrices[14]! > z,
      frameMs: times[60]!,
      commandUs: (1000 * Math.min(...commands)) / count,
      createUs: (1000 * createMs) / count,
    };
  },

  fill(physics: Physics, count: number): Int32Array {
    const positions = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) positions.set([4 * (i % 100), 4 * Math.floor(i / 100), 0], 3 * i);
    return physics.createBodies(
      {
        shape: { type: 'sphere', radius: 0.5 },
        linearVelocity: [0, 0, 1],
        angularVelocity: [0, 1, 0],
        activationState: 'disableDeactivation',
      },
      { positions },
    );
  },

  crowded: { ids: new Int32Array(0) as Int32Array, matrices: new Float32Array(0), time: 0 },

  /** A running world, and a page whose code for its frames has been compiled. */
  async warmUp(count: number): Promise<void> {
    for (const [bodies, dt, frames] of [
      [10, 1 / 1000, 3000],
      [count, 1 / 120, 100],
    ] as const) {
      const physics = await runtime.start({ transport: 'shared', gravity: [0, 0, 0], fixedTimeStep: dt });
      const { crowded } = runtime;
      crowded.ids = runtime.fill(physics, bodies);
      crowded.matrices = new Float32Array(16 * bodies);
      await physics.step(1);
      await physics.start();
      for (let i = 0; i < 20; i++) {
        runtime.frames(frames / 20);
        await sleep(0);
      }
      if (bodies !== count) physics.dispose();
    }
  },

  /** So many fresh frames, `pause` ms between two calls of update. */
  frames(count: number, pause = 0): { fresh: number; updates: number } {
    const physics = runtime.worlds.at(-1)!;
    const { ids, matrices } = runtime.crowded;
    let fresh = 0;
    let updates = 0;
    for (let last = physics.stats.steps; fresh < count; updates++) {
      for (const end = performance.now() + pause; performance.now() < end; );
      physics.update(performance.now());
      physics.writeMatrices(ids, matrices);
      if (physics.stats.steps !== last) fresh++;
      last = physics.stats.steps;
    }
    return { fresh, updates };
  },

  counts: { begins: 0, ends: 0, told: 0 },

  /** One long task; then how many of the frames that come were on their way during it. Ends after so many events. */
  async block(ms: number, leastBegins: number) {
    const physics = runtime.worlds.at(-1)!;
    const { counts } = runtime;
    const before = physics.stats.steps;
    const { data } = (physics as unknown as { link: { connection: { data: MessagePort } } }).link.connection;
    const arrived: number[] = [];
    data.addEventListener('message', ({ data: message }) => {
      if (message instanceof ArrayBuffer && messageKind(message) === MESSAGE_FRAME)
        arrived.push(new Int32Array(message)[FRAME.STEPS]!);
    });
    const end = performance.now() + ms;
    while (performance.now() < end);
    await sleep(500);
    const steps = physics.stats.steps - before;
    const inFlight = arrived.filter((step) => step < before + steps / 2).length;
    await runtime.until(() => counts.begins > leastBegins);
    await physics.pause();
    return { steps, inFlight, ...counts, dropped: physics.stats.eventsDropped };
  },

  /** The worker's clock is put forward while it runs. */
  async away(transport: 'shared' | 'messages', ms: number) {
    const physics = await runtime.start({ transport, whenHidden: 'run' }, 'skippingWorker');
    physics.createBody({ shape: { type: 'sphere', radius: 0.5 } });
    // Every frame says what it added: the first after the jump is the one tick that saw it. Only what the time since
    // the look before brought by itself is not of that tick.
    let last = 0;
    let lookedAt = performance.now();
    let burst = Number.NaN;
    const look = () => {
      physics.update();
      const now = performance.now();
      const { steps, droppedMs } = physics.stats;
      if (droppedMs > ms / 2 && Number.isNaN(burst))
        burst = steps - last - Math.floor(0.06 * (now - lookedAt));
      [last, lookedAt] = [steps, now];
    };
    await physics.start();
    while (physics.stats.steps < 20) {
      await sleep(1);
      look();
    }
    new BroadcastChannel('skip').postMessage(ms);
    while (Number.isNaN(burst)) {
      await sleep(1);
      look();
    }
    const { steps, droppedMs } = physics.stats;
    await runtime.until(() => physics.stats.steps > steps + 10);
    return { burst, dropped: droppedMs };
  },
};

export type Runtime = typeof runtime;
declare global {
  interface Window {
    runtime: Runtime;
  }
}
window.runtime = runtime;
