// The cases of ammo.js's own test suite (kripken/ammo.js, tests/), expressed anew and run on our module and on
// ammo.js itself.
import { describe, expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, ENGINES, load, transformOf, xyz } from './engines';

const CUSTOM_MATERIAL = 8;

describe.each(ENGINES)('%s', (engine) => {
  const program = (name: string, run: (A: Ammo) => void) => test(name, async () => run(await load(engine)));

  program('vectors, transforms from four-vectors, operators', (A) => {
    const vec = new A.btVector3(4, 5, 6);
    expect(xyz(vec)).toEqual([4, 5, 6]);
    const quat = new A.btVector4(14, 25, 36, 77);
    expect([...xyz(quat), quat.w()]).toEqual([14, 25, 36, 77]);
    const t = new A.btTransform(quat, vec);
    expect(xyz(t.getOrigin())).toEqual([4, 5, 6]);
    const q = t.getRotation();
    expect([q.x(), q.y(), q.z(), q.w()].map((part) => part.toFixed(2))).toEqual([
      '0.16',
      '0.28',
      '0.40',
      '0.86',
    ]);
    expect(Object.keys(new A.ClosestRayResultCallback(vec, vec)).length).toBeGreaterThan(0);
    const a = new A.btVector3(5, 6, 7);
    const result = a.op_mul(3);
    expect(xyz(a)).toEqual([15, 18, 21]);
    expect(A.compare(a, result)).toBe(true);
  });

  program('a constraint of one body', (A) => {
    new A.btPoint2PointConstraint(addBody(A, null, box(A, 50), 0), new A.btVector3(0, 0, 0));
  });

  program('a ray result takes any pointer as its object', (A) => {
    const result = new A.ClosestRayResultCallback(new A.btVector3(0, 0, 0), new A.btVector3(1, 3, 17));
    expect(result.hasHit()).toBe(false);
    result.set_m_collisionObject(A.wrapPointer(195));
    expect(typeof result.get_m_collisionObject()).toBe('object');
    expect(xyz(result.get_m_rayToWorld())).toEqual([1, 3, 17]);
  });

  program('btAxisSweep3 makes a world', (A) => {
    const configuration = new A.btDefaultCollisionConfiguration();
    const broadphase = new A.btAxisSweep3(
      new A.btVector3(-1000, -1000, -1000),
      new A.btVector3(1000, 1000, 1000),
      16384,
    );
    const world = new A.btDiscreteDynamicsWorld(
      new A.btCollisionDispatcher(configuration),
      broadphase,
      new A.btSequentialImpulseConstraintSolver(),
      configuration,
    );
    world.setGravity(new A.btVector3(0, -10, 0));
    addBody(A, world, box(A, 50), 0, { position: [0, -56, 0] });
  });

  program('contact added callback: at least four points of two boxes', (A) => {
    const { world, bodyA, bodyB } = twoBoxes(A);
    let calls = 0;
    const callback = (_cp: number, a: number, _partA: number, _indexA: number, b: number) => {
      expect(A.compare(A.wrapPointer(a, A.btCollisionObjectWrapper).getCollisionObject(), bodyA)).toBe(true);
      expect(A.compare(A.wrapPointer(b, A.btCollisionObjectWrapper).getCollisionObject(), bodyB)).toBe(true);
      calls++;
      return 0;
    };
    world.setContactAddedCallback(A.addFunction(callback, A.CONTACT_ADDED_CALLBACK_SIGNATURE));
    world.stepSimulation(1, 0);
    world.setContactAddedCallback(null);
    expect(calls).toBeGreaterThanOrEqual(4);
  });

  program('contact destroyed callback: for points with data', (A) => {
    const { world, bodyA } = twoBoxes(A);
    const given: number[] = [];
    const gone: number[] = [];
    world.setContactDestroyedCallback(
      A.addFunction((data: number) => {
        gone.push(data);
        return 0;
      }, A.CONTACT_DESTROYED_CALLBACK_SIGNATURE),
    );
    world.stepSimulation(1, 0);
    const dispatcher = world.getDispatcher();
    for (let i = 0; i < dispatcher.getNumManifolds(); i++) {
      const manifold = dispatcher.getManifoldByIndexInternal(i);
      for (let k = 0; k < manifold.getNumContacts(); k++) {
        manifold.getContactPoint(k).m_userPersistentData = 11 * (given.length + 1);
        given.push(11 * (given.length + 1));
      }
    }
    expect(given.length).toBeGreaterThanOrEqual(4);
    bodyA.getWorldTransform().getOrigin().setValue(10, 10, 10);
    world.stepSimulation(1, 0);
    world.setContactDestroyedCallback(null);
    expect(gone.sort((a, b) => a - b)).toEqual(given);
  });

  program('contact processed callback: bodies as pointers', (A) => {
    const { world, bodyA, bodyB } = twoBoxes(A);
    let calls = 0;
    const callback = (_cp: number, a: number, b: number) => {
      expect(A.compare(A.wrapPointer(a, A.btCollisionObject), bodyA)).toBe(true);
      expect(A.compare(A.wrapPointer(b, A.btCollisionObject), bodyB)).toBe(true);
      calls++;
      return 0;
    };
    world.setContactProcessedCallback(A.addFunction(callback, A.CONTACT_PROCESSED_CALLBACK_SIGNATURE));
    world.stepSimulation(1, 0);
    world.setContactProcessedCallback(null);
    expect(calls).toBeGreaterThanOrEqual(4);
  });

  program('internal tick callback', (A) => {
    const world = createWorld(A);
    const ticks: [boolean, number][] = [];
    const callback = (pointer: number, dt: number) =>
      void ticks.push([A.compare(A.wrapPointer(pointer, A.btDiscreteDynamicsWorld), world), dt]);
    world.setInternalTickCallback(A.addFunction(callback, A.INTERNAL_TICK_CALLBACK_SIGNATURE));
    world.stepSimulation(1, 0);
    expect(ticks).toEqual([[true, 1]]);
    world.setInternalTickCallback(null);
  });

  program('compound shape: margins, children, hull of a shape, motion state, destroy', (A) => {
    const compound = new A.btCompoundShape();
    const margin = 0.01;
    const shapes = [
      box(A, 0.5, 0.75, 1.25),
      new A.btSphereShape(0.3),
      new A.btCylinderShape(new A.btVector3(0.3, 0.4, 0.3)),
      new A.btConeShape(0.3, 0.5),
      new A.btCapsuleShape(0.4, 0.5),
      new A.btConvexHullShape(),
    ];
    for (const point of [
      [1, 1, 1],
      [-1, 1, 1],
      [1, -1, 1],
      [0, 1, -1],
    ])
      shapes[5].addPoint(new A.btVector3(...point));
    shapes.forEach((shape, i) => {
      shape.setMargin(margin);
      expect(shape.getMargin()).toBeCloseTo(i === 1 ? 0.3 : margin, 5);
      compound.addChildShape(transformOf(A, { position: [i - 2, 0, 0] }), shape);
    });
    compound.setMargin(margin);
    expect(compound.getMargin()).toBeCloseTo(margin, 5);
    expect(compound.getNumChildShapes()).toBe(6);

    const hulled = box(A, 0.5, 0.75, 1.25);
    hulled.setMargin(0);
    const hull = new A.btShapeHull(hulled);
    expect(hull.buildHull(0)).toBe(true);
    expect(new A.btConvexHullShape(hull.getVertexPointer(), hull.numVertices()).getNumVertices()).toBe(8);

    const body = addBody(A, null, compound, 15, { position: [10, 5, 2] });
    body.setMotionState(new A.btDefaultMotionState(transformOf(A, { position: [-30, 50, -10] })));
    for (let i = compound.getNumChildShapes() - 1; i >= 0; i--) {
      const child = compound.getChildShape(i);
      compound.removeChildShapeByIndex(i);
      A.destroy(child);
    }
    A.destroy(body.getMotionState());
    A.destroy(body);
    A.destroy(compound);
  });

  program('two capsules on a cone-twist constraint stay finite', (A) => {
    const world = createWorld(A);
    world.setGravity(new A.btVector3(0, -10, 0));
    addBody(A, world, box(A, 50), 0, { position: [0, -50, 0] });
    const a = addBody(A, world, new A.btCapsuleShape(0.15, 0.2), 1, { position: [0, 1, 0] });
    const b = addBody(A, world, new A.btCapsuleShape(0.07, 0.45), 1, { position: [-0.18, 0.65, 0] });
    const frame = (position: number[]) => {
      const t = transformOf(A, { position });
      t.getBasis().setEulerZYX(0, 0, -Math.PI / 4);
      return t;
    };
    const joint = new A.btConeTwistConstraint(a, b, frame([-0.18, -0.1, 0]), frame([0, 0.22, 0]));
    joint.setLimit(Math.PI / 4, Math.PI / 4, 0);
    world.addConstraint(joint, true);
    const t = new A.btTransform();
    for (let i = 0; i < 10; i++) {
      world.stepSimulation(1 / 60, 10);
      for (const body of [a, b]) {
        body.getMotionState().getWorldTransform(t);
        expect(xyz(t.getOrigin()).every(Number.isFinite)).toBe(true);
      }
    }
  });

  program('hello world: a sphere comes to rest on the ground', (A) => {
    const world = createWorld(A);
    world.setGravity(new A.btVector3(0, -10, 0));
    addBody(A, world, box(A, 50), 0, { position: [0, -56, 0] });
    const ball = addBody(A, world, new A.btSphereShape(1), 1, { position: [2, 10, 0] });
    const t = new A.btTransform();
    for (let i = 0; i < 300; i++) world.stepSimulation(1 / 60, 10);
    ball.getMotionState().getWorldTransform(t);
    expect(t.getOrigin().y()).toBeCloseTo(-5, 2);
  });

  program('wrappers: identity, expandos, casts, destroy', (A) => {
    const vec1 = new A.btVector3(0, 0, 0);
    const vec2 = new A.btVector3(1, 3, 17);
    expect(A.compare(vec1, vec1)).toBe(true);
    expect(A.compare(vec1, vec2)).toBe(false);
    const vec3 = A.wrapPointer(A.getPointer(vec1), A.btVector3);
    expect(vec3).toBe(vec1);
    expect(A.getClass(vec3)).toBe(A.btVector3);
    vec1.more = 23;
    vec2.more = 44;
    expect([vec1.more, vec2.more, vec3.more]).toEqual([23, 44, 23]);
    const pointer = A.getPointer(vec1);
    A.destroy(vec1);
    expect(A.wrapPointer(pointer, A.btVector3).more).toBeUndefined();

    const body = addBody(A, null, box(A, 50), 0, { position: [0, -56, 0] });
    body.info = 1230;
    expect(A.getClass(body)).toBe(A.btRigidBody);
    const object = A.castObject(body, A.btCollisionObject);
    expect(object.info).toBeUndefined();
    expect(A.getClass(object)).toBe(A.btCollisionObject);
    expect(object).not.toBe(body);
    expect(A.compare(body, object)).toBe(true);
    expect(A.castObject(object, A.btRigidBody)).toBe(body);
    expect(A.btRigidBody.prototype.upcast(object)).toBe(body);
    expect(A.getPointer(body)).not.toBe(0);

    let called = false;
    const callback = new A.ConcreteContactResultCallback();
    callback.addSingleResult = () => {
      called = true;
    };
    callback.addSingleResult(A.NULL, A.NULL, A.NULL, A.NULL, A.NULL, A.NULL, A.NULL);
    expect(called).toBe(true);
  });
});

