// What can be called of any world, and what it must do. In: a scene, random numbers. Out: calls as text, each with what
// it does to the model. One recipe for each public member; surface.ts sees that none is missing.
import type { JointAxisName } from 'ricochet';
import { JOINT_TABLE } from '../../src/options/jointTypes';
import type { Chance } from '../support/randomWorlds';
import {
  type BodyModel,
  copyOf,
  type JointModel,
  type Model,
  readBody,
  readJoint,
  removeBody,
} from './model';
import * as options from './options';
import { Raw, type Tree } from './text';

/** What a call is about to be made of. */
export interface Draft {
  args?: readonly Tree[];
  /** The whole text where it is more than target.name(args). */
  text?: (call: string) => string;
  /** On success, with good arguments. */
  effect?: (model: Model, result: unknown) => void;
  /** Whether the call may be, or must be, refused although its arguments are good. */
  refused?: 'maybe' | ((model: Model) => boolean | 'maybe');
  /** Texts that must have a value, else the call is left out: `b[3]`. */
  needs?: readonly string[];
  /** Changes nothing, not even a byte. */
  asks?: boolean;
  /** Events may call listeners, or the model does not know what follows. */
  learns?: boolean;
}

export type Kind = 'world' | 'body' | 'joint' | 'character';

export interface Recipe {
  /** How often, of its kind. */
  weight: number;
  /** 'set': `target.name = arg`; 'get': without parentheses. */
  form?: 'get' | 'set';
  draft: (pick: Pick, target: string, index: number) => Draft;
}

/** What recipes choose from: names of what was made so far. */
export interface Pick {
  chance: Chance;
  /** A body, as a handle or an id. */
  body(): Raw;
  handle(): string;
  shapeOf(target: string): Raw;
  /** The model's body or joint of a handle, at the time of the call; undefined where it is gone. */
  bodyModel(model: Model, index: number): BodyModel | undefined;
  jointModel(model: Model, index: number): JointModel | undefined;
  joint(): string;
  next(list: 'b' | 'j' | 's' | 'q' | 'c'): number;
  /** An earlier snapshot or slot: its text and its model. */
  saved(list: 's' | 'q'): { text: string; model: () => Model | undefined } | undefined;
  keep(list: 's' | 'q', index: number, model: Model): void;
  created(index: number, list: 'b' | 'j', id: number): void;
  /** The text of some call, for callbacks and getters. */
  act(): string;
  isCrowded: boolean;
  /** The call is made from within another one. */
  isNested: boolean;
}

/** Where a getter writes. */
function out(chance: Chance): Raw {
  return chance.of([
    ...[
      new Raw('undefined'),
      new Raw('[0, 0, 0, 0]'),
      new Raw('new Float32Array(4)'),
      new Raw('new Float64Array(4)'),
    ],
    ...[new Raw('{ x: 0, y: 0, z: 0, w: 1 }'), new Raw('{ set() {} }')],
  ]);
}

const read: Recipe = { weight: 1, form: 'get', draft: () => ({ asks: true }) };
const ask = (args: (pick: Pick, target: string) => readonly Tree[] = () => [], weight = 1): Recipe => ({
  weight,
  draft: (pick, target) => ({ args: args(pick, target), asks: true }),
});
const fills: Recipe = ask(({ chance }) => [out(chance)]);

/** A question's options. */
function filter(pick: Pick, modes = true): Tree {
  const { chance } = pick;
  const given: { [name: string]: Tree } = {};
  if (chance.once(3)) given['group'] = chance.of([1, -1]);
  if (chance.once(3)) given['mask'] = chance.of([-1, 1, 2]);
  if (chance.once(4)) given['skip'] = pick.body();
  if (chance.once(4)) given['sensors'] = chance.once(2);
  if (modes && chance.once(2)) given['mode'] = chance.of(['closest', 'any', 'all']);
  if (modes && chance.once(5)) given['maxHits'] = chance.of([1, 3]);
  return given;
}

