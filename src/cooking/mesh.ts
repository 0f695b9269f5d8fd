// Cooks triangle meshes. In: vertices and indices. Out: content in the layout of MeshGeometry (src/core/memory/records)
// and a report of repairs: vertices welded, triangles without area and duplicate triangles removed. All in f64; the
// same input gives the same words everywhere.

import { PhysicsError } from '../base/errors';
import { cos, degreesToRadians } from '../base/math';
import { checkBoolean, checkInteger, checkNumber, checkOptions, invalid } from '../base/validate';
import { CONCAVE_ONE_SIDED, TRIANGLE_MATERIAL_SHIFT } from '../core/memory/constants';
import type { Material } from '../options/shapes';
import { type Adjacency, findAdjacency } from './adjacency';
import { readCoefficients } from './coefficients';
import { sealContent } from './contentHash';
import { MOST_COORDINATES, readPoints } from './hull';
import { buildMeshTree, type MeshTree } from './meshTree';
import { MESH_HEADER_WORDS } from './meshWords';
import { weld } from './weld';

/** Options of `cookMesh`: vertices, triangles and how to process them. */
export interface MeshOptions {
  /** m. Vectors, or one flat list of coordinates. */
  vertices: ArrayLike<number> | readonly unknown[];
  /** Three vertices per triangle, counter-clockwise from the front. Default: every three vertices form a triangle. */
  indices?: ArrayLike<number> | undefined;
  /** Only the front collides. Default false: both sides do. */
  oneSided?: boolean | undefined;
  /** m. Vertices no farther apart than this are welded. Default 2⁻²² of the longest side (f32 rounding); 0: only equal ones. */
  weldTolerance?: number | undefined;
  /** Material per triangle, 0 to 255; that of a hit is `materials[hit.triangle]`. Default 0. */
  materials?: ArrayLike<number> | undefined;
  /**
   * Friction, restitution, rolling and spinning friction by material index, in place of the shape's; absent
   * values are the shape's. If a contact spans several materials, each has its own manifold.
   */
  coefficients?: readonly Partial<Material>[] | undefined;
}

/** Report of cooking a mesh. */
export interface MeshReport {
  /** Number of remaining vertices. */
  readonly vertices: number;
  /** Number of remaining triangles. */
  readonly triangles: number;
  /** m */
  readonly weldTolerance: number;
  /** Number of vertices that were welded to another. */
  readonly weldedVertices: number;
  /** Input triangles removed because two corners coincide or all lie on a line. */
  readonly degenerate: Int32Array;
  /** Input triangles removed because another has the same corners. */
  readonly duplicates: Int32Array;
  /** Edges with one triangle; 0: closed. */
  readonly borderEdges: number;
  /** Edges with three triangles or more. */
  readonly nonManifoldEdges: number;
  /** Edges whose two triangles are wound inconsistently: one of them is reversed. */
  readonly inconsistentEdges: number;
}

export interface CookedMesh {
  words: Int32Array;
  report: MeshReport;
}

const KNOWN = ['vertices', 'indices', 'oneSided', 'weldTolerance', 'materials', 'coefficients'];
/** Of the longest side. Four units in the last place of an f32 there. */
const WELD = 1 / 4194304; // 2^-22
/** Degrees: a triangle whose edges all bend the front by less is touched along its own normal only. */
const ACTIVE_EDGE_ANGLE = 5;
/** A triangle lower than this part of its longest side has no plane in f32. */
const SLIVER = 1e-6;
/** What one command carries: its length has 24 bits. */
const MOST_WORDS = 0xfffffc;

/** Checked options of a mesh: what cooking needs, and nothing that could fail but for want of triangles. */
export interface MeshInput {
  /** x, y, z of each vertex, rounded to f32. */
  points: Float64Array;
  indices: Int32Array;
  materials: Uint8Array | undefined;
  coefficients: Float32Array | undefined;
  oneSided: boolean;
  tolerance: number;
}

/**
 * Checks the options of a mesh and copies what they hold.
 *
 * @throws PhysicsError 'invalid-argument' that names the vertex or triangle, 'unknown-option'
 */
