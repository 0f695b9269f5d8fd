// Prepares contact blocks for the substeps. In: manifolds in their contact frames, bodies. Out: effective masses,
// softness, and warm starting with the impulses of the last step.
//
// All points of a manifold share one normal and lie close to one plane. The effect of their normal impulses on the two
// bodies therefore depends on three components of the relative motion at the manifold's centre: the speed along n and
// the angular speeds about t1 and t2. With d = a·t1 + b·t2 the offset of a point,
// vₙ(point) = vₙ + d × … = uN + b·u1 − a·u2,   g = (1, b, −a),   1/mass = gᵀ K g
// where K is the 3×3 response of (uN, u1, u2) to unit impulses along the same directions.

import { keepsRattling } from '../bodies/rattling';
import { addScaled, length, splat, zero } from '../math/vector';
import {
  addDotW,
  crossW,
  dotW,
  gatherSymW,
  gatherW,
  maskW,
  perAxisW,
  planeMass,
  Sym2W,
  scatterW,
  Vec2W,
  Vec3W,
} from '../math/wide';
import {
  BODY_BEARS,
  OVERFLOW_COLOR,
  SPECIAL_KINEMATIC,
  TALL_NEW_SHIFT,
  TALL_SHIFT,
  TALL_TOGETHER_SHIFT,
} from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, Body, ContactBlock, ContactPointWide } from '../memory/records';
import {
  blockAt,
  blockHandle,
  blockOf,
  bodyAt,
  colorAt,
  metaAt,
  metaOf,
  pointAt,
  setWord,
  wordAt,
  world,
} from '../memory/tables';
import { bodiesAt, velocitiesAt } from '../memory/wide';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { ARM_RESPONSE, LEAST_RESPONSE } from '../tolerances';
import { endOfContacts, firstContactOf, manifoldOf, sideOf } from './contactsOf';
import { context } from './context';
import { storeSurface } from './conveyance';
import { tumbles } from './gyroscopic';
import { mayBear } from './joints/table';
import { pushHandle } from './lanes';
import { lists } from './lists';
import { loadOf, makeFirm, pushHighRatio } from './massRatio';
import { SHARED_BLOCKS } from './solve';
import { pushTowerBlock } from './towers';

export function prepareContacts(): void {
  world().newBlockCount = 0;
  world().highRatioCount = 0;
  world().towerBlockCount = 0;
  prepareColor(OVERFLOW_COLOR);
  for (let c = 0; c < OVERFLOW_COLOR; c++) prepareColor(c);
}

function prepareColor(c: i32): void {
  const color = colorAt(c);
  if (THREADED && c != OVERFLOW_COLOR && forks(color.count, SHARED_BLOCKS)) return prepareTogether(c);
  for (let i = 0; i < color.count; i++) {
    const block = blockOf(color, i);
    prepareBlock(block, metaOf(color, i), true);
    if (block.isNew) pushHandle(blockHandle(c, i));
    else if (block.highRatioLanes) pushLoaded(block, blockHandle(c, i));
  }
}

/** The same on several threads; what goes into lists is merged in the order of the blocks. */
function prepareTogether(c: i32): void {
  const count = colorAt(c).count;
  const found = outcomes(count);
  fork(prepareSome, c, 0, count);
  for (let i = 0; i < count; i++) {
    const outcome = load<i32>(found + ((<usize>i) << 2));
    if (outcome == NEW_BLOCK) pushHandle(blockHandle(c, i));
    else if (outcome == LOADED) pushLoaded(blockOf(colorAt(c), i), blockHandle(c, i));
  }
}

const NEW_BLOCK = 1;
const LOADED = 2;

/** A part of a colour, in the threaded core. */
function prepareSome(from: i32, to: i32, c: i32, _: i32): void {
  const color = colorAt(c);
  const found = outcomes(0);
  for (let i = from; i < to; i++) {
    const block = blockOf(color, i);
    prepareBlock(block, metaOf(color, i), true);
    const outcome = block.isNew ? NEW_BLOCK : block.highRatioLanes ? LOADED : 0;
    store<i32>(found + ((<usize>i) << 2), outcome);
  }
}

// In which list a block is, for the rest of the step: bits of ContactBlock.isNew.
const IN_TURNING = 1;
const IN_NEW_BLOCKS = 2;
const IN_REPEATED = 4;

/** For a body that has rotated far within the step: the effective masses of its contacts must follow, too. */
export function prepareContactsOf(b: Body): void {
  listContactsOf(b, IN_NEW_BLOCKS);
}

