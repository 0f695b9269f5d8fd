// Pages of other people's examples, for the commands of this folder. In: a folder of HTML pages. Out: they are built with the sources
// of this package in place of 'ricochet/…', served, visited in Chromium, and what they said.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, loadConfigFromFile, preview } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Said by software drawing and by libraries about themselves. */
const OF_OTHERS = /THREE\.Clock|deprecated|GPU stall|GL Driver/;

/**
 * Builds pages and serves them.
 *
 * @param folder  of the pages
 * @param out  folder of the build
 * @param names  of the pages, without .html; default: index
 * @param alias  before the sources of this package: { find, replacement } each
 * @param headers  of the server
 */
export async function servePages({ folder, out, names = ['index'], alias = [], headers = {} }) {
  const { config } = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(root, 'vite.config.ts'),
  );
  const sources = Object.entries(config.resolve.alias).map(([find, replacement]) => ({ find, replacement }));
  const settings = {
    configFile: false,
    root: folder,
    base: './',
    logLevel: 'error',
    resolve: { alias: [...alias, ...sources] },
    worker: { format: 'es' },
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: names.map((name) => join(folder, `${name}.html`)) },
    },
  };
  await build(settings);
  const server = await preview({ ...settings, preview: { port: 0, headers } });
  return { address: server.resolvedUrls.local[0], close: () => server.close() };
}

/**
 * Visits a page. The state begins with FAILS where `watch` threw; `wrong` is true then, and where the page said anything but our own
 * warnings.
 *
 * @param watch  given the page once it is there; waits for what is to be seen; returns what to say of it
 * @param picture  where to write the last picture
 * @param expected  what the page may say, beside what others do
 * @param before  given the page before it is there
 */
export async function visit(
  browser,
  address,
  { watch, picture, expected = /(?!)/, before = async () => {} },
) {
  const page = await browser.newPage({ viewport: { width: 480, height: 360 } });
  const said = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  let state = 'runs';
  try {
    await before(page);
    await page.goto(address, { timeout: 120_000 });
    const seen = await watch(page);
    if (seen) state += `, ${seen}`;
  } catch (error) {
    state = `FAILS: ${String(error).split('\n')[0]}`;
  }
  await page.screenshot({ path: picture, timeout: 120_000 }).catch(() => {});
  await page.close();
  const complaints = said.filter((text) => !OF_OTHERS.test(text) && !expected.test(text));
  if (complaints.length > 0) state += `; said: ${[...new Set(complaints)].join(' | ').slice(0, 400)}`;
  const wrong = state.startsWith('FAILS') || complaints.some((text) => !text.startsWith('ricochet/'));
  return { state, wrong };
}
