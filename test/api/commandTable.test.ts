// One declaration of a command (src/replica/commandTable.ts): what is generated from it is of today, and each declared
// command is read by the core, followed by a replica and written by some call. A failure names what is missing.

import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { commandsPage } from '../../scripts/commands.mjs';
import { COMMANDS, type CommandName } from '../../src';
import { geometryFault } from '../../src/cooking/geometryWords';
import { ACTOR_KINDS } from '../../src/replica/actorFields';
import type { CommandDeclaration } from '../../src/replica/commandDeclaration';
import { FIELD_KINDS as PLAIN_KINDS } from '../../src/replica/commandFields';
import { COMMAND_TABLE, FIELD_GROUPS } from '../../src/replica/commandTable';
import { followCommands } from '../../src/replica/follow';
import { Registry } from '../../src/replica/registry';
import * as actors from '../../src/wasm/actor-commands';
import * as generated from '../../src/wasm/core-commands';
import * as layout from '../../src/wasm/core-layout';
import { read } from '../sources';
import { playEverything } from './everything';

const FIELD_KINDS = { ...PLAIN_KINDS, ...ACTOR_KINDS };
const table = Object.entries(COMMAND_TABLE) as [CommandName, CommandDeclaration][];
const capital = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());
const wordsOf = (fields: CommandDeclaration['fields']) =>
  fields.reduce((sum, [, kind]) => sum + FIELD_KINDS[kind].words, 0);

/** Every enum of the generated core file: its members by name. */
const coreEnums = new Map(
  [...read('src/core/memory/commandWords.ts').matchAll(/enum (\w+) \{([^}]*)\}/g)].map(([, name, body]) => [
    name as string,
    new Map(
      [...(body as string).matchAll(/(\w+) = (\d+)/g)].map(([, key, value]) => [
        key as string,
        Number(value),
      ]),
    ),
  ]),
);
const offsets = { ...generated, ...actors } as unknown as Record<string, object>;
const core = [
  'src/core/commands.ts',
  'src/core/areas/explode.ts',
  'src/core/actors.ts',
  'src/core/actors/vehicleTable.ts',
  'src/core/actors/character/table.ts',
  'src/core/actors/character/update.ts',
]
  .map(read)
  .join('');
/** World.applyCommands splits a stream there. */
const NOT_FOR_THE_CORE: readonly CommandName[] = ['step'];

test('codes and words are the same in the declaration, for the core and for TypeScript', () => {
  for (const [name, { code, fields }] of table) {
    const expected = new Map<string, number>();
    let at = 0;
    for (const [field, kind] of fields) {
      expected.set(field, at);
      at += FIELD_KINDS[kind].words;
    }
    expect(new Map(Object.entries(offsets[capital(name)] ?? {})), name).toEqual(expected);
    expect(coreEnums.get(capital(name)), name).toEqual(new Map([['CODE', code], ['WORDS', at], ...expected]));
    expect(COMMANDS[name], name).toMatchObject({ code, totalWords: at + 1, head: code | ((at + 1) << 8) });
    const types = fields.flatMap(([, kind]) =>
      Array<number>(FIELD_KINDS[kind].words).fill(FIELD_KINDS[kind].float ? 1 : 0),
    );
    expect([...COMMANDS[name].isFloat], name).toEqual(types);
    expect(COMMANDS[name].totalWords).toBeLessThanOrEqual(generated.LONGEST_COMMAND);
  }
  expect(Object.keys(COMMANDS).sort()).toEqual(table.map(([name]) => name).sort());
});

test('codes are those of every recording so far', () => {
  expect(
    Object.fromEntries(table.map(([name, { code, fields }]) => [name, [code, wordsOf(fields)]])),
  ).toMatchObject({
    createBody: [1, 45],
    addShape: [2, 23],
    addGeometry: [29, 2],
    removeGeometry: [30, 1],
    removeBody: [3, 1],
    removeShape: [27, 1],
    setTransform: [4, 8],
    setPosition: [36, 4],
    setRotation: [37, 5],
    setLinearVelocity: [5, 4],
    setAngularVelocity: [6, 4],
    applyForce: [7, 7],
    applyTorque: [8, 4],
    applyImpulse: [9, 7],
    applyTorqueImpulse: [10, 4],
    clearForces: [11, 0],
    setMassProps: [12, 12],
    setDamping: [13, 3],
    setGravityScale: [14, 2],
    setFactors: [15, 7],
    setSleepingThresholds: [16, 3],
    setActivationState: [17, 3],
    activate: [18, 2],
    setFilter: [19, 3],
    setMaterial: [20, 5],
    setBodyType: [21, 13],
    setKinematicTarget: [22, 8],
    setKinematicPosition: [38, 4],
    setKinematicRotation: [39, 5],
    setGravity: [23, 3],
    setSettings: [24, 30],
    setBodyUserIndex: [25, 2],
    setCcd: [26, 3],
    createJoint: [40, 28],
    removeJoint: [41, 1],
    setJointAxis: [42, 15],
    setJointEnabled: [43, 2],
    setJointFrames: [44, 15],
    setJointBreaking: [45, 3],
    setJointCollide: [46, 2],
    setJointSoftness: [47, 5],
    setJointRatio: [48, 2],
    step: [28, 1],
  });
});

