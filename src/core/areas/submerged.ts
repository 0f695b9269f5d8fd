// How much of a shape is below a plane. In: a shape, a plane in its frame. Out: the volume below the plane, and its
// first moment about the shape's origin. Exact for spheres, boxes and hulls. Cylinders and cones are approximated by
// twelve-sided prisms and pyramids of the same volume, capsules by cylinders of the same radius and volume; each ball
// of a multi-sphere counts separately, so overlaps count twice. The volume below a plane is the sum of cones over the
// clipped faces from a point of the plane; the face that the plane cuts adds nothing (Catto, "Exact Buoyancy for
// Polyhedra", Game Programming Gems 6, 2006).

import { COS_30_DEGREES, PI, SIN_30_DEGREES, TWELVE_SIDED_RADIUS } from '../math/constants';
import { add, addScaled, cross, dot, scale, sub, vec3, w, x, y, z, zero } from '../math/vector';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_HULL,
  SHAPE_MULTISPHERE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../memory/constants';
import { HullGeometry, Shape } from '../memory/records';
import { pointsOf } from '../narrowphase/convex';
import { cornerVertex, firstCorner, hullVertex } from '../shapes/hull';
import { pointWithRadius } from '../shapes/points';
import { convexSize } from '../shapes/shape';

const ROUND_SIDES = 12;

/** The sum so far: first moment, volume in lane 3. */
const SUM: usize = memory.data(16, 16);
/** Current polyhedron: the plane (normal, distance), and the point of it from which cones are measured. */
const PLANE: usize = memory.data(16, 16);
const APEX: usize = memory.data(16, 16);
/** Current face: its first corner and its last one below the plane, and the number of these corners. */
const FIRST: usize = memory.data(16, 16);
const LAST: usize = memory.data(16, 16);
const KEPT: usize = memory.data(4, 4);

/**
 * Volume (m³, lane 3) and its first moment about the shape's origin, in its frame, of the part of the shape where n·p
 * is below lane 3 of `plane`; n, its other lanes, is a unit vector in the shape's frame.
 */
export function submerged(s: Shape, plane: v128): v128 {
  v128.store(SUM, zero());
  if (s.type == SHAPE_SPHERE) addBall(f32x4(0, 0, 0, s.param0), plane);
  else if (s.type == SHAPE_MULTISPHERE)
    for (let i = 0; i < pointsOf(s).count; i++) addBall(pointWithRadius(pointsOf(s), i), plane);
  else if (s.type != SHAPE_TRIANGLE) addPolyhedron(s, plane);
  return v128.load(SUM);
}

function addVolume(volume: f32, moment: v128): void {
  v128.store(SUM, add(v128.load(SUM), f32x4.replace_lane(moment, 3, volume)));
}

/**
 * Adds a ball (x, y, z, radius): a cap of height h has the volume π h² (3r − h)/3, and its centroid is 3 (2r − h)²/(4
 * (3r − h)) from the ball's centre.
 */
function addBall(ball: v128, plane: v128): void {
  const r = w(ball);
  const height = w(plane) - dot(ball, plane) + r;
  const h = max<f32>(0, min<f32>(<f32>2 * r, height));
  if (h == 0) return;
  const volume = (PI * h * h * (<f32>3 * r - h)) / <f32>3;
  const down = (<f32>3 * (<f32>2 * r - h) * (<f32>2 * r - h)) / (<f32>4 * (<f32>3 * r - h));
  const center = addScaled(f32x4.replace_lane(ball, 3, 0), f32x4.replace_lane(plane, 3, 0), -down);
  addVolume(volume, scale(center, volume));
}

