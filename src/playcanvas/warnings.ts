// What an application asks for and the engine has not: said once each; errors that name the entity.
import { PhysicsError } from 'ricochet';

const said = new Set<string>();
/** Texts that are kept, so that a scene that makes new ones for ever fills no memory. */
const MOST = 1000;

export function warn(text: string): void {
  if (said.has(text)) return;
  if (said.size >= MOST) said.clear();
  said.add(text);
  console.warn(`ricochet/playcanvas: ${text}`);
}

interface Named {
  readonly name: string;
}

export const nameOf = (entity: Named | null | undefined) =>
  entity ? `entity "${entity.name}"` : 'a body without entity';

/** An error of the engine's, with the entity that it is about. */
export function named(error: unknown, what: string): unknown {
  if (!(error instanceof PhysicsError)) return error;
  return new Error(`ricochet/playcanvas: ${what}: ${error.message}`, { cause: error });
}
