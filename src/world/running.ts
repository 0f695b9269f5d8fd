// Runs a core instance and its registry together. In: command streams, steps. Out: encoded events, figures. Queries and
// the state as bytes are in Simulation.

import { PhysicsError } from '../base/errors';
import type { BodyId } from '../base/ids';
import { invalid } from '../base/validate';
import { EventLog } from '../events/events';
import { onlyMove } from '../replica/commands';
import { followCommands } from '../replica/follow';
import type { Registry } from '../replica/registry';
import * as rows from '../wasm/core-commands';
import { type Actors, type CoreExports, CoreInstance, type CoreMaker } from '../wasm/instance';

/** @internal Hears of everything that changes a world, in its order: a recorder. Views are valid during the call only. */
export interface WorldTap {
  /** Commands were applied. */
  commands(words: Int32Array): void;
  /** A step of so many seconds was made. */
  step(dt: number): void;
  /** The state was replaced. */
  restored(): void;
  /** A pair filter was asked in the step that goes on. */
  filtered(collide: boolean): void;
}

/** @internal Step systems: see systems.ts. None of it throws, but for `read`. */
export interface StepHooks {
  /** Makes a step of `h` s, with what systems do before and after it. */
  step(h: number): void;
  /** Their states, a section of snapshots. */
  save(): Int32Array;
  /** Throws 'damaged-snapshot'; else returns what sets them to these states. */
  read(words: Int32Array): () => void;
  close(): void;
}

/** Nothing was told. */
export const NO_EVENTS: Int32Array = new Int32Array(0);

/** `Body`: what stands for a body in answers, a RigidBody or its bare id. */
export abstract class Running<Body extends { readonly id: BodyId }> {
  /** @internal What exists. */
  readonly replica: Registry;
  /** @internal The core's memory. */
  readonly instance: CoreInstance;

  /** @internal */
  tap: WorldTap | null = null;

  /** @internal */
  hooks: StepHooks | null = null;
  /** @internal States of step systems that nobody has asked for yet. */
  systemState: Int32Array = new Int32Array(0);

  protected readonly log = new EventLog();
  /** Events of calls that came before a state which was restored since: its next step tells them, too. */
  protected owedEvents = NO_EVENTS;
  protected localTime = 0;
  protected fixedTimeStep = 0;
  /** Names what the registry knows: another number whenever it learns or forgets something. */
  protected revision = 0;
  protected lastRevision = 0;
  /** The words of `revision`, once they were asked for. */
  protected replicaWords: Int32Array | undefined;
  /** Not 'ready': what goes on. */
  /** @internal */
  state: 'ready' | 'in the step' | 'reporting events' | 'disposed' | 'broken' = 'ready';

  /** @internal World makes itself. */
  constructor(registry: Registry, make?: CoreMaker | string) {
    this.replica = registry;
    this.instance = new CoreInstance(
      {
        pairFilter: (a, b) => {
          const collide = this.askPairFilter(a, b);
          this.tap?.filtered(collide);
          return collide;
        },
        actors: () => this.actorModule(),
      },
      make,
    );
  }

  /** @internal What stands for a body; also for one that is gone. */
  abstract resolve(id: BodyId): Body;

  /** @internal The id of a live body of this world, given by what stands for it, or by id. */
  abstract idOf(body: Body | BodyId, argument?: string): BodyId;

  /** @internal The module of actors: see core/actors.ts. */
  abstract actorModule(): Actors;

  protected askPairFilter(_shapeA: number, _shapeB: number): boolean {
    return true;
  }

  // --- pending commands ---

  /** @internal Applies what is pending, so that the core's memory can be read. */
  sync(): void {
    if (this.state !== 'ready' && this.state !== 'reporting events') this.checkUsable();
    if (this.replica.writer.length > 0) this.flush();
  }

