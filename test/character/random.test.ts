// Random courts, random walkers: never in a thing, never through one, never without numbers. Seeds are in the names.
import { expect, test } from 'vitest';
import { between, createRandom } from '../../demo/scenes/random';
import { deterministic, World } from '../../src/index';
import { addCourt, CAPSULE, COURT_HALF, character, DT, STANDING } from './support';

const SEEDS = process.env['SOAK'] ? 200 : 8;

test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))('seed %i', (seed) => {
  const random = createRandom(seed);
  const world = new World();
  const height = addCourt(world, random, seed);
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
    expect(Math.abs(position[0]), `step ${step}`).toBeLessThan(COURT_HALF - 0.29);
    expect(Math.abs(position[2]), `step ${step}`).toBeLessThan(COURT_HALF - 0.29);
    if (seed % 3 === 2) expect(position[1], `step ${step}`).toBeGreaterThan(STANDING - 0.05);
    else expect(position[1], `step ${step}`).toBeGreaterThan(height(position[0], position[2]) + 0.5);
    const near = world.nearestTest({ shape: CAPSULE, position }, { skip: who.body, maxDistance: 0.1 });
    if (near !== null && near.body.type !== 'dynamic' && step > 60)
      deepest = Math.min(deepest, near.distance);
  }
  expect(grounded).toBeGreaterThan(200);
  expect(deepest).toBeGreaterThan(-0.01);
});
