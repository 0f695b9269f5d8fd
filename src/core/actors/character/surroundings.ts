// The surroundings of a character: queries with the shapes of its body. In: a character at its position. Out: planes
// that it must not cross, obstacles on a way, whether an edge carries it. Nothing here changes the world except the
// places of the character's own shapes, which updateCharacter sets at its end.

import { add, addScaled, dot, length, mulQuat, rotate, sub, vec3, x, y, z, zero } from '../../math/vector';
import {
  ASK_CONTACT,
  ASK_NO_SENSORS,
  ASK_SWEEP,
  CHARACTER_IS_CROUCHING,
  QUERY_ALL,
  QUERY_CLOSEST,
  RAY_HIT_NORMAL,
  RAY_HIT_SIZE,
  SHAPE_ONE_WAY,
} from '../../memory/constants';
import { Character, ShapeHit, ShapeQuery, Surface } from '../../memory/records';
import { bodyAt, SURFACE_SIZE, shapeAt, world } from '../../memory/tables';
import { Ends, Filter, Point } from '../../memory/values';
import { SURFACES, traitOf } from '../../shapes/traits';
import { ABOVE, AGAINST, MOST_BEHIND, SAME_PLANE, SUNK_ONE_WAY } from '../tolerances';

/** The core's: see queries/shapes.ts. @external core queryShapes */
declare function queryShapes(address: u32): i32;

/** The core's: see queries/rays.ts. @external core rayTest */
declare function rayTest(mode: i32, ends: Ends, filter: Filter, maxHits: i32): i32;

/** A plane that something nearby lies behind. @unmanaged */
export class Near {
  normal: v128; // unit, out of the thing
  point: v128; // m, where it is nearest
  gap: f32; // m; negative where the character is in it
  top: f32; // m along `up` from the character: where it is touched highest
  body: i32; // slot
  shape: i32; // slot
}

/** What a sweep met. @unmanaged */
export class Met {
  normal: v128;
  point: v128;
  fraction: f32;
  body: i32;
  shape: i32;
}

/** Planes that are looked at, the nearest ones. */
const MOST = 16;
/** Shapes of a character at once. */
const MOST_PIECES = 16;
const NEAR_SIZE: usize = offsetof<Near>();
const NEARS: usize = memory.data(MOST * offsetof<Near>(), 16);
const COUNT: usize = memory.data(4, 4);
const QUERY: usize = memory.data(64 + MOST_PIECES * 4, 16);
const MET: usize = memory.data(offsetof<Met>(), 16);
const HIT_SIZE: usize = offsetof<ShapeHit>();

/**
 * Slots of shapes that are no obstacles of the next character that moves by a command, see moveCharacter, and their number.
 * More are not kept. Between calls of the host there are none: commands of one move are not parted.
 */
const MOST_IGNORED = 256;
const IGNORED: usize = memory.data(MOST_IGNORED * 4, 16);
const IGNORED_COUNT: usize = memory.data<i32>([0], 16);

export function ignoreNone(): void {
  store<i32>(IGNORED_COUNT, 0);
}

export function ignoreShape(shape: i32): void {
  const count = load<i32>(IGNORED_COUNT);
  if (count == MOST_IGNORED) return;
  store<i32>(IGNORED + ((<usize>count) << 2), shape);
  store<i32>(IGNORED_COUNT, count + 1);
}

function isIgnored(shape: i32): bool {
  const count = load<i32>(IGNORED_COUNT);
  for (let i = 0; i < count; i++) if (load<i32>(IGNORED + ((<usize>i) << 2)) == shape) return true;
  return false;
}

/** @inline */
export function nearAt(i: i32): Near {
  return changetype<Near>(NEARS + <usize>i * NEAR_SIZE);
}
/** @inline */
export function nearCount(): i32 {
  return load<i32>(COUNT);
}
/** @inline */
export function met(): Met {
  return changetype<Met>(MET);
}

