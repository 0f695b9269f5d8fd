import { World } from 'ricochet';

const world = new World();
const plate = world.createBody({
  type: 'static',
  position: [3, 0, 0],
  shape: { type: 'box', halfExtents: [0.0005, 1, 1], restitution: 0.5 },
});
// 17 m per step of 1/60 s, through a plate of 1 mm? Nothing has to be switched on.
const shot = world.createBody({
  mass: 0.01,
  shape: { type: 'sphere', radius: 0.02, restitution: 1 },
  linearVelocity: [1000, 0, 0],
});
world.on('contactBegin', ({ points }) => console.log('struck at', points[0]?.position[0]));
world.step(1 / 60);
console.log('thrown back', shot.getLinearVelocity()[0] < 0, plate.id > 0);

// Against bodies that move by themselves it is asked for: in steps of more than 1 cm.
shot.setCcd(0.01, 0);
console.log(world.getProfile().impacts, world.getProfile().clamped);
