// Every type of shape and of joint has all that a type needs. A new one fails here until it is entered in each table; the
// message names what is missing. CONTRIBUTING.md has the recipes.
import { expect, test } from 'vitest';
import {
  type BodyOptions,
  cookHeightfield,
  cookMesh,
  type JointOptions,
  type JointType,
  type RigidBody,
  type ShapeOptions,
  type ShapeType,
  World,
} from '../../src';
import * as constants from '../../src/core/memory/constants';
import { JOINT_TABLE, JOINT_TYPES } from '../../src/options/jointTypes';
import { SHAPE_SIZES, SHAPE_TYPES } from '../../src/options/shapes';
import { codeOf, sourcesBelow } from '../sources';

/** Constants of a prefix that are types: the others are named. */
function typesOf(prefix: string, others: RegExp): [name: string, code: number][] {
  return Object.entries(constants).filter(([name]) => name.startsWith(prefix) && !others.test(name)) as [
    string,
    number,
  ][];
}
const SHAPES = typesOf(
  'SHAPE_',
  /^SHAPE_(TYPE_COUNT|USED|NO_RESPONSE|SENSES_STATIC|BARE_TO_BALLS|OWN_FILTER|CARRIES|AREA|ONE_WAY|\w+_SHIFT)$/,
);
const JOINTS = typesOf(
  'JOINT_',
  /^JOINT_(TYPE_COUNT|AXIS_COUNT|USED|ENABLED|BROKEN|COLLIDE|WORLD_FRAMES|ORDER_\w+|AT_MIDDLE|PLACE_BY_\w|TURN_BY_\w|PLACING)$/,
);

const mesh = () =>
  cookMesh({ vertices: [-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1], indices: [0, 1, 2, 0, 2, 3] });
const heightfield = () =>
  cookHeightfield({ rows: 3, columns: 3, heights: [0, 0, 0, 0, 0, 0, 0, 0, 0], spacing: 1 });

/** One shape of each type, about 1 m large around its origin. The compiler names a type that is missing. */
const EXAMPLES: Record<ShapeType, () => ShapeOptions> = {
  sphere: () => ({ type: 'sphere', radius: 0.5 }),
  box: () => ({ type: 'box', halfExtents: [0.5, 0.4, 0.3] }),
  capsule: () => ({ type: 'capsule', radius: 0.4, halfHeight: 0.3 }),
  cylinder: () => ({ type: 'cylinder', radius: 0.5, halfHeight: 0.4 }),
  cone: () => ({ type: 'cone', radius: 0.5, halfHeight: 0.4 }),
  hull: () => ({ type: 'hull', points: [0, 0.5, 0, -0.5, -0.3, -0.4, 0.5, -0.3, -0.4, 0, -0.3, 0.6] }),
  tetrahedron: () => ({
    type: 'tetrahedron',
    points: [0, 0.5, 0, -0.5, -0.3, -0.4, 0.5, -0.3, -0.4, 0, -0.3, 0.6],
  }),
  triangle: () => ({ type: 'triangle', points: [-0.5, 0, -0.4, 0, 0, 0.6, 0.5, 0, -0.4] }),
  multiSphere: () => ({
    type: 'multiSphere',
    spheres: [
      { position: [-0.2, 0, 0], radius: 0.3 },
      { position: [0.2, 0, 0], radius: 0.3 },
    ],
  }),
  mesh: () => ({ type: 'mesh', geometry: mesh() }),
  heightfield: () => ({ type: 'heightfield', geometry: heightfield() }),
  plane: () => ({ type: 'plane' }),
};
const SURFACES: readonly ShapeType[] = ['mesh', 'heightfield', 'plane'];

test('every type of shape of the core has a name and a number of sizes', () => {
  expect(SHAPES.map(([, code]) => code).sort((a, b) => a - b)).toEqual(
    Array.from({ length: constants.SHAPE_TYPE_COUNT }, (_, code) => code),
  );
  for (const [name, code] of SHAPES) {
    expect(SHAPE_TYPES[code], `${name}: SHAPE_TYPES in src/options/shapes.ts`).toBeDefined();
    expect(SHAPE_SIZES[code], `${name}: SHAPE_SIZES in src/options/shapes.ts`).toBeTypeOf('number');
  }
});

