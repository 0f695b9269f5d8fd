// Contacts with meshes and heightfields against the truth in f64, all triangles by brute force. In: random shapes
// near random surfaces. Out: what touches is found, what is apart is not, points lie on both, balls and capsules to the
// last digits; rays hit what a loop over all triangles hits.
import { beforeAll, describe, expect, test } from 'vitest';
import { World } from '../../src';
import type { Geometry } from '../../src/cooking/geometries';
import { add, cross, dot, length, random, rotate, scale, sub, type Vec3 } from '../physics/support/vector';
import { convexOf, leastOverlap } from '../reference/support';
import type { Placed } from './support/narrowphase';
import {
  between,
  mirrorOf,
  near,
  normalOf,
  onTriangle,
  randomField,
  randomMesh,
  type Surface,
  segmentDistance,
  triangleSolid,
} from './support/randomSurfaces';
import { createSurfaces } from './support/surfaces';

const SOAK = process.env['SOAK'] === '1';
const CASES = SOAK ? 1000 : 60;
/** m; contacts are looked for this far away. */
const REACH = 0.1;
/** m, on sizes of about one. */
const TOLERANCE = 2e-5;

let collide: Awaited<ReturnType<typeof createSurfaces>>;
beforeAll(async () => {
  collide = await createSurfaces();
});

function contacts({ shape }: Surface, placed: Placed) {
  const { geometry, scale: scaling } = shape as { geometry: Geometry; scale?: Vec3 };
  return collide(placed, geometry, scaling ?? [1, 1, 1], REACH).flatMap(({ normal, points, separations }) =>
    points.map((position, i) => ({ normal, position, separation: separations[i]! })),
  );
}

