// Shapes of a file. In: a chunk SHAP. Out: options of shapes in its own frame; compounds are lists of their children.
import type { Axis, CookedGeometry, ShapeOptions } from 'ricochet';
import { cookHull, cookMesh, PhysicsError, readHull, readMesh } from 'ricochet/cooking';
import { type BulletChunks, type BulletRecord, type Chunk, chunkName, fault } from './chunks';
import { SHAPE, UNREADABLE } from './numbers';
import { ORIGIN, type Place, quatOfRows, type Vec3, within } from './transforms';

/** Compounds in compounds. */
const DEEPEST = 16;
/** As many as a world takes. */
const MOST_SHAPES = 262143;
/** Corners of meshes and hulls, each as often as a shape scales it anew. */
const MOST_CORNERS = 6_000_000;

const AXES: readonly Axis[] = ['x', 'y', 'z'];

/** What a mesh is on a dynamic body. */
export type DynamicMeshes = 'decompose' | 'hull';

/** A transform of either precision. */
export function placeOf(record: BulletRecord, name: string): Place {
  const transform = record.struct(name);
  const rows = [0, 1, 2].map((i) => transform.struct('m_basis').struct('m_el', i).numbers('m_floats', 3));
  const rotation = quatOfRows(rows);
  if (rotation === undefined) throw record.fault(`${name} must be a rotation and a place`);
  return { position: transform.vector('m_origin'), rotation };
}

const withPlace = (shape: ShapeOptions, { position, rotation }: Place): ShapeOptions => ({
  ...shape,
  position,
  rotation,
});

/** Runs what may refuse the numbers of a chunk. */
function cooked<Result>(chunk: Chunk, cook: () => Result): Result {
  try {
    return cook();
  } catch (error) {
    if (error instanceof PhysicsError) throw fault(chunk, error.message);
    throw error;
  }
}

/** 2⁻⁶¹, 2²¹ */
const SMALLEST_GRID = 1 / (0x8000_0000 * 0x4000_0000);
const GRID_LINES = 0x20_0000;

/**
 * Coordinates rounded to 2⁻²¹ of the largest one. Cooking moves points to their centre of mass, and each step of that rounds; on
 * this grid what is written from a world and read again has the same points, bit for bit.
 */
function onGrid(points: Float32Array): Float32Array {
  const most = points.reduce((max, part) => Math.max(max, Math.abs(part)), 0);
  if (!(most > 1e-12 && most < 1e12)) return points;
  // A little more than the largest: points just beside a power of two must not choose another grid.
  let grid = SMALLEST_GRID;
  while (grid * GRID_LINES < most * (1 + 1 / 1024)) grid *= 2;
  return points.map((part) => Math.round(part / grid) * grid + 0);
}

/** The shapes of one file; each chunk is converted once. */
export class ShapeReader {
  private readonly done = new Map<number, readonly ShapeOptions[]>();
  private readonly geometries = new Map<string, CookedGeometry>();
  private readonly open = new Set<number>();
  private corners = 0;

  constructor(
    private readonly file: BulletChunks,
    private readonly warnings: Set<string>,
    private readonly dynamic: DynamicMeshes,
  ) {}

  /**
   * @throws PhysicsError 'damaged-file' that names the chunk
   */
  read(chunk: Chunk): readonly ShapeOptions[] {
    const known = this.done.get(chunk.index);
    if (known !== undefined) return known;
    if (this.open.has(chunk.index)) throw fault(chunk, 'contains itself');
    if (this.open.size >= DEEPEST) throw fault(chunk, `compounds nest deeper than ${DEEPEST}`);
    this.open.add(chunk.index);
    const record = this.file.records(chunk, chunk.struct, 1)[0];
    if (record === undefined) throw fault(chunk, 'must hold a shape');
    const shapes = this.convert(record);
    if (shapes.length > MOST_SHAPES) throw fault(chunk, `more than ${MOST_SHAPES} shapes`);
    this.open.delete(chunk.index);
    this.done.set(chunk.index, shapes);
    return shapes;
  }

