// Triangle meshes and heightfields: btTriangleMesh and the shapes made from it, btHeightfieldTerrainShape. In: single
// triangles, heights from the heap. Out: the engine's meshes and heightfields.
import { cookHeightfield, cookMesh, decompose, PhysicsError, readHull, type ShapeOptions } from '../index';
import { bad, finite, index, integer, internal } from './errors';
import { heap } from './heap';
import { boxOf, btConvexHullShape } from './hulls';
import { pointerOf, real, ref, WrapperObject } from './object';
import { convexPieces, hullPart } from './pieces';
import { btConcaveShape, btConvexShape, moved, type Place, type Triple, turnedBox, type Use } from './shapes';
import { btVector3, finiteVector, triple } from './vector';

export class btStridingMeshInterface extends WrapperObject {
  /** @internal x, y, z of each vertex, unscaled. */
  readonly _vertices: number[] = [];
  /** @internal Three per triangle. */
  readonly _indices: number[] = [];
  /** @internal */
  readonly _scale = new btVector3(1, 1, 1);

  setScaling(scaling: btVector3): void {
    const s = finiteVector(scaling, 'btStridingMeshInterface.setScaling', 'scaling');
    this._scale._set(s._x, s._y, s._z, 0);
  }

  /** @internal */
  _points(scaling: btVector3): Triple[] {
    const points: Triple[] = [];
    const [x, y, z] = [this._scale._x * scaling._x, this._scale._y * scaling._y, this._scale._z * scaling._z];
    const v = this._vertices;
    for (let i = 0; i < v.length; i += 3) points.push([v[i]! * x, v[i + 1]! * y, v[i + 2]! * z]);
    return points;
  }
}

export class btIndexedMesh extends WrapperObject {
  /** @internal */
  constructor(readonly _mesh: btStridingMeshInterface) {
    super();
    internal(_mesh instanceof btStridingMeshInterface, 'btIndexedMesh');
  }

  /** @internal Set by loaders; the mesh itself counts its triangles. */
  _given: number | null = null;

  get m_numTriangles(): number {
    return this._given ?? this._mesh._indices.length / 3;
  }

  set m_numTriangles(count: number) {
    this._given = integer(count, 'btIndexedMesh.set_m_numTriangles', 'value');
  }

  get_m_numTriangles(): number {
    return this.m_numTriangles;
  }

  set_m_numTriangles(count: number): void {
    this.m_numTriangles = count;
  }
}

export class btIndexedMeshArray extends WrapperObject {
  private readonly _only: btIndexedMesh;

  /** @internal */
  constructor(mesh: btStridingMeshInterface) {
    super();
    internal(mesh instanceof btStridingMeshInterface, 'btIndexedMeshArray');
    this._only = new btIndexedMesh(mesh);
  }

  size(): number {
    return 1;
  }

  at(n: number): btIndexedMesh {
    index(n, 1, 'btIndexedMeshArray.at', 'n');
    return this._only;
  }
}

export class btTriangleMesh extends btStridingMeshInterface {
  private readonly _known = new Map<string, number>();
  private _array: btIndexedMeshArray | null = null;

  constructor(_use32bitIndices?: boolean, _use4componentVertices?: boolean) {
    super();
  }

  addTriangle(
    vertex0: btVector3,
    vertex1: btVector3,
    vertex2: btVector3,
    removeDuplicateVertices = false,
  ): void {
    const where = 'btTriangleMesh.addTriangle';
    const corners = [vertex0, vertex1, vertex2].map((v, i) => finiteVector(v, where, `vertex${i}`));
    for (const corner of corners) this._indices.push(this._vertex(corner, removeDuplicateVertices));
  }

  private _vertex(v: btVector3, share: boolean): number {
    const key = share ? `${v._x},${v._y},${v._z}` : '';
    const known = share ? this._known.get(key) : undefined;
    if (known !== undefined) return known;
    const i = this._vertices.length / 3;
    this._vertices.push(v._x, v._y, v._z);
    if (share) this._known.set(key, i);
    return i;
  }

  findOrAddVertex(vertex: btVector3, removeDuplicateVertices: boolean): number {
    return this._vertex(
      finiteVector(vertex, 'btTriangleMesh.findOrAddVertex', 'vertex'),
      removeDuplicateVertices === true,
    );
  }

  addIndex(i: number): void {
    this._indices.push(index(i, this._vertices.length / 3, 'btTriangleMesh.addIndex'));
  }

  getIndexedMeshArray(): btIndexedMeshArray {
    return (this._array ??= new btIndexedMeshArray(this));
  }
}

/** The triangles of a mesh; fewer if its loader has set a smaller number. */
function trianglesOf(mesh: btStridingMeshInterface, where: string): number[] {
  const count =
    mesh instanceof btTriangleMesh
      ? mesh.getIndexedMeshArray().at(0).m_numTriangles
      : Number.POSITIVE_INFINITY;
  const indices = mesh._indices.slice(0, 3 * Math.min(count, Math.floor(mesh._indices.length / 3)));
  if (indices.length === 0) throw bad(where, 'meshInterface', 'must have a triangle', 0);
  return indices;
}

