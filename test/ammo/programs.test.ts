// What released programs for ammo.js do, and no manual tells them to: it works there, so it works here. Both engines run
// each program; what ammo.js answers is the measure where it makes sense.
import { afterEach, describe, expect, test, vi } from 'vitest';
import loadOurs from '../../src/ammo/index';
import { bowl } from '../cooking/support/solids';
import {
  type Ammo,
  addBody,
  box,
  createWorld,
  ENGINES,
  load,
  options,
  positionOf,
  transformOf,
  xyz,
  xyzw,
} from './engines';

afterEach(() => void vi.restoreAllMocks());

const step = (world: Ammo, steps: number, each: () => void = () => {}) => {
  for (let i = 0; i < steps; i++) {
    world.stepSimulation(1 / 60, 0);
    each();
  }
};

function withFloor(A: Ammo): Ammo {
  const world = createWorld(A);
  addBody(A, world, box(A, 10, 0.5, 10), 0, { position: [0, -0.5, 0] });
  return world;
}

const corner = (A: Ammo, i: number, half = 0.5) =>
  new A.btVector3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
const FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const;

function cubeMesh(A: Ammo): Ammo {
  const mesh = new A.btTriangleMesh();
  for (const [a, b, c, d] of FACES) {
    mesh.addTriangle(corner(A, a), corner(A, b), corner(A, c));
    mesh.addTriangle(corner(A, a), corner(A, c), corner(A, d));
  }
  return mesh;
}

