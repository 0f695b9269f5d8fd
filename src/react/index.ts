// Entry of `ricochet/react`: physics for react-three-fiber, with the names of @react-three/rapier for the same things.
// In: components and hooks. Out: bodies that live as long as their components, in a worker by default.
export type { ColliderApi, ColliderApi as RapierCollider } from './colliderApi';
export * from './colliders';
export type { PhysicsContext } from './context';
export { Debug, type DebugProps } from './Debug';
export {
  type Raycast,
  type RaycastHit,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useFilterContactPair,
  useFilterIntersectionPair,
  useFixedStep,
  usePhysics,
  useRapier,
  useRaycast,
  useSnapshot,
} from './hooks';
export {
  InstancedRigidBodies,
  type InstancedRigidBodiesProps,
  type InstancedRigidBodyProps,
} from './InstancedRigidBodies';
export * from './joints';
export type { Manifold } from './manifold';
export { ActiveCollisionTypes, CoefficientCombineRule, euler, interactionGroups, quat, vec3 } from './math';
export { Physics, type PhysicsProps, type WorkerOptions } from './Physics';
export { RigidBody, useRigidBodyContext } from './RigidBody';
export type { RigidBodyApi, RigidBodyApi as RapierRigidBody } from './rigidBodyApi';
export type { FixedStepCallback, PairHook, StepCallback } from './runtime';
export type * from './types';
