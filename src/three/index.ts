// Entry of `ricochet/three`: makes three.js objects follow bodies. In: a world, in a worker or in the page. Out:
// positions and rotations of objects, matrices of instanced meshes, debug lines, shapes from geometries.
export { meshContentOf } from 'ricochet/cooking';
export { type AddOnOptions, heightfieldFromColumns, RicochetPhysics } from './addon';
export { type BindableBody, type BindableWorld, type Binding, bind, updateBindings } from './bind';
export { PhysicsLines } from './lines';
export { SkinnedRagdoll, type SkinnedRagdollOptions } from './ragdoll';
export { type MeshOptions, PhysicsScene, type PopulatedWorld } from './scene';
export { type ShapeFromGeometryOptions, type ShapeKind, shapeFromGeometry } from './shape';
