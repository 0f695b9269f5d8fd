// Ray against a triangle mesh, a heightfield or one triangle. In: origin and delta (fraction 1) in the shape's own
// frame, f64, unscaled. Out: the fraction of the first hit, the normal and the triangle. A triangle is hit if the three
// triple products of the ray with its sides agree in sign. They are evaluated so that two triangles get exactly
// opposite values for a shared side, so no ray passes between them.

import { x, y, z } from '../math/vector';
import { CELL_FLIPPED, CELL_HOLE } from '../memory/constants';
import { HeightfieldGeometry, MeshGeometry, MeshNode } from '../memory/records';
import { Cell, Corners, Vector64 } from '../memory/values';
import { fieldCell, fieldHeights, fieldPoint } from '../shapes/heightfield';
import { MESH_NODE_SIZE, meshNeighbours, meshNodes, meshTriangles, meshVertices } from '../shapes/mesh';
import { MISS, ROUNDING } from '../tolerances';

/** Origin and delta, six f64. */
const SURFACE_RAY: usize = memory.data(48, 8);
/** Normal, three f64 of any length; fraction; then i32: triangle. */
const SURFACE_HIT: usize = memory.data(40, 8);
const FRACTION: usize = 24;
const TRIANGLE: usize = 32;
/** Stack entry: distance f32, child i32. */
const STACK: usize = memory.data(8 * 512, 16);
const ENTERS: usize = memory.data(16, 16);

/** @inline */
function along(at: usize): f64 {
  return load<f64>(SURFACE_RAY + at);
}

export function startSurfaceRay(origin: Vector64, delta: Vector64, most: f64): void {
  store<f64>(SURFACE_RAY, origin.x);
  store<f64>(SURFACE_RAY, origin.y, 8);
  store<f64>(SURFACE_RAY, origin.z, 16);
  store<f64>(SURFACE_RAY, delta.x, 24);
  store<f64>(SURFACE_RAY, delta.y, 32);
  store<f64>(SURFACE_RAY, delta.z, 40);
  store<f64>(SURFACE_HIT, most, FRACTION);
  store<i32>(SURFACE_HIT, -1, TRIANGLE);
}

/** @inline */
export function surfaceTriangle(): i32 {
  return load<i32>(SURFACE_HIT, TRIANGLE);
}
/** @inline */
export function surfaceFraction(): f64 {
  return surfaceTriangle() < 0 ? MISS : load<f64>(SURFACE_HIT, FRACTION);
}
/** @inline */
export function surfaceNormal(axis: usize): f64 {
  return load<f64>(SURFACE_HIT + (axis << 3));
}

/**
 * Keeps the hit if it is the first so far; at equal fractions that of the lower triangle. `front`: 0 both sides, else
 * its sign.
 */
export function tryTriangle(corners: Corners, triangle: i32, front: i32): void {
  const a = corners.a;
  const b = corners.b;
  const c = corners.c;
  const ox = along(0);
  const oy = along(8);
  const oz = along(16);
  const dx = along(24);
  const dy = along(32);
  const dz = along(40);
  const ax = <f64>x(a) - ox;
  const ay = <f64>y(a) - oy;
  const az = <f64>z(a) - oz;
  const bx = <f64>x(b) - ox;
  const by = <f64>y(b) - oy;
  const bz = <f64>z(b) - oz;
  const cx = <f64>x(c) - ox;
  const cy = <f64>y(c) - oy;
  const cz = <f64>z(c) - oz;
  const u = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
  const v = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax);
  const w = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return;
  const ex = bx - ax;
  const ey = by - ay;
  const ez = bz - az;
  const fx = cx - ax;
  const fy = cy - ay;
  const fz = cz - az;
  const nx = ey * fz - ez * fy;
  const ny = ez * fx - ex * fz;
  const nz = ex * fy - ey * fx;
  const rise = nx * dx + ny * dy + nz * dz;
  if (rise == 0) return;
  // Moving along the normal means a hit from the back.
  if (front != 0 && rise * <f64>front > 0) return;
  const t = (nx * ax + ny * ay + nz * az) / rise;
  const best = load<f64>(SURFACE_HIT, FRACTION);
  if (!(t >= 0 && t <= best) || (t == best && surfaceTriangle() >= 0 && triangle > surfaceTriangle())) return;
  const side: f64 = rise > 0 ? -1 : 1;
  store<f64>(SURFACE_HIT, nx * side);
  store<f64>(SURFACE_HIT, ny * side, 8);
  store<f64>(SURFACE_HIT, nz * side, 16);
  store<f64>(SURFACE_HIT, t, FRACTION);
  store<i32>(SURFACE_HIT, triangle, TRIANGLE);
}

