// What the site's menus show. A document of docs/ that no section names is in the last one, under its own title.
import { readdirSync, readFileSync } from 'node:fs';

const docs = new URL('../docs/', import.meta.url);

const placed = [
  {
    text: 'Begin',
    items: [
      ['First steps in five minutes', 'docs/guides/start'],
      ['Choose your setting', 'docs/guides/settings'],
      ['Units and scales', 'docs/guides/units'],
      ['Bundlers, frameworks, CSP', 'docs/guides/bundlers'],
      ['Moving from another engine', 'docs/guides/moving'],
      ['Bring your scene', 'docs/guides/scenes'],
      ['Questions', 'docs/guides/faq'],
      ['Limits', 'docs/guides/limits'],
    ],
  },
  {
    text: 'Guides',
    items: [
      ['Materials and filters', 'docs/guides/materials'],
      ['Events and triggers', 'docs/guides/events'],
      ['Stacks', 'docs/guides/stacks'],
      ['Joints', 'docs/guides/joints'],
      ['Characters', 'docs/guides/characters'],
      ['Vehicles', 'docs/guides/vehicles'],
      ['Ragdolls', 'docs/guides/ragdolls'],
      ['Conveyors and one-way platforms', 'docs/guides/conveyors'],
      ['Picking and dragging', 'docs/guides/picking'],
      ['Your update loop in the worker', 'docs/guides/update-loop'],
      ['Saving games', 'docs/guides/saving'],
      ['Replays', 'docs/guides/replays'],
      ['Rollback', 'docs/guides/rollback'],
      ['Rooms', 'docs/guides/rooms'],
      ['Several threads', 'docs/guides/threads'],
      ['Performance', 'docs/guides/performance'],
      ['Debugging', 'docs/guides/debugging'],
    ],
  },
  {
    text: 'Places and frameworks',
    items: [
      ['Hello', 'docs/hello'],
      ['One world, two places', 'docs/worlds'],
      ['The worker', 'docs/worker'],
      ['three.js', 'docs/three'],
      ['glTF', 'docs/gltf'],
      ['URDF', 'docs/urdf'],
      ['.bullet files', 'docs/bullet-file'],
      ['React', 'docs/react'],
      ['Babylon.js', 'docs/babylon'],
      ['PlayCanvas', 'docs/playcanvas'],
      ['Programs for ammo.js', 'docs/ammo'],
      ['From ammo.js: what looks different', 'docs/migration'],
    ],
  },
  {
    text: 'The world',
    items: [
      ['Shapes', 'docs/shapes'],
      ['Joints: reference', 'docs/joints'],
      ['Queries', 'docs/queries'],
      ['Characters: reference', 'docs/character'],
      ['Ragdolls: reference', 'docs/ragdolls'],
      ['Vehicles: reference', 'docs/vehicle'],
      ['Areas', 'docs/areas'],
      ['Step systems', 'docs/systems'],
      ['Continuous collision', 'docs/continuous'],
      ['Conveyors, one-way: reference', 'docs/conveyance'],
      ['The step and its settings', 'docs/step'],
      ['Threads: reference', 'docs/threads'],
      ['Geometry toolkit', 'docs/geometry'],
    ],
  },
  {
    text: 'State and time',
    items: [
      ['Determinism and rollback', 'docs/determinism'],
      ['Recordings', 'docs/recording'],
      ['Commands', 'docs/commands'],
      ['Rooms: reference', 'docs/net'],
    ],
  },
  {
    text: 'The project',
    items: [
      ['Glossary', 'docs/glossary'],
      ['Changelog', 'docs/changelog'],
      ['Benchmark results', 'docs/results'],
      ['Running the benchmark', 'docs/benchmark'],
      ['Cost over size', 'docs/scaling'],
      ['Rooms: running the trials', 'docs/rooms'],
      ['Contributing', 'docs/contributing'],
      ['Tour of the repository', 'docs/tour'],
      ['Decisions', 'docs/decisions'],
      ['The sanitizer', 'docs/sanitizer'],
      ['Credits', 'docs/credits'],
    ],
  },
];

const named = placed.flatMap(({ items }) => items.map(([, link]) => link));
const others = [
  ...readdirSync(docs),
  ...readdirSync(new URL('guides/', docs)).map((name) => `guides/${name}`),
]
  .filter((name) => name.endsWith('.md') && !named.includes(`docs/${name.slice(0, -3)}`))
  .map((name) => {
    const [, title] = /^# (.*)/m.exec(readFileSync(new URL(name, docs), 'utf8')) ?? [];
    return [title ?? name, `docs/${name.slice(0, -3)}`];
  });

export const sections = others.length > 0 ? [...placed, { text: 'More', items: others }] : placed;

export const bar = [
  ['Docs', 'docs/guides/start'],
  ['API', 'api/'],
  ['Playground', 'playground'],
  ['Gallery', 'gallery'],
  ['Benchmark', 'benchmark'],
  ['Determinism', 'determinism'],
];
