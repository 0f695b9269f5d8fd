// Values (scripts/value-classes.mjs): what is passed as one parameter is compiled to one per field, and is checked.
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../scripts/compile-core-entry.mjs';

const PRELUDE = `
/** @value */
class Point { x: f32; y: f32; }
/** @value */
class Segment { from: Point; to: Point; name: i32; }
function length(s: Segment, scale: f32): f32 {
  const dx = s.to.x - s.from.x;
  return scale * sqrt<f32>(dx * dx + (s.to.y - s.from.y) * (s.to.y - s.from.y)) + <f32>s.name;
}
function manhattan(a: Point, b: Point): f32 { return abs<f32>(a.x - b.x) + abs<f32>(a.y - b.y); }
`;
const entry = 'test/core/valueClassesEntry.ts';
const compile = (body: string): Promise<Uint8Array<ArrayBuffer>> =>
  compileCoreEntry(entry, { [entry]: `${PRELUDE}${body}` });

test('a value is a parameter per field, in calls, constants, fields and exports', async () => {
  const wasm = await compile(`
    export function run(a: Point, b: Point): f32 {
      const s = new Segment(a, b, 2);
      const end = new Point(s.to.x, 0);
      return length(s, 10) + manhattan(s.from, end) + length(new Segment(end, new Point(1, 1), 0), 1);
    }`);
  const memory = new WebAssembly.Memory({ initial: 16 });
  const { instance } = await WebAssembly.instantiate(wasm, { env: { memory } });
  const run = instance.exports['run'] as (...numbers: number[]) => number;
  expect(run.length).toBe(4);
  expect(run(0, 0, 3, 4)).toBeCloseTo(52 + 3 + Math.hypot(2, 1), 5);
});

test('what is no value, or another one, is refused; values do not change', async () => {
  const refused = (body: string, what: RegExp) => expect(compile(`export ${body}`)).rejects.toThrow(what);
  await refused('function run(x: f32): f32 { return manhattan(x, x); }', /Point is expected, not one value/);
  await refused(
    'function run(a: Point): f32 { return length(new Segment(a, a, 1), a); }',
    /one value is expected/,
  );
  await refused('function run(a: Point): f32 { return length(a, 1); }', /Segment is expected, not Point/);
  await refused('function run(a: Point): f32 { a.x = 2; return a.x; }', /values do not change/);
  await refused('function run(a: Point): f32 { return a.z; }', /has no field z/);
  await refused('function run(a: Point): f32 { let b = a; b.x += 1; return b.x; }', /values do not change/);
});
