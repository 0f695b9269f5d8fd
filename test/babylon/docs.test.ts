// docs/babylon.md: its table is that of the installed @babylonjs/core, and each of the methods is there.
import { RicochetPlugin } from 'ricochet/babylon';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { DIFFERS, EXTRAS, table, withTable } from '../../scripts/babylon-table.mjs';
import { read } from '../sources';

test('the table is up to date (node scripts/babylon-table.mjs), with nothing that is not there yet', () => {
  const { text, counts, names } = table();
  console.log(counts);
  expect(names.length).toBeGreaterThan(80);
  expect(withTable(read('docs/babylon.md'), text)).toBe(read('docs/babylon.md'));
  expect(counts['not yet']).toBe(0);
  expect(Object.keys(DIFFERS).filter((name) => !names.includes(name))).toEqual([]);
  const missing = [...names, ...EXTRAS.done].filter((name) => !(name in RicochetPlugin.prototype));
  expect(missing).toEqual([]);
});
