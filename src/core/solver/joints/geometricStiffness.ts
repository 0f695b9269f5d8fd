// Geometric stiffness of bodies between taut joints. In: batches with the impulses of the last substep. Out: additional
// inertia against rotation across the tension, if this rotation would oscillate faster than substeps can follow.
//
// A force f at an arm r rotates a body back with the stiffness K = (r·f)(1 − r̂ r̂ᵀ) about its centre (geometric
// stiffness; S. Andrews, M. Teichmann, P. Kry, Geometric Stiffness for Real-time Constrained Multibody Dynamics,
// Computer Graphics Forum 36, 2017). Substeps hold the force constant, which is stable only for h²K < 4 I: without
// this, a chain with a thousand times a link's mass at its end exploded. Beyond h²K = I/2 per direction, the excess of
// h²K is added to I; implicit Euler would add all of it: (I + h²K) ω' = I ω + … The chain keeps its motion; its links
// rotate more slowly and do not vibrate.
//
// A rope of the length l that pulls with f gives the motion of its ends across it the stiffness f/l; rods and springs that pull, too.
// Beyond half of what substeps can follow, implicit Euler solves for it: (M + h²K)(v' − v) = h f, with a soft row for each of the two
// directions across, J (v' − v) + λ/(h² f/l) = 0. What the rows do to one end they do to the other, so that momentum stays. Without
// them, balls of 0.1 kg between ropes with a swinging load of 200 kg reached 38 times its speed at 30 Hz.

import { add, mul, splat, sub, vec3, x, y, z, zero } from '../../math/vector';
import { crossW, dotW, Vec3W } from '../../math/wide';
import { MOST_IMPULSE } from '../../memory/bounds';
import {
  BatchArms,
  BatchBody,
  BatchJoint,
  BatchRow,
  BodyVelocity,
  JointBatch,
  JointRow,
  JointWork,
} from '../../memory/records';
import {
  batchArmsAt,
  batchBodyAt,
  batchJointAt,
  batchRowAt,
  rowAt,
  velocityAt,
  workAt,
} from '../../memory/tables';
import { Columns } from '../../memory/values';
import { HEAVIER, MOST_STIFFENING, MOST_SWAY, SLACK, TAUT, TIGHTENED } from '../../tolerances';
import { context } from '../context';
import { ACROSS, gatherVelocities, numbers, slotIn, spread, velocityPlaces, workPlaces } from './batchLanes';
import { speed } from './batchRows';
import { apply3, invertSymmetric } from './rows';
import { pullPerLength } from './types';

/** A 3×3 matrix as three v128; or a vector of four lanes and its weight. */
const SCRATCH: usize = memory.data(64, 16);

/** Whether the tension is so high that factors must be those of the current substep. */
export function isTaut(u: JointBatch): bool {
  sumTension(u);
  for (let i = 0; i < u.bodyCount; i++)
    if (v128.any_true(f32x4.gt(batchBodyAt(u, i).tension, splat(TAUT)))) return true;
  return false;
}

/** @wide */
function sumTension(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) {
    batchBodyAt(u, i).tension = zero();
    batchBodyAt(u, i).sway = zero();
  }
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (j.locks & 1) holdAnchors(u, j);
    else if (isAcross(j)) holdEnds(u, j);
    else continue;
    addTension(batchBodyAt(u, j.a), armOf(j, false), j.heldA);
    addTension(batchBodyAt(u, j.b), armOf(j, true), j.heldB);
  }
}

/** Whether the joint has rows across it. @inline */
function isAcross(j: BatchJoint): bool {
  return j.across != 0;
}

/** @wide */
function armOf(j: BatchJoint, ofB: bool): Vec3W {
  return ofB ? new Vec3W(j.rBX, j.rBY, j.rBZ) : new Vec3W(j.rAX, j.rAY, j.rAZ);
}

/** h r·f of anchors that are held together. @wide */
function holdAnchors(u: JointBatch, j: BatchJoint): void {
  const p = new Vec3W(impulseOf(u, j, 0), impulseOf(u, j, 1), impulseOf(u, j, 2));
  const h = splat(context().h);
  j.heldA = f32x4.pmax(zero(), zero() - dotW(armOf(j, false), p)) * h;
  j.heldB = f32x4.pmax(zero(), dotW(armOf(j, true), p)) * h;
}

