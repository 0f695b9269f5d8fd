// The public edge of a registry: every call that changes a world, checked here once for World and the worker
// client alike. In: calls. Out: commands in `writer`, and ids. A call that throws changed nothing.
import {
  ACTIVATION_CODES,
  ACTIVATION_STATES,
  BODY_TYPES,
  type BodyDraft,
  type BodyRecord,
  checkShapesFit,
  draftBody,
  type MassOptions,
  type MassRecord,
  resolveMass,
  scaleMass,
} from './bodies';
import { type BodyPlaces, createBodies } from './bulk';
import { COMMANDS, type Command, type CommandWriter } from './commands';
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  AXIS_SPRING,
  AXIS_STIFFNESS,
  AXIS_STOP,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  JOINT_GEAR,
  JOINT_MOUSE,
  SHAPE_NO_RESPONSE,
} from './core/memory/constants';
import { eventMask } from './eventTypes';
import type { Geometry } from './geometries';
import { type BodyId, type JointId, MAX_SLOT, type ShapeId } from './ids';
import {
  type AxisRecord,
  draftJoint,
  gearRatio,
  JOINT_AXES,
  JOINT_TYPES,
  type JointRecord,
  resolveAxis,
  resolveFrame,
  swingAxis,
} from './joints';
import {
  MAX_COEFFICIENT,
  MAX_FORCE,
  MAX_GRAVITY,
  MAX_SETTING,
  MAX_SHAPES_PER_BODY,
  MAX_SIZE,
  MAX_TIME_STEP,
  MAX_VELOCITY,
  MIN_TIME_STEP,
} from './limits';
import { Registry } from './registry';
import {
  checkProfile,
  DEFAULT_GRAVITY,
  encodeSettings,
  mergeSettings,
  PROFILES,
  SETTING_NAMES,
} from './settings';
import {
  BULLET_MARGIN,
  checkMaterial,
  DEFAULT_MATERIAL,
  hasMargin,
  resolveShape,
  type ShapeRecord,
} from './shapes';
import type {
  ActivationState,
  BodyOptions,
  BodyType,
  JointAxisName,
  JointAxisOptions,
  JointFrame,
  JointOptions,
  QuatLike,
  ShapeOptions,
  Vec3Like,
  WorldOptions,
  WorldSettings,
} from './types';
import {
  COORDINATE,
  checkBoolean,
  checkInteger,
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
} from './validate';

const VELOCITY = SIGNED(MAX_VELOCITY);
const FORCE = SIGNED(MAX_FORCE);
const FACTOR = NON_NEGATIVE(MAX_COEFFICIENT);
const SHARE = NON_NEGATIVE(1);
const SPEED = NON_NEGATIVE(MAX_VELOCITY);
const LENGTH = NON_NEGATIVE(MAX_SIZE);
const TIME_STEP = { min: MIN_TIME_STEP, max: MAX_TIME_STEP };

const MASS_OPTIONS = ['mass', 'inertia', 'centerOfMass'];
const OTHER_OPTIONS = ['gravity', 'profile', 'events', 'maxBodies', 'profiling', 'deterministic'];

/** A whole fixed step in seconds. */
export function checkTimeStep(dt: unknown, argument = 'dt'): number {
  return Math.fround(checkNumber(dt, argument, TIME_STEP));
}

export class Replica extends Registry {
  private readonly unusedGeometry: number[] = [];
  /** m, of shapes that Bullet has one around. */
  private readonly margin: number;

  /** Checks the options and writes the first commands of the stream: gravity and settings. */
  constructor(options: WorldOptions = {}) {
    const given = checkOptions(options, 'options', [...SETTING_NAMES, ...OTHER_OPTIONS]) as WorldOptions;
    const profile = checkProfile(given.profile);
    const settings = mergeSettings(PROFILES[profile], given, OTHER_OPTIONS);
    const gravity = given.gravity === undefined ? DEFAULT_GRAVITY[profile] : given.gravity;
    super({
      settings,
      gravity: vec3Of(gravity, 'gravity', SIGNED(MAX_GRAVITY)),
      limit:
        given.maxBodies === undefined ? MAX_SLOT : checkInteger(given.maxBodies, 'maxBodies', 1, MAX_SLOT),
      host: {
        eventMask: given.events === undefined ? 0 : eventMask(given.events, 'events'),
        profiling: given.profiling === undefined ? false : checkBoolean(given.profiling, 'profiling'),
        pairFilter: false,
      },
    });
    if (given.deterministic !== undefined) checkBoolean(given.deterministic, 'deterministic');
    this.margin = profile === 'native' ? 0 : Math.fround(BULLET_MARGIN);
    this.writeGravity();
    this.writeSettings();
  }

