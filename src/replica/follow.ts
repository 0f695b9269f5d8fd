// Applies a command stream from another replica. In: a buffer from a worker client, a recording or the network. Out:
// this replica in the same state as the sender's. Each command is checked against the known objects. A buffer is
// refused as a whole: commands already applied are undone.

import { PhysicsError } from '../base/errors';
import { MAX_SLOT, makeId } from '../base/ids';
import { MIN_SIZE } from '../base/limits';
import { type Quat, shareQuat, shareVec3, type Vec3 } from '../base/math';
import { Geometry } from '../cooking/geometries';
import { GEOMETRY_KINDS } from '../cooking/geometryWords';
import * as codes from '../core/memory/constants';
import { type BodyKnobs, type BodyRecord, knobsOf, pinnedBy } from '../options/bodies';
import { AXIS_FIELDS, type AxisRecord, aimed, FREE_AXIS, type JointRecord } from '../options/joints';
import { decodeSettings, encodeSettings, SETTING_NAMES } from '../options/settings';
import { DEFAULT_DENSITY, SHAPE_SIZES, type ShapeRecord } from '../options/shapes';
import { NO_TRAITS, type TraitName, withTrait } from '../options/traits';
import {
  AddGeometry,
  AddShape,
  CreateBody,
  CreateJoint,
  LONGEST_COMMAND,
  MassProps,
  Material,
  REMEMBERED_COMMANDS,
  RemoveGeometry,
  SetActivationState,
  SetArea,
  SetBodyType,
  SetBodyUserIndex,
  SetCcd,
  SetDamping,
  SetFactors,
  SetFilter,
  SetGravity,
  SetGravityScale,
  SetJointAxis,
  SetJointCollide,
  SetMassProps,
  SetMaterial,
  SetServoTargets,
  SetSleepingThresholds,
} from '../wasm/core-commands';
import {
  type CommandName,
  checkCommands,
  commandLength,
  decodeCommand,
  floatsOf,
  geometryContent,
} from './commands';
import type { Registry } from './registry';

const remembered: ReadonlySet<string> = new Set(REMEMBERED_COMMANDS);
const isRemembered = (name: CommandName): name is Remembered => remembered.has(name);

/** Undoes one change. */
type Undo = () => void;

type Remembered = (typeof REMEMBERED_COMMANDS)[number];

/** The first field: the body, shape or joint of a command. */
const SUBJECT = 0;

/**
 * Checks `words` and brings the replica to the state after them. Throws 'damaged-commands' and changes
 * nothing when the buffer does not decode, or when its ids are not the ones that this replica has or
 * would hand out. The commands themselves are not written to `replica.writer`.
 *
 * @returns takes the whole stream back
 */
export function followCommands(replica: Registry, words: Int32Array): Undo {
  checkCommands(words, replica.geometryFault);
  const follower = new Follower(replica, words);
  try {
    for (let at = 0; at < words.length; ) at = follower.follow(at);
  } catch (error) {
    follower.undo();
    throw error;
  }
  return () => follower.undo();
}

/** Has a method, with the name of the command, for each command of which a replica stores data. */
class Follower implements Record<Remembered, () => void> {
  private readonly floats: Float32Array;
  private readonly v = new Float64Array(LONGEST_COMMAND);
  private readonly undos: Undo[] = [];
  private at = 0;

  constructor(
    private readonly replica: Registry,
    private readonly words: Int32Array,
  ) {
    this.floats = floatsOf(words);
  }

  undo(): void {
    while (this.undos.length > 0) this.undos.pop()!();
  }

  /** Follows the command at word `at`; returns the index of the next one. */
  follow(at: number): number {
    this.at = at;
    const { name, fields } = decodeCommand(this.words, this.floats, at, this.v);
    if (isRemembered(name)) this[name]();
    else this.checkSubject(fields[SUBJECT]?.[0]);
    return at + commandLength(this.words, at);
  }

  /** For commands of which nothing is stored: checks that their object exists. */
  private checkSubject(field: string | undefined): void {
    if (field === 'body') this.body();
    else if (field === 'shape') this.shape();
    else if (field === 'joint') this.joint();
  }

  private refuse(what: string): PhysicsError {
    return new PhysicsError('damaged-commands', `command buffer refused, word ${this.at}: ${what}`);
  }

