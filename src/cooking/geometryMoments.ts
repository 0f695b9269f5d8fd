// Volume, centre and inertia of cooked geometry. In: content as the core holds it. Out: its moments, computed once, on
// the side that creates bodies; a worker receives masses.

import { SHAPE_HULL, SHAPE_MULTISPHERE, SHAPE_TRIANGLE } from '../core/memory/constants';
import type { Geometry } from './geometries';
import { readGeometry } from './geometryWords';
import { type SolidMoments, solidMoments } from './moments';
import { readPointWords, roundMoments, triangleMoments } from './pointWords';

const NO_SOLID: SolidMoments = { volume: 0, center: [0, 0, 0], unitTensor: [0, 0, 0, 0, 0, 0] };
/** Content, or the moments themselves. */
export type Massive = Geometry | { readonly moments: SolidMoments };

const known = new WeakMap<Geometry, SolidMoments>();

/** From the words alone, so that every replica has the same; no volume where nothing moves. */
export function momentsOf(geometry: Massive): SolidMoments {
  if ('moments' in geometry) return geometry.moments;
  let moments = known.get(geometry);
  if (moments === undefined) known.set(geometry, (moments = compute(geometry)));
  return moments;
}

function compute({ kind, words }: Geometry): SolidMoments {
  if (kind === SHAPE_TRIANGLE) return triangleMoments(readPointWords(words));
  if (kind === SHAPE_MULTISPHERE) return roundMoments(readPointWords(words));
  if (kind !== SHAPE_HULL) return NO_SOLID;
  const { vertices, faces } = readGeometry(words);
  const triangles = faces.flatMap((face) =>
    face.slice(2).map((c, i) => [face[0]!, face[i + 1]!, c] as [number, number, number]),
  );
  return solidMoments(triangles, vertices);
}
