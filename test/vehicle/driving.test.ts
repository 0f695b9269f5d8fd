// Vehicles drive as their formulas say: each test compares with a closed form.
import { expect, test } from 'vitest';
import { World } from '../../src';
import type { Vec3 } from '../../src/base/math';
import { createVehicle, type Vehicle, type VehicleOptions } from '../../src/vehicle';

const G = 9.81;
const RPM = (2 * Math.PI) / 60;

const WHEELS = (radius = 0.35): VehicleOptions['wheels'] => [
  { position: [0.8, -0.3, 1.3], radius },
  { position: [-0.8, -0.3, 1.3], radius },
  { position: [0.8, -0.3, -1.3], radius },
  { position: [-0.8, -0.3, -1.3], radius },
];

interface Surroundings {
  mass?: number;
  gravity?: Vec3;
  normal?: Vec3;
}

/** A car of 1,200 kg on a plane through the origin. */
async function makeCar(
  options: Partial<VehicleOptions> = {},
  { mass = 1200, gravity = [0, -G, 0], normal = [0, 1, 0] }: Surroundings = {},
): Promise<{ world: World; car: Vehicle }> {
  const world = new World({ gravity });
  world.createBody({ type: 'static', shape: { type: 'plane', normal } });
  const chassis = world.createBody({
    mass,
    position: [0, 0.65, 0],
    shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
  });
  const car = await createVehicle(world, { chassis, wheels: WHEELS(), ...options });
  return { world, car };
}

const run = (world: World, seconds: number, hertz = 60) => {
  for (let i = 0; i < Math.round(seconds * hertz); i++) world.step(1 / hertz);
};
const print = (what: string, value: number, target: string) =>
  console.log(`${what}: ${value.toPrecision(4)} (target ${target})`);

/** Value of a tyre's curve at a slip in units of that at the peak, by Math. */
function curve(s: number, B = 2.2, C = 1.5): number {
  const tangent = Math.tan(Math.PI / (2 * C));
  const E = (B - tangent) / (B - Math.atan(B));
  return Math.sin(C * Math.atan(B * s - E * (B * s - Math.atan(B * s))));
}

test('stands where it was designed to stand, without creeping, and sleeps', async () => {
  const { world, car } = await makeCar();
  run(world, 1);
  for (const wheel of car.wheels) {
    expect(Math.abs(wheel.load / (300 * G) - 1)).toBeLessThan(0.01);
    expect(Math.abs(wheel.compression)).toBeLessThan(0.002);
  }
  const before = car.chassis.getPosition();
  run(world, 5);
  expect(Math.hypot(...car.chassis.getPosition().map((c, i) => c - before[i]!))).toBeLessThan(1e-3);
  expect(Math.abs(car.chassis.getPosition()[1] - 0.65)).toBeLessThan(2e-3);
  expect(car.chassis.isAwake()).toBe(false);
  expect(Math.abs(car.rpm - 900)).toBeLessThan(1);
});

test('wakes for its driver, and drives straight', async () => {
  const { world, car } = await makeCar();
  run(world, 6);
  expect(car.chassis.isAwake()).toBe(false);
  car.setInput({ throttle: 1 });
  run(world, 8);
  const [x, , z] = car.chassis.getPosition();
  print('to the side on 100 m', (100 * Math.abs(x)) / z, '0');
  expect(z).toBeGreaterThan(80);
  expect(Math.abs(x) / z).toBeLessThan(0.005);
  expect(world.findFault()).toBe(0);
});

