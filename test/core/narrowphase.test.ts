// The narrow phase against f64 oracles: every pair of shapes at random places and sizes, with scale
// ratios from 1e-3 to 1e3, then the cases that break narrow phases. Errors are measured against the
// size of the larger shape. Rays, bounds, stability in time and timing are in files of their own.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  add,
  axisAngle,
  degreesBetween,
  length,
  multiply,
  type Quat,
  random,
  rotate,
  scale,
  type Vec3,
} from '../physics/support/vector';
import { moved, overlapAlong, pointDistance, separation } from '../reference/separation';
import {
  createNarrowphase,
  identity,
  type Kind,
  type Manifold,
  type Narrowphase,
  type Placed,
  randomRotation,
  randomShape,
  rounded,
  sizeOf,
  solid,
  unitVector,
} from './support/narrowphase';

const SEED = Number(process.env['NARROWPHASE_SEED'] ?? 20240611);
/** Multiplies the number of random pairs, for long runs by hand. */
const MORE = Number(process.env['NARROWPHASE_MORE'] ?? 1);
/** Of the larger shape's size: separation, and what is left of an overlap after moving out by the depth. */
const TOLERANCE = 1e-4;
/** How far a point may lie off a surface, as a part of the smaller shape: clipping slack. */
const POINT_SLACK = 2e-3;
/** The same as a part of the larger, beyond the slack: axes of a line contact that are not quite parallel. */
const POINT_TOLERANCE = 2e-3;

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

const KINDS: Kind[] = ['sphere', 'capsule', 'box', 'plane'];
const PAIRS = KINDS.flatMap((a) => KINDS.map((b) => [a, b] as [Kind, Kind])).filter(
  ([a, b]) => a !== 'plane' || b !== 'plane',
);

/** A pair near contact: the second shape beside the first along a random direction. */
function randomPair(kinds: [Kind, Kind], next: () => number): [Placed, Placed] {
  const ratio = 10 ** (6 * next() - 3);
  const a = randomShape(kinds[0], Math.min(1, 1 / ratio), next);
  const b = randomShape(kinds[1], Math.min(1, ratio), next);
  a.position = scale(unitVector(next), 2 * next());
  b.position = a.position;
  const n = unitVector(next);
  const [ra, rb] = [rounded(a), rounded(b)];
  if (kinds.includes('plane')) {
    b.position = add(a.position, scale(n, (sizeOf(a) + sizeOf(b)) * next()));
    return [ra, rounded(b)];
  }
  const reach = overlapAlong(solid(ra), solid(rb), n);
  b.position = add(a.position, scale(n, reach * (0.6 + 0.5 * next())));
  return [ra, rounded(b)];
}

/** A plane counts as large as its place is far: its surface is n·x = d. */
const sizeOfPair = (a: Placed, b: Placed) =>
  Math.max(
    sizeOf(a),
    sizeOf(b),
    a.kind === 'plane' || b.kind === 'plane' ? length(a.position) + length(b.position) : 0,
  );

interface Errors {
  separation: number;
  residual: number;
  point: number;
  unit: number;
}

/** Errors of a manifold against the truth, relative to the size. */
function errorsOf(a: Placed, b: Placed, m: Manifold, truth: number): Errors {
  const [sa, sb] = [solid(a), solid(b)];
  const size = sizeOfPair(a, b);
  const smaller = Math.min(sizeOf(a) || size, sizeOf(b) || size);
  const finite = [...m.normal, ...m.points.flat(), ...m.separations].every(Number.isFinite);
  expect(finite, 'finite').toBe(true);
  // Moved out along the normal by the reported depth, the two must not overlap any more.
  const apart = separation(sa, moved(sb, scale(m.normal, -m.deepest)));
  const off = m.points.flatMap((p, k) => [
    pointDistance(add(p, scale(m.normal, -m.separations[k]! / 2)), sa),
    pointDistance(add(p, scale(m.normal, m.separations[k]! / 2)), sb),
  ]);
  return {
    separation: Math.abs(truth - m.deepest) / size,
    residual: Math.max(0, -apart) / size,
    point: Math.max(0, ...off.map((d) => d - POINT_SLACK * smaller)) / size,
    unit: Math.abs(length(m.normal) - 1),
  };
}

