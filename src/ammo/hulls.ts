// Convex hulls and multi-spheres: btConvexHullShape, btShapeHull, btConvexPolyhedron, btMultiSphereShape. In: single
// points, or points from the heap or from arrays. Out: the engine's hulls.
import { cookHull, readHull, type ShapeOptions } from '../index';
import { engineCall } from './collisionObject';
import { bad, finite, index, integer, internal, positive } from './errors';
import { heap } from './heap';
import { attributes, type Class, pointerOf, real, ref, WrapperObject, wrapPointer } from './object';
import { boundsOf, hullPart } from './pieces';
import {
  boxInertia,
  btBoxShape,
  btConvexShape,
  moved,
  type Place,
  type Triple,
  turnedBox,
  type Use,
} from './shapes';
import { btVector3, finiteVector, square } from './vector';

/** Reads numbers from an address, an array, or vectors; `width` per entry in memory. */
function readNumbers(
  given: unknown,
  count: number,
  width: number,
  where: string,
  argument: string,
): number[] {
  const object = real(given);
  const out: number[] = [];
  if (typeof object === 'number' || object instanceof WrapperObject) {
    const address = pointerOf(object);
    if (!heap.holds(address) || !heap.holds(address + 4 * width * count - 1))
      throw bad(where, argument, `must point at ${count * width} numbers in the heap`, address);
    for (let i = 0; i < count * width; i++)
      out.push(finite(heap.floats[(address >> 2) + i], where, `${argument}[${i}]`));
    return out;
  }
  const list = object as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || typeof list.length !== 'number')
    throw bad(where, argument, 'must be an array or a pointer', given);
  if (list.length > 0 && list[0] instanceof btVector3) {
    for (let i = 0; i < count; i++) {
      const v = finiteVector(list[i], where, `${argument}[${i}]`);
      out.push(v._x, v._y, v._z, 0);
    }
    return out;
  }
  if (list.length < count * width)
    throw bad(where, argument, `must hold ${count * width} numbers`, list.length);
  for (let i = 0; i < count * width; i++) out.push(finite(list[i], where, `${argument}[${i}]`));
  return out;
}

/** Points of a hull in Bullet's memory are vectors of four. */
const POINT_WIDTH = 4;

export class btIntArray extends WrapperObject {
  /** @internal */
  constructor(readonly _values: readonly number[]) {
    super();
    internal(Array.isArray(_values), 'btIntArray');
  }

  size(): number {
    return this._values.length;
  }

  at(n: number): number {
    return this._values[index(n, this._values.length, 'btIntArray.at', 'n')]!;
  }
}

export class btVector3Array extends WrapperObject {
  /** @internal */
  _values: btVector3[];

  /** @internal */
  constructor(values: btVector3[] = []) {
    super();
    this._values = values;
  }

  size(): number {
    return this._values.length;
  }

  at(n: number): btVector3 {
    return this._values[index(n, this._values.length, 'btVector3Array.at', 'n')]!;
  }
}

export class btConvexHullShape extends btConvexShape {
  private readonly _points: Triple[] = [];

  constructor(points?: unknown, numPoints?: number) {
    super();
    if (points === undefined || points === null) return;
    const where = 'btConvexHullShape';
    const count =
      numPoints === undefined
        ? Math.floor(((points as ArrayLike<unknown>).length ?? 0) / POINT_WIDTH)
        : integer(numPoints, where, 'numPoints');
    const numbers = readNumbers(points, count, POINT_WIDTH, where, 'points');
    for (let i = 0; i < count; i++)
      this._points.push([numbers[4 * i]!, numbers[4 * i + 1]!, numbers[4 * i + 2]!]);
  }

  addPoint(point: btVector3, recalculateLocalAABB = true): void {
    const v = finiteVector(point, 'btConvexHullShape.addPoint', 'point');
    this._points.push([v._x, v._y, v._z]);
    if (recalculateLocalAABB) this.recalcLocalAabb();
    this._changed();
  }

  getNumVertices(): number {
    return this._points.length;
  }

  /** The points are always in the box; this concerns its margin. */
  recalcLocalAabb(): void {
    this._boxMargin = this._margin;
  }

  /** No effect: contacts of hulls always use their faces. */
  initializePolyhedralFeatures(_shiftVerticesByMargin?: number): boolean {
    return true;
  }

  private _polyhedron: btConvexPolyhedron | null = null;
  private _polyhedronOf = -1;

  /** Created again after points or scaling were changed. */
  getConvexPolyhedron(): btConvexPolyhedron {
    if (this._polyhedron === null || this._polyhedronOf !== this._version)
      this._polyhedron = new btConvexPolyhedron(this._scaled());
    this._polyhedronOf = this._version;
    return this._polyhedron;
  }

