// Seams between bodies. In: the contacts of a body, some of them new in this step. Out: contacts with internal edges of
// a surface made of several level shapes are removed, or get the normal of that surface.
//
// A tile's side is covered by the tile next to it, but a single pair cannot know this. A contact with the face of tile
// T1 keeps the body M above a plane. A neighbour T2 that lies completely below this plane cannot be reached without
// crossing it, so a contact with T2 along another normal is wrong: it would lift a ball at the edge of the next tile,
// or stop a box at its side. The plane separates M and T2, so its normal is valid for their contact, too. A wall or
// curb rises above the plane of the floor and keeps its contact. Where T1 is round or M touches its edge, the plane that
// touches T1 there does the same: a ball on a rail made of tubes or beams would hop at the end of the next one.
//
// Cost: a body is examined in steps in which it has a new manifold, with a stationary body, outside the interior of a
// face. Its pairs are visited once (if many bodies are examined, all contacts are visited once), and those with
// stationary bodies twice: to collect at most MOST_PLANES planes, and to compare each contact with them. Internal edges
// of a single mesh are found from its triangles instead (narrowphase/concave.ts).

import {
  add,
  addScaled,
  cross,
  dot,
  lengthSquared,
  neg,
  normalizeOr,
  rotate,
  rotateInverse,
  splat,
  sub,
  zero,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_SEAM,
  BODY_STATIC,
  COLOR_COUNT,
  LIST_CONCAVE,
  LIST_SOLVED,
  PAIR_CHILD,
  SHAPE_BOX,
  SHAPE_PLANE,
} from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, Body, ContactBlock, ManifoldResult, Pair, PointMeta, Shape } from '../memory/records';
import {
  blockAt,
  blockHandle,
  bodyAt,
  colorAt,
  metaAt,
  POINT_META_SIZE,
  POINT_METAS_OFFSET,
  pairAt,
  scratch,
  shapeAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { Shapes } from '../memory/values';
import { coreRadius, faceNormal, flatFace, support } from '../narrowphase/convex';
import { collideAlong } from '../narrowphase/convexContact';
import {
  clusterNormal,
  clusterPoint,
  clusterTop,
  dropCluster,
  OF_PLANE,
} from '../narrowphase/surfaceClusters';
import { convexSize, shapeAxisY } from '../shapes/shape';
import { context } from '../solver/context';
import { laneWord, pairOfLane } from '../solver/lanes';
import {
  EQUAL_NORMALS,
  HIDDEN_BELOW,
  LEVEL_TILT,
  SEAM_FAR,
  SEAM_GIVING_STEP,
  SEAM_LEVEL,
  SEAM_SLOPE,
  SEAM_STEP,
  SEAM_SUNK,
} from '../tolerances';
import { findClusters, updateChildren } from './concave';
import { RESULT_ADDRESS, writeManifold } from './manifold';
import { hasEdges, isInsideFace, standsStill } from './noteSeams';
import { stopTouching } from './pairs';
import { approachOf, hasFast } from './speculate';

/** Most faces with which the contacts of a body are compared, the first ones of its list. */
const MOST_PLANES: i32 = 8;
/** Most of them that are of one plane, since a large body touches many tiles of one plane. */
const MOST_ALIKE: i32 = 2;

// SeamContact.flags
const FLAT: i32 = 1; // contact with the face of the neighbour
const TANGENT: i32 = 2; // contact with an edge or a round part of it
const RIMMED: i32 = 4; // contact perhaps with an edge of the neighbour

/** Cluster number if the neighbour is convex, or a plane. */
const WHOLE: i32 = -1;
/** Cluster number if the neighbour is a mesh or heightfield whose triangles are currently not known. */
const SOME: i32 = -2;

/** A contact of the body M that is examined with a neighbour. @unmanaged */
class SeamContact {
  normal: v128; // towards M
  point: v128; // on the surface of the neighbour
  plane: v128; // with FLAT: outward normal of the face; with TANGENT: of the plane that touches the neighbour there
  velocity: v128; // m/s, of the neighbour at the point
  height: f32; // m, of that plane, along its normal
  flags: i32;
  pair: i32; // the pair with the lane
  owner: i32; // the pair of the two shapes: the same, or its owner
  side: i32; // side of M in the pair
  own: i32; // shape of M
  shape: i32; // shape of the neighbour
  cluster: i32; // of a mesh or heightfield while its clusters are known, else WHOLE or SOME
}
const PLANES: usize = memory.data(8 * offsetof<SeamContact>(), 16);
const CONTACT: usize = memory.data(offsetof<SeamContact>(), 16);

/** @inline */
function planeAt(i: i32): SeamContact {
  return changetype<SeamContact>(PLANES + <usize>i * offsetof<SeamContact>());
}

/** Examines all marked bodies when all contacts of the step are known. */
export function dropSeams(dt: f32): void {
  const g = world();
  const marked = context().seams;
  if (marked == 0) return;
  context().seams = 0;
  const heads = marked * FEW > g.contactCount ? gatherLinks() : 0;
  const links = heads ? entryAt(heads, 2 * g.contactCount) : 0; // contacts are added and removed in this loop
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    const m = bodyAt(slot);
    if (!(m.flags & BODY_SEAM)) continue;
    if (m.constraintCount > 1) dropSeamsOf(m, heads, links, dt);
    m.flags &= ~BODY_SEAM;
  }
}

