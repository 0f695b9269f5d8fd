// Entry of `ricochet/ragdoll`: ragdolls of named skeletons. In: bones at rest, poses of an animation. Out: bodies and joints in
// a world, in process or in a worker, motors that follow the animation, poses to draw. Without three.js; `ricochet/three`
// has them for a SkinnedMesh.
export type { Lying } from './lying';
export { type BoneRole, type BoneRoles, findHumanoid, humanoidOfVrm } from './names';
export {
  planRagdoll,
  type RagdollPart,
  type RagdollPlan,
  type RagdollPlanOptions,
  type SkeletonBone,
} from './plan';
export {
  Ragdoll,
  type RagdollBody,
  type RagdollJoint,
  type RagdollMode,
  type RagdollOptions,
  type RagdollWorld,
} from './ragdoll';
