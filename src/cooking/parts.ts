// The parts that a solid is cut into. A part is a connected set of cells within a box of the grid, and the pieces of the
// surface in it: polygons, cut exactly where the box ends. Its hull is that of the corners of these pieces and of the
// corners of the box that lie inside of the solid, so it is exact, however coarse the grid is.
import { LATTICE, LatticeHull } from './latticeHull';
import { INSIDE, OUTSIDE, type Voxels } from './voxels';

/** Steps of the lattice of hulls along the longest side of the grid, at most. */
const FINEST = LATTICE / 2;

/** All corners of pieces of the surface, in cells from the origin of the grid. */
/** Of more points only the outermost make a hull: a hull of thousands of corners is never used. */
const MANY = 1500;
/** Directions along each side of a face of the cube. */
const ACROSS = 13;

export class Corners {
  private readonly coordinates: number[];
  private readonly cuts = new Map<number, number>();
  private readonly steps: number;

  constructor(points: Float64Array, { size }: Voxels) {
    this.coordinates = Array.from(points);
    this.steps = Math.floor(FINEST / Math.max(...size));
  }

  at(point: number, axis: number): number {
    return this.coordinates[3 * point + axis]!;
  }

  put(x: number, y: number, z: number): number {
    return this.coordinates.push(x, y, z) / 3 - 1;
  }

  /** Where the edge between two points passes a plane; the same point from both of its polygons. */
  cut(a: number, b: number, axis: number, plane: number): number {
    const [i, j] = a < b ? [a, b] : [b, a];
    const key = i * 67108864 + j; // 2^26 points
    const known = this.cuts.get(key);
    if (known !== undefined) return known;
    const share = (plane - this.at(i, axis)) / (this.at(j, axis) - this.at(i, axis));
    const p = [0, 1, 2].map((k) => this.at(i, k) + share * (this.at(j, k) - this.at(i, k)));
    p[axis] = plane;
    const made = this.put(p[0]!, p[1]!, p[2]!);
    this.cuts.set(key, made);
    return made;
  }

  /** Before the next cut. */
  forgetCuts(): void {
    this.cuts.clear();
  }

  /** Takes a point into a hull. */
  join(hull: LatticeHull, point: number): void {
    const { steps } = this;
    hull.add(
      Math.round(steps * this.at(point, 0)),
      Math.round(steps * this.at(point, 1)),
      Math.round(steps * this.at(point, 2)),
      point,
    );
  }

  /** The hull of points; of those that have no volume, of a plate or rod `thickness` cells thick. */
  hullOf(points: Iterable<number>, thickness: number): LatticeHull {
    const hull = new LatticeHull();
    const list = [...points];
    for (const point of list.length > MANY ? this.outermost(list) : list) this.join(hull, point);
    if (hull.solid) return hull;
    const thick = new LatticeHull();
    const half = Math.max(thickness / 2, 2 / this.steps);
    for (const point of hull.flatPoints())
      for (const axis of hull.flatAxes())
        for (const side of [-half, half]) {
          const p = [this.at(point, 0), this.at(point, 1), this.at(point, 2)];
          p[axis]! += side;
          this.join(thick, this.put(p[0]!, p[1]!, p[2]!));
        }
    return thick;
  }

  /** The farthest of many points in each of some hundred directions, spread over the faces of a cube. */
  private outermost(list: readonly number[]): Set<number> {
    const found = new Set<number>();
    const direction = [0, 0, 0];
    for (let axis = 0; axis < 3; axis++)
      for (let i = 0; i < ACROSS; i++)
        for (let j = 0; j < ACROSS; j++) {
          direction[axis] = 1;
          direction[(axis + 1) % 3] = (2 * i + 1) / ACROSS - 1;
          direction[(axis + 2) % 3] = (2 * j + 1) / ACROSS - 1;
          const [dx, dy, dz] = direction as [number, number, number];
          let [least, most] = [Infinity, -Infinity];
          let [first, last] = [0, 0];
          for (const point of list) {
            const reach =
              dx * this.coordinates[3 * point]! +
              dy * this.coordinates[3 * point + 1]! +
              dz * this.coordinates[3 * point + 2]!;
            if (reach < least) [least, first] = [reach, point];
            if (reach > most) [most, last] = [reach, point];
          }
          found.add(first).add(last);
        }
    return found;
  }

  /** Steps of the lattice in a cell. */
  get perCell(): number {
    return this.steps;
  }
}

