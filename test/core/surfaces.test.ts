// Contacts with meshes and heightfields against the truth in f64, all triangles by brute force. In: random shapes
// near random surfaces. Out: what touches is found, what is apart is not, points lie on both, balls and capsules to the
// last digits; rays hit what a loop over all triangles hits.
import { beforeAll, describe, expect, test } from 'vitest';
import { heightfield, mesh, type ShapeOptions, World } from '../../src';
import type { Geometry } from '../../src/geometries';
import { add, cross, dot, length, random, rotate, scale, sub, type Vec3 } from '../physics/support/vector';
import { type Convex, convexOf, leastOverlap } from '../reference/support';
import { type Kind, type Placed, randomShape, rounded } from './support/narrowphase';
import { createSurfaces } from './support/surfaces';

const SOAK = process.env['SOAK'] === '1';
const CASES = SOAK ? 1000 : 60;
/** m; contacts are looked for this far away. */
const REACH = 0.1;
/** m, on sizes of about one. */
const TOLERANCE = 2e-5;

type Triangle = [Vec3, Vec3, Vec3];

/** The point of a segment nearest to p. */
function onSegment(p: Vec3, a: Vec3, b: Vec3): Vec3 {
  const u = sub(b, a);
  const t = dot(sub(p, a), u) / dot(u, u);
  return add(a, scale(u, Math.min(1, Math.max(0, t))));
}

function normalOf([a, b, c]: Triangle): Vec3 {
  const n = cross(sub(b, a), sub(c, a));
  return scale(n, 1 / length(n));
}

/** The point of a triangle nearest to p: its plane where that lies inside, else the nearest of its sides. */
function onTriangle(p: Vec3, t: Triangle): Vec3 {
  const n = normalOf(t);
  const q = sub(p, scale(n, dot(n, sub(p, t[0]))));
  const inside = t.every((v, i) => dot(n, cross(sub(t[(i + 1) % 3]!, v), sub(q, v))) >= 0);
  if (inside) return q;
  const sides = t.map((v, i) => onSegment(p, v, t[(i + 1) % 3]!));
  return sides.reduce((best, s) => (length(sub(p, s)) < length(sub(p, best)) ? s : best));
}

/** Distance of a segment and a triangle by ternary search: the distance to a convex set is convex along a line. */
function segmentDistance(a: Vec3, b: Vec3, t: Triangle): number {
  let [from, to] = [0, 1];
  const at = (s: number) => {
    const p = add(a, scale(sub(b, a), s));
    return length(sub(p, onTriangle(p, t)));
  };
  for (let i = 0; i < 100; i++) {
    const [s, r] = [from + (to - from) / 3, to - (to - from) / 3];
    if (at(s) < at(r)) to = r;
    else from = s;
  }
  return Math.min(at(from), at(0), at(1));
}

function triangleSolid(t: Triangle): Convex {
  const n = normalOf(t);
  const edges = t.map((v, i) => sub(t[(i + 1) % 3]!, v));
  return {
    reach: (d) => Math.max(...t.map((v) => dot(v, d))),
    outside: (p) => length(sub(p, onTriangle(p, t))),
    normals: [n, ...edges.map((e) => cross(e, n))],
    edges,
    round: false,
  };
}

interface Surface {
  shape: ShapeOptions;
  triangles: Triangle[];
}

const between = (next: () => number, low: number, high: number) => low + (high - low) * next();

/** A patch of hills, cliffs and ridges, its corners moved about; or one triangle; or a scaled, mirrored one. */
function randomMesh(next: () => number): Surface {
  const n = 1 + Math.floor(4 * next());
  const cell = between(next, 0.2, 1);
  const steep = between(next, 0, 1.2) * cell;
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++)
    for (let i = 0; i <= n; i++)
      vertices.push(
        (i - n / 2 + 0.3 * next()) * cell,
        (2 * next() - 1) * steep,
        (j - n / 2 + 0.3 * next()) * cell,
      );
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  const scaling: Vec3 = [next() < 0.3 ? -1.25 : 1, between(next, 0.5, 1.5), next() < 0.3 ? -1 : 1].map(
    Math.fround,
  ) as Vec3;
  const corner = (i: number) => [0, 1, 2].map((k) => Math.fround(vertices[3 * i + k]!) * scaling[k]!) as Vec3;
  const triangles = Array.from(
    { length: indices.length / 3 },
    (_, t) => [0, 1, 2].map((k) => corner(indices[3 * t + k]!)) as Triangle,
  );
  return { shape: { ...mesh({ vertices, indices }), scale: scaling }, triangles };
}

