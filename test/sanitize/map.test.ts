// The map of the core's memory (scripts/sanitize/map.mjs) has every table, every record in it, and every export.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { records } from '../../scripts/build-core.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { readSanitizer } from '../../scripts/sanitize/build.mjs';
// @ts-expect-error: plain JavaScript without declarations
import * as map from '../../scripts/sanitize/map.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { MUTATIONS, mutate } from '../../scripts/sanitize/mutations.mjs';

interface Row {
  class?: string;
  parts?: string[];
  stride?: string | number;
  end?: string;
  free?: string;
  link?: string;
  keeps?: string[];
  with?: string;
}

const { EXPORTS, NO_TABLE, QUESTION_FIELDS, READS_UNWRITTEN, ROOTS, TABLES } = map;
const root = fileURLToPath(new URL('../..', import.meta.url));
const layout = records() as { name: string; fields: [string, number, string][] }[];
const tables = Object.entries(TABLES as Record<string, Row>);
const fields = new Map(
  layout.flatMap(({ name, fields }) => fields.map(([field, , type]) => [`${name}.${field}`, type])),
);
const built = readSanitizer(join(root, 'test/out/sanitize')) as {
  constants: [string, number][];
  buffers: { name: string; bytes: number }[];
  places: [string, string, string][];
  classes: string[];
};

test('every address in World, Tree and Color is that of a table in the map', () => {
  const addresses = [...fields]
    .filter(([field, type]) => type === 'u32' && ROOTS.includes(field.split('.')[0]))
    .map(([field]) => field)
    .filter((field) => !NO_TABLE.includes(field));
  expect(
    addresses.filter((field) => !(field in TABLES)),
    'not in scripts/sanitize/map.mjs',
  ).toEqual([]);
  expect(
    tables.map(([field]) => field).filter((field) => !addresses.includes(field)),
    'no table any more',
  ).toEqual([]);
});

test('what the map names is there', () => {
  const constants = new Map(built.constants);
  for (const [table, { class: cls, parts, stride, end, free, link, keeps, with: other }] of tables) {
    for (const name of [cls, ...(parts ?? [])])
      if (name !== undefined) expect(built.classes, table).toContain(name);
    if (typeof stride === 'string')
      expect(constants.has(`src/core/${stride}`), `${table}: ${stride}`).toBe(true);
    for (const field of [end, free, ...(keeps ?? [])])
      if (field !== undefined) expect(fields.has(field), `${table}: ${field}`).toBe(true);
    if (link !== undefined) expect(fields.has(link) || constants.has(`src/core/${link}`), link).toBe(true);
    if (other !== undefined) expect(TABLES).toHaveProperty([other]);
  }
  for (const field of QUESTION_FIELDS) expect(fields.has(field), field).toBe(true);
  const functions = new Set(built.places.map(([name]) => name));
  for (const name of Object.keys(READS_UNWRITTEN)) expect(functions, name).toContain(name);
});

test('every export says what it may write to', () => {
  const doors = ['index', 'inspector', 'actors'].map((name) =>
    readFileSync(join(root, `src/core/${name}.ts`), 'utf8'),
  );
  const exported = [...doors.join('').matchAll(/export (?:\{([^}]*)\}|function (\w+))/g)].flatMap(
    ([, names, name]) => (names ?? name!).split(',').map((each) => each.trim()),
  );
  expect(Object.keys(EXPORTS).sort()).toEqual([...new Set(exported.filter((name) => name !== ''))].sort());
});

test('every buffer of the core is known by its name, and none overlaps the next', () => {
  expect(built.buffers.length).toBeGreaterThan(100);
  for (const { name, bytes } of built.buffers) expect(bytes, name).toBeGreaterThan(0);
});

test('each mutation finds its text in the core', () => {
  expect(MUTATIONS).toHaveLength(24);
  for (const mutation of MUTATIONS) expect(() => mutate(mutation)).not.toThrow();
});
