// Rewrites test/determinism/golden.json and says what changed. Run it only when a change of the core
// was meant to change results: `node scripts/update-golden.mjs`. With --check nothing is written.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCore } from './build-core.mjs';
import { bundleGolden } from './golden-bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const path = join(root, 'test/determinism/golden.json');
const check = process.argv.includes('--check');

await buildCore(); // never hashes of a core that is not in the sources
const outDir = join(root, '.cache/golden');
mkdirSync(outDir, { recursive: true });
const { World, scenes, goldenScenes, runScene, runCourse, firstDifference, selfTest } = await import(
  await bundleGolden(outDir)
);

const old = JSON.parse(readFileSync(path, 'utf8'));
const now = {};
let changed = 0;
for (const scene of [...scenes, ...goldenScenes]) {
  if (scene.id in now) throw new Error(`two scenes are called ${scene.id}`);
  now[scene.id] = 'build' in scene ? runScene(World, scene) : runCourse(new World(scene.world), scene).hashes;
  const step = firstDifference(old[scene.id] ?? [], now[scene.id]);
  if (step > 0) changed++;
  console.log(
    !(scene.id in old)
      ? `${scene.id}: new`
      : step === 0
        ? `${scene.id}: unchanged`
        : `${scene.id}: differs from step ${step} on (${old[scene.id][step / 10 - 1]} → ${now[scene.id][step / 10 - 1]})`,
  );
}
for (const id of Object.keys(old)) if (!(id in now)) console.log(`${id}: gone`);
const { actual, expected } = selfTest();
if (actual !== expected) console.log(`self-test: ${expected || 'new'} → ${actual}`);
if (!check)
  writeFileSync(
    join(root, 'src/world/selfTestHash.ts'),
    `// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.\nexport const SELF_TEST_HASH = '${actual}';\n`,
  );
if (!check) writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`);
console.log(check ? `${changed} scenes differ` : `${changed} scenes updated in test/determinism/golden.json`);
process.exitCode = check && (changed > 0 || actual !== expected) ? 1 : 0;
