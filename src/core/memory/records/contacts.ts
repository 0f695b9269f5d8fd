// Pairs of shapes and their manifolds: four-wide for the solver, single as results of the narrow phase.

/**
 * Two shapes whose fat AABBs overlap. Persistent fields come first, then fields that restoring a snapshot recomputes,
 * each group in rows of four words. @unmanaged
 */
export class Pair {
  shapeA: i32; // slot; shapeA < shapeB
  shapeB: i32;
  nextA: i32; // pair lists per body: link << 1 | side, -1 end
  nextB: i32;
  flags: i32;
  list: i32; // LIST_*
  color: i32; // for LIST_SOLVED
  cache: i32; // hint for the narrow phase (last separating axis, simplex)
  travel: f64; // m, for a touching sensor pair: travel of both bodies at the last test, -1 test again
  material: i32; // for a child pair on triangles with own coefficients: their material + 1; 0 none
  reserved1: i32;
  bodyA: i32;
  bodyB: i32;
  prevA: i32;
  prevB: i32;
  index: i32; // position in that list: waiting/sensor index, or block handle × 4 + lane, or parked index
  friction: f32;
  restitution: f32;
  rollingFriction: f32;
  spinningFriction: f32;
  firstChild: i32; // of a concave pair: pair of its first manifold, -1 none
  next: i32; // of a child: next child of the same pair, -1 none
  owner: i32; // of a child: the pair that the broad phase found
}

/** A pair whose AABBs overlap and whose shapes do not touch: the data that every step reads, in one row. @unmanaged */
export class WaitingPair {
  gap: i32; // lower bound of the distance of the shapes, in 1/GAP_UNITS m; 0 unknown
  pair: i32;
  bodyA: i32;
  bodyB: i32;
  shapeA: i32;
  shapeB: i32;
}

/**
 * Four manifolds, one per SIMD lane: all data that the solver reads and writes. Contact frame: t1, t2 = n × t1, n.
 * @unmanaged
 */
export class ContactBlock {
  maxPoints: i32; // largest number of points of a lane
  special: i32; // SPECIAL_* bits of all lanes, combined by or
  isNew: i32; // bit per lane whose manifold is new in this step; in the substeps why the block is prepared again (solver/prepare.ts)
  highRatioLanes: i32; // bit per lane with a high mass ratio in this step, and TALL_*: which may belong to a tower
  bodyA: v128; // i32x4 slots, 0 if the body cannot move
  bodyB: v128;
  normalX: v128; // from A to B
  normalY: v128;
  normalZ: v128;
  tangentX: v128;
  tangentY: v128;
  tangentZ: v128;
  centerAX: v128; // manifold centre relative to the centre of mass of A
  centerAY: v128;
  centerAZ: v128;
  centerBX: v128;
  centerBY: v128;
  centerBZ: v128;
  invMassAX: v128;
  invMassAY: v128;
  invMassAZ: v128;
  invMassBX: v128;
  invMassBY: v128;
  invMassBZ: v128;
  inertiaAXX: v128;
  inertiaAXY: v128;
  inertiaAXZ: v128;
  inertiaAYY: v128;
  inertiaAYZ: v128;
  inertiaAZZ: v128;
  inertiaBXX: v128;
  inertiaBXY: v128;
  inertiaBXZ: v128;
  inertiaBYY: v128;
  inertiaBYZ: v128;
  inertiaBZZ: v128;
  kNN: v128; // response of (normal speed, angular speed about t1, about t2) to unit impulses along these directions
  kN1: v128;
  kN2: v128;
  k11: v128;
  k12: v128;
  k22: v128;
  biasRate: v128;
  massScale: v128;
  impulseScale: v128;
  friction: v128;
  tangentMass11: v128;
  tangentMass12: v128;
  tangentMass22: v128;
  twistMass: v128;
  frictionImpulse1: v128;
  frictionImpulse2: v128;
  twistImpulse: v128;
  armShareA: v128; // by this share of the bodies' relative motion within the step the lever arm of A changes
  armShareB: v128; // the same of B; together 1, or 0 if the arms stay
  mostFollowed: v128; // m, relative motion up to which the arms follow
  momentX: v128; // N·m·s, moment of the impulses by changed arms, in a warm start per body (integrate.ts)
  momentY: v128;
  momentZ: v128;
  points: v128; // first of 4 ContactPointWide records
}

/** One contact point of each of four manifolds. Four of these records start at ContactBlock.points. @unmanaged */
export class ContactPointWide {
  a: v128; // offset from the manifold centre along t1
  b: v128; // along t2
  separation: v128; // at the start of the step
  impulse: v128;
  totalImpulse: v128; // impulse over the substeps of this step
  mass: v128; // effective mass
  lever: v128; // lever arm of the point's friction against rotation about the normal: a share of its distance from the centre
}

