// GImpact's names: meshes and compounds that move. In: triangles, children. Out: moving bodies consist of convex pieces
// of the mesh, like a moving btBvhTriangleMeshShape; static ones use the mesh itself. Registering an algorithm, as
// programs do, has no effect.
import type { ShapeOptions } from '../index';
import { btCompoundShape } from './compound';
import { finite, index, integer, internal, number } from './errors';
import type { btDispatcher } from './infrastructure';
import { btBvhTriangleMeshShape, btStridingMeshInterface } from './meshes';
import { attributes, fields, ref, slot, WrapperObject } from './object';
import { btCollisionShape, btConcaveShape, type Place, type Triple, type Use } from './shapes';
import { btTransform, finiteTransform } from './transform';
import { btVector3, btVector4, finiteVector, square, vector } from './vector';

/** Bullet's GIMPACT_SHAPE_PROXYTYPE. */
const PROXY_TYPE = 25;
const COMPOUND = 0;
const PART = 1;
const MESH = 2;

const triple = (v: btVector3): Triple => [v._x, v._y, v._z];

/** A box with a margin. */
export class btAABB extends WrapperObject {
  /** @internal */
  _low: Triple;
  /** @internal */
  _high: Triple;

  constructor(V1: btVector3, V2: btVector3, V3: btVector3, margin: number) {
    super();
    const corners = [V1, V2, V3].map((v, i) => triple(finiteVector(v, 'btAABB', `V${i + 1}`)));
    const wide = finite(margin, 'btAABB', 'margin');
    this._low = [0, 1, 2].map((k) => Math.min(...corners.map((p) => p[k]!)) - wide) as Triple;
    this._high = [0, 1, 2].map((k) => Math.max(...corners.map((p) => p[k]!)) + wide) as Triple;
  }

  invalidate(): void {
    this._low = [1e18, 1e18, 1e18];
    this._high = [-1e18, -1e18, -1e18];
  }

  increment_margin(margin: number): void {
    const wide = finite(margin, 'btAABB.increment_margin', 'margin');
    this._low = this._low.map((part) => part - wide) as Triple;
    this._high = this._high.map((part) => part + wide) as Triple;
  }

  copy_with_margin(other: btAABB, margin: number): void {
    const from = ref(other, btAABB, 'btAABB.copy_with_margin', 'other');
    this._low = [...from._low];
    this._high = [...from._high];
    this.increment_margin(margin);
  }

  /** @internal */
  _about(points: readonly Triple[]): void {
    this._low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k]!))) as Triple;
    this._high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k]!))) as Triple;
  }
}

export class btPrimitiveTriangle extends WrapperObject {
  /** @internal */
  _corners: Triple[] = [];
}

/** Three corners. */
export class btTriangleShapeEx extends WrapperObject {
  /** @internal */
  _corners: Triple[];

  constructor(p1: btVector3, p2: btVector3, p3: btVector3) {
    super();
    this._corners = [p1, p2, p3].map((p, i) => triple(finiteVector(p, 'btTriangleShapeEx', `p${i + 1}`)));
  }

  private _moved(t: btTransform): Triple[] {
    const m = t._fresh()._basis._matrix();
    const o = t._origin;
    return this._corners.map(([x, y, z]) => [
      m[0]! * x + m[1]! * y + m[2]! * z + o._x,
      m[3]! * x + m[4]! * y + m[5]! * z + o._y,
      m[6]! * x + m[7]! * y + m[8]! * z + o._z,
    ]);
  }

  getAabb(t: btTransform, aabbMin: btVector3, aabbMax: btVector3): void {
    const where = 'btTriangleShapeEx.getAabb';
    const corners = this._moved(finiteTransform(t, where, 't'));
    const [low, high] = [vector(aabbMin, where, 'aabbMin'), vector(aabbMax, where, 'aabbMax')];
    const ends = (pick: (...list: number[]) => number) =>
      [0, 1, 2].map((k) => pick(...corners.map((p) => p[k]!))) as Triple;
    low.setValue(...ends(Math.min));
    high.setValue(...ends(Math.max));
  }

