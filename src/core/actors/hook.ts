// The core's side of actors (vehicles, characters), which are a module of their own: src/core/actors.ts. In: commands about
// actors, and the moments of a step at which actors act. Out: one call of that module, which the host loads when it is
// first called. Worlds without actors never call.

import { world } from '../memory/tables';

/** At the start of a step, before kinematic bodies get their velocities. */
export const ACTORS_BEGIN = 256;
/** When the forces of areas have been gathered: vehicles add theirs, characters their weight (areas/areas.ts). */
export const ACTORS_FORCES = 257;
/** At the end of a step, when all bodies are where it leaves them: characters move. */
export const ACTORS_END = 258;
/** When what stands on a body or hangs from it is woken; with its slot as the address. */
export const ACTORS_SUPPORT = 259;

/**
 * `what`: the code of a command, with the address of its fields, or one of the moments above.
 *
 * @external env actors
 */
export declare function actors(what: i32, at: usize, dt: f32): void;

/** Whether there are actors. @inline */
export function hasActors(): bool {
  return world().vehicleCount + world().characterCount > 0;
}
