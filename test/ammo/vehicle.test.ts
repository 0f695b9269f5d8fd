// btRaycastVehicle beside Bullet: one drive, of a car as three.js's page and PlayCanvas's script build theirs. In: the
// same steering, engine and brakes. Out: where car and wheels are in the end, and on the way.
import { describe, expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, ENGINES, load, positionOf, xyz, xyzw } from './engines';

interface Drive {
  steps: number;
  /** N on each rear wheel, rad of the front wheels, N·s of brakes on all, by step. */
  engine?: (step: number) => number;
  steering?: (step: number) => number;
  brake?: (step: number) => number;
  /** Of the tyres. */
  slip?: number;
  /** m, half the width of the chassis; wheels are at 1 m. */
  half?: number;
  /** rad: the ground falls along z. */
  slope?: number;
  script?: (car: Car, step: number) => void;
}

/** m over the ground: near enough that it does not matter in which step wheels first feel it. */
const START = 0.7;

interface Car {
  A: Ammo;
  world: Ammo;
  chassis: Ammo;
  vehicle: Ammo;
}

function build(A: Ammo, { slip = 1000, slope = 0, half = 0.9 }: Drive, height = START): Car {
  const world = createWorld(A);
  // A plane: ammo.js's rays miss the faces of large boxes by a centimetre.
  const up = new A.btVector3(0, Math.cos(slope), Math.sin(slope));
  addBody(A, world, new A.btStaticPlaneShape(up, 0), 0);
  const chassis = addBody(A, world, box(A, half, 0.3, 2), 800, {
    position: [0, height * Math.cos(slope), height * Math.sin(slope)],
    rotation: [Math.sin(slope / 2), 0, 0, Math.cos(slope / 2)],
  });
  chassis.setActivationState(4);
  const tuning = new A.btVehicleTuning();
  const vehicle = new A.btRaycastVehicle(tuning, chassis, new A.btDefaultVehicleRaycaster(world));
  vehicle.setCoordinateSystem(0, 1, 2);
  world.addAction(vehicle);
  const down = new A.btVector3(0, -1, 0);
  const axle = new A.btVector3(-1, 0, 0);
  for (const [x, z, front] of [
    [1, 1.7, true],
    [-1, 1.7, true],
    [-1, -1.5, false],
    [1, -1.5, false],
  ] as const) {
    const at = new A.btVector3(x, 0.3, z);
    const wheel = vehicle.addWheel(at, down, axle, 0.6, 0.35, tuning, front);
    wheel.set_m_suspensionStiffness(20);
    wheel.set_m_wheelsDampingRelaxation(2.3);
    wheel.set_m_wheelsDampingCompression(4.4);
    wheel.set_m_frictionSlip(slip);
    wheel.set_m_rollInfluence(0.2);
  }
  return { A, world, chassis, vehicle };
}

async function drive(engine: 'ricochet' | 'bullet', plan: Drive) {
  const car = build(await load(engine), plan);
  const { world, chassis, vehicle } = car;
  const way: number[][] = [];
  for (let step = 0; step < plan.steps; step++) {
    for (const wheel of [0, 1]) vehicle.setSteeringValue(plan.steering?.(step) ?? 0, wheel);
    for (const wheel of [2, 3]) vehicle.applyEngineForce(plan.engine?.(step) ?? 0, wheel);
    for (const wheel of [0, 1, 2, 3]) vehicle.setBrake(plan.brake?.(step) ?? 0, wheel);
    plan.script?.(car, step);
    world.stepSimulation(1 / 60, 0);
    if (step % 30 === 29) way.push(positionOf(chassis));
  }
  const wheels = [0, 1, 2, 3].map((i) => {
    vehicle.updateWheelTransform(i, true);
    const t = vehicle.getWheelTransformWS(i);
    const info = vehicle.getWheelInfo(i);
    return {
      place: xyz(t.getOrigin()),
      turn: xyzw(t.getRotation()),
      rolled: info.get_m_rotation() as number,
      length: info.get_m_raycastInfo().get_m_suspensionLength() as number,
      skid: info.get_m_skidInfo() as number,
    };
  });
  return { way, wheels, speed: vehicle.getCurrentSpeedKmHour() as number };
}

