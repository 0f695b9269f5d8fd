// Cleans up after bodies became NaN, infinite or absurdly fast ("lost"). In: bodies that were stopped, impulses of this
// step. Out: finite numbers in the tables of contacts and joints. An invalid impulse was also applied to a body, which
// is then lost, so only steps with a lost body need this.

import { BODY_USED, COLOR_COUNT, JOINT_AXIS_COUNT, JOINT_USED } from '../memory/constants';
import { BlockMeta, ContactBlock, Joint, JointAxis, PointMeta } from '../memory/records';
import {
  axisAt,
  BLOCK_SIZE,
  blockOf,
  bodyAt,
  colorAt,
  jointAt,
  metaOf,
  pointMetaAt,
  VELOCITY_SIZE,
  velocityAt,
  WORK_SIZE,
  workAt,
  world,
} from '../memory/tables';

const ARRIVAL: usize = offsetof<PointMeta>('arrival');

/** Replaces NaN and infinity by zero in rows of f32. */
function keepNumbers(at: usize, bytes: usize): void {
  const end = at + bytes;
  for (; at < end; at += 16) {
    const v = v128.load(at);
    v128.store(at, v128.and(v, f32x4.lt(f32x4.abs(v), f32x4.splat(f32.MAX_VALUE))));
  }
}

export function forgetLost(): void {
  const g = world();
  // Slot 0 is the dummy for everything that cannot move.
  memory.fill(changetype<usize>(velocityAt(0)), 0, VELOCITY_SIZE);
  for (let slot = 1; slot < g.bodyEnd; slot++)
    if (bodyAt(slot).flags & BODY_USED) keepNumbers(changetype<usize>(velocityAt(slot)), VELOCITY_SIZE);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      const block = changetype<usize>(blockOf(color, i));
      const first = offsetof<ContactBlock>('normalX');
      keepNumbers(block + first, BLOCK_SIZE - first);
      const meta = changetype<usize>(metaOf(color, i));
      const cached = offsetof<BlockMeta>('restitution');
      keepNumbers(meta + cached, offsetof<BlockMeta>('kinematic') - cached);
      for (let k = 0; k < 4; k++)
        keepNumbers(changetype<usize>(pointMetaAt(metaOf(color, i), k)) + ARRIVAL, 16);
    }
  }
  for (let slot = 1; slot < g.jointEnd; slot++) {
    const j = jointAt(slot);
    if (!(j.flags & JOINT_USED)) continue;
    memory.fill(changetype<usize>(workAt(slot)), 0, WORK_SIZE); // recomputed in the next step
    const impulses = offsetof<Joint>('pointImpulse');
    keepNumbers(changetype<usize>(j) + impulses, offsetof<Joint>('slot') - impulses);
    for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
      const values = changetype<usize>(axisAt(j, k)) + offsetof<JointAxis>('value');
      for (let o: usize = 0; o < 24; o += 4)
        if (!(abs<f32>(load<f32>(values + o)) < f32.MAX_VALUE)) store<f32>(values + o, 0);
    }
  }
}
