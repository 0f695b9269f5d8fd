// The buffer that queries answer into: world().queryOutput, which grows and so never loses a result.
import { grownCapacity, reallocate, world } from '../memory/tables';

/** Makes room for `words`; what was written so far stays. */
export function reserveOutput(words: i32): void {
  const g = world();
  if (words <= g.queryCapacity) return;
  const capacity = grownCapacity(g.queryCapacity, words);
  g.queryOutput = reallocate(g.queryOutput, (<usize>g.queryCapacity) << 2, (<usize>capacity) << 2);
  g.queryCapacity = capacity;
}
