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

mkdirSync(folder, { recursive: true });
const groups = JSON.parse(readFileSync(join(root, '.cache/site/scenes.json'), 'utf8'));
const site = await serveSite();
const browser = await launchBrowser();
const wanted = process.argv.slice(2);
const shoot = async (id, path, ready) => {
  if (wanted.length > 0 && !wanted.includes(id)) return;
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`${site.url}demo/${path}`);
  await ready(page);
  await page.screenshot({ path: join(folder, `${id}.jpg`), type: 'jpeg', quality: 72, timeout: 120_000 });
  await page.close();
  console.log(id);
};
for (const { id } of groups.flatMap(({ scenes }) => scenes))
  await shoot(id, `index.html?scene=${id}&bare=1`, async (page) => {
    // A busy machine without graphics may be late: then the picture is of an earlier moment.
    await page
      .waitForFunction(
        (steps) => window.ricochetDemo?.session?.physics.stats.steps >= steps,
        60 * (MOMENTS[id] ?? 2.5),
      )
      .catch(() => console.log(`${id} is late`));
  });
for (const [id, path] of Object.entries(PAGES)) await shoot(id, path, (page) => page.waitForTimeout(9000));
await browser.close();
site.close();
