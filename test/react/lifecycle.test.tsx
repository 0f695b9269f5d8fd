// Nothing is left behind: bodies, joints, subscriptions, callbacks, workers are counted over StrictMode's double mount,
// unmounting, errors, new worlds, and what is disposed of while events are told. And what is wrong is told by name.
import { act, create } from '@react-three/test-renderer';
import {
  Component,
  createRef,
  type ReactNode,
  type RefObject,
  StrictMode,
  Suspense,
  use,
  useEffect,
  useState,
} from 'react';
import type { PhysicsWorld } from 'ricochet';
import {
  type ColliderApi,
  CuboidCollider,
  Debug,
  HeightfieldCollider,
  InstancedRigidBodies,
  MeshCollider,
  Physics,
  type PhysicsContext,
  type PhysicsProps,
  RigidBody,
  type RigidBodyApi,
  TrimeshCollider,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useFilterContactPair,
  useFixedStep,
  usePhysics,
  useRaycast,
  useRopeJoint,
  useSnapshot,
} from 'ricochet/react';
import { type InstancedMesh, Matrix4, Raycaster, Vector3 } from 'three';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Library,
  LOCAL,
  mount,
  OURS,
  pause,
  type Scene,
  until,
  WORKER,
  WORKER_OPTIONS,
  workers,
} from './support';

const scenes: Scene[] = [];
const open = async (...args: Parameters<typeof mount>) => {
  const scene = await mount(...args);
  scenes.push(scene);
  return scene;
};
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.unmount();
  vi.restoreAllMocks();
});

/** Hands the context out of the tree. */
function Catch({ into }: { into: { context: PhysicsContext | null } }) {
  const context = usePhysics();
  useEffect(() => {
    into.context = context;
  });
  return null;
}

const counts = ({ world, runtime }: PhysicsContext) => ({
  bodies: world.bodyCount,
  shapes: world.shapeCount,
  joints: world.jointCount,
  drawn: runtime.drawn.size,
  callbacks: runtime.beforeStep.size + runtime.afterStep.size + runtime.fixedStep.size,
  subscriptions: runtime.events.subscriptions,
  pushed: runtime.pushed.size,
});

function Rope({ a, b }: { a: RefObject<RigidBodyApi | null>; b: RefObject<RigidBodyApi | null> }) {
  useRopeJoint(a, b, [[0, 0, 0], [0, 0, 0], 2]);
  useBeforePhysicsStep(() => {});
  useAfterPhysicsStep(() => {});
  useFixedStep(() => {});
  return null;
}

/** One of everything: 2 bodies on a rope, 3 instances, a collider alone. */
function Everything({ onHit = () => {} }: { onHit?: () => void }) {
  const [a, b] = [createRef<RigidBodyApi>(), createRef<RigidBodyApi>()];
  return (
    <>
      <RigidBody ref={a} position={[0, 2, 0]} onCollisionEnter={onHit} onSleep={() => {}}>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
      <RigidBody ref={b} position={[0, 4, 0]} onContactForce={() => {}}>
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
        <MeshCollider type="hull">
          <mesh position={[0, 1, 0]}>
            <boxGeometry />
          </mesh>
        </MeshCollider>
      </RigidBody>
      <InstancedRigidBodies
        instances={[0, 1, 2].map((key) => ({ key, position: [5 + 2 * key, 3, 0] }))}
        colliderNodes={[<CuboidCollider key="one" args={[0.1, 0.1, 0.1]} position={[0, 1, 0]} />]}
      >
        <instancedMesh args={[undefined, undefined, 3]}>
          <boxGeometry />
        </instancedMesh>
      </InstancedRigidBodies>
      <CuboidCollider args={[20, 1, 20]} position={[0, -1, 0]} onCollisionExit={() => {}} />
      <Rope a={a} b={b} />
    </>
  );
}
const EVERYTHING = {
  bodies: 6,
  shapes: 10,
  joints: 1,
  drawn: 6 + 1 - 1,
  callbacks: 3,
  subscriptions: 8,
  pushed: 0,
};

