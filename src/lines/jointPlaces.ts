// World poses of joints. In: the core's tables. Out: anchors and main axis of a joint.

import { rotate, type Vec3 } from '../base/math';
import { JOINT_BROKEN, JOINT_ENABLED } from '../core/memory/constants';
import { BodyPose, JointAxis, Joint as JointLayout } from '../wasm/core-layout';
import type { CoreInstance } from '../wasm/instance';

/** Words. */
const AXES = JointLayout.axes >> 2;
export const JOINT_AXIS_WORDS = JointAxis.SIZE >> 2;
const JOINT_WORDS = AXES + 6 * JOINT_AXIS_WORDS;
const POSE_WORDS = BodyPose.SIZE >> 2;

/** Index in `words` of the record in a slot. */
export function jointAt(instance: CoreInstance, slot: number): number {
  return instance.table('joints') + slot * JOINT_WORDS;
}

/** Where the limits of an axis are, by two bits of `jointFlags`: none, neither is met, one is. */
export const LIMIT_STATES = ['inside', 'low', 'high', 'free'] as const;
/** Where an axis stands against its limits. */
export type LimitState = (typeof LIMIT_STATES)[number];
/** Bits of `jointFlags` above two per axis. */
export const JOINT_IS_BROKEN = 1 << 12;
export const JOINT_IS_ENABLED = 1 << 13;

/** State of a joint at index `at`: two bits per axis, broken, enabled. */
export function jointFlags({ floats, words }: CoreInstance, at: number): number {
  const set = words[at + (JointLayout.flags >> 2)]!;
  let flags = 0;
  if (set & JOINT_BROKEN) flags |= JOINT_IS_BROKEN;
  else if (set & JOINT_ENABLED) flags |= JOINT_IS_ENABLED;
  for (let k = 0, axis = at + AXES; k < 6; k++, axis += JOINT_AXIS_WORDS) {
    let state = 0;
    if (floats[axis + (JointAxis.low >> 2)]! > floats[axis + (JointAxis.high >> 2)]!) state = 3;
    else if (floats[axis + (JointAxis.lowImpulse >> 2)]! > 0) state = 1;
    else if (floats[axis + (JointAxis.highImpulse >> 2)]! > 0) state = 2;
    flags |= state << (2 * k);
  }
  return flags;
}

const vec3At = ({ floats }: CoreInstance, at: number): Vec3 => [
  floats[at]!,
  floats[at + 1]!,
  floats[at + 2]!,
];
const quatAt = ({ floats }: CoreInstance, at: number) => floats.subarray(at, at + 4);

/** A direction of a body's frame in the world; slot 0 is the world itself. */
function turn(instance: CoreInstance, bodySlot: number, v: Vec3): Vec3 {
  if (bodySlot === 0) return v;
  const pose = instance.table('poses') + bodySlot * POSE_WORDS;
  return rotate(quatAt(instance, pose + (BodyPose.qx >> 2)), v);
}

/** A point of a body's frame in the world. */
function place(instance: CoreInstance, bodySlot: number, point: Vec3): Vec3 {
  if (bodySlot === 0) return point;
  const [x, y, z] = turn(instance, bodySlot, point);
  const [px, py, pz] = vec3At(instance, instance.table('poses') + bodySlot * POSE_WORDS + (BodyPose.px >> 2));
  return [x + px, y + py, z + pz];
}

/** m; of the joint in a slot between the bodies in two others. */
export function jointAnchors(
  instance: CoreInstance,
  slot: number,
  bodySlotA: number,
  bodySlotB: number,
): { a: Vec3; b: Vec3 } {
  const at = jointAt(instance, slot);
  return {
    a: place(instance, bodySlotA, vec3At(instance, at + (JointLayout.localPositionA >> 2))),
    b: place(instance, bodySlotB, vec3At(instance, at + (JointLayout.localPositionB >> 2))),
  };
}

/** x, y, z of frame A, or of frame B, in the world. */
export function jointFrameAxes(instance: CoreInstance, slot: number, bodySlot: number, ofB: boolean): Vec3[] {
  const field = ofB ? JointLayout.localRotationB : JointLayout.localRotationA;
  const rotation = quatAt(instance, jointAt(instance, slot) + (field >> 2));
  return (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((v) => turn(instance, bodySlot, rotate(rotation, v)));
}

/** x of frame A. */
export function jointMainAxis(instance: CoreInstance, slot: number, bodySlotA: number): Vec3 {
  const rotation = quatAt(instance, jointAt(instance, slot) + (JointLayout.localRotationA >> 2));
  return turn(instance, bodySlotA, rotate(rotation, [1, 0, 0]));
}
