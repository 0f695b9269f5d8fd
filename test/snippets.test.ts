// Every TypeScript example in README.md and docs/ is a file of docs/snippets that is type-checked with
// the rest and run: here, or in the browser where it needs one. This test keeps the copies identical.
// In a document: `<!-- snippet: docs/snippets/hello.ts -->`, then the fenced code.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { read, root } from './sources';

const inFolder = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const documents = ['README.md', ...inFolder('docs'), ...inFolder('docs/guides')]
  .filter((name) => name.endsWith('.md'))
  .sort();

/** All fenced TypeScript of a document, with the marker of the line before. */
function examples(document: string): { marker: string | undefined; code: string }[] {
  const pattern = /(?:<!-- snippet: (\S+) -->\n)?```(?:tsx?|typescript|jsx?|javascript)\n([\s\S]*?)```/g;
  return [...read(document).matchAll(pattern)].map(([, marker, code]) => ({ marker, code: code as string }));
}

test.each(documents)('the examples of %s are its snippets', (document) => {
  for (const { marker, code } of examples(document)) {
    expect(marker, `an example without a snippet marker:\n${code}`).toBeDefined();
    expect(code.trim()).toBe(read(marker as string).trim());
  }
});

test.each(documents)('each marker in %s has its example', (document) => {
  const markers = [...read(document).matchAll(/<!-- snippet: (\S+) -->/g)].map(([, marker]) => marker);
  const shown = examples(document).map(({ marker }) => marker);
  expect(markers).toEqual(shown);
});

test('README shows the two examples', () => {
  expect(examples('README.md').map(({ marker }) => marker)).toEqual([
    'docs/snippets/hello.ts',
    'docs/snippets/worker.ts',
  ]);
});

test('ammo.ts: a program for ammo.js; ammoErrors.ts: a mistake is named', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/ammo');
    expect(log.mock.calls[0]![0]).toBeCloseTo(0.5, 3);
    await import('../docs/snippets/ammoErrors');
    expect(log.mock.calls[1]).toEqual(['invalid-argument', expect.stringContaining('btVector3: y')]);
  } finally {
    log.mockRestore();
  }
});

test('hello.ts: a crate dropped on a plane rests at half its height', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/hello');
    const [position, hash] = log.mock.calls[0] as [ArrayLike<number>, unknown];
    expect(Array.from(position)[1]).toBeGreaterThan(0.495);
    expect(Array.from(position)[1]).toBeLessThan(0.505);
    expect(String(hash)).toMatch(/^[0-9a-fx]+$/i);
  } finally {
    log.mockRestore();
  }
});

test('systems.ts: a magnet in a worker and in a World catches the same balls', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/systems');
    const calls = log.mock.calls;
    expect(calls.at(-1)).toEqual(['equal', true]);
    expect(calls.slice(0, -1).every(([what]) => what === 'caught')).toBe(true);
    expect(calls.length).toBeGreaterThan(2);
  } finally {
    log.mockRestore();
  }
});

test('loop.ts: the ship of the guide flies ahead and turns', async () => {
  const { World } = await import('ricochet');
  const { default: drive } = await import('../docs/snippets/loop');
  const world = new World({ gravity: [0, 0, 0] });
  const ship = world.createBody({ mass: 3, shape: { type: 'box', halfExtents: [0.5, 0.2, 1] } });
  const system = await world.addSystem(drive, { options: { body: ship.id } });
  system.post({ forward: 1, turn: 0 });
  world.advance(60);
  expect(ship.getLinearVelocity()[2]).toBeCloseTo(10, 3); // F/m · t
  system.post({ forward: 0, turn: 1 });
  world.advance(10);
  expect(ship.getAngularVelocity()[1]).toBeGreaterThan(0.1);
});

test('subscriptions.ts: a crash is heard, and that the crate falls asleep', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/subscriptions');
    expect(log.mock.calls.map(([what]) => what)).toEqual(['crash', 'asleep']);
    expect(log.mock.calls[1]![1]).toBe(true);
  } finally {
    log.mockRestore();
  }
});

test('either.ts: the same game in the page and in a worker has the same end', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/either');
    const [first, page, second, worker] = log.mock.calls;
    expect([first, second]).toEqual([['crash'], ['crash']]);
    expect(page!.slice(0, 2)).toEqual([true, false]);
    expect(worker).toEqual(page);
  } finally {
    log.mockRestore();
  }
});

