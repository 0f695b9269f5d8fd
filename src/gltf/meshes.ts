// Triangles of meshes. In: the JSON and its buffers. Out: vertices and triangles of a node and all below it, morphed as the
// file says; errors that name the accessor or view that does not fit its buffer.
import { checkIndex, fault, indexAt, type Json, listAt, numberAt, objectAt, optionalAt } from './errors';
import type { Node } from './nodes';
import { type Affine, apply, multiply, UNIT } from './transforms';

export interface Triangles {
  vertices: number[];
  indices: number[];
}

/** componentType → bytes, reader, and what a normalized integer is divided by. */
const COMPONENTS: Record<
  number,
  { size: number; read: (view: DataView, at: number) => number; most: number }
> = {
  5120: { size: 1, read: (view, at) => view.getInt8(at), most: 127 },
  5121: { size: 1, read: (view, at) => view.getUint8(at), most: 255 },
  5122: { size: 2, read: (view, at) => view.getInt16(at, true), most: 32767 },
  5123: { size: 2, read: (view, at) => view.getUint16(at, true), most: 65535 },
  5125: { size: 4, read: (view, at) => view.getUint32(at, true), most: 4294967295 },
  5126: { size: 4, read: (view, at) => view.getFloat32(at, true), most: 0 },
};
const ITEMS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const MOST_NUMBERS = 1 << 25;
const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/** Buffers by their numbers; what is missing is missed only where it is read. */
export type Buffers = readonly (ArrayBuffer | Uint8Array | undefined)[];

export class Meshes {
  private readonly accessors: readonly unknown[];
  private readonly views: readonly unknown[];
  private readonly meshes: readonly unknown[];

  constructor(
    json: Json,
    private readonly buffers: Buffers,
    private readonly warn: (text: string) => void,
  ) {
    this.accessors = listAt(json, 'accessors', '');
    this.views = listAt(json, 'bufferViews', '');
    this.meshes = listAt(json, 'meshes', '');
  }

  /** The bytes of a view from an offset on; `length` of them must be there. */
  private bytesOf(index: number, offset: number, length: number, path: string): DataView {
    const place = `bufferViews[${index}]`;
    const view = objectAt(this.views[index], place);
    const buffer =
      this.buffers[checkIndex(view['buffer'], `${place}.buffer`, Math.max(this.buffers.length, 1))];
    if (buffer === undefined)
      throw fault(`${place}.buffer`, 'must be loaded: it was not given', view['buffer']);
    const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
    const start = numberAt(view, 'byteOffset', place, 0, { min: 0 });
    const size = numberAt(view, 'byteLength', place, 0, { min: 0 });
    if (start + size > bytes.length)
      throw fault(place, `must end within its buffer of ${bytes.length} bytes`, start + size);
    if (offset + length > size)
      throw fault(path, `must end within its view of ${size} bytes`, offset + length);
    return new DataView(bytes.buffer, bytes.byteOffset + start + offset, length);
  }

  private read(index: number, items: number): number[] {
    const path = `accessors[${index}]`;
    const accessor = objectAt(this.accessors[index], path);
    const type = String(accessor['type']);
    if (ITEMS[type] !== items)
      throw fault(`${path}.type`, `must be one of ${items} numbers here`, accessor['type']);
    const count = numberAt(accessor, 'count', path, 0, { min: 0, max: MOST_NUMBERS / items });
    if (!Number.isInteger(count)) throw fault(`${path}.count`, 'must be an integer', count);
    const kind = COMPONENTS[accessor['componentType'] as number];
    if (kind === undefined)
      throw fault(`${path}.componentType`, 'must be one of glTF', accessor['componentType']);
    const normalized = accessor['normalized'] === true && kind.most > 0;
    const number = (view: DataView, at: number) => {
      const raw = kind.read(view, at);
      const value = normalized ? Math.max(raw / kind.most, -1) : raw;
      if (!Number.isFinite(value)) throw fault(path, 'must hold finite numbers only', value);
      return value;
    };
    const viewIndex = indexAt(accessor, 'bufferView', path, this.views.length);
    const out: number[] = new Array(count * items).fill(0);
    if (viewIndex !== undefined && count > 0) {
      const packed = items * kind.size;
      const stride = numberAt(
        objectAt(this.views[viewIndex], `bufferViews[${viewIndex}]`),
        'byteStride',
        `bufferViews[${viewIndex}]`,
        packed,
        { min: packed, max: 252 },
      );
      const view = this.bytesOf(
        viewIndex,
        numberAt(accessor, 'byteOffset', path, 0, { min: 0 }),
        (count - 1) * stride + packed,
        path,
      );
      for (let i = 0; i < count; i++)
        for (let k = 0; k < items; k++) out[items * i + k] = number(view, i * stride + k * kind.size);
    }
    const sparse = optionalAt(accessor, 'sparse', path);
    if (sparse !== undefined)
      this.readSparse(sparse, `${path}.sparse`, { out, items, size: kind.size, number });
    return out;
  }

