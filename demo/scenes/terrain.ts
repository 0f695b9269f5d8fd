// Every kind of shape on a heightfield in the form of a bowl, with a mesh of steps in its middle: boxes, spheres,
// capsules, cylinders, cones, hulls, tetrahedra, multi-spheres, triangles, compounds and scaled copies.
import type { BodyOptions, ShapeOptions } from 'ricochet';
import { compound, heightfield, mesh, multiSphere, scaled, tetrahedron, triangle } from 'ricochet/cooking';
import { createHills } from './forms';
import { between, createRandom, type Random, rotation } from './random';
import type { Scene } from './scene';

const CELLS = 40;
const SPACING = 0.45;
const PER_SIDE = 8;
const LAYERS = 2;

/** Kind k of a shape, a little different each time. */
export function shapeOf(kind: number, random: Random): ShapeOptions | ShapeOptions[] {
  const s = between(random, 0.8, 1.15);
  switch (kind) {
    case 0:
      return { type: 'box', halfExtents: [0.4 * s, 0.25 * s, 0.3 * s] };
    case 1:
      return { type: 'sphere', radius: 0.35 * s };
    case 2:
      return { type: 'capsule', radius: 0.22 * s, halfHeight: 0.3 * s, axis: 'x' };
    case 3:
      return { type: 'cylinder', radius: 0.32 * s, halfHeight: 0.3 * s, axis: 'z' };
    case 4:
      return { type: 'cone', radius: 0.4 * s, halfHeight: 0.4 * s };
    case 5: {
      const points: number[] = [];
      for (let i = 0; i < 14; i++)
        points.push(between(random, -0.4, 0.4), between(random, -0.4, 0.4), between(random, -0.4, 0.4));
      return { type: 'hull', points };
    }
    case 6:
      return tetrahedron(
        [0.4 * s, 0.4 * s, 0.4 * s],
        [0.4, -0.4, -0.4],
        [-0.4, 0.4, -0.4],
        [-0.4, -0.4, 0.4],
      );
    case 7:
      return multiSphere([
        { position: [-0.3 * s, 0, 0], radius: 0.3 * s },
        { position: [0.25 * s, 0, 0.1 * s], radius: 0.18 * s },
        { position: [0, 0.3 * s, 0], radius: 0.15 * s },
      ]);
    case 8:
      return triangle([-0.5 * s, 0, -0.3], [0.5 * s, 0, -0.3], [0, 0.1, 0.6 * s], {
        density: 100_000,
        margin: 0.03,
      });
    case 9:
      return compound([
        { shape: { type: 'box', halfExtents: [0.45 * s, 0.1, 0.1] } },
        { shape: { type: 'box', halfExtents: [0.1, 0.45 * s, 0.1] } },
        { shape: { type: 'sphere', radius: 0.2 }, position: [0, 0, 0.3 * s] },
      ]);
    default:
      return scaled({ type: 'cylinder', radius: 0.3, halfHeight: 0.2 }, [1.2 * s, 2, 1.2 * s]);
  }
}

export const KINDS = 11;

export const terrain: Scene = {
  id: 'terrain',
  title: 'Terrain',
  description: 'Every kind of shape on a heightfield, with steps of triangles in its middle.',
  camera: { position: [8.2, 9.2, 13.5], target: [0.3, 0.2, 0] },
  build(target) {
    const hills = createHills(4);
    const heights = new Float32Array((CELLS + 1) * (CELLS + 1));
    for (let row = 0; row <= CELLS; row++)
      for (let column = 0; column <= CELLS; column++) {
        const [x, z] = [(column - CELLS / 2) * SPACING, (row - CELLS / 2) * SPACING];
        const rim = Math.max(x * x, z * z) / 81; // 1 at the border
        heights[row * (CELLS + 1) + column] = 0.6 + 0.55 * hills(0.45 * x, 0.45 * z) + 1.7 * rim * rim * rim;
      }
    const size = { rows: CELLS + 1, columns: CELLS + 1, spacing: SPACING };
    target.createBody({ type: 'static', shape: heightfield({ ...size, heights, friction: 0.7 }) });
    target.createBody({ type: 'static', shape: mesh({ ...pyramidOfSteps(), friction: 0.7 }) });

    const random = createRandom(11);
    for (let i = 0; i < PER_SIDE * PER_SIDE * LAYERS; i++) {
      const column = i % PER_SIDE;
      const row = Math.floor(i / PER_SIDE) % PER_SIDE;
      const layer = Math.floor(i / (PER_SIDE * PER_SIDE));
      const options: BodyOptions = {
        position: [
          (column - (PER_SIDE - 1) / 2) * 1.5 + between(random, -0.2, 0.2),
          5 + 1.6 * layer,
          (row - (PER_SIDE - 1) / 2) * 1.5 + between(random, -0.2, 0.2),
        ],
        rotation: rotation(random),
        shape: shapeOf(i % KINDS, random),
        userIndex: i,
      };
      target.createBody(options);
    }
  },
};

/** Four square steps, each smaller, as one open mesh. */
function pyramidOfSteps() {
  const vertices: number[] = [];
  const indices: number[] = [];
  const quad = (corners: number[]) => {
    const first = vertices.length / 3;
    vertices.push(...corners);
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  for (let step = 0; step < 4; step++) {
    const [half, inner] = [2.2 - 0.5 * step, 1.7 - 0.5 * step];
    const [low, high] = [step === 0 ? -0.6 : 0.5 + 0.4 * step, 0.9 + 0.4 * step];
    for (const [c, s] of [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const) {
      // A side and its tread, turned about y.
      const at = (x: number, y: number, z: number) => [c * x + s * z, y, c * z - s * x];
      quad([
        ...at(half, low, half),
        ...at(half, low, -half),
        ...at(half, high, -half),
        ...at(half, high, half),
      ]);
      if (step < 3)
        quad([
          ...at(half, high, half),
          ...at(half, high, -half),
          ...at(inner, high, -inner),
          ...at(inner, high, inner),
        ]);
    }
    if (step === 3) quad([-half, high, -half, -half, high, half, half, high, half, half, high, -half]);
  }
  return { vertices, indices };
}
