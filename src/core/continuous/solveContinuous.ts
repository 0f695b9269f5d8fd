// Continuous collision: bodies that move too far for discrete contacts hit obstacles at their time of impact. In: the
// CCD bodies, with their paths over the step. Out: no body has passed an obstacle or stopped early. Each body moves to
// its next impact, both bodies receive the impulse, and the rest of the step continues with the new velocities. Impacts
// are resolved in the order of time, so that two fast bodies meet at the correct place.

import { addCcdBody, ccdBodyAt, rotationVector } from '../bodies/fast';
import { placeShapes, publishPose, turn } from '../bodies/finalize';
import { updateWorldInertia } from '../bodies/massProperties';
import { pairSetFind } from '../broadphase/pairSet';
import { createPair, setPairMaterial } from '../contacts/pairs';
import { endContact, markBegun } from '../contacts/touches';
import { recordImpact } from '../events/record';
import { startRest } from '../islands/rest';
import { wakeBody } from '../islands/wake';
import {
  add,
  addScaled,
  conjugate,
  cross,
  dot,
  identityQuat,
  length,
  lengthSquared,
  mulQuat,
  neg,
  rotate,
  scale,
  sub,
  w,
  zero,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_HIT,
  BODY_ISOTROPIC,
  BODY_LOST,
  BODY_STATIC,
  BODY_USED,
  CCD_CARRIED,
  CCD_CORE,
  CCD_HELD,
  CCD_HIT,
  CCD_IN_THE_WAY,
  CCD_LIMIT,
  CCD_STOPPED,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_BEGUN,
  PAIR_SENSOR,
  PAIR_STRUCK,
  PAIR_TOUCHING,
  SHAPE_CARRIES,
  SHAPE_ONE_WAY,
  SHAPE_PLANE,
} from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import {
  Body,
  CcdBody,
  ContactBlock,
  ContactPointWide,
  ManifoldResult,
  Motion,
  Pair,
} from '../memory/records';
import {
  blockAt,
  bodyAt,
  moveOn,
  pairAt,
  pointAt,
  shapeAt,
  velocityAt,
  waitingAt,
  world,
} from '../memory/tables';
import { Shapes } from '../memory/values';
import { addChoice, chooseFour, clippedAt, Label } from '../narrowphase/clip';
import { collideConcave } from '../narrowphase/concave';
import { collideAtRest } from '../narrowphase/dispatch';
import {
  addPoint,
  leastSeparation,
  manifoldFeature,
  manifoldPoint,
  manifoldSeparation,
} from '../narrowphase/manifold';
import { clusterMaterial, clusterNormal, writeCluster } from '../narrowphase/surfaceClusters';
import { LOOK_BYTES, Look } from '../narrowphase/surfacePoints';
import { context } from '../solver/context';
import { surfaceVelocityAt } from '../solver/conveyance';
import {
  FAR_TURN,
  IMPACT_ALIGNED,
  IMPACT_GAP,
  IMPACT_RESTS,
  IMPACT_TOGETHER,
  INFINITE,
  LOST_SQUARED,
  RATTLING,
  SUNK,
  TOUCH,
} from '../tolerances';
import { closeJoints } from './closeJoints';
import { Colliding, collideTwo, ImpactLaw, impactImpulse, Moving } from './collideTwo';
import { carries, MARKED, MOST_SENSED, sensedPair, struckMaterial, struckPart } from './pairImpact';
import { advanceTo, angularAt, bodyMotion, linearAt } from './path';
import { findImpact, findSensors, lookAmongAwake, markInTheWay } from './sweep';

/**
 * Most impacts of one body in one step, counted as below. After them the body stays in place for the rest of the step.
 */
const MOST_IMPACTS: i32 = 24;
/** From this impact on a body has no restitution and collides with all points of its manifold ... */
const CAUGHT: i32 = 8;
/** ... and from this one on it does not rotate in the rest of the step, and slides along the surfaces it hits. */
const SLIDES: i32 = 12;

