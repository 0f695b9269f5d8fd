// Types of attributes. In ammo.js each attribute has `name`, `get_name()` and `set_name(value)`; object.ts creates all
// three at run time from one list per class, and this file declares them for the type checker.
import type { btCollisionObject } from './collisionObject';
import type { btVector3Array } from './hulls';
import type { btBroadphaseInterface, btDispatcher } from './infrastructure';
import type { btPersistentManifold } from './manifolds';
import type { btStridingMeshInterface } from './meshes';
import type { btTransform } from './transform';
import type { btVector3 } from './vector';

/** Each attribute with its two functions. */
type Attributes<T> = T & { [K in keyof T & string as `get_${K}`]: () => T[K] } & {
  [K in keyof T & string as `set_${K}`]: (value: T[K]) => void;
};

type Filters = Attributes<{
  m_collisionFilterGroup: number;
  m_collisionFilterMask: number;
  m_closestHitFraction: number;
}>;
type Flags = Attributes<{ m_flags: number }>;
type RayEnds = Attributes<{ m_rayFromWorld: btVector3; m_rayToWorld: btVector3 }>;

declare module './results' {
  interface RayResultCallback extends Filters, Flags, Attributes<{ m_collisionObject: btCollisionObject }> {}
  interface ClosestRayResultCallback
    extends RayEnds,
      Attributes<{ m_hitNormalWorld: btVector3; m_hitPointWorld: btVector3 }> {}
  interface AllHitsRayResultCallback
    extends RayEnds,
      Attributes<{
        m_collisionObjects: btConstCollisionObjectArray;
        m_hitNormalWorld: btVector3Array;
        m_hitPointWorld: btVector3Array;
        m_hitFractions: btScalarArray;
      }> {}
  interface LocalShapeInfo extends Attributes<{ m_shapePart: number; m_triangleIndex: number }> {}
  interface LocalConvexResult
    extends Attributes<{
      m_hitCollisionObject: btCollisionObject;
      m_localShapeInfo: LocalShapeInfo;
      m_hitNormalLocal: btVector3;
      m_hitPointLocal: btVector3;
      m_hitFraction: number;
    }> {}
  interface ConvexResultCallback extends Filters {}
  interface ClosestConvexResultCallback
    extends Attributes<{
      m_convexFromWorld: btVector3;
      m_convexToWorld: btVector3;
      m_hitNormalWorld: btVector3;
      m_hitPointWorld: btVector3;
      m_hitCollisionObject: btCollisionObject;
    }> {}
}

declare module './manifolds' {
  interface btManifoldPoint
    extends Attributes<{
      m_localPointA: btVector3;
      m_localPointB: btVector3;
      m_positionWorldOnA: btVector3;
      m_positionWorldOnB: btVector3;
      m_normalWorldOnB: btVector3;
      // biome-ignore lint/suspicious/noExplicitAny: whatever the program keeps with a point
      m_userPersistentData: any;
    }> {}
}

declare module './collisionObject' {
  interface btBroadphaseProxy
    extends Attributes<{ m_collisionFilterGroup: number; m_collisionFilterMask: number }> {}
}

declare module './rigidBody' {
  interface btRigidBodyConstructionInfo
    extends Attributes<{
      m_linearDamping: number;
      m_angularDamping: number;
      m_friction: number;
      m_rollingFriction: number;
      m_restitution: number;
      m_linearSleepingThreshold: number;
      m_angularSleepingThreshold: number;
      m_additionalDampingFactor: number;
      m_additionalLinearDampingThresholdSqr: number;
      m_additionalAngularDampingThresholdSqr: number;
      m_additionalAngularDampingFactor: number;
      m_additionalDamping: boolean;
    }> {}
}

declare module './world' {
  interface btSoftBodyWorldInfo
    extends Attributes<{
      air_density: number;
      water_density: number;
      water_offset: number;
      m_maxDisplacement: number;
      water_normal: btVector3;
      m_gravity: btVector3;
      m_broadphase: btBroadphaseInterface;
      m_dispatcher: btDispatcher;
    }> {}
}

