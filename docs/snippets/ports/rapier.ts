// A program for Rapier: a wrecking ball on a rope, a wall, a lift, a gate that counts, a ray. fromRapier.ts is its port.
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

const time = () => step / 60;
let step = 0;
let highest = 0;
for (; step < 360; step++) {
  lift.setNextKinematicTranslation({ x: 10, y: 1.25 - Math.cos(time()), z: 0 });
  world.step(events);
  events.drainCollisionEvents((a, b, started) => {
    if (started && (a === gate.handle || b === gate.handle)) through++;
  });
  highest = Math.max(highest, crate.translation().y);
}

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
};
console.log(outcome);
world.free();