describe.each(PAIRS)('%s against %s', (kindA, kindB) => {
  const cases = kindA === 'box' && kindB === 'box' ? 20000 * MORE : 3000 * MORE;
  test(`${cases} random pairs agree with the oracle (seed ${SEED})`, () => {
    const next = random(SEED);
    const worst: Errors & { swap: number; gap: number } = {
      gap: 0,
      separation: 0,
      residual: 0,
      point: 0,
      unit: 0,
      swap: 0,
    };
    let contacts = 0;
    for (let i = 0; i < cases; i++) {
      const [a, b] = randomPair([kindA, kindB], next);
      const size = sizeOfPair(a, b);
      const maxSeparation = Math.fround(0.2 * Math.min(sizeOf(a) || size, sizeOf(b) || size) * next());
      const m = core.collide(a, b, maxSeparation);
      const swapped = core.collide(b, a, maxSeparation);
      if (m.count === 0) expect(m.gap).toBeGreaterThan(maxSeparation);
      // Farther apart along the line of centres than the search goes: no need to ask the oracle.
      const between = overlapAlong(solid(a), solid(b), unitBetween(a, b));
      if (m.count === 0 && swapped.count === 0 && between < -10 * maxSeparation) continue;
      const truth = separation(solid(a), solid(b));
      if (truth < maxSeparation - TOLERANCE * size) expect(m.count).toBeGreaterThan(0);
      if (m.count === 0) {
        worst.gap = Math.max(worst.gap, (m.gap - truth) / size);
        continue;
      }
      contacts++;
      expect(Math.max(...m.separations)).toBeLessThanOrEqual(maxSeparation);
      expect(new Set(m.features).size).toBe(m.count);
      const errors = errorsOf(a, b, m, truth);
      for (const key of ['separation', 'residual', 'point', 'unit'] as const)
        worst[key] = Math.max(worst[key], errors[key]);
      if (swapped.count > 0) worst.swap = Math.max(worst.swap, Math.abs(swapped.deepest - m.deepest) / size);
      else expect(m.deepest).toBeGreaterThan(maxSeparation - TOLERANCE * size);
    }
    report(`${kindA}–${kindB}`, contacts, worst);
    expect(contacts).toBeGreaterThan(cases / 30);
    expect(worst.separation).toBeLessThan(TOLERANCE);
    expect(worst.residual).toBeLessThan(TOLERANCE);
    expect(worst.point).toBeLessThan(POINT_TOLERANCE);
    expect(worst.swap).toBeLessThan(TOLERANCE);
    expect(worst.gap).toBeLessThan(TOLERANCE);
    expect(worst.unit).toBeLessThan(2e-6);
  });
});

function unitBetween(a: Placed, b: Placed): Vec3 {
  const d: Vec3 = [
    b.position[0] - a.position[0],
    b.position[1] - a.position[1],
    b.position[2] - a.position[2],
  ];
  return scale(d, 1 / (length(d) || 1));
}

function report(name: string, contacts: number, worst: object) {
  if (!process.env['NARROWPHASE_REPORT']) return;
  const errors = Object.entries(worst).map(([key, value]) => `${key} ${(value as number).toExponential(1)}`);
  console.log(`${name}: ${contacts} contacts, worst ${errors.join(', ')}`);
}

// --- the cases that break narrow phases ---

const place = (kind: Kind, params: number[], position: Vec3 = [0, 0, 0], rotation: Quat = identity): Placed =>
  rounded({ kind, params, position, rotation });
const cube = (position: Vec3 = [0, 0, 0], rotation: Quat = identity) =>
  place('box', [0.5, 0.5, 0.5], position, rotation);
const diamond = axisAngle([1, 0, 0], Math.PI / 4);