/** @inline */
function impulseOf(u: JointBatch, j: BatchJoint, k: i32): v128 {
  return batchRowAt(u, j.firstRow + k).impulse;
}

/** h² times the stiffness that the impulses of a rope, rod or spring give to the motion across it. */
function pullOf(u: JointBatch, j: BatchJoint): v128 {
  for (let lane: usize = 0; lane < 4; lane++) {
    const at = lane << 2;
    const push = j.lockCount
      ? load<f32>(changetype<usize>(batchRowAt(u, j.firstRow)) + at, offsetof<BatchRow>('impulse'))
      : 0;
    const pull = pullPerLength(slotIn(changetype<usize>(j), lane), push) * context().h;
    store<f32>(SCRATCH + at, pull);
  }
  return v128.load(SCRATCH);
}

/** What a rope, rod or spring gives to its ends; the directions across it. */
function holdEnds(u: JointBatch, j: BatchJoint): void {
  const row = changetype<usize>(rowAt(changetype<JointWork>(0), 0));
  j.pull = pullOf(u, j);
  j.yield = zero();
  // Where the rows of joints that pull are. Others may have none: their lanes get the zeros of slot 0.
  const none = i32x4.splat(<i32>changetype<usize>(workAt(0)));
  const works = v128.bitselect(workPlaces(changetype<usize>(j)), none, f32x4.gt(j.pull, zero()));
  spread(SCRATCH, works, row + offsetof<JointRow>('normal'));
  j.length = numbers(works, row + offsetof<JointRow>('value'));
  aimAcross(u, j);
}

/** @wide */
function aimAcross(u: JointBatch, j: BatchJoint): void {
  const n = new Vec3W(v128.load(SCRATCH), v128.load(SCRATCH, 16), v128.load(SCRATCH, 32));
  const force = j.pull * j.length;
  j.heldA = f32x4.pmax(zero(), dotW(armOf(j, false), n) * force);
  j.heldB = f32x4.pmax(zero(), zero() - dotW(armOf(j, true), n) * force);
  // Two directions at right angles to n: T. Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6, 2017.
  const sign = v128.bitselect(n.z, splat(1), splat(-0.0));
  const a = splat(-1) / (sign + n.z);
  const b = n.x * n.y * a;
  aim(u, j, new Vec3W(splat(1) + sign * n.x * n.x * a, sign * b, zero() - sign * n.x), 0);
  aim(u, j, new Vec3W(b, sign + n.y * n.y * a, zero() - n.y), 1);
}

/** Sets a row across a joint, and adds the sway that it gives to its bodies. @wide */
function aim(u: JointBatch, j: BatchJoint, n: Vec3W, which: i32): void {
  const row = batchArmsAt(u, rowAcross(j, which));
  row.normalX = n.x;
  row.normalY = n.y;
  row.normalZ = n.z;
  const armA = crossW(armOf(j, false), n);
  row.armAX = armA.x;
  row.armAY = armA.y;
  row.armAZ = armA.z;
  const armB = crossW(armOf(j, true), n);
  row.armBX = armB.x;
  row.armBY = armB.y;
  row.armBZ = armB.z;
  const a = mobility(batchBodyAt(u, j.a), n, armA);
  const b = mobility(batchBodyAt(u, j.b), n, armB);
  batchBodyAt(u, j.a).sway += j.pull * a;
  batchBodyAt(u, j.b).sway += j.pull * b;
  j.yield = f32x4.pmax(j.yield, f32x4.pmax(a, b));
}

/** @inline */
function rowAcross(j: BatchJoint, which: i32): i32 {
  return j.firstRow + j.lockCount + which;
}

/** 1/kg. Speed of a body along a row per unit impulse. @wide */
function mobility(b: BatchBody, n: Vec3W, arm: Vec3W): v128 {
  return (
    b.invMassX * n.x * n.x +
    b.invMassY * n.y * n.y +
    b.invMassZ * n.z * n.z +
    arm.x * (b.inertiaXX * arm.x + b.inertiaXY * arm.y + b.inertiaXZ * arm.z) +
    arm.y * (b.inertiaXY * arm.x + b.inertiaYY * arm.y + b.inertiaYZ * arm.z) +
    arm.z * (b.inertiaXZ * arm.x + b.inertiaYZ * arm.y + b.inertiaZZ * arm.z)
  );
}

