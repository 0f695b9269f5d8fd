// What each entry of the built package weighs: the file itself and all that it imports, not what is loaded on request. In:
// dist/. Out: rows of name, files, bytes, bytes of gzip.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A file of dist/ and those that it imports, once each. */
function closure(file) {
  const files = [file];
  for (const name of files)
    for (const [, found] of readFileSync(join(root, 'dist', name), 'utf8').matchAll(
      /^(?:import|export)\b[^;'"]*?(?:from\s*)?["']\.\/([^'"]+)["'];?$/gm,
    ))
      if (!files.includes(found)) files.push(found);
  return files;
}

export function entrySizes() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([name, entry]) => {
    const path = typeof entry === 'string' ? entry : entry.default;
    if (!/\.js$/.test(path)) return [];
    const files = closure(path.replace('./dist/', ''));
    const contents = files.map((file) => readFileSync(join(root, 'dist', file)));
    const bytes = contents.reduce((sum, { length }) => sum + length, 0);
    const gzip = contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
    return [{ name: name.replace(/^\./, 'ricochet'), files, bytes, gzip }];
  });
}

export function printEntrySizes() {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10);
  for (const { name, files, bytes, gzip } of entrySizes())
    console.log(`${name.padEnd(29)}${kilobytes(bytes)}${kilobytes(gzip)} gzip in ${files.length}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printEntrySizes();
