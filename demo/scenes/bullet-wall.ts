// Salvos at 1,000 m/s against plates of 1 mm. A bullet moves 17 m in a step of 1/60 s: without continuous collision
// it is in front of the plate, then far behind it.
import { createGround, type Scene } from './scene';

const SPEED = 1000;
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
  description: 'Bullets at 1,000 m/s against plates of 1 mm.',
  camera: { position: [-17, 8, 11], target: [-1.5, 0.8, 0.6] },
  shows: { statics: 'solid' },
  passage: { first: 1 + PLATES.length, passed: (x, y, z) => x > 1.5 && y < 4 && Math.abs(z) < 9 },
  build(target) {
    createGround(target);
    for (const z of PLATES)
      target.createBody({
        type: 'static',
        position: [0, 2, z],
        shape: { type: 'box', halfExtents: [THICKNESS / 2, 2, 2], friction: 0.5 },
      });
    for (let wave = 0; wave < WAVES; wave++)
      PLATES.forEach((z, i) => {
        const time = 0.4 + INTERVAL * wave + 0.05 * i;
        const height = 0.6 + 0.7 * ((wave * 5 + i * 3) % 4) * 0.9;
        target.createBody({
          mass: 0.05,
          position: [-SPEED * time, height + (GRAVITY * time * time) / 2, z + 0.4 * ((wave % 5) - 2)],
          linearVelocity: [SPEED, 0, 0],
          shape: { type: 'sphere', radius: 0.07, friction: 0.5, rollingFriction: 0.02 },
          userIndex: i,
        });
      });
  },
};
