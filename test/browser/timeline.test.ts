// The demo's timeline, end to end: recorded in the worker, scrubbed, branched, exported; the file verifies with the
// command `ricochet` in Node and opens in another page.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Player } from 'ricochet/replay';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

const folder = join(root, 'test/out/timeline');

describe('timeline', () => {
  const site = useSite();
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const bundle = await rolldown({
      input: join(root, 'src/replay/cli.ts'),
      platform: 'node',
      logLevel: 'silent',
      resolve: { alias: { ricochet: join(root, 'src/index.ts') } },
    });
    await bundle.write({ file: join(folder, 'cli.mjs'), format: 'esm' });
  });

  async function open(): Promise<{ page: Page; complaints: string[] }> {
    const watched = await site.open('?scene=wall&paused=1&render=0', 640, 480);
    await watched.page.waitForFunction(() => Boolean(window.ricochetDemo?.session));
    return watched;
  }

  const click = (page: Page, id: string) =>
    page.evaluate((name) => document.getElementById(name)!.click(), id);
  const loaded = (page: Page) => page.waitForFunction(() => window.ricochetDemo.timeline.player !== null);
  const hash = (page: Page) => page.evaluate(() => window.ricochetDemo.session!.physics.stateHash());
  const scrub = (page: Page, frame: number) =>
    page.evaluate((to) => window.ricochetDemo.timeline.seek(to), frame);

  async function verified(page: Page): Promise<string> {
    await click(page, 'verify');
    await page.waitForFunction(() =>
      /same|differs/.test(document.getElementById('hash')!.dataset['state'] ?? ''),
    );
    return (await page.getAttribute('#hash', 'data-state'))!;
  }

  browserTest('what the demo exports verifies in Node, and opens in another page', async () => {
    const { page, complaints } = await open();
    await click(page, 'record');
    await page.waitForFunction(() => document.getElementById('record')!.ariaPressed === 'true');
    const truth = await page.evaluate(async () => {
      const { physics } = window.ricochetDemo.session!;
      const hashes: Record<number, string> = {};
      for (let step = 10; step <= 120; step += 10) {
        if (step === 50)
          window.ricochetDemo.session!.shoot(
            {
              mass: 30,
              position: [0, 2, 12],
              linearVelocity: [0, 2, -30],
              shape: { type: 'sphere', radius: 0.5 },
            },
            0.5,
          );
        await physics.step(10);
        hashes[step] = await physics.stateHash();
      }
      return hashes;
    });
    await click(page, 'record');
    await loaded(page);
    expect(await page.textContent('#frame')).toBe('120 / 120');
    for (const frame of [30, 100, 40, 120, 0, 60]) {
      await scrub(page, frame);
      if (frame > 0) expect(await hash(page), `step ${frame}`).toBe(truth[frame]);
    }
    expect(await verified(page)).toBe('same');
    expect(await page.textContent('#hash')).toBe(truth[120]);

    const [download] = await Promise.all([page.waitForEvent('download'), click(page, 'export')]);
    expect(download.suggestedFilename()).toBe('wall.ricochet');
    const path = join(folder, 'wall.ricochet');
    await download.saveAs(path);
    const { status, stdout } = spawnSync(process.execPath, [join(folder, 'cli.mjs'), 'replay', path], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('verified: bit for bit the same');
    expect(stdout).toContain(truth[120]);
    expect(status).toBe(0);

    // A branch: from step 40 another run, which is recorded for itself.
    await scrub(page, 40);
    await page.evaluate(async () => {
      const { timeline, session } = window.ricochetDemo;
      await timeline.record();
      await session!.physics.step(30);
      await timeline.stop();
    });
    expect(await hash(page)).not.toBe(truth[70]);
    await scrub(page, 0);
    expect(await hash(page), 'where the branch begins').toBe(truth[40]);
    expect(await verified(page)).toBe('same');
    expect(complaints).toEqual([]);

    const other = await open();
    await other.page.setInputFiles('#import', path);
    await loaded(other.page);
    await scrub(other.page, 100);
    expect(await hash(other.page)).toBe(truth[100]);
    expect(await verified(other.page)).toBe('same');

    // What is not whole is refused, and said.
    const player = await Player.open(new Uint8Array(readFileSync(path)));
    expect(player.recording.head.notes).toEqual({ scene: 'wall' });
    writeFileSync(join(folder, 'cut.ricochet'), readFileSync(path).subarray(0, 2000));
    await other.page.setInputFiles('#import', join(folder, 'cut.ricochet'));
    await other.page.waitForFunction(() => !document.getElementById('message')!.hidden);
    expect(await other.page.textContent('#message')).toMatch(/recording refused, byte \d+/);
  });

  browserTest('rewinds what nobody asked to record, and a link has a whole recording', async () => {
    const { page, complaints } = await site.open('?scene=cradle', 700, 480);
    await page.waitForFunction(() => (window.ricochetDemo?.session?.physics.stats.steps ?? 0) > 30);
    await page.evaluate(() => {
      window.ricochetDemo.stage!.render = () => {}; // seconds for each picture, without graphics
      const slider = document.getElementById('scrub') as HTMLInputElement;
      slider.value = '20';
      slider.dispatchEvent(new Event('input'));
    });
    await page.waitForFunction(() => window.ricochetDemo.session!.physics.stats.steps === 20);
    const truth = await hash(page);
    await click(page, 'link');
    await page.waitForFunction(() => location.hash.startsWith('#clip='));
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await loaded(page);
    await scrub(page, 20);
    expect(await page.textContent('#title')).toBe("Newton's cradle");
    expect(await hash(page)).toBe(truth);
    expect(complaints).toEqual([]);
  });

  browserTest('a body is held and let go, and time is slowed', async () => {
    const { page, complaints } = await site.open('?scene=wall', 700, 480);
    await page.waitForFunction(() => (window.ricochetDemo?.session?.physics.stats.steps ?? 0) > 5);
    await page.evaluate(() => {
      window.ricochetDemo.stage!.render = () => {};
    });
    await page.keyboard.press('g');
    await page.mouse.move(350, 200);
    await page.mouse.down();
    await page.waitForFunction(() => window.ricochetDemo.grab.holds);
    await page.mouse.move(470, 90, { steps: 4 });
    await page.waitForFunction(() =>
      window.ricochetDemo.session!.bodies.some((body) => body.getLinearVelocity()[1] > 0.5),
    );
    await page.mouse.up();
    expect(await page.evaluate(() => window.ricochetDemo.grab.holds)).toBe(false);
    await page.keyboard.press('t');
    expect(await page.evaluate(() => window.ricochetDemo.session!.physics.timeScale)).toBe(0.25);
    expect(complaints).toEqual([]);
  });
});
