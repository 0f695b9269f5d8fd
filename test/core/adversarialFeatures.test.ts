// Faces on faces, edges along edges, corners on faces, every convex kind with every other, placed feature to feature: coincident,
// parallel within 1e-6, exactly touching; concentric and contained; and the same with slivers, hulls without volume and input with
// duplicate and collinear points. In: frames of features. Checked as random pairs are, and against the gap that they were placed at.
import { beforeAll, expect, test } from 'vitest';
import { cookHull } from '../../src/cooking/hull';
import {
  add,
  axisAngle,
  cross,
  dot,
  length,
  multiply,
  type Quat,
  rotate,
  scale,
  sub,
  type Vec3,
} from '../physics/support/vector';
import { checkPair, newTotals } from './support/convexCheck';
import {
  createNarrowphase,
  identity,
  type Narrowphase,
  type Placed,
  placed,
  rounded,
  sizeOf,
} from './support/narrowphase';

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

/** A point of the surface, a direction in which nothing of the shape is farther, one across. */
type Feature = [name: 'face' | 'edge' | 'corner', point: number[], normal: number[], along: number[]];
interface Specimen {
  shape: Placed;
  features: Feature[];
}

const hull = (points: number[][]) => placed('hull', [], { hull: cookHull(points) });
const balls = (...points: number[][]) => placed('multisphere', [], { points: points.flat() });
const triangle = (...points: number[][]) =>
  placed('triangle', [], { points: points.flatMap((p) => [...p, 0]) });
const corners = (x: number, y: number, z: number) =>
  [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c) => [a, b, c])));
const blockFeatures = (x: number, y: number, z: number): Feature[] => [
  ['face', [0, y, 0], [0, 1, 0], [1, 0, 0]],
  ['face', [x, y, z], [0, 1, 0], [1, 0, 0]], // at its corner
  ['edge', [x, y, 0], [1, 1, 0], [0, 0, 1]],
  ['corner', [x, y, z], [1, 1, 1], [1, -1, 0]],
];
const roundFeatures = (r: number, h: number): Feature[] => [
  ['edge', [r, 0, 0], [1, 0, 0], [0, 1, 0]],
  ['corner', [0, r + h, 0], [0, 1, 0], [1, 0, 0]],
];
const discFeatures = (r: number, h: number): Feature[] => [
  ['face', [0, -h, 0], [0, -1, 0], [1, 0, 0]],
  ['face', [r, -h, 0], [0, -1, 0], [0, 0, 1]], // at its rim
  ['corner', [r, -h, 0], [1, -1, 0], [0, 0, 1]],
];
const cylinder = (r: number, h: number): Specimen => ({
  shape: placed('cylinder', [r, h]),
  features: [...discFeatures(r, h), ['edge', [r, 0, 0], [1, 0, 0], [0, 1, 0]]],
});
const cone = (r: number, h: number, margin = 0): Specimen => ({
  shape: placed('cone', [r, h], margin > 0 ? { margin } : {}),
  features: [
    ...discFeatures(r, h),
    ['edge', [r / 2, 0, 0], [2 * h, r, 0], [-r, 2 * h, 0]],
    ['corner', [0, h, 0], [0, 1, 0], [1, 0, 0]],
  ],
});
const flat = (shape: Placed): Specimen => ({
  shape, // with corners (±0.5, 0, -0.5) and (…, 0, 0.5)
  features: [
    ['face', [0, 0, 0], [0, 1, 0], [1, 0, 0]],
    ['face', [0.5, 0, 0.5], [0, -1, 0], [1, 0, 0]],
    ['edge', [0, 0, 0.5], [0, 0, 1], [1, 0, 0]],
    ['corner', [0.5, 0, 0.5], [1, 0, 1], [0, 1, 0]],
  ],
});
/** From (0, -0.5, 0) to (0, 0.5, 0). */
const segment = (shape: Placed): Specimen => ({ shape, features: roundFeatures(0, 0.5) });
const RIGHT = [[0.5, 0, 0.5], [-0.5, 0, 0.5], [0.5, 0, -0.5]]; // biome-ignore format: points in lines