  private body(): BodyRecord {
    const slot = this.v[SUBJECT]!;
    if (this.replica.bodies.idAt(slot) === 0) throw this.refuse(`there is no body in slot ${slot}`);
    return this.replica.bodyRecords[slot]!;
  }

  private shape(): ShapeRecord {
    const slot = this.v[SUBJECT]!;
    if (this.replica.shapes.idAt(slot) === 0) throw this.refuse(`there is no shape in slot ${slot}`);
    return this.replica.shapeRecords[slot]!;
  }

  private joint(): JointRecord {
    const slot = this.v[SUBJECT]!;
    if (this.replica.joints.idAt(slot) === 0) throw this.refuse(`there is no joint in slot ${slot}`);
    return this.replica.jointRecords[slot]!;
  }

  private vec3(at: number): Vec3 {
    return shareVec3([this.v[at]!, this.v[at + 1]!, this.v[at + 2]!]);
  }

  private quat(at: number): Quat {
    return shareQuat([this.v[at]!, this.v[at + 1]!, this.v[at + 2]!, this.v[at + 3]!]);
  }

  /** Reads the Material from field `first` on. */
  private materialAt(first: number): ShapeRecord['material'] {
    const { v } = this;
    return {
      friction: v[first + Material.friction]!,
      restitution: v[first + Material.restitution]!,
      rollingFriction: v[first + Material.rollingFriction]!,
      spinningFriction: v[first + Material.spinningFriction]!,
    };
  }

  /** Reads the MassProps from field `first` on, for a body of type `type`. */
  private massPropsAt(first: number, type: number): BodyRecord['massProps'] {
    const mass = this.v[first + MassProps.mass]!;
    if ((type === codes.BODY_DYNAMIC) !== mass > 0)
      throw this.refuse(`a body of type ${type} cannot have mass ${mass}`);
    return {
      mass,
      inertia: this.vec3(first + MassProps.inertia),
      centerOfMass: this.vec3(first + MassProps.centerOfMass),
      principalRotation: this.quat(first + MassProps.principalRotation),
    };
  }

  private setKnobs(changes: Partial<BodyKnobs>): void {
    const record = this.body();
    const { knobs } = record;
    record.knobs = { ...knobs, ...changes };
    this.undos.push(() => (record.knobs = knobs));
  }

  private changeMassProps(record: BodyRecord, type: number, first: number): void {
    const { massProps, dynamicMass } = record;
    record.massProps = this.massPropsAt(first, type);
    record.dynamicMass = undefined;
    this.undos.push(() => Object.assign(record, { massProps, dynamicMass }));
  }

  private checkFits(bodyType: number, shapeType: number): void {
    if (shapeType === codes.SHAPE_PLANE && bodyType !== codes.BODY_STATIC)
      throw this.refuse('a plane cannot be a shape of a body that moves');
    if (shapeType > codes.SHAPE_PLANE && bodyType === codes.BODY_DYNAMIC)
      throw this.refuse('a dynamic body cannot be a mesh or heightfield');
  }

  private setForces(hasForces: boolean): void {
    const { replica } = this;
    const old = replica.hasForces;
    replica.hasForces = hasForces;
    this.undos.push(() => {
      replica.hasForces = old;
    });
  }

  // --- the commands of which a replica stores data ---

  setMassProps(): void {
    const record = this.body();
    this.changeMassProps(record, record.type, SetMassProps.mass);
  }

  setBodyType(): void {
    const record = this.body();
    const type = this.v[SetBodyType.type]!;
    for (const id of record.shapes) this.checkFits(type, this.replica.shapeRecords[id & MAX_SLOT]!.type);
    const { type: old, massProps } = record;
    const before = old === codes.BODY_DYNAMIC ? massProps : record.dynamicMass;
    this.changeMassProps(record, type, SetBodyType.mass);
    record.dynamicMass = type === codes.BODY_DYNAMIC ? undefined : before;
    record.type = type;
    this.undos.push(() => (record.type = old));
  }

  setFactors(): void {
    const record = this.body();
    const { linearFactor, angularFactor } = record;
    record.linearFactor = this.vec3(SetFactors.linear);
    record.angularFactor = this.vec3(SetFactors.angular);
    this.undos.push(() => Object.assign(record, { linearFactor, angularFactor }));
  }

  setDamping(): void {
    const { v } = this;
    this.setKnobs({ linearDamping: v[SetDamping.linear]!, angularDamping: v[SetDamping.angular]! });
  }

