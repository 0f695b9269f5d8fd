// Entry of `ricochet/warmup`: makes the browser compile the engine before a game starts. In: an empty world, in process or
// in a worker. Out: nothing but time: the world is as before.
//
// Browsers compile a function of WebAssembly when it is first called, quickly and badly, and again in the background when it
// has run often. So the first contact of each kind, the first ragdoll and the first mesh would each cost a step of 10 to 30 ms,
// and the first second would run at half of the speed.
import type { PhysicsWorld } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import { buildRehearsal, type Rehearsal } from './rehearsal';

/** Options of warmUp. */
export interface WarmUpOptions {
  /** ms for which the engine runs, 0 to 10000, after the first scene was built. Default 500. */
  milliseconds?: number;
  /** Ends it early, without an error. */
  signal?: AbortSignal;
}

const NAMES: readonly string[] = ['milliseconds', 'signal'] satisfies (keyof WarmUpOptions)[];
/** ms of steps between two pauses, in which a page draws. */
const SLICE = 8;
/** Steps of one rehearsal: until everything has landed. */
const STEPS = 150;
const DT = 1 / 60;

/**
 * Runs a small scene with shapes, joints and queries of all kinds in an empty world, then sets the world back: its hash, its
 * ids and all that follows are those of a world that was not warmed up. Call it while a game loads, before `start`, bodies,
 * listeners and recorders. In the page it pauses every 8 ms. Worlds that are made later in the same thread are warm, too.
 *
 * @returns the number of steps that were made
 * @throws PhysicsError 'invalid-argument' if the world has bodies, and for options out of range; 'unknown-option'; 'busy' if
 * somebody made or removed bodies meanwhile: those made in the first moment are kept, later ones are gone; 'disposed'
 */
export async function warmUp(world: PhysicsWorld, options: WarmUpOptions = {}): Promise<number> {
  const { milliseconds, signal } = checked(options);
  if (world.bodyCount > 0)
    throw new PhysicsError('invalid-argument', 'must have no bodies', 'world', `${world.bodyCount} bodies`);
  const before = await world.save();
  if (world.bodyCount > 0) throw disturbance('warming up was given up, since somebody made bodies meanwhile');
  let start = Number.POSITIVE_INFINITY;
  const isOver = () => signal?.aborted === true || performance.now() - start >= milliseconds;
  let steps = 0;
  let disturbed = false;
  while (milliseconds > 0 && !isOver()) {
    try {
      const rehearsal = buildRehearsal(world);
      start = Math.min(start, performance.now());
      for (let step = 0; step < STEPS && !isOver(); ) {
        const next = await slice(world, rehearsal, step);
        steps += next - step;
        step = next;
      }
      disturbed ||= world.bodyCount !== rehearsal.bodyCount;
    } finally {
      if (!world.isDisposed) await world.restore(before);
    }
  }
  if (disturbed) throw disturbance('was warming up: bodies that were made meanwhile are gone');
  return steps;
}

const disturbance = (what: string) => new PhysicsError('busy', what, 'world');

/**
 * @internal For options `warmUp` of adapters: true for the usual time, or ms. If it fails, or `signal` is raised meanwhile, the
 * world is disposed of.
 */
export async function warmUpOrDispose(
  world: PhysicsWorld,
  asked: boolean | number,
  signal?: AbortSignal,
): Promise<void> {
  try {
    if (typeof asked !== 'boolean') checkTime(asked, 'warmUp');
    const options: WarmUpOptions = {};
    if (typeof asked === 'number') options.milliseconds = asked;
    if (signal !== undefined) options.signal = signal;
    if (asked !== false) await warmUp(world, options);
    signal?.throwIfAborted();
  } catch (error) {
    world.dispose();
    throw error;
  }
}

function checkTime(milliseconds: unknown, argument: string): void {
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= 10_000))
    throw new PhysicsError('invalid-argument', 'must be from 0 to 10000', argument, milliseconds);
}

/** Makes steps from number `from` on for SLICE ms; returns the number of the next one. */
async function slice(world: PhysicsWorld, rehearsal: Rehearsal, from: number): Promise<number> {
  const end = performance.now() + SLICE;
  let step = from;
  do {
    await rehearsal.act(step);
    await world.advance(1, DT);
    step++;
  } while (performance.now() < end);
  await new Promise((resolve) => setTimeout(resolve));
  return step;
}

function checked(options: WarmUpOptions): { milliseconds: number; signal: AbortSignal | undefined } {
  if (typeof options !== 'object' || options === null)
    throw new PhysicsError('invalid-argument', 'must be an object', 'options', options);
  for (const name of Object.keys(options))
    if (!NAMES.includes(name))
      throw new PhysicsError('unknown-option', `is no option; known are ${NAMES.join(', ')}`, name);
  const { milliseconds = 500, signal } = options;
  checkTime(milliseconds, 'milliseconds');
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new PhysicsError('invalid-argument', 'must be an AbortSignal', 'signal', signal);
  return { milliseconds, signal };
}
