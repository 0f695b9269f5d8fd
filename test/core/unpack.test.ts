// Modules travel as texts (scripts/core-text.mjs). What comes out is what was put in, and a damaged text is refused.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { textOf } from '../../scripts/core-text.mjs';
import { ACTORS_WASM } from '../../src/wasm/actors-wasm';
import { CORE_HASH } from '../../src/wasm/core-layout';
import { bytesOf } from '../../src/wasm/core-module';
import { CORE_WASM } from '../../src/wasm/core-wasm';
import { INSPECTOR_WASM } from '../../src/wasm/inspector-wasm';
import { THREADS_ACTORS, THREADS_INSPECTOR, THREADS_PLACES, THREADS_WASM } from '../../src/wasm/threads-wasm';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { root } from '../sources';

const test = ordinaryCoreOnly('it has no texts');

/** A fixed sequence of bytes without order (linear congruential generator). */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

test('the core comes out of its text byte for byte', () => {
  const bytes = bytesOf(CORE_WASM);
  expect(Buffer.compare(bytes, readFileSync(join(root, 'dist/core.wasm')))).toBe(0);
  expect(createHash('sha256').update(bytes).digest('hex').slice(0, 16)).toBe(CORE_HASH);
});

test('a host without TextEncoder makes the same of a text', () => {
  const bytes = bytesOf(INSPECTOR_WASM);
  vi.stubGlobal('TextEncoder', undefined);
  try {
    expect(typeof TextEncoder).toBe('undefined');
    expect(Buffer.compare(bytesOf(INSPECTOR_WASM), bytes)).toBe(0);
  } finally {
    vi.unstubAllGlobals();
  }
});

test.for([
  ['inspector', INSPECTOR_WASM],
  ['actors', ACTORS_WASM],
  ['core on several threads', THREADS_WASM],
  ['inspector on several threads', THREADS_INSPECTOR],
  ['actors on several threads', THREADS_ACTORS],
] as const)('%s: a module, and of it the same text is written again', ([, text]) => {
  const bytes = bytesOf(text);
  expect(WebAssembly.validate(bytes)).toBe(true);
  expect(textOf(bytes)).toBe(text);
});

test('bytes that are no module come out as they were put in', () => {
  const places = bytesOf(THREADS_PLACES);
  const few = [0, 1, 2, 3, 4, 200, 70000].map((length) => noise(length));
  const repeated = Uint8Array.from([...few[5]!, ...few[5]!, ...new Uint8Array(1000), ...few[5]!, 7, 7, 7, 7]);
  for (const bytes of [...few, repeated, places])
    expect(Buffer.compare(bytesOf(textOf(bytes)), bytes)).toBe(0);
});

/** The instructions with operands of each form, which a core need not have. */
const OPERANDS = [
  ...[0x02, 0x40, 0x03, 0x7f, 0x04, 0x80, 0x01, 0x05, 0x0b, 0x0b, 0x0b], // block, loop, if, else, three times end
  ...[0x0c, 0x00, 0x0d, 0x81, 0x01, 0x0e, 0x02, 0x00, 0x01, 0x00, 0x0f], // br, br_if, br_table, return
  ...[0x10, 0xff, 0x01, 0x11, 0x01, 0x00, 0x1b, 0x1c, 0x01, 0x7f], // call, call_indirect, select
  ...[0x20, 0x80, 0x02, 0x21, 0x01, 0x22, 0x02, 0x23, 0x00, 0x24, 0x00, 0x25, 0x00, 0x26, 0x00], // variables, tables
  ...[0x28, 0x02, 0x80, 0x08, 0x3e, 0x02, 0x0b, 0x3f, 0x00, 0x40, 0x00], // i32.load, i64.store32, memory.size, memory.grow
  ...[0x41, 0xff, 0x7e, 0x42, 0x80, 0x80, 0x80, 0x80, 0x78], // i32.const, i64.const
  ...[0x43, 0x0b, 0x0b, 0x0b, 0x0b, 0x44, 1, 2, 3, 4, 5, 6, 7, 0x0b], // f32.const, f64.const
  ...[0xfc, 0x00, 0xfc, 0x08, 0x01, 0x00, 0xfc, 0x09, 0x01, 0xfc, 0x0a, 0x00, 0x00, 0xfc, 0x0b, 0x00], // to memory.fill
  ...[0xfc, 0x0d, 0x01, 0xfc, 0x0e, 0x00, 0x00], // elem.drop, table.copy
  ...[0xfd, 0x00, 0x04, 0x0b, 0xfd, 0x0b, 0x04, 0x80, 0x01], // v128.load, v128.store
  ...[0xfd, 0x0c, ...noise(16), 0xfd, 0x0d, ...noise(16)], // v128.const, i8x16.shuffle
  ...[0xfd, 0x15, 0x0b, 0xfd, 0x22, 0x03, 0xfd, 0x54, 0x00, 0x0b, 0x0f, 0xfd, 0x5b, 0x03, 0x00, 0x01], // lanes
  ...[0xfd, 0x5c, 0x02, 0x0b, 0xfd, 0x5d, 0x03, 0x0b, 0xfd, 0xe4, 0x01, 0xfd, 0x80, 0x02], // v128.load32_zero, arithmetic
  ...[0xfe, 0x03, 0x00, 0xfe, 0x00, 0x02, 0x0b, 0xfe, 0x48, 0x02, 0x80, 0x01], // atomic.fence, notify, compare and exchange
];