/** Adds the blocks of the body's contacts to a list, unless they are there already. */
function listContactsOf(b: Body, why: i32): void {
  for (let entry = firstContactOf(b.slot), end = endOfContacts(b.slot); entry < end; entry += 4)
    listBlock(manifoldOf(entry) >> 2, why);
}

function listBlock(handle: i32, why: i32): void {
  const block = blockAt(handle);
  if (block.isNew & why) return;
  block.isNew |= why;
  const l = lists();
  if (why == IN_REPEATED) setWord(<u32>l.repeated, l.repeatedCount++, handle);
  else if (why == IN_TURNING) setWord(<u32>l.turning, l.turningCount++, handle);
  else pushHandle(handle);
}

/**
 * After the rotation of bodies in a substep. Impulses must act on the current inertia of a body, or they change the
 * angular momentum. The effective masses of its contacts may be those of the step's start unless it has rotated far, since
 * the passes correct what they miss.
 */
export function followTurning(): void {
  const l = lists();
  for (; l.followed < l.gyroscopicCount; l.followed++) {
    const b = bodyAt(wordAt(<u32>l.gyroscopic, l.followed));
    if (tumbles(b)) listContactsOf(b, IN_TURNING);
  }
  const turning = l.turningCount;
  if (THREADED && forks(turning, SHARED_BLOCKS)) fork(loadSome, 0, 0, turning);
  else loadSome(0, turning, 0, 0);
  const count = world().newBlockCount;
  if (THREADED && forks(count, SHARED_BLOCKS)) fork(prepareAgain, 0, 0, count);
  else prepareAgain(0, count, 0, 0);
  world().newBlockCount = 0;
}

/** After the last substep. */
export function forgetLists(): void {
  const l = lists();
  for (let i = 0; i < l.turningCount; i++) blockAt(wordAt(<u32>l.turning, i)).isNew = 0;
  for (let i = 0; i < l.repeatedCount; i++) blockAt(wordAt(<u32>l.repeated, i)).isNew = 0;
  if (l.bearing == 0) return;
  for (let i = 0; i < l.constrainedCount; i++) bodyAt(wordAt(<u32>l.constrained, i)).flags &= ~BODY_BEARS;
}

/** Most blocks that are solved again, in addition to a share of the world's contacts. */
const REPEATED = 48;

/** Lists the contacts of bodies that vibrate at rest (bodies/rattling.ts): the more persistent ones first, as far as it may cost. */
export function listRattling(): void {
  const l = lists();
  const most = REPEATED + (world().contactCount >> 7);
  listRattlingBodies(true, most);
  l.persistentCount = l.repeatedCount;
  if (world().activeJointCount > 0) listBearing(most);
  listRattlingBodies(false, most);
}

/**
 * Lists the contacts of jointed bodies that bear many times their weight for what is joined to them, as wheels do. A pass passes
 * on no more than the weight of such a body, and the load, which takes several substeps to change, threw a cart of 1 t on wheels
 * of 20 kg up by centimetres, again and again; and a waggon of 12 t on bogies of 2 t on axles of 0.8 t, none of which holds
 * one that is eight times as heavy.
 */
function listBearing(most: i32): void {
  const l = lists();
  for (let i = 0; i < l.constrainedCount && l.repeatedCount < most; i++) {
    const b = bodyAt(wordAt(<u32>l.constrained, i));
    if (b.firstJoint == 0 || !mayBear(b) || !bears(b)) continue;
    b.flags |= BODY_BEARS;
    l.bearing = 1;
    listContactsOf(b, IN_REPEATED);
  }
}

/** Whether contacts push the body with many times its weight. What passes through it, from contact to contact, does not count. */
function bears(b: Body): bool {
  let push = zero();
  for (let entry = firstContactOf(b.slot), end = endOfContacts(b.slot); entry < end; entry += 4) {
    const c = blockAt(manifoldOf(entry) >> 2);
    const lane = (<usize>(manifoldOf(entry) & 3)) << 2;
    const sum: f32 = sideOf(entry) ? 1 : -1;
    let load: f32 = 0;
    for (let k = 0; k < c.maxPoints; k++) load += laneFloat(changetype<usize>(pointAt(c, k)) + lane);
    push = addScaled(push, get3(changetype<usize>(c) + lane + offsetof<ContactBlock>('normalX')), sum * load);
  }
  return length(push) > context().towerLoad * b.mass;
}

function laneFloat(at: usize): f32 {
  return load<f32>(at, offsetof<ContactPointWide>('impulse'));
}

