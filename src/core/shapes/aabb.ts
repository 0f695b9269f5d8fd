// Bounds of a shape: its AABB in the world, its bounding radius and its inner radius. In: Shape.position, rotation and
// params (current world pose). Out: corners as (x, y, z, 0); the caller adds the margin. Rounding may cut off one unit
// in the last place, far less than any margin.

import {
  abs3,
  add,
  dot,
  length,
  neg,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  w,
  x,
  y,
  z,
} from '../math/vector';
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
import { INFINITE, PLANE_REACH, ROUNDING } from '../tolerances';
import { fieldBound } from './heightfield';
import { hullExtent, hullNormal, hullOffset } from './hull';
import { pointWithRadius } from './points';
import { boxHalfExtents, shapeAxisX, shapeAxisY, shapeAxisZ } from './shape';

/** Writes the AABB of a shape to `out`: its lower corner, then its upper one. */
export function shapeAabb(s: Shape, out: usize): void {
  writeBounds(s, out);
  const margin = vec3(s.margin, s.margin, s.margin);
  write(out, sub(v128.load(out), margin), add(v128.load(out, 16), margin));
}

/** The same without the margin. */
function writeBounds(s: Shape, out: usize): void {
  switch (s.type) {
    case SHAPE_PLANE: {
      write(out, planeBound(s, -1), planeBound(s, 1));
      break;
    }
    case SHAPE_HULL: {
      hullBounds(s, out);
      break;
    }
    case SHAPE_CONE: {
      coneBounds(s, out);
      break;
    }
    case SHAPE_TRIANGLE:
    case SHAPE_MULTISPHERE: {
      pointBounds(s, out);
      break;
    }
    case SHAPE_MESH:
    case SHAPE_HEIGHTFIELD: {
      concaveBounds(s, out);
      break;
    }
    default: {
      const half = halfSize(s);
      write(out, sub(s.position, half), add(s.position, half));
    }
  }
}

/** @inline */
function write(out: usize, lo: v128, hi: v128): void {
  v128.store(out, lo);
  v128.store(out, hi, 16);
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
  const across = f32x4.pmax(vec3(0, 0, 0), sub(vec3(1, 1, 1), f32x4.mul(axis, axis)));
  return scale(f32x4.sqrt(across), s.param0);
}

function coneBounds(s: Shape, out: usize): void {
  const apex = scale(shapeAxisY(s), s.param1);
  const rim = discReach(s);
  const p = s.position;
  write(out, add(p, f32x4.pmin(apex, neg(add(rim, apex)))), add(p, f32x4.pmax(apex, sub(rim, apex))));
}

/** The extent of the vertices along each world axis, which is a direction in the hull's frame. */
function hullBounds(s: Shape, out: usize): void {
  const hull = changetype<HullGeometry>(<usize>s.geometry);
  const q = s.rotation;
  const onX = hullExtent(hull, rotateInverse(q, vec3(1, 0, 0)));
  const onY = hullExtent(hull, rotateInverse(q, vec3(0, 1, 0)));
  const onZ = hullExtent(hull, rotateInverse(q, vec3(0, 0, 1)));
  write(out, sub(s.position, vec3(x(onX), x(onY), x(onZ))), add(s.position, vec3(y(onX), y(onY), y(onZ))));
}

function pointBounds(s: Shape, out: usize): void {
  const points = changetype<PointGeometry>(<usize>s.geometry);
  let lo = vec3(INFINITE, INFINITE, INFINITE);
  let hi = neg(lo);
  for (let i = 0; i < points.count; i++) {
    const ball = pointWithRadius(points, i);
    const radius = vec3(w(ball), w(ball), w(ball));
    const center = rotate(s.rotation, f32x4.replace_lane(ball, 3, 0));
    lo = f32x4.pmin(lo, sub(center, radius));
    hi = f32x4.pmax(hi, add(center, radius));
  }
  write(out, add(s.position, lo), add(s.position, hi));
}

/** AABB of the scaled and rotated bounds of a mesh or heightfield. */
function concaveBounds(s: Shape, out: usize): void {
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
  const middle = add(s.position, rotate(s.rotation, centre));
  write(out, sub(middle, reach), add(middle, reach));
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

/**
 * A plane whose normal is an axis, except for rounding of its quaternion, also gets a bound on its outer side;
 * otherwise each body of a world with z up would be paired with its floor. The bound allows for the tilt within
 * PLANE_REACH of the plane's origin.
 */
function planeSlab(along: f32, across: f32, position: f32, side: f32): f32 {
  if (across < ROUNDING && along * side > 0) return position + side * across * PLANE_REACH;
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
