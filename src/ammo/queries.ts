// Queries of a world in Bullet's form: rays, sweeps, contact tests. In: callbacks with filters. Out: hits, passed to
// the callbacks.

import { type btCollisionObject, btCollisionObjectWrapper } from './collisionObject';
import { btManifoldPoint } from './manifolds';
import { isDestroyed, pointerOf } from './object';
import type { ContactResultCallback, ConvexResultCallback, RayResultCallback } from './results';
import type { btCollisionShape } from './shapes';
import { btConvexShape, HERE } from './shapes';
import type { btTransform } from './transform';
import type { btVector3 } from './vector';
import { square } from './vector';
import type { btCollisionWorld } from './world';

/** m. Shorter rays and sweeps have no direction. */
const SHORTEST = 1e-6;
/** btTriangleRaycastCallback::kF_FilterBackfaces. */
const FILTER_BACK_FACES = 1;

/** m, and share of the largest coordinate: how far behind a hit the next ray starts. Hits closer together are one. */
const PASSED = 1e-4;
const ROUNDED = 1e-6;

type Vec3 = readonly [number, number, number];

/** What the engine tells about a hit. */
interface RayHit {
  body: { userData: unknown };
  shape: unknown;
  fraction: number;
  point: readonly number[];
  normal: readonly number[];
}

/** `skip`: an object that the ray does not see. */
export function castRay(
  world: btCollisionWorld,
  from: btVector3,
  to: btVector3,
  result: RayResultCallback,
  skip: btCollisionObject | null = null,
): void {
  const length = Math.sqrt(square(to._x - from._x) + square(to._y - from._y) + square(to._z - from._z));
  if (!(length > SHORTEST)) return;
  world._refresh();
  const ends = [
    [from._x, from._y, from._z],
    [to._x, to._y, to._z],
  ] as const;
  const options = {
    group: result._group,
    mask: result._mask,
    ...(skip !== null && skip._engine !== null && { skip: skip._engine }),
    ...((result._rayFlags & FILTER_BACK_FACES) !== 0 && { backFaces: false }),
  };
  const give = (hit: RayHit) => {
    // Bullet's rays do not hit the shape in which they start.
    if (hit.fraction <= 0 || hit.fraction >= result._closest) return false;
    result._add({
      object: hit.body.userData as btCollisionObject,
      fraction: hit.fraction,
      point: hit.point,
      normal: hit.normal,
    });
    return true;
  };
  if (!result._all) {
    const hit = world._engine.rayTest(...ends, options);
    if (hit === null || hit.fraction > 0) {
      if (hit !== null) give(hit);
      return;
    }
  }
  const all = (start: Vec3) => world._engine.rayTest(start, ends[1], { ...options, mode: 'all' });
  const hits = all(ends[0]);
  if (!result._all) {
    hits.some(give);
    return;
  }
  const more = hits.filter(isMesh).flatMap((first) => behind(first, ends[0], ends[1], all));
  for (const hit of [...hits, ...more].sort((a, b) => a.fraction - b.fraction)) give(hit);
}

const isMesh = ({ body }: RayHit) => !((body.userData as btCollisionObject)._shape instanceof btConvexShape);

/** The further hits of a shape, of which the engine gives the first: rays that start behind the last one. */
function behind(first: RayHit, from: Vec3, to: Vec3, all: (start: Vec3) => RayHit[]): RayHit[] {
  const way = to.map((part, i) => part - from[i]!);
  const length = Math.sqrt(way.reduce((sum, part) => sum + square(part), 0));
  const found: RayHit[] = [];
  let last = first;
  const shortest = PASSED + ROUNDED * Math.max(...[...from, ...to].map(Math.abs));
  let step = shortest;
  for (let at = first.fraction + step / length; at < 1; at = last.fraction + step / length) {
    const start = from.map((part, i) => part + at * way[i]!) as unknown as Vec3;
    const next = all(start).find(({ shape, fraction }) => shape === first.shape && fraction > 0);
    if (next === undefined) break;
    const fraction = at + next.fraction * (1 - at);
    // A ray that grazes a triangle is not yet behind it.
    const isSame = (fraction - last.fraction) * length < 2 * step && isAlike(next.normal, last.normal);
    last = { ...next, fraction };
    if (!isSame) found.push(last);
    step = isSame ? 2 * step : shortest;
  }
  return found;
}

const isAlike = (a: readonly number[], b: readonly number[]) => a.every((part, i) => part === b[i]);

export function sweep(
  world: btCollisionWorld,
  shape: btCollisionShape,
  from: btTransform,
  to: btTransform,
  result: ConvexResultCallback,
): void {
  const { _origin: a } = from;
  const { _origin: b } = to;
  const delta = [b._x - a._x, b._y - a._y, b._z - a._z] as const;
  if (!(Math.sqrt(square(delta[0]) + square(delta[1]) + square(delta[2])) > SHORTEST)) return;
  world._refresh();
  const q = from._basis._quaternion();
  const target = {
    shape: shape._parts(HERE, world._use),
    position: [a._x, a._y, a._z],
    rotation: [q._x, q._y, q._z, q._w],
  };
  const hit = world._engine.convexSweepTest(target, delta, { group: result._group, mask: result._mask });
  if (hit === null || hit.fraction >= result._closest) return;
  result._add({
    object: hit.body.userData as btCollisionObject,
    fraction: hit.fraction,
    point: hit.point,
    normal: hit.normal,
  });
}

type Found = {
  normal: readonly number[];
  points: readonly { position: readonly number[]; separation: number }[];
};

/** Passes each point to the callback, as pointers. */
function give(found: Found, a: btCollisionObject, b: btCollisionObject, result: ContactResultCallback): void {
  const [nx, ny, nz] = found.normal as [number, number, number];
  const sides = [new btCollisionObjectWrapper(a), new btCollisionObjectWrapper(b)] as const;
  for (const { position, separation } of found.points) {
    if (isDestroyed(a) || isDestroyed(b)) return; // by the callback
    const point = new btManifoldPoint();
    point._fill(position[0]!, position[1]!, position[2]!, separation, 0, nx, ny, nz);
    point._localise(a._pose, b._pose);
    const call = result.addSingleResult as unknown as (...pointers: number[]) => unknown;
    call.call(result, pointerOf(point), pointerOf(sides[0]), -1, -1, pointerOf(sides[1]), -1, -1);
  }
}

/** An object in a world as its body, one outside by its shape and transform. */
function target(object: btCollisionObject, world: btCollisionWorld) {
  if (object._world === world) return object._engine!;
  const { _origin: o, _basis } = object._pose._fresh();
  const q = _basis._quaternion();
  return {
    shape: object._shape?._parts(HERE, world._use) ?? [],
    position: [o._x, o._y, o._z],
    rotation: [q._x, q._y, q._z, q._w],
  };
}

export function contacts(
  world: btCollisionWorld,
  object: btCollisionObject,
  result: ContactResultCallback,
): void {
  world._refresh();
  for (const hit of world._engine.contactTest(target(object, world), {
    group: object._group,
    mask: object._mask,
  }))
    give(hit, object, hit.body.userData as btCollisionObject, result);
}

export function contactPairs(
  world: btCollisionWorld,
  a: btCollisionObject,
  b: btCollisionObject,
  result: ContactResultCallback,
): void {
  world._refresh();
  for (const hit of world._engine.contactPairTest(target(a, world), target(b, world)))
    give(hit, a, b, result);
}
