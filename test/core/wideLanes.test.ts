// Structures of lanes (scripts/wide-lanes.mjs): what reads as mathematics computes what is written out.
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../scripts/compile-core-entry.mjs';

const PRELUDE = `
import { Vec3W, Sym3W, Rows, crossW, dotW, gatherW, scatterW, perAxisW, zeroW } from '../../src/core/math/wide';
/** @unmanaged */
class Row { linear: v128; }
/** Stands for lanes as ContactBlock does. @unmanaged */
class Block { normalX: v128; normalY: v128; normalZ: v128; inertiaXX: v128; inertiaXY: v128; inertiaXZ: v128; inertiaYY: v128; inertiaYZ: v128; inertiaZZ: v128; speed1: v128; }
/** @lanes */
class Four { r0: Row; r1: Row; r2: Row; r3: Row; }
function row(at: usize, group: i32, i: i32): Row { return changetype<Row>(at + (<usize>(4 * group + i) << 4)); }
/** @wide */
function four(at: usize, group: i32): Four { return new Four(row(at, group, 0), row(at, group, 1), row(at, group, 2), row(at, group, 3)); }
`;

async function run(body: string, input: number[]): Promise<number[]> {
  const entry = 'test/core/wideLanesEntry.ts';
  const wasm = await compileCoreEntry(entry, {
    [entry]: `${PRELUDE}${body}`,
  });
  const memory = new WebAssembly.Memory({ initial: 16 });
  const { instance } = await WebAssembly.instantiate(wasm, { env: { memory } });
  const numbers = new Float32Array(memory.buffer, 65536, 1024);
  numbers.set(input);
  (instance.exports['run'] as (at: number) => void)(65536);
  return [...numbers];
}

/** Four rows (x, y, z, w), whose lanes are four vectors. */
const ROWS = [
  [1, 2, 3, 9],
  [-4, 5, 0.5, 9],
  [0.25, -1, 8, 9],
  [7, -6, 2, 9],
];
const OTHER = [
  [2, 0, -1, 0],
  [1, 1, 1, 0],
  [-3, 4, 0.5, 0],
  [0, 2, 6, 0],
];
const crossOf = ([a, b, c]: number[], [d, e, f]: number[]) => [
  b! * f! - c! * e!,
  c! * d! - a! * f!,
  a! * e! - b! * d!,
];

test('rows are gathered, multiplied and scattered; a vector may be assigned to what it is made of', async () => {
  const out = await run(
    `/** @wide */ export function run(at: usize): void {
      const a = four(at, 0);
      const b = four(at, 1);
      let v = gatherW(a.linear);
      const w = gatherW(b.linear);
      v = crossW(v, w);
      const out = four(at, 2);
      out.linear = scatterW(v);
      const d = dotW(w, gatherW(b.linear - a.linear));
      v128.store(at, d, 192);
      v -= w * d;
      four(at, 4).linear = scatterW(-v);
    }`,
    [...ROWS.flat(), ...OTHER.flat()],
  );
  for (const [lane, a] of ROWS.entries()) {
    const b = OTHER[lane]!;
    const c = crossOf(a, b);
    expect(out.slice(32 + 4 * lane, 36 + 4 * lane)).toEqual([...c, 0]);
    const d = b[0]! * (b[0]! - a[0]!) + b[1]! * (b[1]! - a[1]!) + b[2]! * (b[2]! - a[2]!);
    expect(out[48 + lane]).toBe(d);
    const last = c.map((x, i) => -(x - b[i]! * d));
    expect(out.slice(64 + 4 * lane, 67 + 4 * lane)).toEqual(
      last.map((x) => (x === 0 ? expect.closeTo(0) : x)),
    );
  }
});

test('fields of a record stand for vectors and matrices, and swapped components do not overwrite each other', async () => {
  const matrix = [2, 1, 0, 3, -1, 4]; // xx xy xz yy yz zz
  const lanes = (x: number) => [x, x, x, x];
  const out = await run(
    `/** @wide */ function turned(v: Vec3W): Vec3W { const y = v.y; return new Vec3W(v.z, v.x, y); }
    /** @wide */ export function run(at: usize): void {
      const c = changetype<Block>(at);
      apply(c);
    }
    /** @wide */ function apply(c: Block): void {
      c.normal = c.inertia * c.normal;
      let v = c.normal;
      v = turned(v);
      for (let i = 0; i < 2; ++i) if (i == 1) { v = perAxisW(v, v) + zeroW(); }
      c.normal = v;
      c.speed1 = v.x;
    }`,
    [...lanes(1), ...lanes(2), ...lanes(3), ...matrix.flatMap(lanes)],
  );
  const product = [2 * 1 + 1 * 2 + 0 * 3, 1 * 1 + 3 * 2 - 1 * 3, 0 * 1 - 1 * 2 + 4 * 3]; // 4, 4, 10
  const [x, y, z] = product;
  expect([out[0], out[4], out[8]]).toEqual([z! ** 2, x! ** 2, y! ** 2]);
  expect(out[36]).toBe(z! ** 2);
});

test.each([
  ['const a = zeroW(); if (a) return;', /Vec3W where one value is expected/],
  ['const a = zeroW(); const b = a / a;', /no \/ for Vec3W and Vec3W/],
  [
    'let i = 0; while (v128.any_true(gatherW(four(at, 0).linear).x)) ++i;',
    /has to be computed in a statement before/,
  ],
  ['const a = dotW(zeroW(), zeroW()); const b = crossW(zeroW(), a);', /crossW: b takes Vec3W/],
  ['let a: Vec3W; a = zeroW();', /a needs a value of lanes/],
])('%s', async (statements, message) => {
  await expect(
    run(`/** @wide */ export function run(at: usize): void { ${statements} }`, []),
  ).rejects.toThrow(message);
});
