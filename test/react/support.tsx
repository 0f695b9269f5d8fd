// The same scenes on three libraries: @react-three/rapier, ricochet/react with a world in the page, and with one in a
// worker. In: elements written with the names that they share. Out: a mounted scene that is stepped by hand.

import { Worker } from 'node:worker_threads';
import * as rapier from '@react-three/rapier';
import { act, create } from '@react-three/test-renderer';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import * as react from 'ricochet/react';
import type { Object3D } from 'three';
import { workerScript } from '../worker/support';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

// fiber's clock is three's old one; three says so at every mount.
const { warn } = console;
console.warn = (...told: unknown[]) => {
  if (!String(told[0]).includes('THREE.Clock')) warn(...told);
};

/** What the three have in common; props are those of @react-three/rapier. */
export type Library = Omit<typeof rapier, 'useRapier'> & {
  name: string;
  isOurs: boolean;
  isWorker: boolean;
  useRapier: () => { world: unknown; step: (dt: number) => unknown; isPaused: boolean };
};

type PhysicsProps = { children?: ReactNode; [name: string]: unknown };

const ours = (name: string, worker: react.PhysicsProps['worker']): Library =>
  ({
    ...react,
    name,
    isOurs: true,
    isWorker: worker !== false,
    Physics: (props: PhysicsProps) => <react.Physics worker={worker} {...props} />,
  }) as unknown as Library;

export const RAPIER = { ...rapier, name: '@react-three/rapier', isOurs: false, isWorker: false } as Library;
export const LOCAL = ours('ricochet/react in the page', false);
const script = await workerScript();
/** Workers that were started, and those of them that run. */
export const workers = { started: 0, running: 0 };
const workerFactory = () => {
  const worker = new Worker(script);
  workers.started++;
  workers.running++;
  worker.once('exit', () => void workers.running--);
  return worker;
};
export const WORKER_OPTIONS = { transport: 'messages', workerFactory } as const;
export const WORKER = ours('ricochet/react in a worker', WORKER_OPTIONS);
export const LIBRARIES = [RAPIER, LOCAL, WORKER];
export const OURS = [LOCAL, WORKER];

export interface Scene {
  /** Steps of 1/60 s, by hand. */
  step: (count?: number) => Promise<void>;
  /** What is shown instead from now on. */
  show: (children: ReactNode, physics?: PhysicsProps) => Promise<void>;
  unmount: () => Promise<void>;
  object: (name: string) => Object3D;
  renderer: Awaited<ReturnType<typeof create>>;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Until something is true; a busy machine takes its time to start a worker. */
export async function until(what: () => boolean, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!what()) {
    if (performance.now() > end) throw new Error('it did not come');
    await act(async () => void (await pause(2)));
  }
}

/** Mounts children in a paused world, and waits until it is there. */
export async function mount(
  library: Library,
  children: ReactNode,
  physics: PhysicsProps = {},
  wrap: (scene: ReactNode) => ReactNode = (scene) => scene,
): Promise<Scene> {
  let step: ((dt: number) => unknown) | null = null;
  const Catch = () => {
    const context = library.useRapier();
    useEffect(() => {
      step = context.step;
    });
    return null;
  };
  const Physics = library.Physics as unknown as ComponentType<PhysicsProps>;
  const scene = (inner: ReactNode, props: PhysicsProps) =>
    wrap(
      <Physics paused {...props}>
        {inner}
        <Catch />
      </Physics>,
    ) as never;
  let renderer!: Awaited<ReturnType<typeof create>>;
  await act(async () => {
    renderer = await create(scene(children, physics), { frameloop: 'never' });
  });
  await until(() => step !== null);
  // Effects of what was mounted with the world.
  await act(async () => {});
  return {
    renderer,
    step: async (count = 1) => {
      for (let i = 0; i < count; i++) await act(async () => void (await step!(1 / 60)));
    },
    show: async (next, props = physics) => {
      await act(async () => void (await renderer.update(scene(next, props))));
      await act(async () => {});
    },
    unmount: async () => {
      await act(async () => void (await renderer.unmount()));
      await act(async () => {});
    },
    object: (name) => {
      const found = renderer.scene.instance.getObjectByName(name);
      if (found === undefined) throw new Error(`no object ${name}`);
      return found;
    },
  };
}
