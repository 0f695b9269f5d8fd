// Factors of a body between 0 and 1: the same calls before and after the body enters its world, in every order.
import { expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, load, xyz } from './engines';

const A = await load('ricochet');
const FORCE = [6, 12, 18];
const PLACE = [0.3, 0.2, -0.1];
const v = (numbers: number[]) => new A.btVector3(...numbers);

/** Velocities after a step without gravity. */
function play(act: (body: Ammo) => void, isEarly: boolean): number[] {
  const world = createWorld(A);
  world.setGravity(v([0, 0, 0]));
  const body = addBody(A, null, box(A, 0.5, 1, 2), 2, { rotation: [0.2, 0.3, 0.1, 0.92736] });
  body.setLinearFactor(v([1, 0.25, 0.5]));
  body.setAngularFactor(v([1, 0.5, 0]));
  if (!isEarly) world.addRigidBody(body);
  act(body);
  if (isEarly) world.addRigidBody(body);
  world.stepSimulation(1 / 60, 0);
  return [...xyz(body.getLinearVelocity()), ...xyz(body.getAngularVelocity())];
}

const CALLS: Record<string, (body: Ammo) => void> = {
  applyForce: (body) => body.applyForce(v(FORCE), v(PLACE)),
  applyCentralForce: (body) => body.applyCentralForce(v(FORCE)),
  applyTorque: (body) => body.applyTorque(v(FORCE)),
  applyImpulse: (body) => body.applyImpulse(v(FORCE), v(PLACE)),
  applyTorqueImpulse: (body) => body.applyTorqueImpulse(v(FORCE)),
};

test.each(Object.keys(CALLS))('%s does the same before the body enters its world', (name) => {
  const [early, late] = [play(CALLS[name]!, true), play(CALLS[name]!, false)];
  expect(Math.hypot(...late)).toBeGreaterThan(0.01);
  for (const [i, part] of early.entries()) expect(part).toBeCloseTo(late[i]!, 5);
  expect(early[5]).toBe(0); // the axis that is held
});

test.each([true, false])('clearForces leaves nothing (before the world: %s)', (isEarly) => {
  const act = (body: Ammo) => {
    body.applyForce(v(FORCE), v(PLACE));
    body.applyTorque(v(FORCE));
    body.setLinearFactor(v([0.7, 0, 1]));
    body.clearForces();
  };
  expect(play(act, isEarly).map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
});
