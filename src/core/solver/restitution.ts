// Restitution of contacts that the passes have stopped: in Bullet's profiles, for bodies with joints, and for other
// impacts that impacts.ts leaves to the passes. In: points that came into contact in this substep, with the approach
// speeds recorded by the biased pass. Out: velocities after the impact, and impulses that are suitable for warm
// starting the next substep. Runs in every substep, so that a ball that was hit can hit another one within the same
// step.

import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { splat, zero } from '../math/vector';
import { Vec3W } from '../math/wide';
import { OVERFLOW_COLOR, SPECIAL_IMPACT } from '../memory/constants';
import { BlockMeta, ContactBlock } from '../memory/records';
import {
  blockAt,
  blockHandle,
  blockOf,
  colorAt,
  metaAt,
  pointAt,
  pointMetaAt,
  setWord,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { IMPACT_SPEED } from '../tolerances';
import { context } from './context';
import { pushHandle } from './lanes';
import { lists } from './lists';
import { solveSimultaneousImpacts } from './simultaneousImpacts';

/** Lists the blocks with impacts, those of the overflow last, and prepares them. Returns whether there are any. */
export function prepareRestitution(): bool {
  const l = lists();
  let count = 0;
  for (let c = 0; c <= OVERFLOW_COLOR; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++)
      if (blockOf(color, i).special & SPECIAL_IMPACT) setWord(<u32>l.impacts, count++, blockHandle(c, i));
  }
  l.impactCount = count;
  if (THREADED && forks(count, SHARED_BLOCKS)) fork(accelerateSome, 0, 0, count);
  else accelerateSome(0, count, 0, 0);
  return count > 0;
}

/** Blocks from which on a pass over those with impacts is shared between threads. */
const SHARED_BLOCKS = 64;

function accelerateSome(from: i32, to: i32, _: i32, __: i32): void {
  const impacts = <u32>lists().impacts;
  for (let i = from; i < to; i++) {
    const handle = wordAt(impacts, i);
    storeAcceleration(blockAt(handle), metaAt(handle));
  }
}

/** Closing acceleration along n by forces: a body that falls through a gap arrives faster than it started. @wide */
function storeAcceleration(c: ContactBlock, meta: BlockMeta): void {
  const iA = c.bodyA;
  const iB = c.bodyB;
  const f0 =
    velocityAt(i32x4.extract_lane(iB, 0)).forceLinear - velocityAt(i32x4.extract_lane(iA, 0)).forceLinear;
  const f1 =
    velocityAt(i32x4.extract_lane(iB, 1)).forceLinear - velocityAt(i32x4.extract_lane(iA, 1)).forceLinear;
  const f2 =
    velocityAt(i32x4.extract_lane(iB, 2)).forceLinear - velocityAt(i32x4.extract_lane(iA, 2)).forceLinear;
  const f3 =
    velocityAt(i32x4.extract_lane(iB, 3)).forceLinear - velocityAt(i32x4.extract_lane(iA, 3)).forceLinear;
  const low01 = zipLow(f0, f1);
  const low23 = zipLow(f2, f3);
  meta.approachAcceleration =
    splat(context().inverseH) *
    (lowHalves(low01, low23) * c.normalX +
      highHalves(low01, low23) * c.normalY +
      lowHalves(zipHigh(f0, f1), zipHigh(f2, f3)) * c.normalZ);
}

/**
 * After the relax passes of each substep: points that came into contact faster than `threshold` separate with e times
 * their speed.
 */
export function applyRestitution(threshold: f32): void {
  const g = world();
  const listed = lists().impactCount;
  const shared = THREADED && forks(listed, SHARED_BLOCKS);
  if (shared) {
    outcomes(listed);
    fork(settleSome, 0, 0, listed);
  }
  // First those of the overflow.
  let first = listed;
  while (first > 0 && isOverflow(first - 1)) first--;
  for (let i = first; i < listed; i++) pushArrived(i, shared);
  for (let i = 0; i < first; i++) pushArrived(i, shared);
  const count = g.newBlockCount;
  if (count == 0) return;
  solveSimultaneousImpacts(count, threshold);
  for (let i = 0; i < count; i++) {
    const handle = wordAt(g.newBlocks, i);
    bounce(blockAt(handle), metaAt(handle), threshold);
  }
  g.newBlockCount = 0;
}

function isOverflow(i: i32): bool {
  const handle = wordAt(<u32>lists().impacts, i);
  return handle >= blockHandle(OVERFLOW_COLOR, 0);
}

