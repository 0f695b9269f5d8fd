// three.js scenes with bodies: add a mesh with a mass and it falls.
import { PhysicsScene } from 'ricochet/three';
import {
  BoxGeometry,
  CapsuleGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
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
