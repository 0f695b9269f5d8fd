// PlayCanvas's collision shapes. In: descriptions of shapes, children of compounds with their poses. Out: shapes of
// ricochet in the frame of the body. A compound that changes tells the bodies that have it.
import { type CookedGeometry, PhysicsError, type ShapeOptions } from 'ricochet';
import { compound, cookHull, cookMesh } from 'ricochet/cooking';
import { warn } from './warnings';

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];
type Xyz = { x: number; y: number; z: number };
type Xyzw = Xyz & { w: number };

/** Triangles of a mesh shape, as PlayCanvas's collision component hands them over. */
export interface MeshSource {
  /** Of the geometry: sources with the same id have the same vertices and triangles. */
  id: number;
  /** m, before `scale`. */
  positions: ArrayLike<number>;
  /** Numbers from one position to the next. */
  stride: number;
  /** Three per triangle. */
  indices: ArrayLike<number>;
  /** The first index. */
  base: number;
  /** Indices. */
  count: number;
  /** The hull of all positions, and not the triangles. */
  convexHull: boolean;
  /** Of the positions. Default none. */
  scale?: Xyz | null;
  /** m, in the shape's frame. */
  position: Xyz;
  /** In the shape's frame. */
  rotation: Xyzw;
}

/** A shape as PlayCanvas describes it: see its PhysicsShapeDesc. */
export interface ShapeDescription {
  /** 'box', 'sphere', 'capsule', 'cylinder', 'cone', 'mesh' or 'compound'. */
  type: string;
  /** Of a box, m. Default 0.5 each. */
  halfExtents?: Xyz;
  /** m. Default 0.5. */
  radius?: number;
  /** Whole height along the axis, m; of a capsule with its caps. Default 2 for capsules, 1 for others. */
  height?: number;
  /** 0 for x, 1 for y, 2 for z. Default 1. */
  axis?: number;
  /** Of a mesh. */
  sources?: readonly MeshSource[];
}

/** m. What a size is at least. */
const LEAST = 1e-4;
const AXES = ['x', 'y', 'z'] as const;

/** What is told when a compound changes. */
export interface ShapeUser {
  /** Its shapes are to be made anew, before the next step or query. */
  reshape(): void;
}

interface Child {
  position: Vec3;
  rotation: Quat;
}

const list3 = ({ x, y, z }: Xyz): Vec3 => [x, y, z];
const list4 = ({ x, y, z, w }: Xyzw): Quat => [x, y, z, w];

/** What PlayCanvas holds as a shape. */
export class Shape {
  readonly children = new Map<Shape, Child>();
  readonly parents = new Set<Shape>();
  readonly users = new Set<ShapeUser>();

  constructor(
    readonly type: string,
    /** Of a compound: none of its own. */
    readonly own: readonly ShapeOptions[],
    /** Keys of the geometries that it has from the cache. */
    readonly cached: readonly string[],
  ) {}

  /** All its shapes, in its own frame. */
  options(): ShapeOptions[] {
    const inside = [...this.children].flatMap(([shape, { position, rotation }]) => {
      const parts = shape.options();
      return parts.length === 0 ? [] : compound([{ shape: parts, position, rotation }]);
    });
    return [...this.own, ...inside];
  }

  /** Adds a child, or moves it. */
  place(child: Shape, position: Xyz, rotation: Xyzw): void {
    this.children.set(child, { position: list3(position), rotation: list4(rotation) });
    child.parents.add(this);
    this.renew();
  }

  remove(child: Shape): void {
    child.parents.delete(this);
    if (this.children.delete(child)) this.renew();
  }

  private renew(): void {
    for (const user of this.users) user.reshape();
    for (const parent of this.parents) parent.renew();
  }
}

/** Triangles: what a dynamic body cannot have. */
export const isSurface = (shape: ShapeOptions) => shape.type === 'mesh';

interface Cached {
  geometry: CookedGeometry;
  uses: number;
}

/** Makes shapes, and keeps cooked geometry as long as one of them has it. */
export class Shapes {
  private readonly cache = new Map<string, Cached>();
  private readonly unused = new Set<string>();

  create(description: ShapeDescription): Shape {
    const { type, sources = [] } = description;
    if (type === 'mesh') {
      const cached: string[] = [];
      const own = sources.flatMap((source) => this.ofSource(source, cached));
      return new Shape(type, own, cached);
    }
    return new Shape(type, type === 'compound' ? [] : [primitive(description)], []);
  }

