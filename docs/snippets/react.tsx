import { CuboidCollider, InstancedRigidBodies, Physics, type PhysicsProps, RigidBody } from 'ricochet/react';

const marbles = Array.from({ length: 100 }, (_, key) => ({
  key,
  position: [(key % 10) - 4.5, 6 + Math.floor(key / 10), 0] as [number, number, number],
}));

// Inside of a <Canvas> of @react-three/fiber.
export function Game({ children, ...physics }: PhysicsProps) {
  return (
    <Physics {...physics}>
      <RigidBody position={[0, 3, 0]} restitution={0.6} onCollisionEnter={() => console.log('crash')}>
        <mesh>
          <boxGeometry />
          <meshStandardMaterial color="orange" />
        </mesh>
      </RigidBody>

      <InstancedRigidBodies instances={marbles} colliders="ball">
        <instancedMesh args={[undefined, undefined, marbles.length]}>
          <sphereGeometry args={[0.4]} />
          <meshStandardMaterial color="teal" />
        </instancedMesh>
      </InstancedRigidBodies>

      <CuboidCollider args={[50, 1, 50]} position={[0, -1, 0]} />
      {children}
    </Physics>
  );
}
