// Rotation of bodies under constraints, in every substep and four at a time. In: orientation and angular velocity
// after the impulses of the substep. Out: both after its free motion, world inertia, motion since the start of the step.

import { turn } from '../bodies/finalize';
import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { scale, splat, zero } from '../math/vector';
import {
  conjugateW,
  crossW,
  dotW,
  gatherQuatW,
  gatherW,
  perAxisW,
  productW,
  rotateW,
  Sym3W,
  turnedDiagonalW,
} from '../math/wide';
import { Body, BodyVelocity } from '../memory/records';
import { bodyAt, velocityAt, wordAt } from '../memory/tables';
import { bodiesAt } from '../memory/wide';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { MOST_OUTRUN } from '../tolerances';
import { context } from './context';
import { FreeRotation, loadFrames, loadMomenta, normalizeW, rotateFreely } from './freeRotation';
import { isTop, tumbles } from './gyroscopic';
import { bodyPlaces, spread, velocityPlaces } from './joints/batchLanes';
import { lists } from './lists';
import { prepareContactsOf } from './prepare';
import { topTurn, turnAsTops } from './tops';

/** Bodies from which on this is shared between threads. */
export const SHARED_SPINS = 48;

// Scratch: slots of the bodies that wait for a group of four and their places in the list, of bodies with three different
// moments and of those with an axis of symmetry; slots of the group that rotates, and the group.
const WAITING: usize = memory.data(32, 16);
const PLACES: usize = memory.data(32, 16);
const SLOTS: usize = memory.data(16, 16);
const SPIN: usize = memory.data(offsetof<FreeRotation>(), 16);

/** @inline */
function rotating(): FreeRotation {
  return changetype<FreeRotation>(SPIN);
}

/** Rotates all bodies of the list; those that turned far get other effective masses at their contacts. */
export function spinBodies(): void {
  const l = lists();
  const count = l.gyroscopicCount;
  if (!(THREADED && forks(count, SHARED_SPINS))) return spinSome(0, count, 0, 0);
  const found = outcomes(count);
  fork(spinSome, 1, 0, count);
  for (let i = 0; i < count; i++)
    if (load<i32>(found + ((<usize>i) << 2)) != 0) prepareContactsOf(bodyAt(wordAt(<u32>l.gyroscopic, i)));
}

function spinSome(from: i32, to: i32, shared: i32, _: i32): void {
  const gyroscopic = <u32>lists().gyroscopic;
  const found = THREADED && shared ? outcomes(0) : 0;
  const h = context().h;
  let uneven: usize = 0;
  let tops: usize = 0;
  for (let i = from; i < to; i++) {
    const slot = wordAt(gyroscopic, i);
    const b = bodyAt(slot);
    if (!tumbles(b)) {
      b.rotation = turn(b.rotation, scale(velocityAt(slot).angular, h));
      if (THREADED && shared) store<i32>(found + ((<usize>i) << 2), 0);
      continue;
    }
    if (isTop(b)) {
      wait(4 + tops, slot, i);
      if (++tops < 4) continue;
      spinGroup(4, 4, found);
      tops = 0;
    } else {
      wait(uneven, slot, i);
      if (++uneven < 4) continue;
      spinGroup(0, 4, found);
      uneven = 0;
    }
  }
  if (uneven > 0) spinGroup(0, uneven, found);
  if (tops > 0) spinGroup(4, tops, found);
}

/** @inline */
function wait(place: usize, slot: i32, i: i32): void {
  store<i32>(WAITING + (place << 2), slot);
  store<i32>(PLACES + (place << 2), i);
}

/**
 * Rotates `count` bodies that wait from place `first` on. Stores at `found` whether their contacts need other effective masses,
 * or prepares them.
 */
