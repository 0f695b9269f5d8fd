// Makes contact blocks ready for the substeps. In: manifolds in their contact frames, bodies. Out:
// effective masses, softness, and the warm start with last step's impulses.
//
// A manifold's points share one normal and lie close to one plane, so everything the normals do to
// the two bodies goes through three numbers of the relative motion at the manifold's centre: the
// speed along n and the turning about t1 and t2. With d = a·t1 + b·t2 the offset of a point,
//   vₙ(point) = vₙ + d × … = uN + b·u1 − a·u2,   g = (1, b, −a),   1/mass = gᵀ K g
// where K is the 3×3 response of (uN, u1, u2) to unit impulses along the same.

import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { splat, zero } from '../math/vector';
import {
  BODY_KINEMATIC,
  LIST_CONCAVE,
  LIST_SOLVED,
  OVERFLOW_COLOR,
  SPECIAL_KINEMATIC,
} from '../memory/constants';
import { BlockMeta, Body, ContactBlock, Pair } from '../memory/records';
import {
  blockAt,
  blockHandle,
  blockOf,
  bodyAt,
  colorAt,
  metaAt,
  metaOf,
  pairAt,
  pointAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { context } from './context';
import { pushHandle } from './lanes';
import { loadOf, makeFirm, pushStrained } from './strain';

export function prepareContacts(): void {
  world().freshCount = 0;
  world().strainedCount = 0;
  prepareColor(OVERFLOW_COLOR);
  for (let c = 0; c < OVERFLOW_COLOR; c++) prepareColor(c);
}

function prepareColor(c: i32): void {
  const color = colorAt(c);
  for (let i = 0; i < color.count; i++) {
    const block = blockOf(color, i);
    prepareBlock(block, metaOf(color, i), true);
    if (block.fresh) pushFresh(block, blockHandle(c, i));
    else if (block.strained) pushStrained(blockHandle(c, i));
  }
}

/** The body has turned within the step: impulses from now on are to know its inertia. */
export function prepareContactsOf(b: Body): void {
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list == LIST_SOLVED) prepareLane(pair);
    else if (pair.list == LIST_CONCAVE)
      for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) prepareLane(pairAt(child));
  }
}

/** Its block waits in World.fresh: several of its lanes may be named. */
function prepareLane(pair: Pair): void {
  const block = blockAt(pair.index >> 2);
  if (block.fresh) return;
  block.fresh = 1;
  pushHandle(pair.index >> 2);
}

/** The blocks that bodies have named since: when all of these have their inertia. */
export function prepareNamed(): void {
  const g = world();
  for (let i = 0; i < g.freshCount; i++) {
    const handle = wordAt(g.fresh, i);
    const block = blockAt(handle);
    block.fresh = 0;
    prepareBlock(block, metaAt(handle), false);
    if (block.strained) makeFirm(block);
  }
  g.freshCount = 0;
}

function pushFresh(block: ContactBlock, handle: i32): void {
  block.fresh = 0;
  pushHandle(handle);
}

