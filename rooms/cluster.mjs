// A cluster on this machine to try rooms out: Redis, two server processes, the demo's page. `npm run rooms`. A process
// that ends is started again; `kill` one (its number is printed) and see the rooms go on in the other.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundle, ROOMS, startRedis, startServer, wait, whyNot } from './tools.mjs';

const PORTS = [2567, 2568];
const PAGE = 5173;
const reason = whyNot();
if (reason !== '') {
  console.error(`rooms: there is ${reason}`);
  process.exit(1);
}
await bundle();
// Processes of this cluster find each other by it.
const redis =
  process.env.REDIS_URL === undefined ? await startRedis() : { url: process.env.REDIS_URL, stop: () => {} };
let isOver = false;

async function keep(port) {
  while (!isOver) {
    const env = { PORT: `${port}`, RECORDINGS: fileURLToPath(new URL('recordings', import.meta.url)) };
    const server = await startServer(redis, env, { quiet: false }).catch((error) =>
      console.error(error.message),
    );
    server?.process.on('message', ({ type, room, continued, path }) => {
      if (type === 'room' && continued)
        console.log(`room ${room} goes on from tick ${continued.tick} on port ${port}`);
      else if (type === 'room') console.log(`room ${room} begins on port ${port}`);
      else if (type === 'recording') console.log(`recorded: npx ricochet replay ${path}`);
    });
    if (server) await new Promise((resolve) => server.process.on('exit', resolve));
    if (!isOver) await wait(500);
  }
}

for (const port of PORTS) void keep(port);
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));
const args = [
  vite,
  '--config',
  fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
  '--port',
  `${PAGE}`,
];
const page = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: `${ROOMS}/..` });
const addresses = PORTS.map((port) => `ws://localhost:${port}`).join();
await wait(2000);
console.log(`\nOpen it in two windows: http://localhost:${PAGE}/rooms.html?server=${addresses}&room=lobby\n`);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isOver = true;
    page.kill();
    redis.stop();
    process.exit();
  });
