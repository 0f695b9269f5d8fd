// One pass over all contacts: projected Gauss–Seidel, four manifolds per SIMD instruction, colour by colour. In:
// velocities, motion since the start of the step, blocks. Out: velocities and accumulated impulses. The biased pass has
// soft position correction and speculative contacts. The relax pass has no position correction and also solves
// friction. See prepare.ts for the contact frame.
// Soft step and relax pass: E. Catto, Solver2D (2024); accumulated impulses: Catto, GDC 2006.

import { splat, zero } from '../math/vector';
import {
  crossW,
  dotW,
  gatherW,
  maskW,
  perAxisW,
  planeMass,
  Sym2W,
  scatterW,
  Vec2W,
  Vec3W,
  zeroW,
} from '../math/wide';
import { OVERFLOW_COLOR, SPECIAL_IMPACT, SPECIAL_KINEMATIC, SPECIAL_ROLLING } from '../memory/constants';
import { BlockMeta, ContactBlock } from '../memory/records';
import {
  blockAt,
  blockOf,
  colorAt,
  HIGH_RATIO_SIZE,
  metaAt,
  metaOf,
  pointAt,
  pointMetaAt,
  world,
} from '../memory/tables';
import { velocitiesAt } from '../memory/wide';
import { fork, forks } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { SLOW_SPIN } from '../tolerances';
import { context } from './context';
import { lists } from './lists';
import { noteApproach } from './restitution';

/**
 * Sweeps over the points of a manifold while its bodies are in registers. With a second biased sweep a column of 40
 * boxes stands for a minute; with one it sways and falls. It costs 8 % of the solver's time. A second relax sweep gains
 * nothing, and sweeping back and forth makes a pyramid of 465 boxes collapse.
 */
const BIASED_SWEEPS: i32 = 2;
/** More sweeps for impacts, so that the order of the points does not throw a flat-landing crate sideways. */
const IMPACT_SWEEPS: i32 = 4;

export function solveContacts(withBias: bool, withFriction: bool): void {
  solveBlocks(new Blocks(OVERFLOW_COLOR, 0, 0), withBias, withFriction);
  for (let c = 0; c < OVERFLOW_COLOR; c++) solveBlocks(new Blocks(c, 0, 0), withBias, withFriction);
}

/**
 * New contacts have no impulses to warm start from, and friction that rotates a body against its normals needs several
 * passes to converge: without them a crate set on a ramp would slip for two substeps.
 */
export function startNewContacts(): void {
  const g = world();
  if (g.newBlockCount == 0) return;
  for (let pass = 0; pass < NEW_CONTACT_PASSES; pass++)
    solveBlocks(new Blocks(g.newBlockCount, <usize>g.newBlocks, 4), true, true);
}

/** Further passes over the contacts of bodies that vibrate at rest: one, and another one where that has not helped. */
export function solveRattling(withBias: bool, withFriction: bool): void {
  const l = lists();
  solveAgain(l.repeatedCount, withBias, withFriction);
  solveAgain(l.persistentCount, withBias, withFriction);
}

/** One more pass over the first `count` of these blocks. Their impulses are counted once per substep. */
function solveAgain(count: i32, withBias: bool, withFriction: bool): void {
  const repeated = lists().repeated;
  if (context().counts) {
    for (let i = 0; i < count; i++) {
      const c = blockAt(load<i32>(repeated + ((<usize>i) << 2)));
      for (let k = 0; k < c.maxPoints; k++) {
        const p = pointAt(c, k);
        p.totalImpulse = f32x4.sub(p.totalImpulse, p.impulse);
      }
    }
  }
  solveBlocks(new Blocks(count, repeated, 4), withBias, withFriction);
}

/** One pass over the blocks with a high mass ratio (massRatio.ts), always with friction. */
export function solveHighRatioPass(withBias: bool): void {
  const g = world();
  solveBlocks(new Blocks(g.highRatioCount, <usize>g.highRatioBlocks, HIGH_RATIO_SIZE), withBias, true);
}

