// Entry of `ricochet/replay`: recordings of a world, their player, and the history of its queries.
export { type Difference, diffRecordings } from './diff';
export { EXTENSION, type RecordingHead } from './format';
export { type PastQuery, QueryHistory, type QueryLines } from './history';
export { type Divergence, firstDifference, Player, type PlayerOptions, type Verification } from './player';
export { QUERY_METHODS, type QueryMethod, type QueryRecord, watchQueries } from './queries';
export { type Keyframe, type ReadOptions, type Recording, RecordingError, readRecording } from './read';
export { type RecordedWorld, Recorder, type RecorderOptions } from './recorder';
