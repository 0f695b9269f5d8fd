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
// A rope of the length l with the force f gives its ends the stiffness f/l across it. Beyond half of the mass, h² times this is
// added to the mass, in all directions; it has inertia, but no weight: implicit Euler would give (m + h²K)(v' − v) = h f − h²K v.
// Without it, balls of 0.1 kg between ropes with a swinging load of 200 kg reached 38 times its speed at 30 Hz. Fastened off the
// centre, a rope also rotates its end: boxes of 0.1 kg on ropes with 2 t were thrown 26 m. Rods and springs that pull are the same.

import { add, splat, sub, vec3, x, y, z, zero } from '../../math/vector';
import { crossW, dotW, Vec3W } from '../../math/wide';
import { MOST_IMPULSE } from '../../memory/bounds';
import {
  BatchBody,
  BatchJoint,
  BatchRow,
  BodyVelocity,
  JointBatch,
  JointRow,
  JointWork,
} from '../../memory/records';
import { batchBodyAt, batchJointAt, batchRowAt, rowAt, velocityAt, workAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { CALMED, MOST_STIFFENING, MOST_SWAY, TAUT } from '../../tolerances';
import { context } from '../context';
import { numbers, slotIn, spread, velocityPlaces, workPlaces } from './batchLanes';
import { apply3, invertSymmetric } from './rows';
import { LENGTH, pullPerLength } from './types';

/** A 3×3 matrix as three v128, and the pulls of four lanes. */
const SCRATCH: usize = memory.data(64, 16);

/** Whether the tension is so high that factors must be those of the current substep. */
export function isTaut(u: JointBatch): bool {
  sumTension(u);
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    if (v128.any_true(f32x4.gt(f32x4.pmax(b.tension, swayOf(b)), splat(TAUT)))) return true;
  }
  return false;
}

/** @wide */
function sumTension(u: JointBatch): void {
  u.pulls = 0;
  for (let i = 0; i < u.bodyCount; i++) {
    batchBodyAt(u, i).tension = zero();
    batchBodyAt(u, i).pulled = zero();
  }
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (j.locks & 1) holdAnchors(u, j);
    else if (j.locks == 0 || j.locks == LENGTH) holdEnds(u, j);
    else continue;
    addTension(batchBodyAt(u, j.a), armOf(j, false), j.heldA);
    addTension(batchBodyAt(u, j.b), armOf(j, true), j.heldB);
  }
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

/** What a rope, rod or spring gives to its ends. */
function holdEnds(u: JointBatch, j: BatchJoint): void {
  const row = changetype<usize>(rowAt(changetype<JointWork>(0), 0));
  for (let lane: usize = 0; lane < 4; lane++) {
    const at = lane << 2;
    const push = j.locks
      ? load<f32>(changetype<usize>(batchRowAt(u, j.firstRow)) + at, offsetof<BatchRow>('impulse'))
      : 0;
    store<f32>(SCRATCH + at, pullPerLength(slotIn(changetype<usize>(j), lane), push) * context().h, 48);
  }
  const works = pullingPlaces(j, v128.load(SCRATCH, 48));
  spread(SCRATCH, works, row + offsetof<JointRow>('normal'));
  shareTension(u, j, numbers(works, row + offsetof<JointRow>('value')));
}

/** Where the rows of joints that pull are. Others may have none: their lanes get the zeros of slot 0. */
function pullingPlaces(j: BatchJoint, pulls: v128): v128 {
  const none = i32x4.splat(<i32>changetype<usize>(workAt(0)));
  return v128.bitselect(workPlaces(changetype<usize>(j)), none, f32x4.gt(pulls, zero()));
}

/**
 * A line of the length l that pulls at the arm r gives the centre f/l across it, and holds the body against rotation with r·f + r² f/l.
 * If the line is shorter than the arm, the body swings about its upper end, and feels no more than f/r and r·f: f/l would hold it fast.
 * @wide
 */
