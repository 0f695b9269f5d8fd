// Names of props that several components know. In: nothing. Out: lists, of which each name is one of its type.
import type { MaterialProps, RigidBodyOptions } from './types';

/** What a body hands down to its colliders. */
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

/** What is called back for a body. */
export const HANDLER_PROPS = [
  'onCollisionEnter',
  'onCollisionExit',
  'onIntersectionEnter',
  'onIntersectionExit',
  'onContactForce',
  'onSleep',
  'onWake',
] as const satisfies readonly (keyof RigidBodyOptions)[];
