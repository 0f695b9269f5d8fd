// Timing of a step. In: the core's profile table and counts. Out: an object with the names of step.ts.
import * as codes from '../core/memory/constants';
import type { CoreInstance } from '../wasm/instance';
import { reportOf, type ThreadReport } from '../wasm/threading';

/** Milliseconds of the stages of the last step, in their order, and counts after it. */
export interface Profile {
  /** ms: bounding boxes of moved shapes. */
  updateAabbs: number;
  /** ms: broad phase. */
  findOverlappingPairs: number;
  /** ms: narrow phase. */
  collide: number;
  /** ms: contacts that begin and end, islands that are woken. */
  updateTouching: number;
  /** ms: contact and joint rows. */
  prepare: number;
  /** ms: substeps and restitution. */
  solve: number;
  /** ms: poses. */
  finalizeBodies: number;
  /** ms: continuous collision: sweeps of fast bodies. */
  solveContinuous: number;
  /** ms: islands, sleeping. */
  updateActivation: number;
  /** ms: events. */
  collectEvents: number;
  /** ms: the whole step. */
  step: number;
  /** Bodies of all types. */
  bodies: number;
  /** Awake dynamic and kinematic bodies. */
  awakeBodies: number;
  /** Shapes of all bodies. */
  shapes: number;
  /** Pairs of shapes whose fat boxes overlap. */
  pairs: number;
  /** Touching pairs that the solver works on. */
  contacts: number;
  /** Pairs whose manifolds were reused, and pairs that went through the narrow phase. */
  recycled: number;
  /** Pairs that went through the narrow phase. */
  collided: number;
  /** Bodies whose motion was swept in the last step. */
  swept: number;
  /** Impacts of swept bodies in the last step. */
  impacts: number;
  /** Swept bodies that were stopped for the rest of the last step. */
  clamped: number;
  /** Bodies stopped in the last step because their velocity or pose was NaN, infinite or far too large (docs/step.md). */
  lost: number;
  /** Bytes of the world's memory. */
  memory: number;
  /** Threads that work on the world, why they are fewer than asked for, and how long its own has waited for others. */
  threads: ThreadReport;
}

export function readProfile(instance: CoreInstance): Profile {
  const table = instance.table('profile');
  const ms = (stage: number) => (table === 0 ? 0 : instance.floats[table + stage]!);
  return {
    updateAabbs: ms(codes.PROFILE_UPDATE_AABBS),
    findOverlappingPairs: ms(codes.PROFILE_FIND_PAIRS),
    collide: ms(codes.PROFILE_COLLIDE),
    updateTouching: ms(codes.PROFILE_UPDATE_TOUCHING),
    prepare: ms(codes.PROFILE_PREPARE),
    solve: ms(codes.PROFILE_SOLVE),
    finalizeBodies: ms(codes.PROFILE_FINALIZE),
    solveContinuous: ms(codes.PROFILE_CONTINUOUS),
    updateActivation: ms(codes.PROFILE_ACTIVATION),
    collectEvents: ms(codes.PROFILE_EVENTS),
    step: ms(codes.PROFILE_STEP),
    bodies: instance.get('bodyCount'),
    awakeBodies: instance.get('awakeCount'),
    shapes: instance.get('shapeCount'),
    pairs: instance.get('pairCount'),
    contacts: instance.get('contactCount'),
    recycled: instance.get('recycledCount'),
    collided: instance.get('collidedCount'),
    swept: instance.get('ccdCount'),
    impacts: instance.get('impactCount'),
    clamped: instance.get('clampCount'),
    lost: instance.get('lostCount'),
    memory: instance.memory.buffer.byteLength,
    threads: reportOf(instance),
  };
}
