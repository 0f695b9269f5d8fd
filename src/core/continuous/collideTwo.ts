// One impact of two bodies. In: a manifold at the time of impact, both bodies at their poses of that time. Out: their
// velocities after it, and the impulses of its points. Newton's law of restitution holds at each point and is solved
// exactly for all points together, so that a face that lands flat rebounds flat. Coulomb friction (friction circle of
// each point) is solved alternately with it. The restitution is reduced if it would add energy, which Newton's law with
// friction can do (Kane and Levinson, "Dynamics", 1985; Stronge, "Impact Mechanics").

import { applyInverseInertia } from '../bodies/massProperties';
import { System, solveComplementarity } from '../math/complementarity';
import { add, addScaled, cross, dot, mul, perpendicular, scale, sub } from '../math/vector';
import { BODY_DYNAMIC } from '../memory/constants';
import { Body, ManifoldResult } from '../memory/records';
import { Bodies } from '../memory/values';
import { leastSeparation } from '../narrowphase/manifold';
import { IMPACT_TOGETHER, LEAST_STRAIGHT, TWO_CONVERGED } from '../tolerances';

/** Most passes without restitution, and as many with it. */
const SWEEPS: i32 = 24;

/** Linear and angular velocity of a body in the impact. @unmanaged */
export class Moving {
  linear: v128;
  angular: v128;
}

/** The two bodies of an impact, and their velocities. @value */
export class Colliding {
  a: Body;
  b: Body;
  vA: Moving;
  vB: Moving;
}

/** Normal and tangents of the contact. @value */
class Axes {
  n: v128;
  t1: v128;
  t2: v128;
}

/** Coefficients, of each point, and thresholds of the impact. @unmanaged */
export class ImpactLaw {
  friction: v128;
  restitution: v128;
  threshold: f32; // m/s, slower approaches have no restitution
  rest: f32; // s, rest of the step
  surface: v128; // m/s, velocity of the surface of B relative to that of A which their bodies do not show
}

/** Per point: positions relative to both centres, accumulated impulses, target speeds. @unmanaged */
class ImpactPoint {
  rA: v128;
  rB: v128;
  friction: f32; // coefficient
  mass1: f32;
  mass2: f32;
  aim: f32; // m/s, wanted separating speed
  impulse: f32;
  friction1: f32;
  friction2: f32;
  caught: f32; // impulses without restitution
  before: v128; // relative velocity before the impact
  stopped: v128; // relative velocity after the solution without restitution
  caught1: f32;
  caught2: f32;
  reserved0: i32;
  reserved1: i32;
}
const POINTS: usize = memory.data(4 * 112, 16);
const STOPPED_A: usize = memory.data(offsetof<Moving>(), 16);
const STOPPED_B: usize = memory.data(offsetof<Moving>(), 16);
/** ImpactLaw.surface of this impact, without its part along the normal. */
const SURFACE: usize = memory.data(16, 16);
/** @inline */
function pointOf(i: i32): ImpactPoint {
  return changetype<ImpactPoint>(POINTS + <usize>i * offsetof<ImpactPoint>());
}
/** Impulse along the normal at point i of the last impact. */
export function impactImpulse(i: i32): f32 {
  return pointOf(i).impulse;
}

// Speed along n at each point per impulse at each, wanted speeds, resulting impulses: see solveComplementarity.
const MATRIX: usize = memory.data(128, 16);
const WANTED: usize = memory.data(32, 16);
const FOUND: usize = memory.data(32, 16);
/** Added to the diagonal of the matrix: see ridgeOf. */
const RIDGE: usize = memory.data(8, 8);

/**
 * If linear factors lock both centres along n, only rotation responds to impulses, with lever arms that can be as short
 * as rounding errors, and impulses would have no bound. The diagonal is then increased as if a hundredth of the inverse
 * mass were left.
 */
function ridgeOf(a: Body, b: Body, straight: f32): f64 {
  const heavier = max(a.type == BODY_DYNAMIC ? a.mass : <f32>0, b.type == BODY_DYNAMIC ? b.mass : <f32>0);
  return heavier > 0 ? max<f64>(0, <f64>(LEAST_STRAIGHT / heavier) - <f64>straight) : 0;
}

function fillMatrix(a: Body, b: Body, count: i32, n: v128): void {
  const along = dot(n, mul(add(a.invMass, b.invMass), n));
  const straight = <f64>along;
  store<f64>(RIDGE, ridgeOf(a, b, along));
  for (let i = 0; i < count; i++) {
    const cA = applyInverseInertia(a, cross(pointOf(i).rA, n));
    const cB = applyInverseInertia(b, cross(pointOf(i).rB, n));
    for (let j = 0; j < count; j++) {
      const turning = <f64>dot(cross(pointOf(j).rA, n), cA) + <f64>dot(cross(pointOf(j).rB, n), cB);
      store<f64>(MATRIX + ((<usize>(i * 4 + j)) << 3), straight + turning);
    }
    const own = MATRIX + ((<usize>(5 * i)) << 3);
    if (load<f64>(own) > 0) store<f64>(own, load<f64>(own) + load<f64>(RIDGE)); // 0: neither body can move along n here
  }
}

