// A playground for questions: rays from a lighthouse, a box that is swept down and a ball that is swept across, the
// nearest points of a ball that wanders, and what a box overlaps. The demo asks them in every frame and draws them.
import type { Query } from 'ricochet';
import { heightfield, mesh, multiSphere } from 'ricochet/cooking';
import { circle, createHills } from './forms';
import { between, createRandom, rotation } from './random';
import { createGround, type Scene } from './scene';

const RAYS = 40;
const REACH = 9; // m
/** Steps of a whole turn of what moves; 20 s at 120 steps per second. */
const TURN = 2400;

const BALL = { type: 'sphere', radius: 0.45 } as const;
const CRATE = { type: 'box', halfExtents: [0.5, 0.3, 0.5] } as const;
const PROBE = { type: 'cylinder', radius: 0.35, halfHeight: 0.5 } as const;
const ZONE = { type: 'box', halfExtents: [1.2, 0.8, 1.2] } as const;

export const queryPlayground: Scene = {
  id: 'query-playground',
  title: 'Queries',
  description: 'Rays, sweeps, nearest points and overlaps, asked in every frame.',
  camera: { position: [8.2, 9.2, 12.6], target: [0.6, 0.4, 0.6] },
  build(target) {
    createGround(target);
    const hills = createHills(9);
    const heights = Float32Array.from({ length: 17 * 17 }, (_, i) => {
      const [x, z] = [(i % 17) / 8 - 1, Math.floor(i / 17) / 8 - 1];
      return 1.3 * (1 - x * x) * (1 - z * z) + 0.25 * hills(3 * x, 3 * z) - 0.2;
    });
    target.createBody({
      type: 'static',
      position: [-5, 0, -4],
      shape: heightfield({ rows: 17, columns: 17, spacing: 0.3, heights }),
    });
    // A ridge of triangles.
    const ridge: number[] = [];
    for (let i = 0; i <= 10; i++) ridge.push(i - 5, 0, -1, i - 5, 1 + 0.4 * hills(i, 3), 0, i - 5, 0, 1);
    const indices: number[] = [];
    for (let i = 0; i < 10; i++)
      for (let k = 0; k < 2; k++) {
        const a = 3 * i + k;
        indices.push(a, a + 1, a + 3, a + 1, a + 4, a + 3);
      }
    target.createBody({
      type: 'static',
      position: [0.5, 0, 5.5],
      shape: mesh({ vertices: ridge, indices }),
    });
    // The lighthouse, whose own rays begin above it.
    target.createBody({
      type: 'static',
      position: [0, 0.5, 0],
      shape: { type: 'cone', radius: 0.5, halfHeight: 0.5 },
    });

    const random = createRandom(77);
    for (let i = 0; i < 42; i++) {
      const [c, s] = circle(i, 42);
      const r = between(random, 2.2, 7);
      const size = between(random, 0.3, 0.55);
      const points = Array.from({ length: 36 }, () => between(random, -size, size));
      target.createBody({
        position: [r * c, 1 + between(random, 0, 1.5), r * s],
        rotation: rotation(random),
        userIndex: i,
        shape: [
          { type: 'box', halfExtents: [size, size, size] } as const,
          { type: 'sphere', radius: size } as const,
          { type: 'capsule', radius: size / 2, halfHeight: size } as const,
          { type: 'cylinder', radius: size, halfHeight: size } as const,
          { type: 'cone', radius: size, halfHeight: size } as const,
          { type: 'hull', points } as const,
          multiSphere([
            { position: [-size / 2, 0, 0], radius: size / 2 },
            { position: [size / 2, 0, 0], radius: size },
          ]),
        ][i % 7]!,
      });
    }
  },
  ask(time) {
    const at = Math.floor(120 * time);
    const list: Query<never>[] = [];
    for (let i = 0; i < RAYS; i++) {
      const [c, s] = circle(at + (i * TURN) / (2 * RAYS), TURN);
      list.push({ type: 'ray', from: [0, 1.15, 0], to: [REACH * c, 0.25, REACH * s] });
    }
    const [c, s] = circle(3 * at, TURN);
    const [u, v] = circle(2 * at + 700, TURN);
    list.push(
      { type: 'sweep', target: { shape: CRATE, position: [4.5 * u, 4, 4.5 * v] }, delta: [0, -4.5, 0] },
      { type: 'sweep', target: { shape: BALL, position: [-7, 0.8, 3.2 * s] }, delta: [14, 0, 0] },
      {
        type: 'nearest',
        target: { shape: PROBE, position: [3.4 * c, 2.4, 3.4 * s] },
        mode: 'all',
        maxDistance: 3.2,
        maxHits: 6,
      },
      { type: 'overlap', target: { shape: ZONE, position: [-4.6 * c, 0.8, -4.6 * s] } },
    );
    return list;
  },
};
