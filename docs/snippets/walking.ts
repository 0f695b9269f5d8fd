import { createCharacter } from 'ricochet/character';
import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics({ transport: 'page', clock: 'manual' }); // in a game: createPhysics()
physics.createBody({ type: 'static', shape: { type: 'plane' } });
for (let i = 0; i < 8; i++)
  physics.createBody({
    type: 'static',
    position: [0, 0.1 + 0.2 * i, -3 - 0.4 * i],
    shape: { type: 'box', halfExtents: [2, 0.1, 0.2] },
  });
const hero = await createCharacter(physics, {
  shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  position: [0, 1, 0],
  stepHeight: 0.3,
});

/** In every frame: what the keys say, 0 or 1 each; `yaw` is the camera's turn about y, 0 when it looks along −z. */
function walk(
  keys: { up: number; down: number; left: number; right: number; space: boolean; shift: boolean },
  yaw: number,
) {
  const [aside, ahead] = [keys.right - keys.left, keys.up - keys.down];
  const speed = (keys.shift ? 6 : 3) / Math.max(1, Math.hypot(aside, ahead)); // m/s
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  hero.setInput({
    move: [speed * (aside * cos - ahead * sin), 0, speed * (-aside * sin - ahead * cos)],
    jump: keys.space && hero.onGround,
  });
}

walk({ up: 1, down: 0, left: 0, right: 0, space: false, shift: false }, 0);
await physics.step(110);
physics.update();
console.log('up the stairs:', hero.onGround, hero.body.getPosition());
physics.dispose();
