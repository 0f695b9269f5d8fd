// One impact: all manifolds that collide at the same time in bodies that touch. In: the manifold that came into
// contact, and its time. Out: velocities after the impact, and positions as if the bodies had moved with these
// velocities since the time of the impact.
//
// All contacts at which bodies approach take part, each point with Newton's law: 0 ≤ p ⊥ u⁺ + e·u⁻ ≥ 0. An elastic body
// that rests against these bodies is hit by a separate, next impact (impacts.ts), so that motion passes through a row
// as in Newton's cradle. Bodies that cannot move or have no restitution take part in the same impact. This is the
// generalized reflection of B. Smith, D. Kaufman, E. Vouga, R. Tamstorf, E. Grinspun, "Reflections on simultaneous
// impact" (2012), with Coulomb friction. Each manifold is solved exactly, one after the other until none changes. An
// impact never adds energy: where friction would (T. Kane, D. Levinson, "Dynamics", 1985), the restitution is reduced.

import { applyInverseInertia } from '../bodies/massProperties';
import { turnsFar } from '../contacts/speculate';
import { System, solveComplementarity } from '../math/complementarity';
import { add, addScaled, cross, dot, mul, neg, scale, sub, vec3, x, y, z, zero } from '../math/vector';
import { BODY_DYNAMIC, BODY_TURNED, LIST_CONCAVE, LIST_SOLVED } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import {
  BlockMeta,
  Body,
  ContactBlock,
  ContactPointWide,
  ImpactManifold,
  Pair,
  StruckBody,
  World,
} from '../memory/records';
import {
  blockAt,
  bodyAt,
  growTable,
  IMPACT_MANIFOLD_SIZE,
  jointAt,
  metaAt,
  POINT_SIZE,
  POINTS_OFFSET,
  pairAt,
  STRUCK_SIZE,
  velocityAt,
  world,
} from '../memory/tables';
import { IMPACT_APPROACH, IMPACT_CONVERGED, INFINITE, ROUNDING, TOUCH } from '../tolerances';
import { context } from './context';
import { isJointed, isWorking, nextLink } from './joints/links';
import { locksOf } from './joints/types';

/** Most manifolds in one impact. A larger impact is left to the passes of the substep. */
const MOST_IMPACTS = 128;
const SWEEPS = 40;
/**
 * Most solved manifolds in an impact of few manifolds. A heavy body on a light one that is held needs as many sweeps as
 * the ratio of their masses.
 */
const BUDGET = 2000;
/** Rounds of the search for contacts that support the bodies against the impact. */
const ROUNDS = 6;

/** @inline */
export function impactManifoldAt(i: i32): ImpactManifold {
  return changetype<ImpactManifold>(<usize>world().impactManifolds + <usize>i * IMPACT_MANIFOLD_SIZE);
}
/** @inline */
export function struckAt(i: i32): StruckBody {
  return changetype<StruckBody>(<usize>world().struck + <usize>i * STRUCK_SIZE);
}

/** @inline */
function row(s: ImpactManifold, field: usize, i: i32): f32 {
  return load<f32>(changetype<usize>(s) + field + ((<usize>i) << 2));
}
/** @inline */
function setRow(s: ImpactManifold, field: usize, i: i32, value: f32): void {
  store<f32>(changetype<usize>(s) + field + ((<usize>i) << 2), value);
}

