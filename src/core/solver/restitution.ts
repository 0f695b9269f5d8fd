// Restitution of contacts that the passes have stopped: in Bullet's profiles, for bodies with joints, and for other
// impacts that impacts.ts leaves to the passes. In: points that came into contact in this substep, with the approach
// speeds recorded by the biased pass. Out: velocities after the impact, and impulses that are suitable for warm
// starting the next substep. Runs in every substep, so that a ball that was hit can hit another one within the same
// step.

import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { splat, zero } from '../math/vector';
import { crossW, Vec3W } from '../math/wide';
import { OVERFLOW_COLOR, SPECIAL_IMPACT } from '../memory/constants';
import { BlockMeta, BodyVelocity, ContactBlock } from '../memory/records';
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
import { spread, velocityPlaces } from './joints/batchLanes';
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
  gatherBoth(c, offsetof<BodyVelocity>('forceLinear'), LINEAR);
  meta.approachAcceleration =
    splat(context().inverseH) *
    ((v128.load(LINEAR, 48) - v128.load(LINEAR)) * c.normalX +
      (v128.load(LINEAR, 64) - v128.load(LINEAR, 16)) * c.normalY +
      (v128.load(LINEAR, 80) - v128.load(LINEAR, 32)) * c.normalZ);
}

// Vectors of the bodies A of four lanes, then of the bodies B.
const LINEAR: usize = memory.data(96, 16);
const ANGULAR: usize = memory.data(96, 16);

function gatherBoth(c: ContactBlock, field: usize, to: usize): void {
  spread(to, velocityPlaces(changetype<usize>(c) + offsetof<ContactBlock>('bodyA')), field);
  spread(to + 48, velocityPlaces(changetype<usize>(c) + offsetof<ContactBlock>('bodyB')), field);
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
  gatherBoth(c, 0, LINEAR);
  gatherBoth(c, offsetof<BodyVelocity>('angular'), ANGULAR);
  const vx = v128.load(LINEAR, 48) - v128.load(LINEAR);
  const vy = v128.load(LINEAR, 64) - v128.load(LINEAR, 16);
  const vz = v128.load(LINEAR, 80) - v128.load(LINEAR, 32);
  const wAx = v128.load(ANGULAR);
  const wAy = v128.load(ANGULAR, 16);
  const wAz = v128.load(ANGULAR, 32);
  const wBx = v128.load(ANGULAR, 48);
  const wBy = v128.load(ANGULAR, 64);
  const wBz = v128.load(ANGULAR, 80);
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
    const speed = f32x4.pmin(
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
    q.arrival = f32x4.pmax(q.arrival, v128.and(f32x4.sub(none, q.arrival), late));
    q.arrival = f32x4.pmax(none, q.arrival);
  }
}

/** @wide */
function bounce(c: ContactBlock, meta: BlockMeta, threshold: f32): void {
  // Without restitution only the warm start of the next substep changes.
  const e = meta.restitution;
  const rebounds = v128.any_true(e);
  const none = zero();
  let uN = none;
  let u1 = none;
  let u2 = none;
  if (rebounds) {
    measure(c);
    uN = v128.load(MOTION);
    u1 = v128.load(MOTION, 16);
    u2 = v128.load(MOTION, 32);
  }
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
    const d = v128.and(f32x4.pmin(f32x4.pmax(none, p.mass * (e * arrival - vn)), e * p.impulse), bounces);
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
  if (rebounds) push(c, new FrameImpulse(fN, none, none, tau1, tau2, none), false);
  // Nor must it repeat the friction of an impact.
  if (v128.any_true(struck))
    discard(c, struck, new FrameImpulse(onceN, none, none, once1, once2, none), true);
}

/**
 * The impulses of some lanes do not warm start the next substep; if they are not `solved`, nor this one. What they changed is taken from both
 * bodies, so that no momentum is made. @wide
 */
export function forgetImpulses(c: ContactBlock, meta: BlockMeta, lanes: v128, solved: bool): void {
  const none = zero();
  let n = none;
  let about1 = v128.and(meta.rollingImpulse1, lanes);
  let about2 = v128.and(meta.rollingImpulse2, lanes);
  meta.rollingImpulse1 = v128.andnot(meta.rollingImpulse1, lanes);
  meta.rollingImpulse2 = v128.andnot(meta.rollingImpulse2, lanes);
  for (let i = 0; i < c.maxPoints; ++i) {
    const p = pointAt(c, i);
    const impulse = v128.and(p.impulse, lanes);
    p.impulse = v128.andnot(p.impulse, lanes);
    n += impulse;
    about1 += impulse * p.b;
    about2 -= impulse * p.a;
  }
  discard(c, lanes, new FrameImpulse(n, none, none, about1, about2, none), solved);
}

/** Takes an impulse, and the friction of its lanes, out of the next substep; if it is not `solved`, out of this one. @wide */
function discard(c: ContactBlock, lanes: v128, f: FrameImpulse, solved: bool): void {
  const sign = f32x4.splat(solved ? 1 : -1);
  const f1 = v128.and(c.frictionImpulse1, lanes) * sign;
  const f2 = v128.and(c.frictionImpulse2, lanes) * sign;
  const twist = v128.and(c.twistImpulse, lanes) * sign;
  c.frictionImpulse1 = v128.andnot(c.frictionImpulse1, lanes);
  c.frictionImpulse2 = v128.andnot(c.frictionImpulse2, lanes);
  c.twistImpulse = v128.andnot(c.twistImpulse, lanes);
  push(c, new FrameImpulse(f.n * sign, f1, f2, f.about1 * sign, f.about2 * sign, twist), solved);
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
function push(c: ContactBlock, f: FrameImpulse, toBase: bool): void {
  const t2 = crossW(c.normal, c.tangent);
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
