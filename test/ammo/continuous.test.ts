// Bodies with a motion threshold, beside Bullet: what flies into a wall stops there, what grazes flies on.
import { expect, test } from 'vitest';
import { addBody, box, createWorld, ENGINES, load, positionOf } from './engines';

/** Where a ball of 0.1 m, at 100 m/s along x, is after a second. */
async function shoot(
  engine: 'ricochet' | 'bullet',
  { threshold, wall }: { threshold: number; wall: boolean },
) {
  const A = await load(engine);
  const world = createWorld(A);
  world.setGravity(new A.btVector3(0, -10, 0));
  const floor = addBody(A, world, box(A, 400, 0.5, 5), 0, { position: [0, -0.5, 0] });
  floor.setFriction(0);
  if (wall) addBody(A, world, box(A, 0.05, 2, 2), 0, { position: [20.33, 1, 0] });
  const ball = addBody(A, world, new A.btSphereShape(0.1), 1, { position: [0, 0.1, 0] });
  ball.setFriction(0);
  ball.setCcdMotionThreshold(threshold);
  ball.setCcdSweptSphereRadius(0.05);
  ball.setLinearVelocity(new A.btVector3(100, 0, 0));
  for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 0);
  return positionOf(ball);
}

test.each(ENGINES)('%s: a fast ball that rolls along the floor is not held up by it', async (engine) => {
  const [x, y] = await shoot(engine, { threshold: 0.05, wall: false });
  expect(x).toBeGreaterThan(98);
  expect(y).toBeCloseTo(0.1, 1);
});

test.each(ENGINES)('%s: with a threshold a fast ball stops at a thin wall', async (engine) => {
  const [x] = await shoot(engine, { threshold: 0.05, wall: true });
  expect(x).toBeLessThan(20.29);
  expect(x).toBeGreaterThan(15);
});
