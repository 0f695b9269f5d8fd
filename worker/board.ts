// Shared memory of page and worker; worlds without a worker use it on both sides, too. In: frames and events from the
// host, commands from the client. Out: the same on the other side, without messages. Frames use a triple buffer (one
// index, exchanged atomically, so that no buffer is written and read at the same time); commands and events use ring
// buffers with one writer and one reader each.
import {
  BOARD_MAGIC,
  COMMANDS,
  COMMANDS_HEADER,
  type FrameTimes,
  MESSAGE_MEMORY,
  writeTimes,
} from './protocol';

export type Memory = ArrayBuffer | SharedArrayBuffer;

/** Word offsets at the start of the board. */
export const BOARD = {
  KIND: 0,
  /** Words ever written to and read from the command ring, modulo 2^32. */
  COMMAND_HEAD: 1,
  COMMAND_TAIL: 2,
  /** The same for the event ring. */
  EVENT_HEAD: 3,
  EVENT_TAIL: 4,
  /** Sequence number that the client waits to see in a frame; 0 if it waits for none. */
  WANTED: 5,
  /** 1 while the host's clock reads the command ring without being told. */
  POLLED: 6,
} as const;
export const BOARD_HEADER = 16;
/** Words of the rings, powers of two: 128 KB and 256 KB. */
export const COMMAND_RING = 1 << 15;
export const EVENT_RING = 1 << 16;
/** Longer command buffers are sent by message. */
const LONGEST_ENTRY = COMMAND_RING / 4;

/** Frames from which the page draws: the newest, and older ones that the render clock may still need. */
export const FRAMES_HELD = 5;
/** One more for the frame being written, and one in transit. */
const SLOTS = FRAMES_HELD + 2;

function allocate(bytes: number, shared: boolean): Memory {
  return shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}

/** Rings and flags of one world. */
export function makeBoard(shared: boolean): Memory {
  const memory = allocate(4 * (BOARD_HEADER + COMMAND_RING + EVENT_RING), shared);
  new Int32Array(memory)[BOARD.KIND] = BOARD_MAGIC;
  return memory;
}

/**
 * Ring of command buffers. An entry has the header of a command message and is never split; if it does not fit before
 * the end, an entry with sequence 0 says that the next one is at the start.
 */
class CommandRing {
  protected readonly flags: Int32Array;
  protected readonly ring: Int32Array;

  constructor(memory: Memory) {
    this.flags = new Int32Array(memory, 0, BOARD_HEADER);
    this.ring = new Int32Array(memory, 4 * BOARD_HEADER, COMMAND_RING);
  }

  protected sizeAt(at: number): number {
    const { ring } = this;
    if (ring[at + COMMANDS.SEQUENCE] === 0) return COMMAND_RING - at;
    return (COMMANDS_HEADER + (ring[at + COMMANDS.WORDS] as number) + 1) & ~1;
  }
}

/** The client's side of the commands. */
export class CommandRingWriter extends CommandRing {
  /** Position up to which the host's marks were read. */
  private marked = 0;

  /** Writes a buffer. False if there is no room: the buffer must be sent by message. */
  write(sequence: number, words: Int32Array, due: number, frame: FrameTimes | null = null): boolean {
    const size = (COMMANDS_HEADER + words.length + 1) & ~1;
    if (size > LONGEST_ENTRY) return false;
    const { flags, ring } = this;
    let head = flags[BOARD.COMMAND_HEAD] as number;
    let at = head & (COMMAND_RING - 1);
    const rest = COMMAND_RING - at;
    const skip = size > rest ? rest : 0;
    // Entries that the host has taken can be overwritten only after their mark was read.
    if (COMMAND_RING - ((head - this.marked) | 0) < size + skip) return false;
    if (skip > 0) {
      ring[at + COMMANDS.SEQUENCE] = 0;
      head = (head + skip) | 0;
      at = 0;
    }
    ring[at + COMMANDS.SEQUENCE] = sequence;
    ring[at + COMMANDS.WORDS] = words.length;
    ring[at + COMMANDS.STEPS] = -1;
    writeTimes(ring, at + COMMANDS.PERIOD, due, frame);
    ring.set(words, at + COMMANDS_HEADER);
    Atomics.store(flags, BOARD.COMMAND_HEAD, (head + size) | 0);
    return true;
  }

