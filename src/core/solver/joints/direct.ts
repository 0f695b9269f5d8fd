// The locks of joints, in lanes. In: bundles, frames and anchors of joints. Out: impulses that satisfy all
// locks of a component at once, whatever the masses: one after the other, a chain with a hundred times its
// weight at the end stretches by centimetres, since each pass tells a joint about its neighbours only.
//
//   A λ = −(J v + bias),   A = J M⁻¹ Jᵀ,   A = L D Lᵀ
//
// What remains after a sweep (rounding in f32, frames of an earlier substep, arms that turn) is measured
// with the velocities that came out, and swept again while it is more than TOLERANCE. Arms and locked
// directions turn with their bodies in every substep; factors are kept while no body can have turned by more
// than SMALL_TURN since.
import { BODY_DYNAMIC, BODY_TURNED } from '../../memory/constants';
import {
  Body,
  BodyVelocity,
  BundleBody,
  BundleJoint,
  BundleRow,
  Joint,
  JointAxis,
  JointBundle,
  JointRow,
  JointWork,
} from '../../memory/records';
import {
  axisAt,
  bodyAt,
  BUNDLE_BODY_SIZE,
  BUNDLE_ROW_SIZE,
  bundleBodyAt,
  bundleJointAt,
  bundleRowAt,
  jointAt,
  rowAt,
  velocityAt,
  workAt,
  world,
} from '../../memory/tables';
import { isPointPass, sweepPoints, warmStartPoints } from './points';
import { MAX_LIMIT_PUSH } from './rows';
import { holdTension, isTaut } from './tension';
import { highHalves, lowHalves, zipHigh, zipLow } from '../../math/transpose';
import {
  add,
  addScaled,
  cross,
  dot,
  mul,
  mulQuat,
  neg,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../../math/vector';
import { applyInverseInertia } from '../../bodies/massProperties';
import { context } from '../context';

/** Share of the diagonal added to it. */
const SOFTENING: f32 = 1e-6;
/**
 * The same for closed loops and what hangs at both ends, where joints say the same twice: there, pivots of 1e-6 are
 * rounding, and the impulses that they give grew from step to step until a bridge at rest flew apart.
 */
const LOOP_SOFTENING: f32 = 2e-4;
/** Share of such impulses that a substep starts from: what no motion asks for dies away. */
const LOOP_KEEP: f32 = 0.95;
/** Pivots below this share of the diagonal are rounding: what they would move is said already. */
const SMALLEST_PIVOT: f32 = 1e-6;
/** m/s and rad/s of a lock that are left alone: a third of a micrometre per substep. */
const TOLERANCE: f32 = 1e-3;
/** rad that bodies may have turned since the factors were made. */
const SMALL_TURN: f32 = 0.05;
/** Share of the error that a substep removes. */
const SHARE: f32 = 0.5;
/** A sweep that leaves more than this share of what it found calls for new factors. */
const SLOW: f32 = 0.1;
const BIASED_SWEEPS = 3;
const RELAX_SWEEPS = 2;
/** m/s and rad/s: no joint makes a body faster, or its speed no number. */
const FASTEST: f32 = 1e5;

/** rad of a substep: slower, a turning arm of a metre moves its end 2 µm off its tangent. */
const SLOW_SWING: f32 = 0.002;

const TURNS = 3; // first kind of row that locks angles
const AXES = 6; // first kind that locks an axis

// --- between bodies and lanes ---

/** Slot of a lane of a record that begins with `slots`. */
// @ts-ignore: decorator
@inline function slotIn(record: usize, lane: usize): i32 {
  return load<i32>(record + (lane << 2));
}
// @ts-ignore: decorator
@inline function velocityIn(record: usize, lane: usize): usize {
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

/** The vectors at four places, as x, y, z at `to`. */
function spread(to: usize, p0: usize, p1: usize, p2: usize, p3: usize): void {
  const r0 = v128.load(p0);
  const r1 = v128.load(p1);
  const r2 = v128.load(p2);
  const r3 = v128.load(p3);
  const low01 = zipLow(r0, r1);
  const low23 = zipLow(r2, r3);
  v128.store(to, lowHalves(low01, low23));
  v128.store(to, highHalves(low01, low23), 16);
  v128.store(to, lowHalves(zipHigh(r0, r1), zipHigh(r2, r3)), 32);
}

/** The numbers at four places. */
// @ts-ignore: decorator
@inline function gatherFloats(p0: usize, p1: usize, p2: usize, p3: usize): v128 {
  return f32x4(load<f32>(p0), load<f32>(p1), load<f32>(p2), load<f32>(p3));
}

export function gatherVelocities(u: JointBundle): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i));
    const p0 = velocityIn(at, 0);
    const p1 = velocityIn(at, 1);
    const p2 = velocityIn(at, 2);
    const p3 = velocityIn(at, 3);
    spread(at + offsetof<BundleBody>('vX'), p0, p1, p2, p3);
    const angular = offsetof<BodyVelocity>('angular');
    spread(at + offsetof<BundleBody>('wX'), p0 + angular, p1 + angular, p2 + angular, p3 + angular);
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