  setGravityScale(): void {
    this.setKnobs({ gravityScale: this.v[SetGravityScale.scale]! });
  }

  setSleepingThresholds(): void {
    this.setKnobs({
      linearSleepingThreshold: this.v[SetSleepingThresholds.linear]!,
      angularSleepingThreshold: this.v[SetSleepingThresholds.angular]!,
    });
  }

  setFilter(): void {
    this.setKnobs({ group: this.v[SetFilter.group]!, mask: this.v[SetFilter.mask]! });
  }

  setBodyUserIndex(): void {
    this.setKnobs({ userIndex: this.v[SetBodyUserIndex.userIndex]! });
  }

  setActivationState(): void {
    const { v } = this;
    if (v[SetActivationState.force] !== 0 || this.body().knobs.pinned === 0)
      this.setKnobs({ pinned: pinnedBy(v[SetActivationState.state]!) });
  }

  setCcd(): void {
    this.setKnobs({
      ccdMotionThreshold: this.v[SetCcd.motionThreshold]!,
      ccdSweptSphereRadius: this.v[SetCcd.sweptSphereRadius]!,
    });
  }

  setMaterial(): void {
    const record = this.shape();
    const { material } = record;
    record.material = this.materialAt(SetMaterial.friction);
    this.undos.push(() => (record.material = material));
  }

  /** Stores the fields after the shape of such a command. */
  private setTrait(name: TraitName): void {
    const record = this.shape();
    const { traits } = record;
    const fields = Array.from(this.v.subarray(1, 1 + NO_TRAITS[name].length));
    record.traits = withTrait(traits, name, fields);
    this.undos.push(() => (record.traits = traits));
  }

  setShapeFilter(): void {
    this.setTrait('filter');
  }

  setCombineRules(): void {
    this.setTrait('rules');
  }

  setArea(): void {
    if (this.v[SetArea.flags] !== 0 && !this.shape().sensor)
      throw this.refuse('only a sensor can be an area');
    if (this.shape().type > codes.SHAPE_PLANE) throw this.refuse('a surface cannot be an area');
    this.setTrait('area');
  }

  setSurface(): void {
    this.setTrait('surface');
  }

  setKinematicTarget(): void {
    if (this.body().type !== codes.BODY_KINEMATIC) throw this.refuse('only a kinematic body has a target');
  }

  setKinematicPosition(): void {
    this.setKinematicTarget();
  }

  setKinematicRotation(): void {
    this.setKinematicTarget();
  }

  setGravity(): void {
    const { replica } = this;
    const { gravity } = replica;
    replica.gravity = [...this.vec3(SetGravity.gravity)];
    this.undos.push(() => (replica.gravity = gravity));
  }

  applyForce(): void {
    this.body();
    this.setForces(true);
  }

  applyTorque(): void {
    this.applyForce();
  }

  clearForces(): void {
    this.setForces(false);
  }

  setJointAxis(): void {
    const { v } = this;
    const record = this.joint();
    const index = v[SetJointAxis.axis]!;
    const old = record.axes[index]!;
    const { flags } = SetJointAxis;
    record.axes[index] = Array.from(v.subarray(flags, flags + AXIS_FIELDS)) as unknown as AxisRecord;
    this.undos.push(() => (record.axes[index] = old));
  }

  setServoTargets(): void {
    const record = this.joint();
    const old = record.axes;
    record.axes = aimed(old, this.v.subarray(SetServoTargets.x));
    this.undos.push(() => (record.axes = old));
  }

  setJointCollide(): void {
    const record = this.joint();
    const old = record.collide;
    record.collide = this.v[SetJointCollide.collide] === 1;
    this.undos.push(() => (record.collide = old));
  }

  createBody(): void {
    const { v } = this;
    const { bodies, bodyRecords, limit } = this.replica;
    const id = makeId(v[CreateBody.body]!, v[CreateBody.generation]!);
    if (bodies.count >= limit) throw this.refuse(`more than ${limit} bodies`);
    if (id !== bodies.peek()) throw this.refuse(`id ${id} is not the next one, ${bodies.peek()}`);
    const type = v[CreateBody.type]!;
    const massProps = this.massPropsAt(CreateBody.mass, type);
    const record: BodyRecord = {
      id,
      type,
      massProps,
      linearFactor: this.vec3(CreateBody.linearFactor),
      angularFactor: this.vec3(CreateBody.angularFactor),
      knobs: knobsOf(v),
      shapes: [],
    };
    const reused = bodies.willReuse;
    bodies.allocate();
    const slot = id & MAX_SLOT;
    bodyRecords[slot] = record;
    this.undos.push(() => {
      bodyRecords[slot] = undefined;
      bodies.undoAllocate(id, reused);
    });
  }

