// A stream of commands from another replica: checked against what this one knows, and then followed.
// In: a buffer from a worker client, a recording or the network. Out: the replica as its sender's.
// Refused whole: what was already followed of a refused buffer is taken back.

import { PhysicsError } from '../base/errors';
import { MAX_SLOT, makeId } from '../base/ids';
import { MIN_SIZE } from '../base/limits';
import { type Quat, shareQuat, shareVec3, type Vec3 } from '../base/math';
import { Geometry } from '../cooking/geometries';
import { GEOMETRY_KINDS } from '../cooking/geometryWords';
import * as codes from '../core/memory/constants';
import { type BodyKnobs, type BodyRecord, knobsOf, pinnedBy } from '../options/bodies';
import { AXIS_FIELDS, type AxisRecord, FREE_AXIS, type JointRecord } from '../options/joints';
import { decodeSettings, encodeSettings, SETTING_NAMES } from '../options/settings';
import { DEFAULT_DENSITY, type ShapeRecord } from '../options/shapes';
import { LONGEST_COMMAND } from './commandRows';
import { commandLength, decodeCommand, floatsOf, geometryContent, validateCommands } from './commands';
import type { Registry } from './registry';

/** Takes back one change. */
type Undo = () => void;

/**
 * Checks `words` and brings the replica to the state after them. Throws 'damaged-commands' and changes
 * nothing when the buffer does not decode, or when its ids are not the ones that this replica has or
 * would hand out. The commands themselves are not written to `replica.writer`.
 *
 * @returns takes the whole stream back
 */
export function followCommands(replica: Registry, words: Int32Array): Undo {
  validateCommands(words);
  const follower = new Follower(replica, words);
  try {
    for (let at = 0; at < words.length; ) at = follower.follow(at);
  } catch (error) {
    follower.undo();
    throw error;
  }
  return () => follower.undo();
}

class Follower {
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