describe.each(OURS.map((library) => [library.name, library] as const))('%s', (_, library: Library) => {
  test('StrictMode: everything is there once, moves, and goes', async () => {
    const into: { context: PhysicsContext | null } = { context: null };
    const inner = (content: ReactNode) => [
      <Catch key="catch" into={into} />,
      <group key="content">{content}</group>,
    ];
    const scene = await open(library, inner(<Everything />), {}, (all) => <StrictMode>{all}</StrictMode>);
    await scene.step(1);
    expect(counts(into.context!)).toEqual(EVERYTHING);
    await scene.step(60);
    for (let i = 0; i < 3; i++) {
      await scene.show(inner(null));
      await scene.step(2);
      expect(counts(into.context!)).toEqual({
        ...{ bodies: 0, shapes: 0, joints: 0, drawn: 0, callbacks: 0, subscriptions: 0, pushed: 0 },
      });
      await scene.show(inner(<Everything />));
      await scene.step(2);
      expect(counts(into.context!)).toEqual(EVERYTHING);
    }
    // What events may still name is forgotten in time.
    await scene.show(inner(null));
    await scene.step(130);
    expect([into.context!.runtime.bodies.size, into.context!.runtime.shapes.size]).toEqual([0, 0]);
  });

  test('unmounting ends the world; its worker goes', async () => {
    const into: { context: PhysicsContext | null } = { context: null };
    const scene = await mount(
      library,
      [<Catch key="catch" into={into} />, <Everything key="all" />],
      {},
      (all) => <StrictMode>{all}</StrictMode>,
    );
    const { world, runtime } = into.context!;
    await scene.step(2);
    await scene.unmount();
    expect(world.isDisposed).toBe(true);
    expect(counts({ world: { bodyCount: 0, shapeCount: 0, jointCount: 0 }, runtime } as never)).toMatchObject(
      {
        drawn: 0,
        callbacks: 0,
        subscriptions: 0,
      },
    );
    await until(() => workers.running === 0);
    expect(workers.running).toBe(0);
  });

  test('another world by a prop: bodies are mounted anew, and nothing is left of the old one', async () => {
    const into: { context: PhysicsContext | null } = { context: null };
    const content = [<Catch key="catch" into={into} />, <Everything key="all" />];
    const scene = await open(library, content);
    await scene.step(2);
    const { world } = into.context!;
    const other = library.isWorker ? { timeStep: 1 / 120 } : { worker: WORKER_OPTIONS };
    await scene.show(content, other);
    await until(() => into.context!.world !== world);
    await scene.step(1);
    expect(world.isDisposed).toBe(true);
    expect(counts(into.context!)).toEqual(EVERYTHING);
    await until(() => workers.running === 1);
    await scene.show(content, { ...other, worker: false });
    await until(() => !into.context!.isWorker);
    await scene.step(1);
    expect(counts(into.context!)).toEqual(EVERYTHING);
    await until(() => workers.running === 0);
  });

  test('a ref that is replaced is filled, the old one emptied; functions are called', async () => {
    const [first, second] = [createRef<RigidBodyApi>(), createRef<RigidBodyApi>()];
    const called = vi.fn();
    const body = (ref: typeof first | ((api: RigidBodyApi | null) => void)) => (
      <RigidBody key={typeof ref} ref={ref}>
        <CuboidCollider args={[1, 1, 1]} />
      </RigidBody>
    );
    const scene = await open(library, body(first));
    const { handle } = first.current!;
    await scene.show(body(second));
    expect([first.current, second.current!.handle]).toEqual([null, handle]);
    await scene.show(body(called));
    expect(second.current).toBe(null);
    expect(called.mock.calls[0]![0].isValid()).toBe(true);
    await scene.show(null);
    expect(called).toHaveBeenLastCalledWith(null);
  });

  test('unmounted before it is there: no world is left', async () => {
    const made: PhysicsWorld[] = [];
    let renderer!: Awaited<ReturnType<typeof create>>;
    await act(async () => {
      renderer = await create(
        <Physics worker={library.isWorker ? WORKER_OPTIONS : false} onReady={(world) => made.push(world)}>
          <RigidBody />
        </Physics>,
      );
    });
    await act(async () => void (await renderer.unmount()));
    await pause(200);
    await until(() => workers.running === 0);
    expect(made.every(({ isDisposed }) => isDisposed)).toBe(true);
  });

  test('a world that was warmed up goes on as one that was not; what unmounts meanwhile leaves nothing', async () => {
    const hashes: string[] = [];
    for (const warmUp of [false, 60, true]) {
      const into: { context: PhysicsContext | null } = { context: null };
      const scene = await open(
        library,
        [<Catch key="catch" into={into} />, <Everything key="all" />],
        { warmUp },
        (all) => <StrictMode>{all}</StrictMode>,
      );
      await scene.step(20);
      expect(counts(into.context!)).toEqual(EVERYTHING);
      hashes.push(String(await into.context!.world.stateHash()));
      await scene.unmount();
      scenes.pop();
    }
    expect(new Set(hashes).size).toBe(1);
    const made: PhysicsWorld[] = [];
    let renderer!: Awaited<ReturnType<typeof create>>;
    await act(async () => {
      renderer = await create(
        <Physics
          worker={library.isWorker ? WORKER_OPTIONS : false}
          warmUp={5000}
          onReady={(world) => made.push(world)}
        />,
      );
    });
    await pause(100);
    await act(async () => void (await renderer.unmount()));
    await until(() => workers.running === 0);
    expect(made).toEqual([]);
  });

  test('a body that unmounts while its collision is told, or the whole world', async () => {
    const into: { context: PhysicsContext | null } = { context: null };
    const [enter, other] = [vi.fn(), vi.fn()];
    let end: () => void = () => {};
    function Bomb({ all }: { all?: () => void }) {
      const [gone, setGone] = useState(false);
      end = () => setGone(true);
      return gone ? null : (
        <RigidBody
          position={[0, 0.6, 0]}
          onCollisionEnter={() => {
            enter();
            setGone(true);
            all?.();
          }}
        >
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
      );
    }
    const ground = <CuboidCollider key="ground" args={[5, 0.1, 5]} onCollisionEnter={other} />;
    const scene = await open(library, [<Catch key="c" into={into} />, <Bomb key="b" />, ground]);
    await scene.step(30);
    expect(enter).toHaveBeenCalledTimes(1);
    expect(other).toHaveBeenCalledTimes(1);
    expect(into.context!.world.bodyCount).toBe(1);
    await scene.show([
      <Catch key="c" into={into} />,
      <Bomb key="again" all={() => into.context!.runtime.dispose()} />,
      ground,
    ]);
    await scene.step(30).catch(() => {}); // a world in a worker rejects steps that it did not make
    expect(enter).toHaveBeenCalledTimes(2);
    expect(into.context!.world.isDisposed).toBe(true);
    end();
  });

  test('what a handler throws keeps no other from being told', async () => {
    const told = vi.fn();
    const scene = await open(library, [
      <RigidBody
        key="a"
        position={[0, 0.55, 0]}
        onCollisionEnter={() => {
          throw new Error('mine');
        }}
      >
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </RigidBody>,
      <CuboidCollider key="b" args={[5, 0.1, 5]} onCollisionEnter={told} />,
    ]);
    await expect(scene.step(30)).rejects.toThrow('mine');
    expect(told).toHaveBeenCalledTimes(1);
  });

  test('a snapshot puts bodies back; what was mounted since is made anew', async () => {
    const into: { context: PhysicsContext | null; state?: ReturnType<typeof useSnapshot> } = {
      context: null,
    };
    const Take = () => {
      into.state = useSnapshot();
      return null;
    };
    const [first, second] = [createRef<RigidBodyApi>(), createRef<RigidBodyApi>()];
    const content = (more: boolean) => [
      <Catch key="c" into={into} />,
      <Take key="t" />,
      <RigidBody key="1" ref={first} position={[0, 5, 0]}>
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </RigidBody>,
      more ? (
        <RigidBody key="2" ref={second} position={[3, 5, 0]}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
      ) : null,
    ];
    const scene = await open(library, content(false));
    await scene.step(10);
    const before = first.current!.translation();
    const hash = await into.context!.world.stateHash();
    const taken = await into.state!.take();
    await scene.show(content(true));
    await scene.step(20);
    await act(async () => void (await into.state!.restore(taken)));
    expect(first.current!.translation()).toEqual(before);
    expect(second.current!.isValid()).toBe(true);
    expect(into.context!.world.bodyCount).toBe(2);
    await scene.show(content(false));
    expect(into.context!.world.bodyCount).toBe(1);
    expect(await into.context!.world.stateHash()).toBe(hash);
    const withOne = await into.state!.take();
    await scene.show([<Catch key="c" into={into} />, <Take key="t" />]);
    await act(async () => void (await into.state!.restore(withOne)));
    expect(into.context!.world.bodyCount).toBe(0);
  });

  test('rays name the components that they hit', async () => {
    let cast: ReturnType<typeof useRaycast> | null = null;
    const Ray = () => {
      cast = useRaycast();
      return null;
    };
    const scene = await open(library, [
      <Ray key="r" />,
      <RigidBody key="b" name="target" type="fixed">
        <CuboidCollider name="face" args={[1, 1, 1]} />
      </RigidBody>,
    ]);
    await scene.step(1);
    const answer = cast!([0, 5, 0], [0, -5, 0]);
    expect(answer instanceof Promise).toBe(library.isWorker);
    const hit = await answer;
    expect(hit!.point[1]).toBeCloseTo(1, 5);
    expect([hit!.rigidBodyObject!.name, hit!.colliderObject!.name]).toEqual(['target', 'face']);
    expect(await cast!([9, 5, 0], [9, -5, 0])).toBe(null);
  });

  test('more instances than the mesh had room for: its args make another mesh, the bodies stay', async () => {
    const all = createRef<RigidBodyApi[]>();
    let grow: (count: number) => void = () => {};
    const Mesh = ({ room }: { room: number }) => {
      const [count, set] = useState(room);
      grow = set;
      return (
        <instancedMesh name="mesh" args={[undefined, undefined, Math.max(room, count)]}>
          <sphereGeometry args={[0.4]} />
        </instancedMesh>
      );
    };
    const show = (count: number) => (
      <InstancedRigidBodies
        ref={all as never}
        colliders="ball"
        position={[0, 0, 7]}
        instances={Array.from(
          { length: count },
          (_, key) => ({ key, position: [2 * key, 5, 0] as const }) as never,
        )}
      >
        <Mesh room={count} />
      </InstancedRigidBodies>
    );
    const scene = await open(library, show(2));
    await scene.step(10);
    const mesh = () => scene.object('mesh') as InstancedMesh;
    const handles = all.current!.map(({ handle }) => handle);
    const drawn = () => {
      scene.renderer.scene.instance.updateMatrixWorld();
      const matrix = new Matrix4();
      return Array.from({ length: mesh().count }, (_, i) => {
        mesh().getMatrixAt(i, matrix);
        return new Vector3().setFromMatrixPosition(matrix.premultiply(mesh().matrixWorld)).toArray();
      });
    };
    const stands = () => all.current!.map((each) => new Vector3().copy(each.translation()).toArray());
    for (const count of [5, 1, 3]) {
      const before = mesh();
      await scene.show(show(count));
      await scene.step(10);
      expect(mesh(), `${count}: another mesh`).not.toBe(before);
      expect(mesh().frustumCulled).toBe(false);
      expect(drawn()).toHaveLength(count);
      for (const [i, place] of drawn().entries())
        for (let k = 0; k < 3; k++) expect(place[k]).toBeCloseTo(stands()[i]![k]!, 3);
    }
    expect(all.current![0]!.handle, 'the first was never away').toBe(handles[0]);
    // The mesh alone changes, without a new list.
    await act(async () => grow(9));
    await scene.step(1);
    expect(mesh().instanceMatrix.count).toBe(9);
    expect(drawn()).toHaveLength(3);
    expect(drawn()[2]![1]).toBeCloseTo(stands()[2]![1]!, 3);
  });

  test('the ray of a pointer meets instances where they have gone', async () => {
    const scene = await open(
      library,
      <InstancedRigidBodies
        instances={[0, 3].map((x, key) => ({ key, position: [x, 20 * key, 0] as const }) as never)}
      >
        <instancedMesh name="mesh" args={[undefined, undefined, 2]}>
          <boxGeometry />
          <meshBasicMaterial />
        </instancedMesh>
      </InstancedRigidBodies>,
    );
    const mesh = scene.object('mesh') as InstancedMesh;
    const place = new Matrix4();
    const met = () => {
      scene.renderer.scene.instance.updateMatrixWorld();
      return [0, 1].map((i) => {
        mesh.getMatrixAt(i, place);
        const from = new Vector3(0, 0, 9).applyMatrix4(place.premultiply(mesh.matrixWorld));
        return new Raycaster(from, new Vector3(0, 0, -1)).intersectObject(mesh)[0]?.instanceId;
      });
    };
    await scene.step(1);
    expect(met()).toEqual([0, 1]);
    await scene.step(180);
    expect(met()).toEqual([0, 1]);
    expect(place.elements[13]).toBeLessThan(-20);
  });

  test('the pose of an instanced mesh is ignored, by colliders as in drawing, whenever an instance comes', async () => {
    const all = createRef<RigidBodyApi[]>();
    const show = (...frictions: number[]) => (
      <InstancedRigidBodies
        ref={all as never}
        colliders="ball"
        position={[0, 3, 7]}
        instances={frictions.map(
          (friction, key) => ({ key, friction, position: [2 * key, 0, 0] as const }) as never,
        )}
      >
        <instancedMesh args={[undefined, undefined, 3]} position={[0, 1, 0]} scale={2}>
          <sphereGeometry args={[0.4]} />
        </instancedMesh>
      </InstancedRigidBodies>
    );
    const scene = await open(library, show(0.1));
    await scene.step(1);
    await scene.show(show(0.2, 0.3, 0.4));
    await scene.step(1);
    for (const { body } of all.current!) {
      expect(body.mass).toBeCloseTo((4 / 3) * Math.PI * 0.4 ** 3, 5);
      expect(body.getLocalCenterOfMass()).toEqual([0, 0, 0].map((c) => expect.closeTo(c, 6)));
    }
  });

  test('parts of a place, such as position-y, move the body, too', async () => {
    const ref = createRef<RigidBodyApi>();
    const show = (props: object) => (
      <RigidBody ref={ref} name="crate" type="fixed" {...props}>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
    );
    const scene = await open(library, show({ 'position-x': 1, 'position-y': 5 }));
    await scene.step(1);
    expect(ref.current!.translation()).toEqual({ x: 1, y: 5, z: 0 });
    await scene.show(show({ 'position-x': 1, 'position-y': 7, 'rotation-y': Math.PI / 2 }));
    await scene.step(1);
    expect(ref.current!.translation()).toEqual({ x: 1, y: 7, z: 0 });
    expect(ref.current!.rotation().y).toBeCloseTo(Math.SQRT1_2, 5);
    expect(scene.object('crate').position.y).toBeCloseTo(7, 5);
  });

  test('settings: changed while the world opens, changed later, taken away', async () => {
    let world: PhysicsWorld | null = null;
    const onReady = (made: PhysicsWorld) => {
      world = made;
    };
    const read = () => [world!.settings.substeps, world!.settings.contactHertz, world!.getGravity()[1]];
    const { Physics: Ours } = library as unknown as { Physics: typeof Physics };
    const show = (props: PhysicsProps) => <Ours onReady={onReady} {...props} />;
    let renderer!: Awaited<ReturnType<typeof create>>;
    await act(async () => {
      renderer = await create(show({ numSolverIterations: 9 }) as never, { frameloop: 'never' });
      await renderer.update(show({ numSolverIterations: 8, gravity: [0, -1, 0] }) as never);
    });
    await until(() => world !== null);
    await act(async () => {});
    const change = async (props: PhysicsProps) => {
      await act(async () => void (await renderer.update(show(props) as never)));
      return read();
    };
    try {
      expect(read(), 'while it opened').toEqual([8, 60, -1]);
      expect(await change({ settings: { substeps: 3, contactHertz: 30 } })).toEqual([3, 30, -9.81]);
      expect(await change({ settings: { substeps: undefined as never } })).toEqual([5, 60, -9.81]);
      expect(await change({ contactNaturalFrequency: 40 })).toEqual([5, 40, -9.81]);
      expect(await change({})).toEqual([5, 60, -9.81]);
      expect(world!.settings.frictionCombine).toBe('average');
    } finally {
      await act(async () => void (await renderer.unmount()));
    }
  });

  test('colliders come, change and go on a living body', async () => {
    const ref = createRef<RigidBodyApi>();
    const collider = createRef<ColliderApi>();
    const content = (size: number, friction: number, more: boolean) => (
      <RigidBody ref={ref} position={[0, 1, 0]} friction={friction} rotation={[0.3, 0.2, 0.1]}>
        <CuboidCollider
          ref={collider}
          args={[size, 0.5, 0.5]}
          position={[0.1, 0.2, 0.3]}
          rotation={[0, 0.4, 0]}
        />
        {more && <CuboidCollider args={[0.5, 0.5, 0.5]} position={[2, 0, 0]} />}
      </RigidBody>
    );
    const scene = await open(library, content(0.5, 0.5, false), { gravity: [0, 0, 0] });
    const { body } = ref.current!;
    const id = collider.current!.handle;
    ref.current!.setAngvel({ x: 1, y: 2, z: 3 });
    await scene.step(20);
    await scene.show(content(0.5, 0.7, false), { gravity: [0, 0, 0] });
    expect(collider.current!.handle, 'friction changes in place').toBe(id);
    expect(body.getShape(id).material.friction).toBeCloseTo(0.7, 6);
    await scene.step(5);
    await scene.show(content(0.5, 0.7, true), { gravity: [0, 0, 0] });
    expect(body.shapes.length).toBe(2);
    expect(collider.current!.handle, 'the other collider stays').toBe(id);
    expect(body.mass).toBeCloseTo(2, 5);
    await scene.show(content(1, 0.7, true), { gravity: [0, 0, 0] });
    expect(collider.current!.handle).not.toBe(id);
    expect(body.mass).toBeCloseTo(3, 5);
    await scene.show(content(1, 0.7, false), { gravity: [0, 0, 0] });
    expect(body.mass).toBeCloseTo(2, 5);
    expect(ref.current!.body).toBe(body);
    collider.current!.setSensor(true);
    expect(body.getShape(collider.current!.handle).sensor).toBe(true);
  });

  test('debug lines come and go', async () => {
    const into: { context: PhysicsContext | null } = { context: null };
    const content = (debug: boolean) => [
      <Catch key="c" into={into} />,
      <RigidBody key="b">
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </RigidBody>,
      debug ? <Debug key="d" /> : null,
    ];
    const scene = await open(library, content(true), {}, (all) => <StrictMode>{all}</StrictMode>);
    await scene.step(2);
    await until(() => lines() > 0);
    function lines() {
      const found = scene.renderer.scene.instance.getObjectByProperty('type', 'LineSegments');
      return (
        (found as { geometry?: { drawRange: { count: number } } } | undefined)?.geometry?.drawRange.count ?? 0
      );
    }
    expect(lines()).toBe(24);
    await scene.show(content(false));
    expect(scene.renderer.scene.instance.getObjectByProperty('type', 'LineSegments')).toBeUndefined();
    expect(into.context!.runtime.drawn.size).toBe(1);
  });

  test('a body below a boundary that suspends stays as it is', async () => {
    const ref = createRef<RigidBodyApi>();
    const never = new Promise<void>(() => {});
    const Late = ({ wait }: { wait: boolean }) => (wait ? use(never) : null) as null;
    const content = (wait: boolean) => (
      <Suspense fallback={null}>
        <RigidBody ref={ref} position={[0, 5, 0]}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
        <Late wait={wait} />
      </Suspense>
    );
    const scene = await open(library, content(false));
    await scene.step(20);
    const { handle } = ref.current!;
    const { y } = ref.current!.translation();
    await scene.show(content(true));
    await scene.show(content(false));
    expect(ref.current!.handle).toBe(handle);
    expect(ref.current!.translation().y).toBeCloseTo(y, 5);
  });
});

