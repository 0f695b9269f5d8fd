import * as pc from 'playcanvas';
import { RicochetPhysicsWorld } from 'ricochet/playcanvas';

// In a page: a canvas of the page, and `await pc.createGraphicsDevice(canvas)`.
const canvas = Object.assign(new EventTarget(), {
  width: 100,
  height: 100,
  style: {},
}) as unknown as HTMLCanvasElement;
const app = new pc.AppBase(canvas);
const options = new pc.AppOptions();
options.graphicsDevice = new pc.NullGraphicsDevice(canvas);
options.componentSystems = [
  pc.CollisionComponentSystem,
  pc.RigidBodyComponentSystem,
  pc.JointComponentSystem,
];
const world = new RicochetPhysicsWorld();
options.physicsWorld = world;
app.init(options);

const ground = new pc.Entity('ground', app);
app.root.addChild(ground);
ground.addComponent('collision', { type: 'box', halfExtents: new pc.Vec3(10, 0.5, 10) });
ground.addComponent('rigidbody', { type: 'static' });

const crate = new pc.Entity('crate', app);
crate.setPosition(0, 3, 0);
app.root.addChild(crate);
crate.addComponent('collision', { type: 'box', halfExtents: new pc.Vec3(0.5, 0.5, 0.5) });
crate.addComponent('rigidbody', { type: 'dynamic', mass: 20 });
crate.collision!.once('collisionstart', ({ other }: pc.ContactResult) => console.log('crash', other.name));

// The application steps when it draws; here without a picture.
for (let i = 0; i < 120; i++) app.update(1 / 60);
console.log(crate.getPosition().y.toFixed(2));

// What PlayCanvas has no call for: a ball of 1 m, moved from one place to another.
const hit = world.shapeCastFirst({ type: 'sphere', radius: 1 }, new pc.Vec3(-9, 2, 0), new pc.Vec3(9, 2, 0));
console.log(hit?.entity.name ?? 'nothing');
app.destroy();
