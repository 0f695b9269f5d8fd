// Off the ground: falling, flying, swimming, on a ladder. In: planes of the surroundings, the way that is wanted, and
// the way that its own velocity makes. Out: the character's position, velocity and ground.
import { velocityAtPoint } from '../../bodies/impulse';
import { add, addScaled, cross, dot, length, scale, sub, zero } from '../../math/vector';
import { BODY_DYNAMIC, CHARACTER_IS_ON_LADDER } from '../../memory/constants';
import { Character } from '../../memory/records';
import { bodyAt } from '../../memory/tables';
import { NO_WAY, PIECE, TOUCHED_SIDE, WEDGED } from '../tolerances';
import { standOnNear, standsAt, standsOn, standWedged } from './ground';
import { addPlane, clearPlanes, keepReached, nearest, nearestWithin } from './planes';
import { carries, Near, nearAt, nearCount } from './surroundings';
import { across, alongWalls, room } from './walk';

/** m/s: how fast something comes along its normal. Dynamic bodies push by other rules (forces.ts), but may go ahead. */
function paceOf(near: Near): f32 {
  const b = bodyAt(near.body);
  const pace = dot(velocityAtPoint(b, near.point), near.normal);
  return b.type == BODY_DYNAMIC ? min<f32>(0, pace) : pace;
}

/** Falls for a time: all planes at once. It lands on what is not too steep, and slides down what is. */
export function fall(c: Character, walk: v128, falling: v128, dt: f32): void {
  const up = c.up;
  const way = add(alongWalls(c, walk), falling);
  const level = across(way, up);
  let floor = -1;
  let landing = false;
  let height: f32 = f32.NEGATIVE_INFINITY;
  clearPlanes();
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    // Who stands on its head goes along, at once or in the next update. Who cannot stops it.
    if (near.gap > -PIECE && standsOn(near.body, c.body)) continue;
    const rise = dot(near.normal, up);
    const sinking = dot(falling, up) <= dt * dot(velocityAtPoint(bodyAt(near.body), near.point), up);
    const reached = near.gap - c.offset + dot(near.normal, way) <= 0;
    let floors = rise >= c.standCosine;
    const least = (c.offset - near.gap - dot(near.normal, level)) / max<f32>(rise, 0.5);
    if (rise < c.climbCosine && sinking && reached) {
      if (!floors && rise >= TOUCHED_SIDE) floors = carries(c, near.point, near.normal, c.standCosine);
      if (floors) floors = standsAt(c, addScaled(add(c.position, level), up, least));
    }
    if (!floors) {
      // What comes takes it along as far as it comes, with the gap between them.
      const pace = paceOf(near);
      addPlane(near.normal, max(-room(c, near.gap), min(pace * dt, c.offset - near.gap)), pace);
      continue;
    }
    if (least <= height) continue;
    floor = i;
    height = least;
    landing = sinking;
  }
  if (floor >= 0) addPlane(up, height, paceOf(nearAt(floor)));
  const moved = nearestWithin(way) ? nearest() : zero();
  c.position = add(c.position, moved);
  if (landing && dot(moved, up) <= height + NO_WAY) {
    standOnNear(c, nearAt(floor));
    c.air = zero();
    return;
  }
  if (v128.all_true<i32>(f32x4.eq(moved, way))) return;
  const down = dot(falling, up);
  if (down < -NO_WAY && dot(moved, up) >= WEDGED * down && standWedged(c, moved)) {
    c.air = zero();
    return;
  }
  // Of its own velocity, not of its walk: who runs up a slope in a jump is lifted, not thrown.
  keepReached(moved, <f64>NO_WAY);
  c.air = nearestWithin(c.air) ? nearest() : zero();
}

/** Flies or swims: all directions are alike. `thrown` is the way of its own velocity. */
export function fly(c: Character, wanted: v128, thrown: v128): void {
  clearPlanes();
  for (let i = 0; i < nearCount(); i++)
    addPlane(nearAt(i).normal, -room(c, nearAt(i).gap), paceOf(nearAt(i)));
  const flown = nearestWithin(wanted) ? nearest() : zero();
  const way = add(flown, thrown);
  const moved = nearestWithin(way) ? nearest() : zero();
  c.position = add(c.position, moved);
  if (v128.all_true<i32>(f32x4.eq(moved, way))) return;
  keepReached(moved, <f64>NO_WAY);
  c.air = nearestWithin(c.air) ? nearest() : zero();
}

/**
 * The ladder that it is at, or −1: something steep of a group that is a ladder, on which it is, or into which it moves and does not rise
 * faster than it would climb: a jump leaves the ladder. `wanted`: its way in a time.
 */
export function ladderNear(c: Character, wanted: v128, dt: f32): i32 {
  if (c.ladders == 0) return -1;
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    if ((bodyAt(near.body).group & c.ladders) == 0 || near.gap > <f32>3 * c.offset) continue;
    if (abs(dot(near.normal, c.up)) > <f32>0.5) continue;
    const climbed = -dot(near.normal, wanted);
    if ((c.flags & CHARACTER_IS_ON_LADDER) != 0) return i;
    if (climbed > NO_WAY && climbed >= dt * dot(c.air, c.up)) return i;
  }
  return -1;
}

/** On a ladder: the part of its way into the ladder is the way up. */
export function climbLadder(c: Character, ladder: i32, way: v128): void {
  const out = across(nearAt(ladder).normal, c.up);
  const size = length(out);
  const n = scale(out, <f32>1 / size);
  const side = cross(c.up, n);
  const climbed = add(scale(side, dot(way, side)), scale(c.up, -dot(way, n)));
  // Back to the ladder that it keeps hold of.
  const held = min<f32>(max<f32>(nearAt(ladder).gap - c.offset, 0), <f32>0.02);
  c.air = zero();
  c.ground = 0;
  fly(c, sub(climbed, scale(n, held)), zero());
}
