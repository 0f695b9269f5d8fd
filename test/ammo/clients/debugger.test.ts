// cannon-es-debugger, as npm has it, draws the world of a program for ammo.js: on either engine through a view of
// bodies that the program keeps, as such programs do, and on ours through debugWorld as well.
import { Body, Box, Quaternion, Sphere, Vec3, type World } from 'cannon-es';
import CannonDebugger from 'cannon-es-debugger';
import { debugWorld } from 'ricochet/debug';
import { type Mesh, Scene, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, load, transformOf, xyz, xyzw } from '../engines';
import { compare } from './compare';

const SIZES: Record<string, Vec3> = {
  ground: new Vec3(20, 0.5, 20),
  crate: new Vec3(0.5, 0.6, 0.7),
  upper: new Vec3(0.4, 0.3, 0.5),
};

function populate(A: Ammo) {
  const world = createWorld(A);
  const boxOf = ({ x, y, z }: Vec3) => box(A, x, y, z);
  const bodies: Record<string, Ammo> = {
    ground: addBody(A, world, boxOf(SIZES['ground']!), 0, { position: [0, -0.5, 0] }),
    crate: addBody(A, world, boxOf(SIZES['crate']!), 2, { position: [0, 0.7, 0] }),
    upper: addBody(A, world, boxOf(SIZES['upper']!), 1, { position: [0, 1.6, 0] }),
    ball: addBody(A, world, new A.btSphereShape(0.5), 1, { position: [3, 2, 0] }),
  };
  const compound = new A.btCompoundShape();
  compound.addChildShape(transformOf(A, { position: [-0.5, 0, 0] }), box(A, 0.3));
  compound.addChildShape(transformOf(A, { position: [0.5, 0, 0] }), new A.btSphereShape(0.3));
  bodies['barbell'] = addBody(A, world, compound, 1, { position: [-4, 0.5, 0] });
  for (const name of ['ball', 'barbell']) bodies[name].setDamping(0.3, 0.9);
  return { world, bodies };
}

/** What the program knows of its bodies, as cannon-es has it. */
function viewOf(bodies: Record<string, Ammo>): World {
  const shown = Object.entries(bodies).map(([name, body]) => {
    const view = new Body();
    if (name === 'ball') view.addShape(new Sphere(0.5));
    else if (name !== 'barbell') view.addShape(new Box(SIZES[name]!));
    else {
      view.addShape(new Box(new Vec3(0.3, 0.3, 0.3)), new Vec3(-0.5, 0, 0));
      view.addShape(new Sphere(0.3), new Vec3(0.5, 0, 0));
    }
    return { view, body };
  });
  const world: Pick<World, 'bodies'> = {
    get bodies() {
      return shown.map(({ view, body }) => {
        const at = body.getWorldTransform();
        view.position.set(...xyz(at.getOrigin()));
        view.quaternion = new Quaternion(...xyzw(at.getRotation()));
        return view;
      });
    },
  };
  return world as World;
}

function scene(A: Ammo) {
  const { world, bodies } = populate(A);
  const view = new Scene();
  const debug = CannonDebugger(view, viewOf(bodies));
  for (let i = 0; i < 240; i++) {
    world.stepSimulation(1 / 60, 0);
    debug.update();
  }
  // One mesh for each shape; the ground does not come to rest, it is there.
  const rest = Object.fromEntries(view.children.map(({ position }, i) => [`mesh ${i}`, position.toArray()]));
  return { rest };
}

test('cannon-es-debugger draws bodies of a program for ammo.js where they are', async () => {
  const { rest } = await compare(scene);
  expect(Object.keys(rest)).toHaveLength(6);
  expect(rest['mesh 2']![1]).toBeCloseTo(1.5, 2); // the upper crate
});

test('debugWorld shows the world behind the facade: every shape, its size and place, also after removal', async () => {
  const A = await load('ricochet');
  const { world, bodies } = populate(A);
  const cylinder = addBody(A, world, new A.btCylinderShape(new A.btVector3(0.4, 0.6, 0.4)), 1, {
    position: [8, 3, 0],
  });
  const view = new Scene();
  const debug = CannonDebugger(view, debugWorld(A.engineOf(world)));
  const kept = new Scene();
  const own = CannonDebugger(kept, viewOf(bodies));
  for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 0);
  debug.update();
  own.update();
  const [meshes, expected] = [view.children as Mesh[], kept.children as Mesh[]];
  expect(meshes).toHaveLength(7);
  expected.forEach(({ position, scale }, i) => {
    expect(position.distanceTo(meshes[i]!.position), `${i}`).toBeLessThan(1e-6);
    expect(scale.distanceTo(meshes[i]!.scale), `${i}`).toBeLessThan(1e-6);
  });
  expect(meshes[6]!.position.distanceTo(new Vector3(...xyz(cylinder.getWorldTransform().getOrigin())))).toBe(
    0,
  );
  world.removeRigidBody(cylinder);
  debug.update();
  expect(view.children).toHaveLength(6);
  expect(() => A.engineOf(bodies['crate'])).toThrow(A.PhysicsError);
});
