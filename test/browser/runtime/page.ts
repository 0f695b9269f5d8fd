// What the browser tests of the runtime need in the page: the client from its sources, the recording of the
// Node tests, and readers of shared memory. Bundled by runtime.test.ts, never part of the demo.

import { exportCooked } from '../../../src/cooking';
import { FrameReader } from '../../../worker/board';
import { createPhysics, type Physics, type PhysicsOptions } from '../../../worker/client';
import { play } from '../../worker/recording';

const workers: Worker[] = [];

const runtime = {
  workers,
  worlds: [] as Physics[],

  async start(options: PhysicsOptions = {}): Promise<Physics> {
    const physics = await createPhysics({
      workerFactory: () => {
        const worker = new Worker('/runtime/physics.worker.mjs', { type: 'module' });
        workers.push(worker);
        return worker;
      },
      cookingWorker: () => new Worker('/runtime/cooking.worker.mjs', { type: 'module' }),
      ...options,
    });
    runtime.worlds.push(physics);
    return physics;
  },

  play,
  exportCooked,

  /** Reads poses while another thread writes; returns how many were torn. */
  async tornReads(reads: number): Promise<{ torn: number; frames: number }> {
    const worker = new Worker('/runtime/frameWriter.mjs', { type: 'module' });
    const memory = await new Promise<SharedArrayBuffer>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    const reader = new FrameReader(memory);
    let torn = 0;
    let frames = 0;
    let last = 0;
    let words: Int32Array | undefined;
    for (let done = 0; done < reads; ) {
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
};

export type Runtime = typeof runtime;
declare global {
  interface Window {
    runtime: Runtime;
  }
}
window.runtime = runtime;
