// Runs in a child process, see allocation.test.ts. Prints how much 1,000 steps grew the heap, in the
// quietest of several tries: an allocation in a step shows in all of them, noise does not.

import { pileMixed } from '../../demo/scenes/pile-mixed';
import { stackgrid } from '../../demo/scenes/stackgrid';
import { World } from '../../src/index';
import type { BodyOptions, WorldOptions } from '../../src/types';

const STEPS = Number(process.argv[2]);
const TRIES = 8;
const DT = 1 / 60;
const collectGarbage = (globalThis as unknown as { gc(): void }).gc;

function growth(round: () => void): { heap: number; arrayBuffers: number } {
  let heap = Number.POSITIVE_INFINITY;
  let arrayBuffers = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    collectGarbage();
    const before = process.memoryUsage();
    for (let step = 0; step < STEPS; step++) round();
    const after = process.memoryUsage();
    heap = Math.min(heap, after.heapUsed - before.heapUsed);
    arrayBuffers = Math.min(arrayBuffers, after.arrayBuffers - before.arrayBuffers);
  }
  return { heap, arrayBuffers };
}

function measure(options: WorldOptions, build: (world: World) => void, warmUp: number) {
  const world = new World(options);
  build(world);
  for (let i = 0; i < warmUp; i++) world.step(DT);
  const floor = growth(() => {}).heap;
  const memoryBefore = world.instance.memory.buffer.byteLength;
  const { heap, arrayBuffers } = growth(() => world.step(DT));
  return { heap, floor, arrayBuffers, memory: world.instance.memory.buffer.byteLength - memoryBefore };
}

/** A pile small enough that 8,000 steps of it are quick. */
function smallPile(world: World): void {
  const bodies: BodyOptions[] = [];
  pileMixed.build({ createBody: (options) => bodies.push(options), createJoint: () => 0 });
  for (const options of bodies.slice(0, 155)) world.createBody(options);
}

console.log(
  JSON.stringify({
    'pile, awake': measure({ sleeping: false }, smallPile, 900),
    'pile, asleep': measure({}, smallPile, 1500),
    'towers, with events': measure(
      { sleeping: false, events: ['contactBegin', 'contactEnd', 'sleep', 'wake'] } as WorldOptions,
      (world) => {
        const bodies: BodyOptions[] = [];
        stackgrid.build({ createBody: (options) => bodies.push(options), createJoint: () => 0 });
        for (const options of bodies.slice(0, 101)) world.createBody(options);
      },
      300,
    ),
  }),
);
