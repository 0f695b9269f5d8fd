// Bullet's benchmark scenes 3 to 8: ragdolls, hulls, a landscape, rays, packed hulls. Its hull of 43 points and its
// landscape of 32,768 triangles are data files; both are computed here, with as many points and triangles. Its cones
// are ball joints without limits, since not every peer has the same ones.
import { between, createRandom } from '../../demo/scenes/random';
import { hullGeometry, subtract } from '../hull';
import type { BenchScene, BenchShape, BenchTarget, Vec3 } from '../scene';
import { BULLET_GRAVITY, ground } from './bullet';

const SCALE = 3.5; // of the ragdolls, which are 1.75 m tall
const QUARTER = Math.PI / 2;

/** Radius, length of the segment, centre; those that lie do so along x. */
const PARTS: [radius: number, length: number, x: number, y: number, lies?: boolean][] = [
  [0.15, 0.2, 0, 1], // 0 pelvis
  [0.15, 0.28, 0, 1.2], // 1 spine
  [0.1, 0.05, 0, 1.6], // 2 head
  [0.07, 0.45, -0.18, 0.65], // 3, 4 left leg
  [0.05, 0.37, -0.18, 0.2],
  [0.07, 0.45, 0.18, 0.65], // 5, 6 right leg
  [0.05, 0.37, 0.18, 0.2],
  [0.05, 0.33, -0.35, 1.45, true], // 7, 8 left arm
  [0.04, 0.25, -0.7, 1.45, true],
  [0.05, 0.33, 0.35, 1.45, true], // 9, 10 right arm
  [0.04, 0.25, 0.7, 1.45, true],
];
/** A hinge turns about its axis within a quarter turn; no axis: a ball. */
const JOINTS: [a: number, b: number, x: number, y: number, axis?: Vec3][] = [
  [0, 1, 0, 1.1, [1, 0, 0]],
  [1, 2, 0, 1.48],
  [0, 3, -0.18, 0.9],
  [3, 4, -0.18, 0.42, [1, 0, 0]],
  [0, 5, 0.18, 0.9],
  [5, 6, 0.18, 0.42, [1, 0, 0]],
  [1, 7, -0.18, 1.45],
  [7, 8, -0.53, 1.45, [0, 1, 0]],
  [1, 9, 0.18, 1.45],
  [9, 10, 0.53, 1.45, [0, 1, 0]],
];

function ragdoll(target: BenchTarget, [x, y, z]: Vec3): void {
  const bodies = PARTS.map(([radius, length, px, py, lies]) =>
    target.createBody({
      mass: 1,
      position: [x + SCALE * px, y + SCALE * py, z],
      linearDamping: 0.05,
      angularDamping: 0.85,
      shape: {
        type: 'capsule',
        axis: lies ? 'x' : 'y',
        radius: SCALE * radius,
        halfHeight: (SCALE * length) / 2,
      },
    }),
  );
  for (const [a, b, jx, jy, axis] of JOINTS)
    target.createJoint({
      type: axis ? 'hinge' : 'ball',
      bodyA: bodies[a],
      bodyB: bodies[b],
      anchor: [x + SCALE * jx, y + SCALE * jy, z],
      axis,
      limits: axis && [-QUARTER, QUARTER],
    });
}

/** 16 + 15 + … + 1 of them, each row 7 m higher than the one before it. */
const bullet3: BenchScene = {
  id: 'bullet3',
  title: "Bullet's 3: 136 ragdolls",
  gravity: BULLET_GRAVITY,
  needs: ['capsule', 'joints'],
  warmup: 60,
  steps: 240,
  bulletIterations: 5,
  build(target) {
    ground(target);
    for (let size = 16, row = 0; size > 0; size--, row++)
      for (let i = 0; i < size; i++) ragdoll(target, [6 * i - 3 * size, 1 + 7 * row, -2 * row]);
  },
};

/** 43 points on an ellipsoid, along a spiral, about their centre of mass. */
function egg(): Vec3[] {
  const points: Vec3[] = [];
  for (let i = 0; i < 43; i++) {
    const y = 1 - (2 * i + 1) / 43;
    const r = Math.sqrt(1 - y * y);
    points.push([1.1 * r * Math.cos(2.4 * i), 0.8 * y, 0.9 * r * Math.sin(2.4 * i)]);
  }
  const { centre } = hullGeometry(points);
  return points.map((point) => subtract(point, centre));
}

const bullet4: BenchScene = {
  id: 'bullet4',
  title: "Bullet's 4: 960 convex hulls",
  gravity: BULLET_GRAVITY,
  needs: ['hull'],
  warmup: 60,
  steps: 240,
  bulletIterations: 5,
  build(target) {
    ground(target);
    const points = egg();
    for (let layer = 0; layer < 15; layer++)
      for (let row = 0; row < 8; row++)
        for (let column = 0; column < 8; column++) {
          const shift = -10 - 0.05 * layer;
          const position: Vec3 = [shift + 2.6 * column, 1 + 2.1 * layer, shift + 2.4 * row];
          target.createBody({ mass: 1, position, shape: { type: 'hull', points } });
        }
  },
};

const height = (x: number, z: number) =>
  3 * Math.sin(x / 9) * Math.cos(z / 7) + 1.5 * Math.sin(x / 3.1 + z / 4.3);

