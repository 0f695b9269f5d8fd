// What the client of a worker has beside PhysicsWorld, WorldBody and WorldJoint; see calls.ts.
import { BODY_CALLS, JOINT_CALLS, type Kind, queryBatch, type Recipe, WORLD_CALLS } from './calls';
import { CHARACTER_CALLS } from './characterCalls';
import { Raw } from './text';

const read: Recipe = { weight: 1, form: 'get', draft: () => ({ asks: true }) };
const listens: Recipe = {
  weight: 1,
  draft: (pick) => ({
    args: [new Raw(pick.chance.once(4) ? '() => {}' : `() => ${pick.act()}`)],
    asks: true,
  }),
};
/** Calls of the clock: steps come when they come. */
const runs: Recipe = { weight: 1, draft: () => ({ refused: 'maybe' }) };
/** Members that only a World can have. */
const unsupported: Recipe = {
  weight: 1,
  draft: () => ({ args: [new Raw('() => true')], refused: () => true, asks: true }),
};
/** Others than calls one by one have tests of their own: test/worker/cooking.test.ts, test/systems. */
const elsewhere: Recipe = { weight: 0, draft: () => ({}) };

const SURFACE: Record<string, Recipe> = {
  step: { weight: 8, draft: ({ chance }) => ({ args: [chance.of([1, 1, 2, 5])] }) },
  update: { weight: 5, draft: () => ({}) },
  flush: { weight: 2, draft: () => ({}) },
  start: runs,
  pause: { weight: 3, draft: () => ({}) },
  resume: runs,
  isRunning: read,
  timeScale: { weight: 1, form: 'set', draft: ({ chance }) => ({ args: [chance.of([0.5, 1, 2])] }) },
  transport: read,
  stats: read,
  fixedTimeStep: read,
  debugLines: read,
  setDebug: {
    weight: 1,
    draft: ({ chance }) => ({ args: [chance.once(3) ? new Raw('null') : { shapes: true, joints: true }] }),
  },
  addSystem: elsewhere,
  onError: { weight: 1, draft: () => ({ args: [new Raw('() => {}')], asks: true }) },
  onUpdate: listens,
  onRestart: listens,
  setPairFilter: unsupported,
  setInternalTickCallback: unsupported,
  writeMatrices: {
    weight: 1,
    draft: (pick) => ({
      args: [[new Raw(`${pick.handle()}.id`)], new Raw('new Float32Array(16)')],
      asks: true,
    }),
  },
  queryBatch: queryBatch([]),
  record: {
    weight: 1,
    draft: () => ({ args: [{ hashEvery: 1, compress: false }], refused: 'maybe', asks: true }),
  },
  stopRecording: { weight: 1, draft: () => ({ refused: 'maybe', asks: true }) },
  cookHull: elsewhere,
  decompose: elsewhere,
  cookMesh: elsewhere,
  cookHeightfield: elsewhere,
};

export const CLIENT_SURFACE: Record<Kind, Record<string, Recipe>> = {
  world: { ...WORLD_CALLS, ...SURFACE },
  body: { ...BODY_CALLS, physics: { ...read, weight: 0 } },
  joint: { ...JOINT_CALLS, physics: { ...read, weight: 0 } },
  character: CHARACTER_CALLS,
};
