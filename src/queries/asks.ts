// Query descriptors: checked and converted queries. In: the caller's arguments. Out: an Ask of numbers and ids only,
// which a World answers at once and the worker client sends to its host.

import type { BodyId, ShapeId } from '../base/ids';
import { MAX_COORDINATE, MAX_SHAPES_PER_BODY } from '../base/limits';
import type { Quat, Vec3 } from '../base/math';
import {
  checkBoolean,
  checkInteger,
  checkKeys,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  optionsIn,
  quatOf,
  readList,
  vec3Of,
} from '../base/validate';
import {
  ASK_BOX,
  ASK_CONTACT,
  ASK_DISTANCE,
  ASK_FRONT_ONLY,
  ASK_NO_SENSORS,
  ASK_OVERLAP,
  ASK_RAY,
  ASK_SWEEP,
  QUERY_ALL,
  QUERY_ANY,
  QUERY_CLOSEST,
  SHAPE_PLANE,
} from '../core/memory/constants';
import { resolveShape, SHAPE_TYPES, type ShapeRecord } from '../options/shapes';
import type { QuatLike, ShapeOptions, Vec3Like } from '../types';
import type { RigidBody } from '../world/body';

export interface QueryFilter<Body = RigidBody> {
  /** Filter group of the query: it finds shapes whose mask has one of its bits. Default 1, as in Bullet. */
  group?: number;
  /** Groups that the query finds. Default −1, all. */
  mask?: number;
  /** A body to ignore, e.g. the one that asks. */
  skip?: Body | BodyId;
  /** Whether sensors and bodies without contact response are found. Default true. */
  sensors?: boolean;
}

export interface QueryOptions<Body = RigidBody> extends QueryFilter<Body> {
  /** The nearest or first hit, any hit, or all in order. 'any' is deterministic: the same on every replica. */
  mode?: 'closest' | 'any' | 'all';
  /** With 'all': maximum number of hits, the first in order. Default no limit. */
  maxHits?: number;
}

/** Options of a ray. */
export interface RayOptions<Body = RigidBody> extends QueryOptions<Body> {
  /** Whether triangles of meshes and heightfields are hit from behind, too. Default true, as in Bullet. */
  backFaces?: boolean;
}

/** Options of many rays: each has its closest hit. */
export type RayBatchOptions<Body = RigidBody> = Omit<RayOptions<Body>, 'mode' | 'maxHits'>;

/** Options of queries for the nearest shape. */
export interface DistanceOptions<Body = RigidBody> extends QueryOptions<Body> {
  /** m, ≥ 0. Shapes farther away are not found. Default 1e6. */
  maxDistance?: number;
}

/** Options of queries for contact points. */
export interface ContactOptions<Body = RigidBody> extends QueryFilter<Body> {
  /** m, ≥ 0. Points of shapes up to this far apart count as contacts: Bullet's closest distance threshold. Default 0. */
  maxDistance?: number;
}

/**
 * Convex shapes for queries, created once: a hull is cooked here and not in every query. A list makes a
 * compound.
 */
export class QueryShape {
  /** @internal */
  readonly records: readonly ShapeRecord[];

  /** @throws PhysicsError 'invalid-argument', 'unknown-option' */
  constructor(
    /** What it was made of. */
    readonly options: ShapeOptions | readonly ShapeOptions[],
  ) {
    this.records = piecesOf(options, 'shape');
  }
}

/** A shape that is not in the world, at a pose; or a shape of the world, at its current pose. */
export type PlacedShape =
  | {
      /** One shape, several, or a QueryShape, which is prepared once. */
      shape: ShapeOptions | readonly ShapeOptions[] | QueryShape;
      /** m. Default origin. */
      position?: Vec3Like;
      /** Default identity. */
      rotation?: QuatLike;
    }
  | { shape: ShapeId };

/** The subject of a query: a body with all its shapes, or a shape. */
export type QueryTarget<Body = RigidBody> = Body | BodyId | PlacedShape;

