import { useFrame } from '@react-three/fiber';
import { type ReactNode, useRef } from 'react';
import { CuboidCollider, RigidBody, type RigidBodyApi, useRaycast, useRevoluteJoint } from 'ricochet/react';

// A flap on a hinge.
export function Flap() {
  const frame = useRef<RigidBodyApi>(null);
  const flap = useRef<RigidBodyApi>(null);
  useRevoluteJoint(frame, flap, [
    [0, 0, 0],
    [-1, 0, 0],
    [0, 0, 1],
    [-Math.PI / 2, 0],
  ]);
  return (
    <>
      <RigidBody ref={frame} type="fixed" position={[0, 3, 0]} />
      <RigidBody ref={flap} position={[1, 3, 0]}>
        <CuboidCollider args={[1, 0.1, 0.5]} />
      </RigidBody>
    </>
  );
}

// Hovers 1 m above what is below it: the answer of a worker comes a frame later.
export function Hover({ children }: { children: ReactNode }) {
  const body = useRef<RigidBodyApi>(null);
  const cast = useRaycast();
  useFrame(async () => {
    if (!body.current?.isValid()) return;
    const { x, y, z } = body.current.translation();
    const hit = await cast([x, y - 0.6, z], [x, y - 10, z]);
    const height = hit === null ? 10 : y - hit.point[1];
    if (!body.current?.isValid()) return; // it was unmounted meanwhile
    body.current.resetForces();
    body.current.addForce({ x: 0, y: 20 * (1 - height) - 4 * body.current.linvel().y, z: 0 });
  });
  return (
    <RigidBody ref={body} gravityScale={0}>
      {children}
    </RigidBody>
  );
}