// --- once per step ---

/** The impulses of the last step. */
export function startBundle(u: JointBundle): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = bundleJointAt(u, i);
    for (let lane: usize = 0; lane < 4; lane++) {
      const slot = slotIn(changetype<usize>(wide), lane);
      if (slot == 0) continue;
      const j = jointAt(slot);
      for (let r = wide.firstRow; r < wide.firstRow + wide.rowCount; r++) {
        const row = bundleRowAt(u, r);
        const from = impulseOf(j, row.kind);
        const at = changetype<usize>(row) + (lane << 2);
        store<f32>(at, load<f32>(from), offsetof<BundleRow>('impulse'));
        store<f32>(at, 0, offsetof<BundleRow>('total'));
        store<f32>(from, 0); // from here on: what motors and limits book at the anchors
      }
    }
  }
}

function loadMasses(u: JointBundle): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i));
    const p0 = massIn(at, 0);
    const p1 = massIn(at, 1);
    const p2 = massIn(at, 2);
    const p3 = massIn(at, 3);
    let o = offsetof<Body>('invMass');
    spread(at + offsetof<BundleBody>('invMassX'), p0 + o, p1 + o, p2 + o, p3 + o);
    o = offsetof<Body>('invInertiaA');
    spread(at + offsetof<BundleBody>('inertiaXX'), p0 + o, p1 + o, p2 + o, p3 + o);
    o = offsetof<Body>('invInertiaB');
    spread(at + offsetof<BundleBody>('inertiaYY'), p0 + o, p1 + o, p2 + o, p3 + o);
  }
}

/** Where a joint keeps the impulse of a kind of row. */
function impulseOf(j: Joint, kind: i32): usize {
  const at = changetype<usize>(j);
  if (kind < TURNS) return at + offsetof<Joint>('pointImpulse') + ((<usize>kind) << 2);
  if (kind < AXES) return at + offsetof<Joint>('angularImpulse') + ((<usize>(kind - TURNS)) << 2);
  return changetype<usize>(axisAt(j, kind - AXES)) + offsetof<JointAxis>('lowImpulse');
}

/** At the end of a step: impulses and totals back to the joints. */
export function finishBundle(u: JointBundle): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = bundleJointAt(u, i);
    for (let lane: usize = 0; lane < 4; lane++) {
      const slot = slotIn(changetype<usize>(wide), lane);
      if (slot == 0) continue;
      const j = jointAt(slot);
      const w = workAt(slot);
      for (let r = wide.firstRow; r < wide.firstRow + wide.rowCount; r++) {
        const row = bundleRowAt(u, r);
        const at = changetype<usize>(row) + (lane << 2);
        const to = impulseOf(j, row.kind);
        const impulse = load<f32>(at, offsetof<BundleRow>('impulse')) + load<f32>(to);
        const total = load<f32>(at, offsetof<BundleRow>('total'));
        store<f32>(to, abs<f32>(impulse) < <f32>1e30 ? impulse : 0);
        bookTotal(j, w, row.kind, total);
      }
    }
  }
}

function bookTotal(j: Joint, w: JointWork, kind: i32, total: f32): void {
  if (kind < TURNS) {
    const at = changetype<usize>(j) + ((<usize>kind) << 2);
    store<f32>(at, load<f32>(at, offsetof<Joint>('linearTotal')) + total, offsetof<Joint>('linearTotal'));
  } else if (kind < AXES) {
    const lock = v128.load(
      changetype<usize>(w) + offsetof<JointWork>('lock0') + ((<usize>(kind - TURNS)) << 4),
    );
    j.angularTotal = addScaled(j.angularTotal, lock, total);
  } else {
    const row = rowAt(w, kind - AXES);
    axisAt(j, kind - AXES).total += total;
    j.linearTotal = addScaled(j.linearTotal, row.normal, total);
    if (kind - AXES > 2) j.angularTotal = addScaled(j.angularTotal, row.armB, total);
  }
}

// --- frames and factors ---

/** Arms, directions and errors as the types of the joints left them in JointWork; then the factors. */
export function takeFrames(u: JointBundle, damp: bool): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = bundleJointAt(u, i);
    const at = changetype<usize>(wide);
    const p0 = workIn(at, 0);
    const p1 = workIn(at, 1);
    const p2 = workIn(at, 2);
    const p3 = workIn(at, 3);
    let o = offsetof<JointWork>('rA');
    spread(at + offsetof<BundleJoint>('rAX'), p0 + o, p1 + o, p2 + o, p3 + o);
    o = offsetof<JointWork>('rB');
    spread(at + offsetof<BundleJoint>('rBX'), p0 + o, p1 + o, p2 + o, p3 + o);
    for (let r = wide.firstRow; r < wide.firstRow + wide.rowCount; r++)
      takeRow(bundleRowAt(u, r), wide, p0, p1, p2, p3);
  }
  factor(u, damp);
}

