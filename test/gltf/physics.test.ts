// Physics of glTF files: what each part of the extension becomes, files that are wrong, scenes of three.js with it.
import { type JointOptions, type RigidBody, type ShapeOptions, World } from 'ricochet';
import { addGltfPhysics, autoColliders, parseGltf, readPhysics } from 'ricochet/gltf';
import { updateBindings } from 'ricochet/three';
import {
  AnimationClip,
  AnimationMixer,
  BoxGeometry,
  Group,
  LoopOnce,
  Matrix4,
  Mesh,
  Object3D,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, test } from 'vitest';
import { random } from '../physics/support/vector';
import { caught } from '../support/caught';

const NAME = 'KHR_physics_rigid_bodies';
type Plain = Record<string, unknown>;

const node = (own: Plain, more: Plain = {}): Plain => ({ ...more, extensions: { [NAME]: own } });
const collider = (shape: number, more: Plain = {}) => ({ collider: { geometry: { shape }, ...more } });

/** A file of nodes and shapes; all nodes stand in the scene. */
function file(
  nodes: Plain[],
  shapes: Plain[] = [{ type: 'box', box: {} }],
  own: Plain = {},
  more: Plain = {},
): Plain {
  return {
    asset: { version: '2.0' },
    nodes,
    extensions: { KHR_implicit_shapes: { shapes }, [NAME]: own },
    ...more,
  };
}

/** A tetrahedron with corners at the origin and 1 m along each axis, in a buffer. */
function tetrahedron(): { more: Plain; buffer: ArrayBuffer } {
  const buffer = new ArrayBuffer(48 + 24);
  new Float32Array(buffer, 0, 12).set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  new Uint16Array(buffer, 48, 12).set([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  return {
    buffer,
    more: {
      buffers: [{ byteLength: 72 }],
      bufferViews: [
        { buffer: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 24 },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, type: 'VEC3', count: 4 },
        { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 12 },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    },
  };
}

const shapeOf = (shape: Plain, scale: number[] = [1, 1, 1], motion = true) =>
  readPhysics(file([node({ ...(motion ? { motion: {} } : {}), ...collider(0) }, { scale })], [shape]))
    .bodies[0]!.options.shape[0]! as ShapeOptions & Plain;

describe('shapes', () => {
  test.each([
    [{ type: 'box', box: { size: [1, 2, 3] } }, [1, -2, 3], { type: 'box', halfExtents: [0.5, 2, 4.5] }],
    [{ type: 'sphere', sphere: { radius: 2 } }, [0.5, 0.5, 0.5], { type: 'sphere', radius: 1 }],
    [{ type: 'sphere' }, [1, 1, 1], { type: 'sphere', radius: 0.5 }],
    [{ type: 'sphere' }, [1, 2, 1], { type: 'hull' }],
    [
      { type: 'capsule', capsule: { height: 2, radiusTop: 1, radiusBottom: 1 } },
      [2, 2, 2],
      { type: 'capsule', radius: 2, halfHeight: 2 },
    ],
    [
      { type: 'capsule', capsule: { height: 2, radiusTop: 1, radiusBottom: 0.5 } },
      [1, 1, 1],
      { type: 'multiSphere' },
    ],
    [
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 1, radiusBottom: 1 } },
      [2, 3, 2],
      { type: 'cylinder', radius: 2, halfHeight: 3 },
    ],
    [
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0, radiusBottom: 1 } },
      [1, 1, 1],
      { type: 'cone', radius: 1, halfHeight: 1 },
    ],
    [
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.5, radiusBottom: 1 } },
      [1, 1, 1],
      { type: 'hull' },
    ],
    [
      { type: 'plane', plane: { sizeX: 2, sizeZ: 4 } },
      [1, 1, 1],
      { type: 'box', halfExtents: [1, 0.005, 2] },
    ],
  ])('%j at %j is %j', (shape, scale, expected) => {
    expect(shapeOf(shape, scale)).toMatchObject(expected);
    const world = new World();
    world.createBody({ shape: shapeOf(shape, scale) });
    world.step(1 / 60);
  });

  test('animations of what has a body, and of what is above one, are named: bodies do not follow them by themselves', () => {
    const plain = file(
      [
        { children: [1] },
        node({ motion: { isKinematic: true }, ...collider(0) }),
        { children: [3] },
        node({ ...collider(0) }),
        {},
        node({ motion: {}, ...collider(0) }),
      ],
      [{ type: 'box' }],
    );
    const channel = (at: number, path = 'rotation') => ({ sampler: 0, target: { node: at, path } });
    const animations = [
      { channels: [channel(1), channel(4)] },
      { channels: [channel(2), channel(5, 'weights')] },
    ];
    expect(readPhysics(plain).warnings).toEqual([]);
    expect(readPhysics({ ...plain, animations }).warnings).toEqual([
      'animations[0].channels[0]: moves nodes[1]: kinematic bodies at and below it follow by lead() of addGltfPhysics',
      'animations[1].channels[0]: moves nodes[2], which the bodies at and below it do not follow',
    ]);
    expect(caught(() => readPhysics({ ...plain, animations: [{ channels: [channel(6)] }] }))).toMatchObject({
      code: 'damaged-file',
      argument: 'animations[0].channels[0].target.node',
    });
  });

  test('planes that stand: endless or of triangles with one side', () => {
    expect(shapeOf({ type: 'plane' }, [1, 1, 1], false)).toMatchObject({ type: 'plane' });
    expect(shapeOf({ type: 'plane', plane: { sizeX: 1, sizeZ: 1 } }, [1, 1, 1], false)).toMatchObject({
      type: 'mesh',
    });
  });

  test.each([
    [-1, 1, 1],
    [1, 1, -1],
    [-1, 1, -1],
    [-1, -1, 1],
  ])('a plane with sizes keeps its front below a scale of [%d, %d, %d]', (...scale) => {
    const plane = { type: 'plane', plane: { sizeX: 10, sizeZ: 10 } };
    const world = new World();
    const up = scale[1]!;
    world.setGravity([0, -9.81 * up, 0]);
    for (const { options } of readPhysics(file([node(collider(0), { scale })], [plane])).bodies)
      world.createBody(options);
    const ball = world.createBody({ position: [1, up, 1], shape: { type: 'sphere', radius: 0.3 } });
    for (let i = 0; i < 60; i++) world.step(1 / 60);
    expect(ball.getPosition()[1]).toBeCloseTo(0.3 * up, 2);
  });

  test('triangles by all three spellings, as mesh, hull or parts; sheared by what is above', () => {
    const { more, buffer } = tetrahedron();
    for (const geometry of [{ node: 0 }, { mesh: 0 }]) {
      const make = (convexHull: boolean, motion: Plain) =>
        readPhysics(
          file(
            [node({ ...motion, collider: { geometry: { ...geometry, convexHull } } }, { mesh: 0 })],
            [],
            {},
            more,
          ),
          [buffer],
        ).bodies[0]!.options;
      expect(make(true, { motion: {} }).shape[0]!.type).toBe('hull');
      expect(make(false, { motion: {} }).shape[0]).toMatchObject({ type: 'mesh', dynamic: 'decompose' });
      expect(make(false, {}).type).toBe('static');
      expect(new World().createBody(make(false, { motion: {} })).shapes.length).toBe(1);
    }
    const old = file(
      [node({ motion: {}, collider: { shape: 0 } })],
      [{ type: 'convex', convex: { mesh: 0 } }],
      {},
      more,
    );
    expect(readPhysics(old, [buffer]).bodies[0]!.options.shape[0]!.type).toBe('hull');
    const sheared = file(
      [
        { scale: [3, 1, 1], children: [1] },
        node(
          { motion: {}, collider: { geometry: { mesh: 0, convexHull: true } } },
          { rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] },
        ),
      ],
      [],
      {},
      more,
    );
    const physics = readPhysics(sheared, [buffer]);
    expect(new World().createBody(physics.bodies[0]!.options).mass).toBeCloseTo((1000 / 6) * 3, 0);
    expect(physics.warnings.join()).toMatch(/nodes\[1\].*shear/);
  });
});

