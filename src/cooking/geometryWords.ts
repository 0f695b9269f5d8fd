// A cooked hull in the layout of the core's memory. In: Hull. Out: the words of HullGeometry in src/core/memory/records
// with its tables; the same words for the same hull, so that the hash of the content identifies it.

import { MAX_SIZE } from '../base/limits';
import {
  GEOMETRY_HEADER_WORDS,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_MULTISPHERE,
  SHAPE_TRIANGLE,
} from '../core/memory/constants';
import { isSealed, sealContent } from './contentHash';
import { heightfieldFault } from './heightfieldWords';
import { type Hull, MAX_HULL_VERTICES } from './hull';
import { meshFault } from './meshWords';
import { pointFault } from './pointWords';

export function geometryWords(hull: Hull): Int32Array {
  const vertexCount = hull.vertices.length / 3;
  const faceCount = hull.faces.length;
  const cornerCount = hull.faces.reduce((sum, face) => sum + face.length, 0);
  const vertexBlocks = (vertexCount + 3) >> 2;
  const faceBlocks = (faceCount + 3) >> 2;
  const tables = vertexBlocks * 12 + faceBlocks * 16 + faceCount + 1 + 1.5 * cornerCount;
  // Whole 16 bytes, so that geometry can follow geometry.
  const words = new Int32Array((GEOMETRY_HEADER_WORDS + tables + 3) & ~3);
  const floats = new Float32Array(words.buffer);
  words[0] = vertexCount;
  words[1] = faceCount;
  words[2] = cornerCount;
  floats[3] = hull.radius;
  let at = GEOMETRY_HEADER_WORDS;
  for (let i = 0; i < vertexBlocks * 4; i++)
    for (let k = 0; k < 3; k++)
      floats[at + (i >> 2) * 12 + 4 * k + (i & 3)] = hull.vertices[3 * Math.min(i, vertexCount - 1) + k]!;
  at += vertexBlocks * 12;
  for (let i = 0; i < faceBlocks * 4; i++)
    for (let k = 0; k < 4; k++)
      floats[at + (i >> 2) * 16 + 4 * k + (i & 3)] = hull.planes[4 * Math.min(i, faceCount - 1) + k]!;
  at += faceBlocks * 16;
  let corner = 0;
  const corners = at + faceCount + 1;
  hull.faces.forEach((face, i) => {
    words[at + i] = corner;
    for (const vertex of face) words[corners + corner++] = vertex;
  });
  words[at + faceCount] = corner;
  const { halfEdges } = hull;
  let edge = corners + corner;
  for (let i = 0; i < cornerCount; i++) {
    const twin = halfEdges[4 * i + 3]!;
    if (i < twin)
      words[edge++] =
        halfEdges[4 * i]! |
        (halfEdges[4 * twin]! << 6) |
        (halfEdges[4 * i + 1]! << 12) |
        (halfEdges[4 * twin + 1]! << 19);
  }
  return sealContent(words);
}

const MAX_FACES = 2 * MAX_HULL_VERTICES - 4;

/** Types of shapes that have cooked geometry. */
export const GEOMETRY_KINDS: readonly number[] = [
  SHAPE_HULL,
  SHAPE_TRIANGLE,
  SHAPE_MULTISPHERE,
  SHAPE_MESH,
  SHAPE_HEIGHTFIELD,
];

/** What is wrong with content from outside: whatever passes, the core can read without harm. */
export function geometryFault(kind: number, words: Int32Array): string | undefined {
  switch (kind) {
    case SHAPE_HULL:
      return hullFault(words);
    case SHAPE_TRIANGLE:
    case SHAPE_MULTISPHERE:
      return pointFault(words, kind === SHAPE_MULTISPHERE);
    case SHAPE_MESH:
      return meshFault(words);
    case SHAPE_HEIGHTFIELD:
      return heightfieldFault(words);
    default:
      return `no geometry of kind ${kind}`;
  }
}

function hullFault(words: Int32Array): string | undefined {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const [vertexCount, faceCount, cornerCount] = [words[0]!, words[1]!, words[2]!];
  if (words.length < GEOMETRY_HEADER_WORDS) return 'no header';
  if (!(vertexCount >= 4 && vertexCount <= MAX_HULL_VERTICES)) return `${vertexCount} vertices`;
  if (!(faceCount >= 4 && faceCount <= MAX_FACES)) return `${faceCount} faces`;
  if (!(cornerCount >= 3 * faceCount && cornerCount <= 6 * MAX_HULL_VERTICES))
    return `${cornerCount} corners`;
  const planes = GEOMETRY_HEADER_WORDS + ((vertexCount + 3) >> 2) * 12;
  const starts = planes + ((faceCount + 3) >> 2) * 16;
  const corners = starts + faceCount + 1;
  const edges = corners + cornerCount;
  if (cornerCount & 1 || words.length !== ((edges + cornerCount / 2 + 3) & ~3))
    return `${words.length} words`;
  const radius = floats[3]!;
  if (!(radius > 0 && radius <= 2 * MAX_SIZE)) return `a radius of ${radius}`;
  for (let i = GEOMETRY_HEADER_WORDS; i < planes; i++)
    if (!(Math.abs(floats[i]!) <= 1.001 * radius)) return `a vertex at ${floats[i]}`;
  for (let i = planes; i < starts; i += 16)
    for (let k = 0; k < 4; k++) {
      const [x, y, z] = [floats[i + k]!, floats[i + 4 + k]!, floats[i + 8 + k]!];
      if (!(Math.abs(x * x + y * y + z * z - 1) < 1e-3)) return 'a normal that is no unit vector';
      if (!(Math.abs(floats[i + 12 + k]!) <= 1.001 * radius)) return `a plane at ${floats[i + 12 + k]}`;
    }
  if (words[starts] !== 0 || words[starts + faceCount] !== cornerCount) return 'faces out of range';
  for (let i = 0; i < faceCount; i++) {
    const corners = words[starts + i + 1]! - words[starts + i]!;
    if (!(corners >= 3 && corners <= MAX_HULL_VERTICES)) return `a face of ${corners} corners`;
  }
  for (let i = corners; i < edges; i++)
    if (!(words[i]! >= 0 && words[i]! < vertexCount)) return `a corner at vertex ${words[i]}`;
  for (let i = edges; i < edges + cornerCount / 2; i++) {
    const edge = words[i]!;
    if (
      Math.max(edge & 63, (edge >> 6) & 63) >= vertexCount ||
      Math.max((edge >> 12) & 127, edge >>> 19) >= faceCount
    )
      return `an edge ${edge}`;
  }
  return isSealed(words) ? undefined : 'a wrong checksum';
}

/** Vertices and faces of content that has no fault. */
export function readGeometry(words: Int32Array): { vertices: Float64Array; faces: number[][] } {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const [vertexCount, faceCount] = [words[0]!, words[1]!];
  const vertices = Float64Array.from({ length: 3 * vertexCount }, (_, c) => {
    const i = Math.floor(c / 3);
    return floats[GEOMETRY_HEADER_WORDS + (i >> 2) * 12 + 4 * (c % 3) + (i & 3)]!;
  });
  const starts = GEOMETRY_HEADER_WORDS + ((vertexCount + 3) >> 2) * 12 + ((faceCount + 3) >> 2) * 16;
  const corners = starts + faceCount + 1;
  const faces = Array.from({ length: faceCount }, (_, f) =>
    Array.from(words.subarray(corners + words[starts + f]!, corners + words[starts + f + 1]!)),
  );
  return { vertices, faces };
}