test.each(Object.keys(EXAMPLES) as ShapeType[])('%s has all that a shape needs', (type) => {
  const missing: string[] = [];
  const need = (what: string, holds: boolean) => {
    if (!holds) missing.push(what);
  };
  const isSurface = SURFACES.includes(type);
  const shape = EXAMPLES[type]();
  const world = new World();
  const options: BodyOptions = isSurface
    ? { type: 'static', shape }
    : { shape, mass: 1, position: [0, 2, 0] };
  const body = world.createBody(options);
  const [x, y, z] = body.getPosition();
  const down = world.rayTest([x + 0.01, y + 5, z + 0.02], [x + 0.01, y - 5, z + 0.02]);
  need('rays (src/core/narrowphase/ray.ts)', down?.body === body && Math.abs(down.normal[1]) > 0.1);
  need(
    'a bounding box (src/core/shapes/aabb.ts)',
    world.overlapTest([x - 1, y - 1, z - 1], [x + 1, y + 1, z + 1]).length === 1,
  );
  const ball: ShapeOptions = { type: 'sphere', radius: 0.3 };
  const at = (height: number) => ({ shape: ball, position: [x, y + height, z] }) as const;
  need('overlaps (src/core/narrowphase/distance.ts)', world.overlapShapeTest(at(0.2)).length === 1);
  const nearest = world.nearestTest(at(3), { maxDistance: 10 });
  need(
    'distances (src/core/narrowphase/distance.ts)',
    nearest !== null && nearest.distance > 1.5 && nearest.distance < 3,
  );
  need('sweeps (src/core/narrowphase)', world.convexSweepTest(at(3), [0, -4, 0]) !== null);
  need('contact points (src/core/narrowphase/dispatch.ts)', world.contactTest(at(0.2)).length > 0);
  need('debug lines (src/lines/debugLines.ts)', world.debugLines({ shapes: true }).count > 0);
  need(
    'a description (src/replica/bodyHandle.ts)',
    body.getShape(body.shapes[0]!).type === (type === 'tetrahedron' ? 'hull' : type),
  );
  if (!isSurface && type !== 'triangle') {
    const { mass, inertia } = world.replica.body(
      world.createBody({ shape, position: [50, 0, 0] }).id,
    ).massProps;
    need(
      'mass properties (src/options/massProperties.ts)',
      mass > 1 && inertia.every((moment) => moment > 0),
    );
  }

  // It rests on the ground, or bears what falls on it; a snapshot and a second run are the same.
  if (isSurface) world.createBody({ shape: ball, mass: 1, position: [0.1, 1, 0.1] });
  else world.createBody({ type: 'static', shape: { type: 'plane' } });
  const copy = new World();
  copy.restore(world.snapshot());
  for (let i = 0; i < 240; i++) {
    world.step(1 / 60);
    copy.step(1 / 60);
  }
  need('a state that is restored (src/core/state)', copy.stateHash() === world.stateHash());
  const moving = [...world.bodies()].find((other) => other.type === 'dynamic')!;
  const height = moving.getPosition()[1];
  need('contacts that hold it (src/core/narrowphase)', height > -0.05 && height < 1);
  expect(missing, `what ${type} lacks`).toEqual([]);
});

/** One joint of each type between two bodies. The compiler names a type that is missing. */
const JOINT_EXAMPLES: Record<JointType, JointOptions<RigidBody>> = {
  point: { type: 'point' },
  hinge: { type: 'hinge', angle: { low: -1, high: 1 } },
  fixed: { type: 'fixed' },
  distance: { type: 'distance', distance: { low: 1, high: 1 } },
  slider: { type: 'slider', position: { low: -1, high: 1 } },
  coneTwist: { type: 'coneTwist', swingY: 0.5, swingZ: 0.5 },
  generic: { type: 'generic', angleX: { low: -1, high: 1 } },
  universal: { type: 'universal', axis: [1, 0, 0], axis2: [0, 1, 0] },
  hinge2: { type: 'hinge2', axis: [0, 1, 0], axis2: [1, 0, 0] },
  gear: { type: 'gear', ratio: 2, frameA: { axis: [1, 0, 0] }, frameB: { axis: [1, 0, 0] } },
  mouse: { type: 'mouse', target: [2, 1, 0] },
  motor: { type: 'motor' },
};
/** Directions of six that a type leaves free, of the three of place and the three of turning. */
const FREE: Record<JointType, number> = {
  point: 3,
  hinge: 1,
  fixed: 0,
  distance: 5,
  slider: 1,
  coneTwist: 3,
  generic: 3,
  universal: 2,
  hinge2: 3,
  gear: 5,
  mouse: 6, // a spring
  motor: 6, // likewise
};