const ADVERSARIAL: [string, Placed, Placed][] = [
  ['concentric spheres', place('sphere', [1]), place('sphere', [0.3])],
  ['sphere centre on a capsule axis', place('sphere', [0.2], [0, 0.3, 0]), place('capsule', [0.5, 1])],
  [
    'sphere centre on the end of a capsule axis',
    place('sphere', [0.2], [0, 1, 0]),
    place('capsule', [0.5, 1]),
  ],
  ['sphere in the centre of a cube', place('sphere', [0.2]), cube()],
  ['sphere centre on a face', place('sphere', [0.2], [0, 0.5, 0]), cube()],
  ['sphere centre on an edge', place('sphere', [0.2], [0.5, 0.5, 0]), cube()],
  ['sphere centre on a corner', place('sphere', [0.2], [0.5, 0.5, 0.5]), cube()],
  ['sphere touches a face', place('sphere', [0.25], [0, 0.75, 0]), cube()],
  ['the same capsule twice', place('capsule', [0.5, 1]), place('capsule', [0.5, 1])],
  [
    'capsules crossing at their centres',
    place('capsule', [0.5, 1]),
    place('capsule', [0.5, 1], [0, 0, 0], axisAngle([1, 0, 0], Math.PI / 2)),
  ],
  [
    'capsules crossing at an end',
    place('capsule', [0.5, 1]),
    place('capsule', [0.5, 1], [0, 1, 0], axisAngle([1, 0, 0], Math.PI / 2)),
  ],
  [
    'capsules end to end on one line, overlapping',
    place('capsule', [0.5, 1]),
    place('capsule', [0.5, 1], [0, 2.5, 0]),
  ],
  [
    'capsules end to end on one line, axes touching',
    place('capsule', [0.5, 1]),
    place('capsule', [0.5, 1], [0, 2, 0]),
  ],
  [
    'capsules end to end on one line, axes overlapping',
    place('capsule', [0.5, 1]),
    place('capsule', [0.5, 1], [0, 1.5, 0]),
  ],
  [
    'capsules nearly parallel',
    place('capsule', [0.5, 1]),
    place('capsule', [0.5, 1], [1, 0, 0], axisAngle([1, 0, 0], 1e-6)),
  ],
  ['capsule of no length in a capsule', place('capsule', [0.5, 0]), place('capsule', [0.5, 1], [0, 0.2, 0])],
  ['capsule axis through the centre of a cube', place('capsule', [0.1, 2]), cube()],
  [
    'capsule axis through two corners of a cube',
    place('capsule', [0.1, 2], [0, 0, 0], [0.3250576, 0, -0.3250576, 0.8880738]),
    cube(),
  ],
  ['capsule contained in a cube', place('capsule', [0.01, 0.05]), cube([0.1, 0.2, 0.3])],
  [
    'capsule axis in a face',
    place('capsule', [0.1, 0.3], [0, 0.5, 0], axisAngle([1, 0, 0], Math.PI / 2)),
    cube(),
  ],
  ['capsule axis along an edge', place('capsule', [0.1, 0.3], [0.5, 0, 0.5]), cube()],
  ['capsule end on a corner', place('capsule', [0.1, 0.5], [0.5, 1, 0.5]), cube()],
  [
    'capsule lies on a face',
    place('capsule', [0.1, 0.3], [0, 0.6, 0], axisAngle([0, 0, 1], Math.PI / 2)),
    cube(),
  ],
  ['the same cube twice', cube(), cube()],
  ['a cube in a cube', place('box', [0.1, 0.1, 0.1], [0.01, 0, 0]), cube()],
  ['concentric cubes, one turned', cube([0, 0, 0], axisAngle([0, 1, 0], 0.5)), cube()],
  ['coincident faces', cube(), cube([0, 1, 0])],
  ['coincident faces, half over', cube(), cube([0.5, 1, 0])],
  ['faces touch along an edge', cube(), cube([1, 1, 0])],
  ['touch in a corner', cube(), cube([1, 1, 1])],
  ['edges parallel within 1e-6', cube(), cube([0, 0.999, 0], axisAngle([0, 1, 0], 1e-6))],
  [
    'edges parallel within 1e-6, standing on edges',
    cube([0, 0, 0], diamond),
    cube([0, 1.41, 0], axisAngle([1, 0, 0], Math.PI / 4 + 1e-6)),
  ],
  ['corner on a face', cube(), cube([0, 0.5 + Math.sqrt(0.75), 0], [0.3250576, 0, -0.3250576, 0.8880738])],
  ['edge on a face', cube(), cube([0, 0.5 + Math.SQRT1_2, 0], diamond)],
  [
    'edge across an edge, touching',
    cube([0, 0, 0], diamond),
    cube([0, Math.SQRT2, 0], axisAngle([0, 0, 1], Math.PI / 4)),
  ],
  ['plate on a plate', place('box', [1, 1e-3, 1]), place('box', [1, 1e-3, 1], [0.2, 2e-3, 0.1])],
  ['plate through a plate', place('box', [1, 1e-3, 1]), place('box', [1e-3, 1, 1], [0.2, 0, 0.1])],
  ['plate in a plate', place('box', [1, 1e-3, 1]), place('box', [1, 1e-3, 1])],
  ['plate on edge on a cube', place('box', [1e-3, 1, 1], [0, 1.5, 0]), cube()],
  [
    'a needle through a cube',
    place('box', [1e-3, 2, 1e-3], [0.1, 0, 0.1], axisAngle([0.6, 0, 0.8], 0.3)),
    cube(),
  ],
  ['a grain on a house', place('box', [1e-3, 1e-3, 1e-3], [0.3, 1.001, 0.2]), place('box', [1, 1, 1])],
  ['cube centre on a plane', cube(), place('plane', [])],
  ['cube touches a plane', cube([0, 0.5, 0]), place('plane', [])],
  ['capsule touches a plane with its end', place('capsule', [0.5, 1], [0, 1.5, 0]), place('plane', [])],
  ['sphere centre on a plane', place('sphere', [0.5]), place('plane', [])],
];

