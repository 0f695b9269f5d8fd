// What corrupts or aborts ammo.js is an error here that names class and method, and the world goes on.
import { beforeEach, expect, test } from 'vitest';
import { PhysicsError } from '../../src/index';
import { type Ammo, addBody, box, createWorld, load, positionOf } from './engines';

let A: Ammo;
let world: Ammo;
let body: Ammo;

beforeEach(async () => {
  A = await load('ricochet');
  world = createWorld(A);
  addBody(A, world, box(A, 10, 0.5, 10), 0, { position: [0, -0.5, 0] });
  body = addBody(A, world, box(A), 1, { position: [0, 2, 0] });
});

/** Throws with class and method in the message, and leaves a world that runs as if nothing had been. */
function refuses(name: string, run: () => unknown): void {
  let error: unknown;
  try {
    run();
  } catch (thrown) {
    error = thrown;
  }
  expect(error, name).toBeInstanceOf(PhysicsError);
  expect((error as Error).message, name).toContain(name);
}

function goesOn(): void {
  for (let i = 0; i < 240; i++) world.stepSimulation(1 / 60, 1);
  expect(positionOf(body)[1]).toBeCloseTo(0.5, 2);
}

const v = (x: unknown = 0, y: unknown = 0, z: unknown = 0) => new A.btVector3(x, y, z);
const nan = () => {
  const bad = new A.btVector3(1, 1, 1);
  bad.op_mul(Number.POSITIVE_INFINITY);
  return bad;
};

test('wrong arity', () => {
  refuses('btVector3', () => new A.btVector3(1, 2));
  refuses('btQuaternion', () => new A.btQuaternion(0, 0, 0));
  refuses('btVector3.setValue', () => v().setValue(1, 2));
  refuses('btBoxShape', () => new A.btBoxShape());
  refuses('btSphereShape', () => new A.btSphereShape());
  refuses('btCapsuleShape', () => new A.btCapsuleShape(1));
  refuses('btRigidBody', () => new A.btRigidBody());
  refuses('btRigidBody.setDamping', () => body.setDamping(0.1));
  refuses('btRigidBody.applyImpulse', () => body.applyImpulse());
  refuses('btDiscreteDynamicsWorld', () => new A.btDiscreteDynamicsWorld());
  refuses('btDiscreteDynamicsWorld.addRigidBody', () => world.addRigidBody());
  refuses('btDiscreteDynamicsWorld.stepSimulation', () => world.stepSimulation());
  refuses('btDiscreteDynamicsWorld.rayTest', () => world.rayTest(v(0, 5)));
  refuses('btHingeConstraint', () => new A.btHingeConstraint(body));
  refuses('btPoint2PointConstraint', () => new A.btPoint2PointConstraint(body));
  refuses('btSliderConstraint', () => new A.btSliderConstraint(body));
  goesOn();
});

test('undefined, null and other types', () => {
  refuses('btVector3.setX', () => v().setX(undefined));
  refuses('btTransform.setOrigin', () => new A.btTransform().setOrigin(null));
  refuses('btTransform.setOrigin', () => new A.btTransform().setOrigin([0, 1, 2]));
  refuses('btTransform.setFromOpenGLMatrix', () => new A.btTransform().setFromOpenGLMatrix([1, 2, 3]));
  refuses('btRigidBody.setLinearVelocity', () => body.setLinearVelocity({ x: 1 }));
  refuses('btRigidBody.setFriction', () => body.setFriction('smooth'));
  refuses('btRigidBody.setCollisionShape', () => body.setCollisionShape(v()));
  refuses('btCompoundShape.addChildShape', () => new A.btCompoundShape().addChildShape(box(A)));
  refuses('btDiscreteDynamicsWorld.addRigidBody', () => world.addRigidBody(box(A)));
  refuses('btDiscreteDynamicsWorld.addConstraint', () => world.addConstraint(body));
  refuses('btDiscreteDynamicsWorld.contactTest', () => world.contactTest(body, v()));
  refuses('btDiscreteDynamicsWorld.setInternalTickCallback', () => world.setInternalTickCallback(12345));
  refuses('Ammo.castObject', () => A.castObject(undefined, A.btRigidBody));
  refuses('Ammo.destroy', () => A.destroy(undefined));
  refuses('Ammo.wrapPointer', () => A.wrapPointer('here', A.btVector3));
  refuses('Ammo._malloc', () => A._malloc(-1));
  goesOn();
});

