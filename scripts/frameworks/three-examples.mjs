// three.js's own examples of its physics add-ons, with the import of the add-on changed to ricochet/three. In: the folder
// `examples` of a copy of github.com/mrdoob/three.js. Out: pictures in test/out/three-examples, and what the console said;
// with status 1 if one of them fails.
//
//   node scripts/frameworks/three-examples.mjs path/to/three.js/examples
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, loadConfigFromFile, preview } from 'vite';
import { close, HOW_TO_FIX, launch } from './browser.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'test/out/three-examples');
const [, , folder] = process.argv;
if (folder === undefined) {
  console.error('usage: node scripts/frameworks/three-examples.mjs path/to/three.js/examples');
  process.exit(2);
}

const EXAMPLES = [
  'physics_rapier_instancing',
  'physics_ammo_instancing',
  'physics_jolt_instancing',
  'physics_rapier_basic',
  'physics_rapier_terrain',
  'webxr_xr_ballshooter',
];
const found = EXAMPLES.filter((name) => existsSync(join(folder, `${name}.html`)));
for (const name of EXAMPLES) if (!found.includes(name)) console.log(`${name.padEnd(28)}is not in ${folder}`);

/** The import of an add-on; that of the helper beside it, which asks Rapier itself for its lines, is a helper without lines. */
function adapt(html) {
  return html
    .replace(/<link[^>]*main\.css[^>]*>/g, '')
    .replace(/<script (async )?src=[^>]*><\/script>/g, '')
    .replace(/<script type="importmap">[\s\S]*?<\/script>/, '')
    .replace(
      /import \{ (Rapier|Ammo|Jolt)Physics(, RapierDebugRenderer)? \} from 'three\/addons\/physics\/\w+\.js';/,
      (_, engine, helper) =>
        `import { RicochetPhysics as ${engine}Physics } from 'ricochet/three';` +
        (helper ? ' class RapierDebugRenderer { update() {} }' : ''),
    )
    .replace(
      /import \{ RapierHelper \} from 'three\/addons\/helpers\/RapierHelper.js';/,
      'class RapierHelper extends THREE.Object3D { update() {} }',
    );
}

rmSync(join(out, 'pages'), { recursive: true, force: true });
mkdirSync(join(out, 'pages'), { recursive: true });
for (const name of found)
  writeFileSync(
    join(out, 'pages', `${name}.html`),
    adapt(readFileSync(join(folder, `${name}.html`), 'utf8')),
  );

const { config } = await loadConfigFromFile(
  { command: 'build', mode: 'production' },
  join(root, 'vite.config.ts'),
);
const settings = {
  configFile: false,
  root: join(out, 'pages'),
  base: './',
  logLevel: 'error',
  resolve: { alias: config.resolve.alias },
  worker: { format: 'es' },
  build: {
    outDir: join(out, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { input: found.map((name) => join(out, 'pages', `${name}.html`)) },
  },
};
await build(settings);
const server = await preview({ ...settings, preview: { port: 0 } });
const browser = await launch();
if (browser === null) {
  console.error(HOW_TO_FIX);
  process.exit(1);
}
let failures = 0;
for (const name of found) {
  const page = await browser.newPage({ viewport: { width: 480, height: 360 } });
  const said = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  let state = 'runs';
  try {
    await page.goto(`${server.resolvedUrls.local[0]}${name}.html`, { timeout: 120_000 });
    await page.waitForSelector('canvas', { timeout: 120_000 });
    await page.waitForTimeout(6000);
    await page.screenshot({ path: join(out, `${name}.png`), timeout: 120_000 });
  } catch (error) {
    state = `FAILS: ${String(error).split('\n')[0]}`;
  }
  // Pictures and models of the examples are not here; software drawing is slow.
  const complaints = said.filter(
    (text) => !/THREE\.Clock|deprecated|GPU stall|GL Driver|404|ERR_/.test(text),
  );
  if (complaints.length > 0) state += `; said: ${[...new Set(complaints)].join(' | ').slice(0, 400)}`;
  if (state.startsWith('FAILS') || complaints.some((text) => !text.startsWith('ricochet/'))) failures++;
  console.log(`${name.padEnd(28)}${state}`);
  await page.close();
}
await close(browser);
await server.close();
process.exit(failures > 0 || found.length === 0 ? 1 : 0);
