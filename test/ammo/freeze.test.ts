// Programs freeze a body in flight, and let it go again. In: a body that flies and turns, each way to hold it, with and
// without a velocity set meanwhile. Out: where it stays, and the velocities before and after, as in ammo.js.
import { expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, load, xyz } from './engines';

const ours = await load('ricochet');
const bullet = await load('bullet');
const FREE = 0;
const STATIC = 1;
const KINEMATIC = 2;
const STEPS = 12;
/** m: ammo.js falls less in a first step, by g t dt / 2. */
const FALL = 0.05;

interface Held {
  A: Ammo;
  world: Ammo;
  body: Ammo;
}

function setMass({ A, body }: Held, mass: number): void {
  const inertia = new A.btVector3(0, 0, 0);
  if (mass > 0) body.getCollisionShape().calculateLocalInertia(mass, inertia);
  body.setMassProps(mass, inertia);
}

const WAYS: Record<string, [hold: (held: Held) => void, release: (held: Held) => void]> = {
  'mass 0': [(held) => setMass(held, 0), (held) => setMass(held, 1)],
  'the static flag': [
    ({ body }) => body.setCollisionFlags(STATIC),
    ({ body }) => body.setCollisionFlags(FREE),
  ],
  'the kinematic flag': [
    ({ body }) => body.setCollisionFlags(KINEMATIC),
    ({ body }) => body.setCollisionFlags(FREE),
  ],
  'disabled simulation': [
    ({ body }) => body.forceActivationState(5),
    ({ body }) => body.forceActivationState(1),
  ],
  'taken out of the world': [
    ({ world, body }) => world.removeRigidBody(body),
    ({ world, body }) => world.addRigidBody(body),
  ],
};

function play(A: Ammo, way: string, velocity: number[] | null): number[] {
  const world = createWorld(A);
  const body = addBody(A, world, box(A), 1, { position: [0, 5, 0] });
  const held = { A, world, body };
  body.setLinearVelocity(new A.btVector3(1, 2, 0));
  body.setAngularVelocity(new A.btVector3(0, 3, 0));
  const figures: number[] = [];
  const run = () => {
    for (let i = 0; i < STEPS; i++) world.stepSimulation(1 / 60, 0);
    figures.push(...xyz(body.getWorldTransform().getOrigin()), ...xyz(body.getLinearVelocity()));
    figures.push(...xyz(body.getAngularVelocity()));
  };
  run();
  WAYS[way]![0](held);
  if (velocity !== null) body.setLinearVelocity(new A.btVector3(...velocity));
  figures.push(...xyz(body.getLinearVelocity()));
  run();
  WAYS[way]![1](held);
  body.activate(true);
  run();
  return figures;
}

for (const way of Object.keys(WAYS))
  for (const velocity of [null, [4, 0, 0]])
    test(`held by ${way}${velocity === null ? '' : ', with a new velocity'}`, () => {
      const [mine, theirs] = [play(ours, way, velocity), play(bullet, way, velocity)];
      for (const [i, value] of theirs.entries()) expect(Math.abs(mine[i]! - value)).toBeLessThan(FALL);
    });
