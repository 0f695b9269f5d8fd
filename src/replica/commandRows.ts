// The commands as the core reads them: code, words, and which of these are floats. In: nothing. Out: a row per command,
// all that writing one takes. What the words are called and may hold is the table's (commands.ts), which pages do not load.
import * as codes from '../core/memory/constants';

/** What writes a command: `code | total words << 8`, and the words of its fields. */
export interface CommandRow {
  readonly code: number;
  /** Words including the first. */
  readonly totalWords: number;
  /** The first word. */
  readonly head: number;
  /** 1 where the word at that place is an f32; index 0 is the first word after the head. */
  readonly isFloat: Uint8Array;
}

/** `runs`: how many words are integers, then how many floats, then integers again, and so on. */
function row(code: number, ...runs: number[]): CommandRow {
  const isFloat = Uint8Array.from(runs.flatMap((words, run) => Array<number>(words).fill(run & 1)));
  const totalWords = 1 + isFloat.length;
  return { code, totalWords, head: code | (totalWords << 8), isFloat };
}

export const createBody = row(codes.CMD_CREATE_BODY, 4, 35, 4, 2);
export const addShape = row(codes.CMD_ADD_SHAPE, 4, 16, 3);
export const addGeometry = row(codes.CMD_ADD_GEOMETRY, 2);
export const removeGeometry = row(codes.CMD_REMOVE_GEOMETRY, 1);
export const removeBody = row(codes.CMD_REMOVE_BODY, 1);
export const removeShape = row(codes.CMD_REMOVE_SHAPE, 1);
export const setTransform = row(codes.CMD_SET_TRANSFORM, 1, 7);
export const setLinearVelocity = row(codes.CMD_SET_LINEAR_VELOCITY, 1, 3);
export const setAngularVelocity = row(codes.CMD_SET_ANGULAR_VELOCITY, 1, 3);
export const applyForce = row(codes.CMD_APPLY_FORCE, 1, 6);
export const applyTorque = row(codes.CMD_APPLY_TORQUE, 1, 3);
export const applyImpulse = row(codes.CMD_APPLY_IMPULSE, 1, 6);
export const applyTorqueImpulse = row(codes.CMD_APPLY_TORQUE_IMPULSE, 1, 3);
export const clearForces = row(codes.CMD_CLEAR_FORCES);
export const setMassProps = row(codes.CMD_SET_MASS_PROPS, 1, 11);
export const setDamping = row(codes.CMD_SET_DAMPING, 1, 2);
export const setGravityScale = row(codes.CMD_SET_GRAVITY_SCALE, 1, 1);
export const setFactors = row(codes.CMD_SET_FACTORS, 1, 6);
export const setSleepingThresholds = row(codes.CMD_SET_SLEEPING_THRESHOLDS, 1, 2);
export const setActivationState = row(codes.CMD_SET_ACTIVATION_STATE, 3);
export const activate = row(codes.CMD_ACTIVATE, 2);
export const setFilter = row(codes.CMD_SET_FILTER, 3);
export const setMaterial = row(codes.CMD_SET_MATERIAL, 1, 4);
export const setBodyType = row(codes.CMD_SET_BODY_TYPE, 2, 11);
export const setKinematicTarget = row(codes.CMD_SET_KINEMATIC_TARGET, 1, 7);
export const setGravity = row(codes.CMD_SET_GRAVITY, 0, 3);
export const setSettings = row(codes.CMD_SET_SETTINGS, 5, 13, 1, 1, 9);
export const setBodyUserIndex = row(codes.CMD_SET_BODY_USER_INDEX, 2);
export const setCcd = row(codes.CMD_SET_CCD, 1, 2);
export const createJoint = row(codes.CMD_CREATE_JOINT, 6, 20, 1, 1);
export const removeJoint = row(codes.CMD_REMOVE_JOINT, 1);
export const setJointAxis = row(codes.CMD_SET_JOINT_AXIS, 3, 12);
export const setJointEnabled = row(codes.CMD_SET_JOINT_ENABLED, 2);
export const setJointFrames = row(codes.CMD_SET_JOINT_FRAMES, 1, 14);
export const setJointBreaking = row(codes.CMD_SET_JOINT_BREAKING, 1, 2);
export const setJointCollide = row(codes.CMD_SET_JOINT_COLLIDE, 2);
export const setJointSoftness = row(codes.CMD_SET_JOINT_SOFTNESS, 1, 4);
export const setJointRatio = row(codes.CMD_SET_JOINT_RATIO, 1, 1);
export const step = row(codes.CMD_STEP, 0, 1);

/** Words of the longest command: room for the values of any. */
export const LONGEST_COMMAND = createBody.totalWords;