/** A part of applyRestitution, in the threaded core. */
function settleSome(from: i32, to: i32, _: i32, __: i32): void {
  const found = outcomes(0);
  for (let i = from; i < to; i++) store<i32>(found + ((<usize>i) << 2), settle(i) ? 1 : 0);
}

/** @inline */
function settle(i: i32): bool {
  const handle = wordAt(<u32>lists().impacts, i);
  const block = blockAt(handle);
  settleApproach(metaAt(handle), block);
  return arrived(metaAt(handle), block.maxPoints);
}

function pushArrived(i: i32, shared: bool): void {
  const came = THREADED && shared ? load<i32>(outcomes(0) + ((<usize>i) << 2)) != 0 : settle(i);
  if (came) pushHandle(wordAt(<u32>lists().impacts, i));
}

/** Whether a point came into contact, or is still marked from an earlier impact. */
function arrived(meta: BlockMeta, points: i32): bool {
  let any = false;
  for (let i = 0; i < points; i++)
    any = any || v128.any_true(v128.or(pointMetaAt(meta, i).arrival, pointMetaAt(meta, i).struck));
  return any;
}

/** Result of `measure`: speed along the normal at the centre, angular speeds about the tangents. */
const MOTION: usize = memory.data(48, 16);

/** @wide */
function measure(c: ContactBlock): void {
  const iA = c.bodyA;
  const iB = c.bodyB;
  const a0 = velocityAt(i32x4.extract_lane(iA, 0));
  const a1 = velocityAt(i32x4.extract_lane(iA, 1));
  const a2 = velocityAt(i32x4.extract_lane(iA, 2));
  const a3 = velocityAt(i32x4.extract_lane(iA, 3));
  const b0 = velocityAt(i32x4.extract_lane(iB, 0));
  const b1 = velocityAt(i32x4.extract_lane(iB, 1));
  const b2 = velocityAt(i32x4.extract_lane(iB, 2));
  const b3 = velocityAt(i32x4.extract_lane(iB, 3));
  const v0 = b0.linear - a0.linear;
  const v1 = b1.linear - a1.linear;
  const v2 = b2.linear - a2.linear;
  const v3 = b3.linear - a3.linear;
  let low01 = zipLow(v0, v1);
  let low23 = zipLow(v2, v3);
  const vx = lowHalves(low01, low23);
  const vy = highHalves(low01, low23);
  const vz = lowHalves(zipHigh(v0, v1), zipHigh(v2, v3));
  low01 = zipLow(a0.angular, a1.angular);
  low23 = zipLow(a2.angular, a3.angular);
  const wAx = lowHalves(low01, low23);
  const wAy = highHalves(low01, low23);
  const wAz = lowHalves(zipHigh(a0.angular, a1.angular), zipHigh(a2.angular, a3.angular));
  low01 = zipLow(b0.angular, b1.angular);
  low23 = zipLow(b2.angular, b3.angular);
  const wBx = lowHalves(low01, low23);
  const wBy = highHalves(low01, low23);
  const wBz = lowHalves(zipHigh(b0.angular, b1.angular), zipHigh(b2.angular, b3.angular));
  const nx = c.normalX;
  const ny = c.normalY;
  const nz = c.normalZ;
  const t1x = c.tangentX;
  const t1y = c.tangentY;
  const t1z = c.tangentZ;
  const t2x = ny * t1z - nz * t1y;
  const t2y = nz * t1x - nx * t1z;
  const t2z = nx * t1y - ny * t1x;
  const wx = wBx - wAx;
  const wy = wBy - wAy;
  const wz = wBz - wAz;
  const uN =
    nx * (vx + (wBy * c.centerBZ - wBz * c.centerBY) - (wAy * c.centerAZ - wAz * c.centerAY)) +
    ny * (vy + (wBz * c.centerBX - wBx * c.centerBZ) - (wAz * c.centerAX - wAx * c.centerAZ)) +
    nz * (vz + (wBx * c.centerBY - wBy * c.centerBX) - (wAx * c.centerAY - wAy * c.centerAX));
  v128.store(MOTION, uN);
  v128.store(MOTION, wx * t1x + wy * t1y + wz * t1z, 16);
  v128.store(MOTION, wx * t2x + wy * t2y + wz * t2z, 32);
}

/**
 * Runs before the relax pass over a block. Records approach speeds that are left after the biased pass, because another
 * contact stopped the partner body later in that pass. They are negative until it is known whether the relax pass stops
 * them. @wide
 */
