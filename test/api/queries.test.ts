// Shape queries of a world: sweeps, overlaps, nearest shapes, closest points, contacts, points. Expected values
// are closed forms. In: small worlds. Out: hits, in an order that no history of the tree can change.
import { describe, expect, test } from 'vitest';
import { type PhysicsError, QueryShape, type ShapeOptions, World } from '../../src';

const BALL: ShapeOptions = { type: 'sphere', radius: 0.5 };
const BOX: ShapeOptions = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };

/** A row of unit boxes at x = 0, 3, 6 … and a floor at y = −2. */
function row(count = 4) {
  const world = new World();
  const floor = world.createBody({ type: 'static', shape: { type: 'plane' }, position: [0, -2, 0] });
  const boxes = Array.from({ length: count }, (_, i) =>
    world.createBody({ type: 'static', shape: BOX, position: [3 * i, 0, 0] }),
  );
  return { world, floor, boxes };
}

describe('sweeps', () => {
  test('a ball meets the first box, and with all every box and nothing else', () => {
    const { world, boxes } = row();
    const target = { shape: BALL, position: [-5, 0.2, 0] };
    const hit = world.convexSweepTest(target, [20, 0, 0])!;
    expect(hit.body).toBe(boxes[0]);
    // The ball's surface reaches the face x = −0.5 when its centre is at −1.
    expect(hit.fraction).toBeCloseTo(4 / 20, 5);
    expect(hit.normal[0]).toBeCloseTo(-1, 5);
    expect(hit.point[0]).toBeCloseTo(-0.5, 4);
    expect(hit.point[1]).toBeCloseTo(0.2, 4);
    const all = world.convexSweepTest(target, [20, 0, 0], { mode: 'all' });
    expect(all.map(({ body }) => body)).toEqual(boxes);
    all.forEach(({ fraction }, i) => {
      expect(fraction).toBeCloseTo((4 + 3 * i) / 20, 5);
    });
    expect(world.convexSweepTest(target, [20, 0, 0], { mode: 'all', maxHits: 2 })).toHaveLength(2);
    expect(world.convexSweepTest(target, [-20, 0, 0])).toBeNull();
  });

  test('every convex shape falls on the plane where its lowest point says', () => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const low: [ShapeOptions, number][] = [
      [BALL, 0.5],
      [BOX, 0.5],
      [{ type: 'capsule', radius: 0.3, halfHeight: 0.7 }, 1],
      [{ type: 'cylinder', radius: 0.3, halfHeight: 0.7 }, 0.7],
      [{ type: 'cone', radius: 0.3, halfHeight: 0.7 }, 0.7],
      [{ type: 'hull', points: [1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 2, 0, 0, -1.5, 0] }, 1.5],
    ];
    for (const [shape, lowest] of low) {
      const { fraction, normal } = world.convexSweepTest({ shape, position: [0.3, 10, 0.1] }, [0, -20, 0])!;
      expect(20 * fraction).toBeCloseTo(10 - lowest, 3);
      expect(normal[1]).toBeCloseTo(1, 5);
    }
  });

  test('what overlaps at the start is hit at 0, what only touches is left when moving away', () => {
    const { world } = row(1);
    const at = (x: number, delta: number) =>
      world.convexSweepTest({ shape: BALL, position: [x, 0, 0] }, [delta, 0, 0]);
    expect(at(0.8, 5)!.fraction).toBe(0);
    expect(at(1, 5)).toBeNull();
    expect(at(1, -5)!.fraction).toBe(0);
  });

  test('a body sweeps with all its shapes and does not meet itself', () => {
    const { world, boxes } = row();
    const dumbbell = world.createBody({
      shape: [
        { ...BALL, position: [0, 4, 0] },
        { ...BALL, position: [-1, 0, 0] },
      ],
      position: [-5, 0, 0],
    } as never);
    const hit = world.convexSweepTest(dumbbell, [20, 0, 0])!;
    expect(hit.body).toBe(boxes[0]);
    expect(hit.piece).toBe(1);
    expect(hit.fraction).toBeCloseTo(5 / 20, 5);
  });
});

