// The triangles of a mesh or heightfield that a box can meet, nearest first. In: a Surface (setSurface), a box in the
// surface's own frame, which rests or moves straight along `way`. Out: one triangle after another, with a lower bound
// of its distance from the box (m), or of the fraction of the way at which the two boxes meet.
//
//   startWalk(view, lo, hi, way);                                     // way = 0: by distance
//   for (let t = nextTriangle(best); t >= 0; t = nextTriangle(best))  // none is left whose bound exceeds `best`
//     best = min(best, exact(triangleShape(view, t, margin)));        // or cornerAt(view, t, 0 … 2)
//
// Own frame: axes of the surface's shape, m, scaled; for a world point rotateInverse(shape.rotation, p −
// shape.position). A shape that rotates is given as the box of all its poses. One walk at a time, and none while
// collideConcave runs: the heap is in World.triangles.

import { abs3, identityQuat, inverseSlope, length, splat, sub, vec3, x, y, z, zero } from '../math/vector';
import { reallocate } from '../memory/allocator';
import { CELL_FLIPPED, CELL_HOLE, SHAPE_TRIANGLE, TILE_CELLS } from '../memory/constants';
import { HeightfieldGeometry, MeshGeometry, MeshNode, PointGeometry, Shape } from '../memory/records';
import { grownCapacity, world } from '../memory/tables';
import { Cell, Corners } from '../memory/values';
import { fieldAxes, fieldCell, fieldPoint, fieldTiles } from '../shapes/heightfield';
import { MESH_NODE_SIZE, meshCorner, meshNodes } from '../shapes/mesh';
import { INFINITE, ROUNDING } from '../tolerances';
import { cornerAt, Surface } from './surface';

/** Heap entry: bound f32, kind i32, two numbers i32. */
const ENTRY_WORDS: i32 = 4;
// Kinds. From BLOCK on: blocks of a heightfield of 8 × 8 cells, 16 × 16, …; numbers: row and column of the block.
const OF_TRIANGLE: i32 = 0;
const OF_NODE: i32 = 1;
const OF_LEAF: i32 = 2;
const BLOCK: i32 = 3;

/** State of the walk; everything is unscaled. @unmanaged */
class Walk {
  lo: v128;
  hi: v128;
  slope: v128; // 1 / way
  scaling: v128; // absolute
  geometry: u32;
  isMesh: i32;
  moving: i32;
  count: i32; // entries in the heap
}
const WALK: usize = memory.data(80, 16);
const TRIANGLE: usize = memory.data(offsetof<Shape>(), 16);
const POINTS: usize = memory.data(offsetof<PointGeometry>() + 48, 16);

/** @inline */
function walk(): Walk {
  return changetype<Walk>(WALK);
}
/** @inline */
function meshOf(w: Walk): MeshGeometry {
  return changetype<MeshGeometry>(<usize>w.geometry);
}
/** @inline */
function fieldOf(w: Walk): HeightfieldGeometry {
  return changetype<HeightfieldGeometry>(<usize>w.geometry);
}
/** @inline */
function entryAt(i: i32): usize {
  return <usize>world().triangles + ((<usize>i) << 4);
}
/** @inline */
function boundAt(i: i32): f32 {
  return load<f32>(entryAt(i));
}

export function startWalk(s: Surface, lo: v128, hi: v128, way: v128): void {
  const w = walk();
  w.geometry = s.geometry;
  w.isMesh = s.isMesh;
  w.count = 0;
  const scaling = f32x4.replace_lane(s.scaling, 3, 1);
  const most = f32x4.pmax(abs3(lo), abs3(hi));
  const slack = splat(ROUNDING * max(x(most), max(y(most), z(most))));
  const a = f32x4.div(sub(lo, slack), scaling);
  const b = f32x4.div(f32x4.add(hi, slack), scaling);
  w.lo = f32x4.pmin(a, b);
  w.hi = f32x4.pmax(a, b);
  w.scaling = abs3(scaling);
  w.moving = v128.any_true(f32x4.ne(f32x4.replace_lane(way, 3, 0), zero())) ? 1 : 0;
  const d = f32x4.div(way, scaling);
  w.slope = vec3(inverseSlope(x(d)), inverseSlope(y(d)), inverseSlope(z(d)));
  if (s.isMesh) return push(0, OF_NODE, 0, 0);
  let level = 0;
  while (TILE_CELLS << level < max(fieldOf(w).rows, fieldOf(w).columns) - 1) level++;
  push(0, BLOCK + level, 0, 0);
}

