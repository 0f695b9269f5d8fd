// The same file with another header: pointers of four or eight bytes, either byte order. In: a file of 64 bits, little endian. Out: the
// file as a machine of the other kind would have written it, laid out anew field by field.
import { BulletChunks } from '../../src/bulletFile/chunks';
import { Dna, type Layout } from '../../src/bulletFile/dna';

export function otherHeader(bytes: Uint8Array, pointer: 4 | 8, little: boolean): Uint8Array {
  const file = new BulletChunks(bytes);
  const at = dnaAt(bytes);
  const dnaBytes = swappedDna(bytes.subarray(at), little);
  const dna = new Dna(dnaBytes, 0, little, pointer);
  const parts: Uint8Array[] = [];
  const add = (code: string, number: bigint, struct: number, count: number, data: Uint8Array) => {
    const head = new Uint8Array(16 + pointer);
    const view = new DataView(head.buffer);
    for (let i = 0; i < 4; i++) head[i] = code.charCodeAt(i);
    view.setInt32(4, data.length, little);
    if (pointer === 8) view.setBigUint64(8, number, little);
    else view.setUint32(8, Number(number & 0xffffffffn), little);
    view.setInt32(8 + pointer, struct, little);
    view.setInt32(12 + pointer, count, little);
    parts.push(head, data);
  };
  for (const chunk of file.chunks) {
    const number = new DataView(bytes.buffer).getInt32(chunk.at - 8, true);
    if (chunk.struct === '') {
      add(chunk.code, chunk.pointer, number, chunk.count, bytes.slice(chunk.at, chunk.at + chunk.length));
      continue;
    }
    const from = file.dna.layout(chunk.struct, 8)!;
    const to = dna.layout(chunk.struct, 8)!;
    const data = new Uint8Array(to.size * chunk.count);
    for (let i = 0; i < chunk.count; i++)
      convert(
        file,
        { dna, pointer, little },
        from,
        chunk.at + i * from.size,
        to,
        new DataView(data.buffer),
        i * to.size,
      );
    add(chunk.code, chunk.pointer, number, chunk.count, data);
  }
  add('DNA1', 1n, -1, 1, dnaBytes);
  const header = new TextEncoder().encode(
    `BULLET${file.isDouble ? 'd' : 'f'}${pointer === 8 ? '-' : '_'}${little ? 'v' : 'V'}326`,
  );
  return Uint8Array.from([header, ...parts].flatMap((part) => [...part]));
}

interface Target {
  readonly dna: Dna;
  readonly pointer: 4 | 8;
  readonly little: boolean;
}

function convert(
  file: BulletChunks,
  target: Target,
  from: Layout,
  at: number,
  to: Layout,
  view: DataView,
  place: number,
): void {
  for (const [name, field] of from.fields) {
    const other = to.fields.get(name)!;
    for (let i = 0; i < field.count; i++) {
      const [here, there] = [at + field.at + i * field.size, place + other.at + i * other.size];
      const { little } = target;
      if (field.isPointer) {
        const value = file.view.getBigUint64(here, true);
        if (target.pointer === 8) view.setBigUint64(there, value, little);
        else view.setUint32(there, Number(value & 0xffffffffn), little);
      } else if (field.type === 'int') view.setInt32(there, file.view.getInt32(here, true), little);
      else if (field.type === 'float') view.setFloat32(there, file.view.getFloat32(here, true), little);
      else if (field.type === 'double') view.setFloat64(there, file.view.getFloat64(here, true), little);
      else if (field.type === 'char') view.setUint8(there, file.view.getUint8(here));
      else
        convert(
          file,
          target,
          file.dna.layout(field.type, 8)!,
          here,
          target.dna.layout(field.type, 8)!,
          view,
          there,
        );
    }
  }
}

function dnaAt(bytes: Uint8Array): number {
  for (let at = bytes.length - 8; ; at--)
    if (String.fromCharCode(...bytes.subarray(at, at + 8)) === 'SDNANAME') return at;
}

/** Numbers of the section in the other byte order; its text stays. */
function swappedDna(bytes: Uint8Array, little: boolean): Uint8Array {
  const out = bytes.slice();
  if (little) return out;
  const view = new DataView(out.buffer);
  let at = 8;
  const int = () => {
    const value = view.getInt32(at, true);
    view.setInt32(at, value, false);
    at += 4;
    return value;
  };
  const short = () => {
    const value = view.getInt16(at, true);
    view.setInt16(at, value, false);
    at += 2;
    return value;
  };
  const strings = () => {
    const count = int();
    for (let i = 0; i < count; i++, at++) while (out[at] !== 0) at++;
    at = (at + 3) & ~3;
    return count;
  };
  strings();
  at += 4;
  const types = strings();
  at += 4;
  for (let i = 0; i < types; i++) short();
  at = (at + 3) & ~3;
  at += 4;
  const structs = int();
  for (let i = 0; i < structs; i++) {
    short();
    for (let fields = short(); fields > 0; fields--) {
      short();
      short();
    }
  }
  return out;
}