/** Corners of what a mesh is on a body that moves. */
const piecesBy = {
  pieces: convexPieces,
  decompose: (vertices: Triple[], indices: number[]): Triple[][] =>
    decompose({ vertices: vertices.flat(), indices }).hulls.map((hull) => {
      const corners = readHull(hull).vertices;
      return Array.from(
        { length: corners.length / 3 },
        (_, i) => [...corners.slice(3 * i, 3 * i + 3)] as Triple,
      );
    }),
  hull: (vertices: Triple[]): Triple[][] => [vertices],
};

export abstract class btTriangleMeshShape extends btConcaveShape {
  /** @internal */
  readonly _mesh: btStridingMeshInterface;

  constructor(meshInterface: btStridingMeshInterface, where: string) {
    super();
    this._mesh = ref(meshInterface, btStridingMeshInterface, where, 'meshInterface');
  }

  /** Cooked once, when a body first uses the shape; scaled shapes share it. */
  private _geometry: ReturnType<typeof cookMesh> | null = null;

  /** @internal */
  _geometryOf(): ReturnType<typeof cookMesh> {
    if (this._geometry === null) {
      const indices = trianglesOf(this._mesh, this._name('meshInterface'));
      this._geometry = cookMesh({ vertices: this._mesh._vertices, indices });
    }
    return this._geometry;
  }

  /** Convex pieces for moving bodies, made when first needed, and the state from which they were made. */
  private _pieces: Triple[][] = [];
  private _piecesOf = '';

  /** @internal Convex pieces: the engine's meshes cannot be dynamic. */
  _movingParts(at: Place, { dynamicMeshes }: Use): ShapeOptions[] {
    if (dynamicMeshes === 'error')
      throw bad(
        'addRigidBody',
        'body',
        'must not have a mesh as shape where it moves',
        this.constructor.name,
      );
    const [m, s] = [this._mesh._scale, this._scaling];
    const state = [m._x * s._x, m._y * s._y, m._z * s._z, this._mesh._indices.length, dynamicMeshes].join();
    if (this._piecesOf === '' && dynamicMeshes === 'pieces')
      console.warn(
        `${this._name('a mesh')} on a body that moves: its contacts are those of convex pieces of the mesh. For pieces of your own use a btCompoundShape of hulls.`,
      );
    if (this._piecesOf !== state)
      this._pieces = piecesBy[dynamicMeshes](
        this._mesh._points(s),
        trianglesOf(this._mesh, this._name('meshInterface')),
      );
    this._piecesOf = state;
    return this._pieces.flatMap((points) => hullPart(points, this._margin, at));
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    if (use.moving) return this._movingParts(at, use);
    const [m, s] = [this._mesh._scale, this._scaling];
    return [
      {
        type: 'mesh',
        geometry: this._geometryOf(),
        margin: this._margin,
        bareToBalls: true,
        scale: [m._x * s._x, m._y * s._y, m._z * s._z],
        ...at,
      },
    ];
  }

  override _bounds(rotation: Float32Array | null) {
    const { center, half } = boxOf(this._mesh._points(this._scaling));
    return turnedBox(center, half, rotation);
  }
}

export class btBvhTriangleMeshShape extends btTriangleMeshShape {
  constructor(
    meshInterface: btStridingMeshInterface,
    _useQuantizedAabbCompression: boolean,
    _buildBvh?: boolean,
  ) {
    super(meshInterface, 'btBvhTriangleMeshShape');
    trianglesOf(this._mesh, 'btBvhTriangleMeshShape');
  }
}

/** A mesh shape with another scale; the triangles are shared. */
export class btScaledBvhTriangleMeshShape extends btTriangleMeshShape {
  private readonly _child: btBvhTriangleMeshShape;

  constructor(childShape: btBvhTriangleMeshShape, localScaling: btVector3) {
    const where = 'btScaledBvhTriangleMeshShape';
    const child = ref(childShape, btTriangleMeshShape, where, 'childShape');
    super(child._mesh, where);
    this._child = child as btBvhTriangleMeshShape;
    this.setLocalScaling(localScaling);
  }

  getChildShape(): btBvhTriangleMeshShape {
    return this._child;
  }

  override _geometryOf(): ReturnType<typeof cookMesh> {
    return this._child._geometryOf();
  }
}

/** The convex hull of a mesh. */
export class btConvexTriangleMeshShape extends btConvexShape {
  private readonly _mesh: btStridingMeshInterface;

  constructor(meshInterface: btStridingMeshInterface, _calcAabb?: boolean) {
    super();
    this._mesh = ref(meshInterface, btStridingMeshInterface, 'btConvexTriangleMeshShape', 'meshInterface');
    trianglesOf(this._mesh, 'btConvexTriangleMeshShape');
  }

  private _hull(): btConvexHullShape {
    const hull = new btConvexHullShape();
    for (const [x, y, z] of this._mesh._points(this._scaling)) hull.addPoint(new btVector3(x, y, z));
    hull._margin = this._margin;
    hull._boxMargin = this._boxMargin;
    hull._marginGiven = this._marginGiven;
    return hull;
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    return this._hull()._parts(at, use);
  }

