// A body that stops being dynamic for a while keeps what it weighs, whoever holds the world.

import { describe, expect, test } from 'vitest';
import type { BodyHandle, BodyOptions, BodyType } from '../../src/index';
import { World } from '../../src/index';
import { Player, Recorder, readRecording } from '../../src/replay';
import { startPhysics, TRANSPORTS } from '../worker/support';

const DT = 1 / 60;
const BOX = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;

const mass = (body: BodyHandle) => ({
  mass: body.mass,
  inertia: body.getLocalInertia(),
  center: body.getLocalCenterOfMass(),
});

const BODIES: Record<string, BodyOptions> = {
  'of 5 kg': { mass: 5, shape: BOX },
  'with moments and a centre of its own': {
    mass: 3,
    inertia: [1, 2, 2.5],
    centerOfMass: [0.1, 0.2, -0.3],
    shape: BOX,
  },
  'of two shapes': {
    mass: 7,
    shape: [BOX, { type: 'sphere', radius: 0.3, position: [0.8, 0.3, 0.2], density: 4000 }],
  },
};
const WAYS: BodyType[][] = [
  ['kinematic'],
  ['static'],
  ['dynamic'],
  ['kinematic', 'static'],
  ['static', 'kinematic', 'kinematic'],
  ['dynamic', 'kinematic', 'dynamic', 'static'],
];

describe.each(Object.keys(BODIES))('a body %s', (name) => {
  test.each(WAYS.map((way) => [way.join(', ')] as const))('by way of %s', (way) => {
    const world = new World();
    const body = world.createBody(BODIES[name]!);
    const before = mass(body);
    for (const type of way.split(', ') as BodyType[]) {
      body.setType(type);
      if (type !== 'dynamic') expect(body.mass).toBe(0);
      world.step(DT);
    }
    body.setType('dynamic');
    expect(mass(body)).toEqual(before);
    // The core has it, too: it moves as before.
    body.setLinearVelocity([0, 0, 0]);
    body.setAngularVelocity([0, 0, 0]);
    body.applyCentralImpulse([before.mass, 0, 0]);
    expect(body.getLinearVelocity()[0]).toBeCloseTo(1, 5);
  });

  test('through a snapshot of World, a slot and a recording', async () => {
    const world = new World();
    const body = world.createBody(BODIES[name]!);
    const before = mass(body);
    const recorder = new Recorder(world);
    body.setType('kinematic');
    world.step(DT);
    const slot = world.save();
    const bytes = world.snapshot();
    const file = await recorder.finish();
    for (const other of [World.restore(bytes), world]) {
      const same = other.getBody(body.id)!;
      same.setType('dynamic');
      expect(mass(same)).toEqual(before);
    }
    world.restore(slot);
    expect(body.mass).toBe(0);
    body.setType('dynamic');
    expect(mass(body)).toEqual(before);
    const player = new Player(await readRecording(file));
    player.play();
    const replayed = player.world.getBody(body.id)!;
    replayed.setType('dynamic');
    expect(mass(replayed)).toEqual(before);
  });
});

test.each(TRANSPORTS)('through a worker, its snapshots and its end (%s)', async (transport) => {
  const physics = await startPhysics({ transport, clock: 'manual' });
  const body = physics.createBody(BODIES['of 5 kg']!);
  const before = mass(body);
  body.setType('kinematic');
  await physics.step(2);
  const bytes = await physics.snapshot();
  body.setType('dynamic');
  expect(mass(body)).toEqual(before);
  await physics.step(1);
  await physics.restore(bytes);
  expect(body.mass).toBe(0);
  body.setType('static');
  body.setType('dynamic');
  expect(mass(body)).toEqual(before);
  await physics.step(1);
  const world = World.restore(await physics.snapshot());
  expect(mass(world.getBody(body.id)!)).toEqual(before);
  expect(world.stateHash()).toBe(await physics.stateHash());
});

test('what is given counts: a mass scales the moments that were, a centre takes them anew', () => {
  const world = new World();
  const body = world.createBody(BODIES['with moments and a centre of its own']!);
  body.setType('kinematic');
  body.setType('dynamic', { mass: 6 });
  expect(mass(body).inertia).toEqual([2, 4, 5]);
  body.setType('static');
  body.setType('dynamic', { inertia: [7, 8, 9] });
  expect(mass(body)).toMatchObject({ mass: 6, inertia: [7, 8, 9] });
  body.setType('static');
  body.setType('dynamic', { centerOfMass: [0, 0, 0] });
  expect(mass(body)).toMatchObject({ mass: 6, center: [0, 0, 0] });
  expect(body.getLocalInertia()[0]).toBeCloseTo(1, 5);
});

test('what never was dynamic weighs what its shapes do; updateMassProps forgets', () => {
  const world = new World();
  const lift = world.createBody({ type: 'kinematic', shape: BOX });
  lift.setType('dynamic');
  expect(lift.mass).toBe(1000);
  const crate = world.createBody({ mass: 5, shape: BOX });
  crate.setType('kinematic');
  crate.updateMassProps();
  crate.setType('dynamic');
  expect(crate.mass).toBe(1000);
});

test('a refused call changes nothing', () => {
  const world = new World();
  const body = world.createBody(BODIES['of 5 kg']!);
  const before = mass(body);
  body.setType('static');
  body.addShape({ type: 'plane' });
  expect(() => body.setType('dynamic')).toThrow();
  expect(() => body.setType('kinematic', { mass: 3 } as never)).toThrow();
  expect(body.type).toBe('static');
  body.removeShape(body.shapes[1]!);
  body.setType('dynamic');
  expect(mass(body)).toEqual(before);
});

test('what was made static or kinematic, without a filter of its own, stands on the ground once it is dynamic', () => {
  for (const type of ['static', 'kinematic'] as const) {
    const world = new World();
    world.createBody({
      type: 'static',
      position: [0, -0.5, 0],
      shape: { type: 'box', halfExtents: [5, 0.5, 5] },
    });
    const crate = world.createBody({ type, position: [0, 1, 0], shape: BOX });
    const own = world.createBody({ type, position: [3, 1, 0], group: 8, mask: 4, shape: BOX });
    const made = new World();
    made.createBody({
      type: 'static',
      position: [0, -0.5, 0],
      shape: { type: 'box', halfExtents: [5, 0.5, 5] },
    });
    const same = made.createBody({ position: [0, 1, 0], shape: BOX });
    crate.setType('dynamic');
    own.setType('dynamic');
    expect([crate.group, crate.mask]).toEqual([same.group, same.mask]);
    expect([own.group, own.mask]).toEqual([8, 4]);
    for (let i = 0; i < 90; i++) {
      world.step(DT);
      made.step(DT);
    }
    expect(crate.getPosition()).toEqual(same.getPosition());
    expect(crate.getPosition()[1]).toBeCloseTo(0.5, 2);
  }
});

test('moments that are given need no new centre, and may be those of turned axes', () => {
  const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const world = new World({ gravity: [0, 0, 0] });
  const body = world.createBody(BODIES['with moments and a centre of its own']!);
  const before = mass(body);
  body.setType('kinematic');
  body.setType('dynamic', { inertia: [1, 2, 3], inertiaOrientation: turn });
  expect(mass(body).center).toEqual(before.center);
  body.setAngularVelocity([0, 0, 0]);
  body.applyTorqueImpulse([1, 0, 0]); // along x lies the second axis
  expect(body.getAngularVelocity()[0]).toBeCloseTo(0.5, 5);
});
