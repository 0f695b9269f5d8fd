// Every record of the core's tables. This file is the only place where offsets come from: the core
// reaches records by changetype, and scripts/build-core.mjs writes the same offsets for TypeScript
// to src/core-layout.ts. Only f32, f64, i32, u32 and v128 fields, in natural alignment.
// A v128 field named like a vector holds (x, y, z, 0); quaternions are (x, y, z, w).

/** The root: settings, table addresses, counts. Lives at WORLD_ADDRESS. */
@unmanaged
export class World {
  // --- settings (written by CMD_SET_GRAVITY and CMD_SET_SETTINGS) ---
  gravity: v128; // m/s²
  substeps: i32;
  iterations: i32; // solver iterations with bias per substep
  relaxIterations: i32; // iterations without bias per substep
  frictionWithBias: i32; // 1: friction is also solved in the biased iterations
  contactErpMode: i32; // 0: contactHertz/contactDampingRatio, 1: contactErp/contactCfm
  contactHertz: f32;
  contactDampingRatio: f32;
  staticStiffness: f32; // factor on contactHertz for contacts with static and kinematic bodies
  contactErp: f32;
  contactCfm: f32;
  contactPushSpeed: f32; // m/s, largest speed of de-penetration
  contactSlop: f32; // m, penetration that is left alone
  warmstartingFactor: f32;
  restitutionThreshold: f32; // m/s
  contactBreakingThreshold: f32; // m, also the speculative distance
  recycleDistance: f32; // m, relative motion below which a manifold is reused
  recycleAngleCosine: f32; // cos² of half the largest rotation of a body for reuse
  aabbMargin: f32; // m
  sleepingEnabled: i32;
  deactivationTime: f32; // s
  frictionCombine: i32;
  restitutionCombine: i32;
  gyroscopic: i32;
  parabolicFlight: i32; // 1: second-order drift of smooth motion (see solver/integrate.ts), 0: Bullet's Euler
  rollingFrictionCombine: i32;
  continuous: i32; // 1: fast small bodies are swept by themselves, 0: those with a motion threshold only
  eventMask: i32;
  // --- run-time ---
  profileEnabled: i32;
  pairFilterEnabled: i32;
  stepCount: i32;
  heapTop: u32; // end of the heap of tables (allocator.ts)
  // --- tables: address, capacity, and the highest slot used plus one ---
  bodies: u32;
  bodyCapacity: i32;
  bodyEnd: i32;
  bodyCount: i32;
  velocities: u32; // BodyVelocity, same slot as Body
  poses: u32; // BodyPose, same slot as Body
  reaches: u32; // f64, same slot: travel that the body may have at the end of this step, at most
  shapes: u32;
  shapeCapacity: i32;
  shapeEnd: i32;
  shapeCount: i32;
  awake: u32; // i32[] of body slots, awake dynamic and moving kinematic bodies
  awakeCapacity: i32;
  awakeCount: i32;
  moved: u32; // i32[] of shape slots whose fat AABB changed since the last pair search
  movedCapacity: i32;
  movedCount: i32;
  newPairs: u32; // u32[2] shape slots (A < B), sorted, of pairs found in this step
  newPairCapacity: i32;
  newPairCount: i32;
  pairs: u32;
  pairCapacity: i32;
  pairEnd: i32;
  pairFree: i32; // head of the free list
  pairCount: i32;
  pairSet: u32; // open addressing, u64 shape slots and pair index, 0 empty; see broadphase/pairSet.ts
  pairSetCapacity: i32;
  pairSetCount: i32;
  waiting: u32; // WaitingPair[]: awake, overlapping AABBs, not touching
  waitingCapacity: i32;
  waitingCount: i32;
  sensors: u32; // i32[] of pairs: awake, touching, without response
  sensorCapacity: i32;
  sensorCount: i32;
  colors: u32; // Color[COLOR_COUNT]
  contactCount: i32; // lanes in use
  parked: u32; // ParkedManifold pool (sleeping)
  parkedCapacity: i32;
  parkedEnd: i32;
  parkedFree: i32;
  candidates: u32; // NewContact[]: pairs that started to touch in this step
  candidateCapacity: i32;
  candidateCount: i32;
  trees: u32; // Tree[2]: 0 moving, 1 static and sleeping
  events: u32; // words
  eventCapacity: i32;
  eventWords: i32;
  eventCount: i32;
  eventsDropped: i32;
  commands: u32; // words
  commandCapacity: i32;
  scratch: u32; // words; content is never kept across stages
  scratchCapacity: i32; // bytes
  queryOutput: u32; // words
  queryCapacity: i32; // words
  islandCount: i32;
  freeListAddress: u32; // allocator: where the first free region is kept
  profile: u32; // f32[PROFILE_COUNT] of the last step, ms
  fresh: u32; // i32[] of block handles: some manifold of theirs is new in this step
  freshCapacity: i32;
  freshCount: i32;
  recycledCount: i32;
  collidedCount: i32;
  needsSettingsWake: i32;
  joints: u32;
  jointWork: u32; // JointWork, same slot as Joint
  activeJoints: u32; // i32[] of joint slots solved in this step
  jointCapacity: i32;
  jointEnd: i32;
  jointCount: i32;
  activeJointCount: i32;
  scalarJoints: u32; // i32[] of joint slots: active ones with something to solve outside of bundles
  scalarJointCount: i32;
  idleJoints: u32; // i32[] of joint slots: those of them whose limits are far away
  idleJointCount: i32;
  arranged: i32; // 1: bundles are those of the joints of the last step; 0 after anything that may change them
  bundles: u32; // JointBundle[]
  bundleCapacity: i32;
  bundleCount: i32;
  bundleData: u32; // what their offsets point into
  bundleDataCapacity: i32; // bytes
  jointOrder: u32; // i32[] of joint slots: the order of elimination; then the stack of the search
  bodyMarks: u32; // BodyMark[], same slot as Body
  bodyMarkCapacity: i32;
  geometries: u32; // u32[2] per slot: address and bytes of the content, 0 free; slot 0 is never used
  geometryCapacity: i32;
  geometryEnd: i32;
  concaves: u32; // i32[] of pairs with a mesh or field: awake, touching
  concaveCapacity: i32;
  concaveCount: i32;
  triangles: u32; // i32[] gathered by the call that runs
  triangleCapacity: i32;
  swept: u32; // Swept[]: bodies whose motion in this step is swept; see continuous/
  sweptCapacity: i32;
  sweptCount: i32;
  impactCount: i32; // of the last step
  clampCount: i32; // bodies of the last step that were stopped because they had too many impacts
  lostCount: i32; // bodies of the last step whose speed or pose was no number, or absurd
}

