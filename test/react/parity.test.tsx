// One file, three libraries: what a project sees that moves from @react-three/rapier to ricochet/react by changing its
// import. Figures are compared with closed forms or between the libraries within what two solvers differ.
import type { RapierCollider, RapierRigidBody } from '@react-three/rapier';
import { createRef, type ReactNode } from 'react';
import { Euler, type InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, test, vi } from 'vitest';
import { LIBRARIES, type Library, mount, type Scene } from './support';

const G = 9.81;

describe.each(LIBRARIES.map((library) => [library.name, library] as const))('%s', (_, library) => {
  const { RigidBody, CuboidCollider, BallCollider, InstancedRigidBodies } = library;
  const scenes: Scene[] = [];
  const open = async (children: ReactNode, physics = {}) => {
    const scene = await mount(library, children, physics);
    scenes.push(scene);
    return scene;
  };
  const closing = async (run: () => Promise<void>) => {
    try {
      await run();
    } finally {
      for (const scene of scenes.splice(0)) await scene.unmount();
    }
  };
  const body = () => createRef<RapierRigidBody>();
  const floor = <CuboidCollider args={[50, 1, 50]} position={[0, -1, 0]} />;
  const box = (size = 1) => (
    <mesh>
      <boxGeometry args={[size, size, size]} />
    </mesh>
  );

  test('a body falls, its object with it, and rests on a collider without a body', () =>
    closing(async () => {
      const ref = body();
      const scene = await open(
        <>
          <RigidBody ref={ref} name="crate" position={[1, 3, 2]} rotation={[0, 0.5, 0]}>
            {box()}
          </RigidBody>
          {floor}
        </>,
      );
      await scene.step(30);
      expect(ref.current!.translation().y).toBeCloseTo(3 - (G * 0.25) / 2, 0);
      expect(ref.current!.linvel().y).toBeCloseTo(-G / 2, 1);
      await scene.step(150);
      const { x, y, z } = ref.current!.translation();
      expect(Math.hypot(x - 1, y - 0.5, z - 2)).toBeLessThan(0.02);
      const { position, quaternion } = scene.object('crate');
      expect(position.distanceTo(new Vector3(x, y, z))).toBeLessThan(1e-3);
      expect(quaternion.y).toBeCloseTo(Math.sin(0.25), 2);
      expect(ref.current!.mass()).toBeCloseTo(1, 5);
    }));

  test('colliders of meshes: cuboid, ball, hull, trimesh, with scales and offsets, and none', () =>
    closing(async () => {
      const refs = Array.from({ length: 6 }, body);
      const scene = await open(
        <>
          <RigidBody ref={refs[0]} colliders="cuboid" position={[0, 2, 0]} scale={[1, 2, 1]}>
            {box()}
          </RigidBody>
          <RigidBody ref={refs[1]} colliders="ball" position={[5, 2, 0]}>
            <mesh>
              <sphereGeometry args={[0.5]} />
            </mesh>
          </RigidBody>
          <RigidBody ref={refs[2]} colliders="hull" position={[10, 2, 0]} scale={0.5}>
            {box(2)}
          </RigidBody>
          <RigidBody ref={refs[3]} colliders={false} position={[15, 2, 0]}>
            {box()}
            <CuboidCollider args={[0.25, 0.25, 0.25]} />
          </RigidBody>
          <RigidBody ref={refs[4]} colliders="cuboid" position={[20, 2, 0]}>
            <mesh position={[0, 1, 0]}>
              <boxGeometry />
            </mesh>
            <mesh position={[0, -1, 0]}>
              <boxGeometry />
            </mesh>
            <mesh visible={false} position={[0, -5, 0]}>
              <boxGeometry />
            </mesh>
          </RigidBody>
          <RigidBody ref={refs[5]} colliders="cuboid" position={[25, 5, 0]}>
            {box()}
          </RigidBody>
          <RigidBody type="fixed" colliders="trimesh">
            <mesh rotation={[-Math.PI / 2, 0, 0]}>
              <planeGeometry args={[100, 100]} />
            </mesh>
          </RigidBody>
        </>,
      );
      expect(refs.map(({ current }) => current!.mass()).map((m) => Number(m.toFixed(2)))).toEqual([
        2, 0.52, 1, 0.13, 2, 1,
      ]);
      await scene.step(150);
      const heights = [1, 0.5, 0.5, 0.25, 1.5, 0.5];
      refs.forEach(({ current }, i) => {
        expect(current!.translation().y, `body ${i}`).toBeGreaterThan(heights[i]! - 0.03);
        expect(current!.translation().y, `body ${i}`).toBeLessThan(heights[i]! + 0.03);
      });
    }));

  test('a plane is a floor as a cuboid, as a hull and as triangles', () =>
    closing(async () => {
      const kinds = ['cuboid', 'hull', 'trimesh'] as const;
      const refs = kinds.map(body);
      const scene = await open(
        kinds.map((kind, i) => (
          <group key={kind} position={[20 * i, 0, 0]}>
            <RigidBody type="fixed" colliders={kind} rotation={[-Math.PI / 2, 0, 0]}>
              <mesh>
                <planeGeometry args={[10, 10]} />
              </mesh>
            </RigidBody>
            <RigidBody ref={refs[i]!} position={[0, 1, 0]}>
              {box()}
            </RigidBody>
          </group>
        )),
      );
      await scene.step(60);
      for (const { current } of refs) expect(current!.translation().y).toBeCloseTo(0.5, 2);
    }));

  test('named colliders rest where their arguments say', () =>
    closing(async () => {
      const { CapsuleCollider, CylinderCollider, ConeCollider, ConvexHullCollider, RoundCuboidCollider } =
        library;
      const { RoundCylinderCollider } = library;
      const hull = [-0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5, -0.5, 0.5, 0.5, -0.5, 0.5, 0, 0.5, 0];
      const kinds: [ReactNode, number][] = [
        [<BallCollider key="ball" args={[0.4]} />, 0.4],
        [<CuboidCollider key="cuboid" args={[0.5, 0.3, 0.5]} />, 0.3],
        [<CylinderCollider key="cylinder" args={[0.4, 0.5]} />, 0.4],
        [<ConeCollider key="cone" args={[0.4, 0.5]} />, 0.4],
        [<CapsuleCollider key="capsule" args={[0.4, 0.3]} />, 0.7],
        [<ConvexHullCollider key="hull" args={[new Float32Array(hull)]} />, 0.5],
        [<RoundCuboidCollider key="round" args={[0.3, 0.3, 0.3, 0.1]} />, 0.4],
        [<RoundCylinderCollider key="drum" args={[0.3, 0.3, 0.1]} />, 0.4],
        [<CuboidCollider key="offset" args={[0.5, 0.5, 0.5]} position={[0, 1, 0]} />, -0.5],
      ];
      const refs = kinds.map(body);
      const scene = await open(
        <>
          {kinds.map(([collider, height], i) => (
            <RigidBody
              key={i}
              ref={refs[i]!}
              position={[3 * i, height + 0.05, 0]}
              enabledRotations={[false, true, false]}
            >
              {collider}
            </RigidBody>
          ))}
          {floor}
        </>,
      );
      await scene.step(60);
      refs.forEach(({ current }, i) => {
        expect(Math.abs(current!.translation().y - kinds[i]![1]), `collider ${i}`).toBeLessThan(0.015);
      });
    }));

  test('a heightfield has its heights where Rapier has them', () =>
    closing(async () => {
      const { HeightfieldCollider } = library;
      // 2 × 1 cells, higher towards +x; columns hold rows along z.
      const heights = [0, 0, 1, 1, 2, 2];
      const refs = [-1, 1].map(body);
      const scene = await open(
        <>
          <HeightfieldCollider args={[1, 2, heights, { x: 4, y: 1, z: 6 }]} />
          {refs.map((ref, i) => (
            <RigidBody
              key={i}
              ref={ref}
              position={[2 * i - 1, 3, 1]}
              lockRotations
              enabledTranslations={[false, true, false]}
            >
              <BallCollider args={[0.1]} />
            </RigidBody>
          ))}
        </>,
      );
      await scene.step(120);
      const up = 0.1 * Math.SQRT2 * 0.79; // the slope rises 1 in 2
      expect(refs[0]!.current!.translation().y).toBeCloseTo(0.5 + up, 1);
      expect(refs[1]!.current!.translation().y).toBeCloseTo(1.5 + up, 1);
    }));

  test('props move a living body: velocity, damping, gravity, locks, place, type', () =>
    closing(async () => {
      const ref = body();
      const show = (props: object) => (
        <RigidBody ref={ref} name="b" {...props}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
      );
      const scene = await open(show({ position: [0, 5, 0], gravityScale: 0 }));
      const { handle } = ref.current!;
      await scene.step(10);
      expect(ref.current!.translation().y).toBeCloseTo(5, 5);
      await scene.show(show({ position: [0, 5, 0], gravityScale: 0, linearVelocity: [1, 0, 0] }));
      await scene.step(60);
      expect(ref.current!.translation().x).toBeCloseTo(1, 1);
      await scene.show(
        show({ position: [0, 5, 0], gravityScale: 0, linearVelocity: [1, 0, 0], linearDamping: 2 }),
      );
      await scene.step(60);
      expect(ref.current!.linvel().x).toBeCloseTo(Math.exp(-2), 1);
      await scene.show(
        show({ position: [3, 4, 5], gravityScale: 0, linearVelocity: [1, 0, 0], linearDamping: 2 }),
      );
      expect(ref.current!.translation()).toEqual({ x: 3, y: 4, z: 5 });
      await scene.show(show({ position: [3, 4, 5], gravityScale: 1, type: 'fixed' }));
      await scene.step(10);
      expect(ref.current!.bodyType()).toBe(1);
      expect(ref.current!.translation()).toEqual({ x: 3, y: 4, z: 5 });
      await scene.show(show({ position: [3, 4, 5], gravityScale: 1, type: 'dynamic' }));
      await scene.show(
        show({ position: [3, 4, 5], gravityScale: 1, type: 'dynamic', lockTranslations: true }),
      );
      await scene.step(10);
      expect(ref.current!.translation().y).toBeCloseTo(4, 2);
      expect(ref.current!.handle).toBe(handle);
      await scene.show(
        show({ position: [3, 4, 5], gravityScale: 1, type: 'dynamic', lockTranslations: false }),
      );
      await scene.step(30);
      expect(ref.current!.translation().y).toBeLessThan(3.5);
    }));

  test('places that each render makes anew, as objects, move nothing', () =>
    closing(async () => {
      const [crate, lying] = [body(), body()];
      const all = createRef<(RapierRigidBody | null)[]>();
      const show = () => (
        <>
          <RigidBody ref={crate} position={new Vector3(0, 9, 0)} rotation={new Euler(0, 0.5, 0)}>
            {box()}
          </RigidBody>
          <RigidBody
            ref={lying}
            name="lying"
            position={new Vector3(5, 2, 0)}
            quaternion={new Quaternion()}
            scale={new Vector3(1, 2, 1)}
          >
            {box()}
          </RigidBody>
          <InstancedRigidBodies
            ref={all as never}
            instances={[{ key: 0, position: new Vector3(0, 9, 5), rotation: new Euler(0, 0.5, 0) } as never]}
          >
            <instancedMesh args={[undefined, undefined, 1]} count={1}>
              <boxGeometry />
            </instancedMesh>
          </InstancedRigidBodies>
          {floor}
        </>
      );
      const scene = await open(show());
      await scene.step(60);
      const heights = () =>
        [crate, { current: all.current![0] }].map(({ current }) => current!.translation().y);
      const before = heights();
      for (const height of before) expect(height).toBeCloseTo(9 - G / 2, 0);
      await scene.show(show());
      expect(heights()).toEqual(before);
      if (!library.isOurs) return;
      // What rests is drawn where it is, although the renderer has put its object to where it began.
      await scene.step(600);
      await scene.show(show());
      await scene.step(1);
      expect(scene.object('lying').position.y).toBeCloseTo(lying.current!.translation().y, 5);
    }));

  test('gravity changes live', () =>
    closing(async () => {
      const ref = body();
      const children = (
        <RigidBody ref={ref} canSleep={false}>
          <BallCollider args={[0.5]} />
        </RigidBody>
      );
      const scene = await open(children, { gravity: [0, 0, 0] });
      await scene.step(10);
      expect(ref.current!.translation().y).toBe(0);
      await scene.show(children, { gravity: [0, 6, 0] });
      await scene.step(60);
      expect(ref.current!.linvel().y).toBeCloseTo(6, 1);
    }));

  test('impulses and forces act on masses; a force lasts until it is reset', () =>
    closing(async () => {
      const ref = body();
      const scene = await open(
        <RigidBody ref={ref} gravityScale={0}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} mass={2} />
        </RigidBody>,
      );
      await scene.step(1);
      expect(ref.current!.mass()).toBeCloseTo(2, 5);
      ref.current!.applyImpulse({ x: 4, y: 0, z: 0 }, true);
      await scene.step(1);
      expect(ref.current!.linvel().x).toBeCloseTo(2, 3);
      ref.current!.addForce({ x: 0, y: 2, z: 0 }, true);
      await scene.step(60);
      expect(ref.current!.linvel().y).toBeCloseTo(1, 1);
      ref.current!.resetForces(true);
      await scene.step(30);
      expect(ref.current!.linvel().y).toBeCloseTo(1, 1);
      ref.current!.applyTorqueImpulse({ x: 0, y: 1, z: 0 }, true);
      await scene.step(1);
      expect(ref.current!.angvel().y).toBeCloseTo(3, 1);
      ref.current!.setTranslation({ x: 7, y: 8, z: 9 }, true);
      ref.current!.setLinvel({ x: 0, y: 0, z: 0 }, true);
      expect(ref.current!.translation()).toEqual({ x: 7, y: 8, z: 9 });
    }));

  test('kinematic bodies carry and push', () =>
    closing(async () => {
      const lift = body();
      const rider = body();
      const scene = await open(
        <>
          <RigidBody ref={lift} type="kinematicPosition">
            <CuboidCollider args={[2, 0.5, 2]} />
          </RigidBody>
          <RigidBody ref={rider} position={[0, 1.01, 0]}>
            <CuboidCollider args={[0.5, 0.5, 0.5]} />
          </RigidBody>
        </>,
      );
      for (let i = 1; i <= 60; i++) {
        lift.current!.setNextKinematicTranslation({ x: 0, y: i / 60, z: 0 });
        await scene.step(1);
      }
      expect(lift.current!.translation().y).toBeCloseTo(1, 3);
      expect(rider.current!.translation().y).toBeCloseTo(2, 1);
      expect(lift.current!.bodyType()).toBe(2);
    }));

  test('targets by parts: those of one frame together, and the rest stays', () =>
    closing(async () => {
      const lift = body();
      const scene = await open(
        <RigidBody ref={lift} type="kinematicPosition" position={[0, 1, 0]}>
          <CuboidCollider args={[2, 0.5, 2]} />
        </RigidBody>,
      );
      lift.current!.setNextKinematicRotation({ x: 0, y: 0.6, z: 0, w: 0.8 });
      lift.current!.setNextKinematicTranslation({ x: 2, y: 1, z: 0 });
      await scene.step(1);
      expect(lift.current!.translation()).toEqual({ x: 2, y: 1, z: 0 });
      expect(lift.current!.rotation().y).toBeCloseTo(0.6, 6);
      lift.current!.setNextKinematicTranslation({ x: 3, y: 1, z: 0 });
      await scene.step(1);
      expect(lift.current!.translation()).toEqual({ x: 3, y: 1, z: 0 });
      expect(lift.current!.rotation().y).toBeCloseTo(0.6, 6);
      lift.current!.setNextKinematicRotation({ x: 0, y: 0, z: 0, w: 1 });
      await scene.step(1);
      expect(lift.current!.translation()).toEqual({ x: 3, y: 1, z: 0 });
      expect(lift.current!.rotation().y).toBeCloseTo(0, 6);
    }));

  test('a kinematic body goes with its velocity', () =>
    closing(async () => {
      const ref = body();
      const scene = await open(
        <RigidBody ref={ref} type="kinematicVelocity" linearVelocity={[0, 0, 1.5]}>
          <CuboidCollider args={[1, 1, 1]} />
        </RigidBody>,
      );
      await scene.step(60);
      expect(ref.current!.translation().z).toBeCloseTo(1.5, 2);
      expect(ref.current!.bodyType()).toBe(3);
    }));

  test('collisions: once each, with both sides named, and their end', () =>
    closing(async () => {
      let normal = { x: 0, y: 0, z: 0 };
      const enter = vi.fn(({ manifold }) => {
        normal = manifold.normal(); // Rapier's is of use only now
      });
      const [exit, other] = [vi.fn(), vi.fn()];
      const ball = body();
      const ground = body();
      const scene = await open(
        <>
          <RigidBody
            ref={ball}
            name="ball"
            position={[0, 1, 0]}
            onCollisionEnter={enter}
            onCollisionExit={exit}
          >
            <BallCollider args={[0.5]} />
          </RigidBody>
          <RigidBody ref={ground} name="ground" type="fixed">
            <CuboidCollider args={[5, 0.25, 5]} onCollisionEnter={other} />
          </RigidBody>
        </>,
      );
      await scene.step(40);
      expect(enter).toHaveBeenCalledTimes(1);
      expect(other).toHaveBeenCalledTimes(1);
      expect(exit).not.toHaveBeenCalled();
      const payload = enter.mock.calls[0]![0];
      expect(payload.target.rigidBody.handle).toBe(ball.current!.handle);
      expect(payload.other.rigidBody.handle).toBe(ground.current!.handle);
      expect(payload.other.rigidBodyObject.name).toBe('ground');
      expect(payload.rigidBodyObject.name).toBe('ground');
      expect(payload.target.collider.handle).toBe(ball.current!.collider(0).handle);
      expect(Math.abs(normal.y)).toBeCloseTo(1, 2);
      expect(other.mock.calls[0]![0].target.rigidBodyObject.name).toBe('ground');
      ball.current!.setTranslation({ x: 0, y: 5, z: 0 }, true);
      await scene.step(2);
      expect(exit).toHaveBeenCalledTimes(1);
    }));

  test('sensors: intersections, and nothing that stops', () =>
    closing(async () => {
      const [enter, exit, collision] = [vi.fn(), vi.fn(), vi.fn()];
      const ref = body();
      const scene = await open(
        <>
          <RigidBody ref={ref} position={[0, 2, 0]} onCollisionEnter={collision}>
            <BallCollider args={[0.25]} />
          </RigidBody>
          <CuboidCollider sensor args={[1, 0.5, 1]} onIntersectionEnter={enter} onIntersectionExit={exit} />
        </>,
      );
      await scene.step(40);
      expect(enter).toHaveBeenCalledTimes(1);
      expect(enter.mock.calls[0]![0].other.rigidBody.handle).toBe(ref.current!.handle);
      await scene.step(40);
      expect(exit).toHaveBeenCalledTimes(1);
      expect(collision).not.toHaveBeenCalled();
      expect(ref.current!.translation().y).toBeLessThan(-2);
    }));

  test('contact forces: a resting body presses with its weight', () =>
    closing(async () => {
      const force = vi.fn();
      const scene = await open(
        <>
          <RigidBody position={[0, 0.5, 0]} onContactForce={force} canSleep={false}>
            <CuboidCollider args={[0.5, 0.5, 0.5]} mass={3} />
          </RigidBody>
          {floor}
        </>,
      );
      await scene.step(60);
      const { totalForceMagnitude, totalForce, maxForceMagnitude } = force.mock.calls.at(-1)![0];
      const last = force.mock.calls.slice(-20);
      const mean = last.reduce((sum, [payload]) => sum + payload.totalForceMagnitude, 0) / last.length;
      expect(mean / (3 * G)).toBeGreaterThan(0.9);
      expect(mean / (3 * G)).toBeLessThan(library.isOurs ? 1.02 : 1.3); // Rapier's sums jitter
      expect(Math.abs(totalForce.y)).toBeCloseTo(totalForceMagnitude, 2);
      expect(maxForceMagnitude).toBeLessThanOrEqual(totalForceMagnitude + 1e-6);
      expect(force.mock.calls.length).toBeGreaterThan(50);
    }));

  test('sleep and wake are told', () =>
    closing(async () => {
      const [sleep, wake] = [vi.fn(), vi.fn()];
      const ref = body();
      const scene = await open(
        <>
          <RigidBody ref={ref} position={[0, 0.5, 0]} onSleep={sleep} onWake={wake}>
            <CuboidCollider args={[0.5, 0.5, 0.5]} />
          </RigidBody>
          {floor}
        </>,
      );
      await scene.step(240);
      expect(sleep).toHaveBeenCalledTimes(1);
      expect(ref.current!.isSleeping()).toBe(true);
      ref.current!.applyImpulse({ x: 0, y: 3, z: 0 }, true);
      await scene.step(5);
      expect(wake).toHaveBeenCalledTimes(1);
    }));

  test('groups: who is in no group of the other passes', () =>
    closing(async () => {
      const { interactionGroups } = library;
      const refs = [body(), body()];
      const scene = await open(
        <>
          {refs.map((ref, i) => (
            <RigidBody
              key={i}
              ref={ref}
              position={[3 * i, 1, 0]}
              collisionGroups={interactionGroups(i, [2 + i])}
            >
              <BallCollider args={[0.25]} />
            </RigidBody>
          ))}
          <RigidBody type="fixed" collisionGroups={interactionGroups([2], [0, 1])}>
            <CuboidCollider args={[10, 0.1, 10]} />
          </RigidBody>
        </>,
      );
      await scene.step(90);
      expect(refs[0]!.current!.translation().y).toBeCloseTo(0.35, 1);
      expect(refs[1]!.current!.translation().y).toBeLessThan(-2);
    }));

  test('groups of one collider among several come before its body’s, and change', () =>
    closing(async () => {
      const { interactionGroups } = library;
      const ref = body();
      const upper = createRef<RapierCollider>();
      const scene = await open(
        <>
          <RigidBody ref={ref} position={[0, 2, 0]} lockRotations collisionGroups={interactionGroups(0, [2])}>
            <CuboidCollider ref={upper} args={[0.2, 0.2, 0.2]} />
            <CuboidCollider
              args={[0.2, 0.2, 0.2]}
              position={[0, -1, 0]}
              collisionGroups={interactionGroups(1, [3])}
            />
          </RigidBody>
          <RigidBody type="fixed" collisionGroups={interactionGroups([2], [0])}>
            <CuboidCollider args={[10, 0.1, 10]} />
          </RigidBody>
        </>,
      );
      await scene.step(90);
      // The lower box is in no group of the ground: the upper one stands on it.
      expect(ref.current!.translation().y).toBeCloseTo(0.3, 1);
      upper.current!.setCollisionGroups(interactionGroups(4, [5]));
      ref.current!.wakeUp();
      await scene.step(60);
      expect(ref.current!.translation().y).toBeLessThan(-2);
    }));

  test('combine rules of colliders: of two the larger number counts, a body hands its own down', () =>
    closing(async () => {
      const { CoefficientCombineRule: Rule } = library;
      const refs = [body(), body(), body(), body()];
      // e of ball and ground: 0.9 and 0.4.
      const rules = [undefined, Rule.Min, Rule.Multiply, Rule.Max];
      const scene = await open(
        <>
          {refs.map((ref, i) => (
            <RigidBody
              key={i}
              ref={ref}
              position={[3 * i, 2.5, 0]}
              restitution={0.9}
              {...(rules[i] === undefined ? {} : { restitutionCombineRule: rules[i] })}
            >
              <BallCollider args={[0.5]} />
            </RigidBody>
          ))}
          <CuboidCollider
            args={[50, 1, 50]}
            position={[0, -1, 0]}
            restitution={0.4}
            restitutionCombineRule={Rule.Average}
          />
        </>,
      );
      const top = [0, 0, 0, 0];
      for (let i = 0; i < 90; i++) {
        await scene.step(1);
        if (i > 40)
          for (const [k, ref] of refs.entries())
            top[k] = Math.max(top[k]!, ref.current!.translation().y - 0.5);
      }
      // Rises to 2 · e².
      for (const [k, e] of [0.65, 0.4, 0.36, 0.9].entries())
        expect(top[k]! / (2 * e * e)).toBeCloseTo(1, 0.5);
      expect(top[3]).toBeGreaterThan(top[0]! + 0.4);
      expect(top[0]).toBeGreaterThan(top[1]! + 0.3);
      expect(top[1]).toBeGreaterThan(top[2]! + 0.01);
    }));

  test('friction and restitution are averaged, and handed down to colliders', () =>
    closing(async () => {
      const [slides, bounces] = [body(), body()];
      const scene = await open(
        <>
          <RigidBody
            ref={slides}
            position={[0, 0.5, 0]}
            linearVelocity={[4, 0, 0]}
            friction={0}
            lockRotations
          >
            <CuboidCollider args={[0.5, 0.5, 0.5]} />
          </RigidBody>
          <RigidBody ref={bounces} position={[0, 2.5, 5]} restitution={1}>
            <BallCollider args={[0.5]} />
          </RigidBody>
          <CuboidCollider args={[50, 1, 50]} position={[0, -1, 0]} friction={0.5} restitution={0.6} />
        </>,
      );
      // μ = (0 + 0.5) / 2: v = 4 − 0.25 · 9.81 · 0.5.
      await scene.step(30);
      expect(slides.current!.linvel().x).toBeCloseTo(4 - 0.25 * G * 0.5, 0);
      // e = 0.8: from 2 m it rises to 1.28 m; after t = √(2·2/g) + 0.8·√(2·2/g) it is at its top.
      const top = Math.sqrt(4 / G) * 1.8;
      await scene.step(Math.round(60 * top) - 30);
      expect(bounces.current!.translation().y).toBeGreaterThan(0.5 + 1.28 - 0.15);
      expect(bounces.current!.translation().y).toBeLessThan(0.5 + 1.28 + 0.1);
    }));

  test('instances: bodies by key, matrices of the mesh', () =>
    closing(async () => {
      const ref = createRef<(RapierRigidBody | null)[]>();
      const instances = (keys: number[]) =>
        keys.map((key) => ({ key, position: [2 * key, 5, 0] as [number, number, number] }));
      const show = (keys: number[]) => (
        <InstancedRigidBodies ref={ref as never} instances={instances(keys)} colliders="ball">
          <instancedMesh name="mesh" args={[undefined, undefined, 10]} count={keys.length}>
            <sphereGeometry args={[0.5]} />
          </instancedMesh>
        </InstancedRigidBodies>
      );
      const scene = await open(
        <>
          {show([0, 1, 2])}
          {floor}
        </>,
      );
      await scene.step(60);
      const matrix = new Matrix4();
      const mesh = scene.object('mesh') as InstancedMesh;
      for (let i = 0; i < 3; i++) {
        mesh.getMatrixAt(i, matrix);
        const { x, y, z } = ref.current![i]!.translation();
        expect(x).toBeCloseTo(2 * i, 4);
        expect(y).toBeLessThan(0.7);
        matrix.premultiply(mesh.matrixWorld);
        expect(new Vector3().setFromMatrixPosition(matrix).distanceTo(new Vector3(x, y, z))).toBeLessThan(
          1e-3,
        );
      }
      const [, kept] = ref.current!.map((one) => one!.handle);
      await scene.show(
        <>
          {show([1, 3])}
          {floor}
        </>,
      );
      await scene.step(1);
      if (!library.isOurs) return; // its array keeps the places of the first list
      expect(ref.current![0]!.handle).toBe(kept);
      expect(ref.current![1]!.translation().x).toBeCloseTo(6, 3);
      expect(ref.current![0]!.translation().y).toBeLessThan(0.7);
    }));

  test('an instance has the friction that its own props say, and changes it', () =>
    closing(async () => {
      const ref = createRef<(RapierRigidBody | null)[]>();
      const show = (...frictions: number[]) => [
        <CuboidCollider
          key="f"
          args={[50, 1, 50]}
          position={[0, -1, 0]}
          friction={0}
          frictionCombineRule={3}
        />,
        <InstancedRigidBodies
          key="i"
          ref={ref as never}
          colliders="cuboid"
          instances={frictions.map((friction, key) => ({
            key,
            friction,
            position: [0, 0.51, 3 * key] as [number, number, number],
          }))}
        >
          <instancedMesh args={[undefined, undefined, 2]} count={2}>
            <boxGeometry />
          </instancedMesh>
        </InstancedRigidBodies>,
      ];
      const scene = await open(show(0, 1));
      const speeds = async () => {
        for (const one of ref.current!) one!.setLinvel({ x: 5, y: 0, z: 0 }, true);
        await scene.step(20);
        return ref.current!.map((one) => one!.linvel().x);
      };
      const [slides, stops] = await speeds();
      expect(slides).toBeGreaterThan(4.9);
      expect(stops).toBeLessThan(4.5);
      if (!library.isOurs) return; // it keeps the first ones
      await scene.show(show(1, 0));
      const [now, then] = await speeds();
      expect(now).toBeLessThan(4.5);
      expect(then).toBeGreaterThan(4.9);
    }));

  test('joints: fixed, spherical, revolute with limits, prismatic with limits, rope, spring', () =>
    closing(async () => {
      const anchors = Array.from({ length: 6 }, body);
      const ends = Array.from({ length: 6 }, body);
      const scene = await open(
        <>
          {anchors.map((ref, i) => (
            <RigidBody key={i} ref={ref} type="fixed" position={[10 * i, 10, 0]} />
          ))}
          {ends.map((ref, i) => (
            <RigidBody
              key={i}
              ref={ref}
              position={i === 5 ? [50, 9, 0] : [10 * i + 1, 10, 0]}
              canSleep={false}
            >
              <BallCollider args={[0.2]} density={30} />
            </RigidBody>
          ))}
          <Joints library={library} anchors={anchors} ends={ends} />
        </>,
      );
      await scene.step(45);
      const from = (i: number) => {
        const [a, b] = [anchors[i]!.current!.translation(), ends[i]!.current!.translation()];
        return new Vector3(b.x - a.x, b.y - a.y, b.z - a.z);
      };
      expect(from(0).distanceTo(new Vector3(1, 0, 0)), 'fixed').toBeLessThan(0.02);
      expect(from(1).length(), 'spherical').toBeCloseTo(1, 1);
      expect(from(1).y, 'spherical').toBeLessThan(-0.75);
      expect(from(2).length(), 'revolute').toBeCloseTo(1, 1);
      // Rapier's JavaScript drops the limits that a revolute joint is made with.
      if (library.isOurs) expect(Math.atan2(-from(2).y, from(2).x), 'revolute').toBeCloseTo(0.5, 1);
      expect(from(3).y, 'prismatic').toBeCloseTo(-0.75, 1);
      expect(Math.hypot(from(3).x - 1, from(3).z), 'prismatic').toBeLessThan(0.02);
      expect(from(4).length(), 'rope').toBeCloseTo(1.5, 1);
      await scene.step(300);
      // 1 + m g / k, damped.
      const mass = ends[5]!.current!.mass();
      expect(from(5).length(), 'spring').toBeCloseTo(1 + (mass * G) / 50, 1);
    }));

  test('a hook around every step, and none while it is paused', () =>
    closing(async () => {
      const [before, after] = [vi.fn(), vi.fn()];
      const Hooks = () => {
        library.useBeforePhysicsStep(before);
        library.useAfterPhysicsStep(after);
        return null;
      };
      const scene = await open(<Hooks />);
      expect(before).not.toHaveBeenCalled();
      await scene.step(3);
      expect(before).toHaveBeenCalledTimes(3);
      expect(after).toHaveBeenCalledTimes(3);
    }));

  test('bodies in moved and scaled groups are drawn where they are', () =>
    closing(async () => {
      const ref = body();
      const scene = await open(
        <>
          <group position={[5, 1, 0]} rotation={[0, Math.PI / 2, 0]} scale={2}>
            <RigidBody ref={ref} name="inner" position={[1, 1, 0]}>
              {box()}
            </RigidBody>
          </group>
          {floor}
        </>,
      );
      const at = ref.current!.translation();
      expect(new Vector3(at.x, at.y, at.z).distanceTo(new Vector3(5, 3, -2))).toBeLessThan(1e-5);
      expect(ref.current!.mass()).toBeCloseTo(8, 3);
      await scene.step(90);
      expect(ref.current!.translation().y).toBeCloseTo(1, 1);
      const object = scene.object('inner');
      object.updateWorldMatrix(true, false);
      expect(new Vector3().setFromMatrixPosition(object.matrixWorld).y).toBeCloseTo(1, 1);
      expect(object.position.y).toBeCloseTo(0, 1);
    }));

  test('mirrored bodies, groups and instances are drawn as without physics, and where they are', () =>
    closing(async () => {
      type Scale = [number, number, number];
      const scales: Scale[] = [
        [1, 1, 1],
        [-1, 1, 1],
        [1, -1, 1],
        [1, 1, -1],
        [-1, 1, -1],
      ];
      // @react-three/rapier draws a body whose own scale mirrors otherwise.
      const owns: Scale[] = library.isOurs ? scales : [[1, 1, 1]];
      for (const outer of scales)
        for (const own of owns) {
          const [ref, all] = [body(), createRef<(RapierRigidBody | null)[]>()];
          const inner = (
            <mesh position={[0.5, 0.25, 0]}>
              <boxGeometry args={[1, 0.5, 0.2]} />
            </mesh>
          );
          const place = { position: [1, 2, 3], rotation: [0.3, -0.7, 1.1], scale: own } as const;
          const show = (
            <group scale={outer}>
              <object3D name="free" {...place}>
                {inner}
              </object3D>
              <RigidBody ref={ref} name="bound" gravityScale={0} {...place}>
                {inner}
              </RigidBody>
            </group>
          );
          const bricks = (
            <InstancedRigidBodies
              ref={all as never}
              gravityScale={0}
              scale={outer}
              instances={[{ key: 1, position: [9, 2, 3], rotation: [0.3, -0.7, 1.1] }]}
              colliderNodes={[<CuboidCollider key="c" args={[0.5, 0.5, 0.1]} position={[0.5, 0.25, 0]} />]}
              colliders={false}
            >
              <instancedMesh args={[undefined, undefined, 1]}>
                <boxGeometry />
              </instancedMesh>
            </InstancedRigidBodies>
          );
          const scene = await open([
            <group key="s">{show}</group>,
            library.isOurs && <group key="b">{bricks}</group>,
          ]);
          const matrixOf = (name: string) => {
            const object = scene.object(name);
            object.updateWorldMatrix(true, false);
            return object.matrixWorld;
          };
          const apart = (wanted: Matrix4) =>
            Math.max(...matrixOf('bound').elements.map((c, i) => Math.abs(c - wanted.elements[i]!)));
          await scene.step(2);
          const before = matrixOf('free').clone();
          expect(apart(before)).toBeLessThan(1e-4);
          const center = (one: RapierRigidBody) => new Vector3().copy(one.worldCom() as Vector3);
          const middle = new Vector3(0.5, 0.25, 0).applyMatrix4(before);
          expect(center(ref.current!).distanceTo(middle)).toBeLessThan(1e-4);
          const origin = new Vector3().copy(ref.current!.translation() as Vector3);
          const turn = new Quaternion(0.3, 0.5, -0.4, 0.7).normalize();
          ref.current!.setRotation(
            turn.clone().multiply(new Quaternion().copy(ref.current!.rotation() as Quaternion)),
            true,
          );
          await scene.step(2);
          const turned = new Matrix4()
            .makeTranslation(origin)
            .multiply(new Matrix4().makeRotationFromQuaternion(turn))
            .multiply(new Matrix4().makeTranslation(origin.clone().negate()));
          expect(apart(turned.multiply(before))).toBeLessThan(1e-4);
          if (library.isOurs) {
            const brick = new Matrix4()
              .makeScale(...outer)
              .multiply(new Matrix4().makeTranslation(9, 2, 3))
              .multiply(new Matrix4().makeRotationFromEuler(new Euler(0.3, -0.7, 1.1)));
            const its = new Vector3(0.5, 0.25, 0).applyMatrix4(brick);
            expect(center(all.current![0]!).distanceTo(its)).toBeLessThan(1e-4);
          }
          await scene.unmount();
          scenes.length = 0;
        }
    }));

  test('unmounting a body removes it, and what lay on it falls', () =>
    closing(async () => {
      const ref = body();
      const upper = (
        <RigidBody key="upper" ref={ref} position={[0, 2.5, 0]}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
      );
      const scene = await open([
        upper,
        <RigidBody key="table" type="fixed" position={[0, 1, 0]}>
          <CuboidCollider args={[1, 1, 1]} />
        </RigidBody>,
      ]);
      await scene.step(180);
      expect(ref.current!.translation().y).toBeCloseTo(2.5, 1);
      await scene.show([upper]);
      await scene.step(60);
      expect(ref.current!.translation().y).toBeLessThan(-1);
    }));
});

type Refs = React.RefObject<RapierRigidBody | null>[];

function Joints({ library, anchors, ends }: { library: Library; anchors: Refs; ends: Refs }) {
  const [a, b] = [anchors as React.RefObject<RapierRigidBody>[], ends as React.RefObject<RapierRigidBody>[]];
  library.useFixedJoint(a[0]!, b[0]!, [
    [1, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 0],
    [0, 0, 0, 1],
  ]);
  library.useSphericalJoint(a[1]!, b[1]!, [
    [0, 0, 0],
    [-1, 0, 0],
  ]);
  library.useRevoluteJoint(a[2]!, b[2]!, [
    [0, 0, 0],
    [-1, 0, 0],
    [0, 0, 1],
    [-0.5, 0.5],
  ]);
  library.usePrismaticJoint(a[3]!, b[3]!, [
    [1, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
    [-0.75, 0.75],
  ]);
  library.useRopeJoint(a[4]!, b[4]!, [[0, 0, 0], [0, 0, 0], 1.5]);
  library.useSpringJoint(a[5]!, b[5]!, [[0, 0, 0], [0, 0, 0], 1, 50, 3]);
  return null;
}
