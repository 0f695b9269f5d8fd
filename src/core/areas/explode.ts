// An explosion. In: the fields of the command. Out: velocities of the dynamic bodies around it. Each body gets one
// impulse at its closest point, in the direction from the explosion to its centre of mass.

import { applyImpulse } from '../bodies/impulse';
import { filtersMatch } from '../broadphase/filter';
import { wakeBody } from '../islands/wake';
import { add, identityQuat, length, neg, normalizeOr, scale, sub, vec3, x, y, z, zero } from '../math/vector';
import { Explode } from '../memory/commandWords';
import {
  ASK_NO_SENSORS,
  BODY_DYNAMIC,
  BODY_USED,
  DISABLE_SIMULATION,
  QUERY_ALL,
  SHAPE_NO_RESPONSE,
  SHAPE_SPHERE,
} from '../memory/constants';
import { Body, Shape } from '../memory/records';
import { bodyAt, shapeAt, world } from '../memory/tables';
import { Ends, Filter, Point } from '../memory/values';
import { DISTANCE_BYTES, DISTANCE_POINT_B, shapeDistance } from '../narrowphase/distance';
import { HIT_WORDS, rayTest } from '../queries/rays';
import { shapeAabb } from '../shapes/aabb';
import { RAYS, RAYS_ASIDE } from '../tolerances';

const AABB: usize = memory.data(32, 16);

const POINT: usize = memory.data(offsetof<Shape>(), 16);
const WITNESS: usize = memory.data(DISTANCE_BYTES, 16);
/** The point of a body that is closest to the explosion. */
const NEAREST: usize = memory.data(16, 16);

/** @inline */
function int(f: usize, field: i32): i32 {
  return load<i32>(f + ((<usize>field) << 2));
}
/** @inline */
function float(f: usize, field: i32): f32 {
  return load<f32>(f + ((<usize>field) << 2));
}

/** @inline */
function vector(f: usize, field: i32): v128 {
  return vec3(float(f, field), float(f, field + 1), float(f, field + 2));
}

export function explode(f: usize): void {
  const g = world();
  const at = vector(f, Explode.position);
  const radius = float(f, Explode.radius);
  if (!(radius > 0)) return;
  const falloff = int(f, Explode.falloff);
  const up = normalizeOr(neg(g.gravity), vec3(0, 1, 0));
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED) || b.type != BODY_DYNAMIC || b.activation == DISABLE_SIMULATION) continue;
    const way = sub(b.position, at);
    if (length(way) - b.boundingRadius > radius) continue;
    const distance = distanceTo(b, at, f);
    if (!(distance < radius)) continue;
    const near = <f32>1 - max<f32>(distance, 0) / radius;
    let share = falloff == 0 ? <f32>1 : falloff == 1 ? near : near * near;
    if (int(f, Explode.occlusion)) share *= exposure(b, at);
    if (share == 0) continue;
    const arm = distance > 0 ? sub(v128.load(NEAREST), b.position) : zero();
    wakeBody(slot);
    applyImpulse(b, scale(normalizeOr(way, up), float(f, Explode.impulse) * share), arm);
  }
}

/**
 * m. Distance to the closest of the body's shapes that pass the filter; its point is left in NEAREST. Infinity if there
 * is none.
 */
function distanceTo(b: Body, at: v128, f: usize): f32 {
  memory.fill(POINT, 0, offsetof<Shape>());
  const point = changetype<Shape>(POINT);
  point.type = SHAPE_SPHERE;
  point.position = at;
  point.rotation = identityQuat();
  let best: f32 = Infinity;
  for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next) {
    const s = shapeAt(slot);
    if (s.flags & SHAPE_NO_RESPONSE) continue;
    if (!filtersMatch(int(f, Explode.group), int(f, Explode.mask), s.group, s.mask)) continue;
    const distance = shapeDistance(point, s, min<f32>(best, f32.MAX_VALUE), WITNESS);
    if (!(distance < best)) continue;
    best = distance;
    v128.store(NEAREST, v128.load(WITNESS, DISTANCE_POINT_B));
  }
  return best;
}

/** Share of the rays to the body that hit nothing before it. */
function exposure(b: Body, at: v128): f32 {
  let lo = f32x4.splat(Infinity);
  let hi = f32x4.splat(-Infinity);
  for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next) {
    // Rays pass through sensors: what one reaches around a wall is not the body.
    if (shapeAt(slot).flags & SHAPE_NO_RESPONSE) continue;
    shapeAabb(shapeAt(slot), AABB);
    lo = f32x4.pmin(lo, v128.load(AABB));
    hi = f32x4.pmax(hi, v128.load(AABB, 16));
  }
  const half = scale(sub(hi, lo), <f32>0.5 * RAYS_ASIDE);
  const target = new Target(b, scale(add(lo, hi), 0.5));
  const seen =
    isSeen(b, at, target.middle) +
    isSeenAside(target, at, vec3(x(half), 0, 0)) +
    isSeenAside(target, at, vec3(0, y(half), 0)) +
    isSeenAside(target, at, vec3(0, 0, z(half)));
  return seen / RAYS;
}

/** A body, and the middle of its bounding box. @value */
class Target {
  body: Body;
  middle: v128;
}

/** @inline */
function isSeenAside(target: Target, at: v128, way: v128): f32 {
  const middle = target.middle;
  return isSeen(target.body, at, add(middle, way)) + isSeen(target.body, at, sub(middle, way));
}

/** 1 if nothing is between the points, otherwise 0. Shapes that contain the explosion hide nothing. */
function isSeen(b: Body, from: v128, to: v128): f32 {
  const hits = rayTest(
    QUERY_ALL,
    new Ends(new Point(x(from), y(from), z(from)), new Point(x(to), y(to), z(to))),
    new Filter(-1, -1, 0, ASK_NO_SENSORS),
    0,
  );
  for (let i = 0; i < hits; i++) {
    const hit = <usize>world().queryOutput + ((<usize>(i * HIT_WORDS)) << 2);
    if (load<i32>(hit, 4) == b.slot) return 1;
    if (load<f32>(hit, 8) > 0) return 0;
  }
  return 1;
}
