// The demo's pages for Babylon and PlayCanvas in Chromium, on a desk and as narrow as on a phone: bodies fall through the hoop, switches
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
  browserTest(`${name}, on a desk and then as narrow as on a phone`, async () => {
    const { page, complaints } = await site.open(`${name}.html?plain`, 400, 260);
    const read = (of: Page) =>
      of.evaluate((key) => {
        const shown = (window as unknown as Record<string, Shown>)[key]!;
        const world = shown.plugin?.world ?? shown.world!.nativeWorld;
        return { frames: shown.meter.frames, bodies: world.bodyCount, gravity: world.getGravity()[1]! };
      }, global);
    const frames = (count: number) =>
      page.waitForFunction(
        ([key, n]) => ((window as unknown as Record<string, Shown>)[key]?.meter.frames ?? 0) > n,
        [global, count] as const,
      );
    const shoot = async (device: string) => {
      const image = await page.screenshot();
      mkdirSync(join(root, 'test/out'), { recursive: true });
      writeFileSync(join(root, `test/out/${name}-${device}.png`), image);
      expect(image.length).toBeGreaterThan(8000);
    };
    await frames(2);
    expect((await read(page)).bodies).toBe(bodies);
    await page.waitForFunction(() => Number(document.getElementById('hoop')!.textContent) > 0);
    await shoot('desk');
    const click = (id: string) => page.evaluate((button) => document.getElementById(button)?.click(), id);
    for (const id of name === 'babylon' ? ['moon'] : ['moon', 'again']) await click(id);
    await page.setViewportSize({ width: 180, height: 320 });
    await frames((await read(page)).frames + 2);
    const now = await read(page);
    expect(now.gravity).toBeCloseTo(-1.62, 5);
    expect(now.bodies).toBe(bodies);
    await shoot('phone');
    expect(complaints).toEqual([]);
    expect(await page.isVisible('#message')).toBe(false);
  });
