// Joints: persistent fields, and fields that a step derives.

/** A joint: its options, and the impulses for warm starting. @unmanaged */
export class Joint {
  localPositionA: v128; // anchor in A's own frame (origin, not centre of mass)
  localRotationA: v128;
  localPositionB: v128; // of the world: in world axes
  localRotationB: v128;
  pointImpulse: v128; // N·s, on B at the anchor, world axes, last substep
  angularImpulse: v128; // N·m·s on B, along the locked directions
  linearTotal: v128; // N·s on B, over the last step
  angularTotal: v128; // N·m·s on B
  slot: i32;
  generation: i32;
  type: i32;
  flags: i32;
  bodyA: i32; // 0: the world; one of the two at most
  bodyB: i32;
  breakingImpulse: f32; // N·s per step, 0 never
  breakingAngularImpulse: f32; // N·m·s per step
  hertz: f32; // of the locked directions, 0 stiff; < 0: −erp, and
  dampingRatio: f32; // this is cfm
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

/** One direction of a joint that is not simply locked; follows Joint.axes, six times. @unmanaged */
export class JointAxis {
  low: f32; // m or rad; low > high: free, equal: locked
  high: f32;
  motorVelocity: f32; // m/s or rad/s
  maxMotorForce: f32; // N or N·m
  servoTarget: f32; // m or rad
  springRate: f32; // Hz, or N/m, N·m/rad
  springDamping: f32; // ratio, or N·s/m, N·m·s/rad
  springTarget: f32; // m or rad
  maxSpringForce: f32; // N or N·m, 0 unlimited
  stopErp: f32; // share of the violation of a limit or lock that a step removes
  stopCfm: f32; // softness: m/s or rad/s per unit of impulse of a step
  bounce: f32; // restitution of the limits
  value: f32; // position, m or rad; angles are counted over turns
  lowImpulse: f32; // N·s or N·m·s, last substep
  highImpulse: f32;
  motorImpulse: f32;
  springImpulse: f32;
  total: f32; // all of them over the last step
  flags: i32;
  reserved0: i32;
}

/** Data that a step derives from a joint; not kept across steps. @unmanaged */
export class JointWork {
  frameA: v128; // rotation of the frames in the world
  frameB: v128;
  rA: v128; // anchors from the centres of mass
  rB: v128;
  base: v128; // centre of B minus centre of A at the start of the step
  anchorA: v128; // anchors from the centres of mass in the bodies' own axes
  anchorB: v128;
  startA: v128; // rotations at the start of the step, for sides that do not turn in substeps
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
  point0: v128; // inverse of the response at the anchor
  point1: v128;
  point2: v128;
  lock0: v128; // directions of the angular lock
  lock1: v128;
  lock2: v128;
  turn0: v128; // inverse of the response to torques along them
  turn1: v128;
  turn2: v128;
  turnError: v128; // rad along them
  solverBodyA: i32; // slot whose velocity is read and changed; 0 if this side cannot move
  solverBodyB: i32;
  linearLocks: i32; // 0 none, 2 across the main axis, 3 all
  angularLocks: i32;
  rowMask: i32; // bit per axis that has a row
  place: i32; // in activeJoints
  biasRate: f32; // 1/s, of the locked directions
  massScale: f32;
  impulseScale: f32;
  soft: i32; // 1: the locked directions are springs
  locks: i32; // bit per locked row: 0 to 2 anchors, 3 to 5 lock0 to lock2, 6 and on axes
  batched: i32; // 1: its locks are rows of a batch
  mark: i32; // of the search for components
  members: i32; // places of its bodies in their component: a | b << 16
  slack: f32; // rad that its bodies may rotate relative to each other before a limit is near
  idle: i32; // 1: among World.idleJoints
  moved: i32; // bit 0: impulses move A, bit 1: B
  bounced: i32; // 1: one of its limits was hit in this substep, and bounced
  home: i32; // joint of a batch that is solved at once: batch << 2 | lane, plus one; else 0
  driven: i32; // 1: its limits, motors and springs are drives of that batch (drives.ts)
  rows: v128; // first of JOINT_AXIS_COUNT JointRow records
}

/** One axis of a joint, ready for the substeps; follows JointWork.rows, six times. @unmanaged */
export class JointRow {
  normal: v128; // direction of motion of B relative to A; 0 for angular axes
  armA: v128; // (rA + separation) × normal, or the angular direction
  armB: v128; // rB × normal, or the angular direction
  turnA: v128; // change of the angular velocities by a unit impulse, including its share at the anchors
  turnB: v128;
  push: v128; // impulse on B at the anchors that goes with a unit impulse
  mass: f32; // effective
  value: f32; // position now
  start: f32; // position at the start of the step
  springVelocity: f32; // factors of the spring's impulse: see soft.ts
  springPrevious: f32;
  springPosition: f32;
  springKeep: f32;
  previousVelocity: f32; // at the end of the last substep
  error: f32; // of a locked axis
  lowApproach: f32; // speed at which a bouncing limit was hit in this substep, < 0
  highApproach: f32;
  reserved0: f32;
}