/** Runs on both; places within `near` m, wheels within as much, angles as the way they roll; km/h. Ours. */
async function both(plan: Drive, near: number, speedNear = 0.1 + 3.6 * near) {
  const [ours, bullets] = await Promise.all(ENGINES.map((engine) => drive(engine, plan)));
  const far = (a: number[], b: number[]) => Math.max(...a.map((part, i) => Math.abs(part - b[i]!)));
  const apart = Math.max(...ours!.way.map((place, i) => far(place, bullets!.way[i]!)));
  expect(apart, `m, of ${ours!.way.at(-1)} and ${bullets!.way.at(-1)}`).toBeLessThan(near);
  expect(Math.abs(ours!.speed - bullets!.speed)).toBeLessThan(speedNear);
  ours!.wheels.forEach((wheel, i) => {
    const other = bullets!.wheels[i]!;
    expect(far(wheel.place, other.place)).toBeLessThan(near + 0.01);
    expect(Math.abs(wheel.length - other.length)).toBeLessThan(0.01);
    expect(Math.abs(wheel.rolled - other.rolled) * 0.35).toBeLessThan(near + 0.01);
    expect(Math.abs(wheel.skid - other.skid)).toBeLessThan(0.05);
    const cosine = Math.abs(wheel.turn.reduce((sum, part, k) => sum + part * other.turn[k]!, 0));
    expect(2 * Math.acos(Math.min(1, cosine))).toBeLessThan(0.05 + 3 * near);
  });
  return ours!;
}

describe('a raycast vehicle beside Bullet', () => {
  test('settles on its springs and stays', async () => {
    const { way, wheels } = await both({ steps: 240 }, 0.01);
    // Four springs of 20 N/m for each kg bear 10 N for each kg: 12.5 cm.
    for (const { length } of wheels) expect(length).toBeCloseTo(0.6 - 0.125, 1);
    expect(way.at(-1)![2]).toBeCloseTo(0, 2);
  });

  test('drives straight, then brakes to a stop', async () => {
    const plan: Drive = {
      steps: 420,
      engine: (step) => (step > 30 && step < 180 ? 1000 : 0),
      brake: (step) => (step >= 240 ? 60 : 0),
    };
    await both({ ...plan, steps: 240 }, 0.02);
    // In Bullet 2.82 each wheel brakes as if it were alone, and the car trembles when it stands.
    const { way, speed, wheels } = await both(plan, 0.12, 1);
    // 2,000 N on 800 kg for 2.5 s: 7.8 m, then on at 6.2 m/s until the brakes.
    expect(way.at(-1)![2]).toBeGreaterThan(13);
    expect(Math.abs(speed)).toBeLessThan(0.01);
    // The heavier end is pressed deeper.
    const lengths = wheels.map(({ length }) => length);
    expect(lengths.reduce((sum, length) => sum + length, 0) / 4).toBeCloseTo(0.475, 2);
    expect(wheels[0]!.rolled).toBeCloseTo(way.at(-1)![2]! / 0.35, 0);
  });

  test('turns while it drives', async () => {
    const plan: Drive = {
      steps: 300,
      engine: (step) => (step > 30 ? 600 : 0),
      steering: (step) => (step > 60 ? 0.2 : 0),
    };
    const { way } = await both(plan, 0.1);
    expect(Math.abs(way.at(-1)![0]!)).toBeGreaterThan(1.5);
  });

  test('slides on ice: friction is bounded by the load', async () => {
    const plan: Drive = { steps: 240, slip: 0.1, engine: (step) => (step > 60 ? 3000 : 0) };
    const { wheels } = await both({ ...plan, steering: (step) => (step > 60 ? 0.3 : 0) }, 0.1);
    expect(Math.min(...wheels.map(({ skid }) => skid))).toBeLessThan(0.9);
  });

  test('stands on a hill with brakes, and rolls without', async () => {
    const held = await both({ steps: 240, slope: 0.15, brake: () => 60 }, 0.25, 1); // there it trembles, and creeps faster
    const free = await both({ steps: 240, slope: 0.15 }, 0.1);
    expect(Math.abs(held.way.at(-1)![2]! - held.way.at(3)![2]!)).toBeLessThan(0.04); // in two seconds
    // ½ g sin cos t² from where it starts, less what it sinks along the normal.
    const start = START * Math.sin(0.15);
    expect(free.way.at(-1)![2]).toBeCloseTo(
      start + 0.5 * 10 * Math.sin(0.15) * Math.cos(0.15) * 16 - 0.03,
      0,
    );
  });

  test('leaps: wheels hang at full length and go on turning', async () => {
    const plan: Drive = {
      steps: 90,
      script: ({ A, chassis }, step) => {
        if (step === 40) chassis.applyCentralImpulse(new A.btVector3(0, 8000, 0));
      },
    };
    const { wheels, way } = await both(plan, 0.03);
    expect(way.at(-1)![1]).toBeGreaterThan(3);
    for (const { length } of wheels) expect(length).toBeCloseTo(0.6, 5);
  });
});

