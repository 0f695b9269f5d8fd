// The component that owns a world. In: props. Out: a world in a worker (or in the page), stepped by the renderer's
// frames, for all components below.
import { useFrame, useThree } from '@react-three/fiber';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { PhysicsError, PhysicsWorld, WorldSettings } from 'ricochet';
import { createPhysics, type PhysicsOptions } from 'ricochet/worker';
import { type PhysicsContext, physicsContext } from './context';
import { Debug } from './Debug';
import { blame, refuse, warnOnce } from './errors';
import { LocalRuntime } from './localRuntime';
import { same } from './place';
import type { Runtime } from './runtime';
import type { AnyWorld, RigidBodyAutoCollider, Vector3Tuple } from './types';
import { WorkerRuntime } from './workerRuntime';

/** How the worker is created and kept; see createPhysics. */
export type WorkerOptions = Pick<
  PhysicsOptions,
  | 'transport'
  | 'worker'
  | 'workerFactory'
  | 'workerUrl'
  | 'cookingWorker'
  | 'maxSubSteps'
  | 'whenHidden'
  | 'restart'
  | 'hangTimeout'
  | 'startTimeout'
  | 'velocities'
>;

/** Props of Physics. */
export interface PhysicsProps {
  /** Components that are in the world or use it. */
  children?: ReactNode;
  /** true (the default) or options: the world is in a worker. false: in the page. A change makes a new world. */
  worker?: boolean | WorkerOptions | undefined;
  /** m/s². Default [0, −9.81, 0]. */
  gravity?: Vector3Tuple | undefined;
  /** Which colliders meshes get by themselves. Default 'cuboid'. */
  colliders?: RigidBodyAutoCollider | undefined;
  /**
   * s: the length of a step. 'vary': the frame's own time, in the page only; a worker keeps to steps of 1/60 s and
   * interpolates. In a worker a change makes a new world. Default 1/60.
   */
  timeStep?: number | 'vary' | undefined;
  /** Default false. */
  paused?: boolean | undefined;
  /** Draw between two steps. A worker always does. Default true. */
  interpolate?: boolean | undefined;
  /**
   * 'follow': steps are made by frames of the renderer. 'independent': by a loop of their own, in a worker by the
   * worker's clock; for canvases with `frameloop="demand"`. Default 'follow'.
   */
  updateLoop?: 'follow' | 'independent' | undefined;
  /** Of `useFrame`. */
  updatePriority?: number | undefined;
  /** Draw shapes, contacts, joints. Default false. */
  debug?: boolean | undefined;
  /** Any setting of the world; see docs/step.md. */
  settings?: Partial<WorldSettings> | undefined;
  /** Rapier's names of three settings: `substeps`, `iterations`, `contactHertz`. */
  numSolverIterations?: number | undefined;
  /** The setting `iterations`. */
  numInternalPgsIterations?: number | undefined;
  /** The setting `contactHertz`, Hz. */
  contactNaturalFrequency?: number | undefined;
  /** m: `contactSlop`. */
  allowedLinearError?: number | undefined;
  /** Of Rapier's solver, ignored: there is nothing like them to set. */
  predictionDistance?: number | undefined;
  /** Of Rapier's solver; no effect here. */
  minIslandSize?: number | undefined;
  /** Of Rapier's solver; no effect here. */
  maxCcdSubsteps?: number | undefined;
  /** Of Rapier's solver; no effect here. */
  lengthUnit?: number | undefined;
  /**
   * Compiles the engine before the children are mounted, so that the first second of a game runs at full speed; see warmUp.
   * true: for 500 ms; or the number of ms. Each new world is warmed up. Default false.
   */
  warmUp?: boolean | number | undefined;
  /** Called once the world is there. */
  onReady?: ((world: AnyWorld) => void) | undefined;
  /** Errors that belong to no call: see `Physics.onError`. Without it they go to the console. */
  onError?: ((error: PhysicsError) => void) | undefined;
}

/** Rapier's rules for friction and restitution. */
const RAPIER = { frictionCombine: 'average', restitutionCombine: 'average' } as const;

