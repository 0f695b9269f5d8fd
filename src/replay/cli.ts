#!/usr/bin/env node
// The command `ricochet`: verifies recordings and compares them, in Node. In: arguments. Out: a summary, and an
// exit code: 0 all is equal, 1 something diverges, 2 a file or the command cannot be read.
import { readFile } from 'node:fs/promises';
import { argv, exit, stderr, stdout } from 'node:process';
import { diffRecordings } from './diff';
import { type Divergence, Player } from './player';
import { type Recording, readRecording } from './read';

const USAGE = `usage:
  ricochet replay FILE [--go-on]   replays and verifies a recording
  ricochet diff A B                finds where two recordings part
`;

const print = (text: string) => stdout.write(`${text}\n`);
const slotOf = (id: number) => `${id & 0x3ffff}${id >>> 18 > 1 ? ` (generation ${id >>> 18})` : ''}`;

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args.filter((word) => !word.startsWith('--'));
  const flags = new Set(args.filter((word) => word.startsWith('--')));
  if (command === 'replay' && rest.length === 1) return replay(rest[0] as string, flags.has('--go-on'));
  if (command === 'diff' && rest.length === 2) return diff(rest[0] as string, rest[1] as string);
  stderr.write(USAGE);
  return 2;
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
