// What scripts bundle to run elsewhere: the engine, the scenes and the way to run them.

export { scenes } from '../../demo/scenes';
export { World } from '../../src/index';
export { Recorder } from '../../src/replay';
export { Course, runCourse } from './course';
export { firstDifference, runScene } from './hashes';
export { goldenScenes } from './scenes';