/** Names that the code of a file has, besides its imports. */
const namesIn = (file: string) =>
  new Set(
    codeOf(file)
      .replace(/^import [^;]*;/gm, '')
      .match(/\b[A-Z]\w*\b/g),
  );
const TYPES_IN_CORE = namesIn('src/core/solver/joints/types.ts');
/** Shortcuts for points, which have nothing but their anchors: lanes of nets, nutation of tops. */
const SHORTCUTS = ['src/core/solver/joints/batches.ts', 'src/core/solver/nutation.ts'];

test('one file of the core tells types of joints apart', () => {
  const asking = sourcesBelow('src/core')
    .filter((file) => file !== 'src/core/memory/constants.ts' && !SHORTCUTS.includes(file))
    .filter((file) => JOINTS.some(([name]) => namesIn(file).has(name)));
  expect(asking).toEqual(['src/core/solver/joints/types.ts']);
});

test('every type of joint of the core has a name, and rows in the core', () => {
  expect(JOINTS.map(([, code]) => code).sort((a, b) => a - b)).toEqual(
    Array.from({ length: constants.JOINT_TYPE_COUNT }, (_, code) => code),
  );
  for (const [name, code] of JOINTS) {
    const words = name.slice('JOINT_'.length).toLowerCase();
    const type = words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(JOINT_TYPES[code], `${name}: JOINT_TABLE in src/options/jointTypes.ts`).toBe(type);
    expect(TYPES_IN_CORE.has(name), `${name}: makeRows in src/core/solver/joints/types.ts`).toBe(true);
  }
});

test.each(Object.keys(JOINT_EXAMPLES) as JointType[])('%s has all that a joint needs', (type) => {
  const missing: string[] = [];
  const need = (what: string, holds: boolean) => {
    if (!holds) missing.push(what);
  };
  const world = new World({ gravity: [0, 0, 0] });
  const options = {
    shape: { type: 'box', halfExtents: [0.3, 0.2, 0.1] },
    mass: 1,
    group: 2,
    mask: 0,
  } as const;
  const a = world.createBody(options);
  const b = world.createBody({ ...options, position: [1, 0, 0] });
  const joint = world.createJoint(
    type === 'mouse'
      ? { ...JOINT_EXAMPLES[type], bodyB: b }
      : { ...JOINT_EXAMPLES[type], bodyA: a, bodyB: b },
  );
  const copy = new World();
  copy.restore(world.snapshot());
  // Pushed along and about every axis by equal and opposite loads: what the type does not free does not part.
  const run = (w: World) => {
    const [first, second] = [w.getBody(a.id)!, w.getBody(b.id)!];
    second.applyImpulse([0.2, 0.3, 0.25]);
    second.applyTorqueImpulse([0.01, 0.012, 0.013]);
    first.applyImpulse([-0.2, -0.3, -0.25]);
    for (let i = 0; i < 30; i++) w.step(1 / 60);
  };
  const before = b.getPosition();
  run(world);
  run(copy);
  need('a state that is restored (src/core/state)', copy.stateHash() === world.stateHash());
  const impulse = joint.getAppliedImpulse().reduce((sum, part) => sum + Math.abs(part), 0);
  const angular = joint.getAppliedAngularImpulse().reduce((sum, part) => sum + Math.abs(part), 0);
  need('rows that act (src/core/solver/joints/types.ts)', FREE[type] === 6 || impulse + angular > 0);
  need('motion (src/core/solver/joints)', b.getPosition().every(Number.isFinite) && before !== null);
  const names = Object.keys(JOINT_TABLE[type].axes) as Parameters<typeof joint.getLimitState>[0][];
  for (const name of names)
    need(`a reading of ${name} (src/core/solver/joints/types.ts)`, joint.getLimitState(name) !== undefined);
  const drawn = world.debugLines({ shapes: false, joints: true }).count;
  need('debug lines (src/lines/jointLines.ts)', drawn > 0);
  joint.remove();
  need('removal', world.jointCount === 0);
  expect(missing, `what ${type} lacks`).toEqual([]);
});