const RESULT: usize = memory.data(offsetof<ManifoldResult>(), 16);
/** Of one of several pairs of an impact. */
const EACH: usize = memory.data(offsetof<ManifoldResult>(), 16);
/** Points of all pairs of an impact: position, separation in lane 3, index of the pair, friction, restitution. */
const JOINED: usize = memory.data(32 * 64, 16);
const MOST_JOINED: i32 = 64;
/** What does not move has no motion, turn or sides: these stay 0. */
const LOOK: usize = memory.data(LOOK_BYTES, 16);
const MOVING_A: usize = memory.data(offsetof<Moving>(), 16);
const MOVING_B: usize = memory.data(offsetof<Moving>(), 16);
const LAW: usize = memory.data(offsetof<ImpactLaw>(), 16);
const MOTION: usize = memory.data(offsetof<Motion>(), 16);

export function solveContinuous(dt: f32): void {
  const g = world();
  g.impactCount = 0;
  g.clampCount = 0;
  lookAmongAwake();
  listWhatKinematicsMeet();
  const count = g.ccdCount;
  for (let i = 0; i < count; i++) begin(ccdBodyAt(i));
  store<i32>(PENDING, -1);
  // Of kinematic bodies: see listWhatKinematicsMeet.
  for (let i = 0; i < count; i++) if (bodyAt(ccdBodyAt(i).slot).type == BODY_DYNAMIC) findNext(i);
  while (true) {
    const i = earliest();
    if (i < 0) break;
    meetAt(i, dt);
  }
  const swept = g.ccdCount;
  for (let i = 0; i < swept; i++) finish(i);
  closeJoints(swept);
  for (let i = 0; i < swept; i++) bodyAt(ccdBodyAt(i).slot).flags &= ~BODY_HIT;
}

/**
 * Kinematic bodies never stop, so the dynamic bodies in their way are swept instead. They are listed in the order of
 * bodies, which does not depend on the trees.
 */
function listWhatKinematicsMeet(): void {
  const g = world();
  const count = g.ccdCount;
  let found = false;
  for (let i = 0; i < count; i++)
    if (bodyAt(ccdBodyAt(i).slot).type != BODY_DYNAMIC && markInTheWay(ccdBodyAt(i))) found = true;
  if (!found) return;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED) || b.ccdIndex != MARKED) continue;
    b.ccdIndex = 0;
    enter(b, 0).flags = CCD_IN_THE_WAY;
  }
}

/** Adds an entry for the body, with its path from fraction `time` on. */
function enter(b: Body, time: f32): CcdBody {
  const m = changetype<Motion>(MOTION);
  bodyMotion(b, time, m);
  const linear = linearAt(b, time);
  const angular = angularAt(b);
  const e = addCcdBody(b);
  e.position = m.position;
  e.rotation = m.rotation;
  e.delta = m.delta;
  e.turn = m.turn;
  e.time = time;
  e.linear = linear;
  e.angular = angular;
  return e;
}

/** Head of the list of entries that have had a next impact in this step: see CcdBody.nextPending. */
const PENDING: usize = memory.data(4, 4);

/** Finds the next impact of entry i. Entries that have one are listed, since most have none. */
function findNext(i: i32): void {
  const e = ccdBodyAt(i);
  if (e.flags & CCD_STOPPED) return;
  findImpact(e);
  if (e.next > 1 || e.nextPending != 0) return;
  e.nextPending = load<i32>(PENDING);
  store<i32>(PENDING, i + 1);
}

/** Index of the entry with the earliest impact, the first of equals; -1 if none has an impact. */
function earliest(): i32 {
  let best = 0;
  let time: f32 = 2;
  for (let k = load<i32>(PENDING); k > 0; ) {
    const e = ccdBodyAt(k - 1);
    if (e.next < time || (e.next == time && k < best)) {
      best = k;
      time = e.next;
    }
    k = e.nextPending;
  }
  return time > 1 ? -1 : best - 1;
}

/** Sets the velocity at the start of the path and its change over the step. */
function begin(e: CcdBody): void {
  const b = bodyAt(e.slot);
  const v = velocityAt(e.slot);
  e.linear = v.linear;
  e.angular = v.angular;
  if (b.type != BODY_DYNAMIC || b.awakeIndex < 0) return;
  e.acceleration = sub(v.linear, v.startLinear);
  // A change larger than that by forces comes from an impact that contacts have solved, usually at the start of the
  // step.
  const smooth = <f32>1.1 * max<f32>(length(v.forceLinear) * <f32>context().substeps, <f32>1e-3);
  if (b.constraintCount > 0 && lengthSquared(e.acceleration) > smooth * smooth) e.acceleration = zero();
  e.linear = sub(v.linear, e.acceleration);
  if (b.constraintCount > 0) e.flags |= CCD_HELD;
}

