// Ragdolls of rigged models that others published. They are fetched for a run and not kept here: clone mrdoob/three.js, and
//   RAGDOLL_MODELS=path/to/three.js/examples/models/gltf npx vitest run --project node test/ragdoll/publicModels
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { World } from 'ricochet';
import { SkinnedRagdoll } from 'ricochet/three';
import { AnimationMixer, Group } from 'three';
import { expect, test } from 'vitest';
import { largestGap, trackingError } from './measure';
import { loadModel } from './models';

const folder = process.env['RAGDOLL_MODELS'] ?? '';
const there = folder !== '' && existsSync(join(folder, 'Xbot.glb'));
if (!there) console.log('skipped: RAGDOLL_MODELS names no folder examples/models/gltf of mrdoob/three.js');

async function load(name: string, mode: 'powered' | 'limp', build: (world: World) => void) {
  const { scene, animations } = await loadModel(join(folder, `${name}.glb`));
  const parent = new Group().add(scene);
  const mixer = new AnimationMixer(scene);
  mixer.clipAction(animations.find((clip) => /^idle$/i.test(clip.name))!).play();
  mixer.update(0.001);
  const world = new World({ substeps: 8 });
  build(world);
  return { world, mixer, parent, scene, make: () => new SkinnedRagdoll(world, scene, { mode }) };
}

/** Xbot stands free; the soldier's own idle pose carries more than its weight on one leg, and a machine pistol. */
test.skipIf(!there).each([
  ['Xbot', 0],
  ['Soldier', 0.3],
])('%s follows its own idle animation within 5° for 10 s, held by %s', async (name, pin) => {
  const { world, mixer, make } = await load(name, 'powered', (floor) => {
    floor.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  });
  const skinned = make();
  skinned.ragdoll.setPin(pin);
  let worst: [number, string] = [0, ''];
  let gap = 0;
  for (let i = 0; i < 600; i++) {
    mixer.update(1 / 60);
    skinned.drive(1 / 60);
    world.step(1 / 60);
    skinned.draw();
    const error = trackingError(skinned.ragdoll);
    if (error[0] > worst[0]) worst = error;
    gap = Math.max(gap, largestGap(skinned.ragdoll));
  }
  console.log(`${name}: ${worst[0].toFixed(2)}° (${worst[1]}), gap ${(1000 * gap).toFixed(4)} mm`);
  expect(worst[0]).toBeLessThan(5);
  expect(skinned.ragdoll.lying().side).toBe('upright');
});

test.skipIf(!there).each(['Xbot', 'Soldier'])('%s, thrown down stairs, stays in one piece', async (name) => {
  const { world, scene, make } = await load(name, 'limp', (floor) => {
    floor.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
    for (let i = 0; i < 10; i++)
      floor.createBody({
        type: 'static',
        position: [0, 0.1 + 0.1 * i, 2.5 - 0.3 * i],
        shape: { type: 'box', halfExtents: [2, 0.1 + 0.1 * i, 0.15] },
      });
  });
  scene.parent!.position.set(0, 2.3, -0.3);
  scene.parent!.rotation.set(0.4, 0.3, 0.2);
  const skinned = make();
  for (const body of skinned.ragdoll.bodies) body.setLinearVelocity([0.2, 0.5, 4]);
  let gap = 0;
  for (let i = 0; i < 420; i++) {
    skinned.drive(1 / 60);
    world.step(1 / 60);
    gap = Math.max(gap, largestGap(skinned.ragdoll));
  }
  console.log(`${name}: gap ${(1000 * gap).toFixed(3)} mm, wanted 1 mm`);
  expect(gap).toBeLessThan(0.001);
});
