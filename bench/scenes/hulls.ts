// Convex hulls in a pit, and boxes and hulls on a terrain of triangles.
import { between, createRandom, type Random, rotation } from '../../demo/scenes/random';
import { hullGeometry, subtract } from '../hull';
import type { BenchScene, BenchTarget, Vec3 } from '../scene';
import { GRAVITY } from './settings';

/** Points on an ellipsoid, moved so that the centre of mass is the origin. */
export function hull(random: Random, count: number, size: number): Vec3[] {
  const axes: Vec3 = [
    between(random, 0.7, 1) * size,
    between(random, 0.7, 1) * size,
    between(random, 0.7, 1) * size,
  ];
  const points: Vec3[] = [];
  while (points.length < count) {
    const p: Vec3 = [between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)];
    const length = Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (length > 1 || length < 0.1) continue;
    const on: Vec3 = [(p[0] / length) * axes[0], (p[1] / length) * axes[1], (p[2] / length) * axes[2]];
    // Two corners closer than 5 cm make a sliver that some hull builders drop.
    if (points.every((other) => Math.hypot(...subtract(on, other)) > 0.05)) points.push(on);
  }
  const { centre } = hullGeometry(points);
  return points.map((point) => subtract(point, centre));
}

export function pit(target: BenchTarget, half: number, wallHalfHeight: number): void {
  target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const reach = half + 0.5;
  const walls: [number, number, number, number][] = [
    [reach, 0, 0.5, half + 1],
    [-reach, 0, 0.5, half + 1],
    [0, reach, half, 0.5],
    [0, -reach, half, 0.5],
  ];
  for (const [x, z, halfX, halfZ] of walls)
    target.createBody({
      type: 'static',
      position: [x, wallHalfHeight, z],
      shape: { type: 'box', halfExtents: [halfX, wallHalfHeight, halfZ] },
    });
}

/** 500 hulls of 12 to 32 corners fall into a pit. */
export const convexPile: BenchScene = {
  id: 'convex-pile',
  title: '500 hulls of 12–32 vertices in a pit',
  gravity: GRAVITY,
  needs: ['hull'],
  build(target) {
    pit(target, 3.2, 5);
    const random = createRandom(500);
    const kinds: Vec3[][] = [];
    for (let i = 0; i < 42; i++) kinds.push(hull(random, 12 + (i % 21), 0.42));
    for (let i = 0; i < 500; i++)
      target.createBody({
        position: [
          ((i % 6) - 2.5) * 1 + between(random, -0.05, 0.05),
          0.8 + Math.floor(i / 36) * 0.95,
          ((Math.floor(i / 6) % 6) - 2.5) * 1 + between(random, -0.05, 0.05),
        ],
        rotation: rotation(random),
        shape: { type: 'hull', points: kinds[i % kinds.length], density: 1000 },
      });
  },
};

const CELLS = 128;
const CELL = 0.5; // m

/** Value noise on a lattice of 8 cells, smoothed: hills of about 2 m without a transcendental function. */
function terrain(): { vertices: Vec3[]; triangles: Vec3[] } {
  const random = createRandom(128);
  const lattice = Array.from({ length: 17 * 17 }, () => between(random, -1, 1));
  const smooth = (t: number) => t * t * (3 - 2 * t);
  const height = (column: number, row: number) => {
    const x = Math.min(Math.floor(column / 8), 15);
    const z = Math.min(Math.floor(row / 8), 15);
    const u = smooth(column / 8 - x);
    const v = smooth(row / 8 - z);
    const at = (i: number, j: number) => lattice[(z + j) * 17 + x + i];
    return (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v;
  };
  const vertices: Vec3[] = [];
  const triangles: Vec3[] = [];
  for (let row = 0; row <= CELLS; row++)
    for (let column = 0; column <= CELLS; column++)
      vertices.push([(column - CELLS / 2) * CELL, height(column, row), (row - CELLS / 2) * CELL]);
  for (let row = 0; row < CELLS; row++)
    for (let column = 0; column < CELLS; column++) {
      const corner = row * (CELLS + 1) + column;
      triangles.push([corner, corner + CELLS + 1, corner + 1]);
      triangles.push([corner + 1, corner + CELLS + 1, corner + CELLS + 2]);
    }
  return { vertices, triangles };
}

/** 250 boxes and 250 hulls on 32,768 triangles. */
export const trimesh: BenchScene = {
  id: 'trimesh',
  title: '500 boxes and hulls on a terrain of 128 × 128 cells',
  gravity: GRAVITY,
  needs: ['hull', 'mesh'],
  floor: -4,
  build(target) {
    const { vertices, triangles } = terrain();
    target.createBody({ type: 'static', shape: { type: 'mesh', vertices, triangles } });
    const random = createRandom(129);
    const kinds: Vec3[][] = [];
    for (let i = 0; i < 21; i++) kinds.push(hull(random, 12 + i, 0.5));
    for (let i = 0; i < 500; i++) {
      const position: Vec3 = [((i % 25) - 12) * 1.5, 2 + (i % 3) * 0.4, (Math.floor(i / 25) - 9.5) * 1.5];
      const halfExtents: Vec3 = [
        between(random, 0.25, 0.5),
        between(random, 0.25, 0.5),
        between(random, 0.25, 0.5),
      ];
      target.createBody({
        position,
        rotation: rotation(random),
        shape:
          i % 2 === 0
            ? { type: 'box', halfExtents, density: 1000 }
            : { type: 'hull', points: kinds[i % kinds.length], density: 1000 },
      });
    }
  },
};
