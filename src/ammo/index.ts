// ricochet/ammo: the module that programs for ammo.js load. In: options of its worlds. Out: a promise of an object
// with Bullet's classes and ammo.js's helpers. Several modules share classes and heap; worlds share nothing.
import { PhysicsError, type World } from '../index';
import './attributes';
import * as classes from './classes';
import { addFunction, removeFunction } from './functions';
import { addHeapViews, free, type HeapViews, malloc, utf8ToString } from './heap';
import { PHY } from './meshes';
import * as objects from './object';
import { type AmmoOptions, defaults, known } from './options';
import { btCollisionWorld } from './world';

export * from './classes';
export type { AmmoOptions } from './options';

const ENUMS = {
  ...PHY,
  BT_CONSTRAINT_ERP: 1,
  BT_CONSTRAINT_STOP_ERP: 2,
  BT_CONSTRAINT_CFM: 3,
  BT_CONSTRAINT_STOP_CFM: 4,
  CONST_GIMPACT_COMPOUND_SHAPE: 0,
  CONST_GIMPACT_TRIMESH_SHAPE_PART: 1,
  CONST_GIMPACT_TRIMESH_SHAPE: 2,
  CONTACT_ADDED_CALLBACK_SIGNATURE: 'iiiiiiii',
  CONTACT_DESTROYED_CALLBACK_SIGNATURE: 'ii',
  CONTACT_PROCESSED_CALLBACK_SIGNATURE: 'iiii',
  INTERNAL_TICK_CALLBACK_SIGNATURE: 'vif',
} as const;

type Constructor = abstract new (...values: never[]) => unknown;

const HELPERS = {
  PhysicsError,
  _malloc: malloc,
  _free: free,
  UTF8ToString: utf8ToString,
  addFunction,
  removeFunction,
  destroy: (object: unknown): void => objects.destroy(object),
  /** The same object as another class. */
  castObject: <C extends Constructor>(object: unknown, type: C): InstanceType<C> =>
    objects.castObject(object, type) as InstanceType<C>,
  /** The object of a pointer. */
  wrapPointer: <C extends Constructor = typeof classes.WrapperObject>(
    pointer: number,
    type?: C,
  ): InstanceType<C> => objects.wrapPointer(pointer, type) as InstanceType<C>,
  getPointer: (object: unknown): number => objects.pointerOf(object),
  compare: (a: unknown, b: unknown): boolean => objects.compare(a, b),
  getClass: (object: objects.WrapperObject) => {
    objects.ref(object, objects.WrapperObject, 'Ammo.getClass', 'obj');
    return object.__class__; // of the view that castObject made, not of the object behind it
  },
  /** The wrappers of a class by pointer. */
  getCache: (type?: Constructor): Record<number, objects.WrapperObject> => objects.cacheOf(type as never),
  /**
   * Not in ammo.js: the engine's world behind a world, for features that Bullet lacks (debug views, recordings,
   * profiles). The facade does not notice objects that are created or removed with it.
   */
  engineOf: (world: btCollisionWorld): World =>
    objects.ref(world, btCollisionWorld, 'engineOf', 'world')._engine,
};

/** The object that ammo.js programs call Ammo. */
export type AmmoModule = typeof classes &
  typeof ENUMS &
  typeof HELPERS &
  HeapViews & {
    /** The null pointer as an object. */
    NULL: objects.WrapperObject;
  };

function createModule(): AmmoModule {
  // Minifiers rename classes; errors must use the names that programs know.
  for (const [name, type] of Object.entries(classes))
    Object.defineProperty(type, 'name', { value: name, configurable: true });
  const module = { ...classes, ...ENUMS, ...HELPERS, NULL: objects.wrapPointer(0) };
  addHeapViews(module);
  return module as AmmoModule;
}

/**
 * Loads the module. Like ammo.js's own factory it may be called with or without `new` and options, returns a
 * promise, and makes the module the global `Ammo` unless told otherwise.
 *
 * @param options  settings of the worlds that will be made (substeps, outerMargin, …); with `profile: 'bullet282'` they
 * step as Bullet 2.82 does, else by the native solver.
 * What ammo.js's factory takes besides (locateFile, TOTAL_MEMORY, …) is ignored.
 */
