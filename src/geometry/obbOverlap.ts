// Two oriented boxes: whether they share a point, by separating axes (Gottschalk, Lin and Manocha, OBBTree, 1996;
// Ericson 4.4.1). In: two Obb. Out: true where no axis parts them; touching counts.
import { axesOf, subtract, type Vector } from './vector';
import type { Obb } from './volumes';

const axesA = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const axesB = [0, 0, 0, 0, 0, 0, 0, 0, 0];
/** B's axes in the frame of A: row i, column j is Aᵢ · Bⱼ. */
const r = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const absR = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const offset = [0, 0, 0];
const t = [0, 0, 0];
/** Added to the absolute values: two parallel edges have no cross product, and rounding must not part boxes by it. */
const PARALLEL = 1e-12;

function relate(a: Obb, b: Obb): void {
  axesOf(a.rotation, axesA);
  axesOf(b.rotation, axesB);
  subtract(b.center, a.center, offset);
  for (let i = 0; i < 3; i++) {
    const x = axesA[3 * i];
    const y = axesA[3 * i + 1];
    const z = axesA[3 * i + 2];
    t[i] = offset[0] * x + offset[1] * y + offset[2] * z; // on axis i of A, each its own
    for (let j = 0; j < 3; j++) {
      const c = x * axesB[3 * j] + y * axesB[3 * j + 1] + z * axesB[3 * j + 2];
      r[3 * i + j] = c;
      absR[3 * i + j] = Math.abs(c) + PARALLEL;
    }
  }
}

/** The face normals of both. */
function facesPart(hA: Vector, hB: Vector): boolean {
  for (let i = 0; i < 3; i++) {
    const reach = hA[i] + hB[0] * absR[3 * i] + hB[1] * absR[3 * i + 1] + hB[2] * absR[3 * i + 2];
    if (Math.abs(t[i]) > reach) return true;
  }
  for (let j = 0; j < 3; j++) {
    const reach = hA[0] * absR[j] + hA[1] * absR[3 + j] + hA[2] * absR[6 + j] + hB[j];
    if (Math.abs(t[0] * r[j] + t[1] * r[3 + j] + t[2] * r[6 + j]) > reach + PARALLEL * reach) return true;
  }
  return false;
}

/** Whether two oriented boxes overlap or touch, by all 15 axes: three normals of each box, and the cross products of their edges. */
export function obbsOverlap(a: Obb, b: Obb): boolean {
  relate(a, b);
  const hA = a.halfExtents;
  const hB = b.halfExtents;
  if (facesPart(hA, hB)) return false;
  for (let i = 0; i < 3; i++) {
    const i1 = (i + 1) % 3;
    const i2 = (i + 2) % 3;
    for (let j = 0; j < 3; j++) {
      const j1 = (j + 1) % 3;
      const j2 = (j + 2) % 3;
      const reach =
        hA[i1] * absR[3 * i2 + j] +
        hA[i2] * absR[3 * i1 + j] +
        hB[j1] * absR[3 * i + j2] +
        hB[j2] * absR[3 * i + j1];
      if (Math.abs(t[i2] * r[3 * i1 + j] - t[i1] * r[3 * i2 + j]) > reach) return false;
    }
  }
  return true;
}

/**
 * Only the six normals: never false for boxes that overlap, but true for some that are edge to edge, 6 or 7 % of
 * the pairs that are looked at (Ericson 4.4.1, after van den Bergen 1999). For the first look of a tree of boxes.
 */
export function obbsMayOverlap(a: Obb, b: Obb): boolean {
  relate(a, b);
  return !facesPart(a.halfExtents, b.halfExtents);
}

/**
 * For boxes that share one axis, say that all stand upright: that axis, and the two others of each, four tests in the
 * plane perpendicular to it.
 *
 * @param up  which of their own axes it is: 0, 1 or 2. Default 1, y
 */
export function uprightObbsOverlap(a: Obb, b: Obb, up: 0 | 1 | 2 = 1): boolean {
  relate(a, b);
  const hA = a.halfExtents;
  const hB = b.halfExtents;
  if (Math.abs(t[up]) > hA[up] + hB[up]) return false;
  const u = (up + 1) % 3;
  const v = (up + 2) % 3;
  if (Math.abs(t[u]) > hA[u] + hB[u] * absR[3 * u + u] + hB[v] * absR[3 * u + v]) return false;
  if (Math.abs(t[v]) > hA[v] + hB[u] * absR[3 * v + u] + hB[v] * absR[3 * v + v]) return false;
  const onU = t[u] * r[3 * u + u] + t[v] * r[3 * v + u];
  if (Math.abs(onU) > hA[u] * absR[3 * u + u] + hA[v] * absR[3 * v + u] + hB[u]) return false;
  const onV = t[u] * r[3 * u + v] + t[v] * r[3 * v + v];
  return Math.abs(onV) <= hA[u] * absR[3 * u + v] + hA[v] * absR[3 * v + v] + hB[v];
}
