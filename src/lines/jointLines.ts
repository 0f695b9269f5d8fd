// Debug lines of joints: anchors, both frames, limits. In: the core's tables, the records of the replica. Out:
// segments. Frame A is drawn with arcs and bars for the allowed range, frame B with a longer x axis, which shows its
// position in the range.

import { MAX_SLOT } from '../base/ids';
import { cos, sin, type Vec3 } from '../base/math';
import { JOINT_BROKEN, JOINT_CONE_TWIST } from '../core/memory/constants';
import type { JointRecord } from '../options/joints';
import { FRAMELESS, JOINT_TABLE, JOINT_TYPES } from '../options/jointTypes';
import { Body, Joint } from '../wasm/core-layout';
import type { CoreInstance } from '../wasm/instance';
import { jointAnchors, jointAt, jointFrameAxes } from './jointPlaces';

interface Writer {
  color: number;
  line(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void;
}

const JOINT_COLOR = 0x40c0ff;
const LIMIT_COLOR = 0xffd040;
const BROKEN_COLOR = 0xff2020;
/** m. */
const AXIS_LENGTH = 0.2;
const SIDE_LENGTH = 0.1;
const ARC_RADIUS = 0.3;
const ARC_SEGMENTS = 12;
const CONE_SEGMENTS = 24;

export function drawJoint(instance: CoreInstance, joint: JointRecord, writer: Writer): void {
  const { words, floats } = instance;
  const [slot, slotA, slotB] = [joint.id & MAX_SLOT, joint.bodyA & MAX_SLOT, joint.bodyB & MAX_SLOT];
  const isBroken = (words[jointAt(instance, slot) + (Joint.flags >> 2)]! & JOINT_BROKEN) !== 0;
  const { a, b } = jointAnchors(instance, slot, slotA, slotB);
  const center = (body: number): Vec3 => {
    const at = instance.table('bodies') + body * (Body.SIZE >> 2) + (Body.position >> 2);
    return [floats[at]!, floats[at + 1]!, floats[at + 2]!];
  };
  writer.color = isBroken ? BROKEN_COLOR : JOINT_COLOR;
  if (slotA !== 0) writer.line(...center(slotA), ...a);
  if (slotB !== 0) writer.line(...center(slotB), ...b);
  const type = JOINT_TYPES[joint.type]!;
  if (JOINT_TABLE[type].anchors !== 'none') writer.line(...a, ...b);
  if (FRAMELESS.includes(type)) return;
  const axes = jointFrameAxes(instance, slot, slotA, false);
  for (const [from, frame] of [
    [a, axes],
    [b, jointFrameAxes(instance, slot, slotB, true)],
  ] as const)
    frame.forEach((axis, i) => {
      writer.line(...from, ...along(from, axis, i === 0 ? AXIS_LENGTH : SIDE_LENGTH));
    });
  if (isBroken) return;
  writer.color = LIMIT_COLOR;
  if (joint.type === JOINT_CONE_TWIST) drawCone(joint, a, axes, writer);
  joint.axes.forEach(([, low, high], i) => {
    if (low >= high || (joint.type === JOINT_CONE_TWIST && i > 3)) return;
    if (i < 3) drawBar(a, axes[i]!, axes[(i + 1) % 3]!, low, high, writer);
    else drawArc(a, axes[(i + 1) % 3]!, axes[(i + 2) % 3]!, low, high, writer);
  });
}

const along = (from: Vec3, axis: Vec3, length: number): Vec3 => [
  from[0] + length * axis[0],
  from[1] + length * axis[1],
  from[2] + length * axis[2],
];

/** From the lower to the upper limit, with an end mark at each. */
function drawBar(from: Vec3, axis: Vec3, side: Vec3, low: number, high: number, writer: Writer): void {
  const ends = [along(from, axis, low), along(from, axis, high)] as const;
  writer.line(...ends[0], ...ends[1]);
  for (const end of ends) writer.line(...along(end, side, -SIDE_LENGTH), ...along(end, side, SIDE_LENGTH));
}

/** Where the axis that stands at `zero` may turn towards `quarter`. */
function drawArc(from: Vec3, zero: Vec3, quarter: Vec3, low: number, high: number, writer: Writer): void {
  const first = Math.max(low, -Math.PI);
  const last = Math.min(high, Math.PI);
  const place = (angle: number) =>
    along(along(from, zero, ARC_RADIUS * cos(angle)), quarter, ARC_RADIUS * sin(angle));
  writer.line(...from, ...place(first));
  writer.line(...from, ...place(last));
  for (let i = 0; i < ARC_SEGMENTS; i++) {
    const at = (k: number) => place(first + ((last - first) * k) / ARC_SEGMENTS);
    writer.line(...at(i), ...at(i + 1));
  }
}

function drawCone(joint: JointRecord, from: Vec3, axes: Vec3[], writer: Writer): void {
  const [y, z] = [joint.axes[4]!, joint.axes[5]!];
  if (y[1] > y[2] || z[1] > z[2]) return;
  const place = (i: number): Vec3 => {
    const around = (2 * Math.PI * i) / CONE_SEGMENTS;
    // x turned by the angles about y and z, both at once.
    const [aboutY, aboutZ] = [y[2] * cos(around), z[2] * sin(around)];
    const angle = Math.sqrt(aboutY * aboutY + aboutZ * aboutZ);
    const share = angle > 0 ? sin(angle) / angle : 0;
    const tip = along(from, axes[0]!, ARC_RADIUS * cos(angle));
    return along(along(tip, axes[1]!, ARC_RADIUS * share * aboutZ), axes[2]!, -ARC_RADIUS * share * aboutY);
  };
  for (let i = 0; i < CONE_SEGMENTS; i++) {
    writer.line(...place(i), ...place(i + 1));
    if (i % 6 === 0) writer.line(...from, ...place(i));
  }
}
