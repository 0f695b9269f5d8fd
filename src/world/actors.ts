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

/** The world's side of the entries of actors. */
export function linkOf(world: World): ActorLink {
  return {
    write(command, values) {
      world.checkChangeable();
      world.replica.writer.write(command, values);
    },
    view(character) {
      const words = world.query(() => {
        const module = actorsOf(world.instance);
        return character === undefined ? module.publish() : module.publishCharacter(character);
      });
      const { instance } = world;
      const at = instance.table('queryOutput');
      const page = { words: instance.words, floats: instance.floats, at, end: at + words };
      return { from: page, to: page, fraction: 1 };
    },
  };
}
