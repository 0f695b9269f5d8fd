// What World, RigidBody and Joint have beside PhysicsWorld, WorldBody and WorldJoint; see calls.ts.
import { BODY_CALLS, JOINT_CALLS, type Kind, type Pick, queryBatch, type Recipe, WORLD_CALLS } from './calls';
import { CHARACTER_CALLS } from './characterCalls';
import { Raw } from './text';

const read: Recipe = { weight: 1, form: 'get', draft: () => ({ asks: true }) };
const ask: Recipe = { weight: 1, draft: () => ({ asks: true }) };
const fills = (text: string): Recipe => ({ weight: 1, draft: () => ({ args: [new Raw(text)], asks: true }) });

const callback = (pick: Pick, parameters: string): Raw =>
  pick.chance.once(6)
    ? new Raw('h.throws')
    : pick.chance.once(4)
      ? new Raw('null')
      : new Raw(`(${parameters}) => ${pick.act()}`);

/** Code of the user has tests of its own: test/systems. */
const elsewhere: Recipe = { weight: 0, draft: () => ({}) };

const SURFACE: Record<Exclude<Kind, 'character'>, Record<string, Recipe>> = {
  world: {
    step: { weight: 12, draft: ({ chance }) => ({ args: [chance.of([1 / 60, 1 / 60, 1 / 120, 1 / 20])] }) },
    stepSimulation: {
      weight: 5,
      draft: ({ chance }) => ({ args: [chance.of([0, 1 / 60, 0.04, 0.1]), chance.of([0, 1, 3]), 1 / 60] }),
    },
    setPairFilter: {
      weight: 1,
      draft: (pick) => ({
        args: [pick.chance.once(2) ? new Raw('() => true') : callback(pick, 'one, other')],
        asks: true,
      }),
    },
    setInternalTickCallback: {
      weight: 1,
      draft: (pick) => ({ args: [callback(pick, 'dt'), pick.chance.once(2)], asks: true }),
    },
    addSystem: elsewhere,
    interpolationTime: read,
    debugLines: {
      weight: 1,
      draft: ({ chance }) => ({
        args: [
          { shapes: true, aabbs: chance.once(2), contacts: true, joints: true, islands: chance.once(2) },
        ],
        asks: true,
      }),
    },
    queryBatch: queryBatch([{ type: 'point', point: [0, 0.5, 0] }]),
    readContacts: fills('undefined'),
    awakeCount: read,
    pairCount: read,
    contactCount: read,
    stepCount: read,
    threads: read,
    findIslands: ask,
    applyCommands: {
      weight: 1,
      draft: ({ chance }) => ({
        args: [new Raw(`Int32Array.of(${chance.below(2 ** 31)}, 1, ${chance.below(99)})`)],
        refused: 'maybe',
        learns: true,
      }),
    },
  },
  body: {
    world: { weight: 0, form: 'get', draft: () => ({ asks: true }) },
    getTransform: fills('new Float32Array(16)'),
    getInterpolatedPosition: fills('[0, 0, 0]'),
    getInterpolatedRotation: fills('[0, 0, 0, 1]'),
    getInterpolatedTransform: fills('new Float32Array(16)'),
    getPose: fills('new Float32Array(7)'),
    getInterpolatedPose: fills('new Float32Array(7)'),
    getTotalForce: fills('[0, 0, 0]'),
    getTotalTorque: fills('[0, 0, 0]'),
    getAabb: {
      weight: 1,
      draft: (pick, text) => ({
        args: [
          new Raw('[0, 0, 0]'),
          new Raw('[0, 0, 0]'),
          ...(pick.chance.once(2) ? [pick.shapeOf(text)] : []),
        ],
        asks: true,
        refused: 'maybe',
      }),
    },
    getActivationState: ask,
    isActive: ask,
    getIsland: ask,
    getInertiaOrientation: ask,
  },
  joint: {
    world: { weight: 0, form: 'get', draft: () => ({ asks: true }) },
    isEnabled: read,
    getAnchors: ask,
    getOptions: ask,
    getMainAxis: ask,
  },
};

/** Without `advance(n, dt)` of a worker's: here dt is free. */
export const WORLD_SURFACE: Record<Kind, Record<string, Recipe>> = {
  world: {
    ...WORLD_CALLS,
    ...SURFACE.world,
    advance: {
      weight: 4,
      draft: ({ chance }) => ({ args: [chance.of([1, 2, 4]), chance.of([1 / 60, 1 / 30])] }),
    },
  },
  body: { ...BODY_CALLS, ...SURFACE.body },
  joint: { ...JOINT_CALLS, ...SURFACE.joint },
  character: CHARACTER_CALLS,
};
