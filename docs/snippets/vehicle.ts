import { World } from 'ricochet';
import { createVehicle } from 'ricochet/vehicle';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const chassis = world.createBody({
  mass: 1200,
  position: [0, 0.65, 0],
  shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
});
const car = await createVehicle(world, {
  chassis,
  wheels: [
    { position: [0.8, -0.3, 1.3], radius: 0.35 },
    { position: [-0.8, -0.3, 1.3], radius: 0.35 },
    { position: [0.8, -0.3, -1.3], radius: 0.35 },
    { position: [-0.8, -0.3, -1.3], radius: 0.35 },
  ],
});

car.setInput({ throttle: 1 });
for (let i = 0; i < 240; i++) world.step(1 / 60);
console.log('after 4 s', car.speed, 'm/s in gear', car.gear, 'at', car.rpm);

car.setInput({ throttle: 0, brake: 1, steer: 0.3 });
for (let i = 0; i < 240; i++) world.step(1 / 60);
for (const wheel of car.wheels) console.log(wheel.getPosition(), wheel.load, wheel.isInContact);