  addShape(): void {
    const { v } = this;
    const body = this.body();
    const { shapes, shapeRecords } = this.replica;
    const id = makeId(v[AddShape.shape]!, v[AddShape.generation]!);
    if (shapes.count >= MAX_SLOT) throw this.refuse('too many shapes');
    if (id !== shapes.peek()) throw this.refuse(`shape id ${id} is not the next one, ${shapes.peek()}`);
    const type = v[AddShape.type]!;
    this.checkFits(body.type, type);
    const params: ShapeRecord['params'] = [...this.quat(AddShape.params)];
    const concave = type > codes.SHAPE_PLANE; // a scale, which may mirror
    for (let i = 0; i < SHAPE_SIZES[type]!; i++)
      if (!((concave ? Math.abs(params[i]!) : params[i]!) >= 0.99 * MIN_SIZE))
        throw this.refuse(`a shape of type ${type} needs a size`);
    const record: ShapeRecord = {
      id,
      body: body.id,
      type,
      params,
      localPosition: this.vec3(AddShape.localPosition),
      localRotation: this.quat(AddShape.localRotation),
      material: this.materialAt(AddShape.friction),
      margin: v[AddShape.margin]!,
      density: DEFAULT_DENSITY, // the stream contains masses, not densities
      sensor: (v[AddShape.flags]! & codes.SHAPE_NO_RESPONSE) !== 0,
      sensesStatic: (v[AddShape.flags]! & codes.SHAPE_SENSES_STATIC) !== 0,
      bareToBalls: (v[AddShape.flags]! & codes.SHAPE_BARE_TO_BALLS) !== 0,
      userIndex: v[AddShape.userIndex]!,
      geometrySlot: v[AddShape.geometry]!,
    };
    const geometry = this.replica.geometries.at(record.geometrySlot);
    const wanted = GEOMETRY_KINDS.includes(type) ? type : undefined;
    if (geometry?.kind !== wanted || (geometry === undefined && record.geometrySlot !== 0))
      throw this.refuse(`a shape of type ${type} cannot have geometry ${record.geometrySlot}`);
    if (geometry !== undefined) {
      record.geometry = geometry;
      this.useGeometry(record.geometrySlot, 1);
    }
    const reused = shapes.willReuse;
    shapes.allocate();
    const slot = id & MAX_SLOT;
    shapeRecords[slot] = record;
    body.shapes.push(id);
    this.undos.push(() => {
      body.shapes.pop();
      shapeRecords[slot] = undefined;
      shapes.undoAllocate(id, reused);
    });
  }

  private useGeometry(slot: number, change: number): void {
    const { geometries } = this.replica;
    geometries.count(slot, change);
    this.undos.push(() => void geometries.count(slot, -change));
  }

  addGeometry(): void {
    const slot = this.v[AddGeometry.geometry]!;
    const { geometries } = this.replica;
    const geometry = new Geometry(this.v[AddGeometry.kind]!, geometryContent(this.words, this.at).slice());
    if (slot !== geometries.next())
      throw this.refuse(`geometry ${slot} is not the next, ${geometries.next()}`);
    if (geometries.find(geometry) !== 0) throw this.refuse('there is such a geometry already');
    geometries.put(slot, geometry);
    this.undos.push(() => geometries.remove(slot));
  }

  removeGeometry(): void {
    const slot = this.v[RemoveGeometry.geometry]!;
    const { geometries } = this.replica;
    const geometry = geometries.at(slot);
    if (geometry === undefined) throw this.refuse(`there is no geometry in slot ${slot}`);
    if (geometries.users(slot) > 0) throw this.refuse(`geometry ${slot} is in use`);
    geometries.remove(slot);
    this.undos.push(() => geometries.put(slot, geometry));
  }

  private forgetShape(id: number): void {
    const { shapes, shapeRecords } = this.replica;
    const slot = id & MAX_SLOT;
    const record = shapeRecords[slot];
    if (record!.geometrySlot > 0) this.useGeometry(record!.geometrySlot, -1);
    shapeRecords[slot] = undefined;
    shapes.release(id);
    this.undos.push(() => {
      shapes.undoRelease(id);
      shapeRecords[slot] = record;
    });
  }

