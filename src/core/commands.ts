// Applies the command stream to the tables. In: words as declared in src/replica/commandTable.ts, already validated by
// the caller. Out: a changed world. Fields are read in the order of the table.
import { actors, hasActors } from './actors/hook';
import { explode } from './areas/explode';
import {
  changeType,
  copyFilter,
  enterBody,
  enterShape,
  invalidatePairs,
  leaveTarget,
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
import { applyImpulse } from './bodies/impulse';
import { applyInverseInertia, findInverseMass, updateInverseMass } from './bodies/massProperties';
import { TREE_COUNT, treeAt } from './broadphase/nodes';
import { insertMany } from './broadphase/tree';
import { startRest } from './islands/rest';
import { wakeAll, wakeBody, wakeNeighbours } from './islands/wake';
import { add, cross, mul, quat, rotate, sub, vec3, zero } from './math/vector';
import { reallocate, release } from './memory/allocator';
import {
  Activate,
  ActorCommands,
  AddGeometry,
  AddShape,
  ApplyForce,
  ApplyImpulse,
  ApplyTorque,
  ApplyTorqueImpulse,
  ClearForces,
  CreateBody,
  CreateJoint,
  Explode,
  JointCommands,
  MassProps,
  RemoveBody,
  RemoveGeometry,
  RemoveJoint,
  RemoveShape,
  SetActivationState,
  SetAngularVelocity,
  SetArea,
  SetBodyType,
  SetBodyUserIndex,
  SetCcd,
  SetCombineRules,
  SetDamping,
  SetFactors,
  SetFilter,
  SetGravity,
  SetGravityScale,
  SetJointAxis,
  SetJointBreaking,
  SetJointCollide,
  SetJointEnabled,
  SetJointFrames,
  SetJointRatio,
  SetJointSoftness,
  SetKinematicPosition,
  SetKinematicRotation,
  SetKinematicTarget,
  SetLinearVelocity,
  SetMassProps,
  SetMaterial,
  SetPosition,
  SetRotation,
  SetServoTargets,
  SetSettings,
  SetShapeFilter,
  SetSleepingThresholds,
  SetSurface,
  SetTransform,
} from './memory/commandWords';
import {
  ACTIVE_TAG,
  AREA_ACTS,
  BODY_KINEMATIC,
  BODY_MOVED,
  BODY_USED,
  SHAPE_AREA,
  SHAPE_CARRIES,
  SHAPE_FRICTION_RULE_SHIFT,
  SHAPE_ONE_WAY,
  SHAPE_OWN_FILTER,
  SHAPE_PRIORITY_SHIFT,
  SHAPE_RESTITUTION_RULE_SHIFT,
} from './memory/constants';
import { Body, JointAxis, Shape, World } from './memory/records';
import {
  AREA_SIZE,
  axisAt,
  BODY_SIZE,
  bodyAt,
  grownCapacity,
  JOINT_SIZE,
  jointAt,
  SHAPE_SIZE,
  SURFACE_SIZE,
  setWord,
  shapeAt,
  velocityAt,
  world,
} from './memory/tables';
import { addGeometry, removeGeometry, setGeometry } from './shapes/geometries';
import { AREAS, dropTrait, isTrait, putTrait, SURFACES, sameWords } from './shapes/traits';
import {
  enableJoint,
  enterJoint,
  forgetAxis,
  removeJoint,
  reserveJoint,
  setCollideConnected,
  wakeJoint,
} from './solver/joints/table';

/** Bytes of a command's code and length, before its fields. */
const HEAD_BYTES = 4;
/** The first field: the body, shape, geometry or joint of a command. */
const SUBJECT = 0;

/** Reserves memory for a stream of `words` words; returns its address. */
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
    if ((head & 255) == AddGeometry.CODE) {
      const geometry = load<i32>(at, HEAD_BYTES + (AddGeometry.geometry << 2));
      const before = AddGeometry.WORDS + 1; // the content follows
      addGeometry(geometry, at + (before << 2), (<usize>(head >>> 8) - before) << 2);
    } else apply(head & 255, at + HEAD_BYTES);
    at += (<usize>(head >>> 8)) << 2;
  }
  for (let t = 0; t < TREE_COUNT; t++) insertMany(treeAt(t));
  dropManyCommands();
}

