// three.js's own AmmoPhysics, as three ships it.
import { BoxGeometry, InstancedMesh, Matrix4, Mesh, Scene, SphereGeometry, Vector3 } from 'three';
import { AmmoPhysics } from 'three/examples/jsm/physics/AmmoPhysics.js';
import { afterEach, expect, test, vi } from 'vitest';
import type { Ammo } from '../engines';
import { compare } from './compare';

afterEach(() => void vi.unstubAllGlobals());

/** AmmoPhysics steps by setInterval and the clock; here both are in our hands. */
async function start(module: Ammo) {
  let now = 0;
  let step = () => {};
  vi.stubGlobal('Ammo', () => Promise.resolve(module));
  vi.stubGlobal('setInterval', (call: () => void) => void (step = call));
  vi.stubGlobal('performance', { now: () => now });
  const physics = await AmmoPhysics();
  return {
    physics,
    run(steps: number) {
      for (let i = 0; i < steps; i++) {
        now += 1000 / 60;
        step();
      }
    },
  };
}

async function scene(module: Ammo) {
  const { physics, run } = await start(module);
  const world = new Scene();
  const floor = new Mesh(new BoxGeometry(20, 5, 20));
  floor.position.y = -2.5;
  floor.userData['physics'] = { mass: 0 };
  world.add(floor);

  const boxes = new InstancedMesh(new BoxGeometry(0.2, 0.2, 0.2), undefined, 12);
  const matrix = new Matrix4();
  // Four towers of three, let go 5 mm above each other.
  for (let i = 0; i < boxes.count; i++)
    boxes.setMatrixAt(i, matrix.setPosition((i % 4) - 1.5, 0.105 + 0.205 * Math.floor(i / 4), 0));
  boxes.userData['physics'] = { mass: 1 };
  world.add(boxes);

  const balls = new InstancedMesh(new SphereGeometry(0.15), undefined, 4);
  for (let i = 0; i < balls.count; i++) balls.setMatrixAt(i, matrix.setPosition(i - 1.5, 0.5, 2));
  balls.userData['physics'] = { mass: 1 };
  world.add(balls);

  const single = new Mesh(new BoxGeometry(1, 0.5, 1));
  single.position.set(4, 1, 0);
  single.userData['physics'] = { mass: 3 };
  world.add(single);

  physics.addScene(world);
  run(60);
  physics.setMeshPosition(single, new Vector3(-4, 0.6, 0));
  physics.setMeshPosition(balls, new Vector3(5, 1, 5), 2);
  run(400);

  const rest: Record<string, number[]> = { single: single.position.toArray() };
  for (const [name, mesh] of [
    ['box', boxes],
    ['ball', balls],
  ] as const)
    for (let i = 0; i < mesh.count; i++) {
      mesh.getMatrixAt(i, matrix);
      rest[`${name} ${i}`] = new Vector3().setFromMatrixPosition(matrix).toArray();
    }
  return { rest };
}

test('three.js AmmoPhysics: towers, balls and a crate come to rest as on ammo.js, and move where they are put', async () => {
  const { rest } = await compare(scene);
  expect(rest['box 8']![1]).toBeCloseTo(0.5, 2); // the top of a tower of three
  expect(rest['ball 2']![1]).toBeCloseTo(0.15, 2);
  expect(rest['single']![0]).toBeCloseTo(-4, 2);
});
