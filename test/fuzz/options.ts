// Good arguments. In: random numbers. Out: trees: bodies, shapes, joints, vectors as their documentation wants them, most
// of them ordinary, some at the ends of their ranges.
import { MAX_GRAVITY } from '../../src/base/limits';
import { JOINT_TABLE } from '../../src/options/jointTypes';
import type { Chance } from '../support/randomWorlds';
import { Raw, type Tree } from './text';

export const ACTIVATION = [
  'active',
  'sleeping',
  'wantsDeactivation',
  'disableDeactivation',
  'disableSimulation',
];
export const TYPES = ['dynamic', 'dynamic', 'dynamic', 'kinematic', 'static'];
export const EVENTS = [
  'contactBegin',
  'contactStay',
  'contactEnd',
  'sleep',
  'wake',
  'jointBroken',
  'jointRemoved',
];
export const JOINTS = Object.keys(JOINT_TABLE);

/** Three digits: what is printed can be read. */
export function number(chance: Chance, low: number, high: number): number {
  return Number(chance.between(low, high).toPrecision(3));
}

/** `most`: the end of its range. */
export function vector(chance: Chance, size: number, most = Number.POSITIVE_INFINITY): Tree {
  const far = chance.once(25) ? chance.of([1e3, 1e6, 1e-6, 0]) : 1;
  const at = () => {
    const value = Number((chance.between(-size, size) * far).toPrecision(3));
    return Math.max(-most, Math.min(most, value));
  };
  if (chance.once(12)) return { x: at(), y: at(), z: at() };
  if (chance.once(12)) return new Raw(`new Float32Array([${at()}, ${at()}, ${at()}])`);
  return [at(), at(), at()];
}

export function rotation(chance: Chance): Tree {
  if (chance.once(2)) return [0, 0, 0, 1];
  return [number(chance, -1, 1), number(chance, -1, 1), number(chance, -1, 1), number(chance, 0.1, 1)];
}

export function material(chance: Chance): { [name: string]: Tree } {
  const given: { [name: string]: Tree } = {};
  if (chance.once(2)) given['friction'] = number(chance, 0, 1.5);
  if (chance.once(2)) given['restitution'] = number(chance, 0, 1);
  if (chance.once(6)) given['rollingFriction'] = number(chance, 0, 0.2);
  if (chance.once(6)) given['spinningFriction'] = number(chance, 0, 0.2);
  return given;
}

/** What a shape may have of its own; some of it taken back. */
export function shapeChanges(chance: Chance): { [name: string]: Tree } {
  const given: { [name: string]: Tree } = {};
  const some = (name: string, value: () => Tree) => {
    if (chance.once(3)) given[name] = chance.once(4) ? null : value();
  };
  some('group', () => chance.of([1, 2, 0xffffffff]));
  some('mask', () => chance.of([-1, 3, 0]));
  some('frictionCombine', () => chance.of(['multiply', 'minimum', 'maximum', 'geometricMean']));
  some('restitutionCombine', () => chance.of(['average', 'minimum', 'maximum']));
  some('combinePriority', () => chance.below(201) - 100);
  some('surfaceVelocity', () => ({ linear: vector(chance, 5), angular: vector(chance, 2) }));
  some('area', () => ({
    gravity: vector(chance, 5, MAX_GRAVITY),
    gravityMode: chance.of(['add', 'replace']),
    priority: chance.below(5),
    velocity: vector(chance, 4),
    linearDrag: number(chance, 0, 2),
    quadraticDrag: number(chance, 0, 1),
    density: chance.of([0, 1000, 5]),
    ...(chance.once(3) && {
      attraction: { strength: number(chance, -5, 9), distance: number(chance, 0.1, 3) },
    }),
    ...(chance.once(3) && { level: number(chance, -2, 2) }),
  }));
  some('oneWay', () => [number(chance, -1, 1), number(chance, 0.1, 1), number(chance, -1, 1)]);
  return given;
}