/** Contacts per marked body. With fewer, all contacts are visited once, instead of the pair lists of these bodies. */
const FEW: i32 = 64;

// Links of bodies, by their index in the awake list: heads, then entries with a link and the next entry plus one.
/** @inline */
function entryAt(heads: usize, i: i32): usize {
  return heads + ((<usize>world().awakeCount) << 2) + ((<usize>i) << 3);
}

/** Lists the links of all marked bodies to stationary bodies, in scratch. The pair lists of fast bodies are long. */
function gatherLinks(): usize {
  const g = world();
  const contacts = <usize>g.contactCount;
  const heads = scratch(((<usize>g.awakeCount) << 2) + contacts * 16 + (contacts << 2));
  memory.fill(heads, 0, (<usize>g.awakeCount) << 2);
  let count = 0;
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      const handle = blockHandle(c, i);
      const block = changetype<usize>(blockAt(handle));
      for (let lane = 0; lane < 4; lane++) {
        const at = block + ((<usize>lane) << 2);
        const a = bodyAt(load<i32>(at, offsetof<ContactBlock>('bodyA')));
        const b = bodyAt(load<i32>(at, offsetof<ContactBlock>('bodyB')));
        if (!((a.flags | b.flags) & BODY_SEAM)) continue;
        const index = pairOfLane(handle, lane);
        if (index < 0) continue;
        if (a.flags & BODY_SEAM) count = addLink(new Heads(heads, count), a, index, 0);
        if (b.flags & BODY_SEAM) count = addLink(new Heads(heads, count), b, index, 1);
      }
    }
  }
  return heads;
}

/** Address of the first links of all bodies, and the number of entries behind them. @value */
class Heads {
  at: usize;
  count: i32;
}

/** Adds a link of M unless another lane of the same pair added it; returns the number of entries. */
function addLink(links: Heads, m: Body, index: i32, side: i32): i32 {
  const heads = links.at;
  const count = links.count;
  const pair = pairAt(index);
  const link = ((pair.flags & PAIR_CHILD ? pair.owner : index) << 1) | side;
  if (!stands(m, link)) return count;
  const head = heads + ((<usize>m.awakeIndex) << 2);
  for (let i = load<i32>(head); i != 0; i = load<i32>(entryAt(heads, i - 1), 4))
    if (load<i32>(entryAt(heads, i - 1)) == link) return count;
  store<i32>(entryAt(heads, count), link);
  store<i32>(entryAt(heads, count), load<i32>(head), 4);
  store<i32>(head, count + 1);
  return count + 1;
}

