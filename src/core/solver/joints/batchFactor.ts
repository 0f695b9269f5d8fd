// The matrix A = J M⁻¹ Jᵀ of a batch of joints (see batches.ts) and its factors L D Lᵀ. In: frames that the joint types
// left in JointWork. Out: rows with arms, directions and errors; L within its envelope and 1/D, for the sweeps of
// direct.ts.
import { add, mul, neg, scale, splat, sub, zero } from '../../math/vector';
import { BODY_ISOTROPIC } from '../../memory/constants';
import {
  BatchArms,
  BatchBody,
  BatchJoint,
  BatchRow,
  JointBatch,
  JointRow,
  JointWork,
} from '../../memory/records';
import {
  BATCH_ARMS_SIZE,
  batchArmsAt,
  batchBodyAt,
  batchJointAt,
  batchRowAt,
  bodyAt,
  rowAt,
  world,
} from '../../memory/tables';
import { LEAST_LEVERAGE, LOOP_SOFTENING, PIVOT_SOFTENING, ROUNDING, SHORT_ARM } from '../../tolerances';
import { ACROSS, AXES, loadMasses, numbers, slotIn, spread, TURNS, workPlaces } from './batchLanes';
import { holdTension, isTight, keepAcross } from './geometricStiffness';
import { invertPivot } from './pivots';
import { factorPoints } from './points';

/** Takes arms, directions and errors that the joint types left in JointWork, then computes the factors. */
export function takeFrames(u: JointBatch, damp: bool): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = batchJointAt(u, i);
    const at = changetype<usize>(wide);
    const works = workPlaces(at);
    spread(at + offsetof<BatchJoint>('rAX'), works, offsetof<JointWork>('rA'));
    spread(at + offsetof<BatchJoint>('rBX'), works, offsetof<JointWork>('rB'));
    for (let r = wide.firstRow; r < wide.firstRow + wide.lockCount; r++) takeRow(u, r, works);
  }
  if (u.points) factorPoints(u, damp);
  else factor(u, damp);
  if (u.acting) keepAcross(u);
}

function takeRow(u: JointBatch, r: i32, works: v128): void {
  const row = batchRowAt(u, r);
  const kind = row.kind;
  const at = changetype<usize>(batchArmsAt(u, r));
  let o: usize;
  if (kind < TURNS) {
    o = offsetof<JointWork>('separation') + ((<usize>kind) << 2);
  } else if (kind < AXES) {
    o = offsetof<JointWork>('lock0') + ((<usize>(kind - TURNS)) << 4);
    spread(at + offsetof<BatchArms>('armAX'), works, o);
    spread(at + offsetof<BatchArms>('armBX'), works, o);
    o = offsetof<JointWork>('turnError') + ((<usize>(kind - TURNS)) << 2);
  } else {
    const first = changetype<usize>(rowAt(changetype<JointWork>(0), kind - AXES));
    spread(at + offsetof<BatchArms>('normalX'), works, first + offsetof<JointRow>('normal'));
    spread(at + offsetof<BatchArms>('armAX'), works, first + offsetof<JointRow>('armA'));
    spread(at + offsetof<BatchArms>('armBX'), works, first + offsetof<JointRow>('armB'));
    o = first + offsetof<JointRow>('error');
  }
  row.error = numbers(works, o);
}

export function factor(u: JointBatch, damp: bool): void {
  u.turned = 0;
  u.aged = 0;
  loadMasses(u);
  holdTension(u, damp);
  if (u.across) letAct(u, isTight(u));
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++) {
      const at = changetype<usize>(batchArmsAt(u, r));
      const armA = at + offsetof<BatchArms>('armAX');
      const armB = at + offsetof<BatchArms>('armBX');
      const kind = batchRowAt(u, r).kind;
      if (kind < TURNS) {
        crossAxis(armA, changetype<usize>(j) + offsetof<BatchJoint>('rAX'), kind);
        crossAxis(armB, changetype<usize>(j) + offsetof<BatchJoint>('rBX'), kind);
        v128.store(at + ((<usize>kind) << 4), splat(1), offsetof<BatchArms>('normalX'));
      }
      respond(batchBodyAt(u, j.a), armA, at + offsetof<BatchArms>('turnAX'));
      respond(batchBodyAt(u, j.b), armB, at + offsetof<BatchArms>('turnBX'));
    }
  }
  noteAging(u);
  for (let i = 0; i < u.jointCount; i++) assemble(u, i);
  for (let i = 0; i < u.jointCount; i++) eliminate(u, batchJointAt(u, i));
}

