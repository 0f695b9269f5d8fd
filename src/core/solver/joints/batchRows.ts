// Rows of a batch applied to its bodies. In: arms, directions, velocities in lanes. Out: the velocity error of each
// row, as right-hand sides in `values`; and in the other direction, impulses in `values` as velocity changes of the
// bodies.

import { add, mul, neg, scale, splat, sub, zero } from '../../math/vector';
import { Vec3W } from '../../math/wide';
import { MOST_MASS } from '../../memory/bounds';
import { BatchArms, BatchBody, BatchJoint, JointBatch } from '../../memory/records';
import { batchArmsAt, batchBodyAt, batchJointAt, batchRowAt, world } from '../../memory/tables';
import { LOST_SQUARED, MOST_LIMIT_PUSH, SLACK } from '../../tolerances';
import { context } from '../context';
import { ACROSS, AXES, SCRATCH, TURNS } from './batchLanes';

/**
 * Computes −(J v + bias) of all rows as right-hand sides; returns the largest of each lane. `swinging`: mask of the lanes in
 * which the anchors move on arcs, 0 for none.
 */
export function residual(u: JointBatch, rate: v128, swinging: v128): v128 {
  const onArcs = v128.any_true(swinging);
  let worst = zero();
  const values = <usize>world().batchData + <usize>u.values;
  const turning = SCRATCH;
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    let at = values + ((<usize>j.firstRow) << 4);
    const a = batchBodyAt(u, j.a);
    const b = batchBodyAt(u, j.b);
    if (j.locks & 1) {
      pointSpeed(j, a, b, turning);
      if (onArcs) curvature(new Joined(j, a, b), swinging, turning);
    }
    for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++, at += 16) {
      const row = batchRowAt(u, r);
      const moves = rowSpeed(u, r, row.kind, new Joined(j, a, b));
      const v =
        row.kind < ACROSS
          ? add(moves, asked(row.error, rate))
          : v128.and(
              sub(add(moves, mul(row.impulse, j.softness)), row.error),
              f32x4.lt(j.softness, splat(SLACK)),
            );
      v128.store(at, neg(v));
      worst = f32x4.pmax(worst, f32x4.abs(v));
    }
  }
  return worst;
}

/** Speed of a row; for rows of anchors that of `pointSpeed`, which is in SCRATCH. @inline */
function rowSpeed(u: JointBatch, r: i32, kind: i32, joint: Joined): v128 {
  return kind < TURNS
    ? v128.load(SCRATCH + ((<usize>kind) << 4))
    : speed(batchArmsAt(u, r), kind, joint.a, joint.b);
}

/** Writes minus the speeds of the rows of a joint to `to`; returns the largest of each lane. */
export function jointSpeeds(u: JointBatch, j: BatchJoint, to: usize): v128 {
  const a = batchBodyAt(u, j.a);
  const b = batchBodyAt(u, j.b);
  let worst = zero();
  if (j.locks & 1) pointSpeed(j, a, b, SCRATCH);
  for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++, to += 16) {
    const v = rowSpeed(u, r, batchRowAt(u, r).kind, new Joined(j, a, b));
    v128.store(to, neg(v));
    worst = f32x4.pmax(worst, f32x4.abs(v));
  }
  return worst;
}

/**
 * 1/s. The rate at which errors of each lane are removed, such that none exceeds MOST_LIMIT_PUSH. A structure has one
 * rate for all rows: errors around a loop are consistent, and would not be if `asked` clamped them one by one.
 */
export function cautious(u: JointBatch, rate: f32): v128 {
  let most = splat(MOST_LIMIT_PUSH / rate);
  for (let r = 0; r < u.rowCount; r++) {
    const row = batchRowAt(u, r);
    if (row.kind < ACROSS) most = f32x4.pmax(most, f32x4.abs(row.error));
  }
  return f32x4.div(splat(MOST_LIMIT_PUSH), most);
}