const lengthBytes = (length: number) => [(length & 127) | 128, length >> 7];

test('code with operands of every form comes out as it was put in, with functions of one to three bytes of size', () => {
  const short = [0x01, 0x02, 0x7f, 0x0b];
  const middle = [0x00, ...OPERANDS, 0x0b];
  const long = [0x02, 0x01, 0x7b, 0x90, 0x01, 0x7d, ...new Array(110).fill(OPERANDS).flat(), 0x0b];
  const code = [3, short.length, ...short, ...lengthBytes(middle.length), ...middle];
  code.push((long.length & 127) | 128, ((long.length >> 7) & 127) | 128, long.length >> 14, ...long);
  const head = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x0b];
  const size = [(code.length & 127) | 128, ((code.length >> 7) & 127) | 128, code.length >> 14];
  const module = Uint8Array.from([...head, 0x0a, ...size, ...code, 0x00, 0x02, 0x01, 0x41]);
  expect(Buffer.compare(bytesOf(textOf(module)), module)).toBe(0);
});

/** The text with another character at one place. */
const damaged = (text: string, at: number, to = 'A') =>
  text.slice(0, at) + (text[at] === to ? 'B' : to) + text.slice(at + 1);

test('a text with one wrong character, or without its end, is no module', () => {
  const compile = (text: string) => new WebAssembly.Module(bytesOf(text));
  compile(INSPECTOR_WASM);
  for (let i = 1; i < 20; i++) {
    const at = Math.floor((INSPECTOR_WASM.length * i) / 20);
    expect(() => compile(damaged(INSPECTOR_WASM, at)), `character ${at}`).toThrow();
    expect(() => compile(INSPECTOR_WASM.slice(0, at)), `first ${at}`).toThrow();
  }
  expect(() => compile('')).toThrow();
});

test('a damaged core is refused by a typed error, wherever the damage is', async () => {
  const { length } = CORE_WASM;
  const texts = [0.001, 0.3, 0.6, 0.9].map((part) => damaged(CORE_WASM, Math.floor(part * length)));
  texts.push(...[0, 4, 8, 11, 12, 36].map((at) => damaged(CORE_WASM, at, 'o'))); // numbers of the head
  texts.push(
    '',
    CORE_WASM.slice(0, length / 2),
    CORE_WASM.replaceAll(CORE_WASM[length - 1000]!, '\u{1f4a5}'),
  );
  for (const text of texts) {
    vi.resetModules();
    vi.doMock('../../src/wasm/core-wasm', () => ({ CORE_WASM: text }));
    const { coreModule } = await import('../../src/wasm/core-module');
    expect(coreModule).toThrow(
      expect.objectContaining({
        code: 'unsupported-host',
        message: expect.stringContaining('the core could not'),
      }),
    );
  }
});