function spinGroup(first: usize, count: usize, found: usize): void {
  const waiting = WAITING + (first << 2);
  // Other lanes repeat the last body: all are read before one is written.
  for (let lane = count; lane < 4; lane++)
    store<i32>(waiting + (lane << 2), load<i32>(waiting + ((count - 1) << 2)));
  const slots = v128.load(waiting);
  v128.store(SLOTS, slots);
  const outrun = spinFour(slots, first);
  for (let lane: usize = 0; lane < count; lane++) {
    const b = bodyAt(load<i32>(waiting + (lane << 2)));
    b.rotationRest = zero();
    b.angularRest = zero();
    const far = (outrun >> <i32>lane) & 1;
    if (THREADED && found) store<i32>(found + ((<usize>load<i32>(PLACES + ((first + lane) << 2))) << 2), far);
    else if (far) prepareContactsOf(b);
  }
}

/** What changes of four bodies, in lanes. @unmanaged */
class SpinGroup {
  beforeX: v128; // rad/s, before and after
  beforeY: v128;
  beforeZ: v128;
  angularX: v128;
  angularY: v128;
  angularZ: v128;
  contactX: v128; // rad/s, by constraints in the last substep: BodyVelocity.contactAngular
  contactY: v128;
  contactZ: v128;
  turnedX: v128; // rotation vector since the start of the step
  turnedY: v128;
  turnedZ: v128;
  inertiaXX: v128;
  inertiaXY: v128;
  inertiaXZ: v128;
  inertiaYY: v128;
  inertiaYZ: v128;
  inertiaZZ: v128;
  rotationX: v128;
  rotationY: v128;
  rotationZ: v128;
  rotationW: v128;
}
const GROUP: usize = memory.data(offsetof<SpinGroup>(), 16);

/** @inline */
function group(): SpinGroup {
  return changetype<SpinGroup>(GROUP);
}
/** @inline */
function inGroup(offset: usize): usize {
  return GROUP + offset;
}

/**
 * Rotates four bodies freely for a substep. Returns a bit for each that rotates so far within a step that the inertia of the
 * step's start is wrong for its impulses. After a rotation by θ, a share of θ² of the inverse of the smallest moment acts
 * about the axis of the largest: a thin rod at 40 rad/s with moments as 1 to 300 left its contacts a thousand times
 * faster. `tops`: not 0 if all have an axis of symmetry. @wide
 */
function spinFour(slots: v128, tops: usize): i32 {
  const step = context();
  const velocities = velocityPlaces(SLOTS);
  const bodies = bodyPlaces(SLOTS);
  spread(inGroup(offsetof<SpinGroup>('beforeX')), velocities, offsetof<BodyVelocity>('angular'));
  spread(inGroup(offsetof<SpinGroup>('contactX')), velocities, offsetof<BodyVelocity>('contactAngular'));
  spread(inGroup(offsetof<SpinGroup>('turnedX')), velocities, offsetof<BodyVelocity>('deltaRotation'));
  const g = group();
  if (tops) turnTops(slots, step.h);
  else turnUneven(slots, step.h);
  g.turned = g.turned + (g.angular - g.before) * (splat(step.h) * splat(0.5));
  collect(inGroup(offsetof<SpinGroup>('rotationX')), g.rotationW, bodies, offsetof<Body>('rotation'));
  collect(inGroup(offsetof<SpinGroup>('inertiaXX')), zero(), bodies, offsetof<Body>('invInertiaA'));
  collect(inGroup(offsetof<SpinGroup>('inertiaYY')), zero(), bodies, offsetof<Body>('invInertiaB'));
  // Constraints did not cause the change of ω (free rotation), so the warm start must not repeat it.
  collect(
    inGroup(offsetof<SpinGroup>('turnedX')),
    zero(),
    velocities,
    offsetof<BodyVelocity>('deltaRotation'),
  );
  collect(inGroup(offsetof<SpinGroup>('angularX')), zero(), velocities, offsetof<BodyVelocity>('angular'));
  collect(
    inGroup(offsetof<SpinGroup>('angularX')),
    zero(),
    velocities,
    offsetof<BodyVelocity>('baseAngular'),
  );
  collect(
    inGroup(offsetof<SpinGroup>('contactX')),
    zero(),
    velocities,
    offsetof<BodyVelocity>('contactAngular'),
  );

  const inverse = gatherW(bodiesAt(slots).invInertiaLocal);
  const most = f32x4.pmax(inverse.x, f32x4.pmax(inverse.y, inverse.z));
  const least = f32x4.pmin(inverse.x, f32x4.pmin(inverse.y, inverse.z));
  const dt = splat(step.dt);
  const speed2 = dotW(g.angular, g.angular);
  return i32x4.bitmask(f32x4.gt(speed2 * (dt * dt) * most, least * splat(MOST_OUTRUN)));
}

