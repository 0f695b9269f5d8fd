// Coefficients of single triangles and cells, meshes that move, instances that share. In: small worlds, and what
// Coulomb and Newton say of them.
import { describe, expect, test } from 'vitest';
import {
  cookMesh,
  exportCooked,
  heightfield,
  importCooked,
  mesh,
  type PhysicsError,
  type ShapeOptions,
  World,
} from '../../src';

const DT = 1 / 60;
const G = 9.81;

/** 20 × 4 cells of 1 m; the material is 0 for x < 0, else 1. */
function strip(options: object) {
  const [vertices, indices, materials]: number[][] = [[], [], []];
  for (let j = 0; j <= 4; j++) for (let i = 0; i <= 20; i++) vertices!.push(i - 10, 0, j - 2);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 20; i++) {
      const a = j * 21 + i;
      indices!.push(a, a + 21, a + 1, a + 1, a + 21, a + 22);
      materials!.push(i < 10 ? 0 : 1, i < 10 ? 0 : 1);
    }
  return mesh({ vertices: vertices!, indices: indices!, materials: materials!, ...options });
}
const fieldStrip = (options: object) =>
  heightfield({
    rows: 5,
    columns: 21,
    heights: new Float32Array(105),
    spacing: 1,
    materials: Array.from({ length: 80 }, (_, cell) => (cell % 20 < 10 ? 0 : 1)),
    ...options,
  });

const BOX: ShapeOptions = { type: 'box', halfExtents: [0.3, 0.2, 0.3], friction: 1, restitution: 1 };

function worldOn(shape: ShapeOptions) {
  const world = new World({ sleeping: false, gravity: [0, -G, 0], restitutionCombine: 'multiply' });
  const ground = world.createBody({ type: 'static', shape });
  return { world, ground };
}
const run = (world: World, seconds: number) => {
  for (let i = 0; i < Math.round(seconds / DT); i++) world.step(DT);
};

describe.each([
  ['mesh', strip],
  ['heightfield', fieldStrip],
] as const)('materials of a %s', (_, make) => {
  const coefficients = [{ friction: 0 }, { friction: 0.4, restitution: 0 }];

  test('a box slides freely over one and is braked on the other', () => {
    const { world } = worldOn(make({ coefficients, friction: 1, restitution: 0 }));
    const box = world.createBody({ shape: BOX, position: [-4, 0.2, 0.1], linearVelocity: [3, 0, 0] });
    run(world, 1);
    expect(box.getLinearVelocity()[0]).toBeCloseTo(3, 3);
    expect(box.getPosition()[0]).toBeCloseTo(-1, 2);
    // Wholly on the second by x = 0.3; then v²/2μg = 1.147 m.
    run(world, 3);
    const x = box.getPosition()[0];
    // Half the weight on either side of the line brakes half: between all of it from −0.3 and from 0.3 on.
    const way = 9 / (2 * 0.4 * G);
    expect(x).toBeGreaterThan(way - 0.3);
    expect(x).toBeLessThan(way + 0.3);
    expect(Math.abs(box.getLinearVelocity()[0])).toBeLessThan(1e-3);
  });

  test('what comes at 100 m/s strikes the material of its triangle', () => {
    for (const [x, restitution, friction] of [
      [-4, 0.9, 0],
      [4, 0.2, 0.5],
    ] as const) {
      const { world } = worldOn(
        make({
          coefficients: [
            { restitution: 0.9, friction: 0 },
            { restitution: 0.2, friction: 0.5 },
          ],
          friction: 0.3,
          restitution: 0.5,
        }),
      );
      const ball = world.createBody({
        shape: { type: 'sphere', radius: 0.05, friction: 1, restitution: 1 },
        position: [x, 0.9, 0.3],
        linearVelocity: [0, -100, 40],
      });
      world.step(DT);
      expect(world.getProfile().impacts).toBe(1);
      const v = ball.getLinearVelocity();
      expect(v[1] / 100).toBeCloseTo(restitution, 2);
      // Coulomb, or rolling from then on: 5/7 of the speed, whichever brakes less.
      expect(v[2]).toBeCloseTo(Math.max((5 / 7) * 40, 40 - friction * (1 + restitution) * 100), 0);
    }
  });

  test('on the second alone it stops where Coulomb says', () => {
    const { world, ground } = worldOn(make({ coefficients, friction: 0, restitution: 0 }));
    const box = world.createBody({ shape: BOX, position: [1, 0.2, 0.1], linearVelocity: [3, 0, 0] });
    ground.setMaterial({ friction: 0.9 }); // of triangles without coefficients of their own
    run(world, 2);
    expect(box.getPosition()[0]).toBeCloseTo(1 + 9 / (2 * 0.4 * G), 2);
  });

  test('a ball bounces by the restitution of the triangle that it meets', () => {
    const { world } = worldOn(make({ coefficients: [{ restitution: 0.8 }, { restitution: 0.3 }] }));
    for (const [x, e] of [
      [-4.3, 0.8],
      [4.3, 0.3],
    ] as const) {
      const ball = world.createBody({
        shape: { type: 'sphere', radius: 0.25, restitution: 1 },
        position: [x, 2.25, 0.2],
      });
      let [lowest, top] = [9, 0];
      for (let i = 0; i < 100; i++) {
        world.step(DT);
        const y = ball.getPosition()[1]!;
        lowest = Math.min(lowest, y);
        if (ball.getLinearVelocity()[1]! >= 0 || lowest < 0.3) top = Math.max(top, lowest < 0.4 ? y : 0);
      }
      expect(top - 0.25).toBeGreaterThan(2 * e * e - 0.04);
      expect(top - 0.25).toBeLessThan(2 * e * e + 0.04);
      world.removeBody(ball);
    }
  });

  test('what an entry or the list lacks is the shape’s', () => {
    const { world } = worldOn(make({ coefficients: [{ restitution: 0.5 }], friction: 0.4 }));
    for (const x of [-8, 1]) {
      const box = world.createBody({
        shape: { ...BOX, restitution: 0 } as ShapeOptions,
        position: [x, 0.2, 0.1],
        linearVelocity: [3, 0, 0],
      });
      run(world, 2);
      expect(box.getPosition()[0]).toBeCloseTo(x + 9 / (2 * 0.4 * G), 2);
      world.removeBody(box);
    }
  });

  test('wrong tables are refused by name', () => {
    for (const [given, argument] of [
      [[], 'coefficients'],
      [[{ friction: -1 }], 'coefficients[0].friction'],
      [[{}, { restitution: 1.5 }], 'coefficients[1].restitution'],
      [[{ grip: 1 }], 'coefficients[0]'],
    ] as const) {
      let error: PhysicsError | undefined;
      try {
        make({ coefficients: given });
      } catch (thrown) {
        error = thrown as PhysicsError;
      }
      expect(`${error?.argument} ${error?.message}`).toContain(argument);
    }
  });
});