const KINDS: Record<string, Specimen> = {
  sphere: { shape: placed('sphere', [0.5]), features: [['corner', [0, 0.5, 0], [0, 1, 0], [1, 0, 0]]] },
  capsule: { shape: placed('capsule', [0.2, 0.5]), features: roundFeatures(0.2, 0.5) },
  box: { shape: placed('box', [0.5, 0.3, 0.4]), features: blockFeatures(0.5, 0.3, 0.4) },
  hull: { shape: hull(corners(0.5, 0.3, 0.4)), features: blockFeatures(0.5, 0.3, 0.4) },
  cylinder: cylinder(0.4, 0.5),
  cone: cone(0.4, 0.5),
  multisphere: {
    shape: balls([-0.3, 0, -0.3, 0.2], [-0.3, 0, 0.3, 0.2], [0.3, 0, 0, 0.2]),
    features: [
      ['face', [0, 0.2, 0], [0, 1, 0], [1, 0, 0]],
      ['edge', [-0.5, 0, 0], [-1, 0, 0], [0, 0, 1]],
      ['corner', [0.5, 0, 0], [1, 0, 0], [0, 1, 0]],
    ],
  },
  triangle: flat(triangle(...RIGHT)),
};
const THIN: Record<string, Specimen> = {
  grain: { shape: placed('sphere', [1e-2]), features: [['corner', [0, 1e-2, 0], [0, 1, 0], [1, 0, 0]]] },
  'thin capsule': { shape: placed('capsule', [1e-4, 0.5]), features: roundFeatures(1e-4, 0.5) },
  plate: { shape: placed('box', [0.5, 1e-4, 0.4]), features: blockFeatures(0.5, 1e-4, 0.4) },
  needle: { shape: hull(corners(1e-3, 0.5, 1e-3)), features: blockFeatures(1e-3, 0.5, 1e-3) },
  diamond: {
    shape: hull([...[-0.5, 0.5].map((x) => [x, 0, 0]), ...[-1e-3, 1e-3].map((y) => [0, y, 0]), [0, 0, -0.4], [0, 0, 0.4]]),
    features: [
      ['corner', [0, 0, 0.4], [0, 0, 1], [1, 0, 0]],
      ['edge', [0.25, 0, 0.2], [0.4, 0, 0.5], [0.5, 0, -0.4]],
    ],
  },
  coin: cylinder(0.5, 1e-4),
  wire: cylinder(1e-4, 0.5),
  spike: cone(1e-3, 0.5),
  'flat cone': cone(0.5, 1e-3),
  string: { shape: balls([0, -0.5, 0, 1e-4], [0, 0.5, 0, 1e-4]), features: roundFeatures(1e-4, 0.5) },
  'sliver triangle': {
    shape: triangle([0.5, 0, 0], [-0.5, 0, 0], [0.1, 0, 1e-6]),
    features: [['edge', [0, 0, 0], [0, 0, -1], [1, 0, 0]], ['face', [0, 0, 0], [0, 1, 0], [1, 0, 0]]],
  },
}; // biome-ignore format: features in lines
const WITHOUT_VOLUME: Record<string, Specimen> = {
  'flat hull': flat(balls([0.5, 0, 0.5, 0], [0.5, 0, -0.5, 0], [-0.5, 0, -0.5, 0], [-0.5, 0, 0.5, 0])),
  segment: segment(balls([0, -0.5, 0, 0], [0, 0.5, 0, 0])),
  'triangle without area': segment(triangle([0, -0.5, 0], [0, 0.5, 0], [0, 0.1, 0])),
  'capsule of radius 1e-6': { shape: placed('capsule', [1e-6, 0.5]), features: roundFeatures(1e-6, 0.5) },
  point: { shape: balls([0, 0, 0, 0]), features: [['corner', [0, 0, 0], [0, 1, 0], [1, 0, 0]]] },
  'triangle that is a point': {
    shape: triangle([0, 0, 0], [0, 0, 0], [0, 0, 0]),
    features: [['corner', [0, 0, 0], [0, 1, 0], [1, 0, 0]]],
  },
};
const block = corners(0.5, 0.3, 0.4);
const REPEATED: Record<string, Specimen> = {
  'hull of duplicate, collinear and coplanar points': {
    // Each corner twice, middles and quarters of edges, middles of faces.
    shape: hull([
      ...block,
      ...block,
      ...block.flatMap((p, i) => block.slice(i + 1).flatMap((q) => [0.25, 0.5].map((s) => p.map((c, k) => c + s * (q[k]! - c))))),
    ]),
    features: blockFeatures(0.5, 0.3, 0.4),
  },
  'hull of points that are all but duplicates': {
    shape: hull([...block, ...block.map((p) => p.map((c) => c * (1 - 1e-7)))]),
    features: blockFeatures(0.5, 0.3, 0.4),
  },
  'segment of collinear and duplicate points': segment(
    balls([0, -0.5, 0, 0], [0, 0, 0, 0], [0, 0.2, 0, 0], [0, 0.5, 0, 0], [0, 0.5, 0, 0]),
  ),
  'balls in a row, twice': {
    shape: balls([0, -0.3, 0, 0.2], [0, 0, 0, 0.2], [0, 0, 0, 0.2], [0, 0.3, 0, 0.2], [0, 0.3, 0, 0.1]),
    features: roundFeatures(0.2, 0.3),
  },
  'triangle with two equal corners': segment(triangle([0, 0.5, 0], [0, 0.5, 0], [0, -0.5, 0])),
}; // biome-ignore format: points in lines

