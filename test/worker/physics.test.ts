// A world in a worker thread behaves as the same world in process: same ids, same bits, same errors.
import { World } from 'ricochet';
import { describe, expect, test } from 'vitest';
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { createGround } from '../../demo/scenes/scene';
import { unpackSnapshot } from '../../src/replica/snapshot';
import { startPhysics } from './support';

const CRATE = { mass: 1, position: [0, 5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } } as const;

describe('same as in process', () => {
  test('the pile has the same hash every 50 steps, and the same poses', async () => {
    const world = new World();
    pileMixed.build(world);
    const physics = await startPhysics();
    pileMixed.build(physics);
    for (let i = 0; i < 4; i++) {
      for (let k = 0; k < 50; k++) world.step(1 / 60);
      await physics.step(50);
      expect(await physics.stateHash()).toBe(world.stateHash());
    }
    const theirs = [...physics.bodies()].map((body) => [
      body.id,
      ...body.getPosition(),
      ...body.getRotation(),
    ]);
    const ours = [...world.bodies()].map((body) => [body.id, ...body.getPosition(), ...body.getRotation()]);
    expect(theirs).toEqual(ours);
    expect(physics.stats.steps).toBe(200);
    expect(physics.stats.bodies).toBe(world.bodyCount);
    expect(physics.stats.awake).toBe(world.awakeCount);
  });

  test('every kind of change arrives', async () => {
    const play = (target: Pick<World, 'createBody' | 'removeBody' | 'setGravity' | 'updateSettings'>) => {
      createGround(target);
      const a = target.createBody(CRATE);
      const b = target.createBody({ ...CRATE, position: [0, 8, 0.2] });
      const c = target.createBody({
        type: 'kinematic',
        shape: { type: 'sphere', radius: 1 },
        position: [3, 1, 0],
      });
      a.setLinearVelocity([1, 2, 3]);
      a.setAngularVelocity({ x: 0.5, y: 0, z: 0 });
      a.applyForce([10, 0, 0], [0, 0.5, 0]);
      b.applyTorque([0, 3, 0]);
      b.applyImpulse([0, 0, 1], [0.1, 0, 0]);
      c.setKinematicTarget([2.9, 1, 0]);
      b.setMass(2);
      b.setDamping(0.1, 0.2);
      b.setLinearFactor([1, 1, 0]);
      b.setMaterial({ friction: 0.9, restitution: 0.5 });
      b.addShape({ type: 'capsule', radius: 0.2, halfHeight: 0.3, axis: 'x', position: [0, 1, 0] });
      b.updateMassProps();
      target.removeBody(target.createBody(CRATE) as never);
      target.setGravity([0, -5, 1]);
      target.updateSettings({ substeps: 3 });
      a.setTransform([0.1, 4, 0], [0, 0.6, 0, 0.8]);
    };
    const world = new World({ profile: 'bullet3' });
    const physics = await startPhysics({ profile: 'bullet3' });
    play(world);
    play(physics as unknown as World);
    expect(await physics.stateHash()).toBe(world.stateHash());
    for (let k = 0; k < 90; k++) world.step(1 / 60);
    await physics.step(90);
    expect(await physics.stateHash()).toBe(world.stateHash());
  });

  test('a snapshot knows what the world in process knows, and each takes the other’s', async () => {
    const world = new World();
    const physics = await startPhysics();
    for (const target of [world, physics]) {
      createGround(target);
      target.createBody({ position: [0, 3, 0], shape: { type: 'sphere', radius: 0.4, density: 300 } });
      target.removeBody(target.createBody(CRATE) as never);
      target.createBody(CRATE);
    }
    for (let k = 0; k < 30; k++) world.step(1 / 60);
    await physics.step(30);
    const theirs = await physics.snapshot();
    const ours = world.snapshot();
    // Densities, too, which no command carries.
    expect(unpackSnapshot(theirs).replica).toEqual(unpackSnapshot(ours).replica);

    await physics.step(20);
    const late = physics.createBody(CRATE);
    await physics.step(1);
    await physics.restore(ours);
    expect(() => late.getPosition()).toThrow(/removed|never given/);
    expect(await physics.stateHash()).toBe(world.stateHash());
    // Ids go on as they did in the world that the snapshot is of.
    expect(physics.createBody(CRATE).id).toBe(world.createBody(CRATE).id);
    for (let k = 0; k < 30; k++) world.step(1 / 60);
    await physics.step(30);
    expect(await physics.stateHash()).toBe(world.stateHash());
    expect(World.restore(await physics.snapshot()).stateHash()).toBe(world.stateHash());
  });
});