/** Whether the link is a contact of M with a stationary body. */
function stands(m: Body, link: i32): bool {
  const q = pairAt(link >> 1);
  if (q.list != LIST_SOLVED && q.list != LIST_CONCAVE) return false;
  const neighbour = bodyAt(link & 1 ? q.bodyA : q.bodyB);
  return neighbour.type != BODY_DYNAMIC || standsStill(m, neighbour);
}

function dropSeamsOf(m: Body, heads: usize, links: usize, dt: f32): void {
  if (!heads) links = scratch((<usize>m.constraintCount) << 2);
  const standing = heads ? takeLinks(m, heads, links) : listStanding(m, links);
  if (standing < 2) return;
  let planes = 0;
  for (let kind = FLAT; kind <= TANGENT; kind <<= 1)
    for (let i = 0; i < standing && planes < MOST_PLANES; i++)
      planes = addPlanes(linkAt(links, i), planes, kind);
  // A plane that another one hides must not hide contacts: the side of a tile is hidden by the floor before it.
  let hidden = 0;
  for (let i = 0; i < planes; i++) {
    const c = planeAt(i);
    for (let j = 0; j < planes; j++)
      if (hides(planeAt(j), c, c.plane) && isBefore(planeAt(j), c)) hidden |= 1 << i;
  }
  let shown = 0;
  for (let i = 0; i < planes; i++) {
    if ((hidden >> i) & 1) continue;
    if (i != shown)
      memory.copy(changetype<usize>(planeAt(shown)), changetype<usize>(planeAt(i)), offsetof<SeamContact>());
    shown++;
  }
  if (shown == 0) return;
  for (let i = 0; i < standing; i++) dropIfHidden(linkAt(links, i), shown, dt);
}

/** @inline */
function linkAt(links: usize, i: i32): i32 {
  return load<i32>(links + ((<usize>i) << 2));
}

/** Inserts the link in order, so that the order of links is that of their pairs, however they were found. */
function insertLink(links: usize, count: i32, link: i32): i32 {
  let at = count;
  for (; at > 0 && linkAt(links, at - 1) > link; at--)
    store<i32>(links + ((<usize>at) << 2), linkAt(links, at - 1));
  store<i32>(links + ((<usize>at) << 2), link);
  return count + 1;
}

/** Takes the links from gatherLinks that still touch: other marked bodies may have removed contacts since. */
function takeLinks(m: Body, heads: usize, links: usize): i32 {
  let standing = 0;
  for (let i = load<i32>(heads + ((<usize>m.awakeIndex) << 2)); i != 0; ) {
    const entry = entryAt(heads, i - 1);
    if (stands(m, load<i32>(entry))) standing = insertLink(links, standing, load<i32>(entry));
    i = load<i32>(entry, 4);
  }
  return standing;
}

/**
 * Lists the pairs in which M touches stationary bodies; stops when all of its lanes are found. Returns their number.
 */
function listStanding(m: Body, links: usize): i32 {
  let lanes = m.constraintCount;
  let standing = 0;
  let link = m.firstPair;
  while (link >= 0 && lanes > 0) {
    const q = pairAt(link >> 1);
    if (q.list == LIST_SOLVED || q.list == LIST_CONCAVE) {
      for (let child = q.firstChild; child >= 0; child = pairAt(child).next) lanes--;
      if (q.list == LIST_SOLVED) lanes--;
      if (stands(m, link)) standing = insertLink(links, standing, link);
    }
    link = link & 1 ? q.nextB : q.nextA;
  }
  return standing;
}

/** Adds the planes of one kind on which M stands at this link; returns the length of the list. */
function addPlanes(link: i32, planes: i32, kind: i32): i32 {
  const q = pairAt(link >> 1);
  if (q.list == LIST_SOLVED) return addPlane(link >> 1, link, planes, kind);
  for (let child = q.firstChild; child >= 0 && planes < MOST_PLANES; child = pairAt(child).next)
    planes = addPlane(child, link, planes, kind);
  return planes;
}