declare module './infrastructure' {
  interface btDispatcherInfo
    extends Attributes<{
      m_timeStep: number;
      m_stepCount: number;
      m_dispatchFunc: number;
      m_timeOfImpact: number;
      m_useContinuous: boolean;
      m_enableSatConvex: boolean;
      m_enableSPU: boolean;
      m_useEpa: boolean;
      m_allowedCcdPenetration: number;
      m_useConvexConservativeDistanceUtil: boolean;
      m_convexConservativeDistanceThreshold: number;
    }> {}
  interface btContactSolverInfo
    extends Attributes<{
      m_splitImpulse: boolean;
      m_splitImpulsePenetrationThreshold: number;
      m_numIterations: number;
    }> {}
}

declare module './constraints' {
  interface btConstraintSetting
    extends Attributes<{ m_tau: number; m_damping: number; m_impulseClamp: number }> {}
  interface btPoint2PointConstraint extends Attributes<{ m_setting: btConstraintSetting }> {}
}

declare module './wheels' {
  interface btVehicleTuning
    extends Attributes<{
      m_suspensionStiffness: number;
      m_suspensionCompression: number;
      m_suspensionDamping: number;
      m_maxSuspensionTravelCm: number;
      m_frictionSlip: number;
      m_maxSuspensionForce: number;
    }> {}
  interface btVehicleRaycasterResult
    extends Attributes<{
      m_hitPointInWorld: btVector3;
      m_hitNormalInWorld: btVector3;
      m_distFraction: number;
    }> {}
  interface RaycastInfo
    extends Attributes<{
      m_contactNormalWS: btVector3;
      m_contactPointWS: btVector3;
      m_hardPointWS: btVector3;
      m_wheelDirectionWS: btVector3;
      m_wheelAxleWS: btVector3;
      m_suspensionLength: number;
      m_isInContact: boolean;
      // biome-ignore lint/suspicious/noExplicitAny: a pointer
      m_groundObject: any;
    }> {}
  interface btWheelInfoConstructionInfo
    extends Attributes<{
      m_chassisConnectionCS: btVector3;
      m_wheelDirectionCS: btVector3;
      m_wheelAxleCS: btVector3;
      m_suspensionRestLength: number;
      m_maxSuspensionTravelCm: number;
      m_wheelRadius: number;
      m_suspensionStiffness: number;
      m_wheelsDampingCompression: number;
      m_wheelsDampingRelaxation: number;
      m_frictionSlip: number;
      m_maxSuspensionForce: number;
      m_bIsFrontWheel: boolean;
    }> {}
  interface btWheelInfo
    extends Attributes<{
      m_suspensionStiffness: number;
      m_frictionSlip: number;
      m_engineForce: number;
      m_rollInfluence: number;
      m_suspensionRestLength1: number;
      m_wheelsRadius: number;
      m_wheelsDampingCompression: number;
      m_wheelsDampingRelaxation: number;
      m_steering: number;
      m_maxSuspensionForce: number;
      m_maxSuspensionTravelCm: number;
      m_wheelsSuspensionForce: number;
      m_bIsFrontWheel: boolean;
      m_raycastInfo: RaycastInfo;
      m_chassisConnectionPointCS: btVector3;
      m_worldTransform: btTransform;
      m_wheelDirectionCS: btVector3;
      m_wheelAxleCS: btVector3;
      m_rotation: number;
      m_deltaRotation: number;
      m_brake: number;
      m_clippedInvContactDotSuspension: number;
      m_suspensionRelativeVelocity: number;
      m_skidInfo: number;
    }> {}
}

declare module './hulls' {
  interface btFace extends Attributes<{ m_indices: btIntArray }> {}
  interface btConvexPolyhedron extends Attributes<{ m_vertices: btVector3Array; m_faces: btFaceArray }> {}
}

declare module './gimpact' {
  interface CompoundPrimitiveManager extends Attributes<{ m_compoundShape: btGImpactCompoundShape }> {}
  interface btCollisionAlgorithmConstructionInfo
    extends Attributes<{ m_dispatcher1: btDispatcher; m_manifold: btPersistentManifold }> {}
  interface TrimeshPrimitiveManager
    extends Attributes<{
      m_margin: number;
      m_meshInterface: btStridingMeshInterface;
      m_part: number;
      m_lock_count: number;
      numverts: number;
      type: number;
      stride: number;
      indexstride: number;
      numfaces: number;
      indicestype: number;
    }> {}
}
