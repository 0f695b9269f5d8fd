// Names, codes and masks of events. A separate file from events.ts because options also name them.

import { checkOneOf, readList } from '../base/validate';
import {
  EVENT_CONTACT_BEGIN,
  EVENT_CONTACT_END,
  EVENT_CONTACT_STAY,
  EVENT_JOINT_BROKEN,
  EVENT_JOINT_REMOVED,
  EVENT_SLEEP,
  EVENT_WAKE,
} from '../core/memory/constants';
import type { EventType } from '../types';

export const EVENT_CODES: Readonly<Record<EventType, number>> = {
  contactBegin: EVENT_CONTACT_BEGIN,
  contactStay: EVENT_CONTACT_STAY,
  contactEnd: EVENT_CONTACT_END,
  sleep: EVENT_SLEEP,
  wake: EVENT_WAKE,
  jointBroken: EVENT_JOINT_BROKEN,
  jointRemoved: EVENT_JOINT_REMOVED,
};

export const EVENT_TYPES = Object.keys(EVENT_CODES) as EventType[];

/** Names by code. */
export const EVENT_NAMES: readonly (EventType | undefined)[] = (() => {
  const names: (EventType | undefined)[] = [];
  for (const name of EVENT_TYPES) names[EVENT_CODES[name]] = name;
  return names;
})();

export function checkEventType(type: unknown, argument = 'type'): EventType {
  return checkOneOf(type, argument, EVENT_TYPES);
}

/** Bit n stands for events of code n. */
export function eventMask(events: unknown, argument: string): number {
  if (events === true) return EVENT_TYPES.reduce((mask, type) => mask | (1 << EVENT_CODES[type]), 0);
  if (events === false) return 0;
  return readList(events, argument, 'must be true, false or a list of event types').reduce<number>(
    (mask, type, index) => mask | (1 << EVENT_CODES[checkEventType(type, `${argument}[${index}]`)]),
    0,
  );
}
