// The inspector of states and the actors are modules of their own on a core's memory, and worlds in process and in
// workers use them.
import { expect } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { BESIDE_CORE, CORE_MEMORY } from '../../scripts/asc.mjs';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import { World } from '../../src/index';
import { ACTORS_WASM } from '../../src/wasm/actors-wasm';
import { World as WorldRecord } from '../../src/wasm/core-layout';
import { bytesOf } from '../../src/wasm/core-module';
import { INSPECTOR_WASM } from '../../src/wasm/inspector-wasm';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const testInspector = ordinaryCoreOnly('that core is its own inspector');
const inspector = () => new WebAssembly.Module(bytesOf(INSPECTOR_WASM));

const baseOf = (options: string[]) => Number(options[options.indexOf('--memoryBase') + 1]);

const WASM: Record<string, string> = {
  'src/core/inspector.ts': INSPECTOR_WASM,
  'src/core/actors.ts': ACTORS_WASM,
};

testInspector(
  'static memory lies between the record of the world and that of the core, and none overlaps',
  () => {
    let last = WORLD_ADDRESS + 1024 + 4; // the head of the list of free regions
    expect(WorldRecord.SIZE).toBeLessThanOrEqual(1024);
    for (const [entry, options] of Object.entries(BESIDE_CORE as Record<string, string[]>)) {
      const memory = new WebAssembly.Memory({ initial: 16 });
      const module = new WebAssembly.Module(bytesOf(WASM[entry]!));
      const imports: WebAssembly.Imports = { env: { memory, abort: () => {} } };
      for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
        if (kind === 'function') (imports[from] ??= {})[name] ??= () => 0;
      const { exports } = new WebAssembly.Instance(module, imports);
      const base = baseOf(options);
      expect(base, entry).toBeGreaterThanOrEqual(last);
      last = (exports['memoryEnd'] as () => number)();
      expect(
        new Uint8Array(memory.buffer, 0, base).some((byte) => byte !== 0),
        entry,
      ).toBe(false);
    }
    expect(last).toBeLessThanOrEqual(baseOf(CORE_MEMORY));
  },
);

testInspector('it imports what a core does, nothing else', () => {
  const names = WebAssembly.Module.imports(inspector()).map(({ name }) => name);
  expect(names.filter((name) => !['memory', 'abort', 'pairFilter'].includes(name))).toEqual([]);
});

testInspector('it looks at the state of the world that asks, also after its memory grew', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  expect(world.findFault()).toBe(0);
  const other = new World();
  for (let i = 0; i < 3000; i++)
    world.createBody({
      type: 'dynamic',
      position: { x: i % 50, y: 1 + Math.floor(i / 50), z: 0 },
      shape: { type: 'box', halfExtents: { x: 0.4, y: 0.4, z: 0.4 } },
    });
  for (let i = 0; i < 3; i++) world.step(1 / 60);
  expect(world.findFault()).toBe(0);
  world.query(() => {
    // A speed that is not a number, behind the world's back.
    const { instance } = world as unknown as {
      instance: { floats: Float32Array; table(name: string): number };
    };
    instance.floats[instance.table('velocities') + 16] = Number.NaN;
  });
  expect(world.findFault()).toBeGreaterThan(0);
  expect(other.findFault()).toBe(0);
  world.dispose();
  other.dispose();
});
