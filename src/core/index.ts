// The exports of the WebAssembly module: the complete interface between TypeScript and the core.

export { applyCommands, reserveCommands } from './commands';
export { collectContacts } from './events/contacts';
export { findIslandsNow } from './islands/activation';
export { overlapAabb } from './queries/overlaps';
export { rayTest, rayTestBatch } from './queries/rays';
export { queryShapes } from './queries/shapes';
export { addGeometry, removeGeometry } from './shapes/geometries';
export { initialize } from './state/initialize';
export { reserveSnapshot, snapshotBound, writeSnapshot } from './state/snapshot';
export { step } from './step';
