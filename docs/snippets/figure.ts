import type { PhysicsWorld } from 'ricochet';
import { createCharacter } from 'ricochet/character';
import { SkinnedRagdoll } from 'ricochet/three';
import type { Object3D } from 'three';

const CHARACTERS = 32; // the group of characters, unless you give another
const RAGDOLLS = 64; // any bit that nothing else has

/** A figure that walks as a character, and falls as a ragdoll. */
export async function makeFigure(world: PhysicsWorld, model: Object3D) {
  const hero = await createCharacter(world, {
    shape: { type: 'capsule', radius: 0.35, halfHeight: 0.5 },
    position: [0, 0.87, 0], // of its middle: half its height, and the gap of 2 cm
    mask: ~RAGDOLLS,
  });
  const skinned = new SkinnedRagdoll(world, model, { mode: 'animated', group: RAGDOLLS, mask: ~CHARACTERS });

  /** In every frame, after the mixer and before the step. */
  const drive = (dt: number) => {
    if (!hero.isRemoved) {
      const [x, y, z] = hero.getPosition();
      model.position.set(x, y + hero.lift - 0.87, z); // its feet
    }
    skinned.drive(dt);
  };

  const die = () => {
    skinned.ragdoll.setMode('limp');
    hero.remove(); // with its body
  };
  return { hero, skinned, drive, die };
}
