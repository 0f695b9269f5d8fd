// The contact by which a body of a tower rests on the body below: one manifold or several, of shapes of one body or of
// several bodies that cannot move. Four of their points bear. In: manifolds. Out: whether they can transmit what towers.ts
// asks for, and their impulses.

import { add, addScaled, cross, dot, mul, scale, splat, sub, x, y, z, zero } from '../math/vector';
import { BlockMeta, ContactBlock, ContactPointWide, TowerBody, TowerPatch, World } from '../memory/records';
import {
  blockAt,
  bodyAt,
  growTable,
  metaAt,
  POINT_SIZE,
  POINTS_OFFSET,
  TOWER_PATCH_SIZE,
  velocityAt,
  world,
} from '../memory/tables';
import { BEYOND, FACE_GAP, FIRMNESS, ROUNDING, SAME_FACE } from '../tolerances';
import { context } from './context';

/** Share of a load or an area that is the rounding of sums of four. @inline */
function roundings(): f32 {
  return <f32>10 * ROUNDING;
}
/** @inline */
export function patchAt(i: i32): TowerPatch {
  return changetype<TowerPatch>(<usize>world().towerPatches + <usize>i * TOWER_PATCH_SIZE);
}

/** Lists a manifold, by block handle × 4 + lane. */
export function pushPatch(index: i32, below: i32, upward: i32, beside: bool): void {
  const g = world();
  growTable(offsetof<World>('towerPatches'), g.towerPatchCount + 1, TOWER_PATCH_SIZE);
  const p = patchAt(g.towerPatchCount++);
  const lane = (<usize>(index & 3)) << 2;
  p.block = <u32>(changetype<usize>(blockAt(index >> 2)) + lane);
  p.meta = <u32>(changetype<usize>(metaAt(index >> 2)) + lane);
  p.body = below;
  p.upward = upward;
  p.beside = beside ? 1 : 0;
}

// --- what bears ---

/**
 * Whether the faces touch, and the upper body is free or held, entirely, along and about each axis. Then describes what does
 * not change within a step.
 */
export function canHold(m: TowerBody): bool {
  const b = bodyAt(m.slot);
  const whole = v128.and(isFreeOrHeld(b.linearFactor), isFreeOrHeld(b.angularFactor));
  const finite = f32x4.gt(b.invInertiaLocal, zero());
  if (b.firstJoint != 0 || (i32x4.bitmask(v128.and(whole, finite)) & 7) != 7) return false;
  if (!(dot(b.invMass, b.linearFactor) > 0)) return false;
  if (!putFaceFirst(m)) return false;
  for (let i = 0; i < m.patches; i++) if (!describePatch(m, patchAt(m.firstPatch + i))) return false;
  // A body that is held along the vertical does not rest.
  if (dot(m.normal, mul(m.normal, b.linearFactor)) < SAME_FACE) return false;
  const found = m.patches == 1 ? takePoints(m) : choosePoints(m);
  if (found) describe(m);
  return found;
}

/** @inline */
function isFreeOrHeld(factors: v128): v128 {
  return v128.or(f32x4.eq(factors, splat(1)), f32x4.eq(factors, zero()));
}

/**
 * The first patch gives the contact its frame. False if the body only touches sides: it is above a face of what is beside it,
 * but too far.
 */
function putFaceFirst(m: TowerBody): bool {
  let i = m.firstPatch;
  const end = i + m.patches;
  while (i < end && patchAt(i).beside) i++;
  if (i == end) return false;
  if (i == m.firstPatch) return true;
  const face = patchAt(i);
  const first = patchAt(m.firstPatch);
  const row = v128.load(changetype<usize>(face));
  v128.store(changetype<usize>(face), v128.load(changetype<usize>(first)));
  v128.store(changetype<usize>(first), row);
  first.beside = 0;
  face.beside = 1;
  return true;
}

/** The frame of a manifold, seen from below, and its place. False for one that does not take part. */
function describePatch(m: TowerBody, p: TowerPatch): bool {
  const meta = <usize>p.meta;
  // What bounces is left to the passes and to restitution.
  if (load<f32>(meta, offsetof<BlockMeta>('restitution')) > 0 && load<i32>(meta, offsetof<BlockMeta>('fast')))
    return false;
  const sign: f32 = p.upward ? 1 : -1;
  const n = vector(p, offsetof<ContactBlock>('normalX'));
  const t = vector(p, offsetof<ContactBlock>('tangentX'));
  p.normal = scale(n, sign);
  p.tangent1 = scale(t, sign);
  p.tangent2 = scale(cross(n, t), sign);
  const armA = vector(p, offsetof<ContactBlock>('centerAX'));
  const armB = vector(p, offsetof<ContactBlock>('centerBX'));
  const arm = p.upward ? armB : armA;
  if (p == patchAt(m.firstPatch)) {
    m.normal = p.normal;
    m.tangent1 = p.tangent1;
    m.tangent2 = p.tangent2;
    m.arm = arm;
    m.armBelow = p.upward ? armA : armB;
  }
  p.offset = sub(arm, m.arm);
  return p.beside || dot(p.normal, m.normal) >= SAME_FACE;
}