describe('calls', () => {
  test('a body and its pose are there at once', async () => {
    const physics = await startPhysics();
    const body = physics.createBody(CRATE);
    expect(body.id).toBeGreaterThan(0);
    expect(body.getPosition()).toEqual([0, 5, 0]);
    body.setTransform([1, 2, 3], [0, 0, 0, 1]);
    expect(body.getPosition(new Float32Array(3))).toEqual(Float32Array.of(1, 2, 3));
    await physics.step(1);
    expect(body.getPosition()[1]).toBeCloseTo(2 - (9.81 / 3600) * 0.5, 3);
    expect(body.getCenterOfMassPosition()[0]).toBeCloseTo(1, 6);
  });

  test('bad arguments are typed errors at the call, and change nothing', async () => {
    const physics = await startPhysics();
    const body = physics.createBody(CRATE);
    await physics.step(1);
    const before = await physics.stateHash();
    const other = await startPhysics();
    const foreign = other.createBody(CRATE);
    const removed = physics.createBody(CRATE);
    removed.remove();
    const code = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'nothing thrown';
    };
    expect(code(() => physics.createBody({ mass: -1 }))).toBe('invalid-argument');
    expect(code(() => physics.createBody({ colour: 'red' } as never))).toBe('unknown-option');
    expect(code(() => body.setLinearVelocity([Number.NaN, 0, 0]))).toBe('invalid-argument');
    expect(code(() => removed.setLinearVelocity([1, 0, 0]))).toBe('stale-id');
    expect(code(() => physics.removeBody(foreign))).toBe('foreign-id');
    expect(code(() => physics.step(0))).toBe('invalid-argument');
    expect(() => physics.step(1 / 60)).toThrow(/^n must be a number of steps, .*World\.step takes seconds/);
    await expect(physics.rayTest([0, 0, 0], [0, Number.POSITIVE_INFINITY, 0])).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'to.y',
    });
    await expect(physics.rayTest([0, 0, 0], [0, 0, 0])).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(physics.restore(new Uint8Array(100))).rejects.toMatchObject({ code: 'damaged-snapshot' });
    expect(await physics.stateHash()).toBe(before);
  });

  test('unknown options of the world and of the client are errors', async () => {
    await expect(startPhysics({ colour: 1 } as never)).rejects.toMatchObject({ code: 'unknown-option' });
    await expect(startPhysics({ fixedTimeStep: 0 })).rejects.toMatchObject({ argument: 'fixedTimeStep' });
  });

  test('queries see all calls before them', async () => {
    const physics = await startPhysics();
    createGround(physics);
    const body = physics.createBody(CRATE);
    const hit = await physics.rayTest([0, 10, 0], [0, -10, 0]);
    expect(hit?.body).toBe(body);
    expect(hit?.point[1]).toBeCloseTo(5.5, 5);
    const all = await physics.rayTest([0, 10, 0], [0, -10, 0], { mode: 'all' });
    expect(all.map(({ fraction }) => fraction.toFixed(3))).toEqual(['0.225', '0.500']);
    const behind = await physics.rayTest([0, 10, 0], [0, -10, 0], { skip: body });
    expect(behind?.body.type).toBe('static');
    const batch = await physics.rayTestBatch([0, 10, 0, 0, -10, 0, 50, 10, 50, 50, 20, 50]);
    expect([...batch.bodies]).toEqual([body.id, 0]);
    const overlaps = await physics.overlapTest([-1, 4, -1], [1, 6, 1]);
    expect(overlaps.map((overlap) => overlap.body)).toContain(body);
  });

  test('events come with the handles of the page, before the step is over for its caller', async () => {
    const physics = await startPhysics();
    const world = new World();
    const seen: unknown[] = [];
    const expected: unknown[] = [];
    physics.on('contactBegin', (event) =>
      seen.push([event.bodyA.id, event.bodyB.id, event.normal, event.points]),
    );
    world.on('contactBegin', (event) =>
      expected.push([event.bodyA.id, event.bodyB.id, event.normal, event.points]),
    );
    for (const target of [physics, world]) {
      createGround(target);
      target.createBody({ ...CRATE, position: [0, 1, 0] });
    }
    for (let k = 0; k < 60; k++) world.step(1 / 60);
    await physics.step(60);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(expected);
    // Listening changes no bit.
    const silent = new World();
    createGround(silent);
    silent.createBody({ ...CRATE, position: [0, 1, 0] });
    for (let k = 0; k < 60; k++) silent.step(1 / 60);
    expect(await physics.stateHash()).toBe(silent.stateHash());
  });

  test('contacts, profile and debug lines on request', async () => {
    const physics = await startPhysics({ profiling: true });
    createGround(physics);
    const body = physics.createBody({ ...CRATE, position: [0, 0.5, 0] });
    expect(physics.debugLines.count).toBe(0);
    physics.setDebug({ shapes: false, aabbs: true, contacts: true });
    await physics.step(3);
    const contacts = await physics.getContacts(body);
    expect(contacts).toHaveLength(1);
    expect(contacts[0]!.points).toHaveLength(4);
    expect((await physics.getProfile()).bodies).toBe(2);
    // One box of twelve edges, four contact points of three lines each.
    expect(physics.debugLines.count).toBe(12 + 4 * 3);
    expect(physics.debugLines.positions).toHaveLength(6 * 24);
    expect(physics.debugLines.colors).toHaveLength(24);
    physics.setDebug(null);
    await physics.step(1);
    expect(physics.debugLines.count).toBe(0);
  });
});