export interface Part {
  /** Cells from low to high − 1 along each axis. */
  low: [number, number, number];
  high: [number, number, number];
  cells: Int32Array;
  /** Corners of each piece of the surface. */
  polygons: number[][];
  hull: LatticeHull;
  /** Of the hull: cells of the outside in it, and how far the deepest is from the solid, in cells. */
  excess: number;
  depth: number;
}

/** How many cells of the outside lie in a hull, and the distance of the farthest of them from the solid, in cells. */
export function coverOf(
  hull: LatticeHull,
  { size, cells, distance }: Voxels,
  perCell: number,
): { excess: number; depth: number } {
  const planes = hull.facePlanes;
  const [nx, ny] = size;
  const [low, high] = [0, 1, 2]
    .map((axis) => hull.range(axis))
    .reduce(
      ([lows, highs], [a, b]) => [
        [...lows, Math.max(0, Math.floor(a / perCell))],
        [...highs, Math.floor(b / perCell)],
      ],
      [[], []] as [number[], number[]],
    );
  let excess = 0;
  let deepest = 0;
  const count = planes.length;
  for (let z = low![2]!; z <= high![2]!; z++)
    for (let y = low![1]!; y <= high![1]!; y++) {
      const [py, pz] = [(y + 0.5) * perCell, (z + 0.5) * perCell];
      let from = low![0]! * perCell;
      let to = (high![0]! + 1) * perCell;
      for (let f = 0; f < count && from <= to; f += 4) {
        const n = planes[f]!;
        const rest = planes[f + 3]! - planes[f + 1]! * py - planes[f + 2]! * pz;
        if (n > 0) to = Math.min(to, rest / n);
        else if (n < 0) from = Math.max(from, rest / n);
        else if (rest < 0) to = -Infinity;
      }
      const last = Math.min(size[0] - 1, Math.floor(to / perCell - 0.5));
      const row = nx * (y + ny * z);
      for (let x = Math.max(0, Math.ceil(from / perCell - 0.5)); x <= last; x++)
        if (cells[row + x] === OUTSIDE) {
          excess++;
          if (distance[row + x]! > deepest) deepest = distance[row + x]!;
        }
    }
  return { excess, depth: Math.sqrt(deepest) };
}

/** Least and greatest cell across in each row of each slice: all that hulls of slices need. */
function slicesOf(part: Part, size: readonly number[], axis: number) {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const rows = part.high[u]! - part.low[u]!;
  const slices = part.high[axis]! - part.low[axis]!;
  const least = new Int32Array(slices * rows).fill(0x7fffffff);
  const most = new Int32Array(slices * rows).fill(-1);
  const counts = new Float64Array(slices);
  const place = [0, 0, 0];
  for (const cell of part.cells) {
    place[0] = cell % size[0]!;
    place[1] = Math.floor(cell / size[0]!) % size[1]!;
    place[2] = Math.floor(cell / (size[0]! * size[1]!));
    const slice = place[axis]! - part.low[axis]!;
    const row = slice * rows + place[u]! - part.low[u]!;
    counts[slice]!++;
    if (place[v]! < least[row]!) least[row] = place[v]!;
    if (place[v]! > most[row]!) most[row] = place[v]!;
  }
  return { least, most, counts, rows, slices, u, v };
}

/** Corners of the hull of a slice, in its plane: two numbers each (Andrew's monotone chain, 1979). */
function outline(least: Int32Array, most: Int32Array, from: number, rows: number): number[] {
  const lower: number[] = [];
  const upper: number[] = [];
  const push = (chain: number[], row: number, across: number, side: number) => {
    for (let n = chain.length; n >= 4; n = chain.length) {
      const [ax, ay, bx, by] = [chain[n - 4]!, chain[n - 3]!, chain[n - 2]!, chain[n - 1]!];
      if (side * ((bx - ax) * (across - ay) - (by - ay) * (row - ax)) > 0) break;
      chain.length = n - 2;
    }
    chain.push(row, across);
  };
  for (let row = 0; row < rows; row++) {
    if (most[from + row]! < 0) continue;
    for (const end of [row, row + 1]) {
      push(lower, end, least[from + row]!, 1);
      push(upper, end, most[from + row]! + 1, -1);
    }
  }
  return [...lower, ...upper];
}

/**
 * Shares of the hull's volume that an uneven cut costs, and one across a short side. A tube or a bowl gains nothing by its
 * first cut in two, and would be shaved into slices; halved it gains with the second.
 */
const EVEN = 0.05;
const LONG = 0.05;

/** Between which cells to cut a part. */
export interface Cut {
  axis: number;
  /** The first cell of the upper side. */
  plane: number;
  /** Cells that the hulls of both sides have beyond the cells of the part. */
  waste: number;
}

