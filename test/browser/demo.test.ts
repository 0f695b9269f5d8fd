// The demo page, built and opened in a real browser: every scene is drawn, the controls do what they
// say, and the pile of 1,000 runs in its worker without holding up the page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findScene, scenes } from '../../demo/scenes';
import { World } from '../../src/index';
import { bestOf } from '../bestOf';
import { read, root } from '../sources';
import { browserTest } from './support/chromium';
import { MARK, startTrace, stopTrace } from './support/mainThread';
import { serveDemo } from './support/server';
import { useSite } from './support/site';

const DT = 1 / 60;
/** `UPDATE_SCREENSHOTS=1 npm run test:browser` also writes the pictures that README.md shows. */
const updates = process.env['UPDATE_SCREENSHOTS'] === '1';

/** Larger takes longer: every pixel costs software WebGL time. */
const [WIDTH, HEIGHT] = updates ? [960, 540] : [640, 360];

const site = useSite();

/** Opens the demo and waits for its first session. */
async function openDemo(query: string, width = WIDTH, height = HEIGHT) {
  const watched = await site.open(`?${query}`, width, height);
  await watched.page.waitForFunction(() => Boolean(window.ricochetDemo?.session));
  return watched;
}

const step = (page: Page, count: number) =>
  page.evaluate((n) => window.ricochetDemo.session!.physics.step(n), count);

/** Two more frames: whatever was told before is on the screen. Software WebGL takes seconds for each. */
async function drawn(page: Page): Promise<void> {
  const frames = await page.evaluate(() => window.ricochetDemo.frames);
  await page.waitForFunction((n) => window.ricochetDemo.frames >= n, frames + 2);
}

async function screenshot(page: Page, name: string): Promise<Buffer> {
  const image = await page.screenshot();
  mkdirSync(join(root, 'test/out'), { recursive: true });
  writeFileSync(join(root, 'test/out', `${name}.png`), image);
  const picture = `docs/screenshots/${name}.jpg`;
  if (updates && read('README.md').includes(picture)) {
    await page.evaluate(() => document.body.classList.add('bare'));
    await page.screenshot({ path: join(root, picture), type: 'jpeg', quality: 80 });
    await page.evaluate(() => document.body.classList.remove('bare'));
  }
  return image;
}

/** Bytes. A picture of one colour compresses to a few thousand, a scene does not. */
const EMPTY_PICTURE = 30_000;

describe('scenes', () => {
  /** Steps after which the picture is taken: there is something to see. */
  const moments: Record<string, number> = {
    'pile-mixed': 130,
    'hull-pile': 150,
    terrain: 140,
    stairs: 100,
    'marble-run': 420,
    'query-playground': 120,
    'ragdoll-stairs': 150,
    'rope-bridge': 70,
    'joint-net': 100,
    'bullet-wall': 90,
    blades: 90,
    pinball: 150,
    shower: 120,
  };

  for (const { id, title } of scenes)
    browserTest(`${id} is drawn`, async () => {
      const { page, complaints } = await openDemo(`scene=${id}&paused=1`);
      await step(page, moments[id] ?? 30);
      await drawn(page);
      const image = await screenshot(page, id);
      expect(image.length).toBeGreaterThan(EMPTY_PICTURE);
      expect(await page.textContent('#title')).toBe(title);
      const count = await page.evaluate(() => window.ricochetDemo.session!.physics.stats.bodies);
      expect(count).toBe(countBodies(id));
      if (findScene(id)!.ask !== undefined)
        await page.waitForFunction(() => window.ricochetDemo.session!.queries!.drawn > 0);
      expect(complaints).toEqual([]);
    });

  function countBodies(id: string): number {
    let count = 0;
    findScene(id)!.build({ createJoint: () => 0, createBody: () => ++count });
    return count;
  }
});

