// Motorcycles and tracked vehicles against closed forms.
import { expect } from 'vitest';
import { World } from '../../src';
import { createVehicle, type Vehicle, type VehicleOptions } from '../../src/vehicle';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('actors are a module that the sanitizer does not see');

type Vec3 = [number, number, number];
const G = 9.81;

function print(what: string, measured: number, target: string): void {
  console.log(`${what}: ${measured.toPrecision(4)} (target ${target})`);
}

function run(world: World, seconds: number, hertz = 60, each?: (step: number) => void): void {
  for (let i = 0; i < Math.round(seconds * hertz); i++) {
    each?.(i);
    world.step(1 / hertz);
  }
}

async function makeMotorcycle(
  options: Partial<VehicleOptions> = {},
  mass = 250,
): Promise<{ world: World; bike: Vehicle }> {
  const world = new World({ gravity: [0, -G, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const chassis = world.createBody({
    mass,
    position: [0, 0.6, 0],
    shape: { type: 'box', halfExtents: [0.15, 0.3, 0.6] },
  });
  const bike = await createVehicle(world, {
    chassis,
    kind: 'motorcycle',
    wheels: [
      { position: [0, -0.3, 0.7], radius: 0.3, width: 0.12 },
      { position: [0, -0.3, -0.7], radius: 0.3, width: 0.15 },
    ],
    ...options,
  });
  return { world, bike };
}

/** rad, to the left. */
function leanOf(vehicle: Vehicle): number {
  const [x, y, z, w] = vehicle.chassis.getRotation();
  const left = 2 * (x * y + w * z); // height of the axis to the left
  const up = 1 - 2 * (x * x + z * z);
  return Math.atan2(-left, up);
}

/** Curvature of the path over a while, 1/m, and the mean speed. */
function follow(
  world: World,
  vehicle: Vehicle,
  seconds: number,
  hertz: number,
): { curvature: number; speed: number; lean: number } {
  let turned = 0;
  let way = 0;
  let lean = 0;
  const steps = Math.round(seconds * hertz);
  let [px, , pz] = vehicle.chassis.getLinearVelocity();
  for (let i = 0; i < steps; i++) {
    world.step(1 / hertz);
    const [x, , z] = vehicle.chassis.getLinearVelocity();
    turned += Math.atan2(pz * x - px * z, px * x + pz * z);
    way += Math.hypot(x, z) / hertz;
    lean += leanOf(vehicle) / steps;
    [px, pz] = [x, z];
  }
  return { curvature: turned / way, speed: way / seconds, lean };
}

test('a motorcycle stands, sleeps and drives straight without falling', async () => {
  for (const [hertz, mass] of [
    [60, 250],
    [30, 90],
    [144, 600],
  ] as const) {
    const { world, bike } = await makeMotorcycle({}, mass);
    bike.chassis.setRotation([0, 0, Math.sin(0.1), Math.cos(0.1)]); // leans to the right by 11°
    run(world, 2, hertz);
    print(`lean after standing for 2 s, rad at ${hertz} Hz`, leanOf(bike), '0 ± 0.05');
    expect(Math.abs(leanOf(bike))).toBeLessThan(0.02);
    run(world, 4, hertz);
    expect(bike.chassis.isSleeping()).toBe(true);
    bike.setInput({ throttle: 1 });
    let most = 0;
    let nose = 0;
    run(world, 6, hertz, () => {
      most = Math.max(most, Math.abs(leanOf(bike)));
      const [x, y, z, w] = bike.chassis.getRotation();
      nose = Math.max(nose, 2 * (w * x - y * z) * -1);
    });
    expect(most).toBeLessThan(0.03);
    print(`speed after 6 s, m/s at ${hertz} Hz; nose up by rad`, nose, '< 0.35');
    expect(nose).toBeLessThan(0.35);
    expect(bike.speed).toBeGreaterThan(18);
    bike.setInput({ throttle: 0, brake: 1 });
    run(world, 6, hertz);
    expect(Math.abs(bike.speed)).toBeLessThan(0.1);
    expect(Math.abs(leanOf(bike))).toBeLessThan(0.03);
    expect(world.findFault()).toBe(0);
  }
});

test.each([
  [60, 8, 0.5],
  [60, 15, 1],
  [30, 12, -0.7],
  [144, 20, -1],
])(
  'in a steady turn at %i Hz, %i m/s, steered by %f, it leans by atan(v²/(r g))',
  async (hertz, speed, steer) => {
    const { world, bike } = await makeMotorcycle();
    bike.chassis.setLinearVelocity([0, 0, speed]);
    // Holds its speed.
    const hold = () =>
      bike.setInput({ throttle: Math.max(0, Math.min(1, 0.4 * (speed - bike.speed) + 0.1)) });
    run(world, 1, hertz, hold);
    bike.setInput({ steer });
    run(world, 4, hertz, hold);
    const { curvature, speed: mean, lean } = follow(world, bike, 1, hertz);
    const expected = Math.atan((mean * mean * curvature) / G);
    print(
      `lean at ${mean.toFixed(1)} m/s, radius ${(1 / curvature).toFixed(1)} m, degrees`,
      (lean * 180) / Math.PI,
      `${((expected * 180) / Math.PI).toFixed(2)} ± 3`,
    );
    expect(Math.sign(lean)).toBe(Math.sign(steer));
    expect(Math.abs(lean)).toBeGreaterThan(0.15);
    expect(Math.abs(lean - expected)).toBeLessThan((3 * Math.PI) / 180);
  },
);

test('a motorcycle catches a push, and falls by a hard one or when it is laid down', async () => {
  const { world, bike } = await makeMotorcycle();
  bike.chassis.setLinearVelocity([0, 0, 12]);
  run(world, 1);
  bike.chassis.applyImpulse([150, 0, 0], [0, 0.3, 0]);
  let most = 0;
  run(world, 4, 60, () => (most = Math.max(most, Math.abs(leanOf(bike)))));
  print('lean by a push of 150 N·s, rad', most, '0.02 to 0.75');
  expect(most).toBeGreaterThan(0.02);
  expect(Math.abs(leanOf(bike))).toBeLessThan(0.05);
  // Standing, its balance carries 0.8 of its weight: tilted by 30° it rises, by 60° it falls.
  for (const [tilt, falls] of [
    [30, false],
    [60, true],
  ] as const) {
    const angle = (tilt * Math.PI) / 360;
    bike.chassis.setPosition([0, 0.6, 0]);
    bike.chassis.setRotation([0, 0, Math.sin(angle), Math.cos(angle)]);
    bike.chassis.setLinearVelocity([0, 0, 0]);
    bike.chassis.setAngularVelocity([0, 0, 0]);
    run(world, 4);
    print(`lean 4 s after it stood tilted by ${tilt}°, rad`, Math.abs(leanOf(bike)), falls ? '> 1' : '0');
    expect(Math.abs(leanOf(bike)) > 1).toBe(falls);
  }
  // Laid down it stays so, and is upright again when it is put so.
  bike.chassis.setPosition([0, 0.6, 0]);
  bike.chassis.setRotation([0, 0, 0, 1]);
  bike.chassis.setLinearVelocity([0, 0, 0]);
  bike.chassis.setAngularVelocity([0, 0, 0]);
  run(world, 3);
  expect(Math.abs(leanOf(bike))).toBeLessThan(0.02);
  bike.chassis.setRotation([0, 0, Math.sin(0.65), Math.cos(0.65)]);
  run(world, 3);
  expect(Math.abs(leanOf(bike))).toBeGreaterThan(1);
  expect(world.findFault()).toBe(0);
});

async function makeTank(
  options: Partial<VehicleOptions> = {},
  mass = 20000,
): Promise<{ world: World; tank: Vehicle }> {
  const world = new World({ gravity: [0, -G, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const chassis = world.createBody({
    mass,
    position: [0, 0.9, 0],
    shape: { type: 'box', halfExtents: [1.4, 0.4, 3] },
  });
  const wheels = [1, -1].flatMap((side) =>
    [2, 1, 0, -1, -2].map((z) => ({ position: [1.3 * side, -0.5, z] as Vec3, radius: 0.4, width: 0.5 })),
  );
  return { world, tank: await createVehicle(world, { chassis, kind: 'tracked', wheels, ...options }) };
}

/** rad/s about y. */
function yawOf(world: World, vehicle: Vehicle, seconds: number, hertz: number): number {
  let turned = 0;
  run(world, seconds, hertz, () => (turned += vehicle.chassis.getAngularVelocity()[1] / hertz));
  return turned / seconds;
}

/** Of the Magic Formula with the default shape and stiffening, for a slip in units of that at the peak. */
function curve(s: number): number {
  const [B, C] = [2.2, 1.5];
  const tangent = Math.tan(Math.PI / (2 * C));
  const E = (B - tangent) / (B - Math.atan(B));
  const x = B * s;
  return Math.sin(C * Math.atan(x - E * (x - Math.atan(x))));
}

/**
 * rad/s at which tracks of ± u m/s turn a hull on the spot: where the moment of the forces along the tracks is that of the
 * forces across them. Wheels at x = ± half, z. A wheel of the left track moves over the ground with −ω x along, ω z across.
 */
function pivotRate(u: number, half: number, places: readonly number[], peak: number, angle: number): number {
  const moment = (rate: number) => {
    let sum = 0;
    for (const z of places) {
      const along = rate * half;
      const slip = (u - along) / Math.max(along, 1e-6) / peak;
      const side = (rate * z) / Math.max(along, 1e-6) / Math.tan(angle);
      const total = Math.hypot(slip, side);
      if (total === 0) continue;
      sum += (curve(total) / total) * (slip * half - side * z);
    }
    return sum;
  };
  let [low, high] = [1e-6, u / half];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (moment(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

test('tracks turn on the spot as fast as the speeds and the scrub of their wheels say', async () => {
  for (const [hertz, turnRate, sign, mass] of [
    [60, 1, 1, 20000],
    [30, 0.6, -1, 20000],
    [144, 1.5, 1, 60000],
    [60, 1, -1, 800],
  ] as const) {
    const { world, tank } = await makeTank({ steering: { turnRate } }, mass);
    run(world, 1, hertz);
    const [x0, , z0] = tank.chassis.getPosition();
    tank.setInput({ steer: sign });
    run(world, 2, hertz);
    const rate = yawOf(world, tank, 3, hertz) * sign;
    const [left, right] = [tank.wheels[0]!, tank.wheels[5]!];
    // Wheels of a side turn together, the sides against each other.
    for (const wheel of tank.wheels)
      expect(wheel.spin).toBeCloseTo(wheel.index < 5 ? left.spin : right.spin, 4);
    const u = (0.4 * Math.abs(right.spin - left.spin)) / 2;
    expect(Math.abs(left.spin + right.spin)).toBeLessThan(0.05 * Math.abs(left.spin));
    expect(Math.abs(u / (1.3 * turnRate) - 1)).toBeLessThan(0.02);
    const expected = pivotRate(u, 1.3, [2, 1, 0, -1, -2], 0.1, 0.14);
    print(
      `turn on the spot, tracks ± ${u.toFixed(2)} m/s at ${hertz} Hz, rad/s`,
      rate,
      `${expected.toFixed(3)} ± 5 %`,
    );
    expect(Math.abs(rate / expected - 1)).toBeLessThan(0.05);
    const [x, , z] = tank.chassis.getPosition();
    expect(Math.hypot(x - x0, z - z0)).toBeLessThan(0.3);
    expect(world.findFault()).toBe(0);
  }
});

test('a tracked vehicle drives straight, as fast as its tracks, and turns while it drives', async () => {
  const { world, tank } = await makeTank();
  tank.setInput({ throttle: 0.6 });
  run(world, 12);
  const speed = tank.wheels[0]!.spin * 0.4;
  print('speed / that of the tracks', tank.speed / speed, '0.95 to 1');
  expect(tank.speed / speed).toBeGreaterThan(0.95);
  expect(tank.speed / speed).toBeLessThan(1.001);
  expect(tank.speed).toBeGreaterThan(5);
  const [x, , z] = tank.chassis.getPosition();
  print('aside, m', x, '0 ± 0.05');
  expect(z).toBeGreaterThan(60);
  expect(Math.abs(x)).toBeLessThan(0.05);
  const before = tank.speed;
  tank.setInput({ steer: 1 });
  run(world, 2);
  const rate = yawOf(world, tank, 1, 60);
  expect(rate).toBeGreaterThan(0.1);
  expect(tank.speed).toBeGreaterThan(0.4 * before);
});
