// The shape of a part of a ragdoll. In: vertices of the skin that follow its bone, its axis. Out: a capsule, a box or a
// hull in the frame of the bone, and which parts overlap at rest.
import type { ShapeOptions } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import {
  add,
  compose,
  conjugate,
  dot,
  frameOf,
  length,
  type Pose,
  type Quat,
  relative,
  rotate,
  scale,
  sub,
  unit,
  type Vec3,
} from './math';

/** A capsule or a box in the frame of its bone: round if `radius` is above 0. Along x of `q`. */
export interface Solid extends Pose {
  /** m: half the inner segment of a capsule along x; half extents of a box. */
  half: Vec3;
  /** m; 0: a box. */
  radius: number;
}

/** What is fitted: in the frame of the bone, m. */
export interface Flesh {
  /** x, y, z of each vertex. */
  vertices: ArrayLike<number>;
  /** Where the bone ends. */
  end: Vec3;
  /** Frame of a box: x along the part. */
  frame: Quat;
  /** Of the whole body, m. */
  height: number;
  /** Radius without vertices, as a share of the height. */
  thickness: number;
}

/** Fewer vertices say nothing about a shape. */
const FEWEST = 8;
/** Half extents and radii are at least this share of the height. */
const THINNEST = 0.004;

const vertexAt = (vertices: ArrayLike<number>, i: number): Vec3 => [
  vertices[3 * i]!,
  vertices[3 * i + 1]!,
  vertices[3 * i + 2]!,
];

const share = (sorted: Float64Array, t: number) => sorted[Math.round(t * (sorted.length - 1))]!;

/** A capsule from the bone's origin to its end; it overlaps the next one, so that a bent knee is round. */
export function limb({ vertices, end, height, thickness }: Flesh): Solid {
  const size = Math.max(length(end), 2 * THINNEST * height);
  const x = unit(end);
  const distances: number[] = [];
  for (let i = 0; 3 * i < vertices.length; i++) {
    const v = vertexAt(vertices, i);
    const t = dot(v, x);
    if (t > 0.1 * size && t < 0.9 * size) distances.push(length(sub(v, scale(x, t))));
  }
  const sorted = Float64Array.from(distances).sort();
  const measured = sorted.length >= FEWEST ? share(sorted, 0.6) : thickness * height;
  const radius = Math.min(0.5 * size, Math.max(THINNEST * height, measured));
  const half = Math.max(size / 2 - 0.5 * radius, 0.01 * radius);
  return { p: scale(x, size / 2), q: frameOf(x, [0, 0, 1]), half: [half, 0, 0], radius };
}

/** Without vertices a box has these half extents, as shares of the height: along, y and z of its frame. */
export type Extent = readonly [number, number, number];

/** A box about the vertices: about all of a foot, without the outermost of the others. */
export function block({ vertices, end, frame, height }: Flesh, extent: Extent, whole: boolean): Solid {
  if (vertices.length < 3 * FEWEST) {
    const half = extent.map((e) => e * height) as Vec3;
    const size = Math.max(length(end) / 2, half[0]);
    return { p: scale(end, 0.5), q: frame, half: [size, half[1], half[2]], radius: 0 };
  }
  const back = conjugate(frame);
  const along = [0, 1, 2].map(() => new Float64Array(vertices.length / 3));
  for (let i = 0; 3 * i < vertices.length; i++) {
    const v = rotate(back, vertexAt(vertices, i));
    for (const k of [0, 1, 2]) along[k]![i] = v[k]!;
  }
  const cut = whole ? 0 : 0.02;
  const low: Vec3 = [0, 0, 0];
  const half: Vec3 = [0, 0, 0];
  along.forEach((list, k) => {
    list.sort();
    const [from, to] = [share(list, cut), share(list, 1 - cut)];
    low[k] = (from + to) / 2;
    half[k] = Math.max((to - from) / 2, THINNEST * height);
  });
  return { p: rotate(frame, low), q: frame, half, radius: 0 };
}

/** A head: a capsule along the longest side of its box. */
export function ball(flesh: Flesh, extent: Extent): Solid {
  const { p, q, half } = block(flesh, extent, false);
  const radius = (half[1] + half[2]) / 2;
  return { p, q, half: [Math.max(half[0] - radius, 0.01 * radius), 0, 0], radius };
}

/** The engine's shape. A capsule whose segment is a point is a ball. */
export function shapeOf({ p, q, half, radius }: Solid): ShapeOptions {
  if (radius === 0) return { type: 'box', halfExtents: half, position: p, rotation: q };
  if (half[0] < 0.05 * radius) return { type: 'sphere', radius, position: p };
  return { type: 'capsule', axis: 'x', radius, halfHeight: half[0], position: p, rotation: q };
}

/** The hull of the vertices; null if there are too few, or if they span no volume. */
export function hullOf({ vertices }: Flesh): ShapeOptions | null {
  if (vertices.length < 3 * FEWEST) return null;
  return { type: 'hull', points: Float64Array.from(vertices) };
}

/** m³. */
export function volumeOf({ half, radius }: Solid): number {
  if (radius === 0) return 8 * half[0] * half[1] * half[2];
  return Math.PI * radius * radius * (2 * half[0] + (4 / 3) * radius);
}

/** Points on the surface, in the world. */
function surface(proxy: Solid, pose: Pose): Vec3[] {
  const place = compose(pose, proxy);
  const points: Vec3[] = [];
  const reach = proxy.radius;
  for (const x of [-1, -0.5, 0, 0.5, 1])
    for (const y of [-1, 0, 1])
      for (const z of [-1, 0, 1]) {
        const size = Math.sqrt(y * y + z * z) || 1;
        const local: Vec3 =
          reach > 0
            ? [x * proxy.half[0], (y * reach) / size, (z * reach) / size]
            : [x * proxy.half[0], y * proxy.half[1], z * proxy.half[2]];
        points.push(add(place.p, rotate(place.q, local)));
      }
  return points;
}

/** m: distance of a point from the surface, below 0 inside. */
function distance(proxy: Solid, pose: Pose, point: Vec3): number {
  const { p } = relative(compose(pose, proxy), { p: point, q: [0, 0, 0, 1] });
  const out = p.map((c, k) => Math.max(0, Math.abs(c) - proxy.half[k]!)) as Vec3;
  const outside = length(out);
  if (proxy.radius > 0) return outside - proxy.radius;
  return outside > 0 ? outside : Math.max(...p.map((c, k) => Math.abs(c) - proxy.half[k]!));
}

/** Whether two parts are nearer than `margin`, m. */
export function near(a: [Solid, Pose], b: [Solid, Pose], margin: number): boolean {
  return (
    surface(...a).some((point) => distance(...b, point) < margin) ||
    surface(...b).some((point) => distance(...a, point) < margin)
  );
}

/** @throws PhysicsError 'invalid-argument' for what is no list of numbers, three for each vertex */
export function checkVertices(vertices: unknown, name: string): ArrayLike<number> {
  const list = vertices as ArrayLike<number>;
  if (!Array.isArray(vertices) && !ArrayBuffer.isView(vertices))
    throw new PhysicsError('invalid-argument', 'must be a list of numbers', `${name}.vertices`, vertices);
  if (list.length % 3 !== 0 || !Array.prototype.every.call(list, Number.isFinite))
    throw new PhysicsError(
      'invalid-argument',
      'must hold three finite numbers each',
      `${name}.vertices`,
      list.length,
    );
  return list;
}
