// Platforms that are moved to a place in each step. Their speed is a mean over the step. If it changes by less than 30 m/s²,
// the motion is taken to be smooth, and its speed at the end of the step is higher than the mean; else it is a jump.
import { row } from './support/measure';
import { createWorld, DT, position, rotation, spin, velocity } from './support/world';

/** Speed of what sticks to a platform after its first step, as a share of the platform's mean speed in it. */
function carried(acceleration: number): number {
  const world = createWorld();
  const platform = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [50, 0.5, 50], friction: 50 },
  });
  const body = world.createBody({
    mass: 1,
    position: [0, 0.02, 0],
    shape: { type: 'box', halfExtents: [1, 0.02, 1], friction: 1 },
  });
  for (let i = 0; i < 30; i++) world.step(DT);
  platform.setKinematicTarget([acceleration * DT * DT, -0.5, 0]);
  world.step(DT);
  const share = velocity(body)[0] / (acceleration * DT);
  world.dispose();
  return share;
}

row('what sticks to a platform has its speed at the end of the step, or its mean speed after a jump', (m) => {
  // 0 and v in the middles of two steps: 3/2 v half a step later.
  for (const acceleration of [5, 20, 28])
    m.near(`share at ${acceleration} m/s²`, carried(acceleration), 1.5, 0.01);
  for (const acceleration of [32, 60, 110])
    m.near(`share at ${acceleration} m/s²`, carried(acceleration), 1, 0.01);
});

const BALL = { type: 'sphere', radius: 0.5 } as const;

row('velocities set after a target move the body, and replace those that brought it there', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const [pushed, spun] = [0, 5].map((z) =>
    world.createBody({ type: 'kinematic', position: [0, 0, z], shape: BALL }),
  );
  pushed.setKinematicTarget([1, 0, 0], [0, 0, Math.sin(0.05), Math.cos(0.05)]);
  spun.setKinematicTarget([1, 0, 5]);
  world.step(DT);
  pushed.setLinearVelocity([6, 0, 0]);
  spun.setAngularVelocity([0, 0, 6]);
  for (let i = 0; i < 2; i++) world.step(DT);
  m.near('place', position(pushed)[0], 1.2, 1e-5, 'm');
  m.near('no spin is left of the target', spin(pushed)[2], 0, 0, 'rad/s');
  m.near('angle', 2 * Math.asin(rotation(spun)[2]), 0.2, 1e-5, 'rad');
  m.near('no velocity is left of the target', velocity(spun)[0], 0, 0, 'm/s');
  world.dispose();
});

row(
  'what was held by targets and is let go turns from the first step on; a target ends with the type',
  (m) => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const held = world.createBody({ type: 'kinematic', shape: BALL });
    held.setKinematicTarget([1, 0, 0]);
    world.step(DT);
    held.setType('dynamic');
    held.setLinearVelocity([0, 0, 0]);
    held.setAngularVelocity([0, 0, 6]);
    world.step(DT);
    m.near('angle after a step', 2 * Math.asin(rotation(held)[2]), 0.1, 1e-5, 'rad');
    const other = world.createBody({ type: 'kinematic', position: [0, 0, 5], shape: BALL });
    other.setKinematicTarget([5, 0, 5]);
    other.setType('dynamic');
    world.step(DT);
    other.setType('kinematic');
    for (let i = 0; i < 2; i++) world.step(DT);
    m.near('place', position(other)[0], 0, 0, 'm');
    world.dispose();
  },
);
