// Many spheres that move at once: who touches whom in a step, when, and who belongs together. In: where they were, where they
// are, radii. Out: pairs by time, and groups: chains A–B–C are one, whatever the order. First all boxes of the motions,
// then pairs of boxes along the axis of greatest spread, then the first time at which the distance is the sum of the
// radii, by its quadratic equation.
import { invalid } from '../base/validate';
import { createDisjointSet, findSet, joinSets } from './disjointSet';
import { createMovingHit, movingSpheres } from './moving';
import { countPoints } from './points';
import { createSphere } from './sphere';
import { copyAt, type Vector } from './vector';

/** Two spheres that meet during a step. */
export interface SweptSphereContact {
  /** Numbers of the spheres, a < b. */
  a: number;
  /** Number of the second sphere. */
  b: number;
  /** Of the step, 0 … 1; 0 for spheres that overlap at the start. */
  time: number;
  /** m. Where they touch. */
  point: number[];
  /** Unit, from b to a. */
  normal: number[];
}

/** All that meet during a step. */
export interface SweptSphereContacts {
  /** By time, then by a and b. */
  contacts: SweptSphereContact[];
  /** For each sphere the smallest number of the spheres to which it is connected by contacts of the step. */
  groups: Int32Array;
}

/**
 * @param previous  x, y, z of each sphere at the start of the step, m
 * @param current   the same at its end
 * @param radii     m, ≥ 0, one for each
 * @throws PhysicsError 'invalid-argument' for lists of other lengths, numbers that are not finite, negative radii
 */
export function sweptSphereContacts(previous: Vector, current: Vector, radii: Vector): SweptSphereContacts {
  const count = countPoints(previous, 'previous', 0);
  if (countPoints(current, 'current', 0) !== count)
    throw invalid('current.length', `must be ${previous.length}, as previous`, current.length);
  if (radii.length !== count) throw invalid('radii.length', `must be ${count}`, radii.length);
  for (let i = 0; i < count; i++)
    if (!(radii[i] >= 0 && Number.isFinite(radii[i]))) throw invalid(`radii[${i}]`, 'must be ≥ 0', radii[i]);
  // All boxes before any is used.
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = Math.min(previous[3 * i + k], current[3 * i + k]) - radii[i];
      boxes[6 * i + 3 + k] = Math.max(previous[3 * i + k], current[3 * i + k]) + radii[i];
    }
  const contacts: SweptSphereContact[] = [];
  const sets = createDisjointSet(count);
  const [a, b] = [createSphere(), createSphere()];
  const [motionA, motionB] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  const hit = createMovingHit();
  const place = (i: number, ball: { center: Vector; radius: number }, motion: number[]) => {
    copyAt(previous, i, ball.center as number[]);
    for (let k = 0; k < 3; k++) motion[k] = current[3 * i + k] - previous[3 * i + k];
    ball.radius = radii[i];
  };
  eachPairOfBoxes(boxes, (i, j) => {
    place(i, a, motionA);
    place(j, b, motionB);
    if (!movingSpheres(a, motionA, b, motionB, hit)) return;
    joinSets(sets, i, j);
    contacts.push({
      a: i,
      b: j,
      time: hit.time,
      point: Array.from(hit.point),
      normal: Array.from(hit.normal),
    });
  });
  contacts.sort((x, y) => x.time - y.time || x.a - y.a || x.b - y.b);
  return { contacts, groups: Int32Array.from({ length: count }, (_, i) => findSet(sets, i)) };
}

/** Sort and sweep along the axis on which the middles of the boxes are spread most (Baraff 1992). i < j. */
function eachPairOfBoxes(boxes: Float64Array, found: (i: number, j: number) => void): void {
  const count = boxes.length / 6;
  let axis = 0;
  let widest = -1;
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < count; i++) {
      const middle = (boxes[6 * i + k] + boxes[6 * i + 3 + k]) / 2;
      sum += middle;
      squares += middle * middle;
    }
    const spread = squares - (sum * sum) / count;
    if (spread > widest) {
      widest = spread;
      axis = k;
    }
  }
  const order = Array.from({ length: count }, (_, i) => i).sort(
    (i, j) => boxes[6 * i + axis] - boxes[6 * j + axis] || i - j,
  );
  for (let m = 0; m < count; m++) {
    const i = order[m];
    for (let n = m + 1; n < count && boxes[6 * order[n] + axis] <= boxes[6 * i + 3 + axis]; n++) {
      const j = order[n];
      if (overlap(boxes, i, j)) found(Math.min(i, j), Math.max(i, j));
    }
  }
}

/** The ends of one against the other ends of the other, on every axis. */
function overlap(boxes: Float64Array, i: number, j: number): boolean {
  for (let k = 0; k < 3; k++)
    if (boxes[6 * i + k] > boxes[6 * j + 3 + k] || boxes[6 * j + k] > boxes[6 * i + 3 + k]) return false;
  return true;
}
