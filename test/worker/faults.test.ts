// What goes wrong in a worker is an error that says so, at once, and leaves the world as it was.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { COMMANDS, CommandWriter, MAX_BODIES, type PhysicsError, writeCommand } from 'ricochet';
import { expect, test, vi } from 'vitest';
import { createPhysics, type Physics } from '../../worker/client';
import {
  COMMANDS_HEADER,
  FRAME,
  COMMANDS as LAYOUT,
  MESSAGE_COMMANDS,
  MESSAGE_FRAME,
} from '../../worker/protocol';
import { FRAMES_OUTSTANDING } from '../../worker/transport';
import { bestOf } from '../bestOf';
import { sleep, startPhysics, until, workerBundle, workerScript } from './support';

const CRATE = { mass: 1, position: [0, 5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } } as const;

/** What tests reach into. */
interface OpenLink {
  connection: { data: MessagePort };
  sequence: number;
  commands: { outstanding: number };
  receive(message: unknown): void;
}

function linkOf(physics: Physics): OpenLink {
  return (physics as unknown as { link: OpenLink }).link;
}

/** The client's own data port, to send what a client never would. */
function dataPort(physics: Physics): MessagePort {
  return linkOf(physics).connection.data;
}

/** Posts a command buffer in the place of the next one. */
function inject(physics: Physics, words: number[], count = words.length): void {
  const link = linkOf(physics);
  const message = new Int32Array(COMMANDS_HEADER + words.length);
  message[LAYOUT.KIND] = MESSAGE_COMMANDS;
  message[LAYOUT.SEQUENCE] = ++link.sequence;
  message[LAYOUT.WORDS] = count;
  message.set(words, COMMANDS_HEADER);
  link.commands.outstanding++;
  dataPort(physics).postMessage(message.buffer, [message.buffer]);
}

test('a damaged command buffer is refused whole, with an error event, and the world is unchanged', async () => {
  const physics = await startPhysics();
  const body = physics.createBody(CRATE);
  await physics.step(10);
  const before = await physics.stateHash();
  const errors: PhysicsError[] = [];
  physics.onError((error) => errors.push(error));
  const writer = new CommandWriter();
  const slot = body.id & MAX_BODIES;
  writeCommand(writer, 'applyImpulse', { body: slot, impulse: [1, 0, 0], relativePosition: [0, 0, 0] });
  const push = Array.from(writer.view());
  const nan = [...push];
  nan[2] = 0x7fc00000;
  const damage: [words: number[], count?: number][] = [
    [[...push, ...nan]], // a good command before a bad one is not applied, either
    [[...push, 0xff]],
    [push.slice(0, 5)],
    [[COMMANDS.removeBody.head, 999]],
    [push, 1000],
    [push, -1],
  ];
  for (const [words, count] of damage) inject(physics, words, count);
  expect(await physics.stateHash()).toBe(before);
  await until(() => errors.length >= damage.length); // answers and errors come by different ports
  expect(errors.map(({ code }) => code)).toEqual(damage.map(() => 'damaged-commands'));
  inject(physics, push);
  expect(await physics.stateHash()).not.toBe(before);
});

test('messages that are none of ours are ignored', async () => {
  const physics = await startPhysics();
  physics.createBody(CRATE);
  const port = dataPort(physics);
  for (const message of ['hello', null, 7, {}, new ArrayBuffer(0), new ArrayBuffer(3), new ArrayBuffer(64)])
    port.postMessage(message);
  await physics.step(1);
  expect(physics.stats.steps).toBe(1);
});

test('dispose rejects what is pending, and every later call is a typed error', async () => {
  const physics = await startPhysics();
  const body = physics.createBody(CRATE);
  const pending = [physics.step(1000), physics.stateHash(), physics.rayTest([0, 9, 0], [0, 0, 0])];
  physics.dispose();
  for (const promise of pending) await expect(promise).rejects.toMatchObject({ code: 'disposed' });
  expect(() => physics.createBody(CRATE)).toThrow(expect.objectContaining({ code: 'disposed' }));
  expect(() => body.setLinearVelocity([1, 0, 0])).toThrow(expect.objectContaining({ code: 'disposed' }));
  await expect(physics.stateHash()).rejects.toMatchObject({ code: 'disposed' });
  expect(() => physics.update()).not.toThrow();
  physics.dispose();
});

test('a worker that dies rejects what is pending within 100 ms, and with restart off that is all', async () => {
  const script = await workerScript();
  const run = async () => {
    let thread!: Worker;
    const physics = await startPhysics({
      workerFactory: () => (thread = new Worker(script)),
      restart: false,
    });
    const lost = vi.fn();
    physics.onError(lost);
    const body = physics.createBody(CRATE);
    await physics.step(1);
    const pending = [physics.step(50_000), physics.stateHash()];
    const loop = physics.events('sleep').next();
    await sleep(20);
    const killed = performance.now();
    void thread.terminate();
    for (const promise of pending) await expect(promise).rejects.toMatchObject({ code: 'worker-lost' });
    const after = performance.now() - killed;
    expect(lost).toHaveBeenCalledOnce();
    expect(await loop, 'a loop over events ends with the world').toMatchObject({ done: true });
    expect(() => body.applyImpulse([1, 0, 0])).toThrow(expect.objectContaining({ code: 'worker-lost' }));
    // What draws goes on: the last poses stay.
    expect(body.getPosition()[1]).toBeLessThan(5);
    expect(() => physics.update()).not.toThrow();
    return after;
  };
  const { best } = await bestOf(run, (ms) => ms / 100);
  expect(best).toBeLessThanOrEqual(100);
});

