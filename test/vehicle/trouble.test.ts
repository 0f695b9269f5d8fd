// What happens to vehicles that nobody planned: ground that goes or moves while they sleep, other scales, other chassis,
// seams, states taken in the air, vehicles on vehicles.
import { cookMesh } from 'ricochet/cooking';
import { expect } from 'vitest';
import { type RigidBody, World } from '../../src';
import type { BodyOptions } from '../../src/types';
import { createVehicle, type Vehicle, type WheelCast } from '../../src/vehicle';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('actors are a module that the sanitizer does not see');

type Vec3 = [number, number, number];

async function makeCar(
  world: World,
  y: number,
  size = 1,
  cast: WheelCast = 'cylinder',
  mass = 1200,
): Promise<Vehicle> {
  const chassis = world.createBody({
    mass: mass * size ** 3,
    position: [0, y * size, 0],
    shape: { type: 'box', halfExtents: [0.85 * size, 0.25 * size, 2 * size] },
  });
  const wheels = [1, -1].flatMap((z) =>
    [1, -1].map((x) => ({
      position: [0.8 * x * size, -0.3 * size, 1.3 * z * size] as Vec3,
      radius: 0.35 * size,
      cast,
    })),
  );
  return createVehicle(world, { chassis, wheels });
}

function run(world: World, steps: number): void {
  for (let i = 0; i < steps; i++) world.step(1 / 60);
}

const upright = ({ chassis }: Vehicle) => {
  const [x, , z] = chassis.getRotation();
  return 1 - 2 * (x * x + z * z);
};

test('a car that sleeps falls when its ground is removed, and rises with a lift that starts', async () => {
  for (const type of ['static', 'dynamic'] as const) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane', offset: -9 } });
    const block = (y: number, half: Vec3, options: Partial<BodyOptions>) =>
      world.createBody({
        position: [0, y, 0],
        shape: { type: 'box', halfExtents: half },
        ...options,
      } as BodyOptions);
    block(-1.1, [3, 1, 3], { type: 'static' });
    const floor = block(-0.05, [3, 0.05, 4], type === 'static' ? { type } : { mass: 500 });
    const car = await makeCar(world, 0.65);
    run(world, 500);
    expect(car.chassis.isSleeping()).toBe(true);
    floor.remove();
    run(world, 60);
    expect(car.chassis.getPosition()[1], type).toBeLessThan(0.6);
    expect(world.findFault()).toBe(0);
  }
  const world = new World();
  const lift = world.createBody({
    type: 'kinematic',
    position: [0, -0.1, 0],
    shape: { type: 'box', halfExtents: [3, 0.1, 4] },
  });
  const car = await makeCar(world, 0.65);
  run(world, 500);
  for (let i = 1; i <= 120; i++) {
    lift.setKinematicTarget([0, -0.1 + i / 60, 0], [0, 0, 0, 1]);
    world.step(1 / 60);
  }
  expect(car.chassis.getPosition()[1]).toBeGreaterThan(2.4);
  expect(upright(car)).toBeGreaterThan(0.99);
});

test('a car that sleeps does what one would that never does, whatever happens to its ground', async () => {
  const tilt = 0.12;
  const events: Record<string, (ground: RigidBody, world: World) => void> = {
    'it is moved down': (ground) => ground.setPosition([0, -1.5, 0]),
    'it is turned': (ground) => ground.setRotation([0, 0, 0.1, Math.sqrt(0.99)]),
    'it lets the car through': (ground) => ground.setFilter(4, 0),
    'a shape of it does': (ground) => ground.updateShape(ground.shapes[0]!, { mask: 0 }),
    'it loses its shape': (ground) => ground.removeShape(ground.shapes[0]!),
    'it falls': (ground) => ground.setType('dynamic', { mass: 9000 }),
    'it becomes ice': (ground) => ground.setMaterial({ friction: 0.01 }),
    'gravity is turned': (_, world) => world.setGravity([0, 3, 0]),
  };
  for (const [name, act] of Object.entries(events)) {
    const ends: number[] = [];
    for (const sleeping of [false, true]) {
      const world = new World({ sleeping });
      world.createBody({ type: 'static', shape: { type: 'plane', offset: -30 } });
      const ground = world.createBody({
        type: 'static',
        position: [0, -0.5, 0],
        shape: { type: 'box', halfExtents: [30, 0.5, 30] },
      });
      const half = name === 'it becomes ice' ? tilt / 2 : 0;
      ground.setRotation([0, 0, Math.sin(half), Math.cos(half)]);
      const car = await makeCar(world, 0.85);
      car.setInput({ handbrake: 1 });
      run(world, 700);
      expect(car.chassis.isSleeping(), `${name}: sleeps`).toBe(sleeping);
      const before = car.chassis.getPosition();
      act(ground, world);
      run(world, 40);
      const [x, y, z] = car.chassis.getPosition();
      ends.push(Math.hypot(x - before[0], y - before[1], z - before[2]));
      world.dispose();
    }
    const [awake, slept] = ends as [number, number];
    expect(awake, `${name}: moves`).toBeGreaterThan(0.05);
    expect(Math.abs(slept - awake), `${name}: ${slept} m for ${awake} m`).toBeLessThan(0.02 + 0.05 * awake);
  }
});

