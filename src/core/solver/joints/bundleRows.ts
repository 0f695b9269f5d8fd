// Rows of a bundle against its bodies. In: arms, directions, velocities in lanes. Out: what each row lacks, as
// right hand sides in `values`; and the other way, impulses in `values` as velocities of the bodies.
import { add, neg, scale, splat, sub, zero } from '../../math/vector';
import { BundleBody, BundleJoint, BundleRow, JointBundle } from '../../memory/records';
import { bundleBodyAt, bundleJointAt, bundleRowAt, world } from '../../memory/tables';
import { context } from '../context';
import { AXES, SCRATCH, TURNS } from './bundleLanes';
import { MAX_LIMIT_PUSH } from './rows';

// @ts-ignore: decorator
@inline export function respondBoth(row: BundleRow, a: BundleBody, b: BundleBody): void {
  const at = changetype<usize>(row);
  respond(a, at + offsetof<BundleRow>('armAX'), at + offsetof<BundleRow>('turnAX'));
  respond(b, at + offsetof<BundleRow>('armBX'), at + offsetof<BundleRow>('turnBX'));
}

/** Inverse inertia times an arm. */
@wide
function respond(b: BundleBody, arm: usize, to: usize): void {
  const x = v128.load(arm);
  const y = v128.load(arm, 16);
  const z = v128.load(arm, 32);
  v128.store(to, b.inertiaXX * x + b.inertiaXY * y + b.inertiaXZ * z);
  v128.store(to, b.inertiaXY * x + b.inertiaYY * y + b.inertiaYZ * z, 16);
  v128.store(to, b.inertiaXZ * x + b.inertiaYZ * y + b.inertiaZZ * z, 32);
}

/** −(J v + bias) of all rows, as right hand sides; returns the largest of each lane. */
export function residual(u: JointBundle, rate: f32, swinging: bool): v128 {
  let worst = zero();
  let at = <usize>world().bundleData + <usize>u.values;
  const turning = changetype<usize>(context()) + SCRATCH;
  for (let i = 0; i < u.jointCount; i++) {
    const j = bundleJointAt(u, i);
    const a = bundleBodyAt(u, j.a);
    const b = bundleBodyAt(u, j.b);
    if (swinging && j.locks & 1) curvature(j, a, b, turning);
    for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++, at += 16) {
      const row = bundleRowAt(u, r);
      let v = speed(row, a, b);
      if (rate > 0) {
        v = add(v, asked(row.error, rate));
        if (swinging && row.kind < TURNS) v = add(v, v128.load(turning + ((<usize>row.kind) << 4)));
      }
      v128.store(at, neg(v));
      worst = f32x4.max(worst, f32x4.abs(v));
    }
  }
  return worst;
}

/** m/s or rad/s: the speed that takes an error away, however large it is. */
// @ts-ignore: decorator
@inline export function asked(error: v128, rate: f32): v128 {
  return f32x4.pmax(splat(-MAX_LIMIT_PUSH), f32x4.pmin(splat(MAX_LIMIT_PUSH), scale(error, rate)));
}

// @ts-ignore: decorator
@inline @wide
export function speed(row: BundleRow, a: BundleBody, b: BundleBody): v128 {
  let v =
    row.armBX * b.wX +
    row.armBY * b.wY +
    row.armBZ * b.wZ -
    (row.armAX * a.wX + row.armAY * a.wY + row.armAZ * a.wZ);
  const kind = row.kind;
  if (kind == 0) v += b.vX - a.vX;
  else if (kind == 1) v += b.vY - a.vY;
  else if (kind == 2) v += b.vZ - a.vZ;
  else if (kind >= AXES)
    v += row.normalX * (b.vX - a.vX) + row.normalY * (b.vY - a.vY) + row.normalZ * (b.vZ - a.vZ);
  return v;
}

/** m/s: what the turning of both arms adds to the separation within a substep, beyond its velocity now. */
@wide
function curvature(j: BundleJoint, a: BundleBody, b: BundleBody, to: usize): void {
  const none = zero();
  v128.store(to, none);
  v128.store(to, none, 16);
  v128.store(to, none, 32);
  addSwing(b, j.rBX, j.rBY, j.rBZ, splat(1), to);
  addSwing(a, j.rAX, j.rAY, j.rAZ, splat(-1), to);
}

