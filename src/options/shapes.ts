// Options of shapes → shapes of the core. In: ShapeOptions. Out: ShapeRecord, all lengths rounded to f32, so that
// computations here and in the core start from the same numbers. A capsule's axis and a plane's normal become part of
// the local rotation.

import type { BodyId, ShapeId } from '../base/ids';
import { MAX_COEFFICIENT, MAX_DENSITY, MAX_SIZE, MIN_SIZE } from '../base/limits';
import { type Quat, quatFromTo, quatMultiply, rotate, shareQuat, shareVec3, type Vec3 } from '../base/math';
import {
  COORDINATE,
  checkBoolean,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  optionsIn,
  quatOf,
  type Range,
  readList,
  SIGNED,
  vec3Of,
} from '../base/validate';
import { Geometry, geometryOf } from '../cooking/geometries';
import { cookHull } from '../cooking/hull';
import { centeredSpheres, centeredTriangle, checkPointCount } from '../cooking/points';
import { pointWords } from '../cooking/pointWords';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_MULTISPHERE,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../core/memory/constants';
import type { Axis, ShapeCommon, ShapeOptions } from '../types';
import { mergeTraits, type ShapeTraits, TRAIT_OPTIONS } from './traits';

/** Name of a type of shape. */
export type ShapeType = ShapeOptions['type'];

/** Names by code. */
export const SHAPE_TYPES: { readonly [code: number]: ShapeType } = {
  [SHAPE_SPHERE]: 'sphere',
  [SHAPE_CAPSULE]: 'capsule',
  [SHAPE_BOX]: 'box',
  [SHAPE_HULL]: 'hull',
  [SHAPE_CYLINDER]: 'cylinder',
  [SHAPE_CONE]: 'cone',
  [SHAPE_TRIANGLE]: 'triangle',
  [SHAPE_MULTISPHERE]: 'multiSphere',
  [SHAPE_PLANE]: 'plane',
  [SHAPE_MESH]: 'mesh',
  [SHAPE_HEIGHTFIELD]: 'heightfield',
};

/** How many params of each type are sizes, or a scale: never 0. */
export const SHAPE_SIZES: { readonly [code: number]: number } = {
  [SHAPE_SPHERE]: 1,
  [SHAPE_CAPSULE]: 2,
  [SHAPE_BOX]: 3,
  [SHAPE_HULL]: 0,
  [SHAPE_CYLINDER]: 2,
  [SHAPE_CONE]: 2,
  [SHAPE_TRIANGLE]: 0,
  [SHAPE_MULTISPHERE]: 0,
  [SHAPE_PLANE]: 0,
  [SHAPE_MESH]: 3,
  [SHAPE_HEIGHTFIELD]: 3,
};

/** kg/m³, water. */
export const DEFAULT_DENSITY = 1000;
/** Bullet's btCollisionObject. */
const DEFAULT_FRICTION = 0.5;

/** Surface of a shape; every part is combined with the other shape's by the world's rule. */
export interface Material {
  /** Coulomb's coefficient, ≥ 0. Default 0.5 (Bullet). */
  friction: number;
  /** Coefficient of restitution, 0 to 1. Default 0. */
  restitution: number;
  /** Rolling friction: lever arm in m, ≥ 0; see `rollingFrictionCombine`. Default 0. */
  rollingFriction: number;
  /** Spinning friction about the normal: lever arm in m, ≥ 0. Default 0. */
  spinningFriction: number;
}