/** Reads the lane into `s`, with the motion of its bodies in this step so far. */
export function readImpactManifold(s: ImpactManifold, index: i32): void {
  const lane = (<usize>(index & 3)) << 2;
  const c = changetype<usize>(blockAt(index >> 2)) + lane;
  const m = changetype<usize>(metaAt(index >> 2)) + lane;
  s.index = index;
  s.bodyA = load<i32>(c, offsetof<ContactBlock>('bodyA'));
  s.bodyB = load<i32>(c, offsetof<ContactBlock>('bodyB'));
  const n = get3(c + offsetof<ContactBlock>('normalX'));
  const t1 = get3(c + offsetof<ContactBlock>('tangentX'));
  const t2 = cross(n, t1);
  const rA = get3(c + offsetof<ContactBlock>('centerAX'));
  const rB = get3(c + offsetof<ContactBlock>('centerBX'));
  s.normal = n;
  s.tangent1 = t1;
  s.tangent2 = t2;
  s.rA = rA;
  s.rB = rB;
  s.count = load<i32>(m, offsetof<BlockMeta>('pointCount'));
  s.friction = load<f32>(c, offsetof<ContactBlock>('friction'));
  s.restitution = load<f32>(m, offsetof<BlockMeta>('restitution'));
  s.kNN = load<f32>(c, offsetof<ContactBlock>('kNN'));
  s.kN1 = load<f32>(c, offsetof<ContactBlock>('kN1'));
  s.kN2 = load<f32>(c, offsetof<ContactBlock>('kN2'));
  s.k11 = load<f32>(c, offsetof<ContactBlock>('k11'));
  s.k12 = load<f32>(c, offsetof<ContactBlock>('k12'));
  s.k22 = load<f32>(c, offsetof<ContactBlock>('k22'));
  s.tangentMass11 = load<f32>(c, offsetof<ContactBlock>('tangentMass11'));
  s.tangentMass12 = load<f32>(c, offsetof<ContactBlock>('tangentMass12'));
  s.tangentMass22 = load<f32>(c, offsetof<ContactBlock>('tangentMass22'));
  s.twistMass = load<f32>(c, offsetof<ContactBlock>('twistMass'));
  s.surface = zero();
  if (load<i32>(m, offsetof<BlockMeta>('kinematic')) != 0)
    s.surface = vec3(
      load<f32>(m, offsetof<BlockMeta>('surfaceVelocity1')),
      load<f32>(m, offsetof<BlockMeta>('surfaceVelocity2')),
      load<f32>(m, offsetof<BlockMeta>('surfaceSpin')),
    );
  const vA = velocityAt(s.bodyA);
  const vB = velocityAt(s.bodyB);
  const turning = sub(vB.deltaRotation, vA.deltaRotation);
  const shift = sub(
    add(vB.deltaPosition, cross(vB.deltaRotation, rB)),
    add(vA.deltaPosition, cross(vA.deltaRotation, rA)),
  );
  const movedN = dot(n, shift);
  const moved1 = dot(turning, t1);
  const moved2 = dot(turning, t2);
  let loaded = false;
  for (let i = 0; i < 4; i++) {
    const p = c + POINTS_OFFSET + <usize>i * POINT_SIZE;
    const a = load<f32>(p, offsetof<ContactPointWide>('a'));
    const b = load<f32>(p, offsetof<ContactPointWide>('b'));
    setRow(s, offsetof<ImpactManifold>('a'), i, a);
    setRow(s, offsetof<ImpactManifold>('b'), i, b);
    const separation = load<f32>(p, offsetof<ContactPointWide>('separation'));
    setRow(s, offsetof<ImpactManifold>('gap'), i, separation + movedN + b * moved1 - a * moved2);
    setRow(s, offsetof<ImpactManifold>('lever'), i, load<f32>(p, offsetof<ContactPointWide>('lever')));
    if (i < s.count && load<f32>(p, offsetof<ContactPointWide>('impulse')) > 0) loaded = true;
  }
  // A contact under load is in balance: its forces do not accelerate it.
  s.acceleration = loaded ? 0 : context().inverseH * (gainAlong(n, s.bodyB) - gainAlong(n, s.bodyA));
}

/** Speed along n that forces give the body in a substep. */
function gainAlong(n: v128, slot: i32): f32 {
  return bodyAt(slot).type == BODY_DYNAMIC ? dot(n, velocityAt(slot).forceLinear) : 0;
}

/**
 * Result of `motion`: (speed along n, angular speed about t1, t2), then (sliding along t1, t2, angular speed about n).
 */
const MOTION: usize = memory.data(32, 16);

/** Relative motion at the end of the substep without obstacles. */
function motion(s: ImpactManifold): void {
  const vA = velocityAt(s.bodyA);
  const vB = velocityAt(s.bodyB);
  motionOf(s, new PairVelocity(vA.linear, vA.angular, vB.linear, vB.angular));
}

/**
 * Like `motion`, without the velocities of warm starting. They are a guess at what the contacts will do in this substep, which
 * the passes correct; an impact that reflects them makes energy of the guess.
 */