/** Not `first`: again within the step, for another inertia. @wide */
function prepareBlock(c: ContactBlock, meta: BlockMeta, first: bool): void {
  const pointCount = meta.pointCount;
  const step = context();
  const iA = c.bodyA;
  const iB = c.bodyB;
  // Inverse masses and inertias of the four bodies on each side.
  let p0 = bodyAt(i32x4.extract_lane(iA, 0));
  let p1 = bodyAt(i32x4.extract_lane(iA, 1));
  let p2 = bodyAt(i32x4.extract_lane(iA, 2));
  let p3 = bodyAt(i32x4.extract_lane(iA, 3));
  let low01 = zipLow(p0.invMass, p1.invMass);
  let low23 = zipLow(p2.invMass, p3.invMass);
  const mAx = lowHalves(low01, low23);
  const mAy = highHalves(low01, low23);
  const mAz = lowHalves(zipHigh(p0.invMass, p1.invMass), zipHigh(p2.invMass, p3.invMass));
  low01 = zipLow(p0.invInertiaA, p1.invInertiaA);
  low23 = zipLow(p2.invInertiaA, p3.invInertiaA);
  const axx = lowHalves(low01, low23);
  const axy = highHalves(low01, low23);
  const axz = lowHalves(zipHigh(p0.invInertiaA, p1.invInertiaA), zipHigh(p2.invInertiaA, p3.invInertiaA));
  low01 = zipLow(p0.invInertiaB, p1.invInertiaB);
  low23 = zipLow(p2.invInertiaB, p3.invInertiaB);
  const ayy = lowHalves(low01, low23);
  const ayz = highHalves(low01, low23);
  const azz = lowHalves(zipHigh(p0.invInertiaB, p1.invInertiaB), zipHigh(p2.invInertiaB, p3.invInertiaB));
  p0 = bodyAt(i32x4.extract_lane(iB, 0));
  p1 = bodyAt(i32x4.extract_lane(iB, 1));
  p2 = bodyAt(i32x4.extract_lane(iB, 2));
  p3 = bodyAt(i32x4.extract_lane(iB, 3));
  low01 = zipLow(p0.invMass, p1.invMass);
  low23 = zipLow(p2.invMass, p3.invMass);
  const mBx = lowHalves(low01, low23);
  const mBy = highHalves(low01, low23);
  const mBz = lowHalves(zipHigh(p0.invMass, p1.invMass), zipHigh(p2.invMass, p3.invMass));
  low01 = zipLow(p0.invInertiaA, p1.invInertiaA);
  low23 = zipLow(p2.invInertiaA, p3.invInertiaA);
  const bxx = lowHalves(low01, low23);
  const bxy = highHalves(low01, low23);
  const bxz = lowHalves(zipHigh(p0.invInertiaA, p1.invInertiaA), zipHigh(p2.invInertiaA, p3.invInertiaA));
  low01 = zipLow(p0.invInertiaB, p1.invInertiaB);
  low23 = zipLow(p2.invInertiaB, p3.invInertiaB);
  const byy = lowHalves(low01, low23);
  const byz = highHalves(low01, low23);
  const bzz = lowHalves(zipHigh(p0.invInertiaB, p1.invInertiaB), zipHigh(p2.invInertiaB, p3.invInertiaB));
  c.invMassAX = mAx;
  c.invMassAY = mAy;
  c.invMassAZ = mAz;
  c.invMassBX = mBx;
  c.invMassBY = mBy;
  c.invMassBZ = mBz;
  c.inertiaAXX = axx;
  c.inertiaAXY = axy;
  c.inertiaAXZ = axz;
  c.inertiaAYY = ayy;
  c.inertiaAYZ = ayz;
  c.inertiaAZZ = azz;
  c.inertiaBXX = bxx;
  c.inertiaBXY = bxy;
  c.inertiaBXZ = bxz;
  c.inertiaBYY = byy;
  c.inertiaBYZ = byz;
  c.inertiaBZZ = bzz;

  const nx = c.normalX;
  const ny = c.normalY;
  const nz = c.normalZ;
  const t1x = c.tangentX;
  const t1y = c.tangentY;
  const t1z = c.tangentZ;
  const t2x = ny * t1z - nz * t1y;
  const t2y = nz * t1x - nx * t1z;
  const t2z = nx * t1y - ny * t1x;
  const rAx = c.centerAX;
  const rAy = c.centerAY;
  const rAz = c.centerAZ;
  const rBx = c.centerBX;
  const rBy = c.centerBY;
  const rBz = c.centerBZ;
  const mx = mAx + mBx;
  const my = mAy + mBy;
  const mz = mAz + mBz;

  // Arms of the normal, and what the inertias make of them.
  const cAx = rAy * nz - rAz * ny;
  const cAy = rAz * nx - rAx * nz;
  const cAz = rAx * ny - rAy * nx;
  const cBx = rBy * nz - rBz * ny;
  const cBy = rBz * nx - rBx * nz;
  const cBz = rBx * ny - rBy * nx;
  const gAx = axx * cAx + axy * cAy + axz * cAz;
  const gAy = axy * cAx + ayy * cAy + ayz * cAz;
  const gAz = axz * cAx + ayz * cAy + azz * cAz;
  const gBx = bxx * cBx + bxy * cBy + bxz * cBz;
  const gBy = bxy * cBx + byy * cBy + byz * cBz;
  const gBz = bxz * cBx + byz * cBy + bzz * cBz;
  const gx = gAx + gBx;
  const gy = gAy + gBy;
  const gz = gAz + gBz;
  const sxx = axx + bxx;
  const sxy = axy + bxy;
  const sxz = axz + bxz;
  const syy = ayy + byy;
  const syz = ayz + byz;
  const szz = azz + bzz;
  const h1x = sxx * t1x + sxy * t1y + sxz * t1z;
  const h1y = sxy * t1x + syy * t1y + syz * t1z;
  const h1z = sxz * t1x + syz * t1y + szz * t1z;
  const h2x = sxx * t2x + sxy * t2y + sxz * t2z;
  const h2y = sxy * t2x + syy * t2y + syz * t2z;
  const h2z = sxz * t2x + syz * t2y + szz * t2z;
  const kNN =
    mx * nx * nx +
    my * ny * ny +
    mz * nz * nz +
    (cAx * gAx + cAy * gAy + cAz * gAz) +
    (cBx * gBx + cBy * gBy + cBz * gBz);
  const kN1 = gx * t1x + gy * t1y + gz * t1z;
  const kN2 = gx * t2x + gy * t2y + gz * t2z;
  const k11 = h1x * t1x + h1y * t1y + h1z * t1z;
  const k12 = h1x * t2x + h1y * t2y + h1z * t2z;
  const k22 = h2x * t2x + h2y * t2y + h2z * t2z;
  c.kNN = kNN;
  c.kN1 = kN1;
  c.kN2 = kN2;
  c.k11 = k11;
  c.k12 = k12;
  c.k22 = k22;

  const one = splat(1);
  const two = splat(2);
  const tiny = splat(1e-12);
  for (let i = 0; i < 4; ++i) {
    const p = pointAt(c, i);
    const a = p.a;
    const b = p.b;
    const k = kNN + two * (b * kN1 - a * kN2) + b * b * k11 - two * a * b * k12 + a * a * k22;
    const used = v128.and(i32x4.gt_s(pointCount, i32x4.splat(i)), f32x4.gt(k, tiny));
    p.mass = v128.and(one / f32x4.max(k, tiny), used);
  }

  // Friction acts at the centre: a 2×2 response along t1 and t2, and one about n.
  const uAx = rAy * t1z - rAz * t1y;
  const uAy = rAz * t1x - rAx * t1z;
  const uAz = rAx * t1y - rAy * t1x;
  const uBx = rBy * t1z - rBz * t1y;
  const uBy = rBz * t1x - rBx * t1z;
  const uBz = rBx * t1y - rBy * t1x;
  const vAx = rAy * t2z - rAz * t2y;
  const vAy = rAz * t2x - rAx * t2z;
  const vAz = rAx * t2y - rAy * t2x;
  const vBx = rBy * t2z - rBz * t2y;
  const vBy = rBz * t2x - rBx * t2z;
  const vBz = rBx * t2y - rBy * t2x;
  const iuAx = axx * uAx + axy * uAy + axz * uAz;
  const iuAy = axy * uAx + ayy * uAy + ayz * uAz;
  const iuAz = axz * uAx + ayz * uAy + azz * uAz;
  const iuBx = bxx * uBx + bxy * uBy + bxz * uBz;
  const iuBy = bxy * uBx + byy * uBy + byz * uBz;
  const iuBz = bxz * uBx + byz * uBy + bzz * uBz;
  const ivAx = axx * vAx + axy * vAy + axz * vAz;
  const ivAy = axy * vAx + ayy * vAy + ayz * vAz;
  const ivAz = axz * vAx + ayz * vAy + azz * vAz;
  const ivBx = bxx * vBx + bxy * vBy + bxz * vBz;
  const ivBy = bxy * vBx + byy * vBy + byz * vBz;
  const ivBz = bxz * vBx + byz * vBy + bzz * vBz;
  const f11 =
    mx * t1x * t1x +
    my * t1y * t1y +
    mz * t1z * t1z +
    uAx * iuAx +
    uAy * iuAy +
    uAz * iuAz +
    uBx * iuBx +
    uBy * iuBy +
    uBz * iuBz;
  const f12 =
    mx * t1x * t2x +
    my * t1y * t2y +
    mz * t1z * t2z +
    uAx * ivAx +
    uAy * ivAy +
    uAz * ivAz +
    uBx * ivBx +
    uBy * ivBy +
    uBz * ivBz;
  const f22 =
    mx * t2x * t2x +
    my * t2y * t2y +
    mz * t2z * t2z +
    vAx * ivAx +
    vAy * ivAy +
    vAz * ivAz +
    vBx * ivBx +
    vBy * ivBy +
    vBz * ivBz;
  const determinant = f11 * f22 - f12 * f12;
  // A locked direction makes the determinant vanish; then friction has nothing to act on.
  const inverse = v128.and(one / f32x4.max(determinant, tiny), f32x4.gt(determinant, tiny));
  c.tangentMass11 = f22 * inverse;
  c.tangentMass12 = v128.xor(f12 * inverse, i32x4.splat(0x80000000));
  c.tangentMass22 = f11 * inverse;
  const spin =
    (sxx * nx + sxy * ny + sxz * nz) * nx +
    (sxy * nx + syy * ny + syz * nz) * ny +
    (sxz * nx + syz * ny + szz * nz) * nz;
  c.twistMass = v128.and(one / f32x4.max(spin, tiny), f32x4.gt(spin, tiny));

  // Softer between two moving bodies than against the ground, so that nothing is pressed into it.
  const moving = v128.and(f32x4.gt(mAx + mAy + mAz, zero()), f32x4.gt(mBx + mBy + mBz, zero()));
  const massScale = v128.bitselect(splat(step.massScale), splat(step.staticMassScale), moving);
  c.massScale = massScale;
  c.impulseScale = v128.bitselect(splat(step.impulseScale), splat(step.staticImpulseScale), moving);
  c.biasRate = massScale * v128.bitselect(splat(step.biasRate), splat(step.staticBiasRate), moving);
  if (!first) return;
  if (c.special & SPECIAL_KINEMATIC) storeSurfaceVelocity(c, meta, t2x, t2y, t2z);
  warmStart(c, meta, t2x, t2y, t2z);
}

