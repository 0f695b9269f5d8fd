// What random calls found, one test each. In: the calls, made smaller. Out: a PhysicsError that names the argument, and a
// world whose state is sound.
import {
  compound,
  cookHeightfield,
  cookHull,
  cookMesh,
  type PhysicsError,
  QueryShape,
  World,
} from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import { describe, expect, test } from 'vitest';
import { addBody, box, createWorld, load } from '../ammo/engines';
import { caught } from '../support/caught';
import { notNumbers } from '../support/numbers';
import { startPhysics } from '../worker/support';
import { neighbour } from '../worker/virtualTime';
import { fuzz, type Subject } from './fuzz';
import { WORLD_SURFACE } from './worldCalls';

const SHAPE = { type: 'sphere' as const, radius: 0.5 };
const any = (value: unknown) => value as never;

function isSound(world: World): boolean {
  return world.findFault() === 0;
}

/** The fields of a value, which are something else from the second look on. */
function fickle<T extends object>(
  value: T,
  other: unknown,
  names: readonly string[] = Object.keys(value),
): T {
  const seen = new Set<string>();
  return new Proxy(value, {
    get(target, name) {
      if (!names.includes(name as string) || !seen.has(name as string)) {
        seen.add(name as string);
        return Reflect.get(target, name);
      }
      return other;
    },
  });
}

test('results cannot be written: frozen, of bigints, a number, without its arrays', () => {
  const world = new World();
  const body = world.createBody({ shape: SHAPE });
  for (const out of [Object.freeze([0, 0, 0]), new BigInt64Array(3), Object.freeze({ x: 0, y: 0, z: 0 })]) {
    expect(caught(() => body.getPosition(any(out))).argument).toBe('out');
    expect(caught(() => body.getLinearFactor(any(out))).argument).toBe('out');
    expect(caught(() => world.getGravity(any(out))).argument).toBe('out');
  }
  for (const out of [0, 'out', Object.freeze([])])
    expect(caught(() => body.getTransform(any(out))).argument).toBe('out');
  for (const out of [new BigInt64Array(7), Object.freeze([0, 0, 0, 0, 0, 0, 0])])
    expect(caught(() => body.getPose(any(out))).argument).toBe('out');
  for (const out of [null, 3, {}, new Float32Array(3), { count: 0, positions: [], colors: [] }]) {
    expect(caught(() => world.readContacts(any(out))).argument).toMatch(/^out/);
    expect(caught(() => world.debugLines({}, any(out))).argument).toMatch(/^out/);
    expect(caught(() => world.rayTestBatch([0, 1, 0, 0, -1, 0], {}, any(out))).argument).toMatch(/^out/);
  }
});

test('results that can be written are the object that was given, used again', () => {
  const world = new World();
  world.createBody({ shape: SHAPE });
  const contacts = world.readContacts();
  expect(world.readContacts(contacts)).toBe(contacts);
  const lines = world.debugLines();
  expect(world.debugLines({ aabbs: true }, lines)).toBe(lines);
  const hits = world.rayTestBatch([0, 9, 0, 0, -9, 0]);
  expect(world.rayTestBatch([0, 9, 0, 0, -9, 0], {}, hits)).toBe(hits);
  expect(hits.count).toBe(1);
});

test('a body or joint of a world that was disposed of says so, whatever is read', () => {
  const world = new World();
  const body = world.createBody({ shape: SHAPE });
  const joint = world.createJoint({ type: 'slider', bodyB: body });
  world.dispose();
  const reads = [
    () => body.isActive(),
    () => body.isAwake(),
    () => body.getPosition(),
    () => body.getIsland(),
    () => joint.getPosition('position'),
    () => joint.getAxisImpulse('position'),
    () => joint.isBroken,
    () => joint.getAppliedImpulse(),
  ];
  for (const read of reads) expect(caught(read).code).toBe('disposed');
});

test('a step that ends in an error leaves a world that can be disposed of', () => {
  const world = new World();
  const step = () => {
    throw new Error('a fault');
  };
  Object.defineProperty(world['instance'], 'core', { value: { ...world['instance'].core, step } });
  expect(() => world.step(1 / 60)).toThrow('a fault');
  expect(caught(() => world.step(1 / 60)).code).toBe('out-of-memory');
  world.dispose();
  expect(world.isDisposed).toBe(true);
});