test('NaN, infinity and impossible sizes', () => {
  refuses('btVector3', () => v(Number.NaN));
  refuses('btBoxShape', () => box(A, -1));
  refuses('btSphereShape', () => new A.btSphereShape(-1));
  refuses('btConeShape', () => new A.btConeShape(1, -2));
  refuses('btRigidBody.setLinearVelocity', () => body.setLinearVelocity(nan()));
  refuses('btRigidBody.applyCentralForce', () => body.applyCentralForce(nan()));
  refuses('btRigidBody.applyTorque', () => body.applyTorque(nan()));
  refuses('btRigidBody.setMassProps', () => body.setMassProps(-1, v(1, 1, 1)));
  refuses(
    'btRigidBodyConstructionInfo',
    () => new A.btRigidBodyConstructionInfo(Number.NaN, null, box(A), v()),
  );
  refuses('setWorldTransform', () => body.getWorldTransform().setOrigin(nan()));
  refuses('btBoxShape.setLocalScaling', () => body.getCollisionShape().setLocalScaling(v(1, 0, 1)));
  refuses('btDiscreteDynamicsWorld.setGravity', () => world.setGravity(nan()));
  refuses('btDiscreteDynamicsWorld.stepSimulation', () => world.stepSimulation(Number.NaN, 1));
  refuses('btDiscreteDynamicsWorld.stepSimulation', () => world.stepSimulation(Number.NEGATIVE_INFINITY, 1));
  refuses('btDiscreteDynamicsWorld.rayTest', () =>
    world.rayTest(nan(), v(), new A.ClosestRayResultCallback(v(), v())),
  );
  refuses(
    'btHeightfieldTerrainShape',
    () => new A.btHeightfieldTerrainShape(2, 2, 7e8, 1, 0, 1, 1, 'PHY_FLOAT', false),
  );
  refuses('btConvexHullShape', () => new A.btConvexHullShape(7e8, 12));
  goesOn();
});

test('indices', () => {
  const dispatcher = world.getDispatcher();
  refuses('btDispatcher.getManifoldByIndexInternal', () => dispatcher.getManifoldByIndexInternal(99));
  const compound = new A.btCompoundShape();
  refuses('btCompoundShape.removeChildShapeByIndex', () => compound.removeChildShapeByIndex(0));
  refuses('btCompoundShape.getChildShape', () => compound.getChildShape(-1));
  refuses('btTriangleMesh.addIndex', () => new A.btTriangleMesh().addIndex(3));
  const spring = new A.btGeneric6DofSpringConstraint(body, new A.btTransform(), true);
  refuses('btGeneric6DofSpringConstraint.enableSpring', () => spring.enableSpring(6, true));
  for (let i = 0; i < 120; i++) world.stepSimulation(1 / 60, 1);
  refuses('btPersistentManifold.getContactPoint', () =>
    dispatcher.getManifoldByIndexInternal(0).getContactPoint(9),
  );
  goesOn();
});

