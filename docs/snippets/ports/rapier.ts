// A program for Rapier: a wrecking ball on a rope, a wall, a lift, a gate that counts, a door with a motor, a ramp of triangles,
// a hull, ghosts, a character, a snapshot, a ray. fromRapier.ts is its port.
import RAPIER from '@dimforge/rapier3d-compat';

await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
world.timestep = 1 / 60;
const events = new RAPIER.EventQueue(true);

// The ground.
const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
world.createCollider(
  RAPIER.ColliderDesc.cuboid(50, 0.5, 50).setTranslation(0, -0.5, 0).setFriction(0.8),
  ground,
);

// A wall of bricks.
const bricks: RAPIER.RigidBody[] = [];
for (let row = 0; row < 6; row++)
  for (let i = 0; i < 8; i++) {
    const x = (i - 3.5) * 1.02 + (row % 2) * 0.25;
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, 0.25 + 0.5 * row, 0));
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.25, 0.25).setDensity(500).setFriction(0.6), body);
    bricks.push(body);
  }

// A wrecking ball on a rope of 5 m, which hangs from a fixed hook.
const hook = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, 6.5, 0));
const ball = world.createRigidBody(
  RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 6.5, 5).setCcdEnabled(true).setLinearDamping(0.05),
);
world.createCollider(RAPIER.ColliderDesc.ball(0.6).setMass(400).setRestitution(0.1), ball);
world.createImpulseJoint(
  RAPIER.JointData.rope(5, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }),
  hook,
  ball,
  true,
);

// A lift that goes up and down, with a crate on it.
const lift = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(10, 0.25, 0));
world.createCollider(RAPIER.ColliderDesc.cuboid(1.5, 0.25, 1.5), lift);
const crate = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(10, 1, 0));
world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5).setFriction(0.7), crate);

// A gate behind the wall: counts what flies through.
const gate = world.createCollider(
  RAPIER.ColliderDesc.cuboid(8, 4, 0.5)
    .setTranslation(0, 4, -4)
    .setSensor(true)
    .setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS),
);
let through = 0;

// A door on a hinge, which a motor opens by 1.2 rad.
const post = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(-10, 1.1, 0));
const door = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(-9.4, 1.1, 0));
world.createCollider(RAPIER.ColliderDesc.cuboid(0.6, 1, 0.05).setDensity(300), door);
const hinge = world.createImpulseJoint(
  RAPIER.JointData.revolute({ x: 0, y: 0, z: 0 }, { x: -0.6, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }),
  post,
  door,
  true,
) as RAPIER.RevoluteImpulseJoint;
hinge.setLimits(0, Math.PI / 2);
hinge.configureMotorPosition(1.2, 400, 120);

// A ramp of two triangles, on which a block slides down.
const ramp = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(-20, 0, 0));
const corners = new Float32Array([-2, 0, -2, -2, 0, 2, 2, 3, 2, 2, 3, -2]);
const triangles = new Uint32Array([0, 1, 2, 0, 2, 3]);
world.createCollider(RAPIER.ColliderDesc.trimesh(corners, triangles).setFriction(0.1), ramp);
const wedge = new Float32Array([0, 0, -0.4, 0.8, 0, -0.4, 0, 0.6, -0.4, 0, 0, 0.4, 0.8, 0, 0.4, 0, 0.6, 0.4]);
const block = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(-19, 3, 0));
world.createCollider(
  (RAPIER.ColliderDesc.convexHull(wedge) as RAPIER.ColliderDesc).setFriction(0.1).setDensity(500),
  block,
);

// Ghosts: members of group 2, which meet group 1 (the ground) but not each other.
const ghosts = [0, 1, 2].map((i) => {
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(20, 1 + i, 0));
  const groups = (2 << 16) | 1; // members, then what they meet
  world.createCollider(RAPIER.ColliderDesc.ball(0.4).setCollisionGroups(groups), body);
  return body;
});

// A character that walks over a step of 30 cm.
const stair = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(4, 0.15, 20));
world.createCollider(RAPIER.ColliderDesc.cuboid(1, 0.15, 2), stair);
const hero = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0.92, 20));
const heroShape = world.createCollider(RAPIER.ColliderDesc.capsule(0.6, 0.3), hero);
const walker = world.createCharacterController(0.02);
walker.enableAutostep(0.35, 0.15, true);
walker.enableSnapToGround(0.35);
let heroTop = 0;

const time = () => step / 60;
let step = 0;
let highest = 0;
for (; step < 360; step++) {
  lift.setNextKinematicTranslation({ x: 10, y: 1.25 - Math.cos(time()), z: 0 });
  if (step < 90) {
    walker.computeColliderMovement(heroShape, { x: 3 / 60, y: -0.005, z: 0 });
    const [at, by] = [hero.translation(), walker.computedMovement()];
    hero.setNextKinematicTranslation({ x: at.x + by.x, y: at.y + by.y, z: at.z + by.z });
  }
  world.step(events);
  events.drainCollisionEvents((a, b, started) => {
    if (started && (a === gate.handle || b === gate.handle)) through++;
  });
  highest = Math.max(highest, crate.translation().y);
  heroTop = Math.max(heroTop, hero.translation().y);
}

// A snapshot goes on as the world does.
const copy = RAPIER.World.restoreSnapshot(world.takeSnapshot());
for (let i = 0; i < 60; i++) {
  world.step(events);
  copy.step();
}
const twin = copy.getRigidBody(ball.handle);

// What a camera above the wall would see.
const ray = new RAPIER.Ray({ x: 10, y: 20, z: 0 }, { x: 0, y: -1, z: 0 });
const hit = world.castRay(ray, 40, true);
const seen = hit?.collider.parent();

const moved = bricks.filter((body, i) => {
  const { x, y } = body.translation();
  const row = Math.floor(i / 8);
  return Math.hypot(x - ((i % 8) - 3.5) * 1.02 - (row % 2) * 0.25, y - 0.25 - 0.5 * row) > 0.3;
});

export const outcome = {
  moved: moved.length,
  through: through > 0,
  lifted: highest,
  seesCrate: seen?.handle === crate.handle,
  crateSpeed: Math.hypot(crate.linvel().x, crate.linvel().z),
  opened: 2 * Math.atan2(Math.abs(door.rotation().y), door.rotation().w),
  slid: block.translation().x < -21,
  ghosts: ghosts.every((body) => Math.abs(body.translation().y - 0.4) < 0.02),
  climbed: heroTop,
  same: twin.translation().x === ball.translation().x,
};
console.log(outcome);
world.free();