/** Whether impacts move a body, which is awake if it can be woken: not if its simulation is disabled. */
function yields(b: Body): bool {
  return b.type == BODY_DYNAMIC && b.awakeIndex >= 0;
}

/** Entry of a body that a CCD body has hit and that yields; created if there is room. */
function entryOf(b: Body, time: f32): i32 {
  if (!yields(b)) return -1;
  if (b.ccdIndex == 0) enter(b, time);
  return b.ccdIndex - 1;
}

/** Updates the inverse inertia of a rotated body. Sleeping and non-dynamic bodies keep theirs. */
function turnInertia(b: Body): void {
  if (yields(b) && !(b.flags & BODY_ISOTROPIC)) updateWorldInertia(b);
}

/** Moves the body to its place at fraction `time` of the step. */
function placeAt(b: Body, time: f32): void {
  const m = changetype<Motion>(MOTION);
  bodyMotion(b, time, m);
  b.position = m.position;
  b.rotation = m.rotation;
  turnInertia(b);
  placeShapes(b);
}

/** Resolves the next impact of entry i. */
function meetAt(i: i32, dt: f32): void {
  const g = world();
  const time = ccdBodyAt(i).next;
  const shape = ccdBodyAt(i).shape;
  const other = ccdBodyAt(i).other;
  const slot = ccdBodyAt(i).slot;
  const otherSlot = shapeAt(other).body;
  if (ccdBodyAt(i).flags & CCD_LIMIT) return goOnFree(i, time);
  g.impactCount++;
  wakeBody(slot); // it may sleep in the way of a kinematic body
  wakeBody(otherSlot);
  const theirs = entryOf(bodyAt(otherSlot), time);
  settle(i, time);
  if (theirs >= 0) settle(theirs, time);
  const keptPosition = bodyAt(otherSlot).position; // of a body that is not swept
  const keptRotation = bodyAt(otherSlot).rotation;
  placeAt(bodyAt(slot), time);
  if (bodyAt(otherSlot).awakeIndex >= 0) placeAt(bodyAt(otherSlot), time);

  const index = pairOf(shape, other);
  const pair = pairAt(index);
  const m = manifoldOf(ccdBodyAt(i), index);
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  const movingA = changetype<Moving>(MOVING_A);
  const movingB = changetype<Moving>(MOVING_B);
  movingA.linear = linearAt(a, time);
  movingA.angular = angularAt(a);
  movingB.linear = linearAt(b, time);
  movingB.angular = angularAt(b);
  const both = new Colliding(a, b, movingA, movingB);
  const law = changetype<ImpactLaw>(LAW);
  if (ccdBodyAt(i).impacts >= CAUGHT) law.restitution = zero();
  law.threshold = g.restitutionThreshold;
  law.surface = surfaceVelocityAt(pair, ccdBodyAt(i).point);
  law.rest = max<f32>(<f32>1e-6, (<f32>1 - time) * dt);
  if (collideTwo(both, m, law) == 0) {
    // The manifold misses the contact: use the point of the sweep.
    v128.store(TOUCHED, ccdBodyAt(i).normal);
    m.normal = shape == pair.shapeA ? ccdBodyAt(i).normal : neg(ccdBodyAt(i).normal);
    m.count = 0;
    addPoint(m, ccdBodyAt(i).point, leastSeparation(m), index);
    collideTwo(both, m, law);
  }
  const least = leastSeparation(m);
  reportPairs(slot, m);
  const bothMove = yields(a) && yields(b);
  const most = IMPACT_GAP + length(ccdBodyAt(i).contactOffset);
  const room = min(max<f32>(0, IMPACT_GAP - least), most) * (bothMove ? <f32>0.5 : <f32>1);
  const n = m.normal;
  if (yields(a)) goOn(ccdBodyAt(a.ccdIndex - 1), movingA, new Obstacle(b, movingB, neg(n), room), dt);
  if (yields(b)) goOn(ccdBodyAt(b.ccdIndex - 1), movingB, new Obstacle(a, movingA, n, room), dt);
  const still = bodyAt(otherSlot);
  if (still.type != BODY_DYNAMIC && still.awakeIndex >= 0) {
    still.position = keptPosition;
    still.rotation = keptRotation;
    placeShapes(still);
  }
  // Search again for the two bodies and for all whose next impact is with a body whose path changed.
  ccdBodyAt(i).next = 2;
  if (theirs >= 0) ccdBodyAt(theirs).next = 2;
  for (let k = load<i32>(PENDING); k > 0; ) {
    const e = ccdBodyAt(k - 1);
    const meets = shapeAt(e.other).body;
    if (e.next <= 1 && (meets == slot || (theirs >= 0 && meets == otherSlot))) findNext(k - 1);
    k = e.nextPending;
  }
  findNext(i);
  if (theirs >= 0) findNext(theirs);
}

