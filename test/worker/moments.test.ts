// Every question of a page is answered for the state after exactly the calls before it, on every transport, whatever
// comes after it in the same task; every snapshot of a running game loads; a restore that is refused changes nothing.
import { World } from 'ricochet';
import { describe, expect, test } from 'vitest';
import type { Physics } from '../../worker/client';
import { startPhysics, TRANSPORTS, until } from './support';

const BALL = { mass: 1, shape: { type: 'sphere', radius: 0.5 } } as const;
const CLOCKS = ['automatic', 'frames', 'manual'] as const;
const CASES = TRANSPORTS.flatMap((transport) => CLOCKS.map((clock) => [transport, clock] as const));

/** Bodies come and go by a fixed pattern; calls `visit` after each. */
function doings(target: Pick<World, 'createBody' | 'removeBody' | 'setGravity'>, visit: (i: number) => void) {
  const ids: number[] = [];
  for (let i = 0; i < 40; i++) {
    if (i % 3 === 2) target.removeBody(ids.splice((i * 7) % ids.length, 1)[0]!);
    else ids.push(target.createBody({ ...BALL, position: [i, 2, 0] }).id);
    if (i % 10 === 9) target.setGravity([0, -i, 0]);
    visit(i);
  }
}

describe.each(CASES)('%s, clock %s', (transport, clock) => {
  test('hashes and rays are of the moment in which they are asked', async () => {
    const world = new World();
    const hashes: string[] = [];
    const hits: boolean[] = [];
    doings(world, (i) => {
      hashes.push(world.stateHash());
      hits.push(world.rayTest([i, 9, 0], [i, -9, 0]) !== null);
    });
    const physics = await startPhysics({ transport, clock });
    const asked: Promise<string>[] = [];
    const rays: Promise<unknown>[] = [];
    doings(physics as never, (i) => {
      asked.push(physics.stateHash());
      rays.push(physics.rayTest([i, 9, 0], [i, -9, 0]));
    });
    expect(await Promise.all(asked)).toEqual(hashes);
    expect((await Promise.all(rays)).map((hit) => hit !== null)).toEqual(hits);
  });

  test('a ray meets a body that is removed right after the question, and a batch likewise', async () => {
    const physics = await startPhysics({ transport, clock });
    const body = physics.createBody(BALL);
    const ray = physics.rayTest([0, 9, 0], [0, -9, 0]);
    const batch = physics.queryBatch([{ type: 'ray', from: [0, 9, 0], to: [0, -9, 0] }]);
    const rays = physics.rayTestBatch([0, 9, 0, 0, -9, 0]);
    const later = [physics.getContacts(), physics.getProfile()];
    physics.removeBody(body);
    const gone = physics.rayTest([0, 9, 0], [0, -9, 0]);
    expect(await ray).not.toBeNull();
    expect((await batch).answers[0]).toHaveLength(1);
    expect((await rays).bodies[0]).toBe(body.id);
    await Promise.all(later);
    expect(await gone).toBeNull();
  });

  test('every snapshot of a game that makes and removes bodies loads', async () => {
    const physics = await startPhysics({ transport, clock });
    physics.createBody({ type: 'static', shape: { type: 'plane' } });
    if (clock !== 'manual') await physics.start();
    const saves: Promise<Uint8Array>[] = [];
    const counts: number[] = [];
    const ids: number[] = [];
    for (let frame = 0; frame < 30; frame++) {
      for (let k = 0; k < 3; k++) ids.push(physics.createBody({ ...BALL, position: [frame, 1 + k, 0] }).id);
      if (frame % 2 === 1) for (let k = 0; k < 4; k++) physics.removeBody(ids.shift()!);
      counts.push(physics.bodyCount);
      saves.push(physics.snapshot());
      physics.createBody({ ...BALL, position: [frame, 9, 0] });
      if (clock === 'manual') void physics.step();
      await new Promise((resolve) => setTimeout(resolve, 4));
      physics.update();
    }
    const world = new World();
    for (const [i, save] of saves.entries()) {
      world.restore(await save);
      expect(world.bodyCount, `save ${i}`).toBe(counts[i]);
    }
    // And the world that they came from takes them, too.
    await physics.restore(await saves[10]!);
    expect(physics.bodyCount).toBe(counts[10]);
  });
});

