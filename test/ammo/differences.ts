// Where the facade is not what ammo.js is, by class or member, and why: the table of docs/ammo.md and its test read it.

/** Missing until a later version. */
export const NOT_YET: Record<string, string> = {};

/** There, and not the same. */
export const DIFFERS: Record<string, string> = {
  'btCollisionObject.setWorldTransform': 'wakes a sleeping body, and its motion state follows',
  'btCollisionObject.setAnisotropicFriction': 'checked only: friction is the same in all directions',
  'btCollisionObject.setContactProcessingThreshold':
    'checked only: contacts are kept up to the breaking threshold',
  'btCollisionObject.setRestitution': 'kept within 0 … 1: nothing gains energy',
  'btCollisionObject.setInterpolationWorldTransform': 'checked only: a body is drawn where it was placed',
  'btCollisionObject.setInterpolationLinearVelocity':
    'checked only: poses are drawn from the body’s velocity',
  'btCollisionObject.setInterpolationAngularVelocity': 'checked only: likewise',
  'btCollisionObject.getInterpolationWorldTransform': 'the pose itself',
  'btCollisionObject.getInterpolationLinearVelocity': 'the velocity itself; 0 of what is no rigid body',
  'btCollisionObject.getInterpolationAngularVelocity': 'likewise',
  'btRigidBodyConstructionInfo.m_additionalDamping': 'kept, without effect: rest needs no extra damping',
  'btRigidBodyConstructionInfo.m_additionalDampingFactor': 'kept, without effect',
  'btRigidBodyConstructionInfo.m_additionalLinearDampingThresholdSqr': 'kept, without effect',
  'btRigidBodyConstructionInfo.m_additionalAngularDampingThresholdSqr': 'kept, without effect',
  'btRigidBodyConstructionInfo.m_additionalAngularDampingFactor': 'kept, without effect',
  'btRigidBody.updateInertiaTensor': 'nothing to do: moments are up to date always',
  'btRigidBody.getAabb': 'the box of the shape, without the margin of the broad phase',
  'btTypedConstraint.enableFeedback': 'nothing to do: impulses are there always',
  'btTypedConstraint.setParam':
    'STOP_CFM with STOP_ERP softens a limit or lock, CFM with ERP a point; others are kept for getParam: joints are exact',
  'btConeTwistConstraint.enableMotor':
    'at up to 9 rad/s, about each axis as strong as said, which Bullet 2.82 does not hold to',
  'btConstraintSetting.m_tau': 'kept, without effect: likewise',
  'btConstraintSetting.m_damping': 'kept, without effect: likewise',
  'btConstraintSetting.m_impulseClamp': 'kept, without effect: likewise',
  'btHingeConstraint.setLimit': 'softness, bias and relaxation are checked only: limits are hard',
  'btConeTwistConstraint.setDamping': 'checked only',
  'btGeneric6DofSpringConstraint.setStiffness':
    'an exact oscillator, at any stiffness; Bullet’s depends on the iterations',
  'btGeneric6DofSpringConstraint.setDamping': '1 is none and 0 is critical, as the meaning of Bullet’s share',
  'btConvexHullShape.initializePolyhedralFeatures': 'nothing to do: contacts of hulls use their faces always',
  'btConvexHullShape.recalcLocalAabb': 'nothing to do: boxes are up to date always',
  'btConvexHullShape.getConvexPolyhedron': 'there without initializePolyhedralFeatures; a copy to look at',
  'btConvexPolyhedron.m_vertices': 'of a copy',
  'btConvexPolyhedron.m_faces': 'of a copy',
  'btShapeHull.buildHull': 'corners of boxes and hulls themselves; 42 directions of round shapes, as Bullet',
  btBvhTriangleMeshShape: 'a tree is always built; faces collide on both sides, without bumps at edges',
  btHeightfieldTerrainShape: 'heights are copied when it is made; min and max do not clip them',
  btGImpactMeshShape:
    'on a body that moves convex pieces of the mesh collide, also with meshes and heightfields; on others the mesh',
  'btGImpactMeshShape.calculateSerializeBufferSize': '0: nothing is serialised',
  'TrimeshPrimitiveManager.get_indices': 'checked only: in ammo.js, too, no program gets at them',
  'btDispatcherInfo.m_timeStep': 'kept, without effect',
  'btDispatcherInfo.m_stepCount': 'kept, without effect',
  'btDispatcherInfo.m_dispatchFunc': 'kept, without effect',
  'btDispatcherInfo.m_timeOfImpact': 'kept, without effect',
  'btDispatcherInfo.m_useContinuous': 'kept, without effect: bodies have thresholds of their own',
  'btDispatcherInfo.m_enableSatConvex': 'kept, without effect',
  'btDispatcherInfo.m_enableSPU': 'kept, without effect',
  'btDispatcherInfo.m_useEpa': 'kept, without effect',
  'btDispatcherInfo.m_allowedCcdPenetration': 'kept, without effect',
  'btDispatcherInfo.m_useConvexConservativeDistanceUtil': 'kept, without effect',
  'btDispatcherInfo.m_convexConservativeDistanceThreshold': 'kept, without effect',
  'btContactSolverInfo.m_splitImpulsePenetrationThreshold':
    'kept, without effect: every depth is treated alike',
  'btOverlappingPairCache.setInternalGhostPairCallback': 'nothing to do: ghosts know their neighbours',
  'btCollisionWorld.updateSingleAabb': 'nothing to do: boxes are up to date always',
  'btCollisionWorld.convexSweepTest':
    'one shape moves straight; its turning between the two places is left out',
  'btDiscreteDynamicsWorld.setContactAddedCallback':
    'called after the step, with what the step found: what it changes on a point acts on the next',
  'btDiscreteDynamicsWorld.setContactProcessedCallback': 'likewise',
  'btDiscreteDynamicsWorld.setContactDestroyedCallback': 'likewise',
  'btKinematicCharacterController.playerStep':
    'stands 1 cm above the ground, where Bullet sinks 4 cm into it; does not creep down slopes, climbs steps at any speed, falls while it is told nothing, rides on what moves',
  'btKinematicCharacterController.setUseGhostSweepTest': 'nothing to do: there is one way to ask',
  'btKinematicCharacterController.setUpInterpolate': 'nothing to do: steps are climbed as far as they go',
  'btGhostObject.getNumOverlappingObjects': 'without setInternalGhostPairCallback, too',
  'btManifoldPoint.getDistance':
    'not above 0 where bodies press: Bullet sees a fast impact one step later, as an overlap',
  'btRaycastVehicle.setBrake':
    'wheels share what stops the car; in Bullet 2.82 it trembles when it stands, and creeps faster on a hill',
  'RaycastInfo.m_groundObject': 'the body that was hit; in Bullet one fixed body for all',
  btAxisSweep3: 'the same broad phase as btDbvtBroadphase, without bounds',
};