const UPS = ['x', 'y', 'z'] as const;

function randomField(next: () => number): Surface {
  const rows = 2 + Math.floor(4 * next());
  const columns = 2 + Math.floor(4 * next());
  const spacing: [number, number] = [Math.fround(between(next, 0.2, 1)), Math.fround(between(next, 0.2, 1))];
  const heights = Float32Array.from({ length: rows * columns }, () => 0.4 * next());
  const flipped = Array.from({ length: (rows - 1) * (columns - 1) }, () => next() < 0.5);
  const holes = flipped.map(() => next() < 0.15);
  const upAxis = UPS[Math.floor(3 * next())]!;
  const point = (r: number, c: number): Vec3 => {
    const x = (c - (columns - 1) / 2) * spacing[0];
    const z = (r - (rows - 1) / 2) * spacing[1];
    const h = heights[r * columns + c]!;
    return upAxis === 'x' ? [h, x, z] : upAxis === 'y' ? [x, h, z] : [x, z, h];
  };
  const triangles: Triangle[] = [];
  const nothing: Triangle = [
    [1e6, 0, 0],
    [1e6, 1, 0],
    [1e6, 0, 1],
  ];
  for (let r = 0; r < rows - 1; r++)
    for (let c = 0; c < columns - 1; c++) {
      const [a, b, d, e] = [point(r, c), point(r, c + 1), point(r + 1, c), point(r + 1, c + 1)];
      const cell = r * (columns - 1) + c;
      if (holes[cell]) triangles.push(nothing, nothing);
      else if (flipped[cell]) triangles.push([a, d, e], [a, e, b]);
      else triangles.push([a, d, b], [b, d, e]);
    }
  return { shape: heightfield({ rows, columns, heights, spacing, upAxis, flipped, holes }), triangles };
}

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

/** A shape whose surface is about `gap` from a random triangle. */
function near(kind: Kind, { triangles }: Surface, next: () => number): Placed {
  const placed = randomShape(kind, 0.6, next);
  const real = triangles.filter((t) => t[0][0] < 1e5);
  const t = real[Math.floor(next() * real.length)];
  if (t === undefined) return rounded(placed);
  let [u, v] = [next(), next()];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  const on = add(add(scale(t[0], 1 - u - v), scale(t[1], u)), scale(t[2], v));
  const n = scale(normalOf(t), next() < 0.5 ? 1 : -1);
  const reach = convexOf({ ...placed, position: [0, 0, 0] }).reach(scale(n, -1));
  const gap = between(next, -0.1 * reach, REACH);
  placed.position = add(on, scale(n, reach + gap));
  return rounded(placed);
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
      const placed = near(i % 2 ? 'capsule' : 'sphere', surface, next);
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

  test.each(['box', 'hull', 'cylinder', 'cone'] as const)(
    `a %s that overlaps a triangle touches, and every point lies on both (seed 43, ${CASES} cases)`,
    (kind) => {
      const next = random(43);
      let overlaps = 0;
      let worst = 0;
      for (let i = 0; i < CASES; i++) {
        const surface = make(next);
        const placed = near(kind, surface, next);
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

/** −1 where the front of a surface is the clockwise side of the triangles above. */
function mirrorOf(shape: ShapeOptions): number {
  if (shape.type === 'mesh') {
    const [x, y, z] = (shape.scale ?? [1, 1, 1]) as Vec3;
    return Math.sign(x * y * z);
  }
  // The upper side: of a field along x or z the corners above go the other way round.
  return (shape as { geometry: { words: Int32Array } }).geometry.words[3] === 1 ? 1 : -1;
}
