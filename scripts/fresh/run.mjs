// `npm run test:fresh [-- names…]`: fresh projects of every bundler and host run the first examples of the README from
// the packed package. One line each; fails when one does. What npm installs is kept in node_modules/.cache/fresh (or
// --cache FOLDER); --no-build packs dist/ as it is.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium, HOW_TO_FIX } from '../find-chromium.mjs';
import { json } from './files.mjs';
import { projects } from './projects.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What the package needs, and what the examples draw with. */
const ALWAYS = { ...manifest.dependencies, three: manifest.devDependencies.three };

/** ms. A busy machine may take its time. */
const PATIENCE = 180_000;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // A page whose answers were given headers counts as one of nowhere, which may not open a WebSocket to this machine.
  '--disable-features=LocalNetworkAccessChecks',
];

export class NotInstalled extends Error {}

/** Packs dist/ as `npm publish` would. Returns the file. */
export function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const options = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const printed = execFileSync('npm', options, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const packed = JSON.parse(printed);
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  return join(folder, filename);
}

/** Runs a program of Node's, or what follows a '!'. Rejects with what it printed. */
function run([program, ...args], { cwd, signal, patience = PATIENCE, port } = {}) {
  const filled = args.map((arg) => arg.replace('$PORT', String(port)));
  const [command, all] = program.startsWith('!')
    ? [join(cwd, program.slice(1)), filled]
    : [process.execPath, [join(cwd, program), ...filled]];
  const child = spawn(command, all, {
    cwd,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      NODE_ENV: undefined,
      CI: '1',
      FORCE_COLOR: '0',
      NEXT_TELEMETRY_DISABLED: '1',
      VITEST: undefined,
      NODE_OPTIONS: undefined,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += bytes));
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL'); // with what it started itself
    } catch {}
  };
  const ended = new Promise((resolve, reject) => {
    const tooLong = () => {
      end();
      reject(new Error(`no end after ${patience} ms: ${printed}`));
    };
    const timer = patience === 0 ? undefined : setTimeout(tooLong, patience);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(printed);
      else
        reject(new Error(`${[program, ...filled].join(' ')} ended with ${code}:\n${printed.slice(-3000)}`));
    });
  });
  return { ended, end, printed: () => printed };
}

