import { createCharacter } from 'ricochet/character';
import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics({ transport: 'page', clock: 'manual' }); // in a game: createPhysics()
const lift = physics.createBody({
  type: 'kinematic',
  position: [0, 1, 0],
  shape: { type: 'box', halfExtents: [2, 0.1, 2] },
});
const hero = await createCharacter(physics, {
  shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  position: [0, 2.02, 0],
});
const crate = physics.createBody({
  position: [1, 1.6, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
});

/** Where the lift is at a time, in s: 4 m across and 2 m up in six seconds, and back. */
const place = (time: number): [number, number, number] => {
  const way = (1 - Math.cos((Math.PI * time) / 6)) / 2;
  return [4 * way, 1 + 2 * way, 0];
};

// In a game: once in every frame, before physics.update(), with the time of the frame.
for (let i = 1; i <= 360; i++) {
  lift.setKinematicTarget(place(i / 60)); // a second argument turns it
  await physics.step();
}
physics.update();
console.log('carried to', hero.body.getPosition(), crate.getPosition());
physics.dispose();
