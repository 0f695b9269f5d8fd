// What a character stands on: being carried by it, and finding it again. In: the ground of the last update. Out: the
// character's position and ground.
import { turn } from '../../bodies/finalize';
import { velocityAtPoint } from '../../bodies/impulse';
import {
  add,
  addScaled,
  conjugate,
  cross,
  dot,
  length,
  mulQuat,
  normalizeQuat,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  w,
  zero,
} from '../../math/vector';
import { BODY_USED, SHAPE_CARRIES } from '../../memory/constants';
import { Body, Character, Surface } from '../../memory/records';
import { bodyAt, CHARACTER_SIZE, SURFACE_SIZE, shapeAt } from '../../memory/tables';
import { CHARACTERS, findTrait, SURFACES, traitOf } from '../../shapes/traits';
import { LITTLE, RIDE_LIMIT, SLIP, TOUCHED_SIDE, WEDGED } from '../tolerances';
import { addPlane, clearPlanes, nearest, nearestWithin } from './planes';
import { carries, Met, met, Near, nearAt, nearCount, sweep } from './surroundings';

/** Leaves the ground with the velocity that it has from there. */
export function leaveGround(c: Character): void {
  c.air = add(c.carried, c.shoved);
  c.shoved = zero();
  c.ground = 0;
}

/** What a character stands on: slots of a body and its shape, and the contact. @value */
class Support {
  body: i32;
  shape: i32;
  normal: v128;
  point: v128;
}

export function standOn(c: Character, on: Support): void {
  c.ground = on.body;
  c.groundGeneration = bodyAt(on.body).generation;
  c.groundShape = on.shape;
  c.groundNormal = on.normal;
  c.groundPoint = on.point;
}

export function standOnNear(c: Character, near: Near): void {
  standOn(c, new Support(near.body, near.shape, near.normal, near.point));
}

export function standOnMet(c: Character, m: Met): void {
  standOn(c, new Support(m.body, m.shape, m.normal, m.point));
}

/** The body on which it stands, if that still exists. */
export function groundOf(c: Character): Body | null {
  if (c.ground == 0) return null;
  const g = bodyAt(c.ground);
  return (g.flags & BODY_USED) != 0 && g.generation == c.groundGeneration ? g : null;
}

/** m. Where its ground has carried it since the last update. */
export function carriedBy(c: Character, g: Body): v128 {
  return sub(add(rotate(g.rotation, c.anchor), g.position), c.position);
}

/** Whether a ground that carried it so far was placed elsewhere. */
export function isAway(carried: v128): bool {
  return !(length(carried) <= RIDE_LIMIT);
}

/** Goes where the ground has gone since the last update, and turns with it about `up`. */
export function ride(c: Character, dt: f32): void {
  const g = groundOf(c);
  if (g === null) {
    if (c.ground != 0) leaveGround(c); // it was removed
    c.carried = zero();
    return;
  }
  c.carried = zero();
  const rest = v128.and(f32x4.eq(g.position, c.groundPosition), f32x4.eq(g.rotation, c.groundRotation));
  if (v128.all_true<i32>(rest)) return;
  const carried = carriedBy(c, g);
  // A train makes more than that in a step: what its own motion does not explain.
  if (isAway(carried) && isAway(addScaled(carried, velocityAtPoint(g, add(c.groundPoint, carried)), -dt))) {
    c.ground = 0;
    return;
  }
  const turned = mulQuat(g.rotation, conjugate(c.groundRotation));
  const about = dot(f32x4.replace_lane(turned, 3, 0), c.up);
  if (abs(about) > 1e-7 && abs(about) + abs(w(turned)) > 1e-6) {
    const twist = normalizeQuat(f32x4.replace_lane(scale(c.up, about), 3, w(turned)));
    const b = bodyAt(c.body);
    b.rotation = normalizeQuat(mulQuat(twist, b.rotation));
  }
  c.position = add(c.position, carried);
  c.groundPoint = add(c.groundPoint, carried);
  c.carried = scale(carried, <f32>1 / dt);
}

/**
 * m/s: of the belt on which it stands (see solver/conveyance.ts). Turns it about `up` as the belt does. A belt carries
 * it as its own feet would, so that walls stop it.
 */
export function rideBelt(c: Character, dt: f32): v128 {
  const g = groundOf(c);
  if (g === null) return zero();
  const s = shapeAt(c.groundShape);
  if (!(s.flags & SHAPE_CARRIES) || s.body != c.ground) return zero(); // a removed shape has no flags
  const belt = changetype<Surface>(traitOf(SURFACES, SURFACE_SIZE, c.groundShape));
  const spin = rotate(g.rotation, vec3(belt.angularX, belt.angularY, belt.angularZ));
  const linear = rotate(g.rotation, vec3(belt.linearX, belt.linearY, belt.linearZ));
  const origin = sub(g.position, rotate(g.rotation, g.centerOfMass));
  turnAbout(c, dot(spin, c.up), dt);
  // By the midpoint rule: on a disc it stays at its distance.
  const from = sub(c.position, origin);
  const middle = addScaled(from, add(linear, cross(spin, from)), <f32>0.5 * dt);
  const speed = add(linear, cross(spin, middle));
  c.carried = add(c.carried, speed);
  return speed;
}