function listRattlingBodies(persistent: bool, most: i32): void {
  const l = lists();
  for (let i = 0; i < l.rattlingCount && l.repeatedCount < most; i++) {
    const b = bodyAt(wordAt(<u32>l.rattling, i));
    if (keepsRattling(b) == persistent) listContactsOf(b, IN_REPEATED);
  }
}

function loadSome(from: i32, to: i32, _: i32, __: i32): void {
  const turning = <u32>lists().turning;
  for (let i = from; i < to; i++) loadContactInertias(blockAt(wordAt(turning, i)));
}

function prepareAgain(from: i32, to: i32, _: i32, __: i32): void {
  for (let i = from; i < to; i++) {
    const handle = wordAt(world().newBlocks, i);
    const block = blockAt(handle);
    block.isNew &= ~IN_NEW_BLOCKS;
    prepareBlock(block, metaAt(handle), false);
    if (block.highRatioLanes & ((1 << TALL_TOGETHER_SHIFT) - 1)) makeFirm(block);
  }
}

/** A block with a high mass ratio, or with contacts that may belong to a tower. */
function pushLoaded(block: ContactBlock, handle: i32): void {
  if (block.highRatioLanes & 15) pushHighRatio(handle);
  if (block.highRatioLanes >> TALL_SHIFT) pushTowerBlock(handle);
}

/** With `first` false the block is prepared again within the step, for a changed inertia. @wide */
function prepareBlock(c: ContactBlock, meta: BlockMeta, first: bool): void {
  const a = bodiesAt(c.bodyA);
  const b = bodiesAt(c.bodyB);
  c.invMassA = gatherW(a.invMass);
  c.invMassB = gatherW(b.invMass);
  loadContactInertias(c);
  const t2 = crossW(c.normal, c.tangent);
  prepareNormals(c, meta, t2);
  prepareFriction(c, t2);
  prepareSoftness(c);
  if (!first) return;
  shareArms(c, meta);
  if (c.special & SPECIAL_KINEMATIC) storeSurface(c, meta);
  warmStart(c, meta, t2);
}

/**
 * How the lever arms follow the motion of two dynamic bodies within the step. Impulses keep the angular momentum only if
 * they act at one point on both bodies. With a curved shape this point moves with the centre of the curved one, whose arms
 * stay: a ball without friction must not get a spin. Between others it moves rather with the lighter body. Two curved
 * shapes keep their arms. @inline @wide
 */
function shareArms(c: ContactBlock, meta: BlockMeta): void {
  const mA = c.invMassA;
  const mB = c.invMassB;
  const a = mA.x + mA.y + mA.z;
  const b = mB.x + mB.y + mB.z;
  const none = zero();
  const tiny = splat(1e-20);
  const follow = v128.and(
    v128.and(f32x4.gt(a, none), f32x4.gt(b, none)),
    i32x4.ne(meta.curved, i32x4.splat(3)),
  );
  const byMass = b / f32x4.pmax(a + b, tiny);
  const byCurve = v128.bitselect(none, splat(1), i32x4.eq(meta.curved, i32x4.splat(1)));
  const shareA = v128.and(v128.bitselect(byMass, byCurve, i32x4.eq(meta.curved, i32x4.splat(0))), follow);
  const shareB = v128.and(splat(1) - shareA, follow);
  c.armShareA = shareA;
  c.armShareB = shareB;
  // The effective masses belong to the arms of the step's start, so these must not become much longer.
  const iA = c.inertiaA;
  const iB = c.inertiaB;
  const turning = (iA.xx + iA.yy + iA.zz) * shareA * shareA + (iB.xx + iB.yy + iB.zz) * shareB * shareB;
  c.mostFollowed = f32x4.sqrt((splat(ARM_RESPONSE) * f32x4.pmin(a, b)) / f32x4.pmax(turning, tiny));
  c.moment = new Vec3W(none, none, none);
}

/** @wide */
function loadContactInertias(c: ContactBlock): void {
  const a = bodiesAt(c.bodyA);
  const b = bodiesAt(c.bodyB);
  c.inertiaA = gatherSymW(a.invInertiaA, a.invInertiaB);
  c.inertiaB = gatherSymW(b.invInertiaA, b.invInertiaB);
}

