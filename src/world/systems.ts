// Step systems: code of the user that runs in the step. In: what a system's module returned. Out: calls of it before and
// after each step, its state as words, its errors. A system that fails is stopped; the world goes on. What it changes are
// commands, so recordings replay without it. Loaded on request in a worker, where the page's side is clientSystems.ts.

import { PhysicsError } from '../base/errors';
import type { BodyId } from '../base/ids';
import { BODY_DYNAMIC } from '../core/memory/constants';
import { ApplyForce, applyForce, applyTorque } from '../wasm/core-commands';
import { Body } from '../wasm/core-layout';
import type { StepHooks } from './running';
import type { Simulation } from './simulation';
import { replicaForSystems, type SystemReplica } from './systemReplica';
import {
  decodeState,
  encodeState,
  packStates,
  type SavedState,
  type SystemStates,
  unpackStates,
} from './systemState';
import { SystemWorld } from './systemWorld';

/** What a step system does. All functions are optional; each may read the world at once and move bodies. */
export interface SystemHooks<In = unknown> {
  /** Before each step of `dt` s. Forces that it applies act in this step only. */
  beforeStep?(world: SystemWorld, dt: number): void;
  /** After each step of `dt` s. */
  afterStep?(world: SystemWorld, dt: number): void;
  /** The page posted a message: between two steps, after all calls that the page made before it. */
  message?(message: In): void;
  /**
   * The system's own state, for snapshots: bytes, or plain data (objects, arrays, numbers, strings, booleans, typed
   * arrays). It is copied.
   */
  save?(): unknown;
  /** Sets the state to one that `save` returned; a copy of it. */
  restore?(state: never): void;
  /** The system was removed, or its world disposed of. */
  dispose?(): void;
}

/** What a system's module gets when it starts. */
export interface SystemStart<Options = unknown, Out = unknown> {
  /** The world that it runs in. */
  world: SystemWorld;
  /** A copy of the option `options` of addSystem. */
  options: Options;
  /** Sends a message to the listeners of `system.on('message')`; a copy, or the objects of `transfer`. */
  post(message: Out, transfer?: Transferable[]): void;
}

/** The default export of a system's module: makes one system for one world. */
export type StepSystemModule<Options = never, In = never, Out = unknown> = (
  start: SystemStart<Options, Out>,
) => SystemHooks<In>;

/** The way from a system to its page. */
export interface SystemOutlet {
  message(message: unknown, transfer: Transferable[]): void;
  failed(error: PhysicsError): void;
  /** Its code begins to run: told where a page asked for it. `turn` counts such calls over all systems. */
  entered?(turn: number): void;
  /** All systems have returned. */
  left?(turn: number): void;
}

/** What may be said of a system when it is added. */
export interface SystemPlan {
  name: string;
  outlet: SystemOutlet;
  /** Messages that come again after their step: a lost worker had them. */
  posts?: { step: number; message: unknown }[];
}

/** Makes the system, in its place in the stream. */
export type Start = () => unknown;

interface Running extends SystemPlan {
  hooks: SystemHooks;
  /** What a snapshot without its state sets it to. */
  initial: SavedState | undefined;
  stopped: boolean;
}

const HOOKS = ['beforeStep', 'afterStep', 'message', 'save', 'restore', 'dispose'] as const;
const BODY_WORDS = Body.SIZE >> 2;