  private warn(record: BulletRecord, text: string): void {
    this.warnings.add(`${chunkName(record.chunk)}: ${text}`);
  }

  private convert(record: BulletRecord): readonly ShapeOptions[] {
    const type = typeOf(record);
    switch (type) {
      case SHAPE.compound:
        return this.compound(record);
      case SHAPE.mesh:
        return this.mesh(record, [1, 1, 1]);
      case SHAPE.scaledMesh:
        return this.mesh(record.struct('m_trimeshShapeData'), record.vector('m_localScaling'));
      case SHAPE.gimpact:
        return this.mesh(record, record.vector('m_localScaling'));
      case SHAPE.plane: {
        const normal = record.vector('m_planeNormal');
        if (!(Math.sqrt(normal.reduce((sum, part) => sum + part * part, 0)) > 1e-6))
          throw record.fault('m_planeNormal must not be 0');
        return [{ type: 'plane', normal, offset: record.finite('m_planeConstant') }];
      }
      case SHAPE.empty:
        return [];
      case SHAPE.box:
      case SHAPE.sphere:
      case SHAPE.capsule:
      case SHAPE.cylinder:
      case SHAPE.cone:
      case SHAPE.multiSphere:
      case SHAPE.hull:
        return this.convex(record, type);
    }
    this.warn(record, `a ${UNREADABLE[type] ?? `shape of type ${type}`} is left out`);
    return [];
  }

  private convex(record: BulletRecord, type: number): readonly ShapeOptions[] {
    const own = record.has('m_convexInternalShapeData') ? record.struct('m_convexInternalShapeData') : record;
    const scale = own.vector('m_localScaling');
    const margin = own.finite('m_collisionMargin');
    if (margin < 0) throw record.fault('m_collisionMargin must be ≥ 0');
    if (type === SHAPE.hull) return this.hull(record, scale, margin);
    if (type === SHAPE.multiSphere) return this.balls(record, scale);
    const sizes = own.struct('m_implicitShapeDimensions');
    // Only those that the type has were ever set; the others, and all of hulls and multi-spheres, may be anything.
    const size = (axis: number): number => sizes.element('m_floats', axis);
    const wide = scale.map(Math.abs) as Vec3;
    const up = (name: string): number => {
      const axis = record.number(name, 1);
      if (AXES[axis] === undefined) throw record.fault(`${name} must be 0, 1 or 2, got ${axis}`);
      return axis;
    };
    switch (type) {
      case SHAPE.box:
        return [{ type: 'box', halfExtents: [0, 1, 2].map((axis) => size(axis) + margin) }];
      case SHAPE.sphere:
        return [{ type: 'sphere', radius: size(0) * wide[0] }];
      case SHAPE.capsule: {
        const axis = up('m_upAxis');
        const radius = size((axis + 2) % 3);
        const halfHeight = size(axis);
        // A capsule of no length is a ball.
        return halfHeight > 0
          ? [{ type: 'capsule', axis: AXES[axis]!, radius, halfHeight }]
          : [{ type: 'sphere', radius }];
      }
      case SHAPE.cylinder: {
        const axis = up('m_upAxis');
        const radius = size(axis === 0 ? 1 : 0) + margin;
        return [{ type: 'cylinder', axis: AXES[axis]!, radius, halfHeight: size(axis) + margin }];
      }
      default: {
        const axis = up('m_upIndex');
        const [r1, r2] = [[1, 2] as const, [0, 2] as const, [0, 1] as const][axis]!;
        const radius = (size(r1) * (wide[r1] + wide[r2])) / 2;
        return [
          { type: 'cone', axis: AXES[axis]!, radius, halfHeight: (size(axis) * wide[axis]!) / 2, margin },
        ];
      }
    }
  }