describe('overlaps, distances and contacts', () => {
  test('overlap of a turned box and of a hull, not of their bounding boxes', () => {
    const { world, boxes } = row();
    const s = Math.SQRT1_2;
    const rotation = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
    const diamond = { shape: BOX, rotation };
    // A box turned by 45° reaches √½ to the side.
    expect(world.overlapShapeTest({ ...diamond, position: [0.5 + s - 0.001, 0, 0] })).toEqual([
      { body: boxes[0], shape: boxes[0]!.shapes[0]! },
    ]);
    expect(world.overlapShapeTest({ ...diamond, position: [0.5 + s + 0.001, 0, 0] })).toEqual([]);
    const long = new QueryShape({ type: 'hull', points: [-1, 0, 0, 10, 0.1, 0, 10, -0.1, 0, 10, 0, 0.2] });
    expect(world.overlapShapeTest({ shape: long }).map(({ body }) => body)).toEqual(boxes);
    expect(world.overlapShapeTest({ shape: long }, { mode: 'any' })).toHaveLength(1);
    expect(world.overlapShapeTest({ shape: long }, { mode: 'all', maxHits: 2 })).toHaveLength(2);
    expect(world.overlapShapeTest({ shape: long }, { skip: boxes[0]! })).toHaveLength(3);
  });

  test('points inside', () => {
    const { world, floor, boxes } = row();
    expect(world.pointTest([3.4, 0.49, 0]).map(({ body }) => body)).toEqual([boxes[1]]);
    expect(world.pointTest([3.4, 0.51, 0])).toEqual([]);
    expect(world.pointTest([30, -3, 5]).map(({ body }) => body)).toEqual([floor]);
  });

  test('nearest shapes, nearest first, and distance of bodies', () => {
    const { world, floor, boxes } = row();
    const target = { shape: BALL, position: [4.6, 0, 0] };
    const near = world.nearestTest(target)!;
    expect(near.body).toBe(boxes[2]);
    expect(near.distance).toBeCloseTo(0.4, 5);
    expect(near.normal[0]).toBeCloseTo(1, 5);
    expect(near.pointA[0]).toBeCloseTo(5.1, 5);
    expect(near.pointB[0]).toBeCloseTo(5.5, 5);
    const all = world.nearestTest(target, { mode: 'all', maxDistance: 2 });
    expect(all.map(({ body }) => body)).toEqual([boxes[2], boxes[1], floor]);
    expect(all.map(({ distance }) => Math.round(1000 * distance))).toEqual([400, 600, 1500]);
    expect(world.nearestTest(target, { maxDistance: 0.3 })).toBeNull();

    expect(world.closestPoints(boxes[0]!, boxes[3]!)!.distance).toBeCloseTo(8, 5);
    expect(world.closestPoints(boxes[0]!, floor)!.distance).toBeCloseTo(1.5, 5);
    expect(world.closestPoints(floor, boxes[0]!)!.normal[1]).toBeCloseTo(1, 6);
    expect(world.closestPoints(boxes[0]!, boxes[3]!, { maxDistance: 7 })).toBeNull();
    const deep = world.closestPoints({ shape: BALL, position: [0.7, 0, 0] }, boxes[0]!)!;
    expect(deep.distance).toBeCloseTo(-0.3, 5);
    const loose = world.closestPoints({ shape: BALL }, { shape: BALL, position: [0, 4, 0] })!;
    expect(loose.distance).toBeCloseTo(3, 6);
    expect(loose.shape).toBe(0);
    const one = boxes[1]!.shapes[0]!;
    expect(world.closestPoints({ shape: one }, { shape: BALL })!.distance).toBeCloseTo(2, 5);
  });

  test('all contact points of a box on the floor and against its neighbour', () => {
    const { world, floor, boxes } = row();
    const target = { shape: BOX, position: [1, -1.51, 0] };
    const contacts = world.contactTest(target);
    expect(contacts).toHaveLength(1);
    expect(contacts[0]!.body).toBe(floor);
    expect(contacts[0]!.points).toHaveLength(4);
    for (const { separation, position } of contacts[0]!.points) {
      expect(separation).toBeCloseTo(-0.01, 4);
      expect(position[1]).toBeCloseTo(-2.005, 4);
    }
    expect(contacts[0]!.normal[1]).toBeCloseTo(-1, 5);
    const near = world.contactTest({ shape: BOX, position: [0, 1.05, 0] }, { maxDistance: 0.1 });
    expect(near[0]!.body).toBe(boxes[0]);
    expect(near[0]!.points.map(({ separation }) => Math.round(1e4 * separation))).toEqual([
      500, 500, 500, 500,
    ]);
    expect(world.contactTest({ shape: BOX, position: [0, 1.05, 0] })).toEqual([]);
    const pair = world.contactPairTest(boxes[1]!, { shape: BALL, position: [3, 0.9, 0] });
    expect(pair).toHaveLength(1);
    expect(pair[0]!.points[0]!.separation).toBeCloseTo(-0.1, 5);
    expect(pair[0]!.normal[1]).toBeCloseTo(1, 5);
  });
});

