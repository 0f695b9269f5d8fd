// A shape's frame and sizes, read from its record. In: Shape. Out: world axes, half extents. Axes are the columns of
// the rotation matrix of Shape.rotation, written out per component.

import { length, vec3, w, x, y, z } from '../math/vector';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_HULL,
  SHAPE_MULTISPHERE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../memory/constants';
import { HullGeometry, PointGeometry, Shape } from '../memory/records';

/** memory.copy is a call out of the module. */
export function copyShape(to: usize, from: Shape): void {
  const end = to + offsetof<Shape>();
  for (let at = changetype<usize>(from); to < end; to += 16, at += 16) v128.store(to, v128.load(at));
}

/** @inline */
export function boxHalfExtents(s: Shape): v128 {
  return vec3(s.param0, s.param1, s.param2);
}

/** The x axis of the frame with rotation q. */
export function quatAxisX(q: v128): v128 {
  const qx = x(q);
  const qy = y(q);
  const qz = z(q);
  const qw = w(q);
  return vec3(
    <f32>1 - <f32>2 * (qy * qy + qz * qz),
    <f32>2 * (qx * qy + qz * qw),
    <f32>2 * (qx * qz - qy * qw),
  );
}

/** The y axis of the frame with rotation q. */
export function quatAxisY(q: v128): v128 {
  const qx = x(q);
  const qy = y(q);
  const qz = z(q);
  const qw = w(q);
  return vec3(
    <f32>2 * (qx * qy - qz * qw),
    <f32>1 - <f32>2 * (qx * qx + qz * qz),
    <f32>2 * (qy * qz + qx * qw),
  );
}

/** The z axis of the frame with rotation q. */
export function quatAxisZ(q: v128): v128 {
  const qx = x(q);
  const qy = y(q);
  const qz = z(q);
  const qw = w(q);
  return vec3(
    <f32>2 * (qx * qz + qy * qw),
    <f32>2 * (qy * qz - qx * qw),
    <f32>1 - <f32>2 * (qx * qx + qy * qy),
  );
}

/** @inline */
export function shapeAxisX(s: Shape): v128 {
  return quatAxisX(s.rotation);
}
/** @inline */
export function shapeAxisY(s: Shape): v128 {
  return quatAxisY(s.rotation);
}
/** @inline */
export function shapeAxisZ(s: Shape): v128 {
  return quatAxisZ(s.rotation);
}

/** m. Upper bound of the distance of the shape's surface from its origin: unit of the tolerances. */
export function convexSize(s: Shape): f32 {
  switch (s.type) {
    case SHAPE_SPHERE:
      return s.param0;
    case SHAPE_CAPSULE:
      return s.param0 + s.param1;
    case SHAPE_BOX:
      return length(boxHalfExtents(s));
    case SHAPE_HULL:
      return changetype<HullGeometry>(<usize>s.geometry).radius + s.margin;
    case SHAPE_TRIANGLE:
    case SHAPE_MULTISPHERE:
      return changetype<PointGeometry>(<usize>s.geometry).radius + s.margin;
    default:
      return sqrt<f32>(s.param0 * s.param0 + s.param1 * s.param1) + s.margin;
  }
}