test('options that say something else at the second look: what was checked is what is used', () => {
  const world = new World();
  const spheres = [{ radius: 0.3 }, { radius: 0.2, position: [0.4, 0, 0] }];
  const made = [
    () =>
      world.createBody({ shape: { type: 'multiSphere', spheres: fickle(spheres, undefined, ['length']) } }),
    () => world.createBody({ shape: fickle(SHAPE, Number.NaN, ['radius']) }),
    () => world.createBody({ shape: fickle(SHAPE, 'box', ['type']) }),
    () => world.createBody(fickle({ shape: SHAPE, mass: 2 }, Number.NaN, ['mass'])),
    () => world.createBodies(fickle({ shape: SHAPE }, null), { positions: fickle([0, 9, 0], Number.NaN) }),
    () =>
      world.createJoint(
        fickle({ type: 'gear', bodyB: world.createBody({ shape: SHAPE }) }, 'point', ['type']),
      ),
  ];
  for (const make of made) {
    try {
      make();
    } catch (error) {
      expect(error).toMatchObject({ name: 'PhysicsError' });
    }
    world.step(1 / 60);
    expect(isSound(world)).toBe(true);
  }
  expect(world.bodyCount).toBeGreaterThan(3);
});

test('a getter whose own call is refused does not put its words in place of what is being read', () => {
  const world = new World();
  const [a, b] = [0, 3].map((x) => world.createBody({ shape: SHAPE, mass: 1, position: [x, 5, 0] }));
  const rail = world.createBody({ type: 'kinematic', shape: SHAPE, position: [9, 5, 0] });
  const joint = world.createJoint({ type: 'point', bodyA: a!, bodyB: b! });
  const refused = [
    () => world.explode([7, 7, any('here')], 1, 10),
    () => b!.applyForce([8, 8, any(null)]),
    () => b!.setTransform([1, 2, 3], any([0, 0, 0])),
    () => joint.setBreaking(3, Number.NaN),
  ];
  const calls: ((v: never) => void)[] = [
    (v) => a!.applyTorqueImpulse(v),
    (v) => a!.applyForce(v, [1, 0, 0]),
    (v) => a!.applyForce([1, 0, 0], v),
    (v) => a!.setLinearVelocity(v),
    (v) => a!.setPosition(v),
    (v) => a!.setTransform(v, [0, 0, 0, 1]),
    (v) => rail.setKinematicTarget(v, [0, 0, 0, 1]),
    (v) => world.explode(v, 2, 5),
  ];
  for (const refuse of refused)
    for (const call of calls) {
      const given = Object.defineProperty([1, 2, 3], 1, { get: () => Number(caught(refuse) !== undefined) });
      const before = world.stateHash();
      try {
        call(any(given));
      } catch (error) {
        expect(error).toMatchObject({ name: 'PhysicsError', code: 'busy' });
        expect(world.stateHash()).toBe(before);
        continue;
      }
      const after = world.stateHash();
      world.restore(world.save());
      expect(world.stateHash()).toBe(after);
    }
  world.step(1 / 60);
  expect(isSound(world)).toBe(true);
});

test('rays whose numbers call the world while they are read', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: SHAPE });
  let shots = 0;
  const rays = new Proxy([0, 9, 0, 0, -9, 0], {
    get(target, name) {
      if (name === '3' && shots++ < 3) world.rayTestBatch(Array.from({ length: 6000 }, (_, i) => i % 7));
      return Reflect.get(target, name);
    },
  });
  expect(world.rayTestBatch(rays).bodies).toEqual(world.rayTestBatch([0, 9, 0, 0, -9, 0]).bodies);
});

test.each([-1, 0.5, Number.NaN, 1e9, '3', 3n])('a list that is %s long', (length) => {
  const world = new World();
  const list = any({ length, 0: 0, 1: 0, 2: 0 });
  for (const call of [
    () => cookHull(list),
    () => world.createBody({ shape: { type: 'tetrahedron', points: list } }),
    () => world.createBodies({ shape: SHAPE }, { positions: list }),
    () => world.createBodies({ shape: SHAPE }, { positions: [0, 0, 0], rotations: list }),
    () => world.rayTestBatch(list),
  ])
    expect(['invalid-argument', 'limit-exceeded']).toContain(caught(call).code);
});

