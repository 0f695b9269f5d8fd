import { World } from 'ricochet';
import { createCharacter } from 'ricochet/character';

const world = new World(); // or: await createPhysics() of ricochet/worker
world.createBody({ type: 'static', shape: { type: 'plane' } });
world.createBody({
  type: 'static',
  position: [4, 0.15, 0],
  shape: { type: 'box', halfExtents: [1, 0.15, 2] },
});

const hero = await createCharacter(world, {
  shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  position: [0, 1, 0],
});

// What it wants, until that changes: m/s. It climbs the step of 30 cm that is in its way.
hero.setInput({ move: [3, 0, 0] });
await world.advance(80);
console.log('on the step', hero.onGround, hero.getPosition());

// A jump happens once, in the next step.
hero.setInput({ move: [0, 0, 0], jump: true });
let top = 0;
for (let i = 0; i < 80; i++) {
  await world.advance();
  top = Math.max(top, hero.getPosition()[1]);
}
console.log('jumped', top - hero.getPosition()[1]);

// A rollback is one call: the character is part of the state.
const snapshot = await world.snapshot();
hero.setInput({ move: [1, 0, 2] });
await world.advance(30);
const first = await world.stateHash();
await world.restore(snapshot);
hero.setInput({ move: [1, 0, 2] });
await world.advance(30);
console.log('the same again', (await world.stateHash()) === first);
