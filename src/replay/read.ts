// Opens a recording. In: the bytes of a file, possibly forged. Out: its chunks, checked; or a PhysicsError that names
// the byte. A length is accepted only up to the number of bytes present, so nothing larger than the file is allocated;
// the decompressed size is limited.
import {
  COMMANDS,
  PhysicsError,
  type PhysicsErrorCode,
  type SnapshotParts,
  validateCommands,
} from 'ricochet';
import {
  CHUNK,
  CHUNK_END,
  CHUNK_HEADER,
  CHUNK_KINDS,
  crc32,
  DEFLATED,
  HASH_WORDS,
  joined,
  MAGIC,
  MAJOR,
  MARK,
  MINOR,
  PREAMBLE_BYTES,
  type RecordingHead,
  STATE_ENTRY,
  STATE_HEADER,
  wordsJson,
} from './format';
import { isQueryMethod, queryFault } from './queries';

/** An error of a recording. */
export class RecordingError extends PhysicsError {
  /** `code`: what is wrong, as of PhysicsError; then where in the file, and what. */
  constructor(
    code: PhysicsErrorCode,
    what: string,
    /** Byte of the file, or of its content once it is unfolded, where it went wrong. */
    readonly offset: number,
  ) {
    super(code, `recording refused, byte ${offset}: ${what}`);
  }
}

/** State of the world at a frame. */
export interface Keyframe {
  /** Steps made before it. */
  frame: number;
  /** The recorded world was set to this state here; else it came here by itself. */
  jump: boolean;
  /** The state. */
  parts: SnapshotParts;
}

/** A checked recording. */
export interface Recording {
  /** What the file begins with. */
  head: RecordingHead;
  /** Steps. */
  frames: number;
  /** Bytes of the file, and of what it unfolds to. */
  bytes: number;
  /** Bytes of the content, inflated. */
  contentBytes: number;
  /** In the order of the file; the first is where it begins. */
  keyframes: Keyframe[];
  /** Commands and marks of all frames. */
  streams: Int32Array[];
  /** Frame k (from 0) begins at word `starts[k][1]` of stream `starts[k][0]`; two numbers each. */
  starts: Int32Array;
  /** Jumps (indices of keyframes) to be made when frame k is over. */
  jumps: Map<number, number[]>;
  /** Content of geometry by number, and its shape type. */
  geometries: { kind: number; words: Int32Array }[];
}

export interface ReadOptions {
  /** Most bytes that a deflated file may unfold to. Default 200 times its own and a megabyte. */
  maxBytes?: number;
}

const refuse = (offset: number, what: string) => new RecordingError('damaged-recording', what, offset);

/** Reads a whole file. Nothing but its own memory is touched. */
export async function readRecording(file: Uint8Array, options: ReadOptions = {}): Promise<Recording> {
  if (!(file instanceof Uint8Array))
    throw new PhysicsError('invalid-argument', 'must be a Uint8Array', 'file', file);
  const { maxBytes = 200 * file.length + (1 << 20) } = options;
  if (file.length < PREAMBLE_BYTES) throw refuse(file.length, 'too short to be a recording');
  // Copies by constructor: a Buffer of Node slices without copying.
  const preamble = new Int32Array(new Uint8Array(file.subarray(0, PREAMBLE_BYTES)).buffer);
  if (preamble[0] !== MAGIC) throw refuse(0, 'it does not begin with the signature');
  const [major, minor] = [(preamble[1] as number) & 0xffff, (preamble[1] as number) >>> 16];
  if (major !== MAJOR)
    throw new RecordingError(
      'incompatible-recording',
      `format ${major}.${minor}; this version reads ${MAJOR}.x${major > MAJOR ? ': a later version of ricochet made it' : ''}`,
      4,
    );
  const flags = preamble[2] as number;
  if ((flags & ~DEFLATED) !== 0 || preamble[3] !== 0) throw refuse(8, 'unknown flags');
  const body = file.subarray(PREAMBLE_BYTES);
  const content = flags & DEFLATED ? await inflateAll(body, maxBytes) : body;
  if (content.length % 4 !== 0) throw refuse(PREAMBLE_BYTES + content.length, 'it ends within a word');
  const words = new Int32Array(new Uint8Array(content).buffer);
  return new Reader(words, minor > MINOR, file.length).read();
}

