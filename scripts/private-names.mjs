// Names that a minifier may shorten. In: the sources of the package. Out: private members that only `this` is asked for, and whose
// name is no other property and no text anywhere, so that no message, file or other bundle knows them. 0.3 KB of a page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Every source but the core's, which has no classes of JavaScript. */
function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/^(core|wasm)\b/.test(file))
    .map((file) => join(root, folder, file));
}

export function privateNames(root) {
  const declared = new Set();
  const elsewhere = new Set();
  const files = [...sources(root, 'src'), ...sources(root, 'worker')];
  for (const file of [...files, join(root, 'node_modules/comlink/dist/esm/comlink.mjs')]) {
    const lang = /\.(ts|tsx)$/.exec(file)?.[1] ?? 'js';
    visit(parseAst(readFileSync(file, 'utf8'), { lang }, file), declared, elsewhere);
  }
  return [...declared].filter((name) => !elsewhere.has(name));
}

function visit(node, declared, elsewhere) {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, declared, elsewhere);
    return;
  }
  if (typeof node?.type !== 'string') return;
  const isPrivate = node.accessibility === 'private';
  // A parameter that is a property; its default value may follow.
  const parameter = node.type === 'TSParameterProperty' && (node.parameter.left ?? node.parameter).name;
  if (parameter) (isPrivate ? declared : elsewhere).add(parameter);
  else if (node.type === 'MemberExpression' && !node.computed) {
    if (node.object.type !== 'ThisExpression') elsewhere.add(node.property.name);
  } else if (node.key) {
    const name = node.key.name ?? node.key.value;
    if (!node.ofThis) (isPrivate ? declared : elsewhere).add(name);
  } else if (node.type === 'Literal' && typeof node.value === 'string') elsewhere.add(node.value);
  // `const { words } = this`
  if (node.type === 'VariableDeclarator' && node.init?.type === 'ThisExpression')
    for (const property of node.id.properties ?? []) property.ofThis = true;
  for (const [name, child] of Object.entries(node))
    if (child !== null && typeof child === 'object' && !(name === 'key' && !node.computed))
      visit(child, declared, elsewhere);
}
