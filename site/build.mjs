// Builds the site into site/dist: npm run site. What it needs and does not find it installs (site/ and bench/ have packages
// of their own). The result can be put on any static host, at any path.
// --fast keeps the package, the reference and the demo of the last build; SITE_PART=1 leaves the reference out, too, for
// who works on the other pages.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root, writePages } from './pages.mjs';
import { buildPlayground } from './playground.mjs';

const site = join(root, 'site');
const out = join(site, 'dist');
const pages = join(site, '.pages');
const kept = join(root, '.cache/site');
const part = process.env.SITE_PART !== undefined;
const fast = part || process.argv.includes('--fast');
const BASE = '/__BASE__/';

function section(title) {
  console.log(`── ${title}`);
}

function node(args, cwd = root) {
  execFileSync(process.execPath, args, { cwd, stdio: 'inherit' });
}

function install(folder) {
  if (existsSync(join(root, folder, 'node_modules'))) return;
  section(`packages of ${folder}/`);
  execFileSync('npm', ['ci'], {
    cwd: join(root, folder),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** The reference as Markdown, a page for every exported symbol. */
async function reference() {
  const { buildReference } = await import(pathToFileURL(join(site, 'reference.mjs')).href);
  await buildReference(join(kept, 'api'));
}

/** Groups of the demo's scenes, for pages that only name them. */
async function writeScenes() {
  const build = await rolldown({
    input: join(root, 'demo/scenes/index.ts'),
    platform: 'neutral',
    resolve: {
      alias: { 'ricochet/cooking': join(root, 'dist/cooking.js'), ricochet: join(root, 'dist/index.js') },
    },
    logLevel: 'silent',
  });
  await build.write({ dir: join(kept, 'scenes'), format: 'es', entryFileNames: 'index.mjs' });
  await build.close();
  const { opening, sceneGroups } = await import(pathToFileURL(join(kept, 'scenes/index.mjs')).href);
  const groups = [{ title: 'To begin with', scenes: [opening] }, ...sceneGroups].map(({ title, scenes }) => ({
    title,
    scenes: scenes.map(({ id, title, description }) => ({ id, title, description })),
  }));
  writeFileSync(join(kept, 'scenes.json'), JSON.stringify(groups));
}

/** How to get from a page to the top: `./`, `../` … */
const upFrom = (path) => './' + '../'.repeat(relative(out, path).split('/').length - 1);

/** The router compares addresses, and pages come and go below one document: links are made absolute at once. */
const ABSOLUTE = `for(const a of document.querySelectorAll('a[href^="."]'))a.href=a.href`;

/** A script of the site with the address that the page's first script found. */
function withBase(name, text) {
  // JSON in one literal: what all pages share, and the search index.
  if (/metadata\.[\w-]+\.js$/.test(name))
    return `${text.replaceAll(BASE, '/')}\nwindow.__VP_SITE_DATA__.base=globalThis.__BASE__;`;
  if (name.includes('localSearchIndex')) {
    const quote = /^const \w+=(['"`])/.exec(text)[1];
    return text.replaceAll(BASE, `${quote}+globalThis.__BASE__+${quote}`);
  }
  return text
    .replace(/(["'`])\/__BASE__\/\1/g, 'globalThis.__BASE__')
    .replace(/(["'`])\/__BASE__\//g, (_, quote) => `globalThis.__BASE__+${quote}`);
}

/** In place of the address that nobody knew, one relative to each page, or the one that the page's first script found. */
function makeRelative() {
  for (const name of readdirSync(out, { recursive: true }).map(String)) {
    const path = join(out, name);
    if (name.startsWith('demo/') || name.startsWith('lib/')) continue;
    if (name.endsWith('.html')) {
      const up = upFrom(path);
      const text = readFileSync(path, 'utf8')
        .replaceAll('__DEPTH__', up)
        .replaceAll(`"${BASE}`, `"${up}`)
        .replace('</body>', `<script>${ABSOLUTE}</script></body>`);
      writeFileSync(path, text);
    } else if (name.endsWith('.js')) {
      const text = readFileSync(path, 'utf8');
      if (text.includes(BASE)) writeFileSync(path, withBase(name, text));
    }
    if (/\.(html|js|css)$/.test(name) && readFileSync(path, 'utf8').includes(BASE))
      console.error(`${name}: an address of the site is still absolute`);
  }
}

install('site');
install('bench');
mkdirSync(kept, { recursive: true });
if (!fast || !existsSync(join(root, 'dist/index.js'))) {
  section('package');
  node(['scripts/build.mjs']);
}
if (!fast || !existsSync(join(kept, 'demo'))) {
  section('scenes');
  node([
    'node_modules/vite/bin/vite.js',
    'build',
    '--logLevel=warn',
    `--outDir=${join(kept, 'demo')}`,
    '--emptyOutDir',
  ]);
}
if (!fast || !existsSync(join(kept, 'api'))) {
  section('reference');
  await reference();
}
section('pages');
await writeScenes();
writePages(pages);
if (part)
  for (const name of ['index.md', 'menus.json']) cpSync(join(kept, 'api', name), join(pages, 'api', name));
else cpSync(join(kept, 'api'), join(pages, 'api'), { recursive: true });
rmSync(out, { recursive: true, force: true });
node(['node_modules/vitepress/bin/vitepress.js', 'build', '.'], site);
makeRelative();
cpSync(join(site, '404.html'), join(out, '404.html'));
cpSync(join(kept, 'demo'), join(out, 'demo'), { recursive: true });
await buildPlayground(join(out, 'lib'));
const count = readdirSync(out, { recursive: true }).filter((name) => String(name).endsWith('.html')).length;
console.log(`site/dist: ${count} pages`);
