// Rotation of bodies under constraints, in every substep and four at a time. In: orientation and angular velocity
// after the impulses of the substep. Out: both after its free motion, world inertia, motion since the start of the step.

import { turn } from '../bodies/finalize';
import { scale, splat, zero } from '../math/vector';
import {
  conjugateW,
  gatherQuatW,
  gatherW,
  productW,
  QuatW,
  Rows,
  rotateInverseW,
  rotateW,
  scatterQuatW,
  scatterW,
  turnedDiagonalW,
  Vec3W,
} from '../math/wide';
import { bodyAt, velocityAt, wordAt } from '../memory/tables';
import { bodiesAt, velocitiesAt } from '../memory/wide';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { MOST_OUTRUN } from '../tolerances';
import { context } from './context';
import { momentumW, normalizeW, principalFramesW, rotateFreelyW, SpinW } from './freeRotation';
import { tumbles } from './gyroscopic';
import { lists } from './lists';
import { prepareContactsOf } from './prepare';

/** Bodies from which on this is shared between threads. */
export const SHARED_SPINS = 48;

// Scratch: slots of the bodies that wait for a group of four, and their places in the list.
const SLOTS: usize = memory.data(16, 16);
const PLACES: usize = memory.data(16, 16);

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
  let count: usize = 0;
  for (let i = from; i < to; i++) {
    const slot = wordAt(gyroscopic, i);
    const b = bodyAt(slot);
    if (!tumbles(b)) {
      b.rotation = turn(b.rotation, scale(velocityAt(slot).angular, h));
      if (THREADED && shared) store<i32>(found + ((<usize>i) << 2), 0);
      continue;
    }
    store<i32>(SLOTS + (count << 2), slot);
    store<i32>(PLACES + (count << 2), i);
    if (++count < 4) continue;
    spinGroup(4, found);
    count = 0;
  }
  if (count == 0) return;
  // Other lanes repeat the last body: all are read before one is written.
  for (let lane = count; lane < 4; lane++)
    store<i32>(SLOTS + (lane << 2), load<i32>(SLOTS + ((count - 1) << 2)));
  spinGroup(count, found);
}

/** Rotates the bodies of a group. Stores at `found` whether their contacts need other effective masses, or prepares them. */
function spinGroup(count: usize, found: usize): void {
  const outrun = spinFour(v128.load(SLOTS));
  for (let lane: usize = 0; lane < count; lane++) {
    const far = (outrun >> <i32>lane) & 1;
    if (THREADED && found) store<i32>(found + ((<usize>load<i32>(PLACES + (lane << 2))) << 2), far);
    else if (far) prepareContactsOf(bodyAt(load<i32>(SLOTS + (lane << 2))));
  }
}

/**
 * Rotates four bodies freely for a substep. Returns a bit for each that rotates so far within a step that the inertia of the
 * step's start is wrong for its impulses. After a rotation by θ, a share of θ² of the inverse of the smallest moment acts
 * about the axis of the largest: a thin rod at 40 rad/s with moments as 1 to 300 left its contacts a thousand times
 * faster. @wide
 */
function spinFour(slots: v128): i32 {
  const bodies = bodiesAt(slots);
  const velocities = velocitiesAt(slots);
  const step = context();
  const h = splat(step.h);
  const dt = splat(step.dt);
  const principal = gatherQuatW(bodies.principal);
  const inverse = gatherW(bodies.invInertiaLocal);
  const before = gatherW(velocities.angular);
  const turned = gatherW(velocities.deltaRotation);
  const q0 = principalFramesW(bodies);
  const held = rotateW(q0, momentumW(rotateInverseW(q0, gatherW(velocities.contactAngular)), inverse));
  const l0 = momentumW(rotateInverseW(q0, before), inverse);
  const s = rotateFreelyW(new SpinW(q0.x, q0.y, q0.z, q0.w, l0.x, l0.y, l0.z), inverse, h);
  const q = normalizeW(new QuatW(s.qx, s.qy, s.qz, s.qw));
  const angular = rotateW(q, new Vec3W(s.lx * inverse.x, s.ly * inverse.y, s.lz * inverse.z));
  const inertia = turnedDiagonalW(q, inverse);
  bodies.rotation = scatterQuatW(productW(q, conjugateW(principal)));
  bodies.invInertiaA = scatterW(new Vec3W(inertia.xx, inertia.xy, inertia.xz));
  bodies.invInertiaB = scatterW(new Vec3W(inertia.yy, inertia.yz, inertia.zz));
  const none = zero();
  bodies.rotationRest = new Rows(none, none, none, none);
  bodies.angularRest = new Rows(none, none, none, none);
  // Constraints did not cause this change of ω (free rotation), so the warm start must not repeat it.
  velocities.deltaRotation = scatterW(turned + (angular - before) * (h * splat(0.5)));
  velocities.angular = scatterW(angular);
  velocities.baseAngular = scatterW(angular);
  velocities.contactAngular = scatterW(inertia * held);

  const most = f32x4.pmax(inverse.x, f32x4.pmax(inverse.y, inverse.z));
  const least = f32x4.pmin(inverse.x, f32x4.pmin(inverse.y, inverse.z));
  const speed2 = angular.x * angular.x + angular.y * angular.y + angular.z * angular.z;
  return i32x4.bitmask(f32x4.gt(speed2 * (dt * dt) * most, least * splat(MOST_OUTRUN)));
}