test('determinism.ts: the self-test passes, two runs are one', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/determinism');
    expect(log.mock.calls).toEqual([[true], [true]]);
  } finally {
    log.mockRestore();
  }
});

test('net.ts: two clients over a network that delays and loses agree with their server', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/net');
    expect(log.mock.calls).toEqual([
      [true, 0],
      [true, 0],
    ]);
  } finally {
    log.mockRestore();
  }
});

test('rollback.ts: two players over a network that delays and loses come to the same world', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/rollback');
    expect(log.mock.calls).toEqual([[true], [true, true]]);
  } finally {
    log.mockRestore();
  }
});

test('recording.ts: a replay is bit for bit the same', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/recording');
    expect(log.mock.calls[0]![0][0]).toBeGreaterThan(0.5);
    expect(log.mock.calls[1]).toEqual([null]);
  } finally {
    log.mockRestore();
  }
});

/** What an example prints, by the words it begins with. */
async function printed(run: () => Promise<unknown>): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await run();
    return log.mock.calls;
  } finally {
    log.mockRestore();
  }
}

test('shapes.ts: a closed wedge, and a table that stands on the ground', async () => {
  const [edges, table] = await printed(() => import('../docs/snippets/shapes'));
  expect(edges![1]).toBe(0);
  // Its top is 0.8 m above its feet, which stand between 0 and 0.6 m.
  expect(table![1]).toBeGreaterThan(0.5);
  expect(table![1]).toBeLessThan(1.5);
});

test('queries.ts: sight, a free way, what is near, room, a batch', async () => {
  const [sight, way, near, room, answers] = await printed(() => import('../docs/snippets/queries'));
  expect(sight).toEqual(['sight ends at', expect.closeTo(-0.5, 5), true]);
  expect(way![1]).toBeCloseTo(1.1, 3);
  expect((near![1] as string[])[0]).toBe('0.90');
  expect(near![1]).toHaveLength(4);
  expect(room).toEqual(['room', true, false]);
  expect(answers).toEqual(['answers', 1, 1]);
});

test('characterCore.ts: the same by the core; characterPlanet.ts: once around', async () => {
  const [step, jump, again] = await printed(() => import('../docs/snippets/characterCore'));
  expect(step![1]).toBe(true);
  expect((step![2] as number[])[1]).toBeCloseTo(0.3 + 0.92, 2);
  expect(jump![1]).toBeCloseTo(25 / 2 / 9.81, 1);
  expect(again).toEqual(['the same again', true]);
  const [around] = await printed(() => import('../docs/snippets/characterPlanet'));
  expect(around![1]).toBe(true);
  expect(Math.hypot(...(around![2] as number[]))).toBeCloseTo(20.92, 2);
});

test('character.ts: up a step, a jump, the same again', async () => {
  const [step, jump, again] = await printed(() => import('../docs/snippets/character'));
  expect(step![1]).toBe(true);
  expect((step![2] as number[])[1]).toBeCloseTo(0.3 + 0.92, 3);
  expect(jump![1]).toBeCloseTo(25 / 2 / 9.81, 2);
  expect(again![1]).toBe(true);
});

test('continuous.ts: a plate of 1 mm stops 1,000 m/s', async () => {
  const [struck, back, figures] = await printed(() => import('../docs/snippets/continuous'));
  expect(struck).toEqual(['struck at', expect.closeTo(2.9995, 3)]);
  expect(back).toEqual(['thrown back', true, true]);
  expect(figures).toEqual([1, 0]);
});

test('cooking.ts: 20,000 triangles', async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => {});
  const [count] = await printed(() => import('../docs/snippets/cooking'));
  expect(count).toEqual([20_000]);
});

test('fromGeometry.ts: a cone is a cone, a die has a body', async () => {
  const [shown] = await printed(() => import('../docs/snippets/fromGeometry'));
  expect(shown).toEqual(['cone', 1]);
});