/** What every side of a world knows of a shape. */
export interface ShapeRecord {
  id: ShapeId;
  body: BodyId;
  /** SHAPE_* of the core. */
  type: number;
  /** Sphere: radius. Capsule, cylinder, cone (along local y): radius, half height. Box: half extents. Mesh, heightfield: scale. */
  params: [number, number, number, number];
  /** Of a hull, multi-sphere, triangle, whose local origin is their centre of mass; of a mesh, heightfield. */
  geometry?: Geometry | undefined;
  /** Slot of the geometry; 0 none, or not yet added. */
  geometrySlot: number;
  localPosition: Vec3;
  localRotation: Quat;
  /** Replaced as a whole, never changed. */
  material: Readonly<Material>;
  density: number;
  /** m beyond the surface; NaN: the world's default for this type. */
  margin: number;
  sensor: boolean;
  sensesStatic: boolean;
  bareToBalls: boolean;
  userIndex: number;
  /** Absent where a shape has none of them. */
  traits?: ShapeTraits | undefined;
  /** Of a mesh that may come on a dynamic body: makes the hulls that it is there. */
  toHulls?: (() => ShapeRecord[]) | undefined;
}

/** m. Bullet's CONVEX_DISTANCE_MARGIN. */
export const BULLET_MARGIN = 0.04;

/** Types around which Bullet has its margin; in the others it is a part of the size. */
export function hasMargin(type: number): boolean {
  return type === SHAPE_HULL || type === SHAPE_CONE || type === SHAPE_TRIANGLE;
}

/** What places a shape on its body and says what it is made of. */
export const PLACING_OPTIONS = [
  'friction',
  'restitution',
  'rollingFriction',
  'spinningFriction',
  'position',
  'rotation',
  'density',
  'margin',
  'sensor',
  'sensesStatic',
  'bareToBalls',
  'userIndex',
  ...TRAIT_OPTIONS,
];
const COMMON = ['type', ...PLACING_OPTIONS];
/** What each type has besides. */
const OWN_OPTIONS: Record<ShapeType, readonly string[]> = {
  sphere: ['radius'],
  box: ['halfExtents'],
  capsule: ['radius', 'halfHeight', 'axis'],
  cylinder: ['radius', 'halfHeight', 'axis'],
  cone: ['radius', 'halfHeight', 'axis'],
  hull: ['points', 'geometry'],
  tetrahedron: ['points'],
  triangle: ['points'],
  multiSphere: ['spheres'],
  mesh: ['geometry', 'scale', 'dynamic'],
  heightfield: ['geometry', 'scale'],
  plane: ['normal', 'offset'],
};
/** Both together, made when they are needed first. */
const KNOWN: Partial<Record<ShapeType, readonly string[]>> = {};
const TYPES = /* @__PURE__ */ Object.keys(OWN_OPTIONS) as ShapeType[];
const SIZE = { min: MIN_SIZE, max: MAX_SIZE };
const DENSITY = { min: 1e-9, max: MAX_DENSITY };
const MARGIN = NON_NEGATIVE(MAX_SIZE);
const MIN_SCALE = 1e-4;

const SQRT_HALF = Math.sqrt(0.5);
const UPRIGHT = { capsule: SHAPE_CAPSULE, cylinder: SHAPE_CYLINDER, cone: SHAPE_CONE };
/** Rotation that takes y to the axis of a capsule, cylinder or cone. */
const FROM_Y: Record<Axis, Quat> = {
  x: [0, 0, -SQRT_HALF, SQRT_HALF],
  y: [0, 0, 0, 1],
  z: [SQRT_HALF, 0, 0, SQRT_HALF],
};

const MATERIAL_NAMES = ['friction', 'restitution', 'rollingFriction', 'spinningFriction'] as const;

/** `base` with the parts of a material that `given` has; the range of each is checked. */
function mergeMaterial(base: Material, given: Record<string, unknown>, argument: string): Material {
  let merged = base;
  for (const name of MATERIAL_NAMES) {
    if (given[name] === undefined) continue;
    if (merged === base) merged = { ...base };
    const max = name === 'restitution' ? 1 : MAX_COEFFICIENT;
    const path = argument === '' ? name : `${argument}.${name}`;
    merged[name] = Math.fround(checkNumber(given[name], path, NON_NEGATIVE(max)));
  }
  return merged;
}

/** As mergeMaterial, and refuses keys that are no part of a material. */
export function checkMaterial(base: Material, given: unknown, argument: string): Material {
  return mergeMaterial(base, checkOptions(given, argument, MATERIAL_NAMES), '');
}

