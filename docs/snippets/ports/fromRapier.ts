// The port of rapier.ts: the same things, in the same order.
import { type RigidBody, World } from 'ricochet';
import { createCharacter } from 'ricochet/character';
import { cookMesh } from 'ricochet/cooking';

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

// A door on a hinge, which a servo opens by 1.2 rad. A joint to the world needs no post.
const door = world.createBody({
  position: [-9.4, 1.1, 0],
  shape: { type: 'box', halfExtents: [0.6, 1, 0.05], density: 300 },
});
const hinge = world.createJoint({
  type: 'hinge',
  bodyB: door,
  anchor: [-10, 1.1, 0],
  axis: [0, 1, 0],
  angle: { low: 0, high: Math.PI / 2, servo: { target: 1.2, maxVelocity: 3, maxForce: 400 } },
});

// A ramp of two triangles, on which a block slides down.
const vertices = [-2, 0, -2, -2, 0, 2, 2, 3, 2, 2, 3, -2];
const geometry = cookMesh({ vertices, indices: [0, 1, 2, 0, 2, 3] });
const slippery = { friction: 0.1, frictionCombine: 'average' } as const; // Rapier takes the mean
world.createBody({ type: 'static', position: [-20, 0, 0], shape: { type: 'mesh', geometry, ...slippery } });
const points = [0, 0, -0.4, 0.8, 0, -0.4, 0, 0.6, -0.4, 0, 0, 0.4, 0.8, 0, 0.4, 0, 0.6, 0.4];
const block = world.createBody({
  position: [-19, 3, 0],
  shape: { type: 'hull', points, density: 500, ...slippery },
});

// Ghosts: members of a group of their own, which meet all but each other. Group 2 is that of static bodies, unless they say otherwise.
const ghosts = [0, 1, 2].map((i) =>
  world.createBody({
    position: [20, 1 + i, 0],
    group: 4,
    mask: ~4,
    shape: { type: 'sphere', radius: 0.4, density: 1 },
  }),
);

// A character that walks over a step of 30 cm. It is moved in the step.
world.createBody({
  type: 'static',
  position: [4, 0.15, 20],
  shape: { type: 'box', halfExtents: [1, 0.15, 2] },
});
const hero = await createCharacter(world, {
  shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  position: [0, 0.92, 20],
});
hero.setInput({ move: [3, 0, 0] });
let heroTop = 0;

let highest = 0;
for (let step = 0; step < 360; step++) {
  lift.setKinematicTarget([10, 1.25 - Math.cos(step / 60), 0]);
  if (step === 90) hero.setInput({ move: [0, 0, 0] });
  world.step(1 / 60);
  highest = Math.max(highest, crate.getPosition()[1]);
  heroTop = Math.max(heroTop, hero.getPosition()[1]);
}

// A snapshot goes on as the world does.
const copy = World.restore(world.snapshot());
world.advance(60);
copy.advance(60);

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
  opened: hinge.getPosition('angle'),
  slid: block.getPosition()[0] < -21,
  ghosts: ghosts.every((body) => Math.abs(body.getPosition()[1] - 0.4) < 0.02),
  climbed: heroTop,
  same: copy.stateHash() === world.stateHash(),
};
console.log(outcome);