export function readMeshOptions(options: unknown): MeshInput {
  const given = checkOptions(options, 'options', KNOWN) as unknown as MeshOptions;
  const points = readPoints(given.vertices, 'vertices');
  const indices = readIndices(given.indices, points.length / 3);
  if (indices.length === 0) throw invalid('indices', 'must hold a triangle', []);
  const { low, high } = boundsOf(points);
  const extent = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
  return {
    points,
    indices,
    materials: readMaterials(given.materials, indices.length / 3),
    coefficients: readCoefficients(given.coefficients, 256),
    oneSided: given.oneSided === undefined ? false : checkBoolean(given.oneSided, 'oneSided'),
    tolerance:
      given.weldTolerance === undefined
        ? WELD * extent
        : checkNumber(given.weldTolerance, 'weldTolerance', { min: 0, max: extent }),
  };
}

/**
 * Cooks in steps of some milliseconds; yields the share that is done, 0…1.
 *
 * @throws PhysicsError 'invalid-argument' when no triangle has an area, 'limit-exceeded' beyond about
 *   1,200,000 triangles
 */
export function* cookMeshSteps(input: MeshInput): Generator<number, CookedMesh> {
  const { points, indices, oneSided, tolerance } = input;
  const kept = weld(points, tolerance);
  let weldedVertices = 0;
  for (let i = 0; i < kept.length; i++) if (kept[i] !== i) weldedVertices++;
  yield 0.1;

  // Triangles that have an area and are not there yet, by their places in the input.
  const { sound, degenerate } = dropDegenerate(indices, kept, points, tolerance);
  const { unique, duplicates } = dropDuplicates(sound, indices, kept, oneSided);
  if (unique.length === 0)
    throw invalid(
      'indices',
      `must hold a triangle with non-zero area (all ${indices.length / 3} have none)`,
      [...indices.subarray(0, 3)],
    );
  yield 0.15;

  const bounds = new Float32Array(6 * unique.length);
  for (let i = 0; i < unique.length; i++) {
    const a = 3 * kept[indices[3 * unique[i]!]!]!;
    const b = 3 * kept[indices[3 * unique[i]! + 1]!]!;
    const c = 3 * kept[indices[3 * unique[i]! + 2]!]!;
    for (let k = 0; k < 3; k++) {
      bounds[6 * i + k] = Math.min(points[a + k]!, points[b + k]!, points[c + k]!);
      bounds[6 * i + 3 + k] = Math.max(points[a + k]!, points[b + k]!, points[c + k]!);
    }
  }
  const building = buildMeshTree(bounds);
  let step = building.next();
  while (step.done !== true) {
    yield 0.15 + (0.65 * step.value) / unique.length;
    step = building.next();
  }
  const tree = step.value;
  const triangles = new Int32Array(unique.length);
  for (let i = 0; i < triangles.length; i++) triangles[i] = unique[tree.order[i]!]!;
  const { corners, vertices } = renumber(triangles, indices, kept, points);
  yield 0.85;

  const adjacency = findAdjacency(corners, vertices, cos(degreesToRadians(ACTIVE_EDGE_ANGLE)), oneSided);
  yield 0.95;

  const { borderEdges, nonManifoldEdges, inconsistentEdges } = adjacency;
  return {
    words: writeMesh(input, tree, triangles, corners, vertices, adjacency),
    report: {
      vertices: vertices.length / 3,
      triangles: triangles.length,
      weldTolerance: tolerance,
      weldedVertices,
      degenerate,
      duplicates,
      borderEdges,
      nonManifoldEdges,
      inconsistentEdges,
    },
  };
}