/**
 * A block with high mass ratio contacts (solver/massRatio.ts), during one phase of a substep. It has nine impulses:
 * four points, friction along t1 and t2, twist, rolling about t1 and t2. @unmanaged
 */
export class HighRatioBlock {
  handle: i32;
  special: i32; // special bits of the block, saved while impact detection is switched off
  reserved0: i32;
  reserved1: i32;
  most: v128; // N·s, sum of a manifold's impulses up to which it counts as a load
  reach: v128; // N·s, the same up to which passes are extrapolated
  rows: v128; // first of 31 rows: impulses before the current pass, after the last one, its change; totals of four points
}

/** A dynamic body in a contact with a high mass ratio. @unmanaged */
export class Bearer {
  linear: v128; // velocity after the last pass
  angular: v128;
  slot: i32;
  parent: i32; // index of the parent bearer (union–find); connected bearers have the same root
  weight: f32; // kg, of all bearers that contacts of high mass ratio connect
  pressed: f32; // N·s in a substep, for a root, bodies that are joined included: what forces and drives press with
  mass: f32; // kg, likewise
  pushed: f32; // m/s, and of a root the most: how fast the fastest body that is not dynamic pushes them
  momentum: f32; // N·s, likewise, at the start of the step: the sum of their sizes
  reserved0: i32;
}

/**
 * A body of a tower (solver/towers.ts), in this step, with the contact by which it rests on the body below: one or more
 * manifolds, of which four points bear. A tower lists each body after the one below. @unmanaged
 */
export class TowerBody {
  slot: i32;
  below: i32; // slot of the body below; of one of them, if it rests on several that cannot move
  lower: i32; // its index in the list, -1 if it cannot move
  count: i32; // of the lowest body: bodies of the tower
  firstPatch: i32;
  patches: i32;
  holds: i32; // 1: the faces touch
  lost: i32; // 1: the contact cannot bear its load in this pass, or one below cannot
  normal: v128; // upwards
  tangent1: v128;
  tangent2: v128;
  arm: v128; // from the centre of mass to the centre of the first patch
  armBelow: v128; // from that of the body below
  inertia: v128; // kg·m², three rows
  inertia1: v128;
  inertia2: v128;
  fit: v128; // three rows, of the inverse of the sum of products of the points' rows
  fit1: v128;
  fit2: v128;
  at: v128; // u32x4, addresses of the points that bear, in their blocks
  owner: v128; // i32x4, patches of these points
  used: v128; // mask: points in use
  a: v128; // m, of each point along t1
  b: v128; // along t2
  gap: v128; // separation at the start of the step
  lever: v128; // lever arms of friction
  velocity: v128; // m/s, with which the contact holds
  spin: v128; // rad/s
  push: v128; // added to both to correct separations
  pushSpin: v128;
  force: v128; // N·s, change of what the contact transmits, and then all that it does
  torque: v128; // about the centre of the contact
  impulses: v128; // of the points
}

/** A manifold by which such a body rests. @unmanaged */
export class TowerPatch {
  block: u32; // addresses of its lane
  meta: u32;
  body: i32; // slot of the body below
  upward: i32; // 1: the normal points to the upper body
  offset: v128; // m, from the centre of the first patch
  normal: v128; // as impulses on the upper body count
  tangent1: v128;
  tangent2: v128;
  friction: v128; // N·s, along t1, t2, about n
  load: f32; // N·s, along n
  limit: f32; // N·s, largest friction
  lever: f32; // m, lever arm of friction against rotation about n
  beside: i32; // 1: not a face that bears: shapes side by side
}

/** A manifold that is expected to come into contact in the current substep (solver/impacts.ts). @unmanaged */
export class Arrival {
  index: i32; // block handle × 4 + lane
  bodyA: i32; // slots, 0 if the body cannot move
  bodyB: i32;
  impacts: i32; // number of impacts in this substep so far
  time: f32; // s, since the start of the substep; larger than h: not in this substep
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
}

/**
 * A manifold in an impact (solver/impactSolver.ts), in its own frame: n from A to B, t1, t2 = n × t1. The rows `a` to
 * `impulse` have one value per point. @unmanaged
 */
