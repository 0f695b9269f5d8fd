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
// Without it, balls of 0.1 kg between ropes with a swinging load of 200 kg reached 38 times its speed at 30 Hz.

import { add, splat, sub, vec3, x, y, z, zero } from '../../math/vector';
import { Vec3W } from '../../math/wide';
import { MOST_IMPULSE } from '../../memory/bounds';
import { BatchBody, BatchJoint, BodyVelocity, JointBatch } from '../../memory/records';
import { batchBodyAt, batchJointAt, batchRowAt, velocityAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { MOST_STIFFENING, MOST_SWAY, TAUT } from '../../tolerances';
import { context } from '../context';
import { spread, velocityPlaces } from './batchLanes';
import { apply3, invertSymmetric } from './rows';
import { pullPerLength } from './types';

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
  for (let i = 0; i < u.bodyCount; i++) {
    batchBodyAt(u, i).tension = zero();
    batchBodyAt(u, i).pulled = zero();
  }
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (j.locks == 0) addPull(u, j);
    if (!(j.locks & 1)) continue;
    addTension(batchBodyAt(u, j.a), new Vec3W(j.rAX, j.rAY, j.rAZ), pull(u, j, true));
    addTension(batchBodyAt(u, j.b), new Vec3W(j.rBX, j.rBY, j.rBZ), pull(u, j, false));
  }
}

/** The same as `tension` for the motion across ropes: h²K/m. @wide */
function swayOf(b: BatchBody): v128 {
  return b.pulled * f32x4.pmax(b.invMassX, f32x4.pmax(b.invMassY, b.invMassZ));
}

/** What a rope or spring between two anchors gives to its bodies. */
function addPull(u: JointBatch, j: BatchJoint): void {
  for (let lane: usize = 0; lane < 4; lane++) {
    const at = lane << 2;
    const pull = pullPerLength(load<i32>(changetype<usize>(j) + at)) * context().h;
    if (pull > 0) {
      addToLane(batchBodyAt(u, j.a), at, pull);
      addToLane(batchBodyAt(u, j.b), at, pull);
    }
  }
}

function addToLane(b: BatchBody, lane: usize, pull: f32): void {
  const to = changetype<usize>(b) + lane;
  const sum = load<f32>(to, offsetof<BatchBody>('pulled')) + pull;
  store<f32>(to, sum, offsetof<BatchBody>('pulled'));
}

/** Adds the mass that a body needs. @wide */
function holdSway(b: BatchBody): void {
  const more = f32x4.pmax(swayOf(b) - splat(MOST_SWAY), zero()) + splat(1);
  b.invMassX /= more;
  b.invMassY /= more;
  b.invMassZ /= more;
  b.eased = splat(1) - splat(1) / more;
}

/** Takes back what forces have given to the added mass. @wide */
export function easeForces(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    if (!v128.any_true(f32x4.gt(b.eased, zero()))) continue;
    spread(SCRATCH, velocityPlaces(changetype<usize>(b)), offsetof<BodyVelocity>('forceLinear'));
    const force = new Vec3W(v128.load(SCRATCH), v128.load(SCRATCH, 16), v128.load(SCRATCH, 32));
    b.vX -= b.eased * force.x;
    b.vY -= b.eased * force.y;
    b.vZ -= b.eased * force.z;
  }
}

/** Adds the inertia that bodies need. */
export function holdTension(u: JointBatch, damp: bool): void {
  sumTension(u);
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    if (u.loose) holdSway(b);
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

/** h r·f of the last substep if it is a tension, otherwise 0. @wide */
function pull(u: JointBatch, j: BatchJoint, onA: bool): v128 {
  const p0 = batchRowAt(u, j.firstRow).impulse;
  const p1 = nextRow(u, j, 1);
  const p2 = nextRow(u, j, 2);
  const h = splat(context().h);
  if (onA) return f32x4.pmax(zero(), zero() - (j.rAX * p0 + j.rAY * p1 + j.rAZ * p2)) * h;
  return f32x4.pmax(zero(), j.rBX * p0 + j.rBY * p1 + j.rBZ * p2) * h;
}

/** @inline */
function nextRow(u: JointBatch, j: BatchJoint, k: i32): v128 {
  return batchRowAt(u, j.firstRow + k).impulse;
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
    if (!(j.locks & 1)) continue;
    if (j.a == index)
      stiffen(changetype<usize>(j) + lane + offsetof<BatchJoint>('rAX'), pull(u, j, true), stiffness, out);
    if (j.b == index)
      stiffen(changetype<usize>(j) + lane + offsetof<BatchJoint>('rBX'), pull(u, j, false), stiffness, out);
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

function stiffen(r: usize, pulls: v128, stiffness: Stiffness, out: usize): void {
  store<v128>(out, pulls, 48);
  const s = stiffness.share * load<f32>(out + stiffness.lane, 48);
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
