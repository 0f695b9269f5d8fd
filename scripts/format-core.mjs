// Formats src/core with Biome, whose parser knows no decorators on functions: they are hidden in
// comments while it works. `--check` only tells which files differ.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
const checkOnly = process.argv.includes('--check');

const DECORATORS = /^ *(?:@(?:inline|wide|external|global|lazy|unsafe)\b(?:\([^)]*\))?\s*)+/gm;
const hide = (text) => text.replace(DECORATORS, (run) => run.replace(/@(\w+(?:\([^)]*\))?)/g, '/*@$1*/'));
const show = (text) =>
  text
    .replace(/\/\*@(\w+(?:\([^)]*\))?)\*\//g, '@$1')
    // Biome drops these parentheses; AssemblyScript's parser needs them.
    .replace(/(<\w+>)([\w.]+(?:\+\+|--))/g, '$1($2)');

function format(path, text) {
  const args = [
    biome,
    'format',
    '--config-path',
    root,
    `--stdin-file-path=${path.replace('src/core', 'core')}`,
  ];
  const done = spawnSync(process.execPath, args, { cwd: root, input: hide(text), encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${path}: ${done.stderr}`);
  return show(done.stdout);
}

let different = 0;
for (const entry of readdirSync(join(root, 'src/core'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
  const path = relative(root, join(entry.parentPath, entry.name));
  const text = readFileSync(join(root, path), 'utf8');
  const formatted = format(path, text);
  if (formatted === text) continue;
  different++;
  console.log(checkOnly ? `not formatted: ${path}` : `formatted ${path}`);
  if (!checkOnly) writeFileSync(join(root, path), formatted);
}
if (checkOnly && different > 0) process.exit(1);
