// Vitest's global setup for the sanitizer core: compiles it when a source of it is newer.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error: plain JavaScript without declarations
import { buildSanitizer, writeSanitizer } from '../../scripts/sanitize/build.mjs';
import setupCore, { newest } from '../setup-core';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(): Promise<void> {
  await setupCore(); // offsets of records are written with the ordinary core
  const folder = join(root, 'test/out/sanitize');
  const parts = join(folder, 'parts.json');
  const built = existsSync(parts) ? statSync(parts).mtimeMs : 0;
  if (built > Math.max(newest('src/core'), newest('scripts'))) return;
  writeSanitizer(await buildSanitizer(), folder);
}