/** Rotation, angular velocity, inertia and impulses of constraints of a group after the time h. @wide */
function turnUneven(slots: v128, h: f32): void {
  const g = group();
  const s = rotating();
  loadFrames(s, slots);
  loadMomenta(s, g.contact);
  const held = rotateW(s.q, s.l);
  loadMomenta(s, g.before);
  rotateFreely(s, h);
  const q = normalizeW(s.q);
  const inverse = s.inverse;
  g.angular = rotateW(q, perAxisW(s.l, inverse));
  g.inertia = turnedDiagonalW(q, inverse);
  g.contact = g.inertia * held;
  g.rotation = productW(q, conjugateW(s.principal));
}

/** The same of bodies with an axis of symmetry. @wide */
function turnTops(slots: v128, h: f32): void {
  const g = group();
  turnAsTops(slots, g.before, splat(h));
  const t = topTurn();
  g.rotation = normalizeW(productW(t.d, gatherQuatW(bodiesAt(slots).rotation)));
  // The axis changes by the first rotation alone. Only the change is added, so that slow rotation is not lost in rounding.
  const e = t.axis;
  const a = t.a;
  const aside = crossW(a, e);
  const change = (aside + crossW(a, aside)) * (splat(2) / (splat(1) + dotW(a, a)));
  const f = e + change;
  g.angular = g.before - change * t.wobble;
  // I⁻¹ = across + (about − across) e eᵀ, of the inverse moments across the axis and about it.
  const inverse = gatherW(bodiesAt(slots).invInertiaLocal);
  const most = f32x4.pmax(inverse.x, f32x4.pmax(inverse.y, inverse.z));
  const least = f32x4.pmin(inverse.x, f32x4.pmin(inverse.y, inverse.z));
  const larger = f32x4.pmax(inverse.x, inverse.y);
  const across = f32x4.pmax(f32x4.pmin(inverse.x, inverse.y), f32x4.pmin(larger, inverse.z)); // two are equal
  const about = v128.bitselect(most, least, f32x4.eq(across, least));
  const more = about - across;
  const held = g.contact - e * ((dotW(e, g.contact) * more) / about);
  g.contact = held + f * ((dotW(f, held) * more) / across);
  const s = f * more;
  g.inertia = new Sym3W(
    across + s.x * f.x,
    s.x * f.y,
    s.x * f.z,
    across + s.y * f.y,
    s.y * f.z,
    across + s.z * f.z,
  );
}

/** Writes vectors or quaternions in lanes, from x, y, z at `from` and w, to a field of the records at four addresses. */
function collect(from: usize, w: v128, at: v128, field: usize): void {
  const x = v128.load(from);
  const y = v128.load(from, 16);
  const z = v128.load(from, 32);
  const low01 = zipLow(x, y);
  const low23 = zipLow(z, w);
  const high01 = zipHigh(x, y);
  const high23 = zipHigh(z, w);
  v128.store(<usize>(<u32>i32x4.extract_lane(at, 0)) + field, lowHalves(low01, low23));
  v128.store(<usize>(<u32>i32x4.extract_lane(at, 1)) + field, highHalves(low01, low23));
  v128.store(<usize>(<u32>i32x4.extract_lane(at, 2)) + field, lowHalves(high01, high23));
  v128.store(<usize>(<u32>i32x4.extract_lane(at, 3)) + field, highHalves(high01, high23));
}
