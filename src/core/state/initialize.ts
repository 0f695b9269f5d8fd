// Creates an empty world: the world record, the allocator and all tables at their first capacity. In: a new instance.
// Out: a world without bodies; slot 0 of bodies is the static dummy to which contact blocks refer if a side does not
// move.
import { initializeTrees } from '../broadphase/tree';
import { allocate } from '../memory/allocator';
import { COLOR_COUNT } from '../memory/constants';
import { FREE_LIST_ADDRESS, WORLD_ADDRESS } from '../memory/map';
import { World } from '../memory/records';
import {
  BODY_SIZE,
  BOX_SIZE,
  COLOR_SIZE,
  JOINT_SIZE,
  PAIR_SIZE,
  POSE_SIZE,
  SHAPE_SIZE,
  VELOCITY_SIZE,
  WAITING_SIZE,
  WORK_SIZE,
  world,
} from '../memory/tables';
import { HEAP_START } from '../threads/control';
import { THREADED } from '../threads/mode';

const FIRST_BODIES: usize = 64;
const FIRST_PAIRS: usize = 256;
const FIRST_JOINTS: usize = 16;

export function initialize(): void {
  memory.fill(WORLD_ADDRESS, 0, offsetof<World>());
  store<u32>(FREE_LIST_ADDRESS, 0);
  const g = world();
  g.freeListAddress = FREE_LIST_ADDRESS;
  g.heapTop = THREADED ? load<u32>(HEAP_START) : (<u32>__heap_base + 63) & ~63;
  g.bodyCapacity = <i32>FIRST_BODIES;
  g.bodies = allocate(FIRST_BODIES * BODY_SIZE);
  g.velocities = allocate(FIRST_BODIES * VELOCITY_SIZE);
  g.poses = allocate(FIRST_BODIES * POSE_SIZE);
  g.motions = allocate(FIRST_BODIES * 16);
  g.islands = allocate(FIRST_BODIES * 4);
  g.bodyEnd = 1;
  const dummy = changetype<usize>(g.bodies);
  store<f32>(dummy, 1, 16 + 12); // identity rotation of the dummy
  g.shapeCapacity = <i32>FIRST_BODIES;
  g.shapes = allocate(FIRST_BODIES * SHAPE_SIZE);
  g.boxes = allocate(FIRST_BODIES * BOX_SIZE);
  g.shapeEnd = 1;
  g.awakeCapacity = <i32>FIRST_BODIES;
  g.awake = allocate(FIRST_BODIES * 4);
  g.movedCapacity = <i32>FIRST_BODIES;
  g.moved = allocate(FIRST_BODIES * 4);
  g.newPairCapacity = <i32>FIRST_PAIRS;
  g.newPairs = allocate(FIRST_PAIRS * 8);
  g.pairCapacity = <i32>FIRST_PAIRS;
  g.pairs = allocate(FIRST_PAIRS * PAIR_SIZE);
  g.pairFree = -1;
  g.waitingCapacity = <i32>FIRST_PAIRS;
  g.waiting = allocate(FIRST_PAIRS * WAITING_SIZE);
  g.sensorCapacity = <i32>FIRST_PAIRS;
  g.sensors = allocate(FIRST_PAIRS * 4);
  g.concaveCapacity = <i32>FIRST_PAIRS;
  g.concaves = allocate(FIRST_PAIRS * 4);
  g.triangleCapacity = 4096;
  g.triangles = allocate(4096 * 4);
  g.candidateCapacity = <i32>FIRST_PAIRS;
  g.candidates = allocate(FIRST_PAIRS * 4);
  g.colors = allocate(<usize>COLOR_COUNT * COLOR_SIZE);
  g.parkedFree = -1;
  g.scratchCapacity = 65536;
  g.scratch = allocate(65536);
  g.eventCapacity = 4096;
  g.events = allocate(4096 * 4);
  g.queryCapacity = 1024;
  g.queryOutput = allocate(1024 * 4);
  g.commandCapacity = 4096;
  g.commands = allocate(4096 * 4);
  g.jointCapacity = <i32>FIRST_JOINTS;
  g.joints = allocate(FIRST_JOINTS * JOINT_SIZE);
  g.jointWork = allocate(FIRST_JOINTS * WORK_SIZE);
  g.activeJoints = allocate(FIRST_JOINTS * 4);
  g.scalarJoints = allocate(FIRST_JOINTS * 4);
  g.idleJoints = allocate(FIRST_JOINTS * 4);
  g.jointOrder = allocate(FIRST_JOINTS * 8);
  g.jointEnd = 1;
  initializeTrees();
}
