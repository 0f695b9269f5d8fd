// The form of three.js's own physics add-ons: each of its calls, on meshes, groups of instances and heightfields.
import { heightfieldFromColumns, RicochetPhysics } from 'ricochet/three';
import type { PhysicsBody } from 'ricochet/worker';
import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Scene,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { afterEach, expect, test, vi } from 'vitest';

const G = 9.81;
const open: RicochetPhysics[] = [];
const start = async () => {
  const physics = await RicochetPhysics({ transport: 'page' });
  open.push(physics);
  await physics.world.pause(); // steps by hand
  return physics;
};
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});
const step = async ({ world }: RicochetPhysics, count: number) => {
  await world.step(count);
  world.update();
};
const material = new MeshBasicMaterial();

test('warmUp: the world is ready and running, as one that was not warmed up; or says what is wrong', async () => {
  const hashes: string[] = [];
  for (const warmUp of [false, true, 40]) {
    const physics = await RicochetPhysics({ transport: 'page', clock: 'manual', warmUp });
    open.push(physics);
    const ball = new Mesh(new SphereGeometry(0.5), material);
    ball.position.y = 5;
    physics.addMesh(ball, 1);
    await step(physics, 30);
    expect([physics.world.bodyCount, ball.position.y < 5]).toEqual([1, true]);
    hashes.push(String(await physics.world.stateHash()));
  }
  expect(new Set(hashes).size).toBe(1);
  await expect(RicochetPhysics({ transport: 'page', warmUp: Number.NaN })).rejects.toMatchObject({
    code: 'invalid-argument',
    argument: 'warmUp',
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('changed my mind')), 100);
  const start = performance.now();
  await expect(
    RicochetPhysics({ transport: 'page', warmUp: 10_000, signal: controller.signal }),
  ).rejects.toThrow('changed my mind');
  expect(performance.now() - start).toBeLessThan(5000);
});

test('addScene: meshes with userData.physics fall, bounce and rest; those without stay', async () => {
  const physics = await start();
  const scene = new Scene();
  const floor = new Mesh(new BoxGeometry(10, 1, 10), material);
  floor.position.y = -0.5;
  floor.userData['physics'] = { mass: 0 };
  const ball = new Mesh(new SphereGeometry(0.5), material);
  ball.position.set(0, 2.5, 0);
  ball.userData['physics'] = { mass: 2, restitution: 1 };
  const crate = new Mesh(new BoxGeometry(), material);
  crate.position.set(3, 1, 0);
  crate.scale.set(1, 2, 1);
  crate.userData['physics'] = { mass: 5 };
  const still = new Mesh(new BoxGeometry(), material);
  still.position.set(0, 8, 0);
  scene.add(floor, ball, new Group().add(crate), still);
  physics.addScene(scene);
  expect(physics.world.bodyCount).toBe(3);
  expect(ball.userData['physics'].body.mass).toBe(2);
  expect(crate.userData['physics'].mass).toBe(5);
  // e = (1 + 0) / 2, as Rapier averages them: from 2 m it rises to 0.5 m.
  await step(physics, Math.round(60 * 1.5 * Math.sqrt(4 / G)));
  expect(ball.position.y).toBeCloseTo(1, 1);
  await step(physics, 200);
  expect(ball.position.y).toBeCloseTo(0.5, 1);
  expect(crate.position.y).toBeCloseTo(1, 1);
  expect(still.position.y).toBe(8);
});

