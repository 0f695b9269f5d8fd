// Where worlds find cores for several threads. In: what `ricochet/threads` registers, so that a page without it loads
// nothing of it. Out: the maker of a world's core, or why there is none.
import type { CoreInstance, CoreMaker } from './instance';

/** How many threads work on a world, and why not more. */
export interface ThreadReport {
  /** Threads that take part in steps, the world's own among them. */
  count: number;
  /** Empty, or why they are fewer than asked for. */
  reason: string;
  /** ms for which the world's thread has waited for others while `profiling` was on. */
  waited: number;
  /** ms of steps in which the world's thread worked on shared loops or waited in them, likewise; the rest of steps is serial. */
  shared: number;
  /** Times that a helper failed in the middle of a step, which was then made again. */
  lost: number;
  /** Loops that were shared between threads, and chunks of them that helpers did. */
  forks: number;
  helped: number;
}

/** Settings that only tests change. */
export interface ThreadTest {
  /** ms after which a helper that does not finish its chunk counts as lost. */
  patience?: number;
  /** Bits of core/threads/control.ts. */
  mode?: number;
  /** The chunk of helpers in which one stops for good, counted from the world's next step. */
  stopAt?: number | undefined;
  /** What helpers overwrite their private memory with. Only when the world is made. */
  image?: Uint8Array | undefined;
}

/** A maker of cores, or why there is none. */
export type Makers = (threads: number | 'auto') => CoreMaker | string;

let makers: Makers = () => "useThreads of 'ricochet/threads' was not called before the world was made";

/** How many threads a world has that does not say: more than one only in tests. */
let usual = 1;

export function registerMakers(given: Makers, usualThreads = 1): void {
  makers = given;
  usual = usualThreads;
}

/** For an option of a world. */
export const makerFor = (threads: number | 'auto' = usual): CoreMaker | string =>
  threads === 1 ? '' : makers(threads);

/** How many threads work on a core. */
export const reportOf = ({ core, alone }: CoreInstance): ThreadReport =>
  core.threadReport?.() ?? {
    count: 1,
    reason: alone,
    waited: 0,
    shared: 0,
    lost: 0,
    forks: 0,
    helped: 0,
  };
