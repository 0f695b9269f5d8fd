// Bodies without contacts, and bodies carried by kinematic ones, against school physics.

import { row } from './support/measure';
import { axisAngle, length, sub, type Vec3 } from './support/vector';
import { createFloor, createWorld, DT, G, position, run, spin, UNIT_BOX, velocity } from './support/world';

const ball = { type: 'sphere', radius: 0.5 } as const;
const box = { type: 'box', halfExtents: UNIT_BOX } as const;

row('free fall: y = v₀ t − g t²/2, v = v₀ − g t', (m) => {
  const world = createWorld();
  const body = world.createBody({ mass: 1, linearVelocity: [3, 8, 0], shape: ball });
  run(world, 2);
  m.near('x', position(body)[0], 6, 1e-4, 'm');
  m.near('y', position(body)[1], 16 - 2 * G, 1e-3, 'm');
  m.near('v_y', velocity(body)[1], 8 - 2 * G, 1e-4, 'm/s');
});

row('gravity scale k falls k g t²/2', (m) => {
  const world = createWorld();
  for (const k of [0, 0.5, 1, 2, -1]) {
    const body = world.createBody({ mass: 1, position: [k * 10, 0, 0], gravityScale: k, shape: ball });
    run(world, 1);
    m.near(`y after 1 s, k = ${k}`, position(body)[1], (-k * G) / 2, 5e-4, 'm');
    m.near(`v after 1 s, k = ${k}`, velocity(body)[1], -k * G, 1e-4, 'm/s');
  }
});

row('damping d leaves (1 − d)^t of linear and angular velocity', (m) => {
  // Bullet's rule: v ← v (1 − d)^dt in every step, so after t seconds (1 − d)^t whatever the step.
  const world = createWorld({ gravity: [0, 0, 0] });
  const bodies = [0.1, 0.5, 0.9, 1].map((d, i) => ({
    d,
    body: world.createBody({
      mass: 1,
      position: [0, i * 10, 0],
      linearVelocity: [8, 0, 0],
      angularVelocity: [0, 4, 0],
      linearDamping: d,
      angularDamping: d,
      shape: ball,
    }),
  }));
  run(world, 2);
  for (const { d, body } of bodies) {
    const left = (1 - d) ** 2;
    m.near(`v after 2 s, d = ${d}`, velocity(body)[0], 8 * left, 1e-4 * 8, 'm/s');
    m.near(`ω after 2 s, d = ${d}`, spin(body)[1], 4 * left, 1e-4 * 4, 'rad/s');
  }
});

row('a force accelerates by F/m, a torque by τ/I, an impulse at once', (m) => {
  // Unit box of 2 kg: I = m/6 = 1/3 kg m². Forces last for one World.step.
  const world = createWorld({ gravity: [0, 0, 0] });
  const options = { mass: 2, shape: box };
  const pushed = world.createBody({ ...options, position: [0, 0, 0] });
  const turned = world.createBody({ ...options, position: [10, 0, 0] });
  const struck = world.createBody({ ...options, position: [20, 0, 0] });
  struck.applyImpulse([0, 0, 6], [0.5, 0, 0]);
  for (let i = 0; i < 60; i++) {
    pushed.applyForce([4, 0, 0]);
    turned.applyTorque([0, 1, 0]);
    world.step(DT);
  }
  m.near('v after 4 N on 2 kg for 1 s', velocity(pushed)[0], 2, 1e-4, 'm/s');
  m.near('x after 4 N on 2 kg for 1 s', position(pushed)[0], 1, 1e-3, 'm');
  m.near('ω after 1 N m on 1/3 kg m² for 1 s', spin(turned)[1], 3, 1e-3, 'rad/s');
  m.near('v after 6 N s on 2 kg', velocity(struck)[2], 3, 1e-4, 'm/s');
  // τ = r × J = (.5, 0, 0) × (0, 0, 6) = (0, −3, 0).
  m.near('ω after 3 N m s on 1/3 kg m²', spin(struck)[1], -9, 1e-3, 'rad/s');
});

