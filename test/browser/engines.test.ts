// The demo's pages for Babylon and PlayCanvas in Chromium, on a desk and on a phone: bodies fall through the hoop, switches
// do what they say, and the console has no complaint.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

interface Shown {
  meter: { frames: number };
  plugin?: { world: { bodyCount: number; getGravity(): number[] } };
  world?: { nativeWorld: { bodyCount: number; getGravity(): number[] } };
}

const site = useSite();
/** Tray, mill, chain, hoop, what falls. Babylon's mill and chain hang on bodies of their own. */
const PAGES = [
  ['babylon', 'ricochetBabylon', 5 + 2 + 7 + 1 + 120],
  ['playcanvas', 'ricochetPlayCanvas', 5 + 1 + 6 + 1 + 120],
] as const;

for (const [name, global, bodies] of PAGES)
  for (const [device, width, height] of [
    ['desk', 400, 260],
    ['phone', 180, 320],
  ] as const)
    browserTest(`${name} on a ${device}`, async () => {
      const { page, complaints } = await site.open(`${name}.html?plain`, width, height);
      const read = (of: Page) =>
        of.evaluate((key) => {
          const shown = (window as unknown as Record<string, Shown>)[key]!;
          const world = shown.plugin?.world ?? shown.world!.nativeWorld;
          return { frames: shown.meter.frames, bodies: world.bodyCount, gravity: world.getGravity()[1]! };
        }, global);
      await page.waitForFunction(
        (key) => ((window as unknown as Record<string, Shown>)[key]?.meter.frames ?? 0) > 2,
        global,
      );
      expect((await read(page)).bodies).toBe(bodies);
      const image = await page.screenshot();
      mkdirSync(join(root, 'test/out'), { recursive: true });
      writeFileSync(join(root, `test/out/${name}-${device}.png`), image);
      expect(image.length).toBeGreaterThan(10_000);
      if (device === 'desk') {
        await page.waitForFunction(() => Number(document.getElementById('hoop')!.textContent) > 0);
        const click = (id: string) => page.evaluate((button) => document.getElementById(button)?.click(), id);
        for (const id of ['moon', name === 'babylon' ? 'debug' : 'again']) await click(id);
        const from = (await read(page)).frames;
        await page.waitForFunction(
          ([key, n]) => (window as unknown as Record<string, Shown>)[key]!.meter.frames > n,
          [global, from + 2] as const,
        );
        const now = await read(page);
        expect(now.gravity).toBeCloseTo(-1.62, 5);
        expect(now.bodies).toBe(bodies);
      }
      expect(complaints).toEqual([]);
      expect(await page.isVisible('#message')).toBe(false);
    });
