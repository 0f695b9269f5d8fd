// Surface velocities that the velocities of bodies do not show. Of conveyor belts, escalators, turntables and tracks the
// surface moves and the body does not; the speed of a kinematic body changes within a step. In: contact blocks with
// such bodies or shapes. Out: the surface velocity in the contact frame.

import {
  add,
  addScaled,
  cross,
  dot,
  lengthSquared,
  neg,
  rotate,
  scale,
  sub,
  vec3,
  zero,
} from '../math/vector';
import { BODY_KINEMATIC, SHAPE_CARRIES } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, ContactBlock, Pair, Surface } from '../memory/records';
import { bodyAt, pairAt, SURFACE_SIZE, shapeAt, velocityAt, world } from '../memory/tables';
import { SURFACES, traitOf } from '../shapes/traits';
import { MOST_TILT, SMOOTH } from '../tolerances';
import { context } from './context';

/** Result of findMotion: velocity and angular velocity of the surface. */
const MOTION: usize = memory.data(32, 16);

/** Writes the surface velocities of the lanes. Those of kinematic bodies are changes since the start of the step. */
export function storeSurface(c: ContactBlock, meta: BlockMeta): void {
  const belts = world().surfaceCount > 0;
  for (let lane = 0; lane < 4; lane++) {
    const block = changetype<usize>(c) + ((<usize>lane) << 2);
    const out = changetype<usize>(meta) + ((<usize>lane) << 2);
    store<f32>(out, 0, offsetof<BlockMeta>('surfaceVelocity1'));
    store<f32>(out, 0, offsetof<BlockMeta>('surfaceVelocity2'));
    store<f32>(out, 0, offsetof<BlockMeta>('surfaceSpin'));
    store<f32>(out, 0, offsetof<BlockMeta>('surfaceRise'));
    store<f32>(out, 0, offsetof<BlockMeta>('surfaceShift'));
    addChange(0, block, out);
    addChange(1, block, out);
    const index = load<i32>(out, offsetof<BlockMeta>('pair'));
    if (!belts || index < 0) continue;
    addOf(pairAt(index), 0, block, out);
    addOf(pairAt(index), 1, block, out);
  }
}

/**
 * Adds the change of the surface velocity of a kinematic body since the start of the step, where it carries the other
 * body. `block`, `meta`: addresses of the lane.
 */
function addChange(side: i32, block: usize, meta: usize): void {
  const ofA = load<i32>(block, offsetof<ContactBlock>('bodyA'));
  const ofB = load<i32>(block, offsetof<ContactBlock>('bodyB'));
  const own = side ? ofB : ofA;
  if (bodyAt(own).type != BODY_KINEMATIC) return;
  const v = velocityAt(own);
  const w = v.angular;
  const way = sub(velocityAt(side ? ofA : ofB).startLinear, scale(add(v.linear, v.startLinear), <f32>0.5));
  // Velocity of the surface point below the other body after time t, relative to now: ω × (t v + ½ t² ω × v). Kinematic
  // velocities are means over a step and are exact at its middle.
  const passed = context().passed;
  const t = passed * context().dt;
  const arc = cross(w, add(scale(way, t), scale(cross(w, way), <f32>0.5 * t * t)));
  const gain = add(sub(v.linear, v.startLinear), cross(sub(w, v.startAngular), centerOf(side, block)));
  addVelocity(add(arc, scale(gain, passed - <f32>0.5)), side, block, meta);
  const angle2 = lengthSquared(w) * context().dt * context().dt;
  if (angle2 > 0 && angle2 < MOST_TILT * MOST_TILT) addTilt(side, block, meta);
}

/**
 * The plane of a contact rotates with a kinematic body. The solver's normal does not, so this is a motion of the surface along
 * it: in a drum, what a wall carries must turn with it within the step, and does not fly on into the wall. With X from the
 * centre of rotation to the contact, x at the start of the step, Q the rotation since: the gap is Q n·X, the solver's
 * n·(X − θ × x). Only where the surface comes nearer: behind the edge of a face that goes away comes the next face. A ball that
 * stays at the lowest point of a drum of triangles would fall behind each.
 */
