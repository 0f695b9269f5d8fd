import { World } from 'ricochet';
import { cookMesh, decompose, exportHulls, importHulls } from 'ricochet/cooking';

// A flight of three steps: an outline, drawn twice, and what lies between.
const outline = [0, 0, 3, 0, 3, 3, 2, 3, 2, 2, 1, 2, 1, 1, 0, 1];
const vertices = [0, 2].flatMap((z) => outline.flatMap((c, i) => (i % 2 ? [c, z] : [c])));
const sides = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => {
  const j = (i + 1) % 8;
  return [i, j, j + 8, i, j + 8, i + 8];
});
const ends = [0, 6, 7, 0, 1, 6, 1, 4, 5, 1, 5, 6, 1, 2, 4, 2, 3, 4];
const indices = [...sides, ...ends.map((v) => v + 8), ...[...ends].reverse()];

// Cooked once, kept as bytes, used by any number of bodies.
const { hulls, report } = decompose({ vertices, indices, concavity: 0.02, maxHulls: 16 });
console.log(hulls.length, 'hulls reach', report.depth, 'm beyond the solid');
const kept = exportHulls(hulls);

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const parts = importHulls(kept).map((geometry) => ({ type: 'hull' as const, geometry }));
const stairs = world.createBody({ position: [0, 2, 0], mass: 40, shape: parts });

// Or createBody decomposes the mesh: `dynamic` says what a mesh becomes on a dynamic body.
const geometry = cookMesh({ vertices, indices });
world.createBody({ position: [5, 2, 0], mass: 40, shape: { type: 'mesh', geometry, dynamic: 'decompose' } });

for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log('the stairs lie at', stairs.getPosition()[1]);