describe('filters and order', () => {
  test('groups, masks and sensors', () => {
    const world = new World();
    const body = (group: number, sensor = false) =>
      world.createBody({ type: 'static', shape: { ...BOX, sensor }, group, mask: 0xff });
    const [one, two, ghost] = [body(1), body(2), body(1, true)];
    const seen = (options: object) => world.overlapShapeTest({ shape: BALL }, options).map((hit) => hit.body);
    expect(seen({})).toEqual([one, two, ghost]);
    expect(seen({ mask: 2 })).toEqual([two]);
    expect(seen({ group: 0x100 })).toEqual([]);
    expect(seen({ sensors: false })).toEqual([one, two]);
    expect(world.rayTest([0, 5, 0], [0, -5, 0], { mode: 'all', sensors: false })).toHaveLength(2);
    expect(world.overlapTest([-1, -1, -1], [1, 1, 1], { sensors: false, skip: one })).toHaveLength(1);
  });

  test('answers are the same whatever was asked and however the tree grew', () => {
    const build = (ask: boolean) => {
      const world = new World();
      let seed = 12345;
      const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32;
      for (let i = 0; i < 300; i++) {
        world.createBody({
          type: i % 3 === 0 ? 'static' : 'dynamic',
          shape: i % 2 === 0 ? BOX : BALL,
          position: [20 * random(), 20 * random(), 20 * random()],
        });
        if (ask && i % 7 === 0) world.rayTest([0, 0, 0], [20, 20, 20]);
      }
      for (let i = 0; i < 10; i++) {
        world.step(1 / 60);
        if (ask) world.overlapShapeTest({ shape: BOX, position: [10, 10, 10] });
      }
      return world;
    };
    const [plain, asked] = [build(false), build(true)];
    const restored = World.restore(plain.snapshot());
    expect(asked.stateHash()).toBe(plain.stateHash());
    const answers = (world: World) => {
      const list: unknown[] = [];
      const bare = (hits: object) =>
        JSON.stringify(hits, (key, value) => (key === 'body' ? value?.id : value));
      for (const mode of ['any', 'closest', 'all'] as const)
        for (let i = 0; i < 20; i++) {
          const target = { shape: { type: 'box', halfExtents: [2, 1, 1] } as const, position: [i, 10, 10] };
          list.push(
            bare(
              world.queryBatch([
                { type: 'ray', from: [i, 0, 0], to: [20 - i, 20, 20], mode },
                { type: 'sweep', target, delta: [0, 5, 5], mode },
                { type: 'overlap', target, mode },
                { type: 'nearest', target, mode, maxDistance: 3 },
                { type: 'contacts', target },
                { type: 'point', point: [i, i, i], mode },
              ]),
            ),
          );
        }
      return list;
    };
    const truth = answers(plain);
    expect(truth.join('').length).toBeGreaterThan(10_000);
    expect(answers(asked)).toEqual(truth);
    expect(answers(restored)).toEqual(truth);
  });
});

describe('bad input', () => {
  const { world, boxes } = row(1);
  const code = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return `${(error as PhysicsError).code} ${(error as PhysicsError).argument}`;
    }
    return 'no error';
  };
  test.each([
    [() => world.convexSweepTest({ shape: BALL }, [0, Number.NaN, 0]), 'invalid-argument delta.y'],
    [() => world.convexSweepTest({ shape: BALL }, [0, 0, 0]), 'invalid-argument delta'],
    [
      () => world.convexSweepTest({ shape: { type: 'plane' } }, [1, 0, 0]),
      'invalid-argument target.shape.type',
    ],
    [() => world.overlapShapeTest(undefined as never), 'invalid-argument target'],
    [() => world.overlapShapeTest(12345678 as never), 'stale-id target'],
    [() => world.overlapShapeTest({ shape: [] }), 'invalid-argument target.shape'],
    [
      () => world.overlapShapeTest({ shape: { type: 'sphere', radius: -1 } }),
      'invalid-argument target.shape.radius',
    ],
    [
      () => world.overlapShapeTest({ shape: BALL, rotation: [0, 0, 0, 0] }),
      'invalid-argument target.rotation',
    ],
    [() => world.overlapShapeTest({ shape: BALL, size: 2 } as never), 'unknown-option target.size'],
    [
      () => world.overlapShapeTest({ shape: BALL }, { maxDistance: 1 } as never),
      'unknown-option maxDistance',
    ],
    [() => world.nearestTest({ shape: BALL }, { maxDistance: -1 }), 'invalid-argument maxDistance'],
    [() => world.closestPoints(boxes[0]!, { shape: 99 as never }), 'stale-id b.shape'],
    [() => world.closestPoints(boxes[0]!, null as never), 'invalid-argument b'],
    [
      () => world.queryBatch([{ type: 'ray', from: [0, 0, 0], to: [1, 0, 0] }, null as never]),
      'invalid-argument queries[1]',
    ],
    [() => world.queryBatch([{ type: 'rays' } as never]), 'invalid-argument queries[0].type'],
    [
      () => world.queryBatch([{ type: 'point', point: [0, 0, 0], wrong: 1 } as never]),
      'unknown-option queries[0].wrong',
    ],
    [
      () => world.queryBatch([{ type: 'point', point: [0, 0, '1'] } as never]),
      'invalid-argument queries[0].point.z',
    ],
    [() => new QueryShape({ type: 'hull', points: [0, 0, 0] }), 'invalid-argument shape.points.length'],
  ])('%s', (run, expected) => {
    expect(code(run)).toBe(expected);
  });
});
