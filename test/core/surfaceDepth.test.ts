// Convex shapes deep in meshes and heightfields, against the truth in f64 by brute force. In: random shapes at random
// poses, as deep as their middle. Out: what overlaps a triangle has a contact, one of its contacts pushes it to the
// side of that triangle where its middle is, and steps bring it out there.
import { beforeAll, describe, expect, test } from 'vitest';
import { multiSphere, type ShapeOptions, World } from '../../src';
import type { Geometry } from '../../src/cooking/geometries';
import {
  add,
  conjugate,
  cross,
  dot,
  length,
  type Quat,
  random,
  rotate,
  scale,
  sub,
  type Vec3,
} from '../physics/support/vector';
import type { Placed } from './support/narrowphase';
import {
  mirrorOf,
  near,
  normalOf,
  randomField,
  randomMesh,
  type Surface,
  type Triangle,
} from './support/randomSurfaces';
import { createSurfaces, type SurfaceManifold } from './support/surfaces';

const SOAK = process.env['SOAK'] === '1';
const CASES = Number(process.env['CASES'] ?? (SOAK ? 10_000 : 100));
const RUNS = Math.ceil(CASES / 10);
/** Added to the seeds: parts of a long soak. One row of one surface at a time: vitest -t. */
const PART = Number(process.env['PART'] ?? 0);
/** Friction rightly holds a wedge between two slopes: FRICTION=0 shows what else is held. */
const FRICTION = process.env['FRICTION'] ? { friction: Number(process.env['FRICTION']) } : {};
const REACH = 0.02;
/** m: a triangle that comes this far inside the shape overlaps it for certain. */
const INSIDE = 1e-3;

/** How deep a point lies in the solid, from within exact or less; negative outside. Point in the shape's frame. */
function depthIn({ kind, params, hull, points }: Placed, p: Vec3): number {
  const [p0, p1, p2] = params as Vec3;
  const across = Math.hypot(p[0], p[2]);
  switch (kind) {
    case 'sphere':
      return p0 - length(p);
    case 'capsule':
      return p0 - Math.hypot(p[0], Math.max(0, Math.abs(p[1]) - p1), p[2]);
    case 'box':
      return Math.min(p0 - Math.abs(p[0]), p1 - Math.abs(p[1]), p2 - Math.abs(p[2]));
    case 'cylinder':
      return Math.min(p0 - across, p1 - Math.abs(p[1]));
    case 'cone':
      return Math.min(p1 + p[1], (p0 * (p1 - p[1]) - 2 * p1 * across) / Math.hypot(p0, 2 * p1));
    case 'multisphere': {
      // Of the balls between any two of its balls the one that holds the point best.
      let best = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < points!.length; i += 4)
        for (let j = 0; j <= i; j += 4) {
          const u = [0, 1, 2].map((at) => points![j + at]! - points![i + at]!) as Vec3;
          const q = sub(p, points!.slice(i, i + 3) as Vec3);
          const l = length(u);
          const grows = l > 0 ? (points![j + 3]! - points![i + 3]!) / l : 0;
          const along = l > 0 ? dot(q, u) / l : 0;
          const off = Math.sqrt(Math.max(0, dot(q, q) - along * along));
          const at = Math.abs(grows) < 1 ? along + (off * grows) / Math.sqrt(1 - grows * grows) : grows * 1e9;
          const t = Math.min(l, Math.max(0, at));
          best = Math.max(best, points![i + 3]! + t * grows - Math.hypot(off, along - t));
        }
      return best;
    }
    default: {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < hull!.planes.length; i += 4)
        least = Math.min(
          least,
          hull!.planes[i + 3]! -
            hull!.planes[i]! * p[0] -
            hull!.planes[i + 1]! * p[1] -
            hull!.planes[i + 2]! * p[2],
        );
      return least;
    }
  }
}

