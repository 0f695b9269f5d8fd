// Compiles the sanitizer core. In: src/core, or with some of its text replaced. Out: what runtime.mjs instantiates.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_FEATURES, CORE_MEMORY, compileScript } from '../asc.mjs';
import { records } from '../build-core.mjs';
import { instrument } from './instrument.mjs';
import { ROOTS, TABLES } from './map.mjs';
import { GAP, sanitizeTransform } from './transform.mjs';

/** Fields whose writes the sanitizer hears of. */
function watchedFields() {
  const fields = new Set(['growTable()']);
  for (const [field, { class: cls, end, free, live }] of Object.entries(TABLES)) {
    fields.add(field);
    if (end) fields.add(end);
    if (free) fields.add(free);
    if (live) fields.add(`${cls}.${live[0]}`);
  }
  return fields;
}

/** Classes of the rows of tables, and of records that hold addresses of tables. */
function rowClasses() {
  const named = Object.values(TABLES).flatMap(({ class: cls, parts }) => [cls, ...(parts ?? [])]);
  return new Set([...named.filter((name) => name !== undefined), ...ROOTS]);
}

/** @param replaced  files by path from the root, with the text that takes the place of theirs */
export async function buildSanitizer(replaced = {}) {
  const { transform, buffers } = sanitizeTransform();
  const options = ['-O0', '--debug', '--zeroFilledMemory', '--disableWarning', '112'];
  const { wasm: plain } = await compileScript(
    ['src/core/index.ts', 'src/core/inspector.ts', 'src/core/actors.ts'],
    [...options, ...CORE_FEATURES, ...CORE_MEMORY],
    { transforms: [transform], replaced },
  );
  const { wasm, places, globals, classes } = instrument(plain, watchedFields(), rowClasses());
  const shadowOptions = ['-O3', '--noAssert', '--initialMemory', '1'];
  const { wasm: shadow } = await compileScript('scripts/sanitize/shadow.ts', shadowOptions);

  const offsets = new Map();
  let worldBytes = 0;
  for (const { name, size, fields } of records()) {
    if (name === 'World') worldBytes = size;
    for (const [field, offset] of fields) offsets.set(`${name}.${field}`, offset);
  }
  const placed = [...buffers]
    .filter(([name]) => globals.has(name))
    .map(([name, hasContent]) => ({
      name: name.replace(/^src\/core\//, ''),
      at: globals.get(name),
      hasContent,
    }))
    .sort((a, b) => a.at - b.at);
  for (const [i, buffer] of placed.entries()) {
    const end =
      placed[i + 1]?.at ?? globals.get('~lib/memory/__data_end') ?? globals.get('~lib/memory/__heap_base');
    buffer.bytes = (end - buffer.at - (buffer.hasContent ? 0 : GAP)) & ~3;
  }
  return {
    wasm,
    shadow,
    places,
    constants: [...globals],
    classes,
    offsets: [...offsets],
    worldBytes,
    buffers: placed,
  };
}

const BYTES = ['wasm', 'shadow'];

/** The parts of a build as files in a folder. */
export function writeSanitizer(built, folder) {
  mkdirSync(folder, { recursive: true });
  for (const part of BYTES) writeFileSync(join(folder, `${part}.wasm`), built[part]);
  const rest = Object.fromEntries(Object.entries(built).filter(([part]) => !BYTES.includes(part)));
  writeFileSync(join(folder, 'parts.json'), JSON.stringify(rest));
}

export function readSanitizer(folder) {
  const built = JSON.parse(readFileSync(join(folder, 'parts.json'), 'utf8'));
  for (const part of BYTES) built[part] = readFileSync(join(folder, `${part}.wasm`));
  return built;
}
