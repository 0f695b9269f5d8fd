// Adapters on worlds in a worker and in process: objects follow bodies, lines and debugger show them.
import CannonDebugger from 'cannon-es-debugger';
import { World } from 'ricochet';
import { debugWorld } from 'ricochet/debug';
import { bind, PhysicsLines, updateBindings } from 'ricochet/three';
import {
  Box3,
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { describe, expect, test, vi } from 'vitest';
import type { PhysicsBody } from '../../worker/client';
import { startPhysics } from './support';

const CRATE = { mass: 1, shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } } as const;
const TURN = [0, 0.6, 0, 0.8] as const;

describe('binding', () => {
  test('a mesh follows a body in a worker from the moment it is bound', async () => {
    const physics = await startPhysics();
    const body = physics.createBody({ ...CRATE, position: [1, 2, 3], rotation: TURN });
    const mesh = new Mesh();
    bind(physics, mesh, body);
    expect(mesh.position.toArray()).toEqual([1, 2, 3]);
    expect(mesh.quaternion.y).toBeCloseTo(0.6, 6);
    await physics.step(30);
    expect(mesh.position.y).toBe(2);
    physics.update();
    expect(mesh.position.y).toBeLessThan(1);
    expect(mesh.position.toArray()).toEqual(body.getPosition());
  });

  test('a mesh below others comes to stand where the body is', async () => {
    const physics = await startPhysics();
    const body = physics.createBody({ ...CRATE, position: [1, 2, 3], rotation: TURN });
    const parent = new Group();
    parent.position.set(5, -1, 2);
    parent.rotation.set(0.3, 0.4, 0.5);
    parent.scale.setScalar(2);
    const mesh = new Mesh();
    new Scene().add(parent.add(mesh));
    bind(physics, mesh, body);
    const position = mesh.getWorldPosition(new Vector3());
    const rotation = mesh.getWorldQuaternion(new Quaternion());
    expect(position.distanceTo(new Vector3(1, 2, 3))).toBeLessThan(1e-6);
    expect(rotation.angleTo(new Quaternion(...TURN))).toBeLessThan(1e-6);
  });

  test('instances follow their bodies, keep their scales, and vanish with them', async () => {
    const physics = await startPhysics();
    const mesh = new InstancedMesh(new BoxGeometry(), undefined, 3);
    mesh.setMatrixAt(1, new Matrix4().makeScale(1, 2, 3));
    const bodies = [0, 1, 2].map((i) =>
      physics.createBody({ ...CRATE, position: [i, 5, 0], rotation: TURN }),
    );
    bind(physics, mesh, bodies);
    await physics.step(10);
    bodies[2]!.remove();
    physics.update();
    const matrix = new Matrix4();
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    mesh.getMatrixAt(1, matrix);
    matrix.decompose(position, rotation, scale);
    expect(position.toArray()).toEqual(bodies[1]!.getPosition());
    expect(rotation.angleTo(new Quaternion(...bodies[1]!.getRotation()))).toBeLessThan(1e-6);
    expect(scale.distanceTo(new Vector3(1, 2, 3))).toBeLessThan(1e-5);
    mesh.getMatrixAt(2, matrix);
    expect(matrix.elements.every((element) => element === 0)).toBe(true);
  });

  test("three.js's rays and boxes meet instances where they are, however far they went", () => {
    const world = new World({ gravity: [0, 0, 0] });
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2);
    const bodies = [0, 3].map((x) => world.createBody({ ...CRATE, position: [x, 0, 0] }));
    const binding = bind(world, mesh, bodies);
    const meets = (x: number, y: number) =>
      new Raycaster(new Vector3(x, y, 9), new Vector3(0, 0, -1)).intersectObject(mesh)[0]?.instanceId;
    expect([meets(0, 0), meets(3, 0)]).toEqual([0, 1]);
    expect(new Box3().setFromObject(mesh).max.y).toBe(0.5);
    bodies[1]!.setPosition([3, 50, 0]);
    updateBindings(world);
    expect([meets(0, 0), meets(3, 0), meets(3, 50)]).toEqual([0, undefined, 1]);
    expect(new Box3().setFromObject(mesh).max.y).toBe(50.5);
    binding.unbind();
    expect(meets(3, 50)).toBe(1);
    expect(mesh.boundingSphere!.radius).toBeLessThan(30);
  });

  test('a world in process is followed by updateBindings', () => {
    const world = new World();
    const bodies = [0, 1].map((i) => world.createBody({ ...CRATE, position: [i, 5, 0], rotation: TURN }));
    const object = new Object3D();
    const mesh = new InstancedMesh(new BoxGeometry(), undefined, 2);
    mesh.setMatrixAt(1, new Matrix4().makeScale(2, 2, 2));
    const binding = bind(world, object, bodies[0]!);
    bind(world, mesh, bodies);
    for (let i = 0; i < 30; i++) world.step(1 / 60);
    updateBindings(world);
    expect(object.position.toArray()).toEqual(bodies[0]!.getPosition());
    const matrix = new Matrix4();
    mesh.getMatrixAt(1, matrix);
    expect(new Vector3().setFromMatrixPosition(matrix).toArray()).toEqual(bodies[1]!.getPosition());
    expect(new Vector3().setFromMatrixScale(matrix).x).toBeCloseTo(2, 5);
    binding.unbind();
    world.step(1 / 60);
    updateBindings(world);
    expect(object.position.y).not.toBe(bodies[0]!.getPosition()[1]);
  });

  test('an object or a mesh that is bound again follows its new bodies only', () => {
    const world = new World({ gravity: [0, 0, 0] });
    const at = (x: number) => world.createBody({ ...CRATE, position: [x, 0, 0] });
    const object = new Object3D();
    const mesh = new InstancedMesh(new BoxGeometry(), undefined, 2);
    bind(world, object, at(0));
    bind(world, mesh, [at(1), at(2)]);
    const [fifth, sixth] = [at(5), at(6)];
    bind(world, object, fifth);
    bind(world, mesh, [null, sixth]);
    const matrix = new Matrix4().makeTranslation(9, 0, 0);
    mesh.setMatrixAt(0, matrix);
    fifth.remove();
    for (let i = 0; i < 3; i++) updateBindings(world);
    expect(object.position.x).toBe(5);
    mesh.getMatrixAt(0, matrix);
    expect(matrix.elements[12]).toBe(9);
  });

  test('below an object that follows a body, an object is where its own is, whichever was bound first', async () => {
    const physics = await startPhysics({ gravity: [0, 0, 0] });
    const inProcess = new World({ gravity: [0, 0, 0] });
    for (const world of [inProcess, physics]) {
      const [car, wheel] = [new Object3D(), new Object3D()];
      const scene = new Scene().add(car.add(new Group().add(wheel)));
      const moving = { ...CRATE, linearVelocity: [0, 60, 0], angularVelocity: [0, 0, 3] } as const;
      const [a, b] = [
        world.createBody(moving),
        world.createBody({ ...moving, position: [3, 0, 0] }),
      ] as PhysicsBody[];
      bind(world, wheel, b!);
      bind(world, car, a!);
      if (world === physics) {
        await physics.step(10);
        physics.update();
      } else {
        for (let i = 0; i < 10; i++) inProcess.step(1 / 60);
        updateBindings(inProcess);
      }
      scene.updateMatrixWorld();
      const place = new Vector3().setFromMatrixPosition(wheel.matrixWorld);
      expect(place.distanceTo(new Vector3(...b!.getPosition()))).toBeLessThan(1e-5);
    }
  });

  test('a scene that does not stand at the origin', () => {
    const world = new World({ gravity: [0, 0, 0] });
    const object = new Object3D();
    const scene = new Scene().add(object);
    scene.position.set(0, 3, 0);
    scene.scale.setScalar(2);
    bind(world, object, world.createBody({ ...CRATE, position: [1, 2, 3], rotation: TURN }));
    scene.updateMatrixWorld();
    expect(object.getWorldPosition(new Vector3()).distanceTo(new Vector3(1, 2, 3))).toBeLessThan(1e-6);
  });

  test('a removed body ends the binding of its object', async () => {
    const physics = await startPhysics();
    const body = physics.createBody({ ...CRATE, position: [0, 1, 0] });
    const mesh = new Mesh();
    bind(physics, mesh, body);
    body.remove();
    expect(() => physics.update()).not.toThrow();
    expect(mesh.position.y).toBe(1);
  });
});

