// What moves carries what stands on it. Truth: a box on a platform stays where it stands on it, and a ball that rolls
// on a turntable goes round in a circle at its own speed, 2/7 as often as the table turns (a solid ball that does not slip).

import { row } from './support/measure';
import { axisAngle, length, type Quat, random, type Vec3 } from './support/vector';
import { createWorld, position, velocity } from './support/world';

const SEED = 16;
const RATES = [30, 60, 120];

/** Way of a box on a platform that swings along x by A (1 − cos ωt), over whole periods. */
function driftOnShuttle(
  amplitude: number,
  period: number,
  periods: number,
  half: number,
  rate: number,
): number {
  const world = createWorld();
  const platform = world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [3, 0.2, 3], friction: 1 },
  });
  const box = world.createBody({
    mass: 1,
    position: [0.3, 0.2 + half, 0.1],
    shape: { type: 'box', halfExtents: [half, half, half], friction: 0.9 },
  });
  const steps = Math.round(period * rate);
  const place = (): Vec3 => {
    const [p, q] = [position(box), position(platform)];
    return [p[0] - q[0], 0, p[2] - q[2]];
  };
  let start: Vec3 = [0, 0, 0];
  for (let i = 1; i <= steps * periods; i++) {
    const phase = (2 * Math.PI * (i % steps)) / steps;
    platform.setKinematicTarget([amplitude * (1 - Math.cos(phase)), 0, 0]);
    world.step(1 / rate);
    if (i === steps) start = place(); // set down and set off
  }
  const end = place();
  world.dispose();
  return Math.hypot(end[0] - start[0], end[2] - start[2]);
}

row('a box on a shuttle platform drifts ≤ 0.1 mm in 30 s', (m) => {
  m.atMost('drift, 0.5 m in 2 s', driftOnShuttle(0.5, 2, 15, 0.5, 60), 1e-4, 'm');
  m.atMost('drift, 1 m in 4 s', driftOnShuttle(1, 4, 8, 0.5, 60), 1e-4, 'm');
});

row(`shuttles of 30 kinds at random, 30 to 120 Hz: drift ≤ 0.1 mm in 12 s or more (seed ${SEED})`, (m) => {
  const r = random(SEED);
  let worst = 0;
  for (let i = 0; i < 30; i++) {
    const period = Math.round(60 * (1.5 + 2.5 * r())) / 60;
    const fastest = 1 + 2.5 * r(); // m/s², friction holds 8.8
    const amplitude = fastest * (period / (2 * Math.PI)) ** 2;
    const rate = RATES[i % 3]!;
    const whole = Math.round(period * 30) / 30;
    worst = Math.max(worst, driftOnShuttle(amplitude, whole, Math.ceil(12 / whole), 0.1 + 0.5 * r(), rate));
  }
  m.atMost('drift', worst, 1e-4, 'm');
});

/** How far a box at a radius has moved on a turntable, and how far outwards. */
function driftOnTable(speed: number, radius: number, seconds: number, rate: number, target: boolean): number {
  const world = createWorld();
  const table = world.createBody({
    type: 'kinematic',
    shape: { type: 'cylinder', radius: 5, halfHeight: 0.2, friction: 1 },
    ...(target ? {} : { angularVelocity: [0, speed, 0] as Vec3 }),
  });
  const box = world.createBody({
    mass: 1,
    position: [radius, 0.45, 0],
    linearVelocity: [0, 0, -speed * radius],
    angularVelocity: [0, speed, 0],
    shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25], friction: 0.8 },
  });
  let angle = 0;
  for (let i = 0; i < seconds * rate; i++) {
    angle += speed / rate;
    if (target) table.setKinematicTarget([0, 0, 0], axisAngle([0, 1, 0], angle) as Quat);
    world.step(1 / rate);
  }
  const p = position(box);
  const q = table.getRotation();
  const turned = 2 * Math.atan2(q[1]!, q[3]!);
  const x = p[0] * Math.cos(turned) - p[2] * Math.sin(turned);
  const z = p[0] * Math.sin(turned) + p[2] * Math.cos(turned);
  world.dispose();
  return Math.hypot(x - radius, z);
}

row('a box on a turntable drifts ≤ 2 mm in 20 s', (m) => {
  m.atMost('drift at 1 rad/s, 2 m', driftOnTable(1, 2, 20, 60, true), 2e-3, 'm');
  m.atMost('drift at 1 rad/s, 1.5 m, by its velocity', driftOnTable(1, 1.5, 20, 60, false), 2e-3, 'm');
});

row(`turntables at random: drift ≤ 2e-4 of the way of 20 s (seed ${SEED})`, (m) => {
  const r = random(SEED + 1);
  let worst = 0;
  for (let i = 0; i < 30; i++) {
    const speed = 0.3 + 1.2 * r();
    const radius = 0.5 + (Math.min(4, 4 / speed ** 2) - 0.5) * r(); // up to 4 m/s², friction holds 7.8
    const drift = driftOnTable(r() < 0.5 ? speed : -speed, radius, 20, i % 2 ? 60 : 120, i % 4 < 2);
    worst = Math.max(worst, drift / (speed * radius * 20));
  }
  m.atMost('drift, of the way', worst, 2e-4);
});

row('a ball that rolls on a turntable keeps its speed ± 0.5 % for 11 s', (m) => {
  for (const [speed, start] of [
    [1, 0.5],
    [2, 0.5],
    [2, 1],
    [1.5, 0.7],
  ] as const) {
    const world = createWorld();
    const radius = 0.2;
    const table = world.createBody({
      type: 'kinematic',
      shape: { type: 'cylinder', radius: 6, halfHeight: 0.2, friction: 1 },
    });
    const ball = world.createBody({
      mass: 1,
      position: [1, 0.2 + radius, 0],
      linearVelocity: [0, 0, start],
      // So that it does not slip at (1, 0, 0), where the table moves with (0, 0, −speed).
      angularVelocity: [(start + speed) / radius, 0, 0],
      shape: { type: 'sphere', radius, friction: 0.9 },
    });
    let most = 0;
    for (let i = 1; i <= 11 * 60; i++) {
      table.setKinematicTarget([0, 0, 0], axisAngle([0, 1, 0], (speed * i) / 60) as Quat);
      world.step(1 / 60);
      most = Math.max(most, Math.abs(length(velocity(ball)) / start - 1));
    }
    m.atMost(`change of ${start} m/s at ${speed} rad/s`, most, 0.005);
    world.dispose();
  }
});
