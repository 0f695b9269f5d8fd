// The page of the character, in Chromium: it walks by keys, jumps, crouches, climbs the stairs and is drawn.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('the page of the character', () => {
  const site = useSite();

  browserTest('walks, jumps, crouches, climbs', async () => {
    const { page, complaints } = await site.open('character.html', 960, 600);
    await page.waitForFunction(() => window.ricochetWalk?.steps > 20 && window.ricochetWalk.hero.isGrounded);
    const place = () => page.evaluate(() => window.ricochetWalk.hero.getPosition());
    const press = async (keys: string[], until: (place: [number, number, number]) => boolean) => {
      for (const key of keys) await page.keyboard.down(key);
      await expect.poll(async () => until(await place())).toBe(true);
      for (const key of keys) await page.keyboard.up(key);
    };
    const [x, y, z] = await place();
    await press(['w'], ([u, , w]) => Math.hypot(u - x, w - z) > 1);
    await press(['ArrowRight'], ([u, , w]) => Math.hypot(u - x, w - z) > 1.2);
    await page.keyboard.press('Space');
    await page.waitForFunction(([ground]) => window.ricochetWalk.hero.getPosition()[1] > ground! + 0.2, [y]);
    await page.waitForFunction(() => window.ricochetWalk.hero.isGrounded);
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    // Before the stairs, which are ahead and to the left as the camera stands.
    await page.evaluate(() => window.ricochetWalk.hero.teleport([-4.6, 0.9, -3.6]));
    await press(['w', 'a'], ([, height]) => height > y + 1.1);
    expect(await page.locator('#ground').textContent()).toMatch(/static|nothing/);
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await page.screenshot({ path: join(root, 'test/out/character.jpg'), type: 'jpeg', quality: 88 });
    expect(complaints).toEqual([]);
  });
});
