// Deterministic elementary functions in f64: the same bits in every engine, browser and processor.
// Math.sin and friends may differ in the last place between JavaScript engines; these use only
// + − × ÷, sqrt and rounding, which IEEE 754 fixes. Argument reduction after Cody and Waite, then
// Taylor series long enough for f64. Use them to place bodies in a simulation that is to be replayed.

// π/2 in three parts of 33 bits (the last one longer), so that n × part is exact for |n| < 2^20.
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_MIDDLE = 6.077100506303966e-11;
const HALF_PI_LOW = 2.0222662487959506e-21;
const TWO_OVER_PI = 0.6366197723675814;

// ln 2 in two parts; the first has 32 bits, so that k × part is exact for every exponent k.
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
// biome-ignore lint/suspicious/noApproximativeNumericConstant: digits, not an engine's idea of them
const ONE_OVER_LN2 = 1.4426950408889634;

const SQRT_HALF = Math.sqrt(0.5);

/** sin r for |r| ≤ π/4, by Horner's scheme on its Taylor series; the first omitted term is below 1e-19. */
function sinSeries(r: number): number {
  const s = r * r;
  let sum = 1;
  for (let k = 16; k >= 2; k -= 2) sum = 1 - (s / (k * (k + 1))) * sum;
  return r * sum;
}

/** cos r for |r| ≤ π/4, likewise. */
function cosSeries(r: number): number {
  const s = r * r;
  let sum = 1;
  for (let k = 17; k >= 1; k -= 2) sum = 1 - (s / (k * (k + 1))) * sum;
  return sum;
}

function quadrantSin(x: number, quadrant: number): number {
  const n = Math.round(x * TWO_OVER_PI);
  const r = x - n * HALF_PI_HIGH - n * HALF_PI_MIDDLE - n * HALF_PI_LOW;
  const q = (((n + quadrant) % 4) + 4) % 4;
  if (q === 0) return sinSeries(r);
  if (q === 1) return cosSeries(r);
  if (q === 2) return -sinSeries(r);
  return -cosSeries(r);
}

/** Sine of `x` radians; absolute error below 1e-15 for |x| < 1e6. */
export function sin(x: number): number {
  return quadrantSin(x, 0);
}

/** Cosine of `x` radians; absolute error below 1e-15 for |x| < 1e6. */
export function cos(x: number): number {
  return quadrantSin(x, 1);
}

/** Tangent of an angle in rad. */
export function tan(x: number): number {
  return sin(x) / cos(x);
}

/** Arc tangent in radians, −π/2 … π/2. */
export function atan(x: number): number {
  if (x < 0) return -atan(-x);
  if (x > 1) return HALF_PI_HIGH - (atan(1 / x) - HALF_PI_MIDDLE);
  // Halve the angle twice, tan(a/2) = t / (1 + √(1 + t²)): then t ≤ tan(π/16) ≈ 0.2.
  let t = x / (1 + Math.sqrt(1 + x * x));
  t = t / (1 + Math.sqrt(1 + t * t));
  const s = t * t;
  let sum = 0;
  for (let k = 23; k >= 1; k -= 2) sum = 1 / k - s * sum;
  return 4 * t * sum;
}

/** Angle of the point (x, y) in radians, −π … π. */
export function atan2(y: number, x: number): number {
  const halfPi = HALF_PI_HIGH + HALF_PI_MIDDLE;
  if (x === 0) return y === 0 ? 0 : y > 0 ? halfPi : -halfPi;
  if (x > 0) return atan(y / x);
  return y >= 0 ? atan(y / x) + 2 * halfPi : atan(y / x) - 2 * halfPi;
}

/** Arc sine in radians; NaN outside −1 … 1. */
export function asin(x: number): number {
  return atan2(x, Math.sqrt((1 - x) * (1 + x)));
}

/** Arc cosine in radians; NaN outside −1 … 1. */
export function acos(x: number): number {
  return 2 * atan2(Math.sqrt(1 - x), Math.sqrt(1 + x));
}

/** 2^k for an integer k, by squaring; exact, 0 or Infinity beyond the range of f64. */
function powerOfTwo(k: number): number {
  let base = k < 0 ? 0.5 : 2;
  let result = 1;
  for (let n = Math.abs(k); n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result *= base;
    base *= base;
  }
  return result;
}

/** e^x. */
export function exp(x: number): number {
  if (x > 710) return Number.POSITIVE_INFINITY;
  if (x < -746) return 0;
  if (Number.isNaN(x)) return x;
  const k = Math.round(x * ONE_OVER_LN2);
  const r = x - k * LN2_HIGH - k * LN2_LOW; // |r| ≤ ln 2 / 2
  let sum = 1;
  for (let i = 15; i >= 1; i--) sum = 1 + (r / i) * sum;
  const half = Math.trunc(k / 2); // in two factors, so that neither over- nor underflows early
  return sum * powerOfTwo(half) * powerOfTwo(k - half);
}

