// Writes commands. In: rows (src/wasm/core-commands.ts) and values. Out: one buffer of 32-bit words, as the core reads
// it.
import type { CommandRow } from '../wasm/commandRow';
import { addGeometry } from '../wasm/core-commands';

/**
 * Writes commands one after the other into a buffer that grows by doubling. The caller has checked the values; floats
 * are rounded to f32 here.
 */
export class CommandWriter {
  /** Number of words written. */
  length = 0;
  /** Number of commands ever written, by which a caller detects writes in between. */
  written = 0;
  private words: Int32Array;
  private floats: Float32Array;

  /** `capacity`: number of words before the buffer grows. */
  constructor(capacity = 1024) {
    const buffer = new ArrayBuffer(capacity * 4);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
  }

  /**
   * Appends a command; `values` holds its fields word by word, integers as numbers.
   * Returns the word offset of the command.
   */
  write(command: CommandRow, values: ArrayLike<number>): number {
    const { isFloat } = command;
    const at = this.length;
    if (at + command.totalWords > this.words.length) this.grow(at + command.totalWords);
    const { words, floats } = this;
    words[at] = command.head;
    for (let i = 0; i < isFloat.length; i++) {
      if (isFloat[i] === 1) floats[at + 1 + i] = values[i]!;
      else words[at + 1 + i] = values[i]!;
    }
    this.length = at + command.totalWords;
    this.written++;
    return at;
  }

  /** Appends ADD_GEOMETRY: a slot, the type of shape that reads the content, and the content. */
  writeGeometry(slot: number, kind: number, content: Int32Array): number {
    const at = this.length;
    const total = addGeometry.totalWords + content.length;
    if (at + total > this.words.length) this.grow(at + total);
    this.words[at] = addGeometry.code | (total << 8);
    this.words[at + 1] = slot;
    this.words[at + 2] = kind;
    this.words.set(content, at + addGeometry.totalWords);
    this.length = at + total;
    this.written++;
    return at;
  }

  /** Appends complete commands that were encoded elsewhere. */
  append(source: Int32Array): void {
    this.written++;
    if (this.length + source.length > this.words.length) this.grow(this.length + source.length);
    this.words.set(source, this.length);
    this.length += source.length;
  }

  /** A view of the words written so far, valid until the next write. */
  view(): Int32Array {
    return this.words.subarray(0, this.length);
  }

  /** Clears the content; the buffer is kept. */
  clear(): void {
    this.length = 0;
  }

  /** Removes everything from word `length` on and returns a view of it, valid until the next write. */
  cut(length: number): Int32Array {
    const view = this.words.subarray(length, this.length);
    this.length = length;
    return view;
  }

  private grow(needed: number): void {
    let capacity = this.words.length;
    while (capacity < needed) capacity *= 2;
    const buffer = new ArrayBuffer(capacity * 4);
    const words = new Int32Array(buffer);
    words.set(this.view());
    this.words = words;
    this.floats = new Float32Array(buffer);
  }
}
