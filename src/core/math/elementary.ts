// Deterministic elementary functions: polynomials on a reduced range, only + − × ÷ and floor. In f64, so that the f32
// results are correctly rounded in all but a few cases. Coefficients: Taylor series; at |r| ≤ π/4 the first omitted
// term is below 1e-12.

import { HALF_PI, LN2 } from './constants';

function sinReduced(r: f64): f64 {
  const s = r * r;
  return r * (1.0 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 - s / 39916800)))));
}
function cosReduced(r: f64): f64 {
  const s = r * r;
  return (
    1.0 +
    s * (-0.5 + s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800 + s / 479001600)))))
  );
}

export function sin(angle: f64): f64 {
  const n = floor(angle / HALF_PI + 0.5);
  const r = angle - n * HALF_PI;
  const quadrant = <i32>(<i64>n & 3);
  if (quadrant == 0) return sinReduced(r);
  if (quadrant == 1) return cosReduced(r);
  if (quadrant == 2) return -sinReduced(r);
  return -cosReduced(r);
}

export function cos(angle: f64): f64 {
  return sin(angle + HALF_PI);
}

/** Natural logarithm of x > 0: x = m·2ᵉ, ln m = 2 artanh((m − 1)/(m + 1)). */
function ln(value: f64): f64 {
  const bits = reinterpret<i64>(value);
  const e = <f64>(((bits >> 52) & 0x7ff) - 1023);
  const m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000); // 1 ≤ m < 2
  const t = (m - 1.0) / (m + 1.0); // ≤ 1/3
  const s = t * t;
  let sum: f64 = 0;
  for (let k: i32 = 19; k >= 1; k -= 2) sum = sum * s + 1.0 / <f64>k;
  return e * LN2 + 2.0 * t * sum;
}

/** eˣ for x ≤ 0. */
function expNegative(value: f64): f64 {
  if (value < -80) return 0;
  const n = floor(value / LN2 + 0.5);
  const r = value - n * LN2; // |r| ≤ 0.35
  let sum: f64 = 1.0;
  for (let k: i32 = 13; k >= 1; --k) sum = 1.0 + (r * sum) / <f64>k;
  return sum * reinterpret<f64>((<i64>n + 1023) << 52);
}

/** baseˣ for 0 ≤ base ≤ 1 and exponent ≥ 0; damping per substep is (1 − d)ʰ (btRigidBody.cpp:158). */
export function powFraction(base: f32, exponent: f32): f32 {
  if (base >= 1) return 1;
  if (!(base > 0)) return exponent > 0 ? 0 : 1;
  return <f32>expNegative(<f64>exponent * ln(<f64>base));
}

/** eˣ for any x that does not overflow. */
export function exp(value: f64): f64 {
  return value <= 0 ? expNegative(value) : 1.0 / expNegative(-value);
}

/** arctan t for |t| ≤ 1: two halvings, arctan t = 2 arctan(t/(1 + √(1 + t²))), then the series. */
function atanReduced(value: f64): f64 {
  let t = value / (1.0 + sqrt<f64>(1.0 + value * value));
  t = t / (1.0 + sqrt<f64>(1.0 + t * t)); // ≤ 0.199
  const s = t * t;
  const high = 1.0 / 11 - s * (1.0 / 13 - s * (1.0 / 15 - s * (1.0 / 17)));
  return 4.0 * t * (1.0 - s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9 - s * high)))));
}

/** The angle of the point (x, y), −π … π; 0 at the origin. */
export function atan2(y: f64, x: f64): f64 {
  const ax = abs<f64>(x);
  const ay = abs<f64>(y);
  if (ax == 0 && ay == 0) return 0;
  let angle = ay <= ax ? atanReduced(ay / ax) : HALF_PI - atanReduced(ax / ay);
  if (x < 0) angle = 2.0 * HALF_PI - angle;
  return y < 0 ? -angle : angle;
}