function factor(u: JointBundle, damp: bool): void {
  u.turned = 0;
  u.aged = 0;
  loadMasses(u);
  holdTension(u, damp);
  for (let i = 0; i < u.jointCount; i++) {
    const wide = bundleJointAt(u, i);
    const a = bundleBodyAt(u, wide.a);
    const b = bundleBodyAt(u, wide.b);
    for (let r = wide.firstRow; r < wide.firstRow + wide.rowCount; r++) respondBoth(bundleRowAt(u, r), a, b);
  }
  for (let i = 0; i < u.jointCount; i++) assemble(u, i);
  for (let i = 0; i < u.rowCount; i++) eliminate(u, i);
}

// @ts-ignore: decorator
@inline function respondBoth(row: BundleRow, a: BundleBody, b: BundleBody): void {
  const at = changetype<usize>(row);
  respond(a, at + offsetof<BundleRow>('armAX'), at + offsetof<BundleRow>('turnAX'));
  respond(b, at + offsetof<BundleRow>('armBX'), at + offsetof<BundleRow>('turnBX'));
}

function takeRow(row: BundleRow, j: BundleJoint, p0: usize, p1: usize, p2: usize, p3: usize): void {
  const kind = row.kind;
  const at = changetype<usize>(row);
  const armA = at + offsetof<BundleRow>('armAX');
  const armB = at + offsetof<BundleRow>('armBX');
  let o: usize;
  if (kind < TURNS) {
    crossAxis(armA, changetype<usize>(j) + offsetof<BundleJoint>('rAX'), kind);
    crossAxis(armB, changetype<usize>(j) + offsetof<BundleJoint>('rBX'), kind);
    v128.store(at + ((<usize>kind) << 4), splat(1), offsetof<BundleRow>('normalX'));
    o = offsetof<JointWork>('separation') + ((<usize>kind) << 2);
  } else if (kind < AXES) {
    o = offsetof<JointWork>('lock0') + ((<usize>(kind - TURNS)) << 4);
    spread(armA, p0 + o, p1 + o, p2 + o, p3 + o);
    spread(armB, p0 + o, p1 + o, p2 + o, p3 + o);
    o = offsetof<JointWork>('turnError') + ((<usize>(kind - TURNS)) << 2);
  } else {
    const first = changetype<usize>(rowAt(changetype<JointWork>(0), kind - AXES));
    o = first + offsetof<JointRow>('normal');
    spread(at + offsetof<BundleRow>('normalX'), p0 + o, p1 + o, p2 + o, p3 + o);
    o = first + offsetof<JointRow>('armA');
    spread(armA, p0 + o, p1 + o, p2 + o, p3 + o);
    o = first + offsetof<JointRow>('armB');
    spread(armB, p0 + o, p1 + o, p2 + o, p3 + o);
    o = first + offsetof<JointRow>('error');
  }
  row.error = gatherFloats(p0 + o, p1 + o, p2 + o, p3 + o);
}

/** r × the unit vector of an axis of the world. */
function crossAxis(to: usize, r: usize, axis: i32): void {
  const x = v128.load(r);
  const y = v128.load(r, 16);
  const z = v128.load(r, 32);
  const none = zero();
  v128.store(to, axis == 0 ? none : axis == 1 ? neg(z) : y);
  v128.store(to, axis == 0 ? z : axis == 1 ? none : neg(x), 16);
  v128.store(to, axis == 0 ? neg(y) : axis == 1 ? x : none, 32);
}

/** Inverse inertia times an arm. */
@wide
function respond(b: BundleBody, arm: usize, to: usize): void {
  const x = v128.load(arm);
  const y = v128.load(arm, 16);
  const z = v128.load(arm, 32);
  v128.store(to, b.inertiaXX * x + b.inertiaXY * y + b.inertiaXZ * z);
  v128.store(to, b.inertiaXY * x + b.inertiaYY * y + b.inertiaYZ * z, 16);
  v128.store(to, b.inertiaXZ * x + b.inertiaYZ * y + b.inertiaZZ * z, 32);
}

// @ts-ignore: decorator
@inline function entryAt(u: JointBundle, row: BundleRow, column: i32): usize {
  return <usize>world().bundleData + <usize>u.matrix + ((<usize>(row.offset + column)) << 4);
}

