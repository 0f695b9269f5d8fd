// A plugin for bundles: offsets of the core's records and of commands' words stand in the code as numbers. A minifier can
// neither rename nor leave out members of an object; thousands of their names were 2 % of what a page loads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Modules whose exports are objects of numbers. */
const GENERATED = ['src/wasm/core-layout', 'src/wasm/core-commands'];
/** The same, written by hand: they stay as they are in files that someone may read. */
const WRITTEN = ['worker/protocol', 'worker/board'];

/** Numbers by name of the object and of the member. */
function readTables(root, modules) {
  const tables = new Map();
  for (const module of modules) {
    const text = readFileSync(join(root, `${module}.ts`), 'utf8').replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
    for (const [, name, body] of text.matchAll(
      /^export const (\w+) = \{\n((?: {2}\w+: \d+,\n)+)\} as const;$/gm,
    ))
      tables.set(
        name,
        new Map([...body.matchAll(/(\w+): (\d+),/g)].map(([, member, value]) => [member, value])),
      );
  }
  return tables;
}

export function constantsInPlace(root, { minify = false } = {}) {
  const modules = minify ? [...GENERATED, ...WRITTEN] : GENERATED;
  const names = modules.map((module) => module.replace(/.*\//, ''));
  const imports = new RegExp(`import \\{([^}]*)\\} from '[^']*/(?:${names.join('|')})'`, 'g');
  let tables;
  return {
    name: 'constants in place',
    transform(code, id) {
      if (!/\.tsx?$/.test(id)) return null;
      tables ??= readTables(root, modules);
      let changed = code;
      for (const [, names] of code.matchAll(imports))
        for (const specifier of names.split(',')) {
          const [imported, local = imported] = specifier.trim().split(' as ');
          const table = tables.get(imported);
          if (table === undefined) continue;
          changed = changed.replace(
            new RegExp(`(?<![\\w.$'"\`])${local}\\.(\\w+)`, 'g'),
            (all, member) => table.get(member) ?? all,
          );
        }
      return changed === code ? null : { code: changed, map: null };
    },
  };
}
