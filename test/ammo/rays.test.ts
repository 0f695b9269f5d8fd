// AllHitsRayResultCallback: every triangle that a ray crosses. In: random triangles, in each form that a mesh can have.
// Out: the fractions of ammo.js, in order.
import { expect, test } from 'vitest';
import { Chance } from '../support/randomWorlds';
import { type Ammo, addBody, box, createWorld, load, transformOf, xyz } from './engines';

const ours = await load('ricochet');
const bullet = await load('bullet');
const SEED = 7;
const RAYS = 300;
/** Hits of triangles with a common edge are one in ours. */
const APART = 1e-4;
/** Share of rays that pass a triangle so closely that Bullet's tolerance at its edges counts it. */
const BESIDE = 0.01;

const chance = new Chance(SEED, 0);
const numbers = (size: number) => [0, 1, 2].map(() => chance.between(-size, size));
const triangles = Array.from({ length: 200 }, () => {
  const middle = numbers(3);
  return [0, 1, 2].map(() => numbers(1.5).map((part, i) => part + middle[i]!));
});
const rays = Array.from({ length: RAYS }, () => [numbers(8), numbers(8)] as const);
const heights = Array.from({ length: 400 }, () => chance.between(-2, 2));

function bvh(A: Ammo): Ammo {
  const mesh = new A.btTriangleMesh();
  for (const corners of triangles) mesh.addTriangle(...corners.map((p) => new A.btVector3(...p)));
  return new A.btBvhTriangleMeshShape(mesh, true, true);
}

const MESHES: Record<string, (A: Ammo) => Ammo> = {
  mesh: bvh,
  'scaled mesh': (A) => new A.btScaledBvhTriangleMeshShape(bvh(A), new A.btVector3(1, 2, 0.5)),
  'mesh in a compound': (A) => {
    const shape = new A.btCompoundShape();
    const place = { position: [0.5, 0.5, 0], rotation: [0, 0.6, 0, 0.8] };
    shape.addChildShape(transformOf(A, place), bvh(A));
    return shape;
  },
  heightfield: (A) => {
    const at = A._malloc(4 * heights.length);
    A.HEAPF32.set(heights, at >> 2);
    return new A.btHeightfieldTerrainShape(20, 20, at, 1, -2, 2, 1, 'PHY_FLOAT', false);
  },
};

function fractions(A: Ammo, world: Ammo, from: readonly number[], to: readonly number[]): number[] {
  const ends = [new A.btVector3(...from), new A.btVector3(...to)];
  const result = new A.AllHitsRayResultCallback(...ends);
  world.rayTest(...ends, result);
  const list = result.get_m_hitFractions();
  return Array.from({ length: list.size() }, (_, i) => list.at(i));
}

const apart = (list: number[]) =>
  list.sort((a, b) => a - b).filter((at, i, all) => i === 0 || at - all[i - 1]! > APART);

test.each(Object.keys(MESHES))(`%s: ${RAYS} rays, seed ${SEED}`, (name) => {
  const [mine, theirs] = [ours, bullet].map((A) => {
    const world = createWorld(A);
    addBody(A, world, MESHES[name]!(A), 0, { position: [0.1, 0.2, 0.3], rotation: [0.2, 0.3, 0.1, 0.92736] });
    return world;
  });
  let count = 0;
  let differing = 0;
  for (const [from, to] of rays) {
    const found = apart(fractions(ours, mine, from, to));
    const wanted = apart(fractions(bullet, theirs, from, to));
    const isSame =
      found.length === wanted.length && found.every((at, i) => Math.abs(at - wanted[i]!) < APART);
    if (!isSame) differing++;
    count += found.length;
  }
  expect(differing).toBeLessThanOrEqual(BESIDE * RAYS);
  expect(count).toBeGreaterThan(RAYS / 2);
});

test('a ray through a wall of triangles between boxes: in and out, in order, and only in without back faces', () => {
  const A = ours;
  const world = createWorld(A);
  const corner = (i: number) => new A.btVector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  const mesh = new A.btTriangleMesh();
  const faces = '021 123 465 567 014 154 236 376 042 246 135 375'.split(' ');
  for (const face of faces) mesh.addTriangle(...[...face].map((digit) => corner(Number(digit))));
  addBody(A, world, new A.btBvhTriangleMeshShape(mesh, true, true), 0);
  for (const x of [-3, 3]) addBody(A, world, box(A, 0.5), 0, { position: [x, 0, 0] });
  const cast = (flags: number) => {
    const ends = [new A.btVector3(-5, 0.3, 0.1), new A.btVector3(5, 0.3, 0.1)];
    const result = new A.AllHitsRayResultCallback(...ends);
    result.set_m_flags(flags);
    world.rayTest(...ends, result);
    const points = result.get_m_hitPointWorld();
    return Array.from({ length: points.size() }, (_, i) => xyz(points.at(i))[0]);
  };
  for (const [i, x] of [-3.5, -1, 1, 2.5].entries()) expect(cast(0)[i]).toBeCloseTo(x, 4);
  for (const [i, x] of [-3.5, -1, 2.5].entries()) expect(cast(1)[i]).toBeCloseTo(x, 4);
});
