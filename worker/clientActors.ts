// The page's side of the entries of actors, loaded when the first actor is made. In: commands about actors. Out: what
// frames carry about them, of the drawn moment. See src/replica/actorLink.ts.
import type { ActorLink, ActorPage } from '../src/replica/actorLink';
import type { CommandWriter } from '../src/replica/commandWriter';
import type { FrameRoom } from './board';
import type { Link } from './link';
import type { PoseStore } from './poses';
import { FRAME } from './protocol';

const EMPTY: ActorPage = { words: new Int32Array(0), floats: new Float32Array(0), at: 0, end: 0 };

function pageOf(room: FrameRoom | null): ActorPage {
  if (room === null) return EMPTY;
  const { words, floats } = room;
  const offset = words[FRAME.ACTOR_OFFSET] as number;
  if (offset === 0) return EMPTY;
  return { words, floats, at: offset + 1, end: offset + 1 + (words[offset] as number) };
}

/** Resolves when the worker has the module. */
export async function linkActors(
  link: Link,
  poses: PoseStore,
  writer: () => CommandWriter,
): Promise<ActorLink> {
  link.hasActors = true; // first: a worker that is lost meanwhile is replaced by one that loads it
  await link.ask((host) => host.loadActors(), []);
  return {
    write: (command, values) => void writer().write(command, values),
    view() {
      const { from, to, fraction } = poses.drawn;
      return { from: pageOf(from), to: pageOf(to), fraction };
    },
  };
}
