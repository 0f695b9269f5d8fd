// 64 separate towers of 10 unit boxes of 1 kg on an 8 by 8 grid, 3 m apart: many islands of the
// same kind, each a stack that must neither sink nor lean.
import { createGround, type Scene } from './scene';

const GRID = 8;
const HEIGHT = 10;
const SPACING = 3;

export const stackgrid: Scene = {
  id: 'stackgrid',
  title: 'Towers',
  description: '64 towers of 10 boxes. 64 islands, and none may lean.',
  camera: { position: [20, 17, 33], target: [0, 2.6, 0] },
  build(target) {
    createGround(target);
    for (let row = 0; row < GRID; row++)
      for (let column = 0; column < GRID; column++)
        for (let level = 0; level < HEIGHT; level++)
          target.createBody({
            mass: 1,
            position: [(column - (GRID - 1) / 2) * SPACING, level + 0.5, (row - (GRID - 1) / 2) * SPACING],
            shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
            userIndex: level,
          });
  },
};
