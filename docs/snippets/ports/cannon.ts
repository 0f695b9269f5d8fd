// A program for cannon-es, the physics of a small game: a car collects coins and drives through crates, past a hill, a
// windmill, a chain, a lift and a lamp on a spring. fromCannon.ts is its port.
import * as CANNON from 'cannon-es';

const { Body, Box, Sphere, Vec3 } = CANNON;
const world = new CANNON.World({ gravity: new Vec3(0, -9.81, 0), allowSleep: true });
(world.solver as CANNON.GSSolver).iterations = 20;
const SCENERY = 1;
const GOODS = 2;
const GHOSTS = 4;

const wood = new CANNON.Material('wood');
const rubber = new CANNON.Material('rubber');
world.addContactMaterial(new CANNON.ContactMaterial(wood, wood, { friction: 0.5, restitution: 0 }));
world.addContactMaterial(new CANNON.ContactMaterial(rubber, wood, { friction: 0.5, restitution: 0.7 }));

// The ground.
const ground = new Body({
  mass: 0,
  shape: new Box(new Vec3(60, 1, 60)),
  material: wood,
  collisionFilterGroup: SCENERY,
});
ground.position.y = -1;
world.addBody(ground);

// A hill: a heightfield of 12 × 12 m in columns along x. Its own z is up. A boulder rolls down.
const rise = (i: number, j: number) => 2 * Math.exp(-((i - 6) ** 2 + (j - 6) ** 2) / 8);
const heights = Array.from({ length: 13 }, (_, i) => Array.from({ length: 13 }, (_, j) => rise(i, j)));
const hill = new Body({ mass: 0, shape: new CANNON.Heightfield(heights, { elementSize: 1 }) });
hill.position.set(-6, 0, -14);
hill.quaternion.setFromEuler(-Math.PI / 2, 0, 0);
world.addBody(hill);
const boulder = new Body({ mass: 20, shape: new Sphere(0.5), position: new Vec3(0.8, 4, -20) });
boulder.angularDamping = 0.3;
world.addBody(boulder);

// The car: a chassis, and four wheels that are rays. Its front looks along −x.
const chassis = new Body({ mass: 150, shape: new Box(new Vec3(2, 0.5, 1)), position: new Vec3(0, 1.2, 0) });
chassis.allowSleep = false;
const car = new CANNON.RaycastVehicle({ chassisBody: chassis });
for (const x of [-1, 1])
  for (const z of [1, -1])
    car.addWheel({
      chassisConnectionPointLocal: new Vec3(x, 0, z),
      directionLocal: new Vec3(0, -1, 0),
      axleLocal: new Vec3(0, 0, 1),
      radius: 0.5,
      suspensionStiffness: 30,
      suspensionRestLength: 0.3,
      dampingRelaxation: 2.3,
      dampingCompression: 4.4,
      frictionSlip: 1.4,
    });
car.addToWorld(world);

// Crates in the way: three stacks of three. They fall asleep before they are hit.
const crates = Array.from({ length: 9 }, (_, i) => {
  const crate = new Body({ mass: 3, shape: new Box(new Vec3(0.4, 0.4, 0.4)), material: wood });
  crate.collisionFilterGroup = GOODS;
  crate.sleepSpeedLimit = 0.3;
  crate.position.set(-14, 0.4 + 0.8 * Math.floor(i / 3), (i % 3) - 1);
  world.addBody(crate);
  return crate;
});
let loudest = 0; // m/s
type Collision = { body: CANNON.Body; contact: CANNON.ContactEquation };
crates[1]!.addEventListener('collide', ({ body, contact }: Collision) => {
  if (body === chassis) loudest = Math.max(loudest, Math.abs(contact.getImpactVelocityAlongNormal()));
});

// Coins: they only tell who is inside, and go when they are collected.
const coins = [4, 6, 8].map((x) => {
  const shape = new CANNON.Cylinder(0.6, 0.6, 0.2, 12);
  const coin = new Body({ type: Body.STATIC, shape, position: new Vec3(-x, 1, 0), collisionResponse: false });
  world.addBody(coin);
  return coin;
});
const collected = new Set<CANNON.Body>();
world.addEventListener('beginContact', ({ bodyA, bodyB }: { bodyA: CANNON.Body; bodyB: CANNON.Body }) => {
  const coin = coins.find((body) => body === bodyA || body === bodyB);
  if (coin && (bodyA === chassis || bodyB === chassis)) collected.add(coin);
});