  /** @internal */
  _scaled(): Triple[] {
    const { _x, _y, _z } = this._scaling;
    return this._points.map(([x, y, z]) => [x * _x, y * _y, z * _z]);
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    return hullPart(this._scaled(), this._outerMargin(use), at);
  }

  override _bounds(rotation: Float32Array | null) {
    const { center, half } = boxOf(this._scaled());
    const m = this._boxMargin + this._margin;
    return turnedBox(center, half.map((h) => h + m) as Triple, rotation);
  }

  override _inertia(mass: number): Triple {
    return boxInertia(mass, this._bounds(null).half, this._margin);
  }
}

export function boxOf(points: readonly Triple[]): { center: Triple; half: Triple } {
  if (points.length === 0) return { center: [0, 0, 0], half: [0, 0, 0] };
  const { low, high } = boundsOf(points);
  return {
    center: low.map((v, i) => (v + high[i]!) / 2) as Triple,
    half: low.map((v, i) => (high[i]! - v) / 2) as Triple,
  };
}

/** An attribute that is an object: setting it stores another object. */
function kept<K extends string>(key: K, type: () => Class, where: string) {
  return {
    get(this: Record<K, unknown>) {
      return this[key];
    },
    set(this: Record<K, unknown>, value: unknown) {
      this[key] = ref(value, type(), where, 'value');
    },
  };
}

/** A face of a hull: its corners, counter-clockwise from outside, and its plane. */
export class btFace extends WrapperObject {
  /** @internal */
  _indices: btIntArray;
  private readonly _plane: Float32Array;

  /** @internal */
  constructor(indices: readonly number[], plane: Float32Array) {
    super();
    internal(plane instanceof Float32Array, 'btFace');
    this._indices = new btIntArray(indices);
    this._plane = plane;
  }

  /** Normal x, y, z and the constant: n · p + constant = 0 on the plane. */
  get_m_plane(i: number): number {
    return this._plane[index(i, 4, 'btFace.get_m_plane', 'index')]!;
  }

  set_m_plane(i: number, value: number): void {
    const at = index(i, 4, 'btFace.set_m_plane', 'index');
    this._plane[at] = finite(value, 'btFace.set_m_plane', 'value');
  }

  get m_plane(): number {
    return this._plane[0]!;
  }
}
attributes(btFace, { m_indices: kept('_indices', () => btIntArray, 'btFace.set_m_indices') });

export class btFaceArray extends WrapperObject {
  /** @internal */
  constructor(readonly _values: readonly btFace[]) {
    super();
    internal(Array.isArray(_values), 'btFaceArray');
  }

  size(): number {
    return this._values.length;
  }

  at(n: number): btFace {
    return this._values[index(n, this._values.length, 'btFaceArray.at', 'n')]!;
  }
}

/** The polyhedron of a hull: a copy for inspection. */
export class btConvexPolyhedron extends WrapperObject {
  /** @internal */
  _vertices: btVector3Array;
  /** @internal */
  _faces: btFaceArray;

  /** @internal */
  constructor(points: readonly Triple[]) {
    super();
    internal(Array.isArray(points), 'btConvexPolyhedron');
    const { vertices, faces } = engineCall('btConvexHullShape.getConvexPolyhedron', () =>
      readHull(cookHull(points)),
    );
    const corner = (i: number): Triple => [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
    const corners: btVector3[] = [];
    for (let i = 0; i < vertices.length / 3; i++) corners.push(new btVector3(...corner(i)));
    this._vertices = new btVector3Array(corners);
    this._faces = new btFaceArray(faces.map((face) => new btFace(face, planeOf(face.map(corner)))));
  }
}
attributes(btConvexPolyhedron, {
  m_vertices: kept('_vertices', () => btVector3Array, 'btConvexPolyhedron.set_m_vertices'),
  m_faces: kept('_faces', () => btFaceArray, 'btConvexPolyhedron.set_m_faces'),
});

/** Normal and constant of a polygon's plane, by Newell's method. */
function planeOf(corners: Triple[]): Float32Array {
  const n: Triple = [0, 0, 0];
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length]!;
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      n[k]! += (a[u]! - b[u]!) * (a[v]! + b[v]!);
    }
  });
  const length = Math.sqrt(square(n[0]) + square(n[1]) + square(n[2]));
  const [x, y, z] = n.map((part) => part / length) as Triple;
  const far = corners.reduce((sum, p) => sum + x * p[0] + y * p[1] + z * p[2], 0) / corners.length;
  return Float32Array.of(x, y, z, -far);
}