function addPlane(index: i32, link: i32, planes: i32, kind: i32): i32 {
  const c = planeAt(planes);
  setContact(c, index, link);
  if (!(c.flags & kind)) return planes;
  const own = shapeAt(c.own);
  if (bottomOf(own, c.plane) - c.height < -SEAM_SUNK * convexSize(own)) return planes;
  let alike = 0;
  for (let i = 0; i < planes; i++) if (isSamePlane(planeAt(i), c)) alike++;
  return alike < MOST_ALIKE ? planes + 1 : planes;
}

/** Whether one of the two planes can be used for both. */
function isSamePlane(a: SeamContact, b: SeamContact): bool {
  if (a.own != b.own || !isLevel(a.plane, b.plane)) return false;
  if (lengthSquared(sub(a.velocity, b.velocity)) > 0) return false;
  return abs(dot(b.point, a.plane) - a.height) <= levelOf(a, b);
}

function dropIfHidden(link: i32, planes: i32, dt: f32): void {
  const index = link >> 1;
  const q = pairAt(index);
  const c = changetype<SeamContact>(CONTACT);
  if (q.list == LIST_SOLVED) {
    setContact(c, index, link);
    if (!(c.flags & RIMMED)) return;
    const by = hiding(c, planes);
    if (by != null) turnOrDrop(c, by);
    return;
  }
  for (let child = q.firstChild; child >= 0; child = pairAt(child).next) {
    setContact(c, child, link);
    if (c.flags & RIMMED && hiding(c, planes) != null) return dropClusters(c, planes, dt);
  }
}

/** The plane that hides the contact, or null. */
function hiding(c: SeamContact, planes: i32): SeamContact | null {
  for (let i = 0; i < planes; i++) if (hides(planeAt(i), c, c.normal)) return planeAt(i);
  return null;
}

/**
 * Replaces the contact by one along the normal of the plane that hides it, if a face has that normal; otherwise drops
 * it.
 */
function turnOrDrop(c: SeamContact, by: SeamContact): void {
  const pair = pairAt(c.pair);
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  const m = slopeOf(c, by);
  const normal = c.side ? m : neg(m);
  collideAlong(
    new Shapes(shapeAt(pair.shapeA), shapeAt(pair.shapeB)),
    normal,
    approachOf(pair, hasFast(pair)).most,
    result,
  );
  pair.cache = 0; // the hint is the face or edge of the seam
  if (result.count > 0) writeManifold(pair);
  else stopTouching(c.pair);
}

/** Finds the clusters of a surface again and drops the hidden ones. */
function dropClusters(c: SeamContact, planes: i32, dt: f32): void {
  let clusters = findClusters(pairAt(c.owner), dt);
  c.flags = 0;
  for (let k = clusters - 1; k >= 0; k--) {
    c.normal = neg(clusterNormal(k)); // the normals of clusters point to the surface
    c.point = clusterPoint(k, c.normal);
    c.cluster = k;
    if (hiding(c, planes) == null) continue;
    dropCluster(k);
    clusters--;
  }
  if (clusters > 0) updateChildren(c.owner, clusters);
  else stopTouching(c.owner);
}

// --- contacts of M ---

/** Describes the contact of pair `index`, which is the pair of the link or a child of it. */
function setContact(c: SeamContact, index: i32, link: i32): void {
  const pair = pairAt(index);
  const side = link & 1;
  c.pair = index;
  c.owner = link >> 1;
  c.side = side;
  c.own = side ? pair.shapeB : pair.shapeA;
  c.shape = side ? pair.shapeA : pair.shapeB;
  const at = changetype<usize>(blockAt(pair.index >> 2)) + ((<usize>(pair.index & 3)) << 2);
  const n = get3(at + offsetof<ContactBlock>('normalX'));
  c.normal = side ? n : neg(n);
  // Take the position from the stationary body if there is one.
  const a = bodyAt(pair.bodyA);
  const middle =
    a.type != BODY_DYNAMIC
      ? add(a.position, get3(at + offsetof<ContactBlock>('centerAX')))
      : add(bodyAt(pair.bodyB).position, get3(at + offsetof<ContactBlock>('centerBX')));
  c.point = addScaled(middle, c.normal, <f32>-0.5 * gapOf(pair));
  c.velocity = velocityThere(side ? pair.bodyA : pair.bodyB, c.point);
  const shape = shapeAt(c.shape);
  c.cluster = shape.type > SHAPE_PLANE ? SOME : WHOLE;
  c.flags = 0;
  if (hasEdges(shape) && (shape.type != SHAPE_BOX || !isInsideFace(shape, c.normal, c.point)))
    c.flags = RIMMED;
  setPlane(c, shape, pair);
}

