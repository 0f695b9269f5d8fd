// The world record, the root of all tables: settings, addresses, capacities and counts.

/** Settings, table addresses and counts. Lies at WORLD_ADDRESS. @unmanaged */
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
  contactPushSpeed: f32; // m/s, largest speed at which penetration is removed
  contactSlop: f32; // m, penetration that is allowed to remain
  warmstartingFactor: f32;
  restitutionThreshold: f32; // m/s
  contactBreakingThreshold: f32; // m, also the speculative distance
  recycleDistance: f32; // m, relative motion below which a manifold is reused
  recycleAngleCosine: f32; // cos² of half the largest rotation of a body for reuse
  aabbMargin: f32; // m
  sleepingEnabled: i32;
  deactivationTime: f32; // s
  sleepDistance: f32; // m; 0: only speeds decide whether a body rests, as in Bullet
  frictionCombine: i32;
  restitutionCombine: i32;
  gyroscopic: i32;
  parabolicFlight: i32; // 1: second-order integration of free motion (see solver/integrate.ts), 0: Bullet's Euler
  rollingFrictionCombine: i32;
  continuous: i32; // 1: fast small bodies are swept automatically, 0: only those with a motion threshold
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
  motions: u32; // v128, same slot: m, displacement in this step, and a bound on the motion of points by rotation; see motionOf
  shapes: u32;
  boxes: u32; // FatBox, same slot as Shape
  shapeCapacity: i32;
  shapeEnd: i32;
  shapeCount: i32;
  awake: u32; // i32[] of body slots: awake dynamic and moving kinematic bodies
  awakeCapacity: i32;
  awakeCount: i32;
  moved: u32; // i32[] of shape slots whose fat AABB changed since the last pair search
  movedCapacity: i32;
  movedCount: i32;
  newPairs: u32; // u32[2] shape slots (A < B), sorted: pairs found in this step
  newPairCapacity: i32;
  newPairCount: i32;
  pairs: u32;
  pairCapacity: i32;
  pairEnd: i32;
  pairFree: i32; // head of the free list
  pairCount: i32;
  // Core only:
  pairSet: u32; // open addressing hash set, u64 of shape slots and pair index, 0 empty; see broadphase/pairSet.ts
  pairSetCapacity: i32;
  pairSetCount: i32;
  // All:
  waiting: u32; // WaitingPair[]: awake, AABBs overlap, shapes do not touch
  // Core only:
  waitingCapacity: i32;
  // All:
  waitingCount: i32;
  sensors: u32; // i32[] of pairs: awake, touching, without contact response
  sensorCapacity: i32;
  sensorCount: i32;
  colors: u32; // Color[COLOR_COUNT]
  contactCount: i32; // lanes in use
  parked: u32; // pool of ParkedManifold (sleeping pairs)
  // Core only:
  parkedCapacity: i32;
  // All:
  parkedEnd: i32;
  parkedFree: i32;
  candidates: u32; // i32[] of pairs that got a manifold in this step; at the end of the step, pairs whose contact began
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
  scratch: u32; // words; content is not kept from one stage to the next
  scratchCapacity: i32; // bytes
  queryOutput: u32; // words
  queryCapacity: i32; // words
  islandCount: i32;
  islands: u32; // i32[], same slot as Body: island number from the last search; for queries only, no effect on a step
  freeListAddress: u32; // of the allocator: where the address of the first free region is stored
  profile: u32; // f32[PROFILE_COUNT] of the last step, ms
  newBlocks: u32; // i32[] of block handles: blocks with a manifold that is new in this step
  newBlockCapacity: i32;
  newBlockCount: i32;
  recycledCount: i32;
  collidedCount: i32;
  joints: u32;
  jointWork: u32; // JointWork, same slot as Joint
  activeJoints: u32; // i32[] of joint slots solved in this step
  jointCapacity: i32;
  jointEnd: i32;
  jointCount: i32;
  activeJointCount: i32;
  scalarJoints: u32; // i32[] of joint slots: active joints with rows to solve outside of batches
  scalarJointCount: i32;
  idleJoints: u32; // i32[] of joint slots: those scalar joints whose limits are far away
  idleJointCount: i32;
  arranged: i32; // 1: the batches still fit the joints of the last step; 0 after any change
  // Core only:
  batches: u32; // JointBatch[], see solver/joints/batches.ts
  batchCapacity: i32;
  // All:
  batchCount: i32;
  batchData: u32; // memory to which the offsets in batches refer
  batchDataCapacity: i32; // bytes
  jointOrder: u32; // i32[] of joint slots: order of elimination, followed by the stack of the search
  bodyMarks: u32; // BodyMark[], same slot as Body
  bodyMarkCapacity: i32;
  geometries: u32; // u32[2] per slot: address and bytes of the content, 0 free; slot 0 is never used
  geometryCapacity: i32;
  geometryEnd: i32;
  concaves: u32; // i32[] of concave pairs: awake, touching
  // Core only:
  concaveCapacity: i32;
  // All:
  concaveCount: i32;
  triangles: u32; // i32[] of triangles, gathered by the current call
  triangleCapacity: i32;
  ccdBodies: u32; // CcdBody[]: bodies whose motion in this step is swept; see continuous/
  // Core only:
  ccdCapacity: i32;
  // All:
  ccdCount: i32;
  impactCount: i32; // number of CCD impacts in the last step
  clampCount: i32; // bodies that were stopped in the last step because they had too many impacts
  // Core only: scratch of the solver. The page does not load these offsets.
  highRatioBlocks: u32; // HighRatioBlock[] of the current step, see solver/massRatio.ts
  highRatioCapacity: i32;
  highRatioCount: i32;
  bearers: u32; // Bearer[]: bodies on which those blocks act
  bearerCapacity: i32;
  bearerCount: i32;
  hasPlates: i32; // 1: there may be plates, see solver/substeps.ts
  towerBlocks: u32; // i32[] of block handles: where towers are looked for, see solver/towers.ts
  towerBlockCapacity: i32;
  towerBlockCount: i32;
  towerBodies: u32; // TowerBody[] of the current step
  towerBodyCapacity: i32;
  towerBodyCount: i32;
  towerPatches: u32; // TowerPatch[]: the manifolds by which they rest
  towerPatchCapacity: i32;
  towerPatchCount: i32;
  arrivals: u32; // Arrival[] of the current substep, see solver/impacts.ts
  arrivalCapacity: i32;
  arrivalCount: i32;
  impactManifolds: u32; // ImpactManifold[] of one impact, see solver/impactSolver.ts
  impactManifoldCapacity: i32;
  impactManifoldCount: i32;
  struck: u32; // StruckBody[]: the bodies of these manifolds
  struckCapacity: i32;
  struckCount: i32;
  driveRows: u32; // Drive[] of the current substep, see solver/joints/drives.ts
  driveCapacity: i32;
  driveData: u32; // memory for their responses
  driveDataCapacity: i32; // bytes
  // All: what follows has offsets in JavaScript again.
  surfaces: u32; // Surface[] of shapes with a surface velocity or a one-way direction, sorted by slot
  surfaceCapacity: i32;
  surfaceCount: i32;
  areas: u32; // Area[] of shapes that act on the bodies inside them, sorted by slot
  areaCapacity: i32;
  areaCount: i32;
  vehicles: u32; // Vehicle[], sorted by the slot of the chassis; see actors/
  vehicleCapacity: i32;
  vehicleCount: i32;
  wheels: u32; // Wheel[], sorted by the slot of the chassis and the number of the wheel
  wheelCapacity: i32;
  wheelCount: i32;
  characters: u32; // Character[], sorted by the slot of the body; see actors/
  characterCapacity: i32;
  characterCount: i32;
  lostCount: i32; // bodies of the last step whose velocity or pose was NaN, infinite or far too large
  substepLength: f32; // s, of the setting in the last step, to which impulses belong; 0 before the first
}
