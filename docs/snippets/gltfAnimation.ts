import { World } from 'ricochet';
import { addGltfPhysics } from 'ricochet/gltf';
import { updateBindings } from 'ricochet/three';
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** Doors, lifts and platforms of the file move as it is animated, and take along what stands on them. */
export async function animated(url: string) {
  const world = new World();
  const gltf = await new GLTFLoader().loadAsync(url);
  const physics = await addGltfPhysics(world, gltf, gltf.scene);
  const mixer = new AnimationMixer(gltf.scene);
  for (const clip of gltf.animations) mixer.clipAction(clip).play();
  return (seconds: number) => {
    mixer.update(seconds);
    physics.lead();
    world.stepSimulation(seconds, 10);
    updateBindings(world);
  };
}