const NEW_CONTACT_PASSES = 8;

/** The blocks of colour `c`; or, with `list`, `c` blocks whose handles lie at `list`, `stride` bytes apart. @value */
class Blocks {
  c: i32;
  list: usize;
  stride: usize;
}

function solveBlocks(blocks: Blocks, withBias: bool, withFriction: bool): void {
  const c = blocks.c;
  const list = blocks.list;
  const count = list ? c : colorAt(c).count;
  if (THREADED && !list && c != OVERFLOW_COLOR && forks(count, SHARED_BLOCKS))
    return fork(solveSome, c, (withBias ? 1 : 0) | (withFriction ? 2 : 0), count);
  if (withBias) solveBiased(blocks, new Part(0, count), withFriction);
  else relax(blocks, new Part(0, count));
}

/** Blocks of a colour from which on it is shared between threads. */
export const SHARED_BLOCKS = 12;

/** A part of a colour, in the threaded core. Not of the overflow: in the others no two blocks move the same body. */
function solveSome(from: i32, to: i32, c: i32, flags: i32): void {
  if (flags & 1) solveBiased(new Blocks(c, 0, 0), new Part(from, to), (flags & 2) != 0);
  else relax(new Blocks(c, 0, 0), new Part(from, to));
}

/** @value */
class Part {
  from: i32;
  to: i32;
}

// Each pass has a loop and a kernel of its own: compiled for both, the kernel takes 0.91 to 0.98 of the time, for 1.2 KB gzip of a page.

function solveBiased(blocks: Blocks, part: Part, withFriction: bool): void {
  const list = blocks.list;
  const color = colorAt(list ? 0 : blocks.c);
  for (let i = part.from; i < part.to; i++) {
    let block: ContactBlock;
    let meta: BlockMeta;
    if (list) {
      const handle = load<i32>(list + <usize>i * blocks.stride);
      block = blockAt(handle);
      meta = metaAt(handle);
    } else {
      block = blockOf(color, i);
      meta = metaOf(color, i);
    }
    solveBlock(block, meta, true, withFriction);
  }
}

/** Always with friction. */
function relax(blocks: Blocks, part: Part): void {
  const list = blocks.list;
  const color = colorAt(list ? 0 : blocks.c);
  for (let i = part.from; i < part.to; i++) {
    let block: ContactBlock;
    let meta: BlockMeta;
    if (list) {
      const handle = load<i32>(list + <usize>i * blocks.stride);
      block = blockAt(handle);
      meta = metaAt(handle);
    } else {
      block = blockOf(color, i);
      meta = metaOf(color, i);
    }
    if (block.special & SPECIAL_IMPACT) noteApproach(block, meta);
    solveBlock(block, meta, false, true);
  }
}

/** Motion of B relative to A in the contact frame: along n, and rotation about t1 and t2. @lanes */
class FrameMotion {
  n: v128;
  t1: v128;
  t2: v128;
}

/** Effect of a manifold's normal impulses: a force along n at the centre, torques about t1 and t2. @lanes */
class NormalImpulses {
  force: v128;
  torque1: v128;
  torque2: v128;
  /** Sum of the accumulated impulses; leverage: sum of impulse times lever arm. */
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

