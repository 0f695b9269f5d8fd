// The memory that programs for ammo.js allocate and read: `_malloc`, `_free`, `HEAPF32` etc. Bodies and worlds are not
// stored here; vectors are, once their pointer is used. In: sizes. Out: addresses.
import { PhysicsError } from '../index';
import { integer } from './errors';

const INITIAL_BYTES = 1 << 18;
const MOST_BYTES = 1 << 29;
/** Alignment, and the first address, so that 0 is never valid. */
const UNIT = 16;

type Resizable = ArrayBuffer & { resize?(bytes: number): void };

class Heap {
  buffer: Resizable = allocate(INITIAL_BYTES);
  bytes: Int8Array = new Int8Array(this.buffer);
  unsignedBytes: Uint8Array = new Uint8Array(this.buffer);
  shorts: Int16Array = new Int16Array(this.buffer);
  unsignedShorts: Uint16Array = new Uint16Array(this.buffer);
  ints: Int32Array = new Int32Array(this.buffer);
  unsignedInts: Uint32Array = new Uint32Array(this.buffer);
  floats: Float32Array = new Float32Array(this.buffer);
  doubles: Float64Array = new Float64Array(this.buffer);
  /** Sizes of blocks in use. */
  private readonly sizes = new Map<number, number>();
  /** Free blocks by address, below `end`. */
  private readonly holes: { at: number; bytes: number }[] = [];
  private end = UNIT;

  /** Allocates `bytes` bytes, set to 0; returns the address. */
  malloc(bytes: number): number {
    const size = Math.max(UNIT, Math.ceil(bytes / UNIT) * UNIT);
    let at = -1;
    for (let i = 0; i < this.holes.length; i++) {
      const hole = this.holes[i]!;
      if (hole.bytes < size) continue;
      at = hole.at;
      hole.at += size;
      hole.bytes -= size;
      if (hole.bytes === 0) this.holes.splice(i, 1);
      break;
    }
    if (at < 0) {
      at = this.end;
      this.reserve(at + size);
      this.end = at + size;
    }
    this.sizes.set(at, size);
    this.unsignedBytes.fill(0, at, at + size);
    return at;
  }

  /** Frees a block; other addresses are ignored. */
  free(at: number): void {
    const bytes = this.sizes.get(at);
    if (bytes === undefined) return;
    this.sizes.delete(at);
    let i = 0;
    for (let end = this.holes.length; i < end; ) {
      const middle = (i + end) >> 1;
      if (this.holes[middle]!.at < at) i = middle + 1;
      else end = middle;
    }
    this.holes.splice(i, 0, { at, bytes });
    const join = (k: number) => {
      const [a, b] = [this.holes[k], this.holes[k + 1]];
      if (a === undefined || b === undefined || a.at + a.bytes !== b.at) return;
      a.bytes += b.bytes;
      this.holes.splice(k + 1, 1);
    };
    join(i);
    join(i - 1);
    const last = this.holes[this.holes.length - 1];
    if (last !== undefined && last.at + last.bytes === this.end) {
      this.end = last.at;
      this.holes.pop();
    }
  }

  /** Whether an address can be read. */
  holds(at: number): boolean {
    return at >= UNIT && at < this.end;
  }

  /** Bytes in use, for tests. */
  get used(): number {
    return this.end;
  }

  private reserve(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    if (bytes > MOST_BYTES)
      throw new PhysicsError(
        'out-of-memory',
        `must leave the heap below ${MOST_BYTES} bytes`,
        'Ammo._malloc: size',
        bytes,
      );
    let size = this.buffer.byteLength;
    while (size < bytes) size *= 2;
    if (this.buffer.resize !== undefined) {
      this.buffer.resize(size); // views follow automatically
      return;
    }
    const old = this.unsignedBytes;
    this.buffer = new ArrayBuffer(size);
    this.bytes = new Int8Array(this.buffer);
    this.unsignedBytes = new Uint8Array(this.buffer);
    this.shorts = new Int16Array(this.buffer);
    this.unsignedShorts = new Uint16Array(this.buffer);
    this.ints = new Int32Array(this.buffer);
    this.unsignedInts = new Uint32Array(this.buffer);
    this.floats = new Float32Array(this.buffer);
    this.doubles = new Float64Array(this.buffer);
    this.unsignedBytes.set(old);
  }
}

/** A buffer that grows in place if the host supports it, so that views of programs stay valid. */
function allocate(bytes: number): Resizable {
  const Growing = ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer;
  return new Growing(bytes, { maxByteLength: MOST_BYTES }) as Resizable;
}

export const heap = new Heap();

export function malloc(size: unknown): number {
  const bytes = integer(size, 'Ammo._malloc', 'size');
  if (bytes < 0) throw new PhysicsError('invalid-argument', 'must be ≥ 0', 'Ammo._malloc: size', size);
  return heap.malloc(bytes);
}

export function free(pointer: unknown): void {
  heap.free(integer(pointer, 'Ammo._free', 'ptr'));
}

const NAMES = {
  HEAP8: 'bytes',
  HEAPU8: 'unsignedBytes',
  HEAP16: 'shorts',
  HEAPU16: 'unsignedShorts',
  HEAP32: 'ints',
  HEAPU32: 'unsignedInts',
  HEAPF32: 'floats',
  HEAPF64: 'doubles',
} as const;

/** Views of the module's memory. */
export interface HeapViews {
  readonly HEAP8: Int8Array;
  readonly HEAPU8: Uint8Array;
  readonly HEAP16: Int16Array;
  readonly HEAPU16: Uint16Array;
  readonly HEAP32: Int32Array;
  readonly HEAPU32: Uint32Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
}

/** Defines HEAP8 … HEAPF64 on a module: always the current views. */
export function addHeapViews(module: object): void {
  for (const [name, view] of Object.entries(NAMES))
    Object.defineProperty(module, name, { get: () => heap[view], enumerable: true, configurable: true });
}

/** UTF-8 up to the first zero byte. */
export function utf8ToString(pointer: unknown): string {
  const from = integer(pointer, 'Ammo.UTF8ToString', 'ptr');
  if (!heap.holds(from)) return '';
  let end = from;
  while (heap.unsignedBytes[end] !== 0 && end < heap.unsignedBytes.length) end++;
  return new TextDecoder().decode(heap.unsignedBytes.slice(from, end));
}
