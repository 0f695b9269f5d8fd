// The scene of a room's recording, for the timeline: what the room was built with. Players and balls are drawn as the
// recording brings them. In: the name that the recording has, as 'arena60'. Out: a scene.
import { buildArena } from './arena';
import type { Scene } from './scenes';

/** Note of a recording: the scene to open with it. */
export const roomSceneId = (crates: number) => `arena${crates}`;

export function roomScene(id: string): Scene | undefined {
  const crates = Number(/^arena(\d{1,3})$/.exec(id)?.[1] ?? Number.NaN);
  if (Number.isNaN(crates)) return undefined;
  return {
    id,
    title: 'A room',
    description: 'What was played in a room, as its server made it.',
    camera: { position: [0, 13, 22], target: [0, 0.5, 0] },
    build: (target) => buildArena(target as Parameters<typeof buildArena>[0], crates),
    shows: { statics: 'solid' },
  };
}
