// Access to the tables and their growth. In: the world record. Out: records by slot. Tables grow by half, never inside
// the per-body or per-contact loops of a step. The holes that they leave are reused (allocator.ts), so that growth does
// not leak. Addresses must not be kept across a call that can grow a table.
import { allocate, reallocate, release } from './allocator';
import { JOINT_AXIS_COUNT, WORLD_ADDRESS } from './constants';
import {
  Area,
  Arrival,
  Bearer,
  BlockMeta,
  Body,
  BodyMark,
  BodyPose,
  BodyVelocity,
  BundleArms,
  BundleBody,
  BundleJoint,
  BundleRow,
  Color,
  ContactBlock,
  ContactPointWide,
  Drive,
  Joint,
  JointAxis,
  JointBundle,
  JointRow,
  JointWork,
  Pair,
  PointMeta,
  Shape,
  StrainedBlock,
  Strike,
  StruckBody,
  Surface,
  WaitingPair,
} from './records';
import { world } from './world';

export { world } from './world';

// Strides of the tables; each record is a whole number of its own alignments.
export const BODY_SIZE: usize = offsetof<Body>();
export const VELOCITY_SIZE: usize = offsetof<BodyVelocity>();
export const WAITING_SIZE: usize = offsetof<WaitingPair>();
export const POSE_SIZE: usize = offsetof<BodyPose>();
export const SHAPE_SIZE: usize = offsetof<Shape>();
export const SURFACE_SIZE: usize = offsetof<Surface>();
export const AREA_SIZE: usize = offsetof<Area>();
export const PAIR_SIZE: usize = offsetof<Pair>();
export const COLOR_SIZE: usize = offsetof<Color>();
export const POINT_SIZE: usize = offsetof<ContactPointWide>();
/** Offset of the first point in a ContactBlock. */
export const POINTS_OFFSET: usize = offsetof<ContactBlock>('points');
export const BLOCK_SIZE: usize = POINTS_OFFSET + 4 * POINT_SIZE;
export const POINT_META_SIZE: usize = offsetof<PointMeta>();
/** Offset of the first point in a BlockMeta. */
export const POINT_METAS_OFFSET: usize = offsetof<BlockMeta>('points');
export const META_SIZE: usize = POINT_METAS_OFFSET + 4 * POINT_META_SIZE;
const BLOCK_BITS = 20;
const BLOCK_MASK = (1 << BLOCK_BITS) - 1;

export const BUNDLE_SIZE: usize = offsetof<JointBundle>();
export const BUNDLE_BODY_SIZE: usize = offsetof<BundleBody>();
export const BUNDLE_JOINT_SIZE: usize = offsetof<BundleJoint>();
export const BUNDLE_ARMS_SIZE: usize = offsetof<BundleArms>();
export const BUNDLE_ROW_SIZE: usize = offsetof<BundleRow>();
export const DRIVE_SIZE: usize = offsetof<Drive>();
export const MARK_SIZE: usize = offsetof<BodyMark>();
export const STRAINED_SIZE: usize = offsetof<StrainedBlock>('rows') + 31 * 16;
export const BEARER_SIZE: usize = offsetof<Bearer>();
export const ARRIVAL_SIZE: usize = offsetof<Arrival>();
export const STRIKE_SIZE: usize = offsetof<Strike>();
export const STRUCK_SIZE: usize = offsetof<StruckBody>();
const AXIS_SIZE: usize = offsetof<JointAxis>();
const ROW_SIZE: usize = offsetof<JointRow>();
export const JOINT_SIZE: usize = offsetof<Joint>('axes') + <usize>JOINT_AXIS_COUNT * AXIS_SIZE;
export const WORK_SIZE: usize = offsetof<JointWork>('rows') + <usize>JOINT_AXIS_COUNT * ROW_SIZE;

