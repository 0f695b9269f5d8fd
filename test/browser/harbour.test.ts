// The page of the harbour, in Chromium: what floats lies as deep as Archimedes says, belts run, tug and crane
// obey their keys.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('the page of the harbour', () => {
  const site = useSite();

  browserTest('floats, loads, is steered', async () => {
    const { page, complaints } = await site.open('harbour.html', 960, 600);
    await page.waitForFunction(() => window.ricochetHarbour?.harbour.crates.length > 6);
    await page.waitForFunction(() => {
      const { is, due } = window.ricochetHarbour.draught;
      return due > 0.2 && Math.abs(is - due) < 0.02;
    });
    // The first crate of the belts goes around the corner.
    await page.waitForFunction(() => window.ricochetHarbour.harbour.crates[6]!.getPosition()[0] > -9);
    const place = () => page.evaluate(() => window.ricochetHarbour.harbour.tug.getPosition());
    const [x, , z] = await place();
    await page.keyboard.down('w');
    await expect
      .poll(
        async () => {
          const [u, , w] = await place();
          return Math.hypot(u - x, w - z);
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(3);
    await page.keyboard.up('w');
    await page.keyboard.press('c');
    const hook = () => page.evaluate(() => window.ricochetHarbour.harbour.crane.hook.getPosition());
    const [hx, , hz] = await hook();
    await page.keyboard.down('a');
    await expect
      .poll(
        async () => {
          const [u, , w] = await hook();
          return Math.hypot(u - hx, w - hz);
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(1);
    await page.keyboard.up('a');
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await page.screenshot({ path: join(root, 'test/out/harbour.jpg'), type: 'jpeg', quality: 88 });
    await page.keyboard.press('r');
    expect(complaints).toEqual([]);
  });
});