/** One query of a batch; see the methods of the same names. */
export type Query<Body = RigidBody> =
  /** From one point to another, m, world. */
  | ({ type: 'ray'; from: Vec3Like; to: Vec3Like } & RayOptions<Body>)
  /** Sweeps `target` by `delta`, m, without rotation. */
  | ({ type: 'sweep'; target: QueryTarget<Body>; delta: Vec3Like } & QueryOptions<Body>)
  /** Shapes that touch or overlap `target`. */
  | ({ type: 'overlap'; target: QueryTarget<Body> } & QueryOptions<Body>)
  /** Shapes whose bounding box overlaps the box from `min` to `max`, m, world. */
  | ({ type: 'box'; min: Vec3Like; max: Vec3Like } & QueryOptions<Body>)
  /** Shapes that contain `point` (m, world). */
  | ({ type: 'point'; point: Vec3Like } & QueryOptions<Body>)
  /** The shape nearest to `target`. */
  | ({ type: 'nearest'; target: QueryTarget<Body> } & DistanceOptions<Body>)
  /** Distance and closest points of `a` and `b`, up to `maxDistance`, m. */
  | { type: 'closestPoints'; a: QueryTarget<Body>; b: QueryTarget<Body>; maxDistance?: number }
  /** Contact points of `target` with the world. */
  | ({ type: 'contacts'; target: QueryTarget<Body> } & ContactOptions<Body>)
  /** Contact points of `a` and `b`, up to `maxDistance` apart, m. */
  | { type: 'pairContacts'; a: QueryTarget<Body>; b: QueryTarget<Body>; maxDistance?: number };

/** A side of a question: all shapes of a body, some shape of the world, or pieces with a place. */
export type Side =
  | { body: BodyId }
  | { shape: ShapeId }
  | { records: readonly ShapeRecord[]; position: Vec3; rotation: Quat };

/** A question in plain words. */
export interface Ask {
  /** ASK_* */
  kind: number;
  /** QUERY_* */
  mode: number;
  group: number;
  mask: number;
  skip: BodyId;
  flags: number;
  maxHits: number;
  maxDistance: number;
  /** Of a ray: its start. Of a box: the lower corner. */
  from: Vec3;
  /** The way of a ray or sweep. Of a box: the upper corner. */
  delta: Vec3;
  a: Side | null;
  /** null: against the world. */
  b: Side | null;
}

/** What a check needs to know of the world: its live ids. */
export interface Known<Body> {
  isBody(value: unknown): value is Body;
  idOf(body: Body | BodyId, argument: string): BodyId;
  checkShape(id: ShapeId, argument: string): void;
}

const MODES = { closest: QUERY_CLOSEST, any: QUERY_ANY, all: QUERY_ALL } as const;
const MODE_NAMES = Object.keys(MODES) as (keyof typeof MODES)[];
const FILTER = ['group', 'mask', 'skip', 'sensors'];
const MODAL = [...FILTER, 'mode', 'maxHits'];
type QueryType = Query<unknown>['type'];
/** By type of query: its own fields, and its options. */
const FIELDS: Record<QueryType, readonly string[]> = {
  ray: ['from', 'to'],
  sweep: ['target', 'delta'],
  overlap: ['target'],
  box: ['min', 'max'],
  point: ['point'],
  nearest: ['target'],
  closestPoints: ['a', 'b'],
  contacts: ['target'],
  pairContacts: ['a', 'b'],
};
const OPTIONS: Record<QueryType, readonly string[]> = {
  ray: [...MODAL, 'backFaces'],
  sweep: MODAL,
  overlap: MODAL,
  box: MODAL,
  point: MODAL,
  nearest: [...MODAL, 'maxDistance'],
  closestPoints: ['maxDistance'],
  contacts: [...FILTER, 'maxDistance'],
  pairContacts: ['maxDistance'],
};
const QUERY_TYPES = Object.keys(OPTIONS) as QueryType[];
const KIND: Record<QueryType, number> = {
  ray: ASK_RAY,
  sweep: ASK_SWEEP,
  overlap: ASK_OVERLAP,
  box: ASK_BOX,
  point: ASK_OVERLAP,
  nearest: ASK_DISTANCE,
  closestPoints: ASK_DISTANCE,
  contacts: ASK_CONTACT,
  pairContacts: ASK_CONTACT,
};
/** Bullet's btBroadphaseProxy::DefaultFilter and AllFilter. */
const DEFAULT_GROUP = 1;
const DEFAULT_MASK = -1;
/** m. Below this a ray or a sweep has no direction in f32. */
const SHORTEST_WAY = 1e-6;
const FAR = MAX_COORDINATE;
/** Of one batch: 40 bytes each in the core. */
const MOST_RAYS = 1 << 24;

