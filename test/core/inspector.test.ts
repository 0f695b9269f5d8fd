// The inspector of states is a module of its own on a core's memory, and worlds in process and in workers use it.
import { expect } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { BESIDE_CORE, CORE_MEMORY } from '../../scripts/asc.mjs';
import { WORLD_ADDRESS } from '../../src/core/memory/constants';
import { World } from '../../src/index';
import { World as WorldRecord } from '../../src/wasm/core-layout';
import { bytesOf } from '../../src/wasm/core-module';
import { INSPECTOR_WASM } from '../../src/wasm/inspector-wasm';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const testInspector = ordinaryCoreOnly('that core is its own inspector');
const inspector = () => new WebAssembly.Module(bytesOf(INSPECTOR_WASM));

const baseOf = (options: string[]) => Number(options[options.indexOf('--memoryBase') + 1]);

testInspector('its static memory lies between the record of the world and the memory of the core', () => {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const { exports } = new WebAssembly.Instance(inspector(), { env: { memory, abort: () => {} } });
  const base = baseOf(BESIDE_CORE);
  expect(base).toBeGreaterThan(WORLD_ADDRESS + 1024 + 4); // the head of the list of free regions
  expect(WorldRecord.SIZE).toBeLessThanOrEqual(1024);
  expect((exports['memoryEnd'] as () => number)()).toBeLessThanOrEqual(baseOf(CORE_MEMORY));
  expect(new Uint8Array(memory.buffer, 0, base).some((byte) => byte !== 0)).toBe(false);
});

testInspector('it imports the memory of a core and how to give up, nothing else', () => {
  const names = WebAssembly.Module.imports(inspector()).map(({ name }) => name);
  expect(names.filter((name) => name !== 'memory' && name !== 'abort')).toEqual([]);
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
