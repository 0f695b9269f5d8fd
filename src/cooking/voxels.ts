// Voxelisation of a solid. In: triangles, the number of cells along the longest side. Out: the cells that the surface
// passes, the cells inside, and the distance of every other cell from the nearest of these. If the surface is not
// closed, cells that can be reached from outside through cells are outside.
import type { Vec3 } from '../base/math';

export const OUTSIDE = 0;
export const SURFACE = 1;
export const INSIDE = 2;

export interface Voxels {
  /** Cells along x, y, z; the outermost are outside. */
  size: Vec3;
  /** m: the corner of the first cell, and the side of each. */
  origin: Vec3;
  cell: number;
  /** OUTSIDE, SURFACE or INSIDE of x + size.x · (y + size.y · z). */
  cells: Uint8Array;
  /** Squared distance to the nearest cell that is not outside, in cells. */
  distance: Float64Array;
}

/** Corners of the triangles, in cells from the origin. */
interface Corners {
  points: Float64Array;
  indices: Int32Array;
}

/** Which grid to take: the longest side has `resolution` cells, and the solid lies in the middle of it. */
export function gridFor(
  points: Float64Array,
  indices: Int32Array,
  resolution: number,
): Omit<Voxels, 'cells' | 'distance'> {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const v of indices)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, points[3 * v + k]!);
      high[k] = Math.max(high[k]!, points[3 * v + k]!);
    }
  const longest = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const cell = longest / (resolution - 1);
  const size = low.map((c, k) => Math.ceil((high[k]! - c) / cell - 1e-9) + 3) as Vec3;
  const origin = low.map((c, k) => (c + high[k]! - size[k]! * cell) / 2) as Vec3;
  return { size, origin, cell };
}

/** Whether a triangle meets a box: the 13 axes of Akenine-Möller, Fast 3D Triangle-Box Overlap Testing (2001). */
function meets(
  t: Float64Array,
  cx: number,
  cy: number,
  cz: number,
  hx: number,
  hy: number,
  hz: number,
): boolean {
  const [ax, ay, az] = [t[0]! - cx, t[1]! - cy, t[2]! - cz];
  const [bx, by, bz] = [t[3]! - cx, t[4]! - cy, t[5]! - cz];
  const [dx, dy, dz] = [t[6]! - cx, t[7]! - cy, t[8]! - cz];
  if (Math.min(ax, bx, dx) > hx || Math.max(ax, bx, dx) < -hx) return false;
  if (Math.min(ay, by, dy) > hy || Math.max(ay, by, dy) < -hy) return false;
  if (Math.min(az, bz, dz) > hz || Math.max(az, bz, dz) < -hz) return false;
  const [e0x, e0y, e0z] = [bx - ax, by - ay, bz - az];
  const [e1x, e1y, e1z] = [dx - bx, dy - by, dz - bz];
  const [nx, ny, nz] = [e0y * e1z - e0z * e1y, e0z * e1x - e0x * e1z, e0x * e1y - e0y * e1x];
  if (Math.abs(nx * ax + ny * ay + nz * az) > hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz))
    return false;
  const [e2x, e2y, e2z] = [ax - dx, ay - dy, az - dz];
  // Axis × edge: two of the three corners suffice, the ends of an edge lie alike.
  const apart = (p: number, q: number, radius: number) => Math.min(p, q) > radius || Math.max(p, q) < -radius;
  const crossed = (
    ex: number,
    ey: number,
    ez: number,
    px: number,
    py: number,
    pz: number,
    qx: number,
    qy: number,
    qz: number,
  ) =>
    apart(ey * pz - ez * py, ey * qz - ez * qy, hy * Math.abs(ez) + hz * Math.abs(ey)) ||
    apart(ez * px - ex * pz, ez * qx - ex * qz, hx * Math.abs(ez) + hz * Math.abs(ex)) ||
    apart(ex * py - ey * px, ex * qy - ey * qx, hx * Math.abs(ey) + hy * Math.abs(ex));
  return !(
    crossed(e0x, e0y, e0z, ax, ay, az, dx, dy, dz) ||
    crossed(e1x, e1y, e1z, bx, by, bz, ax, ay, az) ||
    crossed(e2x, e2y, e2z, dx, dy, dz, bx, by, bz)
  );
}

