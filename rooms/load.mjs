// What one process carries, by Colyseus's own load test: `npm run rooms:load -- --clients 40,80,160`. One server process
// on a Redis of its own; players without worlds, eight to a room. Prints CPU and memory of the server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, findNode, ROOMS, startRedis, startServer, wait, whyNot } from './tools.mjs';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '40,80,160' },
    size: { type: 'string', default: '8' },
    crates: { type: 'string', default: '60' },
    rate: { type: 'string', default: '60' },
    mode: { type: 'string', default: 'lockstep' },
    seconds: { type: 'string', default: '10' },
  },
});
const reason = whyNot();
if (reason !== '') {
  console.error(`rooms: no load test, as there is ${reason}`);
  process.exit(1);
}
await bundle();
const seconds = Number(values.seconds);
console.log(
  '| players | rooms | bodies | Hz | CPU of the server | ms left out | KB/s to a player | memory |\n|---|---|---|---|---|---|---|---|',
);
for (const clients of values.clients.split(',').map(Number)) {
  const redis = await startRedis();
  const room = { crates: Number(values.crates), rate: Number(values.rate), mode: values.mode, hashEvery: 30 };
  const server = await startServer(redis, { ROOM: JSON.stringify(room) });
  const args = [
    '--endpoint',
    server.address,
    '--room',
    'arena',
    '--numClients',
    `${clients}`,
    '--delay',
    '10',
  ];
  // The tool draws on a screen; what it counts is not shown here.
  const tool = spawn(findNode(), [join(ROOMS, 'build/bot.mjs'), ...args], {
    cwd: ROOMS,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ROOM_SIZE: values.size, TERM: 'xterm' },
  });
  const sum = (rooms, name) => rooms.reduce((total, one) => total + one[name], 0);
  let first = await server.ask('report');
  for (let i = 0; i < 60 && sum(first.rooms, 'players') < clients; i++) {
    await wait(500);
    first = await server.ask('report');
  }
  await wait(2000);
  first = await server.ask('report');
  await wait(seconds * 1000);
  const last = await server.ask('report');
  const bytes = (sum(last.rooms, 'bytes') - sum(first.rooms, 'bytes')) / seconds / clients / 1000;
  const dropped = sum(last.rooms, 'droppedTime') - sum(first.rooms, 'droppedTime');
  console.log(
    `| ${sum(last.rooms, 'players')} | ${last.rooms.length} | ${room.crates} + players and balls | ${room.rate} | ` +
      `${((100 * last.cpu) / seconds).toFixed(0)} % | ${dropped.toFixed(0)} | ${bytes.toFixed(2)} | ${(last.memory / 1e6).toFixed(0)} MB |`,
  );
  tool.kill('SIGKILL');
  server.kill();
  redis.stop();
}
process.exit();
