// Hosts: what the engine needs, what it says where that is missing, and other ways to get the core.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const testHost = ordinaryCoreOnly('its core takes the place of how hosts are asked');

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const wasm = () => new Uint8Array(readFileSync(new URL('../../dist/core.wasm', import.meta.url)));

test('this host has SIMD', async () => {
  const { isSupported } = await import('../../src');
  expect(isSupported()).toBe(true);
});

testHost('without SIMD: a typed error names the first browsers that have it', async () => {
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  const { isSupported, useCore, World } = await import('../../src');
  expect(isSupported()).toBe(false);
  const refusal = expect.objectContaining({
    name: 'PhysicsError',
    code: 'unsupported-host',
    message: expect.stringMatching(
      /WebAssembly without SIMD.*Chrome and Edge 100, Firefox 114, Safari 16\.4, Node\.js 20\.16/,
    ),
  });
  expect(() => new World()).toThrow(refusal);
  await expect(useCore()).rejects.toEqual(refusal);
});

testHost('without WebAssembly', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  const { World } = await import('../../src');
  expect(() => new World()).toThrow(/no WebAssembly; ricochet needs/);
});

test('the core from elsewhere: bytes, a module, a response, or inlined without blocking', async () => {
  const hashes: string[] = [];
  const response = () => new Response(wasm(), { headers: { 'content-type': 'application/wasm' } });
  for (const source of [
    () => undefined,
    () => wasm(),
    () => new WebAssembly.Module(wasm()),
    () => Promise.resolve(response()),
  ]) {
    vi.resetModules();
    const { useCore, World } = await import('../../src');
    await useCore(source());
    const world = new World();
    const ball = world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
    for (let i = 0; i < 10; i++) world.step(1 / 60);
    expect(ball.getPosition()[1]).toBeLessThan(0);
    hashes.push(world.stateHash());
  }
  expect(new Set(hashes).size).toBe(1);
});

test('a host that refuses memory: the world is lost, and says so from then on', async () => {
  const { World } = await import('../../src');
  const world = new World();
  const body = world.createBody({ mass: 1 });
  world.step(1 / 60);
  const core = world.instance.core;
  Object.defineProperty(world.instance, 'core', {
    value: {
      ...core,
      step() {
        throw new WebAssembly.RuntimeError('unreachable');
      },
    },
  });
  const lost = expect.objectContaining({ code: 'out-of-memory' });
  expect(() => world.step(1 / 60)).toThrow(lost);
  expect(() => world.step(1 / 60)).toThrow(lost);
  expect(() => body.getPosition()).toThrow(lost);
  expect(() => world.createBody({ mass: 1 })).toThrow(lost);
  world.dispose();
});
