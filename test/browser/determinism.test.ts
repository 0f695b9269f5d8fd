// The same bits everywhere: each scene's state hash every 10 steps for 1,000 steps, in a Chromium page
// and in a Chromium worker, equals Node's.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { HASH_INTERVAL, sceneHashes } from '../../demo/hashes';
import { scenes } from '../../demo/scenes';
import { steering } from '../../demo/steering';
import { browserTest, hasChromium, launch, openPage } from './support/chromium';
import { type StaticServer, serveDemo } from './support/server';

const STEPS = 1000;

declare global {
  interface Window {
    ricochetHashes(scene: string, steps: number, place: 'page' | 'worker'): Promise<string[]>;
  }
}

describe('state hashes', () => {
  let browser: Browser;
  let server: StaticServer;
  beforeAll(async () => {
    if (!hasChromium) return;
    [browser, server] = await Promise.all([launch(), serveDemo()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const { id } of [...scenes, steering])
    browserTest(`${id}: ${STEPS} steps in a page and in a worker equal Node's`, async () => {
      const { page, complaints } = await openPage(browser, 400, 300);
      await page.goto(`${server.url}determinism.html`);
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
      await page.context().close();
    });
});
