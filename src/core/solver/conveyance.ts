// Surface velocities that the velocities of bodies do not show. Of conveyor belts, escalators, turntables and tracks the
// surface moves and the body does not; the speed of a kinematic body changes within a step. In: contact blocks with
// such bodies or shapes. Out: the surface velocity in the contact frame.

import { add, addScaled, cross, dot, rotate, scale, sub, vec3, zero } from '../math/vector';
import { BODY_KINEMATIC, SHAPE_CARRIES } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, ContactBlock, Pair, Surface } from '../memory/records';
import { bodyAt, pairAt, SURFACE_SIZE, shapeAt, velocityAt, world } from '../memory/tables';
import { SURFACES, traitOf } from '../shapes/traits';
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
