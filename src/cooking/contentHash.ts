// The hash that identifies cooked content: words 4 and 5 of every geometry, over all words with these two as 0.
import { checksum } from '../base/checksum';

export const HASH_AT = 4;

/** Writes the hash of content whose two words are still 0. */
export function sealContent(words: Int32Array): Int32Array {
  checksum(words, 0, words.length, words, HASH_AT);
  return words;
}

/** Whether content from outside is what its hash says. The words are as they were afterwards. */
export function isSealed(words: Int32Array): boolean {
  const [low, high] = [words[HASH_AT]!, words[HASH_AT + 1]!];
  const hash = new Int32Array(2);
  words[HASH_AT] = words[HASH_AT + 1] = 0;
  checksum(words, 0, words.length, hash, 0);
  words[HASH_AT] = low;
  words[HASH_AT + 1] = high;
  return hash[0] === low && hash[1] === high;
}
