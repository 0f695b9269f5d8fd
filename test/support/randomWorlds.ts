// Random worlds whose course follows from a seed and from the world alone. In: a seed. Out: a world, and for each step
// the calls before it: bodies of every shape and type, joints of every type, activation states, continuous collision,
// sensors, kinematic targets, removals, slots that are used again. Whoever holds a copy of such a world can go on with
// it, for nothing of the course is kept outside of the world.
import {
  type ActivationState,
  type AreaOptions,
  type BodyOptions,
  type BodyType,
  cookHeightfield,
  cookHull,
  cookMesh,
  deterministic,
  type Joint,
  type JointAxisName,
  type JointAxisOptions,
  type JointOptions,
  type JointType,
  PhysicsError,
  type RigidBody,
  type ShapeChanges,
  type ShapeCommon,
  type ShapeOptions,
  World,
  type WorldOptions,
} from '../../src';
import { JOINT_TABLE } from '../../src/options/jointTypes';
import { changeActors, driveActors } from './randomActors';

type V = [number, number, number];

/** Numbers that follow from a seed: equal seeds, equal numbers. */
export class Chance {
  private state: number;

  constructor(seed: number, stream = 0) {
    this.state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
    for (let i = 0; i < 3; i++) this.next();
  }

  /** 0 … 1 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer below n. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** True once in n. */
  once(n: number): boolean {
    return this.next() * n < 1;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  vector(size: number): V {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
  }

  rotation(): [number, number, number, number] {
    const q = [this.between(-1, 1), this.between(-1, 1), this.between(-1, 1), this.between(0.1, 1)];
    const length = Math.sqrt(q.reduce((sum, c) => sum + c * c, 0));
    return q.map((c) => c / length) as [number, number, number, number];
  }
}

const ROCK = cookHull([0, 0, 0, 0.8, 0, 0, 0, 0.7, 0, 0, 0, 0.9, 0.5, 0.6, 0.5, 0.7, 0.1, 0.6]);
const WEDGE = cookHull([
  -0.5, 0, -0.4, 0.5, 0, -0.4, 0.5, 0, 0.4, -0.5, 0, 0.4, -0.5, 0.6, 0.4, -0.5, 0.6, -0.4,
]);
const GRID = 9;
const HILLS = cookHeightfield({
  rows: GRID,
  columns: GRID,
  spacing: 1.5,
  heights: Array.from(
    { length: GRID * GRID },
    (_, i) => 0.35 * deterministic.sin(i * 1.3) * deterministic.cos(i * 0.37),
  ),
});
const BOWL = (() => {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= 6; z++)
    for (let x = 0; x <= 6; x++) vertices.push(x - 3, 0.1 * ((x - 3) ** 2 + (z - 3) ** 2), z - 3);
  for (let z = 0; z < 6; z++)
    for (let x = 0; x < 6; x++) {
      const a = z * 7 + x;
      indices.push(a, a + 7, a + 1, a + 1, a + 7, a + 8);
    }
  return cookMesh({ vertices, indices });
})();

const ACTIVATION: ActivationState[] = [
  'active',
  'sleeping',
  'wantsDeactivation',
  'disableDeactivation',
  'disableSimulation',
];
const JOINTS = Object.keys(JOINT_TABLE) as JointType[];

function surface(chance: Chance): ShapeCommon {
  return {
    friction: chance.of([0, 0.3, 0.5, 1.2]),
    restitution: chance.of([0, 0, 0.3, 0.8, 1]),
    ...(chance.once(4) ? { rollingFriction: 0.05 } : {}),
    ...(chance.once(6) ? { spinningFriction: 0.03 } : {}),
    ...(chance.once(9) ? { sensor: true } : {}),
    ...(chance.once(12) ? { margin: 0.02 } : {}),
  };
}

