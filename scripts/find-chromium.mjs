// Finds a Chromium for the browser tests, and installs one where there is none.
// Order: CHROME_PATH, a system Chromium or Chrome, Playwright's own; then apt-get as root on Debian,
// else Playwright's download. Playwright is the library of record for both paths.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of a Chromium on this machine, or '' where there is none. */
export function findChromium() {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (executable(named)) return named;
    throw new Error(`CHROME_PATH must name an executable file, got ${named}`);
  }
  for (const name of NAMES)
    for (const folder of (process.env.PATH ?? '').split(delimiter))
      if (folder && executable(join(folder, name))) return join(folder, name);
  for (const path of PLACES) if (executable(path)) return path;
  const own = chromium.executablePath();
  return own && existsSync(own) ? own : '';
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

function run(command, args) {
  console.log(`> ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

function install() {
  if (isDebian() && process.getuid?.() === 0) {
    // The index may be old: a failed update is no reason not to try.
    run('apt-get', ['update']);
    if (run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'])) return;
  }
  run('npx', ['--no-install', 'playwright-core', 'install', 'chromium']);
}

/** Path of a Chromium, installed if need be; '' where that failed. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.log('No Chromium on this machine; installing one.');
  install();
  return findChromium();
}

export const HOW_TO_FIX = [
  'NO CHROMIUM: the browser tests need one and none could be found or installed. Do one of these:',
  '  - Debian, Ubuntu:  sudo apt-get install chromium',
  '  - anywhere:        npx playwright-core install chromium',
  '  - already there:   CHROME_PATH=/path/to/chrome npm test',
].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = ensureChromium();
  if (!path) {
    console.error(HOW_TO_FIX);
    process.exit(1);
  }
  console.log(path, execFileSync(path, ['--version'], { encoding: 'utf8' }).trim());
}
