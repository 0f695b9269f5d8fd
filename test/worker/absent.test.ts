// What a world in a worker needs and does not find: the chunk with the worker's text, message channels. In: createPhysics
// without it. Out: the error that says so.
import { createPhysics } from 'ricochet/worker';
import { afterEach, expect, test, vi } from 'vitest';

// As in a bundle whose chunk with the worker's text did not come.
vi.mock('../../worker/packaged', () => ({
  EXTENSION: 'js',
  toolsAddress: () => new URL('../../worker/physics.tools.js', import.meta.url).href,
  scriptTexts: { 'physics.worker': () => Promise.reject(new TypeError('Failed to fetch /chunk.js')) },
}));

afterEach(() => vi.unstubAllGlobals());

test("the chunk with the worker's text does not come: the worker is lost, and the address is named", async () => {
  await expect(createPhysics()).rejects.toMatchObject({
    name: 'PhysicsError',
    code: 'worker-lost',
    message: expect.stringContaining('Failed to fetch /chunk.js'),
  });
});

test('a host without message channels is told what it lacks', async () => {
  vi.stubGlobal('MessageChannel', undefined);
  await expect(createPhysics()).rejects.toMatchObject({
    name: 'PhysicsError',
    code: 'unsupported-host',
    message: expect.stringContaining('MessageChannel'),
  });
});