export function noteApproach(c: ContactBlock, meta: BlockMeta): void {
  if (!v128.any_true(meta.restitution)) return;
  measure(c);
  const uN = v128.load(MOTION);
  const u1 = v128.load(MOTION, 16);
  const u2 = v128.load(MOTION, 32);
  for (let i = 0; i < c.maxPoints; ++i) {
    const p = pointAt(c, i);
    const q = pointMetaAt(meta, i);
    // Without the velocity that forces add in this substep.
    const speed = f32x4.min(
      uN + p.b * u1 - p.a * u2 - meta.approachAcceleration * splat(context().h),
      zero(),
    );
    const none = zero();
    const open = v128.and(v128.and(f32x4.eq(p.impulse, none), f32x4.eq(q.arrival, none)), v128.not(q.struck));
    q.arrival = v128.bitselect(speed, q.arrival, open);
  }
}

/** If the relax pass stopped a point that had no impulse before, the point came into contact in this substep. */
function settleApproach(meta: BlockMeta, c: ContactBlock): void {
  if (!v128.any_true(meta.restitution)) return;
  const none = zero();
  for (let i = 0; i < c.maxPoints; i++) {
    const q = pointMetaAt(meta, i);
    const late = v128.and(f32x4.lt(q.arrival, none), f32x4.gt(pointAt(c, i).impulse, none));
    q.arrival = f32x4.max(q.arrival, v128.and(f32x4.sub(none, q.arrival), late));
    q.arrival = f32x4.max(q.arrival, none);
  }
}

/** @wide */
function bounce(c: ContactBlock, meta: BlockMeta, threshold: f32): void {
  const nx = c.normalX;
  const ny = c.normalY;
  const nz = c.normalZ;
  const t1x = c.tangentX;
  const t1y = c.tangentY;
  const t1z = c.tangentZ;
  const t2x = ny * t1z - nz * t1y;
  const t2y = nz * t1x - nx * t1z;
  const t2z = nx * t1y - ny * t1x;
  measure(c);
  let uN = v128.load(MOTION);
  let u1 = v128.load(MOTION, 16);
  let u2 = v128.load(MOTION, 32);
  const none = zero();
  const e = meta.restitution;
  let fN = none;
  let tau1 = none;
  let tau2 = none;
  let onceN = none;
  let once1 = none;
  let once2 = none;
  let struck = none;
  const points = c.maxPoints;
  for (let i = 0; i < points; ++i) {
    const p = pointAt(c, i);
    const q = pointMetaAt(meta, i);
    const a = p.a;
    const b = p.b;
    const arrival = q.arrival;
    q.arrival = none;
    const bounces = v128.and(f32x4.gt(arrival, splat(threshold)), f32x4.gt(e, none));
    const vn = uN + b * u1 - a * u2;
    // Newton's law for the speed, limited to e times the impulse that stopped the approach (Poisson's law): several
    // simultaneous contacts cannot gain energy together.
    const d = v128.and(f32x4.min(f32x4.max(p.mass * (e * arrival - vn), none), e * p.impulse), bounces);
    p.totalImpulse = p.totalImpulse + d;
    uN += d * (c.kNN + b * c.kN1 - a * c.kN2);
    u1 += d * (c.kN1 + b * c.k11 - a * c.k12);
    u2 += d * (c.kN2 + b * c.k12 - a * c.k22);
    fN += d;
    tau1 += d * b;
    tau2 -= d * a;
    // An impact happens once: the next substep must not repeat any part of it by warm starting.
    const colliding = v128.or(bounces, f32x4.gt(arrival, splat(IMPACT_SPEED)));
    // A point that pushes again at once is under load and has no further impact. A point with restitution can have one.
    q.struck = v128.or(v128.andnot(colliding, bounces), v128.and(q.struck, f32x4.gt(p.impulse, none)));
    const impact = d + v128.and(p.impulse, colliding);
    p.impulse = v128.andnot(p.impulse, colliding);
    struck = v128.or(struck, colliding);
    onceN += impact;
    once1 += impact * b;
    once2 -= impact * a;
  }
  const t2 = new Vec3W(t2x, t2y, t2z);
  push(c, t2, new FrameImpulse(fN, none, none, tau1, tau2, none), false);
  // Nor must it repeat the friction of an impact.
  const f1 = v128.and(c.frictionImpulse1, struck);
  const f2 = v128.and(c.frictionImpulse2, struck);
  const twist = v128.and(c.twistImpulse, struck);
  c.frictionImpulse1 = v128.andnot(c.frictionImpulse1, struck);
  c.frictionImpulse2 = v128.andnot(c.frictionImpulse2, struck);
  c.twistImpulse = v128.andnot(c.twistImpulse, struck);
  push(c, t2, new FrameImpulse(onceN, f1, f2, once1, once2, twist), true);
}