/** The rows of one joint in A: with the joints before it that share a body, and with itself. */
function assemble(u: JointBundle, index: i32): void {
  const j = bundleJointAt(u, index);
  const end = j.firstRow + j.rowCount;
  const a = bundleBodyAt(u, j.a);
  const b = bundleBodyAt(u, j.b);
  const armA = offsetof<BundleRow>('armAX');
  const armB = offsetof<BundleRow>('armBX');
  const turnA = offsetof<BundleRow>('turnAX');
  const turnB = offsetof<BundleRow>('turnBX');
  for (let r = j.firstRow; r < end; r++) {
    const row = bundleRowAt(u, r);
    memory.fill(entryAt(u, row, j.first), 0, (<usize>(j.firstRow - j.first)) << 4);
    for (let c = j.firstRow; c <= r; c++) {
      const other = bundleRowAt(u, c);
      let value = add(couple(row, armA, other, turnA, a), couple(row, armB, other, turnB, b));
      if (r == c) value = scale(value, <f32>1 + (u.looped ? LOOP_SOFTENING : SOFTENING));
      v128.store(entryAt(u, row, c), value);
    }
  }
  for (let k = j.firstJoint; k < index; k++) {
    const o = bundleJointAt(u, k);
    if (o.a == j.a) meet(u, j, o, armA, turnA, a, false);
    if (o.b == j.a) meet(u, j, o, armA, turnB, a, true);
    if (o.a == j.b) meet(u, j, o, armB, turnA, b, true);
    if (o.b == j.b) meet(u, j, o, armB, turnB, b, false);
  }
}

function meet(
  u: JointBundle,
  j: BundleJoint,
  o: BundleJoint,
  arm: usize,
  turn: usize,
  body: BundleBody,
  opposed: bool,
): void {
  for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++) {
    const row = bundleRowAt(u, r);
    for (let c = o.firstRow; c < o.firstRow + o.rowCount; c++) {
      const value = couple(row, arm, bundleRowAt(u, c), turn, body);
      const at = entryAt(u, row, c);
      const old = v128.load(at);
      v128.store(at, opposed ? sub(old, value) : add(old, value));
    }
  }
}

/** What a unit impulse of one row does at a body to the speed of another. */
// @ts-ignore: decorator
@inline
function couple(row: BundleRow, arm: usize, other: BundleRow, turn: usize, b: BundleBody): v128 {
  const p = changetype<usize>(row) + arm;
  const q = changetype<usize>(other) + turn;
  let value = mul(v128.load(p), v128.load(q));
  value = add(value, mul(v128.load(p, 16), v128.load(q, 16)));
  value = add(value, mul(v128.load(p, 32), v128.load(q, 32)));
  const k = row.kind;
  const l = other.kind;
  if (k < TURNS && l < TURNS) {
    if (k == l)
      value = add(
        value,
        v128.load(changetype<usize>(b) + ((<usize>k) << 4), offsetof<BundleBody>('invMassX')),
      );
  } else if ((k < TURNS || k >= AXES) && (l < TURNS || l >= AXES)) {
    value = add(value, mul(mul(row.normalX, other.normalX), b.invMassX));
    value = add(value, mul(mul(row.normalY, other.normalY), b.invMassY));
    value = add(value, mul(mul(row.normalZ, other.normalZ), b.invMassZ));
  }
  return value;
}

/** Row i of L, and its pivot. */
function eliminate(u: JointBundle, i: i32): void {
  const row = bundleRowAt(u, i);
  const first = row.first;
  const base = entryAt(u, row, 0);
  const pivots = <usize>world().bundleData + <usize>u.pivots;
  for (let k = first; k < i; k++) {
    const other = bundleRowAt(u, k);
    const from = max(first, other.first);
    const at = base + ((<usize>k) << 4);
    let sum = v128.load(at);
    let p = base + ((<usize>from) << 4);
    let q = entryAt(u, other, from);
    for (; p < at; p += 16, q += 16) sum = sub(sum, mul(v128.load(p), v128.load(q)));
    v128.store(at, sum); // L·D until the row is done
  }
  const diagonal = v128.load(base + ((<usize>i) << 4));
  let pivot = diagonal;
  for (let k = first; k < i; k++) {
    const at = base + ((<usize>k) << 4);
    const scaled = v128.load(at);
    const l = mul(scaled, v128.load(pivots + ((<usize>k) << 4)));
    pivot = sub(pivot, mul(scaled, l));
    v128.store(at, l);
  }
  // Nothing left to move, or said twice: the row takes no part.
  const holds = f32x4.gt(pivot, f32x4.max(scale(diagonal, SMALLEST_PIVOT), splat(1e-30)));
  v128.store(pivots + ((<usize>i) << 4), v128.and(f32x4.div(splat(1), pivot), holds));
}

// --- a substep ---

/** Applies the impulses of the last substep. */
export function warmStartBundle(u: JointBundle): void {
  if (isPointPass(u)) return warmStartPoints(u);
  const values = <usize>world().bundleData + <usize>u.values;
  const share: f32 = u.looped ? LOOP_KEEP : 1;
  for (let r = 0; r < u.rowCount; r++) {
    const row = bundleRowAt(u, r);
    row.impulse = scale(row.impulse, share);
    v128.store(values + ((<usize>r) << 4), row.impulse);
  }
  gatherVelocities(u);
  applyValues(u);
  if (u.direct) {
    // Impulses of a partner, pose or mass that is another now: what is solved at once can do without.
    const stale = f32x4.gt(fastestAxis(u), splat(FASTEST_START));
    if (v128.any_true(stale)) takeBack(u, stale);
  }
  scatterVelocities(u);
}