function movingShape(chance: Chance): ShapeOptions {
  const size = chance.of([0.05, 0.3, 0.5, 0.5, 1]);
  const common = {
    ...surface(chance),
    ...(chance.once(4) ? { position: chance.vector(0.4), rotation: chance.rotation() } : {}),
  };
  switch (chance.below(10)) {
    case 0:
    case 1:
      return { ...common, type: 'box', halfExtents: [size, size * chance.between(0.2, 1), size] };
    case 2:
      return {
        ...common,
        type: 'capsule',
        radius: 0.6 * size,
        halfHeight: size,
        axis: chance.of(['x', 'y', 'z']),
      };
    case 3:
      return { ...common, type: 'cylinder', radius: size, halfHeight: 0.7 * size };
    case 4:
      return { ...common, type: 'cone', radius: size, halfHeight: size, axis: chance.of(['x', 'y']) };
    case 5:
      return { ...common, type: 'hull', geometry: chance.of([ROCK, WEDGE]) };
    case 6:
      return {
        ...common,
        type: 'tetrahedron',
        points: [0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size],
      };
    case 7:
      return {
        ...common,
        type: 'multiSphere',
        spheres: [
          { radius: 0.5 * size },
          { position: [size, 0, 0], radius: 0.3 * size },
          { position: [0, size, 0], radius: 0.4 * size },
        ],
      };
    case 8:
      if (chance.once(3)) return { ...common, type: 'triangle', points: [0, 0, 0, size, 0, 0, 0, 0, size] };
      return { ...common, type: 'box', halfExtents: [0.02, size, size] };
    default:
      return { ...common, type: 'sphere', radius: size };
  }
}

function ground(chance: Chance): ShapeOptions {
  const common = surface(chance);
  delete common.sensor;
  switch (chance.below(5)) {
    case 0:
      return { ...common, type: 'heightfield', geometry: HILLS };
    case 1:
      return { ...common, type: 'mesh', geometry: BOWL, scale: [1.5, chance.of([1, 0.2]), 1.5] };
    case 2:
      return { ...common, type: 'box', halfExtents: [8, 0.5, 8], position: [0, -0.5, 0] };
    default:
      return { ...common, type: 'plane' };
  }
}

function body(chance: Chance): BodyOptions {
  const type: BodyType = chance.of([
    'dynamic',
    'dynamic',
    'dynamic',
    'dynamic',
    'dynamic',
    'kinematic',
    'static',
  ]);
  const shapes = Array.from({ length: chance.of([1, 1, 1, 2, 3]) }, () => movingShape(chance));
  const options: BodyOptions = {
    type,
    position: [chance.between(-2.5, 2.5), chance.between(0.3, 6), chance.between(-2.5, 2.5)],
    shape: shapes,
  };
  if (chance.once(2)) options.rotation = chance.rotation();
  if (type !== 'static' && chance.once(3)) options.linearVelocity = chance.vector(chance.of([1, 5, 80]));
  if (type !== 'static' && chance.once(3)) options.angularVelocity = chance.vector(chance.of([1, 5, 30]));
  if (chance.once(4)) options.activationState = chance.of(ACTIVATION);
  if (chance.once(8)) options.group = chance.of([1, 2, 4]);
  if (chance.once(8)) options.mask = chance.of([-1, 1, 3, 0]);
  if (chance.once(6)) options.ccdMotionThreshold = chance.of([0.1, 0.5]);
  if (chance.once(8)) options.ccdSweptSphereRadius = 0.1;
  if (chance.once(14)) options.contactResponse = false;
  if (chance.once(6)) options.gravityScale = chance.of([0, -0.5, 2]);
  if (chance.once(6)) Object.assign(options, { linearDamping: 0.1, angularDamping: 0.4 });
  if (type !== 'dynamic') return options;
  if (chance.once(2)) options.mass = chance.of([0.1, 1, 10, 300]);
  if (chance.once(12)) options.centerOfMass = chance.vector(0.2);
  if (chance.once(12))
    options.linearFactor = chance.of<V>([
      [1, 1, 0],
      [0, 1, 0],
      [0, 0, 0],
    ]);
  if (chance.once(10))
    options.angularFactor = chance.of<V>([
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ]);
  return options;
}