test('six shapes for 3,000 steps stay where they landed', async () => {
  const A = await load('ricochet');
  const world = createWorld(A);
  // Wide: a ball that is thrown off the heap rolls on for 150 m.
  addBody(A, world, box(A, 500, 50, 500), 0, { position: [0, -56, 0] });
  const shapes = [new A.btSphereShape(1), box(A, 1), new A.btConeShape(1, 1)];
  const bodies = [0, 1, 2, 1, 0, 2].map((shape, i) =>
    addBody(A, world, shapes[shape], 1, { position: [2 + i * 0.01, 10 + i * 2.1, 0] }),
  );
  const t = new A.btTransform();
  for (let i = 0; i < 3000; i++) world.stepSimulation(1 / 60, 10);
  for (const body of bodies) {
    body.getMotionState().getWorldTransform(t);
    expect(t.getOrigin().y()).toBeGreaterThan(-6);
  }
});

test('loading sets the global Ammo', async () => {
  const { default: loadOurs } = await import('../../src/ammo/index');
  const module = await loadOurs();
  expect((globalThis as { Ammo?: unknown }).Ammo).toBe(module);
});

function twoBoxes(A: Ammo) {
  const world = createWorld(A);
  const [bodyA, bodyB] = [0, 1].map(() => {
    const body = addBody(A, null, box(A, 0.5), 1);
    body.setCollisionFlags(CUSTOM_MATERIAL);
    world.addRigidBody(body);
    return body;
  });
  return { world, bodyA, bodyB };
}
