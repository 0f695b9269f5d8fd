// Hot reload and React's concurrent features: effects run again, trees are hidden, renders are thrown away; bodies, joints,
// subscriptions and workers are counted. Hot reload is what React's own refresh does: it asks the renderer, by the hook of the
// developer tools, to render the roots with new versions of components.
import { act } from '@react-three/test-renderer';
import { Activity, createRef, type ReactNode, startTransition, useEffect, useState } from 'react';
import {
  CuboidCollider,
  InstancedRigidBodies,
  type Physics,
  type PhysicsContext,
  RigidBody,
  type RigidBodyApi,
  useFixedStep,
  usePhysics,
  useSphericalJoint,
} from 'ricochet/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mount, OURS, type Scene, until, workers } from './support';

/** A component in all its versions. */
interface Family {
  current: unknown;
}
interface Renderer {
  setRefreshHandler(find: (type: unknown) => Family | undefined): void;
  scheduleRefresh(root: unknown, update: { staleFamilies: Set<Family>; updatedFamilies: Set<Family> }): void;
}

const tools = vi.hoisted(() => {
  const renderers: unknown[] = [];
  const roots = new Set<unknown>();
  Object.assign(globalThis, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      renderers: new Map(),
      inject: (renderer: unknown) => renderers.push(renderer),
      onCommitFiberRoot: (_: number, root: unknown) => roots.add(root),
      onCommitFiberUnmount: () => {},
      onPostCommitFiberRoot: () => {},
    },
  });
  return { renderers, roots };
});
const families = new Map<unknown, Family>();

/** Puts new versions in place of components; `stale`: with other hooks, so that their state is lost. */
async function reload(changes: readonly (readonly [old: unknown, next: unknown])[], stale = false) {
  const changed = new Set(
    changes.map(([old, next]) => {
      const family = families.get(old) ?? { current: old };
      families.set(old, family);
      families.set(next, family);
      family.current = next;
      return family;
    }),
  );
  const update = { staleFamilies: stale ? changed : new Set<Family>(), updatedFamilies: changed };
  await act(async () => {
    for (const renderer of tools.renderers as Renderer[]) {
      renderer.setRefreshHandler((type) => families.get(type));
      for (const root of tools.roots) renderer.scheduleRefresh(root, update);
    }
  });
  await act(async () => {});
}

let scenes: Scene[] = [];
afterEach(async () => {
  for (const scene of scenes) await scene.unmount();
  scenes = [];
  await until(() => workers.running === 0);
});
const open = async (...args: Parameters<typeof mount>) => {
  const scene = await mount(...args);
  scenes.push(scene);
  return scene;
};

let context: PhysicsContext | null = null;
function Catch() {
  const physics = usePhysics();
  useEffect(() => {
    context = physics;
  });
  return null;
}
const counts = () => {
  const { world, runtime } = context!;
  return [
    world.bodyCount,
    world.shapeCount,
    world.jointCount,
    runtime.fixedStep.size,
    runtime.events.subscriptions,
  ];
};

/** Height of the version that was rendered last. */
let rendered = 0;

/** A version of a component: 2 bodies on a joint, 3 instances, one subscription of contacts. */
const version = (height: number) =>
  function Content({ more = false }: { more?: boolean }) {
    rendered = height;
    const [a] = useState(() => createRef<RigidBodyApi>());
    const [b] = useState(() => createRef<RigidBodyApi>());
    useSphericalJoint(a, b, [
      [0, 1, 0],
      [0, -1, 0],
    ]);
    useFixedStep(() => {});
    return (
      <>
        <RigidBody ref={a} position={[0, height, 0]} onCollisionEnter={() => {}}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
        <RigidBody ref={b} position={[0, height + 2, 0]}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
        <InstancedRigidBodies
          colliders="cuboid"
          instances={[0, 1, ...(more ? [2] : [])].map((key) => ({ key, position: [5 + 2 * key, height, 0] }))}
        >
          <instancedMesh args={[undefined, undefined, 3]}>
            <boxGeometry />
          </instancedMesh>
        </InstancedRigidBodies>
      </>
    );
  };
const WHOLE = [4, 4, 1, 1, 2];

