// The container. In: bytes of a .bullet file. Out: its chunks, and records in them whose fields are read by name.
// A pointer in the file is the number under which its writer had the thing that it points to; chunks say which number they are.
import { PhysicsError } from 'ricochet/cooking';
import { type Alignment, Dna, type Field, type Layout } from './dna';

const HEADER = 12;

/** A piece of the file: structs of one kind, one behind the other. */
export interface Chunk {
  /** Four letters: SHAP, RBDY, COBJ, CONS, DWLD, ARAY and others. */
  readonly code: string;
  /** Its number in the file. */
  readonly index: number;
  /** Byte of its data. */
  readonly at: number;
  readonly length: number;
  readonly pointer: bigint;
  /** Name of its struct; '' if the DNA does not have it. */
  readonly struct: string;
  readonly count: number;
}

export function chunkName({ code, index, at }: Chunk): string {
  return `chunk ${index} (${code} at byte ${at})`;
}

export function fault(chunk: Chunk, rule: string): PhysicsError {
  return new PhysicsError('damaged-file', `${chunkName(chunk)}: ${rule}`);
}

/** A file taken apart. */
export class BulletChunks {
  readonly version: number;
  readonly isDouble: boolean;
  readonly chunks: readonly Chunk[];
  readonly view: DataView;
  readonly little: boolean;
  readonly pointerSize: 4 | 8;
  readonly dna: Dna;
  private readonly byPointer = new Map<bigint, Chunk>();

  /** @throws PhysicsError 'damaged-file' that names the chunk and byte */
  constructor(readonly bytes: Uint8Array) {
    const header = String.fromCharCode(...bytes.subarray(0, HEADER));
    const match = /^BULLET([fd])([_-])([vV])(\d\d\d)$/.exec(header);
    if (match === null)
      throw new PhysicsError(
        'damaged-file',
        'byte 0: must be BULLET, f or d, _ or -, v or V, and a version of three digits',
      );
    this.isDouble = match[1] === 'd';
    this.pointerSize = match[2] === '-' ? 8 : 4;
    this.little = match[3] === 'v';
    this.version = Number.parseInt(match[4]!, 10);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found = this.split();
    this.dna = new Dna(bytes.subarray(found.dna, found.end), found.dna, this.little, this.pointerSize);
    this.chunks = found.chunks.map(({ number, ...chunk }) => ({
      ...chunk,
      struct: this.dna.structName(number) ?? '',
    }));
    for (const chunk of this.chunks)
      if (chunk.pointer !== 0n && !this.byPointer.has(chunk.pointer))
        this.byPointer.set(chunk.pointer, chunk);
  }

  private text(at: number): string {
    return String.fromCharCode(...this.bytes.subarray(at, at + 4));
  }

  private split() {
    const { bytes, view, little } = this;
    const head = 16 + this.pointerSize;
    const chunks: (Omit<Chunk, 'struct'> & { number: number })[] = [];
    for (let at = HEADER; ; ) {
      // Until version 276 the DNA has no head of its own.
      if (this.text(at) === 'SDNA') return { chunks, dna: at, end: bytes.length };
      if (at + head > bytes.length)
        throw new PhysicsError(
          'damaged-file',
          `chunk ${chunks.length} at byte ${at}: cut off, and no DNA before it`,
        );
      const code = this.text(at);
      const length = view.getInt32(at + 4, little);
      const data = at + head;
      if (length < 0 || data + length > bytes.length)
        throw new PhysicsError(
          'damaged-file',
          `chunk ${chunks.length} at byte ${at}: ${length} bytes, and there are ${bytes.length - data}`,
        );
      if (code === 'DNA1') return { chunks, dna: data, end: data + length };
      chunks.push({
        code,
        index: chunks.length,
        at: data,
        length,
        pointer: this.pointerAt(at + 8),
        number: view.getInt32(data - 8, little),
        count: view.getInt32(data - 4, little),
      });
      at = data + length;
    }
  }

  pointerAt(at: number): bigint {
    return this.pointerSize === 8
      ? this.view.getBigUint64(at, this.little)
      : BigInt(this.view.getUint32(at, this.little));
  }

  /** What a pointer points to; undefined if it is in no chunk. */
  find(pointer: bigint): Chunk | undefined {
    return pointer === 0n ? undefined : this.byPointer.get(pointer);
  }

  /** The records of a chunk, as structs of the kind that it names or of another. */
  records(chunk: Chunk, struct = chunk.struct, most = chunk.count): BulletRecord[] {
    const { count, length } = chunk;
    if (count < 0 || count > length) throw fault(chunk, `${count} structs in ${length} bytes`);
    if (count === 0) return [];
    const stride = Math.floor(length / count);
    const layout = this.fitting(chunk, struct, stride);
    return Array.from(
      { length: Math.min(count, most) },
      (_, i) => new BulletRecord(this, chunk, layout, chunk.at + i * stride),
    );
  }