/** The path is known to be free up to `time`; sweep it again from there on. */
function goOnFree(i: i32, time: f32): void {
  settle(i, time);
  const e = ccdBodyAt(i);
  if (++e.impacts > MOST_IMPACTS) stop(e);
  findNext(i);
}

/** Whether an impact of bodies of extreme sizes gave NaN or 100 times the speed at which a body is lost. */
function isWild(m: Moving): bool {
  const sum = f32x4.add(f32x4.mul(m.linear, m.linear), f32x4.mul(m.angular, m.angular));
  return !v128.all_true<i32>(f32x4.le(sum, f32x4.splat(<f32>1e4 * LOST_SQUARED)));
}

/** Stops the body where the impact found it. Its contacts are cleared at the end of the step (placeLost). */
function lose(e: CcdBody, b: Body): void {
  e.linear = zero();
  e.angular = zero();
  e.acceleration = zero();
  b.flags |= BODY_LOST;
  world().lostCount++;
  halt(e);
}

/**
 * After too many impacts: the body stays in place for the rest of the step. If a kinematic body hit it, its place is that on
 * this body, which would pass it otherwise: a drum lost what rattled along its wall. If something else is in the way there, it
 * stops there.
 */
function stop(e: CcdBody): void {
  if (!(e.flags & CCD_CARRIED)) world().clampCount++;
  if (e.carrier != 0 && !(e.flags & CCD_CARRIED)) goWith(e, bodyAt(e.carrier));
  else halt(e);
}

/** The body goes on as a part of its carrier. */
function goWith(e: CcdBody, carrier: Body): void {
  const m = changetype<Motion>(MOTION);
  bodyMotion(carrier, e.time, m);
  const r = sub(e.position, m.position);
  e.delta = add(m.delta, sub(rotate(turn(identityQuat(), m.turn), r), r));
  e.turn = m.turn;
  e.flags |= CCD_CARRIED;
  noteWay(e);
}

/** Its bounds follow a changed path. */
function noteWay(e: CcdBody): void {
  const b = bodyAt(e.slot);
  const turning = length(e.turn) * b.boundingRadius;
  b.travel += <f64>(length(e.delta) + turning);
  moveOn(b.slot, zero(), turning);
}

function halt(e: CcdBody): void {
  e.flags |= CCD_STOPPED;
  e.delta = zero();
  e.turn = zero();
  e.next = 2;
}

/** Finds sensors up to `time`, then moves the start of the path there. */
function settle(i: i32, time: f32): void {
  sense(i, time);
  const e = ccdBodyAt(i);
  if (e.flags & CCD_HIT && time - e.time < RATTLING) e.impacts += 2;
  advanceTo(e, time);
  const b = bodyAt(e.slot);
  // The velocity is that at the end of the step. It must be rotated with the body, or a rod that spins about its length
  // would get an equally fast spin across it.
  if (!(e.flags & CCD_HIT) && !(b.flags & BODY_ISOTROPIC))
    e.angular = rotate(mulQuat(e.rotation, conjugate(b.rotation)), e.angular);
  e.flags |= CCD_HIT;
}

function sense(i: i32, until: f32): void {
  while (true) {
    const count = findSensors(ccdBodyAt(i), until);
    for (let k = 0; k < count; k++) {
      const key = sensedPair(k);
      const index = pairOf(<i32>(key >> 32), <i32>key);
      report(index, changetype<ManifoldResult>(0), 0);
    }
    if (count < MOST_SENSED) return;
  }
}

