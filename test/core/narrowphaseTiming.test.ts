// What the narrow phase costs: nanoseconds per pair of typical contacts, printed with
// NARROWPHASE_REPORT=1. Asserts only what no machine misses, so that a slip of an order shows.
import { beforeAll, expect } from 'vitest';
import { cookHull } from '../../src/cooking/hull';
import { add, axisAngle, multiply, type Quat, random, scale, type Vec3 } from '../physics/support/vector';
import { convexOf, overlap } from '../reference/support';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import {
  createNarrowphase,
  type Kind,
  type Narrowphase,
  type Placed,
  randomShape,
  rounded,
  unitVector,
} from './support/narrowphase';

const test = ordinaryCoreOnly('it measures time');

const SEED = 9;
const PAIRS = 512;

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

type Pose = [Vec3, Quat];
const up: Vec3 = [0, 1, 0];
const lying = axisAngle([0, 0, 1], Math.PI / 2);

/** A pose at the given height, with a yaw and a tremble of 1 mm and 1 mrad. */
function pose(height: number, next: () => number, base: Quat = [0, 0, 0, 1], spread = 0.3, yaw = 6.3): Pose {
  const turn = multiply(axisAngle(unitVector(next), 1e-3 * next()), axisAngle(up, yaw * next()));
  const at: Vec3 = [spread * (next() - 0.5), height, spread * (next() - 0.5)];
  return [add(at, scale(unitVector(next), 1e-3)), multiply(turn, base)];
}

const half = [0.5, 0.5, 0.5];
const ROWS: [
  string,
  Kind,
  number[],
  (next: () => number) => Pose,
  Kind,
  number[],
  (next: () => number) => Pose,
][] = [
  ['box on box, any yaw', 'box', half, (n) => pose(0, n), 'box', half, (n) => pose(0.999, n)],
  [
    'box on box, one yaw',
    'box',
    half,
    (n) => pose(0, n, undefined, 0, 0),
    'box',
    half,
    (n) => pose(0.999, n, undefined, 0, 0),
  ],
  [
    'box half over box, one yaw',
    'box',
    half,
    (n) => pose(0, n, undefined, 0, 0),
    'box',
    half,
    (n) => pose(0.999, n, undefined, 1, 0),
  ],
  [
    'box on a large box',
    'box',
    [50, 0.5, 50],
    (n) => pose(0, n, undefined, 0, 0),
    'box',
    half,
    (n) => pose(0.999, n),
  ],
  [
    'box edge across box edge',
    'box',
    half,
    (n) => pose(0, n, axisAngle([1, 0, 0], Math.PI / 4), 0.1, 0),
    'box',
    half,
    (n) => pose(1.41, n, axisAngle([0, 0, 1], Math.PI / 4), 0.1, 0),
  ],
  ['boxes apart, face between', 'box', half, (n) => pose(0, n), 'box', half, (n) => pose(1.1, n)],
  [
    'boxes apart, edges between',
    'box',
    half,
    (n) => pose(0, n, axisAngle([1, 0, 0], Math.PI / 4), 0.1, 0),
    'box',
    half,
    (n) => pose(1.5, n, axisAngle([0, 0, 1], Math.PI / 4), 0.1, 0),
  ],
  [
    'boxes apart, corner to corner',
    'box',
    half,
    (n) => pose(0, n, undefined, 0, 0),
    'box',
    half,
    (n) => [add([1.005, 1.005, 1.005], scale(unitVector(n), 1e-3)), axisAngle(unitVector(n), 1e-3)],
  ],
  [
    'box on plane',
    'box',
    half,
    (n) => pose(0.499, n),
    'plane',
    [],
    () => [
      [0, 0, 0],
      [0, 0, 0, 1],
    ],
  ],
  [
    'capsule on plane',
    'capsule',
    [0.3, 0.5],
    (n) => pose(0.299, n, lying),
    'plane',
    [],
    () => [
      [0, 0, 0],
      [0, 0, 0, 1],
    ],
  ],
  [
    'sphere on plane',
    'sphere',
    [0.5],
    (n) => pose(0.499, n),
    'plane',
    [],
    () => [
      [0, 0, 0],
      [0, 0, 0, 1],
    ],
  ],
  [
    'capsule lying on box',
    'capsule',
    [0.3, 0.5],
    (n) => pose(0.799, n, lying),
    'box',
    half,
    (n) => pose(0, n),
  ],
  ['capsule standing on box', 'capsule', [0.3, 0.5], (n) => pose(1.299, n), 'box', half, (n) => pose(0, n)],
  ['sphere on box', 'sphere', [0.5], (n) => pose(0.999, n), 'box', half, (n) => pose(0, n)],
  [
    'capsule across capsule',
    'capsule',
    [0.3, 0.5],
    (n) => pose(0, n, lying),
    'capsule',
    [0.3, 0.5],
    (n) => pose(0.599, n, lying),
  ],
  [
    'capsule along capsule',
    'capsule',
    [0.3, 0.5],
    (n) => pose(0, n, lying, 0.1, 0),
    'capsule',
    [0.3, 0.5],
    (n) => pose(0.599, n, lying, 0.1, 0),
  ],
  [
    'sphere on capsule',
    'sphere',
    [0.3],
    (n) => pose(0.599, n),
    'capsule',
    [0.3, 0.5],
    (n) => pose(0, n, lying),
  ],
  [
    'sphere on sphere',
    'sphere',
    [0.3],
    (n) => pose(0.599, n),
    'sphere',
    [0.3],
    (n) => pose(0, n, undefined, 0.1),
  ],
];

