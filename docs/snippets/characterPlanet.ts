import { World } from 'ricochet';
import { createCharacter } from 'ricochet/character';

const world = new World({ gravity: [0, 0, 0] });
world.createBody({ type: 'static', shape: { type: 'sphere', radius: 20 } });
// Attraction by an area: 9.81 m/s² at the surface.
world.createBody({
  type: 'static',
  shape: {
    type: 'sphere',
    radius: 40,
    sensor: true,
    area: { attraction: { strength: 9.81, distance: 20 } },
  },
});

const hero = await createCharacter(world, {
  shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  position: [0, 21, 0],
  gravity: 'world',
});
hero.setInput({ move: [5, 0, 0], local: true }); // in the frame of its body, which turns with the ground
world.advance(754); // once around
console.log('around the planet', hero.onGround, hero.getPosition());