function axis(chance: Chance, length: boolean): JointAxisOptions {
  const options: JointAxisOptions = {};
  const size = length ? 0.5 : 0.8;
  switch (chance.below(5)) {
    case 0:
      Object.assign(options, { low: 0, high: 0 });
      break;
    case 1:
      Object.assign(options, { low: -size, high: size });
      break;
    case 2:
      Object.assign(options, { low: 0.1, high: 2 * size });
      break;
    case 3:
      Object.assign(options, { low: 1, high: -1 });
      break;
  }
  switch (chance.below(5)) {
    case 0:
      options.motor = { velocity: chance.between(-3, 3), maxForce: chance.of([5, 100, 0]) };
      break;
    case 1:
      options.servo = { target: chance.between(-size, size), maxVelocity: 2, maxForce: chance.of([20, 500]) };
      break;
  }
  if (chance.once(4))
    options.spring = chance.once(2)
      ? { hertz: chance.of([1, 5, 20]), dampingRatio: chance.of([0, 0.5, 1]), target: 0.1 }
      : { stiffness: chance.of([10, 400]), damping: 1, maxForce: chance.of([0, 50]) };
  if (chance.once(5))
    options.stop = { erp: chance.of([0.2, 0.8]), cfm: chance.of([0, 0.01]), bounce: chance.of([0, 0.6]) };
  return options;
}

function joint(chance: Chance, bodies: readonly RigidBody[]): JointOptions<RigidBody> | undefined {
  const bodyA = chance.of(bodies);
  const bodyB = chance.of(bodies);
  const type = chance.of(JOINTS);
  const options: Record<string, unknown> = { type };
  const single = chance.once(5) || bodyA === bodyB;
  if (type !== 'mouse' && !(single && chance.once(2))) options['bodyA'] = bodyA;
  if (options['bodyA'] === undefined || !single) options['bodyB'] = bodyB;
  if (options['bodyA'] === options['bodyB']) return undefined;
  const ends = [options['bodyA'], options['bodyB']] as (RigidBody | undefined)[];
  if (!ends.some((end) => end?.type === 'dynamic')) return undefined;
  const [at] = ends.filter((end) => end !== undefined);
  const place = at!.getPosition().map((c, i) => c + chance.vector(0.5)[i]!);
  if (type === 'gear') {
    options['ratio'] = chance.of([1, -2, 0.3]);
  } else if (type === 'mouse') options['target'] = place;
  else if (chance.once(4)) {
    options['frameA'] = { position: chance.vector(0.5), rotation: chance.rotation() };
    options['frameB'] = { position: chance.vector(0.5), rotation: chance.rotation() };
  } else {
    options['anchor'] = place;
    options['axis'] = chance.of<V>([
      [1, 0, 0],
      [0, 1, 0],
      [0.6, 0, 0.8],
    ]);
  }
  for (const [name, number] of Object.entries(JOINT_TABLE[type].axes))
    if (name.startsWith('swing')) options[name] = chance.between(0.2, 1);
    else if (type === 'distance' || chance.once(2)) options[name] = axis(chance, number < 3);
  if (type === 'generic' && chance.once(2))
    options['order'] = chance.of(['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx']);
  if (chance.once(4))
    Object.assign(options, { hertz: chance.of([2, 20]), dampingRatio: chance.of([0.1, 0.5, 1]) });
  else if (chance.once(6)) Object.assign(options, { erp: 0.5, cfm: 0.01 });
  if (chance.once(6)) options['maxForce'] = 200;
  if (chance.once(6)) options['breakingImpulse'] = chance.of([1, 50]);
  if (chance.once(9)) options['breakingAngularImpulse'] = 5;
  if (chance.once(2)) options['collideConnected'] = true;
  if (chance.once(10)) options['enabled'] = false;
  return options as unknown as JointOptions<RigidBody>;
}