describe.each(ADVERSARIAL)('%s', (_name, first, second) => {
  test.each([
    ['as is', first, second],
    ['swapped', second, first],
  ])('%s: touches, with a unit normal and the true depth', (_order, a, b) => {
    const m = core.collide(a, b, Math.fround(0.01));
    const truth = separation(solid(a), solid(b));
    expect(m.count).toBeGreaterThan(0);
    const errors = errorsOf(a, b, m, truth);
    expect(errors.unit).toBeLessThan(2e-6);
    expect(errors.separation).toBeLessThan(TOLERANCE);
    expect(errors.residual).toBeLessThan(TOLERANCE);
    expect(errors.point).toBeLessThan(TOLERANCE);
  });
});

test(`random pairs of axis-aligned boxes on a coarse grid: coincidences everywhere (seed ${SEED})`, () => {
  const next = random(SEED);
  const step = () => Math.round(next() * 4) / 4;
  let worst = 0;
  for (let i = 0; i < 5000 * MORE; i++) {
    const quarter = () =>
      axisAngle(
        (
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ] as Vec3[]
        )[Math.floor(next() * 3)]!,
        (Math.round(next() * 4) * Math.PI) / 4,
      );
    const a = place(
      'box',
      [0.25 + step(), 0.25 + step(), 0.25 + step()],
      [step(), step(), step()],
      quarter(),
    );
    const b = place(
      'box',
      [0.25 + step(), 0.25 + step(), 0.25 + step()],
      [4 * step() - 2, 4 * step() - 2, 4 * step() - 2],
      quarter(),
    );
    const truth = separation(solid(a), solid(b));
    const m = core.collide(a, b, Math.fround(0.02));
    if (truth < 0.02 - 1e-4) expect(m.count).toBeGreaterThan(0);
    if (m.count === 0) continue;
    const errors = errorsOf(a, b, m, truth);
    worst = Math.max(worst, errors.separation, errors.residual, errors.point);
  }
  expect(worst).toBeLessThan(TOLERANCE);
});

test(`edges at every angle down to 1e-8, standing on one another (seed ${SEED})`, () => {
  const next = random(SEED);
  let worst = 0;
  for (let i = 0; i < 5000 * MORE; i++) {
    const angle = 10 ** (-8 * next());
    const twist = multiply(
      axisAngle(unitVector(next), angle),
      axisAngle([1, 0, 0], (Math.floor(next() * 8) * Math.PI) / 4),
    );
    const turn = randomRotation(next);
    const a = place('box', [0.5, 0.5, 0.5], [0, 0, 0], multiply(turn, diamond));
    const b = place(
      'box',
      [0.2 + next(), 0.5, 0.5],
      rotate(turn, [next() - 0.5, Math.SQRT2 + 0.01 * (next() - 0.5), 0.01 * (next() - 0.5)]),
      multiply(turn, twist),
    );
    const truth = separation(solid(a), solid(b));
    const m = core.collide(a, b, Math.fround(0.02));
    if (truth < 0.02 - 1e-4) expect(m.count).toBeGreaterThan(0);
    if (m.count === 0) continue;
    const errors = errorsOf(a, b, m, truth);
    worst = Math.max(worst, errors.separation, errors.residual);
  }
  if (process.env['NARROWPHASE_REPORT'])
    console.log(`edges at small angles: worst ${worst.toExponential(1)}`);
  // Without the axis of two edges, the error is up to 0.35 of their length times the sine of their angle.
  expect(worst).toBeLessThan(3e-4);
});

