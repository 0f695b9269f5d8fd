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
/** rad: bodies turned by less are turned alike. */
const ALIKE = 0.2;

/** How bodies lie in one frame beside those of ammo.js; null for alike. */
function placesDiffer(frame, theirs, ours) {
  if (ours.length !== theirs.length)
    return { rank: 3, text: `frame ${frame}: ${ours.length} bodies, ammo.js ${theirs.length}` };
  for (const [k, place] of theirs.entries()) {
    const [at, there] = [ours[k].slice(0, 3), place.slice(0, 3)];
    const far = Math.hypot(...there.map((part, axis) => part - at[axis]));
    if (!(far <= NEAR))
      return {
        rank: 4,
        text: `frame ${frame}: body ${k} at ${at.join(', ')}, ammo.js ${there.join(', ')} (${far.toFixed(2)} m)`,
      };
    const cosine = Math.abs(place.slice(3).reduce((sum, part, i) => sum + part * ours[k][3 + i], 0));
    const turned = 2 * Math.acos(Math.min(1, cosine));
    if (!(turned <= ALIKE))
      return {
        rank: 5,
        text: `frame ${frame}: body ${k} is turned by ${turned.toFixed(2)} rad from ammo.js's; at ${at.join(', ')}`,
      };
  }
  return null;
}

/** What differs first; null for nothing. The lower the rank, the worse. */
export function difference(theirs, mine) {
  if (mine.crash) return { rank: 0, text: `does not end: ${mine.crash}` };
  const fresh = mine.errors.filter((error) => !theirs.errors.includes(error));
  if (fresh.length > 0) return { rank: 1, text: `error: ${fresh[0]}` };
  if (mine.steps !== theirs.steps) return { rank: 2, text: `${mine.steps} steps, ammo.js ${theirs.steps}` };
  for (const [i, places] of theirs.places.entries()) {
    const one = placesDiffer(10 * i + 10, places, mine.places[i] ?? []);
    if (one) return one;
  }
  return null;
}

/** Pairs that touch on one engine only, in the last frame that was looked at. */
function touching(theirs, mine) {
  const [a, b] = [new Set(theirs.touching.at(-1)), new Set(mine.touching?.at(-1))];
  const only = (one, other) => [...one].filter((pair) => !other.has(pair));
  const [lost, fresh] = [only(a, b), only(b, a)];
  return lost.length + fresh.length === 0
    ? ''
    : `; of ${a.size} pairs that touch in the end ${lost.length} do not here, and ${fresh.length} others do (${[...lost, ...fresh][0]})`;
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
    text:
      one?.text ?? `the same: ${theirs.bodies} bodies, ${theirs.steps} steps${touching(theirs, mine)}${both}`,
  });
}
for (const { name, text } of found.sort((a, b) => a.rank - b.rank)) console.log(`${name}\n    ${text}`);
console.log(
  `\n${programs.length} programs: ${counts.same} the same, ${counts.differ} differ, ${counts.neither} not playable, ${counts.missing} not fetched`,
);
process.exitCode = found.some(({ rank }) => rank <= 1) ? 1 : 0;
