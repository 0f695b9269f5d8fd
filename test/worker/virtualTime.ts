// A page and its worker in one thread, with a clock that the test turns: frames come when the test says, steps when the
// worker's clock says, and how busy the machine is changes nothing. Messages and shared memory are real.
import { vi } from 'vitest';
import type { Physics, PhysicsOptions } from '../../worker/client';
import type { OpenMessage } from '../../worker/connect';
import { openWorld } from '../../worker/open';
import type { WorkerLike } from '../../worker/workerLike';
import { startPhysics } from './support';

const immediate = setImmediate;
/** Turns of the event loop in which whatever was posted arrives and is answered. */
const TURNS = 4;

export async function settle(turns = TURNS): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise<void>((resolve) => immediate(resolve));
}

/** Call it before anything else of a test; `vi.useRealTimers` ends it. */
export function useVirtualTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    now: 1000,
  });
}

/** Time passes, a millisecond at a time. */
export async function pass(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() + 0.5 < end) {
    vi.advanceTimersByTime(1);
    await settle();
  }
}

/** What a worker does, in this thread. */
export function neighbour(): WorkerLike {
  const worker = {
    postMessage: (message: OpenMessage) => void openWorld(message),
    on() {},
    off() {},
    terminate() {},
  };
  return worker as unknown as WorkerLike;
}

/** As createPhysics, with the worker in this thread. */
export async function startNearby(options: PhysicsOptions = {}): Promise<Physics> {
  const made = startPhysics({ workerFactory: () => neighbour() as never, whenHidden: 'run', ...options });
  let physics: Physics | undefined;
  void made.then(
    (opened) => (physics = opened),
    () => (physics = undefined),
  );
  for (let i = 0; i < 500 && physics === undefined; i++) await settle(1);
  return made;
}

/** Waits for an answer while no time passes. */
export async function now<T>(promise: Promise<T>): Promise<T> {
  let done = false;
  void promise.then(
    () => (done = true),
    () => (done = true),
  );
  for (let i = 0; i < 1000 && !done; i++) await settle(1);
  return promise;
}

/**
 * Frames of the page, `rate` a second: `frame` is called with the time of each, ms, `late` ms after it, and then `update`.
 * `performance.now()` is ahead of the frame's time by as much, as in a browser that is busy.
 */
export async function frames(
  physics: Physics,
  { rate, seconds, late = () => 0 }: { rate: number; seconds: number; late?: (k: number) => number },
  frame: (k: number, time: number) => unknown,
): Promise<void> {
  const began = performance.now();
  for (let k = 1; k <= rate * seconds; k++) {
    const time = began + (k * 1000) / rate;
    const at = time + late(k);
    if (at > performance.now()) await pass(Math.ceil(at - performance.now()));
    await frame(k, time);
    physics.update(time);
    await settle();
  }
}

/** Neighbours of which the present one can be ended, as a thread that is killed. */
export function mortalNeighbour(): { workerFactory: () => never; kill: () => void } {
  let kill = () => {};
  return {
    workerFactory: () => {
      const exits: ((code: number) => void)[] = [];
      const ports: MessagePort[] = [];
      kill = () => {
        // It hears nothing any more, and nothing that it says is heard.
        for (const port of ports) port.close();
        for (const exit of exits) exit(1);
      };
      return {
        postMessage(message: OpenMessage) {
          ports.push(message.control, message.data as MessagePort);
          void openWorld(message);
        },
        on: (type: string, listener: (code: number) => void) =>
          void (type === 'exit' && exits.push(listener)),
        off() {},
        terminate() {},
      } as never;
    },
    kill: () => kill(),
  };
}