/** Marks the cells that a triangle passes: halves a block of cells as long as it meets the triangle. */
function markTriangle(t: Float64Array, [nx, ny]: Vec3, cells: Uint8Array, stack: number[]): void {
  stack.length = 0;
  for (let k = 0; k < 3; k++)
    stack.push(
      Math.floor(Math.min(t[k]!, t[3 + k]!, t[6 + k]!)),
      Math.floor(Math.max(t[k]!, t[3 + k]!, t[6 + k]!)) + 1,
    );
  while (stack.length > 0) {
    const z1 = stack.pop()!;
    const z0 = stack.pop()!;
    const y1 = stack.pop()!;
    const y0 = stack.pop()!;
    const x1 = stack.pop()!;
    const x0 = stack.pop()!;
    const [sx, sy, sz] = [x1 - x0, y1 - y0, z1 - z0];
    if (!meets(t, (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2, sx / 2, sy / 2, sz / 2)) continue;
    if (sx === 1 && sy === 1 && sz === 1) cells[x0 + nx * (y0 + ny * z0)] = SURFACE;
    else if (sx >= sy && sx >= sz) {
      const m = (x0 + x1) >> 1;
      stack.push(x0, m, y0, y1, z0, z1, m, x1, y0, y1, z0, z1);
    } else if (sy >= sz) {
      const m = (y0 + y1) >> 1;
      stack.push(x0, x1, y0, m, z0, z1, x0, x1, m, y1, z0, z1);
    } else {
      const m = (z0 + z1) >> 1;
      stack.push(x0, x1, y0, y1, z0, m, x0, x1, y0, y1, m, z1);
    }
  }
}

/** What cannot be reached from the outermost cells through faces of cells without passing the surface is inside. */
function fillInside({ size, cells }: Pick<Voxels, 'size' | 'cells'>): void {
  const [nx, ny, nz] = size;
  const reached = new Uint8Array(cells.length);
  const open = [0];
  reached[0] = 1;
  const visit = (i: number) => {
    if (reached[i] === 1 || cells[i] !== OUTSIDE) return;
    reached[i] = 1;
    open.push(i);
  };
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    const x = i % nx;
    const y = Math.floor(i / nx) % ny;
    const z = Math.floor(i / (nx * ny));
    if (x > 0) visit(i - 1);
    if (x < nx - 1) visit(i + 1);
    if (y > 0) visit(i - nx);
    if (y < ny - 1) visit(i + nx);
    if (z > 0) visit(i - nx * ny);
    if (z < nz - 1) visit(i + nx * ny);
  }
  for (let i = 0; i < cells.length; i++) if (reached[i] === 0 && cells[i] === OUTSIDE) cells[i] = INSIDE;
}

/** Squared distance to the nearest cell that is not outside: lower envelopes of parabolas along each axis
 * (Felzenszwalb, Huttenlocher, Distance Transforms of Sampled Functions, 2012). */
function distances({ size, cells }: Pick<Voxels, 'size' | 'cells'>): Float64Array {
  const far = 4 * (size[0] + size[1] + size[2]) ** 2;
  const out = Float64Array.from(cells, (kind) => (kind === OUTSIDE ? far : 0));
  const longest = Math.max(...size);
  const line = new Float64Array(longest);
  const places = new Int32Array(longest);
  const bounds = new Float64Array(longest + 1);
  const strides = [1, size[0], size[0] * size[1]];
  for (let axis = 0; axis < 3; axis++) {
    const n = size[axis]!;
    const stride = strides[axis]!;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (let i = 0; i < size[u]!; i++)
      for (let j = 0; j < size[v]!; j++) {
        const start = i * strides[u]! + j * strides[v]!;
        for (let q = 0; q < n; q++) line[q] = out[start + q * stride]!;
        let k = 0;
        places[0] = 0;
        bounds[0] = -Infinity;
        bounds[1] = Infinity;
        for (let q = 1; q < n; q++) {
          let s = 0;
          do {
            const p = places[k]!;
            s = (line[q]! + q * q - line[p]! - p * p) / (2 * (q - p));
          } while (s <= bounds[k]! && --k >= 0);
          k++;
          places[k] = q;
          bounds[k] = s;
          bounds[k + 1] = Infinity;
        }
        k = 0;
        for (let q = 0; q < n; q++) {
          while (bounds[k + 1]! < q) k++;
          const p = places[k]!;
          out[start + q * stride] = (q - p) * (q - p) + line[p]!;
        }
      }
  }
  return out;
}

/** Yields the share that is done, 0…1, every some thousand triangles. `points` are in cells from the origin. */
export function* voxelize(
  grid: Omit<Voxels, 'cells' | 'distance'>,
  { points, indices }: Corners,
): Generator<number, Voxels> {
  const { size } = grid;
  const cells = new Uint8Array(size[0] * size[1] * size[2]);
  const t = new Float64Array(9);
  const stack: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 9; k++) t[k] = points[3 * indices[i + Math.floor(k / 3)]! + (k % 3)]!;
    markTriangle(t, size, cells, stack);
    if (i % 6000 === 0) yield (0.8 * i) / indices.length;
  }
  fillInside({ size, cells });
  yield 0.9;
  return { ...grid, cells, distance: distances({ size, cells }) };
}
