// ricochet/react in Chromium: the demo's page on a desk and on a phone, its switches, and what 1,000 instanced bodies cost
// the main thread, beside @react-three/rapier in the same run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { describe, expect } from 'vitest';
import { bestOf } from '../bestOf';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { startTrace, stopTrace } from './support/mainThread';
import { serveFolder } from './support/server';
import { useSite } from './support/site';

interface Demo {
  frames: number;
  world: { bodyCount: number; isDisposed: boolean } | null;
}
declare global {
  interface Window {
    ricochetReact: Demo;
    crowd: {
      start(engine: string, count: number, warm: number): Promise<void>;
      measure(frames: number): Promise<number>;
      end(): void;
    };
  }
}

/** fiber's clock is three's old one: three says so, whoever uses fiber. */
const ours = (complaints: string[]) => complaints.filter((text) => !text.includes('THREE.Clock'));

/** Marbles, crates; tray, paddle, hook, ball, hoop. */
const BODIES = 320 + 80 + 5;

describe('the page of the demo', () => {
  const site = useSite();

  const frames = async (page: Page, count: number) => {
    const from = await page.evaluate(() => window.ricochetReact.frames);
    await page.waitForFunction((n) => window.ricochetReact.frames >= n, from + count);
  };

  for (const [name, width, height] of [
    ['desk', 640, 400],
    ['phone', 240, 480],
  ] as const)
    browserTest(`on a ${name}: bodies fall, switches are props`, async () => {
      const { page, complaints } = await site.open('react.html', width, height);
      await page.waitForFunction((n) => window.ricochetReact?.world?.bodyCount === n, BODIES);
      await page.waitForFunction(() => Number(document.getElementById('hoop')!.textContent) > 0);
      const image = await page.screenshot();
      mkdirSync(join(root, 'test/out'), { recursive: true });
      writeFileSync(join(root, `test/out/react-${name}.png`), image);
      expect(image.length).toBeGreaterThan(30_000);
      if (name === 'desk') {
        const click = (id: string) => page.evaluate((name) => document.getElementById(name)!.click(), id);
        for (const id of ['paused', 'moon', 'worker']) await click(id);
        await page.waitForFunction(() => 'awakeCount' in window.ricochetReact.world!);
        await click('again');
        await frames(page, 1);
        expect(await page.evaluate(() => window.ricochetReact.world!.bodyCount)).toBe(BODIES);
      }
      expect(ours(complaints)).toEqual([]);
      expect(await page.isVisible('#message')).toBe(false);
    });
});

describe('what it costs the page', () => {
  const site = useSite();
  const COUNT = 1000;
  const WARM = 20;
  const FRAMES = 60;

  async function bundle(): Promise<void> {
    const build = await rolldown({
      cwd: root,
      input: { page: 'test/browser/react/page.tsx' },
      platform: 'browser',
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
      resolve: { conditionNames: ['import', 'browser', 'default'] },
      logLevel: 'silent',
    });
    const folder = join(root, 'test/out/react');
    await build.write({ dir: folder, format: 'es', entryFileNames: '[name].js', minify: true });
    await build.close();
    const html =
      '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="./page.js"></script>';
    writeFileSync(join(folder, 'index.html'), html);
  }

  browserTest(`${COUNT} instanced bodies: at most a quarter of @react-three/rapier`, async () => {
    await bundle();
    const server = await site.serve(serveFolder(root));
    const { page, complaints } = await site.empty(400, 300);
    await page.goto(`${server.url}test/out/react/index.html`);
    await page.waitForFunction(() => window.crowd !== undefined);
    /** ms of the processor per frame of the main thread, drawing included. */
    const measure = async (engine: string) => {
      await page.evaluate(([name, n, warm]) => window.crowd.start(name, n, warm), [
        engine,
        COUNT,
        WARM,
      ] as const);
      await startTrace(site.browser, page);
      const moved = await page.evaluate((n) => window.crowd.measure(n), FRAMES);
      const tasks = await stopTrace(site.browser);
      await page.evaluate(() => window.crowd.end());
      if (engine !== 'nothing') expect(moved).toBeGreaterThan(COUNT / 4);
      // One may have no end yet.
      return tasks.reduce((sum, { cpu }) => sum + (Number.isFinite(cpu) ? cpu : 0), 0) / FRAMES;
    };
    const alone = await measure('nothing');
    const once = async () => ({ rapier: await measure('rapier'), ricochet: await measure('ricochet') });
    const { best, tries } = await bestOf(once, ({ rapier, ricochet }) => ricochet / rapier / 0.25);
    const ratio = best.ricochet / best.rapier;
    console.log(
      `Chromium, ${COUNT} instanced bodies, main thread per frame: ricochet ${best.ricochet.toFixed(2)} ms, ` +
        `@react-three/rapier ${best.rapier.toFixed(2)} ms: ${ratio.toFixed(3)} (target 0.25, try ${tries}); ` +
        `drawing alone ${alone.toFixed(2)} ms`,
    );
    expect(ratio).toBeLessThanOrEqual(0.25);
    expect(ours(complaints).filter((text) => !text.includes('deprecated parameters'))).toEqual([]);
  });
});
