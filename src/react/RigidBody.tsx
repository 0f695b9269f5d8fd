// A body. In: props, meshes and colliders below it. Out: a body of the world as long as it is mounted, and an object
// that follows it.
import type { ThreeElements } from '@react-three/fiber';
import { createContext, memo, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import type { Object3D } from 'three';
import { BodyEntry } from './bodyEntry';
import type { ColliderEntry } from './colliderEntry';
import { type ColliderParent, colliderParent } from './context';
import { refuse } from './errors';
import { usePhysicsOf } from './hooks';
import { HANDLER_PROPS, MATERIAL_PROPS } from './props';
import { setRef } from './refs';
import type { RigidBodyApi } from './rigidBodyApi';
import type { RigidBodyOptions, RigidBodyProps } from './types';

/** Props that are not passed to the object. */
const PHYSICAL = [
  'type',
  'colliders',
  'linearVelocity',
  'angularVelocity',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'canSleep',
  'ccd',
  'lockTranslations',
  'lockRotations',
  'enabledTranslations',
  'enabledRotations',
  'dynamicMesh',
  'includeInvisible',
  ...MATERIAL_PROPS,
  'mass',
  'collisionGroups',
  ...HANDLER_PROPS,
  'solverGroups',
  'principalAngularInertia',
  'dominanceGroup',
  'additionalSolverIterations',
  'softCcdPrediction',
] as const satisfies readonly (keyof RigidBodyOptions)[];
const IS_PHYSICAL = new Set<string>(PHYSICAL);

/** Props for the object in the scene. */
export function objectProps(props: object): ThreeElements['object3D'] {
  return Object.fromEntries(
    Object.entries(props).filter(([name]) => !IS_PHYSICAL.has(name)),
  ) as ThreeElements['object3D'];
}

/** @internal Keeps colliders that are mounted before their body is created. */
export class Registry implements ColliderParent {
  readonly colliders = new Set<ColliderEntry>();
  entry: BodyEntry | null = null;

  constructor(public options: RigidBodyOptions) {}

  register(collider: ColliderEntry): void {
    this.colliders.add(collider);
    this.entry?.register(collider);
  }

  unregister(collider: ColliderEntry): void {
    this.colliders.delete(collider);
    this.entry?.unregister(collider);
  }
}

const bodyContext = createContext<Registry | null>(null);

/**
 * The body that a component is inside of: its API once it is mounted.
 *
 * @throws PhysicsError 'invalid-argument' outside of a `<RigidBody>`
 */
export function useRigidBodyContext(): {
  getRigidBody: () => RigidBodyApi | null;
  options: RigidBodyOptions;
} {
  const registry = useContext(bodyContext);
  if (registry === null) throw refuse('useRigidBodyContext', 'must be used inside of a <RigidBody>');
  return { getRigidBody: () => registry.entry?.api ?? null, options: registry.options };
}

/** A body that moves what is below it. */
export const RigidBody = memo(function RigidBody({ ref, children, ...given }: RigidBodyProps): ReactNode {
  const { runtime, physicsOptions } = usePhysicsOf('<RigidBody>');
  const props: RigidBodyOptions = { colliders: physicsOptions.colliders, ...given };
  const object = useRef<Object3D>(null);
  const latest = useRef({ props, ref });
  const registry = useMemo(() => new Registry({}), []);
  useEffect(() => {
    const before = latest.current.ref;
    latest.current = { props, ref };
    registry.options = props;
    if (before === ref || registry.entry === null || typeof ref === 'function') return;
    setRef(before, null);
    setRef(ref, registry.entry.api);
  });

  useEffect(() => {
    const { props: first, ref: told } = latest.current;
    const entry = new BodyEntry(runtime, first, object.current!);
    for (const collider of registry.colliders) entry.register(collider);
    entry.create();
    registry.entry = entry;
    setRef(told, entry.api);
    return () => {
      setRef(latest.current.ref, null);
      registry.entry = null;
      entry.remove();
    };
  }, [runtime, registry]);

  useEffect(() => {
    registry.entry?.update(props);
  });

  return (
    <bodyContext.Provider value={registry}>
      <colliderParent.Provider value={registry}>
        <object3D {...objectProps(given)} ref={object}>
          {children}
        </object3D>
      </colliderParent.Provider>
    </bodyContext.Provider>
  );
});
