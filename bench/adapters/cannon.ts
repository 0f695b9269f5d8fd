// cannon-es: plain JavaScript, 10 Gauss-Seidel iterations.
// Caveats: its default broad phase is all pairs, which no one would keep for a thousand bodies, so it gets
// its sweep and prune; it has no capsule (two spheres and a cylinder of 8 sides stand in), its hulls and
// meshes are too slow or too partial to compare, its hinges have no limits.
import * as cannon from 'cannon-es';
import type { BodySpec, SceneSpec, ShapeSpec } from '../scene';
import { type Engine, type EngineWorld, writePose } from './adapter';

export const engine: Engine = {
  features: ['capsule', 'kinematic', 'sleeping'],
  maxBodies: 2000,
  createWorld,
};

function createWorld(spec: SceneSpec): EngineWorld {
  const world = new cannon.World({ gravity: new cannon.Vec3(...spec.scene.gravity) });
  world.broadphase = new cannon.SAPBroadphase(world);
  world.allowSleep = spec.scene.sleeping === true;

  function parts(shape: ShapeSpec): { shape: cannon.Shape; y: number }[] {
    switch (shape.type) {
      case 'sphere':
        return [{ shape: new cannon.Sphere(shape.radius), y: 0 }];
      case 'box':
        return [{ shape: new cannon.Box(new cannon.Vec3(...shape.halfExtents)), y: 0 }];
      case 'plane':
        return [{ shape: new cannon.Plane(), y: 0 }];
      case 'capsule':
        return [
          { shape: new cannon.Sphere(shape.radius), y: shape.halfHeight },
          { shape: new cannon.Sphere(shape.radius), y: -shape.halfHeight },
          { shape: new cannon.Cylinder(shape.radius, shape.radius, 2 * shape.halfHeight, 8), y: 0 },
        ];
      default:
        throw new Error(`cannon: no ${shape.type}`);
    }
  }

  return {
    createBody(body: BodySpec) {
      const made = new cannon.Body({
        mass: body.mass,
        type:
          body.type === 'dynamic'
            ? cannon.Body.DYNAMIC
            : body.type === 'static'
              ? cannon.Body.STATIC
              : cannon.Body.KINEMATIC,
        position: new cannon.Vec3(...body.position),
        quaternion: new cannon.Quaternion(...body.rotation),
        velocity: new cannon.Vec3(...body.linearVelocity),
        angularVelocity: new cannon.Vec3(...body.angularVelocity),
        linearDamping: body.linearDamping,
        angularDamping: body.angularDamping,
        collisionFilterGroup: body.group,
        collisionFilterMask: body.mask,
      });
      // Frictions multiply: the root of each.
      const [{ friction, restitution }] = body.shapes;
      made.material = new cannon.Material({
        friction: Math.sqrt(friction),
        restitution: Math.sqrt(restitution),
      });
      for (const shape of body.shapes)
        for (const part of parts(shape)) {
          const turn = new cannon.Quaternion(...shape.rotation);
          const offset = turn.vmult(new cannon.Vec3(0, part.y, 0)).vadd(new cannon.Vec3(...shape.position));
          // Its plane faces +z.
          if (shape.type === 'plane') {
            const up = new cannon.Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2);
            made.addShape(part.shape, offset, turn.mult(up));
          } else made.addShape(part.shape, offset, turn);
        }
      world.addBody(made);
    },
    step(dt) {
      world.step(dt);
    },
    readPoses(out) {
      for (let i = 0, at = 0; i < world.bodies.length; i++, at += 7) {
        const { position: p, quaternion: q } = world.bodies[i];
        writePose(out, at, p, q);
      }
    },
    readVelocities(out) {
      for (const [i, { velocity: v, angularVelocity: w }] of world.bodies.entries())
        out.set([v.x, v.y, v.z, w.x, w.y, w.z], i * 6);
    },
    castRays(rays, fractions) {
      const from = new cannon.Vec3();
      const to = new cannon.Vec3();
      const result = new cannon.RaycastResult();
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        from.set(rays[at], rays[at + 1], rays[at + 2]);
        to.set(rays[at + 3], rays[at + 4], rays[at + 5]);
        result.reset();
        world.raycastClosest(from, to, {}, result);
        fractions[i] = result.hasHit ? result.distance / from.distanceTo(to) : Infinity;
      }
    },
    moveKinematic(body, _position, rotation, dt) {
      // It integrates kinematic bodies by their velocity: small turn about the world's axes.
      const made = world.bodies[body];
      const turn = new cannon.Quaternion(...rotation).mult(made.quaternion.inverse());
      const sign = turn.w < 0 ? -2 : 2;
      made.angularVelocity.set((sign * turn.x) / dt, (sign * turn.y) / dt, (sign * turn.z) / dt);
    },
    countAwake: () =>
      world.bodies.filter(
        (body) => body.type === cannon.Body.DYNAMIC && body.sleepState !== cannon.Body.SLEEPING,
      ).length,
  };
}
