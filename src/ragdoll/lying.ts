// How a ragdoll lies. In: the pose of its pelvis, its axes, gravity. Out: on which side, where its head is, which way it faces
// once it stands.
import { deterministic } from 'ricochet/cooking';
import { across, dot, neg, type Pose, rotate, unit, type Vec3 } from './math';
import type { RagdollPlan } from './plan';

/** How a ragdoll lies. */
export interface Lying {
  /** On its back, its front, its left or its right side; 'upright' or 'upsideDown' if it does not lie. */
  readonly side: 'back' | 'front' | 'left' | 'right' | 'upright' | 'upsideDown';
  /** Of the pelvis in the world, m. */
  readonly position: [number, number, number];
  /** Level unit vector: where the head lies, seen from the pelvis; of what stands, where it looks. */
  readonly heading: [number, number, number];
  /** Level unit vector: where it looks once it has stood up: to its feet from its back, to its head otherwise. */
  readonly facing: [number, number, number];
  /** Of `facing` about y, rad: `object.rotation.y` of a model that looks along z. */
  readonly yaw: number;
  /** m/s: of the fastest part. */
  readonly speed: number;
}

/** Cosine of 45°. */
const DIAGONAL = Math.sqrt(0.5);

export function lyingOf(pelvis: Pose, axes: RagdollPlan['axes'], gravity: Vec3): Omit<Lying, 'speed'> {
  const above = unit(neg(gravity), [0, 1, 0]);
  const world = (axis: readonly number[]) => rotate(pelvis.q, axis as Vec3);
  const [up, left, front] = [world(axes.up), world(axes.left), world(axes.front)];
  const height = dot(up, above);
  const side =
    height > DIAGONAL
      ? 'upright'
      : height < -DIAGONAL
        ? 'upsideDown'
        : Math.abs(dot(left, above)) > Math.abs(dot(front, above))
          ? dot(left, above) > 0
            ? 'right'
            : 'left'
          : dot(front, above) > 0
            ? 'back'
            : 'front';
  const heading = across(side === 'upright' || side === 'upsideDown' ? front : up, above);
  const facing = side === 'back' ? neg(heading) : heading;
  return { side, position: pelvis.p, heading, facing, yaw: deterministic.atan2(facing[0], facing[2]) };
}
