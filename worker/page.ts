// The host in the page itself (`transport: 'page'`). Loaded on request. In: the messages for a worker. Out: its
// answers. Built as one file with everything it needs, so that pages with workers load none of it.
export { cookSteps } from './cook';
export { openWorld } from './open';