/** The part of the ray between two planes of an axis: narrows first and last, f64 at SPAN. */
const SPAN: usize = memory.data(16, 8);
function clipAxis(o: f64, d: f64, lo: f64, hi: f64): void {
  if (d == 0) {
    if (o < lo || o > hi) store<f64>(SPAN, 1e300);
    return;
  }
  const a = (lo - o) / d;
  const b = (hi - o) / d;
  store<f64>(SPAN, max(load<f64>(SPAN), min(a, b)));
  store<f64>(SPAN, min(load<f64>(SPAN, 8), max(a, b)), 8);
}

/** @inline */
function slope(d: f64): f32 {
  const f = <f32>d;
  return abs(f) < <f32>1e-20 ? <f32>1e20 : <f32>1 / f;
}

/** Against a mesh. */
export function rayMesh(m: MeshGeometry, front: i32): void {
  // Starts where the ray meets the bounds, so that f32 is accurate enough for the boxes.
  const lo = m.boundsMin;
  const hi = m.boundsMax;
  const pad = <f64>ROUNDING * <f64>m.radius;
  store<f64>(SPAN, 0);
  store<f64>(SPAN, load<f64>(SURFACE_HIT, FRACTION), 8);
  clipAxis(along(0), along(24), <f64>x(lo) - pad, <f64>x(hi) + pad);
  clipAxis(along(8), along(32), <f64>y(lo) - pad, <f64>y(hi) + pad);
  clipAxis(along(16), along(40), <f64>z(lo) - pad, <f64>z(hi) + pad);
  const first = load<f64>(SPAN);
  if (!(first <= load<f64>(SPAN, 8))) return;
  const fromX = f32x4.splat(<f32>(along(0) + first * along(24)));
  const fromY = f32x4.splat(<f32>(along(8) + first * along(32)));
  const fromZ = f32x4.splat(<f32>(along(16) + first * along(40)));
  const slopeX = slope(along(24));
  const slopeY = slope(along(32));
  const slopeZ = slope(along(40));
  const nearX: usize = slopeX > 0 ? offsetof<MeshNode>('minX') : offsetof<MeshNode>('maxX');
  const nearY: usize = slopeY > 0 ? offsetof<MeshNode>('minY') : offsetof<MeshNode>('maxY');
  const nearZ: usize = slopeZ > 0 ? offsetof<MeshNode>('minZ') : offsetof<MeshNode>('maxZ');
  const farX: usize = offsetof<MeshNode>('minX') + offsetof<MeshNode>('maxX') - nearX;
  const farY: usize = offsetof<MeshNode>('minY') + offsetof<MeshNode>('maxY') - nearY;
  const farZ: usize = offsetof<MeshNode>('minZ') + offsetof<MeshNode>('maxZ') - nearZ;
  const padX = f32x4.splat(slopeX > 0 ? <f32>pad : -(<f32>pad));
  const padY = f32x4.splat(slopeY > 0 ? <f32>pad : -(<f32>pad));
  const padZ = f32x4.splat(slopeZ > 0 ? <f32>pad : -(<f32>pad));
  const inverseX = f32x4.splat(slopeX);
  const inverseY = f32x4.splat(slopeY);
  const inverseZ = f32x4.splat(slopeZ);
  // Near planes are moved towards the ray's origin, far ones away from it.
  const nearFromX = f32x4.add(fromX, padX);
  const nearFromY = f32x4.add(fromY, padY);
  const nearFromZ = f32x4.add(fromZ, padZ);
  const farFromX = f32x4.sub(fromX, padX);
  const farFromY = f32x4.sub(fromY, padY);
  const farFromZ = f32x4.sub(fromZ, padZ);
  const nodes = meshNodes(m);
  let top = STACK;
  let node = nodes;
  while (true) {
    const reach = <f32>(load<f64>(SURFACE_HIT, FRACTION) - first) * <f32>1.000001;
    const enterX = f32x4.mul(f32x4.sub(v128.load(node + nearX), nearFromX), inverseX);
    const enterY = f32x4.mul(f32x4.sub(v128.load(node + nearY), nearFromY), inverseY);
    const enterZ = f32x4.mul(f32x4.sub(v128.load(node + nearZ), nearFromZ), inverseZ);
    const leaveX = f32x4.mul(f32x4.sub(v128.load(node + farX), farFromX), inverseX);
    const leaveY = f32x4.mul(f32x4.sub(v128.load(node + farY), farFromY), inverseY);
    const leaveZ = f32x4.mul(f32x4.sub(v128.load(node + farZ), farFromZ), inverseZ);
    const enter = f32x4.pmax(f32x4.pmax(enterX, enterY), f32x4.pmax(enterZ, f32x4.splat(0)));
    const leave = f32x4.mul(f32x4.pmin(f32x4.pmin(leaveX, leaveY), leaveZ), f32x4.splat(1.000001));
    let lanes = i32x4.bitmask(f32x4.le(enter, f32x4.pmin(leave, f32x4.splat(reach))));
    v128.store(ENTERS, enter);
    const base = top;
    while (lanes != 0) {
      const lane = (<usize>ctz(lanes)) << 2;
      lanes &= lanes - 1;
      const child = load<i32>(node + lane, offsetof<MeshNode>('child'));
      if (child == 0) continue;
      // Sort with the farthest at the bottom.
      const distance = load<f32>(ENTERS + lane);
      let at = top;
      while (at != base && load<f32>(at - 8) < distance) {
        store<u64>(at, load<u64>(at - 8));
        at -= 8;
      }
      store<f32>(at, distance);
      store<i32>(at, child, 4);
      top += 8;
    }
    // Go to the next node; leaves before it are tested at once.
    let found = false;
    while (top != STACK) {
      top -= 8;
      if (<f64>load<f32>(top) + first > load<f64>(SURFACE_HIT, FRACTION) * 1.000001 + 1e-12) continue;
      const child = load<i32>(top, 4);
      if (child > 0) {
        node = nodes + <usize>child * MESH_NODE_SIZE;
        found = true;
        break;
      }
      const leaf = -child - 1;
      const last = (leaf >> 3) + (leaf & 7);
      for (let t = leaf >> 3; t <= last; t++) rayMeshTriangle(m, t, front);
    }
    if (!found) break;
  }
  const hit = surfaceTriangle();
  // Convert to the user's triangle number.
  if (hit >= 0) store<i32>(SURFACE_HIT, load<i32>(meshNeighbours(m) + ((<usize>hit) << 4), 12), TRIANGLE);
}

