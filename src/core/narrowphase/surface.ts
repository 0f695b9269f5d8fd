// A mesh or heightfield in the frame of a nearby convex shape, the observer. In: the surface, the observer's pose. Out:
// the triangles in a box, always in the same order; their corners in the observer's frame; the neighbours beyond their
// edges and around their corners.

import {
  abs3,
  conjugate,
  cross,
  dot,
  mulQuat,
  normalizeOr,
  rotate,
  rotateInverse,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
} from '../math/vector';
import { reallocate } from '../memory/allocator';
import {
  CELL_FLIPPED,
  CELL_HOLE,
  CELL_MATERIAL_SHIFT,
  CONCAVE_ONE_SIDED,
  SHAPE_MESH,
  TILE_CELLS,
  TRIANGLE_MATERIAL_SHIFT,
} from '../memory/constants';
import { HeightfieldGeometry, MeshGeometry, MeshNode, Shape } from '../memory/records';
import { grownCapacity, setWord, wordAt, world } from '../memory/tables';
import { fieldCell, fieldPoint, fieldTiles } from '../shapes/heightfield';
import { MESH_NODE_SIZE, meshNeighbours, meshNodes, meshTriangles, meshVertices } from '../shapes/mesh';
import { quatAxisX, quatAxisY, quatAxisZ } from '../shapes/shape';
import { INFINITE, RISING, ROUNDING } from '../tolerances';
import { greatestOf, leastOf } from './lanes';

/** Maximum number of triangles around a corner that are examined. */
const MOST_AROUND: i32 = 64;
const STACK: usize = memory.data(4 * 512, 16);

/** Results of tests of neighbours. */
const FALLS: i32 = 0; // no neighbour rises above the tangent plane: a ridge
export const RISES: i32 = 1;
export const BORDER: i32 = 2; // no neighbour rises, and one side has no neighbour

/** @unmanaged */
export class Surface {
  axisX: v128; // of the surface, in the observer's frame
  axisY: v128;
  axisZ: v128;
  origin: v128; // of the observer, in the surface's frame
  scaling: v128;
  rotation: v128; // of the surface, in the world
  geometry: u32;
  isMesh: i32;
  mirror: f32; // −1 if mirroring reverses the order of corners
  oneSided: i32;
  apart: f32; // m. If gatherTriangles found none: a lower bound of the distance from its box to the surface
}
export const SURFACE_SIZE: usize = offsetof<Surface>();

/** @inline */
function meshOf(s: Surface): MeshGeometry {
  return changetype<MeshGeometry>(<usize>s.geometry);
}
/** @inline */
function fieldOf(s: Surface): HeightfieldGeometry {
  return changetype<HeightfieldGeometry>(<usize>s.geometry);
}

/** Sets up the surface as seen from a pose. */
export function setSurface(s: Surface, shape: Shape, position: v128, rotation: v128): void {
  const q = mulQuat(conjugate(rotation), shape.rotation);
  s.axisX = quatAxisX(q);
  s.axisY = quatAxisY(q);
  s.axisZ = quatAxisZ(q);
  s.origin = rotateInverse(shape.rotation, sub(position, shape.position));
  s.scaling = vec3(shape.param0, shape.param1, shape.param2);
  s.rotation = shape.rotation;
  s.geometry = shape.geometry;
  s.isMesh = shape.type == SHAPE_MESH ? 1 : 0;
  s.mirror = shape.param0 * shape.param1 * shape.param2 < 0 ? -1 : 1;
  if (s.isMesh) {
    s.oneSided = meshOf(s).flags & CONCAVE_ONE_SIDED;
  } else {
    s.oneSided = fieldOf(s).flags & CONCAVE_ONE_SIDED;
    if (fieldOf(s).upAxis != 1) s.mirror = -s.mirror; // this order of axes is a reflection
  }
}

// --- corners ---

/** Of a heightfield: the grid point at a corner, row << 32 | column. */
function gridPoint(h: HeightfieldGeometry, triangle: i32, corner: i32): i64 {
  const cell = triangle >> 1;
  const row = cell / (h.columns - 1);
  const column = cell - row * (h.columns - 1);
  const bits = cornersOf(h, triangle, row, column) >> (2 * corner);
  return ((<i64>(row + ((bits >> 1) & 1))) << 32) | <i64>(column + (bits & 1));
}

