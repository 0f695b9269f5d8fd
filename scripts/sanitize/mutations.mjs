// npm run test:sanitize -- --mutations [numbers]: seeds faults in the core's index arithmetic, one at a time, and shows
// that each is caught: by a SanitizerError that names the table and the function. Takes some minutes.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildSanitizer, writeSanitizer } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(root, 'test/out/mutations');
/** A fault that makes the core hang is not caught. */
const LONGEST = 180_000;

/** What is wrong, the file in src/core, the text, and what takes its place. */
export const MUTATIONS = [
  [
    'a loop over a list goes one too far',
    'bodies/aabbs',
    'i < count; i++) {\n      const slot',
    'i <= count; i++) {\n      const slot',
  ],
  [
    'a list begins with its second entry',
    'islands/wake',
    'setWord(g.awake, g.awakeCount++, b.slot);',
    'setWord(g.awake, ++g.awakeCount, b.slot);',
  ],
  [
    'a row of another table',
    'memory/tables',
    'changetype<BodyVelocity>(<usize>world().velocities +',
    'changetype<BodyVelocity>(<usize>world().bodies +',
  ],
  [
    'a wrong stride',
    'memory/tables',
    'world().shapes + <usize>slot * SHAPE_SIZE',
    'world().shapes + <usize>slot * PAIR_SIZE',
  ],
  [
    'index −1 of scratch',
    'islands/activation',
    'if (isAwake(a) && isAwake(b)) unite(parents, a.awakeIndex, b.awakeIndex);\n      }',
    'unite(parents, a.awakeIndex, b.awakeIndex);\n      }',
  ],
  [
    'a pair is used after it was freed',
    'contacts/pairs',
    '  unlink(pair, 0);\n  unlink(pair, 1);\n  pairSetRemove(pair.shapeA, pair.shapeB);\n  freePair(index);\n',
    '  freePair(index);\n  unlink(pair, 0);\n  unlink(pair, 1);\n  pairSetRemove(pair.shapeA, pair.shapeB);\n',
  ],
  [
    'a body is used after it was freed',
    'bodies/bodies',
    '  leaveAwakeList(b);\n  memory.fill(changetype<usize>(b), 0, BODY_SIZE);\n',
    '  memory.fill(changetype<usize>(b), 0, BODY_SIZE);\n  leaveAwakeList(b);\n',
  ],
  [
    'an address kept while its table grows',
    'commands',
    '  reserveBody(slot);\n  const b = bodyAt(slot);\n',
    '  const b = bodyAt(slot);\n  reserveBody(slot);\n',
  ],
  [
    'a list grows one entry too late',
    'contacts/pairs',
    "growTable(offsetof<World>('waiting'), g.waitingCount + 1, WAITING_SIZE);",
    "growTable(offsetof<World>('waiting'), g.waitingCount, WAITING_SIZE);",
  ],
  [
    'a table grows by too few bytes',
    'solver/lanes',
    'reallocate(color.meta, <usize>old * META_SIZE, <usize>capacity * META_SIZE)',
    'reallocate(color.meta, <usize>old * META_SIZE, <usize>capacity * (META_SIZE - 16))',
  ],
  [
    'scratch is not filled from its beginning',
    'islands/activation',
    'for (let i = 0; i < count; i++) store<i32>(parents',
    'for (let i = 1; i < count; i++) store<i32>(parents',
  ],
  [
    'scratch is shorter than what is written to it',
    'solver/integrate',
    'scratch(<usize>count * 16 +',
    'scratch(<usize>count * 8 +',
  ],
  [
    'a buffer is cleared by half',
    'broadphase/sort',
    'memory.fill(histogram, 0, 1024);',
    'memory.fill(histogram, 0, 512);',
  ],
  [
    'corners of a hull are looked for behind its edges',
    'shapes/hull',
    '(<usize>(h.faceCount + 1 + corner)) << 2',
    '(<usize>(h.faceCount + 1 + corner + h.cornerCount)) << 3',
  ],
  [
    'a tree makes nodes without room',
    'broadphase/nodes',
    'if (needed <= tree.nodeCapacity) return;',
    'if (needed <= 2 * tree.nodeCapacity) return;',
  ],
  [
    'axes of a joint have the stride of its rows',
    'memory/tables',
    '<usize>axis * AXIS_SIZE',
    '<usize>axis * ROW_SIZE',
  ],
  [
    'a question changes a tree',
    'queries/overlaps',
    '    if (tree.leafCount == 0) continue;',
    '    tree.cursor++;\n    if (tree.leafCount == 0) continue;',
  ],
  [
    'the last entry is read behind the end of its list',
    'contacts/pairs',
    'const last = waitingAt(--g.waitingCount);',
    'const last = waitingAt(g.waitingCount--);',
  ],
  [
    'data of batches is written without room',
    'solver/joints/batches',
    'if (b.top > g.batchDataCapacity) {',
    'if (at > g.batchDataCapacity) {',
  ],
  [
    'a contact goes into a block that is not there',
    'solver/lanes',
    'if (lane == 0) pushBlock(color);',
    'if (lane == 1) pushBlock(color);',
  ],
  [
    'wheels are counted one too far',
    'actors/vehicles',
    'while (end < g.wheelCount &&',
    'while (end <= g.wheelCount &&',
  ],
  ['a vehicle has the wheels behind its own', 'actors/vehicles', 'c.first = first;', 'c.first = end;'],
  [
    'the next row of characters',
    'actors/character/table',
    'world().characters + <usize>i * CHARACTER_SIZE',
    'world().characters + <usize>(i + 1) * CHARACTER_SIZE',
  ],
  [
    'a plane is written behind the list of planes',
    'actors/character/planes',
    'PLANES + <usize>i * SIZE',
    'PLANES + <usize>(i + 17) * SIZE',
  ],
];

