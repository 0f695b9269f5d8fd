// The deterministic functions against the host's: those are good to one place in the last, whatever they are.
import { expect, test } from 'vitest';
import * as m from '../../src/base/math';

function worst(
  from: number,
  to: number,
  f: (x: number) => number,
  g: (x: number) => number,
  relative: boolean,
) {
  let error = 0;
  for (let i = 0; i <= 20000; i++) {
    const x = from + ((to - from) * i) / 20000;
    const truth = g(x);
    error = Math.max(error, Math.abs(f(x) - truth) / (relative ? Math.max(Math.abs(truth), 1e-300) : 1));
  }
  return error;
}

test('sine and cosine: absolute error below 2e-16 over some turns, 1e-15 up to a million', () => {
  expect(worst(-20, 20, m.sin, Math.sin, false)).toBeLessThan(2.5e-16);
  expect(worst(-20, 20, m.cos, Math.cos, false)).toBeLessThan(2.5e-16);
  expect(worst(-1e6, 1e6, m.sin, Math.sin, false)).toBeLessThan(1e-15);
});

test('arc functions', () => {
  expect(worst(-50, 50, m.atan, Math.atan, false)).toBeLessThan(1e-15);
  expect(worst(-1, 1, m.asin, Math.asin, false)).toBeLessThan(1e-15);
  expect(worst(-1, 1, m.acos, Math.acos, false)).toBeLessThan(1e-15);
  for (let i = 0; i < 64; i++) {
    const [y, x] = [Math.sin(i / 10), Math.cos(i / 10)];
    expect(m.atan2(y, x)).toBeCloseTo(Math.atan2(y, x), 14);
  }
  expect(m.atan2(0, -1)).toBeCloseTo(Math.PI, 15);
});

test('exp, log and pow: relative error below 1e-14', () => {
  expect(worst(-700, 700, m.exp, Math.exp, true)).toBeLessThan(1e-14);
  expect(worst(1e-3, 1e3, m.log, Math.log, false)).toBeLessThan(4e-15);
  for (const x of [1e-300, 1e-5, 0.5, 2, 1e5, 1e300]) expect(m.log(x) / Math.log(x)).toBeCloseTo(1, 14);
  expect(
    worst(
      0.01,
      10,
      (x) => m.pow(x, 0.37),
      (x) => x ** 0.37,
      true,
    ),
  ).toBeLessThan(1e-14);
  expect([m.exp(-800), m.exp(800), m.log(0), m.pow(0, 2)]).toEqual([0, Infinity, -Infinity, 0]);
});

test('quaternions turn vectors as their axis and angle say', () => {
  const q = m.quatFromAxisAngle([0, 0, 2], Math.PI / 2);
  const [x, y, z] = m.rotate(q, [1, 0, 0]);
  expect(x).toBeCloseTo(0, 15);
  expect(y).toBeCloseTo(1, 15);
  expect(z).toBeCloseTo(0, 15);
});

test('quatFromTo takes one vector to the other, opposite ones included', () => {
  for (const to of [
    [0, 1, 0],
    [0, -1, 0],
    [1, 0, 0],
    [0.6, 0, 0.8],
  ]) {
    const turned = m.rotate(m.quatFromTo([0, 1, 0], to), [0, 1, 0]);
    for (let i = 0; i < 3; i++) expect(turned[i]).toBeCloseTo(to[i]!, 14);
  }
});

test('slerp goes evenly', () => {
  const a = m.quatFromAxisAngle([0, 1, 0], 0.2);
  const b = m.quatFromAxisAngle([0, 1, 0], 1.4);
  const quarter = m.slerp(a, b, 0.25);
  const truth = m.quatFromAxisAngle([0, 1, 0], 0.5);
  for (let i = 0; i < 4; i++) expect(quarter[i]).toBeCloseTo(truth[i]!, 14);
});
