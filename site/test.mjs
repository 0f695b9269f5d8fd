// The site in Chromium: npm run site:test, after npm run site. Every page is visited, at a path that the build did not
// know; none may complain, no link may lead nowhere. SITE_ONLY=part of a name runs some of the checks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { checkLinks, pagesOf } from './links.mjs';
import { root } from './pages.mjs';
import { serveSite } from './serve.mjs';

const dist = join(root, 'site/dist');
/** Said by the software renderer about reading pixels, not by a page. */
const DRIVER = /GL Driver Message|GPU stall due to ReadPixels/;
/** Said by react-three-fiber's code about three's newest release. */
const FIBER = /THREE\.Clock: This module has been deprecated/;
const PATIENCE = 180_000;

const checks = [];
const check = (name, run) => checks.push({ name, run });
function assert(right, message) {
  if (!right) throw new Error(message);
}

const site = await serveSite();
const browser = await launchBrowser();

/** A tab, and what its pages complain of. */
async function open(width = 1280, height = 800) {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (
      ['error', 'warning'].includes(message.type()) &&
      ![DRIVER, FIBER].some((known) => known.test(message.text()))
    )
      complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${page.url()}: ${answer.status()} ${answer.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** In a tab of its own, which must not have complained in the end. */
async function inTab(run, width, height) {
  const tab = await open(width, height);
  try {
    await run(tab.page);
    assert(tab.complaints.length === 0, tab.complaints.join('\n'));
  } finally {
    await tab.close();
  }
}

check('no dead link', () => {
  const { links, dead } = checkLinks(dist);
  assert(dead.length === 0, dead.slice(0, 30).join('\n'));
  return `${links} links of ${pagesOf(dist).length} pages`;
});

check('every page opens without a complaint', async () => {
  const paths = pagesOf(dist).filter((path) => !path.startsWith('demo/'));
  // The many pages of the reference, and of sources, are reached by links; each other one is loaded by itself.
  const linked = paths.filter((path) => /^(api|source)\//.test(path));
  const complaints = [];
  const look = async (page, path) => {
    const { title, wide, words } = await page.evaluate(() => ({
      title: document.title,
      wide: document.documentElement.scrollWidth > innerWidth,
      words: document.querySelector('#VPContent')?.textContent.length ?? 0,
    }));
    if (/404/.test(title)) complaints.push(`${path}: became a 404`);
    if (wide) complaints.push(`${path}: wider than its window`);
    if (words < 20) complaints.push(`${path}: empty`);
  };
  const tab = await open();
  for (const path of paths.filter((path) => !linked.includes(path))) {
    await tab.page.goto(site.url + path, { waitUntil: 'load' });
    // Alive: what the server sent became the program's.
    await tab.page.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined);
    await look(tab.page, path);
  }
  await tab.page.goto(`${site.url}api/index.html`);
  await tab.page.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined);
  for (const path of linked) {
    if (path === 'api/index.html') continue;
    await tab.page.evaluate(async (url) => {
      globalThis.arrived = undefined;
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
      link.remove();
      while (globalThis.arrived === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    }, site.url + path);
    await look(tab.page, path);
  }
  complaints.push(...tab.complaints);
  await tab.close();
  assert(complaints.length === 0, complaints.slice(0, 30).join('\n'));
  return `${paths.length} pages`;
});

check('on a phone nothing is wider than the screen', async () => {
  const paths = pagesOf(dist).filter((path) => !/^(demo|api|source)\//.test(path));
  await inTab(
    async (page) => {
      for (const path of [...paths, 'api/index.html', 'api/ricochet/classes/World.html']) {
        await page.goto(site.url + path, { waitUntil: 'load' });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(wide <= 0, `${path}: ${wide} pixels too wide`);
      }
    },
    390,
    844,
  );
  return `${paths.length + 2} pages`;
});

check('the landing page has a running world', () =>
  inTab(async (page) => {
    await page.goto(site.url);
    await page.waitForFunction(() =>
      /\d+ bodies .* ms per step/.test(document.querySelector('.state')?.textContent ?? ''),
    );
  }),
);

check('links are followed without loading anew, at any depth', () =>
  inTab(async (page) => {
    await page.goto(site.url);
    await page.evaluate(() => Object.assign(window, { same: true }));
    for (const [link, heading] of [
      ['a.primary', /./],
      ['.VPNavBar a[href$="/api/"], .VPNavBar a[href$="/api/index.html"]', /API reference/],
      ['.vp-doc a[href$="World.html"]', /World/],
      ['.vp-doc a[href*="interfaces/"]', /./],
      ['.VPNavBar a[href$="guides/start.html"]', /First steps/],
    ]) {
      const before = page.url();
      await page.locator(link).first().click();
      await page.waitForFunction((url) => location.href !== url, before);
      await page.waitForFunction(
        (pattern) => new RegExp(pattern).test(document.querySelector('.vp-doc h1')?.textContent ?? ''),
        heading.source,
      );
    }
    assert(await page.evaluate(() => window.same === true), 'a link loaded a page anew');
  }),
);

check('search finds a word of the documents and a name of the reference', () =>
  inTab(async (page) => {
    await page.goto(`${site.url}docs/hello.html`);
    await page.locator('.VPNavBarSearch button').first().click();
    for (const [word, part] of [
      ['hinge', 'docs/joints'],
      ['createPhysics', 'api/'],
    ]) {
      await page.locator('.VPLocalSearchBox input').fill(word);
      await page.waitForFunction(
        (text) =>
          [...document.querySelectorAll('.VPLocalSearchBox a.result')].some((link) =>
            link.href.includes(text),
          ),
        part,
      );
    }
  }),
);

check('an address that is not there leads back, from any depth', async () => {
  const tab = await open();
  for (const path of ['nothing.html', 'docs/deep/er/nothing']) {
    await tab.page.goto(site.url + path);
    await tab.page.waitForFunction(() => document.querySelector('a[href^="/"]') !== null);
    const home = await tab.page.evaluate(() => document.querySelector('[data-to]').href);
    assert(home === site.url, `${path} leads to ${home}`);
  }
  await tab.close();
});

check('every symbol that the package exports has a page', () => {
  const pages = pagesOf(dist).filter((path) => path.startsWith('api/'));
  const menus = JSON.parse(readFileSync(join(root, '.cache/site/api/symbols.json'), 'utf8'));
  // The page of a namespace is a folder's.
  const names = new Set(
    pages.map((path) =>
      path
        .replace(/(\/index)?\.html$/, '')
        .split('/')
        .at(-1),
    ),
  );
  const missing = menus.filter((name) => !names.has(name));
  assert(missing.length === 0, `no page for ${missing.join(', ')}`);
  return `${menus.length} symbols`;
});

const EXAMPLES = ['first', 'three', 'world', 'worker', 'joints', 'queries', 'react', 'babylon', 'ammo'];
for (const example of EXAMPLES)
  check(`playground: ${example} has no mistake, runs and prints`, () =>
    inTab(async (page) => {
      await page.goto(`${site.url}playground.html#example=${example}`);
      await page.waitForFunction(() => window.playground?.state.value === 'started');
      await page.waitForFunction(() => window.playground.lines.length > 0);
      const problems = await page.evaluate(() => window.playground.editor.problems());
      assert(problems.length === 0, problems.join('\n'));
      const errors = await page.evaluate(() =>
        window.playground.lines.filter(({ kind }) => kind === 'error'),
      );
      assert(errors.length === 0, JSON.stringify(errors));
      assert(await page.evaluate(() => crossOriginIsolated), 'the page is not isolated');
    }),
  );

check('playground: completes, tells mistakes, shares a program by its address', () =>
  inTab(async (page) => {
    await page.goto(`${site.url}playground.html#example=world`);
    await page.waitForFunction(() => window.playground?.state.value === 'started');
    const names = await page.evaluate(() => window.playground.editor.completions('world.'));
    for (const name of ['createBody', 'rayTest', 'stateHash'])
      assert(names.includes(name), `${name} is not offered`);
    await page.evaluate(() => {
      window.playground.editor.text =
        "import { World } from 'ricochet';\nconst world = new World();\nconsole.log('mine', world.bodyCont);\n";
    });
    const problems = await page.evaluate(() => window.playground.editor.problems());
    assert(/bodyCont/.test(problems.join()), `the mistake is not told: ${problems.join()}`);
    await page.locator('button', { hasText: 'Share' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#code='));
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await page.waitForFunction(() => window.playground?.lines.some(({ text }) => text.startsWith('mine')));
  }),
);

check('gallery: a deep link runs its scene, a click shoots, and every scene has a picture', () =>
  inTab(async (page) => {
    await page.goto(`${site.url}gallery.html#scene=wall`);
    const running = (bodies) =>
      page.waitForFunction((wanted) => {
        const told = /^(\d+) bodies .* ms per step · ([\d.]+) s$/.exec(
          document.querySelector('.stage .state')?.textContent ?? '',
        );
        return told !== null && Number(told[1]) >= wanted && Number(told[2]) > 0.2 ? told[1] : false;
      }, bodies);
    const before = Number(await (await running(1)).jsonValue());
    // A click shoots a ball; a drag shoots none.
    await page.locator('.stage canvas').click();
    await running(before + 1);
    const box = await page.locator('.stage canvas').boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 120, { steps: 5 });
    await page.mouse.up();
    await page.locator('button', { hasText: 'Again' }).click();
    await running(before);
    const missing = await page.evaluate(async () => {
      const images = [...document.querySelectorAll('article img')];
      const answers = await Promise.all(images.map(({ src }) => fetch(src)));
      return answers.filter(({ ok }) => !ok).map(({ url }) => url);
    });
    assert(missing.length === 0, missing.join('\n'));
  }),
);

/** Those of the demo that show something by themselves; the benchmark and snippet pages wait to be asked. */
const DEMO_PAGES = pagesOf(dist).filter((path) => /^demo\/[^/]+\.html$/.test(path) && !/snippet/.test(path));
for (const path of DEMO_PAGES)
  check(`${path} opens without a complaint, on a desktop and on a phone`, async () => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ])
      await inTab(
        async (page) => {
          await page.goto(site.url + path, { waitUntil: 'load' });
          await page.waitForTimeout(3000);
          const { wide, message } = await page.evaluate(() => ({
            wide: document.documentElement.scrollWidth - innerWidth,
            message: document.querySelector('#message:not([hidden])')?.textContent ?? '',
          }));
          assert(message === '', message);
          assert(wide <= 0, `${wide} pixels too wide for ${width}`);
        },
        width,
        height,
      );
  });

check('determinism: every golden hash is computed, and equal', async () => {
  let told = '';
  await inTab(async (page) => {
    await page.goto(`${site.url}determinism.html`);
    const figures = () => page.evaluate(() => ({ ...document.querySelector('.golden')?.dataset }));
    await page.waitForFunction(() => document.querySelector('.golden')?.dataset.busy === 'true');
    await page.waitForFunction(() => document.querySelector('.golden')?.dataset.busy === 'false', undefined, {
      timeout: 900_000,
    });
    const { equal, different, total } = await figures();
    assert(
      equal === total && different === '0' && Number(total) > 30,
      JSON.stringify({ equal, different, total }),
    );
    told = `${equal} scenes`;
  });
  return told;
});

check('benchmark: two engines run in the page', () =>
  inTab(async (page) => {
    await page.goto(`${site.url}benchmark.html?scene=wall&engines=ricochet,cannon&steps=20&run`);
    const handle = await page.locator('iframe').elementHandle();
    const inner = await handle.contentFrame();
    await inner.waitForFunction(() => window.bench?.done === true);
    const results = await inner.evaluate(() =>
      window.bench.results.map(({ failed, median }) => [failed, median > 0]),
    );
    assert(
      results.every(([failed, ran]) => failed === undefined && ran),
      JSON.stringify(results),
    );
  }),
);

let failed = 0;
const wanted = process.env.SITE_ONLY;
const chosen = checks.filter(({ name }) => wanted === undefined || name.includes(wanted));
for (const { name, run } of chosen) {
  const began = Date.now();
  try {
    const told = await run();
    console.log(`ok   ${name}${told ? `: ${told}` : ''} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n${error.message}`);
  }
}
await browser.close();
site.close();
console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
