// Snapshots: a world's whole state as bytes. In: the core's section and the replica's. Out: one array
// with a header and a 64-bit checksum over everything, so that a flipped bit or a missing end is found
// before anything is changed. Little-endian; equal states give equal bytes on every machine.
//
// Words: magic, format, layout hash, core bytes, replica words, local time (f64), interpolation step
// (f64), core section, replica section, checksum (2).
import { checksum } from './checksum';
import { LAYOUT_HASH } from './core-layout';
import { PhysicsError } from './errors';

const MAGIC = 0x54455243; // 'CRET'
const FORMAT = 1;
const HEADER_WORDS = 9;
const CHECKSUM_WORDS = 2;

export interface SnapshotParts {
  /** As the core wrote it; a multiple of 4 bytes. */
  core: Int32Array;
  /** As saveReplica wrote it. */
  replica: Int32Array;
  /** s, what stepSimulation has left over. */
  localTime: number;
  /** s, the fixed step of the interpolation, 0 for none. */
  fixedTimeStep: number;
}

export function packSnapshot({
  core,
  replica,
  localTime,
  fixedTimeStep,
}: SnapshotParts): Uint8Array<ArrayBuffer> {
  const total = HEADER_WORDS + core.length + replica.length + CHECKSUM_WORDS;
  const words = new Int32Array(total);
  words[0] = MAGIC;
  words[1] = FORMAT;
  words[2] = LAYOUT_HASH;
  words[3] = core.length;
  words[4] = replica.length;
  const times = new Int32Array(Float64Array.of(localTime, fixedTimeStep).buffer);
  words.set(times, 5);
  words.set(core, HEADER_WORDS);
  words.set(replica, HEADER_WORDS + core.length);
  checksum(words, 0, total - CHECKSUM_WORDS, words, total - CHECKSUM_WORDS);
  return new Uint8Array(words.buffer);
}

function damaged(what: string): PhysicsError {
  return new PhysicsError('damaged-snapshot', `snapshot refused: ${what}`);
}

/** The sections of a snapshot; throws a typed error when it is not whole, or of another version. */
export function unpackSnapshot(bytes: unknown): SnapshotParts {
  if (!(bytes instanceof Uint8Array))
    throw new PhysicsError('invalid-argument', 'must be a Uint8Array', 'snapshot', bytes);
  if (bytes.length % 4 !== 0 || bytes.length < 4 * (HEADER_WORDS + CHECKSUM_WORDS))
    throw damaged(`${bytes.length} bytes cannot be a snapshot`);
  // A copy: aligned, and out of reach of others while it is read.
  const words = new Int32Array(bytes.slice().buffer);
  if (words[0] !== MAGIC) throw damaged('it does not begin like one');
  const sum = new Int32Array(CHECKSUM_WORDS);
  const end = words.length - CHECKSUM_WORDS;
  checksum(words, 0, end, sum, 0);
  if (sum[0] !== words[end] || sum[1] !== words[end + 1]) throw damaged('its checksum does not match');
  if (words[1] !== FORMAT || words[2] !== LAYOUT_HASH)
    throw new PhysicsError('incompatible-snapshot', 'the snapshot was made by another version of the engine');
  const coreWords = words[3]!;
  const replicaWords = words[4]!;
  if (coreWords < 0 || replicaWords < 0 || HEADER_WORDS + coreWords + replicaWords !== end)
    throw damaged('its sections do not add up');
  const times = new Float64Array(words.slice(5, 9).buffer);
  const replicaAt = HEADER_WORDS + coreWords;
  return {
    core: words.subarray(HEADER_WORDS, replicaAt),
    replica: words.subarray(replicaAt, end),
    localTime: times[0]!,
    fixedTimeStep: times[1]!,
  };
}
