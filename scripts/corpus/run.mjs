// Published programs for ammo.js, on ammo.js and on ours. In: programs.json, and their repositories under --from
// (`--fetch` clones them there; nothing of them is kept here). Out: what differs first, the worst first: programs that end
// on ammo.js and not on ours, errors, numbers of bodies, places; then how many ran.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    from: { type: 'string' },
    fetch: { type: 'boolean', default: false },
    programs: { type: 'string', default: join(here, 'programs.json') },
    module: { type: 'string', default: join(here, '../../dist/ammo.js') },
    only: { type: 'string', default: '' },
    frames: { type: 'string', default: '300' },
    engine: { type: 'string', default: 'ricochet' },
  },
});
if (!options.from) {
  console.error(
    'usage: npm run corpus -- --from DIRECTORY [--fetch] [--only NAME] [--engine replica] [--frames N]',
  );
  process.exit(2);
}
const programs = JSON.parse(readFileSync(options.programs, 'utf8')).filter(({ repository, page }) =>
  `${repository}/${page}`.includes(options.only),
);
if (options.fetch)
  for (const repository of new Set(programs.map((one) => one.repository))) {
    const to = join(options.from, repository);
    if (existsSync(to)) continue;
    const address = `https://github.com/${repository}.git`;
    execFileSync('git', ['clone', '--depth', '1', address, to], { stdio: 'inherit' });
  }

/** The trace of a program on an engine, or why there is none. */
function play({ repository, page }, engine) {
  const root = join(options.from, repository);
  if (!existsSync(join(root, page))) return { missing: true };
  const args = [join(here, 'play.mjs'), '--root', root, '--page', page, '--engine', engine];
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    [...args, '--module', options.module, '--frames', options.frames],
    { encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28 },
  );
  const line = stdout.trim().split('\n').at(-1) ?? '';
  if (status === 0 && line.startsWith('{')) return JSON.parse(line);
  return { crash: signal ?? (stderr.trim().split('\n').at(-1) || `exit ${status}`) };
}

/** m: bodies nearer than this are in the same place. */
const NEAR = 0.1;

/** What differs first; null for nothing. The lower the rank, the worse. */
export function difference(theirs, mine) {
  if (mine.crash) return { rank: 0, text: `does not end: ${mine.crash}` };
  const fresh = mine.errors.filter((error) => !theirs.errors.includes(error));
  if (fresh.length > 0) return { rank: 1, text: `error: ${fresh[0]}` };
  if (mine.steps !== theirs.steps) return { rank: 2, text: `${mine.steps} steps, ammo.js ${theirs.steps}` };
  for (const [i, places] of theirs.places.entries()) {
    const frame = 10 * i + 10;
    const ours = mine.places[i] ?? [];
    if (ours.length !== places.length)
      return { rank: 3, text: `frame ${frame}: ${ours.length} bodies, ammo.js ${places.length}` };
    for (const [k, place] of places.entries()) {
      const far = Math.hypot(...place.map((part, axis) => part - ours[k][axis]));
      if (!(far <= NEAR))
        return {
          rank: 4,
          text: `frame ${frame}: body ${k} at ${ours[k].join(', ')}, ammo.js ${place.join(', ')} (${far.toFixed(2)} m)`,
        };
    }
  }
  return null;
}

const found = [];
const counts = { same: 0, differ: 0, neither: 0, missing: 0 };
for (const program of programs) {
  const name = `${program.repository}/${program.page}`;
  const theirs = play(program, 'ammo.js');
  if (theirs.missing) {
    counts.missing++;
    found.push({ rank: 9, name, text: 'not fetched' });
    continue;
  }
  if (theirs.crash || theirs.bodies === 0) {
    counts.neither++;
    const why = theirs.crash ?? theirs.errors[0] ?? 'it makes no bodies';
    found.push({ rank: 8, name, text: `cannot be played on ammo.js either: ${why}` });
    continue;
  }
  const mine = play(program, options.engine);
  const one = difference(theirs, mine);
  const both = theirs.errors.length > 0 ? `; both: ${theirs.errors[0]}` : '';
  if (one) counts.differ++;
  else counts.same++;
  found.push({
    name,
    rank: one?.rank ?? 7,
    text: one?.text ?? `the same: ${theirs.bodies} bodies, ${theirs.steps} steps${both}`,
  });
}
for (const { name, text } of found.sort((a, b) => a.rank - b.rank)) console.log(`${name}\n    ${text}`);
console.log(
  `\n${programs.length} programs: ${counts.same} the same, ${counts.differ} differ, ${counts.neither} not playable, ${counts.missing} not fetched`,
);
process.exitCode = found.some(({ rank }) => rank <= 1) ? 1 : 0;
