// The test that every game with rollback needs: go back 8 and 60 frames at every frame, come forward again, and
// be where the game was. SOAK=1 plays 1,000 frames of every scene.
import { expect, test } from 'vitest';
import { scenes } from '../../demo/scenes';
import { World, type WorldSlot } from '../../src';
import { stepScene } from '../determinism/hashes';

const soak = process.env['SOAK'] !== undefined;
const DEPTHS = [8, 60];
/** Frames that are played, and how many of the last ones go back. */
const FRAMES = soak ? 1000 : 70;
const EVERY = soak ? 1 : 10;

test.each(scenes.map((scene) => [scene.id, scene] as const))('%s: no mismatch', (_, scene) => {
  const world = new World(scene.world ?? {});
  scene.build(world);
  const slots: WorldSlot[] = [];
  const hashes: string[] = [];
  const reached = Math.max(...DEPTHS);
  let back = 0;
  // Fewer times in a large scene, unless there is time.
  const every = !soak && world.bodyCount > 1000 ? 32 : EVERY;
  for (let frame = 0; frame < FRAMES; frame++) {
    slots[frame % (reached + 1)] = world.save(slots[frame % (reached + 1)]);
    hashes[frame] = world.stateHash();
    for (const depth of DEPTHS) {
      if (frame < depth || frame % every !== 0) continue;
      world.restore(slots[(frame - depth) % (reached + 1)]!);
      expect(world.stateHash()).toBe(hashes[frame - depth]);
      for (let k = frame - depth; k < frame; k++) stepScene(world, k + 1);
      expect(world.stateHash(), `${depth} back from frame ${frame}`).toBe(hashes[frame]);
      back++;
    }
    stepScene(world, frame + 1);
  }
  expect(back).toBeGreaterThan(soak ? 1000 : 0);
});