  // --- world ---

  setGravity(gravity: Vec3Like): void {
    this.gravity = vec3Of(gravity, 'gravity', SIGNED(MAX_GRAVITY));
    this.writeGravity();
  }

  /** Changes some settings; the others stay. */
  updateSettings(changes: Partial<WorldSettings>): void {
    this.settings = mergeSettings(this.settings, changes);
    this.writeSettings();
  }

  private writeGravity(): void {
    this.writer.write(COMMANDS.setGravity, this.gravity);
  }

  private writeSettings(): void {
    encodeSettings(this.settings, this.host, this.values);
    this.writer.write(COMMANDS.setSettings, this.values);
  }

  // --- bodies and shapes ---

  /** The record of a live body; a typed error for any other id. */
  body(id: BodyId, argument = 'body'): BodyRecord {
    return this.bodyRecords[this.bodies.check(id, argument)]!;
  }

  shape(id: ShapeId, argument = 'shape'): ShapeRecord {
    return this.shapeRecords[this.shapes.check(id, argument)]!;
  }

  /** Checks everything, then creates the body with all its shapes: all or nothing. */
  createBody(options: BodyOptions): BodyId {
    const draft = draftBody(options);
    this.bodies.checkRoom(1);
    this.shapes.checkRoom(draft.shapes.length);
    return this.commit(draft);
  }

  private commit({ record, shapes, values }: BodyDraft): BodyId {
    record.id = this.bodies.allocate();
    const slot = (values[0] = record.id & MAX_SLOT);
    values[1] = record.id >>> 18;
    this.bodyRecords[slot] = record;
    this.writer.write(COMMANDS.createBody, values);
    for (const shape of shapes) this.attach(record, shape);
    return record.id;
  }

  /** As createBody for each, all or none. */
  createBodies(list: readonly BodyOptions[]): Int32Array {
    if (!Array.isArray(list)) throw invalid('list', 'must be an array of options', list);
    const drafts = list.map((options) => draftBody(options));
    this.bodies.checkRoom(drafts.length);
    this.shapes.checkRoom(drafts.reduce((sum, { shapes }) => sum + shapes.length, 0));
    return Int32Array.from(drafts, (draft) => this.commit(draft));
  }

  /** Many bodies that are alike, from typed arrays; see BodyPlaces. */
  createBodiesAt(template: BodyOptions, places: BodyPlaces): Int32Array {
    return createBodies(this, template, places);
  }

  /** @internal The commands of a draft, its ids still 0. Returns where those of its shapes begin. */
  encodeDraft(writer: CommandWriter, { shapes, values }: BodyDraft): number[] {
    writer.write(COMMANDS.createBody, values);
    return shapes.map((shape) => writer.write(COMMANDS.addShape, this.shapeValues(shape)));
  }

  /** Adds a shape to a body. Mass properties stay as they are, as in Bullet: see setMass. */
  addShape(body: BodyId, options: ShapeOptions): ShapeId {
    const record = this.body(body);
    const shape = resolveShape(options, 'shape');
    checkShapesFit(record.type, [shape], false);
    if (record.shapes.length >= MAX_SHAPES_PER_BODY)
      throw invalid(
        'shape',
        `must be at most ${MAX_SHAPES_PER_BODY} shapes per body`,
        record.shapes.length + 1,
      );
    this.shapes.checkRoom(1);
    this.attach(record, shape);
    return shape.id;
  }

  private attach(body: BodyRecord, shape: ShapeRecord): void {
    shape.id = this.shapes.allocate();
    shape.body = body.id;
    const slot = shape.id & MAX_SLOT;
    this.shapeRecords[slot] = shape;
    // A literal of one is smaller than a list that was pushed to, and most bodies have one.
    if (body.shapes.length === 0) body.shapes = [shape.id];
    else body.shapes.push(shape.id);
    this.shareGeometry([shape], 1);
    this.writer.write(COMMANDS.addShape, this.shapeValues(shape));
  }

