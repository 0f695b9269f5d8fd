// Writes the API reference, made of the docstrings, to docs/api (which git ignores): npm run docs:api.
// TypeDoc needs the JavaScript API of TypeScript, which version 7 does not have. It is given version 6, which is installed
// beside under another name; all else in the repository uses version 7.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const hooks = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? 'typescript-for-docs' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url);
const { Application } = await import('typedoc');

/** Sources of the entries that package.json exports. */
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = Object.values(entries)
  .flatMap((entry) => entry.types ?? [])
  .map((path) => join(root, path.replace('./dist/types/', '').replace('.d.ts', '.ts')));

const application = await Application.bootstrap({
  name: 'ricochet',
  entryPoints: sources,
  tsconfig: join(root, 'tsconfig.json'),
  basePath: root,
  readme: join(root, 'README.md'),
  out: join(root, 'docs/api'),
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  excludeExternals: true, // what classes have from three.js
  skipErrorChecking: true, // npm run types checks
  validation: false, // test/docstrings.test.ts checks
  disableGit: true,
  disableSources: true,
});
const project = await application.convert();
if (project === undefined) throw new Error('docs:api: the sources could not be read');
await application.generateOutputs(project);
