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
import { chassisWork, WheelWork } from './work';

/** @external core queryShapes */
declare function queryShapes(address: u32): i32;
/** @external core rayTestBatch */
declare function rayTestBatch(address: u32, count: i32): i32;

/** A question with one shape: header, list of one, record. */
const QUERY: usize = memory.data(256 + offsetof<Shape>(), 16);
const PIECE: usize = (offsetof<ShapeQuery>() + 4 + 15) & ~15;
/** A ray, or the words of one. */
const RAY: usize = memory.data(48, 16);

/** Cosine between suspension and normal below which a surface is a wall, not ground. */
const STEEPEST: f32 = 0.2;
/** Friction of the ground with which tyres have all of their grip: the default of shapes. */
const FULL_GRIP: f32 = 0.5;

/** Finds the ground of a wheel; sets the contact's data of `k`, and the compression in contact. */
export function findGround(w: Wheel, k: WheelWork, b: Body, ahead: f32): void {
  const c = chassisWork();
  const center = add(b.position, rotate(b.rotation, sub(placeOf(w), b.centerOfMass)));
  const reach = w.droop + ahead;
  const hit = w.cast == WHEEL_RAY ? castRay(w, center, reach) : castShape(w, k, center, reach);
  const g = world();
  k.touches = 0;
  w.ground = 0;
  w.groundShape = 0;
  if (!hit) return;
  const normal = hitNormal(w);
  k.lean = dot(normal, c.up);
  if (k.lean < STEEPEST) return;
  const out = <usize>g.queryOutput;
  const shape = shapeAt(load<i32>(out));
  // A cylinder lies on a line: whichever of its points was found, the load is in the middle of the tread.
  let point = hitPoint(w);
  point = addScaled(point, k.side, dot(sub(center, point), k.side));
  k.touches = 1;
  k.normal = normal;
  k.arm = sub(point, b.position);
  k.grip = min<f32>(<f32>1, shape.friction / FULL_GRIP);
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
  k.groundVelocity = add(v.linear, cross(v.angular, sub(point, ground.position)));
  k.inverseGround = ground.type == BODY_DYNAMIC ? meets(ground, sub(point, ground.position), normal) : 0;
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
  v128.store(RAY, from);
  v128.store(RAY, to, 12);
  store<i32>(RAY, w.group, 24);
  store<i32>(RAY, w.mask, 28);
  store<i32>(RAY, c.body, 32);
  store<i32>(RAY, ASK_NO_SENSORS, 36);
  rayTestBatch(<u32>RAY, 1);
  const fraction = load<f32>(<usize>world().queryOutput, 8);
  if (fraction > 1) return false;
  w.compression = w.bump + w.radius - fraction * length;
  return true;
}

/** A sphere or cylinder from the highest place of the wheel down. */
function castShape(w: Wheel, k: WheelWork, center: v128, reach: f32): bool {
  const c = chassisWork();
  const q = changetype<ShapeQuery>(QUERY);
  const length = w.bump + reach;
  q.delta = scale(c.up, -length);
  q.kind = ASK_SWEEP;
  q.mode = QUERY_CLOSEST;
  q.group = w.group;
  q.mask = w.mask;
  q.skip = c.body;
  q.flags = ASK_NO_SENSORS;
  q.maxHits = 1;
  q.maxDistance = 0;
  q.piecesA = 1;
  q.piecesB = 0;
  store<i32>(QUERY, -(<i32>PIECE), offsetof<ShapeQuery>());
  const s = changetype<Shape>(QUERY + PIECE);
  s.position = addScaled(center, c.up, w.bump);
  s.rotation = f32x4(0, 0, 0, 1);
  s.type = SHAPE_SPHERE;
  s.param0 = w.radius;
  s.radius = w.radius;
  if (w.cast == WHEEL_CYLINDER) {
    s.type = SHAPE_CYLINDER;
    s.param1 = <f32>0.5 * w.width;
    s.radius = sqrt<f32>(w.radius * w.radius + s.param1 * s.param1);
    s.rotation = axleRotation(k);
  }
  if (queryShapes(<u32>QUERY) == 0) return false;
  const hit = changetype<ShapeHit>(<usize>world().queryOutput);
  w.compression = w.bump - hit.value * length;
  return true;
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

function hitNormal(w: Wheel): v128 {
  const out = <usize>world().queryOutput;
  const at = w.cast == WHEEL_RAY ? <usize>RAY_HIT_NORMAL : offsetof<ShapeHit>('normalX');
  const n = f32x4(load<f32>(out + at), load<f32>(out + at, 4), load<f32>(out + at, 8), 0);
  return normalizeOr(n, zero());
}

function hitPoint(w: Wheel): v128 {
  const out = <usize>world().queryOutput;
  const at = w.cast == WHEEL_RAY ? <usize>RAY_HIT_POINT : offsetof<ShapeHit>('pointX');
  return f32x4(load<f32>(out + at), load<f32>(out + at, 4), load<f32>(out + at, 8), 0);
}
