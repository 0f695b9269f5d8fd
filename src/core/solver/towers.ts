// Towers: bodies that rest on each other by faces, one above the other, down to a body that cannot move. A pass over
// contacts transmits no more than the weight of the lighter body, and the bending of a tower of N bodies needs N⁴ passes.
// Here all contacts of a tower are solved at once, after each pass over all contacts. In: contacts that may belong to a
// tower (prepare.ts). Out: velocities and impulses.
//
// Where the faces hold, all bodies of a tower move as one: each contact leaves no motion of the upper body relative to
// the lower one, apart from the correction of its separation. So the velocities follow from the ground upwards, and the
// impulses from the top downwards: a contact transmits what changes the momentum of all bodies above it (recursive
// Newton–Euler: Luh, Walker, Paul 1980). That is exact at any height, mass or gravity. A contact that would have to pull,
// to press beyond its edge, or to rub harder than friction does, does not hold: what is above it is left to the passes.

import { add, addScaled, cross, dot, length, scale, splat, sub, x, y, z, zero } from '../math/vector';
import { BODY_BEARER_SHIFT, BODY_DYNAMIC, LIST_CONCAVE, LIST_SOLVED } from '../memory/constants';
import { BlockMeta, ContactBlock, ContactPointWide, TowerBody, World } from '../memory/records';
import {
  blockAt,
  bodyAt,
  growTable,
  metaAt,
  POINT_SIZE,
  POINTS_OFFSET,
  pairAt,
  setWord,
  TOWER_BODY_SIZE,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import {
  FACE_GAP,
  FIRMNESS,
  LEAST_TOWER,
  MOST_FOREIGN,
  MOST_TOWER,
  REST_SLOPE,
  TOWER_ROUNDING,
} from '../tolerances';
import { context } from './context';
import { laneWord } from './lanes';

/** @inline */
function memberAt(i: i32): TowerBody {
  return changetype<TowerBody>(<usize>world().towerBodies + <usize>i * TOWER_BODY_SIZE);
}

export function pushTowerBlock(handle: i32): void {
  const g = world();
  growTable(offsetof<World>('towerBlocks'), g.towerBlockCount + 1, 4);
  setWord(g.towerBlocks, g.towerBlockCount++, handle);
}

// --- which bodies ---

/** Runs when the list of blocks is complete. */
export function prepareTowers(): void {
  const g = world();
  g.towerBodyCount = 0;
  for (let i = 0; i < g.towerBlockCount; i++) {
    const handle = wordAt(g.towerBlocks, i);
    const c = blockAt(handle);
    const tall = c.highRatioLanes >> 4;
    c.highRatioLanes &= 15;
    for (let lane = 0; lane < 4; lane++) {
      const loaded = (tall >> lane) & 1;
      if (!loaded && tall < 16) continue;
      let slot = laneWord(changetype<usize>(c) + offsetof<ContactBlock>('bodyB'), lane);
      if (bodyAt(slot).type != BODY_DYNAMIC)
        slot = laneWord(changetype<usize>(c) + offsetof<ContactBlock>('bodyA'), lane);
      if (bodyAt(slot).type != BODY_DYNAMIC || isListed(slot)) continue;
      const foot = footOf(slot);
      if (foot != 0) gather(foot, loaded ? 2 : LEAST_TOWER);
    }
  }
  for (let i = 0; i < g.towerBodyCount; i++) bodyAt(memberAt(i).slot).flags &= (1 << BODY_BEARER_SHIFT) - 1;
}

/** @inline */
function isListed(slot: i32): bool {
  return bodyAt(slot).flags >> BODY_BEARER_SHIFT != 0;
}

/** The lowest body of the tower that `slot` belongs to, 0 if it belongs to none. */
function footOf(slot: i32): i32 {
  for (let i = 0; i < MOST_TOWER; i++) {
    const index = supportOf(slot);
    if (index < 0) return 0;
    const pair = pairAt(index);
    const below = pair.bodyA == slot ? pair.bodyB : pair.bodyA;
    if (bodyAt(below).type != BODY_DYNAMIC) return slot;
    slot = below;
  }
  return 0;
}

/** The pair of the only manifold by which the body rests on another one; -1 if there is none, or more, or one at its side. */
function supportOf(slot: i32): i32 {
  const b = bodyAt(slot);
  let found = -1;
  let link = b.firstPair;
  while (link >= 0) {
    const side = link & 1;
    let index = link >> 1;
    const pair = pairAt(index);
    link = side ? pair.nextB : pair.nextA;
    if (pair.list == LIST_CONCAVE) {
      index = pair.firstChild;
      if (index < 0 || pairAt(index).next >= 0) return -1;
    } else if (pair.list != LIST_SOLVED) continue;
    const rise = climb(pairAt(index).index) * (side ? <f32>1 : <f32>-1);
    if (rise < -REST_SLOPE) continue;
    if (rise < REST_SLOPE || found >= 0) return -1;
    found = index;
  }
  return found;
}

/** Cosine of the angle between the normal of a manifold, from A to B, and the vertical. */
function climb(index: i32): f32 {
  const c = changetype<usize>(blockAt(index >> 2)) + ((<usize>(index & 3)) << 2);
  const gravity = world().gravity;
  const down =
    load<f32>(c, offsetof<ContactBlock>('normalX')) * f32x4.extract_lane(gravity, 0) +
    load<f32>(c, offsetof<ContactBlock>('normalY')) * f32x4.extract_lane(gravity, 1) +
    load<f32>(c, offsetof<ContactBlock>('normalZ')) * f32x4.extract_lane(gravity, 2);
  return -down / length(gravity);
}

/** Lists the bodies above `foot`. They are solved if there are at least so many. */
function gather(foot: i32, least: i32): void {
  const g = world();
  const first = g.towerBodyCount;
  pushMember(foot, supportOf(foot), -1);
  for (let i = first; i < g.towerBodyCount && g.towerBodyCount - first < MOST_TOWER; i++) {
    if (!memberAt(i).holds) continue;
    const slot = memberAt(i).slot;
    let link = bodyAt(slot).firstPair;
    while (link >= 0) {
      const pair = pairAt(link >> 1);
      const other = link & 1 ? pair.bodyA : pair.bodyB;
      link = link & 1 ? pair.nextB : pair.nextA;
      if (bodyAt(other).type != BODY_DYNAMIC || isListed(other)) continue;
      const support = supportOf(other);
      if (support >= 0 && pairAt(support).bodyA + pairAt(support).bodyB == slot + other)
        pushMember(other, support, i);
    }
  }
  const lowest = memberAt(first);
  lowest.count = g.towerBodyCount - first;
  let mass: f32 = 0;
  for (let i = first; i < g.towerBodyCount; i++) mass += bodyAt(memberAt(i).slot).mass;
  // What bears others besides its own is solved with them, by the passes: a plate on four legs.
  const load = sum(v128.and(points(lowest, offsetof<ContactPointWide>('impulse')), lowest.used));
  const solved = lowest.count >= least && load <= MOST_FOREIGN * mass * context().towerLoad;
  for (let i = first; i < g.towerBodyCount; i++) {
    const m = memberAt(i);
    if (!solved) m.holds = 0;
    if (m.holds) blockAt(m.handle).highRatioLanes &= ~(1 << m.lane);
  }
}

function pushMember(slot: i32, support: i32, lower: i32): void {
  const g = world();
  growTable(offsetof<World>('towerBodies'), g.towerBodyCount + 1, TOWER_BODY_SIZE);
  const index = pairAt(support).index;
  const m = memberAt(g.towerBodyCount++);
  m.slot = slot;
  m.lower = lower;
  m.handle = index >> 2;
  m.lane = index & 3;
  const isA = pairAt(support).bodyA == slot;
  m.below = isA ? pairAt(support).bodyB : pairAt(support).bodyA;
  m.upward = isA ? 0 : 1;
  m.push = zero();
  m.pushSpin = zero();
  m.holds = canHold(m) ? 1 : 0;
  if (m.holds) describe(m);
  bodyAt(slot).flags |= 1 << BODY_BEARER_SHIFT;
}

/** Whether the faces touch, and the upper body can move in every way. */
function canHold(m: TowerBody): bool {
  const lane = (<usize>m.lane) << 2;
  const meta = changetype<usize>(metaAt(m.handle)) + lane;
  const b = bodyAt(m.slot);
  m.points = load<i32>(meta, offsetof<BlockMeta>('pointCount'));
  m.used = i32x4.gt_s(i32x4.splat(m.points), i32x4(0, 1, 2, 3));
  if (m.points < 3 || b.firstJoint != 0) return false;
  // What bounces is left to the passes and to restitution.
  if (load<f32>(meta, offsetof<BlockMeta>('restitution')) > 0 && load<i32>(meta, offsetof<BlockMeta>('fast')))
    return false;
  m.gap = v128.and(points(m, offsetof<ContactPointWide>('separation')), m.used);
  const free = v128.and(f32x4.gt(b.invInertiaLocal, zero()), f32x4.eq(b.angularFactor, splat(1)));
  const even = v128.and(f32x4.gt(b.invMass, zero()), f32x4.eq(b.invMass, splat(x(b.invMass))));
  return (
    v128.any_true(f32x4.gt(m.gap, splat(b.boundingRadius * FACE_GAP))) == false &&
    (i32x4.bitmask(v128.and(free, even)) & 7) == 7
  );
}

/** A field of the four points of the member's contact. */
function points(m: TowerBody, field: usize): v128 {
  const at = changetype<usize>(blockAt(m.handle)) + POINTS_OFFSET + ((<usize>m.lane) << 2) + field;
  return f32x4(
    load<f32>(at),
    load<f32>(at, POINT_SIZE),
    load<f32>(at, 2 * POINT_SIZE),
    load<f32>(at, 3 * POINT_SIZE),
  );
}

/** A vector of the member's contact whose components are three rows of its block. */
function vector(m: TowerBody, field: usize): v128 {
  const at = changetype<usize>(blockAt(m.handle)) + ((<usize>m.lane) << 2) + field;
  return f32x4(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32), 0);
}