export const DEFAULT_MATERIAL: Readonly<Material> = Object.freeze({
  friction: DEFAULT_FRICTION,
  restitution: 0,
  rollingFriction: 0,
  spinningFriction: 0,
});

/** To f32. */
const checkRounded = (value: unknown, argument: string, range: Range) =>
  Math.fround(checkNumber(value, argument, range));

function roundAll<T extends number[]>(values: T): T {
  for (let i = 0; i < values.length; i++) values[i] = Math.fround(values[i]!);
  return values;
}

/**
 * Checks the options of one shape and resolves them. Ids are 0 until the shape is added.
 *
 * @param argument  how the caller knows this shape: `shape` or `shape[2]`
 */
export function resolveShape(options: unknown, argument: string): ShapeRecord {
  const type = checkOneOf((options as ShapeOptions | undefined)?.type, `${argument}.type`, TYPES);
  const given = checkOptions(
    options,
    argument,
    (KNOWN[type] ??= [...COMMON, ...OWN_OPTIONS[type]]),
  ) as unknown as ShapeOptions;
  given.type = type; // a getter may have said another one since
  const path = (name: string) => `${argument}.${name}`;
  const option = optionsIn(given as ShapeCommon, path);

  const record: ShapeRecord = {
    id: 0,
    body: 0,
    type: SHAPE_SPHERE,
    params: [0, 0, 0, 0],
    geometrySlot: 0,
    localPosition: option('position', [0, 0, 0], vec3Of),
    localRotation: option('rotation', [0, 0, 0, 1], quatOf),
    material: mergeMaterial(DEFAULT_MATERIAL, given as unknown as Record<string, unknown>, argument),
    density: option('density', DEFAULT_DENSITY, (value, name) => checkRounded(value, name, DENSITY)),
    margin: option('margin', Number.NaN, (value, name) => checkRounded(value, name, MARGIN)),
    sensor: option('sensor', given.area !== undefined && given.area !== null, checkBoolean),
    sensesStatic: option('sensesStatic', false, checkBoolean),
    bareToBalls: option('bareToBalls', false, checkBoolean),
    userIndex: option('userIndex', 0, checkWord),
  };

  resolveSizes(record, given, path);
  if (record.type <= SHAPE_PLANE && !hasMargin(record.type)) record.margin = 0;
  roundAll(record.params);
  record.localPosition = shareVec3(roundAll(record.localPosition));
  record.localRotation = shareQuat(roundAll(record.localRotation));
  const traits = mergeTraits(undefined, given as unknown as Record<string, unknown>, argument, record);
  if (traits !== undefined) record.traits = traits;
  return record;
}

