// Adds and removes bodies and shapes of a registry. In: options, ids. Out: commands in `writer`, and ids; geometry is
// sent once for all shapes that share it. A call that throws changes nothing.

import { PhysicsError } from '../base/errors';
import { type BodyId, MAX_SLOT, type ShapeId } from '../base/ids';
import { MAX_SHAPES_PER_BODY } from '../base/limits';
import { invalid, readList } from '../base/validate';
import type { Geometry } from '../cooking/geometries';
import {
  BODY_DYNAMIC,
  SHAPE_BARE_TO_BALLS,
  SHAPE_NO_RESPONSE,
  SHAPE_SENSES_STATIC,
} from '../core/memory/constants';
import { type BodyDraft, type BodyRecord, checkShapesFit, draftBody } from '../options/bodies';
import { hasMargin, resolveShape, type ShapeRecord } from '../options/shapes';
import { changedTraits, NO_TRAITS, type ShapeTraits, TRAIT_COMMANDS } from '../options/traits';
import type { BodyOptions, ShapeOptions } from '../types';
import * as rows from '../wasm/core-commands';
import { AddShape, CreateBody, RemoveBody, RemoveGeometry, RemoveShape } from '../wasm/core-commands';
import { type BodyPlaces, createBodies } from './bulk';
import type { CommandWriter } from './commandWriter';
import { Registry } from './registry';

/** Whether the body is dynamic, has no `shape` option and can move. */
const mayFall = ({ type, shape, mass, gravityScale, activationState }: BodyOptions) =>
  (type === undefined ? mass !== 0 : type === 'dynamic') &&
  shape === undefined &&
  gravityScale !== 0 &&
  activationState !== 'disableSimulation';

export class ReplicaBodies extends Registry {
  private readonly unusedGeometry: number[] = [];
  /** Bodies created without a `shape` option, until the next step checks them. */
  private unshaped: BodyId[] = [];
  /** Whether a step has bodies to check: see warnOfUnshaped. */
  hasUnshaped = false;
  private hasWarned = false;

  /** The record of a live body; throws a typed error for other ids. */
  body(id: BodyId, argument = 'body'): BodyRecord {
    return this.bodyRecords[this.bodies.check(id, argument)]!;
  }

  shape(id: ShapeId, argument = 'shape'): ShapeRecord {
    return this.shapeRecords[this.shapes.check(id, argument)]!;
  }

  protected shapesOf(record: BodyRecord): ShapeRecord[] {
    return record.shapes.map((shape) => this.shapeRecords[shape & MAX_SLOT]!);
  }

  /**
   * A getter of an argument may call the world. Then checked objects may be removed, and values that were read may
   * belong to another call, even a refused one. `disturbance` is the count from before.
   */
  protected checkUndisturbed(disturbance: number): void {
    if (this.disturbance !== disturbance)
      throw new PhysicsError('busy', 'a getter of an argument changed the world while the argument was read');
  }

  /** Checks everything, then creates the body with all its shapes, or nothing. */
  createBody(options: BodyOptions): BodyId {
    const draft = draftBody(options);
    const falls = mayFall(options); // a getter of the options may throw, so before anything is created
    this.bodies.checkRoom(1);
    this.shapes.checkRoom(draft.shapes.length);
    const id = this.commit(draft);
    if (falls) this.noteUnshaped(id);
    return id;
  }

  /**
   * Runs with a step: a body with neither shape nor joint falls for ever, usually because its shape was forgotten.
   * Shapes and joints can be added after the body, so the check is here. Warns once per world.
   */
  warnOfUnshaped(): void {
    this.hasUnshaped = false;
    const { unshaped, gravity } = this;
    this.unshaped = [];
    if (this.hasWarned || (gravity[0] === 0 && gravity[1] === 0 && gravity[2] === 0)) return;
    const falling = unshaped.find((id) => {
      const record = this.bodies.isLive(id) ? this.body(id) : undefined;
      return record?.type === BODY_DYNAMIC && record.shapes.length === 0 && !this.jointsOf.has(id);
    });
    if (falling === undefined) return;
    this.hasWarned = true;
    console.warn(
      `ricochet: body ${falling} has no shape and no joint: it touches nothing and falls for ever. ` +
        "Give it a 'shape', or 'shape: []' where that is meant.",
    );
  }

  private noteUnshaped(id: BodyId): void {
    this.unshaped.push(id);
    this.hasUnshaped = true;
  }

  /**
   * @internal A body is made: its position, rotation and velocities, checked, are 13 numbers of a list. For a replica
   * whose user reads them before the core has seen them.
   */
  placed(_id: BodyId, _values: ArrayLike<number>, _at: number): void {}

  private commit({ record, shapes, values }: BodyDraft): BodyId {
    record.id = this.bodies.allocate();
    const slot = (values[CreateBody.body] = record.id & MAX_SLOT);
    values[CreateBody.generation] = record.id >>> 18;
    this.bodyRecords[slot] = record;
    this.placed(record.id, values, CreateBody.position);
    this.writer.write(rows.createBody, values);
    for (const shape of shapes) this.attach(record, shape);
    return record.id;
  }

  /** Like createBody for each; all or none. */
  createBodies(list: readonly BodyOptions[]): Int32Array {
    const given = readList(list, 'list', 'must be an array of options') as BodyOptions[];
    const drafts = given.map((options) => draftBody(options));
    const falling = given.map(mayFall);
    this.bodies.checkRoom(drafts.length);
    this.shapes.checkRoom(drafts.reduce((sum, { shapes }) => sum + shapes.length, 0));
    const ids = Int32Array.from(drafts, (draft) => this.commit(draft));
    ids.forEach((id, i) => {
      if (falling[i]) this.noteUnshaped(id);
    });
    return ids;
  }

