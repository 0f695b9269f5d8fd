// The types of joints: what users give for one, and what sets it apart from the others. joints.ts makes the commands of
// this; the core's part is src/core/solver/joints/types.ts.

import { COORDINATE, checkNumber, checkOneOf, invalid } from '../base/validate';
import { JOINT_ORDER_SHIFT } from '../core/memory/constants';
import type { JointAxisOptions, JointOptions, JointType, Vec3Like } from '../types';
import { CreateJoint } from '../wasm/core-commands';
import { Joint } from '../wasm/core-layout';
import type { JointDraft } from './joints';

/** What the types of joints have of their own. */
export type JointTypeOptions =
  | { type: 'point' }
  /** Rotates about x only. */
  | { type: 'hinge'; angle?: JointAxisOptions }
  | { type: 'fixed' }
  /** Keeps the distance of the anchors: rod with low = high, rope with low = 0, or a spring. */
  | { type: 'distance'; distance: JointAxisOptions }
  /** Moves along x of frame A; the angle about it is locked at 0 unless given. */
  | { type: 'slider'; position?: JointAxisOptions; angle?: JointAxisOptions }
  /** x of frame B stays in a cone about x of frame A with half angles swingY and swingZ, in radians. */
  | { type: 'coneTwist'; twist?: JointAxisOptions; swingY?: number; swingZ?: number }
  /** Each axis of frame A as given. Default: x, y, z locked at 0, the angles free (Bullet). */
  | {
      type: 'generic';
      x?: JointAxisOptions;
      y?: JointAxisOptions;
      z?: JointAxisOptions;
      angleX?: JointAxisOptions;
      angleY?: JointAxisOptions;
      angleZ?: JointAxisOptions;
      /** Order of the angles: for 'xyz', the rotation of B relative to A is Rx(angleX) Ry(angleY) Rz(angleZ). Default 'xyz'. */
      order?: RotationOrder;
    }
  /**
   * Two axes that stay perpendicular, as in a Cardan shaft: `axis` is fixed to A, `axis2` to B, both given in the
   * world; in frames they are x and y. angle1 is the rotation about the first, angle2 about the second;
   * both are free unless given.
   */
  | { type: 'universal'; axis2?: Vec3Like; angle1?: JointAxisOptions; angle2?: JointAxisOptions }
  /**
   * A wheel and its suspension: it moves along `axis` (of A) and steers about it, and spins about `axis2` (of B),
   * given in the world; in frames they are x and z. Bullet's defaults: position ±1 m with a spring of
   * 4π² N/m and 0.01 N·s/m, steering ±45°, spin free.
   */
  | {
      type: 'hinge2';
      axis2?: Vec3Like;
      position?: JointAxisOptions;
      steering?: JointAxisOptions;
      spin?: JointAxisOptions;
    }
  /**
   * The rotation of A about x of its frame plus `ratio` times that of B about x of its own is constant: gear wheels,
   * which rotate in opposite directions if the ratio is above 0. Axes of the bodies: frameA.axis, frameB.axis. Default ratio 1.
   */
  | { type: 'gear'; ratio?: number }
  /** Pulls the anchor of B (frameB.position) to a point of the world; see Joint.setTarget. */
  | { type: 'mouse'; target: Vec3Like }
  /** Pulls the frames together with limited force and torque. */
  | { type: 'motor' };

/** Order of Euler angles; see JointOptions. */
export type RotationOrder = 'xyz' | 'xzy' | 'yxz' | 'yzx' | 'zxy' | 'zyx';

/** The axes that a joint's type has; see JointOptions. */
export type JointAxisName =
  | 'angle'
  | 'distance'
  | 'position'
  | 'twist'
  | 'swingY'
  | 'swingZ'
  | 'x'
  | 'y'
  | 'z'
  | 'angleX'
  | 'angleY'
  | 'angleZ'
  | 'angle1'
  | 'angle2'
  | 'steering'
  | 'spin';