/** Whether rows across take part. What remains of them otherwise is zeros, for the loops over all rows of a batch. */
function letAct(u: JointBatch, acts: bool): void {
  if (acts == (u.acting != 0)) return;
  u.acting = acts ? 1 : 0;
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    j.rowCount = j.lockCount + (acts ? j.across : 0);
    for (let r = j.firstRow + j.rowCount; r < j.firstRow + j.lockCount + j.across; r++) {
      const row = batchRowAt(u, r);
      row.impulse = zero();
      memory.fill(entryAt(u, row, row.first), 0, (<usize>(r + 1 - row.first)) << 4);
      v128.store(<usize>world().batchData + <usize>u.pivots + ((<usize>r) << 4), zero());
      v128.store(<usize>world().batchData + <usize>u.values + ((<usize>r) << 4), zero());
    }
  }
}

/**
 * Marks bodies whose rotation changes the factors: by their arms, by the locked directions that they carry, or by their
 * inertia. A wheel with equal moments, held at its centre by a body that carries the directions, does none of these and
 * may spin freely.
 */
function noteAging(u: JointBatch): void {
  let unequal = zero();
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(batchBodyAt(u, i));
    const ages = i32x4(moments(at, 0), moments(at, 1), moments(at, 2), moments(at, 3));
    batchBodyAt(u, i).ages = ages;
    unequal = v128.or(unequal, ages);
  }
  u.unequal = v128.any_true(unequal) ? 1 : 0;
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (j.rowCount == 0) continue;
    const carries = (j.locks & 1) == 0 || j.rowCount > TURNS;
    markArm(batchBodyAt(u, j.a), changetype<usize>(j) + offsetof<BatchJoint>('rAX'), carries);
    markArm(batchBodyAt(u, j.b), changetype<usize>(j) + offsetof<BatchJoint>('rBX'), false);
  }
}

/** −1 if the body's moments of inertia are not equal, 0 otherwise. */
function moments(record: usize, lane: usize): i32 {
  return bodyAt(slotIn(record, lane)).flags & BODY_ISOTROPIC ? 0 : -1;
}

/** @wide */
function markArm(b: BatchBody, arm: usize, carries: bool): void {
  const x = v128.load(arm);
  const y = v128.load(arm, 16);
  const z = v128.load(arm, 32);
  const far = f32x4.gt(x * x + y * y + z * z, splat(SHORT_ARM) * splat(SHORT_ARM));
  b.ages = v128.or(b.ages, carries ? i32x4.splat(-1) : far);
}

/** r × the unit vector of a world axis. */
function crossAxis(to: usize, r: usize, axis: i32): void {
  const x = v128.load(r);
  const y = v128.load(r, 16);
  const z = v128.load(r, 32);
  const none = zero();
  v128.store(to, axis == 0 ? none : axis == 1 ? neg(z) : y);
  v128.store(to, axis == 0 ? z : axis == 1 ? none : neg(x), 16);
  v128.store(to, axis == 0 ? neg(y) : axis == 1 ? x : none, 32);
}

/** Inverse inertia times an arm. @wide */
function respond(b: BatchBody, arm: usize, to: usize): void {
  const x = v128.load(arm);
  const y = v128.load(arm, 16);
  const z = v128.load(arm, 32);
  v128.store(to, b.inertiaXX * x + b.inertiaXY * y + b.inertiaXZ * z);
  v128.store(to, b.inertiaXY * x + b.inertiaYY * y + b.inertiaYZ * z, 16);
  v128.store(to, b.inertiaXZ * x + b.inertiaYZ * y + b.inertiaZZ * z, 32);
}

/** @inline */
function entryAt(u: JointBatch, row: BatchRow, column: i32): usize {
  return <usize>world().batchData + <usize>u.matrix + ((<usize>(row.offset + column)) << 4);
}