  // Body A is usually the ground, which does not move.
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
  const parted = gatherW(b.deltaPosition - a.deltaPosition);
  const shift = parted + crossW(qB, rB) - crossW(qA, rA);
  const turn = qB - qA;
  let away = dotW(n, shift);
  const follows = moves && v128.any_true(v128.or(c.armShareA, c.armShareB));
  let followed = zeroW();
  let armA = rA;
  let armB = rB;
  if (follows) {
    // The impulses act at one point of the world, wherever the bodies are.
    const way = f32x4.sqrt(dotW(parted, parted));
    const most = c.mostFollowed;
    followed = parted * v128.bitselect(most / way, splat(1), f32x4.gt(way, most));
    armA = rA + followed * c.armShareA;
    armB = rB - followed * c.armShareB;
    if (withBias) {
      const missing = crossW(followed, heldImpulse(c, n, t1, t2)) - c.moment;
      c.moment += missing;
      wA -= c.inertiaA * (missing * c.armShareA);
      wB -= c.inertiaB * (missing * c.armShareB);
    }
  }
  const u = vB - vA + crossW(wB, armB) - crossW(wA, armA);
  const w = wB - wA;
  let rise = dotW(n, u);
  if (c.special & SPECIAL_KINEMATIC) {
    rise += meta.surfaceRise;
    // The relax pass follows the motion of the substep.
    away += meta.surfaceShift + meta.surfaceRise * splat(withBias ? <f32>0 : context().h);
  }
  const moved = new FrameMotion(away, dotW(turn, t1), dotW(turn, t2));
  const speed = new FrameMotion(rise, dotW(w, t1), dotW(w, t2));
  const normals = solveNormals(c, meta, new Approach(moved, speed), withBias);

  const force = n * normals.force;
  const torque = t1 * normals.torque1 + t2 * normals.torque2;
  if (moves) {
    vA -= perAxisW(force, c.invMassA);
    wA -= c.inertiaA * (crossW(armA, force) + torque);
  }
  vB += perAxisW(force, c.invMassB);
  wB += c.inertiaB * (crossW(armB, force) + torque);

  let applied = force;
  if (withFriction) {
    // Motion in the contact plane after the normal impulses.
    const slip = vB - vA + crossW(wB, armB) - crossW(wA, armA);
    const sliding = new Sliding(slip, dotW(wB - wA, n), t1, t2);
    const f = solveFriction(c, meta, sliding, new Pressure(normals.load, normals.leverage));
    const pull = t1 * f.x + t2 * f.y;
    const twist = n * f.z;
    applied = force + pull;
    if (moves) {
      vA -= perAxisW(pull, c.invMassA);
      wA -= c.inertiaA * (crossW(armA, pull) + twist);
    }
    vB += perAxisW(pull, c.invMassB);
    wB += c.inertiaB * (crossW(armB, pull) + twist);

    if (c.special & SPECIAL_ROLLING) {
      // Rolling friction comes after sliding friction, which changes the angular velocities.
      const rolling = solveRolling(c, meta, new Turning(wB - wA, t1, t2), normals.load);
      wA -= c.inertiaA * rolling;
      wB += c.inertiaB * rolling;
    }
  }

  if (follows) c.moment += crossW(followed, applied);
  // What cannot move stays at rest by inverse masses of 0, but 0 times infinity is NaN. It would reach all contacts with the
  // dummy body, on several threads at chance.
  if (moves && !v128.all_true<i32>(c.bodyA)) {
    const moving = i32x4.ne(c.bodyA, zero());
    vA = maskW(moving, vA);
    wA = maskW(moving, wA);
  }
  if (!v128.all_true<i32>(c.bodyB)) {
    const moving = i32x4.ne(c.bodyB, zero());
    vB = maskW(moving, vB);
    wB = maskW(moving, wB);
  }
  if (moves) {
    a.linear = scatterW(vA);
    a.angular = scatterW(wA);
  }
  b.linear = scatterW(vB);
  b.angular = scatterW(wB);
}

/** The accumulated impulse, as a force on B. @inline @wide */
function heldImpulse(c: ContactBlock, n: Vec3W, t1: Vec3W, t2: Vec3W): Vec3W {
  let load = zero();
  for (let i = 0; i < c.maxPoints; ++i) load += pointAt(c, i).impulse;
  return n * load + t1 * c.frictionImpulse.x + t2 * c.frictionImpulse.y;
}

/** Motion of the contact frame since the start of the step, and its velocity. @value */
class Approach {
  moved: FrameMotion;
  speed: FrameMotion;
}