function addPolyhedron(s: Shape, plane: v128): void {
  const size = <f32>2 * convexSize(s);
  if (w(plane) <= -size) return;
  const n = f32x4.replace_lane(plane, 3, 0);
  v128.store(PLANE, plane);
  v128.store(APEX, scale(n, min(w(plane), size)));
  if (s.type == SHAPE_HULL) return addHull(changetype<HullGeometry>(<usize>s.geometry));
  if (s.type == SHAPE_BOX) return addPrism(4, vec3(s.param0, s.param1, s.param2), 1);
  const r = TWELVE_SIDED_RADIUS * s.param0;
  const half = s.type == SHAPE_CAPSULE ? s.param1 + (<f32>2 / <f32>3) * s.param0 : s.param1;
  addPrism(ROUND_SIDES, vec3(r, half, r), s.type == SHAPE_CONE ? 0 : 1);
}

function addHull(h: HullGeometry): void {
  for (let face = 0; face < h.faceCount; face++) {
    const first = firstCorner(h, face);
    const end = firstCorner(h, face + 1);
    startFace();
    let before = hullVertex(h, cornerVertex(h, end - 1));
    for (let corner = first; corner < end; corner++) {
      const at = hullVertex(h, cornerVertex(h, corner));
      addEdge(before, at);
      before = at;
    }
  }
}

/** Corner i of the base polygon of a prism, counter-clockwise seen from above. Sizes are those of a box, or radii. */
function corner(sides: i32, i: i32, sizes: v128): v128 {
  if (sides == 4) return vec3(i < 2 ? x(sizes) : -x(sizes), 0, i == 0 || i == 3 ? z(sizes) : -z(sizes));
  let c: f32 = 1;
  let s: f32 = 0;
  for (let k = 0; k < i; k++) {
    const turned = c * COS_30_DEGREES - s * SIN_30_DEGREES;
    s = s * COS_30_DEGREES + c * SIN_30_DEGREES;
    c = turned;
  }
  return vec3(c * x(sizes), 0, -s * z(sizes));
}

/** Adds a prism along y, or with a `top` of 0 a pyramid. */
function addPrism(sides: i32, sizes: v128, top: f32): void {
  const up = vec3(0, y(sizes), 0);
  for (let i = 0; i < sides; i++) {
    const a = corner(sides, i, sizes);
    const b = corner(sides, i + 1 == sides ? 0 : i + 1, sizes);
    const topA = addScaled(up, a, top);
    const topB = addScaled(up, b, top);
    const lowA = sub(a, up);
    const lowB = sub(b, up);
    startFace();
    addEdge(lowA, lowB);
    addEdge(lowB, topB);
    addEdge(topB, topA);
    addEdge(topA, lowA);
    // One triangle of the base and one of the top.
    startFace();
    addEdge(sub(zero(), up), lowB);
    addEdge(lowB, lowA);
    addEdge(lowA, sub(zero(), up));
    startFace();
    addEdge(up, topA);
    addEdge(topA, topB);
    addEdge(topB, up);
  }
}

function startFace(): void {
  store<i32>(KEPT, 0);
}

/** Adds the part below the plane of the next edge of the current face, counter-clockwise from outside. */
function addEdge(a: v128, b: v128): void {
  const plane = v128.load(PLANE);
  const overA = dot(plane, a) - w(plane);
  const overB = dot(plane, b) - w(plane);
  if (overA < 0 != overB < 0) addCorner(addScaled(a, sub(b, a), overA / (overA - overB)));
  if (overB < 0) addCorner(b);
}

/** Adds the cone over the triangle of the face's first corner, the last one and this one. */
function addCorner(p: v128): void {
  const apex = v128.load(APEX);
  const at = sub(p, apex);
  const kept = load<i32>(KEPT);
  if (kept == 0) v128.store(FIRST, at);
  else if (kept > 1) {
    const a = v128.load(FIRST);
    const b = v128.load(LAST);
    const volume = dot(a, cross(b, at)) / <f32>6;
    addVolume(volume, scale(addScaled(apex, add(add(a, b), at), 0.25), volume));
  }
  v128.store(LAST, at);
  store<i32>(KEPT, kept + 1);
}
