// The public functions for cooked geometry: make, read, save and load it. In: options or bytes. Out: Geometry, which
// shapes of any world share. An equal mesh is not cooked again while the first one is in use.
import { checksum } from '../base/checksum';
import { PhysicsError } from '../base/errors';
import { MAX_COORDINATE } from '../base/limits';
import type { Vec3 } from '../base/math';
import { checkFunction, checkOptions, invalid } from '../base/validate';
import { SHAPE_HEIGHTFIELD, SHAPE_HULL, SHAPE_MESH } from '../core/memory/constants';
import type { Vec3Like } from '../types';
import { hullsOfMesh } from './decomposition';
import { Geometry, geometryOf } from './geometries';
import { geometryFault, readGeometry } from './geometryWords';
import {
  cookHeightfieldWords,
  fieldTriangles,
  type HeightfieldContent,
  type HeightfieldOptions,
  readHeightfield as readHeightfieldWords,
} from './heightfield';
import { cookHull as buildHull, type HullOptions } from './hull';
import { type CookedMesh, cookMeshSteps, type MeshInput, type MeshOptions, readMeshOptions } from './mesh';
import { type MeshContent, readMesh as readMeshWords } from './meshWords';

/** By a hash of the input; what is not in use any more may go. */
const cooked = new Map<string, WeakRef<Geometry>>();
/** Entries after which those that are gone are swept out. */
const SWEEP = 256;

/** @internal Names the input of a mesh. */
function inputKey({ points, indices, materials, coefficients, oneSided, tolerance }: MeshInput): string {
  const hash = new Int32Array(6);
  const coordinates = new Int32Array(Float32Array.from(points).buffer);
  checksum(coordinates, 0, coordinates.length, hash, 0);
  checksum(indices, 0, indices.length, hash, 2);
  if (materials !== undefined) {
    const list = Int32Array.from(materials);
    checksum(list, 0, list.length, hash, 4);
  }
  return [points.length, indices.length, ...hash, oneSided, tolerance, ...(coefficients ?? [])].join();
}

/** @internal */
function cachedMesh(key: string): Geometry | undefined {
  return cooked.get(key)?.deref();
}

/** @internal */
function keepMesh(key: string, { words, report }: CookedMesh): Geometry {
  if (cooked.size >= SWEEP)
    for (const [name, entry] of cooked) if (entry.deref() === undefined) cooked.delete(name);
  const geometry = new Geometry(SHAPE_MESH, words, Object.freeze(report), undefined, hullsOfMesh);
  cooked.set(key, new WeakRef(geometry));
  return geometry;
}

/**
 * Cooks a triangle mesh: welds vertices, removes triangles without area (`geometry.report` names them), classifies edges,
 * builds a tree. About 3 ms per 1,000 triangles.
 *
 * @param onProgress  called from time to time with the progress, 0…1
 * @throws PhysicsError 'invalid-argument' that names the vertex or triangle: not finite, out of range, or no
 *   triangle left; 'limit-exceeded' beyond about 1,200,000 triangles
 */
export function cookMesh(options: MeshOptions, onProgress?: (share: number) => void): Geometry {
  if (onProgress !== undefined) checkFunction(onProgress, 'onProgress');
  const input = readMeshOptions(options);
  const key = inputKey(input);
  const known = cachedMesh(key);
  if (known !== undefined) return known;
  const steps = cookMeshSteps(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return keepMesh(key, value);
    onProgress?.(value);
  }
}

/**
 * Cooks a grid of heights.
 *
 * @throws PhysicsError 'invalid-argument' that names the height or cell, 'limit-exceeded' beyond 64 MB (about
 *   3,500 × 3,500)
 */
export function cookHeightfield(options: HeightfieldOptions): Geometry {
  return new Geometry(SHAPE_HEIGHTFIELD, cookHeightfieldWords(options));
}