test.each([
  [60, 1, 1200],
  [30, 0.8, 1200],
  [144, 1, 1200],
  [60, 0.5, 20000],
])('braking from 25 m/s takes v²/2μg, at %i Hz with μ = %f and %f kg', async (hertz, friction, mass) => {
  const tyre = { friction, rolling: 0 };
  const { world, car } = await makeCar({ tyre, drag: 0, gearbox: { automatic: false } }, { mass });
  car.setInput({ gear: 0 });
  run(world, 1, hertz);
  car.chassis.setLinearVelocity([0, 0, 25]);
  run(world, 0.5, hertz); // the wheels take up the speed
  car.setInput({ brake: 1 });
  const v = car.chassis.getLinearVelocity()[2];
  const from = car.chassis.getPosition()[2];
  for (let i = 0; i < 20 * hertz && car.speed > 0; i++) world.step(1 / hertz);
  const distance = car.chassis.getPosition()[2] - from;
  const ratio = distance / ((v * v) / (2 * friction * G));
  print(`braking distance / (v²/2μg), ${hertz} Hz, ${mass} kg`, ratio, '1 ± 2 %');
  expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
});

test.each([
  [60, 0.06],
  [60, 0.1],
  [30, 0.08],
  [144, 0.1],
])(
  'skid pad at %i Hz, steered by %f rad: lateral acceleration as the tyre curve says',
  async (hertz, angle) => {
    const { world, car } = await makeCar({
      steering: { maxAngle: angle, halfSpeed: 0, rate: 1, ackermann: 1 },
      gearbox: { automatic: false },
      drag: 0,
      tyre: { rolling: 0 },
      suspension: { antiRoll: 0 },
    });
    car.setInput({ gear: 0 });
    run(world, 1, hertz);
    car.chassis.setLinearVelocity([0, 0, 12]);
    car.setInput({ steer: 1 });
    run(world, 4, hertz);
    // Steady: v² / R is what the four tyres give, each at its own slip angle and load.
    const before = car.chassis.getLinearVelocity();
    const steps = Math.round(hertz / 4);
    let force = 0;
    let sum = 0;
    for (let i = 0; i < steps; i++) {
      world.step(1 / hertz);
      for (const w of car.wheels) {
        const slip = Math.hypot(w.sideSlip / Math.tan(0.14), w.slip / 0.1);
        sum += (1.1 * w.load * curve(slip) * (w.sideSlip / Math.tan(0.14))) / slip;
        force += w.sideForce;
      }
    }
    const after = car.chassis.getLinearVelocity();
    // By how much the direction of travel turned: v² / R = v · dφ/dt.
    const cross = before[2] * after[0] - before[0] * after[2];
    const turned = Math.atan2(cross, before[0] * after[0] + before[2] * after[2]);
    const speed = (Math.hypot(after[0], after[2]) + Math.hypot(before[0], before[2])) / 2;
    const acceleration = (speed * turned * hertz) / steps;
    const expected = sum / steps / 1200;
    print(`v²/R, ${angle} rad at ${hertz} Hz, m/s²`, acceleration, `${expected.toPrecision(4)} ± 3 %`);
    expect(Math.abs(force / sum - 1)).toBeLessThan(0.03);
    expect(Math.abs(acceleration / expected - 1)).toBeLessThan(0.03);
  },
);

test('top speed is where torque and drag meet', async () => {
  for (const [hertz, torque] of [
    [60, 300],
    [30, 180],
    [144, 300],
  ] as const) {
    const drag = 1.2;
    const { world, car } = await makeCar({
      engine: { torque, curve: [1, 1, 1, 1, 1, 1, 1, 1], maxRpm: 9000, inertia: 0.1 },
      gearbox: { ratios: [1], final: 4, shiftTime: 0 },
      drag,
    });
    car.setInput({ throttle: 1 });
    run(world, 90, hertz);
    // F = torque · ratio / r − rolling = drag · v²
    const force = (torque * 4) / 0.35 - 0.012 * 1200 * G;
    const expected = Math.sqrt(force / drag);
    print(`top speed at ${hertz} Hz, m/s`, car.speed, `${expected.toPrecision(4)} ± 2 %`);
    expect(Math.abs(car.speed / expected - 1)).toBeLessThan(0.02);
    const turning = (car.rpm * RPM * 0.35) / 4;
    expect(turning / car.speed).toBeGreaterThan(1);
    expect(turning / car.speed).toBeLessThan(1.03);
  }
});

