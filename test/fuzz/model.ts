// What a world should answer, kept beside it. In: the calls that the world took. Out: what it must say of its bodies,
// shapes and joints now. Where a call did what nobody can foretell, the model is read from the world anew (`readModel`).
import type { PhysicsWorld, WorldBody, WorldJoint } from 'ricochet';

export interface ShapeModel {
  id: number;
  type: string;
  sensor: boolean;
  userIndex: number;
  material: { friction: number; restitution: number; rollingFriction: number; spinningFriction: number };
}

export interface BodyModel {
  id: number;
  type: string;
  mass: number;
  group: number;
  mask: number;
  userIndex: number;
  linearDamping: number;
  angularDamping: number;
  gravityScale: number;
  linearFactor: number[];
  angularFactor: number[];
  thresholds: number[];
  ccd: number[];
  shapes: ShapeModel[];
}

export interface JointModel {
  id: number;
  type: string;
  bodyA: number;
  bodyB: number;
  userIndex: number;
  collide: boolean;
}

export interface Model {
  bodies: Map<number, BodyModel>;
  joints: Map<number, JointModel>;
  gravity: number[];
  settings: Record<string, unknown>;
}

export function readBody(body: WorldBody): BodyModel {
  return {
    id: body.id,
    type: body.type,
    mass: body.mass,
    group: body.group,
    mask: body.mask,
    userIndex: body.userIndex,
    linearDamping: body.getLinearDamping(),
    angularDamping: body.getAngularDamping(),
    gravityScale: body.getGravityScale(),
    linearFactor: [...body.getLinearFactor()],
    angularFactor: [...body.getAngularFactor()],
    thresholds: [body.getLinearSleepingThreshold(), body.getAngularSleepingThreshold()],
    ccd: [body.getCcdMotionThreshold(), body.getCcdSweptSphereRadius()],
    shapes: body.shapes.map((id) => {
      const { type, sensor, userIndex, material } = body.getShape(id);
      return { id, type, sensor, userIndex, material: { ...material } };
    }),
  };
}

export function readJoint(joint: WorldJoint): JointModel {
  return {
    id: joint.id,
    type: joint.type,
    bodyA: joint.bodyIdA,
    bodyB: joint.bodyIdB,
    userIndex: joint.userIndex,
    collide: joint.collideConnected,
  };
}

export function readModel(world: PhysicsWorld): Model {
  const model: Model = {
    bodies: new Map(),
    joints: new Map(),
    gravity: [...world.getGravity()],
    settings: { ...world.settings },
  };
  for (const body of world.bodies()) model.bodies.set(body.id, readBody(body));
  for (const joint of world.joints()) model.joints.set(joint.id, readJoint(joint));
  return model;
}

/** A copy that later changes do not reach. */
export function copyOf(model: Model): Model {
  return structuredClone(model);
}

export function shapeCount(model: Model): number {
  let count = 0;
  for (const { shapes } of model.bodies.values()) count += shapes.length;
  return count;
}

/** A body goes, and its joints with it. */
export function removeBody(model: Model, id: number): void {
  model.bodies.delete(id);
  for (const joint of [...model.joints.values()])
    if (joint.bodyA === id || joint.bodyB === id) model.joints.delete(joint.id);
}

/** Where a value differs from what it should be, as a path; undefined where they are equal. Numbers are equal in f32. */
export function difference(is: unknown, should: unknown, path = ''): string | undefined {
  if (is instanceof Map && should instanceof Map)
    return difference(Object.fromEntries(is), Object.fromEntries(should), path);
  if (typeof is === 'number' && typeof should === 'number')
    return Math.fround(is) === Math.fround(should) ? undefined : `${path} is ${is}, should be ${should}`;
  if (typeof is !== 'object' || typeof should !== 'object' || is === null || should === null)
    return is === should ? undefined : `${path} is ${String(is)}, should be ${String(should)}`;
  for (const name of new Set([...Object.keys(is), ...Object.keys(should)])) {
    const found = difference(
      (is as Record<string, unknown>)[name],
      (should as Record<string, unknown>)[name],
      `${path}.${name}`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a number that is none, or undefined. */
export function findNaN(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? path : undefined;
  if (typeof value !== 'object' || value === null || depth > 4) return undefined;
  if (ArrayBuffer.isView(value)) {
    if (!(value instanceof Float32Array || value instanceof Float64Array)) return undefined;
    const found = Array.prototype.findIndex.call(value, Number.isNaN); // its own throws where the buffer is detached
    return found < 0 ? undefined : `${path}[${found}]`;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && i < 200; i++) {
      const found = findNaN(value[i], `${path}[${i}]`, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const found = findNaN(part, `${path}.${name}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