  /** Creates many equal bodies from typed arrays; see BodyPlaces. */
  createBodiesAt(template: BodyOptions, places: BodyPlaces): Int32Array {
    const falls = typeof template === 'object' && template !== null && mayFall(template);
    const ids = createBodies(this, template, places);
    if (ids.length > 0 && falls) this.noteUnshaped(ids[0]!);
    return ids;
  }

  /** @internal The commands of a draft, its ids still 0. Returns where those of its shapes begin. */
  encodeDraft(writer: CommandWriter, { shapes, values }: BodyDraft): number[] {
    writer.write(rows.createBody, values);
    return shapes.map((shape) => writer.write(rows.addShape, this.shapeValues(shape)));
  }

  /** Adds a shape to a body. Mass properties are kept, as in Bullet: see setMass. */
  addShape(body: BodyId, options: ShapeOptions): ShapeId {
    this.body(body);
    const meant = resolveShape(options, 'shape');
    const record = this.body(body); // a getter of the options may have removed it
    const [shape = meant, more] = (record.type === BODY_DYNAMIC && meant.toHulls?.()) || [];
    if (more !== undefined)
      throw invalid('shape.dynamic', 'must give one hull: add others one by one', 'decompose');
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
    // An array literal with one element takes less memory than a list with push, and most bodies have one shape.
    if (body.shapes.length === 0) body.shapes = [shape.id];
    else body.shapes.push(shape.id);
    this.shareGeometry([shape], 1);
    this.writer.write(rows.addShape, this.shapeValues(shape));
    this.writeTraits(shape);
  }

  /** @internal Commands for what the shape has that others have not; `before`: what is known of that already. */
  writeTraits(shape: ShapeRecord, before?: ShapeTraits): void {
    if (shape.traits === before) return;
    for (const name of changedTraits(before, shape.traits)) {
      this.values[0] = shape.id & MAX_SLOT;
      this.values.set(shape.traits?.[name] ?? NO_TRAITS[name], 1);
      this.writer.write(TRAIT_COMMANDS[name], this.values);
    }
  }

  /** Fills the fields of ADD_SHAPE. */
  private shapeValues(shape: ShapeRecord): Float64Array {
    const { values: v } = this;
    const { material } = shape;
    if (Number.isNaN(shape.margin)) shape.margin = hasMargin(shape.type) ? this.margin : 0;
    v[AddShape.body] = shape.body & MAX_SLOT;
    v[AddShape.shape] = shape.id & MAX_SLOT;
    v[AddShape.generation] = shape.id >>> 18;
    v[AddShape.type] = shape.type;
    v.set(shape.localPosition, AddShape.localPosition);
    v.set(shape.localRotation, AddShape.localRotation);
    v.set(shape.params, AddShape.params);
    v[AddShape.friction] = material.friction;
    v[AddShape.restitution] = material.restitution;
    v[AddShape.rollingFriction] = material.rollingFriction;
    v[AddShape.spinningFriction] = material.spinningFriction;
    v[AddShape.margin] = shape.margin;
    v[AddShape.flags] =
      (shape.sensor ? SHAPE_NO_RESPONSE : 0) |
      (shape.sensesStatic ? SHAPE_SENSES_STATIC : 0) |
      (shape.bareToBalls ? SHAPE_BARE_TO_BALLS : 0);
    v[AddShape.userIndex] = shape.userIndex;
    v[AddShape.geometry] = shape.geometrySlot;
    return v;
  }

  /** @internal Slots for the geometry of shapes that are about to be added, so many times each. */
  shareGeometry(shapes: readonly ShapeRecord[], times: number): void {
    for (const shape of shapes)
      if (shape.geometry !== undefined) shape.geometrySlot = this.useGeometry(shape.geometry, times);
  }

  /** The slot of a geometry, which is sent to the core if no other shape has the same. */
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

  /** Runs after the command that removes the last shape of a geometry. */
  private dropUnusedGeometry(): void {
    for (const slot of this.unusedGeometry) {
      this.geometries.remove(slot);
      this.values[RemoveGeometry.geometry] = slot;
      this.writer.write(rows.removeGeometry, this.values);
    }
    this.unusedGeometry.length = 0;
  }

  /** Removes a shape of a body. Mass properties are kept. */
  removeShape(body: BodyId, id: ShapeId): void {
    const owner = this.body(body);
    if (this.shape(id).body !== body) throw invalid('shape', 'must be a shape of this body', id);
    owner.shapes.splice(owner.shapes.indexOf(id), 1);
    this.values[RemoveShape.shape] = id & MAX_SLOT;
    this.forgetShape(id);
    this.writer.write(rows.removeShape, this.values);
    this.dropUnusedGeometry();
  }

  /** Removes a body and its shapes. */
  removeBody(id: BodyId): void {
    const record = this.body(id);
    const joints = this.jointsOf.get(id) ?? [];
    this.jointsOf.delete(id); // at once: taken out one by one, each would move all later ones
    for (const joint of joints) this.forgetJoint(joint);
    for (const shape of record.shapes) this.forgetShape(shape);
    this.values[RemoveBody.body] = id & MAX_SLOT;
    this.bodyRecords[id & MAX_SLOT] = undefined;
    this.bodies.release(id);
    this.writer.write(rows.removeBody, this.values);
    this.dropUnusedGeometry();
  }

  private forgetShape(id: ShapeId): void {
    const { geometrySlot } = this.shapeRecords[id & MAX_SLOT]!;
    if (geometrySlot > 0 && this.geometries.count(geometrySlot, -1) === 0)
      this.unusedGeometry.push(geometrySlot);
    this.shapeRecords[id & MAX_SLOT] = undefined;
    this.shapes.release(id);
  }
}