/** m/s and rad/s: faster, what the last impulses make of a body is not started from. */
const FASTEST_START: f32 = 1000;

/** Largest component of any velocity, lane by lane. */
function fastestAxis(u: JointBundle): v128 {
  let most = zero();
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i)) + offsetof<BundleBody>('vX');
    for (let k: usize = 0; k < 96; k += 16) most = f32x4.max(most, f32x4.abs(v128.load(at + k)));
  }
  return most;
}

/** In the lanes of the mask, what warm starting did is undone, and its impulses forgotten. */
function takeBack(u: JointBundle, lanes: v128): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16)
    v128.store(at, neg(v128.and(bundleRowAt(u, r).impulse, lanes)));
  bookValues(u);
  applyValues(u);
}

/** Impulses for the end of the substep (with bias), or for velocities that fit the frames of now. */
export function sweepBundle(u: JointBundle, withBias: bool): void {
  if (isPointPass(u)) return sweepPoints(u, withBias);
  const step = context();
  const w = workAt(slotIn(changetype<usize>(bundleJointAt(u, 0)), 0));
  const direct = u.direct != 0;
  const rate: f32 = withBias ? (direct ? SHARE * step.inverseH : w.biasRate) : 0;
  // Where the anchors will be depends on how the arms turn, and that on the impulses: without a second
  // sweep the worst gap of a swinging chain with a hundred times a link's mass at its end is eight times
  // what it is with one.
  const most = direct ? (withBias ? BIASED_SWEEPS : RELAX_SWEEPS) : 1;
  gatherVelocities(u);
  let moved = false;
  let before: f32 = 0;
  let first = zero();
  const torn = withBias && direct && u.looped;
  if (torn) keepImpulses(u);
  for (let k = 0; k < most; k++) {
    const swinging = withBias && fastest(u) * step.h > SLOW_SWING;
    if (swinging) foreseeTurns(u);
    else if (withBias && k == 0) forgetTurns(u);
    const left = residual(u, rate, swinging);
    if (k == 0) first = left;
    const worst = largest(left);
    if (direct && worst < TOLERANCE) break;
    // Factors of an earlier substep that gain next to nothing: what hangs here is too stiff for them.
    if (k > 0 && worst > SLOW * before) {
      if (u.aged) factor(u, false);
      else if (k > 1 && !(worst < before)) break;
    }
    before = worst;
    substitute(u);
    if (withBias && !direct) giveWay(u, w.massScale, w.impulseScale);
    bookValues(u);
    applyValues(u);
    moved = true;
  }
  if (torn && moved) {
    const left = residual(u, rate, false);
    const lanes = v128.and(f32x4.gt(left, scale(first, SLOW)), f32x4.gt(left, splat(TORN)));
    if (v128.any_true(lanes)) giveUp(u, lanes);
  }
  if (moved) scatterVelocities(u);
}

/** m/s and rad/s that locks of a loop may lack after their sweeps before they are said to contradict each other. */
const TORN: f32 = 0.1;

function keepImpulses(u: JointBundle): void {
  let to = <usize>world().bundleData + <usize>u.values + ((<usize>u.rowCount) << 4);
  for (let r = 0; r < u.rowCount; r++, to += 16) v128.store(to, bundleRowAt(u, r).impulse);
}

/**
 * Two joints that want a body in two places: no impulse brings it there, and those that tried, divided by the
 * softening, would grow by 1e5 N·s in each substep, for the first that is removed or changed to set free. In these
 * lanes the errors are left as they are, and only velocities solved.
 */
function giveUp(u: JointBundle, lanes: v128): void {
  let at = <usize>world().bundleData + <usize>u.values + ((<usize>u.rowCount) << 4);
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const row = bundleRowAt(u, r);
    row.impulse = v128.bitselect(v128.load(at), row.impulse, lanes);
  }
  // Velocities as they were before: not by impulses, whose rounding would be divided by the softening, too.
  const mask = changetype<usize>(context()) + SCRATCH;
  v128.store(mask, lanes);
  const size = <usize>u.bodyCount * BUNDLE_BODY_SIZE;
  const bodies = changetype<usize>(bundleBodyAt(u, 0));
  for (let body = bodies; body < bodies + size; body += BUNDLE_BODY_SIZE) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const to = body + (lane << 2);
      if (load<i32>(mask + (lane << 2)) == 0) continue;
      const from = velocityIn(body, lane);
      for (let k: usize = 0; k < 3; k++) {
        store<f32>(to + (k << 4), load<f32>(from + (k << 2)), offsetof<BundleBody>('vX'));
        const angular = load<f32>(from + (k << 2), offsetof<BodyVelocity>('angular'));
        store<f32>(to + (k << 4), angular, offsetof<BundleBody>('wX'));
      }
    }
  }
  residual(u, 0, false);
  at = <usize>world().bundleData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) v128.store(at, v128.and(v128.load(at), lanes));
  substitute(u);
  bookValues(u);
  applyValues(u);
}

