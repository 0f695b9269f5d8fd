// Rapier, plain and SIMD builds: the same API.
// Caveats: frictions combine by their average (equal ones give the same), restitution by maximum; planes
// motors of hinges are dampers without a greatest torque, here of as much as is asked for at rest; its ball joints
// have no limits in JavaScript; planes are huge boxes, with which towers cost it a quarter less than with its half-space, elsewhere the same.
// The plain build is one version ahead of the SIMD one on the registry.
import type RAPIER from '@dimforge/rapier3d-simd-compat';
import { type BodySpec, conjugate, rotate, type SceneSpec, type ShapeSpec, toLocal } from '../scene';
import { type Engine, type EngineWorld, writePose } from './adapter';

type Rapier = typeof RAPIER;

const xyz = (v: readonly number[]) => ({ x: v[0], y: v[1], z: v[2] });
const xyzw = (q: readonly number[]) => ({ x: q[0], y: q[1], z: q[2], w: q[3] });

const SLAB = 1000;

/** Where the box has to be for its top to lie in the plane. */
function sunk(plane: ShapeSpec): [number, number, number] {
  const [x, y, z] = rotate(plane.rotation, [0, -SLAB, 0]);
  return [plane.position[0] + x, plane.position[1] + y, plane.position[2] + z];
}

export function createRapierEngine(load: () => Promise<Rapier>): Engine {
  return {
    features: ['capsule', 'hull', 'mesh', 'joints', 'motors', 'kinematic', 'sleeping', 'respawn'],
    async createWorld(spec) {
      const rapier = await load();
      await rapier.init();
      return createWorld(rapier, spec);
    },
  };
}

function createWorld(R: Rapier, spec: SceneSpec): EngineWorld {
  const world = new R.World(xyz(spec.scene.gravity));
  const bodies: RAPIER.RigidBody[] = [];

  function shapeOf(shape: ShapeSpec): RAPIER.ColliderDesc {
    switch (shape.type) {
      case 'sphere':
        return R.ColliderDesc.ball(shape.radius);
      case 'box':
        return R.ColliderDesc.cuboid(...shape.halfExtents);
      case 'capsule':
        return R.ColliderDesc.capsule(shape.halfHeight, shape.radius);
      case 'plane':
        return R.ColliderDesc.cuboid(SLAB, SLAB, SLAB);
      case 'hull': {
        const hull = R.ColliderDesc.convexHull(new Float32Array(shape.points.flat()));
        if (!hull) throw new Error('rapier refused a hull');
        return hull;
      }
      case 'mesh':
        return R.ColliderDesc.trimesh(
          new Float32Array(shape.points.flat()),
          new Uint32Array(shape.triangles.flat()),
        );
    }
  }

  function made(body: BodySpec): RAPIER.RigidBody {
    const desc =
      body.type === 'dynamic'
        ? R.RigidBodyDesc.dynamic()
        : body.type === 'static'
          ? R.RigidBodyDesc.fixed()
          : R.RigidBodyDesc.kinematicPositionBased();
    desc
      .setTranslation(...body.position)
      .setRotation(xyzw(body.rotation))
      .setLinvel(...body.linearVelocity)
      .setAngvel(xyz(body.angularVelocity))
      .setLinearDamping(body.linearDamping)
      .setAngularDamping(body.angularDamping)
      .setCanSleep(spec.scene.sleeping === true);
    const rigid = world.createRigidBody(desc);
    for (const shape of body.shapes) {
      const collider = shapeOf(shape)
        .setTranslation(...(shape.type === 'plane' ? sunk(shape) : shape.position))
        .setRotation(xyzw(shape.rotation))
        .setFriction(shape.friction)
        .setRestitution(shape.restitution)
        .setRestitutionCombineRule(R.CoefficientCombineRule.Max)
        .setCollisionGroups((((body.group & 0xffff) << 16) | (body.mask & 0xffff)) >>> 0);
      // Inertia follows from the shape at this mass.
      if (body.type === 'dynamic') collider.setMass(body.mass / body.shapes.length);
      world.createCollider(collider, rigid);
    }
    return rigid;
  }

  return {
    createBody(body: BodySpec) {
      bodies.push(made(body));
    },
    replaceBody(index, body) {
      world.removeRigidBody(bodies[index]);
      bodies[index] = made(body);
    },
    createJoint(joint) {
      const a = spec.bodies[joint.bodyA];
      const b = spec.bodies[joint.bodyB];
      const anchorA = xyz(toLocal(a, joint.anchor));
      const anchorB = xyz(toLocal(b, joint.anchor));
      let data: RAPIER.JointData;
      if (joint.axis) {
        const axisA = rotate(conjugate(a.rotation), joint.axis);
        const axisB = rotate(conjugate(b.rotation), joint.axis);
        data = R.JointData.revoluteWithAxes(anchorA, anchorB, xyz(axisA), xyz(axisB));
        if (joint.limits) {
          data.limitsEnabled = true;
          data.limits = joint.limits;
        }
      } else data = R.JointData.spherical(anchorA, anchorB);
      const made = world.createImpulseJoint(data, bodies[joint.bodyA], bodies[joint.bodyB], true);
      made.setContactsEnabled(false);
      if (joint.motor) {
        const [speed, torque] = joint.motor;
        const hinge = made as RAPIER.RevoluteImpulseJoint;
        hinge.configureMotorModel(R.MotorModel.ForceBased);
        hinge.configureMotorVelocity(speed, torque / Math.abs(speed));
      }
    },
    step(dt) {
      world.timestep = dt;
      world.step();
    },
    readPoses(out) {
      for (let i = 0, at = 0; i < bodies.length; i++, at += 7) {
        const p = bodies[i].translation();
        const q = bodies[i].rotation();
        writePose(out, at, p, q);
      }
    },
    readVelocities(out) {
      for (const [i, body] of bodies.entries()) {
        const v = body.linvel();
        const w = body.angvel();
        out.set([v.x, v.y, v.z, w.x, w.y, w.z], i * 6);
      }
    },
    castRays(rays, fractions) {
      const ray = new R.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        ray.origin.x = rays[at];
        ray.origin.y = rays[at + 1];
        ray.origin.z = rays[at + 2];
        ray.dir.x = rays[at + 3] - rays[at];
        ray.dir.y = rays[at + 4] - rays[at + 1];
        ray.dir.z = rays[at + 5] - rays[at + 2];
        const hit = world.castRay(ray, 1, true);
        fractions[i] = hit ? hit.timeOfImpact : Infinity;
      }
    },
    moveKinematic(body, position, rotation) {
      bodies[body].setNextKinematicTranslation(xyz(position));
      bodies[body].setNextKinematicRotation(xyzw(rotation));
    },
    countAwake: () => bodies.filter((body) => body.isDynamic() && !body.isSleeping()).length,
  };
}