function target(pick: Pick): Tree {
  const { chance } = pick;
  if (chance.once(3)) return pick.body();
  if (chance.once(4)) return { shape: pick.shapeOf(pick.handle()) };
  return {
    shape: options.shape(chance),
    position: options.vector(chance, 3),
    rotation: options.rotation(chance),
  };
}

/** The question may name what is gone, or shapes of which nothing is known: refused or answered. */
const question = (args: (pick: Pick) => readonly Tree[]): Recipe => ({
  weight: 2,
  draft: (pick) => ({ args: args(pick), asks: true, refused: 'maybe' }),
});

const LISTENERS = (pick: Pick): Raw =>
  pick.chance.once(8)
    ? new Raw('h.throws')
    : new Raw(pick.chance.once(2) ? '() => {}' : `(event) => ${pick.act()}`);

/** A ray, the nearest shape, and `more` queries at once. */
export const queryBatch = (more: Tree[]): Recipe => ({
  weight: 1,
  draft: (pick) => ({
    args: [
      [
        { type: 'ray', from: [0, 9, 0], to: [0, -9, pick.chance.below(3)], mode: 'all' },
        { type: 'nearest', target: pick.body() },
        ...more,
      ],
    ],
    asks: true,
    refused: 'maybe',
  }),
});

/** Members of PhysicsWorld. */
export const WORLD_CALLS: Record<string, Recipe> = {
  createBody: {
    weight: 14,
    draft: (pick) => {
      const given = options.body(pick.chance);
      const index = pick.next('b');
      return {
        args: [given],
        text: (call) => `b[${index}] = ${call}`,
        refused: (model) => (model.bodies.size > 60 ? 'maybe' : massless(given)),
        effect: (model, result) => {
          const handle = result as never;
          pick.created(index, 'b', (result as { id: number }).id);
          const made = { ...readBody(handle), ...foretold(given) };
          model.bodies.set(made.id, made);
        },
      };
    },
  },
  createBodies: {
    weight: 3,
    draft: (pick) => {
      const { chance } = pick;
      const first = pick.next('b');
      const second = pick.next('b');
      const list = chance.once(2);
      const given = options.body(chance);
      const places: { [name: string]: Tree } = { positions: [0, 1, 0, 2, 1, 0] };
      if (chance.once(3)) places['rotations'] = [0, 0, 0, 1, 0, 0, 0.6, 0.8];
      if (chance.once(3)) places['linearVelocities'] = [1, 0, 0, 0, 1, 0];
      return {
        args: list ? [[given, options.body(chance)]] : [given, places],
        text: (call) =>
          list
            ? `[b[${first}], b[${second}]] = ${call}`
            : `[b[${first}], b[${second}]] = Array.from(${call}, (id) => w.getBody(id))`,
        refused: 'maybe',
        effect: (model, result) => {
          (result as { id: number }[]).forEach((handle, i) => {
            pick.created(i === 0 ? first : second, 'b', handle.id);
            model.bodies.set(handle.id, readBody(handle as never));
          });
        },
      };
    },
  },
  removeBody: {
    weight: 4,
    draft: (pick) => {
      const index = pick.next('b') - 1;
      const which = Math.max(0, pick.chance.below(index + 1));
      return {
        args: [new Raw(`b[${which}]${pick.chance.once(3) ? '.id' : ''}`)],
        needs: [`b[${which}]`],
        refused: (model) => (pick.bodyModel(model, which) === undefined ? 'maybe' : false),
        effect: (model) => {
          const gone = pick.bodyModel(model, which);
          if (gone !== undefined) removeBody(model, gone.id);
        },
        learns: true,
      };
    },
  },
  getBody: ask((pick) => [new Raw(`${pick.handle()}.id`)]),
  bodies: { weight: 1, draft: () => ({ text: (call) => `[...${call}].length`, asks: true }) },
  bodyCount: read,
  shapeCount: read,
  jointCount: read,
  createJoint: {
    weight: 6,
    draft: (pick) => {
      const index = pick.next('j');
      const given = options.joint(pick.chance, [pick.body(), pick.body()]);
      return {
        args: [given],
        text: (call) => `j[${index}] = ${call}`,
        refused: 'maybe',
        effect: (model, result) => {
          const made = readJoint(result as never);
          pick.created(index, 'j', made.id);
          model.joints.set(made.id, {
            ...made,
            type: given['type'] as string,
            userIndex: (given['userIndex'] as number) ?? 0,
            collide: given['collideConnected'] === true,
          });
        },
      };
    },
  },
  removeJoint: {
    weight: 2,
    draft: (pick) => ({
      args: [new Raw(`${pick.joint()}${pick.chance.once(3) ? '.id' : ''}`)],
      refused: 'maybe',
      learns: true,
    }),
  },
  getJoint: ask((pick) => [new Raw(`${pick.joint()}.id`)]),
  joints: { weight: 1, draft: () => ({ text: (call) => `[...${call}].length`, asks: true }) },
  getGravity: fills,
  explode: {
    weight: 2,
    draft: ({ chance }) => ({
      args: [
        options.vector(chance, 3),
        options.number(chance, 0.5, 6),
        options.number(chance, -20, 40),
        ...(chance.once(2)
          ? []
          : [{ occlusion: chance.once(2), falloff: chance.of(['constant', 'quadratic']) }]),
      ],
    }),
  },
  setGravity: {
    weight: 1,
    draft: ({ chance }) => {
      const gravity = [0, chance.of([-9.81, -1, 0, 3]), chance.of([0, 0, 2])];
      return { args: [gravity], effect: (model) => void (model.gravity = gravity) };
    },
  },
  settings: read,
  updateSettings: {
    weight: 2,
    draft: ({ chance }) => {
      const changes = options.settings(chance, 2);
      return { args: [changes], effect: (model) => void Object.assign(model.settings, changes) };
    },
  },
  profiling: {
    weight: 1,
    draft: ({ chance }) => ({
      args: [chance.once(2)],
      text: () => '',
    }),
    form: 'set',
  },
  advance: {
    weight: 4,
    draft: ({ chance }) => ({ args: [chance.of([1, 1, 2])], learns: true }),
  },
  on: {
    weight: 2,
    draft: (pick) => ({
      args: [
        pick.chance.of(options.EVENTS),
        LISTENERS(pick),
        ...(pick.chance.once(3) ? [{ body: pick.body(), minImpulse: 0.5 } as Tree] : []),
      ],
      refused: 'maybe',
      asks: true,
    }),
  },
  off: ask(({ chance }) => [chance.of(options.EVENTS), new Raw('h.throws')]),
  events: {
    weight: 1,
    draft: (pick) => ({
      args: pick.chance.once(2) ? [] : [pick.chance.of(options.EVENTS)],
      text: (call) => pick.chance.of([`[...${call}].length`, `h.quiet(${call}.next())`, `${call}.end()`]),
      asks: true,
    }),
  },
  rayTest: question((pick) => [
    options.vector(pick.chance, 6),
    options.vector(pick.chance, 6),
    ...(pick.chance.once(2) ? [filter(pick)] : []),
  ]),
  rayTestBatch: question((pick) => [[0, 9, 0, 0, -9, 0, 1, 9, 1, 1, -9, 1], filter(pick, false)]),
  convexSweepTest: question((pick) => [target(pick), options.vector(pick.chance, 6), filter(pick)]),
  overlapShapeTest: question((pick) => [target(pick), filter(pick)]),
  pointTest: question((pick) => [options.vector(pick.chance, 3), filter(pick)]),
  overlapTest: question((pick) => [[-2, -1, -2], [2, 3, 2], filter(pick)]),
  nearestTest: question((pick) => [target(pick), filter(pick)]),
  closestPoints: question((pick) => [
    target(pick),
    target(pick),
    { maxDistance: pick.chance.of([0, 1, 1e6]) },
  ]),
  contactTest: question((pick) => [target(pick), filter(pick, false)]),
  contactPairTest: question((pick) => [target(pick), target(pick), { maxDistance: 0.1 }]),
  getContacts: question((pick) => (pick.chance.once(2) ? [] : [pick.body()])),
  getProfile: ask(),
  stateHash: ask(),
  snapshot: {
    weight: 2,
    draft: (pick) => {
      const index = pick.next('s');
      return {
        text: (call) => `s[${index}] = ${call}`,
        effect: (model) => pick.keep('s', index, copyOf(model)),
        asks: true,
      };
    },
  },
  save: {
    weight: 2,
    draft: (pick) => {
      const index = pick.next('q');
      // From within it would take the place of a state that the model knows.
      const old = !pick.isNested && pick.chance.once(2) ? pick.saved('q') : undefined;
      const at = old === undefined ? index : Number(old.text.slice(2, -1));
      return {
        args: old === undefined ? [] : [new Raw(old.text)],
        text: (call) => `q[${at}] = ${call}`,
        effect: (model) => pick.keep('q', at, copyOf(model)),
        asks: true,
      };
    },
  },
  restore: {
    weight: 3,
    draft: (pick) => {
      const from = pick.saved(pick.chance.once(2) ? 's' : 'q');
      if (from === undefined) return { args: [new Raw('new Uint8Array(64)', 'bad')] };
      return {
        args: [new Raw(from.text)],
        needs: [from.text],
        effect: (model) => {
          const kept = from.model();
          if (kept !== undefined) Object.assign(model, copyOf(kept));
        },
      };
    },
  },
  dispose: { weight: 0, draft: () => ({}) },
  isDisposed: read,
};