/** The settings that props give, in place of the defaults. */
function settingsOf(props: PhysicsProps): Partial<WorldSettings> {
  const { numSolverIterations, numInternalPgsIterations, contactNaturalFrequency, allowedLinearError } =
    props;
  const given = {
    substeps: numSolverIterations,
    iterations: numInternalPgsIterations,
    contactHertz: contactNaturalFrequency,
    contactSlop: allowedLinearError,
    ...props.settings,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const EARTH: Vector3Tuple = [0, -9.81, 0];
const STEP = 1 / 60;

/** A world as props made it, and its settings without them, to which removed props return. */
interface Opened {
  runtime: Runtime;
  defaults: WorldSettings;
  gravity: Vector3Tuple;
  settings: WorldSettings;
}

async function open(props: PhysicsProps, signal: AbortSignal): Promise<Opened> {
  const { worker = true, gravity = EARTH, timeStep = STEP, updateLoop = 'follow', warmUp = false } = props;
  const common = { ...RAPIER, gravity };
  const ready = async <W extends PhysicsWorld>(world: W, runtimeOf: (world: W) => Runtime) => {
    const defaults = world.settings;
    const settings = { ...defaults, ...settingsOf(props) };
    try {
      world.updateSettings(settings);
    } catch (error) {
      world.dispose();
      throw error;
    }
    await prepare(world, warmUp, signal);
    return { runtime: runtimeOf(world), defaults, gravity, settings };
  };
  if (worker === false) {
    const { World } = await import('ricochet');
    return ready(new World(common), (world) => new LocalRuntime(world));
  }
  if (timeStep === 'vary')
    warnOnce(
      '<Physics>',
      'timeStep="vary" is for worker={false}: a worker makes steps of 1/60 s and interpolates',
    );
  const client = await createPhysics({
    ...common,
    ...(worker === true ? {} : worker),
    fixedTimeStep: timeStep === 'vary' ? STEP : timeStep,
    clock: updateLoop === 'follow' ? 'frames' : 'automatic',
    signal,
  });
  return ready(client, (world) => new WorkerRuntime(world));
}

/** Warms a world up, if it is asked for. */
async function prepare(world: PhysicsWorld, asked: boolean | number, signal: AbortSignal): Promise<void> {
  if (asked === false) return;
  const { warmUpOrDispose } = await import('ricochet/warmup');
  await warmUpOrDispose(world, asked, signal);
}

/**
 * A world for the components below, which are mounted when it is ready. If it cannot be opened, the error is thrown to
 * the nearest error boundary.
 */
export function Physics(props: PhysicsProps): ReactNode {
  const {
    worker = true,
    timeStep = STEP,
    updateLoop = 'follow',
    colliders = 'cuboid',
    paused = false,
  } = props;
  const { debug = false, updatePriority, children } = props;
  const [opened, setOpened] = useState<Opened | null>(null);
  const runtime = opened?.runtime ?? null;
  const [failure, setFailure] = useState<unknown>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  const isWorker = worker !== false;
  const fixed = isWorker ? timeStep : null; // what a worker must know at its creation
  const loop = isWorker ? updateLoop : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these three make another world
  useEffect(() => {
    const abort = new AbortController();
    let mine: Runtime | null = null;
    open(latest.current, abort.signal).then(
      (made) => {
        if (abort.signal.aborted) return made.runtime.dispose();
        mine = made.runtime;
        setOpened(made);
        latest.current.onReady?.(mine.world);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setFailure(() => named(error));
      },
    );
    return () => {
      abort.abort();
      mine?.dispose();
      setOpened(null);
    };
  }, [isWorker, fixed, loop]);

  useLiveProps(opened, props);
  const { invalidate } = useThree();
  const context = useMemo<PhysicsContext | null>(
    () =>
      runtime && {
        world: runtime.world,
        runtime,
        isWorker,
        isPaused: paused,
        isDebug: debug,
        step: (dt) => runtime.step(dt),
        physicsOptions: { colliders },
      },
    [runtime, isWorker, paused, debug, colliders],
  );
  if (failure !== null) throw failure;
  if (runtime === null || context === null || runtime.isDisposed) return null;
  const frame = (dt: number) => {
    if (runtime.isDisposed) return;
    runtime.frame(dt);
    if (!paused && !runtime.isDisposed && runtime.isAwake) invalidate();
  };
  return (
    <physicsContext.Provider value={context}>
      {updateLoop === 'follow' ? (
        <FollowLoop onFrame={frame} priority={updatePriority} />
      ) : (
        <OwnLoop onFrame={frame} />
      )}
      {children}
      {debug && <Debug />}
    </physicsContext.Provider>
  );
}

const named = (error: unknown) => {
  try {
    return blame('<Physics>', () => {
      throw error;
    });
  } catch (told) {
    return told;
  }
};

/** Applies changes of props to a running world. */
function useLiveProps(opened: Opened | null, props: PhysicsProps): void {
  const runtime = opened?.runtime ?? null;
  const { gravity = EARTH, paused = false, timeStep = STEP, interpolate = true, onError } = props;
  useEffect(() => {
    if (opened === null || runtime === null || runtime.isDisposed) return;
    const settings = { ...opened.defaults, ...settingsOf(props) };
    blame('<Physics>', () => {
      if (!same(opened.gravity, gravity)) runtime.world.setGravity(gravity);
      if (!same(Object.entries(opened.settings).flat(), Object.entries(settings).flat()))
        runtime.world.updateSettings(settings);
    });
    Object.assign(opened, { gravity, settings });
    if (!(runtime instanceof LocalRuntime)) return;
    if (timeStep !== 'vary' && !(timeStep > 0))
      throw refuse('<Physics>', `timeStep must be > 0, got ${timeStep}`);
    runtime.timeStep = timeStep;
    runtime.interpolate = interpolate;
  });
  useEffect(() => {
    if (runtime !== null && !runtime.isDisposed) runtime.setPaused(paused);
  }, [runtime, paused]);
  useEffect(() => {
    if (runtime === null || onError === undefined || !('onError' in runtime.world)) return;
    return (runtime.world as unknown as { onError(listener: typeof onError): () => void }).onError(onError);
  }, [runtime, onError]);
}

interface LoopProps {
  onFrame: (dt: number) => void;
  priority?: number | undefined;
}

function FollowLoop({ onFrame, priority }: LoopProps): null {
  useFrame((_, dt) => onFrame(dt), priority);
  return null;
}

/** ms */
const SECOND = 1000;

function OwnLoop({ onFrame }: LoopProps): null {
  const latest = useRef(onFrame);
  useEffect(() => {
    latest.current = onFrame;
  });
  useEffect(() => {
    let before: number | null = null;
    let request = 0;
    const frame = (now: number) => {
      request = requestAnimationFrame(frame);
      latest.current(before === null ? 0 : (now - before) / SECOND);
      before = now;
    };
    request = requestAnimationFrame(frame);
    return () => cancelAnimationFrame(request);
  }, []);
  return null;
}
