// What a World in process and a world in a worker do alike: listeners that throw, handles and bindings over a restore.
import { PhysicsError, World } from 'ricochet';
import { bind, updateBindings } from 'ricochet/three';
import { BoxGeometry, InstancedMesh, Matrix4, Object3D } from 'three';
import { describe, expect, test, vi } from 'vitest';
import { createPhysics, type Physics } from '../../worker/client';
import { startPhysics, TRANSPORTS } from './support';

const BALL = { mass: 1, shape: { type: 'sphere', radius: 0.5 } } as const;
const WHERE = ['in process', ...TRANSPORTS] as const;

/** What both have; answers are awaited. */
type Target = World;

async function open(where: (typeof WHERE)[number]): Promise<Target> {
  if (where === 'in process') return new World();
  return (await startPhysics({ transport: where, clock: 'manual' })) as unknown as World;
}

const remote = (target: unknown) => target as Physics;
const step = (target: Target) => (target instanceof World ? target.step(1 / 60) : remote(target).step());

/** Steps, and tells: in a worker that may be in `update`. */
async function tell(target: Target): Promise<unknown> {
  try {
    await step(target);
    if (!(target instanceof World)) remote(target).update();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(WHERE)('%s', (where) => {
  test('who is put to sleep by a call has that event, as who wakes by one has', async () => {
    const target = await open(where);
    const bodies = [0, 3, 6].map((x) => target.createBody({ ...BALL, position: [x, 0, 0] }));
    const seen: string[] = [];
    for (const type of ['sleep', 'wake'] as const)
      target.on(type, ({ body }) => seen.push(`${type} ${bodies.findIndex(({ id }) => id === body.id)}`));
    await tell(target);
    bodies[0]!.setActivationState('sleeping');
    bodies[1]!.setActivationState('disableSimulation');
    await tell(target);
    expect(seen.splice(0)).toEqual(['sleep 0', 'sleep 1']);
    // Again: nothing changes.
    bodies[0]!.setActivationState('sleeping');
    bodies[1]!.forceActivationState('disableSimulation');
    await tell(target);
    expect(seen).toEqual([]);
    bodies[0]!.activate();
    bodies[1]!.forceActivationState('active');
    await tell(target);
    expect(seen).toEqual(['wake 0', 'wake 1']);
    if (!(target instanceof World)) await remote(target).dispose();
    else target.dispose();
  });

  test('after a restore the handle of what never was stays dead, whoever gets its id', async () => {
    const target = await open(where);
    const first = target.createBody(BALL);
    const snapshot = await target.snapshot();
    const old = target.createBody({ ...BALL, position: [3, 0, 0] });
    const removed = target.createBody({ ...BALL, position: [6, 0, 0] });
    removed.remove();
    const slotUser = target.createBody({ ...BALL, position: [6, 0, 0] });
    await target.restore(snapshot);
    expect([first.isRemoved, old.isRemoved, removed.isRemoved, slotUser.isRemoved]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const next = target.createBody({ ...BALL, position: [9, 0, 0] });
    const other = target.createBody({ ...BALL, position: [12, 0, 0] });
    expect([next.id, other.id]).toEqual([old.id, removed.id]);
    for (const dead of [old, removed, slotUser]) {
      expect(dead.isRemoved).toBe(true);
      for (const call of [
        () => dead.remove(),
        () => target.removeBody(dead),
        () => dead.getPosition(),
        () => dead.setLinearVelocity([1, 0, 0]),
        () => dead.mass,
        () => dead.getLinearVelocity(),
        () => target.createJoint({ type: 'point', bodyA: dead, bodyB: first, anchor: [0, 0, 0] }),
      ])
        expect(call).toThrow(expect.objectContaining({ code: 'stale-id' }));
    }
    expect(target.bodyCount).toBe(3);
    expect(target.getBody(next.id)).toBe(next);
    // Again: now the snapshot knows the new one.
    const later = await target.snapshot();
    next.remove();
    await target.restore(later);
    expect(next.isRemoved).toBe(false);
    expect(old.isRemoved).toBe(true);
    expect(target.getBody(next.id)).toBe(next);
    const { position } = { position: next.getPosition() };
    expect(position[0]).toBeCloseTo(9, 5);
  });

  test('a body that a restore brings back has its handle, its userData and its identity in events', async () => {
    const target = await open(where);
    const ground = target.createBody({ type: 'static', shape: { type: 'plane' } });
    const ball = target.createBody({ ...BALL, position: [0, 0.6, 0] });
    ball.userData = { name: 'ball' };
    const snapshot = await target.snapshot();
    ball.remove();
    await step(target);
    const instead = target.createBody({ ...BALL, position: [0, 5, 0] });
    await step(target);
    await target.restore(snapshot);
    expect(ball.isRemoved).toBe(false);
    expect(instead.isRemoved).toBe(true);
    expect(target.getBody(ball.id)).toBe(ball);
    const met: unknown[] = [];
    target.on('contactBegin', (event: { bodyA: unknown; bodyB: unknown }) =>
      met.push(event.bodyA, event.bodyB),
    );
    for (let k = 0; k < 30; k++) await tell(target);
    expect(met).toContain(ball);
    expect(met).toContain(ground);
    expect((ball.userData as { name: string }).name).toBe('ball');
  });

  test('joints likewise', async () => {
    const target = await open(where);
    const [a, b] = [0, 2].map((x) => target.createBody({ ...BALL, position: [x, 0, 0] })) as [never, never];
    const kept = target.createJoint({ type: 'point', bodyA: a, bodyB: b, anchor: [1, 0, 0] });
    const snapshot = await target.snapshot();
    const old = target.createJoint({ type: 'distance', bodyA: a, bodyB: b, distance: { low: 1, high: 3 } });
    kept.remove();
    await target.restore(snapshot);
    const next = target.createJoint({ type: 'distance', bodyA: a, bodyB: b, distance: { low: 1, high: 3 } });
    expect(next.id).toBe(old.id);
    expect([kept.isRemoved, old.isRemoved, next.isRemoved]).toEqual([false, true, false]);
    expect(() => old.remove()).toThrow(expect.objectContaining({ code: 'stale-id' }));
    expect(next.isRemoved).toBe(false);
    expect(target.getJoint(kept.id)).toBe(kept);
  });

  test('bindings survive a restore that brings their bodies back; instances, too', async () => {
    const target = await open(where);
    const bodies = [0, 1, 2].map((x) => target.createBody({ ...BALL, position: [3 * x, 5, 0] }));
    const objects = bodies.map(() => new Object3D());
    bodies.forEach((body, i) => void bind(target, objects[i]!, body));
    const mesh = new InstancedMesh(new BoxGeometry(), undefined, 3);
    bind(target, mesh, bodies);
    const draw = () => (target instanceof World ? updateBindings(target) : remote(target).update());
    const snapshot = await target.snapshot();
    bodies[1]!.remove();
    await step(target);
    draw();
    draw();
    const matrix = new Matrix4();
    mesh.getMatrixAt(1, matrix);
    expect(matrix.elements[15]).toBe(0);
    await target.restore(snapshot);
    for (let k = 0; k < 20; k++) await step(target);
    draw();
    for (const [i, body] of bodies.entries()) {
      expect(body.getPosition()[1]).toBeLessThan(4.8);
      expect(objects[i]!.position.toArray()).toEqual(body.getPosition());
      mesh.getMatrixAt(i, matrix);
      expect(matrix.elements[13]).toBeCloseTo(body.getPosition()[1], 5);
    }
    // An object that was bound anew does not go back to its old body.
    bodies[2]!.remove();
    draw();
    bind(target, objects[2]!, bodies[0]!);
    await target.restore(snapshot);
    await step(target);
    draw();
    expect(objects[2]!.position.x).toBeCloseTo(0, 5);
  });

  test('bind takes what createBodies gives, and refuses what is no body without a trace', async () => {
    const target = await open(where);
    const ids = target.createBodies(BALL, { positions: [0, 5, 0, 3, 5, 0] });
    const mesh = new InstancedMesh(new BoxGeometry(), undefined, 2);
    bind(target, mesh, ids);
    const matrix = new Matrix4();
    mesh.getMatrixAt(1, matrix);
    expect(matrix.elements[12]).toBeCloseTo(3, 5);
    const draw = () => (target instanceof World ? updateBindings(target) : remote(target).update());
    for (const wrong of [{}, null, 7, 'x', undefined])
      expect(() => bind(target, new Object3D(), wrong as never)).toThrow(PhysicsError);
    expect(() => bind(target, new Object3D(), ids as never)).toThrow(/InstancedMesh/);
    expect(() => bind(target, mesh, Int32Array.of(12345))).toThrow(
      expect.objectContaining({ code: 'stale-id' }),
    );
    expect(() => bind(target, mesh, [{}] as never)).toThrow(
      expect.objectContaining({ argument: 'bodies[0]' }),
    );
    draw();
    for (let k = 0; k < 10; k++) await step(target);
    draw();
    mesh.getMatrixAt(0, matrix);
    expect(matrix.elements[13]).toBeLessThan(5);
  });

  test('a listener that throws keeps no other from being told', async () => {
    const target = await open(where);
    target.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 3; i++) target.createBody({ ...BALL, position: [3 * i, 0.5, 0] });
    const told: string[] = [];
    const errors: unknown[] = [];
    const failure = new Error('boom');
    target.on('contactBegin', () => {
      told.push('first');
      throw failure;
    });
    target.on('contactBegin', () => void told.push('second'));
    const uncaught = (error: unknown) => errors.push(error);
    // Over messages events come between the tasks of the page: there what is thrown is nobody's but the process's.
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', uncaught);
    try {
      for (let k = 0; k < 5; k++) {
        const error = await tell(target);
        if (error !== undefined) errors.push(error);
      }
    } finally {
      process.off('uncaughtException', uncaught);
      for (const listener of others) process.on('uncaughtException', listener);
    }
    expect(told.filter((who) => who === 'first')).toHaveLength(3);
    expect(told.filter((who) => who === 'second')).toHaveLength(3);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toBe(failure);
    expect((await target.stateHash()).length).toBe(16);
  });

  test('listeners that end or add others while an event is told', async () => {
    const target = await open(where);
    target.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 2; i++) target.createBody({ ...BALL, position: [3 * i, 0.5, 0] });
    const told: string[] = [];
    const late = () => void told.push('late');
    target.on('contactBegin', () => {
      told.push('first');
      endSecond();
      target.off('contactBegin', third);
      if (told.length === 1) target.on('contactBegin', late);
    });
    const endSecond = target.on('contactBegin', () => void told.push('second'));
    const third = () => void told.push('third');
    target.on('contactBegin', third);
    const twice = () => void told.push('twice');
    target.on('contactBegin', twice);
    const endOne = target.on('contactBegin', twice);
    for (let k = 0; k < 5; k++) await tell(target);
    // What is ended is not told of the event that is on its way, and what is added begins with the next one.
    expect(told).toEqual(['first', 'twice', 'twice', 'first', 'twice', 'twice', 'late']);
    told.length = 0;
    endOne();
    target.createBody({ ...BALL, position: [6, 0.5, 0] });
    for (let k = 0; k < 5; k++) await tell(target);
    expect(told).toEqual(['first', 'twice', 'late']);
  });

  test('nothing can be listened to in a world that is gone: no loop waits for ever', async () => {
    const target = await open(where);
    await step(target);
    target.dispose();
    expect(() => target.on('sleep', () => {})).toThrow('the world was disposed');
    expect(() => target.events('sleep').next()).toThrow('the world was disposed');
  });
});

test.each(TRANSPORTS)(
  'with onError it goes there, and updates and restarts likewise: %s',
  async (transport) => {
    const physics = await startPhysics({ transport });
    const errors: unknown[] = [];
    physics.onError((error) => errors.push(error));
    physics.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 2; i++) physics.createBody({ ...BALL, position: [3 * i, 0.5, 0] });
    const told = vi.fn();
    physics.on('contactBegin', () => {
      throw new Error('of a contact');
    });
    physics.on('contactBegin', told);
    physics.onUpdate(() => {
      throw new Error('of an update');
    });
    const drawn = vi.fn();
    physics.onUpdate(drawn);
    await physics.step(10);
    physics.update();
    expect(told).toHaveBeenCalledTimes(2);
    expect(drawn).toHaveBeenCalledOnce();
    expect(errors.map((error) => (error as Error).message)).toEqual([
      'of a contact',
      'of a contact',
      'of an update',
    ]);
  },
);

