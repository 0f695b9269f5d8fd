// Motion and properties of existing bodies and shapes. In: ids and values. Out: commands in `writer`. A call that
// throws changes nothing.

import { type BodyId, MAX_SLOT, type ShapeId } from '../base/ids';
import { MAX_COEFFICIENT, MAX_FORCE, MAX_SIZE, MAX_VELOCITY } from '../base/limits';
import {
  COORDINATE,
  checkBoolean,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  readQuat,
  readVec3,
  SIGNED,
  vec3Of,
} from '../base/validate';
import { BODY_DYNAMIC, BODY_KINEMATIC } from '../core/memory/constants';
import {
  ACTIVATION_CODES,
  ACTIVATION_STATES,
  BODY_TYPES,
  type BodyKnobs,
  type BodyRecord,
  checkShapesFit,
  DYNAMIC_FILTER,
  isStaticFilter,
  type MassOptions,
  type MassRecord,
  pinnedBy,
  resolveMass,
  resumeMass,
  scaleMass,
} from '../options/bodies';
import { checkMaterial, DEFAULT_MATERIAL, type ShapeRecord } from '../options/shapes';
import { mergeTraits, TRAIT_OPTIONS } from '../options/traits';
import type { ActivationState, BodyType, QuatLike, Vec3Like } from '../types';
import type { CommandRow } from '../wasm/commandRow';
import * as rows from '../wasm/core-commands';
import {
  ApplyForce,
  MassProps,
  SetBodyType,
  SetDamping,
  SetFactors,
  SetKinematicTarget,
  SetMassProps,
  SetMaterial,
  SetPosition,
  SetRotation,
  SetTransform,
} from '../wasm/core-commands';
import { ReplicaBodies } from './replicaBodies';

const VELOCITY = SIGNED(MAX_VELOCITY);
const FORCE = SIGNED(MAX_FORCE);
const FACTOR = NON_NEGATIVE(MAX_COEFFICIENT);
const SHARE = NON_NEGATIVE(1);
const SPEED = NON_NEGATIVE(MAX_VELOCITY);
const LENGTH = NON_NEGATIVE(MAX_SIZE);

const MASS_OPTIONS = ['mass', 'inertia', 'centerOfMass', 'inertiaOrientation'];

export class ReplicaProperties extends ReplicaBodies {
  // --- motion ---

  /** Sets the pose of a body's origin: a teleport, velocities are kept. */
  setTransform(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    const { values } = this;
    const { disturbance } = this;
    values[SetTransform.body] = this.bodies.check(id, 'body');
    readVec3(position, 'position', COORDINATE, values, SetTransform.position);
    readQuat(rotation, 'rotation', values, SetTransform.rotation);
    this.checkUndisturbed(disturbance);
    this.writer.write(rows.setTransform, values);
  }

  /** Where the core is, it knows the rotation: what a page draws is of another moment. */
  setPosition(id: BodyId, position: Vec3Like): void {
    const { values, disturbance } = this;
    values[SetPosition.body] = this.bodies.check(id, 'body');
    readVec3(position, 'position', COORDINATE, values, SetPosition.position);
    this.checkUndisturbed(disturbance);
    this.writer.write(rows.setPosition, values);
  }

  setRotation(id: BodyId, rotation: QuatLike): void {
    const { values, disturbance } = this;
    values[SetRotation.body] = this.bodies.check(id, 'body');
    readQuat(rotation, 'rotation', values, SetRotation.rotation);
    this.checkUndisturbed(disturbance);
    this.writer.write(rows.setRotation, values);
  }

  /** What is left out stays as it is: where the core is, that is known. */
  setKinematicTarget(id: BodyId, position: Vec3Like | undefined, rotation?: QuatLike): void {
    const { values, disturbance } = this;
    const record = this.body(id);
    if (record.type !== BODY_KINEMATIC)
      throw invalid('body', 'must be kinematic to have a target', BODY_TYPES[record.type]);
    values[SetKinematicTarget.body] = id & MAX_SLOT;
    let end: number = SetKinematicTarget.position;
    if (position !== undefined || rotation === undefined) {
      readVec3(position as Vec3Like, 'position', COORDINATE, values, end);
      end += 3;
    }
    if (rotation !== undefined) readQuat(rotation, 'rotation', values, end);
    this.checkUndisturbed(disturbance);
    let row = rows.setKinematicTarget;
    if (rotation === undefined) row = rows.setKinematicPosition;
    else if (position === undefined) row = rows.setKinematicRotation;
    this.targetWritten(id, this.writer.write(row, values));
  }