function piecesOf(shape: unknown, argument: string): ShapeRecord[] {
  const list = Array.isArray(shape) ? readList(shape, argument, 'must be a list of shapes') : [shape];
  if (list.length === 0 || list.length > MAX_SHAPES_PER_BODY)
    throw invalid(argument, `must be 1 to ${MAX_SHAPES_PER_BODY} shapes`, list.length);
  return list.map((options, i) => {
    const name = Array.isArray(shape) ? `${argument}[${i}]` : argument;
    const record = resolveShape(options, name);
    if (record.type >= SHAPE_PLANE)
      throw invalid(`${name}.type`, 'must be a convex shape', SHAPE_TYPES[record.type]);
    return record;
  });
}

function sideOf<Body>(known: Known<Body>, target: QueryTarget<Body>, argument: string): Side {
  if (typeof target === 'number' || known.isBody(target))
    return { body: known.idOf(target as Body | BodyId, argument) };
  if (typeof target !== 'object' || target === null || !('shape' in target))
    throw invalid(argument, 'must be a body or { shape, position, rotation }', target);
  const { shape, position, rotation } = checkOptions(target, argument, ['shape', 'position', 'rotation']) as {
    shape: ShapeOptions | QueryShape | ShapeId;
    position?: Vec3Like;
    rotation?: QuatLike;
  };
  if (typeof shape === 'number') {
    known.checkShape(shape, `${argument}.shape`);
    if (position !== undefined || rotation !== undefined)
      throw invalid(argument, 'must be absent for a shape of the world', position ?? rotation);
    return { shape };
  }
  return {
    records: shape instanceof QueryShape ? shape.records : piecesOf(shape, `${argument}.shape`),
    position: position === undefined ? [0, 0, 0] : vec3Of(position, `${argument}.position`),
    rotation: rotation === undefined ? [0, 0, 0, 1] : quatOf(rotation, `${argument}.rotation`),
  };
}

/** The question of a call: its fields, and the options that the caller gave. */
export function questionOf<Body, Type extends QueryType>(
  known: Known<Body>,
  fields: { type: Type } & Record<string, unknown>,
  options: unknown,
): Ask {
  if (options !== undefined) checkKeys(options, 'options', OPTIONS[fields.type]);
  // Each option is read once, here; a copy by known names made questions half as dear again.
  return resolve(known, { ...(options as object), ...fields } as unknown as Query<Body>, '');
}

/** The questions of a batch. */
export function checkQueries<Body>(known: Known<Body>, queries: readonly Query<Body>[]): Ask[] {
  return readList(queries, 'queries', 'must be a list of queries').map((query, i) =>
    checkQuery(known, query as Query<Body>, `queries[${i}]`),
  );
}

/** `argument` names it in errors. */
function checkQuery<Body>(known: Known<Body>, query: Query<Body>, argument: string): Ask {
  if (typeof query !== 'object' || query === null) throw invalid(argument, 'must be an object', query);
  const type = checkOneOf(query.type, `${argument}.type`, QUERY_TYPES);
  const given = checkOptions(query, argument, [...FIELDS[type], ...OPTIONS[type], 'type']);
  return resolve(known, { ...given, type } as unknown as Query<Body>, `${argument}.`);
}