  /** Calls `visit` for each entry that was applied since the last call, with the number of steps before it. */
  readMarks(visit: (sequence: number, steps: number) => void): void {
    const tail = Atomics.load(this.flags, BOARD.COMMAND_TAIL);
    while (this.marked !== tail) {
      const at = this.marked & (COMMAND_RING - 1);
      const size = this.sizeAt(at);
      const sequence = this.ring[at + COMMANDS.SEQUENCE] as number;
      if (sequence !== 0) visit(sequence, this.ring[at + COMMANDS.STEPS] as number);
      this.marked = (this.marked + size) | 0;
    }
  }
}

/** The host's side of the commands. */
export class CommandRingReader extends CommandRing {
  /** Index in `words` of the first entry with its header, or −1 if the ring is empty. */
  peek(): number {
    const { flags } = this;
    for (;;) {
      const tail = flags[BOARD.COMMAND_TAIL] as number;
      if (tail === Atomics.load(flags, BOARD.COMMAND_HEAD)) return -1;
      const at = tail & (COMMAND_RING - 1);
      if (this.ring[at + COMMANDS.SEQUENCE] !== 0) return at;
      Atomics.store(flags, BOARD.COMMAND_TAIL, (tail + COMMAND_RING - at) | 0);
    }
  }

  get words(): Int32Array {
    return this.ring;
  }

  /** Marks the first entry as applied after `steps` steps of the world, and removes it. */
  take(steps: number): void {
    const tail = this.flags[BOARD.COMMAND_TAIL] as number;
    const at = tail & (COMMAND_RING - 1);
    this.ring[at + COMMANDS.STEPS] = steps;
    Atomics.store(this.flags, BOARD.COMMAND_TAIL, (tail + this.sizeAt(at)) | 0);
  }
}

/** Ring of event records. */
class EventRing {
  protected readonly flags: Int32Array;
  protected readonly ring: Int32Array;

  constructor(memory: Memory) {
    this.flags = new Int32Array(memory, 0, BOARD_HEADER);
    this.ring = new Int32Array(memory, 4 * (BOARD_HEADER + COMMAND_RING), EVENT_RING);
  }
}

/** The host's side of the events. */
export class EventRingWriter extends EventRing {
  /** Position up to which the ring was written. */
  get head(): number {
    return this.flags[BOARD.EVENT_HEAD] as number;
  }

  /** Free words. */
  get room(): number {
    return EVENT_RING - ((this.head - Atomics.load(this.flags, BOARD.EVENT_TAIL)) | 0);
  }

  /** Appends the first `count` words, for which there must be room. */
  write(words: Int32Array, count: number): void {
    const { head, ring } = this;
    for (let i = 0; i < count; i++) ring[(head + i) & (EVENT_RING - 1)] = words[i] as number;
    Atomics.store(this.flags, BOARD.EVENT_HEAD, (head + count) | 0);
  }
}

/** The client's side of the events. */
export class EventRingReader extends EventRing {
  /** The records of the last `read`, contiguous. */
  words = new Int32Array(256);
  floats = new Float32Array(this.words.buffer);

  /** Reads everything up to `head` into `words`. Returns the number of words. */
  read(head: number): number {
    const { flags, ring } = this;
    const tail = flags[BOARD.EVENT_TAIL] as number;
    const count = (head - tail) | 0;
    if (count <= 0) return 0;
    if (count > this.words.length) {
      this.words = new Int32Array(Math.max(count, 2 * this.words.length));
      this.floats = new Float32Array(this.words.buffer);
    }
    for (let i = 0; i < count; i++) this.words[i] = ring[(tail + i) & (EVENT_RING - 1)] as number;
    Atomics.store(flags, BOARD.EVENT_TAIL, head);
    return count;
  }
}

