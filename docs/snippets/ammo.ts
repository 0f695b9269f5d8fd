import Ammo from 'ricochet/ammo';

const ammo = await Ammo(); // all else is as with ammo.js, from here on

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

const transform = new ammo.btTransform();
for (let i = 0; i < 120; i++) world.stepSimulation(1 / 60, 10);
crate.getMotionState().getWorldTransform(transform);
console.log(transform.getOrigin().y()); // 0.5: nothing was destroyed, nothing has to be