  /** The fields of ADD_SHAPE. */
  private shapeValues(shape: ShapeRecord): Float64Array {
    const { values: v } = this;
    let at = 0;
    v[at++] = shape.body & MAX_SLOT;
    v[at++] = shape.id & MAX_SLOT;
    v[at++] = shape.id >>> 18;
    v[at++] = shape.type;
    for (let i = 0; i < 3; i++) v[at++] = shape.localPosition[i]!;
    for (let i = 0; i < 4; i++) v[at++] = shape.localRotation[i]!;
    for (let i = 0; i < 4; i++) v[at++] = shape.params[i]!;
    v[at++] = shape.material.friction;
    v[at++] = shape.material.restitution;
    v[at++] = shape.material.rollingFriction;
    v[at++] = shape.material.spinningFriction;
    if (Number.isNaN(shape.margin)) shape.margin = hasMargin(shape.type) ? this.margin : 0;
    v[at++] = shape.margin;
    v[at++] = shape.sensor ? SHAPE_NO_RESPONSE : 0;
    v[at++] = shape.userIndex;
    v[at++] = shape.geometrySlot;
    return v;
  }

  /** @internal Slots for the geometry of shapes that are about to be added, so many times each. */
  shareGeometry(shapes: readonly ShapeRecord[], times: number): void {
    for (const shape of shapes)
      if (shape.geometry !== undefined) shape.geometrySlot = this.useGeometry(shape.geometry, times);
  }

  /** The slot of some geometry, sent to the core if no other shape has the same. */
  private useGeometry(geometry: Geometry, times: number): number {
    const { geometries } = this;
    let slot = geometries.find(geometry);
    if (slot === 0) {
      slot = geometries.next();
      geometries.put(slot, geometry);
      this.writer.writeGeometry(slot, geometry.kind, geometry.words);
    }
    geometries.count(slot, times);
    return slot;
  }

  /** After the command that removes the last shape of a geometry. */
  private dropUnusedGeometry(): void {
    for (const slot of this.unusedGeometry) {
      this.geometries.remove(slot);
      this.values[0] = slot;
      this.writer.write(COMMANDS.removeGeometry, this.values);
    }
    this.unusedGeometry.length = 0;
  }

  /** Removes a shape of a body. Mass properties stay. */
  removeShape(body: BodyId, id: ShapeId): void {
    const owner = this.body(body);
    if (this.shape(id).body !== body) throw invalid('shape', 'must be a shape of this body', id);
    owner.shapes.splice(owner.shapes.indexOf(id), 1);
    this.values[0] = id & MAX_SLOT;
    this.forgetShape(id);
    this.writer.write(COMMANDS.removeShape, this.values);
    this.dropUnusedGeometry();
  }

  /** Removes a body and its shapes. */
  removeBody(id: BodyId): void {
    const record = this.body(id);
    for (const joint of [...(this.jointsOf.get(id) ?? [])]) this.forgetJoint(joint);
    for (const shape of record.shapes) this.forgetShape(shape);
    this.values[0] = id & MAX_SLOT;
    this.bodyRecords[id & MAX_SLOT] = undefined;
    this.bodies.release(id);
    this.writer.write(COMMANDS.removeBody, this.values);
    this.dropUnusedGeometry();
  }

  private forgetShape(id: ShapeId): void {
    const { geometrySlot } = this.shapeRecords[id & MAX_SLOT]!;
    if (geometrySlot > 0 && this.geometries.count(geometrySlot, -1) === 0)
      this.unusedGeometry.push(geometrySlot);
    this.shapeRecords[id & MAX_SLOT] = undefined;
    this.shapes.release(id);
  }

  // --- joints ---

  /** The record of a live joint; a typed error for any other id. */
  joint(id: JointId, argument = 'joint'): JointRecord {
    return this.jointRecords[this.joints.check(id, argument)]!;
  }

