// The narrow phase as its own WebAssembly module, for tests. In: two placed shapes. Out: the manifold
// as plain objects, and the same shapes as f64 solids for the oracles. Values are rounded to f32 first,
// so that core and oracle see the same shapes.

// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../../scripts/compile-core-entry.mjs';
import { geometryWords } from '../../../src/cooking/geometryWords';
import { cookHull, type Hull } from '../../../src/cooking/hull';
import { pointWords } from '../../../src/cooking/pointWords';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_MULTISPHERE,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../../../src/core/memory/constants';
import { ManifoldResult, Shape } from '../../../src/wasm/core-layout';
import { length, type Quat, scale, type Vec3 } from '../../physics/support/vector';
import type { Solid } from '../../reference/penetration';
import { solidOf } from '../../reference/penetration';

export type Kind =
  | 'sphere'
  | 'capsule'
  | 'box'
  | 'hull'
  | 'cylinder'
  | 'cone'
  | 'triangle'
  | 'multisphere'
  | 'plane';

/** Params as in the core: radius; radius, half height; half extents; none. */
export interface Placed {
  kind: Kind;
  params: number[];
  hull?: Hull;
  /** Of a triangle or multi-sphere: x, y, z, radius of each point. */
  points?: number[];
  /** m, around a hull, cone or triangle. */
  margin?: number;
  position: Vec3;
  rotation: Quat;
}

export interface Manifold {
  count: number;
  normal: Vec3;
  points: Vec3[];
  separations: number[];
  features: number[];
  cache: number;
  /** The least separation; infinity without points. */
  deepest: number;
  /** Without points: the lower bound of the distance. */
  gap: number;
}

export interface RayHit {
  fraction: number;
  normal: Vec3;
}

export const TYPE: Record<Kind, number> = {
  sphere: SHAPE_SPHERE,
  capsule: SHAPE_CAPSULE,
  box: SHAPE_BOX,
  hull: SHAPE_HULL,
  cylinder: SHAPE_CYLINDER,
  cone: SHAPE_CONE,
  triangle: SHAPE_TRIANGLE,
  multisphere: SHAPE_MULTISPHERE,
  plane: SHAPE_PLANE,
};
const A = 0x30000;
const B = A + 4096;
const OUT = B + 4096;
const SEGMENT = OUT + 4096;
const GEOMETRY = OUT + 0x8000;
const GEOMETRY_BYTES = 0x4000;
const BATCH = 0x60000;

export function rounded(shape: Placed): Placed {
  return {
    kind: shape.kind,
    ...(shape.hull !== undefined && { hull: shape.hull }),
    ...(shape.points !== undefined && { points: shape.points.map(Math.fround) }),
    ...(shape.margin !== undefined && { margin: Math.fround(shape.margin) }),
    params: shape.params.map(Math.fround),
    position: shape.position.map(Math.fround) as Vec3,
    rotation: shape.rotation.map(Math.fround) as Quat,
  };
}

/** The f64 solid of a rounded shape: a rotation is what the f32 quaternion says, made a unit one in f64. */
export function solid({ kind, params, position, rotation }: Placed): Solid {
  const size = Math.hypot(...rotation);
  const unit = rotation.map((c) => c / size) as Quat;
  const [p0, p1, p2] = params as [number, number, number];
  if (kind === 'sphere') return solidOf({ shape: { type: 'sphere', radius: p0 }, position, rotation: unit });
  if (kind === 'capsule')
    return solidOf({ shape: { type: 'capsule', radius: p0, halfHeight: p1 }, position, rotation: unit });
  if (kind === 'box')
    return solidOf({ shape: { type: 'box', halfExtents: [p0, p1, p2] }, position, rotation: unit });
  return solidOf({ shape: { type: 'plane' }, position, rotation: unit });
}

interface Exports {
  collide(a: number, b: number, maxSeparation: number, cache: number, out: number): number;
  distance(a: number, b: number, maxDistance: number, out: number): number;
  gap(a: number, b: number): number;
  iterations(): number;
  aabb(shape: number, out: number): void;
  ray(shape: number, segment: number, maxFraction: number, normal: number): number;
  repeat(
    a: number,
    b: number,
    count: number,
    stride: number,
    maxSeparation: number,
    cache: number,
    out: number,
  ): number;
}