test('freed objects', () => {
  const gone = addBody(A, world, box(A), 1, { position: [4, 2, 0] });
  const shape = new A.btSphereShape(1);
  const vector = v(1, 2, 3);
  A.destroy(gone);
  A.destroy(gone); // twice is nothing
  A.destroy(shape);
  A.destroy(vector);
  refuses('btRigidBody.activate', () => gone.activate());
  refuses('btRigidBody.getWorldTransform', () => gone.getWorldTransform());
  refuses('btVector3.x', () => vector.x());
  refuses('btDiscreteDynamicsWorld.addRigidBody', () => world.addRigidBody(gone));
  refuses('btRigidBody.setLinearVelocity', () => body.setLinearVelocity(vector));
  refuses('btRigidBody.setCollisionShape', () => body.setCollisionShape(shape));
  refuses('btPoint2PointConstraint', () => new A.btPoint2PointConstraint(gone, v()));
  // What others still use lives on in them: the body's shape may be destroyed under it.
  A.destroy(body.getCollisionShape());
  goesOn();
  const other = createWorld(A);
  A.destroy(other);
  refuses('btDiscreteDynamicsWorld.stepSimulation', () => other.stepSimulation(1 / 60, 1));
});

test('a motion state that is destroyed or taken away under its body: steps go on without it', () => {
  const told: number[] = [];
  let place = 20; // away from the body that goes on
  const custom = () => {
    const start = new A.btTransform();
    start.setIdentity();
    start.setOrigin(v((place += 3), 9, 0));
    return Object.assign(new A.btDefaultMotionState(start), { setWorldTransform: () => void told.push(1) });
  };
  const falling = [addBody(A, world, box(A), 1), addBody(A, world, box(A), 1)];
  const carried = [addBody(A, world, box(A), 0), addBody(A, world, box(A), 0)];
  for (const each of carried) each.setCollisionFlags(each.getCollisionFlags() | 2); // kinematic
  const states = [...falling, ...carried].map((each) => {
    const state = custom();
    each.setMotionState(state);
    return state;
  });
  goesOn();
  expect(told.length).toBeGreaterThan(0);
  told.length = 0;
  A.destroy(states[0]!);
  falling[1]!.setMotionState(null as never);
  A.destroy(states[2]!);
  carried[1]!.setMotionState(null as never);
  for (const call of [() => world.stepSimulation(1 / 60, 1), () => world.stepSimulation(0, 0)]) call();
  goesOn();
  expect(told).toEqual([]);
  for (const each of [...falling, ...carried]) world.removeRigidBody(each);
});

test('foreign pointers and worlds', () => {
  refuses('btRigidBody.getMotionState', () => A.wrapPointer(123456, A.btRigidBody).getMotionState());
  refuses('btRigidBody.setLinearVelocity', () => body.setLinearVelocity(A.wrapPointer(99, A.btVector3)));
  refuses('btDiscreteDynamicsWorld.addRigidBody', () => world.addRigidBody(A.wrapPointer(17, A.btRigidBody)));
  const other = createWorld(A);
  refuses('btDiscreteDynamicsWorld.addRigidBody', () => other.addRigidBody(body));
  const constraint = new A.btPoint2PointConstraint(body, v(0, 1, 0));
  world.addConstraint(constraint);
  refuses('btDiscreteDynamicsWorld.addConstraint', () => other.addConstraint(constraint));
  world.removeConstraint(constraint);
  other.removeRigidBody(body); // of another world: nothing
  goesOn();
});

test('callbacks that throw: the error arrives after the step, and the step is whole', () => {
  const height = positionOf(body)[1];
  world.setInternalTickCallback(
    A.addFunction(() => {
      throw new Error('mine');
    }, 'vif'),
  );
  expect(() => world.stepSimulation(1 / 60, 1)).toThrow('mine');
  expect(positionOf(body)[1]).toBeLessThan(height);
  world.setInternalTickCallback(0);
  goesOn();
});

test('what is not there says so when it is made', () => {
  refuses('btKinematicCharacterController', () => new A.btKinematicCharacterController(1, 2, 3));
  refuses('btSoftBodyHelpers.CreatePatch', () => new A.btSoftBodyHelpers().CreatePatch());
  expect('HACD' in A).toBe(false); // programs look for it and do without
  goesOn();
});
