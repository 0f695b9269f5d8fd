// The tests of each folder of the core, those first that notice most in the least time.
const TESTS = {
  'actors/character': ['test/character/core', 'test/character'],
  actors: ['test/vehicle'],
  areas: ['test/physics/areas', 'test/systems'],
  bodies: [
    'test/physics/substeps',
    'test/physics/lost',
    'test/physics/motion',
    'test/physics/continuous',
    'test/api/badInput',
    'test/determinism/bounds',
  ],
  broadphase: ['test/core/broadphase', 'test/physics/broadphase'],
  contacts: [
    'test/physics/tileSteps',
    'test/physics/limits',
    'test/physics/seams',
    'test/physics/tiles',
    'test/physics/rocking',
    'test/physics/surfaces',
  ],
  continuous: [
    'test/core/timeOfImpact',
    'test/physics/locked',
    'test/physics/passage',
    'test/physics/continuous',
    'test/physics/jointedContinuous',
  ],
  islands: ['test/physics/sleeping', 'test/physics/slowMotion'],
  math: ['test/physics/impacts', 'test/core'],
  memory: [
    'test/determinism/bounds',
    'test/determinism/sound',
    'test/vehicle',
    'test/character',
    'test/replay/forged',
  ],
  narrowphase: [
    'test/physics/joinedMeshes',
    'test/core',
    'test/physics/shapePairs',
    'test/physics/surfaces',
    'test/physics/sheets',
  ],
  queries: ['test/core/broadphase', 'test/api/queries', 'test/core/surfaceQueries'],
  shapes: ['test/core/narrowphaseRay', 'test/physics/shapePairs', 'test/api/shapes', 'test/core/surfaces'],
  'solver/joints': [
    'test/physics/cones',
    'test/physics/joints',
    'test/physics/jointTrouble',
    'test/physics/drives',
    'test/physics/tops',
  ],
  solver: [
    'test/physics/substeps',
    'test/physics/jointedImpacts',
    'test/physics/kinematic',
    'test/physics/impacts',
    'test/physics/rebound',
    'test/physics/stacks',
    'test/physics/spin',
    'test/physics/friction',
    'test/physics/towers',
    'test/physics/press',
    'test/physics/conservation',
  ],
  state: [
    'test/determinism/bounds',
    'test/determinism/sound',
    'test/determinism/state',
    'test/replay/forged',
  ],
};

/** All of them, for test/house.test.ts. */
export const LISTED = Object.values(TESTS).flat();

/** Of a file in src/core. */
export function testsOf(file) {
  const path = file.slice('src/core/'.length);
  const folder = Object.keys(TESTS).find((name) => path.startsWith(`${name}/`));
  return folder ? TESTS[folder] : ['test/physics'];
}
