// The map of the core's memory, for its sanitizer: what each region is for. Where it lies, how long it is, and when it
// moves, the sanitizer hears from the allocator; that every table of the records is in here, a test sees to
// (test/sanitize/map.test.ts). A table that is not named here is guarded as well, but only at its ends.
//
// Of a table, by the field that holds its address:
//   class   of its rows; `parts`: classes inside of a row
//   stride  name of the constant that has the bytes of a row, or their number
//   end     field that says how many rows are in use: what lies behind may not be read
//   live    field of a row, and bits of it: a row without them is free, and nothing else of it may be read
//   free    field with the head of the list of free rows; `link`: where each has the next one
//   keeps   fields of a free row that may be read
//   dummy   row 0 stands for what is not there, and is always in use
//   with    table whose free rows are free in this one, too
//   zeroed  what is not written yet may be read: its users count on the zeros of the allocator
//   role    'output': questions may write to it; 'scratch': likewise, and nothing of it lasts from one call to the next;
//           'host': written by the caller before a call
//   step    nothing of it lasts from one step to the next
import { MEMORY_MAP } from '../memory-map.mjs';

/** Tables by the field that holds their address. */
export const TABLES = {
  'World.bodies': {
    class: 'Body',
    stride: 'memory/tables/BODY_SIZE',
    end: 'World.bodyEnd',
    dummy: true,
    live: ['flags', 1],
  },
  'World.velocities': {
    class: 'BodyVelocity',
    stride: 'memory/tables/VELOCITY_SIZE',
    dummy: true,
    with: 'World.bodies',
  },
  'World.poses': {
    class: 'BodyPose',
    parts: ['Note'], // a snapshot that is read has its notes there
    stride: 'memory/tables/POSE_SIZE',
    with: 'World.bodies',
  },
  'World.motions': { stride: 16, with: 'World.bodies' },
  'World.islands': { stride: 4, zeroed: true, role: 'output' },
  'World.shapes': {
    class: 'Shape',
    stride: 'memory/tables/SHAPE_SIZE',
    end: 'World.shapeEnd',
    live: ['flags', 1],
  },
  'World.boxes': { class: 'FatBox', stride: 'memory/tables/BOX_SIZE', with: 'World.shapes' },
  'World.surfaces': { class: 'Surface', stride: 'memory/tables/SURFACE_SIZE', end: 'World.surfaceCount' },
  'World.areas': { class: 'Area', stride: 'memory/tables/AREA_SIZE', end: 'World.areaCount' },
  'World.vehicles': { class: 'Vehicle', stride: 'memory/tables/VEHICLE_SIZE', end: 'World.vehicleCount' },
  'World.wheels': { class: 'Wheel', stride: 'memory/tables/WHEEL_SIZE', end: 'World.wheelCount' },
  'World.characters': {
    class: 'Character',
    stride: 'memory/tables/CHARACTER_SIZE',
    end: 'World.characterCount',
  },
  'World.awake': { stride: 4, end: 'World.awakeCount' },
  'World.moved': { stride: 4, end: 'World.movedCount' },
  'World.newPairs': { stride: 8, end: 'World.newPairCount' },
  'World.pairs': {
    class: 'Pair',
    stride: 'memory/tables/PAIR_SIZE',
    end: 'World.pairEnd',
    free: 'World.pairFree',
    link: 'Pair.index',
    keeps: ['Pair.shapeA'],
  },
  'World.pairSet': { stride: 8, zeroed: true },
  'World.waiting': { class: 'WaitingPair', stride: 'memory/tables/WAITING_SIZE', end: 'World.waitingCount' },
  'World.sensors': { stride: 4, end: 'World.sensorCount' },
  'World.colors': { class: 'Color', stride: 'memory/tables/COLOR_SIZE', zeroed: true },
  'Color.blocks': {
    class: 'ContactBlock',
    parts: ['ContactPointWide'],
    stride: 'memory/tables/BLOCK_SIZE',
    end: 'Color.count',
  },
  'Color.meta': {
    class: 'BlockMeta',
    parts: ['PointMeta'],
    stride: 'memory/tables/META_SIZE',
    end: 'Color.count',
  },
  'World.parked': {
    stride: 'solver/lanes/PARKED_SIZE',
    end: 'World.parkedEnd',
    free: 'World.parkedFree',
    link: 'solver/lanes/PARKED_LINK',
  },
  'World.candidates': { stride: 4, end: 'World.candidateCount' },
  'World.trees': { class: 'Tree', stride: 'broadphase/nodes/TREE_SIZE', zeroed: true },
  'Tree.nodes': {
    class: 'TreeNode',
    stride: 'broadphase/nodes/NODE_SIZE',
    end: 'Tree.nodeEnd',
    free: 'Tree.nodeFree',
    link: 'TreeNode.next',
    keeps: ['TreeNode.child'],
  },
  'Tree.stack': { stride: 4, role: 'scratch' },
  'Tree.build': { stride: 4, step: true },
  'World.events': { stride: 4, end: 'World.eventWords' },
  'World.commands': { stride: 4, role: 'host' },
  'World.scratch': { role: 'scratch' },
  'World.queryOutput': { stride: 4, role: 'output' },
  'World.profile': { stride: 4, zeroed: true },
  'World.newBlocks': { stride: 4, end: 'World.newBlockCount' },
  'World.joints': {
    class: 'Joint',
    parts: ['JointAxis'],
    stride: 'memory/tables/JOINT_SIZE',
    end: 'World.jointEnd',
    dummy: true,
    live: ['flags', 1],
  },
  'World.jointWork': {
    class: 'JointWork',
    parts: ['JointRow'],
    stride: 'memory/tables/WORK_SIZE',
    dummy: true,
    with: 'World.joints',
  },
  'World.activeJoints': { stride: 4, end: 'World.activeJointCount' },
  'World.scalarJoints': { stride: 4, end: 'World.scalarJointCount' },
  'World.idleJoints': { stride: 4, end: 'World.idleJointCount' },
  'World.batches': { class: 'JointBatch', stride: 'memory/tables/BATCH_SIZE', end: 'World.batchCount' },
  'World.batchData': { parts: ['BatchBody', 'BatchJoint', 'BatchRow', 'BatchArms'], stride: 16 },
  'World.driveRows': { class: 'Drive', stride: 'memory/tables/DRIVE_SIZE', step: true },
  'World.driveData': { stride: 4 },
  'World.jointOrder': { stride: 4, step: true },
  'World.bodyMarks': { class: 'BodyMark', stride: 'memory/tables/MARK_SIZE', step: true },
  'World.geometries': { stride: 8, end: 'World.geometryEnd', zeroed: true },
  'World.concaves': { stride: 4, end: 'World.concaveCount' },
  'World.triangles': { stride: 4, role: 'scratch' },
  'World.ccdBodies': { class: 'CcdBody', stride: 'bodies/fast/CCD_BODY_SIZE', end: 'World.ccdCount' },
  'World.highRatioBlocks': {
    class: 'HighRatioBlock',
    stride: 'memory/tables/HIGH_RATIO_SIZE',
    end: 'World.highRatioCount',
    step: true,
  },
  'World.bearers': {
    class: 'Bearer',
    stride: 'memory/tables/BEARER_SIZE',
    end: 'World.bearerCount',
    step: true,
  },
  'World.towerBlocks': { stride: 4, end: 'World.towerBlockCount', step: true },
  'World.towerBodies': {
    class: 'TowerBody',
    stride: 'memory/tables/TOWER_BODY_SIZE',
    end: 'World.towerBodyCount',
    step: true,
  },
  'World.towerPatches': {
    class: 'TowerPatch',
    stride: 'memory/tables/TOWER_PATCH_SIZE',
    end: 'World.towerPatchCount',
    step: true,
  },
  'World.arrivals': {
    class: 'Arrival',
    stride: 'memory/tables/ARRIVAL_SIZE',
    end: 'World.arrivalCount',
    step: true,
  },
  'World.impactManifolds': {
    class: 'ImpactManifold',
    stride: 'memory/tables/IMPACT_MANIFOLD_SIZE',
    end: 'World.impactManifoldCount',
    step: true,
  },
  'World.struck': {
    class: 'StruckBody',
    stride: 'memory/tables/STRUCK_SIZE',
    end: 'World.struckCount',
    step: true,
  },
};

