// A glTF file that uses every feature of KHR_physics_rigid_bodies and KHR_implicit_shapes, written here as Blender or Godot would
// export it: stations side by side, each a few nodes. test/gltf/scene.test.ts checks that nothing of the extension is missing.
import type { JointOptions } from 'ricochet';
import { readPhysics } from 'ricochet/gltf';
import type { Scene } from './scene';

type Plain = Record<string, unknown>;
const NAME = 'KHR_physics_rigid_bodies';

/** Corners of a cup without a lid, as an open-topped box with walls: a mesh that is not convex. */
function cup(): { vertices: number[]; indices: number[] } {
  const vertices: number[] = [];
  const indices: number[] = [];
  const box = (low: readonly number[], high: readonly number[]) => {
    const first = vertices.length / 3;
    for (let i = 0; i < 8; i++)
      vertices.push((i & 1 ? high : low)[0]!, (i & 2 ? high : low)[1]!, (i & 4 ? high : low)[2]!);
    for (const [a, b, c, d] of [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ] as const)
      indices.push(first + a, first + b, first + c, first + a, first + c, first + d);
  };
  box([-0.6, 0, -0.6], [0.6, 0.15, 0.6]);
  box([-0.6, 0.15, -0.6], [-0.45, 0.9, 0.6]);
  box([0.45, 0.15, -0.6], [0.6, 0.9, 0.6]);
  box([-0.45, 0.15, -0.6], [0.45, 0.9, -0.45]);
  box([-0.45, 0.15, 0.45], [0.45, 0.9, 0.6]);
  return { vertices, indices };
}

const SHAPES = [
  { type: 'box', box: { size: [1, 1, 1] } },
  { type: 'sphere', sphere: { radius: 0.4 } },
  { type: 'capsule', capsule: { height: 0.8, radiusBottom: 0.3, radiusTop: 0.3 } },
  { type: 'cylinder', cylinder: { height: 0.8, radiusBottom: 0.4, radiusTop: 0.4 } },
  { type: 'capsule', capsule: { height: 0.6, radiusBottom: 0.4, radiusTop: 0.2 } },
  { type: 'cylinder', cylinder: { height: 0.9, radiusBottom: 0.5, radiusTop: 0.25 } },
  { type: 'plane', plane: {} },
  { type: 'plane', plane: { sizeX: 2, sizeZ: 2, doubleSided: true } },
];
const [BOX, BALL, CAPSULE, CYLINDER, PEAR, BUCKET, GROUND, SHEET] = SHAPES.keys() as unknown as number[];

const MATERIALS = [
  { staticFriction: 0.05, dynamicFriction: 0.05, restitution: 0, frictionCombine: 'minimum' },
  { staticFriction: 0.9, dynamicFriction: 0.9, restitution: 0.1, frictionCombine: 'maximum' },
  { staticFriction: 0.5, dynamicFriction: 0.5, restitution: 0.85, restitutionCombine: 'maximum' },
  { dynamicFriction: 0.4, restitution: 0.3, frictionCombine: 'multiply', restitutionCombine: 'average' },
];

const FILTERS = [
  { collisionSystems: ['ghosts'], notCollideWithSystems: ['ghosts'] },
  { collisionSystems: ['picky'], collideWithSystems: ['ground'] },
  { collisionSystems: ['ground'] },
];

const fixed = (axes: 'linearAxes' | 'angularAxes', ...list: number[]) => ({ [axes]: list, min: 0, max: 0 });
const JOINTS = [
  // A door: a hinge about z with stops, driven to and fro by its spring.
  {
    limits: [
      fixed('linearAxes', 0, 1, 2),
      fixed('angularAxes', 0, 1),
      { angularAxes: [2], min: -1.2, max: 1.2 },
    ],
    drives: [
      {
        type: 'angular',
        mode: 'acceleration',
        axis: 2,
        positionTarget: 0.8,
        stiffness: 12,
        damping: 0.5,
        maxForce: 200,
      },
    ],
  },
  // A fan: a motor about y.
  {
    limits: [fixed('linearAxes', 0, 1, 2), fixed('angularAxes', 0, 2)],
    drives: [{ type: 'angular', mode: 'force', axis: 1, velocityTarget: 4, damping: 30, maxForce: 60 }],
  },
  // A lift: a slider along y that a spring holds.
  {
    limits: [
      fixed('linearAxes', 0, 2),
      fixed('angularAxes', 0, 1, 2),
      { linearAxes: [1], min: -0.8, max: 0.8 },
    ],
    drives: [{ type: 'linear', mode: 'force', axis: 1, positionTarget: 0.3, stiffness: 400, damping: 20 }],
  },
  // A rope of 1.5 m.
  { limits: [{ linearAxes: [0, 1, 2], min: 0, max: 1.5 }] },
  // An arm in a cone, with a soft twist.
  {
    limits: [
      fixed('linearAxes', 0, 1, 2),
      { angularAxes: [0, 2], min: 0, max: 0.5 },
      { angularAxes: [1], min: 0, max: 0, stiffness: 20, damping: 2 },
    ],
  },
  // A puck in a square of a plane.
  {
    limits: [
      { linearAxes: [0, 2], min: -0.7, max: 0.7 },
      fixed('linearAxes', 1),
      fixed('angularAxes', 0, 1, 2),
    ],
  },
];
const [DOOR, FAN, LIFT, ROPE, CONE, PUCK] = JOINTS.keys() as unknown as number[];