/** The rotation that takes the orthonormal frame (u, v) to (n, t). */
function turnTo(u: Vec3, v: Vec3, n: Vec3, t: Vec3): Quat {
  const about = cross(u, n);
  const cosine = dot(u, n);
  const first: Quat =
    cosine < -1 + 1e-12 ? axisAngle(v, Math.PI) : (normalizeQuat([...about, 1 + cosine]) as Quat);
  const w = rotate(first, v);
  return multiply(axisAngle(n, Math.atan2(dot(n, cross(w, t)), dot(w, t))), first);
}
const normalize = (v: Vec3) => scale(v, 1 / length(v));
const normalizeQuat = (q: number[]) => q.map((c) => c / Math.hypot(...q));

const SOMEHOW = axisAngle([0.48, 0.6, 0.64], 1.1);
const FRAMES: [Quat, Vec3][] = [
  [identity, [0, 0, 0]],
  [SOMEHOW, [3, -2, 1.5]],
];
const SOAK = process.env['SOAK'] === '1';
/** Of all cases, where not all are run; coprime to the numbers of frames, turns and gaps. */
const EVERY = 13;
let turn = 0;
const GAPS = [0, 1e-7, -1e-7, 1e-3];
/** Turned against each other about the normal, then about the line across. */
const TURNS = [
  [0, 0],
  [1e-6, 0],
  [0, 1e-6],
  [-1e-6, 1e-6],
  [0.7, 0],
] as const;

/**
 * Known, with the worst seen, of the larger size. Boxes: an edge axis within 5.7° of a face gives way to the face, whose points are
 * as deep. Thin capsules: cores 1e-4 apart give a direction to 1e-3 in f32. Needles and balls in a row: corners of a clipped
 * outline that is all but a line.
 */
const BEHIND: [RegExp, string, number][] = [
  [/^(box|plate) .*and box/, 'the way out along the normal of the contact', 0.038],
  [/^thin capsule .*and box/, 'the way out along the normal of the contact', 0.002],
  [/^flat cone .*capsule|^capsule .*flat cone/, 'the ', 2.2e-4],
  [/^needle .*and box/, 'contact point', 0.57],
];

const totals = newTotals();
const seen = new Map<string, number>();

function run(what: string, a: Placed, b: Placed, gap: number | undefined, wrong: string[]): void {
  try {
    checkPair(core, a, b, totals, ![a, b].some(isSliver));
    const off = gap === undefined ? 0 : core.distance(a, b).value - gap;
    // Through the feature the two go into each other no deeper than by the gap, and where they are apart, by that.
    const size = Math.max(sizeOf(a), sizeOf(b));
    if (gap !== undefined && !(Math.abs(off) <= 1e-4 * size))
      throw new Error(`the gap is wrong by ${Math.abs(off) / size} of the size`);
  } catch (error) {
    const { message } = error as Error;
    const known = BEHIND.find(([pair, fault]) => pair.test(what) && message.startsWith(fault));
    const amount = Number(/wrong by (\S+)/.exec(message)?.[1]);
    if (!(known !== undefined && amount <= known[2])) wrong.push(`${what}: ${message}`);
  }
}

/** A triangle that the API refuses. */
function isSliver({ kind, points: p }: Placed): boolean {
  if (kind !== 'triangle') return false;
  const [u, v] = [4, 8].map((i) => [0, 1, 2].map((k) => p![i + k]! - p![k]!) as Vec3) as [Vec3, Vec3];
  const longest = Math.max(length(u), length(v), length(sub(u, v)));
  return !(length(cross(u, v)) > 2e-6 * longest * longest);
}

