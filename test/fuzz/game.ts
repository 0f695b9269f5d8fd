// A world, what the texts of calls name, and the model beside it. In: calls. Out: what is wrong, if anything is. This is
// the oracle: what holds after every call, whatever it was.
import {
  PhysicsError,
  type PhysicsErrorCode,
  type PhysicsWorld,
  type WorldBody,
  type WorldJoint,
} from 'ricochet';
import type { Draft } from './calls';
import { Helpers, Hostile } from './hostile';
import { difference, findNaN, type Model, readModel, shapeCount } from './model';
import type { Quality } from './text';

export interface Call extends Draft {
  /** What is run, and printed. */
  code: string;
  /** Of the member that is called: `body.setMass`. */
  name: string;
  quality: Quality;
  needs: readonly string[];
  run?: (...named: unknown[]) => unknown;
}

/** ms of processor time that a call may take. */
export const HANG = 1000;
/** Calls between two looks at the processor's clock, which costs as much as many of them. */
const CLOCK_CALLS = 32;
/** Codes that no call of these has a right to. */
const WRONG_CODES: readonly PhysicsErrorCode[] = [
  'out-of-memory',
  'protocol',
  'worker-lost',
  'unsupported-host',
];
/** Members that answer, or do nothing, in a world that was disposed of. */
const LASTING =
  /\.(id|userData|world|isDisposed|dispose|toJSON|isRunning|transport|watch|off|stats|debugLines|fixedTimeStep|isRemoved|events|interpolationTime|bodies|joints)$/;

/** What the texts of calls name. */
const NAMES = ['w', 'ob', 'oj', 'b', 'j', 's', 'q', 'c', 'h'];

interface Kept {
  id: number;
  /** Its id was given to something else. */
  isDead: boolean;
}

export interface GameOptions {
  world: PhysicsWorld;
  /** Of another world. */
  foreign: { body: WorldBody; joint: WorldJoint };
  /** What is not part of PhysicsWorld: the state's checker. Text of what is wrong. */
  inspect?: () => string | undefined;
  /** Whether the hash is looked at before a call. */
  isHashed: (index: number) => boolean;
  /** Answers are promises. */
  isAsync?: boolean;
  /** What was told of beside the calls: nothing may be. */
  reported?: unknown[];
  /** Members that answer, or do nothing, in a world that was disposed of. */
  lasting?: RegExp;
}

type List = 'b' | 'j' | 's' | 'q' | 'c';

export class Game {
  readonly h = new Helpers();
  readonly lists: Record<List, unknown[]> = { b: [], j: [], s: [], q: [], c: [] };
  readonly models: { s: (Model | undefined)[]; q: (Model | undefined)[] } = { s: [], q: [] };
  model: Model;
  /** Refusals by code, for the report. */
  readonly codes = new Map<string, number>();
  private readonly kept: { b: (Kept | undefined)[]; j: (Kept | undefined)[] } = { b: [], j: [] };
  /** Characters that are known. */
  private met = 0;
  private count = 0;
  private clock = process.cpuUsage();

  constructor(readonly options: GameOptions) {
    this.model = readModel(options.world);
  }

  get world(): PhysicsWorld {
    return this.options.world;
  }