test('bigints and nothing in places and heights', () => {
  const world = new World();
  for (const positions of [[1n, 2n, 3n], new BigInt64Array(3)])
    expect(
      caught(() => world.createBodies({ shape: SHAPE }, { positions: any(positions) })).argument,
    ).toMatch(/^places\.positions/);
  const rotations = any(null);
  expect(
    caught(() => world.createBodies({ shape: SHAPE }, { positions: [0, 0, 0], rotations })).argument,
  ).toBe('places.rotations');
  const heights = any([0, 1n, 0, 0]);
  expect(caught(() => cookHeightfield({ rows: 2, columns: 2, spacing: 1, heights })).argument).toMatch(
    /^heights/,
  );
});

test('a message about a value that cannot be shown', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const body = new World().createBody({ shape: SHAPE });
  expect(caught(() => body.setMass(any(proxy))).argument).toBe('mass');
});

test('a list of shapes with holes', () => {
  const shape = any(new Array(2));
  const world = new World();
  const body = world.createBody({ shape: SHAPE });
  expect(caught(() => world.createBody({ shape })).argument).toBe('shape[0].type');
  expect(caught(() => world.closestPoints(body, { shape })).argument).toBe('b.shape[0].type');
  expect(caught(() => world.createBodies(any(new Array(2)))).argument).toBe('options');
  expect(isSound(world)).toBe(true);
});

test('a setting above 0 that is 0 in f32', () => {
  const world = new World();
  for (const name of ['contactHertz', 'contactBreakingThreshold', 'staticStiffness'])
    expect(caught(() => world.updateSettings({ [name]: 1e-60 })).argument).toBe(name);
});

test('a pair filter that changes a body is refused, and one that looks at it is answered', () => {
  const world = new World();
  world.createBody({ shape: SHAPE, userIndex: 7 });
  const body = world.createBody({ shape: SHAPE, position: [0.5, 0, 0] });
  const codes: string[] = [];
  const seen: number[] = [];
  world.setPairFilter((a, b) => {
    seen.push(a.userIndex + b.userIndex);
    codes.push(caught(() => body.applyImpulse([0, 1, 0])).code, caught(() => body.setUserIndex(3)).code);
    return true;
  });
  world.step(1 / 60);
  expect(seen).toEqual([7]);
  expect(codes).toEqual(['busy', 'busy']);
  expect(body.userIndex).toBe(0);
});

test.each(['updateMassProps', 'setType'])('options of %s whose getter removes the body', (method) => {
  const world = new World();
  const body = world.createBody({ shape: SHAPE });
  const options = {
    get mass() {
      body.remove();
      return 1;
    },
  };
  const call = () =>
    method === 'setType' ? body.setType('dynamic', options) : body.updateMassProps(options);
  expect(caught(call).code).toBe('busy');
  expect(isSound(world)).toBe(true);
});

test('a force at a point too far from its body names the point', () => {
  const body = new World().createBody({ shape: SHAPE, position: [0, 1e9, 0] });
  expect(caught(() => body.applyForceAtPoint([0, 1, 0], [0, -1e9, 0])).argument).toBe('worldPoint');
});

test('a world passed by mistake is shown in few words, and soon', () => {
  const world = new World();
  const body = world.createBody({ shape: SHAPE });
  expect(caught(() => body.setMass(any(world))).message).toBe('mass must be a number, got a World');
  expect(caught(() => body.setMass(any({ a: [{ b: 1 }] }))).message).toContain('got {"a":[{…}]}');
});

/** A list whose length is something else from the first look on; its entries stay. */
const endless = (list: readonly unknown[], length: unknown): never =>
  new Proxy(list, {
    get: (target, name) => (name === 'length' ? length : Reflect.get(target, name)),
  }) as never;

