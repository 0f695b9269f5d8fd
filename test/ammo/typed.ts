// Checked by the type checker, run by nobody: instances of ours pass where ammojs-typed's declarations ask for its
// own, and what is written against those declarations can be written against ours.
import type Bullet from 'ammojs-typed';
import type Ammo from '../../src/ammo/index';
import type { AmmoModule } from '../../src/ammo/index';

type Theirs = typeof Bullet;
type Class = abstract new (...values: never[]) => unknown;
/** Never there: soft bodies. */
type Missing =
  | `${string}Soft${string}`
  | `${'' | 't'}${'Face' | 'Node' | 'Material' | 'Anchor'}${'' | 'Array'}`
  | 'Config';

type Unlike = {
  [K in Exclude<keyof Theirs & keyof AmmoModule, Missing>]: Theirs[K] extends Class
    ? AmmoModule[K] extends Class
      ? InstanceType<AmmoModule[K]> extends InstanceType<Theirs[K]>
        ? never
        : K
      : K
    : never;
}[Exclude<keyof Theirs & keyof AmmoModule, Missing>];

// An error here names the classes that do not fit.
export const fits: [Unlike] extends [never] ? true : Unlike = true;

/** A program as ammojs-typed's users write it. */
export function program(Ammo: AmmoModule): [Ammo.btRigidBody, Bullet.btRigidBody] {
  const configuration = new Ammo.btDefaultCollisionConfiguration();
  const world: Ammo.btDiscreteDynamicsWorld = new Ammo.btDiscreteDynamicsWorld(
    new Ammo.btCollisionDispatcher(configuration),
    new Ammo.btDbvtBroadphase(),
    new Ammo.btSequentialImpulseConstraintSolver(),
    configuration,
  );
  const shape = new Ammo.btBoxShape(new Ammo.btVector3(1, 1, 1));
  const inertia = new Ammo.btVector3(0, 0, 0);
  shape.calculateLocalInertia(1, inertia);
  const info = new Ammo.btRigidBodyConstructionInfo(1, new Ammo.btDefaultMotionState(), shape, inertia);
  info.set_m_friction(0.3);
  const restitution: number = info.m_restitution + info.get_m_restitution();
  const body = new Ammo.btRigidBody(info);
  body.setRestitution(restitution);
  world.addRigidBody(body);
  // @ts-expect-error: a body is no shape
  body.setCollisionShape(body);
  // @ts-expect-error: no such method
  body.fly();
  const ray = new Ammo.ClosestRayResultCallback(new Ammo.btVector3(0, 1, 0), new Ammo.btVector3(0, -1, 0));
  ray.set_m_collisionFilterMask(1);
  const object: Ammo.btRigidBody = Ammo.castObject(ray.get_m_collisionObject(), Ammo.btRigidBody);
  return [object, body];
}