/** The file: JSON, and the buffer of its mesh. */
export function gltfPhysicsFile(): { json: Plain; buffers: ArrayBuffer[] } {
  const nodes: Plain[] = [];
  const add = (translation: number[], own: Plain, more: Plain = {}): number =>
    nodes.push({
      translation,
      ...(Object.keys(own).length > 0 && { extensions: { [NAME]: own } }),
      ...more,
    }) - 1;
  const of = (shape: number, more: Plain = {}) => ({ collider: { geometry: { shape }, ...more } });

  add([0, 0, 0], of(GROUND!, { collisionFilter: 2, physicsMaterial: 3 }));

  // Every shape, falling; scales and turns of nodes above count.
  [BOX!, BALL!, CAPSULE!, CYLINDER!, PEAR!, BUCKET!].forEach((shape, i) => {
    add(
      [-7.5 + 1.5 * i, 2 + 0.3 * i, -5],
      { motion: { mass: 1 + i }, ...of(shape) },
      { rotation: [0.2, 0, 0.1, 0.974679] },
    );
  });
  const below = add([0, 0, 0], { motion: {}, ...of(BOX!) }, { scale: [0.5, 0.8, 1.2] });
  add([3, 2, -5], {}, { rotation: [0, 0.3826834, 0, 0.9238795], scale: [1.5, 1, 1], children: [below] });
  add([5, 0.02, -5], of(SHEET!));
  add([5, 2, -5], { motion: { mass: 2 }, ...of(BALL!) });

  // Triangles: what stands keeps them, what moves is decomposed, or a hull.
  const shown = add([-7, 0, 0], { collider: { geometry: { mesh: 0 } } }, { mesh: 0 });
  add([-7, 2, 0], { motion: { mass: 1 }, ...of(BALL!) }, { scale: [0.6, 0.6, 0.6] });
  add([-5, 0.5, 0], { motion: { mass: 4 }, collider: { geometry: { node: shown, convexHull: false } } });
  add([-5, 3, 0], { motion: { mass: 1 }, ...of(BALL!) }, { scale: [0.6, 0.6, 0.6] });
  add([-3, 0.5, 0], { motion: { mass: 3 }, collider: { geometry: { mesh: 0, convexHull: true } } });

  // Materials: three boxes on a slope, two balls.
  add([0, 1, 0], of(BOX!), { rotation: [0.2164396, 0, 0, 0.976296], scale: [5, 0.2, 4] });
  for (const i of [0, 1, 3])
    add(
      [-1.6 + 0.9 * i, 2.6, -1.2],
      { motion: { mass: 1 }, ...of(BOX!, { physicsMaterial: i }) },
      { rotation: [0.2164396, 0, 0, 0.976296], scale: [0.6, 0.6, 0.6] },
    );
  add([4, 4, 0], { motion: { mass: 1 }, ...of(BALL!, { physicsMaterial: 2 }) });
  add([5.2, 4, 0], { motion: { mass: 1 }, ...of(BALL!, { physicsMaterial: 0 }) });

  // Filters: ghosts fall through each other, the picky one through all but the ground.
  add([7.5, 0.8, -1], { motion: { mass: 1 }, ...of(BOX!, { collisionFilter: 0 }) });
  add([7.5, 3, -1], { motion: { mass: 1 }, ...of(BOX!, { collisionFilter: 0 }) }, { scale: [0.7, 0.7, 0.7] });
  add([9, 0.6, -1], { motion: { mass: 1 }, ...of(BOX!) });
  add([9, 3, -1], { motion: { mass: 1 }, ...of(BALL!, { collisionFilter: 1 }) });

  // Motions: a top adrift, a tumbler that rights itself, a throw, a turntable, a compound.
  add([-7, 2.5, 5], {
    motion: {
      mass: 2,
      gravityFactor: 0,
      inertiaDiagonal: [0.1, 0.2, 0.35],
      inertiaOrientation: [0, 0, 0.3826834, 0.9238795],
      angularVelocity: [0.05, 4, 0],
    },
    ...of(BOX!),
  });
  add([-4.5, 0.6, 5], {
    motion: { mass: 3, centerOfMass: [0, -0.3, 0], angularVelocity: [0, 0, 3] },
    ...of(BALL!),
  });
  add(
    [-3, 1, 5],
    { motion: { mass: 1, linearVelocity: [3, 5, 0] }, ...of(BOX!) },
    { scale: [0.4, 0.4, 0.4] },
  );
  add(
    [1.5, 0.2, 5],
    { motion: { isKinematic: true, angularVelocity: [0, 0.8, 0] }, ...of(CYLINDER!) },
    { scale: [4, 0.4, 4] },
  );
  const ends = [-0.7, 0.7].map((x) => add([x, 0, 0], of(BALL!)));
  add(
    [1.5, 1.5, 5],
    { motion: { mass: 4 }, ...of(CAPSULE!) },
    { children: ends, rotation: [0, 0, 0.0871557, 0.9961947] },
  );

  // Triggers: one with a shape, one made of two nodes below it.
  add([4, 3, 0], { trigger: { geometry: { shape: BOX }, collisionFilter: 2 } }, { scale: [2, 0.4, 2] });
  const parts = [-0.6, 0.6].map((x) => add([x, 0, 0], { trigger: { geometry: { shape: BALL } } }));
  add([-7, 1.4, 0], { trigger: { nodes: parts } }, { children: parts });

  // Joints: frames are nodes; the other side is the node they are connected to.
  const hang = (at: number[], joint: number, own: Plain, frame: number[], more: Plain = {}) => {
    const anchor = add(at, {});
    const frameNode = add(frame, {
      joint: { connectedNode: anchor, joint, enableCollision: joint === ROPE },
    });
    add(
      at.map((part, i) => part - frame[i]!),
      { motion: { mass: 2 }, ...own },
      { children: [frameNode], ...more },
    );
  };
  hang([5, 3, 5], DOOR!, of(BOX!), [0, 0.5, 0]);
  hang([7, 2.5, 5], FAN!, of(CAPSULE!), [0, 0, 0], { rotation: [0, 0, 0, 1] });
  hang([8.6, 2, 5], LIFT!, of(BOX!), [0, 0, 0]);
  hang([5, 3.5, 8], ROPE!, of(BALL!), [0, 1.2, 0]);
  hang([7, 3.5, 8], CONE!, of(CAPSULE!), [0, 0.8, 0]);
  hang([9, 0.8, 8], PUCK!, of(CYLINDER!), [0, 0, 0]);
  return { json: fileOf(nodes), buffers: [meshBuffer()] };
}

