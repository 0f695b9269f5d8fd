// What random calls found, one test each. In: the calls, made smaller. Out: a PhysicsError that names the argument, and a
// world whose state is sound.
import { cookHeightfield, cookHull, World } from 'ricochet';
import { expect, test } from 'vitest';
import { caught } from '../support/caught';

const SHAPE = { type: 'sphere' as const, radius: 0.5 };
const any = (value: unknown) => value as never;

function isSound(world: World): boolean {
  return world.query((core) => core.findFault()) === 0;
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
