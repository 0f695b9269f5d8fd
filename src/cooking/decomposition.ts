// The public interface of convex decomposition. In: a mesh. Out: cooked hulls for shapes, and bytes to store them. The
// algorithm is in decompose.ts; a worker gives the same hulls.
import { rotate, type Vec3 } from '../base/math';
import { checkFunction, checkOneOf, invalid } from '../base/validate';
import { SHAPE_HULL } from '../core/memory/constants';
import type { ShapeRecord } from '../options/shapes';
import {
  type DecompositionOptions,
  type DecompositionReport,
  decomposeSteps,
  type RawDecomposition,
  readDecompositionOptions,
} from './decompose';
import { Geometry, geometryOf } from './geometries';
import { cookHull } from './hull';
import { readMesh } from './meshWords';

/** Result of `decompose`: a solid as hulls. */
export interface Decomposition {
  /** The hulls, each cooked, in the frame of the mesh: shapes are `{ type: 'hull', geometry }`. */
  readonly hulls: readonly Geometry[];
  /** How closely they approximate the solid. */
  readonly report: DecompositionReport;
}

function cooked({ hulls, report }: RawDecomposition): Decomposition {
  return Object.freeze({ hulls: Object.freeze(hulls.map(geometryOf)), report: Object.freeze(report) });
}

/**
 * Convex hulls whose union keeps the shape of a mesh, closed or not, for dynamic bodies: the children of a compound. The
 * same mesh gives the same hulls everywhere. It takes a second or two for some thousand triangles: use `physics.decompose`
 * of a world in a worker to keep the page responsive, or `ricochet cook` in advance.
 *
 * @param onProgress  called from time to time with the progress, 0…1
 * @throws PhysicsError 'invalid-argument' that names the vertex or triangle: not finite, out of range, or all at one
 *   point; 'unknown-option'
 */
export function decompose(
  options: DecompositionOptions,
  onProgress?: (share: number) => void,
): Decomposition {
  if (onProgress !== undefined) checkFunction(onProgress, 'onProgress');
  const steps = decomposeSteps(readDecompositionOptions(options));
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return cooked(value);
    onProgress?.(value);
  }
}

/** By mesh, then by what is made of it and its scale. */
const made = new WeakMap<Geometry, Map<string, readonly Geometry[]>>();

/** The hulls of a cooked mesh; made once for each scale. */
function hullsAt(geometry: Geometry, how: 'hull' | 'decompose', scale: Vec3): readonly Geometry[] {
  const known = made.get(geometry) ?? new Map<string, readonly Geometry[]>();
  made.set(geometry, known);
  const key = `${how} ${scale.join()}`;
  let hulls = known.get(key);
  if (hulls === undefined) {
    const { vertices, indices } = readMesh(geometry.words);
    const points = vertices.map((c, i) => c * scale[i % 3]!);
    hulls = how === 'hull' ? [geometryOf(cookHull(points))] : decompose({ vertices: points, indices }).hulls;
    known.set(key, hulls);
  }
  return hulls;
}

/** What makes the hulls; undefined where the mesh is to be refused. */
function makerOf(geometry: Geometry, dynamic: unknown, scale: Vec3, argument: string) {
  if (typeof dynamic !== 'object' || dynamic === null) {
    const how = checkOneOf(dynamic, argument, ['decompose', 'hull', 'error']);
    return how === 'error' ? undefined : () => hullsAt(geometry, how, scale);
  }
  const { hulls } = dynamic as { hulls?: unknown };
  const isHull = (hull: unknown) => hull instanceof Geometry && hull.kind === SHAPE_HULL;
  if (!Array.isArray(hulls) || hulls.length === 0 || !hulls.every(isHull))
    throw invalid(argument, "must be 'decompose', 'hull', 'error' or what decompose returned", dynamic);
  if (scale.some((c) => c !== 1))
    throw invalid(
      argument,
      'must not be a decomposition if scale is given: decompose the scaled mesh',
      scale,
    );
  return () => hulls as readonly Geometry[];
}

/** @internal Of meshes: what their shapes become on dynamic bodies; see Geometry. */
export function hullsOfMesh(record: ShapeRecord, dynamic: unknown, argument: string) {
  const scale = record.params.slice(0, 3) as Vec3;
  const maker = makerOf(record.geometry!, dynamic, scale, argument);
  if (maker === undefined) return undefined;
  return () =>
    maker().map((geometry): ShapeRecord => {
      const shift = rotate(record.localRotation, geometry.center);
      const localPosition = record.localPosition.map((c, k) => Math.fround(c + shift[k]!)) as Vec3;
      const params: ShapeRecord['params'] = [0, 0, 0, 0];
      return { ...record, type: SHAPE_HULL, params, geometry, localPosition, toHulls: undefined };
    });
}
