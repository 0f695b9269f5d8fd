// Babylon's questions. In: its query records. Out: its result objects, filled. Filters match both ways, as between shapes.
import type { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { CastingResult } from '@babylonjs/core/Physics/castingResult.js';
import type { IPhysicsPointProximityQuery } from '@babylonjs/core/Physics/physicsPointProximityQuery.js';
import { type IRaycastQuery, PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import type { IPhysicsShapeCastQuery } from '@babylonjs/core/Physics/physicsShapeCastQuery.js';
import type { IPhysicsShapeProximityCastQuery } from '@babylonjs/core/Physics/physicsShapeProximityCastQuery.js';
import type { ProximityCastResult } from '@babylonjs/core/Physics/proximityCastResult.js';
import type { ShapeCastResult } from '@babylonjs/core/Physics/shapeCastResult.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import { deterministic, QueryShape, type RayHit, type RigidBody } from 'ricochet';
import type { BodyData, Host } from './bodies';
import type { ShapeData } from './shapes';

type Vec3 = [number, number, number];
type Xyz = { x: number; y: number; z: number };
type Hit = { body: RigidBody; shape: number; triangle: number };

/** m. What a point is, to the engine: the least ball. */
const POINT = 1e-5;
const point = new QueryShape({ type: 'sphere', radius: POINT });
/** m. A way that is no longer has no direction. */
const NO_WAY = 1e-6;

const list = ({ x, y, z }: Xyz): Vec3 => [x, y, z];
const xyz = ([x, y, z]: Vec3) => ({ x, y, z });
const minus = ([x, y, z]: Vec3): Vec3 => [-x, -y, -z];
const apart = (a: Vec3, b: Vec3): Vec3 => [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const isLong = (way: Vec3) => dot(way, way) > NO_WAY * NO_WAY;

/** The body to leave out; of thin instances the first. */
function skipOf(body: PhysicsBody | undefined): { skip: RigidBody } | undefined {
  const data = (body?._pluginDataInstances?.[0] ?? body?._pluginData) as BodyData | undefined;
  return data === undefined || data.rigid.isRemoved ? undefined : { skip: data.rigid };
}

function fill(host: Host, hit: Hit, normal: Vec3, at: Vec3, result: CastingResult): void {
  const found = host._bodies.get(hit.body.id);
  const shape = host.leaves.get(hit.shape)?.owner;
  if (found !== undefined) Object.assign(result, { body: found.body, bodyIndex: found.index });
  if (shape !== undefined) result.shape = shape;
  result.setHitData(xyz(normal), xyz(at), hit.triangle);
}

/** Nearest first. A ray that begins inside a shape does not hit it, as in Babylon's own plugin. */
function rayHits(host: Host, from: Vec3, to: Vec3, query: IRaycastQuery | undefined, one: boolean): RayHit[] {
  const options = {
    group: query?.membership ?? -1,
    mask: query?.collideWith ?? -1,
    sensors: query?.shouldHitTriggers ?? false,
    ...skipOf(query?.ignoreBody),
  };
  if (one) {
    const hit = host.world.rayTest(from, to, options);
    if (hit === null || hit.fraction > 0) return hit === null ? [] : [hit];
  }
  return host.world.rayTest(from, to, { ...options, mode: 'all' }).filter(({ fraction }) => fraction > 0);
}

/** One result is for the nearest hit; a list of some for as many; an empty list for all. */
export function raycast(
  host: Host,
  start: Vector3,
  end: Vector3,
  result: PhysicsRaycastResult | PhysicsRaycastResult[],
  query?: IRaycastQuery,
): void {
  const results = Array.isArray(result) ? result : [result];
  for (const each of results) each.reset(start, end);
  const [from, to] = [list(start), list(end)];
  const way = apart(from, to);
  if (!isLong(way)) return;
  const hits = rayHits(host, from, to, query, results.length === 1);
  if (results.length === 0)
    for (const _ of hits) {
      const each = new PhysicsRaycastResult();
      each.reset(start, end);
      results.push(each);
    }
  const length = Math.sqrt(dot(way, way));
  hits.slice(0, results.length).forEach((hit, i) => {
    const each = results[i]!;
    // Triangles are hit from behind, too, and face the ray then.
    const normal = dot(hit.normal, way) > 0 ? minus(hit.normal) : hit.normal;
    fill(host, hit, normal, hit.point, each);
    each.setHitDistance(hit.fraction * length);
  });
}

export function pointProximity(
  host: Host,
  query: IPhysicsPointProximityQuery,
  result: ProximityCastResult,
): void {
  result.reset();
  const hit = host.world.nearestTest(
    { shape: point, position: list(query.position) },
    {
      group: query.collisionFilter?.membership ?? -1,
      mask: query.collisionFilter?.collideWith ?? -1,
      sensors: query.shouldHitTriggers ?? false,
      maxDistance: Math.max(query.maxDistance - POINT, 0),
      ...skipOf(query.ignoreBody),
    },
  );
  if (hit === null) return;
  fill(host, hit, minus(hit.normal), hit.pointB, result);
  result.setHitDistance(hit.distance + POINT);
}

/** What a shape that asks may meet: what its own filter lets it. */
function filterOf(shape: ShapeData, triggers: boolean, body: PhysicsBody | undefined) {
  return { group: shape.membership, mask: shape.collideWith, sensors: triggers ?? false, ...skipOf(body) };
}

const placeOf = (rotation: {
  x: number;
  y: number;
  z: number;
  w: number;
}): [number, number, number, number] => [rotation.x, rotation.y, rotation.z, rotation.w];

/** A result in the frame of the shape that asks. */
function fillOwn(
  shape: ShapeData,
  position: Vec3,
  rotation: [number, number, number, number],
  normal: Vec3,
  at: Vec3,
  result: CastingResult,
): void {
  const back = deterministic.quatConjugate(rotation);
  result.shape = shape.owner;
  result.setHitData(
    xyz(deterministic.rotate(back, normal)),
    xyz(deterministic.rotate(back, apart(position, at))),
    -1,
  );
}

export function shapeProximity(
  host: Host,
  query: IPhysicsShapeProximityCastQuery,
  own: ProximityCastResult,
  other: ProximityCastResult,
): void {
  own.reset();
  other.reset();
  const shape = query.shape._pluginData as ShapeData;
  const [position, rotation] = [list(query.position), placeOf(query.rotation)];
  const hit = host.world.nearestTest(
    { shape: shape.query, position, rotation },
    { ...filterOf(shape, query.shouldHitTriggers, query.ignoreBody), maxDistance: query.maxDistance },
  );
  if (hit === null) return;
  fillOwn(shape, position, rotation, hit.normal, hit.pointA, own);
  fill(host, hit, minus(hit.normal), hit.pointB, other);
  own.setHitDistance(hit.distance);
  other.setHitDistance(hit.distance);
}

export function shapeCast(
  host: Host,
  query: IPhysicsShapeCastQuery,
  own: ShapeCastResult,
  other: ShapeCastResult,
): void {
  own.reset();
  other.reset();
  const shape = query.shape._pluginData as ShapeData;
  const [position, rotation] = [list(query.startPosition), placeOf(query.rotation)];
  const way = apart(position, list(query.endPosition));
  if (!isLong(way)) return;
  const hit = host.world.convexSweepTest(
    { shape: shape.query, position, rotation },
    way,
    filterOf(shape, query.shouldHitTriggers, query.ignoreBody),
  );
  if (hit === null) return;
  const at = position.map((c, k) => c + hit.fraction * way[k]!) as Vec3;
  fillOwn(shape, at, rotation, minus(hit.normal), hit.point, own);
  fill(host, hit, hit.normal, hit.point, other);
  own.setHitFraction(hit.fraction);
  other.setHitFraction(hit.fraction);
}
