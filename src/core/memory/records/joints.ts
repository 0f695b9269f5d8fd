// Joints: persistent records, and records that a step derives from them.

/** A joint: its options, and the impulses for warm starting. @unmanaged */
export class Joint {
  localPositionA: v128; // anchor in A's frame (relative to its origin, not to the centre of mass)
  localRotationA: v128;
  localPositionB: v128; // if B is the world: in world axes
  localRotationB: v128;
  pointImpulse: v128; // N·s, on B at the anchor, world axes, last substep
  angularImpulse: v128; // N·m·s on B, along the locked directions
  linearTotal: v128; // N·s on B, over the last step
  angularTotal: v128; // N·m·s on B
  slot: i32;
  generation: i32;
  type: i32;
  flags: i32;
  bodyA: i32; // 0: the world; at most one of the two
  bodyB: i32;
  breakingImpulse: f32; // N·s per step, 0 never
  breakingAngularImpulse: f32; // N·m·s per step
  hertz: f32; // stiffness of the locked directions: frequency, 0 rigid; < 0: −erp
  dampingRatio: f32; // if hertz < 0: cfm
  maxForce: f32; // N, of soft locked directions, 0 unlimited
  maxTorque: f32; // N·m
  userIndex: i32;
  nextA: i32; // joint lists per body: link = slot << 1 | side, 0 end
  prevA: i32;
  nextB: i32;
  prevB: i32;
  ratio: f32; // for a gear: turns of A per turn of B; > 0: opposite directions
  reserved1: i32;
  reserved2: i32;
  axes: v128; // first of JOINT_AXIS_COUNT JointAxis records
}

/** An axis of a joint. Six of these records start at Joint.axes. @unmanaged */
export class JointAxis {
  low: f32; // m or rad; low > high: free, low = high: locked
  high: f32;
  motorVelocity: f32; // m/s or rad/s
  maxMotorForce: f32; // N or N·m
  servoTarget: f32; // m or rad
  springRate: f32; // Hz, or N/m, N·m/rad
  springDamping: f32; // ratio, or N·s/m, N·m·s/rad
  springTarget: f32; // m or rad
  maxSpringForce: f32; // N or N·m, 0 unlimited
  stopErp: f32; // share of the violation of a limit or lock that is removed per step
  stopCfm: f32; // softness: m/s or rad/s per impulse of one step
  bounce: f32; // restitution of the limits
  value: f32; // position, m or rad; angles keep counting beyond a full turn
  lowImpulse: f32; // N·s or N·m·s, last substep
  highImpulse: f32;
  motorImpulse: f32;
  springImpulse: f32;
  total: f32; // sum of all impulses over the last step
  flags: i32;
  reserved0: i32;
}

/** Data that a step derives from a joint. Not kept across steps. @unmanaged */
export class JointWork {
  frameA: v128; // rotation of the joint frames, world
  frameB: v128;
  rA: v128; // anchors relative to the centres of mass
  rB: v128;
  base: v128; // centre of mass of B minus that of A at the start of the step
  anchorA: v128; // anchors relative to the centres of mass, in body axes
  anchorB: v128;
  startA: v128; // rotations at the start of the step, for bodies that do not rotate in the substeps
  startB: v128;
  separation: v128; // anchor of B minus anchor of A
  turned: v128; // rotation vector of B relative to A since the start of the step
  invMassA: v128;
  invMassB: v128;
  inertiaA0: v128; // columns of the world inverse inertia
  inertiaA1: v128;
  inertiaA2: v128;
  inertiaB0: v128;
  inertiaB1: v128;
  inertiaB2: v128;
  point0: v128; // inverse of the response matrix at the anchor, by columns
  point1: v128;
  point2: v128;
  lock0: v128; // directions of the angular lock
  lock1: v128;
  lock2: v128;
  turn0: v128; // inverse of the response to torques along lock0 to lock2
  turn1: v128;
  turn2: v128;
  turnError: v128; // rad, errors along lock0 to lock2
  solverBodyA: i32; // slot whose velocity is read and changed; 0 if this body cannot move
  solverBodyB: i32;
  linearLocks: i32; // 0 none, 2 perpendicular to the main axis, 3 all
  angularLocks: i32;
  rowMask: i32; // bit per axis that has a row
  passes: i32; // 1: its axis has no lower limit, since its anchors may pass each other
  softening: f32; // of a spring at the anchors: share of the inverse masses that softens point0; 0: none
  biasRate: f32; // 1/s, of the locked directions
  massScale: f32;
  impulseScale: f32;
  soft: i32; // 1: the locked directions are springs
  locks: i32; // bit per locked row: 0 to 2 anchors, 3 to 5 lock0 to lock2, from 6 on axes
  batched: i32; // 1: its locked rows are rows of a batch
  mark: i32; // mark of the search for structures
  members: i32; // indices of its bodies in their structure: a | b << 16
  slack: f32; // rad that its bodies can rotate relative to each other before a limit is near
  idle: i32; // 1: listed in World.idleJoints
  stiff: i32; // 1: in this pass it has a spring that the substep cannot resolve
  form: i32; // of the last step, what of it decides about batches (FORM_*, solver/joints/batches.ts); 0: the joint was idle
  bounced: i32; // 1: a limit was hit in this substep and rebounded
  home: i32; // for a joint of a directly solved batch: (batch << 2 | lane) + 1; else 0
  driven: i32; // 1: its limits, motors and springs are drives of that batch (drives.ts)
  rows: v128; // first of JOINT_AXIS_COUNT JointRow records
}

/** An axis of a joint, prepared for the substeps. Six of these records start at JointWork.rows. @unmanaged */
export class JointRow {
  normal: v128; // direction of motion of B relative to A; 0 for angular axes
  armA: v128; // (rA + separation) × normal, or the angular direction
  armB: v128; // rB × normal, or the angular direction
  turnA: v128; // change of the angular velocity of A by a unit impulse, including the part at the anchors
  turnB: v128;
  push: v128; // impulse on B at the anchors per unit impulse of this axis
  mass: f32; // effective mass
  value: f32; // current position, m or rad
  start: f32; // position at the start of the step
  springVelocity: f32; // factors of the spring's impulse: see soft.ts
  springPrevious: f32;
  springPosition: f32;
  springLoss: f32; // share of the last impulse that a spring gives up
  previousVelocity: f32; // m/s or rad/s, at the end of the last substep
  error: f32; // m or rad, of a locked axis
  lowApproach: f32; // m/s or rad/s at which a limit with restitution was hit in this substep, < 0
  highApproach: f32;
  springMass: f32; // kg or kg·m², to which frequencies of its springs refer
}
