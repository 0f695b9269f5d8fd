import { World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });

// A belt that runs at 2 m/s along its body's x, and a turntable.
const belt = world.createBody({
  type: 'static',
  position: [0, 0.5, 0],
  shape: { type: 'box', halfExtents: [5, 0.5, 1], friction: 1, surfaceVelocity: { linear: [2, 0, 0] } },
});
world.createBody({
  type: 'static',
  position: [8, 0.5, 0],
  shape: { type: 'cylinder', radius: 2, halfHeight: 0.5, surfaceVelocity: { angular: [0, 1, 0] } },
});

// A platform to jump onto from below: bodies pass along +y, and stand on it.
world.createBody({
  type: 'static',
  position: [0, 3, 5],
  shape: { type: 'box', halfExtents: [2, 0.1, 2], oneWay: [0, 1, 0] },
});

// A crate with a bumper that touches nothing but the belt's group, and ice, slippery whatever slides on it.
const crate = world.createBody({
  position: [-4, 1.5, 0],
  shape: [
    { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
    { type: 'sphere', radius: 0.5, position: [0.4, 0, 0], group: 4, mask: 2 },
  ],
});
world.createBody({
  type: 'static',
  position: [0, 0, -8],
  shape: {
    type: 'box',
    halfExtents: [5, 0.1, 3],
    friction: 0.02,
    frictionCombine: 'minimum',
    combinePriority: 10,
  },
});

for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log('the crate moves at', crate.getLinearVelocity()[0].toFixed(1), 'm/s');

belt.updateShape(belt.shapes[0]!, { surfaceVelocity: null }); // it stops; what sleeps on it wakes