function resolve<Body>(known: Known<Body>, query: Query<Body>, argument: string): Ask {
  const given = query as QueryOptions<Body> & { maxDistance?: number; backFaces?: boolean };
  const name = (field: string) => `${argument}${field}`;
  const option = optionsIn(given, name);
  const kind = KIND[query.type];
  const flag = (field: 'sensors' | 'backFaces', bit: number) =>
    given[field] === undefined || checkBoolean(given[field], name(field)) ? 0 : bit;
  const ask: Ask = {
    kind,
    mode:
      given.mode === undefined
        ? kind === ASK_OVERLAP || kind === ASK_BOX || kind === ASK_CONTACT
          ? QUERY_ALL
          : QUERY_CLOSEST
        : MODES[checkOneOf(given.mode, name('mode'), MODE_NAMES)],
    group: option('group', DEFAULT_GROUP, checkWord),
    mask: option('mask', DEFAULT_MASK, checkWord),
    skip: given.skip === undefined ? 0 : known.idOf(given.skip, name('skip')),
    flags: flag('sensors', ASK_NO_SENSORS) | flag('backFaces', ASK_FRONT_ONLY),
    maxHits: given.maxHits === undefined ? 0 : checkInteger(given.maxHits, name('maxHits'), 1, 0x7fffffff),
    maxDistance:
      given.maxDistance === undefined
        ? kind === ASK_DISTANCE
          ? FAR
          : 0
        : checkNumber(given.maxDistance, name('maxDistance'), NON_NEGATIVE(FAR)),
    from: [0, 0, 0],
    delta: [0, 0, 0],
    a: null,
    b: null,
  };
  switch (query.type) {
    case 'ray': {
      ask.from = vec3Of(query.from, name('from'));
      const to = vec3Of(query.to, name('to'));
      for (let i = 0; i < 3; i++) ask.delta[i] = to[i]! - ask.from[i]!;
      checkWay(ask.delta, query.to, name('to'), 'from the start of the ray');
      break;
    }
    case 'sweep':
      ask.a = sideOf(known, query.target, name('target'));
      ask.delta = vec3Of(query.delta, name('delta'));
      checkWay(ask.delta, query.delta, name('delta'), 'long');
      break;
    case 'box':
      ask.from = vec3Of(query.min, name('min'));
      ask.delta = vec3Of(query.max, name('max'));
      for (let i = 0; i < 3; i++)
        if (!(ask.from[i]! <= ask.delta[i]!))
          throw invalid(name(`max.${'xyz'[i]}`), `must be ≥ min.${'xyz'[i]}`, ask.delta[i]);
      break;
    case 'point':
      ask.a = {
        records: POINT,
        position: vec3Of(query.point, name('point')),
        rotation: [0, 0, 0, 1],
      };
      break;
    case 'closestPoints':
    case 'pairContacts':
      ask.a = sideOf(known, query.a, name('a'));
      ask.b = sideOf(known, query.b, name('b'));
      break;
    default:
      ask.a = sideOf(known, query.target, name('target'));
  }
  return ask;
}

function checkWay([x, y, z]: Vec3, value: unknown, argument: string, rule: string): void {
  if (!(x * x + y * y + z * z > SHORTEST_WAY * SHORTEST_WAY))
    throw invalid(argument, `must be more than ${SHORTEST_WAY} m ${rule}`, value);
}

/** What the rays of a batch have in common, and their numbers: in an array that has no getters. */
export function checkRays<Body>(
  known: Known<Body>,
  rays: ArrayLike<number>,
  options: RayBatchOptions<Body> | undefined,
): { filter: Ask; numbers: ArrayLike<number> } {
  const length: unknown = typeof rays === 'object' && rays !== null ? rays.length : undefined;
  if (typeof length !== 'number' || !(length >= 0 && length <= 6 * MOST_RAYS && length % 6 === 0))
    throw invalid('rays', 'must hold six numbers per ray: from x, y, z, to x, y, z', rays);
  const { mode, maxHits } = (options ?? {}) as QueryOptions<Body>;
  if (mode !== undefined) throw invalid('mode', 'must not be given: the closest hits are found', mode);
  if (maxHits !== undefined) throw invalid('maxHits', 'must not be given: one hit per ray is found', maxHits);
  const ask = questionOf(known, { type: 'ray', from: [0, 0, 0], to: [0, 1, 0] }, options);
  // No rays may be an array whose buffer was handed over: it cannot be copied.
  const isPlain = length > 0 && (rays instanceof Float32Array || rays instanceof Float64Array);
  const numbers = isPlain ? rays : new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const value = rays[i]!;
    if (typeof value !== 'number' || !(Math.abs(value) <= MAX_COORDINATE))
      throw invalid(`rays[${i}]`, `must be a number from −${MAX_COORDINATE} to ${MAX_COORDINATE}`, value);
    if (!isPlain) numbers[i] = value;
  }
  return { filter: ask, numbers };
}

/** A sphere without extent. */
const POINT: readonly ShapeRecord[] = (() => {
  const record = resolveShape({ type: 'sphere', radius: 1 }, 'point');
  record.params[0] = 0;
  return [record];
})();