describe('bodies', () => {
  test('colliders below a motion are its compound; another motion below is another body; the rest stands', () => {
    const { bodies } = readPhysics(
      file([
        node(
          { motion: { mass: 3 }, ...collider(0) },
          { children: [1, 2], translation: [0, 5, 0], name: 'top' },
        ),
        node(collider(0), { translation: [1, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }),
        node(
          { motion: { isKinematic: true, linearVelocity: [0, 0, 1] }, ...collider(0) },
          { translation: [0, 1, 0], rotation: [0, 1, 0, 0] },
        ),
        node(collider(0), { translation: [9, 0, 0] }),
      ]),
    );
    expect(bodies.map(({ options, shapeNodes }) => [options.type, ...shapeNodes])).toEqual([
      ['dynamic', 0, 1],
      ['kinematic', 2],
      ['static', 3],
    ]);
    expect(bodies[0]).toMatchObject({ name: 'top', options: { mass: 3, position: [0, 5, 0] } });
    expect(bodies[0]!.options.shape[1]!.position).toEqual([1, 0, 0]);
    expect(bodies[1]!.options.position).toEqual([0, 6, 0]);
    expect([...(bodies[1]!.options.linearVelocity as number[])].map((c) => Math.round(c) + 0)).toEqual([
      0, 0, -1,
    ]);
  });

  test('triggers are sensors, several of them one body', () => {
    const { bodies } = readPhysics(
      file([
        node({ trigger: { nodes: [1, 2] } }, { children: [1, 2] }),
        node({ trigger: { geometry: { shape: 0 } } }, { translation: [1, 0, 0] }),
        node({ trigger: { geometry: { shape: 0 } } }, { translation: [-1, 0, 0] }),
      ]),
    );
    expect(bodies.length).toBe(1);
    expect(bodies[0]).toMatchObject({ node: 0, shapeNodes: [1, 2] });
    expect(bodies[0]!.options.shape.every(({ sensor }) => sensor === true)).toBe(true);
  });

  test('filters by names of systems, both ways', () => {
    const own = {
      collisionFilters: [
        { collisionSystems: ['a'] },
        { collisionSystems: ['b'], collideWithSystems: ['b', 'c'] },
        { collisionSystems: ['c'], notCollideWithSystems: ['a'] },
      ],
    };
    const { bodies } = readPhysics(
      file(
        [0, 1, 2, undefined].map((collisionFilter) =>
          node(collider(0, collisionFilter === undefined ? {} : { collisionFilter })),
        ),
        undefined,
        own,
      ),
    );
    const meets = (i: number, j: number) => {
      const [a, b] = [bodies[i]!.options.shape[0]!, bodies[j]!.options.shape[0]!];
      return (a.group! & b.mask!) !== 0 && (b.group! & a.mask!) !== 0;
    };
    const pairs = [
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 2],
      [2, 3],
    ] as const;
    expect(pairs.filter(([i, j]) => meets(i, j)).map(String)).toEqual([
      '0,0',
      '0,3',
      '1,1',
      '1,2',
      '2,2',
      '2,3',
    ]);
  });

  test('moments about axes of their own: the node shows its pose, not that of the axes', async () => {
    const turn = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
    const json = file([
      node({
        motion: {
          mass: 1,
          inertiaDiagonal: [1, 2, 3],
          inertiaOrientation: turn,
          angularVelocity: [0, 0, 1],
          gravityFactor: 0,
        },
        ...collider(0),
      }),
    ]);
    const object = new Object3D();
    const scene = new Group().add(object);
    const world = new World();
    await addGltfPhysics(world, loaded(json, [object]), scene);
    for (let i = 0; i < 60; i++) world.step(1 / 60);
    updateBindings(world);
    expect(2 * Math.asin(object.quaternion.z)).toBeCloseTo(1, 3);
  });
});