/** m/s or rad/s. Clamped speed that removes an error. @inline */
export function asked(error: v128, rate: v128): v128 {
  return f32x4.pmax(splat(-MOST_LIMIT_PUSH), f32x4.pmin(splat(MOST_LIMIT_PUSH), mul(error, rate)));
}

/** Velocity of B's anchor relative to A's. @wide */
function pointSpeed(j: BatchJoint, a: BatchBody, b: BatchBody, to: usize): void {
  const x = b.vX - a.vX + (b.wY * j.rBZ - b.wZ * j.rBY) - (a.wY * j.rAZ - a.wZ * j.rAY);
  const y = b.vY - a.vY + (b.wZ * j.rBX - b.wX * j.rBZ) - (a.wZ * j.rAX - a.wX * j.rAZ);
  const z = b.vZ - a.vZ + (b.wX * j.rBY - b.wY * j.rBX) - (a.wX * j.rAY - a.wY * j.rAX);
  v128.store(to, x);
  v128.store(to, y, 16);
  v128.store(to, z, 32);
}

/** Relative speed along the direction of an angle or axis. @wide */
export function speed(row: BatchArms, kind: i32, a: BatchBody, b: BatchBody): v128 {
  let v =
    row.armBX * b.wX +
    row.armBY * b.wY +
    row.armBZ * b.wZ -
    (row.armAX * a.wX + row.armAY * a.wY + row.armAZ * a.wZ);
  if (kind >= AXES)
    v += row.normalX * (b.vX - a.vX) + row.normalY * (b.vY - a.vY) + row.normalZ * (b.vZ - a.vZ);
  return v;
}

/** A joint and its bodies. @value */
class Joined {
  j: BatchJoint;
  a: BatchBody;
  b: BatchBody;
}

/** m/s. Adds the second-order part of the anchors' motion within a substep by the rotation of both arms. @wide */
function curvature(joint: Joined, swinging: v128, to: usize): void {
  const j = joint.j;
  addSwing(joint.b, new Vec3W(j.rBX, j.rBY, j.rBZ), v128.and(swinging, splat(1)), to);
  addSwing(joint.a, new Vec3W(j.rAX, j.rAY, j.rAZ), v128.and(swinging, splat(-1)), to);
}

/**
 * Adds `sign` times (R(ωh) r − r)/h − w × r with ω = w + g, by Rodrigues' formula: g × r + (sin θ/θ − 1) ω × r + (1 −
 * cos θ)/θ² h ω × (ω × r), θ = |ω| h. @wide
 */
export function addSwing(body: BatchBody, r: Vec3W, sign: v128, to: usize): void {
  const x = r.x;
  const y = r.y;
  const z = r.z;
  const gx = body.gX;
  const gy = body.gY;
  const gz = body.gZ;
  const wx = body.wX + gx;
  const wy = body.wY + gy;
  const wz = body.wZ + gz;
  const h = splat(context().h);
  const t = f32x4.pmin((wx * wx + wy * wy + wz * wz) * h * h, splat(2));
  const s = t * (splat(-0.16666667) + t * (splat(0.008333333) - t * splat(0.0001984127)));
  const c = (splat(0.5) - t * (splat(0.041666668) - t * (splat(0.0013888889) - t * splat(0.0000248016)))) * h;
  const vx = wy * z - wz * y;
  const vy = wz * x - wx * z;
  const vz = wx * y - wy * x;
  v128.store(to, v128.load(to) + sign * (gy * z - gz * y + s * vx + c * (wy * vz - wz * vy)));
  v128.store(to, v128.load(to, 16) + sign * (gz * x - gx * z + s * vy + c * (wz * vx - wx * vz)), 16);
  v128.store(to, v128.load(to, 32) + sign * (gx * y - gy * x + s * vz + c * (wx * vy - wy * vx)), 32);
}

/** In passes, locks are slightly soft: see soft.ts. */
export function giveWay(u: JointBatch, massScale: f32, impulseScale: f32): void {
  let at = <usize>world().batchData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const asked = scale(v128.load(at), massScale);
    v128.store(at, sub(asked, scale(batchRowAt(u, r).impulse, impulseScale)));
  }
}

