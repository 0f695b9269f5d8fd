// Shapes from geometries. In: a three.js geometry. Out: one of the engine's own shapes if all vertices lie on it,
// otherwise its convex hull or its triangles. Attributes may be indexed, interleaved, quantised; groups become
// materials.
import type { Axis, CookedGeometry, ShapeCommon, ShapeOptions, Vec3Like } from 'ricochet';
import {
  compound,
  cookHull,
  cookMesh,
  drawnVertices,
  meshContentOf,
  PhysicsError,
  readTriangles,
  scaled,
  verticesOf,
} from 'ricochet/cooking';
import {
  Box3,
  type BoxGeometry,
  type BufferAttribute,
  BufferGeometry,
  type CapsuleGeometry,
  type ConeGeometry,
  type CylinderGeometry,
  type IcosahedronGeometry,
  type InterleavedBufferAttribute,
  type PlaneGeometry,
  type SphereGeometry,
  Vector3,
} from 'three';

/** Which shape to make from a geometry; 'auto' recognises three's own boxes, spheres, capsules, cylinders and cones. */
export type ShapeKind = 'auto' | 'box' | 'sphere' | 'capsule' | 'cylinder' | 'cone' | 'hull' | 'mesh';

/** Options of `shapeFromGeometry`. */
export interface ShapeFromGeometryOptions extends ShapeCommon {
  /**
   * 'auto': the engine's own shape for three's boxes, spheres, capsules, and cylinders and cones of 8 sides or more, if
   * the vertices still lie where their parameters say; the hull if the geometry is convex; else a mesh, for static and kinematic bodies.
   * 'hull': the convex hull of the vertices, of at most 64 of them. 'mesh': the triangles.
   * 'box', 'sphere', 'capsule', 'cylinder', 'cone': the bounds of any geometry. Default 'auto'.
   */
  kind?: ShapeKind | undefined;
  /** Scale of the object that shows the geometry: one factor, or three; negative ones mirror. Default 1. */
  scale?: number | Vec3Like | undefined;
  /** Axis of a capsule, cylinder or cone made from the bounds. Default: the longest; y for a cone. */
  axis?: Axis | undefined;
  /** For a mesh: only its front collides. Default false. */
  oneSided?: boolean | undefined;
}

const KINDS: readonly ShapeKind[] = ['auto', 'box', 'sphere', 'capsule', 'cylinder', 'cone', 'hull', 'mesh'];
/** Of the size: vertices of a primitive lie this near to its surface. */
const ON_SURFACE = 1e-4;
/** Of the size: a convex surface lies no deeper below its hull, which may have lost vertices beyond 64 … */
const NEARLY_CONVEX = 0.02;
/** … and is larger or smaller by no more than this part. */
const NEARLY_CLOSED = 0.1;
/** m. Half of what a plane is thick, as a box. */
const HALF_SHEET = 0.01;
/** Of the size: bounds that are no thicker have no thickness, but for rounding. */
const FLAT = 1e-6;
/** From which subdivision on an icosahedron is a ball. */
const ROUND_DETAIL = 2;
/** From how many sides on a prism is a cylinder, a pyramid a cone: those of 6 sides are 13 % narrower at their faces. */
const ROUND_SIDES = 8;

const invalid = (argument: string, rule: string, value: unknown) =>
  new PhysicsError('invalid-argument', rule, argument, value);

/**
 * Makes a shape from a geometry, for `createBody` and `addShape` of any world. Cooked data is cached with the geometry,
 * until its attributes have a new version.
 *
 * @param options  a kind alone, or options
 * @throws PhysicsError 'invalid-argument': no positions, no volume for a hull, or as cookMesh and cookHull
 */
export function shapeFromGeometry(
  geometry: BufferGeometry,
  options: ShapeKind | ShapeFromGeometryOptions = {},
): ShapeOptions {
  if (typeof options === 'string') return shapeFromGeometry(geometry, { kind: options });
  if (!(geometry instanceof BufferGeometry)) throw invalid('geometry', 'must be a BufferGeometry', geometry);
  const { kind = 'auto', scale = 1, axis, oneSided = false, position, rotation, ...common } = options;
  if (!KINDS.includes(kind)) throw invalid('kind', `must be one of ${KINDS.join(', ')}`, kind);
  const factors = factorsOf(scale);
  verticesOf(geometry); // throws for one without positions
  const shape =
    kind === 'auto'
      ? (primitiveOf(geometry, factors) ??
        (isConvex(geometry) ? hullOf(geometry, factors) : meshOf(geometry, factors, oneSided)))
      : kind === 'hull'
        ? hullOf(geometry, factors)
        : kind === 'mesh'
          ? meshOf(geometry, factors, oneSided)
          : boundsShape(geometry, kind, factors, axis);
  const placed = { ...shape, ...common } as ShapeOptions;
  if (position === undefined && rotation === undefined) return placed;
  return compound([
    { shape: placed, ...(position && { position }), ...(rotation && { rotation }) },
  ])[0] as ShapeOptions;
}