/** Index of the record of two shapes, which is created if there is none. */
function pairOf(s: i32, o: i32): i32 {
  const a = min(s, o);
  const b = max(s, o);
  const index = pairSetFind(a, b);
  return index >= 0 ? index : createPair(a, b);
}

/**
 * The points that take part in the impact, with their coefficients in the law. What lands flat on several feet, or across
 * several tiles, hits with all of them at once: of the body's pairs with the same body, or with static ones, those with
 * the same normal. The outermost four points are left; their features are the indices of their pairs.
 */
function manifoldOf(e: CcdBody, index: i32): ManifoldResult {
  const struck = shapeAt(e.other);
  const fixed = bodyAt(struck.body).type == BODY_STATIC;
  let count = addPair(e, index, 0);
  for (let link = e.flags & CCD_CORE ? -1 : bodyAt(e.slot).firstPair; link >= 0; ) {
    const k = link >> 1;
    const p = pairAt(k);
    const isB = link & 1;
    link = isB ? p.nextB : p.nextA;
    const other = shapeAt(isB ? p.shapeA : p.shapeB);
    if (other.body != struck.body && !(fixed && bodyAt(other.body).type == BODY_STATIC)) continue;
    if (k == index || p.flags & PAIR_SENSOR) continue;
    if (other.slot != e.other && (other.flags | struck.flags) & (SHAPE_CARRIES | SHAPE_ONE_WAY)) continue;
    count = addPair(e, k, count);
  }
  for (let i = 0; i < count; i++) {
    const p = v128.load(JOINED + ((<usize>i) << 5));
    addChoice(i, f32x4.replace_lane(p, 3, 0), w(p), new Label(0, i));
  }
  const m = changetype<ManifoldResult>(RESULT);
  const n = v128.load(TOUCHED);
  count = chooseFour(count, n, 0);
  m.count = 0;
  m.normal = pairAt(index).bodyA == e.slot ? n : neg(n);
  for (let i = 0; i < count; i++) {
    const at = JOINED + ((<usize>load<i32>(clippedAt(i), 20)) << 5);
    const p = v128.load(at);
    addPoint(m, f32x4.replace_lane(p, 3, 0), w(p), load<i32>(at, 16));
    const law = LAW + ((<usize>i) << 2);
    store<f32>(law, load<f32>(at, 20), offsetof<ImpactLaw>('friction'));
    store<f32>(law, load<f32>(at, 24), offsetof<ImpactLaw>('restitution'));
  }
  return m;
}

/** Normal of the impact, away from the swept body, and the largest separation of its points. */
const TOUCHED: usize = memory.data(32, 16);

/**
 * Adds the points of a pair to JOINED, unless there are others and it has another normal; returns their number. The first
 * pair is the one that the sweep found. For a body that has had many impacts in this step it has also the points that
 * could be next.
 */
function addPair(e: CcdBody, index: i32, count: i32): i32 {
  const pair = pairAt(index);
  const isB = pair.bodyA != e.slot;
  const own = shapeAt(isB ? pair.shapeB : pair.shapeA);
  const other = shapeAt(isB ? pair.shapeA : pair.shapeB);
  const each = changetype<ManifoldResult>(EACH);
  const first = count == 0;
  const caught = first && e.impacts >= CAUGHT;
  const reach = caught ? max<f32>(<f32>2 * TOUCH, bodyAt(e.slot).innerRadius) : <f32>2 * TOUCH;
  if (first) v128.store(TOUCHED, e.normal);
  const n = v128.load(TOUCHED);
  each.count = 0;
  let material = -1;
  if (!(e.flags & CCD_CORE)) {
    if (other.type > SHAPE_PLANE) material = collideSurface(new Shapes(own, other), n, reach, each);
    if (each.count == 0 && (first || other.type <= SHAPE_PLANE))
      collideAtRest(new Shapes(own, struckPart(own, other, e.triangle)), reach, each);
  }
  if (first) {
    material = struckMaterial(other, e.triangle);
    if (each.count == 0) {
      each.normal = n;
      addPoint(each, e.point, IMPACT_GAP, 0);
    }
    v128.store(TOUCHED, each.normal);
    store<f32>(TOUCHED, caught ? INFINITE : leastSeparation(each) + IMPACT_TOGETHER, 16);
  } else if (each.count == 0 || dot(each.normal, n) < IMPACT_ALIGNED) return count;
  // The pair of a surface has no material of its own: snapshots do not keep it.
  setPairMaterial(pair, material + 1);
  for (let i = 0; i < each.count && count < MOST_JOINED; i++) {
    const separation = manifoldSeparation(each, i);
    if (separation > load<f32>(TOUCHED, 16)) continue;
    const at = JOINED + ((<usize>count) << 5);
    v128.store(at, f32x4.replace_lane(manifoldPoint(each, i), 3, separation));
    store<i32>(at, index, 16);
    store<f32>(at, pair.friction, 20);
    store<f32>(at, pair.restitution, 24);
    count++;
  }
  setPairMaterial(pair, 0);
  return count;
}