/**
 * Sets the softness of the rows across a joint; what substeps can follow is left to them. What the rows keep of the speeds has no more
 * than HEAVIER times the momentum of the lighter end: boxes of 0.1 kg that a jerk made 50 kg heavier threw a load of 200 kg.
 */
function softenAcross(u: JointBatch, j: BatchJoint): void {
  const sway = f32x4.pmax(batchBodyAt(u, j.a).sway, batchBodyAt(u, j.b).sway);
  const share = sub(splat(1), f32x4.div(splat(MOST_SWAY), f32x4.pmax(sway, splat(MOST_SWAY))));
  const stiffness = f32x4.pmax(mul(share, j.pull), splat(1 / SLACK));
  j.softness = f32x4.div(splat(1), stiffness);
  j.kept = f32x4.pmin(splat(1), f32x4.div(splat(HEAVIER), mul(stiffness, j.yield)));
}

/** After the motion of a substep: rows across refer to the speeds that there are. */
export function keepAcross(u: JointBatch): void {
  gatherVelocities(u);
  referAcross(u);
  turnTogether(u);
}

/** Before the impulses of a substep: they refer to the speeds without its forces, since what they hold has no weight. */
export function startAcross(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const b = changetype<usize>(batchBodyAt(u, i));
    spread(b + offsetof<BatchBody>('pX'), velocityPlaces(b), offsetof<BodyVelocity>('forceLinear'));
  }
  referAcross(u);
  clearSums(u);
  turnTogether(u);
}

/** The sums of impulses and moments of all bodies, which hold forces and rates here, are 0 otherwise. */
function clearSums(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++)
    memory.fill(changetype<usize>(batchBodyAt(u, i)) + offsetof<BatchBody>('pX'), 0, 96);
}

/** Lets rows across start from the speeds of the bodies, less the changes in their sums. */
export function referAcross(u: JointBatch): void {
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (!isAcross(j)) continue;
    const a = batchBodyAt(u, j.a);
    const b = batchBodyAt(u, j.b);
    for (let which = 0; which < 2; which++) {
      const row = batchRowAt(u, rowAcross(j, which));
      const arms = batchArmsAt(u, rowAcross(j, which));
      row.impulse = zero();
      row.error = sub(speed(arms, ACROSS, a, b), forced(arms, a, b));
    }
  }
}

/**
 * Takes what speeds across differ from those with which ropes turn together with their neighbours: implicit Euler would take all of
 * the speeds. This damps vibrations, and no swing of a straight string. Of the rest the string turns with as a whole, and a share.
 */
function turnTogether(u: JointBatch): void {
  memory.fill(SCRATCH, 0, 64);
  for (let i = 0; i < u.jointCount; i++) if (isAcross(batchJointAt(u, i))) addRate(u, batchJointAt(u, i));
  const weight = f32x4.div(splat(1), f32x4.pmax(v128.load(SCRATCH, 48), splat(1e-30)));
  for (let at = SCRATCH; at < SCRATCH + 48; at += 16) v128.store(at, mul(v128.load(at), weight));
  for (let i = 0; i < u.jointCount; i++) if (isAcross(batchJointAt(u, i))) takeMean(u, batchJointAt(u, i));
  clearSums(u);
}

/** Adds the rate at which a rope turns to the sums of its bodies, weighted by its moment. @wide */
function addRate(u: JointBatch, j: BatchJoint): void {
  const first = batchRowAt(u, rowAcross(j, 0)).error;
  const second = batchRowAt(u, rowAcross(j, 1)).error;
  const t1 = directionOf(batchArmsAt(u, rowAcross(j, 0)));
  const t2 = directionOf(batchArmsAt(u, rowAcross(j, 1)));
  const weight = j.pull * j.length;
  const turn = t2 * (first * weight) - t1 * (second * weight);
  addWeighted(sumsOf(batchBodyAt(u, j.a)), turn, weight * j.length);
  addWeighted(sumsOf(batchBodyAt(u, j.b)), turn, weight * j.length);
  addWeighted(SCRATCH, turn, weight * j.length);
}

/** @inline */
function sumsOf(b: BatchBody): usize {
  return changetype<usize>(b) + offsetof<BatchBody>('pX');
}

/** @wide */
function addWeighted(at: usize, turn: Vec3W, weight: v128): void {
  v128.store(at, v128.load(at) + turn.x);
  v128.store(at, v128.load(at, 16) + turn.y, 16);
  v128.store(at, v128.load(at, 32) + turn.z, 32);
  v128.store(at, v128.load(at, 48) + weight, 48);
}

