// three.js's own examples of its physics add-ons: each with the import of the add-on changed to ricochet/three, and as it is. In: the
// folder `examples` of a copy of github.com/mrdoob/three.js, or the address of one; default: that of the installed release on
// GitHub. Out: pictures of both in test/out/three-examples, what the console said; with status 1 if one fails on ours, or a body is
// within the ground. Engines of the originals come from npm, in the versions that the add-ons ask for.
//
//   node scripts/frameworks/three-examples.mjs [path/to/three.js/examples | https://…/examples/ [example…]]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, HOW_TO_FIX, launch } from './browser.mjs';
import { servePages, visit } from './pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'test/out/three-examples');
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/three/package.json'), 'utf8'));
const PUBLIC = `https://raw.githubusercontent.com/mrdoob/three.js/r${version.split('.')[1]}/examples/`;
const [, , from = PUBLIC, ...asked] = process.argv;

/** All that use nothing but the object that an add-on gives. The others call Rapier or Ammo themselves. */
const EXAMPLES = [
  'physics_rapier_instancing',
  'physics_ammo_instancing',
  'physics_jolt_instancing',
  'physics_rapier_basic',
  'physics_rapier_terrain',
  'webxr_xr_ballshooter',
];

async function read(name) {
  if (!/^https?:/.test(from))
    return existsSync(join(from, name)) ? readFileSync(join(from, name)) : undefined;
  const answer = await fetch(new URL(name, from)).catch(() => undefined);
  return answer?.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
}

/** The page for a bundler: what a build of three.js and its add-ons are called says vite, not the page's import map. */
const bundled = (html) => html.replace(/<script type="importmap">[\s\S]*?<\/script>/, '');
/** The imports of an add-on and of the helper that draws its lines. */
const swapped = (html) =>
  html
    .replace(
      /import \{ (Rapier|Ammo|Jolt)Physics \} from 'three\/addons\/physics\/\w+\.js';/,
      "import { RicochetPhysics as $1Physics } from 'ricochet/three';",
    )
    .replace(
      /import \{ RapierHelper \} from 'three\/addons\/helpers\/RapierHelper\.js';/,
      "import { PhysicsLines as RapierHelper } from 'ricochet/three';",
    );

const found = [];
rmSync(join(out, 'pages'), { recursive: true, force: true });
for (const name of asked.length > 0 ? asked : EXAMPLES) {
  const html = (await read(`${name}.html`))?.toString();
  if (html === undefined) {
    console.log(`${name.padEnd(28)}is not in ${from}`);
    continue;
  }
  found.push(name);
  if (swapped(html) === html) throw new Error(`${name}: imports no add-on of three.js in the known way`);
  const assets = [...html.matchAll(/['"]((?:textures\/|main\.css)[^'"]*)['"]/g)].map(([, path]) => path);
  for (const [engine, text] of [
    ['ricochet', swapped(html)],
    ['original', html],
  ]) {
    const pages = join(out, 'pages', engine);
    mkdirSync(pages, { recursive: true });
    writeFileSync(join(pages, `${name}.html`), bundled(text));
    for (const path of assets) {
      const bytes = await read(path);
      const to = path.endsWith('.css') ? join(pages, path) : join(pages, 'public', path);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, bytes ?? '');
    }
  }
}

// The add-ons load their engines from a network; here from packages.
const addOns = join(root, 'node_modules/three/examples/jsm/physics');
const engines = ['RapierPhysics', 'JoltPhysics'].map((name) => {
  const [, module, release, path] = /cdn\.jsdelivr\.net\/npm\/((?:@[^/]+\/)?[^@/]+)@([^/]+)\/([^']+)/.exec(
    readFileSync(join(addOns, `${name}.js`), 'utf8'),
  );
  return { module, release, path };
});
if (engines.some(({ module }) => !existsSync(join(out, 'node_modules', module)))) {
  const dependencies = Object.fromEntries(engines.map(({ module, release }) => [module, release]));
  writeFileSync(join(out, 'package.json'), JSON.stringify({ private: true, dependencies }, null, 2));
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: out, stdio: 'inherit' });
}
async function fromPackages(page) {
  await page.route('https://cdn.jsdelivr.net/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const local = pathname.startsWith('/npm/')
      ? join(out, 'node_modules', pathname.slice(5).replace(/(?<=.)@[^/]+/, ''))
      : join(root, 'node_modules/ammojs-typed/ammo', pathname.split('/').at(-1));
    return route.fulfill({ path: local, headers: { 'Access-Control-Allow-Origin': '*' } });
  });
}

