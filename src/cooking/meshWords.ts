// The layout of a cooked mesh in the core's memory: reading its tables, and validation of foreign content. In: words in
// the layout of MeshGeometry. Out: vertices and triangles, or the fault. The writer is mesh.ts.

import { MAX_COORDINATE } from '../base/limits';
import { CONCAVE_ONE_SIDED, TRIANGLE_MATERIAL_SHIFT } from '../core/memory/constants';
import { coefficientsFault } from './coefficients';
import { isSealed } from './contentHash';

/** Words of MeshGeometry before its tables. */
export const MESH_HEADER_WORDS = 20;
const NODE_WORDS = 28;
/** Word of a node at which its children begin. */
const CHILD = 24;
/** More than any mesh that fits one command needs: 16 levels by cost, then quarters. */
const MOST_LEVELS = 32;

/** Where the tables begin, in words. */
export function tablesOf(words: Int32Array) {
  const [vertexCount, triangleCount, nodeCount] = [words[0]!, words[1]!, words[2]!];
  const vertices = MESH_HEADER_WORDS + NODE_WORDS * nodeCount;
  const triangles = vertices + 4 * vertexCount;
  const neighbours = triangles + 4 * triangleCount;
  return {
    vertexCount,
    triangleCount,
    nodeCount,
    vertices,
    triangles,
    neighbours,
    coefficients: neighbours + 4 * triangleCount,
    end: neighbours + 4 * triangleCount + 4 * words[17]!,
  };
}

/** The content of a cooked mesh as its user knows it. */
export interface MeshContent {
  /** m: x, y, z of each. */
  vertices: Float32Array;
  /** Three corners of each triangle. */
  indices: Uint32Array;
  /** The number of each triangle in the input of the cooking. */
  sources: Uint32Array;
  /** One per triangle. */
  materials: Uint8Array;
  /** True: only the front collides, from which corners go counter-clockwise. */
  oneSided: boolean;
}

export function readMesh(words: Int32Array): MeshContent {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const at = tablesOf(words);
  const vertices = new Float32Array(3 * at.vertexCount);
  for (let i = 0; i < at.vertexCount; i++)
    for (let k = 0; k < 3; k++) vertices[3 * i + k] = floats[at.vertices + 4 * i + k]!;
  const indices = new Uint32Array(3 * at.triangleCount);
  const sources = new Uint32Array(at.triangleCount);
  const materials = new Uint8Array(at.triangleCount);
  for (let t = 0; t < at.triangleCount; t++) {
    for (let k = 0; k < 3; k++) indices[3 * t + k] = words[at.triangles + 4 * t + k]!;
    materials[t] = words[at.triangles + 4 * t + 3]! >> TRIANGLE_MATERIAL_SHIFT;
    sources[t] = words[at.neighbours + 4 * t + 3]!;
  }
  return { vertices, indices, sources, materials, oneSided: (words[3]! & CONCAVE_ONE_SIDED) !== 0 };
}

/** What is wrong with content from outside: whatever passes, the core can read without harm. */
export function meshFault(words: Int32Array): string | undefined {
  if (words.length < MESH_HEADER_WORDS) return 'no header';
  const at = tablesOf(words);
  if (!(at.vertexCount >= 3 && at.triangleCount >= 1 && at.nodeCount >= 1)) return 'no triangles';
  if (words.length !== at.end) return `${words.length} words for ${at.triangleCount} triangles`;
  if ((words[3]! & ~CONCAVE_ONE_SIDED) !== 0) return `flags ${words[3]}`;
  const depth = words[6]!;
  if (!(depth >= 1 && depth <= MOST_LEVELS)) return `a tree of ${depth} levels`;
  if (!(words[7]! >= 1 && words[7]! <= 256)) return `${words[7]} materials`;
  if (!(words[17]! >= 0 && words[17]! <= 256)) return `coefficients of ${words[17]} materials`;
  return (
    headerFault(words) ??
    nodesFault(words, depth) ??
    trianglesFault(words) ??
    coefficientsFault(
      new Float32Array(words.buffer, words.byteOffset + 4 * at.coefficients, 4 * words[17]!),
    ) ??
    (isSealed(words) ? undefined : 'a wrong checksum')
  );
}

function headerFault(words: Int32Array): string | undefined {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const at = tablesOf(words);
  const radius = floats[16]!;
  if (!(radius > 0 && radius <= 2 * MAX_COORDINATE)) return `a radius of ${radius}`;
  for (let k = 0; k < 3; k++)
    if (!(floats[8 + k]! <= floats[12 + k]! && floats[12 + k]! - floats[8 + k]! <= 4 * MAX_COORDINATE))
      return 'bounds that are none';
  for (let i = 0; i < at.vertexCount; i++)
    for (let k = 0; k < 3; k++) {
      const value = floats[at.vertices + 4 * i + k]!;
      if (!(Math.abs(value) <= 1.001 * radius)) return `vertex ${i} at ${value}`;
    }
  return undefined;
}

/** Nodes come after their parents, each below one parent and no deeper than the header says. */
function nodesFault(words: Int32Array, depth: number): string | undefined {
  const { nodeCount, triangleCount } = tablesOf(words);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const levels = new Uint8Array(nodeCount);
  levels[0] = 1;
  for (let node = 0; node < nodeCount; node++) {
    const at = MESH_HEADER_WORDS + NODE_WORDS * node;
    if (levels[node] === 0) return `node ${node} below none`;
    if (levels[node]! > depth) return `node ${node} on level ${levels[node]}`;
    for (let k = 0; k < CHILD; k++)
      if (Number.isNaN(floats[at + k])) return `a bound of node ${node} that is no number`;
    for (let lane = 0; lane < 4; lane++) {
      const child = words[at + CHILD + lane]!;
      if (child > 0) {
        if (child <= node || child >= nodeCount || levels[child] !== 0) return `node ${child} below ${node}`;
        levels[child] = levels[node]! + 1;
      } else if (child < 0) {
        const first = (-child - 1) >>> 3;
        if (first + ((-child - 1) & 7) >= triangleCount) return `a leaf at triangle ${first}`;
      }
    }
  }
  return undefined;
}

function trianglesFault(words: Int32Array): string | undefined {
  const { vertexCount, triangleCount, triangles, neighbours } = tablesOf(words);
  for (let t = 0; t < triangleCount; t++)
    for (let k = 0; k < 3; k++) {
      const corner = words[triangles + 4 * t + k]!;
      const neighbour = words[neighbours + 4 * t + k]!;
      if (!(corner >= 0 && corner < vertexCount)) return `triangle ${t} at vertex ${corner}`;
      if (!(neighbour >= -1 && neighbour < triangleCount)) return `triangle ${t} beside ${neighbour}`;
    }
  return undefined;
}
