// Programs repeat calls in every frame. In: bodies asleep in a stack, and a call that changes nothing. Out: they still
// sleep, on our module as on ammo.js.
import { describe, expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, ENGINES, load, transformOf } from './engines';

interface Scene {
  world: Ammo;
  floor: Ammo;
  body: Ammo;
  v: (x: number, y: number, z: number) => Ammo;
}
const ZERO = [0, 0, 0] as const;

const CALLS: Record<string, (scene: Scene, A: Ammo) => void> = {
  'a force of 0': ({ body, v }) => body.applyForce(v(...ZERO), v(0, 0.2, 0)),
  'a central force of 0': ({ body, v }) => body.applyCentralForce(v(...ZERO)),
  'a local force of 0': ({ body, v }) => body.applyCentralLocalForce(v(...ZERO)),
  'a torque of 0': ({ body, v }) => body.applyTorque(v(...ZERO)),
  'a local torque of 0': ({ body, v }) => body.applyLocalTorque(v(...ZERO)),
  'an impulse of 0': ({ body, v }) => body.applyImpulse(v(...ZERO), v(0, 0.2, 0)),
  'a central impulse of 0': ({ body, v }) => body.applyCentralImpulse(v(...ZERO)),
  'a torque impulse of 0': ({ body, v }) => body.applyTorqueImpulse(v(...ZERO)),
  'clearForces without forces': ({ body }) => body.clearForces(),
  'a velocity of 0': ({ body, v }) => body.setLinearVelocity(v(...ZERO)),
  'an angular velocity of 0': ({ body, v }) => body.setAngularVelocity(v(...ZERO)),
  'its own linear factor': ({ body, v }) => body.setLinearFactor(v(1, 1, 1)),
  'its own angular factor': ({ body, v }) => body.setAngularFactor(v(1, 1, 1)),
  'its own friction': ({ body }) => body.setFriction(0.5),
  'its own rolling friction': ({ body }) => body.setRollingFriction(0),
  'its own restitution': ({ body }) => body.setRestitution(0),
  'its own shape': ({ body }) => body.setCollisionShape(body.getCollisionShape()),
  'its own mass': ({ body, v }) => {
    const inertia = v(...ZERO);
    body.getCollisionShape().calculateLocalInertia(1, inertia);
    body.setMassProps(1, inertia);
  },
  'its own gravity': ({ body }) => body.setGravity(body.getGravity()),
  'its own flags': ({ body }) => body.setFlags(body.getFlags()),
  'its own mask': ({ body }) => body.getBroadphaseProxy().set_m_collisionFilterMask(-1),
  'its own pose': ({ body }) => body.setWorldTransform(body.getWorldTransform()),
  'its own centre of mass': ({ body }) => body.setCenterOfMassTransform(body.getCenterOfMassTransform()),
  'the place where the floor is': ({ floor }, A) =>
    floor.setWorldTransform(transformOf(A, { position: [0, -1, 0] })),
  'the origin where the floor is': ({ floor, v }) => floor.getWorldTransform().setOrigin(v(0, -1, 0)),
  'the rotation that the floor has': ({ floor }, A) =>
    floor.getWorldTransform().setRotation(new A.btQuaternion(0, 0, 0, 1)),
  'the friction that the floor has': ({ floor }) => floor.setFriction(0.5),
  'the gravity that the world has': ({ world, v }) => world.setGravity(v(0, -10, 0)),
  'the iterations that the world has': ({ world }) => world.getSolverInfo().set_m_numIterations(10),
};

describe.each(ENGINES)('%s', (engine) => {
  test.each(Object.keys(CALLS))('%s does not wake a stack', async (name) => {
    const A = await load(engine);
    const world = createWorld(A);
    const floor = addBody(A, world, box(A, 20, 1, 20), 0, { position: [0, -1, 0] });
    const body = addBody(A, world, box(A), 1, { position: [0, 0.5, 0] });
    const rider = addBody(A, world, box(A), 1, { position: [0, 1.5, 0] });
    for (let i = 0; i < 300; i++) world.stepSimulation(1 / 60, 0);
    expect([body.isActive(), rider.isActive()]).toEqual([false, false]);
    const v = (x: number, y: number, z: number) => new A.btVector3(x, y, z);
    CALLS[name]!({ world, floor, body, v }, A);
    world.stepSimulation(1 / 60, 0);
    expect([body.isActive(), rider.isActive()]).toEqual([false, false]);
  });
});

test('the number of iterations that Ammo() got can be set back', async () => {
  const A = await load('ricochet');
  const world = createWorld(A);
  const { substeps } = A.engineOf(world).settings;
  world.getSolverInfo().set_m_numIterations(40);
  expect(A.engineOf(world).settings.substeps).toBe(4 * substeps);
  world.getSolverInfo().set_m_numIterations(10);
  expect(A.engineOf(world).settings.substeps).toBe(substeps);
});