test('drives off on a slope, stands on it by its brakes, and rolls down without', async () => {
  for (const degrees of [10, 20]) {
    const angle = (degrees * Math.PI) / 180;
    const gravity: Vec3 = [0, -G * Math.cos(angle), -G * Math.sin(angle)]; // uphill is forward
    const { world, car } = await makeCar({}, { gravity });
    car.setInput({ brake: 1 });
    run(world, 2);
    const from = car.chassis.getPosition()[2];
    run(world, 5);
    print(`creep on ${degrees}° in 5 s, m`, car.chassis.getPosition()[2] - from, '0');
    expect(Math.abs(car.chassis.getPosition()[2] - from)).toBeLessThan(0.002);
    car.setInput({ brake: 0, throttle: 1 });
    let back = 0;
    for (let i = 0; i < 180; i++) {
      world.step(1 / 60);
      back = Math.min(back, car.chassis.getPosition()[2] - from);
    }
    expect(car.speed).toBeGreaterThan(3);
    print(`rolled back on ${degrees}°, m`, back, '> −0.3');
    expect(back).toBeGreaterThan(-0.3);
    car.setInput({ throttle: 0, gear: 0 });
    const uphill = car.chassis.getLinearVelocity()[2];
    run(world, 1);
    const slowed = uphill - car.chassis.getLinearVelocity()[2];
    print(
      `free rolling on ${degrees}°, m/s²`,
      slowed,
      `${(G * Math.sin(angle)).toFixed(3)} and rolling resistance`,
    );
    expect(Math.abs(slowed / (G * Math.sin(angle) + 0.012 * G * Math.cos(angle)) - 1)).toBeLessThan(0.06);
  }
});

test('stands by its brakes on a slope in any direction while it is kept awake', async () => {
  const angle = (20 * Math.PI) / 180;
  for (const hertz of [30, 60, 144])
    for (const [x, z] of [
      [0, -1],
      [0, 1],
      [1, 0],
      [-0.6, 0.8],
    ] as const) {
      const down = G * Math.sin(angle);
      const { world, car } = await makeCar({}, { gravity: [down * x, -G * Math.cos(angle), down * z] });
      car.chassis.setActivationState('disableDeactivation');
      car.setInput({ brake: 1 });
      run(world, 3, hertz);
      const from = [...car.chassis.getPosition()];
      run(world, 5, hertz);
      const creep = Math.hypot(...from.map((c, i) => car.chassis.getPosition()[i]! - c));
      print(`awake at ${hertz} Hz, slope along (${x}, ${z}): creep in 5 s, mm`, 1000 * creep, '0');
      expect(creep).toBeLessThan(hertz === 30 ? 0.003 : 0.001);
    }
});

test('a braked car stays where it stands with a trailer, and with a load on it, while it is kept awake', async () => {
  for (const hertz of [30, 60])
    for (const degrees of [0, 10])
      for (const mass of [200, 1000])
        for (const what of ['trailer', 'load'] as const) {
          const slope = (degrees * Math.PI) / 180;
          const [s, c] = [Math.sin(slope), Math.cos(slope)];
          const onSlope = ([x, y, z]: Vec3): Vec3 => [x, y * c - z * s, y * s + z * c];
          const rotation = [Math.sin(slope / 2), 0, 0, Math.cos(slope / 2)] as const;
          const world = new World({ sleeping: false });
          world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, c, s] } });
          const bodyAt = (place: Vec3, mass: number, halfExtents: Vec3) =>
            world.createBody({
              mass,
              position: onSlope(place),
              rotation,
              shape: { type: 'box', halfExtents, friction: 1 },
            });
          const chassis = bodyAt([0, 0.65, 0], 1200, [0.85, 0.25, 2]);
          const car = await createVehicle(world, { chassis, wheels: WHEELS() });
          if (what === 'load') bodyAt([0, 1.3, -1], mass, [0.4, 0.4, 0.4]);
          else {
            const trailer = bodyAt([0, 0.65, -4.5], mass, [0.8, 0.25, 1.5]);
            const wheels = [0.8, -0.8].map((x) => ({
              position: [x, -0.3, -0.2] as const,
              radius: 0.35,
              driven: false,
              steered: false,
            }));
            const rolling = await createVehicle(world, { chassis: trailer, wheels });
            rolling.setInput({ gear: 0 });
            world.createJoint({
              type: 'point',
              bodyA: chassis,
              bodyB: trailer,
              anchor: onSlope([0, 0.5, -2.5]),
            });
          }
          car.setInput({ brake: 1 });
          run(world, 3, hertz);
          const before = chassis.getPosition();
          run(world, 10, hertz);
          const moved = Math.hypot(...chassis.getPosition().map((x, k) => x - before[k]!)) * 1000;
          print(`${what} of ${mass} kg, ${degrees}°, ${hertz} Hz: mm in 10 s`, moved, '0');
          expect(moved).toBeLessThan(5);
          world.dispose();
        }
});