test(`any hint, even a wrong one, gives a sound manifold (seed ${SEED})`, () => {
  const next = random(SEED);
  let worst = 0;
  for (let i = 0; i < 5000 * MORE; i++) {
    const [a, b] = randomPair(['box', 'box'], next);
    const hint = next() < 0.5 ? Math.floor(next() * 16) : Math.floor(next() * 2 ** 32) | 0;
    const m = core.collide(a, b, 0, hint);
    const truth = separation(solid(a), solid(b));
    if (truth < -TOLERANCE * sizeOfPair(a, b)) expect(m.count).toBeGreaterThan(0);
    if (m.count === 0) continue;
    // A hint holds a face until another is better by half a percent of the smaller box.
    const errors = errorsOf(a, b, m, truth);
    worst = Math.max(worst, errors.separation, errors.residual);
  }
  expect(worst).toBeLessThan(6e-3);
});

test('two planes never touch', () => {
  expect(core.collide(place('plane', []), place('plane', [], [0, -1, 0]), 1).count).toBe(0);
});

describe('manifolds of resting shapes', () => {
  test('a capsule along a face has two points at the ends of the common length', () => {
    const m = core.collide(
      place('capsule', [0.1, 2], [0.5, 0.6, 0], axisAngle([0, 0, 1], Math.PI / 2)),
      cube(),
      0.01,
    );
    expect(m.count).toBe(2);
    const ends = m.points.map((p) => p[0]).sort((p, q) => p - q);
    expect(ends[0]).toBeCloseTo(-0.5, 2);
    expect(ends[1]).toBeCloseTo(0.5, 2);
  });

  test('a capsule along an edge has two points', () => {
    const m = core.collide(place('capsule', [0.1, 0.3], [0.5 + 0.07, 0, 0.5 + 0.07]), cube(), 0.01);
    expect(m.count).toBe(2);
    expect(Math.abs(m.points[0]![1] - m.points[1]![1])).toBeCloseTo(0.6, 3);
  });

  test('parallel capsules have two points at the ends of the common length', () => {
    const m = core.collide(place('capsule', [0.1, 1]), place('capsule', [0.2, 0.5], [0.29, 0.8, 0]), 0.02);
    expect(m.count).toBe(2);
    const ends = m.points.map((p) => p[1]).sort((p, q) => p - q);
    expect(ends[0]).toBeCloseTo(0.3, 4);
    expect(ends[1]).toBeCloseTo(1, 4);
  });

  test('a tilted plate on a plane keeps the four corners of its broad side', () => {
    const m = core.collide(
      place('box', [1, 1e-3, 1], [0, 0.002, 0], axisAngle([0, 0, 1], 0.002)),
      place('plane', []),
      0.02,
    );
    expect(m.count).toBe(4);
    expect(new Set(m.points.map((p) => `${p[0] > 0} ${p[2] > 0}`)).size).toBe(4);
  });

  test(`the normal of round shapes turns round when they are swapped (seed ${SEED})`, () => {
    const next = random(SEED);
    for (let i = 0; i < 2000; i++) {
      const kinds: [Kind, Kind] = [next() < 0.5 ? 'sphere' : 'capsule', next() < 0.5 ? 'sphere' : 'capsule'];
      const [a, b] = randomPair(kinds, next);
      const m = core.collide(a, b, 0);
      const swapped = core.collide(b, a, 0);
      if (m.count === 0 || swapped.count === 0) continue;
      expect(degreesBetween(m.normal, scale(swapped.normal, -1))).toBeLessThan(0.05);
    }
  });

  test(`normals point from a to b: random shapes apart (seed ${SEED})`, () => {
    const next = random(SEED);
    for (let i = 0; i < 2000; i++) {
      const a = rounded(randomShape(KINDS[Math.floor(next() * 3)]!, 1, next));
      const b = rounded({
        ...randomShape(KINDS[Math.floor(next() * 3)]!, 1, next),
        position: scale(unitVector(next), 4),
        rotation: randomRotation(next),
      });
      const m = core.collide(a, b, 10);
      expect(m.count).toBeGreaterThan(0);
      expect(overlapAlong(solid(a), solid(b), m.normal)).toBeLessThan(0);
    }
  });
});