/** Adds the values to the impulses. Impulses that are too large, or NaN, are dropped. */
export function bookValues(u: JointBatch): void {
  let at = <usize>world().batchData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const row = batchRowAt(u, r);
    const impulse = bounded(v128.load(at));
    v128.store(at, impulse);
    row.impulse = add(row.impulse, impulse);
  }
}

/** Without what stops more than the heaviest body at the largest speed: a rounding error, or NaN. @inline */
export function bounded(impulse: v128): v128 {
  return v128.and(impulse, f32x4.lt(f32x4.abs(impulse), splat(MOST_MASS * sqrt<f32>(LOST_SQUARED))));
}

/** Applies the impulses of all rows to the bodies. */
export function applyValues(u: JointBatch): void {
  const values = <usize>world().batchData + <usize>u.values;
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    let at = values + ((<usize>j.firstRow) << 4);
    const a = batchBodyAt(u, j.a);
    const b = batchBodyAt(u, j.b);
    let r = j.firstRow;
    const end = r + j.rowCount;
    if (j.locks & 1) {
      pushPoint(j, a, b, at);
      r += TURNS;
      at += 48;
    }
    for (; r < end; r++, at += 16)
      push(new ArmsOf(batchArmsAt(u, r), batchRowAt(u, r).kind), a, b, v128.load(at));
  }
  for (let i = 0; i < u.bodyCount; i++) move(batchBodyAt(u, i));
}

/** Applies the impulse at an address to B at its anchor, and its opposite to A. @inline @wide */
export function pushPoint(j: BatchJoint, a: BatchBody, b: BatchBody, impulse: usize): void {
  const p = new Vec3W(v128.load(impulse), v128.load(impulse, 16), v128.load(impulse, 32));
  a.pX -= p.x;
  a.pY -= p.y;
  a.pZ -= p.z;
  a.lX -= j.rAY * p.z - j.rAZ * p.y;
  a.lY -= j.rAZ * p.x - j.rAX * p.z;
  a.lZ -= j.rAX * p.y - j.rAY * p.x;
  b.pX += p.x;
  b.pY += p.y;
  b.pZ += p.z;
  b.lX += j.rBY * p.z - j.rBZ * p.y;
  b.lY += j.rBZ * p.x - j.rBX * p.z;
  b.lZ += j.rBX * p.y - j.rBY * p.x;
}

/** Lever arms of a row, and its kind. @value */
class ArmsOf {
  arms: BatchArms;
  kind: i32;
}

/** @inline @wide */
function push(r: ArmsOf, a: BatchBody, b: BatchBody, impulse: v128): void {
  const row = r.arms;
  a.lX -= row.armAX * impulse;
  a.lY -= row.armAY * impulse;
  a.lZ -= row.armAZ * impulse;
  b.lX += row.armBX * impulse;
  b.lY += row.armBY * impulse;
  b.lZ += row.armBZ * impulse;
  if (r.kind < AXES) return;
  const x = row.normalX * impulse;
  const y = row.normalY * impulse;
  const z = row.normalZ * impulse;
  a.pX -= x;
  a.pY -= y;
  a.pZ -= z;
  b.pX += x;
  b.pY += y;
  b.pZ += z;
}

/** Turns the impulses of a sweep into velocity changes. @wide */
export function move(b: BatchBody): void {
  const none = zero();
  const x = b.lX;
  const y = b.lY;
  const z = b.lZ;
  b.vX += b.invMassX * b.pX;
  b.vY += b.invMassY * b.pY;
  b.vZ += b.invMassZ * b.pZ;
  b.wX += b.inertiaXX * x + b.inertiaXY * y + b.inertiaXZ * z;
  b.wY += b.inertiaXY * x + b.inertiaYY * y + b.inertiaYZ * z;
  b.wZ += b.inertiaXZ * x + b.inertiaYZ * y + b.inertiaZZ * z;
  b.pX = none;
  b.pY = none;
  b.pZ = none;
  b.lX = none;
  b.lY = none;
  b.lZ = none;
}