describe.each([
  ['a mesh', randomMesh],
  ['a heightfield', randomField],
] as const)('%s', (_, make) => {
  test(`balls and capsules are as far as the nearest triangle (seed 42, ${CASES} cases)`, () => {
    const next = random(42);
    let worst = 0;
    let touching = 0;
    for (let i = 0; i < 2 * CASES; i++) {
      const surface = make(next);
      const placed = near(i % 2 ? 'capsule' : 'sphere', surface, next, REACH);
      const radius = placed.params[0]!;
      const half = i % 2 ? placed.params[1]! : 0;
      const axis = rotate(placed.rotation, [0, half, 0]);
      const [a, b] = [add(placed.position, axis), sub(placed.position, axis)];
      const distance = Math.min(...surface.triangles.map((t) => segmentDistance(a, b, t)));
      if (distance < 0.02 * radius) continue; // the core itself is cut: which way out is a matter of taste
      const truth = distance - radius;
      const found = Math.min(...contacts(surface, placed).map(({ separation }) => separation));
      if (truth > REACH + TOLERANCE) {
        expect(found, `case ${i}`).toBe(Number.POSITIVE_INFINITY);
      } else if (truth < REACH - TOLERANCE) {
        touching++;
        worst = Math.max(worst, Math.abs(found - truth));
        expect(Math.abs(found - truth), `case ${i}: ${found} for ${truth}`).toBeLessThan(TOLERANCE);
      }
    }
    expect(touching).toBeGreaterThan(CASES / 4);
    console.log(`${touching} contacts, worst error ${worst.toExponential(2)} m`);
  });

  test.each([
    ['box', 0],
    ['hull', 24],
    ['hull', 64],
    ['cylinder', 0],
    ['cone', 0],
  ] as const)(
    `a %s of up to %i corners that overlaps a triangle touches, and every point lies on both (seed 43, ${CASES} cases)`,
    (kind, corners) => {
      const next = random(43);
      let overlaps = 0;
      let worst = 0;
      for (let i = 0; i < CASES; i++) {
        const surface = make(next);
        const placed = near(kind, surface, next, REACH, corners);
        const solid = convexOf(placed);
        const depth = Math.max(
          ...surface.triangles.map((t) =>
            length(sub(t[0], placed.position)) > 10 ? -1 : leastOverlap(solid, triangleSolid(t)),
          ),
        );
        const points = contacts(surface, placed);
        if (depth > 1e-3) {
          overlaps++;
          expect(points.length, `case ${i}, ${depth} deep`).toBeGreaterThan(0);
          const deepest = Math.min(...points.map(({ separation }) => separation));
          expect(deepest, `case ${i}, ${depth} deep`).toBeLessThan(TOLERANCE);
        }
        for (const { position, separation } of points) {
          // Midway between the surfaces: half the separation from each, along a unit normal.
          const half = Math.abs(separation) / 2;
          const off = Math.min(
            ...surface.triangles.map((t) => length(sub(position, onTriangle(position, t)))),
          );
          const error = Math.max(off - half, solid.outside(position) - half);
          worst = Math.max(worst, error);
          expect(error, `case ${i}`).toBeLessThan(kind === 'box' || kind === 'hull' ? TOLERANCE : 2e-3);
        }
      }
      expect(overlaps).toBeGreaterThan(CASES / 10);
      console.log(`${kind}: ${overlaps} overlaps, points off by at most ${worst.toExponential(2)} m`);
    },
  );

  test(`rays hit what a loop over all triangles hits (seed 44, ${10 * CASES} rays)`, () => {
    const next = random(44);
    let hits = 0;
    for (let i = 0; i < CASES / 4; i++) {
      const { shape, triangles } = make(next);
      const world = new World();
      world.createBody({ type: 'static', shape });
      for (let k = 0; k < 40; k++) {
        const from = [0, 0, 0].map(() => Math.fround(between(next, -3, 3))) as Vec3;
        const to = [0, 0, 0].map((_, axis) =>
          Math.fround(k % 3 ? between(next, -1, 1) * 0.6 - 0.3 * from[axis]! : from[axis]!),
        ) as Vec3;
        if (k % 3 === 0) to[k % 9 === 0 ? 0 : k % 9 === 3 ? 1 : 2]! *= -1; // along an axis
        const delta = sub(to, from).map(Math.fround) as Vec3;
        if (length(delta) < 1e-3) continue;
        let [best, which] = [2, -1];
        let grazing = false;
        triangles.forEach((t, index) => {
          const n = normalOf(t);
          const fall = dot(n, delta);
          if (Math.abs(fall) < 1e-9) return;
          const at = dot(n, sub(t[0], from)) / fall;
          const p = add(from, scale(delta, at));
          const side = Math.min(...t.map((v, j) => dot(n, cross(sub(t[(j + 1) % 3]!, v), sub(p, v)))));
          if (Math.abs(side) < 1e-6 || Math.abs(at) < 1e-6 || Math.abs(at - 1) < 1e-6) grazing = true;
          if (side >= 0 && at >= 0 && at <= 1 && at < best) [best, which] = [at, index];
        });
        if (grazing) continue;
        const hit = world.rayTest(from, to);
        const found = hit === null || Array.isArray(hit) ? undefined : hit;
        expect(found?.triangle ?? -1, `surface ${i}, ray ${k}`).toBe(which);
        if (which < 0) continue;
        hits++;
        expect(Math.abs(found!.fraction - best)).toBeLessThan(1e-6);
        const n = normalOf(triangles[which]!);
        expect(Math.abs(dot(n, [...found!.normal] as Vec3))).toBeGreaterThan(0.99999);
        expect(dot([...found!.normal] as Vec3, delta)).toBeLessThan(0);
        const front = world.rayTest(from, to, { backFaces: false });
        const seen = front === null || Array.isArray(front) ? -1 : front.triangle;
        if (dot(n, delta) * mirrorOf(shape) < 0) expect(seen).toBe(which);
        else expect(seen).not.toBe(which);
      }
    }
    expect(hits).toBeGreaterThan(CASES / 2);
  });
});
