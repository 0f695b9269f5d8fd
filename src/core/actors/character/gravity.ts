// Gravity and liquids where a character is. In: the world's gravity, areas that its body touches. Out: which way is up,
// whether it is in a liquid, and how much of it.
import { gravityOf, liquidLevel, liquidUp, rankOf } from '../../areas/areas';
import {
  add,
  cross,
  dot,
  length,
  mulQuat,
  neg,
  normalizeOr,
  normalizeQuat,
  perpendicular,
  rotate,
  scale,
} from '../../math/vector';
import {
  AREA_REPLACES,
  CHARACTER_FOLLOWS_GRAVITY,
  CHARACTER_IS_CROUCHING,
  CHARACTER_IS_IN_WATER,
  LIST_SENSOR,
  PAIR_TOUCHING,
  SHAPE_AREA,
} from '../../memory/constants';
import { Area, Character, Shape } from '../../memory/records';
import { AREA_SIZE, bodyAt, pairAt, shapeAt, world } from '../../memory/tables';
import { extentAlong } from '../../narrowphase/convex';
import { AREAS, traitOf } from '../../shapes/traits';
import { WEIGHTLESS } from '../tolerances';

/** Whether a point is below the surface of an area's liquid. */
function isUnder(area: Area, own: Shape, point: v128): bool {
  const up = liquidUp(own);
  return dot(point, up) < liquidLevel(area, own, up);
}

/**
 * The share of its height that is below the surface of an area's liquid in the middle of its update: a force for the start
 * would feed bobbing (see areas/areas.ts).
 */
function shareUnder(c: Character, area: Area, own: Shape, dt: f32): f32 {
  const up = liquidUp(own);
  const crouches = (c.flags & CHARACTER_IS_CROUCHING) != 0;
  let low = f32.POSITIVE_INFINITY;
  let high = f32.NEGATIVE_INFINITY;
  let index = 0;
  for (let slot = bodyAt(c.body).firstShape; slot != 0; ) {
    const s = shapeAt(slot);
    slot = s.next;
    if (index++ >= c.standing != crouches) continue;
    high = max(high, extentAlong(s, s.position, s.rotation, up));
    low = min(low, -extentAlong(s, s.position, s.rotation, neg(up)));
  }
  const depth = liquidLevel(area, own, up) - low - <f32>0.5 * dt * dot(c.air, up);
  return max<f32>(0, min<f32>(1, depth / (high - low)));
}

/** Finds its gravity, and with it `up`, and whether it is in a liquid. Returns the share of its height that is. */
export function feel(c: Character, dt: f32): f32 {
  const g = world();
  c.flags &= ~CHARACTER_IS_IN_WATER;
  let share: f32 = 0;
  let gravity = g.gravity;
  let added = scale(gravity, 0);
  let rank = 0;
  let link = g.areaCount > 0 ? bodyAt(c.body).firstPair : -1;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const area = shapeAt(link & 1 ? pair.shapeA : pair.shapeB);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list != LIST_SENSOR || (area.flags & SHAPE_AREA) == 0) continue;
    const row = changetype<Area>(traitOf(AREAS, AREA_SIZE, area.slot));
    if (row.density > 0 && pair.flags & PAIR_TOUCHING) share = max(share, shareUnder(c, row, area, dt));
    if (row.density > 0 && isUnder(row, area, c.position)) c.flags |= CHARACTER_IS_IN_WATER;
    const pull = gravityOf(row, area, c.position);
    if ((row.flags & AREA_REPLACES) == 0) {
      added = add(added, pull);
    } else if (rankOf(row) > rank) {
      rank = rankOf(row);
      gravity = pull;
    }
  }
  c.pull = c.gravity;
  if ((c.options & CHARACTER_FOLLOWS_GRAVITY) == 0) return share;
  gravity = add(gravity, added);
  c.pull = length(gravity);
  if (c.pull < WEIGHTLESS) {
    c.pull = 0;
    return share;
  }
  turnUp(c, scale(gravity, <f32>-1 / c.pull));
  return share;
}

/** Turns its body on the shortest way so that what pointed along `up` points along the new one. */
export function turnUp(c: Character, up: v128): void {
  if (v128.all_true<i32>(f32x4.eq(c.up, up))) return;
  c.up = up;
  const b = bodyAt(c.body);
  const now = normalizeOr(rotate(b.rotation, c.localUp), up);
  const cosine = dot(now, up);
  let arc = f32x4.replace_lane(cross(now, up), 3, <f32>1 + cosine);
  if (cosine < <f32>-0.9999) arc = perpendicular(now);
  b.rotation = normalizeQuat(mulQuat(normalizeQuat(arc), b.rotation));
}