  /** Makes a call. Out: what is wrong; undefined where all is well. */
  async run(call: Call): Promise<string | undefined> {
    if (call.needs.some((name) => this.valueOf(name) === undefined)) return undefined;
    const { world, h } = this;
    const wasDisposed = world.isDisposed;
    const refused = wasDisposed
      ? 'maybe'
      : typeof call.refused === 'function'
        ? call.refused(this.model)
        : call.refused;
    h.reset(); // listeners may act while the hash is asked for
    const isHashed = !wasDisposed && this.options.isHashed(this.count++);
    const before = isHashed ? await world.stateHash() : '';
    if (this.count % CLOCK_CALLS === 0) this.clock = process.cpuUsage();
    const from = performance.now();
    let error: unknown;
    let result: unknown;
    try {
      result = this.evaluate(call);
      if (result instanceof Promise) result = await result;
    } catch (thrown) {
      error = thrown ?? 'nothing';
    }
    await h.settled();
    if (performance.now() - from > HANG) {
      const { user, system } = process.cpuUsage(this.clock); // a busy machine takes its time, too
      if ((user + system) / 1000 > HANG) return `hang: ${Math.round((user + system) / 1000)} ms`;
    }
    const wrong =
      this.judge(call, error, refused, wasDisposed) ??
      (error === undefined && call.quality === 'good' ? this.answer(result) : undefined);
    if (wrong !== undefined) return wrong;
    const { reported } = this.options;
    if (reported !== undefined && reported.length > 0) return `reported: ${showError(reported.splice(0)[0])}`;
    if (world.isDisposed) return undefined;
    this.follow(call, error, result);
    const changed = error !== undefined || call.asks === true;
    const steps = error instanceof Hostile && /step|advance|update/i.test(call.name); // a callback threw in a step
    if (isHashed && changed && !h.hasActed && !steps && (await world.stateHash()) !== before)
      return `hash: ${error === undefined ? 'a question' : 'a refused call'} changed the state`;
    return this.compare();
  }

  private evaluate(call: Call): unknown {
    const { world, h, lists, options } = this;
    call.run ??= compiled(call.code, options.isAsync === true);
    return call.run(
      world,
      options.foreign.body,
      options.foreign.joint,
      lists.b,
      lists.j,
      lists.s,
      lists.q,
      lists.c,
      h,
    );
  }

  private valueOf(name: string): unknown {
    return this.lists[name[0] as List][Number(name.slice(2, -1))];
  }

  /** Errors: which there may be, and which there must be. */
  private judge(
    call: Call,
    error: unknown,
    refused: boolean | 'maybe' | undefined,
    wasDisposed: boolean,
  ): string | undefined {
    const { quality, name } = call;
    const { strays } = this.h;
    const stray = strays.splice(0).find((each) => !isOwn(each));
    if (stray !== undefined) return `untyped, in a call from within: ${showError(stray)}`;
    if (
      error !== undefined &&
      !(error instanceof PhysicsError) &&
      !(error instanceof Hostile) &&
      !isOwn(error)
    )
      return `untyped: ${showError(error)}`;
    if (error instanceof PhysicsError) {
      this.codes.set(error.code, (this.codes.get(error.code) ?? 0) + 1);
      if (WRONG_CODES.includes(error.code)) return `code: ${showError(error)}`;
      if (error.code === 'invalid-argument' && error.argument === '')
        return `code: no argument named: ${showError(error)}`;
    }
    if (wasDisposed) {
      if (error === undefined)
        return (this.options.lasting ?? LASTING).test(name) ? undefined : 'taken: the world is disposed of';
      const isFree = quality !== 'good' || call.refused === 'maybe' || this.options.lasting !== undefined;
      if (isFree || !(error instanceof PhysicsError)) return undefined;
      return error.code === 'disposed' || error.code === 'stale-id'
        ? undefined
        : `code: should be 'disposed': ${showError(error)}`;
    }
    if (this.h.hasActed) return undefined;
    if (quality === 'bad' && error === undefined) return 'taken: a bad argument';
    if (quality !== 'good') return undefined;
    if (refused === true && error === undefined) return 'taken: must be refused';
    if (refused !== true && refused !== 'maybe' && error instanceof PhysicsError && error.code !== 'stale-id')
      return `refused: ${showError(error)}`;
    return undefined;
  }

  private answer(result: unknown): string | undefined {
    const at = findNaN(result);
    return at === undefined ? undefined : `NaN: in the answer${at}`;
  }

  /** The model does what the world did. */
  private follow(call: Call, error: unknown, result: unknown): void {
    const { h, model, world } = this;
    const learns = h.hasActed || (error === undefined && (call.learns === true || call.quality !== 'good'));
    if (error === undefined && call.quality !== 'bad' && !h.hasActed && call.quality === 'good')
      call.effect?.(model, result);
    else if (error === undefined && /^([sq])\[\d+\] =/.test(call.code))
      call.effect?.(readModel(world), result);
    if (learns) this.model = readModel(world);
    this.meet('b');
    this.meet('j');
    this.meetCharacters();
    if (h.hasActed || call.quality !== 'good') this.lose();
  }

