// On the ground: along walls, up slopes and steps. In: planes of the surroundings, the way that is wanted across `up`.
// Out: the character's position and ground.
import { add, addScaled, dot, length, scale, sub, zero } from '../../math/vector';
import { BODY_DYNAMIC, CHARACTER_STEPS_ON_DYNAMIC } from '../../memory/constants';
import { Character } from '../../memory/records';
import { bodyAt } from '../../memory/tables';
import { LEAST_WON, LITTLE, NO_WAY, OVER_EDGE, STAIRS, TOUCHED_SIDE } from '../tolerances';
import { stand, standOnMet } from './ground';
import { addPlane, clearPlanes, nearest, nearestWithin } from './planes';
import { carries, met, nearAt, nearCount, sweep } from './surroundings';

/** How far it may go towards something, keeping its offset. @inline */
export function room(c: Character, gap: f32): f32 {
  return max<f32>(0, gap - c.offset);
}

/** The part of a vector across `up`. @inline */
export function across(v: v128, up: v128): v128 {
  return addScaled(v, up, -dot(v, up));
}

/** The part of a way across `up` that walls allow. Whatever is too steep to climb is a wall. */
export function alongWalls(c: Character, way: v128): v128 {
  clearPlanes();
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    if (dot(near.normal, c.up) >= c.climbCosine) continue;
    const flat = across(near.normal, c.up);
    const size = length(flat);
    if (size < <f32>0.05) continue; // a ceiling
    addPlane(scale(flat, <f32>1 / size), -room(c, near.gap) / size);
  }
  return nearestWithin(way) ? nearest() : zero();
}

export function walk(c: Character, way: v128): void {
  let flat = alongWalls(c, way);
  const asked = length(way);
  if (asked > NO_WAY && c.stepHeight > 0) {
    const progress = dot(flat, way) / asked;
    if (progress < asked - NO_WAY && isStep(c, way) && climb(c, way, asked, progress)) return;
  }
  // What the ground asks for, and what a ceiling leaves.
  let lift: f32 = 0;
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    const rise = dot(near.normal, c.up);
    if (rise >= c.climbCosine) lift = max(lift, (c.offset - near.gap - dot(near.normal, flat)) / rise);
  }
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    const rise = dot(near.normal, c.up);
    if (rise > <f32>-0.05) continue;
    const most = (room(c, near.gap) + dot(near.normal, flat)) / -rise;
    if (lift <= most + NO_WAY) continue;
    flat = zero();
    lift = max<f32>(0, min(lift, room(c, near.gap) / -rise));
  }
  const gone = addScaled(flat, c.up, lift);
  c.position = add(c.position, gone);
  const before = c.position;
  stand(c, flat, gone);
  // Farther down than any slope that it walks leads: off a step.
  const cosine = c.climbCosine;
  const slope = sqrt<f32>(max<f32>(0, <f32>1 - cosine * cosine)) / cosine;
  if (dot(sub(before, c.position), c.up) > slope * length(flat) + LITTLE) c.stairs = STAIRS;
}

/** Whether something in the way may be a step: not a wall that is touched higher than a step. */
function isStep(c: Character, way: v128): bool {
  const feet = dot(c.groundPoint, c.up) - dot(c.position, c.up);
  const highest = feet + c.stepHeight + c.offset;
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    if (near.top > highest || dot(near.normal, c.up) >= c.climbCosine) continue;
    if (dot(near.normal, way) < -room(c, near.gap)) return true;
  }
  return false;
}

/** Up a step: up, along, down. Whether it came farther that way and stands there. */
function climb(c: Character, way: v128, asked: f32, progress: f32): bool {
  const start = c.position;
  if (climbs(c, way, asked, progress)) return true;
  c.position = start;
  return false;
}

function climbs(c: Character, way: v128, asked: f32, progress: f32): bool {
  const up = c.up;
  const offset = c.offset;
  const m = met();
  const little = c.stepHeight * LEAST_WON;
  const high = c.stepHeight + offset;
  const rise = sweep(c, scale(up, high), -1) ? m.fraction * high - offset : c.stepHeight;
  if (rise < little) return false;
  c.position = addScaled(c.position, up, rise);
  const clear = max(asked, c.stepWidth);
  const most = clear + offset;
  let direction = scale(way, <f32>1 / asked);
  let length = asked;
  let wall = sweep(c, scale(direction, most), -1);
  if (wall && m.fraction * most < c.stepWidth + offset) {
    // A wall beside the stairs on which it leans: along it.
    direction = alongWall(direction, m.normal, up);
    const share = sizeOf(direction);
    if (share * length < max(progress, little)) return false;
    direction = scale(direction, <f32>1 / share);
    length *= share;
    wall = sweep(c, scale(direction, most), -1);
  }
  const free = wall ? m.fraction * most - offset : clear;
  if (free < max(progress, c.stepWidth)) return false;
  const raised = c.position;
  if (standsBeyond(c, scale(direction, min(length, free)), rise)) return true;
  const least = OVER_EDGE * offset;
  if (!(length < least) || free < least) return false;
  c.position = raised;
  return standsBeyond(c, scale(direction, least), rise);
}

/** From where it was raised to, on and down. Whether it then stands higher than it began. */
function standsBeyond(c: Character, way: v128, rise: f32): bool {
  const up = c.up;
  const offset = c.offset;
  const m = met();
  c.position = add(c.position, way);
  if (!sweep(c, scale(up, -rise - offset), -1)) return false;
  if ((c.options & CHARACTER_STEPS_ON_DYNAMIC) == 0 && bodyAt(m.body).type == BODY_DYNAMIC) return false;
  const slope = dot(m.normal, up);
  if (slope < c.climbCosine && !carries(c, m.point, m.normal, c.climbCosine)) return false;
  const drop = m.fraction * (rise + offset) - offset / max<f32>(slope, 0.5);
  if (rise - drop < c.stepHeight * LEAST_WON) return false;
  c.position = addScaled(c.position, up, -drop);
  c.stairs = STAIRS;
  standOnMet(c, m);
  return true;
}

/** The part of a unit vector along a wall; 0 if the wall is no wall. */
function alongWall(direction: v128, normal: v128, up: v128): v128 {
  const flat = across(normal, up);
  const size = length(flat);
  return size < TOUCHED_SIDE ? zero() : across(direction, scale(flat, <f32>1 / size));
}

/** @inline */
function sizeOf(v: v128): f32 {
  return length(v);
}