test('a jump: lands on its wheels, and is calm after a second', async () => {
  for (const hertz of [30, 60, 144]) {
    const { world, car } = await makeCar();
    car.chassis.setPosition([0, 2.65, 0]);
    car.chassis.setLinearVelocity([0, 0, 20]);
    car.setInput({ throttle: 0.3 });
    let most = 0;
    let least = 9;
    for (let i = 0; i < 3 * hertz; i++) {
      world.step(1 / hertz);
      const [, y] = car.chassis.getPosition();
      least = Math.min(least, y);
      if (i > 1.7 * hertz) most = Math.max(most, Math.abs(y - 0.65));
    }
    const [x, y, z, w] = car.chassis.getRotation();
    const tilt = 1 - 2 * (x * x + z * z);
    print(`landing from 2 m at ${hertz} Hz: lowest centre, m`, least, '> 0.25, the box');
    expect(least).toBeGreaterThan(0.25);
    expect(tilt).toBeGreaterThan(0.999);
    expect(most).toBeLessThan(0.06);
    expect(car.speed).toBeGreaterThan(15);
    expect([x, y, z, w].every(Number.isFinite)).toBe(true);
  }
});

test.each(['cylinder', 'sphere', 'ray'] as const)(
  'a kerb of 15 cm at 60 km/h, with wheels by %s: it does not turn over',
  async (cast) => {
    for (const hertz of [60, 30, 144])
      for (const offset of [0, 0.8]) {
        const wheels = WHEELS().map((wheel) => ({ ...wheel, cast }));
        const { world, car } = await makeCar({ wheels });
        world.createBody({
          type: 'static',
          position: [offset, 0.075, 30],
          shape: { type: 'box', halfExtents: [offset === 0 ? 10 : 0.8, 0.075, 8] },
        });
        run(world, 0.5, hertz);
        car.chassis.setLinearVelocity([0, 0, 60 / 3.6]);
        let upright = 1;
        let highest = 0;
        for (let i = 0; i < 3.5 * hertz; i++) {
          world.step(1 / hertz);
          const [x, , z] = car.chassis.getRotation();
          upright = Math.min(upright, 1 - 2 * (x * x + z * z));
          highest = Math.max(highest, car.chassis.getPosition()[1]);
        }
        const [, y, z] = car.chassis.getPosition();
        print(
          `kerb by ${cast} at ${hertz} Hz, ${offset === 0 ? 'both sides' : 'one side'}: least cosine of tilt`,
          upright,
          '> 0.8',
        );
        expect(upright).toBeGreaterThan(0.8);
        expect(z).toBeGreaterThan(25);
        expect(highest).toBeLessThan(2);
        expect(Math.abs(y - 0.65)).toBeLessThan(0.3);
      }
  },
);

