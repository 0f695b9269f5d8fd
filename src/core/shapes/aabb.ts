// Bounds of a shape: its AABB in the world, its bounding radius and its inner radius. In: Shape.position, rotation and
// params (current world pose). Out: corners as (x, y, z, 0); the caller adds the margin. Rounding may cut off one unit
// in the last place, far less than any margin.

import { abs3, add, dot, length, rotate, rotateInverse, scale, sub, vec3, w, x, y, z } from '../math/vector';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_MULTISPHERE,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../memory/constants';
import { HeightfieldGeometry, HullGeometry, MeshGeometry, PointGeometry, Shape } from '../memory/records';
import { INFINITE, NEARLY_AXIS, PLANE_REACH } from '../tolerances';
import { fieldBound } from './heightfield';
import { hullNormal, hullOffset, hullSupport, hullVertex } from './hull';
import { pointSupport, pointWithRadius } from './points';
import { boxHalfExtents, shapeAxisX, shapeAxisY, shapeAxisZ } from './shape';

// A plane whose normal is nearly an axis, except for rounding of its quaternion, also gets a bound on its outer side;
// otherwise each body of a world with z up would be paired with its floor. The bound allows for the tilt within
// PLANE_REACH of the plane's origin.

export function shapeAabbMin(s: Shape): v128 {
  return sub(coreMin(s), vec3(s.margin, s.margin, s.margin));
}

export function shapeAabbMax(s: Shape): v128 {
  return add(coreMax(s), vec3(s.margin, s.margin, s.margin));
}

function coreMin(s: Shape): v128 {
  if (s.type == SHAPE_PLANE) return planeBound(s, -1);
  if (s.type == SHAPE_HULL) return add(s.position, hullBound(s, -1));
  if (s.type == SHAPE_CONE) return add(s.position, coneBound(s, -1));
  if (s.type == SHAPE_TRIANGLE || s.type == SHAPE_MULTISPHERE) return add(s.position, pointBound(s, -1));
  if (s.type == SHAPE_MESH || s.type == SHAPE_HEIGHTFIELD) return concaveBound(s, -1);
  return sub(s.position, halfSize(s));
}

function coreMax(s: Shape): v128 {
  if (s.type == SHAPE_PLANE) return planeBound(s, 1);
  if (s.type == SHAPE_HULL) return add(s.position, hullBound(s, 1));
  if (s.type == SHAPE_CONE) return add(s.position, coneBound(s, 1));
  if (s.type == SHAPE_TRIANGLE || s.type == SHAPE_MULTISPHERE) return add(s.position, pointBound(s, 1));
  if (s.type == SHAPE_MESH || s.type == SHAPE_HEIGHTFIELD) return concaveBound(s, 1);
  return add(s.position, halfSize(s));
}

/** Half the size of the AABB of a shape that is symmetric about its origin. */
function halfSize(s: Shape): v128 {
  switch (s.type) {
    case SHAPE_SPHERE:
      return vec3(s.param0, s.param0, s.param0);
    case SHAPE_CAPSULE:
      return add(vec3(s.param0, s.param0, s.param0), scale(abs3(shapeAxisY(s)), s.param1));
    case SHAPE_BOX: {
      const h = boxHalfExtents(s);
      return add(
        add(scale(abs3(shapeAxisX(s)), x(h)), scale(abs3(shapeAxisY(s)), y(h))),
        scale(abs3(shapeAxisZ(s)), z(h)),
      );
    }
    case SHAPE_CYLINDER:
      return add(discReach(s), scale(abs3(shapeAxisY(s)), s.param1));
    default:
      return vec3(INFINITE, INFINITE, INFINITE);
  }
}

/** Half the size of the AABB of a disc with the shape's radius about its axis. */
function discReach(s: Shape): v128 {
  const axis = shapeAxisY(s);
  const across = f32x4.max(sub(vec3(1, 1, 1), f32x4.mul(axis, axis)), vec3(0, 0, 0));
  return scale(f32x4.sqrt(across), s.param0);
}

function coneBound(s: Shape, side: f32): v128 {
  const apex = scale(shapeAxisY(s), s.param1);
  const rim = sub(scale(discReach(s), side), apex);
  return side > 0 ? f32x4.max(apex, rim) : f32x4.min(apex, rim);
}

/** The farthest vertices along the world axes, four vertices at a time. */
function hullBound(s: Shape, side: f32): v128 {
  const hull = changetype<HullGeometry>(<usize>s.geometry);
  const q = s.rotation;
  return vec3(
    dot(rotate(q, hullVertex(hull, hullSupport(hull, rotateInverse(q, vec3(side, 0, 0))))), vec3(1, 0, 0)),
    dot(rotate(q, hullVertex(hull, hullSupport(hull, rotateInverse(q, vec3(0, side, 0))))), vec3(0, 1, 0)),
    dot(rotate(q, hullVertex(hull, hullSupport(hull, rotateInverse(q, vec3(0, 0, side))))), vec3(0, 0, 1)),
  );
}

