// Colliders. In: arguments in Rapier's form, a transform below a body. Out: a shape of that body; without a body, a
// fixed collider.
import { memo, type ReactNode, useContext, useEffect, useRef } from 'react';
import type { Object3D } from 'three';
import { BodyEntry, MESH_COLLIDER, meshesBelow } from './bodyEntry';
import { ColliderEntry, type ColliderSource } from './colliderEntry';
import { colliderParent } from './context';
import { refuse } from './errors';
import { usePhysicsOf } from './hooks';
import { setRef } from './refs';
import type {
  BallArgs,
  CapsuleArgs,
  ColliderOptionsRequiredArgs,
  ColliderProps,
  ColliderShape,
  ConeArgs,
  ConvexHullArgs,
  CuboidArgs,
  CylinderArgs,
  HeightfieldArgs,
  RigidBodyAutoCollider,
  RoundConeArgs,
  RoundCuboidArgs,
  RoundCylinderArgs,
  TrimeshArgs,
} from './types';

function Collider({ as, ...props }: ColliderProps & { as: string }): ReactNode {
  const { runtime } = usePhysicsOf(`<${as}>`);
  const parent = useContext(colliderParent);
  const object = useRef<Object3D>(null);
  const { children, ref, position, rotation, quaternion, scale, name, ...rest } = props;
  const source: ColliderSource = { ...rest, name };
  const latest = useRef({ source, ref });
  const mounted = useRef<ColliderEntry>(null);
  useEffect(() => {
    latest.current = { source, ref };
  });

  useEffect(() => {
    const entry = new ColliderEntry(latest.current.source, object.current!, as);
    const leave = parent === null ? standAlone() : stay();
    mounted.current = entry;
    setRef(latest.current.ref, entry.api);
    return () => {
      setRef(latest.current.ref, null);
      mounted.current = null;
      leave();
    };

    function stay() {
      parent!.register(entry);
      return () => parent!.unregister(entry);
    }

    function standAlone() {
      const { collisionGroups, name: own } = entry.source;
      const body = new BodyEntry(
        runtime,
        { type: 'fixed', collisionGroups, name: own },
        object.current!,
        as,
        true,
      );
      body.register(entry);
      body.create();
      return () => body.remove();
    }
  }, [runtime, parent, as]);

  useEffect(() => {
    mounted.current?.update(source);
  });

  const place = Object.fromEntries(
    Object.entries({ position, rotation, quaternion, scale, name }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return (
    <object3D {...place} ref={object}>
      {children}
    </object3D>
  );
}

function named<Args extends readonly unknown[]>(as: string, shape: ColliderShape) {
  const Component = (props: ColliderOptionsRequiredArgs<Args>): ReactNode => (
    <Collider {...(props as ColliderProps)} shape={shape} as={as} />
  );
  Component.displayName = as;
  return Component;
}

/** A collider of the shape that its prop `shape` names. */
export function AnyCollider(props: ColliderProps): ReactNode {
  return <Collider {...props} as="AnyCollider" />;
}

/** A ball; args: its radius. */
export const BallCollider = named<BallArgs>('BallCollider', 'ball');
/** A box; args: its half extents. */
export const CuboidCollider = named<CuboidArgs>('CuboidCollider', 'cuboid');
/** A hull with a rounded edge, which is added to its size. */
export const RoundCuboidCollider = named<RoundCuboidArgs>('RoundCuboidCollider', 'roundCuboid');
/** A capsule along y; args: half length of its segment, radius. */
export const CapsuleCollider = named<CapsuleArgs>('CapsuleCollider', 'capsule');
/** A cylinder along y; args: half height, radius. */
export const CylinderCollider = named<CylinderArgs>('CylinderCollider', 'cylinder');
/** A hull of 48 corners with a rounded edge. */
export const RoundCylinderCollider = named<RoundCylinderArgs>('RoundCylinderCollider', 'roundCylinder');
/** A cone along y; args: half height, radius of the base. */
export const ConeCollider = named<ConeArgs>('ConeCollider', 'cone');
/** A cone with a round edge; args: half height, radius of the base, radius of the edge. */
export const RoundConeCollider = named<RoundConeArgs>('RoundConeCollider', 'roundCone');
/** The hull of points; args: their coordinates. */
export const ConvexHullCollider = named<ConvexHullArgs>('ConvexHullCollider', 'convexHull');
/** On a dynamic body it becomes a hull: see `dynamicMesh`. */
export const TrimeshCollider = named<TrimeshArgs>('TrimeshCollider', 'trimesh');
/** Of bodies that do not move by themselves. */
export const HeightfieldCollider = named<HeightfieldArgs>('HeightfieldCollider', 'heightfield');

/** Props of MeshCollider. */
export interface MeshColliderProps {
  /** Meshes, of which colliders are made. */
  children: ReactNode;
  /** Which shape each mesh becomes. */
  type: RigidBodyAutoCollider;
}

/** Gives the meshes below it colliders of another kind than those of the body. */
export const MeshCollider = memo(function MeshCollider({ children, type }: MeshColliderProps): ReactNode {
  usePhysicsOf('<MeshCollider>');
  const parent = useContext(colliderParent);
  const object = useRef<Object3D>(null);
  if (parent === null) throw refuse('<MeshCollider>', 'must be inside of a <RigidBody>');
  useEffect(() => {
    if (type === false) return;
    const entries = meshesBelow(object.current!, parent.options.includeInvisible === true, true).map(
      (mesh) => new ColliderEntry({ geometry: mesh.geometry, kind: type }, mesh, 'MeshCollider'),
    );
    for (const entry of entries) parent.register(entry);
    return () => {
      for (const entry of entries) parent.unregister(entry);
    };
  }, [parent, type]);
  return (
    <object3D ref={object} userData={{ [MESH_COLLIDER]: true }}>
      {children}
    </object3D>
  );
});
