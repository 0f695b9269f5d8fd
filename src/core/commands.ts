// Applies the command stream to the tables. In: words as src/replica/commands.ts encodes them, already
// validated by the caller's side. Out: a changed world. Fields are read in the order of the table.
import {
  changeType,
  enterBody,
  enterShape,
  invalidatePairs,
  rebuildPairs,
  refreshMaterials,
  removeBody,
  removeShape,
  reserveBody,
  reserveShape,
  setActivationState,
  setCenterOfMass,
  setPose,
  teleported,
} from './bodies/bodies';
import { updateFastMotion } from './bodies/fast';
import { applyInverseInertia, findInverseMass, updateInverseMass } from './bodies/massProperties';
import { TREE_COUNT, treeAt } from './broadphase/nodes';
import { insertMany } from './broadphase/tree';
import { wakeAll, wakeBody, wakeNeighbours } from './islands/wake';
import { add, cross, mul, quat, vec3, zero } from './math/vector';
import { reallocate } from './memory/allocator';
import {
  ACTIVE_TAG,
  BODY_KINEMATIC,
  BODY_MOVED,
  BODY_USED,
  CMD_ACTIVATE,
  CMD_ADD_GEOMETRY,
  CMD_ADD_SHAPE,
  CMD_APPLY_FORCE,
  CMD_APPLY_IMPULSE,
  CMD_APPLY_TORQUE,
  CMD_APPLY_TORQUE_IMPULSE,
  CMD_CLEAR_FORCES,
  CMD_CREATE_BODY,
  CMD_CREATE_JOINT,
  CMD_REMOVE_BODY,
  CMD_REMOVE_GEOMETRY,
  CMD_REMOVE_JOINT,
  CMD_REMOVE_SHAPE,
  CMD_SET_ACTIVATION_STATE,
  CMD_SET_ANGULAR_VELOCITY,
  CMD_SET_BODY_TYPE,
  CMD_SET_BODY_USER_INDEX,
  CMD_SET_CCD,
  CMD_SET_DAMPING,
  CMD_SET_FACTORS,
  CMD_SET_FILTER,
  CMD_SET_GRAVITY,
  CMD_SET_GRAVITY_SCALE,
  CMD_SET_JOINT_AXIS,
  CMD_SET_JOINT_BREAKING,
  CMD_SET_JOINT_COLLIDE,
  CMD_SET_JOINT_ENABLED,
  CMD_SET_JOINT_FRAMES,
  CMD_SET_JOINT_RATIO,
  CMD_SET_JOINT_SOFTNESS,
  CMD_SET_KINEMATIC_TARGET,
  CMD_SET_LINEAR_VELOCITY,
  CMD_SET_MASS_PROPS,
  CMD_SET_MATERIAL,
  CMD_SET_SETTINGS,
  CMD_SET_SLEEPING_THRESHOLDS,
  CMD_SET_TRANSFORM,
} from './memory/constants';
import { Body, JointAxis, World } from './memory/records';
import {
  axisAt,
  BODY_SIZE,
  bodyAt,
  grownCapacity,
  JOINT_SIZE,
  jointAt,
  SHAPE_SIZE,
  setWord,
  shapeAt,
  velocityAt,
  world,
} from './memory/tables';
import { addGeometry, removeGeometry, setGeometry } from './shapes/geometries';
import {
  enableJoint,
  enterJoint,
  forgetAxis,
  removeJoint,
  reserveJoint,
  setCollideConnected,
  wakeJoint,
} from './solver/joints/table';

/** Room for a stream of `words` words; returns its address. */
export function reserveCommands(words: i32): u32 {
  const g = world();
  if (words > g.commandCapacity) {
    const capacity = grownCapacity(g.commandCapacity, words);
    g.commands = reallocate(g.commands, (<usize>g.commandCapacity) << 2, (<usize>capacity) << 2);
    g.commandCapacity = capacity;
  }
  return g.commands;
}

export function applyCommands(address: u32, words: i32): void {
  let at = <usize>address;
  const end = at + ((<usize>words) << 2);
  while (at < end) {
    const head = load<i32>(at);
    if ((head & 255) == CMD_ADD_GEOMETRY)
      addGeometry(load<i32>(at, 4), at + 12, (<usize>(head >>> 8) - 3) << 2);
    else apply(head & 255, at + 4);
    at += (<usize>(head >>> 8)) << 2;
  }
  for (let t = 0; t < TREE_COUNT; t++) insertMany(treeAt(t));
}