/**
 * The cut that leaves the least beyond the part in the hulls of its two sides: the hulls of all slices before, and of
 * all behind each plane, which grow slice by slice. Null for a part of one cell.
 */
export function bestCut(part: Part, { size }: Voxels): Cut | null {
  let best: Cut | null = null;
  const longest = Math.max(...part.high.map((end, k) => end - part.low[k]!));
  for (let axis = 0; axis < 3; axis++) {
    const { least, most, counts, rows, slices, u, v } = slicesOf(part, size, axis);
    if (slices < 2) continue;
    const outlines = Array.from({ length: slices }, (_, i) => outline(least, most, i * rows, rows));
    const before = new Float64Array(slices + 1);
    const behind = new Float64Array(slices + 1);
    for (const [volumes, reverse] of [
      [before, false],
      [behind, true],
    ] as const) {
      const hull = new LatticeHull();
      const p = [0, 0, 0];
      for (let i = 0; i < slices; i++) {
        const slice = reverse ? slices - 1 - i : i;
        const line = outlines[slice]!;
        for (let k = 0; k < line.length; k += 2)
          for (let end = 0; end < 2; end++) {
            p[axis] = slice + end;
            p[u] = line[k]!;
            p[v] = line[k + 1]!;
            hull.add(p[0]!, p[1]!, p[2]!, 0);
          }
        if (reverse) volumes[slice] = hull.volume;
        else volumes[slice + 1] = hull.volume;
      }
    }
    const total = part.cells.length;
    let lower = 0;
    for (let i = 1; i < slices; i++) {
      lower += counts[i - 1]!;
      if (lower === 0 || lower === total) continue;
      const uneven = Math.abs(2 * lower - total) / total;
      const across = 1 - slices / longest;
      const waste = before[i]! + behind[i]! - total + before[slices]! * (EVEN * uneven + LONG * across);
      if (best === null || waste < best.waste) best = { axis, plane: part.low[axis]! + i, waste };
    }
  }
  return best;
}

/** Numbers the connected sets of cells of one side; cells that touch at a corner are connected. */
function components(
  cells: readonly number[],
  owner: Int32Array,
  { size }: Voxels,
  first: number,
): Int32Array[] {
  const [nx, ny] = size;
  const open = -1 - first; // a mark that no part has
  for (const cell of cells) owner[cell] = open;
  const found: Int32Array[] = [];
  for (const seed of cells) {
    if (owner[seed] !== open) continue;
    const name = first + found.length;
    const list = [seed];
    owner[seed] = name;
    for (const cell of list)
      for (let z = -1; z <= 1; z++)
        for (let y = -1; y <= 1; y++)
          for (let x = -1; x <= 1; x++) {
            const next = cell + x + nx * (y + ny * z);
            if (owner[next] !== open) continue;
            owner[next] = name;
            list.push(next);
          }
    found.push(Int32Array.from(list));
  }
  return found;
}

/** Cuts solids into parts. */
export class Cutter {
  /** The part of each cell. */
  private readonly owner: Int32Array;
  private named = 1;

  constructor(
    readonly voxels: Voxels,
    readonly corners: Corners,
    private readonly thickness: number,
  ) {
    this.owner = new Int32Array(voxels.cells.length);
  }

  /** The whole solid, as connected parts. */
  start(indices: Int32Array): Part[] {
    const { size, cells } = this.voxels;
    const all: number[] = [];
    for (let i = 0; i < cells.length; i++) if (cells[i] !== OUTSIDE) all.push(i);
    const polygons: number[][] = [];
    for (let i = 0; i < indices.length; i += 3)
      polygons.push([indices[i]!, indices[i + 1]!, indices[i + 2]!]);
    return this.collect(all, polygons, [0, 0, 0], [...size]);
  }

  split(part: Part, { axis, plane }: Cut): Part[] {
    const { size } = this.voxels;
    const stride = [1, size[0], size[0] * size[1]][axis]!;
    const sides: [number[], number[]] = [[], []];
    for (const cell of part.cells) sides[Math.floor(cell / stride) % size[axis]! < plane ? 0 : 1].push(cell);
    this.corners.forgetCuts();
    const pieces: [number[][], number[][]] = [[], []];
    for (const polygon of part.polygons) this.divide(polygon, axis, plane, pieces);
    return sides.flatMap((cells, side) => {
      const low = [...part.low] as Part['low'];
      const high = [...part.high] as Part['high'];
      if (side === 0) high[axis] = plane;
      else low[axis] = plane;
      return this.collect(cells, pieces[side]!, low, high);
    });
  }