test('listeners of updates that end themselves, or others, keep no other from being called', async () => {
  const physics = await startPhysics({ transport: 'page' });
  const told: string[] = [];
  const endOnce = physics.onUpdate(() => {
    told.push('once');
    endOnce();
    endOnce(); // again: ends nothing else
  });
  const endNever = physics.onUpdate(() => void told.push('until then'));
  physics.onUpdate(() => {
    told.push('always');
    endNever();
    endLast();
  });
  const endLast = physics.onUpdate(() => void told.push('never'));
  const twice = () => void told.push('twice');
  physics.onUpdate(twice);
  const endOne = physics.onUpdate(twice);
  physics.update();
  endOne();
  endOne();
  physics.update();
  expect(told).toEqual(['once', 'until then', 'always', 'twice', 'twice', 'always', 'twice']);
});

test('of a World, an error of a callback in the step drops no event', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  world.createBody({ ...BALL, position: [0, 0.5, 0] });
  const told = vi.fn();
  world.on('contactBegin', told);
  world.setInternalTickCallback(() => {
    throw new Error('tick');
  });
  for (let k = 0; k < 5; k++) expect(() => world.step(1 / 60)).toThrow('tick');
  expect(told).toHaveBeenCalledOnce();
  world.setInternalTickCallback(null);
  world.step(1 / 60);
});

