// Soft bodies are not there. In: what programs with soft bodies do before they make one, and then. Out: worlds as in
// ammo.js; an error that names class and method, at the call that makes a soft body.
import { expect, test } from 'vitest';
import { type Ammo, addBody, box, ENGINES, load, xyz } from './engines';
import { readIdl } from './idl';

const A = await load('ricochet');

test('every interface of ammo.idl is on the module', () => {
  expect([...readIdl().keys()].filter((name) => typeof A[name] !== 'function')).toEqual([]);
});

function softWorld(on: Ammo): Ammo {
  const configuration = new on.btSoftBodyRigidBodyCollisionConfiguration();
  const world = new on.btSoftRigidDynamicsWorld(
    new on.btCollisionDispatcher(configuration),
    new on.btDbvtBroadphase(),
    new on.btSequentialImpulseConstraintSolver(),
    configuration,
    new on.btDefaultSoftBodySolver(),
  );
  world.setGravity(new on.btVector3(0, -9.8, 0));
  world.getWorldInfo().set_m_gravity(new on.btVector3(0, -9.8, 0));
  return world;
}

test.each(ENGINES)('%s: the fields of a world for soft bodies', async (engine) => {
  const on = await load(engine);
  const world = softWorld(on);
  const info = world.getWorldInfo();
  expect(xyz(info.get_m_gravity())[1]).toBeCloseTo(-9.8, 5);
  info.set_air_density(1.5);
  info.water_offset = 2;
  info.set_water_normal(new on.btVector3(0, 1, 0));
  info.set_m_broadphase(world.getBroadphase());
  info.set_m_dispatcher(world.getDispatcher());
  expect([
    info.get_air_density(),
    info.water_density,
    info.get_water_offset(),
    info.m_maxDisplacement,
  ]).toEqual([1.5, 0, 2, 1000]);
  expect(xyz(info.water_normal)).toEqual([0, 1, 0]);
  expect(on.compare(info.get_m_dispatcher(), world.getDispatcher())).toBe(true);
  expect(world.getSoftBodyArray().size()).toBe(0);
});

const v = (x: number, y: number, z: number) => new A.btVector3(x, y, z);
const MAKERS: Record<string, (helpers: Ammo, info: Ammo) => void> = {
  'btSoftBodyHelpers.CreatePatch': (helpers, info) =>
    helpers.CreatePatch(info, v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(1, 1, 0), 9, 9, 0, true),
  'btSoftBodyHelpers.CreateRope': (helpers, info) => helpers.CreateRope(info, v(0, 0, 0), v(0, 3, 0), 9, 0),
  'btSoftBodyHelpers.CreateFromTriMesh': (helpers, info) =>
    helpers.CreateFromTriMesh(info, [0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2], 1, true),
  btSoftBody: (_, info) => new A.btSoftBody(info, 1, v(0, 0, 0), [1]),
  Config: () => new A.Config(),
  'btSoftBody.setTotalMass': () =>
    A.castObject(addBody(A, null, box(A), 1), A.btSoftBody).setTotalMass(1, false),
  'btSoftBody.get_m_nodes': () => A.castObject(addBody(A, null, box(A), 1), A.btSoftBody).get_m_nodes(),
};

test.each(Object.keys(MAKERS))('%s is an error that names it', (name) => {
  const world = softWorld(A);
  let error: unknown;
  try {
    MAKERS[name]!(new A.btSoftBodyHelpers(), world.getWorldInfo());
  } catch (found) {
    error = found;
  }
  expect(error).toBeInstanceOf(A.PhysicsError);
  expect((error as Error).message.startsWith(`${name} `)).toBe(true);
  world.stepSimulation(1 / 60, 0); // the world goes on
});