function pointBound(s: Shape, side: f32): v128 {
  const points = changetype<PointGeometry>(<usize>s.geometry);
  const q = s.rotation;
  return vec3(
    x(rotate(q, pointSupport(points, rotateInverse(q, vec3(side, 0, 0)), 0))),
    y(rotate(q, pointSupport(points, rotateInverse(q, vec3(0, side, 0)), 0))),
    z(rotate(q, pointSupport(points, rotateInverse(q, vec3(0, 0, side)), 0))),
  );
}

/** AABB of the scaled and rotated bounds of a mesh or heightfield. */
function concaveBound(s: Shape, side: f32): v128 {
  const scaling = vec3(s.param0, s.param1, s.param2);
  let lo: v128;
  let hi: v128;
  if (s.type == SHAPE_MESH) {
    const mesh = changetype<MeshGeometry>(<usize>s.geometry);
    lo = f32x4.mul(mesh.boundsMin, scaling);
    hi = f32x4.mul(mesh.boundsMax, scaling);
  } else {
    const field = changetype<HeightfieldGeometry>(<usize>s.geometry);
    lo = f32x4.mul(fieldBound(field, -1), scaling);
    hi = f32x4.mul(fieldBound(field, 1), scaling);
  }
  const centre = scale(add(lo, hi), <f32>0.5);
  const half = abs3(scale(sub(hi, lo), <f32>0.5));
  const reach = add(
    add(scale(abs3(shapeAxisX(s)), x(half)), scale(abs3(shapeAxisY(s)), y(half))),
    scale(abs3(shapeAxisZ(s)), z(half)),
  );
  return add(add(s.position, rotate(s.rotation, centre)), scale(reach, side));
}

/** The lower (side −1) or upper (side 1) corner of the AABB of the half-space below the plane. */
function planeBound(s: Shape, side: f32): v128 {
  const n = shapeAxisY(s);
  const p = s.position;
  return vec3(
    planeSlab(x(n), abs(y(n)) + abs(z(n)), x(p), side),
    planeSlab(y(n), abs(z(n)) + abs(x(n)), y(p), side),
    planeSlab(z(n), abs(x(n)) + abs(y(n)), z(p), side),
  );
}

function planeSlab(along: f32, across: f32, position: f32, side: f32): f32 {
  if (across < NEARLY_AXIS && along * side > 0) return position + side * across * PLANE_REACH;
  return side * INFINITE;
}

/** m. Largest distance of the surface from the shape's origin, as far as rotation moves it. */
export function outerRadius(s: Shape): f32 {
  if (s.type == SHAPE_BOX) return length(vec3(s.param0, s.param1, s.param2));
  if (s.type == SHAPE_CAPSULE) return s.param1;
  if (s.type == SHAPE_HULL) return changetype<HullGeometry>(<usize>s.geometry).radius;
  if (s.type == SHAPE_CYLINDER || s.type == SHAPE_CONE) return length(vec3(s.param0, s.param1, 0));
  if (s.type == SHAPE_TRIANGLE || s.type == SHAPE_MULTISPHERE)
    return changetype<PointGeometry>(<usize>s.geometry).radius;
  const scaling = max(abs(s.param0), max(abs(s.param1), abs(s.param2)));
  if (s.type == SHAPE_MESH) return scaling * changetype<MeshGeometry>(<usize>s.geometry).radius;
  if (s.type == SHAPE_HEIGHTFIELD) return scaling * changetype<HeightfieldGeometry>(<usize>s.geometry).radius;
  return 0; // rotation does not change a sphere
}

/** m. Radius of the largest sphere inside a convex shape at its origin; for a hull at `center` in its frame. */
export function innerRadius(s: Shape, center: v128): f32 {
  switch (s.type) {
    case SHAPE_BOX:
      return min(s.param0, min(s.param1, s.param2));
    case SHAPE_HULL: {
      const h = changetype<HullGeometry>(<usize>s.geometry);
      let least: f32 = INFINITE;
      for (let i = 0; i < h.faceCount; i++)
        least = min(least, hullOffset(h, i) - dot(hullNormal(h, i), center));
      return max<f32>(least, 0) + s.margin;
    }
    case SHAPE_CONE: {
      const h = s.param1;
      return min(h, (s.param0 * h) / sqrt<f32>(<f32>4 * h * h + s.param0 * s.param0));
    }
    case SHAPE_TRIANGLE:
      return s.margin;
    case SHAPE_MULTISPHERE: {
      const balls = changetype<PointGeometry>(<usize>s.geometry);
      let least: f32 = INFINITE;
      for (let i = 0; i < balls.count; i++) least = min(least, w(pointWithRadius(balls, i)));
      return least + s.margin;
    }
    default:
      // Spheres, capsules; cylinders also have a height.
      return s.type <= SHAPE_CAPSULE ? s.param0 : s.param1 > 0 ? min(s.param0, s.param1) : s.param0;
  }
}
