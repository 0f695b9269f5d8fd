// What the WebAssembly module exports: the whole door between TypeScript and the core.
export { initialize } from './state/initialize';
export { applyCommands, reserveCommands } from './commands';
export { step } from './step';
export { stateDigest } from './state/digest';
export { stateHash } from './state/hash';
export { addGeometry, removeGeometry } from './shapes/geometries';
export { readSnapshot, reserveSnapshot, snapshotBound, writeSnapshot } from './state/snapshot';
export { collectContacts } from './events/contacts';
export { findIslandsNow } from './islands/activation';
export { rayTest, rayTestBatch } from './queries/rays';
export { queryShapes } from './queries/shapes';
export { overlapAabb } from './queries/overlaps';
export { allPairsBrute, currentPairs } from './queries/checks';