  /** Checks everything, then creates the joint. Body 0 is the world. */
  createJoint(options: JointOptions, bodyA: BodyId, bodyB: BodyId): JointId {
    const { record, values } = draftJoint(options);
    const a = bodyA === 0 ? undefined : this.body(bodyA, 'bodyA');
    const b = bodyB === 0 ? undefined : this.body(bodyB, 'bodyB');
    if (a === undefined && b === undefined) throw invalid('bodyB', 'must be given, or bodyA', undefined);
    if (bodyA === bodyB) throw invalid('bodyB', 'must be another body than bodyA', bodyB);
    if (a?.type !== BODY_DYNAMIC && b?.type !== BODY_DYNAMIC)
      throw invalid('bodyB', 'or bodyA must be dynamic', BODY_TYPES[(b ?? a)!.type]);
    this.joints.checkRoom(1);
    record.id = this.joints.allocate();
    record.bodyA = bodyA;
    record.bodyB = bodyB;
    this.keepJoint(record);
    values[0] = record.id & MAX_SLOT;
    values[1] = record.id >>> 18;
    values[4] = bodyA & MAX_SLOT;
    values[5] = bodyB & MAX_SLOT;
    this.writer.write(COMMANDS.createJoint, values);
    record.axes.forEach((axis, index) => {
      if (axis[0] !== 0 || axis[1] <= axis[2]) this.writeJointAxis(record, index, axis);
    });
    return record.id;
  }

  removeJoint(id: JointId): void {
    this.values[0] = this.joints.check(id, 'joint');
    this.forgetJoint(id);
    this.writer.write(COMMANDS.removeJoint, this.values);
  }

  /** The core's number of an axis; a typed error when the joint has none of that name. */
  axisOf(id: JointId, name: JointAxisName): number {
    const axes = JOINT_AXES[JOINT_TYPES[this.joint(id).type]!];
    const names = Object.keys(axes) as JointAxisName[];
    if (names.length === 0)
      throw invalid('axis', `must be absent: ${JOINT_TYPES[this.joint(id).type]} has none`, name);
    return axes[checkOneOf(name, 'axis', names)]!;
  }

  setJointAxis(id: JointId, name: JointAxisName, options: JointAxisOptions): void {
    const index = this.angleOrWay(id, name);
    this.writeJointAxis(this.joint(id), index, resolveAxis(options, name));
  }

  setJointSwing(id: JointId, name: 'swingY' | 'swingZ', halfAngle: number): void {
    const index = this.axisOf(id, checkOneOf(name, 'axis', ['swingY', 'swingZ']));
    this.writeJointAxis(this.joint(id), index, swingAxis(halfAngle, 'halfAngle'));
  }

  /** Changes limits, motor, servo or spring of an axis; the rest stays. */
  changeJointAxis(id: JointId, name: JointAxisName, changes: JointAxisOptions): void {
    const index = this.angleOrWay(id, name);
    const record = this.joint(id);
    const axis = [...record.axes[index]!];
    const fresh = resolveAxis(changes, name);
    const copy = (from: number, count: number) => {
      for (let i = from; i < from + count; i++) axis[i] = fresh[i]!;
    };
    let kept = axis[0]!;
    if ('low' in changes) copy(1, 2);
    if ('motor' in changes || 'servo' in changes) {
      kept &= ~(AXIS_MOTOR | AXIS_SERVO);
      copy(3, 3);
    }
    if ('spring' in changes) {
      kept &= ~(AXIS_SPRING | AXIS_STIFFNESS);
      copy(6, 4);
    }
    if ('stop' in changes) {
      kept &= ~AXIS_STOP;
      copy(10, 3);
    }
    axis[0] = kept | fresh[0];
    this.writeJointAxis(record, index, axis as unknown as AxisRecord);
  }

  private angleOrWay(id: JointId, name: JointAxisName): number {
    const index = this.axisOf(id, name);
    if (name === 'swingY' || name === 'swingZ') throw invalid('axis', 'must be set by setSwing', name);
    return index;
  }

  private writeJointAxis(record: JointRecord, index: number, axis: AxisRecord): void {
    record.axes[index] = axis;
    this.values[0] = record.id & MAX_SLOT;
    this.values[1] = index;
    this.values.set(axis, 2);
    this.writer.write(COMMANDS.setJointAxis, this.values);
  }

  setJointFrames(id: JointId, frameA: JointFrame, frameB: JointFrame): void {
    const record = this.joint(id);
    if (record.type === JOINT_MOUSE) throw invalid('joint', 'must not be a mouse joint: see setTarget', id);
    const a = resolveFrame(frameA, 'frameA');
    const b = resolveFrame(frameB, 'frameB');
    this.values[0] = id & MAX_SLOT;
    this.values.set([...a.position, ...a.rotation, ...b.position, ...b.rotation], 1);
    this.writer.write(COMMANDS.setJointFrames, this.values);
  }