/** What GLTFLoader gives, as far as it is read. */
function loaded(json: Plain, objects: Object3D[], buffers: ArrayBuffer[] = []) {
  const associations = new Map<unknown, { nodes?: number }>(
    objects.map((object, nodes) => [object, { nodes }]),
  );
  return { parser: { json, associations, getDependency: async (_: string, i: number) => buffers[i] } };
}

describe('joints', () => {
  const twoBoxes = (description: Plain, joint: Plain = {}) =>
    file(
      [
        node({ ...collider(0), joint: { connectedNode: 2, joint: 0, ...joint } }),
        node({ motion: { mass: 1 }, ...collider(0) }, { children: [2], translation: [0, -2, 0] }),
        { translation: [0, 2, 0] },
      ],
      undefined,
      { physicsJoints: [description] },
    );
  const run = (json: Plain, seconds: number, kick?: (body: RigidBody) => void) => {
    const { bodies, joints, warnings } = readPhysics(json);
    const world = new World({ sleeping: false });
    const made = bodies.map(({ options }) => world.createBody(options));
    for (const { bodyA, bodyB, options } of joints)
      world.createJoint({ ...options, bodyA: made[bodyA!], bodyB: made[bodyB!] } as never);
    kick?.(made[0]!);
    for (let i = 0; i < 60 * seconds; i++) world.step(1 / 60);
    return { body: made[0]!, joints, warnings, world };
  };
  const all = [0, 1, 2];
  const zero = { min: 0, max: 0 };

  test('a ball joint, a hinge about each axis beyond 90°, a rope, a fixed one', () => {
    const length = (body: RigidBody) => Math.hypot(...body.getPosition());
    expect(
      length(
        run(twoBoxes({ limits: [{ linearAxes: all, ...zero }] }), 2, (b) => b.applyImpulse([2, 0, 1])).body,
      ),
    ).toBeCloseTo(2, 2);
    for (const axis of all) {
      const limits = [
        { linearAxes: all, ...zero },
        { angularAxes: all.filter((k) => k !== axis), ...zero },
      ];
      const spin = all.map((k) => (k === axis ? 9 : 0)) as [number, number, number];
      let most = 0;
      const { world, body } = run(twoBoxes({ limits }), 0, (b) => b.setAngularVelocity(spin));
      for (let i = 0; i < 120; i++) {
        world.step(1 / 60);
        const q = body.getRotation();
        most = Math.max(most, 2 * Math.abs(Math.asin(Math.max(-1, Math.min(1, [...q][axis]!)))));
        for (const other of all) if (other !== axis) expect(Math.abs([...q][other]!)).toBeLessThan(0.02);
      }
      expect(length(body)).toBeCloseTo(2, 1);
      if (axis === 1) expect(most).toBeGreaterThan(2);
    }
    const rope = run(twoBoxes({ limits: [{ linearAxes: all, max: 1.5 }] }), 3);
    expect(rope.joints.length).toBe(1);
    expect(-rope.body.getPosition()[1]!).toBeCloseTo(3.5, 1);
    const fixed = run(
      twoBoxes({
        limits: [
          { linearAxes: all, ...zero },
          { angularAxes: all, ...zero },
        ],
      }),
      2,
    ).body;
    expect([...fixed.getRotation()].slice(0, 3).every((c) => Math.abs(c) < 0.01)).toBe(true);
  });

  test('of three linear axes one distance is a rod, and with a stiffness a spring of that length', () => {
    const settle = (limit: Plain) => {
      const nodes = [
        node({ motion: { mass: 1 }, ...collider(0) }, { translation: [0, 2, 0], children: [2] }),
        { translation: [0, 4, 0] },
        node({ joint: { connectedNode: 1, joint: 0 } }),
      ];
      const ball = { type: 'sphere', sphere: { radius: 0.1 } };
      const limits = [{ linearAxes: [0, 1, 2], ...limit }];
      const { bodies, joints, warnings } = readPhysics(file(nodes, [ball], { physicsJoints: [{ limits }] }));
      expect(warnings).toEqual([]);
      const world = new World({ gravity: [0, -10, 0] });
      const body = world.createBody(bodies[0]!.options);
      for (const { options } of joints)
        world.createJoint({ ...options, bodyA: body } as JointOptions<RigidBody>);
      body.setLinearVelocity([1, 0, 0]);
      for (let i = 0; i < 600; i++) world.step(1 / 60);
      return Math.hypot(...body.getPosition().map((c, k) => c - [0, 4, 0][k]!));
    };
    expect(settle({ min: 2, max: 2 })).toBeCloseTo(2, 3);
    expect(settle({ min: 0, max: 2 })).toBeCloseTo(2, 3);
    // m g / k beyond its length.
    expect(Math.abs(settle({ min: 2, max: 2, stiffness: 100, damping: 20 }) - 2.1)).toBeLessThan(0.02);
    expect(settle({ min: 2, max: 2, stiffness: 0 })).toBeGreaterThan(100);
  });

  test.each([
    [-1, 1, 1],
    [1, -1, 1],
    [1, 1, -1],
    [-1, -1, -1],
    [-1, 1, -1],
  ])('joints and velocities below a scale of [%d, %d, %d] do the same in the mirror', (...scale) => {
    const point = { linearAxes: [0, 1, 2], min: 0, max: 0 };
    const stiff = { angularAxes: [0, 1, 2], min: 0, max: 0 };
    const descriptions: Plain[] = [{}, { limits: [point] }];
    for (const axis of [0, 1, 2]) {
      const others = [0, 1, 2].filter((k) => k !== axis);
      const hinge = [point, { angularAxes: others, min: 0, max: 0 }];
      const slider = [stiff, { linearAxes: others, min: 0, max: 0 }];
      const spring = { axis, stiffness: 50, damping: 5, positionTarget: 0.6 };
      descriptions.push(
        { limits: [...hinge, { angularAxes: [axis], min: -0.2, max: 0.7 }] },
        { limits: hinge, drives: [{ type: 'angular', ...spring }] },
        {
          limits: hinge,
          drives: [{ type: 'angular', axis, damping: 5, velocityTarget: 0.6, maxForce: 1000 }],
        },
        { limits: [...slider, { linearAxes: [axis], min: -0.1, max: 0.5 }] },
        { limits: slider, drives: [{ type: 'linear', ...spring }] },
      );
    }
    const run = (description: Plain, mirror: number[]) => {
      const motion = { mass: 2, linearVelocity: [0.3, 0.5, -0.2], angularVelocity: [0.5, -0.3, 0.8] };
      const nodes = [
        { children: [1, 2], scale: mirror },
        node(
          { motion, ...collider(0) },
          { translation: [0.3, 0.2, 0.1], rotation: [0.1, 0.2, 0.3, 0.9], children: [3] },
        ),
        { rotation: [0.3, -0.1, 0.2, 0.9] },
        node({ joint: { connectedNode: 2, joint: 0 } }, { translation: [0.1, 0.4, -0.2] }),
      ];
      const box = { type: 'box', box: { size: [0.5, 0.7, 0.9] } };
      const { bodies, joints } = readPhysics(file(nodes, [box], { physicsJoints: [description] }));
      const world = new World({ gravity: [1, -9, 2].map((c, k) => c * mirror[k]!) });
      const body = world.createBody(bodies[0]!.options);
      for (const { options } of joints)
        world.createJoint({ ...options, bodyA: body } as JointOptions<RigidBody>);
      for (let i = 0; i < 40; i++) world.step(1 / 60);
      return body.getCenterOfMassPosition();
    };
    for (const description of descriptions) {
      const [plain, seen] = [run(description, [1, 1, 1]), run(description, scale)];
      const apart = Math.hypot(...plain.map((c, k) => c - scale[k]! * seen[k]!));
      expect(apart, JSON.stringify(description)).toBeLessThan(1e-3);
    }
  });

  test('a slider with limits, springs by force and by acceleration, a motor', () => {
    const along = (limit: Plain, drives: Plain[] = []) =>
      twoBoxes({
        limits: [
          { linearAxes: [0, 2], ...zero },
          { linearAxes: [1], ...limit },
          { angularAxes: all, ...zero },
        ],
        drives,
      });
    const height = (json: Plain) => run(json, 4).body.getPosition()[1]!;
    expect(height(along({ min: -1, max: 0.5 }))).toBeCloseTo(-3, 2);
    const drive = { type: 'linear', axis: 1, positionTarget: 0.5 };
    expect(height(along({ min: -5, max: 5 }, [{ ...drive, stiffness: 100, damping: 20 }]))).toBeCloseTo(
      -1.5 - 9.81 / 100,
      2,
    );
    expect(
      height(along({ min: -5, max: 5 }, [{ ...drive, mode: 'acceleration', stiffness: 100, damping: 20 }])),
    ).toBeCloseTo(-1.5 - 9.81 / 100, 2);
    expect(
      height(
        along({ min: -9, max: 9 }, [
          { type: 'linear', axis: 1, velocityTarget: 0.5, damping: 1e4, maxForce: 1e4 },
        ]),
      ),
    ).toBeCloseTo(0, 1);
  });

  test('joined bodies do not collide unless they are to', () => {
    const limits = [{ linearAxes: all, ...zero }];
    expect(readPhysics(twoBoxes({ limits })).joints[0]!.options.collideConnected).toBe(false);
    expect(
      readPhysics(twoBoxes({ limits }, { enableCollision: true })).joints[0]!.options.collideConnected,
    ).toBe(true);
  });
});