/** Reports the impact to each of its pairs, with impulses in place of the features, as the record of the event reads them. */
function reportPairs(slot: i32, m: ManifoldResult): void {
  const each = changetype<ManifoldResult>(EACH);
  for (let i = 0; i < m.count; i++) {
    const k = <i32>manifoldFeature(m, i);
    if (k < 0) continue;
    each.count = 0;
    const n = v128.load(TOUCHED);
    each.normal = pairAt(k).bodyA == slot ? n : neg(n);
    let impulse: f32 = 0;
    for (let j = i; j < m.count; j++) {
      if (manifoldFeature(m, j) != k) continue;
      store<i32>(changetype<usize>(m) + offsetof<ManifoldResult>('feature0') + ((<usize>j) << 2), -1);
      addPoint(each, manifoldPoint(m, j), manifoldSeparation(m, j), reinterpret<u32>(impactImpulse(j)));
      impulse += impactImpulse(j);
    }
    report(k, each, impulse);
  }
}

/**
 * A shape that lands flat on a mesh hits all triangles below it, not only the first. Writes the manifold whose normal is
 * closest to that of the impact; returns its material if materials have their own coefficients, otherwise −1.
 */
function collideSurface(shapes: Shapes, n: v128, reach: f32, m: ManifoldResult): i32 {
  const look = changetype<Look>(LOOK);
  look.ahead = zero();
  look.turn = zero();
  look.turning = 0;
  look.mostTilt = FAR_TURN;
  look.sunk = SUNK;
  look.margin = reach;
  look.still = reach;
  look.near = reach;
  look.together = IMPACT_ALIGNED;
  look.sides = 0;
  const clusters = collideConcave(shapes.a, shapes.b, look, m);
  let most = IMPACT_ALIGNED;
  let found = -1;
  for (let k = 0; k < clusters; k++) {
    const along = dot(clusterNormal(k), n);
    if (along <= most) continue;
    most = along;
    found = k;
  }
  m.count = 0;
  if (found < 0) return -1;
  writeCluster(found, 0, m);
  return clusterMaterial(found);
}

/** The contact begins; if the solver has a lane for it, its impulse is increased. `m` is 0 for a sensor. */
function report(index: i32, m: ManifoldResult, impulse: f32): void {
  const pair = pairAt(index);
  const pushes = changetype<usize>(m) == 0 || impulse > 0;
  if (pair.flags & PAIR_TOUCHING) {
    if (changetype<usize>(m) == 0) return;
    const lane = pair.firstChild < 0 ? pair : mostAlong(pair, m.normal);
    if (lane.list == LIST_SOLVED) {
      const at = changetype<usize>(pointAt(blockAt(lane.index >> 2), 0)) + ((<usize>(lane.index & 3)) << 2);
      const total = offsetof<ContactPointWide>('totalImpulse');
      store<f32>(at + total, load<f32>(at + total) + impulse);
    }
    if (pair.flags & PAIR_BEGUN) return;
  } else {
    if (pair.flags & PAIR_STRUCK) endContact(pair); // the bodies separated and collided again within the step
    pair.flags |= PAIR_STRUCK;
    if (pair.list == LIST_WAITING) waitingAt(pair.index).gap = 0;
  }
  if (!pushes) return;
  markBegun(pair);
  recordImpact(pair, m);
}