test('members: axes, numbers of wheels, what a wheel is made from, what a ray finds', async () => {
  for (const engine of ENGINES) {
    const A = await load(engine);
    const { world, chassis, vehicle } = build(A, { steps: 0 }, 1.2);
    expect(vehicle.getNumWheels()).toBe(4);
    expect([vehicle.getRightAxis(), vehicle.getUpAxis(), vehicle.getForwardAxis()]).toEqual([0, 1, 2]);
    expect(A.compare(vehicle.getRigidBody(), chassis)).toBe(true);
    expect(xyz(vehicle.getForwardVector())).toEqual([0, 0, 1]);
    vehicle.setSteeringValue(0.25, 1);
    expect(vehicle.getSteeringValue(1)).toBe(0.25);
    const wheel = vehicle.getWheelInfo(2);
    expect(xyz(wheel.get_m_chassisConnectionPointCS())[2]).toBe(-1.5);
    expect(wheel.get_m_bIsFrontWheel()).toBe(false);
    expect(wheel.getSuspensionRestLength()).toBeCloseTo(0.6, 6);
    expect(vehicle.rayCast(wheel)).toBe(-1); // 1.5 m up, it reaches 0.95 m
    expect(wheel.get_m_raycastInfo().get_m_isInContact()).toBe(false);
    wheel.set_m_suspensionRestLength1(2);
    expect(vehicle.rayCast(wheel)).toBeCloseTo(1.5, 4);
    expect(wheel.get_m_raycastInfo().get_m_isInContact()).toBe(true);
    expect(xyz(wheel.get_m_raycastInfo().get_m_contactNormalWS())[1]).toBeCloseTo(1, 5);
    vehicle.resetSuspension();
    expect(wheel.get_m_raycastInfo().get_m_suspensionLength()).toBe(2);
    world.removeAction(vehicle);
    for (let i = 0; i < 120; i++) world.stepSimulation(1 / 60, 0);
    expect(positionOf(chassis)[1]).toBeLessThan(0.4); // nothing holds it up any more
  }
});

test('wheels in the plane of the sides of the chassis do not stand on it', async () => {
  const plan: Drive = { steps: 180, half: 1, engine: (i) => (i > 60 ? 1000 : 0), steering: () => 0.1 };
  const ours = await both(plan, 0.1);
  expect(ours.speed).toBeGreaterThan(17);
});

test('wrong use is an error that names class and method', async () => {
  const A = await load('ricochet');
  const { vehicle, chassis } = build(A, { steps: 0 });
  expect(() => vehicle.applyEngineForce(1, 4)).toThrow(/btRaycastVehicle.applyEngineForce: wheel/);
  expect(() => vehicle.setBrake(Number.NaN, 0)).toThrow(/btRaycastVehicle.setBrake/);
  expect(() => new A.btRaycastVehicle(new A.btVehicleTuning(), chassis, chassis)).toThrow(/raycaster/);
  expect(() => vehicle.setCoordinateSystem(0, 1, 3)).toThrow(A.PhysicsError);
});
