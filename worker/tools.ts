// What few worlds ask of their worker: lines for debugging, recordings, judgement of snapshots. Loaded when one does; the
// package has it as a file of its own, physics.tools.js. In: a host's world. Out: lines, files, faults.
export { drawDebugLines } from '../src/lines/debugLines';
export { plain } from '../src/replay/queries';
export { Recorder } from '../src/replay/recorder';
export { stateChecker } from '../src/wasm/stateChecker';