interface TypeOfJoint {
  /** Its axes, with the numbers that the core has for them. */
  axes: Partial<Record<JointAxisName, number>>;
  /** Axes that it locks whatever is asked. */
  locked?: readonly number[];
  /** Axes that are not free unless they are given. */
  usual?: Partial<Record<JointAxisName, JointAxisOptions>>;
  /** Names of options that are no axes. */
  own?: readonly string[];
  /** Checks these options, and puts them into the draft. */
  draft?(given: never, draft: JointDraft): void;
  /** Hz unless given, of a joint that is a spring. */
  hertz?: number;
  /** Where its anchors are unless at one place for both bodies: at one on each, as its frame says; nowhere. */
  anchors?: 'apart' | 'none';
  /** Its frames are taken as given, wherever the bodies are; of anchors apart always. */
  placed?: true;
}

/** In the order of their codes. */
export const JOINT_ORDERS: readonly RotationOrder[] = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx'];

const LOCKED = { low: 0, high: 0 };

type Given<T extends JointType> = Extract<JointOptions, { type: T }>;

/** All types, in the order of their codes (JOINT_* of the core). A new one is entered at the end. */
export const JOINT_TABLE: Readonly<Record<JointType, TypeOfJoint>> = {
  point: { axes: {} },
  hinge: { axes: { angle: 3 } },
  fixed: { axes: {} },
  distance: { axes: { distance: 0 }, anchors: 'apart' },
  slider: { axes: { position: 0, angle: 3 }, usual: { angle: LOCKED } },
  coneTwist: { axes: { twist: 3, swingY: 4, swingZ: 5 } },
  generic: {
    axes: { x: 0, y: 1, z: 2, angleX: 3, angleY: 4, angleZ: 5 },
    usual: { x: LOCKED, y: LOCKED, z: LOCKED },
    own: ['order'],
    draft({ order = 'xyz' }: Given<'generic'>, { values }) {
      values[CreateJoint.flags]! |=
        JOINT_ORDERS.indexOf(checkOneOf(order, 'order', JOINT_ORDERS)) << JOINT_ORDER_SHIFT;
    },
  },
  mouse: { axes: {}, own: ['target'], hertz: 5 },
  motor: { axes: {}, hertz: 30, placed: true },
  universal: {
    axes: { angle1: 3, angle2: 4 },
    locked: [0, 1, 2, 5],
    own: ['axis2'],
  },
  hinge2: {
    axes: { position: 0, steering: 3, spin: 5 },
    locked: [1, 2, 4],
    usual: {
      position: { low: -1, high: 1, spring: { stiffness: 4 * Math.PI * Math.PI, damping: 0.01 } },
      steering: { low: -Math.PI / 4, high: Math.PI / 4 },
    },
    own: ['axis2'],
  },
  gear: {
    axes: {},
    locked: [3],
    own: ['ratio'],
    draft({ ratio = 1 }: Given<'gear'>, { values }) {
      values[CreateJoint.ratio] = gearRatio(ratio);
    },
    anchors: 'none',
  },
};

/** Where the core stores own options: bytes into its record, of f32. Apart from the table, as the worker's client needs none. */
export const JOINT_STORES: Partial<Record<JointType, Record<string, number | readonly number[]>>> = {
  gear: { ratio: Joint.ratio },
};
/** Types of which debug lines show the anchors only. */
export const FRAMELESS: readonly JointType[] = ['point', 'distance', 'mouse'];

/** Names by code. */
export const JOINT_TYPES = Object.keys(JOINT_TABLE) as JointType[];

/** Not 0: that would only hold A. */
export function gearRatio(value: unknown): number {
  const ratio = checkNumber(value, 'ratio', COORDINATE);
  if (Math.fround(ratio) === 0) throw invalid('ratio', 'must not be 0', value);
  return ratio;
}
