// The animated picture at the top of README: node site/preview.mjs [file], after npm run site. Out: docs/screenshots/preview.webp.
// Steps are made one by one, so that a slow machine makes the same picture as a fast one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { animatedWebp } from '../scripts/animated-webp.mjs';
import { launchBrowser } from './browser.mjs';
import { root } from './pages.mjs';
import { serveSite } from './serve.mjs';

const WIDTH = 640;
const HEIGHT = 360;
const QUALITY = 0.5;
/** Steps between two pictures: 15 pictures a second. */
const STEPS = 4;
/**
 * Scenes one after the other, for so many pictures, after so many pictures that nobody sees; balls through points of the
 * picture (normalised device coordinates), by the number of the picture.
 */
const CLIPS = [
  { scene: 'wall', skip: 0, pictures: 30, shots: { 2: [-0.3, 0], 8: [0.3, 0.1], 14: [0, -0.05] } },
  { scene: 'ragdoll-stairs', skip: 8, pictures: 24, shots: {} },
  { scene: 'dominoes', skip: 15, pictures: 20, shots: {} },
];

const site = await serveSite();
const browser = await launchBrowser();
const pictures = [];
for (const { scene, skip, pictures: count, shots } of CLIPS) {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  page.setDefaultTimeout(300_000);
  // The page draws when it is told to.
  await page.addInitScript(() => (globalThis.requestAnimationFrame = () => 0));
  await page.goto(`${site.url}demo/index.html?scene=${scene}&bare=1&paused=1`);
  await page.waitForFunction(() => window.ricochetDemo?.session?.physics.stats.bodies > 0, undefined, {
    polling: 200, // not by frames
  });
  for (let i = -skip; i < count; i++) {
    const data = await page.evaluate(
      async ({ steps, shot, quality, seen }) => {
        const demo = window.ricochetDemo;
        if (shot !== undefined) {
          demo.shoot(...shot);
          demo.setPaused(true);
        }
        await demo.session.physics.step(steps);
        if (!seen) return '';
        demo.frame(performance.now());
        return document.querySelector('#view').toDataURL('image/webp', quality).split(',')[1];
      },
      { steps: STEPS, shot: shots[i], quality: QUALITY, seen: i >= 0 },
    );
    if (i >= 0) pictures.push(Buffer.from(data, 'base64'));
  }
  await page.close();
  console.log(scene);
}
await browser.close();
site.close();
const file = animatedWebp(pictures, WIDTH, HEIGHT, (1000 * STEPS) / 60);
writeFileSync(process.argv[2] ?? join(root, 'docs/screenshots/preview.webp'), file);
console.log(`${pictures.length} pictures, ${(file.length / 1024).toFixed(0)} KB`);