/** A ring about z: 1 m to the middle of its tube of 0.2 m. */
function ringMesh(A: Ammo): Ammo {
  const mesh = new A.btTriangleMesh();
  const [rounds, sides] = [24, 8];
  const at = (i: number, j: number) => {
    const [a, b] = [(2 * Math.PI * i) / rounds, (2 * Math.PI * j) / sides];
    const r = 1 + 0.2 * Math.cos(b);
    return new A.btVector3(r * Math.cos(a), r * Math.sin(a), 0.2 * Math.sin(b));
  };
  for (let i = 0; i < rounds; i++)
    for (let j = 0; j < sides; j++) {
      mesh.addTriangle(at(i, j), at(i + 1, j), at(i, j + 1));
      mesh.addTriangle(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
  return mesh;
}

describe.each(ENGINES)('%s', (engine) => {
  const program = (name: string, run: (A: Ammo) => void) => test(name, async () => run(await load(engine)));

  program('base class members are there: motion states, wheels', (A) => {
    const state = new A.btDefaultMotionState(transformOf(A, { position: [1, 2, 3] }));
    const t = new A.btTransform();
    A.btMotionState.prototype.getWorldTransform.call(state, t);
    expect(xyz(t.getOrigin())).toEqual([1, 2, 3]);
    A.btMotionState.prototype.setWorldTransform.call(state, transformOf(A, { position: [4, 5, 6] }));
    A.castObject(state, A.btMotionState).getWorldTransform(t);
    expect(xyz(t.getOrigin())).toEqual([4, 5, 6]);
    const world = createWorld(A);
    const tuning = new A.btVehicleTuning();
    const caster = new A.btDefaultVehicleRaycaster(world);
    const vehicle = new A.btRaycastVehicle(tuning, addBody(A, world, box(A), 1), caster);
    const [down, axle] = [new A.btVector3(0, -1, 0), new A.btVector3(-1, 0, 0)];
    const wheel = vehicle.addWheel(new A.btVector3(0, 0, 0), down, axle, 0.5, 0.3, tuning, true);
    const info = wheel.get_m_raycastInfo();
    info.set_m_suspensionLength(0.25);
    wheel.set_m_raycastInfo(info);
    expect(wheel.get_m_raycastInfo().get_m_suspensionLength()).toBe(0.25);
  });

  program('getCache holds what was wrapped, by class and pointer', (A) => {
    const body = addBody(A, null, box(A), 1);
    expect(A.getCache(A.btRigidBody)[A.getPointer(body)]).toBe(body);
    expect(A.getCache(A.btGhostObject)[A.getPointer(body)]).toBeUndefined();
    expect(Object.keys(A.getCache(A.btRigidBody))).toContain(String(A.getPointer(body)));
    const seen = A.castObject(body, A.btCollisionObject);
    expect(A.getCache(A.btCollisionObject)[A.getPointer(body)]).toBe(seen);
    const pointer = A.getPointer(body);
    A.destroy(body);
    expect(A.getCache(A.btRigidBody)[pointer]).toBeUndefined();
    expect(typeof A.getCache()).toBe('object');
  });

  program('destroy of what has no destructor throws', (A) => {
    for (const object of [A.NULL, new A.btVehicleTuning()]) {
      let error: unknown;
      try {
        A.destroy(object);
      } catch (thrown) {
        error = thrown;
      }
      expect(String((error as Error)?.message ?? error)).toContain('Cannot destroy object');
    }
  });

  program('a ghost forgets what was removed while it overlapped', (A) => {
    const world = createWorld(A);
    world.getPairCache().setInternalGhostPairCallback(new A.btGhostPairCallback());
    const ghost = new A.btPairCachingGhostObject();
    ghost.setCollisionShape(box(A, 1));
    ghost.setCollisionFlags(4);
    ghost.setWorldTransform(transformOf(A, {}));
    world.addCollisionObject(ghost);
    const bodies = [0, 1].map((i) => addBody(A, world, box(A), 1, { position: [0.2 * i, 0, 0] }));
    step(world, 1);
    expect(ghost.getNumOverlappingObjects()).toBe(2);
    world.removeRigidBody(bodies[0]);
    expect(ghost.getNumOverlappingObjects()).toBe(1);
    expect(A.compare(ghost.getOverlappingObject(0), bodies[1])).toBe(true);
  });

  program('calculateLocalInertia without a vector, and a body made without one', (A) => {
    const world = withFloor(A);
    const shape = box(A);
    shape.calculateLocalInertia(1);
    const state = new A.btDefaultMotionState(transformOf(A, { position: [0, 1, 0] }));
    const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(1, state, shape));
    world.addRigidBody(body);
    step(world, 120);
    expect(positionOf(body)[1]).toBeCloseTo(0.5, 1);
  });

  program('hulls of three points, of four in a plane: bodies that fall onto the ground', (A) => {
    for (const count of [3, 4]) {
      const world = withFloor(A);
      const hull = new A.btConvexHullShape();
      for (const [x, z] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ].slice(0, count))
        hull.addPoint(new A.btVector3(x! - 0.4, 0, z! - 0.4), true);
      const body = addBody(A, world, hull, 1, { position: [0, 0.5, 0] });
      step(world, 120);
      expect(Math.abs(positionOf(body)[1])).toBeLessThan(0.1);
    }
  });

  program('a mesh on a body that moves rests on the ground, and boxes on it', (A) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = withFloor(A);
    const body = addBody(A, world, new A.btBvhTriangleMeshShape(cubeMesh(A), true), 1, {
      position: [0, 0.6, 0],
    });
    const rider = addBody(A, world, box(A, 0.3), 1, { position: [0, 1.5, 0] });
    step(world, 180);
    expect(positionOf(body)[1]).toBeCloseTo(0.5, 1);
    expect(positionOf(rider)[1]).toBeCloseTo(1.3, 1);
  });

  program('a ring of GImpact lies on the ground; a ball falls through it', (A) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = withFloor(A);
    A.btGImpactCollisionAlgorithm.prototype.registerAlgorithm(world.getDispatcher());
    const shape = new A.btGImpactMeshShape(ringMesh(A));
    shape.updateBound();
    expect(shape.getMeshPartCount()).toBe(1);
    const lying = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    const ring = addBody(A, world, shape, 1, { position: [0, 0.3, 0], rotation: lying });
    const ball = addBody(A, world, new A.btSphereShape(0.3), 1, { position: [0, 2, 0] });
    step(world, 180);
    expect(positionOf(ring)[1]).toBeCloseTo(0.2, 1);
    expect(positionOf(ball)[1]).toBeCloseTo(0.3, 1);
  });

  program('two rings of GImpact hang in each other', (A) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = createWorld(A);
    A.btGImpactCollisionAlgorithm.prototype.registerAlgorithm(world.getDispatcher());
    const ring = (mass: number, y: number, rotation?: number[]) => {
      const shape = new A.btGImpactMeshShape(ringMesh(A));
      shape.updateBound();
      return addBody(A, world, shape, mass, { position: [0, y, 0], ...(rotation && { rotation }) });
    };
    ring(0, 0);
    const lower = ring(1, -1.45, [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    step(world, 240);
    // The tube of one lies on that of the other: 2 m − 2 · 0.2 m apart.
    expect(positionOf(lower)[1]).toBeGreaterThan(-1.75);
    expect(positionOf(lower)[1]).toBeLessThan(-1.45);
  });

  program('a cone-twist constraint brings its frames together and keeps them so', (A) => {
    for (const gap of [0.5, 3]) {
      const world = createWorld(A);
      const base = addBody(A, world, box(A, 0.25), 0, { position: [0, 5, 0] });
      const body = addBody(A, world, box(A, 0.25), 1, { position: [gap, 4, 0] });
      const frames = [transformOf(A, { position: [0, -0.5, 0] }), transformOf(A, { position: [0, 0.5, 0] })];
      const joint = new A.btConeTwistConstraint(base, body, ...frames);
      for (const axis of [3, 4, 5]) joint.setLimit(axis, 0.6);
      world.addConstraint(joint, true);
      body.setDamping(0.3, 0.3);
      step(world, 240);
      const [x, y, z] = positionOf(body);
      expect(Math.abs(Math.hypot(x, y - 4.5, z) - 0.5)).toBeLessThan(0.05);
    }
  });
});