/** The depth of the point of a triangle that is deepest in the solid: concave over the triangle. */
function deepest(placed: Placed, triangle: Triangle): number {
  const turn = conjugate(scaled(placed.rotation));
  const [a, b, c] = triangle.map((v) => rotate(turn, sub(v, placed.position))) as Triangle;
  const most = (f: (t: number) => number): number => {
    let [low, high] = [0, 1];
    for (let i = 0; i < 22; i++) {
      const [s, r] = [low + (high - low) / 3, high - (high - low) / 3];
      if (f(s) > f(r)) high = r;
      else low = s;
    }
    return Math.max(f((low + high) / 2), f(0), f(1));
  };
  const mix = (u: Vec3, v: Vec3, t: number): Vec3 => [
    u[0] + t * (v[0] - u[0]),
    u[1] + t * (v[1] - u[1]),
    u[2] + t * (v[2] - u[2]),
  ];
  return most((s) => {
    const [p, q] = [mix(a, b, s), mix(a, c, s)];
    return most((t) => depthIn(placed, mix(p, q, t)));
  });
}
const scaled = (q: Quat) => q.map((c) => c / Math.hypot(...q)) as Quat;

let collide: Awaited<ReturnType<typeof createSurfaces>>;
beforeAll(async () => {
  collide = await createSurfaces();
});

const KINDS = ['sphere', 'capsule', 'box', 'hull', 'cylinder', 'cone', 'multisphere'] as const;
const SURFACES: [string, boolean, (next: () => number) => Surface][] = [
  ['a mesh', false, randomMesh],
  ['a mesh of one side', true, (next) => randomMesh(next, true)],
  ['a heightfield', false, randomField],
];

/** The triangles that a shape overlaps for certain, their normals on the side where its middle is. */
function touched(placed: Placed, { shape, triangles }: Surface, oneSided: boolean) {
  const mirror = mirrorOf(shape);
  return triangles.flatMap((t) => {
    const n = scale(normalOf(t), mirror);
    const height = dot(n, sub(placed.position, t[0]));
    // A middle in the very plane is on neither side.
    if (Math.abs(height) > size(placed) || (oneSided ? height : Math.abs(height)) < 1e-4) return [];
    const depth = deepest(placed, t);
    return depth > INSIDE
      ? [{ n: scale(n, Math.sign(height)), depth, height: Math.abs(height), front: height > 0, t }]
      : [];
  });
}

describe.each(SURFACES)('%s', (_, oneSided, make) => {
  test.each(KINDS)(`%s deep in it (seed ${43 + PART}, ${CASES} cases)`, (kind) => {
    const next = random(43 + PART);
    let overlaps = 0;
    const missing: string[] = [];
    const wrong: string[] = [];
    for (let i = 0; i < CASES; i++) {
      const surface = make(next);
      const placed = near(kind, surface, next, 0, 24, 0.95);
      const { geometry, scale: scaling } = surface.shape as { geometry: Geometry; scale?: Vec3 };
      const deep = touched(placed, surface, oneSided);
      if (deep.length === 0) continue;
      overlaps++;
      const found = collide(placed, geometry, scaling ?? [1, 1, 1], REACH);
      const how = `case ${i}: ${(1e3 * Math.max(...deep.map(({ depth }) => depth))).toFixed(1)} mm of ${(1e3 * size(placed)).toFixed(0)}`;
      if (found.length === 0) missing.push(how);
      else if (!found.some((contact) => leaves(placed, deep, contact))) wrong.push(how);
    }
    console.log(
      `${kind}: ${overlaps} overlaps, ${missing.length} without a contact, ${wrong.length} pushed the wrong way`,
    );
    expect(overlaps).toBeGreaterThan(CASES / 4);
    expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
  });
});