/**
 * (R(ωh) r − r)/h − w × r with ω = w + g, by Rodrigues: g × r + (sin θ/θ − 1) ω × r +
 * (1 − cos θ)/θ² h ω × (ω × r), θ = |ω| h; times `sign`.
 */
@wide
export function addSwing(body: BundleBody, x: v128, y: v128, z: v128, sign: v128, to: usize): void {
  const gx = body.gX;
  const gy = body.gY;
  const gz = body.gZ;
  const wx = body.wX + gx;
  const wy = body.wY + gy;
  const wz = body.wZ + gz;
  const h = splat(context().h);
  const t = f32x4.min((wx * wx + wy * wy + wz * wz) * h * h, splat(2));
  const s = t * (splat(-0.16666667) + t * (splat(0.008333333) - t * splat(0.0001984127)));
  const c = (splat(0.5) - t * (splat(0.041666668) - t * (splat(0.0013888889) - t * splat(0.0000248016)))) * h;
  const vx = wy * z - wz * y;
  const vy = wz * x - wx * z;
  const vz = wx * y - wy * x;
  v128.store(to, v128.load(to) + sign * (gy * z - gz * y + s * vx + c * (wy * vz - wz * vy)));
  v128.store(to, v128.load(to, 16) + sign * (gz * x - gx * z + s * vy + c * (wz * vx - wx * vz)), 16);
  v128.store(to, v128.load(to, 32) + sign * (gx * y - gy * x + s * vz + c * (wx * vy - wy * vx)), 32);
}

/** In passes, locks give way a little: see soft.ts. */
export function giveWay(u: JointBundle, massScale: f32, impulseScale: f32): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const asked = scale(v128.load(at), massScale);
    v128.store(at, sub(asked, scale(bundleRowAt(u, r).impulse, impulseScale)));
  }
}

export function bookValues(u: JointBundle): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const row = bundleRowAt(u, r);
    row.impulse = add(row.impulse, v128.load(at));
  }
}

/** Impulses of all rows act on the bodies. */
export function applyValues(u: JointBundle): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let i = 0; i < u.jointCount; i++) {
    const j = bundleJointAt(u, i);
    const a = bundleBodyAt(u, j.a);
    const b = bundleBodyAt(u, j.b);
    for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++, at += 16)
      push(bundleRowAt(u, r), a, b, v128.load(at));
  }
  for (let i = 0; i < u.bodyCount; i++) addChanges(bundleBodyAt(u, i));
}

// @ts-ignore: decorator
@inline @wide
function push(row: BundleRow, a: BundleBody, b: BundleBody, impulse: v128): void {
  a.dwX -= row.turnAX * impulse;
  a.dwY -= row.turnAY * impulse;
  a.dwZ -= row.turnAZ * impulse;
  b.dwX += row.turnBX * impulse;
  b.dwY += row.turnBY * impulse;
  b.dwZ += row.turnBZ * impulse;
  const kind = row.kind;
  if (kind == 0) {
    a.dvX -= a.invMassX * impulse;
    b.dvX += b.invMassX * impulse;
  } else if (kind == 1) {
    a.dvY -= a.invMassY * impulse;
    b.dvY += b.invMassY * impulse;
  } else if (kind == 2) {
    a.dvZ -= a.invMassZ * impulse;
    b.dvZ += b.invMassZ * impulse;
  } else if (kind >= AXES) {
    const x = row.normalX * impulse;
    const y = row.normalY * impulse;
    const z = row.normalZ * impulse;
    a.dvX -= a.invMassX * x;
    a.dvY -= a.invMassY * y;
    a.dvZ -= a.invMassZ * z;
    b.dvX += b.invMassX * x;
    b.dvY += b.invMassY * y;
    b.dvZ += b.invMassZ * z;
  }
}

/** The changes of a sweep go to the velocities. */
@wide
function addChanges(b: BundleBody): void {
  const none = zero();
  b.vX += b.dvX;
  b.vY += b.dvY;
  b.vZ += b.dvZ;
  b.wX += b.dwX;
  b.wY += b.dwY;
  b.wZ += b.dwZ;
  b.dvX = none;
  b.dvY = none;
  b.dvZ = none;
  b.dwX = none;
  b.dwY = none;
  b.dwZ = none;
}
