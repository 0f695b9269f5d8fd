// Entry of `ricochet/cooking`: functions that make shapes and their content. Works with a World and with a world in a
// worker; contains no engine. The main entry exports all of it, too.

/** What every call here throws; the main entry and the worker's client throw the same. */
export { PhysicsError, type PhysicsErrorCode } from '../base/errors';
/** Deterministic functions, to place bodies with the same bits everywhere. */
export * as deterministic from '../base/math';
export {
  type AttributeLike,
  type BufferGeometryLike,
  drawnVertices,
  type GeometryContent,
  meshContentOf,
  verticesOf,
} from './bufferGeometry';
export {
  type CompoundChild,
  compound,
  heightfield,
  massPropertiesOf,
  mesh,
  multiSphere,
  type SolidProperties,
  scaled,
  tetrahedron,
  triangle,
} from './builders';
export {
  cookHeightfield,
  cookHull,
  cookMesh,
  exportCooked,
  exportHulls,
  type HullContent,
  importCooked,
  importHulls,
  readHeightfield,
  readHull,
  readMesh,
  readTriangles,
} from './content';
export type { DecompositionOptions, DecompositionReport } from './decompose';
export { type Decomposition, decompose } from './decomposition';
export type { HeightfieldContent, HeightfieldOptions } from './heightfield';
export type { HullOptions } from './hull';
export type { MeshOptions, MeshReport } from './mesh';
export { type MeshFile, readMeshFile } from './meshFile';
export type { MeshContent } from './meshWords';
