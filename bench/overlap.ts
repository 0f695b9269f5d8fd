// How deep shapes sink into each other: an independent measure in f64 on the nominal shapes, shared by
// all engines, so that no engine's rounded corners, margins or slop count in its favour.
// In: resolved bodies and their poses. Out: the depth of every overlapping pair, in metres.
// Spheres and capsules are points and segments with a radius; boxes and hulls go through all separating
// axes (Ericson, Real-Time Collision Detection, 4.4 and 5.2); bodies on a mesh are sampled at corners.
import { cross, dot, hullGeometry, subtract, unit } from './hull';
import {
  type BodySpec,
  multiply,
  type Quat,
  rotate,
  type SceneSpec,
  type ShapeSpec,
  type Vec3,
} from './scene';

interface Placed {
  body: number;
  moving: boolean;
  spec: ShapeSpec;
  centre: Vec3;
  rotation: Quat;
  radius: number;
  /** World corners: 1 of a sphere, 2 of a capsule's segment, 8 of a box, all of a hull. */
  corners: Vec3[];
  normals: Vec3[];
  edges: Vec3[];
  low: Vec3;
  high: Vec3;
}

export interface OverlapReport {
  worst: number;
  /** 95th percentile over the overlapping pairs. */
  percentile95: number;
  pairs: number;
}

/** `poses`: position and quaternion of every body, 7 numbers each. Jointed bodies may overlap. */
export function measureOverlaps({ bodies, joints }: SceneSpec, poses: ArrayLike<number>): OverlapReport {
  const linked = new Set(joints.flatMap(({ bodyA, bodyB }) => [`${bodyA} ${bodyB}`, `${bodyB} ${bodyA}`]));
  const placed = bodies.flatMap((body) => body.shapes.map((spec) => place(body, spec, poses)));
  const unbounded = placed.filter((shape) => shape.spec.type === 'plane' || shape.spec.type === 'mesh');
  const bounded = placed.filter((shape) => shape.spec.type !== 'plane' && shape.spec.type !== 'mesh');
  const depths: number[] = [];
  const note = (depth: number) => {
    if (depth > 0) depths.push(depth);
  };
  for (const ground of unbounded) {
    const below = ground.spec.type === 'plane' ? planeDepth : meshSampler(ground);
    for (const shape of bounded) if (shape.moving) note(below(ground, shape));
  }
  // Sweep along x; the list of open intervals is short in every scene of ours.
  bounded.sort((a, b) => a.low[0] - b.low[0]);
  let open: Placed[] = [];
  for (const shape of bounded) {
    open = open.filter((other) => other.high[0] >= shape.low[0]);
    for (const other of open) {
      if (other.body === shape.body || !(other.moving || shape.moving)) continue;
      if (other.low[1] > shape.high[1] || shape.low[1] > other.high[1]) continue;
      if (other.low[2] > shape.high[2] || shape.low[2] > other.high[2]) continue;
      const a = bodies[other.body];
      const b = bodies[shape.body];
      if ((a.group & b.mask) === 0 || (b.group & a.mask) === 0) continue;
      if (linked.size > 0 && linked.has(`${other.body} ${shape.body}`)) continue;
      note(pairDepth(other, shape));
    }
    open.push(shape);
  }
  depths.sort((a, b) => a - b);
  return {
    worst: depths.at(-1) ?? 0,
    percentile95: depths[Math.floor(depths.length * 0.95)] ?? 0,
    pairs: depths.length,
  };
}

