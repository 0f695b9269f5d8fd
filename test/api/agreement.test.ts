// All that can be asked about two shapes says the same about whether they touch: distance, overlap, contact points, sweeps that start
// there or end there, and the contacts of a step. In: random and awkward pairs of every convex kind, and of these with compounds,
// planes, meshes and heightfields. Out: the first question that disagrees. SOAK=1: 50,000 pairs.
import { afterAll, expect, test } from 'vitest';
import { type RigidBody, type ShapeOptions, World } from '../../src';
import { randomRotation, unitVector } from '../core/support/narrowphase';
import { near, randomField, randomMesh } from '../core/support/randomSurfaces';
import { add, type Quat, random, scale, sub, type Vec3 } from '../physics/support/vector';

const SOAK = process.env['SOAK'] === '1';
const SEED = Number(process.env['AGREE_SEED'] ?? 4);
const CONVEX = ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'hull', 'multiSphere', 'triangle'] as const;
const OTHERS = [...CONVEX, 'compound', 'plane', 'mesh', 'heightfield'] as const;
const PAIRS = CONVEX.flatMap((a) => OTHERS.map((b) => [a, b] as const));
const EACH = Math.ceil((SOAK ? 50_000 : 480) / PAIRS.length);
/** Seeds of pairs where a sweep misses what it meets edge on: the normal at the touch is noise (queries/sweep.ts). */
const BEHIND = [4316779];
/** Of the size: about exact touch, nothing is asked. */
const BAND = 1e-4;
/** Of the size. */
const ALIKE = 1e-3;

type Name = (typeof OTHERS)[number];
const AWKWARD = [
  [0, 1, 0],
  [Math.SQRT1_2, Math.SQRT1_2, 0],
  [1, 0, 0],
] as Vec3[];

function shapeOf(kind: Name, next: () => number): { shape: ShapeOptions | ShapeOptions[]; size: number } {
  const part = () => 0.1 + 0.6 * next();
  const [x, y, z] = [part(), part(), part()];
  switch (kind) {
    case 'sphere':
      return { shape: { type: 'sphere', radius: x }, size: x };
    case 'box':
      return { shape: { type: 'box', halfExtents: [x, y, z] }, size: Math.hypot(x, y, z) };
    case 'capsule':
      return { shape: { type: 'capsule', radius: x, halfHeight: y }, size: x + y };
    case 'cylinder':
    case 'cone':
      return { shape: { type: kind, radius: x, halfHeight: y }, size: Math.hypot(x, y) };
    case 'hull': {
      const points = Array.from({ length: 4 + Math.floor(12 * next()) }, () => scale(unitVector(next), 0.3 + x / 2));
      return { shape: { type: 'hull', points }, size: 0.3 + x / 2 };
    }
    case 'multiSphere': {
      const spheres = Array.from({ length: 1 + Math.floor(5 * next()) }, () => ({
        position: scale(unitVector(next), y * next()),
        radius: 0.1 + 0.3 * next(),
      }));
      return { shape: { type: 'multiSphere', spheres }, size: y + 0.4 };
    }
    case 'triangle':
      return { shape: { type: 'triangle', points: [0, 1, 2].flatMap((k) => add(scale(unitVector(next), 0.2), [[x, 0, 0], [0, y, 0], [0, 0, z]][k] as Vec3)) }, size: 0.9 };
    case 'compound': {
      const pieces = [1, 2, 3].map(() => {
        const kinds = ['sphere', 'box', 'capsule', 'hull'] as const;
        const piece = shapeOf(kinds[Math.floor(4 * next())]!, next);
        return { ...(piece.shape as ShapeOptions), position: scale(unitVector(next), 0.5), rotation: randomRotation(next) };
      });
      return { shape: pieces, size: 1.2 };
    }
    case 'plane':
      return { shape: { type: 'plane' }, size: 1 };
    default:
      throw new Error(kind);
  }
} // biome-ignore format: points in lines

const figures = { pairs: 0, overlapping: 0, between: 0, surfaces: 0 };
afterAll(() => {
  if (SOAK || process.env['PAIRS_REPORT'] !== undefined) console.log(JSON.stringify(figures));
});

/** A pair about `gap` apart along a direction; what is wrong with it. */
function judge(kindA: Name, kindB: Name, seed: number): string[] {
  const next = random(seed);
  const surface = kindB === 'mesh' ? randomMesh(next) : kindB === 'heightfield' ? randomField(next) : undefined;
  const { shape, size: sizeA } = shapeOf(kindA, next);
  const other = surface ? { shape: surface.shape, size: 1 } : shapeOf(kindB, next);
  const size = Math.max(sizeA, other.size);
  const world = new World({ gravity: [0, 0, 0] });
  const awkward = next() < 0.4;
  const rotation: Quat = awkward && next() < 0.7 ? [0, 0, 0, 1] : randomRotation(next);
  const turned = !surface && kindB !== 'plane' && !(awkward && next() < 0.7);
  const b = world.createBody({
    type: 'static',
    shape: other.shape,
    ...(turned && { rotation: randomRotation(next) }),
  });
  const a = world.createBody({ shape, rotation, position: surface ? near('box', surface, next, 0.5).position : unitVector(next), linearVelocity: [0, 0, 0] });
  // To a chosen distance along the normal, or along an axis, where that is not known beforehand.
  const gaps = [0.3, 0.01, 1e-3, 3e-4, -3e-4, -1e-3, -0.02, -0.1, -0.3, 1e-5, 0, -1e-5];
  const gap = gaps[Math.floor(next() * gaps.length)]! * Math.min(sizeA, other.size);
  if (!surface || next() < 0.7) {
    if (awkward && !surface) a.setPosition(scale(AWKWARD[Math.floor(3 * next())]!, 4));
    for (let k = 0; k < 3; k++) {
      const now = world.closestPoints(a, b);
      if (now === null) break;
      a.setPosition(add(a.getPosition(), scale(now.normal, now.distance - gap)));
      if (k === 0 && now.distance > 0.5 * size && gap < -0.05 * size) continue;
    }
  }
  const wrong = ask(world, a, b, size, kindB, surface !== undefined);
  world.dispose();
  return wrong;
} // biome-ignore format: a body in a line