function addTilt(side: i32, block: usize, meta: usize): void {
  const ofA = load<i32>(block, offsetof<ContactBlock>('bodyA'));
  const ofB = load<i32>(block, offsetof<ContactBlock>('bodyB'));
  const own = side ? ofB : ofA;
  const other = side ? ofA : ofB;
  const k = velocityAt(own);
  const v = velocityAt(other);
  const c = context();
  let n = get3(block + offsetof<ContactBlock>('normalX'));
  if (side) n = neg(n);
  // What is round touches with another point of its surface at each time, always along n from its axis.
  let arm = centerOf(1 - side, block);
  if (load<i32>(meta, offsetof<BlockMeta>('curved')) & (side ? 1 : 2)) arm = addScaled(arm, n, -dot(n, arm));
  const start = add(sub(bodyAt(other).position, bodyAt(own).position), arm);
  const now = add(start, sub(add(v.deltaPosition, cross(v.deltaRotation, arm)), k.deltaPosition));
  const speed = sub(add(v.linear, cross(v.angular, arm)), k.linear);
  const w = k.angular;
  const turned = k.deltaRotation;
  const shift = dot(sub(tilted(n, turned), n), now) + dot(n, cross(turned, start));
  // The speed in the middle of the substep leads to the right place at its end, unless places are corrected for it (followParabola).
  const smooth = SMOOTH * c.dt;
  const t = lengthSquared(w) * lengthSquared(speed) * c.dt * c.dt < smooth * smooth ? c.h : <f32>0.5 * c.h;
  const m = tilted(n, addScaled(turned, w, t));
  const rise = dot(sub(m, n), speed) + dot(cross(w, m), addScaled(now, speed, t)) + dot(n, cross(w, start));
  addTo(meta + offsetof<BlockMeta>('surfaceShift'), min<f32>(shift, 0));
  addTo(meta + offsetof<BlockMeta>('surfaceRise'), min<f32>(rise, 0));
}

/** n rotated by the rotation vector r of up to a radian: Rodrigues' formula, with tan(r/2) by its series. */
function tilted(n: v128, r: v128): v128 {
  const half = scale(r, <f32>0.5 + lengthSquared(r) * <f32>(1.0 / 24));
  const across = cross(half, n);
  return addScaled(n, add(across, cross(half, across)), <f32>2 / (<f32>1 + lengthSquared(half)));
}

/** Centre of the manifold relative to the centre of mass. */
function centerOf(side: i32, block: usize): v128 {
  return get3(block + (side ? offsetof<ContactBlock>('centerBX') : offsetof<ContactBlock>('centerAX')));
}

/** Adds a velocity of the surface of one side along both tangents. */
function addVelocity(v: v128, side: i32, block: usize, meta: usize): void {
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  const t1 = get3(block + offsetof<ContactBlock>('tangentX'));
  const sign: f32 = side ? 1 : -1;
  addTo(meta + offsetof<BlockMeta>('surfaceVelocity1'), sign * dot(v, t1));
  addTo(meta + offsetof<BlockMeta>('surfaceVelocity2'), sign * dot(v, cross(n, t1)));
}

/** Adds the surface velocity of the shape of one side. `block`, `meta`: addresses of the lane. */
function addOf(pair: Pair, side: i32, block: usize, meta: usize): void {
  if (!(shapeAt(side ? pair.shapeB : pair.shapeA).flags & SHAPE_CARRIES)) return;
  findMotion(pair, side, centerOf(side, block));
  addVelocity(v128.load(MOTION), side, block, meta);
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  const spin = dot(v128.load(MOTION, 16), n);
  addTo(meta + offsetof<BlockMeta>('surfaceSpin'), side ? spin : -spin);
}

/** @inline */
function addTo(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}

/** At `arm` from the centre of mass, and at the place below the other body in the current substep. */
function findMotion(pair: Pair, side: i32, arm: v128): void {
  const own = side ? pair.bodyB : pair.bodyA;
  const way = sub(velocityAt(side ? pair.bodyA : pair.bodyB).startLinear, velocityAt(own).startLinear);
  findMotionAt(pair, side, addScaled(arm, way, context().passed * context().dt));
}

/** Velocity at a point that the surfaces of a pair add to that of B relative to A. */
export function surfaceVelocityAt(pair: Pair, point: v128): v128 {
  let sum = zero();
  for (let side = 0; side < 2; side++) {
    if (!(shapeAt(side ? pair.shapeB : pair.shapeA).flags & SHAPE_CARRIES)) continue;
    findMotionAt(pair, side, sub(point, bodyAt(side ? pair.bodyB : pair.bodyA).position));
    sum = addScaled(sum, v128.load(MOTION), side ? 1 : -1);
  }
  return sum;
}

/** At `arm` from the centre of mass. */
function findMotionAt(pair: Pair, side: i32, arm: v128): void {
  const b = bodyAt(side ? pair.bodyB : pair.bodyA);
  const s = changetype<Surface>(traitOf(SURFACES, SURFACE_SIZE, side ? pair.shapeB : pair.shapeA));
  const at = add(arm, rotate(b.rotation, b.centerOfMass));
  const spin = rotate(b.rotation, vec3(s.angularX, s.angularY, s.angularZ));
  const linear = rotate(b.rotation, vec3(s.linearX, s.linearY, s.linearZ));
  v128.store(MOTION, add(linear, cross(spin, at)));
  v128.store(MOTION, spin, 16);
}