/** The next triangle, in the surface's own numbering, whose bound is at most `limit`; −1 at the end. */
export function nextTriangle(limit: f32): i32 {
  const w = walk();
  while (w.count > 0) {
    const first = entryAt(0);
    if (!(load<f32>(first) <= limit)) return -1;
    const kind = load<i32>(first, 4);
    const a = load<i32>(first, 8);
    const b = load<i32>(first, 12);
    pop(w);
    if (kind == OF_TRIANGLE) return a;
    if (kind == OF_NODE) pushNode(w, a, limit);
    else if (kind == OF_LEAF) pushLeaf(w, a, limit);
    else if (kind > BLOCK) pushBlocks(w, kind - 1, new Cell(a, b), limit);
    else pushCells(w, a, b, limit);
  }
  return -1;
}

/** Triangle t of the surface as a convex shape in the observer's frame: position 0, no rotation. */
export function triangleShape(s: Surface, t: i32, margin: f32): Shape {
  let radius: f32 = 0;
  for (let i = 0; i < 3; i++) {
    const p = cornerAt(s, t, i);
    v128.store(POINTS + offsetof<PointGeometry>() + ((<usize>i) << 4), f32x4.replace_lane(p, 3, 0));
    radius = max(radius, length(p));
  }
  const points = changetype<PointGeometry>(POINTS);
  points.count = 3;
  points.least = 0;
  // Unit of the tolerances. Corners are exact, so a large triangle needs no larger tolerance.
  points.radius = <f32>1e-3 * radius;
  const shape = changetype<Shape>(TRIANGLE);
  shape.type = SHAPE_TRIANGLE;
  shape.geometry = <u32>POINTS;
  shape.margin = margin;
  shape.position = zero();
  shape.rotation = identityQuat();
  return shape;
}

// --- the heap: the least bound first, equal ones in the order of the tree ---

function push(bound: f32, kind: i32, a: i32, b: i32): void {
  const w = walk();
  const g = world();
  const words = (w.count + 1) * ENTRY_WORDS;
  if (words > g.triangleCapacity) {
    const capacity = grownCapacity(g.triangleCapacity, words);
    g.triangles = reallocate(g.triangles, (<usize>g.triangleCapacity) << 2, (<usize>capacity) << 2);
    g.triangleCapacity = capacity;
  }
  let i = w.count++;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (boundAt(parent) <= bound) break;
    v128.store(entryAt(i), v128.load(entryAt(parent)));
    i = parent;
  }
  const at = entryAt(i);
  store<f32>(at, bound);
  store<i32>(at, kind, 4);
  store<i32>(at, a, 8);
  store<i32>(at, b, 12);
}

function pop(w: Walk): void {
  const n = --w.count;
  const last = v128.load(entryAt(n));
  const bound = f32x4.extract_lane(last, 0);
  let i = 0;
  while (true) {
    let child = 2 * i + 1;
    if (child >= n) break;
    if (child + 1 < n && boundAt(child + 1) < boundAt(child)) child++;
    if (boundAt(child) >= bound) break;
    v128.store(entryAt(i), v128.load(entryAt(child)));
    i = child;
  }
  v128.store(entryAt(i), last);
}

// --- bounds ---

/** Lower bound for a box, INFINITE if the path does not meet it. */
function boundOf(w: Walk, lo: v128, hi: v128): f32 {
  if (!w.moving) {
    const gap = f32x4.pmax(zero(), f32x4.pmax(sub(lo, w.hi), sub(w.lo, hi)));
    return length(f32x4.mul(gap, w.scaling));
  }
  const forward = f32x4.gt(w.slope, zero());
  const near = f32x4.mul(sub(v128.bitselect(lo, hi, forward), v128.bitselect(w.hi, w.lo, forward)), w.slope);
  const far = f32x4.mul(sub(v128.bitselect(hi, lo, forward), v128.bitselect(w.lo, w.hi, forward)), w.slope);
  const enter = max<f32>(max<f32>(x(near), y(near)), max<f32>(z(near), 0));
  return enter <= min<f32>(min<f32>(x(far), y(far)), z(far)) ? enter : INFINITE;
}

