// The same bits everywhere: each scene's state hash every 10 steps for 1,000 steps, in a Chromium page
// and in a Chromium worker, equals Node's.
import { describe, expect } from 'vitest';
import { courtyard } from '../../demo/courtyard';
import { HASH_INTERVAL, sceneHashes } from '../../demo/hashes';
import { scenes } from '../../demo/scenes';
import { steering } from '../../demo/steering';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

const STEPS = 1000;

declare global {
  interface Window {
    ricochetHashes(scene: string, steps: number, place: 'page' | 'worker'): Promise<string[]>;
  }
}

describe('state hashes', () => {
  const site = useSite();

  for (const { id } of [...scenes, steering, courtyard])
    browserTest(`${id}: ${STEPS} steps in a page and in a worker equal Node's`, async () => {
      const { page, complaints } = await site.open('determinism.html', 400, 300);
      await page.waitForFunction(() => typeof window.ricochetHashes === 'function');
      const run = (place: 'page' | 'worker') =>
        page.evaluate(([scene, steps, where]) => window.ricochetHashes(scene, steps, where), [
          id,
          STEPS,
          place,
        ] as const);
      const inNode = sceneHashes(id, STEPS);
      expect(inNode).toHaveLength(STEPS / HASH_INTERVAL);
      for (const place of ['page', 'worker'] as const) {
        const hashes = await run(place);
        const first = hashes.findIndex((hash, i) => hash !== inNode[i]);
        const where = `first difference in the ${place} at step ${(first + 1) * HASH_INTERVAL}`;
        expect(first, where).toBe(-1);
        expect(hashes).toHaveLength(inNode.length);
      }
      expect(complaints).toEqual([]);
    });
});
