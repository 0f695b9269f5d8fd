// Manifolds that are carried along: bodies that move together keep them, however far both move. In: stacks on a turntable, at
// its middle and off it, on a lift, and in a turning drum. Out: the share of manifolds that the narrow phase need not
// compute, and that nothing slides, sinks or rises.
import { expect, test } from 'vitest';
import type { RigidBody, World } from '../../src';
import { conjugate, length, rotate, sub, type Vec3 } from './support/vector';
import { createWorld, position, rotation } from './support/world';

const DT = 1 / 60;

/** Share of recycled manifolds in the steps, and the farthest that a body moved as seen from the table, m. */
function carry(world: World, table: RigidBody, bodies: RigidBody[], steps: number) {
  const seen = (b: RigidBody): Vec3 => rotate(conjugate(rotation(table)), sub(position(b), position(table)));
  for (let i = 0; i < 60; i++) world.step(DT);
  const before = bodies.map(seen);
  let recycled = 0;
  let collided = 0;
  let farthest = 0;
  for (let i = 0; i < steps; i++) {
    world.step(DT);
    recycled += world.instance.get('recycledCount');
    collided += world.instance.get('collidedCount');
    bodies.forEach((b, k) => {
      farthest = Math.max(farthest, length(sub(seen(b), before[k]!)));
    });
  }
  return { share: recycled / (recycled + collided), farthest };
}

/** A stack of four that turns with the table from the start. */
function stackOn(world: World, x: number, speed: number, shape: () => object): RigidBody[] {
  return Array.from({ length: 4 }, (_, i) =>
    world.createBody({
      mass: 1,
      position: [x, 0.2 + 0.4 * i, 0],
      linearVelocity: [0, 0, -speed * x],
      angularVelocity: [0, speed, 0],
      shape: { friction: 0.6, ...shape() } as never,
    }),
  );
}

const box = () => ({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
/** A prism, whose contacts are those of hulls. */
const prism = () => ({
  type: 'hull',
  points: [0, 1, 2, 3, 4, 5].flatMap((i) => {
    const [c, s] = [
      [1, 0],
      [0.5, 0.866],
      [-0.5, 0.866],
      [-1, 0],
      [-0.5, -0.866],
      [0.5, -0.866],
    ][i]!;
    return [0.25 * c!, -0.2, 0.25 * s!, 0.25 * c!, 0.2, 0.25 * s!];
  }),
});

for (const [name, shape] of [
  ['boxes', box],
  ['prisms', prism],
] as const)
  for (const [speed, sleeping] of [
    [0.5, false],
    [1, false],
    [1, true],
  ] as const)
    test(`stacks of ${name} on a table that turns at ${speed} rad/s${sleeping ? ', sleeping on' : ''}, 30 s`, () => {
      const world = createWorld({ sleeping });
      const table = world.createBody({
        type: 'kinematic',
        position: [0, -0.5, 0],
        angularVelocity: [0, speed, 0],
        shape: { type: 'box', halfExtents: [3, 0.5, 3], friction: 0.6 },
      });
      const bodies = [0, 0.6, 1.2].flatMap((x) => stackOn(world, x, speed, shape));
      const { share, farthest } = carry(world, table, bodies, 1800);
      world.dispose();
      console.log(`recycled ${(100 * share).toFixed(1)} %, moved ${(1000 * farthest).toFixed(2)} mm`);
      expect(share).toBeGreaterThan(0.9);
      expect(farthest).toBeLessThan(0.001);
    });

test('a drum of boxes: a third of its manifolds is carried', () => {
  const world = createWorld({ sleeping: false });
  const drum = world.createBody({
    type: 'kinematic',
    angularVelocity: [0, 0, 0.6],
    shape: Array.from({ length: 8 }, (_, i) => {
      const a = (i * Math.PI) / 4;
      return {
        type: 'box' as const,
        halfExtents: [0.2, 2, 1.5] as Vec3,
        position: [3 * Math.cos(a), 3 * Math.sin(a), 0] as Vec3,
        rotation: [0, 0, Math.sin(a / 2), Math.cos(a / 2)] as [number, number, number, number],
      };
    }).concat(
      [-1.7, 1.7].map((z) => ({
        type: 'box' as const,
        halfExtents: [4, 4, 0.2] as Vec3,
        position: [0, 0, z] as Vec3,
        rotation: [0, 0, 0, 1] as [number, number, number, number],
      })),
    ),
  });
  const bodies = Array.from({ length: 200 }, (_, i) =>
    world.createBody({
      mass: 1,
      position: [-1.2 + 0.5 * (i % 5), -1.2 + 0.5 * Math.floor(i / 25), -1 + 0.5 * (Math.floor(i / 5) % 5)],
      shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
    }),
  );
  const { share } = carry(world, drum, bodies, 300);
  const lost = bodies.filter((b) => length(position(b)) > 4);
  world.dispose();
  console.log(`recycled ${(100 * share).toFixed(1)} %`);
  expect(lost).toHaveLength(0);
  expect(share).toBeGreaterThan(0.2);
});