/** Natural logarithm; NaN below 0, −Infinity at 0. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let k = 0;
  for (let step = 512; step >= 1; step /= 2) {
    if (x >= powerOfTwo(step)) {
      x *= powerOfTwo(-step);
      k += step;
    } else if (x < powerOfTwo(-step)) {
      x *= powerOfTwo(step);
      k -= step;
    }
  }
  while (x < SQRT_HALF) {
    x *= 2;
    k--;
  }
  while (x > 2 * SQRT_HALF) {
    x *= 0.5;
    k++;
  }
  const f = (x - 1) / (x + 1); // ln x = 2 artanh f, |f| ≤ 0.172
  const s = f * f;
  let sum = 0;
  for (let i = 23; i >= 1; i -= 2) sum = 1 / i + s * sum;
  return k * LN2_HIGH + (2 * f * sum + k * LN2_LOW);
}

/** x^y for x ≥ 0. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (x === 0) return y > 0 ? 0 : Number.POSITIVE_INFINITY;
  return exp(y * log(x));
}

/** Degrees → radians. */
export function degreesToRadians(degrees: number): number {
  return (degrees * (HALF_PI_HIGH + HALF_PI_MIDDLE)) / 90;
}

// --- vectors and quaternions as tuples, for placing bodies and for cooking; not for inner loops ---

/** Three numbers: x, y, z. */
export type Vec3 = [x: number, y: number, z: number];
/** (x, y, z, w), a unit quaternion unless said otherwise. */
export type Quat = [x: number, y: number, z: number, w: number];

// Shared by the many records that hold just these; never written to.
/** The zero vector, frozen. */
export const ZERO: Vec3 = Object.freeze([0, 0, 0]) as unknown as Vec3;
/** (1, 1, 1), frozen. */
export const ONE: Vec3 = Object.freeze([1, 1, 1]) as unknown as Vec3;
/** The rotation that turns nothing, frozen. */
export const IDENTITY: Quat = Object.freeze([0, 0, 0, 1]) as unknown as Quat;

const equal = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

/** The same vector, one of the shared ones where possible. */
export function shareVec3(v: Vec3): Vec3 {
  return equal(v, ZERO) ? ZERO : equal(v, ONE) ? ONE : v;
}

/** The same, or the one object IDENTITY that all that are equal to it share. */
export function shareQuat(q: Quat): Quat {
  return equal(q, IDENTITY) ? IDENTITY : q;
}

/** a ∘ b: first b, then a. */
export function quatMultiply(a: ArrayLike<number>, b: ArrayLike<number>): Quat {
  const ax = a[0]!;
  const ay = a[1]!;
  const az = a[2]!;
  const aw = a[3]!;
  const bx = b[0]!;
  const by = b[1]!;
  const bz = b[2]!;
  const bw = b[3]!;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The inverse of a unit quaternion. */
export function quatConjugate(q: ArrayLike<number>): Quat {
  return [-q[0]!, -q[1]!, -q[2]!, q[3]!];
}

/** The same rotation with length 1. A quaternion of length 0 gives NaN. */
export function quatNormalize(q: ArrayLike<number>): Quat {
  const length = Math.sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!);
  return [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length];
}

/** Rotation by `angle` radians about `axis`, which need not have unit length. */
export function quatFromAxisAngle(axis: ArrayLike<number>, angle: number): Quat {
  const x = axis[0]!;
  const y = axis[1]!;
  const z = axis[2]!;
  const s = sin(angle / 2) / Math.sqrt(x * x + y * y + z * z);
  return [x * s, y * s, z * s, cos(angle / 2)];
}

/** Rotation about x, then y, then z of the world, each in radians. */
export function quatFromEuler(x: number, y: number, z: number): Quat {
  const aboutX: Quat = [sin(x / 2), 0, 0, cos(x / 2)];
  const aboutY: Quat = [0, sin(y / 2), 0, cos(y / 2)];
  const aboutZ: Quat = [0, 0, sin(z / 2), cos(z / 2)];
  return quatMultiply(aboutZ, quatMultiply(aboutY, aboutX));
}

/** The shortest rotation that takes unit vector `from` to unit vector `to`. */
export function quatFromTo(from: ArrayLike<number>, to: ArrayLike<number>): Quat {
  const w = 1 + from[0]! * to[0]! + from[1]! * to[1]! + from[2]! * to[2]!;
  if (w < 1e-12) {
    // Opposite: half a turn about any axis square to `from`.
    const [x, y, z] = [from[0]!, from[1]!, from[2]!];
    return Math.abs(x) > Math.abs(z) ? quatNormalize([-y, x, 0, 0]) : quatNormalize([0, -z, y, 0]);
  }
  return quatNormalize([
    from[1]! * to[2]! - from[2]! * to[1]!,
    from[2]! * to[0]! - from[0]! * to[2]!,
    from[0]! * to[1]! - from[1]! * to[0]!,
    w,
  ]);
}

/** The vector `v` rotated by the unit quaternion `q`. */
export function rotate(q: ArrayLike<number>, v: ArrayLike<number>): Vec3 {
  const [qx, qy, qz, qw] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const [x, y, z] = [v[0]!, v[1]!, v[2]!];
  // t = 2 q × v, v' = v + w t + q × t
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

/** Between two unit quaternions at an even angular velocity, the shorter way (Shoemake 1985). */
export function slerp(a: ArrayLike<number>, b: ArrayLike<number>, fraction: number): Quat {
  let cosine = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  let wa = 1 - fraction;
  let wb = fraction;
  if (cosine < 0.999999) {
    const angle = acos(cosine);
    wa = sin(wa * angle);
    wb = sin(wb * angle);
  }
  wb *= sign;
  return quatNormalize([
    wa * a[0]! + wb * b[0]!,
    wa * a[1]! + wb * b[1]!,
    wa * a[2]! + wb * b[2]!,
    wa * a[3]! + wb * b[3]!,
  ]);
}
