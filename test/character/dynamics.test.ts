// A character among things that move: platforms, crates, a crowd; and that all of it comes again.
import { CharacterController } from 'ricochet/character';
import { expect, test } from 'vitest';
import { deterministic, World } from '../../src/index';
import { bestOf } from '../bestOf';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import {
  box,
  CAPSULE,
  character,
  DT,
  field,
  hero,
  march,
  RADIUS,
  STANDING,
  sheet,
  walk,
  wheelCourt,
} from './support';

const testTime = ordinaryCoreOnly('it measures time');

test('a platform that slides, rises and falls carries it within 1 mm over 10 s', () => {
  const world = new World();
  const platform = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [2, 0.5, 2] },
  });
  const who = character(world, { position: [0.5, STANDING, 0.3] });
  walk(world, who, [0, 0, 0], 0.2);
  const at = who.getPosition().map((value, i) => value - platform.getPosition()[i]!);
  let error = 0;
  for (let i = 1; i <= 600; i++) {
    const t = i * DT;
    platform.setKinematicTarget([4 * Math.sin(t), -0.5 + Math.sin(1.7 * t), 3 * Math.sin(0.6 * t)]);
    world.step(DT);
    who.update([0, 0, 0], DT);
    const [p, q] = [who.getPosition(), platform.getPosition()];
    for (let k = 0; k < 3; k++) error = Math.max(error, Math.abs(p[k]! - q[k]! - at[k]!));
    expect(who.isGrounded).toBe(true);
  }
  expect(error).toBeLessThan(1e-3);
  expect(who.groundVelocity[0]).toBeCloseTo(4 * Math.cos(10), 1);
});

test('a turning platform carries it round and turns it, within 1 mm over 10 s', () => {
  const world = new World();
  const platform = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'cylinder', radius: 4, halfHeight: 0.5 },
  });
  const who = character(world, { position: [3, STANDING, 0] });
  walk(world, who, [0, 0, 0], 0.2);
  let error = 0;
  for (let i = 1; i <= 600; i++) {
    const angle = 1.3 * i * DT;
    platform.setKinematicTarget([0, -0.5, 0], deterministic.quatFromAxisAngle([0, 1, 0], angle));
    world.step(DT);
    who.update([0, 0, 0], DT);
    const [x, y, z] = who.getPosition();
    error = Math.max(error, Math.hypot(x - 3 * Math.cos(angle), y - STANDING, z + 3 * Math.sin(angle)));
  }
  const [, qy, , qw] = who.body.getRotation();
  expect(error).toBeLessThan(1e-3);
  const turn = deterministic.quatFromAxisAngle([0, 1, 0], 13);
  expect(Math.abs(qy * turn[1]! + qw * turn[3]!)).toBeCloseTo(1, 5);
});

test('leaving a moving platform, it keeps the speed of it', () => {
  const world = new World();
  const platform = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [2, 0.5, 2] },
  });
  const who = character(world);
  walk(world, who, [0, 0, 0], 0.2);
  for (let i = 1; i <= 60; i++) {
    platform.setKinematicTarget([3 * i * DT, -0.5, 0]);
    world.step(DT);
    who.update([0, 0, 0], DT);
  }
  who.jump(4);
  platform.setKinematicTarget([3 * 61 * DT, -0.5, 0]);
  world.step(DT);
  who.update([0, 0, 0], DT);
  world.step(DT);
  who.update([0, 0, 0], DT);
  expect(who.velocity[0]).toBeCloseTo(3, 2);
  expect(who.isGrounded).toBe(false);
});

test('a wall that comes at 2 m/s pushes it along', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: sheet(40) });
  const wall = world.createBody({
    type: 'kinematic',
    position: [-2, 1, 0],
    shape: { type: 'box', halfExtents: [0.2, 1, 3] },
  });
  const who = character(world);
  let deepest = 0;
  for (let i = 1; i <= 240; i++) {
    wall.setKinematicTarget([-2 + 2 * i * DT, 1, 0]);
    world.step(DT);
    who.update([0, 0, 0], DT);
    const gap = world.closestPoints(wall, who.body)!.distance;
    deepest = Math.min(deepest, gap);
  }
  expect(who.getPosition()[0]).toBeGreaterThan(6 + 0.2 + RADIUS - 1e-3);
  expect(deepest).toBeGreaterThan(-1e-3);
});

