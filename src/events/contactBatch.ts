// Contacts as arrays, for code that visits all contacts after every step. In: the records that the core collects. Out:
// typed arrays that grow and are reused; nothing is allocated once they are large enough.
import { arraysLike } from '../base/out';
import { CONTACT_RECORD, eventWords } from './events';

/** Contacts as arrays; entry i of the first five belongs to contact i, its points are firstPoints[i] … firstPoints[i + 1] − 1. */
export interface ContactBatch {
  /** Contacts. */
  count: number;
  /** Ids. */
  bodiesA: Int32Array;
  /** Ids of the bodies B. */
  bodiesB: Int32Array;
  /** Ids of the shapes A. */
  shapesA: Int32Array;
  /** Ids of the shapes B. */
  shapesB: Int32Array;
  /** Three each: unit, world, from A to B; zero for a sensor. */
  normals: Float32Array;
  /** One more than contacts. */
  firstPoints: Int32Array;
  /** Five each: position x, y, z in m, world, midway between the surfaces; separation in m; impulse in N·s. */
  points: Float32Array;
}

function create(contacts: number, points: number): ContactBatch {
  return {
    count: 0,
    bodiesA: new Int32Array(contacts),
    bodiesB: new Int32Array(contacts),
    shapesA: new Int32Array(contacts),
    shapesB: new Int32Array(contacts),
    normals: new Float32Array(3 * contacts),
    firstPoints: new Int32Array(contacts + 1),
    points: new Float32Array(CONTACT_RECORD.POINT_WORDS * points),
  };
}

const EMPTY = create(0, 0);

/** The arrays of a batch that somebody gives to be filled. */
export function checkContactBatch(out: unknown): ContactBatch {
  return arraysLike(out, EMPTY);
}

/** The records in `words[from … end − 1]` as arrays, into `out`, which was checked, where it has room. */
export function fillContactBatch(
  words: Int32Array,
  floats: Float32Array,
  from: number,
  end: number,
  out?: ContactBatch,
): ContactBatch {
  let contacts = 0;
  let points = 0;
  for (let at = from; at < end; at += eventWords(words, at)) {
    contacts++;
    points += words[at + CONTACT_RECORD.POINT_COUNT]!;
  }
  const fits =
    out !== undefined &&
    out.bodiesA.length >= contacts &&
    out.points.length >= CONTACT_RECORD.POINT_WORDS * points;
  const batch = fits ? out : create(Math.ceil(1.5 * contacts), Math.ceil(1.5 * points));
  let i = 0;
  let p = 0;
  for (let at = from; at < end; at += eventWords(words, at), i++) {
    batch.bodiesA[i] = words[at + CONTACT_RECORD.IDS]!;
    batch.bodiesB[i] = words[at + CONTACT_RECORD.IDS + 1]!;
    batch.shapesA[i] = words[at + CONTACT_RECORD.IDS + 2]!;
    batch.shapesB[i] = words[at + CONTACT_RECORD.IDS + 3]!;
    for (let k = 0; k < 3; k++) batch.normals[3 * i + k] = floats[at + CONTACT_RECORD.NORMAL + k]!;
    batch.firstPoints[i] = p;
    const length = CONTACT_RECORD.POINT_WORDS * words[at + CONTACT_RECORD.POINT_COUNT]!;
    for (let k = 0; k < length; k++)
      batch.points[CONTACT_RECORD.POINT_WORDS * p + k] = floats[at + CONTACT_RECORD.POINTS + k]!;
    p += words[at + CONTACT_RECORD.POINT_COUNT]!;
  }
  batch.firstPoints[i] = p;
  batch.count = contacts;
  return batch;
}