  applyTransform(t: btTransform): void {
    this._corners = this._moved(finiteTransform(t, 'btTriangleShapeEx.applyTransform', 't'));
  }

  /** Normal and distance from the origin. */
  buildTriPlane(plane: btVector4): void {
    const out = ref(plane, btVector4, 'btTriangleShapeEx.buildTriPlane', 'plane');
    const [a, b, c] = this._corners as [Triple, Triple, Triple];
    const u = b.map((part, k) => part - a[k]!) as Triple;
    const v = c.map((part, k) => part - a[k]!) as Triple;
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as Triple;
    const length = Math.sqrt(square(n[0]) + square(n[1]) + square(n[2]));
    const [x, y, z] = n.map((part) => (length > 0 ? part / length : 0)) as Triple;
    out.setValue(x, y, z, a[0] * x + a[1] * y + a[2] * z);
  }
}

export class btTetrahedronShapeEx extends WrapperObject {
  /** @internal */
  _corners: Triple[] = [];

  setVertices(v0: btVector3, v1: btVector3, v2: btVector3, v3: btVector3): void {
    const where = 'btTetrahedronShapeEx.setVertices';
    this._corners = [v0, v1, v2, v3].map((v, i) => triple(finiteVector(v, where, `v${i}`)));
  }
}

/** The primitives of a shape: triangles, or children. */
export class btPrimitiveManagerBase extends WrapperObject {
  /** @internal Returns the corners of each. */
  _primitives: () => Triple[][] = () => [];

  is_trimesh(): boolean {
    return false;
  }

  get_primitive_count(): number {
    return this._primitives().length;
  }

  private _primitive(i: number, method: string): Triple[] {
    const list = this._primitives();
    return list[index(i, list.length, `${this.constructor.name}.${method}`, 'prim_index')]!;
  }

  get_primitive_box(prim_index: number, primbox: btAABB): void {
    const where = `${this.constructor.name}.get_primitive_box`;
    ref(primbox, btAABB, where, 'primbox')._about(this._primitive(prim_index, 'get_primitive_box'));
  }

  get_primitive_triangle(prim_index: number, triangle: btPrimitiveTriangle): void {
    const where = `${this.constructor.name}.get_primitive_triangle`;
    const out = ref(triangle, btPrimitiveTriangle, where, 'triangle');
    out._corners = this._primitive(prim_index, 'get_primitive_triangle');
  }
}

export class CompoundPrimitiveManager extends btPrimitiveManagerBase {
  /** @internal */
  _shape: btGImpactCompoundShape | null = null;
}
attributes(CompoundPrimitiveManager, {
  m_compoundShape: {
    get(this: CompoundPrimitiveManager) {
      return this._shape;
    },
    set(this: CompoundPrimitiveManager, value: unknown) {
      const where = 'CompoundPrimitiveManager.set_m_compoundShape';
      this._shape = ref(value, btGImpactCompoundShape, where, 'value');
    },
  },
});

export class TrimeshPrimitiveManager extends btPrimitiveManagerBase {
  /** @internal */
  _mesh: btStridingMeshInterface | null = null;
  declare _m_part: number;
  declare _m_lock_count: number;

  constructor(manager?: TrimeshPrimitiveManager) {
    super();
    if (manager !== undefined)
      this._mesh = ref(manager, TrimeshPrimitiveManager, 'TrimeshPrimitiveManager', 'manager')._mesh;
    Object.assign(this, {
      _m_margin: Math.fround(0.01),
      _m_part: 0,
      _m_lock_count: 0,
      _numverts: (this._mesh?._vertices.length ?? 0) / 3,
      _type: 0,
      _stride: 16,
      _indexstride: 12,
      _numfaces: Math.floor((this._mesh?._indices.length ?? 0) / 3),
      _indicestype: 2,
    });
    this._primitives = () => trianglesOf(this._mesh);
  }

  lock(): void {
    this._m_lock_count++;
  }

  unlock(): void {
    this._m_lock_count = Math.max(0, this._m_lock_count - 1);
  }

