// Crates and balls in a worker, drawn by three.js. Click to drop more.
import { bind } from 'ricochet/three';
import { createPhysics } from 'ricochet/worker';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#e4e7e6');
scene.add(new THREE.HemisphereLight('#ffffff', '#998877', 3), new THREE.GridHelper(40, 40, '#999', '#ccc'));
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 200);
camera.position.set(8, 7, 12);
new OrbitControls(camera, renderer.domElement).target.set(0, 2, 0);

const physics = await createPhysics();
physics.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });

function drop(x: number, y: number, z: number) {
  const round = Math.random() < 0.4;
  const mesh = new THREE.Mesh(
    round ? new THREE.SphereGeometry(0.5) : new THREE.BoxGeometry(1, 1, 1),
    new THREE.MeshStandardMaterial({ color: round ? '#439c97' : '#d9694d' }),
  );
  scene.add(mesh);
  const body = physics.createBody({
    mass: 1,
    position: [x, y, z],
    shape: round ? { type: 'sphere', radius: 0.5 } : { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
  bind(physics, mesh, body);
}

for (let i = 0; i < 60; i++) drop((i % 5) - 2, 1 + i * 0.4, (i % 3) - 1);
addEventListener('click', () => drop(Math.random(), 12, Math.random()));

await physics.start();
renderer.setAnimationLoop(() => {
  physics.update(); // moves the meshes
  renderer.render(scene, camera);
});
addEventListener('resize', () => {
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
  renderer.setSize(innerWidth, innerHeight);
});
console.log('60 bodies; click for more');
