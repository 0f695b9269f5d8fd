// Lists touching pairs on request. In: a body's slot, or 0 for all. Out: contact records, as in the event buffer, in
// World.queryOutput, in the order of the solver's colours or of the body's pairs.

import { COLOR_COUNT, EVENT_CONTACT_STAY, PAIR_CHILD, PAIR_TOUCHING } from '../memory/constants';
import { Pair } from '../memory/records';
import { blockHandle, bodyAt, colorAt, pairAt, setWord, wordAt, world } from '../memory/tables';
import { reserveOutput } from '../queries/output';
import { pairOfLane } from '../solver/lanes';
import { contactPoints, Place, writeContact } from './record';

export function collectContacts(bodySlot: i32): i32 {
  const g = world();
  let words = 0;
  if (bodySlot != 0) {
    let link = bodyAt(bodySlot).firstPair;
    while (link >= 0) {
      const pair = pairAt(link >> 1);
      link = link & 1 ? pair.nextB : pair.nextA;
      if (!(pair.flags & PAIR_TOUCHING)) continue;
      words = write(words, pair);
    }
    return words;
  }
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      for (let lane = 0; lane < 4; lane++) {
        const index = pairOfLane(blockHandle(c, i), lane);
        if (index >= 0 && !(pairAt(index).flags & PAIR_CHILD)) words = write(words, pairAt(index));
      }
    }
  }
  // The lanes of child pairs are in the colours, too.
  for (let i = 0; i < g.concaveCount; i++) words = write(words, pairAt(wordAt(g.concaves, i)));
  for (let i = 0; i < g.sensorCount; i++) words = write(words, pairAt(wordAt(g.sensors, i)));
  return words;
}

/**
 * Separations are current, not those at the start of the last step. Sleeping contacts have no points: their manifold is
 * parked.
 */
function write(words: i32, pair: Pair): i32 {
  const points = contactPoints(pair);
  const size = 9 + 5 * points;
  reserveOutput(words + size);
  const table = world().queryOutput;
  setWord(table, words, EVENT_CONTACT_STAY | (size << 8));
  writeContact(new Place(table, words + 1), pair, points, true);
  return words + size;
}