describe('files that are wrong', () => {
  const { more, buffer } = tetrahedron();
  const mesh = (change: (json: Plain) => void) => {
    const json = structuredClone(
      file([node({ motion: {}, collider: { geometry: { node: 0 } } }, { mesh: 0 })], [], {}, more),
    );
    change(json);
    return json;
  };
  const at = (json: Plain, ...path: (string | number)[]) =>
    path.reduce<Plain>((value, key) => value[key] as Plain, json);
  test.each<[string, Plain]>([
    ['nodes[1].children', { nodes: [{}, { children: [2] }, { children: [1] }] }],
    ['nodes[0].children', { nodes: [{ children: [0] }] }],
    ['nodes[1].children[0]', { nodes: [{ children: [2] }, { children: [2] }, {}] }],
    ['nodes[0].children[0]', { nodes: [{ children: [7] }] }],
    ['nodes[0].rotation', { nodes: [{ rotation: [0, 0, 0] }] }],
    ['nodes[0].scale[1]', { nodes: [{ scale: [1, 'x', 1] }] }],
    [`nodes[0].extensions.${NAME}.motion.mass`, file([node({ motion: { mass: -1 } })])],
    [`nodes[0].extensions.${NAME}.collider.geometry`, file([node({ collider: { geometry: {} } })])],
    [`nodes[0].extensions.${NAME}.collider.geometry.shape`, file([node(collider(3))])],
    [
      `nodes[0].extensions.${NAME}.collider.physicsMaterial`,
      file([node(collider(0, { physicsMaterial: 0 }))]),
    ],
    ['extensions.KHR_implicit_shapes.shapes[0].type', file([node(collider(0))], [{ type: 'star' }])],
    [
      'extensions.KHR_implicit_shapes.shapes[0].box.size[2]',
      file([node(collider(0))], [{ type: 'box', box: { size: [1, 1, 0] } }]),
    ],
    [
      `nodes[0].extensions.${NAME}.joint.connectedNode`,
      file([node({ joint: { joint: 0 } })], [], { physicsJoints: [{}] }),
    ],
    [
      `nodes[0].extensions.${NAME}.collider.geometry.node`,
      file([node({ collider: { geometry: { node: 4 } } })]),
    ],
    ['bufferViews[0]', mesh((json) => (at(json, 'bufferViews', 0)['byteLength'] = 1e6))],
    ['accessors[0]', mesh((json) => (at(json, 'accessors', 0)['count'] = 5))],
    ['accessors[0].type', mesh((json) => (at(json, 'accessors', 0)['type'] = 'VEC2'))],
    ['meshes[0].primitives[0].indices', mesh((json) => (at(json, 'accessors', 0)['count'] = 3))],
  ])('%s is named', (path, json) => {
    expect(() => readPhysics(json, [buffer])).toThrow(
      expect.objectContaining({ code: 'damaged-file', argument: path }),
    );
  });

  const RUNS = Number(process.env['MUTATIONS'] ?? (process.env['SOAK'] === '1' ? 10_000 : 300));
  test(`${RUNS} spoiled files are read or refused with a place, and soon`, () => {
    const next = random(20261123);
    const json = file(
      [
        node(
          {
            motion: { mass: 1, inertiaDiagonal: [1, 1, 1] },
            collider: { geometry: { node: 0 }, physicsMaterial: 0, collisionFilter: 0 },
            joint: { joint: 0, connectedNode: 1 },
          },
          { mesh: 0, children: [1], translation: [1, 2, 3] },
        ),
        node({ motion: {}, ...collider(0) }, { scale: [2, 2, 2] }),
        node({ trigger: { geometry: { shape: 1 } } }),
      ],
      [
        { type: 'box', box: { size: [1, 2, 3] } },
        { type: 'capsule', capsule: { height: 1 } },
      ],
      {
        physicsMaterials: [{ dynamicFriction: 0.3 }],
        collisionFilters: [{ collisionSystems: ['x'] }],
        physicsJoints: [
          {
            limits: [{ linearAxes: [0, 1, 2], min: 0, max: 0 }],
            drives: [{ type: 'angular', axis: 0, stiffness: 3 }],
          },
        ],
      },
      { ...more, scene: 0, scenes: [{ nodes: [0, 2] }] },
    );
    const text = JSON.stringify(json);
    const body = new Uint8Array(buffer);
    const glb = new Uint8Array(12 + 8 + text.length + 8 + body.length);
    const view = new DataView(glb.buffer);
    for (const [i, word] of [0x46546c67, 2, glb.length, text.length, 0x4e4f534a].entries())
      view.setUint32(4 * i, word, true);
    glb.set(new TextEncoder().encode(text), 20);
    view.setUint32(20 + text.length, body.length, true);
    view.setUint32(24 + text.length, 0x004e4942, true);
    glb.set(body, 28 + text.length);
    const whole = parseGltf(glb);
    expect(readPhysics(whole.json, whole.buffers).bodies.length).toBe(3);
    const VALUES = ['0', '-1', '1e9', '99', '"x"', 'null', '[]', '{}', '1e300', '0.5', 'true'];
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      let spoiled = glb.slice();
      if (run % 3 === 0) {
        // Another number, text or list in place of a number.
        const numbers = [...text.matchAll(/(?<=[:[,])-?\d+(\.\d+)?(?=[,\]}])/g)];
        const hit = numbers[Math.floor(next() * numbers.length)]!;
        const changed =
          text.slice(0, hit.index) +
          VALUES[Math.floor(next() * VALUES.length)] +
          text.slice(hit.index + hit[0].length);
        spoiled = new TextEncoder().encode(changed) as typeof spoiled;
      } else if (run % 3 === 1)
        for (let k = 0; k < 3; k++) spoiled[Math.floor(next() * spoiled.length)] = Math.floor(next() * 256);
      else spoiled = spoiled.slice(0, Math.floor(next() * spoiled.length));
      try {
        const { json: read, buffers } = parseGltf(spoiled);
        readPhysics(read, [buffers[0] ?? buffer]);
      } catch (error) {
        expect(error).toMatchObject({ name: 'PhysicsError', code: 'damaged-file' });
        refused++;
      }
    }
    console.log(`${refused} of ${RUNS} refused`);
    expect(refused).toBeGreaterThan(RUNS / 3);
  });
});

