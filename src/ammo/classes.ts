// The list of Bullet's classes that programs see on the module. The module and its types are made from it.

export { btKinematicCharacterController } from './character';
export {
  btBroadphaseProxy,
  btCollisionObject,
  btCollisionObjectWrapper,
} from './collisionObject';
export { btCompoundShape } from './compound';
export {
  btConstraintSetting,
  btFixedConstraint,
  btHingeConstraint,
  btPoint2PointConstraint,
  btSliderConstraint,
  btTypedConstraint,
} from './constraints';
export {
  btConeTwistConstraint,
  btGeneric6DofConstraint,
  btGeneric6DofSpringConstraint,
} from './constraints6';
export { btIDebugDraw, DebugDrawer } from './debugDraw';
export { btGhostObject, btPairCachingGhostObject } from './ghosts';
export {
  btAABB,
  btActivatingCollisionAlgorithm,
  btCollisionAlgorithm,
  btCollisionAlgorithmConstructionInfo,
  btGImpactCollisionAlgorithm,
  btGImpactCompoundShape,
  btGImpactMeshShape,
  btGImpactMeshShapePart,
  btGImpactShapeInterface,
  btPrimitiveManagerBase,
  btPrimitiveTriangle,
  btTetrahedronShapeEx,
  btTriangleShapeEx,
  CompoundPrimitiveManager,
  TrimeshPrimitiveManager,
} from './gimpact';
export {
  btConvexHullShape,
  btConvexPolyhedron,
  btFace,
  btFaceArray,
  btIntArray,
  btMultiSphereShape,
  btShapeHull,
  btVector3Array,
} from './hulls';
export {
  btAxisSweep3,
  btBroadphaseInterface,
  btCollisionConfiguration,
  btCollisionDispatcher,
  btConstraintSolver,
  btContactSolverInfo,
  btDbvtBroadphase,
  btDefaultCollisionConfiguration,
  btDefaultCollisionConstructionInfo,
  btDispatcher,
  btDispatcherInfo,
  btGhostPairCallback,
  btOverlappingPairCache,
  btOverlappingPairCallback,
  btSequentialImpulseConstraintSolver,
  btSoftBodyRigidBodyCollisionConfiguration,
} from './infrastructure';
export {
  Anchor,
  btDefaultSoftBodySolver,
  btSoftBody,
  btSoftBodyArray,
  btSoftBodyHelpers,
  btSoftBodySolver,
  Config,
  Face,
  Material,
  Node,
  tAnchorArray,
  tFaceArray,
  tMaterialArray,
  tNodeArray,
} from './later';
export { btManifoldPoint, btPersistentManifold } from './manifolds';
export {
  btBvhTriangleMeshShape,
  btConvexTriangleMeshShape,
  btHeightfieldTerrainShape,
  btIndexedMesh,
  btIndexedMeshArray,
  btScaledBvhTriangleMeshShape,
  btStridingMeshInterface,
  btTriangleMesh,
  btTriangleMeshShape,
} from './meshes';
export { btDefaultMotionState, btMotionState, MotionState } from './motionState';
export { VoidPtr, WrapperObject } from './object';
export {
  AllHitsRayResultCallback,
  btConstCollisionObjectArray,
  btScalarArray,
  ClosestConvexResultCallback,
  ClosestRayResultCallback,
  ConcreteContactResultCallback,
  ContactResultCallback,
  ConvexResultCallback,
  LocalConvexResult,
  LocalShapeInfo,
  RayResultCallback,
} from './results';
export { btRigidBody, btRigidBodyConstructionInfo } from './rigidBody';
export {
  btBoxShape,
  btCapsuleShape,
  btCapsuleShapeX,
  btCapsuleShapeZ,
  btCollisionShape,
  btConcaveShape,
  btConeShape,
  btConeShapeX,
  btConeShapeZ,
  btConvexShape,
  btCylinderShape,
  btCylinderShapeX,
  btCylinderShapeZ,
  btEmptyShape,
  btSphereShape,
  btStaticPlaneShape,
} from './shapes';
export { btMatrix3x3, btTransform } from './transform';
export { btQuadWord, btQuaternion, btVector3, btVector4 } from './vector';
export { btRaycastVehicle } from './vehicle';
export {
  btDefaultVehicleRaycaster,
  btVehicleRaycaster,
  btVehicleRaycasterResult,
  btVehicleTuning,
  btWheelInfo,
  btWheelInfoConstructionInfo,
  RaycastInfo,
} from './wheels';
export {
  btActionInterface,
  btCollisionWorld,
  btDiscreteDynamicsWorld,
  btDynamicsWorld,
  btSoftBodyWorldInfo,
  btSoftRigidDynamicsWorld,
} from './world';
