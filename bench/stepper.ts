// One step of a scene, the same in Node and in the page: what moves is moved, rays are cast, the world steps.
import type { EngineWorld } from './adapters/adapter';
import type { SceneSpec } from './scene';

export const DT = 1 / 60;

export function createStepper({ scene, bodies }: SceneSpec, world: EngineWorld): () => void {
  const count = scene.rays?.count ?? 0;
  const rays = new Float64Array(6 * count);
  const fractions = new Float64Array(count);
  let time = 0;
  let number = 0;
  return () => {
    time += DT;
    scene.move?.(time, (body, position, rotation) => world.moveKinematic?.(body, position, rotation, DT));
    scene.respawn?.(number++, (body, position) => world.replaceBody?.(body, { ...bodies[body], position }));
    if (scene.rays) {
      scene.rays.aim(time, rays);
      world.castRays(rays, fractions);
    }
    world.step(DT);
  };
}