test('createPhysics is called off by an AbortSignal, before and while it opens', async () => {
  const off = AbortSignal.abort(new Error('no'));
  await expect(createPhysics({ signal: off, transport: 'page' })).rejects.toThrow('no');
  for (const transport of TRANSPORTS) {
    const control = new AbortController();
    const made = startPhysics({ transport, signal: control.signal });
    queueMicrotask(() => control.abort());
    await expect(made).rejects.toMatchObject({ name: 'AbortError' });
  }
  const control = new AbortController();
  const physics = await startPhysics({ signal: control.signal });
  control.abort();
  expect(physics.isDisposed).toBe(false);
  expect(await physics.stateHash()).toHaveLength(16);
  await expect(startPhysics({ signal: 'x' as never })).rejects.toMatchObject({ argument: 'signal' });
});

test('a first frame of −5 ms: a world in process says what to do, a worker takes it', async () => {
  const world = new World();
  const before = world.stateHash();
  expect(() => world.stepSimulation(-0.005)).toThrow(/requestAnimationFrame/);
  expect(world.stateHash()).toBe(before);
  for (const clock of ['frames', 'automatic'] as const) {
    const physics = await startPhysics({ clock });
    physics.createBody(BALL);
    await physics.start();
    const start = performance.now();
    expect(() => physics.update(start - 5)).not.toThrow();
    for (let k = 0; k < 4; k++) physics.update(start - 5 + 20 * k);
    expect(() => physics.update(Number.NaN)).toThrow(expect.objectContaining({ argument: 'now' }));
    expect(await physics.stateHash()).toHaveLength(16);
  }
});

