// Rarely used functions of a worker: debug lines, recordings, the state checker for snapshots. Loaded when first used;
// in the package this is a separate file, physics.tools.js. In: a host's world. Out: lines, files, faults.
export { drawDebugLines } from '../src/lines/debugLines';
export { plain } from '../src/replay/queries';
export { Recorder } from '../src/replay/recorder';
export { stateChecker } from '../src/wasm/stateChecker';
