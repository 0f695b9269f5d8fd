// The core on several threads as a file of the package, physics.threads.js. In: nothing. Out: what makes such cores.
export { threadedMaker } from '../src/threads/threadedCore';