/** New numbers for vertices in the order of use: what is near is near in memory. */
function renumber(triangles: Int32Array, indices: Int32Array, kept: Int32Array, points: Float64Array) {
  const corners = new Int32Array(3 * triangles.length);
  const numbers = new Int32Array(kept.length).fill(-1);
  const vertices = new Float64Array(3 * Math.min(kept.length, corners.length));
  let count = 0;
  for (let i = 0; i < triangles.length; i++)
    for (let k = 0; k < 3; k++) {
      const source = kept[indices[3 * triangles[i]! + k]!]!;
      if (numbers[source]! < 0) {
        numbers[source] = count++;
        for (let j = 0; j < 3; j++) vertices[3 * numbers[source]! + j] = points[3 * source + j]!;
      }
      corners[3 * i + k] = numbers[source]!;
    }
  return { corners, vertices: vertices.subarray(0, 3 * count) };
}

function writeMesh(
  input: MeshInput,
  tree: MeshTree,
  triangles: Int32Array,
  corners: Int32Array,
  vertices: Float64Array,
  { flags, neighbours }: Adjacency,
): Int32Array {
  const count = triangles.length;
  const vertexCount = vertices.length / 3;
  const { coefficients } = input;
  const tables = MESH_HEADER_WORDS + tree.words.length + 4 * vertexCount + 8 * count;
  const total = tables + (coefficients?.length ?? 0);
  if (total > MOST_WORDS)
    throw new PhysicsError(
      'limit-exceeded',
      'makes more than 64 MB of cooked content: split the mesh into several',
      'indices',
      `${count} triangles`,
    );
  const words = new Int32Array(total);
  const floats = new Float32Array(words.buffer);
  let at = MESH_HEADER_WORDS;
  words.set(tree.words, at);
  at += tree.words.length;
  let radius = 0;
  for (let i = 0; i < vertices.length; i += 3, at += 4) {
    const [x, y, z] = [vertices[i]!, vertices[i + 1]!, vertices[i + 2]!];
    floats[at] = x;
    floats[at + 1] = y;
    floats[at + 2] = z;
    radius = Math.max(radius, x * x + y * y + z * z);
  }
  let materialCount = 1;
  for (let i = 0; i < count; i++, at += 4) {
    const material = input.materials === undefined ? 0 : input.materials[triangles[i]!]!;
    if (material >= materialCount) materialCount = material + 1;
    for (let k = 0; k < 3; k++) words[at + k] = corners[3 * i + k]!;
    words[at + 3] = flags[i]! | (material << TRIANGLE_MATERIAL_SHIFT);
  }
  for (let i = 0; i < count; i++, at += 4) {
    for (let k = 0; k < 3; k++) words[at + k] = neighbours[3 * i + k]!;
    words[at + 3] = triangles[i]!;
  }
  words[0] = vertexCount;
  words[1] = count;
  words[2] = tree.nodeCount;
  words[3] = input.oneSided ? CONCAVE_ONE_SIDED : 0;
  words[6] = tree.depth;
  words[7] = materialCount;
  const { low, high } = boundsOf(vertices);
  for (let k = 0; k < 3; k++) {
    floats[8 + k] = low[k]!;
    floats[12 + k] = high[k]!;
  }
  floats[16] = Math.sqrt(radius);
  if (coefficients !== undefined) {
    words[17] = coefficients.length / 4;
    floats.set(coefficients, tables);
  }
  return sealContent(words);
}

export function readIndices(given: unknown, vertices: number): Int32Array {
  if (given === undefined) {
    if (vertices % 3 !== 0)
      throw invalid('vertices', 'without indices must be three for each triangle', vertices);
    return Int32Array.from({ length: vertices }, (_, i) => i);
  }
  if (typeof given !== 'object' || given === null || !('length' in given))
    throw invalid('indices', 'must be an array of vertices, three for each triangle', given);
  const list = given as ArrayLike<unknown>;
  const length = checkInteger(list.length, 'indices.length', 0, MOST_COORDINATES);
  if (length % 3 !== 0) throw invalid('indices.length', 'must be three for each triangle', length);
  const out = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const index = list[i];
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= vertices)
      throw invalid(
        `indices[${i}]`,
        `(triangle ${Math.floor(i / 3)}) must be a vertex, an integer from 0 to ${vertices - 1}`,
        index,
      );
    out[i] = index;
  }
  return out;
}

