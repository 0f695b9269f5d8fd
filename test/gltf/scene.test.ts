// The scene of the demo that uses every feature of the glTF physics extension: nothing is missing, and each station does what it is for.
import { type RigidBody, World } from 'ricochet';
import { readPhysics } from 'ricochet/gltf';
import { expect, test } from 'vitest';
import { gltfPhysicsFile } from '../../demo/scenes/gltf-physics';

/** Every property of KHR_implicit_shapes and KHR_physics_rigid_bodies (glTF#2424, #2370). */
const PROPERTIES = [
  ...['box', 'size', 'sphere', 'radius', 'capsule', 'cylinder', 'height', 'radiusBottom', 'radiusTop'],
  ...['plane', 'sizeX', 'sizeZ', 'doubleSided'],
  ...['physicsMaterials', 'staticFriction', 'dynamicFriction', 'restitution', 'frictionCombine'],
  ...['restitutionCombine', 'collisionFilters', 'collisionSystems', 'collideWithSystems'],
  ...['notCollideWithSystems', 'physicsJoints', 'limits', 'linearAxes', 'angularAxes', 'min', 'max'],
  ...[
    'stiffness',
    'damping',
    'drives',
    'type',
    'mode',
    'axis',
    'maxForce',
    'positionTarget',
    'velocityTarget',
  ],
  ...['motion', 'isKinematic', 'mass', 'centerOfMass', 'inertiaDiagonal', 'inertiaOrientation'],
  ...['linearVelocity', 'angularVelocity', 'gravityFactor', 'collider', 'geometry', 'shape', 'mesh', 'node'],
  ...['convexHull', 'physicsMaterial', 'collisionFilter', 'trigger', 'nodes', 'joint', 'connectedNode'],
  'enableCollision',
];
const VALUES = ['average', 'minimum', 'maximum', 'multiply', 'linear', 'angular', 'force', 'acceleration'];

const { json, buffers } = gltfPhysicsFile();

function collect(value: unknown, keys: Set<string>, values: Set<unknown>): void {
  if (typeof value !== 'object' || value === null) return void values.add(value);
  for (const [key, inner] of Object.entries(value)) {
    keys.add(key);
    collect(inner, keys, values);
  }
}

test('every property and value of the extension is in the file', () => {
  const [keys, values] = [new Set<string>(), new Set<unknown>()];
  collect(json, keys, values);
  expect(PROPERTIES.filter((name) => !keys.has(name))).toEqual([]);
  expect(VALUES.filter((value) => !values.has(value))).toEqual([]);
});

test('it plays: nothing falls through the ground, joints hold, doubts are few', () => {
  const { bodies, joints, warnings } = readPhysics(json, buffers);
  console.log(warnings.join('\n'));
  const world = new World();
  const made = bodies.map(({ options }) => world.createBody(options));
  const joined = joints.map(({ options, bodyA, bodyB }) =>
    world.createJoint({
      ...options,
      ...(bodyA !== null && { bodyA: made[bodyA]! }),
      ...(bodyB !== null && { bodyB: made[bodyB]! }),
    } as Parameters<World['createJoint']>[0]),
  );
  expect(joined.length).toBe(6);
  const heights = (list: readonly RigidBody[]) => list.map((body) => body.getPosition()[1]);
  world.advance(600);
  for (const [i, height] of heights(made).entries())
    if (bodies[i]!.options.type === 'dynamic')
      expect(height, bodies[i]!.name || String(i)).toBeGreaterThan(-0.1);
  for (const joint of joined.slice(0, 3)) {
    const { a, b } = joint.getAnchors();
    const apart = Math.hypot(a[0] - b[0], a[2] - b[2]);
    expect(apart).toBeLessThan(0.01);
  }
  const spinning = made.filter((_, i) => bodies[i]!.options.type === 'kinematic');
  expect(spinning.length).toBe(1);
  expect(warnings.length).toBeLessThan(4);
});
