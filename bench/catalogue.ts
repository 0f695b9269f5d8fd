// What the command needs to know of the scenes without running one.
export { scenes } from './scenes';
export { SCALING_COUNTS, SCALING_KINDS } from './scenes/scaling';
