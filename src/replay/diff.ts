// The first difference of two recordings. In: two recordings. Out: the first frame, body and field that differ, or how
// the initial states differ. Both are replayed side by side.
import type { World } from 'ricochet';
import { firstDifference, Player } from './player';
import type { Recording } from './read';

/** The first difference between two recordings. */
export interface Difference {
  /** Steps made. 0: where they begin. */
  frame: number;
  /** The first body that differs; absent if the difference belongs to no body. */
  body?: number;
  /** The field of the body, or of the world, that differs. */
  field?: string;
  /** Its value in the first recording. */
  a: unknown;
  /** Its value in the second recording. */
  b: unknown;
}

/** Compares two recordings. null: the same from the first frame to the last. */
export function diffRecordings(a: Recording, b: Recording): Difference | null {
  const [first, second] = [new Player(a), new Player(b)];
  try {
    for (;;) {
      const difference = compare(first.world, second.world);
      if (difference !== null) return { frame: first.frame, ...difference };
      const [more, others] = [first.step(), second.step()];
      if (more !== others)
        return { frame: Math.min(a.frames, b.frames), field: 'length', a: a.frames, b: b.frames };
      if (!more) return null;
    }
  } finally {
    first.dispose();
    second.dispose();
  }
}

function compare(a: World, b: World): Omit<Difference, 'frame'> | null {
  const [own, others] = [a.stateHash(), b.stateHash()];
  if (own === others) return null;
  return firstDifference(a, b) ?? { a: own, b: others };
}