test('the core reads every declared command (src/core/commands.ts)', () => {
  const unread = table
    .filter(([name]) => !NOT_FOR_THE_CORE.includes(name) && !core.includes(`${capital(name)}.CODE`))
    .map(([name]) => name);
  expect(unread, 'declared, but without a reader in src/core/commands.ts').toEqual([]);
});

/** Fields that the core reads without their names, or not at all, and why. */
const READ_OTHERWISE: Partial<Record<CommandName, (field: string) => boolean>> = {
  setSettings: () => true, // copied as a whole: the next test compares the order
  setSurface: (field) => field !== 'shape', // likewise
  setArea: () => true, // likewise
  setVehicle: () => true, // copied as a whole, too
  setWheel: () => true,
  setVehicleInput: () => true,
  setCharacter: () => true,
  setCharacterInput: () => true,
  setJointAxis: (field) => field !== 'axis' && field !== 'flags', // likewise
  addGeometry: (field) => field === 'kind', // the shapes that use it have the same type
  activate: (field) => field === 'force', // Bullet's argument; every call wakes
};

test('the core reads every field, as what it is, by its name', () => {
  expect(core.match(/\b(?:int|float|vector|rotation)\(\w+, \d/g), 'words by number').toBeNull();
  const readers = new Map<string, Set<string>>();
  for (const [, reader, owner, field] of core.matchAll(
    /\b(int|float|vector|rotation)\(\w+, (?:\w+ \+ )?(\w+)\.(\w+)/g,
  )) {
    const key = `${owner}.${field}`;
    readers.set(key, (readers.get(key) ?? new Set()).add(reader as string));
  }
  const unread: string[] = [];
  for (const [name, { fields }] of table) {
    if (NOT_FOR_THE_CORE.includes(name)) continue;
    fields.forEach(([field, kind], i) => {
      const { words, float } = FIELD_KINDS[kind];
      const group = Object.entries(FIELD_GROUPS).find(([, members]) =>
        members.some((member) => member === fields[i]),
      );
      const found = readers.get(`${capital(name)}.${field}`) ?? readers.get(`${group?.[0]}.${field}`);
      const isSubject = i === 0 && ['body', 'shape', 'joint', 'geometry'].includes(field);
      if (found === undefined) {
        const elsewhere =
          core.includes(`${capital(name)}.${field}`) ||
          (group?.[0] === 'MassProps' && core.includes(`${group[0]}.${field}`));
        if (!isSubject && !elsewhere && !READ_OTHERWISE[name]?.(field)) unread.push(`${name}.${field}`);
        return;
      }
      const allowed = !float
        ? ['int']
        : words === 3
          ? ['vector']
          : field === 'params'
            ? ['float']
            : words === 4
              ? ['rotation']
              : ['float'];
      for (const reader of found) expect(allowed, `${name}.${field}`).toContain(reader);
    });
  }
  expect(unread, 'fields that nothing in src/core/commands.ts reads').toEqual([]);
});

test('what the core copies as a whole has the order of its records', () => {
  const between = (record: Record<string, number>, from: string, to: string) =>
    Object.entries(record)
      .filter(([name, at]) => name !== 'SIZE' && at >= record[from]! && at < record[to]!)
      .map(([name]) => name);
  const settings = between(layout.World, 'substeps', 'stepCount');
  const renamed = {
    sleepingEnabled: 'sleeping',
    profileEnabled: 'profiling',
    pairFilterEnabled: 'pairFilter',
  };
  expect(settings.map((name) => renamed[name as keyof typeof renamed] ?? name)).toEqual(
    COMMAND_TABLE.setSettings.fields.map(([field]) => field),
  );
  const records = read('src/core/memory/records/shapes.ts');
  for (const [name, { fields }] of [
    ['Surface', COMMAND_TABLE.setSurface],
    ['Area', COMMAND_TABLE.setArea],
  ] as const) {
    const [, body] = records.match(new RegExp(`export class ${name} \\{([^}]*)\\}`)) as RegExpMatchArray;
    const inRecord = [...body!.matchAll(/^ {2}(\w+): \w+;/gm)].map(([, field]) => field!);
    const words = fields.flatMap(([field, kind]) =>
      FIELD_KINDS[kind].words === 3
        ? [...'XYZ'].map((axis) => (field === 'oneWay' ? 'way' : field) + axis)
        : [field],
    );
    expect(inRecord.filter((field) => !field.startsWith('reserved'))).toEqual(words);
  }
  const actor = read('src/core/memory/records/actors.ts') + read('src/core/memory/records/characters.ts');
  for (const [name, first, { fields }] of [
    ['Vehicle', 'kind', COMMAND_TABLE.setVehicle],
    ['Vehicle', 'throttle', COMMAND_TABLE.setVehicleInput],
    ['Wheel', 'positionX', COMMAND_TABLE.setWheel],
    ['Character', 'options', COMMAND_TABLE.setCharacter],
    ['Character', 'mode', COMMAND_TABLE.setCharacterInput],
  ] as const) {
    const [, body] = actor.match(new RegExp(`export class ${name} \\{([^}]*)\\}`)) as RegExpMatchArray;
    const inRecord = [...body!.matchAll(/^ {2}(\w+): \w+;/gm)].map(([, field]) => field!);
    const words = (fields as CommandDeclaration['fields'])
      .filter(([field, kind]) => field !== 'given' && kind !== 'slot' && kind !== 'wheelNumber')
      .flatMap(([field, kind]) => {
        const count = FIELD_KINDS[kind].words;
        if (count === 1) return [field === 'steer' && name === 'Vehicle' ? 'steerInput' : field];
        if (count === 8)
          return Array.from(
            { length: 8 },
            (_, i) => `${field.replace(/s$/, '')}${count === 8 && field === 'ratios' ? i + 1 : i}`,
          );
        return [...'XYZW'].slice(0, count).map((axis) => field + axis);
      })
      .map((field) => (field === 'gear' ? 'gearInput' : field));
    const from = inRecord.indexOf(first);
    expect(inRecord.slice(from, from + words.length)).toEqual(words);
  }
  const fields = COMMAND_TABLE.setJointAxis.fields.map(([field]) => field as string);
  expect(between(layout.JointAxis, 'low', 'value')).toEqual(fields.slice(fields.indexOf('low')));
});

test('a replica follows every command of which it keeps something, by field names (src/replica/follow.ts)', () => {
  const source = read('src/replica/follow.ts');
  const missing = generated.REMEMBERED_COMMANDS.filter((name) => !source.includes(`\n  ${name}(): void {`));
  expect(missing, 'remembered, but without a method of that name in src/replica/follow.ts').toEqual([]);
  expect(source.match(/\bv\[\d|\b(?:vec3|quat|\w+At)\(\d/g), 'words by number').toBeNull();
});

test('every declared command is written by some call (test/api/everything.ts)', () => {
  const { stream } = playEverything();
  const written = new Set<number>();
  for (let at = 0; at < stream.length; at += stream[at]! >>> 8) written.add(stream[at]! & 255);
  expect(table.filter(([, { code }]) => !written.has(code)).map(([name]) => name)).toEqual([]);
});

test('what is about no body, shape or joint that exists is refused, whether it is remembered or not', () => {
  const { stream } = playEverything();
  const wrong: string[] = [];
  for (let at = 0; at < stream.length; at += stream[at]! >>> 8) {
    const name = table.find(([, { code }]) => code === (stream[at]! & 255))![0];
    const subject = COMMAND_TABLE[name].fields[0]?.[0];
    if (!['body', 'shape', 'joint'].includes(subject as string)) continue;
    const command = stream.slice(at, at + (stream[at]! >>> 8));
    command[1] = 5000;
    const empty = new Registry({
      settings: playEverything().replica.settings,
      host: { eventMask: 0, profiling: false, pairFilter: false },
      gravity: [0, 0, 0],
      limit: 100,
      geometryFault,
    });
    try {
      followCommands(empty, command);
      wrong.push(name);
    } catch (error) {
      expect(error).toMatchObject({ code: 'damaged-commands' });
    }
  }
  expect([...new Set(wrong)]).toEqual([]);
});

test('docs/commands.md is that of the declaration (npm run format writes it)', () => {
  expect(read('docs/commands.md')).toBe(commandsPage({ COMMAND_TABLE, FIELD_KINDS }));
});