/** Computes the rows of one joint in A: with the earlier joints that share a body, and with itself. */
function assemble(u: JointBatch, index: i32): void {
  const j = batchJointAt(u, index);
  const a = batchBodyAt(u, j.a);
  const b = batchBodyAt(u, j.b);
  const armA = offsetof<BatchArms>('armAX');
  const armB = offsetof<BatchArms>('armBX');
  const turnA = offsetof<BatchArms>('turnAX');
  const turnB = offsetof<BatchArms>('turnBX');
  for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++) {
    const row = batchRowAt(u, r);
    const end = entryAt(u, row, r);
    for (let at = entryAt(u, row, j.first); at <= end; at += 16) v128.store(at, zero());
  }
  meet(u, new Meeting(j, j), new Offsets(armA, turnA), new Shared(a, false));
  meet(u, new Meeting(j, j), new Offsets(armB, turnB), new Shared(b, false));
  const along = freedom(j, a, b, true);
  const about = freedom(j, a, b, false);
  for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++) {
    const row = batchRowAt(u, r);
    const at = entryAt(u, row, r);
    const k = row.kind;
    if (k >= ACROSS) {
      v128.store(at, add(v128.load(at), j.softness));
      continue;
    }
    const free = k < TURNS || (k >= AXES && k < AXES + TURNS) ? along : about;
    const own = v128.load(at);
    if (u.redundant) {
      v128.store(at, add(own, scale(f32x4.pmax(own, scale(free, LEAST_LEVERAGE)), LOOP_SOFTENING)));
    } else {
      // In a flat game the locks of a hinge meet nothing that moves, but for the rounding of their directions. Held by that,
      // the hinge would not turn.
      const moves = f32x4.gt(own, scale(free, ROUNDING * ROUNDING));
      v128.store(at, scale(v128.and(own, moves), <f32>1 + PIVOT_SOFTENING));
    }
  }
  for (let k = j.firstJoint; k < index; k++) {
    const o = batchJointAt(u, k);
    if (o.a == j.a) meet(u, new Meeting(j, o), new Offsets(armA, turnA), new Shared(a, false));
    if (o.b == j.a) meet(u, new Meeting(j, o), new Offsets(armA, turnB), new Shared(a, true));
    if (o.a == j.b) meet(u, new Meeting(j, o), new Offsets(armB, turnA), new Shared(b, true));
    if (o.b == j.b) meet(u, new Meeting(j, o), new Offsets(armB, turnB), new Shared(b, false));
  }
}

/** Speed per unit impulse of a row of the joint, if it had the best direction and arm. @wide */
function freedom(j: BatchJoint, a: BatchBody, b: BatchBody, linear: bool): v128 {
  let turnA = a.inertiaXX + a.inertiaYY + a.inertiaZZ;
  let turnB = b.inertiaXX + b.inertiaYY + b.inertiaZZ;
  if (linear) {
    turnA = turnA * (j.rAX * j.rAX + j.rAY * j.rAY + j.rAZ * j.rAZ) + a.invMassX + a.invMassY + a.invMassZ;
    turnB = turnB * (j.rBX * j.rBX + j.rBY * j.rBY + j.rBZ * j.rBZ) + b.invMassX + b.invMassY + b.invMassZ;
  }
  return turnA + turnB;
}

/** Two joints, or one twice. @value */
class Meeting {
  j: BatchJoint;
  o: BatchJoint;
}

/** Of the lever arm of j's rows, and of the response of o's rows, in BatchArms. @value */
class Offsets {
  arm: usize;
  turn: usize;
}

/** The body that both act on; opposed: it is the first of one and the second of the other. @value */
class Shared {
  body: BatchBody;
  opposed: bool;
}

