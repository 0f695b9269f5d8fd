// Rarely used functions of a worker: debug lines, recordings, hashes and validation of states, actors, the test of the
// machine, times of a step. Loaded when first used; in the package this is a separate file, physics.tools.js. In: a host's
// world. Out: lines, files, faults, figures.
export { drawDebugLines } from '../src/lines/debugLines';
export { plain } from '../src/replay/queries';
export { Recorder } from '../src/replay/recorder';
export { ACTOR_COMMANDS, actorsOf } from '../src/world/actors';
export { inspectionOf } from '../src/world/inspection';
export { requireSelfTest } from '../src/world/machineTest';
export { readProfile } from '../src/world/profile';
export { coreMaker } from './coreMaker';
