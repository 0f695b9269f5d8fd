// Who makes the steps, and who hears of what: clock modes, velocities, subscriptions by body and by impulse,
// loops over events. In Node; what needs a page is in test/browser/runtime.test.ts.
import { World } from 'ricochet';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sleep, startPhysics, TRANSPORTS } from './support';

const PLANE = { type: 'static', shape: { type: 'plane' } } as const;
const BALL = { shape: { type: 'sphere', radius: 0.5 } } as const;

test.each(TRANSPORTS)(
  "driven by the page's frames: the steps that are due, the same in every run (%s)",
  async (transport) => {
    const physics = await startPhysics({ transport, clock: 'frames' });
    const ball = physics.createBody({ ...BALL, position: [0, 100, 0], linearVelocity: [10, 0, 0] });
    await physics.start();
    const began = performance.now();
    const at = async (ms: number, steps: number) => {
      do {
        physics.update(began + ms);
        await physics.stateHash(); // the worker keeps up
        await sleep(1);
      } while (physics.stats.steps < steps);
    };
    for (let k = 1; k <= 30; k++) await at(k * 20, Math.floor(k * 1.2 + 1e-3));
    await sleep(120);
    physics.update(began + 600);
    expect(physics.stats.steps).toBe(36);
    expect(physics.stats.droppedMs).toBeLessThan(1);
    const world = new World();
    world.createBody({ ...BALL, position: [0, 100, 0], linearVelocity: [10, 0, 0] });
    for (let k = 0; k < 36; k++) world.step(1 / 60);
    expect(await physics.stateHash()).toBe(world.stateHash());
    expect(ball.getPosition()[0]).toBeGreaterThan(5);
    // Hidden for ten minutes: no burst, and the loss is told.
    await at(600_600, 36 + 8);
    await sleep(120);
    physics.update(began + 600_600);
    expect(physics.stats.steps).toBe(36 + 8);
    expect(physics.stats.droppedMs).toBeGreaterThan(599_000);
  },
);

test('a page whose worker is behind makes no more steps than it can take', async () => {
  const physics = await startPhysics({ transport: 'messages', clock: 'frames' });
  physics.createBody(BALL);
  await physics.start();
  const began = performance.now();
  // No turn of the event loop: no frame arrives.
  for (let k = 1; k <= 100; k++) physics.update(began + k * 17);
  await physics.stateHash();
  await sleep(50);
  expect(physics.stats.steps).toBeLessThan(10);
});

test('stepped by hand only', async () => {
  const physics = await startPhysics({ clock: 'manual' });
  physics.createBody(BALL);
  expect(() => physics.start()).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  await physics.step(3);
  expect(physics.stats.steps).toBe(3);
});

test.each(['shared', 'messages'] as const)(
  'velocities come with the frames when asked for (%s)',
  async (transport) => {
    const physics = await startPhysics({ transport, velocities: true, gravity: [0, 0, 0] });
    const ball = physics.createBody({ ...BALL, linearVelocity: [1, 2, 3], angularVelocity: [0, 4, 0] });
    await physics.step(2);
    expect(ball.getLinearVelocity()).toEqual([1, 2, 3]);
    expect(ball.getAngularVelocity()[1]).toBeCloseTo(4, 5);
  },
);

test('listeners hear of one body, or of hard hits only', async () => {
  const physics = await startPhysics();
  const plane = physics.createBody(PLANE);
  const soft = physics.createBody({ ...BALL, mass: 1, position: [0, 0.6, 0] });
  const hard = physics.createBody({ ...BALL, mass: 100, position: [5, 4, 0] });
  const heard: string[] = [];
  physics.on('contactBegin', () => heard.push('any'));
  const end = physics.on('contactBegin', () => heard.push('soft'), { body: soft });
  physics.on('contactBegin', (event) => heard.push(event.bodyB === hard ? 'hard hit' : 'hit'), {
    minImpulse: 100,
  });
  physics.on('contactBegin', () => heard.push('plane'), { body: plane.id });
  await physics.step(120);
  expect(heard.filter((what) => what === 'any')).toHaveLength(2);
  expect(heard.filter((what) => what === 'soft')).toHaveLength(1);
  expect(heard.filter((what) => what === 'plane')).toHaveLength(2);
  expect(heard.filter((what) => what === 'hard hit')).toHaveLength(1);
  expect(heard).not.toContain('hit');
  end();
  soft.setPosition([0, 2, 0]);
  await physics.step(60);
  expect(heard.filter((what) => what === 'soft')).toHaveLength(1);
  expect(() => physics.on('contactBegin', () => {}, { body: 12345 })).toThrow();
  expect(() => physics.on('contactBegin', () => {}, { minImpulse: -1 })).toThrow();
});

test.each(TRANSPORTS)(
  'joints that break, or go with a body, are told of to who listens to that body (%s)',
  async (transport) => {
    const physics = await startPhysics({ transport });
    const other = physics.createBody({ ...BALL, mass: 1, position: [9, 0, 0] });
    const held = physics.createBody({ ...BALL, mass: 10 });
    // Its number is that of `other`, which has nothing to do with it.
    const joint = physics.createJoint({ type: 'point', bodyB: held, anchor: [0, 0, 0], breakingImpulse: 1 });
    expect(joint.id).toBe(other.id);
    const heard: string[] = [];
    physics.on('jointBroken', () => heard.push('other'), { body: other });
    physics.on('jointBroken', ({ bodyA, impulse }) => heard.push(`${bodyA} ${impulse.toFixed(1)}`), {
      body: held,
    });
    const broken = (async () => {
      for await (const event of physics.events('jointBroken', { body: held })) return event.joint;
      return 0;
    })();
    const removed = (async () => {
      for await (const event of physics.events('jointRemoved')) return [event.joint, event.bodyB?.id];
      return [];
    })();
    await physics.step(3);
    expect(heard).toEqual(['null 1.6']);
    expect(await broken).toBe(joint.id);
    held.remove();
    await physics.step(1);
    expect(await removed).toEqual([joint.id, held.id]);
    expect(joint.isRemoved).toBe(true);
  },
);

test('a loop over events takes them in order and ends by itself, or with the world', async () => {
  const physics = await startPhysics();
  physics.createBody(PLANE);
  for (let i = 0; i < 5; i++) physics.createBody({ ...BALL, position: [2 * i, 0.6 + i, 0] });
  const seen: number[] = [];
  const loop = (async () => {
    for await (const event of physics.events('contactBegin')) {
      seen.push(event.bodyB.getPosition()[0]);
      if (seen.length === 3) break;
    }
  })();
  const endless = (async () => {
    let count = 0;
    for await (const _ of physics.events('contactBegin')) count++;
    return count;
  })();
  await physics.step(120);
  await loop;
  expect(seen.map(Math.round)).toEqual([0, 2, 4]);
  physics.dispose();
  expect(await endless).toBe(5);
});

test.each(TRANSPORTS)(
  'a page that is hidden from the start stands still until it is shown (%s)',
  async (transport) => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    vi.stubGlobal('document', page);
    onTestFinished(() => void vi.unstubAllGlobals());
    const physics = await startPhysics({ transport });
    physics.createBody({ ...BALL, position: [0, 100, 0] });
    await physics.start();
    await sleep(300);
    await physics.stateHash();
    physics.update();
    expect(physics.stats.steps).toBe(0);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    for (const until = performance.now() + 10_000; physics.stats.steps < 5; await sleep(5)) {
      physics.update();
      expect(performance.now()).toBeLessThan(until);
    }
  },
);
