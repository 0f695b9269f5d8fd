// Writes results to the caller's array, typed array, object with `set`, or object with x, y, z. Allocates nothing.
import type { QuatOut, Vec3Out } from '../types';
import { invalid } from './validate';

type Settable = { set(...values: number[]): unknown };
type Named = { x: number; y: number; z: number; w: number };

/** What writing threw: an array or object that cannot be written, or whatever a setter of the caller's throws. */
function writeError(out: unknown, error: unknown): unknown {
  return error instanceof TypeError ? invalid('out', `must be writable (${error.message})`, out) : error;
}

/**
 * The arrays of an object that is to be filled, each read once: a getter of it may call the world. They are of the kinds
 * of `like`, which is one that would do, and at least `times` as long; `count` is written last.
 */
export function arraysLike<T extends object>(out: unknown, like: T, times = 1): T {
  const given = out as Record<string, unknown> | null;
  if (typeof given !== 'object' || given === null) throw invalid('out', 'must be an object to fill', out);
  if (Object.isFrozen(given)) throw invalid('out', 'must be writable', out);
  const arrays: Record<string, unknown> = {};
  for (const [name, array] of Object.entries(like)) {
    if (!ArrayBuffer.isView(array)) continue;
    const length = times * (array as Float32Array).length;
    const kind = array.constructor as Float32ArrayConstructor;
    const own = given[name];
    if (!(own instanceof kind) || !(own.length >= length))
      throw invalid(`out.${name}`, `must be a ${kind.name} of at least ${length} numbers`, own);
    arrays[name] = own;
  }
  return arrays as T;
}

/** Typed arrays have `set`, too: whatever has a length is written by index. */
function isIndexed(out: object): out is number[] {
  return typeof (out as ArrayLike<number>).length === 'number';
}

export function fillVec3<T extends Vec3Out>(out: T, x: number, y: number, z: number): T {
  if (typeof out !== 'object' || out === null)
    throw invalid('out', 'must be an array or object to fill', out);
  try {
    if (isIndexed(out)) {
      out[0] = x;
      out[1] = y;
      out[2] = z;
    } else if (typeof (out as unknown as Settable).set === 'function')
      (out as unknown as Settable).set(x, y, z);
    else {
      const named = out as unknown as Named;
      named.x = x;
      named.y = y;
      named.z = z;
    }
  } catch (error) {
    throw writeError(out, error);
  }
  return out;
}

// Each kind of array gets a store of its own: where several kinds meet in one, the engine boxes the numbers.

/** As fillVec3, from three floats of a table. */
export function copyVec3<T extends Vec3Out>(out: T, floats: Float32Array, at: number): T {
  if (out instanceof Float32Array) {
    out[0] = floats[at]!;
    out[1] = floats[at + 1]!;
    out[2] = floats[at + 2]!;
  } else if (out instanceof Float64Array) {
    out[0] = floats[at]!;
    out[1] = floats[at + 1]!;
    out[2] = floats[at + 2]!;
  } else fillVec3(out, floats[at]!, floats[at + 1]!, floats[at + 2]!);
  return out;
}

/** As fillQuat, from four floats of a table. */
export function copyQuat<T extends QuatOut>(out: T, floats: Float32Array, at: number): T {
  if (out instanceof Float32Array) {
    out[0] = floats[at]!;
    out[1] = floats[at + 1]!;
    out[2] = floats[at + 2]!;
    out[3] = floats[at + 3]!;
  } else if (out instanceof Float64Array) {
    out[0] = floats[at]!;
    out[1] = floats[at + 1]!;
    out[2] = floats[at + 2]!;
    out[3] = floats[at + 3]!;
  } else fillQuat(out, floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!);
  return out;
}

export function fillQuat<T extends QuatOut>(out: T, x: number, y: number, z: number, w: number): T {
  if (typeof out !== 'object' || out === null)
    throw invalid('out', 'must be an array or object to fill', out);
  try {
    if (isIndexed(out)) {
      out[0] = x;
      out[1] = y;
      out[2] = z;
      out[3] = w;
    } else if (typeof (out as unknown as Settable).set === 'function')
      (out as unknown as Settable).set(x, y, z, w);
    else {
      const named = out as unknown as Named;
      named.x = x;
      named.y = y;
      named.z = z;
      named.w = w;
    }
  } catch (error) {
    throw writeError(out, error);
  }
  return out;
}

/** A column-major 4 × 4 matrix (three.js, WebGL) from a position and a unit quaternion. */
export function fillMatrix<T extends { [index: number]: number }>(
  out: T,
  position: ArrayLike<number>,
  rotation: ArrayLike<number>,
): T {
  const x = rotation[0]!;
  const y = rotation[1]!;
  const z = rotation[2]!;
  const w = rotation[3]!;
  if (typeof out !== 'object' || out === null) throw invalid('out', 'must be an array of 16 numbers', out);
  const m: { [index: number]: number } = out;
  try {
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y + z * w);
    m[2] = 2 * (x * z - y * w);
    m[3] = 0;
    m[4] = 2 * (x * y - z * w);
    m[5] = 1 - 2 * (x * x + z * z);
    m[6] = 2 * (y * z + x * w);
    m[7] = 0;
    m[8] = 2 * (x * z + y * w);
    m[9] = 2 * (y * z - x * w);
    m[10] = 1 - 2 * (x * x + y * y);
    m[11] = 0;
    m[12] = position[0]!;
    m[13] = position[1]!;
    m[14] = position[2]!;
    m[15] = 1;
  } catch (error) {
    throw writeError(out, error);
  }
  return out;
}

/** Seven numbers: a position and a rotation, each from its place in a list. */
export function fillPose(
  out: Float32Array,
  positions: ArrayLike<number>,
  position: number,
  rotations: ArrayLike<number>,
  rotation: number,
): Float32Array {
  if (!(ArrayBuffer.isView(out) || Array.isArray(out)) || !(out.length >= 7))
    throw invalid('out', 'must be an array of 7 numbers', out);
  try {
    for (let i = 0; i < 3; i++) out[i] = positions[position + i]!;
    for (let i = 0; i < 4; i++) out[3 + i] = rotations[rotation + i]!;
  } catch (error) {
    throw writeError(out, error);
  }
  return out;
}
