// Triangles and boxes of shapes, for Babylon's PhysicsViewer and for hulls of what is stretched. In: options of shapes.
// Out: vertices and indices in the body's frame, bounds.
import { deterministic, type ShapeOptions } from 'ricochet';
import { readTriangles } from 'ricochet/cooking';

type Vec3 = [number, number, number];
type Placed = { position?: unknown; rotation?: unknown };

export interface Surface {
  positions: Float32Array;
  indices: Uint32Array;
}

const SEGMENTS = 24;
const RINGS = 12;

/** A surface of revolution about y: rings of [radius, y], from the top to the bottom. */
function revolve(profile: readonly (readonly [number, number])[]): { points: number[]; triangles: number[] } {
  const points: number[] = [];
  const triangles: number[] = [];
  for (const [radius, y] of profile)
    for (let k = 0; k < SEGMENTS; k++) {
      const angle = (2 * Math.PI * k) / SEGMENTS;
      points.push(radius * deterministic.cos(angle), y, radius * deterministic.sin(angle));
    }
  for (let ring = 0; ring + 1 < profile.length; ring++)
    for (let k = 0; k < SEGMENTS; k++) {
      const next = (k + 1) % SEGMENTS;
      const [a, b] = [ring * SEGMENTS + k, ring * SEGMENTS + next];
      const [c, d] = [a + SEGMENTS, b + SEGMENTS];
      if (profile[ring]![0] > 0) triangles.push(a, b, c);
      if (profile[ring + 1]![0] > 0) triangles.push(b, d, c);
    }
  return { points, triangles };
}

/** Rings of half a ball from its pole to its equator, or on to the other pole. */
function cap(radius: number, height: number, from: number, to: number): [number, number][] {
  const rings: [number, number][] = [];
  for (let i = from; i <= to; i++) {
    const angle = (Math.PI * i) / RINGS;
    const across = i === 0 || i === RINGS ? 0 : radius * deterministic.sin(angle);
    rings.push([across, height + radius * deterministic.cos(angle)]);
  }
  return rings;
}

/** A cube's faces, two triangles each; corner bits are x, y, z. */
const BOX = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];

function own(shape: ShapeOptions): { points: number[]; triangles: number[] } {
  switch (shape.type) {
    case 'sphere':
      return revolve(cap(shape.radius, 0, 0, RINGS));
    case 'capsule': {
      const { radius, halfHeight } = shape;
      return revolve([
        ...cap(radius, halfHeight, 0, RINGS / 2),
        ...cap(radius, -halfHeight, RINGS / 2, RINGS),
      ]);
    }
    case 'cylinder': {
      const { radius, halfHeight } = shape;
      return revolve([
        [0, halfHeight],
        [radius, halfHeight],
        [radius, -halfHeight],
        [0, -halfHeight],
      ]);
    }
    case 'box': {
      const half = shape.halfExtents as readonly number[];
      const points: number[] = [];
      for (let corner = 0; corner < 8; corner++)
        for (let k = 0; k < 3; k++) points.push((corner >> k) & 1 ? half[k]! : -half[k]!);
      const triangles: number[] = [];
      for (let i = 0; i < BOX.length; i += 4)
        triangles.push(BOX[i]!, BOX[i + 1]!, BOX[i + 2]!, BOX[i]!, BOX[i + 2]!, BOX[i + 3]!);
      return { points, triangles };
    }
    case 'hull':
    case 'mesh':
    case 'heightfield': {
      const { vertices, indices } = readTriangles(shape.geometry!);
      const scale = shape.type === 'hull' || shape.scale === undefined ? 1 : shape.scale;
      const s = (typeof scale === 'number' ? [scale, scale, scale] : scale) as readonly number[];
      const points = Array.from(vertices, (c, i) => c * s[i % 3]!);
      return { points, triangles: Array.from(indices) };
    }
    default:
      return { points: [], triangles: [] };
  }
}

/** Vertices and triangles of shapes, placed in the frame that they have in common. */
export function surfaceOf(shapes: readonly ShapeOptions[]): Surface {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const shape of shapes) {
    const { points, triangles } = own(shape);
    const place = ((shape as Placed).position ?? [0, 0, 0]) as Vec3;
    const turn = ((shape as Placed).rotation ?? [0, 0, 0, 1]) as number[];
    const first = positions.length / 3;
    for (let i = 0; i < points.length; i += 3) {
      const [x, y, z] = deterministic.rotate(turn, [points[i]!, points[i + 1]!, points[i + 2]!]);
      positions.push(x + place[0], y + place[1], z + place[2]);
    }
    for (const index of triangles) indices.push(first + index);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Half the size of what is round, along the axes of the frame that it is placed in; undefined for what has corners. */
function roundReach(shape: ShapeOptions, axis: Vec3): Vec3 | undefined {
  if (shape.type === 'sphere') return [shape.radius, shape.radius, shape.radius];
  if (shape.type === 'capsule') return axis.map((a) => shape.radius + Math.abs(a) * shape.halfHeight) as Vec3;
  if (shape.type === 'cylinder')
    return axis.map(
      (a) => shape.radius * Math.sqrt(Math.max(0, 1 - a * a)) + Math.abs(a) * shape.halfHeight,
    ) as Vec3;
  return undefined;
}

/** The box around shapes; a point at the origin where there are none. */
export function boundsOf(shapes: readonly ShapeOptions[]): { min: Vec3; max: Vec3 } {
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  const meet = (k: number, value: number) => {
    min[k] = Math.min(min[k]!, value);
    max[k] = Math.max(max[k]!, value);
  };
  for (const shape of shapes) {
    const place = ((shape as Placed).position ?? [0, 0, 0]) as Vec3;
    const turn = ((shape as Placed).rotation ?? [0, 0, 0, 1]) as number[];
    const reach = roundReach(shape, deterministic.rotate(turn, [0, 1, 0]));
    if (reach !== undefined)
      for (let k = 0; k < 3; k++) for (const side of [-1, 1]) meet(k, place[k]! + side * reach[k]!);
    else {
      const { positions } = surfaceOf([shape]);
      for (let i = 0; i < positions.length; i++) meet(i % 3, positions[i]!);
    }
  }
  return min[0] <= max[0] ? { min, max } : { min: [0, 0, 0], max: [0, 0, 0] };
}
