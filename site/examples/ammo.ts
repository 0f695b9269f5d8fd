// A program for ammo.js, as it is: only the import differs.
import Ammo from 'ricochet/ammo';

const ammo = await Ammo();
const configuration = new ammo.btDefaultCollisionConfiguration();
const world = new ammo.btDiscreteDynamicsWorld(
  new ammo.btCollisionDispatcher(configuration),
  new ammo.btDbvtBroadphase(),
  new ammo.btSequentialImpulseConstraintSolver(),
  configuration,
);
world.setGravity(new ammo.btVector3(0, -9.81, 0));

function addBody(shape: Ammo.btCollisionShape, mass: number, y: number): Ammo.btRigidBody {
  const place = new ammo.btTransform();
  place.setIdentity();
  place.setOrigin(new ammo.btVector3(0, y, 0));
  const inertia = new ammo.btVector3(0, 0, 0);
  if (mass > 0) shape.calculateLocalInertia(mass, inertia);
  const state = new ammo.btDefaultMotionState(place);
  const body = new ammo.btRigidBody(new ammo.btRigidBodyConstructionInfo(mass, state, shape, inertia));
  world.addRigidBody(body);
  return body;
}

addBody(new ammo.btStaticPlaneShape(new ammo.btVector3(0, 1, 0), 0), 0, 0);
const crate = addBody(new ammo.btBoxShape(new ammo.btVector3(0.5, 0.5, 0.5)), 10, 3);
const place = new ammo.btTransform();
for (let i = 0; i < 6; i++) {
  crate.getMotionState().getWorldTransform(place);
  console.log(`${(i / 3).toFixed(2)} s: y = ${place.getOrigin().y().toFixed(3)}`);
  for (let k = 0; k < 20; k++) world.stepSimulation(1 / 60, 10);
}
