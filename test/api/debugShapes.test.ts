// Debug lines of every cooked shape: as many segments as it has edges, all of them where the shape is.
import { expect, test } from 'vitest';
import { cookHeightfield, cookMesh } from '../../src/cooking';
import { heightfield, mesh, multiSphere, triangle, World } from '../../src/index';
import type { ShapeOptions } from '../../src/types';

/** A square of two triangles, 2 m wide, at height 1. */
const square = cookMesh({
  vertices: [-1, 1, -1, 1, 1, -1, 1, 1, 1, -1, 1, 1],
  indices: [0, 2, 1, 0, 3, 2],
});
const field = cookHeightfield({ rows: 3, columns: 3, heights: new Float32Array(9).fill(0.5), spacing: 2 });

test.each<[string, ShapeOptions, number, number[], number[]]>([
  ['mesh', mesh({ geometry: square }), 6, [-1, 1, -1], [1, 1, 1]],
  ['heightfield', heightfield({ geometry: field }), 24, [-2, 0.5, -2], [2, 0.5, 2]],
  ['triangle', triangle([0, 0, 0], [3, 0, 0], [0, 3, 0]), 3, [0, 0, 0], [3, 3, 0]],
  [
    'multi-sphere',
    multiSphere([
      { position: [-1, 0, 0], radius: 0.5 },
      { position: [1, 0, 0], radius: 1 },
    ]),
    0,
    [-1.5, -1, -1],
    [2, 1, 1],
  ],
])('%s', (_, shape, count, low, high) => {
  const world = new World();
  world.createBody({ type: 'static', shape });
  const lines = world.debugLines();
  if (count > 0) expect(lines.count).toBe(count);
  else expect(lines.count).toBeGreaterThan(20);
  const used = lines.positions.subarray(0, 6 * lines.count);
  for (let axis = 0; axis < 3; axis++) {
    const values = Array.from(used).filter((_, i) => i % 3 === axis);
    expect(Math.min(...values)).toBeCloseTo(low[axis]!, 4);
    expect(Math.max(...values)).toBeCloseTo(high[axis]!, 4);
  }
});