  /** Called when the command at word `at` of the writer is a kinematic target. */
  protected targetWritten(_id: BodyId, _at: number): void {}

  /** m/s, of the centre of mass. */
  setLinearVelocity(id: BodyId, velocity: Vec3Like): void {
    this.writeVector(rows.setLinearVelocity, id, velocity, 'velocity', VELOCITY, BODY_KINEMATIC);
  }

  /** rad/s, world axes. */
  setAngularVelocity(id: BodyId, velocity: Vec3Like): void {
    this.writeVector(rows.setAngularVelocity, id, velocity, 'velocity', VELOCITY, BODY_KINEMATIC);
  }

  /** N at a point relative to the centre of mass, world axes. */
  applyForce(id: BodyId, force: Vec3Like, relativePosition?: Vec3Like): void {
    this.writeVector(rows.applyForce, id, force, 'force', FORCE, BODY_DYNAMIC, relativePosition);
  }

  /** N·m, world axes. */
  applyTorque(id: BodyId, torque: Vec3Like): void {
    this.writeVector(rows.applyTorque, id, torque, 'torque', FORCE, BODY_DYNAMIC);
  }

  /** N·s at a point relative to the centre of mass, world axes. */
  applyImpulse(id: BodyId, impulse: Vec3Like, relativePosition?: Vec3Like): void {
    this.writeVector(rows.applyImpulse, id, impulse, 'impulse', FORCE, BODY_DYNAMIC, relativePosition);
  }

  /** N·m·s, world axes. */
  applyTorqueImpulse(id: BodyId, impulse: Vec3Like): void {
    this.writeVector(rows.applyTorqueImpulse, id, impulse, 'impulse', FORCE, BODY_DYNAMIC);
  }

  /**
   * @internal Writes a command of a body, a vector, and a place if it has one. Bodies that cannot be moved that way
   * (below `least`) ignore it, as in Bullet.
   */
  writeVector(
    command: CommandRow,
    id: BodyId,
    vector: Vec3Like,
    argument: string,
    range: typeof FORCE,
    least: number,
    relativePosition?: Vec3Like,
  ): void {
    const { values } = this;
    const { disturbance } = this;
    const { type } = this.body(id);
    const { body, force, relativePosition: place } = ApplyForce; // all of these commands have this layout
    values[body] = id & MAX_SLOT;
    readVec3(vector, argument, range, values, force);
    if (relativePosition === undefined) values.fill(0, place, place + 3);
    else readVec3(relativePosition, 'relativePosition', COORDINATE, values, place);
    this.checkUndisturbed(disturbance);
    if (type < least) return;
    const at = this.writer.write(command, values);
    if (command === rows.applyForce || command === rows.applyTorque) this.forceWritten(id, at);
  }

  /** Called when the command at word `at` of the writer is a force or torque. */
  protected forceWritten(_id: BodyId, _at: number): void {
    this.hasForces = true;
  }

  // --- properties ---

  /**
   * Sets the mass of a dynamic body; its centre is kept. Without `inertia` the moments are scaled in proportion; with
   * it they are the principal moments along the body's own axes.
   */
  setMass(id: BodyId, mass: number, inertia?: Vec3Like): void {
    const record = this.body(id);
    if (record.type !== BODY_DYNAMIC)
      throw invalid('body', 'must be dynamic to have a mass', BODY_TYPES[record.type]);
    const { disturbance } = this;
    const massProps = scaleMass(record.massProps, mass, inertia);
    this.checkUndisturbed(disturbance);
    this.writeMassProps(record, massProps);
  }

  /** Recomputes mass properties from the current shapes; given values are used instead. */
  updateMassProps(id: BodyId, options: MassOptions = {}): void {
    const record = this.body(id);
    const { disturbance } = this;
    const given = checkOptions(options, 'options', MASS_OPTIONS);
    this.checkUndisturbed(disturbance);
    const massProps = resolveMass(record.type, this.shapesOf(record), given);
    this.checkUndisturbed(disturbance);
    this.writeMassProps(record, massProps);
  }