function ownMotion(s: ImpactManifold): void {
  const vA = velocityAt(s.bodyA);
  const vB = velocityAt(s.bodyB);
  const ownA = bodyAt(s.bodyA).type == BODY_DYNAMIC;
  const ownB = bodyAt(s.bodyB).type == BODY_DYNAMIC;
  motionOf(
    s,
    new PairVelocity(
      ownA ? vA.baseLinear : vA.linear,
      ownA ? vA.baseAngular : vA.angular,
      ownB ? vB.baseLinear : vB.linear,
      ownB ? vB.baseAngular : vB.angular,
    ),
  );
}

/** Velocities of two bodies. @value */
class PairVelocity {
  linearA: v128;
  angularA: v128;
  linearB: v128;
  angularB: v128;
}

function motionOf(s: ImpactManifold, v: PairVelocity): void {
  const u = sub(add(v.linearB, cross(v.angularB, s.rB)), add(v.linearA, cross(v.angularA, s.rA)));
  const w = sub(v.angularB, v.angularA);
  v128.store(MOTION, vec3(dot(u, s.normal), dot(w, s.tangent1), dot(w, s.tangent2)));
  const slip = vec3(dot(u, s.tangent1), dot(u, s.tangent2), dot(w, s.normal));
  v128.store(MOTION, add(slip, s.surface), 16);
}

/** Normal speed of such a motion at point i. @inline */
function atPoint(s: ImpactManifold, u: v128, i: i32): f32 {
  return (
    x(u) + row(s, offsetof<ImpactManifold>('b'), i) * y(u) - row(s, offsetof<ImpactManifold>('a'), i) * z(u)
  );
}

/**
 * Time from `now` on at which the first point of the lane comes into contact faster than `threshold`; above the
 * substep's length if none does. Gravity acts on the true parabola: s + v₀t + ½at² = 0, with v₀ the speed at the start.
 */
export function arrivalTime(s: ImpactManifold, now: f32, threshold: f32): f32 {
  const h = context().h;
  ownMotion(s);
  const own = v128.load(MOTION);
  motion(s);
  const u = v128.load(MOTION);
  let time: f32 = INFINITE;
  for (let i = 0; i < s.count; i++) {
    const end = atPoint(s, u, i);
    if (!(s.acceleration * (h - now) - atPoint(s, own, i) > threshold)) continue;
    const v0 = end - s.acceleration * h;
    const v = v0 + s.acceleration * now;
    const start = row(s, offsetof<ImpactManifold>('gap'), i);
    const gap = start + (v0 + <f32>0.5 * s.acceleration * now) * now;
    if (gap <= 0) {
      if (-v > threshold) time = min(time, now);
      continue;
    }
    const square = v * v - <f32>2 * s.acceleration * gap;
    if (!(square > threshold * threshold)) continue;
    const speed = sqrt<f32>(square);
    if (!(speed - v > 0)) continue;
    // The passes move bodies with the velocity at the end of the substep, a little farther than the parabola: such
    // contacts count.
    const t = now + (<f32>2 * gap) / (speed - v);
    if (t <= h || start + end * h < 0) time = min(time, min(t, h));
  }
  return time;
}

/** Finds the points in contact at `now`; returns the approach speed of the fastest. */
function findTouching(s: ImpactManifold, now: f32): f32 {
  const h = context().h;
  motion(s);
  const u = v128.load(MOTION);
  s.later = s.acceleration * (h - now);
  s.touching = 0;
  let most: f32 = 0;
  for (let i = 0; i < s.count; i++) {
    const end = atPoint(s, u, i);
    const gap =
      row(s, offsetof<ImpactManifold>('gap'), i) + (end - s.acceleration * (h - <f32>0.5 * now)) * now;
    if (gap > TOUCH) continue;
    s.touching |= 1 << i;
    most = max(most, s.later - end);
  }
  return most;
}

/**
 * False for bodies that joints lock, whose constraints an impact does not know, and for shapes that rotate far in the step,
 * whose manifolds have only the points of its start. Both are left to the passes of the substep.
 */