describe('controls', () => {
  browserTest('a click shoots a ball', async () => {
    const { page, complaints } = await openDemo('scene=wall&paused=1', 640, 400);
    const bodies = () => page.evaluate(() => window.ricochetDemo.session!.physics.bodyCount);
    const before = await bodies();
    await page.mouse.click(310, 190);
    expect(await bodies()).toBe(before + 1);
    expect(await page.evaluate(() => window.ricochetDemo.session!.physics.isRunning)).toBe(true);
    await page.mouse.move(250, 150);
    await page.mouse.down();
    await page.mouse.move(310, 170, { steps: 4 });
    await page.mouse.up();
    expect(await bodies(), 'a drag is no shot').toBe(before + 1);
    expect(complaints).toEqual([]);
  });

  browserTest('three balls break the wall', async () => {
    const { page, complaints } = await openDemo('scene=wall&paused=1');
    const shoot = (x: number, y: number) =>
      page.evaluate(
        ([atX, atY]) => {
          window.ricochetDemo.shoot(atX, atY);
          window.ricochetDemo.setPaused(true);
        },
        [x, y] as const,
      );
    await page.evaluate(() => {
      window.ricochetDemo.settings.ball.mass = 12;
    });
    await shoot(-0.08, 0);
    await step(page, 12);
    await shoot(0.28, 0.25);
    await shoot(-0.3, 0.35);
    await step(page, 34);
    // Seen from behind, where the bricks fly.
    await page.evaluate(() => {
      const { camera, controls } = window.ricochetDemo.stage!;
      camera.position.set(-12, 6, -13.5);
      controls.target.set(-0.3, 2.7, -1.5);
    });
    await drawn(page);
    await screenshot(page, 'wall-shot');
    // The wall is half a metre thick.
    const furthest = await page.evaluate(() =>
      Math.max(...window.ricochetDemo.session!.bodies.map((body) => Math.abs(body.getPosition()[2]))),
    );
    expect(furthest).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  });

  browserTest('keys pause, step, reset and choose a scene', async () => {
    const { page, complaints } = await openDemo('scene=wall&render=0');
    const steps = () => page.evaluate(() => window.ricochetDemo.session!.physics.stats.steps);
    await page.waitForFunction(() => window.ricochetDemo.session!.physics.stats.steps > 5);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.ricochetDemo.session!.physics.isRunning);
    await page.evaluate(() => window.ricochetDemo.session!.physics.step(1));
    const paused = await steps();
    await page.keyboard.press('s');
    await page.waitForFunction((n) => window.ricochetDemo.session!.physics.stats.steps === n, paused + 1);
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.ricochetDemo.session!.physics.stats.steps === 0);
    await page.keyboard.press('1');
    const shows = (title: string) =>
      page.waitForFunction((text) => document.querySelector('#title')!.textContent === text, title);
    await shows('Pyramid');
    await page.keyboard.press('ArrowRight');
    await shows('Towers');
    await page.keyboard.press('ArrowLeft');
    await shows('Pyramid');
    // The list: opened by a key or the button, closed by the choice or by Escape.
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Wall', exact: true }).click();
    await shows('Wall');
    expect(await page.isVisible('#scenes')).toBe(false);
    await page.click('#choose');
    expect(await page.isVisible('#scenes')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#scenes')).toBe(false);
    expect(complaints).toEqual([]);
  });

  browserTest('every overlay is drawn, and the settings apply', async () => {
    // Wide enough for the panel of settings to be open.
    const { page, complaints } = await openDemo('scene=stackgrid&paused=1', 920, 420);
    await step(page, 20);
    for (const name of ['contacts', 'aabbs', 'islands', 'wireframe'] as const) {
      await page.evaluate((shown) => {
        const { settings, session } = window.ricochetDemo;
        Object.assign(settings.view, { contacts: false, aabbs: false, islands: false, wireframe: false });
        settings.view[shown] = true;
        session!.setView(settings.view);
      }, name);
      await step(page, 1);
      await drawn(page);
      const image = await screenshot(page, `overlay-${name}`);
      expect(image.length).toBeGreaterThan(EMPTY_PICTURE);
      if (name === 'wireframe') continue;
      const lines = await page.evaluate(() => window.ricochetDemo.session!.physics.debugLines.count);
      expect(lines, name).toBeGreaterThan(100);
    }
    await page.locator('.lil-gui select').first().selectOption('bullet3');
    const settings = await page.evaluate(() => window.ricochetDemo.session!.physics.settings);
    expect(settings).toMatchObject({ substeps: 1, iterations: 10 });
    await step(page, 1);
    expect(complaints).toEqual([]);
  });

  browserTest('a browser without WebGL is told so', async () => {
    const { page } = await site.empty(640, 400);
    await page.addInitScript(() => Object.assign(HTMLCanvasElement.prototype, { getContext: () => null }));
    await page.goto(`${site.server.url}?scene=wall`);
    await page.waitForSelector('#message:not([hidden])');
    expect(await page.textContent('#message')).toContain('WebGL 2');
  });

  browserTest('the picture follows the size of the window', async () => {
    const { page, complaints } = await openDemo('scene=wall&paused=1', 640, 400);
    const size = () =>
      page.evaluate(() => {
        const { width, height } = document.querySelector('#view') as HTMLCanvasElement;
        return [width, height];
      });
    expect(await size()).toEqual([640, 400]);
    await page.setViewportSize({ width: 390, height: 700 });
    await page.waitForFunction(() => (document.querySelector('#view') as HTMLCanvasElement).width === 390);
    expect(await size()).toEqual([390, 700]);
    await drawn(page);
    await screenshot(page, 'phone');
    expect(complaints).toEqual([]);
  });
});