/** @value */
class Question {
  kind: i32; // ASK_*
  mode: i32; // QUERY_*
}

/** Asks with the character's shapes at its position, as the core's queries take it. Returns the number of hits. */
function ask(c: Character, what: Question, delta: v128, reach: f32): i32 {
  const q = changetype<ShapeQuery>(QUERY);
  q.delta = delta;
  q.kind = what.kind;
  q.mode = what.mode;
  q.group = c.group;
  q.mask = c.mask;
  q.skip = c.body;
  q.flags = ASK_NO_SENSORS;
  q.maxHits = 0;
  q.maxDistance = reach;
  q.piecesA = place(c);
  q.piecesB = 0;
  return queryShapes(<u32>QUERY);
}

/** Places the shapes that it has now, standing or crouching, and lists them. Returns their number. */
function place(c: Character): i32 {
  const b = bodyAt(c.body);
  const crouches = (c.flags & CHARACTER_IS_CROUCHING) != 0;
  let count = 0;
  let index = 0;
  let slot = b.firstShape;
  while (slot != 0 && count < MOST_PIECES) {
    const s = shapeAt(slot);
    if (index >= c.standing == crouches) {
      s.position = add(c.position, rotate(b.rotation, s.localPosition));
      s.rotation = mulQuat(b.rotation, s.localRotation);
      store<i32>(QUERY + 64 + ((<usize>count) << 2), slot);
      count++;
    }
    index++;
    slot = s.next;
  }
  return count;
}

/** @inline */
function hitAt(i: i32): ShapeHit {
  return changetype<ShapeHit>(<usize>world().queryOutput + <usize>i * HIT_SIZE);
}
/** @inline */
function normalOf(hit: ShapeHit): v128 {
  return vec3(hit.normalX, hit.normalY, hit.normalZ);
}
/** @inline */
function pointOf(hit: ShapeHit): v128 {
  return vec3(hit.pointX, hit.pointY, hit.pointZ);
}

/**
 * Whether a one-way shape lets it pass there: everywhere but where it comes against the direction, and is not in it by
 * more than `SUNK_ONE_WAY`. (contacts/oneWay.ts does the same for dynamic bodies.)
 */
function passes(hit: ShapeHit, normal: v128, gap: f32): bool {
  const s = shapeAt(hit.shape);
  if (!(s.flags & SHAPE_ONE_WAY)) return false;
  const row = changetype<Surface>(traitOf(SURFACES, SURFACE_SIZE, hit.shape));
  const way = rotate(bodyAt(s.body).rotation, vec3(row.wayX, row.wayY, row.wayZ));
  return dot(normal, way) < AGAINST || gap < -SUNK_ONE_WAY;
}

/** Lists the planes of all that is within `reach`, the nearest first. */
export function look(c: Character, reach: f32): void {
  store<i32>(COUNT, 0);
  const hits = ask(c, new Question(ASK_CONTACT, QUERY_ALL), zero(), reach);
  let i = 0;
  while (i < hits) {
    const first = hitAt(i);
    let nearest = first;
    let top: f32 = f32.NEGATIVE_INFINITY;
    while (i < hits && hitAt(i).cluster == first.cluster) {
      const hit = hitAt(i++);
      if (hit.value < nearest.value) nearest = hit;
      top = max(top, dot(sub(pointOf(hit), c.position), c.up));
    }
    list(nearest, top);
  }
}

/** Moves the planes from index `from` to the end to `to`. */
function moveNears(from: i32, to: i32, end: i32): void {
  if (from < end)
    memory.copy(
      changetype<usize>(nearAt(to)),
      changetype<usize>(nearAt(from)),
      <usize>(end - from) * NEAR_SIZE,
    );
}

