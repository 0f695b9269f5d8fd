// Programs for ammo.js on several threads: `Ammo({ threads })`.
import Ammo from 'ricochet/ammo';
import { afterEach, expect } from 'vitest';
import { registerMakers } from '../../src/wasm/threading';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { EAGER, staffed, testWith } from './support';

const test = ordinaryCoreOnly('threads have a core of their own');

afterEach(() => registerMakers(() => 'nothing is registered'));

interface Poses {
  poses: number[];
  forks: number;
  threads: number;
}

/** A heap of boxes that falls onto a floor, by calls of ammo.js. */
async function heap(threads: number, there = threads): Promise<Poses> {
  const ammo = await Ammo({ threads });
  const configuration = new ammo.btDefaultCollisionConfiguration();
  const dispatcher = new ammo.btCollisionDispatcher(configuration);
  const broadphase = new ammo.btDbvtBroadphase();
  const solver = new ammo.btSequentialImpulseConstraintSolver();
  const world = new ammo.btDiscreteDynamicsWorld(dispatcher, broadphase, solver, configuration);
  const engine = (world as unknown as { _engine: Parameters<typeof staffed>[0] })._engine;
  await staffed(engine, there);
  const bodies = [];
  for (let i = -1; i < 60; i++) {
    const at = new ammo.btTransform();
    at.setIdentity();
    if (i < 0) at.setOrigin(new ammo.btVector3(0, -1, 0));
    else
      at.setOrigin(new ammo.btVector3(0.45 * (i % 4), 0.5 + 0.5 * Math.floor(i / 8), 0.45 * ((i >> 2) % 2)));
    const half = i < 0 ? new ammo.btVector3(20, 1, 20) : new ammo.btVector3(0.2, 0.2, 0.2);
    const shape = new ammo.btBoxShape(half);
    const inertia = new ammo.btVector3(0, 0, 0);
    if (i >= 0) shape.calculateLocalInertia(1, inertia);
    const state = new ammo.btDefaultMotionState(at);
    const body = new ammo.btRigidBody(
      new ammo.btRigidBodyConstructionInfo(i < 0 ? 0 : 1, state, shape, inertia),
    );
    world.addRigidBody(body);
    bodies.push(body);
  }
  for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 1, 1 / 60);
  const poses = bodies.flatMap((body) => {
    const at = body.getWorldTransform().getOrigin();
    return [at.x(), at.y(), at.z()];
  });
  const { forks, count } = engine.threads;
  ammo.destroy(world);
  return { poses, forks, threads: count };
}

test('Ammo({ threads }): the poses of one thread', async () => {
  testWith({ mode: EAGER });
  const one = await heap(1);
  const three = await heap(3);
  expect(one.threads).toBe(1);
  expect(three.threads).toBe(3);
  expect(three.forks).toBeGreaterThan(0);
  expect(three.poses).toEqual(one.poses);
});

test('without useThreads the program runs on one thread', async () => {
  registerMakers(() => 'nothing is registered');
  const { threads, forks } = await heap(4, 1);
  expect(threads).toBe(1);
  expect(forks).toBe(0);
});
