// Whatever the package exports has a docstring: every entry, every declaration, every public member.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { methods } from '../scripts/babylon-table.mjs';
import { undocumented } from './apiDocs';
import { read, root } from './sources';

const manifest = JSON.parse(read('package.json')) as { exports: Record<string, { types?: string } | string> };

/** Sources of the package's entries, by what users import. */
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) => {
  const declared = typeof entry === 'string' ? undefined : entry.types;
  return declared ? [[name, declared.replace('./dist/types/', '').replace(/\.d\.ts$/, '.ts')] as const] : [];
});

/**
 * Classes and members of Bullet as ammo.js's users know them: they are documented by Bullet, and docs/ammo.md says what
 * differs. What the facade adds has to say what it is.
 */
const bullet = (() => {
  const names = new Set<string>();
  const path = 'node_modules/ammojs-typed/ammo/ammo.d.ts';
  if (!existsSync(join(root, path))) throw new Error(`${path} is missing: npm ci`);
  for (const [, name] of read(path).matchAll(
    /^\s+(?:class |interface |enum )?(\w+)\s*(?:\(|\{|\?|:|extends)/gm,
  ))
    names.add(name as string);
  return names;
})();

/** What other programs declare and document: Bullet, and Babylon's interface of plugins. */
const theirs: Record<string, Set<string>> = { './ammo': bullet, './babylon': new Set(methods()) };

test('the entries are found', () => {
  expect(entries.map(([name]) => name)).toEqual([
    '.',
    './worker',
    './cooking',
    './geometry',
    './three',
    './debug',
    './replay',
    './character',
    './vehicle',
    './babylon',
    './playcanvas',
    './react',
    './gltf',
    './urdf',
    './ragdoll',
    './warmup',
    './threads',
    './net',
    './colyseus',
    './bullet-file',
    './ammo',
  ]);
});

test.each(entries)('everything that %s exports has a docstring', (name, path) => {
  const missing = undocumented(path)
    .filter(({ name: shown }) => !theirs[name]?.has(shown.split('.').at(-1) as string))
    .map(({ name: shown, path: file }) => `${shown} (${file})`);
  expect(missing).toEqual([]);
});