/**
 * The surface of a turning kinematic body moves on an arc, but the contact frame stands still for a step: a
 * crate on a turntable would be sent along the tangent and drift outwards. Friction therefore aims at the
 * surface velocity in the middle of the step, v + ½ dt ω × (ω × r), seen in the plane of contact.
 */
function storeSurfaceVelocity(c: ContactBlock, meta: BlockMeta, t2x: v128, t2y: v128, t2z: v128): void {
  meta.surfaceVelocity1 = zero();
  meta.surfaceVelocity2 = zero();
  addCentripetal(
    c,
    meta,
    c.bodyA,
    c.centerAX,
    c.centerAY,
    c.centerAZ,
    t2x,
    t2y,
    t2z,
    splat(<f32>-0.5 * context().dt),
  );
  addCentripetal(
    c,
    meta,
    c.bodyB,
    c.centerBX,
    c.centerBY,
    c.centerBZ,
    t2x,
    t2y,
    t2z,
    splat(<f32>0.5 * context().dt),
  );
}

/** Adds factor · ω × (ω × r) of the kinematic ones among four bodies. @wide */
function addCentripetal(
  c: ContactBlock,
  meta: BlockMeta,
  slots: v128,
  rx: v128,
  ry: v128,
  rz: v128,
  t2x: v128,
  t2y: v128,
  t2z: v128,
  factor: v128,
): void {
  const w0 = kinematicSpin(i32x4.extract_lane(slots, 0));
  const w1 = kinematicSpin(i32x4.extract_lane(slots, 1));
  const w2 = kinematicSpin(i32x4.extract_lane(slots, 2));
  const w3 = kinematicSpin(i32x4.extract_lane(slots, 3));
  const low01 = zipLow(w0, w1);
  const low23 = zipLow(w2, w3);
  const wx = lowHalves(low01, low23);
  const wy = highHalves(low01, low23);
  const wz = lowHalves(zipHigh(w0, w1), zipHigh(w2, w3));
  // ω × (ω × r) = ω (ω·r) − r (ω·ω)
  const along = wx * rx + wy * ry + wz * rz;
  const square = wx * wx + wy * wy + wz * wz;
  const ax = factor * (wx * along - rx * square);
  const ay = factor * (wy * along - ry * square);
  const az = factor * (wz * along - rz * square);
  meta.surfaceVelocity1 = meta.surfaceVelocity1 + ax * c.tangentX + ay * c.tangentY + az * c.tangentZ;
  meta.surfaceVelocity2 = meta.surfaceVelocity2 + ax * t2x + ay * t2y + az * t2z;
}

