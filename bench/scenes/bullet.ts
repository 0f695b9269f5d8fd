// Bullet's own benchmark scenes (examples/Benchmarks, Erwin Coumans and others), expressed anew from
// their dimensions: gravity −10, a ground box of half extents 250 × 50 × 250 with its top at y = 0.
import type { BenchScene, BenchTarget, Quat, Vec3 } from '../scene';

const GRAVITY: Vec3 = [0, -10, 0];
const CUBE: Vec3 = [1, 1, 1];

function ground(target: BenchTarget): void {
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
const bullet1: BenchScene = {
  id: 'bullet1',
  title: "Bullet's 1: 3,008 boxes fall",
  gravity: GRAVITY,
  needs: [],
  warmup: 60,
  steps: 240,
  bulletIterations: 5,
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
const bullet2: BenchScene = {
  id: 'bullet2',
  title: "Bullet's 2: 1,076 boxes in stacks",
  gravity: GRAVITY,
  needs: [],
  warmup: 60,
  steps: 240,
  bulletIterations: 5,
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

function later(id: string, title: string, notYet: string): BenchScene {
  return { id, title, gravity: GRAVITY, needs: [], notYet, build() {} };
}

export const bulletScenes: BenchScene[] = [
  bullet1,
  bullet2,
  later('bullet3', "Bullet's 3: 136 ragdolls", 'needs joints'),
  later('bullet4', "Bullet's 4: 960 convex hulls", 'needs hulls'),
  later('bullet5', "Bullet's 5: 1,000 primitives on a landscape", 'needs triangle meshes'),
  later('bullet6', "Bullet's 6: 1,000 hulls on a landscape", 'needs hulls and triangle meshes'),
  later('bullet7', "Bullet's 7: the same with 500 rays a step", 'needs hulls and triangle meshes'),
  later('bullet8', "Bullet's 8: 90 packed hulls", 'needs hulls'),
];