test.each([20, 60])('what crushes it does not press it through a floor or a wall, at %i Hz', async (rate) => {
  const stands: [string, (world: World) => void][] = [
    ['a thin box', (world) => void box(world, [0, -0.05, 0], [10, 0.05, 10])],
    ['a mesh', (world) => void world.createBody({ type: 'static', shape: sheet(20) })],
    ['a heightfield', (world) => void world.createBody({ type: 'static', shape: field(20, () => 0) })],
  ];
  for (const [name, floor] of stands)
    for (const speed of [0.5, 2, 10]) {
      const world = new World();
      floor(world);
      const who = await hero(world);
      const press = world.createBody({
        type: 'kinematic',
        position: [0, 3, 0],
        shape: { type: 'box', halfExtents: [2, 0.2, 2] },
      });
      const goTo = (height: number) => {
        const way = height - press.getPosition()[1];
        press.setKinematicTarget([0, height - Math.sign(way) * Math.max(0, Math.abs(way) - speed / rate), 0]);
      };
      for (let i = 0; i < (4 / speed) * rate; i++) {
        goTo(1);
        world.step(1 / rate);
        expect(who.getPosition()[1], `${name}, ${speed} m/s`).toBeGreaterThan(STANDING - 0.03);
      }
      for (let i = 0; i < (4 / speed) * rate; i++) {
        goTo(3);
        world.step(1 / rate);
      }
      expect(who.getPosition()[1], `${name}, ${speed} m/s`).toBeCloseTo(STANDING, 3);
    }
  for (const thick of [0.05, 1]) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    box(world, [1 + thick, 2, 0], [thick, 4, 10]);
    const press = world.createBody({
      type: 'kinematic',
      position: [-3, 1, 0],
      shape: { type: 'box', halfExtents: [0.5, 1, 2] },
    });
    const who = await hero(world);
    for (let i = 0; i < 4 * rate; i++) {
      press.setKinematicTarget([Math.min(0.4, press.getPosition()[0] + 2 / rate), 1, 0]);
      world.step(1 / rate);
      expect(who.getPosition()[0], `a wall of ${2 * thick} m`).toBeLessThan(1 - RADIUS + 0.001);
    }
  }
});

test('pushes a crate with no more than its force', () => {
  const pushed = (pushForce: number): number => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const crate = world.createBody({
      position: [1.5, 0.5, 0],
      mass: 50,
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], friction: 0.5 },
    });
    world.step(DT);
    const who = character(world, { pushForce });
    walk(world, who, [2, 0, 0], 4);
    const gap = world.closestPoints(crate, who.body)!.distance;
    expect(gap).toBeGreaterThan(0);
    return crate.getPosition()[0] - 1.5;
  };
  expect(pushed(100)).toBeLessThan(0.05); // friction holds 245 N
  expect(pushed(0)).toBeCloseTo(0, 4);
  expect(pushed(500)).toBeGreaterThan(5);
});

test('stands on a crate that falls, lands and slides; its weight tips a seesaw', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const plank = world.createBody({
    position: [0, 0.65, 0],
    mass: 20,
    shape: { type: 'box', halfExtents: [2, 0.05, 0.5] },
  });
  box(world, [0, 0.3, 0], [0.1, 0.3, 0.5]);
  const who = character(world, { position: [1.5, 0.7 + STANDING, 0] });
  walk(world, who, [0, 0, 0], 2);
  const [, , z, w] = plank.getRotation();
  expect(2 * z * w).toBeLessThan(-0.2); // down on its side
  expect(who.isGrounded).toBe(true);
});

test.each([20, 60, 240])('light crates carry it, and rubble is not shot away, at %i Hz', async (rate) => {
  for (const mass of [0.1, 1, 3, 10])
    for (const makes of ['a character', 'a controller']) {
      const world = new World();
      world.createBody({ type: 'static', shape: { type: 'plane' } });
      const crate = world.createBody({
        mass,
        position: [0, 0.5, 0],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      });
      const place = { position: [0.35, 1 + STANDING, 0] as [number, number, number] };
      if (makes === 'a character') march(world, await hero(world, place), [0, 0, 0], 5, undefined, 1 / rate);
      else walk(world, character(world, place), [0, 0, 0], 5, undefined, 1 / rate);
      const [x, y, z] = crate.getPosition();
      expect(Math.hypot(x, y - 0.5, z), `${makes} beside the middle of ${mass} kg`).toBeLessThan(0.02);
    }
  for (const mass of [0.05, 0.3, 1]) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const rubble = Array.from({ length: 24 }, (_, i) =>
      world.createBody({
        mass,
        position: [1 + 0.2 * i, 0.08, 0.1 * ((i % 3) - 1)],
        shape: i % 2 ? { type: 'sphere', radius: 0.08 } : { type: 'box', halfExtents: [0.1, 0.08, 0.1] },
      }),
    );
    const who = await hero(world);
    let fastest = 0;
    march(
      world,
      who,
      [3, 0, 0],
      3,
      () => {
        for (const body of rubble) fastest = Math.max(fastest, Math.hypot(...body.getLinearVelocity()));
      },
      1 / rate,
    );
    console.log(`rubble of ${mass} kg under a foot at ${rate} Hz: ${fastest.toFixed(1)} m/s (limit 12)`);
    expect(fastest).toBeLessThan(12); // four times its speed
    expect(who.getPosition()[1]).toBeLessThan(STANDING + 0.2);
  }
});

