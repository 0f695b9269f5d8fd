import { World } from 'ricochet';
import { addBulletFile, readBulletFile, writeBulletFile } from 'ricochet/bullet-file';

// A world of Bullet's: a tower, and a ball on a hinge.
const world = new World({ profile: 'bullet3' });
world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [10, 0.5, 10] } });
for (let i = 0; i < 5; i++)
  world.createBody({
    mass: 1,
    position: [0, 1 + i, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
const ball = world.createBody({ mass: 8, position: [6, 4, 0], shape: { type: 'sphere', radius: 0.5 } });
world.createJoint({ type: 'hinge', bodyB: ball, anchor: [3, 7, 0], axis: [0, 0, 1] });

const { bytes, warnings } = writeBulletFile(world); // for Bullet's importer, too

const file = readBulletFile(bytes); // bodies and joints as options
const copy = new World(file.world); // the profile 'bullet3', gravity and solver settings of the file
const { bodies, joints } = addBulletFile(copy, file); // or the client that createPhysics gives
for (let i = 0; i < 120; i++) copy.step(1 / 60);
console.log(bodies.length, joints.length, file.skipped, [...file.warnings, ...warnings]);