  override is_trimesh(): boolean {
    return true;
  }

  get_vertex_count(): number {
    return (this._mesh?._vertices.length ?? 0) / 3;
  }

  /** As in ammo.js, the three numbers cannot be returned. */
  get_indices(face_index: number, _i0: number, _i1: number, _i2: number): void {
    index(face_index, this._primitives().length, 'TrimeshPrimitiveManager.get_indices', 'face_index');
  }

  get_vertex(vertex_index: number, vertex: btVector3): void {
    const where = 'TrimeshPrimitiveManager.get_vertex';
    const points = this._mesh?._points(new btVector3(1, 1, 1)) ?? [];
    vector(vertex, where, 'vertex').setValue(
      ...points[index(vertex_index, points.length, where, 'vertex_index')]!,
    );
  }

  get_bullet_triangle(prim_index: number, out: btTriangleShapeEx): void {
    const where = 'TrimeshPrimitiveManager.get_bullet_triangle';
    const list = this._primitives();
    ref(out, btTriangleShapeEx, where, 'triangle')._corners =
      list[index(prim_index, list.length, where, 'prim_index')]!;
  }
}
fields(TrimeshPrimitiveManager, number, [
  'm_margin',
  'm_part',
  'm_lock_count',
  'numverts',
  'type',
  'stride',
  'indexstride',
  'numfaces',
  'indicestype',
]);
attributes(TrimeshPrimitiveManager, {
  m_meshInterface: {
    get(this: TrimeshPrimitiveManager) {
      return this._mesh;
    },
    set(this: TrimeshPrimitiveManager, value: unknown) {
      const where = 'TrimeshPrimitiveManager.set_m_meshInterface';
      this._mesh = ref(value, btStridingMeshInterface, where, 'value');
    },
  },
});

function trianglesOf(mesh: btStridingMeshInterface | null, scaling = new btVector3(1, 1, 1)): Triple[][] {
  const points = mesh?._points(scaling) ?? [];
  const indices = mesh?._indices ?? [];
  const list: Triple[][] = [];
  for (let i = 0; i + 2 < indices.length; i += 3)
    list.push([points[indices[i]!]!, points[indices[i + 1]!]!, points[indices[i + 2]!]!]);
  return list;
}

export abstract class btGImpactShapeInterface extends btConcaveShape {
  /** No effect: AABBs are always current. */
  updateBound(): void {}
  postUpdate(): void {}

  getShapeType(): number {
    return PROXY_TYPE;
  }

  /** Of the object's own class, like the two below it. */
  getName(): string {
    return 'GImpact';
  }

  getGImpactShapeType(): number {
    return MESH;
  }

  getPrimitiveManager(): btPrimitiveManagerBase {
    return new btPrimitiveManagerBase();
  }

  getNumChildShapes(): number {
    return 0;
  }

  childrenHasTransform(): boolean {
    return false;
  }

  needsRetrieveTriangles(): boolean {
    return false;
  }

  needsRetrieveTetrahedrons(): boolean {
    return false;
  }

  getBulletTriangle(prim_index: number, triangle: btTriangleShapeEx): void {
    const where = `${this.constructor.name}.getBulletTriangle`;
    const list = this.getPrimitiveManager()._primitives();
    ref(triangle, btTriangleShapeEx, where, 'triangle')._corners =
      list[index(prim_index, list.length, where, 'prim_index')]!;
  }

  getBulletTetrahedron(_prim_index: number, tetrahedron: btTetrahedronShapeEx): void {
    ref(tetrahedron, btTetrahedronShapeEx, `${this.constructor.name}.getBulletTetrahedron`, 'tetrahedron');
  }

  /** null: triangles are not separate shapes. */
  getChildShape(_index: number): btCollisionShape {
    return null as unknown as btCollisionShape;
  }

  getChildTransform(_index: number): btTransform {
    return placeSlot._copy(new btTransform());
  }

  setChildTransform(_index: number, transform: btTransform): void {
    finiteTransform(transform, `${this.constructor.name}.setChildTransform`, 'transform');
  }
}

