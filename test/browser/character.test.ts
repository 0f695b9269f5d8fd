// The page of the character course, in Chromium: it walks by keys, jumps, crouches, climbs the stairs, swims, walks around the
// planet, all in a worker, and is drawn.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

type Place = [number, number, number];

describe('the page of the character course', () => {
  const site = useSite();

  browserTest('walks, jumps, crouches, climbs, swims, stands on the planet', async () => {
    const { page, complaints } = await site.open('character.html', 960, 600);
    await page.waitForFunction(() => window.ricochetWalk?.hero.onGround);
    expect(await page.evaluate(() => window.ricochetWalk.physics.transport)).toBe('shared');
    const place = () => page.evaluate(() => window.ricochetWalk.hero.getPosition());
    const put = (at: Place) => page.evaluate((to) => window.ricochetWalk.hero.body.setPosition(to), at);
    const press = async (keys: string[], until: (place: Place) => boolean, from?: Place) => {
      for (const key of keys) await page.keyboard.down(key);
      if (from !== undefined) await put(from);
      await expect.poll(async () => until(await place()), { timeout: 60_000 }).toBe(true);
      for (const key of keys) await page.keyboard.up(key);
    };
    const [x, y, z] = await place();
    await press(['w'], ([u, , w]) => Math.hypot(u - x, w - z) > 1);
    await press(['ArrowRight'], ([u, , w]) => Math.hypot(u - x, w - z) > 1.2);
    // Slowly: a page that draws seldom would miss a jump, or run past the stairs.
    const pace = (scale: number) =>
      page.evaluate((to) => void (window.ricochetWalk.physics.timeScale = to), scale);
    await pace(0.2);
    await page.keyboard.press('Space');
    await page.waitForFunction(([ground]) => window.ricochetWalk.hero.getPosition()[1] > ground! + 0.2, [y]);
    await page.waitForFunction(() => window.ricochetWalk.hero.onGround);
    await page.keyboard.down('c');
    await page.waitForFunction(() => window.ricochetWalk.hero.isCrouching);
    await page.keyboard.up('c');
    await page.waitForFunction(() => !window.ricochetWalk.hero.isCrouching);
    // Before the stairs, which are ahead and to the left as the camera stands.
    await press(['w', 'a'], ([, height]) => height > y + 1.1, [-4.6, 0.9, -3.6]);
    await pace(1);
    await put([-15.5, 3, 5]);
    await page.waitForFunction(() => window.ricochetWalk.hero.isInWater);
    // Below the planet its feet are up.
    await put([15, 1.2, -15]);
    await page.waitForFunction(
      () => window.ricochetWalk.hero.onGround && window.ricochetWalk.hero.up[1] < -0.9,
    );
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await page.screenshot({ path: join(root, 'test/out/character.jpg'), type: 'jpeg', quality: 88 });
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.ricochetWalk.hero.up[1] > 0.9);
    expect(complaints).toEqual([]);
  });
});