test('a car that drives off wakes the board on which it stood asleep', async () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane', friction: 0 } });
  const sledge = world.createBody({
    mass: 6000,
    position: [0, 0.25, 0],
    shape: { type: 'box', halfExtents: [4, 0.25, 30] },
  });
  const car = await makeCar(world, 1.15);
  run(world, 600);
  expect([car.chassis.isSleeping(), sledge.isSleeping()]).toEqual([true, true]);
  car.setInput({ throttle: 0.5 });
  run(world, 120);
  const [p, q] = [car.chassis, sledge].map((body) => body.mass * body.getLinearVelocity()[2]) as [
    number,
    number,
  ];
  expect(p).toBeGreaterThan(2000);
  // What it gave to its tyres before it moved is not in the sledge.
  expect(Math.abs((p + q) / p)).toBeLessThan(0.05);
  car.setInput({ throttle: 0, brake: 1 });
  run(world, 900);
  expect([car.chassis.isSleeping(), sledge.isSleeping()]).toEqual([true, true]);
});

test('cars of 0.1 and 10 times the size drive, brake and stay on their wheels', async () => {
  for (const size of [0.1, 10]) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const car = await makeCar(world, 0.65, size);
    car.setInput({ throttle: 1 });
    run(world, 240);
    expect(car.speed).toBeGreaterThan(10);
    car.setInput({ throttle: 0, brake: 1 });
    let least = 1;
    for (let i = 0; i < 400; i++) {
      world.step(1 / 60);
      least = Math.min(least, upright(car));
    }
    expect(least, `size ${size}`).toBeGreaterThan(0.95);
    expect(Math.abs(car.speed)).toBeLessThan(0.2);
    expect(world.findFault()).toBe(0);
  }
});

test('seams of a mesh are not felt at 25 m/s, whatever its triangles', async () => {
  for (const cell of [0.5, 20])
    for (const cast of ['cylinder', 'sphere', 'ray'] as const) {
      const n = Math.round(60 / cell) + 1;
      const vertices: number[] = [];
      const indices: number[] = [];
      for (let i = 0; i < n; i++)
        for (let k = 0; k < n; k++) vertices.push(cell * (k - (n - 1) / 2) + 0.3, 0, cell * i - 4);
      for (let i = 0; i < n - 1; i++)
        for (let k = 0; k < n - 1; k++) {
          const a = i * n + k;
          indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
        }
      const world = new World();
      world.createBody({
        type: 'static',
        shape: { type: 'mesh', geometry: cookMesh({ vertices, indices }) } as never,
      });
      const car = await makeCar(world, 0.65, 1, cast);
      run(world, 120);
      car.chassis.setLinearVelocity([0, 0, 25]);
      let [low, high] = [9, 0];
      for (let i = 0; i < 100; i++) {
        world.step(1 / 60);
        const [, y] = car.chassis.getPosition();
        [low, high] = [Math.min(low, y), Math.max(high, y)];
      }
      // It pitches by as much on a plane, when its wheels spin up.
      expect(high - low, `${cast} on cells of ${cell} m`).toBeLessThan(0.003);
      expect(Math.abs(car.chassis.getPosition()[0])).toBeLessThan(0.01);
    }
});

test('states taken in the air go on the same, and cars on cars stay finite', async () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const cars = [
    await makeCar(world, 4),
    await makeCar(world, 6, 1, 'sphere'),
    await makeCar(world, 8, 1, 'ray', 4000),
  ];
  for (const car of cars) car.setInput({ throttle: 0.5 });
  run(world, 20);
  const copy = World.restore(world.snapshot());
  for (let i = 0; i < 300; i++) {
    world.step(1 / 60);
    copy.step(1 / 60);
    if (i % 50 === 0) expect(copy.stateHash()).toBe(world.stateHash());
  }
  for (const car of cars) {
    expect([...car.chassis.getPosition(), ...car.chassis.getRotation()].every(Number.isFinite)).toBe(true);
    expect(car.chassis.getPosition()[1]).toBeGreaterThan(0);
  }
  expect(world.findFault()).toBe(0);
});

test('a wheel that a pitching chassis turns down finds the ground in the step in which it comes there', async () => {
  const world = new World({ gravity: [0, 0, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  // Fully drooped, 0.4 radii below their place, the wheels end 3 cm above the ground; a step turns the front ones 9 cm down.
  const car = await makeCar(world, 0.03 + 1.4 * 0.35 + 0.3);
  car.chassis.setAngularVelocity([4, 0, 0]);
  world.step(1 / 60);
  expect(car.wheels.map(({ load }) => load > 0)).toEqual([true, true, false, false]);
});
