// What is called for every pair and every frame leaves nothing for the garbage collector. Measured on a bundle, as
// users have it: between modules of a test runner calls are not inlined, and their numbers are boxed.
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { root } from '../sources';

type Toolkit = typeof import('../../src/geometry/index');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const CALLS = 100_000;
/** Per call: less than one array of three numbers. What there is are numbers that the compiler boxed on their way. */
const BYTES = 72;
/** Those that call many of the others, which are too much to be inlined: so many times that. */
const COMPOSED: Record<string, number> = {
  closestSegmentTriangle: 3,
  closestTriangleTriangle: 5,
  movingSphereAabb: 8,
  movingSphereTriangle: 4,
};

/** ms. On a busy machine the optimizing compiler, a thread of its own, is late: until it is done numbers are boxed. */
const PATIENCE = 8_000;

/** Bytes per call, the least of some rounds: what the compiler does meanwhile is not the call's. */
function bytesPerCall(limit: number, call: (i: number) => unknown): number {
  let kept = 0;
  const run = () => {
    for (let i = 0; i < CALLS; i++) kept += call(i) ? 1 : 0;
  };
  run();
  let least = Number.POSITIVE_INFINITY;
  const until = performance.now() + PATIENCE;
  for (let round = 0; (round < 10 || performance.now() < until) && least > limit; round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    run();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / CALLS);
  }
  expect(kept).toBeGreaterThanOrEqual(0);
  return least;
}

let copies = 0;

async function bundled(): Promise<Toolkit> {
  const build = await rolldown({ input: join(root, 'src/geometry/index.ts'), cwd: root });
  const { output } = await build.generate({ format: 'es' });
  await build.close();
  const path = join(root, 'test/out/geometry.mjs');
  await mkdir(join(root, 'test/out'), { recursive: true });
  writeFileSync(path, output[0].code);
  return (await import(/* @vite-ignore */ `${path}?${copies++}`)) as Toolkit;
}