  removeShape(): void {
    const record = this.shape();
    const owner = this.replica.bodyRecords[record.body & MAX_SLOT]!;
    const index = owner.shapes.indexOf(record.id);
    this.forgetShape(record.id);
    owner.shapes.splice(index, 1);
    this.undos.push(() => owner.shapes.splice(index, 0, record.id));
  }

  createJoint(): void {
    const { v, replica } = this;
    const { joints, bodies, bodyRecords } = replica;
    const id = makeId(v[CreateJoint.joint]!, v[CreateJoint.generation]!);
    if (joints.count >= MAX_SLOT) throw this.refuse('too many joints');
    if (id !== joints.peek()) throw this.refuse(`joint id ${id} is not the next one, ${joints.peek()}`);
    const [slotA, slotB] = [v[CreateJoint.bodyA]!, v[CreateJoint.bodyB]!];
    const bodyA = bodies.idAt(slotA);
    const bodyB = bodies.idAt(slotB);
    if ((slotA !== 0 && bodyA === 0) || (slotB !== 0 && bodyB === 0) || bodyA === bodyB)
      throw this.refuse(`no two bodies in slots ${slotA} and ${slotB}`);
    const isDynamic = (slot: number) => bodyRecords[slot]?.type === codes.BODY_DYNAMIC;
    if (!isDynamic(slotA) && !isDynamic(slotB)) throw this.refuse('a joint needs a dynamic body');
    const reused = joints.willReuse;
    joints.allocate();
    replica.keepJoint({
      id,
      type: v[CreateJoint.type]!,
      bodyA,
      bodyB,
      collide: (v[CreateJoint.flags]! & codes.JOINT_COLLIDE) !== 0,
      userIndex: v[CreateJoint.userIndex]!,
      axes: Array(codes.JOINT_AXIS_COUNT).fill(FREE_AXIS),
      positionB: [...this.vec3(CreateJoint.positionB)],
    });
    this.undos.push(() => {
      replica.forgetJoint(id);
      joints.undoRelease(id);
      joints.undoAllocate(id, reused);
    });
  }

  private forgetJoint(id: number): void {
    const { replica } = this;
    const record = replica.jointRecords[id & MAX_SLOT]!;
    const lists = [record.bodyA, record.bodyB].map(
      (body) => [body, replica.jointsOf.get(body)?.slice()] as const,
    );
    replica.forgetJoint(id);
    this.undos.push(() => {
      replica.joints.undoRelease(id);
      replica.jointRecords[id & MAX_SLOT] = record;
      for (const [body, list] of lists) if (list !== undefined) replica.jointsOf.set(body, list);
    });
  }

  removeJoint(): void {
    this.forgetJoint(this.joint().id);
  }

  removeBody(): void {
    const record = this.body();
    const { bodies, bodyRecords, jointsOf } = this.replica;
    const joints = jointsOf.get(record.id);
    if (joints !== undefined) this.undos.push(() => jointsOf.set(record.id, joints));
    jointsOf.delete(record.id); // at once: taken out one by one, each would move all later ones
    for (const joint of joints ?? []) this.forgetJoint(joint);
    for (const shape of record.shapes) this.forgetShape(shape);
    const slot = record.id & MAX_SLOT;
    bodyRecords[slot] = undefined;
    bodies.release(record.id);
    this.undos.push(() => {
      bodies.undoRelease(record.id);
      bodyRecords[slot] = record;
    });
  }

  setSettings(): void {
    const { replica } = this;
    const old = { settings: replica.settings, host: { ...replica.host } };
    const { settings, host } = decodeSettings(this.v);
    // An angle that encodes to the same word is the same angle, not rounded.
    const words: number[] = [];
    encodeSettings(replica.settings, replica.host, words);
    for (let i = 0; i < SETTING_NAMES.length; i++) {
      const name = SETTING_NAMES[i]!;
      if (Math.fround(words[i]!) === this.v[i]) Object.assign(settings, { [name]: replica.settings[name] });
    }
    replica.settings = settings;
    Object.assign(replica.host, host);
    this.undos.push(() => {
      replica.settings = old.settings;
      Object.assign(replica.host, old.host);
    });
  }
}
