// The same drive in other surroundings: gravity that an area makes, ground that moves. Truth: the drive in the world's gravity,
// on ground that stands.
import { expect } from 'vitest';
import { World } from '../../src';
import type { Vec3 } from '../../src/base/math';
import { createVehicle, type VehicleOptions } from '../../src/vehicle';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('actors are a module that the sanitizer does not see');

const G = 9.81;
const KINDS = ['car', 'motorcycle', 'tracked'] as const;

/** Where a vehicle is on its ground after each part of a drive, and how high it stands at first. */
async function drive(
  kind: (typeof KINDS)[number],
  { byArea = false, ground = [0, 0, 0] as Vec3 } = {},
): Promise<Vec3[]> {
  const world = new World({ gravity: [0, byArea ? 0 : -G, 0], sleeping: false });
  const floor = world.createBody({
    type: 'kinematic',
    position: [0, -1, 0],
    linearVelocity: ground,
    shape: { type: 'box', halfExtents: [200, 1, 200] },
  });
  if (byArea)
    world.createBody({
      type: 'static',
      shape: {
        type: 'box',
        halfExtents: [200, 50, 200],
        area: { gravity: [0, -G, 0], gravityMode: 'replace' },
      },
    });
  const narrow = kind === 'motorcycle';
  const chassis = world.createBody({
    mass: narrow ? 250 : 1200,
    position: [0, 0.65, 0],
    linearVelocity: ground,
    shape: { type: 'box', halfExtents: narrow ? [0.2, 0.3, 0.8] : [0.85, 0.25, 2] },
  });
  const places: Vec3[] = narrow
    ? [
        [0, -0.3, 0.7],
        [0, -0.3, -0.7],
      ]
    : [1, -1].flatMap((z) => [1, -1].map((x): Vec3 => [0.8 * x, -0.3, 1.3 * z]));
  const options: VehicleOptions = {
    chassis,
    kind,
    wheels: places.map((position) => ({ position, radius: 0.35 })),
    drag: 0,
  };
  const car = await createVehicle(world, options);
  const inputs = [
    { seconds: 1 },
    { seconds: 2, throttle: 1 },
    { seconds: 2, throttle: 0.3, steer: 0.3 },
    { seconds: 1, throttle: 0, steer: 0 },
    ...(narrow
      ? []
      : [
          { seconds: 2, brake: 1 },
          { seconds: 2, brake: 0, throttle: -1 },
        ]),
  ];
  return inputs.map(({ seconds, ...input }) => {
    car.setInput(input);
    for (let i = 0; i < 60 * seconds; i++) world.step(1 / 60);
    const [x, y, z] = chassis.getPosition();
    const [fx, fy, fz] = floor.getPosition();
    return [x - fx, y - fy - 1, z - fz];
  });
}

const furthest = (a: readonly Vec3[], b: readonly Vec3[]) =>
  Math.max(...a.map((p, i) => Math.hypot(...p.map((c, k) => c - b[i]![k]!))));

test.each(KINDS)('a %s in the gravity of an area drives as in that of the world', async (kind) => {
  const truth = await drive(kind);
  const found = await drive(kind, { byArea: true });
  expect(furthest(found, truth)).toBeLessThan(0.02);
  expect(found[0]![1]).toBeCloseTo(0.65, 3);
});

test.each(KINDS)('a %s drives on a ferry, a train or a lift as on ground that stands', async (kind) => {
  const truth = await drive(kind);
  // It turns, and backs off after braking: without that the comparison says little.
  expect(Math.abs(truth[2]![0])).toBeGreaterThan(1);
  for (const ground of [
    [0, 0, 20],
    [0, 0, -20],
    [20, 0, 0],
    [0, 8, 0],
  ] as Vec3[])
    expect(furthest(await drive(kind, { ground }), truth), `${ground}`).toBeLessThan(0.05);
});

test('a braked car stays where it stands on a turning disc', async () => {
  for (const [rate, turn] of [
    [60, 0.8],
    [30, 0.4],
    [144, -0.8],
  ] as const) {
    const world = new World({ gravity: [0, -G, 0] });
    world.createBody({
      type: 'kinematic',
      position: [0, -0.5, 0],
      angularVelocity: [0, turn, 0],
      shape: { type: 'cylinder', radius: 12, halfHeight: 0.5 },
    });
    const chassis = world.createBody({
      mass: 1200,
      position: [5, 0.65, 0],
      linearVelocity: [0, 0, -5 * turn],
      angularVelocity: [0, turn, 0],
      shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
    });
    const wheels = [1, -1].flatMap((z) =>
      [1, -1].map((x) => ({ position: [0.8 * x, -0.3, 1.3 * z] as Vec3, radius: 0.35 })),
    );
    const car = await createVehicle(world, { chassis, wheels });
    car.setInput({ brake: 1 });
    const distance = () => Math.hypot(chassis.getPosition()[0], chassis.getPosition()[2]);
    // The springs of its tyres give way first.
    for (let i = 0; i < 2 * rate; i++) world.step(1 / rate);
    const before = distance();
    for (let i = 0; i < 10 * rate; i++) world.step(1 / rate);
    expect(Math.abs(distance() - before), `${turn} rad/s at ${rate} Hz`).toBeLessThan(0.003);
    expect(Math.abs(car.speed)).toBeLessThan(0.02);
  }
});
