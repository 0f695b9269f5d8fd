// The core on several threads as a file of the package, physics.threads.js. In: nothing. Out: what makes such cores, as a
// module, and the same as a global: for bundlers that make a classic script of it, and for scripts that have it inside.
import { threadedMaker } from '../src/threads/threadedCore';

(globalThis as Record<symbol, unknown>)[Symbol.for('ricochet.threads')] = { threadedMaker };

export { threadedMaker };
