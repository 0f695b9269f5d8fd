// Pairs of shapes, and their manifolds: four wide for the solver, one by one from the narrow phase.

/**
 * Two shapes whose fat AABBs overlap. In rows of four words: first persistent data, then data that a snapshot recomputes.
 * @unmanaged
 */
export class Pair {
  shapeA: i32; // slot; shapeA < shapeB
  shapeB: i32;
  nextA: i32; // pair lists per body: link << 1 | side, -1 end
  nextB: i32;
  flags: i32;
  list: i32; // LIST_*
  color: i32; // for LIST_SOLVED
  cache: i32; // narrow phase hint (last separating axis, simplex)
  travel: f64; // for a touching sensor's pair: travel of both bodies at the last test, -1 test again
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
  firstChild: i32; // of a pair with a mesh or field: pair of its first manifold, -1 none
  next: i32; // of a child: the next one, -1 none
  owner: i32; // of a child: the pair that the broad phase found
}

/**
 * A pair whose boxes overlap and that does not touch: the data read in every step, in one row.
 * @unmanaged
 */
export class WaitingPair {
  limit: f64; // m, sum of the travel of both bodies from which on they may touch: the sum at the last test plus their distance; -1 unknown
  pair: i32;
  bodyA: i32;
  bodyB: i32;
  reserved0: i32;
}

/**
 * Four manifolds, one per SIMD lane: all data that the solver reads and writes. Frame: t1, t2 = n × t1, n.
 * @unmanaged
 */
export class ContactBlock {
  maxPoints: i32; // most points of any lane
  special: i32; // SPECIAL_* bits of all lanes
  isNew: i32; // 1: some manifold is new in this step
  highRatioLanes: i32; // bit per lane: high mass ratio, it carries many times the weight of its lighter body in this step
  bodyA: v128; // i32x4 slots, 0 if the body cannot move
  bodyB: v128;
  normalX: v128; // from A to B
  normalY: v128;
  normalZ: v128;
  tangentX: v128;
  tangentY: v128;
  tangentZ: v128;
  centerAX: v128; // manifold centre from the centre of mass of A
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
  kNN: v128; // response of (normal speed, spin about t1, spin about t2) to unit impulses along the same
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
  points: v128; // first of POINT records: see ContactPointWide, 4 of them
}

/** One contact point of each of four manifolds; follows ContactBlock.points, four times. @unmanaged */
export class ContactPointWide {
  a: v128; // offset from the manifold centre along t1
  b: v128; // along t2
  separation: v128; // at the start of the step
  impulse: v128;
  totalImpulse: v128; // over the substeps of this step
  mass: v128; // effective
  lever: v128; // lever arm of its friction against rotation about the normal: a share of the distance from the centre
}

/**
 * A block with high mass ratio contacts (solver/massRatio.ts), while a phase of a substep runs. Its nine impulses are
 * those of four points, friction along t1 and t2, twist, rolling about t1 and t2.
 * @unmanaged
 */
export class HighRatioBlock {
  handle: i32;
  special: i32; // saved special bits of the block, while its impacts are not detected
  reserved0: i32;
  reserved1: i32;
  rows: v128; // first of 31: impulses before the running pass, after the last one, its change; totals of four points
}

/** A body of such blocks. @unmanaged */
export class Bearer {
  linear: v128; // velocities after the last pass
  angular: v128;
  slot: i32;
  parent: i32; // bearer (union–find); bearers that carry each other have the same root
  weight: f32; // kg, for a root: of all bearers with this root
  reserved0: i32;
}

/** A manifold that is expected to come into contact in the current substep (solver/impacts.ts). @unmanaged */
export class Arrival {
  index: i32; // block handle × 4 + lane
  bodyA: i32; // slots, 0 if the body cannot move
  bodyB: i32;
  impacts: i32; // in this substep so far
  time: f32; // s, since the start of the substep; above its length: not in this one
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
}

/**
 * A manifold in an impact (solver/impactSolver.ts), in its own frame: n from A to B, t1, t2 = n × t1. Four numbers per row are those
 * of its points.
 * @unmanaged
 */
