// Names of props that several components have. In: nothing. Out: lists of keys of the prop types.
import type { MaterialProps, RigidBodyOptions } from './types';

/** Props that a body passes down to its colliders. */
export const MATERIAL_PROPS = [
  'friction',
  'restitution',
  'density',
  'sensor',
  'contactSkin',
  'activeCollisionTypes',
  'frictionCombineRule',
  'restitutionCombineRule',
] as const satisfies readonly (keyof MaterialProps)[];

/** Handlers of a body. */
export const HANDLER_PROPS = [
  'onCollisionEnter',
  'onCollisionExit',
  'onIntersectionEnter',
  'onIntersectionExit',
  'onContactForce',
  'onSleep',
  'onWake',
] as const satisfies readonly (keyof RigidBodyOptions)[];