/** Computes the response K of the contact frame and the effective mass of each point. @inline @wide */
function prepareNormals(c: ContactBlock, meta: BlockMeta, t2: Vec3W): void {
  const pointCount = meta.pointCount;
  const n = c.normal;
  const t1 = c.tangent;
  const inertiaA = c.inertiaA;
  const inertiaB = c.inertiaB;
  // Lever arms of the normal, and their products with the inverse inertias.
  const armA = crossW(c.centerA, n);
  const armB = crossW(c.centerB, n);
  const turnA = inertiaA * armA;
  const turnB = inertiaB * armB;
  const turn = turnA + turnB;
  const inertia = inertiaA + inertiaB;
  const turn1 = inertia * t1;
  const turn2 = inertia * t2;
  const kNN = massAlongW(c.invMassA + c.invMassB, n, n) + dotW(armA, turnA) + dotW(armB, turnB);
  const kN1 = dotW(turn, t1);
  const kN2 = dotW(turn, t2);
  const k11 = dotW(turn1, t1);
  const k12 = dotW(turn1, t2);
  const k22 = dotW(turn2, t2);
  c.kNN = kNN;
  c.kN = new Vec2W(kN1, kN2);
  c.k = new Sym2W(k11, k12, k22);

  const one = splat(1);
  const two = splat(2);
  const least = splat(LEAST_RESPONSE);
  for (let i = 0; i < 4; ++i) {
    const p = pointAt(c, i);
    const a = p.a;
    const b = p.b;
    const parts = kNN + b * b * k11 + a * a * k22;
    const k = parts + two * (b * kN1 - a * kN2 - a * b * k12);
    const used = v128.and(i32x4.gt_s(pointCount, i32x4.splat(i)), f32x4.gt(k, least * parts));
    p.mass = v128.and(one / k, used);
  }
}

/** Friction acts at the centre: a 2×2 response along t1 and t2, and a scalar one about n. @inline @wide */
function prepareFriction(c: ContactBlock, t2: Vec3W): void {
  const t1 = c.tangent;
  const one = splat(1);
  const least = splat(LEAST_RESPONSE);
  const invMass = c.invMassA + c.invMassB;
  const armA1 = crossW(c.centerA, t1);
  const armB1 = crossW(c.centerB, t1);
  const armA2 = crossW(c.centerA, t2);
  const armB2 = crossW(c.centerB, t2);
  const turnA1 = c.inertiaA * armA1;
  const turnB1 = c.inertiaB * armB1;
  const turnA2 = c.inertiaA * armA2;
  const turnB2 = c.inertiaB * armB2;
  const k11 = addDotW(addDotW(massAlongW(invMass, t1, t1), armA1, turnA1), armB1, turnB1);
  const k12 = addDotW(addDotW(massAlongW(invMass, t1, t2), armA1, turnA2), armB1, turnB2);
  const k22 = addDotW(addDotW(massAlongW(invMass, t2, t2), armA2, turnA2), armB2, turnB2);
  const k = new Sym2W(k11, k12, k22);
  c.tangentMass = planeMass(k);
  const n = c.normal;
  const inertia = c.inertiaA + c.inertiaB;
  const spin = dotW(inertia * n, n);
  const spins = f32x4.gt(spin, least * (inertia.xx + inertia.yy + inertia.zz));
  c.twistMass = v128.and(one / spin, spins);
}

/** Inverse effective mass: the response along `b` to an impulse along `a`. @inline @wide */
function massAlongW(invMass: Vec3W, a: Vec3W, b: Vec3W): v128 {
  return invMass.x * a.x * b.x + invMass.y * a.y * b.y + invMass.z * a.z * b.z;
}

/**
 * Contacts between two dynamic bodies are softer than those with the ground, so that nothing is pressed into the
 * ground. @inline @wide
 */
function prepareSoftness(c: ContactBlock): void {
  const step = context();
  const mA = c.invMassA;
  const mB = c.invMassB;
  const moving = v128.and(f32x4.gt(mA.x + mA.y + mA.z, zero()), f32x4.gt(mB.x + mB.y + mB.z, zero()));
  const massScale = v128.bitselect(splat(step.massScale), splat(step.staticMassScale), moving);
  c.massScale = massScale;
  c.impulseScale = v128.bitselect(splat(step.impulseScale), splat(step.staticImpulseScale), moving);
  c.biasRate = massScale * v128.bitselect(splat(step.biasRate), splat(step.staticBiasRate), moving);
}

/**
 * Updates the surface velocity of kinematic bodies for the current substep, since contacts are prepared at the start of
 * the step only. Otherwise a crate on a turntable would move along the tangent and drift outwards, and one on an
 * accelerating platform would get the whole change of velocity at once, more than friction transmits.
 */
export function moveSurfaces(): void {
  for (let c = 0; c <= OVERFLOW_COLOR; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      const block = blockOf(color, i);
      if (block.special & SPECIAL_KINEMATIC) storeSurface(block, metaOf(color, i));
    }
  }
}

