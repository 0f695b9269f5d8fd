// Triangles of OBJ and STL files, text and binary. In: bytes. Out: vertices and triangles; errors that name the line or
// byte. Only points and faces of an OBJ file are read: groups, normals, materials are ignored.
import { PhysicsError } from '../base/errors';
import { invalid } from '../base/validate';

/** Triangles of a file, for `cookMesh` and `decompose`. */
export interface MeshFile {
  /** x, y, z of each vertex, in the file's unit. */
  vertices: Float32Array;
  /** Three vertices per triangle. */
  indices: Uint32Array;
}

const MOST_NUMBERS = 1 << 25;
const STL_HEAD = 84;
const STL_TRIANGLE = 50;

const damaged = (place: string, what: string) => new PhysicsError('damaged-file', `${place}: ${what}`);

/**
 * Reads an OBJ or STL file; which of them it is, it tells by its content.
 *
 * @throws PhysicsError 'damaged-file' that names the line or byte
 */
export function readMeshFile(bytes: Uint8Array | ArrayBuffer): MeshFile {
  if (!(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer))
    throw invalid('bytes', 'must be a Uint8Array or an ArrayBuffer', bytes);
  const all = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  if (all.length >= STL_HEAD) {
    const view = new DataView(all.buffer, all.byteOffset, all.length);
    const count = view.getUint32(STL_HEAD - 4, true);
    if (all.length === STL_HEAD + STL_TRIANGLE * count) return readBinaryStl(view, count);
  }
  const text = new TextDecoder().decode(all);
  return /^\s*solid\b/.test(text) ? readTextStl(text) : readObj(text);
}

function readBinaryStl(view: DataView, count: number): MeshFile {
  if (count === 0) throw damaged('byte 80', 'no triangles');
  const vertices = new Float32Array(9 * count);
  for (let t = 0; t < count; t++)
    for (let k = 0; k < 9; k++) {
      const at = STL_HEAD + STL_TRIANGLE * t + 12 + 4 * k;
      const value = view.getFloat32(at, true);
      if (!Number.isFinite(value))
        throw damaged(`byte ${at}, triangle ${t}`, 'a coordinate that is no number');
      vertices[9 * t + k] = value;
    }
  return { vertices, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

function numberIn(word: string | undefined, line: number): number {
  const value = Number(word);
  if (word === undefined || word === '' || !Number.isFinite(value) || !Number.isFinite(Math.fround(value)))
    throw damaged(`line ${line}`, `${JSON.stringify(word?.slice(0, 40) ?? '')} is no coordinate`);
  return value;
}

function readTextStl(text: string): MeshFile {
  const vertices: number[] = [];
  text.split('\n').forEach((content, i) => {
    const words = content.trim().split(/\s+/);
    if (words[0] !== 'vertex') return;
    for (let k = 1; k <= 3; k++) vertices.push(numberIn(words[k], i + 1));
  });
  if (vertices.length === 0 || vertices.length % 9 !== 0)
    throw damaged('the end', `${vertices.length / 3} vertices, which make no triangles`);
  return {
    vertices: Float32Array.from(vertices),
    indices: Uint32Array.from({ length: vertices.length / 3 }, (_, i) => i),
  };
}

function readObj(text: string): MeshFile {
  const vertices: number[] = [];
  const faces: { corners: number[]; line: number }[] = [];
  text.split('\n').forEach((content, i) => {
    const words = content.trim().split(/\s+/);
    if (words[0] === 'v') for (let k = 1; k <= 3; k++) vertices.push(numberIn(words[k], i + 1));
    if (words[0] !== 'f') return;
    if (words.length < 4) throw damaged(`line ${i + 1}`, 'a face of fewer than three corners');
    const corners = words.slice(1).map((word) => {
      const n = Number(/^-?\d+/.exec(word)?.[0] ?? Number.NaN);
      // Negative ones count back from the last vertex so far.
      const corner = n > 0 ? n - 1 : vertices.length / 3 + n;
      if (!(n !== 0 && corner >= 0))
        throw damaged(`line ${i + 1}`, `${JSON.stringify(word.slice(0, 40))} is no vertex`);
      return corner;
    });
    faces.push({ corners, line: i + 1 });
  });
  if (faces.length === 0) throw damaged('the end', 'neither an OBJ nor an STL file: no faces');
  if (vertices.length > MOST_NUMBERS) throw damaged('the end', `${vertices.length / 3} vertices`);
  const indices: number[] = [];
  for (const { corners, line } of faces) {
    for (const corner of corners)
      if (corner >= vertices.length / 3)
        throw damaged(`line ${line}`, `vertex ${corner + 1} of ${vertices.length / 3}`);
    for (let i = 2; i < corners.length; i++) indices.push(corners[0]!, corners[i - 1]!, corners[i]!);
  }
  return { vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) };
}
