// The smallest sphere over points. In: any number of points, equal and coplanar ones, too. Out: the sphere and which
// points hold it. Welzl's algorithm (Smallest Enclosing Disks, Balls and Ellipsoids, 1991) as loops: its depth is the
// number of supports, four at most, not that of the points; points that were outside move to the front of the order
// (his section 3), and a last round takes the farthest point in (Gärtner, Fast and Robust Smallest Enclosing Balls,
// 1999) for what rounding left outside.
import { checkInteger } from '../base/validate';
import { countPoints } from './points';
import { createDice, shuffled } from './random';
import { coveringRadius, createSphere, type Sphere } from './sphere';
import { copyAt, set, squaredDistance, type Vector } from './vector';

/** Options of `minimalSphere`. */
export interface MinimalSphereOptions {
  /** Of the order in which points are taken: it changes the time, the result by rounding only. Default 1. */
  seed?: number;
}

/** Of r²: points this little outside count as on the surface. */
const ON_SURFACE = 1e-13;
/** Supports in one line or plane: their Gram determinant is below this part of the product of its diagonal. */
const DEGENERATE = 1e-13;
/** Rounds over the farthest point: each makes the sphere larger, and a few are enough. */
const ROUNDS = 64;

const SUBSETS = [1, 2, 3, 4].flatMap((size) =>
  Array.from({ length: 32 }, (_, mask) => mask).filter((mask) => bits(mask) === size),
);

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

/**
 * The smallest sphere that contains every point; expected time grows as their number does.
 *
 * @throws PhysicsError 'invalid-argument' for no points, a coordinate that is not finite
 */
export function minimalSphere(
  points: Vector,
  options: MinimalSphereOptions = {},
  out: Sphere = createSphere(),
): Sphere {
  const count = countPoints(points, 'points');
  const seed = checkInteger(options.seed ?? 1, 'seed', -0x80000000, 0xffffffff);
  const order = shuffled(count, createDice(seed));
  const ball = createSphere();
  const state: State = { points, order, support: [], found: [], ball };
  enclose(state, count);
  takeFarthest(state);
  set(out.center, ball.center[0], ball.center[1], ball.center[2]);
  out.radius = coveringRadius(points, out.center);
  return out;
}

interface State {
  points: Vector;
  order: Uint32Array;
  /** Points that are on the surface by assumption. */
  support: number[];
  /** Those that gave the sphere. */
  found: number[];
  ball: Sphere;
}

const point = [0, 0, 0];

/** The smallest sphere over the first `count` points of the order with the supports on its surface. Depth 4 at most. */
function enclose(state: State, count: number): void {
  const { points, order, support, ball } = state;
  if (through(points, support, ball)) state.found = support.slice();
  if (support.length === 4) return;
  for (let i = 0; i < count; i++) {
    const p = order[i];
    copyAt(points, p, point);
    if (ball.radius >= 0 && !(squaredDistance(point, ball.center) > limitOf(ball))) continue;
    support.push(p);
    enclose(state, i);
    support.pop();
    order.copyWithin(1, 0, i);
    order[0] = p;
  }
}

const limitOf = (ball: Sphere) => ball.radius * ball.radius * (1 + ON_SURFACE);

/** While a point is outside: the smallest sphere over the supports and the farthest point. Radii only rise. */
function takeFarthest(state: State): void {
  const { points, ball } = state;
  const trial = createSphere();
  for (let round = 0; round < ROUNDS; round++) {
    let farthest = -1;
    let most = limitOf(ball);
    for (let i = 0; 3 * i < points.length; i++) {
      const away = squaredDistance(copyAt(points, i, point), ball.center);
      if (!(away > most)) continue;
      most = away;
      farthest = i;
    }
    if (farthest < 0) return;
    const candidates = [farthest, ...state.found].slice(0, 5);
    let best = Infinity;
    let chosen: number[] = [];
    for (const mask of SUBSETS) {
      const subset = candidates.filter((_, i) => (mask >> i) & 1);
      if (mask >= 1 << candidates.length || !through(points, subset, trial) || !(trial.radius < best))
        continue;
      if (candidates.some((i) => squaredDistance(copyAt(points, i, point), trial.center) > limitOf(trial)))
        continue;
      best = trial.radius;
      chosen = subset;
    }
    if (!(best > ball.radius)) return; // rounding alone: coveringRadius takes it in
    through(points, chosen, ball);
    state.found = chosen;
  }
}

/**
 * The smallest sphere with up to four points on its surface: its centre is p₀ + Σ λᵢ vᵢ with vᵢ = pᵢ − p₀ and
 * 2 Σ λⱼ vᵢ·vⱼ = vᵢ·vᵢ. False, and nothing changed, for points in one line or plane that allow none.
 */
function through(points: Vector, support: readonly number[], out: Sphere): boolean {
  const size = support.length;
  if (size === 0) {
    out.radius = -1;
    return true;
  }
  const o = 3 * support[0];
  const v = support.slice(1).map((s) => [0, 1, 2].map((k) => points[3 * s + k] - points[o + k]));
  const gram = v.map((a) => v.map((b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
  const half = gram.map((row, i) => row[i] / 2);
  const lambda = solve(gram, half);
  if (lambda === undefined) return false;
  const offset = [0, 1, 2].map((k) => v.reduce((sum, a, i) => sum + lambda[i] * a[k], 0));
  set(out.center, points[o] + offset[0], points[o + 1] + offset[1], points[o + 2] + offset[2]);
  out.radius = Math.sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  return true;
}

/** A symmetric positive definite system of up to three unknowns, by Cholesky's way; undefined if it is singular. */
function solve(matrix: number[][], right: number[]): number[] | undefined {
  const n = right.length;
  const lower = matrix.map((row) => row.slice());
  const x = right.slice();
  let share = 1;
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) lower[j][j] -= lower[j][k] * lower[j][k];
    share *= lower[j][j] / matrix[j][j];
    if (!(share > DEGENERATE)) return undefined;
    lower[j][j] = Math.sqrt(lower[j][j]);
    for (let i = j + 1; i < n; i++) {
      for (let k = 0; k < j; k++) lower[i][j] -= lower[i][k] * lower[j][k];
      lower[i][j] /= lower[j][j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= lower[i][k] * x[k];
    x[i] /= lower[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= lower[k][i] * x[k];
    x[i] /= lower[i][i];
  }
  return x;
}
