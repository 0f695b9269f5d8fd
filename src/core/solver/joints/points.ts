// Passes over ball joints of nets, four of a colour. In: a batch of single point joints. Out: the inverse of the
// response at their anchors, arms and errors as bodies move, impulses, and velocities of the bodies. A specialised
// version of direct.ts, batchFactor.ts and batchMotion.ts, which handle all joints row by row.

import { highHalves, lowHalves, zipHigh, zipLow } from '../../math/transpose';
import { splat, zero } from '../../math/vector';
import { Vec3W } from '../../math/wide';
import { BatchBody, BatchJoint, BodyVelocity, JointBatch, JointWork } from '../../memory/records';
import { batchBodyAt, batchJointAt, batchRowAt, velocityAt, workAt, world } from '../../memory/tables';
import { PIVOT_SOFTENING } from '../../tolerances';
import { context } from '../context';
import { loadMasses, turnVector } from './batchLanes';
import { asked, bounded } from './batchRows';
import { holdTension, isTaut } from './geometricStiffness';
import { invertPivot } from './pivots';

/** Address of the symmetric response, later its inverse: xx, xy, xz, yy, yz, zz. @inline */
function responseOf(u: JointBatch): usize {
  return <usize>world().batchData + <usize>u.matrix;
}

/** Adds the effect of a unit impulse at r on the velocity of that point. @wide */
function respond(b: BatchBody, r: usize, k: usize): void {
  const x = v128.load(r);
  const y = v128.load(r, 16);
  const z = v128.load(r, 32);
  const xx = b.inertiaXX;
  const xy = b.inertiaXY;
  const xz = b.inertiaXZ;
  const yy = b.inertiaYY;
  const yz = b.inertiaYZ;
  const zz = b.inertiaZZ;
  // Inverse inertia times r × the axes: (0, z, −y), (−z, 0, x), (y, −x, 0).
  const ax = xy * z - xz * y;
  const ay = yy * z - yz * y;
  const az = yz * z - zz * y;
  const bx = xz * x - xx * z;
  const by = yz * x - xy * z;
  const bz = zz * x - xz * z;
  v128.store(k, v128.load(k) + b.invMassX + (z * ay - y * az));
  v128.store(k, v128.load(k, 16) + (x * az - z * ax), 16);
  v128.store(k, v128.load(k, 32) + (y * ax - x * ay), 32);
  v128.store(k, v128.load(k, 48) + b.invMassY + (x * bz - z * bx), 48);
  v128.store(k, v128.load(k, 64) + (y * bx - x * by), 64);
  v128.store(k, v128.load(k, 80) + b.invMassZ + (y * (xx * y - xy * x) - x * (xy * y - yy * x)), 80);
}

/** Inverts by L D Lᵀ, with the same test of pivots as batchFactor.ts. @wide */
function invert(k: usize): void {
  const soft = splat(1) + splat(PIVOT_SOFTENING);
  const xx = v128.load(k) * soft;
  const xy = v128.load(k, 16);
  const xz = v128.load(k, 32);
  const yy = v128.load(k, 48) * soft;
  const yz = v128.load(k, 64);
  const zz = v128.load(k, 80) * soft;
  const d0 = invertPivot(xx, xx);
  const n10 = -(xy * d0);
  const l20 = xz * d0;
  const d1 = invertPivot(yy + n10 * xy, yy);
  const c21 = yz + n10 * xz;
  const n21 = -(c21 * d1);
  const d2 = invertPivot(zz - l20 * xz + n21 * c21, zz);
  const n20 = n10 * n21 - l20;
  const i20 = n20 * d2;
  const i21 = n21 * d2;
  v128.store(k, d0 + n10 * n10 * d1 + n20 * i20);
  v128.store(k, n10 * d1 + n20 * i21, 16);
  v128.store(k, i20, 32);
  v128.store(k, d1 + n21 * i21, 48);
  v128.store(k, i21, 64);
  v128.store(k, d2, 80);
}

