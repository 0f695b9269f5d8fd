import { World } from 'ricochet';
import { createVehicle } from 'ricochet/vehicle';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane', friction: 0.8 } });

// A motorcycle: two wheels behind each other. It keeps its balance, and leans into curves.
const frame = world.createBody({
  mass: 240,
  position: [0, 0.62, 0],
  shape: { type: 'box', halfExtents: [0.15, 0.3, 0.65] },
});
const motorcycle = await createVehicle(world, {
  chassis: frame,
  kind: 'motorcycle',
  wheels: [
    { position: [0, -0.3, 0.75], radius: 0.32, width: 0.12 },
    { position: [0, -0.3, -0.7], radius: 0.32, width: 0.16 },
  ],
});

// A tank: the wheels of each side are one track.
const hull = world.createBody({
  mass: 9000,
  position: [6, 0.9, 0],
  shape: { type: 'box', halfExtents: [1, 0.4, 2.2] },
});
const tank = await createVehicle(world, {
  chassis: hull,
  kind: 'tracked',
  wheels: [1.8, 0.6, -0.6, -1.8].flatMap((z) =>
    [1.05, -1.05].map((x) => ({ position: [x, -0.48, z] as [number, number, number], radius: 0.42 })),
  ),
  steering: { turnRate: 1.4 },
});

motorcycle.setInput({ throttle: 0.7 });
tank.setInput({ steer: 1 }); // on the spot
for (let i = 0; i < 240; i++) world.step(1 / 60);
motorcycle.setInput({ throttle: 0.3, steer: 0.6 });
for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log(motorcycle.speed, frame.getRotation(), hull.getAngularVelocity());