test.each(TRANSPORTS)('what is no option is an error at once and stops nothing: %s', async (transport) => {
  const physics = await startPhysics({ transport });
  expect(() => physics.setDebug({ aabbs: true, odd: () => {} } as never)).toThrow(
    expect.objectContaining({ code: 'unknown-option' }),
  );
  physics.createBody(BALL);
  expect(await physics.stateHash()).toHaveLength(16);
  await physics.step(2);
  expect(physics.stats.steps).toBe(2);
});

/** Snapshots whose two halves are of different worlds, with a right checksum. */
async function mixed(): Promise<Uint8Array> {
  const { packSnapshot, unpackSnapshot } = await import('../../src/replica/snapshot');
  const a = new World();
  const b = new World();
  a.createBody(BALL);
  b.createBody(BALL);
  b.createBody({ ...BALL, position: [3, 0, 0] });
  return packSnapshot({ ...unpackSnapshot(a.snapshot()), replica: unpackSnapshot(b.snapshot()).replica });
}

describe.each(CASES)('a restore that is refused, %s, clock %s', (transport, clock) => {
  const state = (physics: Physics) => [physics.bodyCount, physics.shapeCount, physics.getGravity()];

  test('leaves the client as it was, and usable', async () => {
    const physics = await startPhysics({ transport, clock });
    const ball = physics.createBody({ ...BALL, position: [0, 5, 0] });
    physics.setGravity([0, -1, 0]);
    const before = state(physics);
    const hash = await physics.stateHash();
    const errors: unknown[] = [];
    physics.onError((error) => errors.push(error));

    await expect(physics.restore(await mixed())).rejects.toMatchObject({ code: 'damaged-snapshot' });
    expect(state(physics)).toEqual(before);
    expect(await physics.stateHash()).toBe(hash);

    // What is called before the refusal is known goes with it: it was meant for another world.
    const [one, two] = [await mixed(), await mixed()];
    const refused = physics.restore(one);
    const made = physics.createBody({ ...BALL, position: [9, 0, 0] });
    physics.update();
    const asked = physics.stateHash();
    const again = physics.restore(two);
    const stepped = physics.step(3);
    for (const outcome of await Promise.allSettled([refused, asked, again, stepped]))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'damaged-snapshot' } });
    expect(state(physics)).toEqual(before);
    expect(made.isRemoved).toBe(true);
    expect(await physics.stateHash()).toBe(hash);

    ball.setLinearVelocity([0, 4, 0]);
    physics.createBody({ ...BALL, position: [3, 0, 0] });
    await physics.step(10);
    expect(ball.getPosition()[1]).toBeGreaterThan(5.5);
    expect(physics.bodyCount).toBe(2);
    const good = await physics.snapshot();
    await physics.step(10);
    await physics.restore(good);
    expect(ball.isRemoved).toBe(false);
    if (clock === 'manual') return;
    await physics.start();
    await until(() => physics.stats.steps > 15);
    expect(errors).toEqual([]);
  });

  test('bytes that are damaged on the way are refused at once', async () => {
    const physics = await startPhysics({ transport, clock });
    physics.createBody(BALL);
    const bytes = await physics.snapshot();
    const hash = await physics.stateHash();
    for (const at of [0, 40, bytes.length >> 1, bytes.length - 3]) {
      const damaged = bytes.slice();
      damaged[at]! ^= 8;
      await expect(physics.restore(damaged)).rejects.toMatchObject({ code: /snapshot/ });
    }
    await expect(physics.restore(bytes.slice(0, 100))).rejects.toMatchObject({ code: /snapshot/ });
    await expect(physics.restore('x' as never)).rejects.toThrow();
    expect(await physics.stateHash()).toBe(hash);
  });
});
