// What a step cost. In: the core's profile table and counts. Out: an object under the names of step.ts.
import * as codes from '../core/memory/constants';
import type { CoreInstance } from '../wasm/instance';

/** Milliseconds of the stages of the last step, in their order, and counts after it. */
export interface Profile {
  updateAabbs: number;
  findOverlappingPairs: number;
  collide: number;
  updateTouching: number;
  prepare: number;
  solve: number;
  finalizeBodies: number;
  solveContinuous: number;
  updateActivation: number;
  collectEvents: number;
  /** The whole step. */
  step: number;
  bodies: number;
  awakeBodies: number;
  shapes: number;
  pairs: number;
  contacts: number;
  /** Pairs whose manifolds were reused, and pairs that went through the narrow phase. */
  recycled: number;
  collided: number;
  /** Bodies whose motion was swept in the last step, what they met, and those stopped for the rest of it. */
  swept: number;
  impacts: number;
  clamped: number;
  /** Bodies stopped in the last step because their speed or place was no number or absurd (docs/step.md). */
  lost: number;
  /** Bytes of the world's memory. */
  memory: number;
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
    swept: instance.get('sweptCount'),
    impacts: instance.get('impactCount'),
    clamped: instance.get('clampCount'),
    lost: instance.get('lostCount'),
    memory: instance.memory.buffer.byteLength,
  };
}
