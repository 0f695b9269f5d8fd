// What README.md and docs/ say of the repository: links and pictures exist, every document is reached, the figures of
// speed are those of the benchmark, and the pictures are those of the demo's scenes.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { withSpeeds } from '../scripts/update-figures.mjs';
import { PROFILES } from '../src/index';
import { read, root } from './sources';

const documents = [
  'README.md',
  'CHANGELOG.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
].filter((name) => name.endsWith('.md'));

/** Targets of all links and pictures inside of the repository. */
const linksOf = (document: string) =>
  [...read(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => normalize(join(dirname(document), target)));

test.each(documents)('every link of %s leads somewhere', (document) => {
  expect(linksOf(document).filter((target) => !existsSync(join(root, target)))).toEqual([]);
});

test('README leads to every document', () => {
  const reached = linksOf('README.md');
  const unreached = documents.filter((name) => name.startsWith('docs/') && !reached.includes(name));
  expect(unreached).toEqual([]);
});

test('every picture is shown somewhere, and small', () => {
  const shown = new Set(documents.flatMap(linksOf));
  const pictures = readdirSync(join(root, 'docs/screenshots')).map((name) => `docs/screenshots/${name}`);
  expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
  const most = (path: string) => (path.endsWith('.webp') ? 1_200_000 : 100_000); // bytes; the animated one has 74 pictures
  expect(pictures.filter((path) => statSync(join(root, path)).size > most(path))).toEqual([]);
});

test('the speeds in README are those of bench/RESULTS.md (npm run format copies them)', () => {
  expect(read('README.md')).toBe(withSpeeds(read('README.md'), read('bench/RESULTS.md')));
});

test('CHANGELOG begins with the version of the package', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
});

test('the tour names every folder of the engine, and only what is there', () => {
  const named = [...read('docs/tour.md').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
  const folders = ['src', 'src/core'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'core')
      .map((entry) => entry.name),
  );
  expect(folders.filter((name) => !named.includes(name) && !named.includes(`${name}/`))).toEqual([]);
  const there = (name: string) =>
    ['', 'src/', 'src/core/', 'worker/'].some((folder) =>
      ['', '.ts'].some((ending) => existsSync(join(root, `${folder}${name}${ending}`))),
    );
  expect(named.filter((name) => /^[a-z][\w./-]+$/.test(name) && name !== 'ricochet' && !there(name))).toEqual(
    [],
  );
});

test('docs/step.md has every setting with the values of the profiles', () => {
  const rows = read('docs/step.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .filter((cells) => (cells[1] as string) in PROFILES.native);
  expect(rows.map((cells) => cells[1]).sort()).toEqual(Object.keys(PROFILES.native).sort());
  const told = (value: unknown) => String(value);
  for (const [, name, , ...cells] of rows)
    Object.values(PROFILES).forEach((profile, i) => {
      const cell = cells[i] as string;
      if (cell !== '–')
        expect(cell, `${name}, column ${i + 1}`).toBe(told(profile[name as keyof typeof profile]));
    });
});

test.each(documents)('every file that %s names is there', (document) => {
  const named = [...read(document).matchAll(/`([\w./-]+\.(?:ts|mjs|md|html|svg))`/g)].map(
    ([, name]) => name as string,
  );
  const folders = ['', 'src/', 'src/core/', 'docs/', 'demo/', 'dist/'];
  const built = /^(dist\/|physics\.worker|cooking\.worker|ammo\.global)/;
  const missing = named.filter(
    (name) => !built.test(name) && !folders.some((folder) => existsSync(join(root, folder + name))),
  );
  expect(missing).toEqual([]);
});

test('docs/worker.md names every control message, and only those', () => {
  const declared = /interface HostControl \{([\s\S]*?)\n\}/.exec(read('worker/protocol.ts'))?.[1] as string;
  const control = [...declared.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  const told = /^Control \([\s\S]*?\n\n/m.exec(read('docs/worker.md'))?.[0] as string;
  expect([...told.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(control.sort());
});