export class ImpactManifold {
  normal: v128;
  tangent1: v128;
  tangent2: v128;
  rA: v128; // manifold centre relative to the centres of mass
  rB: v128;
  a: v128; // m, of each point: offset from the centre along t1
  b: v128; // m, along t2
  gap: v128; // m, separation at the start of the substep
  lever: v128; // m, lever arm of its friction against rotation about n
  aim: v128; // m/s, separating speed after the impact
  impulse: v128; // N·s, along n
  before: v128; // before the impact: speed along n, m/s, angular speed about t1 and t2, rad/s
  beforeSlip: v128; // before the impact: sliding along t1 and t2, m/s, angular speed about n, rad/s
  surface: v128; // what surface velocities add to that: see solver/conveyance.ts
  index: i32; // block handle × 4 + lane
  bodyA: i32;
  bodyB: i32;
  touching: i32; // bit per point that takes part in the impact
  active: i32; // bit per touching point that pushed in the last sweep
  count: i32;
  friction: f32;
  restitution: f32;
  acceleration: f32; // m/s², of the separation, by forces
  later: f32; // m/s that forces add to the speed along n between the impact and the end of the substep
  kNN: f32; // response of (speed along n, angular speed about t1, about t2) to unit impulses along these directions
  kN1: f32;
  kN2: f32;
  k11: f32;
  k12: f32;
  k22: f32;
  tangentMass11: f32;
  tangentMass12: f32;
  tangentMass22: f32;
  twistMass: f32;
  friction1: f32; // impulses along t1 and t2; `twist` is about n
  friction2: f32;
  twist: f32;
}

/** A body in an impact. @unmanaged */
export class StruckBody {
  linear: v128; // velocity before the impact
  angular: v128;
  slot: i32;
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
}

/**
 * Data that the solver reads only for impacts, rolling or kinematic contacts, or never: identity, recycling. One per
 * ContactBlock. @unmanaged
 */
export class BlockMeta {
  used: i32; // bit per lane in use
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
  pair: v128; // i32x4, -1 free lane
  pointCount: v128; // i32x4
  features0: v128; // u32x4 feature ids of point 0 of each lane
  features1: v128;
  features2: v128;
  features3: v128;
  cachedRotationAX: v128; // rotation when the narrow phase last ran
  cachedRotationAY: v128;
  cachedRotationAZ: v128;
  cachedRotationAW: v128;
  cachedRotationBX: v128;
  cachedRotationBY: v128;
  cachedRotationBZ: v128;
  cachedRotationBW: v128;
  cachedCenterX: v128; // centre of mass of B minus that of A when the narrow phase last ran
  cachedCenterY: v128;
  cachedCenterZ: v128;
  reach: v128; // m, largest distance of a point from the centre of mass, for the bound of recycling
  recycleShare: v128; // of recycleDistance, motion up to which a lane is recycled; 0: never
  restitution: v128;
  approachAcceleration: v128; // m/s², closing acceleration along n by forces
  rollingFriction: v128;
  spinningFriction: v128;
  rollingImpulse1: v128;
  rollingImpulse2: v128;
  kinematic: v128; // mask: lanes with a kinematic body or a surface velocity
  fast: v128; // mask: lanes whose bodies close fast enough for an impact
  surfaceVelocity1: v128; // m/s, see solver/conveyance.ts
  surfaceVelocity2: v128;
  surfaceSpin: v128; // rad/s about n, of surfaces with a surface velocity, in the current substep
  surfaceRise: v128; // m/s along n, change of the speed of a rotating kinematic surface since the start of the step
  surfaceShift: v128; // m along n, by how much it has moved more than at the speed of the start
  begun: v128; // mask: lanes whose pair, or its owner, has PAIR_BEGUN (contacts/touches.ts)
  curved: v128; // i32x4, 1 if the shape of A is curved, plus 2 if that of B is
  points: v128; // first of 4 PointMeta records
}

/**
 * Metadata of one contact point of each of four manifolds. Four of these records start at BlockMeta.points. @unmanaged
 */
export class PointMeta {
  baseSeparation: v128; // m, separation when the narrow phase last ran
  struck: v128; // mask: had an impact in an earlier substep and has had a contact impulse since
  arrival: v128; // m/s, approach speed at which the point came into contact in this substep, 0 if it did not
}

/** @unmanaged */
export class Color {
  blocks: u32; // ContactBlock[]
  meta: u32; // BlockMeta[], same index
  capacity: i32;
  count: i32; // number of blocks in use
  lanes: i32; // number of lanes in use; the last block may be partly filled
  changes: i32; // lanes added and moved since the colour was last sorted (solver/sortBlocks.ts)
}

/** The narrow phase's result for one pair of shapes, in world coordinates. @unmanaged */
export class ManifoldResult {
  normal: v128; // unit, from A to B
  count: i32; // 0..4
  cache: i32; // hint to keep for the next call
  reserved0: i32;
  reserved1: i32;
  point0: v128; // midway between the contact points of the two shapes
  point1: v128;
  point2: v128;
  point3: v128;
  separation0: f32; // negative when penetrating
  separation1: f32;
  separation2: f32;
  separation3: f32;
  feature0: u32; // stable id of the pair of features
  feature1: u32;
  feature2: u32;
  feature3: u32;
}