describe('errors', () => {
  class Boundary extends Component<
    { children: ReactNode; caught: (error: Error) => void },
    { failed: boolean }
  > {
    override state = { failed: false };
    static getDerivedStateFromError() {
      return { failed: true };
    }
    override componentDidCatch(error: Error) {
      this.props.caught(error);
    }
    override render() {
      return this.state.failed ? null : this.props.children;
    }
  }

  /** What a boundary above `<Physics>` catches. */
  async function caught(children: ReactNode, physics: object = {}): Promise<Error & { code?: string }> {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const errors: Error[] = [];
    let renderer!: Awaited<ReturnType<typeof create>>;
    await act(async () => {
      renderer = await create(
        <Boundary caught={(error) => errors.push(error)}>
          <Physics worker={false} {...physics}>
            {children}
          </Physics>
        </Boundary>,
      );
    });
    await until(() => errors.length > 0);
    await act(async () => void (await renderer.unmount()));
    return errors[0]!;
  }

  test.each([
    [
      <RigidBody key="a" name="crate" linearDamping={Number.NaN} />,
      /<RigidBody name="crate">: linearDamping/,
    ],
    [<RigidBody key="b" type={'moving' as never} />, /<RigidBody>: type must be one of fixed, dynamic/],
    [<CuboidCollider key="c" name="wall" args={[1, -1, 1]} />, /<CuboidCollider name="wall">: .*halfExtents/],
    [
      <HeightfieldCollider key="d" args={[2, 2, [0], { x: 1, y: 1, z: 1 }]} />,
      /<HeightfieldCollider>: heights must hold 9/,
    ],
    [
      <RigidBody key="e" dynamicMesh="error">
        <TrimeshCollider
          args={[
            [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
            [0, 1, 2, 0, 1, 3],
          ]}
        />
      </RigidBody>,
      /<TrimeshCollider>: triangles must not be on a dynamic body/,
    ],
    [
      <InstancedRigidBodies key="f" instances={[{ key: 0 }]}>
        <mesh />
      </InstancedRigidBodies>,
      /<InstancedRigidBodies>: must have one <instancedMesh>/,
    ],
    [
      <InstancedRigidBodies key="g" instances={[{ key: 0 }, { key: 0 }]}>
        <instancedMesh args={[undefined, undefined, 2]} />
      </InstancedRigidBodies>,
      /two instances have the key 0/,
    ],
    [
      <MeshCollider key="h" type="hull">
        <mesh />
      </MeshCollider>,
      /<MeshCollider>: must be inside of a <RigidBody>/,
    ],
  ])('%#: what is wrong is told by the name of the component', async (children, message) => {
    const error = await caught(children);
    expect(error.message).toMatch(message);
    expect(error.code).toBe('invalid-argument');
  });

  test('a world that cannot be made, a hook outside', async () => {
    expect((await caught(null, { gravity: [0, Number.NaN, 0] })).message).toMatch(/^<Physics>: gravity/);
    for (const worker of [false, WORKER_OPTIONS])
      expect((await caught(null, { worker, warmUp: -1 })).message).toMatch(
        /^<Physics>: warmUp must be from 0/,
      );
    await until(() => workers.running === 0);
    expect((await caught(null, { worker: { transport: 'pigeon' } })).message).toMatch(
      /^<Physics>: transport/,
    );
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await expect(
      (async () => {
        await act(async () => void (await create(<RigidBody />)));
      })(),
    ).rejects.toThrow('<RigidBody> must be used inside of a <Physics>');
  });

  test('pairs are filtered by a function in the page, and not from a worker', async () => {
    const Filter = () => {
      useFilterContactPair(() => 0);
      return null;
    };
    const ref = createRef<RigidBodyApi>();
    const scene = await open(LOCAL, [
      <Filter key="f" />,
      <RigidBody key="b" ref={ref} position={[0, 1, 0]}>
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </RigidBody>,
      <CuboidCollider key="g" args={[5, 0.1, 5]} />,
    ]);
    await scene.step(60);
    expect(ref.current!.translation().y).toBeLessThan(-2);
    const error = await caught(<Filter />, { worker: WORKER_OPTIONS });
    expect([error.code, error.message]).toEqual([
      'unsupported',
      expect.stringContaining('useFilterContactPair'),
    ]);
    expect(WORKER.isWorker).toBe(true);
  });

  test('a restitution above 1, which Rapier takes, is 1, with one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const ref = createRef<RigidBodyApi>();
    const content = (restitution: number) => (
      <RigidBody ref={ref} name="bouncy" restitution={restitution}>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
    );
    const scene = await open(LOCAL, content(1.2));
    const material = () => ref.current!.body.getShape(ref.current!.body.shapes[0]!).material;
    expect(material().restitution).toBe(1);
    await scene.show(content(0.5));
    expect(material().restitution).toBe(0.5);
    await scene.show(content(1.2));
    expect(material().restitution).toBe(1);
    expect(warn.mock.calls.filter(([text]) => String(text).includes('restitution 1.2'))).toHaveLength(1);
  });

  test('triangles on a dynamic body become their hull, with one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const ref = createRef<RigidBodyApi>();
    const content = (type: 'dynamic' | 'fixed') => (
      <RigidBody ref={ref} name="rock" colliders="trimesh" type={type}>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
    );
    const scene = await open(LOCAL, content('dynamic'));
    const shape = () => ref.current!.body.getShape(ref.current!.body.shapes[0]!).type;
    expect(shape()).toBe('hull');
    expect(warn.mock.calls.filter(([text]) => String(text).includes('hull'))).toHaveLength(1);
    await scene.show(content('fixed'));
    expect(shape()).toBe('mesh');
    await scene.show(content('dynamic'));
    expect(shape()).toBe('hull');
    expect(ref.current!.mass()).toBeCloseTo(1, 3);
  });
});