/** The manifold of the pair whose normal is closest to that of the impact. */
function mostAlong(pair: Pair, n: v128): Pair {
  let best: f32 = -2;
  let found = pairAt(pair.firstChild);
  for (let i = pair.firstChild; i >= 0; i = pairAt(i).next) {
    const child = pairAt(i);
    if (child.list != LIST_SOLVED) continue;
    const at = changetype<usize>(blockAt(child.index >> 2)) + ((<usize>(child.index & 3)) << 2);
    const along = dot(get3(at + offsetof<ContactBlock>('normalX')), n);
    if (along <= best) continue;
    best = along;
    found = child;
  }
  return found;
}

/** The other body of an impact. @value */
class Obstacle {
  body: Body;
  moving: Moving;
  normal: v128; // away from it
  room: f32; // m, its distance
}

/** Continues the rest of the step with the velocity after the impact. */
function goOn(e: CcdBody, own: Moving, other: Obstacle, dt: f32): void {
  const n = other.normal;
  const b = bodyAt(e.slot);
  e.linear = own.linear;
  e.angular = own.angular;
  b.sleepTime = 0;
  if (isWild(own)) return lose(e, b);
  if (carries(other.body)) e.carrier = other.body.slot;
  e.position = addScaled(e.position, n, other.room);
  const rest = <f32>1 - e.time;
  if (++e.impacts > MOST_IMPACTS) return stop(e);
  // A body that stays on a body that cannot be pushed is not accelerated into it.
  if (!yields(other.body) && dot(sub(own.linear, other.moving.linear), n) < IMPACT_RESTS) {
    const pull = dot(e.acceleration, n);
    if (pull < 0) e.acceleration = addScaled(e.acceleration, n, -pull);
  }
  e.delta = scale(addScaled(e.linear, e.acceleration, <f32>0.5 * rest), rest * dt);
  e.turn = scale(e.angular, rest * dt);
  if (e.impacts > SLIDES) slide(e, n, scale(other.moving.linear, rest * dt));
  noteWay(e);
}

/**
 * A body that still collides after so many impacts rolls or rattles over a surface. The rest of its path goes along the
 * surface, or along the edge of two surfaces; three surfaces stop it.
 */
function slide(e: CcdBody, n: v128, carried: v128): void {
  e.turn = zero();
  let way = sub(e.delta, carried);
  const into = dot(way, n);
  if (into < 0) way = addScaled(way, n, -into);
  const before = e.slides;
  if (lengthSquared(before) > 0 && dot(way, before) < 0) {
    const corner = cross(n, before);
    const l2 = lengthSquared(corner);
    if (l2 < <f32>1 - IMPACT_ALIGNED * IMPACT_ALIGNED) return stop(e); // they face each other: no edge
    way = scale(corner, dot(way, corner) / l2);
  }
  e.slides = n;
  e.delta = add(way, carried);
}

/** Writes the body at the end of its path, and marks it if an impact moved it away from its joints. */
function finish(i: i32): void {
  sense(i, 1);
  const e = ccdBodyAt(i);
  const b = bodyAt(e.slot);
  b.ccdIndex = 0;
  if (!(e.flags & CCD_HIT)) return;
  const v = velocityAt(e.slot);
  const rest = e.time < 1 ? <f32>1 - e.time : 0;
  b.position = add(e.position, e.delta);
  b.rotation = turn(e.rotation, e.turn);
  moveOn(b.slot, sub(b.position, e.plannedPosition), 0);
  v.linear = e.flags & CCD_STOPPED ? e.linear : addScaled(e.linear, e.acceleration, rest);
  v.angular = e.angular;
  if (!world().sleepingEnabled) startRest(b);
  turnInertia(b);
  b.slack = -1;
  placeShapes(b);
  publishPose(b);
  if (b.firstJoint == 0 || b.type != BODY_DYNAMIC || b.awakeIndex < 0) return;
  b.flags |= BODY_HIT;
  e.delta = sub(b.position, e.plannedPosition);
  const turned = mulQuat(b.rotation, conjugate(e.plannedRotation));
  e.turn = rotationVector(w(turned) < 0 ? neg(turned) : turned);
}
