// Waiting pairs against exact distances. In: random worlds, in which bodies fall, spin, are pushed, teleported, hit at high
// speed and moved by joints. Out: whether two shapes are ever nearer than the core believes, so that it would not
// test them in time.
import { expect, test } from 'vitest';
import type { ShapeId, World } from '../../src';
import { generationOf, slotOf } from '../../src/base/ids';
import { GAP_UNITS, SHAPE_PLANE } from '../../src/core/memory/constants';
import * as layout from '../../src/wasm/core-layout';
import { FIRST_ACTED, FIRST_TRAITED, randomStep, randomWorld } from '../support/randomWorlds';

const { WaitingPair, Pair, Shape } = layout;
const SEEDS = Number(process.env.WAITING_SEEDS ?? 60);

/** m. The distance that GJK finds is exact to this share of the shapes' sizes; the units of the core are 0.06 mm. */
const ACCURACY = 2e-5;

function believed({ instance }: World): { shapeA: number; shapeB: number; gap: number }[] {
  const found = [];
  for (let i = 0; i < instance.get('waitingCount'); i++) {
    const at = (instance.get('waiting') + i * WaitingPair.SIZE) >>> 2;
    const gap = instance.words[at + (WaitingPair.gap >> 2)]!;
    if (gap === 0) continue;
    const pair = (instance.get('pairs') + instance.words[at + (WaitingPair.pair >> 2)]! * Pair.SIZE) >>> 2;
    const [shapeA, shapeB] = [Pair.shapeA, Pair.shapeB].map((field) => instance.words[pair + (field >> 2)]!);
    found.push({ shapeA: shapeA!, shapeB: shapeB!, gap: gap / GAP_UNITS });
  }
  return found;
}

/** m. Balls do not touch the margin of a surface with Bullet's settings; closestPoints counts it. */
function skin({ instance }: World, slot: number): number {
  const at = (instance.get('shapes') + slot * Shape.SIZE) >>> 2;
  if (instance.words[at + (Shape.type >> 2)]! <= SHAPE_PLANE) return 0;
  return instance.floats[at + (Shape.margin >> 2)]!;
}

test(`${SEEDS} random worlds: no waiting pair is nearer than the core believes`, () => {
  const wrong: string[] = [];
  let compared = 0;
  let near = 0;
  for (let i = 1; i <= SEEDS; i++) {
    const seed = [0, FIRST_TRAITED, FIRST_ACTED][i % 3]! + i;
    const world = randomWorld(seed);
    for (let step = 0; step < 120; step++) {
      randomStep(world, seed, step);
      const ids = new Map<number, ShapeId>();
      for (const body of world.bodies()) for (const id of body.shapes) ids.set(slotOf(id), id);
      for (const { shapeA, shapeB, gap } of believed(world)) {
        const [a, b] = [ids.get(shapeA), ids.get(shapeB)];
        if (a === undefined || b === undefined) continue;
        const hit = world.closestPoints({ shape: a }, { shape: b });
        if (hit === null) continue;
        compared++;
        if (gap > 0.5 * hit.distance) near++;
        const far = hit.distance + skin(world, shapeA) + skin(world, shapeB);
        if (gap <= far + ACCURACY * (1 + Math.hypot(...hit.pointA))) continue;
        wrong.push(
          `seed ${seed}, step ${step}, shapes ${shapeA} (${generationOf(a)}), ${shapeB}: ${gap}, not ${hit.distance} m`,
        );
      }
    }
    world.dispose();
  }
  console.log(`${compared} distances, ${near} of them known to a half`);
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(near).toBeGreaterThan(20 * SEEDS);
});