test('instances: positions, velocities and impulses by index; matrices follow', async () => {
  const physics = await start();
  const mesh = new InstancedMesh(new SphereGeometry(0.1), material, 3);
  const matrix = new Matrix4();
  for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, matrix.setPosition(i, 5, 0));
  mesh.userData['physics'] = { mass: 1 };
  physics.addMesh(mesh, 1, 0.2);
  expect(mesh.userData['physics'].body).toHaveLength(3);
  expect(
    mesh.userData['physics'].body[1].getShape(mesh.userData['physics'].body[1].shapes[0]).material
      .restitution,
  ).toBeCloseTo(0.2, 6);
  await step(physics, 30);
  physics.setMeshPosition(mesh, new Vector3(7, 9, 1), 1);
  physics.setMeshVelocity(mesh, new Vector3(2, 0, 0), 2);
  physics.applyImpulse(mesh, new Vector3(0, 0, 3), 0);
  await step(physics, 60);
  const at = (i: number) => {
    mesh.getMatrixAt(i, matrix);
    return new Vector3().setFromMatrixPosition(matrix);
  };
  expect(at(1).distanceTo(new Vector3(7, 9 - G / 2, 1))).toBeLessThan(0.1);
  expect(at(2).x).toBeCloseTo(4, 1);
  expect(at(0).z).toBeCloseTo(3, 1);
  physics.removeMesh(mesh);
  expect(physics.world.bodyCount).toBe(0);
  expect(mesh.userData['physics']).toEqual({ mass: 1 });
  expect(() => physics.setMeshVelocity(mesh, [1, 0, 0])).toThrow('mesh must have been added');
});

test('what is not convex and moves gets its hull', async () => {
  const physics = await start();
  const ring = new Mesh(new TorusGeometry(1, 0.2), material);
  const fixed = new Mesh(new TorusGeometry(1, 0.2), material);
  physics.addMesh(ring, 1);
  physics.addMesh(fixed);
  const shapeOf = ({ userData }: Mesh) =>
    userData['physics'].body.getShape(userData['physics'].body.shapes[0]).type;
  expect([shapeOf(ring), shapeOf(fixed)]).toEqual(['hull', 'mesh']);
  expect(() => physics.applyImpulse(ring, [1, 0, 0], 4)).toThrow('index must be 0 … 0');
});

test('addHeightfield: heights in columns, the middle where the mesh is', async () => {
  const physics = await start();
  const ground = new Mesh(new BoxGeometry(), material);
  ground.position.set(0, 1, 0);
  // 1 cell along z, 2 along x: higher towards +x.
  physics.addHeightfield(ground, 1, 2, [0, 0, 1, 1, 2, 2], { x: 4, y: 1, z: 6 });
  const hit = await physics.world.rayTest([1, 9, 1], [1, -9, 1]);
  expect(hit!.point[1]).toBeCloseTo(1 + 1.5, 4);
  expect(() => heightfieldFromColumns(1, 2, [0, 0], { x: 1, y: 1, z: 1 })).toThrow(
    'heights must hold 6 numbers',
  );
});

test('a restitution above 1, which Rapier takes, is 1, with one warning that names the mesh', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const physics = await start();
  for (const name of ['first', 'second']) {
    const ball = new Mesh(new SphereGeometry(0.5), material);
    ball.name = name;
    physics.addMesh(ball, 1, 1.1);
    const body = ball.userData['physics'].body as PhysicsBody;
    expect(body.getShape(body.shapes[0]!).material.restitution).toBe(1);
  }
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
    'ricochet/three: mesh "first": restitution 1.1 is more than bodies can give back: 1 is used',
  ]);
  warn.mockRestore();
});

test('a mesh with two negative scales keeps its pose, and its body is where it is drawn', async () => {
  const physics = await start();
  const mesh = new Mesh(new BoxGeometry(1, 2, 3).translate(2, 0, 0), material);
  mesh.scale.set(-1, 1, -1);
  mesh.rotation.set(0.3, 0.2, 0.1);
  mesh.updateMatrixWorld(true);
  const before = mesh.matrixWorld.clone();
  physics.world.setGravity([0, 0, 0]);
  physics.addMesh(mesh, 1);
  await step(physics, 1);
  mesh.updateMatrixWorld(true);
  mesh.matrixWorld.elements.forEach((element, i) => {
    expect(element).toBeCloseTo(before.elements[i]!, 5);
  });
  const body = mesh.userData['physics'].body as PhysicsBody;
  const middle = new Vector3(2, 0, 0).applyMatrix4(before);
  expect(body.getCenterOfMassPosition(new Vector3()).distanceTo(middle)).toBeLessThan(1e-4);
});
