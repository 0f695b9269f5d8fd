// The test that every game with rollback needs: go back 8 and 60 frames at every frame, come forward again, and
// be where the game was. Characters, vehicles and step systems on every frame, in a shorter scene. SOAK=1 does so at every one
// of 1,000 frames of every golden scene.
import { World, type WorldSlot } from 'ricochet';
import { expect, test } from 'vitest';
import { Course } from '../determinism/course';
import { type GoldenScene, goldenScenes } from '../determinism/scenes';

const soak = process.env['SOAK'] !== undefined;
const DEPTHS = [8, 60];
const REACH = Math.max(...DEPTHS);

/** Frames, and how many lie between two that go back: no divisor of what the scenes do at regular times. */
function lengthOf({ actors, systems }: GoldenScene): { frames: number; every: number } {
  if (soak) return { frames: 1000, every: 1 };
  return actors || systems ? { frames: 80, every: 1 } : { frames: 320, every: 37 };
}

test.each(goldenScenes.map((scene) => [scene.id, scene] as const))(
  '%s: no mismatch',
  (_, scene) => {
    const { frames, every } = lengthOf(scene);
    const world = new World(scene.world);
    const course = new Course(world, scene);
    const slots: WorldSlot[] = [];
    const hashes: string[] = [];
    let back = 0;
    for (let frame = 0; frame < frames; frame++) {
      slots[frame % (REACH + 1)] = world.save(slots[frame % (REACH + 1)]);
      hashes[frame] = world.stateHash();
      for (const depth of DEPTHS) {
        if (frame < depth || frame % every !== 0) continue;
        world.restore(slots[(frame - depth) % (REACH + 1)]!);
        expect(world.stateHash()).toBe(hashes[frame - depth]);
        for (let k = frame - depth; k < frame; k++) course.step(k + 1);
        expect(world.stateHash(), `${depth} back from frame ${frame}`).toBe(hashes[frame]);
        back++;
      }
      course.step(frame + 1);
    }
    expect(back).toBe(
      DEPTHS.reduce((sum, depth) => sum + Math.ceil(frames / every) - Math.ceil(depth / every), 0),
    );
    console.log(`${scene.id}: ${back} rollbacks, 0 mismatches`);
  },
  1_800_000,
);
