// Scenes of boxes that only the benchmark runs: large, many, asleep, or never at rest.
import { between, createRandom } from '../../demo/scenes/random';
import type { BenchScene, BenchTarget, Quat } from '../scene';
import { GRAVITY, STANDS } from './settings';

const HALF: [number, number, number] = [0.5, 0.5, 0.5];

function ground(target: BenchTarget): void {
  target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
}

function pyramid(target: BenchTarget, rows: number, x: number, z: number): void {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < rows - row; column++)
      target.createBody({
        mass: 1,
        position: [x + column - (rows - row - 1) / 2, row + 0.5, z],
        shape: { type: 'box', halfExtents: HALF },
      });
}

/** 5,050 boxes in one triangle: a single island, 100 rows deep. */
export const pyramid5000: BenchScene = {
  id: 'pyramid5000',
  title: 'one pyramid of 5,050 boxes, base 100',
  ...STANDS,
  build(target) {
    ground(target);
    pyramid(target, 100, 0, 0);
  },
};

/** 182 pyramids of 55: 10,010 boxes in islands of middling size. */
export const pyramids10000: BenchScene = {
  id: 'pyramids10000',
  title: '182 pyramids of 55 boxes',
  ...STANDS,
  build(target) {
    ground(target);
    for (let row = 0; row < 14; row++)
      for (let column = 0; column < 13; column++) pyramid(target, 10, (column - 6) * 13, (row - 6.5) * 3);
  },
};

/** 10,000 boxes that lie on the ground, each by itself, and have been asleep for a while. */
export const sleeping10000: BenchScene = {
  id: 'sleeping10000',
  title: '10,000 boxes asleep',
  gravity: GRAVITY,
  needs: ['sleeping'],
  sleeping: true,
  stands: true,
  warmup: 200, // Bullet and ricochet sleep after 2 s at rest, the others sooner
  build(target) {
    ground(target);
    for (let row = 0; row < 100; row++)
      for (let column = 0; column < 100; column++)
        target.createBody({
          mass: 1,
          position: [(column - 49.5) * 2, 0.5, (row - 49.5) * 2],
          shape: { type: 'box', halfExtents: HALF },
        });
  },
};

const DRUM = 6; // inner half width, m
const WALL = 0.5; // half thickness, m
const TURN = 0.6; // rad/s about z: the bodies are carried up and slide back all the time

/** 1,000 boxes in a turning box of walls: contacts come and go without end. */
export const tumbler: BenchScene = {
  id: 'tumbler',
  title: '1,000 boxes in a turning drum',
  gravity: GRAVITY,
  needs: ['kinematic'],
  floor: -1.5 * (DRUM + 2 * WALL),
  build(target) {
    const reach = DRUM + WALL;
    const long = DRUM + 2 * WALL;
    target.createBody({
      type: 'kinematic',
      shape: [
        { type: 'box', position: [reach, 0, 0], halfExtents: [WALL, long, long] },
        { type: 'box', position: [-reach, 0, 0], halfExtents: [WALL, long, long] },
        { type: 'box', position: [0, reach, 0], halfExtents: [long, WALL, long] },
        { type: 'box', position: [0, -reach, 0], halfExtents: [long, WALL, long] },
        { type: 'box', position: [0, 0, reach], halfExtents: [long, long, WALL] },
        { type: 'box', position: [0, 0, -reach], halfExtents: [long, long, WALL] },
      ],
    });
    const random = createRandom(7);
    for (let i = 0; i < 1000; i++) {
      const along = (cell: number) => (cell - 4.5) * 1.1 + between(random, -0.1, 0.1);
      target.createBody({
        mass: 1,
        position: [along(i % 10), along(Math.floor(i / 100)), along(Math.floor(i / 10) % 10)],
        shape: { type: 'box', halfExtents: [0.35, 0.35, 0.35] },
      });
    }
  },
  move(time, place) {
    const half = (TURN * time) / 2;
    const rotation: Quat = [0, 0, Math.sin(half), Math.cos(half)];
    place(0, [0, 0, 0], rotation);
  },
};
