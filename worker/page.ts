// The host in the page itself (`transport: 'page'`). Loaded on request. In: the messages of a worker. Out: its answers.
// Built as one file with everything that it needs, so that a page with workers loads none of it.
export { cookSteps } from './cook';
export { openWorld } from './open';