// A windmill: two boards crosswise, on a hinge with a motor.
const mill = new Body({ mass: 6, position: new Vec3(0, 4, 8), angularDamping: 0 });
const board = new Box(new Vec3(2, 0.1, 0.1));
mill.addShape(board);
mill.addShape(board, new Vec3(), new CANNON.Quaternion().setFromEuler(0, 0, Math.PI / 2));
const tower = new Body({ mass: 0, position: new Vec3(0, 4, 8) });
const axis = new Vec3(0, 0, 1);
const shaft = new CANNON.HingeConstraint(tower, mill, { axisA: axis, axisB: axis });
shaft.enableMotor();
shaft.setMotorSpeed(2);
for (const body of [mill, tower]) world.addBody(body);
world.addConstraint(shaft);

// A chain of five balls on a hook, pulled aside.
const hook = new Body({ mass: 0, position: new Vec3(10, 6, 0) });
const chain = [hook];
for (let i = 1; i <= 5; i++) {
  const link = new Body({ mass: i === 5 ? 10 : 1, shape: new Sphere(0.2) });
  link.position.set(10 + 0.6 * i, 6, 0);
  world.addBody(link);
  const [right, left] = [new Vec3(i === 1 ? 0 : 0.3), new Vec3(i === 1 ? -0.6 : -0.3)];
  world.addConstraint(new CANNON.PointToPointConstraint(chain.at(-1)!, right, link, left));
  chain.push(link);
}

// A lift, moved by its velocity, and who rides on it. A ghost falls through both. A ball bounces.
const lift = new Body({
  type: Body.KINEMATIC,
  shape: new Box(new Vec3(1, 0.2, 1)),
  collisionFilterGroup: GOODS,
});
lift.position.set(6, 0.2, 8);
const rider = new Body({ mass: 5, shape: new Box(new Vec3(0.3, 0.3, 0.3)), collisionFilterGroup: GOODS });
rider.position.set(6, 0.7, 8);
const ghost = new Body({ mass: 1, shape: new Sphere(0.3), collisionFilterGroup: GHOSTS });
ghost.position.set(6, 3, 8);
ghost.collisionFilterMask = SCENERY;
const ball = new Body({ mass: 1, shape: new Sphere(0.3), material: rubber, linearDamping: 0 });
ball.position.set(12, 3, 8);
for (const body of [lift, rider, ghost, ball]) world.addBody(body);

// A spring holds a lamp; a steady wind blows at it.
const lamp = new Body({ mass: 2, shape: new Sphere(0.2), position: new Vec3(16, 3, 0) });
const nail = new Body({ mass: 0, position: new Vec3(16, 5, 0) });
for (const body of [lamp, nail]) world.addBody(body);
const spring = new CANNON.Spring(nail, lamp, { restLength: 1, stiffness: 80, damping: 4 });
world.addEventListener('preStep', () => lamp.applyForce(new Vec3(8, 0, 0)));
world.addEventListener('postStep', () => spring.applyForce());

let [bounce, slept] = [0, false];
for (let step = 0; step < 600; step++) {
  const arrived = chassis.position.x < -17;
  for (const wheel of [2, 3]) car.applyEngineForce(step > 120 && !arrived ? -400 : 0, wheel);
  for (const wheel of [0, 1, 2, 3]) car.setBrake(arrived ? 12 : 0, wheel);
  lift.velocity.set(0, Math.sin(step / 60), 0);
  world.step(1 / 60);
  for (const coin of collected) if (world.bodies.includes(coin)) world.removeBody(coin);
  if (step === 120) slept = crates.every((crate) => crate.sleepState === Body.SLEEPING);
  if (step > 45 && ball.velocity.y > 0) bounce = Math.max(bounce, ball.position.y);
}

// What of the goods is above the lift?
const hit = new CANNON.RaycastResult();
world.raycastClosest(new Vec3(6, 20, 8), new Vec3(6, -20, 8), { collisionFilterMask: GOODS }, hit);

export const outcome = {
  delivered: chassis.position.x < -17 && chassis.velocity.length() < 0.5,
  slept,
  coins: collected.size,
  knocked: crates.filter(({ position: { x } }) => Math.abs(x + 14) > 0.3).length >= 3,
  loud: loudest > 1,
  spins: Math.abs(mill.angularVelocity.z),
  hangs: chain[5]!.position.distanceTo(hook.position),
  rolled: boulder.position.distanceTo(new Vec3(0, 0, -20)) > 3,
  rides: rider.position.y - lift.position.y,
  seesRider: hit.body === rider,
  fell: ghost.position.y,
  bounce,
  stretched: lamp.position.distanceTo(nail.position),
};
console.log(outcome);
