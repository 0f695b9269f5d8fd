// A separate module on the memory of a core: validates a state of unknown origin. In: all tables, as a restore left
// them. Out: 0, or a number that says what is invalid. Few pages restore states that they did not save themselves, so
// few load it (src/wasm/stateChecker.ts). Its static memory lies below the core's (scripts/asc.mjs).

export { findFault } from './state/sound';

/** Where its static memory ends; a test says that the core's begins later. */
export function memoryEnd(): usize {
  return __heap_base;
}