export function mayImpact(pair: Pair): bool {
  if (pair.list != LIST_SOLVED) return false;
  if (hasLocks(bodyAt(pair.bodyA)) || hasLocks(bodyAt(pair.bodyB))) return false;
  return !turnsFar(pair, context().dt);
}

/**
 * Whether joints lock a direction of a body that can move. Springs and motors push with finite forces, which change
 * nothing in the moment of an impact; a rope only ends the way.
 */
function hasLocks(b: Body): bool {
  if (!isJointed(b)) return false;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (isWorking(j) && locksOf(j) != 0) return true;
  }
  return false;
}

/**
 * Solves the impact of the lane at time `now` of the substep with all manifolds that take part; its bodies stay listed.
 * Returns false, with nothing changed, if the impact is left to the passes of the substep.
 */
export function solveImpact(index: i32, now: f32): bool {
  const g = world();
  g.impactManifoldCount = 0;
  g.struckCount = 0;
  const fastest = addImpactManifold(index, now);
  if (!(fastest > 0)) return false;
  const spread = new Spread(now, fastest, impactManifoldAt(0).restitution > 0);
  for (let i = 0; i < g.struckCount; i++) joinNeighbours(struckAt(i).slot, spread, false);
  for (let round = 0; round < ROUNDS; round++) {
    if (g.impactManifoldCount > MOST_IMPACTS || g.impactManifoldCount * SWEEPS > context().impactWork) {
      forgetImpact();
      return false;
    }
    if (!solveManifolds(fastest)) return false;
    const before = g.impactManifoldCount;
    for (let i = 0; i < g.struckCount; i++) joinNeighbours(struckAt(i).slot, spread, true);
    if (g.impactManifoldCount == before) break;
  }
  finishImpact(now);
  return true;
}

const NEW: usize = memory.data(offsetof<ImpactManifold>(), 16);

/**
 * Adds the lane to the impact; returns its approach speed. Manifolds are solved in the order of their lanes, because
 * the order of a body's pairs can differ after a snapshot.
 */
function addImpactManifold(index: i32, now: f32): f32 {
  const g = world();
  const s = changetype<ImpactManifold>(NEW);
  memory.fill(NEW, 0, IMPACT_MANIFOLD_SIZE);
  readImpactManifold(s, index);
  const most = findTouching(s, now);
  pushStruck(s.bodyA);
  pushStruck(s.bodyB);
  moveBefore(s); // some manifolds that join move only because of the impact itself
  const u = v128.load(MOTION);
  s.before = f32x4.replace_lane(u, 0, x(u) - s.later);
  s.beforeSlip = v128.load(MOTION, 16);
  ownMotion(s);
  const own = v128.load(MOTION);
  for (let i = 0; i < s.count; i++) {
    const approach = min(-atPoint(s, s.before, i), s.later - atPoint(s, own, i));
    setRow(
      s,
      offsetof<ImpactManifold>('aim'),
      i,
      approach > g.restitutionThreshold ? s.restitution * approach : 0,
    );
  }
  growTable(offsetof<World>('impactManifolds'), g.impactManifoldCount + 1, IMPACT_MANIFOLD_SIZE);
  let place = g.impactManifoldCount++;
  for (; place > 0 && impactManifoldAt(place - 1).index > index; place--)
    memory.copy(
      changetype<usize>(impactManifoldAt(place)),
      changetype<usize>(impactManifoldAt(place - 1)),
      IMPACT_MANIFOLD_SIZE,
    );
  memory.copy(changetype<usize>(impactManifoldAt(place)), NEW, IMPACT_MANIFOLD_SIZE);
  return most;
}

/** Like `motion`, with the velocities before the impact. */
function moveBefore(s: ImpactManifold): void {
  const a = struckOf(s.bodyA);
  const b = struckOf(s.bodyB);
  const vA = velocityAt(s.bodyA);
  const vB = velocityAt(s.bodyB);
  motionOf(
    s,
    new PairVelocity(
      a < 0 ? vA.linear : struckAt(a).linear,
      a < 0 ? vA.angular : struckAt(a).angular,
      b < 0 ? vB.linear : struckAt(b).linear,
      b < 0 ? vB.angular : struckAt(b).angular,
    ),
  );
}

