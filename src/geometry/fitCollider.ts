// The simple shape that fits a render mesh best. In: points, or a three.js geometry. Out: shape options for
// `createBody`, with their place. Candidates are the smallest box, sphere and capsule that this toolkit finds; what is
// tight is told by volume over that of the convex hull.
import { PhysicsError } from '../base/errors';
import { MAX_SIZE, MIN_SIZE } from '../base/limits';
import { ONE, quatFromTo } from '../base/math';
import { checkInteger, checkNumber, checkOneOf, checkOptions, vec3Of } from '../base/validate';
import { type BufferGeometryLike, drawnVertices, meshContentOf } from '../cooking/bufferGeometry';
import type { ShapeCommon, ShapeOptions, Vec3Like } from '../types';
import { type ConvexHull, convexHull } from './hull';
import { minimalSphere } from './minimalSphere';
import { obbMinimalRectangle, obbVolume } from './obb';
import { countPoints } from './points';
import { capsuleAlong, capsuleFromPoints, capsuleVolume } from './sweptVolume';
import { axesOf, length, subtract, type Vector } from './vector';
import type { Capsule } from './volumes';

/** Which collider to fit; 'auto' takes the smallest that fits. */
export type ColliderKind = 'auto' | 'box' | 'sphere' | 'capsule' | 'hull';

/** Options of `fitCollider`. */
export interface FitColliderOptions extends Omit<ShapeCommon, 'position' | 'rotation'> {
  /**
   * 'box', 'sphere', 'capsule': the smallest of that kind that holds every vertex, turned as it fits best. 'hull': the
   * convex hull, of at most `maxVertices`. 'auto': of box, sphere and capsule the one of least volume, if that is at most
   * `excess` times the volume of the hull; else the hull. Default 'auto'.
   */
  kind?: ColliderKind | undefined;
  /** Of the object that shows the geometry: one factor, or three; negative ones mirror. Default 1. */
  scale?: number | Vec3Like | undefined;
  /** For 'auto': how many times the hull's volume a simple shape may have, from 1. Default 1.25. */
  excess?: number | undefined;
  /** For 'auto': a box is taken, too, if its volume is so many times that of the least shape, from 1. Default 1.02. */
  boxFavour?: number | undefined;
  /** The most corners of a hull, 4 … 64. Default 32. */
  maxVertices?: number | undefined;
  /** m. Minimum half extent of a box, so that flat sheets have two sides; minimum radius of a capsule and a sphere. Default 0.005. */
  minHalfExtent?: number | undefined;
}

const KINDS: readonly ColliderKind[] = ['auto', 'box', 'sphere', 'capsule', 'hull'];
const OWN = ['kind', 'scale', 'excess', 'boxFavour', 'maxVertices', 'minHalfExtent'];
const COMMON: readonly (keyof ShapeCommon)[] = [
  'friction',
  'restitution',
  'rollingFriction',
  'spinningFriction',
  'density',
  'margin',
  'sensor',
  'sensesStatic',
  'userIndex',
];

/**
 * A shape about a render mesh, for `createBody` and `addShape` of a world in process or in a worker.
 *
 * @param geometry  x, y, z of each vertex, m; or a three.js BufferGeometry, or what looks like one: what it draws
 * @param options   a kind alone, or all that is to be known; friction and the like go to the shape
 * @throws PhysicsError 'invalid-argument': no positions, numbers that are not finite; for 'hull' no volume
 */
export function fitCollider(
  geometry: Vector | BufferGeometryLike,
  options: ColliderKind | FitColliderOptions = {},
): ShapeOptions {
  if (typeof options === 'string') return fitCollider(geometry, { kind: options });
  const given = checkOptions(options, 'options', [...OWN, ...COMMON]) as FitColliderOptions;
  const { kind = 'auto', scale, excess = 1.25, boxFavour = 1.02, maxVertices = 32, ...rest } = given;
  const { minHalfExtent = 0.005, ...common } = rest;
  checkOneOf(kind, 'kind', KINDS);
  checkNumber(excess, 'excess', { min: 1, max: 1e9 });
  checkNumber(boxFavour, 'boxFavour', { min: 1, max: 1e9 });
  checkNumber(minHalfExtent, 'minHalfExtent', { min: MIN_SIZE, max: MAX_SIZE });
  const points = pointsOf(geometry, scale);
  const hull = kind === 'hull' || kind === 'auto' ? hullOf(points, maxVertices, kind) : undefined;
  const fit: Fit = { points, least: minHalfExtent };
  if (kind === 'hull') return { ...shapeOfHull(hull!), ...common };
  if (kind === 'box') return { ...box(fit).shape, ...common };
  if (kind === 'sphere') return { ...ball(fit).shape, ...common };
  if (kind === 'capsule') return { ...capsule(fit).shape, ...common };
  const candidates = [box(fit), ball(fit), capsule(fit)];
  const least = Math.min(...candidates.map(({ volume }) => volume));
  const best = candidates.find(({ volume }, i) => volume <= least * (i === 0 ? boxFavour : 1))!;
  const shape = hull !== undefined && best.volume > excess * hull.volume ? shapeOfHull(hull) : best.shape;
  return { ...shape, ...common };
}

