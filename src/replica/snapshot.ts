// Snapshots: a world's whole state as bytes. In: the core's section, the replica's section, the geometry to which both
// refer. Out: one array with a header and a 64-bit checksum over everything, so that a flipped bit or a missing end is
// found before anything is changed. Little-endian; equal states give equal bytes on all machines.
//
// Words: magic, format, layout hash, core words, replica words, geometry words, local time (f64), interpolation step
// (f64), then the three sections, checksum (2). Geometry: slot, words, content of each. Format 3 has a fourth section
// after them, to the end: the states of step systems (src/world/systemState.ts). Without systems it is format 2.
import { checksum } from '../base/checksum';
import { PhysicsError } from '../base/errors';
import { MAX_TIME_STEP } from '../base/limits';
import { LAYOUT_HASH } from '../wasm/core-layout';

const MAGIC = 0x54455243; // 'CRET'
const FORMAT = 2;
const FORMAT_WITH_SYSTEMS = 3;
const HEADER_WORDS = 10;
const CHECKSUM_WORDS = 2;

/** Content that shapes share, in the slot that they name. */
export interface SnapshotGeometry {
  /** 1 to 262143. */
  slot: number;
  /** The content, as the core holds it. */
  words: Int32Array;
}

/** What a snapshot is made of. */
export interface SnapshotParts {
  /** As the core wrote it; a multiple of 4 bytes. */
  core: Int32Array;
  /** As saveReplica wrote it. */
  replica: Int32Array;
  /** Content by slot, as the core holds it. */
  geometries: readonly SnapshotGeometry[];
  /** s, what stepSimulation has left over. */
  localTime: number;
  /** s, the fixed step of the interpolation, 0 for none. */
  fixedTimeStep: number;
  /** States of step systems; none if left out. */
  systems?: Int32Array;
}

/** Room for the state of a world, to be used again and again: see World.save. */
export class WorldSlot {
  /** @internal The core's section; it may be longer. */
  core = new Int32Array(0);
  /** @internal Words of it. */
  length = 0;
  /** @internal */
  replica: Int32Array = new Int32Array(0);
  /** @internal */
  geometries: readonly SnapshotGeometry[] = [];
  /** @internal World whose state it is, and what its replica knew. */
  world: unknown;
  /** @internal Of a world in a worker: its snapshot. */
  bytes: Uint8Array = new Uint8Array(0);
  /** @internal */
  revision = -1;
  /** @internal */
  hasForces = false;
  /** @internal */
  localTime = 0;
  /** @internal */
  fixedTimeStep = 0;
  /** @internal */
  systems: Int32Array = new Int32Array(0);
  /** @internal Of calls since the last step. */
  events: Int32Array = new Int32Array(0);

  /** Bytes in use. */
  get byteLength(): number {
    return (
      this.bytes.length + 4 * (this.length + this.replica.length + this.systems.length + this.events.length)
    );
  }
}

export function packSnapshot({
  core,
  replica,
  geometries,
  localTime,
  fixedTimeStep,
  systems = new Int32Array(0),
}: SnapshotParts): Uint8Array<ArrayBuffer> {
  const geometryWords = geometries.reduce((sum, { words }) => sum + 2 + words.length, 0);
  const total = HEADER_WORDS + core.length + replica.length + geometryWords + systems.length + CHECKSUM_WORDS;
  const words = new Int32Array(total);
  words[0] = MAGIC;
  words[1] = systems.length > 0 ? FORMAT_WITH_SYSTEMS : FORMAT;
  words[2] = LAYOUT_HASH;
  words[3] = core.length;
  words[4] = replica.length;
  words[5] = geometryWords;
  const times = new Int32Array(Float64Array.of(localTime, fixedTimeStep).buffer);
  words.set(times, 6);
  words.set(core, HEADER_WORDS);
  words.set(replica, HEADER_WORDS + core.length);
  let at = HEADER_WORDS + core.length + replica.length;
  for (const { slot, words: content } of geometries) {
    words[at++] = slot;
    words[at++] = content.length;
    words.set(content, at);
    at += content.length;
  }
  words.set(systems, at);
  checksum(words, 0, total - CHECKSUM_WORDS, words, total - CHECKSUM_WORDS);
  return new Uint8Array(words.buffer);
}

function damaged(what: string): PhysicsError {
  return new PhysicsError('damaged-snapshot', `snapshot refused: ${what}`);
}

/** s. Rounding error by which the remainder of stepSimulation may lie outside its step. */
const ROUNDING = 1e-6;

/** Checks the times of stepSimulation: less than a step is left over, and nothing without a step. */
export function checkTimes(localTime: number, fixedTimeStep: number): void {
  const fits = fixedTimeStep >= 0 && fixedTimeStep <= MAX_TIME_STEP && localTime >= -ROUNDING;
  if (!fits || !(localTime <= fixedTimeStep + ROUNDING))
    throw damaged(`a local time of ${localTime} s at steps of ${fixedTimeStep} s`);
}

/** The sections of a snapshot; throws a typed error when it is not whole, or of another version. */
export function unpackSnapshot(bytes: unknown): SnapshotParts {
  if (!(bytes instanceof Uint8Array))
    throw new PhysicsError('invalid-argument', 'must be a Uint8Array', 'snapshot', bytes);
  if (bytes.length % 4 !== 0 || bytes.length < 4 * (HEADER_WORDS + CHECKSUM_WORDS))
    throw damaged(`${bytes.length} bytes cannot be a snapshot`);
  // A copy: aligned, and protected from changes while it is read. By constructor, because slice of Node's Buffer does
  // not copy.
  const words = new Int32Array(new Uint8Array(bytes).buffer);
  if (words[0] !== MAGIC) throw damaged('it does not begin with the signature');
  const sum = new Int32Array(CHECKSUM_WORDS);
  const end = words.length - CHECKSUM_WORDS;
  checksum(words, 0, end, sum, 0);
  if (sum[0] !== words[end] || sum[1] !== words[end + 1]) throw damaged('its checksum does not match');
  if ((words[1]! | 1) !== FORMAT_WITH_SYSTEMS || words[2] !== LAYOUT_HASH)
    throw new PhysicsError('incompatible-snapshot', 'the snapshot is from another version of the engine');
  const coreWords = words[3]!;
  const replicaWords = words[4]!;
  const geometryWords = words[5]!;
  if (Math.min(coreWords, replicaWords, geometryWords) < 0) throw damaged('its sections do not add up');
  const systemsAt = HEADER_WORDS + coreWords + replicaWords + geometryWords;
  if (systemsAt > end || (words[1] === FORMAT) !== (systemsAt === end))
    throw damaged('its sections do not add up');
  const times = new Float64Array(words.slice(6, 10).buffer);
  const replicaAt = HEADER_WORDS + coreWords;
  const geometryAt = replicaAt + replicaWords;
  const geometries: SnapshotGeometry[] = [];
  for (let at = geometryAt; at < systemsAt; ) {
    const [slot, length] = [words[at]!, words[at + 1]!];
    if (!(slot > 0 && length >= 0 && at + 2 + length <= systemsAt))
      throw damaged('its geometry does not add up');
    geometries.push({ slot, words: words.slice(at + 2, at + 2 + length) });
    at += 2 + length;
  }
  return {
    core: words.subarray(HEADER_WORDS, replicaAt),
    replica: words.subarray(replicaAt, geometryAt),
    geometries,
    localTime: times[0]!,
    fixedTimeStep: times[1]!,
    systems: words.subarray(systemsAt, end),
  };
}
