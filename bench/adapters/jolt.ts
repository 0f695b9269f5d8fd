// Jolt, its SIMD build (the one published with threads), with no worker threads unless they are asked for: everything on the
// main thread. Tables are sized to the scene as far as its scratch memory lets them be.
// Caveats: boxes and hulls keep its default convex radius of 5 cm (2 cm hull error), which its solver
// accounts for; planes are its PlaneShape, 4 km wide.
import loadJolt from 'jolt-physics/wasm-multithread';
import type { BodySpec, SceneSpec, ShapeSpec, Vec3 } from '../scene';
import { type Engine, type EngineWorld, isMoved } from './adapter';

type Jolt = typeof loadJolt;
/** All that the bindings' 10 MB of scratch hold; pairs beyond are dropped, and then bodies fall through. */
const MAX_CONTACTS = 20480;
const STATIC = 0;
const MOVING = 1;
const APART = 2; // bodies that collide with nothing

export const engine: Engine = {
  features: ['capsule', 'hull', 'mesh', 'joints', 'cones', 'motors', 'kinematic', 'sleeping', 'respawn'],
  async createWorld(spec, threads = 1) {
    return createWorld(await loadJolt(), spec, threads);
  },
};

function createWorld(J: Jolt, spec: SceneSpec, threads: number): EngineWorld {
  const count = spec.bodies.length;
  const settings = new J.JoltSettings();
  settings.mMaxWorkerThreads = threads - 1;
  settings.mMaxBodies = Math.max(1024, count + 16);
  settings.mMaxBodyPairs = Math.max(65536, count * 32);
  settings.mMaxContactConstraints = MAX_CONTACTS;
  const pairs = new J.ObjectLayerPairFilterTable(3);
  pairs.EnableCollision(STATIC, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const layers = new J.BroadPhaseLayerInterfaceTable(3, 2);
  layers.MapObjectToBroadPhaseLayer(STATIC, new J.BroadPhaseLayer(0));
  layers.MapObjectToBroadPhaseLayer(MOVING, new J.BroadPhaseLayer(1));
  layers.MapObjectToBroadPhaseLayer(APART, new J.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 3);
  const jolt = new J.JoltInterface(settings);
  J.destroy(settings);
  const system = jolt.GetPhysicsSystem();
  const bodyInterface = system.GetBodyInterface();
  const vec = (v: readonly number[]) => new J.Vec3(v[0], v[1], v[2]);
  const place = (v: readonly number[]) => new J.RVec3(v[0], v[1], v[2]);
  const quat = (q: readonly number[]) => new J.Quat(q[0], q[1], q[2], q[3]);
  /** Runs with temporary objects of the wasm heap and frees them. */
  const using = <const A extends readonly unknown[], T>(objects: A, body: (...objects: A) => T): T => {
    const result = body(...objects);
    for (const object of objects) J.destroy(object);
    return result;
  };
  using([vec(spec.scene.gravity)], (gravity) => system.SetGravity(gravity));
  const bodies: InstanceType<Jolt['Body']>[] = [];
  const linkedPairs: [number, number][] = [];

  /** Jointed bodies do not collide: one group for all that have joints, a subgroup each. */
  function excludeLinked(): void {
    if (linkedPairs.length === 0 || spec.bodies.some((body) => body.mask === 0)) return;
    const members = [...new Set(linkedPairs.flat())];
    const filter = new J.GroupFilterTable(members.length);
    const subgroup = new Map(members.map((body, i) => [body, i]));
    for (const [a, b] of linkedPairs)
      filter.DisableCollision(subgroup.get(a) as number, subgroup.get(b) as number);
    for (const [body, i] of subgroup) {
      const group = bodies[body].GetCollisionGroup();
      group.SetGroupFilter(filter);
      group.SetGroupID(0);
      group.SetSubGroupID(i);
    }
  }

  function simple(shape: ShapeSpec): InstanceType<Jolt['Shape']> {
    switch (shape.type) {
      case 'sphere':
        return new J.SphereShape(shape.radius);
      case 'box': {
        // Its default radius does not fit into boxes thinner than that.
        const radius = Math.min(0.05, ...shape.halfExtents);
        return using([vec(shape.halfExtents)], (half) => new J.BoxShape(half, radius));
      }
      case 'capsule':
        return new J.CapsuleShape(shape.halfHeight, shape.radius);
      case 'plane':
        return using([vec([0, 1, 0])], (up) =>
          using([new J.Plane(up, 0)], (plane) => new J.PlaneShape(plane, undefined, 2000)),
        );
      case 'hull': {
        const hull = new J.ConvexHullShapeSettings();
        for (const point of shape.points) using([vec(point)], (v) => hull.mPoints.push_back(v));
        return created(hull);
      }
      case 'mesh': {
        const vertices = new J.VertexList();
        for (const p of shape.points) using([new J.Float3(p[0], p[1], p[2])], (v) => vertices.push_back(v));
        const triangles = new J.IndexedTriangleList();
        for (const t of shape.triangles)
          using([new J.IndexedTriangle(t[0], t[1], t[2], 0)], (v) => triangles.push_back(v));
        return created(new J.MeshShapeSettings(vertices, triangles, new J.PhysicsMaterialList()));
      }
    }
  }

  function created(shape: InstanceType<Jolt['ShapeSettings']>): InstanceType<Jolt['Shape']> {
    const result = shape.Create();
    if (result.HasError()) throw new Error(`jolt: ${result.GetError().c_str()}`);
    return result.Get();
  }

  const known = new Map<string, InstanceType<Jolt['Shape']>>();
  function shapeFor(body: BodySpec): InstanceType<Jolt['Shape']> {
    const key = JSON.stringify(body.shapes);
    let shape = known.get(key);
    if (shape) return shape;
    if (body.shapes.length === 1 && !isMoved(body.shapes[0])) shape = simple(body.shapes[0]);
    else {
      const compound = new J.StaticCompoundShapeSettings();
      for (const part of body.shapes) {
        const inner = simple(part);
        using([vec(part.position), quat(part.rotation)], (p, q) => compound.AddShapeShape(p, q, inner, 0));
      }
      shape = created(compound);
    }
    shape.AddRef();
    known.set(key, shape);
    return shape;
  }

  const activation = J.EActivation_Activate;
  function made(body: BodySpec): InstanceType<Jolt['Body']> {
    const { type } = body;
    const motion =
      type === 'dynamic'
        ? J.EMotionType_Dynamic
        : type === 'static'
          ? J.EMotionType_Static
          : J.EMotionType_Kinematic;
    const layer = body.mask === 0 ? APART : type === 'static' ? STATIC : MOVING;
    const desc = using(
      [place(body.position), quat(body.rotation)],
      (p, q) => new J.BodyCreationSettings(shapeFor(body), p, q, motion, layer),
    );
    desc.mFriction = body.shapes[0].friction;
    desc.mRestitution = body.shapes[0].restitution;
    desc.mLinearDamping = body.linearDamping;
    desc.mAngularDamping = body.angularDamping;
    desc.mAllowSleeping = spec.scene.sleeping === true;
    if (type === 'dynamic') {
      desc.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
      desc.mMassPropertiesOverride.mMass = body.mass;
      using([vec(body.linearVelocity), vec(body.angularVelocity)], (v, w) => {
        desc.mLinearVelocity = v;
        desc.mAngularVelocity = w;
      });
    }
    const created = bodyInterface.CreateBody(desc);
    J.destroy(desc);
    bodyInterface.AddBody(created.GetID(), type === 'static' ? J.EActivation_DontActivate : activation);
    return created;
  }

  return {
    createBody(body) {
      bodies.push(made(body));
    },
    replaceBody(index, body) {
      const id = bodies[index].GetID();
      bodyInterface.RemoveBody(id);
      bodyInterface.DestroyBody(id);
      bodies[index] = made(body);
    },
    createJoint(joint) {
      const anchor = place(joint.anchor);
      let settings: InstanceType<Jolt['TwoBodyConstraintSettings']>;
      const a: Vec3 = joint.axis ?? [1, 0, 0];
      const across: Vec3 = Math.abs(a[1]) < 0.9 ? [a[2], 0, -a[0]] : [0, -a[2], a[1]];
      const length = Math.hypot(...across);
      if (joint.cone) {
        const [swing, twist] = joint.cone;
        const cone = new J.SwingTwistConstraintSettings();
        using([vec(a), vec(across.map((x) => x / length))], (axis, normal) => {
          cone.mSpace = J.EConstraintSpace_WorldSpace;
          cone.mPosition1 = anchor;
          cone.mPosition2 = anchor;
          cone.mTwistAxis1 = axis;
          cone.mTwistAxis2 = axis;
          cone.mPlaneAxis1 = normal;
          cone.mPlaneAxis2 = normal;
        });
        cone.mNormalHalfConeAngle = swing;
        cone.mPlaneHalfConeAngle = swing;
        cone.mTwistMinAngle = -twist;
        cone.mTwistMaxAngle = twist;
        settings = cone;
      } else if (joint.axis) {
        const hinge = new J.HingeConstraintSettings();
        using([vec(a), vec(across.map((x) => x / length))], (axis, normal) => {
          hinge.mSpace = J.EConstraintSpace_WorldSpace;
          hinge.mPoint1 = anchor;
          hinge.mPoint2 = anchor;
          hinge.mHingeAxis1 = axis;
          hinge.mHingeAxis2 = axis;
          hinge.mNormalAxis1 = normal;
          hinge.mNormalAxis2 = normal;
        });
        if (joint.limits) [hinge.mLimitsMin, hinge.mLimitsMax] = joint.limits;
        if (joint.motor) {
          hinge.mMotorSettings.mMinTorqueLimit = -joint.motor[1];
          hinge.mMotorSettings.mMaxTorqueLimit = joint.motor[1];
        }
        settings = hinge;
      } else {
        const point = new J.PointConstraintSettings();
        point.mSpace = J.EConstraintSpace_WorldSpace;
        point.mPoint1 = anchor;
        point.mPoint2 = anchor;
        settings = point;
      }
      const constraint = settings.Create(bodies[joint.bodyA], bodies[joint.bodyB]);
      if (joint.motor) {
        const hinge = J.castObject(constraint, J.HingeConstraint);
        hinge.SetMotorState(J.EMotorState_Velocity);
        hinge.SetTargetAngularVelocity(joint.motor[0]);
      }
      system.AddConstraint(constraint);
      J.destroy(anchor);
      J.destroy(settings);
      linkedPairs.push([joint.bodyA, joint.bodyB]);
    },
    finish() {
      excludeLinked();
      system.OptimizeBroadPhase();
    },
    step(dt) {
      jolt.Step(dt, 1);
    },
    readPoses(out) {
      for (let i = 0, at = 0; i < bodies.length; i++, at += 7) {
        const p = bodies[i].GetPosition();
        out[at] = p.GetX();
        out[at + 1] = p.GetY();
        out[at + 2] = p.GetZ();
        const q = bodies[i].GetRotation();
        out[at + 3] = q.GetX();
        out[at + 4] = q.GetY();
        out[at + 5] = q.GetZ();
        out[at + 6] = q.GetW();
      }
    },
    readVelocities(out) {
      for (const [i, body] of bodies.entries()) {
        if (body.IsStatic()) continue;
        const v = body.GetLinearVelocity();
        out.set([v.GetX(), v.GetY(), v.GetZ()], i * 6);
        const w = body.GetAngularVelocity();
        out.set([w.GetX(), w.GetY(), w.GetZ()], i * 6 + 3);
      }
    },
    castRays(rays, fractions) {
      const query = system.GetNarrowPhaseQuery();
      const ray = new J.RRayCast();
      const settings = new J.RayCastSettings();
      const collector = new J.CastRayClosestHitCollisionCollector();
      const broad = new J.BroadPhaseLayerFilter();
      const object = new J.ObjectLayerFilter();
      const body = new J.BodyFilter();
      const shape = new J.ShapeFilter();
      const origin = ray.mOrigin;
      const direction = ray.mDirection;
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        origin.Set(rays[at], rays[at + 1], rays[at + 2]);
        direction.Set(rays[at + 3] - rays[at], rays[at + 4] - rays[at + 1], rays[at + 5] - rays[at + 2]);
        collector.Reset();
        query.CastRay(ray, settings, collector, broad, object, body, shape);
        fractions[i] = collector.HadHit() ? collector.mHit.mFraction : Infinity;
      }
      for (const temporary of [ray, settings, collector, broad, object, body, shape]) J.destroy(temporary);
    },
    moveKinematic(body, position, rotation, dt) {
      using([place(position), quat(rotation)], (p, q) =>
        bodyInterface.MoveKinematic(bodies[body].GetID(), p, q, dt),
      );
    },
    memoryBytes: () => J.HEAPU8.byteLength,
    countAwake: () => system.GetNumActiveBodies(J.EBodyType_RigidBody),
  };
}