const placeSlot = slot(new btTransform());

/** A shape made of triangles. */
abstract class Surface extends btGImpactShapeInterface {
  /** @internal */
  readonly _mesh: btStridingMeshInterface;
  private readonly _shape: btBvhTriangleMeshShape;
  private readonly _manager = new TrimeshPrimitiveManager();

  constructor(meshInterface: btStridingMeshInterface, where: string) {
    super();
    this._mesh = ref(meshInterface, btStridingMeshInterface, where, 'meshInterface');
    this._shape = new btBvhTriangleMeshShape(this._mesh, true, true);
    this._manager._mesh = this._mesh;
  }

  override getPrimitiveManager(): btPrimitiveManagerBase {
    return this._manager;
  }

  override needsRetrieveTriangles(): boolean {
    return true;
  }

  override getNumChildShapes(): number {
    return this._manager.get_primitive_count();
  }

  private _plain(): btBvhTriangleMeshShape {
    this._shape._scaling._copy(this._scaling);
    this._shape._margin = this._margin;
    return this._shape;
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    return this._plain()._parts(at, use);
  }

  override _bounds(rotation: Float32Array | null) {
    return this._plain()._bounds(rotation);
  }

  /** Bullet's rule: corners of equal mass. */
  override _inertia(mass: number): Triple {
    const points = this._mesh._points(this._scaling);
    const each = mass / Math.max(1, points.length);
    const sum: Triple = [0, 0, 0];
    for (const [x, y, z] of points) {
      sum[0] += each * (y * y + z * z);
      sum[1] += each * (x * x + z * z);
      sum[2] += each * (x * x + y * y);
    }
    return sum;
  }
}

export class btGImpactMeshShapePart extends Surface {
  constructor(meshInterface: btStridingMeshInterface, part: number) {
    super(meshInterface, 'btGImpactMeshShapePart');
    index(part, 1, 'btGImpactMeshShapePart', 'part');
  }

  override getName(): string {
    return 'GImpactMeshShapePart';
  }

  override getGImpactShapeType(): number {
    return PART;
  }

  getTrimeshPrimitiveManager(): TrimeshPrimitiveManager {
    return this.getPrimitiveManager() as TrimeshPrimitiveManager;
  }

  getVertexCount(): number {
    return this._mesh._vertices.length / 3;
  }

  getVertex(vertex_index: number, vertex: btVector3): void {
    const where = 'btGImpactMeshShapePart.getVertex';
    const points = this._mesh._points(this._scaling);
    vector(vertex, where, 'vertex').setValue(
      ...points[index(vertex_index, points.length, where, 'vertex_index')]!,
    );
  }

  getPart(): number {
    return 0;
  }
}

export class btGImpactMeshShape extends Surface {
  private _part: btGImpactMeshShapePart | null = null;

  constructor(meshInterface: btStridingMeshInterface) {
    super(meshInterface, 'btGImpactMeshShape');
  }

  override getName(): string {
    return 'GImpactMesh';
  }

  override getGImpactShapeType(): number {
    return MESH;
  }

  getMeshInterface(): btStridingMeshInterface {
    return this._mesh;
  }

  getMeshPartCount(): number {
    return 1;
  }

  getMeshPart(i: number): btGImpactMeshShapePart {
    index(i, 1, 'btGImpactMeshShape.getMeshPart', 'index');
    return (this._part ??= new btGImpactMeshShapePart(this._mesh, 0));
  }

  /** Nothing is serialised. */
  calculateSerializeBufferSize(): number {
    return 0;
  }
}

export class btGImpactCompoundShape extends btGImpactShapeInterface {
  private readonly _compound = new btCompoundShape();
  private readonly _places: btTransform[] = [];
  private readonly _manager = new CompoundPrimitiveManager();
  private readonly _hasTransforms: boolean;

  constructor(children_has_transform = true) {
    super();
    this._hasTransforms = Boolean(children_has_transform);
    this._manager._shape = this;
    this._manager._primitives = () =>
      this._places.map((_, i) => {
        const { center, half } = this._compound.getChildShape(i)._bounds(null);
        return [-1, 1].map((sign) => center.map((part, k) => part + sign * half[k]!) as Triple);
      });
  }