/** The error of a system that was stopped. */
export function systemError(name: string, what: string, error?: unknown): PhysicsError {
  const why = error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`;
  const failure = new PhysicsError('system-failed', `step system ${JSON.stringify(name)} ${what}${why}`);
  failure.cause = error;
  return failure;
}

/** The function that a module exports. */
export function factoryOf(name: string, module: unknown): StepSystemModule<unknown> {
  const factory = typeof module === 'function' ? module : (module as { default?: unknown } | null)?.default;
  if (typeof factory !== 'function') throw systemError(name, 'has no default export that is a function');
  return factory as StepSystemModule<unknown>;
}

export class StepSystems implements StepHooks {
  /** The world as systems see it. */
  readonly world: SystemWorld;
  private readonly replica: SystemReplica;
  private systems: Running[] = [];
  /** Of systems that are not here (yet). */
  private unclaimed: SystemStates;
  /** Systems that begin at a later step: a lost worker had them. */
  private later: { since: number; plan: SystemPlan; start: Start }[] = [];
  /** What they say before this step a page has heard. */
  private mutedUntil = 0;
  /** The step that goes on; −1 between steps. */
  private current = -1;
  private turn = 0;
  private forcing: 'no' | 'may' | 'has' = 'no';
  /** Of others, as they were before systems applied theirs: id, force, torque. */
  private otherForces: number[] = [];
  private readonly values = new Float64Array(16);

  constructor(private readonly simulation: Simulation<{ readonly id: BodyId }>) {
    this.replica = replicaForSystems(simulation.replica, { force: () => this.noteForce() });
    this.world = new SystemWorld(simulation, this.replica);
    this.unclaimed = statesOf(simulation.systemState);
    simulation.hooks = this;
  }

  /** Those of a world; made when first asked for. */
  static of(simulation: Simulation<{ readonly id: BodyId }>): StepSystems {
    return (simulation.hooks as StepSystems | null) ?? new StepSystems(simulation);
  }

  /** Whether there is a system of a name. */
  has(name: string): boolean {
    return this.systems.some((system) => system.name === name);
  }

  /** Tells the systems' messages from a step on. */
  muteUntil(step: number): void {
    this.mutedUntil = step;
  }

  /** Whether what systems say now is news. */
  get isHeard(): boolean {
    return (
      this.mutedUntil === 0 ||
      (this.current < 0 ? this.simulation.stepCount : this.current) >= this.mutedUntil
    );
  }

  /** As `add`, before the step with this number. Errors go to the outlet. */
  addAt(since: number, plan: SystemPlan, start: Start): void {
    this.later.push({ since, plan, start });
  }

  private startDue(): void {
    if (this.later.length === 0) return;
    const { stepCount } = this.simulation;
    const due = this.later.filter(({ since }) => since <= stepCount);
    this.later = this.later.filter(({ since }) => since > stepCount);
    for (const { plan, start } of due)
      try {
        this.add(plan, start);
      } catch (error) {
        plan.outlet.failed(error as PhysicsError);
      }
  }

  /**
   * Makes a system, which runs from the next step on.
   *
   * @throws PhysicsError 'system-failed'
   */
  add(plan: SystemPlan, start: Start): void {
    const { name } = plan;
    if (this.has(name)) throw systemError(name, 'is in this world already: give it a name of its own');
    let returned: unknown;
    try {
      plan.outlet.entered?.(++this.turn);
      this.act(() => {
        returned = start();
      });
    } catch (error) {
      throw systemError(name, 'did not start', error);
    }
    if (typeof (returned as { then?: unknown } | null)?.then === 'function')
      throw systemError(name, 'must start at once: what it waits for belongs at the top level of its module');
    if (typeof returned !== 'object' || returned === null)
      throw systemError(name, 'has returned no object with functions');
    const hooks = returned as SystemHooks;
    for (const hook of HOOKS)
      if (hooks[hook] !== undefined && typeof hooks[hook] !== 'function')
        throw systemError(name, `has a ${hook} that is no function`);
    const system: Running = { ...plan, hooks, initial: undefined, stopped: false };
    this.systems.push(system);
    this.run(system, () => {
      system.initial = encodeState(hooks.save?.());
    });
    const waiting = this.unclaimed.get(name);
    this.unclaimed.delete(name);
    if (waiting !== undefined) this.run(system, () => hooks.restore?.(decodeState(waiting) as never));
  }

  remove(name: string): void {
    this.startDue();
    const system = this.systems.find((other) => other.name === name);
    if (system === undefined) return;
    this.systems = this.systems.filter((other) => other !== system);
    if (!system.stopped) this.run(system, () => system.hooks.dispose?.());
  }

  /** A message of the page. */
  deliver(name: string, message: unknown): void {
    this.startDue();
    const system = this.systems.find((other) => other.name === name);
    if (system !== undefined) this.run(system, () => system.hooks.message?.(message as never));
  }

  // --- the step ---

  step(h: number): void {
    const { simulation } = this;
    const dt = Math.fround(h);
    this.before(dt);
    simulation.sync();
    simulation.singleStep(h);
    this.after(dt);
    simulation.sync();
  }

  /** Runs code that may read and change the world, but not step it. */
  private act(run: () => void): void {
    const { simulation } = this;
    simulation.checkChangeable();
    const { state } = simulation;
    simulation.state = 'reporting events';
    try {
      run();
    } finally {
      // It may have disposed of the world.
      if ((simulation.state as string) === 'reporting events') simulation.state = state;
    }
  }

  private before(dt: number): void {
    this.startDue();
    const step = this.simulation.stepCount;
    this.current = step;
    this.forcing = 'may';
    for (const system of this.systems) {
      while (system.posts?.[0] !== undefined && system.posts[0].step <= step) {
        const { message } = system.posts.shift()!;
        this.run(system, () => system.hooks.message?.(message as never));
      }
      this.run(system, () => system.hooks.beforeStep?.(this.world, dt));
    }
    if ((this.forcing as string) === 'may') this.forcing = 'no';
  }

  private after(dt: number): void {
    if (this.forcing === 'has') this.takeForcesBack();
    this.forcing = 'no';
    for (const system of this.systems) this.run(system, () => system.hooks.afterStep?.(this.world, dt));
    this.current = -1;
    for (const { outlet } of this.systems) outlet.left?.(++this.turn);
  }

  private run(system: Running, call: () => void): void {
    if (system.stopped) return;
    const { replica } = this;
    replica.begin();
    system.outlet.entered?.(++this.turn);
    let failure: unknown;
    try {
      this.act(call);
      if (replica.isFlooded)
        failure = new PhysicsError('limit-exceeded', 'it wrote too many commands in one call');
    } catch (error) {
      failure = error ?? new Error('nothing was thrown');
    }
    if (failure !== undefined) this.stop(system, systemError(system.name, 'was stopped', failure));
  }

  /** No call of it follows. Its last words are news, even where the rest of a repetition is not. */
  private stop(system: Running, error: PhysicsError): void {
    system.stopped = true;
    system.outlet.failed(error);
  }

  // --- forces ---

  private noteForce(): void {
    if (this.forcing === 'no')
      throw new PhysicsError(
        'unsupported',
        'forces of a step system act in one step: apply them in its beforeStep; impulses act at once',
        'applyForce',
      );
    if (this.forcing === 'has') return;
    this.forcing = 'has';
    this.otherForces.length = 0;
    const { simulation } = this;
    if (!simulation.replica.hasForces) return;
    simulation.sync();
    const { instance, replica } = simulation;
    const table = instance.table('bodies');
    for (const record of replica.bodyRecords) {
      if (record?.type !== BODY_DYNAMIC) continue;
      const at = table + replica.bodies.check(record.id, 'body') * BODY_WORDS;
      const force = at + (Body.force >> 2);
      const torque = at + (Body.torque >> 2);
      const { floats } = instance;
      const six = [0, 1, 2].flatMap((i) => [floats[force + i]!, floats[torque + i]!]);
      if (six.some((component) => component !== 0)) this.otherForces.push(record.id, ...six);
    }
  }

  /** Forces of systems acted in one step. Those of others go on, to the bit. */
  private takeForcesBack(): void {
    const { simulation, otherForces, values } = this;
    const { replica } = simulation;
    replica.clearForces();
    for (let at = 0; at < otherForces.length; at += 7) {
      const id = otherForces[at]!;
      if (!replica.bodies.isLive(id)) continue;
      values.fill(0);
      values[ApplyForce.body] = replica.bodies.check(id, 'body');
      for (const [command, part] of [
        [applyForce, 1],
        [applyTorque, 2],
      ] as const) {
        for (let i = 0; i < 3; i++) values[ApplyForce.force + i] = otherForces[at + part + 2 * i]!;
        replica.writer.write(command, values);
      }
      replica.hasForces = true;
    }
  }

  // --- state ---

  save(): Int32Array {
    this.startDue();
    const states: SystemStates = new Map(this.unclaimed);
    for (const system of this.systems)
      this.run(system, () => {
        const state = encodeState(system.hooks.save?.());
        if (system.hooks.save !== undefined) states.set(system.name, state);
      });
    return packStates(states);
  }

  read(words: Int32Array): () => void {
    const states = unpackStates(words);
    return () => {
      this.world.restored();
      this.unclaimed = new Map(states);
      for (const system of this.systems) {
        const state = states.get(system.name) ?? system.initial;
        this.unclaimed.delete(system.name);
        if (state !== undefined && system.hooks.save !== undefined)
          this.run(system, () => system.hooks.restore?.(decodeState(state) as never));
      }
    };
  }

  close(): void {
    for (const { name } of this.systems) this.remove(name);
  }
}

/** What a world without systems has kept; what does not decode is of nobody. */
function statesOf(words: Int32Array): SystemStates {
  try {
    return unpackStates(words);
  } catch {
    return new Map();
  }
}