export function factorPoints(u: JointBatch, damp: bool): void {
  const k = responseOf(u);
  const r = changetype<usize>(batchJointAt(u, 0));
  u.turned = 0;
  loadMasses(u);
  holdTension(u, damp);
  for (let o: usize = 0; o < 96; o += 16) v128.store(k + o, zero());
  respond(batchBodyAt(u, 0), r + offsetof<BatchJoint>('rAX'), k);
  respond(batchBodyAt(u, 1), r + offsetof<BatchJoint>('rBX'), k);
  invert(k);
}

/** Applies the impulse (x, y, z) at r to the velocities. @wide */
function hit(b: BatchBody, r: Vec3W, p: Vec3W): void {
  const rx = r.x;
  const ry = r.y;
  const rz = r.z;
  const x = p.x;
  const y = p.y;
  const z = p.z;
  const none = zero();
  const slots = b.slots;
  const v0 = velocityAt(i32x4.extract_lane(slots, 0));
  const v1 = velocityAt(i32x4.extract_lane(slots, 1));
  const v2 = velocityAt(i32x4.extract_lane(slots, 2));
  const v3 = velocityAt(i32x4.extract_lane(slots, 3));
  const vx = b.invMassX * x;
  const vy = b.invMassY * y;
  const vz = b.invMassZ * z;
  let low01 = zipLow(vx, vy);
  let low23 = zipLow(vz, none);
  let high01 = zipHigh(vx, vy);
  let high23 = zipHigh(vz, none);
  add(v0, 0, lowHalves(low01, low23));
  add(v1, 0, highHalves(low01, low23));
  add(v2, 0, lowHalves(high01, high23));
  add(v3, 0, highHalves(high01, high23));
  const lx = ry * z - rz * y;
  const ly = rz * x - rx * z;
  const lz = rx * y - ry * x;
  const wx = b.inertiaXX * lx + b.inertiaXY * ly + b.inertiaXZ * lz;
  const wy = b.inertiaXY * lx + b.inertiaYY * ly + b.inertiaYZ * lz;
  const wz = b.inertiaXZ * lx + b.inertiaYZ * ly + b.inertiaZZ * lz;
  low01 = zipLow(wx, wy);
  low23 = zipLow(wz, none);
  high01 = zipHigh(wx, wy);
  high23 = zipHigh(wz, none);
  add(v0, 16, lowHalves(low01, low23));
  add(v1, 16, highHalves(low01, low23));
  add(v2, 16, lowHalves(high01, high23));
  add(v3, 16, highHalves(high01, high23));
}

/** Adds to a velocity and to its base, so that contacts do not count the change (solve.ts). @inline */
function add(v: BodyVelocity, field: usize, change: v128): void {
  const at = changetype<usize>(v) + field;
  const base = at + offsetof<BodyVelocity>('baseLinear');
  v128.store(at, f32x4.add(v128.load(at), change));
  v128.store(base, f32x4.add(v128.load(base), change));
}