/**
 * Sets the plane: of a face if M stands on one, otherwise the one that touches the neighbour where M does. Along a rail, such as
 * a capsule or the edge of a beam, it stays as M moves on.
 */
function setPlane(c: SeamContact, shape: Shape, pair: Pair): void {
  if (shape.type > SHAPE_PLANE) {
    if (!(pair.cache & OF_PLANE)) return;
    c.plane = c.normal;
    c.height = dot(c.point, c.normal);
    c.flags |= FLAT;
    return;
  }
  if (shape.type == SHAPE_PLANE) {
    c.plane = shapeAxisY(shape);
    c.height = dot(shape.position, c.plane);
    if (dot(c.plane, c.normal) > EQUAL_NORMALS) c.flags |= FLAT;
    return;
  }
  const local = rotateInverse(shape.rotation, c.normal);
  const face = flatFace(shape, local);
  if (face >= 0) c.plane = rotate(shape.rotation, faceNormal(shape, face));
  if (face >= 0 && dot(c.plane, c.normal) > EQUAL_NORMALS) {
    c.flags |= FLAT;
  } else {
    // Along the axis of a rail the normal has rounding only, which would lift or sink the far end of the next one.
    const across = v128.and(local, f32x4.gt(f32x4.abs(local), splat(LEVEL_TILT)));
    c.plane = rotate(shape.rotation, normalizeOr(across, local));
    c.flags |= TANGENT;
  }
  c.height = top(shape, c.plane);
}

/** Velocity of the body's material point at `place`. */
function velocityThere(slot: i32, place: v128): v128 {
  const b = bodyAt(slot);
  if (b.type == BODY_STATIC) return zero();
  const v = velocityAt(slot);
  return add(v.linear, cross(v.angular, sub(place, b.position)));
}

