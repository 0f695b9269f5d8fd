// Bundles test/determinism/goldenEntry.ts for Node, with the package's own name for its sources.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Writes entry.mjs into a folder; returns its address, for `import()`. */
export async function bundleGolden(dir, plugins = []) {
  const bundle = await rolldown({
    input: { entry: join(root, 'test/determinism/goldenEntry.ts') },
    platform: 'node',
    logLevel: 'silent',
    plugins,
    resolve: {
      alias: {
        'ricochet/cooking': join(root, 'src/cooking/index.ts'),
        'ricochet/geometry': join(root, 'src/geometry/index.ts'),
        'ricochet/replay': join(root, 'src/replay/index.ts'),
        ricochet: join(root, 'src/index.ts'),
      },
    },
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
  return pathToFileURL(join(dir, 'entry.mjs')).href;
}
