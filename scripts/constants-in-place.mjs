// A plugin for bundles: offsets of the core's records and of commands' words stand in the code as numbers. A minifier can
// neither rename nor leave out members of an object; thousands of their names were 2 % of what a page loads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Generated modules whose exports are objects of numbers. */
const MODULES = ['core-layout', 'core-commands'];

/** Numbers by name of the object and of the member. */
function readTables(root) {
  const tables = new Map();
  for (const module of MODULES) {
    const text = readFileSync(join(root, `src/wasm/${module}.ts`), 'utf8');
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

export function constantsInPlace(root) {
  const imports = new RegExp(`import \\{([^}]*)\\} from '[^']*/(?:${MODULES.join('|')})'`, 'g');
  let tables;
  return {
    name: 'constants in place',
    transform(code, id) {
      if (!/\.tsx?$/.test(id)) return null;
      tables ??= readTables(root);
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
