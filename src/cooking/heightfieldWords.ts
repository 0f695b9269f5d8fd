// The layout of a cooked heightfield in the core's memory: where its tables are, and validation of foreign content. In:
// words in the layout of HeightfieldGeometry. Out: the fault, if any. The writer is heightfield.ts, a separate file so
// that a page that never cooks one does not load it.

import { MAX_COORDINATE, MAX_SIZE } from '../base/limits';
import { CONCAVE_ONE_SIDED, TILE_CELLS } from '../core/memory/constants';
import { coefficientsFault } from './coefficients';
import { isSealed } from './contentHash';

export const FIELD_HEADER_WORDS = 16;
/** Along one side; 4,000² cells are more than one command carries. */
export const MOST_LINES = 1 << 20;
export const MOST_WORDS = 0xfffffc;

const align4 = (words: number) => (words + 3) & ~3;

/** Where the tables begin, in words. */
export function tablesOf(rows: number, columns: number, materials = 0) {
  const cells = FIELD_HEADER_WORDS + align4(rows * columns);
  const tiles = cells + align4(((rows - 1) * (columns - 1) + 3) >> 2);
  const tileRows = Math.ceil((rows - 1) / TILE_CELLS);
  const tileColumns = Math.ceil((columns - 1) / TILE_CELLS);
  const coefficients = align4(tiles + 2 * tileRows * tileColumns);
  return { cells, tiles, tileRows, tileColumns, coefficients, end: coefficients + 4 * materials };
}

/** What is wrong with content from outside: whatever passes, the core can read without harm. */
export function heightfieldFault(words: Int32Array): string | undefined {
  if (words.length < FIELD_HEADER_WORDS) return 'no header';
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const [rows, columns] = [words[0]!, words[1]!];
  if (
    !(rows >= 2 && rows <= MOST_LINES && columns >= 2 && columns <= MOST_LINES) ||
    rows * columns > MOST_WORDS
  )
    return `${rows} rows of ${columns}`;
  if (!(words[13]! >= 0 && words[13]! <= 64)) return `coefficients of ${words[13]} materials`;
  const at = tablesOf(rows, columns, words[13]!);
  if (words.length !== at.end) return `${words.length} words for ${rows} rows of ${columns}`;
  if ((words[2]! & ~CONCAVE_ONE_SIDED) !== 0) return `flags ${words[2]}`;
  if (!(words[3]! >= 0 && words[3]! <= 2)) return `an up axis of ${words[3]}`;
  if (!(words[10]! >= 1 && words[10]! <= 64)) return `${words[10]} materials`;
  if (words[11] !== at.tileRows * at.tileColumns) return `${words[11]} tiles`;
  const [least, most, radius] = [floats[6]!, floats[7]!, floats[12]!];
  for (const spacing of [floats[8]!, floats[9]!])
    if (!(spacing > 0 && spacing <= MAX_SIZE)) return `a spacing of ${spacing}`;
  if (!(radius > 0 && radius <= 4 * MAX_COORDINATE * MOST_LINES)) return `a radius of ${radius}`;
  if (!(Math.abs(least) <= MAX_COORDINATE && Math.abs(most) <= MAX_COORDINATE && least <= most))
    return `heights from ${least} to ${most}`;
  const inside = (value: number) => value >= least && value <= most;
  for (let i = 0; i < rows * columns; i++)
    if (!inside(floats[FIELD_HEADER_WORDS + i]!)) return `a height of ${floats[FIELD_HEADER_WORDS + i]}`;
  for (let i = 0; i < 2 * words[11]!; i++)
    if (!inside(floats[at.tiles + i]!)) return `a tile of height ${floats[at.tiles + i]}`;
  return (
    coefficientsFault(floats.subarray(at.coefficients)) ?? (isSealed(words) ? undefined : 'a wrong checksum')
  );
}
