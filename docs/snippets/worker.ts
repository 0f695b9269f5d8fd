import { bind } from 'ricochet/three';
import { createPhysics } from 'ricochet/worker';
import { camera, crateMesh, renderer, scene } from './stage';

async function main() {
  const physics = await createPhysics({ gravity: [0, -9.81, 0] });
  physics.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const crate = physics.createBody({
    mass: 1,
    position: [0, 5, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
  bind(physics, crateMesh, crate);

  physics.start();
  renderer.setAnimationLoop(() => {
    physics.update();
    renderer.render(scene, camera);
  });
}

main();
