// What client and host say to each other. Data plane: every message is exactly one ArrayBuffer, transferred,
// whose first word says what it is. Control plane: the comlink interface `HostControl` at the end.
// This file is the only place where offsets of messages come from. Little-endian words of 32 bits.

/** First word of every message: 'R' << 24 | version << 8 | kind. */
const MAGIC = 0x52000000 | (1 << 8);

/** Client → host: commands to apply. Host → client: the same buffer, empty, to be filled again. */
export const MESSAGE_COMMANDS = MAGIC | 1;
/** Host → client: poses, events, debug lines, figures. Client → host: the same buffer, read. */
export const MESSAGE_FRAME = MAGIC | 2;
/** Host → client: a command buffer was refused whole, the world is unchanged. UTF-8 text follows. */
export const MESSAGE_REFUSED = MAGIC | 3;

/** Word offsets in a command message. The commands follow at COMMANDS_HEADER. */
export const COMMANDS = {
  KIND: 0,
  /** 1, 2, 3 …; buffers are applied in this order without gaps. */
  SEQUENCE: 1,
  /** Words of commands that follow the header. */
  WORDS: 2,
} as const;
export const COMMANDS_HEADER = 4;

/** Word offsets in a frame. */
export const FRAME = {
  KIND: 0,
  /** Counts publications; gaps tell of frames that were skipped because the page held all buffers. */
  NUMBER: 1,
  /** The last command buffer (or control call with a place in the stream) that was applied. */
  SEQUENCE: 2,
  STEPS: 3,
  FLAGS: 4,
  /** Poses of slots 0 … POSE_SLOTS − 1, POSE_WORDS each. */
  POSE_SLOTS: 5,
  POSE_OFFSET: 6,
  /** Event records of all steps since the frame before, in the core's format. */
  EVENT_WORDS: 7,
  EVENT_OFFSET: 8,
  /** Events that found the host's buffer full since the frame before. */
  EVENTS_DROPPED: 9,
  /** Debug lines: six floats per line (from, to), then one colour word (0xRRGGBB) per line. */
  LINES: 10,
  LINE_OFFSET: 11,
  /** f64: worker's clock (ms) at which the last step of this frame was due. */
  DUE: 12,
  /** f64: real time dropped since the start, ms. */
  DROPPED_MS: 14,
  /** f32: milliseconds that the last step took. */
  STEP_MS: 16,
  /** f32: real milliseconds between two steps at the present speed. */
  PERIOD: 17,
  BODIES: 18,
  AWAKE: 19,
  CONTACTS: 20,
} as const;
export const FRAME_HEADER = 24;

/** The poses are to be shown as they are: stepped by hand, restored, or stopped. */
export const FRAME_SNAP = 1;
export const FRAME_RUNNING = 2;

/** A refusal: KIND, SEQUENCE of the buffer, then the message. */
export const REFUSED = { KIND: 0, SEQUENCE: 1, LENGTH: 2 } as const;
export const REFUSED_HEADER = 3;

export function encodeRefusal(sequence: number, message: string): ArrayBuffer {
  const text = new TextEncoder().encode(message);
  const buffer = new ArrayBuffer(4 * (REFUSED_HEADER + Math.ceil(text.length / 4)));
  const words = new Uint32Array(buffer);
  words[REFUSED.KIND] = MESSAGE_REFUSED;
  words[REFUSED.SEQUENCE] = sequence;
  words[REFUSED.LENGTH] = text.length;
  new Uint8Array(buffer, 4 * REFUSED_HEADER).set(text);
  return buffer;
}

export function decodeRefusal(buffer: ArrayBuffer): { sequence: number; message: string } {
  const words = new Uint32Array(buffer, 0, REFUSED_HEADER);
  const text = new Uint8Array(buffer, 4 * REFUSED_HEADER, words[REFUSED.LENGTH]);
  return { sequence: words[REFUSED.SEQUENCE] as number, message: new TextDecoder().decode(text) };
}

/** The kind of a message, or 0 for what is none of ours. */
export function messageKind(message: unknown): number {
  if (!(message instanceof ArrayBuffer) || message.byteLength < 4 || message.byteLength % 4 !== 0) return 0;
  return new Uint32Array(message, 0, 1)[0] as number;
}
