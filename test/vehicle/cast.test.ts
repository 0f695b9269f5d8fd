// How a wheel finds the ground: against the sweeps of the public API, which iterate.
import { cookMesh } from 'ricochet/cooking';
import { expect } from 'vitest';
import { deterministic, heightfield, World } from '../../src';
import { rotate } from '../../src/base/math';
import type { BodyOptions } from '../../src/types';
import { createVehicle, type WheelCast } from '../../src/vehicle';
import { random } from '../physics/support/vector';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('actors are a module that the sanitizer does not see');

type Vec3 = [number, number, number];

/** Hills with folds: cells of random size, heights of random roughness. */
function rough(next: () => number, kind: number): BodyOptions {
  const n = 17;
  const cell = [0.08, 0.3, 1, 3][kind % 4]!;
  const rise = cell * [0, 0.2, 0.6, 1.2][Math.floor(next() * 4)]!;
  const heights = Array.from({ length: n * n }, () => rise * (next() - 0.5));
  if (kind % 2 === 1)
    return {
      type: 'static',
      shape: heightfield({ rows: n, columns: n, spacing: cell, heights: Float32Array.from(heights) }),
    } as BodyOptions;
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) vertices.push(cell * (k - 8), heights[n * i + k]!, cell * (i - 8));
  for (let i = 0; i < n - 1; i++)
    for (let k = 0; k < n - 1; k++) {
      const a = i * n + k;
      if (next() < 0.5) indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
      else indices.push(a, a + n, a + n + 1, a, a + n + 1, a + 1);
    }
  const geometry = cookMesh({ vertices, indices });
  return { type: 'static', shape: { type: 'mesh', geometry } as never };
}

test.each(['cylinder', 'sphere'] as const)(
  'a wheel by %s lands where the sweep of its shape does',
  async (cast: WheelCast) => {
    const next = random(cast === 'sphere' ? 5 : 4);
    let [met, missed, differ, worst] = [0, 0, 0, 0];
    for (let round = 0; round < 120; round++) {
      const world = new World({ gravity: [0, -9.81, 0] });
      const ground = world.createBody(rough(next, round));
      const turned = round % 3 === 2;
      // Also a ground that is turned, and has a scale.
      if (turned) ground.setRotation(deterministic.quatFromAxisAngle([1, 0, 0.3], 0.3 * (next() - 0.5)));
      const radius = 0.2 + 0.3 * next();
      const width = radius * (0.1 + next());
      const position: Vec3 = [0.3 * (next() - 0.5), radius * (0.6 + 0.7 * next()), 0.3 * (next() - 0.5)];
      const rotation = deterministic.quatMultiply(
        deterministic.quatFromAxisAngle([0, 1, 0], 6 * next()),
        deterministic.quatFromAxisAngle([1, 0, 0.7], 0.6 * (next() - 0.5)),
      );
      const chassis = world.createBody({
        position,
        rotation,
        mass: 100,
        shape: { type: 'sphere', radius: 0.01 },
      } as BodyOptions);
      const suspension = { bump: 0.4 * radius, droop: 0.4 * radius };
      const car = await createVehicle(world, {
        chassis,
        wheels: [{ position: [0, 0, 0], radius, width, cast }],
        suspension,
        tyre: { friction: 0 },
      });
      const up = rotate(rotation, [0, 1, 0]) as Vec3;
      const from = position.map((p, i) => p + suspension.bump * up[i]!) as Vec3;
      const length = suspension.bump + suspension.droop + 0.05 * radius;
      const shape =
        cast === 'sphere'
          ? ({ type: 'sphere', radius } as const)
          : ({ type: 'cylinder', radius, halfHeight: width / 2, axis: 'x' } as const);
      const hit = world.convexSweepTest(
        { shape, position: from, rotation } as never,
        up.map((u) => -length * u) as Vec3,
        { skip: chassis },
      );
      world.step(1e-6);
      const wheel = car.wheels[0]!;
      const expected = hit === null ? null : suspension.bump - hit.fraction * length;
      if (hit === null || hit.fraction === 0) {
        missed++;
        if (hit === null) expect(wheel.compression, `round ${round}`).toBeLessThan(-suspension.droop + 1e-4);
        continue;
      }
      met++;
      const difference = Math.abs(wheel.compression - expected!);
      // A steep hit is a wall for a wheel, and what is behind it counts.
      const steep = hit.normal.reduce((sum, n, i) => sum + n * up[i]!, 0) < 0.25;
      if (!steep) worst = Math.max(worst, difference / radius);
      if (difference > 1e-3 * radius && !steep) differ++;
    }
    console.log(
      `${cast}: ${met} met, ${missed} not; largest difference ${worst.toExponential(2)} radii, ${differ} differ`,
    );
    expect(met).toBeGreaterThan(60);
    expect(differ).toBe(0);
  },
);

test('each triangle has its own friction for a wheel', async () => {
  const world = new World({ gravity: [0, -9.81, 0] });
  const vertices = [-50, 0, -50, 0, 0, -50, 50, 0, -50, -50, 0, 50, 0, 0, 50, 50, 0, 50];
  const indices = [0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5];
  const geometry = cookMesh({
    vertices,
    indices,
    materials: [0, 0, 1, 1],
    coefficients: [{}, { friction: 0.05 }],
  } as never);
  world.createBody({ type: 'static', shape: { type: 'mesh', geometry } as never });
  const stops: number[] = [];
  for (const x of [-20, 20]) {
    const chassis = world.createBody({
      position: [x, 0.65, -40],
      linearVelocity: [0, 0, 15],
      mass: 1200,
      shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
    });
    const wheels = [1, -1].flatMap((z) =>
      [1, -1].map((side) => ({ position: [0.8 * side, -0.3, 1.3 * z] as Vec3 })),
    );
    const car = await createVehicle(world, { chassis, wheels });
    car.setInput({ brake: 1 });
    for (let i = 0; i < 60; i++) world.step(1 / 60);
    stops.push(car.speed);
  }
  // Friction of 0.5 and more gives all of the grip, 1.1; 0.05 a tenth of it.
  expect(15 - stops[0]!).toBeGreaterThan(8);
  expect(15 - stops[1]!).toBeLessThan(1.5);
  expect(15 - stops[1]!).toBeGreaterThan(0.8);
});
