// What Babylon's meshes are made of. In: meshes, ground meshes, parameters of heightfields. Out: vertices in the frame of
// the node, its scaling applied, as Babylon's physics has them; triangles counter-clockwise from outside; heights.
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { PhysicsShapeParameters } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';

/** Vertices, x, y, z each, and three of them per triangle. */
export interface Triangles {
  /** m */
  vertices: number[];
  /** Counter-clockwise from the front. */
  indices: number[];
}

function append(mesh: AbstractMesh, toRoot: Matrix, out: Triangles): void {
  const vertices = mesh.getVerticesData(VertexBuffer.PositionKind) ?? [];
  const first = out.vertices.length / 3;
  const point = new Vector3();
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    Vector3.TransformCoordinatesFromFloatsToRef(
      vertices[i]!,
      vertices[i + 1]!,
      vertices[i + 2]!,
      toRoot,
      point,
    );
    out.vertices.push(point.x, point.y, point.z);
  }
  const indices = mesh.getIndices() ?? [];
  // In a left-handed scene fronts are clockwise; a mirroring scale turns them once more.
  const turned = !mesh.getScene().useRightHandedSystem !== toRoot.determinant() < 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
    out.indices.push(first + a, first + (turned ? c : b), first + (turned ? b : c));
  }
}

/** The triangles of a mesh, and, if asked for, of its descendants that have no body of their own. */
export function trianglesOf(mesh: AbstractMesh, withChildren: boolean): Triangles {
  const out: Triangles = { vertices: [], indices: [] };
  mesh.computeWorldMatrix(true);
  const { x, y, z } = mesh.absoluteScaling;
  const scaling = Matrix.Scaling(x, y, z);
  append(mesh, scaling, out);
  if (!withChildren) return out;
  const fromWorld = Matrix.Invert(mesh.getWorldMatrix()).multiply(scaling);
  for (const child of mesh.getChildMeshes(false))
    if (!child.physicsBody) append(child, child.computeWorldMatrix(true).multiply(fromWorld), out);
  return out;
}

/** A grid of heights as ricochet takes it. */
export interface Heights {
  rows: number;
  columns: number;
  heights: Float32Array;
  spacing: [number, number];
}

/**
 * Row 0 of Babylon's heights is at +z, ours at −z.
 *
 * @param label  the shape, for errors
 */
export function heightsOf(parameters: PhysicsShapeParameters, label: string): Heights {
  if (parameters.groundMesh) return groundHeights(parameters.groundMesh);
  const {
    numHeightFieldSamplesX: columns,
    numHeightFieldSamplesZ: rows,
    heightFieldSizeX: sizeX,
    heightFieldSizeZ: sizeZ,
    heightFieldData: data,
  } = parameters;
  if (!columns || !rows || !sizeX || !sizeZ || !data)
    throw new Error(
      `${label}: needs heightFieldSizeX/Z, numHeightFieldSamplesX/Z and heightFieldData, or a groundMesh`,
    );
  if (data.length !== rows * columns)
    throw new Error(`${label}: heightFieldData has ${data.length} heights, and must have ${rows * columns}`);
  const heights = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    heights.set(data.subarray((rows - 1 - row) * columns, (rows - row) * columns), row * columns);
  return { rows, columns, heights, spacing: [sizeX / (columns - 1), sizeZ / (rows - 1)] };
}

/** The vertices of a ground mesh, which are a grid along x and z, in whatever order they come. */
function groundHeights(ground: AbstractMesh): Heights {
  const { vertices } = trianglesOf(ground, false);
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i += 3)
    for (const k of [0, 1]) {
      low[k] = Math.min(low[k]!, vertices[i + 2 * k]!);
      high[k] = Math.max(high[k]!, vertices[i + 2 * k]!);
    }
  const lines = [0, 1].map((k) => {
    // How many different places there are along x, along z.
    const step = (high[k]! - low[k]!) * 1e-5;
    const places = vertices.filter((_, i) => i % 3 === 2 * k).sort((a, b) => a - b);
    return places.filter((place, i) => i === 0 || place - places[i - 1]! > step).length;
  });
  const [columns, rows] = lines as [number, number];
  if (columns < 2 || rows < 2)
    throw new Error(`the ground mesh "${ground.name}" is no grid along x and z: use PhysicsShapeMesh`);
  const spacing: [number, number] = [(high[0]! - low[0]!) / (columns - 1), (high[1]! - low[1]!) / (rows - 1)];
  const heights = new Float32Array(rows * columns);
  for (let i = 0; i < vertices.length; i += 3) {
    const column = Math.round((vertices[i]! - low[0]!) / spacing[0]);
    const row = Math.round((vertices[i + 2]! - low[1]!) / spacing[1]);
    heights[row * columns + column] = vertices[i + 1]!;
  }
  return { rows, columns, heights, spacing };
}