  private writeMassProps(record: BodyRecord, massProps: MassRecord): void {
    record.massProps = massProps;
    record.dynamicMass = undefined;
    this.values[SetMassProps.body] = record.id & MAX_SLOT;
    this.putMassProps(massProps, SetMassProps.mass);
    this.writer.write(rows.setMassProps, this.values);
  }

  /** Fills the MassProps from field `first` on. */
  private putMassProps({ mass, inertia, centerOfMass, principalRotation }: MassRecord, first: number): void {
    const { values } = this;
    values[first + MassProps.mass] = mass;
    values.set(inertia, first + MassProps.inertia);
    values.set(centerOfMass, first + MassProps.centerOfMass);
    values.set(principalRotation, first + MassProps.principalRotation);
  }

  /**
   * Sets the type. A body that becomes dynamic gets the mass given, otherwise its former mass, otherwise that of its
   * shapes.
   */
  setType(id: BodyId, type: BodyType, options: MassOptions = {}): void {
    const record = this.body(id);
    const { disturbance } = this;
    const code = BODY_TYPES.indexOf(checkOneOf(type, 'type', BODY_TYPES));
    const given = checkOptions(options, 'options', MASS_OPTIONS);
    this.checkUndisturbed(disturbance);
    const shapes = this.shapesOf(record);
    checkShapesFit(code, shapes, shapes.length > 1);
    const dynamic = code === BODY_DYNAMIC;
    const before = record.type === BODY_DYNAMIC ? record.massProps : record.dynamicMass;
    const massProps = dynamic ? resumeMass(before, shapes, given) : resolveMass(code, shapes, given);
    this.checkUndisturbed(disturbance);
    const falls = dynamic && record.type !== BODY_DYNAMIC && isStaticFilter(record.knobs);
    record.dynamicMass = dynamic ? undefined : before;
    record.type = code;
    record.massProps = massProps;
    this.values[SetBodyType.body] = id & MAX_SLOT;
    this.values[SetBodyType.type] = code;
    this.putMassProps(massProps, SetBodyType.mass);
    this.writer.write(rows.setBodyType, this.values);
    // As if it had been added anew, in Bullet: with the filter of what stands still it would fall through the ground.
    if (falls) this.setFilter(id, DYNAMIC_FILTER.group, DYNAMIC_FILTER.mask);
  }

  setDamping(id: BodyId, linear: number, angular: number): void {
    const linearDamping = checkNumber(linear, 'linear', SHARE);
    const angularDamping = checkNumber(angular, 'angular', SHARE);
    this.writePair(rows.setDamping, id, linearDamping, angularDamping);
    this.turn(id, { linearDamping, angularDamping });
  }

  setGravityScale(id: BodyId, scale: number): void {
    const gravityScale = checkNumber(scale, 'scale', SIGNED(MAX_COEFFICIENT));
    this.writePair(rows.setGravityScale, id, gravityScale, 0);
    this.turn(id, { gravityScale });
  }

  /** Changes settings of a live body, rounded as in the core, but not to 32 bits. */
  private turn(id: BodyId, changes: Partial<BodyKnobs>): void {
    const record = this.body(id);
    const knobs: Record<string, number> = { ...record.knobs };
    for (const [name, value] of Object.entries(changes))
      knobs[name] = Number.isInteger(value) && value === (value | 0) ? value : Math.fround(value);
    record.knobs = knobs as unknown as BodyKnobs;
  }

  setLinearFactor(id: BodyId, factor: Vec3Like): void {
    const linear = vec3Of(factor, 'factor', FACTOR);
    const record = this.body(id);
    this.writeFactors(record, linear, record.angularFactor);
  }

  setAngularFactor(id: BodyId, factor: Vec3Like): void {
    const angular = vec3Of(factor, 'factor', FACTOR);
    const record = this.body(id);
    this.writeFactors(record, record.linearFactor, angular);
  }

  private writeFactors(
    record: BodyRecord,
    linear: BodyRecord['linearFactor'],
    angular: BodyRecord['angularFactor'],
  ) {
    record.linearFactor = linear.map(Math.fround) as typeof linear;
    record.angularFactor = angular.map(Math.fround) as typeof angular;
    this.values[SetFactors.body] = record.id & MAX_SLOT;
    this.values.set(record.linearFactor, SetFactors.linear);
    this.values.set(record.angularFactor, SetFactors.angular);
    this.writer.write(rows.setFactors, this.values);
  }