/** 8 meshes of 64 × 32 cells of 1 m. */
function landscape(target: BenchTarget): void {
  for (let part = 0; part < 8; part++) {
    const [x0, z0] = [-64 + 64 * (part % 2), -64 + 32 * (part >> 1)];
    const vertices: Vec3[] = [];
    const triangles: Vec3[] = [];
    for (let j = 0; j <= 32; j++)
      for (let i = 0; i <= 64; i++) vertices.push([x0 + i, height(x0 + i, z0 + j), z0 + j]);
    for (let j = 0; j < 32; j++)
      for (let i = 0; i < 64; i++) {
        const a = 65 * j + i;
        triangles.push([a, a + 65, a + 1], [a + 1, a + 65, a + 66]);
      }
    target.createBody({ type: 'static', shape: { type: 'mesh', vertices, triangles, friction: 0.9 } });
  }
}

/** 1,000 bodies of mass 2 above the landscape; `shape` gives that of each. */
function onLandscape(target: BenchTarget, spacing: number, shape: () => BenchShape): void {
  landscape(target);
  for (let layer = 0; layer < 10; layer++)
    for (let row = 0; row < 10; row++)
      for (let column = 0; column < 10; column++)
        target.createBody({
          mass: 2,
          position: [spacing * (column - 4.5), 6 + spacing * layer, spacing * (row - 4.5)],
          shape: shape(),
        });
}

const LANDSCAPE = {
  gravity: BULLET_GRAVITY,
  warmup: 60,
  steps: 240,
  floor: -6,
  bulletIterations: 5,
} as const;

const bullet5: BenchScene = {
  ...LANDSCAPE,
  id: 'bullet5',
  title: "Bullet's 5: 1,000 primitives on a landscape",
  needs: ['capsule', 'mesh'],
  build(target) {
    const random = createRandom(5);
    const kinds: BenchShape[] = [
      { type: 'box', halfExtents: [1, 1, 1], friction: 0.9 },
      { type: 'sphere', radius: 1, friction: 0.9 },
      { type: 'capsule', radius: 1, halfHeight: 1, friction: 0.9 },
    ];
    onLandscape(target, 4.2, () => kinds[Math.floor(between(random, 0, 3))]);
  },
};

const bullet6: BenchScene = {
  ...LANDSCAPE,
  id: 'bullet6',
  title: "Bullet's 6: 1,000 hulls on a landscape",
  needs: ['hull', 'mesh'],
  build(target) {
    const points = egg();
    onLandscape(target, 3, () => ({ type: 'hull', points, friction: 0.9 }));
  },
};

const BAR_RAYS = 500;
const BAR_HEIGHT = 80; // m
const BAR_LENGTH = 100; // m
const RAY_LENGTH = 2500; // m

const bullet7: BenchScene = {
  ...bullet6,
  id: 'bullet7',
  title: "Bullet's 7: the same with 500 rays a step",
  rays: {
    count: BAR_RAYS,
    /** A bar above the heap, to and fro along z once in 4 s, with rays that lean ahead. */
    aim(time, rays) {
      const phase = (time / 4) % 1;
      const z = (phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase) * 50;
      for (let i = 0; i < BAR_RAYS; i++) {
        const x = (i / (BAR_RAYS - 1) - 0.5) * BAR_LENGTH;
        rays.set([x, BAR_HEIGHT, z, x, BAR_HEIGHT - 0.8 * RAY_LENGTH, z + 0.6 * RAY_LENGTH], 6 * i);
      }
    },
  },
};

/** The digits of i in a base, mirrored at the point: even, without a lattice (J. Halton, 1960). */
function halton(i: number, base: number): number {
  let result = 0;
  for (let digit = i, share = 1 / base; digit > 0; digit = Math.floor(digit / base), share /= base)
    result += share * (digit % base);
  return result;
}

/** 90 hulls of Halton's points in a box, of density 1, packed 3 × 3 × 10 and let fall by 3.5 m. */
const bullet8: BenchScene = {
  id: 'bullet8',
  title: "Bullet's 8: 90 packed hulls",
  gravity: BULLET_GRAVITY,
  needs: ['hull'],
  warmup: 60,
  steps: 240,
  bulletIterations: 20,
  build(target) {
    target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0], friction: 0.6 } });
    for (let k = 0; k < 90; k++) {
      const raw: Vec3[] = [];
      for (let i = 1; i <= 20; i++) {
        const n = 20 * k + i;
        raw.push([2 * halton(n, 2) - 1, 2 * halton(n, 3) - 1, 2 * halton(n, 5) - 1]);
      }
      const { centre } = hullGeometry(raw);
      const points = raw.map((point) => subtract(point, centre));
      const position: Vec3 = [
        2.3 * ((k % 3) - 1),
        4.8 + 2.3 * Math.floor(k / 9),
        2.3 * ((Math.floor(k / 3) % 3) - 1),
      ];
      target.createBody({ position, shape: { type: 'hull', points, density: 1, friction: 0.6 } });
    }
  },
};

export const bulletHeaps: readonly BenchScene[] = [bullet3, bullet4, bullet5, bullet6, bullet7, bullet8];
