// A separate module on the memory of a core, for questions about the state as a whole: is it sound, what is its hash. In:
// all tables between two steps. Out: answers; it changes no state. A page that saves and compares nothing does not load
// it (src/wasm/inspector.ts). Its static memory lies below the core's (scripts/asc.mjs).

export { stateDigest } from './state/digest';
export { stateHash } from './state/hash';
export { findFault } from './state/sound';

/** Where its static memory ends; a test says that the core's begins later. */
export function memoryEnd(): usize {
  return __heap_base;
}
