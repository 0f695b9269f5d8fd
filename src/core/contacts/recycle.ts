// The recycling test, four manifolds at once. In: a contact block and the poses at which its manifolds were computed.
// Out: for lanes whose bodies barely moved, new separations from the displacement of the contact frame (anchors and
// normal are kept, which also removes jitter); a mask of the other lanes. Separations are not part of the state: steps
// and queries recompute them from the current poses.
// Contact recycling is an idea of Box3D (E. Catto, 2025).

import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { splat, zero } from '../math/vector';
import { crossW, dotW, QuatW, Vec3W } from '../math/wide';
import { BlockMeta, ContactBlock, ContactPointWide } from '../memory/records';
import { BLOCK_SIZE, blockAt, bodyAt, metaAt, pointAt, pointMetaAt, world } from '../memory/tables';
import { CARRIED_SHARE, ROUNDING } from '../tolerances';
import { carryLane } from './carry';

/** Bit per lane that needs the narrow phase. */
export function recycleBlock(index: i32): i32 {
  const block = blockAt(index);
  const meta = metaAt(index);
  const found = staleLanes(block, meta, zero(), zero());
  const stale = found & 15;
  let carried = false;
  for (let lanes = found >> 4; lanes != 0; lanes &= lanes - 1) {
    const lane = (<usize>ctz(lanes)) << 2;
    if (carryLane(changetype<usize>(block) + lane, changetype<usize>(meta) + lane)) carried = true;
  }
  return carried ? staleLanes(block, meta, zero(), zero()) & 15 : stale;
}

/** Updates separations of `lanes` from the current poses. Lanes in `keep` keep the impulses of this step. */
export function separateLanes(index: i32, lanes: v128, keep: v128): void {
  const block = blockAt(index);
  staleLanes(block, metaAt(index), lanes, keep);
}

/** Copy of a contact block with separations at the current poses, for queries, which must not change the block. */
const SEPARATED: usize = memory.data(offsetof<ContactBlock>('points') + 4 * offsetof<ContactPointWide>(), 16);

/** The block with current separations, valid until the next call. */
export function separated(index: i32): ContactBlock {
  const block = changetype<ContactBlock>(SEPARATED);
  memory.copy(SEPARATED, changetype<usize>(blockAt(index)), BLOCK_SIZE);
  staleLanes(block, metaAt(index), i32x4.splat(-1), i32x4.splat(-1));
  return block;
}

