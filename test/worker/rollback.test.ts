// Rollback of characters and step systems behind a client, over every transport: on every frame 8 and 60 frames back and
// forward again, with the states of a World that never went back. SOAK=1 does so at every one of 1,000 frames.
import { describe, expect } from 'vitest';
import { rollBackRemoteCourse } from '../determinism/course';
import { goldenScenes } from '../determinism/scenes';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { startPhysics, TRANSPORTS } from './support';

const test = ordinaryCoreOnly('the sanitizer does not see the module of actors');
const DEPTHS = [8, 60];
const FRAMES = process.env['SOAK'] ? 1000 : 62;
const scenes = goldenScenes.filter(({ actors, systems }) => actors || systems);

describe.each(scenes.map((scene) => [scene.id, scene] as const))('%s', (_, scene) => {
  test.each(TRANSPORTS)(
    '%s: no mismatch',
    async (transport) => {
      const physics = await startPhysics({ ...scene.world, transport, clock: 'manual' });
      const { count, mismatch } = await rollBackRemoteCourse(physics, scene, FRAMES, DEPTHS);
      expect(mismatch).toBeUndefined();
      expect(count).toBe(DEPTHS.reduce((sum, depth) => sum + FRAMES - depth, 0));
      console.log(`${scene.id}, ${transport}: ${count} rollbacks, 0 mismatches`);
    },
    3_600_000,
  );
});