test('geometry.ts: a ball, a nearest point, a hit, a shape', async () => {
  const [ball, table, hit, shape] = await printed(() => import('../docs/snippets/geometry'));
  expect(shape).toEqual(['box']);
  expect(ball).toEqual([1]);
  expect(Array.from(table![0] as Float64Array)).toEqual([0, 0, 0, 1.5, 1.5, 0]);
  expect(hit).toEqual([0.5, 0.75, [-1, 0, 0]]);
});

test('addon.ts: a ball with a velocity rolls', async () => {
  const [told] = await printed(() => import('../docs/snippets/addon'));
  expect(told).toEqual(['rolls', true]);
});

test('materials.ts: a ball bounces to a quarter of its height, through debris', async () => {
  const [told] = await printed(() => import('../docs/snippets/materials'));
  expect(told).toEqual(['bounced to', expect.closeTo(0.2 + 1.8 / 4, 2), 'debris at', 1]);
});

test('trigger.ts: a ball is in, then out', async () => {
  const told = await printed(() => import('../docs/snippets/trigger'));
  expect(told.filter(([what]) => what !== 'inside now')).toEqual([['in', { name: 'ball' }], ['out']]);
  expect(told.find(([what]) => what === 'inside now')![1]).toBe(1);
});

test('picking.ts: a crate is lifted, and falls', async () => {
  const [lifted, dropped] = await printed(() => import('../docs/snippets/picking'));
  expect(lifted![1]).toBeGreaterThan(2.5);
  expect(dropped![1]).toBeCloseTo(0.5, 2);
});

test('saving.ts: what was saved goes on to the same bits', async () => {
  expect(await printed(() => import('../docs/snippets/saving'))).toEqual([['the same', true, true]]);
});

test('stack.ts: twenty boxes stand', async () => {
  const [told] = await printed(() => import('../docs/snippets/stack'));
  expect(told![1]).toBeCloseTo(19.5, 4);
});

test('profile.ts: what a step cost', async () => {
  const [counts, times] = await printed(() => import('../docs/snippets/profile'));
  expect(counts![0]).toMatch(/^200 awake, \d+ contacts/);
  expect(times![0]).toMatch(/^\d+\.\d\d ms/);
});

// Programs for other engines and their ports. Rapier comes with a development dependency.
test('ports: the same happens as in the programs for Rapier and cannon-es', async () => {
  let programs: { outcome: Record<string, number | boolean> }[] = [];
  await printed(async () => {
    programs = [
      await import('../docs/snippets/ports/rapier'),
      await import('../docs/snippets/ports/fromRapier'),
      await import('../docs/snippets/ports/cannon'),
      await import('../docs/snippets/ports/fromCannon'),
    ];
  });
  const [rapier, fromRapier, cannon, fromCannon] = programs.map(({ outcome }) => outcome);
  for (const outcome of [rapier, fromRapier]) {
    expect(outcome!['moved']).toBeGreaterThan(4);
    expect(outcome).toMatchObject({ through: true, seesCrate: true });
    expect(outcome!['lifted']).toBeCloseTo(3, 1);
    expect(outcome!['opened']).toBeCloseTo(1.2, 2);
    expect(outcome!['climbed']).toBeCloseTo(1.22, 1);
    expect(outcome).toMatchObject({ slid: true, ghosts: true, same: true });
  }
  for (const outcome of [cannon, fromCannon]) {
    const same = { delivered: true, slept: true, coins: 3, knocked: true, loud: true, rolled: true };
    expect(outcome).toMatchObject({ ...same, seesRider: true });
    expect(outcome!['spins']).toBeCloseTo(2, 2);
    expect(outcome!['rides']).toBeCloseTo(0.5, 2);
    expect(outcome!['fell']).toBeCloseTo(0.3, 2);
    expect(outcome!['stretched']).toBeCloseTo(1 + Math.hypot(2 * 9.81, 8) / 80, 1);
    expect(outcome!['hangs']).toBeLessThan(3.1);
  }
  // As the formulas say: a chain of 3 m, and e²h above the ground.
  expect(fromCannon!['hangs']).toBeLessThan(3.001);
  expect(fromCannon!['bounce']).toBeCloseTo(0.3 + 0.49 * 2.7, 2);
});

