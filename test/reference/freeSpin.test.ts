// The oracle of the free spin against its own invariants and against the closed form.

import { expect, test } from 'vitest';
import { length, rotate, sub, type Vec3 } from '../physics/support/vector';
import {
  angularMomentum,
  boxInertia,
  completeEllipticK,
  middleAxisCrossings,
  quarterPeriod,
  type SpinState,
  spinEnergy,
  spinStep,
} from './freeSpin';

const inertia = boxInertia(1, [1, 0.5, 0.1]);
const omega: Vec3 = [0.01, 5, 0];

test('the middle moment of a (1, .5, .1) box belongs to its y axis', () => {
  expect(inertia[0]).toBeCloseTo(0.26 / 3, 15);
  expect(inertia[1]).toBeCloseTo(1.01 / 3, 15);
  expect(inertia[2]).toBeCloseTo(1.25 / 3, 15);
});

test('K(0) = π/2 and K(1/2) = 1.8540746773 (Γ(1/4)²/(4√π))', () => {
  expect(completeEllipticK(0)).toBeCloseTo(Math.PI / 2, 14);
  expect(completeEllipticK(0.5)).toBeCloseTo(1.85407467730137, 12);
});

test('Runge-Kutta keeps energy and angular momentum to 1e-10 over 60 s', () => {
  let state: SpinState = { rotation: [0, 0, 0, 1], omega };
  const world = (s: SpinState) => rotate(s.rotation, s.omega);
  const energy = spinEnergy(inertia, state.rotation, world(state));
  const momentum = angularMomentum(inertia, state.rotation, world(state));
  for (let i = 0; i < 60000; i++) state = spinStep(inertia, state, 1e-3);
  const drift = length(sub(angularMomentum(inertia, state.rotation, world(state)), momentum));
  expect(Math.abs(spinEnergy(inertia, state.rotation, world(state)) / energy - 1)).toBeLessThan(1e-10);
  expect(drift / length(momentum)).toBeLessThan(1e-8);
});

test('ω_y passes zero at 2.0347 s and then every 4.0692 s: closed form and Runge-Kutta agree', () => {
  const quarter = quarterPeriod(inertia, omega);
  const times = middleAxisCrossings(inertia, omega, 60, 5e-4);
  expect(quarter).toBeCloseTo(2.0347, 3);
  expect(times).toHaveLength(15);
  for (const [i, time] of times.entries()) expect(time).toBeCloseTo((2 * i + 1) * quarter, 5);
});
