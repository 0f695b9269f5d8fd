// The first time at which the distance of two moving convex shapes equals a target distance. In: two shapes (only their
// geometry is read), a Motion for each. Out: the fraction, and an Impact. Conservative advancement: on an interval [t,
// t'] the separation along the axis of least distance at t is proven to stay at or above the target, so the distance
// does, too; then a new axis is chosen. Mirtich, "Impulse-based Dynamic Simulation" (1996); root finding on the axis as
// in Catto, "Continuous Collision" (GDC 2013), with bounds that hold for any rotation.
//
// A large body that rotates slowly, such as a drum, is seen from a frame that rotates with it. In a fixed frame the far
// ends of its walls move fast along the axis, and next to nothing could be proven at once.

import { turn } from '../bodies/finalize';
import {
  add,
  addScaled,
  conjugate,
  cross,
  dot,
  identityQuat,
  length,
  lengthSquared,
  mulQuat,
  neg,
  normalizeOr,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import {
  IMPACT_HIT,
  IMPACT_LIMIT,
  IMPACT_NONE,
  IMPACT_OVERLAP,
  IMPACT_TOUCHING,
  SHAPE_CAPSULE,
  SHAPE_PLANE,
} from '../memory/constants';
import { Impact, Shape } from '../memory/records';
import { MovingShapes } from '../memory/values';
import { coreRadius, support } from '../narrowphase/convex';
import { ConvexQuery, Cores, startQuery } from '../narrowphase/convexPair';
import { coreDistance } from '../narrowphase/gjk';
import { convexSize, quatAxisY } from '../shapes/shape';
import { MISS, ROUNDING, TOI_KEPT, TOI_LEAST_AHEAD, TOI_MOST_AHEAD, TOI_SLOW } from '../tolerances';

/** What is looked for: a distance of the shapes, m, up to a fraction of their motions. @value */
export class Goal {
  maxFraction: f32;
  target: f32;
}

/** A goal, and how much farther than it is near enough, m. @value */
class Span {
  maxFraction: f32;
  target: f32;
  tolerance: f32;
}

/** A fraction of the motions, and the distance there, m. @value */
class Reached {
  fraction: f32;
  distance: f32;
}

const MOST_ITERATIONS: i32 = 32;
/** Most evaluations per axis. One costs about a twentieth of a distance. */
const MOST_EVALUATIONS: i32 = 128;

/** Both shapes at a fraction, relative to A's centre of rotation, and the current axis. @unmanaged */
class Sweep {
  qA: v128;
  qB: v128;
  originA: v128;
  originB: v128;
  between: v128; // from A's centre of rotation to B's, at the start
  relative: v128; // displacement of B's centre relative to A's
  velocity: v128; // of B's centre relative to A's at the start, as seen from the frame, per fraction
  axis: v128;
  radii: f32;
  reachA: f32; // m, largest distance of the core's points from the centre of rotation
  reachB: f32;
  turnA: v128; // rotation vectors, as seen from the frame
  turnB: v128;
  back: v128; // rotation from the frame to the world, at the current fraction
  sway: f32; // bound on the change of turnA, which is constant in a frame that does not rotate
  drift: f32; // bound on the change of this velocity
  carried: i32; // 1: the frame rotates with B
  plane: i32; // B is a plane: its normal is the axis
  evaluations: i32;
  query: ConvexQuery; // of the last distance
}
const SWEEP: usize = memory.data(offsetof<Sweep>(), 16);
/** @inline */
function sweep(): Sweep {
  return changetype<Sweep>(SWEEP);
}

/**
 * The fraction of both motions at which the distance of the shapes is that of the goal; MISS if there
 * is none. Never later than the exact time, and earlier by at most half the target (or a millionth of the size) along
 * the normal. Shapes that are that close at the start give 0. One of them may be a plane.
 */
export function timeOfImpact(m: MovingShapes, goal: Goal, impact: Impact): f32 {
  if (m.a.type < SHAPE_PLANE) return advance(m, goal, impact);
  const t = advance(new MovingShapes(m.b, m.a, m.motionB, m.motionA), goal, impact);
  if (t == MISS) return t;
  impact.normal = neg(impact.normal);
  return t;
}

function advance(m: MovingShapes, goal: Goal, impact: Impact): f32 {
  const a = m.a;
  const b = m.b;
  const maxFraction = goal.maxFraction;
  const w = begin(m);
  const sizeA = convexSize(a);
  const sizeB = w.plane ? sizeA : convexSize(b);
  const size = sizeA + sizeB;
  const target = w.radii > 0 || w.plane ? goal.target : max(goal.target, <f32>2 * ROUNDING * size);
  const tolerance = max<f32>(<f32>0.5 * target, <f32>0.5 * ROUNDING * size);
  const span = new Span(maxFraction, target, tolerance);
  impact.state = IMPACT_NONE;
  impact.iterations = 0;
  impact.separation = 0;

  let t: f32 = 0;
  w.axis = normalizeOr(w.between, vec3(0, 1, 0));
  // Spheres that are at the centres of rotation move along straight lines.
  if (!w.plane && w.reachA + w.reachB == 0) {
    t = sphereSphere(w, maxFraction, target);
    if (t > maxFraction) return MISS;
  }
  let before: f32 = 0;
  let farther: f32 = 0;
  let axisBefore = w.axis;
  for (let i = 1; i <= MOST_ITERATIONS; i++) {
    impact.iterations = i;
    place(w, m, t);
    const d = w.plane ? planeDistance(w, a) : distanceNow(w, m);
    if (d <= target + tolerance) {
      const overlaps = d <= -w.radii && !w.plane;
      impact.state = t > 0 ? IMPACT_HIT : overlaps ? IMPACT_OVERLAP : IMPACT_TOUCHING;
      return finish(w, m, new Reached(t, d), impact);
    }
    if (i == MOST_ITERATIONS) break;
    const axis = w.axis;
    let next = t;
    const way = t - before;
    if (i > 3 && !w.plane && d > TOI_SLOW * farther && d < farther) {
      // The axis rotates as the shapes approach: an axis extrapolated to the time of contact allows a larger advance.
      let ahead = min<f32>(TOI_MOST_AHEAD, (d - target) / (farther - d));
      while (ahead > TOI_LEAST_AHEAD && next == t) {
        w.axis = normalizeOr(addScaled(axis, sub(axis, axisBefore), ahead), axis);
        const s = separationAt(w, m, t);
        if (s - target > TOI_KEPT * (d - target)) next = advanceAlongAxis(w, m, new Reached(t, s), span);
        ahead *= 0.5;
      }
    }
    if (next <= t + way) {
      w.axis = axis;
      next = max(next, advanceAlongAxis(w, m, new Reached(t, d), span));
    }
    before = t;
    farther = d;
    axisBefore = axis;
    if (next > maxFraction) {
      impact.evaluations = w.evaluations;
      return MISS;
    }
    if (next <= t) break; // the limit of f32 fractions
    t = next;
  }
  impact.state = IMPACT_LIMIT;
  return finish(w, m, new Reached(t, target), impact);
}

/** Values that all queries about the two shapes need. */
function begin(m: MovingShapes): Sweep {
  const a = m.a;
  const b = m.b;
  const mA = m.motionA;
  const mB = m.motionB;
  const w = sweep();
  w.plane = b.type == SHAPE_PLANE ? 1 : 0;
  w.radii = coreRadius(a) + (w.plane ? <f32>0 : coreRadius(b));
  w.between = sub(sub(mB.position, mB.arm), sub(mA.position, mA.arm));
  w.relative = sub(mB.delta, mA.delta);
  w.velocity = w.relative;
  w.turnA = mA.turn;
  w.turnB = mB.turn;
  w.sway = 0;
  w.drift = 0;
  w.carried = 0;
  w.back = identityQuat();
  w.evaluations = 0;
  w.reachA = length(mA.arm) + coreSize(a);
  // For a rotating plane, the part that A can reach.
  w.reachB = w.plane
    ? length(mB.arm) + length(w.between) + length(w.relative) + w.reachA
    : length(mB.arm) + coreSize(b);
  if (!w.plane) rotateFrame(w);
  return w;
}

/**
 * Lets the frame rotate with B if this bounds the motion better. In that frame the velocity of B's centre relative to A's is
 * x' = v − ω × x, where v rotates by −ω: |x''| ≤ 2|ω||v| + |ω|²|x|.
 */
function rotateFrame(w: Sweep): void {
  const turning = length(w.turnB);
  const way = length(w.relative);
  const sway = length(w.turnA) * turning;
  const drift = turning * (<f32>2 * way + turning * (length(w.between) + way));
  if (!(drift + sway * w.reachA < turning * w.reachB)) return;
  w.carried = 1;
  w.sway = sway;
  w.drift = drift;
  w.velocity = sub(w.relative, cross(w.turnB, w.between));
  w.turnA = sub(w.turnA, w.turnB);
  w.turnB = zero();
}

/**
 * Whether the separation of two convex shapes along n, from a to b, stays at least `least`, or at the separation at the
 * start if that is smaller. A separation along one axis holds for the shapes, so true is a proof; false proves nothing.
 */
export function staysApart(m: MovingShapes, n: v128, least: f32, sink: f32): bool {
  const w = begin(m);
  w.axis = n;
  const start = separationAt(w, m, 0);
  const end = separationAt(w, m, 1);
  return min(start, end) - <f32>0.125 * bendAlong(w, n) >= min(least, start - sink);
}

/** Greatest rotation of A about directions across n, as seen from the frame. */
function acrossA(w: Sweep, n: v128): f32 {
  return length(cross(n, w.turnA)) + w.sway;
}

function acrossB(w: Sweep, n: v128): f32 {
  return length(cross(n, w.turnB));
}

/**
 * Bound on the second derivative of a separation along n: |n·(ω × (ω × Rp))| = |(n × ω)·(ω × Rp)| ≤ |n × ω||ω||p|.
 * @inline
 */
function bendAlong(w: Sweep, n: v128): f32 {
  return (
    acrossA(w, n) * (length(w.turnA) + w.sway) * w.reachA +
    acrossB(w, n) * length(w.turnB) * w.reachB +
    (w.sway * w.reachA + w.drift)
  );
}

/** Whether the distance of the shapes, none of them a plane, is below `target` at fraction t of both motions. */
export function near(m: MovingShapes, t: f32, target: f32): bool {
  const w = begin(m);
  place(w, m, t);
  w.axis = sub(w.originB, w.originA);
  const reach = <f64>(w.radii + target);
  return distanceOfCores(w, m, reach) <= reach;
}

/** m. Largest distance of the core from the shape's origin. */
function coreSize(s: Shape): f32 {
  return convexSize(s) - (s.type <= SHAPE_CAPSULE ? s.param0 : 0);
}

/** Solves |between + t·relative| = radii + target for the first t. */
function sphereSphere(w: Sweep, maxFraction: f32, target: f32): f32 {
  const p = w.between;
  const px = <f64>x(p);
  const py = <f64>y(p);
  const pz = <f64>z(p);
  const vx = <f64>x(w.relative);
  const vy = <f64>y(w.relative);
  const vz = <f64>z(w.relative);
  const r = <f64>w.radii + <f64>target;
  const c = px * px + py * py + pz * pz - r * r;
  if (c <= 0) return 0;
  const v2 = vx * vx + vy * vy + vz * vz;
  const b = px * vx + py * vy + pz * vz;
  if (b >= 0) return MISS;
  const discriminant = b * b - v2 * c;
  if (discriminant < 0) return MISS;
  const t = c / (-b + sqrt<f64>(discriminant));
  return t > <f64>maxFraction ? MISS : <f32>t;
}

/** Sets the poses of both at fraction t. */
function place(w: Sweep, m: MovingShapes, t: f32): void {
  const mA = m.motionA;
  const mB = m.motionB;
  if (lengthSquared(mA.turn) == 0) {
    w.qA = mA.rotation;
    w.originA = mA.arm;
  } else {
    const q = turn(identityQuat(), scale(mA.turn, t));
    w.qA = mulQuat(q, mA.rotation);
    w.originA = rotate(q, mA.arm);
  }
  const between = addScaled(w.between, w.relative, t);
  if (lengthSquared(mB.turn) == 0) {
    w.qB = mB.rotation;
    w.originB = add(between, mB.arm);
  } else {
    const q = turn(identityQuat(), scale(mB.turn, t));
    if (w.carried) {
      const back = conjugate(q);
      w.back = q;
      w.qA = mulQuat(back, w.qA);
      w.originA = rotate(back, w.originA);
      w.qB = mB.rotation;
      w.originB = add(rotate(back, between), mB.arm);
    } else {
      w.qB = mulQuat(q, mB.rotation);
      w.originB = add(between, rotate(q, mB.arm));
    }
  }
}

/** Distance of the cores as they are placed, or above `reach`. GJK starts along the axis. */
function distanceOfCores(w: Sweep, m: MovingShapes, reach: f64): f64 {
  const q = mulQuat(conjugate(w.qA), w.qB);
  const from = rotateInverse(w.qA, sub(w.originB, w.originA));
  const query = startQuery(q, from);
  w.query = query;
  const guess = lengthSquared(w.axis) > 0 ? rotateInverse(w.qA, w.axis) : vec3(0, 1, 0);
  const size = <f64>(convexSize(m.a) + convexSize(m.b));
  return coreDistance(new Cores(query, m.a, m.b, size), guess, reach);
}

/** Distance of the surfaces, with the axis from A to B; −radii if the cores overlap. */
function distanceNow(w: Sweep, m: MovingShapes): f32 {
  const d = distanceOfCores(w, m, Infinity);
  const query = w.query;
  if (d <= 0) return -w.radii;
  const inverse = -1 / d;
  const n = vec3(
    <f32>(query.nearestX * inverse),
    <f32>(query.nearestY * inverse),
    <f32>(query.nearestZ * inverse),
  );
  w.axis = normalizeOr(rotate(w.qA, n), w.axis);
  return <f32>d - w.radii;
}

/** A's support point along the axis. */
function farthest(w: Sweep, a: Shape): v128 {
  return add(w.originA, rotate(w.qA, support(a, rotateInverse(w.qA, w.axis))));
}

function planeDistance(w: Sweep, a: Shape): f32 {
  w.axis = neg(quatAxisY(w.qB));
  return dot(w.axis, sub(w.originB, farthest(w, a))) - w.radii;
}

/** Separation along the axis at fraction t. */
function separationAt(w: Sweep, m: MovingShapes, t: f32): f32 {
  w.evaluations++;
  place(w, m, t);
  if (w.plane) return planeDistance(w, m.a);
  const pA = farthest(w, m.a);
  const pB = add(w.originB, rotate(w.qB, support(m.b, rotateInverse(w.qB, neg(w.axis)))));
  return dot(w.axis, sub(pB, pA)) - w.radii;
}

/**
 * The end of an interval from t on over which the separation along the axis is at least `target`: the first time at
 * which the separation falls to the target, or the first for which it could not be proven; MISS if there is none
 * up to maxFraction.
 *
 * On an interval of length L whose ends have separations s₁ and s₂, the separation cannot fall faster than closing +
 * turning nor rise faster than turning − closing, so its minimum is at least (s₁(ρ − c) + s₂(ρ + c) − (ρ² − c²)L) / 2ρ.
 * If closing exceeds turning, the separation falls all the way, and the minimum is s₂. Its second derivative is at most
 * κ, so the minimum is also at least min(s₁, s₂) − κL²/8, which is better for grazing motion. Both bounds hold for the
 * least of many points, since each of them is at least as far away at the ends.
 */
function advanceAlongAxis(w: Sweep, m: MovingShapes, from: Reached, span: Span): f32 {
  const t = from.fraction;
  const maxFraction = span.maxFraction;
  const target = span.target;
  const n = w.axis;
  const c = -dot(n, w.velocity);
  // |d/dt n·(Rp)| = |(n × ω)·Rp| ≤ |n × ω||p|; a plane's own axis rotates by |ω|.
  const rho = w.plane
    ? acrossA(w, n) * w.reachA + length(w.turnB) * (w.reachA + w.reachB)
    : acrossA(w, n) * w.reachA + acrossB(w, n) * w.reachB + w.drift;
  const fall = c + rho;
  let gap = from.distance - target;
  if (fall <= 0 || gap >= fall * (maxFraction - t)) return MISS;
  if (rho == 0) return t + gap / fall;
  // The axis is finished between target and target + tolerance / 2.
  const near = <f32>0.5 * span.tolerance;
  // Where it falls all the way a bend hides nothing. An own axis of B that rotates has no bound.
  let bend: f32 = 0;
  if (c < rho) bend = w.plane && lengthSquared(w.turnB) > 0 ? <f32>1e30 : bendAlong(w, n);
  // Use intervals that the bounds prove. The first one is the whole rest, which proves most misses; later ones end where the
  // separation should be as small as their bend allows.
  let low = t;
  let high = maxFraction;
  let end: f32 = 0; // what the separation at `high` lacks, if it lacks something
  let most = high - low;
  for (let i = 0; i < MOST_EVALUATIONS; i++) {
    let interval = min(high - low, most);
    if (end < 0) {
      const root = ((high - low) * gap) / (gap - end);
      const aim = <f32>0.5 * near + <f32>0.125 * bend * root * root;
      interval = min(interval, root * max<f32>(0.25, <f32>1 - aim / gap));
    }
    // The part that the largest falling speed alone proves.
    const safe = gap / fall;
    const isSafe = !(interval > safe);
    if (isSafe) interval = safe;
    const value = separationAt(w, m, low + interval) - target;
    const least = (gap * (rho - c) + value * (rho + c) - (rho - c) * (rho + c) * interval) / (<f32>2 * rho);
    const level = min(gap, value) - <f32>0.125 * bend * interval * interval;
    if (isSafe || (value >= 0 && max(least, level) >= 0)) {
      low += interval;
      gap = value;
      most = <f32>4 * interval;
      end *= <f32>0.5; // the Illinois rule: a fall that steepens would be followed in ever smaller intervals
    } else if (value < 0) {
      high = low + interval;
      end = value;
    } else {
      most = <f32>0.25 * interval;
    }
    if (low >= maxFraction || gap >= fall * (maxFraction - low)) return MISS;
    if (gap <= near || high - low <= <f32>1e-7) break;
  }
  return low;
}

function finish(w: Sweep, m: MovingShapes, at: Reached, impact: Impact): f32 {
  const a = m.a;
  const mA = m.motionA;
  const d = at.distance;
  impact.evaluations = w.evaluations;
  impact.separation = d;
  impact.normal = rotate(w.back, w.axis);
  let middle: v128;
  if (w.plane) {
    middle = addScaled(farthest(w, a), w.axis, w.radii + <f32>0.5 * d);
  } else {
    // Closest points of the cores are in A's frame. Overlapping cores have none.
    const known = impact.state != IMPACT_OVERLAP && impact.state != IMPACT_LIMIT;
    const cores = known
      ? scale(add(w.query.witnessA, w.query.witnessB), <f32>0.5)
      : rotateInverse(w.qA, scale(sub(w.originB, w.originA), <f32>0.5));
    middle = addScaled(
      add(w.originA, rotate(w.qA, cores)),
      w.axis,
      <f32>0.5 * (coreRadius(a) - coreRadius(m.b)),
    );
  }
  impact.point = add(addScaled(sub(mA.position, mA.arm), mA.delta, at.fraction), rotate(w.back, middle));
  return at.fraction;
}
