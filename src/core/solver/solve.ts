// One pass over all contacts: projected Gauss–Seidel, four manifolds per instruction, colour by
// colour. In: velocities, motion since the start of the step, blocks. Out: velocities and
// accumulated impulses. With bias: soft position correction and speculative contacts; without
// (relax): the same without push, then friction. See prepare.ts for the contact frame.
// Soft step and relax: E. Catto, Solver2D (2024); accumulated impulses: Catto, GDC 2006.

import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { splat, zero } from '../math/vector';
import { OVERFLOW_COLOR, SPECIAL_IMPACT, SPECIAL_KINEMATIC, SPECIAL_ROLLING } from '../memory/constants';
import { BlockMeta, BodyVelocity, ContactBlock } from '../memory/records';
import {
  blockAt,
  blockOf,
  colorAt,
  metaAt,
  metaOf,
  pointAt,
  pointMetaAt,
  STRAINED_SIZE,
  velocityAt,
  world,
} from '../memory/tables';
import { context } from './context';
import { noteApproach } from './restitution';

/**
 * Sweeps over the points of a manifold while its bodies are in registers. A second biased sweep makes a
 * column of 40 boxes stand for a minute where one lets it sway and fall, for 8 % of the solver's time;
 * a second relaxing sweep gains nothing, and sweeping back and forth shakes a pyramid of 465 down.
 */
const BIASED_SWEEPS: i32 = 2;
/** A crate that lands flat must not be thrown sideways by the order of its corners. */
const IMPACT_SWEEPS: i32 = 4;

export function solveContacts(withBias: bool, withFriction: bool): void {
  if (withBias) {
    solveBlocks(OVERFLOW_COLOR, 0, 0, true, withFriction);
    for (let c = 0; c < OVERFLOW_COLOR; c++) solveBlocks(c, 0, 0, true, withFriction);
  } else {
    solveBlocks(OVERFLOW_COLOR, 0, 0, false, true);
    for (let c = 0; c < OVERFLOW_COLOR; c++) solveBlocks(c, 0, 0, false, true);
  }
}

/**
 * Contacts that are new have no impulses to start from, and friction that turns a body against its
 * normals needs several passes to find them: a crate set on a ramp would slip for two substeps first.
 */
export function startFreshContacts(): void {
  const g = world();
  if (g.freshCount == 0) return;
  for (let pass = 0; pass < FRESH_PASSES; pass++) solveBlocks(g.freshCount, <usize>g.fresh, 4, true, true);
}

/** One pass over the blocks under strain (strain.ts), with friction in either case. */
export function solveStrainedPass(withBias: bool): void {
  const g = world();
  if (withBias) solveBlocks(g.strainedCount, <usize>g.strained, STRAINED_SIZE, true, true);
  else solveBlocks(g.strainedCount, <usize>g.strained, STRAINED_SIZE, false, true);
}

const FRESH_PASSES = 8;

/**
 * The blocks of a colour; or so many whose handles stand at `list`, `stride` bytes apart. One loop for both passes: a
 * second copy of the kernel is a kilobyte more for every page, and saves 3 % of a pyramid.
 */
function solveBlocks(c: i32, list: usize, stride: usize, withBias: bool, withFriction: bool): void {
  const color = colorAt(list ? 0 : c);
  const count = list ? c : color.count;
  for (let i = 0; i < count; i++) {
    let block: ContactBlock;
    let meta: BlockMeta;
    if (list) {
      const handle = load<i32>(list + <usize>i * stride);
      block = blockAt(handle);
      meta = metaAt(handle);
    } else {
      block = blockOf(color, i);
      meta = metaOf(color, i);
    }
    if (!withBias && block.special & SPECIAL_IMPACT) noteApproach(block, meta);
    solveBlock(block, meta, withBias, withFriction);
  }
}

