// A core instance and the registry that it belongs to, run together: what World and a worker's host share. In:
// streams of commands, steps, questions. Out: events as words, answers, snapshots. It has no calls that change
// a world one by one and no views of bodies: those are World's, and stay out of the worker's script.
import { disagreement } from './agreement';
import type { Ask } from './asks';
import { COMMANDS, onlyMove } from './commands';
import { type ContactBatch, fillContactBatch } from './contactBatch';
import { CORE_HASH, ENGINE_VERSION, LAYOUT_HASH } from './core-layout';
import { type DebugLines, type DebugLinesOptions, drawDebugLines } from './debugLines';
import { PhysicsError } from './errors';
import { type Contact, decodeEvents, EventLog } from './events';
import { followCommands } from './follow';
import { type BodyId, MAX_SLOT } from './ids';
import { type CoreExports, CoreInstance } from './instance';
import { type Profile, readProfile } from './profile';
import { ask, askRays, type QueryAnswer, type RayBatch, type RayFilter } from './queries';
import type { Registry } from './registry';
import { geometriesOf, loadReplica, saveReplica } from './replicaState';
import {
  packSnapshot,
  type SnapshotGeometry,
  type SnapshotParts,
  unpackSnapshot,
  WorldSlot,
} from './snapshot';
import { invalid } from './validate';

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

/** `Body`: what stands for a body in answers, a RigidBody or its bare id. */
export abstract class Simulation<Body extends { readonly id: BodyId }> {
  /** @internal What exists. */
  readonly replica: Registry;
  /** @internal The core's memory. */
  readonly instance: CoreInstance;

  /** @internal */
  tap: WorldTap | null = null;

  protected readonly log = new EventLog();
  protected localTime = 0;
  protected fixedTimeStep = 0;
  /** Names what the registry knows: another number whenever it learns or forgets something. */
  private revision = 0;
  private lastRevision = 0;
  /** The words of `revision`, once they were asked for. */
  private replicaWords: Int32Array | undefined;
  /** Not 'ready': what goes on. */
  protected state: 'ready' | 'in the step' | 'reporting events' | 'disposed' | 'broken' = 'ready';

  constructor(registry: Registry) {
    this.replica = registry;
    this.instance = new CoreInstance({
      pairFilter: (a, b) => {
        const collide = this.askPairFilter(a, b);
        this.tap?.filtered(collide);
        return collide;
      },
    });
  }

  /** @internal What stands for a body; also for one that is gone. */
  abstract resolve(id: BodyId): Body;

  /** @internal The id of a live body of this world, given by what stands for it, or by id. */
  abstract idOf(body: Body | BodyId, argument?: string): BodyId;

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

  private setRevision(revision: number): void {
    this.revision = revision;
    this.replicaWords = undefined;
  }

