import { bind } from 'ricochet/three';
import { createPhysics } from 'ricochet/worker';
import { BoxGeometry, Mesh, MeshNormalMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';

const renderer = new WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new PerspectiveCamera(50, innerWidth / innerHeight);
camera.position.set(0, 2, 9);
const crate = new Mesh(new BoxGeometry(1, 1, 1), new MeshNormalMaterial());
const scene = new Scene().add(crate);

const physics = await createPhysics();
physics.createBody({ type: 'static', shape: { type: 'plane' } });
const shape = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
bind(physics, crate, physics.createBody({ position: [0, 5, 0], angularVelocity: [1, 0, 2], shape }));
await physics.start();
renderer.setAnimationLoop(() => {
  physics.update();
  renderer.render(scene, camera);
});
console.log('a crate falls');
