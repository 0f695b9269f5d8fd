// Between records and lanes. In: slots of four joints or bodies. Out: their vectors as x, y, z of four, and
// velocities back where they came from. Nothing is computed here.
import { highHalves, lowHalves, zipHigh, zipLow } from '../../math/transpose';
import { add, splat, sub, zero } from '../../math/vector';
import { BODY_DYNAMIC } from '../../memory/constants';
import { Body, BodyVelocity, BundleBody, JointBundle } from '../../memory/records';
import { bodyAt, bundleBodyAt, velocityAt, workAt } from '../../memory/tables';
import { context } from '../context';

export const TURNS = 3; // first kind of row that locks angles
export const AXES = 6; // first kind that locks an axis

/** 16-aligned room beside the context of the step: three v128; and one for the addresses of `spread`. */
export const SCRATCH: usize = 256;
const PLACES: usize = 384;

/** m/s and rad/s: no joint makes a body faster, or its speed no number. */
const FASTEST: f32 = 1e5;

/** Slot of a lane of a record that begins with `slots`. */
// @ts-ignore: decorator
@inline export function slotIn(record: usize, lane: usize): i32 {
  return load<i32>(record + (lane << 2));
}

// @ts-ignore: decorator
@inline export function velocityIn(record: usize, lane: usize): usize {
  return changetype<usize>(velocityAt(slotIn(record, lane)));
}

/** Static and kinematic bodies stand for something that no impulse moves, as the world does. */
// @ts-ignore: decorator
@inline function massIn(record: usize, lane: usize): usize {
  const b = bodyAt(slotIn(record, lane));
  return changetype<usize>(b.type == BODY_DYNAMIC ? b : bodyAt(0));
}

// @ts-ignore: decorator
@inline function workIn(record: usize, lane: usize): usize {
  return changetype<usize>(workAt(slotIn(record, lane)));
}

/** Where `spread` reads: four addresses, one per lane. */
// @ts-ignore: decorator
@inline function places(): usize {
  return changetype<usize>(context()) + PLACES;
}
// @ts-ignore: decorator
@inline function place(lane: usize): usize {
  return load<u32>(places() + (lane << 2));
}
function aim(p0: usize, p1: usize, p2: usize, p3: usize): void {
  v128.store(places(), i32x4(<i32>p0, <i32>p1, <i32>p2, <i32>p3));
}
export function aimAtWork(record: usize): void {
  aim(workIn(record, 0), workIn(record, 1), workIn(record, 2), workIn(record, 3));
}

/** A vector of the four records that were aimed at, as x, y, z at `to`. */
export function spread(to: usize, field: usize): void {
  const r0 = v128.load(place(0) + field);
  const r1 = v128.load(place(1) + field);
  const r2 = v128.load(place(2) + field);
  const r3 = v128.load(place(3) + field);
  const low01 = zipLow(r0, r1);
  const low23 = zipLow(r2, r3);
  v128.store(to, lowHalves(low01, low23));
  v128.store(to, highHalves(low01, low23), 16);
  v128.store(to, lowHalves(zipHigh(r0, r1), zipHigh(r2, r3)), 32);
}

/** A number of each of them. */
export function spreadNumber(to: usize, field: usize): void {
  v128.store(
    to,
    f32x4(
      load<f32>(place(0) + field),
      load<f32>(place(1) + field),
      load<f32>(place(2) + field),
      load<f32>(place(3) + field),
    ),
  );
}

export function gatherVelocities(u: JointBundle): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i));
    aim(velocityIn(at, 0), velocityIn(at, 1), velocityIn(at, 2), velocityIn(at, 3));
    spread(at + offsetof<BundleBody>('vX'), 0);
    spread(at + offsetof<BundleBody>('wX'), offsetof<BodyVelocity>('angular'));
  }
}

export function loadMasses(u: JointBundle): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i));
    aim(massIn(at, 0), massIn(at, 1), massIn(at, 2), massIn(at, 3));
    spread(at + offsetof<BundleBody>('invMassX'), offsetof<Body>('invMass'));
    spread(at + offsetof<BundleBody>('inertiaXX'), offsetof<Body>('invInertiaA'));
    spread(at + offsetof<BundleBody>('inertiaYY'), offsetof<Body>('invInertiaB'));
  }
}

export function scatterVelocities(u: JointBundle): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i));
    scatter(at, at + offsetof<BundleBody>('vX'), 0, offsetof<BodyVelocity>('baseLinear'));
    scatter(
      at,
      at + offsetof<BundleBody>('wX'),
      offsetof<BodyVelocity>('angular'),
      offsetof<BodyVelocity>('baseAngular'),
    );
  }
}

function scatter(record: usize, from: usize, field: usize, base: usize): void {
  const none = zero();
  const low01 = zipLow(v128.load(from), v128.load(from, 16));
  const low23 = zipLow(v128.load(from, 32), none);
  const high01 = zipHigh(v128.load(from), v128.load(from, 16));
  const high23 = zipHigh(v128.load(from, 32), none);
  setVelocity(velocityIn(record, 0), field, base, lowHalves(low01, low23));
  setVelocity(velocityIn(record, 1), field, base, highHalves(low01, low23));
  setVelocity(velocityIn(record, 2), field, base, lowHalves(high01, high23));
  setVelocity(velocityIn(record, 3), field, base, highHalves(high01, high23));
}

/** Contacts are warm started by what contacts did (see solve.ts): the base moves along. */
// @ts-ignore: decorator
@inline function setVelocity(body: usize, field: usize, base: usize, asked: v128): void {
  // What is no number leaves the body as it was.
  const number = v128.bitselect(asked, v128.load(body + field), f32x4.eq(asked, asked));
  const value = f32x4.pmax(splat(-FASTEST), f32x4.pmin(splat(FASTEST), number));
  const change = sub(value, v128.load(body + field));
  v128.store(body + base, add(v128.load(body + base), change));
  v128.store(body + field, value);
}

// @ts-ignore: decorator
@inline export function largest(v: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}
