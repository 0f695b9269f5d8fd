// 240 convex hulls of 8 to 28 corners, tetrahedra among them, fall into a pit of glass: every contact is one of
// polyhedra. Corners come from a fixed seed, on ellipsoids of one density.
import { between, createRandom, type Random, rotation } from './random';
import { createGround, type Scene } from './scene';

const COUNT = 240;
const PIT_HALF_WIDTH = 2.6;
const WALL_HALF_HEIGHT = 1.6;
const WALL_HALF_THICKNESS = 0.3;
const PER_SIDE = 5;

/** Corners on an ellipsoid, none nearer to another than a fifth of its size. */
function rock(random: Random, corners: number): number[] {
  const axes = [between(random, 0.26, 0.42), between(random, 0.26, 0.42), between(random, 0.26, 0.42)];
  const points: number[][] = [];
  for (let tries = 0; points.length < corners && tries < 2000; tries++) {
    const p = [between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)];
    const length = Math.sqrt(p[0]! * p[0]! + p[1]! * p[1]! + p[2]! * p[2]!);
    if (length > 1 || length < 0.1) continue;
    const on = p.map((c, k) => (c / length) * axes[k]!);
    const apart = points.every((q) => {
      const [x, y, z] = [on[0]! - q[0]!, on[1]! - q[1]!, on[2]! - q[2]!];
      return x * x + y * y + z * z > 0.006;
    });
    if (apart) points.push(on);
  }
  return points.flat();
}

export const hullPile: Scene = {
  id: 'hull-pile',
  title: 'Hulls',
  description: '240 convex hulls of 4 to 28 corners fall into a pit.',
  camera: { position: [6.2, 6.4, 8.2], target: [0, 0.9, 0] },
  build(target) {
    createGround(target);
    const reach = PIT_HALF_WIDTH + WALL_HALF_THICKNESS;
    for (const [x, z, halfX, halfZ] of [
      [reach, 0, WALL_HALF_THICKNESS, PIT_HALF_WIDTH],
      [-reach, 0, WALL_HALF_THICKNESS, PIT_HALF_WIDTH],
      [0, reach, PIT_HALF_WIDTH + 2 * WALL_HALF_THICKNESS, WALL_HALF_THICKNESS],
      [0, -reach, PIT_HALF_WIDTH + 2 * WALL_HALF_THICKNESS, WALL_HALF_THICKNESS],
    ] as const)
      target.createBody({
        type: 'static',
        position: [x, WALL_HALF_HEIGHT, z],
        shape: { type: 'box', halfExtents: [halfX, WALL_HALF_HEIGHT, halfZ] },
      });

    const random = createRandom(240);
    const rocks = Array.from({ length: 30 }, (_, kind) => rock(random, 8 + Math.floor((20 * kind) / 29)));
    for (let i = 0; i < COUNT; i++) {
      const column = i % PER_SIDE;
      const row = Math.floor(i / PER_SIDE) % PER_SIDE;
      const layer = Math.floor(i / (PER_SIDE * PER_SIDE));
      const common = {
        position: [
          (column - (PER_SIDE - 1) / 2) * 0.95 + between(random, -0.04, 0.04),
          0.8 + 0.92 * layer,
          (row - (PER_SIDE - 1) / 2) * 0.95 + between(random, -0.04, 0.04),
        ],
        rotation: rotation(random),
        userIndex: i,
      };
      if (i % 8 === 7) {
        const s = between(random, 0.22, 0.32);
        const points = [s, s, s, s, -s, -s, -s, s, -s, -s, -s, s];
        target.createBody({ ...common, shape: { type: 'tetrahedron', points } });
      } else {
        target.createBody({ ...common, shape: { type: 'hull', points: rocks[i % rocks.length]! } });
      }
    }
  },
};