/** Directions in which the hull of a round shape is sampled: 42, the corners and edge midpoints of an icosahedron. */
const DIRECTIONS: readonly Triple[] = (() => {
  const g = (1 + Math.sqrt(5)) / 2;
  const corners: Triple[] = [];
  for (const a of [-1, 1]) for (const b of [-g, g]) corners.push([0, a, b], [a, b, 0], [b, 0, a]);
  const all = [...corners];
  for (let i = 0; i < 12; i++)
    for (let j = i + 1; j < 12; j++) {
      const [p, q] = [corners[i]!, corners[j]!];
      const far = square(p[0] - q[0]) + square(p[1] - q[1]) + square(p[2] - q[2]);
      if (far < 4.1) all.push([p[0] + q[0], p[1] + q[1], p[2] + q[2]]);
    }
  return all.map((v) => {
    const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return [v[0] / length, v[1] / length, v[2] / length];
  });
})();

/** Corners of a convex shape for btShapeHull: those of a hull, the eight of a box, samples of a round shape. */
function cornersOf(shape: btConvexShape): Triple[] {
  if (shape instanceof btConvexHullShape) return shape._scaled();
  if (shape instanceof btBoxShape) {
    const [x, y, z] = shape._scaled();
    return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? -x : x, i & 2 ? -y : y, i & 4 ? -z : z]);
  }
  return DIRECTIONS.map((direction) => shape._support(direction));
}

export class btShapeHull extends WrapperObject {
  private readonly _shape: btConvexShape;
  private _corners: Triple[] = [];
  private _first: btVector3 | null = null;

  constructor(shape: btConvexShape) {
    super();
    this._shape = ref(shape, btConvexShape, 'btShapeHull', 'shape');
  }

  buildHull(_margin: number): boolean {
    this._corners = cornersOf(this._shape);
    this._release();
    return this._corners.length > 0;
  }

  numVertices(): number {
    return this._corners.length;
  }

  /** The first of the vertices, which are contiguous in the heap. */
  getVertexPointer(): btVector3 {
    if (this._first !== null) return this._first;
    const address = heap.malloc(16 * Math.max(1, this._corners.length));
    this._corners.forEach(([x, y, z], i) => void heap.floats.set([x, y, z, 0], (address >> 2) + 4 * i));
    vertices.register(this, address, this);
    this._address = address;
    return (this._first = wrapPointer(address, btVector3) as btVector3);
  }

  private _address = 0;

  override _release(): void {
    if (this._first === null) return;
    vertices.unregister(this);
    heap.free(this._address);
    this._first = null;
  }
}

const vertices = new FinalizationRegistry<number>((address) => heap.free(address));

export class btMultiSphereShape extends btConvexShape {
  private readonly _spheres: { center: Triple; radius: number }[] = [];

  constructor(positions: unknown, radii: unknown, numPoints: number) {
    super();
    const where = 'btMultiSphereShape';
    const count = integer(numPoints, where, 'numPoints');
    if (count < 1) throw bad(where, 'numPoints', 'must be ≥ 1', numPoints);
    const one = real(positions);
    const places =
      count === 1 && one instanceof btVector3
        ? [...tripleOf(one, where), 0]
        : readNumbers(positions, count, 4, where, 'positions');
    const sizes = readNumbers(radii, count, 1, where, 'radii');
    for (let i = 0; i < count; i++)
      this._spheres.push({
        center: [places[4 * i]!, places[4 * i + 1]!, places[4 * i + 2]!],
        radius: positive(sizes[i], where, `radii[${i}]`),
      });
  }

  /** @internal Scaled by the axes; radii by x. */
  _scaled(): { center: Triple; radius: number }[] {
    const { _x, _y, _z } = this._scaling;
    return this._spheres.map(({ center: [x, y, z], radius }) => ({
      center: [x * _x, y * _y, z * _z],
      radius: radius * Math.abs(_x),
    }));
  }

  override _parts(at: Place): ShapeOptions[] {
    const spheres = this._scaled();
    if (spheres.length === 1)
      return [{ type: 'sphere', radius: spheres[0]!.radius, ...moved(at, spheres[0]!.center) }];
    return [
      {
        type: 'multiSphere',
        spheres: spheres.map(({ center, radius }) => ({ position: center, radius })),
        ...at,
      },
    ];
  }

  override _support([x, y, z]: Triple): Triple {
    let best: Triple = [0, 0, 0];
    let farthest = -Infinity;
    for (const { center, radius } of this._scaled()) {
      const far = center[0] * x + center[1] * y + center[2] * z + radius;
      if (far <= farthest) continue;
      farthest = far;
      best = [center[0] + x * radius, center[1] + y * radius, center[2] + z * radius];
    }
    return best;
  }

  override _bounds(rotation: Float32Array | null) {
    const corners = this._scaled().flatMap(({ center: [x, y, z], radius: r }): Triple[] => [
      [x - r, y - r, z - r],
      [x + r, y + r, z + r],
    ]);
    const { center, half } = boxOf(corners);
    return turnedBox(center, half, rotation);
  }
}

function tripleOf(v: btVector3, where: string): Triple {
  finiteVector(v, where, 'positions');
  return [v._x, v._y, v._z];
}
