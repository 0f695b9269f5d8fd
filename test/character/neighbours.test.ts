// Characters of the core beside everything else that moves: very small and very large ones, belts, one-way platforms,
// vehicles, ragdolls, planets that turn, a ground that is removed; at 30, 60 and 144 steps a second.

import { SkinnedRagdoll } from 'ricochet/three';
import { makeVehicle } from 'ricochet/vehicle';
import { describe, expect, test } from 'vitest';
import { deterministic, World } from '../../src/index';
import { createHuman } from '../ragdoll/human';
import { box, hero, march, STANDING, sized } from './support';

const plane = { type: 'static', shape: { type: 'plane' } } as const;

describe.each([30, 60, 144])('%i steps a second', (rate) => {
  const dt = 1 / rate;

  test.each([0.2, 20])('a capsule of %f m height walks, climbs a step, jumps and rides', async (height) => {
    const size = height / 1.8;
    const world = new World();
    world.createBody(plane);
    box(world, [3 * size, 0.1 * size, 0], [size, 0.1 * size, 5 * size]);
    const who = await hero(world, sized(size, Math.max(0.002, 0.01 * size)));
    march(world, who, [0, 0, 0], 1, undefined, dt);
    expect(who.onGround).toBe(true);
    const speed = 2 * Math.sqrt(size);
    let air = 0;
    march(world, who, [speed, 0, 0], (3 * size) / speed, () => void (air += who.onGround ? 0 : 1), dt);
    expect(air).toBe(0);
    expect(Math.abs(who.getPosition()[0] / size - 3)).toBeLessThan(0.1); // rounded to whole steps
    expect(who.getPosition()[1] / size).toBeCloseTo(1.1 + Math.max(0.002 / size, 0.01), 2);
    const [, before] = who.getPosition();
    who.setInput({ jump: 3 });
    let top = 0;
    march(world, who, [0, 0, 0], 1, () => void (top = Math.max(top, who.getPosition()[1] - before)), dt);
    expect(top).toBeCloseTo(9 / 2 / 9.81, 1);
    expect(who.onGround).toBe(true);
  });

  test('a belt carries it, an inclined one lifts it, a disc turns it; off the belt it keeps the speed', async () => {
    const world = new World();
    const belt = world.createBody({
      type: 'static',
      position: [0, -0.5, 0],
      shape: { type: 'box', halfExtents: [6, 0.5, 1], surfaceVelocity: { linear: [2, 0, 0] } },
    });
    const who = await hero(world, { position: [-4, STANDING, 0] });
    march(world, who, [0, 0, 0], 0.5, undefined, dt);
    const [x0] = who.getPosition();
    march(world, who, [0, 0, 0], 2, undefined, dt);
    expect(who.getPosition()[0] - x0).toBeCloseTo(4, 3);
    expect(who.groundVelocity[0]).toBeCloseTo(2, 4);
    // Against it, as fast as it: it stays.
    const [x1] = who.getPosition();
    march(world, who, [-2, 0, 0], 1, undefined, dt);
    expect(who.getPosition()[0] - x1).toBeCloseTo(0, 3);
    // A jump keeps the belt's speed.
    who.setInput({ move: [0, 0, 0], jump: 3 });
    world.step(dt);
    expect(who.velocity[0]).toBeCloseTo(2, 2);
    // Against a wall on the belt it stands still.
    box(world, [5, 1, 0], [0.2, 2, 1]);
    march(world, who, [0, 0, 0], 5, undefined, dt);
    const [x2] = who.getPosition();
    expect(x2).toBeCloseTo(5 - 0.2 - 0.32, 2);
    march(world, who, [0, 0, 0], 1, undefined, dt);
    expect(who.getPosition()[0]).toBeCloseTo(x2, 3);
    belt.updateShape(belt.shapes[0]!, { surfaceVelocity: null });

    const up = new World();
    const angle = 0.3;
    up.createBody({
      type: 'static',
      rotation: deterministic.quatFromAxisAngle([0, 0, 1], angle),
      shape: { type: 'box', halfExtents: [10, 0.5, 1], surfaceVelocity: { linear: [1.5, 0, 0] } },
    });
    const rider = await hero(up, { position: [-3, 1.5, 0] });
    march(up, rider, [0, 0, 0], 1, undefined, dt);
    const before = rider.getPosition();
    march(up, rider, [0, 0, 0], 2, undefined, dt);
    const after = rider.getPosition();
    expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeCloseTo(3, 2);
    expect(Math.atan2(after[1] - before[1], after[0] - before[0])).toBeCloseTo(angle, 2);

    const round = new World();
    round.createBody({
      type: 'static',
      position: [0, -0.5, 0],
      shape: { type: 'cylinder', radius: 5, halfHeight: 0.5, surfaceVelocity: { angular: [0, 1, 0] } },
    });
    const turned = await hero(round, { position: [3, STANDING, 0] });
    march(round, turned, [0, 0, 0], 0.5, undefined, dt);
    const [ax, , az] = turned.getPosition();
    march(round, turned, [0, 0, 0], 2, undefined, dt);
    const [bx, , bz] = turned.getPosition();
    expect(Math.hypot(bx, bz)).toBeCloseTo(Math.hypot(ax, az), 3);
    let way = Math.atan2(-bz, bx) - Math.atan2(-az, ax);
    if (way < 0) way += 2 * Math.PI;
    expect(way).toBeCloseTo(2, 1);
  });

  test('a one-way platform lets it jump through from below and stand on top, also on a moving one', async () => {
    for (const moves of [false, true]) {
      const world = new World();
      world.createBody(plane);
      const platform = world.createBody({
        type: moves ? 'kinematic' : 'static',
        position: [0, 3, 0],
        shape: { type: 'box', halfExtents: [2, 0.1, 2], oneWay: [0, 1, 0] },
      });
      if (moves) platform.setLinearVelocity([0.5, 0, 0]);
      const who = await hero(world, { jumpSpeed: 8.5 });
      march(world, who, [moves ? 0.5 : 0, 0, 0], 0.2, undefined, dt);
      who.setInput({ jump: true });
      let top = 0;
      march(
        world,
        who,
        [moves ? 0.5 : 0, 0, 0],
        1.5,
        () => void (top = Math.max(top, who.getPosition()[1])),
        dt,
      );
      expect(top).toBeCloseTo(STANDING + (8.5 * 8.5) / 2 / 9.81, 1);
      expect(who.onGround).toBe(true);
      expect(who.getPosition()[1]).toBeCloseTo(3.1 + STANDING, 2);
      expect(who.groundBody?.id).toBe(platform.id);
      // It stays there, walks there, and a jump that is too low from below falls back.
      march(world, who, [0, 0, 0], 1, undefined, dt);
      expect(who.getPosition()[1]).toBeCloseTo(3.1 + STANDING, 2);
      march(world, who, [3, 0, 0], 2, undefined, dt);
      expect(who.getPosition()[1]).toBeCloseTo(STANDING, 2);
      march(world, who, [-3, 0, 0], 1, undefined, dt);
      who.setInput({ jump: 5.5 });
      march(world, who, [0, 0, 0], 2, undefined, dt);
      expect(who.getPosition()[1]).toBeCloseTo(STANDING, 2);
      expect(who.onGround).toBe(true);
    }
  });

  test('stands on a car that drives off, brakes and turns', async () => {
    const world = new World();
    world.createBody(plane);
    const chassis = world.createBody({
      mass: 1200,
      position: [0, 0.65, 0],
      shape: { type: 'box', halfExtents: [1.2, 0.25, 2.5] },
    });
    const car = makeVehicle(world, {
      chassis,
      wheels: [1.6, -1.6].flatMap((z) =>
        [1, -1].map((x) => ({ position: [x, -0.3, z] as [number, number, number], radius: 0.35 })),
      ),
    });
    const who = await hero(world, { position: [0, 0.9 + STANDING, 0], yields: false });
    march(world, who, [0, 0, 0], 1, undefined, dt);
    let air = 0;
    for (let i = 0; i < 6 * rate; i++) {
      const t = i / rate;
      car.setInput({ throttle: t < 3 ? 0.5 : 0, brake: t > 4 ? 0.5 : 0, steer: t > 1.5 && t < 3 ? 0.3 : 0 });
      world.step(dt);
      if (!who.onGround) air++;
    }
    const [x, y, z] = chassis.getPosition();
    const [px, py, pz] = who.getPosition();
    expect(Math.hypot(x, z)).toBeGreaterThan(8); // it drove
    expect(Math.hypot(px - x, pz - z)).toBeLessThan(0.5);
    expect(py - y).toBeCloseTo(0.25 + STANDING, 1);
    expect(air / rate).toBeLessThan(0.1);
    expect(world.findFault()).toBe(0);
  });

  test('walks over a ragdoll, which lies: neither is thrown', async () => {
    const world = new World({ substeps: Math.ceil(480 / rate) });
    world.createBody(plane);
    const human = createHuman();
    human.root.rotation.set(-Math.PI / 2, 0, 0);
    human.root.position.set(0, 0.4, 0);
    const { ragdoll } = new SkinnedRagdoll(world, human.root, { mode: 'limp' });
    const who = await hero(world, { position: [-2, STANDING, 0.9] });
    for (let i = 0; i < rate; i++) world.step(dt);
    let [fastest, highest] = [0, 0];
    const watch = () => {
      for (const body of ragdoll.bodies) fastest = Math.max(fastest, Math.hypot(...body.getLinearVelocity()));
      highest = Math.max(highest, who.getPosition()[1]);
    };
    march(world, who, [1.5, 0, -0.2], 3, watch, dt);
    march(world, who, [-1.5, 0, 0.1], 3, watch, dt);
    expect(highest).toBeLessThan(STANDING + 0.6);
    expect(fastest).toBeLessThan(6);
    march(world, who, [0, 0, 0], 2, undefined, dt);
    expect(world.findFault()).toBe(0);
  });

  test('a ground that is removed under it: it falls on what is below', async () => {
    const world = new World();
    world.createBody(plane);
    const ground = world.createBody({
      type: 'kinematic',
      position: [0, 2, 0],
      shape: { type: 'box', halfExtents: [2, 0.1, 2] },
    });
    ground.setLinearVelocity([1, 0, 0]);
    const who = await hero(world, { position: [0, 2.1 + STANDING, 0] });
    march(world, who, [0, 0, 0], 0.5, undefined, dt);
    expect(who.groundBody?.id).toBe(ground.id);
    ground.remove();
    world.step(dt);
    world.step(dt);
    expect(who.onGround).toBe(false);
    expect(who.groundBody).toBe(null);
    expect(who.velocity[0]).toBeCloseTo(1, 1);
    march(world, who, [0, 0, 0], 1.5, undefined, dt);
    expect(who.getPosition()[1]).toBeCloseTo(STANDING, 3);
    expect(world.findFault()).toBe(0);
  });

  test('on a planet that turns it is carried round, and can walk against it', async () => {
    const world = new World({ gravity: [0, 0, 0] });
    const planet = world.createBody({
      type: 'kinematic',
      shape: [
        { type: 'sphere', radius: 20 },
        { type: 'sphere', radius: 40, sensor: true, area: { attraction: { strength: 9.81, distance: 20 } } },
      ],
    });
    planet.setAngularVelocity([0, 0, 0.2]);
    const who = await hero(world, { position: [0, 21, 0], gravity: 'world' });
    march(world, who, [0, 0, 0], 0.5, undefined, dt);
    const angle = () => Math.atan2(-who.getPosition()[0], who.getPosition()[1]);
    const a = angle();
    let air = 0;
    let off = 0;
    const watch = () => {
      air += who.onGround ? 0 : 1;
      off = Math.max(off, Math.abs(Math.hypot(...who.getPosition()) - 20 - STANDING));
    };
    march(world, who, [0, 0, 0], 5, watch, dt);
    expect(angle() - a).toBeCloseTo(1, 2);
    expect(air).toBe(0);
    expect(off).toBeLessThan(0.005);
  });
});