/**
 * Bit per lane with a high mass ratio: the load would accelerate its lighter body HIGH_LOAD times as much as gravity. Four
 * bits higher: it may be that of a tower. With an acceleration a, the contact sags by a/ω² and bears a/g weights, and the
 * size of the body is sqrt(m/I): sag · weights² / size, squared, is compared. Twelve bits higher: it may be that of a tower
 * if the contact has several manifolds, of which this is one. @inline @wide
 */
function highRatioLanesOf(c: ContactBlock, fN: v128): i32 {
  const lightness = f32x4.pmax(
    f32x4.pmax(f32x4.pmax(c.invMassAX, c.invMassAY), c.invMassAZ),
    f32x4.pmax(f32x4.pmax(c.invMassBX, c.invMassBY), c.invMassBZ),
  );
  const gain = fN * lightness;
  if (!v128.any_true(f32x4.gt(gain, splat(context().leastLoad)))) return 0;
  return loadedLanes(c, gain, lightness);
}

/** @wide */
function loadedLanes(c: ContactBlock, gain: v128, lightness: v128): i32 {
  const step = context();
  const inertia = c.inertiaA + c.inertiaB;
  const turning = inertia.xx + inertia.yy + inertia.zz;
  let lanes = i32x4.bitmask(f32x4.gt(gain, splat(step.highLoad)));
  lanes |= tallLanes(gain, turning, lightness) << TALL_SHIFT;
  if (step.towerPatches > 1)
    lanes |= tallLanes(gain * splat(step.towerPatches), turning, lightness) << TALL_TOGETHER_SHIFT;
  return lanes;
}

/** @wide */
function tallLanes(gain: v128, turning: v128, lightness: v128): i32 {
  const step = context();
  const cube = gain * gain * gain * splat(step.towerScale);
  const slender = f32x4.gt(cube * cube * turning, lightness);
  return i32x4.bitmask(v128.and(slender, f32x4.gt(gain, splat(step.towerLoad))));
}

/** Runs when new contacts have their first impulses. */
export function findNewHighRatios(): void {
  const g = world();
  for (let i = 0; i < g.newBlockCount; i++) {
    const handle = wordAt(g.newBlocks, i);
    const c = blockAt(handle);
    c.highRatioLanes = highRatioLanesOf(c, loadOf(c));
    if (context().towerLoad < Infinity) c.highRatioLanes |= c.isNew << TALL_NEW_SHIFT;
    c.isNew = 0;
    pushLoaded(c, handle);
  }
  g.newBlockCount = 0;
}

/** Applies the impulses of the last step. Later substeps are warm started per body (integrate.ts). @inline @wide */
function warmStart(c: ContactBlock, meta: BlockMeta, t2: Vec3W): void {
  const factor = splat(context().warmstarting);
  let load = zero();
  const pull = c.frictionImpulse * factor;
  const twist = c.twistImpulse * factor;
  c.frictionImpulse = pull;
  c.twistImpulse = twist;
  let torque1 = zero();
  let torque2 = zero();
  const points = c.maxPoints;
  for (let i = 0; i < points; ++i) {
    const p = pointAt(c, i);
    const impulse = p.impulse * factor;
    p.impulse = impulse;
    load += impulse;
    torque1 += impulse * p.b;
    torque2 -= impulse * p.a;
  }
  if (c.special) {
    const rolling = meta.rollingImpulse * factor;
    meta.rollingImpulse = rolling;
    torque1 += rolling.x;
    torque2 += rolling.y;
  }
  c.highRatioLanes = highRatioLanesOf(c, load);
  const n = c.normal;
  const t1 = c.tangent;
  const force = n * load + t1 * pull.x + t2 * pull.y;
  const torque = t1 * torque1 + t2 * torque2 + n * twist;
  // Several lanes may refer to the dummy body; they add zero to it, even where 0 times infinity would be NaN.
  const movesA = i32x4.ne(c.bodyA, zero());
  const movesB = i32x4.ne(c.bodyB, zero());
  const a = velocitiesAt(c.bodyA);
  a.linear -= scatterW(maskW(movesA, perAxisW(force, c.invMassA)));
  a.angular -= scatterW(maskW(movesA, c.inertiaA * (crossW(c.centerA, force) + torque)));
  const b = velocitiesAt(c.bodyB);
  b.linear += scatterW(maskW(movesB, perAxisW(force, c.invMassB)));
  b.angular += scatterW(maskW(movesB, c.inertiaB * (crossW(c.centerB, force) + torque)));
}