/** Puts the axes of a joint elsewhere. */
function turnJoint(chance: Chance, target: Joint): void {
  switch (chance.below(6)) {
    case 0:
      target.setEnabled(chance.once(2));
      return;
    case 1:
      if (target.type !== 'mouse') target.setSoftness(chance.of([0, 5, 20]), chance.of([0.5, 1]));
      return;
    case 2:
      target.setBreaking(chance.of([0, 30]), 0);
      return;
    case 3:
      target.setCollideConnected(chance.once(2));
      return;
    default: {
      const names = (Object.keys(JOINT_TABLE[target.type].axes) as JointAxisName[]).filter(
        (name) => !name.startsWith('swing'),
      );
      if (names.length === 0) return;
      const name = chance.of(names);
      target.setAxis(name, axis(chance, JOINT_TABLE[target.type].axes[name]! < 3));
    }
  }
}

/** A random change; what the world refuses has changed nothing. */
function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof PhysicsError)) throw error;
  }
}

function change(chance: Chance, world: World, bodies: readonly RigidBody[]): void {
  if (bodies.length === 0) return void world.createBody(body(chance));
  const target = chance.of(bodies);
  const { type } = target;
  switch (chance.below(24)) {
    case 0:
    case 1:
      world.createBody(body(chance));
      return;
    case 2:
    case 3:
      target.remove();
      return;
    case 4:
    case 5: {
      const options = joint(chance, bodies);
      if (options !== undefined) world.createJoint(options);
      return;
    }
    case 6: {
      const joints = [...world.joints()];
      if (joints.length > 0) chance.of(joints).remove();
      return;
    }
    case 7:
    case 8: {
      const joints = [...world.joints()];
      if (joints.length > 0) turnJoint(chance, chance.of(joints));
      return;
    }
    case 9:
      target.applyImpulse(chance.vector(20), chance.vector(0.3));
      return;
    case 10:
      target.applyForce(chance.vector(300), chance.vector(0.3));
      return;
    case 11:
      target.setActivationState(chance.of(ACTIVATION));
      return;
    case 12:
      target.forceActivationState(chance.of(ACTIVATION));
      return;
    case 13:
      target.activate(chance.once(2));
      return;
    case 14:
      target.setTransform(
        [chance.between(-2, 2), chance.between(0.5, 5), chance.between(-2, 2)],
        chance.rotation(),
      );
      return;
    case 15:
      target.setLinearVelocity(chance.vector(chance.of([2, 60])));
      return;
    case 16:
      if (type === 'dynamic') target.setType(chance.of(['kinematic', 'static']));
      else if (
        ![...target.shapes].some(
          (id) => target.getShape(id).type === 'plane' || /mesh$|field/.test(target.getShape(id).type),
        )
      )
        target.setType('dynamic', { mass: 2 });
      return;
    case 17:
      if (type === 'dynamic') target.setMass(chance.of([0.5, 3, 100]));
      return;
    case 18:
      if (target.shapes.length > 1) target.removeShape(chance.of(target.shapes));
      else target.addShape(movingShape(chance));
      return;
    case 19:
      target.setMaterial({ friction: chance.next(), restitution: chance.of([0, 0.5]) });
      return;
    case 20:
      target.setFilter(chance.of([1, 2]), chance.of([-1, 3]));
      return;
    case 21:
      target.setCcd(chance.of([0, 0.2]), chance.of([0, 0.1]));
      return;
    case 22:
      if (chance.once(3)) world.setGravity([0, -9.81, chance.of([0, 2])]);
      else if (type === 'dynamic')
        target.setAngularFactor(
          chance.of<V>([
            [1, 1, 1],
            [0, 0, 0],
            [0, 1, 0],
          ]),
        );
      return;
    default:
      if (chance.once(4))
        world.updateSettings({ substeps: chance.of([1, 2, 4, 5]), sleeping: !chance.once(4) });
      else target.setAngularVelocity(chance.vector(chance.of([3, 40])));
  }
}

/** Worlds from this seed on have areas, moving and one-way surfaces, combine rules and explosions, too. */
export const FIRST_TRAITED = 5000;
/** Of what they have, in another stream than the rest: worlds without are as they were before there was any. */
const TRAITS = 1_000_000;
/** Worlds from this seed on have vehicles, characters and servos that follow poses, too. */
export const FIRST_ACTED = 8000;
const ACTED = 2_000_000;