/** Words of commands for which memory is kept: what thousands of bodies took that were created at once is of use to tables. */
const MOST_KEPT: i32 = 1 << 16;

function dropManyCommands(): void {
  const g = world();
  if (g.commandCapacity <= MOST_KEPT) return;
  release(g.commands, (<usize>g.commandCapacity) << 2);
  g.commands = 0;
  g.commandCapacity = 0;
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
  if (code == CreateBody.CODE) return createBody(f);
  if (code == AddShape.CODE) return addShape(f);
  if (code == SetGravity.CODE) {
    const gravity = vector(f, SetGravity.gravity);
    if (differ(gravity, g.gravity)) wakeAll();
    g.gravity = gravity;
    return;
  }
  if (code == SetSettings.CODE) return setSettings(f);
  if (code == ClearForces.CODE) return clearForces();
  const slot = int(f, SUBJECT);
  if (code >= JointCommands.FIRST && code <= JointCommands.LAST) return applyToJoint(code, slot, f);
  if (code == RemoveGeometry.CODE) return removeGeometry(slot);
  if (code == RemoveShape.CODE) return removeShape(slot);
  if (code == SetMaterial.CODE) return setMaterial(f);
  if (code == SetShapeFilter.CODE) return setShapeFilter(f);
  if (code == SetCombineRules.CODE) return setCombineRules(f);
  if (code == SetSurface.CODE) return setSurface(f);
  if (code == SetArea.CODE) return setArea(f);
  if (code == Explode.CODE) return explode(f);
  if (code >= ActorCommands.FIRST) return actors(code, f, 0);
  if (code == RemoveBody.CODE) {
    if (hasActors()) actors(code, f, 0);
    return removeBody(slot);
  }
  applyToBody(code, slot, f);
}

/** A record as it was before a command. Programs repeat commands in every frame: one that changes nothing wakes nobody. */
const BEFORE: usize = memory.data(<i32>JOINT_SIZE, 16);

function keep(record: usize, size: usize): void {
  memory.copy(BEFORE, record, size);
}
function changed(record: usize, size: usize): bool {
  return !sameWords(BEFORE, record, size);
}

/** @inline */
function differ(a: v128, b: v128): bool {
  return v128.any_true(f32x4.ne(a, b));
}

function originOf(b: Body): v128 {
  return sub(b.position, rotate(b.rotation, b.centerOfMass));
}

/** Sets where the origin of a kinematic body is to be at the end of the next step. */
function aim(b: Body, position: v128, rotation: v128): void {
  if (b.type != BODY_KINEMATIC) return;
  b.targetPosition = position;
  b.targetRotation = rotation;
  b.flags |= BODY_MOVED;
}

/** Puts the origin of a body somewhere else; after `keep`. */
function place(b: Body, position: v128, rotation: v128): void {
  setPose(b, position, rotation);
  b.flags &= ~BODY_MOVED;
  if (!changed(changetype<usize>(b), BODY_SIZE)) return;
  updateInverseMass(b);
  teleported(b);
}

