import { bind } from 'ricochet/three';
import { createVehicle } from 'ricochet/vehicle';
import { createPhysics } from 'ricochet/worker';
import { CylinderGeometry, Mesh, MeshStandardMaterial } from 'three';
import { camera, crateMesh as chassisMesh, renderer, scene } from './stage';

async function main() {
  const physics = await createPhysics();
  physics.createBody({ type: 'static', shape: { type: 'plane' } });
  const chassis = physics.createBody({
    mass: 1200,
    position: [0, 0.65, 0],
    shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
  });
  bind(physics, chassisMesh, chassis);
  const car = await createVehicle(physics, {
    chassis,
    drive: 'all',
    wheels: [1.3, -1.3].flatMap((z) =>
      [0.8, -0.8].map((x) => ({ position: [x, -0.3, z] as [number, number, number] })),
    ),
  });
  // x of a wheel is its axle.
  const geometry = new CylinderGeometry(0.35, 0.35, 0.2, 24).rotateZ(Math.PI / 2);
  const wheels = car.wheels.map(() => new Mesh(geometry, new MeshStandardMaterial({ color: '#2a2d31' })));
  scene.add(...wheels);

  const held = new Set<string>();
  addEventListener('keydown', ({ code }) => held.add(code));
  addEventListener('keyup', ({ code }) => held.delete(code));
  const down = (code: string) => (held.has(code) ? 1 : 0);

  physics.start();
  renderer.setAnimationLoop(() => {
    car.setInput({
      throttle: down('KeyW') - down('KeyS'), // backwards: brakes, then reverses
      steer: down('KeyA') - down('KeyD'),
      handbrake: down('Space'),
    });
    physics.update();
    for (const [i, wheel] of wheels.entries()) {
      wheel.position.fromArray(car.wheels[i]!.getPosition());
      wheel.quaternion.fromArray(car.wheels[i]!.getRotation());
    }
    renderer.render(scene, camera);
  });
}

void main();
