import { type ShapeOptions, World } from 'ricochet';
import {
  compound,
  cookHull,
  cookMesh,
  exportCooked,
  heightfield,
  importCooked,
  mesh,
} from 'ricochet/cooking';

const world = new World();

// Ground from heights, and a mesh that two bodies share, one of them mirrored and half as large.
const heights = new Float32Array(65 * 65).map((_, i) => ((i * 7919) % 13) / 20);
world.createBody({ type: 'static', shape: heightfield({ rows: 65, columns: 65, spacing: 1, heights }) });
const wedge = cookMesh({
  vertices: [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, -1, 1, -1, -1, 1, 1],
  indices: [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2, 0, 4, 1, 3, 2, 5, 0, 3, 5, 0, 5, 4],
});
console.log('edges with one triangle:', wedge.report?.borderEdges);
const kept = exportCooked(wedge); // bytes to store; no cooking when they come back
for (const [x, scale] of [
  [-5, 1],
  [5, [-0.5, 0.5, 0.5]],
] as const)
  world.createBody({
    type: 'static',
    position: [x, 1, 0],
    shape: mesh({ geometry: importCooked(kept), scale }),
  });

// A hull that is cooked once and used by a hundred stones.
const stone = cookHull(Float32Array.from({ length: 60 }, (_, i) => (((i * 7919) % 101) / 101 - 0.5) * 0.8));
for (let i = 0; i < 100; i++)
  world.createBody({
    position: [(i % 10) - 4.5, 4 + Math.floor(i / 10), 3],
    shape: { type: 'hull', geometry: stone },
  });

// A table: a concave body that moves is made of convex pieces.
const leg = (x: number, z: number) => ({
  shape: { type: 'box', halfExtents: [0.05, 0.4, 0.05] } as const,
  position: [x, -0.4, z],
});
const table: ShapeOptions[] = compound([
  { type: 'box', halfExtents: [0.8, 0.04, 0.5] },
  ...[leg(-0.7, -0.4), leg(0.7, -0.4), leg(-0.7, 0.4), leg(0.7, 0.4)],
]);
const body = world.createBody({ position: [0, 2.5, 0], shape: table });

for (let i = 0; i < 240; i++) world.step(1 / 60);
console.log('the table stands at', body.getPosition()[1]);