/** A vector of a manifold whose components are three rows of its block. */
function vector(p: TowerPatch, field: usize): v128 {
  const at = <usize>p.block + field;
  return f32x4(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32), 0);
}

/** A field of the manifold's four points. */
function row(p: TowerPatch, field: usize): v128 {
  const at = <usize>p.block + POINTS_OFFSET + field;
  return f32x4(
    load<f32>(at),
    load<f32>(at, POINT_SIZE),
    load<f32>(at, 2 * POINT_SIZE),
    load<f32>(at, 3 * POINT_SIZE),
  );
}

/** @inline */
function pointCount(p: TowerPatch): i32 {
  return load<i32>(<usize>p.meta, offsetof<BlockMeta>('pointCount'));
}

/** The points of the only manifold. */
function takePoints(m: TowerBody): bool {
  const p = patchAt(m.firstPatch);
  const first = <i32>p.block + <i32>POINTS_OFFSET;
  const size = <i32>POINT_SIZE;
  const count = pointCount(p);
  m.used = i32x4.gt_s(i32x4.splat(count), i32x4(0, 1, 2, 3));
  m.at = i32x4.add(i32x4.splat(first), v128.and(i32x4(0, size, 2 * size, 3 * size), m.used));
  m.owner = zero();
  // A point has the row (1, b, −a): its speed from that along n and those about t1 and t2.
  m.a = points(m, offsetof<ContactPointWide>('a'));
  m.b = points(m, offsetof<ContactPointWide>('b'));
  m.gap = points(m, offsetof<ContactPointWide>('separation'));
  return count >= 3 && !v128.any_true(f32x4.gt(m.gap, splat(largestGap(m))));
}

/** @inline */
function largestGap(m: TowerBody): f32 {
  return bodyAt(m.slot).boundingRadius * FACE_GAP;
}

/** Whether no point of a manifold comes near to touching the body: it is with what lies below the next body, across it. */
export function isBeyond(index: i32, slot: i32): bool {
  const lane = (<usize>(index & 3)) << 2;
  const block = changetype<usize>(blockAt(index >> 2)) + lane + POINTS_OFFSET;
  const count = load<i32>(changetype<usize>(metaAt(index >> 2)) + lane, offsetof<BlockMeta>('pointCount'));
  const most = bodyAt(slot).innerRadius * BEYOND;
  if (most == 0) return false;
  for (let i = 0; i < count; i++)
    if (load<f32>(block + <usize>i * POINT_SIZE, offsetof<ContactPointWide>('separation')) <= most)
      return false;
  return true;
}

/**
 * Of the touching points of several manifolds the four that bear farthest out: the one farthest from the centre of the first
 * manifold, the one farthest from it, and those farthest to both sides of their line.
 */
function choosePoints(m: TowerBody): bool {
  m.used = zero();
  m.at = zero();
  m.owner = zero();
  m.a = zero();
  m.b = zero();
  if (!choose(m, 0) || !choose(m, 1)) return false;
  const left = choose(m, 2);
  const right = choose(m, 3);
  m.gap = points(m, offsetof<ContactPointWide>('separation'));
  return left || right;
}

