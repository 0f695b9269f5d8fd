// The shape that fits a render mesh: three's own geometries become what they are, wherever they were moved to; every
// vertex is inside; worlds take the result. And the entry as a whole: its page names all of it, and it loads no engine.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Euler,
  IcosahedronGeometry,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TetrahedronGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { describe, expect, test } from 'vitest';
import * as toolkit from '../../src/geometry/index';
import { type ColliderKind, fitCollider, PhysicsError } from '../../src/geometry/index';
import { massPropertiesOf, type ShapeOptions, World } from '../../src/index';
import { CORE_WASM } from '../../src/wasm/core-wasm';
import { random } from '../physics/support/vector';
import { read, root } from '../sources';
import { caught } from '../support/caught';
import { add, asVec, distance, turned, type Vec3 } from './support';

/** What only a script with the engine in it contains. */
const CORE_START = CORE_WASM.slice(0, 200);

const moved = (geometry: BufferGeometry) =>
  geometry.applyMatrix4(
    new Matrix4().compose(
      new Vector3(3, -2, 5),
      new Quaternion().setFromEuler(new Euler(0.4, 1.1, -0.7)),
      new Vector3(1, 1, 1),
    ),
  );

describe('fitCollider', () => {
  test('boxes, balls and capsules that were turned and moved are found again', () => {
    const box = fitCollider(moved(new BoxGeometry(2, 4, 6)));
    expect(box).toMatchObject({ type: 'box' });
    if (box.type !== 'box') return;
    expect(
      asVec(box.halfExtents as Vec3)
        .sort((a, b) => a - b)
        .map((c) => Math.round(c * 1e4) / 1e4),
    ).toEqual([1, 2, 3]);
    expect(distance(box.position as Vec3, [3, -2, 5])).toBeLessThan(1e-5);

    const ball = fitCollider(moved(new SphereGeometry(1.5, 32, 24)));
    expect(ball).toMatchObject({ type: 'sphere', radius: expect.closeTo(1.5, 4) });
    const capsule = fitCollider(moved(new CapsuleGeometry(0.5, 3, 12, 24)));
    expect(capsule).toMatchObject({
      type: 'capsule',
      radius: expect.closeTo(0.5, 2),
      halfHeight: expect.closeTo(1.5, 1),
    });
  });

  test('what no simple shape fits is its hull; a looser bound takes the best of them', () => {
    for (const geometry of [
      new TetrahedronGeometry(1),
      new CylinderGeometry(1, 1, 1, 40),
      new TorusGeometry(2, 0.2),
    ])
      expect(fitCollider(geometry).type).toBe('hull');
    expect(fitCollider(new TetrahedronGeometry(1), { excess: 5 }).type).toBe('box');
    expect(fitCollider(new CylinderGeometry(1, 1, 1, 40), { excess: 2 }).type).toBe('box');
    // A coarse ball is less than its ball.
    expect(fitCollider(new IcosahedronGeometry(1, 0), { excess: 1.1 }).type).toBe('hull');
    expect(fitCollider(new IcosahedronGeometry(1, 3)).type).toBe('sphere');
  });

  /** m. How far a point is outside a shape. */
  function outside(shape: ShapeOptions, p: Vec3): number {
    const [x, y, z, w] = (shape.rotation ?? [0, 0, 0, 1]) as [number, number, number, number];
    const own = turned(
      [-x, -y, -z, w],
      add(p, asVec((shape.position ?? [0, 0, 0]) as Vec3).map((c) => -c) as Vec3),
    );
    if (shape.type === 'sphere') return Math.hypot(...own) - shape.radius;
    if (shape.type === 'capsule')
      return Math.hypot(own[0], Math.max(0, Math.abs(own[1]) - shape.halfHeight), own[2]) - shape.radius;
    if (shape.type !== 'box') throw new Error(shape.type);
    return Math.max(...own.map((c, k) => Math.abs(c) - asVec(shape.halfExtents as Vec3)[k]!));
  }

  test('every vertex is inside, at any scale; a world takes the shape; auto is the least', () => {
    const next = random(17);
    for (let i = 0; i < 25; i++) {
      const stretch = [0.2 + 3 * next(), 0.2 + 2 * next(), 0.2 + next()];
      const points = Float32Array.from({ length: 120 }, (_, c) => (2 * next() - 1) * stretch[c % 3]!);
      const scale = [1 + next(), -1 - next(), 0.5] as const;
      const volumes: Record<string, number> = {};
      for (const kind of ['box', 'sphere', 'capsule', 'hull'] as const) {
        const shape = fitCollider(points, { kind, scale, friction: 0.7 });
        expect(shape.friction).toBe(0.7);
        const world = new World();
        world.createBody({ shape });
        world.step(1 / 60);
        expect(world.bodyCount).toBe(1);
        volumes[kind] = massPropertiesOf(shape).volume;
        if (shape.type === 'hull') continue;
        for (let c = 0; c < points.length; c += 3)
          expect(outside(shape, [0, 1, 2].map((k) => points[c + k]! * scale[k]!) as Vec3)).toBeLessThan(1e-6);
      }
      const auto = fitCollider(points, { scale, excess: 1e9, boxFavour: 1 });
      const least = Math.min(volumes['box']!, volumes['sphere']!, volumes['capsule']!);
      expect(massPropertiesOf(auto).volume).toBeCloseTo(least, 5);
      expect(volumes['hull']).toBeLessThanOrEqual(least * (1 + 1e-6));
    }
  });

  test('a sheet, a line and a point get boxes of some thickness, and no hull', () => {
    expect(fitCollider(new PlaneGeometry(4, 2))).toMatchObject({ type: 'box' });
    const sheet = fitCollider(new PlaneGeometry(4, 2), { minHalfExtent: 0.02 });
    expect(sheet.type === 'box' && asVec(sheet.halfExtents as Vec3).sort((a, b) => a - b)[0]).toBe(0.02);
    for (const points of [
      [0, 0, 0, 5, 0, 0],
      [1, 2, 3],
    ]) {
      const shape = fitCollider(points);
      new World().createBody({ shape });
      expect(massPropertiesOf(shape).volume).toBeGreaterThan(0);
    }
    expect(caught(() => fitCollider(new PlaneGeometry(4, 2), 'hull'))).toBeInstanceOf(PhysicsError);
  });

  test('only what is drawn counts, and wrong arguments are named', () => {
    const geometry = new BoxGeometry(2, 2, 2);
    geometry.setDrawRange(0, 6); // one side
    const side = fitCollider(geometry, 'box');
    expect(side.type === 'box' && asVec(side.halfExtents as Vec3).sort((a, b) => a - b)[0]).toBe(0.005);
    const messages = [
      () => fitCollider([], 'box'),
      () => fitCollider([0, 0, Number.NaN], 'box'),
      () => fitCollider([0, 0, 0], 'cone' as ColliderKind),
      () => fitCollider([0, 0, 0], { excess: 0.5 }),
      () => fitCollider([0, 0, 0], { slack: 1 } as object),
      () => fitCollider([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], { maxVertices: 3 }),
    ].map((call) => caught(call).message);
    expect(messages).toEqual([
      expect.stringMatching(/^geometry\.length must be 3 or more/),
      'geometry[2] must be a finite number, got NaN',
      expect.stringMatching(/^kind must be one of 'auto', 'box'/),
      'excess must be ≥ 1, got 0.5',
      expect.stringMatching(/^slack is no option/),
      'maxVertices must be from 4 to 64, got 3',
    ]);
  });
});

