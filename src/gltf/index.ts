// Entry of `ricochet/gltf`: scenes of glTF files with their physics. In: files with KHR_physics_rigid_bodies, or without any.
// Out: bodies and joints as descriptions, without three.js; or in a world, bound to the objects of a three.js scene.
export { addGltfPhysics, type GltfInWorld, type GltfWorld, type LoadedGltf } from './add';
export { type AutoCollider, type AutoKind, type AutoOptions, autoColliders } from './auto';
export { type GltfFile, parseGltf } from './container';
export type { Buffers } from './meshes';
export { type GltfBody, type GltfJoint, type GltfPhysics, type ReadOptions, readPhysics } from './read';
export type { DynamicMeshes } from './shapes';