test.each([3n, 'x', Number.NaN, -1, 2 ** 40, null])(
  'a list behind a proxy that says it is %s long',
  (length) => {
    const world = new World();
    const body = world.createBody({ shape: SHAPE });
    const shapes = endless([SHAPE], length);
    const ray = { type: 'ray', from: [0, 1, 0], to: [0, 0, 0] };
    for (const call of [
      () => world.createBody({ shape: shapes }),
      () => world.createBodies(endless([{ shape: SHAPE }], length)),
      () => world.createBody({ shape: { type: 'multiSphere', spheres: endless([{ radius: 1 }], length) } }),
      () => world.closestPoints(body, { shape: shapes }),
      () => world.queryBatch(endless([ray], length)),
      () => new World({ events: endless(['contactBegin'], length) }),
      () => compound(endless([SHAPE], length)),
      () => compound([{ shape: shapes }]),
      () =>
        cookMesh({
          vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1],
          indices: [0, 1, 2],
          materials: [0],
          coefficients: endless([{ friction: 1 }], length),
        }),
    ])
      expect(['invalid-argument', 'limit-exceeded']).toContain(caught(call).code);
    expect(world.bodyCount).toBe(1);
  },
);

test('a shape 500 km off its body, pulled and linked: what the solver works with holds numbers only', () => {
  const world = new World();
  const points = [0, 0, 0, 0.656, 0, 0, 0, 0.28, 0, 0, 0, 0.606];
  const far = world.createBody({
    position: [0.182, 0.454, 2.33],
    shape: {
      type: 'tetrahedron',
      points,
      position: [374000, -9480, 343000],
      rotation: [0.136, 0.117, -0.033, 0.856],
    },
    linearVelocity: [-4.1, 0.892, 4.03],
    centerOfMass: [0, 0.1, 0],
  });
  world.advance(2, 1 / 60);
  world.createJoint({ type: 'mouse', bodyB: far, target: [-1.71, 0.315, -0.938] });
  const wall = world.createBody({ type: 'kinematic', position: [-1.7, 3.67, -0.989], shape: SHAPE });
  const stop = { stop: { erp: 0.3, cfm: 0, bounce: 0 } };
  world.createJoint({
    type: 'generic',
    bodyA: far,
    bodyB: wall,
    x: { low: 1, high: -1, ...stop },
    z: { low: 1, high: -1, motor: { velocity: -1.49, maxForce: 100 } },
    angleX: { low: 1, high: -1 },
    angleY: { low: 0, high: 0 },
    hertz: 20,
    dampingRatio: 0.1,
  });
  let lost = 0;
  for (let i = 0; i < 20; i++) {
    world.advance(1, 1 / 60);
    lost += world.getProfile().lost;
    expect(notNumbers(world)).toEqual([]);
  }
  expect(lost).toBeGreaterThan(0);
});

test('a multi-sphere as large as can be is restored, and a larger one is refused', () => {
  const world = new World();
  const make = (x: number) =>
    world.createBody({
      type: 'static',
      shape: {
        type: 'multiSphere',
        spheres: [
          { position: [-x, -x, -x], radius: 1e7 },
          { position: [x, x, x], radius: 1e7 },
        ],
      },
    });
  expect(caught(() => make(1e9)).argument).toBe('shape.spheres[0].position.x');
  make(1e7);
  const copy = World.restore(world.snapshot());
  expect(copy.stateHash()).toBe(world.stateHash());
});

