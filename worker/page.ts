// What runs in the page itself where there are to be no workers. Loaded on request. In: what a worker would get. Out:
// what it would answer. Built as one file with all that it needs, so that a page with workers loads none of it.
export { cookSteps } from './cook';
export { openWorld } from './open';
