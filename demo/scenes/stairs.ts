// A flight of stairs and two ramps of triangles, one smooth and one with a kerb: what tumbles, slides and rolls
// down them must not catch on edges that are none, and must catch on those that are.
import { mesh } from 'ricochet/cooking';
import { between, createRandom, rotation } from './random';
import { createGround, type Scene } from './scene';

const STEPS = 14;
const RISE = 0.3;
const TREAD = 0.5;
const HALF_WIDTH = 2;
const HEIGHT = STEPS * RISE;
const LENGTH = STEPS * TREAD;

interface Triangles {
  vertices: number[];
  indices: number[];
}

function quad({ vertices, indices }: Triangles, ...corners: [number, number, number][]): void {
  const first = vertices.length / 3;
  vertices.push(...corners.flat());
  indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
}

/** A platform at the top, then down along +z. `profile` gives y at each z of a strip; strips are cut into quads. */
function flight(x: number, profile: readonly (readonly [y: number, z: number])[]): Triangles {
  const triangles: Triangles = { vertices: [], indices: [] };
  const [left, right] = [x - HALF_WIDTH, x + HALF_WIDTH];
  const across = 4;
  for (let i = 0; i + 1 < profile.length; i++) {
    const [[y0, z0], [y1, z1]] = [profile[i]!, profile[i + 1]!];
    for (let k = 0; k < across; k++) {
      const [a, b] = [left + ((right - left) * k) / across, left + ((right - left) * (k + 1)) / across];
      quad(triangles, [a, y0, z0], [a, y1, z1], [b, y1, z1], [b, y0, z0]);
    }
  }
  for (const side of [left, right])
    for (let i = 0; i + 1 < profile.length; i++) {
      const [[y0, z0], [y1, z1]] = [profile[i]!, profile[i + 1]!];
      if (z1 > z0) quad(triangles, [side, 0, z0], [side, 0, z1], [side, y1, z1], [side, y0, z0]);
    }
  return triangles;
}

const PLATFORM = [HEIGHT, -2.5] as const;

export const stairs: Scene = {
  id: 'stairs',
  title: 'Stairs',
  description: 'Stairs and ramps of triangles; things tumble, slide and roll down.',
  camera: { position: [8.5, 8.2, 17.5], target: [0.6, 1.2, 3.4] },
  build(target) {
    createGround(target);
    const steps: [number, number][] = [[PLATFORM[0], PLATFORM[1]]];
    for (let i = 0; i < STEPS; i++)
      steps.push([HEIGHT - i * RISE, i * TREAD], [HEIGHT - (i + 1) * RISE, i * TREAD]);
    const ramp: [number, number][] = [[PLATFORM[0], PLATFORM[1]]];
    for (let i = 0; i <= 2 * STEPS; i++)
      ramp.push([HEIGHT * (1 - i / (2 * STEPS)), (LENGTH * i) / (2 * STEPS)]);
    // The same ramp, flat for a while half-way down, with a kerb of 6 cm.
    const kerb: [number, number][] = [PLATFORM as [number, number], [HEIGHT, 0], [HEIGHT / 2, LENGTH / 2]];
    kerb.push([HEIGHT / 2, LENGTH / 2 + 1], [HEIGHT / 2 + 0.06, LENGTH / 2 + 1]);
    kerb.push([HEIGHT / 2 + 0.06, LENGTH / 2 + 1.3], [0, LENGTH + 1]);
    for (const [triangles, friction] of [
      [flight(-4.4, steps), 0.5],
      [flight(0, ramp), 0.3],
      [flight(4.4, kerb), 0.3],
    ] as const)
      target.createBody({ type: 'static', shape: mesh({ ...triangles, friction }) });

    const random = createRandom(14);
    for (let lane = 0; lane < 3; lane++)
      for (let i = 0; i < 24; i++) {
        const common = {
          position: [
            (lane - 1) * 4.4 + between(random, -1.2, 1.2),
            HEIGHT + 0.6 + 0.7 * Math.floor(i / 3),
            -1.9 + 0.7 * (i % 3),
          ],
          linearVelocity: [0, 0, between(random, 2, 3.5)],
          rotation: rotation(random),
          userIndex: 24 * lane + i,
        };
        const s = between(random, 0.7, 1);
        const kind = i % 6;
        target.createBody({
          ...common,
          shape:
            kind === 0
              ? { type: 'box', halfExtents: [0.25 * s, 0.25 * s, 0.25 * s] }
              : kind === 1
                ? { type: 'sphere', radius: 0.28 * s }
                : kind === 2
                  ? { type: 'cylinder', radius: 0.28 * s, halfHeight: 0.22 * s, axis: 'x' }
                  : kind === 3
                    ? { type: 'capsule', radius: 0.18 * s, halfHeight: 0.2 * s }
                    : kind === 4
                      ? { type: 'cone', radius: 0.3 * s, halfHeight: 0.3 * s }
                      : { type: 'box', halfExtents: [0.4 * s, 0.08, 0.2 * s] },
        });
      }
  },
};