  protected checkUsable(): void {
    switch (this.state) {
      case 'disposed':
        throw new PhysicsError('disposed', 'the world was disposed');
      case 'broken':
        throw new PhysicsError('out-of-memory', 'the host refused memory earlier; the world is lost');
      case 'in the step':
        throw new PhysicsError(
          'busy',
          'the world is in a step: a pair filter may only look at its arguments',
        );
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

  // --- figures ---

  get bodyCount(): number {
    return this.replica.bodies.count;
  }

  get jointCount(): number {
    return this.replica.joints.count;
  }

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

  /** Fixed steps since the world was made; part of snapshots. */
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

  private applyHost(): void {
    const { eventMask, profiling, pairFilter } = this.replica.host;
    this.instance.set('eventMask', eventMask);
    this.instance.set('profileEnabled', profiling ? 1 : 0);
    this.instance.set('pairFilterEnabled', pairFilter ? 1 : 0);
  }

  // --- stepping ---

  protected begin(): void {
    if (this.state === 'reporting events')
      throw new PhysicsError(
        'busy',
        'the world is reporting events: step again after the listener has returned',
      );
    this.sync();
    this.log.clear();
  }

  /** The core takes f32: rounding here would make a number object per step. */
  protected singleStep(h: number): void {
    this.takeEvents(); // commands wake bodies and part pairs, too
    this.state = 'in the step';
    try {
      this.instance.core.step(h);
      this.state = 'ready';
    } catch (error) {
      this.fail(error);
    }
    this.instance.refresh();
    this.takeEvents();
    if (this.tap !== null) this.tap.step(h);
  }

  private takeEvents(): void {
    const { instance, log } = this;
    const count = instance.get('eventWords');
    if (count === 0) return;
    log.append(instance.words, instance.table('events'), count);
    instance.set('eventWords', 0);
  }

  /** @internal The events of the last steps as words, for the way to another thread; valid until the next step. */
  get eventLog(): Int32Array {
    return this.log.words.subarray(0, this.log.length);
  }

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
      this.singleStep(dt);
      from = at + COMMANDS.step.totalWords;
    });
    play(commands.length);
    this.report();
  }

  // --- queries ---

  /** What touches now: all contacts, or those of one body. Impulses are those of the last step. */
  getContacts(body?: Body | BodyId): Contact<Body>[] {
    this.checkUsable();
    const slot = body === undefined ? 0 : this.idOf(body) & MAX_SLOT;
    const words = this.query((core) => core.collectContacts(slot));
    const { instance } = this;
    const from = instance.table('queryOutput');
    const contacts: Contact<Body>[] = [];
    const resolve = (id: BodyId) => this.resolve(id);
    for (const event of decodeEvents(instance.words, instance.floats, from, from + words, resolve)) {
      const { bodyA, bodyB, shapeA, shapeB, normal, points } = event as Contact<Body>;
      contacts.push({ bodyA, bodyB, shapeA, shapeB, normal, points });
    }
    return contacts;
  }

  /** As getContacts, of all bodies, as arrays: `out` is filled and returned when it has room, else new ones are made. */
  readContacts(out?: ContactBatch): ContactBatch {
    const words = this.query((core) => core.collectContacts(0));
    const from = this.instance.table('queryOutput');
    return fillContactBatch(this.instance.words, this.instance.floats, from, from + words, out);
  }

  /** @internal Answers a question; what it says has been checked. */
  ask(question: Ask): QueryAnswer<Body> {
    return ask(this, question);
  }

  /** @internal The closest hits of rays; likewise. */
  askRays(rays: ArrayLike<number>, filter: RayFilter, out?: RayBatch): RayBatch {
    return askRays(this, rays, filter, out);
  }

  /** Lines that show shapes, boxes and contacts; see DebugLinesOptions. */
  debugLines(options?: DebugLinesOptions, out?: DebugLines): DebugLines {
    this.sync();
    return drawDebugLines(this, options, out);
  }

  /** What the last step cost, by stage, and counts. Times are 0 unless `profiling` is on. */
  getProfile(): Profile {
    this.sync();
    return readProfile(this.instance);
  }

  // --- state ---

  /** 16 hexadecimal digits that two worlds share exactly when all that steps depend on is equal. */
  stateHash(): string {
    this.sync();
    const hash = this.query((core) => core.stateHash());
    return BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
  }

  /** @internal Six words that tell where two states first differ: sums over bodies, see core/memory/digest.ts. */
  digest(): Int32Array {
    this.query((core) => core.stateDigest());
    const at = this.instance.table('queryOutput');
    return this.instance.words.subarray(at, at + 6);
  }

  /** @internal For a recorder, which imports no errors. */
  refusal(argument: string, rule: string, value: unknown): PhysicsError {
    return invalid(argument, rule, value);
  }

  /** @internal What computes here: equal cores compute the same bits. */
  get engine(): { version: string; core: string; layout: number } {
    return { version: ENGINE_VERSION, core: CORE_HASH, layout: LAYOUT_HASH };
  }

  /** The whole state as bytes, for restore: here, later, or on another machine. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return packSnapshot(this.partsInPlace()); // which copies
  }

  /** @internal The same in parts. `followed`: see saveReplica. */
  snapshotParts(followed = false): SnapshotParts {
    const parts = this.partsInPlace(followed);
    return { ...parts, core: parts.core.slice() };
  }

  /** The core's section in its own memory: valid until the core works again. */
  private partsInPlace(followed = false): SnapshotParts {
    const at = this.writeCore();
    return {
      core: this.instance.words.subarray(at.from, at.end),
      replica: saveReplica(this.replica, followed),
      geometries: geometriesOf(this.replica),
      localTime: this.localTime,
      fixedTimeStep: this.fixedTimeStep,
    };
  }

  /**
   * The state into a slot, for restore within this world: what rollback needs, without a copy of what stays.
   * Give the slot again to use its memory again; then nothing is allocated.
   */
  save(slot: WorldSlot = new WorldSlot()): WorldSlot {
    if (!(slot instanceof WorldSlot)) throw invalid('slot', 'must be a WorldSlot', slot);
    const { from, end } = this.writeCore();
    slot.length = end - from;
    if (slot.core.length < slot.length) slot.core = new Int32Array(slot.length + (slot.length >> 2));
    slot.core.set(this.instance.words.subarray(from, end));
    if (slot.world !== this || slot.revision !== this.revision) {
      this.replicaWords ??= saveReplica(this.replica);
      slot.replica = this.replicaWords;
      slot.geometries = geometriesOf(this.replica);
      slot.revision = this.revision;
    }
    slot.world = this;
    slot.hasForces = this.replica.hasForces;
    slot.localTime = this.localTime;
    slot.fixedTimeStep = this.fixedTimeStep;
    return slot;
  }

  /** Writes the core's section into its own memory, above its heap. */
  private writeCore(): { from: number; end: number } {
    const address = this.reserveSnapshot(
      this.query((core) => core.snapshotBound()),
      0,
    );
    const bytes = this.query((core) => core.writeSnapshot(address));
    return { from: address >>> 2, end: (address + bytes) >>> 2 };
  }

  /** Address of room for a snapshot. A host that refuses memory leaves the world as it is. */
  private reserveSnapshot(bytes: number, top: number): number {
    const address = this.query((core) => core.reserveSnapshot(bytes, top)) >>> 0;
    if (address === 0) throw new PhysicsError('out-of-memory', `no room for a snapshot of ${bytes} bytes`);
    return address;
  }

  /**
   * Brings the world to the state of a snapshot. Handles of bodies that exist in it stay valid; listeners,
   * pair filter and userData stay as they are. The events of steps that are made again are reported again.
   *
   * @param snapshot  bytes from `snapshot`, of any world, or a slot from `save`, of this one
   * @throws PhysicsError 'damaged-snapshot' or 'incompatible-snapshot'; the world is as before then
   */
  restore(snapshot: Uint8Array | WorldSlot): void {
    this.begin();
    if (snapshot instanceof WorldSlot) this.restoreSlot(snapshot);
    else this.restoreParts(unpackSnapshot(snapshot));
  }

  /** @internal The same from parts. */
  restoreParts({ core, replica, geometries, localTime, fixedTimeStep }: SnapshotParts): void {
    const install = loadReplica(this.replica, replica, geometries);
    const before = this.snapshotParts();
    let fault = this.readForeign(core, before.geometries, geometries);
    if (fault === undefined) {
      const differs = disagreement(this.instance, install.state);
      if (differs !== null) fault = `its halves differ in ${differs}`;
    }
    if (fault !== undefined) {
      this.placeGeometries(geometries, before.geometries);
      this.readCore(before.core);
      throw new PhysicsError('damaged-snapshot', `snapshot refused: ${fault}`);
    }
    install();
    this.setRevision(++this.lastRevision);
    this.localTime = localTime;
    this.fixedTimeStep = fixedTimeStep;
    this.afterRestore();
  }

  /** What is wrong with a section of unknown origin, of which nothing is believed: even a trap only refuses it. */
  private readForeign(
    core: Int32Array,
    had: readonly SnapshotGeometry[],
    geometries: readonly SnapshotGeometry[],
  ): string | undefined {
    try {
      this.placeGeometries(had, geometries);
      const result = this.readCore(core);
      return result === 0 ? undefined : `the core says ${result}`;
    } catch (error) {
      if (this.state !== 'broken') throw error;
      this.state = 'ready';
      return (error as Error).message;
    }
  }

  private restoreSlot(slot: WorldSlot): void {
    if (slot.world !== this) throw new PhysicsError('foreign-id', 'belongs to another world', 'slot');
    const known = slot.revision === this.revision;
    const install = known ? null : loadReplica(this.replica, slot.replica, slot.geometries);
    if (!known) this.placeGeometries(geometriesOf(this.replica), slot.geometries);
    this.readCore(slot.core.subarray(0, slot.length));
    if (install !== null) {
      install();
      this.setRevision(slot.revision);
    }
    this.replica.hasForces = slot.hasForces;
    this.localTime = slot.localTime;
    this.fixedTimeStep = slot.fixedTimeStep;
    this.afterRestore();
  }

  /** 0, or why the core refuses it. */
  private readCore(section: Int32Array): number {
    const bytes = 4 * section.length;
    const address = this.reserveSnapshot(bytes, 0);
    this.instance.words.set(section, address >>> 2);
    return this.query((core) => core.readSnapshot(address, bytes));
  }

  /** Takes away the content that is not wanted, and puts what is missing in its place. */
  private placeGeometries(had: readonly SnapshotGeometry[], wanted: readonly SnapshotGeometry[]): void {
    const words = new Map(wanted.map((geometry) => [geometry.slot, geometry.words]));
    for (const { slot, words: content } of had) {
      const other = words.get(slot);
      if (other === content || (other !== undefined && equalWords(other, content))) words.delete(slot);
      else this.query((core) => core.removeGeometry(slot));
    }
    for (const [slot, content] of words) {
      const address = this.query(() => this.instance.write(content));
      this.query((core) => core.addGeometry(slot, address, 4 * content.length));
    }
  }

  protected afterRestore(): void {
    this.instance.set('eventWords', 0);
    this.applyHost();
    this.tap?.restored();
  }

  /** @internal For tests: the pair set, and what it should be by brute force; shape slots, two each, sorted. */
  overlappingPairs(brute = false): Int32Array {
    const count = this.query((core) => (brute ? core.allPairsBrute() : core.currentPairs()));
    const at = this.instance.table('queryOutput');
    return this.instance.words.slice(at, at + 2 * count);
  }

  /** Frees the memory. Every later call throws 'disposed'. */
  dispose(): void {
    if (this.state === 'disposed') return;
    if (this.state === 'in the step') this.checkUsable();
    this.state = 'disposed';
    (this as { instance: unknown }).instance = undefined;
    Object.defineProperty(this, 'replica', { get: () => this.checkUsable() });
  }

  get isDisposed(): boolean {
    return this.state === 'disposed';
  }
}

function equalWords(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/** Calls `visit` for each STEP of a valid stream; true if there was one. */
function forEachStep(commands: Int32Array, visit: (at: number, dt: number) => void): boolean {
  const floats = new Float32Array(commands.buffer, commands.byteOffset, commands.length);
  let found = false;
  for (let at = 0; at < commands.length; at += commands[at]! >>> 8) {
    if (commands[at] !== COMMANDS.step.head) continue;
    found = true;
    visit(at, floats[at + 1]!);
  }
  return found;
}
