// Volume, centre of mass and inertia of the solid inside a closed mesh. In: words of a cooked mesh, a scale. Out: exact
// moments; an error that names the first triangle with a border, or with inconsistent winding.

import { invalid } from '../base/validate';
import { TRIANGLE_BORDER } from '../core/memory/constants';
import { readMesh, tablesOf } from './meshWords';
import { type SolidMoments, solidMoments } from './moments';

export function meshMoments(words: Int32Array, scale: ArrayLike<number>): SolidMoments {
  const at = tablesOf(words);
  const { vertices, indices, sources } = readMesh(words);
  const hasEdge = (t: number, a: number, b: number) =>
    [0, 1, 2].some((k) => indices[3 * t + k] === a && indices[3 * t + ((k + 1) % 3)] === b);
  const triangles: [number, number, number][] = [];
  for (let t = 0; t < at.triangleCount; t++) {
    const flags = words[at.triangles + 4 * t + 3]!;
    for (let k = 0; k < 3; k++) {
      if (flags & (TRIANGLE_BORDER << k))
        throw invalid(
          'shape',
          `must be a closed mesh: triangle ${sources[t]} has an edge without a neighbour`,
          'an open mesh',
        );
      const neighbour = words[at.neighbours + 4 * t + k]!;
      const [a, b] = [indices[3 * t + k]!, indices[3 * t + ((k + 1) % 3)]!];
      if (neighbour < 0 || !hasEdge(neighbour, b, a))
        throw invalid(
          'shape',
          `must be wound consistently: triangle ${sources[t]} is reversed relative to a neighbour`,
          'a mesh wound both ways',
        );
    }
    triangles.push([indices[3 * t]!, indices[3 * t + 1]!, indices[3 * t + 2]!]);
  }
  const points = Float64Array.from(vertices, (c, i) => c * scale[i % 3]!);
  const moments = solidMoments(triangles, points);
  // All inside out, or mirrored: the same solid.
  return { ...moments, volume: Math.abs(moments.volume) };
}
