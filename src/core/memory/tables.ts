// Access to the tables and their growth. In: the world record. Out: records by slot. Tables grow by half, never inside
// the loops of a step over bodies or contacts. The allocator reuses the holes that they leave (allocator.ts), so growth
// does not leak. Growth can move a table: keep no address across a call that can grow it.
import { allocate, reallocate, release } from './allocator';
import { JOINT_AXIS_COUNT } from './constants';
import { WORLD_ADDRESS } from './map';
import {
  Area,
  Arrival,
  BatchArms,
  BatchBody,
  BatchJoint,
  BatchRow,
  Bearer,
  BlockMeta,
  Body,
  BodyMark,
  BodyPose,
  BodyVelocity,
  Character,
  Color,
  ContactBlock,
  ContactPointWide,
  Drive,
  FatBox,
  HighRatioBlock,
  ImpactManifold,
  Joint,
  JointAxis,
  JointBatch,
  JointRow,
  JointWork,
  Pair,
  PointMeta,
  Shape,
  StruckBody,
  Surface,
  TowerBody,
  TowerPatch,
  Vehicle,
  WaitingPair,
  Wheel,
} from './records';
import { world } from './world';

export { world } from './world';

// Strides of the tables. Each record is a whole multiple of its alignment.
export const BODY_SIZE: usize = offsetof<Body>();
export const VELOCITY_SIZE: usize = offsetof<BodyVelocity>();
export const WAITING_SIZE: usize = offsetof<WaitingPair>();
export const BOX_SIZE: usize = offsetof<FatBox>();
export const POSE_SIZE: usize = offsetof<BodyPose>();
export const SHAPE_SIZE: usize = offsetof<Shape>();
export const SURFACE_SIZE: usize = offsetof<Surface>();
export const AREA_SIZE: usize = offsetof<Area>();
export const VEHICLE_SIZE: usize = offsetof<Vehicle>();
export const WHEEL_SIZE: usize = offsetof<Wheel>();
export const CHARACTER_SIZE: usize = offsetof<Character>();
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

export const BATCH_SIZE: usize = offsetof<JointBatch>();
export const BATCH_BODY_SIZE: usize = offsetof<BatchBody>();
export const BATCH_JOINT_SIZE: usize = offsetof<BatchJoint>();
export const BATCH_ARMS_SIZE: usize = offsetof<BatchArms>();
export const BATCH_ROW_SIZE: usize = offsetof<BatchRow>();
export const DRIVE_SIZE: usize = offsetof<Drive>();
export const MARK_SIZE: usize = offsetof<BodyMark>();
export const HIGH_RATIO_SIZE: usize = offsetof<HighRatioBlock>('rows') + 31 * 16;
export const BEARER_SIZE: usize = offsetof<Bearer>();
export const TOWER_BODY_SIZE: usize = offsetof<TowerBody>();
export const TOWER_PATCH_SIZE: usize = offsetof<TowerPatch>();
export const ARRIVAL_SIZE: usize = offsetof<Arrival>();
export const IMPACT_MANIFOLD_SIZE: usize = offsetof<ImpactManifold>();
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
/**
 * m. Displacement of a body in this step, and in lane 3 a bound on how far rotation moves its points: by its velocity
 * until the solver has run, then the actual motion. 0 for bodies that are not awake. @inline
 */
export function motionOf(slot: i32): v128 {
  return v128.load(<usize>world().motions + ((<usize>slot) << 4));
}
export function setMotion(slot: i32, way: v128, turning: f32): void {
  v128.store(<usize>world().motions + ((<usize>slot) << 4), f32x4.replace_lane(way, 3, turning));
}
/** Adds to the motion. */
export function moveOn(slot: i32, way: v128, turning: f32): void {
  const motion = motionOf(slot);
  setMotion(slot, f32x4.add(motion, way), f32x4.extract_lane(motion, 3) + turning);
}
/** @inline */
export function boxAt(slot: i32): FatBox {
  return changetype<FatBox>(<usize>world().boxes + <usize>slot * BOX_SIZE);
}
/** @inline */
export function shapeAt(slot: i32): Shape {
  return changetype<Shape>(<usize>world().shapes + <usize>slot * SHAPE_SIZE);
}
/** @inline */
export function pairAt(index: i32): Pair {
  return changetype<Pair>(<usize>world().pairs + <usize>index * PAIR_SIZE);
}
/** Handle of block i of a colour. Pairs store it shifted left by two bits, with the lane below. @inline */
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
export function batchAt(index: i32): JointBatch {
  return changetype<JointBatch>(<usize>world().batches + <usize>index * BATCH_SIZE);
}
/** @inline */
export function batchBodyAt(u: JointBatch, index: i32): BatchBody {
  return changetype<BatchBody>(<usize>world().batchData + <usize>u.bodies + <usize>index * BATCH_BODY_SIZE);
}
/** @inline */
export function batchJointAt(u: JointBatch, index: i32): BatchJoint {
  return changetype<BatchJoint>(<usize>world().batchData + <usize>u.joints + <usize>index * BATCH_JOINT_SIZE);
}
/** @inline */
export function batchRowAt(u: JointBatch, index: i32): BatchRow {
  return changetype<BatchRow>(<usize>world().batchData + <usize>u.rows + <usize>index * BATCH_ROW_SIZE);
}
/** @inline */
export function batchArmsAt(u: JointBatch, index: i32): BatchArms {
  return changetype<BatchArms>(<usize>world().batchData + <usize>u.arms + <usize>index * BATCH_ARMS_SIZE);
}
/** @inline */
export function markAt(slot: i32): BodyMark {
  return changetype<BodyMark>(<usize>world().bodyMarks + <usize>slot * MARK_SIZE);
}
/** Word i of an i32 table. @inline */
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

/** The capacity after growth, at least `needed`. Growth by half, and not to the double, limits unused memory. */
export function grownCapacity(capacity: i32, needed: i32): i32 {
  let c = capacity < 16 ? 16 : capacity;
  while (c < needed) c += ((c >> 1) + 15) & ~15;
  return c;
}

/**
 * Makes room for `rows` rows in a table of the world. Rows can move. `field`: offset in World of the table's address;
 * its capacity must be the next field.
 */
export function growTable(field: usize, rows: i32, rowSize: usize): void {
  const at = <usize>WORLD_ADDRESS + field;
  const capacity = load<i32>(at, 4);
  if (rows <= capacity) return;
  const grown = grownCapacity(capacity, rows);
  store<u32>(at, reallocate(load<u32>(at), <usize>capacity * rowSize, <usize>grown * rowSize));
  store<i32>(at, grown, 4);
}

/** Scratch memory of at least `bytes`. Its content is valid only within the current stage. */
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
