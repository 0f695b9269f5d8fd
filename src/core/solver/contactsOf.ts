// The contacts of each body, in scratch memory. In: contact blocks. Out: for a body the manifolds in which it takes part,
// valid until the last substep. Bodies also have a list of their pairs, but four in five have no contact, and each link leads
// to another cache line: to walk it for every body that tumbles took 8 % of the step of a stirred heap.

import { COLOR_COUNT } from '../memory/constants';
import { ContactBlock } from '../memory/records';
import { blockHandle, blockOf, colorAt, world } from '../memory/tables';
import { laneWord } from './lanes';
import { lists } from './lists';

/** Bytes of scratch memory for so many bodies and blocks. */
export function contactsOfBytes(bodies: i32, blocks: i32): usize {
  return ((<usize>bodies) << 2) + 4 + ((<usize>blocks) << 5);
}

/** Address of the first entry of a body that impulses can move: a word, see manifoldOf and sideOf. */
export function firstContactOf(slot: i32): usize {
  const l = lists();
  if (!l.arranged) arrange();
  return l.contacts + ((<usize>load<u32>(l.firstContacts + ((<usize>slot) << 2))) << 2);
}

/** The end of its entries; after firstContactOf. @inline */
export function endOfContacts(slot: i32): usize {
  const l = lists();
  return l.contacts + ((<usize>load<u32>(l.firstContacts + ((<usize>slot) << 2), 4)) << 2);
}

/** Handle of the block × 4 + lane. @inline */
export function manifoldOf(entry: usize): i32 {
  return load<i32>(entry) >> 1;
}

/** 1 if the body is the second one of the manifold. @inline */
export function sideOf(entry: usize): i32 {
  return load<i32>(entry) & 1;
}

/** A counting sort by bodies: counts, then the ends of their entries, then entries from the last to the first. */
function arrange(): void {
  const g = world();
  const l = lists();
  l.arranged = 1;
  const first = l.firstContacts;
  memory.fill(first, 0, (<usize>g.bodyEnd + 1) << 2);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      const bodies = changetype<usize>(blockOf(color, i)) + BODIES;
      for (let k = 0; k < 8; k++) {
        const at = first + ((<usize>laneWord(bodies, k)) << 2);
        store<i32>(at, load<i32>(at) + 1);
      }
    }
  }
  store<i32>(first, 0); // of bodies that cannot move, and of empty lanes
  let end = 0;
  for (let slot = 0; slot <= g.bodyEnd; slot++) {
    const at = first + ((<usize>slot) << 2);
    end += load<i32>(at);
    store<i32>(at, end);
  }
  for (let c = COLOR_COUNT - 1; c >= 0; c--) {
    const color = colorAt(c);
    for (let i = color.count - 1; i >= 0; i--) {
      const bodies = changetype<usize>(blockOf(color, i)) + BODIES;
      for (let k = 7; k >= 0; k--) {
        const slot = laneWord(bodies, k);
        if (slot == 0) continue;
        const at = first + ((<usize>slot) << 2);
        const place = load<i32>(at) - 1;
        store<i32>(at, place);
        const manifold = (blockHandle(c, i) << 2) + (k & 3);
        store<i32>(l.contacts + ((<usize>place) << 2), (manifold << 1) | (k >> 2));
      }
    }
  }
}

/** Of the slots of four bodies A and four bodies B. */
const BODIES: usize = offsetof<ContactBlock>('bodyA');
