// Components of react-three-fiber, with the names of @react-three/rapier. The world is in a worker.
import { createRoot, extend } from '@react-three/fiber';
import { CuboidCollider, InstancedRigidBodies, Physics, RigidBody } from 'ricochet/react';
import * as THREE from 'three';

extend(THREE as never);

const marbles = Array.from({ length: 80 }, (_, key) => ({
  key,
  position: [(key % 8) - 3.5, 6 + Math.floor(key / 8), 0.2 * (key % 3)] as [number, number, number],
}));

function Game() {
  return (
    <>
      <color attach="background" args={['#e4e7e6']} />
      <hemisphereLight args={['#ffffff', '#998877', 3]} />
      <Physics>
        <RigidBody position={[0, 3, 0]} restitution={0.6} onCollisionEnter={() => console.log('crash')}>
          <mesh>
            <boxGeometry args={[2, 1, 2]} />
            <meshStandardMaterial color="#d9694d" />
          </mesh>
        </RigidBody>
        <InstancedRigidBodies instances={marbles} colliders="ball">
          <instancedMesh args={[undefined, undefined, marbles.length]} frustumCulled={false}>
            <sphereGeometry args={[0.4]} />
            <meshStandardMaterial color="#439c97" />
          </instancedMesh>
        </InstancedRigidBodies>
        <CuboidCollider args={[50, 1, 50]} position={[0, -1, 0]} />
      </Physics>
    </>
  );
}

const canvas = document.body.appendChild(document.createElement('canvas'));
const root = createRoot(canvas);
await root.configure({
  camera: { position: [0, 6, 16], fov: 45 },
  size: { width: innerWidth, height: innerHeight, top: 0, left: 0 },
});
root.render(<Game />);
