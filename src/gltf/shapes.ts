// Colliders. In: a shape of KHR_implicit_shapes or triangles, and how they stand in the body. Out: shapes of the engine.
// Scales are taken as sizes, never below zero; what a scale bends into no shape of the engine becomes a hull of points.
import type { ShapeCommon, ShapeOptions } from 'ricochet';
import { cookHull, cookMesh, decompose } from 'ricochet/cooking';
import { booleanAt, fault, type Json, numberAt, optionalAt, vectorAt } from './errors';
import type { Triangles } from './meshes';
import { type Affine, apply, mirrors, partsOf, rotate, type Vec3 } from './transforms';

export type BodyKind = 'static' | 'kinematic' | 'dynamic';

/** What triangles become on a dynamic body. */
export type DynamicMeshes = 'decompose' | 'hull' | 'error';

export interface Placing {
  kind: BodyKind;
  /** From the collider's node to the body. */
  place: Affine;
  common: ShapeCommon;
  path: string;
  warn: (text: string) => void;
}

/** Scales that differ by less than this share count as one. */
const EVEN = 1e-4;
const RINGS = 3;
/** m: half the thickness of a finite plane that moves. */
const SHEET = 0.005;
const SIZE = { min: 0, max: 1e7 };

const even = (a: number, b: number) => Math.abs(a - b) <= EVEN * Math.max(a, b);

/** Points on a circle, every 15°: the cosines, so that no sine is asked for. */
const COSINES = [1, 0.9659258262890683, 0.8660254037844387, Math.sqrt(0.5), 0.5, 0.2588190451025207];

function circle(radius: number): [number, number][] {
  return COSINES.flatMap((cosine, i) => {
    const [c, s] = [radius * cosine, radius * (i === 0 ? 0 : COSINES[6 - i]!)];
    return [
      [c, s],
      [-s, c],
      [-c, -s],
      [s, -c],
    ] as [number, number][];
  });
}

/** Rings about y of points of a solid of revolution: height and radius of each. */
function rings(profile: readonly (readonly [number, number])[]): number[] {
  return profile.flatMap(([y, r]) => (r === 0 ? [0, y, 0] : circle(r).flatMap(([x, z]) => [x, y, z])));
}

/** Heights and radii of half a ball above a height, or below it. */
function cap(y: number, r: number, side: number): [number, number][] {
  return [
    ...Array.from({ length: RINGS }, (_, i) => {
      const s = i / RINGS;
      return [y + (side * r * 2 * s) / (1 + s * s), (r * (1 - s * s)) / (1 + s * s)] as [number, number];
    }),
    [y + side * r, 0],
  ];
}

function movedBy(place: Affine, points: ArrayLike<number>): number[] {
  const moved: number[] = [];
  for (let i = 0; i < points.length; i += 3) moved.push(...apply(place, points, i));
  return moved;
}

const hullOf = (points: ArrayLike<number>, { place, common }: Placing): ShapeOptions => ({
  ...common,
  type: 'hull',
  geometry: cookHull(movedBy(place, points)),
});