/**
 * The convex hull of points, cooked once for any number of shapes: `{ type: 'hull', geometry }`.
 *
 * @throws PhysicsError 'invalid-argument' that names the point: not finite, out of range, fewer than four, or all
 *   of them (nearly) in one point, line or plane
 */
export function cookHull(
  points: ArrayLike<number> | readonly Vec3Like[],
  options: HullOptions = {},
): Geometry {
  return geometryOf(buildHull(points, checkOptions(options, 'options', ['maxVertices'])));
}

function checkKind(geometry: Geometry, kind: number, rule: string): Int32Array {
  if (!(geometry instanceof Geometry) || geometry.kind !== kind) throw invalid('geometry', rule, geometry);
  return geometry.words;
}

/** Vertices and triangles of a cooked mesh, in the order of its tree; `sources` has their numbers in the input. */
export function readMesh(geometry: Geometry): MeshContent {
  return readMeshWords(checkKind(geometry, SHAPE_MESH, 'must come from cookMesh'));
}

/** The input from which a heightfield was cooked. */
export function readHeightfield(geometry: Geometry): HeightfieldContent {
  return readHeightfieldWords(checkKind(geometry, SHAPE_HEIGHTFIELD, 'must come from cookHeightfield'));
}

/** The result of cookHull, in the frame of its input points. */
export interface HullContent {
  /** x, y, z of each vertex, m. */
  vertices: Float32Array;
  /** Vertices of each face, counter-clockwise from outside. */
  faces: number[][];
}

/** Vertices and faces of a cooked hull. */
export function readHull(geometry: Geometry): HullContent {
  const { vertices, faces } = readGeometry(checkKind(geometry, SHAPE_HULL, 'must come from cookHull'));
  return { vertices: Float32Array.from(vertices, (c, i) => c + geometry.center[i % 3]!), faces };
}

/** The triangles of a mesh, heightfield or hull, for drawing; those of a hull are in the frame of its points. */
export function readTriangles(geometry: Geometry): { vertices: Float32Array; indices: Uint32Array } {
  if (geometry instanceof Geometry && geometry.kind === SHAPE_HULL) {
    const { vertices, faces } = readHull(geometry);
    const indices = faces.flatMap((face) => face.slice(2).flatMap((c, i) => [face[0]!, face[i + 1]!, c]));
    return { vertices, indices: Uint32Array.from(indices) };
  }
  if (geometry instanceof Geometry && geometry.kind === SHAPE_HEIGHTFIELD)
    return fieldTriangles(readHeightfieldWords(geometry.words));
  return readMesh(geometry);
}

/** 'RCG' and the version of the layouts. */
const MAGIC = 0x52434700 | 2;
const HEADER_WORDS = 8;
/** Of a hull: where its points have their centre of mass. */
const CENTER_AT = 3;
/** The checksum of what is before it; the content has its own. */
const SUM_AT = 6;

/** Saves geometry as bytes, from which `importCooked` makes the same geometry without cooking. */
export function exportCooked(geometry: Geometry): Uint8Array {
  if (!(geometry instanceof Geometry)) throw invalid('geometry', 'must be cooked geometry', geometry);
  const words = new Int32Array(HEADER_WORDS + geometry.words.length);
  words.set([MAGIC, geometry.kind, geometry.words.length]);
  new Float32Array(words.buffer).set(geometry.center, CENTER_AT);
  checksum(words, 0, SUM_AT, words, SUM_AT);
  words.set(geometry.words, HEADER_WORDS);
  return new Uint8Array(words.buffer);
}

/**
 * Loads geometry from the bytes of `exportCooked`. Everything is checked: invalid bytes cannot harm a world.
 *
 * @throws PhysicsError 'damaged-geometry'
 */