/** Puts the files of a project into a folder of its own, its packages installed or linked. */
async function prepare(name, project, { tarball, cache, linked }) {
  const slug = name.replace(/\W+/g, '-');
  const packages = { ...ALWAYS, ...project.install };
  const own = { name: slug, private: true, type: 'module', ...project.manifest, dependencies: packages };
  const key = createHash('sha256').update(JSON.stringify(own)).digest('hex').slice(0, 8);
  const folder = join(cache, linked ? slug : `${slug}-${key}`);
  const modules = join(folder, 'node_modules');
  if (linked) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(modules, { recursive: true });
    for (const [as, where] of Object.entries(linked)) {
      mkdirSync(dirname(join(modules, as)), { recursive: true });
      symlinkSync(join(root, 'node_modules', where), join(modules, as));
    }
  } else if (!existsSync(join(folder, 'installed'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), json(own));
    const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--install-links'];
    try {
      execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    } catch (error) {
      throw new NotInstalled(`npm could not install ${Object.keys(packages).join(', ')}: ${error.stderr}`);
    }
    writeFileSync(join(folder, 'installed'), '');
  }
  // As npm unpacks it; every time, since it is what is tested.
  for (const old of [
    'node_modules/ricochet',
    'node_modules/.vite',
    'node_modules/.cache',
    'dist',
    'www',
    '.next',
  ])
    rmSync(join(folder, old), { recursive: true, force: true });
  execFileSync('tar', ['-xzf', tarball, '-C', modules]);
  renameSync(join(modules, 'package'), join(modules, 'ricochet'));
  writeFileSync(join(folder, 'package.json'), json(own));
  for (const [path, content] of Object.entries(project.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const KINDS = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

/** A static host: files as they are, no headers. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': KINDS[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server of the project's tool, once it answers. */
async function start(command, folder) {
  const port = await freePort();
  const { ended, end, printed } = run(command, { cwd: folder, patience: 0, port });
  let failure = null;
  ended.then(
    () => (failure = new Error(`it ended: ${printed()}`)),
    (error) => (failure = error),
  );
  const url = `http://127.0.0.1:${port}/`;
  for (const until = Date.now() + PATIENCE; ; ) {
    if (failure !== null) throw failure;
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return { url, close: end };
    if (Date.now() > until) {
      end();
      throw new Error(`${url} did not answer: ${printed()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** The same page from a host that sends the headers for shared memory, which not every tool's server can be told to do. */
async function isolate(context) {
  await context.route('**/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...ISOLATED } });
  });
}

/** Two threads have to share a step there, whatever the bundler made of their file, with the results of one. */
async function checkThreads(page) {
  const [one, two] = await page.evaluate(async () => [
    await globalThis.fresh.heap(1),
    await globalThis.fresh.heap(2),
  ]);
  if (one[0] !== 1 || two[0] !== 2 || one[2] !== two[2])
    throw new Error(`threads: 1 and 2 answered ${JSON.stringify(one)} and ${JSON.stringify(two)}`);
}

/** What the console may not say, and what the examples said. */
async function visit(browser, url, isolated = false) {
  const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
  context.setDefaultTimeout(PATIENCE);
  if (isolated) await isolate(context);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on(
    'response',
    (response) => response.status() >= 400 && complaints.push(`${response.status()}: ${response.url()}`),
  );
  try {
    await page.goto(url);
    // From 5 m to the floor: under half a second of the world's time, so that it has rested for a while at the end.
    const fallen = page.waitForFunction(() => Math.abs(globalThis.fresh?.height() - 0.5) < 0.01, null, {
      timeout: PATIENCE / 3,
    });
    await fallen.catch(() => complaints.push('the crate has not fallen'));
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
    if (isolated) await checkThreads(page);
    const heard = await page.evaluate(() => globalThis.fresh.hearSystem());
    if (heard !== 7) throw new Error(`a step system said ${heard}`);
    const found = await page.evaluate(async () => ({
      said: globalThis.fresh.said,
      answers: [await globalThis.fresh.ask('messages'), await globalThis.fresh.ask('page')],
    }));
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
    return found;
  } finally {
    await context.close();
  }
}

/**
 * @param name  of a project
 * @param options.linked  packages of this repository that stand in for what npm would install; null: install
 * @param options.expected  what each project has to say; the first one's words are taken
 * @param options.short  the first of several checks
 * @returns what was run
 */
export async function runProject(name, { tarball, cache, browser, expected, linked = null, short = false }) {
  const project = projects[name];
  const folder = await prepare(name, project, { tarball, cache, linked });
  const done = [];
  const expect = (found, how) => {
    const text = JSON.stringify(found);
    expected.text ??= text;
    if (text !== expected.text) throw new Error(`${how} answered ${text} in place of ${expected.text}`);
  };
  const agree = (found, how) => {
    expect(found, how);
    done.push(how);
  };
  const look = async (how, serving) => {
    const server = await serving;
    try {
      agree(await visit(await browser(), server.url), how);
      expect(await visit(await browser(), server.url, true), `${how}, isolated`);
    } catch (error) {
      throw new Error(`${how}: ${error.message}`, { cause: error });
    } finally {
      server.close();
    }
  };
  if (project.run) agree(JSON.parse(await run(project.run, { cwd: folder }).ended), 'run');
  if (project.dev) await look('dev', start(project.dev, folder));
  for (const command of project.build ?? []) await run(command, { cwd: folder }).ended;
  const checks = short ? project.checks?.slice(0, 1) : project.checks;
  for (const command of checks ?? []) {
    await run(command, { cwd: folder }).ended;
    done.push(command.at(-1));
  }
  if (project.site) await look(project.build ? 'build' : 'page', serve(join(folder, project.site)));
  if (project.start) await look('build', start(project.start, folder));
  return done;
}

/** One browser for all, started by the first who needs it. */
export function sharedBrowser() {
  let browser;
  const get = () => {
    const executablePath = findChromium();
    if (!executablePath) throw new Error(HOW_TO_FIX);
    browser ??= chromium.launch({ executablePath, headless: true, args: FLAGS, timeout: PATIENCE });
    return browser;
  };
  return { get, close: async () => void (await (await browser)?.close()) };
}

async function main(args) {
  const option = (name) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args.splice(at, 2)[1];
  };
  const cache = option('--cache') ?? join(root, 'node_modules/.cache/fresh');
  if (!args.includes('--no-build')) await (await import('../build.mjs')).build();
  const asked = args.filter((arg) => arg !== '--no-build');
  const names = Object.keys(projects).filter(
    (name) => asked.length === 0 || asked.some((part) => name.startsWith(part)),
  );
  if (names.length === 0)
    throw new Error(`no such project: ${asked.join(', ')}; there are ${Object.keys(projects).join(', ')}`);
  const tarball = pack(cache);
  const browser = sharedBrowser();
  const expected = {};
  let failed = 0;
  for (const name of names) {
    const from = Date.now();
    try {
      const done = await runProject(name, { tarball, cache, browser: browser.get, expected });
      console.log(
        `ok    ${name.padEnd(20)} ${done.join(', ')} (${((Date.now() - from) / 1000).toFixed(0)} s)`,
      );
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name.padEnd(20)} ${error.message}`);
    }
  }
  await browser.close();
  console.log(`\n${names.length - failed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