/** Inserts a plane in the order of gaps; equal ones stay in the order of slots. */
function list(hit: ShapeHit, top: f32): void {
  const normal = f32x4.neg(normalOf(hit));
  if (isIgnored(hit.shape) || passes(hit, normal, hit.value)) return;
  let count = load<i32>(COUNT);
  for (let i = 0; i < count; i++) {
    const other = nearAt(i);
    if (other.body != hit.body || dot(other.normal, normal) <= SAME_PLANE) continue;
    if (other.gap <= hit.value) return;
    moveNears(i + 1, i, count--);
    break;
  }
  let at = count;
  while (at > 0 && nearAt(at - 1).gap > hit.value) at--;
  if (at == MOST) return;
  if (count == MOST) count--;
  moveNears(at, at + 1, count);
  const near = nearAt(at);
  near.normal = f32x4.replace_lane(normal, 3, 0);
  near.point = pointOf(hit);
  near.gap = hit.value;
  near.top = top;
  near.body = hit.body;
  near.shape = hit.shape;
  store<i32>(COUNT, count + 1);
}

/** Whether what a sweep met stops it. What a sweep begins in, it only touches if it is one of the planes. */
function stops(hit: ShapeHit, normal: v128): bool {
  if (isIgnored(hit.shape)) return false;
  if (!(shapeAt(hit.shape).flags & SHAPE_ONE_WAY)) return true;
  if (hit.value > 0) return !passes(hit, normal, 0);
  for (let i = 0; i < nearCount(); i++) if (nearAt(i).shape == hit.shape) return true;
  return false;
}

/** What the character meets first on a straight way, of what faces up by at least so much; see met(). */
export function sweep(c: Character, way: v128, least: f32): bool {
  let hits = ask(c, new Question(ASK_SWEEP, QUERY_CLOSEST), way, 0);
  if (hits == 0) return false;
  const first = normalOf(hitAt(0));
  if (!(dot(first, c.up) >= least && stops(hitAt(0), first)))
    hits = ask(c, new Question(ASK_SWEEP, QUERY_ALL), way, 0);
  for (let i = 0; i < hits; i++) {
    const hit = hitAt(i);
    const normal = normalOf(hit);
    if (!(dot(normal, c.up) >= least) || !stops(hit, normal)) continue;
    const m = met();
    m.normal = normal;
    m.point = pointOf(hit);
    m.fraction = hit.value;
    m.body = hit.body;
    m.shape = hit.shape;
    return true;
  }
  return false;
}

/** Whether it overlaps something by more than `depth` at its position. */
export function overlaps(c: Character, depth: f32): bool {
  look(c, 0);
  return nearCount() > 0 && nearAt(0).gap < -depth;
}

/**
 * Whether something that is touched at an edge carries: whether the surface behind the edge is no steeper than `cosine`.
 * The normal of a round shape at an edge tells nothing about that.
 */
export function carries(c: Character, point: v128, normal: v128, cosine: f32): bool {
  const out = addScaled(normal, c.up, -dot(normal, c.up));
  const size = length(out);
  if (size < 1e-6) return dot(normal, c.up) >= cosine;
  const reach = min(MOST_BEHIND, c.offset);
  const behind = addScaled(point, out, -reach / size);
  const from = addScaled(behind, c.up, ABOVE * reach);
  const to = addScaled(behind, c.up, -ABOVE * reach);
  const hits = rayTest(
    load<i32>(IGNORED_COUNT) == 0 ? QUERY_CLOSEST : QUERY_ALL,
    new Ends(new Point(x(from), y(from), z(from)), new Point(x(to), y(to), z(to))),
    new Filter(c.group, c.mask, c.body, ASK_NO_SENSORS),
    0,
  );
  for (let i = 0; i < hits; i++) {
    const hit = <usize>world().queryOutput + <usize>i * RAY_HIT_SIZE;
    if (isIgnored(load<i32>(hit))) continue;
    const at = hit + RAY_HIT_NORMAL;
    return dot(vec3(load<f32>(at), load<f32>(at, 4), load<f32>(at, 8)), c.up) >= cosine;
  }
  return false;
}
