// A pinball table under glass: balls at 90 m/s between posts and driven bars, inside rails of 2 mm. Gravity leans
// down the table.
import { between, createRandom } from './random';
import type { Scene } from './scene';

const WIDTH = 4; // half, in m
const LENGTH = 7;
const RAIL = 0.001;
const RADIUS = 0.14;
const BALLS = 24;
/** m per step from which on balls meet balls, too. */
const THRESHOLD = 0.05;
/** Glass above the balls, with room for their radius and a little more. */
const LID = 2 * RADIUS + 0.06;

export const pinball: Scene = {
  id: 'pinball',
  title: 'Pinball',
  description: 'Balls at 90 m/s between driven bars, inside rails of 2 mm.',
  camera: { position: [0, 14.5, 11], target: [0, 0, 1] },
  floor: -0.6,
  world: { gravity: [0, -9.4, 2.8] },
  passage: {
    first: 26,
    threshold: THRESHOLD,
    passed: (x, y, z) => Math.abs(x) > WIDTH + 0.02 || Math.abs(z) > LENGTH + 0.02 || y < 0 || y > LID,
  },
  build(target) {
    const part = (position: [number, number, number], halfExtents: [number, number, number]) =>
      target.createBody({
        type: 'static',
        position,
        shape: { type: 'box', halfExtents, friction: 0.1, restitution: 0.9 },
      });
    part([0, -RAIL, 0], [WIDTH, RAIL, LENGTH]);
    part([0, LID + RAIL, 0], [WIDTH, RAIL, LENGTH]);
    part([-WIDTH - RAIL, LID / 2, 0], [RAIL, LID / 2, LENGTH]);
    part([WIDTH + RAIL, LID / 2, 0], [RAIL, LID / 2, LENGTH]);
    part([0, LID / 2, -LENGTH - RAIL], [WIDTH, LID / 2, RAIL]);
    part([0, LID / 2, LENGTH + RAIL], [WIDTH, LID / 2, RAIL]);
    // Posts in rows that are offset by half.
    for (let row = 0; row < 4; row++)
      for (let i = 0; i < 4 - (row % 2); i++)
        target.createBody({
          type: 'static',
          position: [(i - (3 - (row % 2)) / 2) * 1.9, LID / 2, -4.6 + 1.7 * row],
          shape: { type: 'capsule', radius: 0.22, halfHeight: 0.3, friction: 0.1, restitution: 1 },
        });
    // Driven bars take the place of the player.
    for (let i = 0; i < 6; i++)
      target.createBody({
        type: 'kinematic',
        position: [((i % 3) - 1) * 2.5, LID / 2, i < 3 ? 3.1 : 5.6],
        shape: { type: 'box', halfExtents: [0.8, 0.12, 0.02], friction: 0.1, restitution: 1 },
        angularVelocity: [0, i % 2 === 0 ? 30 : -30, 0],
      });
    const random = createRandom(7);
    for (let i = 0; i < BALLS; i++)
      target.createBody({
        mass: 0.3,
        position: [((i % 8) - 3.5) * 0.9, RADIUS, -6.3 + 0.5 * Math.floor(i / 8)],
        shape: { type: 'sphere', radius: RADIUS, friction: 0.1, restitution: 0.9 },
        linearVelocity: [between(random, -40, 40), 0, between(random, 60, 90)],
        ccdMotionThreshold: THRESHOLD,
        userIndex: i % 4,
      });
  },
};