  override getName(): string {
    return 'GImpactCompound';
  }

  override getGImpactShapeType(): number {
    return COMPOUND;
  }

  override getPrimitiveManager(): btPrimitiveManagerBase {
    return this._manager;
  }

  getCompoundPrimitiveManager(): CompoundPrimitiveManager {
    return this._manager;
  }

  override childrenHasTransform(): boolean {
    return this._hasTransforms;
  }

  override getNumChildShapes(): number {
    return this._places.length;
  }

  addChildShape(localTransform: btTransform, shape: btCollisionShape): void {
    this._compound.addChildShape(
      localTransform,
      ref(shape, btCollisionShape, this._name('addChildShape'), 'shape'),
    );
    this._places.push(new btTransform()._copy(localTransform));
    this._changed();
  }

  private _at(i: number, method: string): number {
    return index(i, this._places.length, this._name(method));
  }

  override getChildShape(i: number): btCollisionShape {
    return this._compound.getChildShape(this._at(i, 'getChildShape'));
  }

  getChildAabb(child_index: number, t: btTransform, aabbMin: btVector3, aabbMax: btVector3): void {
    const where = this._name('getChildAabb');
    const child = this.getChildShape(child_index);
    const place = finiteTransform(t, where, 't');
    const { center, half } = child._bounds(place._basis._matrix());
    const o = place._origin;
    const middle: Triple = [o._x + center[0], o._y + center[1], o._z + center[2]];
    vector(aabbMin, where, 'aabbMin').setValue(...(middle.map((part, k) => part - half[k]!) as Triple));
    vector(aabbMax, where, 'aabbMax').setValue(...(middle.map((part, k) => part + half[k]!) as Triple));
  }

  override getChildTransform(i: number): btTransform {
    return placeSlot._copy(this._places[this._at(i, 'getChildTransform')]!);
  }

  override setChildTransform(i: number, transform: btTransform): void {
    const at = this._at(i, 'setChildTransform');
    this._compound.updateChildTransform(at, transform);
    this._places[at]!._copy(transform);
    this._changed();
  }

  override setLocalScaling(scaling: btVector3): void {
    super.setLocalScaling(scaling);
    this._compound.setLocalScaling(scaling);
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    return this._compound._parts(at, use);
  }

  override _bounds(rotation: Float32Array | null) {
    return this._compound._bounds(rotation);
  }

  override _inertia(mass: number): Triple {
    return this._compound._inertia(mass);
  }
}

export class btCollisionAlgorithm extends WrapperObject {
  /** @internal */
  constructor(isOwn = false) {
    super();
    internal(isOwn === true, 'btCollisionAlgorithm');
  }
}
export class btActivatingCollisionAlgorithm extends btCollisionAlgorithm {}

/** Stored without effect. */
export class btCollisionAlgorithmConstructionInfo extends WrapperObject {
  /** @internal */
  _m_dispatcher1: unknown = null;
  /** @internal */
  _m_manifold: unknown = null;

  constructor(dispatcher?: btDispatcher, temp?: number) {
    super();
    if (dispatcher !== undefined) this._m_dispatcher1 = dispatcher;
    if (temp !== undefined) integer(temp, 'btCollisionAlgorithmConstructionInfo', 'temp');
  }
}
fields(btCollisionAlgorithmConstructionInfo, (value) => value, ['m_dispatcher1', 'm_manifold']);

export class btGImpactCollisionAlgorithm extends btActivatingCollisionAlgorithm {
  constructor(ci: btCollisionAlgorithmConstructionInfo, _body0Wrap?: unknown, _body1Wrap?: unknown) {
    super(true);
    ref(ci, btCollisionAlgorithmConstructionInfo, 'btGImpactCollisionAlgorithm', 'ci');
  }

  /** On the prototype, where programs of ammo.js call it; no effect. */
  registerAlgorithm(_dispatcher: btDispatcher): void {}
}
