// Decompositions here and by V-HACD 4, of any models. Neither is kept here: install vhacd-js anywhere, put OBJ and STL files into a folder
// (docs/shapes.md: those of bullet3), and
//   MODELS=path/to/folder VHACD=path/to/node_modules/vhacd-js npx vitest run --project node test/cooking/vhacd
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decompose, readMeshFile, readTriangles } from 'ricochet/cooking';
import { describe, expect, test } from 'vitest';
import { hullErrors, type Surface, volumeNoise } from './support/hullErrors';

const folder = process.env['MODELS'] ?? '';
const home = process.env['VHACD'] ?? '';
const script = join(home, 'lib/vhacd.js');
const there = folder !== '' && existsSync(script);
if (!there) console.log('skipped: MODELS names no folder of models, or VHACD no package vhacd-js');

const CUBE: Surface = {
  vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1],
  indices: [
    ...[0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4],
    ...[2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5],
  ],
};

test('a cube that is 2 % too long has 2 % too much volume, 2 % away', () => {
  const same = hullErrors(CUBE, [CUBE]);
  expect(same.volume).toBe(0);
  expect(same.distance).toBeLessThan(1e-12);
  const longer = {
    ...CUBE,
    vertices: Array.from(CUBE.vertices, (part, i) => (i % 3 === 1 ? 1.02 * part : part)),
  };
  const { volume, distance } = hullErrors(CUBE, [longer]);
  expect(volume).toBeCloseTo(0.02, 2);
  expect(distance).toBeCloseTo(0.02, 6);
});

describe.skipIf(!there)('beside V-HACD 4', () => {
  const models = there ? readdirSync(folder).filter((name) => /\.(obj|stl)$/i.test(name)) : [];
  test.each(models)(
    '%s',
    async (name) => {
      // Its script asks for require, which modules do not have.
      (globalThis as { require?: unknown }).require = createRequire(import.meta.url);
      const { ConvexMeshDecomposition } = await import(/* @vite-ignore */ pathToFileURL(script).href);
      const decomposer = await ConvexMeshDecomposition.create();
      const mesh = readMeshFile(readFileSync(join(folder, name)));
      const { hulls, report } = decompose({ ...mesh, maxHulls: 20 });
      const theirs: { positions: ArrayLike<number>; indices: ArrayLike<number> }[] =
        decomposer.computeConvexHulls(
          { positions: Float64Array.from(mesh.vertices), indices: mesh.indices },
          { maxHulls: hulls.length, maxVerticesPerHull: 32 },
        );
      const mine = hullErrors(mesh, hulls.map(readTriangles));
      const other = hullErrors(
        mesh,
        theirs.map(({ positions, indices }) => ({ vertices: positions, indices })),
      );
      const show = (share: number) => `${(100 * share).toFixed(1)} %`;
      const noise = volumeNoise(mine, other);
      console.log(
        `${name}: ${hulls.length} hulls, volume ${show(mine.volume)} (V-HACD ${theirs.length} hulls, ${show(other.volume)}, standard error of the difference ${show(noise)}), distance ${show(mine.distance)} (${show(other.distance)})`,
      );
      // What is not closed has no volume to compare with.
      if (report.closed) expect(mine.volume).toBeLessThan(other.volume + 2 * noise);
      else console.log(`${name} is not closed: its volume is not compared`);
      expect(mine.distance).toBeLessThan(1.02 * other.distance + 0.002);
    },
    3_600_000,
  );
});
