// 5,000 spheres adrift without gravity in a cube of about 100 m: hardly a contact, so the step is
// all broad phase and integration. The benchmark's sparse scene.
import { between, createRandom } from './random';
import type { Scene } from './scene';

const COUNT = 5000;
const PER_SIDE = 18; // 18³ = 5,832 cells, of which the first 5,000 get a sphere
const CELL = 100 / PER_SIDE; // 5.56 m; a sphere of radius 0.5 is placed anywhere inside its cell

export const spheres5000: Scene = {
  id: 'spheres5000',
  title: 'Adrift',
  description: '5,000 spheres without gravity in a cube of 100 m.',
  camera: { position: [34, 16, 68], target: [0, 0, 0] },
  world: { gravity: [0, 0, 0] },
  build(target) {
    const random = createRandom(5000);
    const free = CELL / 2 - 0.5;
    for (let i = 0; i < COUNT; i++) {
      const column = i % PER_SIDE;
      const row = Math.floor(i / PER_SIDE) % PER_SIDE;
      const layer = Math.floor(i / (PER_SIDE * PER_SIDE));
      const along = (cell: number) => (cell - (PER_SIDE - 1) / 2) * CELL + between(random, -free, free);
      target.createBody({
        mass: 1,
        position: [along(column), along(layer), along(row)],
        linearVelocity: velocity(random),
        shape: { type: 'sphere', radius: 0.5, restitution: 0.5 },
        userIndex: i,
      });
    }
  },
};

/** Up to 5 m/s, uniform in the ball. */
function velocity(random: () => number): [number, number, number] {
  for (;;) {
    const x = between(random, -5, 5);
    const y = between(random, -5, 5);
    const z = between(random, -5, 5);
    if (x * x + y * y + z * z <= 25) return [x, y, z];
  }
}
