// Errors and warnings that name the component. In: an error of the engine, and its place. Out: the same error with a
// message that names the component.
import { PhysicsError } from 'ricochet/cooking';

/** `<RigidBody name="crate">`, or without the name if there is none. */
export const tag = (component: string, name: string | undefined) =>
  name === undefined || name === '' ? `<${component}>` : `<${component} name="${name}">`;

/** Runs `make`; a PhysicsError that it throws names the component. */
export function blame<T>(component: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof PhysicsError) || error.message.startsWith('<')) throw error;
    throw Object.assign(new PhysicsError(error.code, `${component}: ${error.message}`), { cause: error });
  }
}

export const refuse = (component: string, what: string) =>
  new PhysicsError('invalid-argument', `${component}: ${what}`);

const told = new Set<string>();

/** Warns once per page. */
export function warnOnce(component: string, what: string): void {
  const text = `ricochet/react: ${component}: ${what}`;
  if (told.has(text)) return;
  told.add(text);
  console.warn(text);
}

/** Props of @react-three/rapier without effect here, and alternatives. */
const MISSED = {
  solverGroups: 'use collisionGroups, or sensor',
  principalAngularInertia: 'use massProperties',
  dominanceGroup: 'use type="kinematicPosition", or a larger mass',
} as const;

/** One warning for each prop without effect. */
export function warnOfMissed(component: string, props: object): void {
  for (const [name, instead] of Object.entries(MISSED))
    if ((props as Record<string, unknown>)[name] !== undefined)
      warnOnce(component, `${name} has no effect: ${instead}`);
}
