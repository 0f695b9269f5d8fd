// Data that the components of one <Physics> share. In: nothing. Out: contexts of React.

import { createContext } from 'react';
import type { Answer, PhysicsWorld } from 'ricochet';
import type { BodyEntry } from './bodyEntry';
import type { ColliderEntry } from './colliderEntry';
import type { Runtime } from './runtime';
import type { RigidBodyAutoCollider, RigidBodyOptions } from './types';

/** Result of `usePhysics`. */
export interface PhysicsContext {
  /** The world: a `World`, or the client of a worker. Queries return values or promises: `await` works with both. */
  world: PhysicsWorld;
  /** Whether the world is in a worker. */
  isWorker: boolean;
  /** Whether the world is paused. */
  isPaused: boolean;
  /** Whether debug lines are drawn. */
  isDebug: boolean;
  /** Makes the steps that are due after `deltaTime` s, also while the world is paused; a promise in a worker. */
  step: (deltaTime: number) => Answer<void>;
  /** @internal */
  runtime: Runtime;
  /** Defaults of `<Physics>`. */
  physicsOptions: { colliders: RigidBodyAutoCollider };
}

export const physicsContext = createContext<PhysicsContext | null>(null);

/** The parent with which mounted colliders register. */
export interface ColliderParent {
  register(collider: ColliderEntry): void;
  unregister(collider: ColliderEntry): void;
  readonly options: RigidBodyOptions;
  /** null until the body is created, and for instances. */
  readonly entry: BodyEntry | null;
}

export const colliderParent = createContext<ColliderParent | null>(null);
