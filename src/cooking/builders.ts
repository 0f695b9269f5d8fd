// Functions that make shapes that need more than a plain object. In: sizes, points, meshes, other shapes. Out:
// ShapeOptions for createBody and addShape, or a list of them; independent of any world.

import { type Quat, quatMultiply, rotate, type Vec3 } from '../base/math';
import { checkOptions, invalid, quatOf, readList, vec3Of } from '../base/validate';
import { SHAPE_HULL, SHAPE_MESH } from '../core/memory/constants';
import type { MassProperties } from '../options/massProperties';
import { massProperties, type SolidShape } from '../options/massProperties';
import { PLACING_OPTIONS, resolveShapes, type ShapeRecord, scaleOf } from '../options/shapes';
import type { QuatLike, ShapeCommon, ShapeOptions, SphereOptions, Vec3Like } from '../types';
import { cookHeightfield, cookMesh, readTriangles } from './content';
import { Geometry } from './geometries';
import type { HeightfieldOptions } from './heightfield';
import { readPoints } from './hull';
import type { MeshOptions } from './mesh';
import { meshMoments } from './meshMoments';

export type ShapeOf<T extends ShapeOptions['type']> = Extract<ShapeOptions, { type: T }>;

type Placed<T> = T & ShapeCommon & { scale?: number | Vec3Like };
type Shared = { geometry: Geometry };

const PLACING = [...PLACING_OPTIONS, 'scale'];

/** Splits options into those of the content and those of the shape. */
function split(options: unknown): { content: Record<string, unknown>; shape: Record<string, unknown> } {
  const content: Record<string, unknown> = {};
  const shape: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(checkOptions(options, 'options', Object.keys(options ?? {}))))
    (PLACING.includes(key) ? shape : content)[key] = value;
  return { content, shape };
}

/**
 * Triangles for static and kinematic bodies, cooked here (see cookMesh) or given as `geometry`. Instances of one mesh
 * share it, each with its own `scale`.
 *
 * @throws PhysicsError as cookMesh
 */
export function mesh(options: Placed<MeshOptions> | Placed<Shared>): ShapeOf<'mesh'> {
  const { content, shape } = split(options);
  const geometry =
    'geometry' in content ? options : { geometry: cookMesh(content as unknown as MeshOptions) };
  return { ...shape, type: 'mesh', geometry: (geometry as Shared).geometry };
}

/**
 * A grid of heights for static and kinematic bodies, cooked here (see cookHeightfield) or given as `geometry`.
 *
 * @throws PhysicsError as cookHeightfield
 */
export function heightfield(options: Placed<HeightfieldOptions> | Placed<Shared>): ShapeOf<'heightfield'> {
  const { content, shape } = split(options);
  const geometry =
    'geometry' in content ? options : { geometry: cookHeightfield(content as unknown as HeightfieldOptions) };
  return { ...shape, type: 'heightfield', geometry: (geometry as Shared).geometry };
}

/** The convex hull of up to 32 balls. */
export function multiSphere(
  spheres: readonly SphereOptions[],
  common: ShapeCommon = {},
): ShapeOf<'multiSphere'> {
  return { ...common, type: 'multiSphere', spheres };
}

/** Three points without thickness; both sides collide. */
export function triangle(
  a: Vec3Like,
  b: Vec3Like,
  c: Vec3Like,
  common: ShapeCommon = {},
): ShapeOf<'triangle'> {
  return { ...common, type: 'triangle', points: [a, b, c] };
}

/** The hull of four points. */
export function tetrahedron(
  a: Vec3Like,
  b: Vec3Like,
  c: Vec3Like,
  d: Vec3Like,
  common: ShapeCommon = {},
): ShapeOf<'tetrahedron'> {
  return { ...common, type: 'tetrahedron', points: [a, b, c, d] };
}