  /** Apart from sync, which runs at every read: closures cost an allocation even when they are not reached. */
  private flush(): void {
    const { writer } = this.replica;
    const commands = writer.view();
    this.guard((core) => core.applyCommands(this.instance.write(commands), commands.length));
    if (!onlyMove(commands)) this.setRevision(++this.lastRevision);
    this.tap?.commands(commands);
    writer.clear();
  }

  protected setRevision(revision: number): void {
    this.revision = revision;
    this.replicaWords = undefined;
  }

  /** @internal Throws in the middle of a step: a pair filter may look at bodies, but not change them. */
  checkChangeable(): void {
    if (this.state === 'in the step') this.checkUsable();
  }

  protected checkUsable(): void {
    switch (this.state) {
      case 'disposed':
        throw new PhysicsError('disposed', 'the world was disposed');
      case 'broken':
        throw new PhysicsError('out-of-memory', 'memory ran out earlier; the world is lost');
      case 'in the step':
        throw new PhysicsError('busy', 'the world is in a step: a pair filter may only read its arguments');
    }
  }

  /** Runs the core; a trap means that the host gave no more memory. */
  private guard<T>(run: (core: CoreExports) => T): T {
    try {
      return run(this.instance.core);
    } catch (error) {
      this.fail(error);
    } finally {
      this.instance.refresh();
    }
  }

  private fail(error: unknown): never {
    if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
    this.state = 'broken';
    throw new PhysicsError('out-of-memory', `the host refused memory, the world is lost: ${error.message}`);
  }

  /** @internal A query of the core. */
  query<T>(run: (core: CoreExports) => T): T {
    this.sync();
    return this.guard(run);
  }

  // --- stepping ---

  protected begin(): void {
    if (this.state === 'reporting events')
      throw new PhysicsError('busy', 'the world is reporting events: step after the listener has returned');
    this.sync();
    this.log.clear();
  }

  /** The core takes f32: rounding here would make a number object per step. */
  /** @internal */
  singleStep(h: number): void {
    this.takeEvents(); // commands wake bodies and part pairs, too
    this.state = 'in the step';
    try {
      this.instance.core.step(h);
      this.state = 'ready';
    } catch (error) {
      this.state = 'broken';
      this.fail(error);
    }
    this.instance.refresh();
    this.takeEvents();
    if (this.tap !== null) this.tap.step(h);
  }

  private takeEvents(): void {
    const { instance, log } = this;
    if (this.owedEvents.length > 0) {
      log.append(this.owedEvents, 0, this.owedEvents.length);
      this.owedEvents = NO_EVENTS;
    }
    const count = instance.get('eventWords');
    if (count === 0) return;
    log.append(instance.words, instance.table('events'), count);
    instance.set('eventWords', 0);
  }

  /** A copy of what the next step tells beside its own events: those of calls since the last one. */
  protected waitingEvents(): Int32Array {
    const { instance, owedEvents } = this;
    const count = instance.get('eventWords');
    if (count === 0) return owedEvents;
    const words = new Int32Array(owedEvents.length + count);
    words.set(owedEvents);
    const from = instance.table('events');
    words.set(instance.words.subarray(from, from + count), owedEvents.length);
    return words;
  }

  /** @internal The events of the last steps as words, for the way to another thread; valid until the next step. */
  get eventLog(): Int32Array {
    return this.log.words.subarray(0, this.log.length);
  }

  /** Before each step of a stream: may write commands that take part in it. */
  protected prepareStep(): void {}

  /** Tells listeners of the events in the log. */
  protected report(): void {}