/** What the step needs to know of a body and does not change in a substep. */
@unmanaged
export class Body {
  position: v128; // centre of mass, world, m
  rotation: v128; // world from body
  force: v128; // N, accumulated until the end of stepSimulation
  torque: v128; // N·m
  invMass: v128; // 1/mass × linear factor, per world axis
  invInertiaLocal: v128; // principal, 1/(kg·m²)
  invInertiaA: v128; // world inverse inertia × angular factor: xx, xy, xz, 0
  invInertiaB: v128; // yy, yz, zz, 0
  principal: v128; // rotation body from principal frame
  centerOfMass: v128; // in the body's own frame
  linearFactor: v128;
  angularFactor: v128;
  targetPosition: v128; // kinematic target (origin pose)
  targetRotation: v128;
  rotationRest: v128; // what f32 cut off when a spinning body was last turned (solver/gyroscopic.ts)
  angularRest: v128;
  mass: f32;
  gravityScale: f32;
  linearDamping: f32;
  angularDamping: f32;
  linearSleepThreshold: f32;
  angularSleepThreshold: f32;
  sleepTime: f32; // s below both thresholds
  boundingRadius: f32; // m about the centre of mass
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
  island: i32; // island number of the last step that computed islands; for sleepers the ring id
  islandNext: i32; // next body of the same sleeping island (a ring), 0 none
  colorMask: i32; // solver colours this body takes part in
  constraintCount: i32; // lanes and joints that act on it
  ccdMotionThreshold: f32;
  ccdSweptSphereRadius: f32;
  slack: f32; // m the body may still move before its shapes can leave their fat AABBs
  travel: f64; // m, bound on how far any point of the body has ever moved
  firstJoint: i32; // head of the joint list, 0 none; a link is joint << 1 | side
  sweptIndex: i32; // place in World.swept plus one, 0 none
  innerRadius: f32; // m, of a ball inside the thinnest of its shapes; 0: nothing that can be swept
  fastMotion: f32; // m per step from which on the body is swept
}