  setJointTarget(id: JointId, target: Vec3Like): void {
    const record = this.joint(id);
    if (record.type !== JOINT_MOUSE)
      throw invalid('joint', 'must be a mouse joint', JOINT_TYPES[record.type]);
    const point = vec3Of(target, 'target');
    this.values[0] = id & MAX_SLOT;
    this.values.set([...point, 0, 0, 0, 1, ...record.positionB, 0, 0, 0, 1], 1);
    this.writer.write(COMMANDS.setJointFrames, this.values);
  }

  setJointEnabled(id: JointId, enabled: boolean): void {
    this.values[0] = this.joints.check(id, 'joint');
    this.values[1] = checkBoolean(enabled, 'enabled') ? 1 : 0;
    this.writer.write(COMMANDS.setJointEnabled, this.values);
  }

  setJointCollide(id: JointId, collide: boolean): void {
    const record = this.joint(id);
    this.values[0] = id & MAX_SLOT;
    this.values[1] = checkBoolean(collide, 'collide') ? 1 : 0;
    record.collide = collide;
    this.writer.write(COMMANDS.setJointCollide, this.values);
  }

  setJointBreaking(id: JointId, impulse: number, angularImpulse: number): void {
    this.values[0] = this.joints.check(id, 'joint');
    this.values[1] = checkNumber(impulse, 'impulse', NON_NEGATIVE(MAX_FORCE));
    this.values[2] = checkNumber(angularImpulse, 'angularImpulse', NON_NEGATIVE(MAX_FORCE));
    this.writer.write(COMMANDS.setJointBreaking, this.values);
  }

  setJointRatio(id: JointId, ratio: number): void {
    const record = this.joint(id);
    if (record.type !== JOINT_GEAR) throw invalid('joint', 'must be a gear', JOINT_TYPES[record.type]);
    this.values[0] = id & MAX_SLOT;
    this.values[1] = gearRatio(ratio);
    this.writer.write(COMMANDS.setJointRatio, this.values);
  }

  setJointSoftness(
    id: JointId,
    hertz: number,
    dampingRatio: number,
    maxForce: number,
    maxTorque: number,
  ): void {
    this.values[0] = this.joints.check(id, 'joint');
    this.values[1] = checkNumber(hertz, 'hertz', NON_NEGATIVE(MAX_SETTING));
    this.values[2] = checkNumber(dampingRatio, 'dampingRatio', NON_NEGATIVE(MAX_SETTING));
    this.values[3] = checkNumber(maxForce, 'maxForce', NON_NEGATIVE(MAX_FORCE));
    this.values[4] = checkNumber(maxTorque, 'maxTorque', NON_NEGATIVE(MAX_FORCE));
    this.writer.write(COMMANDS.setJointSoftness, this.values);
  }

  // --- motion ---

  /** Places a body's own origin: a teleport, velocities stay. */
  setTransform(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    const { values } = this;
    values[0] = this.bodies.check(id, 'body');
    readVec3(position, 'position', COORDINATE, values, 1);
    readQuat(rotation, 'rotation', values, 4);
    this.writer.write(COMMANDS.setTransform, values);
  }

  setKinematicTarget(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    const { values } = this;
    const record = this.body(id);
    if (record.type !== BODY_KINEMATIC)
      throw invalid('body', 'must be kinematic to have a target', BODY_TYPES[record.type]);
    values[0] = id & MAX_SLOT;
    readVec3(position, 'position', COORDINATE, values, 1);
    readQuat(rotation, 'rotation', values, 4);
    this.writer.write(COMMANDS.setKinematicTarget, values);
  }

  /** Of the centre of mass, m/s. */
  setLinearVelocity(id: BodyId, velocity: Vec3Like): void {
    this.writeVector(COMMANDS.setLinearVelocity, id, velocity, 'velocity', VELOCITY, BODY_KINEMATIC);
  }

  /** rad/s, world axes. */
  setAngularVelocity(id: BodyId, velocity: Vec3Like): void {
    this.writeVector(COMMANDS.setAngularVelocity, id, velocity, 'velocity', VELOCITY, BODY_KINEMATIC);
  }

