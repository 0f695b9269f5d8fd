// Six words that show where two states first differ. In: bodies. Out: World.queryOutput: for position, rotation, linear
// and angular velocity the sum over all bodies of a hash; then the sum of the hashes of whole bodies, plain and
// multiplied by the slot. If one body differs, the last two differ by d and slot·d.

import { BODY_USED } from '../memory/constants';
import { bodyAt, setWord, velocityAt, world } from '../memory/tables';
import { reserveOutput } from '../queries/output';

export function stateDigest(): void {
  reserveOutput(6);
  const g = world();
  let position: u32 = 0;
  let rotation: u32 = 0;
  let linear: u32 = 0;
  let angular: u32 = 0;
  let sum: u32 = 0;
  let placed: u32 = 0;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    const v = velocityAt(slot);
    const p = mixed(slot, b.position);
    const q = mixed(slot, b.rotation);
    const l = mixed(slot, v.linear);
    const a = mixed(slot, v.angular);
    position += p;
    rotation += q;
    linear += l;
    angular += a;
    const whole = p + 3 * q + 5 * l + 7 * a;
    sum += whole;
    placed += <u32>slot * whole;
  }
  const out = g.queryOutput;
  setWord(out, 0, position);
  setWord(out, 1, rotation);
  setWord(out, 2, linear);
  setWord(out, 3, angular);
  setWord(out, 4, sum);
  setWord(out, 5, placed);
}

/** Hashes four words to one; multipliers as in hash.ts, 32 bits of them. */
function mixed(slot: i32, v: v128): u32 {
  let h = step(<u32>slot * 0x9e3779b1, i32x4.extract_lane(v, 0));
  h = step(h, i32x4.extract_lane(v, 1));
  h = step(h, i32x4.extract_lane(v, 2));
  return step(h, i32x4.extract_lane(v, 3));
}

/** @inline */
function step(h: u32, word: i32): u32 {
  const m = (h ^ <u32>word) * 0x85ebca6b;
  return m ^ (m >> 15);
}
