// Impulses and positions of watched joints, for a frame. In: ids that the page watches, the core's records. Out: one
// block per joint: its id (0 if it was removed), flags, impulse and angular impulse; then position and impulse of each
// axis.

import { type JointId, MAX_SLOT } from '../src/base/ids';
import { JOINT_AXIS_WORDS, jointAt, jointFlags } from '../src/lines/jointPlaces';
import { JointAxis, Joint as JointLayout } from '../src/wasm/core-layout';
import type { HostWorld } from './hostWorld';
import { JOINT_WORDS } from './protocol';

export function writeJoints(
  { instance, replica }: HostWorld,
  ids: readonly JointId[],
  words: Int32Array,
  floats: Float32Array,
  at: number,
): void {
  const from = instance.floats;
  for (let i = 0; i < ids.length; i++, at += JOINT_WORDS) {
    const id = ids[i] as JointId;
    const live = replica.joints.isLive(id);
    words[at] = live ? id : 0;
    if (!live) continue;
    const joint = jointAt(instance, id & MAX_SLOT);
    words[at + 1] = jointFlags(instance, joint);
    for (let k = 0; k < 3; k++) {
      floats[at + 2 + k] = from[joint + (JointLayout.linearTotal >> 2) + k] as number;
      floats[at + 5 + k] = from[joint + (JointLayout.angularTotal >> 2) + k] as number;
    }
    for (let k = 0; k < 6; k++) {
      const axis = joint + (JointLayout.axes >> 2) + k * JOINT_AXIS_WORDS;
      floats[at + 8 + 2 * k] = from[axis + (JointAxis.value >> 2)] as number;
      floats[at + 9 + 2 * k] = from[axis + (JointAxis.total >> 2)] as number;
    }
  }
}
