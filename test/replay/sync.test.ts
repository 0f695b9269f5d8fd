// The test that every game with rollback needs: go back 8 and 60 frames at every frame, come forward again, and
// be where the game was. SOAK=1 does so at every one of 1,000 frames of every golden scene.
import { World, type WorldSlot } from 'ricochet';
import { expect, test } from 'vitest';
import { Course } from '../determinism/course';
import { goldenScenes } from '../determinism/scenes';

const soak = process.env['SOAK'] !== undefined;
const DEPTHS = [8, 60];
const REACH = Math.max(...DEPTHS);
const FRAMES = soak ? 1000 : 320;
/** Frames between two that go back: no divisor of what the scenes do at regular times. */
const EVERY = soak ? 1 : 37;

test.each(goldenScenes.map((scene) => [scene.id, scene] as const))(
  '%s: no mismatch',
  (_, scene) => {
    const world = new World(scene.world);
    const course = new Course(world, scene);
    const slots: WorldSlot[] = [];
    const hashes: string[] = [];
    let back = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      slots[frame % (REACH + 1)] = world.save(slots[frame % (REACH + 1)]);
      hashes[frame] = world.stateHash();
      for (const depth of DEPTHS) {
        if (frame < depth || frame % EVERY !== 0) continue;
        world.restore(slots[(frame - depth) % (REACH + 1)]!);
        expect(world.stateHash()).toBe(hashes[frame - depth]);
        for (let k = frame - depth; k < frame; k++) course.step(k + 1);
        expect(world.stateHash(), `${depth} back from frame ${frame}`).toBe(hashes[frame]);
        back++;
      }
      course.step(frame + 1);
    }
    expect(back).toBe(
      DEPTHS.reduce((sum, depth) => sum + Math.ceil(FRAMES / EVERY) - Math.ceil(depth / EVERY), 0),
    );
    console.log(`${scene.id}: ${back} rollbacks, 0 mismatches`);
  },
  1_800_000,
);
