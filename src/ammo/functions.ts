// Ammo.addFunction: functions of the program as integers, for callbacks. In: functions. Out: indices for
// setInternalTickCallback and the contact callbacks.
import { bad, func } from './errors';
import { pointerOf } from './object';

const table: (((...values: never[]) => unknown) | undefined)[] = [undefined];
const free: number[] = [];

/** Index of a function; the signature is not needed here. */
export function addFunction(callback: (...values: never[]) => unknown, _signature?: string): number {
  func(callback, 'Ammo.addFunction', 'func');
  const at = free.pop() ?? table.length;
  table[at] = callback;
  return at;
}

export function removeFunction(index: number): void {
  if (!(index > 0) || table[index] === undefined) return;
  table[index] = undefined;
  free.push(index);
}

/** The function of an index; also accepts a function itself; null for none. */
export function addedFunction(
  given: unknown,
  where: string,
  argument: string,
): ((...values: unknown[]) => unknown) | null {
  if (given === null || given === undefined || given === 0) return null;
  if (typeof given === 'function') return given as (...values: unknown[]) => unknown;
  const at = typeof given === 'number' ? given : pointerOf(given);
  if (at === 0) return null;
  const callback = table[at];
  if (callback === undefined) throw bad(where, argument, 'must be what Ammo.addFunction returned', given);
  return callback as (...values: unknown[]) => unknown;
}
