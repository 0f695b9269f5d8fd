// 465 unit boxes of 1 kg in one upright triangle, 30 in the lowest row; neighbours touch.
// The classic test of a solver: every row carries all rows above it.
import { createGround, type Scene } from './scene';

const ROWS = 30;

export const pyramid: Scene = {
  id: 'pyramid',
  title: 'Pyramid',
  description: '465 touching boxes in 30 rows. It has to stand.',
  camera: { position: [16, 20, 52], target: [0, 12.4, 0] },
  build(target) {
    createGround(target);
    for (let row = 0; row < ROWS; row++)
      for (let column = 0; column < ROWS - row; column++)
        target.createBody({
          mass: 1,
          position: [column - (ROWS - row - 1) / 2, row + 0.5, 0],
          shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          userIndex: row,
        });
  },
};
