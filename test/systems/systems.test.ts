// Step systems, in a World and over every transport: the same states, the same messages; what a system fails at stops
// that system and nothing else; recordings replay without it; its state goes with snapshots and rollbacks.
import { PhysicsError, type StepSystem, World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import type { Physics } from 'ricochet/worker';
import { describe, expect, test } from 'vitest';
import { Replica } from '../../src/replica/replica';
import { REFUSED } from '../../src/world/systemReplica';
import { startPhysics, TRANSPORTS, until } from '../worker/support';

const address = (name: string) => new URL(`./modules/${name}.mjs`, import.meta.url);
const HERD = address('herd');
const MISCHIEF = address('mischief');
const WAYS = ['World', ...TRANSPORTS] as const;
type Way = (typeof WAYS)[number];

async function open(way: Way): Promise<World | Physics> {
  return way === 'World' ? new World() : startPhysics({ transport: way, clock: 'manual' });
}

/** Some bodies of every type, and joints. */
function furnish(world: World | Physics): number {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  world.createBody({
    type: 'kinematic',
    position: [-6, 0.3, 0],
    shape: { type: 'box', halfExtents: [1, 0.3, 1] },
  });
  const ids: number[] = [];
  for (let i = 0; i < 12; i++) {
    const size = 0.2 + 0.03 * i;
    const { id } = world.createBody({
      mass: 0.1 + 0.7 * i,
      position: [(i % 4) - 1.5, 1 + 0.9 * Math.floor(i / 4), 0.1 * i],
      shape: i % 2 ? { type: 'sphere', radius: size } : { type: 'box', halfExtents: [size, 0.3, size] },
    });
    ids.push(id);
  }
  const [bodyA, bodyB] = ids.map((id) => world.getBody(id));
  world.createJoint({ type: 'point', bodyA, bodyB, anchor: [-0.5, 1.5, 0] } as never);
  return ids.at(-1)!;
}

const step = async (world: World | Physics, n = 1) => await world.advance(n);
const hash = async (world: World | Physics) => await world.stateHash();

/** Runs a story with two systems; the hash every ten steps, and all that they say. */
async function story(world: World | Physics): Promise<{ hashes: string[]; said: unknown[] }> {
  const body = furnish(world);
  await step(world, 5);
  const said: unknown[] = [];
  const one = (await world.addSystem(HERD, { options: { seed: 7 } })) as StepSystem;
  const two = (await world.addSystem(HERD, { name: 'two', options: { seed: 9, tells: true } })) as StepSystem;
  one.on('message', (message) => said.push(['one', message]));
  two.on('message', (message) => said.push(['two', message]));
  const hashes: string[] = [];
  for (let i = 0; i < 12; i++) {
    if (i === 4) one.post({ calm: 13 });
    if (i === 6) {
      world.getBody(body)!.applyForce([3, 40, 0]);
      two.post('between');
    }
    if (i === 9) two.remove();
    await step(world, 10);
    hashes.push(await hash(world));
  }
  await new Promise((resolve) => setTimeout(resolve, 20)); // the last words
  return { hashes, said: said.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

test('of every call that writes it is decided whether systems may make it', () => {
  const allowed = [
    'setTransform',
    'setPosition',
    'setRotation',
    'setKinematicTarget',
    'setLinearVelocity',
    'setAngularVelocity',
    'applyForce',
  ];
  allowed.push('applyTorque', 'applyImpulse', 'applyTorqueImpulse', 'writeVector', 'activate', 'explode');
  /** They read, or others use them. */
  const inner =
    /^(constructor|body|shape|joint|shapesOf|axisOf|angleOrWay|placed|encodeDraft|hasUnshaped|values|disturbance)$|^(check|warn|note|write|put|commit|attach|share|use|drop|forget|keep|turn|shapeValues|forceWritten|targetWritten)/;
  const names = new Set<string>();
  for (let each = Replica.prototype as object; each !== Object.prototype; each = Object.getPrototypeOf(each))
    for (const name of Object.getOwnPropertyNames(each)) names.add(name);
  const decided = [...allowed, ...REFUSED] as string[];
  expect([...names].filter((name) => !inner.test(name) && !decided.includes(name))).toEqual([]);
  expect(decided.filter((name) => !names.has(name))).toEqual([]);
});

const here = story(new World());
here.catch(() => {});

test.each(TRANSPORTS)('%s: two systems give the states and messages of a World', async (transport) => {
  expect(await story(await open(transport))).toEqual(await here);
});

async function placed(world: World | Physics): Promise<string> {
  furnish(world);
  await world.addSystem(address('placer'));
  await step(world, 40);
  return hash(world);
}

test.each(TRANSPORTS)('%s: a system sets positions and rotations as in a World', async (transport) => {
  const world = new World();
  furnish(world);
  world.advance(40);
  const expected = await placed(new World());
  expect(expected).not.toBe(world.stateHash());
  expect(await placed(await open(transport))).toBe(expected);
});

test('a system moves the world, and its messages come', async () => {
  const { hashes, said } = await here;
  const without = new World();
  furnish(without);
  without.advance(15);
  expect(without.stateHash()).not.toBe(hashes[0]);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(said.length).toBeGreaterThan(20);
  expect(said).toContainEqual(['two', 'gone']);
  expect(said).toContainEqual(['two', { heard: 'between', step: 65 }]);
});

describe.each(WAYS)('%s', (way) => {
  test('a recording replays without the module', async () => {
    const world = await open(way);
    furnish(world);
    await world.addSystem(HERD, { options: { seed: 3 } });
    const recorder = world instanceof World ? new Recorder(world, { keyframeEvery: 0 }) : undefined;
    if (!(world instanceof World)) await world.record({ keyframeEvery: 0 });
    await step(world, 60);
    const file = await (recorder?.finish() ?? (world as Physics).stopRecording());
    const player = await Player.open(file);
    expect(player.verify()).toMatchObject({ frames: 60, hashes: 61, divergence: null });
  });

  test('snapshots at random steps have the state of the system in them', async () => {
    const world = await open(way);
    furnish(world);
    await world.addSystem(HERD, { options: { seed: 5 } });
    const hashes: string[] = [];
    const snapshots: Uint8Array[] = [];
    for (let i = 0; i < 50; i++) {
      snapshots.push(await world.snapshot());
      await step(world);
      hashes.push(await hash(world));
    }
    let seed = 11;
    for (let turn = 0; turn < 6; turn++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const at = seed % 40;
      await world.restore(snapshots[at]!);
      await step(world, 10);
      expect(await hash(world), `from step ${at}`).toBe(hashes[at + 9]);
    }
    // Another world of another seed, and the other kind of world: its system takes the state over.
    const other = await open(way === 'World' ? 'messages' : 'World');
    await other.restore(snapshots[20]!);
    await other.addSystem(HERD, { options: { seed: 99 } });
    await step(other, 10);
    expect(await hash(other)).toBe(hashes[29]);
  });

  test.each([
    ['throw', 'a mistake'],
    ['throw after', 'a mistake'],
    ['throw nothing', 'nothing was thrown'],
    ['flood', 'wrote more than'],
    ['flood quietly', 'too many commands'],
  ])('what does %s is stopped, the world and other systems go on', async (what, why) => {
    const world = await open(way);
    const body = furnish(world);
    const errors: PhysicsError[] = [];
    const heard: PhysicsError[] = [];
    if (!(world instanceof World)) world.onError((error) => errors.push(error));
    const bad = await world.addSystem(MISCHIEF, { options: { what, body } });
    bad.on('error', (error) => heard.push(error));
    const good = (await world.addSystem(HERD)) as StepSystem;
    let messages = 0;
    good.on('message', () => messages++);
    await step(world, 30);
    await until(() => heard.length > 0 && messages >= 3);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toBeInstanceOf(PhysicsError);
    expect(heard[0]).toMatchObject({ code: 'system-failed' });
    expect(heard[0]!.message).toContain(why);
    expect(heard[0]!.message).toContain('mischief');
    if (!(world instanceof World)) expect(errors).toEqual(heard);
    expect([bad.isRunning, good.isRunning]).toEqual([false, true]);
    bad.post('nobody hears it');
    bad.remove();
    await step(world, 5);
    // As the same world without it.
    const alone = new World();
    furnish(alone);
    await alone.addSystem(HERD);
    alone.advance(35);
    expect(await hash(world)).toBe(alone.stateHash());
  });

  test('what does not start rejects, and the world goes on', async () => {
    const world = await open(way);
    furnish(world);
    for (const [what, why] of [
      ['throw at start', 'no start'],
      ['return nothing', 'no object'],
      ['return a promise', 'must start at once'],
      ['no function', 'beforeStep that is no function'],
    ]) {
      const refusal = await world.addSystem(MISCHIEF, { options: { what } }).then(
        () => undefined,
        (error: PhysicsError) => error,
      );
      expect(refusal, what).toMatchObject({ code: 'system-failed' });
      expect(refusal!.message).toContain(why);
      await step(world, 3);
    }
    await world.addSystem(MISCHIEF, { options: { what: 'nothing' } }); // the name is free
    await step(world, 3);
  });

  test('a module without exports registers its function', async () => {
    const world = await open(way);
    const system = await world.addSystem(address('script'));
    const said: unknown[] = [];
    system.on('message', (message) => said.push(message));
    await step(world);
    await until(() => said.length > 0);
    expect(said).toEqual(['from a script']);
    await expect(world.addSystem(address('empty'))).rejects.toMatchObject({ code: 'system-failed' });
  });

  test('modules that do not load, and names that are taken, reject', async () => {
    const world = await open(way);
    await expect(world.addSystem(address('broken'))).rejects.toMatchObject({ code: 'system-failed' });
    await expect(world.addSystem(address('missing'))).rejects.toMatchObject({ code: 'system-failed' });
    await expect(world.addSystem(address('empty'))).rejects.toMatchObject({ code: 'system-failed' });
    await expect(world.addSystem(HERD, { name: '' })).rejects.toMatchObject({ argument: 'name' });
    await expect(world.addSystem(HERD, { speed: 1 } as never)).rejects.toMatchObject({
      code: 'unknown-option',
    });
    await world.addSystem(HERD);
    await expect(world.addSystem(HERD)).rejects.toMatchObject({ code: 'system-failed' });
    await world.addSystem(HERD, { name: 'another' });
    await step(world, 2);
  });

  test('a system moves bodies and changes nothing else', async () => {
    const world = await open(way);
    const body = furnish(world);
    const calls = [
      ['setMass', 3],
      ['setDamping', 0.1, 0.1],
      ['setType', 'static'],
      ['setFilter', 1, 1],
      ['addShape', { type: 'sphere', radius: 1 }],
      ['remove'],
      ['setActivationState', 'disableDeactivation'],
      ['setMaterial', { friction: 1 }],
    ];
    const said: unknown[] = [];
    const system = await world.addSystem(MISCHIEF, { options: { what: 'change', body, calls } });
    system.on('message', (message) => said.push(message));
    const bad = await world.addSystem(MISCHIEF, { name: 'bad', options: { what: 'bad arguments', body } });
    bad.on('message', (message) => said.push(message));
    const late = await world.addSystem(MISCHIEF, { name: 'late', options: { what: 'force after', body } });
    late.on('message', (message) => said.push(message));
    await step(world, 6);
    await until(() => said.length === calls.length + 4);
    expect(said.slice().sort()).toEqual(
      [
        ...calls.map(([name]) => (name === 'remove' ? 'remove: unsupported' : `${name}: unsupported`)),
        'applyForce: unsupported',
        'applyImpulse: invalid-argument',
        'getContacts: stale-id',
        'rayTest: invalid-argument',
      ].sort(),
    );
    const alone = new World();
    furnish(alone);
    alone.advance(6);
    expect(await hash(world)).toBe(alone.stateHash());
  });

  test.each([
    ['throw in save', 'no state'],
    ['save a function', 'cannot have a function'],
    ['throw in restore', 'no way back'],
  ])('what does %s is stopped, and the snapshot is good', async (what, why) => {
    const world = await open(way);
    furnish(world);
    const system = await world.addSystem(MISCHIEF, { options: { what } });
    const heard: string[] = [];
    if (!(world instanceof World)) world.onError(() => {});
    system.on('error', ({ message }) => heard.push(message));
    await step(world, 2);
    const snapshot = await world.snapshot();
    const before = await hash(world);
    await step(world, 2);
    await world.restore(snapshot);
    await until(() => heard.length > 0);
    expect(heard[0]).toContain(why);
    expect(await hash(world)).toBe(before);
  });
});
