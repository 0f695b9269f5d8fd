// The API reference as Markdown, made of the docstrings: a page for every symbol that an entry of the package exports.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Application, ReflectionKind } from 'typedoc';
import { root } from './pages.mjs';

/** Names of entries and their sources. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([name, entry]) =>
    entry.types === undefined
      ? []
      : [
          [
            name.replace(/^\./, 'ricochet'),
            join(root, entry.types.replace('./dist/types/', '').replace('.d.ts', '.ts')),
          ],
        ],
  );
}

/** Folders of typedoc-plugin-markdown. */
const KINDS = [
  [ReflectionKind.Class, 'Classes', 'classes'],
  [ReflectionKind.Function, 'Functions', 'functions'],
  [ReflectionKind.Variable, 'Values', 'variables'],
];

/** For each entry the menu of its pages. Types stand on the entry's own page: with them the menu would be in the way. */
function menus(project) {
  const entryItems = project.children.map(({ name }) => ({ text: name, link: `/api/${name}/` }));
  const all = { '/api/': [{ text: 'Entries', items: entryItems }] };
  for (const module of project.children)
    all[`/api/${module.name}/`] = [
      { text: module.name, link: `/api/${module.name}/`, items: [] },
      ...KINDS.map(([kind, text, folder]) => ({
        text,
        collapsed: false,
        items: module.children
          .filter((child) => child.kind === kind)
          .map((child) => ({ text: child.name, link: `/api/${module.name}/${folder}/${child.name}` })),
      })).filter(({ items }) => items.length > 0),
      { text: 'Other entries', collapsed: true, items: entryItems },
    ];
  return all;
}

/** What each entry is for: the first line of its section in README. */
const PURPOSES = {
  ricochet: 'The world in the page or in Node; the types of everything.',
  'ricochet/worker': 'The world in a worker.',
  'ricochet/cooking': 'Convex hulls, triangle meshes and heightfields, made ready for collision.',
  'ricochet/geometry': 'Bounding volumes, nearest points and intersection tests, without the engine.',
  'ricochet/three': 'Objects of three.js follow bodies; shapes of geometries; debug lines.',
  'ricochet/debug': 'A world shown by cannon-es-debugger.',
  'ricochet/replay': 'Recordings: record, play, verify, compare.',
  'ricochet/character': 'Characters that walk, climb, swim and fly.',
  'ricochet/vehicle': 'Cars and other vehicles.',
  'ricochet/threads': 'One world on several threads.',
  'ricochet/react': 'Components for react-three-fiber.',
  'ricochet/gltf': 'Bodies, shapes and joints of glTF files.',
  'ricochet/net': 'Rooms over a network: server, clients, prediction and rollback.',
  'ricochet/colyseus': 'Rooms on Colyseus, in several processes.',
  'ricochet/bullet-file': "Worlds in the files of Bullet's serializer.",
  'ricochet/urdf': 'Robots of URDF files.',
  'ricochet/ragdoll': 'Ragdolls of named skeletons.',
  'ricochet/warmup': 'The engine compiled before a game starts.',
  'ricochet/babylon': 'ricochet as the physics engine of a Babylon.js scene.',
  'ricochet/playcanvas': 'ricochet as the physics world of a PlayCanvas application.',
  'ricochet/ammo': 'The classes of ammo.js.',
};

/** Folder of a symbol's page, by its kind. */
const FOLDERS = {
  [ReflectionKind.Class]: 'classes',
  [ReflectionKind.Function]: 'functions',
  [ReflectionKind.Variable]: 'variables',
  [ReflectionKind.Interface]: 'interfaces',
  [ReflectionKind.TypeAlias]: 'type-aliases',
};

/** The file of a symbol's page below the folder of its entry; a namespace is a folder of its own. */
const pageOf = (kind, name) =>
  kind === ReflectionKind.Namespace ? `namespaces/${name}/index.md` : `${FOLDERS[kind]}/${name}.md`;

/** A page for every second name of a symbol (`export { A, A as B }`): the plugin makes none. */
function writeOtherNames(project, folder) {
  for (const module of project.children)
    for (const child of module.children) {
      if (child.kind !== ReflectionKind.Reference) continue;
      const target = child.getTargetReflectionDeep();
      const page = join(folder, module.name, pageOf(target.kind, child.name));
      if (existsSync(page)) continue;
      const link = relative(
        dirname(page),
        join(folder, target.parent.name, pageOf(target.kind, target.name)),
      );
      const at = link.startsWith('.') ? link : `./${link}`;
      mkdirSync(dirname(page), { recursive: true });
      writeFileSync(page, `# ${child.name}\n\nAnother name of [${target.name}](${at}).\n`);
    }
}

function overview(project, order) {
  const nameless = project.children.filter(({ name }) => PURPOSES[name] === undefined);
  if (nameless.length > 0)
    throw new Error(`reference.mjs does not say what ${nameless.map(({ name }) => name).join(', ')} is for`);
  const rows = [...project.children]
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(
      ({ name, children }) => `| [${name}](./${name}/index.md) | ${PURPOSES[name]} | ${children.length} |`,
    );
  return `# API reference\n\nA page for every symbol that the package exports, made of the docstrings in its sources.\n\n| entry | what it is for | symbols |\n|---|---|---:|\n${rows.join('\n')}\n\nMost programs need [World](./ricochet/classes/World.md), [createPhysics](./ricochet/worker/functions/createPhysics.md), [BodyOptions](./ricochet/interfaces/BodyOptions.md), [RigidBody](./ricochet/classes/RigidBody.md) and [bind](./ricochet/three/functions/bind.md).\n`;
}

export async function buildReference(folder) {
  rmSync(folder, { recursive: true, force: true });
  const application = await Application.bootstrapWithPlugins({
    name: 'ricochet',
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries().map(([, source]) => source),
    tsconfig: join(root, 'site/tsconfig.reference.json'),
    basePath: root,
    readme: 'none',
    out: folder,
    router: 'member',
    entryFileName: 'index.md',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    expandObjects: false,
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    excludeExternals: true,
    skipErrorChecking: true,
    validation: false,
    disableGit: true,
    disableSources: true,
    sanitizeComments: true,
    parametersFormat: 'table',
    propertiesFormat: 'table',
    enumMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    indexFormat: 'table',
    logLevel: 'Error',
  });
  const project = await application.convert();
  if (project === undefined) throw new Error('the sources could not be read');
  const named = new Map(
    entries().map(([name, source]) => [relative(root, source).replace(/(\/index)?\.ts$/, ''), name]),
  );
  for (const module of project.children) module.name = named.get(module.name) ?? module.name;
  await application.generateOutputs(project);
  writeOtherNames(project, folder);
  writeFileSync(join(folder, 'menus.json'), JSON.stringify(menus(project)));
  const symbols = project.children.flatMap(({ children }) => children.map(({ name }) => name));
  writeFileSync(join(folder, 'symbols.json'), JSON.stringify([...new Set(symbols)].sort()));
  const order = [...named.values()];
  writeFileSync(join(folder, 'index.md'), overview(project, order));
  console.log(
    `${readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.md')).length} pages`,
  );
}
