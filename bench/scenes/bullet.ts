// Bullet's own benchmark scenes (examples/Benchmarks, Erwin Coumans and others), expressed anew from
// their dimensions: gravity −10, a ground box of half extents 250 × 50 × 250 with its top at y = 0.
import type { BenchScene, BenchTarget, Quat, Vec3 } from '../scene';

export const BULLET_GRAVITY: Vec3 = [0, -10, 0];
const CUBE: Vec3 = [1, 1, 1];

const OF_BOXES = {
  gravity: BULLET_GRAVITY,
  needs: [],
  warmup: 60,
  steps: 240,
  bulletIterations: 5,
} satisfies Partial<BenchScene>;

export function ground(target: BenchTarget): void {
  target.createBody({
    type: 'static',
    position: [0, -50, 0],
    shape: { type: 'box', halfExtents: [250, 50, 250] },
  });
}

function block(target: BenchTarget, mass: number, position: Vec3, rotation: Quat = [0, 0, 0, 1]): void {
  target.createBody({ mass, position, rotation, shape: { type: 'box', halfExtents: CUBE } });
}

/** 8 × 8 × 47 boxes in a leaning lattice with gaps of 1 m, which falls into a heap. */
export const bullet1: BenchScene = {
  id: 'bullet1',
  title: "Bullet's 1: 3,008 boxes fall",
  ...OF_BOXES,
  build(target) {
    ground(target);
    const pitch = 3; // 2 m cubes with gaps of 1 m
    for (let layer = 0; layer < 47; layer++) {
      const shift = -12 - 0.35 * layer;
      for (let row = 0; row < 8; row++)
        for (let column = 0; column < 8; column++)
          block(target, 2, [shift + column * pitch, 2 + layer * pitch, shift + row * pitch]);
    }
  },
};

/** A square pyramid of 650 boxes, three walls of 78 and a ring tower of 192. */
export const bullet2: BenchScene = {
  id: 'bullet2',
  title: "Bullet's 2: 1,076 boxes in stacks",
  ...OF_BOXES,
  build(target) {
    ground(target);
    const pitch = 2.0401;
    for (let level = 0; level < 12; level++) {
      const size = 12 - level;
      const start = -12 * 0.5 * pitch + level * 1.02;
      for (let row = 0; row < size; row++)
        for (let column = 0; column < size; column++)
          block(target, 1, [-20 + start + column * pitch, 1 + level * pitch, start + row * pitch]);
    }
    for (const x of [-2, 4, 10])
      for (let level = 0; level < 12; level++)
        for (let i = 0; i < 12 - level; i++) block(target, 1, [x, 1 + 2 * level, -12 + level + 2 * i]);
    const around = 24;
    const radius = (1.3 * around) / Math.PI;
    for (let level = 0; level < 8; level++)
      for (let i = 0; i < around; i++) {
        // The original's first quaternion is half a turn about y; each level is turned by half a brick.
        const angle = Math.PI + (2 * Math.PI * i) / around + (Math.PI / around) * level;
        const rotation: Quat = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
        block(target, 1, [25 + radius * Math.sin(angle), 1 + 2 * level, radius * Math.cos(angle)], rotation);
      }
  },
};