/** @inline */
function int(at: usize, field: i32): i32 {
  return load<i32>(at + ((<usize>field) << 2));
}
/** @inline */
function float(at: usize, field: i32): f32 {
  return load<f32>(at + ((<usize>field) << 2));
}
/** @inline */
function vector(at: usize, field: i32): v128 {
  return vec3(float(at, field), float(at, field + 1), float(at, field + 2));
}
/** @inline */
function rotation(at: usize, field: i32): v128 {
  return quat(float(at, field), float(at, field + 1), float(at, field + 2), float(at, field + 3));
}

function apply(code: i32, f: usize): void {
  const g = world();
  if (code == CMD_CREATE_BODY) return createBody(f);
  if (code == CMD_ADD_SHAPE) return addShape(f);
  if (code == CMD_SET_GRAVITY) {
    g.gravity = vector(f, 0);
    wakeAll();
    return;
  }
  if (code == CMD_SET_SETTINGS) return setSettings(f);
  if (code == CMD_CLEAR_FORCES) return clearForces();
  const slot = int(f, 0);
  if (code >= CMD_CREATE_JOINT && code <= CMD_SET_JOINT_RATIO) return applyToJoint(code, slot, f);
  if (code == CMD_REMOVE_GEOMETRY) return removeGeometry(slot);
  if (code == CMD_REMOVE_SHAPE) return removeShape(slot);
  if (code == CMD_SET_MATERIAL) return setMaterial(f);
  if (code == CMD_REMOVE_BODY) return removeBody(slot);
  const b = bodyAt(slot);
  const v = velocityAt(slot);
  switch (code) {
    case CMD_SET_TRANSFORM:
      setPose(b, vector(f, 1), rotation(f, 4));
      b.flags &= ~BODY_MOVED;
      updateInverseMass(b);
      teleported(b);
      break;
    case CMD_SET_LINEAR_VELOCITY:
      wakeBody(slot);
      v.linear = vector(f, 1);
      break;
    case CMD_SET_ANGULAR_VELOCITY:
      wakeBody(slot);
      v.angular = vector(f, 1);
      break;
    case CMD_APPLY_FORCE: {
      wakeBody(slot);
      const force = mul(vector(f, 1), b.linearFactor);
      b.force = add(b.force, force);
      b.torque = add(b.torque, cross(vector(f, 4), force));
      break;
    }
    case CMD_APPLY_TORQUE:
      wakeBody(slot);
      b.torque = add(b.torque, vector(f, 1));
      break;
    case CMD_APPLY_IMPULSE: {
      wakeBody(slot);
      findInverseMass(b);
      const impulse = vector(f, 1);
      v.linear = add(v.linear, mul(impulse, b.invMass));
      v.angular = add(v.angular, applyInverseInertia(b, cross(vector(f, 4), mul(impulse, b.linearFactor))));
      updateInverseMass(b);
      break;
    }
    case CMD_APPLY_TORQUE_IMPULSE:
      wakeBody(slot);
      findInverseMass(b);
      v.angular = add(v.angular, applyInverseInertia(b, vector(f, 1)));
      updateInverseMass(b);
      break;
    case CMD_SET_MASS_PROPS:
      wakeBody(slot);
      setMassProps(b, f, 1);
      break;
    case CMD_SET_DAMPING:
      b.linearDamping = float(f, 1);
      b.angularDamping = float(f, 2);
      break;
    case CMD_SET_GRAVITY_SCALE:
      wakeBody(slot);
      b.gravityScale = float(f, 1);
      break;
    case CMD_SET_FACTORS:
      wakeBody(slot);
      b.linearFactor = vector(f, 1);
      b.angularFactor = vector(f, 4);
      updateInverseMass(b);
      break;
    case CMD_SET_SLEEPING_THRESHOLDS:
      b.linearSleepThreshold = float(f, 1);
      b.angularSleepThreshold = float(f, 2);
      break;
    case CMD_SET_ACTIVATION_STATE:
      setActivationState(b, int(f, 1), int(f, 2) != 0);
      break;
    case CMD_ACTIVATE:
      wakeBody(slot);
      setActivationState(b, ACTIVE_TAG, false);
      b.sleepTime = 0;
      break;
    case CMD_SET_FILTER:
      b.group = int(f, 1);
      b.mask = int(f, 2);
      rebuildPairs(b);
      break;
    case CMD_SET_BODY_TYPE:
      changeType(b, int(f, 1));
      setMassProps(b, f, 2);
      break;
    case CMD_SET_KINEMATIC_TARGET:
      if (b.type != BODY_KINEMATIC) break;
      b.targetPosition = vector(f, 1);
      b.targetRotation = rotation(f, 4);
      b.flags |= BODY_MOVED;
      break;
    case CMD_SET_BODY_USER_INDEX:
      b.userIndex = int(f, 1);
      break;
    case CMD_SET_CCD:
      b.ccdMotionThreshold = float(f, 1);
      b.ccdSweptSphereRadius = float(f, 2);
      updateFastMotion(b);
      break;
    default:
      break;
  }
}

