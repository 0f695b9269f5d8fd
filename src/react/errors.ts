// Errors and warnings that name the component. In: what the engine threw, and where. Out: the same error, told so
// that the author of a scene finds the place.
import { PhysicsError } from 'ricochet/cooking';

/** `<RigidBody name="crate">`, as far as it has a name. */
export const tag = (component: string, name: string | undefined) =>
  name === undefined || name === '' ? `<${component}>` : `<${component} name="${name}">`;

/** Runs `make`; a PhysicsError that it throws says whose props were wrong. */
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

/** One clear warning, once in a page. */
export function warnOnce(component: string, what: string): void {
  const text = `ricochet/react: ${component}: ${what}`;
  if (told.has(text)) return;
  told.add(text);
  console.warn(text);
}

/** Props of @react-three/rapier that would be missed, and what to do instead. */
const MISSED = {
  solverGroups: 'use collisionGroups, or sensor',
  principalAngularInertia: 'use massProperties',
  dominanceGroup: 'use type="kinematicPosition", or a larger mass',
} as const;

/** One warning for each prop that has no effect. */
export function warnOfMissed(component: string, props: object): void {
  for (const [name, instead] of Object.entries(MISSED))
    if ((props as Record<string, unknown>)[name] !== undefined)
      warnOnce(component, `${name} has no effect: ${instead}`);
}