function Ammo(options: AmmoOptions | object = {}): Promise<AmmoModule> {
  return Promise.resolve().then(() => {
    defaults.options = known(options);
    const module = createModule();
    (globalThis as Record<string, unknown>)['Ammo'] = module;
    return module;
  });
}

/** Names of instances: `let body: Ammo.btRigidBody`, as with ammo.js's own declarations. */
declare namespace Ammo {
  type AllHitsRayResultCallback = InstanceType<typeof classes.AllHitsRayResultCallback>;
  type ClosestConvexResultCallback = InstanceType<typeof classes.ClosestConvexResultCallback>;
  type ClosestRayResultCallback = InstanceType<typeof classes.ClosestRayResultCallback>;
  type ConcreteContactResultCallback = InstanceType<typeof classes.ConcreteContactResultCallback>;
  type ContactResultCallback = InstanceType<typeof classes.ContactResultCallback>;
  type ConvexResultCallback = InstanceType<typeof classes.ConvexResultCallback>;
  type DebugDrawer = InstanceType<typeof classes.DebugDrawer>;
  type LocalConvexResult = InstanceType<typeof classes.LocalConvexResult>;
  type LocalShapeInfo = InstanceType<typeof classes.LocalShapeInfo>;
  type MotionState = InstanceType<typeof classes.MotionState>;
  type RayResultCallback = InstanceType<typeof classes.RayResultCallback>;
  type RaycastInfo = InstanceType<typeof classes.RaycastInfo>;
  type VoidPtr = InstanceType<typeof classes.VoidPtr>;
  type WrapperObject = InstanceType<typeof classes.WrapperObject>;
  type btAABB = InstanceType<typeof classes.btAABB>;
  type btActivatingCollisionAlgorithm = InstanceType<typeof classes.btActivatingCollisionAlgorithm>;
  type btCollisionAlgorithm = InstanceType<typeof classes.btCollisionAlgorithm>;
  type btCollisionAlgorithmConstructionInfo = InstanceType<
    typeof classes.btCollisionAlgorithmConstructionInfo
  >;
  type btGImpactCollisionAlgorithm = InstanceType<typeof classes.btGImpactCollisionAlgorithm>;
  type btGImpactMeshShapePart = InstanceType<typeof classes.btGImpactMeshShapePart>;
  type btGImpactShapeInterface = InstanceType<typeof classes.btGImpactShapeInterface>;
  type btPrimitiveManagerBase = InstanceType<typeof classes.btPrimitiveManagerBase>;
  type btPrimitiveTriangle = InstanceType<typeof classes.btPrimitiveTriangle>;
  type btTetrahedronShapeEx = InstanceType<typeof classes.btTetrahedronShapeEx>;
  type btTriangleShapeEx = InstanceType<typeof classes.btTriangleShapeEx>;
  type CompoundPrimitiveManager = InstanceType<typeof classes.CompoundPrimitiveManager>;
  type TrimeshPrimitiveManager = InstanceType<typeof classes.TrimeshPrimitiveManager>;
  type btActionInterface = InstanceType<typeof classes.btActionInterface>;
  type btAxisSweep3 = InstanceType<typeof classes.btAxisSweep3>;
  type btBoxShape = InstanceType<typeof classes.btBoxShape>;
  type btBroadphaseInterface = InstanceType<typeof classes.btBroadphaseInterface>;
  type btBroadphaseProxy = InstanceType<typeof classes.btBroadphaseProxy>;
  type btBvhTriangleMeshShape = InstanceType<typeof classes.btBvhTriangleMeshShape>;
  type btCapsuleShape = InstanceType<typeof classes.btCapsuleShape>;
  type btCapsuleShapeX = InstanceType<typeof classes.btCapsuleShapeX>;
  type btCapsuleShapeZ = InstanceType<typeof classes.btCapsuleShapeZ>;
  type btCollisionConfiguration = InstanceType<typeof classes.btCollisionConfiguration>;
  type btCollisionDispatcher = InstanceType<typeof classes.btCollisionDispatcher>;
  type btCollisionObject = InstanceType<typeof classes.btCollisionObject>;
  type btCollisionObjectWrapper = InstanceType<typeof classes.btCollisionObjectWrapper>;
  type btCollisionShape = InstanceType<typeof classes.btCollisionShape>;
  type btCollisionWorld = InstanceType<typeof classes.btCollisionWorld>;
  type btCompoundShape = InstanceType<typeof classes.btCompoundShape>;
  type btConcaveShape = InstanceType<typeof classes.btConcaveShape>;
  type btConeShape = InstanceType<typeof classes.btConeShape>;
  type btConeShapeX = InstanceType<typeof classes.btConeShapeX>;
  type btConeShapeZ = InstanceType<typeof classes.btConeShapeZ>;
  type btConeTwistConstraint = InstanceType<typeof classes.btConeTwistConstraint>;
  type btConstCollisionObjectArray = InstanceType<typeof classes.btConstCollisionObjectArray>;
  type btConstraintSetting = InstanceType<typeof classes.btConstraintSetting>;
  type btConstraintSolver = InstanceType<typeof classes.btConstraintSolver>;
  type btContactSolverInfo = InstanceType<typeof classes.btContactSolverInfo>;
  type btConvexHullShape = InstanceType<typeof classes.btConvexHullShape>;
  type btConvexPolyhedron = InstanceType<typeof classes.btConvexPolyhedron>;
  type btConvexShape = InstanceType<typeof classes.btConvexShape>;
  type btConvexTriangleMeshShape = InstanceType<typeof classes.btConvexTriangleMeshShape>;
  type btCylinderShape = InstanceType<typeof classes.btCylinderShape>;
  type btCylinderShapeX = InstanceType<typeof classes.btCylinderShapeX>;
  type btCylinderShapeZ = InstanceType<typeof classes.btCylinderShapeZ>;
  type btDbvtBroadphase = InstanceType<typeof classes.btDbvtBroadphase>;
  type btDefaultCollisionConfiguration = InstanceType<typeof classes.btDefaultCollisionConfiguration>;
  type btDefaultCollisionConstructionInfo = InstanceType<typeof classes.btDefaultCollisionConstructionInfo>;
  type btDefaultMotionState = InstanceType<typeof classes.btDefaultMotionState>;
  type btDefaultSoftBodySolver = InstanceType<typeof classes.btDefaultSoftBodySolver>;
  type btDefaultVehicleRaycaster = InstanceType<typeof classes.btDefaultVehicleRaycaster>;
  type btDiscreteDynamicsWorld = InstanceType<typeof classes.btDiscreteDynamicsWorld>;
  type btDispatcher = InstanceType<typeof classes.btDispatcher>;
  type btDispatcherInfo = InstanceType<typeof classes.btDispatcherInfo>;
  type btDynamicsWorld = InstanceType<typeof classes.btDynamicsWorld>;
  type btEmptyShape = InstanceType<typeof classes.btEmptyShape>;
  type btFace = InstanceType<typeof classes.btFace>;
  type btFaceArray = InstanceType<typeof classes.btFaceArray>;
  type btFixedConstraint = InstanceType<typeof classes.btFixedConstraint>;
  type btGImpactCompoundShape = InstanceType<typeof classes.btGImpactCompoundShape>;
  type btGImpactMeshShape = InstanceType<typeof classes.btGImpactMeshShape>;
  type btGeneric6DofConstraint = InstanceType<typeof classes.btGeneric6DofConstraint>;
  type btGeneric6DofSpringConstraint = InstanceType<typeof classes.btGeneric6DofSpringConstraint>;
  type btGhostObject = InstanceType<typeof classes.btGhostObject>;
  type btGhostPairCallback = InstanceType<typeof classes.btGhostPairCallback>;
  type btHeightfieldTerrainShape = InstanceType<typeof classes.btHeightfieldTerrainShape>;
  type btHingeConstraint = InstanceType<typeof classes.btHingeConstraint>;
  type btIDebugDraw = InstanceType<typeof classes.btIDebugDraw>;
  type btIndexedMesh = InstanceType<typeof classes.btIndexedMesh>;
  type btIndexedMeshArray = InstanceType<typeof classes.btIndexedMeshArray>;
  type btIntArray = InstanceType<typeof classes.btIntArray>;
  type btKinematicCharacterController = InstanceType<typeof classes.btKinematicCharacterController>;
  type btManifoldPoint = InstanceType<typeof classes.btManifoldPoint>;
  type btMatrix3x3 = InstanceType<typeof classes.btMatrix3x3>;
  type btMotionState = InstanceType<typeof classes.btMotionState>;
  type btMultiSphereShape = InstanceType<typeof classes.btMultiSphereShape>;
  type btOverlappingPairCache = InstanceType<typeof classes.btOverlappingPairCache>;
  type btOverlappingPairCallback = InstanceType<typeof classes.btOverlappingPairCallback>;
  type btPairCachingGhostObject = InstanceType<typeof classes.btPairCachingGhostObject>;
  type btPersistentManifold = InstanceType<typeof classes.btPersistentManifold>;
  type btPoint2PointConstraint = InstanceType<typeof classes.btPoint2PointConstraint>;
  type btQuadWord = InstanceType<typeof classes.btQuadWord>;
  type btQuaternion = InstanceType<typeof classes.btQuaternion>;
  type btRaycastVehicle = InstanceType<typeof classes.btRaycastVehicle>;
  type btRigidBody = InstanceType<typeof classes.btRigidBody>;
  type btRigidBodyConstructionInfo = InstanceType<typeof classes.btRigidBodyConstructionInfo>;
  type btScalarArray = InstanceType<typeof classes.btScalarArray>;
  type btScaledBvhTriangleMeshShape = InstanceType<typeof classes.btScaledBvhTriangleMeshShape>;
  type btSequentialImpulseConstraintSolver = InstanceType<typeof classes.btSequentialImpulseConstraintSolver>;
  type btShapeHull = InstanceType<typeof classes.btShapeHull>;
  type btSliderConstraint = InstanceType<typeof classes.btSliderConstraint>;
  type btSoftBody = InstanceType<typeof classes.btSoftBody>;
  type btSoftBodyArray = InstanceType<typeof classes.btSoftBodyArray>;
  type btSoftBodyHelpers = InstanceType<typeof classes.btSoftBodyHelpers>;
  type btSoftBodyRigidBodyCollisionConfiguration = InstanceType<
    typeof classes.btSoftBodyRigidBodyCollisionConfiguration
  >;
  type btSoftBodySolver = InstanceType<typeof classes.btSoftBodySolver>;
  type btSoftBodyWorldInfo = InstanceType<typeof classes.btSoftBodyWorldInfo>;
  type btSoftRigidDynamicsWorld = InstanceType<typeof classes.btSoftRigidDynamicsWorld>;
  type btSphereShape = InstanceType<typeof classes.btSphereShape>;
  type btStaticPlaneShape = InstanceType<typeof classes.btStaticPlaneShape>;
  type btStridingMeshInterface = InstanceType<typeof classes.btStridingMeshInterface>;
  type btTransform = InstanceType<typeof classes.btTransform>;
  type btTriangleMesh = InstanceType<typeof classes.btTriangleMesh>;
  type btTriangleMeshShape = InstanceType<typeof classes.btTriangleMeshShape>;
  type btTypedConstraint = InstanceType<typeof classes.btTypedConstraint>;
  type btVector3 = InstanceType<typeof classes.btVector3>;
  type btVector3Array = InstanceType<typeof classes.btVector3Array>;
  type btVector4 = InstanceType<typeof classes.btVector4>;
  type btVehicleRaycaster = InstanceType<typeof classes.btVehicleRaycaster>;
  type btVehicleRaycasterResult = InstanceType<typeof classes.btVehicleRaycasterResult>;
  type btVehicleTuning = InstanceType<typeof classes.btVehicleTuning>;
  type btWheelInfo = InstanceType<typeof classes.btWheelInfo>;
  type btWheelInfoConstructionInfo = InstanceType<typeof classes.btWheelInfoConstructionInfo>;
}

export default Ammo;
