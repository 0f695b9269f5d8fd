// Four vectors or matrices at once, one per lane. These types exist only in @wide functions, where each stands for one
// v128 per component; functions that return one are inlined (see scripts/wide-lanes.mjs). The order of each sum affects
// the result and must not be changed without a reason.

import { LEAST_RESPONSE } from '../tolerances';
import { highHalves, lowHalves, zipHigh, zipLow } from './transpose';
import { splat, zero } from './vector';

/** Four vectors. @lanes X Y Z */
export class Vec3W {
  x: v128;
  y: v128;
  z: v128;
}

/** Four quaternions. @lanes X Y Z W */
export class QuatW {
  x: v128;
  y: v128;
  z: v128;
  w: v128;
}

/** Four symmetric matrices. @lanes XX XY XZ YY YZ ZZ */
export class Sym3W {
  xx: v128;
  xy: v128;
  xz: v128;
  yy: v128;
  yz: v128;
  zz: v128;
}

/** Four vectors in the tangent plane. @lanes 1 2 */
export class Vec2W {
  x: v128;
  y: v128;
}

/** Four symmetric matrices in the tangent plane. @lanes 11 12 22 */
export class Sym2W {
  xx: v128;
  xy: v128;
  yy: v128;
}

/** Three axes. @lanes XX XY XZ YX YY YZ ZX ZY ZZ */
export class AxesW {
  xx: v128;
  xy: v128;
  xz: v128;
  yx: v128;
  yy: v128;
  yz: v128;
  zx: v128;
  zy: v128;
  zz: v128;
}

/** A row (x, y, z, w) of each of four records. @lanes */
export class Rows {
  r0: v128;
  r1: v128;
  r2: v128;
  r3: v128;
}

/** @wide */
export function zeroW(): Vec3W {
  const none = zero();
  return new Vec3W(none, none, none);
}