/** A command that changes one body. */
function applyToBody(code: i32, slot: i32, f: usize): void {
  const b = bodyAt(slot);
  const v = velocityAt(slot);
  if (code >= SetLinearVelocity.CODE && code <= ApplyTorqueImpulse.CODE) {
    if (differ(vector(f, ApplyForce.force), zero())) wakeBody(slot); // velocities and impulses are at this place, too
  } else keep(changetype<usize>(b), BODY_SIZE);
  switch (code) {
    case SetTransform.CODE:
      place(b, vector(f, SetTransform.position), rotation(f, SetTransform.rotation));
      break;
    case SetPosition.CODE:
      place(b, vector(f, SetPosition.position), b.rotation);
      break;
    case SetRotation.CODE:
      place(b, originOf(b), rotation(f, SetRotation.rotation));
      break;
    case SetLinearVelocity.CODE:
      leaveTarget(b);
      v.linear = vector(f, SetLinearVelocity.velocity);
      break;
    case SetAngularVelocity.CODE:
      leaveTarget(b);
      v.angular = vector(f, SetAngularVelocity.velocity);
      break;
    case ApplyForce.CODE: {
      const force = mul(vector(f, ApplyForce.force), b.linearFactor);
      b.force = add(b.force, force);
      b.torque = add(b.torque, cross(vector(f, ApplyForce.relativePosition), force));
      break;
    }
    case ApplyTorque.CODE:
      b.torque = add(b.torque, vector(f, ApplyTorque.torque));
      break;
    case ApplyImpulse.CODE:
      applyImpulse(b, vector(f, ApplyImpulse.impulse), vector(f, ApplyImpulse.relativePosition));
      break;
    case ApplyTorqueImpulse.CODE:
      findInverseMass(b);
      v.angular = add(v.angular, applyInverseInertia(b, vector(f, ApplyTorqueImpulse.impulse)));
      updateInverseMass(b);
      break;
    case SetMassProps.CODE:
      setMassProps(b, f, SetMassProps.mass);
      break;
    case SetDamping.CODE:
      b.linearDamping = float(f, SetDamping.linear);
      b.angularDamping = float(f, SetDamping.angular);
      break;
    case SetGravityScale.CODE:
      b.gravityScale = float(f, SetGravityScale.scale);
      if (changed(changetype<usize>(b), BODY_SIZE)) wakeBody(slot);
      break;
    case SetFactors.CODE:
      b.linearFactor = vector(f, SetFactors.linear);
      b.angularFactor = vector(f, SetFactors.angular);
      if (!changed(changetype<usize>(b), BODY_SIZE)) break;
      wakeBody(slot);
      world().arranged = 0; // batches of joints depend on what cannot move
      updateInverseMass(b);
      break;
    case SetSleepingThresholds.CODE:
      b.linearSleepThreshold = float(f, SetSleepingThresholds.linear);
      b.angularSleepThreshold = float(f, SetSleepingThresholds.angular);
      break;
    case SetActivationState.CODE:
      setActivationState(b, int(f, SetActivationState.state), int(f, SetActivationState.force) != 0);
      break;
    case Activate.CODE:
      wakeBody(slot);
      setActivationState(b, ACTIVE_TAG, false);
      b.sleepTime = 0;
      break;
    case SetFilter.CODE:
      b.group = int(f, SetFilter.group);
      b.mask = int(f, SetFilter.mask);
      if (changed(changetype<usize>(b), BODY_SIZE)) rebuildPairs(b);
      break;
    case SetBodyType.CODE:
      if (b.type != int(f, SetBodyType.type)) changeType(b, int(f, SetBodyType.type));
      setMassProps(b, f, SetBodyType.mass);
      break;
    case SetKinematicTarget.CODE:
      aim(b, vector(f, SetKinematicTarget.position), rotation(f, SetKinematicTarget.rotation));
      break;
    case SetKinematicPosition.CODE:
      aim(b, vector(f, SetKinematicPosition.position), b.rotation);
      break;
    case SetKinematicRotation.CODE:
      aim(b, originOf(b), rotation(f, SetKinematicRotation.rotation));
      break;
    case SetBodyUserIndex.CODE:
      b.userIndex = int(f, SetBodyUserIndex.userIndex);
      break;
    case SetCcd.CODE:
      b.ccdMotionThreshold = float(f, SetCcd.motionThreshold);
      b.ccdSweptSphereRadius = float(f, SetCcd.sweptSphereRadius);
      updateFastMotion(b);
      break;
    default:
      break;
  }
}