describe('the entry', () => {
  test('docs/geometry.md names every function', () => {
    const page = read('docs/geometry.md');
    const named = new Set([...page.matchAll(/`(\w+)`/g)].map(([, name]) => name as string));
    for (const [, prefix, rest] of page.matchAll(/`(\w+?On|\w+?To)(\w+)`((?:, `…\w+`)*)/g))
      for (const [, ending] of (rest ? page : '').matchAll(/`…(?:On|To)(\w+)`/g))
        named.add(`${prefix}${ending}`);
    const functions = Object.entries(toolkit).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    );
    expect(
      functions.filter((name) => !named.has(name) && !name.startsWith('create') && name !== 'PhysicsError'),
    ).toEqual([]);
  });

  test('a page that uses one function loads that one, and never the engine', async () => {
    const bundle = async (code: string) => {
      const build = await rolldown({
        input: 'entry',
        cwd: root,
        plugins: [
          {
            name: 'entry',
            resolveId: (id) => (id === 'entry' ? id : null),
            load: (id) => (id === 'entry' ? code : null),
          },
        ],
      });
      const { output } = await build.generate({ format: 'es', minify: true });
      await build.close();
      return output[0].code;
    };
    const from = JSON.stringify(join(root, 'src/geometry/index.ts'));
    const all = await bundle(`export * from ${from}`);
    expect(all).not.toContain(CORE_START);
    expect(all).not.toContain('WebAssembly');
    const one = await bundle(`export { aabbsOverlap } from ${from}`);
    expect(one.length).toBeLessThan(600);
    expect((await bundle(`export { raySphere } from ${from}`)).length).toBeLessThan(2500);
    console.log(`geometry: all ${(all.length / 1024).toFixed(1)} KB, aabbsOverlap ${one.length} bytes`);
  });

  test('every file of the toolkit is used, and none is long', () => {
    for (const name of readdirSync(join(root, 'src/geometry')))
      expect(read(`src/geometry/${name}`).split('\n').length, name).toBeLessThan(450);
  });
});