function meshBuffer(): ArrayBuffer {
  const { vertices, indices } = cup();
  const buffer = new ArrayBuffer(4 * vertices.length + 2 * indices.length);
  new Float32Array(buffer, 0, vertices.length).set(vertices);
  new Uint16Array(buffer, 4 * vertices.length, indices.length).set(indices);
  return buffer;
}

function fileOf(nodes: Plain[]): Plain {
  const { vertices, indices } = cup();
  const children = new Set(nodes.flatMap(({ children = [] }) => children as number[]));
  return {
    asset: { version: '2.0' },
    extensionsUsed: [NAME, 'KHR_implicit_shapes'],
    extensions: {
      KHR_implicit_shapes: { shapes: SHAPES },
      [NAME]: { physicsMaterials: MATERIALS, collisionFilters: FILTERS, physicsJoints: JOINTS },
    },
    scene: 0,
    scenes: [{ nodes: [...nodes.keys()].filter((i) => !children.has(i)) }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: vertices.length / 3 },
      { bufferView: 1, componentType: 5123, type: 'SCALAR', count: indices.length },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 4 * vertices.length },
      { buffer: 0, byteOffset: 4 * vertices.length, byteLength: 2 * indices.length },
    ],
    buffers: [{ byteLength: 4 * vertices.length + 2 * indices.length }],
  };
}

export const gltfPhysics: Scene = {
  id: 'gltf-physics',
  title: 'glTF physics',
  description:
    'One glTF file with every feature of the physics extension: shapes, triangles, materials, filters, motions, triggers, joints.',
  camera: { position: [4, 11, 22], target: [1, 0.5, 2] },
  shows: { joints: true },
  build(target) {
    const { json, buffers } = gltfPhysicsFile();
    const { bodies, joints } = readPhysics(json, buffers);
    const made = bodies.map(({ options }) => target.createBody(options));
    for (const { options, bodyA, bodyB } of joints)
      target.createJoint({
        ...options,
        ...(bodyA !== null && { bodyA: made[bodyA] }),
        ...(bodyB !== null && { bodyB: made[bodyB] }),
      } as JointOptions<never>);
  },
};
