// Havok through its plain HP_* functions, as Babylon's plugin calls them. Poses are read from the world's
// body buffer (a matrix per body), the fastest way it offers; rays through one collector.
// Caveat: it has no half-space, so planes become boxes 2 km wide and 20 m thick with their top in place.
import HavokPhysics, {
  type ConstraintAxis,
  type HavokPhysicsWithBindings,
  type HP_BodyId,
  type HP_ShapeId,
} from '@babylonjs/havok';
import {
  type BodySpec,
  conjugate,
  type Quat,
  rotate,
  type SceneSpec,
  type ShapeSpec,
  toLocal,
  type Vec3,
} from '../scene';
import type { Engine, EngineWorld } from './adapter';

const SLAB: Vec3 = [2000, 20, 2000];

export const engine: Engine = {
  features: ['capsule', 'hull', 'mesh', 'joints', 'cones', 'motors', 'kinematic', 'sleeping', 'respawn'],
  async createWorld(spec) {
    return createWorld(await HavokPhysics(), spec);
  },
};

function createWorld(hk: HavokPhysicsWithBindings, spec: SceneSpec): EngineWorld {
  const check = <T extends unknown[]>(result: T): T => {
    if (result[0] !== hk.Result.RESULT_OK) throw new Error(`havok: ${String(result[0])}`);
    return result;
  };
  const world = check(hk.HP_World_Create())[1];
  hk.HP_World_SetGravity(world, spec.scene.gravity);
  hk.HP_World_SetIdealStepTime(world, 1 / 60);
  const bodies: HP_BodyId[] = [];
  const offsets: number[] = [];

  function upload(numbers: number[], kind: 'f32' | 'i32'): number {
    const address = hk._malloc(numbers.length * 4);
    const view = kind === 'f32' ? Float32Array : Int32Array;
    new view(hk.HEAPU8.buffer as ArrayBuffer, address, numbers.length).set(numbers);
    return address;
  }

  function geometry(shape: ShapeSpec): HP_ShapeId {
    const { radius, halfHeight: h, position: p, rotation: q } = shape;
    const end = (y: number): Vec3 => {
      const turned = rotate(q, [0, y, 0]);
      return [p[0] + turned[0], p[1] + turned[1], p[2] + turned[2]];
    };
    switch (shape.type) {
      case 'sphere':
        return hk.HP_Shape_CreateSphere(p, radius)[1];
      case 'capsule':
        return hk.HP_Shape_CreateCapsule(end(-h), end(h), radius)[1];
      case 'box':
        return hk.HP_Shape_CreateBox(p, q, [
          2 * shape.halfExtents[0],
          2 * shape.halfExtents[1],
          2 * shape.halfExtents[2],
        ])[1];
      case 'plane':
        return hk.HP_Shape_CreateBox(end(-SLAB[1] / 2), q, SLAB)[1];
      case 'hull': {
        const points = upload(shape.points.flat(), 'f32');
        const hull = hk.HP_Shape_CreateConvexHull(points, shape.points.length)[1];
        hk._free(points);
        return hull;
      }
      case 'mesh': {
        const points = upload(shape.points.flat(), 'f32');
        const triangles = upload(shape.triangles.flat(), 'i32');
        const mesh = hk.HP_Shape_CreateMesh(
          points,
          shape.points.length,
          triangles,
          shape.triangles.length,
        )[1];
        hk._free(points);
        hk._free(triangles);
        return mesh;
      }
    }
  }

  function collider(shape: ShapeSpec, body: BodySpec): HP_ShapeId {
    const id = geometry(shape);
    hk.HP_Shape_SetMaterial(id, [
      shape.friction,
      shape.friction,
      shape.restitution,
      hk.MaterialCombine.GEOMETRIC_MEAN,
      hk.MaterialCombine.MAXIMUM,
    ]);
    hk.HP_Shape_SetFilterInfo(id, [body.group, body.mask]);
    return id;
  }

  const known = new Map<string, HP_ShapeId>();
  function shapeFor(body: BodySpec): HP_ShapeId {
    const key = JSON.stringify([body.shapes, body.type, body.mass, body.group, body.mask]);
    let id = known.get(key);
    if (id) return id;
    if (body.shapes.length === 1) id = collider(body.shapes[0], body);
    else {
      id = hk.HP_Shape_CreateContainer()[1];
      for (const shape of body.shapes)
        hk.HP_Shape_AddChild(id, collider(shape, body), [
          [0, 0, 0],
          [0, 0, 0, 1],
          [1, 1, 1],
        ]);
    }
    known.set(key, id);
    return id;
  }

  function made(body: BodySpec): HP_BodyId {
    const id = hk.HP_Body_Create()[1];
    const shape = shapeFor(body);
    hk.HP_Body_SetShape(id, shape);
    const { DYNAMIC, STATIC, KINEMATIC } = hk.MotionType;
    hk.HP_Body_SetMotionType(
      id,
      body.type === 'dynamic' ? DYNAMIC : body.type === 'static' ? STATIC : KINEMATIC,
    );
    hk.HP_Body_SetQTransform(id, [body.position, body.rotation]);
    if (body.type === 'dynamic') {
      // Its inertia is that of 1 kg, whatever the mass.
      const [centre, , inertia, frame] = hk.HP_Shape_BuildMassProperties(shape)[1];
      hk.HP_Body_SetMassProperties(id, [centre, body.mass, inertia, frame]);
      hk.HP_Body_SetLinearDamping(id, body.linearDamping);
      hk.HP_Body_SetAngularDamping(id, body.angularDamping);
      if (!spec.scene.sleeping) hk.HP_Body_SetActivationControl(id, hk.ActivationControl.ALWAYS_ACTIVE);
    }
    hk.HP_World_AddBody(world, id, false);
    if (body.type !== 'static') {
      hk.HP_Body_SetLinearVelocity(id, body.linearVelocity);
      hk.HP_Body_SetAngularVelocity(id, body.angularVelocity);
    }
    return id;
  }

  return {
    createBody(body) {
      bodies.push(made(body));
    },
    replaceBody(index, body) {
      hk.HP_World_RemoveBody(world, bodies[index]);
      hk.HP_Body_Release(bodies[index]);
      bodies[index] = made(body);
      offsets[index] = hk.HP_Body_GetWorldTransformOffset(bodies[index])[1];
    },
    createJoint(joint) {
      const constraint = hk.HP_Constraint_Create()[1];
      const axis: Vec3 = joint.axis ?? [1, 0, 0];
      const across: Vec3 = Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
      const along = axis[0] * across[0] + axis[1] * across[1] + axis[2] * across[2];
      const normal: Vec3 = [
        across[0] - along * axis[0],
        across[1] - along * axis[1],
        across[2] - along * axis[2],
      ];
      const length = Math.hypot(...normal);
      const side: Vec3 = [normal[0] / length, normal[1] / length, normal[2] / length];
      const a = spec.bodies[joint.bodyA];
      const b = spec.bodies[joint.bodyB];
      const local = (q: Quat, v: Vec3) => rotate(conjugate(q), v);
      hk.HP_Constraint_SetParentBody(constraint, bodies[joint.bodyA]);
      hk.HP_Constraint_SetChildBody(constraint, bodies[joint.bodyB]);
      hk.HP_Constraint_SetAnchorInParent(
        constraint,
        toLocal(a, joint.anchor),
        local(a.rotation, axis),
        local(a.rotation, side),
      );
      hk.HP_Constraint_SetAnchorInChild(
        constraint,
        toLocal(b, joint.anchor),
        local(b.rotation, axis),
        local(b.rotation, side),
      );
      const { LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z } = hk.ConstraintAxis;
      const locked = [LINEAR_X, LINEAR_Y, LINEAR_Z];
      if (joint.type === 'hinge') locked.push(ANGULAR_Y, ANGULAR_Z);
      for (const one of locked)
        hk.HP_Constraint_SetAxisMode(constraint, one, hk.ConstraintAxisLimitMode.LOCKED);
      const limit = (one: ConstraintAxis, low: number, high: number) => {
        hk.HP_Constraint_SetAxisMode(constraint, one, hk.ConstraintAxisLimitMode.LIMITED);
        hk.HP_Constraint_SetAxisMinLimit(constraint, one, low);
        hk.HP_Constraint_SetAxisMaxLimit(constraint, one, high);
      };
      if (joint.limits) limit(ANGULAR_X, ...joint.limits);
      if (joint.cone) {
        const [swing, twist] = joint.cone;
        limit(ANGULAR_X, -twist, twist);
        limit(ANGULAR_Y, -swing, swing);
        limit(ANGULAR_Z, -swing, swing);
      }
      if (joint.motor) {
        hk.HP_Constraint_SetAxisMotorType(constraint, ANGULAR_X, hk.ConstraintMotorType.VELOCITY);
        hk.HP_Constraint_SetAxisMotorTarget(constraint, ANGULAR_X, joint.motor[0]);
        hk.HP_Constraint_SetAxisMotorMaxForce(constraint, ANGULAR_X, joint.motor[1]);
      }
      hk.HP_Constraint_SetCollisionsEnabled(constraint, 0);
      hk.HP_Constraint_SetEnabled(constraint, 1);
    },
    finish() {
      for (const id of bodies) offsets.push(hk.HP_Body_GetWorldTransformOffset(id)[1]);
    },
    step(dt) {
      hk.HP_World_Step(world, dt);
    },
    readPoses(out) {
      const base = hk.HP_World_GetBodyBuffer(world)[1];
      const heap = new Float32Array(hk.HEAPU8.buffer);
      for (let i = 0, at = 0; i < offsets.length; i++, at += 7)
        poseFromMatrix(heap, (base + offsets[i]) >> 2, out, at);
    },
    readVelocities(out) {
      for (const [i, id] of bodies.entries()) {
        if (spec.bodies[i].type === 'static') continue;
        out.set(hk.HP_Body_GetLinearVelocity(id)[1], i * 6);
        out.set(hk.HP_Body_GetAngularVelocity(id)[1], i * 6 + 3);
      }
    },
    castRays(rays, fractions) {
      const collector = hk.HP_QueryCollector_Create(1)[1];
      for (let i = 0, at = 0; i < fractions.length; i++, at += 6) {
        hk.HP_World_CastRayWithCollector(world, collector, [
          [rays[at], rays[at + 1], rays[at + 2]],
          [rays[at + 3], rays[at + 4], rays[at + 5]],
          [~0, ~0],
          false,
          [0n],
        ]);
        const hits = hk.HP_QueryCollector_GetNumHits(collector)[1];
        fractions[i] = hits > 0 ? hk.HP_QueryCollector_GetCastRayResult(collector, 0)[1][0] : Infinity;
      }
      hk.HP_QueryCollector_Release(collector);
    },
    moveKinematic(body, position, rotation) {
      hk.HP_Body_SetTargetQTransform(bodies[body], [position, rotation]);
    },
    memoryBytes: () => hk.HEAPU8.byteLength,
    countAwake: () =>
      bodies.filter(
        (id, i) =>
          spec.bodies[i].type === 'dynamic' &&
          hk.HP_Body_GetActivationState(id)[1] === hk.ActivationState.ACTIVE,
      ).length,
  };
}