/** Two bits per corner, next row << 1 | next column: 00, 10, 01 and 01, 10, 11; flipped 00, 10, 11 and 00, 11, 01. @inline */
function cornersOf(h: HeightfieldGeometry, triangle: i32, row: i32, column: i32): i32 {
  const second = triangle & 1;
  if (fieldCell(h, row, column) & CELL_FLIPPED) return second ? 0b01_11_00 : 0b11_10_00;
  return second ? 0b11_10_01 : 0b01_10_00;
}

/** A corner in the surface's own frame, scaled. */
function ownCorner(s: Surface, triangle: i32, corner: i32): v128 {
  let p: v128;
  if (s.isMesh) {
    const m = meshOf(s);
    const vertex = load<i32>(meshTriangles(m) + ((<usize>triangle) << 4) + ((<usize>corner) << 2));
    p = v128.load(meshVertices(m) + ((<usize>vertex) << 4));
  } else {
    const at = gridPoint(fieldOf(s), triangle, corner);
    p = fieldPoint(fieldOf(s), <i32>(at >> 32), <i32>at);
  }
  return f32x4.mul(p, s.scaling);
}

/** Writes the corners in the surface's own frame, not scaled: corner 1 is 64 bytes behind corner 0, and corner 2 behind that. */
export function ownCorners(s: Surface, triangle: i32, to: usize): void {
  if (s.isMesh) {
    const vertices = meshVertices(meshOf(s));
    const at = meshTriangles(meshOf(s)) + ((<usize>triangle) << 4);
    v128.store(to, v128.load(vertices + ((<usize>load<u32>(at)) << 4)));
    v128.store(to, v128.load(vertices + ((<usize>load<u32>(at, 4)) << 4)), 64);
    v128.store(to, v128.load(vertices + ((<usize>load<u32>(at, 8)) << 4)), 128);
    return;
  }
  const h = fieldOf(s);
  const cell = triangle >> 1;
  const row = cell / (h.columns - 1);
  const column = cell - row * (h.columns - 1);
  let bits = cornersOf(h, triangle, row, column);
  for (let corner = 0; corner < 3; corner++) {
    v128.store(to, fieldPoint(h, row + ((bits >> 1) & 1), column + (bits & 1)));
    to += 64;
    bits >>= 2;
  }
}

/** Transforms from the surface's own frame to the observer's. @inline */
function observed(s: Surface, own: v128): v128 {
  const p = f32x4.sub(own, s.origin);
  const px = f32x4.mul(s.axisX, v128.shuffle<f32>(p, p, 0, 0, 0, 0));
  const py = f32x4.mul(s.axisY, v128.shuffle<f32>(p, p, 1, 1, 1, 1));
  const pz = f32x4.mul(s.axisZ, v128.shuffle<f32>(p, p, 2, 2, 2, 2));
  return f32x4.add(f32x4.add(px, py), pz);
}

/** A corner in the observer's frame. */
export function cornerAt(s: Surface, triangle: i32, corner: i32): v128 {
  return observed(s, ownCorner(s, triangle, corner));
}

/** The front's unit normal in the world, as exact as the rotation allows. */
export function worldNormal(s: Surface, triangle: i32): v128 {
  const a = ownCorner(s, triangle, 0);
  const n = cross(sub(ownCorner(s, triangle, 1), a), sub(ownCorner(s, triangle, 2), a));
  return rotate(s.rotation, f32x4.mul(normalizeOr(n, vec3(0, 1, 0)), f32x4.splat(s.mirror)));
}

/** Index of the triangle's material. */
export function materialOf(s: Surface, triangle: i32): i32 {
  if (s.isMesh)
    return (
      (load<i32>(meshTriangles(meshOf(s)) + ((<usize>triangle) << 4), 12) >> TRIANGLE_MATERIAL_SHIFT) & 255
    );
  const cell = triangle >> 1;
  const columns = fieldOf(s).columns - 1;
  return fieldCell(fieldOf(s), cell / columns, cell % columns) >> CELL_MATERIAL_SHIFT;
}

/** The number of a triangle in the user's order. */
export function userTriangle(s: Surface, triangle: i32): i32 {
  return s.isMesh ? load<i32>(meshNeighbours(meshOf(s)) + ((<usize>triangle) << 4), 12) : triangle;
}

/** Bit per edge that may be a ridge, seen from the front. */
export function activeEdges(s: Surface, triangle: i32): i32 {
  return s.isMesh ? load<i32>(meshTriangles(meshOf(s)) + ((<usize>triangle) << 4), 12) & 7 : 7;
}

// --- neighbours ---