test.each(TRANSPORTS)(
  '%s: forces at points, and what is read for them, have the bits of a World',
  async (transport) => {
    const physics = await startPhysics({ transport, clock: 'manual' });
    const world = new World();
    const drop = (target: World) =>
      target.createBody({
        position: [0.3, 2, -0.7],
        rotation: [0.36, 0.48, 0.64, 0.48],
        linearVelocity: [3, 1, -2],
        angularVelocity: [1, -4, 2],
        shape: [
          { type: 'box', halfExtents: [0.5, 0.2, 0.3] },
          { type: 'sphere', radius: 0.3, position: [0.9, 0.1, -0.2] },
        ],
      });
    const there = drop(physics as unknown as World);
    const here = drop(world);
    for (let i = 0; i < 40; i++) {
      for (const body of [here, there]) {
        const point = body.getPosition();
        body.applyImpulseAtPoint(body.getVelocityAtPoint(point).map((v) => -0.1 * v) as never, point);
        body.applyForceAtPoint([3, 9, -2], body.getCenterOfMassPosition().map((c) => c + 0.4) as never);
      }
      world.step(1 / 60);
      await physics.step();
      physics.update();
      expect(there.getCenterOfMassPosition()).toEqual(here.getCenterOfMassPosition());
      expect(there.getVelocityAtPoint([1, 2, 3])).toEqual(here.getVelocityAtPoint([1, 2, 3]));
      expect(await physics.stateHash()).toBe(world.stateHash());
    }
  },
);

test.each(WHERE)('%s: what cannot fall asleep does not sleep', async (where) => {
  const target = await open(where);
  const bodies = (['static', 'kinematic', 'dynamic'] as const).map((type, i) =>
    target.createBody({ type, activationState: 'sleeping', position: [3 * i, 0, 0], shape: BALL.shape }),
  );
  await step(target);
  expect(bodies.map((body) => body.isSleeping())).toEqual([false, false, true]);
});