  /** How the writer's compiler laid the struct out, by the room that it takes. */
  private fitting(chunk: Chunk, struct: string, stride: number): Layout {
    let smallest: Layout | undefined;
    for (const alignment of [8, 4, 1] satisfies Alignment[]) {
      const layout = this.dna.layout(struct, alignment);
      if (layout === undefined) break;
      if (layout.size === stride) return layout;
      smallest ??= layout;
    }
    if (smallest === undefined) throw fault(chunk, `no struct ${struct || 'of its number'} in the DNA`);
    // Indices of version 276 lack the padding that the DNA says; a chunk of one struct may be padded behind.
    if (stride > smallest.size && chunk.count === 1) return smallest;
    if (struct === 'btShortIntIndexData' && stride === 2) return smallest;
    throw fault(chunk, `${stride} bytes for a ${struct}, which has ${smallest.size}`);
  }
}

/** One struct: fields by name. What a file of an older version lacks reads as the value that is given for that. */
export class BulletRecord {
  constructor(
    readonly file: BulletChunks,
    readonly chunk: Chunk,
    readonly layout: Layout,
    readonly at: number,
  ) {}

  fault(rule: string): PhysicsError {
    return fault(this.chunk, rule);
  }

  has(name: string): boolean {
    return this.layout.fields.has(name);
  }

  private field(name: string): Field {
    const field = this.layout.fields.get(name);
    if (field === undefined) throw this.fault(`${this.layout.name} has no ${name}`);
    const { at, length } = this.chunk;
    if (this.at + field.at + field.size * field.count > at + length)
      throw this.fault(`${name} lies beyond its end`);
    return field;
  }

  private value(name: string, { type, isPointer }: Field, at: number): number {
    const { view, little } = this.file;
    if (!isPointer)
      switch (type) {
        case 'float':
          return view.getFloat32(at, little);
        case 'double':
          return view.getFloat64(at, little);
        case 'int':
          return view.getInt32(at, little);
        case 'short':
          return view.getInt16(at, little);
        case 'ushort':
          return view.getUint16(at, little);
        case 'char':
        case 'uchar':
          return view.getUint8(at);
      }
    throw this.fault(`${name} must be a number`);
  }

  /** Any number, infinities too; not NaN. */
  number(name: string, fallback?: number): number {
    if (fallback !== undefined && !this.has(name)) return fallback;
    return this.numbers(name, 1)[0]!;
  }

  /** The first `count` of an array. */
  numbers(name: string, count: number): number[] {
    const field = this.field(name);
    if (field.count < count) throw this.fault(`${name} has ${field.count} numbers, not ${count}`);
    return Array.from({ length: count }, (_, i) => {
      const value = this.value(name, field, this.at + field.at + i * field.size);
      if (Number.isNaN(value)) throw this.fault(`${name} must not be NaN`);
      return value;
    });
  }

  /** One number of an array, as a size: its absolute value, at most 1e9. */
  element(name: string, index: number): number {
    const field = this.field(name);
    const value =
      index < field.count ? this.value(name, field, this.at + field.at + index * field.size) : NaN;
    if (!(Math.abs(value) <= 1e9)) throw this.fault(`${name}[${index}] must be finite, got ${value}`);
    return Math.abs(value);
  }

  /** A finite number of at most 1e15. */
  finite(name: string, fallback?: number): number {
    const value = this.number(name, fallback);
    if (!(Math.abs(value) <= 1e15)) throw this.fault(`${name} must be a finite number, got ${value}`);
    return value;
  }

  /** x, y, z of a btVector3 of either precision, at most 1e9. */
  vector(name: string): [number, number, number] {
    const v = this.struct(name).numbers('m_floats', 3);
    for (const value of v)
      if (!(Math.abs(value) <= 1e9)) throw this.fault(`${name} must be finite, got ${value}`);
    return v as [number, number, number];
  }

  pointer(name: string): bigint {
    const field = this.field(name);
    if (!field.isPointer) throw this.fault(`${name} must be a pointer`);
    return this.file.pointerAt(this.at + field.at);
  }

  /** The chunk behind a pointer; undefined for null. */
  target(name: string): Chunk | undefined {
    if (!this.has(name)) return undefined;
    const pointer = this.pointer(name);
    if (pointer === 0n) return undefined;
    const chunk = this.file.find(pointer);
    if (chunk === undefined) throw this.fault(`${name} points to nothing in the file`);
    return chunk;
  }

  /** A struct that is a field. */
  struct(name: string, index = 0): BulletRecord {
    const field = this.field(name);
    // The layout that holds it decides: a packed struct holds packed ones.
    for (const alignment of [8, 4, 1] satisfies Alignment[]) {
      const layout = field.isPointer ? undefined : this.file.dna.layout(field.type, alignment);
      if (layout !== undefined && layout.size === field.size)
        return new BulletRecord(this.file, this.chunk, layout, this.at + field.at + index * field.size);
    }
    throw this.fault(`${name} must be a struct`);
  }

  /** Text behind a pointer to char; '' for null and for what is not in the file. */
  text(name: string): string {
    if (!this.has(name)) return '';
    const chunk = this.file.find(this.pointer(name));
    if (chunk === undefined) return '';
    const bytes = this.file.bytes.subarray(chunk.at, chunk.at + Math.min(chunk.length, 1024));
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }
}