/** All features of A on all of B. */
function meet(nameA: string, nameB: string, A: Specimen, B: Specimen, wrong: string[]): void {
  for (const [labelA, pA, nA, tA] of A.features)
    for (const [labelB, pB, nB, tB] of B.features) {
      const item = [labelA, labelB].sort().join(' on ');
      for (const kind of [A.shape.kind, B.shape.kind])
        seen.set(`${item}: ${kind}`, (seen.get(`${item}: ${kind}`) ?? 0) + 1);
      for (const [rotation, position] of FRAMES) {
        const a = rounded({ ...A.shape, rotation, position });
        const margins = (a.margin ?? 0) + (B.shape.margin ?? 0);
        const n = rotate(rotation, normalize(nA as Vec3));
        const t = rotate(rotation, normalize(tA as Vec3));
        const at = add(position, rotate(rotation, pA as Vec3));
        const straight = turnTo(normalize(nB as Vec3), normalize(tB as Vec3), scale(n, -1), t);
        for (const [twist, tilt] of TURNS)
          for (const gap of GAPS) {
            if (!SOAK && ++turn % EVERY !== 0) continue;
            const q = multiply(axisAngle(n, twist), multiply(axisAngle(t, tilt), straight));
            const b = rounded({
              ...B.shape,
              rotation: q,
              position: sub(add(at, scale(n, gap + margins)), rotate(q, pB as Vec3)),
            });
            run(
              `${nameA} (${labelA} ${pA}) and ${nameB} (${labelB} ${pB}), turned ${twist} ${tilt}, gap ${gap}`,
              a,
              b,
              gap,
              wrong,
            );
          }
      }
    }
}

/** About one place: the same, a half and a thousandth of the size. */
function within(nameA: string, nameB: string, A: Specimen, B: Specimen, wrong: string[]): void {
  for (const [rotation, position] of FRAMES)
    for (const part of position[0] === 0 ? [1, 0.5, 1e-3] : [1, 0.5])
      for (const off of [[0, 0, 0], [1e-7, 0, 0], [0.01, -0.003, 0.002]] as Vec3[])
        for (const turned of [identity, axisAngle([0.6, 0, 0.8], 1e-6), SOMEHOW]) {
          if (B.shape.hull !== undefined && part !== 1) continue;
          if (!SOAK && ++turn % 3 !== 0) continue;
          const b = rounded({
            ...B.shape,
            params: B.shape.params.map((p) => p * part),
            ...(B.shape.points && { points: B.shape.points.map((p) => p * part) }),
            rotation: multiply(rotation, turned),
            position: add(position, off),
          });
          run(`${nameA} about ${nameB} of ${part}, off by ${off}`, rounded({ ...A.shape, rotation, position }), b, undefined, wrong);
        }
} // biome-ignore format: places in lines

const TABLE: [string, Record<string, Specimen>][] = [
  ['common shapes', KINDS],
  ['slivers', THIN],
  ['flat, segment and point hulls', WITHOUT_VOLUME],
  ['duplicate and collinear points', REPEATED],
];

test.each(TABLE)('%s: coincident faces, parallel edges, corners on faces, exact touch', (_, list) => {
  const wrong: string[] = [];
  for (const [nameA, A] of Object.entries(list))
    for (const [nameB, B] of Object.entries(KINDS)) meet(nameA, nameB, A, B, wrong);
  expect(wrong.slice(0, 10).join('\n'), `${wrong.length} wrong`).toBe('');
});

test.each(TABLE)('%s: concentric, contained', (_, list) => {
  const wrong: string[] = [];
  for (const [nameA, A] of Object.entries(list))
    for (const [nameB, B] of Object.entries(KINDS)) {
      within(nameA, nameB, A, B, wrong);
      if (list !== KINDS) within(nameB, nameA, B, A, wrong);
    }
  expect(wrong.slice(0, 10).join('\n'), `${wrong.length} wrong`).toBe('');
});

test('each kind was in each of these places where it has such a feature', () => {
  for (const kind of Object.keys(KINDS)) {
    const own = new Set(KINDS[kind]!.features.map(([label]) => label));
    for (const label of own)
      for (const other of ['face', 'edge', 'corner']) {
        const item = [label, other].sort().join(' on ');
        expect(seen.get(`${item}: ${kind}`) ?? 0, `${item}: ${kind}`).toBeGreaterThan(0);
      }
  }
  if (process.env['PAIRS_REPORT'] !== undefined) console.log(JSON.stringify(totals));
});
