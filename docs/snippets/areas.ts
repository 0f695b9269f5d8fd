import { World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', position: [0, -4, 0], shape: { type: 'plane' } });

// A pool whose surface is at y = 0, with a current along x.
const pool = world.createBody({
  type: 'static',
  position: [0, -2, 0],
  shape: {
    type: 'box',
    halfExtents: [10, 2, 10],
    area: { density: 1000, velocity: [0.5, 0, 0], linearDrag: 1, angularDrag: 1 },
  },
});

// Wind over it, and a lift shaft in which things go up.
world.createBody({
  type: 'static',
  position: [0, 5, 0],
  shape: { type: 'box', halfExtents: [10, 4, 10], area: { velocity: [0, 0, 8], quadraticDrag: 0.02 } },
});
world.createBody({
  type: 'static',
  position: [30, 5, 0],
  shape: { type: 'cylinder', radius: 2, halfHeight: 8, area: { gravity: [0, 3, 0], gravityMode: 'replace' } },
});

// A planet: the ball to stand on, and a larger one that attracts in place of the world's gravity.
world.createBody({
  type: 'static',
  position: [0, 0, 200],
  shape: [
    { type: 'sphere', radius: 20 },
    {
      type: 'sphere',
      radius: 80,
      area: { attraction: { strength: 9.81, distance: 20 }, gravityMode: 'replace', priority: 1 },
    },
  ],
});

const crate = world.createBody({
  position: [0, 1, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], density: 600 },
});
for (let i = 0; i < 600; i++) world.step(1 / 60);
console.log('the crate floats', (0.5 - crate.getPosition()[1]).toFixed(2), 'm deep');

// The water falls by a metre; then something explodes below the crate.
pool.updateShape(pool.shapes[0]!, { area: { density: 1000, linearDrag: 1, level: 1 } });
world.explode([0, -1.5, 0], 6, 2000, { occlusion: true });
world.step(1 / 60);
console.log('it is thrown up at', crate.getLinearVelocity()[1].toFixed(1), 'm/s');