/** Index in the list of struck bodies, −1 if not listed. */
export function struckOf(slot: i32): i32 {
  for (let i = 0; i < world().struckCount; i++) if (struckAt(i).slot == slot) return i;
  return -1;
}

function pushStruck(slot: i32): void {
  const g = world();
  if (slot == 0 || bodyAt(slot).type != BODY_DYNAMIC) return;
  if (struckOf(slot) >= 0) return;
  growTable(offsetof<World>('struck'), g.struckCount + 1, STRUCK_SIZE);
  const b = struckAt(g.struckCount++);
  const v = velocityAt(slot);
  b.slot = slot;
  b.linear = v.linear;
  b.angular = v.angular;
}

/** How an impact spreads to neighbours. @value */
class Spread {
  now: f32; // time in the substep
  fastest: f32; // m/s
  bounces: bool; // the first manifold has restitution
}

function joinNeighbours(slot: i32, spread: Spread, holding: bool): void {
  let link = bodyAt(slot).firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list == LIST_SOLVED) join(pair, spread, holding);
    else if (pair.list == LIST_CONCAVE)
      for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
        join(pairAt(child), spread, holding);
  }
}

const NEIGHBOUR: usize = memory.data(offsetof<ImpactManifold>(), 16);

/** Whether one of the two bodies cannot be moved. */
export function hasFixedSide(s: ImpactManifold): bool {
  return bodyAt(s.bodyA).type != BODY_DYNAMIC || bodyAt(s.bodyB).type != BODY_DYNAMIC;
}

/**
 * Adds a lane that touches and approaches. With `holding`, for contacts that only the impact itself makes approach, it
 * adds only bodies that cannot move or have no restitution: elastic bodies are hit by the next impact. An impact
 * without restitution is not passed on.
 */
function join(pair: Pair, spread: Spread, holding: bool): void {
  const g = world();
  if (g.impactManifoldCount > MOST_IMPACTS || !mayImpact(pair)) return;
  for (let i = 0; i < g.impactManifoldCount; i++) if (impactManifoldAt(i).index == pair.index) return;
  const s = changetype<ImpactManifold>(NEIGHBOUR);
  readImpactManifold(s, pair.index);
  if (!hasFixedSide(s) && (!spread.bounces || (holding && s.restitution > 0))) return;
  const least = IMPACT_APPROACH * spread.fastest;
  if (!(findTouching(s, spread.now) > least)) return;
  if (holding && !rested(s, least)) return;
  addImpactManifold(pair.index, spread.now);
}

/**
 * Whether the touching points of a lane were at rest before the impact. A contact that separated is hit by the next
 * impact.
 */
function rested(s: ImpactManifold, least: f32): bool {
  moveBefore(s);
  const u = v128.load(MOTION);
  for (let i = 0; i < s.count; i++)
    if ((s.touching >> i) & 1 && abs<f32>(atPoint(s, u, i) - s.later) > least) return false;
  return true;
}

/** False, with the old velocities restored, if the impact would add energy even without restitution. */
function solveManifolds(fastest: f32): bool {
  const g = world();
  const c = context();
  const count = g.impactManifoldCount;
  const sweeps = count == 1 ? SWEEPS : max(SWEEPS, min(BUDGET, c.impactWork) / count);
  let share: f32 = 1;
  while (share >= 0) {
    for (let sweep = 0; sweep < sweeps; sweep++) {
      let most: f32 = 0;
      for (let i = 0; i < count; i++) most = max(most, solveManifold(impactManifoldAt(i), share));
      c.impactWork -= count;
      if (most <= IMPACT_CONVERGED * fastest) break;
    }
    if (!gainsEnergy()) return true;
    forgetImpact();
    share = share > 0.2 ? share * <f32>0.5 : share > 0 ? <f32>0 : <f32>-1;
  }
  return false;
}

/** Restores the velocities before the impact and clears its impulses. */
function forgetImpact(): void {
  const g = world();
  for (let i = 0; i < g.struckCount; i++) {
    const b = struckAt(i);
    const v = velocityAt(b.slot);
    v.linear = b.linear;
    v.angular = b.angular;
  }
  for (let i = 0; i < g.impactManifoldCount; i++) {
    const s = impactManifoldAt(i);
    s.impulse = f32x4.splat(0);
    s.friction1 = 0;
    s.friction2 = 0;
    s.twist = 0;
  }
}

