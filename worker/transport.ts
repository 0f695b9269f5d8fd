// Transfer of buffers. In: buffers for the other side. Out: the same buffers when the other side returns them. Buffers
// are transferred, never copied; the number in flight is bounded, so a blocked page costs no memory. FrameOut is the
// common interface: frames go by messages (MessageFrames) or through shared memory (FrameWriter of board.ts).
import { FRAMES_HELD, type FrameRoom, frameRoom } from './board';

/** What host and client need of a MessagePort; browsers and Node have it alike. */
export interface DataPort {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message' | 'messageerror', listener: (event: MessageEvent) => void): void;
  start(): void;
  close(): void;
}

/** Frames that the host may have outside: those that the page draws from and two on their way. */
export const FRAMES_OUTSTANDING = FRAMES_HELD + 2;

/** Bytes; buffers are made in this granularity, so that a slowly growing world does not replace them each frame. */
const GRAIN = 16384;
/** Free buffers beyond this are left to the garbage collector. */
const FREE_LIMIT = 4;

/** One direction of the data plane: buffers that go out full and come back empty. */
export class BufferLoop {
  /** Posted and not yet given back. */
  outstanding = 0;
  private readonly free: ArrayBuffer[] = [];
  private readonly transfer: ArrayBuffer[] = [];

  constructor(
    private readonly port: DataPort,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  /** False while the other side holds all the buffers it may hold. */
  get available(): boolean {
    return this.outstanding < this.limit;
  }

  /** A buffer of at least `bytes` with undefined content, or null while none is available. */
  acquire(bytes: number): ArrayBuffer | null {
    if (!this.available) return null;
    while (this.free.length > 0) {
      const buffer = this.free.pop() as ArrayBuffer;
      // One that was made for much more, as after a pause, is not kept for ever.
      if (buffer.byteLength >= bytes && buffer.byteLength <= 4 * bytes + 2 * GRAIN) return buffer;
    }
    return new ArrayBuffer(Math.ceil((bytes * 1.25) / GRAIN) * GRAIN);
  }

  post(buffer: ArrayBuffer): void {
    this.outstanding++;
    this.transfer[0] = buffer;
    this.port.postMessage(buffer, this.transfer);
  }

  /** The other side is done with it. */
  takeBack(buffer: ArrayBuffer): void {
    this.outstanding--;
    if (this.free.length < FREE_LIMIT) this.free.push(buffer);
  }
}

/** How the host gets its frames out. */
export interface FrameOut {
  /** False while the page holds all it may hold: the host publishes again when it is told. */
  readonly available: boolean;
  /** Room for a frame of so many bytes. */
  acquire(bytes: number): FrameRoom;
  /** Publishes what was written to the last room. */
  post(): void;
}

/** Frames by messages. */
export class MessageFrames implements FrameOut {
  private readonly loop: BufferLoop;
  private room: FrameRoom | undefined;

  constructor(port: DataPort) {
    this.loop = new BufferLoop(port, FRAMES_OUTSTANDING);
  }

  get available(): boolean {
    return this.loop.available;
  }

  acquire(bytes: number): FrameRoom {
    return (this.room = frameRoom(this.loop.acquire(bytes) as ArrayBuffer));
  }

  post(): void {
    this.loop.post(this.room?.buffer as ArrayBuffer);
    this.room = undefined;
  }

  takeBack(buffer: ArrayBuffer): void {
    this.loop.takeBack(buffer);
  }
}