  private balls(record: BulletRecord, scale: Vec3): readonly ShapeOptions[] {
    const count = record.number('m_localPositionArraySize');
    const chunk = record.target('m_localPositionArrayPtr');
    if (chunk === undefined || count < 1 || count > 32 || count > chunk.count)
      throw record.fault(`must have 1 to 32 balls, and has ${chunk === undefined ? 0 : count}`);
    const [sx, sy, sz] = scale.map(Math.abs) as Vec3;
    if (sx !== sy || sy !== sz) this.warn(record, 'balls scaled unevenly stay round');
    const balls = this.file.records(chunk, 'btPositionAndRadius', count);
    const centers = onGrid(
      Float32Array.from(balls.flatMap((ball) => ball.vector('m_pos').map((part, i) => part * scale[i]!))),
    );
    const size = sx === sy && sy === sz ? sx : (sx + sy + sz) / 3;
    const spheres = balls.map((ball, i) => ({
      position: centers.subarray(3 * i, 3 * i + 3),
      radius: ball.finite('m_radius') * size,
    }));
    return [{ type: 'multiSphere', spheres }];
  }

  /** Points by their chunk, in either precision. */
  private points(record: BulletRecord, float: string, double: string, count: number): Float64Array {
    const chunk = record.target(float) ?? (record.has(double) ? record.target(double) : undefined);
    if (chunk === undefined) throw record.fault('has no points');
    if (count < 0 || count > chunk.count) throw fault(chunk, `${count} points, and there are ${chunk.count}`);
    this.count(record, count);
    const points = new Float64Array(3 * count);
    this.file.records(chunk, chunk.struct, count).forEach((point, i) => {
      const v = point.numbers('m_floats', 3);
      if (!v.every((part) => Math.abs(part) <= 1e7)) throw fault(chunk, `point ${i} must be finite`);
      points.set(v, 3 * i);
    });
    return points;
  }

  private count(record: BulletRecord, corners: number): void {
    this.corners += corners;
    if (this.corners > MOST_CORNERS)
      throw record.fault(`meshes and hulls of more than ${MOST_CORNERS} corners`);
  }

  private hull(record: BulletRecord, scale: Vec3, margin: number): readonly ShapeOptions[] {
    const count = record.number('m_numUnscaledPoints');
    const points = this.points(record, 'm_unscaledPointsFloatPtr', 'm_unscaledPointsDoublePtr', count);
    const scaled = Float32Array.from(points, (part, i) => part * scale[i % 3]!);
    if (count === 3) return [{ type: 'triangle', points: scaled, margin }];
    if (count > 64) this.warn(record, `of ${count} points at most the 64 outermost are kept`);
    return [{ type: 'hull', geometry: cooked(record.chunk, () => settledHull(scaled)), margin }];
  }

  private compound(record: BulletRecord): readonly ShapeOptions[] {
    const count = record.number('m_numChildShapes');
    const chunk = record.target('m_childShapePtr');
    if (count < 0 || count > (chunk?.count ?? 0))
      throw record.fault(`${count} children, and there are ${chunk?.count ?? 0}`);
    if (chunk === undefined) return [];
    const shapes: ShapeOptions[] = [];
    for (const child of this.file.records(chunk, chunk.struct, count)) {
      const target = child.target('m_childShape');
      if (target === undefined) continue;
      const place = placeOf(child, 'm_transform');
      for (const shape of this.read(target))
        shapes.push(withPlace(shape, within(place, (shape.position ? shape : ORIGIN) as Place)));
      if (shapes.length > MOST_SHAPES) throw record.fault(`more than ${MOST_SHAPES} shapes`);
    }
    return shapes;
  }

  private mesh(record: BulletRecord, scaling: Vec3): readonly ShapeOptions[] {
    const strided = record.struct('m_meshInterface');
    const own = strided.vector('m_scaling');
    const scale = own.map((part, i) => part * scaling[i]!) as Vec3;
    const margin = record.finite('m_collisionMargin');
    if (margin < 0) throw record.fault('m_collisionMargin must be ≥ 0');
    const parts = strided.target('m_meshPartsPtr');
    const count = strided.number('m_numMeshParts');
    if (count < 0 || count > (parts?.count ?? 0))
      throw record.fault(`${count} parts, and there are ${parts?.count ?? 0}`);
    if (parts === undefined || count === 0) return [];
    const vertices: number[] = [];
    const indices: number[] = [];
    for (const part of this.file.records(parts, parts.struct, count)) this.part(part, vertices, indices);
    if (indices.length === 0) return [];
    // Instances share their triangles, whatever their scale.
    const key = `${parts.index}`;
    let geometry = this.geometries.get(key);
    if (geometry === undefined) {
      geometry = cooked(record.chunk, () => cookWhole(vertices, indices));
      this.geometries.set(key, geometry);
    }
    return [{ type: 'mesh', geometry, scale, margin, dynamic: this.dynamic }];
  }