describe.each(SURFACES)('%s, simulated', (name, oneSided, make) => {
  test.each(KINDS)(
    `%s deep in it comes out or goes on its way out (seed ${46 + PART}, ${RUNS} runs)`,
    (kind) => {
      const next = random(46 + PART);
      const world = new World({ gravity: [0, 0, 0] });
      let runs = 0;
      const stuck: string[] = [];
      const sunk: string[] = [];
      for (let i = 0; i < RUNS; i++) {
        const surface = make(next);
        const placed = near(kind, surface, next, 0, 24, 0.95);
        const before = touched(placed, surface, oneSided);
        // Where the middle, or the centre of mass of a cone, is about in the plane, either side is as good.
        const mass = add(
          placed.position,
          rotate(scaled(placed.rotation), [0, kind === 'cone' ? -placed.params[1]! / 2 : 0, 0]),
        );
        if (
          before.some(({ n, t, height }) => Math.min(height, dot(n, sub(mass, t[0]))) < 0.05 * size(placed))
        )
          continue;
        if (before.length === 0) continue;
        runs++;
        const ground = world.createBody({ type: 'static', shape: surface.shape });
        const { position, rotation } = placed;
        const shape = { ...optionsOf(placed), ...FRICTION } as ShapeOptions;
        const body = world.createBody({ shape, position, rotation, mass: 1 });
        // Out of the ground by its front is out, wherever the middle was.
        const held = before.filter(({ front }) => front || name !== 'a heightfield');
        const start = body.getPosition();
        for (let step = 0; step < 30; step++) {
          const from = [...body.getPosition()] as Vec3;
          world.step(1 / 60);
          if (held.some((triangle) => passes(from, [...body.getPosition()] as Vec3, triangle))) {
            sunk.push(`case ${i}, step ${step}`);
            break;
          }
        }
        const p = [...body.getPosition()] as Vec3;
        const there = { ...placed, position: p, rotation: [...body.getRotation()] as Quat };
        const after = touched(there, surface, oneSided);
        const deepestOf = (list: typeof before) => Math.max(0, ...list.map(({ depth }) => depth));
        const how = `case ${i}: ${(1e3 * deepestOf(before)).toFixed(0)} mm, then ${(1e3 * deepestOf(after)).toFixed(0)}`;
        if (
          deepestOf(after) > Math.max(5e-3, 0.5 * deepestOf(before)) &&
          length(sub(p, [...start] as Vec3)) < 0.05
        )
          stuck.push(how);
        world.removeBody(body);
        world.removeBody(ground);
      }
      console.log(`${kind}: ${runs} runs, ${stuck.length} stuck, ${sunk.length} sunk`);
      // In 800 runs up to 3 are stuck, with and without friction, and up to 19 boxes in a mesh go the shorter way, which is down.
      expect(stuck.length, stuck.join('; ')).toBeLessThanOrEqual(Math.max(1, 0.005 * runs));
      expect(sunk.length, sunk.join('; ')).toBeLessThanOrEqual(0.03 * runs);
    },
  );
});

/** Whether a middle goes through a triangle from the side where it was. */
function passes(from: Vec3, to: Vec3, { n, t }: { n: Vec3; t: Triangle }): boolean {
  const [h, g] = [from, to].map((p) => dot(n, sub(p, t[0]))) as [number, number];
  if (h < 0 || g >= 0) return false;
  const q = add(from, scale(sub(to, from), h / (h - g)));
  return t.every((v, k) => dot(normalOf(t), cross(sub(t[(k + 1) % 3]!, v), sub(q, v))) > 0);
}

function optionsOf({ kind, params, hull, points }: Placed): ShapeOptions {
  const [p0, p1, p2] = params as Vec3;
  if (kind === 'sphere') return { type: 'sphere', radius: p0 };
  if (kind === 'box') return { type: 'box', halfExtents: [p0, p1, p2] };
  if (kind === 'hull') return { type: 'hull', points: hull!.vertices };
  if (kind === 'multisphere') {
    const balls = Array.from({ length: points!.length / 4 }, (_, i) => points!.slice(4 * i, 4 * i + 4));
    return multiSphere(balls.map(([x, y, z, radius]) => ({ radius: radius!, position: [x!, y!, z!] })));
  }
  return { type: kind as 'capsule' | 'cylinder' | 'cone', radius: p0, halfHeight: p1 };
}

/** Whether a contact pushes the shape out to the side of its middle, or off a border: then past none of the surface. */
function leaves(
  placed: Placed,
  deep: ReturnType<typeof touched>,
  { normal, separations }: SurfaceManifold,
): boolean {
  const push = scale(normal, -1);
  if (deep.some(({ n }) => dot(push, n) > -1e-3)) return true;
  const way = 1.001 * -Math.min(...separations);
  const there = { ...placed, position: add(placed.position, scale(push, way)) };
  return (
    deep.every(({ n, height }) => height + dot(push, n) * way > 0) &&
    deep.some(({ t }) => deepest(there, t) < INSIDE)
  );
}

/** A bound of how far its surface is from its middle. */
function size({ params, hull, points }: Placed): number {
  if (hull !== undefined) return Math.max(...hull.vertices.map(Math.abs)) * Math.sqrt(3);
  if (points !== undefined) {
    let most = 0;
    for (let i = 0; i < points.length; i += 4)
      most = Math.max(most, Math.hypot(points[i]!, points[i + 1]!, points[i + 2]!) + points[i + 3]!);
    return most;
  }
  return params.reduce((sum, p) => sum + p, 0);
}