/** Column-major 4 × 4 at `m`, rotation and translation, to position and quaternion. */
function poseFromMatrix(heap: Float32Array, m: number, out: Float32Array, at: number): void {
  const m00 = heap[m];
  const m11 = heap[m + 5];
  const m22 = heap[m + 10];
  const trace = m00 + m11 + m22;
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 1;
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    w = s / 4;
    x = (heap[m + 6] - heap[m + 9]) / s;
    y = (heap[m + 8] - heap[m + 2]) / s;
    z = (heap[m + 1] - heap[m + 4]) / s;
  } else if (m00 > m11 && m00 > m22) {
    const s = 2 * Math.sqrt(1 + m00 - m11 - m22);
    w = (heap[m + 6] - heap[m + 9]) / s;
    x = s / 4;
    y = (heap[m + 4] + heap[m + 1]) / s;
    z = (heap[m + 8] + heap[m + 2]) / s;
  } else if (m11 > m22) {
    const s = 2 * Math.sqrt(1 + m11 - m00 - m22);
    w = (heap[m + 8] - heap[m + 2]) / s;
    x = (heap[m + 4] + heap[m + 1]) / s;
    y = s / 4;
    z = (heap[m + 9] + heap[m + 6]) / s;
  } else {
    const s = 2 * Math.sqrt(1 + m22 - m00 - m11);
    w = (heap[m + 1] - heap[m + 4]) / s;
    x = (heap[m + 8] + heap[m + 2]) / s;
    y = (heap[m + 9] + heap[m + 6]) / s;
    z = s / 4;
  }
  out[at] = heap[m + 12];
  out[at + 1] = heap[m + 13];
  out[at + 2] = heap[m + 14];
  out[at + 3] = x;
  out[at + 4] = y;
  out[at + 5] = z;
  out[at + 6] = w;
}