async function inflateAll(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const stream = new Blob([body as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw') as ReadableWritablePair<Uint8Array, Uint8Array>);
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    let step: ReadableStreamReadResult<Uint8Array>;
    try {
      step = await reader.read();
    } catch (error) {
      throw refuse(
        PREAMBLE_BYTES,
        `it cannot be decompressed after ${length} bytes: ${(error as Error).message}`,
      );
    }
    if (step.done) break;
    length += step.value.length;
    if (length > maxBytes) {
      await reader.cancel().catch(() => {});
      throw refuse(PREAMBLE_BYTES, `it decompresses to more than ${maxBytes} bytes; see maxBytes`);
    }
    pieces.push(step.value);
  }
  return joined(pieces);
}

class Reader {
  private readonly geometries: { kind: number; words: Int32Array }[] = [];
  private readonly keyframes: Keyframe[] = [];
  private readonly streams: Int32Array[] = [];
  private readonly starts: number[] = [];
  private readonly jumps = new Map<number, number[]>();
  private head: RecordingHead | undefined;
  /** The frame that goes on has words already. */
  private open = false;
  private frames = 0;
  private streamWords = 0;
  /** Word of the content where the chunk that is read begins. */
  private at = 0;

  constructor(
    private readonly words: Int32Array,
    private readonly later: boolean,
    private readonly bytes: number,
  ) {}

  private refuse(what: string, word = this.at): RecordingError {
    return refuse(PREAMBLE_BYTES + 4 * word, what);
  }

  read(): Recording {
    const { words } = this;
    let last: Int32Array | undefined;
    let chunks = 0;
    for (let at = 0; at < words.length; chunks++) {
      this.at = at;
      if (last !== undefined) throw this.refuse('something follows the last chunk');
      const left = words.length - at - CHUNK_HEADER - CHUNK_END;
      const length = words[at + 1] as number;
      if (left < 0 || length < 0 || length > left) throw this.refuse('a chunk is cut off');
      const kind = (words[at] as number) & 255;
      if (words[at]! >>> 8 !== (chunks & 0xffffff)) throw this.refuse('a chunk is out of order');
      const end = at + CHUNK_HEADER + length;
      if (words[end] !== crc32(words, at, end)) throw this.refuse('a checksum does not match');
      const content = words.subarray(at + CHUNK_HEADER, end);
      if ((chunks === 0) !== (kind === CHUNK.head)) throw this.refuse('the head is not the first chunk');
      if (kind === CHUNK.head) this.readHead(content);
      else if (kind === CHUNK.geometry) this.readGeometry(content);
      else if (kind === CHUNK.state) this.readState(content);
      else if (kind === CHUNK.stream) this.readStream(content);
      else if (kind === CHUNK.last) last = content;
      else if (!this.later || kind <= CHUNK_KINDS) throw this.refuse(`chunks of kind ${kind} are not known`);
      at = end + CHUNK_END;
    }
    if (last === undefined) throw this.refuse('its last chunk is missing', words.length);
    const [frames, before, streamWords] = last;
    if (
      last.length !== 3 ||
      frames !== this.frames ||
      before !== chunks - 1 ||
      streamWords !== this.streamWords
    )
      throw this.refuse('its last chunk does not match the chunks before');
    if (this.head === undefined || this.keyframes[0]?.frame !== 0)
      throw this.refuse('its first state is missing');
    const { head, keyframes, streams, jumps, geometries } = this;
    return {
      ...{ head, keyframes, streams, jumps, geometries, frames: this.frames, bytes: this.bytes },
      contentBytes: 4 * words.length,
      starts: Int32Array.from(this.starts),
    };
  }

  private readHead(content: Int32Array): void {
    const head = wordsJson(content) as RecordingHead | undefined;
    const { engine, settings, gravity, hashEvery, keyframeEvery, notes } = head ?? {};
    const whole =
      typeof engine?.version === 'string' &&
      typeof engine.core === 'string' &&
      Number.isInteger(engine.layout) &&
      [settings, gravity, notes].every((part) => typeof part === 'object' && part !== null) &&
      Number.isInteger(hashEvery) &&
      Number.isInteger(keyframeEvery);
    if (!whole) throw this.refuse('its head cannot be read');
    this.head = head;
  }

  private readGeometry(content: Int32Array): void {
    if (content.length === 0) throw this.refuse('a geometry without content');
    this.geometries.push({ kind: content[0] as number, words: content.slice(1) });
  }

  private readState(content: Int32Array): void {
    if (content.length < STATE_HEADER) throw this.refuse('a state is cut off');
    const [frame, jump, core, replica, entries] = content as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    if (Math.min(core, replica, entries) < 0 || entries > content.length)
      throw this.refuse('the sections of a state do not add up');
    const from = STATE_HEADER + STATE_ENTRY * entries;
    if (from + core + replica !== content.length) throw this.refuse('the sections of a state do not add up');
    if (frame !== this.frames || (jump !== 0 && jump !== 1)) throw this.refuse('a state is at a wrong frame');
    const geometries = Array.from({ length: entries }, (_, i) => {
      const number = content[STATE_HEADER + STATE_ENTRY * i + 1] as number;
      const geometry = this.geometries[number];
      if (geometry === undefined) throw this.refuse(`geometry ${number} is not there`);
      return { slot: content[STATE_HEADER + STATE_ENTRY * i] as number, words: geometry.words };
    });
    const times = new Float64Array(content.slice(5, STATE_HEADER).buffer);
    const [localTime, fixedTimeStep] = times as unknown as [number, number];
    if (!(localTime >= 0 && localTime < 1e9 && fixedTimeStep >= 0 && fixedTimeStep <= 1))
      throw this.refuse('times of a state');
    if (jump === 1) {
      const list = this.jumps.get(frame) ?? [];
      this.jumps.set(frame, [...list, this.keyframes.length]);
    }
    this.keyframes.push({
      frame,
      jump: jump === 1,
      parts: {
        core: content.slice(from, from + core),
        replica: content.slice(from + core),
        geometries,
        localTime,
        fixedTimeStep,
      },
    });
  }

  private readStream(content: Int32Array): void {
    const stream = this.streams.length;
    const words = content.slice();
    this.streams.push(words);
    this.streamWords += words.length;
    const base = this.at + CHUNK_HEADER;
    const check = (from: number, end: number) => {
      if (end === from) return;
      try {
        validateCommands(words.subarray(from, end));
      } catch (error) {
        throw this.refuse((error as Error).message, base + from);
      }
    };
    let from = 0;
    for (let at = 0; at < words.length; ) {
      const head = words[at] as number;
      const code = head & 255;
      const length = head >>> 8;
      if (length === 0 || at + length > words.length) throw this.refuse('a command is cut off', base + at);
      // A hash belongs to the frame that is over; everything else begins the next one.
      if (!this.open && code !== MARK.hash) {
        this.starts.push(stream, at);
        this.open = true;
      }
      if (code >= 128) {
        check(from, at);
        this.checkMark(code, length, words.subarray(at, at + length), base + at);
        from = at + length;
      } else if (head === COMMANDS.step.head) {
        this.frames++;
        this.open = false;
      }
      at += length;
    }
    check(from, words.length);
  }

  private checkMark(code: number, length: number, mark: Int32Array, at: number): void {
    if (code === MARK.hash && length === HASH_WORDS) return;
    if (code === MARK.query) {
      const record = wordsJson(mark.subarray(1));
      const fault = queryFault(record);
      // A later version may ask in other ways; the player passes over them.
      if (fault === undefined || (this.later && Array.isArray(record) && !isQueryMethod(record[0]))) return;
      throw this.refuse(`asks ${fault}`, at);
    }
    if (code === MARK.filter && length === 2 + (((mark[1] as number) + 31) >>> 5)) return;
    if (code === MARK.geometry && length === COMMANDS.addGeometry.totalWords + 1) {
      if (this.geometries[mark[1] as number] !== undefined) return;
      throw this.refuse(`geometry ${mark[1]} is not there`, at);
    }
    throw this.refuse(`a mark ${code} of ${length} words`, at);
  }
}
