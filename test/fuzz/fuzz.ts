// Episodes: a world, some hundred random calls, its end. In: seeds. Out: failures, each as a seed and the fewest calls that
// show it, to be pasted into a test (`replay`).
import { appendFileSync, writeFileSync } from 'node:fs';
import type { PhysicsWorld } from 'ricochet';
import { Chance } from '../support/randomWorlds';
import { type Call, Game, type GameOptions, showError } from './game';
import { Generator, type Surface } from './generator';
import { shrink } from './shrink';

/** A kind of world, and what is looked at in the end. */
export interface Subject {
  name: string;
  surface: Surface;
  /** Answers are promises. */
  isAsync?: boolean;
  open: (seed: number) => Promise<GameOptions> | GameOptions;
  /** After the last call, the world still there. */
  end?: (game: Game, seed: number) => Promise<string | undefined> | string | undefined;
  close: (world: PhysicsWorld) => void;
}

export interface Failure {
  seed: number;
  message: string;
  calls: readonly string[];
}

export interface Report {
  calls: number;
  failures: Failure[];
  codes: Map<string, number>;
}

const CALLS_PER_EPISODE = 300;
/** Calls from the end of the world on. */
const AFTERWARDS = 11;
/** ms of processor time in which a failure is made smaller. */
export const SHRINK_TIME = 15_000;
const END: Call = { code: 'w.dispose()', name: 'world.dispose', quality: 'good', needs: [] };

/** A file that gets each call before it is made: for a call that never ends. */
const TRACE = process.env['FUZZ_TRACE'];

/** `seed`: of an episode that begins. */
export function traced<T extends { code: string }>(call: T, seed?: number): T {
  if (TRACE === undefined) return call;
  if (seed !== undefined) writeFileSync(TRACE, `// seed ${seed}\n`);
  appendFileSync(TRACE, `${call.code};\n`);
  return call;
}

async function opened(subject: Subject, seed: number): Promise<GameOptions> {
  return { isAsync: subject.isAsync === true, ...(await subject.open(seed)) };
}

export async function fuzz(
  subject: Subject,
  { calls, seed }: { calls: number; seed: number },
): Promise<Report> {
  const report: Report = { calls: 0, failures: [], codes: new Map() };
  for (let episode = seed; report.calls < calls; episode++) {
    const made: Call[] = [];
    const generator = new Generator(
      new Chance(episode),
      subject.surface,
      new Game(await opened(subject, episode)),
    );
    const message = await play(subject, episode, report, generator, made);
    report.calls += made.length;
    if (message === undefined) continue;
    if (TRACE !== undefined) appendFileSync(TRACE, `// ${message}\n`);
    const kind = message.split(':')[0]!;
    const fewest = await shrink(
      made,
      SHRINK_TIME,
      async (list) => (await again(subject, episode, generator, list))?.split(':')[0] === kind,
    );
    report.failures.push({
      seed: episode,
      message: (await again(subject, episode, generator, fewest)) ?? `${message} (not again)`,
      calls: fewest.map(({ code }) => code),
    });
    if (report.failures.length >= 5) break;
  }
  return report;
}

async function play(
  subject: Subject,
  seed: number,
  report: Report,
  generator: Generator,
  made: Call[],
): Promise<string | undefined> {
  const { game } = generator;
  try {
    for (let i = 0; i < CALLS_PER_EPISODE + AFTERWARDS; i++) {
      const call = i === CALLS_PER_EPISODE ? END : generator.call();
      made.push(call);
      const message = await taken(subject, game, seed, traced(call, i === 0 ? seed : undefined));
      if (message !== undefined) return message;
    }
    return undefined;
  } finally {
    for (const [code, count] of game.codes) report.codes.set(code, (report.codes.get(code) ?? 0) + count);
    subject.close(game.world);
  }
}

/** A call; before the one that ends the world its state is looked at as a whole. */
async function taken(subject: Subject, game: Game, seed: number, call: Call): Promise<string | undefined> {
  if (call === END && !game.world.isDisposed) {
    const message = await ended(subject, game, seed);
    if (message !== undefined) return message;
  }
  return game.run(call);
}

/** What is wrong with the world after the last call; what a look at it throws is wrong, too. */
async function ended(subject: Subject, game: Game, seed: number): Promise<string | undefined> {
  try {
    return game.compareAll() ?? game.options.inspect?.() ?? (await subject.end?.(game, seed));
  } catch (error) {
    return `end: ${showError(error)}`;
  }
}

/** The same calls, or a part of them, in a new world. */
async function again(
  subject: Subject,
  seed: number,
  generator: Generator,
  calls: readonly Call[],
): Promise<string | undefined> {
  const game = new Game(await opened(subject, seed));
  generator.game = game;
  try {
    for (const call of calls) {
      const message = await taken(subject, game, seed, call);
      if (message !== undefined) return message;
    }
    return undefined;
  } finally {
    subject.close(game.world);
  }
}

export function show({ seed, message, calls }: Failure): string {
  return `seed ${seed}: ${message}\n${calls.map((code) => `  ${code};`).join('\n')}`;
}

/** Calls as text, one a line, as `show` prints them; the state is looked at after each. Out: what is wrong, and where. */
export async function replay(
  subject: Subject,
  seed: number,
  lines: readonly string[],
): Promise<string | undefined> {
  const game = new Game(await opened(subject, seed));
  try {
    for (const line of lines) {
      const code = line.trim().replace(/;$/, '');
      if (code === '' || code.startsWith('//')) continue;
      const call: Call = { code, name: code, quality: 'odd', needs: [], learns: true };
      const message =
        (await game.run(call)) ?? (game.world.isDisposed ? undefined : game.options.inspect?.());
      if (message !== undefined) return `${message}\n  ${code}`;
    }
    return undefined;
  } finally {
    subject.close(game.world);
  }
}
