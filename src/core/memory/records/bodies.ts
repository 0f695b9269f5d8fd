// Body records: fields that a step needs, fields that the solver changes, published fields. All tables use the same
// slots.

/** Data of a body that a step reads and the substeps do not change. @unmanaged */
export class Body {
  position: v128; // centre of mass, world, m
  rotation: v128; // world from body
  restPosition: v128; // pose when restTime began
  restRotation: v128;
  force: v128; // N, accumulated until the end of stepSimulation
  torque: v128; // N·m
  invMass: v128; // 1/mass × linear factor, per world axis
  invInertiaLocal: v128; // along the principal axes, 1/(kg·m²)
  invInertiaA: v128; // world inverse inertia × angular factor: xx, xy, xz, 0
  invInertiaB: v128; // yy, yz, zz, 0
  principal: v128; // rotation from the principal frame to the body frame
  symmetry: v128; // unit axis about which moments are equal, body frame; w: moment about it / across it − 1; 0: none
  centerOfMass: v128; // in the body frame
  linearFactor: v128;
  angularFactor: v128;
  targetPosition: v128; // kinematic target (pose of the body's origin)
  targetRotation: v128;
  rotationRest: v128; // rounding remainder of the rotation of a spinning body (solver/gyroscopic.ts)
  angularRest: v128;
  mass: f32;
  gravityScale: f32;
  linearDamping: f32;
  angularDamping: f32;
  linearSleepThreshold: f32;
  angularSleepThreshold: f32;
  sleepTime: f32; // s, time with both speeds below their thresholds
  restTime: f32; // s, time near its rest pose (islands/rest.ts)
  boundingRadius: f32; // m, about the centre of mass
  slot: i32;
  generation: i32;
  type: i32;
  flags: i32;
  activation: i32;
  group: i32;
  mask: i32;
  userIndex: i32;
  firstShape: i32; // slot, 0 none
  firstPair: i32; // head of the pair list, -1 none; see Pair.nextA/nextB
  awakeIndex: i32; // index into the awake list, -1 asleep or static
  islandNext: i32; // next body of the same sleeping island (circular list), 0 none
  colorMask: i32; // bit per solver colour in which the body has a contact
  constraintCount: i32; // number of contact lanes and joints that act on it
  ccdMotionThreshold: f32;
  ccdSweptSphereRadius: f32;
  slack: f32; // m that the body can still move before its shapes can leave their fat AABBs
  travel: f64; // m, bound on the total path of any point of the body so far
  firstJoint: i32; // head of the joint list, 0 none; a link is joint << 1 | side
  ccdIndex: i32; // index in World.ccdBodies plus one, 0 none
  innerRadius: f32; // m, radius of the largest inscribed sphere of its thinnest shape; 0: no shape can be swept
  fastMotion: f32; // m per step; a body that moves farther is swept
}

/** Data of a body that the solver changes. Contacts read only the first cache line. @unmanaged */
export class BodyVelocity {
  linear: v128; // m/s
  angular: v128; // rad/s
  deltaPosition: v128; // m, since the start of the step
  deltaRotation: v128; // rotation vector, since the start of the step
  contactLinear: v128; // change of the velocity by constraints in the last substep
  contactAngular: v128;
  baseLinear: v128; // velocity before the current solver pass
  baseAngular: v128;
  forceLinear: v128; // velocity gained from forces per substep; lane 3: damping factor per substep
  forceAngular: v128;
  startLinear: v128; // velocity at the start of the step
  startAngular: v128;
}

/** Published data: the pose of the body's origin, which the page reads from memory without a call. @unmanaged */
export class BodyPose {
  px: f32;
  py: f32;
  pz: f32;
  flags: i32; // bit 0 awake, bit 1 teleported since the last publication
  qx: f32;
  qy: f32;
  qz: f32;
  qw: f32;
}