describe('ours', () => {
  test('frames of 1/60 s within rounding make one step each, as Bullet’s floats do', async () => {
    const made = [];
    for (const engine of ENGINES) {
      const A = await load(engine);
      const world = createWorld(A);
      const ball = addBody(A, world, new A.btSphereShape(0.5), 1, { position: [0, 0, 0] });
      // What clocks of pages give: differences of times in ms.
      let now = 1234.5;
      const steps = [];
      for (let i = 0; i < 120; i++) {
        const before = now;
        now += 1000 / 60;
        steps.push(world.stepSimulation((now - before) / 1000, 10));
      }
      expect(new Set(steps), engine).toEqual(new Set([1]));
      made.push(positionOf(ball)[1]);
    }
    expect(Math.abs(made[0]! - made[1]!)).toBeLessThan(0.2); // free flight differs by g·t·dt/2
  });

  test('a step below 0 is made up for by the next, as clocks of pages need it', async () => {
    for (const engine of ENGINES) {
      const A = await load(engine);
      const world = createWorld(A);
      expect(world.stepSimulation(-0.01, 10), engine).toBe(0);
      expect(world.stepSimulation(0.02, 10), engine).toBe(0);
      expect(world.stepSimulation(0.02, 10), engine).toBe(1);
    }
  });

  test('a force or an impulse without a place acts at the centre', async () => {
    for (const engine of ENGINES) {
      const A = await load(engine);
      const world = createWorld(A);
      world.setGravity(new A.btVector3(0, 0, 0));
      const body = addBody(A, world, box(A), 2);
      body.applyImpulse(new A.btVector3(4, 0, 0));
      step(world, 1, () => {});
      expect(body.getLinearVelocity().x(), engine).toBeCloseTo(2, 5);
      body.applyForce(new A.btVector3(0, 120, 0));
      step(world, 1);
      expect(body.getLinearVelocity().y(), engine).toBeCloseTo(1, 4);
      expect(Math.hypot(...xyz(body.getAngularVelocity())), engine).toBeCloseTo(0, 4);
    }
  });

  test('balls, capsules and cones of size 0 are there, as those of models are', async () => {
    for (const engine of ENGINES) {
      const A = await load(engine);
      const world = withFloor(A);
      const shapes = [
        new A.btSphereShape(0),
        new A.btCapsuleShape(0, 0),
        new A.btCapsuleShape(0, 1),
        new A.btConeShape(0, 1),
      ];
      const bodies = shapes.map((shape, i) => addBody(A, world, shape, 1, { position: [i, 3, 0] }));
      step(world, 10);
      for (const body of bodies) expect(positionOf(body)[1], engine).toBeLessThan(3);
    }
  });

  test('programs that look for impacts by distance and impulse find one at 70 m/s', async () => {
    for (const engine of ENGINES) {
      const A = await load(engine);
      const world = createWorld(A);
      world.setGravity(new A.btVector3(0, 0, 0));
      const wall = addBody(A, world, box(A, 25, 25, 1), 0, { position: [0, 0, -15] });
      const ball = addBody(A, world, new A.btSphereShape(0.8), 35, { position: [0.3, -5, 20] });
      ball.setLinearVelocity(new A.btVector3(0, 0, -70));
      const dispatcher = world.getDispatcher();
      let most = 0;
      step(world, 40, () => {
        for (let i = 0; i < dispatcher.getNumManifolds(); i++) {
          const manifold = dispatcher.getManifoldByIndexInternal(i);
          for (let j = 0; j < manifold.getNumContacts(); j++) {
            const point = manifold.getContactPoint(j);
            if (point.getDistance() > 0) continue;
            expect([manifold.getBody0(), manifold.getBody1()].some((one) => A.compare(one, wall))).toBe(true);
            most = Math.max(most, point.getAppliedImpulse());
          }
        }
      });
      expect(most / (35 * 70), engine).toBeCloseTo(1, 1);
    }
  });

  test('setMassProps without inertia takes that of the shape', async () => {
    const A = await load('ricochet');
    const world = createWorld(A);
    const body = addBody(A, world, box(A), 1);
    body.setMassProps(3);
    body.applyTorqueImpulse(new A.btVector3(0, 1, 0));
    expect(body.getAngularVelocity().y()).toBeCloseTo(1 / (3 / 6), 4);
    body.setMassProps(0);
    expect(body.isStaticObject()).toBe(true);
  });

  test('a hull without points is a body without a shape; in ammo.js memory is read past its end', async () => {
    const A = await load('ricochet');
    const world = withFloor(A);
    const body = addBody(A, world, new A.btConvexHullShape(), 1, { position: [0, 1, 0] });
    step(world, 60);
    expect(positionOf(body)[1]).toBeLessThan(-3);
  });

  test('a mesh on a moving body warns once, whatever becomes of it', async () => {
    const A = await load('ricochet');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = withFloor(A);
    const shape = new A.btBvhTriangleMeshShape(cubeMesh(A), true);
    const bodies = [1, 3].map((y) => addBody(A, world, shape, 1, { position: [0, y, 0] }));
    shape.setLocalScaling(new A.btVector3(2, 1, 1));
    bodies[0].setMassProps(2, new A.btVector3(1, 1, 1));
    step(world, 60);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]![0]).toContain('convex pieces');
  });

  test.each([
    ['pieces', true],
    ['decompose', true],
    ['hull', false],
  ] as const)('dynamicMeshes: %s: whether a moving bowl holds a ball', async (dynamicMeshes, holds) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const before = (globalThis as { Ammo?: unknown }).Ammo;
    const A: Ammo = await loadOurs({ ...options(), dynamicMeshes });
    (globalThis as { Ammo?: unknown }).Ammo = before;
    const world = createWorld(A);
    world.setGravity(new A.btVector3(0, -9.81, 0));
    const { vertices, indices } = bowl(1, 0.15, 16, 6);
    const mesh = new A.btTriangleMesh();
    const corner = (i: number) => new A.btVector3(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
    for (let i = 0; i < indices.length; i += 3)
      mesh.addTriangle(corner(indices[i]!), corner(indices[i + 1]!), corner(indices[i + 2]!));
    const pot = addBody(A, world, new A.btBvhTriangleMeshShape(mesh, true), 5);
    pot.setLinearFactor(new A.btVector3(0, 0, 0));
    pot.setAngularFactor(new A.btVector3(0, 0, 0));
    const ball = addBody(A, world, new A.btSphereShape(0.3), 1, { position: [0, 1, 0] });
    step(world, 120);
    const [, y] = positionOf(ball);
    if (holds) expect(y).toBeLessThan(-0.4);
    else expect(y).toBeGreaterThan(0.2);
  });

  test('dynamicMeshes: error refuses the body, and an unknown word is refused', async () => {
    const before = (globalThis as { Ammo?: unknown }).Ammo;
    const A: Ammo = await loadOurs({ ...options(), dynamicMeshes: 'error' });
    (globalThis as { Ammo?: unknown }).Ammo = before;
    const mesh = new A.btTriangleMesh();
    mesh.addTriangle(new A.btVector3(0, 0, 0), new A.btVector3(1, 0, 0), new A.btVector3(0, 0, 1));
    const shape = new A.btBvhTriangleMeshShape(mesh, true);
    const world = createWorld(A);
    expect(() => addBody(A, world, shape, 1)).toThrow(/must not have a mesh/);
    addBody(A, world, shape, 0);
    await expect(loadOurs({ dynamicMeshes: 'parts' as never })).rejects.toThrow(/dynamicMeshes/);
  });

  test.each(['btGeneric6DofConstraint', 'btGeneric6DofSpringConstraint'])(
    '%s: free about each axis in turn, a body spins on past 90°',
    async (type) => {
      const A = await load('ricochet');
      for (let axis = 0; axis < 3; axis++) {
        const world = createWorld(A);
        world.setGravity(new A.btVector3(0, 0, 0));
        const base = addBody(A, world, box(A, 0.25), 0);
        const body = addBody(A, world, box(A, 0.25), 1, { position: [1, 0, 0] });
        const frames = [transformOf(A, { position: [1, 0, 0] }), transformOf(A, {})];
        const joint = new A[type](base, body, ...frames, true);
        const only = (value: number) => new A.btVector3(...[0, 1, 2].map((i) => (i === axis ? value : 0)));
        world.addConstraint(joint, true);
        joint.setAngularLowerLimit(only(1));
        joint.setAngularUpperLimit(only(-1));
        body.setAngularVelocity(only(2));
        body.setActivationState(4);
        let [worst, turns] = [0, 0];
        step(world, 400, () => {
          const spin = xyz(body.getAngularVelocity());
          worst = Math.max(worst, ...spin.map((part, i) => Math.abs(part - (i === axis ? 2 : 0))));
          const q = xyzw(body.getWorldTransform().getRotation());
          turns = Math.max(turns, Math.abs(q[axis]!));
        });
        expect(worst).toBeLessThan(0.01);
        expect(turns).toBeGreaterThan(0.99);
        expect(Math.hypot(...positionOf(body).map((part, i) => part - (i === 0 ? 1 : 0)))).toBeLessThan(1e-3);
      }
    },
  );

  test('limits about y beyond 90° hold', async () => {
    const A = await load('ricochet');
    const world = createWorld(A);
    world.setGravity(new A.btVector3(0, 0, 0));
    const base = addBody(A, world, box(A, 0.25), 0);
    const body = addBody(A, world, box(A, 0.25), 1, { position: [1, 0, 0] });
    const frames = [transformOf(A, { position: [1, 0, 0] }), transformOf(A, {})];
    const joint = new A.btGeneric6DofConstraint(base, body, ...frames, true);
    joint.setAngularLowerLimit(new A.btVector3(0, -2.5, 0));
    joint.setAngularUpperLimit(new A.btVector3(0, 2.5, 0));
    world.addConstraint(joint, true);
    for (const side of [1, -1]) {
      body.setActivationState(4);
      step(world, 240, () => body.applyTorque(new A.btVector3(0, 0.5 * side, 0)));
      const [, y, , w] = xyzw(body.getWorldTransform().getRotation());
      expect(2 * Math.atan2(y * side * Math.sign(w), Math.abs(w))).toBeCloseTo(2.5, 1);
    }
  });
});

describe.each(ENGINES)('%s: a body that is dragged, kinematic meanwhile', (engine) => {
  test('falls from where it was moved to, not from where the last step had it', async () => {
    const A = await load(engine);
    const world = createWorld(A);
    const body = addBody(A, world, box(A), 1);
    body.setCollisionFlags(2);
    body.setActivationState(4);
    step(world, 2);
    body.setWorldTransform(transformOf(A, { position: [1, 2, 3] }));
    body.setCollisionFlags(0);
    expect(positionOf(body)).toEqual([1, 2, 3]);
    step(world, 1);
    expect(positionOf(body)[0]).toBe(1);
  });

  test('is where it was moved to when it is taken out of the world', async () => {
    const A = await load(engine);
    const world = createWorld(A);
    const body = addBody(A, world, box(A), 1);
    body.setCollisionFlags(2);
    step(world, 2);
    body.getWorldTransform().getOrigin().setValue(1, 2, 3);
    world.removeRigidBody(body);
    expect(positionOf(body)).toEqual([1, 2, 3]);
    world.addRigidBody(body);
    expect(positionOf(body)).toEqual([1, 2, 3]);
  });
});