function pushNode(w: Walk, node: i32, limit: f32): void {
  const n = meshNodes(meshOf(w)) + <usize>node * MESH_NODE_SIZE;
  for (let i: usize = 0; i < 16; i += 4) {
    const child = load<i32>(n + i, offsetof<MeshNode>('child'));
    if (child == 0) continue;
    const lo = vec3(
      load<f32>(n + i, offsetof<MeshNode>('minX')),
      load<f32>(n + i, offsetof<MeshNode>('minY')),
      load<f32>(n + i, offsetof<MeshNode>('minZ')),
    );
    const hi = vec3(
      load<f32>(n + i, offsetof<MeshNode>('maxX')),
      load<f32>(n + i, offsetof<MeshNode>('maxY')),
      load<f32>(n + i, offsetof<MeshNode>('maxZ')),
    );
    const bound = boundOf(w, lo, hi);
    if (bound <= limit) push(bound, child > 0 ? OF_NODE : OF_LEAF, child > 0 ? child : -child - 1, 0);
  }
}

function pushLeaf(w: Walk, leaf: i32, limit: f32): void {
  const last = (leaf >> 3) + (leaf & 7);
  const m = meshOf(w);
  for (let t = leaf >> 3; t <= last; t++)
    pushTriangle(w, t, new Corners(meshCorner(m, t, 0), meshCorner(m, t, 1), meshCorner(m, t, 2)), limit);
}

function pushTriangle(w: Walk, t: i32, corners: Corners, limit: f32): void {
  const p0 = corners.a;
  const p1 = corners.b;
  const p2 = corners.c;
  const bound = boundOf(w, f32x4.pmin(f32x4.pmin(p0, p1), p2), f32x4.pmax(f32x4.pmax(p0, p1), p2));
  if (bound <= limit) push(bound, OF_TRIANGLE, t, 0);
}

/** Pushes the four blocks of half the size. */
function pushBlocks(w: Walk, kind: i32, parent: Cell, limit: f32): void {
  const h = fieldOf(w);
  const size = TILE_CELLS << (kind - BLOCK);
  const tileColumns = (h.columns - 2 + TILE_CELLS) / TILE_CELLS;
  for (let i = 0; i < 4; i++) {
    const r = 2 * parent.row + (i >> 1);
    const c = 2 * parent.column + (i & 1);
    if (r * size >= h.rows - 1 || c * size >= h.columns - 1) continue;
    let low = h.minHeight;
    let high = h.maxHeight;
    if (kind == BLOCK && h.tileCount > 0) {
      const tile = fieldTiles(h) + ((<usize>(r * tileColumns + c)) << 3);
      low = load<f32>(tile);
      high = load<f32>(tile, 4);
    }
    const fromX = (<f32>(c * size) - <f32>0.5 * <f32>(h.columns - 1)) * h.spacingX;
    const fromZ = (<f32>(r * size) - <f32>0.5 * <f32>(h.rows - 1)) * h.spacingZ;
    const bound = boundOf(
      w,
      fieldAxes(h, fromX, low, fromZ),
      fieldAxes(h, fromX + <f32>size * h.spacingX, high, fromZ + <f32>size * h.spacingZ),
    );
    if (bound <= limit) push(bound, kind, r, c);
  }
}

/** Pushes the triangles of a block of 8 × 8 cells. */
function pushCells(w: Walk, row: i32, column: i32, limit: f32): void {
  const h = fieldOf(w);
  const lastRow = min((row + 1) * TILE_CELLS, h.rows - 1);
  const lastColumn = min((column + 1) * TILE_CELLS, h.columns - 1);
  for (let r = row * TILE_CELLS; r < lastRow; r++) {
    for (let c = column * TILE_CELLS; c < lastColumn; c++) {
      const bits = fieldCell(h, r, c);
      if (bits & CELL_HOLE) continue;
      const p00 = fieldPoint(h, r, c);
      const p01 = fieldPoint(h, r, c + 1);
      const p10 = fieldPoint(h, r + 1, c);
      const p11 = fieldPoint(h, r + 1, c + 1);
      const t = 2 * (r * (h.columns - 1) + c);
      const flipped = (bits & CELL_FLIPPED) != 0;
      pushTriangle(w, t, new Corners(p00, p10, flipped ? p11 : p01), limit);
      pushTriangle(w, t + 1, new Corners(flipped ? p00 : p01, p11, flipped ? p01 : p10), limit);
    }
  }
}