/** Impulses that change velocities from u to v do the work Σ j·(u + v)/2. */
function gainsEnergy(): bool {
  const g = world();
  let work: f64 = 0;
  let size: f64 = 0;
  for (let i = 0; i < g.impactManifoldCount; i++) {
    const s = impactManifoldAt(i);
    motion(s);
    const u = v128.load(MOTION);
    const slip = v128.load(MOTION, 16);
    const after = f32x4.replace_lane(u, 0, x(u) - s.later);
    for (let k = 0; k < s.count; k++) {
      const p = <f64>row(s, offsetof<ImpactManifold>('impulse'), k);
      const first = <f64>atPoint(s, s.before, k);
      work += p * (first + <f64>atPoint(s, after, k));
      size += p * abs(first);
    }
    const both = add(s.beforeSlip, slip);
    work += <f64>s.friction1 * <f64>x(both) + <f64>s.friction2 * <f64>y(both) + <f64>s.twist * <f64>z(both);
  }
  return !(work <= <f64>(<f32>10 * ROUNDING) * size);
}

// Matrix, right hand side and impulses of the points, for solveComplementarity.
const MATRIX: usize = memory.data(128, 16);
const WANTED: usize = memory.data(32, 16);
const FOUND_IMPULSES: usize = memory.data(32, 16);

/** Solves one manifold against the current velocities; returns how much its impulses change speeds. */
function solveManifold(s: ImpactManifold, share: f32): f32 {
  motion(s);
  const u = v128.load(MOTION);
  const uN = x(u) - s.later;
  let n = 0;
  for (let i = 0; i < s.count; i++) {
    if (!((s.touching >> i) & 1)) continue;
    const a = <f64>row(s, offsetof<ImpactManifold>('a'), i);
    const b = <f64>row(s, offsetof<ImpactManifold>('b'), i);
    // K times the (1, b, −a) of this point.
    const kN = <f64>s.kNN + b * <f64>s.kN1 - a * <f64>s.kN2;
    const k1 = <f64>s.kN1 + b * <f64>s.k11 - a * <f64>s.k12;
    const k2 = <f64>s.kN2 + b * <f64>s.k12 - a * <f64>s.k22;
    let wanted =
      <f64>(share * row(s, offsetof<ImpactManifold>('aim'), i)) - (<f64>uN + b * <f64>y(u) - a * <f64>z(u));
    let m = 0;
    for (let j = 0; j < s.count; j++) {
      if (!((s.touching >> j) & 1)) continue;
      const k =
        kN +
        <f64>row(s, offsetof<ImpactManifold>('b'), j) * k1 -
        <f64>row(s, offsetof<ImpactManifold>('a'), j) * k2;
      store<f64>(MATRIX + ((<usize>(n * 4 + m)) << 3), k);
      wanted += k * <f64>row(s, offsetof<ImpactManifold>('impulse'), j);
      m++;
    }
    store<f64>(WANTED + ((<usize>n) << 3), wanted);
    n++;
  }
  s.active = solveComplementarity(new System(n, MATRIX, WANTED, FOUND_IMPULSES), s.active);
  let force: f32 = 0;
  let torque1: f32 = 0;
  let torque2: f32 = 0;
  let pressing: f32 = 0;
  let leverage: f32 = 0;
  let change: f32 = 0;
  n = 0;
  for (let i = 0; i < s.count; i++) {
    if (!((s.touching >> i) & 1)) continue;
    const p = <f32>load<f64>(FOUND_IMPULSES + ((<usize>n) << 3));
    n++;
    const d = p - row(s, offsetof<ImpactManifold>('impulse'), i);
    setRow(s, offsetof<ImpactManifold>('impulse'), i, p);
    force += d;
    torque1 += d * row(s, offsetof<ImpactManifold>('b'), i);
    torque2 -= d * row(s, offsetof<ImpactManifold>('a'), i);
    pressing += p;
    leverage += p * row(s, offsetof<ImpactManifold>('lever'), i);
    change += abs(d);
  }
  push(s, scale(s.normal, force), addScaled(scale(s.tangent1, torque1), s.tangent2, torque2));
  return s.kNN * (change + resistSliding(s, pressing, leverage));
}

