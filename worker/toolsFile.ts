// The tools as a file of the package, physics.tools.js. In: nothing. Out: a module, and the same as a global for
// bundlers that make a classic script of it.
import * as tools from './tools';

(globalThis as Record<symbol, unknown>)[Symbol.for('ricochet.tools')] = tools;

export * from './tools';