/** Velocity of B relative to A in the contact plane, and rotation about n. @value */
class Sliding {
  slip: Vec3W;
  spin: v128;
  t1: Vec3W;
  t2: Vec3W;
}

/** Sum of the normal impulses, and of impulse times lever arm. @value */
class Pressure {
  load: v128;
  leverage: v128;
}

/** Values along both tangents, and about n. @value */
class InPlane {
  along1: v128;
  along2: v128;
  about: v128;
}

/** Angular velocity of B relative to A. @value */
class Turning {
  w: Vec3W;
  t1: Vec3W;
  t2: Vec3W;
}

/** Solves the points' impulses along n. @inline @wide */
function solveNormals(c: ContactBlock, meta: BlockMeta, approach: Approach, withBias: bool): NormalImpulses {
  const moved = approach.moved;
  const speed = approach.speed;
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
        // Penetration is removed softly, at most at pushSpeed. A gap can close but not be crossed.
        const push = f32x4.pmax(c.biasRate * f32x4.pmin(s + splat(step.slop), none), splat(step.pushSpeed));
        const bias = v128.bitselect(s * inverseH, push, apart);
        const massScale = v128.bitselect(one, c.massScale, apart);
        const impulseScale = v128.andnot(c.impulseScale, apart);
        lambda = old - p.mass * (massScale * vn + bias) - impulseScale * old;
        if (c.special & SPECIAL_IMPACT) {
          const q = pointMetaAt(meta, i);
          // A new contact: the approach speed at the surface is v² − 2·a·s, without this substep's force.
          const v0 = vn - meta.approachAcceleration * splat(step.h);
          const arrival = f32x4.sqrt(f32x4.pmax(none, v0 * v0 - splat(2) * meta.approachAcceleration * s));
          const arrives = v128.and(v128.and(f32x4.eq(old, none), f32x4.gt(lambda, none)), f32x4.lt(vn, none));
          q.arrival = f32x4.pmax(q.arrival, v128.andnot(v128.and(arrival, arrives), q.struck));
        }
      } else {
        // The next substep's motion must not cross a gap that the biased pass left open.
        lambda = old - p.mass * (vn + v128.and(s * inverseH, apart));
        lambda = v128.andnot(lambda, v128.and(apart, f32x4.eq(old, none)));
      }
      lambda = f32x4.pmax(none, lambda);
      const d = lambda - old;
      p.impulse = lambda;
      if (sweep == sweeps && step.counts) p.totalImpulse = p.totalImpulse + lambda;
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