type Positions = BufferAttribute | InterleavedBufferAttribute;

type Factors = [x: number, y: number, z: number];

function factorsOf(scale: number | Vec3Like): Factors {
  const given =
    typeof scale === 'number'
      ? [scale, scale, scale]
      : 'x' in scale
        ? [scale.x, scale.y, scale.z]
        : Array.from(scale);
  if (given.length !== 3 || !given.every((c) => Number.isFinite(c) && c !== 0))
    throw invalid('scale', 'must be finite and not 0 along every axis', given);
  return given as Factors;
}

// --- what was found out about a geometry, until it changes ---

interface Primitive {
  shape: ShapeOptions;
  center: Vector3;
}

interface Known {
  version: string;
  positions: Positions;
  index: BufferGeometry['index'];
  convex?: boolean;
  primitive?: Primitive | null;
  /** By scale. */
  hulls: Map<string, CookedGeometry>;
  meshes: Map<boolean, CookedGeometry>;
}

const known = new WeakMap<BufferGeometry, Known>();

function knownOf(geometry: BufferGeometry): Known {
  const positions = geometry.getAttribute('position') as Positions;
  const { version: changes } = 'data' in positions ? positions.data : positions;
  const { index, drawRange, groups } = geometry;
  const version = [
    positions.count,
    changes,
    index?.count,
    index?.version,
    drawRange.start,
    drawRange.count,
    ...groups.flatMap(({ start, count, materialIndex }) => [start, count, materialIndex]),
  ].join();
  let entry = known.get(geometry);
  // Attributes that replace others begin with the same version again.
  if (entry?.version !== version || entry.positions !== positions || entry.index !== index)
    known.set(geometry, (entry = { version, positions, index, hulls: new Map(), meshes: new Map() }));
  return entry;
}

// --- three's own geometries ---

/** The engine's own shape at a scale; null where there is none. */
function primitiveOf(geometry: BufferGeometry, factors: Factors): ShapeOptions | null {
  const entry = knownOf(geometry);
  if (entry.primitive === undefined) entry.primitive = findPrimitive(geometry);
  const found = entry.primitive;
  if (found === null) return null;
  const { shape, center } = found;
  try {
    const sizes = factors.map(Math.abs) as Factors;
    // The board that stands for a plane is as thick at any scale: what lies on it lies where it is drawn.
    if (geometry.type === 'PlaneGeometry') sizes[2] = 1;
    const size = scaled(shape, sizes);
    const flipped = shape.type === 'cone' && factors[1] < 0;
    const turned = flipped ? turnOver(size) : size;
    return center.lengthSq() === 0
      ? turned
      : { ...turned, position: center.toArray().map((c, k) => c * factors[k]!) };
  } catch (error) {
    if (error instanceof PhysicsError && error.argument === 'scale') return null; // an ellipsoid, say
    throw error;
  }
}

/** Half a turn about x. */
function turnOver(shape: ShapeOptions): ShapeOptions {
  const [x, y, z, w] = Array.from((shape.rotation ?? [0, 0, 0, 1]) as ArrayLike<number>) as number[];
  return { ...shape, rotation: [w!, -z!, y!, -x!] };
}

const FULL_TURN = 2 * Math.PI - 1e-6;

/** Distance of a point from a surface about the origin; below 0 inside. */
type Surface = (x: number, y: number, z: number) => number;

function findPrimitive(geometry: BufferGeometry): Primitive | null {
  const candidate = candidateOf(geometry);
  if (candidate === null) return null;
  const [shape, surface] = candidate;
  const vertices = verticesOf(geometry);
  const box = boundsOf(geometry);
  const center = box.getCenter(new Vector3());
  const size = box.getSize(new Vector3());
  const limit = ON_SURFACE * Math.max(size.x, size.y, size.z);
  // It may have been rotated, or otherwise changed, since its parameters were set.
  if (center.length() < limit) center.set(0, 0, 0);
  for (let i = 0; i < vertices.length; i += 3) {
    const [x, y, z] = [vertices[i]! - center.x, vertices[i + 1]! - center.y, vertices[i + 2]! - center.z];
    if (!(Math.abs(surface(x, y, z)) <= limit)) return null;
  }
  return { shape, center };
}