describe('the pile of 1,000 in the worker', () => {
  // Drawing is off (?render=0): software WebGL takes seconds per frame on the main thread, which is
  // neither the engine's cost nor a user's. All else runs as always: the worker, the frames of poses, the
  // interpolation, the matrices and colours of all instances.
  browserTest('settles, stays above the floor, arrives interpolated, and never blocks the page', async () => {
    const { page, complaints } = await site.empty(800, 500);
    await startTrace(site.browser, page);
    const truth = freeFall(90);
    // The heights of the last body, which falls freely for more than a second, frame by frame.
    const fall = async () => {
      await page.goto(`${site.server.url}?scene=pile-mixed&render=0`);
      await page.waitForFunction(() => window.ricochetDemo?.session?.physics.stats.steps);
      const heights = await page.evaluate(async (mark) => {
        performance.clearMarks(mark);
        performance.mark(mark);
        const { session } = window.ricochetDemo;
        const body = session!.bodies.at(-1)!;
        const began = performance.now();
        const seen: number[] = [];
        while (performance.now() - began < 1200) {
          await new Promise(requestAnimationFrame);
          seen.push(body.getPosition()[1]);
        }
        return seen;
      }, MARK);
      const between = phases(heights, truth);
      return {
        count: between.length,
        inBetween: between.filter((phase) => phase > 0.02 && phase < 0.98).length / between.length,
        rises: heights.filter((height, i) => height > heights[i - 1]! + 1e-6).length,
      };
    };
    // How evenly the poses come is up to the machine, too: a thread that is not let run has nothing to interpolate.
    const { best, tries } = await bestOf(fall, ({ count, inBetween, rises }) =>
      count > 10 && rises === 0 ? 0.5 / inBetween : Number.POSITIVE_INFINITY,
    );
    expect(best.count).toBeGreaterThan(10);
    // Without interpolation it would be none.
    expect(best.inBetween, 'share of poses that lie between two steps').toBeGreaterThanOrEqual(0.5);
    expect(best.rises, 'frames in which it moved upwards').toBe(0);

    await page.waitForFunction(() => window.ricochetDemo.session!.physics.stats.awake === 0);
    const { lowest, seconds } = await page.evaluate(() => {
      const { session } = window.ricochetDemo;
      const moving = session!.bodies.filter((body) => body.type === 'dynamic');
      return {
        lowest: Math.min(...moving.map((body) => body.getPosition()[1])),
        seconds: session!.physics.stats.steps / 60,
      };
    });
    const tasks = await stopTrace(site.browser);
    const longest = Math.max(...tasks.map(({ cpu }) => cpu));
    const blocked = Math.max(...tasks.map(({ wall }) => wall));
    console.log(
      `pile-mixed: all at rest after ${seconds.toFixed(1)} s, lowest centre ${lowest.toFixed(3)} m, ` +
        `${(100 * best.inBetween).toFixed(0)} % of the poses between steps (try ${tries}), ` +
        `${tasks.length} tasks, the longest ${longest.toFixed(1)} ms of the processor (by the clock ${blocked.toFixed(1)})`,
    );
    // The smallest body has a radius of 0.15 m; none may be lower than that by more than the slop.
    expect(lowest).toBeGreaterThan(0.145);
    // A long task by its usual definition, in time of the processor: what held up the page was not the page.
    expect(tasks.length).toBeGreaterThan(60 * 5);
    expect(longest).toBeLessThan(50);
    expect(complaints).toEqual([]);
  });

  /** Heights of the scene's last body after each of the first steps, from a world in Node. */
  function freeFall(steps: number): number[] {
    const scene = findScene('pile-mixed')!;
    const world = new World(scene.world);
    let last: ReturnType<World['createBody']> | undefined;
    scene.build({
      createBody: (options) => (last = world.createBody(options)),
      createJoint: (options) => world.createJoint(options),
    });
    const heights = [last!.getPosition()[1]];
    for (let i = 0; i < steps; i++) {
      world.step(DT);
      heights.push(last!.getPosition()[1]);
    }
    return heights;
  }

  /** Where each height lies between the two steps around it: 0 at the earlier one, 1 at the later one. */
  function phases(heights: number[], steps: number[]): number[] {
    return heights.flatMap((height) => {
      const k = steps.findIndex(
        (at, i) => at >= height && height > (steps[i + 1] ?? Number.POSITIVE_INFINITY),
      );
      return k < 0 ? [] : [(steps[k]! - height) / (steps[k]! - steps[k + 1]!)];
    });
  }
});