  setSleepingThresholds(id: BodyId, linear: number, angular: number): void {
    const linearSleepingThreshold = checkNumber(linear, 'linear', SPEED);
    const angularSleepingThreshold = checkNumber(angular, 'angular', SPEED);
    this.writePair(rows.setSleepingThresholds, id, linearSleepingThreshold, angularSleepingThreshold);
    this.turn(id, { linearSleepingThreshold, angularSleepingThreshold });
  }

  /** With `force` the states 'disableDeactivation' and 'disableSimulation' can be left, too. */
  setActivationState(id: BodyId, state: ActivationState, force: boolean): void {
    const code = ACTIVATION_CODES[checkOneOf(state, 'state', ACTIVATION_STATES)];
    this.writePair(rows.setActivationState, id, code, force ? 1 : 0);
    if (force || this.body(id).knobs.pinned === 0) this.turn(id, { pinned: pinnedBy(code) });
  }

  activate(id: BodyId, force: boolean): void {
    this.writePair(rows.activate, id, checkBoolean(force, 'force') ? 1 : 0, 0);
  }

  setFilter(id: BodyId, group: number, mask: number): void {
    const bits = { group: checkWord(group, 'group'), mask: checkWord(mask, 'mask') };
    this.writePair(rows.setFilter, id, bits.group, bits.mask);
    this.turn(id, bits);
  }

  setUserIndex(id: BodyId, userIndex: number): void {
    const index = checkWord(userIndex, 'userIndex');
    this.writePair(rows.setBodyUserIndex, id, index, 0);
    this.turn(id, { userIndex: index });
  }

  setCcd(id: BodyId, motionThreshold: number, sweptSphereRadius: number): void {
    const ccdMotionThreshold = checkNumber(motionThreshold, 'motionThreshold', LENGTH);
    const ccdSweptSphereRadius = checkNumber(sweptSphereRadius, 'sweptSphereRadius', LENGTH);
    this.writePair(rows.setCcd, id, ccdMotionThreshold, ccdSweptSphereRadius);
    this.turn(id, { ccdMotionThreshold, ccdSweptSphereRadius });
  }

  /** @internal Writes a command of a body and one or two numbers, which were checked. */
  writePair(command: CommandRow, id: BodyId, first: number, second: number): void {
    const { body, linear, angular } = SetDamping; // all such commands have these places
    this.values[body] = this.bodies.check(id, 'body');
    this.values[linear] = first;
    this.values[angular] = second;
    this.writer.write(command, this.values);
  }

  /** Changes some parts of the material of one shape; the others are kept. */
  setShapeMaterial(id: ShapeId, material: unknown): void {
    const record = this.shape(id);
    const { disturbance } = this;
    const checked = checkMaterial(record.material, material, 'material');
    this.checkUndisturbed(disturbance);
    record.material = checked;
    this.writeMaterial(record);
  }

  /** Changes some parts of the material of all shapes of a body. */
  setMaterial(id: BodyId, material: unknown): void {
    const records = this.shapesOf(this.body(id));
    const { disturbance } = this;
    checkMaterial(DEFAULT_MATERIAL, material, 'material'); // also if there are no shapes
    const checked = records.map((record) => checkMaterial(record.material, material, 'material'));
    this.checkUndisturbed(disturbance);
    for (const [i, record] of records.entries()) {
      record.material = checked[i]!;
      this.writeMaterial(record);
    }
  }

  /** Changes settings that a shape can have on its own; `null` removes one. */
  updateShape(id: ShapeId, changes: unknown): void {
    const record = this.shape(id);
    const { disturbance } = this;
    const given = checkOptions(changes, 'changes', TRAIT_OPTIONS);
    const traits = mergeTraits(record.traits, given, '', record);
    this.checkUndisturbed(disturbance);
    const before = record.traits;
    record.traits = traits;
    this.writeTraits(record, before);
  }

  private writeMaterial({ id, material }: ShapeRecord): void {
    const { values } = this;
    values[SetMaterial.shape] = id & MAX_SLOT;
    values[SetMaterial.friction] = material.friction;
    values[SetMaterial.restitution] = material.restitution;
    values[SetMaterial.rollingFriction] = material.rollingFriction;
    values[SetMaterial.spinningFriction] = material.spinningFriction;
    this.writer.write(rows.setMaterial, values);
  }
}