describe('recorded questions', () => {
  const recorded = async (ask: (world: World) => void) => {
    const world = new World();
    world.createBody({ shape: SHAPE });
    const recorder = new Recorder(world);
    ask(world);
    world.step(1 / 60);
    const player = await Player.open(await recorder.finish());
    return player.verify({ goOn: true });
  };

  test('are what was asked, whatever their arguments say at the next look', async () => {
    const { queries, divergence } = await recorded((world) => {
      world.overlapTest([-2, -1, -2], fickle([2, 3, 2], 1n));
      world.overlapTest([-2, -1, -2], fickle([2, 3, 2], Number.NaN), fickle({ mask: -1 }, any({})));
      world.rayTest({ x: 0, y: 9, z: 0 }, fickle({ x: 0, y: -9, z: 0 }, 'far'));
      world.contactTest({ shape: fickle({ ...SHAPE, radius: 3 }, 0) });
      world.pointTest(endless([0, 0, 0], 3));
    });
    expect({ queries, divergence }).toEqual({ queries: 5, divergence: null });
  });

  test('know no argument that was not given, and vectors by what they say, not by what they keep', async () => {
    class Vector {
      constructor(private readonly values: readonly number[]) {}
      get x() {
        return this.values[0]!;
      }
      get y() {
        return this.values[1]!;
      }
      get z() {
        return this.values[2]!;
      }
    }
    const { queries, divergence } = await recorded((world) => {
      world.getContacts(undefined);
      world.rayTest(new Vector([0, 9, 0]), new Vector([0, -9, 0]), undefined);
      const shape = new QueryShape({ ...SHAPE, radius: 3 });
      world.overlapShapeTest({ shape, position: new Vector([0, 2, 0]) });
      world.nearestTest({ shape: SHAPE }, any(new Date(0))); // no option of any name
    });
    expect({ queries, divergence }).toEqual({ queries: 4, divergence: null });
  });

  test('are refused as they are without a recording', () => {
    const world = new World();
    world.createBody({ shape: SHAPE });
    const stranger = new World().createBody({ shape: SHAPE });
    const recorder = new Recorder(world);
    const refusals = [
      () => world.rayTest([0, Number.NaN, 0], [0, 1, 0]),
      () => world.rayTest([0, 0, 0], [0, 1, 0], { skip: any(() => 1) }),
      () => world.rayTest([0, 0, 0], [0, 1, 0], any(globalThis)),
      () => world.pointTest(any(world)),
      () => world.contactTest(stranger),
      () => world.contactTest(any({ id: stranger.id })),
      () => world.pointTest(any([1n, 2n, 3n])),
      () => world.rayTestBatch(any({ length: 3n })),
      () => world.contactTest({ shape: any([[[[]]]]) }),
    ];
    const messages = refusals.map((run) => caught(run).message);
    void recorder.finish();
    expect(refusals.map((run) => caught(run).message)).toEqual(messages);
  });
});

test('a recording begins with the state that the world was set to before its first step', async () => {
  const world = new World();
  const body = world.createBody({ shape: SHAPE });
  const slot = world.save();
  const recorder = new Recorder(world);
  body.setPosition([5, 5, 5]);
  world.restore(slot);
  body.setLinearVelocity([1, 0, 0]);
  world.save(slot);
  world.restore(slot);
  for (let i = 0; i < 3; i++) world.step(1 / 60);
  const player = await Player.open(await recorder.finish());
  expect(player.verify({ goOn: true })).toMatchObject({ hashes: 3, divergence: null });
});

test('a look at the world after the last call that throws is reported, with the calls', async () => {
  const subject: Subject = {
    name: 'World',
    surface: WORLD_SURFACE,
    open: () => {
      const world = new World();
      const other = new World();
      const body = other.createBody({ shape: SHAPE });
      return {
        world,
        foreign: { body, joint: other.createJoint({ type: 'point', bodyB: body }) },
        isHashed: () => false,
      };
    },
    end: () => {
      throw new Error('a fault');
    },
    close: (world) => world.dispose(),
  };
  const { failures } = await fuzz(subject, { calls: 1, seed: 1 });
  expect(failures).toMatchObject([{ seed: 1 }]);
  expect(failures[0]!.calls.length).toBeGreaterThan(0); // which ones depends on what members there are
  expect(failures[0]!.message).toMatch(/^end: Error: a fault/);
});