/** Coulomb friction at the centre (circle), and friction against rotation about n. Returns the change. */
function resistSliding(s: ImpactManifold, pressing: f32, leverage: f32): f32 {
  const limit = s.friction * pressing;
  if (limit == 0 && s.friction1 == 0 && s.friction2 == 0 && s.twist == 0) return 0;
  motion(s);
  const slip = v128.load(MOTION, 16);
  let f1 = s.friction1 - (s.tangentMass11 * x(slip) + s.tangentMass12 * y(slip));
  let f2 = s.friction2 - (s.tangentMass12 * x(slip) + s.tangentMass22 * y(slip));
  if (f1 * f1 + f2 * f2 > limit * limit) {
    // Friction of a sliding contact must oppose its motion, even if the body accelerates more easily in another
    // direction.
    const mean = <f32>0.5 * (s.tangentMass11 + s.tangentMass22);
    const half = <f32>0.5 * (s.tangentMass11 - s.tangentMass22);
    const least = mean - sqrt<f32>(half * half + s.tangentMass12 * s.tangentMass12);
    f1 = s.friction1 - least * x(slip);
    f2 = s.friction2 - least * y(slip);
    const size = sqrt<f32>(f1 * f1 + f2 * f2);
    if (size > limit) {
      f1 *= limit / size;
      f2 *= limit / size;
    }
  }
  const most = s.friction * leverage;
  const twist = max(-most, min(most, s.twist - s.twistMass * z(slip)));
  const d1 = f1 - s.friction1;
  const d2 = f2 - s.friction2;
  push(s, addScaled(scale(s.tangent1, d1), s.tangent2, d2), scale(s.normal, twist - s.twist));
  s.friction1 = f1;
  s.friction2 = f2;
  s.twist = twist;
  return abs(d1) + abs(d2);
}

/** Applies an impulse at the manifold's centre, and an angular impulse. */
function push(s: ImpactManifold, p: v128, twist: v128): void {
  pushBody(s.bodyA, neg(p), neg(add(cross(s.rA, p), twist)));
  pushBody(s.bodyB, p, add(cross(s.rB, p), twist));
}

function pushBody(slot: i32, p: v128, l: v128): void {
  const b: Body = bodyAt(slot);
  if (b.type != BODY_DYNAMIC) return;
  const v = velocityAt(slot);
  v.linear = add(v.linear, mul(p, b.invMass));
  v.angular = add(v.angular, applyInverseInertia(b, l));
}

/**
 * Writes the impulses to their contacts. The bodies continue from the place of the impact: with the old velocity up to
 * `now`, with the new one after it. Impulses of impacts must not warm start the next substep.
 */
function finishImpact(now: f32): void {
  const g = world();
  for (let i = 0; i < g.impactManifoldCount; i++) {
    const s = impactManifoldAt(i);
    const points = changetype<usize>(blockAt(s.index >> 2)) + ((<usize>(s.index & 3)) << 2) + POINTS_OFFSET;
    for (let k = 0; k < s.count; k++) {
      const total = points + <usize>k * POINT_SIZE + offsetof<ContactPointWide>('totalImpulse');
      store<f32>(total, load<f32>(total) + row(s, offsetof<ImpactManifold>('impulse'), k));
    }
  }
  for (let i = 0; i < g.struckCount; i++) {
    const r = struckAt(i);
    const v = velocityAt(r.slot);
    const linear = sub(v.linear, r.linear);
    const angular = sub(v.angular, r.angular);
    v.baseLinear = add(v.baseLinear, linear);
    v.baseAngular = add(v.baseAngular, angular);
    v.deltaPosition = addScaled(v.deltaPosition, linear, -now);
    // A body that is rotated in every substep conserves its angular momentum only if it is rotated by nothing else.
    if (!(bodyAt(r.slot).flags & BODY_TURNED)) v.deltaRotation = addScaled(v.deltaRotation, angular, -now);
  }
}