/** @inline @wide */
function solveBlock(c: ContactBlock, meta: BlockMeta, withBias: bool, withFriction: bool): void {
  const step = context();
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

  const rAx = c.centerAX;
  const rAy = c.centerAY;
  const rAz = c.centerAZ;
  const rBx = c.centerBX;
  const rBy = c.centerBY;
  const rBz = c.centerBZ;
  const nx = c.normalX;
  const ny = c.normalY;
  const nz = c.normalZ;
  const t1x = c.tangentX;
  const t1y = c.tangentY;
  const t1z = c.tangentZ;
  const t2x = ny * t1z - nz * t1y;
  const t2y = nz * t1x - nx * t1z;
  const t2z = nx * t1y - ny * t1x;

  // Motion of the contact frame since the start of the step: along n, turning about t1 and t2.
  const e0 = b0.deltaPosition - a0.deltaPosition;
  const e1 = b1.deltaPosition - a1.deltaPosition;
  const e2 = b2.deltaPosition - a2.deltaPosition;
  const e3 = b3.deltaPosition - a3.deltaPosition;
  let low01 = zipLow(e0, e1);
  let low23 = zipLow(e2, e3);
  const ex = lowHalves(low01, low23);
  const ey = highHalves(low01, low23);
  const ez = lowHalves(zipHigh(e0, e1), zipHigh(e2, e3));
  const none = zero();
  let qAx = none;
  let qAy = none;
  let qAz = none;
  let vAx = none;
  let vAy = none;
  let vAz = none;
  let wAx = none;
  let wAy = none;
  let wAz = none;
  // The ground is the first of a pair as a rule: nothing of it moves.
  const moves = v128.any_true(iA);
  if (moves) {
    low01 = zipLow(a0.deltaRotation, a1.deltaRotation);
    low23 = zipLow(a2.deltaRotation, a3.deltaRotation);
    qAx = lowHalves(low01, low23);
    qAy = highHalves(low01, low23);
    qAz = lowHalves(zipHigh(a0.deltaRotation, a1.deltaRotation), zipHigh(a2.deltaRotation, a3.deltaRotation));
    low01 = zipLow(a0.linear, a1.linear);
    low23 = zipLow(a2.linear, a3.linear);
    vAx = lowHalves(low01, low23);
    vAy = highHalves(low01, low23);
    vAz = lowHalves(zipHigh(a0.linear, a1.linear), zipHigh(a2.linear, a3.linear));
    low01 = zipLow(a0.angular, a1.angular);
    low23 = zipLow(a2.angular, a3.angular);
    wAx = lowHalves(low01, low23);
    wAy = highHalves(low01, low23);
    wAz = lowHalves(zipHigh(a0.angular, a1.angular), zipHigh(a2.angular, a3.angular));
  }
  low01 = zipLow(b0.deltaRotation, b1.deltaRotation);
  low23 = zipLow(b2.deltaRotation, b3.deltaRotation);
  const qBx = lowHalves(low01, low23);
  const qBy = highHalves(low01, low23);
  const qBz = lowHalves(
    zipHigh(b0.deltaRotation, b1.deltaRotation),
    zipHigh(b2.deltaRotation, b3.deltaRotation),
  );
  const sN =
    nx * (ex + (qBy * rBz - qBz * rBy) - (qAy * rAz - qAz * rAy)) +
    ny * (ey + (qBz * rBx - qBx * rBz) - (qAz * rAx - qAx * rAz)) +
    nz * (ez + (qBx * rBy - qBy * rBx) - (qAx * rAy - qAy * rAx));
  const qx = qBx - qAx;
  const qy = qBy - qAy;
  const qz = qBz - qAz;
  const s1 = qx * t1x + qy * t1y + qz * t1z;
  const s2 = qx * t2x + qy * t2y + qz * t2z;

  // Velocities.
  low01 = zipLow(b0.linear, b1.linear);
  low23 = zipLow(b2.linear, b3.linear);
  let vBx = lowHalves(low01, low23);
  let vBy = highHalves(low01, low23);
  let vBz = lowHalves(zipHigh(b0.linear, b1.linear), zipHigh(b2.linear, b3.linear));
  low01 = zipLow(b0.angular, b1.angular);
  low23 = zipLow(b2.angular, b3.angular);
  let wBx = lowHalves(low01, low23);
  let wBy = highHalves(low01, low23);
  let wBz = lowHalves(zipHigh(b0.angular, b1.angular), zipHigh(b2.angular, b3.angular));

  // Relative motion at the centre: along n, turning about t1 and t2.
  let ux = vBx - vAx + (wBy * rBz - wBz * rBy) - (wAy * rAz - wAz * rAy);
  let uy = vBy - vAy + (wBz * rBx - wBx * rBz) - (wAz * rAx - wAx * rAz);
  let uz = vBz - vAz + (wBx * rBy - wBy * rBx) - (wAx * rAy - wAy * rAx);
  let wx = wBx - wAx;
  let wy = wBy - wAy;
  let wz = wBz - wAz;
  let uN = nx * ux + ny * uy + nz * uz;
  let u1 = wx * t1x + wy * t1y + wz * t1z;
  let u2 = wx * t2x + wy * t2y + wz * t2z;

  const kNN = c.kNN;
  const kN1 = c.kN1;
  const kN2 = c.kN2;
  const k11 = c.k11;
  const k12 = c.k12;
  const k22 = c.k22;
  const one = splat(1);
  const inverseH = splat(step.inverseH);
  const points = c.maxPoints;
  let fN = none;
  let tau1 = none;
  let tau2 = none;
  let load = none;
  let leverage = none;
  const sweeps = c.special & SPECIAL_IMPACT ? IMPACT_SWEEPS : withBias ? BIASED_SWEEPS : 1;
  for (let sweep = 1; sweep <= sweeps; ++sweep) {
    load = none;
    leverage = none;
    for (let i = 0; i < points; ++i) {
      const p = pointAt(c, i);
      const a = p.a;
      const b = p.b;
      const s = p.separation + sN + b * s1 - a * s2;
      const vn = uN + b * u1 - a * u2;
      const apart = f32x4.gt(s, none);
      const old = p.impulse;
      let lambda: v128;
      if (withBias) {
        // Penetration is removed softly, no faster than pushSpeed; a gap may be closed, not crossed.
        const push = f32x4.max(c.biasRate * f32x4.min(s + splat(step.slop), none), splat(step.pushSpeed));
        const bias = v128.bitselect(s * inverseH, push, apart);
        const massScale = v128.bitselect(one, c.massScale, apart);
        const impulseScale = v128.andnot(c.impulseScale, apart);
        lambda = old - p.mass * (massScale * vn + bias) - impulseScale * old;
        if (c.special & SPECIAL_IMPACT) {
          const q = pointMetaAt(meta, i);
          // Coming into touch: the speed at the surface, v² − 2·a·s, from before this substep's force.
          const v0 = vn - meta.approachAcceleration * splat(step.h);
          const arrival = f32x4.sqrt(f32x4.max(v0 * v0 - splat(2) * meta.approachAcceleration * s, none));
          const arrives = v128.and(v128.and(f32x4.eq(old, none), f32x4.gt(lambda, none)), f32x4.lt(vn, none));
          q.arrival = f32x4.max(q.arrival, v128.andnot(v128.and(arrival, arrives), q.struck));
        }
      } else {
        // A gap that the biased pass left open is not closed by the next substep's motion already.
        lambda = old - p.mass * (vn + v128.and(s * inverseH, apart));
        lambda = v128.andnot(lambda, v128.and(apart, f32x4.eq(old, none)));
      }
      lambda = f32x4.max(lambda, none);
      const d = lambda - old;
      p.impulse = lambda;
      if (sweep == sweeps && (!withBias || step.countBiased)) p.totalImpulse = p.totalImpulse + lambda;
      load += lambda;
      leverage += p.lever * lambda;
      uN += d * (kNN + b * kN1 - a * kN2);
      u1 += d * (kN1 + b * k11 - a * k12);
      u2 += d * (kN2 + b * k12 - a * k22);
      fN += d;
      tau1 += d * b;
      tau2 -= d * a;
    }
  }
  let px = nx * fN;
  let py = ny * fN;
  let pz = nz * fN;
  let tx = t1x * tau1 + t2x * tau2;
  let ty = t1y * tau1 + t2y * tau2;
  let tz = t1z * tau1 + t2z * tau2;
  let lx = rAy * pz - rAz * py + tx;
  let ly = rAz * px - rAx * pz + ty;
  let lz = rAx * py - rAy * px + tz;
  if (moves) {
    vAx -= px * c.invMassAX;
    vAy -= py * c.invMassAY;
    vAz -= pz * c.invMassAZ;
    wAx -= c.inertiaAXX * lx + c.inertiaAXY * ly + c.inertiaAXZ * lz;
    wAy -= c.inertiaAXY * lx + c.inertiaAYY * ly + c.inertiaAYZ * lz;
    wAz -= c.inertiaAXZ * lx + c.inertiaAYZ * ly + c.inertiaAZZ * lz;
  }
  lx = rBy * pz - rBz * py + tx;
  ly = rBz * px - rBx * pz + ty;
  lz = rBx * py - rBy * px + tz;
  vBx += px * c.invMassBX;
  vBy += py * c.invMassBY;
  vBz += pz * c.invMassBZ;
  wBx += c.inertiaBXX * lx + c.inertiaBXY * ly + c.inertiaBXZ * lz;
  wBy += c.inertiaBXY * lx + c.inertiaBYY * ly + c.inertiaBYZ * lz;
  wBz += c.inertiaBXZ * lx + c.inertiaBYZ * ly + c.inertiaBZZ * lz;

  if (withFriction) {
    // Motion in the plane of contact after the normals have acted.
    ux = vBx - vAx + (wBy * rBz - wBz * rBy) - (wAy * rAz - wAz * rAy);
    uy = vBy - vAy + (wBz * rBx - wBx * rBz) - (wAz * rAx - wAx * rAz);
    uz = vBz - vAz + (wBx * rBy - wBy * rBx) - (wAx * rAy - wAy * rAx);
    wx = wBx - wAx;
    wy = wBy - wAy;
    wz = wBz - wAz;
    const friction = c.friction;
    let slip1 = ux * t1x + uy * t1y + uz * t1z;
    let slip2 = ux * t2x + uy * t2y + uz * t2z;
    if (c.special & SPECIAL_KINEMATIC) {
      slip1 += meta.surfaceVelocity1;
      slip2 += meta.surfaceVelocity2;
    }
    const old1 = c.frictionImpulse1;
    const old2 = c.frictionImpulse2;
    let f1 = old1 - (c.tangentMass11 * slip1 + c.tangentMass12 * slip2);
    let f2 = old2 - (c.tangentMass12 * slip1 + c.tangentMass22 * slip2);
    // Coulomb's circle: as much as μ times the load, in the direction asked for.
    const limit = friction * load;
    const asked = f32x4.sqrt(f1 * f1 + f2 * f2);
    const shrink = v128.bitselect(limit / f32x4.max(asked, splat(1e-20)), one, f32x4.gt(asked, limit));
    f1 *= shrink;
    f2 *= shrink;
    c.frictionImpulse1 = f1;
    c.frictionImpulse2 = f2;
    const d1 = f1 - old1;
    const d2 = f2 - old2;
    // Turning about n: the same limit with each point's lever; spinning friction adds to it.
    const oldTwist = c.twistImpulse;
    let twistLimit = friction * leverage;
    if (c.special & SPECIAL_ROLLING) twistLimit += meta.spinningFriction * load;
    const turning = wx * nx + wy * ny + wz * nz;
    const twist = f32x4.max(f32x4.min(oldTwist - c.twistMass * turning, twistLimit), none - twistLimit);
    c.twistImpulse = twist;
    const dTwist = twist - oldTwist;
    px = t1x * d1 + t2x * d2;
    py = t1y * d1 + t2y * d2;
    pz = t1z * d1 + t2z * d2;
    tx = nx * dTwist;
    ty = ny * dTwist;
    tz = nz * dTwist;
    lx = rAy * pz - rAz * py + tx;
    ly = rAz * px - rAx * pz + ty;
    lz = rAx * py - rAy * px + tz;
    if (moves) {
      vAx -= px * c.invMassAX;
      vAy -= py * c.invMassAY;
      vAz -= pz * c.invMassAZ;
      wAx -= c.inertiaAXX * lx + c.inertiaAXY * ly + c.inertiaAXZ * lz;
      wAy -= c.inertiaAXY * lx + c.inertiaAYY * ly + c.inertiaAYZ * lz;
      wAz -= c.inertiaAXZ * lx + c.inertiaAYZ * ly + c.inertiaAZZ * lz;
    }
    lx = rBy * pz - rBz * py + tx;
    ly = rBz * px - rBx * pz + ty;
    lz = rBx * py - rBy * px + tz;
    vBx += px * c.invMassBX;
    vBy += py * c.invMassBY;
    vBz += pz * c.invMassBZ;
    wBx += c.inertiaBXX * lx + c.inertiaBXY * ly + c.inertiaBXZ * lz;
    wBy += c.inertiaBXY * lx + c.inertiaBYY * ly + c.inertiaBYZ * lz;
    wBz += c.inertiaBXZ * lx + c.inertiaBYZ * ly + c.inertiaBZZ * lz;

    if (c.special & SPECIAL_ROLLING) {
      // Rolling friction, after friction has turned the bodies: turning about t1 and t2 is resisted up to
      // lever × load.
      wx = wBx - wAx;
      wy = wBy - wAy;
      wz = wBz - wAz;
      const w1 = wx * t1x + wy * t1y + wz * t1z;
      const w2 = wx * t2x + wy * t2y + wz * t2z;
      const oldR1 = meta.rollingImpulse1;
      const oldR2 = meta.rollingImpulse2;
      const det = f32x4.max(k11 * k22 - k12 * k12, splat(1e-20));
      const rollingLimit = meta.rollingFriction * load;
      let r1 = oldR1 - (k22 * w1 - k12 * w2) / det;
      let r2 = oldR2 - (k11 * w2 - k12 * w1) / det;
      const size = f32x4.sqrt(r1 * r1 + r2 * r2);
      const cut = v128.bitselect(
        rollingLimit / f32x4.max(size, splat(1e-20)),
        one,
        f32x4.gt(size, rollingLimit),
      );
      r1 *= cut;
      r2 *= cut;
      meta.rollingImpulse1 = r1;
      meta.rollingImpulse2 = r2;
      r1 -= oldR1;
      r2 -= oldR2;
      lx = t1x * r1 + t2x * r2;
      ly = t1y * r1 + t2y * r2;
      lz = t1z * r1 + t2z * r2;
      wAx -= c.inertiaAXX * lx + c.inertiaAXY * ly + c.inertiaAXZ * lz;
      wAy -= c.inertiaAXY * lx + c.inertiaAYY * ly + c.inertiaAYZ * lz;
      wAz -= c.inertiaAXZ * lx + c.inertiaAYZ * ly + c.inertiaAZZ * lz;
      wBx += c.inertiaBXX * lx + c.inertiaBXY * ly + c.inertiaBXZ * lz;
      wBy += c.inertiaBXY * lx + c.inertiaBYY * ly + c.inertiaBYZ * lz;
      wBz += c.inertiaBXZ * lx + c.inertiaBYZ * ly + c.inertiaBZZ * lz;
    }
  }

  if (moves) store4(a0, a1, a2, a3, vAx, vAy, vAz, wAx, wAy, wAz);
  store4(b0, b1, b2, b3, vBx, vBy, vBz, wBx, wBy, wBz);
}

/** @inline */
function store4(
  p0: BodyVelocity,
  p1: BodyVelocity,
  p2: BodyVelocity,
  p3: BodyVelocity,
  vx: v128,
  vy: v128,
  vz: v128,
  wx: v128,
  wy: v128,
  wz: v128,
): void {
  const none = zero();
  let low01 = zipLow(vx, vy);
  let low23 = zipLow(vz, none);
  let high01 = zipHigh(vx, vy);
  let high23 = zipHigh(vz, none);
  p0.linear = lowHalves(low01, low23);
  p1.linear = highHalves(low01, low23);
  p2.linear = lowHalves(high01, high23);
  p3.linear = highHalves(high01, high23);
  low01 = zipLow(wx, wy);
  low23 = zipLow(wz, none);
  high01 = zipHigh(wx, wy);
  high23 = zipHigh(wz, none);
  p0.angular = lowHalves(low01, low23);
  p1.angular = highHalves(low01, low23);
  p2.angular = lowHalves(high01, high23);
  p3.angular = highHalves(high01, high23);
}