export async function createNarrowphase() {
  const bytes: Uint8Array<ArrayBuffer> = await compileCoreEntry('test/core/narrowphaseEntry.ts');
  const memory = new WebAssembly.Memory({ initial: 64 });
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory, abort() {} } });
  const core = instance.exports as unknown as Exports;
  const view = new DataView(memory.buffer);

  const readVec = (at: number): Vec3 => [
    view.getFloat32(at, true),
    view.getFloat32(at + 4, true),
    view.getFloat32(at + 8, true),
  ];

  /** Hulls of a batch that stay where they are. */
  const addresses = new Map<Hull, number>();

  function write(at: number, shape: Placed, slot: number) {
    const put = (offset: number, values: number[]) => {
      values.forEach((v, i) => {
        view.setFloat32(at + offset + 4 * i, v, true);
      });
    };
    put(Shape.position, [...shape.position, 0]);
    put(Shape.rotation, shape.rotation);
    put(Shape.param0, [...shape.params, 0, 0, 0, 0].slice(0, 4));
    put(Shape.margin, [shape.margin ?? 0]);
    view.setInt32(at + Shape.type, TYPE[shape.kind], true);
    view.setInt32(at + Shape.slot, slot, true);
    if (shape.points !== undefined) {
      const words = pointWords(shape.points);
      new Int32Array(memory.buffer, GEOMETRY + slot * GEOMETRY_BYTES, words.length).set(words);
      view.setUint32(at + Shape.geometry, GEOMETRY + slot * GEOMETRY_BYTES, true);
      return;
    }
    if (shape.hull === undefined) return;
    // In order of use; the timing batch has many.
    let address = addresses.get(shape.hull);
    if (address === undefined) {
      if (slot <= 2) address = GEOMETRY + slot * GEOMETRY_BYTES;
      else throw new Error('slots 1 and 2 only');
    }
    const words = geometryWords(shape.hull);
    new Int32Array(memory.buffer, address, words.length).set(words);
    view.setUint32(at + Shape.geometry, address, true);
  }

  function collide(a: Placed, b: Placed, maxSeparation: number, cache = 0): Manifold {
    write(A, a, 1);
    write(B, b, 2);
    view.setFloat32(OUT + ManifoldResult.separation0, Number.NaN, true); // must be written, with or without points
    const count = core.collide(A, B, maxSeparation, cache, OUT);
    const points: Vec3[] = [];
    const separations: number[] = [];
    const features: number[] = [];
    for (let i = 0; i < count; i++) {
      points.push(readVec(OUT + ManifoldResult.point0 + 16 * i));
      separations.push(view.getFloat32(OUT + ManifoldResult.separation0 + 4 * i, true));
      features.push(view.getUint32(OUT + ManifoldResult.feature0 + 4 * i, true));
    }
    return {
      count,
      normal: readVec(OUT + ManifoldResult.normal),
      points,
      separations,
      features,
      cache: view.getInt32(OUT + ManifoldResult.cache, true),
      deepest: Math.min(Number.POSITIVE_INFINITY, ...separations),
      gap: view.getFloat32(OUT + ManifoldResult.separation0, true),
    };
  }

  /** See shapeDistance of the core. */
  function distance(a: Placed, b: Placed, maxDistance = 1e29) {
    write(A, a, 1);
    write(B, b, 2);
    const value = core.distance(A, B, maxDistance, OUT);
    return { value, normal: readVec(OUT), pointA: readVec(OUT + 16), pointB: readVec(OUT + 32) };
  }

  function gap(a: Placed, b: Placed): number {
    write(A, a, 1);
    write(B, b, 2);
    return core.gap(A, B);
  }

  function aabb(shape: Placed): { min: Vec3; max: Vec3 } {
    write(A, shape, 1);
    core.aabb(A, OUT);
    return { min: readVec(OUT), max: readVec(OUT + 16) };
  }

  function ray(shape: Placed, from: Vec3, delta: Vec3, maxFraction = 1): RayHit | null {
    write(A, shape, 1);
    [...from, 0, ...delta, 0].forEach((v, i) => {
      view.setFloat32(SEGMENT + 4 * i, v, true);
    });
    const fraction = core.ray(A, SEGMENT, maxFraction, OUT);
    return fraction > 1 ? null : { fraction, normal: readVec(OUT) };
  }

  /** Nanoseconds per call over the given pairs, with a hint per pair (unless `fresh`), best of several rounds. */
  function time(
    pairs: [Placed, Placed][],
    maxSeparation: number,
    rounds = 60,
    fresh = false,
  ): { ns: number; points: number } {
    const stride = Shape.SIZE * 2;
    let top = BATCH + pairs.length * (stride + 4) + 64;
    for (const { hull } of pairs.flat()) {
      if (hull === undefined || addresses.has(hull)) continue;
      addresses.set(hull, (top = (top + 15) & ~15));
      top += 4 * geometryWords(hull).length;
    }
    const cache = BATCH + pairs.length * stride;
    pairs.forEach(([a, b], i) => {
      write(BATCH + i * stride, a, 1);
      write(BATCH + i * stride + Shape.SIZE, b, 2);
      view.setInt32(cache + 4 * i, 0, true);
    });
    let best = Number.POSITIVE_INFINITY;
    let points = 0;
    for (let r = 0; r < rounds; r++) {
      const start = process.hrtime.bigint();
      points = core.repeat(
        BATCH,
        BATCH + Shape.SIZE,
        pairs.length,
        stride,
        maxSeparation,
        fresh ? 0 : cache,
        OUT,
      );
      best = Math.min(best, Number(process.hrtime.bigint() - start));
    }
    return { ns: best / pairs.length, points: points / pairs.length };
  }

  return { collide, distance, gap, aabb, ray, time, iterations: () => core.iterations() };
}
export type Narrowphase = Awaited<ReturnType<typeof createNarrowphase>>;

