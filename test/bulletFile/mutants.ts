// Damaged files. In: bytes, a seed. Out: the same file with some of it changed: bits, words, counts, pointers, pieces cut or doubled.
import { random } from '../physics/support/vector';

const WORDS = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 0x7f800000, 0x7fc00000, 0x0000ffff, 65536, 1e9];

export function mutate(bytes: Uint8Array, seed: number): Uint8Array {
  const chance = random(seed);
  const below = (count: number) => Math.floor(chance() * count);
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  // Most of the harm goes where it is felt: heads of chunks, and structs rather than the arrays of points.
  const heads: number[] = [];
  const little = out[8] === 'v'.charCodeAt(0);
  const head = out[7] === '-'.charCodeAt(0) ? 24 : 20;
  for (let at = 12; at + head < out.length; ) {
    heads.push(at);
    at += head + Math.max(0, view.getInt32(at + 4, little));
  }
  for (let i = 1 + below(4); i > 0; i--) {
    const at = below(3) === 0 ? below(out.length - 4) : heads[below(heads.length)]! + 4 * below(60);
    if (at + 4 > out.length) continue;
    switch (below(6)) {
      case 0:
        out[at] = out[at]! ^ (1 << below(8));
        break;
      case 1:
        out[at] = below(256);
        break;
      case 2:
        view.setInt32(at, WORDS[below(WORDS.length)]!, little);
        break;
      case 3:
        // Another pointer or count of the file.
        view.setInt32(at, view.getInt32(heads[below(heads.length)]! + 8, little), little);
        break;
      case 4:
        view.setInt32(at, view.getInt32(at, little) + below(9) - 4, little);
        break;
      default: {
        const from = below(out.length);
        out.copyWithin(at, from, from + below(64));
      }
    }
  }
  if (below(12) === 0) return out.slice(0, below(out.length));
  if (below(12) === 0) {
    const at = below(out.length);
    const longer = new Uint8Array(out.length + 4 * below(32));
    longer.set(out.subarray(0, at));
    longer.set(out.subarray(at), longer.length - out.length + at);
    return longer;
  }
  return out;
}