  /** Numbers that replace some of those before. */
  private readSparse(
    sparse: Json,
    path: string,
    {
      out,
      items,
      size,
      number,
    }: { out: number[]; items: number; size: number; number: (view: DataView, at: number) => number },
  ): void {
    const total = out.length / items;
    const count = numberAt(sparse, 'count', path, 0, { min: 0, max: total });
    const where = objectAt(sparse['indices'], `${path}.indices`);
    const what = objectAt(sparse['values'], `${path}.values`);
    const kind = COMPONENTS[where['componentType'] as number];
    if (kind === undefined || kind.most === 0)
      throw fault(`${path}.indices.componentType`, 'must be one of integers', where['componentType']);
    const [a, b] = [where, what].map((part, i) =>
      checkIndex(
        part['bufferView'],
        `${path}.${i === 0 ? 'indices' : 'values'}.bufferView`,
        this.views.length,
      ),
    );
    const indices = this.bytesOf(
      a!,
      numberAt(where, 'byteOffset', `${path}.indices`, 0, { min: 0 }),
      count * kind.size,
      path,
    );
    const values = this.bytesOf(
      b!,
      numberAt(what, 'byteOffset', `${path}.values`, 0, { min: 0 }),
      count * items * size,
      path,
    );
    for (let i = 0; i < count; i++) {
      const at = checkIndex(kind.read(indices, i * kind.size), `${path}.indices`, total);
      for (let k = 0; k < items; k++) out[items * at + k] = number(values, (i * items + k) * size);
    }
  }

  /** Triangles of a node's mesh and of those below it, in the frame of the node. */
  trianglesBelow(node: Node): Triangles {
    const out: Triangles = { vertices: [], indices: [] };
    const visit = (at: Node, place: Affine) => {
      const mesh = indexAt(at.json, 'mesh', at.path, this.meshes.length);
      if (mesh !== undefined) this.add(out, mesh, at, place);
      if (at.json['skin'] !== undefined)
        this.warn(`${at.path}.skin: its collider is that of the pose without bones`);
      for (const child of at.children) visit(child, multiply(place, child.local));
    };
    visit(node, UNIT);
    return out;
  }

  private add(out: Triangles, mesh: number, node: Node, place: Affine): void {
    const path = `meshes[${mesh}]`;
    const json = objectAt(this.meshes[mesh], path);
    const weights = (
      node.json['weights'] === undefined
        ? listAt(json, 'weights', path)
        : listAt(node.json, 'weights', node.path)
    ) as number[];
    listAt(json, 'primitives', path).forEach((value, i) => {
      const where = `${path}.primitives[${i}]`;
      const primitive = objectAt(value, where);
      const mode = numberAt(primitive, 'mode', where, TRIANGLES);
      if (mode < TRIANGLES || mode > FAN) return; // points and lines collide with nothing
      const attributes = objectAt(primitive['attributes'], `${where}.attributes`);
      if (
        primitive['extensions'] !== undefined &&
        objectAt(primitive['extensions'], where)['KHR_draco_mesh_compression'] !== undefined
      )
        throw fault(
          `${where}.extensions.KHR_draco_mesh_compression`,
          'cannot be read here: unpack the file before',
        );
      const points = this.read(
        checkIndex(attributes['POSITION'], `${where}.attributes.POSITION`, this.accessors.length),
        3,
      );
      listAt(primitive, 'targets', where).forEach((target, t) => {
        const weight = weights[t];
        if (typeof weight !== 'number' || weight === 0) return;
        const moved = indexAt(
          objectAt(target, `${where}.targets[${t}]`),
          'POSITION',
          `${where}.targets[${t}]`,
          this.accessors.length,
        );
        if (moved === undefined) return;
        const by = this.read(moved, 3);
        if (by.length !== points.length)
          throw fault(`${where}.targets[${t}]`, 'must have as many vertices as the mesh', by.length / 3);
        for (let k = 0; k < points.length; k++) points[k]! += weight * by[k]!;
      });
      const count = points.length / 3;
      const given = indexAt(primitive, 'indices', where, this.accessors.length);
      const list = given === undefined ? Array.from({ length: count }, (_, k) => k) : this.read(given, 1);
      const first = out.vertices.length / 3;
      for (let k = 0; k < points.length; k += 3) {
        const p = apply(place, points, k);
        out.vertices.push(p[0], p[1], p[2]);
      }
      for (const corner of list)
        if (corner >= count) throw fault(`${where}.indices`, `must name vertices below ${count}`, corner);
      const triangle = (a: number, b: number, c: number) =>
        out.indices.push(first + list[a]!, first + list[b]!, first + list[c]!);
      if (mode === TRIANGLES) for (let k = 0; k + 2 < list.length; k += 3) triangle(k, k + 1, k + 2);
      else if (mode === STRIP)
        for (let k = 0; k + 2 < list.length; k++) triangle(k + (k & 1), k + 1 - (k & 1), k + 2);
      else for (let k = 1; k + 1 < list.length; k++) triangle(0, k, k + 1);
    });
  }
}
