// 1,000 boxes, spheres and capsules that fall into a pit of four static walls with a floor.
// Sizes, kinds and rotations come from a fixed seed; the masses follow from one density.
import { between, createRandom, rotation } from './random';
import { createGround, type Scene } from './scene';

const COUNT = 1000;
const PIT_HALF_WIDTH = 4.5; // inner; 1,000 bodies of about 0.08 m³ then fill it some 1.7 m deep
const WALL_HALF_HEIGHT = 2;
const WALL_HALF_THICKNESS = 0.5;
const PER_SIDE = 8; // bodies start on a grid of 8 × 8 per layer, sixteen layers, without touching
const SPACING = 1.08; // every body fits into a ball of radius 0.49

export const pileMixed: Scene = {
  id: 'pile-mixed',
  title: 'Mixed pile',
  description: '1,000 boxes, spheres and capsules fall into a pit and come to rest.',
  camera: { position: [10, 10.5, 13], target: [0, 1.2, 0] },
  build(target) {
    createGround(target);
    const reach = PIT_HALF_WIDTH + WALL_HALF_THICKNESS;
    const long = PIT_HALF_WIDTH + 2 * WALL_HALF_THICKNESS;
    const walls: [x: number, z: number, halfX: number, halfZ: number][] = [
      [reach, 0, WALL_HALF_THICKNESS, long],
      [-reach, 0, WALL_HALF_THICKNESS, long],
      [0, reach, PIT_HALF_WIDTH, WALL_HALF_THICKNESS],
      [0, -reach, PIT_HALF_WIDTH, WALL_HALF_THICKNESS],
    ];
    for (const [x, z, halfX, halfZ] of walls)
      target.createBody({
        type: 'static',
        position: [x, WALL_HALF_HEIGHT, z],
        shape: { type: 'box', halfExtents: [halfX, WALL_HALF_HEIGHT, halfZ] },
      });

    const random = createRandom(20);
    for (let i = 0; i < COUNT; i++) {
      const column = i % PER_SIDE;
      const row = Math.floor(i / PER_SIDE) % PER_SIDE;
      const layer = Math.floor(i / (PER_SIDE * PER_SIDE));
      const place: [number, number, number] = [
        (column - (PER_SIDE - 1) / 2) * SPACING + between(random, -0.05, 0.05),
        1 + layer * 1.05,
        (row - (PER_SIDE - 1) / 2) * SPACING + between(random, -0.05, 0.05),
      ];
      const common = { position: place, rotation: rotation(random), userIndex: i };
      const kind = i % 3;
      if (kind === 0) {
        const halfExtents = [
          between(random, 0.18, 0.28),
          between(random, 0.18, 0.28),
          between(random, 0.18, 0.28),
        ];
        target.createBody({ ...common, shape: { type: 'box', halfExtents, density: 1000 } });
      } else if (kind === 1) {
        target.createBody({
          ...common,
          shape: { type: 'sphere', radius: between(random, 0.2, 0.35), density: 1000 },
        });
      } else {
        const radius = between(random, 0.15, 0.22);
        const halfHeight = between(random, 0.12, 0.25);
        target.createBody({ ...common, shape: { type: 'capsule', radius, halfHeight, density: 1000 } });
      }
    }
  },
};
