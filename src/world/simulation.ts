// The common part of World and a worker's host: commands and steps (Running), and here queries and the state as bytes.
// In: queries, snapshots. Out: answers, snapshots. It has no calls for single changes and no body objects: those belong
// to World, and are not in the worker's script.

import { PhysicsError } from '../base/errors';
import { type BodyId, MAX_SLOT } from '../base/ids';
import { invalid } from '../base/validate';
import { type Contact, decodeEvents } from '../events/events';
import type { Ask } from '../queries/asks';
import { ask, askRays, type QueryAnswer, type RayBatch, type RayFilter } from '../queries/queries';
import { geometriesOf, saveReplica } from '../replica/replicaState';
import {
  checkTimes,
  packSnapshot,
  type SnapshotGeometry,
  type SnapshotParts,
  unpackSnapshot,
} from '../replica/snapshot';
import { CORE_HASH, ENGINE_VERSION, LAYOUT_HASH } from '../wasm/core-layout';
import type { Inspection } from './inspection';
import { NO_EVENTS, Running } from './running';

const NONE = new Int32Array(0);

/** A core that is stepped: what a World and the worker's own world have in common. */
export abstract class Simulation<Body extends { readonly id: BodyId }> extends Running<Body> {
  // --- queries ---

  /**
   * What touches or is about to: all contacts, or those of one body. Impulses are those of the last step, 0 where the
   * shapes have not met yet (contactBegin comes when they do).
   */
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

  /** @internal Answers a question; what it says has been checked. */
  ask(question: Ask): QueryAnswer<Body> {
    return ask(this, question);
  }

  /** @internal The closest hits of rays; likewise. */
  askRays(rays: ArrayLike<number>, filter: RayFilter, out?: RayBatch): RayBatch {
    return askRays(this, rays, filter, out);
  }

  // --- state ---

  /** 16 hexadecimal digits that two worlds share exactly when all that steps depend on is equal. */
  stateHash(): string {
    this.sync();
    const inspector = this.inspector();
    const hash = this.query(() => inspector.stateHash());
    return BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
  }

  /** @internal Six words that tell where two states first differ: sums over bodies, see core/state/digest.ts. */
  digest(): Int32Array {
    const inspector = this.inspector();
    this.query(() => inspector.stateDigest());
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
    const systems = this.savedSystems(); // first: their code may ask the core
    return packSnapshot({ ...this.partsInPlace(), systems }); // which copies
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

  /** @internal The states of step systems, here or waiting for theirs. */
  savedSystems(): Int32Array {
    return this.hooks?.save() ?? this.systemState;
  }

  /** Writes the core's section into its own memory, above its heap. */
  protected writeCore(): { from: number; end: number } {
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
   * Brings the world to the state of a snapshot, of any world. Handles of bodies that exist in it stay valid; listeners,
   * pair filter and userData stay as they are. The events of steps that are made again are reported again.
   *
   * @throws PhysicsError 'damaged-snapshot', 'incompatible-snapshot', 'limit-exceeded' (maxBodies); the world is as before then
   */
  restore(snapshot: Uint8Array): void {
    this.begin();
    this.restoreParts(unpackSnapshot(snapshot));
  }

  /** What answers questions about the whole state. */
  protected abstract inspector(): Inspection;

  /** @internal 0, or what of the state is broken: see core/state/sound.ts. */
  findFault(): number {
    const inspector = this.inspector();
    return this.query(() => inspector.findFault());
  }

  /** @internal The same from parts. `isOwn`: a core wrote them, and nobody else had them since. */
  restoreParts(parts: SnapshotParts, isOwn = false): void {
    const { core, replica, geometries, localTime, fixedTimeStep, systems = NONE } = parts;
    checkTimes(localTime, fixedTimeStep);
    const installSystems = this.hooks?.read(systems);
    const install = this.inspector().loadReplica(this.replica, replica, geometries);
    const before = this.snapshotParts();
    let fault = this.readForeign(core, before.geometries, geometries, isOwn);
    if (fault === undefined && !isOwn) {
      const differs = this.inspector().disagreement(install.state);
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
    this.systemState = systems;
    this.afterRestore();
    installSystems?.();
  }

  /** What is wrong with a section of unknown origin, of which nothing is believed: even a trap only refuses it. */
  private readForeign(
    core: Int32Array,
    had: readonly SnapshotGeometry[],
    geometries: readonly SnapshotGeometry[],
    isOwn: boolean,
  ): string | undefined {
    try {
      this.placeGeometries(had, geometries);
      const refusal = this.readCore(core);
      if (refusal !== 0) return `the core cannot read it (${refusal})`;
      const fault = isOwn ? 0 : this.findFault();
      return fault === 0 ? undefined : `its state is not sound (${fault})`;
    } catch (error) {
      if (this.state !== 'broken') throw error;
      this.state = 'ready';
      return (error as Error).message;
    }
  }

  /** 0, or why the core refuses it. */
  protected readCore(section: Int32Array): number {
    const bytes = 4 * section.length;
    const address = this.reserveSnapshot(bytes, 0);
    this.instance.words.set(section, address >>> 2);
    const inspector = this.inspector();
    return this.query(() => inspector.readSnapshot(address, bytes));
  }

  /** Takes away the content that is not wanted, and puts what is missing in its place. */
  protected placeGeometries(had: readonly SnapshotGeometry[], wanted: readonly SnapshotGeometry[]): void {
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
    this.owedEvents = NO_EVENTS;
    this.applyHost();
    this.tap?.restored();
  }
}

function equalWords(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}
