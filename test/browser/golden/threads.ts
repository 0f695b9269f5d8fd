// Worlds on several threads in a worker of a browser, with each loop shared however short it is. In: which scenes or random
// worlds, how many threads. Out: hashes and events, or the first difference.
import { World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import { TEST_EAGER } from '../../../src/core/threads/control';
import { threadedMaker } from '../../../src/threads/threadedCore';
import type { WorldOptions } from '../../../src/types';
import { registerMakers } from '../../../src/wasm/threading';
import { Course, continueCourse, EVERY, type Outcome, runCourse } from '../../determinism/course';
import { goldenScenes } from '../../determinism/scenes';
import { randomOptions, randomStep, randomWorld } from '../../support/randomWorlds';

export interface ThreadsJob {
  /** Golden scenes by id, or random worlds by their seeds; `replay`: a scene recorded on so many threads. */
  scenes?: string[];
  seeds?: number[];
  replay?: string;
  threads: number;
  steps: number;
}

export interface ThreadsAnswer {
  outcomes: Record<string, Outcome>;
  /** Empty, or what differed. */
  difference: string;
  forks: number;
  lost: number;
}

const made: World[] = [];

async function worldOn(threads: number, options: WorldOptions = {}): Promise<World> {
  const world = new World({ ...options, threads });
  made.push(world);
  for (let tries = 0; world.threads.count < threads; tries++) {
    if (tries > 2000) throw new Error(`helpers do not come: ${world.threads.reason}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return world;
}

const sceneOf = (id: string) => goldenScenes.find((scene) => scene.id === id)!;

/** A random world on several threads and on one: after each step, and after going back. */
async function soak(seed: number, threads: number, steps: number): Promise<string> {
  const options = randomOptions(seed);
  const plain = randomWorld(seed, new World(options));
  const world = randomWorld(seed, await worldOn(threads, options));
  const half = steps >> 1;
  let snapshot = world.snapshot();
  for (let step = 1; step <= steps; step++) {
    for (const each of [plain, world]) randomStep(each, seed, step);
    if (world.stateHash() !== plain.stateHash()) return `seed ${seed}, step ${step}`;
    if (step === half) snapshot = world.snapshot();
  }
  world.restore(snapshot);
  for (let step = half + 1; step <= steps; step++) randomStep(world, seed, step);
  return world.stateHash() === plain.stateHash() ? '' : `seed ${seed}, after going back`;
}

/** A scene recorded on several threads, replayed on one. */
async function replay(id: string, threads: number, steps: number): Promise<string> {
  const scene = sceneOf(id);
  const world = await worldOn(threads, scene.world);
  const recorder = new Recorder(world, { keyframeEvery: EVERY });
  continueCourse(new Course(world, scene), 0, steps);
  const player = await Player.open(await recorder.finish());
  const { divergence } = player.verify();
  return divergence === null ? '' : `${id}: ${JSON.stringify(divergence)}`;
}

async function run(job: ThreadsJob): Promise<ThreadsAnswer> {
  registerMakers((threads) => threadedMaker(threads, { mode: TEST_EAGER }));
  const answer: ThreadsAnswer = { outcomes: {}, difference: '', forks: 0, lost: 0 };
  const { threads, steps } = job;
  const finish = () => {
    for (const world of made.splice(0)) {
      answer.forks += world.threads.forks;
      answer.lost += world.threads.lost;
      world.dispose();
    }
  };
  for (const id of job.scenes ?? []) {
    const scene = sceneOf(id);
    answer.outcomes[id] = runCourse(await worldOn(threads, scene.world), scene, steps);
    finish();
  }
  for (const seed of job.seeds ?? []) {
    answer.difference ||= await soak(seed, threads, steps);
    finish();
  }
  if (job.replay !== undefined) answer.difference ||= await replay(job.replay, threads, steps);
  finish();
  return answer;
}

addEventListener('message', async ({ data }) => {
  try {
    postMessage(await run(data as ThreadsJob));
  } catch (error) {
    postMessage({ outcomes: {}, difference: String((error as Error).stack), forks: 0, lost: 0 });
  }
});
