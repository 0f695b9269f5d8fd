// The driving range: everything that can be driven takes what there is, without a renderer.
import { expect } from 'vitest';
import { furnishRange, LOOP, MODELS, type Model } from '../../demo/range';
import { World } from '../../src';
import { createVehicle } from '../../src/vehicle';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('actors are a module that the sanitizer does not see');

/** Drives straight on from a place for 5 s at about this speed; `each`: after every step. */
async function drive(
  model: Model,
  [x, z, heading]: readonly [number, number, number],
  speed: number,
  each: (up: number, position: readonly number[]) => void,
): Promise<void> {
  const world = new World();
  furnishRange(world);
  const chassis = world.createBody({
    mass: model.mass,
    position: [x, model.height, z],
    rotation: [0, Math.sin(heading / 2), 0, Math.cos(heading / 2)],
    shape: { type: 'box', halfExtents: model.halfExtents, friction: 0.4 },
  });
  const vehicle = await createVehicle(world, { ...model.options, chassis });
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  chassis.setLinearVelocity([speed * Math.sin(heading), 0, speed * Math.cos(heading)]);
  for (let i = 0; i < 300; i++) {
    vehicle.setInput({ throttle: vehicle.speed < speed ? 1 : 0 });
    world.step(1 / 60);
    const [qx, , qz] = chassis.getRotation();
    each(1 - 2 * (qx * qx + qz * qz), chassis.getPosition());
  }
  expect(world.findFault()).toBe(0);
}

test('the car drives the loop without steering', async () => {
  const from = 45;
  let [top, down, last] = [0, 1, 0];
  const start = [
    -from * Math.sin(LOOP.heading),
    LOOP.at[2] - from * Math.cos(LOOP.heading),
    LOOP.heading,
  ] as const;
  await drive(MODELS[0]!, start, 20, (up, [, y]) => {
    top = Math.max(top, y!);
    down = Math.min(down, up);
    last = up;
  });
  expect(down).toBeLessThan(-0.95);
  expect(top).toBeGreaterThan(12);
  expect(last).toBeGreaterThan(0.9);
});

test.each(MODELS.map((model) => [model.name, model] as const))(
  '%s: over kerbs and over the jump',
  async (_name, model) => {
    let least = 1;
    await drive(model, [-12, 2, 0], 10, (up) => (least = Math.min(least, up)));
    expect(least, 'kerbs').toBeGreaterThan(0.6);
    let [high, end] = [0, 0];
    await drive(model, [12, 8, 0], 18, (up, [, y, z]) => {
      high = Math.max(high, y!);
      if (z! < 70) end = up;
    });
    expect(high, 'jump').toBeGreaterThan(model.height + 1);
    expect(end, 'landed').toBeGreaterThan(0.9);
  },
);
