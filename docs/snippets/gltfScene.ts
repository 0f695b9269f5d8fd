import { World } from 'ricochet';
import { addGltfPhysics, autoColliders } from 'ricochet/gltf';
import { updateBindings } from 'ricochet/three';
import type { Scene } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** A scene with physics of its own: bodies and joints in the world, and the objects follow. */
export async function withPhysics(scene: Scene, url: string) {
  const world = new World(); // or the client that createPhysics gives
  const gltf = await new GLTFLoader().loadAsync(url);
  scene.add(gltf.scene);
  const { bodies, warnings } = await addGltfPhysics(world, gltf, gltf.scene);
  console.log(bodies.size, 'bodies', warnings);
  return () => {
    world.step(1 / 60);
    updateBindings(world); // a world in a worker does it by itself
  };
}

/** A scene that says nothing of physics: all of it stands. */
export async function asGround(scene: Scene, world: World, url: string) {
  const { scene: ground } = await new GLTFLoader().loadAsync(url);
  scene.add(ground);
  for (const { shapes, kind, object } of autoColliders(ground)) {
    world.createBody({ type: 'static', shape: shapes });
    console.log(object.name, 'became', kind);
  }
}
