// The tables of a cooked triangle mesh. In: its address. Out: nodes, corners and neighbours of triangles, unscaled, in
// the mesh's own frame.
import { MeshGeometry, MeshNode } from '../memory/records';

const HEADER: usize = offsetof<MeshGeometry>();
export const MESH_NODE_SIZE: usize = offsetof<MeshNode>();

/** @inline */
export function meshNodes(m: MeshGeometry): usize {
  return changetype<usize>(m) + HEADER;
}
/** @inline */
export function meshVertices(m: MeshGeometry): usize {
  return meshNodes(m) + <usize>m.nodeCount * MESH_NODE_SIZE;
}
/** @inline */
export function meshTriangles(m: MeshGeometry): usize {
  return meshVertices(m) + ((<usize>m.vertexCount) << 4);
}
/** @inline */
export function meshNeighbours(m: MeshGeometry): usize {
  return meshTriangles(m) + ((<usize>m.triangleCount) << 4);
}
/** Corner 0, 1 or 2 of a triangle. @inline */
export function meshCorner(m: MeshGeometry, triangle: i32, corner: i32): v128 {
  const vertex = load<i32>(meshTriangles(m) + ((<usize>triangle) << 4) + ((<usize>corner) << 2));
  return v128.load(meshVertices(m) + ((<usize>vertex) << 4));
}
