// Platforms that are moved to a place in each step. Their speed is a mean over the step. If it changes by less than 30 m/s²,
// the motion is taken to be smooth, and its speed at the end of the step is higher than the mean; else it is a jump.
import { row } from './support/measure';
import { createWorld, DT, velocity } from './support/world';

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
