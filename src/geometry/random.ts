// Numbers for algorithms that shuffle. In: a seed. Out: the same numbers everywhere (Marsaglia, Xorshift RNGs, 2003).

/** A generator of whole numbers from 0 to below `end`. */
export type Dice = (end: number) => number;

export function createDice(seed: number): Dice {
  let state = seed | 0 || 0x9e3779b9 | 0; // 0 would stay 0
  return (end) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % end;
  };
}

/** 0 … count − 1 in an order of chance (Fisher and Yates). */
export function shuffled(count: number, dice: Dice): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let i = count - 1; i > 0; i--) {
    const j = dice(i + 1);
    const kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  return order;
}
