import Ammo from 'ricochet/ammo';

const ammo = await Ammo();
const body = new ammo.btRigidBody(
  new ammo.btRigidBodyConstructionInfo(
    1,
    new ammo.btDefaultMotionState(),
    new ammo.btSphereShape(1),
    new ammo.btVector3(0.4, 0.4, 0.4),
  ),
);
try {
  body.setLinearVelocity(new ammo.btVector3(0, Number.NaN, 0));
} catch (error) {
  if (!(error instanceof ammo.PhysicsError)) throw error;
  console.log(error.code, error.message); // invalid-argument, and the class, the method and the value
}
