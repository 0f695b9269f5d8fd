// Actors (vehicles) for whoever steps a core: their module, and their commands, which are known from here on. A worker
// loads this with its tools. In: a core. Out: the module of its actors.

import { ACTOR_KINDS } from '../replica/actorFields';
import type { ActorLink } from '../replica/actorLink';
import { FIELD_KINDS } from '../replica/commandFields';
import { addCommands } from '../replica/commands';
import { ACTOR_COMMAND_FIELDS, ACTOR_MOTION_CODES } from '../wasm/actor-commands';
import { actorsOf } from '../wasm/actors';
import type { World } from './world';

export { actorsOf };

/** The arguments of addCommands: tools are a file of their own, with tables of their own. */
export const ACTOR_COMMANDS: Parameters<typeof addCommands> = [
  ACTOR_COMMAND_FIELDS,
  { ...FIELD_KINDS, ...ACTOR_KINDS },
  ACTOR_MOTION_CODES,
];

addCommands(...ACTOR_COMMANDS);

/** The world's side of the entries of actors. `revision`: another number when its state was replaced. */
export function linkOf(world: World, revision: () => number): ActorLink {
  const page = { words: new Int32Array(0), floats: new Float32Array(0), at: 0, end: 0 };
  const view = { from: page, to: page, fraction: 1 };
  const seen = [-1, -1, -1];
  return {
    write(command, values) {
      world.checkChangeable();
      world.replica.writer.write(command, values);
    },
    view(character) {
      if (character !== undefined) {
        const words = world.query(() => actorsOf(world.instance).publishCharacter(character));
        const { instance } = world;
        const at = instance.table('queryOutput');
        const own = { words: instance.words, floats: instance.floats, at, end: at + words };
        return { from: own, to: own, fraction: 1 };
      }
      // Many reads per frame: one publication for all of them.
      const now = [world.stepCount, world.replica.writer.written, revision()];
      if (now.every((value, i) => value === seen[i])) return view;
      for (const [i, value] of now.entries()) seen[i] = value;
      const count = world.query(() => actorsOf(world.instance).publish());
      const from = world.instance.table('queryOutput');
      if (page.words.length < count) {
        page.words = new Int32Array(2 * count);
        page.floats = new Float32Array(page.words.buffer);
      }
      page.words.set(world.instance.words.subarray(from, from + count));
      page.end = count;
      return view;
    },
  };
}
