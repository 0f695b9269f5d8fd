// Concave bodies that move, as their user makes them. In: a mesh. Out: cooked hulls to make shapes of, and bytes that keep
// them. The work is in decompose.ts; a worker gives the same hulls.
import type { Vec3 } from '../base/math';
import { checkFunction } from '../base/validate';
import {
  type DecompositionOptions,
  type DecompositionReport,
  decomposeSteps,
  type RawDecomposition,
  readDecompositionOptions,
} from './decompose';
import { type Geometry, geometryOf } from './geometries';
import { cookHull } from './hull';
import { readMesh } from './meshWords';

/** A solid as hulls: what `decompose` makes. */
export interface Decomposition {
  /** Each cooked, in the frame of the mesh: shapes are `{ type: 'hull', geometry }`. */
  readonly hulls: readonly Geometry[];
  /** How close they come. */
  readonly report: DecompositionReport;
}

function cooked({ hulls, report }: RawDecomposition): Decomposition {
  return Object.freeze({ hulls: Object.freeze(hulls.map(geometryOf)), report: Object.freeze(report) });
}

/**
 * Convex hulls whose union keeps the shape of a mesh, closed or not, for dynamic bodies: the children of a compound. The
 * same mesh gives the same hulls everywhere. A second or two for some thousand triangles: `physics.decompose` of a
 * world in a worker takes it off the page, and `ricochet cook` does it before.
 *
 * @param onProgress  called now and then with the share that is done, 0…1
 * @throws PhysicsError 'invalid-argument' that names the vertex or triangle: not finite, out of range, or all in one
 *   place; 'unknown-option'
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

/** @internal The hulls of a cooked mesh on a dynamic body; made once for each scale. */
export function hullsOfMesh(geometry: Geometry, how: 'hull' | 'decompose', scale: Vec3): readonly Geometry[] {
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