test('500 characters in a pipe: none leaves it, none is pushed into another', async () => {
  const world = new World();
  world.createBody(plane);
  // A corridor of 3 m by 40 m, closed at its ends, with a roof.
  for (const z of [-2, 2]) box(world, [0, 1.5, z], [21, 1.5, 0.5]);
  for (const x of [-20.5, 20.5]) box(world, [x, 1.5, 0], [0.5, 1.5, 2.5]);
  box(world, [0, 2.6, 0], [21, 0.1, 2.5]);
  const shape = { type: 'capsule', radius: 0.15, halfHeight: 0.3 } as const;
  const who = [];
  for (let i = 0; i < 500; i++) {
    const position: [number, number, number] = [
      -19 + 0.38 * (i % 100),
      0.47,
      -1.2 + 0.6 * Math.floor(i / 100),
    ];
    who.push(await hero(world, { shape, position }));
  }
  for (let k = 0; k < (process.env['SOAK'] ? 1200 : 90); k++) {
    if (k % 30 === 0)
      who.forEach(
        (one, i) => void one.setInput({ move: [(k % 60 === 0 ? 4 : -4) * (i % 2 ? 1 : -1), 0, 0] }),
      );
    world.step(1 / 60);
  }
  let [out, overlap] = [0, 0];
  for (const one of who) {
    const position = one.getPosition();
    out = Math.max(out, Math.abs(position[0]) + 0.15 - 20, Math.abs(position[2]) + 0.15 - 1.5);
    expect(position[1]).toBeGreaterThan(0.4);
    for (const { distance } of world.nearestTest(
      { shape, position },
      { mode: 'all', maxDistance: 0.01, skip: one.body.id },
    ))
      overlap = Math.max(overlap, -distance);
  }
  expect(out).toBeLessThan(1e-3);
  expect(overlap).toBeLessThan(0.03);
  expect(world.findFault()).toBe(0);
});