/** Half the largest extent of a shape about its origin: what errors are measured against. */
export function sizeOf(shape: Placed): number {
  const { kind, params, hull, points, margin = 0 } = shape;
  if (margin > 0) return margin + sizeOf({ ...shape, margin: 0 });
  if (points !== undefined)
    return Math.max(
      ...points.flatMap((r, i) => (i % 4 === 3 ? Math.hypot(...points.slice(i - 3, i)) + r : [])),
    );
  if (kind === 'box' || kind === 'cylinder' || kind === 'cone') return Math.hypot(...params);
  if (kind === 'hull') return hull!.radius;
  if (kind === 'capsule') return params[0]! + params[1]!;
  return kind === 'sphere' ? params[0]! : 0;
}

export const identity: Quat = [0, 0, 0, 1];

export const unitVector = (random: () => number): Vec3 => {
  for (;;) {
    const v: Vec3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const l = length(v);
    if (l > 0.1 && l <= 1) return scale(v, 1 / l);
  }
};

export const randomRotation = (random: () => number): Quat => {
  for (;;) {
    const q: Quat = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const l = Math.hypot(...q);
    if (l > 0.1 && l <= 1) return q.map((c) => c / l) as Quat;
  }
};

/** Sizes of a random shape of the given scale; boxes and capsules from slender to flat. */
export function randomShape(
  kind: Kind,
  scaleOf: number,
  random: () => number,
  mostCorners = 24, // of a hull
): Placed {
  const part = () => scaleOf * 10 ** -random();
  const params =
    kind === 'sphere'
      ? [part()]
      : kind === 'capsule'
        ? [part(), part()]
        : kind === 'box'
          ? [part(), part(), part()]
          : [];
  const position: Vec3 = [0, 0, 0];
  if (kind === 'cylinder' || kind === 'cone') params.push(part(), part());
  if (kind === 'triangle' || kind === 'multisphere') {
    const axes = [part(), part(), part()];
    const count = kind === 'triangle' ? 3 : 1 + Math.floor(6 * random());
    const points = Array.from({ length: count }, () => [
      ...unitVector(random).map((c, k) => c * axes[k]!),
      kind === 'triangle' ? 0 : 0.5 * part(),
    ]).flat();
    return { kind, params, points, position, rotation: randomRotation(random) };
  }
  if (kind !== 'hull') return { kind, params, position, rotation: randomRotation(random) };
  const axes = [part(), part(), part()];
  const count = 4 + Math.floor(random() * (mostCorners - 4));
  for (;;) {
    const points = Array.from({ length: count }, () => unitVector(random).map((c, k) => c * axes[k]!));
    try {
      return { kind, params, hull: cookHull(points), position, rotation: randomRotation(random) };
    } catch {} // four points in a plane
  }
}

/** A shape at the origin. */
export const placed = (kind: Kind, params: number[], more: Partial<Placed> = {}): Placed => ({
  kind,
  params,
  position: [0, 0, 0],
  rotation: identity,
  ...more,
});
