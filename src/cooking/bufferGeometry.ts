// Vertices and triangles of a three.js geometry, or of any object with the same fields; three.js is not imported. In:
// attributes, indexed, interleaved or quantised. Out: flat lists. Only the drawn part: `drawRange` is respected. Morph
// targets and bones are ignored.
import { invalid } from '../base/validate';

/** The required fields of an attribute: those of BufferAttribute and InterleavedBufferAttribute. */
export interface AttributeLike {
  /** All numbers, `itemSize` for each vertex. */
  readonly array: ArrayLike<number>;
  /** Number of vertices. */
  readonly count: number;
  /** Numbers per vertex. */
  readonly itemSize: number;
  /** x of a vertex, denormalized. */
  getX(index: number): number;
  /** y of a vertex. */
  getY(index: number): number;
  /** z of a vertex. */
  getZ(index: number): number;
}

/** The required fields of a geometry: those of three's BufferGeometry. */
export interface BufferGeometryLike {
  /** The positions: an AttributeLike. */
  getAttribute(name: 'position'): unknown;
  /** Vertex indices of the triangles; null: every three vertices form a triangle. */
  readonly index: { readonly count: number; getX(index: number): number } | null;
  /** The part that is drawn: first corner, and number of corners (Infinity for all). */
  readonly drawRange: { readonly start: number; readonly count: number };
  /** Parts with a material of their own. */
  readonly groups: readonly {
    readonly start: number;
    readonly count: number;
    readonly materialIndex?: number | undefined;
  }[];
}

/** Triangles of a geometry: x, y, z of each vertex, three indices of each triangle, the material of each. */
export interface GeometryContent {
  /** x, y, z of each vertex, m. */
  vertices: Float32Array;
  /** Three vertices per triangle, counter-clockwise seen from the front. */
  indices: Uint32Array;
  /** Material of each triangle, 0 to 255; absent if there is only one material. */
  materials?: Uint8Array;
}

function positionsOf(geometry: BufferGeometryLike): AttributeLike {
  const attribute = geometry.getAttribute('position') as AttributeLike | undefined;
  if (attribute === undefined || attribute.itemSize !== 3 || attribute.count === 0)
    throw invalid('geometry.attributes.position', 'must hold x, y, z of each vertex', attribute?.count);
  return attribute;
}

/**
 * x, y, z of each vertex, drawn or not; a view of the attribute's own array if possible.
 *
 * @throws PhysicsError 'invalid-argument' for a geometry without positions
 */
export function verticesOf(geometry: BufferGeometryLike): Float32Array {
  const positions = positionsOf(geometry);
  const { array, count } = positions;
  if (!('isInterleavedBufferAttribute' in positions) && array instanceof Float32Array)
    return array.subarray(0, 3 * count);
  const vertices = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    vertices[3 * i] = positions.getX(i); // of quantised attributes, too
    vertices[3 * i + 1] = positions.getY(i);
    vertices[3 * i + 2] = positions.getZ(i);
  }
  return vertices;
}

/**
 * The drawn vertices, triangles and materials, for `cookMesh` and for `physics.cookMesh`, which cooks large meshes
 * without blocking the page. The group of a triangle gives its material: the lowest 8 bits of `materialIndex`.
 *
 * @throws PhysicsError 'invalid-argument' for a geometry without positions
 */
export function meshContentOf(geometry: BufferGeometryLike): GeometryContent {
  const vertices = verticesOf(geometry);
  const { index, groups, drawRange } = geometry;
  const available = index === null ? vertices.length / 3 : index.count;
  // Whole triangles of what is drawn, as WebGL has it.
  const first = Math.min(drawRange.start, available);
  const end = Math.min(first + drawRange.count, available);
  const corners = Math.max(0, end - first - ((end - first) % 3));
  const indices = new Uint32Array(corners);
  for (let i = 0; i < corners; i++) indices[i] = index === null ? first + i : index.getX(first + i);
  if (groups.length === 0) return { vertices, indices };
  const materials = new Uint8Array(corners / 3);
  for (const { start, count, materialIndex = 0 } of groups)
    for (
      let t = Math.max(0, Math.ceil((start - first) / 3));
      t < corners / 3 && first + 3 * t < start + count;
      t++
    )
      materials[t] = materialIndex & 255;
  return { vertices, indices, materials };
}

/** x, y, z of the vertices that triangles have; each once. */
export function drawnVertices({ vertices, indices }: GeometryContent): Float32Array {
  const used = new Uint8Array(vertices.length / 3);
  let count = 0;
  for (const i of indices) if (used[i] === 0) count += used[i] = 1;
  const out = new Float32Array(3 * count);
  let at = 0;
  for (let i = 0; i < used.length; i++)
    if (used[i] === 1) for (let k = 0; k < 3; k++) out[at++] = vertices[3 * i + k];
  return out;
}