/**
 * Bodies with unequal moments do not turn about where their spin points now: half of what the gyroscopic
 * term will change of it in the substep (integrate.ts) belongs to where their anchors will be.
 */
function foreseeTurns(u: JointBundle): void {
  const h = context().h;
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(bundleBodyAt(u, i));
    for (let lane: usize = 0; lane < 4; lane++) {
      const b = bodyAt(slotIn(at, lane));
      const w = at + (lane << 2) + offsetof<BundleBody>('wX');
      const to = at + (lane << 2) + offsetof<BundleBody>('gX');
      const spin = vec3(load<f32>(w), load<f32>(w, 16), load<f32>(w, 32));
      let g = zero();
      if (b.type == BODY_DYNAMIC && b.flags & BODY_TURNED && dot(spin, spin) * h * h > FAST_SQUARED) {
        const q = mulQuat(b.rotation, b.principal);
        const turning = rotateInverse(q, spin);
        const inverse = b.invInertiaLocal;
        const finite = f32x4.gt(inverse, zero());
        const momentum = rotate(q, v128.and(f32x4.div(turning, inverse), finite));
        g = scale(applyInverseInertia(b, cross(spin, momentum)), <f32>-0.5 * h);
      }
      store<f32>(to, x(g));
      store<f32>(to, y(g), 16);
      store<f32>(to, z(g), 32);
    }
  }
}

function forgetTurns(u: JointBundle): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const b = bundleBodyAt(u, i);
    b.gX = zero();
    b.gY = zero();
    b.gZ = zero();
  }
}

/** rad² of a substep: slower, the gyroscopic term moves no anchor by a micrometre. */
const FAST_SQUARED: f32 = 4e-4;

/** −(J v + bias) of all rows, as right hand sides; returns the largest of each lane. */
function residual(u: JointBundle, rate: f32, swinging: bool): v128 {
  let worst = zero();
  let at = <usize>world().bundleData + <usize>u.values;
  const turning = changetype<usize>(context()) + SCRATCH;
  for (let i = 0; i < u.jointCount; i++) {
    const j = bundleJointAt(u, i);
    const a = bundleBodyAt(u, j.a);
    const b = bundleBodyAt(u, j.b);
    if (swinging && j.locks & 1) curvature(j, a, b, turning);
    for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++, at += 16) {
      const row = bundleRowAt(u, r);
      let v = speed(row, a, b);
      if (rate > 0) {
        v = add(v, asked(row.error, rate));
        if (swinging && row.kind < TURNS) v = add(v, v128.load(turning + ((<usize>row.kind) << 4)));
      }
      v128.store(at, neg(v));
      worst = f32x4.max(worst, f32x4.abs(v));
    }
  }
  return worst;
}

/** m/s or rad/s: the speed that takes an error away, however large it is. */
// @ts-ignore: decorator
@inline export function asked(error: v128, rate: f32): v128 {
  return f32x4.pmax(splat(-MAX_LIMIT_PUSH), f32x4.pmin(splat(MAX_LIMIT_PUSH), scale(error, rate)));
}

/** 16-aligned room beside the context of the step: three v128. */
const SCRATCH: usize = 256;

// @ts-ignore: decorator
@inline @wide
function speed(row: BundleRow, a: BundleBody, b: BundleBody): v128 {
  let v =
    row.armBX * b.wX +
    row.armBY * b.wY +
    row.armBZ * b.wZ -
    (row.armAX * a.wX + row.armAY * a.wY + row.armAZ * a.wZ);
  const kind = row.kind;
  if (kind == 0) v += b.vX - a.vX;
  else if (kind == 1) v += b.vY - a.vY;
  else if (kind == 2) v += b.vZ - a.vZ;
  else if (kind >= AXES)
    v += row.normalX * (b.vX - a.vX) + row.normalY * (b.vY - a.vY) + row.normalZ * (b.vZ - a.vZ);
  return v;
}

/** m/s: what the turning of both arms adds to the separation within a substep, beyond its velocity now. */
@wide
function curvature(j: BundleJoint, a: BundleBody, b: BundleBody, to: usize): void {
  const none = zero();
  v128.store(to, none);
  v128.store(to, none, 16);
  v128.store(to, none, 32);
  addSwing(b, j.rBX, j.rBY, j.rBZ, splat(1), to);
  addSwing(a, j.rAX, j.rAY, j.rAZ, splat(-1), to);
}

/**
 * (R(ωh) r − r)/h − w × r with ω = w + g, by Rodrigues: g × r + (sin θ/θ − 1) ω × r +
 * (1 − cos θ)/θ² h ω × (ω × r), θ = |ω| h; times `sign`.
 */