/** Of shapes that can move. */
export function shape(chance: Chance): { [name: string]: Tree } {
  const size = () => number(chance, 0.1, 0.8);
  const given = { ...material(chance) };
  if (chance.once(6)) given['sensor'] = chance.once(2);
  if (chance.once(8)) given['userIndex'] = chance.below(9) - 4;
  if (chance.once(8)) given['density'] = chance.of([1, 500, 2000]);
  if (chance.once(10)) given['margin'] = chance.of([0, 0.01, 0.05]);
  if (chance.once(8)) Object.assign(given, shapeChanges(chance));
  if (given['area'] != null) given['sensor'] = true;
  if (chance.once(4)) Object.assign(given, { position: vector(chance, 0.5), rotation: rotation(chance) });
  switch (chance.below(11)) {
    case 0:
    case 1:
      return { type: 'sphere', radius: size(), ...given };
    case 2:
    case 3:
      return { type: 'box', halfExtents: [size(), size(), size()], ...given };
    case 4:
      return {
        type: 'capsule',
        radius: size(),
        halfHeight: size(),
        axis: chance.of(['x', 'y', 'z']),
        ...given,
      };
    case 5:
      return { type: 'cylinder', radius: size(), halfHeight: size(), ...given };
    case 6:
      return { type: 'cone', radius: size(), halfHeight: size(), ...given };
    case 7:
      return {
        type: 'hull',
        points: [0, size(), 0, size(), -0.2, 0, -0.3, -0.2, 0.3, 0, -0.3, -size()],
        ...given,
      };
    case 8:
      return {
        type: 'tetrahedron',
        points: [
          [0, 0, 0],
          [size(), 0, 0],
          [0, size(), 0],
          [0, 0, size()],
        ],
        ...given,
      };
    case 9:
      return {
        type: 'triangle',
        points: [
          [0, 0, 0],
          [size(), 0, 0],
          [0, 0, size()],
        ],
        ...given,
      };
    default:
      return {
        type: 'multiSphere',
        spheres: [{ radius: size() }, { position: [0.4, 0, 0], radius: size() }],
        ...given,
      };
  }
}

/** Of what stands still. */
export function ground(chance: Chance): { [name: string]: Tree } {
  const given = material(chance);
  switch (chance.below(4)) {
    case 0:
      return { type: 'mesh', geometry: new Raw('h.mesh'), ...given };
    case 1:
      return { type: 'heightfield', geometry: new Raw('h.field'), ...given };
    case 2:
      return { type: 'box', halfExtents: [6, 0.5, 6], ...given };
    default:
      return { type: 'plane', ...given };
  }
}

export function body(chance: Chance): { [name: string]: Tree } {
  const type = chance.of(TYPES);
  const given: { [name: string]: Tree } = {
    type,
    position: [number(chance, -3, 3), number(chance, 0.2, 4), number(chance, -3, 3)],
    shape: type === 'static' && chance.once(2) ? ground(chance) : shape(chance),
  };
  if (chance.once(5)) given['shape'] = [shape(chance), shape(chance)];
  if (chance.once(3)) given['rotation'] = rotation(chance);
  if (type !== 'static' && chance.once(3)) given['linearVelocity'] = vector(chance, 5);
  if (type !== 'static' && chance.once(4)) given['angularVelocity'] = vector(chance, 5);
  if (type === 'dynamic' && chance.once(2)) given['mass'] = chance.of([0.1, 1, 10, 500]);
  if (type === 'dynamic' && chance.once(10)) given['inertia'] = [1, 2, 2];
  if (chance.once(10)) given['centerOfMass'] = [0, 0.1, 0];
  if (chance.once(5)) given['linearDamping'] = number(chance, 0, 1);
  if (chance.once(5)) given['angularDamping'] = number(chance, 0, 1);
  if (chance.once(6)) given['gravityScale'] = number(chance, -1, 2);
  if (chance.once(8)) given['linearFactor'] = [1, chance.below(2), 1];
  if (chance.once(8)) given['angularFactor'] = [chance.below(2), 1, 1];
  if (chance.once(6)) given['group'] = chance.of([1, 2, 4, 0xffffffff, -1]);
  if (chance.once(6)) given['mask'] = chance.of([1, -1, 3, 0, 0xffff0000]);
  if (chance.once(6)) given['activationState'] = chance.of(ACTIVATION);
  if (chance.once(8)) given['ccdMotionThreshold'] = number(chance, 0, 0.5);
  if (chance.once(8)) given['ccdSweptSphereRadius'] = number(chance, 0, 0.3);
  if (chance.once(8)) given['linearSleepingThreshold'] = number(chance, 0, 2);
  if (chance.once(8)) given['contactResponse'] = chance.once(2);
  if (chance.once(6)) given['userIndex'] = chance.of([0, 7, -3, 0xffffffff]);
  return given;
}