/** @inline */
function kinematicSpin(slot: i32): v128 {
  return bodyAt(slot).type == BODY_KINEMATIC ? velocityAt(slot).angular : zero();
}

/** Bit per lane whose load would speed its lighter body up as STRAIN times gravity does. @inline @wide */
function strainOf(c: ContactBlock, fN: v128): i32 {
  const lightness = f32x4.max(
    f32x4.max(f32x4.max(c.invMassAX, c.invMassAY), c.invMassAZ),
    f32x4.max(f32x4.max(c.invMassBX, c.invMassBY), c.invMassBZ),
  );
  return i32x4.bitmask(f32x4.gt(fN * lightness, splat(context().strain)));
}

/** Fresh contacts have their first impulses now. */
export function findFreshStrain(): void {
  const g = world();
  for (let i = 0; i < g.freshCount; i++) {
    const handle = wordAt(g.fresh, i);
    const c = blockAt(handle);
    c.strained = strainOf(c, loadOf(c));
    if (c.strained) pushStrained(handle);
  }
  g.freshCount = 0;
}

/**
 * Applies last step's impulses. Substeps after the first are warm started per body (integrate.ts).
 * @inline @wide
 */
function warmStart(c: ContactBlock, meta: BlockMeta, t2x: v128, t2y: v128, t2z: v128): void {
  const factor = splat(context().warmstarting);
  let fN = zero();
  const f1 = c.frictionImpulse1 * factor;
  const f2 = c.frictionImpulse2 * factor;
  const twist = c.twistImpulse * factor;
  c.frictionImpulse1 = f1;
  c.frictionImpulse2 = f2;
  c.twistImpulse = twist;
  let tau1 = zero();
  let tau2 = zero();
  const points = c.maxPoints;
  for (let i = 0; i < points; ++i) {
    const p = pointAt(c, i);
    const impulse = p.impulse * factor;
    p.impulse = impulse;
    fN += impulse;
    tau1 += impulse * p.b;
    tau2 -= impulse * p.a;
  }
  if (c.special) {
    const r1 = meta.rollingImpulse1 * factor;
    const r2 = meta.rollingImpulse2 * factor;
    meta.rollingImpulse1 = r1;
    meta.rollingImpulse2 = r2;
    tau1 += r1;
    tau2 += r2;
  }
  c.strained = strainOf(c, fN);
  const nx = c.normalX;
  const ny = c.normalY;
  const nz = c.normalZ;
  const t1x = c.tangentX;
  const t1y = c.tangentY;
  const t1z = c.tangentZ;
  const px = nx * fN + t1x * f1 + t2x * f2;
  const py = ny * fN + t1y * f1 + t2y * f2;
  const pz = nz * fN + t1z * f1 + t2z * f2;
  const tx = t1x * tau1 + t2x * tau2 + nx * twist;
  const ty = t1y * tau1 + t2y * tau2 + ny * twist;
  const tz = t1z * tau1 + t2z * tau2 + nz * twist;
  const lAx = c.centerAY * pz - c.centerAZ * py + tx;
  const lAy = c.centerAZ * px - c.centerAX * pz + ty;
  const lAz = c.centerAX * py - c.centerAY * px + tz;
  const lBx = c.centerBY * pz - c.centerBZ * py + tx;
  const lBy = c.centerBZ * px - c.centerBX * pz + ty;
  const lBz = c.centerBX * py - c.centerBY * px + tz;
  addVelocities(
    c.bodyA,
    zero() - px * c.invMassAX,
    zero() - py * c.invMassAY,
    zero() - pz * c.invMassAZ,
    zero() - (c.inertiaAXX * lAx + c.inertiaAXY * lAy + c.inertiaAXZ * lAz),
    zero() - (c.inertiaAXY * lAx + c.inertiaAYY * lAy + c.inertiaAYZ * lAz),
    zero() - (c.inertiaAXZ * lAx + c.inertiaAYZ * lAy + c.inertiaAZZ * lAz),
  );
  addVelocities(
    c.bodyB,
    px * c.invMassBX,
    py * c.invMassBY,
    pz * c.invMassBZ,
    c.inertiaBXX * lBx + c.inertiaBXY * lBy + c.inertiaBXZ * lBz,
    c.inertiaBXY * lBx + c.inertiaBYY * lBy + c.inertiaBYZ * lBz,
    c.inertiaBXZ * lBx + c.inertiaBYZ * lBy + c.inertiaBZZ * lBz,
  );
}