/** What the solver changes: the first cache line is all that contacts gather, the rest is per body only. */
@unmanaged
export class BodyVelocity {
  linear: v128; // m/s
  angular: v128; // rad/s
  deltaPosition: v128; // m, since the start of the step
  deltaRotation: v128; // rotation vector, since the start of the step
  contactLinear: v128; // velocity change by constraints over the last substep
  contactAngular: v128;
  baseLinear: v128; // velocity before the running solver pass
  baseAngular: v128;
  forceLinear: v128; // velocity gained from forces per substep; lane 3: damping factor per substep
  forceAngular: v128;
  startLinear: v128; // velocity at the start of the step
  startAngular: v128;
}

/** What is published: the pose of the body's own origin, read by the page without a call. */
@unmanaged
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

@unmanaged
export class Shape {
  localPosition: v128; // in the body's own frame (origin, not centre of mass)
  localRotation: v128;
  position: v128; // world, refreshed by updateAabbs
  rotation: v128; // world
  aabbMin: v128; // fat, as stored in the tree
  aabbMax: v128;
  param0: f32;
  param1: f32;
  param2: f32;
  param3: f32;
  radius: f32; // of the bounding sphere about the shape's own origin
  margin: f32;
  friction: f32;
  restitution: f32;
  rollingFriction: f32;
  spinningFriction: f32;
  type: i32;
  flags: i32;
  slot: i32;
  generation: i32;
  body: i32; // slot
  next: i32; // next shape of the same body, 0 none
  tree: i32; // 0 moving, 1 static and sleeping, -1 in no tree
  leaf: i32; // handle inside the tree
  group: i32; // copies of the body's filter
  mask: i32;
  userIndex: i32;
  movedIndex: i32; // index into World.moved, -1 none
  geometry: u32; // address of a *Geometry, as the type says, 0 none
  geometrySlot: i32; // its slot in World.geometries, 0 none
}

/**
 * A cooked hull, shared by shapes and never changed. Tables follow the header: vertices in blocks of four
 * (x, y, z of four each), planes in blocks of four (normal x, y, z and distance of four each), both padded
 * with copies of the last; then i32: the first corner of each face and of the one after the last, and the
 * corners: vertices counter-clockwise from outside.
 */
@unmanaged
export class HullGeometry {
  vertexCount: i32;
  faceCount: i32;
  cornerCount: i32;
  radius: f32; // m, of the bounding sphere about the origin
  hashLow: i32; // of the content
  hashHigh: i32;
  reserved0: i32;
  reserved1: i32;
}

/** Points with radii about the centre of mass, for triangles (3 points, radius 0) and multi-spheres; f32x4 (x, y, z, radius) of each follow. */
@unmanaged
export class PointGeometry {
  count: i32;
  reserved0: i32;
  reserved1: i32;
  radius: f32; // m, of the bounding sphere about the origin
  hashLow: i32;
  hashHigh: i32;
  reserved2: i32;
  reserved3: i32;
}

