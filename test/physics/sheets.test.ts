// What is thin on hills: triangles, flat hulls and boxes of 1 mm, dropped at any angle. In: a mesh of two sides, of one,
// a heightfield. Out: none falls through.
import { heightfield, mesh, type ShapeOptions, triangle, World } from '../../src';
import { row } from './support/measure';
import type { Quat } from './support/vector';
import { random } from './support/vector';
import { DT, position, run } from './support/world';

const CELLS = 50;
const SIDE = 0.4;
const hills = (x: number, z: number) =>
  0.6 * Math.sin(x * 0.9) * Math.cos(z * 0.7) + 0.15 * Math.sin(2.3 * x + 1.9 * z) + 0.02 * (x * x + z * z);
const along = (i: number) => (i - CELLS / 2) * SIDE;
const heights = Array.from({ length: (CELLS + 1) ** 2 }, (_, i) =>
  hills(along(i % (CELLS + 1)), along(Math.floor(i / (CELLS + 1)))),
);
const content = (() => {
  const vertices = heights.flatMap((h, i) => [along(i % (CELLS + 1)), h, along(Math.floor(i / (CELLS + 1)))]);
  const indices = Array.from({ length: CELLS * CELLS }, (_, i) => {
    const a = i + Math.floor(i / CELLS);
    return [a, a + CELLS + 1, a + 1, a + 1, a + CELLS + 1, a + CELLS + 2];
  }).flat();
  return { vertices, indices };
})();

const GROUNDS: Record<string, () => ShapeOptions> = {
  mesh: () => mesh(content),
  'mesh of one side': () => mesh({ ...content, oneSided: true }),
  heightfield: () => heightfield({ rows: CELLS + 1, columns: CELLS + 1, heights, spacing: SIDE }),
};
const outline = (y: number) => [-0.3, y, -0.2, 0.4, y, -0.2, 0.1, y, 0.4];
const SHEETS: Record<string, ShapeOptions> = {
  triangle: triangle([-0.4, 0, -0.2], [0.4, 0, -0.2], [0.1, 0, 0.4]),
  hull: { type: 'hull', points: [...outline(0), ...outline(1e-3)] },
  box: { type: 'box', halfExtents: [0.3, 5e-4, 0.3] },
};
const COUNT = process.env['SOAK'] === '1' ? 600 : 36;

for (const [on, ground] of Object.entries(GROUNDS))
  row(`sheets on a ${on} of hills: ${COUNT} triangles, hulls and boxes of 1 mm, dropped 0.5 and 4 m`, (m) => {
    const next = random(5);
    for (const [kind, shape] of Object.entries(SHEETS)) {
      let lost = 0;
      for (let from = 0; from < COUNT; from += 36) {
        const world = new World();
        world.createBody({ type: 'static', shape: { ...ground(), friction: 0.6 } as ShapeOptions });
        const bodies = Array.from({ length: 36 }, (_, i) => {
          const q = [0, 1, 2, 3].map(() => next() - 0.5);
          const [x, z] = [((i % 6) - 2.5) * 1.5, (Math.floor(i / 6) - 2.5) * 1.5];
          return world.createBody({
            mass: 1,
            shape,
            position: [x, hills(x, z) + (i % 2 ? 0.5 : 4), z],
            rotation: q.map((v) => v / Math.hypot(...q)) as Quat,
          });
        });
        run(world, 360 * DT);
        lost += bodies.filter((body) => {
          const [x, y, z] = position(body);
          return !(y > hills(x, z) - 0.15);
        }).length;
      }
      m.equal(`${kind}: fallen through`, lost, 0);
    }
  });
