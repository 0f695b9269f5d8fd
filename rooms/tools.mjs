// What the commands and tests of rooms share: the packages, a Node that is new enough for Colyseus, programs of this
// folder as files that it can run, a Redis of their own, child processes.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOMS = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(ROOMS, '..');
/** Colyseus 0.17 and later. */
const NEEDED = 22;

/** Installs the packages of this folder where they are missing. Returns why that failed, or ''. */
export function install() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOMS, 'package.json'), 'utf8'));
  const missing = () =>
    Object.keys(dependencies).filter(
      (name) => !existsSync(join(ROOMS, 'node_modules', name, 'package.json')),
    );
  if (missing().length > 0) {
    console.error(
      'rooms: installing Colyseus, its Redis adapters and Node 22 (npm ci in rooms/, about 250 MB on disk) …',
    );
    // Its packages ask for Node 22, which is one of them: the warnings of an older one are not wanted.
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const shell = process.platform === 'win32';
    spawnSync('npm', args, { cwd: ROOMS, stdio: ['ignore', 'inherit', 'inherit'], shell, timeout: 240_000 });
  }
  const left = missing();
  return left.length === 0 ? '' : `npm ci in rooms/ did not install ${left.join(', ')}`;
}

/** A Node of version 22 or later, or ''. */
export function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const own = join(ROOMS, 'node_modules/node/bin', binary);
  return existsSync(own) && spawnSync(own, ['-v']).status === 0 ? own : '';
}

/** Path of a redis-server, installed by apt-get where that is possible, or ''. */
export function findRedis() {
  const there = () =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'redis-server'))
      .find((path) => existsSync(path)) ?? '';
  if (there() !== '' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return there();
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: 'ignore', env, timeout: 120_000 }).status === 0;
  const get = () => apt('install', '-y', '--no-install-recommends', 'redis-server');
  if (!get() && apt('update')) get();
  return there();
}

/** Why the cluster cannot run on this machine, or ''. */
export function whyNot() {
  const failed = install();
  if (failed !== '') return failed;
  if (findNode() === '') return 'no Node of version 22 or later, and the package node did not bring one';
  return findRedis() === '' ? 'no redis-server (apt-get install redis-server)' : '';
}

/** Programs of this folder as modules that Node can run, from the sources. Returns where they are. */
export async function bundle() {
  if (!existsSync(join(ROOT, 'src/wasm/core-wasm.ts')))
    execFileSync(process.execPath, [join(ROOT, 'scripts/build-core.mjs')], { stdio: 'ignore' });
  const { build } = await import('rolldown');
  const source = (path) => join(ROOT, path);
  await build({
    cwd: ROOMS,
    input: {
      server: join(ROOMS, 'server.ts'),
      players: join(ROOMS, 'players.ts'),
      bot: join(ROOMS, 'bot.ts'),
    },
    platform: 'node',
    logLevel: 'warn',
    external: [/^@colyseus\//, 'express', /^node:/],
    resolve: {
      alias: {
        'ricochet/net': source('src/net/index.ts'),
        'ricochet/replay': source('src/replay/index.ts'),
        'ricochet/colyseus': source('src/colyseus/index.ts'),
        'ricochet/vehicle': source('src/vehicle/index.ts'),
        ricochet: source('src/index.ts'),
      },
    },
    output: {
      dir: join(ROOMS, 'build'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
    },
  });
  return join(ROOMS, 'build');
}

/** A port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A Redis that keeps nothing on disk. `at`: its port, by default a free one. */
export async function startRedis(at = 0) {
  const port = at || (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'rooms-redis-'));
  const args = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const child = spawn(findRedis(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (bytes) => {
      said = (said + bytes).slice(-4000);
      if (said.includes('Ready to accept connections')) resolve();
    });
    child.on('exit', () => reject(new Error(`redis-server ended: ${said}`)));
  });
  const stop = () => {
    child.kill('SIGKILL'); // one that is stopped, too
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `redis://127.0.0.1:${port}`, port, pid: child.pid, stop };
}

/**
 * A child process that tells by messages: `said` are those that came, `next` waits for one. `mute`: its errors are not
 * shown, where they are wanted.
 */
export class Child {
  said = [];
  exited = false;
  #waiting = [];

  constructor(program, env, { quiet = true, mute = false } = {}) {
    this.process = spawn(findNode(), [join(ROOMS, 'build', `${program}.mjs`)], {
      cwd: ROOMS,
      stdio: ['ignore', quiet ? 'ignore' : 'inherit', mute ? 'ignore' : 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production', COLYSEUS_PRESENCE_SHORT_TIMEOUT: '1000', ...env },
    });
    this.process.on('message', (message) => {
      this.said.push(message);
      this.#waiting = this.#waiting.filter(({ type, resolve }) => {
        if (message.type !== type) return true;
        resolve(message);
        return false;
      });
    });
    this.process.on('exit', (code, signal) => {
      this.exited = true;
      for (const { reject } of this.#waiting) reject(new Error(`${program} ended: ${code ?? signal}`));
      this.#waiting = [];
    });
  }

  next(type) {
    if (this.exited) return Promise.reject(new Error('it has ended'));
    return new Promise((resolve, reject) => this.#waiting.push({ type, resolve, reject }));
  }

  /** The answer to a question. */
  ask(question, type = question) {
    const answer = this.next(type);
    this.process.send(question);
    return answer;
  }

  kill(signal = 'SIGKILL') {
    if (!this.exited) this.process.kill(signal);
  }
}

/** A process with rooms. */
export async function startServer(redis, env = {}, options = {}) {
  const port = env.PORT ?? (await freePort());
  const child = new Child('server', { REDIS_URL: redis.url, PORT: `${port}`, ...env }, options);
  await child.next('ready');
  child.address = `ws://127.0.0.1:${port}`;
  return child;
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