/** Word offsets at the start of a memory for frames. */
const FRAMES = {
  KIND: 0,
  /** Index of the buffer that was published last, plus FRESH if the client has not taken it. */
  MIDDLE: 1,
  /** Bytes of one buffer. */
  ROOM: 2,
} as const;
const FRAMES_HEADER = 16;
/** Bytes. Buffer sizes are multiples of this. */
const GRAIN = 4096;
/** Set in MIDDLE by the host, cleared by the client. */
const FRESH = 8;

/** Typed views of one frame: a part of a memory, or a separate buffer. */
export interface FrameRoom {
  readonly buffer: Memory;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
}

export function frameRoom(buffer: Memory, from = 0, bytes = buffer.byteLength): FrameRoom {
  return {
    buffer,
    words: new Int32Array(buffer, from, bytes >>> 2),
    floats: new Float32Array(buffer, from, bytes >>> 2),
    doubles: new Float64Array(buffer, from, bytes >>> 3),
  };
}

/**
 * The buffers of a memory for frames. Buffer SLOTS − 1 is the host's first one, the one before it is the first middle
 * one.
 */
class FrameMemory {
  readonly header: Int32Array;
  readonly rooms: FrameRoom[] = [];

  constructor(readonly memory: Memory) {
    this.header = new Int32Array(memory, 0, FRAMES_HEADER);
    const bytes = this.header[FRAMES.ROOM] as number;
    for (let i = 0; i < SLOTS; i++) this.rooms.push(frameRoom(memory, 4 * FRAMES_HEADER + i * bytes, bytes));
  }

  static create(bytes: number, shared: boolean): FrameMemory {
    const room = Math.ceil(bytes / GRAIN) * GRAIN;
    const memory = allocate(4 * FRAMES_HEADER + SLOTS * room, shared);
    const header = new Int32Array(memory, 0, FRAMES_HEADER);
    header[FRAMES.KIND] = MESSAGE_MEMORY;
    header[FRAMES.MIDDLE] = SLOTS - 2;
    header[FRAMES.ROOM] = room;
    return new FrameMemory(memory);
  }
}

/** The host's side of the triple buffer: always has a buffer that the client does not read. */
export class FrameWriter {
  private frames: FrameMemory | undefined;
  readonly available = true;
  private back = 0;

  constructor(
    private readonly shared: boolean,
    /** Sends a memory that is large enough to the other side. */
    private readonly announce: (memory: Memory) => void,
  ) {}

  /** Returns space for a frame of `bytes` bytes. */
  acquire(bytes: number): FrameRoom {
    if (this.frames === undefined || bytes > (this.frames.header[FRAMES.ROOM] as number)) {
      this.frames = FrameMemory.create(1.25 * bytes, this.shared);
      this.back = SLOTS - 1;
      this.announce(this.frames.memory);
    }
    return this.frames.rooms[this.back] as FrameRoom;
  }

  /** Publishes the last acquired space. The client sees only the newest frame. */
  post(): void {
    const { header } = this.frames as FrameMemory;
    this.back = Atomics.exchange(header, FRAMES.MIDDLE, this.back | FRESH) & ~FRESH;
  }
}

/** The client's side: holds the last FRAMES_HELD frames, and exchanges the oldest for a new one. */
export class FrameReader {
  private readonly frames: FrameMemory;
  /** Buffers that the client holds, the oldest first. */
  private readonly held = Int32Array.from({ length: FRAMES_HELD }, (_, i) => i);

  constructor(memory: Memory) {
    this.frames = new FrameMemory(memory);
  }

  /** The newest frame, or null if there is none since the last call. A frame is valid for FRAMES_HELD calls. */
  take(): FrameRoom | null {
    const { held } = this;
    const { header, rooms } = this.frames;
    if ((Atomics.load(header, FRAMES.MIDDLE) & FRESH) === 0) return null;
    const fresh = Atomics.exchange(header, FRAMES.MIDDLE, held[0] as number) & ~FRESH;
    held.copyWithin(0, 1);
    held[FRAMES_HELD - 1] = fresh;
    return rooms[fresh] as FrameRoom;
  }
}