  /** Follows the command at word `at`; returns the place of the next. */
  follow(at: number): number {
    const { replica, v } = this;
    this.at = at;
    const command = decodeCommand(this.words, this.floats, at, v);
    switch (command.code) {
      case codes.CMD_CREATE_BODY:
        this.createBody();
        break;
      case codes.CMD_ADD_SHAPE:
        this.addShape();
        break;
      case codes.CMD_ADD_GEOMETRY:
        this.addGeometry(geometryContent(this.words, at).slice());
        break;
      case codes.CMD_REMOVE_GEOMETRY:
        this.removeGeometry();
        break;
      case codes.CMD_REMOVE_BODY:
        this.removeBody(this.body());
        break;
      case codes.CMD_REMOVE_SHAPE:
        this.removeShape(this.shape());
        break;
      case codes.CMD_SET_MASS_PROPS: {
        const record = this.body();
        this.setMassProps(record, record.type, 1);
        break;
      }
      case codes.CMD_SET_BODY_TYPE: {
        const record = this.body();
        const type = v[1]!;
        for (const id of record.shapes) this.checkFits(type, this.replica.shapeRecords[id & MAX_SLOT]!.type);
        const { type: old, massProps } = record;
        const before = old === codes.BODY_DYNAMIC ? massProps : record.dynamicMass;
        this.setMassProps(record, type, 2);
        record.dynamicMass = type === codes.BODY_DYNAMIC ? undefined : before;
        record.type = type;
        this.undos.push(() => (record.type = old));
        break;
      }
      case codes.CMD_SET_FACTORS: {
        const record = this.body();
        const { linearFactor, angularFactor } = record;
        record.linearFactor = this.vec3(1);
        record.angularFactor = this.vec3(4);
        this.undos.push(() => Object.assign(record, { linearFactor, angularFactor }));
        break;
      }
      case codes.CMD_SET_DAMPING:
        this.setKnobs({ linearDamping: v[1]!, angularDamping: v[2]! });
        break;
      case codes.CMD_SET_GRAVITY_SCALE:
        this.setKnobs({ gravityScale: v[1]! });
        break;
      case codes.CMD_SET_SLEEPING_THRESHOLDS:
        this.setKnobs({ linearSleepingThreshold: v[1]!, angularSleepingThreshold: v[2]! });
        break;
      case codes.CMD_SET_FILTER:
        this.setKnobs({ group: v[1]!, mask: v[2]! });
        break;
      case codes.CMD_SET_BODY_USER_INDEX:
        this.setKnobs({ userIndex: v[1]! });
        break;
      case codes.CMD_SET_ACTIVATION_STATE:
        if (v[2] !== 0 || this.body().knobs.pinned === 0) this.setKnobs({ pinned: pinnedBy(v[1]!) });
        break;
      case codes.CMD_SET_CCD:
        this.setKnobs({ ccdMotionThreshold: v[1]!, ccdSweptSphereRadius: v[2]! });
        break;
      case codes.CMD_SET_MATERIAL: {
        const record = this.shape();
        const { material } = record;
        record.material = this.material(1);
        this.undos.push(() => (record.material = material));
        break;
      }
      case codes.CMD_SET_KINEMATIC_TARGET:
        if (this.body().type !== codes.BODY_KINEMATIC)
          throw this.refuse('only a kinematic body has a target');
        break;
      case codes.CMD_SET_GRAVITY: {
        const { gravity } = replica;
        replica.gravity = [...this.vec3(0)];
        this.undos.push(() => (replica.gravity = gravity));
        break;
      }
      case codes.CMD_SET_SETTINGS:
        this.setSettings();
        break;
      case codes.CMD_APPLY_FORCE:
      case codes.CMD_APPLY_TORQUE:
        this.body();
        this.setForces(true);
        break;
      case codes.CMD_CLEAR_FORCES:
        this.setForces(false);
        break;
      case codes.CMD_STEP:
        break;
      case codes.CMD_CREATE_JOINT:
        this.createJoint();
        break;
      case codes.CMD_REMOVE_JOINT:
        this.forgetJoint(this.joint().id);
        break;
      case codes.CMD_SET_JOINT_AXIS: {
        const record = this.joint();
        const index = v[1]!;
        const old = record.axes[index]!;
        record.axes[index] = Array.from(v.subarray(2, 2 + AXIS_FIELDS)) as unknown as AxisRecord;
        this.undos.push(() => (record.axes[index] = old));
        break;
      }
      case codes.CMD_SET_JOINT_COLLIDE: {
        const record = this.joint();
        const old = record.collide;
        record.collide = v[1] === 1;
        this.undos.push(() => (record.collide = old));
        break;
      }
      case codes.CMD_SET_JOINT_ENABLED:
      case codes.CMD_SET_JOINT_FRAMES:
      case codes.CMD_SET_JOINT_BREAKING:
      case codes.CMD_SET_JOINT_RATIO:
      case codes.CMD_SET_JOINT_SOFTNESS:
        this.joint();
        break;
      default:
        this.body(); // all others name a body first
    }
    return at + commandLength(this.words, at);
  }

  private refuse(what: string): PhysicsError {
    return new PhysicsError('damaged-commands', `command buffer refused, word ${this.at}: ${what}`);
  }

  private body(): BodyRecord {
    const slot = this.v[0]!;
    if (this.replica.bodies.idAt(slot) === 0) throw this.refuse(`there is no body in slot ${slot}`);
    return this.replica.bodyRecords[slot]!;
  }

  private shape(): ShapeRecord {
    const slot = this.v[0]!;
    if (this.replica.shapes.idAt(slot) === 0) throw this.refuse(`there is no shape in slot ${slot}`);
    return this.replica.shapeRecords[slot]!;
  }

  private joint(): JointRecord {
    const slot = this.v[0]!;
    if (this.replica.joints.idAt(slot) === 0) throw this.refuse(`there is no joint in slot ${slot}`);
    return this.replica.jointRecords[slot]!;
  }

