// Bones of known rigs are found by their names; of unknown ones the error says what is missing and what to do.
import { PhysicsError } from 'ricochet';
import { findHumanoid, humanoidOfVrm, planRagdoll, type SkeletonBone } from 'ricochet/ragdoll';
import { expect, test } from 'vitest';

/** Names for pelvis, spine, chest, neck, head; upper and lower arm, hand, upper and lower leg, foot of the left, of the right. */
const RIGS: Record<string, string> = {
  mixamo:
    'mixamorig:Hips mixamorig:Spine mixamorig:Spine2 mixamorig:Neck mixamorig:Head mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:RightArm mixamorig:RightForeArm mixamorig:RightHand mixamorig:RightUpLeg mixamorig:RightLeg mixamorig:RightFoot',
  'mixamo as three.js names it':
    'mixamorigHips mixamorigSpine mixamorigSpine2 mixamorigNeck mixamorigHead mixamorigLeftArm mixamorigLeftForeArm mixamorigLeftHand mixamorigLeftUpLeg mixamorigLeftLeg mixamorigLeftFoot mixamorigRightArm mixamorigRightForeArm mixamorigRightHand mixamorigRightUpLeg mixamorigRightLeg mixamorigRightFoot',
  vrm: 'hips spine chest neck head leftUpperArm leftLowerArm leftHand leftUpperLeg leftLowerLeg leftFoot rightUpperArm rightLowerArm rightHand rightUpperLeg rightLowerLeg rightFoot',
  vroid:
    'J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand J_Bip_L_UpperLeg J_Bip_L_LowerLeg J_Bip_L_Foot J_Bip_R_UpperArm J_Bip_R_LowerArm J_Bip_R_Hand J_Bip_R_UpperLeg J_Bip_R_LowerLeg J_Bip_R_Foot',
  unreal:
    'pelvis spine_01 spine_03 neck_01 head upperarm_l lowerarm_l hand_l thigh_l calf_l foot_l upperarm_r lowerarm_r hand_r thigh_r calf_r foot_r',
  rigify:
    'DEF-spine DEF-spine.001 DEF-spine.003 DEF-spine.004 DEF-spine.006 DEF-upper_arm.L DEF-forearm.L DEF-hand.L DEF-thigh.L DEF-shin.L DEF-foot.L DEF-upper_arm.R DEF-forearm.R DEF-hand.R DEF-thigh.R DEF-shin.R DEF-foot.R',
  biped:
    'Bip01_Pelvis Bip01_Spine Bip01_Spine2 Bip01_Neck Bip01_Head Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_R_UpperArm Bip01_R_Forearm Bip01_R_Hand Bip01_R_Thigh Bip01_R_Calf Bip01_R_Foot',
  RiggedFigure:
    'torso_joint_1 torso_joint_2 torso_joint_3 neck_joint_1 neck_joint_2 arm_joint_L_1 arm_joint_L_2 arm_joint_L_3 leg_joint_L_1 leg_joint_L_2 leg_joint_L_3 arm_joint_R_1 arm_joint_R_2 arm_joint_R_3 leg_joint_R_1 leg_joint_R_2 leg_joint_R_3',
  CesiumMan:
    'Skeleton_torso_joint_1 Skeleton_torso_joint_2 torso_joint_3 Skeleton_neck_joint_1 Skeleton_neck_joint_2 Skeleton_arm_joint_L__4_ Skeleton_arm_joint_L__3_ Skeleton_arm_joint_L__2_ leg_joint_L_1 leg_joint_L_2 leg_joint_L_3 Skeleton_arm_joint_R Skeleton_arm_joint_R__2_ Skeleton_arm_joint_R__3_ leg_joint_R_1 leg_joint_R_2 leg_joint_R_3',
};
const ORDER =
  'pelvis spine chest neck head leftUpperArm leftLowerArm leftHand leftUpperLeg leftLowerLeg leftFoot rightUpperArm rightLowerArm rightHand rightUpperLeg rightLowerLeg rightFoot'.split(
    ' ',
  );