test('dynamic bodies do not push it, and sensors and what its filter refuses are not there', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  world.createBody({
    position: [-3, 1, 0],
    mass: 500,
    linearVelocity: [10, 0, 0],
    shape: { type: 'sphere', radius: 0.5 },
  });
  const ghost = box(world, [2, 1, 0], [0.2, 1, 3]);
  box(world, [4, 1, 0], [0.2, 1, 3], { shape: { type: 'box', halfExtents: [0.2, 1, 3], sensor: true } });
  const who = character(world, { filter: (body) => body !== ghost });
  walk(world, who, [0, 0, 0], 1);
  expect(Math.hypot(who.getPosition()[0], who.getPosition()[2])).toBeLessThan(0.05);
  walk(world, who, [4, 0, 0], 2);
  expect(who.getPosition()[0]).toBeCloseTo(8, 1);
});

/** 1,000 characters in a court of 16 m with walls, each heading for where the middle of a turning wheel is. */
function crowd(count: number, steps: number, watch = true): { world: World; out: number; overlap: number } {
  const world = new World({ maxBodies: 4096 });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const { half, places, towardsMiddle } = wheelCourt(world, count);
  const who = places.map((position) => character(world, { position, jumpSpeed: 3 }));
  for (let k = 0; k < steps; k++) {
    world.step(DT);
    who.forEach((one, i) => {
      const velocity = towardsMiddle(k, one.getPosition());
      if ((i + k) % 97 === 0 && one.isGrounded) one.jump();
      one.update(velocity, DT);
    });
  }
  let out = Number.NEGATIVE_INFINITY;
  let overlap = 0;
  if (watch)
    for (const one of who) {
      const [x, y, z] = one.getPosition();
      out = Math.max(out, Math.abs(x) - half, Math.abs(z) - half, -y);
      for (const { gap } of world
        .nearestTest(
          { shape: CAPSULE, position: [x, y, z] },
          { mode: 'all', maxDistance: 0.01, skip: one.body },
        )
        .map(({ distance }) => ({ gap: distance })))
        overlap = Math.max(overlap, -gap);
    }
  return { world, out: out + RADIUS, overlap };
}

test('1,000 characters crowd along walls and do not pass through them', () => {
  const { out, overlap } = crowd(1000, process.env['SOAK'] ? 600 : 75);
  expect(out).toBeLessThan(1e-3);
  expect(overlap).toBeLessThan(0.05);
});

test('the same comes again: from a fresh start, after a snapshot, in another world', () => {
  const run = (world: World, who: CharacterController, from: number, to: number): string => {
    for (let i = from; i < to; i++) {
      const platform = world.getBody(who.body.id - 1)!;
      platform.setKinematicTarget([2 * deterministic.sin(0.05 * i), 0.1, 3]);
      world.step(DT);
      if (i % 40 === 0) who.jump();
      who.update([2 * deterministic.cos(0.03 * i), 0, 2 * deterministic.sin(0.021 * i)], DT);
    }
    return world.stateHash() + JSON.stringify(who.save());
  };
  const make = () => {
    const world = new World();
    world.createBody({
      type: 'static',
      shape: field(40, (x, z) => 0.3 * deterministic.sin(x) * deterministic.cos(z)),
    });
    for (let i = 0; i < 5; i++)
      world.createBody({
        position: [3 - i, 1, 2],
        shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
        mass: 10,
      });
    world.createBody({
      type: 'kinematic',
      position: [0, 0.1, 3],
      shape: { type: 'box', halfExtents: [1, 0.2, 1] },
    });
    return { world, who: character(world, { position: [0, 2, 0] }) };
  };
  const first = make();
  run(first.world, first.who, 0, 300);
  const [bytes, state] = [first.world.snapshot(), JSON.stringify(first.who.save())];
  const end = run(first.world, first.who, 300, 600);
  const second = make();
  expect(run(second.world, second.who, 0, 600)).toBe(end);
  first.world.restore(bytes);
  first.who.restore(JSON.parse(state));
  expect(run(first.world, first.who, 300, 600)).toBe(end);
  const other = World.restore(bytes);
  const again = new CharacterController(other, { shape: CAPSULE, body: first.who.body.id });
  again.restore(JSON.parse(state));
  expect(run(other, again, 300, 600)).toBe(end);
});

testTime('a character on a terrain of 128 × 128 cells costs 30 µs at most', async () => {
  const world = new World();
  world.createBody({
    type: 'static',
    shape: field(128, (x, z) => 0.4 * Math.sin(0.7 * x) + 0.5 * Math.cos(0.5 * z)),
  });
  const who = Array.from({ length: 50 }, (_, i) =>
    character(world, { position: [-50 + 2 * i, 2.5, 0.3 * i] }),
  );
  const frame = () => {
    for (const one of who) one.update([2, 0, 3], DT);
  };
  for (let i = 0; i < 100; i++) frame();
  expect(who.every(({ isGrounded }) => isGrounded)).toBe(true);
  const cost = async () => {
    const { user } = process.cpuUsage();
    for (let i = 0; i < 20; i++) frame();
    return (process.cpuUsage().user - user) / 20 / who.length;
  };
  const { best, tries } = await bestOf(cost, (microseconds) => microseconds / 30);
  console.log(`a character costs ${best.toFixed(1)} µs (limit 30), try ${tries}`);
  expect(best).toBeLessThanOrEqual(30);
});
