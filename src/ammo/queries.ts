// Queries of a world in Bullet's form: rays, sweeps, contact tests. In: callbacks with filters. Out: hits, passed to
// the callbacks.

import { type btCollisionObject, btCollisionObjectWrapper } from './collisionObject';
import { btManifoldPoint } from './manifolds';
import { isDestroyed, pointerOf } from './object';
import type { ContactResultCallback, ConvexResultCallback, RayResultCallback } from './results';
import type { btCollisionShape } from './shapes';
import { HERE } from './shapes';
import type { btTransform } from './transform';
import type { btVector3 } from './vector';
import { square } from './vector';
import type { btCollisionWorld } from './world';

/** m. Shorter rays and sweeps have no direction. */
const SHORTEST = 1e-6;
/** btTriangleRaycastCallback::kF_FilterBackfaces. */
const FILTER_BACK_FACES = 1;

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
  const give = (hit: {
    body: { userData: unknown };
    fraction: number;
    point: readonly number[];
    normal: readonly number[];
  }) => {
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
  for (const hit of world._engine.rayTest(...ends, { ...options, mode: 'all' }))
    if (give(hit) && !result._all) return;
}

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
