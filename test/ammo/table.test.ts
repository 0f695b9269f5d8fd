// The table of docs/ammo.md is made from ammo.idl, from the module as it is, and from the list of differences. In:
// all three. Out: a text that must be in the file; UPDATE=1 writes it there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read, root } from '../sources';
import { DIFFERS, NOT_YET } from './differences';
import { type Ammo, load } from './engines';
import { type Interface, NOT_RIGID, readIdl } from './idl';

const BEGIN = '<!-- table: made by test/ammo/table.test.ts, UPDATE=1 writes it -->';
const END = '<!-- end of table -->';
const idl = readIdl();
const rigid = [...idl.values()].filter(({ name }) => !NOT_RIGID.has(name));

const has = (Ammo: Ammo, name: string, member: string) =>
  Ammo[name] !== undefined && member in Ammo[name].prototype;

function missing(Ammo: Ammo, { name, methods, attributes }: Interface): string[] {
  return [
    ...methods.filter((method) => !has(Ammo, name, method)),
    ...attributes
      .filter(
        ({ name: attribute, readonly }) =>
          !has(Ammo, name, attribute) ||
          !has(Ammo, name, `get_${attribute}`) ||
          (!readonly && !has(Ammo, name, `set_${attribute}`)),
      )
      .map(({ name: attribute }) => attribute),
  ];
}

function row(Ammo: Ammo, one: Interface): { state: string; line: string } {
  const { name, methods, attributes } = one;
  const all = [...methods, ...attributes.map((attribute) => attribute.name)];
  const gone = missing(Ammo, one);
  const later = NOT_YET[name] ?? (Ammo[name] === undefined ? 'missing' : undefined);
  const notes = all
    .filter((member) => gone.includes(member) || NOT_YET[`${name}.${member}`] || DIFFERS[`${name}.${member}`])
    .map((member) => {
      const key = `${name}.${member}`;
      if (gone.includes(member)) return `**not yet** ${member}`;
      return NOT_YET[key]
        ? `**not yet** ${member}: ${NOT_YET[key]}`
        : `**differs** ${member}: ${DIFFERS[key]}`;
    });
  if (DIFFERS[name]) notes.unshift(`**differs** ${DIFFERS[name]}`);
  const same = all.filter(
    (member) => !gone.includes(member) && !NOT_YET[`${name}.${member}`] && !DIFFERS[`${name}.${member}`],
  );
  const state = later
    ? 'not yet'
    : notes.some((note) => note.startsWith('**not'))
      ? 'in part'
      : notes.length > 0
        ? 'differs'
        : 'done';
  const done = later
    ? later
    : [same.length > 0 ? same.join(', ') : '', ...notes].filter((part) => part !== '').join('<br>');
  return { state, line: `| ${name} | ${state} | ${done || '–'} |` };
}

function table(Ammo: Ammo): string {
  const rows = rigid.map((one) => row(Ammo, one));
  const count = (state: string) => rows.filter((one) => one.state === state).length;
  const members = rigid.reduce((sum, { methods, attributes }) => sum + methods.length + attributes.length, 0);
  return [
    BEGIN,
    '',
    `${rigid.length} interfaces with ${members} methods and attributes: ${count('done')} done, ${count('differs')} with differences, ${count('in part')} in part, ${count('not yet')} not yet.`,
    '',
    '| interface | state | methods and attributes that are as in ammo.js, then what is not |',
    '| --- | --- | --- |',
    ...rows.map(({ line }) => line),
    '',
    END,
  ].join('\n');
}

test('docs/ammo.md has the table of all interfaces as they are', async () => {
  const Ammo = await load('ricochet');
  const path = join(root, 'docs/ammo.md');
  const text = readFileSync(path, 'utf8');
  const now = text.slice(text.indexOf(BEGIN), text.indexOf(END) + END.length);
  const wanted = table(Ammo);
  if (process.env['UPDATE'])
    writeFileSync(
      path,
      text.replace(now, () => wanted),
    );
  else expect(now === wanted, 'UPDATE=1 npx vitest run test/ammo/table.test.ts').toBe(true);
});

test('every entry of the lists names something that ammo.js has', () => {
  const known = new Set(
    rigid.flatMap(({ name, methods, attributes }) => [
      name,
      ...methods.map((m) => `${name}.${m}`),
      ...attributes.map((a) => `${name}.${a.name}`),
    ]),
  );
  expect([...Object.keys(NOT_YET), ...Object.keys(DIFFERS)].filter((key) => !known.has(key))).toEqual([]);
});

test('nothing that the known clients use is missing, but vehicles', async () => {
  const Ammo = await load('ricochet');
  const used = JSON.parse(read('test/ammo/used.json')) as { classes: string[]; members: string[] };
  expect(used.classes.length).toBeGreaterThanOrEqual(47);
  expect(used.members.length).toBeGreaterThanOrEqual(198);
  const isVehicle = (name: string) => /Vehicle|Wheel/.test(name);
  expect(used.classes.filter((name) => typeof Ammo[name] !== 'function')).toEqual([]);
  expect(used.classes.filter((name) => NOT_YET[name] && !isVehicle(name))).toEqual([]);
  const gone = used.members.filter((key) => {
    const [name, member] = key.split('.') as [string, string];
    return !isVehicle(name) && (NOT_YET[key] !== undefined || !has(Ammo, name, member));
  });
  expect(gone).toEqual([]);
});
