// What physics costs the page, in Chromium: 10,000 moving bodies in one InstancedMesh, commands, garbage, the time
// to the first pose. Times are the best of a few tries, against the targets themselves: a busy machine can only
// add to them.
import { describe, expect } from 'vitest';
import { bestOf, within } from '../bestOf';
import { browserTest } from './support/chromium';
import { computing } from './support/references';
import { useRuntimePages } from './support/runtime';

const BODIES = 10_000;
const FRAMES = 600;
/** Bytes per frame: not even a boxed number in each, which takes 12. */
const LEAST_GARBAGE = 1;
/** What a page calls in a frame. */
const OURS = ['update', 'writeMatrices'];

describe('what it costs the page', () => {
  const pages = useRuntimePages();

  for (const transport of ['shared', 'messages'] as const)
    browserTest(
      `${BODIES} moving bodies: poses in 1.5 ms a frame, commands in 1 µs a body (${transport})`,
      async () => {
        const page = await pages.open();
        const run = () =>
          page.evaluate(([kind, n]) => window.runtime.crowd(kind, n), [transport, BODIES] as const);
        const limits = { frameMs: 1.5, commandUs: 1, createUs: 1 };
        const name = `Chromium, ${transport}: ${BODIES} bodies`;
        const best = await within(name, run, limits, computing(page));
        expect(best.awake).toBe(BODIES);
        expect(best.moving).toBe(true);
      },
    );

  browserTest(`${FRAMES} frames of ${BODIES} moving bodies make no garbage once warm`, async () => {
    const page = await pages.open();
    const session = await page.context().newCDPSession(page);
    await page.evaluate((n) => window.runtime.warmUp(n), BODIES);
    const measure = async () => {
      await session.send('HeapProfiler.startSampling', {
        samplingInterval: 1, // every allocation
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      } as never);
      const { fresh, updates } = await page.evaluate((n) => window.runtime.frames(n, 4), FRAMES);
      const { profile } = await session.send('HeapProfiler.stopSampling');
      // What was allocated below a call of ours; the test's own numbers are not counted.
      const sites = new Map<string, number>();
      const visit = ({ callFrame, selfSize, children }: typeof profile.head, ours: string) => {
        const { functionName } = callFrame;
        const path = ours !== '' || OURS.includes(functionName) ? `${ours} › ${functionName}` : '';
        if (path !== '' && selfSize > 0) sites.set(path, (sites.get(path) ?? 0) + selfSize);
        for (const child of children) visit(child, path);
      };
      visit(profile.head, '');
      const bytes = [...sites.values()].reduce((sum, size) => sum + size, 0);
      return { fresh, updates, bytes, sites: Object.fromEntries(sites) };
    };
    // Warm is who has been compiled, by a thread that a busy machine may keep waiting: then another round is.
    const { best, tries } = await bestOf(measure, ({ bytes }) => bytes / FRAMES / LEAST_GARBAGE);
    const { fresh, updates, bytes, sites } = best;
    console.log(
      `Chromium: ${fresh} frames of ${BODIES} bodies, ${updates} updates: ${bytes} bytes (round ${tries})`,
      sites,
    );
    expect(fresh).toBe(FRAMES);
    expect(bytes / FRAMES).toBeLessThan(LEAST_GARBAGE);
  });
});