/** Adds the effect of unit impulses of the rows of `o`, through a shared body, on the speeds of the rows of `j`. */
function meet(u: JointBatch, joints: Meeting, offsets: Offsets, shared: Shared): void {
  const j = joints.j;
  const o = joints.o;
  const arm = offsets.arm;
  const turn = offsets.turn;
  const body = shared.body;
  const sign = shared.opposed ? splat(-1) : splat(1);
  for (let r = j.firstRow; r < j.firstRow + j.rowCount; r++) {
    const row = batchRowAt(u, r);
    const k = row.kind;
    const arms = batchArmsAt(u, r);
    const p = changetype<usize>(arms) + arm;
    const x = mul(sign, v128.load(p));
    const y = mul(sign, v128.load(p, 16));
    const z = mul(sign, v128.load(p, 32));
    const end = min(o.firstRow + o.rowCount, r + 1);
    let at = entryAt(u, row, o.firstRow);
    let q = changetype<usize>(batchArmsAt(u, o.firstRow));
    for (let c = o.firstRow; c < end; c++, at += 16, q += BATCH_ARMS_SIZE) {
      let value = add(v128.load(at), mul(x, v128.load(q + turn)));
      value = add(value, mul(y, v128.load(q + turn, 16)));
      value = add(value, mul(z, v128.load(q + turn, 32)));
      const l = batchRowAt(u, c).kind;
      if (k < TURNS && l < TURNS) {
        if (k == l) {
          const mass = v128.load(
            changetype<usize>(body) + ((<usize>k) << 4),
            offsetof<BatchBody>('invMassX'),
          );
          value = add(value, mul(sign, mass));
        }
      } else if ((k < TURNS || k >= AXES) && (l < TURNS || l >= AXES)) {
        const other = changetype<BatchArms>(q);
        value = add(value, mul(mul(sign, body.invMassX), mul(arms.normalX, other.normalX)));
        value = add(value, mul(mul(sign, body.invMassY), mul(arms.normalY, other.normalY)));
        value = add(value, mul(mul(sign, body.invMassZ), mul(arms.normalZ, other.normalZ)));
      }
      v128.store(at, value);
    }
  }
}

/** Computes the rows of a joint in L, and their pivots. */
function eliminate(u: JointBatch, j: BatchJoint): void {
  const r = j.firstRow;
  const three = (j.locks & 1) != 0;
  if (three) reduceThree(u, r, j.first, r);
  for (let i = r; i < r + j.rowCount; i++) {
    reduce(u, i, three && i < r + TURNS ? r : j.first);
    finishRow(u, i);
  }
}

/** Subtracts the contributions of earlier rows from row i, columns k on; entries are L·D until the row is finished. */
function reduce(u: JointBatch, i: i32, k: i32): void {
  const row = batchRowAt(u, i);
  const base = entryAt(u, row, 0);
  for (; k < i; k++) {
    const other = batchRowAt(u, k);
    const from = max(row.first, other.first);
    const at = base + ((<usize>k) << 4);
    let sum = v128.load(at);
    let q = entryAt(u, other, from);
    for (let p = base + ((<usize>from) << 4); p < at; p += 16, q += 16)
      sum = sub(sum, mul(v128.load(p), v128.load(q)));
    v128.store(at, sum);
  }
}

/** The same for three rows at once: three independent sums use the processor better. */
function reduceThree(u: JointBatch, i: i32, k: i32, end: i32): void {
  const first = k;
  const base = entryAt(u, batchRowAt(u, i), 0);
  const second = entryAt(u, batchRowAt(u, i + 1), 0) - base;
  const third = entryAt(u, batchRowAt(u, i + 2), 0) - base;
  for (; k < end; k++) {
    const other = batchRowAt(u, k);
    const from = max(first, other.first);
    const at = base + ((<usize>k) << 4);
    let sum0 = v128.load(at);
    let sum1 = v128.load(at + second);
    let sum2 = v128.load(at + third);
    let q = entryAt(u, other, from);
    for (let p = base + ((<usize>from) << 4); p < at; p += 16, q += 16) {
      const l = v128.load(q);
      sum0 = sub(sum0, mul(v128.load(p), l));
      sum1 = sub(sum1, mul(v128.load(p + second), l));
      sum2 = sub(sum2, mul(v128.load(p + third), l));
    }
    v128.store(at, sum0);
    v128.store(at + second, sum1);
    v128.store(at + third, sum2);
  }
}

function finishRow(u: JointBatch, i: i32): void {
  const row = batchRowAt(u, i);
  let at = entryAt(u, row, row.first);
  const end = entryAt(u, row, i);
  const pivots = <usize>world().batchData + <usize>u.pivots;
  const diagonal = v128.load(end);
  let pivot = diagonal;
  for (let p = pivots + ((<usize>row.first) << 4); at < end; at += 16, p += 16) {
    const scaled = v128.load(at);
    const l = mul(scaled, v128.load(p));
    pivot = sub(pivot, mul(scaled, l));
    v128.store(at, l);
  }
  v128.store(pivots + ((<usize>i) << 4), invertPivot(pivot, diagonal));
}