/** Gap at the centre of a manifold, which is the weighted mean of its midway points (manifold.ts). */
function gapOf(q: Pair): f32 {
  const spec = world().contactBreakingThreshold;
  const meta = changetype<usize>(metaAt(q.index >> 2));
  const lane = q.index & 3;
  const count = laneWord(meta + offsetof<BlockMeta>('pointCount'), lane);
  const first = meta + POINT_METAS_OFFSET + offsetof<PointMeta>('baseSeparation') + ((<usize>lane) << 2);
  let sum: f32 = 0;
  let weights: f32 = 0;
  for (let i = 0; i < count; i++) {
    const s = load<f32>(first + <usize>i * POINT_META_SIZE);
    const weight = max<f32>(<f32>1e-6, min<f32>(1, <f32>2 - s / spec));
    sum += weight * s;
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0;
}

// --- which face hides which contact ---

/** Whether the face on which M stands at contact q hides contact c, which acts along n. */
function hides(q: SeamContact, c: SeamContact, n: v128): bool {
  if (q.owner == c.owner) return false;
  const m = q.plane;
  if (isLevel(m, n) || dot(m, n) < HIDDEN_BELOW) return false;
  const level = levelOf(q, c);
  const size = convexSize(shapeAt(c.own));
  if (dot(c.point, m) - q.height > level + SEAM_FAR * size) return false;
  if (topOf(c, m) - q.height > level && !(q.flags & FLAT && risesFrom(q, c, n))) return false;
  // In a compound, another shape may stand on that plane while this one reaches below it.
  if (c.own != q.own && bottomOf(shapeAt(c.own), m) - q.height < -level) return false;
  return goTogether(q, c);
}

/**
 * Whether the neighbour of q rises out of the plane of c. Of two faces that hide each other, as at a ridge, neither
 * does. Meshes, heightfields and planes have no end.
 */
function isBefore(q: SeamContact, c: SeamContact): bool {
  const shape = shapeAt(q.shape);
  return shape.type >= SHAPE_PLANE || top(shape, c.plane) - c.height > levelOf(q, c);
}

/**
 * Whether the neighbour is a slope that rises from the plane where M touches it, such as a plank of a sagging bridge or
 * the foot of a ramp. M then touches the slope, and not the part of the neighbour's side below the plane.
 */
function risesFrom(q: SeamContact, c: SeamContact, n: v128): bool {
  if (c.cluster != WHOLE) return false;
  const m = slopeOf(c, q);
  const up = dot(m, q.plane);
  if (isLevel(m, q.plane) || isLevel(m, n)) return false;
  // From the point on the plane to the slope above it.
  const foot = addScaled(c.point, q.plane, q.height - dot(c.point, q.plane));
  const rise = top(shapeAt(c.shape), m) - dot(foot, m);
  return rise <= levelOf(q, c) * up;
}

/**
 * Normal of the neighbour's face that continues the plane; the plane's normal if there is none or they nearly agree.
 */
function slopeOf(c: SeamContact, q: SeamContact): v128 {
  const shape = shapeAt(c.shape);
  const face = flatFace(shape, rotateInverse(shape.rotation, q.plane));
  if (face < 0) return q.plane;
  const m = rotate(shape.rotation, faceNormal(shape, face));
  return dot(m, q.plane) < SEAM_SLOPE || isLevel(m, q.plane) ? q.plane : m;
}

/** Whether two unit vectors point the same way. The cosine of so small an angle is rounded to 1. */
function isLevel(m: v128, n: v128): bool {
  return dot(m, n) > 0 && lengthSquared(cross(m, n)) < LEVEL_TILT * LEVEL_TILT;
}

/** m. A neighbour that rises less above the plane is level with it. */
function levelOf(q: SeamContact, c: SeamContact): f32 {
  const shape = shapeAt(c.shape);
  const size = convexSize(shapeAt(c.own));
  const share = SEAM_LEVEL * (shape.type < SHAPE_PLANE ? min(size, convexSize(shape)) : size);
  const still = bodyAt(shape.body).type != BODY_DYNAMIC && bodyAt(shapeAt(q.shape).body).type != BODY_DYNAMIC;
  const most = (still ? SEAM_STEP : SEAM_GIVING_STEP) * world().contactBreakingThreshold;
  const p = f32x4.abs(c.point);
  const far = max(f32x4.extract_lane(p, 0), max(f32x4.extract_lane(p, 1), f32x4.extract_lane(p, 2)));
  return min(share, most) + <f32>2 * f32.EPSILON * far;
}

/**
 * Extent of the neighbour along m; for a mesh or heightfield that of the cluster. An unknown cluster may be part of a
 * seam.
 */
function topOf(c: SeamContact, m: v128): f32 {
  if (c.cluster == SOME) return -Infinity;
  return c.cluster == WHOLE ? top(shapeAt(c.shape), m) : clusterTop(c.cluster, m);
}

/** Extent of a convex shape along the unit vector m, in the world. */
function top(s: Shape, m: v128): f32 {
  const p = support(s, rotateInverse(s.rotation, m));
  return dot(add(s.position, rotate(s.rotation, p)), m) + coreRadius(s);
}

/** @inline */
function bottomOf(s: Shape, m: v128): f32 {
  return -top(s, neg(m));
}

/** Whether the two neighbours move together, compared with M. Otherwise one of them moves past the other. */
function goTogether(q: SeamContact, c: SeamContact): bool {
  const apart = lengthSquared(sub(q.velocity, c.velocity));
  if (apart == 0) return true;
  const body = shapeAt(c.own).body;
  const v = sub(velocityAt(body).linear, c.velocity);
  return <f32>4 * apart <= lengthSquared(v);
}
