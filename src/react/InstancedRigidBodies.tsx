// Many bodies drawn by one InstancedMesh. In: a list of instances, the mesh, common colliders. Out: bodies, created by
// one command; the mesh's matrices in each frame.
import { Fragment, memo, type ReactNode, type Ref, useEffect, useMemo, useRef } from 'react';
import type { Object3D } from 'three';
import { BodyEntry, meshesBelow } from './bodyEntry';
import { ColliderEntry } from './colliderEntry';
import { colliderParent } from './context';
import { refuse } from './errors';
import { usePhysicsOf } from './hooks';
import { type Instance, InstancedBodies, isInstanced } from './instances';
import { MATERIAL_PROPS } from './props';
import { objectProps, Registry } from './RigidBody';
import { setRef } from './refs';
import type { RigidBodyApi } from './rigidBodyApi';
import type { RigidBodyOptions, RigidBodyProps } from './types';

/** Props of one instance, in place of those of all; `key` says which body is whose when the list changes. */
export type InstancedRigidBodyProps = Instance;

/** Props of InstancedRigidBodies. */
export interface InstancedRigidBodiesProps extends Omit<RigidBodyProps, 'ref' | 'children'> {
  /** What each instance has of its own; `key` tells which is which. */
  instances: readonly InstancedRigidBodyProps[];
  /** Colliders that every instance has. */
  colliderNodes?: ReactNode[] | undefined;
  /** One `<instancedMesh>` with room for all. */
  children: ReactNode;
  /** The bodies, in the order of `instances`. */
  ref?: Ref<RigidBodyApi[]>;
}

/** Changes of these create new bodies; all other changes apply to living ones. */
const REMAKING = [
  'colliders',
  ...MATERIAL_PROPS,
  'includeInvisible',
  'dynamicMesh',
] as const satisfies readonly (keyof RigidBodyOptions)[];

/** A body for each instance of the instanced mesh below it. */
export const InstancedRigidBodies = memo(function InstancedRigidBodies({
  ref,
  children,
  instances,
  colliderNodes,
  ...given
}: InstancedRigidBodiesProps): ReactNode {
  const { runtime, physicsOptions } = usePhysicsOf('<InstancedRigidBodies>');
  const props: RigidBodyOptions = { colliders: physicsOptions.colliders, ...given };
  const { position: _p, rotation: _r, quaternion: _q, scale: _s, name: _n, ...shared } = props;
  const wrapper = useRef<Object3D>(null);
  const meshes = useRef<Object3D>(null);
  const registry = useMemo(() => new Registry({}), []);
  const all = useRef<InstancedBodies>(null);
  const latest = useRef({ instances, shared, ref });
  useEffect(() => {
    latest.current = { instances, shared, ref };
    registry.options = shared;
  });

  useEffect(() => {
    const { instances: list, shared: options, ref: told } = latest.current;
    const holder = meshes.current!;
    const [mesh] = holder.children;
    if (!isInstanced(mesh))
      throw refuse('<InstancedRigidBodies>', 'must have one <instancedMesh> as its child');
    // Never created itself: it passes props to the common colliders.
    const template = new BodyEntry(runtime, options, wrapper.current!, 'InstancedRigidBodies');
    for (const collider of registry.colliders) template.register(collider);
    const kind = options.colliders ?? false;
    if (kind !== false)
      for (const { geometry } of meshesBelow(mesh, true))
        template.register(new ColliderEntry({ geometry, kind }, mesh, 'InstancedRigidBodies', holder));
    const bodies = new InstancedBodies(template, holder, mesh);
    try {
      bodies.update(list, options);
    } catch (error) {
      bodies.dispose();
      throw error;
    }
    all.current = bodies;
    setRef(told, bodies.apis);
    return () => {
      setRef(latest.current.ref, null);
      all.current = null;
      bodies.dispose();
    };
  }, [runtime, registry, ...REMAKING.map((name) => props[name])]);

  const shown = useRef<{ instances: unknown; shared: unknown }>(null);
  useEffect(() => {
    // Bodies that were just created are up to date.
    if (shown.current !== null && all.current !== null) {
      all.current.update(instances, shared);
      setRef(ref, all.current.apis);
    }
    shown.current = { instances, shared };
  });

  return (
    <colliderParent.Provider value={registry}>
      <object3D {...objectProps(given)} ref={wrapper}>
        <object3D ref={meshes}>{children}</object3D>
        {colliderNodes?.map((node, i) => (
          <Fragment key={i}>{node}</Fragment>
        ))}
      </object3D>
    </colliderParent.Provider>
  );
});