test('playcanvas.ts: a crate falls on the ground of a PlayCanvas application, a ball is cast', async () => {
  // PlayCanvas says its version first.
  const said = (await printed(() => import('../docs/snippets/playcanvas'))).slice(-3);
  expect(said).toEqual([['crash', 'ground'], ['1.00'], ['crate']]);
});

test('babylon.ts: a crate falls on the ground of a Babylon scene', async () => {
  // Babylon says its version first.
  const [crash, height] = (await printed(() => import('../docs/snippets/babylon'))).slice(-2);
  expect([crash, height]).toEqual([['crash', true], ['0.50']]);
});

test('vehicle.ts: a car drives off, and stops in a bend', async () => {
  const [after, ...wheels] = await printed(() => import('../docs/snippets/vehicle'));
  expect(after![1]).toBeGreaterThan(15);
  expect(after![3]).toBeGreaterThan(0);
  expect(wheels).toHaveLength(4);
  for (const [, load, isInContact] of wheels) {
    expect(load).toBeGreaterThan(1500);
    expect(isInContact).toBe(true);
  }
});

test('drawbridge.ts: a bridge opens, a rope breaks; belts.ts: a flap holds a parcel', async () => {
  const [bridge, broken] = await printed(() => import('../docs/snippets/drawbridge'));
  expect(bridge![1]).toBeCloseTo(1.2, 3);
  expect(bridge![3]).toBeCloseTo(3 * 9.81, 1);
  expect(broken![0]).toBe('broke at');
  expect(broken![1]).toBeGreaterThan(200);
  const [past, held] = await printed(() => import('../docs/snippets/belts'));
  expect(past![1]).toBeGreaterThan(0.5);
  expect(past![3]).toBeCloseTo(2, 2);
  expect(held![1]).toBeCloseTo(0.35, 2);
});

test('lateInput.ts: as if the input had been there in time', async () => {
  const { World } = await import('ricochet');
  const [told] = await printed(() => import('../docs/snippets/lateInput'));
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const ball = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: { type: 'sphere', radius: 0.5 } });
  world.advance(18);
  ball.applyCentralImpulse([3, 0, 0]);
  world.advance(12);
  expect(told![1]).toBe(ball.getPosition()[0]);
});

test('killCam.ts: the last frames again, four times as slow', async () => {
  const [told] = await printed(() => import('../docs/snippets/killCam'));
  expect(told![0]).toMatch(/^\d+ bytes, 340 pictures$/);
  expect(told![1]).toBe(true);
});

test('anyFile.ts: a glTF, a robot, a .bullet file and a mesh, in one world', async () => {
  const { World } = await import('ricochet');
  const { writeBulletFile } = await import('ricochet/bullet-file');
  const { addFile } = await import('../docs/snippets/anyFile');
  const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
  const world = new World();
  const counts: number[] = [];
  const add = (name: string, file: Uint8Array<ArrayBuffer>) => {
    expect(addFile(world, name, file)).toEqual([]);
    counts.push(world.bodyCount);
  };
  const rigid = { motion: { mass: 5 }, collider: { geometry: { shape: 0 } } };
  add(
    'crate.gltf',
    bytes(
      JSON.stringify({
        asset: { version: '2.0' },
        extensions: { KHR_implicit_shapes: { shapes: [{ type: 'box', box: { size: [1, 1, 1] } }] } },
        nodes: [{ name: 'crate', extensions: { KHR_physics_rigid_bodies: rigid } }],
      }),
    ),
  );
  const inertial = '<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>';
  const joint = `<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>`;
  add('arm.urdf', bytes(`<robot name="r"><link name="a"/><link name="b">${inertial}</link>${joint}</robot>`));
  const other = new World({ profile: 'bullet3' });
  other.createBody({ mass: 1, shape: { type: 'sphere', radius: 0.5 } });
  add('ball.bullet', writeBulletFile(other).bytes);
  add('tetra.obj', bytes('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'));
  expect(counts).toEqual([1, 3, 4, 5]);
});