/** What does not change within a step: the frame of the contact, seen from below, its arms, the inertia. */
function describe(m: TowerBody): void {
  const sign: f32 = m.upward ? 1 : -1;
  const n = vector(m, offsetof<ContactBlock>('normalX'));
  const t = vector(m, offsetof<ContactBlock>('tangentX'));
  m.normal = scale(n, sign);
  m.tangent1 = scale(t, sign);
  m.tangent2 = scale(cross(n, t), sign);
  const armA = vector(m, offsetof<ContactBlock>('centerAX'));
  const armB = vector(m, offsetof<ContactBlock>('centerBX'));
  m.arm = m.upward ? armB : armA;
  m.armBelow = m.upward ? armA : armB;
  const body = bodyAt(m.slot);
  const p = body.invInertiaA;
  const q = body.invInertiaB;
  const inertia = changetype<usize>(m) + offsetof<TowerBody>('inertia');
  v128.store(inertia, p);
  v128.store(inertia, f32x4(y(p), x(q), y(q), 0), 16);
  v128.store(inertia, f32x4(z(p), y(q), z(q), 0), 32);
  invert(inertia);
  // A point has the row (1, b, −a): its speed from that along n and those about t1 and t2. The fit is (Σ row rowᵀ)⁻¹.
  const a = v128.and(points(m, offsetof<ContactPointWide>('a')), m.used);
  const b = v128.and(points(m, offsetof<ContactPointWide>('b')), m.used);
  m.a = a;
  m.b = b;
  m.lever = v128.and(points(m, offsetof<ContactPointWide>('lever')), m.used);
  const fit = changetype<usize>(m) + offsetof<TowerBody>('fit');
  v128.store(fit, rows(m, v128.and(splat(1), m.used)));
  v128.store(fit, rows(m, b), 16);
  v128.store(fit, scale(rows(m, a), -1), 32);
  invert(fit);
}

