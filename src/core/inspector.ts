// A separate module that runs on the memory of a core and examines its state: its validity, its hash, its pairs. In: all
// tables between two steps. Out: answers; it changes no state, except that it reads snapshots: the core only writes them.
// Only pages that restore or compare states load it (src/wasm/inspector.ts). Its static memory lies below the core's (scripts/asc.mjs).

export { allPairsBrute, currentPairs } from './queries/checks';
export { stateDigest } from './state/digest';
export { stateHash } from './state/hash';
export { readSnapshot } from './state/snapshot';
export { findFault } from './state/sound';

/** End of its static memory. A test checks that the core's memory begins after it. */
export function memoryEnd(): usize {
  return __heap_base;
}
