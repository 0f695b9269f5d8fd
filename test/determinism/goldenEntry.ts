// What scripts/update-golden.mjs bundles: the engine, the scenes and the way to run them.

export { scenes } from '../../demo/scenes';
export { World } from '../../src/index';
export { firstDifference, runScene } from './hashes';
