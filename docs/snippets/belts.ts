import { World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });

// A belt along +x at 2 m/s. On it a flap that parcels may only pass along +x.
const belt = world.createBody({
  type: 'static',
  position: [0, 0.5, 0],
  shape: { type: 'box', halfExtents: [6, 0.5, 1], surfaceVelocity: { linear: [2, 0, 0] } },
});
world.createBody({
  type: 'static',
  position: [0, 1.5, 0],
  shape: { type: 'box', halfExtents: [0.05, 0.5, 1], oneWay: [1, 0, 0] },
});
const parcel = world.createBody({
  mass: 5,
  position: [-4, 1.3, 0],
  shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
});

world.advance(180);
console.log('at', parcel.getPosition()[0], 'with', parcel.getLinearVelocity()[0], 'm/s: past the flap');

// The belt runs back: the flap now holds the parcel.
belt.updateShape(belt.shapes[0]!, { surfaceVelocity: { linear: [-2, 0, 0] } });
world.advance(300);
console.log('at', parcel.getPosition()[0], 'held by the flap');
