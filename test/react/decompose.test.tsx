// Meshes that move: what `dynamicMesh` makes of their triangles, in the page and in the worker. A bowl of parts holds a ball, a
// bowl that is its hull does not; a collider of many shapes is one collider to handlers, refs and unmounting.
import { createRef } from 'react';
import {
  InstancedRigidBodies,
  RigidBody,
  type RigidBodyApi,
  TrimeshCollider,
  usePhysics,
} from 'ricochet/react';
import { BufferAttribute, BufferGeometry } from 'three';
import { afterEach, describe, expect, test } from 'vitest';
import { bowl } from '../cooking/support/solids';
import { mount, OURS, type Scene } from './support';

const { vertices, indices } = bowl(1, 0.15, 16, 6);
const geometry = new BufferGeometry();
geometry.setAttribute('position', new BufferAttribute(vertices, 3));
geometry.setIndex(new BufferAttribute(indices, 1));

let scene: Scene | null = null;
afterEach(async () => {
  await scene?.unmount();
  scene = null;
});

describe.each(OURS)('$name', (library) => {
  test.each([
    ['decompose', 'a mesh', true],
    ['decompose', 'TrimeshCollider', true],
    ['hull', 'a mesh', false],
  ] as const)('%s, of %s: whether it holds a ball', async (dynamicMesh, by, holds) => {
    const ball = createRef<RigidBodyApi>();
    const pot = createRef<RigidBodyApi>();
    const told: string[] = [];
    let physics: ReturnType<typeof usePhysics> | null = null;
    const Take = () => {
      physics = usePhysics();
      return null;
    };
    const content = (friction: number, isThere = true) => [
      <Take key="t" />,
      <RigidBody
        key="ball"
        ref={ball}
        name="ball"
        colliders="ball"
        position={[0, 1, 0]}
        onCollisionEnter={({ other }) => void told.push(`enter ${other.rigidBodyObject?.name}`)}
        onCollisionExit={({ other }) => void told.push(`exit ${other.rigidBodyObject?.name}`)}
      >
        <mesh>
          <sphereGeometry args={[0.3]} />
        </mesh>
      </RigidBody>,
      isThere ? (
        <RigidBody
          key="pot"
          ref={pot}
          name="pot"
          colliders={by === 'a mesh' ? 'trimesh' : false}
          dynamicMesh={dynamicMesh}
          scale={[1, 1.2, 1]}
          gravityScale={0}
          lockTranslations
          lockRotations
          friction={friction}
        >
          {by === 'a mesh' ? <mesh geometry={geometry} /> : <TrimeshCollider args={[vertices, indices]} />}
        </RigidBody>
      ) : null,
    ];
    scene = await mount(library, content(0.5));
    await scene.step(90);
    const y = ball.current!.translation().y;
    // The bottom inside is at −1.02 m.
    if (holds) expect(y).toBeLessThan(-0.5);
    else expect(y).toBeGreaterThan(0.25);
    expect(told).toEqual(['enter pot']);
    const { world } = physics!;
    const shapes = pot.current!.body.shapes.length;
    expect(shapes > 3).toBe(holds);
    expect(pot.current!.numColliders()).toBe(1);
    await scene.show(content(0.9));
    expect(pot.current!.body.shapes.length).toBe(shapes);
    await scene.show(content(0.9, false));
    await scene.step(2);
    expect(told).toEqual(['enter pot', 'exit pot']);
    expect(world.bodyCount).toBe(1);
  });

  test('instances share their parts, each at its own size', async () => {
    const bodies = createRef<RigidBodyApi[]>();
    scene = await mount(
      library,
      <InstancedRigidBodies
        ref={bodies}
        colliders="trimesh"
        dynamicMesh="decompose"
        instances={[
          { key: 0, position: [0, 0, 0] },
          { key: 1, position: [5, 0, 0], scale: 2 },
        ]}
      >
        <instancedMesh args={[geometry, undefined, 2]} />
      </InstancedRigidBodies>,
    );
    await scene.step(2);
    const [small, large] = bodies.current!;
    expect(small!.body.shapes.length).toBeGreaterThan(3);
    expect(large!.body.shapes.length).toBe(small!.body.shapes.length);
    expect(large!.mass() / small!.mass()).toBeCloseTo(8, 2);
  });
});
