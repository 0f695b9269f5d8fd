// Whether the core is right about two convex shapes. In: the core, a pair, the worst errors so far. Out: an error that says
// what is wrong, or those errors brought up to date.
// Apart, an answer is its own proof: the normal parts the two by the distance, and its points lie on both and are that far
// apart. Overlapping, the normal parts them after the depth, and no other direction does so sooner.
import { scale, sub, type Vec3 } from '../../physics/support/vector';
import { Convex64, leastOverlap, overlapAlong } from '../../reference/convex64';
import { type Narrowphase, type Placed, sizeOf } from './narrowphase';

/** Of the larger size. */
const TOLERANCE = 1e-4;
/** Of GJK, EPA and what follows, in one question. */
const MOST_ITERATIONS = 64;
/**
 * Of the larger size: contact points on both surfaces. Faces up to 5.7° off the normal are clipped as if they were along it, and
 * balls that reach within 0.02 of the radius as far as the farthest count as one flat face.
 */
const CONTACT_TOLERANCE = 0.02;

export const newTotals = () => ({
  pairs: 0,
  overlapping: 0,
  distance: 0,
  depth: 0,
  witness: 0,
  swap: 0,
  contact: 0,
  iterations: 0,
});
export type PairTotals = ReturnType<typeof newTotals>;

/** `outline`: false for shapes without one, which the API refuses: nothing to clip contact points by. */
export function checkPair(core: Narrowphase, a: Placed, b: Placed, totals: PairTotals, outline = true): void {
  const [ca, cb] = [new Convex64(a), new Convex64(b)];
  const size = Math.max(sizeOf(a), sizeOf(b)) || 1;
  const d = core.distance(a, b);
  const { value, normal, pointA, pointB } = d;
  const numbers = [value, ...normal, ...pointA, ...pointB];
  if (!numbers.every(Number.isFinite)) throw new Error(`not finite: ${numbers}`);
  const fail = (what: string, error: number) => {
    throw new Error(`${what} is wrong by ${error} of the size; distance ${value}, normal ${normal}`);
  };
  const count = () => {
    const used = core.iterations();
    if (used > MOST_ITERATIONS) fail('the number of iterations', used);
    totals.iterations = Math.max(totals.iterations, used);
  };
  count();
  const within = (what: string, error: number, key: 'distance' | 'depth' | 'witness' | 'swap') => {
    if (!(error / size <= TOLERANCE)) fail(what, error / size);
    totals[key] = Math.max(totals[key], error / size);
  };
  if (!(Math.abs(Math.hypot(...normal) - 1) < 2e-6))
    fail('the length of the normal', Math.hypot(...normal) - 1);
  const l = Math.hypot(...normal);
  const n = normal.map((c) => c / l) as Vec3;
  // The normal parts the two by the distance, or after the depth.
  const along = -overlapAlong(ca, cb, ...n);
  within('the separation along the normal', Math.abs(along - value), value > 0 ? 'distance' : 'depth');
  const between = sub(pointB, pointA);
  const gap = between[0] * n[0] + between[1] * n[1] + between[2] * n[2];
  within('the way between the points', Math.abs(gap - value), 'witness');
  const aside = Math.hypot(...between.map((c, k) => c - gap * n[k]!));
  within('what the points are aside of each other', aside, 'witness');
  within('the point of A', ca.outside(pointA, n), 'witness');
  within('the point of B', cb.outside(pointB, scale(n, -1)), 'witness');
  // Points on the rim of the whole, not inside: the one of A is as far along n as A reaches.
  let truth = along;
  if (value <= 0) {
    totals.overlapping++;
    truth = -leastOverlap(ca, cb, n);
    within('the depth', truth - value, 'depth');
  }
  const swapped = core.distance(b, a);
  count();
  within('the distance of the pair swapped', Math.abs(swapped.value - value), 'swap');
  const lower = core.gap(a, b);
  count();
  if (lower > Math.max(0, value) + TOLERANCE * size) fail('the gap', (lower - value) / size);
  // Overlap always gives a contact, and the contact is as deep.
  const m = core.collide(a, b, 0);
  count();
  if (m.count === 0) {
    if (truth < -1e-6 * size) fail('that there is no contact', -truth / size);
    if (m.gap > value + TOLERANCE * size) fail('the gap of the manifold', (m.gap - value) / size);
  } else {
    within('the depth of the contact', Math.abs(m.deepest - truth), 'depth');
    if (!(Math.abs(Math.hypot(...m.normal) - 1) < 2e-6)) fail('the normal of the contact', 1);
    // B moved by that along the normal no longer overlaps.
    within(
      'the way out along the normal of the contact',
      overlapAlong(ca, cb, ...m.normal) + m.deepest,
      'depth',
    );
    // Where they touch, each point is amid a point of A and one of B.
    const shallow = value > -0.1 * Math.min(sizeOf(a), sizeOf(b));
    // Hulls without volume, which the API refuses, have no outline to clip by.
    const flat = [a, b].some(
      (s) => s.kind === 'multisphere' && s.points!.every((r, i) => i % 4 < 3 || r === 0),
    );
    if (shallow && !flat && outline)
      m.points.forEach((p, i) => {
        const half = 0.5 * m.separations[i]!;
        const at = (s: number) => p.map((c, k) => c + s * half * m.normal[k]!) as Vec3;
        const error = Math.max(ca.outside(at(-1), m.normal), cb.outside(at(1), scale(m.normal, -1))) / size;
        if (!(error <= CONTACT_TOLERANCE)) fail(`contact point ${i} of ${m.count}`, error);
        totals.contact = Math.max(totals.contact, error);
      });
  }
  totals.pairs++;
}
