// Ray against one shape. In: origin, delta (fraction 1), shape. Out: fraction of the first hit and the world normal
// there. Touching counts as a hit; an origin inside a solid is an immediate hit. Everything up to the fraction is f64:
// a ray can start a thousand kilometres away, where f32 is too coarse. The quadratic equations are written so that they
// avoid cancellation.

import { dot, neg, normalizeOr, rotate, vec3, w, x, y, z } from '../math/vector';
import {
  ASK_FRONT_ONLY,
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
import { HeightfieldGeometry, HullGeometry, MeshGeometry, Shape } from '../memory/records';
import { Corners, Path, Vector64 } from '../memory/values';
import { hullNormal, hullOffset } from '../shapes/hull';
import { pointWithRadius } from '../shapes/points';
import { convexSize } from '../shapes/shape';
import { MISS, ROUNDING } from '../tolerances';
import { coreRadius, pointsOf } from './convex';
import { Cores, startQuery } from './convexPair';
import { coreDistance } from './gjk';
import {
  rayField,
  rayMesh,
  startSurfaceRay,
  surfaceFraction,
  surfaceNormal,
  surfaceTriangle,
  tryTriangle,
} from './raySurface';

/** The ray in the shape's frame, and the normal of the hit. Scratch of one call. */
const RAY: usize = memory.data(72, 8);
const OX: usize = 0;
const OY: usize = 8;
const OZ: usize = 16;
const DX: usize = 24;
const DY: usize = 32;
const DZ: usize = 40;
const NX: usize = 48;
const NY: usize = 56;
const NZ: usize = 64;

/** @inline */
function ray(component: usize): f64 {
  return load<f64>(RAY + component);
}

/** How far a ray goes; ASK_FRONT_ONLY or 0. @value */
export class RayLimit {
  maxFraction: f32;
  flags: i32;
}

/**
 * Fraction of delta to the first hit, at most maxFraction, or MISS. For a hit it writes the unit world normal to
 * outAddress (16 bytes, aligned), or −direction if the origin is inside, followed by the triangle of a mesh or
 * heightfield (−1 for other shapes).
 */
export function rayShape(s: Shape, path: Path, limit: RayLimit, outAddress: usize): f32 {
  const from = path.from;
  const delta = path.delta;
  const maxFraction = limit.maxFraction;
  store<i32>(outAddress, -1, 16);
  const px = <f64>x(s.position);
  const py = <f64>y(s.position);
  const pz = <f64>z(s.position);
  toLocal(s.rotation, new Vector64(<f64>x(from) - px, <f64>y(from) - py, <f64>z(from) - pz), OX);
  toLocal(s.rotation, new Vector64(<f64>x(delta), <f64>y(delta), <f64>z(delta)), DX);
  let fraction: f64 = MISS;
  if (isInside(s)) {
    v128.store(outAddress, normalizeOr(neg(delta), vec3(0, 1, 0)));
    return 0;
  }
  // Like Bullet's convex casts of a point, which use the support point with the margin (btSubSimplexConvexCast.cpp).
  const type = s.margin > 0 && s.type <= SHAPE_MULTISPHERE ? SHAPE_MULTISPHERE : s.type;
  switch (type) {
    case SHAPE_SPHERE:
      fraction = raySphere(<f64>s.param0, 0);
      break;
    case SHAPE_CAPSULE:
      fraction = rayCapsule(<f64>s.param0, <f64>s.param1);
      break;
    case SHAPE_BOX:
      fraction = rayBox(<f64>s.param0, <f64>s.param1, <f64>s.param2);
      break;
    case SHAPE_HULL:
      fraction = rayHull(changetype<HullGeometry>(<usize>s.geometry));
      break;
    case SHAPE_CYLINDER:
      fraction = rayCylinder(<f64>s.param0, <f64>s.param1);
      break;
    case SHAPE_CONE:
      fraction = rayCone(<f64>s.param0, <f64>s.param1);
      break;
    case SHAPE_PLANE:
      fraction = rayPlane();
      break;
    case SHAPE_TRIANGLE:
    case SHAPE_MESH:
    case SHAPE_HEIGHTFIELD:
      fraction = raySurface(s, maxFraction, limit.flags & ASK_FRONT_ONLY ? 1 : 0, outAddress);
      break;
    default: // convex shapes without a closed form
      fraction = rayConvex(s);
  }
  if (!(fraction <= <f64>maxFraction)) return MISS;
  const local = vec3(<f32>ray(NX), <f32>ray(NY), <f32>ray(NZ));
  v128.store(outAddress, normalizeOr(rotate(s.rotation, local), vec3(0, 1, 0)));
  return <f32>fraction;
}

/**
 * Writes q* v q to RAY. The factor 2/|q|² makes it a rotation even if the quaternion is normalised only to f32, which
 * matters far from the shape.
 */
function toLocal(q: v128, v: Vector64, at: usize): void {
  const qx = -(<f64>x(q));
  const qy = -(<f64>y(q));
  const qz = -(<f64>z(q));
  const qw = <f64>w(q);
  const k = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const tx = qy * v.z - qz * v.y;
  const ty = qz * v.x - qx * v.z;
  const tz = qx * v.y - qy * v.x;
  store<f64>(RAY + at, v.x + k * (qw * tx + qy * tz - qz * ty));
  store<f64>(RAY + at, v.y + k * (qw * ty + qz * tx - qx * tz), 8);
  store<f64>(RAY + at, v.z + k * (qw * tz + qx * ty - qy * tx), 16);
}

/** Whether the origin is strictly inside. */
function isInside(s: Shape): bool {
  const ox = ray(OX);
  const oy = ray(OY);
  const oz = ray(OZ);
  const size = <f64>s.param0;
  switch (s.type) {
    case SHAPE_SPHERE:
      return ox * ox + oy * oy + oz * oz < size * size;
    case SHAPE_CAPSULE: {
      const beyond = max(abs(oy) - <f64>s.param1, 0);
      return ox * ox + beyond * beyond + oz * oz < size * size;
    }
    case SHAPE_BOX:
      return abs(ox) < size && abs(oy) < <f64>s.param1 && abs(oz) < <f64>s.param2;
    case SHAPE_HULL: {
      const hull = changetype<HullGeometry>(<usize>s.geometry);
      for (let i = 0; i < hull.faceCount; i++) {
        const n = hullNormal(hull, i);
        if (<f64>x(n) * ox + <f64>y(n) * oy + <f64>z(n) * oz >= <f64>hullOffset(hull, i)) return false;
      }
      return true;
    }
    case SHAPE_CYLINDER:
      return abs(oy) < <f64>s.param1 && ox * ox + oz * oz < size * size;
    case SHAPE_CONE: {
      const half = <f64>s.param1;
      const radius = (size * (half - oy)) / (2 * half);
      return abs(oy) < half && ox * ox + oz * oz < radius * radius;
    }
    case SHAPE_PLANE:
      return oy < 0;
    default:
      return false;
  }
}

/** Sphere at (0, height, 0); the origin is not inside. */
function raySphere(radius: f64, height: f64): f64 {
  const ox = ray(OX);
  const oy = ray(OY) - height;
  const oz = ray(OZ);
  const dx = ray(DX);
  const dy = ray(DY);
  const dz = ray(DZ);
  const b = ox * dx + oy * dy + oz * dz;
  const c = ox * ox + oy * oy + oz * oz - radius * radius;
  if (c > 0 && b >= 0) return MISS; // outside and moving away, or not moving
  // b² − a·c with |o|²|d|² − (o·d)² = |o × d|²: no difference of large numbers.
  const a = dx * dx + dy * dy + dz * dz;
  const mx = oy * dz - oz * dy;
  const my = oz * dx - ox * dz;
  const mz = ox * dy - oy * dx;
  const discriminant = a * radius * radius - (mx * mx + my * my + mz * mz);
  if (discriminant < 0) return MISS;
  const t = c > 0 ? c / (sqrt<f64>(discriminant) - b) : 0;
  store<f64>(RAY + NX, ox + t * dx);
  store<f64>(RAY + NY, oy + t * dy);
  store<f64>(RAY + NZ, oz + t * dz);
  unitNormal(radius);
  return t;
}

/** Scales the normal from the size of the shape to length 1, so that its square fits f32. @inline */
function unitNormal(radius: f64): void {
  store<f64>(RAY + NX, ray(NX) / radius);
  store<f64>(RAY + NY, ray(NY) / radius);
  store<f64>(RAY + NZ, ray(NZ) / radius);
}

/** Capsule along y: first the cylinder, then the cap at the side where the ray enters. */
function rayCapsule(radius: f64, half: f64): f64 {
  const ox = ray(OX);
  const oy = ray(OY);
  const oz = ray(OZ);
  const dx = ray(DX);
  const dy = ray(DY);
  const dz = ray(DZ);
  const b = ox * dx + oz * dz;
  const c = ox * ox + oz * oz - radius * radius;
  let entry = oy;
  if (c > 0) {
    if (b >= 0) return MISS;
    const m = ox * dz - oz * dx;
    const discriminant = (dx * dx + dz * dz) * radius * radius - m * m;
    if (discriminant < 0) return MISS;
    const t = c / (sqrt<f64>(discriminant) - b);
    entry = oy + t * dy;
    if (abs(entry) <= half) {
      store<f64>(RAY + NX, ox + t * dx);
      store<f64>(RAY + NY, 0);
      store<f64>(RAY + NZ, oz + t * dz);
      unitNormal(radius);
      return t;
    }
  } else if (abs(oy) <= half) {
    // On the cylinder's surface.
    store<f64>(RAY + NX, ox);
    store<f64>(RAY + NY, 0);
    store<f64>(RAY + NZ, oz);
    unitNormal(radius);
    return 0;
  }
  return raySphere(radius, entry > 0 ? half : -half);
}

/** Slab test: the last entry must not come after the first exit. */
function rayBox(hx: f64, hy: f64, hz: f64): f64 {
  let enter: f64 = -Infinity;
  let leave: f64 = Infinity;
  let axis: usize = 0;
  for (let i: usize = 0; i < 3; i++) {
    const o = load<f64>(RAY + (i << 3), OX);
    const d = load<f64>(RAY + (i << 3), DX);
    const h = i == 0 ? hx : i == 1 ? hy : hz;
    if (d == 0) {
      if (abs(o) > h) return MISS;
      continue;
    }
    const near = (d > 0 ? -h - o : h - o) / d;
    const far = (d > 0 ? h - o : -h - o) / d;
    if (near > enter) {
      enter = near;
      axis = i;
    }
    if (far < leave) leave = far;
  }
  if (!(enter <= leave) || leave < 0) return MISS;
  store<f64>(RAY + NX, 0);
  store<f64>(RAY + NY, 0);
  store<f64>(RAY + NZ, 0);
  if (enter < 0) {
    // The origin is on the surface and the ray goes along it or away: use the face on which it lies.
    const ox = abs(ray(OX)) - hx;
    const oy = abs(ray(OY)) - hy;
    const oz = abs(ray(OZ)) - hz;
    axis = ox >= oy && ox >= oz ? 0 : oy >= oz ? 1 : 2;
    enter = 0;
    store<f64>(RAY + (axis << 3), load<f64>(RAY + (axis << 3), OX) < 0 ? -1 : 1, NX);
  } else {
    store<f64>(RAY + (axis << 3), load<f64>(RAY + (axis << 3), DX) > 0 ? -1 : 1, NX);
  }
  return enter;
}

// The part of a ray inside a convex solid: cut by one half-space or quadric after another.
const SPAN: usize = memory.data(16, 8);
const ENTER: usize = 0;
const LEAVE: usize = 8;

/** Cuts the span by the half-space n·p ≤ d. False if nothing is left. */
function cutByPlane(nx: f64, ny: f64, nz: f64, d: f64): bool {
  const height = nx * ray(OX) + ny * ray(OY) + nz * ray(OZ) - d;
  const rise = nx * ray(DX) + ny * ray(DY) + nz * ray(DZ);
  if (rise == 0) return height <= 0;
  const t = -height / rise;
  if (rise > 0) {
    if (t < load<f64>(SPAN, LEAVE)) store<f64>(SPAN, t, LEAVE);
  } else if (t > load<f64>(SPAN, ENTER)) {
    store<f64>(SPAN, t, ENTER);
    setNormal(nx, ny, nz);
  }
  return load<f64>(SPAN, ENTER) <= load<f64>(SPAN, LEAVE) && load<f64>(SPAN, LEAVE) >= 0;
}

/** @inline */
function setNormal(nx: f64, ny: f64, nz: f64): void {
  store<f64>(RAY + NX, nx);
  store<f64>(RAY + NY, ny);
  store<f64>(RAY + NZ, nz);
}

/** @inline */
function startSpan(): void {
  store<f64>(SPAN, -Infinity, ENTER);
  store<f64>(SPAN, Infinity, LEAVE);
  setNormal(-ray(DX), -ray(DY), -ray(DZ));
}

/** Fraction at which the ray enters the remaining span: 0 if the origin is on the surface. @inline */
function entry(): f64 {
  return max<f64>(0, load<f64>(SPAN, ENTER));
}

function rayHull(hull: HullGeometry): f64 {
  startSpan();
  for (let i = 0; i < hull.faceCount; i++) {
    const n = hullNormal(hull, i);
    if (!cutByPlane(<f64>x(n), <f64>y(n), <f64>z(n), <f64>hullOffset(hull, i))) return MISS;
  }
  return entry();
}

function rayCylinder(radius: f64, half: f64): f64 {
  startSpan();
  if (!cutByPlane(0, 1, 0, half) || !cutByPlane(0, -1, 0, half)) return MISS;
  const ox = ray(OX);
  const oz = ray(OZ);
  const dx = ray(DX);
  const dz = ray(DZ);
  const a = dx * dx + dz * dz;
  const c = ox * ox + oz * oz - radius * radius;
  if (a == 0) return c <= 0 ? entry() : MISS;
  const b = ox * dx + oz * dz;
  const m = ox * dz - oz * dx;
  const discriminant = a * radius * radius - m * m;
  if (discriminant < 0) return MISS;
  const root = sqrt<f64>(discriminant);
  // c = t1·t2·a: no difference of large numbers for the smaller of the two.
  const t1 = b < 0 ? c / (root - b) : (-b - root) / a;
  const t2 = b < 0 ? (root - b) / a : -c / (b + root);
  if (t2 < load<f64>(SPAN, LEAVE)) store<f64>(SPAN, t2, LEAVE);
  if (t1 > load<f64>(SPAN, ENTER)) {
    store<f64>(SPAN, t1, ENTER);
    setNormal((ox + t1 * dx) / radius, 0, (oz + t1 * dz) / radius);
  }
  if (!(load<f64>(SPAN, ENTER) <= load<f64>(SPAN, LEAVE)) || load<f64>(SPAN, LEAVE) < 0) return MISS;
  return entry();
}

/** Base, and the part of the double cone x² + z² = k²(half − y)² below its apex. */
function rayCone(radius: f64, half: f64): f64 {
  startSpan();
  if (!cutByPlane(0, -1, 0, half) || !cutByPlane(0, 1, 0, half)) return MISS;
  // Starts at the point of the ray closest to the centre, so that the terms of the quadratic stay as small as the cone.
  const dx = ray(DX);
  const dy = ray(DY);
  const dz = ray(DZ);
  const dd = dx * dx + dy * dy + dz * dz;
  if (dd == 0) return MISS;
  const shift = -(ray(OX) * dx + ray(OY) * dy + ray(OZ) * dz) / dd;
  const ox = ray(OX) + shift * dx;
  const oz = ray(OZ) + shift * dz;
  const down = half - ray(OY) - shift * dy;
  const k = radius / (2 * half);
  const kk = k * k;
  const a = dx * dx + dz * dz - kk * dy * dy;
  const b = ox * dx + oz * dz + kk * down * dy;
  const c = ox * ox + oz * oz - kk * down * down;
  const discriminant = b * b - a * c;
  let t1 = -Infinity;
  let t2 = Infinity;
  if (abs(a) <= 1e-14 * dd) {
    // Parallel to the side: one crossing.
    if (b == 0) return MISS;
    if (b < 0) t1 = -c / (2 * b);
    else t2 = -c / (2 * b);
  } else {
    if (discriminant < 0) {
      if (a > 0) return MISS;
    } else {
      const root = sqrt<f64>(discriminant);
      const w = b < 0 ? -b + root : -b - root;
      const r1 = w / a;
      const r2 = w != 0 ? c / w : 0;
      const low = min(r1, r2);
      const high = max(r1, r2);
      if (a > 0) {
        t1 = low;
        t2 = high;
      } else if (dy < 0) {
        t1 = high;
      } else {
        t2 = low;
      }
    }
  }
  t1 += shift;
  t2 += shift;
  if (t2 < load<f64>(SPAN, LEAVE)) store<f64>(SPAN, t2, LEAVE);
  if (t1 > load<f64>(SPAN, ENTER)) {
    store<f64>(SPAN, t1, ENTER);
    const nx = ray(OX) + t1 * dx;
    const nz = ray(OZ) + t1 * dz;
    const across = sqrt<f64>(nx * nx + nz * nz);
    if (across > 0) setNormal(nx / across, k, nz / across);
    else setNormal(0, 1, 0);
  }
  if (!(load<f64>(SPAN, ENTER) <= load<f64>(SPAN, LEAVE)) || load<f64>(SPAN, LEAVE) < 0) return MISS;
  return entry();
}

/** The surface y = 0, hit from above. */
function rayPlane(): f64 {
  const height = ray(OY);
  const fall = -ray(DY);
  store<f64>(RAY + NX, 0);
  store<f64>(RAY + NY, 1);
  store<f64>(RAY + NZ, 0);
  if (height == 0) return 0;
  return fall > 0 ? height / fall : MISS;
}

/** A mesh or heightfield, whose scale can mirror it, or a triangle. */
function raySurface(s: Shape, most: f32, front: i32, outAddress: usize): f64 {
  const isTriangle = s.type == SHAPE_TRIANGLE;
  const sx = isTriangle ? 1 : <f64>s.param0;
  const sy = isTriangle ? 1 : <f64>s.param1;
  const sz = isTriangle ? 1 : <f64>s.param2;
  startSurfaceRay(
    new Vector64(ray(OX) / sx, ray(OY) / sy, ray(OZ) / sz),
    new Vector64(ray(DX) / sx, ray(DY) / sy, ray(DZ) / sz),
    <f64>most,
  );
  const at = <usize>s.geometry;
  if (isTriangle) {
    const points = pointsOf(s);
    tryTriangle(
      new Corners(pointWithRadius(points, 0), pointWithRadius(points, 1), pointWithRadius(points, 2)),
      0,
      0,
    );
  } else if (s.type == SHAPE_MESH) {
    rayMesh(changetype<MeshGeometry>(at), front);
  } else {
    rayField(changetype<HeightfieldGeometry>(at), front);
  }
  if (surfaceTriangle() < 0) return MISS;
  // Normals transform with the inverse scale.
  const nx = surfaceNormal(0) / sx;
  const ny = surfaceNormal(1) / sy;
  const nz = surfaceNormal(2) / sz;
  const length = sqrt<f64>(nx * nx + ny * ny + nz * nz);
  setNormal(nx / length, ny / length, nz / length);
  if (!isTriangle) store<i32>(outAddress, surfaceTriangle(), 16);
  return surfaceFraction();
}

const MOST_STEPS: i32 = 32;
const POINT_SHAPE: usize = memory.data(offsetof<Shape>(), 16);

/**
 * Any convex shape with its margin: starting at its bounding sphere, advances to the tangent plane of the closest
 * point. The distance is a convex function along the ray, so this is Newton's method from the safe side.
 */
function rayConvex(s: Shape): f64 {
  const size = <f64>convexSize(s);
  const enters = raySphere(size, 0);
  if (!(enters < MISS)) return MISS;
  memory.fill(POINT_SHAPE, 0, offsetof<Shape>()); // a sphere of radius 0
  const point = changetype<Shape>(POINT_SHAPE);
  let t = max<f64>(0, enters);
  for (let i = 0; i < MOST_STEPS; i++) {
    const p = vec3(<f32>(ray(OX) + t * ray(DX)), <f32>(ray(OY) + t * ray(DY)), <f32>(ray(OZ) + t * ray(DZ)));
    const query = startQuery(f32x4(0, 0, 0, 1), p);
    // From the point to the shape.
    const distance = coreDistance(
      new Cores(query, s, point, size),
      dot(p, p) > 0 ? neg(p) : vec3(0, 1, 0),
      1e30,
    );
    const gap = distance - <f64>coreRadius(s);
    if (t == 0 && gap <= 0) {
      setNormal(-ray(DX), -ray(DY), -ray(DZ));
      return 0;
    }
    const nx = -query.nearestX / distance;
    const ny = -query.nearestY / distance;
    const nz = -query.nearestZ / distance;
    const closing = -(nx * ray(DX) + ny * ray(DY) + nz * ray(DZ));
    if (distance > 0) setNormal(nx, ny, nz);
    if (gap <= <f64>ROUNDING * size) return t;
    if (!(closing > 0)) return MISS;
    t += gap / closing;
    if (t > 1) return MISS;
  }
  return t;
}
