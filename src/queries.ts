// Questions to a world: rays and boxes against all shapes. In: checked points and filters. Out: hits as
// objects, or as arrays for many rays at once. Ties are broken by shape slot, so answers that steer a
// simulation are the same everywhere.
import type { RigidBody } from './body';
import { QUERY_ALL, QUERY_ANY, QUERY_CLOSEST } from './core/memory/constants';
import { type BodyId, MAX_SLOT, type ShapeId } from './ids';
import { MAX_COORDINATE } from './limits';
import type { Vec3 } from './math';
import type { Simulation } from './simulation';
import type { Vec3Like } from './types';
import { COORDINATE, checkInteger, checkOneOf, checkOptions, checkWord, invalid, readVec3 } from './validate';

export interface QueryFilter {
  /** What the query is; seen by shapes whose mask has one of its bits. Default 1, as in Bullet. */
  group?: number;
  /** What the query sees. Default −1, everything. */
  mask?: number;
}

export interface RayOptions<Body = RigidBody> extends QueryFilter {
  /** The nearest hit, whichever is found first (cheaper: is the view free?), or all. Default 'closest'. */
  mode?: 'closest' | 'any' | 'all';
  /** A body that the ray does not see, e.g. the one that looks. */
  skip?: Body | BodyId;
  /** With 'all': at most so many, the nearest. Default no limit. */
  maxHits?: number;
}

export interface RayHit<Body = RigidBody> {
  body: Body;
  shape: ShapeId;
  /** Where between the ends, 0 … 1. */
  fraction: number;
  /** m, world. */
  point: Vec3;
  /** Unit, world, out of the shape; against the ray where it starts inside. */
  normal: Vec3;
}

export interface OverlapHit<Body = RigidBody> {
  body: Body;
  shape: ShapeId;
}

/** Closest hits of many rays; entry i belongs to ray i. */
export interface RayBatch {
  /** Rays. */
  count: number;
  /** Ids; 0 where nothing was hit. */
  bodies: Int32Array;
  shapes: Int32Array;
  /** 1 where nothing was hit. */
  fractions: Float32Array;
  /** Three each. */
  points: Float32Array;
  normals: Float32Array;
}

/** What stands for a body in answers. */
type Named = { readonly id: BodyId };

const MODES = { closest: QUERY_CLOSEST, any: QUERY_ANY, all: QUERY_ALL } as const;
const MODE_NAMES = Object.keys(MODES) as (keyof typeof MODES)[];
const FILTER_OPTIONS = ['group', 'mask'];
const RAY_OPTIONS = [...FILTER_OPTIONS, 'mode', 'skip', 'maxHits'];
/** Bullet's btBroadphaseProxy::DefaultFilter and AllFilter. */
const DEFAULT_GROUP = 1;
const DEFAULT_MASK = -1;
/** Words of a hit in the core's answer. */
const HIT_WORDS = 10;
/** Words of a ray in the core's question: from, to, group, mask. */
const RAY_WORDS = 8;
/** m. Below this a ray has no direction in f32. */
const SHORTEST_RAY = 1e-6;
const NO_OPTIONS = {};

const from = new Float32Array(3);
const to = new Float32Array(3);

function checkFilter(options: QueryFilter): { group: number; mask: number } {
  return {
    group: options.group === undefined ? DEFAULT_GROUP : checkWord(options.group, 'group'),
    mask: options.mask === undefined ? DEFAULT_MASK : checkWord(options.mask, 'mask'),
  };
}

function hitAt<Body extends Named>(world: Simulation<Body>, at: number): RayHit<Body> {
  const { words, floats } = world.instance;
  const shape = world.replica.shapes.idAt(words[at]!);
  return {
    body: world.resolve(world.replica.bodies.idAt(words[at + 1]!)),
    shape,
    fraction: floats[at + 2]!,
    point: [floats[at + 3]!, floats[at + 4]!, floats[at + 5]!],
    normal: [floats[at + 6]!, floats[at + 7]!, floats[at + 8]!],
  };
}

/** See World.rayTest. */
export function rayTest<Body extends Named>(
  world: Simulation<Body>,
  fromPoint: Vec3Like,
  toPoint: Vec3Like,
  options: RayOptions<Body> = NO_OPTIONS,
): RayHit<Body> | RayHit<Body>[] | null {
  readVec3(fromPoint, 'from', COORDINATE, from);
  readVec3(toPoint, 'to', COORDINATE, to);
  checkOptions(options, 'options', RAY_OPTIONS);
  const mode = options.mode === undefined ? 'closest' : checkOneOf(options.mode, 'mode', MODE_NAMES);
  const { group, mask } = checkFilter(options);
  const skipped = options.skip === undefined ? 0 : world.idOf(options.skip, 'skip') & MAX_SLOT;
  const maxHits = options.maxHits === undefined ? 0 : checkInteger(options.maxHits, 'maxHits', 1, 0x7fffffff);
  const [dx, dy, dz] = [to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!];
  if (!(dx * dx + dy * dy + dz * dz > SHORTEST_RAY * SHORTEST_RAY))
    throw invalid('to', `must be more than ${SHORTEST_RAY} m from the start of the ray`, toPoint);

  // A body to be skipped may hide others: ask for all then.
  const asked = skipped === 0 ? MODES[mode] : QUERY_ALL;
  const limit = skipped === 0 ? maxHits : 0;
  const count = world.query((core) =>
    core.rayTest(asked, from[0]!, from[1]!, from[2]!, to[0]!, to[1]!, to[2]!, group, mask, limit),
  );
  const output = world.instance.table('queryOutput');
  const hits: RayHit<Body>[] = [];
  for (let i = 0, at = output; i < count; i++, at += HIT_WORDS) {
    if (skipped !== 0 && world.instance.words[at + 1] === skipped) continue;
    const hit = hitAt(world, at);
    if (mode !== 'all') return hit;
    hits.push(hit);
    if (maxHits !== 0 && hits.length === maxHits) break;
  }
  return mode === 'all' ? hits : null;
}

