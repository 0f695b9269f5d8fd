// What keeps the source readable, counted: long functions and files, many parameters, suppressed checks.
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { findMutants, schema } from '../scripts/mutate/numbers.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { LISTED } from '../scripts/mutate/tests.mjs';
import { codeOf, read, sourcesBelow } from './sources';

const MOST_LINES = 120;
const MOST_PARAMETERS = 4;
const MOST_FILE_LINES = 700;
/** Written by the build. */
const GENERATED =
  /^src\/(wasm\/(core-layout|core-commands|actor-commands|\w+-wasm)|core\/memory\/commandWords)\.ts$/;

const files = [...sourcesBelow('src'), ...sourcesBelow('worker')].filter((file) => !GENERATED.test(file));

interface Node {
  type: string;
  start: number;
  end: number;
  params?: unknown[];
  id?: { name: string };
}

interface Counted {
  name: string;
  lines: number;
  parameters: number;
}

/** Every function and method of a file. */
function functionsOf(file: string): Counted[] {
  const text = read(file);
  const found: Counted[] = [];
  const lineAt = (place: number) => text.slice(0, place).split('\n').length;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (typeof value === 'object' && value !== null) {
      const node = value as Node;
      if (/^(Function|ArrowFunction)|^TSDeclareFunction/.test(node.type)) {
        const line = lineAt(node.start);
        const lines = lineAt(node.end) - line + 1;
        const name = `${file}:${line} ${node.id?.name ?? ''}`;
        found.push({ name, lines, parameters: node.params?.length ?? 0 });
      }
      for (const child of Object.values(node)) if (typeof child === 'object') visit(child);
    }
  };
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return found;
}

test('no function is longer than 120 lines, and none of the core has more than four parameters', () => {
  const functions = files.flatMap(functionsOf);
  expect(functions.length).toBeGreaterThan(5000);
  const long = functions.filter(({ lines }) => lines > MOST_LINES);
  expect(long.map(({ name, lines }) => `${name}: ${lines}`)).toEqual([]);
  const many = functions.filter(
    ({ name, parameters }) => name.startsWith('src/core/') && parameters > MOST_PARAMETERS,
  );
  expect(many.map(({ name, parameters }) => `${name}: ${parameters}`)).toEqual([]);
});

test('no file is longer than 700 lines, and the core suppresses no check of types', () => {
  const lines = (file: string) => read(file).split('\n').length - 1;
  expect(files.filter((file) => lines(file) > MOST_FILE_LINES)).toEqual([]);
  const suppressed = (file: string) =>
    file.startsWith('src/core/') && /@ts-(ignore|nocheck)/.test(read(file));
  expect(files.filter(suppressed)).toEqual([]);
});

/** Where the core's numbers stand: tolerances, bounds of a valid state, mathematics. */
const NUMBERS = ['tolerances', 'actors/tolerances', 'memory/bounds', 'math/constants'].map(
  (file) => `src/core/${file}.ts`,
);
/** Numbers elsewhere that are no tolerances: tags of points, a mark of what is unknown, a unit of stored bytes. */
const CODES = ['CORNER', 'FACE', 'UNKNOWN', 'GAP_UNITS'];
const CONSTANT = /^(?:export )?const ([A-Z]\w*)(: f32|: f64)? = ([^;]+);/gm;
/** With a fraction or a negative exponent, or a large one: not a number that counts something. */
const NOT_COUNTED = /(?<![\w.])\d+(\.\d|e)/;

test('the core takes the minimum of lanes by one instruction: see CONTRIBUTING.md', () => {
  const slow = files.filter(
    (file) =>
      file.startsWith('src/core/') &&
      !file.startsWith('src/core/state/') &&
      /f(32x4|64x2)\.(min|max)\(/.test(read(file)),
  );
  expect(slow).toEqual([]);
});

test('every tolerance of the core stands in one file, with a comment, and something uses it', () => {
  const core = files.filter((file) => file.startsWith('src/core/'));
  const elsewhere = core
    .filter((file) => !NUMBERS.includes(file))
    .flatMap((file) =>
      [...read(file).matchAll(CONSTANT)]
        .filter(([, name, type, value]) => (type || NOT_COUNTED.test(value!)) && !CODES.includes(name!))
        .map(
          ([, name]) => `${file}: ${name}: move it to ${file.includes('/actors/') ? NUMBERS[1] : NUMBERS[0]}`,
        ),
    );
  expect(elsewhere).toEqual([]);
  const code = new Map(core.map((file) => [file, codeOf(file)]));
  for (const file of NUMBERS) {
    const text = read(file);
    const names = [...text.matchAll(CONSTANT)].map(([, name]) => name!);
    const commented = [...text.matchAll(/\*\/\nexport const (\w+)/g)].map(([, name]) => name!);
    expect(names.filter((name) => !commented.includes(name))).toEqual([]);
    const uses = (name: string) =>
      [...code].filter(
        ([other, text]) =>
          (text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0) > (other === file ? 1 : 0),
      );
    expect(names.filter((name) => uses(name).length === 0)).toEqual([]);
  }
});

test('every tolerance and every rule of surfaces can be mutated: each text of a rule is there once', () => {
  const mutants = findMutants() as { id: string; file: string; tests?: string[] }[];
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(Object.keys(schema(mutants))).toEqual(
    expect.arrayContaining([...new Set(mutants.map(({ file }) => file))]),
  );
  const tests = sourcesBelow('test');
  const named = [...LISTED, ...mutants.flatMap((mutant) => mutant.tests ?? [])] as string[];
  expect(named.filter((path) => !tests.some((test) => test.startsWith(path)))).toEqual([]);
});
