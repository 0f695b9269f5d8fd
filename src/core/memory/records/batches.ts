// Batches of joint structures for the direct solver, four structures side by side in SIMD lanes.

/**
 * A batch of up to four joint structures of the same form, one per lane. Their locked directions are the rows of one
 * matrix J M⁻¹ Jᵀ. See solver/joints/batches.ts. Offsets are in bytes from World.batchData. @unmanaged
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
  lanes: i32; // number of lanes in use
  direct: i32; // 1: each lane is a whole structure, solved directly; 0: each lane is one joint, solved in passes
  color: i32; // colour of a batch of single joints: no two lanes share a body
  locks: i32; // JointWork.locks of all its joints, combined by or
  turned: f32; // rad, upper bound of any body's rotation since the factors were computed
  aged: i32; // 1: the factors are those of an earlier substep
  follows: i32; // 1: in this substep its arms and directions were only rotated, since its bodies turned little
  redundant: i32; // 1: redundant: more joints than moving bodies, as in closed loops
  loose: i32; // 1: some of its joints lock nothing
  points: i32; // 1: a ball joint per lane, solved in passes (points.ts)
  driveCount: i32; // current largest number of Drive records in a lane
  driveRoom: i32; // its maximum in this step; 0: no drives, or too many to solve here
  looseApart: i32; // 1: in this step the axes of joints without locks are not among them
  drives: i32; // offset in World.driveData: responses to its drives, see drives.ts
  named: i32; // number of drives that those responses belong to
  unequal: i32; // not 0: the inertia of some body changes as it rotates
  measured: i32; // 1: responses to its drives are measured, and the impulses of locks for each are kept
  across: i32; // 1: it has rows across ropes, rods or springs
  acting: i32; // 1: they take part; until something pulls hard, they cost nothing
  firstDrive: v128; // i32x4, per lane: index in World.driveRows plus one
  driveCounts: v128; // i32x4
}

/** A limit, motor, servo or spring of one axis, in one lane of a batch, during one substep. @unmanaged */
export class Drive {
  joint: i32;
  axis: i32;
  kind: i32; // see drives.ts
  state: i32; // the segment of its force law that is active
  bodyA: i32; // index of the body in the batch
  bodyB: i32;
  place: i32; // index among the drives of its lane
  next: i32; // next drive of the lane: index in World.driveRows plus one, 0 end
  impulse: f64; // N·s or N·m·s
  start: f64; // impulse before the current phase
  speed: f64; // m/s or rad/s, before the drive's impulse of the current phase
  low: f64; // m/s or rad/s: lowest speed that the lower limit allows
  high: f64;
  target: f64; // m/s or rad/s, wanted by its motor, servo or spring
  most: f64; // N·s or N·m·s, largest impulse of the motor, servo or spring
  stopSoftness: f64; // softness of the limits: speed per impulse
  softness: f64; // softness of the motor, servo or spring
}

/** One body of each lane. Lanes without a moving body have inverse masses of 0. @unmanaged */
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
  inertiaXX: v128; // inverse inertia, world axes
  inertiaXY: v128;
  inertiaXZ: v128;
  inertiaYY: v128;
  inertiaYZ: v128;
  inertiaZZ: v128;
  pX: v128; // impulse of a sweep and its moment, summed so that they are rounded once per body and not once per row
  pY: v128;
  pZ: v128;
  lX: v128;
  lY: v128;
  lZ: v128;
  gX: v128; // rad/s, mean angular velocity of the coming substep minus w (gyroscopic)
  gY: v128;
  gZ: v128;
  tension: v128; // h² tr(I⁻¹K), where K is the geometric stiffness from the tension of its joints
  sway: v128; // h² tr(I⁻¹K) of its motion across ropes, rods and springs that pull
  ages: v128; // mask: the body's rotation makes the factors outdated; computed with the factors
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
  heldA: v128; // kg·m², h² times the stiffness that its tension gives A against rotation across rA; 0 if it pushes
  heldB: v128;
  pull: v128; // kg, h² times the stiffness of a rope, rod or spring across it by what it pulled with
  length: v128; // m, of a rope, rod or spring that pulls
  yield: v128; // 1/kg, the larger speed per impulse of its ends across it
  softness: v128; // 1/kg, of its rows across; SLACK if they do nothing
  kept: v128; // share of the speeds across it that its rows keep
  a: i32; // index of its bodies
  b: i32;
  locks: i32;
  firstRow: i32;
  first: i32; // first row of the envelope of its rows
  firstJoint: i32; // joint to which that first row belongs
  lockCount: i32; // locked directions, the first of its rows
  across: i32; // number of rows across it, which follow
  rowCount: i32; // of the rows that take part
}

/** One locked direction: a row of the matrix. @unmanaged */
export class BatchRow {
  error: v128; // m or rad, current position error; across ropes the speed from before
  impulse: v128; // impulse of the last substep
  total: v128; // impulse over the step
  kind: i32; // which locked direction, numbered as the bits of JointWork.locks; from 12 on a direction across
  offset: i32; // offset of column 0 in the matrix, in units of v128 (may lie before the envelope)
  first: i32;
  reserved0: i32;
}

/**
 * The Jacobian of one row: B moves relative to A along `normal` and rotates with the arms. Rows of anchors take them
 * from the arms of their joint and need these only while factors are computed. Angular rows have no normal. @unmanaged
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
  turnAX: v128; // inverse inertia times the arms, valid while factors are computed
  turnAY: v128;
  turnAZ: v128;
  turnBX: v128;
  turnBY: v128;
  turnBZ: v128;
}

/** Per-body data of the search for structures. @unmanaged */
export class BodyMark {
  cursor: i32; // next link of its joint list to visit, -1: not visited
  row: i32; // lowest row that acts on the body
  joint: i32; // joint of that row
  entries: i32; // number of entries of A before that row
  index: i32; // index among the bodies of its structure
  colors: i32; // bit per colour used by single joints
  stamp: i32; // position in the order where its structure begins, plus 1
}