/** Finds point k of the four. */
function choose(m: TowerBody, k: i32): bool {
  const a0 = f32x4.extract_lane(m.a, 0);
  const b0 = f32x4.extract_lane(m.b, 0);
  const a1 = f32x4.extract_lane(m.a, 1) - a0;
  const b1 = f32x4.extract_lane(m.b, 1) - b0;
  const widest = a1 * a1 + b1 * b1;
  const gap = largestGap(m);
  // A point nearly on the line of the first two bears nothing that they do not.
  let most: f32 = k < 2 ? 0 : widest * roundings();
  const mask = i32x4.eq(i32x4.splat(k), i32x4(0, 1, 2, 3));
  let found = false;
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const count = p.beside ? 0 : pointCount(p);
    for (let j = 0; j < count; j++) {
      const at = <usize>p.block + POINTS_OFFSET + <usize>j * POINT_SIZE;
      if (load<f32>(at, offsetof<ContactPointWide>('separation')) > gap) continue;
      const along = scale(
        vector(p, offsetof<ContactBlock>('tangentX')),
        load<f32>(at, offsetof<ContactPointWide>('a')),
      );
      const sign: f32 = p.upward ? 1 : -1;
      const across = scale(p.tangent2, load<f32>(at, offsetof<ContactPointWide>('b')) * sign);
      const lever = cross(add(p.offset, add(along, across)), m.normal);
      const a = -dot(lever, m.tangent2);
      const b = dot(lever, m.tangent1);
      const side = a1 * (b - b0) - b1 * (a - a0);
      const value = k < 2 ? (a - a0) * (a - a0) + (b - b0) * (b - b0) : k == 2 ? side : -side;
      if (!(value > most)) continue;
      most = value;
      found = true;
      m.used = v128.or(m.used, mask);
      m.at = v128.bitselect(i32x4.splat(<i32>at), m.at, mask);
      m.owner = v128.bitselect(i32x4.splat(i), m.owner, mask);
      m.a = v128.bitselect(splat(a), m.a, mask);
      m.b = v128.bitselect(splat(b), m.b, mask);
    }
  }
  if (!found) m.at = v128.bitselect(i32x4.splat(i32x4.extract_lane(m.at, 0)), m.at, mask);
  return found;
}

/** A field of the points that bear, 0 where none is. */
function points(m: TowerBody, field: usize): v128 {
  const at = m.at;
  const values = f32x4(
    load<f32>(<usize>i32x4.extract_lane(at, 0) + field),
    load<f32>(<usize>i32x4.extract_lane(at, 1) + field),
    load<f32>(<usize>i32x4.extract_lane(at, 2) + field),
    load<f32>(<usize>i32x4.extract_lane(at, 3) + field),
  );
  return v128.and(values, m.used);
}

/** Inertia of the upper body and the fit of its points. */
function describe(m: TowerBody): void {
  const body = bodyAt(m.slot);
  const p = body.invInertiaA;
  const q = body.invInertiaB;
  const inertia = changetype<usize>(m) + offsetof<TowerBody>('inertia');
  const held = sub(splat(1), body.angularFactor); // any number will do there, but 0 has no inverse
  v128.store(inertia, f32x4(x(p) + x(held), y(p), z(p), 0));
  v128.store(inertia, f32x4(y(p), x(q) + y(held), y(q), 0), 16);
  v128.store(inertia, f32x4(z(p), y(q), z(q) + z(held), 0), 32);
  invert(inertia);
  m.lever = points(m, offsetof<ContactPointWide>('lever'));
  // (Σ row rowᵀ)⁻¹.
  const fit = changetype<usize>(m) + offsetof<TowerBody>('fit');
  v128.store(fit, rows(m, v128.and(splat(1), m.used)));
  v128.store(fit, rows(m, m.b), 16);
  v128.store(fit, scale(rows(m, m.a), -1), 32);
  invert(fit);
}

/** Sum of the points' rows, with factors. */
function rows(m: TowerBody, factors: v128): v128 {
  return f32x4(sum(factors), sum(f32x4.mul(factors, m.b)), -sum(f32x4.mul(factors, m.a)), 0);
}

/** The row of each point times a vector. */
function spread(m: TowerBody, v: v128): v128 {
  return v128.and(addScaled(addScaled(splat(x(v)), m.b, y(v)), m.a, -z(v)), m.used);
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

export function inertiaTimes(m: TowerBody, v: v128): v128 {
  return product(changetype<usize>(m) + offsetof<TowerBody>('inertia'), v);
}

/** N·s, what the contact bears. */
export function loadOf(m: TowerBody): f32 {
  m.force = zero();
  m.torque = zero();
  addImpulses(m);
  return dot(m.force, m.normal);
}

/** The tower solves these manifolds, and the passes over contacts of high mass ratio need not. */
export function takeFromPasses(m: TowerBody): void {
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const lane = (p.block >> 2) & 3;
    changetype<ContactBlock>(<usize>p.block - ((<usize>lane) << 2)).highRatioLanes &= ~(1 << lane);
  }
}

// --- in each pass ---