test('coefficients are part of the content: kept, saved and loaded', () => {
  const plain = strip({}).geometry;
  const icy = strip({ coefficients: [{ friction: 0 }] }).geometry;
  expect(icy).not.toBe(plain);
  expect(strip({ coefficients: [{ friction: 0 }] }).geometry).toBe(icy);
  const again = importCooked(exportCooked(icy));
  expect([...again.words]).toEqual([...icy.words]);
  const broken = exportCooked(icy);
  broken[broken.length - 1] = 0xff;
  expect(() => importCooked(broken)).toThrow();
});

test('a kinematic mesh carries, lifts and pushes', () => {
  const world = new World({ sleeping: false });
  const lift = world.createBody({ type: 'kinematic', shape: strip({ friction: 1 }) });
  const box = world.createBody({ shape: BOX, position: [0.1, 0.2, 0.1] });
  lift.setLinearVelocity([0.5, 0.5, 0]);
  run(world, 2);
  expect(lift.getPosition()[1]).toBeCloseTo(1, 4);
  expect(box.getPosition()[1]).toBeCloseTo(1.2, 2);
  expect(box.getPosition()[0]).toBeCloseTo(1.1, 1);
  expect(box.getLinearVelocity()[0]).toBeCloseTo(0.5, 3);
  // Queries see it where it is.
  const ray = world.rayTest([5.3, 9, 0.2], [5.3, -9, 0.2])!;
  expect(ray.body).toBe(lift);
  expect(ray.point[1]).toBeCloseTo(1, 4);
});

test('scaled instances share one tree', () => {
  const geometry = cookMesh({
    vertices: [0, 0, 0, 1, 0, 0, 0, 0, -1, 1, 0, -1],
    indices: [0, 1, 2, 2, 1, 3],
  });
  const world = new World({ sleeping: false });
  const before = world.getProfile().memory;
  for (let i = 0; i < 20; i++)
    world.createBody({ type: 'static', shape: mesh({ geometry, scale: 1 + i }), position: [30 * i, 0, 0] });
  const stored = (world as unknown as { instance: { get(name: string): number } }).instance.get(
    'geometryEnd',
  );
  expect(stored).toBeLessThanOrEqual(2);
  expect(world.getProfile().memory - before).toBeLessThan(65536 * 4);
  for (let i = 0; i < 20; i += 7) {
    const hit = world.rayTest(
      [30 * i + 0.9 * (1 + i), 5, -0.5 * (1 + i)],
      [30 * i + 0.9 * (1 + i), -5, -0.5 * (1 + i)],
    )!;
    expect(hit.triangle).toBe(1);
    expect(hit.point[1]).toBeCloseTo(0, 6);
  }
});