@wide
function addSwing(body: BundleBody, x: v128, y: v128, z: v128, sign: v128, to: usize): void {
  const gx = body.gX;
  const gy = body.gY;
  const gz = body.gZ;
  const wx = body.wX + gx;
  const wy = body.wY + gy;
  const wz = body.wZ + gz;
  const h = splat(context().h);
  const t = f32x4.min((wx * wx + wy * wy + wz * wz) * h * h, splat(2));
  const s = t * (splat(-0.16666667) + t * (splat(0.008333333) - t * splat(0.0001984127)));
  const c = (splat(0.5) - t * (splat(0.041666668) - t * (splat(0.0013888889) - t * splat(0.0000248016)))) * h;
  const vx = wy * z - wz * y;
  const vy = wz * x - wx * z;
  const vz = wx * y - wy * x;
  v128.store(to, v128.load(to) + sign * (gy * z - gz * y + s * vx + c * (wy * vz - wz * vy)));
  v128.store(to, v128.load(to, 16) + sign * (gz * x - gx * z + s * vy + c * (wz * vx - wx * vz)), 16);
  v128.store(to, v128.load(to, 32) + sign * (gx * y - gy * x + s * vz + c * (wx * vy - wy * vx)), 32);
}

/** L D Lᵀ λ = values, in place. */
function substitute(u: JointBundle): void {
  const rows = u.rowCount;
  const values = <usize>world().bundleData + <usize>u.values;
  const end = values + ((<usize>rows) << 4);
  let row = changetype<usize>(bundleRowAt(u, 0));
  for (let at = values; at < end; at += 16, row += BUNDLE_ROW_SIZE) {
    const first = changetype<BundleRow>(row).first;
    let l = entryAt(u, changetype<BundleRow>(row), first);
    let sum = v128.load(at);
    for (let p = values + ((<usize>first) << 4); p < at; p += 16, l += 16)
      sum = sub(sum, mul(v128.load(l), v128.load(p)));
    v128.store(at, sum);
  }
  let pivot = <usize>world().bundleData + <usize>u.pivots;
  for (let at = values; at < end; at += 16, pivot += 16) v128.store(at, mul(v128.load(at), v128.load(pivot)));
  for (let at = end - 16; at >= values; at -= 16) {
    row -= BUNDLE_ROW_SIZE;
    const first = changetype<BundleRow>(row).first;
    let l = entryAt(u, changetype<BundleRow>(row), first);
    const value = v128.load(at);
    for (let p = values + ((<usize>first) << 4); p < at; p += 16, l += 16)
      v128.store(p, sub(v128.load(p), mul(v128.load(l), value)));
  }
}

/** In passes, locks give way a little: see soft.ts. */
function giveWay(u: JointBundle, massScale: f32, impulseScale: f32): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const asked = scale(v128.load(at), massScale);
    v128.store(at, sub(asked, scale(bundleRowAt(u, r).impulse, impulseScale)));
  }
}

function bookValues(u: JointBundle): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const row = bundleRowAt(u, r);
    row.impulse = add(row.impulse, v128.load(at));
  }
}

/** Impulses of all rows act on the bodies. */
function applyValues(u: JointBundle): void {
  let at = <usize>world().bundleData + <usize>u.values;
  for (let i = 0; i < u.jointCount; i++) {
    const j = bundleJointAt(u, i);
    const a = bundleBodyAt(u, j.a);
    const b = bundleBodyAt(u, j.b);
    for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++, at += 16)
      push(bundleRowAt(u, r), a, b, v128.load(at));
  }
  for (let i = 0; i < u.bodyCount; i++) addChanges(bundleBodyAt(u, i));
}

// @ts-ignore: decorator
@inline @wide
function push(row: BundleRow, a: BundleBody, b: BundleBody, impulse: v128): void {
  a.dwX -= row.turnAX * impulse;
  a.dwY -= row.turnAY * impulse;
  a.dwZ -= row.turnAZ * impulse;
  b.dwX += row.turnBX * impulse;
  b.dwY += row.turnBY * impulse;
  b.dwZ += row.turnBZ * impulse;
  const kind = row.kind;
  if (kind == 0) {
    a.dvX -= a.invMassX * impulse;
    b.dvX += b.invMassX * impulse;
  } else if (kind == 1) {
    a.dvY -= a.invMassY * impulse;
    b.dvY += b.invMassY * impulse;
  } else if (kind == 2) {
    a.dvZ -= a.invMassZ * impulse;
    b.dvZ += b.invMassZ * impulse;
  } else if (kind >= AXES) {
    const x = row.normalX * impulse;
    const y = row.normalY * impulse;
    const z = row.normalZ * impulse;
    a.dvX -= a.invMassX * x;
    a.dvY -= a.invMassY * y;
    a.dvZ -= a.invMassZ * z;
    b.dvX += b.invMassX * x;
    b.dvY += b.invMassY * y;
    b.dvZ += b.invMassZ * z;
  }
}

/** The changes of a sweep go to the velocities. */
@wide
function addChanges(b: BundleBody): void {
  const none = zero();
  b.vX += b.dvX;
  b.vY += b.dvY;
  b.vZ += b.dvZ;
  b.wX += b.dwX;
  b.wY += b.dwY;
  b.wZ += b.dwZ;
  b.dvX = none;
  b.dvY = none;
  b.dvZ = none;
  b.dwX = none;
  b.dwY = none;
  b.dwZ = none;
}