  destroy(shape: Shape): void {
    for (const parent of [...shape.parents]) parent.remove(shape);
    for (const child of shape.children.keys()) child.parents.delete(shape);
    for (const key of shape.cached) if (--this.cache.get(key)!.uses === 0) this.unused.add(key);
  }

  /** Forgets geometry that no shape has had since the last step: a shape that is made anew finds it before. */
  sweep(): void {
    for (const key of this.unused) if (this.cache.get(key)?.uses === 0) this.cache.delete(key);
    this.unused.clear();
  }

  private cooked(key: string, cached: string[], cook: () => CookedGeometry): CookedGeometry {
    let entry = this.cache.get(key);
    if (entry === undefined) this.cache.set(key, (entry = { geometry: cook(), uses: 0 }));
    entry.uses++;
    cached.push(key);
    return entry.geometry;
  }

  private ofSource(source: MeshSource, cached: string[]): ShapeOptions[] {
    const { id, positions, stride, base, count } = source;
    const scale = source.scale ? list3(source.scale) : ([1, 1, 1] as Vec3);
    const place = { position: list3(source.position), rotation: list4(source.rotation) };
    try {
      if (source.convexHull) {
        const geometry = this.cooked(`hull ${id} ${scale}`, cached, () =>
          cookHull(thickened(packed(positions, stride, scale))),
        );
        return [{ type: 'hull', geometry, ...place }];
      }
      if (scale.some((factor) => factor === 0)) {
        warn(`mesh ${id}: a scale of [${scale}] leaves nothing of it: it has no collision shape`);
        return [];
      }
      const geometry = this.cooked(`mesh ${id}`, cached, () =>
        cookMesh({
          vertices: packed(positions, stride, [1, 1, 1]),
          indices: Array.from({ length: count }, (_, i) => source.indices[base + i]!),
        }),
      );
      return [{ type: 'mesh', geometry, scale, dynamic: 'hull', ...place }];
    } catch (error) {
      if (!(error instanceof PhysicsError)) throw error;
      throw new Error(`ricochet/playcanvas: collision mesh ${id}: ${error.message}`, { cause: error });
    }
  }
}

function packed(positions: ArrayLike<number>, stride: number, scale: Vec3): Float32Array {
  const vertices = Math.ceil(positions.length / stride);
  const out = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; i++)
    for (let k = 0; k < 3; k++) out[3 * i + k] = positions[i * stride + k]! * scale[k]!;
  return out;
}

/** Points in a plane or a line span no hull: where they have no extent they get some. */
function thickened(points: Float32Array): Float32Array {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, points[i]!);
    high[i % 3] = Math.max(high[i % 3]!, points[i]!);
  }
  const flat = [0, 1, 2].filter((k) => high[k]! - low[k]! < 2 * LEAST);
  if (flat.length === 0 || points.length < 9) return points;
  const out = [...points];
  for (const k of flat) {
    const copy = out.slice();
    for (let i = k; i < copy.length; i += 3) {
      out[i]! -= LEAST;
      copy[i]! += LEAST;
    }
    out.push(...copy);
  }
  return new Float32Array(out);
}

function primitive({ type, halfExtents, radius, height, axis }: ShapeDescription): ShapeOptions {
  const size = (value: number | undefined, fallback: number) => Math.max(Math.abs(value ?? fallback), LEAST);
  const r = size(radius, 0.5);
  const along = { axis: AXES[axis ?? 1] ?? 'y' } as const;
  switch (type) {
    case 'box': {
      const { x, y, z } = halfExtents ?? { x: 0.5, y: 0.5, z: 0.5 };
      return { type: 'box', halfExtents: [size(x, 0), size(y, 0), size(z, 0)] };
    }
    case 'sphere':
      return { type: 'sphere', radius: r };
    case 'capsule': {
      const halfHeight = size(height, 2) / 2 - r;
      if (halfHeight < LEAST) return { type: 'sphere', radius: r };
      return { type: 'capsule', radius: r, halfHeight, ...along };
    }
    case 'cylinder':
    case 'cone':
      return { type, radius: r, halfHeight: size(height, 1) / 2, ...along };
    default:
      throw new Error(
        `ricochet/playcanvas: there is no shape of type "${type}": box, sphere, capsule, cylinder, cone, mesh, compound`,
      );
  }
}
