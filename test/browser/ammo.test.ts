// three.js's AmmoPhysics, unmodified, in Chromium: on ricochet/ammo and on ammo.js side by side.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('a program for ammo.js', () => {
  const site = useSite();

  browserTest('runs on both engines side by side', async () => {
    const { page, complaints } = await site.open('ammo.html?boxes=150&balls=150', 900, 450);
    await page.waitForFunction(
      () => window.ammoSteps !== undefined && Object.values(window.ammoSteps).every((steps) => steps() > 60),
    );
    const figures = await page.locator('output').allInnerTexts();
    expect(figures).toHaveLength(2);
    for (const text of figures) expect(text).toMatch(/^(ricochet|ammo)\n\d+\.\d\d ms per step\n\d+\.\d MB$/);
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await page.screenshot({ path: join(root, 'test/out/ammo.jpg'), type: 'jpeg', quality: 88 });
    expect(complaints).toEqual([]);
  });
});
