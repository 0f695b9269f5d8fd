// What cars on a terrain mesh cost: CPU time of a step. With VEHICLE_COST=1 the figures of docs/vehicle.md, of 100 cars.
import { cookMesh } from 'ricochet/cooking';
import { expect } from 'vitest';
import { World } from '../../src';
import { createVehicle, type Vehicle } from '../../src/vehicle';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('it measures the ordinary core');

const FULL = process.env['VEHICLE_COST'] === '1';
const CARS = FULL ? 100 : 9;

/** Hills of 128 × 128 cells of 2 m. */
function terrain() {
  const n = FULL ? 129 : 65;
  const vertices: number[] = [];
  const indices: number[] = [];
  const height = (x: number, z: number) =>
    1.5 * Math.sin(x / 17) * Math.cos(z / 13) + 0.1 * Math.sin(x) * Math.sin(z);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const [x, z] = [2 * (k - (n - 1) / 2), 2 * (i - (n - 1) / 2)];
      vertices.push(x, height(x, z), z);
    }
  for (let i = 0; i < n - 1; i++)
    for (let k = 0; k < n - 1; k++) {
      const a = i * n + k;
      indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  return { mesh: cookMesh({ vertices, indices }), height };
}

test.each(['ray', 'sphere', 'cylinder'] as const)('cars on a terrain mesh, wheels by %s', async (cast) => {
  const { mesh, height } = terrain();
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'mesh', geometry: mesh } as never });
  const cars: Vehicle[] = [];
  for (let i = 0; i < CARS; i++) {
    const [x, z] = [11 * (i % 10) - 50, 11 * Math.floor(i / 10) - 50];
    const chassis = world.createBody({
      mass: 1200,
      position: [x, height(x, z) + 1, z],
      shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
    });
    const wheels = [1, -1].flatMap((front) =>
      [1, -1].map((side) => ({
        position: [0.8 * side, -0.3, 1.3 * front] as [number, number, number],
        cast,
      })),
    );
    cars.push(await createVehicle(world, { chassis, wheels }));
  }
  const drive = () => {
    for (const [i, car] of cars.entries()) car.setInput({ throttle: 0.4, steer: i % 2 ? 0.4 : -0.4 });
  };
  drive();
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  const steps = FULL ? 60 : 10;
  const costs: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < steps; i++) world.step(1 / 60);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000 / steps);
  }
  costs.sort((a, b) => a - b);
  console.log(
    `step with ${CARS} cars, wheels by ${cast}: ${costs[0]!.toFixed(2)} to ${costs[4]!.toFixed(2)} ms CPU (target 3 ms for 100)`,
  );
  expect(cars.filter((car) => car.wheels.some((wheel) => wheel.isInContact)).length).toBeGreaterThan(
    0.9 * CARS,
  );
  expect(costs[0]).toBeLessThan(20); // a busy machine; the figure is in docs/vehicle.md
});