/** Impulses along n, t1, t2, and about t1, t2, n. @value */
class FrameImpulse {
  n: v128;
  along1: v128;
  along2: v128;
  about1: v128;
  about2: v128;
  aboutN: v128;
}

/**
 * Adds the effect of a force and torque in the contact frame to the velocities of both bodies, or to their base
 * velocities. @wide
 */
function push(c: ContactBlock, t2: Vec3W, f: FrameImpulse, toBase: bool): void {
  const px = c.normalX * f.n + c.tangentX * f.along1 + t2.x * f.along2;
  const py = c.normalY * f.n + c.tangentY * f.along1 + t2.y * f.along2;
  const pz = c.normalZ * f.n + c.tangentZ * f.along1 + t2.z * f.along2;
  const tx = c.tangentX * f.about1 + t2.x * f.about2 + c.normalX * f.aboutN;
  const ty = c.tangentY * f.about1 + t2.y * f.about2 + c.normalY * f.aboutN;
  const tz = c.tangentZ * f.about1 + t2.z * f.about2 + c.normalZ * f.aboutN;
  let lx = zero() - (c.centerAY * pz - c.centerAZ * py + tx);
  let ly = zero() - (c.centerAZ * px - c.centerAX * pz + ty);
  let lz = zero() - (c.centerAX * py - c.centerAY * px + tz);
  add4(
    c.bodyA,
    new Vec3W(zero() - px * c.invMassAX, zero() - py * c.invMassAY, zero() - pz * c.invMassAZ),
    new Vec3W(
      c.inertiaAXX * lx + c.inertiaAXY * ly + c.inertiaAXZ * lz,
      c.inertiaAXY * lx + c.inertiaAYY * ly + c.inertiaAYZ * lz,
      c.inertiaAXZ * lx + c.inertiaAYZ * ly + c.inertiaAZZ * lz,
    ),
    toBase,
  );
  lx = c.centerBY * pz - c.centerBZ * py + tx;
  ly = c.centerBZ * px - c.centerBX * pz + ty;
  lz = c.centerBX * py - c.centerBY * px + tz;
  add4(
    c.bodyB,
    new Vec3W(px * c.invMassBX, py * c.invMassBY, pz * c.invMassBZ),
    new Vec3W(
      c.inertiaBXX * lx + c.inertiaBXY * ly + c.inertiaBXZ * lz,
      c.inertiaBXY * lx + c.inertiaBYY * ly + c.inertiaBYZ * lz,
      c.inertiaBXZ * lx + c.inertiaBYZ * ly + c.inertiaBZZ * lz,
    ),
    toBase,
  );
}

/** @wide */
function add4(slots: v128, v: Vec3W, w: Vec3W, toBase: bool): void {
  const none = zero();
  const vLow01 = zipLow(v.x, v.y);
  const vLow23 = zipLow(v.z, none);
  const vHigh01 = zipHigh(v.x, v.y);
  const vHigh23 = zipHigh(v.z, none);
  const wLow01 = zipLow(w.x, w.y);
  const wLow23 = zipLow(w.z, none);
  const wHigh01 = zipHigh(w.x, w.y);
  const wHigh23 = zipHigh(w.z, none);
  addTo(i32x4.extract_lane(slots, 0), lowHalves(vLow01, vLow23), lowHalves(wLow01, wLow23), toBase);
  addTo(i32x4.extract_lane(slots, 1), highHalves(vLow01, vLow23), highHalves(wLow01, wLow23), toBase);
  addTo(i32x4.extract_lane(slots, 2), lowHalves(vHigh01, vHigh23), lowHalves(wHigh01, wHigh23), toBase);
  addTo(i32x4.extract_lane(slots, 3), highHalves(vHigh01, vHigh23), highHalves(wHigh01, wHigh23), toBase);
}

/** @wide */
function addTo(slot: i32, linear: v128, angular: v128, toBase: bool): void {
  const p = velocityAt(slot);
  if (toBase) {
    p.baseLinear = p.baseLinear + linear;
    p.baseAngular = p.baseAngular + angular;
  } else {
    p.linear = p.linear + linear;
    p.angular = p.angular + angular;
  }
}
