// Other calls that need an answer from the worker: contacts, figures, snapshots. In: calls. Out: promises; the answer
// includes all calls made before. Ids are replaced by the page's handles.
import { transfer } from 'comlink';
import { PhysicsError } from '../src/base/errors';
import type { BodyId } from '../src/base/ids';
import { checkBoolean, checkInteger, checkOptions, invalid } from '../src/base/validate';
import type { Contact } from '../src/events/events';
import { loadReplica, saveReplica } from '../src/replica/replicaState';
import { unpackSnapshot, WorldSlot } from '../src/replica/snapshot';
import type { Profile } from '../src/world/profile';
import type { PhysicsBody } from './body';
import { ClientAsks } from './clientAsks';
import type { RecordOptions, WithIds } from './protocol';

const RECORD_OPTIONS = ['hashEvery', 'keyframeEvery', 'queries', 'compress', 'notes'];

/** Checks the options that can be sent; ranges as in the recorder. */
function checkRecordOptions(options: RecordOptions): RecordOptions {
  const given = checkOptions(options, 'options', RECORD_OPTIONS);
  const { hashEvery, keyframeEvery, queries, compress, notes = {} } = given;
  const checked: RecordOptions = {};
  if (hashEvery !== undefined) checked.hashEvery = checkInteger(hashEvery, 'hashEvery', 1, 1e6);
  if (keyframeEvery !== undefined)
    checked.keyframeEvery = checkInteger(keyframeEvery, 'keyframeEvery', 0, 1e6);
  if (queries !== undefined) checked.queries = checkBoolean(queries, 'queries');
  if (compress !== undefined) checked.compress = checkBoolean(compress, 'compress');
  try {
    checked.notes = { ...JSON.parse(JSON.stringify(notes)) };
  } catch {
    throw invalid('notes', 'must be JSON data', notes);
  }
  return checked;
}

/** A result about shapes and bodies, with the page's body handles. */
type WithBodies<T> = Omit<T, 'body' | 'bodyA' | 'bodyB'> & {
  [K in Extract<keyof T, 'body' | 'bodyA' | 'bodyB'>]: PhysicsBody;
};

export abstract class ClientQueries extends ClientAsks {
  /** True from `record` to `stopRecording`. */
  private isRecorded = false;

  /** Current contacts: all, or those of one body. */
  async getContacts(body?: PhysicsBody | BodyId): Promise<Contact<PhysicsBody>[]> {
    const id = body === undefined ? 0 : this.idOf(body);
    const contacts = await this.ask((host, sequence) => host.getContacts(sequence, id));
    return contacts.map((contact) => this.withBodies<Contact<PhysicsBody>>(contact));
  }

  /** Time of the last step by stage; times are 0 unless `profiling` is on. */
  getProfile(): Promise<Profile> {
    return this.ask((host, sequence) => host.getProfile(sequence));
  }

  /** 16 hexadecimal digits, as World.stateHash. */
  stateHash(): Promise<string> {
    return this.ask((host, sequence) => host.stateHash(sequence));
  }

  /** The whole state as bytes, as World.snapshot: a World takes it, too. */
  snapshot(): Promise<Uint8Array> {
    this.sendCommands();
    const words = saveReplica(this.replica);
    return this.ask((host, sequence) => host.snapshot(sequence, transfer(words, [words.buffer])));
  }

  /**
   * Saves the state to a slot, for `restore` of this world, like World.save. The state is sent to the page and back: for a
   * rollback over a few frames use a World in the page.
   */
  async save(slot: WorldSlot = new WorldSlot()): Promise<WorldSlot> {
    if (!(slot instanceof WorldSlot)) throw invalid('slot', 'must be a WorldSlot', slot);
    slot.bytes = await this.snapshot();
    slot.world = this;
    return slot;
  }

  /**
   * Sets the world to the state of a snapshot; later calls apply to that state. Handles of bodies that exist in it stay
   * valid. Resolves when the poses can be read.
   *
   * @param snapshot  bytes from `snapshot`, of any world, or a slot from `save`, of this one
   * @throws PhysicsError 'damaged-snapshot', 'incompatible-snapshot' or 'limit-exceeded', as a rejection: then the world is
   *   unchanged, and the calls made since were refused, too
   */
  async restore(snapshot: Uint8Array | WorldSlot): Promise<void> {
    if (snapshot instanceof WorldSlot) {
      if (snapshot.world !== this) throw new PhysicsError('foreign-id', 'belongs to another world', 'slot');
      return this.restore(snapshot.bytes);
    }
    const { replica, geometries } = unpackSnapshot(snapshot);
    const install = loadReplica(this.writable, replica, geometries);
    const bytes = snapshot.slice();
    this.sendCommands();
    const undo = [this.views.save(), this.jointViews.save(), install()];
    const done = this.link.restore(bytes, () => {
      for (const step of undo) step();
      this.forgetUnsent();
    });
    this.forgetUnsent();
    this.views.restored();
    this.jointViews.restored();
    await done;
  }

  /** Drops commands, forces, targets and set poses that were meant for the state before a restore. */
  protected abstract forgetUnsent(): void;

  /**
   * Begins a recording in the worker, from the state after all calls made so far, like `Recorder` of ricochet/replay for a
   * World. It contains the page's queries with their answers. Resolves when it has begun.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', as a rejection
   */
  async record(options: RecordOptions = {}): Promise<void> {
    const plainOptions = checkRecordOptions(options);
    this.sendCommands();
    const begins = !this.isRecorded;
    this.isRecorded = true;
    if (begins) this.recording = plainOptions.queries !== false;
    try {
      await this.link.change((host, sequence) => host.record(sequence, plainOptions));
    } catch (error) {
      if (begins) this.isRecorded = this.recording = false;
      throw error;
    }
  }

  /**
   * Ends the recording. Resolves with the file; see docs/recording.md.
   *
   * @throws PhysicsError 'invalid-argument' without a recording, 'worker-lost' if it was lost with its worker, as a rejection
   */
  async stopRecording(): Promise<Uint8Array> {
    if (!this.isRecorded) throw invalid('world', 'must be recording: call record first', 'not recorded');
    this.sendCommands();
    this.isRecorded = this.recording = false;
    return this.link.change((host, sequence) => host.stopRecording(sequence));
  }

  private withBodies<T>(found: WithIds<T>): WithBodies<T> {
    const out = { ...found } as Record<string, unknown>;
    for (const key of ['body', 'bodyA', 'bodyB']) if (key in out) out[key] = this.resolve(out[key] as BodyId);
    return out as WithBodies<T>;
  }
}