function createBody(f: usize): void {
  const slot = int(f, 0);
  reserveBody(slot);
  const b = bodyAt(slot);
  setWord(world().islands, slot, 0);
  memory.fill(changetype<usize>(b), 0, BODY_SIZE);
  b.slot = slot;
  b.generation = int(f, 1);
  b.type = int(f, 2);
  b.flags = int(f, 3);
  b.centerOfMass = vector(f, 21);
  setPose(b, vector(f, 4), rotation(f, 7));
  const v = velocityAt(slot);
  memory.fill(changetype<usize>(v), 0, sizeof<v128>() * 12);
  v.linear = vector(f, 11);
  v.angular = vector(f, 14);
  b.linearDamping = float(f, 28);
  b.angularDamping = float(f, 29);
  b.gravityScale = float(f, 30);
  b.linearFactor = vector(f, 31);
  b.angularFactor = vector(f, 34);
  b.linearSleepThreshold = float(f, 37);
  b.angularSleepThreshold = float(f, 38);
  b.group = int(f, 39);
  b.mask = int(f, 40);
  b.userIndex = int(f, 41);
  b.activation = int(f, 42);
  b.ccdMotionThreshold = float(f, 43);
  b.ccdSweptSphereRadius = float(f, 44);
  readMass(b, f, 17, 18);
  b.principal = rotation(f, 24);
  enterBody(b);
}

/** Mass at one field, principal moments at another. A moment of 0 means infinite. */
function readMass(b: Body, f: usize, mass: i32, inertia: i32): void {
  b.mass = float(f, mass);
  b.invInertiaLocal = vec3(
    inverse(float(f, inertia)),
    inverse(float(f, inertia + 1)),
    inverse(float(f, inertia + 2)),
  );
}

/** @inline */
function inverse(moment: f32): f32 {
  return moment > 0 ? <f32>1 / moment : 0;
}

/** Mass, moments, centre of mass, principal rotation from field `first` on. */
function setMassProps(b: Body, f: usize, first: i32): void {
  readMass(b, f, first, first + 1);
  setCenterOfMass(b, vector(f, first + 4));
  b.principal = rotation(f, first + 7);
  updateInverseMass(b);
  invalidatePairs(b); // anchors are measured from the centre of mass
}

function addShape(f: usize): void {
  const slot = int(f, 1);
  reserveShape(slot);
  const s = shapeAt(slot);
  memory.fill(changetype<usize>(s), 0, SHAPE_SIZE);
  s.slot = slot;
  s.body = int(f, 0);
  s.generation = int(f, 2);
  s.type = int(f, 3);
  s.localPosition = vector(f, 4);
  s.localRotation = rotation(f, 7);
  s.param0 = float(f, 11);
  s.param1 = float(f, 12);
  s.param2 = float(f, 13);
  s.param3 = float(f, 14);
  s.friction = float(f, 15);
  s.restitution = float(f, 16);
  s.rollingFriction = float(f, 17);
  s.spinningFriction = float(f, 18);
  s.margin = float(f, 19);
  s.flags = int(f, 20);
  s.userIndex = int(f, 21);
  setGeometry(s, int(f, 22));
  enterShape(s);
}

