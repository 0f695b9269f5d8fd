// The objects of a world, without the engine and without the checks of public calls: ids, records of bodies, shapes,
// joints and shared geometry, settings. In: commands that were checked elsewhere, applied by follow.ts; calls of
// Replica, which adds the public checks. Out: commands in `writer`. A worker's host has only this.

import { type BodyId, IdAllocator, type JointId, MAX_SLOT } from '../base/ids';
import { Geometries } from '../cooking/geometries';
import type { BodyRecord } from '../options/bodies';
import type { JointRecord } from '../options/joints';
import type { HostSettings } from '../options/settings';
import type { ShapeRecord } from '../options/shapes';
import type { WorldSettings } from '../types';
import * as rows from '../wasm/core-commands';
import type { GeometryFault } from './commands';
import { CommandWriter } from './commandWriter';

export interface RegistryOptions {
  settings: Readonly<WorldSettings>;
  host: HostSettings;
  gravity: readonly [number, number, number];
  /** Largest number of bodies. */
  limit: number;
  /** Checks cooked geometry of streams and snapshots. A worker's host has none, because its page has checked it. */
  geometryFault: GeometryFault;
}

export class Registry {
  /** Commands that were not sent to the core or the worker yet. */
  readonly writer = new CommandWriter();
  bodies: IdAllocator;
  shapes: IdAllocator;
  /** By slot. */
  bodyRecords: (BodyRecord | undefined)[] = [];
  shapeRecords: (ShapeRecord | undefined)[] = [];
  joints = new IdAllocator('joint', MAX_SLOT);
  jointRecords: (JointRecord | undefined)[] = [];
  /** Ids of the joints of a body, in the order of creation; absent if there are none. */
  jointsOf = new Map<BodyId, JointId[]>();
  geometries = new Geometries();
  settings: WorldSettings;
  /** Selected outputs. Changed outside the stream, because a command would wake all bodies. */
  readonly host: HostSettings;
  gravity: [number, number, number];
  /** Largest number of bodies. */
  readonly limit: number;
  /** See RegistryOptions. */
  readonly geometryFault: GeometryFault;
  /** Whether forces were applied since they were last cleared. */
  hasForces = false;
  /** m. Margin of shapes for which none is given, for the types that have one in Bullet. */
  margin = 0;
  private readonly scratch = new Float64Array(rows.LONGEST_COMMAND);
  /** Number of commands whose encoding was started. */
  private drafts = 0;

  constructor({ settings, host, gravity, limit, geometryFault }: RegistryOptions) {
    this.settings = { ...settings };
    this.host = host;
    this.gravity = [...gravity];
    this.limit = limit;
    this.geometryFault = geometryFault;
    this.bodies = new IdAllocator('body', limit);
    this.shapes = new IdAllocator('shape', MAX_SLOT);
  }

  /** Fields of one command, which nothing else may use before it is written: see checkUndisturbed. */
  protected get values(): Float64Array {
    this.drafts++;
    return this.scratch;
  }

  /** Changes with each written or started command, even if it is refused later. */
  protected get disturbance(): number {
    return this.writer.written + this.drafts;
  }

  clearForces(): void {
    this.hasForces = false;
    this.writer.write(rows.clearForces, this.values);
  }

  /** @internal Enters a joint into the tables of this side. */
  keepJoint(record: JointRecord): void {
    this.jointRecords[record.id & MAX_SLOT] = record;
    for (const body of [record.bodyA, record.bodyB]) {
      if (body === 0) continue;
      const list = this.jointsOf.get(body);
      if (list === undefined) this.jointsOf.set(body, [record.id]);
      else list.push(record.id);
    }
  }

  /** @internal Takes a joint out of the tables of this side. */
  forgetJoint(id: JointId): void {
    const record = this.jointRecords[id & MAX_SLOT]!;
    this.jointRecords[id & MAX_SLOT] = undefined;
    for (const body of [record.bodyA, record.bodyB]) {
      const list = this.jointsOf.get(body);
      if (list === undefined) continue;
      if (list.length === 1) this.jointsOf.delete(body);
      else list.splice(list.indexOf(id), 1);
    }
    this.joints.release(id);
  }
}