/**
 * A cooked triangle mesh. Tables follow the header: MeshNode[nodeCount] (node 0 is the root), vertices f32x4
 * (x, y, z, 0), triangles i32x4 (corners a, b, c, TRIANGLE_* bits), neighbours i32x4 (triangle beyond ab, bc, ca
 * or −1; the triangle's number in the user's own order), coefficients f32x4 of each material (friction, restitution,
 * rolling, spinning friction; negative: the shape's). Unscaled: see Shape.param0.
 */
@unmanaged
export class MeshGeometry {
  vertexCount: i32;
  triangleCount: i32;
  nodeCount: i32;
  flags: i32; // CONCAVE_*
  hashLow: i32;
  hashHigh: i32;
  depth: i32; // of the tree
  materialCount: i32;
  boundsMin: v128;
  boundsMax: v128;
  radius: f32; // m, about the origin
  coefficientCount: i32; // materials of the last table
  reserved1: i32;
  reserved2: i32;
}

/** Four boxes side by side. */
@unmanaged
export class MeshNode {
  minX: v128;
  minY: v128;
  minZ: v128;
  maxX: v128;
  maxY: v128;
  maxZ: v128;
  child: v128; // i32x4: > 0 node; < 0 leaf: −child − 1 = first triangle × 8 + count − 1; 0 empty (bounds +inf..−inf)
}

/**
 * Heights over a grid that is centred on the origin. Tables follow the header, each from a multiple of 16
 * bytes on: heights f32[rows × columns]; cells u8[(rows − 1) × (columns − 1)], CELL_* bits; least and greatest height
 * f32[2] of every TILE_CELLS × TILE_CELLS cells, or nothing; coefficients as of a mesh. Columns, up, rows lie along y, x, z (upAxis 0),
 * x, y, z (1) or x, z, y (2).
 */
@unmanaged
export class HeightfieldGeometry {
  rows: i32;
  columns: i32;
  flags: i32; // CONCAVE_*
  upAxis: i32;
  hashLow: i32;
  hashHigh: i32;
  minHeight: f32;
  maxHeight: f32;
  spacingX: f32; // m between columns
  spacingZ: f32; // m between rows
  materialCount: i32;
  tileCount: i32;
  radius: f32; // m, about the origin
  coefficientCount: i32; // materials of the last table
  reserved1: i32;
  reserved2: i32;
}

/**
 * Two shapes whose fat AABBs overlap. In rows of four words: what lasts first, then what a snapshot makes again.
 */
@unmanaged
export class Pair {
  shapeA: i32; // slot; shapeA < shapeB
  shapeB: i32;
  nextA: i32; // pair lists per body: link << 1 | side, -1 end
  nextB: i32;
  flags: i32;
  list: i32; // LIST_*
  color: i32; // for LIST_SOLVED
  cache: i32; // narrow phase hint (last separating axis, simplex)
  travel: f64; // of a touching sensor's pair: travel of both bodies when last looked at, -1 look again
  material: i32; // of a child on triangles with coefficients of their own: their material + 1; 0 none
  reserved1: i32;
  bodyA: i32;
  bodyB: i32;
  prevA: i32;
  prevB: i32;
  index: i32; // place in that list: waiting/sensor index, or block handle × 4 + lane, or parked index
  friction: f32;
  restitution: f32;
  rollingFriction: f32;
  spinningFriction: f32;
  firstChild: i32; // of a pair with a mesh or field: pair of its first manifold, -1 none
  next: i32; // of a child: the next one, -1 none
  owner: i32; // of a child: the pair that the broad phase found
}

/** A pair that overlaps in the tree and does not touch: what is looked at in every step, in one row. */
@unmanaged
export class WaitingPair {
  limit: f64; // m, travel of both bodies at which they may touch: then, plus their distance then; -1 unknown
  pair: i32;
  bodyA: i32;
  bodyB: i32;
  reserved0: i32;
}

