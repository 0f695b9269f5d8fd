// Chains and trees of joints solved at once. In: locked directions of joints that hang together. Out: the
// impulses that satisfy all of them, whatever the masses: one after the other, a chain with a hundred times
// its weight at the end stretches by centimetres, since each pass tells a joint about its neighbours only.
//
//   A λ = −(J v + bias),   A = J M⁻¹ Jᵀ,   A = L D Lᵀ
//
// Two rows meet in A only where their joints share a body, so row i begins at the first joint that shares
// one with its own (its envelope), and no fill goes beyond. In f64: between masses of 1000 : 1 the factors
// lose the digits that f32 has. Factored once per substep; the biased and the relaxing pass both use it.
// Rows run in the order of the joints' slots: a chain made from end to end is three times as fast as one
// made at random.
import { BODY_DYNAMIC } from '../../memory/constants';
import { Body, BodyVelocity, DirectRow, Joint, JointWork } from '../../memory/records';
import {
  bodyAt,
  DIRECT_ROW_SIZE,
  directRowAt,
  grownCapacity,
  jointAt,
  reallocate,
  setWord,
  velocityAt,
  wordAt,
  workAt,
  world,
} from '../../memory/tables';
import { add, cross, dot, scale, sub, vec3, x, y, z } from '../../math/vector';
import { curvature, inertiaA, inertiaB, lockImpulse, pointVelocity, pushPoint, pushTurn } from './rows';
import { isWorking, nextLink } from './table';

/** Most multiplications per row; beyond, as in a net of joints, passes are cheaper. */
const MOST_WORK_PER_ROW = 2500;
/** Share of the diagonal added to it: where joints say the same twice (closed loops), no pivot vanishes. */
const SOFTENING: f64 = 1e-6;

// @ts-ignore: decorator
@inline function rowCount(w: JointWork): i32 {
  return w.soft ? 0 : (w.linearLocks == 3 ? 3 : 0) + w.angularLocks;
}
// @ts-ignore: decorator
@inline function isMoved(b: Body): bool {
  return b.type == BODY_DYNAMIC && b.awakeIndex >= 0;
}

function find(place: i32): i32 {
  const g = world();
  let at = place;
  while (true) {
    const w = workAt(wordAt(g.activeJoints, at));
    if (w.parent == at) return at;
    at = w.parent;
  }
}

/** The active joint at a link of a body's list, or null. */
// @ts-ignore: decorator
@inline function activeAt(link: i32): i32 {
  return isWorking(jointAt(link >> 1)) ? link >> 1 : 0;
}

