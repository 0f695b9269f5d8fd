// Queries, answered by the core: rays, sweeps, overlaps, distances and contacts against all shapes or between two. In:
// checked queries. Out: hits as objects, or as arrays for many rays at once. Answers depend only on poses and ids, so
// simulations that they steer are the same everywhere.

import { type BodyId, MAX_SLOT, type ShapeId } from '../base/ids';
import { type Quat, quatMultiply, rotate, type Vec3 } from '../base/math';
import { arraysLike } from '../base/out';
import {
  ASK_BOX,
  ASK_CONTACT,
  ASK_DISTANCE,
  ASK_OVERLAP,
  ASK_RAY,
  QUERY_ALL,
} from '../core/memory/constants';
import type { ShapeRecord } from '../options/shapes';
import { Shape, ShapeHit, ShapeQuery } from '../wasm/core-layout';
import type { RigidBody } from '../world/body';
import type { Simulation } from '../world/simulation';
import type { Ask, Side } from './asks';

export interface OverlapHit<Body = RigidBody> {
  /** The body found. */
  body: Body;
  /** The shape of the body that was found. */
  shape: ShapeId;
}

/** Where a ray hits a shape. */
export interface RayHit<Body = RigidBody> extends OverlapHit<Body> {
  /** Fraction of the way from start to end, 0 … 1. */
  fraction: number;
  /** m, world. */
  point: Vec3;
  /** Surface normal, unit, world; if the ray starts inside, the reverse of the ray's direction. */
  normal: Vec3;
  /** Mesh: number of the triangle in the user's order; heightfield: twice the cell, plus 1 for the second half; else −1. */
  triangle: number;
}

/** Where a moving shape hits another. */
export interface SweepHit<Body = RigidBody> extends RayHit<Body> {
  /** Index of the part of the moving shape that hits. */
  piece: number;
}

/** A shape that was found, and its closest point. */
export interface DistanceHit<Body = RigidBody> extends OverlapHit<Body> {
  /**
   * m; if the shapes overlap, minus the shortest translation that separates them. For a mesh or heightfield, which has no
   * inside: the way out of the triangle that is penetrated most, towards the shape's origin or over a ridge.
   */
  distance: number;
  /** Closest point of the querying shape, or the deepest one if the shapes overlap, m, world. */
  pointA: Vec3;
  /** Closest or deepest point of the shape found, m, world. */
  pointB: Vec3;
  /** Unit, world, from the querying shape to the shape found. */
  normal: Vec3;
  /** Index of the part of the querying shape. */
  piece: number;
  /** Of the shape found, as in RayHit. */
  triangle: number;
}

/** A shape that touches the querying shape, and the contact points. */
export interface ContactHit<Body = RigidBody> extends OverlapHit<Body> {
  /** Index of the part of the querying shape. */
  piece: number;
  /** Unit, world, from the querying shape to the shape found. */
  normal: Vec3;
  /** At most four. */
  points: {
    /** m, world, midway between the two surfaces. */
    position: Vec3;
    /** m; negative where the shapes overlap. */
    separation: number;
    /** Of the shape found, as in RayHit. */
    triangle: number;
  }[];
}

/** Answer to one query of a batch: a list, in order; at most one entry unless the mode is 'all'. */
export type QueryAnswer<Body = RigidBody> =
  | RayHit<Body>[]
  | SweepHit<Body>[]
  | OverlapHit<Body>[]
  | DistanceHit<Body>[]
  | ContactHit<Body>[];

/** Closest hits of many rays; entry i belongs to ray i. */
export interface RayBatch {
  /** Rays. */
  count: number;
  /** Ids; 0 where nothing was hit. */
  bodies: Int32Array;
  /** Ids; 0 where nothing was hit. */
  shapes: Int32Array;
  /** 1 where nothing was hit. */
  fractions: Float32Array;
  /** Three each. */
  points: Float32Array;
  /** Three each: unit, world. */
  normals: Float32Array;
  /** As in RayHit. */
  triangles: Int32Array;
}

/** What an Ask says of the rays of a batch. */
export type RayFilter = Pick<Ask, 'group' | 'mask' | 'skip' | 'flags'>;

/** What stands for a body in answers. */
type Named = { readonly id: BodyId };

/** Words of a ray's hit in the core's answer. */
const RAY_HIT_WORDS = 10;
const RAY_TRIANGLE = 9;
/** Words of a ray of a batch: from, to. */
const RAY_WORDS = 6;
const NOBODY = { body: null, shape: 0 } as unknown as OverlapHit<never>;

/** Answers one question. */
export function ask<Body extends Named>(world: Simulation<Body>, question: Ask): QueryAnswer<Body> {
  if (question.kind === ASK_RAY) return askRay(world, question);
  return question.kind === ASK_BOX ? askBox(world, question) : askShapes(world, question);
}