/** Before the page's own scripts: chance is the same for both, and three.js tells its scenes as it does to developers' tools. */
function prepare() {
  let seed = 20261123;
  Math.random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  window.scenes = [];
  const tools = new EventTarget();
  tools.addEventListener('observe', ({ detail }) => {
    if (detail.isScene) window.scenes.push(detail);
  });
  window.__THREE_DEVTOOLS__ = tools;
  const movesOf = ({ userData: { physics }, geometry }) =>
    physics !== undefined && physics.mass !== 0 && geometry.type !== 'PlaneGeometry';
  const first = [];
  /** Places of all that moves, m; of these how many lie within or below the ground that they are over, and which share has fallen. */
  window.places = () => {
    const places = [];
    const grounds = [];
    for (const scene of window.scenes)
      scene.traverse((mesh) => {
        if (mesh.userData.physics === undefined) return;
        if (!movesOf(mesh)) {
          mesh.geometry.computeBoundingBox();
          const box = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld);
          grounds.push({ box, top: mesh.geometry.type === 'PlaneGeometry' ? box.min.y : box.max.y });
        } else if (mesh.isInstancedMesh) {
          const { array } = mesh.instanceMatrix;
          for (let i = 0; i < mesh.count; i++) places.push(array.slice(16 * i + 12, 16 * i + 15));
        } else places.push(mesh.position.toArray());
      });
    // Walls stand on the floor: what lies between them is not in them.
    const sunk = places.filter(([x, y, z]) =>
      grounds.some(
        ({ box: { min, max }, top }) =>
          x > min.x + 0.05 && x < max.x - 0.05 && z > min.z + 0.05 && z < max.z - 0.05 && y < top - 0.05,
      ),
    );
    // Some roll off the edge, and fall for ever.
    const median = places.map(([, y]) => y).sort((a, b) => a - b)[places.length >> 1];
    places.forEach(([, y], i) => {
      first[i] ??= y;
    });
    const fallen = places.filter(([, y], i) => y < first[i] - 0.1).length / places.length;
    return { count: places.length, median, sunk: sunk.length, fallen, places };
  };
}

async function watch(page) {
  await page.waitForFunction(() => window.scenes.length > 0 && window.places().count > 0, undefined, {
    timeout: 120_000,
  });
  const fallen = () => window.places().fallen > 0.5;
  await page.waitForFunction(fallen, undefined, { timeout: 180_000, polling: 500 });
  await page.waitForTimeout(3000);
  const { count, median, sunk } = await page.evaluate(() => window.places());
  let told = `${count} bodies, median height ${median.toFixed(2)} m`;
  if (!Number.isFinite(median)) throw new Error(told);
  if (sunk > 0) throw new Error(`${told}, ${sunk} within the ground`);
  if ((await page.$('button#shake')) !== null) {
    await page.evaluate(() => {
      window.before = window.places().places;
      document.querySelector('button#shake').click();
    });
    const flown = () => {
      const { places } = window.places();
      const far = places.filter(([x, , z], i) => {
        const [wasX, , wasZ] = window.before[i];
        return Math.hypot(x - wasX, z - wasZ) > 0.1;
      });
      return far.length > places.length / 2;
    };
    await page.waitForFunction(flown, undefined, { timeout: 120_000, polling: 500 });
    told += ', shaken they fly';
  }
  // A controller of the headset that is pressed, where the page asks for one: it throws balls.
  const pressed = await page.evaluate(() => {
    const [hand] = window.scenes[0].children.filter((each) => each._listeners?.selectstart !== undefined);
    hand?.position.set(0, 1.6, 0);
    hand?.dispatchEvent({ type: 'selectstart' });
    return hand !== undefined;
  });
  if (pressed) await page.waitForTimeout(1500);
  return pressed ? `${told}, balls are thrown` : told;
}

const browser = await launch();
if (browser === null) {
  console.error(HOW_TO_FIX);
  process.exit(1);
}
let failures = 0;
for (const engine of ['ricochet', 'original']) {
  const server = await servePages({
    folder: join(out, 'pages', engine),
    out: join(out, `dist-${engine}`),
    names: found,
  });
  for (const name of found) {
    const { state, wrong } = await visit(browser, `${server.address}${name}.html`, {
      picture: join(out, `${name}-${engine}.png`),
      async before(page) {
        await page.addInitScript(prepare);
        await fromPackages(page);
      },
      watch,
      // Models of controllers come from the network; without a graphics card WebGPU is WebGL.
      expected: /WebGPU is not available|No available adapters|ERR_INTERNET|ERR_NAME/,
    });
    if (engine === 'ricochet' && wrong) failures++;
    console.log(`${engine.padEnd(9)}${name.padEnd(28)}${state}`);
  }
  await server.close();
}
await close(browser);
process.exit(failures > 0 || found.length === 0 ? 1 : 0);
