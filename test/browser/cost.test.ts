// What physics costs the page, in Chromium: 10,000 moving bodies in one InstancedMesh, commands, garbage, the time
// to the first pose. Times are the best of a few tries, against the targets themselves: a busy machine can only
// add to them.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { bestOf } from './support/bestOf';
import { browserTest, hasChromium, launch } from './support/chromium';
import { RuntimePages } from './support/runtime';
import { type StaticServer, serveDemo } from './support/server';

const BODIES = 10_000;
const FRAMES = 600;
/** What a page calls in a frame. */
const OURS = ['update', 'writeMatrices'];

describe('what it costs the page', () => {
  let browser: Browser;
  let server: StaticServer;
  let pages: RuntimePages;
  beforeAll(async () => {
    if (!hasChromium) return;
    [browser, server] = await Promise.all([launch(), serveDemo()]);
    pages = new RuntimePages(browser, server);
    await pages.prepare();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const transport of ['shared', 'messages'] as const)
    browserTest(
      `${BODIES} moving bodies: poses in 1.5 ms a frame, commands in 1 µs a body (${transport})`,
      () =>
        pages.open(async (page) => {
          const best = await bestOf(
            () => page.evaluate(([kind, n]) => window.runtime.crowd(kind, n), [transport, BODIES] as const),
            ({ frameMs, commandUs, createUs }) => frameMs <= 1.5 && commandUs <= 1 && createUs <= 1,
          );
          console.log(
            `Chromium, ${transport}: ${BODIES} bodies, ${best.frameMs.toFixed(2)} ms per frame, command ${best.commandUs.toFixed(2)} µs, ` +
              `creation ${best.createUs.toFixed(2)} µs per body`,
          );
          expect(best.awake).toBe(BODIES);
          expect(best.moving).toBe(true);
          expect(best.frameMs).toBeLessThanOrEqual(1.5);
          expect(best.commandUs).toBeLessThanOrEqual(1);
          expect(best.createUs).toBeLessThanOrEqual(1);
        }),
    );

  browserTest(`${FRAMES} frames of ${BODIES} moving bodies make no garbage once warm`, () =>
    pages.open(async (page) => {
      const session = await page.context().newCDPSession(page);
      await page.evaluate((n) => window.runtime.warmUp(n), BODIES);
      await session.send('HeapProfiler.startSampling', {
        samplingInterval: 1, // every allocation
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      } as never);
      const { fresh, updates } = await page.evaluate((n) => window.runtime.frames(n, 4), FRAMES);
      const { profile } = await session.send('HeapProfiler.stopSampling');
      // What was allocated below a call of ours; the test's own numbers are not counted.
      const sites = new Map<string, number>();
      const visit = ({ callFrame, selfSize, children }: typeof profile.head, ours: string) => {
        const { functionName } = callFrame;
        const path = ours !== '' || OURS.includes(functionName) ? `${ours} › ${functionName}` : '';
        if (path !== '' && selfSize > 0) sites.set(path, (sites.get(path) ?? 0) + selfSize);
        for (const child of children) visit(child, path);
      };
      visit(profile.head, '');
      const bytes = [...sites.values()].reduce((sum, size) => sum + size, 0);
      console.log(
        `Chromium: ${fresh} frames of ${BODIES} bodies, ${updates} updates: ${bytes} bytes`,
        Object.fromEntries(sites),
      );
      expect(fresh).toBe(FRAMES);
      // Not even a boxed number per frame: those take 12.
      expect(bytes / FRAMES).toBeLessThan(1);
    }),
  );
});