/** Of one of the shapes of KHR_implicit_shapes; none for what a scale of 0 leaves nothing of. */
export function implicitShape(shape: Json, shapePath: string, placing: Placing): ShapeOptions[] {
  const { place, common, kind, warn, path } = placing;
  const { position, rotation, scale, shear } = partsOf(place);
  if (scale.some((c) => c === 0)) return [];
  const [sx, sy, sz] = scale;
  if (shear > 1e-3) warn(`${path}: scales above turned nodes shear it, which is left out`);
  const type = shape['type'];
  const own = typeof type === 'string' ? (optionalAt(shape, type, shapePath) ?? {}) : {};
  const at = `${shapePath}.${String(type)}`;
  const positive = (key: string, fallback: number) => {
    const value = numberAt(own, key, at, fallback, SIZE);
    if (value === 0) throw fault(`${at}.${key}`, 'must be > 0', 0);
    return value;
  };
  const placed = { ...common, position, rotation };
  switch (type) {
    case 'box': {
      const size = vectorAt(own, 'size', at, [1, 1, 1]);
      size.forEach((c, k) => {
        if (!(c > 0)) throw fault(`${at}.size[${k}]`, 'must be > 0', c);
      });
      return [{ ...placed, type: 'box', halfExtents: size.map((c, k) => (c * scale[k]!) / 2) as Vec3 }];
    }
    case 'sphere': {
      const radius = positive('radius', 0.5);
      if (even(sx, sy) && even(sy, sz)) return [{ ...placed, type: 'sphere', radius: radius * sx }];
      return [hullOf(rings([...cap(0, radius, -1), ...cap(0, radius, 1)]), placing)];
    }
    case 'capsule':
    case 'cylinder': {
      const height = positive('height', 0.5);
      const top = numberAt(own, 'radiusTop', at, 0.25, SIZE);
      const bottom = numberAt(own, 'radiusBottom', at, 0.25, SIZE);
      if (top === 0 && bottom === 0) throw fault(at, 'must have a radius above 0');
      const half = height / 2;
      if (type === 'cylinder') {
        if (!even(sx, sz) || (top !== bottom && top !== 0))
          return [
            hullOf(
              rings([
                [-half, bottom],
                [half, top],
              ]),
              placing,
            ),
          ];
        const sizes = { radius: bottom * sx, halfHeight: half * sy };
        return [
          top === 0 ? { ...placed, type: 'cone', ...sizes } : { ...placed, type: 'cylinder', ...sizes },
        ];
      }
      if (!even(sx, sy) || !even(sy, sz))
        return [hullOf(rings([...cap(-half, bottom, -1), ...cap(half, top, 1)]), placing)];
      if (top === bottom) return [{ ...placed, type: 'capsule', radius: top * sx, halfHeight: half * sx }];
      const ends = [
        { position: [0, -half * sx, 0] as Vec3, radius: Math.max(bottom * sx, 1e-4 * half * sx) },
        { position: [0, half * sx, 0] as Vec3, radius: Math.max(top * sx, 1e-4 * half * sx) },
      ];
      return [{ ...placed, type: 'multiSphere', spheres: ends }];
    }
    case 'plane': {
      const [x, z] = ['sizeX', 'sizeZ'].map((key) =>
        own[key] === undefined ? undefined : positive(key, 1) / 2,
      );
      const twoSided = booleanAt(own, 'doubleSided', at, false);
      if (x === undefined || z === undefined) {
        if (kind !== 'static')
          throw fault(shapePath, 'must have sizes on a body that moves: an endless plane stands still', type);
        if (x !== undefined || z !== undefined) warn(`${at}: one size only: endless`);
        if (twoSided) warn(`${at}.doubleSided: an endless plane is solid below`);
        return [{ ...placed, type: 'plane' }];
      }
      if (kind === 'dynamic')
        return [
          {
            ...placed,
            type: 'box',
            halfExtents: [x * sx, SHEET, z * sz],
            position: position.map((c, k) => c - SHEET * rotate(rotation, [0, 1, 0])[k]!) as Vec3,
          },
        ];
      const vertices = [-x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z];
      return [meshShape({ vertices, indices: [0, 1, 2, 0, 2, 3] }, placing, 'error', !twoSided)];
    }
    default:
      throw fault(`${shapePath}.type`, "must be 'box', 'sphere', 'capsule', 'cylinder' or 'plane'", type);
  }
}

function meshShape(
  { vertices, indices }: Triangles,
  { place, common }: Placing,
  dynamic: DynamicMeshes,
  oneSided = false,
): ShapeOptions {
  // A mirror turns fronts into backs: which side is outside, and which collides, stays as it was.
  const facing = mirrors(place)
    ? indices.map((_, i) => indices[i - (i % 3) + ((3 - (i % 3)) % 3)]!)
    : indices;
  const geometry = cookMesh({ vertices: movedBy(place, vertices), indices: facing, oneSided });
  return { ...common, type: 'mesh', geometry, dynamic };
}

/** Of the triangles of a node. */
export function triangleShapes(
  triangles: Triangles,
  convexHull: boolean,
  placing: Placing,
  dynamic: DynamicMeshes,
): ShapeOptions[] {
  const { path, warn, kind, common, place } = placing;
  if (partsOf(place).scale.every((c) => c === 0)) return [];
  if (triangles.indices.length === 0) {
    warn(`${path}: no triangles: no shape`);
    return [];
  }
  if (convexHull) {
    const used = new Set(triangles.indices);
    const points = [...used].flatMap((v) => triangles.vertices.slice(3 * v, 3 * v + 3));
    try {
      return [hullOf(points, placing)];
    } catch {
      // Flat: a plate.
      const { vertices, indices } = triangles;
      return decompose({ vertices: movedBy(place, vertices), indices, maxHulls: 1 }).hulls.map(
        (geometry) => ({ ...common, type: 'hull', geometry }),
      );
    }
  }
  if (kind === 'dynamic' && dynamic === 'error')
    throw fault(path, 'must not be triangles on a dynamic body: see dynamicMeshes', 'triangles');
  return [meshShape(triangles, placing, dynamic)];
}
