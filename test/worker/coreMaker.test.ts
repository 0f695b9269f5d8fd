// What a worker has in place of a core on several threads when the file of such cores cannot be used. Parcel makes a script
// of it, which has no exports: the world then runs on one thread, and says why.
import { afterEach, expect, test, vi } from 'vitest';
import { coreMaker } from '../../worker/coreMaker';

afterEach(() => vi.unstubAllGlobals());

const asked: string[] = vi.hoisted(() => []);

vi.mock('../../worker/loadThreads', () => ({
  loadThreads: async (address: string) => {
    asked.push(address);
    if (address === 'none') throw new Error('404');
    return {};
  },
}));

test('a file of threads without exports leaves one thread, as a missing file does', async () => {
  expect(await coreMaker(2, 'script')).toBe(
    'physics.threads.js was not found (script): the bundler has dropped its exports',
  );
  expect(await coreMaker(2, 'none')).toBe('physics.threads.js was not found (none): 404');
});

test('the file is not loaded where threads cannot share memory', async () => {
  vi.stubGlobal('crossOriginIsolated', false);
  asked.length = 0;
  expect(await coreMaker(2, 'script')).toContain('COOP and COEP');
  expect(asked).toEqual([]);
});