describe.each(OURS)('$name', (library) => {
  test.each([
    ['keeps its state', false],
    ['loses its state', true],
  ])('hot reload of a component that %s: nothing twice, nothing lost', async (_, stale) => {
    let last = version(3);
    const First = last;
    const scene = await open(library, [<Catch key="c" />, <First key="f" />]);
    await scene.step(2);
    expect(counts()).toEqual(WHOLE);
    const { world } = context!;
    const started = workers.started;
    for (let i = 0; i < 10; i++) {
      const next = version(3 + (i % 3));
      await reload([[last, next]], stale);
      last = next;
      expect(rendered).toBe(3 + (i % 3));
      await scene.step(2);
      expect(counts()).toEqual(WHOLE);
    }
    expect(context!.world).toBe(world);
    expect(workers.started).toBe(started);
    await scene.step(130);
    expect(context!.runtime.bodies.size).toBe(4);
    expect(context!.runtime.shapes.size).toBe(4);
  });

  test('hot reload of the component that holds the world', async () => {
    const Content = version(3);
    const Physic = library.Physics as typeof Physics;
    const make = () =>
      function App() {
        return (
          <Physic paused>
            <Catch />
            <Content />
          </Physic>
        );
      };
    const [Old, New, Other] = [make(), make(), make()];
    const scene = await open(library, <Old />);
    await until(() => context !== null && context.world.bodyCount === 4);
    const before = context!;
    await reload([[Old, New]]);
    expect(context!.world).toBe(before.world);
    expect(counts().slice(0, 3)).toEqual(WHOLE.slice(0, 3));
    await reload([[New, Other]], true);
    await until(() => context!.world !== before.world && context!.world.bodyCount === 4);
    expect(before.world.isDisposed).toBe(true);
    expect(counts().slice(0, 3)).toEqual(WHOLE.slice(0, 3));
    await scene.step(1);
  });

  test('a hidden tree (Activity) has no bodies; shown again they are there, with its state', async () => {
    const Content = version(3);
    const content = (mode: 'visible' | 'hidden') => [
      <Catch key="c" />,
      <Activity key="a" mode={mode}>
        <Content />
      </Activity>,
    ];
    const scene = await open(library, content('visible'));
    for (let i = 0; i < 3; i++) {
      await scene.step(5);
      expect(counts()).toEqual(WHOLE);
      await scene.show(content('hidden'));
      await scene.step(2);
      expect(counts()).toEqual([0, 0, 0, 0, 0]);
      await scene.show(content('visible'));
    }
  });

  test('renders that a newer one overtakes leave nothing', async () => {
    const Content = version(3);
    let set: (count: number) => void = () => {};
    const List = (): ReactNode => {
      const [count, setCount] = useState(0);
      set = setCount;
      return Array.from({ length: count }, (_, i) => (
        <RigidBody key={i} position={[0, 2 * i, 9]}>
          <CuboidCollider args={[0.5, 0.5, 0.5]} />
        </RigidBody>
      ));
    };
    const scene = await open(library, [<Catch key="c" />, <Content key="f" more />, <List key="l" />]);
    const { world } = context!;
    for (const wanted of [7, 2, 5, 0]) {
      await act(async () => {
        for (let i = 0; i < 5; i++) startTransition(() => set(30 - i));
        set(wanted);
        startTransition(() => set(wanted));
      });
      await scene.step(1);
      expect(world.bodyCount).toBe(5 + wanted);
    }
  });

  test('two worlds on one page know nothing of each other', async () => {
    const Content = version(3);
    const first = await open(library, [<Catch key="c" />, <Content key="f" />]);
    const one = context!;
    const second = await open(library, [<Catch key="c" />, <Content key="f" more />]);
    const two = context!;
    expect(one.world).not.toBe(two.world);
    expect([one.world.bodyCount, two.world.bodyCount]).toEqual([4, 5]);
    const still = await one.world.stateHash();
    await second.step(30);
    expect(await one.world.stateHash()).toBe(still);
    await second.unmount();
    expect(two.world.isDisposed).toBe(true);
    expect(one.world.isDisposed).toBe(false);
    await first.step(30);
    expect(one.world.bodyCount).toBe(4);
  });
});
