// What scripts bundle to run elsewhere: the engine, the scenes and the way to run them.

export { scenes } from '../../demo/scenes';
export { World } from '../../src/index';
export { Player, Recorder } from '../../src/replay';
export { Course, continueCourse, runCourse } from './course';
export { firstDifference, runScene } from './hashes';
export { goldenScenes } from './scenes';