  private vec3(at: number): Vec3 {
    return shareVec3([this.v[at]!, this.v[at + 1]!, this.v[at + 2]!]);
  }

  private quat(at: number): Quat {
    return shareQuat([this.v[at]!, this.v[at + 1]!, this.v[at + 2]!, this.v[at + 3]!]);
  }

  private material(at: number): ShapeRecord['material'] {
    const { v } = this;
    return {
      friction: v[at]!,
      restitution: v[at + 1]!,
      rollingFriction: v[at + 2]!,
      spinningFriction: v[at + 3]!,
    };
  }

  private massProps(type: number, at: number): BodyRecord['massProps'] {
    const mass = this.v[at]!;
    if ((type === codes.BODY_DYNAMIC) !== mass > 0)
      throw this.refuse(`a body of type ${type} cannot have mass ${mass}`);
    return {
      mass,
      inertia: this.vec3(at + 1),
      centerOfMass: this.vec3(at + 4),
      principalRotation: this.quat(at + 7),
    };
  }

  private setKnobs(changes: Partial<BodyKnobs>): void {
    const record = this.body();
    const { knobs } = record;
    record.knobs = { ...knobs, ...changes };
    this.undos.push(() => (record.knobs = knobs));
  }

  private setMassProps(record: BodyRecord, type: number, at: number): void {
    const { massProps, dynamicMass } = record;
    record.massProps = this.massProps(type, at);
    record.dynamicMass = undefined;
    this.undos.push(() => Object.assign(record, { massProps, dynamicMass }));
  }

  private checkFits(bodyType: number, shapeType: number): void {
    if (shapeType === codes.SHAPE_PLANE && bodyType !== codes.BODY_STATIC)
      throw this.refuse('a plane cannot be a shape of a body that moves');
    if (shapeType > codes.SHAPE_PLANE && bodyType === codes.BODY_DYNAMIC)
      throw this.refuse('a mesh or heightfield cannot be a shape of a dynamic body');
  }

  private setForces(hasForces: boolean): void {
    const { replica } = this;
    const old = replica.hasForces;
    replica.hasForces = hasForces;
    this.undos.push(() => {
      replica.hasForces = old;
    });
  }

