// Cooks heightfields. In: rows and columns of heights, holes, diagonals, materials. Out: content in the layout of
// HeightfieldGeometry (src/core/memory/records), with the smallest and greatest height of every tile of cells. The same
// input gives the same words everywhere.

import { PhysicsError } from '../base/errors';
import { MAX_COORDINATE, MAX_SIZE, MIN_SIZE } from '../base/limits';
import { checkBoolean, checkInteger, checkNumber, checkOneOf, checkOptions, invalid } from '../base/validate';
import {
  CELL_FLIPPED,
  CELL_HOLE,
  CELL_MATERIAL_SHIFT,
  CONCAVE_ONE_SIDED,
  TILE_CELLS,
} from '../core/memory/constants';
import type { Material } from '../options/shapes';
import { readCoefficients } from './coefficients';
import { sealContent } from './contentHash';
import { FIELD_HEADER_WORDS, MOST_LINES, MOST_WORDS, tablesOf } from './heightfieldWords';

/** Options of `cookHeightfield`: a grid of heights, its spacing, holes and materials. */
export interface HeightfieldOptions {
  /** Lines of heights, ≥ 2: along z, with upAxis z along y. */
  rows: number;
  /** Heights of each line, ≥ 2: along x, with upAxis x along y. */
  columns: number;
  /** m, row by row: rows × columns numbers along the up axis. The middle of the field is at the origin. */
  heights: ArrayLike<number>;
  /** m between columns and between rows; one number for both. */
  spacing: number | readonly [columns: number, rows: number];
  /** Default y. */
  upAxis?: 'x' | 'y' | 'z' | undefined;
  /** Per cell, row by row, (rows − 1) × (columns − 1) values: true is a hole. */
  holes?: ArrayLike<boolean | number> | undefined;
  /** The diagonal of a cell runs from the next column to the next row; flipped, from the cell's own corner. Default false. */
  flipped?: boolean | ArrayLike<boolean | number> | undefined;
  /** Material per cell: 0 … 63; that of a hit is `materials[hit.triangle >> 1]`. Default 0. */
  materials?: ArrayLike<number> | undefined;
  /**
   * Friction, restitution, rolling and spinning friction by material index, in place of the shape's; absent
   * values are the shape's. If a contact spans several materials, each has its own manifold.
   */
  coefficients?: readonly Partial<Material>[] | undefined;
  /** Only the upper side collides. Default false. */
  oneSided?: boolean | undefined;
}

const KNOWN = [
  'rows',
  'columns',
  'heights',
  'spacing',
  'upAxis',
  'holes',
  'flipped',
  'materials',
  'coefficients',
  'oneSided',
];
const AXES = ['x', 'y', 'z'] as const;
const SPACING = { min: MIN_SIZE, max: MAX_SIZE };
const HEIGHT = { min: -MAX_COORDINATE, max: MAX_COORDINATE };

