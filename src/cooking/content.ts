// Cooked geometry as its user handles it: made from what is given, read, saved and loaded. In: options or
// bytes. Out: Geometry, which shapes of any world share. The same mesh given again is not cooked again while
// the first is in use.
import { checksum } from '../checksum';
import { SHAPE_HEIGHTFIELD, SHAPE_MESH } from '../core/memory/constants';
import { PhysicsError } from '../errors';
import { Geometry } from '../geometries';
import { checkFunction, invalid } from '../validate';
import { geometryFault } from './geometryWords';
import {
  cookHeightfieldWords,
  fieldTriangles,
  type HeightfieldContent,
  type HeightfieldOptions,
  readHeightfield as readHeightfieldWords,
} from './heightfield';
import { type CookedMesh, cookMeshSteps, type MeshInput, type MeshOptions, readMeshOptions } from './mesh';
import { type MeshContent, readMesh as readMeshWords } from './meshWords';

/** By a hash of the input; what is not in use any more may go. */
const cooked = new Map<string, WeakRef<Geometry>>();
/** Entries after which those that are gone are swept out. */
const SWEEP = 256;

/** @internal Names the input of a mesh. */
export function inputKey({ points, indices, materials, oneSided, tolerance, angle }: MeshInput): string {
  const hash = new Int32Array(6);
  const coordinates = new Int32Array(Float32Array.from(points).buffer);
  checksum(coordinates, 0, coordinates.length, hash, 0);
  checksum(indices, 0, indices.length, hash, 2);
  if (materials !== undefined) {
    const list = Int32Array.from(materials);
    checksum(list, 0, list.length, hash, 4);
  }
  return [points.length, indices.length, ...hash, oneSided, tolerance, angle].join();
}

/** @internal */
export function cachedMesh(key: string): Geometry | undefined {
  return cooked.get(key)?.deref();
}

/** @internal */
export function keepMesh(key: string, { words, report }: CookedMesh): Geometry {
  if (cooked.size >= SWEEP)
    for (const [name, entry] of cooked) if (entry.deref() === undefined) cooked.delete(name);
  const geometry = new Geometry(SHAPE_MESH, words, Object.freeze(report));
  cooked.set(key, new WeakRef(geometry));
  return geometry;
}

/**
 * A triangle mesh to collide with: vertices welded, triangles without an area left out (`geometry.report` says
 * which), edges classified, a tree built. About 3 ms per 1,000 triangles.
 *
 * @param onProgress  called now and then with the share that is done, 0…1
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
 * A grid of heights to collide with.
 *
 * @throws PhysicsError 'invalid-argument' that names the height or cell, 'limit-exceeded' beyond 64 MB (about
 *   3,500 × 3,500)
 */
export function cookHeightfield(options: HeightfieldOptions): Geometry {
  return new Geometry(SHAPE_HEIGHTFIELD, cookHeightfieldWords(options));
}

function checkKind(geometry: Geometry, kind: number, rule: string): Int32Array {
  if (!(geometry instanceof Geometry) || geometry.kind !== kind) throw invalid('geometry', rule, geometry);
  return geometry.words;
}

/** Vertices and triangles of a cooked mesh, in the order of its tree; `sources` has their numbers in the input. */
export function readMesh(geometry: Geometry): MeshContent {
  return readMeshWords(checkKind(geometry, SHAPE_MESH, 'must come from cookMesh'));
}

/** What a heightfield was cooked from. */
export function readHeightfield(geometry: Geometry): HeightfieldContent {
  return readHeightfieldWords(checkKind(geometry, SHAPE_HEIGHTFIELD, 'must come from cookHeightfield'));
}

/** The triangles of a mesh or heightfield, to draw them. */
export function readTriangles(geometry: Geometry): { vertices: Float32Array; indices: Uint32Array } {
  if (geometry instanceof Geometry && geometry.kind === SHAPE_HEIGHTFIELD)
    return fieldTriangles(readHeightfieldWords(geometry.words));
  return readMesh(geometry);
}

/** 'RCG' and the version of the layouts. */
const MAGIC = 0x52434700 | 1;
const HEADER_WORDS = 3;

/** Bytes to keep, from which `importCooked` makes the same geometry without cooking. */
export function exportCooked(geometry: Geometry): Uint8Array {
  if (!(geometry instanceof Geometry)) throw invalid('geometry', 'must be cooked geometry', geometry);
  const words = new Int32Array(HEADER_WORDS + geometry.words.length);
  words.set([MAGIC, geometry.kind, geometry.words.length]);
  words.set(geometry.words, HEADER_WORDS);
  return new Uint8Array(words.buffer);
}

/**
 * Geometry from the bytes that `exportCooked` made. Everything is checked: no bytes can harm a world.
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
  const [kind, length] = [words[1]!, words[2]!];
  if (length !== words.length - HEADER_WORDS) throw damaged('it is cut off, or something follows it');
  const content = words.slice(HEADER_WORDS);
  const fault = geometryFault(kind, content);
  if (fault !== undefined) throw damaged(fault);
  return new Geometry(kind, content);
}
