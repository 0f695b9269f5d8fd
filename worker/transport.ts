// Transfer of buffers. In: buffers for the other side. Out: the same buffers when the other side returns them. Buffers
// are transferred, never copied; the number in transit is bounded, so a blocked page costs no memory. FrameOut is the
// common interface: frames by messages (MessageFrames) or through shared memory (FrameWriter of board.ts).
import { FRAMES_HELD, type FrameRoom, frameRoom } from './board';

/** The part of MessagePort that host and client use; browsers and Node have it. */
export interface DataPort {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message' | 'messageerror', listener: (event: MessageEvent) => void): void;
  start(): void;
  close(): void;
}

/** Most frames outside the host: those from which the page draws, and two in transit. */
export const FRAMES_OUTSTANDING = FRAMES_HELD + 2;

/** Bytes. Buffer sizes are multiples of this, so that a slowly growing world does not replace them in each frame. */
const GRAIN = 16384;
/** Most free buffers; further ones are left to the garbage collector. */
const FREE_LIMIT = 4;

/** One direction of the data plane: buffers are sent full and come back empty. */
export class BufferLoop {
  /** Buffers that were posted and not returned yet. */
  outstanding = 0;
  private readonly free: ArrayBuffer[] = [];
  private readonly transfer: ArrayBuffer[] = [];

  constructor(
    private readonly port: DataPort,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  /** False while the other side holds the largest allowed number of buffers. */
  get available(): boolean {
    return this.outstanding < this.limit;
  }

  /** A buffer of at least `bytes` with undefined content, or null while none is available. */
  acquire(bytes: number): ArrayBuffer | null {
    if (!this.available) return null;
    while (this.free.length > 0) {
      const buffer = this.free.pop() as ArrayBuffer;
      // A buffer that is much too large, for example after a pause, is not kept.
      if (buffer.byteLength >= bytes && buffer.byteLength <= 4 * bytes + 2 * GRAIN) return buffer;
    }
    return new ArrayBuffer(Math.ceil((bytes * 1.25) / GRAIN) * GRAIN);
  }

  post(buffer: ArrayBuffer): void {
    this.outstanding++;
    this.transfer[0] = buffer;
    this.port.postMessage(buffer, this.transfer);
  }

  /** The other side returned a buffer. */
  takeBack(buffer: ArrayBuffer): void {
    this.outstanding--;
    if (this.free.length < FREE_LIMIT) this.free.push(buffer);
  }
}

/** How the host publishes its frames. */
export interface FrameOut {
  /** False while the page holds all buffers: the host publishes again when one is returned. */
  readonly available: boolean;
  /** Returns space for a frame of `bytes` bytes. */
  acquire(bytes: number): FrameRoom;
  /** Publishes the last acquired space. */
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
