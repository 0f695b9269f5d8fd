// The handle of a step system, for a World and for the page's side of a worker. In: messages for it. Out: its messages
// and its error, to listeners.

import type { PhysicsError } from '../base/errors';
import { checkFunction, checkOneOf, checkOptions, invalid } from '../base/validate';

/** Options of addSystem. */
export interface SystemOptions<Options = unknown> {
  /** Its name in snapshots and errors; one of a kind in its world. Default: the name of the module's file or function. */
  name?: string;
  /** What the module gets as `options`; a copy. */
  options?: Options;
}

/** Checks them; `fallback` is the name where none is given. */
export function checkSystemOptions(options: unknown, fallback: string): { name: string; options: unknown } {
  const given = checkOptions(options, 'options', ['name', 'options']) as SystemOptions;
  const { name = fallback, options: own } = given;
  if (typeof name !== 'string' || name === '' || name.length > 200)
    throw invalid('name', 'must be a string of 1 … 200 characters', name);
  return { name, options: own };
}

/** The name of a module's file, without its ending. */
export function nameOfAddress(address: string): string {
  const file = /([^/\\?#]+?)(\.[^./\\?#]*)?([?#].*)?$/.exec(address)?.[1];
  return address.startsWith('data:') || address.startsWith('blob:') || file === undefined ? 'system' : file;
}

type Listeners = { message: Set<(message: never) => void>; error: Set<(error: PhysicsError) => void> };

/** A step system of a world: the page's way to it. Made by addSystem. */
export class StepSystem<In = unknown, Out = unknown> {
  /** Its name in snapshots and errors. */
  readonly name: string;
  /** False after it was removed, or stopped by an error. */
  isRunning = true;
  private readonly listeners: Listeners = { message: new Set(), error: new Set() };
  private readonly ways: {
    post(message: unknown, transfer: Transferable[]): void;
    remove(): void;
  };

  /** @internal */
  constructor(name: string, ways: StepSystem['ways']) {
    this.name = name;
    this.ways = ways;
  }

  /**
   * Sends a message to the system's `message`: it comes between two steps, after all calls made before it. Does nothing
   * when the system has stopped.
   *
   * @param message  anything that can be cloned; it is copied, but for the objects of `transfer`
   */
  post(message: In, transfer: Transferable[] = []): void {
    if (this.isRunning) this.ways.post(message, transfer);
  }

  /**
   * Calls `listener` with each message of the system ('message'), or with the error that stopped it ('error').
   *
   * @returns a function that unsubscribes
   */
  on(type: 'message', listener: (message: Out) => void): () => void;
  on(type: 'error', listener: (error: PhysicsError) => void): () => void;
  on(type: 'message' | 'error', listener: (value: never) => void): () => void {
    const listeners = this.listeners[checkOneOf(type, 'type', ['message', 'error'] as const)];
    checkFunction(listener, 'listener');
    const own = (value: never) => listener(value); // one per call: the same listener may be given twice
    (listeners as Set<typeof own>).add(own);
    return () => void (listeners as Set<typeof own>).delete(own);
  }

  /** Ends the system, from here on in the order of calls. Its state is in no later snapshot. */
  remove(): void {
    if (!this.isRunning) return;
    this.isRunning = false;
    this.ways.remove();
  }

  /** @internal A message came. What listeners throw is returned. */
  tell(message: unknown): unknown[] {
    return callAll(this.listeners.message, message as never);
  }

  /** @internal It was stopped. Whether somebody was told. */
  fail(error: PhysicsError): boolean {
    this.isRunning = false;
    for (const thrown of callAll(this.listeners.error, error)) console.error(thrown);
    return this.listeners.error.size > 0;
  }
}

function callAll<T>(listeners: Set<(value: T) => void>, value: T): unknown[] {
  const thrown: unknown[] = [];
  for (const listener of listeners)
    try {
      listener(value);
    } catch (error) {
      thrown.push(error);
    }
  return thrown;
}
