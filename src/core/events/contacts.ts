// Touching pairs on request. In: a body's slot, or 0 for all. Out: contact records, as in the event
// buffer, in World.queryOutput, in the order of the solver's colours or of the body's pairs.

import { separateLanes } from '../contacts/recycle';
import { COLOR_COUNT, EVENT_CONTACT_STAY, LIST_SOLVED, PAIR_CHILD, PAIR_TOUCHING } from '../memory/constants';
import { Pair } from '../memory/records';
import { blockHandle, bodyAt, colorAt, pairAt, setWord, wordAt, world } from '../memory/tables';
import { reserveOutput } from '../queries/output';
import { pairOfLane } from '../solver/lanes';
import { contactPoints, writeContact } from './record';

export function collectContacts(bodySlot: i32): i32 {
  const g = world();
  let words = 0;
  if (bodySlot != 0) {
    let link = bodyAt(bodySlot).firstPair;
    while (link >= 0) {
      const pair = pairAt(link >> 1);
      link = link & 1 ? pair.nextB : pair.nextA;
      if (!(pair.flags & PAIR_TOUCHING)) continue;
      separate(pair);
      for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) separate(pairAt(child));
      words = write(words, pair);
    }
    return words;
  }
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      separateAll(blockHandle(c, i));
      for (let lane = 0; lane < 4; lane++) {
        const index = pairOfLane(blockHandle(c, i), lane);
        if (index >= 0 && !(pairAt(index).flags & PAIR_CHILD)) words = write(words, pairAt(index));
      }
    }
  }
  // Children have their lanes in colours, too.
  for (let i = 0; i < g.concaveCount; i++) words = write(words, pairAt(wordAt(g.concaves, i)));
  for (let i = 0; i < g.sensorCount; i++) words = write(words, pairAt(wordAt(g.sensors, i)));
  return words;
}

/** Distances are those of now, not of the start of the last step. */
function separateAll(block: i32): void {
  separateLanes(block, i32x4.splat(-1), i32x4.splat(-1));
}

function separate(pair: Pair): void {
  if (pair.list == LIST_SOLVED) separateAll(pair.index >> 2);
}

/** Sleeping contacts report their pair without points: their manifold is parked. */
function write(words: i32, pair: Pair): i32 {
  const points = contactPoints(pair);
  const size = 9 + 5 * points;
  reserveOutput(words + size);
  const table = world().queryOutput;
  setWord(table, words, EVENT_CONTACT_STAY | (size << 8));
  writeContact(table, words + 1, pair, points);
  return words + size;
}
