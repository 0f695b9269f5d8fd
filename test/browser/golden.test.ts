// The golden scenes in Chromium: in the page, in a worker with shared memory, with messages, and behind a client in the
// page: golden.json's hashes everywhere, and the events of Node. What differs is said by step, body and field.
import type { Browser, Page } from 'playwright-core';
import { World } from 'ricochet';
import { Player } from 'ricochet/replay';
import { afterAll, beforeAll, describe, expect } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { serveGolden } from '../../scripts/golden-page.mjs';
import { EVERY, runCourse } from '../determinism/course';
import golden from '../determinism/golden.json';
import { goldenScenes } from '../determinism/scenes';
import type { Place } from './golden/page';
import { browserTest, close, hasChromium, launch, openPage } from './support/chromium';

/** Step, body and field of the first difference between what happened in the page and what happens here. */
async function explain(page: Page, id: string, steps: number, nudge = 0): Promise<string> {
  const bytes = await page.evaluate(([name, end, change]) => window.golden.record(name, end, change), [
    id,
    steps,
    nudge,
  ] as const);
  const player = await Player.open(Uint8Array.from(bytes));
  const { divergence } = player.verify();
  if (divergence === null) return 'the same when recorded';
  const { frame, body, field, expected, actual } = divergence;
  return `step ${frame}, body ${(body ?? 0) & 0x3ffff}, ${field}: there ${expected}, here ${actual}`;
}

describe('golden scenes', () => {
  let browser: Browser;
  let server: { url: string; close(): void };
  let page: Page;
  beforeAll(async () => {
    if (!hasChromium) return;
    [browser, server] = await Promise.all([launch(), serveGolden()]);
    ({ page } = await openPage(browser, 400, 300));
    await page.goto(server.url);
    await page.waitForFunction(() => window.golden !== undefined);
  });
  afterAll(async () => {
    await close(browser);
    server?.close();
  });

  /** Steps: all in the page and in a worker with shared memory, fewer over the slower ways. */
  const PLACES: [Place, number][] = [
    ['world', 1000],
    ['shared', 1000],
    ['messages', 300],
    ['page', 300],
  ];

  for (const scene of goldenScenes)
    browserTest(`${scene.id}: equal in every place`, async () => {
      for (const [place, steps] of PLACES) {
        const { hashes, events } = await page.evaluate(
          ([id, where, count]) => window.golden.run(id, where, count),
          [scene.id, place, steps] as const,
        );
        const expected = (golden as Record<string, string[]>)[scene.id]!.slice(0, steps / EVERY);
        const at = expected.findIndex((hash, i) => hash !== hashes[i]);
        const where = at < 0 ? '' : await explain(page, scene.id, (at + 1) * EVERY);
        expect(at, `first difference (${place}) at step ${(at + 1) * EVERY}: ${where}`).toBe(-1);
        expect(hashes.length).toBe(expected.length);
        expect(events, place).toBe(runCourse(new World(scene.world), scene, steps).events);
      }
    });

  for (const { id } of goldenScenes.filter(({ actors, systems }) => actors || systems))
    browserTest(`${id}: rollback of 8 and 60 frames on every frame, no mismatch`, async () => {
      const frames = process.env['SOAK'] ? 1000 : 62;
      for (const transport of ['shared', 'messages', 'page'] as const)
        expect(
          await page.evaluate(([name, kind, count]) => window.golden.rollBack(name, kind, count), [
            id,
            transport,
            frames,
          ] as const),
          transport,
        ).toEqual({ count: 2 * frames - 68 });
    });

  browserTest('several threads in a worker of an isolated page: the hash of one', async () => {
    const heap = (transport: 'shared' | 'messages' | 'page', threads: number) =>
      page.evaluate(([t, n]) => window.golden.heap(t, n), [transport, threads] as const);
    const alone = await heap('shared', 1);
    expect(alone).toMatchObject({ count: 1, reason: '' });
    for (const [transport, threads] of [
      ['shared', 2],
      ['messages', 4],
    ] as const) {
      const together = await heap(transport, threads);
      console.log(JSON.stringify(together));
      expect(together).toMatchObject({ hash: alone.hash, count: threads, reason: '', lost: 0 });
      expect(together.forks).toBeGreaterThan(0);
    }
    // A page's own thread may not wait for others.
    const inPage = await heap('page', 2);
    expect(inPage).toMatchObject({ hash: alone.hash, count: 1, lost: 0 });
    expect(inPage.reason).toMatch(/own thread/);
  });

  // THREAD_STEPS=1000 runs the scenes whole, THREAD_WORLDS=300 is the long run of random worlds, THREADS=2,3,4,8 all counts.
  const threadCounts = (process.env['THREADS'] ?? '2,4').split(',').map(Number);
  const threadSteps = Number(process.env['THREAD_STEPS'] ?? 20);
  const threadWorlds = Number(process.env['THREAD_WORLDS'] ?? 2);

  browserTest('golden scenes on several threads in a worker, each loop shared', async () => {
    for (const threads of threadCounts) {
      const scenes = goldenScenes.map(({ id }) => id);
      const answer = await page.evaluate((job) => window.golden.threads(job), {
        scenes,
        threads,
        steps: threadSteps,
      });
      expect(answer).toMatchObject({ difference: '', lost: 0 });
      expect(answer.forks).toBeGreaterThan(0);
      for (const scene of goldenScenes) {
        const expected = (golden as Record<string, string[]>)[scene.id]!.slice(0, threadSteps / EVERY);
        const outcome = answer.outcomes[scene.id]!;
        expect(outcome.hashes, `${scene.id} on ${threads} threads`).toEqual(expected);
        expect(outcome.events, `${scene.id} on ${threads} threads`).toBe(
          runCourse(new World(scene.world), scene, threadSteps).events,
        );
      }
    }
  });

  browserTest('random worlds and a recording on several threads in a worker', async () => {
    for (const threads of threadCounts) {
      const seeds = Array.from({ length: threadWorlds }, (_, i) => 1 + i);
      const job = { seeds, replay: 'churn', threads, steps: 30 };
      const answer = await page.evaluate((given) => window.golden.threads(given), job);
      expect(answer).toMatchObject({ difference: '', lost: 0 });
      expect(answer.forks).toBeGreaterThan(0);
    }
  });

  browserTest('a page that computes otherwise is told by step, body and field', async () => {
    expect(await explain(page, 'stacks', 60)).toBe('the same when recorded');
    expect(await explain(page, 'speed', 30, 17)).toMatch(
      /^step 18, body \d+, position: there \w+, here \w+$/,
    );
  });
});