/** The triangle of a heightfield cell on one side: 0 left, 1 right, 2 first row, 3 next row. */
function sideOf(h: HeightfieldGeometry, row: i32, column: i32, side: i32): i32 {
  if (row < 0 || column < 0 || row >= h.rows - 1 || column >= h.columns - 1) return -1;
  const bits = fieldCell(h, row, column);
  if (bits & CELL_HOLE) return -1;
  const flipped = (bits & CELL_FLIPPED) >> 1;
  const k = side < 2 ? side : side == 2 ? flipped : 1 - flipped;
  return 2 * (row * (h.columns - 1) + column) + k;
}

/** The triangle beyond edge 0, 1 or 2, or −1. */
export function neighbourOf(s: Surface, triangle: i32, edge: i32): i32 {
  if (s.isMesh) return load<i32>(meshNeighbours(meshOf(s)) + ((<usize>triangle) << 4) + ((<usize>edge) << 2));
  const h = fieldOf(s);
  const a = gridPoint(h, triangle, edge);
  const b = gridPoint(h, triangle, edge == 2 ? 0 : edge + 1);
  const cell = triangle >> 1;
  const row = cell / (h.columns - 1);
  const column = cell - row * (h.columns - 1);
  if (<i32>a == <i32>b)
    return <i32>a == column ? sideOf(h, row, column - 1, 1) : sideOf(h, row, column + 1, 0);
  if (a >> 32 == b >> 32)
    return <i32>(a >> 32) == row ? sideOf(h, row - 1, column, 3) : sideOf(h, row + 1, column, 2);
  return triangle ^ 1;
}

/** The plane in which a convex shape touches a surface at one point. @unmanaged */
export class TangentPlane {
  point: v128;
  normal: v128; // unit, out of the surface
  size: f32; // m, of the convex shape: the unit of the tolerances
}
const TANGENT_PLANE: usize = memory.data(offsetof<TangentPlane>(), 16);

/** There is one such plane at a time. @inline */
export function tangentPlane(point: v128, normal: v128, size: f32): TangentPlane {
  const plane = changetype<TangentPlane>(TANGENT_PLANE);
  plane.point = point;
  plane.normal = normal;
  plane.size = size;
  return plane;
}

/** @inline */
function isAbove(plane: TangentPlane, p: v128): bool {
  const r = sub(p, plane.point);
  const rise = dot(plane.normal, r) - ROUNDING * plane.size;
  return rise > 0 && rise * rise > RISING * RISING * dot(r, r);
}

/** Whether the triangle rises above a tangent plane. */
export function triangleRises(s: Surface, triangle: i32, plane: TangentPlane): bool {
  return (
    isAbove(plane, cornerAt(s, triangle, 0)) ||
    isAbove(plane, cornerAt(s, triangle, 1)) ||
    isAbove(plane, cornerAt(s, triangle, 2))
  );
}

/** Whether the surface beyond an edge rises or falls, seen from the tangent plane at a point of that edge. */
export function beyondEdge(s: Surface, triangle: i32, edge: i32, plane: TangentPlane): i32 {
  const next = neighbourOf(s, triangle, edge);
  if (next < 0) return BORDER;
  return triangleRises(s, next, plane) ? RISES : FALLS;
}

/** Id of a vertex: equal for the same corner of different triangles. @inline */
function vertexOf(s: Surface, triangle: i32, corner: i32): i64 {
  return s.isMesh
    ? <i64>load<i32>(meshTriangles(meshOf(s)) + ((<usize>triangle) << 4) + ((<usize>corner) << 2))
    : gridPoint(fieldOf(s), triangle, corner);
}

/**
 * Whether the surface around a corner rises or falls, seen from the tangent plane there: visits its triangles one way
 * round, and at a border the other way.
 */
export function aroundCorner(s: Surface, triangle: i32, corner: i32, plane: TangentPlane): i32 {
  const vertex = vertexOf(s, triangle, corner);
  for (let way = 0; way < 2; way++) {
    let last = triangle;
    let at = neighbourOf(s, triangle, way == 0 ? (corner + 2) % 3 : corner);
    for (let steps = 0; at >= 0; steps++) {
      if (at == triangle || steps == MOST_AROUND) return FALLS;
      if (triangleRises(s, at, plane)) return RISES;
      let k = 0;
      while (k < 2 && vertexOf(s, at, k) != vertex) k++;
      // Go on and not back, whatever the order of the neighbour's corners.
      let next = neighbourOf(s, at, (k + 2) % 3);
      if (next == last) next = neighbourOf(s, at, k);
      last = at;
      at = next;
    }
  }
  return BORDER;
}

