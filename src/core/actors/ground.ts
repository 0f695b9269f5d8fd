// The ground under a wheel. In: wheel, pose of the chassis. Out: contact point, normal, and how far the wheel has to be
// pressed in: one query of the core per wheel and step, which sees what a ray or sweep of the public API sees.

import { applyInverseInertia } from '../bodies/massProperties';
import {
  add,
  addScaled,
  cross,
  dot,
  lengthSquared,
  mul,
  normalizeOr,
  rotate,
  scale,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import {
  ASK_NO_SENSORS,
  ASK_SWEEP,
  BODY_DYNAMIC,
  QUERY_CLOSEST,
  RAY_HIT_NORMAL,
  RAY_HIT_POINT,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  WHEEL_CYLINDER,
  WHEEL_RAY,
} from '../memory/constants';
import { Body, Shape, ShapeHit, ShapeQuery, Wheel } from '../memory/records';
import { bodyAt, shapeAt, velocityAt, world } from '../memory/tables';
import { Ends, Filter, Point } from '../memory/values';
import { FULL_GRIP, STEEPEST } from './tolerances';
import { Drop, Found, landing, landWheel } from './wheelCast';
import { chassisWork, WheelWork } from './work';

/** @external core queryShapes */
declare function queryShapes(address: u32): i32;
/** @external core rayTest */
declare function rayTest(mode: i32, ends: Ends, filter: Filter, maxHits: i32): i32;

/** Shapes near a wheel that are swept one by one; if there are more, the world is asked. */
const MOST_OTHERS: i32 = 16;
/** A question about one shape: header, list of it and of the others, its record. */
const PIECE: usize = (offsetof<ShapeQuery>() + 4 * 17 + 15) & ~15;
const QUERY: usize = memory.data(<i32>(PIECE + offsetof<Shape>()), 16);
/** A ray, or the words of one. */

/** Finds the ground of a wheel; sets the contact's data of `k`, and the compression in contact. */
export function findGround(w: Wheel, k: WheelWork, b: Body, dt: f32): void {
  const c = chassisWork();
  const place = rotate(b.rotation, sub(placeOf(w), b.centerOfMass));
  const center = add(b.position, place);
  // What comes near in this step counts, too.
  const sinking = max<f32>(0, -dot(add(c.linear, cross(c.angular, place)), c.up)) * dt;
  const reach = w.droop + sinking + <f32>0.05 * w.radius;
  const hit = w.cast == WHEEL_RAY ? castRay(w, center, reach) : castShape(w, k, center, reach);
  k.touches = 0;
  w.ground = 0;
  w.groundShape = 0;
  if (!hit) return;
  const l = landing();
  const normal = l.normal;
  k.lean = dot(normal, c.up);
  if (k.lean < STEEPEST) return;
  const shape = shapeAt(l.shape);
  // A cylinder lies on a line: whichever of its points was found, the load is in the middle of the tread.
  const point = addScaled(l.point, k.side, dot(sub(center, l.point), k.side));
  k.touches = 1;
  k.normal = normal;
  k.arm = sub(point, b.position);
  k.grip = min<f32>(<f32>1, l.friction / FULL_GRIP);
  w.ground = shape.body + 1;
  w.groundShape = shape.slot;
  w.pointX = x(point);
  w.pointY = y(point);
  w.pointZ = z(point);
  w.normalX = x(normal);
  w.normalY = y(normal);
  w.normalZ = z(normal);
  const ground = bodyAt(shape.body);
  const v = velocityAt(shape.body);
  const arm = sub(point, ground.position);
  const turning = cross(v.angular, arm);
  k.groundVelocity = add(v.linear, turning);
  // Towards the middle of both turns: without it a wheel would leave a turning ground along the tangent.
  k.turning = sub(cross(v.angular, turning), cross(c.angular, cross(c.angular, k.arm)));
  k.inverseGround = ground.type == BODY_DYNAMIC ? meets(ground, arm, normal) : 0;
}

/** @inline */
function placeOf(w: Wheel): v128 {
  return f32x4(w.positionX, w.positionY, w.positionZ, 0);
}

/** 1/kg: velocity that an impulse of 1 N·s at `arm` gives there, both along `way`. */
export function meets(b: Body, arm: v128, way: v128): f32 {
  const turn = cross(arm, way);
  return dot(way, mul(way, b.invMass)) + dot(turn, applyInverseInertia(b, turn));
}

/** From a radius above the highest place of the wheel's lowest point. */
function castRay(w: Wheel, center: v128, reach: f32): bool {
  const c = chassisWork();
  const from = addScaled(center, c.up, w.bump);
  const length = w.bump + w.radius + reach;
  const to = addScaled(from, c.up, -length);
  const ends = new Ends(new Point(x(from), y(from), z(from)), new Point(x(to), y(to), z(to)));
  const filter = new Filter(w.group, w.mask, c.body, ASK_NO_SENSORS);
  if (rayTest(QUERY_CLOSEST, ends, filter, 0) == 0) return false;
  const out = <usize>world().queryOutput;
  w.compression = w.bump + w.radius - load<f32>(out, 8) * length;
  const l = landing();
  l.shape = load<i32>(out);
  l.friction = shapeAt(l.shape).friction;
  l.normal = normalizeOr(f32x4.replace_lane(v128.load(out, RAY_HIT_NORMAL), 3, 0), zero());
  l.point = f32x4.replace_lane(v128.load(out, RAY_HIT_POINT), 3, 0);
  return true;
}

/** A sphere or cylinder from the highest place of the wheel down. */
function castShape(w: Wheel, k: WheelWork, center: v128, reach: f32): bool {
  const c = chassisWork();
  const q = changetype<ShapeQuery>(QUERY);
  const length = w.bump + reach;
  const from = addScaled(center, c.up, w.bump);
  q.group = w.group;
  q.mask = w.mask;
  q.skip = c.body;
  const others = landWheel(w, k, new Drop(from, length), new Found(q, MOST_OTHERS));
  if (others != 0) sweepOthers(w, k, new Drop(from, length), others);
  const l = landing();
  if (l.shape == 0) return false;
  w.compression = w.bump + l.height;
  return true;
}

/** Sweeps the wheel against the shapes in the list of QUERY, or against all, and takes what is higher. */
function sweepOthers(w: Wheel, k: WheelWork, drop: Drop, others: i32): void {
  const from = drop.from;
  const length = drop.length;
  const q = changetype<ShapeQuery>(QUERY);
  q.delta = scale(chassisWork().up, -length);
  q.kind = ASK_SWEEP;
  q.mode = QUERY_CLOSEST;
  q.flags = ASK_NO_SENSORS;
  q.maxHits = 1;
  q.maxDistance = 0;
  q.piecesA = 1;
  q.piecesB = max<i32>(0, others);
  store<i32>(QUERY, -(<i32>PIECE), offsetof<ShapeQuery>());
  const s = changetype<Shape>(QUERY + PIECE);
  s.position = from;
  s.rotation = f32x4(0, 0, 0, 1);
  s.type = SHAPE_SPHERE;
  s.param0 = w.radius;
  s.radius = w.radius;
  s.margin = 0;
  if (w.cast == WHEEL_CYLINDER) {
    s.type = SHAPE_CYLINDER;
    s.param1 = <f32>0.5 * w.width;
    s.radius = sqrt<f32>(w.radius * w.radius + s.param1 * s.param1);
    s.rotation = axleRotation(k);
  }
  if (queryShapes(<u32>QUERY) == 0) return;
  const out = <usize>world().queryOutput;
  const hit = changetype<ShapeHit>(out);
  const l = landing();
  const height = -hit.value * length;
  if (l.shape != 0 && !(height > l.height)) return;
  l.height = height;
  l.shape = hit.shape;
  l.friction = shapeAt(hit.shape).friction;
  l.normal = normalizeOr(vec3(hit.normalX, hit.normalY, hit.normalZ), zero());
  l.point = vec3(hit.pointX, hit.pointY, hit.pointZ);
}

/** Turns y to the axle, which is `k.side` here. */
function axleRotation(k: WheelWork): v128 {
  const axle = k.side;
  // The rotation of least angle from y: (y × axle, 1 + y·axle), which is not defined for −y.
  const cosine = y(axle);
  if (cosine < <f32>-0.9999) return f32x4(1, 0, 0, 0);
  const q = f32x4(z(axle), 0, -x(axle), <f32>1 + cosine);
  const length = sqrt<f32>(
    lengthSquared(f32x4.replace_lane(q, 3, 0)) + (<f32>1 + cosine) * (<f32>1 + cosine),
  );
  return f32x4.mul(q, f32x4.splat(<f32>1 / length));
}
