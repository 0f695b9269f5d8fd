// Linear complementarity problem of up to four contact points: 0 ≤ p ⊥ Kp − r ≥ 0, with K symmetric and at least
// positive semidefinite. In: K in rows of four, r. Out: p. Exact, by trying sets of active points: first that of an
// earlier call, then all of them, for a face that lands flat; then three, two, one. Four points in a plane are one more than the degrees of freedom of
// a body, so a millionth is added to the diagonal of K: of all impulses with the same effect this selects the most
// even.

import { DEFINITE, TINY_SHARE } from '../tolerances';

/** Sets of points as bits, larger sets first. */
const SETS: usize = memory.data<u8>([15, 7, 11, 13, 14, 3, 5, 6, 9, 10, 12, 1, 2, 4, 8, 0]);
const SET_COUNT = 15;

const FACTOR: usize = memory.data(128, 16);
const MEMBERS: usize = memory.data(16, 4);

/** @inline */
function at(m: usize, i: i32): f64 {
  return load<f64>(m + ((<usize>i) << 3));
}
/** @inline */
function put(m: usize, i: i32, value: f64): void {
  store<f64>(m + ((<usize>i) << 3), value);
}

/** n unknowns; addresses of the matrix, the wanted speeds and the impulses. @value */
export class System {
  n: i32;
  k: usize;
  r: usize;
  p: usize;
}

/** Solves the system; returns the set of active points. `first` is tried first: 0, or the set of a similar system. */
export function solveComplementarity(s: System, first: i32): i32 {
  const n = s.n;
  const k = s.k;
  const r = s.r;
  const p = s.p;
  let most: f64 = 0;
  let mean: f64 = 0;
  for (let i = 0; i < n; i++) {
    put(p, i, 0);
    most = max(most, at(r, i));
    mean += at(k, 5 * i);
  }
  if (most <= 0) return 0;
  if (n == 1) {
    put(p, 0, at(k, 0) > 0 ? most / at(k, 0) : 0);
    return 1;
  }
  const definite = (DEFINITE * mean) / <f64>n;
  const all = (1 << n) - 1;
  let set = first;
  for (let i = 0; i <= SET_COUNT; i++) {
    if (set != 0 && (set & ~all) == 0 && trySet(s, set, definite, TINY_SHARE * most)) return set;
    set = <i32>load<u8>(SETS + <usize>i);
  }
  // Rounding hid the solution: use only the point with the largest r.
  let best = 0;
  for (let i = 0; i < n; i++) {
    put(p, i, 0);
    if (at(r, i) > at(r, best)) best = i;
  }
  if (at(k, 5 * best) > 0) put(p, best, at(r, best) / at(k, 5 * best));
  return 0;
}

/** Solves for the points of the set by Cholesky's method; true if they all push and no other point should. */
function trySet(s: System, set: i32, definite: f64, tiny: f64): bool {
  const n = s.n;
  const k = s.k;
  const r = s.r;
  const p = s.p;
  let m = 0;
  for (let i = 0; i < n; i++) {
    put(p, i, 0);
    if (!((set >> i) & 1)) continue;
    store<i32>(MEMBERS + ((<usize>m) << 2), i);
    m++;
  }
  for (let i = 0; i < m; i++) {
    const mi = member(i);
    for (let j = 0; j <= i; j++) {
      let sum = at(k, 4 * mi + member(j));
      if (i == j && m > 2) sum += definite;
      for (let q = 0; q < j; q++) sum -= at(FACTOR, 4 * i + q) * at(FACTOR, 4 * j + q);
      if (i == j) {
        if (!(sum > 0)) return false;
        put(FACTOR, 5 * i, sqrt<f64>(sum));
      } else {
        put(FACTOR, 4 * i + j, sum / at(FACTOR, 5 * j));
      }
    }
  }
  for (let i = 0; i < m; i++) {
    let sum = at(r, member(i));
    for (let q = 0; q < i; q++) sum -= at(FACTOR, 4 * i + q) * at(p, member(q));
    put(p, member(i), sum / at(FACTOR, 5 * i));
  }
  for (let i = m - 1; i >= 0; i--) {
    let sum = at(p, member(i));
    for (let q = i + 1; q < m; q++) sum -= at(FACTOR, 4 * q + i) * at(p, member(q));
    put(p, member(i), sum / at(FACTOR, 5 * i));
    if (!(sum >= 0)) return false;
  }
  for (let i = 0; i < n; i++) {
    if ((set >> i) & 1) continue;
    let u = -at(r, i);
    for (let q = 0; q < m; q++) u += at(k, 4 * i + member(q)) * at(p, member(q));
    if (u < -tiny) return false;
  }
  return true;
}

/** @inline */
function member(i: i32): i32 {
  return load<i32>(MEMBERS + ((<usize>i) << 2));
}
