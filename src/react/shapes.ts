// Shapes of colliders. In: a name and arguments in Rapier's form, a geometry of three.js; a scale. Out: shapes of
// ricochet in the collider's own frame.
import type { CookedGeometry, ShapeOptions } from 'ricochet';
import {
  decompose,
  massPropertiesOf,
  mesh,
  meshContentOf,
  PhysicsError,
  scaled,
  verticesOf,
} from 'ricochet/cooking';
import { heightfieldFromColumns, shapeFromGeometry } from 'ricochet/three';
import { type BufferGeometry, Vector3 } from 'three';
import type { ColliderShape, RigidBodyAutoCollider, Vector3Object } from './types';

/** Corners of each end of a round cylinder, which is a hull with at most 64 corners. */
const ROUND_CORNERS = 24;

const KINDS = { ball: 'sphere', hull: 'hull', trimesh: 'mesh' } as const;

/** m. Half thickness of the box for a flat geometry. */
const HALF_SHEET = 1e-3;

/** Meshes and heightfields, which dynamic bodies cannot have. */
export const isSurface = (shape: ShapeOptions) => shape.type === 'mesh' || shape.type === 'heightfield';

/** What triangles become: themselves, where nothing pushes the body; their hull; their parts. */
export type Solidity = 'surface' | 'hull' | 'decompose';

/** By the geometry, or the list of vertices, that they are of: bodies that are made again have the same parts. */
const partsOf = new WeakMap<object, CookedGeometry[]>();

function parts(of: object, content: () => Parameters<typeof decompose>[0], scale: Vector3): ShapeOptions[] {
  let hulls = partsOf.get(of);
  if (hulls === undefined) {
    hulls = [...decompose(content()).hulls];
    partsOf.set(of, hulls);
  }
  return scaled(
    hulls.map((geometry) => ({ type: 'hull' as const, geometry })),
    scale.toArray(),
  );
}

const trianglesOf = (geometry: BufferGeometry) => {
  const { vertices, indices } = meshContentOf(geometry);
  return { vertices, indices };
};

/**
 * The shapes that a mesh gets by itself: one, or the parts of its triangles.
 */
export function autoShape(
  geometry: BufferGeometry,
  kind: Exclude<RigidBodyAutoCollider, false>,
  scale: Vector3,
  solidity: Solidity,
): ShapeOptions | ShapeOptions[] {
  if (kind === 'cuboid') return boundsOf(geometry, scale);
  const solid = solidity !== 'surface';
  if (kind === 'trimesh' && solidity === 'decompose')
    return parts(geometry, () => trianglesOf(geometry), scale);
  const options = { scale: [scale.x, scale.y, scale.z] };
  const wanted = kind === 'trimesh' && solid ? 'hull' : KINDS[kind];
  if (wanted !== 'hull') return shapeFromGeometry(geometry, { ...options, kind: wanted });
  try {
    return shapeFromGeometry(geometry, { ...options, kind: 'hull' });
  } catch (error) {
    if (!(error instanceof PhysicsError) || !isFlat(geometry, scale)) throw error;
    return solid ? boundsOf(geometry, scale) : shapeFromGeometry(geometry, { ...options, kind: 'mesh' });
  }
}

/** The bounding box; flat geometry gets some thickness. */
function boundsOf(geometry: BufferGeometry, scale: Vector3): ShapeOptions & { halfExtents: number[] } {
  geometry.computeBoundingBox();
  const size = geometry.boundingBox!.getSize(new Vector3()).multiply(scale);
  const middle = geometry.boundingBox!.getCenter(new Vector3()).multiply(scale);
  const halfExtents = size.toArray().map((side) => Math.max(Math.abs(side) / 2, HALF_SHEET));
  return { type: 'box', halfExtents, position: middle.toArray() };
}

function isFlat(geometry: BufferGeometry, scale: Vector3): boolean {
  return boundsOf(geometry, scale).halfExtents.includes(HALF_SHEET);
}

