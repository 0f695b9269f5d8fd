// Distances, overlaps and sweeps against meshes and heightfields, checked by brute force over all triangles in
// f64. In: random shapes near random surfaces. Out: the least distance of all, the sign of it for overlaps, and for
// sweeps that nothing is met before and something there.
import { describe, expect, test } from 'vitest';
import { type ShapeOptions, World } from '../../src';
import { add, length, random, scale, sub, type Vec3 } from '../physics/support/vector';
import { type Convex, convexOf, leastOverlap, overlap } from '../reference/support';
import { type Placed, sizeOf } from './support/narrowphase';
import {
  between,
  near,
  onTriangle,
  randomField,
  randomMesh,
  segmentDistance,
  type Triangle,
  triangleSolid,
} from './support/randomSurfaces';

const SOAK = process.env['SOAK'] === '1';
const CASES = SOAK ? 400 : 20;
/** m, on sizes of about one. */
const TOLERANCE = 2e-5;

function optionsOf({ kind, params, hull }: Placed): ShapeOptions {
  const [p0, p1, p2] = params as Vec3;
  if (kind === 'sphere') return { type: 'sphere', radius: p0 };
  if (kind === 'box') return { type: 'box', halfExtents: [p0, p1, p2] };
  if (kind === 'hull') return { type: 'hull', points: hull!.vertices };
  return { type: kind as 'capsule' | 'cylinder' | 'cone', radius: p0, halfHeight: p1 };
}

/** Distance of the middles, less the sizes: below what the solids are apart. */
function atLeast(placed: Placed, t: Triangle): number {
  return length(sub(placed.position, onTriangle(placed.position, t))) - motionBoundOf(placed);
}
const motionBoundOf = (placed: Placed) => (placed.kind === 'capsule' ? 1 : 1.0001) * sizeOf(placed);

/** Signed distance of a shape and a triangle. */
function signed(placed: Placed, solid: Convex, t: Triangle): number {
  if (placed.kind === 'sphere')
    return length(sub(placed.position, onTriangle(placed.position, t))) - placed.params[0]!;
  if (placed.kind === 'capsule') {
    const axis = capsuleAxis(placed);
    const d = segmentDistance(add(placed.position, axis), sub(placed.position, axis), t);
    if (d > 1e-3) return d - placed.params[0]!;
  }
  if (placed.kind === 'box' || placed.kind === 'cylinder') {
    const d = leastOutside(solid, t);
    if (d > 1e-6) return d;
  }
  return -leastOverlap({ ...solid, round: true }, triangleSolid(t));
}

/** The least of a convex function over a triangle by nested ternary search; distance to a box or cylinder is one. */
function leastOutside(solid: Convex, [a, b, c]: Triangle): number {
  const search = (f: (s: number) => number): number => {
    let [low, high] = [0, 1];
    for (let i = 0; i < 50; i++) {
      const [s, r] = [low + (high - low) / 3, high - (high - low) / 3];
      if (f(s) < f(r)) high = r;
      else low = s;
    }
    return Math.min(f(low), f(0), f(1));
  };
  const [ab, ac] = [sub(b, a), sub(c, a)];
  return search((s) => {
    const [p, q] = [add(a, scale(ab, s)), add(a, scale(ac, s))];
    return search((r) => solid.outside(add(p, scale(sub(q, p), r))));
  });
}

function capsuleAxis(placed: Placed): Vec3 {
  const up = convexOf({ ...placed, position: [0, 0, 0] }).edges[0]!;
  return scale(up, placed.params[1]!);
}

/** Whether they overlap: exhaustive for polytopes, where the signed distance is not needed. */
function overlaps(placed: Placed, solid: Convex, t: Triangle, slack: number): boolean {
  if (atLeast(placed, t) > 0) return false;
  const depth = solid.round ? -signed(placed, solid, t) : leastOverlap(solid, triangleSolid(t));
  return depth > slack;
}

const moved = (placed: Placed, v: Vec3): Placed => ({ ...placed, position: add(placed.position, v) });

