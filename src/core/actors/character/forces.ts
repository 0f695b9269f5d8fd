// Forces between a character and dynamic bodies: it pushes what is in its way, its weight acts on what it stands on, and
// what hits it shoves it. In: planes of the surroundings. Out: velocities of bodies and of the character.
import { pushActed } from '../../areas/areas';
import { applyImpulse, velocityAtPoint } from '../../bodies/impulse';
import { applyInverseInertia } from '../../bodies/massProperties';
import { wakeBody } from '../../islands/wake';
import { add, addScaled, cross, dot, length, mul, scale, sub, zero } from '../../math/vector';
import { ACTIVE_TAG, BODY_DYNAMIC, CHARACTER_YIELDS, WANTS_DEACTIVATION } from '../../memory/constants';
import { Body, Character } from '../../memory/records';
import { bodyAt, pairAt, velocityAt, world } from '../../memory/tables';
import { FARTHEST_SEEN, GRIP, HEAD, HEAVIEST, LEAST_HIT } from '../tolerances';
import { carriedBy, groundOf, isAway } from './ground';
import { nearAt, nearCount } from './surroundings';
import { characterRow } from './table';
import { across, room } from './walk';

/** Keeps a body awake; whether it is. */
function stir(b: Body): bool {
  wakeBody(b.slot);
  if (b.awakeIndex < 0) return false;
  if (b.activation == WANTS_DEACTIVATION) b.activation = ACTIVE_TAG;
  b.sleepTime = 0;
  return true;
}

function impel(b: Body, impulse: v128, point: v128): void {
  if (stir(b)) applyImpulse(b, impulse, sub(point, b.position));
}

/** Pushes dynamic bodies in its way up to its own speed, with no more than its force. */
export function push(c: Character, wanted: v128, way: v128, dt: f32): void {
  if (c.pushForce == 0) return;
  // On a train it pushes what rides with it.
  const own = add(wanted, c.ground != 0 ? c.carried : across(c.air, c.up));
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    if (dot(near.normal, c.up) >= c.climbCosine || dot(near.normal, way) >= -room(c, near.gap)) continue;
    const b = bodyAt(near.body);
    if (b.type != BODY_DYNAMIC) continue;
    const speed = dot(near.normal, velocityAtPoint(b, near.point)) - dot(near.normal, own);
    const impulse = min(b.mass * speed, c.pushForce * dt);
    if (impulse > 0) impel(b, scale(near.normal, -impulse), near.point);
  }
}

/** What carries a weight stays awake. */
export function wakeGround(c: Character): void {
  if (c.ground == 0 || c.mass == 0) return;
  const b = bodyAt(c.ground);
  if (b.type == BODY_DYNAMIC) stir(b);
}

/**
 * The weights of all characters on the dynamic bodies under them, as forces in the coming step: contacts then hold against them from
 * its first substep on. By an impulse, a light crate got the weight of a whole step at once, which tipped it and threw it away.
 */
export function weigh(): void {
  for (let i = 0; i < world().characterCount; i++) {
    const c = characterRow(i);
    const b = groundOf(c);
    if (b === null || b.type != BODY_DYNAMIC || b.awakeIndex < 0 || isAway(carriedBy(c, b))) continue;
    const mass = min(c.mass, HEAVIEST * massAt(b, c.up, c.groundPoint));
    const weight = scale(c.up, -mass * c.pull);
    pushActed(b, mul(weight, b.invMass), cross(sub(c.groundPoint, b.position), mul(weight, b.linearFactor)));
  }
}

/** kg. What a body weighs against a push along a unit vector at a point. */
function massAt(b: Body, normal: v128, point: v128): f32 {
  const arm = cross(sub(point, b.position), normal);
  const give = dot(normal, mul(normal, b.invMass)) + dot(arm, applyInverseInertia(b, arm));
  return give > 0 ? <f32>1 / give : 0;
}

/**
 * Inelastic impacts with the dynamic bodies that would reach it in the next step: both go on with their common velocity.
 * Returns the velocity, over that of its ground, which its body needs in that step so that these contacts do not stop the
 * other bodies. `expected`: its velocity then. What rides with it on its ground is at rest.
 */
export function yieldTo(c: Character, expected: v128, dt: f32): v128 {
  const ridden = c.ground != 0 ? c.carried : zero();
  const most = sub(expected, ridden);
  const has = sub(c.velocity, ridden);
  let common = zero();
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    const b = bodyAt(near.body);
    if (b.type != BODY_DYNAMIC || b.awakeIndex < 0 || near.body == c.ground) continue;
    const n = near.normal;
    if (dot(n, c.up) < HEAD && c.ground != 0) continue; // what falls on its head stays there
    const toward = dot(n, sub(velocityAtPoint(b, near.point), ridden));
    if (!(toward > 0)) continue;
    let away = max<f32>(0, min(dot(n, most), dot(n, has)));
    const approach = toward - away;
    if (approach > LEAST_HIT && near.gap - c.offset < approach * dt) {
      const m = massAt(b, n, near.point);
      const gain = (approach * m) / (m + c.mass);
      impel(b, scale(n, -gain * c.mass), near.point);
      if (c.ground != 0) c.shoved = add(c.shoved, across(scale(n, gain), c.up));
      else c.air = addScaled(c.air, n, gain);
      away += gain;
    }
    const known = dot(n, common);
    if (away > known) common = addScaled(common, n, away - max<f32>(0, known));
  }
  return common;
}

/** m/s: of the fastest dynamic body beside it, seen from its ground; below 0 if there is none. */
function speedBeside(c: Character): f32 {
  let most: f32 = -1;
  let link = bodyAt(c.body).firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const b = bodyAt(link & 1 ? pair.bodyA : pair.bodyB);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (b.type == BODY_DYNAMIC && b.awakeIndex >= 0)
      most = max(most, length(sub(velocityAt(b.slot).linear, c.carried)));
  }
  return most;
}

/** m: the way that it goes in a step. */
export function motionBeside(c: Character, dt: f32): f32 {
  if ((c.options & CHARACTER_YIELDS) == 0) return 0;
  return max<f32>(0, min<f32>(speedBeside(c) * dt, FARTHEST_SEEN));
}

/** m/s: what its body has to go along with in the next step, so that it does not hold back bodies that ride beside it. */
export function ridesWith(c: Character): v128 {
  const rides = c.ground != 0 && v128.any_true(f32x4.ne(c.carried, zero()));
  return rides && speedBeside(c) >= 0 ? c.carried : zero();
}

/** After its way: what walls and friction leave of a shove. `moved` is its velocity without that of the ground. */
export function fadeShove(c: Character, moved: v128, wanted: v128, dt: f32): void {
  const speed = length(c.shoved);
  if (speed == 0) return;
  const direction = scale(c.shoved, <f32>1 / speed);
  const kept = min(speed, dot(sub(moved, wanted), direction)) - GRIP * dt;
  c.shoved = kept > 0 ? scale(direction, kept) : zero();
}
