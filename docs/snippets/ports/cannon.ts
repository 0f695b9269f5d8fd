// A program for cannon-es: a see-saw, a bouncing ball, a door, a ray. fromCannon.ts is its port.
import * as CANNON from 'cannon-es';

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0), allowSleep: true });
(world.solver as CANNON.GSSolver).iterations = 20;

const rubber = new CANNON.Material('rubber');
const wood = new CANNON.Material('wood');
world.addContactMaterial(new CANNON.ContactMaterial(wood, wood, { friction: 0.5, restitution: 0 }));
world.addContactMaterial(new CANNON.ContactMaterial(rubber, wood, { friction: 0.5, restitution: 0.7 }));

// The ground: planes of cannon-es look along z.
const ground = new CANNON.Body({ type: CANNON.Body.STATIC, shape: new CANNON.Plane(), material: wood });
ground.quaternion.setFromEuler(-Math.PI / 2, 0, 0);
world.addBody(ground);

// A see-saw: a plank on a hinge.
const plank = new CANNON.Body({
  mass: 10,
  shape: new CANNON.Box(new CANNON.Vec3(2, 0.05, 0.4)),
  position: new CANNON.Vec3(0, 1, 0),
  material: wood,
});
world.addBody(plank);
const pivot = new CANNON.Body({ type: CANNON.Body.STATIC, position: new CANNON.Vec3(0, 1, 0) });
world.addBody(pivot);
world.addConstraint(
  new CANNON.HingeConstraint(pivot, plank, {
    pivotA: new CANNON.Vec3(0, 0, 0),
    pivotB: new CANNON.Vec3(0, 0, 0),
    axisA: new CANNON.Vec3(0, 0, 1),
    axisB: new CANNON.Vec3(0, 0, 1),
  }),
);
const load = new CANNON.Body({
  mass: 5,
  shape: new CANNON.Box(new CANNON.Vec3(0.3, 0.3, 0.3)),
  position: new CANNON.Vec3(1.5, 1.36, 0),
  material: wood,
});
world.addBody(load);

// A ball that bounces; hits are heard.
const ball = new CANNON.Body({
  mass: 1,
  shape: new CANNON.Sphere(0.3),
  position: new CANNON.Vec3(6, 3, 0),
  material: rubber,
});
ball.linearDamping = 0;
world.addBody(ball);
let hits = 0;
ball.addEventListener('collide', () => hits++);

// A ghost: only tells who is inside.
const zone = new CANNON.Body({
  type: CANNON.Body.STATIC,
  shape: new CANNON.Box(new CANNON.Vec3(1, 1, 1)),
  position: new CANNON.Vec3(6, 1, 0),
  collisionResponse: false,
});
world.addBody(zone);
let entered = false;
world.addEventListener('beginContact', ({ bodyA, bodyB }: { bodyA: CANNON.Body; bodyB: CANNON.Body }) => {
  if ([bodyA, bodyB].includes(zone) && [bodyA, bodyB].includes(ball)) entered = true;
});

// A push, once.
const sled = new CANNON.Body({
  mass: 4,
  shape: new CANNON.Box(new CANNON.Vec3(0.4, 0.2, 0.4)),
  position: new CANNON.Vec3(0, 0.2, 5),
  material: wood,
});
world.addBody(sled);
sled.applyImpulse(new CANNON.Vec3(16, 0, 0));

let bounce = 0; // how high, after the first hit
for (let i = 0; i < 240; i++) {
  world.step(1 / 60);
  if (hits > 0 && ball.velocity.y > 0) bounce = Math.max(bounce, ball.position.y);
}

const result = new CANNON.RaycastResult();
world.raycastClosest(new CANNON.Vec3(-20, 0.2, 5), new CANNON.Vec3(20, 0.2, 5), {}, result);

export const outcome = {
  tilt: load.position.y < 0.8,
  bounce,
  entered,
  slid: sled.position.x,
  seesSled: result.body === sled,
};
console.log(outcome);