  /** Handles that are new: older ones of the same ids are dead. */
  private meet(list: 'b' | 'j'): void {
    const handles = this.lists[list] as ({ id: number } | undefined)[];
    const kept = this.kept[list];
    for (let i = kept.length; i < handles.length; i++) {
      const id = handles[i]?.id;
      if (id === undefined) {
        kept.push(undefined);
        continue;
      }
      for (const older of kept) if (older?.id === id) older.isDead = true;
      kept.push({ id, isDead: false });
    }
  }

  /** Bodies of new characters: after a restore, they can have the ids of others. */
  private meetCharacters(): void {
    const { c } = this.lists;
    for (; this.met < c.length; this.met++) {
      const id = (c[this.met] as { body: { id: number } } | undefined)?.body.id;
      for (const older of this.kept.b) if (older !== undefined && older.id === id) older.isDead = true;
    }
  }

  /** Calls from within made handles that nobody kept: which are dead is read. */
  private lose(): void {
    for (const list of ['b', 'j'] as const)
      this.kept[list].forEach((kept, i) => {
        const handle = this.lists[list][i] as { isDead: boolean } | undefined;
        if (kept !== undefined && handle?.isDead === true) kept.isDead = true;
      });
  }

  /** Id of a handle, while it stands for something. */
  idOf(list: 'b' | 'j', index: number): number {
    const kept = this.kept[list][index];
    return kept === undefined || kept.isDead ? 0 : kept.id;
  }

  /** Counts after every call, everything now and then. */
  private compare(): string | undefined {
    const { world, model } = this;
    const is = [world.bodyCount, world.shapeCount, world.jointCount];
    const should = [model.bodies.size, shapeCount(model), model.joints.size];
    if (is.join() !== should.join())
      return `model: counts of bodies, shapes, joints are ${is}, should be ${should}`;
    return this.count % 8 === 0 ? this.compareAll() : undefined;
  }

  compareAll(): string | undefined {
    const { world, model } = this;
    if (world.isDisposed) return undefined;
    const is = readModel(world);
    const differs =
      difference(is.bodies, model.bodies, 'bodies') ?? difference(is, { ...model, bodies: is.bodies });
    if (differs !== undefined) return `model: ${differs}`;
    for (const [list, live] of [
      ['b', model.bodies],
      ['j', model.joints],
    ] as const)
      for (const [i, kept] of this.kept[list].entries()) {
        if (kept === undefined) continue;
        const handle = this.lists[list][i] as WorldBody;
        const isRemoved = kept.isDead || !live.has(kept.id);
        if (handle.isRemoved !== isRemoved)
          return `handle: ${list}[${i}].isRemoved is ${handle.isRemoved}, should be ${isRemoved}`;
        if (
          !isRemoved &&
          (list === 'b' ? world.getBody(kept.id) : world.getJoint(kept.id)) !== (handle as unknown)
        )
          return `handle: ${list}[${i}] is not what its id leads to`;
      }
    return this.count % 24 === 0 ? this.options.inspect?.() : undefined;
  }
}

/** What the host throws of itself at the first look at some arguments: a proxy that was revoked. */
export function isOwn(error: unknown): boolean {
  return error instanceof TypeError && /revoked/.test(error.message);
}

/** What is kept of an answer that is a promise is its value. */
function compiled(code: string, isAsync: boolean): NonNullable<Call['run']> {
  if (!isAsync) return new Function(...NAMES, `return (${code});`) as NonNullable<Call['run']>;
  const awaited = code.replace(/^([sqc]\[\d+\]) = /, '$1 = await ');
  return new AsyncFunction(...NAMES, `return (${awaited});`) as NonNullable<Call['run']>;
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

export function showError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const where = (error.stack ?? '').split('\n').find((line) => /\/(src|worker)\//.test(line)) ?? '';
  const code = error instanceof PhysicsError ? ` [${error.code}]` : '';
  return `${error.name}${code}: ${error.message} ${where.trim().replace(/\(?file:\/\/|\/.*?\/(?=src\/|worker\/)/g, '')}`;
}