/** What rigs have besides. */
const EXTRA =
  'root Root Armature twist_01_l LeftHandThumb1 mixamorig:LeftToeBase tail_01 IK_hand_gun hair.001'.split(
    ' ',
  );

test.each(Object.keys(RIGS))('%s', (rig) => {
  const names = RIGS[rig]!.split(' ');
  expect(findHumanoid([...EXTRA, ...names])).toEqual(
    Object.fromEntries(ORDER.map((role, i) => [role, names[i]])),
  );
});

test('the humanoid extension of VRM 0.x and 1.0', () => {
  const bones = RIGS['vrm']!.split(' ');
  const nodes = [{ name: 'root' }, ...bones.map((_, i) => ({ name: `node${i}` })), { name: 'upper' }];
  const wanted = Object.fromEntries(ORDER.map((role, i) => [role, `node${i}`]));
  const now = Object.fromEntries(bones.map((bone, i) => [bone, { node: i + 1 }]));
  const old = bones.map((bone, i) => ({ bone, node: i + 1 }));
  expect(humanoidOfVrm({ nodes, extensions: { VRMC_vrm: { humanoid: { humanBones: now } } } })).toEqual(
    wanted,
  );
  expect(humanoidOfVrm({ nodes, extensions: { VRM: { humanoid: { humanBones: old } } } })).toEqual(wanted);
  const upper = { ...now, upperChest: { node: 18 } };
  expect(humanoidOfVrm({ nodes, extensions: { VRMC_vrm: { humanoid: { humanBones: upper } } } }).chest).toBe(
    'upper',
  );
  for (const nothing of [undefined, null, {}, { extensions: {} }, { extensions: { VRM: {} } }])
    expect(humanoidOfVrm(nothing)).toEqual({});
});

const tail = (count: number): SkeletonBone[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `tail${i}`,
    parent: i - 1,
    position: [0, 1, -0.2 * i],
    rotation: [0, 0, 0, 1],
  }));

function refused(what: () => unknown): PhysicsError {
  try {
    what();
  } catch (error) {
    expect(error).toBeInstanceOf(PhysicsError);
    expect((error as PhysicsError).code).toBe('invalid-argument');
    return error as PhysicsError;
  }
  throw new Error('not refused');
}

test('an unknown skeleton is an error with its bones and two ways out; as a chain it is built', () => {
  const { message } = refused(() => planRagdoll(tail(6)));
  for (const word of ['pelvis', 'roles', "kind: 'chain'", 'tail0', 'tail5']) expect(message).toContain(word);
  const plan = planRagdoll(tail(6), { kind: 'chain' });
  expect(plan.parts.map(({ name }) => name)).toEqual(['tail0', 'tail1', 'tail2', 'tail3', 'tail4']);
  expect(plan.parts.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2, 3]);
  expect(plan.parts.every(({ mass }) => mass > 0)).toBe(true);
});

test('what is no skeleton is refused, by name', () => {
  const [bone] = tail(1) as [SkeletonBone];
  for (const bad of [undefined, null, [], 'tail', [null], [{ ...bone, name: 3 }], [bone, bone]])
    refused(() => planRagdoll(bad as never, { kind: 'chain' }));
  for (const change of [
    { parent: 0 },
    { parent: -2 },
    { parent: 0.5 },
    { position: [0, Number.NaN, 0] },
    { position: undefined },
    { rotation: [0, 0, 0] },
    { vertices: [1, 2] },
    { vertices: 'abc' },
    { vertices: [0, 0, Infinity] },
  ])
    refused(() => planRagdoll([{ ...bone, ...change } as never], { kind: 'chain' }));
  for (const options of [{ kind: 'horse' }, { mass: 0 }, { mass: Number.NaN }, { shapes: 'mesh' }])
    refused(() => planRagdoll(tail(3), { kind: 'chain', ...options } as never));
  expect(refused(() => planRagdoll(tail(3), { roles: { pelvis: 'hip' } })).argument).toBe('roles.pelvis');
  expect(refused(() => planRagdoll(tail(3), { roles: { pelvis: 'tail0', chest: 'tail0' } })).argument).toBe(
    'roles.chest',
  );
});