/** Bits of the lanes that moved too far for recycling; from bit 4 on those of them that may be carried (carry.ts). @wide */
function staleLanes(block: ContactBlock, meta: BlockMeta, wanted: v128, keep: v128): i32 {
  const g = world();
  const iA = block.bodyA;
  const iB = block.bodyB;
  const a0 = bodyAt(i32x4.extract_lane(iA, 0));
  const a1 = bodyAt(i32x4.extract_lane(iA, 1));
  const a2 = bodyAt(i32x4.extract_lane(iA, 2));
  const a3 = bodyAt(i32x4.extract_lane(iA, 3));
  const b0 = bodyAt(i32x4.extract_lane(iB, 0));
  const b1 = bodyAt(i32x4.extract_lane(iB, 1));
  const b2 = bodyAt(i32x4.extract_lane(iB, 2));
  const b3 = bodyAt(i32x4.extract_lane(iB, 3));

  // Position of B relative to A: subtract before transposing, which is more accurate.
  const d0 = b0.position - a0.position;
  const d1 = b1.position - a1.position;
  const d2 = b2.position - a2.position;
  const d3 = b3.position - a3.position;
  const dLow01 = zipLow(d0, d1);
  const dLow23 = zipLow(d2, d3);
  const dx = lowHalves(dLow01, dLow23) - meta.cachedCenterX;
  const dy = highHalves(dLow01, dLow23) - meta.cachedCenterY;
  const dz = lowHalves(zipHigh(d0, d1), zipHigh(d2, d3)) - meta.cachedCenterZ;

  // Rotation since the manifold was computed, δ = q · conj(cached), as the vector 2·Im δ (with the sign of Re δ).
  let low01 = zipLow(a0.rotation, a1.rotation);
  let low23 = zipLow(a2.rotation, a3.rotation);
  let high01 = zipHigh(a0.rotation, a1.rotation);
  let high23 = zipHigh(a2.rotation, a3.rotation);
  let qx = lowHalves(low01, low23);
  let qy = highHalves(low01, low23);
  let qz = lowHalves(high01, high23);
  let qw = highHalves(high01, high23);
  let cx = meta.cachedRotationAX;
  let cy = meta.cachedRotationAY;
  let cz = meta.cachedRotationAZ;
  let cw = meta.cachedRotationAW;
  const wA = qw * cw + qx * cx + qy * cy + qz * cz;
  const two = splat(2);
  const sA = two * wA;
  const rAx = sA * (qx * cw - qw * cx - qy * cz + qz * cy);
  const rAy = sA * (qy * cw - qw * cy - qz * cx + qx * cz);
  const rAz = sA * (qz * cw - qw * cz - qx * cy + qy * cx);

  low01 = zipLow(b0.rotation, b1.rotation);
  low23 = zipLow(b2.rotation, b3.rotation);
  high01 = zipHigh(b0.rotation, b1.rotation);
  high23 = zipHigh(b2.rotation, b3.rotation);
  qx = lowHalves(low01, low23);
  qy = highHalves(low01, low23);
  qz = lowHalves(high01, high23);
  qw = highHalves(high01, high23);
  cx = meta.cachedRotationBX;
  cy = meta.cachedRotationBY;
  cz = meta.cachedRotationBZ;
  cw = meta.cachedRotationBW;
  const wB = qw * cw + qx * cx + qy * cy + qz * cz;
  const sB = two * wB;
  const rBx = sB * (qx * cw - qw * cx - qy * cz + qz * cy);
  const rBy = sB * (qy * cw - qw * cy - qz * cx + qx * cz);
  const rBz = sB * (qz * cw - qw * cz - qx * cy + qy * cx);

  // Bound on the motion of any contact point: |Δx| + reach·(|θA| + |θB|).
  const distance = f32x4.sqrt(dx * dx + dy * dy + dz * dz);
  const turnA = f32x4.sqrt(rAx * rAx + rAy * rAy + rAz * rAz);
  const turnB = f32x4.sqrt(rBx * rBx + rBy * rBy + rBz * rBz);
  const motion = distance + meta.reach * (turnA + turnB);
  const cosine = splat(g.recycleAngleCosine);
  const fresh = v128.and(
    f32x4.lt(motion, splat(g.recycleDistance) * meta.recycleShare),
    v128.and(f32x4.gt(wA * wA, cosine), f32x4.gt(wB * wB, cosine)),
  );

  let stale = i32x4.bitmask(v128.not(fresh));
  if (stale != 0) {
    const turned = new QuatW(rAx, rAy, rAz, wA);
    stale |= (carriableLanes(block, meta, new Vec3W(dx, dy, dz), turned) & stale) << 4;
  }
  const which = v128.any_true(wanted) ? wanted : fresh;
  const maxPoints = block.maxPoints;
  if (!v128.any_true(which)) {
    for (let i = 0; i < maxPoints; ++i)
      pointAt(block, i).totalImpulse = v128.and(pointAt(block, i).totalImpulse, keep);
    return stale;
  }

  // Displacement of the contact frame: along n at the centre, and rotation about t1 and t2.
  const nx = block.normalX;
  const ny = block.normalY;
  const nz = block.normalZ;
  const t1x = block.tangentX;
  const t1y = block.tangentY;
  const t1z = block.tangentZ;
  const t2x = ny * t1z - nz * t1y;
  const t2y = nz * t1x - nx * t1z;
  const t2z = nx * t1y - ny * t1x;
  const ax = block.centerAX;
  const ay = block.centerAY;
  const az = block.centerAZ;
  const bx = block.centerBX;
  const by = block.centerBY;
  const bz = block.centerBZ;
  const ux = dx + (rBy * bz - rBz * by) - (rAy * az - rAz * ay);
  const uy = dy + (rBz * bx - rBx * bz) - (rAz * ax - rAx * az);
  const uz = dz + (rBx * by - rBy * bx) - (rAx * ay - rAy * ax);
  const wx = rBx - rAx;
  const wy = rBy - rAy;
  const wz = rBz - rAz;
  const un = ux * nx + uy * ny + uz * nz;
  const u1 = wx * t1x + wy * t1y + wz * t1z;
  const u2 = wx * t2x + wy * t2y + wz * t2z;
  for (let i = 0; i < maxPoints; ++i) {
    const p = pointAt(block, i);
    const s = pointMetaAt(meta, i).baseSeparation + un + p.b * u1 - p.a * u2;
    p.separation = v128.bitselect(s, p.separation, which);
    p.totalImpulse = v128.and(p.totalImpulse, keep);
  }
  return stale;
}

/**
 * Bits of the lanes whose B may have moved with A, which carryLane then examines: not if the motion of its centre as seen
 * from A is larger than what is carried, by more than rounding. `d`:
 * m, by which the centre of B moved relative to that of A; `turned`: of the rotation (v, w) of A the vector 2·w·v, and w. With
 * r = 2·w·v a vector c turns to c + r × c + r × (r × c)/(2·w²). @inline @wide
 */
function carriableLanes(block: ContactBlock, meta: BlockMeta, d: Vec3W, turned: QuatW): i32 {
  const r = new Vec3W(turned.x, turned.y, turned.z);
  const c = meta.cachedCenter;
  const once = crossW(r, c);
  const twice = crossW(r, once);
  const share = splat(0.5) / (turned.w * turned.w);
  const rest = d - once - twice * share;
  const most = splat(CARRIED_SHARE) * splat(world().recycleDistance) * meta.recycleShare;
  const size = f32x4.abs(c.x) + f32x4.abs(c.y) + f32x4.abs(c.z);
  const apart = f32x4.gt(f32x4.sqrt(dotW(rest, rest)), most + splat(16) * splat(ROUNDING) * (most + size));
  const still = v128.or(i32x4.eq(block.bodyA, zero()), i32x4.eq(block.bodyB, zero()));
  return i32x4.bitmask(v128.not(v128.or(apart, still)));
}
