// three.js scenes with bodies: add a mesh with a mass and it falls.
import { PhysicsError, type RigidBody, World } from 'ricochet';
import { bind, PhysicsScene, RicochetPhysics, updateBindings } from 'ricochet/three';
import type { PhysicsBody } from 'ricochet/worker';
import {
  BoxGeometry,
  CapsuleGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { expect, test } from 'vitest';
import { startPhysics } from './support';

test('a mesh with a mass falls on a mesh without, each of the shape that its geometry has', async () => {
  const physics = await startPhysics();
  const scene = new PhysicsScene(physics);
  const floor = new Mesh(new BoxGeometry(20, 1, 20));
  floor.position.y = -0.5;
  const box = new Mesh(new BoxGeometry(1, 1, 1));
  box.scale.setScalar(2);
  box.position.set(0, 1.2, 0);
  const ball = new Mesh(new SphereGeometry(0.5));
  ball.position.set(5, 0.8, 0);
  const capsule = new Mesh(new CapsuleGeometry(0.25, 1));
  capsule.position.set(-5, 0.9, 0);
  scene.add(floor);
  for (const mesh of [box, ball, capsule]) scene.add(mesh, 1);
  await physics.step(60);
  physics.update();
  expect(floor.position.y).toBe(-0.5);
  expect(box.position.y).toBeCloseTo(1, 2);
  expect(ball.position.y).toBeCloseTo(0.5, 2);
  expect(capsule.position.y).toBeCloseTo(0.75, 2);
  scene.setMeshPosition(ball, [5, 9, 0]);
  physics.update();
  expect(ball.position.y).toBe(9);
  scene.remove(box);
  expect(physics.bodyCount).toBe(3);
  scene.dispose();
  expect(physics.bodyCount).toBe(0);
});

test('a group is one body of several shapes, instances are one body each', async () => {
  const physics = await startPhysics();
  const scene = new PhysicsScene(physics);
  const dumbbell = new Group();
  for (const x of [-1, 1]) {
    const end = new Mesh(new SphereGeometry(0.5));
    end.position.x = x;
    dumbbell.add(end);
  }
  dumbbell.position.y = 3;
  dumbbell.userData['physics'] = { mass: 2 };
  const root = new Group().add(dumbbell);
  scene.addScene(root);
  const [body] = scene.bodiesOf(dumbbell);
  expect(body!.shapes).toHaveLength(2);
  expect(body!.getShape(body!.shapes[1]!).position).toEqual([1, 0, 0]);
  const bricks = new InstancedMesh(new BoxGeometry(1, 1, 1), undefined, 4);
  for (let i = 0; i < 4; i++) bricks.setMatrixAt(i, new Matrix4().makeTranslation(0, 5 + 2 * i, 8));
  expect(scene.add(bricks, 1)).toHaveLength(4);
  await physics.step(30);
  physics.update();
  expect(dumbbell.getWorldPosition(new Vector3()).y).toBeLessThan(2.5);
  const at = new Matrix4();
  bricks.getMatrixAt(3, at);
  expect(at.elements[13]).toBeLessThan(10.5);
  // A hole cannot move: the error names the alternatives.
  expect(() => scene.add(new Mesh(new TorusGeometry()), 1)).toThrow(/mesh on a dynamic body.*convex pieces/);
});

test('a mesh with physics of its own is no part of the body above it; instances in a group are parts of its body', () => {
  const world = new World({ gravity: [0, 0, 0] });
  const scene = new PhysicsScene(world);
  const [crate, lid] = [new Mesh(new BoxGeometry()), new Mesh(new BoxGeometry(1, 0.2, 1))];
  for (const mesh of [crate, lid]) mesh.userData['physics'] = { mass: 1 };
  lid.position.y = 0.6;
  scene.addScene(new Group().add(crate.add(lid)));
  expect(scene.bodiesOf(crate)[0]!.shapes).toHaveLength(1);
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  updateBindings(world);
  // Two bodies that overlap would push each other away.
  expect(lid.position.y).toBeCloseTo(0.6, 2);
  const posts = new InstancedMesh(new BoxGeometry(), undefined, 3);
  for (let i = 0; i < 3; i++) posts.setMatrixAt(i, new Matrix4().makeTranslation(2 * i, 0, 9));
  const [fence] = scene.add(new Group().add(posts));
  expect(fence!.shapes.map((id) => fence!.getShape(id).position[0])).toEqual([0, 2, 4]);
});

test('a mesh whose type is dynamic follows its body, also without a mass', () => {
  const world = new World();
  const scene = new PhysicsScene(world);
  const crate = new Mesh(new BoxGeometry());
  crate.userData['physics'] = { type: 'dynamic' };
  scene.addScene(crate);
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  updateBindings(world);
  expect(scene.bodiesOf(crate)[0]!.mass).toBe(1000);
  expect(crate.position.y).toBeLessThan(-4);
  expect(crate.position.y).toBe(scene.bodiesOf(crate)[0]!.getPosition()[1]);
});

test('a scene whose world has ended can end, too', async () => {
  const physics = await startPhysics();
  for (const world of [new World(), physics]) {
    const scene = new PhysicsScene<RigidBody | PhysicsBody>(world as World);
    const [crate, ball] = [new Mesh(new BoxGeometry()), new Mesh(new SphereGeometry())];
    scene.add(crate, 1);
    scene.add(ball, 1);
    world.dispose();
    scene.remove(crate);
    scene.dispose();
    expect(scene.bodiesOf(ball)).toEqual([]);
  }
});

test('a mesh whose body was removed from the world can be added again', () => {
  const world = new World({ gravity: [0, 0, 0] });
  const scene = new PhysicsScene(world);
  const crate = new Mesh(new BoxGeometry());
  scene.add(crate, 1)[0]!.remove();
  crate.position.set(0, 7, 0);
  const [body] = scene.add(crate, 1);
  body!.setPosition([3, 0, 0]);
  updateBindings(world);
  expect(world.bodyCount).toBe(1);
  expect(crate.position.toArray()).toEqual([3, 0, 0]);
});

test('a mesh that stands still moves when it is placed elsewhere', async () => {
  const physics = await startPhysics();
  for (const world of [new World(), physics]) {
    const scene = new PhysicsScene<RigidBody | PhysicsBody>(world as World);
    const wall = new Mesh(new BoxGeometry());
    scene.add(wall);
    const posts = new InstancedMesh(new BoxGeometry(), undefined, 2);
    scene.add(posts);
    scene.setMeshPosition(wall, [1, 2, 3]);
    scene.setMeshPosition(posts, [4, 5, 6], 1);
    if (world === physics) {
      await physics.step(1);
      physics.update();
    } else updateBindings(world as World);
    expect(wall.position.toArray()).toEqual([1, 2, 3]);
    const at = new Matrix4();
    posts.getMatrixAt(1, at);
    expect(at.elements.slice(12, 15)).toEqual([4, 5, 6]);
  }
});

/** Largest difference of two matrices. */
const apart = (a: Matrix4, b: Matrix4) =>
  Math.max(...a.elements.map((element, i) => Math.abs(element - b.elements[i]!)));

test.each([
  [1, 1, 1],
  [-2, 2, 2],
  [1, 1, -1],
  [-1, 1, -1],
])(
  'mirrored meshes and instances below a parent of scale [%d, %d, %d] stay as they are, and turn with their bodies',
  (...above) => {
    const corners = [1, -1].flatMap((x) => [1, -1].flatMap((y) => [1, -1].map((z) => [x, y, z] as const)));
    const turn = new Quaternion(0.3, 0.5, -0.4, 0.7).normalize();
    for (const [x, y, z] of corners) {
      const world = new World({ gravity: [0, 0, 0] });
      const scene = new PhysicsScene(world);
      const mesh = new Mesh(new BoxGeometry(1, 2, 3).translate(2, 0.5, 1));
      mesh.scale.set(x, 2 * y, 1.5 * z);
      mesh.rotation.set(0.3, -0.7, 1.1);
      mesh.position.set(1, 2, 3);
      const parent = new Group().add(mesh);
      parent.scale.set(...above);
      parent.rotation.set(0.4, 0.2, 0.1);
      parent.updateMatrixWorld(true);
      const before = mesh.matrixWorld.clone();
      const [body] = scene.add(mesh, 1);
      const drawn = () => {
        updateBindings(world);
        parent.updateMatrixWorld(true);
        return mesh.matrixWorld;
      };
      expect(apart(drawn(), before)).toBeLessThan(1e-5);
      const middle = new Vector3(2, 0.5, 1).applyMatrix4(before);
      expect(body!.getCenterOfMassPosition(new Vector3()).distanceTo(middle)).toBeLessThan(1e-5);
      const origin = body!.getPosition(new Vector3());
      body!.setRotation(turn.clone().multiply(body!.getRotation(new Quaternion())));
      const turned = new Matrix4()
        .makeTranslation(origin)
        .multiply(new Matrix4().makeRotationFromQuaternion(turn))
        .multiply(new Matrix4().makeTranslation(origin.clone().negate()));
      expect(apart(drawn(), turned.multiply(before))).toBeLessThan(1e-5);

      const instances = new InstancedMesh(new BoxGeometry(), undefined, 1);
      const matrix = new Matrix4().compose(origin, turn, new Vector3(x, 2 * y, z));
      instances.setMatrixAt(0, matrix);
      scene.add(instances, 1);
      updateBindings(world);
      const now = new Matrix4();
      instances.getMatrixAt(0, now);
      expect(apart(now, matrix)).toBeLessThan(1e-5);
    }
  },
);

test.each([1, -1])('a mesh whose matrix is written by hand, mirrored by %d, stays as it is', (sign) => {
  const world = new World({ gravity: [0, 0, 0] });
  const scene = new PhysicsScene(world);
  const mesh = new Mesh(new BoxGeometry());
  mesh.matrixAutoUpdate = false;
  const turn = new Quaternion(0.3, 0.5, -0.4, 0.7).normalize();
  mesh.matrix.compose(new Vector3(1, 2, 3), turn, new Vector3(2, 3 * sign, 4));
  mesh.matrixWorldNeedsUpdate = true;
  const before = mesh.matrix.clone();
  const [body] = scene.add(mesh, 1);
  updateBindings(world);
  expect(apart(mesh.matrix, before)).toBeLessThan(1e-5);
  expect(body!.getShape(body!.shapes[0]!).params.slice(0, 3)).toEqual([1, 1.5, 2]);
});

test.each([
  [1, 1, 1],
  [2, 2, 2],
  [-1, 3, 0.5],
])(
  'instances of a mesh at another place, below a parent of scale [%d, %d, %d], are where they are drawn',
  async (...above) => {
    const physics = await startPhysics({ gravity: [0, 0, 0] });
    const inProcess = new World({ gravity: [0, 0, 0] });
    for (const world of [inProcess, physics]) {
      const scene = new PhysicsScene<RigidBody | PhysicsBody>(world as World);
      const mesh = new InstancedMesh(new BoxGeometry(1, 2, 3).translate(2, 0.5, 1), undefined, 3);
      const turn = new Quaternion(0.3, 0.5, -0.4, 0.7).normalize();
      mesh.setMatrixAt(1, new Matrix4().makeTranslation(4, 0, 0));
      mesh.setMatrixAt(
        2,
        new Matrix4().compose(new Vector3(0, 5, 0), new Quaternion(), new Vector3(1, 2, 1)),
      );
      mesh.position.set(1, 2, 3);
      const parent = new Group().add(mesh);
      parent.scale.set(...above);
      parent.position.set(0, 7, 0);
      parent.quaternion.copy(turn);
      parent.updateMatrixWorld(true);
      const drawn = (i: number) => {
        parent.updateMatrixWorld(true);
        const matrix = new Matrix4();
        mesh.getMatrixAt(i, matrix);
        return matrix.premultiply(mesh.matrixWorld);
      };
      const before = [0, 1, 2].map(drawn);
      const bodies = scene.add(mesh, 1);
      for (const [i, body] of bodies.entries()) {
        expect(apart(drawn(i), before[i]!)).toBeLessThan(1e-5);
        const middle = new Vector3(2, 0.5, 1).applyMatrix4(before[i]!);
        expect(body.getCenterOfMassPosition(new Vector3()).distanceTo(middle)).toBeLessThan(1e-5);
      }
      // The parent moves, the bodies do not.
      parent.position.set(3, 1, 2);
      if (world === physics) {
        await physics.step(1);
        physics.update();
      } else updateBindings(inProcess);
      for (const i of [0, 1, 2]) expect(apart(drawn(i), before[i]!)).toBeLessThan(1e-5);
    }
  },
);

test('what cannot be bound or added is refused by a PhysicsError that names the argument and shows the value', () => {
  const world = new World();
  const scene = new PhysicsScene(world);
  const refused = (call: () => unknown, argument: string, message: RegExp) => {
    let error: unknown;
    try {
      call();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PhysicsError);
    expect(error).toMatchObject({ code: 'invalid-argument', argument });
    expect((error as Error).message).toMatch(message);
  };
  const shape = { type: 'sphere', radius: 1 } as const;
  const bodies = [world.createBody({ shape }), world.createBody({ shape })];
  const mesh = new Mesh(new BoxGeometry(1, 1, 1));
  mesh.name = 'crate';
  const one = new InstancedMesh(new BoxGeometry(1, 1, 1), undefined, 1);
  refused(() => bind(world, mesh as unknown as InstancedMesh, bodies), 'mesh', /InstancedMesh, got "Mesh"/);
  refused(() => bind(world, one, bodies), 'bodies.length', /at most 1, the mesh's instances, got 2/);
  refused(() => scene.setMeshPosition(mesh, [0, 0, 0]), 'object', /must have been added, got "Mesh crate"/);
  scene.add(mesh, 1);
  refused(() => scene.add(mesh, 1), 'object', /must have no body yet, got "Mesh crate"/);
  refused(
    () => scene.setMeshPosition(mesh, [0, 0, 0], 1),
    'index',
    /must be 0 … 0, one of its bodies, got 1/,
  );
  expect(world.bodyCount).toBe(3);
});

test('a scene that is added again brings what is new in it', async () => {
  const addon = await RicochetPhysics({ transport: 'page' });
  const world = new World();
  for (const physics of [new PhysicsScene(world), addon]) {
    const count = () => (physics === addon ? addon.world : world).bodyCount;
    const root = new Group();
    const crate = () => {
      const mesh = new Mesh(new BoxGeometry());
      mesh.userData['physics'] = { mass: 1 };
      root.add(mesh);
      return mesh;
    };
    const first = crate();
    physics.addScene(root);
    crate();
    physics.addScene(root);
    expect(count()).toBe(2);
    physics.addScene(root);
    expect(count()).toBe(2);
    // What was taken out is added anew.
    if (physics === addon) addon.removeMesh(first);
    else (physics as PhysicsScene<RigidBody>).remove(first);
    expect(count()).toBe(1);
    physics.addScene(root);
    expect(count()).toBe(2);
  }
  addon.dispose();
});