export class ImpactManifold {
  normal: v128;
  tangent1: v128;
  tangent2: v128;
  rA: v128; // manifold centre from the centres of mass
  rB: v128;
  a: v128; // of each point: offset from the centre along t1 ...
  b: v128; // ... and t2,
  gap: v128; // m, distance at the start of the substep,
  lever: v128; // m, of its friction against turning about n,
  aim: v128; // m/s, separating speed after the impact,
  impulse: v128; // along n
  before: v128; // m/s and rad/s, along and about n, t1, t2 before the impact: speed along n, turning about t1 and t2
  beforeSlip: v128; // sliding along t1 and t2, turning about n
  index: i32; // block handle × 4 + lane
  bodyA: i32;
  bodyB: i32;
  touching: i32; // bit per point that takes part
  count: i32;
  friction: f32;
  restitution: f32;
  acceleration: f32; // m/s², of the gap by forces
  later: f32; // m/s that forces add to the speed along n between the impact and the end of the substep
  kNN: f32; // response of (speed along n, turning about t1, about t2) to unit impulses along the same
  kN1: f32;
  kN2: f32;
  k11: f32;
  k12: f32;
  k22: f32;
  tangentMass11: f32;
  tangentMass12: f32;
  tangentMass22: f32;
  twistMass: f32;
  friction1: f32; // impulses along t1, t2, and about n
  friction2: f32;
  twist: f32;
}

/** A body in an impact. @unmanaged */
export class StruckBody {
  linear: v128; // before it
  angular: v128;
  slot: i32;
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
}

/**
 * Data that the solver reads only for impacts, rolling and kinematic contacts, or never: identity, recycling. One per ContactBlock.
 * @unmanaged
 */
export class BlockMeta {
  used: i32; // bit per lane
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
  pair: v128; // i32x4, -1 free lane
  pointCount: v128; // i32x4
  features0: v128; // u32x4 feature ids of point 0 of each lane
  features1: v128;
  features2: v128;
  features3: v128;
  cachedRotationAX: v128; // rotations when the narrow phase last ran
  cachedRotationAY: v128;
  cachedRotationAZ: v128;
  cachedRotationAW: v128;
  cachedRotationBX: v128;
  cachedRotationBY: v128;
  cachedRotationBZ: v128;
  cachedRotationBW: v128;
  cachedCenterX: v128; // centre of mass of B minus that of A, then
  cachedCenterY: v128;
  cachedCenterZ: v128;
  reach: v128; // largest distance of a point from the centre of mass, for the recycling bound
  recyclable: v128; // mask: lanes whose cache is valid
  restitution: v128;
  approachAcceleration: v128; // closing acceleration by forces along n, m/s²
  rollingFriction: v128;
  spinningFriction: v128;
  rollingImpulse1: v128;
  rollingImpulse2: v128;
  kinematic: v128; // mask: lanes with a kinematic body, or a surface velocity
  fast: v128; // mask: lanes whose bodies close fast enough for an impact
  surfaceVelocity1: v128; // m/s, see storeSurfaceVelocity
  surfaceVelocity2: v128;
  surfaceSpin: v128; // rad/s about n, of surfaces that turn by themselves: of the running substep
  begun: v128; // mask: lanes whose pair, or its owner, has PAIR_BEGUN (contacts/touches.ts)
  points: v128; // first of PointMeta records, 4 of them
}

/**
 * The same of one contact point of each of four manifolds; follows BlockMeta.points, four times.
 * @unmanaged
 */
export class PointMeta {
  baseSeparation: v128; // when the narrow phase last ran
  struck: v128; // mask: had an impact in an earlier substep and has pushed since
  arrival: v128; // m/s, speed at which the point came into contact in this substep, 0 if it did not
}

/** @unmanaged */
export class Color {
  blocks: u32; // ContactBlock[]
  meta: u32; // BlockMeta[], same index
  capacity: i32;
  count: i32; // blocks
  lanes: i32; // lanes in use; the last block may be partly filled
  changes: i32; // lanes added and moved since the colour was last sorted (solver/sortBlocks.ts)
}

/** The narrow phase's result for one pair of shapes, in world coordinates. @unmanaged */
export class ManifoldResult {
  normal: v128; // unit, from A to B
  count: i32; // 0..4
  cache: i32; // hint to keep for the next call
  reserved0: i32;
  reserved1: i32;
  point0: v128; // on the surface mid-way between the two shapes' points
  point1: v128;
  point2: v128;
  point3: v128;
  separation0: f32; // negative when penetrating
  separation1: f32;
  separation2: f32;
  separation3: f32;
  feature0: u32; // feature id: stable id of the pair of features
  feature1: u32;
  feature2: u32;
  feature3: u32;
}
