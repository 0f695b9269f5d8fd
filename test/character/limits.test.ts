// Limits of characters: the least way, overlap, step and gravity that count, the flattest wedge, the farthest way.
import { expect, test } from 'vitest';
import { deterministic, World } from '../../src/index';
import { box, CAPSULE, DT, hero, march, RADIUS, STANDING } from './support';

const plane = { type: 'static', shape: { type: 'plane' } } as const;
const degrees = deterministic.degreesToRadians;

test('a way of 1.7 µm in a step leads up a step, one of 0.5 µm leads nowhere', async () => {
  for (const [way, climbs] of [
    [1.7e-6, true],
    [0.5e-6, false],
  ] as const) {
    const world = new World();
    world.createBody(plane);
    box(world, [1, 0.17, 0], [0.5, 0.17, 1]);
    const who = await hero(world, { stepHeight: 0 });
    march(world, who, [1, 0, 0], 0.5);
    expect(who.getPosition()[0]).toBeCloseTo(0.5 - RADIUS - 0.02, 2);
    who.setOptions({ stepHeight: 0.35 });
    march(world, who, [way / DT, 0, 0], 2 * DT);
    expect(who.getPosition()[1] > STANDING + 0.1, `${way} m`).toBe(climbs);
  }
});

test('rises where it overlaps a beam by 0.5 mm, not where by 2 mm', async () => {
  for (const [overlap, rises] of [
    [0.5e-3, true],
    [2e-3, false],
  ] as const) {
    const world = new World();
    world.createBody(plane);
    const who = await hero(world, {
      shape: { ...CAPSULE, position: [0, 0.9, 0] },
      crouchShape: { type: 'capsule', radius: 0.3, halfHeight: 0.2, position: [0, 0.5, 0] },
      position: [0, 0.02, 0],
    });
    who.setInput({ crouch: true });
    march(world, who, [0, 0, 0], 0.2);
    box(world, [0, 1.82 - overlap + 0.3, 0], [1, 0.3, 3]);
    who.setInput({ crouch: false });
    march(world, who, [0, 0, 0], DT);
    expect(who.isCrouching, `${overlap} m`).toBe(!rises);
  }
});

test('of 1 m that it can step, a step of 6 mm is one, and one of 1.5 mm is not', async () => {
  const shape = { type: 'cylinder', radius: RADIUS, halfHeight: 0.9 } as const;
  for (const [height, climbs] of [
    [6e-3, true],
    [1.5e-3, false],
  ] as const) {
    const world = new World();
    world.createBody(plane);
    box(world, [1, height - 1, 0], [0.5, 1, 1]);
    const who = await hero(world, { shape, stepHeight: 1, offset: 0.001, position: [0, 0.901, 0] });
    march(world, who, [1, 0, 0], 0.5);
    expect(who.getPosition()[0] > 0.3, `${height} m`).toBe(climbs);
  }
});

test('turns towards a gravity of 3 µm/s², not of 0.5 µm/s²', async () => {
  for (const [gravity, turns] of [
    [3e-6, true],
    [0.5e-6, false],
  ] as const) {
    const world = new World({ gravity: [gravity, 0, 0] });
    const who = await hero(world, { gravity: 'world' });
    world.step(DT);
    expect(who.up[0] < -0.99, `${gravity} m/s²`).toBe(turns);
  }
});

test('flies up along two walls whose normals are 1.5° apart', async () => {
  const world = new World();
  for (const side of [1, -1]) {
    const angle = degrees(0.75) * side;
    const [x, z] = [deterministic.sin(angle), deterministic.cos(angle)];
    world.createBody({
      type: 'static',
      position: [4 * side * z + x, 0, -4 * side * x + z + RADIUS + 0.03],
      rotation: deterministic.quatFromAxisAngle([0, 1, 0], angle),
      shape: { type: 'box', halfExtents: [4, 20, 1] },
    });
  }
  const who = await hero(world, { position: [0, 0, 0] });
  who.setInput({ mode: 'fly' });
  march(world, who, [0, 2, 3], 1);
  expect(who.getPosition()[1]).toBeCloseTo(2, 2);
});

test('thrown at 500 km/s it goes 8 km in a step; at 2,000 km/s it stays and stops', async () => {
  const world = new World();
  for (const [speed, goes] of [
    [5e5, true],
    [2e6, false],
  ] as const) {
    const who = await hero(world, { gravity: 0, drag: 0, position: [0, goes ? 100 : -100, 0] });
    who.setInput({ launch: [speed, 0, 0] });
    world.step(DT);
    expect(Math.abs(who.getPosition()[0] - (goes ? speed * DT : 0))).toBeLessThan(1);
    world.step(1e-3);
    expect(who.velocity[0] > 0).toBe(goes);
  }
});

test('is shoved by a ball that is 1.5 m away and comes 5 m in a step', async () => {
  const world = new World({ gravity: [0, 0, 0] });
  world.createBody({ ...plane });
  const who = await hero(world);
  march(world, who, [0, 0, 0], 0.2);
  world.createBody({
    mass: 1,
    position: [-RADIUS - 1.5 - 0.1 - 300 * DT, STANDING, 0],
    linearVelocity: [300, 0, 0],
    shape: { type: 'sphere', radius: 0.1 },
  });
  march(world, who, [0, 0, 0], 2 * DT);
  console.log(`shoved at ${who.velocity[0].toFixed(2)} m/s (target 300/71)`);
  expect(Math.abs(who.velocity[0] - 300 / 71)).toBeLessThan(0.05);
});