describe('the client', () => {
  const start = () =>
    startPhysics({ workerFactory: () => neighbour() as never, transport: 'page', clock: 'manual' });
  const refusal = async (run: () => unknown): Promise<PhysicsError> => {
    try {
      await run();
    } catch (error) {
      return error as PhysicsError;
    }
    throw new Error('nothing was refused');
  };

  test('places that say something else at the second look: a body is made, and is where it was said to be', async () => {
    const physics = await start();
    const body = physics.createBody({
      shape: SHAPE,
      position: fickle([1, 2, 3], Number.NaN, ['0', '1', '2']),
    });
    expect(body.getPosition()).toEqual([1, 2, 3]);
    body.setPosition(fickle([4, 5, 6], Number.NaN, ['0', '1', '2']));
    expect(body.getPosition()).toEqual([4, 5, 6]);
    expect(physics.bodyCount).toBe(1);
  });

  test('options of a question are looked at when it is asked, not when it is answered', async () => {
    const physics = await start();
    for (const y of [0, 3]) physics.createBody({ type: 'static', shape: SHAPE, position: [0, y, 0] });
    const options: { mode: 'all' | 'closest' } = { mode: 'all' };
    const target = { shape: SHAPE, position: [0, 9, 0] as const };
    const ask = () =>
      Promise.all([
        physics.rayTest([0, 9, 0], [0, -9, 0], any(options)),
        physics.convexSweepTest(target, [0, -18, 0], any(options)),
        physics.nearestTest(target, any(options)),
      ]);
    const all = ask();
    options.mode = 'closest';
    const closest = ask();
    options.mode = 'all';
    for (const answer of await all) expect(answer).toHaveLength(2);
    for (const answer of await closest) expect(answer).toMatchObject({ body: { id: expect.any(Number) } });
  });

  test('rays of an array whose buffer was handed over are no rays', async () => {
    const physics = await start();
    const rays = new Float32Array(6);
    structuredClone(rays.buffer, { transfer: [rays.buffer] });
    expect((await physics.rayTestBatch(rays)).count).toBe(0);
    expect(new World().rayTestBatch(rays).count).toBe(0);
  });

  test('a getter of a force that sends what was called before', async () => {
    const physics = await start();
    const body = physics.createBody({ shape: SHAPE, mass: 1 });
    const force = {
      x: 0,
      get y() {
        physics.flush();
        return 60;
      },
      z: 0,
    };
    body.applyCentralForce(force);
    await physics.step(1);
    expect(body.getLinearVelocity()[1]).toBeCloseTo(1 - 9.81 / 60, 4);
  });

  test('a recording holds what was asked, whatever arguments say at the next look', async () => {
    const physics = await start();
    const [a, b] = [0, 3].map((x) => physics.createBody({ shape: SHAPE, position: [x, 0, 0] }));
    await physics.record({ compress: false });
    await physics.overlapTest([-2, -1, -2], fickle([2, 3, 2], 1n));
    await physics.contactPairTest(a!, b!.id, fickle({ maxDistance: 9 }, 1n));
    await physics.rayTestBatch([0, 9, 0, 0, -9, 0], fickle({ mask: -1 }, 1n));
    await physics.rayTest({ x: 0, y: 9, z: 0 }, fickle({ x: 0, y: -9, z: 0 }, 'far'), { mode: 'all' });
    expect((await refusal(() => physics.pointTest(any([0, 1n, 0])))).argument).toBe('point.y');
    await physics.getContacts(undefined);
    await physics.step(1);
    const player = await Player.open(await physics.stopRecording());
    expect(player.verify({ goOn: true })).toMatchObject({ queries: 5, divergence: null });
  });

  test('what cannot be recorded, drawn or written is refused at once, by name', async () => {
    const physics = await start();
    expect((await refusal(() => physics.record({ hashEvery: any(() => 1) }))).argument).toBe('hashEvery');
    expect((await refusal(() => physics.stopRecording())).argument).toBe('world');
    expect((await refusal(() => physics.setDebug({ shapes: any([]) }))).argument).toBe('shapes');
    expect((await refusal(() => physics.start())).argument).toBe('clock');
    for (const out of ['', 3, new BigInt64Array(16), new Float32Array(15)])
      expect((await refusal(() => physics.writeMatrices([1], any(out)))).argument).toBe('out');
    expect((await refusal(() => physics.pointTest([0, 0, 0], any(new Float32Array(0))))).argument).toBe(
      'options',
    );
  });
});

