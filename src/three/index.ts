// Entry of `ricochet/three`: lets three.js objects follow bodies. In: a world, in a worker or in process.
// Out: positions and rotations of objects, matrices of instanced meshes, lines for debugging, shapes of geometries.
export { meshContentOf } from 'ricochet/cooking';
export { heightfieldFromColumns, RicochetPhysics } from './addon';
export { type BindableBody, type BindableWorld, type Binding, bind, updateBindings } from './bind';
export { PhysicsLines } from './lines';
export { type MeshOptions, PhysicsScene, type PopulatedWorld } from './scene';
export { type ShapeFromGeometryOptions, type ShapeKind, shapeFromGeometry } from './shape';