  /** N at a point given from the centre of mass in world axes. */
  applyForce(id: BodyId, force: Vec3Like, relativePosition?: Vec3Like): void {
    this.writeVector(COMMANDS.applyForce, id, force, 'force', FORCE, BODY_DYNAMIC, relativePosition);
  }

  /** N·m, world axes. */
  applyTorque(id: BodyId, torque: Vec3Like): void {
    this.writeVector(COMMANDS.applyTorque, id, torque, 'torque', FORCE, BODY_DYNAMIC);
  }

  /** N·s at a point given from the centre of mass in world axes. */
  applyImpulse(id: BodyId, impulse: Vec3Like, relativePosition?: Vec3Like): void {
    this.writeVector(COMMANDS.applyImpulse, id, impulse, 'impulse', FORCE, BODY_DYNAMIC, relativePosition);
  }

  /** N·m·s, world axes. */
  applyTorqueImpulse(id: BodyId, impulse: Vec3Like): void {
    this.writeVector(COMMANDS.applyTorqueImpulse, id, impulse, 'impulse', FORCE, BODY_DYNAMIC);
  }

  /** Bodies that cannot be moved that way (below `least`) ignore it, as in Bullet. */
  private writeVector(
    command: Command,
    id: BodyId,
    vector: Vec3Like,
    argument: string,
    range: typeof FORCE,
    least: number,
    relativePosition?: Vec3Like,
  ): void {
    const { values } = this;
    const { type } = this.body(id);
    values[0] = id & MAX_SLOT;
    readVec3(vector, argument, range, values, 1);
    if (relativePosition === undefined) values[4] = values[5] = values[6] = 0;
    else readVec3(relativePosition, 'relativePosition', COORDINATE, values, 4);
    if (type < least) return;
    if (command === COMMANDS.applyForce || command === COMMANDS.applyTorque) this.hasForces = true;
    this.writer.write(command, values);
  }

  // --- properties ---

  /**
   * A new mass for a dynamic body; its centre stays. Without `inertia` the moments grow in proportion,
   * with it they are the principal moments along the body's own axes.
   */
  setMass(id: BodyId, mass: number, inertia?: Vec3Like): void {
    const record = this.body(id);
    if (record.type !== BODY_DYNAMIC)
      throw invalid('body', 'must be dynamic to have a mass', BODY_TYPES[record.type]);
    this.writeMassProps(record, scaleMass(record.massProps, mass, inertia));
  }

  /** Mass properties anew from the shapes as they are now; what is given counts instead. */
  updateMassProps(id: BodyId, options: MassOptions = {}): void {
    const record = this.body(id);
    checkOptions(options, 'options', MASS_OPTIONS);
    this.writeMassProps(record, resolveMass(record.type, this.shapesOf(record), options));
  }

  private shapesOf(record: BodyRecord): ShapeRecord[] {
    return record.shapes.map((shape) => this.shapeRecords[shape & MAX_SLOT]!);
  }

  private writeMassProps(record: BodyRecord, massProps: MassRecord): void {
    record.massProps = massProps;
    this.values[0] = record.id & MAX_SLOT;
    this.putMassProps(massProps, 1);
    this.writer.write(COMMANDS.setMassProps, this.values);
  }

  private putMassProps({ mass, inertia, centerOfMass, principalRotation }: MassRecord, at: number): void {
    const { values } = this;
    values[at] = mass;
    values.set(inertia, at + 1);
    values.set(centerOfMass, at + 4);
    values.set(principalRotation, at + 7);
  }

  /** Static, kinematic or dynamic; a dynamic body gets the mass given or that of its shapes. */
  setType(id: BodyId, type: BodyType, options: MassOptions = {}): void {
    const record = this.body(id);
    const code = BODY_TYPES.indexOf(checkOneOf(type, 'type', BODY_TYPES));
    checkOptions(options, 'options', MASS_OPTIONS);
    const shapes = this.shapesOf(record);
    checkShapesFit(code, shapes, shapes.length > 1);
    const massProps = resolveMass(code, shapes, options);
    record.type = code;
    record.massProps = massProps;
    this.values[0] = id & MAX_SLOT;
    this.values[1] = code;
    this.putMassProps(massProps, 2);
    this.writer.write(COMMANDS.setBodyType, this.values);
  }

