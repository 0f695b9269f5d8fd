// Blades that turn at 40 rad/s in a room with walls of 1 mm: their tips make half a metre in a step, twenty-five times
// their thickness. A driven rotor in the middle, twice as fast, keeps them going.
import { between, createRandom } from './random';
import type { Scene, SceneTarget } from './scene';

const ROOM = 4; // half width in m
const HEIGHT = 4;
const WALL = 0.0005;
const BLADES = 24;
const BALLS = 40;
const HALF = Math.sqrt(0.5);

/** Six thin walls; between the floor and the lid bodies are kept as in a lantern. */
function createRoom(target: SceneTarget): void {
  const wall = (position: [number, number, number], halfExtents: [number, number, number]) =>
    target.createBody({
      type: 'static',
      position,
      shape: { type: 'box', halfExtents, friction: 0.3, restitution: 0.6 },
    });
  const up = HEIGHT / 2;
  wall([0, -WALL, 0], [ROOM, WALL, ROOM]);
  wall([0, HEIGHT + WALL, 0], [ROOM, WALL, ROOM]);
  wall([-ROOM - WALL, up, 0], [WALL, up, ROOM]);
  wall([ROOM + WALL, up, 0], [WALL, up, ROOM]);
  wall([0, up, -ROOM - WALL], [ROOM, up, WALL]);
  wall([0, up, ROOM + WALL], [ROOM, up, WALL]);
}

export const blades: Scene = {
  id: 'blades',
  title: 'Blades',
  description: 'Blades of 2 cm at 40 rad/s in a room with walls of 1 mm.',
  camera: { position: [7.6, 7.4, 10.2], target: [0, 1, 0] },
  passage: {
    first: 8,
    passed: (x, y, z) =>
      Math.abs(x) > ROOM + 0.05 || Math.abs(z) > ROOM + 0.05 || y < -0.05 || y > HEIGHT + 0.05,
  },
  build(target) {
    createRoom(target);
    for (const rotation of [
      [0, 0, 0, 1],
      [0, HALF, 0, HALF],
    ] as const)
      target.createBody({
        type: 'kinematic',
        position: [0, 0.9, 0],
        rotation,
        shape: { type: 'box', halfExtents: [1.3, 0.2, 0.01], restitution: 0.5 },
        angularVelocity: [0, 80, 0],
      });
    const random = createRandom(40);
    for (let i = 0; i < BLADES; i++) {
      const ring = Math.floor(i / 8);
      target.createBody({
        mass: 0.4,
        position: [((i % 4) - 1.5) * 1.7, 1.6 + 0.8 * ring, i % 8 < 4 ? -2.6 : 2.6],
        shape: {
          type: 'box',
          halfExtents: [0.75, 0.04, 0.01],
          friction: 0.2,
          restitution: 0.4,
        },
        angularVelocity: [0, i % 2 === 0 ? 40 : -40, 0],
        linearVelocity: [between(random, -25, 25), between(random, -5, 15), between(random, -25, 25)],
        userIndex: ring,
      });
    }
    for (let i = 0; i < BALLS; i++)
      target.createBody({
        mass: 0.2,
        position: [((i % 8) - 3.5) * 0.8, 3 + 0.3 * Math.floor(i / 32), (Math.floor(i / 8) % 4) * 0.4 - 0.6],
        shape: { type: 'sphere', radius: 0.09, friction: 0.3, restitution: 0.8 },
        userIndex: 3,
      });
  },
};
