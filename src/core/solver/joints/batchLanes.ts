// Transposition between records and SIMD lanes. In: slots of four joints or bodies. Out: x, y, z of their vectors for
// four at a time; velocities written back to the records.
import { highHalves, lowHalves, zipHigh, zipLow } from '../../math/transpose';
import { add, splat, sub, zero } from '../../math/vector';
import { BODY_DYNAMIC } from '../../memory/constants';
import { BatchBody, Body, BodyVelocity, JointBatch } from '../../memory/records';
import {
  BATCH_BODY_SIZE,
  BODY_SIZE,
  batchBodyAt,
  bodyAt,
  JOINT_SIZE,
  VELOCITY_SIZE,
  velocityAt,
  WORK_SIZE,
  world,
} from '../../memory/tables';
import { LOST_SQUARED } from '../../tolerances';
import { context } from '../context';

export const TURNS = 3; // first kind of row for locked angles
export const AXES = 6; // first kind of row for locked axes
export const ACROSS = 12; // first kind of row across ropes, rods and springs (geometricStiffness.ts)

/** Scratch of one function: three v128. */
export const SCRATCH: usize = memory.data(48, 16);

/** Slot in a lane of a record that starts with `slots`. @inline */
export function slotIn(record: usize, lane: usize): i32 {
  return load<i32>(record + (lane << 2));
}

// Addresses of four records of a table, from the slots at the start of a record.

/** @inline */
function places(record: usize, table: u32, size: usize): v128 {
  return i32x4.add(i32x4.splat(<i32>table), i32x4.mul(v128.load(record), i32x4.splat(<i32>size)));
}
/** @inline */
export function workPlaces(record: usize): v128 {
  return places(record, world().jointWork, WORK_SIZE);
}
/** @inline */
export function jointPlaces(record: usize): v128 {
  return places(record, world().joints, JOINT_SIZE);
}
/** @inline */
export function bodyPlaces(record: usize): v128 {
  return places(record, world().bodies, BODY_SIZE);
}
/** @inline */
export function velocityPlaces(record: usize): v128 {
  return places(record, world().velocities, VELOCITY_SIZE);
}
/** @inline */
export function velocityIn(record: usize, lane: usize): usize {
  return changetype<usize>(velocityAt(slotIn(record, lane)));
}
/**
 * Address of the body's masses; of body 0, the world, if it is static or kinematic and impulses cannot move it. @inline
 */
function massIn(record: usize, lane: usize): i32 {
  const b = bodyAt(slotIn(record, lane));
  return <i32>changetype<usize>(b.type == BODY_DYNAMIC ? b : bodyAt(0));
}

/** Transposes a vector of the records at four addresses to x, y, z at `to`. */
export function spread(to: usize, at: v128, field: usize): void {
  const r0 = v128.load(<usize>(<u32>i32x4.extract_lane(at, 0)) + field);
  const r1 = v128.load(<usize>(<u32>i32x4.extract_lane(at, 1)) + field);
  const r2 = v128.load(<usize>(<u32>i32x4.extract_lane(at, 2)) + field);
  const r3 = v128.load(<usize>(<u32>i32x4.extract_lane(at, 3)) + field);
  const low01 = zipLow(r0, r1);
  const low23 = zipLow(r2, r3);
  v128.store(to, lowHalves(low01, low23));
  v128.store(to, highHalves(low01, low23), 16);
  v128.store(to, lowHalves(zipHigh(r0, r1), zipHigh(r2, r3)), 32);
}

/** A number of each of the four records. */
export function numbers(at: v128, field: usize): v128 {
  return f32x4(
    load<f32>(<usize>(<u32>i32x4.extract_lane(at, 0)) + field),
    load<f32>(<usize>(<u32>i32x4.extract_lane(at, 1)) + field),
    load<f32>(<usize>(<u32>i32x4.extract_lane(at, 2)) + field),
    load<f32>(<usize>(<u32>i32x4.extract_lane(at, 3)) + field),
  );
}

export function gatherVelocities(u: JointBatch): void {
  let record = changetype<usize>(batchBodyAt(u, 0));
  for (let i = 0; i < u.bodyCount; i++, record += BATCH_BODY_SIZE) {
    const at = velocityPlaces(record);
    spread(record + offsetof<BatchBody>('vX'), at, 0);
    spread(record + offsetof<BatchBody>('wX'), at, offsetof<BodyVelocity>('angular'));
  }
}

