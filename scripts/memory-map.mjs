// The addresses of src/core/memory/map.ts, for scripts.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(fileURLToPath(import.meta.url)), '../src/core/memory/map.ts');

/** In bytes, by name. */
export const MEMORY_MAP = Object.fromEntries(
  [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = (\d+);$/gm)].map(([, name, address]) => [
    name,
    Number(address),
  ]),
);