function candidateOf(geometry: BufferGeometry): [ShapeOptions, Surface] | null {
  switch (geometry.type) {
    case 'BoxGeometry': {
      const { width, height, depth } = (geometry as BoxGeometry).parameters;
      return box(width / 2, height / 2, depth / 2);
    }
    case 'PlaneGeometry': {
      const { width, height } = (geometry as PlaneGeometry).parameters;
      // A thin board, not a half-space: things may pass beside it.
      const [shape] = box(width / 2, height / 2, HALF_SHEET);
      return [
        shape,
        (x, y, z) => Math.max(Math.abs(x) - width / 2, Math.abs(y) - height / 2, 0) + Math.abs(z),
      ];
    }
    case 'SphereGeometry': {
      const { radius, phiLength, thetaLength } = (geometry as SphereGeometry).parameters;
      return phiLength >= FULL_TURN && thetaLength >= FULL_TURN / 2 ? ball(radius) : null;
    }
    case 'IcosahedronGeometry': {
      const { radius, detail } = (geometry as IcosahedronGeometry).parameters;
      return detail >= ROUND_DETAIL ? ball(radius) : null;
    }
    case 'CapsuleGeometry': {
      const { radius, height } = (geometry as CapsuleGeometry).parameters;
      if (height === 0) return ball(radius);
      return [
        { type: 'capsule', radius, halfHeight: height / 2 },
        (x, y, z) => Math.hypot(x, Math.max(0, Math.abs(y) - height / 2), z) - radius,
      ];
    }
    case 'ConeGeometry': {
      const { parameters } = geometry as ConeGeometry;
      return isRound(parameters) ? cone(parameters.radius, parameters.height / 2) : null;
    }
    case 'CylinderGeometry': {
      const { parameters } = geometry as CylinderGeometry;
      const { radiusTop, radiusBottom, height } = parameters;
      if (!isRound(parameters)) return null;
      if (radiusTop === 0) return cone(radiusBottom, height / 2);
      if (radiusTop !== radiusBottom) return null;
      const halfHeight = height / 2;
      return [
        { type: 'cylinder', radius: radiusTop, halfHeight },
        (x, y, z) => Math.max(Math.hypot(x, z) - radiusTop, Math.abs(y) - halfHeight),
      ];
    }
    default:
      return null;
  }
}

/** Closed, all around, and no prism. */
const isRound = ({
  openEnded,
  thetaLength,
  radialSegments,
}: (CylinderGeometry | ConeGeometry)['parameters']): boolean =>
  !openEnded && thetaLength >= FULL_TURN && radialSegments >= ROUND_SIDES;

function box(x: number, y: number, z: number): [ShapeOptions, Surface] {
  return [
    { type: 'box', halfExtents: [x, y, z] },
    (px, py, pz) => Math.max(Math.abs(px) - x, Math.abs(py) - y, Math.abs(pz) - z),
  ];
}

const ball = (radius: number): [ShapeOptions, Surface] => [
  { type: 'sphere', radius },
  (x, y, z) => Math.hypot(x, y, z) - radius,
];

function cone(radius: number, halfHeight: number): [ShapeOptions, Surface] {
  const slant = Math.hypot(radius, 2 * halfHeight);
  return [
    { type: 'cone', radius, halfHeight },
    (x, y, z) =>
      Math.max((2 * halfHeight * Math.hypot(x, z) + radius * (y - halfHeight)) / slant, -halfHeight - y),
  ];
}

// --- bounds ---

/** Of the vertices as they are now: three's own may be stale. */
function boundsOf(geometry: BufferGeometry): Box3 {
  return new Box3().setFromArray(verticesOf(geometry));
}

function boundsShape(
  geometry: BufferGeometry,
  kind: 'box' | 'sphere' | 'capsule' | 'cylinder' | 'cone',
  factors: Factors,
  axis: Axis | undefined,
): ShapeOptions {
  const bounds = boundsOf(geometry);
  const place = bounds.getCenter(new Vector3()).toArray();
  const half = bounds
    .getSize(new Vector3())
    .toArray()
    .map((c, k) => (c * Math.abs(factors[k]!)) / 2) as Factors;
  const position = place.map((c, k) => c * factors[k]!);
  if (kind === 'box') {
    // What is flat is a board, as a plane is.
    const flat = FLAT * Math.max(...half);
    return { type: 'box', halfExtents: half.map((c) => (c > flat ? c : HALF_SHEET)) as Factors, position };
  }
  if (kind === 'sphere') return { type: 'sphere', radius: radiusAbout(geometry, place, factors), position };
  const along = axis ?? (kind === 'cone' ? 'y' : ('xyz'[half.indexOf(Math.max(...half))] as Axis));
  const k = 'xyz'.indexOf(along);
  if (k < 0) throw invalid('axis', "must be one of 'x', 'y', 'z'", axis);
  const radius = Math.max(half[(k + 1) % 3]!, half[(k + 2) % 3]!);
  if (kind === 'capsule') {
    const halfHeight = half[k]! - radius;
    return halfHeight > 1e-3 * radius
      ? { type: kind, radius, halfHeight, axis: along, position }
      : { type: 'sphere', radius: Math.max(radius, half[k]!), position };
  }
  const upright: ShapeOptions = { type: kind, radius, halfHeight: half[k]!, axis: along, position };
  if (kind !== 'cone' || factors[k]! > 0) return upright;
  const over: [number, number, number, number] = [0, 0, 0, 0];
  over[(k + 1) % 3] = 1; // half a turn across the axis
  return { ...upright, rotation: over };
}

