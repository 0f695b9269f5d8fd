// Hooks for components inside a <Physics>. In: functions of the user. Out: calls of them around steps; the world;
// queries.

import { useContext, useEffect, useMemo, useRef } from 'react';
import type { Answer, RayHit, RayOptions, Vec3Like, WorldBody } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import { type PhysicsContext, physicsContext } from './context';
import type { FixedStepCallback, PairHook, Runtime, StepCallback } from './runtime';
import type { CollisionTarget } from './types';

/** @internal The context; errors name the component or hook `name`. */
export function usePhysicsOf(name: string): PhysicsContext {
  const context = useContext(physicsContext);
  if (context === null)
    throw new PhysicsError('invalid-argument', `${name} must be used inside of a <Physics>`);
  return context;
}

/**
 * The world and its controls.
 *
 * @throws PhysicsError 'invalid-argument' outside of a `<Physics>`
 */
export function usePhysics(): PhysicsContext {
  return usePhysicsOf('usePhysics');
}

/** The name of usePhysics in @react-three/rapier; `world` is ricochet's. */
export function useRapier(): PhysicsContext {
  return usePhysicsOf('useRapier');
}

type Slots = 'beforeStep' | 'afterStep' | 'fixedStep' | 'contactHooks' | 'intersectionHooks';

function useSlot<Callback>(name: string, slot: Slots, callback: Callback): void {
  const { runtime } = usePhysicsOf(name);
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  useEffect(() => {
    const set = runtime[slot] as unknown as Set<{ current: Callback }>;
    set.add(latest);
    if (slot.endsWith('Hooks')) changeHooks(runtime, () => set.delete(latest));
    return () => {
      set.delete(latest);
      if (slot.endsWith('Hooks') && !runtime.isDisposed) runtime.updateHooks();
    };
  }, [runtime, slot]);
}

function changeHooks(runtime: Runtime, undo: () => void): void {
  try {
    runtime.updateHooks();
  } catch (error) {
    undo();
    throw error;
  }
}

/** Calls a function before each step; with a worker once per frame, before the frame's commands are sent. */
export function useBeforePhysicsStep(callback: StepCallback): void {
  useSlot('useBeforePhysicsStep', 'beforeStep', callback);
}

/** Calls a function after each step; with a worker once per frame in which steps were made. */
export function useAfterPhysicsStep(callback: StepCallback): void {
  useSlot('useAfterPhysicsStep', 'afterStep', callback);
}

/**
 * Calls a function once for each step, at any frame rate: before the step in the page; with a worker, for each step made
 * since the last frame. Its arguments are the step's length in s and its number.
 */
export function useFixedStep(callback: FixedStepCallback): void {
  useSlot('useFixedStep', 'fixedStep', callback);
}

/** Filters which shapes collide; not with a worker. 0 or false: they pass through each other; null: the next hook decides. */
export function useFilterContactPair(
  callback: (...ids: Parameters<PairHook>) => number | boolean | null,
): void {
  useSlot<PairHook>('useFilterContactPair', 'contactHooks', (...ids) => {
    const answer = callback(...ids);
    return answer === null ? null : answer !== 0 && answer !== false;
  });
}

/** Like useFilterContactPair, for pairs with a sensor. */
export function useFilterIntersectionPair(callback: (...ids: Parameters<PairHook>) => boolean): void {
  useSlot<PairHook>('useFilterIntersectionPair', 'intersectionHooks', callback);
}

/** The hit of a ray, with the component that was hit. */
export type RaycastHit = RayHit<WorldBody> & CollisionTarget;

/** Casts a ray from one point of the world to another, for the closest hit; returns a promise with a worker. */
export type Raycast = (
  from: Vec3Like,
  to: Vec3Like,
  options?: RayOptions<WorldBody>,
) => Answer<RaycastHit | null>;

/** Returns a function that casts rays in the world of this component. */
export function useRaycast(): Raycast {
  const { runtime } = usePhysicsOf('useRaycast');
  return useMemo(() => {
    const name = (hit: RayHit<WorldBody> | null): RaycastHit | null => {
      if (hit === null) return null;
      const entry = runtime.bodies.get(hit.body.id);
      const collider = runtime.shapes.get(hit.shape);
      const owner = entry?.standsAlone === true ? undefined : entry;
      return {
        ...hit,
        rigidBody: owner?.api,
        rigidBodyObject: owner?.object,
        collider: collider?.api,
        colliderObject: collider?.object,
      };
    };
    return (from, to, options) => {
      const answer = runtime.world.rayTest(from, to, {
        ...options,
        mode: 'closest',
      }) as Answer<RayHit<WorldBody> | null>;
      return answer instanceof Promise ? answer.then(name) : name(answer);
    };
  }, [runtime]);
}

/** Saves and restores the whole state; with promises if the world is in a worker. */
export function useSnapshot(): {
  take: () => Answer<Uint8Array>;
  restore: (snapshot: Uint8Array) => Answer<void>;
} {
  const { runtime } = usePhysicsOf('useSnapshot');
  return useMemo(
    () => ({
      take: () => runtime.snapshot(),
      restore: (snapshot: Uint8Array) => runtime.restore(snapshot),
    }),
    [runtime],
  );
}
