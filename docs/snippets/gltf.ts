import { World } from 'ricochet';
import { readPhysics } from 'ricochet/gltf';

// The JSON of a file: a box that falls on a standing one. parseGltf takes .glb files apart.
const box = { collider: { geometry: { shape: 0 }, physicsMaterial: 0 } };
const json = {
  asset: { version: '2.0' },
  extensions: {
    KHR_implicit_shapes: { shapes: [{ type: 'box', box: { size: [1, 1, 1] } }] },
    KHR_physics_rigid_bodies: { physicsMaterials: [{ dynamicFriction: 0.4, restitution: 0.2 }] },
  },
  nodes: [
    {
      name: 'crate',
      translation: [0, 3, 0],
      extensions: { KHR_physics_rigid_bodies: { motion: { mass: 5 }, ...box } },
    },
    { name: 'table', scale: [8, 1, 8], extensions: { KHR_physics_rigid_bodies: box } },
  ],
};

const { bodies, joints, warnings } = readPhysics(json);
const world = new World();
const made = bodies.map(({ options }) => world.createBody(options));
for (const { options, bodyA, bodyB } of joints)
  world.createJoint({
    ...options,
    bodyA: bodyA === null ? undefined : made[bodyA],
    bodyB: bodyB === null ? undefined : made[bodyB],
  });
for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log(bodies[0]?.name, 'lies at', made[0]?.getPosition()[1], warnings);
