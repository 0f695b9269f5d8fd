// One scene, run the same way everywhere: in Node, in a page, in a worker. In: a World class, a scene.
// Out: the state hash after every tenth step as 16 hexadecimal digits. Two balls shot into the scene
// make sure that something happens late in it, too.

import type { BodyOptions, WorldOptions } from '../../src/types';

export const STEPS = 1000;
const EVERY = 10;
const DT = 1 / 60;

/** What is needed of a World; a class with `new (options)` or anything that behaves like one. */
export interface HashedWorld {
  createBody(options: BodyOptions): unknown;
  step(dt: number): unknown;
  /** 16 hexadecimal digits. */
  stateHash(): string;
}

export interface HashedScene {
  id: string;
  world?: WorldOptions;
  build(target: { createBody(options: BodyOptions): unknown }): void;
  /** What answers of the world decide before a step; see demo/steering.ts. */
  beforeStep?(world: never, step: number): void;
}

/** A heavy ball at step 200 and a light fast one at step 600. */
const shots: Record<number, BodyOptions> = {
  200: {
    mass: 50,
    position: [0.3, 3, 20],
    linearVelocity: [0, 2, -25],
    angularVelocity: [3, -1, 2],
    shape: { type: 'sphere', radius: 0.6 },
  },
  600: {
    mass: 2,
    position: [-15, 6, 0.2],
    linearVelocity: [30, 1, 0],
    shape: { type: 'capsule', radius: 0.2, halfHeight: 0.3, axis: 'x', restitution: 0.4 },
  },
};

/** Step number `step` (from 1) of a scene: what is created and decided before it, then the step itself. */
export function stepScene(world: HashedWorld, step: number, scene?: HashedScene): void {
  const shot = shots[step];
  if (shot) world.createBody(shot);
  scene?.beforeStep?.(world as never, step);
  world.step(DT);
}

/** Runs steps `from + 1` to `to` and returns the hashes of those divisible by ten. */
export function continueScene(world: HashedWorld, from: number, to: number, scene?: HashedScene): string[] {
  const hashes: string[] = [];
  for (let step = from + 1; step <= to; step++) {
    stepScene(world, step, scene);
    if (step % EVERY === 0) hashes.push(world.stateHash());
  }
  return hashes;
}

export function createScene<W extends HashedWorld>(
  World: new (options?: WorldOptions) => W,
  scene: HashedScene,
): W {
  const world = new World(scene.world ?? {});
  scene.build(world);
  return world;
}

/** The hashes after steps 10, 20, …, `steps` of a fresh world. */
export function runScene(
  World: new (options?: WorldOptions) => HashedWorld,
  scene: HashedScene,
  steps = STEPS,
): string[] {
  return continueScene(createScene(World, scene), 0, steps, scene);
}

/** The first step at which two runs differ, 0 if they agree. */
export function firstDifference(a: readonly string[], b: readonly string[]): number {
  const count = Math.max(a.length, b.length);
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return (i + 1) * EVERY;
  return 0;
}