/** Sum of the points' rows, with factors. */
function rows(m: TowerBody, factors: v128): v128 {
  return f32x4(sum(factors), sum(f32x4.mul(factors, m.b)), -sum(f32x4.mul(factors, m.a)), 0);
}

function sum(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) +
    f32x4.extract_lane(v, 1) +
    (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** Inverts a symmetric matrix of three rows. */
function invert(at: usize): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at, 16);
  const r2 = v128.load(at, 32);
  const c = cross(r1, r2);
  const f = <f32>1 / dot(r0, c);
  v128.store(at, scale(c, f));
  v128.store(at, scale(cross(r2, r0), f), 16);
  v128.store(at, scale(cross(r0, r1), f), 32);
}

/** Such a matrix times a vector. */
function product(at: usize, v: v128): v128 {
  const two = addScaled(scale(v128.load(at), x(v)), v128.load(at, 16), y(v));
  return addScaled(two, v128.load(at, 32), z(v));
}

// --- the solve ---

/** Runs after each pass over all contacts. */
export function solveTowers(withBias: bool): void {
  const g = world();
  const counts = !withBias || context().countBiased != 0;
  let first = 0;
  while (first < g.towerBodyCount) {
    const end = first + memberAt(first).count;
    for (let i = first; i < end; i++) aim(memberAt(i));
    for (let i = end - 1; i >= first; i--) bear(memberAt(i));
    for (let i = first; i < end; i++) {
      const m = memberAt(i);
      if (m.lower >= 0 && memberAt(m.lower).lost) m.lost = 1;
      if (!m.lost) finish(m, counts);
      if (withBias) correct(m);
    }
    first = end;
  }
}

