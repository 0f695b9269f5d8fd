// One pass over all contacts: projected Gauss–Seidel, four manifolds per instruction, colour by
// colour. In: velocities, motion since the start of the step, blocks. Out: velocities and
// accumulated impulses. With bias: soft position correction and speculative contacts; without
// (relax): the same without push, then friction. See prepare.ts for the contact frame.
// Soft step and relax: E. Catto, Solver2D (2024); accumulated impulses: Catto, GDC 2006.

import { splat, zero } from '../math/vector';
import { crossW, dotW, gatherW, perAxisW, scatterW, Vec2W, Vec3W, zeroW } from '../math/wide';
import { OVERFLOW_COLOR, SPECIAL_IMPACT, SPECIAL_KINEMATIC, SPECIAL_ROLLING } from '../memory/constants';
import { BlockMeta, ContactBlock } from '../memory/records';
import {
  blockAt,
  blockOf,
  colorAt,
  metaAt,
  metaOf,
  pointAt,
  pointMetaAt,
  STRAINED_SIZE,
  world,
} from '../memory/tables';
import { velocitiesAt } from '../memory/wide';
import { context } from './context';
import { noteApproach } from './restitution';

/**
 * Sweeps over the points of a manifold while its bodies are in registers. A second biased sweep makes a
 * column of 40 boxes stand for a minute where one lets it sway and fall, for 8 % of the solver's time;
 * a second relaxing sweep gains nothing, and sweeping back and forth shakes a pyramid of 465 down.
 */
const BIASED_SWEEPS: i32 = 2;
/** A crate that lands flat must not be thrown sideways by the order of its corners. */
const IMPACT_SWEEPS: i32 = 4;

export function solveContacts(withBias: bool, withFriction: bool): void {
  if (withBias) {
    solveBlocks(OVERFLOW_COLOR, 0, 0, true, withFriction);
    for (let c = 0; c < OVERFLOW_COLOR; c++) solveBlocks(c, 0, 0, true, withFriction);
  } else {
    solveBlocks(OVERFLOW_COLOR, 0, 0, false, true);
    for (let c = 0; c < OVERFLOW_COLOR; c++) solveBlocks(c, 0, 0, false, true);
  }
}

/**
 * Contacts that are new have no impulses to start from, and friction that turns a body against its
 * normals needs several passes to find them: a crate set on a ramp would slip for two substeps first.
 */
export function startFreshContacts(): void {
  const g = world();
  if (g.freshCount == 0) return;
  for (let pass = 0; pass < FRESH_PASSES; pass++) solveBlocks(g.freshCount, <usize>g.fresh, 4, true, true);
}

/** One pass over the blocks under strain (strain.ts), with friction in either case. */
export function solveStrainedPass(withBias: bool): void {
  const g = world();
  if (withBias) solveBlocks(g.strainedCount, <usize>g.strained, STRAINED_SIZE, true, true);
  else solveBlocks(g.strainedCount, <usize>g.strained, STRAINED_SIZE, false, true);
}

const FRESH_PASSES = 8;

/**
 * The blocks of a colour; or so many whose handles stand at `list`, `stride` bytes apart. One loop for both passes: a
 * second copy of the kernel is a kilobyte more for every page, and saves 3 % of a pyramid.
 */
function solveBlocks(c: i32, list: usize, stride: usize, withBias: bool, withFriction: bool): void {
  const color = colorAt(list ? 0 : c);
  const count = list ? c : color.count;
  for (let i = 0; i < count; i++) {
    let block: ContactBlock;
    let meta: BlockMeta;
    if (list) {
      const handle = load<i32>(list + <usize>i * stride);
      block = blockAt(handle);
      meta = metaAt(handle);
    } else {
      block = blockOf(color, i);
      meta = metaOf(color, i);
    }
    if (!withBias && block.special & SPECIAL_IMPACT) noteApproach(block, meta);
    solveBlock(block, meta, withBias, withFriction);
  }
}

/** Motion of B relative to A in the contact frame: along n, and turning about t1 and t2. @lanes */
class FrameMotion {
  n: v128;
  t1: v128;
  t2: v128;
}

/** What the normals of a manifold did: a force along n at the centre, torques about t1 and t2. @lanes */
class NormalImpulses {
  force: v128;
  torque1: v128;
  torque2: v128;
  /** Sum of the accumulated impulses, and of each times its point's distance from the centre. */
  load: v128;
  leverage: v128;
}

