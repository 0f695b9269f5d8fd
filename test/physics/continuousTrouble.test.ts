// Impacts that nothing but care keeps in hand: surfaces met at the same moment, bodies that an impulse cannot stop.
import { expect, test } from 'vitest';
import { cookMesh, type ShapeOptions, World } from '../../src';
import { notNumbers } from '../support/numbers';
import { Chance } from '../support/randomWorlds';

const DT = 1 / 60;

/** A level square of two triangles, of which the second bounces; `swapped`: that is the first one. */
function floor(swapped: boolean): ShapeOptions {
  const triangles = [
    [0, 1, 2],
    [1, 3, 2],
  ];
  const materials = [0, 1];
  if (swapped) for (const list of [triangles, materials]) list.reverse();
  const geometry = cookMesh({
    vertices: [-8, 0, -8, -8, 0, 8, 8, 0, -8, 8, 0, 8],
    indices: triangles.flat(),
    materials,
    coefficients: [{ restitution: 0 }, { restitution: 1 }],
  });
  return { type: 'mesh', geometry };
}

test('of two surfaces that are met at the same moment the triangle is that of the one that counts', () => {
  const speeds: number[] = [];
  for (const swapped of [false, true])
    for (let others = 0; others < 6; others++) {
      const world = new World();
      for (let i = 0; i < others; i++)
        world.createBody({ type: 'static', position: [0, -20 - i, 0], shape: { type: 'sphere', radius: 1 } });
      for (const shape of [floor(swapped), floor(!swapped)]) world.createBody({ type: 'static', shape });
      for (const [x, z] of [
        [-4, -4],
        [4, 4],
      ]) {
        const ball = world.createBody({
          position: [x!, 2, z!],
          linearVelocity: [0, -300, 0],
          shape: { type: 'sphere', radius: 0.25, restitution: 1 },
          ccdMotionThreshold: 0.1,
        });
        world.step(DT);
        speeds.push(Math.round(ball.getLinearVelocity()[1] / 100));
      }
    }
  // The first ball meets the triangle that does not bounce, the second the other one.
  expect(speeds).toEqual(Array.from({ length: 12 }, () => [0, 3]).flat());
});

test('a body whose centre cannot be stopped, spun against a floor, keeps its pose and its spin in numbers', () => {
  let most = 0;
  for (let seed = 100; seed <= 260; seed++) {
    const chance = new Chance(seed, 1);
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
    const body = world.createBody({
      position: [0, 0.6, 0],
      rotation: chance.rotation(),
      linearVelocity: [40 * chance.next(), -30, 10],
      angularVelocity: chance.vector(300),
      mass: chance.of([1, 100]),
      shape: [
        { type: 'cylinder', radius: 0.3, halfHeight: 0.2 },
        { type: 'capsule', radius: 0.2, halfHeight: 0.3, position: [0.1, 0, 0.1] },
      ],
    });
    body.setLinearFactor(
      chance.of<[number, number, number]>([
        [0, 0, 0],
        [1, 0, 1],
        [0, 1e-3, 0],
      ]),
    );
    for (let step = 0; step < 8; step++) {
      world.step(DT);
      const speed = Math.hypot(...body.getAngularVelocity());
      if (!(speed < most)) most = speed;
    }
    expect(world.findFault()).toBe(0);
    expect(body.getRotation().every(Number.isFinite)).toBe(true);
  }
  console.log(`fastest spin: ${Math.round(most)} rad/s`);
  expect(most).toBeLessThan(1e5);
});

test.each([16, 59, 74, 195, 221, 323, 331, 800])(
  'a body with a shape up to 10,000 km off its middle strikes others: the state stays sound (seed %i)',
  (seed) => {
    const chance = new Chance(seed, 5);
    const world = new World(chance.once(2) ? { gravity: [0, 3, 0] } : {});
    world.createBody({
      type: 'static',
      shape: { type: 'plane', normal: [0, 1, 0] },
      position: [0, chance.between(-1, 2), 0],
      rotation: chance.rotation(),
    });
    for (let i = 0; i < 4; i++)
      world.createBody({
        type: chance.of(['dynamic', 'static', 'kinematic'] as const),
        position: chance.vector(3),
        shape: { type: 'box', halfExtents: [0.4, 0.3, 0.5] },
      });
    const position = chance.vector(2);
    const mass = chance.once(2) ? { mass: 1 } : {};
    const far = world.createBody({
      position,
      ...mass,
      linearVelocity: chance.vector(chance.of([0, 30])),
      shape: [
        { type: 'sphere', radius: 0.711, density: chance.of([1, 1000]) },
        { type: 'sphere', radius: 0.725, position: chance.vector(chance.of([1e3, 5e5, 1e7])) },
      ],
    });
    if (chance.once(3))
      world.createJoint({
        type: 'universal',
        bodyB: far,
        frameB: { position: [0.3, 0, 0.4] },
        angle1: { low: -0.5, high: 0.5, spring: { hertz: 5, dampingRatio: 0.5, target: 0.1 } },
      });
    for (let step = 0; step < 12; step++) {
      world.step(chance.of([DT, 3 * DT]));
      expect(world.findFault()).toBe(0);
      expect(notNumbers(world)).toEqual([]);
    }
  },
);