  private part(part: BulletRecord, vertices: number[], indices: number[]): void {
    const count = part.number('m_numTriangles');
    if (count < 0) throw part.fault(`${count} triangles`);
    if (count === 0) return;
    const first = vertices.length / 3;
    const points = this.points(part, 'm_vertices3f', 'm_vertices3d', part.number('m_numVertices'));
    this.count(part, 3 * count);
    for (const value of points) vertices.push(value);
    const [name, field, per] = (
      [
        ['m_indices32', 'm_value', 1],
        ['m_3indices16', 'm_values', 3],
        ['m_3indices8', 'm_values', 3],
        ['m_indices16', 'm_value', 1],
      ] as const
    ).find(([pointer]) => part.target(pointer) !== undefined) ?? ['', '', 1];
    const chunk = name === '' ? undefined : part.target(name);
    if (chunk === undefined) throw part.fault('has no indices');
    const needed = (3 * count) / per;
    if (needed > chunk.count)
      throw fault(chunk, `indices of ${count} triangles, and there are ${chunk.count}`);
    const most = points.length / 3;
    for (const record of this.file.records(chunk, chunk.struct, needed))
      for (const value of record.numbers(field, per)) {
        const index = name === 'm_3indices16' || name === 'm_indices16' ? value & 0xffff : value;
        if (!(index >= 0 && index < most)) throw fault(chunk, `vertex ${index} of ${most}`);
        indices.push(first + index);
      }
  }
}

/** The hull of points, again and again until its own corners are what it is made of: nearly flat corners go one by one. */
function settledHull(points: Float32Array): CookedGeometry {
  let corners = onGrid(points);
  for (let i = 0; ; i++) {
    const geometry = cookHull(corners);
    const found = onGrid(readHull(geometry).vertices);
    if (i === 6 || (found.length === corners.length && found.every((part, k) => part === corners[k])))
      return geometry;
    corners = found;
  }
}

/** Cooked a second time where the first left triangles out, so that their numbers are those of the triangles that there are. */
function cookWhole(vertices: readonly number[], indices: readonly number[]): CookedGeometry {
  const geometry = cookMesh({ vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) });
  const { indices: kept } = readMesh(geometry);
  return kept.length === indices.length ? geometry : cookMesh(inOrder(geometry));
}

/** Triangles of a mesh in the order of the input, corners in the order of their use. */
export function inOrder(geometry: CookedGeometry): { vertices: Float32Array; indices: Uint32Array } {
  const { vertices, indices, sources } = readMesh(geometry);
  const order = Array.from(sources.keys()).sort((a, b) => sources[a]! - sources[b]!);
  const numbers = new Map<number, number>();
  const out = new Uint32Array(indices.length);
  for (const [i, triangle] of order.entries())
    for (let k = 0; k < 3; k++) {
      const corner = indices[3 * triangle + k]!;
      if (!numbers.has(corner)) numbers.set(corner, numbers.size);
      out[3 * i + k] = numbers.get(corner)!;
    }
  const points = new Float32Array(3 * numbers.size);
  for (const [corner, number] of numbers)
    points.set(vertices.subarray(3 * corner, 3 * corner + 3), 3 * number);
  return { vertices: points, indices: out };
}

function typeOf(record: BulletRecord): number {
  let inner = record;
  for (const name of ['m_trimeshShapeData', 'm_convexInternalShapeData', 'm_collisionShapeData'])
    if (inner.has(name)) inner = inner.struct(name);
  return inner.number('m_shapeType');
}