describe('frames of the renderer', () => {
  test('in the page: fixed steps, what is left over is interpolated; paused; the frame’s own time', async () => {
    const ref = createRef<RigidBodyApi>();
    const steps = vi.fn();
    const Count = () => {
      useFixedStep((_, dt) => steps(dt));
      return null;
    };
    const content = [
      <Count key="c" />,
      <RigidBody key="b" ref={ref} name="b" linearVelocity={[6, 0, 0]} colliders={false}>
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </RigidBody>,
    ];
    const physics = { paused: false, gravity: [0, 0, 0] };
    const scene = await open(LOCAL, content, physics);
    await act(async () => void (await scene.renderer.advanceFrames(4, 1 / 120)));
    expect(steps).toHaveBeenCalledTimes(2);
    expect(scene.object('b').position.x).toBeCloseTo(0.1, 4);
    await act(async () => void (await scene.renderer.advanceFrames(1, 1 / 120)));
    expect(scene.object('b').position.x).toBeCloseTo(0.15, 4);
    await scene.show(content, { ...physics, paused: true });
    await act(async () => void (await scene.renderer.advanceFrames(5, 1 / 60)));
    expect(steps).toHaveBeenCalledTimes(2);
    await scene.show(content, { ...physics, timeStep: 'vary' });
    await act(async () => void (await scene.renderer.advanceFrames(1, 0.04)));
    expect(steps).toHaveBeenLastCalledWith(expect.closeTo(0.04, 6));
    expect(ref.current!.translation().x).toBeCloseTo(0.2 + 0.24, 3);
  });

  test.each(['follow', 'independent'] as const)(
    'from a worker, loop %s: real time goes on, pause stops it',
    async (updateLoop) => {
      let request = 0;
      const frames = new Map<number, NodeJS.Timeout>();
      vi.stubGlobal('requestAnimationFrame', (run: (now: number) => void) => {
        frames.set(
          ++request,
          setTimeout(() => run(performance.now()), 16),
        );
        return request;
      });
      vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(frames.get(id)));
      const ref = createRef<RigidBodyApi>();
      const steps = vi.fn();
      const Count = () => {
        useFixedStep(steps);
        return null;
      };
      const content = [
        <Count key="c" />,
        <RigidBody key="b" ref={ref} name="b" linearVelocity={[6, 0, 0]} colliders={false}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>,
      ];
      const physics = { paused: false, gravity: [0, 0, 0], updateLoop };
      const scene = await mount(WORKER, content, physics);
      const run = async (frames: number) => {
        for (let i = 0; i < frames; i++)
          await act(async () => {
            if (updateLoop === 'follow') await scene.renderer.advanceFrames(1, 1 / 60);
            await pause(16);
          });
      };
      await run(40);
      const { x } = scene.object('b').position;
      expect(x).toBeGreaterThan(0.3);
      expect(Math.abs(x - ref.current!.translation().x)).toBeLessThan(0.5);
      expect(steps.mock.calls.length).toBeGreaterThan(3);
      await scene.show(content, { ...physics, paused: true });
      await run(10);
      const stopped = scene.object('b').position.x;
      await run(10);
      expect(scene.object('b').position.x).toBe(stopped);
      await scene.unmount();
      vi.unstubAllGlobals();
    },
  );
});