/**
 * After bodies have moved: arms and locked directions turn along, errors grow by what was left open.
 * False where the types of the joints must say anew what they lock.
 */
export function advanceBundle(u: JointBundle): bool {
  if (u.locks >= 1 << AXES) return false;
  const h = context().h;
  gatherVelocities(u);
  u.turned += fastest(u) * h;
  if (!(u.turned < SMALL_TURN)) return false;
  for (let i = 0; i < u.jointCount; i++) advanceJoint(u, bundleJointAt(u, i), h);
  u.aged = 1;
  if (isTaut(u)) factor(u, true);
  return true;
}

// @ts-ignore: decorator
@inline function largest(v: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

function advanceJoint(u: JointBundle, j: BundleJoint, h: f32): void {
  const a = bundleBodyAt(u, j.a);
  const b = bundleBodyAt(u, j.b);
  const at = changetype<usize>(j);
  if (j.locks & 1) growErrors(u, j, a, b, splat(-1));
  turnVector(a, at + offsetof<BundleJoint>('rAX'));
  turnVector(b, at + offsetof<BundleJoint>('rBX'));
  if (j.locks & 1) growErrors(u, j, a, b, splat(1));
  for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++) {
    const row = bundleRowAt(u, r);
    const armA = changetype<usize>(row) + offsetof<BundleRow>('armAX');
    const armB = changetype<usize>(row) + offsetof<BundleRow>('armBX');
    if (row.kind < TURNS) {
      crossAxis(armA, at + offsetof<BundleJoint>('rAX'), row.kind);
      crossAxis(armB, at + offsetof<BundleJoint>('rBX'), row.kind);
    } else {
      row.error = addScaled(row.error, speed(row, a, b), h);
      turnVector(a, armA); // carried by A
      memory.copy(armB, armA, 48);
    }
    respondBoth(row, a, b);
  }
}

/** Errors at the anchors: ±(rB − rA), and half of what the centres move in the substep. */
function growErrors(u: JointBundle, j: BundleJoint, a: BundleBody, b: BundleBody, sign: v128): void {
  const half = splat(<f32>0.5 * context().h);
  for (let k = 0; k < TURNS; k++) {
    const o = (<usize>k) << 4;
    const row = bundleRowAt(u, j.firstRow + k);
    const at = changetype<usize>(j) + o;
    const arms = sub(
      v128.load(at, offsetof<BundleJoint>('rBX')),
      v128.load(at, offsetof<BundleJoint>('rAX')),
    );
    const speeds = sub(
      v128.load(changetype<usize>(b) + o, offsetof<BundleBody>('vX')),
      v128.load(changetype<usize>(a) + o, offsetof<BundleBody>('vX')),
    );
    row.error = add(row.error, add(mul(sign, arms), mul(half, speeds)));
  }
}

/** r + h(ω × r + swing): turned by what its body turned in the substep. */
@wide
function turnVector(b: BundleBody, at: usize): void {
  const h = splat(context().h);
  const x = v128.load(at);
  const y = v128.load(at, 16);
  const z = v128.load(at, 32);
  v128.store(at, x + (b.wY * z - b.wZ * y) * h);
  v128.store(at, y + (b.wZ * x - b.wX * z) * h, 16);
  v128.store(at, z + (b.wX * y - b.wY * x) * h, 32);
  addSwing(b, x, y, z, h, at);
}

/** rad/s of the bodies at most. */
function fastest(u: JointBundle): f32 {
  let most = zero();
  for (let i = 0; i < u.bodyCount; i++) {
    const b = bundleBodyAt(u, i);
    const spin = add(mul(b.wX, b.wX), add(mul(b.wY, b.wY), mul(b.wZ, b.wZ)));
    most = f32x4.max(most, spin);
  }
  return sqrt<f32>(largest(most));
}

export function sumBundle(u: JointBundle): void {
  for (let r = 0; r < u.rowCount; r++) {
    const row = bundleRowAt(u, r);
    row.total = add(row.total, row.impulse);
  }
}

/** In lanes where a joint bounced in this substep. */
export function forgetBundleImpacts(u: JointBundle): void {
  let lanes = zero();
  for (let i = 0; i < u.jointCount; i++) {
    const at = changetype<usize>(bundleJointAt(u, i));
    const bounced = offsetof<JointWork>('bounced');
    lanes = v128.or(
      lanes,
      i32x4(
        load<i32>(workIn(at, 0), bounced),
        load<i32>(workIn(at, 1), bounced),
        load<i32>(workIn(at, 2), bounced),
        load<i32>(workIn(at, 3), bounced),
      ),
    );
  }
  if (!v128.any_true(lanes)) return;
  const kept = i32x4.eq(lanes, zero());
  for (let r = 0; r < u.rowCount; r++) {
    const row = bundleRowAt(u, r);
    row.impulse = v128.and(row.impulse, kept);
  }
}
