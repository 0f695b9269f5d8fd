// A body that turns freely about its middle axis tumbles (the tennis racket theorem): the test of the
// gyroscopic term. Truth: the f64 Runge-Kutta and closed form of test/reference/freeSpin.ts.

import {
  angularMomentum,
  boxInertia,
  quarterPeriod,
  spinEnergy,
  symmetricSpin,
  toBody,
} from '../reference/freeSpin';
import { row } from './support/measure';
import { conjugate, degreesBetween, length, multiply, type Quat, sub, type Vec3 } from './support/vector';
import { createWorld, DT, position, rotation, run, spin } from './support/world';

row('free spin of a (1, .5, .1) box, ω = (.01, 5, 0), 60 s: L, E ± 0.1 %, direction ± 0.2°', (m) => {
  // Moments are (.26, 1.01, 1.25) m/3: y is the middle axis. ω_y is zero at 2.0347 s and then every
  // 4.0692 s, K(k)/p of Landau and Lifshitz §37; 15 times in 60 s.
  const halfExtents: Vec3 = [1, 0.5, 0.1];
  const omega: Vec3 = [0.01, 5, 0];
  const inertia = boxInertia(1, halfExtents);
  const quarter = quarterPeriod(inertia, omega);
  m.near('truth as in the table', quarter, 2.0347, 1e-4, 's');

  const world = createWorld({ gravity: [0, 0, 0] });
  const body = world.createBody({ mass: 1, angularVelocity: omega, shape: { type: 'box', halfExtents } });
  const L = () => angularMomentum(inertia, rotation(body), spin(body));
  const E = () => spinEnergy(inertia, rotation(body), spin(body));
  const [L0, E0] = [L(), E()];
  let [worstL, worstE, worstAngle] = [0, 0, 0];
  let before = omega[1];
  const crossings: number[] = [];
  run(world, 60, (step) => {
    worstL = Math.max(worstL, Math.abs(length(L()) / length(L0) - 1));
    worstE = Math.max(worstE, Math.abs(E() / E0 - 1));
    worstAngle = Math.max(worstAngle, degreesBetween(L(), L0));
    const now = toBody(rotation(body), spin(body))[1];
    if (before > 0 !== now > 0) crossings.push((step - 1 + before / (before - now)) * DT);
    before = now;
  });
  m.atMost('|L| drift', worstL, 0.001);
  m.atMost('E drift', worstE, 0.001);
  m.atMost('direction of L', worstAngle, 0.2, '°');
  // The tumbling time depends on the logarithm of how far the motion is from the unstable axis: a
  // change of 1e-6 of E/L² (all that separates them here) would double or halve that distance. One
  // step of 1/60 s on the first and 1 % on the mean are what an integrator that keeps both can hold.
  m.near('first zero of ω_y', crossings[0] ?? Number.NaN, quarter, DT, 's');
  m.equal('zeros in 60 s', crossings.length, 15);
  const mean = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
  m.near('mean time between zeros', mean, 2 * quarter, 0.01 * 2 * quarter, 's');
  m.atMost('the centre stays', length(position(body)), 1e-6, 'm');
});

row('a spin about the largest or smallest axis is stable for 20 s', (m) => {
  // Truth: ω stays on a small ellipse about the axis. Its axes are as √(I₃(I₃−I₁)) : √(I₂(I₂−I₁)) = 1.28
  // about x and √(I₂(I₃−I₂)) : √(I₁(I₃−I₁)) = 0.97 about z, so from (.01, .01) neither other component
  // exceeds .01 √(1 + 1.28²) = 0.0163 rad/s.
  for (const [name, axis] of [
    ['smallest', 0],
    ['largest', 2],
  ] as const) {
    const omega: Vec3 = [0.01, 0.01, 0.01];
    omega[axis] = 5;
    const world = createWorld({ gravity: [0, 0, 0] });
    const body = world.createBody({
      mass: 1,
      angularVelocity: omega,
      shape: { type: 'box', halfExtents: [1, 0.5, 0.1] },
    });
    let wobble = 0;
    run(world, 20, () => {
      const w = toBody(rotation(body), spin(body));
      wobble = Math.max(wobble, ...w.filter((_, i) => i !== axis).map(Math.abs));
    });
    m.atMost(`wobble about the ${name} axis`, wobble, 0.0164, 'rad/s');
  }
});

