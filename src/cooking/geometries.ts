// The cooked geometry of a replica: content that shapes share, by slot. In: hulls, meshes, heightfields and points of
// shapes, or content from a command stream or a snapshot. Out: slots, counted by the shapes that use them. The smallest
// free slot is the next, so every replica assigns the same ones.

import type { Vec3 } from '../base/math';
import { SHAPE_HULL } from '../core/memory/constants';
import type { ShapeRecord } from '../options/shapes';
import { HASH_AT } from './contentHash';
import { geometryWords } from './geometryWords';
import type { Hull } from './hull';
import type { MeshReport } from './mesh';

const ORIGIN: Readonly<Vec3> = Object.freeze([0, 0, 0] as Vec3);

/** Content that any number of shapes share, in any number of worlds: it goes to each once. Never changes. */
export class Geometry {
  /** @internal */
  constructor(
    /** @internal The type of shape that reads it. */
    readonly kind: number,
    /** @internal As the core holds it. */
    readonly words: Int32Array,
    /** Of a mesh cooked here: what was mended, and what it is like. */
    readonly report?: MeshReport,
    /** m. Of a hull: its centre of mass in the frame of its points; its shape lies there. Else the origin. */
    readonly center: Readonly<Vec3> = ORIGIN,
    /**
     * @internal Of a mesh: checks what its shape is to be on a dynamic body, and returns what makes hulls of it, if any.
     * Comes with the mesh, so that only who cooks loads it.
     */
    readonly toHulls?: (
      shape: ShapeRecord,
      dynamic: unknown,
      argument: string,
    ) => (() => ShapeRecord[]) | undefined,
  ) {}

  /** Bytes that it takes in memory and in snapshots; worlds share it between shapes. */
  get byteLength(): number {
    return this.words.byteLength;
  }

  /** Names the content: the same for the same content. */
  get hash(): string {
    return key(this.words);
  }
}

const sameWords = (a: Int32Array, b: Int32Array) =>
  a === b || (a.length === b.length && a.every((word, i) => word === b[i]));

export function geometryOf(hull: Hull): Geometry {
  return new Geometry(SHAPE_HULL, geometryWords(hull), undefined, hull.center);
}

export class Geometries {
  /** By slot, from 1. */
  private readonly entries: ({ geometry: Geometry; users: number } | undefined)[] = [undefined];
  private readonly byHash = new Map<string, number[]>();

  /** The slot that holds the same content, or 0. */
  find({ kind, words }: Geometry): number {
    const slots = this.byHash.get(key(words)) ?? [];
    const same = (other: Geometry) => other.kind === kind && sameWords(other.words, words);
    return slots.find((slot) => same(this.entries[slot]!.geometry)) ?? 0;
  }

  /** The slot that the next content gets. */
  next(): number {
    const free = this.entries.indexOf(undefined, 1);
    return free < 0 ? this.entries.length : free;
  }

  at(slot: number): Geometry | undefined {
    return this.entries[slot]?.geometry;
  }

  users(slot: number): number {
    return this.entries[slot]?.users ?? 0;
  }

  put(slot: number, geometry: Geometry): void {
    while (this.entries.length <= slot) this.entries.push(undefined);
    this.entries[slot] = { geometry, users: 0 };
    const name = key(geometry.words);
    this.byHash.set(name, [...(this.byHash.get(name) ?? []), slot]);
  }

  remove(slot: number): void {
    const name = key(this.entries[slot]!.geometry.words);
    const rest = this.byHash.get(name)!.filter((other) => other !== slot);
    if (rest.length > 0) this.byHash.set(name, rest);
    else this.byHash.delete(name);
    this.entries[slot] = undefined;
    while (this.entries.length > 1 && this.entries.at(-1) === undefined) this.entries.pop();
  }

  /** One shape more or less uses it. Returns how many do. */
  count(slot: number, change: number): number {
    return (this.entries[slot]!.users += change);
  }

  /** Slots in use, ascending. */
  *slots(): Generator<number> {
    for (let slot = 1; slot < this.entries.length; slot++) if (this.entries[slot] !== undefined) yield slot;
  }
}

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
const key = (words: Int32Array) => hex(words[HASH_AT + 1]!) + hex(words[HASH_AT]!);