  /** The two sides of a polygon; what lies in the plane belongs to both. */
  private divide(polygon: number[], axis: number, plane: number, pieces: [number[][], number[][]]): void {
    const { corners } = this;
    let below = false;
    let above = false;
    for (const point of polygon) {
      const c = corners.at(point, axis);
      if (c < plane) below = true;
      else if (c > plane) above = true;
    }
    if (!below || !above) {
      if (below || !above) pieces[0].push(polygon);
      if (above || !below) pieces[1].push(polygon);
      return;
    }
    const sides: [number[], number[]] = [[], []];
    polygon.forEach((a, i) => {
      const b = polygon[(i + 1) % polygon.length]!;
      const [ca, cb] = [corners.at(a, axis), corners.at(b, axis)];
      if (ca <= plane) sides[0].push(a);
      if (ca >= plane) sides[1].push(a);
      if ((ca < plane && cb > plane) || (ca > plane && cb < plane)) {
        const point = corners.cut(a, b, axis, plane);
        sides[0].push(point);
        sides[1].push(point);
      }
    });
    pieces[0].push(sides[0]);
    pieces[1].push(sides[1]);
  }

  /** Parts of the cells and polygons of one side. */
  private collect(cells: number[], polygons: number[][], low: Part['low'], high: Part['high']): Part[] {
    const sets = components(cells, this.owner, this.voxels, this.named);
    const lists: number[][][] = sets.map(() => []);
    for (const polygon of polygons) {
      const set = sets.length === 1 ? 0 : this.ownerOf(polygon, low, high) - this.named;
      lists[set]?.push(polygon);
    }
    const parts = sets.map((list, i) => this.partOf(list, lists[i]!, this.named + i));
    this.named += sets.length;
    return parts.filter((part) => part !== null);
  }

  /** The part that has the cell of a polygon's middle; of a middle between two cells, the cell that it is next to. */
  private ownerOf(polygon: number[], low: Part['low'], high: Part['high']): number {
    const { size } = this.voxels;
    const middle = [0, 1, 2].map((k) => {
      let sum = 0;
      for (const point of polygon) sum += this.corners.at(point, k);
      return Math.min(high[k]! - 1, Math.max(low[k]!, Math.floor(sum / polygon.length)));
    });
    for (let reach = 0; reach <= 1; reach++)
      for (let z = -reach; z <= reach; z++)
        for (let y = -reach; y <= reach; y++)
          for (let x = -reach; x <= reach; x++) {
            const at = [middle[0]! + x, middle[1]! + y, middle[2]! + z];
            if (at.some((c, k) => c < low[k]! || c >= high[k]!)) continue;
            const owner = this.owner[at[0]! + size[0] * (at[1]! + size[1] * at[2]!)]!;
            if (owner >= this.named) return owner;
          }
    return 0;
  }

  private partOf(list: Int32Array, polygons: number[][], name: number): Part | null {
    const { size, cells } = this.voxels;
    const { low, high } = boundsOf(list, size);
    const points = new Set(polygons.flat());
    for (let corner = 0; corner < 8; corner++) {
      const at = [0, 1, 2].map((k) => (corner & (1 << k) ? high[k]! - 1 : low[k]!));
      const cell = at[0]! + size[0] * (at[1]! + size[1] * at[2]!);
      if (cells[cell] !== INSIDE || this.owner[cell] !== name) continue;
      const [x, y, z] = [0, 1, 2].map((k) => (corner & (1 << k) ? high[k]! : low[k]!));
      points.add(this.corners.put(x!, y!, z!));
    }
    if (points.size === 0) return null;
    const hull = this.corners.hullOf(points, this.thickness);
    return { low, high, cells: list, polygons, hull, ...coverOf(hull, this.voxels, this.corners.perCell) };
  }
}

/** Cells from low to high − 1 that a list of cells spans. */
function boundsOf(list: Int32Array, size: readonly number[]): Pick<Part, 'low' | 'high'> {
  const low: Part['low'] = [size[0]!, size[1]!, size[2]!];
  const high: Part['high'] = [0, 0, 0];
  for (const cell of list) {
    const at = [
      cell % size[0]!,
      Math.floor(cell / size[0]!) % size[1]!,
      Math.floor(cell / (size[0]! * size[1]!)),
    ];
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, at[k]!);
      high[k] = Math.max(high[k]!, at[k]! + 1);
    }
  }
  return { low, high };
}