function readMaterials(given: unknown, triangles: number): Uint8Array | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || !('length' in given))
    throw invalid('materials', 'must be an array of one index per triangle', given);
  const list = given as ArrayLike<unknown>;
  if (list.length !== triangles)
    throw invalid('materials.length', `must be that of the triangles, ${triangles}`, list.length);
  const out = new Uint8Array(triangles);
  for (let t = 0; t < triangles; t++) out[t] = checkInteger(list[t], `materials[${t}]`, 0, 255);
  return out;
}

function boundsOf(points: Float64Array): { low: Float64Array; high: Float64Array } {
  const low = new Float64Array(3).fill(Infinity);
  const high = new Float64Array(3).fill(-Infinity);
  for (let i = 0; i < points.length; i += 3)
    for (let k = 0; k < 3; k++) {
      if (points[i + k]! < low[k]!) low[k] = points[i + k]!;
      if (points[i + k]! > high[k]!) high[k] = points[i + k]!;
    }
  return { low, high };
}

/** A triangle has an area when its lowest height is more than rounding and than what welding moves. */
function dropDegenerate(
  indices: Int32Array,
  kept: Int32Array,
  points: Float64Array,
  tolerance: number,
): { sound: Int32Array; degenerate: Int32Array } {
  const count = indices.length / 3;
  const sound = new Int32Array(count);
  const degenerate: number[] = [];
  let n = 0;
  for (let t = 0; t < count; t++) {
    const a = 3 * kept[indices[3 * t]!]!;
    const b = 3 * kept[indices[3 * t + 1]!]!;
    const c = 3 * kept[indices[3 * t + 2]!]!;
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!;
    const vy = points[c + 1]! - points[a + 1]!;
    const vz = points[c + 2]! - points[a + 2]!;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const wx = vx - ux;
    const wy = vy - uy;
    const wz = vz - uz;
    const longest = Math.sqrt(
      Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz),
    );
    const height = Math.sqrt(x * x + y * y + z * z) / longest;
    if (height > Math.max(tolerance, SLIVER * longest)) sound[n++] = t;
    else degenerate.push(t);
  }
  return { sound: sound.subarray(0, n), degenerate: Int32Array.from(degenerate) };
}

/** Of triangles with the same corners the first stays; turned over, too, unless only fronts count. */
function dropDuplicates(
  sound: Int32Array,
  indices: Int32Array,
  kept: Int32Array,
  oneSided: boolean,
): { unique: Int32Array; duplicates: Int32Array } {
  let size = 16;
  while (size < 2 * sound.length) size *= 2;
  const heads = new Int32Array(size).fill(-1);
  const next = new Int32Array(sound.length);
  // Corners from the smallest on, in turn.
  const turned = new Int32Array(3 * sound.length);
  const unique = new Int32Array(sound.length);
  const duplicates: number[] = [];
  let n = 0;
  for (let i = 0; i < sound.length; i++) {
    const t = 3 * sound[i]!;
    let a = kept[indices[t]!]!;
    let b = kept[indices[t + 1]!]!;
    let c = kept[indices[t + 2]!]!;
    if (b < a && b < c) [a, b, c] = [b, c, a];
    else if (c < a && c < b) [a, b, c] = [c, a, b];
    // Near numbers, near slots: most meshes number near vertices alike.
    const slot = (2 * a + b + c) & (size - 1);
    let twin = false;
    for (let j = heads[slot]!; j >= 0 && !twin; j = next[j]!) {
      const at = 3 * j;
      if (turned[at] !== a) continue;
      twin =
        (turned[at + 1] === b && turned[at + 2] === c) ||
        (!oneSided && turned[at + 1] === c && turned[at + 2] === b);
    }
    if (twin) {
      duplicates.push(sound[i]!);
      continue;
    }
    turned[3 * n] = a;
    turned[3 * n + 1] = b;
    turned[3 * n + 2] = c;
    next[n] = heads[slot]!;
    heads[slot] = n;
    unique[n++] = sound[i]!;
  }
  return { unique: unique.subarray(0, n), duplicates: Int32Array.from(duplicates) };
}