/** Four manifolds, one per SIMD lane: all that the solver reads and writes. Frame: t1, t2 = n × t1, n. */
@unmanaged
export class ContactBlock {
  maxPoints: i32; // most points of any lane
  special: i32; // SPECIAL_* bits of all lanes
  fresh: i32; // 1: some manifold is new in this step
  reserved1: i32;
  bodyA: v128; // i32x4 slots, 0 where there is nothing to move
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

/** One contact point of each of four manifolds; follows ContactBlock.points, four times. */
@unmanaged
export class ContactPointWide {
  a: v128; // offset from the manifold centre along t1
  b: v128; // along t2
  separation: v128; // at the start of the step
  impulse: v128;
  totalImpulse: v128; // over the substeps of this step
  mass: v128; // effective
  lever: v128; // distance from the manifold centre
}

/** What the solver reads only of impacts, rolling and kinematic contacts, or never: identity, recycling. One per ContactBlock. */
@unmanaged
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
  kinematic: v128; // mask: lanes with a kinematic body
  fast: v128; // mask: lanes whose bodies close fast enough for an impact
  surfaceVelocity1: v128; // m/s, see storeSurfaceVelocity
  surfaceVelocity2: v128;
  points: v128; // first of PointMeta records, 4 of them
}

/** The same of one contact point of each of four manifolds; follows BlockMeta.points, four times. */
@unmanaged
export class PointMeta {
  baseSeparation: v128; // when the narrow phase last ran
  struck: v128; // mask: struck in an earlier substep and pressed since
  arrival: v128; // m/s, speed at which the point came into touch in this substep, 0 if it did not
}

@unmanaged
export class Color {
  blocks: u32; // ContactBlock[]
  meta: u32; // BlockMeta[], same index
  capacity: i32;
  count: i32; // blocks
  lanes: i32; // lanes in use; the last block may be partly filled
  changes: i32; // lanes given and moved since the colour was last put in order (solver/tidy.ts)
}

/** The narrow phase's answer for one pair of shapes, in world coordinates. */
@unmanaged
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
  feature0: u32; // stable id of the pair of features
  feature1: u32;
  feature2: u32;
  feature3: u32;
}

/** A body whose motion in this step is swept: the part of its path that is not settled yet. */
@unmanaged
export class Swept {
  position: v128; // centre of mass at the start of this part
  rotation: v128;
  delta: v128; // from there to the end of the step
  turn: v128; // rotation vector
  linear: v128; // velocity at its start
  angular: v128;
  acceleration: v128; // what would be added to the linear velocity over a whole step
  lift: v128; // how far it is taken to stand above what carries it
  slides: v128; // normal of the surface it slides along, after too many impacts
  normal: v128; // of the next impact, from this body's shape to the other
  point: v128;
  time: f32; // fraction of the step at which this part starts
  next: f32; // fraction at which it meets something, above 1: nothing
  slot: i32;
  shape: i32; // its shape that meets ...
  other: i32; // ... this one
  impacts: i32;
  flags: i32; // SWEPT_*
  triangle: i32; // of a mesh or heightfield at the next impact
}

/** How a shape moves over a fraction of 1, whatever time that stands for: linearly, and turning evenly. */
@unmanaged
export class Motion {
  position: v128; // of the shape's origin at the start
  rotation: v128; // of the shape at the start
  arm: v128; // from the centre of turning to the shape's origin at the start
  delta: v128; // path of the centre of turning
  turn: v128; // rotation vector about that centre; may be longer than a whole turn
}

/** Answer of timeOfImpact. */
@unmanaged
export class Impact {
  normal: v128; // unit, from A to B, at the fraction returned
  point: v128; // midway between the nearest points then
  separation: f32; // then
  state: i32; // IMPACT_*
  iterations: i32; // distances computed
  evaluations: i32; // separations along an axis computed
}

/**
 * A question about shapes, as the caller's side writes it: this header, a list of pieces of each side (a shape's
 * slot, or minus the offset in bytes of a Shape record further on), those records, and the geometry they use.
 */
