// Where the facade is not what ammo.js is, by class or member, and why: the table of docs/ammo.md and its test read it.

/** Missing until a later version. */
export const NOT_YET: Record<string, string> = {};

/** There, and not the same. */
export const DIFFERS: Record<string, string> = {
  'btCollisionObject.setWorldTransform': 'wakes a sleeping body, and its motion state follows',
  'btCollisionObject.setAnisotropicFriction': 'checked only: friction is the same in all directions',
  'btCollisionObject.setContactProcessingThreshold':
    'checked only: contacts are kept up to the breaking threshold',
  'btCollisionObject.setRestitution': 'limited to 0 … 1: no impact adds energy',
  'btCollisionObject.setInterpolationWorldTransform': 'checked only: a body is drawn where it was placed',
  'btCollisionObject.setInterpolationLinearVelocity':
    'checked only: drawn poses are computed from the velocity of the body',
  'btCollisionObject.setInterpolationAngularVelocity':
    'checked only: drawn poses are computed from the velocity of the body',
  'btCollisionObject.getInterpolationWorldTransform': 'returns the pose',
  'btCollisionObject.getInterpolationLinearVelocity':
    'returns the velocity; 0 if the object is not a rigid body',
  'btCollisionObject.getInterpolationAngularVelocity':
    'returns the angular velocity; 0 if the object is not a rigid body',
  btDefaultMotionState:
    'an offset of the centre of mass is in the frame of the graphics; Bullet 2.82 takes it off along the axes of the world',
  AllHitsRayResultCallback:
    'hits are in order; two triangles of a mesh within 0.1 mm along the ray are one hit',
  'btRigidBodyConstructionInfo.m_additionalDamping': 'kept, without effect: rest needs no extra damping',
  'btRigidBodyConstructionInfo.m_additionalDampingFactor': 'kept, without effect',
  'btRigidBodyConstructionInfo.m_additionalLinearDampingThresholdSqr': 'kept, without effect',
  'btRigidBodyConstructionInfo.m_additionalAngularDampingThresholdSqr': 'kept, without effect',
  'btRigidBodyConstructionInfo.m_additionalAngularDampingFactor': 'kept, without effect',
  'btRigidBody.setAngularFactor':
    'a locked axis stays still; in Bullet 2.82 torques turn it, if the moments of the body differ',
  'btRigidBody.updateInertiaTensor': 'does nothing: moments are always up to date',
  'btRigidBody.getAabb': 'the box of the shape, without the margin of the broad phase',
  'btTypedConstraint.enableFeedback': 'does nothing: impulses are always available',
  'btTypedConstraint.setParam':
    'STOP_CFM with STOP_ERP softens a limit or lock, CFM with ERP a point; other values are kept for getParam, without effect: joints are exact',
  'btConeTwistConstraint.enableMotor':
    'drives at up to 9 rad/s, with the given strength about each axis; Bullet 2.82 exceeds it',
  'btConstraintSetting.m_tau': 'kept, without effect: joints are exact',
  'btConstraintSetting.m_damping': 'kept, without effect: joints are exact',
  'btHingeConstraint.setLimit': 'softness, bias and relaxation are checked only: limits are hard',
  'btConeTwistConstraint.setDamping': 'checked only',
  'btGeneric6DofSpringConstraint.setStiffness':
    'an exact oscillator, at any stiffness; Bullet’s depends on the iterations',
  'btGeneric6DofSpringConstraint.setDamping': '1 is no damping and 0 is critical damping, as Bullet intends',
  'btConvexHullShape.initializePolyhedralFeatures': 'does nothing: contacts of hulls always use their faces',
  'btConvexHullShape.recalcLocalAabb': 'concerns the margin only: the points are always in the bounding box',
  'btConvexHullShape.getConvexPolyhedron': 'works without initializePolyhedralFeatures; returns a copy',
  'btConvexPolyhedron.m_vertices': 'of a copy: changes have no effect',
  'btConvexPolyhedron.m_faces': 'of a copy: changes have no effect',
  'btShapeHull.buildHull':
    'gives the corners of boxes and hulls; for round shapes support points in 42 directions, as Bullet',
  btBvhTriangleMeshShape: 'a tree is always built; faces collide on both sides, without bumps at edges',
  btHeightfieldTerrainShape:
    'heights are copied when the shape is made; the minimum and maximum do not clip them',
  btGImpactMeshShape:
    'on a dynamic body, convex pieces of the mesh collide, also with meshes and heightfields; on other bodies, the mesh itself',
  'btGImpactMeshShape.calculateSerializeBufferSize': 'returns 0: there is no serialisation',
  'TrimeshPrimitiveManager.get_indices': 'checked only: programs cannot read the indices in ammo.js either',
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
    'kept, without effect: all depths are treated alike',
  'btOverlappingPairCache.setInternalGhostPairCallback': 'does nothing: ghosts always know what they overlap',
  'btCollisionWorld.updateSingleAabb': 'does nothing: bounding boxes are always up to date',
  'btCollisionWorld.convexSweepTest':
    'the shape moves along a straight line; its rotation between the two poses is left out',
  'btDiscreteDynamicsWorld.setContactAddedCallback':
    'called after the step, with the points that it found: a change of a point takes effect in the next step',
  'btDiscreteDynamicsWorld.setContactProcessedCallback': 'called after the step, as setContactAddedCallback',
  'btDiscreteDynamicsWorld.setContactDestroyedCallback': 'called after the step, as setContactAddedCallback',
  'btKinematicCharacterController.playerStep':
    'stands 1 cm above the ground, where Bullet sinks 4 cm into it; does not creep down slopes, climbs steps at any speed, falls while it has no input, is carried by what it stands on',
  'btKinematicCharacterController.setUseGhostSweepTest': 'does nothing: there is only one kind of query',
  'btKinematicCharacterController.setUpInterpolate':
    'does nothing: a character rises only as far as the step is high',
  'btGhostObject.getNumOverlappingObjects': 'also works without setInternalGhostPairCallback',
  'btManifoldPoint.getDistance':
    'not above 0 where bodies press on each other; Bullet sees a fast impact one step later, as an overlap',
  'btRaycastVehicle.setBrake':
    'the wheels share the impulse that stops the car; in Bullet 2.82 the car trembles when it stands, and creeps down a hill',
  'RaycastInfo.m_groundObject': 'the body that was hit; in Bullet one fixed body for all',
  btAxisSweep3: 'the same broad phase as btDbvtBroadphase, without bounds',
};