test('a worker whose script cannot be loaded is an error of createPhysics', async () => {
  await expect(
    createPhysics({ workerFactory: () => new Worker(new URL('./missing.mjs', import.meta.url)) }),
  ).rejects.toMatchObject({ code: 'worker-lost' });
});

test('the error of a worker whose script cannot be loaded names the address where it was looked for, and the option to set', async () => {
  const missing = new URL('./missing.mjs', import.meta.url);
  await expect(createPhysics({ workerUrl: missing })).rejects.toMatchObject({
    code: 'worker-lost',
    message: expect.stringContaining(fileURLToPath(missing)),
  });
  // A browser's error event says nothing: no message, no address.
  vi.stubGlobal('location', { href: 'https://games.example/demo/index.html' });
  const made: string[] = [];
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor(address: string | URL) {
        super();
        made.push(String(address));
        setTimeout(() => this.dispatchEvent(new Event('error')));
      }
      postMessage(): void {}
      terminate(): void {}
    },
  );
  try {
    const cases = [
      ['/assets/gone.js', 'https://games.example/assets/gone.js'],
      ['gone.js?v=2', 'https://games.example/demo/gone.js?v=2'],
      [new URL('https://elsewhere.example/gone.js'), 'https://elsewhere.example/gone.js'],
    ] as const;
    for (const [workerUrl, address] of cases)
      await expect(createPhysics({ workerUrl })).rejects.toMatchObject({
        code: 'worker-lost',
        message: expect.stringMatching(
          new RegExp(`could not be loaded.*at ${address.replace(/[.?]/g, '\\$&')};.* set workerUrl: `),
        ),
      });
    await expect(createPhysics()).rejects.toMatchObject({
      code: 'worker-lost',
      message: expect.stringMatching(/could not be loaded.* set workerUrl: '\/physics\.worker\.js'/),
    });
    expect(made).toHaveLength(4);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('a worker that starts and never answers is an error of createPhysics, and is ended', async () => {
  for (const transport of ['shared', 'messages'] as const) {
    const mute = new Worker('setInterval(() => {}, 1000)', { eval: true });
    const ended = new Promise((resolve) => mute.once('exit', resolve));
    const began = performance.now();
    const started = createPhysics({ transport, workerFactory: () => mute, startTimeout: 500 });
    await expect(started).rejects.toMatchObject({
      code: 'worker-lost',
      message: expect.stringContaining('no answer for 500 ms (startTimeout)'),
    });
    expect(performance.now() - began).toBeGreaterThan(450);
    await ended;
  }
  await expect(createPhysics({ startTimeout: -1 })).rejects.toMatchObject({ argument: 'startTimeout' });
});

test('a worker that takes its time to start is waited for', async () => {
  const script = await workerBundle('test/worker/slowWorker.ts');
  const physics = await startPhysics({ workerFactory: () => new Worker(script), hangTimeout: 300 });
  await physics.step(1);
  expect(physics.stats).toMatchObject({ steps: 1, restarts: 0 });
});

test('a page that takes no frames holds at most five, and the latest comes as soon as it does', async () => {
  const physics = await startPhysics({ transport: 'messages' });
  physics.createBody({ ...CRATE, position: [0, 1000, 0] });
  await physics.start();
  await sleep(100);
  // A blocked page: messages arrive and nobody looks.
  const held: ArrayBuffer[] = [];
  const link = linkOf(physics);
  const { receive } = link;
  link.receive = (message) => void held.push(message as ArrayBuffer);
  await sleep(300);
  const frames = held.filter((message) => new Int32Array(message)[FRAME.KIND] === MESSAGE_FRAME);
  expect(frames.length).toBeLessThanOrEqual(FRAMES_OUTSTANDING - 1);
  link.receive = receive;
  const before = physics.stats.steps;
  for (const message of held) link.receive(message);
  await until(() => physics.stats.steps - before > 10);
});

test('events that find no room are counted and reported', async () => {
  const physics = await startPhysics({ events: ['contactStay'], sleeping: false, transport: 'messages' });
  for (let i = 0; i < 200; i++)
    physics.createBody({ type: 'static', position: [2 * i, 0, 0], shape: { type: 'sphere', radius: 0.6 } });
  for (let i = 0; i < 200; i++)
    physics.createBody({
      position: [2 * i, 1, 0],
      shape: { type: 'sphere', radius: 0.5 },
      linearFactor: [0, 1, 0],
    });
  const errors: PhysicsError[] = [];
  physics.onError((error) => errors.push(error));
  const link = linkOf(physics);
  const { receive } = link;
  const held: unknown[] = [];
  link.receive = (message) => void held.push(message);
  void physics.step(1500);
  await physics.stateHash();
  link.receive = receive;
  for (const message of held) link.receive(message);
  await until(() => physics.stats.eventsDropped > 1000);
  expect(errors[0]).toMatchObject({ code: 'limit-exceeded' });
});
