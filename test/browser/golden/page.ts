// Runs golden scenes in a page, in every place that a world can be in. Bundled by determinism.test.ts, which calls it,
// and by scripts/determinism.mjs, whose address has `?report`: then it runs everything and posts what came out.
import { World } from 'ricochet';
import { Recorder } from 'ricochet/replay';
import { BodyVelocity } from '../../../src/wasm/core-layout';
import { createPhysics } from '../../../worker/client';
import {
  Course,
  continueCourse,
  EVERY,
  type Outcome,
  type RolledBack,
  rollBackRemoteCourse,
  runCourse,
  runRemoteCourse,
} from '../../determinism/course';
import { goldenScenes } from '../../determinism/scenes';
import type { ThreadsAnswer, ThreadsJob } from './threads';

/** A world in the page itself; or one behind a client, by its transport. */
export type Place = 'world' | 'shared' | 'messages' | 'page';

function sceneOf(id: string) {
  const scene = goldenScenes.find((other) => other.id === id);
  if (scene === undefined) throw new Error(`no golden scene named ${id}`);
  return scene;
}

const golden = {
  async run(id: string, place: Place, steps?: number): Promise<Outcome> {
    const scene = sceneOf(id);
    if (place === 'world') return runCourse(new World(scene.world), scene, steps);
    const physics = await createPhysics({
      ...scene.world,
      transport: place,
      workerFactory: () => new Worker('./physics.worker.mjs', { type: 'module' }),
    });
    const outcome = await runRemoteCourse(physics, scene, steps);
    physics.dispose();
    return outcome;
  },

  /** Goes back 8 and 60 frames on every frame. */
  async rollBack(id: string, transport: 'shared' | 'messages' | 'page', frames: number): Promise<RolledBack> {
    const scene = sceneOf(id);
    const physics = await createPhysics({
      ...scene.world,
      transport,
      clock: 'manual',
      workerFactory: () => new Worker('./physics.worker.mjs', { type: 'module' }),
    });
    const result = await rollBackRemoteCourse(physics, scene, frames, [8, 60]);
    physics.dispose();
    return result;
  },

  /** The hash of a heap after 150 steps, and who worked on it. Waits in between until `threads` do. */
  async heap(transport: 'shared' | 'messages' | 'page', threads: number): Promise<Heap> {
    const physics = await createPhysics({
      transport,
      threads,
      clock: 'manual',
      workerFactory: () => new Worker('./physics.worker.mjs', { type: 'module' }),
    });
    physics.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 400; i++)
      physics.createBody({
        position: [0.4 * (i % 5), 1 + 0.5 * Math.floor(i / 25), 0.4 * (Math.floor(i / 5) % 5)],
        shape: { type: 'box', halfExtents: [0.19, 0.19, 0.19] },
      });
    await physics.step(30);
    let report = (await physics.getProfile()).threads;
    for (let tries = 0; /starting/.test(report.reason) && tries < 500; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      report = (await physics.getProfile()).threads;
    }
    await physics.step(120);
    report = (await physics.getProfile()).threads;
    const hash = await physics.stateHash();
    const { count, reason, lost, forks, helped } = report;
    physics.dispose();
    return { hash, count, reason, lost, forks, helped };
  },

  /** What a worker with worlds on several threads finds out. */
  threads(job: ThreadsJob): Promise<ThreadsAnswer> {
    const worker = new Worker('./threads.mjs', { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as ThreadsAnswer);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(job);
    }).finally(() => worker.terminate()) as Promise<ThreadsAnswer>;
  },

  /** What happened here up to a step, to be replayed and compared elsewhere. `nudge`: something else happens at a step. */
  async record(id: string, steps: number, nudge = 0): Promise<number[]> {
    const scene = sceneOf(id);
    const world = new World(scene.world);
    const course = new Course(world, scene);
    const recorder = new Recorder(world, { keyframeEvery: 100 });
    if (nudge > 0) {
      continueCourse(course, 0, nudge);
      // Behind the recorder's back, as a machine that computes differently would.
      const { instance } = world;
      const slot = [...world.bodies()].at(-1)!.id & 0x3ffff;
      const at = instance.table('velocities') + ((slot * BodyVelocity.SIZE + BodyVelocity.linear) >> 2);
      instance.floats[at] = (instance.floats[at] as number) + 1e-3;
    }
    continueCourse(course, nudge, steps);
    return Array.from(await recorder.finish());
  },
};

interface Heap {
  hash: string;
  count: number;
  reason: string;
  lost: number;
  forks: number;
  helped: number;
}

export type Golden = typeof golden;
declare global {
  interface Window {
    golden: Golden;
  }
}
window.golden = golden;

/** Everything, for a script that only knows how to open an address. */
async function report(): Promise<void> {
  const expected = (await (await fetch('./golden.json')).json()) as Record<string, string[]>;
  const isShared = crossOriginIsolated && typeof SharedArrayBuffer === 'function';
  const places: Place[] = ['world', 'messages', ...(isShared ? (['shared'] as const) : [])];
  const results: unknown[] = [];
  for (const { id } of goldenScenes)
    for (const place of places) {
      try {
        const { hashes, events } = await golden.run(id, place);
        const at = hashes.findIndex((hash, i) => hash !== expected[id]?.[i]);
        const step = (at + 1) * EVERY;
        const recording = at >= 0 && place === 'world' ? await golden.record(id, step) : undefined;
        results.push({ id, place, step, events, recording });
      } catch (error) {
        results.push({ id, place, error: String(error) });
      }
      document.body.textContent = `${id} ${place}`;
    }
  await fetch('./report', {
    method: 'POST',
    body: JSON.stringify({ agent: navigator.userAgent, results }),
  });
}

if (new URLSearchParams(location.search).has('report')) void report();