function ask(world: World, a: RigidBody, b: RigidBody, size: number, kindB: Name, surface: boolean): string[] {
  const wrong: string[] = [];
  const band = BAND * size;
  const now = world.closestPoints(a, b);
  // A field that is all holes.
  if (now === null) return surface && world.contactTest(a).length + world.overlapShapeTest(a).length === 0 ? [] : ['no distance'];
  const d = now.distance;
  const say = (what: string) => wrong.push(`${what} (distance ${d}, size ${size})`);
  const nearest = world.nearestTest(a)!;
  if (nearest?.distance !== d) say(`nearestTest says ${nearest?.distance}`);
  const back = world.closestPoints(b, a)!.distance;
  if (!(Math.abs(back - d) <= band)) say(`closestPoints the other way round says ${back}`);
  const deepestOf = (hits: { points: { separation: number }[] }[]) =>
    Math.min(Number.POSITIVE_INFINITY, ...hits.flatMap(({ points }) => points.map(({ separation }) => separation)));
  const reach = Math.max(0, d) + 0.05 * size;
  const deepest = deepestOf(world.contactPairTest(a, b, { maxDistance: reach }));
  const touching = deepestOf(world.contactPairTest(a, b));
  const other = deepestOf(world.contactPairTest(b, a));
  const overlap = world.overlapShapeTest(a).length > 0;
  const overlapped = world.overlapShapeTest(b).length > 0;
  const place = a.getPosition();
  const n = now.normal;
  const start = world.convexSweepTest(a, scale(n, 0.1 * size));
  figures.pairs++;
  const difference = Math.abs(deepest - d) / size;
  if (surface) {
    if (d < -band) figures.surfaces = Math.max(figures.surfaces, difference);
  } else {
    figures.between = Math.max(figures.between, difference);
    if (!(difference <= ALIKE)) say(`contactPairTest is off: ${deepest}`);
  }
  if (d > band) {
    if (overlap) say('overlapShapeTest says they touch');
    if (overlapped) say('overlapShapeTest of the other says they touch');
    if (touching < 0 || other < 0) say(`contactPairTest says ${touching} and ${other}`);
    if (start !== null && start.fraction === 0) say('a sweep has fraction 0');
    if (start === null && d < 0.09 * size) say('a sweep towards it does not hit');
    if (start !== null && !(Math.abs(start.fraction * 0.1 * size - d) <= 2 * band)) say(`a sweep along the normal goes ${start.fraction * 0.1 * size}`);
  }
  if (d < -band) {
    figures.overlapping++;
    if (!overlap) say('overlapShapeTest says they do not touch');
    if (!overlapped && kindB !== 'plane' && !surface) say('overlapShapeTest of the other says they do not touch');
    if (!(touching < 0) || !(other < 0)) say(`contactPairTest says ${touching} and ${other}`);
    if (start?.fraction !== 0) say(`a sweep has fraction ${start?.fraction}`);
    const away = world.convexSweepTest(a, scale(n, -0.1 * size));
    if (away?.fraction !== 0) say(`a sweep away has fraction ${away?.fraction}`);
    // From where they are apart to here.
    const from = sub(place, scale(n, 2 * band - d));
    a.setPosition(from);
    const gap = world.closestPoints(a, b)!.distance;
    const onto = world.convexSweepTest(a, sub(place, from));
    if (gap > band && !(onto !== null && onto.fraction > 0)) say(`a sweep from ${gap} apart to here gives ${onto?.fraction}`);
    a.setPosition(place);
  }
  // What a step makes of it.
  world.step(1 / 60);
  const contacts = deepestOf(world.getContacts(a));
  if (d < -band && contacts === Number.POSITIVE_INFINITY) say('a step has no contact');
  if (d > band && contacts < 0) say(`a step has a contact of ${contacts}`);
  return wrong;
} // biome-ignore format: one question in a line

test.each(OTHERS)(`every convex kind with a %s (seed ${SEED}, ${EACH} of each)`, (kindB) => {
  const wrong: string[] = [];
  for (const [k, kindA] of CONVEX.entries())
    for (let i = 0; i < EACH; i++) {
      const seed = SEED * 1_000_003 + 7919 * (100 * i + 10 * k) + OTHERS.indexOf(kindB);
      for (const fault of judge(kindA, kindB, seed))
        if (!(BEHIND.includes(seed) && fault.startsWith('a sweep towards')))
          wrong.push(`${kindA} and ${kindB}, seed ${seed}: ${fault}`);
    }
  expect(wrong.slice(0, 10).join('\n'), `${wrong.length} wrong`).toBe('');
});
