// Random courts, random walkers: never in a thing, never through one, never without numbers. Seeds are in the names.
import { expect, test } from 'vitest';
import { between, createRandom, rotation } from '../../demo/scenes/random';
import { deterministic, type ShapeOptions, World } from '../../src/index';
import { CAPSULE, character, DT, field, STANDING, sheet } from './support';

const SEEDS = process.env['SOAK'] ? 200 : 8;

test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))('seed %i', (seed) => {
  const random = createRandom(seed);
  const world = new World();
  const half = 8;
  const height = (x: number, z: number) =>
    0.5 * deterministic.sin(0.9 * x + seed) * deterministic.cos(0.7 * z) +
    0.2 * deterministic.sin(2.3 * z + x);
  const floors: (() => ShapeOptions)[] = [
    () => sheet(2 * half + 4, height),
    () => field(2 * half + 4, height),
    () => ({ type: 'plane' }),
  ];
  world.createBody({ type: 'static', shape: floors[seed % 3]!() });
  for (const s of [1, -1]) {
    world.createBody({
      type: 'static',
      position: [s * (half + 0.5), 2, 0],
      shape: { type: 'box', halfExtents: [0.5, 4, half + 1] },
    });
    world.createBody({
      type: 'static',
      position: [0, 2, s * (half + 0.5)],
      shape: { type: 'box', halfExtents: [half + 1, 4, 0.5] },
    });
  }
  for (let i = 0; i < 40; i++) {
    const size = between(random, 0.1, 0.8);
    const shape: ShapeOptions[] = [
      { type: 'box', halfExtents: [size, between(random, 0.05, 0.5), size] },
      { type: 'cylinder', radius: size, halfHeight: 0.4 },
      { type: 'sphere', radius: size },
      { type: 'hull', points: Array.from({ length: 36 }, () => between(random, -size, size)) },
    ];
    world.createBody({
      type: i % 4 === 3 ? 'dynamic' : 'static',
      position: [between(random, -7, 7), between(random, -0.2, 1.2), between(random, -7, 7)],
      rotation: i % 2 ? rotation(random) : [0, 0, 0, 1],
      shape: shape[i % shape.length]!,
    });
  }
  const who = character(world, { position: [0, 4, 0], jumpSpeed: 3 });
  let [x, z] = [1, 0];
  let speed = 3;
  let grounded = 0;
  let deepest = 0;
  for (let step = 0; step < 600; step++) {
    if (step % 40 === 0) {
      const angle = between(random, 0, 6.28);
      [x, z] = [deterministic.cos(angle), deterministic.sin(angle)];
      speed = between(random, 0, 12);
    }
    if (step % 100 === 69 && who.isGrounded) who.jump();
    world.step(DT);
    who.update([speed * x, 0, speed * z], DT);
    const position = who.getPosition();
    grounded += Number(who.isGrounded);
    expect(position.every(Number.isFinite)).toBe(true);
    expect(Math.abs(position[0]), `step ${step}`).toBeLessThan(half - 0.29);
    expect(Math.abs(position[2]), `step ${step}`).toBeLessThan(half - 0.29);
    if (seed % 3 === 2) expect(position[1], `step ${step}`).toBeGreaterThan(STANDING - 0.05);
    else expect(position[1], `step ${step}`).toBeGreaterThan(height(position[0], position[2]) + 0.5);
    const near = world.nearestTest({ shape: CAPSULE, position }, { skip: who.body, maxDistance: 0.1 });
    if (near !== null && near.body.type !== 'dynamic' && step > 60)
      deepest = Math.min(deepest, near.distance);
  }
  expect(grounded).toBeGreaterThan(200);
  expect(deepest).toBeGreaterThan(-0.01);
});