function createBody(f: usize): void {
  const slot = int(f, CreateBody.body);
  reserveBody(slot);
  const b = bodyAt(slot);
  setWord(world().islands, slot, 0);
  memory.fill(changetype<usize>(b), 0, BODY_SIZE);
  b.slot = slot;
  b.generation = int(f, CreateBody.generation);
  b.type = int(f, CreateBody.type);
  b.flags = int(f, CreateBody.flags);
  b.centerOfMass = vector(f, CreateBody.centerOfMass);
  setPose(b, vector(f, CreateBody.position), rotation(f, CreateBody.rotation));
  startRest(b);
  const v = velocityAt(slot);
  memory.fill(changetype<usize>(v), 0, sizeof<v128>() * 12);
  v.linear = vector(f, CreateBody.linearVelocity);
  v.angular = vector(f, CreateBody.angularVelocity);
  b.linearDamping = float(f, CreateBody.linearDamping);
  b.angularDamping = float(f, CreateBody.angularDamping);
  b.gravityScale = float(f, CreateBody.gravityScale);
  b.linearFactor = vector(f, CreateBody.linearFactor);
  b.angularFactor = vector(f, CreateBody.angularFactor);
  b.linearSleepThreshold = float(f, CreateBody.linearSleepingThreshold);
  b.angularSleepThreshold = float(f, CreateBody.angularSleepingThreshold);
  b.group = int(f, CreateBody.group);
  b.mask = int(f, CreateBody.mask);
  b.userIndex = int(f, CreateBody.userIndex);
  b.activation = int(f, CreateBody.activationState);
  b.ccdMotionThreshold = float(f, CreateBody.ccdMotionThreshold);
  b.ccdSweptSphereRadius = float(f, CreateBody.ccdSweptSphereRadius);
  readMass(b, f, CreateBody.mass, CreateBody.inertia);
  b.principal = rotation(f, CreateBody.principalRotation);
  enterBody(b);
}

/** Reads the mass from one field and the principal moments from another. A moment of 0 means infinite. */
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

/** Reads the MassProps from field `first` on. */
function setMassProps(b: Body, f: usize, first: i32): void {
  readMass(b, f, first + MassProps.mass, first + MassProps.inertia);
  const center = vector(f, first + MassProps.centerOfMass);
  if (differ(center, b.centerOfMass)) setCenterOfMass(b, center);
  b.principal = rotation(f, first + MassProps.principalRotation);
  if (!changed(changetype<usize>(b), BODY_SIZE)) return;
  wakeBody(b.slot);
  updateInverseMass(b);
  invalidatePairs(b); // anchors are relative to the centre of mass
}

function addShape(f: usize): void {
  const slot = int(f, AddShape.shape);
  reserveShape(slot);
  const s = shapeAt(slot);
  memory.fill(changetype<usize>(s), 0, SHAPE_SIZE);
  s.slot = slot;
  s.body = int(f, AddShape.body);
  s.generation = int(f, AddShape.generation);
  s.type = int(f, AddShape.type);
  s.localPosition = vector(f, AddShape.localPosition);
  s.localRotation = rotation(f, AddShape.localRotation);
  s.param0 = float(f, AddShape.params);
  s.param1 = float(f, AddShape.params + 1);
  s.param2 = float(f, AddShape.params + 2);
  s.param3 = float(f, AddShape.params + 3);
  s.friction = float(f, AddShape.friction);
  s.restitution = float(f, AddShape.restitution);
  s.rollingFriction = float(f, AddShape.rollingFriction);
  s.spinningFriction = float(f, AddShape.spinningFriction);
  s.margin = float(f, AddShape.margin);
  s.flags = int(f, AddShape.flags);
  s.userIndex = int(f, AddShape.userIndex);
  setGeometry(s, int(f, AddShape.geometry));
  enterShape(s);
}

function setMaterial(f: usize): void {
  const s = shapeAt(int(f, SetMaterial.shape));
  keep(changetype<usize>(s), SHAPE_SIZE);
  s.friction = float(f, SetMaterial.friction);
  s.restitution = float(f, SetMaterial.restitution);
  s.rollingFriction = float(f, SetMaterial.rollingFriction);
  s.spinningFriction = float(f, SetMaterial.spinningFriction);
  materialGiven(s);
}

function materialGiven(s: Shape): void {
  if (!changed(changetype<usize>(s), SHAPE_SIZE)) return;
  const b = bodyAt(s.body);
  refreshMaterials(b);
  wakeBody(b.slot);
  wakeNeighbours(b);
}