@unmanaged
export class ShapeQuery {
  delta: v128; // m, sweep of A
  kind: i32; // ASK_*
  mode: i32; // QUERY_*
  group: i32;
  mask: i32;
  skip: i32; // slot of a body that is not seen, 0 none
  flags: i32; // ASK_SENSORS, ...
  maxHits: i32; // 0: all
  maxDistance: f32; // m
  piecesA: i32;
  piecesB: i32; // 0: against all shapes of the world
  reserved0: i32;
  reserved1: i32;
}

/** One answer to a ShapeQuery. */
@unmanaged
export class ShapeHit {
  shape: i32; // slot, of the shape that was met
  body: i32; // slot of its body
  value: f32; // fraction of the sweep, or distance, or separation of a contact point
  pointX: f32; // on the shape that was met; of a contact: midway
  pointY: f32;
  pointZ: f32;
  normalX: f32; // unit; of a sweep: out of the shape met; else from A to B
  normalY: f32;
  normalZ: f32;
  triangle: i32; // of the shape met, -1 none
  piece: i32; // index of the piece of A
  pointAX: f32; // on A
  pointAY: f32;
  pointAZ: f32;
  triangleA: i32;
  cluster: i32; // number of the contact that the point belongs to
}

/** One dynamic AABB tree. Nodes refer to each other and to shapes by index, never by address. */
@unmanaged
export class Tree {
  nodes: u32; // TreeNode table; node 0 is never used, node 1 is the root
  nodeCapacity: i32;
  nodeEnd: i32;
  nodeFree: i32; // head of the free list, 0 none
  nodeCount: i32;
  leafCount: i32;
  unbounded: i32; // head of the list of nodes that hold the shapes too large for the tree, 0 none
  pending: i32; // head of the list of nodes that hold the shapes not yet put into the tree, 0 none
  pendingCount: i32; // leaves in it
  changes: i32; // leaves inserted since the last amortised rebuild
  cursor: i32; // node where the next amortised rebuild looks first
  stack: u32; // traversal stack, can never overflow: see reserveNodes
  build: u32; // scratch of the rebuild
  buildCapacity: i32; // bytes
  reserved0: i32;
  reserved1: i32;
}

/** Four children side by side, so that one SIMD instruction compares a bound of all four. */
@unmanaged
export class TreeNode {
  minX: v128;
  minY: v128;
  minZ: v128;
  maxX: v128;
  maxY: v128;
  maxZ: v128;
  child: v128; // i32x4: > 0 node, < 0 minus the shape slot of a leaf, 0 empty (bounds +inf..-inf)
  parent: i32; // parent node << 2 | lane; -1 root, -2 in the unbounded list, -3 in the pending list
  next: i32; // of the free, unbounded or pending list, 0 none
  reserved0: i32;
  reserved1: i32;
}

/** A joint: what its user set, and the impulses that the next step starts from. */
@unmanaged
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
  hertz: f32; // of the locked directions, 0 stiff
  dampingRatio: f32;
  maxForce: f32; // N, of soft locked directions, 0 unlimited
  maxTorque: f32; // N·m
  userIndex: i32;
  nextA: i32; // joint lists per body: link = slot << 1 | side, 0 end
  prevA: i32;
  nextB: i32;
  prevB: i32;
  ratio: f32; // of a gear: turns of A against those of B; > 0: opposite ways
  reserved1: i32;
  reserved2: i32;
  axes: v128; // first of JOINT_AXIS_COUNT JointAxis records
}

/** One direction of a joint that is not simply locked; follows Joint.axes, six times. */
@unmanaged
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
  stopCfm: f32; // m/s or rad/s that it gives way per unit of impulse of a step
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

