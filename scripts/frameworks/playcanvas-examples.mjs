// PlayCanvas's own physics examples with our world in place of Ammo. In: a clone of github.com/playcanvas/engine (its git
// directory will do). Out: pictures in test/out/playcanvas-examples, and what the console said; with status 1 if one fails.
// Two things are changed in each: Ammo is not loaded, and AppOptions.physicsWorld is set.
//
//   node scripts/frameworks/playcanvas-examples.mjs path/to/engine [example…]
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, HOW_TO_FIX, launch } from './browser.mjs';
import { servePages, visit } from './pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'test/out/playcanvas-examples');
const [, , clone, ...asked] = process.argv;
if (clone === undefined) {
  console.error('usage: node scripts/frameworks/playcanvas-examples.mjs path/to/engine [example…]');
  process.exit(2);
}
const EXAMPLES = ['falling-shapes', 'compound-collision', 'offset-collision', 'joints', 'ragdoll', 'raycast'];
const names = asked.length > 0 ? asked : EXAMPLES;
const git = (...args) => execFileSync('git', ['-C', clone, ...args], { maxBuffer: 1e9 });

function adapt(code, name) {
  const adapted = code
    .replace(/WasmModule\.setConfig\('Ammo', \{[\s\S]*?\}\);/, '')
    .replace(/await new Promise\(\(resolve\) => \{\s*WasmModule\.getInstance\('Ammo'[\s\S]*?\}\);/, '')
    .replace(
      'app.init(createOptions);',
      'createOptions.physicsWorld = shown.world; app.init(createOptions); shown.app = app;',
    );
  if (!adapted.includes('shown.app')) throw new Error(`${name}: does not start as the others do`);
  return `import { RicochetPhysicsWorld } from 'ricochet/playcanvas';\nconst shown = (window.shown = { world: new RicochetPhysicsWorld() });\n${adapted}`;
}

rmSync(join(out, 'pages'), { recursive: true, force: true });
const pages = join(out, 'pages');
const assets = new Set();
mkdirSync(pages, { recursive: true });
for (const name of names) {
  const code = git('show', `HEAD:examples/src/examples/physics/${name}.example.mjs`).toString();
  for (const [, path] of code.matchAll(/'\.\/(assets\/(?!wasm)[^']+)'/g)) assets.add(path);
  writeFileSync(join(pages, `${name}.mjs`), adapt(code, name));
  writeFileSync(
    join(pages, `${name}.html`),
    `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body{margin:0}canvas{width:100%;height:100%}</style><canvas id="application-canvas"></canvas><script type="module" src="./${name}.mjs"></script>\n`,
  );
}
for (const path of [
  ...assets,
  ...[...assets].filter((each) => each.endsWith('.json')).map((each) => each.replace('.json', '.png')),
]) {
  mkdirSync(dirname(join(pages, 'public', path)), { recursive: true });
  writeFileSync(join(pages, 'public', path), git('show', `HEAD:examples/${path}`));
}
writeFileSync(
  join(pages, 'context.mjs'),
  "export const deviceType = 'webgl2';\nexport const data = undefined;\n",
);

const server = await servePages({
  folder: pages,
  out: join(out, 'dist'),
  names,
  alias: [{ find: 'examples/context', replacement: join(pages, 'context.mjs') }],
});
const browser = await launch();
if (browser === null) {
  console.error(HOW_TO_FIX);
  process.exit(1);
}
let failures = 0;
for (const name of names) {
  const { state, wrong } = await visit(browser, `${server.address}${name}.html`, {
    picture: join(out, `${name}.png`),
    async watch(page) {
      await page.waitForFunction(() => window.shown?.world.nativeWorld.stepCount > 120, undefined, {
        timeout: 180_000,
      });
      return `${await page.evaluate(() => window.shown.world.nativeWorld.bodyCount)} bodies`;
    },
  });
  if (wrong) failures++;
  console.log(`${name.padEnd(22)}${state}`);
}
await close(browser);
await server.close();
process.exit(failures > 0 ? 1 : 0);
