// What is known of human bodies: how heavy their parts are, how far their joints go, how strong they are. In: roles of bones,
// places of the bones at rest. Out: shares of the mass, frames and limits of joints.
//
// Masses: P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29 (1996)
// 1223–1230, men. Ranges: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording"
// (1965). Angles are those of Rz(z) Ry(y) Rx(x): z flexion, y to the side, x about the bone.
import { deterministic } from 'ricochet/cooking';
import {
  across,
  add,
  anglesOf,
  conjugate,
  cross,
  dot,
  frameOf,
  multiply,
  neg,
  type Quat,
  rotate,
  scale,
  sub,
  unit,
  type Vec3,
} from './math';
import type { BoneRole } from './names';

const { cos, sin } = deterministic;
const DEGREE = Math.PI / 180;

/** Share of the mass of a whole body, %. */
const SHARES: Record<string, number> = {
  head: 5.6, // 6.94 with the neck
  neck: 1.34,
  chest: 15.96,
  spine: 16.33,
  pelvis: 11.17,
  UpperArm: 2.71,
  LowerArm: 1.62,
  Hand: 0.61,
  UpperLeg: 14.16,
  LowerLeg: 4.33,
  Foot: 1.37,
};

/** The part that is the heavier for one that a skeleton does not have. */
const HEIRS: Record<string, string> = {
  neck: 'head',
  spine: 'chest',
  Hand: 'LowerArm',
  Foot: 'LowerLeg',
};

/** "leftHand" → ["left", "Hand"]. */
export function partOf(role: BoneRole): [side: 'left' | 'right' | '', part: string] {
  const side = role.startsWith('left') ? 'left' : role.startsWith('right') ? 'right' : '';
  return [side, role.slice(side.length)];
}

/** Shares of the mass of the parts that are there; their sum is 1. */
export function massShares(roles: readonly BoneRole[]): Map<BoneRole, number> {
  const shares = new Map<BoneRole, number>();
  const give = (side: string, part: string, share: number): void => {
    const role = (side + part) as BoneRole;
    const heir = HEIRS[part];
    if (roles.includes(role)) shares.set(role, (shares.get(role) ?? 0) + share);
    else if (heir !== undefined) give(side, heir, share);
  };
  for (const [part, share] of Object.entries(SHARES))
    for (const side of part[0] === part[0]!.toUpperCase() ? ['left', 'right'] : ['']) give(side, part, share);
  const whole = [...shares.values()].reduce((sum, share) => sum + share, 0);
  for (const [role, share] of shares) shares.set(role, share / whole);
  return shares;
}

/** Largest torque, as a share of weight · height: of strong people, rounded. */
const STRENGTHS: Record<string, number> = {
  spine: 0.35,
  chest: 0.35,
  neck: 0.06,
  head: 0.06,
  UpperArm: 0.12,
  LowerArm: 0.08,
  Hand: 0.02,
  UpperLeg: 0.3,
  LowerLeg: 0.25,
  Foot: 0.18,
};

/** Largest torque of the joint between a part and its parent, as a share of weight · height. */
export const strengthOf = (role: BoneRole | null): number =>
  role === null ? 0.1 : (STRENGTHS[partOf(role)[1]] ?? 0.1);

/** Directions of a body at rest, unit vectors: up along it, to its own left, forward. */
export interface Axes {
  up: Vec3;
  left: Vec3;
  front: Vec3;
}

/** From directions that are about up and left. */
export function axesOf(nearlyUp: Vec3, leftward: Vec3): Axes {
  const left = unit(leftward, [1, 0, 0]);
  const up = across(nearlyUp, left);
  return { up, left, front: cross(left, up) };
}

/** Frames of a joint at rest, in the world, and the limits of its angles x, y, z, rad. */
export interface Anatomy {
  frameA: Quat;
  frameB: Quat;
  low: Vec3;
  high: Vec3;
}

/** What the joint of a part needs to know of the skeleton at rest. */
export interface Situation {
  role: BoneRole | null;
  /** Of the pelvis for legs and spine, of the chest for what it bears. */
  axes: Axes;
  /** Along the part, unit. */
  direction: Vec3;
  /** Along its parent, unit. */
  parentDirection: Vec3;
  /** Number of joints between pelvis and chest, or chest and head. */
  joints: number;
}

/** Degrees: low and high of x, y, z. */
type Range = readonly [
  x: readonly [number, number],
  y: readonly [number, number],
  z: readonly [number, number],
];

const limits = (frameA: Quat, frameB: Quat, [x, y, z]: Range): Anatomy => ({
  frameA,
  frameB,
  low: [x[0] * DEGREE, y[0] * DEGREE, z[0] * DEGREE],
  high: [x[1] * DEGREE, y[1] * DEGREE, z[1] * DEGREE],
});

const mirror = (isLeft: boolean, low: number, high: number): readonly [number, number] =>
  isLeft ? [low, high] : [-high, -low];

/** The frame that `turned` by angles about y and z alone has x along a direction. */
function aimed(frame: Quat, direction: Vec3): Quat {
  const x = seenFrom(frame, direction);
  const [, y, z] = anglesOf(frameOf(x, [0, 0, 1]));
  const half = (angle: number): [number, number] => [sin(angle / 2), cos(angle / 2)];
  const [sy, cy] = half(y);
  const [sz, cz] = half(z);
  return multiply(frame, multiply([0, 0, sz, cz], [0, sy, 0, cy]));
}