/** @inline @wide */
function solveBlock(c: ContactBlock, meta: BlockMeta, withBias: bool, withFriction: bool): void {
  const a = velocitiesAt(c.bodyA);
  const b = velocitiesAt(c.bodyB);
  const rA = c.centerA;
  const rB = c.centerB;
  const n = c.normal;
  const t1 = c.tangent;
  const t2 = crossW(n, t1);

  // The ground is the first of a pair as a rule: nothing of it moves.
  const moves = v128.any_true(c.bodyA);
  let qA = zeroW();
  let vA = zeroW();
  let wA = zeroW();
  if (moves) {
    qA = gatherW(a.deltaRotation);
    vA = gatherW(a.linear);
    wA = gatherW(a.angular);
  }
  const qB = gatherW(b.deltaRotation);
  let vB = gatherW(b.linear);
  let wB = gatherW(b.angular);

  // Motion of the contact frame since the start of the step, and its velocity.
  const shift = gatherW(b.deltaPosition - a.deltaPosition) + crossW(qB, rB) - crossW(qA, rA);
  const turn = qB - qA;
  const moved = new FrameMotion(dotW(n, shift), dotW(turn, t1), dotW(turn, t2));
  const u = vB - vA + crossW(wB, rB) - crossW(wA, rA);
  const w = wB - wA;
  const speed = new FrameMotion(dotW(n, u), dotW(w, t1), dotW(w, t2));
  const normals = solveNormals(c, meta, moved, speed, withBias);

  const force = n * normals.force;
  const torque = t1 * normals.torque1 + t2 * normals.torque2;
  if (moves) {
    vA -= perAxisW(force, c.invMassA);
    wA -= c.inertiaA * (crossW(rA, force) + torque);
  }
  vB += perAxisW(force, c.invMassB);
  wB += c.inertiaB * (crossW(rB, force) + torque);

  if (withFriction) {
    // Motion in the plane of contact after the normals have acted.
    const slip = vB - vA + crossW(wB, rB) - crossW(wA, rA);
    const spin = dotW(wB - wA, n);
    const f = solveFriction(c, meta, slip, spin, t1, t2, normals.load, normals.leverage);
    const pull = t1 * f.x + t2 * f.y;
    const twist = n * f.z;
    if (moves) {
      vA -= perAxisW(pull, c.invMassA);
      wA -= c.inertiaA * (crossW(rA, pull) + twist);
    }
    vB += perAxisW(pull, c.invMassB);
    wB += c.inertiaB * (crossW(rB, pull) + twist);

    if (c.special & SPECIAL_ROLLING) {
      // After friction has turned the bodies.
      const rolling = solveRolling(c, meta, wB - wA, t1, t2, normals.load);
      wA -= c.inertiaA * rolling;
      wB += c.inertiaB * rolling;
    }
  }

  if (moves) {
    a.linear = scatterW(vA);
    a.angular = scatterW(wA);
  }
  b.linear = scatterW(vB);
  b.angular = scatterW(wB);
}