/** Finds the impulses along n that give all points their wanted speeds; returns by how much they change. */
function pressPoints(c: Colliding, count: i32, n: v128, bounce: bool): f32 {
  for (let i = 0; i < count; i++) {
    const p = pointOf(i);
    let wanted = <f64>((bounce ? p.aim : min<f32>(0, p.aim)) - dot(relativeVelocity(p, c.vA, c.vB), n));
    for (let j = 0; j < count; j++)
      wanted += load<f64>(MATRIX + ((<usize>(i * 4 + j)) << 3)) * <f64>pointOf(j).impulse;
    wanted -= load<f64>(RIDGE) * <f64>p.impulse; // not contained in the velocities
    store<f64>(WANTED + ((<usize>i) << 3), wanted);
  }
  solveComplementarity(new System(count, MATRIX, WANTED, FOUND), 0);
  let change: f32 = 0;
  for (let i = 0; i < count; i++) {
    const p = pointOf(i);
    const impulse = <f32>load<f64>(FOUND + ((<usize>i) << 3));
    push(c, p, scale(n, impulse - p.impulse));
    change += abs(impulse - p.impulse);
    p.impulse = impulse;
  }
  return change;
}

/** 1 / (n·K n) at the lever arms of the point. */
function effectiveMass(bodies: Bodies, p: ImpactPoint, n: v128): f32 {
  const a = bodies.a;
  const b = bodies.b;
  const cA = cross(p.rA, n);
  const cB = cross(p.rB, n);
  const k =
    dot(n, mul(add(a.invMass, b.invMass), n)) +
    dot(cA, applyInverseInertia(a, cA)) +
    dot(cB, applyInverseInertia(b, cB));
  return k > 0 ? <f32>1 / k : 0;
}

/** Of the surfaces. @inline */
function relativeVelocity(p: ImpactPoint, mA: Moving, mB: Moving): v128 {
  const bodies = sub(add(mB.linear, cross(mB.angular, p.rB)), add(mA.linear, cross(mA.angular, p.rA)));
  return add(bodies, v128.load(SURFACE));
}

function push(c: Colliding, p: ImpactPoint, impulse: v128): void {
  c.vA.linear = sub(c.vA.linear, mul(impulse, c.a.invMass));
  c.vA.angular = sub(c.vA.angular, applyInverseInertia(c.a, cross(p.rA, impulse)));
  c.vB.linear = add(c.vB.linear, mul(impulse, c.b.invMass));
  c.vB.angular = add(c.vB.angular, applyInverseInertia(c.b, cross(p.rB, impulse)));
}

/**
 * Solves the impact and changes both velocities; returns the sum of the impulses along the normal. Points that are
 * farther than IMPACT_TOGETHER beyond the nearest take no part. Points may approach by as much as their gap in the rest
 * of the step.
 */
export function collideTwo(c: Colliding, m: ManifoldResult, law: ImpactLaw): f32 {
  const a = c.a;
  const b = c.b;
  const mA = c.vA;
  const mB = c.vB;
  const n = m.normal;
  v128.store(SURFACE, addScaled(law.surface, n, -dot(law.surface, n)));
  const t1 = perpendicular(n);
  const t2 = cross(n, t1);
  const axes = new Axes(n, t1, t2);
  const first = changetype<usize>(m) + offsetof<ManifoldResult>('point0');
  const separations = changetype<usize>(m) + offsetof<ManifoldResult>('separation0');
  const least = leastSeparation(m);
  let friction: f32 = 0;
  for (let i = 0; i < m.count; i++) {
    const p = pointOf(i);
    const at = v128.load(first + ((<usize>i) << 4));
    p.rA = sub(at, a.position);
    p.rB = sub(at, b.position);
    p.mass1 = effectiveMass(new Bodies(a, b), p, t1);
    p.mass2 = effectiveMass(new Bodies(a, b), p, t2);
    p.impulse = 0;
    p.friction1 = 0;
    p.friction2 = 0;
    p.before = relativeVelocity(p, mA, mB);
    const approach = -dot(p.before, n);
    const apart = load<f32>(separations + ((<usize>i) << 2)) - least;
    const own = changetype<usize>(law) + ((<usize>i) << 2);
    const restitution = load<f32>(own, offsetof<ImpactLaw>('restitution'));
    p.friction = load<f32>(own, offsetof<ImpactLaw>('friction'));
    friction = max(friction, p.friction);
    p.aim =
      apart > IMPACT_TOGETHER ? -apart / law.rest : approach > law.threshold ? restitution * approach : 0;
  }
  fillMatrix(a, b, m.count, n);
  solvePoints(c, m.count, axes, new Pass(friction, false));
  let bounces = false;
  for (let i = 0; i < m.count; i++) {
    const p = pointOf(i);
    if (p.aim > 0) bounces = true;
    p.stopped = relativeVelocity(p, mA, mB);
    p.caught = p.impulse;
    p.caught1 = p.friction1;
    p.caught2 = p.friction2;
  }
  if (bounces) {
    memory.copy(STOPPED_A, changetype<usize>(mA), offsetof<Moving>());
    memory.copy(STOPPED_B, changetype<usize>(mB), offsetof<Moving>());
    solvePoints(c, m.count, axes, new Pass(friction, true));
    const share = shareOfBounce(mA, mB, m.count, axes);
    if (share < 1) {
      takeShare(mA, changetype<Moving>(STOPPED_A), share);
      takeShare(mB, changetype<Moving>(STOPPED_B), share);
      for (let i = 0; i < m.count; i++) {
        const p = pointOf(i);
        p.impulse = p.caught + share * (p.impulse - p.caught);
      }
    }
  }
  let sum: f32 = 0;
  for (let i = 0; i < m.count; i++) sum += pointOf(i).impulse;
  return sum;
}

