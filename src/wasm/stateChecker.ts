// Validates a core's state. In: a core. Out: 0, or the number of the fault (core/state/sound.ts). A separate module
// that works on the core's memory: a worker loads it when it first restores a snapshot.
import { CHECKER_WASM } from './checker-wasm';
import { bytesOf } from './core-module';
import { abort, type CoreInstance } from './instance';

let compiled: WebAssembly.Module | undefined;

/** Looks for a fault in the state of `instance`, which may trap on one. */
export type FindFault = () => number;

/** What looks for faults in one core. */
export function stateChecker({ core, memory }: CoreInstance): FindFault {
  if (core.findFault !== undefined) return core.findFault;
  compiled ??= new WebAssembly.Module(bytesOf(CHECKER_WASM));
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory, abort } });
  return exports['findFault'] as FindFault;
}
