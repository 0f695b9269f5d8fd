// ammo.js: Bullet 2.82 compiled to WebAssembly without SIMD, 10 iterations, its defaults.
// Caveats: friction is the product of both, so each body gets the root; convex shapes keep their margin of
// 4 cm; planes are its btStaticPlaneShape; hulls get their polyhedral features, without which one contact
// a step is all they have.
import loadAmmo from 'ammojs-typed/wasm';
import {
  type BodySpec,
  conjugate,
  fromUp,
  multiply,
  type Quat,
  rotate,
  type SceneSpec,
  type ShapeSpec,
  toLocal,
  type Vec3,
} from '../scene';
import { type Engine, type EngineWorld, isMoved } from './adapter';

type Ammo = typeof loadAmmo;
const DISABLE_DEACTIVATION = 4;
const KINEMATIC = 2;
const X_TO_Y: Quat = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

export const engine: Engine = {
  features: ['capsule', 'hull', 'mesh', 'joints', 'cones', 'motors', 'kinematic', 'sleeping', 'respawn'],
  async createWorld(spec) {
    return createWorld((await (loadAmmo as unknown as () => Promise<Ammo>)()) as Ammo, spec);
  },
};

function createWorld(A: Ammo, spec: SceneSpec): EngineWorld {
  const configuration = new A.btDefaultCollisionConfiguration();
  const dispatcher = new A.btCollisionDispatcher(configuration);
  const solver = new A.btSequentialImpulseConstraintSolver();
  const world = new A.btDiscreteDynamicsWorld(dispatcher, new A.btDbvtBroadphase(), solver, configuration);
  const vec = (v: readonly number[]) => new A.btVector3(v[0], v[1], v[2]);
  const using = <T, R>(object: T, body: (object: T) => R): R => {
    const result = body(object);
    A.destroy(object);
    return result;
  };
  using(vec(spec.scene.gravity), (gravity) => world.setGravity(gravity));
  if (spec.scene.bulletIterations) world.getSolverInfo().set_m_numIterations(spec.scene.bulletIterations);
  const transform = new A.btTransform();
  const setTransform = (position: Vec3, rotation: readonly number[]) => {
    transform.setIdentity();
    using(vec(position), (p) => transform.setOrigin(p));
    using(new A.btQuaternion(rotation[0], rotation[1], rotation[2], rotation[3]), (q) =>
      transform.setRotation(q),
    );
    return transform;
  };
  const bodies: InstanceType<Ammo['btRigidBody']>[] = [];
  const motionStates: InstanceType<Ammo['btDefaultMotionState']>[] = [];

  function simple(shape: ShapeSpec): InstanceType<Ammo['btCollisionShape']> {
    switch (shape.type) {
      case 'sphere':
        return new A.btSphereShape(shape.radius);
      case 'box':
        return using(vec(shape.halfExtents), (half) => new A.btBoxShape(half));
      case 'capsule':
        return new A.btCapsuleShape(shape.radius, 2 * shape.halfHeight);
      case 'plane':
        return using(vec([0, 1, 0]), (up) => new A.btStaticPlaneShape(up, 0));
      case 'hull': {
        const hull = new A.btConvexHullShape();
        for (const point of shape.points) using(vec(point), (v) => hull.addPoint(v, false));
        hull.recalcLocalAabb();
        hull.initializePolyhedralFeatures(0);
        return hull;
      }
      case 'mesh': {
        const mesh = new A.btTriangleMesh(true, false);
        for (const triangle of shape.triangles) {
          const corners = triangle.map((i) => vec(shape.points[i]));
          mesh.addTriangle(corners[0], corners[1], corners[2], false);
          for (const corner of corners) A.destroy(corner);
        }
        return new A.btBvhTriangleMeshShape(mesh, true, true);
      }
    }
  }

  const known = new Map<string, InstanceType<Ammo['btCollisionShape']>>();
  function shapeFor(body: BodySpec): InstanceType<Ammo['btCollisionShape']> {
    const key = JSON.stringify(body.shapes);
    let shape = known.get(key);
    if (shape) return shape;
    if (body.shapes.length === 1 && !isMoved(body.shapes[0])) shape = simple(body.shapes[0]);
    else {
      const compound = new A.btCompoundShape();
      for (const part of body.shapes)
        compound.addChildShape(setTransform(part.position, part.rotation), simple(part));
      shape = compound;
    }
    known.set(key, shape);
    return shape;
  }

  function made(body: BodySpec): InstanceType<Ammo['btRigidBody']> {
    const shape = shapeFor(body);
    const inertia = vec([0, 0, 0]);
    if (body.type === 'dynamic') shape.calculateLocalInertia(body.mass, inertia);
    const motionState = new A.btDefaultMotionState(setTransform(body.position, body.rotation));
    motionStates.push(motionState);
    const info = new A.btRigidBodyConstructionInfo(body.mass, motionState, shape, inertia);
    const rigid = new A.btRigidBody(info);
    A.destroy(info);
    A.destroy(inertia);
    rigid.setFriction(Math.sqrt(body.shapes[0].friction));
    rigid.setRestitution(Math.sqrt(body.shapes[0].restitution));
    rigid.setDamping(body.linearDamping, body.angularDamping);
    if (body.type === 'kinematic') {
      rigid.setCollisionFlags(rigid.getCollisionFlags() | KINEMATIC);
      rigid.setActivationState(DISABLE_DEACTIVATION);
    }
    if (body.type === 'dynamic') {
      using(vec(body.linearVelocity), (v) => rigid.setLinearVelocity(v));
      using(vec(body.angularVelocity), (w) => rigid.setAngularVelocity(w));
      if (!spec.scene.sleeping) rigid.setActivationState(DISABLE_DEACTIVATION);
    }
    world.addRigidBody(rigid, body.group, body.mask);
    return rigid;
  }

  return {
    createBody(body) {
      bodies.push(made(body));
    },
    replaceBody(index, body) {
      const old = bodies[index];
      world.removeRigidBody(old);
      A.destroy(old.getMotionState());
      A.destroy(old);
      bodies[index] = made(body);
    },
    createJoint(joint) {
      const a = spec.bodies[joint.bodyA];
      const b = spec.bodies[joint.bodyB];
      const pivots = [vec(toLocal(a, joint.anchor)), vec(toLocal(b, joint.anchor))];
      const [bodyA, bodyB] = [bodies[joint.bodyA], bodies[joint.bodyB]];
      if (joint.cone) {
        const [swing, twist] = joint.cone;
        // It turns about the x of its frames.
        const turned = multiply(fromUp(joint.axis as Vec3), X_TO_Y);
        const ends = [a, b].map((body, i) => {
          const end = new A.btTransform();
          end.setIdentity();
          end.setOrigin(pivots[i]);
          const q = multiply(conjugate(body.rotation), turned);
          end.setRotation(new A.btQuaternion(q[0], q[1], q[2], q[3]));
          return end;
        });
        const cone = new A.btConeTwistConstraint(bodyA, bodyB, ends[0], ends[1]);
        cone.setLimit(3, twist);
        cone.setLimit(4, swing);
        cone.setLimit(5, swing);
        world.addConstraint(cone, true);
      } else if (joint.axis) {
        const axes = [a, b].map((body) => vec(rotate(conjugate(body.rotation), joint.axis as Vec3)));
        const hinge = new A.btHingeConstraint(bodyA, bodyB, pivots[0], pivots[1], axes[0], axes[1], true);
        if (joint.limits) hinge.setLimit(joint.limits[0], joint.limits[1], 0.9, 0.3, 1);
        // The impulse is that of a step.
        if (joint.motor) hinge.enableAngularMotor(true, joint.motor[0], joint.motor[1] / 60);
        world.addConstraint(hinge, true);
      } else world.addConstraint(new A.btPoint2PointConstraint(bodyA, bodyB, pivots[0], pivots[1]), true);
    },
    step(dt) {
      world.stepSimulation(dt, 1, dt);
    },
    readPoses(out) {
      for (let i = 0, at = 0; i < bodies.length; i++, at += 7) {
        const pose = bodies[i].getWorldTransform();
        const p = pose.getOrigin();
        out[at] = p.x();
        out[at + 1] = p.y();
        out[at + 2] = p.z();
        const q = pose.getRotation();
        out[at + 3] = q.x();
        out[at + 4] = q.y();
        out[at + 5] = q.z();
        out[at + 6] = q.w();
      }
    },
    readVelocities(out) {
      for (const [i, body] of bodies.entries()) {
        const v = body.getLinearVelocity();
        out.set([v.x(), v.y(), v.z()], i * 6);
        const w = body.getAngularVelocity();
        out.set([w.x(), w.y(), w.z()], i * 6 + 3);
      }
    },
    castRays(rays, fractions) {
      const from = new A.btVector3(0, 0, 0);
      const to = new A.btVector3(0, 0, 0);
      const callback = new A.ClosestRayResultCallback(from, to);
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        from.setValue(rays[at], rays[at + 1], rays[at + 2]);
        to.setValue(rays[at + 3], rays[at + 4], rays[at + 5]);
        // One callback for all: its two points and its result are set back by hand.
        callback.set_m_rayFromWorld(from);
        callback.set_m_rayToWorld(to);
        callback.set_m_closestHitFraction(1);
        callback.set_m_collisionObject(null as unknown as InstanceType<Ammo['btCollisionObject']>);
        world.rayTest(from, to, callback);
        fractions[i] = callback.hasHit() ? callback.get_m_closestHitFraction() : Infinity;
      }
      for (const temporary of [from, to, callback]) A.destroy(temporary);
    },
    moveKinematic(body, position, rotation) {
      motionStates[body].setWorldTransform(setTransform(position, rotation));
    },
    memoryBytes: () => A.HEAPU8.byteLength,
    countAwake: () => bodies.filter((body, i) => spec.bodies[i].type === 'dynamic' && body.isActive()).length,
  };
}
