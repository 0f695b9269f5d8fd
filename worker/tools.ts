// Rarely used functions of a worker: debug lines, recordings, hashes and validation of states, the test of the machine.
// Loaded when first used; in the package this is a separate file, physics.tools.js. In: a host's world. Out: lines,
// files, faults.
export { drawDebugLines } from '../src/lines/debugLines';
export { plain } from '../src/replay/queries';
export { Recorder } from '../src/replay/recorder';
export { inspectionOf } from '../src/world/inspection';
export { requireSelfTest } from '../src/world/machineTest';