/** The points' impulses along n; `moved` and `speed` are the frame's. @wide */
function solveNormals(
  c: ContactBlock,
  meta: BlockMeta,
  moved: FrameMotion,
  speed: FrameMotion,
  withBias: bool,
): NormalImpulses {
  const step = context();
  const none = zero();
  const one = splat(1);
  const inverseH = splat(step.inverseH);
  const kNN = c.kNN;
  const kN = c.kN;
  const k = c.k;
  const points = c.maxPoints;
  let uN = speed.n;
  let u1 = speed.t1;
  let u2 = speed.t2;
  let force = none;
  let torque1 = none;
  let torque2 = none;
  let load = none;
  let leverage = none;
  const sweeps = c.special & SPECIAL_IMPACT ? IMPACT_SWEEPS : withBias ? BIASED_SWEEPS : 1;
  for (let sweep = 1; sweep <= sweeps; ++sweep) {
    load = none;
    leverage = none;
    for (let i = 0; i < points; ++i) {
      const p = pointAt(c, i);
      const a = p.a;
      const b = p.b;
      const s = p.separation + moved.n + b * moved.t1 - a * moved.t2;
      const vn = uN + b * u1 - a * u2;
      const apart = f32x4.gt(s, none);
      const old = p.impulse;
      let lambda: v128;
      if (withBias) {
        // Penetration is removed softly, no faster than pushSpeed; a gap may be closed, not crossed.
        const push = f32x4.max(c.biasRate * f32x4.min(s + splat(step.slop), none), splat(step.pushSpeed));
        const bias = v128.bitselect(s * inverseH, push, apart);
        const massScale = v128.bitselect(one, c.massScale, apart);
        const impulseScale = v128.andnot(c.impulseScale, apart);
        lambda = old - p.mass * (massScale * vn + bias) - impulseScale * old;
        if (c.special & SPECIAL_IMPACT) {
          const q = pointMetaAt(meta, i);
          // Coming into touch: the speed at the surface, v² − 2·a·s, from before this substep's force.
          const v0 = vn - meta.approachAcceleration * splat(step.h);
          const arrival = f32x4.sqrt(f32x4.max(v0 * v0 - splat(2) * meta.approachAcceleration * s, none));
          const arrives = v128.and(v128.and(f32x4.eq(old, none), f32x4.gt(lambda, none)), f32x4.lt(vn, none));
          q.arrival = f32x4.max(q.arrival, v128.andnot(v128.and(arrival, arrives), q.struck));
        }
      } else {
        // A gap that the biased pass left open is not closed by the next substep's motion already.
        lambda = old - p.mass * (vn + v128.and(s * inverseH, apart));
        lambda = v128.andnot(lambda, v128.and(apart, f32x4.eq(old, none)));
      }
      lambda = f32x4.max(lambda, none);
      const d = lambda - old;
      p.impulse = lambda;
      if (sweep == sweeps && (!withBias || step.countBiased)) p.totalImpulse = p.totalImpulse + lambda;
      load += lambda;
      leverage += p.lever * lambda;
      uN += d * (kNN + b * kN.x - a * kN.y);
      u1 += d * (kN.x + b * k.xx - a * k.xy);
      u2 += d * (kN.y + b * k.xy - a * k.yy);
      force += d;
      torque1 += d * b;
      torque2 -= d * a;
    }
  }
  return new NormalImpulses(force, torque1, torque2, load, leverage);
}

/** Impulses of this pass along t1 and t2 (x, y) and about n (z). @wide */
function solveFriction(
  c: ContactBlock,
  meta: BlockMeta,
  slip: Vec3W,
  spin: v128,
  t1: Vec3W,
  t2: Vec3W,
  load: v128,
  leverage: v128,
): Vec3W {
  let slip1 = dotW(slip, t1);
  let slip2 = dotW(slip, t2);
  if (c.special & SPECIAL_KINEMATIC) {
    slip1 += meta.surfaceVelocity1;
    slip2 += meta.surfaceVelocity2;
  }
  const old = c.frictionImpulse;
  // Coulomb's circle: as much as μ times the load, in the direction asked for.
  const f = old - c.tangentMass * new Vec2W(slip1, slip2);
  const limit = c.friction * load;
  const size = f32x4.sqrt(f.x * f.x + f.y * f.y);
  const shrink = v128.bitselect(limit / f32x4.max(size, splat(1e-20)), splat(1), f32x4.gt(size, limit));
  const pull = f * shrink;
  c.frictionImpulse = pull;
  // Turning about n: the same limit with each point's lever; spinning friction adds to it.
  const oldTwist = c.twistImpulse;
  let twistLimit = c.friction * leverage;
  if (c.special & SPECIAL_ROLLING) twistLimit += meta.spinningFriction * load;
  const twist = f32x4.max(f32x4.min(oldTwist - c.twistMass * spin, twistLimit), zero() - twistLimit);
  c.twistImpulse = twist;
  return new Vec3W(pull.x - old.x, pull.y - old.y, twist - oldTwist);
}

/** Rolling friction: turning `w` about t1 and t2 is resisted up to lever × load. Angular impulse of this pass. @wide */
function solveRolling(c: ContactBlock, meta: BlockMeta, w: Vec3W, t1: Vec3W, t2: Vec3W, load: v128): Vec3W {
  const k = c.k;
  const w1 = dotW(w, t1);
  const w2 = dotW(w, t2);
  const old = meta.rollingImpulse;
  const determinant = f32x4.max(k.xx * k.yy - k.xy * k.xy, splat(1e-20));
  const wanted = new Vec2W(k.yy * w1 - k.xy * w2, k.xx * w2 - k.xy * w1);
  const r = old - wanted / determinant;
  const limit = meta.rollingFriction * load;
  const size = f32x4.sqrt(r.x * r.x + r.y * r.y);
  const shrink = v128.bitselect(limit / f32x4.max(size, splat(1e-20)), splat(1), f32x4.gt(size, limit));
  const resisted = r * shrink;
  meta.rollingImpulse = resisted;
  const change = resisted - old;
  return t1 * change.x + t2 * change.y;
}
