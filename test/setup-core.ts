// Vitest's global setup: compiles the core when a source of it is newer than the compiled module.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error: plain JavaScript without declarations
import { buildCore } from '../scripts/build-core.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** When a file of a folder was last changed. */
export function newest(folder: string): number {
  let time = 0;
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) time = Math.max(time, statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return time;
}

const changed = (path: string) => statSync(join(root, path)).mtimeMs;

export default async function setup(): Promise<void> {
  const outputs = [
    'dist/core.wasm',
    'src/wasm/core-wasm.ts',
    'src/wasm/inspector-wasm.ts',
    'src/wasm/unpack-wasm.ts',
    'src/wasm/threads-wasm.ts',
    'src/wasm/core-layout.ts',
    'src/wasm/core-commands.ts',
    'src/core/memory/commandWords.ts',
  ].map((name) => join(root, name));
  const built = outputs.every((path) => existsSync(path)) ? statSync(outputs[0]!).mtimeMs : 0;
  if (
    built >
    Math.max(
      newest('src/core'),
      newest('scripts'),
      changed('src/replica/commandTable.ts'),
      changed('src/replica/commandFields.ts'),
    )
  )
    return;
  await buildCore();
}
