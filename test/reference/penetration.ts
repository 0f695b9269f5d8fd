// How deep two shapes overlap, in f64 and slowly: the truth about piles. In: shapes as given to the
// engine, with their poses. Out: the least distance along which one must be moved to separate them.
// Spheres and capsules are segments with a radius; boxes by separating axes (Ericson, Real-Time
// Collision Detection, 4.4.1), which is exact for the depth of two boxes, and of a box and a segment.

import { closestSegmentSegment } from '../../src/geometry/index';
import type { ShapeOptions } from '../../src/types';
import { add, cross, dot, length, type Quat, rotate, scale, sub, type Vec3 } from '../physics/support/vector';

export interface PlacedShape {
  shape: ShapeOptions;
  position: Vec3;
  rotation: Quat;
}

interface Rounded {
  kind: 'rounded';
  from: Vec3;
  to: Vec3;
  radius: number;
}
interface Box {
  kind: 'box';
  center: Vec3;
  axes: [Vec3, Vec3, Vec3];
  half: Vec3;
}
interface HalfSpace {
  kind: 'plane';
  normal: Vec3;
  offset: number;
}
export type Solid = Rounded | Box | HalfSpace;

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;
const triple = (v: unknown): Vec3 => {
  const [x, y, z] = v as number[];
  return [x, y, z];
};

export function solidOf({ shape, position, rotation }: PlacedShape): Solid {
  if (shape.type === 'sphere') return { kind: 'rounded', from: position, to: position, radius: shape.radius };
  if (shape.type === 'capsule') {
    const half = rotate(rotation, scale(triple(AXES[shape.axis ?? 'y']), shape.halfHeight));
    return { kind: 'rounded', from: sub(position, half), to: add(position, half), radius: shape.radius };
  }
  if (shape.type === 'box')
    return {
      kind: 'box',
      center: position,
      axes: [rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])],
      half: triple(shape.halfExtents),
    };
  if (shape.type !== 'plane') throw new Error(`no solid for ${shape.type}`);
  const local = triple(shape.normal ?? [0, 1, 0]);
  const normal = rotate(rotation, scale(local, 1 / length(local)));
  return { kind: 'plane', normal, offset: dot(normal, position) + (shape.offset ?? 0) };
}

/** Depth of the overlap in metres, positive when overlapping; when apart, at most 0 (no distance). */
export function penetration(a: Solid, b: Solid): number {
  if (a.kind === 'plane') return b.kind === 'plane' ? 0 : a.offset - lowest(b, a.normal);
  if (b.kind === 'plane') return penetration(b, a);
  if (a.kind === 'rounded')
    return b.kind === 'rounded' ? a.radius + b.radius - segmentDistance(a, b) : roundedBox(a, b);
  return b.kind === 'rounded' ? roundedBox(b, a) : leastOverlap(axesOfBoxes(a, b), boxSpan(a), boxSpan(b));
}

/** The smallest coordinate of a solid along a direction. */
function lowest(solid: Rounded | Box, direction: Vec3): number {
  if (solid.kind === 'rounded')
    return Math.min(dot(solid.from, direction), dot(solid.to, direction)) - solid.radius;
  return boxSpan(solid)(direction)[0];
}

type Span = (axis: Vec3) => [number, number];

const boxSpan =
  ({ center, axes, half }: Box): Span =>
  (axis) => {
    const middle = dot(center, axis);
    const reach = axes.reduce((sum, side, i) => sum + half[i] * Math.abs(dot(side, axis)), 0);
    return [middle - reach, middle + reach];
  };

const segmentSpan =
  ({ from, to }: Rounded): Span =>
  (axis) => {
    const [a, b] = [dot(from, axis), dot(to, axis)];
    return [Math.min(a, b), Math.max(a, b)];
  };

function leastOverlap(axes: Vec3[], a: Span, b: Span): number {
  let least = Number.POSITIVE_INFINITY;
  for (const axis of axes) {
    const size = length(axis);
    if (size < 1e-9) continue; // parallel edges span no new direction
    const unit = scale(axis, 1 / size);
    const [aMin, aMax] = a(unit);
    const [bMin, bMax] = b(unit);
    least = Math.min(least, aMax - bMin, bMax - aMin);
  }
  return least;
}

const axesOfBoxes = (a: Box, b: Box): Vec3[] => [
  ...a.axes,
  ...b.axes,
  ...a.axes.flatMap((u) => b.axes.map((v) => cross(u, v))),
];

/** Segment against box: the distance less the radius, or the depth of the segment plus the radius. */
function roundedBox(a: Rounded, b: Box): number {
  const distance = segmentBoxDistance(a, b);
  if (distance > 1e-9) return a.radius - distance;
  const direction = sub(a.to, a.from);
  const axes = [...b.axes, ...b.axes.map((side) => cross(side, direction))];
  return leastOverlap(axes, segmentSpan(a), boxSpan(b)) + a.radius;
}

function pointBoxDistance(point: Vec3, { center, axes, half }: Box): number {
  const local = axes.map((axis) => dot(sub(point, center), axis));
  return Math.hypot(...local.map((c, i) => Math.max(0, Math.abs(c) - half[i])));
}

/** The distance of a point to a box is convex along a line, so a ternary search finds its least. */
function segmentBoxDistance({ from, to }: Rounded, box: Box): number {
  const direction = sub(to, from);
  const at = (t: number) => pointBoxDistance(add(from, scale(direction, t)), box);
  let [low, high] = [0, 1];
  for (let i = 0; i < 100; i++) {
    const [t1, t2] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(t1) <= at(t2)) high = t2;
    else low = t1;
  }
  return at((low + high) / 2);
}

/** The distance of two segments. */
function segmentDistance(a: Rounded, b: Rounded): number {
  return Math.sqrt(closestSegmentSegment(a.from, a.to, b.from, b.to).distanceSquared);
}

/** Depths of all overlapping pairs of solids, found by brute force over bounding spheres. */
export function allPenetrations(solids: Solid[]): number[] {
  const balls = solids.map((solid) =>
    solid.kind === 'plane'
      ? { center: [0, 0, 0] as Vec3, radius: Number.POSITIVE_INFINITY }
      : solid.kind === 'box'
        ? { center: solid.center, radius: length(solid.half) }
        : {
            center: scale(add(solid.from, solid.to), 0.5),
            radius: length(sub(solid.to, solid.from)) / 2 + solid.radius,
          },
  );
  const depths: number[] = [];
  for (let i = 0; i < solids.length; i++)
    for (let j = i + 1; j < solids.length; j++) {
      const apart = sub(balls[i].center, balls[j].center);
      const reach = balls[i].radius + balls[j].radius;
      if (dot(apart, apart) > reach * reach) continue;
      const depth = penetration(solids[i], solids[j]);
      if (depth > 0) depths.push(depth);
    }
  return depths;
}
