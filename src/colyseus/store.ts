// Where checkpoints of rooms are kept, so that another process can continue them. In: a room's key and its state as
// bytes. Out: the state for whoever continues the room, who gets a greater turn than all before.

/** Keeps the last states of rooms. One store serves all processes. */
export interface CheckpointStore {
  /** A process begins or continues a room: a turn greater than all before, and the last checkpoint, if there is one. */
  begin(room: string): Promise<{ turn: number; checkpoint: Uint8Array | null }>;
  /**
   * Keeps a checkpoint for `keep` s. Returns false when a later turn has begun: the caller was taken for dead, and its room
   * is continued elsewhere.
   */
  save(room: string, turn: number, checkpoint: Uint8Array, keep: number): Promise<boolean>;
}

/** What is used of a Colyseus presence: RedisPresence for several processes, LocalPresence for one. */
export interface PresenceLike {
  /** Adds 1 to a number and returns it. */
  incr(key: string): Promise<number>;
  /** A value, if there is one. */
  get(key: string): unknown;
  /** Sets a value that is forgotten after some seconds. */
  setex(key: string, value: string, seconds: number): unknown;
  /** Changes after how many seconds a value is forgotten. */
  expire(key: string, seconds: number): unknown;
  /** Forgets a value. */
  del(key: string): unknown;
}

/** Turns that left no checkpoint, as their processes ended at once: so many are looked past. */
const LOOK_BACK = 32;
/** s. The counter of turns outlives the checkpoints: an old process must not find its turn the last one again. */
const COUNTER_LIFE = 7 * 86_400;

/**
 * Checkpoints in a presence. Each turn writes to a key of its own, so that a process that was taken for dead, and wakes
 * up, overwrites nothing (a fencing token; Kleppmann, Designing Data-Intensive Applications, 2017, chapter 8).
 */
export class PresenceStore implements CheckpointStore {
  /** `prefix`: of all keys in the presence. */
  constructor(
    private readonly presence: PresenceLike,
    private readonly prefix = 'ricochet',
  ) {}

  private counter = (room: string) => `${this.prefix}:turn:${room}`;
  private place = (room: string, turn: number) => `${this.prefix}:checkpoint:${room}:${turn}`;

  /** See CheckpointStore. */
  async begin(room: string): Promise<{ turn: number; checkpoint: Uint8Array | null }> {
    const { presence } = this;
    const turn = Number(await presence.incr(this.counter(room)));
    await presence.expire(this.counter(room), COUNTER_LIFE);
    for (let before = turn - 1; before > 0 && before >= turn - LOOK_BACK; before--) {
      const text = await presence.get(this.place(room, before));
      if (typeof text === 'string') return { turn, checkpoint: bytesOf(text) };
    }
    return { turn, checkpoint: null };
  }

  /** See CheckpointStore. */
  async save(room: string, turn: number, checkpoint: Uint8Array, keep: number): Promise<boolean> {
    const { presence } = this;
    const newest = Number(await presence.get(this.counter(room)));
    if (newest > turn) return false;
    // It came back without what it knew: who comes next must get a later turn, and this checkpoint.
    if (newest < turn) await presence.setex(this.counter(room), `${turn}`, COUNTER_LIFE);
    await presence.setex(this.place(room, turn), textOf(checkpoint), keep);
    return true;
  }
}

/** Characters per call of fromCharCode: more arguments than some engines take otherwise. */
const SLICE = 8192;

/** Base64: presences keep text. */
function textOf(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += SLICE)
    letters += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(letters);
}

function bytesOf(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