/** @throws PhysicsError 'invalid-argument' that names the height or cell, 'limit-exceeded' */
export function cookHeightfieldWords(options: unknown): Int32Array {
  const given = checkOptions(options, 'options', KNOWN) as unknown as HeightfieldOptions;
  const rows = checkInteger(given.rows, 'rows', 2, MOST_LINES);
  const columns = checkInteger(given.columns, 'columns', 2, MOST_LINES);
  const coefficients = readCoefficients(given.coefficients, 64);
  const at = tablesOf(rows, columns, (coefficients?.length ?? 0) / 4);
  if (!(rows * columns < MOST_WORDS) || at.end > MOST_WORDS)
    throw new PhysicsError(
      'limit-exceeded',
      'make more than 64 MB of cooked content: split the field into several',
      'heights',
      `${rows} × ${columns}`,
    );
  const { heights } = given;
  if (typeof heights !== 'object' || heights === null || !('length' in heights))
    throw invalid('heights', 'must be an array of rows × columns numbers', heights);
  if (heights.length !== rows * columns)
    throw invalid('heights.length', `must be rows × columns, ${rows * columns}`, heights.length);
  const spacing = typeof given.spacing === 'number' ? [given.spacing, given.spacing] : given.spacing;
  if (typeof spacing !== 'object' || spacing === null || spacing.length !== 2)
    throw invalid('spacing', 'must be a number or two, between columns and rows', given.spacing);
  const spacingX = Math.fround(checkNumber(spacing[0], 'spacing[0]', SPACING));
  const spacingZ = Math.fround(checkNumber(spacing[1], 'spacing[1]', SPACING));
  const upAxis = AXES.indexOf(checkOneOf(given.upAxis ?? 'y', 'upAxis', AXES));

  const words = new Int32Array(at.end);
  const floats = new Float32Array(words.buffer);
  const bytes = new Uint8Array(words.buffer);
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < rows * columns; i++) {
    const height = heights[i]!;
    if (typeof height !== 'number' || !(height >= -MAX_COORDINATE && height <= MAX_COORDINATE))
      checkNumber(height, `heights[${i}] (row ${Math.floor(i / columns)}, column ${i % columns})`, HEIGHT);
    floats[FIELD_HEADER_WORDS + i] = height;
    least = Math.min(least, Math.fround(height));
    most = Math.max(most, Math.fround(height));
  }

  const cells = (rows - 1) * (columns - 1);
  const perCell = (name: 'holes' | 'flipped' | 'materials', list: unknown): ArrayLike<unknown> => {
    if (typeof list !== 'object' || list === null || !('length' in list))
      throw invalid(name, 'must be an array of one value per cell', list);
    if ((list as ArrayLike<unknown>).length !== cells)
      throw invalid(
        `${name}.length`,
        `must be (rows − 1) × (columns − 1), ${cells}`,
        (list as ArrayLike<unknown>).length,
      );
    return list as ArrayLike<unknown>;
  };
  const isSet = (value: unknown, name: string) => {
    if (value !== true && value !== false && value !== 0 && value !== 1)
      throw invalid(name, 'must be true or false', value);
    return value === true || value === 1;
  };
  const holes = given.holes === undefined ? undefined : perCell('holes', given.holes);
  const { flipped: turned } = given;
  const flipped =
    turned === undefined || typeof turned === 'boolean' ? undefined : perCell('flipped', turned);
  const materials = given.materials === undefined ? undefined : perCell('materials', given.materials);
  let materialCount = 1;
  for (let i = 0; i < cells; i++) {
    let cell = 0;
    if (holes !== undefined && isSet(holes[i], `holes[${i}]`)) cell |= CELL_HOLE;
    if (flipped === undefined ? turned === true : isSet(flipped[i], `flipped[${i}]`)) cell |= CELL_FLIPPED;
    if (materials !== undefined) {
      const material = checkInteger(materials[i], `materials[${i}]`, 0, 63);
      cell |= material << CELL_MATERIAL_SHIFT;
      materialCount = Math.max(materialCount, material + 1);
    }
    bytes[4 * at.cells + i] = cell;
  }

  // A tile knows the heights at the corners of all its cells, those shared with the next tile included.
  let tile = at.tiles;
  for (let row = 0; row < rows - 1; row += TILE_CELLS)
    for (let column = 0; column < columns - 1; column += TILE_CELLS) {
      let low = Infinity;
      let high = -Infinity;
      for (let r = row; r <= Math.min(row + TILE_CELLS, rows - 1); r++)
        for (let c = column; c <= Math.min(column + TILE_CELLS, columns - 1); c++) {
          const height = floats[FIELD_HEADER_WORDS + r * columns + c]!;
          if (height < low) low = height;
          if (height > high) high = height;
        }
      floats[tile++] = low;
      floats[tile++] = high;
    }

  words[0] = rows;
  words[1] = columns;
  words[2] = given.oneSided !== undefined && checkBoolean(given.oneSided, 'oneSided') ? CONCAVE_ONE_SIDED : 0;
  words[3] = upAxis;
  floats[6] = least;
  floats[7] = most;
  floats[8] = spacingX;
  floats[9] = spacingZ;
  words[10] = materialCount;
  words[11] = at.tileRows * at.tileColumns;
  const width = (columns - 1) * spacingX;
  const length = (rows - 1) * spacingZ;
  const reach = Math.max(Math.abs(least), Math.abs(most));
  if (coefficients !== undefined) {
    words[13] = coefficients.length / 4;
    floats.set(coefficients, at.coefficients);
  }
  floats[12] = Math.sqrt(0.25 * (width * width + length * length) + reach * reach);
  return sealContent(words);
}