/** @inline */
export function bodyAt(slot: i32): Body {
  return changetype<Body>(<usize>world().bodies + <usize>slot * BODY_SIZE);
}
/** @inline */
export function velocityAt(slot: i32): BodyVelocity {
  return changetype<BodyVelocity>(<usize>world().velocities + <usize>slot * VELOCITY_SIZE);
}
/** @inline */
export function poseAt(slot: i32): BodyPose {
  return changetype<BodyPose>(<usize>world().poses + <usize>slot * POSE_SIZE);
}
/** @inline */
export function waitingAt(index: i32): WaitingPair {
  return changetype<WaitingPair>(<usize>world().waiting + <usize>index * WAITING_SIZE);
}
/** @inline */
export function reachOf(slot: i32): f64 {
  return load<f64>(<usize>world().reaches + ((<usize>slot) << 3));
}
/** @inline */
export function setReach(slot: i32, value: f64): void {
  store<f64>(<usize>world().reaches + ((<usize>slot) << 3), value);
}
/** @inline */
export function shapeAt(slot: i32): Shape {
  return changetype<Shape>(<usize>world().shapes + <usize>slot * SHAPE_SIZE);
}
/** @inline */
export function pairAt(index: i32): Pair {
  return changetype<Pair>(<usize>world().pairs + <usize>index * PAIR_SIZE);
}
/** The name of block i of a colour: pairs hold it, shifted by a lane. @inline */
export function blockHandle(color: i32, i: i32): i32 {
  return (color << BLOCK_BITS) | i;
}
export function blockAt(handle: i32): ContactBlock {
  return blockOf(colorAt(handle >> BLOCK_BITS), handle & BLOCK_MASK);
}
export function metaAt(handle: i32): BlockMeta {
  return metaOf(colorAt(handle >> BLOCK_BITS), handle & BLOCK_MASK);
}
/** @inline */
export function blockOf(color: Color, i: i32): ContactBlock {
  return changetype<ContactBlock>(<usize>color.blocks + <usize>i * BLOCK_SIZE);
}
/** @inline */
export function metaOf(color: Color, i: i32): BlockMeta {
  return changetype<BlockMeta>(<usize>color.meta + <usize>i * META_SIZE);
}
/** @inline */
export function colorAt(index: i32): Color {
  return changetype<Color>(<usize>world().colors + <usize>index * COLOR_SIZE);
}
/** @inline */
export function jointAt(slot: i32): Joint {
  return changetype<Joint>(<usize>world().joints + <usize>slot * JOINT_SIZE);
}
/** @inline */
export function workAt(slot: i32): JointWork {
  return changetype<JointWork>(<usize>world().jointWork + <usize>slot * WORK_SIZE);
}
/** @inline */
export function axisAt(joint: Joint, axis: i32): JointAxis {
  return changetype<JointAxis>(changetype<usize>(joint) + offsetof<Joint>('axes') + <usize>axis * AXIS_SIZE);
}
/** @inline */
export function rowAt(work: JointWork, axis: i32): JointRow {
  return changetype<JointRow>(changetype<usize>(work) + offsetof<JointWork>('rows') + <usize>axis * ROW_SIZE);
}
/** @inline */
export function bundleAt(index: i32): JointBundle {
  return changetype<JointBundle>(<usize>world().bundles + <usize>index * BUNDLE_SIZE);
}
/** @inline */
export function bundleBodyAt(u: JointBundle, index: i32): BundleBody {
  return changetype<BundleBody>(
    <usize>world().bundleData + <usize>u.bodies + <usize>index * BUNDLE_BODY_SIZE,
  );
}
/** @inline */
export function bundleJointAt(u: JointBundle, index: i32): BundleJoint {
  return changetype<BundleJoint>(
    <usize>world().bundleData + <usize>u.joints + <usize>index * BUNDLE_JOINT_SIZE,
  );
}
/** @inline */
export function bundleRowAt(u: JointBundle, index: i32): BundleRow {
  return changetype<BundleRow>(<usize>world().bundleData + <usize>u.rows + <usize>index * BUNDLE_ROW_SIZE);
}
/** @inline */
export function bundleArmsAt(u: JointBundle, index: i32): BundleArms {
  return changetype<BundleArms>(<usize>world().bundleData + <usize>u.arms + <usize>index * BUNDLE_ARMS_SIZE);
}
/** @inline */
export function markAt(slot: i32): BodyMark {
  return changetype<BodyMark>(<usize>world().bodyMarks + <usize>slot * MARK_SIZE);
}
/** Word i of a table of i32. @inline */
export function wordAt(table: u32, i: i32): i32 {
  return load<i32>(<usize>table + ((<usize>i) << 2));
}
/** @inline */
export function setWord(table: u32, i: i32, value: i32): void {
  store<i32>(<usize>table + ((<usize>i) << 2), value);
}
/** @inline */
export function pointAt(block: ContactBlock, i: i32): ContactPointWide {
  return changetype<ContactPointWide>(changetype<usize>(block) + POINTS_OFFSET + <usize>i * POINT_SIZE);
}

/** @inline */
export function pointMetaAt(meta: BlockMeta, i: i32): PointMeta {
  return changetype<PointMeta>(changetype<usize>(meta) + POINT_METAS_OFFSET + <usize>i * POINT_META_SIZE);
}

/** The next capacity that holds `needed`, growing by half from `capacity`: what is spare is memory too. */
export function grownCapacity(capacity: i32, needed: i32): i32 {
  let c = capacity < 16 ? 16 : capacity;
  while (c < needed) c += ((c >> 1) + 15) & ~15;
  return c;
}

/**
 * Room for so many rows in one of the world's tables; rows may move. `field`: offset in World of the table's address,
 * which its capacity follows.
 */
export function growTable(field: usize, rows: i32, rowSize: usize): void {
  const at = <usize>WORLD_ADDRESS + field;
  const capacity = load<i32>(at, 4);
  if (rows <= capacity) return;
  const grown = grownCapacity(capacity, rows);
  store<u32>(at, reallocate(load<u32>(at), <usize>capacity * rowSize, <usize>grown * rowSize));
  store<i32>(at, grown, 4);
}

/** Scratch of at least `bytes`; its content does not survive the stage. */
export function scratch(bytes: usize): usize {
  const g = world();
  if (<usize>g.scratchCapacity < bytes) {
    release(g.scratch, <usize>g.scratchCapacity);
    const capacity = grownCapacity(g.scratchCapacity, <i32>bytes);
    g.scratch = allocate(<usize>capacity);
    g.scratchCapacity = capacity;
  }
  return <usize>g.scratch;
}