/** A part of a compound, with its pose in the compound. */
export interface CompoundChild {
  /** One shape, or several that stay together: the result of another `compound`. */
  shape: ShapeOptions | readonly ShapeOptions[];
  /** m, in the frame of the compound. Default origin. */
  position?: Vec3Like;
  /** In the frame of the compound. Default none. */
  rotation?: QuatLike;
}

const CHILD = ['shape', 'position', 'rotation'];

/**
 * Several shapes as one: a list for `createBody({ shape })`. Each remains a shape of the body with its own material and
 * events, and has its own leaf in the world's tree. To add and remove shapes later use `body.addShape` and
 * `body.removeShape`; `body.updateMassProps` then recomputes the mass.
 *
 * @throws PhysicsError 'invalid-argument' for no children, or an invalid pose
 */
export function compound(children: readonly (CompoundChild | ShapeOptions)[]): ShapeOptions[] {
  const list = readList(children, 'children', 'must be an array') as (CompoundChild | ShapeOptions)[];
  if (list.length === 0) throw invalid('children.length', 'must be > 0', 0);
  return list.flatMap((child, i) => {
    if (typeof child !== 'object' || child === null)
      throw invalid(`children[${i}]`, 'must be a shape or { shape, position, rotation }', child);
    if ('type' in child) return [child];
    const { shape, position, rotation } = checkOptions(
      child,
      `children[${i}]`,
      CHILD,
    ) as unknown as CompoundChild;
    const place = position === undefined ? ([0, 0, 0] as Vec3) : vec3Of(position, `children[${i}].position`);
    const turn =
      rotation === undefined ? ([0, 0, 0, 1] as Quat) : quatOf(rotation, `children[${i}].rotation`);
    const parts = listOf(shape, `children[${i}].shape`);
    return parts.map((part) => ({ ...part, ...placedBy(part, place, turn) }));
  });
}

function listOf(shape: unknown, argument: string): readonly ShapeOptions[] {
  const rule = 'must be a shape or a list of shapes';
  const list = (Array.isArray(shape) ? readList(shape, argument, rule) : [shape]) as readonly ShapeOptions[];
  if (list.length === 0) throw invalid(`${argument}.length`, 'must be > 0', 0);
  for (const part of list)
    if (typeof part !== 'object' || part === null || !('type' in part)) throw invalid(argument, rule, part);
  return list;
}

const placeOf = (shape: ShapeOptions): Vec3 =>
  shape.position === undefined ? [0, 0, 0] : vec3Of(shape.position, 'shape.position');
const turnOf = (shape: ShapeOptions): Quat =>
  shape.rotation === undefined ? [0, 0, 0, 1] : quatOf(shape.rotation, 'shape.rotation');

function placedBy(shape: ShapeOptions, place: Vec3, turn: Quat): { position: Vec3; rotation: Quat } {
  const [x, y, z] = rotate(turn, placeOf(shape));
  return {
    position: [x + place[0], y + place[1], z + place[2]],
    rotation: quatMultiply(turn, turnOf(shape)),
  };
}

/**
 * A copy of a shape (or of all shapes of a compound) at another size: `scale` is one number or one for each axis
 * of the body, not 0. Exact: rotated boxes, hulls and tetrahedra become hulls. Round
 * shapes must stay round: spheres take only one factor, cylinders and cones may also be stretched along their axis.
 *
 * @throws PhysicsError 'invalid-argument' if the scaled shape is none of the known types
 */
export function scaled<T extends ShapeOptions>(shape: T, scale: number | Vec3Like): ShapeOptions;
export function scaled(shape: readonly ShapeOptions[], scale: number | Vec3Like): ShapeOptions[];
export function scaled(
  shape: ShapeOptions | readonly ShapeOptions[],
  scale: number | Vec3Like,
): ShapeOptions | ShapeOptions[] {
  if (scale === undefined) throw invalid('scale', 'must be a number or a vector', scale);
  const s = scaleOf(scale, 'scale');
  if (Array.isArray(shape)) return listOf(shape, 'shape').map((part) => scaledOne(part, s));
  return scaledOne(listOf(shape, 'shape')[0]!, s);
}

