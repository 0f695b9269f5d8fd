// What step systems need as a file of the package, physics.systems.js. In: nothing. Out: a module, and the same as a
// global for bundlers that make a classic script of it.
import * as systems from './hostSystems';

(globalThis as Record<symbol, unknown>)[Symbol.for('ricochet.systems')] = systems;

export * from './hostSystems';
