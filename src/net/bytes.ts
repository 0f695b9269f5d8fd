// Bytes of packets. In: numbers and bytes. Out: one packet; or a Malformed error when a packet is cut off, has numbers
// out of range or something left over. Integers are LEB128 (seven bits per byte, lowest first), signed ones zigzag.

/** A packet that cannot be read. Internal: roles count it and go on. */
export class Malformed extends Error {}

/** Integers stay within 32 bits: a varint has at most five bytes. */
const MOST_VARINT = 0xffffffff;

/** Writes a packet into a buffer that doubles. */
export class ByteWriter {
  length = 0;
  private bytes = new Uint8Array(256);

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow(this.length + 1);
    this.bytes[this.length++] = value;
  }

  /** 0 … 2³² − 1 */
  varint(value: number): void {
    let rest = value >>> 0;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** −2³¹ … 2³¹ − 1 */
  zigzag(value: number): void {
    this.varint((value << 1) ^ (value >> 31));
  }

  u16(value: number): void {
    this.byte(value & 255);
    this.byte((value >>> 8) & 255);
  }

  u32(value: number): void {
    this.u16(value & 0xffff);
    this.u16(value >>> 16);
  }

  raw(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.bytes.length) this.grow(this.length + bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Length and content. */
  block(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** A copy of what was written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  private grow(needed: number): void {
    let capacity = this.bytes.length;
    while (capacity < needed) capacity *= 2;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }
}

/** Reads a packet of which nothing is believed. */
export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new Malformed('cut off');
    return this.bytes[this.at++]!;
  }

  varint(most = MOST_VARINT): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      if (shift === 28 && byte > 15) break;
      value |= (byte & 127) << shift;
      if (byte < 128) {
        if (value >>> 0 > most) throw new Malformed('out of range');
        return value >>> 0;
      }
    }
    throw new Malformed('an integer of more than 32 bits');
  }

  zigzag(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  u16(): number {
    return this.byte() | (this.byte() << 8);
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }

  /** A view of the next bytes. */
  raw(length: number): Uint8Array {
    if (length > this.left) throw new Malformed('cut off');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** A copy of length and content. */
  block(most: number): Uint8Array {
    return this.raw(this.varint(most)).slice();
  }

  /** Nothing may be left over. */
  end(): void {
    if (this.left > 0) throw new Malformed('bytes left over');
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** −1, 0, 1: whether `a` came before `b` among numbers of 16 bits that start again at 0. */
export function newer(a: number, b: number): boolean {
  const ahead = (a - b) & 0xffff;
  return ahead !== 0 && ahead < 0x8000;
}
