// What scripts bundle to run elsewhere: the engine, the scenes and the way to run them.

import { scenes as shown } from '../../demo/scenes';
import { steering } from '../../demo/steering';

export const scenes = [...shown, steering];
export { selfTest, World } from '../../src/index';
export { Player, Recorder } from '../../src/replay';
export { Course, continueCourse, runCourse } from './course';
export { firstDifference, runScene } from './hashes';
export { goldenScenes } from './scenes';
