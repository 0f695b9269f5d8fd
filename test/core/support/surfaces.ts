// Contacts with a mesh or heightfield from the core alone. In: cooked content, a placed convex shape. Out: the
// manifolds as plain objects. The surface is at the origin.

// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../../scripts/compile-core-entry.mjs';
import type { Geometry } from '../../../src/cooking/geometries';
import { geometryWords } from '../../../src/cooking/geometryWords';
import { pointWords } from '../../../src/cooking/pointWords';
import { ManifoldResult, Shape } from '../../../src/wasm/core-layout';
import type { Vec3 } from '../../physics/support/vector';
import { type Placed, TYPE } from './narrowphase';

export interface SurfaceManifold {
  normal: Vec3;
  points: Vec3[];
  separations: number[];
  material: number;
}

/** Above the tables that the module allocates. */
const BASE = 0x800000;
const A = BASE;
const B = A + 4096;
const OUT = B + 4096;
const HULL = OUT + 4096;
const CONTENT = HULL + 0x10000;

export async function createSurfaces() {
  const bytes: Uint8Array<ArrayBuffer> = await compileCoreEntry('test/core/surfaceEntry.ts');
  const memory = new WebAssembly.Memory({ initial: 256 });
  const env = { memory, abort() {}, pairFilter: () => 1, now: () => 0 };
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  const core = instance.exports as unknown as {
    start(): void;
    collide(convex: number, surface: number, margin: number, out: number): number;
  };
  core.start();
  if (memory.buffer.byteLength > 256 * 65536) throw new Error('the tables reach the shapes of this test');
  const view = new DataView(memory.buffer);
  const put = (at: number, values: ArrayLike<number>) =>
    new Float32Array(memory.buffer, at, values.length).set(values);

  return function collide(
    convex: Placed,
    surface: Geometry,
    scaling: Vec3,
    margin: number,
  ): SurfaceManifold[] {
    put(A + Shape.position, [...convex.position, 0]);
    put(A + Shape.rotation, convex.rotation);
    put(A + Shape.param0, [...convex.params, 0, 0, 0, 0].slice(0, 4));
    view.setInt32(A + Shape.type, TYPE[convex.kind], true);
    if (convex.hull !== undefined) new Int32Array(memory.buffer, HULL).set(geometryWords(convex.hull));
    if (convex.points !== undefined) new Int32Array(memory.buffer, HULL).set(pointWords(convex.points));
    view.setUint32(A + Shape.geometry, HULL, true);
    put(B + Shape.position, [0, 0, 0, 0]);
    put(B + Shape.rotation, [0, 0, 0, 1]);
    put(B + Shape.param0, scaling);
    view.setInt32(B + Shape.type, surface.kind, true);
    new Int32Array(memory.buffer, CONTENT).set(surface.words);
    view.setUint32(B + Shape.geometry, CONTENT, true);
    const count = core.collide(A, B, margin, OUT);
    const vector = (at: number) => [...new Float32Array(memory.buffer, at, 3)] as Vec3;
    return Array.from({ length: count }, (_, k) => {
      const at = OUT + 256 * k;
      const points = view.getInt32(at + ManifoldResult.count, true);
      return {
        normal: vector(at + ManifoldResult.normal),
        points: Array.from({ length: points }, (_, i) => vector(at + ManifoldResult.point0 + 16 * i)),
        separations: [...new Float32Array(memory.buffer, at + ManifoldResult.separation0, points)],
        material: view.getInt32(at + 240, true),
      };
    });
  };
}
