// Events and contacts: from the core's encoded records to objects. In: words, and a function from an id to a body
// object (a RigidBody in a World, the client's handle in a page). Out: plain objects.

import type { BodyId, JointId, ShapeId } from '../base/ids';
import type { Vec3 } from '../base/math';
import {
  EVENT_CONTACT_END,
  EVENT_JOINT_BROKEN,
  EVENT_JOINT_REMOVED,
  EVENT_SLEEP,
  EVENT_WAKE,
} from '../core/memory/constants';
import type { EventType } from '../types';
import { EVENT_NAMES } from './eventTypes';

/** One point of a contact. */
export interface ContactPoint {
  /** m, world, midway between the two surfaces. */
  position: Vec3;
  /** m; negative where the shapes overlap. */
  separation: number;
  /** N·s along the normal, over the last step. */
  impulse: number;
}

/** Two shapes that touch. */
export interface Contact<Body> {
  /** The body of shape A. */
  bodyA: Body;
  /** The body of shape B. */
  bodyB: Body;
  /** One of the two shapes. */
  shapeA: ShapeId;
  /** The other one. */
  shapeB: ShapeId;
  /** Unit, world, from A to B. Zero for a sensor, which has no manifold. */
  normal: Vec3;
  /** At most four. */
  points: ContactPoint[];
}

/** Two shapes push each other: for the first time, or still. */
export interface ContactEvent<Body> extends Contact<Body> {
  /** Begin: in this step for the first time. Stay: in an earlier step, too. */
  type: 'contactBegin' | 'contactStay';
}

/** A contact ended, possibly because a body was removed. */
export interface ContactEndEvent<Body> {
  /** Always 'contactEnd'. */
  type: 'contactEnd';
  /** The body of shape A; a body that was removed is known by its id only. */
  bodyA: Body;
  /** The body of shape B. */
  bodyB: Body;
  /** The shape of A that touched. */
  shapeA: ShapeId;
  /** The shape of B that touched. */
  shapeB: ShapeId;
}

/** A body fell asleep or woke in the last step. */
export interface SleepEvent<Body> {
  /** Which of the two. */
  type: 'sleep' | 'wake';
  /** The body. */
  body: Body;
}

/** A joint broke (it stays, disabled, until it is removed), or was removed together with one of its bodies. */
export interface JointEvent<Body> {
  /** Broken: a load exceeded the limit; the joint stays, disabled. Removed: with one of its bodies. */
  type: 'jointBroken' | 'jointRemoved';
  /** The joint's id. */
  joint: JointId;
  /** null: the world. */
  bodyA: Body | null;
  /** null: the world. */
  bodyB: Body | null;
  /** N·s at the anchor over the last step. */
  impulse: number;
}

/** Any event of a step. */
export type PhysicsEvent<Body> =
  | ContactEvent<Body>
  | ContactEndEvent<Body>
  | SleepEvent<Body>
  | JointEvent<Body>;

/** What is told, by type. */
export interface EventMap<Body> {
  contactBegin: ContactEvent<Body>;
  contactStay: ContactEvent<Body>;
  contactEnd: ContactEndEvent<Body>;
  sleep: SleepEvent<Body>;
  wake: SleepEvent<Body>;
  jointBroken: JointEvent<Body>;
  jointRemoved: JointEvent<Body>;
}

/** The events of a type. */
export type EventOf<Type extends EventType, Body> = EventMap<Body>[Type];

/** Where the fields of a contact record are, in words after its head; IMPULSE within a point. */
export const CONTACT_RECORD = {
  IDS: 1,
  POINT_COUNT: 5,
  NORMAL: 6,
  POINTS: 9,
  POINT_WORDS: 5,
  IMPULSE: 4,
} as const;
/** Where the record of a joint names its bodies, after the joint itself. */
export const JOINT_BODIES = 2;

/** The code of the record at `words[at]`. */
export function eventCode(words: Int32Array, at: number): number {
  return words[at]! & 255;
}

/** Words of the record at `words[at]`. */
export function eventWords(words: Int32Array, at: number): number {
  return words[at]! >>> 8;
}

/** The record at `words[at]` as an object. */
export function decodeEvent<Body>(
  words: Int32Array,
  floats: Float32Array,
  at: number,
  resolve: (id: BodyId) => Body,
): PhysicsEvent<Body> {
  const code = eventCode(words, at);
  const type = EVENT_NAMES[code];
  if (code === EVENT_SLEEP || code === EVENT_WAKE)
    return { type, body: resolve(words[at + CONTACT_RECORD.IDS]!) } as SleepEvent<Body>;
  if (code === EVENT_JOINT_BROKEN || code === EVENT_JOINT_REMOVED) {
    const body = (id: BodyId) => (id === 0 ? null : resolve(id));
    return {
      type,
      joint: words[at + 1]!,
      bodyA: body(words[at + JOINT_BODIES]!),
      bodyB: body(words[at + JOINT_BODIES + 1]!),
      impulse: floats[at + 4]!,
    } as JointEvent<Body>;
  }
  const ids = {
    type,
    bodyA: resolve(words[at + CONTACT_RECORD.IDS]!),
    bodyB: resolve(words[at + CONTACT_RECORD.IDS + 1]!),
    shapeA: words[at + CONTACT_RECORD.IDS + 2]!,
    shapeB: words[at + CONTACT_RECORD.IDS + 3]!,
  };
  if (code === EVENT_CONTACT_END) return ids as ContactEndEvent<Body>;
  const points: ContactPoint[] = [];
  let p = at + CONTACT_RECORD.POINTS;
  for (let i = 0; i < words[at + CONTACT_RECORD.POINT_COUNT]!; i++, p += CONTACT_RECORD.POINT_WORDS)
    points.push({
      position: [floats[p]!, floats[p + 1]!, floats[p + 2]!],
      separation: floats[p + 3]!,
      impulse: floats[p + CONTACT_RECORD.IMPULSE]!,
    });
  const n = at + CONTACT_RECORD.NORMAL;
  return { ...ids, normal: [floats[n]!, floats[n + 1]!, floats[n + 2]!], points } as ContactEvent<Body>;
}

/**
 * The records in `words[from … end − 1]` as objects, in their order: begins and stays in the order of the
 * solver, which is the same on every machine.
 *
 * @param code  only events of this code; 0 for all
 */
export function* decodeEvents<Body>(
  words: Int32Array,
  floats: Float32Array,
  from: number,
  end: number,
  resolve: (id: BodyId) => Body,
  code = 0,
): Generator<PhysicsEvent<Body>> {
  for (let at = from; at < end; at += eventWords(words, at))
    if (code === 0 || eventCode(words, at) === code) yield decodeEvent(words, floats, at, resolve);
}

/** Event words of one call of step or stepSimulation, which may have made several steps. */
export class EventLog {
  words = new Int32Array(256);
  floats = new Float32Array(this.words.buffer);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  append(source: Int32Array, from: number, count: number): void {
    const needed = this.length + count;
    if (needed > this.words.length) {
      let capacity = this.words.length;
      while (capacity < needed) capacity *= 2;
      const words = new Int32Array(capacity);
      words.set(this.words.subarray(0, this.length));
      this.words = words;
      this.floats = new Float32Array(words.buffer);
    }
    for (let i = 0; i < count; i++) this.words[this.length + i] = source[from + i]!;
    this.length = needed;
  }
}
