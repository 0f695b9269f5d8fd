// Approximate convex decomposition: a solid as hulls whose union keeps its shape. In: triangles, closed or not. Out:
// hulls in f64, cooked. The solid is cut along planes of a grid, where the hulls of both sides contain the least empty
// space; the part whose hull reaches farthest beyond the solid is cut first. Then hulls are merged if their common hull
// contains little empty space (after Mamou, V-HACD 4, and Wei et al., CoACD, 2022). Empty space always means outside of
// the whole solid, not of the part.
import { PhysicsError } from '../base/errors';
import { checkInteger, checkNumber, checkOptions, invalid } from '../base/validate';
import type { Hull } from './hull';
import { cookHull, MAX_HULL_VERTICES, readPoints } from './hull';
import type { LatticeHull } from './latticeHull';
import { readIndices } from './mesh';
import { bestCut, Corners, Cutter, coverOf, type Part } from './parts';
import { gridFor, type Voxels, voxelize } from './voxels';

/** What `decompose` takes: a mesh, and how closely the hulls are to follow it. */
export interface DecompositionOptions {
  /** m. Vectors, or one flat list of coordinates. */
  vertices: ArrayLike<number> | readonly unknown[];
  /** Three vertices per triangle. Default: every three vertices are one. */
  indices?: ArrayLike<number> | undefined;
  /**
   * How far a hull may reach beyond the solid, as a share of the solid's longest side, 0.001 to 1: below it nothing is
   * cut, and hulls that stay below it together become one. Default 0.02.
   */
  concavity?: number | undefined;
  /** The most hulls, 1 to 256. Default 32. */
  maxHulls?: number | undefined;
  /** The most vertices of a hull, 4 to 64; of more the outermost are kept. Default 32. */
  maxVertices?: number | undefined;
  /** Cells of the grid along the longest side, 16 to 200. What is thinner than a cell may be missed. Default 72. */
  resolution?: number | undefined;
}

/** What a decomposition is like. */
export interface DecompositionReport {
  /** m: how far a hull reaches beyond the solid, as the grid tells it. */
  readonly depth: number;
  /** m³ of the grid's cells outside of the solid that the hulls cover, each hull for itself. */
  readonly excess: number;
  /** m³: the cells of the solid, those of its surface half. */
  readonly volume: number;
  /** False: nothing is inside of the surface; it has holes wider than a cell, or it is thinner than that. */
  readonly closed: boolean;
  /** m: side of a cell. */
  readonly cell: number;
}

/** Hulls before they are words. */
export interface RawDecomposition {
  hulls: Hull[];
  report: DecompositionReport;
}

interface Input {
  points: Float64Array;
  indices: Int32Array;
  concavity: number;
  maxHulls: number;
  maxVertices: number;
  resolution: number;
}

const KNOWN = ['vertices', 'indices', 'concavity', 'maxHulls', 'maxVertices', 'resolution'];
/** Before hulls are merged there are so many times as many as there may be in the end. */
const SPARE = 6;
const MOST_PARTS = 384;
/** Of the longest side: what has no volume gets this thickness. */
const THICKNESS = 2e-3;

/**
 * Checks the options of a decomposition and copies what they hold.
 *
 * @throws PhysicsError 'invalid-argument' that names the vertex or triangle, 'unknown-option'
 */
export function readDecompositionOptions(options: unknown): Input {
  const given = checkOptions(options, 'options', KNOWN) as unknown as DecompositionOptions;
  const points = readPoints(given.vertices, 'vertices');
  const indices = readIndices(given.indices, points.length / 3);
  if (indices.length === 0) throw invalid('indices', 'must hold a triangle', []);
  return {
    points,
    indices,
    concavity:
      given.concavity === undefined
        ? 0.02
        : checkNumber(given.concavity, 'concavity', { min: 0.001, max: 1 }),
    maxHulls: given.maxHulls === undefined ? 32 : checkInteger(given.maxHulls, 'maxHulls', 1, 256),
    maxVertices:
      given.maxVertices === undefined
        ? 32
        : checkInteger(given.maxVertices, 'maxVertices', 4, MAX_HULL_VERTICES),
    resolution: given.resolution === undefined ? 72 : checkInteger(given.resolution, 'resolution', 16, 200),
  };
}

/**
 * Decomposes in steps of some milliseconds; yields the share that is done, 0…1.
 *
 * @throws PhysicsError 'invalid-argument' when the mesh is all in one place
 */
export function* decomposeSteps(input: Input): Generator<number, RawDecomposition> {
  const { points, indices, resolution } = input;
  const grid = gridFor(points, indices, resolution);
  if (!(grid.cell > 0)) throw invalid('vertices', 'must not all be at one point', [...points.subarray(0, 3)]);
  const scaled = points.map((c, i) => (c - grid.origin[i % 3]!) / grid.cell);
  const marking = voxelize(grid, { points: scaled, indices });
  let step = marking.next();
  while (step.done !== true) {
    yield 0.15 * step.value;
    step = marking.next();
  }
  const voxels = step.value;
  const corners = new Corners(scaled, voxels);
  const thickness = THICKNESS * resolution;
  const cutter = new Cutter(voxels, corners, thickness);
  const limit = input.concavity * resolution;
  const parts = yield* cutApart(
    cutter.start(indices),
    cutter,
    limit,
    Math.min(SPARE * input.maxHulls, MOST_PARTS),
  );
  const pieces = yield* merge(parts, { voxels, corners, thickness, limit, most: input.maxHulls });
  const hulls: Hull[] = [];
  for (const { hull } of pieces) {
    hulls.push(cookPiece(hull, corners, voxels, input.maxVertices, thickness));
    yield 0.95;
  }
  return { hulls, report: reportOf(pieces, voxels) };
}

