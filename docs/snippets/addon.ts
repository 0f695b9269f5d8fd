import { RicochetPhysics } from 'ricochet/three';
import { BoxGeometry, Mesh, MeshStandardMaterial, Scene, SphereGeometry } from 'three';

const scene = new Scene();
const material = new MeshStandardMaterial();

const floor = new Mesh(new BoxGeometry(20, 1, 20), material);
floor.position.y = -0.5;
floor.userData['physics'] = { mass: 0 };
const ball = new Mesh(new SphereGeometry(0.5), material);
ball.position.y = 4;
ball.userData['physics'] = { mass: 2, restitution: 0.6 };
scene.add(floor, ball);

// As `await RapierPhysics()` of three.js, with the world in a worker; here in the page.
export const physics = await RicochetPhysics({ transport: 'page' });
physics.addScene(scene);
physics.setMeshVelocity(ball, [0, 0, 2]);

// What three.js's add-ons do not have: the whole world, and an end.
await physics.world.step(60);
physics.world.update();
console.log('rolls', ball.position.z > 1);
physics.dispose();