function takeShare(to: Moving, from: Moving, share: f32): void {
  to.linear = addScaled(from.linear, sub(to.linear, from.linear), share);
  to.angular = addScaled(from.angular, sub(to.angular, from.angular), share);
}

/**
 * Impulses j that change relative velocities from u to v do the work Σ j·(u + v)/2. Between the solutions without and
 * with restitution both depend linearly on a share s, so the work is As² + Bs + C. Returns the largest share up to 1 at
 * which no energy is gained.
 */
function shareOfBounce(mA: Moving, mB: Moving, count: i32, by: Axes): f32 {
  let sa: f64 = 0;
  let sb: f64 = 0;
  let sc: f64 = 0;
  for (let i = 0; i < count; i++) {
    const p = pointOf(i);
    const caught = addScaled(addScaled(scale(by.n, p.caught), by.t1, p.caught1), by.t2, p.caught2);
    const full = addScaled(addScaled(scale(by.n, p.impulse), by.t1, p.friction1), by.t2, p.friction2);
    const more = sub(full, caught);
    const faster = sub(relativeVelocity(p, mA, mB), p.stopped);
    const both = add(p.before, p.stopped);
    sa += <f64>dot(more, faster);
    sb += <f64>dot(more, both) + <f64>dot(caught, faster);
    sc += <f64>dot(caught, both);
  }
  if (sa + sb + sc <= 1e-5 * abs<f64>(sc)) return 1;
  if (sc >= 0 || sa <= 0) return 0;
  // C < 0 < A: exactly one root is positive, and it is below 1.
  return <f32>((-2 * sc) / (sb + sqrt<f64>(sb * sb - 4 * sa * sc)));
}

/** @value */
class Pass {
  friction: f32; // the largest coefficient
  bounce: bool;
}

/**
 * Passes over the points. The wanted relative velocity along the normal is the aim of each point, without restitution
 * at most 0.
 */
function solvePoints(c: Colliding, count: i32, axes: Axes, pass: Pass): void {
  const t1 = axes.t1;
  const t2 = axes.t2;
  const friction = pass.friction;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = pressPoints(c, count, axes.n, pass.bounce);
    let all: f32 = 0;
    for (let i = 0; i < count && friction > 0; i++) {
      const p = pointOf(i);
      const v = relativeVelocity(p, c.vA, c.vB);
      // Use the same mass in both directions, so that friction opposes the sliding direction.
      const least = min(p.mass1, p.mass2);
      // 0: the bodies cannot move along one of them, as in a flat game.
      const mass = least > 0 ? least : max(p.mass1, p.mass2);
      let f1 = p.friction1 - mass * dot(v, t1);
      let f2 = p.friction2 - mass * dot(v, t2);
      const limit = p.friction * p.impulse;
      const size = sqrt<f32>(f1 * f1 + f2 * f2);
      if (size > limit) {
        const shrink = limit / size;
        f1 *= shrink;
        f2 *= shrink;
      }
      push(c, p, addScaled(scale(t1, f1 - p.friction1), t2, f2 - p.friction2));
      change += abs<f32>(f1 - p.friction1) + abs<f32>(f2 - p.friction2);
      all += p.impulse;
      p.friction1 = f1;
      p.friction2 = f2;
    }
    if (change <= TWO_CONVERGED * all || friction == 0) return;
  }
}