function createBatch(count: number): RayBatch {
  return {
    count,
    bodies: new Int32Array(count),
    shapes: new Int32Array(count),
    fractions: new Float32Array(count),
    points: new Float32Array(3 * count),
    normals: new Float32Array(3 * count),
  };
}

/** See World.rayTestBatch. */
export function rayTestBatch(
  world: Simulation<Named>,
  rays: ArrayLike<number>,
  options: QueryFilter = NO_OPTIONS,
  out?: RayBatch,
): RayBatch {
  if (typeof rays !== 'object' || rays === null || typeof rays.length !== 'number' || rays.length % 6 !== 0)
    throw invalid('rays', 'must hold six numbers per ray: from x, y, z, to x, y, z', rays);
  checkOptions(options, 'options', FILTER_OPTIONS);
  const { group, mask } = checkFilter(options);
  const count = rays.length / 6;
  if (out !== undefined && !(out.fractions?.length >= count))
    throw invalid('out', `must have room for ${count} rays`, out.fractions?.length);
  for (let i = 0; i < rays.length; i++) {
    const value = rays[i]!;
    if (typeof value !== 'number' || !(Math.abs(value) <= MAX_COORDINATE))
      throw invalid(`rays[${i}]`, `must be a number from −${MAX_COORDINATE} to ${MAX_COORDINATE}`, value);
  }
  world.sync();
  const { instance } = world;
  const address = world.query((core) => core.reserveCommands(count * RAY_WORDS)) >>> 0;
  {
    const { words, floats } = instance;
    let at = address >>> 2;
    for (let i = 0; i < rays.length; i += 6, at += RAY_WORDS) {
      for (let k = 0; k < 6; k++) floats[at + k] = rays[i + k]!;
      // A ray without direction: nudged, since its start may still lie in a shape.
      if (
        floats[at] === floats[at + 3] &&
        floats[at + 1] === floats[at + 4] &&
        floats[at + 2] === floats[at + 5]
      )
        floats[at + 4] = floats[at + 4]! + Math.max(SHORTEST_RAY, 1e-6 * Math.abs(floats[at + 4]!));
      words[at + 6] = group;
      words[at + 7] = mask;
    }
  }
  world.query((core) => core.rayTestBatch(address, count));

  const batch = out ?? createBatch(count);
  batch.count = count;
  const { words, floats } = instance;
  const { bodies, shapes } = world.replica;
  for (let i = 0, at = instance.table('queryOutput'); i < count; i++, at += HIT_WORDS) {
    const fraction = floats[at + 2]!;
    const hit = fraction <= 1;
    batch.bodies[i] = hit ? bodies.idAt(words[at + 1]!) : 0;
    batch.shapes[i] = hit ? shapes.idAt(words[at]!) : 0;
    batch.fractions[i] = hit ? fraction : 1;
    for (let k = 0; k < 3; k++) {
      batch.points[3 * i + k] = hit ? floats[at + 3 + k]! : rays[6 * i + 3 + k]!;
      batch.normals[3 * i + k] = hit ? floats[at + 6 + k]! : 0;
    }
  }
  return batch;
}

/** See World.overlapTest. */
export function overlapTest<Body extends Named>(
  world: Simulation<Body>,
  min: Vec3Like,
  max: Vec3Like,
  options: QueryFilter = NO_OPTIONS,
): OverlapHit<Body>[] {
  readVec3(min, 'min', COORDINATE, from);
  readVec3(max, 'max', COORDINATE, to);
  for (let i = 0; i < 3; i++)
    if (!(from[i]! <= to[i]!)) throw invalid(`max.${'xyz'[i]}`, `must be ≥ min.${'xyz'[i]}`, to[i]);
  checkOptions(options, 'options', FILTER_OPTIONS);
  const { group, mask } = checkFilter(options);
  const count = world.query((core) =>
    core.overlapAabb(from[0]!, from[1]!, from[2]!, to[0]!, to[1]!, to[2]!, group, mask),
  );
  const { replica, instance } = world;
  const output = instance.table('queryOutput');
  const hits: OverlapHit<Body>[] = [];
  for (let i = 0; i < count; i++) {
    const slot = instance.words[output + i]!;
    const shape = replica.shapeRecords[slot]!;
    hits.push({ body: world.resolve(shape.body), shape: shape.id });
  }
  return hits;
}