/** A direction as seen from a frame. */
const seenFrom = (frame: Quat, direction: Vec3): Vec3 => rotate(conjugate(frame), direction);

function hip({ axes, direction, role }: Situation): Anatomy {
  const frame = frameOf(neg(axes.up), neg(axes.left));
  const isLeft = role === 'leftUpperLeg';
  return limits(frame, aimed(frame, direction), [[-45, 45], mirror(isLeft, -30, 45), [-30, 120]]);
}

/** The axis of a knee or elbow: that about which it is bent, or that about which it would bend. */
function bendAxis(parent: Vec3, direction: Vec3, likely: Vec3): Vec3 {
  const bent = cross(parent, direction);
  const clearly = dot(bent, bent) > 0.02 && dot(bent, likely) > 0.5 * Math.sqrt(dot(bent, bent));
  return clearly ? across(bent, parent) : across(likely, parent);
}

function knee({ axes, direction, parentDirection }: Situation): Anatomy {
  const z = bendAxis(parentDirection, direction, axes.left);
  return limits(frameOf(parentDirection, z), frameOf(direction, z), [
    [-15, 15],
    [-5, 5],
    [-2, 140],
  ]);
}

function ankle({ axes, direction, parentDirection, role }: Situation): Anatomy {
  const forward = across(direction, parentDirection);
  const z = across(neg(axes.left), forward);
  const isLeft = role === 'leftFoot';
  return limits(frameOf(forward, z), frameOf(direction, z), [mirror(isLeft, -35, 15), [-20, 20], [-50, 25]]);
}

/**
 * A shoulder's angles are latitude and longitude about an axis to which arms rarely point: forward and across the body.
 * Longitude runs from the hanging arm (−70°) up to the side and front; latitude backward and across.
 */
function shoulder({ axes, direction, role }: Situation): Anatomy {
  const side = role === 'leftUpperArm' ? 1 : -1;
  const out = unit(add(scale(axes.left, side), axes.front));
  const z = cross(neg(axes.up), out);
  const x = add(scale(axes.up, -cos(70 * DEGREE)), scale(out, sin(70 * DEGREE)));
  const frame = frameOf(x, z);
  return limits(frame, aimed(frame, direction), [
    [-100, 100],
    [-75, 75],
    [-120, 120],
  ]);
}

function elbow({ axes, direction, parentDirection }: Situation): Anatomy {
  const z = bendAxis(parentDirection, direction, across(cross(parentDirection, axes.front), parentDirection));
  return limits(frameOf(parentDirection, z), frameOf(direction, z), [
    [-90, 90],
    [-10, 10],
    [-5, 150],
  ]);
}

function wrist({ axes, direction, parentDirection, role }: Situation): Anatomy {
  const palm = scale(cross(parentDirection, axes.front), role === 'leftHand' ? 1 : -1);
  const z = across(cross(parentDirection, palm), parentDirection);
  return limits(frameOf(parentDirection, z), frameOf(direction, z), [
    [-60, 60],
    [-30, 30],
    [-70, 80],
  ]);
}

/** Spine and neck: as they stand at rest, shares of the whole range. */
function back({ axes, joints }: Situation, range: Range): Anatomy {
  const frame = frameOf(axes.up, axes.left);
  const share = ([low, high]: readonly [number, number]) => [low / joints, high / joints] as const;
  return limits(frame, frame, [share(range[0]), share(range[1]), share(range[2])]);
}

/** A bone of no known role: a cone about where it is. */
function anywhere({ direction }: Situation): Anatomy {
  const frame = frameOf(direction, across([0, 0, 1], direction));
  return limits(frame, frame, [
    [-30, 30],
    [-45, 45],
    [-45, 45],
  ]);
}

function plain(situation: Situation): Anatomy {
  switch (situation.role === null ? '' : partOf(situation.role)[1]) {
    case 'UpperLeg':
      return hip(situation);
    case 'LowerLeg':
      return knee(situation);
    case 'Foot':
      return ankle(situation);
    case 'UpperArm':
      return shoulder(situation);
    case 'LowerArm':
      return elbow(situation);
    case 'Hand':
      return wrist(situation);
    case 'spine':
    case 'chest':
      return back(situation, [
        [-45, 45],
        [-35, 35],
        [-25, 80],
      ]);
    case 'neck':
    case 'head':
      return back(situation, [
        [-60, 60],
        [-45, 45],
        [-45, 45],
      ]);
    default:
      return anywhere(situation);
  }
}

/** rad. A joint is not at its limit at rest. */
const SLACK = 3 * DEGREE;

/** Frames and limits of the joint of a part; the pose at rest is always within the limits. */
export function anatomyOf(situation: Situation): Anatomy {
  const found = plain(situation);
  const rest = anglesOf(multiply(conjugate(found.frameA), found.frameB));
  return {
    ...found,
    low: found.low.map((low, k) => Math.min(low, rest[k]! - SLACK)) as Vec3,
    high: found.high.map((high, k) => Math.max(high, rest[k]! + SLACK)) as Vec3,
  };
}

/** From one place to another, unit. */
export const towards = (from: Vec3, to: Vec3, otherwise: Vec3): Vec3 => unit(sub(to, from), otherwise);