/** The shapes of a collider component: one, or the parts of its triangles. */
export function namedShape(
  name: ColliderShape,
  args: readonly unknown[],
  scale: Vector3,
  solidity: Solidity,
): ShapeOptions | ShapeOptions[] {
  const s = new Vector3(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z));
  const [a, b, c, d] = args as readonly number[];
  const across = Math.max(s.x, s.z);
  switch (name) {
    case 'ball':
      return { type: 'sphere', radius: a! * Math.max(s.x, s.y, s.z) };
    case 'cuboid':
      return { type: 'box', halfExtents: [a! * s.x, b! * s.y, c! * s.z] };
    case 'roundCuboid':
      return { type: 'hull', points: cornersOf(a! * s.x, b! * s.y, c! * s.z), margin: d! * s.x };
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { type: name, halfHeight: a! * s.y, radius: b! * across };
    case 'roundCylinder':
      return { type: 'hull', points: rimsOf(a! * s.y, b! * across), margin: c! * across };
    case 'roundCone':
      return { type: 'cone', halfHeight: a! * s.y, radius: b! * across, margin: c! * across };
    case 'convexHull':
    case 'convexMesh':
      return { type: 'hull', points: scaledPoints(pointsOf(args[0], 'args[0]'), scale) };
    case 'trimesh':
      return trimesh(args, scale, solidity);
    case 'heightfield':
      return field(args, s);
    default:
      throw new PhysicsError('invalid-argument', 'must be the name of a shape', 'shape', name);
  }
}

function pointsOf(given: unknown, argument: string): ArrayLike<number> {
  if (typeof (given as ArrayLike<number> | undefined)?.length !== 'number')
    throw new PhysicsError('invalid-argument', 'must be a list of numbers', argument, given);
  return given as ArrayLike<number>;
}

const scaledPoints = (points: ArrayLike<number>, { x, y, z }: Vector3) =>
  Float32Array.from(points, (value, i) => value * [x, y, z][i % 3]!);

function trimesh(
  args: readonly unknown[],
  scale: Vector3,
  solidity: Solidity,
): ShapeOptions | ShapeOptions[] {
  const given = pointsOf(args[0], 'args[0]');
  const indices = pointsOf(args[1], 'args[1]');
  if (solidity === 'decompose') return parts(given, () => ({ vertices: given, indices }), scale);
  const vertices = scaledPoints(given, scale);
  if (solidity === 'surface') return mesh({ vertices, indices });
  return { type: 'hull', points: vertices };
}

function field([rows, columns, heights, size]: readonly unknown[], s: Vector3): ShapeOptions {
  const { x, y, z } = size as Vector3Object;
  const scale = { x: x * s.x, y: y * s.y, z: z * s.z };
  return heightfieldFromColumns(rows as number, columns as number, pointsOf(heights, 'args[2]'), scale);
}

function cornersOf(x: number, y: number, z: number): number[] {
  const points: number[] = [];
  for (let i = 0; i < 8; i++) points.push(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
  return points;
}

/** Cosine and sine of 15°. */
const TURN = [0.9659258262890683, 0.25881904510252074] as const;

function rimsOf(halfHeight: number, radius: number): number[] {
  const points: number[] = [];
  let [x, z] = [radius, 0];
  for (let i = 0; i < ROUND_CORNERS; i++) {
    points.push(x, -halfHeight, z, x, halfHeight, z);
    [x, z] = [TURN[0] * x - TURN[1] * z, TURN[1] * x + TURN[0] * z];
  }
  return points;
}

/** kg/m³ at which shapes have the given mass together; undefined for open surfaces. */
export function densityFor(shapes: readonly ShapeOptions[], mass: number): number | undefined {
  if (shapes.some((shape) => isSurface(shape) || shape.type === 'plane')) return undefined;
  const volume = shapes.reduce((sum, shape) => sum + massPropertiesOf(shape).volume, 0);
  return volume > 0 ? mass / volume : undefined;
}

export const hasPositions = (geometry: BufferGeometry | undefined): geometry is BufferGeometry => {
  if (geometry?.getAttribute?.('position') === undefined) return false;
  return verticesOf(geometry).length > 0;
};