/** Cuts the part whose hull reaches farthest beyond the solid, until none reaches farther than it may. */
function* cutApart(parts: Part[], cutter: Cutter, limit: number, most: number): Generator<number, Part[]> {
  const done: Part[] = [];
  let open = parts;
  while (open.length > 0 && open.length + done.length < most) {
    let worst = open[0]!;
    for (const part of open) if (rank(part) > rank(worst)) worst = part;
    open = open.filter((part) => part !== worst);
    const cut = worst.depth > limit ? bestCut(worst, cutter.voxels) : null;
    if (cut === null) done.push(worst);
    else open.push(...cutter.split(worst, cut));
    yield 0.15 + (0.5 * (open.length + done.length)) / most;
  }
  return [...done, ...open];
}

const rank = ({ depth, excess }: Part) => depth * depth * depth + excess;

interface Piece {
  hull: LatticeHull;
  excess: number;
  depth: number;
}

interface Merging {
  voxels: Voxels;
  corners: Corners;
  thickness: number;
  limit: number;
  most: number;
}

/** Merges the two pieces that waste least together, while there are too many or their hull stays within the limit. */
function* merge(
  parts: Piece[],
  { voxels, corners, thickness, limit, most }: Merging,
): Generator<number, Piece[]> {
  interface Pair {
    a: Piece;
    b: Piece;
    both: Piece;
    cost: number;
  }
  const join = (a: Piece, b: Piece): Pair => {
    const hull = corners.hullOf([...a.hull.vertices(), ...b.hull.vertices()], thickness);
    const both = { hull, ...coverOf(hull, voxels, corners.perCell) };
    const deeper = Math.max(0, both.depth - Math.max(limit, a.depth, b.depth));
    return { a, b, both, cost: both.excess - a.excess - b.excess + deeper * deeper * deeper };
  };
  const reach = 2 * corners.perCell;
  const near = (a: Piece, b: Piece) =>
    [0, 1, 2].every((k) => {
      const [[la, ha], [lb, hb]] = [a.hull.range(k), b.hull.range(k)];
      return la - reach <= hb && lb - reach <= ha;
    });
  let pieces = [...parts];
  let pairs: Pair[] = [];
  const fill = function* (close: boolean): Generator<number> {
    for (let i = 0; i < pieces.length; i++) {
      for (let j = 0; j < i; j++)
        if (near(pieces[i]!, pieces[j]!) === close) pairs.push(join(pieces[i]!, pieces[j]!));
      yield 0.65 + (0.2 * i) / pieces.length;
    }
  };
  yield* fill(true);
  let apart = false;
  for (;;) {
    const many = pieces.length > most;
    if (many && pairs.length === 0 && !apart) {
      apart = true;
      yield* fill(false);
    }
    let best: Pair | undefined;
    for (const pair of pairs)
      if ((many || pair.both.depth <= limit) && (best === undefined || pair.cost < best.cost)) best = pair;
    if (best === undefined) return pieces;
    const { a, b, both } = best;
    pieces = pieces.filter((piece) => piece !== a && piece !== b);
    pairs = pairs.filter((pair) => ![pair.a, pair.b].some((piece) => piece === a || piece === b));
    for (const piece of pieces) if (apart || near(piece, both)) pairs.push(join(piece, both));
    pieces.push(both);
    yield 0.85 + 0.1 / pieces.length;
  }
}

/** The hull of the corners where they are, not where the lattice has them. */
function cookPiece(
  hull: LatticeHull,
  corners: Corners,
  { origin, cell }: Voxels,
  maxVertices: number,
  thickness: number,
): Hull {
  const list = hull.vertices();
  const points = list.flatMap((point) => [0, 1, 2].map((k) => origin[k]! + cell * corners.at(point, k)));
  try {
    return cookHull(points, { maxVertices });
  } catch (error) {
    if (!(error instanceof PhysicsError)) throw error;
    // Thinner than f32 tells apart: a plate.
    const half = (thickness * cell) / 2;
    const both = [-half, half].flatMap((side) => points.map((c) => c + side));
    return cookHull(both, { maxVertices });
  }
}

function reportOf(pieces: Piece[], { cells, cell }: Voxels): DecompositionReport {
  let inside = 0;
  let surface = 0;
  for (const kind of cells) {
    if (kind === 2) inside++;
    else if (kind === 1) surface++;
  }
  const cube = cell * cell * cell;
  return {
    depth: cell * Math.max(...pieces.map(({ depth }) => depth)),
    excess: cube * pieces.reduce((sum, { excess }) => sum + excess, 0),
    volume: cube * (inside + surface / 2),
    closed: inside > 0,
    cell,
  };
}