/** The content of a heightfield in the user's terms. */
export interface HeightfieldContent {
  /** Lines of heights. */
  rows: number;
  /** Heights per line. */
  columns: number;
  /** m; line after line, `columns` for each. */
  heights: Float32Array;
  /** m between neighbouring columns and rows. */
  spacing: [columns: number, rows: number];
  /** The axis along which heights count. */
  upAxis: 'x' | 'y' | 'z';
  /** Per cell: bit 0 a hole, bit 1 its diagonal is flipped, bits 2–7 its material. */
  cells: Uint8Array;
  /** True: only the upper side collides. */
  oneSided: boolean;
}

export function readHeightfield(words: Int32Array): HeightfieldContent {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const [rows, columns] = [words[0]!, words[1]!];
  const { cells } = tablesOf(rows, columns);
  const bytes = new Uint8Array(words.buffer, words.byteOffset + 4 * cells, (rows - 1) * (columns - 1));
  return {
    rows,
    columns,
    heights: floats.slice(FIELD_HEADER_WORDS, FIELD_HEADER_WORDS + rows * columns),
    spacing: [floats[8]!, floats[9]!],
    upAxis: AXES[words[3]!]!,
    cells: bytes.slice(),
    oneSided: (words[2]! & CONCAVE_ONE_SIDED) !== 0,
  };
}

/** A place of the grid in the field's own frame: columns, up and rows lie along y, x, z or x, y, z or x, z, y. */
function fieldPoint(field: HeightfieldContent, row: number, column: number): [number, number, number] {
  const across = (column - (field.columns - 1) / 2) * field.spacing[0];
  const along = (row - (field.rows - 1) / 2) * field.spacing[1];
  const up = field.heights[row * field.columns + column]!;
  return field.upAxis === 'x'
    ? [up, across, along]
    : field.upAxis === 'y'
      ? [across, up, along]
      : [across, along, up];
}

/** The ground as triangles, counter-clockwise from above; holes left out. */
export function fieldTriangles(field: HeightfieldContent): { vertices: Float32Array; indices: Uint32Array } {
  const { rows, columns, cells, upAxis } = field;
  const vertices = new Float32Array(3 * rows * columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      vertices.set(fieldPoint(field, row, column), 3 * (row * columns + column));
  const indices: number[] = [];
  // Columns turn to rows about the up axis, but about its opposite where that is y.
  const add = (a: number, b: number, c: number) => {
    if (upAxis === 'y') indices.push(a, c, b);
    else indices.push(a, b, c);
  };
  for (let row = 0; row < rows - 1; row++)
    for (let column = 0; column < columns - 1; column++) {
      const cell = cells[row * (columns - 1) + column]!;
      if (cell & CELL_HOLE) continue;
      const a = row * columns + column;
      const [right, below, far] = [a + 1, a + columns, a + columns + 1];
      if (cell & CELL_FLIPPED) {
        add(a, far, below);
        add(a, right, far);
      } else {
        add(a, right, below);
        add(right, far, below);
      }
    }
  return { vertices, indices: Uint32Array.from(indices) };
}