/** Worlds with these seeds have many joints, which come, go and change all the time, too. */
export const FIRST_JOINTED = 20_000;
const LAST_JOINTED = 29_999;
const JOINTED = 3_000_000;
const hasManyJoints = (seed: number) => seed >= FIRST_JOINTED && seed <= LAST_JOINTED;

/** Makes a joint, or changes one or the body at its end. */
function tangle(chance: Chance, world: World): void {
  const bodies = [...world.bodies()];
  const joints = [...world.joints()];
  const what = chance.below(12);
  if (what < 5 || joints.length === 0) {
    const options = joint(chance, bodies);
    if (options !== undefined) world.createJoint(options);
    return;
  }
  const target = chance.of(joints);
  const end = (chance.once(2) ? target.bodyA : null) ?? target.bodyB;
  switch (what) {
    case 5:
      target.remove();
      return;
    case 6:
      if (target.type !== 'mouse')
        target.setFrames(
          { position: chance.vector(0.3), rotation: chance.rotation() },
          { position: chance.vector(0.3) },
        );
      return;
    case 7:
      target.setServoTargets(chance.vector(0.8));
      return;
    case 8:
      end?.setType(chance.of(['dynamic', 'dynamic', 'kinematic', 'static']));
      return;
    case 9:
      end?.forceActivationState(chance.of(ACTIVATION));
      return;
    default:
      turnJoint(chance, target);
  }
}

/** Actors, and targets of servos. */
function act(chance: Chance, world: World): void {
  const joints = [...world.joints()];
  if (!chance.once(4)) changeActors(chance, world);
  else if (joints.length > 0) chance.of(joints).setServoTargets(chance.vector(0.8));
}

function area(chance: Chance): AreaOptions {
  return {
    ...(chance.once(2) && { gravity: chance.vector(12), gravityMode: chance.of(['add', 'replace']) }),
    ...(chance.once(3) && {
      attraction: {
        strength: chance.between(-8, 20),
        distance: chance.of([0.3, 1, 3]),
        falloff: chance.of(['constant', 'linear', 'quadratic']),
      },
    }),
    ...(chance.once(3) && { velocity: chance.vector(4) }),
    ...(chance.once(2) && { linearDrag: chance.of([0.2, 3, 40]), quadraticDrag: chance.of([0, 0.5]) }),
    ...(chance.once(3) && { angularDrag: chance.of([0.2, 5]) }),
    ...(chance.once(3) && { density: chance.of([5, 1000]) }),
    ...(chance.once(6) && { level: chance.between(0, 2) }),
    priority: chance.below(3),
  };
}

function traits(chance: Chance): ShapeChanges {
  switch (chance.below(6)) {
    case 0:
      return { surfaceVelocity: { linear: chance.vector(3), angular: chance.vector(2) } };
    case 1:
      return { oneWay: chance.of<V>([[0, 1, 0], [0.6, 0.8, 0], chance.vector(1)]) };
    case 2:
      return {
        frictionCombine: chance.of(RULES),
        restitutionCombine: chance.of(RULES),
        combinePriority: chance.below(3),
      };
    case 3:
      return { group: chance.of([1, 2, 3]), mask: chance.of([-1, 1, 2]) };
    case 4:
      return { area: area(chance) };
    default:
      return { surfaceVelocity: null, oneWay: null, area: null, group: null, frictionCombine: null };
  }
}
const RULES = ['multiply', 'average', 'minimum', 'maximum', 'geometricMean'] as const;

