// What breaks narrow phases, every shape with every other: the same place, contained, coincident faces, faces and edges
// turned by 1e-6, a vertex on a face, exact touch, grains on houses; hulls without volume (flat, segment, point), with
// duplicate and collinear points, slivers. In: shapes and places. Checked as random pairs are (support/convexCheck.ts).
import { beforeAll, expect, test } from 'vitest';
import { cookHull } from '../../src/cooking/hull';
import { axisAngle, type Quat, type Vec3 } from '../physics/support/vector';
import { Convex64 } from '../reference/convex64';
import { checkPair, newTotals } from './support/convexCheck';
import {
  createNarrowphase,
  identity,
  type Narrowphase,
  type Placed,
  rounded,
  placed as shape,
} from './support/narrowphase';

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

const box = (x: number, y: number, z: number) =>
  [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c) => [a, b, c])));
const hull = (points: number[][]) => shape('hull', [], { hull: cookHull(points) });
/** Balls of radius 0 are a hull without volume. */
const degenerate = (...points: number[][]) =>
  shape('multisphere', [], { points: points.flatMap((p) => [...p, 0]) });
const triangle = (...points: number[][]) =>
  shape('triangle', [], { points: points.flatMap((p) => [...p, 0]) });

const SHAPES: Record<string, Placed> = {
  sphere: shape('sphere', [0.5]),
  capsule: shape('capsule', [0.2, 0.5]),
  'capsule without length': shape('capsule', [0.5, 0]),
  box: shape('box', [0.5, 0.5, 0.5]),
  plate: shape('box', [0.5, 1e-4, 0.5]),
  'cube hull': hull(box(0.5, 0.5, 0.5)),
  'cube hull with a margin': { ...hull(box(0.5, 0.5, 0.5)), margin: 0.04 },
  'plate hull': hull(box(0.5, 1e-4, 0.5)),
  'needle hull': hull(box(1e-3, 0.5, 1e-3)),
  tetrahedron: hull([[0.5, 0.5, 0.5], [-0.5, -0.5, 0.5], [-0.5, 0.5, -0.5], [0.5, -0.5, -0.5]]),
  'sliver tetrahedron': hull([[0.5, 0, 0], [-0.5, 0, 0], [0.1, 1e-3, 0.3], [0.1, -1e-3, 0.2]]),
  'sixty-four corners': hull(
    Array.from({ length: 64 }, (_, i) => {
      const [a, y] = [i * 2.39996, (2 * i + 1) / 64 - 1];
      const r = Math.sqrt(1 - y * y) / 2;
      return [r * Math.cos(a), y / 2, r * Math.sin(a)];
    }),
  ),
  cylinder: shape('cylinder', [0.5, 0.5]),
  coin: shape('cylinder', [0.5, 1e-4]),
  wire: shape('cylinder', [1e-4, 0.5]),
  cone: shape('cone', [0.5, 0.5]),
  'cone with a margin': shape('cone', [0.5, 0.5], { margin: 0.04 }),
  triangle: triangle([0.5, 0, 0.5], [-0.5, 0, 0.5], [0, 0, -0.5]),
  'triangle with a margin': { ...triangle([0.5, 0, 0.5], [-0.5, 0, 0.5], [0, 0, -0.5]), margin: 0.04 },
  'sliver triangle': triangle([0.5, 0, 0], [-0.5, 0, 0], [0.1, 0, 1e-6]),
  'collinear triangle': triangle([0.5, 0, 0], [-0.5, 0, 0], [0.1, 0, 0]),
  'triangle with two equal corners': triangle([0.5, 0, 0.2], [0.5, 0, 0.2], [-0.5, 0, 0]),
  multisphere: shape('multisphere', [], { points: [0.3, 0, 0, 0.2, -0.3, 0, 0, 0.2, 0, 0.3, 0, 0.2] }),
  'concentric balls': shape('multisphere', [], { points: [0, 0, 0, 0.5, 0, 0, 0, 0.3, 0, 0, 0, 0.5] }),
  'flat hull': degenerate([0.5, 0, 0.5], [0.5, 0, -0.5], [-0.5, 0, -0.5], [-0.5, 0, 0.5]),
  segment: degenerate([0, -0.5, 0], [0, 0.5, 0]),
  'segment of collinear and duplicate points': degenerate([0, -0.5, 0], [0, 0, 0], [0, 0.2, 0], [0, 0.5, 0], [0, 0.5, 0]),
  point: degenerate([0, 0, 0]),
}; // biome-ignore format: points in lines

const TURNS: Record<string, Quat> = {
  'not turned': identity,
  'turned by 1e-6': axisAngle([0.6, 0, 0.8], 1e-6),
  'turned by 1e-7 about y': axisAngle([0, 1, 0], 1e-7),
  'turned by 45°': axisAngle([0, 0, 1], Math.PI / 4),
  'turned by 90°': axisAngle([1, 0, 0], Math.PI / 2),
  'turned anyhow': axisAngle([0.48, 0.6, 0.64], 1.1),
};

/** Places of B: how far it stands off along a direction; 0 is exact touch by the f64 reach, 'in' is the same centre. */
const ALL = process.env['SOAK'] === '1';
const DIRECTIONS: Vec3[] = [
  [0, 1, 0],
  [Math.SQRT1_2, Math.SQRT1_2, 0],
  [0.36, 0.48, -0.8],
];
if (ALL) DIRECTIONS.push([1, 0, 0], [1 / Math.sqrt(3), 1 / Math.sqrt(3), 1 / Math.sqrt(3)]);
const GAPS = ALL ? [0, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3] : [0, -1e-7, 1e-5, -1e-3];

const totals = newTotals();
test.each(Object.keys(SHAPES))('%s with every shape', (name) => {
  const names = Object.keys(SHAPES);
  const wrong: string[] = [];
  for (const other of names.slice(names.indexOf(name)))
    for (const [turn, rotation] of Object.entries(TURNS)) {
      const a = rounded(SHAPES[name]!);
      const turned = { ...SHAPES[other]!, rotation };
      const run = (place: string, b: Placed) => {
        try {
          checkPair(core, a, rounded(b), totals);
        } catch (error) {
          wrong.push(`${name} and ${other}, ${turn}, ${place}: ${(error as Error).message}`);
        }
      };
      run('the same place', turned);
      run('contained', { ...turned, position: [0.01, -0.003, 0.002] });
      const [ca, cb] = [new Convex64(a), new Convex64(rounded(turned))];
      for (const n of DIRECTIONS)
        for (const gap of GAPS) {
          const off = ca.reach(...n) + cb.reach(-n[0], -n[1], -n[2]) + gap;
          run(`${gap} apart along ${n}`, { ...turned, position: n.map((c) => c * off) as Vec3 });
        }
      // A grain on the larger one.
      const n: Vec3 = [0, 1, 0];
      if (turned.kind === 'box' || turned.kind === 'cylinder' || turned.kind === 'cone') {
        const grain = { ...turned, params: turned.params.map((p) => p / 1000) };
        const off = ca.reach(...n) + new Convex64(rounded(grain)).reach(0, -1, 0);
        run('a thousandth, touching', { ...grain, position: [0, off, 0] });
        run('a thousandth, inside', { ...grain, position: [0, off / 2, 0] });
      }
    }
  expect(wrong.slice(0, 10).join('\n'), `${wrong.length} wrong`).toBe('');
});

test('that were enough pairs', () => {
  if (process.env['PAIRS_REPORT'] !== undefined) console.log(JSON.stringify(totals));
  expect(totals.pairs).toBeGreaterThan(ALL ? 80_000 : 30_000);
});