/** The velocity with which the body keeps its place on the one below. */
function aim(m: TowerBody): void {
  const v = velocityAt(m.slot);
  // What correct() has added changed no momentum.
  v.linear = sub(v.linear, m.push);
  v.angular = sub(v.angular, m.pushSpin);
  m.push = zero();
  m.pushSpin = zero();
  m.force = zero();
  m.torque = zero();
  m.lost = 1 - m.holds;
  if (m.lost) return;
  const meta = changetype<usize>(metaAt(m.handle)) + ((<usize>m.lane) << 2);
  const below = velocityAt(m.below);
  let linear = below.linear;
  let spin = below.angular;
  if (m.lower >= 0) {
    linear = memberAt(m.lower).velocity;
    spin = memberAt(m.lower).spin;
  }
  linear = add(linear, cross(spin, m.armBelow));
  if (load<i32>(meta, offsetof<BlockMeta>('kinematic'))) {
    linear = addScaled(linear, m.tangent1, -load<f32>(meta, offsetof<BlockMeta>('surfaceVelocity1')));
    linear = addScaled(linear, m.tangent2, -load<f32>(meta, offsetof<BlockMeta>('surfaceVelocity2')));
    spin = addScaled(spin, m.normal, -load<f32>(meta, offsetof<BlockMeta>('surfaceSpin')));
  }
  m.velocity = sub(linear, cross(spin, m.arm));
  m.spin = spin;
}

/** Finds what the contact must transmit, and adds it to the load of the body below unless the contact cannot bear it. */
function bear(m: TowerBody): void {
  if (m.lost) return;
  const v = velocityAt(m.slot);
  const inertia = changetype<usize>(m) + offsetof<TowerBody>('inertia');
  m.force = addScaled(m.force, sub(m.velocity, v.linear), bodyAt(m.slot).mass);
  m.torque = sub(add(m.torque, product(inertia, sub(m.spin, v.angular))), cross(m.arm, m.force));
  if (!isBorne(m)) m.lost = 1;
  else if (m.lower >= 0) {
    const lower = memberAt(m.lower);
    lower.force = add(lower.force, m.force);
    lower.torque = add(lower.torque, add(m.torque, cross(m.armBelow, m.force)));
  }
}

/**
 * Adds the velocity that corrects separations, until the next solve: the speed along n and those about t1 and t2 that suit
 * all points best, and what the bodies below have got. It changes no momentum, which a tower could not bear.
 */
function correct(m: TowerBody): void {
  if (m.lost) return;
  const step = context();
  const below = velocityAt(m.below);
  const own = velocityAt(m.slot);
  const turn = sub(own.deltaRotation, below.deltaRotation);
  const arms = sub(cross(own.deltaRotation, m.arm), cross(below.deltaRotation, m.armBelow));
  const moved = dot(add(sub(own.deltaPosition, below.deltaPosition), arms), m.normal);
  const separation = f32x4.add(
    m.gap,
    spread(m, f32x4(moved, dot(turn, m.tangent1), dot(turn, m.tangent2), 0)),
  );
  // A gap closes as slowly as an overlap.
  const excess = f32x4.pmax(separation, f32x4.pmin(f32x4.add(separation, splat(step.slop)), zero()));
  const speeds = f32x4.pmin(scale(excess, -FIRMNESS * step.inverseH), splat(-step.pushSpeed));
  const fitted = product(
    changetype<usize>(m) + offsetof<TowerBody>('fit'),
    rows(m, v128.and(speeds, m.used)),
  );
  let push = scale(m.normal, x(fitted));
  let spin = addScaled(scale(m.tangent1, y(fitted)), m.tangent2, z(fitted));
  if (m.lower >= 0) {
    const lower = memberAt(m.lower);
    push = add(push, add(lower.push, cross(lower.pushSpin, m.armBelow)));
    spin = add(spin, lower.pushSpin);
  }
  m.push = sub(push, cross(spin, m.arm));
  m.pushSpin = spin;
  own.linear = add(own.linear, m.push);
  own.angular = add(own.angular, spin);
}