  override _bounds(rotation: Float32Array | null) {
    return this._hull()._bounds(rotation);
  }

  override _inertia(mass: number): Triple {
    return this._hull()._inertia(mass);
  }
}

export const PHY = {
  PHY_FLOAT: 0,
  PHY_DOUBLE: 1,
  PHY_INTEGER: 2,
  PHY_SHORT: 3,
  PHY_FIXEDPOINT88: 4,
  PHY_UCHAR: 5,
} as const;

export class btHeightfieldTerrainShape extends btConcaveShape {
  private readonly _width: number;
  private readonly _length: number;
  private readonly _heights: Float32Array;
  private readonly _min: number;
  private readonly _max: number;
  private readonly _up: number;
  private readonly _flip: boolean;

  constructor(
    heightStickWidth: number,
    heightStickLength: number,
    heightfieldData: unknown,
    heightScale: number,
    minHeight: number,
    maxHeight: number,
    upAxis: number,
    hdt: unknown,
    flipQuadEdges: boolean,
  ) {
    super();
    const where = 'btHeightfieldTerrainShape';
    this._width = integer(heightStickWidth, where, 'heightStickWidth');
    this._length = integer(heightStickLength, where, 'heightStickLength');
    if (this._width < 2) throw bad(where, 'heightStickWidth', 'must be ≥ 2', heightStickWidth);
    if (this._length < 2) throw bad(where, 'heightStickLength', 'must be ≥ 2', heightStickLength);
    this._min = finite(minHeight, where, 'minHeight');
    this._max = finite(maxHeight, where, 'maxHeight');
    if (!(this._min <= this._max)) throw bad(where, 'maxHeight', 'must be ≥ minHeight', maxHeight);
    this._up = integer(upAxis, where, 'upAxis');
    if (this._up < 0 || this._up > 2) throw bad(where, 'upAxis', 'must be 0, 1 or 2', upAxis);
    this._flip = flipQuadEdges === true;
    const scale = finite(heightScale, where, 'heightScale');
    // As in ammo.js, enumeration names count as 0 (floats).
    const type = typeof hdt === 'number' ? hdt : 0;
    this._heights = readHeights(heightfieldData, this._width * this._length, type, scale, where);
  }

  private _geometry: ReturnType<typeof cookHeightfield> | null = null;

  /** Heights are relative to the middle of min and max, as in Bullet. */
  override _parts(at: Place): ShapeOptions[] {
    this._geometry ??= cookHeightfield({
      rows: this._length,
      columns: this._width,
      heights: this._heights,
      spacing: 1,
      upAxis: (['x', 'y', 'z'] as const)[this._up]!,
      flipped: this._flip,
    });
    const scale = triple(this._scaling);
    const shift: Triple = [0, 0, 0];
    shift[this._up] = (-(this._min + this._max) / 2) * scale[this._up]!;
    return [
      {
        type: 'heightfield',
        geometry: this._geometry,
        margin: this._margin,
        bareToBalls: true,
        scale,
        ...moved(at, shift),
      },
    ];
  }

  override _bounds(rotation: Float32Array | null) {
    const half: Triple = [(this._width - 1) / 2, (this._length - 1) / 2, 0];
    half.splice(this._up, 0, (this._max - this._min) / 2);
    half.length = 3;
    const { _x, _y, _z } = this._scaling;
    return turnedBox(
      [0, 0, 0],
      [half[0] * Math.abs(_x), half[1] * Math.abs(_y), half[2] * Math.abs(_z)],
      rotation,
    );
  }
}

function readHeights(
  given: unknown,
  count: number,
  type: number,
  scale: number,
  where: string,
): Float32Array {
  const out = new Float32Array(count);
  const object = real(given);
  const list = object as ArrayLike<number>;
  if (
    typeof object === 'object' &&
    object !== null &&
    !(object instanceof WrapperObject) &&
    typeof list.length === 'number'
  ) {
    if (list.length < count) throw bad(where, 'heightfieldData', `must hold ${count} heights`, list.length);
    for (let i = 0; i < count; i++) out[i] = finite(list[i], where, `heightfieldData[${i}]`);
    return out;
  }
  const address = pointerOf(object);
  const views: Record<number, [ArrayLike<number>, number, number]> = {
    [PHY.PHY_FLOAT]: [heap.floats, 4, 1],
    [PHY.PHY_SHORT]: [heap.shorts, 2, scale],
    [PHY.PHY_UCHAR]: [heap.unsignedBytes, 1, scale],
  };
  const view = views[type];
  if (view === undefined)
    throw new PhysicsError(
      'invalid-argument',
      'must be PHY_FLOAT, PHY_SHORT or PHY_UCHAR',
      `${where}: hdt`,
      type,
    );
  const [values, bytes, factor] = view;
  if (!heap.holds(address) || !heap.holds(address + bytes * count - 1))
    throw bad(where, 'heightfieldData', `must point at ${count} heights in the heap`, address);
  for (let i = 0; i < count; i++)
    out[i] = finite(values[address / bytes + i]! * factor, where, `heightfieldData[${i}]`);
  return out;
}