  /**
   * Applies a stream of commands from elsewhere (a worker client, a recording), STEP included, which steps
   * the world without clearing forces. A damaged stream is refused whole.
   *
   * @throws PhysicsError 'damaged-commands'
   */
  applyCommands(commands: Int32Array): void {
    this.checkUsable();
    if (!(commands instanceof Int32Array)) throw invalid('commands', 'must be an Int32Array', commands);
    const takeBack = followCommands(this.replica, commands);
    const hasSteps = forEachStep(commands, () => {});
    if (!hasSteps) {
      this.replica.writer.append(commands);
      return;
    }
    // With steps inside, the registry must not run ahead of the core: piece by piece, once all is known to be good.
    takeBack();
    this.begin();
    let from = 0;
    const play = (end: number) => {
      const piece = commands.subarray(from, end);
      followCommands(this.replica, piece);
      this.replica.writer.append(piece);
      this.sync();
    };
    forEachStep(commands, (at, dt) => {
      play(at);
      this.prepareStep();
      this.sync();
      if (this.hooks === null) this.singleStep(dt);
      else this.hooks.step(dt);
      from = at + rows.step.totalWords;
    });
    play(commands.length);
    this.report();
  }

  // --- figures ---

  /** Bodies of all types. */
  get bodyCount(): number {
    return this.replica.bodies.count;
  }

  /** Joints, broken ones included. */
  get jointCount(): number {
    return this.replica.joints.count;
  }

  /** Shapes of all bodies. */
  get shapeCount(): number {
    return this.replica.shapes.count;
  }

  /** Awake dynamic and kinematic bodies. */
  get awakeCount(): number {
    return this.count('awakeCount');
  }

  /** Pairs of shapes whose fat boxes overlap. */
  get pairCount(): number {
    return this.count('pairCount');
  }

  /** Touching pairs that the solver works on. */
  get contactCount(): number {
    return this.count('contactCount');
  }

  /** Fixed steps since the world was made, modulo 2³¹; part of snapshots. */
  get stepCount(): number {
    return this.count('stepCount');
  }

  private count(field: Parameters<CoreInstance['get']>[0]): number {
    this.sync();
    return this.instance.get(field);
  }

  /**
   * Numbers the islands of awake bodies afresh, for RigidBody.getIsland and the debug lines. (A step finds
   * islands only when some body wants to sleep.)
   *
   * @returns number of islands
   */
  findIslands(): number {
    return this.query((core) => core.findIslandsNow());
  }

  // --- outputs ---

  /** Whether the stages of the step are measured. */
  get profiling(): boolean {
    return this.replica.host.profiling;
  }

  set profiling(on: boolean) {
    this.checkUsable();
    this.setHost({ profiling: on === true });
  }

  /** Outputs only: no command, nothing wakes, no recording knows. */
  protected setHost(changes: Partial<Registry['host']>): void {
    this.sync();
    Object.assign(this.replica.host, changes);
    this.applyHost();
  }

  protected applyHost(): void {
    const { eventMask, profiling, pairFilter } = this.replica.host;
    this.instance.set('eventMask', eventMask);
    this.instance.set('profileEnabled', profiling ? 1 : 0);
    this.instance.set('pairFilterEnabled', pairFilter ? 1 : 0);
  }

  /** Frees the memory. Every later call throws 'disposed'. */
  dispose(): void {
    if (this.state === 'disposed') return;
    if (this.state === 'in the step') this.checkUsable();
    this.hooks?.close();
    this.instance.core.endThreads?.();
    this.state = 'disposed';
    // Whoever still reads of it is told so, and the core's memory is free.
    for (const name of ['instance', 'replica'])
      Object.defineProperty(this, name, { get: () => this.checkUsable() });
  }

  /** True from `dispose` on. */
  get isDisposed(): boolean {
    return this.state === 'disposed';
  }
}

/** Calls `visit` for each STEP of a valid stream; true if there was one. */
function forEachStep(commands: Int32Array, visit: (at: number, dt: number) => void): boolean {
  const floats = new Float32Array(commands.buffer, commands.byteOffset, commands.length);
  let found = false;
  for (let at = 0; at < commands.length; at += commands[at]! >>> 8) {
    if (commands[at] !== rows.step.head) continue;
    found = true;
    visit(at, floats[at + 1 + rows.Step.dt]!);
  }
  return found;
}
