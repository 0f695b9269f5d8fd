// Lighthouse over the built site: npm run site:lighthouse. In: pages, with what each must reach. Out: a line for each page
// and kind of screen. Simulated slow phone (Lighthouse's default) and desktop; LIGHTHOUSE=desktop or mobile runs one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse, { desktopConfig } from 'lighthouse';
import { ensureChromium } from '../scripts/find-chromium.mjs';
import { serveSite } from './serve.mjs';

const KINDS = ['performance', 'accessibility', 'best-practices'];
const PAGES = [
  ['', 95],
  ['docs/hello.html', 95],
  ['docs/joints.html', 95],
  ['api/ricochet/classes/World.html', 95],
  ['gallery.html', 90],
  ['gallery.html#scene=wall', 90], // runs it
];
const PORT = 9555;

const site = await serveSite();
const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'));
const browser = spawn(
  ensureChromium(),
  [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    `--user-data-dir=${profile}`,
    `--remote-debugging-port=${PORT}`,
    'about:blank',
  ],
  { stdio: 'ignore' },
);
let missed = 0;
try {
  for (let i = 0; i < 100; i++) {
    const up = await fetch(`http://127.0.0.1:${PORT}/json/version`).then(
      () => true,
      () => false,
    );
    if (up) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const forms = { mobile: undefined, desktop: desktopConfig };
  for (const [form, config] of Object.entries(forms)) {
    if (process.env.LIGHTHOUSE && process.env.LIGHTHOUSE !== form) continue;
    for (const [path, least] of PAGES) {
      if (process.env.SITE_ONLY !== undefined && process.env.SITE_ONLY !== path) continue;
      const { lhr } = await lighthouse(
        site.url + path,
        { port: PORT, onlyCategories: KINDS, logLevel: 'silent' },
        config,
      );
      const scores = KINDS.map((kind) => Math.round(100 * lhr.categories[kind].score));
      const low = scores.some((score) => score < least);
      if (low) missed++;
      const told = KINDS.map((kind, i) => `${kind} ${scores[i]}`).join(', ');
      console.log(`${low ? 'LOW ' : 'ok  '} ${form} ${path || 'landing'}: ${told} (at least ${least})`);
      for (const { refs } of KINDS.map((kind) => ({ refs: lhr.categories[kind].auditRefs })))
        for (const { id, weight } of refs) {
          const { score, title, displayValue } = lhr.audits[id];
          if (low && weight > 0 && score !== null && score < 0.9)
            console.log(`       ${title}${displayValue ? `: ${displayValue}` : ''} (${score})`);
        }
    }
  }
} finally {
  browser.kill();
  site.close();
  await new Promise((resolve) => browser.once('exit', resolve));
  rmSync(profile, { recursive: true, force: true });
}
process.exit(missed ? 1 : 0);