/** The same file with the fault in it; throws where the text is not there once. */
export function mutate([, file, from, to]) {
  const path = `src/core/${file}.ts`;
  const text = readFileSync(join(root, path), 'utf8');
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${path} has "${from}" ${parts.length - 1} times, not once`);
  return { [path]: parts.join(to) };
}

async function bundleScenes() {
  const output = join(folder, 'scenes.mjs');
  const build = await rolldown({
    input: join(root, 'test/sanitize/scenesEntry.ts'),
    platform: 'node',
    resolve: { alias: { ricochet: join(root, 'src/index.ts') } },
    logLevel: 'silent',
    plugins: [
      {
        name: 'sanitizer',
        resolveId(source) {
          if (/(^|\/)core-module$/.test(source)) return join(root, 'test/sanitize/core-module.ts');
          if (/\/sanitize\/(build|runtime)\.mjs$/.test(source))
            return { id: new URL(`./${source.split('/').at(-1)}`, import.meta.url).href, external: true };
          return null;
        },
      },
    ],
  });
  await build.write({ file: output, format: 'esm', codeSplitting: false });
  return output;
}

/** What the scenes say on a build. */
function look(scenes, built) {
  const child = spawn(process.execPath, [scenes], {
    env: { ...process.env, RICOCHET_SANITIZER: built, RICOCHET_SANITIZER_REPORT: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (bytes) => {
      output = (output + bytes).slice(-20_000);
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST);
  return new Promise((resolve) =>
    child.on('close', () => {
      clearTimeout(timer);
      const last = output.trim().split('\n').at(-1) ?? '';
      resolve(last.startsWith('{') ? JSON.parse(last) : { caught: false, message: `no answer: ${last}` });
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  const wanted = process.argv.slice(2).map(Number);
  const scenes = await bundleScenes();
  let missed = 0;
  const runs = [[0, ['no fault at all']], ...MUTATIONS.map((mutation, i) => [i + 1, mutation])];
  for (const [number, mutation] of runs) {
    if (wanted.length > 0 && !wanted.includes(number)) continue;
    const built = join(folder, `${number}`);
    writeSanitizer(await buildSanitizer(number === 0 ? {} : mutate(mutation)), built);
    const { caught, message, table, function: at } = await look(scenes, built);
    const right = number === 0 ? !caught && message === undefined : caught && Boolean(table) && Boolean(at);
    if (!right) missed++;
    console.log(
      `${right ? 'ok  ' : 'FAIL'} ${number} ${mutation[0]}\n     ${message ?? 'nothing is reported'}`,
    );
  }
  console.log(`\n${missed === 0 ? 'all as expected' : `${missed} not as expected`}`);
  process.exit(missed === 0 ? 0 : 1);
}