/** Friction impulses of this pass along t1 and t2 (x, y) and about n (z). @wide */
function solveFriction(c: ContactBlock, meta: BlockMeta, sliding: Sliding, pressure: Pressure): Vec3W {
  const load = pressure.load;
  const leverage = pressure.leverage;
  let slip1 = dotW(sliding.slip, sliding.t1);
  let slip2 = dotW(sliding.slip, sliding.t2);
  let spin = sliding.spin;
  if (c.special & SPECIAL_KINEMATIC) {
    slip1 += meta.surfaceVelocity1;
    slip2 += meta.surfaceVelocity2;
    spin += meta.surfaceSpin;
  }
  const old = c.frictionImpulse;
  const oldTwist = c.twistImpulse;
  // The impulse that would stop the patch: its sliding, and its rotation about n.
  const stop = old - c.tangentMass * new Vec2W(slip1, slip2);
  const stopTwist = oldTwist - c.twistMass * spin;
  // Coulomb friction circle: at most μ times the load, in the required direction; the same with the lever arm about n.
  const limit = c.friction * load;
  const twistLimit = c.friction * leverage;
  const slides = f32x4.gt(stop.x * stop.x + stop.y * stop.y, limit * limit);
  // A body may be easier to move in one direction than in another, but friction that cannot stop it opposes its motion.
  const even = evenMass(c.tangentMass);
  let f1 = v128.bitselect(old.x - even * slip1, stop.x, slides);
  let f2 = v128.bitselect(old.y - even * slip2, stop.y, slides);
  const size = f32x4.sqrt(f1 * f1 + f2 * f2);
  const shrink = v128.bitselect(limit / f32x4.pmax(size, splat(1e-20)), splat(1), f32x4.gt(size, limit));
  f1 *= shrink;
  f2 *= shrink;
  let twist = f32x4.pmax(f32x4.pmin(stopTwist, twistLimit), zero() - twistLimit);
  if (c.maxPoints > 2) {
    const face = f32x4.gt(pointAt(c, 2).mass, zero());
    const spins = v128.and(f32x4.gt(f32x4.abs(spin) * leverage, splat(SLOW_SPIN) * load), face);
    if (v128.any_true(spins)) {
      slidePatch(c, pressure, new InPlane(slip1, slip2, spin), new InPlane(old.x, old.y, oldTwist));
      f1 = v128.bitselect(v128.load(PATCH_FRICTION), f1, spins);
      f2 = v128.bitselect(v128.load(PATCH_FRICTION, 16), f2, spins);
      twist = v128.bitselect(v128.load(PATCH_FRICTION, 32), twist, spins);
    }
  }
  if (c.special & SPECIAL_ROLLING) {
    // Spinning friction is an extra resistance in addition to that of the patch.
    const spinLimit = twistLimit + meta.spinningFriction * load;
    const spun = f32x4.pmax(f32x4.pmin(stopTwist, spinLimit), zero() - spinLimit);
    twist = v128.bitselect(spun, twist, f32x4.gt(meta.spinningFriction, zero()));
  }
  c.frictionImpulse = new Vec2W(f1, f2);
  c.twistImpulse = twist;
  return new Vec3W(f1 - old.x, f2 - old.y, twist - oldTwist);
}

/** Effective mass for motion in any direction in the contact plane: the inverse of the mean response. @inline @wide */
function evenMass(m: Sym2W): v128 {
  return (splat(2) * (m.xx * m.yy - m.xy * m.xy)) / f32x4.pmax(m.xx + m.yy, splat(1e-20));
}

/** Result of slidePatch: friction along both tangents, and about n. */
const PATCH_FRICTION: usize = memory.data(48, 16);

/**
 * Friction of patches that slide and spin at the same time. Friction at each point of the patch opposes the motion of
 * that point, so sliding and spinning share it. For a disc of radius R = 3/2 lever arms under even pressure, with slip
 * v and w = Rω, m = max(v, w), u = min/m, the force is μN·P·v/m and the torque μNR·Q·w/m. P and Q are series from both
 * ends of the curves, accurate within 2 %. @wide
 */
