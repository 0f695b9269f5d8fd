// A = J M⁻¹ Jᵀ of a bundle and its factors L D Lᵀ. In: frames that the types of the joints left in JointWork.
// Out: rows with arms, directions and errors; L within its envelope and 1/D, for the sweeps of direct.ts.
import { add, mul, neg, scale, splat, sub, zero } from '../../math/vector';
import { BundleBody, BundleJoint, BundleRow, JointBundle, JointRow, JointWork } from '../../memory/records';
import { BUNDLE_ROW_SIZE, bundleBodyAt, bundleJointAt, bundleRowAt, rowAt, world } from '../../memory/tables';
import { AXES, TURNS, aimAtWork, loadMasses, spread, spreadNumber } from './bundleLanes';
import { respondBoth } from './bundleRows';
import { holdTension } from './tension';

/** Share of the diagonal added to it. */
const SOFTENING: f32 = 1e-6;

/**
 * The same for closed loops and what hangs at both ends, where joints say the same twice: there, pivots of 1e-6 are
 * rounding, and the impulses that they give grew from step to step until a bridge at rest flew apart.
 */
const LOOP_SOFTENING: f32 = 2e-4;

/** Pivots below this share of the diagonal are rounding: what they would move is said already. */
const SMALLEST_PIVOT: f32 = 1e-6;

/** Arms, directions and errors as the types of the joints left them in JointWork; then the factors. */
export function takeFrames(u: JointBundle, damp: bool): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = bundleJointAt(u, i);
    const at = changetype<usize>(wide);
    aimAtWork(at);
    spread(at + offsetof<BundleJoint>('rAX'), offsetof<JointWork>('rA'));
    spread(at + offsetof<BundleJoint>('rBX'), offsetof<JointWork>('rB'));
    for (let r = wide.firstRow; r < wide.firstRow + wide.rowCount; r++) takeRow(bundleRowAt(u, r), wide);
  }
  factor(u, damp);
}

function takeRow(row: BundleRow, j: BundleJoint): void {
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
    spread(armA, o);
    spread(armB, o);
    o = offsetof<JointWork>('turnError') + ((<usize>(kind - TURNS)) << 2);
  } else {
    const first = changetype<usize>(rowAt(changetype<JointWork>(0), kind - AXES));
    o = first + offsetof<JointRow>('normal');
    spread(at + offsetof<BundleRow>('normalX'), o);
    o = first + offsetof<JointRow>('armA');
    spread(armA, o);
    o = first + offsetof<JointRow>('armB');
    spread(armB, o);
    o = first + offsetof<JointRow>('error');
  }
  spreadNumber(at + offsetof<BundleRow>('error'), o);
}

/** r × the unit vector of an axis of the world. */
export function crossAxis(to: usize, r: usize, axis: i32): void {
  const x = v128.load(r);
  const y = v128.load(r, 16);
  const z = v128.load(r, 32);
  const none = zero();
  v128.store(to, axis == 0 ? none : axis == 1 ? neg(z) : y);
  v128.store(to, axis == 0 ? z : axis == 1 ? none : neg(x), 16);
  v128.store(to, axis == 0 ? neg(y) : axis == 1 ? x : none, 32);
}

export function factor(u: JointBundle, damp: bool): void {
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

/** L D Lᵀ λ = values, in place. */
export function substitute(u: JointBundle): void {
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
