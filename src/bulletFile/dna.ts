// The DNA of a .bullet file: names, types and fields of the structs in it. In: bytes of the section. Out: the places of fields.
// TLEN in a file is the packed size; what the file holds are structs as a C compiler lays them out, so places are computed here.
import { PhysicsError } from 'ricochet/cooking';

/** Sizes of what is no struct. */
const PRIMITIVES: Readonly<Record<string, number>> = {
  ...{ char: 1, uchar: 1, short: 2, ushort: 2, int: 4, float: 4, double: 8 },
  ...{ int64_t: 8, uint64_t: 8, void: 0 },
};
/** Deeper nesting of structs by value is a cycle; Bullet's own goes to 5. */
const DEEPEST = 16;
/** More bytes in one struct are a damaged count; Bullet's largest has 3,000. */
const LARGEST = 1 << 20;

/** A field in a laid out struct. */
export interface Field {
  readonly at: number;
  readonly type: string;
  readonly isPointer: boolean;
  /** Elements of an array; 1 for a single value. */
  readonly count: number;
  /** Bytes of an element. */
  readonly size: number;
}

/** Where the fields of a struct are. */
export interface Layout {
  readonly name: string;
  readonly size: number;
  readonly align: number;
  readonly fields: ReadonlyMap<string, Field>;
}

/** How structs are laid out: the largest alignment there is. 1 is packed; 4 is a 32-bit compiler that aligns double to 4. */
export type Alignment = 8 | 4 | 1;

interface RawStruct {
  readonly type: number;
  readonly fields: readonly (readonly [type: number, name: number])[];
}

/** Reads a section; everything outside of it is an error that names the byte. */
class Section {
  at = 0;

  constructor(
    private readonly view: DataView,
    private readonly place: number,
    private readonly little: boolean,
  ) {}

  fault(rule: string): PhysicsError {
    return new PhysicsError('damaged-file', `DNA at byte ${this.place + this.at}: ${rule}`);
  }

  private take(bytes: number): number {
    const { at } = this;
    if (at + bytes > this.view.byteLength) throw this.fault('cut off');
    this.at += bytes;
    return at;
  }

  short(): number {
    return this.view.getUint16(this.take(2), this.little);
  }

  /** A number of things that take `bytes` each at least. */
  count(bytes: number): number {
    const count = this.view.getInt32(this.take(4), this.little);
    if (count < 0 || count * bytes > this.view.byteLength - this.at)
      throw this.fault(`${count} entries, more than there are bytes`);
    return count;
  }

  tag(tag: string): void {
    this.at = (this.at + 3) & ~3;
    const at = this.take(4);
    for (let i = 0; i < 4; i++)
      if (this.view.getUint8(at + i) !== tag.charCodeAt(i)) {
        this.at = at;
        throw this.fault(`must be ${tag}`);
      }
  }

  strings(): string[] {
    return Array.from({ length: this.count(1) }, () => {
      let text = '';
      for (;;) {
        const code = this.view.getUint8(this.take(1));
        if (code === 0) return text;
        text += String.fromCharCode(code);
        if (text.length > 256) throw this.fault('a name without end');
      }
    });
  }
}

const NAME = /^(\*{0,2})([A-Za-z_]\w*)((?:\[\d{1,6}\])*)$/;

/** The structs that a file knows. */
export class Dna {
  private readonly names: readonly string[];
  private readonly types: readonly string[];
  private readonly lengths: readonly number[];
  private readonly structs: readonly RawStruct[];
  private readonly byType = new Map<string, number>();
  private readonly laidOut = new Map<string, Layout>();

  /**
   * @param bytes  from 'SDNA' on
   * @param place  of them in the file, for errors
   * @throws PhysicsError 'damaged-file' that names the byte
   */
  constructor(
    bytes: Uint8Array,
    place: number,
    little: boolean,
    private readonly pointerSize: 4 | 8,
  ) {
    const section = new Section(
      new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      place,
      little,
    );
    section.tag('SDNA');
    section.tag('NAME');
    this.names = section.strings();
    section.tag('TYPE');
    this.types = section.strings();
    section.tag('TLEN');
    this.lengths = this.types.map(() => section.short());
    section.tag('STRC');
    this.structs = Array.from({ length: section.count(4) }, () => {
      const type = section.short();
      const fields = Array.from(
        { length: section.short() },
        () => [section.short(), section.short()] as const,
      );
      for (const one of [type, ...fields.map(([of]) => of)])
        if (one >= this.types.length) throw section.fault(`type ${one} of ${this.types.length}`);
      for (const [, name] of fields)
        if (name >= this.names.length) throw section.fault(`name ${name} of ${this.names.length}`);
      return { type, fields };
    });
    for (const [i, { type }] of this.structs.entries())
      if (!this.byType.has(this.types[type]!)) this.byType.set(this.types[type]!, i);
  }

  /** The struct with a number, by name; undefined if there is none. */
  structName(index: number): string | undefined {
    const struct = this.structs[index];
    return struct && this.types[struct.type];
  }

  /** Places of the fields of a struct; undefined if the file does not know it. */
  layout(name: string, alignment: Alignment, depth = 0): Layout | undefined {
    const key = `${alignment} ${name}`;
    const known = this.laidOut.get(key);
    if (known !== undefined) return known;
    const index = this.byType.get(name);
    if (index === undefined) return undefined;
    if (depth > DEEPEST) throw new PhysicsError('damaged-file', `DNA: ${name} contains itself`);
    const fields = new Map<string, Field>();
    let at = 0;
    let most = 1;
    for (const [type, label] of this.structs[index]!.fields) {
      const match = NAME.exec(this.names[label]!);
      // Pointers to functions have other names; nothing of them is read, but they take room.
      const isPointer = match === null || match[1] !== '';
      const typeName = this.types[type]!;
      const count = (match?.[3] ?? '')
        .split('[')
        .slice(1)
        .reduce((all, n) => all * Number.parseInt(n, 10), 1);
      const inner = isPointer ? undefined : this.layout(typeName, alignment, depth + 1);
      const size = isPointer
        ? this.pointerSize
        : (PRIMITIVES[typeName] ?? inner?.size ?? this.lengths[type]!);
      const align = Math.min(alignment, inner?.align ?? Math.max(1, Math.min(size, 8)));
      at = Math.ceil(at / align) * align;
      most = Math.max(most, align);
      if (match !== null) fields.set(match[2]!, { at, type: typeName, isPointer, count, size });
      at += size * count;
      if (!(at <= LARGEST))
        throw new PhysicsError('damaged-file', `DNA: ${name} has more than ${LARGEST} bytes`);
    }
    const layout = { name, size: Math.ceil(at / most) * most, align: most, fields };
    this.laidOut.set(key, layout);
    return layout;
  }
}
