// The port of rapier.ts: the same things, in the same order.
import { type RigidBody, World } from 'ricochet';

const world = new World({ gravity: [0, -9.81, 0] }); // nothing to wait for

// The ground.
world.createBody({
  type: 'static',
  shape: { type: 'box', halfExtents: [50, 0.5, 50], position: [0, -0.5, 0], friction: 0.8 },
});

// A wall of bricks.
const bricks: RigidBody[] = [];
for (let row = 0; row < 6; row++)
  for (let i = 0; i < 8; i++) {
    const x = (i - 3.5) * 1.02 + (row % 2) * 0.25;
    bricks.push(
      world.createBody({
        position: [x, 0.25 + 0.5 * row, 0],
        shape: { type: 'box', halfExtents: [0.5, 0.25, 0.25], density: 500, friction: 0.6 },
      }),
    );
  }

// A wrecking ball on a rope of 5 m, which hangs from the world: no body is needed for the hook.
const ball = world.createBody({
  mass: 400,
  position: [0, 6.5, 5],
  linearDamping: 0.05, // a share per second
  shape: { type: 'sphere', radius: 0.6, restitution: 0.1 }, // fast bodies are swept by themselves
});
world.createJoint({
  type: 'distance',
  bodyB: ball,
  frameA: { position: [0, 6.5, 0] },
  frameB: { position: [0, 0, 0] },
  distance: { low: 0, high: 5 },
});

// A lift that goes up and down, with a crate on it.
const lift = world.createBody({
  type: 'kinematic',
  position: [10, 0.25, 0],
  shape: { type: 'box', halfExtents: [1.5, 0.25, 1.5] },
});
const crate = world.createBody({
  position: [10, 1, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], density: 1, friction: 0.7 },
});

// A gate behind the wall: counts what flies through.
const gate = world.createBody({
  type: 'static',
  position: [0, 4, -4],
  shape: { type: 'box', halfExtents: [8, 4, 0.5], sensor: true },
});
let through = 0;
world.on('contactBegin', () => through++, { body: gate });

let highest = 0;
for (let step = 0; step < 360; step++) {
  lift.setKinematicTarget([10, 1.25 - Math.cos(step / 60), 0]);
  world.step(1 / 60);
  highest = Math.max(highest, crate.getPosition()[1]);
}

// What a camera above the wall would see.
const hit = world.rayTest([10, 20, 0], [10, -20, 0]); // from, to

const moved = bricks.filter((body, i) => {
  const [x, y] = body.getPosition();
  const row = Math.floor(i / 8);
  return Math.hypot(x - ((i % 8) - 3.5) * 1.02 - (row % 2) * 0.25, y - 0.25 - 0.5 * row) > 0.3;
});

const [vx, , vz] = crate.getLinearVelocity();
export const outcome = {
  moved: moved.length,
  through: through > 0,
  lifted: highest,
  seesCrate: hit?.body === crate,
  crateSpeed: Math.hypot(vx, vz),
};
console.log(outcome);
