// Options of a world in a worker. In: the options of createPhysics. Out: their types, checked values, and the page's
// visibility, for the option `whenHidden`.

import { PhysicsError } from '../src/base/errors';
import { checkBoolean, checkNumber, checkOneOf } from '../src/base/validate';
import { SETTING_NAMES } from '../src/options/settings';
import { OTHER_OPTIONS } from '../src/replica/replica';
import type { WorldOptions } from '../src/types';
import type { ConnectOptions } from './connect';

/** Options of a world in a worker: of the world, the worker and the clock. */
export interface PhysicsOptions extends WorldOptions, ConnectOptions {
  /** Aborts the creation of the world: createPhysics rejects with the signal's reason, and no worker remains. */
  signal?: AbortSignal;
  /** s. Length of a step, 1e-6 … 1. Default 1/60. */
  fixedTimeStep?: number;
  /** Maximum number of steps at once after a pause; the rest of the time is dropped and reported. Default 8. */
  maxSubSteps?: number;
  /** Simulated seconds per second, 0.001 … 1000. Default 1. */
  timeScale?: number;
  /**
   * What makes the steps after `start`. 'automatic': the worker's own clock, in real time. 'frames': `update` makes the
   * steps that are due at its time; they are part of the command stream, so the same frames give the same run.
   * 'manual': only `step`. Default 'automatic'.
   */
  clock?: ClockMode;
  /** What a running world does while the page is hidden: pause (the default), or continue as far as the browser allows. */
  whenHidden?: 'pause' | 'run';
  /** Replace a lost worker, and continue from the state that the page saw last. Default true. */
  restart?: boolean;
  /** ms without an answer after which the worker counts as hung and is replaced; 0: never, for example for debugging. Default 5000. */
  hangTimeout?: number;
  /**
   * ms until the first answer of a new worker, including loading its script and compiling its engine; 0: no limit. After
   * that createPhysics rejects with 'worker-lost'; a replacement worker counts as lost, too. Default 30000.
   */
  startTimeout?: number;
  /**
   * Frames contain velocities, for PhysicsBody.getLinearVelocity and getAngularVelocity. Default true; false saves 24
   * bytes per body and frame, and reading a velocity is then an error.
   */
  velocities?: boolean;
}

/** Options that a world without a worker does not have. */
const OWN = Object.keys({
  fixedTimeStep: 0,
  maxSubSteps: 0,
  timeScale: 0,
  clock: 0,
  whenHidden: 0,
  restart: 0,
  hangTimeout: 0,
  startTimeout: 0,
  velocities: 0,
  transport: 0,
  worker: 0,
  workerFactory: 0,
  workerUrl: 0,
  cookingWorker: 0,
  signal: 0,
} satisfies Record<OwnOption, 0>) as OwnOption[];

type OwnOption = Exclude<keyof PhysicsOptions, keyof WorldOptions>;

/** All options of createPhysics. */
export const OPTIONS: readonly string[] = [...OWN, ...SETTING_NAMES, ...OTHER_OPTIONS];

/** ms */
const TIMEOUT = { min: 0, max: 1e9 };

/** Who makes steps: the worker's own clock, the page's frames, or calls of `step`. */
export type ClockMode = 'automatic' | 'frames' | 'manual';

/** The options that a world without a worker has, too. */
export function worldOptions(options: PhysicsOptions): WorldOptions {
  const own: Partial<PhysicsOptions> = { ...options };
  for (const name of OWN) delete own[name];
  return own;
}

/** Options of the connection: how page and worker connect, and when a worker counts as lost. */
export function linkOptions({
  restart = true,
  hangTimeout = 5000,
  startTimeout = 30_000,
  ...more
}: PhysicsOptions) {
  const { workerFactory, workerUrl, worker, transport } = more;
  return {
    workerFactory,
    workerUrl,
    worker,
    transport,
    restart: checkBoolean(restart, 'restart'),
    hangTimeout: checkNumber(hangTimeout, 'hangTimeout', TIMEOUT),
    startTimeout: checkNumber(startTimeout, 'startTimeout', TIMEOUT),
  };
}

/** The error for calls whose callback the core would have to call during a step. */
export const unsupported = (name: string, instead: string) =>
  new PhysicsError(
    'unsupported',
    `is not available: a worker cannot call the page during a step: ${instead}`,
    name,
  );

export function checkSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new PhysicsError('invalid-argument', 'must be an AbortSignal', 'signal', signal);
  return signal;
}

/**
 * Calls `changed` now, and when the page is hidden or shown again; never if there is no page, or if the world continues
 * to run. A page that is opened in a background tab, or prerendered, is hidden from the start.
 */
export function watchVisibility(
  whenHidden: 'pause' | 'run' = 'pause',
  changed: (visible: boolean) => void,
): () => void {
  const mode = checkOneOf(whenHidden, 'whenHidden', ['pause', 'run'] as const);
  if (mode === 'run' || typeof document === 'undefined') return () => {};
  const listener = () => changed(document.visibilityState !== 'hidden');
  document.addEventListener('visibilitychange', listener);
  listener();
  return () => document.removeEventListener('visibilitychange', listener);
}
