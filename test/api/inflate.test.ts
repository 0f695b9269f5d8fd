// The decoder that the inlined core goes through, against zlib: every kind of block, every strategy.
import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inflate } from '../../src/inflate';

const STRATEGIES = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FILTERED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
  constants.Z_FIXED,
];

test('gives back what zlib compressed, at every level and with every strategy', () => {
  // Words from a small alphabet and copies of what came before: literals, matches near and far.
  const content = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3000 }).map((list) => Uint8Array.from(list)),
      fc.nat(40_000).map((length) => new Uint8Array(length).fill(length & 255)),
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(content, fc.nat(9), fc.constantFrom(...STRATEGIES), (parts, level, strategy) => {
      const bytes = Buffer.concat(parts);
      const out = inflate(deflateRawSync(bytes, { level, strategy }), bytes.length);
      expect(Buffer.compare(out, bytes)).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test('a megabyte of numbers, in many blocks', () => {
  const bytes = Buffer.alloc(1 << 20);
  for (let i = 0, x = 1; i < bytes.length; i++) {
    x = Math.imul(x, 1664525) + 1013904223;
    bytes[i] = (x >>> 24) & (i >> 14);
  }
  expect(Buffer.compare(inflate(deflateRawSync(bytes), bytes.length), bytes)).toBe(0);
});