function setShapeFilter(f: usize): void {
  const s = shapeAt(int(f, SetShapeFilter.shape));
  const b = bodyAt(s.body);
  keep(changetype<usize>(s), SHAPE_SIZE);
  s.flags |= SHAPE_OWN_FILTER;
  s.group = int(f, SetShapeFilter.group);
  s.mask = int(f, SetShapeFilter.mask);
  if (!int(f, SetShapeFilter.own)) {
    s.flags &= ~SHAPE_OWN_FILTER;
    copyFilter(b, s);
  }
  if (changed(changetype<usize>(s), SHAPE_SIZE)) rebuildPairs(b);
}

function setCombineRules(f: usize): void {
  const s = shapeAt(int(f, SetCombineRules.shape));
  keep(changetype<usize>(s), SHAPE_SIZE);
  s.flags =
    (s.flags & ((1 << SHAPE_FRICTION_RULE_SHIFT) - 1)) |
    ((int(f, SetCombineRules.friction) + 1) << SHAPE_FRICTION_RULE_SHIFT) |
    ((int(f, SetCombineRules.restitution) + 1) << SHAPE_RESTITUTION_RULE_SHIFT) |
    (int(f, SetCombineRules.priority) << SHAPE_PRIORITY_SHIFT);
  materialGiven(s);
}

/** Sets the row of a shape with a surface velocity or one-way direction; its pairs are found again. */
function setSurface(f: usize): void {
  const s = shapeAt(int(f, SetSurface.shape));
  const b = bodyAt(s.body);
  const moves = v128.or(vector(f, SetSurface.linear), vector(f, SetSurface.angular));
  let flags = differ(moves, zero()) ? SHAPE_CARRIES : 0;
  if (differ(vector(f, SetSurface.oneWay), zero())) flags |= SHAPE_ONE_WAY;
  if (isTrait(SURFACES, SURFACE_SIZE, f, flags ? SetSurface.WORDS : 0)) return;
  const before = s.flags;
  s.flags = (before & ~(SHAPE_CARRIES | SHAPE_ONE_WAY)) | flags;
  if (flags) putTrait(SURFACES, SURFACE_SIZE, f, SetSurface.WORDS);
  else if ((s.flags ^ before) != 0) dropTrait(SURFACES, SURFACE_SIZE, s.slot);
  if ((before | flags) & SHAPE_ONE_WAY) rebuildPairs(b);
  wakeBody(b.slot);
  wakeNeighbours(b);
  invalidatePairs(b);
}

/** Sets the row of an area. Bodies inside are woken. */
function setArea(f: usize): void {
  const s = shapeAt(int(f, SetArea.shape));
  const b = bodyAt(s.body);
  const acts = (int(f, SetArea.flags) & AREA_ACTS) != 0;
  if (isTrait(AREAS, AREA_SIZE, f, acts ? SetArea.WORDS : 0)) return;
  wakeNeighbours(b);
  if (acts) {
    s.flags |= SHAPE_AREA;
    putTrait(AREAS, AREA_SIZE, f, SetArea.WORDS);
  } else if (s.flags & SHAPE_AREA) {
    s.flags &= ~SHAPE_AREA;
    dropTrait(AREAS, AREA_SIZE, s.slot);
  }
  wakeNeighbours(b);
}

/** The settings words are in the world record in the same order. Those from eventMask on change no motion. */
function setSettings(f: usize): void {
  const g = world();
  const first = offsetof<World>('substeps');
  const motion = offsetof<World>('eventMask') - first;
  const to = changetype<usize>(g) + first;
  const same = sameWords(to, f, motion);
  memory.copy(to, f, offsetof<World>('stepCount') - first);
  if (same) return;
  for (let slot = 1; slot < g.bodyEnd; slot++)
    if (bodyAt(slot).flags & BODY_USED) {
      refreshMaterials(bodyAt(slot));
      updateFastMotion(bodyAt(slot));
    }
  wakeAll();
}

/** Forces act until the caller of the step clears them (Bullet: at the end of stepSimulation). */
function clearForces(): void {
  const g = world();
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    b.force = zero();
    b.torque = zero();
  }
}