export function loadMasses(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const record = changetype<usize>(batchBodyAt(u, i));
    const at = i32x4(massIn(record, 0), massIn(record, 1), massIn(record, 2), massIn(record, 3));
    spread(record + offsetof<BatchBody>('invMassX'), at, offsetof<Body>('invMass'));
    loadInertia(record, at);
  }
}

function loadInertia(record: usize, at: v128): void {
  spread(record + offsetof<BatchBody>('inertiaXX'), at, offsetof<Body>('invInertiaA'));
  spread(record + offsetof<BatchBody>('inertiaYY'), at, offsetof<Body>('invInertiaB'));
}

/**
 * Impulses act on the inertia of the current substep, also where the factors are older. With that of the factors, each
 * impulse on a body with unequal moments would change its angular momentum by a few per cent too much or too little:
 * five rods on ball joints doubled their energy in ten seconds.
 */
export function loadInertias(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const record = changetype<usize>(batchBodyAt(u, i));
    loadInertia(record, i32x4(massIn(record, 0), massIn(record, 1), massIn(record, 2), massIn(record, 3)));
  }
}

export function scatterVelocities(u: JointBatch): void {
  let record = changetype<usize>(batchBodyAt(u, 0));
  for (let i = 0; i < u.bodyCount; i++, record += BATCH_BODY_SIZE) {
    const at = velocityPlaces(record);
    scatter(record + offsetof<BatchBody>('vX'), at, 0, offsetof<BodyVelocity>('baseLinear'));
    scatter(
      record + offsetof<BatchBody>('wX'),
      at,
      offsetof<BodyVelocity>('angular'),
      offsetof<BodyVelocity>('baseAngular'),
    );
  }
}

function scatter(from: usize, at: v128, field: usize, base: usize): void {
  const x = v128.load(from);
  const y = v128.load(from, 16);
  const z = v128.load(from, 32);
  const none = zero();
  const low01 = zipLow(x, y);
  const low23 = zipLow(z, none);
  const high01 = zipHigh(x, y);
  const high23 = zipHigh(z, none);
  setVelocity(<usize>(<u32>i32x4.extract_lane(at, 0)), field, base, lowHalves(low01, low23));
  setVelocity(<usize>(<u32>i32x4.extract_lane(at, 1)), field, base, highHalves(low01, low23));
  setVelocity(<usize>(<u32>i32x4.extract_lane(at, 2)), field, base, lowHalves(high01, high23));
  setVelocity(<usize>(<u32>i32x4.extract_lane(at, 3)), field, base, highHalves(high01, high23));
}

/**
 * Writes a velocity. The base moves along, because contacts are warm started only by changes that contacts caused
 * (solve.ts). @inline
 */
function setVelocity(body: usize, field: usize, base: usize, asked: v128): void {
  // A NaN leaves the body's velocity unchanged.
  const old = v128.load(body + field);
  const number = v128.bitselect(asked, old, f32x4.eq(asked, asked));
  const most = sqrt<f32>(LOST_SQUARED);
  const value = f32x4.pmax(splat(-most), f32x4.pmin(splat(most), number));
  // A NaN in the base would spread to the warm start of the next substep.
  const moved = add(v128.load(body + base), sub(value, old));
  v128.store(body + base, v128.bitselect(moved, value, f32x4.lt(f32x4.abs(moved), splat(f32.MAX_VALUE))));
  v128.store(body + field, value);
}

/** @inline */
export function largest(v: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

/**
 * Rotates r by h(w − g), by Rodrigues' formula; the caller makes sure that the rotation is small. The body has moved: w is
 * its velocity after the gyroscopic change, of which g is nearly half (foreseeTurns). @wide
 */
export function turnVector(b: BatchBody, at: usize): void {
  const h = splat(context().h);
  const x = v128.load(at);
  const y = v128.load(at, 16);
  const z = v128.load(at, 32);
  const wx = (b.wX - b.gX) * h;
  const wy = (b.wY - b.gY) * h;
  const wz = (b.wZ - b.gZ) * h;
  const t = wx * wx + wy * wy + wz * wz;
  const s = splat(1) - t * splat(0.16666667);
  const c = splat(0.5) - t * splat(0.041666668);
  const vx = wy * z - wz * y;
  const vy = wz * x - wx * z;
  const vz = wx * y - wy * x;
  v128.store(at, x + (s * vx + c * (wy * vz - wz * vy)));
  v128.store(at, y + (s * vy + c * (wz * vx - wx * vz)), 16);
  v128.store(at, z + (s * vz + c * (wx * vy - wy * vx)), 32);
}