/** Changes what shapes have of their own. */
function changeTraits(chance: Chance, world: World): void {
  const target = chance.of([...world.bodies()]);
  switch (chance.below(8)) {
    case 0:
      world.createBody({
        type: chance.of(['static', 'static', 'kinematic', 'dynamic']),
        position: [chance.between(-2, 2), chance.between(0.3, 4), chance.between(-2, 2)],
        rotation: chance.rotation(),
        shape: { ...movingShape(chance), sensor: true, area: area(chance) },
      });
      return;
    case 1:
      world.explode([chance.between(-2, 2), chance.between(0, 3), 0.4], chance.of([0.5, 3]), 20, {
        occlusion: chance.once(2),
        falloff: chance.of(['constant', 'linear', 'quadratic']),
      });
      return;
    case 2:
      world.updateSettings({
        frictionCombine: chance.of(RULES),
        restitutionCombine: chance.of(RULES),
        rollingFrictionCombine: chance.of([...RULES, 'crossFriction']),
      });
      return;
    default:
      if (target !== undefined && target.shapes.length > 0)
        target.updateShape(chance.of(target.shapes), traits(chance));
  }
}

/** Options of the world with a seed. */
export function randomOptions(seed: number): WorldOptions {
  const chance = new Chance(seed, -1);
  const options: WorldOptions = {};
  if (chance.once(5)) options.profile = chance.of(['bullet3', 'bullet282']);
  if (chance.once(4)) options.substeps = chance.of([1, 2, 8]);
  if (chance.once(8)) options.deactivationTime = 0.2;
  if (chance.once(10)) options.parabolicFlight = true;
  if (chance.once(10)) options.continuous = false;
  return options;
}

/** The world with a seed, before its first step. */
export function randomWorld(seed: number, world = new World(randomOptions(seed))): World {
  const chance = new Chance(seed, -2);
  world.createBody({ type: 'static', shape: ground(chance) });
  for (let i = 4 + chance.below(12); i > 0; i--) attempt(() => world.createBody(body(chance)));
  for (let i = chance.below(7); i > 0; i--) {
    const options = joint(chance, [...world.bodies()]);
    if (options !== undefined) attempt(() => world.createJoint(options));
  }
  const own = new Chance(seed, TRAITS);
  if (seed >= FIRST_TRAITED) for (let i = 8; i > 0; i--) attempt(() => changeTraits(own, world));
  const acted = new Chance(seed, ACTED);
  if (seed >= FIRST_ACTED) for (let i = 8; i > 0; i--) attempt(() => act(acted, world));
  const jointed = new Chance(seed, JOINTED);
  if (hasManyJoints(seed)) for (let i = 40; i > 0; i--) attempt(() => tangle(jointed, world));
  return world;
}

/** Several of these worlds in one place: piles in which everything meets everything. */
export function crowdedWorld(seed: number, world = new World(randomOptions(seed)), worlds = 5): World {
  for (let k = 0; k < worlds; k++) randomWorld(seed + 1000 * k, world);
  return world;
}

/** What happens before step `step` of the world with a seed, and the step. */
export function randomStep(world: World, seed: number, step: number): void {
  const chance = new Chance(seed, step);
  const bodies = [...world.bodies()];
  for (const lift of bodies)
    if (lift.type === 'kinematic' && chance.once(3)) {
      const [x, y, z] = lift.getPosition();
      lift.setKinematicTarget([x + chance.between(-0.05, 0.05), y + chance.between(-0.05, 0.05), z]);
    }
  if (bodies.length < 3) world.createBody(body(chance));
  else if (chance.once(6))
    for (let i = chance.of([1, 1, 4]); i > 0; i--) attempt(() => change(chance, world, [...world.bodies()]));
  const own = new Chance(seed, TRAITS + step);
  if (seed >= FIRST_TRAITED && own.once(8)) attempt(() => changeTraits(own, world));
  const acted = new Chance(seed, ACTED + step);
  if (seed >= FIRST_ACTED) {
    driveActors(acted, world);
    if (acted.once(8)) attempt(() => act(acted, world));
  }
  const jointed = new Chance(seed, JOINTED + step);
  if (hasManyJoints(seed) && jointed.once(4)) attempt(() => tangle(jointed, world));
  const dt = 1 / 60;
  if (chance.once(40)) world.stepSimulation(chance.of([0.5, 1.7, 3]) * dt, 4, dt);
  else world.step(chance.once(60) ? 2 * dt : dt);
}