function place(body: BodySpec, spec: ShapeSpec, poses: ArrayLike<number>): Placed {
  const at = body.index * 7;
  const bodyRotation: Quat = [poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]];
  const rotation = multiply(bodyRotation, spec.rotation);
  const offset = rotate(bodyRotation, spec.position);
  const centre: Vec3 = [poses[at] + offset[0], poses[at + 1] + offset[1], poses[at + 2] + offset[2]];
  const toWorld = (point: Vec3): Vec3 => {
    const turned = rotate(rotation, point);
    return [centre[0] + turned[0], centre[1] + turned[1], centre[2] + turned[2]];
  };
  const shape: Placed = {
    body: body.index,
    moving: body.type === 'dynamic',
    spec,
    centre,
    rotation,
    radius: spec.radius,
    corners: [],
    normals: [],
    edges: [],
    low: [Infinity, Infinity, Infinity],
    high: [-Infinity, -Infinity, -Infinity],
  };
  if (spec.type === 'sphere') shape.corners = [centre];
  if (spec.type === 'capsule') {
    shape.corners = [toWorld([0, -spec.halfHeight, 0]), toWorld([0, spec.halfHeight, 0])];
    shape.edges = [rotate(rotation, [0, 1, 0])];
  }
  if (spec.type === 'box') {
    const [x, y, z] = spec.halfExtents;
    for (let i = 0; i < 8; i++) shape.corners.push(toWorld([i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]));
    shape.normals = [rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])];
    shape.edges = shape.normals;
  }
  if (spec.type === 'hull') {
    const geometry = hullGeometry(spec.points);
    shape.corners = spec.points.map(toWorld);
    shape.normals = geometry.normals.map((normal) => rotate(rotation, normal));
    shape.edges = geometry.edges.map((edge) => rotate(rotation, edge));
  }
  for (const corner of shape.corners)
    for (let k = 0; k < 3; k++) {
      shape.low[k] = Math.min(shape.low[k], corner[k] - shape.radius);
      shape.high[k] = Math.max(shape.high[k], corner[k] + shape.radius);
    }
  return shape;
}

function planeDepth(plane: Placed, shape: Placed): number {
  const normal = rotate(plane.rotation, [0, 1, 0]);
  let lowest = Infinity;
  for (const corner of shape.corners) lowest = Math.min(lowest, dot(normal, subtract(corner, plane.centre)));
  return shape.radius - lowest;
}

/** Depth of a body's corners below the triangle that lies under or over each; meshes here are terrains. */
function meshSampler(mesh: Placed): (mesh: Placed, shape: Placed) => number {
  const cell = 1;
  const cells = new Map<string, Vec3[]>();
  for (const triangle of mesh.spec.triangles) {
    const [a, b, c] = triangle.map((i) => mesh.spec.points[i]);
    for (
      let x = Math.floor(Math.min(a[0], b[0], c[0]) / cell);
      x <= Math.floor(Math.max(a[0], b[0], c[0]) / cell);
      x++
    )
      for (
        let z = Math.floor(Math.min(a[2], b[2], c[2]) / cell);
        z <= Math.floor(Math.max(a[2], b[2], c[2]) / cell);
        z++
      ) {
        const key = `${x},${z}`;
        const list = cells.get(key);
        if (list) list.push(triangle);
        else cells.set(key, [triangle]);
      }
  }
  return (_, shape) => {
    let deepest = -Infinity;
    for (const corner of shape.corners) {
      const near = cells.get(`${Math.floor(corner[0] / cell)},${Math.floor(corner[2] / cell)}`) ?? [];
      for (const triangle of near) {
        const [a, b, c] = triangle.map((i) => mesh.spec.points[i]);
        let normal = unit(cross(subtract(b, a), subtract(c, a)));
        if (normal[1] < 0) normal = [-normal[0], -normal[1], -normal[2]];
        if (!above(corner, a, b, c)) continue;
        deepest = Math.max(deepest, shape.radius - dot(normal, subtract(corner, a)));
      }
    }
    return deepest;
  };
}

