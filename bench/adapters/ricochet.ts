// ricochet in process, through its public API: native profile, every setting at its default but the rules
// by which materials combine (Bullet's product by default), so that 0.5 on 0.5 is 0.5 as in the peers.
import { mesh, type RayBatch, type RigidBody, type StepProfile, World } from 'ricochet';
import { useThreads } from 'ricochet/threads';
import type { BodyOptions, JointAxisOptions, ShapeOptions } from '../../src/types';
import type { BodySpec, ShapeSpec } from '../scene';
import type { Engine } from './adapter';

/** Counts, not times; and the whole, which is the sum of the others. */
const NOT_STAGES = [
  'step',
  'bodies',
  'awakeBodies',
  'shapes',
  'pairs',
  'contacts',
  'recycled',
  'collided',
  'swept',
  'impacts',
  'clamped',
  'memory',
  'lost',
  'threads',
];

export const engine: Engine = {
  features: ['capsule', 'hull', 'mesh', 'joints', 'cones', 'motors', 'kinematic', 'sleeping', 'respawn'],
  async createWorld(spec, threads = 1) {
    if (threads > 1) useThreads();
    const world = new World({
      threads,
      gravity: spec.scene.gravity,
      sleeping: spec.scene.sleeping === true,
      frictionCombine: 'geometricMean',
      restitutionCombine: 'maximum',
    });
    while (world.threads.reason.includes('starting')) await new Promise((resolve) => setTimeout(resolve, 2));
    const bodies: RigidBody[] = [];
    const vector = new Float32Array(3);
    const quaternion = new Float32Array(4);
    let hits: RayBatch | undefined;
    return {
      createBody(body) {
        bodies.push(world.createBody(bodyOptions(body)));
      },
      replaceBody(index, body) {
        world.removeBody(bodies[index]);
        bodies[index] = world.createBody(bodyOptions(body));
      },
      createJoint({ type, bodyA, bodyB, anchor, axis, limits, cone, motor }) {
        const link = { bodyA: bodies[bodyA], bodyB: bodies[bodyB], anchor };
        if (type === 'ball') world.createJoint({ ...link, type: 'point' });
        else if (type === 'cone') {
          const [swing, twist] = cone!;
          const open = { swingY: swing, swingZ: swing, twist: { low: -twist, high: twist } };
          world.createJoint({ ...link, type: 'coneTwist', axis, ...open });
        } else {
          const angle: JointAxisOptions = limits ? { low: limits[0], high: limits[1] } : {};
          if (motor) angle.motor = { velocity: motor[0], maxForce: motor[1] };
          world.createJoint({ ...link, type: 'hinge', axis, angle });
        }
      },
      step(dt) {
        world.step(dt);
      },
      readPoses(out) {
        for (let i = 0, at = 0; i < bodies.length; i++, at += 7) {
          bodies[i].getPosition(vector);
          bodies[i].getRotation(quaternion);
          out[at] = vector[0];
          out[at + 1] = vector[1];
          out[at + 2] = vector[2];
          out[at + 3] = quaternion[0];
          out[at + 4] = quaternion[1];
          out[at + 5] = quaternion[2];
          out[at + 6] = quaternion[3];
        }
      },
      readVelocities(out) {
        for (const [i, body] of bodies.entries()) {
          body.getLinearVelocity(vector);
          out.set(vector, i * 6);
          body.getAngularVelocity(vector);
          out.set(vector, i * 6 + 3);
        }
      },
      castRays(rays, fractions) {
        hits = world.rayTestBatch(rays, {}, hits);
        for (let i = 0; i < fractions.length; i++)
          fractions[i] = hits.bodies[i] === 0 ? Infinity : hits.fractions[i];
      },
      castRaysOneByOne(rays, fractions) {
        const from = new Float64Array(3);
        const to = new Float64Array(3);
        for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
          for (let k = 0; k < 3; k++) {
            from[k] = rays[at + k];
            to[k] = rays[at + 3 + k];
          }
          const hit = world.rayTest(from, to);
          fractions[i] = hit && !Array.isArray(hit) ? hit.fraction : Infinity;
        }
      },
      moveKinematic(body, position, rotation) {
        bodies[body].setKinematicTarget(position, rotation);
      },
      countAwake: () =>
        bodies.filter((body, i) => spec.bodies[i].type === 'dynamic' && !body.isSleeping()).length,
      memoryBytes: () => world.getProfile().memory,
      threads(wallMs) {
        const { count, shared, waited } = world.threads;
        return { count, shared: shared / wallMs, waited: waited / wallMs };
      },
      profile(steps, step) {
        world.profiling = true;
        const stages: Record<string, number> = {};
        for (let i = 0; i < steps; i++) {
          step();
          const profile = world.getProfile();
          for (const name of Object.keys(profile) as (keyof StepProfile)[])
            if (!NOT_STAGES.includes(name))
              stages[name] = (stages[name] ?? 0) + (profile[name] as number) / steps;
        }
        world.profiling = false;
        return stages;
      },
    };
  },
};

function bodyOptions(body: BodySpec): BodyOptions {
  return {
    type: body.type,
    mass: body.type === 'dynamic' ? body.mass : undefined,
    position: body.position,
    rotation: body.rotation,
    linearVelocity: body.linearVelocity,
    angularVelocity: body.angularVelocity,
    linearDamping: body.linearDamping,
    angularDamping: body.angularDamping,
    group: body.group,
    mask: body.mask,
    shape: body.shapes.map(shapeOptions),
  };
}

function shapeOptions(shape: ShapeSpec): ShapeOptions {
  const { position, rotation, friction, restitution } = shape;
  const common = { position, rotation, friction, restitution };
  switch (shape.type) {
    case 'sphere':
      return { ...common, type: 'sphere', radius: shape.radius };
    case 'box':
      return { ...common, type: 'box', halfExtents: shape.halfExtents };
    case 'capsule':
      return { ...common, type: 'capsule', radius: shape.radius, halfHeight: shape.halfHeight };
    case 'hull':
      return { ...common, type: 'hull', points: shape.points };
    case 'plane':
      return { ...common, type: 'plane', normal: [0, 1, 0] };
    case 'mesh':
      return mesh({ ...common, vertices: shape.points, indices: shape.triangles.flat() });
  }
}