/** Points of a hull, tetrahedron or triangle. */
function cornersOf(shape: ShapeOf<'hull' | 'tetrahedron' | 'triangle'>): Float64Array {
  if (shape.type !== 'hull' || shape.geometry === undefined) return readPoints(shape.points, 'shape.points');
  return Float64Array.from(readTriangles(shape.geometry).vertices);
}

const EVEN = 1e-6;
const near = (a: number, b: number) => Math.abs(a - b) <= EVEN * Math.max(Math.abs(a), Math.abs(b));

function scaledOne(shape: ShapeOptions, s: Vec3): ShapeOptions {
  const place = placeOf(shape);
  const position: Vec3 = [place[0] * s[0], place[1] * s[1], place[2] * s[2]];
  const rotation = turnOf(shape);
  const size: Vec3 = [Math.abs(s[0]), Math.abs(s[1]), Math.abs(s[2])];
  const uniform = near(size[0], size[1]) && near(size[0], size[2]);
  const refuse = (rule: string) => invalid('scale', `${rule} (a ${shape.type})`, s);
  // Factors along the shape's own axes, where its rotation takes axes to axes.
  const own = ownScale(rotation, size);
  switch (shape.type) {
    case 'sphere':
      if (!uniform) throw refuse('must be the same along all axes');
      return { ...shape, radius: shape.radius * size[0], position };
    case 'capsule':
    case 'cylinder':
    case 'cone': {
      const axis = 'xyz'.indexOf(shape.axis ?? 'y');
      const [along, a, b] = own === undefined ? [] : [own[axis]!, own[(axis + 1) % 3]!, own[(axis + 2) % 3]!];
      const flipped = shape.type === 'cone' && s.some((c) => c < 0);
      if (flipped) throw refuse('must be > 0');
      if (uniform)
        return {
          ...shape,
          radius: shape.radius * size[0],
          halfHeight: shape.halfHeight * size[0],
          position,
          rotation: mirrored(rotation, s),
        };
      if (along === undefined || !near(a!, b!) || (shape.type === 'capsule' && !near(along, a!)))
        throw refuse(
          shape.type === 'capsule'
            ? 'must be the same along all axes'
            : 'must be the same across its axis, which must lie along an axis of the body',
        );
      return {
        ...shape,
        radius: shape.radius * a!,
        halfHeight: shape.halfHeight * along,
        position,
        rotation: mirrored(rotation, s),
      };
    }
    case 'box': {
      const half = vec3Of(shape.halfExtents, 'shape.halfExtents');
      if (own !== undefined)
        return {
          ...shape,
          halfExtents: [half[0] * own[0], half[1] * own[1], half[2] * own[2]],
          position,
          rotation: mirrored(rotation, s),
        };
      const corners = Array.from({ length: 8 }, (_, i) => [
        i & 1 ? half[0] : -half[0],
        i & 2 ? half[1] : -half[1],
        i & 4 ? half[2] : -half[2],
      ]).flat();
      const { halfExtents: _, ...rest } = shape;
      return { ...rest, type: 'hull', ...scaledPoints(Float64Array.from(corners), place, rotation, s) };
    }
    case 'hull':
    case 'tetrahedron':
    case 'triangle':
      return {
        ...shape,
        ...(shape.type === 'hull' ? { geometry: undefined } : {}),
        ...scaledPoints(cornersOf(shape), place, rotation, s),
      } as ShapeOptions;
    case 'multiSphere': {
      if (!uniform) throw refuse('must be the same along all axes');
      const spheres = shape.spheres.map(({ position: at = [0, 0, 0], radius }) => {
        const p = rotate(rotation, vec3Of(at, 'shape.spheres.position'));
        return { radius: radius * size[0], position: [p[0] * s[0], p[1] * s[1], p[2] * s[2]] as Vec3 };
      });
      return { ...shape, spheres, position, rotation: [0, 0, 0, 1] };
    }
    case 'mesh':
    case 'heightfield': {
      const before = scaleOf(shape.scale, 'shape.scale');
      if (!uniform && own === undefined) throw refuse('must be the same along all axes: it is turned');
      const factors = own ?? size;
      const signs = ownSigns(rotation, s);
      if (signs === undefined && s.some((c) => c < 0)) throw refuse('must be > 0: it is turned');
      return {
        ...shape,
        scale: [0, 1, 2].map((k) => before[k]! * factors[k]! * (signs?.[k] ?? 1)) as Vec3,
        position,
      };
    }
    case 'plane': {
      if (!uniform || s.some((c) => c < 0)) throw refuse('must be the same along all axes and > 0');
      return { ...shape, offset: (shape.offset ?? 0) * size[0], position };
    }
    default:
      throw refuse('cannot be applied');
  }
}

