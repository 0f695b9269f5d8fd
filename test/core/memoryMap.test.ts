// The memory map (src/core/memory/map.ts): regions ascend, addresses are written nowhere else, and no two buffers of
// functions overlap.
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { CORE_FEATURES, CORE_MEMORY, compileScript } from '../../scripts/asc.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { MEMORY_MAP } from '../../scripts/memory-map.mjs';
import * as map from '../../src/core/memory/map';
import { CONTROL, CONTROL_END } from '../../src/core/threads/control';
import { World as WorldRecord } from '../../src/wasm/core-layout';
import { read, sourcesBelow } from '../sources';

const BUFFER = /^(?:export )?const (\w+): usize = memory\.data\((.*), (\d+)\);/gm;

const files = sourcesBelow('src/core').filter((file) => file !== 'src/core/memory/map.ts');

test('regions at fixed addresses ascend, and each has room', () => {
  expect(MEMORY_MAP).toEqual({ ...map });
  const addresses = Object.values(map);
  expect(addresses).toEqual([...addresses].sort((a, b) => a - b));
  expect(map.WORLD_ADDRESS + WorldRecord.SIZE).toBeLessThanOrEqual(map.FREE_LIST_ADDRESS);
  expect(map.FREE_LIST_ADDRESS + 4).toBeLessThanOrEqual(map.INSPECTOR_STATIC);
  expect(CONTROL).toBe(map.CORE_STATIC);
  expect(CONTROL_END).toBeLessThanOrEqual(map.THREADED_STATIC);
});

test('no other file has an address: static memory is reached by names of buffers', () => {
  for (const file of files) {
    const text = read(file).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const all = text.split('memory.data(').length - 1;
    expect([...text.matchAll(BUFFER)].length, `${file}: buffers are constants`).toBe(all);
    expect(text, file).not.toMatch(/changetype<\w+>\([1-9]|\b(?:load|store)<\w+>\(\d/);
  }
});

test('no two buffers overlap, and each is aligned', async () => {
  const replaced: Record<string, string> = {
    'src/core/threads/mode.ts': 'export const THREADED: bool = false;',
  };
  const calls: string[] = [];
  const names: string[] = [];
  for (const file of files) {
    const text = read(file);
    const buffers = [...text.matchAll(BUFFER)];
    if (buffers.length === 0) continue;
    // Each file reports the addresses and sizes of its buffers.
    const reports = buffers.map(([, name, bytes, alignment]) => {
      names.push(`${file}: ${name}`);
      return `  reportBuffer(${names.length - 1}, ${name}, ${bytes}, ${alignment});\n`;
    });
    const declared =
      '/** @external test report */\ndeclare function reportBuffer(number: i32, at: usize, bytes: i32, alignment: i32): void;\n';
    replaced[file] = `${text}\n${declared}export function reportBuffers(): void {\n${reports.join('')}}\n`;
    calls.push(file);
  }
  expect(names.length).toBeGreaterThan(150);
  const entry = 'src/core/memoryMapEntry.ts';
  const imports = calls.map(
    (file, i) =>
      `import { reportBuffers as of${i} } from './${file.slice('src/core/'.length, -'.ts'.length)}';\n`,
  );
  replaced[entry] =
    `${imports.join('')}export function report(): void {\n${calls.map((_, i) => `  of${i}();\n`).join('')}}\n` +
    'export function end(): usize {\n  return __heap_base;\n}\n';
  const { wasm } = await compileScript(entry, [...CORE_FEATURES, ...CORE_MEMORY], { replaced });
  const regions: { name: string; at: number; bytes: number }[] = [];
  const report = (number: number, at: number, bytes: number, alignment: number) => {
    const name = names[number]!;
    expect(bytes, name).toBeGreaterThan(0);
    expect(at % alignment, name).toBe(0);
    regions.push({ name, at, bytes });
  };
  const module = new WebAssembly.Module(wasm);
  const given: Record<string, Record<string, WebAssembly.ImportValue>> = {
    env: { memory: new WebAssembly.Memory({ initial: 16 }) },
    test: { report },
  };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    if (kind === 'function') (given[from] ??= {})[name] ??= () => 0;
  const { exports } = new WebAssembly.Instance(module, given);
  (exports['report'] as () => void)();
  expect(regions).toHaveLength(names.length);
  regions.sort((a, b) => a.at - b.at);
  expect(regions[0]!.at).toBeGreaterThanOrEqual(map.CORE_STATIC);
  for (const [i, { name, at, bytes }] of regions.entries()) {
    const next = regions[i + 1] ?? { name: 'the heap', at: (exports['end'] as () => number)() };
    expect(at + bytes, `${name} and ${next.name}`).toBeLessThanOrEqual(next.at);
  }
}, 120_000);