/** Records that hold addresses of tables: there are several of these, and each has tables of its own. */
export const ROOTS = ['World', 'Tree', 'Color'];

/** Fields of World that are addresses of no table. */
export const NO_TABLE = ['World.heapTop', 'World.freeListAddress'];

/** What lies at fixed places beside the record of the world: from where, and bytes. */
export const FIXED = {
  'the head of the list of free regions': { at: MEMORY_MAP.FREE_LIST_ADDRESS, bytes: 4, zeroed: true },
};

/** Buffers of `memory.data` whose content lasts from call to call, and why. */
export const LASTING = {};

/** Functions that may read what is free or was not written, and why. */
export const READS_UNWRITTEN = {
  'src/core/contacts/manifold/fourSeparations':
    'four points at a time; what comes of those that are none is cleared',
  'src/core/contacts/manifold/offsetsAlong':
    'four points at a time; what comes of those that are none is cleared',
  'src/core/state/rows/getRow': 'a row is taken as a whole, and the last of a snapshot may end sooner',
  'src/core/state/snapshotManifolds/fetch': 'four words at a time, of which the last are padding',
  'src/core/state/soundNumbers/isEmpty': 'asks whether rows that are free hold zeros',
  'src/core/state/soundTrees/listed': 'asks whether nodes that are free say so',
  'src/core/state/walk/table': 'a snapshot holds a table as it is; free rows are zeros and cost a bit each',
};

/** What an export may write to. 'all': it changes the world. Else it is a question: outputs, scratch, and these. */
export const EXPORTS = {
  initialize: 'all',
  reserveCommands: ['World.commands', 'World.commandCapacity'],
  applyCommands: 'all',
  step: 'all',
  addGeometry: 'all',
  removeGeometry: 'all',
  readSnapshot: 'all',
  stateDigest: [],
  stateHash: [],
  reserveSnapshot: [],
  snapshotBound: [],
  writeSnapshot: ['snapshot'],
  collectContacts: [],
  findFault: [],
  memoryEnd: [],
  findIslandsNow: [],
  rayTest: [],
  rayTestBatch: [],
  queryShapes: [],
  overlapAabb: [],
  allPairsBrute: [],
  currentPairs: [],
  actors: 'all',
  publish: [],
  publishCharacter: [],
};

/** Fields of World that go with tables which questions may write to. */
export const QUESTION_FIELDS = [
  'World.queryOutput',
  'World.queryCapacity',
  'World.scratch',
  'World.scratchCapacity',
  'World.triangles',
  'World.triangleCapacity',
  'World.islandCount',
];
