// One suite for every world: in the page, and in a worker over each transport. What is here runs with all of them and
// says the same; `PhysicsWorld` is what the type checker holds both to.

import { afterEach, describe, expect, test } from 'vitest';
import {
  type EventType,
  type PhysicsError,
  type PhysicsWorld,
  World,
  type WorldBody,
  type WorldOptions,
  WorldSlot,
} from '../../src/index';
import { startPhysics, TRANSPORTS } from './support';

const DT = 1 / 60;
const BOX = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
const BALL = { type: 'sphere', radius: 0.5 } as const;
const FLOOR = { type: 'static', shape: { type: 'plane' } } as const;

const worlds: PhysicsWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.dispose();
});

const PLACES: Record<string, (options?: WorldOptions) => Promise<PhysicsWorld>> = {
  'World in the page': (options) => Promise.resolve(new World(options)),
};
for (const transport of TRANSPORTS)
  PLACES[`worker, ${transport}`] = (options) => startPhysics({ ...options, transport, clock: 'manual' });

describe.each(Object.keys(PLACES))('%s', (place) => {
  const start = async (options?: WorldOptions) => {
    const world = await PLACES[place]!(options);
    worlds.push(world);
    return world;
  };
  /** A call that is refused, at once or as a rejection. */
  const refused = async (run: () => unknown) => {
    try {
      await run();
    } catch (error) {
      return error as PhysicsError;
    }
    throw new Error('nothing was refused');
  };

  test('bodies: made, found, listed, counted, removed', async () => {
    const world = await start();
    const a = world.createBody({ mass: 2, shape: BOX, userIndex: 7 });
    const [b, c] = world.createBodies([{ mass: 1, shape: BALL }, FLOOR]) as [WorldBody, WorldBody];
    const ids = world.createBodies({ mass: 1, shape: BALL }, { positions: [0, 5, 0, 0, 7, 0] });
    expect([...world.bodies()].map(({ id }) => id)).toEqual([a.id, b.id, c.id, ...ids]);
    expect([world.bodyCount, world.shapeCount]).toEqual([5, 5]);
    expect(world.getBody(a.id)).toBe(a);
    expect([a.type, a.mass, a.userIndex, c.type, c.mass]).toEqual(['dynamic', 2, 7, 'static', 0]);
    world.removeBody(b);
    world.removeBody(ids[0]!);
    a.remove();
    expect([a.isRemoved, b.isRemoved, world.bodyCount]).toEqual([true, true, 2]);
    expect(world.getBody(a.id)).toBeUndefined();
    expect((await refused(() => world.removeBody(a))).code).toBe('stale-id');
    expect((await refused(() => a.setPosition([0, 0, 0]))).code).toBe('stale-id');
    const foreign = (await start()).createBody({ mass: 1, shape: BOX });
    expect((await refused(() => world.removeBody(foreign))).code).toBe('foreign-id');
  });

  test('what was set of a body can be read, at once and after a restore', async () => {
    const world = await start();
    const defaults = world.createBody({ mass: 1, shape: BOX });
    const floor = world.createBody(FLOOR);
    const body = world.createBody({
      mass: 3,
      shape: BOX,
      group: 4,
      mask: 0xffff0000,
      userIndex: -5,
      linearDamping: 0.1,
      angularDamping: 0.2,
      gravityScale: 0.5,
      linearFactor: [1, 0, 0.25],
      angularFactor: [0, 1, 1],
      linearSleepingThreshold: 0.3,
      angularSleepingThreshold: 0.4,
      ccdMotionThreshold: 0.7,
      ccdSweptSphereRadius: 0.05,
    });
    const read = (of: WorldBody) => [
      ...[of.group, of.mask, of.userIndex],
      ...[of.getLinearDamping(), of.getAngularDamping(), of.getGravityScale()],
      ...of.getLinearFactor(),
      ...of.getAngularFactor(),
      ...[of.getLinearSleepingThreshold(), of.getAngularSleepingThreshold()],
      ...[of.getCcdMotionThreshold(), of.getCcdSweptSphereRadius()],
    ];
    const f = Math.fround;
    const made = [
      4,
      0xffff0000 | 0,
      -5,
      f(0.1),
      f(0.2),
      0.5,
      1,
      0,
      0.25,
      0,
      1,
      1,
      f(0.3),
      f(0.4),
      f(0.7),
      f(0.05),
    ];
    const usual = [1, -1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, f(0.8), 1, 0, 0];
    expect(read(body)).toEqual(made);
    expect(read(defaults)).toEqual(usual);
    expect(read(floor)).toEqual([2, ~2, ...usual.slice(2)]);
    const snapshot = await world.snapshot();
    body.setFilter(1, -1);
    body.setUserIndex(0);
    body.setDamping(0, 0);
    body.setGravityScale(1);
    body.setLinearFactor([1, 1, 1]);
    body.setAngularFactor([1, 1, 1]);
    body.setSleepingThresholds(0.8, 1);
    body.setCcd(0, 0);
    expect(read(body)).toEqual(usual);
    expect((await refused(() => body.setDamping(2, 0))).code).toBe('invalid-argument');
    expect(read(body)).toEqual(usual);
    await world.restore(snapshot);
    expect(read(body)).toEqual(made);
    const other = new World();
    other.restore(await world.snapshot());
    expect(read(other.getBody(body.id)!)).toEqual(made);
    expect(other.stateHash()).toBe(await world.stateHash());
  });

  test('poses, velocities, sleep', async () => {
    const world = await start({ gravity: [0, 0, 0], deactivationTime: 0.1 });
    const body = world.createBody({
      mass: 1,
      shape: BOX,
      position: [1, 2, 3],
      linearVelocity: [2, 0, 0],
      angularVelocity: [0, 3, 0],
    });
    const still = world.createBody({ mass: 1, shape: BOX, position: [0, 9, 0] });
    const floor = world.createBody({ type: 'static', shape: BOX, position: [0, -9, 0] });
    expect(body.getPosition()).toEqual([1, 2, 3]);
    await world.advance(1);
    expect(body.getPosition()[0]).toBeCloseTo(1 + 2 * DT, 5);
    expect(body.getLinearVelocity()[0]).toBeCloseTo(2, 5);
    expect(body.getAngularVelocity()[1]).toBeCloseTo(3, 5);
    const [x, y, z] = body.getCenterOfMassPosition();
    const [vx, , vz] = body.getVelocityAtPoint([x + 1, y, z]);
    expect([vx, vz].map((v) => Number(v.toFixed(4)))).toEqual([2, -3]);
    expect([body.isAwake(), body.isSleeping(), floor.isAwake(), floor.isSleeping()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    await world.advance(30);
    expect([still.isAwake(), still.isSleeping(), body.isAwake()]).toEqual([false, true, true]);
    // Out of the simulation is not asleep; nor does it come back by being touched or activated.
    const out = world.createBody({ mass: 1, shape: BOX, position: [0, 20, 0] });
    out.setActivationState('disableSimulation');
    await world.advance(1);
    out.activate();
    await world.restore(await world.snapshot());
    await world.advance(1);
    expect([out.isAwake(), out.isSleeping()]).toEqual([false, false]);
    out.forceActivationState('active');
    await world.advance(1);
    expect([out.isAwake(), out.isSleeping()]).toEqual([true, false]);
    await world.advance(60);
    expect([out.isAwake(), out.isSleeping()]).toEqual([false, true]);
    still.activate();
    await world.advance(1);
    expect(still.isSleeping()).toBe(false);
  });

  test('joints: made, found, listed, read, removed', async () => {
    const world = await start({ sleeping: false });
    const a = world.createBody({ mass: 1, shape: BALL, position: [0, 0, 0] });
    const b = world.createBody({ mass: 1, shape: BALL, position: [2, 0, 0] });
    const point = world.createJoint({ type: 'point', bodyB: a, anchor: [0, 0, 0] });
    const slider = world.createJoint({
      type: 'slider',
      bodyB: b,
      anchor: [2, 0, 0],
      axis: [0, -1, 0],
      position: { low: 0, high: 0.5 },
      userIndex: 3,
    });
    point.watch();
    slider.watch();
    expect(world.jointCount).toBe(2);
    expect([...world.joints()].map(({ id }) => id)).toEqual([point.id, slider.id]);
    expect(world.getJoint(slider.id)).toBe(slider);
    expect([slider.type, slider.userIndex, slider.bodyA, slider.bodyB]).toEqual(['slider', 3, null, b]);
    await world.advance(120);
    expect(point.getAppliedImpulse()[1]).toBeCloseTo(9.81 * DT, 3);
    expect(slider.getPosition('position')).toBeCloseTo(0.5, 3);
    expect([slider.getLimitState('position'), slider.isBroken]).toEqual(['high', false]);
    world.removeJoint(point);
    world.removeJoint(slider.id);
    expect([point.isRemoved, world.jointCount]).toEqual([true, 0]);
    expect((await refused(() => world.removeJoint(point))).code).toBe('stale-id');
    await world.advance(30);
    expect(a.getPosition()[1]).toBeLessThan(-0.5);
  });

  test('settings and gravity', async () => {
    const world = await start({ gravity: [0, -5, 0], substeps: 3 });
    expect(world.getGravity()).toEqual([0, -5, 0]);
    expect(world.settings.substeps).toBe(3);
    world.setGravity([1, 0, 0]);
    world.updateSettings({ iterations: 2 });
    expect([...world.getGravity(), world.settings.iterations]).toEqual([1, 0, 0, 2]);
    expect((await refused(() => world.updateSettings({ iteration: 2 } as never))).message).toContain(
      "did you mean 'iterations'?",
    );
    world.profiling = true;
    expect(world.profiling).toBe(true);
    expect((await world.getProfile()).lost).toBe(0);
  });

  test('events: listeners with filters, loops over the last steps, loops to come', async () => {
    const world = await start({ events: true });
    const floor = world.createBody(FLOOR);
    const light = world.createBody({ mass: 1, shape: BALL, position: [0, 1, 0] });
    const heavy = world.createBody({ mass: 50, shape: BALL, position: [3, 3, 0] });
    const heard: string[] = [];
    const end = world.on('contactBegin', () => heard.push('any'));
    world.on('contactBegin', () => heard.push('light'), { body: light });
    world.on('contactBegin', () => heard.push('floor'), { body: floor.id });
    world.on('contactBegin', ({ bodyB }) => heard.push(bodyB === heavy ? 'hard' : 'not hard'), {
      minImpulse: 100,
    });
    const never = () => heard.push('never');
    world.on('contactBegin', never, { body: heavy });
    world.off('contactBegin', never);
    const sleeper = (async () => {
      for await (const { body } of world.events('sleep', { body: light })) return body;
      return null;
    })();
    await world.advance(35);
    const begins = [...world.events('contactBegin')];
    expect(begins.map(({ bodyA, bodyB }) => [bodyA, bodyB])).toEqual([[floor, light]]);
    expect([...world.events('contactBegin', { minImpulse: 100 })]).toEqual([]);
    expect([...world.events('contactStay', { body: heavy })]).toEqual([]);
    expect(new Set([...world.events()].map(({ type }) => type))).toEqual(
      new Set(['contactBegin', 'contactStay']),
    );
    await world.advance(25);
    expect([...world.events('contactBegin')].map(({ bodyB }) => bodyB)).toEqual([heavy]);
    expect(heard.sort()).toEqual(['any', 'any', 'floor', 'floor', 'hard', 'light']);
    end();
    await world.advance(300);
    expect(await sleeper).toBe(light);
    await world.advance(1);
    expect([...world.events()]).toEqual([]);
    for (const filter of [{ body: 12345 }, { minImpulse: -1 }, { minimpulse: 1 }])
      expect((await refused(() => world.on('contactBegin', () => {}, filter as never))).name).toBe(
        'PhysicsError',
      );
    expect((await refused(() => world.events('contactbegin' as EventType))).message).toContain(
      'contactBegin',
    );
    const waits = world.events('wake')[Symbol.asyncIterator]().next();
    world.dispose();
    expect((await waits).done).toBe(true);
  });

  test('questions have the same answers', async () => {
    const world = await start();
    const floor = world.createBody(FLOOR);
    const box = world.createBody({ mass: 1, shape: BOX, position: [0, 2, 0] });
    const ball = world.createBody({ mass: 1, shape: BALL, position: [3, 0.5, 0] });
    expect((await world.rayTest([0, 9, 0], [0, -9, 0]))?.body).toBe(box);
    const all = await world.rayTest([0, 9, 0], [0, -9, 0], { mode: 'all' });
    expect(all.map(({ body }) => body)).toEqual([box, floor]);
    expect((await world.rayTestBatch([0, 9, 0, 0, -9, 0])).fractions[0]).toBeCloseTo(6.5 / 18, 5);
    expect((await world.convexSweepTest({ shape: BALL, position: [0, 9, 0] }, [0, -9, 0]))?.body).toBe(box);
    expect((await world.overlapTest([2, 0.1, -1], [4, 1, 1])).map(({ body }) => body)).toContain(ball);
    expect(
      (await world.overlapShapeTest({ shape: BALL, position: [0, 2, 0] })).map(({ body }) => body),
    ).toEqual([box]);
    expect((await world.pointTest([0, 2, 0])).map(({ body }) => body)).toEqual([box]);
    expect((await world.nearestTest({ shape: BALL, position: [5, 4, 0] }))?.body).toBeDefined();
    expect((await world.closestPoints(box, ball))?.distance).toBeGreaterThan(1);
    expect((await world.contactTest(ball)).map(({ body }) => body)).toEqual([floor]);
    expect((await world.contactPairTest(ball, floor)).length).toBe(1);
    await world.advance(2);
    expect((await world.getContacts(ball)).map(({ bodyA }) => bodyA)).toEqual([floor]);
    expect(await ball.getOverlappingBodies()).toEqual([floor]);
    expect((await ball.getContacts()).length).toBe(1);
  });

  test('state: hash, snapshots, slots', async () => {
    const world = await start();
    world.createBody(FLOOR);
    const body = world.createBody({ mass: 1, shape: BOX, position: [0, 3, 0] });
    await world.advance(10);
    const slot = await world.save();
    const bytes = await world.snapshot();
    const hash = await world.stateHash();
    expect(slot.byteLength).toBeGreaterThan(100);
    for (const back of [slot, bytes]) {
      await world.advance(20);
      body.setUserIndex(9);
      expect(await world.stateHash()).not.toBe(hash);
      await world.restore(back);
      expect(await world.stateHash()).toBe(hash);
      expect(body.userIndex).toBe(0);
    }
    await world.advance(5);
    expect(await world.save(slot)).toBe(slot);
    const later = await world.stateHash();
    await world.advance(5);
    await world.restore(slot);
    expect(await world.stateHash()).toBe(later);
    expect((await refused(() => world.restore(new WorldSlot()))).code).toBe('foreign-id');
    const stranger = new World();
    expect((await refused(() => world.restore(stranger.save()))).code).toBe('foreign-id');
    expect((await refused(() => world.save({} as never))).code).toBe('invalid-argument');
    expect((await refused(() => world.restore(bytes.slice(0, 50)))).code).toMatch(/snapshot/);
    expect(await world.stateHash()).toBe(later);
  });

  test('advance: forces last a step, and every call is checked', async () => {
    const world = await start({ gravity: [0, 0, 0], sleeping: false });
    const body = world.createBody({ mass: 2, shape: BOX });
    body.applyCentralForce([2 / DT, 0, 0]);
    await world.advance(3);
    expect(body.getLinearVelocity()[0]).toBeCloseTo(1, 4);
    for (const n of [0, -1, 1.5, Number.NaN])
      expect((await refused(() => world.advance(n))).code).toBe('invalid-argument');
    expect((await refused(() => world.advance(1, -1))).code).toBe('invalid-argument');
    await world.advance(1, DT);
    world.dispose();
    expect(world.isDisposed).toBe(true);
    expect((await refused(() => world.createBody({ mass: 1, shape: BOX }))).code).toBe('disposed');
  });
});

test('the same calls give the same hash everywhere', async () => {
  const hashes = new Set<string>();
  for (const start of Object.values(PLACES)) {
    const world = await start();
    worlds.push(world);
    world.createBody(FLOOR);
    for (let i = 0; i < 20; i++)
      world.createBody({ mass: 1 + i, shape: i % 2 ? BOX : BALL, position: [0.1 * i, 1 + 1.1 * i, 0] });
    world.createJoint({ type: 'fixed', bodyA: [...world.bodies()][3]!, bodyB: [...world.bodies()][4]! });
    await world.advance(40);
    [...world.bodies()][2]!.applyCentralImpulse([5, 0, 0]);
    await world.advance(40);
    hashes.add(await world.stateHash());
  }
  expect(hashes.size).toBe(1);
});

test('what a worker cannot have says what stands in its place', async () => {
  const physics = await startPhysics({ transport: 'page', clock: 'manual' });
  const filter = (() => true) as never;
  expect(() => physics.setPairFilter(filter)).toThrow(/setFilter/);
  expect(() => physics.setInternalTickCallback(filter)).toThrow(/per frame/);
  await expect(async () => physics.advance(1, 1 / 30)).rejects.toThrow(/fixedTimeStep/);
});
