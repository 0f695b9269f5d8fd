#!/usr/bin/env node
// The command `ricochet`: verifies recordings and compares them, and decomposes models, in Node. In: arguments. Out: a summary, and an
// exit code: 0 all is equal, 1 something diverges, 2 a file or the command cannot be read.
import { readFile, writeFile } from 'node:fs/promises';
import { argv, exit, stderr, stdout } from 'node:process';
import { decompose, exportHulls, type importHulls, readHull, readMeshFile } from 'ricochet/cooking';
import { diffRecordings } from './diff';
import { type Divergence, Player } from './player';
import { type Recording, readRecording } from './read';

const USAGE = `usage:
  ricochet replay FILE [--go-on]   replays and verifies a recording
  ricochet diff A B                finds where two recordings part
  ricochet cook MODEL [options]    decomposes an OBJ or STL file into convex hulls, for importHulls
    --out=FILE        default: MODEL.hulls; a name in .obj gives a model to look at
    --hulls=32        the most hulls
    --vertices=32     the most vertices of a hull
    --concavity=0.02  how far hulls may reach beyond the solid, as a share of its longest side
    --resolution=72   cells along the longest side
    --scale=1         metres in a unit of the file
`;

const print = (text: string) => stdout.write(`${text}\n`);
const slotOf = (id: number) => `${id & 0x3ffff}${id >>> 18 > 1 ? ` (generation ${id >>> 18})` : ''}`;

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args.filter((word) => !word.startsWith('--'));
  const flags = new Set(args.filter((word) => word.startsWith('--')));
  if (command === 'replay' && rest.length === 1) return replay(rest[0] as string, flags.has('--go-on'));
  if (command === 'diff' && rest.length === 2) return diff(rest[0] as string, rest[1] as string);
  if (command === 'cook' && rest.length === 1) return cook(rest[0] as string, flags);
  stderr.write(USAGE);
  return 2;
}

const COOKING = {
  hulls: 'maxHulls',
  vertices: 'maxVertices',
  concavity: 'concavity',
  resolution: 'resolution',
};

async function cook(path: string, flags: Set<string>): Promise<number> {
  const options: Record<string, number> = {};
  let out = `${path}.hulls`;
  let scale = 1;
  for (const flag of flags) {
    const [, name = '', value = ''] = /^--(\w+)=(.+)$/.exec(flag) ?? [];
    if (name === 'out') out = value;
    else if (name === 'scale') scale = Number(value);
    else if (name in COOKING) options[COOKING[name as keyof typeof COOKING]] = Number(value);
    else {
      stderr.write(`${flag} is no option\n${USAGE}`);
      return 2;
    }
  }
  const { vertices, indices } = readMeshFile(await readFile(path));
  const { hulls, report } = decompose({ ...options, vertices: vertices.map((c) => c * scale), indices });
  await writeFile(out, out.endsWith('.obj') ? asObj(hulls) : exportHulls(hulls));
  print(
    `${path}: ${indices.length / 3} triangles, ${report.closed ? 'closed' : 'not closed: only its surface is solid'}`,
  );
  print(
    `  ${hulls.length} hulls reach ${report.depth.toPrecision(3)} m beyond it (cells of ${report.cell.toPrecision(3)} m)`,
  );
  print(`  written to ${out}`);
  return 0;
}

/** Each hull as an object of its own. */
function asObj(hulls: readonly ReturnType<typeof importHulls>[number][]): string {
  let first = 1;
  return hulls
    .map((hull, i) => {
      const { vertices, faces } = readHull(hull);
      const points = Array.from(
        { length: vertices.length / 3 },
        (_, v) => `v ${vertices.slice(3 * v, 3 * v + 3).join(' ')}`,
      );
      const lines = faces.map((face) => `f ${face.map((v) => v + first).join(' ')}`);
      first += points.length;
      return [`o hull_${i}`, ...points, ...lines, ''].join('\n');
    })
    .join('');
}

async function load(path: string): Promise<Recording> {
  return readRecording(await readFile(path));
}

async function replay(path: string, goOn: boolean): Promise<number> {
  const recording = await load(path);
  const player = new Player(recording);
  const { engine, notes } = recording.head;
  print(`${path}: ${recording.frames} steps, ${player.world.bodyCount} bodies at first`);
  print(
    `  ${recording.bytes} bytes, ${recording.contentBytes} unfolded, ${recording.keyframes.length} states`,
  );
  print(
    `  made by ricochet ${engine.version}, core ${engine.core}${player.isSameCore ? '' : ': not the core that replays it'}`,
  );
  if (Object.keys(notes).length > 0) print(`  notes: ${JSON.stringify(notes)}`);
  const { frames, hashes, queries, divergence, divergences } = player.verify({ goOn });
  print(`  replayed ${frames} steps, compared ${hashes} hashes and ${queries} queries`);
  print(`  ends with ${player.world.bodyCount} bodies, state ${player.world.stateHash()}`);
  if (divergence === null) {
    print('  verified: bit for bit the same');
    return 0;
  }
  print(`  DIVERGES: ${show(divergence)}`);
  if (goOn) print(`  ${divergences} differences in all`);
  return 1;
}

function show({ frame, kind, body, field, expected, actual }: Divergence): string {
  const where =
    kind === 'query' ? `${field} was answered otherwise` : `first in ${field ?? 'no field of a body'}`;
  const which =
    kind === 'query' ? '' : body === undefined ? ' of several bodies' : ` of body ${slotOf(body)}`;
  return `after step ${frame}, ${where}${which}; recorded ${JSON.stringify(expected)}, computed ${JSON.stringify(actual)}`;
}

async function diff(a: string, b: string): Promise<number> {
  const difference = diffRecordings(await load(a), await load(b));
  if (difference === null) {
    print('the same from the first step to the last');
    return 0;
  }
  const { frame, body, field } = difference;
  const what =
    field === 'length'
      ? 'one ends'
      : `${field ?? 'the state'}${body === undefined ? '' : ` of body ${slotOf(body)}`}`;
  print(
    `they part after step ${frame}: ${what}: ${JSON.stringify(difference.a)} and ${JSON.stringify(difference.b)}`,
  );
  return 1;
}

exit(
  await main(argv.slice(2)).catch((error: unknown) => {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }),
);