describe('lines', () => {
  test('one LineSegments shows the same for a world in a worker and in process', async () => {
    const world = new World();
    const physics = await startPhysics();
    const remote = new PhysicsLines(physics, { aabbs: true });
    const local = new PhysicsLines(world, { aabbs: true });
    for (const target of [world, physics]) {
      target.createBody(CRATE);
      target.createBody({ position: [3, 0, 0], shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 } });
    }
    world.step(1 / 60);
    local.update();
    await physics.step(1);
    physics.update();
    const { count } = local.geometry.drawRange;
    expect(count).toBeGreaterThan(2 * 24);
    expect(remote.geometry.drawRange.count).toBe(count);
    for (const name of ['position', 'color']) {
      const [a, b] = [remote, local].map((lines) =>
        lines.geometry.getAttribute(name).array.slice(0, 3 * count),
      );
      expect(a).toEqual(b);
    }
    remote.dispose();
    await physics.step(1);
    expect(physics.debugLines.count).toBe(0);
  });
});

describe('cannon-es-debugger', () => {
  const populate = (target: Pick<World, 'createBody'>) => {
    target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
    target.createBody({
      position: [1, 2, 3],
      rotation: TURN,
      shape: [
        { type: 'box', halfExtents: [0.5, 1, 2] },
        { type: 'sphere', radius: 0.7, position: [0, 3, 0] },
      ],
    });
    return target.createBody({
      position: [0, 5, 0],
      shape: { type: 'capsule', radius: 0.25, halfHeight: 0.5, axis: 'x' },
    });
  };
  const meshesIn = (scene: Scene) => scene.children as Mesh[];

  test.each(['in process', 'in a worker'])('shows a world %s', async (where) => {
    const complaints = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
    const world = where === 'in process' ? new World() : await startPhysics();
    const last = populate(world as World);
    const scene = new Scene();
    const view = CannonDebugger(scene, debugWorld(world));
    view.update();
    const [plane, box, sphere, capsule] = meshesIn(scene) as [Mesh, Mesh, Mesh, Mesh];
    expect(meshesIn(scene)).toHaveLength(4);
    expect(
      new Vector3(0, 0, 1).applyQuaternion(plane.quaternion).distanceTo(new Vector3(0, 1, 0)),
    ).toBeLessThan(1e-6);
    expect(box.scale.toArray()).toEqual([1, 2, 4]);
    expect(box.quaternion.angleTo(new Quaternion(...TURN))).toBeLessThan(1e-6);
    expect(sphere.position.distanceTo(new Vector3(1, 5, 3))).toBeLessThan(1e-6);
    capsule.updateMatrixWorld();
    capsule.geometry.computeBoundingBox();
    const bounds = capsule.geometry.boundingBox!.clone().applyMatrix4(capsule.matrixWorld);
    expect(bounds.getSize(new Vector3()).distanceTo(new Vector3(1.5, 0.5, 0.5))).toBeLessThan(1e-5);
    world.removeBody(last as never as PhysicsBody & never);
    view.update();
    expect(meshesIn(scene)).toHaveLength(3);
    for (const complaint of complaints) {
      expect(complaint).not.toHaveBeenCalled();
      complaint.mockRestore();
    }
  });
});