/** What is known of a body from its options alone. */
function foretold(given: { [name: string]: Tree }): Partial<BodyModel> {
  const sensors = [given['shape']].flat().every((each) => (each as { sensor?: boolean })?.sensor === true);
  const ghost = given['contactResponse'] === false || sensors;
  const usual = given['type'] === 'dynamic' || ghost ? { group: 1, mask: -1 } : { group: 2, mask: ~2 };
  const word = (value: Tree, fallback: number) => (value === undefined ? fallback : (value as number) | 0);
  const number = (value: Tree, fallback: number) => (value === undefined ? fallback : (value as number));
  return {
    type: given['type'] as string,
    ...(given['mass'] === undefined ? {} : { mass: given['mass'] as number }),
    group: word(given['group'], usual.group),
    mask: word(given['mask'], usual.mask),
    userIndex: word(given['userIndex'], 0),
    linearDamping: number(given['linearDamping'], 0),
    angularDamping: number(given['angularDamping'], 0),
    gravityScale: number(given['gravityScale'], 1),
    linearFactor: (given['linearFactor'] as number[]) ?? [1, 1, 1],
    angularFactor: (given['angularFactor'] as number[]) ?? [1, 1, 1],
    thresholds: [number(given['linearSleepingThreshold'], 0.8), 1],
    ccd: [number(given['ccdMotionThreshold'], 0), number(given['ccdSweptSphereRadius'], 0)],
  };
}

