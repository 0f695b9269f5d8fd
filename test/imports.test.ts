// The import rules that keep the engine readable from its folder list:
// 1. src/core imports nothing outside of itself, and its phases meet only in the tables.
// 2. Adapters (three, debug) import the public API; the engine imports no adapter.
// 3. The worker's client does not pull the engine into the page.
// 4. Scenes import the public API only, so that tests and benchmarks can run them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Import, importsOf, read, root, sourcesBelow } from './sources';

const ADAPTERS = [
  'src/ammo/',
  'src/three/',
  'src/debug/',
  'src/replay/',
  'src/character/',
  'src/react/',
  'src/gltf/',
  'src/babylon/',
  'src/playcanvas/',
  'src/urdf/',
  'src/ragdoll/',
  'src/warmup/',
  'src/net/',
  'src/colyseus/',
  'src/bulletFile/',
];
/** What the package exports under its own name. */
const PUBLIC = /^(ricochet(\/\w+)?|src\/(index|types)|worker\/client)$/;

const show = (violations: Import[]) => violations.map(({ from, specifier }) => `${from}: ${specifier}`);
const inFolders = (path: string, folders: string[]) => folders.some((folder) => path.startsWith(folder));

test('core imports nothing outside core', () => {
  const violations = sourcesBelow('src/core')
    .flatMap(importsOf)
    .filter(({ target }) => !target.startsWith('src/core/'));
  expect(show(violations)).toEqual([]);
});

/** Tables and mathematics, open to every phase: whole folders, and the tables that live beside their phase. */
const TABLES = ['memory', 'math', 'bodies', 'shapes', 'contacts', 'threads'].map(
  (folder) => `src/core/${folder}/`,
);
const TABLE_FILES = [
  'actors/hook',
  'broadphase/nodes',
  'broadphase/pairSet',
  'broadphase/sort',
  'broadphase/tree',
  'events/record',
  'queries/output',
  'solver/context',
  'solver/joints/links',
  'solver/joints/table',
  'solver/lanes',
].map((file) => `src/core/${file}`);
/** Files that put the phases in order. */
const CONDUCTORS = ['src/core/step.ts', 'src/core/index.ts'];
/** Phase → what it may import besides the tables, and why. */
const EXCEPTIONS: Record<string, string[]> = {
  // A sweep walks the trees and asks for distances, supports and manifolds; what is struck wakes. The direct solver of
  // joints closes the structures of bodies that a sweep stopped (closeJoints.ts).
  continuous: ['broadphase', 'narrowphase', 'islands', 'solver'],
  // A query walks the trees and asks the shapes.
  queries: ['broadphase', 'narrowphase'],
  // The stage `collide` asks the narrow phase for each pair that was not recycled, and wakes what is touched.
  // A contact that acts ahead is checked against the time of impact.
  contacts: ['narrowphase', 'islands', 'continuous'],
  // Removing or changing a body or a joint wakes its neighbours.
  bodies: ['islands'],
  // What areas have gathered is a part of the forces of a step.
  solver: ['islands', 'areas'],
  // Water asks shapes for their extent; an explosion for distances and for what is between, and wakes what it pushes.
  areas: ['narrowphase', 'broadphase', 'queries', 'islands'],
  // Actors wake what they push, and feel the gravity and the water of areas.
  actors: ['islands', 'areas', 'narrowphase'],
};

test('phases of the core meet only in the tables', () => {
  const phase = (path: string) => path.split('/')[2] as string;
  const violations = sourcesBelow('src/core')
    .filter((path) => path.split('/').length > 3 && !CONDUCTORS.includes(path))
    .flatMap(importsOf)
    .filter(({ from, target }) => {
      if (target.split('/').length <= 3) return false; // a file beside the phases: settings, commands
      const [own, other] = [phase(from), phase(target)];
      const isTable = inFolders(target, TABLES) || TABLE_FILES.includes(target);
      return own !== other && !isTable && !EXCEPTIONS[own]?.includes(other);
    });
  expect(show(violations)).toEqual([]);
});

test('tables and mathematics know nothing of what is done with them', () => {
  const violations = ['memory', 'math']
    .flatMap((folder) => sourcesBelow(`src/core/${folder}`))
    .flatMap(importsOf)
    .filter(({ target }) => !/^src\/core\/(memory\/|math\/|tolerances$)/.test(target));
  expect(show(violations)).toEqual([]);
});

