// Structures of joints, four side by side, in the form of their direct solver.

/**
 * A batch of up to four connected components of joints with the same form, side by side in lanes: their locked directions as rows
 * of one matrix J M⁻¹ Jᵀ. See solver/joints/batches.ts. Offsets are in bytes from World.batchData.
 * @unmanaged
 */
export class JointBatch {
  joints: i32; // BatchJoint[]
  bodies: i32; // BatchBody[]
  rows: i32; // BatchRow[]
  arms: i32; // BatchArms[], one per row
  values: i32; // v128[]: right hand sides, then impulses
  pivots: i32; // v128[]: 1/D
  matrix: i32; // v128[]: envelopes of L, row by row
  jointCount: i32;
  bodyCount: i32;
  rowCount: i32;
  lanes: i32; // in use
  direct: i32; // 1: whole components; 0: a joint per lane, solved in passes
  color: i32; // of those: no two lanes share a body
  locks: i32; // all bits of its joints
  turned: f32; // rad, upper bound of any body's rotation since the factors were computed
  aged: i32; // 1: factors are those of an earlier substep
  redundant: i32; // 1: redundant: more joints than bodies
  points: i32; // 1: a ball joint per lane, in passes (points.ts)
  driveCount: i32; // most Drive records of a lane now
  driveRoom: i32; // ... and the maximum in this step, 0: none, or too many to be solved here
  drives: i32; // offset in World.driveData: responses of its drives, see drives.ts
  named: i32; // number of drives to which those responses belong
  reserved0: i32;
  firstDrive: v128; // i32x4, per lane: index in World.driveRows plus one
  driveCounts: v128; // i32x4
}

/** A limit, motor, servo or spring of one axis, in one lane of a batch; of the substep. @unmanaged */
export class Drive {
  joint: i32;
  axis: i32;
  kind: i32; // see drives.ts
  state: i32; // the part of its force law on which it acts
  bodyA: i32; // index of its bodies in the batch
  bodyB: i32;
  place: i32; // among the drives of its lane
  next: i32; // index in World.driveRows plus one, 0 end
  impulse: f64; // N·s or N·m·s
  start: f64; // before the running phase
  speed: f64; // m/s or rad/s, before its impulse of the phase
  low: f64; // m/s or rad/s: the lower limit lets it move no slower
  high: f64;
  target: f64; // of its motor, servo or spring
  most: f64; // N·s or N·m·s of those
  stopSoftness: f64; // softness of limits: speed per impulse
  softness: f64; // ... and motors and springs
}

/** A body of each lane. Lanes in which nothing moves have masses of 0. @unmanaged */
export class BatchBody {
  slots: v128; // i32x4, 0 none
  vX: v128;
  vY: v128;
  vZ: v128;
  wX: v128;
  wY: v128;
  wZ: v128;
  invMassX: v128;
  invMassY: v128;
  invMassZ: v128;
  inertiaXX: v128; // inverse, in the world
  inertiaXY: v128;
  inertiaXZ: v128;
  inertiaYY: v128;
  inertiaYZ: v128;
  inertiaZZ: v128;
  pX: v128; // impulse of a sweep, and its moment: rounded once when applied, not once per row
  pY: v128;
  pZ: v128;
  lX: v128;
  lY: v128;
  lZ: v128;
  gX: v128; // rad/s, difference of the mean spin in the coming substep from w (gyroscopic)
  gY: v128;
  gZ: v128;
  tension: v128; // h² tr(I⁻¹K) of the pulls at its joints
  ages: v128; // mask: its rotation makes the factors outdated; computed with them
}

/** @unmanaged */
export class BatchJoint {
  slots: v128; // i32x4, 0 none
  rAX: v128;
  rAY: v128;
  rAZ: v128;
  rBX: v128;
  rBY: v128;
  rBZ: v128;
  a: i32; // index of its bodies
  b: i32;
  locks: i32;
  firstRow: i32;
  first: i32; // first row of its envelope
  firstJoint: i32; // whose rows those are
  rowCount: i32;
  reserved0: i32;
}

/** One locked direction. @unmanaged */
export class BatchRow {
  error: v128; // m or rad, now
  impulse: v128; // last substep
  total: v128; // over the step
  kind: i32; // as the bits of JointWork.locks
  offset: i32; // in the matrix, in v128, of column 0 (may lie before the envelope)
  first: i32;
  reserved0: i32;
}

/**
 * Its direction: B against A moves along `normal` and turns with the arms. Rows of anchors follow from the
 * arms of their joint, and have these only while factors are made; rows of angles have no normal.
 * @unmanaged
 */
export class BatchArms {
  armAX: v128;
  armAY: v128;
  armAZ: v128;
  armBX: v128;
  armBY: v128;
  armBZ: v128;
  normalX: v128;
  normalY: v128;
  normalZ: v128;
  turnAX: v128; // inverse inertia times the arms, while factors are made
  turnAY: v128;
  turnAZ: v128;
  turnBX: v128;
  turnBY: v128;
  turnBZ: v128;
}

/** Marks of a body in the search for connected components. @unmanaged */
export class BodyMark {
  cursor: i32; // next link of its joint list to visit; -1 not visited
  row: i32; // lowest row that acts on it
  joint: i32; // whose
  index: i32; // among the bodies of its component
  colors: i32; // bit per colour of single joints
  stamp: i32; // place in the order where its component begins, plus 1
}