// --- triangles in a box ---

/**
 * Appends the triangles that intersect a box in the surface's frame to World.triangles at index `end`. Returns the new
 * end; see s.apart, too.
 */
export function gatherTriangles(s: Surface, lo: v128, hi: v128, end: i32): i32 {
  // Remove the scale; mirrored axes swap their bounds.
  const a = f32x4.div(lo, f32x4.replace_lane(s.scaling, 3, 1));
  const b = f32x4.div(hi, f32x4.replace_lane(s.scaling, 3, 1));
  const from = f32x4.replace_lane(f32x4.pmin(a, b), 3, -1);
  const to = f32x4.replace_lane(f32x4.pmax(a, b), 3, 1);
  const scales = abs3(s.scaling);
  s.apart = min(x(scales), min(y(scales), z(scales)));
  return s.isMesh ? gatherMesh(s, from, to, end) : gatherField(s, from, to, end);
}

/** Makes room for so many triangles, and returns the address of the list. */
function roomFor(count: i32): u32 {
  const g = world();
  if (count > g.triangleCapacity) {
    const capacity = grownCapacity(g.triangleCapacity, count);
    g.triangles = reallocate(g.triangles, (<usize>g.triangleCapacity) << 2, (<usize>capacity) << 2);
    g.triangleCapacity = capacity;
  }
  return g.triangles;
}

/** Most triangles of a leaf of a mesh's tree. */
const LEAF_TRIANGLES: i32 = 8;

function gatherMesh(s: Surface, lo: v128, hi: v128, start: i32): i32 {
  const m = meshOf(s);
  let end = start;
  const loX = v128.shuffle<f32>(lo, lo, 0, 0, 0, 0);
  const loY = v128.shuffle<f32>(lo, lo, 1, 1, 1, 1);
  const loZ = v128.shuffle<f32>(lo, lo, 2, 2, 2, 2);
  const hiX = v128.shuffle<f32>(hi, hi, 0, 0, 0, 0);
  const hiY = v128.shuffle<f32>(hi, hi, 1, 1, 1, 1);
  const hiZ = v128.shuffle<f32>(hi, hi, 2, 2, 2, 2);
  const nodes = meshNodes(m);
  const triangles = meshTriangles(m);
  const vertices = meshVertices(m);
  let apart = f32x4.splat(INFINITE);
  let top = STACK;
  let node = nodes;
  while (true) {
    const n = changetype<MeshNode>(node);
    // The largest gap along an axis: above 0 exactly if the boxes do not meet.
    const gapX = f32x4.pmax(f32x4.sub(n.minX, hiX), f32x4.sub(loX, n.maxX));
    const gapY = f32x4.pmax(f32x4.sub(n.minY, hiY), f32x4.sub(loY, n.maxY));
    const gapZ = f32x4.pmax(f32x4.sub(n.minZ, hiZ), f32x4.sub(loZ, n.maxZ));
    const gap = f32x4.pmax(gapX, f32x4.pmax(gapY, gapZ));
    const inside = f32x4.le(gap, f32x4.splat(0));
    apart = f32x4.pmin(apart, v128.bitselect(apart, gap, inside));
    let lanes = i32x4.bitmask(inside);
    while (lanes != 0) {
      const child = load<i32>(node + ((<usize>ctz(lanes)) << 2), offsetof<MeshNode>('child'));
      lanes &= lanes - 1;
      if (child > 0) {
        store<u32>(top, <u32>(nodes + <usize>child * MESH_NODE_SIZE));
        top += 4;
      } else if (child < 0) {
        const leaf = -child - 1;
        const list = roomFor(end + LEAF_TRIANGLES);
        let t = leaf >> 3;
        const last = t + (leaf & 7);
        for (; t <= last; t++) {
          const at = triangles + ((<usize>t) << 4);
          const v0 = v128.load(vertices + ((<usize>load<u32>(at)) << 4));
          const v1 = v128.load(vertices + ((<usize>load<u32>(at, 4)) << 4));
          const v2 = v128.load(vertices + ((<usize>load<u32>(at, 8)) << 4));
          const least = f32x4.pmin(f32x4.pmin(v0, v1), v2);
          const most = f32x4.pmax(f32x4.pmax(v0, v1), v2);
          const beyond = f32x4.pmax(f32x4.sub(least, hi), f32x4.sub(lo, most));
          if (!v128.any_true(f32x4.gt(beyond, f32x4.splat(0)))) setWord(list, end++, t);
          else if (end == start) apart = f32x4.pmin(apart, splat(greatestOf(beyond)));
        }
      }
    }
    if (top == STACK) {
      s.apart = end == start ? s.apart * leastOf(apart) : 0;
      return end;
    }
    top -= 4;
    node = <usize>load<u32>(top);
  }
}

