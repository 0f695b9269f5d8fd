// A process that runs golden scenes with some mutants, until a hash differs. In: messages { mutants: [number, factor] each,
// file, most: steps }. Out: messages { noticed: a scene and a step, or '' }. The parent ends it if a mutant never does.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { acting } from './factors.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const golden = JSON.parse(readFileSync(join(root, 'test/determinism/golden.json'), 'utf8'));
const entry = pathToFileURL(join(root, 'test/out/mutate/entry.mjs'));
const { World, Course, continueCourse, goldenScenes } = await import(entry);

/** All scenes are run up to each of these steps before one is run farther: most mutants are noticed early somewhere. */
const DEPTHS = [40, 160, 400, 1000];

/** The first step up to `depth` at which a course differs, 0 if none does. */
function difference({ scene, course, done }, depth) {
  const expected = golden[scene.id];
  for (let step = done; step < depth; step += 10)
    if (continueCourse(course, step, step + 10)[0] !== expected[step / 10]) return step + 10;
  return 0;
}

/** Scenes, those first that noticed mutants of the same file, then of others. */
const noticedBy = new Map();
const cost = new Map();
const count = (key) => noticedBy.get(key) ?? 0;
const worth = (file, id) => (20 * count(`${file} ${id}`) + count(id) + 1) / (cost.get(id) ?? 1);

/** What is noticed first: a scene and a step, '' if nothing. */
function notice(file, depths) {
  const courses = [...goldenScenes]
    .sort((a, b) => worth(file, b.id) - worth(file, a.id))
    .map((scene) => ({ scene, course: null, done: 0 }));
  for (const depth of depths)
    for (const each of courses) {
      const { id } = each.scene;
      const start = process.hrtime.bigint();
      let noticed = '';
      try {
        each.course ??= new Course(new World(each.scene.world), each.scene);
        const step = difference(each, depth);
        if (step > 0) noticed = `${id} differs at step ${step}`;
      } catch (error) {
        noticed = `${id}: ${String(error.message).slice(0, 60)}`;
      }
      if (noticed) {
        for (const key of [id, `${file} ${id}`]) noticedBy.set(key, count(key) + 1);
        return noticed;
      }
      each.done = depth;
      if (depth === DEPTHS[0]) cost.set(id, Number(process.hrtime.bigint() - start) / 1e9 + 0.05);
      process.send({ alive: id });
    }
  return '';
}

process.on('message', ({ mutants, file, most }) => {
  acting.clear();
  for (const [number, factor] of mutants) acting.set(number, factor);
  process.send({
    noticed: notice(
      file,
      DEPTHS.filter((depth) => depth <= most),
    ),
  });
});
process.send({ ready: true });