row('a sphere keeps its spin exactly', (m) => {
  // Truth: with three equal moments there is no gyroscopic term, ω is constant to the last bit of f32.
  const world = createWorld({ gravity: [0, 0, 0] });
  const body = world.createBody({
    mass: 1,
    angularVelocity: [1, 2, 4],
    shape: { type: 'sphere', radius: 0.5 },
  });
  run(world, 10);
  m.equal('ω_x', spin(body)[0], 1);
  m.equal('ω_y', spin(body)[1], 2);
  m.equal('ω_z', spin(body)[2], 4);
});

row('bodies with an axis of symmetry turn as the closed form says, free and on a joint, 10 s', (m) => {
  const start: Quat = [0.3, -0.2, 0.5, Math.sqrt(1 - 0.38)];
  const bar = (k: number): Vec3 => [k === 0 ? 0.5 : 0.1, k === 1 ? 0.5 : 0.1, k === 2 ? 0.5 : 0.1];
  const turned: Quat = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
  const shapes = {
    disc: { type: 'cylinder', radius: 0.5, halfHeight: 0.05 },
    rod: { type: 'capsule', radius: 0.05, halfHeight: 0.5 },
    cone: { type: 'cone', radius: 0.3, halfHeight: 0.4 },
    'bar along x': { type: 'box', halfExtents: bar(0) },
    'bar along y': { type: 'box', halfExtents: bar(1) },
    'bar along z': { type: 'box', halfExtents: bar(2) },
    'wire of 1 mm': { type: 'cylinder', radius: 0.0005, halfHeight: 0.5 },
    'rod that is turned in the body': { type: 'capsule', radius: 0.05, halfHeight: 0.5, rotation: turned },
  } as const;
  for (const [where, mostAngle, mostMomentum] of [
    ['free', 1e-4, 1e-6],
    ['on a joint', 1e-2, 1e-3],
  ] as const)
    for (const [name, shape] of Object.entries(shapes)) {
      let angle = 0;
      let momentum = 0;
      for (const hertz of [30, 60, 144])
        for (const speed of [3, 12, 40]) {
          const world = createWorld({ gravity: [0, 0, 0] });
          const omega: Vec3 = [0.6 * speed, 0.7 * speed, -0.39 * speed];
          const body = world.createBody({ mass: 1, rotation: start, angularVelocity: omega, shape });
          // At its centre of mass, so that the joint does nothing but hold it.
          if (where !== 'free')
            world.createJoint({ type: 'point', bodyA: body, anchor: body.getCenterOfMassPosition() });
          const inertia = body.getLocalInertia() as Vec3;
          const principal = body.getInertiaOrientation() as Quat;
          const frame = () => multiply(rotation(body), principal);
          const [before, momentumBefore] = [frame(), angularMomentum(inertia, frame(), omega)];
          for (let i = 1; i <= 10 * hertz; i++) {
            world.step(1 / hertz);
            const truth = symmetricSpin(inertia, before, omega, i / hertz);
            const [x, y, z, w] = multiply(truth, conjugate(frame()));
            angle = Math.max(angle, 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)));
          }
          const gained = sub(angularMomentum(inertia, frame(), spin(body)), momentumBefore);
          momentum = Math.max(momentum, length(gained) / length(momentumBefore));
          world.dispose();
        }
      m.atMost(`${name} ${where}: error of its attitude`, angle, mostAngle, 'rad');
      m.atMost(`${name} ${where}: drift of L`, momentum, mostMomentum);
    }
});