function askRay<Body extends Named>(
  world: Simulation<Body>,
  { mode, from, delta, group, mask, skip, flags, maxHits }: Ask,
): RayHit<Body>[] {
  const [x, y, z] = from;
  const [dx, dy, dz] = delta;
  const count = world.query((core) =>
    core.rayTest(mode, x, y, z, x + dx, y + dy, z + dz, group, mask, skip & MAX_SLOT, flags, maxHits),
  );
  const hits: RayHit<Body>[] = [];
  let at = world.instance.table('queryOutput');
  for (let i = 0; i < count; i++, at += RAY_HIT_WORDS) {
    const { words, floats } = world.instance;
    const { body, shape } = found(world, words[at]!);
    hits.push({
      body,
      shape,
      fraction: floats[at + 2]!,
      point: [floats[at + 3]!, floats[at + 4]!, floats[at + 5]!],
      normal: [floats[at + 6]!, floats[at + 7]!, floats[at + 8]!],
      triangle: words[at + RAY_TRIANGLE]!,
    });
  }
  return hits;
}

/** Shapes whose tight boxes touch the box from … delta. */
function askBox<Body extends Named>(
  world: Simulation<Body>,
  { from: [x, y, z], delta: [u, v, w], group, mask, skip, flags, mode, maxHits }: Ask,
): OverlapHit<Body>[] {
  const limit = mode === QUERY_ALL ? maxHits : 1;
  const count = world.query((core) =>
    core.overlapAabb(x, y, z, u, v, w, group, mask, skip & MAX_SLOT, flags),
  );
  const output = world.instance.table('queryOutput');
  const length = limit === 0 ? count : Math.min(count, limit);
  return Array.from({ length }, (_, i) => found(world, world.instance.words[output + i]!));
}

function found<Body extends Named>(world: Simulation<Body>, slot: number): OverlapHit<Body> {
  const { body, id } = world.replica.shapeRecords[slot]!;
  return { body: world.resolve(body), shape: id };
}

// --- shapes ---

const align16 = (bytes: number) => (bytes + 15) & ~15;

/** Shapes of the world that make up a side, by slot; none for pieces that are not in it. */
function slotsOf<Body extends Named>(world: Simulation<Body>, side: Side): number[] {
  if ('body' in side)
    return world.replica.bodyRecords[world.idOf(side.body) & MAX_SLOT]!.shapes.map((id) => id & MAX_SLOT);
  return 'shape' in side ? [world.replica.shapes.check(side.shape, 'shape')] : [];
}

/** Writes a question into the core's command area. Returns its address. */
function writeAsk<Body extends Named>(world: Simulation<Body>, question: Ask): number {
  const { a, b } = question as { a: Side; b: Side | null };
  const sides = b === null ? [a] : [a, b];
  const loose = sides.flatMap((side) =>
    'records' in side ? side.records.map((record) => ({ side, record })) : [],
  );
  const counts = sides.map((side) => ('records' in side ? side.records.length : slotsOf(world, side).length));
  const records = align16(ShapeQuery.SIZE + 4 * (counts[0]! + (counts[1] ?? 0)));
  let bytes = records + loose.length * Shape.SIZE;
  for (const { record } of loose) bytes = align16(bytes) + 4 * (record.geometry?.words.length ?? 0);

  world.sync();
  const address = world.query((core) => core.reserveCommands(bytes >> 2)) >>> 0;
  const { words, floats } = world.instance;
  const at = address >>> 2;
  const [dx, dy, dz] = question.delta;
  words.fill(0, at, at + (bytes >> 2));
  floats.set([dx, dy, dz], at + (ShapeQuery.delta >> 2));
  const { kind, mode, group, mask, skip, flags, maxHits, maxDistance } = question;
  // In the order of the record.
  words.set([kind, mode, group, mask, skip & MAX_SLOT, flags, maxHits], at + (ShapeQuery.kind >> 2));
  floats[at + (ShapeQuery.maxDistance >> 2)] = maxDistance;
  words.set([counts[0]!, counts[1] ?? 0], at + (ShapeQuery.piecesA >> 2));
  // A body does not meet itself.
  if (skip === 0 && b === null && 'body' in a) words[at + (ShapeQuery.skip >> 2)] = a.body & MAX_SLOT;

  let list = at + (ShapeQuery.SIZE >> 2);
  let record = records;
  for (const side of sides) {
    if ('records' in side)
      for (const _ of side.records) {
        words[list++] = -record;
        record += Shape.SIZE;
      }
    else for (const slot of slotsOf(world, side)) words[list++] = slot;
  }
  let geometry = record;
  loose.forEach(({ side, record: piece }, i) => {
    const pose = poseOf(piece, side.position, side.rotation);
    const s = at + ((records + i * Shape.SIZE) >> 2);
    floats.set(pose.position, s + (Shape.position >> 2));
    floats.set(pose.rotation, s + (Shape.rotation >> 2));
    floats.set(piece.params, s + (Shape.param0 >> 2));
    words[s + (Shape.type >> 2)] = piece.type;
    if (piece.geometry === undefined) return;
    geometry = align16(geometry);
    words[s + (Shape.geometry >> 2)] = address + geometry;
    words.set(piece.geometry.words, at + (geometry >> 2));
    geometry += 4 * piece.geometry.words.length;
  });
  return address;
}

