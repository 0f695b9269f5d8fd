// A brick wall in running bond, half bricks at its ends, to be shot at: 11 bricks wide, 14 courses.
// Bricks are 1 m × 0.5 m × 0.5 m and 2 kg, and touch each other.
import { createGround, type Scene } from './scene';

const COURSES = 14;
const WIDTH = 11;
const HALF_HEIGHT = 0.25;

export const wall: Scene = {
  id: 'wall',
  title: 'Wall',
  description: 'Bricks in running bond. Click to shoot.',
  camera: { position: [5.5, 4, 14.5], target: [0, 2.9, 0] },
  build(target) {
    createGround(target);
    for (let course = 0; course < COURSES; course++) {
      const y = HALF_HEIGHT * (2 * course + 1);
      const brick = (x: number, halfLength: number) =>
        target.createBody({
          mass: 4 * halfLength,
          position: [x, y, 0],
          shape: { type: 'box', halfExtents: [halfLength, HALF_HEIGHT, 0.25], friction: 0.6 },
          userIndex: course,
        });
      const full = WIDTH - (course % 2);
      for (let i = 0; i < full; i++) brick(i - (full - 1) / 2, 0.5);
      if (course % 2 === 1) {
        brick(-(WIDTH / 2) + 0.25, 0.25);
        brick(WIDTH / 2 - 0.25, 0.25);
      }
    }
  },
};