/** @inline @wide */
export function dotW(a: Vec3W, b: Vec3W): v128 {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** `sum` plus the products of the components, added one after the other. @inline @wide */
export function addDotW(sum: v128, a: Vec3W, b: Vec3W): v128 {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z;
}

/** @wide */
export function crossW(a: Vec3W, b: Vec3W): Vec3W {
  return new Vec3W(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/** Component-wise product: the mass of a body can differ per axis. @wide */
export function perAxisW(a: Vec3W, b: Vec3W): Vec3W {
  return new Vec3W(a.x * b.x, a.y * b.y, a.z * b.z);
}

/** Four symmetric matrices from their rows (xx, xy, xz) and (yy, yz, zz). @wide */
export function gatherSymW(first: Rows, second: Rows): Sym3W {
  const a = gatherW(first);
  const b = gatherW(second);
  return new Sym3W(a.x, a.y, a.z, b.x, b.y, b.z);
}

/** Matrix times vector. @wide @operator * */
export function timesW(m: Sym3W, v: Vec3W): Vec3W {
  return new Vec3W(
    m.xx * v.x + m.xy * v.y + m.xz * v.z,
    m.xy * v.x + m.yy * v.y + m.yz * v.z,
    m.xz * v.x + m.yz * v.y + m.zz * v.z,
  );
}

/** Matrix times vector, in the plane. @wide @operator * */
export function times2W(m: Sym2W, v: Vec2W): Vec2W {
  return new Vec2W(m.xx * v.x + m.xy * v.y, m.xy * v.x + m.yy * v.y);
}

/** One vector in all lanes. @wide */
export function spreadW(v: v128): Vec3W {
  return new Vec3W(
    v128.shuffle<f32>(v, v, 0, 0, 0, 0),
    v128.shuffle<f32>(v, v, 1, 1, 1, 1),
    v128.shuffle<f32>(v, v, 2, 2, 2, 2),
  );
}

/** Three axes, the same in all lanes. @wide */
export function axesW(a: v128, b: v128, c: v128): AxesW {
  const x = spreadW(a);
  const y = spreadW(b);
  const z = spreadW(c);
  return new AxesW(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z);
}

/** From coordinates along axes to vectors. @wide */
export function turnW(m: AxesW, v: Vec3W): Vec3W {
  return new Vec3W(
    m.xx * v.x + m.yx * v.y + m.zx * v.z,
    m.xy * v.x + m.yy * v.y + m.zy * v.z,
    m.xz * v.x + m.yz * v.y + m.zz * v.z,
  );
}

/** Vectors of a where the mask is, otherwise of b. @wide */
export function chooseW(a: Vec3W, b: Vec3W, mask: v128): Vec3W {
  return new Vec3W(
    v128.bitselect(a.x, b.x, mask),
    v128.bitselect(a.y, b.y, mask),
    v128.bitselect(a.z, b.z, mask),
  );
}

/** Zero in the lanes where the mask is. @wide */
export function maskW(mask: v128, v: Vec3W): Vec3W {
  return new Vec3W(v128.and(mask, v.x), v128.and(mask, v.y), v128.and(mask, v.z));
}

/** x, y and z of four rows. @wide */
export function gatherW(rows: Rows): Vec3W {
  const low01 = zipLow(rows.r0, rows.r1);
  const low23 = zipLow(rows.r2, rows.r3);
  const high01 = zipHigh(rows.r0, rows.r1);
  const high23 = zipHigh(rows.r2, rows.r3);
  return new Vec3W(lowHalves(low01, low23), highHalves(low01, low23), lowHalves(high01, high23));
}

/** Four rows of x, y, z and 0. @wide */
export function scatterW(v: Vec3W): Rows {
  const none = zero();
  const low01 = zipLow(v.x, v.y);
  const low23 = zipLow(v.z, none);
  const high01 = zipHigh(v.x, v.y);
  const high23 = zipHigh(v.z, none);
  return new Rows(
    lowHalves(low01, low23),
    highHalves(low01, low23),
    lowHalves(high01, high23),
    highHalves(high01, high23),
  );
}

/** Four quaternions from their rows. @wide */
export function gatherQuatW(rows: Rows): QuatW {
  const low01 = zipLow(rows.r0, rows.r1);
  const low23 = zipLow(rows.r2, rows.r3);
  const high01 = zipHigh(rows.r0, rows.r1);
  const high23 = zipHigh(rows.r2, rows.r3);
  return new QuatW(
    lowHalves(low01, low23),
    highHalves(low01, low23),
    lowHalves(high01, high23),
    highHalves(high01, high23),
  );
}

/** Hamilton products: rotate by b first, then by a. @wide */
export function productW(a: QuatW, b: QuatW): QuatW {
  return new QuatW(
    a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  );
}

/** @wide */
export function conjugateW(q: QuatW): QuatW {
  return new QuatW(f32x4.neg(q.x), f32x4.neg(q.y), f32x4.neg(q.z), q.w);
}

/** q v q*, by v + 2w(u×v) + 2u×(u×v). @wide */
export function rotateW(q: QuatW, v: Vec3W): Vec3W {
  const u = new Vec3W(q.x, q.y, q.z);
  const t = crossW(u, v);
  const t2 = t + t;
  return v + t2 * q.w + crossW(u, t2);
}

/** q* v q. @wide */
export function rotateInverseW(q: QuatW, v: Vec3W): Vec3W {
  const u = new Vec3W(q.x, q.y, q.z);
  const t = crossW(v, u);
  const t2 = t + t;
  return v + t2 * q.w + crossW(t2, u);
}

/** R diag(d) Rᵀ of rotations R. @wide */
export function turnedDiagonalW(q: QuatW, d: Vec3W): Sym3W {
  const x2 = q.x + q.x;
  const y2 = q.y + q.y;
  const z2 = q.z + q.z;
  // Columns of R.
  const a = new Vec3W(splat(1) - (q.y * y2 + q.z * z2), q.x * y2 + q.w * z2, q.x * z2 - q.w * y2);
  const b = new Vec3W(q.x * y2 - q.w * z2, splat(1) - (q.x * x2 + q.z * z2), q.y * z2 + q.w * x2);
  const c = new Vec3W(q.x * z2 + q.w * y2, q.y * z2 - q.w * x2, splat(1) - (q.x * x2 + q.y * y2));
  const da = a * d.x;
  const db = b * d.y;
  const dc = c * d.z;
  return new Sym3W(
    da.x * a.x + db.x * b.x + dc.x * c.x,
    da.x * a.y + db.x * b.y + dc.x * c.y,
    da.x * a.z + db.x * b.z + dc.x * c.z,
    da.y * a.y + db.y * b.y + dc.y * c.y,
    da.y * a.z + db.y * b.z + dc.y * c.z,
    da.z * a.z + db.z * b.z + dc.z * c.z,
  );
}

/**
 * Effective masses of motion in the contact plane, from the responses: their inverse. Where the bodies can move in one
 * direction only, as in a flat game, its mass stands for all; impulses across do nothing. @inline @wide
 */
export function planeMass(k: Sym2W): Sym2W {
  const determinant = k.xx * k.yy - k.xy * k.xy;
  const both = k.xx + k.yy;
  const free = f32x4.gt(determinant, splat(LEAST_RESPONSE) * both * both);
  const inverse = splat(1) / v128.bitselect(determinant, both, free);
  const moves = f32x4.gt(both, zero());
  const m11 = v128.bitselect(k.yy * inverse, inverse, free);
  const m22 = v128.bitselect(k.xx * inverse, inverse, free);
  const m12 = v128.and(-(k.xy * inverse), free);
  return new Sym2W(v128.and(m11, moves), m12, v128.and(m22, moves));
}