function shareTension(u: JointBatch, j: BatchJoint, length: v128): void {
  const normal = new Vec3W(v128.load(SCRATCH), v128.load(SCRATCH, 16), v128.load(SCRATCH, 32));
  const force = v128.load(SCRATCH, 48) * length;
  if (v128.any_true(force)) u.pulls = 1;
  const rA = armOf(j, false);
  const rB = armOf(j, true);
  j.pullA = force / f32x4.pmax(f32x4.pmax(length, f32x4.sqrt(dotW(rA, rA))), splat(1e-30));
  j.pullB = force / f32x4.pmax(f32x4.pmax(length, f32x4.sqrt(dotW(rB, rB))), splat(1e-30));
  j.heldA = f32x4.pmax(zero(), dotW(rA, normal) * force + dotW(rA, rA) * j.pullA);
  j.heldB = f32x4.pmax(zero(), dotW(rB, rB) * j.pullB - dotW(rB, normal) * force);
  batchBodyAt(u, j.a).pulled += j.pullA;
  batchBodyAt(u, j.b).pulled += j.pullB;
}

/** The same as `tension` for the motion across ropes: h²K/m. @wide */
function swayOf(b: BatchBody): v128 {
  return b.pulled * f32x4.pmax(b.invMassX, f32x4.pmax(b.invMassY, b.invMassZ));
}

/** Adds the mass that a body needs. @wide */
function holdSway(b: BatchBody): void {
  const more = f32x4.pmax(swayOf(b) - splat(MOST_SWAY), zero()) + splat(1);
  b.invMassX /= more;
  b.invMassY /= more;
  b.invMassZ /= more;
  b.eased = splat(1) - splat(1) / more;
}

/**
 * Takes back what forces have given to the added mass, and some of each velocity against the mean of its neighbours, as implicit Euler
 * does. This damps vibrations, and no swing of a straight rope: 20 balls of 0.1 kg with 500 kg below gained energy for ten seconds.
 */
export function calmRopes(u: JointBatch): void {
  if (!u.pulls) return;
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (j.locks != 0 && j.locks != LENGTH) continue;
    const row = changetype<usize>(rowAt(changetype<JointWork>(0), 0));
    spread(SCRATCH, pullingPlaces(j, j.pullA), row + offsetof<JointRow>('normal'));
    dragEnds(u, j);
  }
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    spread(SCRATCH, velocityPlaces(changetype<usize>(b)), offsetof<BodyVelocity>('forceLinear'));
    calm(b);
  }
}

/** @wide */
function dragEnds(u: JointBatch, j: BatchJoint): void {
  const a = batchBodyAt(u, j.a);
  const b = batchBodyAt(u, j.b);
  const n = new Vec3W(v128.load(SCRATCH), v128.load(SCRATCH, 16), v128.load(SCRATCH, 32));
  const apart = endVelocity(b, armOf(j, true)) - endVelocity(a, armOf(j, false));
  const across = apart - n * dotW(n, apart);
  a.pX += j.pullA * across.x;
  a.pY += j.pullA * across.y;
  a.pZ += j.pullA * across.z;
  b.pX -= j.pullB * across.x;
  b.pY -= j.pullB * across.y;
  b.pZ -= j.pullB * across.z;
}

/** @wide */
function endVelocity(b: BatchBody, r: Vec3W): Vec3W {
  return new Vec3W(b.vX, b.vY, b.vZ) + crossW(new Vec3W(b.wX, b.wY, b.wZ), r);
}

/** @wide */
function calm(b: BatchBody): void {
  const eased = b.eased;
  const share = (splat(CALMED) * eased) / f32x4.pmax(b.pulled, splat(1e-30));
  b.vX += share * b.pX - eased * v128.load(SCRATCH);
  b.vY += share * b.pY - eased * v128.load(SCRATCH, 16);
  b.vZ += share * b.pZ - eased * v128.load(SCRATCH, 32);
  b.pX = zero();
  b.pY = zero();
  b.pZ = zero();
}

/** Adds the inertia that bodies need. */
export function holdTension(u: JointBatch, damp: bool): void {
  sumTension(u);
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    if (u.pulls) holdSway(b);
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