export function importCooked(bytes: Uint8Array | ArrayBuffer): Geometry {
  if (!(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer))
    throw invalid('bytes', 'must be a Uint8Array or an ArrayBuffer', bytes);
  const damaged = (what: string) => new PhysicsError('damaged-geometry', `cooked geometry refused: ${what}`);
  const all = Uint8Array.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  if (all.length % 4 !== 0 || all.length < 4 * HEADER_WORDS) throw damaged(`${all.length} bytes`);
  const words = new Int32Array(all.buffer);
  if (words[0]! >>> 8 !== MAGIC >>> 8) throw damaged('it does not begin as exportCooked writes it');
  if (words[0] !== MAGIC) throw damaged(`it is of version ${words[0]! & 255}, not ${MAGIC & 255}`);
  const sum = new Int32Array(2);
  checksum(words, 0, SUM_AT, sum, 0);
  if (sum[0] !== words[SUM_AT] || sum[1] !== words[SUM_AT + 1]) throw damaged('a wrong checksum');
  const [kind, length] = [words[1]!, words[2]!];
  if (length !== words.length - HEADER_WORDS) throw damaged('it is cut off, or something follows it');
  const content = words.slice(HEADER_WORDS);
  const fault = geometryFault(kind, content);
  if (fault !== undefined) throw damaged(fault);
  const center = Array.from(new Float32Array(all.buffer, 4 * CENTER_AT, 3)) as Vec3;
  if (!center.every((c) => (kind === SHAPE_HULL ? Math.abs(c) <= MAX_COORDINATE : Object.is(c, 0))))
    throw damaged(`a centre at ${center}`);
  return new Geometry(kind, content, undefined, center, kind === SHAPE_MESH ? hullsOfMesh : undefined);
}

/** 'RCD' and the version. */
const LIST_MAGIC = 0x52434400 | 1;
/** Of one file. */
const MOST_HULLS = 256;

/** Saves the hulls of a decomposition, or any cooked hulls, as bytes for `importHulls`. */
export function exportHulls(hulls: readonly Geometry[]): Uint8Array {
  if (!Array.isArray(hulls) || hulls.length === 0 || hulls.length > MOST_HULLS)
    throw invalid('hulls', `must be 1 to ${MOST_HULLS} hulls`, hulls);
  const parts = hulls.map((hull, i) => {
    if (!(hull instanceof Geometry) || hull.kind !== SHAPE_HULL)
      throw invalid(`hulls[${i}]`, 'must come from cookHull or decompose', hull);
    return exportCooked(hull);
  });
  const head = Int32Array.of(LIST_MAGIC, parts.length, ...parts.map((part) => part.length));
  const bytes = new Uint8Array(head.byteLength + parts.reduce((sum, part) => sum + part.length, 0));
  bytes.set(new Uint8Array(head.buffer));
  let at = head.byteLength;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Loads the hulls that `exportHulls` or the command `ricochet cook` wrote.
 *
 * @throws PhysicsError 'damaged-geometry' that names the hull
 */
export function importHulls(bytes: Uint8Array | ArrayBuffer): Geometry[] {
  if (!(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer))
    throw invalid('bytes', 'must be a Uint8Array or an ArrayBuffer', bytes);
  const all = Uint8Array.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  const damaged = (what: string) => new PhysicsError('damaged-geometry', `cooked hulls refused: ${what}`);
  if (all.length < 8) throw damaged(`${all.length} bytes`);
  const words = new Int32Array(all.buffer, 0, all.length >> 2);
  if (words[0] !== LIST_MAGIC) throw damaged('they do not begin as exportHulls writes them');
  const count = words[1]!;
  if (!(count >= 1 && count <= MOST_HULLS && words.length >= 2 + count)) throw damaged(`${count} hulls`);
  let at = 4 * (2 + count);
  const hulls = Array.from(words.subarray(2, 2 + count), (length, i) => {
    if (!(length > 0 && at + length <= all.length))
      throw damaged(`hull ${i} of ${length} bytes at byte ${at}`);
    const hull = importCooked(all.subarray(at, at + length));
    if (hull.kind !== SHAPE_HULL) throw damaged(`hull ${i} is none`);
    at += length;
    return hull;
  });
  if (at !== all.length) throw damaged(`something follows at byte ${at}`);
  return hulls;
}