/** What a step derives from a joint; never kept across steps. */
@unmanaged
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
  turned: v128; // rotation vector of B against A since the start of the step
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
  moverA: i32; // slot whose velocity is read and changed; 0 where the side stands still
  moverB: i32;
  linearLocks: i32; // 0 none, 2 across the main axis, 3 all
  angularLocks: i32;
  rowMask: i32; // bit per axis that has a row
  place: i32; // in activeJoints
  biasRate: f32; // 1/s, of the locked directions
  massScale: f32;
  impulseScale: f32;
  soft: i32; // 1: the locked directions are springs
  locks: i32; // bit per locked row: 0 to 2 anchors, 3 to 5 lock0 to lock2, 6 and on axes
  bundled: i32; // 1: its locks are rows of a bundle
  mark: i32; // of the search for components
  members: i32; // places of its bodies in their component: a | b << 16
  slack: f32; // rad that its bodies may turn against each other before a limit is near
  idle: i32; // 1: among World.idleJoints
  moved: i32; // bit 0: impulses move A, bit 1: B
  bounced: i32; // 1: a limit of it was met in this substep, and bounced
  rows: v128; // first of JOINT_AXIS_COUNT JointRow records
}

/** One axis of a joint, ready for the substeps; follows JointWork.rows, six times. */
@unmanaged
export class JointRow {
  normal: v128; // direction of motion of B against A; 0 for angular axes
  armA: v128; // (rA + separation) × normal, or the angular direction
  armB: v128; // rB × normal, or the angular direction
  turnA: v128; // what a unit impulse does to the angular velocities, with its share at the anchors
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
  lowApproach: f32; // speed at which a limit that bounces was met in this substep, < 0
  highApproach: f32;
  reserved0: f32;
}

/**
 * Up to four components of joints of one structure, side by side in lanes: their locked directions as rows
 * of one matrix J M⁻¹ Jᵀ. See solver/joints/bundles.ts. Offsets are in bytes from World.bundleData.
 */
@unmanaged
export class JointBundle {
  joints: i32; // BundleJoint[]
  bodies: i32; // BundleBody[]
  rows: i32; // BundleRow[]
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
  turned: f32; // rad that any body may have turned since the factors were made
  aged: i32; // 1: factors are those of an earlier substep
  looped: i32; // 1: more joints than bodies: some say the same twice
}

/** A body of each lane. Lanes in which nothing moves have masses of 0. */
@unmanaged
export class BundleBody {
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
  dvX: v128; // change of a sweep: rounded once when it is added, not once per row
  dvY: v128;
  dvZ: v128;
  dwX: v128;
  dwY: v128;
  dwZ: v128;
  gX: v128; // rad/s, by which the mean spin of the coming substep differs from w (gyroscopic)
  gY: v128;
  gZ: v128;
  tension: v128; // h² tr(I⁻¹K) of the pulls at its joints
}

@unmanaged
export class BundleJoint {
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

/** One locked direction: B against A moves along `normal` and turns with the arms. */
@unmanaged
export class BundleRow {
  armAX: v128;
  armAY: v128;
  armAZ: v128;
  armBX: v128;
  armBY: v128;
  armBZ: v128;
  turnAX: v128; // inverse inertia times the arms
  turnAY: v128;
  turnAZ: v128;
  turnBX: v128;
  turnBY: v128;
  turnBZ: v128;
  normalX: v128; // of axes only; rows of anchors have a world axis, rows of angles none
  normalY: v128;
  normalZ: v128;
  error: v128; // m or rad, now
  impulse: v128; // last substep
  total: v128; // over the step
  kind: i32; // as the bits of JointWork.locks
  offset: i32; // in the matrix, in v128, of column 0 (may lie before the envelope)
  first: i32;
  reserved0: i32;
}

/** What the search for components notes of a body. */
@unmanaged
export class BodyMark {
  cursor: i32; // link of its joint list to look at next; -1 never seen
  row: i32; // lowest row that acts on it
  joint: i32; // whose
  index: i32; // among the bodies of its component
  colors: i32; // bit per colour of single joints
  stamp: i32; // place in the order where its component begins, plus 1
}
