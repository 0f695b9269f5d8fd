// Writes a generated file only if its text changed, so that what depends on its date is not made again.
import { readFileSync, writeFileSync } from 'node:fs';

export function writeIfChanged(path, text) {
  let old = '';
  try {
    old = readFileSync(path, 'utf8');
  } catch {}
  if (old !== text) writeFileSync(path, text);
}