/** Component of a vector across the columns, upwards or along the rows of a heightfield. @inline */
function across(h: HeightfieldGeometry, v: v128): f32 {
  return h.upAxis == 0 ? y(v) : x(v);
}
/** @inline */
function upwards(h: HeightfieldGeometry, v: v128): f32 {
  return h.upAxis == 0 ? x(v) : h.upAxis == 1 ? y(v) : z(v);
}
/** @inline */
function along(h: HeightfieldGeometry, v: v128): f32 {
  return h.upAxis == 2 ? y(v) : z(v);
}
/** The cell at a grid coordinate, clamped to the range. @inline */
function cellAt(place: f32, cells: i32): i32 {
  return <i32>max<f32>(0, min<f32>(<f32>(cells - 1), floor<f32>(place)));
}

function gatherField(s: Surface, lo: v128, hi: v128, end: i32): i32 {
  const h = fieldOf(s);
  const columns = h.columns - 1;
  const rows = h.rows - 1;
  const low = upwards(h, lo);
  const high = upwards(h, hi);
  s.apart *= max<f32>(0, max<f32>(low - h.maxHeight, h.minHeight - high));
  const halfColumns: f32 = <f32>0.5 * <f32>columns;
  const halfRows: f32 = <f32>0.5 * <f32>rows;
  const fromX = across(h, lo) / h.spacingX + halfColumns;
  const toX = across(h, hi) / h.spacingX + halfColumns;
  const fromZ = along(h, lo) / h.spacingZ + halfRows;
  const toZ = along(h, hi) / h.spacingZ + halfRows;
  if (low > h.maxHeight || high < h.minHeight || !(toX >= 0 && toZ >= 0)) return end;
  if (!(fromX <= <f32>columns && fromZ <= <f32>rows)) return end;
  const firstColumn = cellAt(fromX, columns);
  const lastColumn = cellAt(toX, columns);
  const firstRow = cellAt(fromZ, rows);
  const lastRow = cellAt(toZ, rows);
  const tileColumns = (columns + TILE_CELLS - 1) / TILE_CELLS;
  const tiles = h.tileCount > 0 ? fieldTiles(h) : 0;
  const heights = changetype<usize>(h) + offsetof<HeightfieldGeometry>();
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      if (tiles != 0 && (column == firstColumn || column % TILE_CELLS == 0)) {
        const tile = tiles + ((<usize>((row / TILE_CELLS) * tileColumns + column / TILE_CELLS)) << 3);
        if (load<f32>(tile) > high || load<f32>(tile, 4) < low) {
          column |= TILE_CELLS - 1;
          continue;
        }
      }
      const at = heights + ((<usize>(row * h.columns + column)) << 2);
      const h00 = load<f32>(at);
      const h01 = load<f32>(at, 4);
      const h10 = load<f32>(at + ((<usize>h.columns) << 2));
      const h11 = load<f32>(at + ((<usize>h.columns) << 2), 4);
      if (min(min(h00, h01), min(h10, h11)) > high || max(max(h00, h01), max(h10, h11)) < low) continue;
      const bits = fieldCell(h, row, column);
      if (bits & CELL_HOLE) continue;
      const triangle = 2 * (row * columns + column);
      const flipped = (bits & CELL_FLIPPED) != 0;
      // The third height of each triangle; the other two are on the diagonal.
      const d0 = flipped ? h00 : h01;
      const d1 = flipped ? h11 : h10;
      const first = flipped ? h10 : h00;
      const second = flipped ? h01 : h11;
      const least = min(d0, d1);
      const most = max(d0, d1);
      const list = roomFor(end + 2);
      if (min(least, first) <= high && max(most, first) >= low) setWord(list, end++, triangle);
      if (min(least, second) <= high && max(most, second) >= low) setWord(list, end++, triangle + 1);
    }
  }
  return end;
}

/** The i-th gathered triangle. @inline */
export function gathered(i: i32): i32 {
  return wordAt(world().triangles, i);
}