/** Whether all that the body rests on moves as one. */
export function movesAlike(m: TowerBody): bool {
  const first = patchAt(m.firstPatch);
  const v = velocityAt(m.below);
  for (let i = 1; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const other = velocityAt(p.body);
    if (
      p.body != m.below &&
      v128.any_true(v128.or(v128.xor(v.linear, other.linear), v128.or(v.angular, other.angular)))
    )
      return false;
    if (p.beside) continue;
    const carried = load<i32>(<usize>p.meta, offsetof<BlockMeta>('kinematic'));
    if (carried != load<i32>(<usize>first.meta, offsetof<BlockMeta>('kinematic'))) return false;
    if (!carried) continue;
    const from = offsetof<BlockMeta>('surfaceVelocity1');
    for (let row = from; row <= offsetof<BlockMeta>('surfaceSpin'); row += 16)
      if (load<i32>(<usize>p.meta + row) != load<i32>(<usize>first.meta + row)) return false;
  }
  return true;
}

/** Adds what the impulses of the passes transmit. */
function addImpulses(m: TowerBody): void {
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const used = i32x4.gt_s(i32x4.splat(pointCount(p)), i32x4(0, 1, 2, 3));
    const impulses = v128.and(row(p, offsetof<ContactPointWide>('impulse')), used);
    const normal = sum(impulses);
    const a = sum(f32x4.mul(impulses, row(p, offsetof<ContactPointWide>('a'))));
    const b = sum(f32x4.mul(impulses, row(p, offsetof<ContactPointWide>('b'))));
    const friction1 = load<f32>(<usize>p.block, offsetof<ContactBlock>('frictionImpulse1'));
    const friction2 = load<f32>(<usize>p.block, offsetof<ContactBlock>('frictionImpulse2'));
    const twist = load<f32>(<usize>p.block, offsetof<ContactBlock>('twistImpulse'));
    const rub = addScaled(scale(p.tangent1, friction1), p.tangent2, friction2);
    const force = addScaled(rub, p.normal, normal);
    const torque = addScaled(addScaled(scale(p.tangent1, b), p.tangent2, -a), p.normal, twist);
    m.force = add(m.force, force);
    m.torque = add(m.torque, add(torque, cross(p.offset, force)));
  }
}

/**
 * Whether the contact can bear what it must transmit. In: the change, in `force` and `torque`. Out: there all that it transmits,
 * and impulses.
 */
export function isBorne(m: TowerBody): bool {
  addImpulses(m);
  const normal = dot(m.force, m.normal);
  const all = f32x4(normal, dot(m.torque, m.tangent1), dot(m.torque, m.tangent2), 0);
  const impulses = distribute(m, all);
  m.impulses = f32x4.pmax(zero(), impulses);
  return (
    normal > 0 &&
    i32x4.all_true(f32x4.ge(impulses, splat(-roundings() * normal))) &&
    (m.patches == 1 ? takeFriction(m, normal) : shareFriction(m))
  );
}

/**
 * Impulses of the points with a given sum and torques. One is negative if none have these that all push: the load is beyond
 * the patch, or pulls.
 */
function distribute(m: TowerBody, all: v128): v128 {
  const fit = changetype<usize>(m) + offsetof<TowerBody>('fit');
  const impulses = spread(m, product(fit, all));
  if (!i32x4.all_true(m.used)) return impulses;
  const half = f32x4.pmin(impulses, v128.shuffle<f32>(impulses, impulses, 2, 3, 0, 1));
  const least = f32x4.pmin(half, v128.shuffle<f32>(half, half, 1, 0, 3, 2));
  if (!(x(least) < 0)) return impulses;
  // One combination of four impulses has no effect. As much of it is added as the least one needs.
  const worst = i32x4.eq(i32x4.splat(ctz(i32x4.bitmask(f32x4.eq(impulses, least)))), i32x4(0, 1, 2, 3));
  const one = v128.and(splat(1), worst);
  const none = f32x4.sub(one, spread(m, product(fit, rows(m, one))));
  return f32x4.sub(impulses, scale(none, x(least) / max<f32>(sum(v128.and(none, worst)), roundings())));
}

/** The friction of the only patch. False if it would slide. */
function takeFriction(m: TowerBody, normal: f32): bool {
  const p = patchAt(m.firstPatch);
  const t1 = dot(m.force, m.tangent1);
  const t2 = dot(m.force, m.tangent2);
  const twist = dot(m.torque, m.normal);
  p.friction = f32x4(t1, t2, twist, 0);
  const friction = load<f32>(<usize>p.block, offsetof<ContactBlock>('friction'));
  const spinning = load<f32>(<usize>p.meta, offsetof<BlockMeta>('spinningFriction')) * normal;
  return (
    t1 * t1 + t2 * t2 <= friction * friction * normal * normal &&
    abs(twist) <= friction * sum(f32x4.mul(m.impulses, m.lever)) + spinning
  );
}