test('other wheels, masses and directions of gravity drive as well', async () => {
  const down: Vec3 = [G, 0, 0]; // up is −x
  for (const mass of [0.5, 1200, 40000]) {
    const world = new World({ gravity: down });
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [-1, 0, 0] } });
    const size = mass < 1 ? 0.1 : 1;
    const chassis = world.createBody({
      mass,
      position: [-0.65 * size, 0, 0],
      shape: { type: 'box', halfExtents: [0.25 * size, 0.85 * size, 2 * size] },
    });
    for (const count of [3, 4, 6]) {
      const wheels = Array.from({ length: count }, (_, i) => ({
        position: [
          0.3 * size,
          count === 3 && i === 0 ? 0 : (i % 2 ? -0.8 : 0.8) * size,
          (1.3 - Math.floor((i + (count === 3 ? 1 : 0)) / 2) * (count === 6 ? 1.3 : 2.6)) * size,
        ] as Vec3,
        radius: 0.35 * size,
      }));
      const car = await createVehicle(world, { chassis, up: [-1, 0, 0], wheels, drive: 'all' });
      chassis.setPosition([-0.66 * size, 0, 0]);
      chassis.setRotation([0, 0, 0, 1]);
      chassis.setLinearVelocity([0, 0, 0]);
      chassis.setAngularVelocity([0, 0, 0]);
      run(world, 1);
      expect(
        car.wheels.every((wheel) => wheel.isInContact),
        `${mass} kg, ${count}`,
      ).toBe(true);
      car.setInput({ throttle: 0.5 });
      run(world, 3);
      expect(car.speed, `${mass} kg, ${count} wheels`).toBeGreaterThan(3);
      expect(Math.abs(chassis.getPosition()[0] / size + 0.65)).toBeLessThan(0.1);
      car.setInput({ throttle: 0, brake: 1 });
      run(world, 8);
      expect(Math.abs(car.speed)).toBeLessThan(0.05);
      expect(world.findFault()).toBe(0);
      car.remove();
    }
  }
});

test('the ground gets the reaction: momentum on a sledge without friction is conserved', async () => {
  const world = new World({ gravity: [0, -G, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0], friction: 0 } });
  const sledge = world.createBody({
    mass: 6000,
    position: [0, 0.25, 0],
    shape: { type: 'box', halfExtents: [4, 0.25, 30], friction: 0.5 },
  });
  const chassis = world.createBody({
    mass: 1200,
    position: [0, 1.15, 0],
    shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
  });
  const car = await createVehicle(world, { chassis, wheels: WHEELS(), drag: 0 });
  run(world, 1);
  car.setInput({ throttle: 0.5 });
  run(world, 2);
  const [p, q] = [chassis, sledge].map((body) => body.mass * body.getLinearVelocity()[2]) as [number, number];
  print('momentum of car and sledge / that of the car', (p + q) / p, '0');
  expect(p).toBeGreaterThan(2000);
  expect(Math.abs((p + q) / p)).toBeLessThan(0.02);
});

test('a chassis that is stopped, led or asleep leaves nothing of the ride in what the vehicle tells', async () => {
  const { world, car } = await makeCar();
  car.setInput({ throttle: 1 });
  run(world, 3);
  const speed = car.speed;
  expect(speed).toBeGreaterThan(5);
  car.chassis.setType('static');
  run(world, 0.1);
  expect([car.speed, car.rpm < 1000]).toEqual([0, true]);
  for (const { load, spin, slip } of car.wheels) expect([load, spin, slip]).toEqual([0, 0, 0]);
  // A cutscene leads it.
  car.chassis.setType('kinematic');
  car.chassis.setLinearVelocity([0, 0, 7]);
  run(world, 0.1);
  expect(Math.abs(car.speed - 7)).toBeLessThan(0.01); // it squatted a little when it was stopped
  // It is let go, and drives on from there as any other.
  car.chassis.setType('dynamic');
  car.chassis.setLinearVelocity([0, 0, 7]);
  car.setInput({ throttle: 0 });
  run(world, 0.2);
  expect(car.speed).toBeGreaterThan(6);
  for (const wheel of car.wheels) expect(wheel.load).toBeGreaterThan(1000);
  car.setInput({ brake: 1 });
  run(world, 8);
  expect(world.getBody(car.chassis.id)!.isActive()).toBe(false);
  expect([car.speed, ...car.wheels.map(({ spin }) => spin)]).toEqual([0, 0, 0, 0, 0]);
  expect(world.findFault()).toBe(0);
});
