// The way of the inlined core into a page: what the build packs, the unpacker gives back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { pack } from '../../scripts/pack.mjs';
import { CORE_WASM, CORE_WASM_BYTES, UNPACKER } from '../../src/wasm/core-wasm';
import { unpack } from '../../src/wasm/unpack';

test('gives back what was packed, well or quickly', () => {
  // Noise, text of few letters, and copies from before, near and far: every kind of step.
  const content = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 600 }).map((list) => Uint8Array.from(list)),
      fc.nat(2000).map((length) => new Uint8Array(length).fill(length & 255)),
      fc.nat(3000).map((back) => -back - 1),
    ),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(content, fc.boolean(), (parts, quick) => {
      const list: number[] = [];
      for (const part of parts)
        list.push(...(typeof part === 'number' ? list.slice(part, Math.ceil(part / 2)) : part));
      const bytes = Uint8Array.from(list);
      const text = pack(bytes, { quick }) as string;
      expect(text).toMatch(/^[0-9:-q]*$/);
      expect(text).not.toMatch(/['`\\]/);
      expect(Buffer.compare(unpack(UNPACKER, text, bytes.length), bytes)).toBe(0);
    }),
    { numRuns: 100 },
  );
});

test('far copies', () => {
  const bytes = new Uint8Array(1 << 17);
  for (let i = 0, x = 1; i < bytes.length; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
    bytes[i] = i < 1 << 14 || i % 5000 < 40 ? x >>> 24 : bytes[i - (1 << 14) + (i >> 13)]!;
  }
  const text = pack(bytes, {}) as string;
  expect(text.length).toBeLessThan(bytes.length / 4);
  expect(Buffer.compare(unpack(UNPACKER, text, bytes.length), bytes)).toBe(0);
});

test('the core is a WebAssembly module', () => {
  expect(WebAssembly.validate(unpack(UNPACKER, CORE_WASM, CORE_WASM_BYTES))).toBe(true);
});