/** @wide */
function takeMean(u: JointBatch, j: BatchJoint): void {
  const t1 = directionOf(batchArmsAt(u, rowAcross(j, 0)));
  const t2 = directionOf(batchArmsAt(u, rowAcross(j, 1)));
  const whole = new Vec3W(v128.load(SCRATCH), v128.load(SCRATCH, 16), v128.load(SCRATCH, 32));
  const near = meanRate(sumsOf(batchBodyAt(u, j.a))) + meanRate(sumsOf(batchBodyAt(u, j.b)));
  const rate = (whole + (near * splat(0.5) - whole) * j.kept) * j.length;
  batchRowAt(u, rowAcross(j, 0)).error = dotW(rate, t2);
  batchRowAt(u, rowAcross(j, 1)).error = zero() - dotW(rate, t1);
}

/** @wide */
function directionOf(row: BatchArms): Vec3W {
  return new Vec3W(row.normalX, row.normalY, row.normalZ);
}

/** @wide */
function meanRate(at: usize): Vec3W {
  const weight = splat(1) / f32x4.pmax(v128.load(at, 48), splat(1e-30));
  return new Vec3W(v128.load(at) * weight, v128.load(at, 16) * weight, v128.load(at, 32) * weight);
}

/** Speed along a row by the forces of the substep. @wide */
function forced(row: BatchArms, a: BatchBody, b: BatchBody): v128 {
  return row.normalX * (b.pX - a.pX) + row.normalY * (b.pY - a.pY) + row.normalZ * (b.pZ - a.pZ);
}

/** Whether substeps cannot follow the motion across some joint. */
export function isTight(u: JointBatch): bool {
  let least = splat(SLACK);
  for (let i = 0; i < u.jointCount; i++)
    if (isAcross(batchJointAt(u, i))) least = f32x4.pmin(least, batchJointAt(u, i).softness);
  return v128.any_true(f32x4.lt(least, splat(SLACK)));
}

/**
 * Whether a joint pulls with so much more than the factors take it to that what is held across it is not enough: a jerk acts in one substep,
 * and the stiffness that it brings in the same. Or, without `more`, with so much less.
 */
export function pullsAnew(u: JointBatch, more: bool): bool {
  let most = zero();
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (!isAcross(j)) continue;
    const now = pullOf(u, j);
    const by = more ? sub(now, add(j.pull, j.pull)) : sub(j.pull, add(now, now));
    most = f32x4.pmax(most, mul(by, j.yield));
  }
  return v128.any_true(f32x4.gt(most, splat(TIGHTENED)));
}

/** Adds the inertia that bodies need. */
export function holdTension(u: JointBatch, damp: bool): void {
  sumTension(u);
  for (let i = 0; i < u.jointCount; i++)
    if (isAcross(batchJointAt(u, i))) softenAcross(u, batchJointAt(u, i));
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    if (!v128.any_true(f32x4.gt(b.tension, splat(MOST_STIFFENING)))) continue;
    for (let lane: usize = 0; lane < 4; lane++) {
      const at = lane << 2;
      const t = load<f32>(changetype<usize>(b) + at, offsetof<BatchBody>('tension'));
      if (t > MOST_STIFFENING)
        addGeometricStiffness(
          u,
          i,
          new Stiffness(at, (<f32>1 - MOST_STIFFENING / t) / MOST_STIFFENING),
          damp,
        );
    }
  }
}

/** s tr(M − M r̂ r̂ᵀ) with the inverse inertia M. @wide */
function addTension(b: BatchBody, r: Vec3W, s: v128): void {
  const mx = b.inertiaXX * r.x + b.inertiaXY * r.y + b.inertiaXZ * r.z;
  const my = b.inertiaXY * r.x + b.inertiaYY * r.y + b.inertiaYZ * r.z;
  const mz = b.inertiaXZ * r.x + b.inertiaYZ * r.y + b.inertiaZZ * r.z;
  const along =
    (r.x * mx + r.y * my + r.z * mz) / f32x4.pmax(r.x * r.x + r.y * r.y + r.z * r.z, splat(1e-20));
  b.tension += s * (b.inertiaXX + b.inertiaYY + b.inertiaZZ - along);
}

