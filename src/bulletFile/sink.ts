// Chunks being written: 64 bits, little endian. In: structs, filled by name. Out: the bytes of a file.
import { Dna, type Layout } from './dna';
import { writeDna } from './schema';
import { type Place, rowsOf } from './transforms';

const HEAD = 24;
/** Of Bullet: what its serializer writes. */
const VERSION = '326';

/** Struct under construction: everything that is not set is 0. */
export class Fields {
  constructor(
    private readonly sink: Sink,
    private readonly layout: Layout,
    private readonly view: DataView,
    private readonly at: number,
  ) {}

  private field(name: string) {
    const field = this.layout.fields.get(name);
    if (field === undefined) throw new Error(`${this.layout.name} has no ${name}`);
    return field;
  }

  /** Numbers of a field, from its first element on. */
  set(name: string, ...values: readonly number[]): this {
    const field = this.field(name);
    values.forEach((value, i) => {
      const at = this.at + field.at + i * field.size;
      if (field.type === 'float') this.view.setFloat32(at, value, true);
      else if (field.type === 'double') this.view.setFloat64(at, value, true);
      else if (field.type === 'int') this.view.setInt32(at, value, true);
      else this.view.setUint8(at, value);
    });
    return this;
  }

  inside(name: string, index = 0): Fields {
    const field = this.field(name);
    return new Fields(
      this.sink,
      this.sink.layout(field.type),
      this.view,
      this.at + field.at + index * field.size,
    );
  }

  vector(name: string, v: ArrayLike<number>): this {
    this.inside(name).set('m_floats', v[0]!, v[1]!, v[2]!);
    return this;
  }

  transform(name: string, { position, rotation }: Place): this {
    const transform = this.inside(name);
    for (const [i, row] of rowsOf(rotation).entries())
      transform
        .inside('m_basis')
        .inside('m_el', i)
        .set('m_floats', ...row);
    transform.vector('m_origin', position);
    return this;
  }

  /** As Bullet writes them: its number in both halves. */
  pointer(name: string, number: number): this {
    const { at } = this.field(name);
    this.view.setUint32(this.at + at, number, true);
    this.view.setUint32(this.at + at + 4, number, true);
    return this;
  }
}

/** A file under construction. */
export class Sink {
  private readonly parts: Uint8Array[] = [];
  private readonly written: { bytes: Uint8Array; structs: readonly string[] };
  private readonly dna: Dna;
  private number = 1;

  constructor(private readonly isDouble: boolean) {
    this.written = writeDna(isDouble);
    this.dna = new Dna(this.written.bytes, 0, true, 8);
  }

  layout(struct: string): Layout {
    const layout = this.dna.layout(struct, 8);
    if (layout === undefined) throw new Error(`no struct ${struct}`);
    return layout;
  }

  /** Writes structs of one kind; returns the number that points to them. */
  chunk(code: string, struct: string, count: number, fill: (fields: Fields, i: number) => void): number {
    const layout = this.layout(struct);
    const { data, number } = this.raw(code, layout.size * count, this.written.structs.indexOf(struct), count);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let i = 0; i < count; i++) fill(new Fields(this, layout, view, HEAD + i * layout.size), i);
    return number;
  }

  private raw(code: string, length: number, struct: number, count: number) {
    const data = new Uint8Array(HEAD + length);
    const view = new DataView(data.buffer);
    const number = ++this.number;
    for (let i = 0; i < 4; i++) data[i] = code.charCodeAt(i);
    view.setInt32(4, length, true);
    view.setUint32(8, number, true);
    view.setUint32(12, number, true);
    view.setInt32(16, struct, true);
    view.setInt32(20, count, true);
    this.parts.push(data);
    return { data, number };
  }

  /** Text; 0 for none. */
  text(text: string): number {
    if (text === '') return 0;
    const bytes = new TextEncoder().encode(text.slice(0, 200));
    const length = (bytes.length + 4) & ~3;
    // Bullet gives arrays of char no struct.
    const { data, number } = this.raw('ARAY', length, -1, length);
    data.set(bytes, HEAD);
    return number;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const { bytes } = this.written;
    this.raw('DNA1', bytes.length, -1, 1).data.set(bytes, HEAD);
    const header = new TextEncoder().encode(`BULLET${this.isDouble ? 'd' : 'f'}-v${VERSION}`);
    const all = [header, ...this.parts];
    const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of all) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}
