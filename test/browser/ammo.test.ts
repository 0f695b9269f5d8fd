// three.js's AmmoPhysics, unmodified, in Chromium: on ricochet/ammo and on ammo.js side by side.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest, hasChromium, launch, openPage } from './support/chromium';
import { type StaticServer, serveDemo } from './support/server';

describe('a program for ammo.js', () => {
  let browser: Browser;
  let server: StaticServer;
  beforeAll(async () => {
    if (!hasChromium) return;
    [browser, server] = await Promise.all([launch(), serveDemo()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  browserTest('runs on both engines side by side', async () => {
    const { page, complaints } = await openPage(browser, 900, 450);
    await page.goto(`${server.url}ammo.html?boxes=150&balls=150`);
    await page.waitForFunction(
      () => window.ammoSteps !== undefined && Object.values(window.ammoSteps).every((steps) => steps() > 60),
      undefined,
      { timeout: 120_000 }, // drawn by software where there is no graphics card
    );
    const figures = await page.locator('output').allInnerTexts();
    expect(figures).toHaveLength(2);
    for (const text of figures) expect(text).toMatch(/^(ricochet|ammo)\n\d+\.\d\d ms per step\n\d+\.\d MB$/);
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await page.screenshot({ path: join(root, 'test/out/ammo.jpg'), type: 'jpeg', quality: 88 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