/** Whether the contact can bear what it must transmit. */
function isBorne(m: TowerBody): bool {
  const lane = (<usize>m.lane) << 2;
  const c = changetype<usize>(blockAt(m.handle)) + lane;
  const force = m.force;
  const torque = m.torque;
  const change = f32x4(dot(force, m.normal), dot(torque, m.tangent1), dot(torque, m.tangent2), 0);
  const all = add(change, rows(m, v128.and(points(m, offsetof<ContactPointWide>('impulse')), m.used)));
  const normal = x(all);
  const impulses = distribute(m, all);
  m.impulses = f32x4.pmax(zero(), impulses);
  const t1 = load<f32>(c, offsetof<ContactBlock>('frictionImpulse1')) + dot(force, m.tangent1);
  const t2 = load<f32>(c, offsetof<ContactBlock>('frictionImpulse2')) + dot(force, m.tangent2);
  const twist = load<f32>(c, offsetof<ContactBlock>('twistImpulse')) + dot(torque, m.normal);
  m.friction = f32x4(t1, t2, twist, 0);
  const friction = load<f32>(c, offsetof<ContactBlock>('friction'));
  const leverage = sum(f32x4.mul(impulses, m.lever));
  const spinning = load<f32>(
    changetype<usize>(metaAt(m.handle)) + lane,
    offsetof<BlockMeta>('spinningFriction'),
  );
  return (
    normal >= 0 &&
    i32x4.all_true(f32x4.ge(impulses, splat(-TOWER_ROUNDING * normal))) &&
    t1 * t1 + t2 * t2 <= friction * friction * normal * normal &&
    abs(twist) <= friction * leverage + spinning * normal
  );
}

/**
 * Impulses of the points with a given sum and torques. One is negative if none have these that all push: the load is beyond
 * the patch, or pulls.
 */
function distribute(m: TowerBody, all: v128): v128 {
  const fit = changetype<usize>(m) + offsetof<TowerBody>('fit');
  const impulses = spread(m, product(fit, all));
  if (m.points < 4) return impulses;
  const half = f32x4.pmin(impulses, v128.shuffle<f32>(impulses, impulses, 2, 3, 0, 1));
  const least = f32x4.pmin(half, v128.shuffle<f32>(half, half, 1, 0, 3, 2));
  if (!(x(least) < 0)) return impulses;
  // One combination of four impulses has no effect. As much of it is added as the least one needs.
  const worst = i32x4.eq(i32x4.splat(ctz(i32x4.bitmask(f32x4.eq(impulses, least)))), i32x4(0, 1, 2, 3));
  const one = v128.and(splat(1), worst);
  const none = f32x4.sub(one, spread(m, product(fit, rows(m, one))));
  return f32x4.sub(impulses, scale(none, x(least) / max<f32>(sum(v128.and(none, worst)), TOWER_ROUNDING)));
}

/** The row of each point times a vector. */
function spread(m: TowerBody, v: v128): v128 {
  return v128.and(addScaled(addScaled(splat(x(v)), m.b, y(v)), m.a, -z(v)), m.used);
}

/** Stores velocities and impulses. */
function finish(m: TowerBody, counts: bool): void {
  const v = velocityAt(m.slot);
  v.linear = m.velocity;
  v.angular = m.spin;
  const c = changetype<usize>(blockAt(m.handle)) + ((<usize>m.lane) << 2);
  const found = changetype<usize>(m) + offsetof<TowerBody>('impulses');
  for (let i: usize = 0; i < 4; i++) {
    const p = c + POINTS_OFFSET + i * POINT_SIZE;
    const impulse = load<f32>(found + (i << 2));
    if (counts) {
      const change = impulse - load<f32>(p, offsetof<ContactPointWide>('impulse'));
      const total = load<f32>(p, offsetof<ContactPointWide>('totalImpulse')) + change;
      store<f32>(p, total, offsetof<ContactPointWide>('totalImpulse'));
    }
    store<f32>(p, impulse, offsetof<ContactPointWide>('impulse'));
  }
  for (let i: usize = 0; i < 3; i++)
    store<f32>(c + (i << 4), load<f32>(found + 16 + (i << 2)), offsetof<ContactBlock>('frictionImpulse1'));
}
