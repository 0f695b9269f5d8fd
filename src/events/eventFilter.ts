// Event filters. In: event records, a filter. Out: whether the filter accepts a record.

import type { BodyId } from '../base/ids';
import { checkNumber, checkOptions } from '../base/validate';
import {
  EVENT_CONTACT_BEGIN,
  EVENT_CONTACT_STAY,
  EVENT_JOINT_BROKEN,
  EVENT_JOINT_REMOVED,
  EVENT_SLEEP,
  EVENT_WAKE,
} from '../core/memory/constants';
import type { EventType } from '../types';
import {
  CONTACT_RECORD,
  decodeEvent,
  eventCode,
  eventWords,
  JOINT_BODIES,
  type PhysicsEvent,
} from './events';
import { checkEventType, EVENT_CODES } from './eventTypes';

/** Which events a listener or stream wants; all conditions must hold. */
export interface EventFilter<Body = unknown> {
  /** Only events of this body. */
  body?: Body | BodyId;
  /** N·s. Only contacts with at least this total impulse in the step; for contactBegin and contactStay. Default 0. */
  minImpulse?: number;
}

/** A filter that was checked. */
export interface Wanted {
  /** 0: any. */
  body: BodyId;
  minImpulse: number;
}

/** N·s */
const IMPULSE = { min: 0, max: 1e15 };

export function checkEventFilter<Body>(
  filter: EventFilter<Body>,
  idOf: (body: Body | BodyId, argument: string) => BodyId,
): Wanted {
  const { body, minImpulse } = checkOptions(filter, 'filter', ['body', 'minImpulse']) as EventFilter<Body>;
  return {
    body: body === undefined ? 0 : idOf(body, 'filter.body'),
    minImpulse: minImpulse === undefined ? 0 : checkNumber(minImpulse, 'filter.minImpulse', IMPULSE),
  };
}

export function concerns(words: Int32Array, at: number, body: BodyId): boolean {
  const code = eventCode(words, at);
  const ofJoint = code === EVENT_JOINT_BROKEN || code === EVENT_JOINT_REMOVED;
  const first = at + (ofJoint ? JOINT_BODIES : CONTACT_RECORD.IDS);
  if (words[first] === body) return true;
  return code !== EVENT_SLEEP && code !== EVENT_WAKE && words[first + 1] === body;
}

/** N·s of all points; infinite where there are none to be had. */
export function impulseOf(words: Int32Array, floats: Float32Array, at: number): number {
  const code = eventCode(words, at);
  if (code !== EVENT_CONTACT_BEGIN && code !== EVENT_CONTACT_STAY) return Number.POSITIVE_INFINITY;
  let sum = 0;
  const count = words[at + CONTACT_RECORD.POINT_COUNT] as number;
  let point = at + CONTACT_RECORD.POINTS;
  for (let i = 0; i < count; i++, point += CONTACT_RECORD.POINT_WORDS)
    sum += floats[point + CONTACT_RECORD.IMPULSE] as number;
  return sum;
}

/** The records that are wanted, of one type or of all, as objects. */
export function* wantedEvents<Body>(
  { words, floats, length }: { words: Int32Array; floats: Float32Array; length: number },
  type: EventType | undefined,
  { body, minImpulse }: Wanted,
  resolve: (id: BodyId) => Body,
): Generator<PhysicsEvent<Body>> {
  const code = type === undefined ? 0 : EVENT_CODES[checkEventType(type)];
  for (let at = 0; at < length; at += eventWords(words, at)) {
    if (code !== 0 && eventCode(words, at) !== code) continue;
    if (body !== 0 && !concerns(words, at, body)) continue;
    if (minImpulse > 0 && !(impulseOf(words, floats, at) >= minImpulse)) continue;
    yield decodeEvent(words, floats, at, resolve);
  }
}
