// Writes the table of speeds in README.md from the first table of bench/RESULTS.md, so that the two never differ.
// test/docs.test.ts checks that nobody forgot.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');

const NAMES = { 'rapier-simd': 'Rapier', jolt: 'Jolt', havok: 'Havok', physx: 'PhysX', ammo: 'ammo.js' };
/** What is shown, where we lead first. */
const SCENES = [
  'pyramid',
  'stackgrid',
  'pile-mixed',
  'convex-pile',
  'trimesh',
  'spheres5000',
  'rays',
  'ragdolls',
  'joint-grid',
  'tumbler',
];
const HEAD = '| scene | ricochet | fastest peer | ratio |\n|---|---:|---:|---:|\n';

const cells = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('**', ''));

/** The table as Markdown. */
export function speedTable(results) {
  const lines = results.slice(results.indexOf('\n| scene |')).trimStart().split('\n');
  const engines = cells(lines[0]).slice(1);
  const rows = lines.map(cells);
  return (
    HEAD +
    SCENES.map((scene) => {
      const [title, ...values] = rows.find(([text]) => text?.startsWith(`${scene}:`));
      const figures = values.map((value, i) => ({
        engine: engines[i],
        value: /^([\d.]+) \(([\d.]+)\)/.exec(value),
      }));
      const ours = figures.find(({ engine }) => engine === 'ricochet').value;
      const best = figures.find(({ engine, value }) => engine !== 'ricochet' && value?.[2] === '1.00');
      const label = title.replace(/\(.*\)/, '').trim();
      return `| ${label} | ${ours[1]} | ${NAMES[best.engine]} ${best.value[1]} | ${ours[2]} |\n`;
    }).join('')
  );
}

/** A text of README.md with the table of today. */
export function withSpeeds(readme, results) {
  const from = readme.indexOf(HEAD);
  const end = readme.indexOf('\n\n', from) + 1;
  return readme.slice(0, from) + speedTable(results) + readme.slice(end);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(root, 'README.md');
  writeFileSync(
    path,
    withSpeeds(readFileSync(path, 'utf8'), readFileSync(join(root, 'bench/RESULTS.md'), 'utf8')),
  );
}