/** With `warm`, applies the impulses of the last substep; otherwise solves new ones. @wide */
export function sweepPoints(u: JointBatch, warm: bool, withBias: bool): void {
  const j = batchJointAt(u, 0);
  const a = batchBodyAt(u, 0);
  const b = batchBodyAt(u, 1);
  const r0 = batchRowAt(u, 0);
  const r1 = batchRowAt(u, 1);
  const r2 = batchRowAt(u, 2);
  const rAX = j.rAX;
  const rAY = j.rAY;
  const rAZ = j.rAZ;
  const rBX = j.rBX;
  const rBY = j.rBY;
  const rBZ = j.rBZ;
  let x = r0.impulse;
  let y = r1.impulse;
  let z = r2.impulse;
  if (!warm) {
    let slots = a.slots;
    const v0 = velocityAt(i32x4.extract_lane(slots, 0));
    const v1 = velocityAt(i32x4.extract_lane(slots, 1));
    const v2 = velocityAt(i32x4.extract_lane(slots, 2));
    const v3 = velocityAt(i32x4.extract_lane(slots, 3));
    let low01 = zipLow(v0.angular, v1.angular);
    let low23 = zipLow(v2.angular, v3.angular);
    let wx = lowHalves(low01, low23);
    let wy = highHalves(low01, low23);
    let wz = lowHalves(zipHigh(v0.angular, v1.angular), zipHigh(v2.angular, v3.angular));
    let ux = wy * rAZ - wz * rAY;
    let uy = wz * rAX - wx * rAZ;
    let uz = wx * rAY - wy * rAX;
    slots = b.slots;
    const q0 = velocityAt(i32x4.extract_lane(slots, 0));
    const q1 = velocityAt(i32x4.extract_lane(slots, 1));
    const q2 = velocityAt(i32x4.extract_lane(slots, 2));
    const q3 = velocityAt(i32x4.extract_lane(slots, 3));
    const e0 = q0.linear - v0.linear;
    const e1 = q1.linear - v1.linear;
    const e2 = q2.linear - v2.linear;
    const e3 = q3.linear - v3.linear;
    low01 = zipLow(e0, e1);
    low23 = zipLow(e2, e3);
    ux = lowHalves(low01, low23) - ux;
    uy = highHalves(low01, low23) - uy;
    uz = lowHalves(zipHigh(e0, e1), zipHigh(e2, e3)) - uz;
    low01 = zipLow(q0.angular, q1.angular);
    low23 = zipLow(q2.angular, q3.angular);
    wx = lowHalves(low01, low23);
    wy = highHalves(low01, low23);
    wz = lowHalves(zipHigh(q0.angular, q1.angular), zipHigh(q2.angular, q3.angular));
    ux += wy * rBZ - wz * rBY;
    uy += wz * rBX - wx * rBZ;
    uz += wx * rBY - wy * rBX;
    const k = responseOf(u);
    const old0 = x;
    const old1 = y;
    const old2 = z;
    const w: JointWork = workAt(i32x4.extract_lane(j.slots, 0));
    const rate = splat(withBias ? w.biasRate : 0);
    const massScale = splat(withBias ? w.massScale : 1);
    const impulseScale = splat(withBias ? w.impulseScale : 0);
    ux += asked(r0.error, rate);
    uy += asked(r1.error, rate);
    uz += asked(r2.error, rate);
    const xy = v128.load(k, 16);
    const xz = v128.load(k, 32);
    const yz = v128.load(k, 64);
    x = bounded(-((v128.load(k) * ux + xy * uy + xz * uz) * massScale + old0 * impulseScale));
    y = bounded(-((xy * ux + v128.load(k, 48) * uy + yz * uz) * massScale + old1 * impulseScale));
    z = bounded(-((xz * ux + yz * uy + v128.load(k, 80) * uz) * massScale + old2 * impulseScale));
    r0.impulse = old0 + x;
    r1.impulse = old1 + y;
    r2.impulse = old2 + z;
  }
  hit(b, new Vec3W(rBX, rBY, rBZ), new Vec3W(x, y, z));
  hit(a, new Vec3W(rAX, rAY, rAZ), new Vec3W(-x, -y, -z));
}

/** @inline */
function turnArms(j: BatchJoint, a: BatchBody, b: BatchBody): void {
  turnVector(a, changetype<usize>(j) + offsetof<BatchJoint>('rAX'));
  turnVector(b, changetype<usize>(j) + offsetof<BatchJoint>('rBX'));
}

/** After bodies have moved: rotates arms, and updates gaps by the remaining velocity errors. @wide */
export function advancePoints(u: JointBatch): void {
  const j = batchJointAt(u, 0);
  const a = batchBodyAt(u, 0);
  const b = batchBodyAt(u, 1);
  const h = splat(context().h);
  const r0 = batchRowAt(u, 0);
  const r1 = batchRowAt(u, 1);
  const r2 = batchRowAt(u, 2);
  const x = j.rBX - j.rAX;
  const y = j.rBY - j.rAY;
  const z = j.rBZ - j.rAZ;
  turnArms(j, a, b);
  r0.error = r0.error + (j.rBX - j.rAX - x) + (b.vX - a.vX) * h;
  r1.error = r1.error + (j.rBY - j.rAY - y) + (b.vY - a.vY) * h;
  r2.error = r2.error + (j.rBZ - j.rAZ - z) + (b.vZ - a.vZ) * h;
  if (isTaut(u)) factorPoints(u, true);
}