/** How much of the stiffness is added in a lane, given by its byte offset. @value */
class Stiffness {
  lane: usize;
  share: f32;
}

/** Sets I + share · h²K in one lane of a body. */
function addGeometricStiffness(u: JointBatch, index: i32, stiffness: Stiffness, damp: bool): void {
  const lane = stiffness.lane;
  const b = changetype<usize>(batchBodyAt(u, index)) + lane;
  const out = SCRATCH;
  const xx = load<f32>(b, offsetof<BatchBody>('inertiaXX'));
  const xy = load<f32>(b, offsetof<BatchBody>('inertiaXY'));
  const xz = load<f32>(b, offsetof<BatchBody>('inertiaXZ'));
  const yy = load<f32>(b, offsetof<BatchBody>('inertiaYY'));
  const yz = load<f32>(b, offsetof<BatchBody>('inertiaYZ'));
  const zz = load<f32>(b, offsetof<BatchBody>('inertiaZZ'));
  const free = f32x4.gt(vec3(xx, yy, zz), zero());
  v128.store(out, vec3(xx, xy, xz));
  v128.store(out, vec3(xy, yy, yz), 16);
  v128.store(out, vec3(xz, yz, zz), 32);
  invertFree(out, free);
  const v = velocityAt(load<i32>(b));
  const momentum = apply3(v128.load(out), v128.load(out, 16), v128.load(out, 32), v.angular);
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    const at = changetype<usize>(j) + lane;
    if (j.a == index)
      stiffen(at + offsetof<BatchJoint>('rAX'), at + offsetof<BatchJoint>('heldA'), stiffness.share);
    if (j.b == index)
      stiffen(at + offsetof<BatchJoint>('rBX'), at + offsetof<BatchJoint>('heldB'), stiffness.share);
  }
  invertFree(out, free);
  const c0 = v128.and(v128.load(out), free);
  const c1 = v128.and(v128.load(out, 16), free);
  const c2 = v128.and(v128.load(out, 32), free);
  if (damp) {
    const slowed = apply3(c0, c1, c2, momentum);
    v.baseAngular = add(v.baseAngular, sub(slowed, v.angular));
    v.angular = slowed;
  }
  store<f32>(b, x(c0), offsetof<BatchBody>('inertiaXX'));
  store<f32>(b, y(c0), offsetof<BatchBody>('inertiaXY'));
  store<f32>(b, z(c0), offsetof<BatchBody>('inertiaXZ'));
  store<f32>(b, y(c1), offsetof<BatchBody>('inertiaYY'));
  store<f32>(b, z(c1), offsetof<BatchBody>('inertiaYZ'));
  store<f32>(b, z(c2), offsetof<BatchBody>('inertiaZZ'));
}

/**
 * Inverts the matrix at `out` for the axes about which the body may turn; the others are left out. In a flat game two of three are:
 * an inverse for them would give moments of inertia to what must not turn.
 */
function invertFree(out: usize, free: v128): void {
  const size = x(v128.load(out)) + y(v128.load(out, 16)) + z(v128.load(out, 32));
  const c0 = v128.bitselect(v128.load(out), vec3(size, 0, 0), free);
  const c1 = v128.bitselect(v128.load(out, 16), vec3(0, size, 0), free);
  const c2 = v128.bitselect(v128.load(out, 32), vec3(0, 0, size), free);
  invertSymmetric(new Columns(c0, c1, c2), <f32>1 / MOST_IMPULSE, out);
}

/** Adds the share of what holds one lane of an arm. */
function stiffen(r: usize, held: usize, share: f32): void {
  const out = SCRATCH;
  const s = share * load<f32>(held);
  const rx = load<f32>(r);
  const ry = load<f32>(r, 16);
  const rz = load<f32>(r, 32);
  const l2 = rx * rx + ry * ry + rz * rz;
  if (l2 == 0) return;
  const per = s / l2;
  addTo(out, s - per * rx * rx, -per * rx * ry, -per * rx * rz);
  addTo(out + 16, -per * rx * ry, s - per * ry * ry, -per * ry * rz);
  addTo(out + 32, -per * rx * rz, -per * ry * rz, s - per * rz * rz);
}

function addTo(at: usize, a: f32, b: f32, c: f32): void {
  v128.store(at, f32x4.add(v128.load(at), vec3(a, b, c)));
}