  setDamping(id: BodyId, linear: number, angular: number): void {
    this.writePair(
      COMMANDS.setDamping,
      id,
      checkNumber(linear, 'linear', SHARE),
      checkNumber(angular, 'angular', SHARE),
    );
  }

  setGravityScale(id: BodyId, scale: number): void {
    this.writePair(COMMANDS.setGravityScale, id, checkNumber(scale, 'scale', SIGNED(MAX_COEFFICIENT)), 0);
  }

  setLinearFactor(id: BodyId, factor: Vec3Like): void {
    const record = this.body(id);
    const linear = vec3Of(factor, 'factor', FACTOR);
    this.writeFactors(record, linear, record.angularFactor);
  }

  setAngularFactor(id: BodyId, factor: Vec3Like): void {
    const record = this.body(id);
    const angular = vec3Of(factor, 'factor', FACTOR);
    this.writeFactors(record, record.linearFactor, angular);
  }

  private writeFactors(
    record: BodyRecord,
    linear: BodyRecord['linearFactor'],
    angular: BodyRecord['angularFactor'],
  ) {
    record.linearFactor = linear.map(Math.fround) as typeof linear;
    record.angularFactor = angular.map(Math.fround) as typeof angular;
    this.values[0] = record.id & MAX_SLOT;
    this.values.set(record.linearFactor, 1);
    this.values.set(record.angularFactor, 4);
    this.writer.write(COMMANDS.setFactors, this.values);
  }

  setSleepingThresholds(id: BodyId, linear: number, angular: number): void {
    this.writePair(
      COMMANDS.setSleepingThresholds,
      id,
      checkNumber(linear, 'linear', SPEED),
      checkNumber(angular, 'angular', SPEED),
    );
  }

  /** `force`: also out of 'disableDeactivation' and 'disableSimulation', which otherwise stay. */
  setActivationState(id: BodyId, state: ActivationState, force: boolean): void {
    const code = ACTIVATION_CODES[checkOneOf(state, 'state', ACTIVATION_STATES)];
    this.writePair(COMMANDS.setActivationState, id, code, force ? 1 : 0);
  }

  activate(id: BodyId, force: boolean): void {
    this.writePair(COMMANDS.activate, id, checkBoolean(force, 'force') ? 1 : 0, 0);
  }

  setFilter(id: BodyId, group: number, mask: number): void {
    this.writePair(COMMANDS.setFilter, id, checkWord(group, 'group'), checkWord(mask, 'mask'));
  }

  setUserIndex(id: BodyId, userIndex: number): void {
    this.writePair(COMMANDS.setBodyUserIndex, id, checkWord(userIndex, 'userIndex'), 0);
  }

  setCcd(id: BodyId, motionThreshold: number, sweptSphereRadius: number): void {
    this.writePair(
      COMMANDS.setCcd,
      id,
      checkNumber(motionThreshold, 'motionThreshold', LENGTH),
      checkNumber(sweptSphereRadius, 'sweptSphereRadius', LENGTH),
    );
  }

  private writePair(command: Command, id: BodyId, first: number, second: number): void {
    this.values[0] = this.bodies.check(id, 'body');
    this.values[1] = first;
    this.values[2] = second;
    this.writer.write(command, this.values);
  }

  /** Some parts of the material of one shape; the others stay. */
  setShapeMaterial(id: ShapeId, material: unknown): void {
    const record = this.shape(id);
    record.material = checkMaterial(record.material, material, 'material');
    this.writeMaterial(record);
  }

  /** Some parts of the material of every shape of a body. */
  setMaterial(id: BodyId, material: unknown): void {
    const records = this.shapesOf(this.body(id));
    checkMaterial(DEFAULT_MATERIAL, material, 'material');
    for (const record of records) {
      record.material = checkMaterial(record.material, material, 'material');
      this.writeMaterial(record);
    }
  }

  private writeMaterial({ id, material }: ShapeRecord): void {
    const { values } = this;
    values[0] = id & MAX_SLOT;
    values[1] = material.friction;
    values[2] = material.restitution;
    values[3] = material.rollingFriction;
    values[4] = material.spinningFriction;
    this.writer.write(COMMANDS.setMaterial, values);
  }

  /** Ends a step in a stream or a recording: World.step splits there, the core never sees it. */
  step(dt: number): void {
    this.values[0] = checkTimeStep(dt);
    this.writer.write(COMMANDS.step, this.values);
  }
}
