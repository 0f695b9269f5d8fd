// What the site's menus show. A document of docs/ that no section names is in the last one, under its own title.
import { readdirSync, readFileSync } from 'node:fs';

const docs = new URL('../docs/', import.meta.url);

const placed = [
  {
    text: 'Guides',
    items: [
      ['First steps in five minutes', 'docs/guides/start'],
      ['Choose your setting', 'docs/guides/settings'],
      ['Units and scales', 'docs/guides/units'],
      ['Materials and filters', 'docs/guides/materials'],
      ['Events and triggers', 'docs/guides/events'],
      ['Stacks', 'docs/guides/stacks'],
      ['Your update loop in the worker', 'docs/guides/update-loop'],
      ['Picking and dragging', 'docs/guides/picking'],
      ['Saving games', 'docs/guides/saving'],
      ['Performance', 'docs/guides/performance'],
      ['Debugging', 'docs/guides/debugging'],
      ['Questions', 'docs/guides/faq'],
      ['Moving from another engine', 'docs/guides/moving'],
      ['Bundlers, frameworks, CSP', 'docs/guides/bundlers'],
      ['Limits', 'docs/guides/limits'],
    ],
  },
  {
    text: 'Ways in',
    items: [
      ['Hello', 'docs/hello'],
      ['One world, two places', 'docs/worlds'],
      ['The worker', 'docs/worker'],
      ['three.js', 'docs/three'],
      ['glTF', 'docs/gltf'],
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
      ['Joints', 'docs/joints'],
      ['Queries', 'docs/queries'],
      ['Characters', 'docs/character'],
      ['Ragdolls', 'docs/ragdolls'],
      ['Vehicles', 'docs/vehicle'],
      ['Areas', 'docs/areas'],
      ['Step systems', 'docs/systems'],
      ['Continuous collision', 'docs/continuous'],
      ['Conveyors and one-way', 'docs/conveyance'],
      ['The step and its settings', 'docs/step'],
      ['Several threads', 'docs/threads'],
      ['Geometry toolkit', 'docs/geometry'],
    ],
  },
  {
    text: 'State and time',
    items: [
      ['Determinism and rollback', 'docs/determinism'],
      ['Recordings', 'docs/recording'],
      ['Commands', 'docs/commands'],
      ['Rooms', 'docs/net'],
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