/**
 * Shares friction among the patches: the force in proportion to what each can bear, the torque so that all of them would
 * turn together. False if one of them would slide.
 */
function shareFriction(m: TowerBody): bool {
  const force = addScaled(m.force, m.normal, -dot(m.force, m.normal));
  let limit: f32 = 0;
  let middle = zero();
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const mine = v128.and(m.impulses, i32x4.eq(m.owner, i32x4.splat(i)));
    p.load = sum(mine);
    p.limit = load<f32>(<usize>p.block, offsetof<ContactBlock>('friction')) * p.load;
    p.lever = p.load > 0 ? sum(f32x4.mul(mine, m.lever)) / p.load : 0;
    limit += p.limit;
    middle = addScaled(middle, p.offset, p.limit);
  }
  const share: f32 = limit > 0 ? <f32>1 / limit : 0;
  middle = scale(middle, share);
  const torque = dot(sub(m.torque, cross(middle, force)), m.normal);
  let stiffness: f32 = 0;
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const from = sub(p.offset, middle);
    stiffness += p.limit * (dot(from, from) + p.lever * p.lever);
  }
  const turn: f32 = stiffness > 0 ? torque / stiffness : 0;
  let slides = limit == 0 && dot(force, force) > 0;
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    const from = cross(m.normal, sub(p.offset, middle));
    const own = scale(addScaled(scale(force, share), from, turn), p.limit);
    const twist = p.limit * p.lever * p.lever * turn;
    p.friction = f32x4(dot(own, p.tangent1), dot(own, p.tangent2), twist, 0);
    const spinning = load<f32>(<usize>p.meta, offsetof<BlockMeta>('spinningFriction')) * p.load;
    if (!(dot(own, own) <= p.limit * p.limit && abs(twist) <= p.limit * p.lever + spinning)) slides = true;
  }
  return !slides;
}

/** Stores velocities and impulses. */
export function finish(m: TowerBody, counts: bool): void {
  const v = velocityAt(m.slot);
  v.linear = m.velocity;
  v.angular = m.spin;
  if (m.patches > 1) for (let i = 0; i < m.patches; i++) release(patchAt(m.firstPatch + i), counts);
  const at = changetype<usize>(m) + offsetof<TowerBody>('at');
  const found = changetype<usize>(m) + offsetof<TowerBody>('impulses');
  const used = i32x4.bitmask(m.used);
  for (let i = 0; i < 4; i++) {
    const lane = (<usize>i) << 2;
    if ((used >> i) & 1) setImpulse(load<u32>(at + lane), load<f32>(found + lane), counts);
  }
  for (let i = 0; i < m.patches; i++) {
    const p = patchAt(m.firstPatch + i);
    store<f32>(<usize>p.block, x(p.friction), offsetof<ContactBlock>('frictionImpulse1'));
    store<f32>(<usize>p.block, y(p.friction), offsetof<ContactBlock>('frictionImpulse2'));
    store<f32>(<usize>p.block, z(p.friction), offsetof<ContactBlock>('twistImpulse'));
  }
}

/** Clears a manifold. Of several only four points bear, which get their impulses after this. */
function release(p: TowerPatch, counts: bool): void {
  const count = pointCount(p);
  for (let i = 0; i < count; i++)
    setImpulse(<usize>p.block + POINTS_OFFSET + <usize>i * POINT_SIZE, 0, counts);
}

function setImpulse(at: usize, impulse: f32, counts: bool): void {
  if (counts) {
    const change = impulse - load<f32>(at, offsetof<ContactPointWide>('impulse'));
    const total = load<f32>(at, offsetof<ContactPointWide>('totalImpulse')) + change;
    store<f32>(at, total, offsetof<ContactPointWide>('totalImpulse'));
  }
  store<f32>(at, impulse, offsetof<ContactPointWide>('impulse'));
}

/**
 * Adds the velocity that corrects separations, until the next solve: the speed along n and those about t1 and t2 that suit
 * all points best, and what the bodies below have got. It changes no momentum, which a tower could not bear.
 */
export function correct(m: TowerBody, lower: TowerBody): void {
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
  if (lower != m) {
    push = add(push, add(lower.push, cross(lower.pushSpin, m.armBelow)));
    spin = add(spin, lower.pushSpin);
  }
  const body = bodyAt(m.slot);
  m.pushSpin = mul(spin, body.angularFactor);
  m.push = mul(sub(push, cross(m.pushSpin, m.arm)), body.linearFactor);
  own.linear = add(own.linear, m.push);
  own.angular = add(own.angular, m.pushSpin);
}
