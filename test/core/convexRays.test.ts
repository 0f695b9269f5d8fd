// Random rays at every convex shape, with and without margins, near and from ten thousand times the size. In: f32 rays.
// A hit is its own proof: the point lies on the shape, and the plane through it along the normal has all of the shape
// behind and the start before it, so that no earlier point can be one. Where the core reports none, a plane along
// the line passes the shape by, or the segment ends before it. SOAK=1: 10,000 rays each.
import { beforeAll, describe, expect, test } from 'vitest';
import { add, cross, dot, length, random, scale, sub, type Vec3 } from '../physics/support/vector';
import { Convex64 } from '../reference/convex64';
import {
  createNarrowphase,
  identity,
  type Kind,
  type Narrowphase,
  type Placed,
  type RayHit,
  randomShape,
  rounded,
  sizeOf,
  unitVector,
} from './support/narrowphase';

const SEED = 20261121;
const RAYS = process.env['SOAK'] === '1' ? 10_000 : 120;
/** Of the size; and of the way from the start, which a fraction in f32 tells no better. */
const EXACT = 5e-6;
const F32 = 1.2e-7;

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

const at = (from: Vec3, delta: Vec3, t: number) => add(from, scale(delta, t));

const unit = (v: Vec3) => scale(v, 1 / (length(v) || 1));

/** How far the whole line passes by: the best of the planes along it. Negative where it goes through, by how deep. */
function lineGap(solid: Convex64, from: Vec3, delta: Vec3): number {
  const u = unit(cross(delta, Math.abs(delta[0]) < 0.6 * length(delta) ? [1, 0, 0] : [0, 1, 0]));
  const v = unit(cross(delta, u));
  const o = sub(from, solid.place);
  const base = (n: Vec3) => solid.reach(...n) - dot(solid.place, n);
  const gap = (angle: number) => {
    const n = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    return dot(o, n) - base(n);
  };
  const STEPS = 180;
  const step = (2 * Math.PI) / STEPS;
  const gaps = Array.from({ length: STEPS }, (_, k) => gap(k * step));
  let most = Number.NEGATIVE_INFINITY;
  gaps.forEach((g, k) => {
    if (g < gaps[(k + 1) % STEPS]! || g < gaps[(k + STEPS - 1) % STEPS]!) return;
    let [angle, top] = [k * step, g];
    for (let s = step / 2; s > 1e-12; s /= 2)
      for (const a of [angle - s, angle + s]) {
        const there = gap(a);
        if (there > top) [angle, top] = [a, there];
      }
    most = Math.max(most, top);
  });
  return most;
}

const AROUND = Array.from({ length: 200 }, (_, i): Vec3 => {
  const [angle, y] = [2.39996 * i, (2 * i + 1) / 200 - 1];
  const r = Math.sqrt(1 - y * y);
  return [r * Math.cos(angle), y, r * Math.sin(angle)];
});

/** The least distance of the shape from the segment, 0 inside: convex along it. */
function leastDistance(solid: Convex64, from: Vec3, delta: Vec3): number {
  const fixed: Vec3[] = [...AROUND];
  for (let i = 0; i < solid.normals.length; i += 3)
    for (const sign of [1, -1]) fixed.push(scale([...solid.normals.slice(i, i + 3)] as Vec3, sign));
  const distance = (t: number) => {
    const p = at(from, delta, t);
    const height = (n: Vec3) => dot(p, n) - solid.reach(...n);
    const starts = [unit(sub(p, solid.place)), ...fixed].map((n) => ({ n, height: height(n) }));
    starts.sort((m, n) => n.height - m.height);
    return Math.max(...starts.slice(0, 3).map(({ n }) => solid.outside(p, n)));
  };
  let [low, high] = [0, 1];
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 50 && least > 0; k++) {
    const [t1, t2] = [low + (high - low) / 3, high - (high - low) / 3];
    const [d1, d2] = [distance(t1), distance(t2)];
    if (d1 <= d2) high = t2;
    else low = t1;
    least = Math.min(least, d1, d2);
  }
  return least;
}

