// PhysX 5 through its WebIDL bindings: PGS solver, 4 position iterations and 1 velocity iteration, PCM,
// one CPU dispatcher without threads: its defaults.
// Caveats: sleep is kept off by a threshold of 0; its capsules lie along x; the bindings' ray buffers take
// every hit along the ray (unordered), so the nearest is picked from them.
import loadPhysX from 'physx-js-webidl';
import {
  type BodySpec,
  fromUp,
  multiply,
  type Quat,
  type SceneSpec,
  type ShapeSpec,
  toLocal,
  type Vec3,
} from '../scene';
import { type Engine, type EngineWorld, writePose } from './adapter';

type PhysX = Awaited<ReturnType<typeof loadPhysX>>;

export const engine: Engine = {
  features: ['capsule', 'hull', 'mesh', 'joints', 'cones', 'motors', 'kinematic', 'sleeping', 'respawn'],
  async createWorld(spec) {
    return createWorld(await loadPhysX(), spec);
  },
};

/** From an engine shape that lies along or faces +x to one along or facing +y. */
const X_TO_Y: Quat = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

function createWorld(P: PhysX, spec: SceneSpec): EngineWorld {
  const foundation = P.CreateFoundation(
    P.PHYSICS_VERSION,
    new P.PxDefaultAllocator(),
    new P.PxDefaultErrorCallback(),
  );
  const tolerances = new P.PxTolerancesScale();
  const physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, tolerances);
  P.InitExtensions(physics);
  const sceneDesc = new P.PxSceneDesc(tolerances);
  const gravity = new P.PxVec3(...spec.scene.gravity);
  sceneDesc.gravity = gravity;
  sceneDesc.cpuDispatcher = P.DefaultCpuDispatcherCreate(0);
  sceneDesc.filterShader = P.DefaultFilterShader();
  const scene = physics.createScene(sceneDesc);
  const cooking = new P.PxCookingParams(tolerances);
  const vec = new P.PxVec3(0, 0, 0);
  const transform = new P.PxTransform(P.PxIDENTITYEnum.PxIdentity);
  const setTransform = (position: Vec3, rotation: Quat) => {
    transform.p.x = position[0];
    transform.p.y = position[1];
    transform.p.z = position[2];
    transform.q.x = rotation[0];
    transform.q.y = rotation[1];
    transform.q.z = rotation[2];
    transform.q.w = rotation[3];
    return transform;
  };
  const setVec = (v: readonly number[]) => {
    vec.x = v[0];
    vec.y = v[1];
    vec.z = v[2];
    return vec;
  };
  // Typed as a static function, but the bindings have it on the prototype.
  const { setMassAndUpdateInertia } = P.PxRigidBodyExt.prototype as unknown as typeof P.PxRigidBodyExt;
  const actors: InstanceType<PhysX['PxRigidActor']>[] = [];
  const dynamics = new Map<number, InstanceType<PhysX['PxRigidDynamic']>>();
  const geometries = new Map<string, InstanceType<PhysX['PxGeometry']>>();
  const materials = new Map<string, InstanceType<PhysX['PxMaterial']>>();

  /** Start of an array in its heap; its heap views are not exported. */
  function uploadPoints(points: readonly Vec3[]): unknown {
    const array = new P.PxArray_PxVec3();
    for (const point of points) array.pushBack(setVec(point));
    return array.begin();
  }

  function uploadTriangles(triangles: readonly Vec3[]): unknown {
    const array = new P.PxArray_PxU32();
    for (const index of triangles.flat()) array.pushBack(index);
    return array.begin();
  }

  function geometry(shape: ShapeSpec): InstanceType<PhysX['PxGeometry']> {
    const key = JSON.stringify([shape.type, shape.radius, shape.halfHeight, shape.halfExtents, shape.points]);
    let made = geometries.get(key);
    if (!made) {
      made = makeGeometry(shape);
      geometries.set(key, made);
    }
    return made;
  }

  function makeGeometry(shape: ShapeSpec): InstanceType<PhysX['PxGeometry']> {
    switch (shape.type) {
      case 'sphere':
        return new P.PxSphereGeometry(shape.radius);
      case 'box':
        return new P.PxBoxGeometry(...shape.halfExtents);
      case 'capsule':
        return new P.PxCapsuleGeometry(shape.radius, shape.halfHeight);
      case 'plane':
        return new P.PxPlaneGeometry();
      case 'hull': {
        const desc = new P.PxConvexMeshDesc();
        desc.points.count = shape.points.length;
        desc.points.stride = 12;
        desc.points.data = uploadPoints(shape.points);
        desc.flags = new P.PxConvexFlags(P.PxConvexFlagEnum.eCOMPUTE_CONVEX as unknown as number);
        return new P.PxConvexMeshGeometry(P.CreateConvexMesh(cooking, desc));
      }
      case 'mesh': {
        const desc = new P.PxTriangleMeshDesc();
        desc.points.count = shape.points.length;
        desc.points.stride = 12;
        desc.points.data = uploadPoints(shape.points);
        desc.triangles.count = shape.triangles.length;
        desc.triangles.stride = 12;
        desc.triangles.data = uploadTriangles(shape.triangles);
        return new P.PxTriangleMeshGeometry(P.CreateTriangleMesh(cooking, desc));
      }
    }
  }

  function material(shape: ShapeSpec): InstanceType<PhysX['PxMaterial']> {
    const key = `${shape.friction} ${shape.restitution}`;
    let made = materials.get(key);
    if (!made) {
      made = physics.createMaterial(shape.friction, shape.friction, shape.restitution);
      made.setRestitutionCombineMode(P.PxCombineModeEnum.eMAX);
      materials.set(key, made);
    }
    return made;
  }

  function localRotation(shape: ShapeSpec): Quat {
    return shape.type === 'capsule' || shape.type === 'plane'
      ? multiply(shape.rotation, X_TO_Y)
      : shape.rotation;
  }

  function attach(actor: InstanceType<PhysX['PxRigidActor']>, body: BodySpec): void {
    const filter = new P.PxFilterData(body.group, body.mask, 0, 0);
    for (const spec of body.shapes) {
      const shape = physics.createShape(geometry(spec), material(spec), true);
      shape.setLocalPose(setTransform(spec.position, localRotation(spec)));
      shape.setSimulationFilterData(filter);
      actor.attachShape(shape);
      shape.release();
    }
    P.destroy(filter);
  }

  function made(body: BodySpec, index: number): InstanceType<PhysX['PxRigidActor']> {
    setTransform(body.position, body.rotation);
    if (body.type === 'static') {
      const actor = physics.createRigidStatic(transform);
      attach(actor, body);
      scene.addActor(actor);
      return actor;
    }
    const actor = physics.createRigidDynamic(transform);
    attach(actor, body);
    if (body.type === 'kinematic') actor.setRigidBodyFlag(P.PxRigidBodyFlagEnum.eKINEMATIC, true);
    else {
      setMassAndUpdateInertia(actor, body.mass);
      actor.setLinearDamping(body.linearDamping);
      actor.setAngularDamping(body.angularDamping);
      if (!spec.scene.sleeping) actor.setSleepThreshold(0);
    }
    scene.addActor(actor);
    if (body.type === 'dynamic') {
      actor.setLinearVelocity(setVec(body.linearVelocity));
      actor.setAngularVelocity(setVec(body.angularVelocity));
    }
    dynamics.set(index, actor);
    return actor;
  }

  return {
    createBody(body) {
      actors.push(made(body, actors.length));
    },
    replaceBody(index, body) {
      scene.removeActor(actors[index]);
      actors[index].release();
      actors[index] = made(body, index);
    },
    createJoint(joint) {
      // A hinge turns about the x of its frames.
      const axis: Vec3 = joint.axis ?? [1, 0, 0];
      const turned = multiply(fromUp(axis), X_TO_Y);
      const ends = [joint.bodyA, joint.bodyB].map((index) => {
        const body = spec.bodies[index];
        const back: Quat = [-body.rotation[0], -body.rotation[1], -body.rotation[2], body.rotation[3]];
        const local = new P.PxTransform(P.PxIDENTITYEnum.PxIdentity);
        setTransform(toLocal(body, joint.anchor), multiply(back, turned));
        local.p = transform.p;
        local.q = transform.q;
        return local;
      });
      const [a, b] = [actors[joint.bodyA], actors[joint.bodyB]];
      if (joint.type === 'hinge') {
        const hinge = P.RevoluteJointCreate(physics, a, ends[0], b, ends[1]);
        if (joint.limits) {
          hinge.setLimit(new P.PxJointAngularLimitPair(joint.limits[0], joint.limits[1]));
          hinge.setRevoluteJointFlag(P.PxRevoluteJointFlagEnum.eLIMIT_ENABLED, true);
        }
        if (joint.motor) {
          hinge.setDriveVelocity(joint.motor[0]);
          hinge.setDriveForceLimit(joint.motor[1]);
          hinge.setRevoluteJointFlag(P.PxRevoluteJointFlagEnum.eDRIVE_ENABLED, true);
        }
      } else if (joint.cone) {
        const [swing, twist] = joint.cone;
        const cone = P.D6JointCreate(physics, a, ends[0], b, ends[1]);
        for (const one of [P.PxD6AxisEnum.eTWIST, P.PxD6AxisEnum.eSWING1, P.PxD6AxisEnum.eSWING2])
          cone.setMotion(one, P.PxD6MotionEnum.eLIMITED);
        cone.setSwingLimit(new P.PxJointLimitCone(swing, swing));
        cone.setTwistLimit(new P.PxJointAngularLimitPair(-twist, twist));
      } else P.SphericalJointCreate(physics, a, ends[0], b, ends[1]);
      for (const end of ends) P.destroy(end);
    },
    step(dt) {
      scene.simulate(dt);
      scene.fetchResults(true);
    },
    readPoses(out) {
      for (let i = 0, at = 0; i < actors.length; i++, at += 7) {
        const pose = actors[i].getGlobalPose();
        writePose(out, at, pose.p, pose.q);
      }
    },
    readVelocities(out) {
      for (const [i, actor] of dynamics) {
        const v = actor.getLinearVelocity();
        out.set([v.x, v.y, v.z], i * 6);
        const w = actor.getAngularVelocity();
        out.set([w.x, w.y, w.z], i * 6 + 3);
      }
    },
    castRays(rays, fractions) {
      const result = new P.PxRaycastResult();
      const origin = new P.PxVec3(0, 0, 0);
      const direction = new P.PxVec3(0, 0, 0);
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        const dx = rays[at + 3] - rays[at];
        const dy = rays[at + 4] - rays[at + 1];
        const dz = rays[at + 5] - rays[at + 2];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        origin.x = rays[at];
        origin.y = rays[at + 1];
        origin.z = rays[at + 2];
        direction.x = dx / length;
        direction.y = dy / length;
        direction.z = dz / length;
        let nearest = Infinity;
        if (scene.raycast(origin, direction, length, result))
          for (let touch = result.getNbTouches() - 1; touch >= 0; touch--)
            nearest = Math.min(nearest, result.getTouch(touch).distance);
        fractions[i] = nearest / length;
      }
      P.destroy(result);
    },
    moveKinematic(body, position, rotation) {
      dynamics.get(body)?.setKinematicTarget(setTransform(position, rotation));
    },
    countAwake: () => {
      let awake = 0;
      for (const [i, actor] of dynamics)
        if (spec.bodies[i].type === 'dynamic' && !actor.isSleeping()) awake++;
      return awake;
    },
  };
}
