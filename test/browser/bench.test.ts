// The benchmark's page: one short scene with our engine and a peer.
import { expect } from 'vitest';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

const site = useSite();

/** As bench/page.ts has it; the benchmark is checked with its own dependencies, not with the project. */
interface BenchPage {
  done: boolean;
  results: {
    engine: string;
    failed?: string;
    sound: boolean;
    bodies: number;
    times: number[];
    median: number;
  }[];
}

browserTest('a short scene in two engines: figures for each, lines and bars', async () => {
  // cannon-es is a dependency of the project itself; the others are in bench/ and may not be there.
  const query = 'scene=wall&engines=ricochet,cannon&steps=40&run';
  const { page, complaints } = await site.open(`bench.html?${query}`, 1000, 800);
  const bench = () => page.evaluate(() => (window as unknown as { bench: BenchPage }).bench);
  await expect.poll(async () => (await bench()).done).toBe(true);
  const { results } = await bench();
  console.log(results.map(({ engine, median }) => `${engine} ${median.toFixed(3)} ms`).join(', '));
  expect(
    results.map(({ engine, failed, sound, bodies, times }) => [engine, failed, sound, bodies, times.length]),
  ).toEqual([
    ['ricochet', undefined, true, results[0]!.bodies, 40],
    ['cannon', undefined, true, results[0]!.bodies, 40],
  ]);
  expect(results[0]!.bodies).toBeGreaterThan(150);
  for (const { median } of results) expect(median).toBeGreaterThan(0);
  // Drawn: our colour, and others.
  for (const id of ['lines', 'bars'])
    expect(
      await page.evaluate((canvas) => {
        const paper = document.getElementById(canvas) as HTMLCanvasElement;
        const context = paper.getContext('2d') as CanvasRenderingContext2D;
        const seen = new Set<string>();
        const { data } = context.getImageData(0, 0, paper.width, paper.height);
        for (let i = 0; i < data.length; i += 4) seen.add([data[i], data[i + 1], data[i + 2]].join(' '));
        return seen.has('194 87 26') && seen.size > 8;
      }, id),
    ).toBe(true);
  expect(complaints).toEqual([]);
});