describe('scenes of three.js', () => {
  test('objects follow their bodies below scaled parents; remove takes all out; a damaged file leaves nothing', async () => {
    const child = new Object3D();
    const parent = new Object3D().add(child);
    parent.scale.setScalar(2);
    child.position.set(0, 3, 0);
    const scene = new Group().add(parent);
    const json = file([
      { children: [1], scale: [2, 2, 2] },
      node({ motion: {}, ...collider(0) }, { translation: [0, 3, 0] }),
      node(collider(0), { translation: [0, -1, 0], scale: [9, 1, 9] }),
    ]);
    const world = new World();
    const added = await addGltfPhysics(world, loaded(json, [parent, child, new Object3D()]), scene);
    expect(added.bodies.size).toBe(2);
    for (let i = 0; i < 180; i++) world.step(1 / 60);
    updateBindings(world);
    scene.updateWorldMatrix(true, true);
    // The box of 2 m lies on what ends at −0.5 m.
    expect(child.matrixWorld.elements[13]).toBeCloseTo(0.5, 2);
    expect(child.matrixWorld.elements[0]).toBeCloseTo(2, 5);
    added.remove();
    expect(world.bodyCount).toBe(0);
    const broken = file([node({ motion: {}, ...collider(0) }), node(collider(9))]);
    await expect(addGltfPhysics(world, loaded(broken, []), scene)).rejects.toMatchObject({
      code: 'damaged-file',
    });
    expect(world.bodyCount).toBe(0);
  });

  test.each([
    [1, 1, 1],
    [-2, 2, 2],
    [1, 1, -1],
    [-1, -1, 1],
  ])(
    'mirrored nodes below a scale of [%d, %d, %d] are shown as the file has them, and turn with their bodies',
    async (...above) => {
      const corners = [1, -1].flatMap((x) => [1, -1].flatMap((y) => [1, -1].map((z) => [x, 2 * y, z])));
      const rotation = new Quaternion(0.1, 0.2, 0.3, 0.9).normalize();
      const turn = new Quaternion(0.3, 0.5, -0.4, 0.7).normalize();
      for (const own of corners)
        for (const asMatrix of [false, true]) {
          const child = new Object3D();
          const parent = new Object3D().add(child);
          parent.scale.fromArray(above);
          parent.quaternion.copy(turn);
          const matrix = new Matrix4().compose(new Vector3(1, 2, 3), rotation, new Vector3().fromArray(own));
          child.applyMatrix4(matrix);
          if (!asMatrix) child.quaternion.copy(rotation);
          if (!asMatrix) child.scale.fromArray(own);
          const scene = new Group().add(parent);
          scene.updateMatrixWorld(true);
          const before = child.matrixWorld.clone();
          const place = asMatrix
            ? { matrix: matrix.toArray() }
            : { translation: [1, 2, 3], rotation: rotation.toArray(), scale: own };
          const json = file([
            { children: [1], scale: above, rotation: turn.toArray() },
            node({ motion: {}, ...collider(0) }, place),
          ]);
          const world = new World({ gravity: [0, 0, 0] });
          const { bodies } = await addGltfPhysics(world, loaded(json, [parent, child]), scene);
          const apart = (wanted: Matrix4) => {
            updateBindings(world);
            scene.updateMatrixWorld(true);
            return Math.max(...wanted.elements.map((c, i) => Math.abs(c - child.matrixWorld.elements[i]!)));
          };
          expect(apart(before)).toBeLessThan(1e-5);
          const body = bodies.get(1)!;
          const origin = body.getPosition(new Vector3());
          body.setRotation(turn.clone().multiply(body.getRotation(new Quaternion())));
          const turned = new Matrix4()
            .makeTranslation(origin)
            .multiply(new Matrix4().makeRotationFromQuaternion(turn))
            .multiply(new Matrix4().makeTranslation(origin.clone().negate()));
          expect(apart(turned.multiply(before))).toBeLessThan(1e-5);
        }
    },
  );

  test('a scene that is placed, turned and scaled has its bodies where its objects are', async () => {
    const [crate, ground] = [new Object3D(), new Object3D()];
    crate.position.set(1, 2, 0);
    const scene = new Group().add(crate, ground);
    scene.position.set(10, 5, 0);
    scene.rotation.y = Math.PI / 2;
    scene.scale.setScalar(2);
    const json = file([
      node({ motion: {}, ...collider(0) }, { translation: [1, 2, 0] }),
      node(collider(0), { translation: [0, -0.5, 0], scale: [9, 1, 9] }),
    ]);
    const world = new World();
    const { bodies } = await addGltfPhysics(world, loaded(json, [crate, ground]), scene);
    expect(
      bodies
        .get(0)!
        .getPosition(new Vector3())
        .distanceTo(new Vector3(10, 9, -2)),
    ).toBeLessThan(1e-5);
    for (let i = 0; i < 120; i++) world.step(1 / 60);
    updateBindings(world);
    // Half a metre above the ground of the model, on it.
    expect(crate.position.toArray().map((c) => Math.round(100 * c))).toEqual([100, 50, 0]);
    expect(() => readPhysics(json, [], { place: [1, 2] })).toThrow(/place must be 16 finite numbers/);
  });

  test.each([
    [[1, 1, 1], 0],
    [[2, 2, 2], 0.7],
    [[-1, 1, 1], 0.7],
  ])(
    'a kinematic body follows the animation of its object below a scale of %j, and carries what stands on it',
    async (above, tilt) => {
      const [parent, lift, crate] = [new Object3D(), new Object3D(), new Object3D()];
      parent.scale.fromArray(above);
      parent.add(lift);
      lift.name = 'lift';
      lift.quaternion.set(0, Math.sin(tilt), 0, Math.cos(tilt));
      const scene = new Group().add(parent, crate);
      const y = above[1]!;
      crate.position.y = y;
      const axes = { inertiaDiagonal: [1, 2, 3], inertiaOrientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };
      const json = file(
        [
          { children: [1], scale: above },
          node(
            { motion: { isKinematic: true, mass: 1, ...axes }, ...collider(0) },
            { rotation: lift.quaternion.toArray() },
          ),
          node({ motion: { mass: 1 }, ...collider(0) }, { translation: crate.position.toArray() }),
        ],
        [{ type: 'box', box: { size: [1, 1, 1] } }],
      );
      const world = new World();
      const added = await addGltfPhysics(world, loaded(json, [parent, lift, crate]), scene);
      // The animation begins a metre to the side, and rises by 2 m in a second.
      const clip = new AnimationClip('rise', 1, [
        new VectorKeyframeTrack('lift.position', [0, 1], [0, 0, 0, 0, 2, 0]),
      ]);
      const mixer = new AnimationMixer(scene);
      mixer.clipAction(clip).setLoop(LoopOnce, 1).play();
      mixer.clipAction(clip).clampWhenFinished = true;
      const body = added.bodies.get(1)!;
      for (let i = 0; i < 120; i++) {
        mixer.update(1 / 60);
        added.lead();
        world.step(1 / 60);
        updateBindings(world);
        scene.updateMatrixWorld(true);
        const drawn = new Vector3().setFromMatrixPosition(lift.matrixWorld);
        expect(body.getPosition(new Vector3()).distanceTo(drawn)).toBeLessThan(1e-5);
        if (i === 30) expect(body.getLinearVelocity()[1]).toBeCloseTo(2 * y, 3);
      }
      expect(lift.position.y).toBeCloseTo(2, 5); // the animation's, not the body's
      const half = 0.5 * y;
      expect(Math.abs(crate.position.y - (2 * y + half + 0.5))).toBeLessThan(0.02);
      // Turned by the animation, it is turned as its object is drawn.
      lift.quaternion.premultiply(new Quaternion(0, 0, Math.sin(0.2), Math.cos(0.2)));
      added.lead();
      world.step(1 / 60);
      scene.updateMatrixWorld(true);
      const turnedBy = new Matrix4().extractRotation(lift.matrixWorld);
      const sides = [0, 1, 2].map((k) => new Vector3().setFromMatrixColumn(turnedBy, k));
      const own = new Matrix4().makeRotationFromQuaternion(body.getRotation(new Quaternion()));
      // Each side of the box that is drawn is one of the body's, or its opposite.
      for (const side of sides) {
        const most = [0, 1, 2].map((k) => Math.abs(side.dot(new Vector3().setFromMatrixColumn(own, k))));
        expect(Math.max(...most)).toBeCloseTo(1, 5);
      }
    },
  );

  test('a body with axes of its own is drawn between two steps, as others are', async () => {
    const [one, other] = [new Object3D(), new Object3D()];
    const scene = new Group().add(one, other);
    const axes = { inertiaDiagonal: [1, 2, 3], inertiaOrientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };
    const spin = { angularVelocity: [0, 1, 0] };
    const json = file([
      node({ motion: { ...axes, ...spin }, ...collider(0) }),
      node({ motion: spin, ...collider(0) }, { translation: [5, 0, 0] }),
    ]);
    const world = new World();
    await addGltfPhysics(world, loaded(json, [one, other]), scene);
    for (let i = 0; i < 7; i++) world.stepSimulation(1 / 144, 4, 1 / 60);
    updateBindings(world);
    expect(one.position.y).toBeCloseTo(other.position.y, 6);
    expect(one.quaternion.y).toBeCloseTo(other.quaternion.y, 5);
  });

  test('autoColliders chooses box, ball, hull, parts or triangles by volume', () => {
    const scene = new Group();
    const add = (name: string, geometry: ConstructorParameters<typeof Mesh>[0]) => {
      const mesh = new Mesh(geometry);
      mesh.name = name;
      scene.add(mesh);
      return mesh;
    };
    add('box', new BoxGeometry(1, 2, 3)).scale.set(1, 2, 1);
    add('ball', new SphereGeometry(1, 48, 32));
    const ring = add('ring', new TorusGeometry(1, 0.3, 10, 20));
    ring.position.set(5, 0, 0);
    const kinds = (dynamic: boolean) =>
      Object.fromEntries(autoColliders(scene, { dynamic }).map(({ object, kind }) => [object.name, kind]));
    expect(kinds(false)).toEqual({ box: 'box', ball: 'sphere', ring: 'mesh' });
    expect(kinds(true)).toEqual({ box: 'box', ball: 'sphere', ring: 'hulls' });
    const world = new World();
    for (const { shapes } of autoColliders(scene, { dynamic: true, common: { friction: 0.9 } })) {
      expect(shapes.every(({ friction }) => friction === 0.9)).toBe(true);
      world.createBody({ shape: shapes });
    }
    world.step(1 / 60);
  });
});
