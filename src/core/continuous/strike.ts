// One impact of two bodies. In: a manifold at the moment of the impact, the bodies at their poses then. Out: their
// velocities after it, and the impulses of its points. Newton's restitution at each point, Coulomb's friction in
// the circle, solved by projected Gauss-Seidel over the few points at once.
import { applyInverseInertia } from '../bodies/massProperties';
import { Body, ManifoldResult } from '../memory/records';
import { add, addScaled, cross, dot, mul, perpendicular, scale, sub, zero } from '../math/vector';

const SWEEPS: i32 = 16;

/** Linear and angular velocity of a body, to be changed. */
@unmanaged
export class Moving {
  linear: v128;
  angular: v128;
}

/** How the surfaces behave. */
@unmanaged
export class StrikeLaw {
  friction: f32;
  restitution: f32;
  threshold: f32; // m/s, slower approaches do not bounce
  together: f32; // m
  rest: f32; // s
}

/** Per point: positions from both centres, accumulated impulses, aims. */
@unmanaged
class StrikePoint {
  rA: v128;
  rB: v128;
  massN: f32;
  mass1: f32;
  mass2: f32;
  aim: f32; // separating speed wanted
  impulse: f32;
  friction1: f32;
  friction2: f32;
  reserved0: f32;
}
const POINTS: usize = memory.data(4 * 64, 16);
// @ts-ignore: decorator
@inline function pointOf(i: i32): StrikePoint {
  return changetype<StrikePoint>(POINTS + <usize>i * offsetof<StrikePoint>());
}
/** Impulse along the normal at a point of the last strike. */
export function strikeImpulse(i: i32): f32 {
  return pointOf(i).impulse;
}

/** 1 / (n·K n) at arms rA and rB. */
function effectiveMass(a: Body, b: Body, rA: v128, rB: v128, n: v128): f32 {
  const cA = cross(rA, n);
  const cB = cross(rB, n);
  const k =
    dot(n, mul(add(a.invMass, b.invMass), n)) +
    dot(cA, applyInverseInertia(a, cA)) +
    dot(cB, applyInverseInertia(b, cB));
  return k > 0 ? <f32>1 / k : 0;
}

// @ts-ignore: decorator
@inline function relativeVelocity(p: StrikePoint, mA: Moving, mB: Moving): v128 {
  return sub(add(mB.linear, cross(mB.angular, p.rB)), add(mA.linear, cross(mA.angular, p.rA)));
}

function push(a: Body, b: Body, p: StrikePoint, mA: Moving, mB: Moving, impulse: v128): void {
  mA.linear = sub(mA.linear, mul(impulse, a.invMass));
  mA.angular = sub(mA.angular, applyInverseInertia(a, cross(p.rA, impulse)));
  mB.linear = add(mB.linear, mul(impulse, b.invMass));
  mB.angular = add(mB.angular, applyInverseInertia(b, cross(p.rB, impulse)));
}

/**
 * Changes both velocities; returns the sum of the impulses along the normal. Points that are farther apart than
 * `law.together` beyond the nearest do not strike; they may close as much as they are apart in the rest of the step.
 */
export function strike(a: Body, b: Body, mA: Moving, mB: Moving, m: ManifoldResult, law: StrikeLaw): f32 {
  const friction = law.friction;
  const n = m.normal;
  const t1 = perpendicular(n);
  const t2 = cross(n, t1);
  const first = changetype<usize>(m) + offsetof<ManifoldResult>('point0');
  const separations = changetype<usize>(m) + offsetof<ManifoldResult>('separation0');
  let least = m.separation0;
  for (let i = 1; i < m.count; i++) least = min(least, load<f32>(separations + ((<usize>i) << 2)));
  for (let i = 0; i < m.count; i++) {
    const p = pointOf(i);
    const at = v128.load(first + ((<usize>i) << 4));
    p.rA = sub(at, a.position);
    p.rB = sub(at, b.position);
    p.massN = effectiveMass(a, b, p.rA, p.rB, n);
    p.mass1 = effectiveMass(a, b, p.rA, p.rB, t1);
    p.mass2 = effectiveMass(a, b, p.rA, p.rB, t2);
    p.impulse = 0;
    p.friction1 = 0;
    p.friction2 = 0;
    const approach = -dot(relativeVelocity(p, mA, mB), n);
    const apart = load<f32>(separations + ((<usize>i) << 2)) - least;
    p.aim =
      apart > law.together ? -apart / law.rest : approach > law.threshold ? law.restitution * approach : 0;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < m.count; i++) {
      const p = pointOf(i);
      let v = relativeVelocity(p, mA, mB);
      const impulse = max<f32>(0, p.impulse + p.massN * (p.aim - dot(v, n)));
      push(a, b, p, mA, mB, scale(n, impulse - p.impulse));
      p.impulse = impulse;
      if (friction == 0) continue;
      v = relativeVelocity(p, mA, mB);
      let f1 = p.friction1 - p.mass1 * dot(v, t1);
      let f2 = p.friction2 - p.mass2 * dot(v, t2);
      const limit = friction * impulse;
      const size = sqrt<f32>(f1 * f1 + f2 * f2);
      if (size > limit) {
        const shrink = limit / size;
        f1 *= shrink;
        f2 *= shrink;
      }
      push(a, b, p, mA, mB, addScaled(scale(t1, f1 - p.friction1), t2, f2 - p.friction2));
      p.friction1 = f1;
      p.friction2 = f2;
    }
  }
  let sum: f32 = 0;
  for (let i = 0; i < m.count; i++) sum += pointOf(i).impulse;
  return sum;
}
