// crashcat: plain JavaScript, after Jolt's design, 10 velocity and 2 position iterations.
// Caveats: convex radius 5 cm as in Jolt; jointed bodies are kept from colliding by its pair listener.
import {
  addBroadphaseLayer,
  addObjectLayer,
  box,
  CastRayStatus,
  ConstraintSpace,
  capsule,
  castRay,
  compound,
  convexHull,
  createClosestCastRayCollector,
  createWorld as createCrashcatWorld,
  createDefaultCastRaySettings,
  createWorldSettings,
  enableCollision,
  filter,
  hingeConstraint,
  type Listener,
  MaterialCombineMode,
  MotionType,
  plane,
  pointConstraint,
  type RigidBody,
  registerAll,
  rigidBody,
  type Shape,
  sphere,
  swingTwistConstraint,
  triangleMesh,
  updateWorld,
} from 'crashcat';
import type { SceneSpec, ShapeSpec, Vec3 } from '../scene';
import { type Engine, type EngineWorld, isMoved } from './adapter';

export const engine: Engine = {
  features: ['capsule', 'hull', 'mesh', 'joints', 'cones', 'kinematic', 'sleeping'],
  createWorld,
};

function createWorld(spec: SceneSpec): EngineWorld {
  registerAll();
  const settings = createWorldSettings();
  const movingPhase = addBroadphaseLayer(settings);
  const staticPhase = addBroadphaseLayer(settings);
  const moving = addObjectLayer(settings, movingPhase);
  const fixed = addObjectLayer(settings, staticPhase);
  enableCollision(settings, moving, fixed);
  enableCollision(settings, moving, moving);
  settings.gravity = [...spec.scene.gravity];
  settings.sleeping.allowSleeping = spec.scene.sleeping === true;
  const world = createCrashcatWorld(settings);
  const bodies: RigidBody[] = [];
  const apart: Listener = { onBodyPairValidate: (a, b) => !rigidBody.bodiesShareConstraint(a, b) };
  const listener = spec.joints.length > 0 ? apart : undefined;

  function simple(shape: ShapeSpec): Shape {
    switch (shape.type) {
      case 'sphere':
        return sphere.create({ radius: shape.radius });
      case 'box':
        return box.create({
          halfExtents: shape.halfExtents,
          convexRadius: Math.min(0.05, ...shape.halfExtents),
        });
      case 'capsule':
        return capsule.create({ radius: shape.radius, halfHeightOfCylinder: shape.halfHeight });
      case 'plane':
        return plane.create({ plane: { normal: [0, 1, 0], constant: 0 }, halfExtent: 2000 });
      case 'hull':
        return convexHull.create({ positions: shape.points.flat() });
      case 'mesh':
        return triangleMesh.create({ positions: shape.points.flat(), indices: shape.triangles.flat() });
    }
  }

  const known = new Map<string, Shape>();
  function shapeFor(shapes: readonly ShapeSpec[]): Shape {
    const key = JSON.stringify(shapes);
    let made = known.get(key);
    if (!made) {
      made =
        shapes.length === 1 && !isMoved(shapes[0])
          ? simple(shapes[0])
          : compound.create({
              children: shapes.map((shape) => ({
                position: shape.position,
                quaternion: shape.rotation,
                shape: simple(shape),
              })),
            });
      known.set(key, made);
    }
    return made;
  }

  return {
    createBody(body) {
      const made = rigidBody.create(world, {
        shape: shapeFor(body.shapes),
        objectLayer: body.type === 'static' ? fixed : moving,
        motionType:
          body.type === 'dynamic'
            ? MotionType.DYNAMIC
            : body.type === 'static'
              ? MotionType.STATIC
              : MotionType.KINEMATIC,
        position: [...body.position],
        quaternion: [...body.rotation],
        linearDamping: body.linearDamping,
        angularDamping: body.angularDamping,
        friction: body.shapes[0].friction,
        restitution: body.shapes[0].restitution,
        frictionCombineMode: MaterialCombineMode.GEOMETRIC_MEAN,
        restitutionCombineMode: MaterialCombineMode.MAX,
        collisionGroups: body.group,
        collisionMask: body.mask,
        allowSleeping: spec.scene.sleeping === true,
        mass: body.type === 'dynamic' ? body.mass : undefined,
      });
      if (body.type === 'dynamic') {
        rigidBody.setLinearVelocity(world, made, [...body.linearVelocity]);
        rigidBody.setAngularVelocity(world, made, [...body.angularVelocity]);
      }
      bodies.push(made);
    },
    createJoint(joint) {
      const common = {
        bodyIdA: bodies[joint.bodyA].id,
        bodyIdB: bodies[joint.bodyB].id,
        pointA: [...joint.anchor] as Vec3,
        pointB: [...joint.anchor] as Vec3,
        space: ConstraintSpace.WORLD,
      };
      if (!joint.axis) {
        pointConstraint.create(world, common);
        return;
      }
      const a = joint.axis;
      const across: Vec3 = Math.abs(a[1]) < 0.9 ? [a[2], 0, -a[0]] : [0, -a[2], a[1]];
      const length = Math.hypot(...across);
      const normal = (): Vec3 => [across[0] / length, across[1] / length, across[2] / length];
      if (joint.cone) {
        const [swing, twist] = joint.cone;
        swingTwistConstraint.create(world, {
          bodyIdA: common.bodyIdA,
          bodyIdB: common.bodyIdB,
          space: ConstraintSpace.WORLD,
          position1: [...joint.anchor],
          position2: [...joint.anchor],
          twistAxis1: [...a],
          twistAxis2: [...a],
          planeAxis1: normal(),
          planeAxis2: normal(),
          normalHalfConeAngle: swing,
          planeHalfConeAngle: swing,
          twistMinAngle: -twist,
          twistMaxAngle: twist,
        });
        return;
      }
      hingeConstraint.create(world, {
        ...common,
        hingeAxisA: [...a],
        hingeAxisB: [...a],
        normalAxisA: normal(),
        normalAxisB: normal(),
        limitsMin: joint.limits?.[0],
        limitsMax: joint.limits?.[1],
      });
    },
    step(dt) {
      updateWorld(world, listener, dt);
    },
    readPoses(out) {
      for (let i = 0, at = 0; i < bodies.length; i++, at += 7) {
        const { position: p, quaternion: q } = bodies[i];
        out[at] = p[0];
        out[at + 1] = p[1];
        out[at + 2] = p[2];
        out[at + 3] = q[0];
        out[at + 4] = q[1];
        out[at + 5] = q[2];
        out[at + 6] = q[3];
      }
    },
    readVelocities(out) {
      for (const [i, body] of bodies.entries()) {
        out.set(body.motionProperties.linearVelocity, i * 6);
        out.set(body.motionProperties.angularVelocity, i * 6 + 3);
      }
    },
    castRays(rays, fractions) {
      const collector = createClosestCastRayCollector();
      const raySettings = createDefaultCastRaySettings();
      const everything = filter.forWorld(world);
      const origin: Vec3 = [0, 0, 0];
      const direction: Vec3 = [0, 0, 0];
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        const dx = rays[at + 3] - rays[at];
        const dy = rays[at + 4] - rays[at + 1];
        const dz = rays[at + 5] - rays[at + 2];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        for (let k = 0; k < 3; k++) origin[k] = rays[at + k];
        direction[0] = dx / length;
        direction[1] = dy / length;
        direction[2] = dz / length;
        collector.reset();
        castRay(world, collector, raySettings, origin, direction, length, everything);
        fractions[i] = collector.hit.status === CastRayStatus.COLLIDING ? collector.hit.fraction : Infinity;
      }
    },
    moveKinematic(body, position, rotation, dt) {
      rigidBody.moveKinematic(bodies[body], position, rotation, dt);
    },
    countAwake: () =>
      bodies.filter((body) => body.motionType === MotionType.DYNAMIC && !body.sleeping).length,
  };
}
