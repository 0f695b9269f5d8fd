// Limits of vehicles: the engine's speed, wheels between tracks, the lean that is held, rims on edges.
import { cookMesh } from 'ricochet/cooking';
import { expect } from 'vitest';
import { deterministic, World } from '../../src';
import { createVehicle, type VehicleOptions } from '../../src/vehicle';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('actors are a module that the sanitizer does not see');

type Vec3 = [number, number, number];

async function make(
  halfExtents: Vec3,
  height: number,
  options: Omit<VehicleOptions, 'chassis'>,
  rotation = 0,
) {
  const world = new World({ gravity: [0, -9.81, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const chassis = world.createBody({
    mass: 400,
    position: [0, height, 0],
    rotation: deterministic.quatFromAxisAngle([0, 0, 1], rotation),
    shape: { type: 'box', halfExtents },
  });
  return { world, vehicle: await createVehicle(world, { chassis, ...options }) };
}

const run = (world: World, seconds: number) => {
  for (let i = 0; i < Math.round(seconds * 60); i++) world.step(1 / 60);
};

test('out of gear, an engine at full throttle turns 1 % faster than its largest speed', async () => {
  const wheels = [1, -1].flatMap((z) =>
    [0.8, -0.8].map((x) => ({ position: [x, -0.3, z] as Vec3, radius: 0.35 })),
  );
  const { world, vehicle } = await make([0.8, 0.25, 1.5], 0.65, {
    wheels,
    engine: { maxRpm: 6000 },
    gearbox: { automatic: false },
  });
  vehicle.setInput({ gear: 0, throttle: 1 });
  run(world, 8);
  console.log(`engine / largest speed: ${(vehicle.rpm / 6000).toFixed(4)} (target 1.01)`);
  expect(Math.abs(vehicle.rpm / 6000 - 1.01)).toBeLessThan(0.002);
});

test('a wheel 2 mm from the middle of tracks of 1 m runs with one of them, a wheel at 0.5 mm alone', async () => {
  const places = [
    [1, 1],
    [-1, 1],
    [1, -1],
    [-1, -1],
    [0.002, 0],
    [0.0005, 0.5],
  ];
  const wheels = places.map(([x, z]) => ({ position: [x!, -0.5, z!] as Vec3, radius: 0.4 }));
  const { world, vehicle } = await make([0.9, 0.4, 1.2], 0.9, { kind: 'tracked', wheels });
  vehicle.setInput({ steer: 1 });
  run(world, 1);
  const spin = vehicle.wheels.map((wheel) => wheel.spin);
  expect(Math.abs(spin[0]! - spin[1]!)).toBeGreaterThan(1);
  expect(Math.abs(spin[4]! - spin[0]!)).toBeLessThan(1e-3);
  expect(Math.abs(spin[5]! - spin[0]!)).toBeGreaterThan(0.1);
});

test('a motorcycle stands up from a lean 0.2 rad beyond its largest, and falls from 0.6 rad beyond', async () => {
  for (const [beyond, falls] of [
    [0.2, false],
    [0.6, true],
  ] as const) {
    const wheels = [0.7, -0.7].map((z) => ({ position: [0, -0.3, z] as Vec3, radius: 0.3, width: 0.12 }));
    const options = { kind: 'motorcycle', wheels, lean: { maxAngle: 0.5 } } as const;
    const { world, vehicle } = await make([0.15, 0.3, 0.6], 0.6, options, 0.5 + beyond);
    run(world, 4);
    const [x, , z] = vehicle.chassis.getRotation();
    expect(1 - 2 * (x * x + z * z) < 0.5, `${beyond} rad`).toBe(falls);
  }
});

test('a wheel whose rim stands on a ridge at 6° to its own direction is not pushed aside', async () => {
  // A roof whose ridge crosses the rim at x = 0.1 m just before the middle of the wheel.
  const [turn, slope] = [deterministic.degreesToRadians(6), 0.36];
  const [s, c] = [deterministic.sin(turn), deterministic.cos(turn)];
  const corner = (u: number, v: number): Vec3 => [
    0.1001 + c * u + s * v,
    -slope * Math.abs(u),
    c * v - s * u,
  ];
  const vertices = [corner(0, -3), corner(0, 3), corner(3, 0), corner(-3, 0)].flat();
  const geometry = cookMesh({ vertices, indices: [0, 1, 2, 0, 3, 1] });
  const world = new World({ gravity: [0, 0, 0] });
  world.createBody({ type: 'static', shape: { type: 'mesh', geometry } as never });
  const chassis = world.createBody({
    mass: 400,
    position: [0, 0.3, 0],
    shape: { type: 'sphere', radius: 0.01 },
  });
  await createVehicle(world, {
    chassis,
    wheels: [{ position: [0, 0, 0], radius: 0.35, width: 0.2 }],
    tyre: { friction: 0 },
  });
  world.step(1e-3);
  const [x, y] = chassis.getLinearVelocity();
  console.log(`sideways / upwards: ${(x / y).toFixed(3)} (target 0; beside the ridge ±${slope})`);
  expect(y).toBeGreaterThan(0);
  expect(Math.abs(x / y)).toBeLessThan(0.05);
});