test('sockets.ts: a player joins a room over something that carries bytes', async () => {
  const { host, join } = await import('../docs/snippets/sockets');
  type Packet = Uint8Array<ArrayBuffer>;
  /** Two ends; what one sends the other has at once. */
  const pair = () => {
    const listeners: ((bytes: Uint8Array) => void)[] = [];
    return [0, 1].map((side) => ({
      send: (bytes: Packet) => listeners[1 - side]?.(bytes),
      onMessage: (listener: (bytes: Uint8Array) => void) => void (listeners[side] = listener),
    }));
  };
  const game = () => ({
    build: (world: import('ricochet').World) =>
      void world.createBody({ shape: { type: 'plane' }, type: 'static' }),
    join: () => {},
    leave: () => {},
    applyInput: () => {},
  });
  const [here, there] = pair();
  let now = 0;
  const room = host(game());
  const client = join(
    game(),
    there!,
    () => now,
    () => new Uint8Array(0),
  );
  room.connect('Ada', here!);
  for (; now < 2000; now += 10) {
    room.update(now);
    client.update(now);
  }
  expect(client.isJoined).toBe(true);
  expect(client.stats).toMatchObject({ desyncs: 0 });
  expect(client.stats.agreed).toBeGreaterThan(0);
  room.leave('Ada');
});

test('walking.ts: up the stairs by keys', async () => {
  const [up] = await printed(() => import('../docs/snippets/walking'));
  expect(up![1]).toBe(true);
  expect((up![2] as number[])[1]).toBeCloseTo(1.6 + 0.92, 1);
});

test('platforms.ts: a lift carries a character and a crate', async () => {
  const [told] = await printed(() => import('../docs/snippets/platforms'));
  const [, hero, crate] = told as [string, number[], number[]];
  expect(hero[0]).toBeCloseTo(4, 2);
  expect(hero[1]).toBeCloseTo(3 + 0.1 + 0.92, 2);
  expect(crate[0]).toBeCloseTo(5, 2);
  expect(crate[1]).toBeCloseTo(3 + 0.1 + 0.5, 2);
});

test('loading.ts: a loaded game goes on to the same bits, with its character and its car', async () => {
  expect(await printed(() => import('../docs/snippets/loading'))).toEqual([['the same', true]]);
});

test('warmup.ts: a world that was warmed up is empty', async () => {
  const told = (await printed(() => import('../docs/snippets/warmup'))) as string[][];
  expect(told).toHaveLength(1);
  expect(told[0]![0]).toMatch(/^[1-9]\d* steps, 0 bodies$/);
});

test('terrain.ts: what is drawn is where the ground is felt', async () => {
  const told = await printed(() => import('../docs/snippets/terrain'));
  expect(told).toHaveLength(2);
  for (const [, felt, , drawn] of told as [string, number, string, number][]) {
    expect(Math.abs(drawn)).toBeGreaterThan(0.5);
    expect(felt).toBeCloseTo(drawn, 4);
  }
  // Between the points, too: both cut their cells along the same diagonal.
  const { ground, world } = await import('../docs/snippets/terrain');
  const { Raycaster, Vector3 } = await import('three');
  for (let i = 0; i < 40; i++) {
    const [x, z] = [3.07 * i - 60, ((7.3 * i) % 120) - 60];
    const [drawn] = new Raycaster(new Vector3(x, 10, z), new Vector3(0, -1, 0)).intersectObject(ground);
    expect(world.rayTest([x, 10, z], [x, -10, z])!.point[1]).toBeCloseTo(drawn!.point.y, 5);
  }
});

test('figure.ts: a figure walks at its speed with a ragdoll around it, and falls', async () => {
  const { makeFigure } = await import('../docs/snippets/figure');
  const { World } = await import('ricochet');
  const { createHuman } = await import('./ragdoll/human');
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const { hero, skinned, drive, die } = await makeFigure(world, createHuman().root);
  const run = (steps: number) => {
    for (let i = 0; i < steps; i++) {
      drive(1 / 60);
      world.step(1 / 60);
      skinned.draw();
    }
  };
  hero.setInput({ move: [2, 0, 0] });
  run(120);
  expect(hero.getPosition()[0]).toBeCloseTo(4, 2);
  expect(hero.getPosition()[1]).toBeCloseTo(0.87, 3);
  die();
  run(240);
  const { position, speed } = skinned.ragdoll.lying();
  expect(position[0]).toBeGreaterThan(3.5);
  expect(position[0]).toBeLessThan(7);
  expect(position[1]).toBeLessThan(0.4);
  expect(speed).toBeLessThan(0.3);
});