function askShapes<Body extends Named>(world: Simulation<Body>, question: Ask): QueryAnswer<Body> {
  const address = writeAsk(world, question);
  const count = world.query((core) => core.queryShapes(address));
  const { words, floats } = world.instance;
  const { kind } = question;
  const hits: OverlapHit<Body>[] = [];
  let cluster = -1;
  let at = world.instance.table('queryOutput');
  for (let i = 0; i < count; i++, at += ShapeHit.SIZE >> 2) {
    const vector = (field: number): Vec3 => {
      const from = at + (field >> 2);
      return [floats[from]!, floats[from + 1]!, floats[from + 2]!];
    };
    const word = (field: number) => words[at + (field >> 2)]!;
    const slot = word(ShapeHit.shape);
    // A piece of B that is not in the world has no slot; the answer leaves the body out then.
    const other = slot === 0 ? NOBODY : found(world, slot);
    const { body, shape } = other; // spread into a hit they take as long as the rest of it
    const value = floats[at + (ShapeHit.value >> 2)]!;
    const piece = word(ShapeHit.piece);
    const triangle = word(ShapeHit.triangle);
    if (kind === ASK_OVERLAP) {
      hits.push(other);
    } else if (kind === ASK_CONTACT) {
      if (word(ShapeHit.cluster) !== cluster)
        hits.push({ body, shape, piece, normal: vector(ShapeHit.normalX), points: [] } as ContactHit<Body>);
      cluster = word(ShapeHit.cluster);
      (hits.at(-1) as ContactHit<Body>).points.push({
        position: vector(ShapeHit.pointX),
        separation: value,
        triangle,
      });
    } else if (kind === ASK_DISTANCE) {
      const [pointA, pointB] = [vector(ShapeHit.pointAX), vector(ShapeHit.pointX)];
      const normal = vector(ShapeHit.normalX);
      const hit: DistanceHit<Body> = {
        body,
        shape,
        distance: value,
        pointA,
        pointB,
        normal,
        piece,
        triangle,
      };
      hits.push(hit);
    } else {
      const [point, normal] = [vector(ShapeHit.pointX), vector(ShapeHit.normalX)];
      const hit: SweepHit<Body> = { body, shape, fraction: value, point, normal, triangle, piece };
      hits.push(hit);
    }
  }
  return hits as QueryAnswer<Body>;
}

function createBatch(count: number): RayBatch {
  return {
    count,
    bodies: new Int32Array(count),
    shapes: new Int32Array(count),
    fractions: new Float32Array(count),
    points: new Float32Array(3 * count),
    normals: new Float32Array(3 * count),
    triangles: new Int32Array(count),
  };
}

const ONE_RAY = createBatch(1);

/** The arrays of a batch that somebody gives to be filled with the hits of so many rays. */
export function checkRayBatch(out: unknown, count: number): RayBatch {
  return arraysLike(out, ONE_RAY, count);
}

/** The closest hits of rays, checked by checkRays; see World.rayTestBatch. */
export function askRays<Body extends Named>(
  world: Simulation<Body>,
  rays: ArrayLike<number>,
  { group, mask, skip, flags }: RayFilter,
  out?: RayBatch,
): RayBatch {
  const count = rays.length / 6;
  world.sync();
  const { instance } = world;
  const address = world.query((core) => core.reserveCommands(count * RAY_WORDS)) >>> 0;
  instance.floats.set(rays, address >>> 2);
  world.query((core) => core.rayTestBatch(address, count, group, mask, skip & MAX_SLOT, flags));

  const batch = out ?? createBatch(count);
  batch.count = count;
  const { words, floats } = instance;
  let at = instance.table('queryOutput') + RAY_HIT_WORDS;
  const next = (size: number) => {
    at += size;
    return [at - size, at] as const;
  };
  batch.bodies.set(words.subarray(...next(count)));
  batch.shapes.set(words.subarray(...next(count)));
  batch.fractions.set(floats.subarray(...next(count)));
  batch.triangles.set(words.subarray(...next(count)));
  batch.points.set(floats.subarray(...next(3 * count)));
  batch.normals.set(floats.subarray(...next(3 * count)));
  return batch;
}

/** World pose of a piece, in f64. */
function poseOf(
  { localPosition, localRotation }: ShapeRecord,
  position: Vec3,
  rotation: Quat,
): { position: Vec3; rotation: Quat } {
  const [x, y, z] = rotate(rotation, localPosition);
  return {
    position: [position[0] + x, position[1] + y, position[2] + z],
    rotation: quatMultiply(rotation, localRotation),
  };
}
