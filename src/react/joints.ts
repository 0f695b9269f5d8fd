// Joints between two rigid bodies. In: refs of bodies, frames in their axes. Out: joints that exist as long as the
// component and both bodies are mounted.

import type { Quaternion as QuaternionProp, Vector3 as Vector3Prop } from '@react-three/fiber';
import { type RefObject, useEffect, useRef } from 'react';
import type { JointAxisName, JointOptions, PhysicsWorld, WorldJoint } from 'ricochet';
import { Quaternion, type Vector3 } from 'three';
import { blame } from './errors';
import { usePhysicsOf } from './hooks';
import type { RigidBodyApi } from './rigidBodyApi';

type BodyRef = RefObject<RigidBodyApi | null>;

/** Anchors and axes of a fixed joint, in the frames of both bodies. */
export type FixedJointParams = [
  body1Anchor: Vector3Prop,
  body1LocalFrame: QuaternionProp,
  body2Anchor: Vector3Prop,
  body2LocalFrame: QuaternionProp,
];
/** Anchors of a ball joint, m, in the frames of both bodies. */
export type SphericalJointParams = [body1Anchor: Vector3Prop, body2Anchor: Vector3Prop];
/** Anchors, axis and, if given, limits (rad) of a hinge. */
export type RevoluteJointParams = [
  body1Anchor: Vector3Prop,
  body2Anchor: Vector3Prop,
  axis: Vector3Prop,
  limits?: [min: number, max: number],
];
/** Anchors, axis and, if given, limits (m) of a slider. */
export type PrismaticJointParams = RevoluteJointParams;
/** Anchors, and the greatest distance, m. */
export type RopeJointParams = [body1Anchor: Vector3Prop, body2Anchor: Vector3Prop, length: number];
/** Anchors, rest length (m), Rapier's stiffness (1/s²) and damping (1/s). */
export type SpringJointParams = [
  body1Anchor: Vector3Prop,
  body2Anchor: Vector3Prop,
  restLength: number,
  stiffness: number,
  damping: number,
];

/** Converts Rapier's stiffness (1/s²) and damping (1/s) to Hz and damping ratio. */
const springOf = (stiffness: number, damping: number) => ({
  hertz: Math.sqrt(stiffness) / (2 * Math.PI),
  dampingRatio: stiffness > 0 ? damping / (2 * Math.sqrt(stiffness)) : 0,
});

/** A joint with Rapier's methods; `joint` is ricochet's own. */
export class JointApi {
  /** @internal The joint hooks make them. */
  constructor(
    /** The engine's own joint. */
    readonly joint: WorldJoint,
    private readonly axis: JointAxisName | null,
    /** Approximate kg or kg·m² that a motor moves. */
    private readonly load: number,
  ) {}

  /** Id of the joint. */
  get handle(): number {
    return this.joint.id;
  }

  /** False after it was removed. */
  isValid(): boolean {
    return !this.joint.isRemoved;
  }

  /** rad or m; of a revolute or prismatic joint. */
  setLimits(min: number, max: number): void {
    if (this.axis !== null) this.joint.setLimits(this.axis, min, max);
  }

  /** Whether the two bodies may touch. */
  setContactsEnabled(enabled: boolean): void {
    this.joint.setCollideConnected(enabled);
  }

  /**
   * Drives to a velocity, rad/s or m/s.
   *
   * @param factor  1/s: how hard. Rapier's is a damping; here the motor's force is what would reach the velocity in
   *   1 / factor s from rest, and it then holds it
   */
  configureMotorVelocity(velocity: number, factor: number): void {
    if (this.axis === null) return;
    const maxForce = factor * Math.max(Math.abs(velocity), 1) * this.load;
    this.joint.setMotor(this.axis, factor > 0 ? { velocity, maxForce } : undefined);
  }

  /** Pulls to a position, rad or m; stiffness in 1/s², damping in 1/s, for unit mass. */
  configureMotorPosition(target: number, stiffness: number, damping: number): void {
    if (this.axis === null) return;
    this.joint.setSpring(this.axis, stiffness > 0 ? { ...springOf(stiffness, damping), target } : undefined);
  }
}

function vectorOf(given: Vector3Prop): [number, number, number] {
  if (typeof given === 'number') return [given, given, given];
  return Array.isArray(given) ? (given as [number, number, number]) : (given as Vector3).toArray();
}

function quaternionOf(given: QuaternionProp): [number, number, number, number] {
  const q = Array.isArray(given) ? new Quaternion().fromArray(given) : (given as Quaternion);
  return [q.x, q.y, q.z, q.w];
}

type Bodies = 'bodyA' | 'bodyB';
/** Options of a joint without its bodies. */
export type OpenJointOptions = JointOptions extends infer Each
  ? Each extends unknown
    ? Omit<Each, Bodies>
    : never
  : never;