function slidePatch(c: ContactBlock, pressure: Pressure, slip: InPlane, old: InPlane): void {
  const load = pressure.load;
  const leverage = pressure.leverage;
  const turning = slip.about;
  const one = splat(1);
  const tiny = splat(1e-20);
  const perLoad = one / f32x4.pmax(load, tiny);
  const limit = c.friction * load;
  // All values refer to the centre of the load, which differs from the manifold's centre if points bear unevenly, as at
  // a seam.
  const points = c.maxPoints;
  let d1 = zero();
  let d2 = zero();
  for (let i = 0; i < points; ++i) {
    const p = pointAt(c, i);
    d1 += p.impulse * p.a;
    d2 += p.impulse * p.b;
  }
  d1 *= perLoad;
  d2 *= perLoad;
  const slip1 = slip.along1 - turning * d2;
  const slip2 = slip.along2 + turning * d1;
  // The impulse that would stop the patch there. Rotation makes the patch yield more, so the tangential mass is
  // reduced.
  const centred = evenMass(c.tangentMass);
  const twistMass = c.twistMass;
  const yields = twistMass / f32x4.pmax(twistMass + centred * (d1 * d1 + d2 * d2), tiny);
  let f1 = old.along1 - yields * centred * slip1;
  let f2 = old.along2 - yields * centred * slip2;
  const radius = splat(1.5) * leverage * perLoad;
  const asked = f32x4.sqrt(f1 * f1 + f2 * f2);
  const twist = old.about - twistMass * turning - (d1 * f2 - d2 * f1);
  const askedTwist = f32x4.abs(twist) / f32x4.pmax(radius, tiny);
  // At rest the friction opposes the applied force: its direction counts as slip.
  const start = splat(1e-6) / f32x4.pmax(limit, tiny);
  const v = f32x4.sqrt(slip1 * slip1 + slip2 * slip2) + f32x4.pmin(start * asked, splat(1e-6));
  const w = f32x4.abs(turning) * radius + f32x4.pmin(splat(2.25) * start * askedTwist, splat(1.5e-6));
  const inverse = one / f32x4.pmax(f32x4.pmax(v, w), tiny);
  const u = f32x4.pmin(v, w) * inverse;
  const u2 = u * u;
  const force = one - u2 * (splat(0.125) + splat(0.026) * u2 * u2);
  const torque = v128.bitselect(
    splat(0.25) + splat(0.033) * u2,
    splat(0.6666667) - u2 * (splat(0.5) - u2 * (splat(0.09375) + splat(0.0225) * u2)),
    f32x4.gt(v, w),
  );
  const forceShare = force * v * inverse;
  const torqueShare = torque * w * inverse;
  // As drags these act on the velocities after the impulse: a share drag / (drag + mass) of the impulse that would stop
  // the patch.
  const mass = yields * centred;
  const drag = limit * force * inverse;
  const twistDrag = limit * torque * inverse * radius * radius;
  const held = drag / f32x4.pmax(drag + mass, tiny);
  const twistHeld = twistDrag / f32x4.pmax(twistDrag + twistMass, tiny);
  // Scale both together to the friction limit.
  const size1 = held * asked;
  const size3 = twistHeld * askedTwist;
  const grow =
    (limit * f32x4.sqrt(forceShare * forceShare + torqueShare * torqueShare)) /
    f32x4.pmax(f32x4.sqrt(size1 * size1 + size3 * size3), tiny);
  const sticks = f32x4.le(asked * asked + splat(2.25) * askedTwist * askedTwist, limit * limit);
  const share = v128.bitselect(one, f32x4.pmin(grow * held, one), sticks);
  f1 *= share;
  f2 *= share;
  v128.store(PATCH_FRICTION, f1);
  v128.store(PATCH_FRICTION, f2, 16);
  const turns =
    v128.bitselect(twist, twist * f32x4.pmin(grow * twistHeld, one), sticks) + (d1 * f2 - d2 * f1);
  v128.store(PATCH_FRICTION, turns, 32);
}

/**
 * Rolling friction: angular impulse of this pass against rotation about t1 and t2, limited to lever × load. @wide
 */
function solveRolling(c: ContactBlock, meta: BlockMeta, turning: Turning, load: v128): Vec3W {
  const t1 = turning.t1;
  const t2 = turning.t2;
  const w = new Vec2W(dotW(turning.w, t1), dotW(turning.w, t2));
  const old = meta.rollingImpulse;
  const mass = planeMass(c.k);
  const stop = old - mass * w;
  const limit = meta.rollingFriction * load;
  // As in solveFriction: what cannot stop the body opposes its rotation.
  const rolls = f32x4.gt(stop.x * stop.x + stop.y * stop.y, limit * limit);
  const even = evenMass(mass);
  const r = new Vec2W(
    v128.bitselect(old.x - even * w.x, stop.x, rolls),
    v128.bitselect(old.y - even * w.y, stop.y, rolls),
  );
  const size = f32x4.sqrt(r.x * r.x + r.y * r.y);
  const shrink = v128.bitselect(limit / f32x4.pmax(size, splat(1e-20)), splat(1), f32x4.gt(size, limit));
  const resisted = r * shrink;
  meta.rollingImpulse = resisted;
  const change = resisted - old;
  return t1 * change.x + t2 * change.y;
}
