// The same calls give the same bits. Each scene's state hash is taken after every tenth of 1,000 steps
// and compared between worlds that have nothing in common but the calls made on them.

import { expect, test } from 'vitest';
import { scenes as shown } from '../../demo/scenes';
import { pyramid } from '../../demo/scenes/pyramid';
import { stackgrid } from '../../demo/scenes/stackgrid';
import { steering } from '../../demo/steering';
import { World } from '../../src/index';
import golden from './golden.json';
import {
  continueScene,
  createScene,
  firstDifference,
  type HashedScene,
  runScene,
  STEPS,
  stepScene,
} from './hashes';

const DT = 1 / 60;

const scenes: HashedScene[] = [...shown, steering];

for (const scene of scenes) {
  test(`${scene.id}: golden hashes, snapshot and restore at step 500, and a world made after a destroyed one`, () => {
    // First life: up to the snapshot at step 500, then on to the end.
    const first = createScene(World, scene);
    const hashes = continueScene(first, 0, 500, scene);
    const snapshot = first.snapshot();
    hashes.push(...continueScene(first, 500, STEPS, scene));
    first.dispose();
    expect(hashes).toHaveLength(STEPS / 10);
    expect(new Set(hashes.slice(0, 10)).size, 'hashes that change while things move').toBeGreaterThan(5);

    // A world that never saw the beginning goes on from the snapshot to the same end.
    const restored = new World();
    restored.restore(snapshot);
    expect(restored.stateHash(), 'hash right after restore').toBe(hashes[49]);
    const continued = continueScene(restored, 500, STEPS, scene);
    expect(
      firstDifference(hashes.slice(50), continued),
      'first difference after restore, steps from 500',
    ).toBe(0);
    restored.dispose();

    // A third world, made after two were destroyed, from the beginning.
    expect(firstDifference(hashes, runScene(World, scene)), 'first step that differs in a new world').toBe(0);

    // The same as on every other machine: `node scripts/update-golden.mjs` rewrites the file on purpose.
    const recorded = (golden as Record<string, string[]>)[scene.id] ?? [];
    expect(firstDifference(recorded, hashes), 'first step that differs from golden.json').toBe(0);
  });
}

test('two worlds stepped in turns do not disturb each other', () => {
  const alone = runScene(World, pyramid, 300);
  const [a, b] = [createScene(World, pyramid), createScene(World, stackgrid)];
  const mixed: string[] = [];
  for (let step = 1; step <= 300; step++) {
    stepScene(a, step);
    stepScene(b, step);
    if (step % 10 === 0) mixed.push(a.stateHash());
  }
  expect(firstDifference(alone, mixed)).toBe(0);
});

test('restoring into the world that took the snapshot rewinds it', () => {
  const world = createScene(World, pyramid);
  continueScene(world, 0, 100);
  const snapshot = world.snapshot();
  const once = continueScene(world, 100, 300);
  world.restore(snapshot);
  expect(continueScene(world, 100, 300)).toEqual(once);
});

test('the order of creation alone decides ids and so the state: same order, same hash; other order, other hash', () => {
  const build = (order: number[]) => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    for (const x of order)
      world.createBody({ mass: 1, position: [x, 3, 0], shape: { type: 'sphere', radius: 0.5 } });
    for (let i = 0; i < 60; i++) world.step(DT);
    return world.stateHash();
  };
  expect(build([0, 2, 4])).toBe(build([0, 2, 4]));
  expect(build([0, 2, 4])).not.toBe(build([4, 2, 0]));
});

test('removed and recreated bodies give the same ids and hashes in every run', () => {
  const live = () => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const bodies = Array.from({ length: 50 }, (_, i) =>
      world.createBody({
        mass: 1,
        position: [(i % 7) * 0.9, 1 + i * 0.6, (i % 3) * 0.9],
        shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
      }),
    );
    const hashes: string[] = [];
    for (let step = 1; step <= 300; step++) {
      if (step % 7 === 0) {
        const at = (step * 13) % bodies.length;
        world.removeBody(bodies[at]);
        bodies[at] = world.createBody({
          mass: 2,
          position: [at % 5, 20, at % 4],
          shape: { type: 'capsule', radius: 0.3, halfHeight: 0.3 },
        });
      }
      world.step(DT);
      if (step % 10 === 0) hashes.push(world.stateHash());
    }
    return hashes;
  };
  expect(firstDifference(live(), live())).toBe(0);
});

test('reading never changes the state', () => {
  const world = createScene(World, pyramid);
  continueScene(world, 0, 50);
  const before = world.stateHash();
  for (const body of [...world.bodies()]) {
    body.getPosition();
    body.getRotation();
    body.getLinearVelocity();
  }
  world.rayTest([0, 50, 0], [0, -50, 0]);
  world.snapshot();
  expect(world.stateHash()).toBe(before);
});