/** Each with inputs that change from call to call. */
function calls(g: Toolkit): Record<string, (i: number) => unknown> {
  const p = [0.5, 0.25, 0.125];
  const [a, b, c, d] = [
    [0.1, 0.2, 0.3],
    [2.1, 0.4, 0.5],
    [0.3, 2.2, 0.1],
    [0.2, 0.3, 2.5],
  ] as const;
  const [e, f, h] = [
    [1.5, 1.5, -1.5],
    [1.25, 0.5, 2.5],
    [3.5, 0.75, 0.5],
  ] as const;
  const out = [0.5, 0.5, 0.5];
  const q = [0.6, 0, 0, 0.8];
  const box = { min: [-1.5, -1.25, -1], max: [1.5, 1.25, 1.5] };
  const into = g.createAabb();
  const ball = { center: [0.5, 0.5, 0.5], radius: 1.5 };
  const second = { center: [2.5, 0.5, 0.5], radius: 1.25 };
  const merged = g.createSphere();
  const obb = { center: [0.5, 0.5, 0.5], halfExtents: [1.5, 0.5, 0.75], rotation: q };
  const pair = g.createClosestPair();
  const ray = g.setSegment([-5.5, 0.5, 0.5], [5.5, 0.25, 0.75]);
  const hit = g.createRayHit();
  const triangleHit = g.createTriangleHit();
  const capsule = { a: [0.5, -1.5, 0.5], b: [0.5, 1.5, 0.25], radius: 0.5 };
  const plane = { normal: [0.6, 0.8, 0], offset: 0.5 };
  const move = (i: number) => {
    p[0] = 4 * ((i * 0.37) % 1) - 2.1;
    p[1] = 4 * ((i * 0.73) % 1) - 2.1;
    p[2] = 4 * ((i * 0.57) % 1) - 2.1;
    ray.origin[1] = p[1];
    return p;
  };
  const other = { a: [1.5, -1.5, 0.5], b: [1.5, 1.5, 1.25], radius: 0.25 };
  const cloud = [0.5, 0.25, 0.5, 1.5, 0.25, 2.5, -1.5, 0.75, 0.5, 0.25, 2.5, 1.25];
  const dop = g.slabsFromPoints(cloud, g.createKdop(14));
  const dopB = g.slabsFromPoints(cloud, g.createKdop(14));
  const climber = g.createClimber(g.convexHull(cloud));
  const planes = [0.6, 0.8, 0, 0.5, -0.6, 0.8, 0, 0.5, 0, 0, 1, 0.5, 0, 0, -1, 0.5];
  const far = { min: [2.5, 0.5, 0.5], max: [3.5, 1.5, 1.5] };
  const moving = g.createMovingHit();
  const turning = { center: p, halfExtents: [0.5, 0.25, 1.5], rotation: [0, 0.6, 0, 0.8] };
  const at = (i: number) => {
    move(i);
    return turning;
  };
  return {
    transformAabb: (i) => g.transformAabb(box, move(i), q, into),
    mergeAabbs: (i) => g.growAabb(g.mergeAabbs(box, into, into), move(i)),
    aabbsOverlap: () => g.aabbsOverlap(box, into),
    spheresOverlap: () => g.spheresOverlap(ball, second),
    mergeSpheres: (i) => g.growSphere(g.mergeSpheres(ball, second, merged), move(i)),
    closestPointOnSegment: (i) => g.closestPointOnSegment(move(i), a, b, out),
    closestPointOnAabb: (i) => g.closestPointOnAabb(move(i), box, out),
    closestPointOnObb: (i) => g.closestPointOnObb(move(i), obb, out),
    closestPointOnTriangle: (i) => g.closestPointOnTriangle(move(i), a, b, c, out),
    closestPointOnTetrahedron: (i) => g.closestPointOnTetrahedron(move(i), a, b, c, d, out),
    squaredDistanceToAabb: (i) => g.squaredDistanceToAabb(move(i), box) > 1,
    closestSegmentSegment: (i) => g.closestSegmentSegment(move(i), a, b, c, pair),
    closestSegmentTriangle: (i) => g.closestSegmentTriangle(move(i), a, b, c, d, pair),
    closestTriangleTriangle: (i) => g.closestTriangleTriangle(move(i), a, b, e, f, h, pair),
    obbsOverlap: (i) => g.obbsOverlap(obb, at(i)),
    uprightObbsOverlap: (i) => g.uprightObbsOverlap(obb, at(i)),
    capsulesOverlap: (i) => g.capsulesOverlap(capsule, other) === move(i)[0]! > 1,
    slabsOverlap: () => g.slabsOverlap(dop, dopB),
    refitSlabs: (i) => g.refitSlabs(cloud, move(i), q, dop),
    raySlabs: (i) => g.raySlabs(ray, dopB, hit) === move(i)[0]! > 1,
    climb: (i) => g.climb(climber, move(i), 0) > 2,
    sphereObbOverlap: (i) => g.sphereObbOverlap(ball, at(i)),
    aabbTriangleOverlap: (i) => g.aabbTriangleOverlap(box, move(i), b, c),
    trianglesOverlap: (i) => g.trianglesOverlap(move(i), b, c, e, f, h),
    obbPlaneOverlap: (i) => g.obbPlaneOverlap(at(i), plane),
    segmentsCross: (i) => g.segmentsCross(move(i), b, c, d),
    pointInPolyhedron: (i) => g.pointInPolyhedron(move(i), planes),
    movingSpheres: (i) => g.movingSpheres(ball, move(i), second, a, moving),
    movingSphereAabb: (i) => g.movingSphereAabb(second, move(i), box, moving),
    movingSphereTriangle: (i) => g.movingSphereTriangle(second, move(i), a, b, c, moving),
    movingAabbs: (i) => g.movingAabbs(box, move(i), far, a, moving),
    raySphere: (i) => g.raySphere(ray, ball, hit) === move(i)[0]! > 1,
    rayHitsSphere: (i) => g.rayHitsSphere(ray, ball) === move(i)[0]! > 1,
    rayAabb: (i) => g.rayAabb(ray, box, hit) === move(i)[0]! > 1,
    segmentHitsAabb: (i) => g.segmentHitsAabb(ray, box) === move(i)[0]! > 1,
    rayObb: (i) => g.rayObb(ray, obb, hit) === move(i)[0]! > 1,
    rayPlane: (i) => g.rayPlane(ray, plane, hit) === move(i)[0]! > 1,
    rayCylinder: (i) => g.rayCylinder(ray, capsule.a, capsule.b, 0.5, hit) === move(i)[0]! > 1,
    rayCapsule: (i) => g.rayCapsule(ray, capsule, hit) === move(i)[0]! > 1,
    rayTriangle: (i) => g.rayTriangle(ray, b, c, d, false, triangleHit) === move(i)[0]! > 1,
  };
}

/** Copies of the toolkit that a call is measured in: what the compiler learnt too early in one of them it keeps. */
const COPIES = 3;

test('hot functions leave no array and no record behind', async () => {
  const bytesOf = (toolkit: Toolkit, name: string) => {
    const limit = BYTES * (COMPOSED[name] ?? 1);
    return { name, limit, bytes: bytesPerCall(limit, calls(toolkit)[name]!) };
  };
  const first = await bundled();
  let left = Object.keys(calls(first)).map((name) => bytesOf(first, name));
  for (let copy = 1; ; copy++) {
    left = left.filter(({ bytes, limit }) => bytes > limit);
    if (left.length === 0 || copy === COPIES) break;
    const next = await bundled();
    left = left.map(({ name }) => bytesOf(next, name));
  }
  expect(left).toEqual([]);
});