function useJointOf(
  name: string,
  body1: BodyRef,
  body2: BodyRef,
  makeOptions: () => OpenJointOptions,
  axis: JointAxisName | null,
): RefObject<JointApi | null> {
  const { world, runtime } = usePhysicsOf(name);
  const joint = useRef<JointApi | null>(null);
  const latest = useRef(makeOptions);
  latest.current = makeOptions;
  useEffect(() => {
    const make = () => {
      const [a, b] = [body1.current, body2.current];
      joint.current =
        a === null || b === null || !a.isValid() || !b.isValid()
          ? null
          : blame(name, () => create(world, a, b, latest.current(), axis));
    };
    make();
    const remake = () => {
      if (joint.current === null || joint.current.joint.isRemoved) make();
    };
    runtime.restored.add(remake);
    return () => {
      runtime.restored.delete(remake);
      const made = joint.current?.joint;
      joint.current = null;
      if (made !== undefined && !runtime.isDisposed && !made.isRemoved) made.remove();
    };
  }, [world, runtime, body1, body2, name, axis]);
  return joint;
}

function create(
  world: PhysicsWorld,
  a: RigidBodyApi,
  b: RigidBodyApi,
  options: OpenJointOptions,
  axis: JointAxisName | null,
): JointApi {
  const joint = world.createJoint({
    collideConnected: true,
    ...options,
    bodyA: a.body,
    bodyB: b.body,
  } as unknown as JointOptions<never>);
  const moved = [a.body, b.body].filter(({ type }) => type === 'dynamic');
  const loads = moved.map((body) => (axis === 'angle' ? Math.max(...body.getLocalInertia()) : body.mass));
  const load = 1 / loads.reduce((sum, one) => sum + (one > 0 ? 1 / one : 0), 0);
  return new JointApi(joint, axis, Number.isFinite(load) ? load : 1);
}

/** Any joint of ricochet between two bodies, with ricochet's options. */
export function useJoint(
  body1: BodyRef,
  body2: BodyRef,
  options: OpenJointOptions,
): RefObject<JointApi | null> {
  return useJointOf('useJoint', body1, body2, () => options, null);
}

/** Keeps two frames together. */
export function useFixedJoint(body1: BodyRef, body2: BodyRef, [p1, q1, p2, q2]: FixedJointParams) {
  return useJointOf(
    'useFixedJoint',
    body1,
    body2,
    () => ({
      type: 'fixed',
      frameA: { position: vectorOf(p1), rotation: quaternionOf(q1) },
      frameB: { position: vectorOf(p2), rotation: quaternionOf(q2) },
    }),
    null,
  );
}

/** Keeps two points together. */
export function useSphericalJoint(body1: BodyRef, body2: BodyRef, [p1, p2]: SphericalJointParams) {
  return useJointOf(
    'useSphericalJoint',
    body1,
    body2,
    () => ({ type: 'point', frameA: { position: vectorOf(p1) }, frameB: { position: vectorOf(p2) } }),
    null,
  );
}

/** A hinge: rotates about an axis, given in the frames of both bodies. Limits in rad. */
export function useRevoluteJoint(
  body1: BodyRef,
  body2: BodyRef,
  [p1, p2, axis, limits]: RevoluteJointParams,
) {
  return useJointOf(
    'useRevoluteJoint',
    body1,
    body2,
    () => ({
      type: 'hinge',
      frameA: { position: vectorOf(p1), axis: vectorOf(axis) },
      frameB: { position: vectorOf(p2), axis: vectorOf(axis) },
      ...(limits && { angle: { low: limits[0], high: limits[1] } }),
    }),
    'angle',
  );
}

/** A slider: moves along an axis, given in the frames of both bodies. Limits in m. */
export function usePrismaticJoint(
  body1: BodyRef,
  body2: BodyRef,
  [p1, p2, axis, limits]: PrismaticJointParams,
) {
  return useJointOf(
    'usePrismaticJoint',
    body1,
    body2,
    () => ({
      type: 'slider',
      frameA: { position: vectorOf(p1), axis: vectorOf(axis) },
      frameB: { position: vectorOf(p2), axis: vectorOf(axis) },
      ...(limits && { position: { low: limits[0], high: limits[1] } }),
    }),
    'position',
  );
}

/** Two points are at most `length` m apart. */
export function useRopeJoint(body1: BodyRef, body2: BodyRef, [p1, p2, length]: RopeJointParams) {
  return useJointOf(
    'useRopeJoint',
    body1,
    body2,
    () => ({
      type: 'distance',
      distance: { low: 0, high: length },
      frameA: { position: vectorOf(p1) },
      frameB: { position: vectorOf(p2) },
    }),
    'distance',
  );
}

/** A spring between two points: stiffness in N/m, damping in N·s/m. */
export function useSpringJoint(
  body1: BodyRef,
  body2: BodyRef,
  [p1, p2, restLength, stiffness, damping]: SpringJointParams,
) {
  return useJointOf(
    'useSpringJoint',
    body1,
    body2,
    () => ({
      type: 'distance',
      distance: { low: 1, high: 0, spring: { stiffness, damping, target: restLength } },
      frameA: { position: vectorOf(p1) },
      frameB: { position: vectorOf(p2) },
    }),
    'distance',
  );
}
