// Writing results into whatever the caller has: an array, a typed array, an object with `set`, or one
// with x, y, z. Allocates nothing.
import type { QuatOut, Vec3Out } from '../types';
import { invalid } from './validate';

type Settable = { set(...values: number[]): unknown };
type Named = { x: number; y: number; z: number; w: number };

/** Typed arrays have `set`, too: whatever has a length is written by index. */
function isIndexed(out: object): out is number[] {
  return typeof (out as ArrayLike<number>).length === 'number';
}

export function fillVec3<T extends Vec3Out>(out: T, x: number, y: number, z: number): T {
  if (typeof out !== 'object' || out === null)
    throw invalid('out', 'must be an array or object to fill', out);
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
  const m: { [index: number]: number } = out;
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
  return out;
}