test.each(ROWS)('%s', (name, kindA, paramsA, poseA, kindB, paramsB, poseB) => {
  const next = random(SEED);
  const pairs = Array.from({ length: PAIRS }, (): [Placed, Placed] => {
    const [positionA, rotationA] = poseA(next);
    const [positionB, rotationB] = poseB(next);
    return [
      rounded({ kind: kindA, params: paramsA, position: positionA, rotation: rotationA }),
      rounded({ kind: kindB, params: paramsB, position: positionB, rotation: rotationB }),
    ];
  });
  const { ns, points } = core.time(pairs, Math.fround(0.02));
  if (process.env['NARROWPHASE_REPORT'])
    console.log(`${name.padEnd(32)} ${ns.toFixed(0).padStart(6)} ns ${points.toFixed(2)} points`);
  expect(ns).toBeLessThan(20_000);
});

/** Corners of each (0: a box), and how far in: of the way that parts them along a random direction. */
const POLYHEDRA: [string, number, number, number, boolean][] = [8, 24, 64].flatMap((corners) =>
  (
    [
      ['just apart', 1.01],
      ['touching', 0.99],
      ['deep', 0.6],
      ['of one centre', 0.02],
    ] as [string, number][]
  ).flatMap(([where, share]) =>
    [true, false].flatMap((fresh): [string, number, number, number, boolean][] => [
      [`hulls of ${corners}, ${where}, ${fresh ? 'newBlocks' : 'again'}`, corners, corners, share, fresh],
      [`hull of ${corners} and box, ${where}, ${fresh ? 'newBlocks' : 'again'}`, corners, 0, share, fresh],
    ]),
  ),
);
test.each(POLYHEDRA)('%s', (name, cornersA, cornersB, share, fresh) => {
  const next = random(SEED);
  const shape = (corners: number): Placed => {
    const points = Array.from({ length: corners }, () => unitVector(next));
    const { rotation } = randomShape('box', 1, next);
    if (corners === 0) return { kind: 'box', params: [0.6, 0.6, 0.6], position: [0, 0, 0], rotation };
    return { kind: 'hull', params: [], hull: cookHull(points), position: [0, 0, 0], rotation };
  };
  const pairs = Array.from({ length: 48 }, (): [Placed, Placed] => {
    const [a, b] = [rounded(shape(cornersA)), rounded(shape(cornersB))];
    const n = unitVector(next);
    b.position = scale(n, share * overlap(convexOf(a), convexOf(b), n));
    return [a, rounded(b)];
  });
  const { ns, points } = core.time(pairs, Math.fround(0.02), 60, fresh);
  if (process.env['NARROWPHASE_REPORT'])
    console.log(`${name.padEnd(42)} ${ns.toFixed(0).padStart(6)} ns ${points.toFixed(2)} points`);
  expect(ns).toBeLessThan(200_000);
});