function setMaterial(f: usize): void {
  const s = shapeAt(int(f, 0));
  s.friction = float(f, 1);
  s.restitution = float(f, 2);
  s.rollingFriction = float(f, 3);
  s.spinningFriction = float(f, 4);
  const b = bodyAt(s.body);
  refreshMaterials(b);
  wakeBody(b.slot);
  wakeNeighbours(b);
}

/** The settings words lie in the world record in the same order; those from eventMask on change no motion. */
function setSettings(f: usize): void {
  const g = world();
  const first = offsetof<World>('substeps');
  const motion = offsetof<World>('eventMask') - first;
  const to = changetype<usize>(g) + first;
  const changed = memory.compare(to, f, motion) != 0;
  memory.copy(to, f, offsetof<World>('stepCount') - first);
  if (!changed) return;
  for (let slot = 1; slot < g.bodyEnd; slot++)
    if (bodyAt(slot).flags & BODY_USED) {
      refreshMaterials(bodyAt(slot));
      updateFastMotion(bodyAt(slot));
    }
  wakeAll();
}

/** Forces last until the caller of the step clears them (Bullet: the end of stepSimulation). */
function clearForces(): void {
  const g = world();
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    b.force = zero();
    b.torque = zero();
  }
}

function applyToJoint(code: i32, slot: i32, f: usize): void {
  if (code == CMD_CREATE_JOINT) return createJoint(slot, f);
  if (code == CMD_REMOVE_JOINT) return removeJoint(slot);
  const j = jointAt(slot);
  if (code == CMD_SET_JOINT_ENABLED) return enableJoint(j, int(f, 1) != 0);
  if (code == CMD_SET_JOINT_COLLIDE) return setCollideConnected(j, int(f, 1) != 0);
  wakeJoint(j);
  if (code == CMD_SET_JOINT_FRAMES) {
    j.localPositionA = vector(f, 1);
    j.localRotationA = rotation(f, 4);
    j.localPositionB = vector(f, 8);
    j.localRotationB = rotation(f, 11);
  } else if (code == CMD_SET_JOINT_BREAKING) {
    j.breakingImpulse = float(f, 1);
    j.breakingAngularImpulse = float(f, 2);
  } else if (code == CMD_SET_JOINT_SOFTNESS) {
    j.hertz = float(f, 1);
    j.dampingRatio = float(f, 2);
    j.maxForce = float(f, 3);
    j.maxTorque = float(f, 4);
  } else if (code == CMD_SET_JOINT_RATIO) {
    j.ratio = float(f, 1);
  } else if (code == CMD_SET_JOINT_AXIS) {
    const axis = axisAt(j, int(f, 1));
    const flags = int(f, 2);
    // What is switched off leaves no impulse to start from.
    if (flags != axis.flags || float(f, 3) != axis.low || float(f, 4) != axis.high) forgetAxis(axis);
    axis.flags = flags;
    memory.copy(changetype<usize>(axis), f + 12, offsetof<JointAxis>('value'));
  }
}

function createJoint(slot: i32, f: usize): void {
  reserveJoint(slot);
  const j = jointAt(slot);
  memory.fill(changetype<usize>(j), 0, JOINT_SIZE);
  j.slot = slot;
  j.generation = int(f, 1);
  j.type = int(f, 2);
  j.flags = int(f, 3);
  j.bodyA = int(f, 4);
  j.bodyB = int(f, 5);
  j.localPositionA = vector(f, 6);
  j.localRotationA = rotation(f, 9);
  j.localPositionB = vector(f, 13);
  j.localRotationB = rotation(f, 16);
  j.breakingImpulse = float(f, 20);
  j.breakingAngularImpulse = float(f, 21);
  j.hertz = float(f, 22);
  j.dampingRatio = float(f, 23);
  j.maxForce = float(f, 24);
  j.maxTorque = float(f, 25);
  j.userIndex = int(f, 26);
  j.ratio = float(f, 27);
  for (let i = 0; i < 6; i++) {
    axisAt(j, i).low = 1; // low > high: free, until SET_JOINT_AXIS says else
    axisAt(j, i).high = -1;
  }
  enterJoint(j);
}