/** Adds to the velocities of four bodies. Several lanes may name the dummy: they add zero. @inline @wide */
function addVelocities(slots: v128, vx: v128, vy: v128, vz: v128, wx: v128, wy: v128, wz: v128): void {
  const p0 = velocityAt(i32x4.extract_lane(slots, 0));
  const p1 = velocityAt(i32x4.extract_lane(slots, 1));
  const p2 = velocityAt(i32x4.extract_lane(slots, 2));
  const p3 = velocityAt(i32x4.extract_lane(slots, 3));
  const none = zero();
  let low01 = zipLow(vx, vy);
  let low23 = zipLow(vz, none);
  let high01 = zipHigh(vx, vy);
  let high23 = zipHigh(vz, none);
  p0.linear += lowHalves(low01, low23);
  p1.linear += highHalves(low01, low23);
  p2.linear += lowHalves(high01, high23);
  p3.linear += highHalves(high01, high23);
  low01 = zipLow(wx, wy);
  low23 = zipLow(wz, none);
  high01 = zipHigh(wx, wy);
  high23 = zipHigh(wz, none);
  p0.angular += lowHalves(low01, low23);
  p1.angular += highHalves(low01, low23);
  p2.angular += lowHalves(high01, high23);
  p3.angular += highHalves(high01, high23);
}