/** Turns its body about `up` by an input, in rad/s. */
export function turnAbout(c: Character, rate: f32, dt: f32): void {
  if (rate == 0) return;
  const b = bodyAt(c.body);
  b.rotation = turn(b.rotation, scale(c.up, rate * dt));
}

/** Whether a body is a character that stands on another body. */
export function standsOn(body: i32, ground: i32): bool {
  const row = findTrait(CHARACTERS, CHARACTER_SIZE, body);
  return row != 0 && changetype<Character>(row).ground == ground;
}

/** Where it stands, in the frame of the ground. */
export function keepAnchor(c: Character): void {
  const g = groundOf(c);
  if (g === null) return;
  c.groundPosition = g.position;
  c.groundRotation = g.rotation;
  c.anchor = rotateInverse(g.rotation, sub(c.position, g.position));
}

/**
 * Off an edge that its side touches, on its way out: aside as far as it has to, so that its feet find what is below.
 * Whether they do, see met().
 */
function slipOff(c: Character, walked: v128, down: v128): bool {
  const normal = met().normal;
  const rise = dot(normal, c.up);
  const out = addScaled(normal, c.up, -rise);
  const size = length(out);
  if (!(dot(out, walked) > 0) || !(rise > 0)) return false;
  const before = c.position;
  const aside = min(SLIP, (length(down) * rise) / size);
  if (!sweep(c, scale(out, (aside + c.offset) / size), -1)) {
    c.position = addScaled(before, out, aside / size);
    if (sweep(c, down, -1) && dot(met().normal, c.up) >= TOUCHED_SIDE) return true;
  }
  c.position = before;
  sweep(c, down, -1);
  return false;
}

/** Whether what is below a place is touched with the feet, and not with the side: what a fall lands on, stand() has to keep. */
export function standsAt(c: Character, place: v128): bool {
  const before = c.position;
  c.position = place;
  const way = scale(c.up, -(<f32>2) * c.offset - c.snapDistance);
  const found = sweep(c, way, -1) && dot(met().normal, c.up) >= TOUCHED_SIDE;
  c.position = before;
  return found;
}

/**
 * Whether it stands between things of which none would carry it alone, as in a gorge: nothing can go down there. `gone`: its way since
 * look().
 */
export function standWedged(c: Character, gone: v128): bool {
  clearPlanes();
  let on = -1;
  let steepest: f32 = 0;
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    const gap = near.gap + dot(near.normal, gone);
    addPlane(near.normal, -max<f32>(0, gap - c.offset));
    const rise = dot(near.normal, c.up);
    if (gap > c.offset + LITTLE || rise <= steepest) continue;
    on = i;
    steepest = rise;
  }
  if (on < 0 || !nearestWithin(scale(c.up, -LITTLE)) || dot(nearest(), c.up) < -WEDGED * LITTLE) return false;
  standOnNear(c, nearAt(on));
  return true;
}

/** Finds the ground below it within the snap distance, or lets it fall. `walked`: its way across `up`, `gone`: all of it. */
export function stand(c: Character, walked: v128, gone: v128): void {
  const reach = <f32>2 * c.offset + c.snapDistance;
  const way = scale(c.up, -reach);
  const m = met();
  let found = sweep(c, way, -1);
  let most = reach;
  const stuck = found && m.fraction == 0;
  if (found && dot(m.normal, c.up) < TOUCHED_SIDE && !slipOff(c, walked, way)) {
    // Its side touches before its feet do. It may stand a little higher; from higher up it falls past that.
    most = m.fraction * reach;
    found = sweep(c, way, TOUCHED_SIDE);
  }
  if (found) {
    const rise = dot(m.normal, c.up);
    const drop = m.fraction * reach - c.offset / max<f32>(rise, 0.5);
    if (drop <= most + c.offset) {
      const point = m.point;
      const normal = m.normal;
      if (rise >= c.standCosine || carries(c, point, normal, c.standCosine)) {
        c.position = addScaled(c.position, c.up, -min(drop, most));
        standOnMet(c, m);
        return;
      }
    }
  }
  // Beside something that it overlaps, a sweep may find only that.
  if (stuck)
    for (let i = 0; i < nearCount(); i++) {
      const near = nearAt(i);
      if (dot(near.normal, c.up) < c.standCosine || near.gap >= <f32>2 * c.offset) continue;
      standOnNear(c, near);
      return;
    }
  if (!standWedged(c, gone)) leaveGround(c);
}