row('factors lock axes: linear (1, 0, 1), angular (0, 1, 0)', (m) => {
  // A locked axis answers to nothing; a free one as if the others were free: 1 kg, I = 1/6 kg m².
  const world = createWorld();
  const body = world.createBody({ mass: 1, shape: box, linearFactor: [1, 0, 1], angularFactor: [0, 1, 0] });
  body.applyImpulse([1, 1, 1]);
  body.applyTorqueImpulse([1, 1, 1]);
  run(world, 1);
  const [v, w] = [velocity(body), spin(body)];
  m.near('v_x', v[0], 1, 1e-5, 'm/s');
  m.equal('v_y', v[1], 0);
  m.near('v_z', v[2], 1, 1e-5, 'm/s');
  m.equal('ω_x', w[0], 0);
  m.near('ω_y', w[1], 6, 1e-4, 'rad/s');
  m.equal('ω_z', w[2], 0);
  m.equal('y', position(body)[1], 0);
});

row('a body with locked rotation pushed off centre slides without turning', (m) => {
  const world = createWorld();
  createFloor(world, 0);
  const body = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: box, angularFactor: [0, 0, 0] });
  body.applyImpulse([2, 0, 0], [0, 0.4, 0.4]);
  run(world, 2);
  m.near('x', position(body)[0], 4, 1e-3, 'm');
  m.equal('spin', length(spin(body)), 0);
});

row('a kinematic platform at 1 m/s carries a box; it lags v²/(2 μ g)', (m) => {
  // The box starts at rest, so friction needs v/(μ g) to bring it to v: it stays behind by
  // v t − v²/(2 μ g) = v²/(2 μ g) = 0.1019 m at μ = 0.5, then moves with the platform.
  const world = createWorld();
  const platform = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [5, 0.5, 5], friction: 1 },
  });
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    shape: { type: 'box', halfExtents: UNIT_BOX, friction: 0.5 },
  });
  for (let i = 1; i <= 180; i++) {
    platform.setKinematicTarget([i * DT, -0.5, 0]);
    world.step(DT);
  }
  const lag = 1 / (2 * 0.5 * G);
  m.near('platform', position(platform)[0], 3, 1e-5, 'm');
  m.near('box', position(body)[0], 3 - lag, 0.003, 'm');
  m.near('speed of the box', velocity(body)[0], 1, 1e-3, 'm/s');
  m.near('height of the box', position(body)[1], 0.5, 1e-3, 'm');
});

row('a kinematic lift at 1 m/s raises a box by what it rises', (m) => {
  const world = createWorld();
  const lift = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [1, 0.5, 1] },
  });
  const body = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: box });
  for (let i = 1; i <= 180; i++) {
    lift.setKinematicTarget([0, -0.5 + i * DT, 0]);
    world.step(DT);
  }
  m.near('height of the box', position(body)[1], 3.5, 2e-3, 'm');
  m.near('speed of the box', velocity(body)[1], 1, 1e-3, 'm/s');
});

row('a turntable that speeds up slowly carries a box round', (m) => {
  // Angle ½ α t² with α = 0.25 rad/s²: at radius 2 m the box needs at most √(α² + ω⁴) r = 2.1 m/s² of
  // friction at 1 rad/s, μ g = 7.8: it must not slip. Carried along the tangent at the start of each step
  // it would drift out by r ω² dt²/2 per step and as much again per substep, 28 mm in 4 s; contacts have no
  // memory of place that could pull it back. 1 cm tells a carrier that is second order from that.
  const world = createWorld();
  const table = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [5, 0.5, 5], friction: 1 },
  });
  const body = world.createBody({
    mass: 1,
    position: [2, 0.5, 0],
    shape: { type: 'box', halfExtents: UNIT_BOX, friction: 0.8 },
  });
  let angle = 0;
  for (let i = 1; i <= 240; i++) {
    angle = (0.25 * (i * DT) ** 2) / 2;
    table.setKinematicTarget([0, -0.5, 0], axisAngle([0, 1, 0], angle));
    world.step(DT);
  }
  const truth: Vec3 = [2 * Math.cos(angle), 0.5, -2 * Math.sin(angle)];
  m.near('angle turned', angle, 2, 1e-12, 'rad');
  m.atMost('distance from where the table is', length(sub(position(body), truth)), 0.01, 'm');
  m.near('spin', spin(body)[1], 1, 0.01, 'rad/s');
});

row('a long fall: terminal speed with damping d is g / −ln(1 − d)', (m) => {
  // v' = −g + v ln(1 − d) has the fixed point g / −ln(1 − d) = 14.15 m/s at d = 0.5; how gravity and
  // damping share a step shifts it by at most g dt.
  const world = createWorld();
  const body = world.createBody({ mass: 1, linearDamping: 0.5, shape: ball });
  run(world, 20);
  m.near('speed', -velocity(body)[1], G / Math.LN2, G * DT, 'm/s');
});