/** What a type has of its own: sizes, geometry, and what these make of the shape's place. */
function resolveSizes(record: ShapeRecord, given: ShapeOptions, path: (name: string) => string): void {
  switch (given.type) {
    case 'sphere':
      record.params[0] = checkNumber(given.radius, path('radius'), SIZE);
      break;
    case 'box': {
      record.type = SHAPE_BOX;
      const half = vec3Of(given.halfExtents, path('halfExtents'), SIZE);
      record.params = [half[0], half[1], half[2], 0];
      break;
    }
    case 'tetrahedron':
    case 'hull': {
      record.type = SHAPE_HULL;
      if (given.type === 'tetrahedron') checkPointCount(given.points, path('points'), 4);
      const cooked = given.type === 'hull' ? given.geometry : undefined;
      if (cooked === undefined) record.geometry = geometryOf(cookHull(given.points, {}, path('points')));
      else if (!(cooked instanceof Geometry) || cooked.kind !== SHAPE_HULL)
        throw invalid(path('geometry'), 'must come from cookHull of this copy of ricochet', cooked);
      else if (given.points !== undefined)
        throw invalid(path('points'), 'must be absent if geometry is given', given.points);
      else record.geometry = cooked;
      shiftBy(record, record.geometry.center);
      break;
    }
    case 'triangle':
    case 'multiSphere': {
      const round = given.type === 'multiSphere';
      record.type = round ? SHAPE_MULTISPHERE : SHAPE_TRIANGLE;
      const { points, center } = round
        ? centeredSpheres(given.spheres, path('spheres'))
        : centeredTriangle(given.points, path('points'));
      record.geometry = new Geometry(record.type, pointWords(points));
      shiftBy(record, center);
      break;
    }
    case 'mesh':
    case 'heightfield': {
      record.type = given.type === 'mesh' ? SHAPE_MESH : SHAPE_HEIGHTFIELD;
      if (!(given.geometry instanceof Geometry) || given.geometry.kind !== record.type)
        throw invalid(
          path('geometry'),
          given.type === 'mesh'
            ? 'must come from cookMesh of this copy of ricochet'
            : 'must come from cookHeightfield of this copy of ricochet',
          given.geometry,
        );
      record.geometry = given.geometry;
      const scale = scaleOf(given.scale, path('scale'));
      record.params = [scale[0], scale[1], scale[2], 0];
      if (given.type === 'mesh' && given.dynamic !== undefined)
        record.toHulls = given.geometry.toHulls?.(record, given.dynamic, path('dynamic'));
      break;
    }
    case 'capsule':
    case 'cylinder':
    case 'cone': {
      record.type = UPRIGHT[given.type];
      record.params[0] = checkNumber(given.radius, path('radius'), SIZE);
      record.params[1] = checkNumber(given.halfHeight, path('halfHeight'), SIZE);
      const axis = given.axis === undefined ? 'y' : checkOneOf(given.axis, path('axis'), ['x', 'y', 'z']);
      if (axis !== 'y') record.localRotation = quatMultiply(record.localRotation, FROM_Y[axis]);
      break;
    }
    case 'plane': {
      record.type = SHAPE_PLANE;
      const normal = given.normal === undefined ? [0, 1, 0] : vec3Of(given.normal, path('normal'));
      const length = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!);
      if (!(length > 1e-6)) throw invalid(path('normal'), 'must not have length 0', given.normal);
      const unit: Vec3 = [normal[0]! / length, normal[1]! / length, normal[2]! / length];
      const offset = given.offset === undefined ? 0 : checkNumber(given.offset, path('offset'), COORDINATE);
      const shift = rotate(record.localRotation, unit);
      for (let i = 0; i < 3; i++) record.localPosition[i]! += shift[i]! * offset;
      record.localRotation = quatMultiply(record.localRotation, quatFromTo([0, 1, 0], unit));
      break;
    }
  }
}

/** Moves a shape, whose content has its origin elsewhere now. */
function shiftBy(record: ShapeRecord, center: Readonly<Vec3>): void {
  const shift = rotate(record.localRotation, center);
  for (let i = 0; i < 3; i++) record.localPosition[i]! += shift[i]!;
}

/** One number for all axes, or one for each; not 0, negative mirrors. Default 1. */
export function scaleOf(scale: unknown, argument: string): Vec3 {
  if (scale === undefined) return [1, 1, 1];
  const all = typeof scale === 'number' ? [scale, scale, scale] : scale;
  const out = vec3Of(all as Vec3, argument, SIGNED(MAX_COEFFICIENT));
  for (let i = 0; i < 3; i++)
    if (!(Math.abs(out[i]!) >= MIN_SCALE))
      throw invalid(
        typeof scale === 'number' ? argument : `${argument}.${'xyz'[i]}`,
        out[i] === 0 ? 'must not be 0' : `must be at least ${MIN_SCALE} in size`,
        out[i],
      );
  return out;
}

/** One shape or several, checked. */
export function resolveShapes(shape: unknown): ShapeRecord[] {
  if (shape === undefined) return [];
  if (!Array.isArray(shape)) return [resolveShape(shape, 'shape')];
  return readList(shape, 'shape', 'must be a shape or a list of shapes').map((options, index) =>
    resolveShape(options, `shape[${index}]`),
  );
}