/** Whether a point lies over or under a triangle, seen along y. */
function above(p: Vec3, a: Vec3, b: Vec3, c: Vec3): boolean {
  const side = (u: Vec3, v: Vec3) => (v[0] - u[0]) * (p[2] - u[2]) - (v[2] - u[2]) * (p[0] - u[0]);
  const ab = side(a, b);
  const bc = side(b, c);
  const ca = side(c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

function pairDepth(a: Placed, b: Placed): number {
  const radii = a.radius + b.radius;
  const solidA = a.normals.length > 0;
  const solidB = b.normals.length > 0;
  if (!solidA && !solidB) return radii - segmentDistance(a.corners, b.corners);
  if (radii === 0) return axesDepth(a, b, 0);
  const [round, solid] = solidA ? [b, a] : [a, b];
  const distance = solid.spec.type === 'box' ? segmentToBox(round.corners, solid) : 0;
  // Outside a box the distance is exact. Inside it, or against a hull, the axes bound the depth; against
  // the edges of a hull they overestimate it a little.
  return distance > 0 ? radii - distance : axesDepth(a, b, radii);
}

/** Smallest overlap over all axes that can separate two convex sets, thickened by `radii`. */
function axesDepth(a: Placed, b: Placed, radii: number): number {
  let smallest = Infinity;
  const test = (axis: Vec3) => {
    const [lowA, highA] = extent(a.corners, axis);
    const [lowB, highB] = extent(b.corners, axis);
    smallest = Math.min(smallest, highA - lowB, highB - lowA);
    return smallest + radii > 0;
  };
  for (const axis of a.normals) if (!test(axis)) return 0;
  for (const axis of b.normals) if (!test(axis)) return 0;
  for (const edgeA of a.edges)
    for (const edgeB of b.edges) {
      const axis = cross(edgeA, edgeB);
      const length = Math.hypot(axis[0], axis[1], axis[2]);
      if (length > 1e-6 && !test([axis[0] / length, axis[1] / length, axis[2] / length])) return 0;
    }
  return smallest + radii;
}

function extent(corners: readonly Vec3[], axis: Vec3): [low: number, high: number] {
  let low = Infinity;
  let high = -Infinity;
  for (const corner of corners) {
    const along = corner[0] * axis[0] + corner[1] * axis[1] + corner[2] * axis[2];
    if (along < low) low = along;
    if (along > high) high = along;
  }
  return [low, high];
}

/** Distance of two segments, of which either may be a point. */
function segmentDistance(first: readonly Vec3[], second: readonly Vec3[]): number {
  const p = first[0];
  const q = second[0];
  const d1 = subtract(first[first.length - 1], p);
  const d2 = subtract(second[second.length - 1], q);
  const r = subtract(p, q);
  const a = dot(d1, d1);
  const e = dot(d2, d2);
  const f = dot(d2, r);
  const c = dot(d1, r);
  const b = dot(d1, d2);
  const clamp = (t: number) => Math.min(1, Math.max(0, t));
  const denominator = a * e - b * b;
  let s = a > 0 && denominator > 1e-14 ? clamp((b * f - c * e) / denominator) : 0;
  let t = e > 0 ? (b * s + f) / e : 0;
  if (t < 0 || t > 1 || e === 0) {
    t = clamp(t);
    s = a > 0 ? clamp((b * t - c) / a) : 0;
  }
  return Math.hypot(r[0] + d1[0] * s - d2[0] * t, r[1] + d1[1] * s - d2[1] * t, r[2] + d1[2] * s - d2[2] * t);
}

/** Distance of a segment from a box: convex along the segment, so a golden-section search finds it. */
function segmentToBox(corners: readonly Vec3[], box: Placed): number {
  const from = corners[0];
  const along = subtract(corners[corners.length - 1], from);
  const distance = (t: number) => {
    const relative: Vec3 = [
      from[0] + along[0] * t - box.centre[0],
      from[1] + along[1] * t - box.centre[1],
      from[2] + along[2] * t - box.centre[2],
    ];
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const outside = Math.abs(dot(relative, box.normals[k])) - box.spec.halfExtents[k];
      if (outside > 0) sum += outside * outside;
    }
    return Math.sqrt(sum);
  };
  if (corners.length === 1) return distance(0);
  const golden = (Math.sqrt(5) - 1) / 2;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 48; i++) {
    const u = high - golden * (high - low);
    const v = low + golden * (high - low);
    if (distance(u) <= distance(v)) high = v;
    else low = u;
  }
  return Math.min(distance(0), distance(1), distance((low + high) / 2));
}
