// The tolerances of the core as mutants. In: src/core. Out: its files with each named f32 or f64 constant multiplied by
// an import, and each rule of rules.mjs behind a condition on it, so that one build has all mutants.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULES } from './rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const IMPORT = 'src/core/mutation.ts';
const IMPORT_TEXT = `/** @external mutation factor */
export declare function mutation(mutant: i32): f64;
`;
const CONSTANT = /^(export )?const ([A-Z][A-Z0-9_]*): (f32|f64) = ([^;]+);/gm;

/** Constants that are no tolerances: nothing may depend on how large a value is that only means "none" or "no limit". */
const NO_VALUE = /^(MISS|INFINITE|UNBOUNDED|NO_\w+|ANY_DISTANCE|UNKNOWN|HEAD|CORNER|FACE)$/;

function coreFiles() {
  return readdirSync(join(root, 'src/core'), { recursive: true })
    .map((path) => posix.join('src/core', path.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('/commandWords.ts'))
    .sort();
}

/** Without folder and ending: as mutants are named. */
const place = (file) => file.slice('src/core/'.length, -'.ts'.length);

/**
 * @returns mutants: { id, file, users, name, text, rule } in the order of their numbers. `users` are the files that need a
 * constant; a constant of tolerances.ts is named after the first of them, as contacts/seams:SEAM_LEVEL.
 */
export function findMutants() {
  const found = [];
  const sources = coreFiles().map((file) => [file, readFileSync(join(root, file), 'utf8')]);
  const importers = new Map();
  for (const [path, source] of sources)
    for (const [, names, from] of source.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm))
      for (const name of names.split(/[\s,]+/)) {
        const key = `${posix.join(posix.dirname(path), from)}.ts ${name}`;
        importers.set(key, [...(importers.get(key) ?? []), path]);
      }
  for (const [file, source] of sources) {
    for (const [, , name, type, value] of source.matchAll(CONSTANT)) {
      if (NO_VALUE.test(name) && (Math.abs(Number(value)) >= 1e9 || Number.isInteger(Number(value))))
        continue;
      if (Number(value) === 0) continue; // four times nothing
      const users = importers.get(`${file} ${name}`) ?? [file];
      found.push({ file, users, name, type, value, id: `${place(users[0])}:${name}` });
    }
  }
  for (const rule of RULES)
    found.push({
      ...rule,
      file: `src/core/${rule.file}.ts`,
      users: [`src/core/${rule.file}.ts`],
      id: `rule:${rule.name}`,
      rule: true,
    });
  return found;
}

function importLine(file) {
  const path = posix.relative(posix.dirname(file), IMPORT).replace(/\.ts$/, '');
  return `import { mutation } from '${path.startsWith('.') ? path : `./${path}`}';\n`;
}

/**
 * Source text for compileScript's `replaced`, with all mutants: the host gives the factor of each number, 1 if it is not
 * to act.
 */
export function schema(mutants) {
  const replaced = {};
  for (const [number, mutant] of mutants.entries()) {
    const { file } = mutant;
    replaced[file] ??= importLine(file) + readFileSync(join(root, file), 'utf8');
    const before = replaced[file];
    if (mutant.rule) {
      const parts = before.split(mutant.text);
      if (parts.length !== 2)
        throw new Error(`${mutant.id}: its text is ${parts.length - 1} times in ${file}`);
      replaced[file] = parts.join(mutant.without.replaceAll('REMOVED', `(mutation(${number}) != 1)`));
    } else {
      const { name, type } = mutant;
      replaced[file] = before.replace(
        new RegExp(`^(export )?const ${name}: ${type} = ([^;]+);`, 'm'),
        (_, exported, value) =>
          `${exported ?? ''}let ${name}: ${type} = (${value}) * <${type}>mutation(${number});`,
      );
    }
  }
  return { ...replaced, [IMPORT]: IMPORT_TEXT };
}
