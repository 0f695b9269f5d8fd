// Salvos at 1,000 m/s against plates of 1 mm: balls, and darts that tumble. A bullet moves 17 m in a step of 1/60 s.
// Without continuous collision contacts that look ahead still hold the balls, but not what turns on its way.
import { between, createRandom } from './random';
import { createGround, type Scene } from './scene';

const SPEED = 1000;
/** rad/s about each axis: a dart turns by up to two rad on the 17 m of a step. */
const SPIN = 120;
const THICKNESS = 0.001;
const WAVES = 40;
/** s between two salvos; bullets of later ones start farther away and higher, for they fall on their way. */
const INTERVAL = 0.25;
const GRAVITY = 9.81;
/** Along z, where the plates stand. */
const PLATES = [-8, -4, 0, 4, 8];

export const bulletWall: Scene = {
  id: 'bullet-wall',
  title: 'Bullet wall',
  description: 'Bullets and tumbling darts at 1,000 m/s against plates of 1 mm.',
  camera: { position: [-17, 8, 11], target: [-1.5, 0.8, 0.6] },
  shows: { statics: 'solid' },
  passage: {
    first: 1 + PLATES.length,
    passed: (x, y, z) => x > 1.5 && y < 4 && Math.abs(z) < 9,
    left: (x, y, z) => x > -1 && (y > 4 || Math.abs(z) > 10),
  },
  build(target) {
    createGround(target);
    for (const z of PLATES)
      target.createBody({
        type: 'static',
        position: [0, 2, z],
        shape: { type: 'box', halfExtents: [THICKNESS / 2, 2, 2], friction: 0.5 },
      });
    const random = createRandom(1000);
    for (let wave = 0; wave < WAVES; wave++)
      PLATES.forEach((z, i) => {
        const time = 0.4 + INTERVAL * wave + 0.05 * i;
        const height = 0.6 + 0.7 * ((wave * 5 + i * 3) % 4) * 0.9;
        target.createBody({
          mass: 0.05,
          position: [-SPEED * time, height + (GRAVITY * time * time) / 2, z + 0.4 * ((wave % 5) - 2)],
          linearVelocity: [SPEED, 0, 0],
          angularVelocity: [
            between(random, -SPIN, SPIN),
            between(random, -SPIN, SPIN),
            between(random, -SPIN, SPIN),
          ],
          shape:
            i === 2
              ? { type: 'sphere', radius: 0.07, friction: 0.5, rollingFriction: 0.02 }
              : { type: 'box', halfExtents: [0.14, 0.04, 0.04], friction: 0.5 },
          userIndex: i,
        });
      });
  },
};