export function axis(chance: Chance): { [name: string]: Tree } {
  const given: { [name: string]: Tree } = {};
  if (!chance.once(4))
    Object.assign(
      given,
      chance.of([
        { low: -0.5, high: 0.5 },
        { low: 0, high: 0 },
        { low: 1, high: -1 },
      ]),
    );
  if (chance.once(4)) given['motor'] = { velocity: number(chance, -3, 3), maxForce: chance.of([0, 5, 100]) };
  else if (chance.once(3)) given['servo'] = { target: 0.2, maxVelocity: 2, maxForce: 50 };
  if (chance.once(4)) given['spring'] = spring(chance);
  if (chance.once(5)) given['stop'] = { erp: 0.3, cfm: chance.of([0, 0.01]), bounce: chance.of([0, 0.5]) };
  return given;
}

export function spring(chance: Chance): Tree {
  return chance.once(2)
    ? { hertz: chance.of([1, 5, 20]), dampingRatio: chance.of([0, 0.5, 1]), target: 0.1 }
    : { stiffness: chance.of([10, 400]), damping: 1, maxForce: chance.of([0, 50]) };
}

/** `bodies`: the texts of two bodies. */
export function joint(chance: Chance, bodies: readonly [Raw, Raw]): { [name: string]: Tree } {
  const type = chance.of(JOINTS);
  const given: { [name: string]: Tree } = { type };
  if (type !== 'mouse' && !chance.once(5)) given['bodyA'] = bodies[0];
  given['bodyB'] = bodies[1];
  if (type === 'mouse') given['target'] = vector(chance, 3);
  else if (chance.once(2)) {
    given['frameA'] = { position: vector(chance, 0.5), rotation: rotation(chance) };
    given['frameB'] = { position: vector(chance, 0.5) };
  } else if (chance.once(3)) Object.assign(given, { anchor: vector(chance, 2), axis: [0, 0, 1] });
  if (type === 'gear') given['ratio'] = chance.of([1, -2, 0.5]);
  for (const name of Object.keys(JOINT_TABLE[type as keyof typeof JOINT_TABLE].axes))
    if (name.startsWith('swing')) given[name] = 0.5;
    else if (type === 'distance' || chance.once(2)) given[name] = axis(chance);
  if (chance.once(4)) Object.assign(given, { hertz: chance.of([2, 20]), dampingRatio: chance.of([0.1, 1]) });
  else if (chance.once(6)) Object.assign(given, { erp: 0.5, cfm: 0.01 });
  if (chance.once(5)) given['breakingImpulse'] = chance.of([0.5, 50]);
  if (chance.once(3)) given['collideConnected'] = chance.once(2);
  if (chance.once(8)) given['enabled'] = chance.once(2);
  if (chance.once(5)) given['userIndex'] = chance.below(20);
  return given;
}

const SETTINGS: Record<string, readonly Tree[]> = {
  substeps: [1, 2, 4, 8],
  iterations: [0, 1, 3],
  relaxIterations: [0, 1, 2],
  frictionWithBias: [true, false],
  contactErpMode: [true, false],
  contactHertz: [10, 60],
  contactDampingRatio: [0, 1, 10],
  staticStiffness: [1, 2],
  contactErp: [0, 0.2, 1],
  contactCfm: [0, 0.01],
  contactPushSpeed: [0, 3, 100],
  contactSlop: [0, 0.005],
  warmstartingFactor: [0, 0.85, 1],
  restitutionThreshold: [0, 1],
  contactBreakingThreshold: [0.02, 0.1],
  recycleDistance: [0, 0.05],
  recycleAngle: [0, 10, 179],
  aabbMargin: [0, 0.05, 1],
  sleeping: [true, false],
  deactivationTime: [0, 0.1, 2],
  frictionCombine: ['multiply', 'average', 'minimum', 'maximum', 'geometricMean'],
  restitutionCombine: ['multiply', 'average', 'minimum', 'maximum', 'geometricMean'],
  gyroscopic: [true, false],
  parabolicFlight: [true, false],
  rollingFrictionCombine: ['multiply', 'average', 'crossFriction'],
  continuous: [true, false],
};
export const SETTING_NAMES = Object.keys(SETTINGS);

export function settings(chance: Chance, count: number): { [name: string]: Tree } {
  const given: { [name: string]: Tree } = {};
  for (let i = 0; i < count; i++) {
    const name = chance.of(SETTING_NAMES);
    given[name] = chance.of(SETTINGS[name]!);
  }
  return given;
}
