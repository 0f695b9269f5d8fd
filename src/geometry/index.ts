// Entry of `ricochet/geometry`: bounding volumes, closest points, intersection tests, in f64 and without the engine.
// Points and directions are x, y, z by index; volumes and results are plain records; `out` is the last argument.

export { PhysicsError, type PhysicsErrorCode } from '../base/errors';
export type { AttributeLike, BufferGeometryLike } from '../cooking/bufferGeometry';
export {
  type Aabb,
  aabbContainsAabb,
  aabbContainsPoint,
  aabbFromCenterBox,
  aabbFromPoints,
  aabbFromSphere,
  aabbSurfaceArea,
  aabbsOverlap,
  aabbVolume,
  type CenterBox,
  centerBoxesOverlap,
  centerBoxFromAabb,
  createAabb,
  createCenterBox,
  emptyAabb,
  growAabb,
  integerBoxesOverlap,
  mergeAabbs,
  transformAabb,
  transformCenterBox,
} from './aabb';
export {
  type ClosestPair,
  closestLineLine,
  closestRectangleRectangle,
  closestSegmentRectangle,
  closestSegmentSegment,
  closestSegmentTriangle,
  closestTriangleTriangle,
  createClosestPair,
} from './closestPair';
export {
  barycentricOf,
  closestPointOnAabb,
  closestPointOnLine,
  closestPointOnObb,
  closestPointOnPlane,
  closestPointOnPolyhedron,
  closestPointOnRectangle,
  closestPointOnSegment,
  closestPointOnTetrahedron,
  closestPointOnTriangle,
  farthestCornerOfAabb,
  parameterOnLine,
  pointFromBarycentric,
  signedDistanceToPlane,
  squaredDistanceToAabb,
  squaredDistanceToLine,
  squaredDistanceToObb,
  squaredDistanceToPolyhedron,
  squaredDistanceToRectangle,
  squaredDistanceToSegment,
  squaredDistanceToTriangle,
} from './closestPoint';
export { createDisjointSet, type DisjointSet, findSet, joinSets, resetDisjointSet } from './disjointSet';
export { type ColliderKind, type FitColliderOptions, fitCollider } from './fitCollider';
export { aabbByClimbing, type Climber, climb, createClimber } from './hillClimbing';
export { type ConvexHull, convexHull, hullsMayOverlap, transformHull } from './hull';
export { type MinimalSphereOptions, minimalSphere } from './minimalSphere';
export {
  createMovingHit,
  type MovingHit,
  movingAabbPlane,
  movingAabbs,
  movingSphereAabb,
  movingSpherePlane,
  movingSpherePolygon,
  movingSpheres,
  movingSphereTriangle,
} from './moving';
export { firstTimeByHalving, movingConvexCorners } from './movingConvex';
export {
  cornersOfObb,
  mergeObbs,
  type ObbRectangleOptions,
  type ObbSearchOptions,
  obbBruteForce,
  obbContainsPoint,
  obbHullSurface,
  obbMinimalRectangle,
  obbPca,
  obbVolume,
  obbWithRotation,
  transformObb,
} from './obb';
export { obbsMayOverlap, obbsOverlap, uprightObbsOverlap } from './obbOverlap';
export {
  aabbHalfSpaceOverlap,
  aabbPlaneOverlap,
  aabbTriangleOverlap,
  type Cone,
  coneHalfSpaceOverlap,
  conePlaneOverlap,
  obbHalfSpaceOverlap,
  obbPlaneOverlap,
  sphereAabbOverlap,
  sphereHalfSpaceOverlap,
  sphereInHalfSpace,
  sphereObbOverlap,
  spherePlaneOverlap,
  spherePolygonOverlap,
  sphereTriangleOverlap,
  trianglesOverlap,
} from './overlap';
export {
  type Circle,
  circlesOverlap,
  type PlanarBox,
  planarBoxesOverlap,
  pointInConvexPolygon,
  pointInPlanarTriangle,
  pointInPolygon,
  rectangleOfSegment,
  segmentsCross,
  signedArea,
  type TurnedRectangle,
  turnedRectanglesOverlap,
} from './planar';
export {
  intersectThreePlanes,
  intersectTwoPlanes,
  planeFromPoints,
  pointInPolyhedron,
  pointInTetrahedron,
  pointOverTriangle,
} from './planes';
export { closestPointOnPolygon } from './polygon';
export {
  createRay,
  createRayHit,
  pointOnRay,
  type Ray,
  type RayHit,
  setLine,
  setRay,
  setSegment,
  setUnitSegment,
} from './ray';
export {
  rayAabb,
  rayCapsule,
  rayCylinder,
  rayHitsSphere,
  rayObb,
  rayPlane,
  rayPolyhedron,
  raySphere,
  reciprocalOf,
  segmentHitsAabb,
} from './rayTests';
export { createTriangleHit, rayQuadrilateral, rayTriangle, type TriangleHit } from './rayTriangle';
export { type ConvexCorners, convexCornersOverlap, separatedAlong } from './separatingAxis';
export {
  createKdop,
  createSlabs,
  growSlabs,
  KDOP_AXES,
  type KdopSides,
  mergeSlabs,
  raySlabs,
  refitSlabs,
  refitSlabsByClimbing,
  type Slabs,
  slabsContainPoint,
  slabsFromPoints,
  slabsOverlap,
  verticesOfSlabs,
} from './slabs';
export {
  coveringRadius,
  createSphere,
  growSphere,
  type IterativeSphereOptions,
  mergeSpheres,
  type Sphere,
  sphereContainsPoint,
  sphereEigen,
  sphereFromBox,
  sphereIterative,
  sphereRitter,
  spheresOverlap,
  transformSphere,
} from './sphere';
export { type SweptSphereContact, type SweptSphereContacts, sweptSphereContacts } from './sweptSpheres';
export {
  capsuleAlong,
  capsuleContainsPoint,
  capsuleFromPoints,
  capsuleLozengeOverlap,
  capsulesOverlap,
  capsuleVolume,
  lozengeContainsPoint,
  lozengeFromPoints,
  lozengesOverlap,
  lozengeVolume,
  sphereCapsuleOverlap,
  sphereLozengeOverlap,
  transformCapsule,
  transformLozenge,
} from './sweptVolume';
export type { Vector, VectorOut } from './vector';
export {
  type Capsule,
  createCapsule,
  createLozenge,
  createObb,
  createPlane,
  createRectangle,
  type Lozenge,
  type Obb,
  type Plane,
  type Polyhedron,
  type Rectangle,
} from './volumes';