describe('the worker of the demo computes what Node computes', () => {
  for (const isolated of [true, false])
    browserTest(`on a page that is ${isolated ? '' : 'not '}cross-origin isolated`, async () => {
      const own = await site.serve(serveDemo(isolated));
      const { page, complaints } = await site.empty(640, 400);
      await page.goto(`${own.url}?scene=wall&paused=1&render=0`);
      await page.waitForFunction(() => Boolean(window.ricochetDemo?.session));
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated);
      await step(page, 300);
      const hash = await page.evaluate(() => window.ricochetDemo.session!.physics.stateHash());
      const pose = await page.evaluate(() => window.ricochetDemo.session!.bodies.at(-1)!.getPosition());
      const scene = findScene('wall')!;
      const world = new World(scene.world);
      let last: ReturnType<World['createBody']> | undefined;
      scene.build({
        createBody: (options) => (last = world.createBody(options)),
        createJoint: (options) => world.createJoint(options),
      });
      for (let i = 0; i < 300; i++) world.step(DT);
      expect(hash).toBe(world.stateHash());
      expect(pose).toEqual(last!.getPosition());
      expect(complaints).toEqual([]);
    });
});

browserTest('the worker example of the README runs', async () => {
  const { page, complaints } = await site.open('snippet.html', 400, 300);
  await page.waitForSelector('body[data-ready=true]', { state: 'attached' });
  // Nothing but the background would be a kilobyte.
  await expect.poll(async () => (await screenshot(page, 'snippet')).length).toBeGreaterThan(1300);
  expect(complaints).toEqual([]);
});