function rayMeshTriangle(m: MeshGeometry, t: i32, front: i32): void {
  const at = meshTriangles(m) + ((<usize>t) << 4);
  const vertices = meshVertices(m);
  tryTriangle(
    new Corners(
      v128.load(vertices + ((<usize>load<u32>(at)) << 4)),
      v128.load(vertices + ((<usize>load<u32>(at, 4)) << 4)),
      v128.load(vertices + ((<usize>load<u32>(at, 8)) << 4)),
    ),
    t,
    front,
  );
}

/** Ray against a heightfield: one line of cells after another along the axis with the larger motion. */
export function rayField(h: HeightfieldGeometry, front: i32): void {
  const columns = h.columns - 1;
  const rows = h.rows - 1;
  // The heightfield's axes: across columns, up, along rows.
  const upAt: usize = (<usize>h.upAxis) << 3;
  const acrossAt: usize = h.upAxis == 0 ? 8 : 0;
  const alongAt: usize = h.upAxis == 2 ? 8 : 16;
  const perX: f64 = 1 / <f64>h.spacingX;
  const perZ: f64 = 1 / <f64>h.spacingZ;
  // In cells; heights in metres.
  const ox = along(acrossAt) * perX + 0.5 * <f64>columns;
  const oz = along(alongAt) * perZ + 0.5 * <f64>rows;
  const oy = along(upAt);
  const dx = along(24 + acrossAt) * perX;
  const dz = along(24 + alongAt) * perZ;
  const dy = along(24 + upAt);
  const pad = <f64>ROUNDING * (<f64>abs(h.minHeight) + <f64>abs(h.maxHeight) + <f64>h.spacingX);
  store<f64>(SPAN, 0);
  store<f64>(SPAN, load<f64>(SURFACE_HIT, FRACTION), 8);
  clipAxis(ox, dx, -1e-6, <f64>columns + 1e-6);
  clipAxis(oz, dz, -1e-6, <f64>rows + 1e-6);
  clipAxis(oy, dy, <f64>h.minHeight - pad, <f64>h.maxHeight + pad);
  const first = load<f64>(SPAN);
  const last = load<f64>(SPAN, 8);
  if (!(first <= last)) return;
  const alongRows = abs(dz) > abs(dx);
  // Major and minor coordinate.
  const oM = alongRows ? oz : ox;
  const dM = alongRows ? dz : dx;
  const om = alongRows ? ox : oz;
  const dm = alongRows ? dx : dz;
  const lines = alongRows ? rows : columns;
  const places = alongRows ? columns : rows;
  const start = oM + first * dM;
  const stop = oM + last * dM;
  const way = dM >= 0 ? 1 : -1;
  const end = clampCell(stop + <f64>way * 1e-6, lines);
  for (let line = clampCell(start - <f64>way * 1e-6, lines); ; line += way) {
    // The part of the ray over this line of cells.
    let t0 = first;
    let t1 = last;
    if (dM != 0) {
      const enters = (<f64>(way > 0 ? line : line + 1) - oM) / dM;
      const leaves = (<f64>(way > 0 ? line + 1 : line) - oM) / dM;
      t0 = max(t0, enters - 1e-9);
      t1 = min(t1, leaves + 1e-9);
    }
    if (t0 > load<f64>(SURFACE_HIT, FRACTION)) break;
    const m0 = om + t0 * dm;
    const m1 = om + t1 * dm;
    const low = min(oy + t0 * dy, oy + t1 * dy) - pad;
    const high = max(oy + t0 * dy, oy + t1 * dy) + pad;
    const from = clampCell(min(m0, m1) - 1e-6, places);
    const to = clampCell(max(m0, m1) + 1e-6, places);
    for (let place = from; place <= to; place++)
      rayCell(h, new Cell(alongRows ? line : place, alongRows ? place : line), new Heights(low, high), front);
    if (line == end) break;
  }
}

