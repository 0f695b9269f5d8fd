// Worlds for the tests of .bullet files: every shape and joint that Bullet has, too.
import { type RigidBody, World } from 'ricochet';
import { addBulletFile, readBulletFile } from 'ricochet/bullet-file';
import { cookHull, cookMesh } from 'ricochet/cooking';

const CORNERS = [
  [-0.5, -0.25, -0.125],
  [0.5, -0.25, -0.125],
  [0, 0.5, -0.125],
  [0, -0.25, 0.375],
];
const ROOF = {
  vertices: [-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2, 0, 1, 0],
  indices: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
};

/** Everything that a file holds. */
export function everything(): World {
  const world = new World({ profile: 'bullet3', gravity: [0, -9.5, 0.25] });
  world.createBody({
    type: 'static',
    shape: { type: 'plane', normal: [0, 1, 0], offset: -0.5, friction: 0.75 },
  });
  world.createBody({
    type: 'static',
    position: [8, 0, 0],
    shape: { type: 'mesh', geometry: cookMesh(ROOF), scale: [1, 0.5, 2], margin: 0.0625 },
  });
  world.createBody({
    type: 'kinematic',
    position: [0, 1, 8],
    angularVelocity: [0, 1, 0],
    shape: { type: 'box', halfExtents: [2, 0.25, 2] },
  });
  const geometry = cookHull(CORNERS.flat());
  const shapes = [
    { type: 'box', halfExtents: [0.5, 0.25, 0.75] },
    { type: 'sphere', radius: 0.5 },
    { type: 'capsule', radius: 0.25, halfHeight: 0.5, axis: 'x' },
    { type: 'capsule', radius: 0.25, halfHeight: 0.5 },
    { type: 'cylinder', radius: 0.5, halfHeight: 0.25, axis: 'z' },
    { type: 'cone', radius: 0.5, halfHeight: 0.5 },
    { type: 'hull', geometry },
    {
      type: 'multiSphere',
      spheres: [
        { position: [-0.5, 0, 0], radius: 0.25 },
        { position: [0.5, 0, 0], radius: 0.5 },
      ],
    },
    { type: 'tetrahedron', points: CORNERS },
  ] as const;
  for (const [i, shape] of shapes.entries())
    world.createBody({
      position: [1.5 * i - 6, 3 + i / 3, -4],
      rotation: [0.1 * i, 0.3, -0.2, 0.9],
      mass: 1 + i / 3,
      inertia: [0.3 + i, 0.4, 0.5],
      centerOfMass: [0, 0, 0],
      shape: { ...shape, friction: 0.3, restitution: 0.4, rollingFriction: 0.05 },
      linearVelocity: [i / 7, 1 / 3, 0],
      angularVelocity: [0, i / 9, 0.7],
      linearDamping: 0.1,
      angularDamping: 0.2,
      gravityScale: i === 2 ? 0 : 1,
      linearFactor: [1, 1, i === 3 ? 0 : 1],
      group: 4,
      mask: i === 4 ? 2 : -1,
      ccdMotionThreshold: i === 5 ? 0.125 : 0,
      ccdSweptSphereRadius: i === 5 ? 0.25 : 0,
      activationState: i === 6 ? 'disableDeactivation' : 'active',
    });
  world.createBody({
    position: [0, 6, 0],
    mass: 3,
    inertia: [1, 2, 3],
    centerOfMass: [0, 0, 0],
    shape: [
      { type: 'box', halfExtents: [1, 0.125, 0.125], position: [0, 0.5, 0] },
      { type: 'sphere', radius: 0.25, position: [1, 0.5, 0] },
      { type: 'capsule', radius: 0.125, halfHeight: 0.5, axis: 'z', position: [-1, 0, 0] },
    ],
  });
  world.createBody({
    type: 'static',
    position: [0, 9, 0],
    contactResponse: false,
    shape: { type: 'sphere', radius: 2 },
  });
  joints(world);
  return world;
}

function joints(world: World): void {
  const pair = (x: number): [RigidBody, RigidBody] => {
    const make = (y: number) =>
      world.createBody({
        position: [x, y, 12],
        mass: 2,
        inertia: [0.25, 0.5, 0.75],
        centerOfMass: [0, 0, 0],
        shape: { type: 'box', halfExtents: [0.25, 0.5, 0.25] },
      });
    return [make(6), make(4.5)];
  };
  let x = -12;
  const next = () => {
    const [bodyA, bodyB] = pair((x += 2));
    return {
      bodyA,
      bodyB,
      frameA: { position: [0, -0.75, 0], axis: [0, 0, 1] },
      frameB: { position: [0, 0.75, 0], axis: [0, 0, 1] },
    };
  };
  const limits = { low: -0.5, high: 1.25 };
  world.createJoint({ type: 'point', ...next(), breakingImpulse: 37.5 });
  world.createJoint({
    type: 'hinge',
    ...next(),
    angle: { ...limits, motor: { velocity: 2, maxForce: 15 } },
    collideConnected: true,
  });
  world.createJoint({ type: 'slider', ...next(), position: limits, angle: { low: -0.25, high: 0.25 } });
  world.createJoint({
    type: 'coneTwist',
    ...next(),
    twist: { low: -0.5, high: 0.5 },
    swingY: 0.75,
    swingZ: 0.25,
  });
  world.createJoint({ type: 'fixed', ...next(), enabled: false });
  world.createJoint({
    type: 'gear',
    ...next(),
    frameA: { axis: [0, 1, 0] },
    frameB: { axis: [0, 0, 1] },
    ratio: 2.5,
  });
  world.createJoint({
    type: 'generic',
    ...next(),
    order: 'zyx',
    x: { ...limits, motor: { velocity: -1, maxForce: 50 } },
    y: { low: 0, high: 0, stop: { erp: 0.5, cfm: 0.001, bounce: 0.25 } },
    z: { low: 1, high: -1, spring: { stiffness: 300, damping: 5, target: 0.125 } },
    angleX: limits,
    angleY: { low: -0.25, high: 0.75, servo: { target: 0.5, maxVelocity: 3, maxForce: 20 } },
    angleZ: { low: 1, high: -1, spring: { stiffness: 30, damping: 0.5, target: -0.25 } },
  });
  const { bodyA, bodyB } = next();
  world.createJoint({ type: 'hinge', bodyB: bodyA, anchor: [x, 7, 12], axis: [0, 0, 1], angle: limits });
  world.createJoint({ type: 'point', bodyA: bodyB, anchor: [x, 4, 12] });
}

/** A file in a world of its own. */
export function load(bytes: Uint8Array): World {
  const file = readBulletFile(bytes);
  const world = new World(file.world);
  addBulletFile(world, file);
  return world;
}