/** Components of active joints, in the order of their first joints; which of them are worth solving at once. */
export function prepareDirect(): void {
  const g = world();
  const count = g.activeJointCount;
  for (let i = 0; i < count; i++) {
    const slot = wordAt(g.activeJoints, i);
    const w = workAt(slot);
    w.place = i;
    w.parent = i;
    w.firstRow = -1;
    const j = jointAt(slot);
    uniteAt(bodyAt(j.bodyA), i);
    uniteAt(bodyAt(j.bodyB), i);
  }
  for (let i = 0; i < count; i++) workAt(wordAt(g.activeJoints, i)).parent = find(i);
  // Members by component: roots are the lowest places, so a pass per place that is a root would do; a
  // counting sort over the roots does it in one.
  const bytes = (<usize>(count + 1)) << 3;
  if (<usize>g.directCapacity < bytes) growMatrix(<i32>bytes);
  const starts = <usize>g.directMatrix;
  memory.fill(starts, 0, bytes);
  for (let i = 0; i < count; i++) {
    const at = starts + ((<usize>workAt(wordAt(g.activeJoints, i)).parent + 1) << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  for (let i = 0; i < count; i++) {
    const at = starts + ((<usize>(i + 1)) << 2);
    store<i32>(at, load<i32>(at) + load<i32>(at - 4));
  }
  for (let i = 0; i < count; i++) {
    const slot = wordAt(g.activeJoints, i);
    const at = starts + ((<usize>workAt(slot).parent) << 2);
    const place = load<i32>(at);
    store<i32>(at, place + 1);
    setWord(g.directJoints, place, slot);
  }
  layOut(count);
}

function uniteAt(b: Body, place: i32): void {
  if (b.slot == 0 || !isMoved(b)) return;
  const g = world();
  let link = b.firstJoint;
  while (link != 0) {
    const slot = activeAt(link);
    // Places of joints further on are not set yet: only those before count.
    if (slot != 0 && slot < wordAt(g.activeJoints, place)) {
      const p = find(workAt(slot).place);
      const q = find(place);
      if (p != q) workAt(wordAt(g.activeJoints, max(p, q))).parent = min(p, q);
    }
    link = nextLink(link);
  }
}

/** Rows and envelopes of each component; those that would cost too much are left to the passes. */
function layOut(count: i32): void {
  const g = world();
  let rows = 0;
  let entries = 0;
  let kept = 0;
  let components = 0;
  let begin = 0;
  while (begin < count) {
    const root = workAt(wordAt(g.directJoints, begin)).parent;
    let end = begin;
    while (end < count && workAt(wordAt(g.directJoints, end)).parent == root) end++;
    const firstRow = rows;
    const firstEntry = entries;
    let work: i64 = 0;
    for (let i = begin; i < end; i++) {
      const slot = wordAt(g.directJoints, i);
      const w = workAt(slot);
      const n = rowCount(w);
      if (n == 0) continue;
      reserveRows(rows + n);
      w.firstRow = rows;
      const j = jointAt(slot);
      const first = min(lowestRow(bodyAt(j.bodyA), slot, rows), lowestRow(bodyAt(j.bodyB), slot, rows));
      for (let k = 0; k < n; k++) {
        const row = directRowAt(rows);
        row.axis = w.linearLocks == 3 ? k : k + 3;
        row.first = first;
        row.offset = entries;
        row.joint = slot;
        const width = rows - first + 1;
        entries += width;
        work += <i64>width * width;
        rows++;
      }
    }
    if (rows == firstRow || work > <i64>(rows - firstRow) * MOST_WORK_PER_ROW) {
      for (let i = begin; i < end; i++) workAt(wordAt(g.directJoints, i)).firstRow = -1;
      rows = firstRow;
      entries = firstEntry;
    } else {
      components++;
      for (let i = begin; i < end; i++) {
        const slot = wordAt(g.directJoints, i);
        if (workAt(slot).firstRow >= 0) setWord(g.directJoints, kept++, slot);
      }
    }
    begin = end;
  }
  g.directRowCount = rows;
  g.directCount = kept;
  g.directComponents = components;
  if (<i64>g.directCapacity < (<i64>entries) << 3) growMatrix(entries << 3);
}

function growMatrix(bytes: i32): void {
  const g = world();
  const capacity = grownCapacity(g.directCapacity, bytes);
  g.directMatrix = reallocate(g.directMatrix, g.directCapacity, capacity);
  g.directCapacity = capacity;
}

function reserveRows(count: i32): void {
  const g = world();
  if (count <= g.directRowCapacity) return;
  const capacity = grownCapacity(g.directRowCapacity, count);
  g.directRows = reallocate(
    g.directRows,
    <usize>g.directRowCapacity * DIRECT_ROW_SIZE,
    <usize>capacity * DIRECT_ROW_SIZE,
  );
  g.directRowCapacity = capacity;
}

/** The first row of any joint before `slot` that shares the body. */
function lowestRow(b: Body, slot: i32, self: i32): i32 {
  let lowest = self;
  if (b.slot == 0 || !isMoved(b)) return lowest;
  let link = b.firstJoint;
  while (link != 0) {
    const other = activeAt(link);
    if (other != 0 && other < slot) {
      const row = workAt(other).firstRow;
      if (row >= 0 && row < lowest) lowest = row;
    }
    link = nextLink(link);
  }
  return lowest;
}

// @ts-ignore: decorator
@inline function entryAt(row: DirectRow, column: i32): usize {
  return <usize>world().directMatrix + ((<usize>(row.offset + column - row.first)) << 3);
}

/** A = J M⁻¹ Jᵀ for the frames of now, and its factors. */
export function factorDirect(): void {
  const g = world();
  for (let i = 0; i < g.directCount; i++) directions(wordAt(g.directJoints, i));
  for (let i = 0; i < g.directCount; i++) assemble(wordAt(g.directJoints, i));
  for (let i = 0; i < g.directRowCount; i++) eliminate(i);
}

function directions(slot: i32): void {
  const w = workAt(slot);
  let at = w.firstRow;
  if (w.linearLocks == 3) {
    for (let k = 0; k < 3; k++) {
      const e = k == 0 ? vec3(1, 0, 0) : k == 1 ? vec3(0, 1, 0) : vec3(0, 0, 1);
      setDirection(directRowAt(at++), w, cross(w.rA, e), cross(w.rB, e));
    }
  }
  for (let k = 0; k < w.angularLocks; k++) {
    const d = k == 0 ? w.lock0 : k == 1 ? w.lock1 : w.lock2;
    setDirection(directRowAt(at++), w, d, d);
  }
}

// @ts-ignore: decorator
@inline
function setDirection(row: DirectRow, w: JointWork, armA: v128, armB: v128): void {
  row.armA = armA;
  row.armB = armB;
  row.turnA = inertiaA(w, armA);
  row.turnB = inertiaB(w, armB);
}

function assemble(slot: i32): void {
  const j = jointAt(slot);
  const w = workAt(slot);
  const begin = w.firstRow;
  const end = begin + rowCount(w);
  const mass = add(w.invMassA, w.invMassB);
  for (let r = begin; r < end; r++) {
    const row = directRowAt(r);
    for (let c = row.first; c < begin; c++) store<f64>(entryAt(row, c), 0);
    for (let c = begin; c <= r; c++) {
      const other = directRowAt(c);
      let value = dot(row.armA, other.turnA) + dot(row.armB, other.turnB);
      if (r == c && row.axis < 3) value += lane(mass, row.axis);
      store<f64>(entryAt(row, c), <f64>value * (r == c ? 1 + SOFTENING : 1));
    }
  }
  meet(j, slot, begin, end, 0);
  meet(j, slot, begin, end, 1);
}

// @ts-ignore: decorator
@inline function lane(v: v128, axis: i32): f32 {
  return axis == 0 ? x(v) : axis == 1 ? y(v) : z(v);
}

/** The blocks with the joints before this one at the body on one side. */
function meet(j: Joint, slot: i32, begin: i32, end: i32, side: i32): void {
  const b = bodyAt(side ? j.bodyB : j.bodyA);
  if (b.slot == 0 || !isMoved(b)) return;
  let link = b.firstJoint;
  while (link != 0) {
    const other = activeAt(link);
    const otherSide = link & 1;
    link = nextLink(link);
    if (other == 0 || other >= slot) continue;
    const v = workAt(other);
    if (v.firstRow < 0) continue;
    const stop = v.firstRow + rowCount(v);
    const sign: f64 = side == otherSide ? 1 : -1;
    for (let r = begin; r < end; r++) {
      const row = directRowAt(r);
      const arm = side ? row.armB : row.armA;
      for (let c = v.firstRow; c < stop; c++) {
        const column = directRowAt(c);
        let value = dot(arm, otherSide ? column.turnB : column.turnA);
        if (row.axis < 3 && row.axis == column.axis) value += lane(b.invMass, row.axis);
        const at = entryAt(row, c);
        store<f64>(at, load<f64>(at) + sign * <f64>value);
      }
    }
  }
}

/** Row i of L, and its pivot: the diagonal then holds 1/D. */
function eliminate(i: i32): void {
  const row = directRowAt(i);
  const first = row.first;
  const base = entryAt(row, first);
  for (let k = first; k < i; k++) {
    const other = directRowAt(k);
    const from = max(first, other.first);
    let sum = load<f64>(base + ((<usize>(k - first)) << 3));
    let p = base + ((<usize>(from - first)) << 3);
    let q = entryAt(other, from);
    for (let m = from; m < k; m++, p += 8, q += 8) sum -= load<f64>(p) * load<f64>(q);
    store<f64>(base + ((<usize>(k - first)) << 3), sum); // L·D until the row is done
  }
  const diagonal = base + ((<usize>(i - first)) << 3);
  const whole = load<f64>(diagonal);
  let pivot = whole;
  for (let k = first; k < i; k++) {
    const at = base + ((<usize>(k - first)) << 3);
    const scaled = load<f64>(at);
    const l = scaled * load<f64>(entryAt(directRowAt(k), k));
    pivot -= scaled * l;
    store<f64>(at, l);
  }
  // Nothing left to move, or said twice: the row takes no part.
  store<f64>(diagonal, pivot > 1e-7 * whole && whole > 1e-30 ? 1 / pivot : 0);
}

/** Solves for the end of the substep (with bias), or for velocities that fit the frames of now. */
export function solveDirect(withBias: bool): void {
  if (world().directCount == 0) return;
  // Where the anchors will be depends on how the arms turn, and that on the impulses: a second pass with
  // the turning that the first one found takes the worst gap of a swinging chain with a hundred times a
  // link's mass at its end from 0.48 mm to 0.06 mm.
  if (withBias) sweepDirect(true);
  sweepDirect(withBias);
}

function sweepDirect(withBias: bool): void {
  const g = world();
  for (let i = 0; i < g.directCount; i++) residual(wordAt(g.directJoints, i), withBias);
  const rows = g.directRowCount;
  for (let i = 0; i < rows; i++) {
    const row = directRowAt(i);
    let sum = row.value;
    let at = entryAt(row, row.first);
    for (let k = row.first; k < i; k++, at += 8) sum -= load<f64>(at) * directRowAt(k).value;
    row.value = sum;
  }
  for (let i = 0; i < rows; i++) directRowAt(i).value *= load<f64>(entryAt(directRowAt(i), i));
  for (let i = rows - 1; i >= 0; i--) {
    const row = directRowAt(i);
    const value = row.value;
    let at = entryAt(row, row.first);
    for (let k = row.first; k < i; k++, at += 8) directRowAt(k).value -= load<f64>(at) * value;
  }
  for (let i = 0; i < g.directCount; i++) apply(wordAt(g.directJoints, i));
}

function residual(slot: i32, withBias: bool): void {
  const w = workAt(slot);
  const a = velocityAt(w.moverA);
  const b = velocityAt(w.moverB);
  let at = w.firstRow;
  if (w.linearLocks == 3) {
    let v = pointVelocity(w, a, b);
    if (withBias) v = add(add(v, scale(w.separation, w.biasRate)), curvature(w, a, b));
    directRowAt(at++).value = -(<f64>x(v));
    directRowAt(at++).value = -(<f64>y(v));
    directRowAt(at++).value = -(<f64>z(v));
  }
  if (w.angularLocks == 0) return;
  const relative = sub(b.angular, a.angular);
  const rate: f32 = withBias ? w.biasRate : 0;
  directRowAt(at++).value = -(<f64>(dot(w.lock0, relative) + rate * x(w.turnError)));
  directRowAt(at++).value = -(<f64>(dot(w.lock1, relative) + rate * y(w.turnError)));
  if (w.angularLocks == 3) directRowAt(at).value = -(<f64>(dot(w.lock2, relative) + rate * z(w.turnError)));
}

function apply(slot: i32): void {
  const j = jointAt(slot);
  const w = workAt(slot);
  const a = velocityAt(w.moverA);
  const b = velocityAt(w.moverB);
  let at = w.firstRow;
  const linearA = a.linear;
  const angularA = a.angular;
  const linearB = b.linear;
  const angularB = b.angular;
  if (w.linearLocks == 3) {
    const p = vec3(
      <f32>directRowAt(at).value,
      <f32>directRowAt(at + 1).value,
      <f32>directRowAt(at + 2).value,
    );
    at += 3;
    j.pointImpulse = add(j.pointImpulse, p);
    pushPoint(w, a, b, p);
  }
  if (w.angularLocks > 0) {
    const l = vec3(
      <f32>directRowAt(at).value,
      <f32>directRowAt(at + 1).value,
      w.angularLocks == 3 ? <f32>directRowAt(at + 2).value : 0,
    );
    j.angularImpulse = add(j.angularImpulse, l);
    pushTurn(w, a, b, lockImpulse(w, l));
  }
  addToBase(a, linearA, angularA);
  addToBase(b, linearB, angularB);
}

/** Contacts are warm started by what contacts did: see solve.ts. */
// @ts-ignore: decorator
@inline @wide
export function addToBase(v: BodyVelocity, linear: v128, angular: v128): void {
  v.baseLinear = v.baseLinear + (v.linear - linear);
  v.baseAngular = v.baseAngular + (v.angular - angular);
}