/** @inline */
function clampCell(place: f64, cells: i32): i32 {
  return <i32>max<f64>(0, min<f64>(<f64>(cells - 1), floor<f64>(place)));
}

/** @value */
class Heights {
  low: f64;
  high: f64;
}

function rayCell(h: HeightfieldGeometry, cell: Cell, heights: Heights, front: i32): void {
  const row = cell.row;
  const column = cell.column;
  const at = fieldHeights(h) + ((<usize>(row * h.columns + column)) << 2);
  const next = at + ((<usize>h.columns) << 2);
  const least = min(min(load<f32>(at), load<f32>(at, 4)), min(load<f32>(next), load<f32>(next, 4)));
  const most = max(max(load<f32>(at), load<f32>(at, 4)), max(load<f32>(next), load<f32>(next, 4)));
  if (<f64>least > heights.high || <f64>most < heights.low) return;
  const bits = fieldCell(h, row, column);
  if (bits & CELL_HOLE) return;
  const triangle = 2 * (row * (h.columns - 1) + column);
  // With up along y the corners are counter-clockwise seen from above, otherwise clockwise.
  const side = h.upAxis == 1 ? front : -front;
  const p00 = fieldPoint(h, row, column);
  const p01 = fieldPoint(h, row, column + 1);
  const p10 = fieldPoint(h, row + 1, column);
  const p11 = fieldPoint(h, row + 1, column + 1);
  if (bits & CELL_FLIPPED) {
    tryTriangle(new Corners(p00, p10, p11), triangle, side);
    tryTriangle(new Corners(p00, p11, p01), triangle + 1, side);
  } else {
    tryTriangle(new Corners(p00, p10, p01), triangle, side);
    tryTriangle(new Corners(p01, p10, p11), triangle + 1, side);
  }
}
