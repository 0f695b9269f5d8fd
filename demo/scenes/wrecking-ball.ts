// A ball of a tonne on twelve ropes between beads of half a kilogram, pulled aside, and a wall of bricks in its way. Ropes that are solved
// one after the other stretch under it by metres; the beads alone show how long they are.
import { createGround, type Scene } from './scene';

/** m: of the beam above the floor, of a rope, and the radius of the ball. */
const HEIGHT = 7;
const ROPE = 0.4;
const ROPES = 12;
const RADIUS = 0.7;
/** The ropes are taut at first, with this slope. */
const [ACROSS, DOWN] = [0.8, 0.6];

export const wreckingBall: Scene = {
  id: 'wrecking-ball',
  title: 'Wrecking ball',
  description: 'A tonne on twelve ropes between beads of half a kilogram.',
  camera: { position: [5, 4.5, 13], target: [0, 2.8, 0] },
  build(target) {
    createGround(target);
    const beam = target.createBody({
      type: 'static',
      position: [0, HEIGHT, 0],
      shape: { type: 'box', halfExtents: [0.2, 0.1, 1.5] },
    });
    let last = beam;
    for (let i = 1; i <= ROPES; i++) {
      const isBall = i === ROPES;
      const length = ROPE * i;
      const body = target.createBody({
        mass: isBall ? 1000 : 0.5,
        position: [-ACROSS * length, HEIGHT - DOWN * length, 0],
        mask: isBall ? undefined : 0,
        shape: { type: 'sphere', radius: isBall ? RADIUS : 0.07 },
      });
      target.createJoint({
        type: 'distance',
        bodyA: last as never,
        bodyB: body as never,
        distance: { low: 0, high: ROPE },
      });
      last = body;
    }
    for (let row = 0; row < 10; row++)
      for (let i = 0; i < 7 - (row & 1); i++)
        target.createBody({
          mass: 8,
          position: [1, 0.2 + 0.4 * row, i - 3 + (row & 1) / 2],
          shape: { type: 'box', halfExtents: [0.25, 0.2, 0.5], friction: 0.6 },
          userIndex: row,
        });
  },
};