/** Files that need, by way of others, themselves, as groups. `targets`: what each file needs. */
function circles(targets: Map<string, string[]>): string[] {
  const below = (file: string) => {
    const reached = new Set<string>();
    const open = [...(targets.get(file) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      if (!reached.has(next)) {
        reached.add(next);
        open.push(...(targets.get(next) ?? []));
      }
    return reached;
  };
  const reach = new Map([...targets.keys()].map((file) => [file, below(file)]));
  const found = new Set<string>();
  for (const [file, reached] of reach)
    if (reached.has(file))
      found.add(
        [...reached]
          .filter((other) => reach.get(other)?.has(file))
          .sort()
          .join(' ↔ '),
      );
  return [...found].sort();
}

const moduleOf = (target: string) =>
  ['.ts', '.tsx'].some((ending) => existsSync(join(root, target + ending))) ? target : `${target}/index`;

test('no file of the core needs, by way of others, itself', () => {
  const targets = new Map<string, string[]>();
  for (const path of sourcesBelow('src/core'))
    targets.set(
      path.replace(/\.ts$/, ''),
      importsOf(path).map(({ target }) => moduleOf(target)),
    );
  expect(circles(targets)).toEqual([]);
});

test('no file outside of the core needs, by way of values, itself', () => {
  const targets = new Map<string, string[]>();
  for (const path of ['src', 'worker'].flatMap(sourcesBelow)) {
    if (path.startsWith('src/core/')) continue;
    // Braces that hold types only carry no value either.
    const typed = [
      ...read(path).matchAll(/^(?:import|export) \{((?:\s*type \w+(?: as \w+)?,?)+\s*)\} from '([^']+)'/gm),
    ].map(([, , specifier]) => specifier);
    targets.set(
      path.replace(/\.ts$/, ''),
      importsOf(path)
        .filter(({ typeOnly, specifier }) => !typeOnly && !typed.includes(specifier))
        .map(({ target }) => moduleOf(target)),
    );
  }
  expect(targets.size).toBeGreaterThan(150);
  expect(circles(targets)).toEqual([]);
});

/** Folders of the engine's host, each of which uses those before it; what only names types may look ahead. */
const HOST = [
  'base',
  'wasm',
  'cooking',
  'options',
  'geometry',
  'events',
  'replica',
  'queries',
  'lines',
  'world',
];
/** Shapes are cooked, and what is cooked is made of shapes. */
const TOGETHER = ['cooking', 'options'];

test('folders of the host stand in the order of the pipeline', () => {
  const folder = (path: string) => HOST.indexOf(path.split('/')[1] as string);
  const violations = HOST.flatMap((name) => sourcesBelow(`src/${name}`))
    .flatMap(importsOf)
    .filter(({ from, target, typeOnly }) => {
      if (typeOnly || !target.startsWith('src/') || target.startsWith('src/core/')) return false;
      if (TOGETHER.includes(from.split('/')[1]!) && TOGETHER.includes(target.split('/')[1]!)) return false;
      return folder(target) > folder(from) || folder(target) < 0;
    });
  expect(show(violations)).toEqual([]);
});

/** What the entries of actors import, too: their commands, and the words that frames carry about them. */
const OF_ACTORS = /^src\/(core\/memory\/constants|replica\/actorLink|wasm\/(actor-commands|core-layout))$/;
const ACTOR_ENTRIES = ['src/character/'];

test('adapters import the public API, and the engine no adapter', () => {
  const files = sourcesBelow('src').filter((path) => !path.startsWith('src/core/'));
  const violations = files.flatMap(importsOf).filter(({ from, target }) => {
    const own = ADAPTERS.find((folder) => from.startsWith(folder));
    if (!own) return inFolders(target, ADAPTERS) || target.startsWith('worker/');
    const insideRepository = /^(src|worker|demo|test)\//.test(target);
    if (inFolders(from, ACTOR_ENTRIES) && OF_ACTORS.test(target)) return false;
    return insideRepository && !target.startsWith(own) && !PUBLIC.test(target);
  });
  expect(show(violations)).toEqual([]);
});

/** Loaded with `import()` when the page asks for `transport: 'page'`, and not before: a file of its own in every bundle. */
const ON_REQUEST = 'worker/open';

test('the client of the worker reaches neither the core nor the world', () => {
  const reached = new Map<string, string>([['worker/client', '']]);
  for (const [module, via] of reached) {
    const path = [`${module}.ts`, `${module}/index.ts`].find((name) => existsSync(join(root, name)));
    if (!path) continue;
    for (const { target, typeOnly } of importsOf(path))
      if (!typeOnly && target !== ON_REQUEST && !reached.has(target))
        reached.set(target, `${via} → ${target}`);
  }
  const engine = [...reached].filter(([module]) =>
    /^src\/(wasm\/core-wasm|world\/\w+|index)$|^src\/core\/(?!memory\/constants)/.test(module),
  );
  expect(engine.map(([, via]) => via)).toEqual([]);
});

test('the geometry toolkit reaches neither the core nor what holds one', () => {
  const reached = new Set<string>(['src/geometry/index']);
  for (const module of reached) {
    const path = [`${module}.ts`, `${module}/index.ts`].find((name) => existsSync(join(root, name)));
    if (path !== undefined)
      for (const { target, typeOnly } of importsOf(path)) if (!typeOnly) reached.add(target);
  }
  const beyond = [...reached].filter((module) => !/^src\/(geometry|base|cooking)\//.test(module));
  expect(beyond).toEqual([]);
});

/** Loaded when the first step system is added, which needs such calls. */
const SYSTEMS = 'worker/hostSystems';

test('the worker reaches no calls that change a world one by one, and no views of bodies', () => {
  const reached = new Set<string>(['worker/open']);
  for (const module of reached) {
    const path = [`${module}.ts`, `${module}/index.ts`].find((name) => existsSync(join(root, name)));
    if (path !== undefined)
      for (const { target, typeOnly } of importsOf(path))
        if (!typeOnly && target !== SYSTEMS) reached.add(target);
  }
  const edge = [...reached].filter((module) =>
    /^src\/(world\/(world|body|joint)|replica\/(replica|replicaBodies|replicaProperties|replicaJoints|bulk|bodyHandle|jointHandle)|queries\/asks|index)$/.test(
      module,
    ),
  );
  expect(edge).toEqual([]);
});

test('scenes import the public API only', () => {
  const violations = sourcesBelow('demo/scenes')
    .flatMap(importsOf)
    .filter(({ target }) => !PUBLIC.test(target) && !target.startsWith('demo/scenes/'));
  expect(show(violations)).toEqual([]);
});