const CASES: [string, Kind, boolean][] = [
  ['sphere', 'sphere', false],
  ['capsule', 'capsule', false],
  ['box', 'box', false],
  ['hull', 'hull', false],
  ['hull with a margin', 'hull', true],
  ['cylinder', 'cylinder', false],
  ['cone', 'cone', false],
  ['cone with a margin', 'cone', true],
  ['triangle', 'triangle', false],
  ['triangle with a margin', 'triangle', true],
  ['multisphere', 'multisphere', false],
];

describe.each(CASES)('%s', (_name, kind, hasMargin) => {
  test(`${RAYS} random rays (seed ${SEED})`, () => {
    const next = random(SEED);
    const worst = { point: 0, plane: 0, miss: 0 };
    let hits = 0;
    for (let i = 0; i < RAYS; i++) {
      const one: Placed = { ...randomShape(kind, 10 ** (4 * next() - 2), next), position: [0, 0, 0] };
      // A scaled copy of a hull, triangle or multi-sphere is one of the same kind with other corners.
      if (hasMargin) one.margin = 0.2 * sizeOf(one) * next();
      const size = sizeOf(one);
      one.position = scale(unitVector(next), 3 * size * next());
      const shape = rounded(one);
      const aim = add(shape.position, scale(unitVector(next), size * 1.1 * next()));
      const away = size * 10 ** (5 * next() - 1);
      const from = add(aim, scale(unitVector(next), away)).map(Math.fround) as Vec3;
      const delta = scale(sub(aim, from), 0.5 + 2 * next()).map(Math.fround) as Vec3;
      const solid = new Convex64(shape);
      const hit = core.ray(shape, from, delta);
      const slack = EXACT * size + F32 * length(from);
      const context = `ray ${i}: ${JSON.stringify({ from, delta, hit })}`;
      if (hit === null) {
        const gap = lineGap(solid, from, delta);
        worst.miss = Math.min(worst.miss, gap > -slack ? gap / (size + length(from)) : 0);
        if (!(gap > -slack))
          expect(leastDistance(solid, from, delta), `a miss, ${context}`).toBeGreaterThan(0);
        continue;
      }
      hits++;
      expect(Math.abs(length(hit.normal) - 1), context).toBeLessThan(1e-6);
      const p = at(from, delta, hit.fraction);
      const reach = F32 * hit.fraction * length(delta);
      const point = solid.outside(p, hit.normal);
      if (!(point < slack + reach)) expect(point, `on the shape, ${context}`).toBeLessThan(slack + reach);
      worst.point = Math.max(worst.point, point / (size + length(from)));
      if (hit.fraction === 0) continue; // inside
      const plane = solid.reach(...hit.normal) - dot(p, hit.normal);
      if (!(plane < slack + reach)) expect(plane, `the first, ${context}`).toBeLessThan(slack + reach);
      expect(dot(hit.normal, delta), context).toBeLessThanOrEqual(1e-6 * length(delta));
      worst.plane = Math.max(worst.plane, plane / (size + length(from)));
    }
    if (process.env['PAIRS_REPORT'] !== undefined)
      console.log(`#${kind} ${hasMargin}: ${hits} ${JSON.stringify(worst)}`);
    expect(hits).toBeGreaterThan(RAYS / (kind === 'triangle' ? 20 : 6));
  });
});

/** Without −0. */
const plain = (hit: RayHit | null) => hit && { ...hit, normal: hit.normal.map((c) => c + 0) };

test('inside, at the surface and inside the margin: at once, against the ray', () => {
  const points = [0.3, 0, 0, 0.2, -0.3, 0, 0, 0.2];
  const balls = rounded({ kind: 'multisphere', params: [], points, position: [0, 0, 0], rotation: identity });
  expect(plain(core.ray(balls, [0, 0, 0], [0, 0, 2]))).toEqual({ fraction: 0, normal: [0, 0, -1] });
  const cone = rounded({
    kind: 'cone',
    params: [0.5, 0.5],
    margin: 0.25,
    position: [0, 0, 0],
    rotation: identity,
  });
  expect(plain(core.ray(cone, [0, -0.6, 0], [0, 3, 0]))).toEqual({ fraction: 0, normal: [0, -1, 0] });
  // Bullet's casts of a point ask for the farthest point with the margin: the ray ends above the base.
  expect(core.ray(cone, [0, -1.75, 0], [0, 2, 0])!.fraction).toBeCloseTo(0.5, 5);
});
