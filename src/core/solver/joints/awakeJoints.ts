// The joints of awake bodies. In: the awake list, the lists of joints of its bodies. Out: joint slots, in their order. A
// step looks at few others: a world may be full of ragdolls and bridges that sleep.
import { bodyAt, setWord, wordAt, world } from '../../memory/tables';
import { nextLink } from './links';

/** Address of the list that listAwakeJoints writes; the same memory as the stack of the search in batches.ts. */
export function awakeJoints(): u32 {
  const g = world();
  return g.jointOrder + ((<u32>g.jointCapacity) << 2);
}

/** With at most so many joints per awake body, a look at every joint is faster than at the lists of the bodies. */
const FEW_JOINTS: i32 = 4;

/** Lists slots in ascending order, among them those of all joints with an awake body; returns their number. */
export function listAwakeJoints(): i32 {
  const g = world();
  const list = awakeJoints();
  if (g.jointEnd <= FEW_JOINTS * g.awakeCount) {
    for (let slot = 1; slot < g.jointEnd; slot++) setWord(list, slot - 1, slot);
    return g.jointEnd - 1;
  }
  // A bit per slot, at the end of the same memory: a word is read before the list, of at most 32 slots per word, reaches it.
  const words = (g.jointCapacity + 31) >> 5;
  const bits = list + ((<u32>(g.jointCapacity - words)) << 2);
  memory.fill(<usize>bits, 0, (<usize>words) << 2);
  for (let i = 0; i < g.awakeCount; i++)
    for (let link = bodyAt(wordAt(g.awake, i)).firstJoint; link != 0; link = nextLink(link)) {
      const slot = link >> 1;
      setWord(bits, slot >> 5, wordAt(bits, slot >> 5) | (1 << (slot & 31)));
    }
  let count = 0;
  for (let k = 0; k < words; k++)
    for (let left = wordAt(bits, k); left != 0; left &= left - 1)
      setWord(list, count++, (k << 5) + ctz(left));
  return count;
}