interface Fit {
  points: Float64Array;
  /** m, the least half extent */
  least: number;
}

interface Candidate {
  shape: ShapeOptions;
  /** m³ */
  volume: number;
}

function pointsOf(geometry: Vector | BufferGeometryLike, scale: number | Vec3Like | undefined): Float64Array {
  const own = geometry !== null && typeof geometry === 'object' && 'getAttribute' in geometry;
  const list = own ? drawnVertices(meshContentOf(geometry)) : (geometry as Vector);
  countPoints(list, own ? 'geometry.attributes.position' : 'geometry');
  const factors =
    scale === undefined
      ? ONE
      : typeof scale === 'number'
        ? vec3Of([scale, scale, scale], 'scale')
        : vec3Of(scale, 'scale');
  if (factors.includes(0))
    throw new PhysicsError('invalid-argument', 'must not be 0 along any axis', 'scale', scale);
  return Float64Array.from(list, (c, i) => c * factors[i % 3]!);
}

/** Undefined for points without volume, which get a box unless a hull was requested. */
function hullOf(points: Float64Array, maxVertices: number, kind: ColliderKind): ConvexHull | undefined {
  checkInteger(maxVertices, 'maxVertices', 4, 64);
  try {
    return convexHull(points, { maxVertices });
  } catch (error) {
    if (kind === 'hull' || !(error instanceof PhysicsError)) throw error;
    return undefined;
  }
}

const shapeOfHull = ({ vertices }: ConvexHull): ShapeOptions => ({
  type: 'hull',
  points: Float32Array.from(vertices as ArrayLike<number>),
});

function box({ points, least }: Fit): Candidate {
  const fit = obbMinimalRectangle(points);
  for (let k = 0; k < 3; k++) fit.halfExtents[k] = Math.max(fit.halfExtents[k], least);
  const { halfExtents, center: position, rotation } = fit;
  return { shape: { type: 'box', halfExtents, position, rotation }, volume: obbVolume(fit) };
}

function ball({ points, least }: Fit): Candidate {
  const { center: position, radius: size } = minimalSphere(points);
  const radius = Math.max(size, least);
  return {
    shape: { type: 'sphere', radius, position },
    volume: (4 / 3) * Math.PI * radius * radius * radius,
  };
}

/** The least along the axis of spread and along each side of the box, which is longer than wide or not. */
function capsule({ points, least }: Fit): Candidate {
  const axes = axesOf(obbMinimalRectangle(points).rotation, [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const candidates = [0, 3, 6].map((k) => capsuleAlong(points, [axes[k], axes[k + 1], axes[k + 2]]));
  let best: Capsule = capsuleFromPoints(points);
  for (const candidate of candidates) if (capsuleVolume(candidate) < capsuleVolume(best)) best = candidate;
  best.radius = Math.max(best.radius, least);
  const { a, b, radius } = best;
  const position = [0, 1, 2].map((k) => (a[k] + b[k]) / 2);
  const axis = subtract(b, a, [0, 0, 0]);
  const height = length(axis);
  const volume = capsuleVolume(best);
  // One of no length is a sphere: a capsule's axis must have some.
  if (!(height / 2 >= MIN_SIZE))
    return { shape: { type: 'sphere', radius: radius + height / 2, position }, volume };
  const rotation = quatFromTo([0, 1, 0], [axis[0] / height, axis[1] / height, axis[2] / height]);
  return { shape: { type: 'capsule', radius, halfHeight: height / 2, position, rotation }, volume };
}