/** Masses that follow from densities may be out of range; a body of sensors or triangles has one, too. */
function massless(given: { [name: string]: Tree }): boolean | 'maybe' {
  return given['mass'] === undefined && given['type'] === 'dynamic' ? 'maybe' : false;
}

/** A change of a body; `effect` gets its model. */
const change = (
  weight: number,
  make: (
    pick: Pick,
    target: string,
  ) => readonly Tree[] | { args: readonly Tree[]; effect: (body: BodyModel) => void },
  refused: (body: BodyModel) => boolean | 'maybe' = () => false,
): Recipe => ({
  weight,
  draft: (pick, text, index) => {
    const made = make(pick, text);
    const { args, effect } = 'effect' in made ? made : { args: made, effect: undefined };
    return {
      args,
      ...(effect === undefined
        ? {}
        : {
            effect: (model: Model) => {
              const body = pick.bodyModel(model, index);
              if (body !== undefined) effect(body);
            },
          }),
      refused: (model) => {
        const body = pick.bodyModel(model, index);
        return body === undefined ? true : refused(body);
      },
    };
  },
});

const push = (size: number): Recipe => change(2, ({ chance }) => [options.vector(chance, size)]);

/** Members of WorldBody. */
export const BODY_CALLS: Record<string, Recipe> = {
  ...Object.fromEntries(
    ['type', 'mass', 'shapes', 'group', 'mask', 'userIndex', 'isRemoved', 'id', 'userData'].map((name) => [
      name,
      read,
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['getLinearDamping', 'getAngularDamping', 'getGravityScale', 'getLinearSleepingThreshold', 'toJSON'],
      ...[
        'getAngularSleepingThreshold',
        'getCcdMotionThreshold',
        'getCcdSweptSphereRadius',
        'getLocalInertia',
      ],
      ...['getLocalCenterOfMass', 'isAwake', 'isSleeping', 'getContacts', 'getOverlappingBodies'],
    ].map((name) => [name, ask()]),
  ),
  ...Object.fromEntries(
    [
      ...['getLinearFactor', 'getAngularFactor', 'getPosition', 'getRotation', 'getCenterOfMassPosition'],
      ...['getLinearVelocity', 'getAngularVelocity'],
    ].map((name) => [name, fills]),
  ),
  getVelocityAtPoint: ask(({ chance }) => [options.vector(chance, 3), out(chance)]),
  getShape: {
    weight: 1,
    draft: (pick, text) => ({ args: [pick.shapeOf(text)], asks: true, refused: 'maybe' }),
  },
  setTransform: change(3, ({ chance }) => [options.vector(chance, 3), options.rotation(chance)]),
  setPosition: change(2, ({ chance }) => [options.vector(chance, 3)]),
  setRotation: change(1, ({ chance }) => [options.rotation(chance)]),
  setKinematicTarget: change(
    3,
    ({ chance }) => [options.vector(chance, 3), options.rotation(chance)],
    ({ type }) => type !== 'kinematic',
  ),
  setLinearVelocity: push(8),
  setAngularVelocity: push(8),
  applyForce: change(2, ({ chance }) => [options.vector(chance, 100), options.vector(chance, 0.5)]),
  applyCentralForce: push(100),
  // From a body at the end of the range a point may be too far.
  applyForceAtPoint: change(
    1,
    ({ chance }) => [options.vector(chance, 100), options.vector(chance, 3)],
    () => 'maybe',
  ),
  applyTorque: push(30),
  applyImpulse: change(3, ({ chance }) => [options.vector(chance, 20), options.vector(chance, 0.5)]),
  applyCentralImpulse: push(20),
  applyImpulseAtPoint: change(
    1,
    ({ chance }) => [options.vector(chance, 20), options.vector(chance, 3)],
    () => 'maybe',
  ),
  applyTorqueImpulse: push(10),
  setMass: change(
    2,
    ({ chance }) => {
      const mass = chance.of([0.1, 1, 30, 1e6]);
      return {
        args: chance.once(4) ? [mass, [1, 2, 2]] : [mass],
        effect: (body) => void (body.mass = mass),
      };
    },
    ({ type }) => (type === 'dynamic' ? 'maybe' : true),
  ),
  updateMassProps: {
    weight: 1,
    draft: ({ chance }) => ({ args: chance.once(2) ? [] : [{ mass: 3 }], refused: 'maybe', learns: true }),
  },
  setType: {
    weight: 3,
    draft: (pick, _text, index) => {
      const type = pick.chance.of(options.TYPES);
      return {
        args: type === 'dynamic' && pick.chance.once(2) ? [type, { mass: 5 }] : [type],
        refused: 'maybe',
        effect: (model) => {
          const body = pick.bodyModel(model, index);
          if (body !== undefined) body.type = type;
        },
        learns: true,
      };
    },
  },
  addShape: {
    weight: 3,
    draft: ({ chance }) => ({
      args: [chance.once(8) ? options.ground(chance) : options.shape(chance)],
      refused: 'maybe',
      learns: true,
    }),
  },
  removeShape: {
    weight: 2,
    draft: (pick, text, index) => {
      const shape = pick.shapeOf(text);
      const at = Number(/\[(\d+)\]$/.exec(shape.text)?.[1]);
      const isOwn = shape.text.startsWith(text);
      return {
        args: [shape],
        refused: (model) => {
          const body = pick.bodyModel(model, index);
          return body === undefined || (isOwn ? at >= body.shapes.length : 'maybe');
        },
        effect: (model) => {
          const body = pick.bodyModel(model, index);
          if (isOwn) body?.shapes.splice(at, 1);
        },
        learns: !isOwn,
      };
    },
  },
  setDamping: change(1, ({ chance }) => {
    const [a, b] = [options.number(chance, 0, 1), options.number(chance, 0, 1)];
    return { args: [a, b], effect: (body) => Object.assign(body, { linearDamping: a, angularDamping: b }) };
  }),
  setGravityScale: change(1, ({ chance }) => {
    const scale = options.number(chance, -2, 2);
    return { args: [scale], effect: (body) => void (body.gravityScale = scale) };
  }),
  setLinearFactor: change(1, ({ chance }) => {
    const factor = [chance.below(2), 1, 1];
    return { args: [factor], effect: (body) => void (body.linearFactor = factor) };
  }),
  setAngularFactor: change(1, ({ chance }) => {
    const factor = [1, chance.below(2), 0.5];
    return { args: [factor], effect: (body) => void (body.angularFactor = factor) };
  }),
  setSleepingThresholds: change(1, ({ chance }) => {
    const pair = [options.number(chance, 0, 2), options.number(chance, 0, 2)];
    return { args: pair, effect: (body) => void (body.thresholds = pair) };
  }),
  setFilter: change(2, ({ chance }) => {
    const [group, mask] = [chance.of([1, 2, 0xffffffff]), chance.of([-1, 3, 0])];
    return {
      args: [group, mask],
      effect: (body) => Object.assign(body, { group: group | 0, mask: mask | 0 }),
    };
  }),
  setMaterial: change(2, ({ chance }) => {
    const given = options.material(chance);
    return {
      args: [given],
      effect: ({ shapes }) => {
        for (const shape of shapes) Object.assign(shape.material, given);
      },
    };
  }),
  setShapeMaterial: {
    weight: 1,
    draft: (pick, text) => ({
      args: [pick.shapeOf(text), options.material(pick.chance)],
      refused: 'maybe',
      learns: true,
    }),
  },
  updateShape: {
    weight: 2,
    draft: (pick, text) => ({
      args: [pick.shapeOf(text), options.shapeChanges(pick.chance)],
      refused: 'maybe',
      learns: true,
    }),
  },
  setUserIndex: change(1, ({ chance }) => {
    const value = chance.of([0, 5, -7, 0xffffffff, -0x80000000]);
    return { args: [value], effect: (body) => void (body.userIndex = value | 0) };
  }),
  setCcd: change(1, ({ chance }) => {
    const pair = [options.number(chance, 0, 1), options.number(chance, 0, 0.4)];
    return { args: pair, effect: (body) => void (body.ccd = pair) };
  }),
  setActivationState: change(2, ({ chance }) => [chance.of(options.ACTIVATION)]),
  forceActivationState: change(2, ({ chance }) => [chance.of(options.ACTIVATION)]),
  activate: change(1, ({ chance }) => [chance.once(2)]),
  remove: {
    weight: 2,
    draft: (pick, _text, index) => ({
      refused: (model) => pick.bodyModel(model, index) === undefined,
      effect: (model) => {
        const body = pick.bodyModel(model, index);
        if (body !== undefined) removeBody(model, body.id);
      },
    }),
  },
};

const axisName = ({ chance }: Pick): JointAxisName => {
  const names = Object.values(JOINT_TABLE).flatMap(({ axes }) => Object.keys(axes)) as JointAxisName[];
  return chance.of(names);
};
/** Joints differ in their axes: what fits one is refused by another. */
const turn = (weight: number, args: (pick: Pick) => readonly Tree[]): Recipe => ({
  weight,
  draft: (pick) => ({ args: args(pick), refused: 'maybe' }),
});
const axisAsk: Recipe = {
  weight: 1,
  draft: (pick) => ({ args: [axisName(pick)], refused: 'maybe', asks: true }),
};

/** Members of WorldJoint. */
export const JOINT_CALLS: Record<string, Recipe> = {
  ...Object.fromEntries(
    [
      ...[
        'type',
        'userIndex',
        'bodyIdA',
        'bodyIdB',
        'bodyA',
        'bodyB',
        'collideConnected',
        'isRemoved',
        'isBroken',
      ],
      ...['id', 'userData'],
    ].map((name) => [name, read]),
  ),
  watch: ask(({ chance }) => (chance.once(2) ? [] : [chance.once(2)])),
  getPosition: axisAsk,
  getLimitState: axisAsk,
  getAxisImpulse: axisAsk,
  getAppliedImpulse: fills,
  getAppliedAngularImpulse: fills,
  setAxis: turn(3, (pick) => [axisName(pick), options.axis(pick.chance)]),
  setLimits: turn(2, (pick) => [axisName(pick), -0.4, 0.6]),
  setMotor: turn(2, (pick) => [axisName(pick), { velocity: 2, maxForce: pick.chance.of([0, 10]) }]),
  setServo: turn(2, (pick) => [axisName(pick), { target: 0.3, maxVelocity: 1, maxForce: 20 }]),
  setServoTargets: turn(2, ({ chance }) => [options.vector(chance, 1)]),
  setSpring: turn(2, (pick) => [axisName(pick), options.spring(pick.chance)]),
  setStop: turn(1, (pick) => [axisName(pick), { erp: 0.4, bounce: 0.2 }]),
  setRatio: turn(1, ({ chance }) => [chance.of([1, -2, 0.1])]),
  setSwing: turn(1, ({ chance }) => [chance.of(['swingY', 'swingZ']), options.number(chance, 0, 1.5)]),
  setFrames: turn(1, ({ chance }) => [{ position: options.vector(chance, 1) }, { axis: [0, 1, 0] }]),
  setTarget: turn(2, ({ chance }) => [options.vector(chance, 3)]),
  setEnabled: turn(1, ({ chance }) => [chance.once(2)]),
  setCollideConnected: {
    weight: 1,
    draft: (pick, _text, index) => {
      const collide = pick.chance.once(2);
      return {
        args: [collide],
        refused: (model) => pick.jointModel(model, index) === undefined,
        effect: (model) => {
          const joint = pick.jointModel(model, index);
          if (joint !== undefined) joint.collide = collide;
        },
      };
    },
  },
  setBreaking: turn(1, ({ chance }) => [chance.of([0, 0.5, 30]), 0]),
  setSoftness: turn(1, ({ chance }) => [chance.of([0, 5, 60]), chance.of([0, 1]), chance.of([0, 100])]),
  setErp: turn(1, ({ chance }) => [chance.of([0.2, 1]), chance.of([0, 0.1])]),
  remove: {
    weight: 1,
    draft: (pick, _text, index) => ({
      refused: (model) => pick.jointModel(model, index) === undefined,
      effect: (model) => {
        const joint = pick.jointModel(model, index);
        if (joint !== undefined) model.joints.delete(joint.id);
      },
    }),
  },
};
