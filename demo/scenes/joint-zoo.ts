// One of every type of joint, driven or left to swing, each with its name: frames and limits are shown as lines.
import type { JointOptions } from 'ricochet';
import { createGround, type Label, type Scene } from './scene';

type Point = [number, number, number];
interface Cage {
  name: string;
  /** Where the moving body is from the joint, which is at `place`. */
  arm: Point;
  joint(place: Point): JointOptions<never>;
}

const SPACING = 3;
const HEIGHT = 3;
const COLUMNS = 7;
const at = (anchor: Point) => ({ anchor });
const swing = { low: -1, high: 1 };

const CAGES: readonly Cage[] = [
  { name: 'point', arm: [0.8, 0, 0], joint: (p) => ({ type: 'point', ...at(p) }) },
  {
    name: 'hinge, limits',
    arm: [0.8, 0, 0],
    joint: (p) => ({ type: 'hinge', ...at(p), axis: [0, 0, 1], angle: { low: -1.2, high: 0.3 } }),
  },
  {
    name: 'hinge, motor',
    arm: [0, -0.6, 0],
    joint: (p) => ({
      type: 'hinge',
      ...at(p),
      axis: [0, 0, 1],
      angle: { motor: { velocity: 3, maxForce: 60 } },
    }),
  },
  {
    name: 'hinge, servo',
    arm: [0.6, 0, 0],
    joint: (p) => ({
      type: 'hinge',
      ...at(p),
      axis: [0, 0, 1],
      angle: { servo: { target: 0.8, maxVelocity: 1, maxForce: 60 } },
    }),
  },
  { name: 'fixed', arm: [0.8, 0, 0], joint: (p) => ({ type: 'fixed', ...at(p) }) },
  {
    name: 'rope',
    arm: [0.5, 0, 0.5],
    joint: (p) => ({ type: 'distance', frameA: { position: p }, distance: { low: 0, high: 1.2 } }),
  },
  {
    name: 'spring',
    arm: [0, -0.5, 0],
    joint: (p) => ({
      type: 'distance',
      frameA: { position: p },
      distance: { spring: { hertz: 1, dampingRatio: 0.05, target: 1 } },
    }),
  },
  {
    name: 'slider',
    arm: [0, 0, 0],
    joint: (p) => ({
      type: 'slider',
      ...at(p),
      axis: [1, 0.5, 0],
      position: { low: -0.8, high: 0.8, stop: { bounce: 0.8 } },
    }),
  },
  {
    name: 'cone-twist',
    arm: [0, -0.7, 0],
    joint: (p) => ({
      type: 'coneTwist',
      ...at(p),
      axis: [0.5, -0.8, 0],
      swingY: 0.4,
      swingZ: 0.7,
      twist: { low: -0.5, high: 0.5 },
    }),
  },
  {
    name: '6-DoF',
    arm: [0.4, 0, 0],
    joint: (p) => ({
      type: 'generic',
      ...at(p),
      x: { low: -0.3, high: 0.3 },
      y: { low: -0.5, high: 0.2 },
      angleX: swing,
      angleY: swing,
      angleZ: { low: -0.5, high: 0.5 },
    }),
  },
  {
    name: '6-DoF springs',
    arm: [0.4, 0, 0],
    joint: (p) => ({
      type: 'generic',
      ...at(p),
      y: { spring: { hertz: 1.2, dampingRatio: 0.03 } },
      angleX: { low: 0, high: 0 },
      angleY: { low: 0, high: 0 },
      angleZ: { spring: { hertz: 1.5, dampingRatio: 0.03 } },
    }),
  },
  {
    name: 'universal',
    arm: [0, -0.6, 0],
    joint: (p) => ({
      type: 'universal',
      ...at(p),
      axis: [0, 1, 0],
      axis2: [0, 0, 1],
      angle1: { motor: { velocity: 2, maxForce: 30 } },
      angle2: { low: -0.7, high: 0.7 },
    }),
  },
  {
    name: 'hinge2',
    arm: [0, 0, 0],
    joint: (p) => ({
      type: 'hinge2',
      ...at(p),
      axis: [0, 1, 0],
      axis2: [0, 0, 1],
      position: { low: -0.5, high: 0.5, spring: { hertz: 1.5, dampingRatio: 0.1 } },
      spin: { motor: { velocity: 6, maxForce: 20 } },
    }),
  },
  {
    name: 'motor',
    arm: [0.9, -0.9, 0],
    joint: (p) => ({
      type: 'motor',
      frameA: { position: p, rotation: [0, 0.6, 0, 0.8] },
      maxForce: 60,
      maxTorque: 10,
    }),
  },
];

const placeOf = (i: number): Point => [
  ((i % COLUMNS) - (COLUMNS - 1) / 2) * SPACING,
  HEIGHT + (i < COLUMNS ? 4 : 0),
  0,
];

export const jointZoo: Scene = {
  id: 'joint-zoo',
  title: 'Joint zoo',
  description: 'Every type of joint with its frames and limits. Click to shoot at one.',
  camera: { position: [0, 6.5, 27], target: [0, 4.6, 0] },
  world: { sleeping: false },
  shows: { joints: true },
  labels: CAGES.map(({ name }, i): Label => {
    const [x, y, z] = placeOf(i);
    return { text: name, position: [x, y + 1.3, z] };
  }),
  build(target) {
    createGround(target);
    CAGES.forEach(({ arm, joint }, i) => {
      const place = placeOf(i);
      const body = target.createBody({
        mass: 2,
        position: [place[0] + arm[0], place[1] + arm[1], place[2] + arm[2]],
        shape: { type: 'box', halfExtents: [0.35, 0.22, 0.28] },
        userIndex: i,
      });
      target.createJoint({ ...joint(place), bodyB: body as never });
    });
  },
};
