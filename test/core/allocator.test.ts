// The heap of tables against a model: regions never overlap, start zeroed, keep their content when they
// move or grow, and come back whole when everything is released.
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../demo/scenes/random';
// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../scripts/compile-core-entry.mjs';

interface Core {
  begin(): number;
  allocate(bytes: number): number;
  reallocate(address: number, oldBytes: number, newBytes: number): number;
  release(address: number, bytes: number): void;
  heapTop(): number;
  freeRegions(to: number): number;
}

interface Region {
  at: number;
  bytes: number;
  mark: number;
}

const memory = new WebAssembly.Memory({ initial: 16 });
let core: Core;
let start = 0;

beforeAll(async () => {
  const module = new WebAssembly.Module(await compileCoreEntry('test/core/allocatorEntry.ts'));
  core = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } }).exports as unknown as Core;
}, 120_000);

const bytesAt = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);

describe('the heap of tables', () => {
  test('10,000 random requests: no overlap, zeroed, content kept, nothing lost (seed 5)', () => {
    start = core.begin();
    const random = createRandom(5);
    const size = () => Math.floor(1 + 3000 * random() ** 3) * (random() < 0.05 ? 40 : 1);
    const regions: Region[] = [];
    let largest = 0;
    for (let i = 0; i < 10_000; i++) {
      const kind = random();
      if (regions.length === 0 || (kind < 0.4 && regions.length < 60)) {
        const bytes = size();
        const at = core.allocate(bytes);
        expect(bytesAt(at, bytes).every((b) => b === 0)).toBe(true);
        const mark = 1 + (i % 255);
        bytesAt(at, bytes).fill(mark);
        regions.push({ at, bytes, mark });
      } else {
        const r = regions[Math.floor(random() * regions.length)];
        if (kind < 0.7) {
          core.release(r.at, r.bytes);
          regions.splice(regions.indexOf(r), 1);
        } else {
          const bytes = r.bytes + size();
          r.at = core.reallocate(r.at, r.bytes, bytes);
          expect(bytesAt(r.at, r.bytes).every((b) => b === r.mark)).toBe(true);
          const fresh = bytesAt(r.at + r.bytes, bytes - r.bytes);
          // What lay between the old end and its 64 bytes was inside the region and never written.
          expect(fresh.every((b) => b === 0)).toBe(true);
          fresh.fill(r.mark);
          r.bytes = bytes;
          if (r.bytes > 300_000) {
            core.release(r.at, r.bytes);
            regions.splice(regions.indexOf(r), 1);
          }
        }
      }
      largest = Math.max(largest, core.heapTop());
      if (i % 50 === 0) checkLayout(regions);
    }
    checkLayout(regions);
    for (const r of regions) core.release(r.at, r.bytes);
    expect(core.heapTop()).toBe(start);
    expect(core.freeRegions(0)).toBe(0);
    expect(largest).toBeGreaterThan(start);
  });

  test('a table that grows by half each time wastes no more than itself', () => {
    start = core.begin();
    let bytes = 1024;
    let at = core.allocate(bytes);
    let other = core.allocate(64);
    let otherBytes = 64;
    for (let i = 0; i < 20; i++) {
      const more = Math.ceil(bytes * 1.5);
      at = core.reallocate(at, bytes, more);
      bytes = more;
      other = core.reallocate(other, otherBytes, otherBytes * 2 > 1e5 ? otherBytes : otherBytes * 2);
      otherBytes = otherBytes * 2 > 1e5 ? otherBytes : otherBytes * 2;
    }
    expect(core.heapTop() - start).toBeLessThan(2.5 * (bytes + otherBytes));
  });
});

function checkLayout(regions: Region[]): void {
  const rounded = (bytes: number) => Math.ceil(bytes / 64) * 64;
  const sorted = regions.map((r) => ({ from: r.at, to: r.at + rounded(r.bytes) }));
  for (const r of regions) {
    expect(r.at % 64).toBe(0);
    expect(bytesAt(r.at, r.bytes).every((b) => b === r.mark)).toBe(true);
  }
  // Free regions and used ones tile the heap without a gap or an overlap.
  const top = core.heapTop();
  const list = top + 65536;
  if (memory.buffer.byteLength < list + 65536)
    memory.grow(Math.ceil((list + 65536 - memory.buffer.byteLength) / 65536));
  const count = core.freeRegions(list);
  const words = new Uint32Array(memory.buffer, list, 2 * count).slice();
  for (let i = 0; i < count; i++) sorted.push({ from: words[2 * i], to: words[2 * i] + words[2 * i + 1] });
  sorted.sort((a, b) => a.from - b.from);
  let at = start;
  for (const { from, to } of sorted) {
    expect(from).toBe(at);
    at = to;
  }
  expect(at).toBe(top);
}