function applyToJoint(code: i32, slot: i32, f: usize): void {
  if (code == CreateJoint.CODE) return createJoint(slot, f);
  if (code == RemoveJoint.CODE) return removeJoint(slot);
  const j = jointAt(slot);
  if (code == SetJointEnabled.CODE) return enableJoint(j, int(f, SetJointEnabled.enabled) != 0);
  if (code == SetJointCollide.CODE) return setCollideConnected(j, int(f, SetJointCollide.collide) != 0);
  keep(changetype<usize>(j), JOINT_SIZE);
  if (code == SetJointFrames.CODE) {
    j.localPositionA = vector(f, SetJointFrames.positionA);
    j.localRotationA = rotation(f, SetJointFrames.rotationA);
    j.localPositionB = vector(f, SetJointFrames.positionB);
    j.localRotationB = rotation(f, SetJointFrames.rotationB);
  } else if (code == SetJointBreaking.CODE) {
    j.breakingImpulse = float(f, SetJointBreaking.breakingImpulse);
    j.breakingAngularImpulse = float(f, SetJointBreaking.breakingAngularImpulse);
  } else if (code == SetJointSoftness.CODE) {
    j.hertz = float(f, SetJointSoftness.hertz);
    j.dampingRatio = float(f, SetJointSoftness.dampingRatio);
    j.maxForce = float(f, SetJointSoftness.maxForce);
    j.maxTorque = float(f, SetJointSoftness.maxTorque);
  } else if (code == SetJointRatio.CODE) {
    j.ratio = float(f, SetJointRatio.ratio);
  } else if (code == SetServoTargets.CODE) {
    axisAt(j, 3).servoTarget = float(f, SetServoTargets.x);
    axisAt(j, 4).servoTarget = float(f, SetServoTargets.y);
    axisAt(j, 5).servoTarget = float(f, SetServoTargets.z);
  } else if (code == SetJointAxis.CODE) {
    const axis = axisAt(j, int(f, SetJointAxis.axis));
    const flags = int(f, SetJointAxis.flags);
    // A drive that is switched off must not warm start.
    if (
      flags != axis.flags ||
      float(f, SetJointAxis.low) != axis.low ||
      float(f, SetJointAxis.high) != axis.high
    )
      forgetAxis(axis);
    axis.flags = flags;
    memory.copy(changetype<usize>(axis), f + (SetJointAxis.low << 2), offsetof<JointAxis>('value'));
  }
  if (changed(changetype<usize>(j), JOINT_SIZE)) wakeJoint(j);
}

function createJoint(slot: i32, f: usize): void {
  reserveJoint(slot);
  const j = jointAt(slot);
  memory.fill(changetype<usize>(j), 0, JOINT_SIZE);
  j.slot = slot;
  j.generation = int(f, CreateJoint.generation);
  j.type = int(f, CreateJoint.type);
  j.flags = int(f, CreateJoint.flags);
  j.bodyA = int(f, CreateJoint.bodyA);
  j.bodyB = int(f, CreateJoint.bodyB);
  j.localPositionA = vector(f, CreateJoint.positionA);
  j.localRotationA = rotation(f, CreateJoint.rotationA);
  j.localPositionB = vector(f, CreateJoint.positionB);
  j.localRotationB = rotation(f, CreateJoint.rotationB);
  j.breakingImpulse = float(f, CreateJoint.breakingImpulse);
  j.breakingAngularImpulse = float(f, CreateJoint.breakingAngularImpulse);
  j.hertz = float(f, CreateJoint.hertz);
  j.dampingRatio = float(f, CreateJoint.dampingRatio);
  j.maxForce = float(f, CreateJoint.maxForce);
  j.maxTorque = float(f, CreateJoint.maxTorque);
  j.userIndex = int(f, CreateJoint.userIndex);
  j.ratio = float(f, CreateJoint.ratio);
  for (let i = 0; i < 6; i++) {
    axisAt(j, i).low = 1; // low > high: free, until SET_JOINT_AXIS changes it
    axisAt(j, i).high = -1;
  }
  enterJoint(j);
}
