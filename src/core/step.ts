// One fixed step. In: the world as the commands left it. Out: the world dt later, events, published poses. Each stage
// is timed under its own name (constants.ts, PROFILE_*).

import { ACTORS_BEGIN, ACTORS_END, ACTORS_FORCES, actors, hasActors } from './actors/hook';
import { gatherAreas } from './areas/areas';
import { updateAabbs } from './bodies/aabbs';
import { placeLost } from './bodies/bodies';
import { finalizeBodies } from './bodies/finalize';
import { findOverlappingPairs } from './broadphase/pairs';
import { collide, updateTouching } from './contacts/collide';
import { createNewPairs, destroyPartedPairs } from './contacts/pairs';
import { forgetBegins, updateContacts } from './contacts/touches';
import { followWaiting } from './contacts/waiting';
import { solveContinuous } from './continuous/solveContinuous';
import { clearEvents, recordStays } from './events/record';
import { updateActivation } from './islands/activation';
import { wakeByKinematics } from './islands/wake';
import * as P from './memory/constants';
import { world } from './memory/tables';
import { clock, startClock, stopClock } from './profile';
import { context, makeContext } from './solver/context';
import { meetImpacts } from './solver/impacts';
import { aimKinematics, beginStep, integratePositions, integrateVelocities } from './solver/integrate';
import {
  finishJoints,
  prepareJoints,
  refreshJoints,
  solveBearing,
  solveJoints,
  sumJointImpulses,
  sweepStructures,
  warmStartJoints,
} from './solver/joints/solve';
import { wakeByJoints } from './solver/joints/table';
import { lists } from './solver/lists';
import { forgetLost } from './solver/lost';
import { finishHighRatio, limitHighRatio, prepareHighRatio, solveHighRatio } from './solver/massRatio';
import {
  findNewHighRatios,
  forgetLists,
  listRattling,
  moveSurfaces,
  prepareContacts,
} from './solver/prepare';
import { applyRestitution, prepareRestitution } from './solver/restitution';
import { solveContacts, solveRattling, startNewContacts } from './solver/solve';
import { sortContactBlocks } from './solver/sortBlocks';
import { chooseSubsteps, restoreImpulses, sweepPressed } from './solver/substeps';
import { prepareTowers, solveTowers } from './solver/towers';
import { beginSharing, endSharing } from './threads/fork';
import { THREADED } from './threads/mode';

export function step(dt: f32): void {
  const g = world();
  startClock();
  if (THREADED) beginSharing();
  clearEvents();
  makeContext(dt, g.substeps);
  if (hasActors()) actors(ACTORS_BEGIN, 0, dt);
  aimKinematics(dt);
  wakeByKinematics();
  wakeByJoints();
  updateAabbs(dt);
  clock(P.PROFILE_UPDATE_AABBS);
  destroyPartedPairs();
  findOverlappingPairs();
  createNewPairs();
  clock(P.PROFILE_FIND_PAIRS);
  sortContactBlocks();
  collide(dt);
  clock(P.PROFILE_COLLIDE);
  updateTouching(dt);
  chooseSubsteps(dt);
  sweepPressed();
  gatherAreas(dt);
  if (hasActors()) actors(ACTORS_FORCES, 0, dt);
  clock(P.PROFILE_UPDATE_TOUCHING);
  solve();
  finalizeBodies();
  if (g.lostCount > 0) forgetLost();
  clock(P.PROFILE_FINALIZE);
  solveContinuous(dt);
  followWaiting();
  clock(P.PROFILE_CONTINUOUS);
  // Before bodies fall asleep: their last contacts are still reported with impulses.
  updateContacts();
  recordStays();
  forgetBegins();
  clock(P.PROFILE_EVENTS);
  updateActivation(dt);
  if (g.lostCount > 0) placeLost();
  clock(P.PROFILE_ACTIVATION);
  if (hasActors()) actors(ACTORS_END, 0, dt);
  g.stepCount = (g.stepCount + 1) & i32.MAX_VALUE; // a negative one would be no index of a colour
  if (THREADED) endSharing();
  stopClock();
}

/** Further relax passes of structures that bear their load with light bodies, joints and contacts in turn. */
const BEARING_ROUNDS = 2;

/** Soft step (Catto): per substep forces, warm start, biased passes, motion, relax passes and restitution. */
function solve(): void {
  const g = world();
  const c = context();
  beginStep();
  prepareJoints();
  // Constraints act on awake bodies only. With none, the passes over empty colours would be the whole cost of the step.
  if (g.awakeCount == 0) {
    clock(P.PROFILE_PREPARE);
    clock(P.PROFILE_SOLVE);
    return;
  }
  const joints = g.activeJointCount > 0;
  const bouncing = prepareRestitution();
  for (let k = 0; k < c.substeps; k++) {
    // With parabolic flight the substep's velocities are those at its end, otherwise those at its middle.
    c.passed = (<f32>k + (g.parabolicFlight ? <f32>1 : <f32>0.5)) / <f32>c.substeps;
    c.ends = k == c.substeps - 1 ? 1 : 0;
    if (k > 0 && c.carriers > 0) moveSurfaces();
    integrateVelocities(k == 0);
    if (k == 0) {
      // Before contacts warm start: joints drop a guess that by itself makes a light body spin (takeBack, direct.ts). Held together by
      // joints and contacts, a gripper that kept it would lose its angular momentum.
      if (joints) warmStartJoints();
      prepareContacts();
      if (bouncing) meetImpacts();
      startNewContacts();
      findNewHighRatios();
      prepareTowers();
      prepareHighRatio();
      listRattling();
      clock(P.PROFILE_PREPARE);
    } else {
      // Impacts first: they would reflect the guess that a rope stops its bodies again, and the rope would have to take twice as much.
      if (bouncing) meetImpacts();
      if (joints) warmStartJoints();
    }
    for (let i = 1; i <= g.iterations; i++) {
      c.lastPass = i == g.iterations ? 1 : 0;
      c.counts = c.lastPass != 0 && g.relaxIterations == 0 ? 1 : 0;
      if (joints) solveJoints(true);
      solveContacts(true, g.frictionWithBias != 0);
      solveRattling(true, g.frictionWithBias != 0);
      solveHighRatio(true);
      solveTowers(true);
      if (joints) sweepStructures(); // last, so that contacts cannot pull joints apart
    }
    integratePositions();
    if (joints) refreshJoints();
    for (let i = 1; i <= g.relaxIterations; i++) {
      c.counts = i == g.relaxIterations ? 1 : 0;
      if (joints) solveJoints(false);
      solveContacts(false, true);
      for (let k = lists().bearing > 0 ? BEARING_ROUNDS : 1; k > 0; k--) {
        if (lists().bearing > 0) solveBearing();
        solveRattling(false, true);
      }
      solveHighRatio(false);
      solveTowers(false);
    }
    limitHighRatio();
    if (joints) sumJointImpulses();
    if (bouncing) applyRestitution(g.restitutionThreshold);
  }
  forgetLists();
  finishHighRatio();
  finishJoints();
  restoreImpulses();
  clock(P.PROFILE_SOLVE);
}