describe.each([
  ['a mesh', randomMesh],
  ['a heightfield', randomField],
] as const)('%s', (_, make) => {
  test.each(['sphere', 'capsule', 'box', 'hull', 'cylinder', 'cone'] as const)(
    `nearest points and overlaps of a %s (seed 45, ${CASES} cases)`,
    (kind) => {
      const next = random(45);
      let worst = 0;
      let found = 0;
      for (let i = 0; i < CASES; i++) {
        const surface = make(next);
        const placed = near(kind, surface, next, 1);
        const solid = convexOf(placed);
        const world = new World();
        world.createBody({ type: 'static', shape: surface.shape });
        const target = { shape: optionsOf(placed), position: placed.position, rotation: placed.rotation };
        let truth = Number.POSITIVE_INFINITY;
        const order = surface.triangles.map((t, index) => ({ t, index, least: atLeast(placed, t) }));
        order.sort((p, q) => p.least - q.least);
        for (const { t, least } of order) {
          if (least > Math.max(truth, 0)) break;
          truth = Math.min(truth, signed(placed, solid, t));
        }
        const hit = world.nearestTest(target, { maxDistance: 50 });
        if (truth > 50) continue;
        found++;
        if (truth > TOLERANCE) expect(world.overlapShapeTest(target), `case ${i}`).toEqual([]);
        if (truth < -TOLERANCE) expect(world.overlapShapeTest(target), `case ${i}`).toHaveLength(1);
        const t = surface.triangles[hit!.triangle]!;
        if (truth > 0) {
          // The search over directions finds less than the distance of hulls and cones, by its own error.
          const searched = kind === 'hull' || kind === 'cone' ? 5e-4 : 0;
          worst = Math.max(worst, Math.abs(hit!.distance - truth));
          expect(hit!.distance, `case ${i} for ${truth}`).toBeGreaterThan(truth - TOLERANCE);
          expect(hit!.distance, `case ${i} for ${truth}`).toBeLessThan(truth + TOLERANCE + searched);
          // The normal parts the two that far, so they are no nearer.
          expect(overlap(solid, triangleSolid(t), hit!.normal) + hit!.distance).toBeLessThan(TOLERANCE);
          // Both points where they are said to be.
          expect(length(sub(hit!.pointB, onTriangle(hit!.pointB, t))), `case ${i}`).toBeLessThan(TOLERANCE);
          expect(solid.outside(hit!.pointA), `case ${i}`).toBeLessThan(TOLERANCE);
          expect(Math.abs(length(sub(hit!.pointA, hit!.pointB)) - hit!.distance)).toBeLessThan(TOLERANCE);
        } else if (truth < -TOLERANCE) {
          // As deep as the deepest at least, and a way out of the triangle named.
          expect(hit!.distance, `case ${i} for ${truth}`).toBeLessThan(
            truth + TOLERANCE + 1e-4 * sizeOf(placed),
          );
          const depth = overlap(solid, triangleSolid(t), hit!.normal);
          expect(depth + hit!.distance, `case ${i} for ${truth}`).toBeLessThan(TOLERANCE);
        }
      }
      expect(found).toBeGreaterThan(CASES / 2);
      console.log(`${kind}: ${found} distances, worst error ${worst.toExponential(2)} m`);
    },
  );

  test.each(['sphere', 'capsule', 'box', 'hull', 'cylinder'] as const)(
    `a %s swept meets nothing before it is said to, and something then (seed 46, ${CASES} cases)`,
    (kind) => {
      const next = random(46);
      let hits = 0;
      const rounds = kind === 'cylinder' ? CASES / 4 : CASES;
      for (let i = 0; i < rounds; i++) {
        const surface = make(next);
        const placed = near(kind, surface, next, 1);
        const away = scale(sub(placed.position, [0, 0, 0]), 2);
        placed.position = placed.position.map((c, k) => Math.fround(c + away[k]!)) as Vec3;
        const solidAt = (v: Vec3) => convexOf(moved(placed, v));
        const delta = placed.position.map((c) =>
          Math.fround(-c * between(next, 1, 2) + between(next, -0.5, 0.5)),
        ) as Vec3;
        const world = new World();
        world.createBody({ type: 'static', shape: surface.shape });
        const target = { shape: optionsOf(placed), position: placed.position, rotation: placed.rotation };
        const hit = world.convexSweepTest(target, delta);
        const last = hit?.fraction ?? 1;
        if (last === 0) continue;
        // Sinking by less than a hundred-thousandth of the size is touching.
        const slack = TOLERANCE + 2e-5 * sizeOf(placed);
        for (let k = 1; k <= 12; k++) {
          const at = scale(delta, (last * k) / 12);
          for (const t of surface.triangles)
            expect(overlaps(moved(placed, at), solidAt(at), t, slack), `case ${i}, ${k}/12 of ${last}`).toBe(
              false,
            );
        }
        if (hit === null) continue;
        hits++;
        const at = scale(delta, last);
        const t = surface.triangles[hit.triangle]!;
        expect(signed(moved(placed, at), solidAt(at), t), `case ${i}`).toBeLessThan(slack);
        expect(length(sub(hit.point, onTriangle(hit.point, t))), `case ${i}`).toBeLessThan(slack);
        expect(length(hit.normal)).toBeCloseTo(1, 5);
      }
      expect(hits).toBeGreaterThan(rounds / 4);
      console.log(`${kind}: ${hits} of ${rounds} sweeps hit`);
    },
  );
});
