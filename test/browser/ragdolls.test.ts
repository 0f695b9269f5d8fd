// The page of the ragdolls, in Chromium: the figures stand by their motors, fall when they are let go, and are drawn.
import { describe, expect } from 'vitest';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('the page of the ragdolls', () => {
  const site = useSite();

  browserTest('stands, is hit, falls', async () => {
    const { page, complaints } = await site.open('ragdolls.html', 640, 400);
    await page.waitForFunction(() => document.getElementById('standing')?.textContent === '7 of 7');
    expect(await page.evaluate(() => window.ricochetHall.actors[0]!.doll.ragdoll.lying().side)).toBe(
      'upright',
    );
    await page.evaluate(() => window.ricochetHall.shoot(320, 200));
    await page.locator('#limp').dispatchEvent('click');
    await page.waitForFunction(() =>
      window.ricochetHall.actors.some(({ doll }) => doll.ragdoll.body('head').getPosition()[1] < 0.8),
    );
    expect(complaints).toEqual([]);
  });
});