  private createBody(): void {
    const { v } = this;
    const { bodies, bodyRecords, limit } = this.replica;
    const id = makeId(v[0]!, v[1]!);
    if (bodies.count >= limit) throw this.refuse(`more than ${limit} bodies`);
    if (id !== bodies.peek()) throw this.refuse(`id ${id} is not the next one, ${bodies.peek()}`);
    const type = v[2]!;
    // Word offsets after the head: position 4, rotation 7, velocities 11 and 14, mass properties 17.
    const massProps = this.massProps(type, 17);
    const record: BodyRecord = {
      id,
      type,
      massProps,
      linearFactor: this.vec3(31),
      angularFactor: this.vec3(34),
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

  private addShape(): void {
    const { v } = this;
    const body = this.body();
    const { shapes, shapeRecords } = this.replica;
    const id = makeId(v[1]!, v[2]!);
    if (shapes.count >= MAX_SLOT) throw this.refuse('too many shapes');
    if (id !== shapes.peek()) throw this.refuse(`shape id ${id} is not the next one, ${shapes.peek()}`);
    const type = v[3]!;
    this.checkFits(body.type, type);
    const params: ShapeRecord['params'] = [v[11]!, v[12]!, v[13]!, v[14]!];
    const concave = type > codes.SHAPE_PLANE; // a scale, which may mirror
    for (let i = 0; i < SIZES[type]!; i++)
      if (!((concave ? Math.abs(params[i]!) : params[i]!) >= 0.99 * MIN_SIZE))
        throw this.refuse(`a shape of type ${type} needs a size`);
    const record: ShapeRecord = {
      id,
      body: body.id,
      type,
      params,
      localPosition: this.vec3(4),
      localRotation: this.quat(7),
      material: this.material(15),
      margin: v[19]!,
      density: DEFAULT_DENSITY, // the stream holds masses, not densities
      sensor: (v[20]! & codes.SHAPE_NO_RESPONSE) !== 0,
      sensesStatic: (v[20]! & codes.SHAPE_SENSES_STATIC) !== 0,
      userIndex: v[21]!,
      geometrySlot: v[22]!,
    };
    const geometry = this.replica.geometries.at(record.geometrySlot);
    const wanted = GEOMETRY_KINDS.includes(type) ? type : undefined;
    if (geometry?.kind !== wanted || (geometry === undefined && v[22] !== 0))
      throw this.refuse(`a shape of type ${type} cannot have geometry ${v[22]}`);
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

  private addGeometry(words: Int32Array): void {
    const slot = this.v[0]!;
    const { geometries } = this.replica;
    const geometry = new Geometry(this.v[1]!, words);
    if (slot !== geometries.next())
      throw this.refuse(`geometry ${slot} is not the next, ${geometries.next()}`);
    if (geometries.find(geometry) !== 0) throw this.refuse('there is such a geometry already');
    geometries.put(slot, geometry);
    this.undos.push(() => geometries.remove(slot));
  }

  private removeGeometry(): void {
    const slot = this.v[0]!;
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

  private removeShape(record: ShapeRecord): void {
    const owner = this.replica.bodyRecords[record.body & MAX_SLOT]!;
    const index = owner.shapes.indexOf(record.id);
    this.forgetShape(record.id);
    owner.shapes.splice(index, 1);
    this.undos.push(() => owner.shapes.splice(index, 0, record.id));
  }

  private createJoint(): void {
    const { v, replica } = this;
    const { joints, bodies, bodyRecords } = replica;
    const id = makeId(v[0]!, v[1]!);
    if (joints.count >= MAX_SLOT) throw this.refuse('too many joints');
    if (id !== joints.peek()) throw this.refuse(`joint id ${id} is not the next one, ${joints.peek()}`);
    const [slotA, slotB] = [v[4]!, v[5]!];
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
      type: v[2]!,
      bodyA,
      bodyB,
      collide: (v[3]! & codes.JOINT_COLLIDE) !== 0,
      userIndex: v[26]!,
      axes: Array(codes.JOINT_AXIS_COUNT).fill(FREE_AXIS),
      positionB: [v[13]!, v[14]!, v[15]!],
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

  private removeBody(record: BodyRecord): void {
    const { bodies, bodyRecords } = this.replica;
    for (const joint of [...(this.replica.jointsOf.get(record.id) ?? [])]) this.forgetJoint(joint);
    for (const shape of record.shapes) this.forgetShape(shape);
    const slot = record.id & MAX_SLOT;
    bodyRecords[slot] = undefined;
    bodies.release(record.id);
    this.undos.push(() => {
      bodies.undoRelease(record.id);
      bodyRecords[slot] = record;
    });
  }

  private setSettings(): void {
    const { replica } = this;
    const old = { settings: replica.settings, host: { ...replica.host } };
    const { settings, host } = decodeSettings(this.v);
    // An angle that encodes to the same word is the same angle, unrounded.
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

/** How many params of each type are sizes. */
const SIZES: { readonly [type: number]: number } = {
  [codes.SHAPE_SPHERE]: 1,
  [codes.SHAPE_CAPSULE]: 2,
  [codes.SHAPE_BOX]: 3,
  [codes.SHAPE_HULL]: 0,
  [codes.SHAPE_CYLINDER]: 2,
  [codes.SHAPE_CONE]: 2,
  [codes.SHAPE_TRIANGLE]: 0,
  [codes.SHAPE_MULTISPHERE]: 0,
  [codes.SHAPE_PLANE]: 0,
  [codes.SHAPE_MESH]: 3,
  [codes.SHAPE_HEIGHTFIELD]: 3,
};
