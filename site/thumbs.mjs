// Pictures for the gallery, taken from the built site: node site/thumbs.mjs, after a change of the scenes. Out:
// site/public/thumbs, which the repository keeps.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { root } from './pages.mjs';
import { serveSite } from './serve.mjs';

const folder = join(root, 'site/public/thumbs');
/** s of simulated time at which something is to be seen; others: 2.5. */
const MOMENTS = {
  cradle: 1.2,
  'bullet-wall': 1,
  shower: 1.5,
  'marble-run': 6,
  'heavy-chain': 4,
  'query-playground': 3,
};
const PAGES = {
  siege: 'siege.html',
  driving: 'driving.html',
  ragdolls: 'ragdolls.html',
  character: 'character.html',
  harbour: 'harbour.html',
  rooms: 'rooms.html',
  react: 'react.html',
  babylon: 'babylon.html',
  playcanvas: 'playcanvas.html',
  ammo: 'ammo.html',
  compare: 'compare.html',
  torture: 'torture.html',
};

/** What lies on the picture would hide it. */
const WITHOUT_CARDS = 'body * { visibility: hidden } canvas, iframe { visibility: visible }';

mkdirSync(folder, { recursive: true });
const groups = JSON.parse(readFileSync(join(root, '.cache/site/scenes.json'), 'utf8'));
const site = await serveSite();
const browser = await launchBrowser();
const wanted = process.argv.slice(2);
/** @param scale  the picture has this many pixels for each of the page */
const shoot = async (id, path, scale, ready) => {
  if (wanted.length > 0 && !wanted.includes(id)) return;
  const viewport = { width: 480 / scale, height: 300 / scale };
  const page = await browser.newPage({ viewport, deviceScaleFactor: scale });
  page.setDefaultTimeout(60_000);
  await page.goto(`${site.url}demo/${path}`);
  await ready(page);
  // The last frame stays: a machine without graphics would be drawing the next one all the time.
  await page.evaluate(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  await page.screenshot({ path: join(folder, `${id}.jpg`), type: 'jpeg', quality: 72, timeout: 120_000 });
  await page.close();
  console.log(id);
};
for (const { id } of groups.flatMap(({ scenes }) => scenes))
  await shoot(id, `index.html?scene=${id}&bare=1`, 1, async (page) => {
    // A busy machine without graphics may be late: then the picture is of an earlier moment.
    await page
      .waitForFunction(
        (steps) => window.ricochetDemo?.session?.physics.stats.steps >= steps,
        60 * (MOMENTS[id] ?? 2.5),
      )
      .catch(() => console.log(`${id} is late`));
  });
for (const [id, path] of Object.entries(PAGES))
  await shoot(id, path, 0.5, async (page) => {
    await page.waitForTimeout(9000);
    await page.addStyleTag({ content: WITHOUT_CARDS });
  });
await browser.close();
site.close();
