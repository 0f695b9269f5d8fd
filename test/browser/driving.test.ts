// The page of the driving range, in Chromium: keys drive what is drawn, and each vehicle can be chosen.
import { describe, expect } from 'vitest';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('the page of the driving range', () => {
  const site = useSite();

  browserTest('drives, changes the vehicle, puts it upright', async () => {
    const { page, complaints } = await site.open('driving.html', 640, 400);
    await page.waitForFunction(() => window.ricochetDriving?.rides.length === 4);
    await page.keyboard.down('KeyW');
    await page.waitForFunction(() => Number(document.getElementById('speed')?.textContent) > 10);
    await page.keyboard.up('KeyW');
    for (const name of ['motorcycle', 'tank', 'lorry']) {
      await page.keyboard.press('KeyV');
      await page.waitForFunction((wanted) => document.getElementById('model')?.textContent === wanted, name);
    }
    await page.evaluate(() => window.ricochetDriving.ride.body.setRotation([0, 0, 1, 0]));
    await page.keyboard.press('KeyR');
    await page.waitForFunction(() => Math.abs(window.ricochetDriving.ride.body.getRotation()[2]) < 0.1);
    expect(complaints).toEqual([]);
  });
});