describe('the facade', () => {
  const given = async () => {
    const A = await load('ricochet');
    const world = createWorld(A);
    return { A, world, body: addBody(A, world, box(A), 1) };
  };

  test('objects that no program can make, and others seen as what they are not', async () => {
    const { A, body } = await given();
    for (const name of [
      'btCollisionObjectWrapper',
      'btContactSolverInfo',
      'btMotionState',
      'btConvexShape',
      'btIntArray',
    ])
      expect(caught(() => new A[name]()).code).toBe('unsupported');
    const cast = A.castObject(body, A.btVector3);
    expect(caught(() => body.setLinearVelocity(cast)).code).toBe('invalid-argument');
    expect(caught(() => new A.btManifoldPoint().set_m_localPointA(body)).code).toBe('invalid-argument');
    expect(caught(() => A.castObject(true, A.btVector3)).code).toBe('invalid-argument');
    expect(caught(() => new A.MotionState().getWorldTransform(1)).code).toBe('unsupported');
  });

  test('wrappers have the members of ammo.js, and room for what a program keeps on them', async () => {
    const { A, world, body } = await given();
    const caster = new A.btDefaultVehicleRaycaster(world);
    const vehicle = new A.btRaycastVehicle(new A.btVehicleTuning(), body, caster);
    const ghost = new A.btPairCachingGhostObject();
    ghost.setCollisionShape(box(A));
    const character = new A.btKinematicCharacterController(ghost, box(A), 0.3, 1);
    // A program's own: over it, nothing of ours may stumble.
    const own = [
      'wheels',
      'chassis',
      'speed',
      'up',
      'right',
      'forward',
      'cast',
      'update',
      'roll',
      'velocityOf',
    ];
    for (const name of own) {
      expect(vehicle[name]).toBeUndefined();
      vehicle[name] = `of the program: ${name}`;
    }
    for (const name of ['shape', 'gravity', 'up', 'walk', 'ready', 'slopes', 'ghost', 'native']) {
      expect(character[name]).toBeUndefined();
      character[name] = null;
    }
    expect(caster.world).toBeUndefined();
    caster.world = null;
    const v = (x: number, y: number, z: number) => new A.btVector3(x, y, z);
    vehicle.addWheel(v(0, 0, 1), v(0, -1, 0), v(-1, 0, 0), 0.6, 0.4, new A.btVehicleTuning(), true);
    world.addAction(vehicle);
    world.addCollisionObject(ghost, 32, -1);
    world.addAction(character);
    world.stepSimulation(1 / 60, 1);
    expect(vehicle.getNumWheels()).toBe(1);
    const wheels = new A.btRaycastVehicle(new A.btVehicleTuning(), body, new A.btVehicleRaycaster());
    wheels.addWheel(v(0, 0, 1), v(0, -1, 0), v(-1, 0, 0), 0.6, 0.4, new A.btVehicleTuning(), true);
    wheels.updateVehicle(1 / 60);
    expect(caught(() => wheels.rayCast(0.5)).code).toBe('invalid-argument');
  });

  test('windows outlive their body, and cannot be destroyed before it', async () => {
    const { A, world, body } = await given();
    const window = body.getWorldTransform();
    A.destroy(window);
    A.destroy(body.getLinearVelocity());
    world.stepSimulation(1 / 60, 1);
    expect(body.getWorldTransform().getOrigin().y()).toBeLessThan(0);
    A.destroy(body);
    window.setOrigin(new A.btVector3(1, 2, 3));
    expect(window.getOrigin().x()).toBe(1);
    A.destroy(world);
  });

  test('a callback that destroys what touches, a motion state taken from a body outside, a compound in itself', async () => {
    const { A, world, body } = await given();
    const other = addBody(A, world, box(A), 1, { position: [0, 0.5, 0] });
    const callback = new A.ConcreteContactResultCallback();
    callback.addSingleResult = () => {
      A.destroy(other);
      return 0;
    };
    world.contactTest(body, callback);
    world.stepSimulation(1 / 60, 1);
    world.removeRigidBody(body);
    body.setMotionState(null);
    const compound = new A.btCompoundShape();
    const outer = new A.btCompoundShape();
    outer.addChildShape(new A.btTransform(), compound);
    for (const child of [compound, outer])
      expect(caught(() => compound.addChildShape(new A.btTransform(), child)).code).toBe('invalid-argument');
    expect(caught(() => world.setDebugDrawer(body)).code).toBe('invalid-argument');
  });
});