/** Solves L D Lᵀ λ = values in place. */
export function substitute(u: JointBatch): void {
  substituteForward(u, <usize>world().batchData + <usize>u.values, 0);
  substituteBack(u);
}

/** Solves L y = values in place, for an array whose values are 0 up to the rows of joint `first`. */
export function substituteForward(u: JointBatch, values: usize, first: i32): void {
  for (let i = first; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    let at = values + ((<usize>j.firstRow) << 4);
    const end = at + ((<usize>j.rowCount) << 4);
    if (j.locks & 1) {
      forwardThree(u, j, at);
      at += 48;
    }
    for (; at < end; at += 16) {
      const row = batchRowAt(u, <i32>((at - values) >> 4));
      let l = entryAt(u, row, row.first);
      let sum = v128.load(at);
      for (let p = values + ((<usize>row.first) << 4); p < at; p += 16, l += 16)
        sum = sub(sum, mul(v128.load(l), v128.load(p)));
      v128.store(at, sum);
    }
  }
}

/** Solves D Lᵀ λ = y, for the values of the batch. */
export function substituteBack(u: JointBatch): void {
  const values = <usize>world().batchData + <usize>u.values;
  let pivot = <usize>world().batchData + <usize>u.pivots;
  let at = values + ((<usize>u.rowCount) << 4);
  for (let p = values; p < at; p += 16, pivot += 16) v128.store(p, mul(v128.load(p), v128.load(pivot)));
  for (let i = u.jointCount - 1; i >= 0; i--) {
    const j = batchJointAt(u, i);
    const first = values + ((<usize>j.firstRow) << 4);
    const begin = j.locks & 1 ? first + 48 : first;
    while (at > begin) {
      at -= 16;
      const row = batchRowAt(u, <i32>((at - values) >> 4));
      let l = entryAt(u, row, row.first);
      const value = v128.load(at);
      for (let p = values + ((<usize>row.first) << 4); p < at; p += 16, l += 16)
        v128.store(p, sub(v128.load(p), mul(v128.load(l), value)));
    }
    if (at > first) backThree(u, j, first);
    at = first;
  }
}

// The three rows of an anchor at once: independent sums, and values are read once for all three.

function forwardThree(u: JointBatch, j: BatchJoint, at: usize): void {
  let l = entryAt(u, batchRowAt(u, j.firstRow), j.first);
  const second = entryAt(u, batchRowAt(u, j.firstRow + 1), j.first) - l;
  const third = entryAt(u, batchRowAt(u, j.firstRow + 2), j.first) - l;
  let x = v128.load(at);
  let y = v128.load(at, 16);
  let z = v128.load(at, 32);
  for (let p = at - ((<usize>(j.firstRow - j.first)) << 4); p < at; p += 16, l += 16) {
    const value = v128.load(p);
    x = sub(x, mul(v128.load(l), value));
    y = sub(y, mul(v128.load(l + second), value));
    z = sub(z, mul(v128.load(l + third), value));
  }
  y = sub(y, mul(v128.load(l + second), x));
  z = sub(sub(z, mul(v128.load(l + third), x)), mul(v128.load(l + third, 16), y));
  v128.store(at, x);
  v128.store(at, y, 16);
  v128.store(at, z, 32);
}

function backThree(u: JointBatch, j: BatchJoint, at: usize): void {
  let l = entryAt(u, batchRowAt(u, j.firstRow), j.firstRow);
  const second = entryAt(u, batchRowAt(u, j.firstRow + 1), j.firstRow) - l;
  const third = entryAt(u, batchRowAt(u, j.firstRow + 2), j.firstRow) - l;
  const z = v128.load(at, 32);
  const y = sub(v128.load(at, 16), mul(v128.load(l + third, 16), z));
  const x = sub(sub(v128.load(at), mul(v128.load(l + second), y)), mul(v128.load(l + third), z));
  v128.store(at, x);
  v128.store(at, y, 16);
  const end = at;
  l -= (<usize>(j.firstRow - j.first)) << 4;
  for (at -= (<usize>(j.firstRow - j.first)) << 4; at < end; at += 16, l += 16) {
    let value = sub(v128.load(at), mul(v128.load(l), x));
    value = sub(value, mul(v128.load(l + second), y));
    v128.store(at, sub(value, mul(v128.load(l + third), z)));
  }
}