/** Body axis along which each axis of the shape lies, if all do. */
function axesOf(rotation: Quat): [number, number, number] | undefined {
  const axes = [0, 1, 2].map((k) => {
    const v = rotate(rotation, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]);
    return v.findIndex((c) => Math.abs(Math.abs(c) - 1) < EVEN);
  });
  return axes.includes(-1) ? undefined : (axes as [number, number, number]);
}

function ownScale(rotation: Quat, size: Vec3): Vec3 | undefined {
  if (size[0] === size[1] && size[0] === size[2]) return size;
  return axesOf(rotation)?.map((axis) => size[axis]!) as Vec3 | undefined;
}

function ownSigns(rotation: Quat, s: Vec3): Vec3 | undefined {
  return axesOf(rotation)?.map((axis) => (s[axis]! < 0 ? -1 : 1)) as Vec3 | undefined;
}

/** The rotation of a shape that is its own mirror image, seen in mirrors across axes of the body. */
function mirrored(q: Quat, s: Vec3): Quat {
  // M R M for M = diag(±1): the axis of the rotation is mirrored as an axial vector.
  const [x, y, z] = s.map((c) => (c < 0 ? -1 : 1)) as Vec3;
  return [q[0] * y * z, q[1] * x * z, q[2] * x * y, q[3]];
}

function scaledPoints(points: Float64Array, place: Vec3, rotation: Quat, s: Vec3) {
  const out: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const p = rotate(rotation, [points[i]!, points[i + 1]!, points[i + 2]!]);
    for (let k = 0; k < 3; k++) out.push((p[k]! + place[k]!) * s[k]!);
  }
  return { points: out, position: [0, 0, 0] as Vec3, rotation: [0, 0, 0, 1] as Quat };
}

/** Mass properties, and the volume in m³. */
export interface SolidProperties extends MassProperties {
  /** m³ */
  volume: number;
}

/**
 * Mass properties of a body with these shapes; closed meshes count as solids, exactly. For a body that is simulated with
 * other shapes than those that define its mass.
 *
 * @throws PhysicsError 'invalid-argument' for a mesh that is open or wound inconsistently; it names the triangle
 */
export function massPropertiesOf(
  shape: ShapeOptions | readonly ShapeOptions[] | Geometry,
  density?: number,
): SolidProperties {
  const given = shape instanceof Geometry ? ({ type: 'mesh', geometry: shape } as ShapeOptions) : shape;
  const records = resolveShapes(given).map(
    (record): SolidShape => (record.type === SHAPE_MESH ? solidMesh(record) : record),
  );
  if (density !== undefined) for (const record of records) record.density = density;
  const properties = massProperties(records);
  const weightless = massProperties(records.map((record) => ({ ...record, density: 1 })));
  return { ...properties, volume: weightless.mass };
}

/** A closed mesh as the solid inside it. */
function solidMesh(record: ShapeRecord): SolidShape {
  const moments = meshMoments(record.geometry!.words, record.params);
  const shift = rotate(record.localRotation, moments.center);
  return {
    ...record,
    type: SHAPE_HULL,
    geometry: { moments },
    localPosition: record.localPosition.map((c, k) => c + shift[k]!) as Vec3,
  };
}
