// Names that a minifier may shorten. In: the sources of the package. Out: private members whose name occurs nowhere else, neither
// as another property nor as text, so that no message, file or other bundle can know them. 0.3 KB of a page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DECLARED = /\bprivate (?:static |readonly |async |get |set |override )*\*?(\w+)/g;

/** Every source but the core's, which has no classes of JavaScript. */
function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/^(core|wasm)\b/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'));
}

export function privateNames(root) {
  const comlink = readFileSync(join(root, 'node_modules/comlink/dist/esm/comlink.mjs'), 'utf8');
  const code = [...sources(root, 'src'), ...sources(root, 'worker'), comlink]
    .join('\n')
    .replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const declared = new Set([...code.matchAll(DECLARED)].map(([, name]) => name));
  const others = code.replace(DECLARED, '').replace(/\bthis\.\w+/g, '');
  const elsewhere = new Set(others.match(/\w+/g));
  return [...declared].filter((name) => !elsewhere.has(name));
}