/** Of the ball about a point that holds every vertex. */
function radiusAbout(geometry: BufferGeometry, place: number[], factors: Factors): number {
  const vertices = verticesOf(geometry);
  let most = 0;
  for (let i = 0; i < vertices.length; i += 3)
    most = Math.max(
      most,
      Math.hypot(
        (vertices[i]! - place[0]!) * factors[0],
        (vertices[i + 1]! - place[1]!) * factors[1],
        (vertices[i + 2]! - place[2]!) * factors[2],
      ),
    );
  return most;
}

// --- hulls and meshes ---

function hullOf(geometry: BufferGeometry, factors: Factors): ShapeOptions {
  const { hulls } = knownOf(geometry);
  const name = factors.join();
  let cooked = hulls.get(name);
  if (cooked === undefined) {
    const points = drawnVertices(meshContentOf(geometry)).map((c, i) => c * factors[i % 3]!);
    cooked = cookHull(points);
    hulls.set(name, cooked);
  }
  return { type: 'hull', geometry: cooked };
}

function meshOf(geometry: BufferGeometry, factors: Factors, oneSided: boolean): ShapeOptions {
  const { meshes } = knownOf(geometry);
  let cooked = meshes.get(oneSided);
  if (cooked === undefined)
    meshes.set(oneSided, (cooked = cookMesh({ ...meshContentOf(geometry), oneSided })));
  return { type: 'mesh', geometry: cooked, scale: factors };
}

/** Whether the triangles are the surface of their hull, but for what it may lose beyond 64 vertices. */
function isConvex(geometry: BufferGeometry): boolean {
  const entry = knownOf(geometry);
  entry.convex ??= findConvex(geometry);
  return entry.convex;
}

function findConvex(geometry: BufferGeometry): boolean {
  const shape = hullOrNull(geometry);
  if (shape?.type !== 'hull' || shape.geometry === undefined) return false;
  const hull = readTriangles(shape.geometry);
  const planes = planesOf(hull.vertices, hull.indices);
  const { vertices, indices } = meshContentOf(geometry);
  const size = boundsOf(geometry).getSize(new Vector3());
  const limit = NEARLY_CONVEX * Math.max(size.x, size.y, size.z);
  const own = planesOf(vertices, indices as Uint32Array);
  // The middle of every triangle lies near some face: what is deeper inside is concave.
  for (let t = 0; t < own.length; t += 8) {
    let depth = Infinity;
    for (let f = 0; f < planes.length && depth > limit; f += 8) {
      const distance =
        planes[f + 3]! -
        planes[f]! * own[t + 4]! -
        planes[f + 1]! * own[t + 5]! -
        planes[f + 2]! * own[t + 6]!;
      depth = Math.min(depth, distance);
    }
    if (depth > limit) return false;
  }
  const area = (list: Float64Array) => {
    let sum = 0;
    for (let at = 7; at < list.length; at += 8) sum += list[at]!;
    return sum;
  };
  return Math.abs(area(own) / area(planes) - 1) < NEARLY_CLOSED;
}

/** Null for what spans no volume. */
function hullOrNull(geometry: BufferGeometry): ShapeOptions | null {
  try {
    return hullOf(geometry, [1, 1, 1]);
  } catch (error) {
    if (error instanceof PhysicsError) return null;
    throw error;
  }
}

/** Per triangle: normal and distance of its plane, its middle, its area. */
function planesOf(vertices: Float32Array, indices: Uint32Array): Float64Array {
  const out = new Float64Array((8 * indices.length) / 3);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const normal = new Vector3();
  for (let t = 0, at = 0; t < indices.length; t += 3, at += 8) {
    a.fromArray(vertices, 3 * indices[t]!);
    b.fromArray(vertices, 3 * indices[t + 1]!);
    c.fromArray(vertices, 3 * indices[t + 2]!);
    normal.crossVectors(b.clone().sub(a), c.clone().sub(a));
    const area = normal.length() / 2;
    normal.normalize();
    out.set([normal.x, normal.y, normal.z, normal.dot(a)], at);
    a.add(b)
      .add(c)
      .divideScalar(3)
      .toArray(out, at + 4);
    out[at + 7] = area;
  }
  return out;
}
