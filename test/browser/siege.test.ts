// The demo's game, in Chromium: a tap shoots, the first level can be won, sound is made by contact events, stars are kept.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('the game', () => {
  const site = useSite();

  browserTest('is won by a tap on the idol; a phone has room for it', async () => {
    const { page, complaints } = await site.open('siege.html?level=1', 960, 600);
    await page.waitForFunction(() => window.ricochetSiege?.siege.standing.length === 1);
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await page.screenshot({ path: join(root, 'test/out/siege.png') });
    // Where the idol is in the picture.
    const [x, y] = await page.evaluate(() =>
      window.ricochetSiege.screenOf(window.ricochetSiege.siege.idols[0]!),
    );
    await page.mouse.click(x, y);
    await page.waitForFunction(() => window.ricochetSiege.siege.fired === 1);
    await page.waitForFunction(() => window.ricochetSiege.siege.outcome !== 'playing', undefined, {
      timeout: 60_000,
    });
    expect(await page.evaluate(() => window.ricochetSiege.siege.outcome)).toBe('won');
    expect(await page.evaluate(() => window.ricochetSiege.sound.begun)).toBeGreaterThan(3);
    expect(await page.locator('#verdict').textContent()).toContain('has fallen');
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('ricochet-siege')!)[0])).toBe(3);
    // On to the next level, by the key; nothing of the first is left.
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.ricochetSiege.siege.idols.length === 2);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.screenshot({ path: join(root, 'test/out/siege-phone.png') });
    expect(complaints).toEqual([]);
  });
});
